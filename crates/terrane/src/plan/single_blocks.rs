//! Gives planned blocks the shape that a state has recorded.
//!
//! Without a schema, blocks of a type are planned as a list, even if there may only be one. The state records such a block as
//! an object.

use std::collections::HashMap;

use terrane_value::{Known, SmolStr, Value};

use super::written_blocks::WrittenBlocks;

/// Returns the planned object with each list of one block replaced by an object if the recorded value is an object. `None` if
/// there is no such list. The depth of blocks bounds the recursion.
pub(super) fn as_recorded(planned: &Value, recorded: &Value, blocks: &WrittenBlocks) -> Option<Value> {
    let inner = planned.unmarked();
    let (all, before) = (inner.known_attributes()?, recorded.unmarked().known_attributes()?);
    let changed = blocks.types().filter_map(|(name, blocks)| {
        let value = blocks_as_recorded(all.get(name)?, before.get(name)?, blocks)?;
        Some((name, value))
    });
    let mut changed: HashMap<&SmolStr, Value> = changed.collect();
    if changed.is_empty() {
        return None;
    }
    let entries =
        all.iter().map(|(name, value)| (name.clone(), changed.remove(name).unwrap_or_else(|| value.clone())));
    let object = match inner.as_unknown().map(|unknown| &unknown.known) {
        Some(Known::Object(_)) => Value::open_object(entries.collect(), inner.origins().clone()),
        Some(Known::Nothing | Known::Sequence(_)) | None => Value::object(entries.collect::<Vec<_>>()),
    };
    Some(object.with_marks(planned.marks()))
}

/// Returns the planned blocks of one type in the form that the state records. `None` if that is the form they have.
fn blocks_as_recorded(planned: &Value, recorded: &Value, blocks: &WrittenBlocks) -> Option<Value> {
    let elements = planned.unmarked().known_elements()?;
    let before = recorded.unmarked();
    if let (Some(all), [only]) = (before.known_attributes(), elements) {
        // If a name of the block is missing in the recorded object, the keys of that object are the labels of a map of blocks.
        let names = only.unmarked().known_attributes()?;
        let block = names.keys().all(|name| all.get(name).is_some()).then(|| {
            let inner = as_recorded(only, before, blocks);
            inner.unwrap_or_else(|| only.clone()).with_marks(planned.marks())
        });
        return block;
    }
    let before = before.known_elements().filter(|before| before.len() == elements.len())?;
    let pairs = elements.iter().zip(before);
    let changed: Vec<Option<Value>> = pairs.map(|(one, before)| as_recorded(one, before, blocks)).collect();
    if changed.iter().all(Option::is_none) {
        return None;
    }
    let elements = changed.into_iter().zip(elements).map(|(new, old)| new.unwrap_or_else(|| old.clone()));
    let sequence = Value::open_sequence(elements.collect::<Vec<_>>(), planned.unmarked().origins().clone());
    Some(sequence.with_marks(planned.marks()))
}
