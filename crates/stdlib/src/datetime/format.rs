//! Formats timestamps by the letters of `formatdate`.

use std::fmt::Write as _;

use terrane_function::beginning;

use super::timestamp::{CalendarParts, Timestamp};

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Formats `time` by `form`: repeated letters stand for parts of the time; quoted text and characters other than
/// letters stand for themselves.
pub(super) fn format(form: &str, time: &Timestamp) -> Result<String, String> {
    let parts = time.parts();
    let mut result = String::new();
    let mut rest = form;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\'' => quoted_end(rest)?,
            _ if first.is_ascii_alphabetic() => rest.find(|c| c != first).unwrap_or(rest.len()),
            _ => rest.find(|c: char| c == '\'' || c.is_ascii_alphabetic()).unwrap_or(rest.len()),
        };
        let (token, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = behind;
        match first {
            '\'' if token == "''" => result.push('\''),
            '\'' => unquote(&mut result, token),
            _ if first.is_ascii_alphabetic() => append(&mut result, token, time, &parts)?,
            _ => result.push_str(token),
        }
    }
    Ok(result)
}

/// Returns the end of the quoted text at the start of `text`. Two adjacent quotes in it stand for one quote.
fn quoted_end(text: &str) -> Result<usize, String> {
    if text.starts_with("''") {
        return Ok(2);
    }
    let mut quotes = text.match_indices('\'').map(|(index, _)| index).skip(1).peekable();
    while let Some(quote) = quotes.next() {
        if quotes.next_if_eq(&(quote + 1)).is_none() {
            return Ok(quote + 1);
        }
    }
    // The reference also accepts two quotes at the end of the text as the closing quote.
    if text.len() > 1 && text.ends_with('\'') {
        return Ok(text.len());
    }
    Err("a quoted text is not closed".to_owned())
}

fn unquote(result: &mut String, token: &str) {
    let inner = token.get(1..token.len() - 1).unwrap_or_default();
    result.push_str(&inner.replace("''", "'"));
}

/// Appends the one of the `parts` of the time for `token`, which repeats a letter.
fn append(result: &mut String, token: &str, time: &Timestamp, parts: &CalendarParts) -> Result<(), String> {
    let month = usize::try_from(parts.month).ok().and_then(|month| MONTHS.get(month - 1)).copied();
    let month = month.unwrap_or_default();
    let weekday = WEEKDAYS.get(parts.weekday).copied().unwrap_or_default();
    let short = |name: &'static str| name.get(..3).unwrap_or(name);
    let half_day_hour = if parts.hour % 12 == 0 { 12 } else { parts.hour % 12 };
    let half_day = if parts.hour < 12 { "AM" } else { "PM" };
    // Writing to a string cannot fail.
    let _ = match token {
        "YYYY" => write!(result, "{:04}", parts.year),
        "YY" => write!(result, "{:02}", parts.year % 100),
        "MMMM" => write!(result, "{month}"),
        "MMM" => write!(result, "{}", short(month)),
        "MM" => write!(result, "{:02}", parts.month),
        "M" => write!(result, "{}", parts.month),
        "DD" => write!(result, "{:02}", parts.day),
        "D" => write!(result, "{}", parts.day),
        "EEEE" => write!(result, "{weekday}"),
        "EEE" => write!(result, "{}", short(weekday)),
        "hh" => write!(result, "{:02}", parts.hour),
        "h" => write!(result, "{}", parts.hour),
        "HH" => write!(result, "{half_day_hour:02}"),
        "H" => write!(result, "{half_day_hour}"),
        "AA" => write!(result, "{half_day}"),
        "aa" => write!(result, "{}", half_day.to_ascii_lowercase()),
        "mm" => write!(result, "{:02}", parts.minute),
        "m" => write!(result, "{}", parts.minute),
        "ss" => write!(result, "{:02}", parts.second),
        "s" => write!(result, "{}", parts.second),
        "Z" if time.is_utc() => write!(result, "Z"),
        "ZZZ" if time.is_utc() => write!(result, "UTC"),
        "ZZZ" | "ZZZZ" => write!(result, "{}", time.offset_text("")),
        "Z" | "ZZZZZ" => write!(result, "{}", time.offset_text(":")),
        _ => {
            let letter = token.chars().next().unwrap_or_default();
            let lengths = allowed(letter);
            return Err(match lengths {
                "" => format!("the letter {letter} has no meaning; write text between single quotes"),
                _ => format!("{:?} has no meaning; write {lengths}", beginning(token)),
            });
        }
    };
    Ok(())
}

fn allowed(letter: char) -> &'static str {
    match letter {
        'Y' => "YY or YYYY for the year",
        'M' => "M, MM, MMM or MMMM for the month",
        'D' => "D or DD for the day of the month",
        'E' => "EEE or EEEE for the day of the week",
        'h' => "h or hh for the hour from 0 to 23",
        'H' => "H or HH for the hour from 1 to 12",
        'A' | 'a' => "AA or aa for AM and PM",
        'm' => "m or mm for the minute",
        's' => "s or ss for the second",
        'Z' => "Z, ZZZ, ZZZZ or ZZZZZ for the offset from UTC",
        _ => "",
    }
}
