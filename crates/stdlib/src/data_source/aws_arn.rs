//! `aws_arn`: the parts of an Amazon Resource Name, which colons separate.

use super::arguments::required;
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

pub(super) const ARN: DataSource = DataSource {
    name: "aws_arn",
    is_resource: false,
    provider: "aws",
    since: [4, 0, 0],
    arguments: &["arn"],
    provider_arguments: &[],
    sensitive: &[],
    attributes: &[
        ("id", AttributeType::Text),
        ("partition", AttributeType::Text),
        ("service", AttributeType::Text),
        ("region", AttributeType::Text),
        ("account", AttributeType::Text),
        ("resource", AttributeType::Text),
    ],
    compute,
    examples: &[DataSourceExample {
        body: "arn = \"arn:aws:rds:eu-west-1:123456789012:db:mysql-db\"",
        attribute: "resource",
        value: "db:mysql-db",
    }],
};

fn compute(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let text = required(computation.arguments, "arn")?;
    let arn = Arn::parse(&text).ok_or("`arn` is not an Amazon Resource Name")?;
    Ok(vec![
        ("id", text.as_str().into()),
        ("partition", arn.partition.into()),
        ("service", arn.service.into()),
        ("region", arn.region.into()),
        ("account", arn.account.into()),
        ("resource", arn.resource.into()),
    ])
}

/// The parts of an Amazon Resource Name.
pub(super) struct Arn<'t> {
    partition: &'t str,
    service: &'t str,
    region: &'t str,
    pub(super) account: &'t str,
    /// The text after the fifth colon.
    resource: &'t str,
}

impl Arn<'_> {
    /// Returns the parts of the text; `None` if it has too few parts. Any part may be empty.
    pub(super) fn parse(text: &str) -> Option<Arn<'_>> {
        let mut parts = text.strip_prefix("arn:")?.splitn(5, ':');
        Some(Arn {
            partition: parts.next()?,
            service: parts.next()?,
            region: parts.next()?,
            account: parts.next()?,
            resource: parts.next()?,
        })
    }
}
