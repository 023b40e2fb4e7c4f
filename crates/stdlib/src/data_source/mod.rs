//! Data sources whose results follow from their arguments alone: one row per data source.
//!
//! A row receives arguments that are all known and returns the attributes that the provider computes from them. Where the result
//! would be an error, or depends on more than the arguments, it returns none and the attributes stay unknown.

mod null;
mod policy_document;
mod row;

pub use self::row::{Attributes, DataSource, DataSourceExample};

/// The rows.
const ALL: &[DataSource] = &[null::NULL_DATA_SOURCE, policy_document::POLICY_DOCUMENT];

/// All data sources that can be computed.
pub fn data_sources() -> &'static [DataSource] {
    ALL
}
