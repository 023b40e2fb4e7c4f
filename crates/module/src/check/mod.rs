//! Rules that read a finished evaluation and report mistakes.

pub(crate) mod absent;
pub(crate) mod actions;
pub(crate) mod deprecated;
pub(crate) mod imports;
pub(crate) mod moves;
pub(crate) mod others;
pub(crate) mod provider_keys;
pub(crate) mod providers;
pub(crate) mod replace;
pub(crate) mod static_arguments;
