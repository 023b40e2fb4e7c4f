use std::cell::Cell;
use std::fmt;
use std::path::Path;

use terrane_source::FileError;
use terrane_value::{
    Known, Mark, Marks, Origins, Path as ValuePath, Type, Value, ValueError, ValueKind, convert,
};

use crate::{CallEnv, Effort, Function, FunctionBody, Limits, Parameter, ResultType};

/// A call as the body of a function sees it.
pub struct Call<'c> {
    /// The arguments, converted to the types of their parameters.
    pub arguments: &'c [Value],
    /// The type of the result; while it is being computed, [`Type::Dynamic`].
    pub result_type: &'c Type,
    /// The marks that were taken off the arguments and come back on the result.
    pub marks: &'c Marks,
    /// What the function may see of the world.
    pub env: &'c CallEnv<'c>,
    /// What the call has taken up of [`Limits::work`] so far; see [`Call::spend`].
    pub(crate) work: &'c Cell<usize>,
}

impl Call<'_> {
    /// What it takes up of [`Limits::work`] to ask for a file.
    pub const WORK_OF_FILE: usize = 200;

    /// In each unit of work, so many bytes of a file are read and hashed at least.
    const FILE_BYTES_OF_WORK: usize = 16;

    /// The argument at `index`; null where there is none.
    pub fn argument(&self, index: usize) -> &Value {
        static NULL: Value = Value::NULL;
        self.arguments.get(index).unwrap_or(&NULL)
    }

    /// The arguments from `index` on.
    pub fn rest(&self, index: usize) -> &[Value] {
        self.arguments.get(index..).unwrap_or_default()
    }

    /// The string argument at `index`; empty where it is not a known string.
    pub fn string(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    /// The elements of the list, set or tuple argument at `index`; none where it is not a known one.
    pub fn sequence(&self, index: usize) -> &[Value] {
        self.argument(index).as_sequence().unwrap_or_default()
    }

    /// The unknown result that is unknown because of the arguments.
    pub fn unknown(&self) -> Value {
        let origins = self.arguments.iter().map(Value::origins_deep);
        let origins = origins.fold(Origins::NONE, |all, origins| all.union(&origins));
        Value::unknown_from(self.result_type.clone(), origins)
    }

    /// The string argument at `index` in quotes, for a message; a marked one is not shown.
    pub fn quoted(&self, index: usize) -> String {
        if self.may_show(index) {
            format!("{:?}", self.string(index))
        } else {
            "(sensitive value)".to_owned()
        }
    }

    /// Whether the argument at `index` may be shown in a message.
    pub fn may_show(&self, index: usize) -> bool {
        let shown = |marks: &Marks| {
            let mut marks = marks.as_slice().iter();
            marks.all(|mark| matches!(mark, Mark::Deprecated(_)))
        };
        // Marks that were taken off may have been those of this argument.
        shown(self.marks) && shown(self.argument(index).marks())
    }

    /// Counts work that is not seen from the size of the arguments, such as the bytes of a file that is read: one for each
    /// 60 nanoseconds that it takes, about. It counts for the call and for the run. It is counted before it is done, or, where
    /// only then is known how much it was, behind each part of it that cannot be long.
    ///
    /// # Errors
    ///
    /// Where the call has more to do now than [`Limits::work`] allow.
    pub fn spend(&self, work: usize) -> Result<(), FunctionError> {
        self.work.set(self.work.get().saturating_add(work));
        if self.work.get() > self.env.limits.work {
            return Err(FunctionError::new("the call would take more work than the limit"));
        }
        Ok(())
    }

    /// The content of the file `path`, which the argument at `index` names. To ask for it and to read it counts as work.
    ///
    /// # Errors
    ///
    /// Where the file is larger than the limits allow. That it cannot be read is for the function to say.
    pub fn read_file(&self, path: &Path, index: usize) -> Result<Result<Vec<u8>, FileError>, FunctionError> {
        self.spend(Call::WORK_OF_FILE)?;
        let content = match self.env.files.read(path) {
            Ok(content) => content,
            Err(error) => return Ok(Err(error)),
        };
        let work = content.len() / Call::FILE_BYTES_OF_WORK;
        if content.len() > self.env.limits.bytes || self.spend(work).is_err() {
            return Err(self.invalid(index, format!("the file {} is too large", self.quoted(index))));
        }
        Ok(Ok(content))
    }

    /// An error about the argument at `index`.
    pub fn invalid(&self, index: usize, message: impl Into<String>) -> FunctionError {
        FunctionError::argument(index, message)
    }

    /// The number argument at `index` as an `i64`.
    ///
    /// # Errors
    ///
    /// An error about the argument where it is not a whole number or is out of range.
    pub fn integer(&self, index: usize) -> Result<i64, FunctionError> {
        let number = self.argument(index).as_number();
        let whole = number.filter(|number| number.is_integer());
        whole
            .and_then(terrane_value::Number::to_i64)
            .ok_or_else(|| self.invalid(index, "a whole number in the range of 64 bits is required"))
    }
}

/// Why a function gave no result.
#[derive(Clone, Debug)]
pub struct FunctionError {
    /// The argument at fault, where one is.
    pub argument: Option<usize>,
    /// What is wrong, as a phrase that follows "the call failed: " or "invalid value for \"x\" parameter: ".
    pub message: String,
    /// The part of the argument at fault.
    pub path: ValuePath,
}

impl FunctionError {
    /// An error of the call as a whole.
    pub fn new(message: impl Into<String>) -> FunctionError {
        FunctionError { argument: None, message: message.into(), path: ValuePath::ROOT }
    }

    /// An error about the argument at `index`.
    pub fn argument(index: usize, message: impl Into<String>) -> FunctionError {
        FunctionError { argument: Some(index), message: message.into(), path: ValuePath::ROOT }
    }

    /// An error of a value operation, blamed on the argument at `index`.
    pub fn of_argument(index: usize, error: ValueError) -> FunctionError {
        FunctionError { argument: Some(index), message: error.message, path: error.path }
    }
}

impl From<ValueError> for FunctionError {
    fn from(error: ValueError) -> FunctionError {
        FunctionError { argument: None, message: error.message, path: error.path }
    }
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(f, "element {}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for FunctionError {}

/// Calls `function`: converts the arguments, applies the policy of each parameter, computes the result.
///
/// The number of arguments is the caller's business where it wants a diagnostic of its own for it.
///
/// # Errors
///
/// Where the number of arguments is wrong, an argument does not convert or is null, or the function fails.
pub fn call(function: &Function, arguments: Vec<Value>, env: &CallEnv<'_>) -> Result<Value, FunctionError> {
    let mut arguments = convert_arguments(function, arguments, env)?;
    call_converted(function, &mut arguments, env, &Cell::new(0), &mut |call| (function.body)(call))
}

/// As [`call()`], with as many arguments as the function takes, converted by the caller, and with a body that may
/// be another than the function's own: for functions that need more than [`CallEnv`]. Marks that the function does not
/// want to see are taken off the arguments. `work` is set to what the call takes up of [`Limits::work`].
///
/// # Errors
///
/// Where an argument is null that must not be, or `body` fails.
pub fn call_converted(
    function: &Function,
    arguments: &mut [Value],
    env: &CallEnv<'_>,
    work: &Cell<usize>,
    body: &mut FunctionBody,
) -> Result<Value, FunctionError> {
    work.set(function.effort.of(arguments));
    let admitted = admit(function, arguments)?;
    if admitted.untyped {
        let value = Value::unknown_from(Type::Dynamic, admitted.origins);
        return Ok(value.with_marks(&admitted.marks));
    }
    if work.get() > env.limits.work {
        let message = "the arguments are too large: the call would take more work than the limit";
        return Err(FunctionError::new(message));
    }
    let marks = &admitted.marks;
    let computed;
    let result_type = match &function.result {
        ResultType::Fixed(ty) => ty,
        ResultType::Computed(compute) => {
            computed = compute(&Call { arguments, result_type: &Type::Dynamic, marks, env, work })?;
            &computed
        }
    };
    let value = if admitted.unknown {
        Value::unknown_from(result_type.clone(), admitted.origins)
    } else {
        let value = body(&Call { arguments, result_type, marks, env, work })?;
        if value.text_bytes() > env.limits.bytes && value.as_str().is_some() {
            let most = env.limits.bytes;
            return Err(FunctionError::new(format!("the result would be longer than {most} bytes")));
        }
        value
    };
    // An unknown of dynamic type takes no refinement, as in the reference.
    let refined =
        function.never_null && value.as_unknown().is_some_and(|unknown| unknown.ty != Type::Dynamic);
    if !refined && marks.is_empty() {
        return Ok(value);
    }
    let value = if refined { value.not_null() } else { value };
    Ok(value.with_marks(marks))
}

/// The argument at `index` of `function`, converted to the type of `parameter`, unless that would be more work than `limits`
/// allow for a call: what is converted may become much longer.
///
/// # Errors
///
/// Where it does not convert or is too large. The error is about this argument, or about the one that the reference names. It
/// shows nothing of the value but its type.
pub fn convert_argument(
    argument: &Value,
    index: usize,
    function: &Function,
    parameter: &Parameter,
    limits: &Limits,
) -> Result<Value, FunctionError> {
    if Effort::Usual.of(std::slice::from_ref(argument)) > limits.work {
        return Err(FunctionError::argument(index, "it is too large to be converted"));
    }
    let converted = convert(argument, &parameter.ty);
    let converted = converted.map_err(|error| FunctionError::of_argument(index, error))?;
    // A set of which some elements are not known becomes a list with the elements of the set, as in the reference.
    if !converted.is_wholly_known() && !converted.conforms_to(&parameter.ty) {
        // The reference counts the arguments behind the others on their own and then names one of the others.
        let blamed = index.checked_sub(function.parameters.len()).unwrap_or(index);
        let (want, have) = (parameter.ty.constraint_name(), argument.ty().plain_name());
        return Err(FunctionError::argument(blamed, format!("a {want} is required, not a {have}")));
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
        Some(Parameter { ty: Type::Dynamic, .. }) | None => Ok(argument),
        Some(parameter) if argument.is_plain(&parameter.ty) => Ok(argument),
        Some(parameter) => convert_argument(&argument, index, function, parameter, env.limits),
    };
    arguments.into_iter().enumerate().map(convert_one).collect()
}

/// What the policy of the parameters says of the arguments.
struct Admitted {
    /// The marks that were taken off.
    marks: Marks,
    /// The causes of the unknown arguments that keep the body from being called.
    origins: Origins,
    /// Whether such an argument is there.
    unknown: bool,
    /// Whether an argument of dynamic type keeps even the result type from being known.
    untyped: bool,
}

fn admit(function: &Function, arguments: &mut [Value]) -> Result<Admitted, FunctionError> {
    let mut admitted =
        Admitted { marks: Marks::NONE, origins: Origins::NONE, unknown: false, untyped: false };
    for (index, argument) in arguments.iter_mut().enumerate() {
        // No policy is about plain values, which most arguments are.
        if matches!(argument.kind(), ValueKind::String(_) | ValueKind::Number(_) | ValueKind::Bool(_)) {
            continue;
        }
        let Some(parameter) = function.parameter_at(index) else { continue };
        if !parameter.allow_marked && argument.contains_marked() {
            let (plain, marks) = argument.unmark_deep();
            *argument = plain;
            admitted.marks = admitted.marks.union(&marks);
        }
        // Once an argument of dynamic type is met, the reference looks at no further argument.
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
