//! The name that a value lacks, and the names that were probably meant.

use crate::error::{MissingName, Misspelt};
use crate::{SmolStr, Type, Value, ValueError, closest_name};

impl ValueError {
    /// This error with the name that a map or object without marks lacks.
    pub(crate) fn lacks(self, name: &str, value: &Value) -> ValueError {
        let missing = MissingName { name: name.to_owned(), value: value.clone() };
        ValueError { missing: Some(Box::new(missing)), ..self }
    }

    /// This error with the name that was probably meant instead of a missing one, or with the names that there are. To find them takes
    /// longer than to make the error, which `try` and `can` drop.
    #[must_use]
    pub fn with_suggestions(mut self) -> ValueError {
        let Some(MissingName { name, value }) = self.missing.take().map(|missing| *missing) else {
            return self;
        };
        match (value.as_entries(), value.ty()) {
            (Some(entries), _) => suggest(self, &name, entries.keys()),
            (None, Type::Object(object)) => {
                suggest(self, &name, object.attributes().iter().map(|(name, _)| name))
            }
            (None, _) => self,
        }
    }
}

/// How many names one is compared with.
const MOST_COMPARED: usize = 1000;

/// Adds the name that was probably meant, or the names that there are.
fn suggest<'n>(
    error: ValueError,
    name: &str,
    names: impl Iterator<Item = &'n SmolStr> + Clone,
) -> ValueError {
    let names = names.take(MOST_COMPARED);
    match closest_name(name, names.clone()) {
        Some(meant) => {
            let misspelt = Misspelt { given: name.to_owned(), meant: meant.to_string() };
            let error = error.hint(format!("Did you mean \"{meant}\"?"));
            ValueError { misspelt: Some(Box::new(misspelt)), ..error }
        }
        None => match neighbors(name, names) {
            Some(list) => error.hint(list),
            None => error,
        },
    }
}

/// The names beside which `name` would stand, which begin like it; all names if they are few. The names are sorted.
fn neighbors<'n>(name: &str, names: impl Iterator<Item = &'n SmolStr> + Clone) -> Option<String> {
    /// How many names a hint has.
    const MOST_LISTED: usize = 5;
    /// A longer name is cut.
    const MOST_LETTERS: usize = 40;
    let count = names.clone().count();
    let before = names.clone().take_while(|other| ***other < *name).count();
    let first = before.saturating_sub(MOST_LISTED / 2).min(count.saturating_sub(MOST_LISTED));
    let shown = names.skip(first).take(MOST_LISTED).map(|name| match name.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("\"{}…\"", name.get(..end).unwrap_or_default()),
        None => format!("\"{name}\""),
    });
    let list = shown.collect::<Vec<_>>().join(", ");
    match count {
        0 => None,
        1 => Some(format!("There is only {list}.")),
        2..=MOST_LISTED => Some(format!("There are: {list}.")),
        MOST_COMPARED.. => Some(format!("Among others, there are: {list}.")),
        _ => Some(format!("There are {count}, such as {list}.")),
    }
}
