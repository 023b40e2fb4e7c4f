//! A call as the body of a function sees it, and the error that the body may return.

use std::cell::Cell;
use std::fmt;
use std::path::Path;

use terrane_source::{FileError, FileErrorKind};
use terrane_value::{Mark, Marks, OriginKind, Origins, Path as ValuePath, Type, Value, ValueError};

use crate::env::CallEnv;
use crate::purity::Purity;

/// The arguments and the environment of one call, for the body of a function.
pub struct Call<'c> {
    /// The function.
    pub(crate) row: RowOfCall<'c>,
    /// The arguments, converted to the types of their parameters.
    pub arguments: &'c [Value],
    /// The type of the result; [`Type::Dynamic`] while the result type is computed.
    pub result_type: &'c Type,
    /// The marks that were removed from the arguments and are put on the result.
    pub marks: &'c Marks,
    /// Files, clock and other inputs beside the arguments.
    pub env: &'c CallEnv<'c>,
    /// The work that the call has spent of [`Limits::work`](crate::Limits::work); see [`Call::spend`].
    pub(crate) work: &'c Cell<usize>,
}

/// The facts in a function's row that the result of a call may depend on.
#[derive(Clone, Copy)]
pub(crate) struct RowOfCall<'c> {
    pub(crate) name: &'c str,
    pub(crate) purity: Purity,
}

impl Call<'_> {
    /// The work of one file system request, in units of [`Limits::work`](crate::Limits::work).
    pub const WORK_OF_FILE: usize = 1000;

    /// The minimum number of bytes that a unit of work reads and hashes.
    pub const FILE_BYTES_OF_WORK: usize = 4;

    /// The argument at `index`, or null if the call has fewer arguments.
    pub fn argument(&self, index: usize) -> &Value {
        static NULL: Value = Value::NULL;
        self.arguments.get(index).unwrap_or(&NULL)
    }

    /// The arguments from `index` on.
    pub fn rest(&self, index: usize) -> &[Value] {
        self.arguments.get(index..).unwrap_or_default()
    }

    /// The string argument at `index`, or an empty string if it is not a known string.
    pub fn string(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    /// Returns the elements of the list, set or tuple argument at `index`, or no elements if it is not a known sequence.
    pub fn sequence(&self, index: usize) -> &[Value] {
        self.argument(index).as_sequence().unwrap_or_default()
    }

    /// Returns an unknown result with the origins of all arguments.
    pub fn unknown(&self) -> Value {
        let parts = self.arguments.iter().filter(|argument| !argument.is_wholly_known()).map(Value::size);
        self.work.set(parts.fold(self.work.get(), usize::saturating_add));
        let origins = self.arguments.iter().map(Value::origins_deep);
        let origins = origins.fold(Origins::NONE, |all, origins| all.union(&origins));
        Value::unknown_from(self.result_type.clone(), origins)
    }

    /// Returns the unknown result of a call that lacks an input other than its arguments: a clock, random numbers, the
    /// environment. The purity of the function decides whether a plan would know the result.
    pub fn unknown_input(&self) -> Value {
        let kind = match self.row.purity {
            Purity::Pure | Purity::Run => OriginKind::RunFunction,
            Purity::Call => OriginKind::ImpureFunction,
        };
        let origins = Origins::one(kind, self.row.name);
        Value::unknown_from(self.result_type.clone(), origins)
    }

    /// The string argument at `index` in quotes for a diagnostic; sensitive values are hidden.
    pub fn quoted(&self, index: usize) -> String {
        if self.may_show(index) {
            format!("{:?}", beginning(self.string(index)))
        } else {
            "(sensitive value)".to_owned()
        }
    }

    /// Whether a diagnostic may show the argument at `index`.
    pub fn may_show(&self, index: usize) -> bool {
        let shown = |marks: &Marks| {
            let mut marks = marks.as_slice().iter();
            marks.all(|mark| matches!(mark, Mark::Deprecated(_)))
        };
        // Marks that were removed from the arguments may come from this argument.
        shown(self.marks) && shown(self.argument(index).marks())
    }

    /// Checks the length in bytes of a string that the function is about to make.
    ///
    /// # Errors
    ///
    /// If the string is longer than [`Limits::text_of_call`](crate::Limits::text_of_call).
    pub fn check_length(&self, bytes: usize) -> Result<(), FunctionError> {
        let most = self.env.limits.text_of_call();
        if bytes > most {
            return Err(FunctionError::new(format!("the result would be longer than {most} bytes")));
        }
        Ok(())
    }

    /// Counts work that the size of the arguments does not show, such as the bytes of a file: one unit for about 60
    /// nanoseconds. It counts for the call and for the run. Callers count work before they do it. If the amount is only known
    /// afterwards, they count after each part that is certain to be short.
    ///
    /// # Errors
    ///
    /// If the call exceeds [`Limits::work`](crate::Limits::work).
    pub fn spend(&self, work: usize) -> Result<(), FunctionError> {
        self.work.set(self.work.get().saturating_add(work));
        if self.work.get() > self.env.limits.work {
            let message = "the call would take more work than the limit that `--max-steps` raises";
            return Err(FunctionError::new(message));
        }
        Ok(())
    }

    /// Reads the file `path`, which the argument at `index` names. The request and the bytes count as work.
    ///
    /// # Errors
    ///
    /// If the file is larger than the limits allow. The inner result tells whether the file could be read.
    pub fn read_file(&self, path: &Path, index: usize) -> Result<Result<Vec<u8>, FileError>, FunctionError> {
        self.spend(Call::WORK_OF_FILE)?;
        let too_large = || {
            let limit = "the limits that `--max-memory` and `--max-steps` raise";
            self.invalid(index, format!("the file {} is too large for {limit}", self.quoted(index)))
        };
        let content = match self.env.files.read_within(path, self.env.limits.bytes as u64) {
            Ok(content) => content,
            Err(FileError { kind: FileErrorKind::TooLarge { .. }, .. }) => return Err(too_large()),
            Err(error) => return Ok(Err(error)),
        };
        let work = content.len() / Call::FILE_BYTES_OF_WORK;
        if self.spend(work).is_err() {
            return Err(too_large());
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
    /// An error about the argument if it is not a whole number or is out of range.
    pub fn integer(&self, index: usize) -> Result<i64, FunctionError> {
        let number = self.argument(index).as_number();
        let whole = number.filter(|number| number.is_integer());
        whole
            .and_then(terrane_value::Number::to_i64)
            .ok_or_else(|| self.invalid(index, "a whole number in the range of 64 bits is required"))
    }
}

/// Returns the beginning of a text that a message quotes. A message about a call shows at most 1,000 characters, and quoting
/// takes as long as the text.
pub fn beginning(text: &str) -> &str {
    const MOST: usize = 1001;
    if text.len() <= MOST {
        return text;
    }
    text.char_indices().nth(MOST).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The reason why a function returned no result.
#[derive(Clone, Debug)]
pub struct FunctionError {
    /// The index of the argument that caused the error, if it is a single one.
    pub argument: Option<usize>,
    /// A phrase that follows "the call failed: " or "invalid value for \"x\" parameter: ".
    pub message: String,
    /// The part of the argument that caused the error.
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

    /// An error of a value operation, reported for the argument at `index`.
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
