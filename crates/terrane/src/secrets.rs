//! Decides whether a value with marks is shown.
//!
//! Every writer takes [`Secrets`] and asks [`is_hidden`] before it writes a part of a value.

use terrane_value::{Mark, Marks, Type, Value, ValueKind};

/// Whether sensitive and ephemeral values are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Secrets {
    /// Sensitive and ephemeral values are not shown.
    #[default]
    Hidden,
    /// Sensitive and ephemeral values are shown.
    Shown,
}

/// Whether a value is hidden because of its own marks.
pub(crate) fn is_hidden(value: &Value, secrets: Secrets) -> bool {
    secrets == Secrets::Hidden && value.is_hidden()
}

/// Whether the names of attributes in a value, or in the type of an unknown value, are hidden because of its own marks.
pub(crate) fn hides_names(value: &Value, secrets: Secrets) -> bool {
    secrets == Secrets::Hidden && value.marks().is_secret()
}

/// Whether a part of a value is hidden.
pub(crate) fn has_hidden(value: &Value) -> bool {
    let marks = value.marks_deep();
    marks.is_closed() || (marks.is_secret() && !value.unmarked().has_only_type())
}

/// Whether these marks hide a value only because of `ephemeral`.
pub(crate) fn is_only_ephemeral(marks: &Marks) -> bool {
    marks.contains(&Mark::Ephemeral) && !marks.contains(&Mark::Sensitive)
}

/// Whether a value or a part of it is marked as a secret. An ephemeral value must not be stored, so it is not printed either.
pub(crate) fn has_secret(value: &Value) -> bool {
    value.marks_deep().is_secret()
}

/// Returns the type without the names of attributes, which may be computed from secrets. `dynamic` stands for objects and
/// tuples.
pub(crate) fn nameless(ty: &Type) -> Type {
    match ty {
        Type::Bool | Type::Number | Type::String | Type::Dynamic => ty.clone(),
        Type::Object(_) | Type::Tuple(_) => Type::Dynamic,
        Type::List(element) => Type::list(nameless(element)),
        Type::Set(element) => Type::set(nameless(element)),
        Type::Map(element) => Type::map(nameless(element)),
    }
}

/// The type of a value. Where a part of it is hidden, the type of this part has no names.
pub(crate) fn shown_type(value: &Value, secrets: Secrets) -> Type {
    if secrets == Secrets::Shown || !value.contains_marked() {
        return value.ty();
    }
    match value.kind() {
        ValueKind::Marked(inner, marks) if marks.is_secret() => nameless(&inner.ty()),
        ValueKind::Marked(inner, _) => shown_type(inner, secrets),
        ValueKind::Tuple(elements) => {
            Type::tuple(elements.iter().map(|element| shown_type(element, secrets)))
        }
        ValueKind::Object(attributes) => {
            Type::object(attributes.iter().map(|(name, value)| (name.clone(), shown_type(value, secrets))))
        }
        // All elements have one type, so its names are hidden if those of one element are.
        ValueKind::List(elements) | ValueKind::Set(elements) => {
            shown_element_type(value.ty(), elements.iter(), secrets)
        }
        ValueKind::Map(elements) => {
            shown_element_type(value.ty(), elements.iter().map(|(_, element)| element), secrets)
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_) => nameless(&value.ty()),
    }
}

fn shown_element_type<'v>(ty: Type, mut elements: impl Iterator<Item = &'v Value>, secrets: Secrets) -> Type {
    if elements.all(|element| shown_type(element, secrets) == element.ty()) { ty } else { nameless(&ty) }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;
    use terrane_value::{Mark, Marks, ObjectBuilder, Value};

    use super::Secrets;
    use crate::{Engine, RequestOptions, Session, Variables, value_json};

    #[test]
    fn the_type_of_a_value_with_a_secret_part_has_the_other_names() {
        let secret = Value::from("hunter2").with_marks(&Marks::sensitive());
        let inner = ObjectBuilder::new().with("hidden", 1).build().with_marks(&Marks::sensitive());
        let object =
            ObjectBuilder::new().with("text", secret).with("plain", true).with("inner", inner).build();
        let session = Session::of_variables(Engine::new(), Variables::new().with("x", object));
        for (text, expected) in [
            ("type(x)", "object({inner: dynamic, plain: bool, text: string})"),
            ("type([x.text, 1])", "tuple([string, number])"),
            ("type(tolist([{ a = x.text }]))", "list( object({a: string}), )"),
            ("type(tolist([x.inner]))", "list(dynamic)"),
            ("type(tomap({ a = x.text }))", "map(string)"),
            ("type(x.inner)", "dynamic"),
            ("type(x.text)", "string"),
        ] {
            let answered = session.evaluate(text, &MemoryFiles::new());
            let shown = session.text(&answered, Secrets::Hidden);
            let line: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = line.replace("{ ", "{").replace(", }", "}").replace("[ ", "[").replace(", ]", "]");
            assert_eq!(line, expected, "{text}");
        }
    }

    #[test]
    fn ephemeral_values_are_hidden_like_sensitive_ones() {
        for mark in [Mark::Sensitive, Mark::Ephemeral] {
            let secret =
                ObjectBuilder::new().with("password", "hunter2").build().with_marks(&Marks::one(mark));
            let text = value_json(&secret);
            assert!(!text.contains("hunter2") && !text.contains("password"), "{text}");
            let session = Session::of_variables(Engine::new(), Variables::new().with("secret", secret));
            let request = r#"{"expr": "[secret]"}"#;
            let answer = session.request(request, &MemoryFiles::new(), RequestOptions::default());
            assert!(answer.contains("\"ok\":true") && !answer.contains("hunter2"), "{answer}");
        }
    }
}
