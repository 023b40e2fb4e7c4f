//! `aws_service_principal` and `aws_elb_service_account`: who a service is in a region.

use super::arguments::required;
use super::aws_region::{own_region, partition, provider_region};
use super::row::{
    AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed, not_computed,
};

pub(super) const SERVICE_PRINCIPAL: DataSource = DataSource {
    name: "aws_service_principal",
    is_resource: false,
    provider: "aws",
    since: [5, 70, 0],
    arguments: &["service_name", "region"],
    provider_arguments: &["region"],
    sensitive: &[],
    attributes: &[
        ("id", AttributeType::Text),
        ("name", AttributeType::Text),
        ("region", AttributeType::Text),
        ("suffix", AttributeType::Text),
    ],
    compute: service_principal,
    examples: &[
        DataSourceExample {
            body: "service_name = \"s3\"\n}\nprovider \"aws\" {\n  region = \"eu-west-1\"",
            attribute: "id",
            value: "s3.eu-west-1.amazonaws.com",
        },
        DataSourceExample {
            body: "service_name = \"logs\"\nregion = \"cn-north-1\"",
            attribute: "name",
            value: "logs.amazonaws.com.cn",
        },
    ],
};

pub(super) const ELB_SERVICE_ACCOUNT: DataSource = DataSource {
    name: "aws_elb_service_account",
    is_resource: false,
    provider: "aws",
    since: [4, 0, 0],
    arguments: &["region"],
    provider_arguments: &["region"],
    sensitive: &[],
    attributes: &[("id", AttributeType::Text), ("arn", AttributeType::Text)],
    compute: elb_service_account,
    examples: &[
        DataSourceExample { body: "region = \"eu-west-1\"", attribute: "id", value: "156460612806" },
        DataSourceExample {
            body: "}\nprovider \"aws\" {\n  region = \"us-gov-west-1\"",
            attribute: "arn",
            value: "arn:aws-us-gov:iam::048591011584:root",
        },
    ],
};

/// The services, by partition, whose names have the suffix of the partition. The names of all other services have the suffix of
/// the usual partition in all regions.
const OWN_SUFFIX: &[(&str, &[&str])] = &[
    ("aws-cn", &["codedeploy", "elasticmapreduce", "logs"]),
    ("aws-iso", &["cloudhsm", "config", "logs", "workspaces"]),
    ("aws-iso-b", &["dms", "logs"]),
];

fn service_principal(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let service = required(computation.arguments, "service_name")?;
    let region = own_region(computation)?;
    let partition = partition(region)?;
    let has_own =
        |(id, services): &(&str, &[&str])| *id == partition.id && services.contains(&service.as_str());
    let suffix = if OWN_SUFFIX.iter().any(has_own) { partition.dns_suffix } else { "amazonaws.com" };
    Ok(vec![
        ("id", format!("{service}.{region}.{suffix}").into()),
        ("name", format!("{service}.{suffix}").into()),
        ("region", region.into()),
        ("suffix", suffix.into()),
    ])
}

/// The accounts of Elastic Load Balancing in the regions that had an account in all versions of the row. Newer regions have
/// none.
const ELB_ACCOUNTS: &[(&str, &str)] = &[
    ("af-south-1", "098369216593"),
    ("ap-east-1", "754344448648"),
    ("ap-northeast-1", "582318560864"),
    ("ap-northeast-2", "600734575887"),
    ("ap-northeast-3", "383597477331"),
    ("ap-south-1", "718504428378"),
    ("ap-southeast-1", "114774131450"),
    ("ap-southeast-2", "783225319266"),
    ("ca-central-1", "985666609251"),
    ("cn-north-1", "638102146993"),
    ("cn-northwest-1", "037604701340"),
    ("eu-central-1", "054676820928"),
    ("eu-north-1", "897822967062"),
    ("eu-south-1", "635631232127"),
    ("eu-west-1", "156460612806"),
    ("eu-west-2", "652711504416"),
    ("eu-west-3", "009996457667"),
    ("me-south-1", "076674570225"),
    ("sa-east-1", "507241528517"),
    ("us-east-1", "127311923021"),
    ("us-east-2", "033677994240"),
    ("us-gov-east-1", "190560391635"),
    ("us-gov-west-1", "048591011584"),
    ("us-west-1", "027434742980"),
    ("us-west-2", "797873946194"),
];

fn elb_service_account(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let region = own_region(computation)?;
    let account = ELB_ACCOUNTS.iter().find(|(name, _)| *name == region).map(|(_, account)| *account);
    let account = account.ok_or_else(|| format!("the account of the service in `{region}` is not known"))?;
    // The provider's own region decides the partition; the region of the data source does not.
    let arn = match provider_region(computation).and_then(partition) {
        Ok(partition) => format!("arn:{}:iam::{account}:root", partition.id).into(),
        Err(_) => not_computed(
            AttributeType::Text,
            "the partition follows from the region of the provider configuration, which is not known",
        ),
    };
    Ok(vec![("id", account.into()), ("arn", arn)])
}
