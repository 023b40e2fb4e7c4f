//! A call as the body of a function sees it, and the error that it may return.

use std::cell::Cell;
use std::fmt;
use std::path::Path;

use terrane_source::FileError;
use terrane_value::{Mark, Marks, Origins, Path as ValuePath, Type, Value, ValueError};

use crate::env::CallEnv;

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
