//! Parts of several benches: generated configuration, and runs of whole programs.

pub mod generate;
pub mod release;
