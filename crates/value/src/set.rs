//! Makes sets: removes equal elements and sorts the others in the order of the reference.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::quote::quote;
use crate::text_order::text_order;
use crate::{Marks, Number, SmallNumber, Type, Value, ValueKind};

impl Value {
    /// Returns a set of these elements, in set order, without duplicates. An unknown element is equal to no other.
    /// Marks of the elements and of everything inside them move to the set.
    ///
    /// The elements have the type `element`, as in [`Value::list`].
    pub fn set(element: Type, elements: impl IntoIterator<Item = Value>) -> Value {
        let mut elements: Vec<Value> = elements.into_iter().collect();
        let element = Value::adopted(element, &mut elements);
        if elements.iter().all(|value| value.is_of(&element)) {
            Value::set_of(element, elements)
        } else {
            Value::converted_elements(&Value::tuple(elements), Type::set(element))
        }
    }

    /// Returns a set of elements that are known to be of type `element`.
    pub(crate) fn set_of(element: Type, elements: impl IntoIterator<Item = Value>) -> Value {
        let mut marks = Marks::NONE;
        let elements = elements.into_iter().map(|value| {
            let (value, own) = value.unmark_deep();
            marks = marks.union(&own);
            value
        });
        let mut elements: Vec<Value> = elements.collect();
        let element = Value::adopted(element, &mut elements);
        Value::set_of_sorted(element, sorted_and_distinct(elements)).with_marks(&marks)
    }

    /// The work of writing the texts for a part of an element that is no whole number, and of comparing them.
    const WORK_OF_SET_PART: usize = 40;

    /// Returns the work to make a set of the elements of this value, in units of about 10 nanoseconds, besides the work for each
    /// element of any conversion, which covers the comparison of strings.
    pub fn work_of_set(&self) -> usize {
        Value::work_of_elements(self.unmarked().as_sequence().unwrap_or_default())
    }

    /// Does the same as [`Value::work_of_set`] for the elements of the set.
    pub fn work_of_elements(elements: &[Value]) -> usize {
        /// The work of comparing a whole number.
        const NUMBER: usize = 12;
        if elements.iter().all(|element| element.plain_text().is_some()) {
            return 0;
        }
        if elements.iter().all(|element| element.as_small().is_some()) {
            return elements.len().saturating_mul(NUMBER);
        }
        let parts = elements.iter().map(Value::size).fold(elements.len(), usize::saturating_add);
        parts.saturating_mul(Value::WORK_OF_SET_PART)
    }

    /// Returns the work to make all sets of a value that is converted to type `want`, in which `added` elements are optional
    /// attributes. A part counts for each set around it.
    pub fn work_of_sets(&self, want: &Type, added: usize) -> usize {
        let of_added = if want.has_set_of_compounds() { added } else { 0 };
        self.work_of_given_sets(want).saturating_add(of_added.saturating_mul(Value::WORK_OF_SET_PART))
    }

    fn work_of_given_sets(&self, want: &Type) -> usize {
        if !want.has_set() {
            return 0;
        }
        let value = self.unmarked();
        let mut work = if matches!(want, Type::Set(_)) { value.work_of_set() } else { 0 };
        let mut add = |part: &Value, want| work = work.saturating_add(part.work_of_given_sets(want));
        match want {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                if element.has_set() {
                    value.for_each_child(&mut |part| add(part, element));
                }
            }
            Type::Tuple(types) => {
                let parts = value.as_sequence().into_iter().flatten();
                parts.zip(&**types).for_each(|(part, want)| add(part, want));
            }
            Type::Object(object) => {
                for (name, want) in object.attributes().iter().filter(|(_, want)| want.has_set()) {
                    let part = value.as_entries().and_then(|entries| entries.get(name));
                    part.into_iter().for_each(|part| add(part, want));
                }
            }
            Type::Bool | Type::Number | Type::String | Type::Dynamic => {}
        }
        work
    }

    /// Returns a text that two values of one type share exactly if a set keeps only one of them; `None` for a value
    /// that is or contains an unknown value, which is equal to no other.
    pub fn set_key(&self) -> Option<Box<str>> {
        if !self.is_wholly_known() {
            return None;
        }
        let mut key = String::new();
        write_key(self, Numbers::Exact, &mut key);
        Some(key.into())
    }
}

fn sorted_and_distinct(mut elements: Vec<Value>) -> Vec<Value> {
    if elements.len() < 2 {
        return elements;
    }
    if let Some(texts) = elements.iter().map(Value::as_str).collect::<Option<Vec<&str>>>() {
        let mut order = text_order(&texts);
        order.dedup_by_key(|position| texts.get(*position));
        let in_order = order.into_iter().filter_map(|position| elements.get(position).cloned());
        return in_order.collect();
    }
    if elements.iter().all(|element| element.as_small().is_some()) {
        // Equal whole numbers are one element: the first of them.
        let place = |element: &Value| element.as_small().map(SmallNumber::value);
        elements.sort_by_key(place);
        elements.dedup_by_key(|element| place(element));
        return elements;
    }
    let mut seen = HashSet::with_capacity(elements.len());
    elements.retain(|element| element.set_key().is_none_or(|key| seen.insert(key)));
    let keyed = elements.into_iter().map(|element| Keyed { key: order_key(&element), element });
    let mut keyed: Vec<Keyed> = keyed.collect();
    keyed.sort_by(compare);
    keyed.into_iter().map(|keyed| keyed.element).collect()
}

/// An element with the key of its place in set order, which is written only once for all comparisons.
struct Keyed {
    key: String,
    element: Value,
}

/// Compares in set order: known elements, then unknown ones in the given order, then null.
fn compare(left: &Keyed, right: &Keyed) -> Ordering {
    let Keyed { key: left_key, element: left } = left;
    let Keyed { key: right_key, element: right } = right;
    let rank = |value: &Value| (value.is_null(), !value.is_known());
    rank(left).cmp(&rank(right)).then_with(|| match (left.kind(), right.kind()) {
        (ValueKind::Bool(left), ValueKind::Bool(right)) => left.cmp(&right),
        (ValueKind::String(left), ValueKind::String(right)) => left.cmp(right),
        (ValueKind::Number(left), ValueKind::Number(right)) => {
            // Only the two zeros are equal and yet distinct; in the reference, the negative one comes first.
            left.compare(right).then_with(|| is_negative_zero(right_key).cmp(&is_negative_zero(left_key)))
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
        ) => left_key.cmp(right_key),
    })
}

fn is_negative_zero(key: &str) -> bool {
    key == "-0"
}

fn order_key(element: &Value) -> String {
    let mut key = String::new();
    if element.is_known() && element.as_str().is_none() {
        write_key(element, Numbers::Rounded, &mut key);
    }
    key
}

/// The notation of numbers in a key.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Exactly, so that different numbers have different keys.
    Exact,
    /// With ten digits, as in the keys by which the reference orders elements.
    Rounded,
}

fn write_key(value: &Value, numbers: Numbers, key: &mut String) {
    match value.kind() {
        ValueKind::Bool(value) => key.push(if value { 'T' } else { 'F' }),
        ValueKind::Number(number) if numbers == Numbers::Rounded => key.push_str(&number.to_general(10)),
        ValueKind::Number(number) => key.push_str(&exact_text(number)),
        // Quotes and escapes also decide the order of objects and lists.
        ValueKind::String(text) => key.push_str(&quote(text)),
        ValueKind::List(elements) | ValueKind::Set(elements) => {
            key.push('[');
            write_elements(elements.iter(), numbers, key);
            key.push(']');
        }
        ValueKind::Tuple(elements) => {
            key.push('<');
            write_elements(elements.iter(), numbers, key);
            key.push('>');
        }
        ValueKind::Map(entries) => {
            key.push('{');
            for (name, value) in entries {
                key.push_str(&quote(name));
                key.push(':');
                write_key(value, numbers, key);
                key.push(';');
            }
            key.push('}');
        }
        ValueKind::Object(entries) => {
            key.push('<');
            write_elements(entries.values(), numbers, key);
            key.push('>');
        }
        ValueKind::Null(_) => key.push('~'),
        ValueKind::Unknown(_) => key.push('?'),
        ValueKind::Marked(value, _) => write_key(value, numbers, key),
    }
}

/// Returns a text that equal numbers share: whole numbers are equal by value, others by their decimal text. The two
/// zeros count as different, as in the reference.
fn exact_text(number: &Number) -> String {
    if number.is_zero() {
        return String::from(if number.is_negative() { "-0" } else { "0" });
    }
    let integer = number.to_i64().map(|integer| integer.to_string());
    let integer = integer.or_else(|| number.to_integer().map(|integer| integer.to_string()));
    integer.unwrap_or_else(|| number.to_string())
}

fn write_elements<'v>(elements: impl Iterator<Item = &'v Value>, numbers: Numbers, key: &mut String) {
    for element in elements {
        write_key(element, numbers, key);
        key.push(';');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ObjectBuilder;

    fn set(elements: impl IntoIterator<Item = Value>) -> Vec<Value> {
        Value::set(Type::Dynamic, elements).as_sequence().unwrap().to_vec()
    }

    fn number(text: &str) -> Value {
        Value::number(Number::parse(text).unwrap())
    }

    fn texts(elements: &[Value]) -> Vec<String> {
        let text = |value: &Value| value.as_number().map(ToString::to_string);
        elements.iter().map(|value| text(value).unwrap_or_else(|| format!("{value:?}"))).collect()
    }

    #[test]
    fn strings_are_ordered_by_bytes_and_distinct() {
        let elements = set(["b", "a", "B", "\u{e9}", "z", "e\u{301}", "a"].map(Value::from));
        let texts: Vec<_> = elements.iter().filter_map(Value::as_str).collect();
        assert_eq!(texts, ["B", "a", "b", "z", "\u{e9}"]);
    }

    #[test]
    fn numbers_are_ordered_by_value_and_zeros_are_two() {
        let elements = set(["10", "9", "-1", "2.5", "10.0", "0", "-0"].map(number));
        assert_eq!(texts(&elements), ["-1", "-0", "0", "2.5", "9", "10"]);
    }

    #[test]
    fn whole_numbers_are_ordered_without_texts() {
        assert_eq!(texts(&set(["0", "-0", "1"].map(number))), ["-0", "0", "1"]);
        let elements = set(["10", "9", "-1", "9.0", "10", "9007199254740993"].map(number));
        assert_eq!(texts(&elements), ["-1", "9", "10", "9007199254740993"]);
        let work = Value::tuple(elements).work_of_set();
        // The work for each element of a conversion covers strings.
        assert_eq!(Value::tuple(["a", "b", "c", "d"].map(Value::from)).work_of_set(), 0);
        assert!(work > 0);
        for other in [number("0.5"), Value::TRUE, Value::tuple([number("1")]), Value::NULL] {
            let few = Value::tuple([number("1"), other.clone()]).work_of_set();
            let many = Value::tuple(std::iter::repeat_n(other, 100)).work_of_set();
            assert!(few > work && many > 10 * few);
        }
    }

    #[test]
    fn numbers_that_differ_after_ten_digits_are_distinct() {
        let elements = set(["1.00000000002", "1.00000000001", "1.00000000001"].map(number));
        assert_eq!(texts(&elements), ["1.00000000001", "1.00000000002"]);
    }

    #[test]
    fn unknown_elements_stay_and_null_is_last() {
        let elements = set([
            Value::NULL,
            Value::unknown(Type::String),
            Value::from("b"),
            Value::unknown(Type::String).not_null(),
            Value::NULL,
            Value::from("a"),
        ]);
        assert_eq!(elements.len(), 5);
        assert_eq!(elements[1].as_str(), Some("b"));
        assert!(!elements[2].is_never_null() && elements[3].is_never_null());
        assert_eq!(elements[4].ty(), Type::String);
    }

    #[test]
    fn other_elements_are_ordered_by_their_key() {
        let object = |a: &str| ObjectBuilder::new().with("a", number(a)).build();
        let elements = set([object("2"), object("10"), object("1"), object("2")]);
        let values: Vec<_> = elements
            .iter()
            .map(|value| texts(&[value.as_entries().unwrap().get("a").unwrap().clone()]))
            .collect();
        assert_eq!(values.concat(), ["10", "1", "2"], "`10;` comes before `1;` by bytes");
    }

    #[test]
    fn marks_move_to_the_set() {
        let inner = Value::tuple([Value::from("a").with_marks(&Marks::sensitive())]);
        let value = Value::set(Type::Dynamic, [inner]);
        assert!(value.is_marked());
        assert_eq!(value.marks(), &Marks::sensitive());
        assert!(!value.unmarked().contains_marked());
    }

    #[test]
    fn a_large_set_is_not_quadratic() {
        let elements = set((0..50_000).map(|index| Value::number(Number::counted(index % 25_000))));
        assert_eq!(elements.len(), 25_000);
    }
}
