//! Selects the parts of values that an address with stars matches.

use terrane::value::{Entries, Path, PathStep, SmolStr, ops};
use terrane::{InstanceKey, Value};

use super::pattern::{PatternStep, is_like};

/// A value with its address.
#[derive(Clone)]
pub(super) struct SelectedPart {
    pub(super) address: String,
    /// The path of the part in the value of the object.
    pub(super) path: Path,
    pub(super) value: Value,
}

/// Returns the parts that the steps select. A value whose parts are unknown or secret stands for them.
pub(super) fn parts(whole: SelectedPart, steps: &[PatternStep]) -> Vec<SelectedPart> {
    // An address may have more steps than the stack has room for, but each star is a level of a known value.
    let (mut whole, mut steps) = (whole, steps);
    while let Some((step, behind)) = steps.split_first() {
        if step.has_star() {
            if whole.has_unseen_members() {
                break;
            }
            return whole.like(step).into_iter().flat_map(|part| parts(part, behind)).collect();
        }
        match whole.member(step) {
            Some(member) => (whole, steps) = (member, behind),
            None => return Vec::new(),
        }
    }
    vec![whole]
}

impl SelectedPart {
    /// Whether the value is secret, or its members are unknown.
    fn has_unseen_members(&self) -> bool {
        let has_members = self.value.known_attributes().is_some() || self.value.known_elements().is_some();
        self.value.is_marked() || !self.value.is_known() && !has_members
    }

    /// Returns the member that a step without a star selects. `None` if the value has no such member.
    fn member(self, step: &PatternStep) -> Option<SelectedPart> {
        match step {
            PatternStep::Name(key) | PatternStep::Key(key) => self.key(key),
            PatternStep::Index(index) => {
                let position = Value::from(i64::try_from(*index).ok()?);
                let element = ops::index(&self.value, &position).ok()?;
                Some(self.element(*index, element))
            }
            PatternStep::Any => None,
        }
    }

    /// Returns the members whose names match a step with a star, or all elements of a sequence.
    fn like(self, step: &PatternStep) -> Vec<SelectedPart> {
        let pattern = match step {
            PatternStep::Name(pattern) | PatternStep::Key(pattern) => pattern.as_str(),
            PatternStep::Index(_) | PatternStep::Any => "*",
        };
        let names = |entries: &Entries| entries.keys().cloned().collect::<Vec<SmolStr>>();
        if let Some(entries) = self.value.known_attributes().or(self.value.as_entries()) {
            let names = names(entries).into_iter().filter(|name| is_like(name, pattern));
            return names.filter_map(|name| self.clone().key(&name)).collect();
        }
        match (self.value.known_elements(), pattern) {
            (Some(elements), "*") => {
                let elements = (0..).zip(elements);
                elements.map(|(index, value)| self.clone().element(index, value.clone())).collect()
            }
            (Some(_) | None, _) => Vec::new(),
        }
    }

    /// Returns the member with a key.
    fn key(self, key: &str) -> Option<SelectedPart> {
        let entries = self.value.known_attributes().or(self.value.as_entries());
        let is_name = key.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && key
                .chars()
                .all(|character| character.is_alphanumeric() || character == '_' || character == '-');
        let step = if is_name { format!(".{key}") } else { InstanceKey::Key(SmolStr::from(key)).to_string() };
        let entry = entries.and_then(|entries| entries.get(key)).filter(|_| !self.value.is_marked()).cloned();
        let member = entry.or_else(|| match is_name {
            true => ops::attribute(&self.value, key).ok(),
            false => ops::index(&self.value, &Value::from(key)).ok(),
        });
        member.map(|member| self.at(&step, PathStep::Attribute(key.into()), member))
    }

    fn element(self, index: u64, value: Value) -> SelectedPart {
        let position = Value::from(i64::try_from(index).unwrap_or(i64::MAX));
        self.at(&format!("[{index}]"), PathStep::Index(position), value)
    }

    /// Returns the part behind a step.
    fn at(mut self, text: &str, step: PathStep, value: Value) -> SelectedPart {
        self.address.push_str(text);
        self.path.push(step);
        SelectedPart { value, ..self }
    }
}
