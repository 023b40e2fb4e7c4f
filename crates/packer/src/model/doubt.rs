//! The parts of a template that syntax errors put in doubt.

use std::collections::HashMap;

use terrane_source::{Diagnostic, FileId, JoinedSpans, Span, Subject, ids};
use terrane_syntax::tree::{Block, BodyId, Damage};
use terrane_syntax::{Parsed, ParsedSource, Tree};

/// The types of the blocks in which each argument declares a value of its own.
const BLOCKS_OF_VALUES: [&str; 2] = ["locals", "variables"];

/// The type of the blocks that name plugins.
const PLUGINS: &str = "packer";

/// The values, names and plugins of a template that a syntax error or a wrong block header may change.
#[derive(Default, Debug)]
pub(crate) struct Doubt {
    /// The damaged parts of the files. Values that are declared there are unknown, and only syntax errors are reported there.
    places: HashMap<FileId, JoinedSpans>,
    hides_names: bool,
    hides_plugins: bool,
    is_whole: bool,
}

impl Doubt {
    /// Adds a file.
    pub(crate) fn add(&mut self, parsed: &ParsedSource) {
        match parsed {
            ParsedSource::Native(parsed) if !parsed.damage.is_empty() => self.add_native(parsed),
            ParsedSource::Json(document) if document.diagnostics.iter().any(Diagnostic::is_error) => {
                self.add_all();
            }
            ParsedSource::Native(_) | ParsedSource::Json(_) => {}
        }
    }

    fn add_native(&mut self, parsed: &Parsed<BodyId>) {
        let tree = &*parsed.tree;
        let blocks: Vec<&Block> = tree.blocks(parsed.root).collect();
        let places = parsed.damage.iter().map(|damage| self.place(tree, &blocks, *damage)).collect();
        self.places.entry(tree.source().id().clone()).or_default().add(places);
    }

    /// Returns the text that damage puts in doubt. `blocks` are the blocks of the file, in order.
    fn place(&mut self, tree: &Tree, blocks: &[&Block], damage: Damage) -> Span {
        let count = blocks.partition_point(|block| tree.block_span(block).start <= damage.span.start);
        let before = count.checked_sub(1).and_then(|index| blocks.get(index)).copied();
        let Some(block) = before.filter(|block| damage.span.start < tree.block_span(block).end) else {
            (self.hides_names, self.hides_plugins) = (true, true);
            return damage.span;
        };
        let has_values = BLOCKS_OF_VALUES.contains(&tree.block_type(block));
        // A word alone may be the beginning of a name.
        if has_values && damage.argument.is_some() && tree.slice(damage.span).contains('=') {
            return damage.span;
        }
        self.hides_names |= has_values;
        self.hides_plugins |= tree.block_type(block) == PLUGINS;
        tree.block_span(block).to(damage.span)
    }

    /// Adds a block whose type or labels are wrong: it may be meant to declare anything.
    pub(crate) fn add_wrong_header(&mut self) {
        (self.hides_names, self.hides_plugins) = (true, true);
    }

    /// Adds a declaration that is left out because it has no value. In a damaged part, the value may be there.
    pub(crate) fn add_lost_value(&mut self, declaration: &Subject) {
        self.hides_names |= self.covers(declaration);
    }

    /// Puts the whole template in doubt.
    pub(crate) fn add_all(&mut self) {
        self.is_whole = true;
    }

    /// Whether nothing of the template is evaluated.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether text that could not be read may declare variables, local values and data sources.
    pub(crate) fn hides_names(&self) -> bool {
        self.hides_names || self.is_whole
    }

    /// Whether text that could not be read may name plugins.
    pub(crate) fn hides_plugins(&self) -> bool {
        self.hides_plugins || self.is_whole
    }

    /// Whether a declaration is in a damaged part.
    pub(crate) fn covers(&self, place: &Subject) -> bool {
        self.places.get(place.file.id()).is_some_and(|places| places.contain(place.span.start))
    }

    /// Whether a diagnostic, which reports no syntax error, may follow from damage.
    pub(crate) fn silences(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.subject.as_ref().is_some_and(|place| self.covers(place))
            || self.hides_names() && diagnostic.id == ids::UNDECLARED_VALUE
    }
}
