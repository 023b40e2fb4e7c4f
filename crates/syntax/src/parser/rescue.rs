//! Parses a file with syntax errors again, block by block, so that an error reaches no further than its own block.
//!
//! The first pass reads the file as the reference does, and its errors are reported first. This pass builds the tree. It cuts
//! the text at each line that starts a known block, parses each piece by itself, and records the damage: the items that could
//! not be read, with the blocks around them.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, Span};

use super::Parser;
use super::damage::FoundDamage;
use super::lines::begins_block_type;
use super::names::AttributeNames;
use super::recovery::{closer, is_closer, track};
use crate::block_types::{MODULE_BLOCKS, is_part_of_name};
use crate::lexer::{Lexed, lex_part};
use crate::limits::{MAX_DAMAGE, MAX_DIAGNOSTICS, MAX_JOINED_BYTES, MAX_TIMES_READ};
use crate::line::starts_argument;
use crate::secrets::hide_possible_secrets;
use crate::tree::{Block, BlockId, Body, BodyId, Damage, Item};
use crate::{Parsed, Token, TokenKind, Tree};

/// The numbers of pieces that are joined to find the end of a block, because lines in comments, heredocs and blocks without
/// indentation may look like the start of a block.
const JOINED: [usize; 4] = [2, 3, 4, 8];

/// The types of blocks that are complete without content.
const COMPLETE_WHEN_EMPTY: [&str; 6] = ["data", "ephemeral", "provider", "resource", "terraform", "variable"];

/// The names of arguments and blocks in a `variable` block, as in `decode::schema::variable` of the crate `terrane-module`, whose
/// test `each_part_of_a_variable_is_known_to_the_parser` compares both.
pub const PARTS_OF_VARIABLES: [&str; 9] = [
    "const",
    "default",
    "deprecated",
    "description",
    "ephemeral",
    "nullable",
    "sensitive",
    "type",
    "validation",
];

/// The state of the parser before an item.
#[derive(Clone, Copy)]
pub(super) struct ItemStart {
    index: usize,
    errors: u32,
    /// The number of errors that damage explains.
    explained: u32,
    damages: usize,
    items: usize,
}

/// An item at the top level of a piece.
struct TopItem {
    span: Span,
    item: Option<Item>,
    /// The range of its damage.
    damages: (usize, usize),
    /// Whether it closes a brace that it does not open.
    closes: bool,
    /// Whether it ends before its own closing brace.
    is_open: bool,
}

impl Parser<'_> {
    /// Returns the tree of a file with the syntax errors that the first pass found. Its pieces begin at `starts`.
    pub(super) fn rescued(source: &Arc<SourceFile>, first: Parsed<BodyId>, starts: &[u32]) -> Parsed<BodyId> {
        let end = u32::try_from(source.text().len()).unwrap_or(u32::MAX);
        let Parsed { tree, tokens, mut diagnostics, .. } = first;
        // Only one of the two trees is in memory.
        drop(tree);
        let mut tree = Tree::new(Arc::clone(source), tokens.len());
        let reported = offsets(&diagnostics);
        let (mut items, mut damage) = (Vec::new(), Vec::new());
        let mut left = MAX_JOINED_BYTES;
        let mut position = 0;
        while let Some(start) = starts.get(position).copied() {
            let piece_of = |count| Span::new(start, starts.get(position + count).copied().unwrap_or(end));
            let (mut piece, mut joined) = (piece_of(1), 1);
            let mut found = parse_piece(source, piece, tree);
            if !found.damage.is_empty() {
                let mut is_whole = |count: &usize| {
                    let joined = piece_of(*count);
                    let Some(rest) = left.checked_sub(joined.len() as usize) else { return false };
                    left = rest;
                    let tree = Tree::new(Arc::clone(source), 0);
                    position + count <= starts.len() && parse_piece(source, joined, tree).damage.is_empty()
                };
                if let Some(count) = JOINED.into_iter().find(|count| is_whole(count)) {
                    (piece, joined) = (piece_of(count), count);
                    found = parse_piece(source, piece, found.tree);
                }
            }
            tree = found.tree;
            let next = reported.get(reported.partition_point(|offset| *offset < piece.start));
            let is_reported = next.is_some_and(|offset| *offset < piece.end || *offset == end);
            if !found.damage.is_empty() && !is_reported && diagnostics.len() < MAX_DIAGNOSTICS {
                diagnostics.extend(found.diagnostics);
            }
            if damage.len() + found.damage.len() > MAX_DAMAGE {
                damage.extend(lose(source, Span::new(start, end)));
                break;
            }
            items.extend(found.items);
            damage.extend(found.damage);
            damage.extend(found.is_cut_off.then(|| missing_behind(end)));
            position += joined;
        }
        let items = tree.add_list(&mut items, 0);
        let root = tree.add_body(Body { items, span: Span::new(0, end) });
        tree.shrink();
        Parsed { tree: Arc::new(tree), root, tokens, diagnostics, damage }
    }
}

/// Returns the damage of a file whose rest is not read, and hides its secrets.
fn lose(source: &SourceFile, rest: Span) -> [Damage; 2] {
    hide_possible_secrets(source, rest);
    [Damage { span: rest, block: None, argument: None, hides: false }, missing_behind(rest.end)]
}

/// Returns the damage of a file that may lack its end, and with it any declarations.
fn missing_behind(end: u32) -> Damage {
    Damage { span: Span::empty(end), block: None, argument: None, hides: true }
}

/// Returns the positions of diagnostics, in ascending order.
fn offsets(diagnostics: &[Diagnostic]) -> Vec<u32> {
    let subjects = diagnostics.iter().filter_map(|diagnostic| diagnostic.subject.as_ref());
    let mut offsets: Vec<u32> = subjects.map(|subject| subject.span.start).collect();
    offsets.sort_unstable();
    offsets
}

/// A piece of a file, parsed into the tree of the file.
struct Piece {
    tree: Tree,
    items: Vec<Item>,
    damage: Vec<Damage>,
    is_cut_off: bool,
    diagnostics: Vec<Diagnostic>,
}

fn parse_piece(source: &Arc<SourceFile>, piece: Span, tree: Tree) -> Piece {
    let Lexed { tokens, diagnostics } = lex_part(source, piece);
    let lexer_errors = offsets(&diagnostics);
    let mut parser = Parser::new(source, &tokens, diagnostics, tree);
    parser.rescue = Some(Box::new(FoundDamage::new(&lexer_errors)));
    parser.piece(piece)
}

impl Parser<'_> {
    /// Parses all items of a piece.
    fn piece(mut self, piece: Span) -> Piece {
        let mut names = AttributeNames::at(0);
        let mut tops = Vec::new();
        while self.kind != TokenKind::End {
            if self.kind == TokenKind::Newline {
                self.bump();
                continue;
            }
            let start = self.item_start();
            let first = self.next_span().start;
            self.body_item(&mut names);
            tops.push(self.top_item(start, first));
        }
        let mut items = std::mem::take(&mut self.scratch.items);
        let mut damage = self.rescue.take().map(|rescue| *rescue).unwrap_or_default();
        let layout = TopLevel { source: self.source, tree: &self.tree, tops: &tops, piece };
        let is_last = piece.end as usize >= self.source.text().len();
        let is_cut_off = is_last && layout.is_cut_off(&damage.damage);
        layout.finish(&mut damage);
        items.retain(|item| self.has_closed_labels(*item));
        let damage = damage.damage;
        Piece { items, damage, is_cut_off, diagnostics: self.diagnostics, tree: self.tree }
    }

    /// Whether the name of an item is complete. A block whose label has no closing quote is dropped: only its damage is left.
    fn has_closed_labels(&self, item: Item) -> bool {
        let Item::Block(id) = item else { return true };
        let labels = self.tree.list(self.tree.block(id).labels);
        labels.iter().map(|label| self.source.slice(label.span)).all(|label| match label.strip_prefix('"') {
            Some(behind) => behind.ends_with('"'),
            None => true,
        })
    }

    /// Returns the last of these tokens, if it is a closing brace that starts a line in the column of the item at `first`.
    fn is_closed_in_column(&self, tokens: &[Token], first: u32) -> bool {
        let is_written = |token: &&Token| {
            !matches!(token.kind(), TokenKind::Newline | TokenKind::Comment | TokenKind::End)
        };
        let Some(last) = tokens.iter().rev().find(is_written) else { return false };
        let (start, column) = self.indentation(last.span());
        last.kind() == TokenKind::CloseBrace
            && start + column == last.span().start
            && column == self.indentation(Span::empty(first)).1
    }

    fn top_item(&mut self, start: ItemStart, first: u32) -> TopItem {
        let item = self.scratch.items.get(start.items).copied();
        let tokens = self.tokens.get(start.index..self.read).unwrap_or_default();
        let mut depth = 0_i64;
        let mut closes = false;
        for token in tokens {
            depth += match token.kind() == TokenKind::OpenBrace {
                true => 1,
                false => -i64::from(token.kind() == TokenKind::CloseBrace),
            };
            closes |= depth < 0;
        }
        let is_open = depth > 0 && !self.is_closed_in_column(tokens, first);
        let span = Span::new(first, self.last_span().end.max(first));
        let damage = self.rescue.as_mut().map(|rescue| &mut rescue.damage);
        let end = damage.as_ref().map_or(0, |damage| damage.len());
        if let (Some(Item::Block(block)), Some(damage)) = (item, damage) {
            damage.iter_mut().skip(start.damages).for_each(|found| found.block = Some(block));
        }
        TopItem { span, item, damages: (start.damages, end), closes, is_open }
    }

    /// Returns the state before an item.
    pub(super) fn item_start(&self) -> ItemStart {
        ItemStart {
            index: self.next,
            errors: self.error_count,
            explained: self.rescue.as_ref().map_or(0, |rescue| rescue.explained),
            damages: self.rescue.as_ref().map_or(0, |rescue| rescue.damage.len()),
            items: self.scratch.items.len(),
        }
    }

    /// Whether the value that was read ends with a string that the lexer has closed at the end of its line, behind an opening bracket: the
    /// lines below are in the bracket. Never in the first pass.
    pub(super) fn hides_opening(&self) -> bool {
        let last = self.last_span();
        let text = self.source.text().get(..last.end as usize).unwrap_or_default();
        self.rescue.is_some() && last.is_empty() && text.ends_with(['{', '[', '('])
    }

    /// Records as damage that an argument follows the opening brace of a block whose other lines are below. Returns false if the block may
    /// end on this line, and in the first pass.
    pub(super) fn note_argument_behind_brace(&mut self, open: Span, block_type: Token) -> bool {
        let mut brackets = Vec::new();
        let tokens = self.tokens.get(self.next..).unwrap_or_default();
        let end = tokens.iter().position(|token| {
            let is_end =
                brackets.is_empty() && (token.kind() == TokenKind::Newline || is_closer(token.kind()));
            track(&mut brackets, token.kind());
            is_end
        });
        let Some(end) = end.map(|end| self.next + end).filter(|_| self.rescue.is_some()) else {
            return false;
        };
        let below = self.tokens.get(end..).unwrap_or_default().iter();
        let below = below.map(|token| token.span()).find(|span| !self.source.slice(*span).trim().is_empty());
        let is_below = below.is_some_and(|below| {
            let (start, column) = self.indentation(below);
            start + column == below.start && column > self.indentation(block_type.span()).1
        });
        if self.token(end).kind() != TokenKind::Newline || !is_below {
            return false;
        }
        self.error_count += 1;
        if let Some(rescue) = &mut self.rescue {
            rescue.add(Damage { span: open, block: None, argument: None, hides: true });
            rescue.explained += 1;
        }
        true
    }

    /// Notes the indentation of the items that begin here, in the body of a block. Returns the one of the items around. Does nothing in the
    /// first pass, which needs no lines.
    pub(super) fn begin_items(&mut self, end: TokenKind) -> Option<u32> {
        self.rescue.as_ref()?;
        let column = self.next_column().filter(|column| end == TokenKind::CloseBrace && *column > 0);
        self.rescue.as_mut().and_then(|rescue| std::mem::replace(&mut rescue.column, column))
    }

    /// Restores the indentation of the items around a block.
    pub(super) fn end_items(&mut self, column: Option<u32>) {
        if let Some(rescue) = &mut self.rescue {
            rescue.column = column;
        }
    }

    /// Whether a token is indented less than the items of its block: it is the rest of a line that is broken in two.
    pub(super) fn is_shallow(&self, token: Token) -> bool {
        let column = self.rescue.as_ref().and_then(|rescue| rescue.column);
        column.is_some_and(|column| self.indentation(token.span()).1 < column)
    }

    /// Returns to the next item of the block, if the item that was read since `start` has an error and reaches over it.
    pub(super) fn return_to_sibling(&mut self, start: ItemStart) {
        let Some(column) = self.rescue.as_ref().and_then(|rescue| rescue.column) else { return };
        let block = match self.scratch.items.get(start.items) {
            Some(Item::Block(id)) => Some(self.tree.block(*id).open),
            Some(Item::Attribute(_)) | None => None,
        };
        // A block with other text behind its brace can be an argument with a brace too many.
        let starts_line = |open: u32| {
            let behind = self.source.text().get(open as usize + 1..).unwrap_or_default();
            behind.trim_start_matches([' ', '\t', '\r']).starts_with(['\n', '#', '/'])
        };
        if block.is_some_and(starts_line) {
            return;
        }
        let has_error = self.error_count > start.errors;
        // The lines of a conflict belong together.
        if !has_error || self.is_conflict_marker(self.token(start.index)) {
            return;
        }
        let Some(sibling) = self.sibling(start.index, column) else { return };
        if let Some(rescue) = &mut self.rescue {
            rescue.read_again += self.read - sibling;
            if rescue.read_again > self.tokens.len() * MAX_TIMES_READ {
                return;
            }
        }
        if block.is_some() {
            self.scratch.items.truncate(start.items);
            self.add_lone_name(self.token(start.index));
        }
        self.read = sibling;
        self.settle();
        (self.lost, self.recovery, self.goes_on) = (false, false, false);
    }

    /// Returns the first token of the next item that begins in `column`, among the tokens that were read behind the one at `first`. `None`
    /// if the lines may be the content of braces that are not indented.
    fn sibling(&self, first: usize, column: u32) -> Option<usize> {
        let begins_line = |token: Token| {
            let (start, width) = self.indentation(token.span());
            (start + width == token.span().start).then_some(width)
        };
        let mut before = TokenKind::Ident;
        for index in first + 1..self.read {
            let (token, next) = (self.token(index), self.token(index + 1));
            let kind = token.kind();
            let starts_item =
                matches!(next.kind(), TokenKind::Assign | TokenKind::OpenBrace | TokenKind::OpenQuote);
            if kind == TokenKind::Ident && starts_item && begins_line(token) == Some(column) {
                return Some(index);
            }
            let content = self.tokens.get(index + 1..).unwrap_or_default();
            let content = content.iter().find(|token| token.kind() != TokenKind::Newline);
            if kind == TokenKind::OpenBrace && !ends_operand(before) {
                let is_flat =
                    content.is_some_and(|token| begins_line(*token).is_some_and(|own| own <= column));
                if is_flat && content.is_none_or(|token| token.kind() != TokenKind::CloseBrace) {
                    return None;
                }
            }
            before = if kind == TokenKind::Newline { before } else { kind };
        }
        None
    }

    /// Records the damage of the item that was read since `start`, without the damage of the items inside of it. Does nothing
    /// in the first pass.
    pub(super) fn note_damage(&mut self, start: ItemStart) {
        let Some(mut rescue) = self.rescue.take() else { return };
        let first = self.token(start.index).span().start;
        let read = self.token(self.read.saturating_sub(1));
        let end = if read.kind() == TokenKind::Newline { read.span().start } else { read.span().end };
        let span = Span::new(first, end.max(first));
        let errors = self.error_count - start.errors;
        let is_damaged =
            errors > rescue.explained - start.explained || rescue.has_lexer_error(span, start.damages);
        if is_damaged {
            let argument = self.lone_argument(start, span);
            rescue.add(Damage { span, block: None, argument, hides: true });
            self.forget_values(start.items, span.end);
            if rescue.damage.len() > MAX_DAMAGE {
                self.skip_rest();
            }
        }
        rescue.explained = start.explained + errors;
        self.rescue = Some(rescue);
    }

    /// Records a header as damage whose opening brace is on the next line, with the errors about it, so that the body behind it is
    /// none. Returns false in the first pass, or if no brace is there.
    pub(super) fn note_header(&mut self, header: Span, errors: u32) -> bool {
        let errors = self.error_count - errors;
        let Some(rescue) = self.rescue.as_mut().filter(|_| self.kind == TokenKind::OpenBrace) else {
            return false;
        };
        rescue.add(Damage { span: header, block: None, argument: None, hides: true });
        rescue.explained += errors;
        true
    }

    /// Replaces the values of damaged attributes by missing ones, because the part that could be read has another meaning.
    fn forget_values(&mut self, from: usize, end: u32) {
        for item in self.scratch.items.get(from..).unwrap_or_default() {
            if let Item::Attribute(id) = item {
                self.tree.forget_value(*id, end);
            }
        }
    }

    /// Returns the name of the only argument that the tokens since `start` can be about.
    fn lone_argument(&mut self, start: ItemStart, span: Span) -> Option<Span> {
        let name = self.token(start.index);
        let is_block = matches!(self.scratch.items.get(start.items), Some(Item::Block(_)));
        if self.lost || is_block || name.kind() != TokenKind::Ident {
            return None;
        }
        let tokens = self.tokens.get(start.index + 1..self.read).unwrap_or_default();
        // A quote or a bracket in a name leaves another name.
        let is_whole = tokens.first().is_none_or(|behind| !BREAKS_NAME.contains(&behind.kind()));
        (is_whole && !holds_other_item(self.source, name, span) && !is_assigned_again(tokens))
            .then(|| name.span())
    }
}

/// Whether an operand ends with a token, so that a brace behind it begins no object.
fn ends_operand(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Ident | TokenKind::Number) || is_closer(kind)
}

/// The tokens that break a name into parts if they directly follow its first part.
const BREAKS_NAME: [TokenKind; 3] = [TokenKind::OpenQuote, TokenKind::OpenBracket, TokenKind::OpenParen];

/// Whether a later line is indented no more than the first one and begins with a name, so that recovery has skipped another
/// item.
fn holds_other_item(source: &SourceFile, name: Token, span: Span) -> bool {
    let text = source.text();
    let line = text.get(..name.span().start as usize).unwrap_or_default();
    let indentation = line.len() - line.rfind('\n').map_or(0, |newline| newline + 1);
    source.slice(span).split('\n').skip(1).any(|line| {
        let content = line.trim_start();
        line.len() - content.len() <= indentation && content.starts_with(|first: char| first.is_alphabetic())
    })
}

/// Whether the tokens behind the name of an argument contain a second argument or a block, outside of brackets.
fn is_assigned_again(tokens: &[Token]) -> bool {
    let mut depth = 0_u32;
    // A lone word has no value of its own.
    let mut assigned = u32::from(tokens.first().is_none_or(|token| token.kind() != TokenKind::Assign));
    let mut before = None;
    for token in tokens {
        let kind = token.kind();
        let is_header = matches!(before, None | Some(TokenKind::Ident | TokenKind::CloseQuote));
        if depth == 0 && (kind == TokenKind::OpenBrace && is_header || kind == TokenKind::CloseBrace) {
            return true;
        }
        // A second sign directly behind the first one is only too many.
        assigned += u32::from(depth == 0 && kind == TokenKind::Assign && before != Some(TokenKind::Assign));
        if closer(kind).is_some() {
            depth += 1;
        } else if is_closer(kind) {
            depth = depth.saturating_sub(1);
        }
        before = Some(kind);
    }
    assigned > 1
}

/// The items at the top level of a piece, which tell the block that a stray brace belongs to.
struct TopLevel<'l> {
    source: &'l SourceFile,
    tree: &'l Tree,
    tops: &'l [TopItem],
    piece: Span,
}

impl TopLevel<'_> {
    /// Whether the text ends in the middle of an item, so that further items may be missing. If the last line of the text is
    /// complete, only the item is unclosed.
    fn is_cut_off(&self, damage: &[Damage]) -> bool {
        if self.source.text().ends_with('\n') {
            return false;
        }
        let Some(last) = self.tops.last().filter(|last| !self.ends_with_brace_of(last.span)) else {
            return false;
        };
        let written = self.source.text().trim_end_matches([' ', '\t']).len();
        let is_at_end = damage.last().is_some_and(|damage| damage.span.end as usize >= written);
        match last.item {
            Some(Item::Attribute(_)) => is_at_end,
            Some(Item::Block(id)) => last.is_open || is_at_end && self.is_header(id),
            None => false,
        }
    }

    /// Whether the last line of the text is a closing brace in the column of an item. Recovery may have read that line as a
    /// part of a string or heredoc.
    fn ends_with_brace_of(&self, item: Span) -> bool {
        let text = self.source.text();
        let before = text.get(..item.start as usize).unwrap_or_default();
        let indentation = before.get(before.rfind('\n').map_or(0, |newline| newline + 1)..);
        let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
        last.strip_suffix('}').is_some_and(|space| Some(space) == indentation)
    }

    /// Whether only the header of a block could be read.
    fn is_header(&self, id: BlockId) -> bool {
        let block = self.tree.block(id);
        block.close_end == block.block_type.end
    }

    /// Adds the damage of the piece as a whole.
    fn finish(&self, rescue: &mut FoundDamage) {
        let is_lost = rescue.lexer_errors.iter().any(|error| !self.is_in_item(error.offset));
        let damaged =
            |top: &TopItem| top.damages.0 < top.damages.1 && !matches!(top.item, Some(Item::Block(_)));
        if is_lost {
            rescue.damage.push(Damage { span: self.piece, block: None, argument: None, hides: true });
        }
        self.note_hidden(rescue);
        let Some(last) = self.tops.iter().rposition(damaged) else { return };
        for damage in rescue.damage.iter_mut().filter(|damage| damage.block.is_none()) {
            // An argument declares nothing, unless it may be a block, and neither does a lone word, unless it is the beginning of a header.
            damage.hides &= damage.argument.is_none_or(|name| {
                let behind = self.source.slice(Span::new(name.end, damage.span.end)).trim();
                match behind.is_empty() {
                    true => begins_block_type(self.source.slice(name)),
                    false => !behind.starts_with('=') || MODULE_BLOCKS.contains(&self.source.slice(name)),
                }
            });
        }
        if !self.tops.iter().any(|top| top.closes) {
            return;
        }
        if let Some(owner) = self.headless() {
            return self.add_body_of(owner, rescue);
        }
        self.note_rest(last, rescue);
    }

    /// Returns the block that ends with its header, or with a closing brace right behind the opening one, so that its body
    /// follows as separate items.
    fn headless(&self) -> Option<&TopItem> {
        let is_block = |top: &&TopItem| matches!(top.item, Some(Item::Block(_)));
        let blocks = self.tops.iter().take_while(is_block);
        let last = blocks.filter(|top| self.starts_line(top.span.start)).last()?;
        let Some(Item::Block(id)) = last.item else { return None };
        (self.is_header(id) || self.is_closed_at_once(id)).then_some(last)
    }

    /// Whether the braces of a block are empty, and the next line is indented like a line of its body.
    fn is_closed_at_once(&self, id: BlockId) -> bool {
        let block = self.tree.block(id);
        let behind = self.source.text().get(block.close_end as usize..).unwrap_or_default();
        block.open + 2 == block.close_end
            && behind
                .split('\n')
                .nth(1)
                .is_some_and(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty())
    }

    /// Adds the text behind the header of a block to the damage of the block.
    fn add_body_of(&self, owner: &TopItem, rescue: &mut FoundDamage) {
        let Some(Item::Block(block)) = owner.item else { return };
        let span = self.written(Span::new(owner.span.start, self.piece.end));
        let is_apart = |damage: &Damage| {
            let start = damage.block.map(|id| self.tree.block(id).block_type.start);
            start.is_some_and(|start| start > span.start && self.starts_line(start))
        };
        rescue.damage.retain(|damage| damage.span.start < span.start || is_apart(damage));
        rescue.damage.push(Damage { span, block: Some(block), argument: None, hides: true });
        if self.may_be_complete(owner, block) {
            // Then the header of the text behind it is missing.
            let rest = self.written(Span::new(self.tree.block(block).close_end, self.piece.end));
            rescue.damage.push(Damage { span: rest, block: None, argument: None, hides: true });
        }
    }

    /// Whether a block with empty braces may be complete although a body follows it. Its own body would have its arguments, and an
    /// empty line usually separates a block with a body from the line before it.
    fn may_be_complete(&self, owner: &TopItem, id: BlockId) -> bool {
        let block = self.tree.block(id);
        let block_type = self.tree.block_type(block);
        if self.is_header(id) || !COMPLETE_WHEN_EMPTY.contains(&block_type) {
            return false;
        }
        let text = self.source.text();
        let (before, behind) =
            (text.get(..owner.span.start as usize), text.get(block.close_end as usize..).unwrap_or_default());
        let line_before =
            before.unwrap_or_default().strip_suffix('\n').and_then(|text| text.rsplit('\n').next());
        let follows_closely = line_before.is_some_and(|line| !line.trim().is_empty());
        let first = behind.trim_start().split(|found: char| !is_part_of_name(found)).next();
        let is_foreign = first.is_some_and(|name| !PARTS_OF_VARIABLES.contains(&name));
        follows_closely || block_type == "variable" && is_foreign
    }

    /// Returns a span without the space at its end.
    fn written(&self, span: Span) -> Span {
        let text = self.source.slice(span);
        let space = u32::try_from(text.len() - text.trim_end().len()).unwrap_or(0);
        Span::new(span.start, span.end - space)
    }

    /// Records as damage the text behind the first block, which may end there because of a stray brace, or else the whole text.
    fn note_rest(&self, last: usize, rescue: &mut FoundDamage) {
        let (mut rest, mut hides) = (self.piece, true);
        let first = self.tops.first().filter(|_| last > 0);
        if let Some(TopItem { item: Some(Item::Block(block)), span, .. }) = first {
            let close = self.tree.block(*block).close_end;
            rest = Span::new(close, rest.end);
            hides = self.is_closed(self.tree.block(*block), *span);
            // An item behind the block is not a part of it if it is a brace, or starts where blocks start.
            let is_outside = |top: &TopItem| {
                self.source.slice(top.span).starts_with('}') || self.starts_line(top.span.start)
            };
            if !hides || !self.is_apart(rest) && !self.tops.get(1).is_some_and(is_outside) {
                let damage = Damage { span: self.piece, block: Some(*block), argument: None, hides: true };
                rescue.damage.push(damage);
            }
        }
        for top in self.tops.iter().filter(|top| top.span.start >= rest.start) {
            if let Some(Item::Block(block)) = top.item {
                rescue.damage.push(Damage {
                    span: top.span,
                    block: Some(block),
                    argument: None,
                    hides: true,
                });
            }
        }
        rescue.damage.retain(|damage| damage.block.is_some() || damage.span.start < rest.start);
        rescue.damage.push(Damage { span: self.written(rest), block: None, argument: None, hides });
    }

    /// Records as damage the text behind closing braces on the same line, because recovery has skipped it and it may be the
    /// next block.
    fn note_hidden(&self, rescue: &mut FoundDamage) {
        for top in self.tops {
            let Some(Item::Block(id)) = top.item else { continue };
            let block = self.tree.block(id);
            let behind = self.written(Span::new(block.close_end, top.span.end.max(block.close_end)));
            let block = Some(id).filter(|_| !self.is_closed(block, top.span));
            if !self.is_header(id) && !self.source.slice(behind).trim().is_empty() {
                rescue.damage.push(Damage { span: behind, block, argument: None, hides: true });
            }
        }
    }

    /// Whether the closing brace that was found for a block with this span probably belongs to it: it starts a line or is on
    /// the line of the header, and no argument follows it.
    fn is_closed(&self, block: &Block, span: Span) -> bool {
        let close = block.close_end;
        let behind = self.source.slice(Span::new(close, span.end.max(close))).trim_start();
        let is_at_end = self.starts_line(close.saturating_sub(1)) || self.is_one_line(span);
        is_at_end && !starts_argument(behind)
    }

    /// Whether an item contains the byte at `offset`.
    fn is_in_item(&self, offset: u32) -> bool {
        let behind = self.tops.partition_point(|top| top.span.start <= offset);
        let before = behind.checked_sub(1).and_then(|index| self.tops.get(index));
        before.is_some_and(|top| offset <= top.span.end)
    }

    /// Whether the byte at `offset` is the first of its line.
    fn starts_line(&self, offset: u32) -> bool {
        self.source
            .text()
            .get(..offset as usize)
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    fn is_one_line(&self, span: Span) -> bool {
        !self.source.slice(span).trim_end().contains('\n')
    }

    /// Whether an empty line separates a text from the block before it.
    fn is_apart(&self, rest: Span) -> bool {
        self.source.slice(rest).lines().nth(1).is_some_and(|line| line.trim().is_empty())
    }
}
