//! Removes the arguments and blocks that a dialect lacks from the content of a block.
//!
//! Each of them is reported under the title that an edition without it gives to an unknown argument or block.

use terrane_body::Content;
use terrane_source::{Diagnostic, Diagnostics, Title, ids, titles};
use terrane_value::article;

use crate::rules::constructs::since;
use crate::rules::table::Rules;

/// Removes from the content of a block of type `owner` the arguments and blocks that the dialect lacks, and reports them.
pub(crate) fn retain(rules: &Rules, owner: &str, content: &mut Content, diagnostics: &mut Diagnostics) {
    if rules.has_all() {
        return;
    }
    let here = if owner.is_empty() {
        "in a file".to_owned()
    } else {
        format!("in {} `{owner}` block", article(owner))
    };
    let lacks =
        |name: &str, kind: &str| rules.lacks(since(owner, name)?, format_args!("The {kind} `{name}` {here}"));
    content.attributes.retain(|name, attribute| {
        let Some(detail) = lacks(name, "argument") else { return true };
        let problem = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail);
        // A `provider` block reserves the names that other products use.
        let problem =
            if owner == "provider" { problem.titled(Title::of(ids::RESERVED_ARGUMENT)) } else { problem };
        diagnostics.push(problem.at(attribute.source(), attribute.name_span));
        false
    });
    content.blocks.retain(|block| {
        let Some(detail) = lacks(&block.block_type, "block") else { return true };
        let problem = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail);
        let problem = if owner == "module" {
            problem.titled(titles::reserved_block_type_name("module"))
        } else {
            problem
        };
        diagnostics.push(problem.at(block.body.source(), block.type_span));
        false
    });
}
