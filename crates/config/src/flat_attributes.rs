//! Reads attributes in the flat form of states from before Terraform 0.12: one map of texts, in which `tags.%` is the
//! number of elements of a map, `ports.#` of a list or set, and `tags.Name` or `ports.0.from` an element.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use terrane_value::json::DecodeError;
use terrane_value::{SmolStr, Type, Value, convert};

/// Returns the attributes in a JSON object of texts as a value of the type `ty`.
///
/// # Errors
///
/// If an attribute does not fit its type, or has a dynamic type, which the flat form does not record.
pub(crate) fn value(text: &str, ty: &Type) -> Result<Value, DecodeError> {
    let Ok(texts) = serde_json::from_str(text) else { return Err(error("It is not an object of texts.")) };
    let attributes = FlatAttributes { texts };
    match ty {
        Type::Object(_) => attributes.value("", ty),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::List(_)
        | Type::Set(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Dynamic => Err(error("Its type is no object.")),
    }
}

fn error(message: impl Into<String>) -> DecodeError {
    DecodeError { offset: 0, message: message.into(), is_too_deep: false }
}

/// Returns the error about the part at a key. Only the name of its attribute is printed, because keys of maps may be secret.
fn unfit(key: &str, problem: &str) -> DecodeError {
    let name = key.split('.').next().unwrap_or(key);
    error(format!("In its form from before Terraform 0.12, the attribute `{name}` {problem}."))
}

/// The attributes of one object, by the keys of their parts.
struct FlatAttributes<'j> {
    texts: BTreeMap<Cow<'j, str>, Cow<'j, str>>,
}

impl FlatAttributes<'_> {
    /// Returns the value at a key; the empty key is the whole object. The depth is bounded by the depth of types.
    fn value(&self, key: &str, ty: &Type) -> Result<Value, DecodeError> {
        match ty {
            Type::Bool | Type::Number | Type::String => match self.texts.get(key) {
                None => Ok(Value::null(ty.clone())),
                Some(text) => {
                    convert(&Value::from(&**text), ty).map_err(|_| unfit(key, "does not fit its type"))
                }
            },
            Type::Object(object) => {
                let attributes = object.attributes().iter().map(|(name, ty)| {
                    let key = if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
                    Ok((name.clone(), self.attribute(&key, ty)?))
                });
                Ok(Value::object(attributes.collect::<Result<Vec<_>, DecodeError>>()?))
            }
            Type::Map(element) => self.map(key, element),
            Type::List(element) => {
                let Some(count) = self.count(key, "#")? else { return Ok(Value::null(ty.clone())) };
                let elements = (0..count).map(|index| self.value(&format!("{key}.{index}"), element));
                Ok(Value::list((**element).clone(), elements.collect::<Result<Vec<_>, _>>()?))
            }
            Type::Set(element) => self.set(key, element),
            Type::Tuple(elements) => {
                let Some(count) = self.count(key, "#")? else { return Ok(Value::null(ty.clone())) };
                if count != elements.len() {
                    return Err(unfit(key, "does not fit its type"));
                }
                let elements = elements.iter().enumerate();
                let elements = elements.map(|(index, ty)| self.value(&format!("{key}.{index}"), ty));
                Ok(Value::tuple(elements.collect::<Result<Vec<_>, _>>()?))
            }
            Type::Dynamic => Err(unfit(key, "has no recorded type")),
        }
    }

    /// Returns the number of elements of a collection, which stands at `sign`: `%` for a map, and `#` for a list, set or
    /// tuple. `None` if the collection is null. A number that is greater than the number of keys is refused, because a few
    /// bytes could name any number of elements: so the values of an object are in proportion to its text.
    fn count(&self, key: &str, sign: &str) -> Result<Option<usize>, DecodeError> {
        let start = format!("{key}.");
        let Some(text) = self.texts.get(&*format!("{start}{sign}")) else { return Ok(None) };
        let count = text.parse().map_err(|_| unfit(key, "has a number of elements that is no number"))?;
        if self.below(&start).count() < count {
            return Err(unfit(key, "has a number of elements that is greater than the number of its keys"));
        }
        Ok(Some(count))
    }

    /// Returns the rest of each key that begins with `start`.
    fn below(&self, start: &str) -> impl Iterator<Item = &str> {
        let texts = self.texts.range::<str, _>((Bound::Included(start), Bound::Unbounded));
        texts.map_while(move |(key, _)| key.strip_prefix(start))
    }

    /// Returns the value of an attribute of an object. An object without any key is null here; an element of a collection is
    /// an object of nulls.
    fn attribute(&self, key: &str, ty: &Type) -> Result<Value, DecodeError> {
        let has_no_key = matches!(ty, Type::Object(_)) && self.below(&format!("{key}.")).next().is_none();
        if has_no_key { Ok(Value::null(ty.clone())) } else { self.value(key, ty) }
    }

    /// Returns a map. The keys of its elements may have points, so its elements are never collections.
    fn map(&self, key: &str, element: &Type) -> Result<Value, DecodeError> {
        if self.count(key, "%")?.is_none() {
            return Ok(Value::null(Type::map(element.clone())));
        }
        if !matches!(element, Type::Bool | Type::Number | Type::String) {
            return Err(unfit(key, "has no recorded elements"));
        }
        let start = format!("{key}.");
        let names = self.below(&start).filter(|name| *name != "%");
        let elements =
            names.map(|name| Ok((SmolStr::from(name), self.value(&format!("{start}{name}"), element)?)));
        Ok(Value::map(element.clone(), elements.collect::<Result<Vec<_>, DecodeError>>()?))
    }

    /// Returns a set. The keys of its elements are hashes, each followed by the rest of the keys of the element.
    fn set(&self, key: &str, element: &Type) -> Result<Value, DecodeError> {
        if self.count(key, "#")?.is_none() {
            return Ok(Value::null(Type::set(element.clone())));
        }
        let start = format!("{key}.");
        let mut hashes: Vec<&str> = self.below(&start).filter_map(|rest| rest.split('.').next()).collect();
        hashes.retain(|hash| *hash != "#");
        hashes.sort_unstable();
        hashes.dedup();
        let elements = hashes.into_iter().map(|hash| self.value(&format!("{start}{hash}"), element));
        let elements = elements.collect::<Result<Vec<_>, _>>()?;
        Ok(Value::set(element.clone(), elements))
    }
}

#[cfg(test)]
mod tests {
    use terrane_value::display;

    use super::*;

    fn shown(text: &str, attributes: &[(&str, Type)]) -> String {
        let attributes = attributes.iter().map(|(name, ty)| (SmolStr::from(*name), ty.clone()));
        match value(text, &Type::object(attributes)) {
            Ok(value) => display::console(&value).split_whitespace().collect::<Vec<_>>().join(" "),
            Err(error) => error.message,
        }
    }

    #[test]
    fn parts_have_the_types_of_the_schema() {
        let rule = Type::object([("name".into(), Type::String), ("port".into(), Type::Number)]);
        for (text, ty, wanted) in [
            (r#"{"a": "1"}"#, Type::Number, "{ \"a\" = 1 }"),
            (r#"{"a": "true"}"#, Type::Bool, "{ \"a\" = true }"),
            (r#"{}"#, Type::String, "{ \"a\" = tostring(null) }"),
            (r#"{}"#, Type::list(Type::String), "{ \"a\" = tolist(null) /* of string */ }"),
            (
                r##"{"a.#": "2", "a.0": "x", "a.1": "y"}"##,
                Type::list(Type::String),
                r#"{ "a" = tolist([ "x", "y", ]) }"#,
            ),
            (
                r#"{"a.%": "2", "a.x": "1", "a.y.z": "2"}"#,
                Type::map(Type::String),
                r#"{ "a" = tomap({ "x" = "1" "y.z" = "2" }) }"#,
            ),
            (r#"{"a.%": "0"}"#, Type::map(Type::String), r#"{ "a" = tomap({}) }"#),
            (
                r##"{"a.#": "2", "a.7.name": "x", "a.7.port": "80", "a.70.name": "y"}"##,
                Type::set(rule.clone()),
                r#"{ "a" = toset([ { "name" = "x" "port" = 80 }, { "name" = "y" "port" = tonumber(null) }, ]) }"#,
            ),
            (
                r##"{"a.#": "1", "a.0.name": "x"}"##,
                Type::list(rule.clone()),
                r#"{ "a" = tolist([ { "name" = "x" "port" = tonumber(null) }, ]) }"#,
            ),
            (
                r##"{"a.#": "1"}"##,
                Type::list(rule.clone()),
                r#"{ "a" = tolist([ { "name" = tostring(null) "port" = tonumber(null) }, ]) }"#,
            ),
            (r#"{"a.port": "80"}"#, rule.clone(), r#"{ "a" = { "name" = tostring(null) "port" = 80 } }"#),
            (r#"{"ab.port": "80"}"#, rule, r#"{ "a" = null /* object */ }"#),
        ] {
            assert_eq!(shown(text, &[("a", ty)]), wanted, "{text}");
        }
    }

    #[test]
    fn texts_that_do_not_fit_are_errors_without_their_values() {
        let nested = Type::list(Type::list(Type::list(Type::String)));
        let greater = "`a` has a number of elements that is greater than the number of its keys.";
        for (text, ty, wanted) in [
            (r#"{"a": "hunter2"}"#, Type::Number, "`a` does not fit its type."),
            (
                r##"{"a.#": "hunter2"}"##,
                Type::list(Type::String),
                "`a` has a number of elements that is no number.",
            ),
            (r##"{"a.#": "3", "a.0": "x"}"##, Type::list(Type::String), greater),
            (r##"{"a.#": "4000000000"}"##, Type::list(Type::String), greater),
            (r##"{"a.#": "4000000000"}"##, Type::set(Type::String), greater),
            (r##"{"a.#": "1", "a.0.#": "500000"}"##, nested, greater),
            (r#"{"a.%": "3", "a.x": "y", "ab": "y"}"#, Type::map(Type::String), greater),
            (
                r#"{"a.%": "hunter2"}"#,
                Type::map(Type::String),
                "`a` has a number of elements that is no number.",
            ),
            (r##"{"a.#": "1"}"##, Type::tuple([]), "`a` does not fit its type."),
            (r#"{"a.%": "1", "a.hunter2": "x"}"#, Type::map(Type::Number), "`a` does not fit its type."),
            (r#"{"a": "1"}"#, Type::Dynamic, "`a` has no recorded type."),
            (r#"{"a": 1}"#, Type::String, "It is not an object of texts."),
        ] {
            let message = shown(text, &[("a", ty)]);
            assert!(message.ends_with(wanted) && !message.contains("hunter2"), "{text}: {message}");
        }
    }
}
