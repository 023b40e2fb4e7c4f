//! The one resource type that every product has built in, and whose schema is therefore always known.

use std::sync::Arc;

use terrane_eval::{Scope, evaluate};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::Expression;
use terrane_syntax::tree::Item;
use terrane_value::{ObjectBuilder, OriginKind, Origins, Type, Value};

use crate::Moment;
use crate::decode::META_ARGUMENTS;
use crate::module::Resource;

/// The value of a new `terraform_data`: `input` and `triggers_replace` as configured, `id` set later, `output` with
/// the type of `input`.
pub(super) fn terraform_data(
    resource: &Resource,
    address: &str,
    moment: Moment,
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let tree = &resource.tree;
    let mut input = Value::NULL;
    let mut triggers = Value::NULL;
    for item in tree.list(tree.body(resource.body).items) {
        let Item::Attribute(id) = item else { continue };
        let attribute = tree.attribute(*id);
        let expression = Expression { tree: Arc::clone(tree), id: attribute.expr };
        let name = tree.slice(attribute.name);
        let unsupported = match name {
            "input" => {
                input = evaluate(&expression, scope, diagnostics);
                continue;
            }
            "triggers_replace" => {
                triggers = evaluate(&expression, scope, diagnostics);
                continue;
            }
            name if META_ARGUMENTS.contains(&name) => continue,
            name @ ("id" | "output") => {
                format!("`{name}` is set by the resource itself. Remove the argument.")
            }
            name => format!(
                "`terraform_data` has no argument named \"{name}\". It has `input` and `triggers_replace`."
            ),
        };
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, unsupported);
        diagnostics.push(
            match name {
                "id" | "output" => diagnostic.titled(format!("\"{name}\" attribute is read-only")),
                _ => diagnostic,
            }
            .at(tree.source(), attribute.name),
        );
    }
    let origin = |name: &str| Origins::one(OriginKind::Computed, format!("{address}.{name}"));
    let unknown = |name: &str, ty| Value::unknown_from(ty, origin(name));
    let (id, output) = match moment {
        Moment::Plan if input.is_null() => (unknown("id", Type::String).not_null(), Value::null(input.ty())),
        Moment::Plan => (unknown("id", Type::String).not_null(), unknown("output", input.ty())),
        Moment::Console => (unknown("id", Type::String), unknown("output", input.ty())),
    };
    let output = output.with_marks(input.marks());
    ObjectBuilder::new()
        .with("id", id)
        .with("input", input)
        .with("output", output)
        .with("triggers_replace", triggers)
        .build()
}
