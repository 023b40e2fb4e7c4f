//! Diagnostics of the JSON parser.
//!
//! The parser calls one method per kind of error. [`Errors`] limits their number and reports repeated errors
//! once.

use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span, ids};

use super::lexer::{Bracket, Foreign, Token, TokenKind};
use crate::limits::{MAX_DEPTH, MAX_DIAGNOSTICS};

const VALUES: &str = "A value is an object in braces, an array in brackets, a string in double quotes, a number, or \
                      one of the words true, false and null.";

/// The messages about a JSON file.
pub(super) struct Errors<'a> {
    source: &'a Arc<SourceFile>,
    diagnostics: Vec<Diagnostic>,
    /// Number of errors, including errors without a message.
    count: usize,
    comment: bool,
    quote: bool,
    /// Whether the parser has reported that the text ends too early.
    ended: bool,
}

impl<'a> Errors<'a> {
    pub(super) fn new(source: &'a Arc<SourceFile>) -> Errors<'a> {
        Errors { source, diagnostics: Vec::new(), count: 0, comment: false, quote: false, ended: false }
    }

    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    fn error(&self, id: DiagnosticId, detail: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.source, span)
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.count += 1;
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn byte_order_mark(&mut self) {
        let detail = "The file begins with a byte order mark, which JSON does not allow. Save it as UTF-8 without \
                      a byte order mark.";
        let character = self.source.text().chars().next().map_or(0, char::len_utf8);
        let span = Span::new(0, u32::try_from(character).unwrap_or(0));
        self.push(self.error(ids::JSON_INVALID_VALUE, detail, span));
    }

    /// A value is missing before `token`.
    pub(super) fn no_value(&mut self, token: Token, open: Option<Span>) {
        let (id, detail) = match token.kind {
            TokenKind::End => {
                (ids::JSON_MISSING_VALUE, "The text ends where a value must follow.".to_owned())
            }
            TokenKind::CloseBrace => (
                ids::JSON_MISSING_PROPERTY_VALUE,
                format!("The object ends where a value must follow. {VALUES}"),
            ),
            TokenKind::CloseBracket => {
                (ids::JSON_MISSING_ELEMENT, format!("A value must stand before this bracket. {VALUES}"))
            }
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::Comma
            | TokenKind::Colon
            | TokenKind::Equals => {
                let found = self.source.slice(token.span);
                (
                    ids::JSON_INVALID_VALUE,
                    format!("There is a \"{found}\" where a value must follow. {VALUES}"),
                )
            }
            // The text is not repeated, because it may be a part of a secret.
            TokenKind::String { .. } | TokenKind::Number | TokenKind::Keyword | TokenKind::Invalid(_) => {
                (ids::JSON_INVALID_VALUE, format!("This stands where a value must follow. {VALUES}"))
            }
        };
        let mut diagnostic = self.error(id, detail, token.span);
        if token.kind == TokenKind::End {
            self.ended = true;
            if let Some(open) = open {
                diagnostic = diagnostic.label(open, "this is not closed");
            }
        }
        self.push(diagnostic);
    }

    /// Reports text at `span` that is not JSON, as the error `id` at `place`.
    pub(super) fn foreign(&mut self, id: DiagnosticId, foreign: Foreign, span: Span, place: Span) {
        let (detail, hint) = match foreign {
            Foreign::Comment if std::mem::replace(&mut self.comment, true) => return self.count += 1,
            Foreign::Quote if std::mem::replace(&mut self.quote, true) => return self.count += 1,
            Foreign::Comment => (
                "JSON has no comments.".to_owned(),
                Some("In a block, a property with the name \"//\" is ignored: {\"//\": \"a remark\"}."),
            ),
            Foreign::Quote => ("JSON strings are enclosed in double quotes.".to_owned(), None),
            Foreign::Other => {
                let found = self.source.slice(span);
                (format!("The character \"{found}\" cannot stand outside of a string. {VALUES}"), None)
            }
        };
        let mut diagnostic = self.error(id, detail, place);
        if place != span {
            diagnostic = diagnostic.label(span, "this is not JSON");
        }
        diagnostic.hints.extend(hint.map(str::to_owned));
        self.push(diagnostic);
    }

    pub(super) fn too_deep(&mut self, span: Span) {
        let detail = format!("JSON may be nested at most {MAX_DEPTH} levels deep.");
        self.push(self.error(ids::TOO_DEEP, detail, span));
    }

    /// Reports a value that is no string in place of a name.
    pub(super) fn no_name(&mut self, token: Token) {
        let detail = "The name of a property is a string in double quotes.";
        self.push(self.error(ids::JSON_INVALID_NAME, detail, token.span));
    }

    /// Reports a name without quotes.
    pub(super) fn bare_name(&mut self, token: Token) {
        let is_value = matches!(self.source.slice(token.span), "true" | "false" | "null");
        let id = if is_value { ids::JSON_INVALID_NAME } else { ids::JSON_INVALID_KEYWORD };
        let detail = "The name of a property is written in double quotes.";
        self.push(self.error(id, detail, token.span));
    }

    /// Reports `token` in place of a colon.
    pub(super) fn no_colon(&mut self, token: Token) {
        let mut id = ids::JSON_MISSING_COLON;
        let detail = match token.kind {
            TokenKind::Comma | TokenKind::CloseBrace => {
                id = ids::JSON_NAME_ONLY;
                "A colon and a value must follow the name of a property. A list without names is written in \
                 brackets."
            }
            TokenKind::Equals => "Between the name and the value of a property stands a colon, not \"=\".",
            TokenKind::Invalid(foreign) => return self.foreign(id, foreign, token.span, token.span),
            TokenKind::End => {
                self.ended = true;
                "The text ends where a colon and a value must follow."
            }
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::CloseBracket
            | TokenKind::Colon
            | TokenKind::String { .. }
            | TokenKind::Number
            | TokenKind::Keyword => "A colon must stand between the name of a property and its value.",
        };
        self.push(self.error(id, detail, token.span));
    }

    /// Reports `token` in place of a comma or a closing bracket, at `place`.
    pub(super) fn no_comma(&mut self, token: Token, place: Span, bracket: Bracket) {
        let (id, detail) = match (token.kind, bracket) {
            (TokenKind::Invalid(foreign), _) => {
                return self.foreign(ids::JSON_MISSING_COMMA, foreign, token.span, place);
            }
            (TokenKind::Colon, Bracket::Array) => (
                ids::JSON_COLON_IN_ARRAY,
                "The elements of an array have no names. Properties with names are written in braces.",
            ),
            (_, Bracket::Object) => {
                (ids::JSON_MISSING_COMMA, "A comma must stand between two properties of an object.")
            }
            (_, Bracket::Array) => {
                (ids::JSON_MISSING_COMMA, "A comma must stand between two elements of an array.")
            }
        };
        let missing =
            if id == ids::JSON_MISSING_COMMA { "a comma must stand before this" } else { "this colon" };
        self.push(self.elsewhere(self.error(id, detail, place), token.span, missing));
    }

    /// Adds to `diagnostic` a label at the place that it is about, if that is not its subject.
    fn elsewhere(&self, diagnostic: Diagnostic, span: Span, label: &str) -> Diagnostic {
        let subject = diagnostic.subject.as_ref().map(|subject| subject.span);
        if subject == Some(span) { diagnostic } else { diagnostic.label(span, label) }
    }

    pub(super) fn trailing_comma(&mut self, comma: Token, bracket: Bracket) {
        let (id, detail) = match bracket {
            Bracket::Object => (
                ids::JSON_TRAILING_COMMA_IN_OBJECT,
                "JSON allows no comma after the last property of an object. Remove it.",
            ),
            Bracket::Array => (
                ids::JSON_TRAILING_COMMA_IN_ARRAY,
                "JSON allows no comma after the last element of an array. Remove it.",
            ),
        };
        self.push(self.error(id, detail, comma.span));
    }

    /// Reports that the text ends inside of brackets. Only the innermost brackets are reported.
    pub(super) fn unclosed(&mut self, open: Span, bracket: Bracket) {
        self.count += 1;
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let detail = match bracket {
            Bracket::Object => "The text ends before a closing brace for this object.",
            Bracket::Array => "The text ends before a closing bracket for this array.",
        };
        self.push(self.error(ids::JSON_UNCLOSED, detail, open));
    }

    /// Reports that `token` of the other kind closes the brackets that begin at `open`, at `place`.
    pub(super) fn mismatch(&mut self, token: Token, place: Span, open: Option<Span>, bracket: Bracket) {
        let (id, detail) = match bracket {
            Bracket::Object => {
                (ids::JSON_MISMATCHED_BRACES, "An object is closed with \"}\", but here is a \"]\".")
            }
            Bracket::Array => {
                (ids::JSON_MISMATCHED_BRACKETS, "An array is closed with \"]\", but here is a \"}\".")
            }
        };
        let mut diagnostic = self.elsewhere(self.error(id, detail, place), token.span, "this does not match");
        if let Some(open) = open {
            diagnostic = diagnostic.label(open, "it starts here");
        }
        self.push(diagnostic);
    }

    /// Reports that the byte at `offset` makes an escape of the string at `span` invalid.
    pub(super) fn escape(&mut self, span: Span, offset: usize) {
        let detail = "This string contains an invalid escape sequence. Its escapes are \\\", \\\\, \\/, \\b, \\f, \
                      \\n, \\r, \\t and \\u with four hexadecimal digits. A backslash itself is written \\\\.";
        let wrong = span.start + u32::try_from(offset).unwrap_or(0);
        let backslash = self.source.slice(Span::new(span.start, wrong)).rfind('\\').unwrap_or(0);
        let start = span.start + u32::try_from(backslash).unwrap_or(0);
        let escape = Span::new(start, self.character_end(wrong).min(span.end));
        let diagnostic =
            self.error(ids::JSON_INVALID_STRING, detail, self.reported(span, wrong)).within(span);
        self.push(diagnostic.label(escape, "this escape"));
    }

    pub(super) fn unclosed_string(&mut self, span: Span) {
        let detail = "The string has no closing quote on its line. A line break in a string is written \\n, a quote \
                      \\\".";
        let end = self.reported(span, span.end);
        let opening = Span::new(span.start, span.start + 1);
        let diagnostic = self.error(ids::JSON_INVALID_STRING, detail, end).within(span);
        self.push(diagnostic.label(opening, "the string starts here"));
    }

    /// Returns the place at which the reference reports that the byte at `offset` of the file makes the string at `span`
    /// invalid: the character behind the byte. For the end of the string, it is the end itself.
    fn reported(&self, span: Span, offset: u32) -> Span {
        let start = if offset < span.end { self.character_end(offset) } else { offset };
        Span::new(start, self.character_end(start))
    }

    /// Returns the end of the character at `offset` of the file.
    fn character_end(&self, offset: u32) -> u32 {
        let character = self.source.text().get(offset as usize..).and_then(|rest| rest.chars().next());
        offset + character.map_or(0, |character| u32::try_from(character.len_utf8()).unwrap_or(0))
    }

    pub(super) fn number(&mut self, span: Span, text: &str) {
        let unsigned = text.trim_start_matches(['-', '+']);
        let leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
        let detail = if text.starts_with('+') {
            "A JSON number has no plus sign. Remove it."
        } else if leading_zero && unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
            "A JSON number has no leading zeros. Write it in quotes if they matter."
        } else if unsigned.starts_with('.') || unsigned.ends_with('.') {
            "A JSON number has digits before and after its decimal point."
        } else {
            "A number is written with digits, at most one dot between them, and perhaps an exponent such as e10."
        };
        self.push(self.error(ids::JSON_INVALID_NUMBER, detail, span));
    }

    pub(super) fn keyword(&mut self, span: Span, word: &str) {
        let hint = match word.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "ture" => Some("Did you mean true?"),
            "false" | "no" | "off" | "flase" => Some("Did you mean false?"),
            "null" | "none" | "nil" | "undefined" => Some("Did you mean null?"),
            "nan" | "inf" | "infinity" => None,
            _ => Some("An expression is written in a string: \"${var.name}\"."),
        };
        let detail = "Outside of strings, JSON has only the words true, false and null.";
        let mut diagnostic = self.error(ids::JSON_INVALID_KEYWORD, detail, span);
        diagnostic.hints.extend(hint.map(str::to_owned));
        self.push(diagnostic);
    }

    /// Reports text at `span` behind the value of the file, unless there was an earlier error.
    pub(super) fn extra(&mut self, span: Span) {
        if self.count == 0 {
            let detail = "A JSON file contains one value, but other text follows it. Write several objects as an array.";
            self.push(self.error(ids::JSON_EXTRA, detail, span));
        }
    }

    pub(super) fn root(&mut self, span: Span) {
        let detail = "A configuration file is an object, or an array of objects.";
        self.push(self.error(ids::JSON_ROOT, detail, span));
    }
}
