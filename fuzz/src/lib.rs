//! Code shared by the fuzz targets.

pub mod printable;

pub mod values;
