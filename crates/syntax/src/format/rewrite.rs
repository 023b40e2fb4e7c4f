//! Rewrites legacy syntax for the formatter.
//!
//! The first of two formatting steps, after the rules of `terraform fmt`. The layout runs on its result.

use terrane_source::Span;

use super::label::{is_canonical, write_quoted};
use super::spacing::bracket_change;
use crate::tree::{Block, BodyId, Item};
use crate::{Token, TokenKind, Tree};

/// Returns the text with legacy syntax replaced by its modern form. `None` if nothing changes.
pub(super) fn rewrite(tree: &Tree, root: BodyId, tokens: &[Token]) -> Option<String> {
    let mut rewriter = Rewriter { tree, tokens, text: String::new(), copied: 0 };
    rewriter.body(root, BodyKind::Root);
    if rewriter.text.is_empty() {
        return None;
    }
    let end = u32::try_from(tree.source().text().len()).unwrap_or(u32::MAX);
    rewriter.replace(Span::empty(end), "");
    Some(rewriter.text)
}

/// The kind of body that contains an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyKind {
    Root,
    Variable,
    Other,
}

struct Rewriter<'a> {
    tree: &'a Tree,
    tokens: &'a [Token],
    /// The new text in place of everything up to `copied`.
    text: String,
    copied: u32,
}

impl<'a> Rewriter<'a> {
    fn replace(&mut self, span: Span, replacement: &str) {
        self.text.push_str(self.tree.slice(Span::new(self.copied, span.start)));
        self.text.push_str(replacement);
        self.copied = span.end;
    }

    fn body(&mut self, body: BodyId, kind: BodyKind) {
        let tree = self.tree;
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let span = tree.span(attribute.expr);
                    if kind == BodyKind::Variable && tree.name(attribute) == "type" {
                        self.variable_type(span);
                    } else {
                        self.value(span);
                    }
                }
                Item::Block(id) => {
                    let block = tree.block(*id);
                    self.labels(block);
                    let is_variable = kind == BodyKind::Root && tree.block_type(block) == "variable";
                    self.body(block.body, if is_variable { BodyKind::Variable } else { BodyKind::Other });
                }
            }
        }
    }

    /// Rewrites types in quotes, and collections of any element type.
    fn variable_type(&mut self, span: Span) {
        let replacement = match self.tree.slice(span) {
            "list" => "list(any)",
            "map" => "map(any)",
            "set" => "set(any)",
            "\"string\"" => "string",
            "\"list\"" => "list(string)",
            "\"map\"" => "map(string)",
            _ => return,
        };
        self.replace(span, replacement);
    }

    /// Puts all labels in quotes, and removes comments between them.
    fn labels(&mut self, block: &Block) {
        let tree = self.tree;
        let labels = tree.list(block.labels);
        let mut end = block.block_type.end;
        let mut canonical = true;
        for label in labels {
            let gap = tree.slice(Span::new(end, label.span.start));
            canonical &= gap.trim_matches([' ', '\t']).is_empty() && is_canonical(tree.slice(label.span));
            end = label.span.end;
        }
        if canonical {
            return;
        }
        let mut header = String::new();
        for label in tree.labels(block) {
            header.push(' ');
            write_quoted(label, &mut header);
        }
        let span = Span::new(block.block_type.end, end);
        if tree.slice(span) != header {
            self.replace(span, &header);
        }
    }

    /// Rewrites `"${value}"` to `value`.
    fn value(&mut self, span: Span) {
        let written = self.tree.slice(span);
        if !(written.starts_with("\"${") && written.ends_with("}\"")) {
            return;
        }
        let [_, _, inside @ .., _, _] = self.tokens_of(span) else { return };
        if !is_one_expression(inside) {
            return;
        }
        let inside = self.trim_newlines(inside);
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return };
        let value = self.tree.slice(first.span().to(last.span()));
        let in_parens = first.kind() == TokenKind::OpenParen && last.kind() == TokenKind::CloseParen;
        let reference_would = self.has_newline(inside) && !in_parens;
        if reference_would || breaks_lines(inside) || !self.may_end_with(last.kind(), span.end) {
            // The marker of a heredoc must be alone on its line.
            let close = if last.kind() == TokenKind::CloseHeredoc { "\n)" } else { ")" };
            self.replace(span, &format!("({value}{close}"));
        } else {
            self.replace(span, value);
        }
    }

    /// Whether the tokens after the argument may follow a value with this last token.
    fn may_end_with(&self, last: TokenKind, end: u32) -> bool {
        let next = self.tokens.partition_point(|token| token.span().start < end);
        let mut following = self.tokens.iter().skip(next).map(|token| token.kind());
        if last == TokenKind::CloseHeredoc {
            return following.next() == Some(TokenKind::Newline);
        }
        // The line break behind a comment.
        last != TokenKind::Newline
            || following
                .find(|kind| *kind != TokenKind::Comment)
                .is_some_and(|kind| kind == TokenKind::Newline || kind == TokenKind::End)
    }

    fn tokens_of(&self, span: Span) -> &'a [Token] {
        let start = self.tokens.partition_point(|token| token.span().start < span.start);
        let end = self.tokens.partition_point(|token| token.span().start < span.end);
        self.tokens.get(start..end).unwrap_or_default()
    }

    /// Returns the tokens without the line breaks around them. A line break that ends a comment belongs to the comment.
    fn trim_newlines(&self, mut tokens: &'a [Token]) -> &'a [Token] {
        while let [first, rest @ ..] = tokens
            && first.kind() == TokenKind::Newline
        {
            tokens = rest;
        }
        while let [rest @ .., last] = tokens
            && last.kind() == TokenKind::Newline
            && !rest.last().is_some_and(|before| self.is_line_comment(*before))
        {
            tokens = rest;
        }
        tokens
    }

    /// Whether a line ends within the value, apart from ends of comments.
    fn has_newline(&self, tokens: &[Token]) -> bool {
        let mut after_comment = false;
        tokens.iter().any(|token| {
            let ends_comment = std::mem::replace(&mut after_comment, self.is_line_comment(*token));
            token.kind() == TokenKind::Newline && !ends_comment
        })
    }

    fn is_line_comment(&self, token: Token) -> bool {
        token.kind() == TokenKind::Comment && !self.tree.slice(token.span()).starts_with("/*")
    }
}

/// Whether the tokens between `"${` and `}"` are one expression and not, as in `"${a}${b}"`, the end of one and the start of
/// another. As in the reference, a nested string may contain sequences, but a nested heredoc may not.
fn is_one_expression(tokens: &[Token]) -> bool {
    let mut quotes = 0_usize;
    for token in tokens {
        let kind = token.kind();
        if kind == TokenKind::OpenQuote {
            quotes += 1;
        } else if kind == TokenKind::CloseQuote {
            // The closing quote comes before any text or sequence behind it.
            let Some(open) = quotes.checked_sub(1) else { return false };
            quotes = open;
        } else if quotes == 0
            && matches!(kind, TokenKind::OpenInterpolation | TokenKind::CloseSequence | TokenKind::QuotedText)
        {
            return false;
        }
    }
    !tokens.is_empty()
}

/// Whether a line ends within the value but outside of brackets.
fn breaks_lines(tokens: &[Token]) -> bool {
    let [before_last @ .., _] = tokens else { return false };
    let mut depth = 0;
    before_last.iter().any(|token| {
        depth += bracket_change(token.kind());
        depth == 0 && token.kind() == TokenKind::Newline
    })
}
