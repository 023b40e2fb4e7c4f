//! Conditions with messages: `validation`, `precondition`, `postcondition`.

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, Severity, Subject, ids};
use terrane_syntax::Expression;
use terrane_value::{Mark, Marks, OriginKind, Type, Value, convert};

use super::{Evaluation, ModuleScope};
use crate::load::Moment;
use crate::module::Check;

/// The conditions that a validation only evaluates.
const CHECKED_LATER: &[DiagnosticId] =
    &[ids::RESOURCE_PRECONDITION_FAILED, ids::RESOURCE_POSTCONDITION_FAILED, ids::CHECK_FAILED];

/// Evaluates `checks`; a false condition is reported as `failed`, with the message that the check gives, at
/// `subject` or otherwise at the condition.
pub(super) fn checks(
    evaluation: &Evaluation,
    checks: &[Check],
    names: &ModuleScope<'_>,
    (failed, subject): (DiagnosticId, Option<&Subject>),
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    for check in checks {
        let condition = evaluation.value(&check.condition, names, files, diagnostics);
        let expression = &check.condition.expression;
        let holds = match condition_result(&condition) {
            Ok(Some(holds)) => holds,
            // What cannot be known now is checked by the product when it runs.
            Ok(None) => continue,
            Err(detail) => {
                diagnostics.push(
                    Diagnostic::error(ids::INVALID_CONDITION_RESULT, detail)
                        .at(expression.source(), expression.span()),
                );
                continue;
            }
        };
        // Whether they hold for a resource is seen when it is planned.
        let is_open = evaluation.moment() == Moment::Validate && CHECKED_LATER.contains(&failed);
        if !holds && !is_open {
            let message = message(evaluation, check, names, files, diagnostics);
            let diagnostic = Diagnostic::error(failed, message);
            diagnostics.push(match subject {
                Some(subject) => diagnostic.at(&subject.file, subject.span),
                None => diagnostic.at(expression.source(), expression.span()).within(check.declaration.span),
            });
        }
    }
}

/// Evaluates the assertions of a `check` block. What fails is a warning: checks do not stop a run.
pub(super) fn asserts(
    evaluation: &Evaluation,
    instance: usize,
    index: usize,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) {
    let Some(state) = evaluation.instances.get(instance) else { return };
    let Some((_, asserts)) = evaluation.config.node(state.node).module.checks.get_index(index) else {
        return;
    };
    let names = evaluation.scope(instance);
    for check in asserts {
        let mut found = Diagnostics::new();
        let condition = evaluation.value(&check.condition, &names, files, &mut found);
        let failed = condition.origins().as_slice().iter().any(|origin| origin.kind == OriginKind::Error);
        let validates = evaluation.moment() == Moment::Validate;
        if !condition.is_known() && !found.has_errors() && !failed && !validates {
            let expression = &check.condition.expression;
            let detail =
                "The condition depends on values that are known only when the configuration is applied.";
            found.push(
                Diagnostic::warning(ids::CHECK_UNKNOWN, detail).at(expression.source(), expression.span()),
            );
        }
        if found.is_empty() {
            checks(
                evaluation,
                std::slice::from_ref(check),
                &names,
                (ids::CHECK_FAILED, None),
                files,
                &mut found,
            );
        }
        diagnostics.extend(
            found.into_iter().map(|diagnostic| Diagnostic { severity: Severity::Warning, ..diagnostic }),
        );
    }
}

/// A message would show what must not be shown.
fn report_marked(expression: &Expression, marks: &Marks, diagnostics: &mut Diagnostics) {
    let (id, what, remedy) = if marks.contains(&Mark::Sensitive) {
        (ids::SENSITIVE_MESSAGE, "sensitive", "nonsensitive(…)")
    } else {
        (ids::EPHEMERAL_MESSAGE, "ephemeral", "ephemeralasnull(…)")
    };
    let detail = format!(
        "The error message has a value in it that is {what}, and would show it. Leave the value out, or, where it may be \
         shown, wrap it in `{remedy}`."
    );
    diagnostics.push(Diagnostic::error(id, detail).at(expression.source(), expression.span()));
}

fn condition_result(condition: &Value) -> Result<Option<bool>, String> {
    if condition.is_null() {
        return Err("The condition is null. It must be true or false.".to_owned());
    }
    let condition = convert(condition, &Type::Bool)
        .map_err(|error| format!("The condition must be true or false: {error}."))?;
    Ok(condition.as_bool())
}

fn message(
    evaluation: &Evaluation,
    check: &Check,
    names: &ModuleScope<'_>,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> String {
    let value = evaluation.value(&check.error_message, names, files, diagnostics);
    let (_, marks) = value.unmark_deep();
    if !marks.is_empty() {
        report_marked(&check.error_message.expression, &marks, diagnostics);
        return "The condition is false. The message is not shown, because it has a sensitive value in it."
            .to_owned();
    }
    match convert(&value, &Type::String) {
        Ok(text) => match text.as_str() {
            Some(text) => text.trim().to_owned(),
            None => "The condition is false. The message is not known yet.".to_owned(),
        },
        Err(error) => {
            let expression = &check.error_message.expression;
            let detail = format!("The error message must be a string: {error}.");
            diagnostics.push(
                Diagnostic::error(ids::INVALID_ERROR_MESSAGE, detail)
                    .at(expression.source(), expression.span()),
            );
            "The condition is false.".to_owned()
        }
    }
}
