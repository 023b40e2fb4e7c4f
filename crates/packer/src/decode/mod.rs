//! Reads blocks into declarations, one file per block type.

pub(crate) mod block;
pub(crate) mod file;
mod packer_block;
pub(crate) mod parse;
pub(crate) mod template_reader;
mod variable;
