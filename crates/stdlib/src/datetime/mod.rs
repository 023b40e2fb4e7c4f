//! Functions on timestamps, which are strings in RFC 3339 form.

mod duration;
mod format;
mod layout;
mod parts;
#[cfg(test)]
mod tests;
mod timestamp;

use terrane_function::{Availability, Call, CallSite, Function, FunctionError, Parameter, beginning};
use terrane_value::{Number, Type, Value};

use crate::row::{self, text};

pub(crate) use timestamp::{Syntax, Timestamp};

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = of_times();
    functions.extend(layout::functions());
    functions.extend(parts::functions());
    functions
}

fn of_times() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text("timestamp", "Returns the current time in UTC.", |call| Ok(now(call)))
            .examples(&[("timestamp()", r#""2023-11-14T22:13:20Z""#)])
            .new_in_each_call(),
        text("plantimestamp", "Returns the time of the plan in UTC.", |call| Ok(time_of_plan(call)))
            .only(CallSite::Configuration)
            .since(Availability::nowhere().terraform(5).opentofu(6))
            .examples(&[("plantimestamp()", r#""2023-11-14T22:13:20Z""#)]),
        text("formatdate", FORMATDATE, formatdate)
            .parameter(string("format"))
            .parameter(string("time"))
            .examples(&[
                (
                    r#"formatdate("DD MMM YYYY hh:mm ZZZ", "2018-01-02T23:12:01Z")"#,
                    r#""02 Jan 2018 23:12 UTC""#,
                ),
                (
                    r#"formatdate("EEEE, D MMMM 'at' H:mm aa", "2018-01-02T13:12:01+02:00")"#,
                    r#""Tuesday, 2 January at 1:12 pm""#,
                ),
            ])
            .pure(),
        text(
            "timeadd",
            "Adds a duration such as `1h30m` or `-90s` to a timestamp. The units are `h`, `m`, `s`, `ms`, \
             `us` and `ns`; numbers may have decimals.",
            timeadd,
        )
        .nullable()
        .parameter(string("timestamp"))
        .parameter(string("duration"))
        .examples(&[
            (r#"timeadd("2017-11-22T00:00:00Z", "10m")"#, r#""2017-11-22T00:10:00Z""#),
            (r#"timeadd("2017-11-22T00:00:00Z", "-1h30.5s")"#, r#""2017-11-21T22:59:29Z""#),
        ])
        .pure(),
        row::number(
            "timecmp",
            "Compares two timestamps and returns -1 if the first is earlier, 0 if they are equal, or 1 if it \
             is later.",
            timecmp,
        )
        .parameter(string("timestamp_a"))
        .parameter(string("timestamp_b"))
        .since(Availability::nowhere().terraform(3).opentofu(6))
        .examples(&[(r#"timecmp("2017-11-22T00:00:00Z", "2017-11-22T01:00:00Z")"#, "-1")])
        .pure(),
    ]
}

const FORMATDATE: &str = "\
    Formats a timestamp by a layout such as `DD MMM YYYY`. The parts are: year `YYYY` or `YY`; month `MMMM`, `MMM`, \
    `MM` or `M`; day `DD` or `D`; weekday `EEEE` or `EEE`; hour `hh` or `h` of 24, `HH` or `H` of 12; half of the day \
    `AA` or `aa`; minute `mm` or `m`; second `ss` or `s`. `Z`, `ZZZZ` and `ZZZZZ` are the offset from UTC, `ZZZZZ` \
    with a colon; for UTC itself, `Z` gives `Z` and `ZZZ` gives `UTC`. Other letters must stand in single quotes.";

/// The work of a byte of a format, which may stand for a part of the time.
const WORK_OF_FORMAT_BYTE: usize = 2;

fn formatdate(call: &Call<'_>) -> Result<Value, FunctionError> {
    call.spend(call.string(0).len() * WORK_OF_FORMAT_BYTE)?;
    let time = parse(call.string(1), Syntax::Strict).map_err(|error| call.invalid(1, error))?;
    let formatted = format::format(call.string(0), &time);
    Ok(formatted.map_err(|error| call.invalid(0, error))?.into())
}

fn timeadd(call: &Call<'_>) -> Result<Value, FunctionError> {
    let time = parse(call.string(0), Syntax::Strict).map_err(FunctionError::new)?;
    let duration = duration::parse(call.string(1)).ok_or_else(|| {
        FunctionError::new(format!("{:?} is not a duration such as 90s or 1h30m", beginning(call.string(1))))
    })?;
    Ok(time.plus(duration).to_string().into())
}

fn timecmp(call: &Call<'_>) -> Result<Value, FunctionError> {
    let instant = |index| match parse(call.string(index), Syntax::Relaxed) {
        Ok(time) => Ok(time.instant()),
        Err(error) => Err(call.invalid(index, error)),
    };
    Ok(Value::number(Number::counted(instant(0)?.cmp(&instant(1)?) as i64)))
}

fn parse(text: &str, syntax: Syntax) -> Result<Timestamp, String> {
    Timestamp::parse(text, syntax).ok_or_else(|| {
        format!("{:?} is not a time in RFC 3339 form, such as 2006-01-02T15:04:05Z", beginning(text))
    })
}

/// Returns the seconds from 1970-01-01T00:00:00Z to a time in RFC 3339 form. `None` for another text.
pub fn unix_time(text: &str) -> Option<i64> {
    Timestamp::parse(text, Syntax::Strict).map(|time| time.unix())
}

/// Returns a time in UTC as text in RFC 3339 form.
pub fn utc(unix_seconds: i64) -> String {
    Timestamp::from_unix(unix_seconds).to_string()
}

fn time_of_plan(call: &Call<'_>) -> Value {
    call.env.world.time_of_plan().map_or_else(|| call.unknown_input(), |time| utc(time).into())
}

fn now(call: &Call<'_>) -> Value {
    call.env.world.clock.map_or_else(|| call.unknown_input(), |clock| utc(clock.unix_seconds()).into())
}
