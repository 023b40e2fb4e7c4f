//! Evaluates outputs: preconditions, the value, and its marks.

use terrane_config::address::Object;
use terrane_function::conversion::{ConversionError, convert};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Mark, Marks, Value};

use crate::evaluate::conditions::ConditionOwner;
use crate::evaluate::{conditions, given};
use crate::model::ids::{InstanceId, OutputId};
use crate::model::module::Output;
use crate::state::checks::CheckResult;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;

/// Returns the results of the preconditions of an output.
pub(super) fn preconditions(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: OutputId,
) -> Vec<CheckResult> {
    let names = context.evaluation.scope(instance);
    let (name, output) = names.module().outputs.entry_of(id);
    if output.preconditions.is_empty() {
        return Vec::new();
    }
    let address = context.evaluation.address(instance, Object::Output(name.clone())).to_string();
    let owner = ConditionOwner::Object { failed: ids::OUTPUT_PRECONDITION_FAILED, address: &address };
    conditions::evaluate(context, &output.preconditions, &names, &owner)
}

/// Returns the value of an output; `None` if the argument `value` is missing, which has been reported.
pub(super) fn output(context: &mut Context<'_>, instance: InstanceId, id: OutputId) -> Option<Value> {
    let evaluation = context.evaluation;
    let is_root = evaluation.instances[instance].parent.is_none();
    let names = evaluation.scope(instance);
    let (name, output) = names.module().outputs.entry_of(id);
    let expression = output.value.as_ref()?;
    let before = context.diagnostics.len();
    let value = context.value(expression, &names);
    let value = converted(context, name, output, value);
    let diagnostics = &mut *context.diagnostics;
    let value = given::of_output(evaluation, instance, name, value, diagnostics);
    let is_whole = diagnostics.len() == before && !evaluation.is_broken(expression, &names);
    check_marks(name, output, is_root, &value, diagnostics);
    let must_be_ephemeral = evaluation.config.rules.ephemeral_outputs_need_ephemeral_values;
    if output.ephemeral && must_be_ephemeral && !is_root && is_whole && !value.has_mark(&Mark::Ephemeral) {
        let detail = format!(
            "The output \"{name}\" is declared ephemeral, but its value is not. Remove `ephemeral`, or \
             use an ephemeral value."
        );
        let diagnostic = Diagnostic::error(ids::OUTPUT_NOT_EPHEMERAL, detail);
        diagnostics.push(diagnostic.at(expression.source(), expression.span()));
    }
    Some(value.with_marks(&marks(evaluation, instance, output)))
}

/// Returns the marks that the declaration gives to the value of an output.
fn marks(evaluation: &Evaluation, instance: InstanceId, output: &Output) -> Marks {
    let mut marks = Marks::NONE;
    let is_root = evaluation.instances[instance].parent.is_none();
    if output.sensitive && (is_root || evaluation.config.rules.sensitive_outputs_mark_callers) {
        marks = marks.union(&Marks::sensitive());
    }
    if output.ephemeral {
        marks = marks.union(&Marks::one(Mark::Ephemeral));
    }
    marks
}

/// Returns the marks that the declaration of an output gives to its value, which is in doubt.
pub(super) fn marks_in_doubt(evaluation: &Evaluation, instance: InstanceId, id: OutputId) -> Marks {
    marks(evaluation, instance, evaluation.scope(instance).module().outputs.at(id))
}

/// Converts the value to the type of the output.
fn converted(context: &mut Context<'_>, name: &str, output: &Output, value: Value) -> Value {
    if output.has_type_error {
        return Value::error().with_marks(&value.marks_deep());
    }
    let (Some(constraint), Some(expression)) = (&output.constraint, &output.value) else { return value };
    let limits = &context.evaluation.config.request.limits;
    let diagnostic = match convert(constraint, &value, limits, context.meter) {
        Ok(converted) => return converted,
        Err(ConversionError::Limit(limit)) => {
            limit.diagnostic(&format!("The value of the output \"{name}\""))
        }
        Err(ConversionError::Mismatch(error)) => {
            // The path to a wrong element may name keys of a secret output. For a marked value, the path ends before the
            // keys.
            let is_secret = output.sensitive || output.ephemeral;
            let reason = if is_secret { error.message } else { error.to_string() };
            let detail = format!("The value does not fit the type of the output: {reason}.");
            Diagnostic::error(ids::INVALID_OUTPUT_VALUE, detail)
        }
    };
    context.report(diagnostic.at(expression.source(), expression.span()));
    Value::error()
}

fn check_marks(name: &str, output: &Output, is_root: bool, value: &Value, diagnostics: &mut Diagnostics) {
    let marks = value.marks_deep();
    let declaration = &output.declaration;
    let is_secret = marks.contains(&Mark::Sensitive) && !output.sensitive && is_root;
    if is_secret && marks.contains(&Mark::SecretName) {
        let detail = format!(
            "The output \"{name}\" contains a value that is hidden because the name of its attribute in the state is that of a \
             secret. Without the schema of its type it is not known whether the products refuse the output."
        );
        let diagnostic = Diagnostic::warning(ids::SENSITIVE_OUTPUT, detail);
        let diagnostic = diagnostic.hint("`--schemas FILE` reads the schemas of providers.");
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
    }
    let mut report = |id, detail: String| {
        diagnostics.push(Diagnostic::error(id, detail).at(&declaration.file, declaration.span));
    };
    if is_secret && !marks.contains(&Mark::SecretName) {
        report(
            ids::SENSITIVE_OUTPUT,
            format!(
                "The output \"{name}\" contains a sensitive value, and outputs of the root module are \
                 shown. Add `sensitive = true` to hide it, or use `nonsensitive(…)` to show it."
            ),
        );
    }
    if output.ephemeral && is_root {
        report(
            ids::EPHEMERAL_ROOT_OUTPUT,
            format!(
                "The output \"{name}\" is stored, as all outputs of the root module are, so it cannot be ephemeral."
            ),
        );
    } else if let (true, Some(value)) = (marks.contains(&Mark::Ephemeral) && !output.ephemeral, &output.value)
    {
        let detail = format!(
            "The output \"{name}\" contains an ephemeral value, which must not be stored. Remove the value, or use \
             `ephemeralasnull(…)`."
        );
        let diagnostic = Diagnostic::error(ids::EPHEMERAL_OUTPUT, detail);
        diagnostics.push(diagnostic.at(value.source(), value.span()));
    }
}
