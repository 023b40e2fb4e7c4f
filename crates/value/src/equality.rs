//! Compares values: identity ([`Value::same`]), the equality of the `==` operator ([`Value::equals`]) and conformance of a
//! value to a type ([`Value::conforms_to`]).
//!
//! Comparison uses a work list instead of recursion, because values may be deep.

use std::cmp::Ordering;
use std::iter::Zip;
use std::slice;

use crate::{Bound, Entries, Known, Refinement, Type, Unknown, Value, ValueKind};

impl Value {
    /// Whether the value is of the type, or of a type that its dynamic parts can become.
    pub fn conforms_to(&self, ty: &Type) -> bool {
        self.ty().conforms_to(ty)
    }

    /// Whether both have the same type, marks, refinements and content. Origins are ignored.
    pub fn same(&self, other: &Value) -> bool {
        self.ty() == other.ty() && same_content(self, other)
    }

    /// Whether both values are the same in every detail: [`Value::same`], and equal precisions of
    /// numbers and equal origins.
    pub fn is_identical(&self, other: &Value) -> bool {
        self.same(other) && has_same_details(self, other)
    }

    /// Whether both are equal according to `==`; `None` if that is unknown. Nulls of any types are equal,
    /// values of different types are not, and no value is converted. Marks are ignored; see
    /// [`crate::ops::equal`] for a result with marks.
    pub fn equals(&self, other: &Value) -> Option<bool> {
        compare(self.unmarked(), other.unmarked())
    }
}

fn same_content(left: &Value, right: &Value) -> bool {
    match (left.kind(), right.kind()) {
        (ValueKind::Bool(left), ValueKind::Bool(right)) => left == right,
        (ValueKind::Number(left), ValueKind::Number(right)) => left == right,
        (ValueKind::String(left), ValueKind::String(right)) => left == right,
        (ValueKind::List(left), ValueKind::List(right))
        | (ValueKind::Set(left), ValueKind::Set(right))
        | (ValueKind::Tuple(left), ValueKind::Tuple(right)) => same_elements(left, right),
        (ValueKind::Map(left), ValueKind::Map(right))
        | (ValueKind::Object(left), ValueKind::Object(right)) => same_entries(left, right),
        (ValueKind::Null(left), ValueKind::Null(right)) => left == right,
        (ValueKind::Unknown(left), ValueKind::Unknown(right)) => {
            left.refinement == right.refinement && same_known(left, right)
        }
        (ValueKind::Marked(left, left_marks), ValueKind::Marked(right, right_marks)) => {
            left_marks == right_marks && same_content(left, right)
        }
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => false,
    }
}

/// Whether two values that are the same have the same precisions and origins.
fn has_same_details(left: &Value, right: &Value) -> bool {
    let elements = |left: &[Value], right: &[Value]| {
        std::ptr::eq(left, right) || left.iter().zip(right).all(|(left, right)| has_same_details(left, right))
    };
    let entries =
        |left: &Entries, right: &Entries| elements(left.values().as_slice(), right.values().as_slice());
    match (left.kind(), right.kind()) {
        (ValueKind::Number(left), ValueKind::Number(right)) => left.is_identical(right),
        (ValueKind::List(left), ValueKind::List(right))
        | (ValueKind::Set(left), ValueKind::Set(right))
        | (ValueKind::Tuple(left), ValueKind::Tuple(right)) => elements(left, right),
        (ValueKind::Map(left), ValueKind::Map(right))
        | (ValueKind::Object(left), ValueKind::Object(right)) => entries(left, right),
        (ValueKind::Marked(left, _), ValueKind::Marked(right, _)) => has_same_details(left, right),
        (ValueKind::Unknown(left), ValueKind::Unknown(right)) => {
            left.ty == right.ty
                && left.origins == right.origins
                && match (&left.known, &right.known) {
                    (Known::Object(left), Known::Object(right)) => entries(left, right),
                    (Known::Sequence(left), Known::Sequence(right)) => elements(left, right),
                    (Known::Nothing | Known::Object(_) | Known::Sequence(_), _) => true,
                }
        }
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => true,
    }
}

fn same_elements(left: &[Value], right: &[Value]) -> bool {
    // A shared part is the same as itself.
    std::ptr::eq(left, right)
        || (left.len() == right.len()
            && left.iter().zip(right).all(|(left, right)| same_content(left, right)))
}

fn has_same_keys(left: &Entries, right: &Entries) -> bool {
    left.shape().is(right.shape()) || left.shape().keys() == right.shape().keys()
}

fn same_entries(left: &Entries, right: &Entries) -> bool {
    has_same_keys(left, right) && same_elements(left.values().as_slice(), right.values().as_slice())
}

fn same_known(left: &Unknown, right: &Unknown) -> bool {
    match (&left.known, &right.known) {
        (Known::Nothing, Known::Nothing) => true,
        (Known::Object(left), Known::Object(right)) => same_entries(left, right),
        (Known::Sequence(left), Known::Sequence(right)) => same_elements(left, right),
        (Known::Nothing | Known::Object(_) | Known::Sequence(_), _) => false,
    }
}

/// The knowledge about the types of two compared values.
#[derive(Clone, Copy, PartialEq)]
enum Types {
    Unseen,
    /// They are equal and cannot change any more. The types of the parts are then equal, too, and not compared again.
    Equal,
}

/// The outcome of a comparison step: a result, or pairs of parts still to compare.
enum Step<'v> {
    Decided(Option<bool>),
    Parts(UncomparedPairs<'v>),
}

/// The pairs of parts that have not been compared yet.
enum UncomparedPairs<'v> {
    Elements(Zip<slice::Iter<'v, Value>, slice::Iter<'v, Value>>),
    Entries { pairs: Zip<slice::Iter<'v, Value>, slice::Iter<'v, Value>>, all: Option<bool> },
}

impl<'v> UncomparedPairs<'v> {
    /// Returns the next pair, or the result; `last` is the result of the previous pair.
    fn next(&mut self, last: Option<bool>) -> Result<(&'v Value, &'v Value), Option<bool>> {
        match self {
            // The first pair that is not certainly equal decides, as in the reference.
            UncomparedPairs::Elements(_) if last != Some(true) => Err(last),
            UncomparedPairs::Elements(pairs) => pairs.next().ok_or(Some(true)),
            // Entries have no order, so one pair that certainly differs is enough.
            UncomparedPairs::Entries { .. } if last == Some(false) => Err(last),
            UncomparedPairs::Entries { pairs, all } => {
                *all = all.and(last);
                pairs.next().ok_or(*all)
            }
        }
    }
}

/// Compares two values. The comparisons around a pair are in a list, so nesting takes no stack.
fn compare(left: &Value, right: &Value) -> Option<bool> {
    let mut around: Vec<UncomparedPairs<'_>> = Vec::new();
    let mut step = begin(left, right, Types::Unseen);
    loop {
        let mut decided = match step {
            Step::Decided(decided) => decided,
            Step::Parts(parts) => {
                around.push(parts);
                Some(true)
            }
        };
        step = loop {
            let Some(parts) = around.last_mut() else { return decided };
            match parts.next(decided) {
                Ok((left, right)) => break begin(left.unmarked(), right.unmarked(), Types::Equal),
                Err(whole) => decided = whole,
            }
            around.pop();
        };
    }
}

fn begin<'v>(left: &'v Value, right: &'v Value, types: Types) -> Step<'v> {
    if (left.is_null() && right.is_never_null()) || (right.is_null() && left.is_never_null()) {
        return Step::Decided(Some(false));
    }
    match (left.as_unknown(), right.as_unknown()) {
        (None, None) => begin_known(left, right, types),
        (Some(_), Some(_)) => Step::Decided(None),
        (None, Some(unknown)) => Step::Decided(compare_with_unknown(left, unknown)),
        (Some(unknown), None) => Step::Decided(compare_with_unknown(right, unknown)),
    }
}

/// Compares a known and an unknown value: they are not equal if the unknown value cannot become the known one.
fn compare_with_unknown(known: &Value, unknown: &Unknown) -> Option<bool> {
    if known.is_null() {
        return None;
    }
    let ty = known.ty();
    let possible = ty.conforms_to(&unknown.ty)
        && !excludes(&unknown.refinement, known)
        && (unknown.ty.has_dynamic() || ty == unknown.ty);
    if possible { None } else { Some(false) }
}

/// Whether a known value that is not null contradicts the refinement of an unknown value of its type.
fn excludes(refinement: &Refinement, value: &Value) -> bool {
    if let (Some(prefix), Some(text)) = (&refinement.prefix, value.as_str()) {
        return !text.starts_with(&**prefix);
    }
    if let Some(number) = value.as_number() {
        let outside = |bound: &Option<Bound>, beyond: Ordering| {
            bound.as_ref().is_some_and(|bound| match number.compare(&bound.number) {
                Ordering::Equal => !bound.is_inclusive,
                order @ (Ordering::Less | Ordering::Greater) => order == beyond,
            })
        };
        return outside(&refinement.min, Ordering::Less) || outside(&refinement.max, Ordering::Greater);
    }
    let Some((fewest, most)) = length_range(value) else { return false };
    most < refinement.length_min || refinement.length_max.is_some_and(|max| fewest > max)
}

/// Returns the fewest and the most elements that a known collection can have in the end: unknown elements of a set may
/// turn out to be equal to others.
pub(crate) fn length_range(value: &Value) -> Option<(u64, u64)> {
    match value.unmarked().kind() {
        ValueKind::List(elements) => Some((elements.len() as u64, elements.len() as u64)),
        ValueKind::Map(entries) => Some((entries.len() as u64, entries.len() as u64)),
        ValueKind::Set(elements) => {
            let most = elements.len() as u64;
            Some((if value.is_wholly_known() { most } else { most.min(1) }, most))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => None,
    }
}

/// Whether both values are one list, set or tuple in memory, as parts are that occur many times in a value.
fn has_same_sequence(left: &Value, right: &Value) -> bool {
    match (left.kind(), right.kind()) {
        (ValueKind::List(left), ValueKind::List(right))
        | (ValueKind::Set(left), ValueKind::Set(right))
        | (ValueKind::Tuple(left), ValueKind::Tuple(right)) => !left.is_empty() && std::ptr::eq(left, right),
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => false,
    }
}

fn begin_known<'v>(left: &'v Value, right: &'v Value, types: Types) -> Step<'v> {
    let decided = |equal| Step::Decided(Some(equal));
    match (left.kind(), right.kind()) {
        (ValueKind::Null(_), ValueKind::Null(_)) => return decided(true),
        (ValueKind::Null(_), _) | (_, ValueKind::Null(_)) => return decided(false),
        (ValueKind::Bool(left), ValueKind::Bool(right)) => return decided(left == right),
        (ValueKind::Number(left), ValueKind::Number(right)) => return decided(left == right),
        (ValueKind::String(left), ValueKind::String(right)) => return decided(left == right),
        (ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_), _) => return decided(false),
        (
            ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => {}
    }
    if left.is_wholly_known() && has_same_sequence(left, right) {
        return decided(true);
    }
    if types == Types::Unseen
        && let Some(decided) = compare_types(left, right)
    {
        return Step::Decided(decided);
    }
    match (left.kind(), right.kind()) {
        (ValueKind::List(left), ValueKind::List(right)) if left.len() != right.len() => decided(false),
        (ValueKind::List(left), ValueKind::List(right))
        | (ValueKind::Tuple(left), ValueKind::Tuple(right)) => {
            Step::Parts(UncomparedPairs::Elements(left.iter().zip(right)))
        }
        (ValueKind::Set(left), ValueKind::Set(right)) => Step::Decided(compare_sets(left, right)),
        (ValueKind::Map(left), ValueKind::Map(right))
        | (ValueKind::Object(left), ValueKind::Object(right)) => {
            if !has_same_keys(left, right) {
                return decided(false);
            }
            Step::Parts(UncomparedPairs::Entries {
                pairs: left.values().zip(right.values()),
                all: Some(true),
            })
        }
        (
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Map(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Unknown(_)
            | ValueKind::Marked(..),
            _,
        ) => decided(false),
    }
}

/// Returns the result of comparing two known values if their types decide it.
fn compare_types(left: &Value, right: &Value) -> Option<Option<bool>> {
    let (left_type, right_type) = (left.ty(), right.ty());
    if !has_whole_type(left) || !has_whole_type(right) {
        let can_agree = left_type.conforms_to(&right_type) || right_type.conforms_to(&left_type);
        return Some(if can_agree { None } else { Some(false) });
    }
    if same_type(&left_type, &right_type) { None } else { Some(Some(false)) }
}

/// Whether two types are equal, without a nested call for each level.
fn same_type(left: &Type, right: &Type) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        match (left, right) {
            (Type::List(left), Type::List(right))
            | (Type::Set(left), Type::Set(right))
            | (Type::Map(left), Type::Map(right)) => pairs.push((left, right)),
            (Type::Tuple(left), Type::Tuple(right)) if left.len() == right.len() => {
                pairs.extend(left.iter().zip(&**right));
            }
            (Type::Object(left), Type::Object(right)) if left.optional() == right.optional() => {
                let (left, right) = (left.attributes(), right.attributes());
                let names = left.iter().zip(right).all(|((left, _), (right, _))| left == right);
                if left.len() != right.len() || !names {
                    return false;
                }
                pairs.extend(left.iter().zip(right).map(|((_, left), (_, right))| (left, right)));
            }
            (Type::Bool, Type::Bool)
            | (Type::Number, Type::Number)
            | (Type::String, Type::String)
            | (Type::Dynamic, Type::Dynamic) => {}
            (
                Type::Bool
                | Type::Number
                | Type::String
                | Type::Dynamic
                | Type::List(_)
                | Type::Set(_)
                | Type::Map(_)
                | Type::Tuple(_)
                | Type::Object(_),
                _,
            ) => return false,
        }
    }
    true
}

/// Compares sets. With an unknown element, the result is unknown. An element with an unknown part is equal to no other,
/// so sets with such elements differ.
fn compare_sets(left: &[Value], right: &[Value]) -> Option<bool> {
    if left.iter().chain(right).any(|element| !element.is_known()) {
        return None;
    }
    if left.len() != right.len() {
        return Some(false);
    }
    if let Some(equal) = compare_primitives(left, right) {
        return Some(equal);
    }
    let keys = |elements: &[Value]| {
        let keys: Option<Vec<_>> = elements.iter().map(Value::set_key).collect();
        keys.map(|mut keys| {
            keys.sort_unstable();
            keys
        })
    };
    Some(keys(left).is_some_and(|left| Some(left) == keys(right)))
}

/// Compares sets of as many primitive elements, which have the same order if they are equal. `None` if another element comes
/// before the first difference.
fn compare_primitives(left: &[Value], right: &[Value]) -> Option<bool> {
    for (left, right) in left.iter().zip(right) {
        let equal = match (left.kind(), right.kind()) {
            (ValueKind::String(left), ValueKind::String(right)) => left == right,
            (ValueKind::Bool(left), ValueKind::Bool(right)) => left == right,
            (ValueKind::Number(one), ValueKind::Number(other)) => {
                one.is_identical(other) || left.set_key() == right.set_key()
            }
            (
                ValueKind::Bool(_)
                | ValueKind::Number(_)
                | ValueKind::String(_)
                | ValueKind::List(_)
                | ValueKind::Set(_)
                | ValueKind::Map(_)
                | ValueKind::Tuple(_)
                | ValueKind::Object(_)
                | ValueKind::Null(_)
                | ValueKind::Unknown(_)
                | ValueKind::Marked(..),
                _,
            ) => return None,
        };
        if !equal {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether the type of a value cannot change any more when its unknown parts become known.
fn has_whole_type(value: &Value) -> bool {
    !value.has_unknown_part(&|unknown| unknown.ty.has_dynamic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Marks, Number, ObjectBuilder};

    fn number(value: i64) -> Value {
        Value::number(Number::literal(value))
    }

    fn unknown() -> Value {
        Value::unknown(Type::String)
    }

    #[test]
    fn nothing_is_converted() {
        let list = Value::list(Type::Number, [number(1)]);
        assert_eq!(number(1).equals(&Value::from("1")), Some(false));
        assert_eq!(list.equals(&Value::tuple([number(1)])), Some(false));
        assert_eq!(Value::null(Type::String).equals(&Value::null(Type::Number)), Some(true));
        assert_eq!(Value::NULL.equals(&list), Some(false));
    }

    #[test]
    fn the_first_undecided_element_decides_but_any_different_attribute_does() {
        let left = Value::tuple([unknown(), Value::from("a")]);
        let right = Value::tuple([Value::from("x"), Value::from("b")]);
        assert_eq!(left.equals(&right), None);
        let left = ObjectBuilder::new().with("a", unknown()).with("b", "a").build();
        let right = ObjectBuilder::new().with("a", "x").with("b", "b").build();
        assert_eq!(left.equals(&right), Some(false));
    }

    #[test]
    fn refinements_decide_equality() {
        let prefixed = unknown().not_null().with_prefix("pre-");
        assert_eq!(prefixed.equals(&Value::NULL), Some(false));
        assert_eq!(prefixed.equals(&Value::from("x")), Some(false));
        assert_eq!(Value::from("pre-x").equals(&prefixed), None);
        assert_eq!(unknown().equals(&Value::NULL), None);
        assert_eq!(number(1).equals(&unknown()), Some(false));
        assert_eq!(unknown().equals(&Value::unknown(Type::Number)), None);
        assert_eq!(Value::unknown(Type::Dynamic).equals(&number(1)), None);
        let list = Value::unknown(Type::list(Type::String)).with_length_bounds(2, None);
        assert_eq!(list.equals(&Value::list(Type::String, [Value::from("a")])), Some(false));
    }

    #[test]
    fn types_decide_before_unknown_elements() {
        let left = Value::tuple([unknown(), number(1)]);
        let right = Value::tuple([unknown(), Value::from("1")]);
        assert_eq!(left.equals(&right), Some(false));
        let dynamic = Value::tuple([Value::unknown(Type::Dynamic), number(1)]);
        assert_eq!(dynamic.equals(&left), None);
        assert_eq!(dynamic.equals(&right), Some(false));
    }

    #[test]
    fn sets_compare_by_elements_and_undecided_ones_never_match() {
        let set = |elements: [Value; 2]| Value::set(Type::Dynamic, elements);
        assert_eq!(set([number(1), number(2)]).equals(&set([number(2), number(1)])), Some(true));
        assert_eq!(set([unknown(), Value::from("a")]).equals(&set([unknown(), Value::from("a")])), None);
        let inside = || Value::set(Type::Dynamic, [ObjectBuilder::new().with("a", unknown()).build()]);
        assert_eq!(inside().equals(&inside()), Some(false));
    }

    #[test]
    fn identity_sees_marks_and_refinements_but_no_conversion() {
        let marked = Value::from("a").with_marks(&Marks::sensitive());
        assert!(!marked.same(&Value::from("a")));
        assert!(marked.same(&marked.clone()));
        assert!(unknown().same(&unknown()));
        assert!(!unknown().same(&unknown().not_null()));
        assert!(!Value::null(Type::String).same(&Value::NULL));
    }
}
