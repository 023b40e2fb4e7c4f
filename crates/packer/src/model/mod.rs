//! Data that the other parts exchange: the request, declarations and resolved builds.

pub mod build;
pub(crate) mod component_kind;
pub(crate) mod doubt;
pub(crate) mod ids;
pub(crate) mod release;
pub(crate) mod request;
pub mod template;
