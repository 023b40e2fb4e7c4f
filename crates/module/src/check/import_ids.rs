//! Checks the `id` and the `identity` of `import` blocks.

use terrane_source::{Diagnostic, Title, ids, titles};
use terrane_syntax::Expression;
use terrane_value::{Origins, Type, Value, convert};

use crate::check::import_targets::{instances, refers_to_itself};
use crate::expansion::{self, RepetitionData};
use crate::model::ids::NodeId;
use crate::model::module::Import;
use crate::model::schemas::is_terraform_data;
use crate::rules::Rules;
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// Evaluates the `id` and the `identity` of an import for each of its instances.
pub(crate) fn check(context: &mut Context<'_>, import: &Import, names: &ModuleScope<'_>) {
    let module = names.module();
    let data = instances(context, import, names);
    let data = data.unwrap_or_else(|| vec![RepetitionData::unknown_each(&Origins::NONE)]);
    for data in &data {
        let names = ModuleScope { repetition: Some(data), ..*names };
        if let Some(id) = &import.id {
            let value = context.value(id, &names);
            report_unusable(context, import, id, &value);
        }
        if let Some(identity) = &import.identity {
            context.value(identity, &names);
        }
    }
    let built_in = import.to.module.is_root()
        && import.to.resource.as_ref().is_some_and(|key| is_terraform_data(key.mode, &key.resource_type))
        && !module.requirements.contains_key("terraform");
    // The `id` beside the `identity` has been reported.
    if let (Some(identity), None, true) = (&import.identity, &import.id, built_in) {
        let detail = "`terraform_data` has no identity. Import it by its `id`.";
        let diagnostic = Diagnostic::error(ids::NO_IDENTITY_SCHEMA, detail);
        context.diagnostics.push(diagnostic.at(identity.source(), identity.span()));
    }
}

/// Reports an `id` whose value cannot be the id of an import.
pub(crate) fn report_unusable(context: &mut Context<'_>, import: &Import, id: &Expression, value: &Value) {
    let phase = context.evaluation.phase();
    let config = &context.evaluation.config;
    // An id that refers to the imported resource is reported together with the target.
    let late = || {
        let root = &config.node(NodeId::ROOT).module;
        let is_checked = phase.plans_resources() && !refers_to_itself(import, id, root);
        if is_checked { late_id(value) } else { None }
    };
    let is_open = phase.imports_are_open() && value.unmarked().as_unknown().is_some();
    if let Some((reason, title)) = unusable_id(value, &config.rules, is_open).or_else(late) {
        let detail = format!("The `id` of an import {reason}.");
        let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_ID, detail).titled(title);
        context.diagnostics.push(diagnostic.at(id.source(), id.span()));
    }
}

/// Returns the reason why a value cannot be the id of an import, and the title of the message. Terraform
/// allows sensitive and ephemeral ids, OpenTofu empty ones. A validation accepts an unknown value if it can
/// become a string: `is_open`.
fn unusable_id(value: &Value, rules: &Rules, is_open: bool) -> Option<(String, Title)> {
    let invalid = |reason: &str| Some((reason.to_owned(), Title::of(ids::INVALID_IMPORT_ID)));
    let text = match convert(value, &Type::String) {
        Ok(text) => text,
        Err(error) => return Some((format!("must be a string: {error}"), titles::INCORRECT_VALUE_TYPE)),
    };
    if text.is_null() {
        invalid("is null. Give the id of the object to import")
    } else if !is_open && !rules.imports.ids_may_be_marked && text.marks().is_closed() {
        invalid("is shown and stored, so it can be neither sensitive nor ephemeral")
    } else if !rules.imports.ids_may_be_empty && text.unmarked().as_str() == Some("") {
        invalid("is empty. Give the id of the object to import")
    } else {
        None
    }
}

/// Returns the same for an id that is known only after an apply; `None` if the id is known or may
/// be known during the plan.
fn late_id(value: &Value) -> Option<(String, Title)> {
    let causes = expansion::late_causes(&value.as_unknown()?.origins)?;
    let reason = format!("must be known before anything is created: {causes}");
    Some((reason, Title::of(ids::INVALID_IMPORT_ID)))
}
