//! The one resource type that every product has built in, and whose schema is therefore always known.

use terrane_eval::{Scope, evaluate};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{ObjectBuilder, OriginKind, Origins, Type, Value};

use crate::Moment;
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
    let content = resource.config.open_content(diagnostics);
    let mut input = Value::NULL;
    let mut triggers = Value::NULL;
    for (name, attribute) in &content.attributes {
        let unsupported = match &**name {
            "input" => {
                input = evaluate(&attribute.expression(diagnostics), scope, diagnostics);
                continue;
            }
            "triggers_replace" => {
                triggers = evaluate(&attribute.expression(diagnostics), scope, diagnostics);
                continue;
            }
            name @ ("id" | "output") => {
                format!("`{name}` is set by the resource itself. Remove the argument.")
            }
            name => format!(
                "`terraform_data` has no argument named \"{name}\". It has `input` and `triggers_replace`."
            ),
        };
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, unsupported);
        let diagnostic = match &**name {
            "id" | "output" => diagnostic.titled(format!("\"{name}\" attribute is read-only")),
            _ => diagnostic,
        };
        diagnostics.push(diagnostic.at(attribute.source(), attribute.name_span));
    }
    for block in &content.blocks {
        // A `dynamic` block stands for blocks of the type that its label is.
        let (name, span) = match (&*block.block_type, block.labels.first()) {
            ("dynamic", Some(label)) => (&label.text, label.span),
            _ => (&block.block_type, block.type_span),
        };
        let detail = format!("`terraform_data` has no nested block of type \"{name}\".");
        diagnostics.push(Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(block.body.source(), span));
    }
    let origin = |name: &str| Origins::one(OriginKind::Computed, format!("{address}.{name}"));
    let unknown = |name: &str, ty| Value::unknown_from(ty, origin(name));
    let (id, output) = match moment {
        Moment::Plan if input.is_null() => (unknown("id", Type::String).not_null(), Value::null(input.ty())),
        Moment::Plan => (unknown("id", Type::String).not_null(), unknown("output", input.ty())),
        Moment::Console | Moment::Validate => (unknown("id", Type::String), unknown("output", input.ty())),
    };
    let output = output.with_marks(input.marks());
    ObjectBuilder::new()
        .with("id", id)
        .with("input", input)
        .with("output", output)
        .with("triggers_replace", triggers)
        .build()
}
