//! The function library: one file per family, one row per function.
//!
//! A row holds everything about its function; see `terrane_function::Function`. Functions that need unevaluated expressions or
//! the evaluator (`try`, `templatefile` and others) are `Special` functions in `terrane-eval`.

mod characters;
mod collection;
mod conversion;
mod crypto;
mod data_source;
mod datetime;
mod deflate;
mod encoding;
mod filesystem;
mod format;
mod integer;
mod network;
mod number;
mod packer;
mod refine;
mod regex;
mod row;
mod set;
mod string;
#[cfg(test)]
mod testing;
mod yaml;

use terrane_function::Function;

pub use crate::crypto::{is_sha1, sha1_hashes};
pub use crate::data_source::{
    AttributeType, Attributes, Computation, DataSource, DataSourceExample, NotComputed, Surroundings,
    data_sources,
};
pub use crate::datetime::{unix_time, utc};
pub use crate::yaml::decode_yaml;

/// Returns all functions of the library, for all products.
pub fn functions() -> Vec<Function> {
    let families = [
        collection::functions,
        conversion::functions,
        crypto::functions,
        datetime::functions,
        encoding::functions,
        filesystem::functions,
        format::functions,
        network::functions,
        number::functions,
        packer::functions,
        refine::functions,
        regex::functions,
        set::functions,
        string::functions,
        yaml::functions,
    ];
    // Rows are large, so they are moved only once, into a vector that need not grow.
    let mut functions = Vec::with_capacity(192);
    for family in families {
        functions.append(&mut family());
    }
    functions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use terrane_function::Dialect;

    #[test]
    fn every_row_has_a_description_and_an_example() {
        for row in crate::functions() {
            assert!(row.description.ends_with('.'), "{} has no description", row.name);
            assert!(!row.examples.is_empty(), "{} has no example", row.name);
        }
    }

    #[test]
    fn no_dialect_has_two_rows_of_one_name() {
        for dialect in ["modules", "terraform-0.12", "terraform-0.15", "terraform", "opentofu", "packer"] {
            let dialect: Dialect = dialect.parse().unwrap();
            let rows = crate::functions();
            let names = rows.iter().filter(|row| row.availability.is_in(dialect)).map(|row| &*row.name);
            let mut seen = BTreeSet::new();
            let twice: Vec<&str> = names.filter(|name| !seen.insert(*name)).collect();
            assert!(twice.is_empty(), "{dialect}: {twice:?}");
        }
    }
}
