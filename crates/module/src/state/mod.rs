//! State of an evaluation: module instances, their values, and the scope that reads them.

pub(crate) mod instance;
pub(crate) mod scope;
