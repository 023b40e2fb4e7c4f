//! Differences as Markdown, for a comment on a pull request.

use super::model::{Change, ChangedObject, ChangedPart, Comparison};
use super::strings::{Changed, Strings};
use super::text::name;

/// The longest value in a line.
const MAX_CHARACTERS: usize = 200;
/// The most bytes of the list: services refuse comments of more than about 65,000 characters.
const MAX_BYTES: usize = 60_000;

impl Comparison {
    /// Returns the differences as Markdown: a summary, and a block in the language `diff`, in which services colour added and
    /// removed lines. The block begins with the errors of the configurations. A long list is cut.
    pub fn to_markdown(&self) -> String {
        let summary = self.summary();
        let note = self.incomplete.note().map(|note| format!("! {note}\n"));
        if self.is_empty() && note.is_none() {
            return format!("**terrane diff**: {summary}\n");
        }
        let strings = Strings::new(self.secrets, MAX_CHARACTERS);
        let mut list = note.unwrap_or_default();
        let mut left = self.resources.iter().chain(&self.outputs);
        let mut omitted = 0;
        for object in &mut left {
            let text = block(object, &strings);
            if list.len() + text.len() > MAX_BYTES {
                omitted = 1 + left.count();
                break;
            }
            list.push_str(&text);
        }
        // A fence must be longer than any sequence of backquotes inside.
        let longest = list.split(|character| character != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let more = if omitted > 0 { format!("\n{omitted} more objects differ.\n") } else { String::new() };
        format!("**terrane diff**: {summary}\n\n{fence}diff\n{list}{fence}\n{more}")
    }
}

/// Returns the lines of an object, not many more than the list has room for.
fn block(object: &ChangedObject, strings: &Strings) -> String {
    let sign = match object.change {
        Change::Added => '+',
        Change::Removed => '-',
        Change::Changed | Change::Moved | Change::Uncertain => '!',
    };
    let mut text = format!("{sign} {}{}\n", object.address, object.notes());
    for part in &object.parts {
        if text.len() > MAX_BYTES {
            break;
        }
        if let (true, Some(after)) = (part.is_uncertain, &part.after) {
            let before = part.before.as_ref().map(|before| format!("{} -> ", strings.value(before)));
            let (name, before) = (name(part), before.unwrap_or_default());
            text.push_str(&format!("!     {name} = {before}{}\n", strings.value(after)));
            continue;
        }
        add_values(part, strings, &mut text);
    }
    text
}

/// Adds the lines with the values before and after.
fn add_values(part: &ChangedPart, strings: &Strings, text: &mut String) {
    let name = name(part);
    let mut line = |sign: char, value: &str| text.push_str(&format!("{sign}     {name} = {value}\n"));
    match (&part.before, &part.after) {
        (Some(before), Some(after)) => match strings.changed(before, after) {
            Changed::Values(before, after) => {
                let note = part.note.as_ref().map(|note| format!("  # {note}")).unwrap_or_default();
                line('-', &before);
                line('+', &format!("{after}{note}"));
            }
            Changed::Lines(lines) => {
                text.push_str(&format!("!     {name}, lines:\n"));
                for (sign, line) in lines {
                    text.push_str(&format!("{}         {line}\n", if sign == '~' { '!' } else { sign }));
                }
            }
        },
        (Some(before), None) => line('-', &strings.value(before)),
        (None, Some(after)) => line('+', &strings.value(after)),
        (None, None) => {}
    }
}
