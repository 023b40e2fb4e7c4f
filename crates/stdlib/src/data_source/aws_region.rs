//! `aws_region`, `aws_partition` and `aws_service_principal`: facts that follow from the region of the provider configuration.

use terrane_value::{Type, convert};

use super::arguments::{required, text};
use super::row::{AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed};

pub(super) const REGION: DataSource = DataSource {
    name: "aws_region",
    is_resource: false,
    provider: "aws",
    since: [6, 0, 0],
    arguments: &["region", "name"],
    provider_arguments: &["region"],
    sensitive: &[],
    attributes: &[
        ("id", AttributeType::Text),
        ("name", AttributeType::Text),
        ("region", AttributeType::Text),
    ],
    compute: |computation| {
        let region = match text(computation.arguments, "region")? {
            Some(region) => known_region(&region)?,
            None => region_of(computation)?,
        };
        Ok(vec![("id", region.into()), ("name", region.into()), ("region", region.into())])
    },
    examples: &[DataSourceExample { body: "region = \"eu-west-1\"", attribute: "id", value: "eu-west-1" }],
};

pub(super) const REGION_BEFORE_6: DataSource = DataSource {
    since: [4, 0, 0],
    arguments: &["name"],
    attributes: &[("id", AttributeType::Text), ("name", AttributeType::Text)],
    compute: |computation| {
        let region = region_of(computation)?;
        Ok(vec![("id", region.into()), ("name", region.into())])
    },
    examples: &[DataSourceExample { body: "name = \"eu-west-1\"", attribute: "id", value: "eu-west-1" }],
    ..REGION
};

pub(super) const PARTITION: DataSource = DataSource {
    name: "aws_partition",
    is_resource: false,
    provider: "aws",
    since: [4, 0, 0],
    arguments: &[],
    provider_arguments: &["region"],
    sensitive: &[],
    attributes: &[
        ("id", AttributeType::Text),
        ("partition", AttributeType::Text),
        ("dns_suffix", AttributeType::Text),
        ("reverse_dns_prefix", AttributeType::Text),
    ],
    compute: |computation| {
        let partition = partition(region_of(computation)?)?;
        let prefix: Vec<&str> = partition.dns_suffix.rsplit('.').collect();
        Ok(vec![
            ("id", partition.id.into()),
            ("partition", partition.id.into()),
            ("dns_suffix", partition.dns_suffix.into()),
            ("reverse_dns_prefix", prefix.join(".").into()),
        ])
    },
    examples: &[DataSourceExample {
        body: "}\nprovider \"aws\" {\n  region = \"cn-north-1\"",
        attribute: "reverse_dns_prefix",
        value: "cn.com.amazonaws",
    }],
};

pub(super) const SERVICE_PRINCIPAL: DataSource = DataSource {
    name: "aws_service_principal",
    is_resource: false,
    provider: "aws",
    since: [5, 70, 0],
    arguments: &["service_name"],
    provider_arguments: &["region"],
    sensitive: &[],
    attributes: &[
        ("id", AttributeType::Text),
        ("name", AttributeType::Text),
        ("suffix", AttributeType::Text),
    ],
    compute: service_principal,
    examples: &[DataSourceExample {
        body: "service_name = \"s3\"\n}\nprovider \"aws\" {\n  region = \"eu-west-1\"",
        attribute: "id",
        value: "s3.eu-west-1.amazonaws.com",
    }],
};

/// In other partitions some services have the suffix of the partition.
fn service_principal(computation: &Computation<'_>) -> Result<Attributes, NotComputed> {
    let service = required(computation.arguments, "service_name")?;
    let region = region_of(computation)?;
    let suffix = "amazonaws.com";
    if partition(region)?.id != "aws" {
        return Err(format!("the name of a service in the region `{region}` depends on the service").into());
    }
    Ok(vec![
        ("id", format!("{service}.{region}.{suffix}").into()),
        ("name", format!("{service}.{suffix}").into()),
        ("suffix", suffix.into()),
    ])
}

/// A group of regions with names of its own.
struct Partition {
    id: &'static str,
    dns_suffix: &'static str,
    regions: &'static [&'static str],
}

const PARTITIONS: &[Partition] = &[
    Partition {
        id: "aws",
        dns_suffix: "amazonaws.com",
        regions: &[
            "af-south-1",
            "ap-east-1",
            "ap-east-2",
            "ap-northeast-1",
            "ap-northeast-2",
            "ap-northeast-3",
            "ap-south-1",
            "ap-south-2",
            "ap-southeast-1",
            "ap-southeast-2",
            "ap-southeast-3",
            "ap-southeast-4",
            "ap-southeast-5",
            "ap-southeast-6",
            "ap-southeast-7",
            "ca-central-1",
            "ca-west-1",
            "eu-central-1",
            "eu-central-2",
            "eu-north-1",
            "eu-south-1",
            "eu-south-2",
            "eu-west-1",
            "eu-west-2",
            "eu-west-3",
            "il-central-1",
            "me-central-1",
            "me-south-1",
            "mx-central-1",
            "sa-east-1",
            "us-east-1",
            "us-east-2",
            "us-west-1",
            "us-west-2",
        ],
    },
    Partition { id: "aws-cn", dns_suffix: "amazonaws.com.cn", regions: &["cn-north-1", "cn-northwest-1"] },
    Partition { id: "aws-us-gov", dns_suffix: "amazonaws.com", regions: &["us-gov-east-1", "us-gov-west-1"] },
];

/// The region that the arguments name, or that of the provider configuration.
fn region_of(computation: &Computation<'_>) -> Result<&'static str, NotComputed> {
    if let Some(name) = text(computation.arguments, "name")? {
        return known_region(&name);
    }
    let region = computation.surroundings.provider_argument("region").filter(|region| !region.is_null());
    let region = region.ok_or("the provider configuration sets no region, so the environment decides")?;
    let region = convert(&region, &Type::String).map_err(|_| "the region of the provider is no string")?;
    if region.is_marked() {
        return Err("the region of the provider is sensitive".into());
    }
    known_region(region.as_str().ok_or_else(|| NotComputed::from(region.origins().clone()))?)
}

fn known_region(name: &str) -> Result<&'static str, NotComputed> {
    let mut all = PARTITIONS.iter().flat_map(|partition| partition.regions);
    all.find(|region| **region == name)
        .copied()
        .ok_or_else(|| format!("`{name}` is not a known region").into())
}

fn partition(region: &str) -> Result<&'static Partition, NotComputed> {
    let mut all = PARTITIONS.iter();
    let found = all.find(|partition| partition.regions.contains(&region));
    found.ok_or_else(|| format!("the partition of `{region}` is not known").into())
}
