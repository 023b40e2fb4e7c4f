//! Code shared by the fuzz targets.

pub mod modules;

pub mod orchard;

pub mod outputs;

pub mod printable;

pub mod trees;

pub mod values;
