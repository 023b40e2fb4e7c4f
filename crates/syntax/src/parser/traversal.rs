//! Parses traversals: names, attributes, indexes and splats.
//!
//! Entered from the parser of operands, for the steps after a name or another term.

use terrane_source::{Span, ids};

use super::Parser;
use super::recovery::{closer, closes_template};
use crate::tree::Step;
use crate::{Expr, ExprId, Token, TokenKind};

/// The expression to which steps apply.
#[derive(Clone, Copy)]
enum Source {
    Root(Span),
    Expr(ExprId),
}

impl Parser<'_> {
    /// Traversal = identifier Step*
    pub(super) fn traversal(&mut self, root: Token) -> ExprId {
        self.steps(Source::Root(root.span()))
    }

    pub(super) fn steps_behind(&mut self, term: ExprId) -> ExprId {
        if self.kind != TokenKind::Dot && self.kind != TokenKind::OpenBracket {
            return term;
        }
        self.steps(Source::Expr(term))
    }

    /// Step = "." identifier | "." number | "[" Expression "]" | Splat
    fn steps(&mut self, source: Source) -> ExprId {
        let mut source = source;
        let mark = self.scratch.steps.len();
        let depth = self.depth;
        loop {
            if self.kind == TokenKind::Dot {
                self.dot_step(&mut source, mark);
            } else if self.kind == TokenKind::OpenBracket {
                self.bracket_step(&mut source, mark);
            } else {
                self.depth = depth;
                return self.finish_steps(source, mark);
            }
        }
    }

    /// Returns the expression of `source` and the steps that were read behind it.
    fn finish_steps(&mut self, source: Source, mark: usize) -> ExprId {
        let last = self.scratch.steps.get(mark..).unwrap_or_default().last().map(|step| step.span());
        match source {
            Source::Root(root) => {
                let steps = self.tree.add_list(&mut self.scratch.steps, mark);
                let span = last.map_or(root, |last| root.to(last));
                self.tree.add_expr(Expr::Traversal { root_end: root.end, steps }, span)
            }
            Source::Expr(source) => {
                let Some(last) = last else { return source };
                let steps = self.tree.add_list(&mut self.scratch.steps, mark);
                let span = self.tree.span(source).to(last);
                self.tree.add_expr(Expr::Relative { source, steps }, span)
            }
        }
    }

    fn dot_step(&mut self, source: &mut Source, mark: usize) {
        let dot = self.bump().span();
        if self.kind == TokenKind::Ident {
            let name = self.bump().span();
            self.scratch.steps.push(Step::Attr { name, dot: dot.start });
        } else if self.kind == TokenKind::Number {
            let number = self.bump();
            self.legacy_index(dot, number, number.span());
        } else if self.kind == TokenKind::Star {
            self.attribute_splat(source, mark, dot);
        } else {
            let detail = "A name must follow the dot.";
            self.error_at_next(ids::INVALID_ATTRIBUTE_NAME, detail, None);
            self.recovery = true;
            if self.rescue.is_some() {
                let step = Step::Attr { name: Span::empty(dot.end), dot: dot.start };
                self.scratch.steps.push(step);
                return;
            }
            let start = self.finish_steps(*source, mark);
            let span = self.tree.span(start).to(dot);
            *source = Source::Expr(self.missing(span));
        }
    }

    /// LegacyIndex = "." digit+
    fn legacy_index(&mut self, dot: Span, number: Token, subject: Span) {
        match self.text(number).split_once('.') {
            Some((first, second)) => {
                let detail = format!("Indexes after dots cannot be chained. Write [{first}][{second}].");
                self.report(self.diagnostic(ids::INVALID_LEGACY_INDEX, detail, subject));
            }
            None => self.check_number(number),
        }
        self.scratch.steps.push(Step::LegacyIndex { digits: number.span(), dot: dot.start });
    }

    /// AttributeSplat = "." "*" ("." identifier | "." number)*
    ///
    /// If a splat follows another one, the earlier splat is its source, so each splat is one level deeper.
    fn attribute_splat(&mut self, source: &mut Source, mark: usize, dot: Span) {
        let star = self.bump().span();
        let each_mark = self.scratch.steps.len();
        while self.kind == TokenKind::Dot {
            let dot = self.bump().span();
            if self.kind == TokenKind::Ident {
                let name = self.bump().span();
                self.scratch.steps.push(Step::Attr { name, dot: dot.start });
            } else if self.kind == TokenKind::Number {
                let number = self.bump();
                self.legacy_index(dot, number, star);
            } else {
                self.no_splat_attribute(star);
                self.scratch.steps.truncate(each_mark);
                return;
            }
        }
        if !self.descend() {
            self.scratch.steps.truncate(each_mark);
            return;
        }
        let item = self.tree.add_expr(Expr::Item, dot.to(star));
        let each = self.finish_steps(Source::Expr(item), each_mark);
        *source = Source::Expr(self.splat(*source, mark, each, false));
    }

    fn no_splat_attribute(&mut self, star: Span) {
        if !self.recovery {
            if self.kind == TokenKind::Star {
                let detail = "A splat with a dot (.*) cannot contain another one. Use [*] instead.";
                self.error_at_next(ids::NESTED_SPLAT, detail, None);
            } else {
                let detail = "A name must follow each dot after a splat.";
                self.report(self.diagnostic(ids::INVALID_ATTRIBUTE_NAME, detail, star));
            }
        }
        self.recovery = true;
    }

    fn splat(&mut self, source: Source, mark: usize, each: ExprId, full: bool) -> ExprId {
        let source = self.finish_steps(source, mark);
        let span = self.tree.span(source).to(self.tree.span(each));
        self.tree.add_expr(Expr::Splat { source, each, full }, span)
    }

    fn bracket_step(&mut self, source: &mut Source, mark: usize) {
        let open = self.bump().span();
        if self.kind == TokenKind::Star {
            return self.full_splat(source, mark, open);
        }
        let newlines = self.set_newlines(false);
        let before = self.error_count;
        let key = self.expression();
        let close = if self.failed(before) {
            self.recover(TokenKind::CloseBracket)
        } else {
            self.close_bracket(open, "A closing bracket must follow the key of an index.", false)
        };
        self.set_newlines(newlines);
        self.scratch.steps.push(Step::Index { key, brackets: open.to(close.span()) });
    }

    /// FullSplat = "[" "*" "]" Step*
    ///
    /// The star must directly follow the bracket, and the steps behind the splat apply to each element.
    fn full_splat(&mut self, source: &mut Source, mark: usize, open: Span) {
        self.bump();
        let close = self.close_bracket(open, "A closing bracket must follow the star of a splat.", true);
        let item = self.tree.add_expr(Expr::Item, open.to(close.span()));
        let each = if self.descend() {
            let each = self.steps_behind(item);
            self.ascend();
            each
        } else {
            item
        };
        *source = Source::Expr(self.splat(*source, mark, each, true));
    }

    /// Reads the closing bracket. If another token is in its place, the subject of the message is the bracket that recovery
    /// finds, as in the reference, with a label at that token.
    fn close_bracket(&mut self, open: Span, detail: &str, splat: bool) -> Token {
        let index = self.next;
        let found = self.bump();
        if found.kind() == TokenKind::CloseBracket || self.recovery {
            return found;
        }
        if let Some(end) = closer(found.kind()).filter(|end| closes_template(*end)) {
            self.recover(end);
        }
        let close = self.recover(TokenKind::CloseBracket);
        let ended = close.kind() == TokenKind::CloseBracket || close.kind() == TokenKind::End;
        let span = if ended { close.span() } else { self.subject(index) };
        self.error_count += 1;
        if found.kind() != TokenKind::Invalid {
            let id = if splat { ids::MISSING_SPLAT_BRACKET } else { ids::MISSING_INDEX_BRACKET };
            let diagnostic = self.diagnostic(id, detail, span).within(open.to(span));
            self.report(diagnostic.label(open, "opened here").label(self.subject(index), "found instead"));
        }
        close
    }
}
