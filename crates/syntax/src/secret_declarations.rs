//! Hides the values in all blocks of a declaration that one of its blocks makes a secret: it may be declared twice by mistake, or in
//! an override file.

use std::collections::{HashMap, HashSet};

use terrane_source::{SourceFile, Span};

use crate::Tree;
use crate::block_types::is_block_type;
use crate::json::{self, SecretPart, ValueId, blocks_with_secrets, parts_with_secrets};
use crate::line::{without_comment, words};
use crate::secrets::{has_mark, has_misspelt_mark, hide_item, is_secret, may_mark, secret_argument};
use crate::tree::{Block, BodyId, Item};

/// The name of the argument with the default of a variable.
const DEFAULT: &str = "default";

/// The name of the argument with the value of an output.
const VALUE: &str = "value";

/// The name of the argument with the value of a local value of Packer.
const EXPRESSION: &str = "expression";

/// The names of the declarations of a module or template that a block of any file makes secret.
#[derive(Clone, Default, Debug)]
pub struct SecretDeclarations {
    /// The names by the argument with the value, which tells variables, local values and outputs apart.
    names: HashMap<&'static str, HashSet<String>>,
    /// The names among them that a mistake may make secrets: a syntax error in a block, a block of an unknown type, a misspelt mark, or a
    /// mark beside a block.
    doubtful: HashMap<&'static str, HashSet<String>>,
    /// Whether a variable without a readable name may be a secret.
    has_nameless: bool,
}

impl SecretDeclarations {
    /// Whether a variable is a secret.
    pub fn has_variable(&self, name: &str) -> bool {
        self.has(DEFAULT, name)
    }

    /// Whether a mistake may make a variable a secret.
    pub fn has_doubtful_variable(&self, name: &str) -> bool {
        self.has_doubtful(DEFAULT, name)
    }

    /// Whether a mistake may make an output a secret.
    pub fn has_doubtful_output(&self, name: &str) -> bool {
        self.has_doubtful(VALUE, name)
    }

    /// Whether a variable is a secret that is not among the declared ones: its block or its name could not be read.
    pub fn has_unread_variable(&self, is_declared: impl Fn(&str) -> bool) -> bool {
        let mut names = self.names.get(DEFAULT).into_iter().flatten();
        self.has_nameless || names.any(|name| !is_declared(name))
    }

    /// Whether a local value of Packer is a secret.
    pub fn has_local(&self, name: &str) -> bool {
        self.has(EXPRESSION, name)
    }

    fn has(&self, argument: &str, name: &str) -> bool {
        self.names.get(argument).is_some_and(|names| names.contains(name))
    }

    fn has_doubtful(&self, argument: &str, name: &str) -> bool {
        self.doubtful.get(argument).is_some_and(|names| names.contains(name))
    }

    fn has_any(&self, argument: &str) -> bool {
        self.names.contains_key(argument)
    }

    fn add(&mut self, argument: &'static str, name: &str, is_doubtful: bool) {
        let doubtful = is_doubtful.then_some(&mut self.doubtful);
        for names in [Some(&mut self.names), doubtful].into_iter().flatten() {
            let names = names.entry(argument).or_default();
            if !names.contains(name) {
                names.insert(name.to_owned());
            }
        }
    }

    /// Adds the secret declarations of a file in the native syntax.
    pub fn add_native(&mut self, tree: &Tree, root: BodyId) {
        for block in tree.blocks(root) {
            let block_type = tree.block_type(block);
            let Some(argument) = secret_argument(block_type) else { continue };
            let whole = whole(tree, block);
            let is_broken = has_error(tree, whole);
            let is_misspelt = has_misspelt_mark(tree, block) || is_broken && may_mark(tree.slice(whole));
            if is_secret(tree, block) || is_misspelt {
                let is_doubtful = is_broken || is_misspelt || !is_block_type(block_type);
                let names = tree.slice(header(tree, block));
                self.add_declared(Declared { argument, names }, is_doubtful);
            }
        }
        self.add_marked(tree, root);
        // The body below a broken header may be read as other items.
        let may_be_secret = has_mark(tree.source().text());
        // A rest with a brace may be the header of a block.
        if !self.has_nameless && rests(tree, root).any(|rest| tree.slice(rest).contains('{')) {
            self.has_nameless = may_mark(tree.source().text());
        }
        for rest in rests(tree, root).filter(|_| may_be_secret) {
            let headers = tree.slice(rest).lines().filter(|line| line.trim_start().starts_with("variable"));
            headers.flat_map(words).for_each(|name| self.add(DEFAULT, name, true));
        }
    }

    fn add_declared(&mut self, declared: Declared<'_>, is_doubtful: bool) {
        self.has_nameless |= declared.argument == DEFAULT && words(declared.names).next().is_none();
        words(declared.names).for_each(|name| self.add(declared.argument, name, is_doubtful));
    }

    /// Adds the declarations before and behind a mark outside of blocks, with no empty line between them.
    fn add_marked(&mut self, tree: &Tree, root: BodyId) {
        let body = tree.body(root);
        let (mut before, mut last_block) = (None, body.span.start);
        // The end of the last item, and whether there is other text than comments behind the last block.
        let (mut end, mut has_text) = (body.span.start, false);
        let items = tree.list(body.items).iter().map(Some).chain([None]);
        for item in items {
            let start = item.map_or(body.span.end, |item| tree.item_start(*item));
            has_text |= has_error(tree, Span::new(end, start.max(end)));
            end = item.map_or(body.span.end, |item| item_end(tree, *item));
            let block = match item {
                Some(Item::Attribute(_)) => {
                    has_text = true;
                    continue;
                }
                Some(Item::Block(id)) => Declared::of(tree, tree.block(*id)),
                None => None,
            };
            if std::mem::take(&mut has_text) {
                let text = tree.slice(Span::new(last_block, start.max(last_block)));
                let lines = || text.split('\n');
                let is_before = before.filter(|_| has_marked_line(lines()));
                let is_behind = block.filter(|_| has_marked_line(lines().rev()));
                is_before.into_iter().chain(is_behind).for_each(|declared| self.add_declared(declared, true));
            }
            (before, last_block) = (block, end);
        }
    }

    /// Adds the block before a mark outside of blocks, and notes the mark for the block behind it: either may be a secret.
    fn add_before_mark(&mut self, neighbours: &mut Neighbours<'_>) {
        neighbours.is_marked = true;
        neighbours.before.take().into_iter().for_each(|declared| self.add_declared(declared, true));
    }

    /// Adds a block behind a mark outside of blocks, and notes it for a mark that may follow. `None` for a block that declares no secret.
    fn add_behind_mark<'t>(&mut self, neighbours: &mut Neighbours<'t>, block: Option<Declared<'t>>) {
        let is_marked = std::mem::take(&mut neighbours.is_marked);
        block.into_iter().filter(|_| is_marked).for_each(|declared| self.add_declared(declared, true));
        neighbours.before = block;
    }

    /// Adds the secret declarations of a file in JSON syntax. With a syntax error, the text of any of them may be a secret.
    pub fn add_json(&mut self, tree: &json::Tree, root: ValueId) {
        let whole = whole_text(tree.source());
        let has_errors = tree.source().has_error_in(whole);
        let may_be_secret = has_errors && may_mark(tree.source().text());
        self.has_nameless |= may_be_secret;
        let mut neighbours = Neighbours::default();
        for part in parts_with_secrets(tree, root, has_errors) {
            match part {
                SecretPart::Mark => self.add_before_mark(&mut neighbours),
                SecretPart::Other => self.add_behind_mark(&mut neighbours, None),
                SecretPart::End => neighbours.is_marked = false,
                SecretPart::Block(block) => {
                    let declared = Declared { argument: block.argument, names: block.name };
                    self.add_behind_mark(&mut neighbours, Some(declared));
                    if block.is_secret || may_be_secret {
                        self.add_declared(declared, block.is_doubtful);
                    }
                }
            }
        }
    }

    /// Hides the values of these declarations in a file in the native syntax. With a syntax error in a block, its whole content is hidden,
    /// as its text may set the value.
    pub fn hide_native(&self, tree: &Tree, root: BodyId) {
        if self.names.is_empty() {
            return;
        }
        for item in tree.list(tree.body(root).items) {
            match item {
                Item::Attribute(id) => {
                    // It may belong to the block before it.
                    let attribute = tree.attribute(*id);
                    let end = tree.attribute_span(attribute).end;
                    tree.source().hide(Span::new(attribute.name.end, end));
                }
                Item::Block(id) => self.hide_in_block(tree, tree.block(*id)),
            }
        }
        // The text may belong to a block before it. The header of a block stays.
        rests(tree, root).for_each(|rest| tree.source().hide(rest));
    }

    fn hide_in_block(&self, tree: &Tree, block: &Block) {
        let block_type = tree.block_type(block);
        match secret_argument(block_type) {
            Some(argument) if self.may_be(tree, block, argument) => hide_block(tree, block, argument),
            Some(_) => {}
            None => self.hide_arguments(tree, block, block_type),
        }
    }

    /// Hides the values of these declarations in a file in JSON syntax; with a syntax error, all text that may declare one.
    pub fn hide_json(&self, tree: &json::Tree, root: ValueId) {
        if self.names.is_empty() {
            return;
        }
        let source = tree.source();
        let whole = whole_text(source);
        let block_types = ["variable", "local", "output"];
        if source.has_error_in(whole) && block_types.iter().any(|name| source.text().contains(name)) {
            source.hide(whole);
            return;
        }
        for block in blocks_with_secrets(tree, root) {
            if self.has(block.argument, block.name) {
                block.values(tree).for_each(|value| source.hide(value));
            }
        }
    }

    /// Whether a block may declare one of the secrets. Its name is not certain if there is an error in its header.
    fn may_be(&self, tree: &Tree, block: &Block, argument: &str) -> bool {
        let header = header(tree, block);
        let is_broken = || tree.list(block.labels).len() != 1 || tree.source().has_error_in(header);
        words(tree.slice(header)).any(|word| self.has(argument, word))
            || is_block_type(tree.block_type(block)) && self.has_any(argument) && is_broken()
    }

    /// Hides the values in a block whose arguments declare variables or local values by their names.
    fn hide_arguments(&self, tree: &Tree, block: &Block, block_type: &str) {
        let argument = match block_type {
            "variables" => DEFAULT,
            "locals" => EXPRESSION,
            _ => return,
        };
        if !self.has_any(argument) {
            return;
        }
        let whole = whole(tree, block);
        if has_error(tree, whole) {
            return tree.source().hide(content(block, whole));
        }
        for attribute in tree.attributes(block.body) {
            if self.has(argument, tree.name(attribute)) {
                tree.source().hide(tree.span(attribute.expr));
            }
        }
    }
}

/// The names of a declaration that may be a secret.
#[derive(Clone, Copy)]
struct Declared<'t> {
    /// The name of the argument with the value.
    argument: &'static str,
    names: &'t str,
}

impl<'t> Declared<'t> {
    fn of(tree: &'t Tree, block: &Block) -> Option<Declared<'t>> {
        let argument = secret_argument(tree.block_type(block))?;
        Some(Declared { argument, names: tree.slice(header(tree, block)) })
    }
}

/// Whether a mark is in the lines beside a block up to an empty one. The first line is the rest of a line of the block.
fn has_marked_line<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    let first = lines.next();
    let lines = first.into_iter().chain(lines.take_while(|line| !line.trim().is_empty()));
    lines.into_iter().any(|line| {
        let written = without_comment(line).trim_start_matches(['=', ' ', '\t']);
        let (name, value) = written.split_once('=').unwrap_or((written, ""));
        may_mark(name) && value.trim() != "false"
    })
}

/// The last block and mark before a place in a JSON file.
#[derive(Default)]
struct Neighbours<'t> {
    /// The block before the place.
    before: Option<Declared<'t>>,
    /// Whether there is a mark behind this block.
    is_marked: bool,
}

/// Returns the texts between the items of a file that have a syntax error.
fn rests(tree: &Tree, root: BodyId) -> impl Iterator<Item = Span> {
    let body = tree.body(root);
    let items = tree.list(body.items).iter();
    let ends = items.clone().map(|item| item_end(tree, *item));
    let starts = items.map(|item| tree.item_start(*item)).chain([body.span.end]);
    let rests = [body.span.start].into_iter().chain(ends).zip(starts);
    let rests = rests.map(|(end, start)| Span::new(end, start.max(end)));
    rests.filter(|rest| has_error(tree, *rest))
}

fn item_end(tree: &Tree, item: Item) -> u32 {
    match item {
        Item::Attribute(id) => tree.attribute_span(tree.attribute(id)).end,
        Item::Block(id) => tree.block(id).close_end,
    }
}

/// Whether a text has a syntax error, or one is directly behind it, as at the end of a file that leaves something open.
fn has_error(tree: &Tree, text: Span) -> bool {
    tree.source().has_error_in(Span::new(text.start, text.end.saturating_add(1)))
}

fn hide_block(tree: &Tree, block: &Block, argument: &str) {
    let whole = whole(tree, block);
    if has_error(tree, whole) {
        tree.source().hide(content(block, whole));
    } else {
        tree.list(tree.body(block.body).items).iter().for_each(|item| hide_item(tree, *item, argument));
    }
}

/// Returns the text of a block. Without a closing brace, its arguments may stand anywhere up to the next item of the file.
fn whole(tree: &Tree, block: &Block) -> Span {
    let start = block.block_type.start;
    let span = Span::new(start, block.close_end);
    match tree.slice(span).ends_with('}') {
        true => span,
        false => Span::new(start, tree.next_top_item(start).max(block.close_end)),
    }
}

fn content(block: &Block, whole: Span) -> Span {
    Span::new(block.open.saturating_add(1).min(whole.end), whole.end)
}

/// Returns the place of the labels of a block.
fn header(tree: &Tree, block: &Block) -> Span {
    Span::new(block.block_type.end, block.open.max(tree.header_span(block).end))
}

fn whole_text(source: &SourceFile) -> Span {
    Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX))
}
