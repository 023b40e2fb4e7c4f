//! Data sources whose results follow from their arguments alone: one row per data source.
//!
//! A row receives arguments that are all known and returns the attributes that the provider computes from them. Where the result
//! would be an error, or depends on more than the arguments, it returns the reason and the attributes stay unknown.

mod archive;
mod archive_file;
mod arguments;
mod aws_arn;
mod aws_caller_identity;
mod aws_region;
mod aws_service;
mod certificate;
mod cloudinit;
mod files;
mod google_policy;
mod json;
mod local_file;
mod null;
mod policy_document;
mod public_key;
mod row;
mod sdk_set;
mod source_files;
mod template_file;
mod time_static;

pub use self::row::{
    AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed, Surroundings,
};

/// The rows of all data sources, with several rows for a data source whose versions differ.
const ALL: &[DataSource] = &[
    archive_file::ARCHIVE_FILE,
    archive_file::ZIP_FILE,
    aws_arn::ARN,
    aws_caller_identity::CALLER_IDENTITY,
    aws_region::PARTITION,
    aws_region::REGION,
    aws_region::REGION_BEFORE_6,
    aws_service::ELB_SERVICE_ACCOUNT,
    aws_service::SERVICE_PRINCIPAL,
    certificate::CERTIFICATE,
    cloudinit::CLOUDINIT_CONFIG,
    cloudinit::TEMPLATE_CLOUDINIT_CONFIG,
    google_policy::GOOGLE_POLICY,
    local_file::LOCAL_FILE,
    local_file::LOCAL_SENSITIVE_FILE,
    null::NULL_DATA_SOURCE,
    policy_document::POLICY_DOCUMENT,
    policy_document::BEFORE_5_84,
    policy_document::BEFORE_5_82,
    policy_document::BEFORE_5_49,
    public_key::PUBLIC_KEY,
    template_file::TEMPLATE_FILE,
    time_static::TIME_STATIC,
];

/// Returns all data sources that can be computed.
pub fn data_sources() -> &'static [DataSource] {
    ALL
}
