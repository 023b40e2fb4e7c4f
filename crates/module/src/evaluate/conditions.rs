//! Evaluates conditions with messages: `validation`, `precondition`, `postcondition` and `assert` blocks.

use terrane_config::address::{InstanceKey, Object};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Severity, ids, titles};
use terrane_syntax::Expression;
use terrane_value::display::{AFTER_APPLY, unknown_text};
use terrane_value::{Mark, Marks, SmolStr, Type, Value, ValueKind, convert};

use crate::evaluate::condition_values::values_read;
use crate::expansion;
use crate::graph::Step;
use crate::inputs::hidden_text::ValuePlace;
use crate::model::ids::{CheckId, InstanceId};
use crate::model::module::{Check, Module};
use crate::state::checks::{CheckKind, CheckResult, CheckStatus, ObjectChecks};
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// The message of a false condition whose own message cannot be shown.
const NO_MESSAGE: &str = "The condition is false.";

/// The owner of conditions.
pub(crate) enum ConditionOwner<'s> {
    /// A variable. A value that fails is reported where it was given. The error message is evaluated only
    /// if the condition is false.
    Variable(&'s ValuePlace),
    /// A resource or an output.
    Object {
        /// The id of the diagnostic for a false condition.
        failed: DiagnosticId,
        address: &'s str,
    },
    /// A `check` block: a false condition does not stop a run.
    CheckBlock,
}

impl ConditionOwner<'_> {
    /// Whether the owner is a resource.
    fn is_resource(&self) -> bool {
        let of_resources = [ids::RESOURCE_PRECONDITION_FAILED, ids::RESOURCE_POSTCONDITION_FAILED];
        matches!(self, ConditionOwner::Object { failed, .. } if of_resources.contains(failed))
    }
}

/// Evaluates conditions and their messages, and reports each condition that is false or invalid.
/// Returns the result of each.
pub(super) fn evaluate(
    context: &mut Context<'_>,
    checks: &[Check],
    names: &ModuleScope<'_>,
    owner: &ConditionOwner<'_>,
) -> Vec<CheckResult> {
    let leaves_to_plan = context.evaluation.phase().leaves_conditions_to_plan();
    let mut results = Vec::with_capacity(checks.len());
    for check in checks {
        if leaves_to_plan && evaluate_without_result(context, check, names, owner) {
            results.push(CheckResult::UNKNOWN);
            continue;
        }
        let mut found = Diagnostics::new();
        let mut inner = context.reporting_to(&mut found);
        let condition = inner.value(&check.condition, names);
        let message = inner.value(&check.error_message, names);
        let text = match owner {
            ConditionOwner::Variable(_) => None,
            ConditionOwner::Object { .. } | ConditionOwner::CheckBlock if found.has_errors() => None,
            ConditionOwner::Object { .. } | ConditionOwner::CheckBlock => {
                text_of(&message, &check.error_message, Severity::Warning, &mut found)
            }
        };
        let is_broken = found.has_errors();
        if !is_broken && is_false(check, &condition, owner, &mut found) {
            let failed = |text| Diagnostic {
                values: values_read(&check.condition, names),
                ..failure(check, owner, text)
            };
            match owner {
                ConditionOwner::Variable(_) => refuse(check, &message, leaves_to_plan, &failed, &mut found),
                ConditionOwner::Object { .. } | ConditionOwner::CheckBlock => found.push(failed(text)),
            }
        }
        let result = match owner {
            ConditionOwner::Object { .. } | ConditionOwner::CheckBlock if is_broken => CheckResult::ERROR,
            // A condition with an error has no value.
            ConditionOwner::Variable(_) | ConditionOwner::Object { .. } | ConditionOwner::CheckBlock => {
                result(&condition, &message)
            }
        };
        // The message stays in memory like a value.
        context.meter.take(result.message.as_ref().map_or(0, |message| message.len() as u64));
        results.push(result);
        context.diagnostics.extend(found);
    }
    results
}

/// Returns the result of a condition; for a false condition with its message, if that may be shown.
fn result(condition: &Value, message: &Value) -> CheckResult {
    match condition_result(condition) {
        Ok(Some(true)) => CheckResult { status: CheckStatus::Pass, message: None },
        Ok(Some(false)) => CheckResult { status: CheckStatus::Fail, message: visible_text(message) },
        Ok(None) => CheckResult::UNKNOWN,
        Err(_) => CheckResult::ERROR,
    }
}

/// Returns the text of a message; `None` if it is empty, not a known string, or must not be shown.
fn visible_text(message: &Value) -> Option<SmolStr> {
    if message.contains_marked() {
        return None;
    }
    let text = convert(message, &Type::String).ok()?;
    let ValueKind::String(text) = text.kind() else { return None };
    let trimmed = text.trim();
    let shown = if trimmed.len() == text.len() { text.clone() } else { trimmed.into() };
    Some(shown).filter(|text| !text.is_empty())
}

/// Evaluates a condition whose result a validation leaves to the plan. Returns whether the owner has such conditions.
/// In a resource, both expressions must have a value; in a `check` block, the message must be a string.
fn evaluate_without_result(
    context: &mut Context<'_>,
    check: &Check,
    names: &ModuleScope<'_>,
    owner: &ConditionOwner<'_>,
) -> bool {
    let is_check_block = matches!(owner, ConditionOwner::CheckBlock);
    if !is_check_block && !owner.is_resource() {
        return false;
    }
    if !is_check_block {
        context.value(&check.condition, names);
    }
    let mut found = Diagnostics::new();
    let message = context.reporting_to(&mut found).value(&check.error_message, names);
    if is_check_block && !found.has_errors() {
        text_of(&message.unmark_deep().0, &check.error_message, Severity::Warning, &mut found);
    }
    context.diagnostics.extend(found);
    true
}

/// Whether a value is unknown because of a mistake, which has been reported.
fn has_error(value: &Value) -> bool {
    value.origins().has_error()
}

/// Evaluates the assertions of a `check` block.
pub(super) fn assertions(context: &mut Context<'_>, instance: InstanceId, id: CheckId) -> Vec<CheckResult> {
    if !context.evaluation.phase().evaluates_assertions() {
        return Vec::new();
    }
    let names = context.evaluation.scope(instance);
    evaluate(context, &names.module().checks.at(id).assertions, &names, &ConditionOwner::CheckBlock)
}

/// Whether the condition is known to be false. Reports a value that is not a bool.
fn is_false(
    check: &Check,
    condition: &Value,
    owner: &ConditionOwner<'_>,
    diagnostics: &mut Diagnostics,
) -> bool {
    let expression = &check.condition;
    match condition_result(condition) {
        Ok(Some(holds)) => !holds,
        // Terraform or OpenTofu checks an unknown condition during the apply.
        Ok(None) => {
            if let (ConditionOwner::CheckBlock, false) = (owner, has_error(condition)) {
                let diagnostic = Diagnostic::warning(ids::CHECK_UNKNOWN, not_known(condition));
                diagnostics.push(diagnostic.at(expression.source(), expression.span()));
            }
            false
        }
        Err(detail) => {
            let diagnostic = Diagnostic::error(ids::INVALID_CONDITION_RESULT, detail);
            let diagnostic = match owner {
                ConditionOwner::Variable(_) => diagnostic.titled(titles::INVALID_VARIABLE_VALIDATION_RESULT),
                ConditionOwner::Object { .. } | ConditionOwner::CheckBlock => diagnostic,
            };
            diagnostics.push(diagnostic.at(expression.source(), expression.span()));
            false
        }
    }
}

/// Says why a condition is not known.
fn not_known(condition: &Value) -> String {
    let origins = condition.origins_deep();
    if unknown_text(&origins) == AFTER_APPLY {
        return "The condition depends on values that are known only when the configuration is applied."
            .to_owned();
    }
    let reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
    format!("The condition is not known: {}.", reasons.join("; "))
}

fn condition_result(condition: &Value) -> Result<Option<bool>, String> {
    if condition.is_null() {
        return Err("The condition is null. It must be true or false.".to_owned());
    }
    let condition = convert(condition, &Type::Bool)
        .map_err(|error| format!("The condition must be true or false: {error}."))?;
    Ok(condition.as_bool())
}

/// Returns the diagnostic about a false condition.
fn failure(check: &Check, owner: &ConditionOwner<'_>, message: Option<String>) -> Diagnostic {
    let message = message.unwrap_or_else(|| NO_MESSAGE.to_owned());
    let expression = &check.condition;
    let at_condition = |diagnostic: Diagnostic| {
        diagnostic.at(expression.source(), expression.span()).within(check.declaration.span)
    };
    match owner {
        ConditionOwner::Variable(place) => {
            let (subject, rule) = (place.subject(), &check.declaration);
            Diagnostic::error(ids::VALIDATION_FAILED, message).at(&subject.file, subject.span).label_in(
                &rule.file,
                rule.span,
                "the rule that does not hold",
            )
        }
        ConditionOwner::Object { failed, address } => {
            at_condition(Diagnostic::error(*failed, message)).about(address)
        }
        ConditionOwner::CheckBlock => at_condition(Diagnostic::warning(ids::CHECK_FAILED, message)),
    }
}

/// Reports a rejected value of a variable with the diagnostic `failed`. A null message is allowed and adds nothing.
fn refuse(
    check: &Check,
    message: &Value,
    leaves_to_plan: bool,
    failed: &dyn Fn(Option<String>) -> Diagnostic,
    found: &mut Diagnostics,
) {
    let expression = &check.error_message;
    if !message.is_known() && !has_error(message) {
        // A validation of the configuration leaves an unknown message to the plan.
        if leaves_to_plan {
            return;
        }
        if expansion::is_late(message.origins()) {
            let detail =
                "The error message contains a value that is known only when the configuration is applied.";
            let diagnostic = Diagnostic::error(ids::INVALID_ERROR_MESSAGE, detail);
            return found.push(diagnostic.at(expression.source(), expression.span()));
        }
    }
    let is_text = message.is_known() && !message.is_null();
    let text = if is_text { text_of(message, expression, Severity::Error, found) } else { None };
    found.push(failed(text));
}

/// Returns the conditions of an object that is not evaluated, each with an unknown result.
pub(super) fn without_results(module: &Module, step: Step) -> Vec<ObjectChecks> {
    let unknown = |object: Object, kind, conditions: &[Check]| {
        ObjectChecks::of(|| object, kind, vec![CheckResult::UNKNOWN; conditions.len()])
    };
    match step {
        Step::Variable(id) => {
            let (name, variable) = module.variables.entry_of(id);
            let object = Object::Variable(name.clone());
            unknown(object, CheckKind::Validation, &variable.validations).into_iter().collect()
        }
        Step::Output(id) => {
            let (name, output) = module.outputs.entry_of(id);
            let object = Object::Output(name.clone());
            unknown(object, CheckKind::Precondition, &output.preconditions).into_iter().collect()
        }
        Step::Check(id) => {
            let (name, check) = module.checks.entry_of(id);
            let object = Object::Check(name.clone());
            unknown(object, CheckKind::Assertion, &check.assertions).into_iter().collect()
        }
        Step::Resource(id) => {
            let (key, resource) = module.resources.entry_of(id);
            let object = || key.object(InstanceKey::None);
            let before = unknown(object(), CheckKind::Precondition, &resource.preconditions);
            let after = unknown(object(), CheckKind::Postcondition, &resource.postconditions);
            before.into_iter().chain(after).collect()
        }
        Step::Local(_) | Step::Call(_) => Vec::new(),
    }
}

/// Returns the text of a message; `None` if it is unknown, invalid or must not be shown. Reports a message that must
/// not be shown with the severity `hidden`.
fn text_of(
    message: &Value,
    expression: &Expression,
    hidden: Severity,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let mut invalid = |detail: String| {
        let diagnostic = Diagnostic::error(ids::INVALID_ERROR_MESSAGE, detail);
        diagnostics.push(diagnostic.at(expression.source(), expression.span()));
    };
    let (message, marks) = message.unmark_deep();
    let text = match convert(&message, &Type::String) {
        Ok(text) if text.is_null() => {
            invalid("The error message is null. It must be a string.".to_owned());
            return None;
        }
        Ok(text) => text,
        Err(error) => {
            invalid(format!("The error message must be a string: {error}."));
            return None;
        }
    };
    // Terraform and OpenTofu show such a value, so the message is no error.
    if marks.contains(&Mark::Hidden) && !marks.is_closed() {
        return None;
    }
    if !marks.is_empty() && text.is_known() {
        report_marked(expression, &marks, hidden, diagnostics);
        return None;
    }
    text.as_str().map(|text| text.trim().to_owned())
}

/// Reports a message that would show a sensitive or ephemeral value.
fn report_marked(expression: &Expression, marks: &Marks, severity: Severity, diagnostics: &mut Diagnostics) {
    let (id, mark, remedy) = if marks.contains(&Mark::Sensitive) {
        (ids::SENSITIVE_MESSAGE, "sensitive", "nonsensitive(…)")
    } else {
        (ids::EPHEMERAL_MESSAGE, "ephemeral", "ephemeralasnull(…)")
    };
    let detail = format!(
        "The error message contains a value that is {mark}. Remove the value, or wrap it in `{remedy}` if \
         it may be shown."
    );
    let diagnostic = Diagnostic { severity, ..Diagnostic::error(id, detail) };
    diagnostics.push(diagnostic.at(expression.source(), expression.span()));
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Cache, Request, evaluate, load};

    #[test]
    fn an_assertion_that_is_not_known_names_the_reason() {
        let details = |condition: &str| {
            let text = format!(
                "variable \"u\" {{}}\nresource \"terraform_data\" \"d\" {{}}\n\
                 check \"c\" {{\n  assert {{\n    condition = {condition}\n    error_message = \"no\"\n  }}\n}}\n"
            );
            let files: MemoryFiles = [("main.tf", &*text)].into_iter().collect();
            let loaded = load(Request::new("."), &files, &Cache::default());
            let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
            let found = evaluation.diagnostics.as_slice().iter().map(|found| found.detail.to_string());
            found.collect::<Vec<_>>()
        };
        assert_eq!(details("var.u == \"x\""), ["The condition is not known: var.u has no value."]);
        let later = "The condition depends on values that are known only when the configuration is applied.";
        assert_eq!(details("terraform_data.d.id == var.u"), [later]);
    }
}
