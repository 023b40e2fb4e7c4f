//! Functions of date and time. Times are RFC 3339 texts.

mod duration;
mod format;
mod layout;
mod parts;
#[cfg(test)]
mod tests;
mod timestamp;

use terrane_function::{Availability, Call, CallSite, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Number, OriginKind, Origins, Type, Value};

pub(crate) use timestamp::{Syntax, Timestamp};

pub(crate) fn functions() -> Vec<Function> {
    let mut functions = of_times();
    functions.extend(layout::functions());
    functions.extend(parts::functions());
    functions
}

fn of_times() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    let text = ResultType::Fixed(Type::String);
    vec![
        Function::new("timestamp", "The current time in UTC.", ResultType::Fixed(Type::String), |call| {
            Ok(now(call, "timestamp"))
        }).examples(&[("timestamp()", r#""2023-11-14T22:13:20Z""#)]),
        Function::new(
            "plantimestamp",
            "The time at which the plan is made, in UTC.",
            ResultType::Fixed(Type::String),
            |call| Ok(now(call, "plantimestamp")),
        )
        .only(CallSite::Configuration)
        .nullable().since(Availability::nowhere().terraform(5).opentofu(6)).examples(&[("plantimestamp()", r#""2023-11-14T22:13:20Z""#)]),
        Function::new(
            "formatdate",
            "Writes a time in another form, given by letters that stand for its parts, such as `DD MMM YYYY`. `YYYY` and \
             `YY` are the year, `MMMM`, `MMM`, `MM` and `M` the month, `DD` and `D` the day, `EEEE` and `EEE` the day of the \
             week, `hh` and `h` the hour of 24 and `HH` and `H` that of 12, `AA` and `aa` the half of the day, `mm` and `m` \
             the minute, `ss` and `s` the second. `Z`, `ZZZZ` and `ZZZZZ` are the offset from UTC, the last with a colon; \
             for UTC itself, `Z` is a `Z` and `ZZZ` is `UTC`. Other letters are text only between single quotes.",
            ResultType::Fixed(Type::String),
            |call| {
                let time = parse(call.string(1), Syntax::Strict).map_err(|error| call.invalid(1, error))?;
                let formatted = format::format(call.string(0), &time);
                Ok(formatted.map_err(|error| call.invalid(0, error))?.into())
            },
        )
        .parameter(string("format"))
        .parameter(string("time")).examples(&[
            (r#"formatdate("DD MMM YYYY hh:mm ZZZ", "2018-01-02T23:12:01Z")"#, r#""02 Jan 2018 23:12 UTC""#),
            (
                r#"formatdate("EEEE, D MMMM 'at' H:mm aa", "2018-01-02T13:12:01+02:00")"#,
                r#""Tuesday, 2 January at 1:12 pm""#,
            ),
        ]),
        Function::new("timeadd", "Adds a duration such as `1h30m` or `-90s` to a time. Its units are `h`, `m`, `s`, `ms`, `us` and `ns`, each with a \
                 number that may have decimals.", text, |call| {
            let time = parse(call.string(0), Syntax::Strict).map_err(FunctionError::new)?;
            let duration = duration::parse(call.string(1)).ok_or_else(|| {
                FunctionError::new(format!("{:?} is not a duration such as 90s or 1h30m", call.string(1)))
            })?;
            Ok(time.plus(duration).to_string().into())
        })
        .nullable()
        .parameter(string("timestamp"))
        .parameter(string("duration")).examples(&[
            (r#"timeadd("2017-11-22T00:00:00Z", "10m")"#, r#""2017-11-22T00:10:00Z""#),
            (r#"timeadd("2017-11-22T00:00:00Z", "-1h30.5s")"#, r#""2017-11-21T22:59:29Z""#),
        ]),
        Function::new(
            "timecmp",
            "Compares two times: -1 where the first one is earlier, 0 where both are the same, 1 where it is later.",
            ResultType::Fixed(Type::Number),
            |call| {
                let parse = |index| {
                    parse(call.string(index), Syntax::Relaxed).map_err(|error| call.invalid(index, error))
                };
                Ok(Value::number(Number::counted(parse(0)?.instant().cmp(&parse(1)?.instant()) as i64)))
            },
        )
        .parameter(string("timestamp_a"))
        .parameter(string("timestamp_b")).since(Availability::nowhere().terraform(3).opentofu(6)).examples(&[(r#"timecmp("2017-11-22T00:00:00Z", "2017-11-22T01:00:00Z")"#, "-1")]),
    ]
}

fn parse(text: &str, syntax: Syntax) -> Result<Timestamp, String> {
    Timestamp::parse(text, syntax)
        .ok_or_else(|| format!("{text:?} is not a time in RFC 3339 form, such as 2006-01-02T15:04:05Z"))
}

fn now(call: &Call<'_>, name: &str) -> Value {
    match call.env.world.clock {
        Some(clock) => Timestamp::from_unix(clock.unix_seconds()).to_string().into(),
        None => Value::unknown_from(Type::String, Origins::one(OriginKind::ImpureFunction, name)),
    }
}
