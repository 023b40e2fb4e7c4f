//! `aws_region` and `aws_partition`: facts that follow from the region of the provider configuration.

use terrane_value::{Type, convert};

use super::arguments::{argument, text};
use super::row::{AttributeType, Computation, DataSource, DataSourceExample, NotComputed};

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
        let region = match argument(computation.arguments, "region") {
            Some(_) => own_region(computation)?,
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
        let partition = partition(provider_region(computation)?)?;
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

/// A group of regions that has names of its own.
pub(super) struct Partition {
    pub(super) id: &'static str,
    pub(super) dns_suffix: &'static str,
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
    Partition { id: "aws-iso", dns_suffix: "c2s.ic.gov", regions: &["us-iso-east-1", "us-iso-west-1"] },
    Partition { id: "aws-iso-b", dns_suffix: "sc2s.sgov.gov", regions: &["us-isob-east-1"] },
];

/// Returns the region that the arguments name, or the region of the provider configuration if they name none.
fn region_of(computation: &Computation<'_>) -> Result<&'static str, NotComputed> {
    match text(computation.arguments, "name")? {
        Some(name) => known_region(&name),
        None => provider_region(computation),
    }
}

/// Returns the region of the argument `region`, or the region of the provider configuration if it is not set.
pub(super) fn own_region(computation: &Computation<'_>) -> Result<&'static str, NotComputed> {
    match text(computation.arguments, "region")? {
        Some(region) => known_region(&region),
        None => provider_region(computation),
    }
}

/// Returns the region of the provider configuration.
pub(super) fn provider_region(computation: &Computation<'_>) -> Result<&'static str, NotComputed> {
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

pub(super) fn partition(region: &str) -> Result<&'static Partition, NotComputed> {
    let mut all = PARTITIONS.iter();
    let found = all.find(|partition| partition.regions.contains(&region));
    found.ok_or_else(|| format!("the partition of `{region}` is not known").into())
}
