//! Rules that read a finished evaluation and report mistakes.

pub(crate) mod actions;
pub(crate) mod bodies;
pub(crate) mod deprecation;
pub(crate) mod imports;
pub(crate) mod missing_modules;
pub(crate) mod moves;
pub(crate) mod provider_keys;
pub(crate) mod providers;
pub(crate) mod replace;
pub(crate) mod static_arguments;
