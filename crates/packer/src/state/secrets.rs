//! Hides sensitive texts in output. Packer does not follow sensitive values through expressions: it removes their text
//! from everything that it prints.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_value::{Known, Marks, SmolStr, Unknown, Value, ValueKind, display, json};

/// The replacement of a hidden text.
const HIDDEN: &str = "<sensitive>";

/// Stands for [`HIDDEN`] meanwhile, so that no short secret is found in it.
const PLACE: &str = "\u{f8ff}";

/// The length in bytes of numbers and keys that are hidden inside of other words, too.
const LONG_WORD: usize = 4;

/// The texts of sensitive values.
#[derive(Clone, Default, Debug)]
pub struct SecretTexts {
    /// Hidden wherever they stand, with their lengths: the longest first, so that a text is hidden as a whole even if another
    /// one is a part of it.
    texts: BTreeSet<(Reverse<usize>, SmolStr)>,
    /// Hidden where they stand between characters of no word, in the same order.
    short_words: BTreeSet<(Reverse<usize>, SmolStr)>,
    /// Numbers and keys of maps: hidden where they are the whole number or key.
    words: BTreeSet<SmolStr>,
}

impl SecretTexts {
    /// Adds all strings, numbers and keys of maps in a value.
    pub(crate) fn add(&mut self, value: &Value) {
        match value.unmarked().kind() {
            ValueKind::String(text) => self.add_text(text),
            ValueKind::Number(number) => self.add_word(&number.to_string()),
            ValueKind::Map(elements) => elements.keys().for_each(|key| self.add_word(key)),
            ValueKind::Bool(_)
            | ValueKind::Tuple(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Object(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..)
            | ValueKind::Unknown(_) => {}
        }
        value.for_each_child(&mut |child| self.add(child));
    }

    /// Adds a text, also as it is written in quotes and in JSON.
    fn add_text(&mut self, text: &str) {
        self.texts.extend(forms(text));
    }

    /// Adds a number or key. A short one stands in many other words, where it tells nothing.
    fn add_word(&mut self, word: &str) {
        if word.len() >= LONG_WORD {
            self.add_text(word);
        } else {
            self.short_words.extend(forms(word));
        }
        self.words.insert(SmolStr::from(word));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.words.is_empty()
    }

    /// The text with secrets replaced.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut hidden = match text.contains(HIDDEN) {
            true => Cow::Owned(text.replace(HIDDEN, PLACE)),
            false => Cow::Borrowed(text),
        };
        for (_, secret) in &self.texts {
            if hidden.contains(&**secret) {
                hidden = Cow::Owned(hidden.replace(&**secret, PLACE));
            }
        }
        for (_, word) in &self.short_words {
            if let Some(text) = without_word(&hidden, word) {
                hidden = Cow::Owned(text);
            }
        }
        match hidden {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(text) => Cow::Owned(text.replace(PLACE, HIDDEN)),
        }
    }

    /// The value with secrets replaced in all its strings.
    #[must_use]
    pub fn hide_in(&self, value: &Value) -> Value {
        if self.is_empty() {
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
                Value::from(Unknown { known: self.hide_in_known(&unknown.known), ..unknown.clone() })
            }
            // A mark leaves the type of the collection around it as it is.
            ValueKind::Number(number) if self.is_word(&number.to_string()) => {
                value.clone().with_marks(&Marks::sensitive())
            }
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Null(_) => value.clone(),
        }
    }

    fn hide_in_known(&self, known: &Known) -> Known {
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

    fn is_word(&self, text: &str) -> bool {
        self.words.contains(text)
    }

    fn key(&self, name: &SmolStr) -> SmolStr {
        if self.is_word(name) {
            return SmolStr::from(HIDDEN);
        }
        match self.hide(name) {
            Cow::Borrowed(_) => name.clone(),
            Cow::Owned(text) => SmolStr::from(text),
        }
    }
}

/// The text itself, as it is written in quotes, and in JSON, each with its length.
fn forms(text: &str) -> Vec<(Reverse<usize>, SmolStr)> {
    let (quoted, mut in_json) = (display::quote(text), String::new());
    json::write_string(&mut in_json, text);
    let written = [&quoted, &in_json];
    let written = written.into_iter().filter_map(|form| form.strip_prefix('"')?.strip_suffix('"'));
    let forms = written.chain([text]).filter(|form| !form.is_empty());
    forms.map(|form| (Reverse(form.len()), SmolStr::from(form))).collect()
}

/// The text with a word replaced where it is no part of a longer one; none if it is nowhere.
fn without_word(text: &str, word: &str) -> Option<String> {
    let is_part = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut hidden, mut done) = (String::new(), 0);
    for (start, _) in text.match_indices(word) {
        let (before, behind) = (text.get(..start)?, text.get(start + word.len()..)?);
        if !is_part(before.chars().next_back()) && !is_part(behind.chars().next()) {
            hidden.push_str(text.get(done..start)?);
            hidden.push_str(PLACE);
            done = start + word.len();
        }
    }
    if done == 0 {
        return None;
    }
    hidden.push_str(text.get(done..)?);
    Some(hidden)
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
