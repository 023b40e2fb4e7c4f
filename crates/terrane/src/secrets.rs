//! Decides whether a value with marks is shown.
//!
//! Every writer takes [`Secrets`] and asks [`is_hidden`] before it writes a part of a value.

use terrane_value::{Mark, Marks, Type, Value};

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

/// Whether a part of a value is hidden.
pub(crate) fn has_hidden(value: &Value) -> bool {
    let marks = if value.contains_marked() { value.unmark_deep().1 } else { Marks::NONE };
    marks.is_closed() || (marks.is_secret() && !value.unmarked().has_only_type())
}

/// Whether these marks hide a value only because of `ephemeral`.
pub(crate) fn is_only_ephemeral(marks: &Marks) -> bool {
    marks.contains(&Mark::Ephemeral) && !marks.contains(&Mark::Sensitive)
}

/// Whether a value or a part of it is marked as a secret. An ephemeral value must not be stored, so it is not printed either.
pub(crate) fn has_secret(value: &Value) -> bool {
    value.contains_marked() && value.unmark_deep().1.is_secret()
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

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;
    use terrane_value::{Mark, Marks, ObjectBuilder};

    use crate::{Engine, RequestOptions, Session, Variables, value_json};

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
