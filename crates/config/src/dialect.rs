//! What depends on the product and edition that a configuration is written for.

use terrane_eval::Semantics;
use terrane_function::{Dialect, Edition, Product};

/// The semantic switches of the evaluator. `&&` and `||` decide early since
/// Terraform 1.12, OpenTofu 1.11 and Packer 1.16.
pub fn semantics(dialect: Dialect) -> Semantics {
    let short_circuit = match dialect {
        Dialect::Modules => true,
        Dialect::Product(Product::Terraform, edition) => edition >= Edition::new(1, 12),
        Dialect::Product(Product::OpenTofu, edition) => edition >= Edition::new(1, 11),
        Dialect::Product(Product::Packer, edition) => edition >= Edition::new(1, 16),
    };
    Semantics { short_circuit }
}

/// Whether an output of a called module that is declared `sensitive` is so where its caller reads it. In Terraform 1.11 only
/// what is sensitive of itself is.
pub(crate) fn marks_for_callers(dialect: Dialect) -> bool {
    dialect != Dialect::Product(Product::Terraform, Edition::new(1, 11))
}

/// Whether a module may be validated by itself that asks its callers for provider configurations. OpenTofu does so since 1.11.
pub(crate) fn validates_called_modules(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Modules => true,
        Dialect::Product(Product::OpenTofu, edition) => edition >= Edition::new(1, 11),
        Dialect::Product(Product::Terraform | Product::Packer, _) => false,
    }
}
