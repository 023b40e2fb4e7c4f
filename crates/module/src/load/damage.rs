//! Finds the declarations of a file that its syntax errors put in doubt: the evaluation treats their values as unknown.

use std::collections::HashMap;

use terrane_body::Body;
use terrane_config::address::Object;
use terrane_source::{FileId, Span};
use terrane_syntax::tree::{Attribute, Block, BlockId, Damage, Item};
use terrane_syntax::{Expr, Tree, is_part_of_name};
use terrane_value::SmolStr;

use crate::decode::block_type::{BlockType, Declares};
use crate::decode::broken_header::lacks_a_label;
use crate::load::unreadable_text::UnreadableText;
use crate::model::doubt::Doubt;
use crate::model::hidden::Hidden;

/// The arguments that affect a resource as a whole.
const ARGUMENTS_OF_WHOLE_RESOURCE: [&str; 3] = ["count", "for_each", "provider"];

/// Puts in doubt everything that a file may declare, because it could not be read or parsed at all.
pub(crate) fn whole_file(file: &FileId, is_override: bool, doubt: &mut Doubt) {
    doubt.add_place(file, Span::new(0, u32::MAX));
    doubt.hide(Hidden::all().in_file(is_override));
}

/// Adds to `doubt` the declarations that the damage of a file touches.
pub(crate) fn of_file(body: &Body, damage: &[Damage], is_override: bool, doubt: &mut Doubt) {
    let file = body.source().id();
    let stray_brackets = body.as_native().map(|(tree, _)| stray_brackets(tree, damage)).unwrap_or_default();
    for damage in damage {
        doubt.add_place(file, damage.span);
        match (damage.block, body.as_native()) {
            (Some(id), Some((tree, _))) => {
                let stray_bracket = stray_brackets.get(&id).copied();
                let block = DamagedBlock { tree, block: tree.block(id), damage, stray_bracket };
                block.add_to(file, is_override, doubt);
            }
            (None, Some((tree, _))) if damage.hides => {
                let text = UnreadableText {
                    text: tree.slice(damage.span),
                    has_header: false,
                    follows_indented: is_behind_indented(tree.source().text(), damage.span.start),
                };
                doubt.hide(text.declarations().in_file(is_override));
            }
            (_, None) if damage.hides => doubt.hide(Hidden::all().in_file(is_override)),
            (_, _) => {}
        }
    }
}

/// Whether the last line with text before a byte is indented: then a block has ended too early.
fn is_behind_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default().trim_end();
    is_indented(text, u32::try_from(before.len()).unwrap_or(u32::MAX))
}

/// Whether the line that contains a byte begins with space before it.
fn is_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    before.get(line..).is_some_and(|line| line.starts_with([' ', '\t']))
}

/// Returns for each damaged block the end of its first line with a bracket too many, or with a quote that hides an opening bracket.
/// Blocks without such a line are left out.
fn stray_brackets(tree: &Tree, damage: &[Damage]) -> HashMap<BlockId, u32> {
    let mut ends = HashMap::new();
    for (id, start) in damage.iter().filter_map(|damage| Some((damage.block?, damage.span.start))) {
        let end = ends.entry(id).or_insert(tree.block(id).close_end);
        *end = start.max(*end);
    }
    let line_of = |(id, end)| {
        let start = tree.block(id).block_type.start;
        let mut line_end = start as usize;
        let mut lines = tree.slice(Span::new(start, u32::max(start, end))).split_inclusive('\n');
        lines.find(|line| {
            line_end += line.len();
            closes_too_much(line.trim_end_matches(['\r', '\n']))
        })?;
        Some((id, u32::try_from(line_end).ok()?))
    };
    ends.into_iter().filter_map(line_of).collect()
}

/// Whether a line shows that a bracket is too many or hidden, by one of these rules:
///
/// - An argument follows a brace at the start of the line: `} name = 1`.
/// - The line closes more brackets than it opens, and does not begin with a closing bracket: `name = 1]`.
/// - An opening bracket follows a quote that nothing closes: `name = "a[`.
fn closes_too_much(line: &str) -> bool {
    const CLOSING: [char; 3] = ['}', ']', ')'];
    const OPENING: [char; 3] = ['{', '[', '('];
    if let Some(behind) = line.trim_start().strip_prefix('}') {
        let value = behind.trim_start().trim_start_matches(is_part_of_name);
        return value.trim_start().starts_with('=') && !value.contains("=>");
    }
    let is_in_quotes = line.matches('"').count() % 2 == 1;
    let behind_quote = line.rsplit('"').next().unwrap_or_default();
    let surplus = line.matches(CLOSING).count() > line.matches(OPENING).count();
    surplus && !line.trim_start().starts_with(CLOSING) || is_in_quotes && behind_quote.contains(OPENING)
}

/// Whether only space, and at least one blank, precedes a byte on its line.
fn starts_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    let space = before.get(before.rfind('\n').map_or(0, |newline| newline + 1)..).unwrap_or_default();
    !space.is_empty() && space.trim().is_empty()
}

/// Returns the declarations that a damaged block with many of them, such as `locals`, may have besides the readable
/// ones. Their names may be missing.
pub(super) fn hidden_items(block_type: &str) -> Option<Hidden> {
    let block = BlockType::named(block_type)?;
    let kinds = || Hidden::of(block.kinds().unwrap_or_default().iter().copied());
    matches!(block.declares, Declares::Locals | Declares::Requirements).then(kinds)
}

/// A block at the top of a file, with damage in it.
struct DamagedBlock<'d> {
    tree: &'d Tree,
    block: &'d Block,
    damage: &'d Damage,
    /// The end of its first line with a bracket too many.
    stray_bracket: Option<u32>,
}

impl DamagedBlock<'_> {
    fn add_to(&self, file: &FileId, is_override: bool, doubt: &mut Doubt) {
        let block_type = self.tree.block_type(self.block);
        if let Some(call) = self.call_without_parenthesis() {
            doubt.add_place(file, self.tree.attribute_span(call));
            if is_contained(block_type, self.tree.name(call)) {
                return;
            }
        }
        let nested = self.block_without_equals_sign(block_type);
        if let Some(nested) = nested {
            doubt.add_place(file, self.tree.block_span(nested));
        }
        if let (Some(start), Some(hidden)) = (self.lone_word(), hidden_items(block_type)) {
            doubt.hide(hidden.beginning_with(start));
        }
        // Each local value stands alone, also one that is read as a block.
        if self.is_contained(block_type) && (nested.is_none() || block_type == "locals") {
            return;
        }
        if let Some(hidden) = hidden_items(block_type) {
            doubt.hide(match self.body_behind_broken_line() {
                Some(body) => hidden.named_in(body),
                None if self.lacks_an_opening() => hidden,
                None => hidden.named_in(self.tree.slice(self.damage.span)),
            });
        }
        let has_body = self.block.open > self.block.block_type.end;
        let whole = self.tree.block_span(self.block).to(self.damage.span);
        if block_type == "locals" && has_body {
            if whole == self.damage.span {
                self.locals_with_braces().for_each(|local| doubt.add(local));
            }
            return;
        }
        doubt.add_place(file, whole);
        let objects = self.objects(block_type);
        let has_header = objects.is_some() && (has_body || self.has_whole_labels());
        // The body may have been read even though its opening brace is missing.
        let is_header = self.block.close_end == self.block.block_type.end;
        if !has_header || is_header {
            let text = UnreadableText {
                text: self.tree.slice(whole),
                has_header,
                follows_indented: is_indented(self.tree.source().text(), whole.start),
            };
            doubt.hide(text.declarations().in_file(is_override));
        }
        if lacks_a_label(self.tree, self.block) {
            let kinds = BlockType::named(block_type).and_then(BlockType::kinds).unwrap_or_default();
            doubt.hide(Hidden::of(kinds.iter().copied()).in_file(is_override));
        }
        objects.into_iter().flatten().for_each(|object| doubt.add(object));
    }

    /// Returns the word that is the whole damage. A name may continue behind it.
    fn lone_word(&self) -> Option<&str> {
        let name = self.damage.argument.map(|name| self.tree.slice(name));
        name.filter(|name| self.tree.slice(self.damage.span).trim() == *name)
    }

    /// Whether the damage is in the value of an argument that does not affect the rest of the block. Behind an argument on the
    /// line of the opening brace, the block has to end on this line, so the lines below may be lost.
    fn is_contained(&self, block_type: &str) -> bool {
        let name = self.damage.argument.map(|name| self.tree.slice(name));
        name.is_some_and(|name| is_contained(block_type, name))
            && self.body_behind_broken_line().is_none()
            && !self.lone_word().is_some_and(|start| self.may_lack_an_argument(block_type, start))
    }

    /// Whether a word may be the beginning of the name of an argument that the block cannot lack: one of a call, of the built-in
    /// resource, or one that affects the whole resource.
    fn may_lack_an_argument(&self, block_type: &str, start: &str) -> bool {
        match BlockType::named(block_type).map(|block| block.declares) {
            Some(Declares::Call) => true,
            Some(Declares::Resource(_)) => {
                ARGUMENTS_OF_WHOLE_RESOURCE.iter().any(|name| name.starts_with(start))
                    || self
                        .tree
                        .labels(self.block)
                        .next()
                        .is_some_and(|label| label.starts_with("terraform_"))
            }
            Some(
                Declares::Variable
                | Declares::Locals
                | Declares::Output
                | Declares::Check
                | Declares::Provider
                | Declares::Import
                | Declares::Requirements
                | Declares::Nothing
                | Declares::Misplaced,
            )
            | None => false,
        }
    }

    /// Returns the body as written, up to a line that begins with a brace, if the damage is on the line of the opening brace, which
    /// does not end with a closing one.
    fn body_behind_broken_line(&self) -> Option<&str> {
        let text = self.tree.source().text().get(self.block.open as usize..)?;
        let (first, behind) = text.split_once('\n')?;
        let is_on_first = self.damage.span.start <= self.block.open + u32::try_from(first.len()).ok()?;
        let is_broken =
            self.damage.span.start >= self.block.open && is_on_first && !first.trim_end().ends_with('}');
        is_broken.then(|| behind.split_once("\n}").map_or(behind, |(body, _)| body))
    }

    /// Returns the nested block around the damage, if it can only be an argument whose equals sign is missing.
    fn block_without_equals_sign(&self, block_type: &str) -> Option<&Block> {
        let is_around = |nested: &&Block| self.tree.block_span(nested).contains(self.damage.span.start);
        let nested = self.tree.blocks(self.block.body).find(is_around);
        nested.filter(|nested| lacks_equals_sign(block_type, self.tree.block_type(nested)))
    }

    /// Returns the argument before the damage, if its value is only a name and the damage begins behind it: the name may be that
    /// of a function without its opening parenthesis.
    fn call_without_parenthesis(&self) -> Option<&Attribute> {
        let (tree, start) = (self.tree, self.damage.span.start);
        let body = tree.block_at(self.block.body, start).map_or(self.block.body, |id| tree.block(id).body);
        let before = tree.attributes(body).take_while(|attribute| attribute.name.start < start).last()?;
        let is_name = matches!(tree.expr(before.expr), Expr::Traversal { steps, .. } if steps.is_empty());
        let behind = Span::new(tree.attribute_span(before).end, start);
        let has_block = || tree.blocks(body).any(|block| behind.contains(block.block_type.start));
        (self.damage.argument.is_none() && is_name && behind.start < start && !has_block()).then_some(before)
    }

    /// Whether a line without a name has a closing bracket inside the block, so that the line with the name is missing.
    fn lacks_an_opening(&self) -> bool {
        let text = self.tree.source().text();
        let is_closer = |start: u32| {
            let line =
                text.get(start as usize..).and_then(|behind| behind.lines().next()).unwrap_or_default();
            let is_lone = line.trim_matches([' ', '\t', '}', ']', ')', ',']).is_empty();
            is_lone && !line.is_empty() && starts_indented(text, start)
        };
        let ends = [self.damage.span.start, self.block.close_end.saturating_sub(1)];
        ends.into_iter().any(|end| is_closer(end) && !self.has_stray_bracket(end))
    }

    /// Whether a line of the block before a byte has a bracket too many. Then a line that only closes brackets does not show that
    /// another line is missing.
    fn has_stray_bracket(&self, end: u32) -> bool {
        self.stray_bracket.is_some_and(|line_end| line_end <= end)
    }

    /// Whether the line of the header ends with its last label, in quotes.
    fn has_whole_labels(&self) -> bool {
        let header = Span::new(self.block.block_type.start, self.damage.span.end.max(self.block.open));
        let line = self.tree.slice(header).lines().next().unwrap_or_default().trim_end();
        let labels = self.tree.labels(self.block).count();
        line.matches('"').count() == 2 * labels && (labels == 0 || line.ends_with('"'))
    }

    /// Returns the local values of a `locals` block that may end at a wrong brace.
    fn locals_with_braces(&self) -> impl Iterator<Item = Object> {
        let items = self.tree.list(self.tree.body(self.block.body).items).iter();
        let attributes = items.filter_map(|item| match item {
            Item::Attribute(id) => Some(self.tree.attribute(*id)),
            Item::Block(_) => None,
        });
        attributes
            .filter(|attribute| self.tree.slice(self.tree.attribute_span(attribute)).contains('{'))
            .map(|attribute| Object::Local(SmolStr::from(self.tree.slice(attribute.name))))
    }

    /// Returns the objects that the block declares; `None` if its header does not tell.
    fn objects(&self, block_type: &str) -> Option<Vec<Object>> {
        let labels: Vec<SmolStr> = self.tree.labels(self.block).map(SmolStr::from).collect();
        let mut objects = objects_of(block_type, &labels)?;
        if block_type == "check" {
            let nested = self.tree.blocks(self.block.body);
            let data = nested.filter(|nested| self.tree.block_type(nested) == "data").filter_map(|data| {
                let labels: Vec<SmolStr> = self.tree.labels(data).map(SmolStr::from).collect();
                objects_of("data", &labels)
            });
            objects.extend(data.flatten());
        }
        Some(objects)
    }
}

/// Whether a nested block can only be an argument whose equals sign is missing.
fn lacks_equals_sign(block_type: &str, nested: &str) -> bool {
    match BlockType::named(block_type).map(|block| block.declares) {
        Some(Declares::Call | Declares::Locals) => true,
        Some(Declares::Resource(_)) => ARGUMENTS_OF_WHOLE_RESOURCE.contains(&nested),
        Some(
            Declares::Variable
            | Declares::Output
            | Declares::Check
            | Declares::Provider
            | Declares::Import
            | Declares::Requirements
            | Declares::Nothing
            | Declares::Misplaced,
        )
        | None => false,
    }
}

/// Whether the value of an argument does not affect the rest of its block.
pub(super) fn is_contained(block_type: &str, argument: &str) -> bool {
    match BlockType::named(block_type).map(|block| block.declares) {
        Some(Declares::Resource(_)) => argument != "provider",
        Some(Declares::Call) => !["source", "version", "providers"].contains(&argument),
        Some(Declares::Check | Declares::Locals) => true,
        Some(
            Declares::Variable
            | Declares::Output
            | Declares::Provider
            | Declares::Import
            | Declares::Requirements
            | Declares::Nothing
            | Declares::Misplaced,
        )
        | None => false,
    }
}

/// Returns the objects that a block with these labels declares; `None` if the labels do not tell.
pub(super) fn objects_of(block_type: &str, labels: &[SmolStr]) -> Option<Vec<Object>> {
    BlockType::named(block_type)?.objects(labels)
}
