use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Span, ids};
use terrane_syntax::tree::{Attribute, Block, BodyId};
use terrane_syntax::{Expression, Tree};

use crate::module::Declaration;
use terrane_eval::closest_name;

/// The content of one block, read by name.
#[derive(Clone, Copy)]
pub(crate) struct Content<'c> {
    pub(crate) tree: &'c Arc<Tree>,
    pub(crate) body: BodyId,
    /// The block whose content this is.
    pub(crate) block: Block,
}

impl<'c> Content<'c> {
    pub(crate) fn all_attributes(self) -> impl Iterator<Item = &'c Attribute> {
        self.tree.attributes(self.body)
    }

    pub(crate) fn all_blocks(self) -> impl Iterator<Item = &'c Block> {
        self.tree.blocks(self.body)
    }

    /// The value of the argument `name`.
    pub(crate) fn attribute(self, name: &str) -> Option<Expression> {
        self.tree.find_attribute(self.body, name).map(|attribute| self.expression(attribute))
    }

    /// The value of an argument.
    pub(crate) fn expression(self, attribute: &Attribute) -> Expression {
        Expression { tree: Arc::clone(self.tree), id: attribute.expr }
    }

    /// The nested blocks of type `block_type`.
    pub(crate) fn blocks(self, block_type: &str) -> impl Iterator<Item = Content<'c>> {
        self.all_blocks()
            .filter(move |block| self.tree.slice(block.block_type) == block_type)
            .map(move |block| Content { tree: self.tree, body: block.body, block: *block })
    }

    /// The header of the block, for messages.
    pub(crate) fn header(self) -> Span {
        self.tree.header_span(&self.block)
    }

    /// The block as a declaration.
    pub(crate) fn declaration(self) -> Declaration {
        self.declared_at(self.header())
    }

    /// A place in the block as a declaration.
    pub(crate) fn declared_at(self, span: Span) -> Declaration {
        Declaration { file: Arc::clone(self.tree.source()), span }
    }

    /// Reports arguments and blocks that the block does not have.
    pub(crate) fn reject_others(self, arguments: &[&str], blocks: &[&str], diagnostics: &mut Diagnostics) {
        let source = self.tree.source();
        let owner = self.tree.slice(self.block.block_type);
        for attribute in self.all_attributes() {
            let name = self.tree.slice(attribute.name);
            if arguments.contains(&name) {
                continue;
            }
            let mut detail = format!("A `{owner}` block has no argument named \"{name}\".");
            if blocks.contains(&name) {
                detail.push_str(&format!(" Did you mean a nested block `{name} {{ … }}`, without `=`?"));
            }
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail).at(source, attribute.name);
            diagnostics.push(with_nearest(diagnostic, name, arguments));
        }
        for block in self.all_blocks() {
            let name = self.tree.slice(block.block_type);
            if blocks.contains(&name) {
                continue;
            }
            let mut detail = format!("A `{owner}` block has no nested block of type \"{name}\".");
            if arguments.contains(&name) {
                detail.push_str(&format!(" Did you mean the argument `{name} = …`?"));
            }
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(source, block.block_type);
            diagnostics.push(with_nearest(diagnostic, name, blocks));
        }
    }

    /// Reports the lack of a required argument.
    pub(crate) fn missing(self, argument: &str, diagnostics: &mut Diagnostics) {
        let detail = format!("The argument \"{argument}\" is required here, but it is not set.");
        let place = Span::new(self.block.open, self.block.open + 1);
        diagnostics.push(
            Diagnostic::error(ids::MISSING_ARGUMENT, detail)
                .at(self.tree.source(), place)
                .within(self.header()),
        );
    }
}

fn with_nearest(diagnostic: Diagnostic, name: &str, known: &[&str]) -> Diagnostic {
    match closest_name(name, known.iter().copied()) {
        Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
        None => diagnostic,
    }
}
