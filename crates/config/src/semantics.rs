//! Semantic switches of the evaluator by product and edition.

use terrane_eval::Semantics;
use terrane_function::{Dialect, Edition, Product};

/// The semantic switches of the evaluator. `&&` and `||` short-circuit since Terraform 1.12, OpenTofu 1.11 and Packer 1.16;
/// reading an attribute that the type of an unknown object lacks is an error since Terraform 1.13, OpenTofu 1.11 and Packer
/// 1.16.
pub fn semantics(dialect: Dialect) -> Semantics {
    let since = |terraform, opentofu, packer| match dialect {
        Dialect::Modules => true,
        Dialect::Product(Product::Terraform, edition) => edition >= Edition::new(1, terraform),
        Dialect::Product(Product::OpenTofu, edition) => edition >= Edition::new(1, opentofu),
        Dialect::Product(Product::Packer, edition) => edition >= Edition::new(1, packer),
    };
    Semantics { short_circuit: since(12, 11, 16), checks_unknown_objects: since(13, 11, 16) }
}
