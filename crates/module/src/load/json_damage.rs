//! Finds the declarations of a JSON file that its syntax errors put in doubt.

use terrane_syntax::json;
use terrane_syntax::tree::Damage;
use terrane_value::SmolStr;

use crate::load::damage::{hide_items, is_contained, objects_of};
use crate::model::doubt::{Doubt, Hidden};

/// The damage of a file. What is not inside of a block may hold blocks that could not be read.
pub(crate) fn of_file(damage: &[json::Damage]) -> Vec<Damage> {
    let part = |damage: &json::Damage| Damage {
        span: damage.span,
        block: None,
        argument: None,
        hides: InBlock::of(damage).is_none(),
    };
    damage.iter().map(part).collect()
}

/// Puts the blocks in doubt that damaged parts are in.
pub(crate) fn of_blocks(damage: &[json::Damage], is_override: bool, doubt: &mut Doubt) {
    for part in damage.iter().filter_map(InBlock::of) {
        part.add_to(is_override, doubt);
    }
}

/// A damaged part inside of a block.
struct InBlock<'d> {
    block_type: &'d str,
    labels: Vec<SmolStr>,
    /// The argument, if nothing but its value is damaged. The tree has no value for it.
    argument: Option<&'d str>,
}

impl InBlock<'_> {
    fn of(damage: &json::Damage) -> Option<InBlock<'_>> {
        let (block_type, rest) = damage.path.split_first()?;
        let (labels, within) = rest.split_at_checked(label_count(block_type)?)?;
        if within.is_empty() && damage.is_named {
            return None;
        }
        let argument = match within {
            [name] if damage.is_named && !is_block(name) => Some(name.as_str()),
            _ => None,
        };
        let labels = labels.iter().map(SmolStr::from).collect();
        Some(InBlock { block_type, labels, argument })
    }

    fn add_to(&self, is_override: bool, doubt: &mut Doubt) {
        if self.argument.is_some_and(|argument| is_contained(self.block_type, argument)) {
            return;
        }
        hide_items(self.block_type, doubt);
        match objects_of(self.block_type, &self.labels) {
            Some(objects) => objects.into_iter().for_each(|object| doubt.add(object)),
            None => doubt.hide(Hidden::all().in_file(is_override)),
        }
    }
}

/// The number of labels of a block, if it may stand in a file.
fn label_count(block_type: &str) -> Option<usize> {
    match block_type {
        "resource" | "data" | "ephemeral" | "action" => Some(2),
        "variable" | "output" | "module" | "provider" | "check" => Some(1),
        "locals" | "terraform" | "import" | "moved" | "removed" => Some(0),
        _ => None,
    }
}

/// Whether a property of a block is a block itself.
fn is_block(name: &str) -> bool {
    matches!(name, "lifecycle" | "provisioner" | "connection" | "dynamic" | "assert" | "data")
}
