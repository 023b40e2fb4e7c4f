//! Operations on plain values: known ones without marks.

pub(crate) mod operation;
