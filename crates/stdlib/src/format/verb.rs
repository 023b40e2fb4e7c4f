//! Parses the verbs of a template.

use std::fmt;

use terrane_function::FunctionError;

/// A part of a template.
pub(super) enum FormatPiece<'t> {
    /// Literal text.
    Text(&'t str),
    /// A verb that an argument replaces.
    Verb(Verb<'t>),
}

/// A verb: `%`, flags, width, precision, the number of an argument, and a letter.
#[derive(Debug, Default)]
pub(super) struct Verb<'t> {
    pub(super) letter: char,
    pub(super) sharp: bool,
    pub(super) zero: bool,
    pub(super) minus: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
    /// The index of the argument, if the verb names an argument by its number.
    pub(super) argument: Option<usize>,
    raw: &'t str,
    offset: usize,
}

impl fmt::Display for Verb<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" at offset {}", self.raw, self.offset)
    }
}

/// Iterates over the pieces of `template` in order, up to the first error.
pub(super) fn pieces(template: &str) -> impl Iterator<Item = Result<FormatPiece<'_>, FunctionError>> {
    let mut scanner = VerbScanner { template, position: 0 };
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed || scanner.rest().is_empty() {
            return None;
        }
        let piece = scanner.piece();
        failed = piece.is_err();
        Some(piece)
    })
}

struct VerbScanner<'t> {
    template: &'t str,
    position: usize,
}

impl<'t> VerbScanner<'t> {
    fn rest(&self) -> &'t str {
        self.template.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    fn piece(&mut self) -> Result<FormatPiece<'t>, FunctionError> {
        let rest = self.rest();
        if rest.starts_with("%%") {
            self.position += 2;
            return Ok(FormatPiece::Text("%"));
        }
        let literal = rest.find('%').unwrap_or(rest.len());
        if literal > 0 {
            self.position += literal;
            return Ok(FormatPiece::Text(rest.get(..literal).unwrap_or_default()));
        }
        self.verb().map(FormatPiece::Verb)
    }

    fn verb(&mut self) -> Result<Verb<'t>, FunctionError> {
        let mut verb = Verb { offset: self.position, ..Verb::default() };
        self.take('%');
        loop {
            match self.peek() {
                Some('#') => verb.sharp = true,
                Some('0') => verb.zero = true,
                Some('-') => verb.minus = true,
                Some('+') => verb.plus = true,
                Some(' ') => verb.space = true,
                Some(_) | None => break,
            }
            self.position += 1;
        }
        verb.width = self.number();
        if self.take('.') {
            verb.precision = Some(self.number().unwrap_or(0));
        }
        if self.take('[') {
            let number = if self.peek() == Some('0') { None } else { self.number() };
            verb.argument = Some(number.ok_or_else(|| self.unexpected())? - 1);
            if !self.take(']') {
                return Err(self.unexpected());
            }
        }
        match self.peek() {
            Some(letter) if letter.is_ascii_alphabetic() => {
                self.position += 1;
                verb.letter = letter;
                verb.raw = self.template.get(verb.offset..self.position).unwrap_or_default();
                Ok(verb)
            }
            Some(_) | None => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Option<usize> {
        let rest = self.rest();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.position += digits;
        let text = rest.get(..digits).filter(|text| !text.is_empty())?;
        Some(text.parse().unwrap_or(usize::MAX))
    }

    fn unexpected(&self) -> FunctionError {
        let position = self.position;
        FunctionError::new(match self.peek() {
            Some(character) => format!("there must not be {character:?} at offset {position} of the text"),
            None => "the format ends within a verb; write %% for a percent sign".to_owned(),
        })
    }
}
