//! Recursive descent over the tokens: one function for each production, its rule above it.
//!
//! A required production that is missing reports an error and returns [`Expr::Missing`]. After an error, `recovery` is on
//! until the next item of a body, so that the surrounding productions do not report the same error again.

mod body;
mod braces;
mod call;
mod collection;
mod cursor;
mod damage;
mod directive;
mod errors;
mod excerpt;
mod expression;
mod flat_template;
mod for_expression;
mod lines;
mod names;
mod number;
mod operator;
mod recovery;
mod rescue;
mod sequence;
mod template;
mod traversal;

use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span, ids};

pub(crate) use self::excerpt::parse_excerpt;
pub(crate) use self::number::is_number;
pub use self::rescue::PARTS_OF_VARIABLES;
use crate::lexer::{LexMode, Lexed, lex, lex_part};
use crate::limits::{MAX_DEPTH, MAX_DIAGNOSTICS};
use crate::secrets::{error_places, hide_secrets, hide_sensitive_calls};
use crate::tree::{BodyId, Item, Label, ObjectItem, Part, Step};
use crate::{Expr, ExprId, Parsed, Token, TokenKind, Tree};

/// Parses the text of `source` as the content of a configuration file.
///
/// After a syntax error the tree contains everything that can be read, and [`Parsed::damage`] lists the rest.
pub fn parse_body(source: &Arc<SourceFile>) -> Parsed<BodyId> {
    parse_pieces(source, lines::block_starts)
}

/// Parses like [`parse_body`], but a variable file: after a syntax error, each argument is parsed by itself.
pub fn parse_values(source: &Arc<SourceFile>) -> Parsed<BodyId> {
    parse_pieces(source, lines::argument_starts)
}

/// Parses a body. After a syntax error, parses it again in pieces. `starts` finds the starts of the pieces.
fn parse_pieces(source: &Arc<SourceFile>, starts: fn(&str, &[Token]) -> Vec<u32>) -> Parsed<BodyId> {
    let parsed = parse(source, LexMode::Normal, |parser| parser.body(TokenKind::End));
    let parsed = match parsed.diagnostics.iter().any(Diagnostic::is_error) {
        true => {
            let whole = Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX));
            let starts = starts(source.text(), &lex_part(source, whole).tokens);
            Parser::rescued(source, parsed, &starts)
        }
        false => parsed,
    };
    hide_secrets(source, &parsed);
    source.record_errors(error_places(&parsed.diagnostics));
    parsed
}

/// Parses the text of `source` as one expression, in which line breaks do not matter.
pub fn parse_expr(source: &Arc<SourceFile>) -> Parsed<ExprId> {
    parse(source, LexMode::Normal, |parser| {
        parser.set_newlines(false);
        let expr = parser.expression();
        if parser.kind != TokenKind::End && !parser.recovery {
            let detail = "The expression is complete, but other text follows it.";
            parser.error_behind(ids::EXTRA_AFTER_EXPRESSION, detail, None);
        }
        expr
    })
}

/// Parses the text of `source` as one template without quotes, as `templatefile` does.
///
/// If the template is a single interpolation, the result is the interpolated expression itself.
pub fn parse_template(source: &Arc<SourceFile>) -> Parsed<ExprId> {
    parse(source, LexMode::Template, |parser| parser.bare_template())
}

fn parse<T>(source: &Arc<SourceFile>, mode: LexMode, production: impl Fn(&mut Parser<'_>) -> T) -> Parsed<T> {
    let Lexed { mut tokens, diagnostics } = lex(source, mode);
    let tree = Tree::new(Arc::clone(source), tokens.len());
    let mut parser = Parser::new(source, &tokens, diagnostics, tree);
    let root = production(&mut parser);
    let (mut tree, diagnostics) = (parser.tree, parser.diagnostics);
    tree.shrink();
    hide_sensitive_calls(&tree, &diagnostics);
    tokens.shrink_to_fit();
    Parsed { tree: Arc::new(tree), root, tokens, diagnostics, damage: Vec::new() }
}

struct Parser<'a> {
    source: &'a Arc<SourceFile>,
    tokens: &'a [Token],
    /// The index behind the last token that was read.
    read: usize,
    /// The index of the next token that is significant in the current newline mode.
    next: usize,
    /// The kind of the next token.
    kind: TokenKind,
    /// Whether line breaks are tokens here.
    newlines: bool,
    depth: u32,
    /// Whether an error has left the parser in a place where further errors are likely consequences.
    recovery: bool,
    /// Whether recovery may have left the enclosing block, so that errors in the rest of the file are not certain.
    lost: bool,
    /// Whether the previous item failed in such a way that it may continue in the next line.
    goes_on: bool,
    /// Number of errors, including errors without a message.
    error_count: u32,
    diagnostics: Vec<Diagnostic>,
    tree: Tree,
    scratch: Scratch,
    braces: braces::Braces,
    /// The damage found so far, in a pass that follows a pass with errors.
    rescue: Option<Box<damage::FoundDamage>>,
}

/// Elements of lists that are not complete yet. Each list begins at the mark that its production took.
#[derive(Default)]
struct Scratch {
    exprs: Vec<ExprId>,
    steps: Vec<Step>,
    object_items: Vec<ObjectItem>,
    items: Vec<Item>,
    labels: Vec<Label>,
    /// Names of attributes, to find names that are set twice.
    names: Vec<Span>,
    parts: Vec<Part>,
    sequences: Vec<flat_template::Sequence>,
}

impl<'a> Parser<'a> {
    fn new(
        source: &'a Arc<SourceFile>,
        tokens: &'a [Token],
        diagnostics: Vec<Diagnostic>,
        tree: Tree,
    ) -> Parser<'a> {
        let mut parser = Parser {
            source,
            tokens,
            read: 0,
            next: 0,
            kind: TokenKind::End,
            newlines: true,
            depth: 0,
            recovery: false,
            lost: false,
            goes_on: false,
            error_count: 0,
            diagnostics,
            tree,
            scratch: Scratch::default(),
            braces: braces::Braces::default(),
            rescue: None,
        };
        parser.settle();
        parser
    }

    fn missing(&mut self, span: Span) -> ExprId {
        self.tree.add_expr(Expr::Missing, span)
    }

    fn diagnostic(&self, id: DiagnosticId, detail: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.source, span)
    }

    /// Counts an error and reports it, unless the same place was reported already.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.error_count += 1;
        let span = diagnostic.subject.as_ref().map(|subject| subject.span);
        let last = self.diagnostics.last().and_then(|last| last.subject.as_ref()).map(|subject| subject.span);
        if !self.is_full() && span != last {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether no more messages are listed. Errors still count.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// Reports an error at the token at `index`, unless the lexer has reported it already: an invalid token, or a closing token
    /// that the lexer has added.
    fn error_at(&mut self, index: usize, id: DiagnosticId, detail: &str, context: Option<Span>) {
        if let Some(diagnostic) = self.diagnostic_at(index, id, detail, context) {
            self.report(diagnostic);
        }
    }

    /// Returns the message of [`Parser::error_at`], so that callers can add to it. If the lexer has reported the token, counts
    /// an error and returns `None`.
    fn diagnostic_at(
        &mut self,
        index: usize,
        id: DiagnosticId,
        detail: &str,
        context: Option<Span>,
    ) -> Option<Diagnostic> {
        let token = self.token(index);
        let reported =
            token.kind() == TokenKind::Invalid || token.span().is_empty() && token.kind() != TokenKind::End;
        if reported || self.is_full() {
            self.error_count += 1;
            return None;
        }
        let span = self.subject(index);
        let diagnostic = self.diagnostic(id, detail, span);
        Some(match context {
            Some(context) => diagnostic.within(context.to(span)),
            None => diagnostic,
        })
    }

    /// Whether the last message is about the token at `index`.
    fn is_reported(&self, index: usize) -> bool {
        let last = self.diagnostics.last().and_then(|last| last.subject.as_ref());
        last.is_some_and(|subject| subject.span == self.subject(index))
    }

    fn error_at_next(&mut self, id: DiagnosticId, detail: &str, context: Option<Span>) {
        self.error_at(self.next, id, detail, context);
    }

    /// Whether errors were found since there were `before` of them, and the parser is in recovery.
    fn failed(&self, before: u32) -> bool {
        self.recovery && self.error_count > before
    }

    /// Goes one level deeper. At the limit, reports it and returns false.
    fn descend(&mut self) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        if !self.recovery {
            let detail = format!("JSON may be nested at most {MAX_DEPTH} levels deep. Use local values.");
            self.error_at_next(ids::TOO_DEEP, &detail, None);
        }
        self.recovery = true;
        false
    }

    fn ascend(&mut self) {
        self.depth -= 1;
    }
}
