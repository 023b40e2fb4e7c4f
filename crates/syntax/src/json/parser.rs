//! Recursive descent parser for JSON.
//!
//! Reads the tokens of the JSON lexer into a [`Tree`] and recovers from errors as the reference does.

use std::sync::Arc;

use terrane_source::{DiagnosticId, SourceFile, Span, ids};

use super::errors::Errors;
use super::lexer::{Bracket, Foreign, Lexer, Token, TokenKind};
use super::{Property, Tree, Value, ValueId, string};
use crate::limits::MAX_DEPTH;
use crate::parser::is_number;
use crate::tree::Text;

pub(super) struct Parser<'a> {
    source: &'a Arc<SourceFile>,
    lexer: Lexer<'a>,
    /// The next token.
    pub(super) token: Token,
    /// The end of the last token that was read.
    last_end: u32,
    /// The brackets that are open here.
    open: Vec<(Bracket, Span)>,
    pub(super) tree: Tree,
    /// Elements of arrays that are not complete yet. The elements of each array begin at the mark that it took.
    elements: Vec<ValueId>,
    /// Properties of objects that are not complete yet, in the same order as `elements`.
    pub(super) properties: Vec<Property>,
    pub(super) errors: Errors<'a>,
}

impl<'a> Parser<'a> {
    /// Returns a parser of the tokens of `lexer`, which adds to `tree`.
    pub(super) fn new(
        source: &'a Arc<SourceFile>,
        mut lexer: Lexer<'a>,
        tree: Tree,
        errors: Errors<'a>,
    ) -> Parser<'a> {
        let token = lexer.next();
        Parser {
            source,
            lexer,
            token,
            last_end: 0,
            open: Vec::new(),
            tree,
            elements: Vec::new(),
            properties: Vec::new(),
            errors,
        }
    }
}

impl Parser<'_> {
    /// File = Value
    pub(super) fn file(&mut self) -> ValueId {
        if self.source.byte_order_mark_len() > 0 {
            self.errors.byte_order_mark();
        }
        let root = self.value();
        self.skip_comments(ids::JSON_EXTRA);
        if self.token.kind != TokenKind::End {
            self.errors.extra(self.token.span);
        }
        match self.tree.value(root) {
            Value::Object(_) | Value::Array(_) | Value::Missing => {}
            Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {
                self.errors.root(self.tree.span(root));
            }
        }
        root
    }

    /// Value = Object | Array | string | number | "true" | "false" | "null"
    fn value(&mut self) -> ValueId {
        self.skip_comments(ids::JSON_INVALID_VALUE);
        let token = self.token;
        match token.kind {
            TokenKind::OpenBrace => self.nested(Bracket::Object),
            TokenKind::OpenBracket => self.nested(Bracket::Array),
            TokenKind::String { .. } => {
                let value = self.string().map_or(Value::Missing, Value::String);
                self.tree.add(value, token.span)
            }
            TokenKind::Number => {
                let value = self.number();
                self.tree.add(value, token.span)
            }
            TokenKind::Keyword => {
                let value = self.keyword();
                self.tree.add(value, token.span)
            }
            TokenKind::Invalid(foreign) => {
                self.errors.foreign(ids::JSON_INVALID_VALUE, foreign, token.span, token.span);
                self.bump();
                self.tree.add(Value::Missing, token.span)
            }
            TokenKind::CloseBrace
            | TokenKind::CloseBracket
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Equals
            | TokenKind::End => {
                self.errors.no_value(token, self.open.last().map(|(_, span)| *span));
                self.tree.add(Value::Missing, Span::empty(self.last_end))
            }
        }
    }

    /// Parses an object or array, unless it is nested too deeply.
    fn nested(&mut self, bracket: Bracket) -> ValueId {
        if self.open.len() >= MAX_DEPTH as usize {
            let start = self.bump().span;
            self.errors.too_deep(start);
            self.skip_to_closing_bracket();
            return self.tree.add(Value::Missing, Span::new(start.start, self.last_end));
        }
        let open = self.bump().span;
        self.open.push((bracket, open));
        let value = match bracket {
            Bracket::Object => self.object(),
            Bracket::Array => self.array(),
        };
        self.open.pop();
        self.tree.add(value, Span::new(open.start, self.last_end))
    }

    /// Object = "{" (Property ("," Property)*)? "}"
    ///
    /// The brace was read.
    fn object(&mut self) -> Value {
        let mark = self.properties.len();
        let mut more = !self.opt_close(Bracket::Object);
        while more {
            let complete = self.property();
            more = self.next_part(Bracket::Object, complete);
        }
        Value::Object(self.tree.add_properties(&mut self.properties, mark))
    }

    /// Array = "[" (Value ("," Value)*)? "]"
    ///
    /// The bracket was read.
    fn array(&mut self) -> Value {
        let mark = self.elements.len();
        let mut more = !self.opt_close(Bracket::Array);
        while more {
            let element = self.value();
            self.elements.push(element);
            more = self.next_part(Bracket::Array, self.is_complete(element));
        }
        Value::Array(self.tree.add_elements(&mut self.elements, mark))
    }

    /// Reads the bracket that closes an empty object or array. Returns whether it was there.
    fn opt_close(&mut self, bracket: Bracket) -> bool {
        self.skip_comments(ids::JSON_INVALID_VALUE);
        let found = self.token.kind == bracket.close();
        if found {
            self.bump();
        }
        found
    }

    /// Property = string ":" Value
    ///
    /// Returns whether it has all its parts.
    pub(super) fn property(&mut self) -> bool {
        let start = self.token;
        let (name, has_value) = if let TokenKind::String { .. } = start.kind {
            (self.string(), self.colon())
        } else {
            self.no_name();
            (None, self.opt_colon())
        };
        if !has_value {
            let value = self.tree.add(Value::Missing, Span::empty(self.last_end));
            self.properties.extend(name.map(|name| Property { name, name_span: start.span, value }));
            return false;
        }
        let value = self.value();
        self.properties.extend(name.map(|name| Property { name, name_span: start.span, value }));
        self.is_complete(value)
    }

    fn is_complete(&self, value: ValueId) -> bool {
        !matches!(self.tree.value(value), Value::Missing)
    }

    /// Skips a token in place of a property name.
    fn no_name(&mut self) {
        let (token, before) = (self.token, self.errors.len());
        if token.kind == TokenKind::Keyword {
            self.errors.bare_name(token);
            self.bump();
        } else {
            self.value();
            if self.errors.len() == before {
                self.errors.no_name(token);
            }
        }
        while matches!(self.token.kind, TokenKind::Number | TokenKind::Keyword | TokenKind::Invalid(_))
            && !self.token.starts_line
        {
            self.bump();
        }
    }

    fn opt_colon(&mut self) -> bool {
        let found = matches!(self.token.kind, TokenKind::Colon | TokenKind::Equals);
        if found {
            self.bump();
        }
        found
    }

    /// Reads the colon behind a name. Returns whether a value follows, which may be so without a colon.
    fn colon(&mut self) -> bool {
        self.skip_comments(ids::JSON_MISSING_COLON);
        if self.token.kind == TokenKind::Colon {
            self.bump();
            return true;
        }
        self.errors.no_colon(self.token);
        if let TokenKind::Invalid(_) = self.token.kind {
            self.bump();
        }
        self.opt_colon() || starts_value(self.token.kind)
    }

    /// Reads the separator after a part of an object or array. Returns true for a comma with another part, false for the
    /// closing bracket.
    ///
    /// After an incomplete part, the rest of it is skipped without a diagnostic.
    fn next_part(&mut self, bracket: Bracket, complete: bool) -> bool {
        let mut silent = !complete;
        loop {
            self.skip_comments(ids::JSON_MISSING_COMMA);
            let token = self.token;
            if token.kind == bracket.close() {
                self.bump();
                return false;
            }
            match token.kind {
                TokenKind::Comma => {
                    self.bump();
                    let closes = self.opt_close(bracket);
                    if closes {
                        self.errors.trailing_comma(token, bracket);
                    }
                    return !closes;
                }
                TokenKind::End => {
                    self.errors.unclosed(self.open.last().map_or(token.span, |(_, span)| *span), bracket);
                    return false;
                }
                TokenKind::CloseBrace | TokenKind::CloseBracket => {
                    self.wrong_close(bracket, silent);
                    return false;
                }
                TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::Colon
                | TokenKind::Equals
                | TokenKind::String { .. }
                | TokenKind::Number
                | TokenKind::Keyword
                | TokenKind::Invalid(_) => {
                    if !silent {
                        self.errors.no_comma(token, self.behind(bracket), bracket);
                    }
                    let apart = !silent && token.span.start > self.last_end;
                    if starts_part(bracket, token.kind) && (apart || token.starts_line) {
                        return true;
                    }
                    silent = true;
                    self.skip_part(bracket);
                }
            }
        }
    }

    /// Reports an object that seems to be closed by a bracket, or an array by a brace.
    ///
    /// If the bracket closes the enclosing container, the right one is missing here.
    fn wrong_close(&mut self, bracket: Bracket, silent: bool) {
        let token = self.token;
        let (place, open) = (self.behind(bracket), self.open.last().map(|(_, span)| *span));
        if !silent {
            self.errors.mismatch(token, place, open, bracket);
        }
        let outer = self.open.iter().rev().nth(1);
        if outer.is_none_or(|(outer, _)| *outer == bracket) {
            self.bump();
        }
    }

    /// Returns the place at which the reference reports an error in the list inside of brackets: it skips the tokens up to the
    /// closing bracket, and reports the token behind them.
    ///
    /// Only for the first error. Further errors are reported at their own places, so that the time stays linear.
    fn behind(&self, bracket: Bracket) -> Span {
        let mut token = self.token;
        if self.errors.len() > 0 {
            return token.span;
        }
        let mut lexer = self.lexer;
        let mut levels = 1_u32;
        let skips = bracket == Bracket::Array || token.kind != TokenKind::CloseBracket;
        loop {
            if token.kind == TokenKind::End {
                return token.span;
            }
            if let TokenKind::Invalid(_) = token.kind {
                // The reference does not read any further.
                return Span::empty(token.span.end);
            }
            let next = lexer.next();
            if token.kind == bracket.open() {
                levels += 1;
            } else if token.kind == bracket.close() {
                levels -= 1;
            }
            if token.kind == bracket.close() && levels <= 1 || !skips {
                return next.span;
            }
            token = next;
        }
    }

    /// Skips the rest of a part.
    fn skip_part(&mut self, bracket: Bracket) {
        loop {
            match self.token.kind {
                TokenKind::OpenBrace | TokenKind::OpenBracket => {
                    self.bump();
                    self.skip_to_closing_bracket();
                }
                TokenKind::Colon
                | TokenKind::Equals
                | TokenKind::String { .. }
                | TokenKind::Number
                | TokenKind::Keyword
                | TokenKind::Invalid(_) => drop(self.bump()),
                TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::Comma | TokenKind::End => return,
            }
            if self.token.starts_line && starts_part(bracket, self.token.kind) {
                return;
            }
        }
    }

    /// Skips to the closing bracket; the opening one was read.
    fn skip_to_closing_bracket(&mut self) {
        let mut levels = 1_u32;
        while levels > 0 && self.token.kind != TokenKind::End {
            let kind = self.bump().kind;
            if matches!(kind, TokenKind::OpenBrace | TokenKind::OpenBracket) {
                levels += 1;
            } else if matches!(kind, TokenKind::CloseBrace | TokenKind::CloseBracket) {
                levels -= 1;
            }
        }
    }

    /// Reports comments with `id`, and skips them.
    fn skip_comments(&mut self, id: DiagnosticId) {
        while let TokenKind::Invalid(Foreign::Comment) = self.token.kind {
            // The reference looks for the comma behind the invalid text.
            let behind = id == ids::JSON_MISSING_COMMA && self.errors.len() == 0;
            let span = self.token.span;
            let place = if behind { Span::empty(span.end) } else { span };
            self.errors.foreign(id, Foreign::Comment, span, place);
            self.bump();
        }
    }

    /// Returns the text of a string, if it is well-formed.
    pub(super) fn string(&mut self) -> Option<Text> {
        let token = self.bump();
        let TokenKind::String { escaped, closed } = token.kind else { return None };
        let text = self.source.slice(token.span);
        if escaped && let Some(offset) = string::wrong_escape(text) {
            self.errors.escape(token.span, offset);
            return None;
        }
        if !closed {
            self.errors.unclosed_string(token.span);
            return None;
        }
        if !escaped {
            return Some(Text::Source(Span::new(token.span.start + 1, token.span.end - 1)));
        }
        Some(self.tree.add_decoded(|decoded| string::decode(string::content(text), decoded)))
    }

    fn number(&mut self) -> Value {
        let token = self.bump();
        let text = self.source.slice(token.span);
        if is_json_number(text) {
            return Value::Number;
        }
        self.errors.number(token.span, text);
        Value::Missing
    }

    fn keyword(&mut self) -> Value {
        let token = self.bump();
        match self.source.slice(token.span) {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            other => {
                self.errors.keyword(token.span, other);
                Value::Missing
            }
        }
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.span.end;
        self.token = self.lexer.next();
        token
    }
}

fn starts_part(bracket: Bracket, kind: TokenKind) -> bool {
    match bracket {
        Bracket::Object => matches!(kind, TokenKind::String { .. }),
        Bracket::Array => starts_value(kind) && !matches!(kind, TokenKind::Invalid(_)),
    }
}

fn starts_value(kind: TokenKind) -> bool {
    match kind {
        TokenKind::OpenBrace
        | TokenKind::OpenBracket
        | TokenKind::String { .. }
        | TokenKind::Number
        | TokenKind::Keyword
        | TokenKind::Invalid(_) => true,
        TokenKind::CloseBrace
        | TokenKind::CloseBracket
        | TokenKind::Comma
        | TokenKind::Colon
        | TokenKind::Equals
        | TokenKind::End => false,
    }
}

/// Number = "-"? ("0" | nonzero digit*) ("." digit+)? (("e" | "E") ("+" | "-")? digit+)?
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let mantissa = unsigned.split(['e', 'E']).next().unwrap_or_default();
    let whole = mantissa.split('.').next().unwrap_or_default();
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    !whole.is_empty() && !leading_zero && !mantissa.ends_with('.') && is_number(unsigned)
}

#[cfg(test)]
mod tests {
    use super::is_json_number;

    #[test]
    fn numbers_are_those_of_json() {
        for number in ["0", "-0", "10", "1.50", "-1.5e+10", "1E5", "0e0", "0.0e-1"] {
            assert!(is_json_number(number), "{number}");
        }
        for other in
            ["", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+", "1-2", "--1", "1e99999999999"]
        {
            assert!(!is_json_number(other), "{other}");
        }
    }
}
