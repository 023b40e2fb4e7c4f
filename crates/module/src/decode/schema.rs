//! Which arguments and blocks the blocks of a module have in any product; `constructs` says which of them a dialect has.
//!
//! The blocks of a file are in `block_type`.

use std::sync::LazyLock;

use terrane_body::{BodySchema, DYNAMIC};

use crate::decode::block_type::BLOCK_TYPES;

/// The arguments of a resource that are not the provider's.
pub(crate) const RESOURCE_ARGUMENTS: &[&str] = &["count", "for_each", "provider", "depends_on"];

/// The blocks at the top of a file.
fn top() -> BodySchema {
    let mut schema = BodySchema::new().attribute_advice("Values belong in a block, such as `locals { … }`.");
    for block in BLOCK_TYPES {
        schema = schema.block(block.name, block.labels);
    }
    schema
}

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident = $schema:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name() -> &'static BodySchema {
            static SCHEMA: LazyLock<BodySchema> = LazyLock::new(|| $schema);
            &SCHEMA
        }
    )*};
}

schemas! {
    /// Nothing at all.
    nothing = BodySchema::new();
    file = top();
    variable = BodySchema::new()
        .all_optional(&[
            "type", "default", "description", "sensitive", "ephemeral", "nullable", "deprecated", "const",
        ])
        .block("validation", &[]);
    /// A `validation`, `precondition`, `postcondition` or `assert` block.
    condition = BodySchema::new().required("condition").required("error_message");
    output = BodySchema::new()
        .required("value")
        .all_optional(&["description", "sensitive", "ephemeral", "depends_on", "deprecated", "type"])
        .block("precondition", &[])
        .block("postcondition", &[]);
    module_call = BodySchema::new()
        .required("source")
        .all_optional(&["version", "count", "for_each", "depends_on", "providers", "ignore_nested_deprecations"])
        .block("lifecycle", &[])
        .block("locals", &[])
        .block("provider", &["type"])
        .block("_", &[]);
    module_lifecycle = BodySchema::new().optional("enabled");
    check = BodySchema::new().block("data", &["type", "name"]).block("assert", &[]);
    resource = BodySchema::new()
        .all_optional(RESOURCE_ARGUMENTS)
        .block("lifecycle", &[])
        .block("locals", &[])
        .block("connection", &[])
        .block("provisioner", &["type"])
        .block("_", &[]);
    /// The arguments of every resource, each written as a block.
    resource_arguments_as_blocks = RESOURCE_ARGUMENTS
        .iter()
        .fold(BodySchema::new(), |schema, name| schema.block(name, &[]));
    action = BodySchema::new().all_optional(&["count", "for_each", "provider"]).block("config", &[]);
    action_trigger = BodySchema::new().required("events").required("actions").optional("condition");
    data = BodySchema::new()
        .all_optional(RESOURCE_ARGUMENTS)
        .block("lifecycle", &[])
        .block("locals", &[])
        .block("_", &[]);
    lifecycle = BodySchema::new()
        .all_optional(&[
            "create_before_destroy", "ignore_changes", "prevent_destroy", "replace_triggered_by", "destroy", "enabled",
        ])
        .block("precondition", &[])
        .block("postcondition", &[])
        .block("action_trigger", &[]);
    provisioner = BodySchema::new()
        .all_optional(&["when", "on_failure"])
        .block("_", &[])
        .block("connection", &[])
        .block("lifecycle", &[]);
    provider = BodySchema::new()
        .all_optional(&["alias", "version", "for_each", "count", "depends_on", "source"])
        .block("_", &[])
        .block("lifecycle", &[])
        .block("locals", &[]);
    terraform = BodySchema::new()
        .all_optional(&["required_version", "experiments", "language"])
        .block("backend", &["type"])
        .block("cloud", &[])
        .block("required_providers", &[])
        .block("provider_meta", &["provider"])
        .block("encryption", &[]);
    encryption = BodySchema::new()
        .block("key_provider", &["type", "name"])
        .block("method", &["type", "name"])
        .block("state", &[])
        .block("plan", &[])
        .block("remote_state_data_sources", &[]);
    key_provider = BodySchema::new().optional("encrypted_metadata_alias");
    encryption_target = BodySchema::new().optional("method").block("fallback", &[]);
    enforced_target = BodySchema::new().all_optional(&["enforced", "method"]).block("fallback", &[]);
    remote_state = BodySchema::new().block("default", &[]).block("remote_state_data_source", &["name"]);
    language = BodySchema::new().all_optional(&["edition", "experiments"]).block("compatible_with", &[]);
    compatible_with = BodySchema::new().optional("opentofu");
    moved = BodySchema::new().required("from").required("to");
    removed = BodySchema::new()
        .required("from")
        .block("lifecycle", &[])
        .block("connection", &[])
        .block("provisioner", &["type"]);
    removed_lifecycle = BodySchema::new().optional("destroy");
    import = BodySchema::new().required("to").all_optional(&["id", "identity", "provider", "for_each"]);
    /// As the schemas of the same name, in override files.
    overriding_output = output().clone().nothing_required();
    overriding_call = module_call().clone().nothing_required();
}

/// The schema of the blocks of a type; none where other programs define their content.
pub(crate) fn of_block(block_type: &str) -> Option<&'static BodySchema> {
    Some(match block_type {
        "variable" => variable(),
        "validation" | "precondition" | "postcondition" | "assert" => condition(),
        "output" => output(),
        "module" => module_call(),
        "check" => check(),
        "resource" | "ephemeral" => resource(),
        "data" => data(),
        "action" => action(),
        "action_trigger" => action_trigger(),
        "lifecycle" => lifecycle(),
        "provisioner" => provisioner(),
        "provider" => provider(),
        "terraform" => terraform(),
        "encryption" => encryption(),
        "language" => language(),
        "moved" => moved(),
        "removed" => removed(),
        "import" => import(),
        _ => return None,
    })
}

/// The number of labels of a block in a file, or in a block of the type `outer`; none for an argument.
pub(crate) fn label_count(block_type: &str, outer: Option<&str>) -> Option<usize> {
    let schema = match outer {
        Some(_) if block_type == DYNAMIC => return Some(1),
        Some(DYNAMIC) => return (block_type == "content").then_some(0),
        Some(outer) => of_block(outer)?,
        None => file(),
    };
    schema.labels(block_type).map(<[String]>::len)
}

/// The kind of the value of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind {
    /// An expression.
    Value,
    /// A list of references to objects.
    Objects,
    /// Other references, and keywords.
    Keyword,
}

/// The arguments that have no expression as their value, each with the type of its block.
const NO_EXPRESSIONS: &[(&str, &str, ArgumentKind)] = &[
    ("action", "provider", ArgumentKind::Keyword),
    ("action_trigger", "actions", ArgumentKind::Keyword),
    ("action_trigger", "events", ArgumentKind::Keyword),
    ("data", "depends_on", ArgumentKind::Objects),
    ("data", "provider", ArgumentKind::Keyword),
    ("ephemeral", "depends_on", ArgumentKind::Objects),
    ("ephemeral", "provider", ArgumentKind::Keyword),
    ("import", "provider", ArgumentKind::Keyword),
    ("import", "to", ArgumentKind::Keyword),
    ("lifecycle", "ignore_changes", ArgumentKind::Keyword),
    ("lifecycle", "replace_triggered_by", ArgumentKind::Objects),
    ("module", "depends_on", ArgumentKind::Objects),
    ("module", "providers", ArgumentKind::Keyword),
    ("moved", "from", ArgumentKind::Keyword),
    ("moved", "to", ArgumentKind::Keyword),
    ("output", "depends_on", ArgumentKind::Objects),
    ("provider", "depends_on", ArgumentKind::Objects),
    ("provisioner", "on_failure", ArgumentKind::Keyword),
    ("provisioner", "when", ArgumentKind::Keyword),
    ("removed", "from", ArgumentKind::Keyword),
    ("resource", "depends_on", ArgumentKind::Objects),
    ("resource", "provider", ArgumentKind::Keyword),
    ("variable", "type", ArgumentKind::Keyword),
    (DYNAMIC, "iterator", ArgumentKind::Keyword),
];

/// The kind of the value of an argument of blocks of a type.
pub(crate) fn argument_kind(block_type: &str, argument: &str) -> ArgumentKind {
    let mut rows = NO_EXPRESSIONS.iter();
    let found = rows.find(|(block, name, _)| *block == block_type && *name == argument);
    found.map_or(ArgumentKind::Value, |(_, _, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use terrane_body::may_have_open_argument;

    use super::*;
    use crate::rules::constructs::{CONSTRUCTS, Construct};

    #[test]
    fn arguments_of_lifecycles_are_shown() {
        for block_type in ["lifecycle", "precondition", "postcondition", "action_trigger"] {
            let schema = of_block(block_type).expect("a schema");
            for name in schema.attribute_names() {
                assert!(may_have_open_argument(block_type, name), "{block_type} {name}");
            }
            assert!(!may_have_open_argument(block_type, "password"));
        }
    }

    #[test]
    fn each_construct_is_in_the_schema_of_its_block() {
        for Construct { owner, name, .. } in CONSTRUCTS {
            let schema = match *owner {
                "" => file(),
                owner => of_block(owner).unwrap_or_else(|| panic!("no schema of {owner:?}")),
            };
            let is_there = schema.has_attribute(name) || schema.labels(name).is_some();
            assert!(is_there, "no {name:?} in {owner:?}");
        }
    }

    #[test]
    fn each_part_of_a_variable_is_known_to_the_parser() {
        let mut parts: Vec<&str> =
            variable().attribute_names().chain(variable().block_types()).map(|name| name.as_str()).collect();
        parts.sort_unstable();
        assert_eq!(parts, terrane_syntax::PARTS_OF_VARIABLES);
    }

    #[test]
    fn each_argument_without_an_expression_is_in_the_schema_of_its_block() {
        for (block, argument, _) in NO_EXPRESSIONS.iter().filter(|(block, ..)| *block != DYNAMIC) {
            assert!(
                of_block(block).is_some_and(|schema| schema.has_attribute(argument)),
                "{block} {argument}"
            );
        }
    }

    #[test]
    fn each_list_of_references_has_its_kind() {
        let blocks = BLOCK_TYPES.iter().map(|block| block.name).chain(["lifecycle"]);
        for (block, argument) in
            blocks.flat_map(|block| ["depends_on", "replace_triggered_by"].map(|name| (block, name)))
        {
            let is_there = of_block(block).is_some_and(|schema| schema.has_attribute(argument));
            assert_eq!(
                argument_kind(block, argument) == ArgumentKind::Objects,
                is_there,
                "{block} {argument}"
            );
        }
    }

    #[test]
    fn a_property_is_a_block_where_the_schema_of_its_block_says_so() {
        let cases = [
            ("resource", None, Some(2)),
            ("action_trigger", Some("lifecycle"), Some(0)),
            ("postcondition", Some("output"), Some(0)),
            ("data", Some("check"), Some(2)),
            ("dynamic", Some("setting"), Some(1)),
            ("connection", Some("data"), None),
            ("source", Some("module"), None),
            ("setting", Some("resource"), None),
        ];
        for (name, outer, expected) in cases {
            assert_eq!(label_count(name, outer), expected, "{name} in {outer:?}");
        }
    }
}
