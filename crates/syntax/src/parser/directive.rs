//! Parses template directives: `%{if}` and `%{for}`.
//!
//! Directives are parsed one by one into a flat list of sequences, then matched with their ends.

use terrane_source::{DiagnosticId, Span, ids};

use super::Parser;
use super::errors::NESTED_IF;
use super::flat_template::ForNames;
use super::flat_template::{RawText, Sequence};
use crate::limits::MAX_DEPTH;
use crate::tree::{ForDirective, IfDirective, List, Part};
use crate::{ExprId, Token, TokenKind, Tree};

const KEYWORDS: [&str; 5] = ["if", "else", "endif", "for", "endfor"];

impl Parser<'_> {
    /// Directive = ("%{" | "%{~") (If | "else" | "endif" | For | "endfor") ("}" | "~}")
    ///
    /// The opener was read. Returns whether white space behind the directive is removed.
    pub(super) fn directive(&mut self, opener: Token, start: Span) -> bool {
        let newlines = self.set_newlines(false);
        let before = self.scratch.sequences.len();
        let trim = self.directive_inside(opener, start).unwrap_or_else(|| {
            self.recover(TokenKind::CloseSequence);
            false
        });
        if self.scratch.sequences.len() == before {
            self.scratch.sequences.push(Sequence::Broken);
        }
        self.set_newlines(newlines);
        trim
    }

    /// Parses the inside of a directive. `None` if the caller must skip to the closing brace.
    fn directive_inside(&mut self, opener: Token, start: Span) -> Option<bool> {
        if self.kind != TokenKind::Ident {
            if !self.recovery {
                let detail = "A keyword must follow \"%{\": if, else, endif, for or endfor.";
                self.error_at_next(ids::INVALID_DIRECTIVE, detail, Some(opener.span()));
            }
            return None;
        }
        let keyword_index = self.next;
        let keyword = self.bump();
        let opens = opener.span();
        let (sequence, extra) = match self.text(keyword) {
            "if" => {
                let condition = self.expression();
                (Sequence::If { condition, span: opens.to(self.next_span()) }, ids::EXTRA_IN_IF)
            }
            "else" => (Sequence::Else { span: opens.to(self.next_span()) }, ids::EXTRA_IN_ELSE),
            "endif" => (Sequence::EndIf { span: opens.to(self.next_span()) }, ids::EXTRA_IN_ENDIF),
            "for" => (self.for_sequence(opens)?, ids::EXTRA_IN_FOR),
            "endfor" => (Sequence::EndFor { span: opens.to(self.next_span()) }, ids::EXTRA_IN_ENDFOR),
            _ => {
                self.invalid_keyword(keyword_index, opens);
                return None;
            }
        };
        self.scratch.sequences.push(sequence);
        if self.kind != TokenKind::CloseSequence {
            if !self.recovery {
                self.directive_goes_on(extra, start, opens);
            }
            return None;
        }
        let close = self.bump().span();
        Some(close.len() == 2)
    }

    fn directive_goes_on(&mut self, id: DiagnosticId, start: Span, opener: Span) {
        let is_else_if = id == ids::EXTRA_IN_ELSE && self.at_keyword("if");
        let detail = if is_else_if {
            "There is no \"else if\" directive."
        } else {
            "The closing brace must follow here, the directive is complete."
        };
        if let Some(mut diagnostic) = self.diagnostic_behind(id, detail, Some(start)) {
            diagnostic.hints.extend(is_else_if.then(|| NESTED_IF.to_owned()));
            self.report(diagnostic.label(opener, "opened here"));
        }
    }

    /// For = "for" identifier ("," identifier)? "in" Expression
    fn for_sequence(&mut self, opens: Span) -> Option<Sequence> {
        let names = self.for_names(|parser, detail| {
            if !parser.recovery {
                parser.error_at_next(ids::INVALID_FOR_DIRECTIVE, detail, Some(opens));
            }
        })?;
        let collection = self.expression();
        Some(Sequence::For { names, collection, span: opens.to(self.next_span()) })
    }

    fn invalid_keyword(&mut self, keyword: usize, opens: Span) {
        if self.recovery {
            return;
        }
        let token = self.token(keyword);
        let given = self.text(token);
        let is_else_if = matches!(given, "elseif" | "elsif" | "elif");
        // The word is not repeated, because it may be a part of a secret.
        let detail = match is_else_if {
            true => format!("There is no {given:?} directive."),
            false => "This is not a directive; those are if, else, endif, for and endfor.".to_owned(),
        };
        let mut diagnostic = self.diagnostic(ids::INVALID_DIRECTIVE_KEYWORD, detail, token.span());
        if is_else_if {
            diagnostic = diagnostic.hint(NESTED_IF);
        } else {
            let meant = KEYWORDS.iter().find(|keyword| is_misspelt(given, keyword));
            diagnostic = diagnostic.suggest(given, meant.copied());
        }
        self.report(diagnostic.within(opens.to(token.span())));
    }

    /// Turns the flat sequences behind `mark` into parts with matched directives.
    pub(super) fn match_directives(&mut self, mark: usize, end: Span) -> List<Part> {
        let parts_mark = self.scratch.parts.len();
        let mut matcher = Matcher {
            tree: &mut self.tree,
            parts: &mut self.scratch.parts,
            text: None,
            open: Vec::new(),
            room: MAX_DEPTH.saturating_sub(self.depth) as usize,
            errors: Vec::new(),
            broken: false,
        };
        for sequence in self.scratch.sequences.drain(mark..) {
            matcher.add(sequence);
        }
        matcher.finish(end);
        let broken = matcher.broken;
        for DirectiveError { id, span, detail, open } in matcher.errors {
            if broken {
                self.error_count += 1;
            } else {
                let diagnostic = self.diagnostic(id, detail, span);
                self.report(match open {
                    Some(open) => diagnostic.label(open, "opened here"),
                    None => diagnostic,
                });
            }
        }
        self.tree.add_list(&mut self.scratch.parts, parts_mark)
    }
}

/// Whether `given` is a misspelt `keyword`: one letter more, fewer or changed, or the same letters in another order.
fn is_misspelt(given: &str, keyword: &str) -> bool {
    let mut rest = given.chars();
    let found =
        keyword.chars().filter(|wanted| rest.clone().next() == Some(*wanted) && rest.next().is_some());
    let common = found.count();
    let from_end =
        given.chars().rev().zip(keyword.chars().rev()).take_while(|(left, right)| left == right).count();
    let longest = given.chars().count().max(keyword.len());
    common.min(keyword.len()) + from_end + 1 >= longest && given.chars().count().abs_diff(keyword.len()) <= 1
}

/// A directive that does not match the other directives.
struct DirectiveError {
    id: DiagnosticId,
    span: Span,
    detail: String,
    /// The place of the open directive.
    open: Option<Span>,
}

/// A directive whose end has not been found yet.
struct Open {
    kind: OpenKind,
    span: Span,
    /// The start of its parts.
    mark: usize,
}

enum OpenKind {
    If {
        condition: ExprId,
        /// The parts before `else`, after the `else` was found.
        yes: Option<List<Part>>,
    },
    For {
        names: ForNames,
        collection: ExprId,
    },
}

struct Matcher<'a> {
    tree: &'a mut Tree,
    parts: &'a mut Vec<Part>,
    /// Text that may continue in the next sequence.
    text: Option<(RawText, Span)>,
    open: Vec<Open>,
    /// The number of further directives that may be nested.
    room: usize,
    errors: Vec<DirectiveError>,
    /// Whether a directive could not be parsed.
    broken: bool,
}

impl Matcher<'_> {
    fn add(&mut self, sequence: Sequence) {
        if let Sequence::Text { text, span } = sequence {
            self.text = Some(match self.text.take() {
                Some((before, start)) => (before.join(text, self.tree), start.to(span)),
                None => (text, span),
            });
            return;
        }
        self.end_text();
        match sequence {
            Sequence::Text { .. } => {}
            Sequence::Interpolation { expr, span } => self.parts.push(Part::Interpolation { expr, span }),
            Sequence::If { condition, span } => self.open(OpenKind::If { condition, yes: None }, span),
            Sequence::For { names, collection, span } => self.open(OpenKind::For { names, collection }, span),
            Sequence::Else { span } => self.else_directive(span),
            Sequence::EndIf { span } => self.end_if(span),
            Sequence::EndFor { span } => self.end_for(span),
            Sequence::Broken => self.broken = true,
        }
    }

    fn end_text(&mut self) {
        if let Some((text, span)) = self.text.take() {
            let text = text.store(self.tree);
            self.parts.push(Part::Literal { text, span });
        }
    }

    fn open(&mut self, kind: OpenKind, span: Span) {
        if self.open.len() >= self.room {
            let detail = format!("JSON may be nested at most {MAX_DEPTH} levels deep. Use local values.");
            self.errors.push(DirectiveError { id: ids::TOO_DEEP, span, detail, open: None });
            return;
        }
        self.open.push(Open { kind, span, mark: self.parts.len() });
    }

    fn else_directive(&mut self, span: Span) {
        match self.open.pop() {
            Some(Open { kind: OpenKind::If { condition, yes: None }, span: start, mark }) => {
                let yes = Some(self.tree.add_list(self.parts, mark));
                self.open.push(Open { kind: OpenKind::If { condition, yes }, span: start, mark });
            }
            Some(open) => {
                let detail = match open.kind {
                    OpenKind::If { .. } => "The if directive has an else already.",
                    OpenKind::For { .. } => "A for directive has no else; endfor must close it.",
                };
                self.unexpected(ids::UNEXPECTED_ELSE, span, detail, Some(open));
            }
            None => self.unexpected(ids::UNEXPECTED_ELSE, span, "No if directive is open here.", None),
        }
    }

    fn end_if(&mut self, span: Span) {
        match self.open.pop() {
            Some(Open { kind: OpenKind::If { condition, yes }, span: start, mark }) => {
                let last = self.tree.add_list(self.parts, mark);
                let (yes, no) = match yes {
                    Some(yes) => (yes, last),
                    None => (last, List::EMPTY),
                };
                let directive = IfDirective { condition, yes, no, span: start.to(span) };
                self.parts.push(Part::If(self.tree.add_if_directive(directive)));
            }
            Some(open) => {
                let detail = "The directive that is open here is a for; endfor must close it.";
                self.unexpected(ids::UNEXPECTED_ENDIF, span, detail, Some(open));
            }
            None => self.unexpected(ids::UNEXPECTED_ENDIF, span, "No if directive is open here.", None),
        }
    }

    fn end_for(&mut self, span: Span) {
        match self.open.pop() {
            Some(Open { kind: OpenKind::For { names, collection }, span: start, mark }) => {
                let body = self.tree.add_list(self.parts, mark);
                let directive = ForDirective {
                    key_name: names.key,
                    value_name: names.value,
                    collection,
                    body,
                    opening: start,
                    span: start.to(span),
                };
                self.parts.push(Part::For(self.tree.add_for_directive(directive)));
            }
            Some(open) => {
                let detail = "The directive that is open here is an if; endif must close it.";
                self.unexpected(ids::UNEXPECTED_ENDFOR, span, detail, Some(open));
            }
            None => self.unexpected(ids::UNEXPECTED_ENDFOR, span, "No for directive is open here.", None),
        }
    }

    /// Reports a directive in a wrong place, and drops the open directive.
    fn unexpected(&mut self, id: DiagnosticId, span: Span, detail: &str, open: Option<Open>) {
        let detail = detail.to_owned();
        self.errors.push(DirectiveError { id, span, detail, open: open.as_ref().map(|open| open.span) });
        if let Some(open) = open {
            self.parts.truncate(open.mark);
        }
    }

    fn finish(&mut self, end: Span) {
        self.end_text();
        if let Some(open) = self.open.first() {
            self.parts.truncate(open.mark);
            let detail = match self.open.last().map(|open| &open.kind) {
                Some(OpenKind::For { .. }) => "A for directive has no endfor.",
                Some(OpenKind::If { .. }) | None => "An if directive has no endif.",
            };
            let (id, detail) = (ids::UNEXPECTED_TEMPLATE_END, detail.to_owned());
            let open = self.open.last().map(|open| open.span);
            self.errors.push(DirectiveError { id, span: end, detail, open });
        }
    }
}
