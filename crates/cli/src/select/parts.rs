//! Selects the parts of values that an address with stars matches.

use terrane::value::{Entries, Path, PathStep, SmolStr, ops};
use terrane::{InstanceKey, Value};

use super::pattern::{PatternStep, is_like};

/// A value with its address.
pub(super) struct SelectedPart {
    pub(super) address: String,
    /// The path of the part in the value of the object.
    pub(super) path: Path,
    pub(super) value: Value,
}

/// Returns the parts that the steps select. A value whose parts are unknown or secret stands for them.
pub(super) fn parts(whole: SelectedPart, steps: &[PatternStep]) -> Vec<SelectedPart> {
    let Some((step, behind)) = steps.split_first() else { return vec![whole] };
    if step.has_star() && whole.has_unseen_members() {
        return vec![whole];
    }
    whole.members(step).into_iter().flat_map(|part| parts(part, behind)).collect()
}

impl SelectedPart {
    /// Whether the value is secret, or its members are unknown.
    fn has_unseen_members(&self) -> bool {
        let has_members = self.value.known_attributes().is_some() || self.value.known_elements().is_some();
        self.value.is_marked() || !self.value.is_known() && !has_members
    }

    /// Returns the members that one step selects. Empty if the value has no such member.
    fn members(self, step: &PatternStep) -> Vec<SelectedPart> {
        match step {
            PatternStep::Name(name) if !name.contains('*') => self.key(name),
            PatternStep::Key(key) if !key.contains('*') => self.key(key),
            PatternStep::Index(index) => {
                let position = i64::try_from(*index).ok().map(Value::from);
                let element = position.and_then(|position| ops::index(&self.value, &position).ok());
                element.map(|element| self.element(*index, element)).into_iter().collect()
            }
            PatternStep::Name(pattern) | PatternStep::Key(pattern) => self.like(pattern),
            PatternStep::Any => self.like("*"),
        }
    }

    /// Returns the members whose names match a pattern, or all elements of a sequence.
    fn like(self, pattern: &str) -> Vec<SelectedPart> {
        let names = |entries: &Entries| entries.keys().cloned().collect::<Vec<SmolStr>>();
        if let Some(entries) = self.value.known_attributes().or(self.value.as_entries()) {
            let names = names(entries).into_iter().filter(|name| is_like(name, pattern));
            return names.flat_map(|name| self.key(&name)).collect();
        }
        match (self.value.known_elements(), pattern) {
            (Some(elements), "*") => {
                (0..).zip(elements).map(|(index, value)| self.element(index, value.clone())).collect()
            }
            (Some(_) | None, _) => Vec::new(),
        }
    }

    /// Returns the member with a key.
    fn key(&self, key: &str) -> Vec<SelectedPart> {
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
        let part = |member| self.part(&step, PathStep::Attribute(key.into()), member);
        member.map(part).into_iter().collect()
    }

    fn element(&self, index: u64, value: Value) -> SelectedPart {
        let position = Value::from(i64::try_from(index).unwrap_or(i64::MAX));
        self.part(&format!("[{index}]"), PathStep::Index(position), value)
    }

    fn part(&self, text: &str, step: PathStep, value: Value) -> SelectedPart {
        let mut path = self.path.clone();
        path.push(step);
        SelectedPart { address: format!("{}{text}", self.address), path, value }
    }
}
