//! Parses a JSON file: once, and after an error again in pieces.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile};

use super::errors::Errors;
use super::lexer::Lexer;
use super::parser::Parser;
use super::rescue::{Damage, Read, rescued};
use super::secrets::hide_secrets;
use super::{Tree, ValueId};
use crate::secrets::calls::hide_in_json;
use crate::secrets::error_places;

/// The result of a parse: a tree in every case, and the diagnostics.
#[derive(Clone, Debug)]
pub struct Document {
    /// The arena that contains `root`.
    pub tree: Arc<Tree>,
    /// The value of the whole file.
    pub root: ValueId,
    /// The errors, in the order in which the parser met them.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts that errors made unreadable. If such a part has a name, the tree has no value for the name.
    pub damage: Vec<Damage>,
}

/// Parses the text of `source` as a configuration file in JSON syntax.
pub fn parse_json(source: &Arc<SourceFile>) -> Document {
    let tree = Tree::new(Arc::clone(source));
    let mut parser = Parser::new(source, Lexer::at(source.text(), 0), tree, Errors::new(source));
    let root = parser.file();
    let mut tree = parser.tree;
    tree.shrink();
    let diagnostics = parser.errors.finish();
    hide_secrets(&tree, root, &diagnostics);
    hide_in_json(source, &diagnostics);
    source.record_errors(error_places(&diagnostics));
    let first = Read { tree, root, damage: Vec::new() };
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    let Read { tree, root, damage } = if has_errors { rescued(source, first) } else { first };
    Document { tree: Arc::new(tree), root, diagnostics, damage }
}
