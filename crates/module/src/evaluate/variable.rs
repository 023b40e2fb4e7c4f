//! Evaluates input variables: the given value or the default, converted to the type, and the
//! variable's own validations.

use terrane_config::address::{InstanceKey, Object};
use terrane_function::conversion::{ConversionError, convert};
use terrane_source::{Diagnostic, Diagnostics, Span, Subject, ids};
use terrane_value::{ClosestNames, Mark, Marks, OriginKind, Origins, Value};

use crate::evaluate::conditions::{self, ConditionOwner};
use crate::inputs::Inputs;
use crate::inputs::hidden_text::ValuePlace;
use crate::model::ids::{CallInModule, InstanceId, VariableId};
use crate::model::ignored;
use crate::model::module::Variable;
use crate::state::checks::CheckResult;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The value given for a variable, with its origin and place for messages about it.
struct Given {
    value: Value,
    origin: String,
    subject: Option<Subject>,
    /// The name of the argument in the `module` block.
    name: Option<Span>,
}

/// The value of a variable before its own validations.
pub(super) struct VariableValue {
    value: Value,
    /// The marks of the value while its own validations read it.
    marks: Marks,
    /// The place where a failed validation is reported.
    place: ValuePlace,
    /// Whether an error in the value was reported.
    has_error: bool,
}

impl VariableValue {
    /// Returns the value as the validations of the variable read it.
    pub(super) fn for_validations(&self) -> Value {
        self.value.clone().with_marks(&self.marks)
    }
}

/// The value of a variable after its own validations, and their results.
pub(super) struct ValidatedVariable {
    pub(super) value: Value,
    pub(super) checks: Vec<CheckResult>,
}

/// Returns the value of an input variable: from the inputs in the root module, from the caller's
/// argument in other modules.
pub(super) fn value(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: VariableId,
    inputs: &Inputs,
) -> VariableValue {
    let evaluation = context.evaluation;
    let module = evaluation.scope(instance).module();
    let (name, variable) = module.variables.entry_of(id);
    let is_root = evaluation.instances[instance].parent.is_none();
    // A validation must hold for any values of the root module.
    let is_open = is_root && evaluation.phase().variables_are_unknown();
    let before = context.diagnostics.mark();
    let given = if is_open {
        None
    } else if is_root {
        inputs.get(name).map(|input| Given {
            value: without_ephemeral(context, name, variable, input.value.clone(), input.subject.as_ref()),
            origin: input.origin.clone(),
            subject: input.subject.clone(),
            name: None,
        })
    } else {
        argument(context, instance, name)
    };
    let address = evaluation.address(instance, Object::Variable(name.clone())).to_string();
    let place = place(variable, given.as_ref());
    let value = if is_open {
        missing(variable, &address)
    } else {
        converted(name, variable, given, &address, context)
    };
    let has_error = context.diagnostics.has_errors_since(before);
    if !has_error {
        warn_of_ignored(context, instance, name, variable);
    }
    let marks = marks(variable);
    let marks = match module.rules.own_validations_see_sensitive {
        true => marks.without(&Mark::Sensitive),
        false => marks,
    };
    VariableValue { value, marks, place, has_error }
}

/// Returns the value of a variable for the rest of the module, and the results of its own validations, which are
/// evaluated in the scope `names` with the value that they read.
pub(super) fn validated(
    context: &mut Context<'_>,
    names: &ModuleScope<'_>,
    id: VariableId,
    evaluated: VariableValue,
) -> ValidatedVariable {
    let evaluation = context.evaluation;
    let (name, variable) = names.module().variables.entry_of(id);
    let owner = ConditionOwner::Variable(&evaluated.place);
    let mut found = Diagnostics::new();
    let checks = match evaluated.has_error {
        true => vec![CheckResult::UNKNOWN; variable.validations.len()],
        false => {
            let mut inner = context.reporting_to(&mut found);
            conditions::evaluate(&mut inner, &variable.validations, names, &owner)
        }
    };
    let phase = evaluation.phase();
    let value = if phase.variables_are_unknown() {
        let address = evaluation.address(names.instance, Object::Variable(name.clone())).to_string();
        any(variable, &address)
    } else if phase.plans_resources() && found.has_errors() {
        // A rejected value is unknown like a value that does not fit the type, so no further error follows from it.
        refused(variable)
    } else {
        evaluated.value
    };
    context.diagnostics.extend(found);
    ValidatedVariable { value: value.with_marks(&marks(variable)), checks }
}

/// Returns an unknown value of the type of a variable, as in a validation.
pub(super) fn any_value(evaluation: &Evaluation, instance: InstanceId, id: VariableId) -> Value {
    let (name, variable) = evaluation.scope(instance).module().variables.entry_of(id);
    let address = evaluation.address(instance, Object::Variable(name.clone())).to_string();
    any(variable, &address).with_marks(&marks(variable))
}

/// Returns the marks that the declaration of a variable gives to its value, which is in doubt.
pub(super) fn marks_in_doubt(evaluation: &Evaluation, instance: InstanceId, id: VariableId) -> Marks {
    marks(evaluation.scope(instance).module().variables.at(id))
}

/// Returns the marks that the declaration gives to the value of a variable.
fn marks(variable: &Variable) -> Marks {
    let mut marks = Marks::NONE;
    if variable.marks_values() {
        marks = marks.union(&Marks::sensitive());
    }
    if variable.ephemeral {
        marks = marks.union(&Marks::one(Mark::Ephemeral));
    }
    marks
}

/// Returns the place to report for a wrong value: the value, or the declaration if the value is a default, is outside the
/// files, or must not be shown. An argument of a `module` block that must not be shown has a place without its text.
fn place(variable: &Variable, given: Option<&Given>) -> ValuePlace {
    let place = given.and_then(|given| {
        let subject = given.subject.clone()?;
        match (is_shown(given, variable), given.name) {
            (true, _) => Some(ValuePlace::open(subject)),
            (false, Some(name)) => Some(ValuePlace::hidden(subject, name)),
            (false, None) => None,
        }
    });
    place.unwrap_or_else(|| ValuePlace::open(variable.declaration.clone()))
}

/// Warns of attributes in the argument of the `module` block that the type of the variable lacks. Those of a secret are not named.
fn warn_of_ignored(context: &mut Context<'_>, instance: InstanceId, name: &str, variable: &Variable) {
    let evaluation = context.evaluation;
    let node = evaluation.config.node(evaluation.instances[instance].node);
    let Some(CallInModule { module: caller, call }) =
        node.caller.filter(|_| node.module.rules.warns_of_dropped_attributes && !variable.is_secret())
    else {
        return;
    };
    let call = evaluation.config.node(caller).module.calls.at(call);
    if let Some((_, resolved)) = call.arguments.get(name) {
        let owner = format!("the variable \"{name}\"");
        let closest_names = ClosestNames::counted();
        ignored::check(resolved, &variable.constraint.ty, &owner, &closest_names, context.diagnostics);
        context.meter.count(closest_names.steps());
    }
}

/// Returns the value of the argument in the `module` block that made this instance.
fn argument(context: &mut Context<'_>, instance: InstanceId, name: &str) -> Option<Given> {
    let evaluation = context.evaluation;
    let state = &evaluation.instances[instance];
    let CallInModule { module: caller, call } = evaluation.config.node(state.node).caller?;
    let (call_name, call) = evaluation.config.node(caller).module.calls.entry_of(call);
    let (doubt, called) = (
        &evaluation.config.node(caller).module.doubt,
        Object::ModuleCall(call_name.clone(), InstanceKey::None),
    );
    let is_doubtful = || doubt.covers(&called);
    let Some((name_span, resolved)) = call.arguments.get(name) else {
        // The damaged part of the block may contain the argument.
        let origin = format!("the block `module \"{call_name}\"`");
        return is_doubtful().then(|| Given { value: Value::error(), origin, subject: None, name: None });
    };
    let mut names = evaluation.scope(state.parent?);
    names.repetition = Some(&state.repetition);
    let mut value = context.value(resolved, &names);
    if doubt.may_override(&called) {
        value = Value::error().with_marks(&value.marks_deep());
    }
    let place = resolved.subject();
    let accepts = evaluation.config.node(state.node).module.variables.get(name);
    let value = match accepts {
        Some(variable) => without_ephemeral(context, name, variable, value, Some(&place)),
        None => value,
    };
    let origin = format!("the block `module \"{call_name}\"`");
    Some(Given { value, origin, subject: Some(place), name: Some(*name_span) })
}

/// Returns a value given for a variable, or reports that it is ephemeral and the variable is not.
fn without_ephemeral(
    context: &mut Context<'_>,
    name: &str,
    variable: &Variable,
    value: Value,
    place: Option<&Subject>,
) -> Value {
    let is_ephemeral = || value.marks_deep().contains(&Mark::Ephemeral);
    if variable.ephemeral || !is_ephemeral() {
        return value;
    }
    let detail = format!(
        "The variable \"{name}\" is not declared with `ephemeral = true`, so it cannot have an ephemeral value."
    );
    let diagnostic = Diagnostic::error(ids::EPHEMERAL_NOT_ALLOWED, detail)
        .titled(context.evaluation.config.rules.titles.ephemeral_for_variable);
    let declaration = || variable.declaration.clone();
    let place = place.cloned().unwrap_or_else(declaration);
    context.diagnostics.push(diagnostic.at(&place.file, place.span));
    Value::error()
}

fn converted(
    name: &str,
    variable: &Variable,
    given: Option<Given>,
    address: &str,
    context: &mut Context<'_>,
) -> Value {
    if variable.is_doubtful_secret {
        return refused(variable);
    }
    if variable.has_type_error {
        let given_marks = given.map_or(Marks::NONE, |given| given.value.marks_deep());
        return refused(variable).with_marks(&given_marks);
    }
    let default = variable.default.as_ref();
    let Some(given) = given else {
        return default.map_or_else(|| missing(variable, address), |default| default.value.clone());
    };
    if given.value.is_null() && !variable.nullable {
        return default.map(|default| default.for_null.clone()).unwrap_or_else(|| {
            let detail = format!(
                "The value for the variable \"{name}\" from {} is null, but the variable is declared with \
                 `nullable = false` and has no default. Give it a value.",
                given.origin
            );
            context.diagnostics.push(at(
                Diagnostic::error(ids::REQUIRED_INPUT_NULL, detail),
                &given,
                variable,
            ));
            missing(variable, address)
        });
    }
    let limits = &context.evaluation.config.request.limits;
    let diagnostic = match convert(&variable.constraint, &given.value, limits, context.meter) {
        Ok(converted) => return converted,
        Err(ConversionError::Limit(limit)) => {
            limit.diagnostic(&format!("The value for the variable \"{name}\" from {}", given.origin))
        }
        Err(ConversionError::Mismatch(error)) => {
            // The path to a wrong element may contain keys, which are parts of a secret.
            let reason = if is_shown(&given, variable) { error.to_string() } else { error.message };
            let detail = format!(
                "The value for the variable \"{name}\" from {} does not fit the type of the variable, `{}`: {reason}.",
                given.origin, variable.constraint.ty
            );
            Diagnostic::error(ids::INVALID_INPUT, detail)
        }
    };
    context.diagnostics.push(at(diagnostic, &given, variable));
    refused(variable)
}

/// Returns the value of a variable with an error: its type is unreadable, or the given value is rejected.
fn refused(variable: &Variable) -> Value {
    Value::unknown_from(variable.constraint.ty.without_optional(), Origins::error())
}

/// Returns the diagnostic at the place of the value, or at the declaration; see [`place`].
fn at(diagnostic: Diagnostic, given: &Given, variable: &Variable) -> Diagnostic {
    let subject = place(variable, Some(given)).subject();
    diagnostic.at(&subject.file, subject.span)
}

/// Whether a message may contain the text of the value.
fn is_shown(given: &Given, variable: &Variable) -> bool {
    !variable.is_secret() && !given.value.contains_marked()
}

/// Returns the unknown value of a variable without a value, which names the variable as its cause.
fn missing(variable: &Variable, address: &str) -> Value {
    let value = any(variable, address);
    if variable.nullable { value } else { value.not_null() }
}

/// Returns an unknown value of the type of a variable; with an error as its reason if the type is unreadable.
fn any(variable: &Variable, address: &str) -> Value {
    if variable.has_type_error {
        return refused(variable);
    }
    let origins = Origins::one(OriginKind::Variable, address);
    Value::unknown_from(variable.constraint.ty.without_optional(), origins)
}
