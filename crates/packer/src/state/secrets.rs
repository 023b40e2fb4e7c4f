//! Hides sensitive texts in output. Packer does not follow sensitive values through expressions: it removes their text
//! from everything that it prints.

use std::borrow::Cow;
use std::sync::Arc;

use terrane_value::{Known, SmolStr, Unknown, Value, ValueKind};

/// The replacement of a hidden text.
const HIDDEN: &str = "<sensitive>";

/// The texts of sensitive values.
#[derive(Clone, Default, Debug)]
pub struct SecretTexts {
    texts: Vec<SmolStr>,
}

impl SecretTexts {
    /// Adds all strings in a value.
    pub(crate) fn add(&mut self, value: &Value) {
        if let Some(text) = value.as_str()
            && !text.is_empty()
            && !self.texts.iter().any(|known| &**known == text)
        {
            self.texts.push(SmolStr::from(text));
            // A text that contains another one is hidden as a whole.
            self.texts.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        }
        value.for_each_child(&mut |child| self.add(child));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text with secrets replaced.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut hidden = Cow::Borrowed(text);
        for secret in &self.texts {
            if hidden.contains(&**secret) {
                hidden = Cow::Owned(hidden.replace(&**secret, HIDDEN));
            }
        }
        hidden
    }

    /// The value with secrets replaced in all its strings.
    #[must_use]
    pub fn hide_in(&self, value: &Value) -> Value {
        if self.texts.is_empty() {
            return value.clone();
        }
        let all = |values: &[Value]| values.iter().map(|value| self.hide_in(value)).collect::<Vec<_>>();
        let entries = |entries: &terrane_value::Entries| {
            entries.iter().map(|(name, value)| (self.key(name), self.hide_in(value))).collect::<Vec<_>>()
        };
        match value.kind() {
            ValueKind::String(text) => match self.hide(text) {
                Cow::Borrowed(_) => value.clone(),
                Cow::Owned(text) => Value::from(text),
            },
            ValueKind::Tuple(elements) => Value::tuple(all(elements)),
            // With elements of the same type as before, so that it is still of that type.
            ValueKind::List(elements) => Value::list(element_type(value), all(elements)),
            // Elements that are hidden are no longer distinct.
            ValueKind::Set(elements) => Value::tuple(all(elements)),
            ValueKind::Object(attributes) => Value::object(entries(attributes)),
            ValueKind::Map(elements) => Value::map(element_type(value), entries(elements)),
            ValueKind::Marked(inner, marks) => self.hide_in(inner).with_marks(marks),
            ValueKind::Unknown(unknown) => {
                Value::from(Unknown { known: self.known(&unknown.known), ..unknown.clone() })
            }
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Null(_) => value.clone(),
        }
    }

    fn known(&self, known: &Known) -> Known {
        match known {
            Known::Nothing => Known::Nothing,
            Known::Object(entries) => {
                let hidden = entries.iter().map(|(name, value)| (self.key(name), self.hide_in(value)));
                Known::Object(hidden.collect())
            }
            Known::Sequence(elements) => {
                Known::Sequence(Arc::new(elements.iter().map(|value| self.hide_in(value)).collect()))
            }
        }
    }

    fn key(&self, name: &SmolStr) -> SmolStr {
        match self.hide(name) {
            Cow::Borrowed(_) => name.clone(),
            Cow::Owned(text) => SmolStr::from(text),
        }
    }
}

fn element_type(value: &Value) -> terrane_value::Type {
    use terrane_value::Type;
    match value.ty() {
        Type::List(element) | Type::Set(element) | Type::Map(element) => (*element).clone(),
        Type::Bool | Type::Number | Type::String | Type::Dynamic | Type::Tuple(_) | Type::Object(_) => {
            Type::Dynamic
        }
    }
}
