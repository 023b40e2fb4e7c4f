//! Tells whether the lines behind a block are the rest of the block, which a brace too many has ended, or a body without a header.

use std::collections::HashSet;

use terrane_syntax::Tree;
use terrane_syntax::line::{first_word, indentation};
use terrane_syntax::tree::{Block, BodyId, Item};

use crate::decode::block_type::{BlockType, Declares};
use crate::decode::schema;

/// Whether the lines from a byte on continue the block that ends there. They are indented, no empty line separates them from the block
/// although empty lines separate the blocks around, and the block can have all of their arguments.
pub(super) fn continues_block(tree: &Tree, root: BodyId, at: u32) -> bool {
    let Some(Item::Block(id)) = tree.last_item_until(root, at) else { return false };
    let block = tree.block(id);
    let (text, start) = (tree.source().text(), block.block_type.start as usize);
    let (before, rest) = text.split_at_checked(at as usize).unwrap_or_default();
    let Some(lines) = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")) else { return false };
    let has_content = block.close_end > block.open + 2 && before.ends_with("\n}");
    let line_above = text.get(..start).and_then(|above| above.strip_suffix('\n')).unwrap_or_default();
    let is_apart = !line_above.rsplit('\n').next().is_some_and(|line| line.trim_end().ends_with('}'));
    block.close_end == at && has_content && is_apart && has_own_lines(tree, block, lines)
}

/// Whether the text begins with indented lines up to a closing brace, which an empty line separates from the text behind it, and the
/// arguments in these lines can be arguments of the block.
fn has_own_lines(tree: &Tree, block: &Block, text: &str) -> bool {
    let mut lines = text.lines();
    let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with('}')).collect();
    let least = body.first().map_or(0, |line| indentation(line));
    let is_apart = lines.next().is_none_or(|line| line.trim().is_empty());
    let mut names = body.iter().filter(|line| indentation(line) == least).filter_map(|line| argument(line));
    let set: HashSet<&str> = tree.attributes(block.body).map(|attribute| tree.name(attribute)).collect();
    let block_type = tree.block_type(block);
    is_apart && least > 0 && names.all(|name| !set.contains(name) && may_have(block_type, name))
}

/// Returns the name of the argument, or of the block without labels, with which a line begins.
fn argument(line: &str) -> Option<&str> {
    let (name, behind) = first_word(line.trim_start());
    (!name.is_empty() && behind.trim_start().starts_with(['=', '{'])).then_some(name)
}

/// Whether blocks of a type may have an argument or block with a name.
fn may_have(block_type: &str, name: &str) -> bool {
    let is_open = match BlockType::named(block_type).map(|block_type| block_type.declares) {
        Some(Declares::Resource(_) | Declares::Call | Declares::Locals | Declares::Provider) => true,
        Some(
            Declares::Variable
            | Declares::Output
            | Declares::Check
            | Declares::Import
            | Declares::Requirements
            | Declares::Nothing
            | Declares::Misplaced,
        )
        | None => false,
    };
    let schema = schema::of_block(block_type);
    let is_known = schema.is_some_and(|schema| schema.has_attribute(name) || schema.labels(name).is_some());
    is_open || is_known
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};
    use terrane_syntax::parse_body;

    use super::*;

    #[test]
    fn a_brace_too_many_ends_a_block() {
        let continues = |text: &str| {
            let parsed = parse_body(&SourceFile::new(FileId::new("a.tf"), text));
            let end = u32::try_from(text.find("}").unwrap() + 1).unwrap();
            continues_block(&parsed.tree, parsed.root, end)
        };
        assert!(continues("output \"a\" {\n  description = \"x\"\n}\n  value = [\n    1\n  ]\n}\n"));
        assert!(continues("locals {\n  a = 1\r\n}\r\n  b = 1\r\n}\r\n\r\nlocals {}\n"));
        for text in [
            // An empty line, or none where the blocks have none.
            "output \"a\" {\n  description = \"x\"\n}\n\n  value = 1\n}\n",
            "locals {\n  a = 1\n}\n  b = 1\n}\nlocals {}\n",
            // Arguments of another block.
            "output \"a\" {\n  value = 1\n}\n  value = 1\n}\n",
            "output \"a\" {\n  value = 1\n}\n  default = 1\n}\n",
            "variable \"a\" {}\n  default = 1\n}\n",
        ] {
            assert!(!continues(text), "{text}");
        }
    }
}
