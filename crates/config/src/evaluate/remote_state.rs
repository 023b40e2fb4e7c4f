//! The data source that every product has built in.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use terrane_eval::{BodySchema, Scope, evaluate};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{ObjectBuilder, OriginKind, Origins, Type, Value, convert};

use crate::module::Resource;

static ARGUMENTS: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().required("backend").all_optional(&["config", "defaults", "workspace"])
});

/// The value of a `terraform_remote_state`: what is configured, and `outputs`, which nobody reads here.
pub(super) fn terraform_remote_state(
    resource: &Resource,
    address: &str,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let content = resource.config.content(&ARGUMENTS, diagnostics);
    let mut given = BTreeMap::new();
    for (name, attribute) in &content.attributes {
        let expression = attribute.expression(diagnostics);
        let value = evaluate(&expression, scope, diagnostics);
        let ty = argument_type(name);
        let value = convert(&value, &ty).unwrap_or_else(|error| {
            let detail = format!("The argument \"{name}\" does not fit its type, `{ty}`: {error}.");
            diagnostics.push(
                Diagnostic::error(ids::INCORRECT_VALUE_TYPE, detail)
                    .at(expression.source(), expression.span()),
            );
            Value::unknown_from(ty, Origins::error())
        });
        given.insert(&**name, value);
    }
    let mut argument = |name: &str| given.remove(name).unwrap_or_else(|| Value::null(argument_type(name)));
    let outputs = Origins::one(OriginKind::DataSource, format!("{address}.outputs"));
    ObjectBuilder::new()
        .with("backend", argument("backend"))
        .with("config", argument("config"))
        .with("defaults", argument("defaults"))
        .with("outputs", Value::unknown_from(Type::Dynamic, outputs))
        .with("workspace", argument("workspace"))
        .build()
}

fn argument_type(name: &str) -> Type {
    if matches!(name, "backend" | "workspace") { Type::String } else { Type::Dynamic }
}
