//! What the fuzz targets share.

pub mod printable;

pub mod values;
