//! Which arguments and blocks the blocks of a module have.

use std::sync::LazyLock;

use terrane_eval::BodySchema;
use terrane_function::{Dialect, Edition, Product};

/// The arguments of a resource that are not the provider's.
const RESOURCE_ARGUMENTS: &[&str] = &["count", "for_each", "provider", "depends_on"];

/// Says what the top of a file may have.
pub(super) fn file(dialect: Dialect) -> &'static BodySchema {
    static FOR_ALL: LazyLock<BodySchema> = LazyLock::new(|| top(true, true));
    static WITH_ACTIONS: LazyLock<BodySchema> = LazyLock::new(|| top(true, false));
    static WITH_LANGUAGE: LazyLock<BodySchema> = LazyLock::new(|| top(false, true));
    static OLD: LazyLock<BodySchema> = LazyLock::new(|| top(false, false));
    match dialect {
        Dialect::Modules => &FOR_ALL,
        Dialect::Product(Product::Terraform, edition) if edition >= Edition::new(1, 14) => &WITH_ACTIONS,
        Dialect::Product(Product::OpenTofu, edition) if edition >= Edition::new(1, 12) => &WITH_LANGUAGE,
        Dialect::Product(Product::Terraform | Product::OpenTofu | Product::Packer, _) => &OLD,
    }
}

fn top(actions: bool, language: bool) -> BodySchema {
    let mut schema = BodySchema::new().attribute_advice("Values belong in a block, such as `locals { … }`.");
    for name in ["variable", "output", "module", "provider", "check"] {
        schema = schema.block(name, &["name"]);
    }
    for name in ["resource", "data", "ephemeral"] {
        schema = schema.block(name, &["type", "name"]);
    }
    for name in ["locals", "moved", "removed", "import", "terraform", "required_providers"] {
        schema = schema.block(name, &[]);
    }
    if actions {
        schema = schema.block("action", &["type", "name"]);
    }
    if language {
        schema = schema.block("language", &[]);
    }
    schema
}

/// The schema for a dialect: that of Terraform, or that of all others.
fn of(dialect: Dialect, terraform: &'static BodySchema, others: &'static BodySchema) -> &'static BodySchema {
    if dialect.product() == Some(Product::Terraform) { terraform } else { others }
}

pub(super) fn variable(dialect: Dialect) -> &'static BodySchema {
    of(dialect, terraform_variable(), any_variable())
}

pub(super) fn output(dialect: Dialect) -> &'static BodySchema {
    of(dialect, terraform_output(), any_output())
}

pub(super) fn lifecycle(dialect: Dialect) -> &'static BodySchema {
    of(dialect, terraform_lifecycle(), any_lifecycle())
}

pub(super) fn terraform(dialect: Dialect) -> &'static BodySchema {
    of(dialect, terraform_settings(), any_settings())
}

macro_rules! schemas {
    ($($(#[$doc:meta])* $name:ident = $schema:expr;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name() -> &'static BodySchema {
            static SCHEMA: LazyLock<BodySchema> = LazyLock::new(|| $schema);
            &SCHEMA
        }
    )*};
}

schemas! {
    /// Nothing at all.
    nothing = BodySchema::new();
    terraform_variable = BodySchema::new()
        .all_optional(&["type", "default", "description", "sensitive", "ephemeral", "nullable"])
        .block("validation", &[]);
    any_variable = terraform_variable().clone().all_optional(&["deprecated", "const"]);
    /// A `validation`, `precondition`, `postcondition` or `assert` block.
    condition = BodySchema::new().required("condition").required("error_message");
    terraform_output = BodySchema::new()
        .required("value")
        .all_optional(&["description", "sensitive", "ephemeral", "depends_on"])
        .block("precondition", &[])
        .block("postcondition", &[]);
    any_output = terraform_output().clone().optional("deprecated");
    module_call = BodySchema::new()
        .required("source")
        .all_optional(&["version", "count", "for_each", "depends_on", "providers"])
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
    terraform_lifecycle = BodySchema::new()
        .all_optional(&["create_before_destroy", "ignore_changes", "prevent_destroy", "replace_triggered_by"])
        .block("precondition", &[])
        .block("postcondition", &[])
        .block("action_trigger", &[]);
    any_lifecycle = terraform_lifecycle().clone().all_optional(&["destroy", "enabled"]);
    provisioner = BodySchema::new()
        .all_optional(&["when", "on_failure"])
        .block("_", &[])
        .block("connection", &[])
        .block("lifecycle", &[]);
    local_exec = BodySchema::new()
        .required("command")
        .all_optional(&["interpreter", "working_dir", "environment", "quiet"]);
    remote_exec = BodySchema::new().all_optional(&["inline", "script", "scripts"]);
    file_provisioner = BodySchema::new().required("destination").all_optional(&["source", "content"]);
    connection = BodySchema::new().required("host").all_optional(&[
        "type", "user", "password", "port", "timeout", "script_path", "target_platform", "private_key", "certificate",
        "host_key", "agent", "agent_identity", "proxy_scheme", "proxy_host", "proxy_port", "proxy_user_name",
        "proxy_user_password", "bastion_user", "bastion_password", "bastion_host", "bastion_port", "bastion_host_key",
        "bastion_private_key", "bastion_certificate", "https", "insecure", "cacert", "use_ntlm",
    ]);
    provider = BodySchema::new()
        .all_optional(&["alias", "version", "for_each", "count", "depends_on", "source"])
        .block("_", &[])
        .block("lifecycle", &[])
        .block("locals", &[]);
    terraform_settings = BodySchema::new()
        .all_optional(&["required_version", "experiments", "language"])
        .block("backend", &["type"])
        .block("cloud", &[])
        .block("required_providers", &[])
        .block("provider_meta", &["provider"]);
    any_settings = terraform_settings().clone().block("encryption", &[]);
    language = BodySchema::new().all_optional(&["edition", "experiments"]).block("compatible_with", &[]);
    compatible_with = BodySchema::new().optional("opentofu");
    moved = BodySchema::new().required("from").required("to");
    removed = BodySchema::new().required("from").block("lifecycle", &[]).block("provisioner", &["type"]);
    removed_lifecycle = BodySchema::new().optional("destroy");
    import = BodySchema::new().required("to").all_optional(&["id", "identity", "provider", "for_each"]);
    /// What an override file may not change.
    not_overridable = BodySchema::new().optional("depends_on").block("validation", &[]).block("lifecycle", &[]);
}
