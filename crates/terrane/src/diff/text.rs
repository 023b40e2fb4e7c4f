//! Differences as text. Each line begins with a sign: `+` added, `-` removed, `~` changed, `>` moved, `?`
//! uncertain.

use terrane_source::Diagnostic;

use super::model::{Change, ChangedObject, ChangedPart, Comparison};
use super::strings::{Changed, Strings};
use crate::print_limit::{MAX_BYTES, limit_exceeded};

/// The longest value in a line.
const MAX_CHARACTERS: usize = 100;

impl Comparison {
    /// Returns the differences as text: each object with the parts that differ, and a summary. The first line names the errors
    /// of the configurations.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if the text would be longer than 96 MiB.
    pub fn to_text(&self) -> Result<String, Box<Diagnostic>> {
        let note = self.incomplete.note().map(|note| format!("# {note}\n")).unwrap_or_default();
        let strings = Strings::new(self.secrets, MAX_CHARACTERS);
        let mut out = String::new();
        for object in &self.resources {
            object_text(object, &strings, &mut out)?;
        }
        if !self.outputs.is_empty() {
            out.push_str(if self.resources.is_empty() { "Outputs:\n" } else { "\nOutputs:\n" });
        }
        for object in &self.outputs {
            object_text(object, &strings, &mut out)?;
        }
        let summary = self.summary();
        let mut letters = summary.chars();
        let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
        let gap = if out.is_empty() { "" } else { "\n" };
        out.push_str(&format!("{gap}{first}{}.\n", letters.as_str()));
        Ok(note + &out)
    }
}

fn object_text(object: &ChangedObject, strings: &Strings, out: &mut String) -> Result<(), Box<Diagnostic>> {
    let place = object.place.as_ref().map(|place| {
        let at = place.file.line_column(place.span.start);
        format!("  # {}:{}", place.file.id(), at.line)
    });
    let (notes, place) = (object.notes(), place.unwrap_or_default());
    out.push_str(&format!("{} {}{notes}{place}\n", sign(object.change), object.address));
    for part in &object.parts {
        out.push_str(&line(part, strings));
        if out.len() > MAX_BYTES {
            return Err(Box::new(limit_exceeded()));
        }
    }
    Ok(())
}

/// Returns the sign of a difference.
fn sign(change: Change) -> char {
    match change {
        Change::Added => '+',
        Change::Removed => '-',
        Change::Changed => '~',
        Change::Moved => '>',
        Change::Uncertain => '?',
    }
}

fn line(part: &ChangedPart, strings: &Strings) -> String {
    let value = |value| strings.value(value);
    let name = name(part);
    let sign = |sign| if part.is_uncertain { '?' } else { sign };
    match (&part.before, &part.after) {
        (Some(before), Some(after)) => match strings.changed(before, after) {
            Changed::Values(before, after) => {
                let note = part.note.as_ref().map(|note| format!("  # {note}")).unwrap_or_default();
                format!("{}     {name} = {before} -> {after}{note}\n", sign('~'))
            }
            Changed::Lines(lines) => {
                let line = |(sign, line)| format!("{sign}         {line}\n");
                let lines: String = lines.into_iter().map(line).collect();
                format!("{}     {name}, lines:\n{lines}", sign('~'))
            }
        },
        (Some(before), None) => format!("-     {name} = {}\n", value(before)),
        (None, Some(after)) => format!("{}     {name} = {}\n", sign('+'), value(after)),
        (None, None) => String::new(),
    }
}

/// Returns the path of a part without its first dot. For an element of a set, the name says so.
pub(super) fn name(part: &ChangedPart) -> String {
    let name = match part.path.strip_prefix('.') {
        Some(name) => name,
        None if part.path.is_empty() => "value",
        None => &part.path,
    };
    if part.is_element_of_set { format!("{name}, element") } else { name.to_owned() }
}
