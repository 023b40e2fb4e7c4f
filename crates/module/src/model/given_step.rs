//! [`GivenStep`]: a step on the path to a part for which a value is given.

use terrane_value::{PathStep, SmolStr};

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GivenStep {
    /// An attribute of an object. After a list, the attribute of each of its objects.
    Name(SmolStr),
    /// An element of a list.
    Element(usize),
}

impl GivenStep {
    /// Returns the name of the attribute.
    pub fn name(&self) -> Option<&SmolStr> {
        match self {
            GivenStep::Name(name) => Some(name),
            GivenStep::Element(_) => None,
        }
    }

    /// Returns the step of a path.
    pub(crate) fn path_step(&self) -> PathStep {
        match self {
            GivenStep::Name(name) => PathStep::Attribute(name.as_str().into()),
            GivenStep::Element(at) => PathStep::element(*at),
        }
    }
}
