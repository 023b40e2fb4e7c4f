//! Hides sensitive texts in output. Packer does not follow sensitive values through expressions: it removes their text
//! from everything that it prints.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use terrane_value::{Entries, Known, Marks, SharedPart, SmolStr, Unknown, Value, ValueKind, display, json};

use super::text_search::TextSearch;

/// The replacement of a hidden text.
const HIDDEN: &str = "<sensitive>";

/// Stands for [`HIDDEN`] meanwhile, so that no short secret is found in it.
const PLACE: &str = "\u{f8ff}";

/// The length in bytes of numbers and keys that are hidden inside of other words, too.
const LONG_WORD: usize = 4;

/// The texts of sensitive values.
#[derive(Clone, Default, Debug)]
pub struct SecretTexts {
    /// Hidden wherever they stand.
    texts: Option<TextSearch>,
    /// Hidden where they stand between characters of no word.
    short_words: HashSet<SmolStr>,
    /// The lengths of the short words, the longest first: there are few.
    lengths: Vec<usize>,
    /// Numbers and keys of maps: hidden where they are the whole number or key.
    words: BTreeSet<SmolStr>,
}

/// Collects the texts of values.
#[derive(Default)]
struct SecretCollector {
    texts: HashSet<SmolStr>,
    short_words: HashSet<SmolStr>,
    words: BTreeSet<SmolStr>,
    /// The collections that were looked at. The values live longer than the collector.
    seen: HashSet<SharedPart>,
}

impl SecretCollector {
    /// Adds all strings, numbers and keys of maps in a value. A part that occurs many times is looked at once.
    fn add(&mut self, value: &Value) {
        let value = value.unmarked();
        if value.shared_part().is_some_and(|part| !self.seen.insert(part)) {
            return;
        }
        match value.kind() {
            ValueKind::String(text) => self.add_text(text),
            ValueKind::Number(number) => self.add_word(&number.to_string()),
            ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
                elements.iter().for_each(|element| self.add(element));
            }
            ValueKind::Map(elements) => {
                elements.keys().for_each(|key| self.add_word(key));
                elements.values().for_each(|element| self.add(element));
            }
            ValueKind::Object(attributes) => attributes.values().for_each(|attribute| self.add(attribute)),
            ValueKind::Bool(_) | ValueKind::Null(_) | ValueKind::Marked(..) | ValueKind::Unknown(_) => {}
        }
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

    /// The texts, ready to be searched for.
    fn finish(self) -> SecretTexts {
        let lengths: BTreeSet<Reverse<usize>> =
            self.short_words.iter().map(|word| Reverse(word.len())).collect();
        SecretTexts {
            texts: (!self.texts.is_empty()).then(|| TextSearch::of(self.texts.iter().map(SmolStr::as_str))),
            lengths: lengths.into_iter().map(|Reverse(length)| length).collect(),
            short_words: self.short_words,
            words: self.words,
        }
    }
}

impl SecretTexts {
    /// The strings, numbers and keys of maps in values.
    pub(crate) fn of<'v>(values: impl Iterator<Item = &'v Value>) -> SecretTexts {
        let mut collector = SecretCollector::default();
        values.for_each(|value| collector.add(value));
        collector.finish()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_none() && self.words.is_empty()
    }

    /// The text with secrets replaced.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut hidden = match text.contains(HIDDEN) {
            true => Cow::Owned(text.replace(HIDDEN, PLACE)),
            false => Cow::Borrowed(text),
        };
        let parts = self.texts.as_ref().map(|texts| texts.parts(&hidden)).unwrap_or_default();
        if let Some(text) = without(&hidden, &parts) {
            hidden = Cow::Owned(text);
        }
        if let Some(text) = without(&hidden, &self.short_words_in(&hidden)) {
            hidden = Cow::Owned(text);
        }
        match hidden {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(text) => Cow::Owned(text.replace(PLACE, HIDDEN)),
        }
    }

    /// The places of short words that are no part of a longer one.
    fn short_words_in(&self, text: &str) -> Vec<Range<usize>> {
        let is_part = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (mut found, mut done, mut before) = (Vec::new(), 0, None);
        if self.short_words.is_empty() {
            return found;
        }
        for (start, character) in text.char_indices() {
            let is_inside = is_part(before.replace(character));
            if start >= done && !is_inside {
                let ends = self.lengths.iter().map(|length| start + length);
                let end = ends.into_iter().find(|end| {
                    let word = text.get(start..*end);
                    word.is_some_and(|word| self.short_words.contains(word))
                        && !is_part(text.get(*end..).and_then(|behind| behind.chars().next()))
                });
                if let Some(end) = end {
                    found.push(start..end);
                    done = end;
                }
            }
        }
        found
    }

    /// The value with secrets replaced in all its strings. It shares the parts that the value shares.
    #[must_use]
    pub fn hide_in(&self, value: &Value) -> Value {
        match self.is_empty() {
            true => value.clone(),
            false => SecretHider { secrets: self, done: HashMap::new() }.in_value(value),
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

/// Hides secrets in a value.
struct SecretHider<'s> {
    secrets: &'s SecretTexts,
    /// The results for collections in the value.
    done: HashMap<SharedPart, Value>,
}

impl SecretHider<'_> {
    fn in_value(&mut self, value: &Value) -> Value {
        let shared = value.shared_part();
        if let Some(done) = shared.and_then(|shared| self.done.get(&shared)) {
            return done.clone();
        }
        let hidden = self.in_other(value);
        if let Some(shared) = shared {
            self.done.insert(shared, hidden.clone());
        }
        hidden
    }

    fn in_other(&mut self, value: &Value) -> Value {
        match value.kind() {
            ValueKind::String(text) => match self.secrets.hide(text) {
                Cow::Borrowed(_) => value.clone(),
                Cow::Owned(text) => Value::from(text),
            },
            ValueKind::Tuple(elements) => Value::tuple(self.in_all(elements)),
            // With elements of the same type as before, so that it is still of that type.
            ValueKind::List(elements) => Value::list(element_type(value), self.in_all(elements)),
            // Elements that are hidden are no longer distinct.
            ValueKind::Set(elements) => Value::tuple(self.in_all(elements)),
            ValueKind::Object(attributes) => Value::object(self.in_entries(attributes)),
            ValueKind::Map(elements) => Value::map(element_type(value), self.in_entries(elements)),
            ValueKind::Marked(inner, marks) => self.in_value(inner).with_marks(marks),
            ValueKind::Unknown(unknown) => {
                Value::from(Unknown { known: self.in_known(&unknown.known), ..unknown.clone() })
            }
            // A mark leaves the type of the collection around it as it is.
            ValueKind::Number(number) if self.secrets.is_word(&number.to_string()) => {
                value.clone().with_marks(&Marks::sensitive())
            }
            ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::Null(_) => value.clone(),
        }
    }

    fn in_known(&mut self, known: &Known) -> Known {
        match known {
            Known::Nothing => Known::Nothing,
            Known::Object(entries) => Known::Object(self.in_entries(entries).into_iter().collect()),
            Known::Sequence(elements) => Known::Sequence(self.in_all(elements).into_iter().collect()),
        }
    }

    fn in_all(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.in_value(value)).collect()
    }

    fn in_entries(&mut self, entries: &Entries) -> Vec<(SmolStr, Value)> {
        let secrets = self.secrets;
        entries.iter().map(|(name, value)| (secrets.key(name), self.in_value(value))).collect()
    }
}

/// The text itself, as it is written in quotes, and in JSON.
fn forms(text: &str) -> impl Iterator<Item = SmolStr> {
    let (quoted, mut in_json) = (display::quote(text), String::new());
    json::write_string(&mut in_json, text);
    let written = [quoted, in_json].map(|form| form.strip_prefix('"')?.strip_suffix('"').map(SmolStr::from));
    let forms = written.into_iter().flatten().chain([SmolStr::from(text)]);
    forms.filter(|form| !form.is_empty())
}

/// The text with parts of it replaced; none if there are no parts.
fn without(text: &str, parts: &[Range<usize>]) -> Option<String> {
    let (mut hidden, mut done) = (String::new(), 0);
    for part in parts {
        hidden.push_str(text.get(done..part.start)?);
        hidden.push_str(PLACE);
        done = part.end;
    }
    if parts.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a value in which a part occurs eight million times.
    fn wide(part: Value) -> Value {
        (0..23).fold(part, |part, level| match level % 2 {
            0 => Value::tuple([part.clone(), part]),
            _ => Value::object([("a".into(), part.clone()), ("b".into(), part)]),
        })
    }

    #[test]
    fn a_part_that_occurs_many_times_is_hidden_once() {
        let secrets = wide(Value::from("hunter2"));
        let shown = wide(Value::from("a hunter2"));
        // Looking at each occurrence would take minutes.
        for _ in 0..50 {
            let texts = SecretTexts::of([&secrets, &secrets].into_iter());
            let hidden = texts.hide_in(&shown);
            assert_eq!(hidden.size(), shown.size());
            assert_eq!(texts.hide("hunter2"), HIDDEN);
            let mut part = hidden;
            while part.as_str().is_none() {
                let mut first = None;
                part.for_each_child(&mut |child| first = Some(child.clone()));
                part = first.expect("a part");
            }
            assert_eq!(part.as_str(), Some(&*format!("a {HIDDEN}")));
        }
    }

    #[test]
    fn the_keys_of_a_map_are_secret_though_an_object_has_the_same_values() {
        let values = || (0..9).map(|index| (SmolStr::from(format!("key-{index}")), Value::from("text")));
        let object = Value::object(values());
        let map = terrane_value::convert(&object, &terrane_value::Type::map(terrane_value::Type::String));
        let texts = SecretTexts::of([&object, &map.expect("a map")].into_iter());
        assert_eq!(texts.hide("key-1"), HIDDEN);
        assert!(SecretTexts::of([&object].into_iter()).hide("key-1") == "key-1");
    }
}
