//! Which products have a construct of the language, and since which edition: the one table of it.
//!
//! The schemas of blocks in `decode` know all constructs of all products. What the dialect of a configuration does not have is
//! taken out of the content of a block again, and reported under the title that an older edition gives it.

use terrane_body::Content;
use terrane_function::{Availability, Dialect};
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::decode::article;

/// In Terraform since `1.terraform`, and in OpenTofu, which began as 1.6, since `1.opentofu`.
const fn both(terraform: u16, opentofu: u16) -> Availability {
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

/// Arguments and blocks that there have not always been, each in the block that has it; "" is the top of a file.
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

/// Provider configurations with instances, and references to these.
pub(crate) const PROVIDER_INSTANCES: Availability = opentofu(9);
/// What a provider does beside managing resources.
pub(crate) const ACTIONS: Availability = terraform(14);
/// Conditions of a variable that refer to something else than the variable.
pub(crate) const WIDE_VALIDATION: Availability = both(9, 9);
/// `optional()` in types.
pub(crate) const OPTIONAL_ATTRIBUTES: Availability = both(3, 6);
/// Functions of providers.
pub(crate) const PROVIDER_FUNCTIONS: Availability = terrane_function::NAMESPACES;
/// An expression that is not constant in `prevent_destroy`.
pub(crate) const COMPUTED_PREVENT_DESTROY: Availability = opentofu(12);
/// An expression that is not constant in `id` of an `import` block.
pub(crate) const COMPUTED_IMPORT_ID: Availability = both(6, 6);
/// Sources of modules that are made from variables and locals.
pub(crate) const COMPUTED_SOURCE: Availability = both(15, 8);
/// Places of the state that are made from variables and locals.
pub(crate) const COMPUTED_BACKEND: Availability = opentofu(8);
/// The resource type that the products have built in.
pub(crate) const TERRAFORM_DATA: Availability = both(4, 6);
/// Moves to a resource of another type.
pub(crate) const MOVES_TO_TYPES: Availability = both(8, 10);
/// `terraform.applying`.
pub(crate) const APPLYING: Availability = both(10, 11);
/// `tofu` as another name of `terraform` in references.
pub(crate) const TOFU_NAME: Availability = opentofu(9);
/// Files for OpenTofu alone.
pub(crate) const TOFU_FILES: Availability = opentofu(8);
/// A warning about connections of the type `winrm`.
pub(crate) const DEPRECATES_WINRM: Availability = opentofu(12);
/// A warning about attributes of an object in a variable that its type does not have.
pub(crate) const WARNS_OF_IGNORED: Availability = opentofu(11);

/// Since when `name` is in a block of type `owner`, where it has not always been there.
fn since(owner: &str, name: &str) -> Option<Availability> {
    let row = CONSTRUCTS.iter().find(|(block_type, construct, _)| *block_type == owner && *construct == name);
    row.map(|(_, _, since)| *since)
}

/// Whether the source of a module is read with the version in the same block, before override files are laid over it: where
/// neither is computed. What is computed is looked at when it is needed.
pub(crate) fn reads_sources_by_block(dialect: Dialect) -> bool {
    !COMPUTED_SOURCE.is_in(dialect)
}

/// Takes out of the content of a block of type `owner` what the dialect does not have, and reports it.
pub(crate) fn retain(dialect: Dialect, owner: &str, content: &mut Content, diagnostics: &mut Diagnostics) {
    if dialect == Dialect::Modules {
        return;
    }
    let here = if owner.is_empty() {
        "in a file".to_owned()
    } else {
        format!("in {} `{owner}` block", article(owner).to_lowercase())
    };
    let absent = |name: &str| since(owner, name).filter(|since| !since.is_in(dialect));
    content.attributes.retain(|name, attribute| {
        let absent = absent(name);
        if let Some(since) = absent {
            let what = format!("The argument `{name}` {here}");
            let problem = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, explanation(&what, since, dialect));
            // The name has been kept free for what other products have.
            let problem =
                if owner == "provider" { problem.titled(ids::RESERVED_ARGUMENT.title()) } else { problem };
            diagnostics.push(problem.at(attribute.source(), attribute.name_span));
        }
        absent.is_none()
    });
    content.blocks.retain(|block| {
        let absent = absent(&block.block_type);
        if let Some(since) = absent {
            let what = format!("The block `{}` {here}", block.block_type);
            let problem = Diagnostic::error(ids::UNSUPPORTED_BLOCK, explanation(&what, since, dialect));
            let problem = if owner == "module" {
                problem.titled("Reserved block type name in module block")
            } else {
                problem
            };
            diagnostics.push(problem.at(block.body.source(), block.type_span));
        }
        absent.is_none()
    });
}

/// What an error says about something that the dialect does not have.
pub(crate) fn explanation(what: &str, since: Availability, dialect: Dialect) -> String {
    format!("{what} is there since {since}. The configuration is read as {dialect}.")
}
