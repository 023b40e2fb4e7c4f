//! Differences as Markdown, for a comment on a pull request.

use super::model::{Change, ChangedObject, Comparison};
use super::text::name;
use crate::explain::brief::brief;

/// The longest value in a line.
const MOST_CHARACTERS: usize = 200;
/// The most bytes of the list; services refuse comments of more than about 65,000 characters.
const MOST_BYTES: usize = 60_000;

impl Comparison {
    /// The differences as Markdown: a summary, and a block in the language `diff`, in which services colour added and removed
    /// lines. A long list is cut.
    pub fn to_markdown(&self) -> String {
        let summary = self.summary();
        if self.is_empty() {
            return format!("**terrane diff**: {summary}\n");
        }
        let mut list = String::new();
        let mut omitted = 0;
        for object in self.resources.iter().chain(&self.outputs) {
            let text = self.block(object);
            if list.len() + text.len() > MOST_BYTES || omitted > 0 {
                omitted += 1;
            } else {
                list.push_str(&text);
            }
        }
        // A fence is longer than any row of its character inside.
        let longest = list.split(|character| character != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        let more = if omitted > 0 { format!("\n{omitted} more objects differ.\n") } else { String::new() };
        format!("**terrane diff**: {summary}\n\n{fence}diff\n{list}{fence}\n{more}")
    }

    fn block(&self, object: &ChangedObject) -> String {
        let sign = match object.change {
            Change::Added => '+',
            Change::Removed => '-',
            Change::Changed | Change::Moved | Change::Uncertain => '!',
        };
        let mut text = format!("{sign} {}{}\n", object.address, object.notes());
        for part in &object.parts {
            if let (true, Some(after)) = (part.is_uncertain, &part.after) {
                let value = |value| brief(value, self.secrets, MOST_CHARACTERS);
                let before = part.before.as_ref().map(|before| format!("{} -> ", value(before)));
                let (name, before) = (name(&part.path), before.unwrap_or_default());
                text.push_str(&format!("!     {name} = {before}{}\n", value(after)));
                continue;
            }
            for (sign, value) in [('-', &part.before), ('+', &part.after)] {
                if let Some(value) = value {
                    let value = brief(value, self.secrets, MOST_CHARACTERS);
                    text.push_str(&format!("{sign}     {} = {value}\n", name(&part.path)));
                }
            }
        }
        text
    }
}
