//! The arguments and blocks of a resource by their places. Queries about a place in a file use it to find the argument there.

use std::collections::BTreeSet;

use terrane_body::Body;
use terrane_source::{Diagnostics, SourceVersion, Span};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

/// The places where the arguments and blocks of a resource begin, and the expressions in them.
pub(crate) struct BodyIndex {
    /// The arguments and blocks by file and place.
    items: Vec<Item>,
    /// The expressions of arguments, also in blocks, by file and place.
    expressions: Vec<Expression>,
}

/// An argument or a block.
struct Item {
    place: FilePosition,
    name: SmolStr,
}

/// The file and the first byte of an argument, block or expression. The parts of a body are sorted by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FilePosition {
    file: SourceVersion,
    start: u32,
}

impl BodyIndex {
    pub(crate) fn of(body: &Body) -> BodyIndex {
        let content = body.open_content(&mut Diagnostics::new());
        let attributes = content.attributes.values().map(|attribute| Item {
            place: FilePosition { file: attribute.source().version(), start: attribute.name_span.start },
            name: attribute.name.clone(),
        });
        let blocks = content.blocks.iter().map(|block| Item {
            place: FilePosition { file: block.body.source().version(), start: block.type_span.start },
            name: block.generated_type().clone(),
        });
        let mut items: Vec<_> = attributes.chain(blocks).collect();
        items.sort_unstable_by_key(|item| item.place);
        let mut expressions = expressions(body);
        expressions.sort_unstable_by_key(place);
        BodyIndex { items, expressions }
    }

    /// The names of the arguments and block types.
    pub(crate) fn names(&self) -> BTreeSet<SmolStr> {
        self.items.iter().map(|item| item.name.clone()).collect()
    }

    /// Returns the name of the argument or block type that contains a place.
    pub(crate) fn item_at(&self, file: SourceVersion, start: u32) -> Option<&SmolStr> {
        let end = self.items.partition_point(|item| item.place <= FilePosition { file, start });
        let item = self.items.get(end.checked_sub(1)?)?;
        (item.place.file == file).then_some(&item.name)
    }

    /// Returns the expression of the argument around a place.
    pub(crate) fn expression_at(&self, file: SourceVersion, span: Span) -> Option<&Expression> {
        let start = FilePosition { file, start: span.start };
        let end = self.expressions.partition_point(|expression| place(expression) <= start);
        let found = self.expressions.get(end.checked_sub(1)?)?;
        (found.source().version() == file && span.end <= found.span().end).then_some(found)
    }
}

fn place(expression: &Expression) -> FilePosition {
    FilePosition { file: expression.source().version(), start: expression.span().start }
}

/// Returns the expressions of the arguments of a body and of its nested blocks.
fn expressions(body: &Body) -> Vec<Expression> {
    let (mut found, mut left) = (Vec::new(), vec![body.clone()]);
    while let Some(body) = left.pop() {
        let content = body.open_content(&mut Diagnostics::new());
        let attributes = content.attributes.values();
        found.extend(attributes.map(|attribute| attribute.expression(&mut Diagnostics::new())));
        left.extend(content.blocks.into_iter().map(|block| block.body));
    }
    found
}
