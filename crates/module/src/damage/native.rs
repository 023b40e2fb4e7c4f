//! Finds the declarations of a file that its syntax errors put in doubt: the evaluation treats their values as unknown.

use std::collections::{BTreeMap, HashSet};

use terrane_body::Body;
use terrane_config::address::Object;
use terrane_source::{FileId, JoinedSpans, Span};
use terrane_syntax::line::{has_open_quote, indentation, without_comment};
use terrane_syntax::tree::{Attribute, Block, BlockId, BodyId, Damage, Item};
use terrane_syntax::{Expr, Tree, is_identifier, is_part_of_name};
use terrane_value::SmolStr;

use crate::damage::continued_block::continues_block;
use crate::damage::damaged_condition::is_in_condition;
use crate::damage::joined_text::{ends_of_names, joined_headers};
use crate::damage::layout::{ends_in_its_column, is_behind_indented, is_indented, with_labels_below};
use crate::damage::lost_name::{LITERALS, LostName};
use crate::damage::unreadable_text::{UnreadableText, is_behind_both_parts, is_behind_cut_header};
use crate::decode::block_type::{BlockType, Declares};
use crate::decode::broken_header::{in_broken_type, without_a_label};
use crate::decode::displaced_argument::lacks_equals_sign;
use crate::decode::meant_type::meant_types;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::doubt::Doubt;
use crate::model::hidden::Hidden;

/// The number of bytes before a closing bracket that are searched for the line that it belongs to.
const MAX_LOOKED_BACK: usize = 1 << 14;

/// Puts in doubt everything that a file may declare, because it could not be read or parsed at all.
pub(crate) fn whole_file(file: &FileId, is_override: bool, doubt: &mut Doubt) {
    doubt.add_places(file, vec![Span::new(0, u32::MAX)]);
    doubt.hide(Hidden::all().in_file(is_override));
}

/// Adds to `doubt` the declarations that the damage of a file touches.
pub(crate) fn of_file(body: &Body, damage: &[Damage], is_override: bool, doubt: &mut Doubt) {
    if damage.is_empty() {
        return;
    }
    let mut places: Vec<Span> = damage.iter().map(|damage| damage.span).collect();
    match body.as_native() {
        Some((tree, root)) => {
            for damage in damage.iter().filter(|damage| damage.block.is_none() && damage.hides) {
                if let Some(header) = parted_header(tree, root, damage.span) {
                    places.push(header);
                    continue;
                }
                let start = damage.span.start;
                let text = UnreadableText {
                    text: tree.slice(with_labels_below(tree, damage.span)),
                    has_header: false,
                    follows_indented: is_behind_indented(tree.source().text(), start)
                        || is_behind_both_parts(tree.source().text(), start)
                        || continues_block(tree, root, start),
                    follows_header: is_behind_cut_header(tree.source().text(), start),
                };
                doubt.hide(text.declarations().in_file(is_override));
            }
            for damage in damage.iter().filter(|damage| damage.block.is_none() && !damage.hides) {
                let name = damage.argument.map_or("", |name| tree.slice(name));
                let hidden = in_broken_type(name, tree.slice(damage.span));
                hidden.into_iter().for_each(|hidden| doubt.hide(hidden.in_file(is_override)));
            }
            let mut touched = TouchedFile::new(tree, is_override);
            touched.blocks(damage, doubt);
            touched.add_texts(doubt);
            places.append(&mut touched.places);
            // An unclosed block ends at the next block; the space between them is not in doubt.
            places = places.into_iter().map(|place| without_space(tree, place)).collect();
        }
        None if damage.iter().any(|damage| damage.hides) => doubt.hide(Hidden::all().in_file(is_override)),
        None => {}
    }
    doubt.add_places(body.source().id(), places);
}

/// Returns a span without the space at its end.
fn without_space(tree: &Tree, span: Span) -> Span {
    let written = tree.slice(span).trim_end().len();
    Span::new(span.start, span.start + u32::try_from(written).unwrap_or(span.len()))
}

/// Returns the rest of the header of a block on the next line, if a word is the beginning of its type.
fn parted_header(tree: &Tree, root: BodyId, word: Span) -> Option<Span> {
    let block = tree.block(tree.block_at(root, word.end + 1)?);
    let block_type = tree.block_type(block);
    if block.block_type.start != word.end + 1 || BlockType::named(block_type).is_some() {
        return None;
    }
    let lines = tree.slice(word.to(block.block_type));
    let whole = lines.contains('\n').then(|| lines.replacen('\n', "", 1))?;
    meant_types(&whole).next().map(|_| tree.header_span(block))
}

/// A file with damage, and the facts about it that are computed once. A file may have as many damaged parts as lines, and all of them may be
/// in one block, so no part of the text is read once for each.
struct TouchedFile<'d> {
    tree: &'d Tree,
    is_override: bool,
    /// The line breaks before lines that begin with a closing brace.
    closing_lines: Vec<u32>,
    /// The parts in doubt around the damaged parts.
    places: Vec<Span>,
    /// The texts with names of declarations of these kinds.
    texts: BTreeMap<&'static [DeclarationKind], Vec<Span>>,
    /// The texts in which headers may be joined with other items.
    headers: Vec<Span>,
    /// The blocks with several damaged parts that have been put in doubt as a whole.
    done: HashSet<PartInDoubt>,
}

/// A block in doubt.
#[derive(PartialEq, Eq, Hash)]
struct PartInDoubt {
    block: BlockId,
    /// The block with the damage.
    span: Span,
    has_labels: bool,
    /// Whether the damage is the whole block.
    is_whole: bool,
}

/// The end of a damaged block.
#[derive(Clone, Copy)]
struct BlockEnd {
    /// The end of its first line with a bracket too many.
    stray_bracket: Option<u32>,
    /// Whether its last line only closes brackets, and is indented.
    is_closer: bool,
}

impl<'d> TouchedFile<'d> {
    fn new(tree: &'d Tree, is_override: bool) -> TouchedFile<'d> {
        let text = tree.source().text();
        let closing_lines = text.match_indices("\n}").filter_map(|(at, _)| u32::try_from(at).ok()).collect();
        TouchedFile {
            tree,
            is_override,
            closing_lines,
            places: Vec::new(),
            texts: BTreeMap::new(),
            headers: Vec::new(),
            done: HashSet::new(),
        }
    }

    /// Adds the declarations that the damage of blocks touches.
    fn blocks(&mut self, damage: &[Damage], doubt: &mut Doubt) {
        let mut in_blocks: Vec<(BlockId, &Damage)> =
            damage.iter().filter_map(|damage| Some((damage.block?, damage))).collect();
        in_blocks.sort_by_key(|(id, _)| *id);
        for of_block in in_blocks.chunk_by(|one, next| one.0 == next.0) {
            let Some((id, _)) = of_block.first().copied() else { continue };
            let (tree, block) = (self.tree, self.tree.block(id));
            let end = BlockEnd::of(tree, block, of_block.iter().map(|(_, damage)| damage.span.start));
            let is_repeated = of_block.len() > 1;
            for (_, damage) in of_block {
                DamagedBlock { tree, id, block, damage, end, is_repeated }.add_to(self, doubt);
            }
        }
    }

    /// Adds a text in which declarations of these kinds may have their names.
    fn add_text(&mut self, kinds: &'static [DeclarationKind], text: Span) {
        self.texts.entry(kinds).or_default().push(text);
    }

    /// Adds the declarations in the texts to `doubt`.
    fn add_texts(&mut self, doubt: &mut Doubt) {
        // The texts of blocks in blocks overlap.
        for text in JoinedSpans::of(std::mem::take(&mut self.headers)).iter() {
            let hidden = joined_headers(self.tree.slice(text));
            hidden.for_each(|hidden| doubt.hide(hidden.in_file(self.is_override)));
        }
        for (kinds, texts) in std::mem::take(&mut self.texts) {
            for text in JoinedSpans::of(texts).iter().map(|text| self.tree.slice(text)) {
                let hidden = || Hidden::of(kinds.iter().copied()).in_file(self.is_override);
                doubt.hide(hidden().named_in(text));
                ends_of_names(text).for_each(|end| doubt.hide(hidden().ending_with(end)));
            }
        }
    }
}

impl BlockEnd {
    /// Returns the end of a block whose damaged parts have these starts.
    fn of(tree: &Tree, block: &Block, damage: impl Iterator<Item = u32>) -> BlockEnd {
        let last = damage.fold(block.close_end, u32::max);
        let whole = Span::new(block.block_type.start, last);
        BlockEnd {
            stray_bracket: stray_bracket(tree, whole, block.close_end.saturating_sub(1)),
            is_closer: is_indented_closer(tree.source().text(), block.close_end.saturating_sub(1)),
        }
    }
}

/// Returns the end of the first line of a block with a bracket too many, or with a quote that hides an opening bracket. A brace at the start
/// of a line before the brace at `close` is one.
fn stray_bracket(tree: &Tree, block: Span, close: u32) -> Option<u32> {
    let mut line_end = block.start as usize;
    let mut lines = tree.slice(block).split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let ends_block = line.starts_with('}') && line_end < close as usize;
        line_end += line.len();
        let next = lines.peek().copied().unwrap_or_default();
        if ends_block || closes_too_much(line.trim_end_matches(['\r', '\n'])) || is_closed_at_once(line, next)
        {
            return u32::try_from(line_end).ok();
        }
    }
    None
}

/// Whether a line ends with empty brackets although the next line is indented further, as their content.
fn is_closed_at_once(line: &str, next: &str) -> bool {
    let is_empty = ["{}", "[]", "()"].iter().any(|brackets| line.trim_end().ends_with(brackets));
    is_empty && !next.trim().is_empty() && indentation(next) > indentation(line)
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
    let is_in_quotes = has_open_quote(line);
    let behind_quote = line.rsplit('"').next().unwrap_or_default();
    let surplus = line.matches(CLOSING).count() > line.matches(OPENING).count();
    surplus && !line.trim_start().starts_with(CLOSING) || is_in_quotes && behind_quote.contains(OPENING)
}

/// Whether a line from a byte on has only closing brackets, and only space, at least one blank, before it.
fn is_indented_closer(text: &str, at: u32) -> bool {
    let behind = text.get(at as usize..).unwrap_or_default();
    let rest = behind.trim_start_matches([' ', '\t', '}', ']', ')', ',']);
    let is_lone = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
    is_lone && rest.len() < behind.len() && starts_indented(text, at)
}

/// Whether only space, and at least one blank, precedes a byte on its line.
fn starts_indented(text: &str, at: u32) -> bool {
    let before = text.get(..at as usize).unwrap_or_default();
    let space = before.get(before.rfind('\n').map_or(0, |newline| newline + 1)..).unwrap_or_default();
    !space.is_empty() && space.trim().is_empty()
}

/// Whether the line that a closing bracket at a byte belongs to is missing: lines before it are indented further, and the line above them
/// is no argument whose value is only a name, which may be that of a function without its opening bracket.
fn lacks_opening_line(text: &str, at: u32) -> bool {
    let start = (at as usize).saturating_sub(MAX_LOOKED_BACK);
    let mut lines = text.as_bytes().get(start..at as usize).unwrap_or_default().rsplit(|byte| *byte == b'\n');
    let column = lines.next().map_or(0, <[u8]>::len);
    let mut lines = lines.filter(|line| !line.trim_ascii().is_empty());
    let is_deeper = |line: &&[u8]| line.len() - line.trim_ascii_start().len() > column;
    let has_content = lines.by_ref().next().is_some_and(|line| is_deeper(&line));
    let above = lines.find(|line| !is_deeper(line)).and_then(|line| std::str::from_utf8(line).ok());
    let value = above.and_then(|above| above.split_once('=')).map(|(_, value)| value.trim());
    has_content && !value.is_some_and(|value| is_identifier(value) && !LITERALS.contains(&value))
}

/// Returns the kinds of the declarations that a damaged block with many of them, such as `locals`, may have besides the readable
/// ones. Their names may be missing.
pub(super) fn kinds_of_items(block_type: &str) -> Option<&'static [DeclarationKind]> {
    let block = BlockType::named(block_type)?;
    let has_items = matches!(block.declares, Declares::Locals | Declares::Requirements);
    has_items.then(|| block.kinds().unwrap_or_default())
}

/// A block at the top of a file, with damage in it.
struct DamagedBlock<'d> {
    tree: &'d Tree,
    id: BlockId,
    block: &'d Block,
    damage: &'d Damage,
    end: BlockEnd,
    /// Whether the block has other damaged parts.
    is_repeated: bool,
}

impl DamagedBlock<'_> {
    fn add_to(&self, touched: &mut TouchedFile<'_>, doubt: &mut Doubt) {
        let block_type = self.tree.block_type(self.block);
        // A nested block may lack any argument.
        if self.damage.argument.is_none() || self.lone_word().is_some() {
            let nested = self.tree.block_at(self.block.body, self.damage.span.start);
            touched.places.extend(nested.map(|id| self.tree.block_span(self.tree.block(id))));
        }
        if is_in_condition(self.tree, self.block.body, self.damage.span) {
            touched.headers.push(self.damage.span);
            return;
        }
        let call = self.call_without_parenthesis();
        if let Some(call) = call {
            touched.places.push(self.tree.attribute_span(call));
            if is_contained(block_type, self.tree.name(call)) {
                return;
            }
        }
        let nested = self.block_without_equals_sign(block_type);
        if let Some(nested) = nested {
            touched.places.push(self.tree.block_span(nested));
        }
        touched.headers.push(self.damage.span);
        let kinds = kinds_of_items(block_type);
        let is_own = nested.is_none_or(|nested| nested.block_type.start == self.damage.span.start);
        let lost = kinds.filter(|_| is_own && call.is_none()).and_then(|_| self.lost_name());
        if let (Some(LostName::BeginningWith(start)), Some(kinds)) = (lost, kinds) {
            let hidden = Hidden::of(kinds.iter().copied()).beginning_with(start);
            doubt.hide(hidden.in_file(touched.is_override));
        }
        let body_behind = self.body_behind_broken_line(&touched.closing_lines);
        // Each local value stands alone, also one that is read as a block.
        let lacks_a_name = lost == Some(LostName::Any) || self.lacks_a_name();
        if body_behind.is_none()
            && !lacks_a_name
            && self.is_contained(block_type)
            && (nested.is_none() || block_type == "locals")
        {
            return;
        }
        if let Some(kinds) = kinds {
            match body_behind {
                Some(body) => touched.add_text(kinds, body),
                None if lacks_a_name || self.lacks_an_opening() => {
                    doubt.hide(Hidden::of(kinds.iter().copied()).in_file(touched.is_override));
                }
                // The names of requirements are in a block inside of this one, whose header may be broken.
                None if block_type != "locals" => {
                    touched.add_text(kinds, self.tree.block_span(self.block).to(self.damage.span));
                }
                None => touched.add_text(kinds, self.damage.span),
            }
        }
        self.add_whole_to(touched, doubt);
    }

    /// Puts the block as a whole in doubt, except for `locals`, where each value stands alone.
    fn add_whole_to(&self, touched: &mut TouchedFile<'_>, doubt: &mut Doubt) {
        let (block_type, is_override) = (self.tree.block_type(self.block), touched.is_override);
        let has_body = self.block.open > self.block.block_type.end;
        let has_labels = has_body || self.has_whole_labels();
        let whole = self.tree.block_span(self.block).to(self.damage.span);
        let is_whole = whole == self.damage.span;
        let part = PartInDoubt { block: self.id, span: whole, has_labels, is_whole };
        if self.is_repeated && !touched.done.insert(part) {
            return;
        }
        if block_type == "locals" && has_body {
            if is_whole {
                self.locals_with_braces().for_each(|local| doubt.add(local, is_override));
            }
            return;
        }
        touched.places.push(whole);
        let objects = self.objects(block_type);
        let has_header = objects.is_some() && has_labels;
        // The body may have been read even though its opening brace is missing.
        let is_header = self.block.close_end == self.block.block_type.end;
        if !has_header || is_header {
            let text = UnreadableText {
                text: self.tree.slice(with_labels_below(self.tree, whole)),
                has_header,
                follows_indented: is_indented(self.tree.source().text(), whole.start),
                follows_header: false,
            };
            doubt.hide(text.declarations().in_file(is_override));
        }
        if let Some(hidden) = without_a_label(self.tree, self.block) {
            doubt.hide(hidden.in_file(is_override));
        }
        objects.into_iter().flatten().for_each(|object| doubt.add(object, is_override));
    }

    /// Returns the word that is the whole damage. A name may continue behind it.
    fn lone_word(&self) -> Option<&str> {
        let name = self.damage.argument.map(|name| self.tree.slice(name));
        name.filter(|name| without_comment(self.tree.slice(self.damage.span)).trim() == *name)
    }

    /// Whether the damage is in the value of an argument that does not affect the rest of the block.
    fn is_contained(&self, block_type: &str) -> bool {
        let name = self.damage.argument.map(|name| self.tree.slice(name));
        name.is_some_and(|name| is_contained(block_type, name))
            && !self.lone_word().is_some_and(|start| self.may_lack_an_argument(block_type, start))
    }

    /// Whether a word may be the beginning of the name of an argument that the block cannot lack: one of a call, of the built-in
    /// resource, or one that affects the whole resource.
    fn may_lack_an_argument(&self, block_type: &str, start: &str) -> bool {
        let is_built_in =
            || self.tree.labels(self.block).next().is_some_and(|label| label.starts_with("terraform_"));
        BlockType::named(block_type).is_some_and(|block_type| {
            let is_resource = matches!(block_type.declares, Declares::Resource(_));
            block_type.any_affects_whole(|name| name.starts_with(start)) || is_resource && is_built_in()
        })
    }

    /// Returns the bytes of the body up to the next line that begins with a closing brace, if the damage is on the line of the opening
    /// brace. `None` if this line ends with a closing brace. Behind an argument on this line, the block has to end on the line, so the
    /// lines below may be lost.
    fn body_behind_broken_line(&self, closing_lines: &[u32]) -> Option<Span> {
        let (source, open, start) = (self.tree.source(), self.block.open, self.damage.span.start);
        let line_start = |offset| source.line_start(offset);
        if start < open || line_start(start) != line_start(open) {
            return None;
        }
        let line = source.line(open);
        let first = source.line_span(line);
        let is_last = first.end as usize >= source.text().len();
        let is_closed = source.slice(Span::new(open, first.end)).trim_end().ends_with('}');
        let behind = source.line_span(line + 1).start;
        let end = closing_lines.get(closing_lines.partition_point(|at| *at < behind)).copied();
        let end = end.unwrap_or(u32::try_from(source.text().len()).unwrap_or(u32::MAX));
        (!is_last && !is_closed).then(|| Span::new(behind, end.max(behind)))
    }

    /// Returns the nested block around the damage, if it can only be an argument whose equals sign is missing.
    fn block_without_equals_sign(&self, block_type: &str) -> Option<&Block> {
        let start = self.damage.span.start;
        let Some(Item::Block(id)) = self.tree.last_item_until(self.block.body, start) else { return None };
        let nested = self.tree.block(id);
        let is_around = self.tree.block_span(nested).contains(start);
        (is_around && lacks_equals_sign(block_type, self.tree.block_type(nested))).then_some(nested)
    }

    /// Returns the argument before the damage, if its value is only a name and the damage begins behind it: the name may be that
    /// of a function without its opening parenthesis.
    fn call_without_parenthesis(&self) -> Option<&Attribute> {
        let (tree, start) = (self.tree, self.damage.span.start);
        let body = tree.block_at(self.block.body, start).map_or(self.block.body, |id| tree.block(id).body);
        let Some(Item::Attribute(id)) = tree.last_item_until(body, start.checked_sub(1)?) else {
            return None;
        };
        let before = tree.attribute(id);
        let is_name = matches!(tree.expr(before.expr), Expr::Traversal { steps, .. } if steps.is_empty());
        let is_behind = tree.attribute_span(before).end < start;
        (self.damage.argument.is_none() && is_name && is_behind).then_some(before)
    }

    /// Whether a line without a name has a closing bracket inside the block, so that the line with the name is missing.
    fn lacks_an_opening(&self) -> bool {
        let (text, start) = (self.tree.source().text(), self.damage.span.start);
        is_indented_closer(text, start) && !self.has_stray_bracket(start) && lacks_opening_line(text, start)
            || self.end.is_closer && !self.has_stray_bracket(self.block.close_end.saturating_sub(1))
    }

    /// Whether an equals sign has no name before it, also not alone on the line before.
    fn lacks_a_name(&self) -> bool {
        let text = self.tree.source().text().get(..self.damage.span.start as usize).unwrap_or_default();
        let before = || text.trim_end().rsplit('\n').next().unwrap_or_default().trim();
        // The marker of a heredoc is no name.
        let is_name = || match self.tree.last_item_until(self.block.body, self.damage.span.start) {
            Some(Item::Attribute(id)) => {
                let (own, word) = (self.tree.attribute(id), text.trim_end().len());
                self.tree.attribute_span(own).end as usize <= word - before().len()
                    || self.tree.name(own) == before()
            }
            Some(Item::Block(_)) | None => true,
        };
        let starts_value = starts_value(self.tree.slice(self.damage.span));
        starts_value && !(is_identifier(before()) && is_name())
    }

    /// Returns the name of the damaged item, if the item lacks its equals sign. A line that is indented further than the first item
    /// is a part of a value.
    fn lost_name(&self) -> Option<LostName<'_>> {
        let source = self.tree.source();
        let column = |at: u32| at - source.line_start(at);
        let own = column(self.damage.span.start);
        let first = self.tree.list(self.tree.body(self.block.body).items).first();
        let is_deeper = first.is_some_and(|first| own > column(self.tree.item_start(*first)) + 1);
        if is_deeper { None } else { LostName::of(self.tree.slice(self.damage.span), own as usize) }
    }

    /// Whether a line of the block before a byte has a bracket too many. Then a line that only closes brackets does not show that
    /// another line is missing.
    fn has_stray_bracket(&self, end: u32) -> bool {
        self.end.stray_bracket.is_some_and(|line_end| line_end <= end)
    }

    /// Whether the line of the header ends with its last label, in quotes.
    fn has_whole_labels(&self) -> bool {
        let header = Span::new(self.block.block_type.start, self.damage.span.end.max(self.block.open));
        let line = self.tree.slice(header).lines().next().unwrap_or_default().trim_end();
        let labels = self.tree.labels(self.block).count();
        line.matches('"').count() == 2 * labels && (labels == 0 || line.ends_with('"'))
    }

    /// Returns the local values of a `locals` block that may end at a wrong brace: those with objects, unless the lines show that each brace is
    /// at its place. A heredoc without its end may have taken lines. The braces of templates are in quotes.
    fn locals_with_braces(&self) -> impl Iterator<Item = Object> {
        let has_heredoc = self.tree.slice(self.tree.block_span(self.block)).contains("<<");
        self.tree
            .attributes(self.block.body)
            .filter(|attribute| self.tree.has_object(attribute.expr))
            .filter(move |attribute| {
                has_heredoc || !ends_in_its_column(self.tree, self.tree.attribute_span(attribute))
            })
            .map(|attribute| Object::Local(SmolStr::from(self.tree.name(attribute))))
    }

    /// Returns the objects that the block declares; `None` if its header does not tell.
    fn objects(&self, block_type: &str) -> Option<Vec<Object>> {
        let labels: Vec<SmolStr> = self.tree.labels(self.block).map(SmolStr::from).collect();
        // A byte that is not UTF-8 hides a part of the name.
        if labels.iter().any(|label| label.contains(char::REPLACEMENT_CHARACTER)) {
            return None;
        }
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

/// Whether a text is an equals sign that may have had a name before it. Several signs alone are a line that separates others.
fn starts_value(text: &str) -> bool {
    let behind = text.trim_start().strip_prefix('=');
    behind.is_some_and(|behind| {
        !(behind.starts_with('=') && without_comment(behind).trim_matches('=').trim().is_empty())
    })
}

/// Whether the value of an argument does not affect the rest of its block.
pub(super) fn is_contained(block_type: &str, argument: &str) -> bool {
    match BlockType::named(block_type).map(|block| block.declares) {
        Some(Declares::Resource(_)) => argument != "provider",
        Some(Declares::Call) => !["source", "version", "providers"].contains(&argument),
        Some(Declares::Check | Declares::Locals) => true,
        // A given value takes the place of the default.
        Some(Declares::Variable) => argument == "default",
        Some(
            Declares::Output
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_signs_alone_have_lost_no_name() {
        for text in ["= 1", "=", " = [", "= = 1", "== 1", "=> 1"] {
            assert!(starts_value(text), "{text}");
        }
        for text in ["=====", "==", "=== # x", "a = 1"] {
            assert!(!starts_value(text), "{text}");
        }
    }

    #[test]
    fn a_closing_bracket_may_lack_its_line() {
        let lacks = |text: &str| lacks_opening_line(text, u32::try_from(text.find(')').unwrap()).unwrap());
        assert!(lacks("  a = 1\n\n    b,\n  )") && lacks("locals {\n    b,\n  )") && lacks("    b\n  )"));
        assert!(lacks("  a = true\n    b,\n  )"));
        for text in ["  a = 1\n  )", "  a = max\n    b,\n    2,\n  )", ")", "\n  )"] {
            assert!(!lacks(text), "{text:?}");
        }
    }
}
