//! Marks: sensitive, ephemeral, deprecated and type.
//!
//! A [`Value`](crate::Value) carries [`Marks`]; an operation merges the marks of its operands.

use std::sync::{Arc, LazyLock};

use crate::SmolStr;
use crate::allocation::{COUNTERS, allocated};

/// A property of a value that spreads to results computed from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// The value must not be shown.
    Sensitive,
    /// The value is sensitive only because of its name: no schema says whether it is. [`Mark::Sensitive`] is always
    /// present as well. A value that is also made of a certainly sensitive value does not have this mark.
    SecretName,
    /// The value exists only during one run and must not be stored.
    Ephemeral,
    /// The value comes from a deprecated object, which the text names.
    Deprecated(SmolStr),
    /// The value stands for a type, or is made of such a value. Only the console has such values, while it evaluates.
    OfType,
    /// The value must not be shown, although the language does not treat it as sensitive: a provider computed it from a
    /// secret, or attribute names in it are secret. For an unknown value, only the names in its type are hidden.
    Hidden,
}

/// A set of marks, cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Marks {
    /// The marks, sorted and without duplicates; `None` if there are none.
    marks: Option<Arc<[Mark]>>,
}

impl Marks {
    /// No marks.
    pub const NONE: Marks = Marks { marks: None };

    /// Returns one mark.
    pub fn one(mark: Mark) -> Marks {
        Marks { marks: Some(Arc::from([mark])) }
    }

    /// Returns only the `sensitive` mark.
    pub fn sensitive() -> Marks {
        // One allocation serves all sensitive values.
        static SENSITIVE: LazyLock<Marks> = LazyLock::new(|| Marks::one(Mark::Sensitive));
        SENSITIVE.clone()
    }

    /// Returns the marks of a value whose name is the name of a secret.
    pub fn secret_name() -> Marks {
        Marks { marks: Some(Arc::from([Mark::Sensitive, Mark::SecretName])) }
    }

    /// Returns the approximate bytes of memory that no other value shares.
    pub(crate) fn own_bytes(&self) -> usize {
        match &self.marks {
            Some(marks) if Arc::strong_count(marks) == 1 => {
                allocated(COUNTERS + size_of_val::<[Mark]>(marks))
            }
            Some(_) | None => 0,
        }
    }

    /// Returns the marks in order.
    pub fn as_slice(&self) -> &[Mark] {
        self.marks.as_deref().unwrap_or_default()
    }

    /// Whether there are no marks.
    pub fn is_empty(&self) -> bool {
        self.marks.is_none()
    }

    /// Whether `mark` is among them.
    pub fn contains(&self, mark: &Mark) -> bool {
        self.as_slice().contains(mark)
    }

    /// Whether a known value with these marks is hidden in all outputs.
    pub fn is_secret(&self) -> bool {
        self.is_closed() || self.contains(&Mark::Hidden)
    }

    /// Whether the language treats a value with these marks as sensitive or ephemeral.
    pub fn is_closed(&self) -> bool {
        self.contains(&Mark::Sensitive) || self.contains(&Mark::Ephemeral)
    }

    /// Returns the marks of both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Marks) -> Marks {
        if other.is_empty() {
            self.clone()
        } else if self.is_empty() {
            other.clone()
        } else {
            self.union_of_some(other)
        }
    }

    fn union_of_some(&self, other: &Marks) -> Marks {
        if self == other {
            return self.clone();
        }
        let mut marks: Vec<Mark> = self.as_slice().iter().chain(other.as_slice()).cloned().collect();
        marks.sort_unstable();
        marks.dedup();
        if self.is_certainly_sensitive() || other.is_certainly_sensitive() {
            marks.retain(|mark| *mark != Mark::SecretName);
        }
        Marks { marks: Some(Arc::from(marks)) }
    }

    fn is_certainly_sensitive(&self) -> bool {
        self.contains(&Mark::Sensitive) && !self.contains(&Mark::SecretName)
    }

    /// Returns the marks without `mark`. Without [`Mark::Sensitive`], a value is not sensitive
    /// because of its name either.
    #[must_use]
    pub fn without(&self, mark: &Mark) -> Marks {
        let is_kept =
            |kept: &&Mark| *kept != mark && (*mark != Mark::Sensitive || **kept != Mark::SecretName);
        let marks: Vec<Mark> = self.as_slice().iter().filter(is_kept).cloned().collect();
        if marks.is_empty() { Marks::NONE } else { Marks { marks: Some(Arc::from(marks)) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_and_without() {
        let both = Marks::sensitive().union(&Marks::one(Mark::Ephemeral));
        assert_eq!(both.as_slice(), [Mark::Sensitive, Mark::Ephemeral]);
        assert_eq!(both.without(&Mark::Ephemeral), Marks::sensitive());
        assert!(Marks::sensitive().without(&Mark::Sensitive).is_empty());
        assert!(Marks::secret_name().without(&Mark::Sensitive).is_empty());
        assert_eq!(size_of::<Marks>(), 16);
    }

    #[test]
    fn a_certain_mark_counts_before_a_name() {
        let (certain, by_name) = (Marks::sensitive(), Marks::secret_name());
        assert_eq!(certain.union(&by_name), certain);
        assert_eq!(by_name.union(&certain), certain);
        let ephemeral = by_name.union(&Marks::one(Mark::Ephemeral));
        assert!(ephemeral.contains(&Mark::SecretName));
        assert_eq!(ephemeral.union(&certain).as_slice(), [Mark::Sensitive, Mark::Ephemeral]);
    }
}
