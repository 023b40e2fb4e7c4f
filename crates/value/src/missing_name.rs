//! Suggestions for a name that a value lacks: the name that was probably meant, or the existing names.

use crate::error::{MissingName, Misspelt};
use crate::suggestion::{closest_names, one_or_all};
use crate::{SmolStr, Type, Value, ValueError};

impl ValueError {
    /// Records in this error the name that a map or object without marks lacks.
    pub(crate) fn lacks(self, name: &str, value: &Value) -> ValueError {
        let missing = MissingName { name: Some(name.to_owned()), value: value.clone() };
        ValueError { missing: Some(Box::new(missing)), ..self }
    }

    /// Records in this error that a position was given for an object without marks, so that its first names help.
    pub(crate) fn lacks_position(self, object: &Value) -> ValueError {
        let missing = MissingName { name: None, value: object.clone() };
        ValueError { missing: Some(Box::new(missing)), ..self }
    }

    /// Returns the steps of [`ValueError::with_suggestions`], which a run counts.
    pub fn steps_of_suggestions(&self) -> u64 {
        /// The steps for each existing name.
        const STEPS_OF_NAME: usize = 25;
        (self.compared_names() * STEPS_OF_NAME) as u64
    }

    /// Returns the number of names that [`ValueError::with_suggestions`] compares.
    pub fn compared_names(&self) -> usize {
        let Some(missing) = &self.missing else { return 0 };
        let names = match (missing.value.as_entries(), missing.value.ty()) {
            (Some(entries), _) => entries.len(),
            (None, Type::Object(object)) => object.attributes().len(),
            (None, _) => 0,
        };
        names.min(MAX_COMPARED)
    }

    /// Adds the name that was probably meant instead of a missing one, or the existing names. Finding them takes longer
    /// than making the error, which `try` and `can` drop.
    #[must_use]
    pub fn with_suggestions(mut self) -> ValueError {
        let Some(MissingName { name, value }) = self.missing.take().map(|missing| *missing) else {
            return self;
        };
        let Some(name) = name else { return self.with_names(&value) };
        match (value.as_entries(), value.ty()) {
            (Some(entries), _) => {
                let error = suggest(self, &name, entries.keys());
                let mut compared = entries.iter().take(MAX_COMPARED);
                let has_it =
                    |element: &Value| element.as_entries().is_some_and(|own| own.get(&name).is_some());
                match entries.keys().next() {
                    // The instances of a module with `for_each` are such an object.
                    Some(first) if compared.all(|(_, element)| has_it(element)) => error
                        .hint(one_or_all(&format!("[{first:?}].{name}"), &format!("values(…)[*].{name}"))),
                    Some(_) | None => error,
                }
            }
            (None, Type::Object(object)) => {
                suggest(self, &name, object.attributes().iter().map(|(name, _)| name))
            }
            (None, _) => self,
        }
    }

    /// Adds the first names of an object.
    fn with_names(self, object: &Value) -> ValueError {
        let names = match (object.as_entries(), object.ty()) {
            (Some(entries), _) => neighbors("", entries.keys().take(MAX_COMPARED)),
            (None, Type::Object(object)) => {
                neighbors("", object.attributes().iter().map(|(name, _)| name).take(MAX_COMPARED))
            }
            (None, _) => None,
        };
        match names {
            Some(names) => self.hint(names),
            None => self,
        }
    }
}

/// Limit on the names with which one is compared, and on the work of comparing them letter by letter.
const MAX_COMPARED: usize = 1000;

/// Adds the name that was probably meant, or else the existing names: no name is near, or several are equally near.
fn suggest<'n>(
    error: ValueError,
    name: &str,
    names: impl Iterator<Item = &'n SmolStr> + Clone,
) -> ValueError {
    let names = names.take(MAX_COMPARED);
    match closest_names(name, names.clone(), MAX_COMPARED).as_slice() {
        [meant] => {
            let misspelt = Misspelt { given: name.to_owned(), meant: meant.to_string() };
            let error = error.hint(format!("Did you mean \"{meant}\"?"));
            ValueError { misspelt: Some(Box::new(misspelt)), ..error }
        }
        [] | [_, _, ..] => match neighbors(name, names) {
            Some(list) => error.hint(list),
            None => error,
        },
    }
}

/// Returns the names next to which `name` would stand in sorted order, and which begin like it;
/// all names if they are few.
fn neighbors<'n>(name: &str, names: impl Iterator<Item = &'n SmolStr> + Clone) -> Option<String> {
    /// Limit on the names in a hint.
    const MAX_LISTED: usize = 5;
    /// Limit on the letters of a name in a hint.
    const MAX_LETTERS: usize = 40;
    let count = names.clone().count();
    let before = names.clone().take_while(|other| ***other < *name).count();
    let first = before.saturating_sub(MAX_LISTED / 2).min(count.saturating_sub(MAX_LISTED));
    let shown = names.skip(first).take(MAX_LISTED).map(|name| match name.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("\"{}…\"", name.get(..end).unwrap_or_default()),
        None => format!("\"{name}\""),
    });
    let list = shown.collect::<Vec<_>>().join(", ");
    match count {
        0 => None,
        1 => Some(format!("There is only {list}.")),
        2..=MAX_LISTED => Some(format!("There are: {list}.")),
        MAX_COMPARED.. => Some(format!("Among others, there are: {list}.")),
        _ => Some(format!("There are {count}, such as {list}.")),
    }
}
