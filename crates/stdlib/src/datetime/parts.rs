//! Functions of Packer that split a timestamp into an object of its parts.

use terrane_function::{Availability, Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{Number, Type, Value};

use super::format::{MONTHS, WEEKDAYS};
use super::timestamp::{CalendarParts, Timestamp};

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "rfc3339_parse",
            "Parses an RFC 3339 timestamp to an object with the year, the month and the other parts, and \
             with the seconds since 1970 as `unix`.",
            ResultType::Fixed(object_type("unix", Type::Number)),
            |call| {
                let time = Timestamp::parse_spaced(call.string(0)).ok_or_else(|| {
                    call.invalid(0, format!("{} is not a time in RFC 3339 form", call.quoted(0)))
                })?;
                Ok(object(&time, "unix", number(time.unix())))
            },
        )
        .parameter(Parameter::new("timestamp", Type::String))
        .since(Availability::nowhere().packer(16))
        .examples(&[(r#"rfc3339_parse("2018-11-01T11:02:03Z").month_name"#, r#""November""#)])
        .pure(),
        Function::new(
            "unix_timestamp_parse",
            "Converts a number of seconds since 1970 to an object with the year, the month and the other \
             parts, and with the RFC 3339 timestamp as `rfc3339`.",
            ResultType::Fixed(object_type("rfc3339", Type::String)),
            unix_timestamp_parse,
        )
        .parameter(Parameter::new("unix_timestamp", Type::Number))
        .since(Availability::nowhere().packer(16))
        .examples(&[("unix_timestamp_parse(0).rfc3339", r#""1970-01-01T00:00:00Z""#)])
        .pure(),
    ]
}

/// Dates outside of some millions of years around 1970 cannot be computed.
const MAX_SECONDS: i64 = 1 << 47;

fn unix_timestamp_parse(call: &Call<'_>) -> Result<Value, FunctionError> {
    let whole = call.argument(0).as_number().filter(|number| number.is_integer()).and_then(Number::to_i64);
    let seconds = whole.filter(|seconds| (-MAX_SECONDS..=MAX_SECONDS).contains(seconds));
    let seconds = seconds.ok_or_else(|| call.invalid(0, "a whole number of seconds is required"))?;
    let time = Timestamp::from_unix(seconds);
    Ok(object(&time, "rfc3339", time.to_string().into()))
}

const NUMBERS: [&str; 10] =
    ["day", "hour", "iso_week", "iso_year", "minute", "month", "second", "weekday", "year", "year_day"];

fn object_type(more: &str, ty: Type) -> Type {
    let numbers = NUMBERS.into_iter().map(|name| (name.into(), Type::Number));
    let names = ["month_name", "weekday_name"].map(|name| (name.into(), Type::String));
    Type::object(numbers.chain(names).chain([(more.into(), ty)]))
}

fn object(time: &Timestamp, more: &str, value: Value) -> Value {
    let parts = time.parts();
    let (iso_year, iso_week) = parts.iso_week();
    let CalendarParts { year, month, day, hour, minute, second, weekday, year_day } = parts;
    let weekday_number = i64::try_from(weekday).unwrap_or_default();
    // The numbers are in the order of `NUMBERS`.
    let numbers = [
        i64::from(day),
        hour,
        iso_week,
        iso_year,
        minute,
        i64::from(month),
        second,
        weekday_number,
        year,
        year_day,
    ];
    let numbers = NUMBERS.into_iter().zip(numbers.map(number));
    let month = usize::try_from(month).unwrap_or_default().wrapping_sub(1);
    let named =
        |names: &[&'static str], index: usize| Value::from(names.get(index).copied().unwrap_or_default());
    let names = [("month_name", named(&MONTHS, month)), ("weekday_name", named(&WEEKDAYS, weekday))];
    let all = numbers.chain(names).chain([(more, value)]);
    Value::object(all.map(|(name, value)| (name.into(), value)))
}

fn number(number: i64) -> Value {
    Value::number(Number::counted(number))
}

#[cfg(test)]
mod tests {
    use crate::testing::{number, result};

    #[test]
    fn times_are_taken_apart() {
        let expected = "{day = 1, hour = 11, iso_week = 44, iso_year = 2018, minute = 2, month = 11, \
                        month_name = November, second = 3, unix = 1541070123, weekday = 4, weekday_name = Thursday, \
                        year = 2018, year_day = 305}";
        assert_eq!(result("rfc3339_parse", ["2018-11-01 11:02:03.5Z".into()]), expected);
        assert_eq!(result("rfc3339_parse", ["2018-11-01".into()]), "error in argument 0");
        let expected = "{day = 1, hour = 0, iso_week = 1, iso_year = 1970, minute = 0, month = 1, \
                        month_name = January, rfc3339 = 1970-01-01T00:00:00Z, second = 0, weekday = 4, \
                        weekday_name = Thursday, year = 1970, year_day = 1}";
        assert_eq!(result("unix_timestamp_parse", [number("0")]), expected);
        for wrong in ["0.5", "1e30", "9e18"] {
            assert_eq!(result("unix_timestamp_parse", [number(wrong)]), "error in argument 0", "{wrong}");
        }
    }

    #[test]
    fn weeks_belong_to_the_year_of_their_thursday() {
        for (date, year, week) in [
            ("2021-01-03", 2020, 53),
            ("2021-01-04", 2021, 1),
            ("2018-12-31", 2019, 1),
            ("2020-12-31", 2020, 53),
            ("2017-01-01", 2016, 52),
        ] {
            let shown = result("rfc3339_parse", [format!("{date}T00:00:00Z").into()]);
            assert!(shown.contains(&format!("iso_week = {week}, iso_year = {year},")), "{date}: {shown}");
        }
    }
}
