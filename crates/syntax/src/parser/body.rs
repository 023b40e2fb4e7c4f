//! Parses bodies: arguments and blocks.
//!
//! The top of the grammar. Expressions, labels and recovery are in their own modules.

use terrane_source::{Span, ids};

use super::Parser;
use super::names::AttributeNames;
use super::recovery::is_closer;
use crate::tree::{Attribute, Block, Body, BodyId, Item, Label, List};
use crate::{ExprId, Token, TokenKind};

impl<'a> Parser<'a> {
    /// Body = (newline | Attribute | Block)* end
    pub(super) fn body(&mut self, end: TokenKind) -> BodyId {
        let open = self.last_span();
        let start = if end == TokenKind::End { 0 } else { open.end };
        let mark = self.scratch.items.len();
        let mut names = AttributeNames::at(self.scratch.names.len());
        let column = self.begin_items(end);
        while self.kind != end {
            if self.kind == TokenKind::Newline {
                self.bump();
            } else if self.kind == TokenKind::End {
                if !self.recovery && !self.lost_a_brace() {
                    let detail = "The text ends before the closing brace of this block.";
                    let diagnostic = self.diagnostic(ids::UNCLOSED_BLOCK, detail, open);
                    self.report(self.with_misplaced_brace(diagnostic));
                }
                self.error_count += 1;
                self.recovery = true;
                break;
            } else {
                self.body_item(&mut names);
            }
        }
        self.end_items(column);
        let span = Span::new(start, self.next_span().start);
        self.bump();
        self.scratch.names.truncate(names.mark);
        let items = self.tree.add_list(&mut self.scratch.items, mark);
        self.tree.add_body(Body { items, span })
    }

    /// Reads one item, or the invalid tokens in place of one.
    pub(super) fn body_item(&mut self, names: &mut AttributeNames<'a>) {
        let start = self.item_start();
        if self.kind == TokenKind::Ident {
            self.item(names);
        } else {
            self.no_item();
        }
        self.return_to_sibling(start);
        self.note_damage(start);
    }

    /// Reports a token that begins no item, and reads to the end of its line.
    fn no_item(&mut self) {
        let first = self.token(self.next);
        self.error_count += 1;
        if !self.recovery && !self.goes_on {
            if self.kind == TokenKind::OpenQuote {
                let detail = "The name of an argument is written without quotes.";
                self.error_at_next(ids::INVALID_ARGUMENT_NAME, detail, None);
            } else {
                let detail = "An argument (name = value) or a block must start here.";
                self.error_at_next(ids::ITEM_REQUIRED, detail, None);
            }
        }
        if let Some(end) = self.conflict_end(first) {
            self.recover_until(end);
        } else {
            self.recover_item();
        }
        if !is_closer(first.kind()) && !self.is_conflict_marker(first) {
            self.recover_indented(first);
        }
        self.resume();
    }

    /// Item = Attribute | Block
    fn item(&mut self, names: &mut AttributeNames<'a>) {
        let index = self.next;
        let name = self.bump();
        if self.kind == TokenKind::Assign {
            self.goes_on = false;
            if let Some(attribute) = self.attribute(name, false, names) {
                self.scratch.items.push(attribute);
            }
        } else if matches!(self.kind, TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Ident) {
            self.goes_on = false;
            let block = self.block(name);
            self.scratch.items.push(block);
        } else {
            let (is_at_end, errors) = (self.kind == TokenKind::Newline, self.error_count);
            if !self.goes_on {
                self.item_required_at(index);
            }
            self.error_count += 1;
            self.recover_item();
            self.resume();
            if is_at_end && self.note_header(name.span(), errors) {
                let block = self.braced_block(name, List::EMPTY);
                return self.scratch.items.push(block);
            }
            match self.next_column() {
                Some(column) if column > self.indentation(name.span()).1 && !self.is_shallow(name) => {
                    let block = self.braceless_block(name, List::EMPTY);
                    self.scratch.items.push(block);
                }
                Some(_) | None => self.add_lone_name(name),
            }
            self.goes_on |= self.kind == TokenKind::OpenBrace;
        }
    }

    /// Adds an argument without a value for a lone word.
    pub(super) fn add_lone_name(&mut self, name: Token) {
        if self.rescue.is_some() {
            let expr = self.missing(Span::empty(name.span().end));
            let item = Item::Attribute(self.tree.add_attribute(Attribute { name: name.span(), expr }));
            self.scratch.items.push(item);
        }
    }

    fn item_required_at(&mut self, index: usize) {
        let detail = "An argument or a block must start here. The value of an argument follows an equals sign \
                      (name = value).";
        let Some(diagnostic) = self.diagnostic_at(index, ids::ITEM_REQUIRED, detail, None) else { return };
        let brace_follows =
            self.kind == TokenKind::Newline && self.token(self.next + 1).kind() == TokenKind::OpenBrace;
        self.report(if brace_follows {
            diagnostic.hint("Write the opening brace of a block on the line of its type and labels.")
        } else {
            diagnostic
        });
    }

    /// Attribute = identifier "=" Expression newline
    ///
    /// The name was read. Only the first of two equal attributes counts: for the second one, the first pass returns `None`.
    fn attribute(&mut self, name: Token, single_line: bool, names: &mut AttributeNames<'a>) -> Option<Item> {
        self.bump();
        let before = self.error_count;
        let expr = self.expression();
        let failed = self.failed(before) || self.hides_opening();
        if single_line {
            if failed {
                self.recover_in_line();
            }
        } else {
            self.end_of_attribute(name, failed);
        }
        self.add_attribute(name, expr, names)
    }

    fn end_of_attribute(&mut self, name: Token, failed: bool) {
        if failed {
            // The rest of an incomplete value may be on the next line.
            self.goes_on = self.kind == TokenKind::Newline && self.is_reported(self.next);
            self.recover_item();
            self.recover_indented(name);
            self.resume();
            return;
        }
        if self.kind == TokenKind::Newline {
            self.bump();
        } else if self.kind != TokenKind::End {
            if !self.recovery {
                if self.kind == TokenKind::Comma {
                    let detail = "Arguments end with their line, without a comma.";
                    self.error_at_next(ids::UNEXPECTED_COMMA_AFTER_ARGUMENT, detail, Some(name.span()));
                } else {
                    let detail =
                        "An argument ends with its line; the next one must start on a line of its own.";
                    self.error_behind(ids::MISSING_NEWLINE_AFTER_ARGUMENT, detail, Some(name.span()));
                }
            }
            self.recover_item();
            self.resume();
        }
    }

    fn add_attribute(&mut self, name: Token, expr: ExprId, names: &mut AttributeNames<'a>) -> Option<Item> {
        if let Some(first) = self.add_name(name, names) {
            self.set_already(name, first);
            self.rescue.as_ref()?;
        }
        Some(Item::Attribute(self.tree.add_attribute(Attribute { name: name.span(), expr })))
    }

    /// Reports an argument whose name was set before.
    fn set_already(&mut self, name: Token, first: Span) {
        if self.is_full() {
            self.error_count += 1;
            return;
        }
        let detail = format!("The argument {:?} is set already. Each may be set once.", self.text(name));
        let diagnostic = self.diagnostic(ids::ATTRIBUTE_REDEFINED, detail, name.span());
        self.report(diagnostic.label(first, "first set here"));
    }

    /// Block = identifier Label* "{" (newline Body | Attribute?) "}" newline
    ///
    /// The block type was read.
    fn block(&mut self, block_type: Token) -> Item {
        let mark = self.scratch.labels.len();
        while self.kind == TokenKind::OpenQuote || self.kind == TokenKind::Ident {
            let label = self.label();
            self.scratch.labels.push(label);
        }
        let labels = self.tree.add_list(&mut self.scratch.labels, mark);
        if self.kind != TokenKind::OpenBrace {
            return self.no_block_body(block_type, labels);
        }
        self.braced_block(block_type, labels)
    }

    /// Parses a block from its opening brace on.
    fn braced_block(&mut self, block_type: Token, labels: List<Label>) -> Item {
        if !self.descend() {
            self.bump();
            self.recover(TokenKind::CloseBrace);
            self.recover_item();
            return self.bodiless_block(block_type, labels);
        }
        let open = self.bump();
        let starts_line = self.kind == TokenKind::Newline;
        let body = if starts_line || self.kind == TokenKind::End || self.kind == TokenKind::CloseBrace {
            self.body(TokenKind::CloseBrace)
        } else {
            self.single_line_body(block_type, open)
        };
        self.ascend();
        let close_end = self.last_span().end;
        self.end_of_block(block_type);
        let block = Block { block_type: block_type.span(), labels, body, open: open.span().start, close_end };
        Item::Block(self.tree.add_block(block))
    }

    fn end_of_block(&mut self, block_type: Token) {
        if self.kind == TokenKind::Newline {
            self.bump();
        } else if self.kind != TokenKind::End {
            if !self.recovery {
                let detail = "A block ends with its line; the next item must start on a line of its own.";
                self.error_at_next(ids::MISSING_NEWLINE_AFTER_BLOCK, detail, Some(block_type.span()));
            }
            self.recover_item();
        }
        self.resume();
    }

    fn no_block_body(&mut self, block_type: Token, labels: List<Label>) -> Item {
        let detail = if self.kind == TokenKind::Assign {
            "A block has no equals sign; only arguments have one."
        } else if self.kind == TokenKind::Newline {
            "The opening brace of a block must stand on the line of its type and labels."
        } else {
            "A label in quotes or the opening brace of the block must follow."
        };
        let always = self.kind == TokenKind::Assign || self.kind == TokenKind::Newline;
        // The lexer has reported a label that it had to close.
        let is_closed = !self.last_span().is_empty();
        let (is_at_end, errors) = (self.kind == TokenKind::Newline && is_closed, self.error_count);
        if is_closed && (always || !self.recovery) {
            self.error_at_next(ids::INVALID_BLOCK, detail, Some(block_type.span()));
        }
        let header = block_type.span().to(self.last_span());
        self.recover_item();
        self.resume();
        if is_at_end && self.note_header(header, errors) {
            return self.braced_block(block_type, labels);
        }
        self.goes_on = self.kind == TokenKind::OpenBrace;
        self.braceless_block(block_type, labels)
    }

    /// Parses a block without the opening brace, whose header was read. The lines below are its body as long as they are
    /// indented further, up to a closing brace in the column of the header.
    fn braceless_block(&mut self, block_type: Token, labels: List<Label>) -> Item {
        let (_, column) = self.indentation(block_type.span());
        let is_empty = self.next_column().is_none_or(|next| next < column)
            || self.next_column() == Some(column) && !self.closes_at(column);
        if is_empty || !self.descend() {
            return self.bodiless_block(block_type, labels);
        }
        let start = self.last_span().end;
        let mark = self.scratch.items.len();
        let mut names = AttributeNames::at(self.scratch.names.len());
        while self.next_column().is_some_and(|next| next > column) {
            self.skip_newlines();
            self.body_item(&mut names);
        }
        self.scratch.names.truncate(names.mark);
        let items = self.tree.add_list(&mut self.scratch.items, mark);
        let body = self.tree.add_body(Body { items, span: Span::new(start, self.last_span().end) });
        self.ascend();
        if self.closes_at(column) {
            self.skip_newlines();
            self.bump();
        }
        let close_end = self.last_span().end;
        self.end_of_block(block_type);
        let block =
            Block { block_type: block_type.span(), labels, body, open: block_type.span().end, close_end };
        Item::Block(self.tree.add_block(block))
    }

    /// Returns a block whose body could not be parsed.
    fn bodiless_block(&mut self, block_type: Token, labels: List<Label>) -> Item {
        let end = block_type.span().end;
        let body = self.tree.add_body(Body { items: List::EMPTY, span: Span::empty(end) });
        let block = Block { block_type: block_type.span(), labels, body, open: end, close_end: end };
        Item::Block(self.tree.add_block(block))
    }

    /// SingleLineBody = Attribute "}"
    ///
    /// The brace was read. Returns the body, after the closing brace was read too.
    fn single_line_body(&mut self, block_type: Token, open: Token) -> BodyId {
        if self.note_argument_behind_brace(open.span(), block_type) {
            return self.body(TokenKind::CloseBrace);
        }
        let mark = self.scratch.items.len();
        let messages = self.diagnostics.len();
        let start = self.item_start();
        self.single_line_item();
        self.note_damage(start);
        let end = self.next_span().start;
        if !self.eat(TokenKind::CloseBrace) {
            let reported = self.diagnostics.split_off(messages);
            self.no_single_line_end(block_type, open);
            self.diagnostics.extend(reported);
            self.recover(TokenKind::CloseBrace);
        }
        let items = self.tree.add_list(&mut self.scratch.items, mark);
        let span = Span::new(open.span().end, end.min(self.last_span().end));
        self.tree.add_body(Body { items, span })
    }

    fn single_line_item(&mut self) {
        let index = self.next;
        if self.kind != TokenKind::Ident {
            let detail = "An argument (name = value) must start here.";
            self.error_at_next(ids::ITEM_REQUIRED, detail, None);
            return self.recover_in_line();
        }
        let name = self.bump();
        if self.kind == TokenKind::Assign {
            let mut names = AttributeNames::at(self.scratch.names.len());
            if let Some(attribute) = self.attribute(name, true, &mut names) {
                self.scratch.items.push(attribute);
            }
            self.scratch.names.truncate(names.mark);
        } else if matches!(self.kind, TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Ident) {
            let detail = "A block that is written on one line can contain one argument and no block. Put the \
                          nested block on lines of its own.";
            let span = name.span().to(self.next_span());
            self.report(self.diagnostic(ids::ARGUMENT_REQUIRED, detail, span));
            self.recover_in_line();
        } else {
            self.item_required_at(index);
            self.recover_in_line();
        }
    }

    /// Reports tokens between the argument of a one-line block and the closing brace.
    fn no_single_line_end(&mut self, block_type: Token, open: Token) {
        if self.recovery {
            return;
        }
        let context = Some(block_type.span());
        let id = ids::INVALID_SINGLE_ARGUMENT_BLOCK;
        if self.kind == TokenKind::Comma {
            let detail = "A block that is written on one line can contain one argument only. Put each argument \
                          on a line of its own.";
            self.error_at_next(id, detail, context);
        } else if self.kind == TokenKind::Newline {
            let detail = "A block whose argument follows the opening brace must be closed on the same line.";
            self.error_at_next(id, detail, context);
        } else if self.kind == TokenKind::End {
            let detail = "The text ends before the closing brace of this block.";
            let diagnostic = self.diagnostic(ids::UNCLOSED_BLOCK, detail, open.span());
            let diagnostic = diagnostic.within(block_type.span().to(open.span()));
            self.report(self.with_misplaced_brace(diagnostic));
        } else {
            let detail = "The closing brace must follow the argument of a block that is written on one line.";
            self.error_behind(id, detail, context);
        }
    }
}
