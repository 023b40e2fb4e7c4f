//! Copies the marks of the `input` of a `terraform_data` to its `output`, so that no output of the command shows a secret
//! input.

use terrane_module::module::ResourceKey;
use terrane_module::schemas;
use terrane_value::{Marks, SmolStr, Value};

pub(crate) fn is_terraform_data(key: &ResourceKey) -> bool {
    schemas::is_terraform_data(key.mode, &key.resource_type)
}

/// Returns the value of the resource `key` as outputs show it: a part that is secret at one place is hidden everywhere.
pub(crate) fn shown(key: &ResourceKey, value: &Value) -> Value {
    if is_terraform_data(key) && value.contains_marked() { with_marked_output(value) } else { value.clone() }
}

/// Returns a `terraform_data` whose known `output` has the marks of `input`. Both values are equal, so outputs of the command
/// hide both. In an evaluation the output of a secret input is no secret, as in the products.
pub(crate) fn with_marked_output(recorded: &Value) -> Value {
    let attributes = recorded.unmarked().as_entries();
    let Some((attributes, input)) = attributes.and_then(|all| Some((all, all.get("input")?))) else {
        return recorded.clone();
    };
    let attribute = |(name, value): (&SmolStr, &Value)| match name.as_str() {
        "output" if value.is_known() => (name.clone(), with_marks_of(value, input)),
        _ => (name.clone(), value.clone()),
    };
    Value::object(attributes.iter().map(attribute).collect::<Vec<_>>()).with_marks(recorded.marks())
}

/// Returns the value with the marks that `other` and its parts have at the same places. The maximum depth of values bounds the
/// recursion.
pub(crate) fn with_marks_of(value: &Value, other: &Value) -> Value {
    let marks = other.marks_deep();
    // A null in place of a value is no secret.
    if marks == Marks::default() || value.unmarked().is_null() {
        return value.clone();
    }
    if other.is_marked() {
        return value.clone().with_marks(other.marks());
    }
    let inner = value.unmarked();
    let marked_parts = other.known_attributes().or_else(|| other.as_entries());
    let marked = match (inner.as_entries(), marked_parts, inner.as_sequence(), other.as_sequence()) {
        (Some(own), Some(marked_parts), ..) => {
            Value::object(own.iter().map(|(name, value)| match marked_parts.get(name) {
                Some(other) => (name.clone(), with_marks_of(value, other)),
                None => (name.clone(), value.clone()),
            }))
        }
        (_, _, Some(own), Some(elements)) => {
            let rest = own.iter().skip(elements.len()).cloned();
            let pairs = own.iter().zip(elements).map(|(value, other)| with_marks_of(value, other));
            Value::tuple(pairs.chain(rest).collect::<Vec<_>>())
        }
        // Their parts cannot be matched, so the whole value is hidden.
        (..) => inner.clone().with_marks(&marks),
    };
    marked.with_marks(value.marks())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_have_become_secret_are_marked() {
        let object = |entries: Vec<(&str, Value)>| {
            Value::object(entries.into_iter().map(|(name, value)| (SmolStr::from(name), value)))
        };
        let secret = |text: &str| Value::from(text).with_marks(&Marks::sensitive());
        let before = object(vec![
            ("k", Value::from("old")),
            ("list", Value::tuple(vec![Value::from("a"), Value::from("b")])),
            ("gone", Value::from("c")),
        ]);
        let planned = object(vec![("k", secret("new")), ("list", Value::tuple(vec![secret("x")]))]);
        let marked = with_marks_of(&before, &planned);
        let part = |name: &str| marked.as_entries().and_then(|all| all.get(name)).cloned().expect("a part");
        assert!(part("k").is_marked() && !part("gone").is_marked());
        let list = part("list");
        let list = list.as_sequence().expect("elements");
        assert!(list[0].is_marked() && !list[1].is_marked());
        assert!(with_marks_of(&Value::from("text"), &planned).is_marked());
        assert!(!with_marks_of(&before, &before).is_marked());
    }
}
