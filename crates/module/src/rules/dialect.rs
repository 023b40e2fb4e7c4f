//! What depends on the product and edition that a configuration is written for.

use terrane_function::{Dialect, Edition, Product};
use terrane_source::Diagnostics;

/// Whether an output of a called module that is declared `sensitive` is so where its caller reads it. In Terraform 1.11 only
/// what is sensitive of itself is.
pub(crate) fn marks_for_callers(dialect: Dialect) -> bool {
    dialect != Dialect::Product(Product::Terraform, Edition::new(1, 11))
}

/// Titles of errors and warnings that differ between the products: those of OpenTofu, and those of Terraform.
const TITLES: &[(&str, &str)] = &[
    (
        "Both a backend and a cloud configuration are present",
        "Both a backend and cloud configuration are present",
    ),
    ("Data source address is not allowed", "Data source address not allowed"),
    ("Deprecated variable used from the root module", "Deprecated variable got a value"),
    ("Ephemeral value used in non-ephemeral context", "Invalid use of ephemeral value"),
    ("Invalid \"removed.provisioner\" block", "Invalid provisioner block"),
    ("Invalid output configuration", "Ephemeral output not allowed"),
    ("Missing required import argument", "Missing required argument"),
    ("Module instance address with keys is not allowed", "Module instance keys not allowed"),
    ("Output does not allow ephemeral value", "Ephemeral value not allowed"),
    ("Removed module block still exists", "Removed module still exists"),
    ("Removed resource block still exists", "Removed resource still exists"),
    ("Resource instance address with keys is not allowed", "Resource instance keys not allowed"),
    ("Value derived from a deprecated source", "Deprecated value used"),
    ("Variable does not allow ephemeral value", "Ephemeral value not allowed"),
    ("Variable marked as deprecated by the module author", "Deprecated variable got a value"),
];

/// Titles that Terraform has since 1.12: those of OpenTofu, and those of Terraform.
const TITLES_SINCE_1_12: &[(&str, &str)] = &[
    ("Conflicting import arguments", "Invalid import block"),
    ("Missing required import argument", "Invalid import block"),
];

/// The diagnostics with the titles of the product of `dialect`; those of OpenTofu where no product is asked for.
pub(crate) fn in_words_of(dialect: Dialect, diagnostics: Diagnostics) -> Diagnostics {
    let Dialect::Product(Product::Terraform, edition) = dialect else { return diagnostics };
    let newer = if edition >= Edition::new(1, 12) { TITLES_SINCE_1_12 } else { &[] };
    let mut said = Diagnostics::new();
    for diagnostic in diagnostics {
        let title = newer
            .iter()
            .chain(TITLES)
            .find(|(title, _)| *title == diagnostic.title())
            .map(|(_, title)| *title);
        said.push(match title {
            Some(title) => diagnostic.titled(title),
            None => diagnostic,
        });
    }
    said
}

/// Whether a module may be validated by itself that asks its callers for provider configurations. OpenTofu does so since 1.11.
pub(crate) fn validates_called_modules(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Modules => true,
        Dialect::Product(Product::OpenTofu, edition) => edition >= Edition::new(1, 11),
        Dialect::Product(Product::Terraform | Product::Packer, _) => false,
    }
}
