//! Reads blocks into declarations, one file per block type.

pub(crate) mod file;
pub(crate) mod packer_block;
mod variable;
