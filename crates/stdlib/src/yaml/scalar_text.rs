//! Scans the characters of YAML scalars: plain, quoted and block.

use super::token::{Scanner, Style, Token, is_blank, is_break, is_end};

/// White space and line breaks between the words of a scalar.
#[derive(Default)]
struct Gap {
    /// White space before the first line break.
    blanks: String,
    /// The first line break.
    first: String,
    /// The line breaks after the first one.
    further: String,
    broken: bool,
}

impl Gap {
    /// Appends the folded gap to `text`: a single line break becomes a space, and further line breaks stay.
    fn fold(self, text: &mut String) {
        if !self.broken {
            text.push_str(&self.blanks);
        } else if !self.first.starts_with('\n') {
            text.push_str(&self.first);
            text.push_str(&self.further);
        } else if self.further.is_empty() {
            text.push(' ');
        } else {
            text.push_str(&self.further);
        }
    }
}

impl Scanner<'_> {
    pub(super) fn plain_scalar(&mut self) -> Result<Token, String> {
        let indent = self.indent + 1;
        let mut text = String::new();
        let mut gap = Gap::default();
        loop {
            if self.document_marker().is_some() || self.at(0) == '#' {
                break;
            }
            while !is_end(self.at(0)) {
                let ends_key = self.at(0) == ':' && is_end(self.at(1));
                if ends_key || (self.in_flow() && ",?[]{}".contains(self.at(0))) {
                    break;
                }
                std::mem::take(&mut gap).fold(&mut text);
                text.push(self.skip());
            }
            if !is_blank(self.at(0)) && !is_break(self.at(0)) {
                break;
            }
            while is_blank(self.at(0)) || is_break(self.at(0)) {
                let behind_indent = isize::try_from(self.column).is_ok_and(|column| column >= indent);
                if gap.broken && self.at(0) == '\t' && !behind_indent {
                    return self.error("a tab cannot be indentation");
                }
                self.skip_gap(&mut gap);
            }
            if !self.in_flow() && isize::try_from(self.column).is_ok_and(|column| column < indent) {
                break;
            }
        }
        if gap.broken {
            self.key_allowed = true;
        }
        Ok(Token::Scalar { text, style: Style::Plain })
    }

    fn skip_gap(&mut self, gap: &mut Gap) {
        if is_blank(self.at(0)) {
            let blank = self.skip();
            if !gap.broken {
                gap.blanks.push(blank);
            }
        } else if gap.broken {
            self.skip_break(&mut gap.further);
        } else {
            self.skip_break(&mut gap.first);
            gap.broken = true;
        }
    }

    pub(super) fn quoted_scalar(&mut self) -> Result<Token, String> {
        let quote = self.skip();
        let mut text = String::new();
        loop {
            if self.document_marker().is_some() || self.at(0) == '\0' {
                return self.error("a quoted text is not closed");
            }
            let mut gap = Gap::default();
            while !is_end(self.at(0)) {
                if self.at(0) == quote {
                    if quote == '"' || self.at(1) != '\'' {
                        break;
                    }
                    self.skip();
                    text.push(self.skip());
                } else if quote == '"' && self.at(0) == '\\' {
                    self.skip();
                    if is_break(self.at(0)) {
                        // An escaped line break is removed, and the text after it begins like a new line.
                        self.skip_break(&mut String::new());
                        gap.broken = true;
                        break;
                    }
                    text.push(self.escape()?);
                } else {
                    text.push(self.skip());
                }
            }
            if self.at(0) == quote {
                break;
            }
            while is_blank(self.at(0)) || is_break(self.at(0)) {
                self.skip_gap(&mut gap);
            }
            gap.fold(&mut text);
        }
        self.skip();
        let style = if quote == '"' { Style::DoubleQuoted } else { Style::SingleQuoted };
        Ok(Token::Scalar { text, style })
    }

    fn escape(&mut self) -> Result<char, String> {
        let digits = match self.skip() {
            '0' => return Ok('\0'),
            'a' => return Ok('\u{7}'),
            'b' => return Ok('\u{8}'),
            't' | '\t' => return Ok('\t'),
            'n' => return Ok('\n'),
            'v' => return Ok('\u{b}'),
            'f' => return Ok('\u{c}'),
            'r' => return Ok('\r'),
            'e' => return Ok('\u{1b}'),
            'N' => return Ok('\u{85}'),
            '_' => return Ok('\u{a0}'),
            'L' => return Ok('\u{2028}'),
            'P' => return Ok('\u{2029}'),
            literal @ (' ' | '"' | '\'' | '\\') => return Ok(literal),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => return self.error("there is no such escape"),
        };
        let code = (0..digits)
            .try_fold(0_u32, |code, _| code.checked_mul(16)?.checked_add(self.skip().to_digit(16)?));
        match code.and_then(char::from_u32) {
            Some(character) => Ok(character),
            None => self.error("an escape is not a valid character"),
        }
    }

    pub(super) fn block_scalar(&mut self) -> Result<Token, String> {
        let literal = self.skip() == '|';
        let (keep, mut indent) = self.block_header()?;
        let mut text = String::new();
        let mut last_break = String::new();
        let mut breaks = String::new();
        let mut after_blank = false;
        self.block_breaks(&mut indent, &mut breaks)?;
        while Some(self.column) == indent && self.at(0) != '\0' {
            let blank = is_blank(self.at(0));
            if !literal && !after_blank && !blank && last_break.starts_with('\n') {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(&last_break);
            }
            last_break.clear();
            text.push_str(&std::mem::take(&mut breaks));
            after_blank = blank;
            text.push_str(&self.skip_while(|character| !is_break(character)));
            self.skip_break(&mut last_break);
            self.block_breaks(&mut indent, &mut breaks)?;
        }
        if keep != Some(false) {
            text.push_str(&last_break);
        }
        if keep == Some(true) {
            text.push_str(&breaks);
        }
        Ok(Token::Scalar { text, style: if literal { Style::Literal } else { Style::Folded } })
    }

    /// Parses the header of a block scalar: whether it keeps all final line breaks (`+`), none (`-`) or one, and its explicit
    /// indentation, if any.
    fn block_header(&mut self) -> Result<(Option<bool>, Option<usize>), String> {
        let mut keep = None;
        let mut indent = None;
        loop {
            match self.at(0) {
                '+' | '-' if keep.is_none() => keep = Some(self.at(0) == '+'),
                digit @ '1'..='9' if indent.is_none() => {
                    let outer = usize::try_from(self.indent).unwrap_or(0);
                    indent = digit
                        .to_digit(10)
                        .and_then(|digit| usize::try_from(digit).ok())
                        .map(|digit| outer + digit);
                }
                _ => break,
            }
            self.skip();
        }
        self.skip_while(is_blank);
        if self.at(0) == '#' {
            self.skip_while(|character| !is_break(character));
        }
        if self.at(0) != '\0' && !is_break(self.at(0)) {
            return self.error("no text may follow the indicator of a block scalar");
        }
        self.skip_break(&mut String::new());
        Ok((keep, indent))
    }

    /// Skips empty lines and indentation, and detects the indentation if it is not explicit.
    fn block_breaks(&mut self, indent: &mut Option<usize>, breaks: &mut String) -> Result<(), String> {
        let mut deepest = 0;
        loop {
            let indented = |column: usize| indent.is_some_and(|indent| column >= indent);
            while self.at(0) == ' ' && !indented(self.column) {
                self.skip();
            }
            deepest = deepest.max(self.column);
            if self.at(0) == '\t' && !indented(self.column) {
                return self.error("a tab cannot be indentation");
            }
            if !is_break(self.at(0)) {
                break;
            }
            self.skip_break(breaks);
        }
        let least = usize::try_from(self.indent + 1).unwrap_or(0).max(1);
        indent.get_or_insert(deepest.max(least));
        Ok(())
    }
}
