//! Keeps facts about long texts that are compared with the state, because a text may be compared many times: in several instances, and
//! with each element of a set.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use terrane_stdlib::{is_sha1, sha1_hashes};
use terrane_value::{Value, json};

/// The bytes from which on the facts about a text are kept.
const LONG: usize = 64;

/// The facts about the texts that were compared.
#[derive(Default, Debug)]
pub struct ComparedTexts {
    /// The fingerprints of JSON documents. `None` for a text that is none.
    documents: KeptFacts<Option<u64>>,
    hashes: KeptFacts<Arc<[String]>>,
}

/// A fact about each long text, by the place and length of the text, which is kept in memory.
type KeptFacts<T> = Mutex<HashMap<(usize, usize), (Value, T), RandomState>>;

impl ComparedTexts {
    /// Whether two strings are JSON objects or arrays with the same value.
    pub(crate) fn are_same_document(&self, one: &Value, other: &Value) -> bool {
        self.document(one).is_some_and(|one| self.document(other) == Some(one))
    }

    /// Whether the string `recorded` is the SHA-1 of the string `configured`, or of the bytes that it encodes as Base64.
    pub(crate) fn is_hash(&self, recorded: &Value, configured: &Value) -> bool {
        let Some(hash) = recorded.as_str().filter(|text| is_sha1(text)) else { return false };
        kept(&self.hashes, configured, |text| sha1_hashes(text).into())
            .is_some_and(|hashes| hashes.iter().any(|one| one == hash))
    }

    /// Returns the fingerprint of the document that a string contains.
    fn document(&self, value: &Value) -> Option<u64> {
        value.as_str().filter(|text| text.starts_with(['{', '[']))?;
        kept(&self.documents, value, json::fingerprint).flatten()
    }
}

/// Returns the fact about a string, which `of` finds. `None` if the value is no string.
fn kept<T: Clone>(facts: &KeptFacts<T>, value: &Value, of: impl FnOnce(&str) -> T) -> Option<T> {
    let text = value.as_str()?;
    if text.len() < LONG {
        return Some(of(text));
    }
    let facts = || facts.lock().unwrap_or_else(PoisonError::into_inner);
    let place = (text.as_ptr().addr(), text.len());
    if let Some((_, fact)) = facts().get(&place) {
        return Some(fact.clone());
    }
    let fact = of(text);
    // A clone of a value has the same long text, so no other text gets its place.
    facts().insert(place, (value.clone(), fact.clone()));
    Some(fact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_read_once() {
        let facts = KeptFacts::default();
        let long = Value::from("x".repeat(LONG));
        let count = |value: &Value| kept(&facts, value, str::len);
        assert_eq!((count(&long), count(&long.clone()), count(&Value::NULL)), (Some(LONG), Some(LONG), None));
        assert_eq!(kept(&facts, &long, |_| 0), Some(LONG));
        assert_eq!(count(&Value::from("short")), Some(5));
        assert_eq!(facts.lock().unwrap().len(), 1);
    }

    #[test]
    fn documents_and_hashes_are_the_same() {
        let texts = ComparedTexts::default();
        let spaces = " ".repeat(LONG);
        let [one, other] =
            [format!("{{\"a\": 1{spaces}}}"), format!("{{{spaces}\"a\":1.0}}")].map(Value::from);
        assert!(
            texts.are_same_document(&one, &other) && texts.are_same_document(&one, &Value::from("{\"a\":1}"))
        );
        assert!(!texts.are_same_document(&one, &Value::from("[1]")));
        assert!(!texts.are_same_document(&Value::from("1"), &Value::from("1.0")));
        let hash = Value::from("2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
        assert!(texts.is_hash(&hash, &Value::from("hello world")) && !texts.is_hash(&hash, &one));
    }
}
