//! Which arguments and blocks the blocks of a module have in any product; `constructs` says which of them a dialect has.

use std::sync::LazyLock;

use terrane_body::BodySchema;

/// The arguments of a resource that are not the provider's.
const RESOURCE_ARGUMENTS: &[&str] = &["count", "for_each", "provider", "depends_on"];

/// The blocks at the top of a file.
fn top() -> BodySchema {
    let mut schema = BodySchema::new().attribute_advice("Values belong in a block, such as `locals { … }`.");
    for name in ["variable", "output", "module", "provider", "check"] {
        schema = schema.block(name, &["name"]);
    }
    for name in ["resource", "data", "ephemeral", "action"] {
        schema = schema.block(name, &["type", "name"]);
    }
    for name in ["locals", "moved", "removed", "import", "terraform", "required_providers", "language"] {
        schema = schema.block(name, &[]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::constructs::{CONSTRUCTS, Construct};

    #[test]
    fn each_construct_is_in_the_schema_of_its_block() {
        for Construct { owner, name, .. } in CONSTRUCTS {
            let schema = match *owner {
                "" => file(),
                "import" => import(),
                "lifecycle" => lifecycle(),
                "module" => module_call(),
                "output" => output(),
                "provider" => provider(),
                "removed" => removed(),
                "terraform" => terraform(),
                "variable" => variable(),
                other => panic!("no schema of {other:?}"),
            };
            let is_there = schema.has_attribute(name) || schema.labels(name).is_some();
            assert!(is_there, "no {name:?} in {owner:?}");
        }
    }
}
