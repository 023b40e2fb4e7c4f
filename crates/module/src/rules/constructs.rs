//! Lists the products and editions that have each argument and block of the language.
//!
//! The schemas of blocks in `decode` have all constructs of all products. [`content`](super::content)
//! removes constructs that the dialect lacks.

use terrane_function::Availability;

/// Available in Terraform since `1.terraform`, and in OpenTofu, whose first version is 1.6, since `1.opentofu`.
pub(crate) const fn both(terraform: u16, opentofu: u16) -> Availability {
    Availability::nowhere().terraform(terraform).opentofu(opentofu)
}

/// Available only in Terraform, since `1.minor`.
const fn terraform(minor: u16) -> Availability {
    Availability::nowhere().terraform(minor)
}

/// Available only in OpenTofu, since `1.minor`.
const fn opentofu(minor: u16) -> Availability {
    Availability::nowhere().opentofu(minor)
}

/// An argument or a block of the language.
pub(crate) struct Construct {
    /// The type of the block that contains it; "" for the top of a file.
    pub(crate) owner: &'static str,
    pub(crate) name: &'static str,
    /// The editions that have it.
    pub(crate) since: Availability,
}

const fn construct(owner: &'static str, name: &'static str, since: Availability) -> Construct {
    Construct { owner, name, since }
}

/// Arguments and blocks that an edition added.
pub(crate) const CONSTRUCTS: &[Construct] = &[
    construct("", "action", ACTIONS),
    construct("", "check", both(5, 6)),
    construct("", "ephemeral", both(10, 11)),
    construct("", "import", both(5, 6)),
    construct("", "language", opentofu(12)),
    construct("", "moved", both(1, 6)),
    construct("", "removed", both(7, 7)),
    construct("import", "for_each", both(7, 7)),
    construct("import", "identity", both(12, 12)),
    construct("lifecycle", "action_trigger", ACTIONS),
    construct("lifecycle", "destroy", both(16, 12)),
    construct("lifecycle", "enabled", opentofu(11)),
    construct("lifecycle", "postcondition", both(2, 6)),
    construct("lifecycle", "precondition", both(2, 6)),
    construct("lifecycle", "replace_triggered_by", both(2, 6)),
    construct("module", "ignore_nested_deprecations", terraform(15)),
    construct("module", "lifecycle", opentofu(11)),
    construct("output", "deprecated", both(15, 10)),
    construct("output", "ephemeral", both(10, 11)),
    construct("output", "postcondition", both(2, 6)),
    construct("output", "precondition", both(2, 6)),
    construct("output", "type", terraform(15)),
    construct("provider", "for_each", PROVIDER_INSTANCES),
    construct("removed", "connection", terraform(9)),
    construct("removed", "lifecycle", both(7, 10)),
    construct("removed", "provisioner", both(9, 10)),
    construct("terraform", "cloud", both(1, 6)),
    construct("terraform", "encryption", opentofu(7)),
    construct("variable", "const", both(15, 12)),
    construct("variable", "deprecated", both(15, 10)),
    construct("variable", "ephemeral", both(10, 11)),
    construct("variable", "nullable", both(1, 6)),
];

/// Provider configurations with instances, and references to them.
pub(crate) const PROVIDER_INSTANCES: Availability = opentofu(9);
/// Actions of providers.
pub(crate) const ACTIONS: Availability = terraform(14);
/// Conditions of a variable that refer to anything but the variable itself.
pub(crate) const WIDE_VALIDATION: Availability = both(9, 9);
/// `optional()` in types.
pub(crate) const OPTIONAL_ATTRIBUTES: Availability = both(3, 6);
/// Functions of providers.
pub(crate) const PROVIDER_FUNCTIONS: Availability = terrane_function::NAMESPACES;
/// The resource type `terraform_data`, which the products have built in.
pub(crate) const TERRAFORM_DATA: Availability = both(4, 6);
/// Moves to a resource of another type.
pub(crate) const MOVES_TO_TYPES: Availability = both(8, 10);

/// Returns the editions with `name` in a block of the type `owner`; `None` if all have it.
pub(crate) fn since(owner: &str, name: &str) -> Option<Availability> {
    let row = CONSTRUCTS.iter().find(|construct| construct.owner == owner && construct.name == name);
    row.map(|construct| construct.since)
}
