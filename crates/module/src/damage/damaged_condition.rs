//! Finds damage in conditions, which no value of their blocks depends on.

use terrane_source::Span;
use terrane_syntax::Tree;
use terrane_syntax::line::{first_word, has_open_quote, indentation};
use terrane_syntax::tree::{Block, BodyId};

use crate::decode::schema;

/// The types of the blocks that are conditions.
const CONDITIONS: [&str; 4] = ["assert", "postcondition", "precondition", "validation"];

/// Whether damage in a body is a line of a condition: one of its arguments, or a word that begins the name of one. Other lines may belong
/// to the block around the condition.
pub(super) fn is_in_condition(tree: &Tree, body: BodyId, damage: Span) -> bool {
    let Some(nested) = tree.block_at(body, damage.start).map(|id| tree.block(id)) else { return false };
    CONDITIONS.contains(&tree.block_type(nested))
        && is_line_of_condition(tree.slice(damage))
        && damage.end < nested.close_end
        && closes_in_column(tree, nested)
}

/// Whether a text is one line with an argument of a condition, and closes all brackets and quotes that it opens. Others may reach further.
fn is_line_of_condition(text: &str) -> bool {
    let (word, behind) = first_word(text);
    let is_balanced = |(open, close): (char, char)| text.matches(open).count() == text.matches(close).count();
    let mut names = schema::condition().attribute_names();
    !word.is_empty()
        && names.any(|name| name.starts_with(word))
        && !behind.starts_with(['"', '{', '[', '('])
        && !text.contains('\n')
        && !has_open_quote(text)
        && [('{', '}'), ('[', ']'), ('(', ')')].into_iter().all(is_balanced)
}

/// Whether a block ends at a brace on a line of its own, in the column of its header.
fn closes_in_column(tree: &Tree, block: &Block) -> bool {
    let source = tree.source();
    let line = |at: u32| source.text().get(source.line_start(at) as usize..).unwrap_or_default();
    let last = line(block.close_end.saturating_sub(1));
    let is_lone = last.trim_start_matches([' ', '\t']).starts_with('}');
    is_lone && indentation(last) == indentation(line(block.block_type.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_condition_begins_with_one_of_its_arguments() {
        for text in ["con", "condition = = 1", "error_message = 1 2", "error_messa"] {
            assert!(is_line_of_condition(text), "{text}");
        }
        for text in ["", "= 1", "sensi tive = true", "con = (", "con = \"", "con\"", "con = 1\n}", "con = {"]
        {
            assert!(!is_line_of_condition(text), "{text}");
        }
    }
}
