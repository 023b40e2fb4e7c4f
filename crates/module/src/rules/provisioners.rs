//! The arguments of the built-in provisioners and of connections.

use std::sync::LazyLock;

use terrane_body::{Body, BodySpec, Schema, SchemaAttribute};
use terrane_source::{Diagnostic, Diagnostics, Subject, Title, ids, titles};
use terrane_value::{Type, Value};

use crate::rules::table::Rules;

/// Returns the specification of the arguments of a built-in provisioner.
pub(crate) fn spec(kind: &str) -> Option<&'static BodySpec> {
    match kind {
        "local-exec" => Some(&LOCAL_EXEC),
        "remote-exec" => Some(&REMOTE_EXEC),
        "file" => Some(&FILE),
        _ => None,
    }
}

/// Returns the specification of the arguments of a connection of any type.
pub(crate) fn connection() -> &'static BodySpec {
    &CONNECTION
}

fn with(schema: Schema, names: &[&str], ty: &Type) -> Schema {
    names.iter().fold(schema, |schema, name| schema.attribute(name, SchemaAttribute::optional(ty.clone())))
}

fn spec_of(schema: &Schema) -> BodySpec {
    BodySpec::new(schema.spec())
}

static LOCAL_EXEC: LazyLock<BodySpec> = LazyLock::new(|| {
    let schema = Schema::new().attribute("command", SchemaAttribute::required(Type::String));
    let schema = with(schema, &["interpreter"], &Type::list(Type::String));
    let schema = with(schema, &["environment"], &Type::map(Type::String));
    spec_of(&with(with(schema, &["working_dir"], &Type::String), &["quiet"], &Type::Bool))
});

static REMOTE_EXEC: LazyLock<BodySpec> = LazyLock::new(|| {
    let schema = with(Schema::new(), &["inline", "scripts"], &Type::list(Type::String));
    spec_of(&with(schema, &["script"], &Type::String))
});

static FILE: LazyLock<BodySpec> = LazyLock::new(|| {
    let schema = Schema::new().attribute("destination", SchemaAttribute::required(Type::String));
    spec_of(&with(schema, &["source", "content"], &Type::String))
});

static CONNECTION: LazyLock<BodySpec> = LazyLock::new(|| spec_of(&connection_schema()));

fn connection_schema() -> Schema {
    let texts = [
        "type",
        "user",
        "password",
        "timeout",
        "script_path",
        "target_platform",
        "private_key",
        "certificate",
        "host_key",
        "agent_identity",
        "proxy_scheme",
        "proxy_host",
        "proxy_user_name",
        "proxy_user_password",
        "bastion_user",
        "bastion_password",
        "bastion_host",
        "bastion_host_key",
        "bastion_private_key",
        "bastion_certificate",
        "cacert",
    ];
    let schema = Schema::new().attribute("host", SchemaAttribute::required(Type::String));
    let schema = with(schema, &texts, &Type::String);
    let schema = with(schema, &["port", "proxy_port", "bastion_port"], &Type::Number);
    with(schema, &["agent", "https", "insecure", "use_ntlm"], &Type::Bool)
}

/// Reports arguments of a provisioner, whose values are `given`, that exclude each other.
pub(crate) fn check(
    kind: &str,
    declaration: &Subject,
    given: &Value,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) {
    let (given, _) = given.unmark_deep();
    let Some(arguments) = given.as_entries() else { return };
    let is_set = |name: &&&str| arguments.get(name).is_some_and(|value| !value.is_null());
    let is_empty =
        |name: &str| arguments.get(name).is_some_and(|value| value.is_null() || value.as_str() == Some(""));
    let looks_at_empty = rules.checks_empty_provisioner_arguments;
    let mut report = |detail: &str, title: Title| {
        let diagnostic = Diagnostic::error(ids::INVALID_PROVISIONER, detail).titled(title);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
    };
    match kind {
        "local-exec" if looks_at_empty && is_empty("command") => report(
            "The `command` is empty, so there is nothing to run.",
            titles::INVALID_LOCAL_EXEC_PROVISIONER_COMMAND,
        ),
        "remote-exec" if ["inline", "script", "scripts"].iter().filter(is_set).count() != 1 => report(
            "`remote-exec` needs exactly one of the arguments `inline`, `script` and `scripts`.",
            titles::INVALID_REMOTE_EXEC_PROVISIONER_CONFIGURATION,
        ),
        "file" => {
            if looks_at_empty && is_empty("destination") {
                let detail = "The `destination` is empty, so there is no place for the file.";
                report(detail, titles::INVALID_FILE_PROVISIONER_CONFIGURATION);
            }
            let detail = "`file` needs exactly one of the arguments `source` and `content`.";
            match ["source", "content"].iter().filter(is_set).count() {
                0 => report(detail, titles::MUST_PROVIDE_ONE_OF_SOURCE_OR_CONTENT),
                1 => {}
                _ => report(detail, titles::CANNOT_SET_BOTH_SOURCE_AND_CONTENT),
            }
        }
        _ => {}
    }
}

/// Warns of a connection whose type OpenTofu deprecates.
pub(crate) fn deprecated_connection(
    connection: &Body,
    given: &Value,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) {
    let (given, _) = given.unmark_deep();
    let of_type = given.as_entries().and_then(|arguments| arguments.get("type")).and_then(Value::as_str);
    if of_type != Some("winrm") || !rules.warns_of_winrm {
        return;
    }
    let content = connection.open_content(&mut Diagnostics::new());
    let Some(attribute) = content.attribute("type") else { return };
    let detail = "OpenTofu 1.13 removes connections of the type `winrm`. Connect to Windows with `ssh`.";
    let diagnostic = Diagnostic::warning(ids::DEPRECATED_CONNECTION, detail);
    diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
}

#[cfg(test)]
mod tests {
    use terrane_body::may_have_open_argument;

    use super::*;

    #[test]
    fn all_arguments_of_connections_but_credentials_are_shown() {
        let credentials =
            ["password", "private_key", "proxy_user_password", "bastion_password", "bastion_private_key"];
        for name in connection_schema().attributes().keys() {
            let is_open = !credentials.contains(&name.as_str());
            assert_eq!(may_have_open_argument("connection", name), is_open, "{name}");
        }
    }
}
