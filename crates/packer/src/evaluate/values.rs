//! Values of data sources and local values.

use terrane_body::ExpandedBody;
use terrane_source::Diagnostics;
use terrane_value::{ClosestNames, Value};

use crate::components::check::{ComponentUse, check, data_source_value};
use crate::components::plugins;
use crate::model::component_kind::ComponentKind;
use crate::model::ids::{DataId, LocalId};
use crate::model::template::ComponentKey;
use crate::state::context::Context;
use crate::state::scope::ExpressionSite;

/// Returns the value of a local value.
pub(crate) fn local(context: Context<'_>, id: LocalId, diagnostics: &mut Diagnostics) -> Value {
    let names = context.names(ExpressionSite::TopLevel);
    let local = context.template().locals.at(id);
    if context.template().doubt.covers(&local.declaration) {
        return Value::error();
    }
    context.evaluate(&local.expression, &names, diagnostics)
}

/// Returns the value of a data source.
pub(crate) fn data_source(context: Context<'_>, id: DataId, diagnostics: &mut Diagnostics) -> Value {
    let template = context.template();
    let (ComponentKey { component_type: data_type, name }, declared) = template.data.entry_of(id);
    if template.doubt.covers(&declared.declaration) {
        return Value::error();
    }
    if !plugins::is_known(template, ComponentKind::Data, data_type) {
        if template.doubt.hides_plugins() {
            return Value::error();
        }
        let closest_names = ClosestNames::counted();
        let diagnostic = plugins::unknown(template, ComponentKind::Data, data_type, &closest_names);
        context.evaluation.meter.count(closest_names.steps());
        diagnostics.push(diagnostic.at(&declared.declaration.file, declared.declaration.span));
        return Value::error();
    }
    let body = ExpandedBody::new(declared.body.clone());
    let mut resolved = context.read_at(ExpressionSite::TopLevel, diagnostics, |reader| reader.resolve(&body));
    let used = ComponentUse {
        kind: ComponentKind::Data,
        name: data_type,
        span: declared.declaration.span,
        written: &declared.body,
        overrides: None,
    };
    check(used, &mut resolved, context.converter(), context.files_to_check(), diagnostics);
    data_source_value(data_type, &format!("data.{data_type}.{name}"), &resolved)
}
