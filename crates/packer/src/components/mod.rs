//! Types of components: the components of Packer itself with their arguments, and the plugins that provide others.

mod builtin;
pub(crate) mod check;
pub(crate) mod converter;
pub(crate) mod duration;
pub(crate) mod plugins;
mod prepare;
mod table;
