//! Compares the secret parts of two values.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use terrane_value::Value;

use crate::secrets::has_secret;

/// Whether a part of `value` is a secret that is not marked in `source`, the value before a block marked it.
pub(super) fn lacks_marks(value: &Value, source: &Value) -> bool {
    let mut left = vec![(value, source)];
    // Parts that occur many times are compared once.
    let mut seen: HashSet<(*const Value, *const Value), RandomState> = HashSet::default();
    while let Some((value, source)) = left.pop() {
        if source.marks().is_secret() || !has_secret(value) {
            continue;
        }
        if value.marks().is_secret() {
            return true;
        }
        let (value, source) = (value.unmarked(), source.unmarked());
        if let (Some(values), Some(sources)) = (value.known_elements(), source.known_elements())
            && values.len() == sources.len()
        {
            if seen.insert((values.as_ptr(), sources.as_ptr())) {
                left.extend(values.iter().zip(sources));
            }
        } else if let (Some(values), Some(sources)) = (value.known_attributes(), source.known_attributes()) {
            if !seen.insert((values.values().as_slice().as_ptr(), sources.values().as_slice().as_ptr())) {
                continue;
            }
            for (name, value) in values {
                match sources.get(name) {
                    Some(source) => left.push((value, source)),
                    None if has_secret(value) => return true,
                    None => {}
                }
            }
        } else {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use terrane_value::Marks;

    use super::*;

    #[test]
    fn parts_that_occur_many_times_are_compared_once() {
        let wide = |part: Value| (0..23).fold(part, |part, _| Value::tuple([part.clone(), part]));
        let (one, other) = (Value::from("x"), Value::from("y"));
        let secret = |value: &Value| value.clone().with_marks(&Marks::sensitive());
        assert!(!lacks_marks(&wide(secret(&one)), &wide(secret(&other))));
        assert!(lacks_marks(&wide(secret(&one)), &wide(other)));
    }

    #[test]
    fn a_mark_that_the_source_lacks_is_found() {
        let secret = || Value::from("x").with_marks(&Marks::sensitive());
        let pair = |second: Value| Value::tuple([Value::from("a"), second]);
        assert!(!lacks_marks(&pair(secret()), &pair(secret())));
        assert!(lacks_marks(&pair(secret()), &pair(Value::from("x"))));
        assert!(lacks_marks(&pair(secret()).with_marks(&Marks::sensitive()), &pair(secret())));
        let object = |value: Value| Value::object([("k".into(), value)]);
        assert!(lacks_marks(&object(secret()), &object(Value::from("x"))));
        assert!(!lacks_marks(&object(Value::from("y")), &object(Value::from("x"))));
    }
}
