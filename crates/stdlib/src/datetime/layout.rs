//! Formats times by the two old notations of Packer: example dates as in Go, and `%` directives as in C.

use std::fmt::Write as _;

use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Type, Value};

use super::format::{MONTHS, WEEKDAYS};
use super::timestamp::{CalendarParts, Timestamp};

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "legacy_isotime",
            "Formats the start of the run in UTC by a layout, in which 2006-01-02 stands for year, month \
             and day.",
            ResultType::Fixed(Type::String),
            |call| started(call, layout),
        )
        .variadic(Parameter::new("format", Type::String))
        .since(Availability::nowhere().packer(8))
        .examples(&[(r#"legacy_isotime("2006-01-02")"#, r#""2023-11-14""#)]),
        Function::new(
            "legacy_strftime",
            "Formats the start of the run in UTC by the directives of C, such as `%Y` for the year and `%m` \
             for the month.",
            ResultType::Fixed(Type::String),
            |call| started(call, strftime),
        )
        .variadic(Parameter::new("format", Type::String))
        .since(Availability::nowhere().packer(8))
        .examples(&[(r#"legacy_strftime("%Y-%m-%d")"#, r#""2023-11-14""#)]),
    ]
}

fn started(call: &Call<'_>, write: fn(&str, &Timestamp) -> String) -> Result<Value, FunctionError> {
    if call.arguments.len() > 1 {
        return Err(FunctionError::new("only one format can be given"));
    }
    let Some(clock) = call.env.world.clock else {
        return Ok(call.unknown_input());
    };
    let time = Timestamp::from_unix(clock.started());
    Ok(match call.arguments {
        [] => time.to_string().into(),
        _ => write(call.string(0), &time).into(),
    })
}

/// The parts of an example date. If one part is a prefix of another, the longer one comes first.
const PARTS: [&str; 33] = [
    "January",
    "Jan",
    "Monday",
    "Mon",
    "MST",
    "2006",
    "Z070000",
    "Z07:00:00",
    "Z0700",
    "Z07:00",
    "Z07",
    "-070000",
    "-07:00:00",
    "-0700",
    "-07:00",
    "-07",
    "002",
    "01",
    "02",
    "03",
    "04",
    "05",
    "06",
    "__2",
    "_2",
    "15",
    "PM",
    "pm",
    "1",
    "2",
    "3",
    "4",
    "5",
];

/// Formats `time` like the example date `layout`.
fn layout(layout: &str, time: &Timestamp) -> String {
    let parts = time.parts();
    let mut text = String::new();
    let mut rest = layout;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(part) = PARTS.iter().find(|part| stands_at(part, rest)) {
            write_part(&mut text, part, &parts);
            part.len()
        } else if let Some((fraction, length)) = fraction(rest) {
            text.push_str(&fraction);
            length
        } else {
            text.push(first);
            first.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    text
}

/// Whether `rest` begins with the part: `Janet` does not begin with a month, and `_2006` does not begin with a day.
fn stands_at(part: &str, rest: &str) -> bool {
    rest.strip_prefix(part).is_some_and(|behind| match part {
        "Jan" | "Mon" => !behind.starts_with(|c: char| c.is_ascii_lowercase()),
        "_2" => !behind.starts_with("006"),
        _ => true,
    })
}

/// Returns the text for a fraction of a second at the start of `rest`, and the length of the notation; `None` if no fraction
/// starts there. The clock has whole seconds, so `.000` stays and `.999`, which omits zeros, is empty.
fn fraction(rest: &str) -> Option<(String, usize)> {
    let digits = rest.strip_prefix(['.', ','])?;
    let first = digits.chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let count = digits.len() - digits.trim_start_matches(first).len();
    let behind = digits.get(count..)?;
    if behind.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let shown = if first == '0' { rest.get(..=count)?.to_owned() } else { String::new() };
    Some((shown, count + 1))
}

fn write_part(text: &mut String, part: &str, parts: &CalendarParts) {
    let CalendarParts { year, month, day, hour, minute, second, weekday, year_day } = *parts;
    let month_name = usize::try_from(month).ok().and_then(|month| MONTHS.get(month - 1)).copied();
    let month_name = month_name.unwrap_or_default();
    let weekday_name = WEEKDAYS.get(weekday).copied().unwrap_or_default();
    let short = |name: &'static str| name.get(..3).unwrap_or(name);
    let half_day_hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    // Writing to a string cannot fail.
    let _ = match part {
        "January" => write!(text, "{month_name}"),
        "Jan" => write!(text, "{}", short(month_name)),
        "01" => write!(text, "{month:02}"),
        "1" => write!(text, "{month}"),
        "Monday" => write!(text, "{weekday_name}"),
        "Mon" => write!(text, "{}", short(weekday_name)),
        "02" => write!(text, "{day:02}"),
        "_2" => write!(text, "{day:2}"),
        "2" => write!(text, "{day}"),
        "002" => write!(text, "{year_day:03}"),
        "__2" => write!(text, "{year_day:3}"),
        "2006" => write!(text, "{year:04}"),
        "06" => write!(text, "{:02}", year % 100),
        "15" => write!(text, "{hour:02}"),
        "03" => write!(text, "{half_day_hour:02}"),
        "3" => write!(text, "{half_day_hour}"),
        "04" => write!(text, "{minute:02}"),
        "4" => write!(text, "{minute}"),
        "05" => write!(text, "{second:02}"),
        "5" => write!(text, "{second}"),
        "PM" => write!(text, "{}", if hour < 12 { "AM" } else { "PM" }),
        "pm" => write!(text, "{}", if hour < 12 { "am" } else { "pm" }),
        "MST" => write!(text, "UTC"),
        // The time is in UTC, whose offset is written as `Z`.
        _ if part.starts_with('Z') => write!(text, "Z"),
        _ => write!(text, "{}", part.replace('-', "+").replace('7', "0")),
    };
}

/// The example date for each directive.
const LETTERS: [(char, &str); 14] = [
    ('A', "Monday"),
    ('a', "Mon"),
    ('B', "January"),
    ('b', "Jan"),
    ('d', "02"),
    ('H', "15"),
    ('I', "03"),
    ('M', "04"),
    ('m', "01"),
    ('p', "PM"),
    ('S', "05"),
    ('Y', "2006"),
    ('y', "06"),
    ('z', "-0700"),
];

/// Formats `time` by `form`: `%` and a letter stand for a part of the time. `%` before any other character stands for
/// itself.
fn strftime(form: &str, time: &Timestamp) -> String {
    let parts = time.parts();
    let mut text = String::new();
    let mut characters = form.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('%') | None => text.push('%'),
            Some('Z') => text.push_str("UTC"),
            // The clock has whole seconds.
            Some('L') => text.push_str(".000"),
            Some(letter) => match LETTERS.iter().find(|(directive, _)| *directive == letter) {
                Some((_, part)) => write_part(&mut text, part, &parts),
                None => text.extend(['%', letter]),
            },
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{call, call_with_clock};

    /// 2001-09-09T01:46:40Z, a Sunday.
    const TIME: i64 = 1_000_000_000;

    #[test]
    fn example_dates() {
        for (form, want) in [
            ("2006-01-02T15:04:05Z07:00", "2001-09-09T01:46:40Z"),
            ("Mon, 02 Jan 2006 15:04:05 MST", "Sun, 09 Sep 2001 01:46:40 UTC"),
            ("Monday January 2 3:4:5 pm", "Sunday September 9 1:46:40 am"),
            ("_2 __2 002 06 1 03PM", " 9 252 252 01 9 01AM"),
            ("Janet Month _2006 -0700 -07:00", "Janet Month _2001 +0000 +00:00"),
            ("05.000 05,999 .5 .01", "40.000 40 .40 .09"),
        ] {
            assert_eq!(layout(form, &Timestamp::from_unix(TIME)), want, "{form}");
        }
    }

    #[test]
    fn letters_behind_percent_signs() {
        for (form, want) in [
            ("%Y-%m-%d %H:%M:%S", "2001-09-09 01:46:40"),
            ("%A %a %B %b %y %I%p %z %Z", "Sunday Sun September Sep 01 01AM +0000 UTC"),
            ("%q 100%% %", "%q 100% %"),
            ("%S%L", "40.000"),
        ] {
            assert_eq!(strftime(form, &Timestamp::from_unix(TIME)), want, "{form}");
        }
    }

    #[test]
    fn they_tell_the_start_of_the_run() {
        for name in ["legacy_isotime", "legacy_strftime"] {
            assert_eq!(&*call(name, []).unwrap().origins().as_slice()[0].subject, name);
            assert_eq!(call_with_clock(name, []).unwrap().as_str(), Some("2001-09-09T01:46:40Z"));
            assert!(call(name, ["a".into(), "b".into()]).is_err());
        }
        assert_eq!(call_with_clock("legacy_isotime", ["2006".into()]).unwrap().as_str(), Some("2001"));
    }
}
