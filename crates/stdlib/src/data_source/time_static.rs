//! `time_static`: a resource whose plan has the parts of a timestamp.

use terrane_value::Value;

use super::arguments::required;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};
use crate::datetime::{Syntax, Timestamp};

pub(super) const TIME_STATIC: DataSource = DataSource {
    name: "time_static",
    is_resource: true,
    provider: "time",
    since: [0, 12, 0],
    arguments: &["rfc3339", "triggers"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[
        ("year", AttributeType::Number),
        ("month", AttributeType::Number),
        ("day", AttributeType::Number),
        ("hour", AttributeType::Number),
        ("minute", AttributeType::Number),
        ("second", AttributeType::Number),
        ("unix", AttributeType::Number),
        ("id", AttributeType::Text),
    ],
    compute,
    examples: &[
        DataSourceExample { body: "rfc3339 = \"2024-02-29T23:30:00+01:00\"", attribute: "hour", value: "23" },
        DataSourceExample {
            body: "rfc3339 = \"2024-02-29T00:00:00Z\"",
            attribute: "unix",
            value: "1709164800",
        },
    ],
};

/// The parts are read from the timestamp as it is written, in its own offset.
fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let text = required(computation.arguments, "rfc3339")?;
    let time = Timestamp::parse(&text, Syntax::Strict)
        .ok_or_else(|| format!("`{text}` is not a timestamp of RFC 3339"))?;
    let parts = time.parts();
    Ok(vec![
        ("year", Value::from(parts.year)),
        ("month", Value::from(i64::from(parts.month))),
        ("day", Value::from(i64::from(parts.day))),
        ("hour", Value::from(parts.hour)),
        ("minute", Value::from(parts.minute)),
        ("second", Value::from(parts.second)),
        ("unix", Value::from(time.unix())),
        ("id", Value::from(text)),
    ])
}
