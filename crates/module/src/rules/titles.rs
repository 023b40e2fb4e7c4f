//! Titles of diagnostics by product.
//!
//! Code that reports a diagnostic gives it the title of OpenTofu; [`Titles::apply`] replaces it where Terraform has
//! another one.

use terrane_function::{Dialect, Edition, Product};
use terrane_source::Diagnostics;

/// A title of OpenTofu, and the one of Terraform for the same diagnostic.
type Row = (&'static str, &'static str);

/// Titles of all editions of Terraform.
const TERRAFORM: &[Row] = &[
    (
        "Both a backend and a cloud configuration are present",
        "Both a backend and cloud configuration are present",
    ),
    ("Data source address is not allowed", "Data source address not allowed"),
    ("Deprecated variable used from the root module", "Deprecated variable got a value"),
    ("Duplicate cloud configurations", "Duplicate HCP Terraform configurations"),
    ("Dynamic value in static context", "Invalid module source"),
    ("Ephemeral value used in non-ephemeral context", "Invalid use of ephemeral value"),
    ("Import block 'to' address contains an invalid key", "Invalid address"),
    ("Incompatible module", "Unsupported Terraform Core version"),
    ("Invalid \"removed.provisioner\" block", "Invalid provisioner block"),
    ("Invalid output configuration", "Ephemeral output not allowed"),
    ("Missing required import argument", "Missing required argument"),
    (
        "Module is incompatible with count, for_each, enabled and depends_on",
        "Module is incompatible with count, for_each, and depends_on",
    ),
    ("Module instance address with keys is not allowed", "Module instance keys not allowed"),
    ("Module output not supported in static context", "Invalid module source"),
    ("Output does not allow ephemeral value", "Ephemeral value not allowed"),
    ("Removed module block still exists", "Removed module still exists"),
    ("Removed resource block still exists", "Removed resource still exists"),
    ("Resource instance address with keys is not allowed", "Resource instance keys not allowed"),
    ("Undeclared resource in replace_triggered_by", "Reference to undeclared resource"),
    ("Value derived from a deprecated source", "Deprecated value used"),
    ("Variable does not allow ephemeral value", "Ephemeral value not allowed"),
    ("Variable marked as deprecated by the module author", "Deprecated variable got a value"),
];

/// Titles of Terraform since 1.12, which take precedence.
const TERRAFORM_SINCE_1_12: &[Row] = &[
    ("Conflicting import arguments", "Invalid import block"),
    ("Missing required import argument", "Invalid import block"),
];

/// The titles that a dialect replaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Titles {
    /// The rows of the edition, in order of precedence.
    rows: [&'static [Row]; 2],
}

impl Titles {
    /// The titles of a dialect: those of OpenTofu unless it is Terraform.
    pub(crate) fn of(dialect: Dialect) -> Titles {
        let rows: [&[Row]; 2] = match dialect {
            Dialect::Product(Product::Terraform, edition) if edition >= Edition::new(1, 12) => {
                [TERRAFORM_SINCE_1_12, TERRAFORM]
            }
            Dialect::Product(Product::Terraform, _) => [TERRAFORM, &[]],
            Dialect::Product(Product::OpenTofu | Product::Packer, _) | Dialect::Modules => [&[], &[]],
        };
        Titles { rows }
    }

    /// The diagnostics with the titles of the dialect.
    pub(crate) fn apply(self, diagnostics: Diagnostics) -> Diagnostics {
        if self.rows.iter().all(|rows| rows.is_empty()) {
            return diagnostics;
        }
        let mut titled = Diagnostics::new();
        for diagnostic in diagnostics {
            let mut rows = self.rows.into_iter().flatten();
            let row = rows.find(|(title, _)| *title == diagnostic.title());
            titled.push(match row {
                Some((_, title)) => diagnostic.titled(*title),
                None => diagnostic,
            });
        }
        titled
    }
}
