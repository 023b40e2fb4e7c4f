//! Calls a function: converts the arguments, applies the policy of each parameter, computes the result.
//!
//! [`call()`] follows every rule. [`Function::call_plain`] is the fast path for arguments to which no rule applies.

use std::cell::Cell;

use terrane_source::SecretPaths;
use terrane_value::{Known, Marks, Origins, SmolStr, Type, Value, ValueKind, convert, with_article};

use crate::call::{Call, FunctionError, RowOfCall};
use crate::cost::Cost;
use crate::env::CallEnv;
use crate::function::{Direct, Function, FunctionBody, ResultType};
use crate::limits::Limits;
use crate::parameter::Parameter;
use crate::purity::Purity;

/// Calls `function`: converts the arguments, applies the policy of each parameter, computes the result.
///
/// # Errors
///
/// If the number of arguments is wrong, an argument does not convert or is null, or the function fails. Callers that
/// report the number of arguments themselves check it first.
pub fn call(function: &Function, arguments: Vec<Value>, env: &CallEnv<'_>) -> Result<Value, FunctionError> {
    let mut arguments = convert_arguments(function, arguments, env)?;
    call_converted(function, &mut arguments, env, &Cell::new(0), &mut |call| (function.body)(call))
}

/// Calls a function whose arguments the caller has counted and converted. `body` may replace the body of the function, for
/// functions that need more than [`CallEnv`]. Removes marks that the parameters do not admit from the arguments. Sets `work` to
/// the work of the call.
///
/// # Errors
///
/// If an argument is null against the policy of its parameter, or `body` fails.
pub fn call_converted(
    function: &Function,
    arguments: &mut [Value],
    env: &CallEnv<'_>,
    work: &Cell<usize>,
    body: &mut FunctionBody,
) -> Result<Value, FunctionError> {
    work.set(function.cost.of(arguments));
    let admitted = admit(function, arguments)?;
    if admitted.untyped {
        let value = Value::unknown_from(Type::Dynamic, admitted.origins);
        return Ok(value.with_marks(&admitted.marks));
    }
    if work.get() > env.limits.work {
        let message = "the arguments are too large: the call would take more work than the limit that `--max-steps` raises";
        return Err(FunctionError::new(message));
    }
    let marks = &admitted.marks;
    let row = RowOfCall { name: &function.name, purity: function.purity };
    let computed;
    let result_type = match &function.result {
        ResultType::Fixed(ty) => ty,
        ResultType::Computed(compute) => {
            computed = compute(&Call { row, arguments, result_type: &Type::Dynamic, marks, env, work })?;
            &computed
        }
    };
    let value = if admitted.unknown {
        Value::unknown_from(result_type.clone(), admitted.origins)
    } else {
        let secret_paths = SecretPaths(env.files);
        let hiding = CallEnv { files: &secret_paths, ..*env };
        let env = if may_read_secret_path(row, arguments, marks) { &hiding } else { env };
        let value = body(&Call { row, arguments, result_type, marks, env, work })?;
        if value.text_bytes() > env.limits.bytes && value.as_str().is_some() {
            let most = env.limits.bytes;
            let message =
                format!("the result would be longer than {most} bytes, the limit that `--max-memory` raises");
            return Err(FunctionError::new(message));
        }
        value
    };
    // As in the reference, an unknown value of dynamic type has no refinement.
    let refined =
        function.never_null && value.as_unknown().is_some_and(|unknown| unknown.ty != Type::Dynamic);
    if !refined && marks.is_empty() {
        return Ok(value);
    }
    let value = if refined { value.not_null() } else { value };
    Ok(value.with_marks(marks))
}

/// Whether the function may read a file whose path is made of a secret: one of the removed `marks`, or a mark of an argument.
fn may_read_secret_path(row: RowOfCall<'_>, arguments: &[Value], marks: &Marks) -> bool {
    let is_secret = |argument: &Value| argument.marks_deep().is_secret();
    row.purity != Purity::Pure && (marks.is_secret() || arguments.iter().any(is_secret))
}

/// Returns the argument at `index` of `function`, converted to the type of `parameter`. The result may be much longer than the
/// argument, so arguments that exceed the work limit of a call are refused.
///
/// # Errors
///
/// If the argument does not convert or is too large. The error names the argument that the reference names, and shows
/// only the type of the value.
pub fn convert_argument(
    argument: &Value,
    index: usize,
    function: &Function,
    parameter: &Parameter,
    limits: &Limits,
) -> Result<Value, FunctionError> {
    if Cost::Linear.of(std::slice::from_ref(argument)) > limits.work {
        return Err(FunctionError::argument(
            index,
            "the value is too large to be converted within the limit that `--max-steps` raises",
        ));
    }
    let converted = convert(argument, &parameter.ty);
    let converted = converted.map_err(|error| FunctionError::of_argument(index, error))?;
    // As in the reference, a set with unknown elements becomes a list of these elements.
    if !converted.is_wholly_known() && !converted.conforms_to(&parameter.ty) {
        // The reference counts variadic arguments from zero, so it names an earlier argument.
        let blamed = index.checked_sub(function.parameters.len()).unwrap_or(index);
        let (want, have) = (parameter.ty.constraint_name(), argument.ty().plain_name());
        let (want, have) = (with_article(&want), with_article(&have));
        return Err(FunctionError::argument(blamed, format!("{want} is required, not {have}")));
    }
    Ok(converted)
}

fn convert_arguments(
    function: &Function,
    arguments: Vec<Value>,
    env: &CallEnv<'_>,
) -> Result<Vec<Value>, FunctionError> {
    let count = arguments.len();
    if count < function.parameters.len() {
        return Err(FunctionError::new(match function.parameters.len() {
            1 => "an argument is needed".to_owned(),
            needed => format!("{needed} arguments are needed"),
        }));
    }
    if count > function.parameters.len() && function.variadic.is_none() {
        return Err(FunctionError::argument(function.parameters.len(), "one argument too many"));
    }
    let convert_one = |(index, argument): (usize, Value)| match function.parameter_at(index) {
        Some(Parameter { ty: Type::Dynamic, .. } | Parameter { is_unconverted: true, .. }) | None => {
            Ok(argument)
        }
        Some(parameter) if argument.is_plain(&parameter.ty) => Ok(argument),
        Some(parameter) => convert_argument(&argument, index, function, parameter, env.limits),
    };
    arguments.into_iter().enumerate().map(convert_one).collect()
}

/// The effect of the parameters' policies on the arguments of a call.
struct Admitted {
    /// The marks that were removed.
    marks: Marks,
    /// The origins of the unknown arguments that prevent a call of the body.
    origins: Origins,
    /// Whether an unknown argument prevents a call of the body.
    unknown: bool,
    /// Whether an argument of dynamic type prevents even the computation of the result type.
    untyped: bool,
}

fn admit(function: &Function, arguments: &mut [Value]) -> Result<Admitted, FunctionError> {
    let mut admitted =
        Admitted { marks: Marks::NONE, origins: Origins::NONE, unknown: false, untyped: false };
    for (index, argument) in arguments.iter_mut().enumerate() {
        // No policy applies to plain values, and most arguments are plain.
        if matches!(argument.kind(), ValueKind::String(_) | ValueKind::Number(_) | ValueKind::Bool(_)) {
            continue;
        }
        let Some(parameter) = function.parameter_at(index) else { continue };
        if !parameter.allow_marked && argument.contains_marked() {
            let (plain, marks) = argument.unmark_deep();
            *argument = plain;
            admitted.marks = admitted.marks.union(&marks);
        }
        // The reference checks no argument behind an argument of dynamic type.
        if argument.is_null() && !parameter.allow_null && !admitted.untyped {
            return Err(FunctionError::argument(index, "the argument must not be null"));
        }
        let Some(unknown) = argument.as_unknown() else {
            let untyped_null = argument.is_null() && argument.ty() == Type::Dynamic;
            admitted.untyped |= untyped_null && !parameter.allow_dynamic;
            continue;
        };
        if let Some(tuple) = parameter.any_kind.and_then(|agreement| unknown.as_tuple(agreement)) {
            let marks = argument.marks().clone();
            *argument = tuple.with_marks(&marks);
            continue;
        }
        if parameter.allow_open && !matches!(unknown.known, Known::Nothing) {
            continue;
        }
        let untyped = unknown.ty == Type::Dynamic && !parameter.allow_dynamic;
        if untyped || !parameter.allow_unknown {
            admitted.origins = admitted.origins.union(&unknown.origins);
        }
        admitted.untyped |= untyped;
        admitted.unknown |= !parameter.allow_unknown;
    }
    Ok(admitted)
}

impl Function {
    /// Returns the result of a call on the fast path: all arguments are wholly known, without marks and of the parameters'
    /// types, and so is the result. `None` if [`call`](crate::call()) must apply the rules, or if `may_work` does not allow
    /// the work for these arguments. Sets `work` to the work of the call.
    #[inline]
    pub fn call_plain(
        &self,
        arguments: &[Value],
        env: &CallEnv<'_>,
        work: &Cell<usize>,
        may_work: impl FnOnce(usize) -> bool,
    ) -> Option<Value> {
        work.set(self.cost.of(arguments));
        if work.get() > env.limits.work || !may_work(work.get()) || !self.takes_plain(arguments) {
            work.set(0);
            return None;
        }
        let marks = &Marks::NONE;
        let row = RowOfCall { name: &self.name, purity: self.purity };
        let computed;
        let result_type = match &self.result {
            ResultType::Fixed(ty) => ty,
            ResultType::Computed(compute) => {
                computed =
                    compute(&Call { row, arguments, result_type: &Type::Dynamic, marks, env, work }).ok()?;
                &computed
            }
        };
        let call = Call { row, arguments, result_type, marks, env, work };
        let is_allowed = |value: &Value| match value.plain_text() {
            Some(text) => text.len() <= env.limits.bytes,
            None => value.is_known() && !value.is_marked(),
        };
        // The value is moved only once: moves are a large part of the time of a short call.
        match (self.body)(&call) {
            Ok(value) if is_allowed(&value) => Some(value),
            Ok(_) | Err(_) => None,
        }
    }
}

impl Function {
    /// Calls like [`Function::call_plain`], with the [code for most calls](Direct). `None` if there is no such code for these
    /// arguments.
    #[inline(always)]
    pub fn call_direct(
        &self,
        arguments: &[&Value],
        limits: &Limits,
        work: &Cell<usize>,
        most: usize,
    ) -> Option<Value> {
        let most = most.min(limits.work);
        // The value is moved only once, as in `call_plain`.
        match (self.direct?, arguments) {
            (Direct::Text(compute), [text]) => {
                let text = text.plain_text()?;
                work.set(self.cost.of_extent(0, text.len()));
                if work.get() > most {
                    return None;
                }
                let is_allowed = |text: &SmolStr| text.len() <= limits.bytes;
                match compute(text) {
                    value if value.plain_text().is_none_or(is_allowed) => Some(value),
                    _ => None,
                }
            }
            (Direct::Objects(compute), [first, second]) => {
                let (first, second) = (first.plain_object()?, second.plain_object()?);
                let (elements, text) = first.plain_extent()?;
                let (more_elements, more_text) = second.plain_extent()?;
                work.set(self.cost.of_extent(elements + more_elements, text + more_text));
                if work.get() > most {
                    return None;
                }
                match compute(first, second) {
                    value if value.plain_object().is_some() => Some(value),
                    // The result would be too large.
                    _ => None,
                }
            }
            (Direct::Text(_) | Direct::Objects(_), _) => None,
        }
    }

    /// Whether no argument needs a conversion or a policy.
    #[inline]
    fn takes_plain(&self, arguments: &[Value]) -> bool {
        let (named, more) = arguments.split_at_checked(self.parameters.len()).unwrap_or((arguments, &[]));
        let has_type = |(argument, parameter): (&Value, &Parameter)| is_plain(argument, &parameter.ty);
        let more_have_type = |parameter: &Parameter| more.iter().all(|more| is_plain(more, &parameter.ty));
        named.iter().zip(&self.parameters).all(has_type)
            && (more.is_empty() || self.variadic.as_ref().is_some_and(more_have_type))
    }
}

/// Whether an argument needs no conversion and no policy for a parameter of type `ty`.
#[inline]
fn is_plain(argument: &Value, ty: &Type) -> bool {
    if matches!(ty, Type::Dynamic) {
        return argument.is_sound();
    }
    argument.is_plain(ty) || (argument.is_sound() && argument.ty() == *ty)
}
