//! Paths into a value.
//!
//! Conversion errors carry a [`Path`] that diagnostics print.

use std::fmt;

use crate::quote::literal;
use crate::{Number, Value};

/// A step into a value.
#[derive(Clone, Debug)]
pub enum PathStep {
    /// An attribute of an object.
    Attribute(Box<str>),
    /// An element of a list, tuple or map, or of a set (by the element itself).
    Index(Value),
}

impl PathStep {
    /// The step to the element of a list or tuple at a position, from 0.
    pub fn element(position: usize) -> PathStep {
        PathStep::Index(Value::number(Number::counted(i64::try_from(position).unwrap_or(i64::MAX))))
    }

    /// Returns the name of the attribute, or the key of the element of a map.
    pub fn name(&self) -> Option<&str> {
        match self {
            PathStep::Attribute(name) => Some(name),
            PathStep::Index(key) => key.as_str(),
        }
    }
}

/// Steps from a value to one of its parts, displayed as they would be written: `.a[0]["k"]`.
#[derive(Clone, Default, Debug)]
pub struct Path(Vec<PathStep>);

impl Path {
    /// The path to the value itself.
    pub const ROOT: Path = Path(Vec::new());

    /// Returns the steps from the root on.
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// Whether the path has no steps.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: PathStep) {
        self.0.push(step);
    }

    /// Returns the path with another step at the end.
    #[must_use]
    pub fn with(mut self, step: PathStep) -> Path {
        self.0.push(step);
        self
    }

    /// Cuts the path before the first marked value: keys inside may not be shown.
    #[must_use]
    pub fn outside_of_marks(mut self, value: &Value) -> Path {
        let mut part = Some(value);
        let seen = self.0.iter().position(|step| {
            let Some(value) = part else { return false };
            part = match step {
                PathStep::Attribute(name) => value.as_entries().and_then(|entries| entries.get(name)),
                PathStep::Index(key) => match (key.as_str(), key.as_number().and_then(Number::to_i64)) {
                    (Some(key), _) => value.as_entries().and_then(|entries| entries.get(key)),
                    (None, Some(index)) => usize::try_from(index).ok().and_then(|index| value.nth(index)),
                    (None, None) => None,
                },
            };
            value.is_marked()
        });
        self.0.truncate(seen.unwrap_or(self.0.len()));
        self
    }

    /// Adds `step` before the first step. Each value around an error adds its step to the path of the error.
    #[must_use]
    pub fn behind(mut self, step: PathStep) -> Path {
        self.0.insert(0, step);
        self
    }
}

/// Returns the steps after the address of an object, in the address of the object or of a part of it,
/// as [`Path`] prints them.
///
/// ```
/// use terrane_value::steps_behind;
///
/// assert_eq!(steps_behind("demo.a.tags[0]", "demo.a"), Some(".tags[0]"));
/// assert_eq!(steps_behind("demo.a", "demo.a"), Some(""));
/// assert_eq!(steps_behind("demo.ab", "demo.a"), None);
/// ```
pub fn steps_behind<'a>(address: &'a str, object: &str) -> Option<&'a str> {
    address.strip_prefix(object).filter(|steps| steps.is_empty() || steps.starts_with(['.', '[']))
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                PathStep::Attribute(name) => write!(f, ".{name}")?,
                PathStep::Index(key) => match (key.as_str(), key.as_number()) {
                    (Some(key), _) => write!(f, "[{}]", literal(key))?,
                    (None, Some(index)) => write!(f, "[{index}]")?,
                    (None, None) => f.write_str("[...]")?,
                },
            }
        }
        Ok(())
    }
}
