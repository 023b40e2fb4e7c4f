//! Differences between products and editions, as data: constructs, titles, backends, provisioners.

pub(crate) mod backends;
pub(crate) mod constructs;
pub(crate) mod dialect;
pub(crate) mod phase;
pub(crate) mod provisioners;
