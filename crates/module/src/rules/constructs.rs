//! The products and editions that have each argument and block of the language.
//!
//! The schemas of blocks in `decode` have all constructs of all products. [`content`](super::content)
//! removes constructs that the dialect lacks.

use terrane_function::Availability;

/// In Terraform since `1.terraform`, and in OpenTofu, which began as 1.6, since `1.opentofu`.
pub(crate) const fn both(terraform: u16, opentofu: u16) -> Availability {
    Availability::nowhere().terraform(terraform).opentofu(opentofu)
}

/// Only in Terraform, since `1.minor`.
const fn terraform(minor: u16) -> Availability {
    Availability::nowhere().terraform(minor)
}

/// Only in OpenTofu, since `1.minor`.
const fn opentofu(minor: u16) -> Availability {
    Availability::nowhere().opentofu(minor)
}

/// Arguments and blocks that an edition added, each with the type of the block around it; "" is the top of a file.
pub(crate) const CONSTRUCTS: &[(&str, &str, Availability)] = &[
    ("", "action", ACTIONS),
    ("", "check", both(5, 6)),
    ("", "ephemeral", both(10, 11)),
    ("", "import", both(5, 6)),
    ("", "language", opentofu(12)),
    ("", "moved", both(1, 6)),
    ("", "removed", both(7, 7)),
    ("import", "for_each", both(7, 7)),
    ("import", "identity", both(12, 12)),
    ("lifecycle", "action_trigger", ACTIONS),
    ("lifecycle", "destroy", both(16, 12)),
    ("lifecycle", "enabled", opentofu(11)),
    ("lifecycle", "postcondition", both(2, 6)),
    ("lifecycle", "precondition", both(2, 6)),
    ("lifecycle", "replace_triggered_by", both(2, 6)),
    ("module", "ignore_nested_deprecations", terraform(15)),
    ("module", "lifecycle", opentofu(11)),
    ("output", "deprecated", both(15, 10)),
    ("output", "ephemeral", both(10, 11)),
    ("output", "postcondition", both(2, 6)),
    ("output", "precondition", both(2, 6)),
    ("output", "type", terraform(15)),
    ("provider", "for_each", PROVIDER_INSTANCES),
    ("removed", "connection", terraform(9)),
    ("removed", "lifecycle", both(7, 10)),
    ("removed", "provisioner", both(9, 10)),
    ("terraform", "cloud", both(1, 6)),
    ("terraform", "encryption", opentofu(7)),
    ("variable", "const", both(15, 12)),
    ("variable", "deprecated", both(15, 10)),
    ("variable", "ephemeral", both(10, 11)),
    ("variable", "nullable", both(1, 6)),
];

/// Provider configurations with instances, and references to them.
pub(crate) const PROVIDER_INSTANCES: Availability = opentofu(9);
/// Actions of providers.
pub(crate) const ACTIONS: Availability = terraform(14);
/// Conditions of a variable that refer to something else than the variable.
pub(crate) const WIDE_VALIDATION: Availability = both(9, 9);
/// `optional()` in types.
pub(crate) const OPTIONAL_ATTRIBUTES: Availability = both(3, 6);
/// Functions of providers.
pub(crate) const PROVIDER_FUNCTIONS: Availability = terrane_function::NAMESPACES;
/// The resource type that the products have built in.
pub(crate) const TERRAFORM_DATA: Availability = both(4, 6);
/// Moves to a resource of another type.
pub(crate) const MOVES_TO_TYPES: Availability = both(8, 10);

/// The editions with `name` in a block of type `owner`; nothing if all have it.
pub(crate) fn since(owner: &str, name: &str) -> Option<Availability> {
    let row = CONSTRUCTS.iter().find(|(block_type, construct, _)| *block_type == owner && *construct == name);
    row.map(|(_, _, since)| *since)
}
