//! The cache of values that are the same in all instances of a block.
//!
//! The instances of a block with `count` or `for_each` evaluate the same expressions in scopes that differ in a few
//! names: `count`, `each`, `self`. Large expressions without these names are evaluated once. The key of an entry has
//! the version of the file, the span and the expression, so the cache stays valid while files are edited.

use std::collections::HashMap;
use std::sync::Mutex;

use foldhash::fast::RandomState;
use terrane_source::{SourceVersion, Span};
use terrane_syntax::ExprId;
use terrane_value::{OpenElements, Unification, Value, ValueKind};

/// Values that are the same in all scopes that differ only in a few names: values of loops, conditionals and calls of
/// pure functions, without errors.
#[derive(Debug)]
pub struct InstanceCache {
    /// The names in which the scopes differ.
    varying: &'static [&'static str],
    /// Whether the evaluator keeps only values of costly evaluations in it.
    is_for_costly: bool,
    values: Mutex<HashMap<ExprKey, Cached, RandomState>>,
    /// The variance of the last outermost expression.
    variance: Mutex<Option<Variance>>,
    /// Long sequences, each with its elements as a provider would return them unchanged.
    sequences: Mutex<Vec<(Value, Elements)>>,
    /// Long results of conditionals, each with its conversion.
    conversions: Mutex<Vec<Conversion>>,
}

type Elements = Option<OpenElements>;

#[derive(Debug)]
struct Conversion {
    value: Value,
    unification: Unification,
    converted: Value,
}

/// Shorter sequences are not worth caching.
pub const FEWEST_CACHED: usize = 32;

/// Limit on the cached sequences. Sequences that differ from instance to instance count as well, although
/// they are never read again.
const MAX_SEQUENCES: usize = 64;

/// Identifies an expression of a file. Several trees may contain it: a JSON string is parsed each time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ExprKey {
    pub(crate) file: SourceVersion,
    pub(crate) span: Span,
    pub(crate) id: ExprId,
}

/// An entry for an expression.
#[derive(Clone, Debug)]
pub(crate) enum Cached {
    Value(Value),
    /// The value differs from instance to instance, or has an error, which each instance reports.
    Never,
}

/// The parts of an outermost expression that differ from instance to instance.
#[derive(Debug)]
pub(crate) struct Variance {
    pub(crate) file: SourceVersion,
    /// The outermost expression.
    pub(crate) span: Span,
    /// The number of names bound around it.
    pub(crate) bound: usize,
    /// The start offsets of the parts that differ, in ascending order.
    pub(crate) varying: Vec<u32>,
}

impl Variance {
    fn contains(&self, file: SourceVersion, span: Span, bound: usize) -> bool {
        let is_within = self.span.start <= span.start && span.end <= self.span.end;
        self.file == file && self.bound == bound && is_within
    }

    /// Whether the expression at `span` is the same in all instances.
    fn is_invariant(&self, span: Span) -> bool {
        let before = self.varying.partition_point(|start| *start < span.start);
        self.varying.get(before).is_none_or(|start| *start >= span.end)
    }
}

impl InstanceCache {
    /// Returns a cache for scopes that differ in the names `varying`.
    pub fn except(varying: &'static [&'static str]) -> InstanceCache {
        InstanceCache {
            varying,
            is_for_costly: false,
            values: Mutex::default(),
            variance: Mutex::default(),
            sequences: Mutex::default(),
            conversions: Mutex::default(),
        }
    }

    /// Does the same as [`InstanceCache::except`], but keeps only values whose evaluation takes many more steps than
    /// its text has bytes. Keeping any other value takes longer than evaluating it again.
    pub fn of_costly_except(varying: &'static [&'static str]) -> InstanceCache {
        InstanceCache { is_for_costly: true, ..InstanceCache::except(varying) }
    }

    /// Whether only the values of costly evaluations are kept.
    pub(crate) fn is_for_costly(&self) -> bool {
        self.is_for_costly
    }

    /// Takes over the values of another cache for the same scopes, costly or not.
    pub fn adopt(&self, other: InstanceCache) {
        if let (Ok(mut values), Ok(others)) = (self.values.lock(), other.values.into_inner()) {
            // Each key has one value.
            values.extend(others.into_iter().filter(|(_, value)| matches!(value, Cached::Value(_))));
        }
    }

    /// Returns the names in which the scopes differ.
    pub(crate) fn varying(&self) -> &'static [&'static str] {
        self.varying
    }

    pub(crate) fn get(&self, key: ExprKey) -> Option<Cached> {
        self.values.lock().ok()?.get(&key).cloned()
    }

    pub(crate) fn set(&self, key: ExprKey, value: Cached) {
        if let Ok(mut values) = self.values.lock() {
            values.insert(key, value);
        }
    }

    /// Whether an expression is the same in all instances. `bound` names are bound around it. `find` computes the
    /// variance of an outermost expression.
    pub(crate) fn is_invariant(&self, key: ExprKey, bound: usize, find: impl FnOnce() -> Variance) -> bool {
        let Ok(mut last) = self.variance.lock() else { return false };
        if !last.as_ref().is_some_and(|last| last.contains(key.file, key.span, bound)) {
            *last = Some(find());
        }
        last.as_ref().is_some_and(|variance| variance.is_invariant(key.span))
    }

    /// Returns a result of a conditional in its common type. `convert` computes it, only once for each long tuple.
    pub(crate) fn converted(
        &self,
        value: &Value,
        unification: &Unification,
        convert: impl FnOnce() -> Result<Value, String>,
    ) -> Result<Value, String> {
        // The type of a tuple follows from its elements, so tuples of identical elements have equal conversions.
        let ValueKind::Tuple(elements) = value.kind() else { return convert() };
        let conversions = self.conversions.lock().ok().filter(|_| elements.len() >= FEWEST_CACHED);
        let Some(mut conversions) = conversions else { return convert() };
        match conversions.iter().find(|conversion| is_identical(&conversion.value, elements)) {
            Some(cached) if cached.unification == *unification => Ok(cached.converted.clone()),
            None if conversions.len() < MAX_SEQUENCES => {
                let converted = convert()?;
                conversions.push(Conversion {
                    value: value.clone(),
                    unification: unification.clone(),
                    converted: converted.clone(),
                });
                Ok(converted)
            }
            Some(_) | None => convert(),
        }
    }

    /// Returns the result of `elements` for a sequence, computed once for each.
    pub fn elements(
        &self,
        sequence: &Value,
        elements: impl FnOnce(&[Value]) -> Option<Vec<Value>>,
    ) -> Option<OpenElements> {
        let all = sequence.as_sequence()?;
        let mut sequences = self.sequences.lock().ok()?;
        if let Some((_, cached)) = sequences.iter().find(|(cached, _)| is_identical(cached, all)) {
            return cached.clone();
        }
        if sequences.len() >= MAX_SEQUENCES {
            return None;
        }
        let elements = elements(all).map(OpenElements::from);
        sequences.push((sequence.clone(), elements.clone()));
        elements
    }
}

/// Whether a cached sequence consists of these very elements. The cache keeps the sequence alive, so its
/// memory cannot be reused.
fn is_identical(cached: &Value, elements: &[Value]) -> bool {
    cached.as_sequence().is_some_and(|cached| std::ptr::eq(cached, elements))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use terrane_source::{FileId, SourceFile};
    use terrane_value::{Type, convert};

    use super::*;

    #[test]
    fn long_tuples_are_converted_once() {
        for (length, wanted) in [(FEWEST_CACHED - 1, 2), (FEWEST_CACHED, 1)] {
            let cache = InstanceCache::except(&["count"]);
            let tuple = Value::tuple(vec![Value::from(1); length]);
            let list = Type::list(Type::String);
            let unification = Unification::from(list.clone());
            let conversions = Cell::new(0);
            for _ in 0..2 {
                let converted = cache.converted(&tuple, &unification, || {
                    conversions.set(conversions.get() + 1);
                    convert(&tuple, &list).map_err(|error| error.message)
                });
                assert_eq!(converted.map(|value| value.ty()), Ok(list.clone()));
            }
            assert_eq!(conversions.get(), wanted, "{length} elements");
        }
    }

    #[test]
    fn variance_is_found_by_span() {
        let [file, other] = ["a", "b"].map(|name| SourceFile::new(FileId::new(name), "").version());
        let variance = Variance { file, span: Span::new(10, 50), bound: 0, varying: vec![20, 30] };
        assert!(variance.contains(file, Span::new(10, 12), 0));
        let outside = [(other, 10, 12, 0), (file, 9, 12, 0), (file, 12, 51, 0), (file, 10, 12, 1)];
        for (file, start, end, bound) in outside {
            assert!(!variance.contains(file, Span::new(start, end), bound));
        }
        for (start, end, is_invariant) in [
            (10, 50, false),
            (10, 20, true),
            (10, 21, false),
            (20, 25, false),
            (21, 30, true),
            (31, 50, true),
        ] {
            assert_eq!(variance.is_invariant(Span::new(start, end)), is_invariant, "{start} to {end}");
        }
    }
}
