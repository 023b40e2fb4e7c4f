//! Collects lines of the console until they form one input.

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{LexMode, TokenKind, lex};

/// Collects lines until they form one input of the console. An input continues while a bracket or a heredoc is open, and after
/// a line that ends in a backslash.
///
/// ```
/// use terrane::InputLines;
///
/// let mut lines = InputLines::default();
/// assert_eq!(lines.add("[1,"), None);
/// assert_eq!(lines.add("  2]").as_deref(), Some("[1,\n2]"));
/// ```
#[derive(Clone, Default, Debug)]
pub struct InputLines {
    lines: Vec<String>,
    braces: i64,
    brackets: i64,
    parens: i64,
    /// Whether the last line ended in a backslash.
    continues: bool,
    /// The marker of the open heredoc.
    heredoc: Option<String>,
    /// Whether the last line is the marker at the end of a heredoc.
    ends_heredoc: bool,
}

impl InputLines {
    /// Whether more lines are needed.
    pub fn is_open(&self) -> bool {
        let counts = [self.braces, self.brackets, self.parens];
        let complete = counts.iter().all(|count| *count == 0) || counts.iter().any(|count| *count < 0);
        self.continues || self.heredoc.is_some() || !complete
    }

    /// Adds a line. Returns the input once it is complete, or once no further line can complete it.
    pub fn add(&mut self, line: &str) -> Option<String> {
        match &self.heredoc {
            Some(marker) => {
                self.ends_heredoc = line.trim() == marker;
                if self.ends_heredoc {
                    self.heredoc = None;
                }
                self.lines.push(line.to_owned());
            }
            None => self.add_code(line.trim()),
        }
        (!self.is_open()).then(|| std::mem::take(self).text())
    }

    /// Returns the unfinished input at the end of all lines, if there is one. Evaluated as an expression, it is an error.
    pub fn finish(self) -> Option<String> {
        self.is_open().then(|| self.text())
    }

    fn text(self) -> String {
        let mut text = self.lines.join("\n");
        if self.ends_heredoc {
            // The marker must end its line.
            text.push('\n');
        }
        text
    }

    fn add_code(&mut self, line: &str) {
        self.continues = line.ends_with('\\') && !line.ends_with("\\\\");
        let line = line.strip_suffix('\\').unwrap_or(line);
        if line.is_empty() {
            return;
        }
        self.ends_heredoc = false;
        let source = SourceFile::new(FileId::new("<console>"), format!("{line}\n"));
        for token in lex(&source, LexMode::Normal).tokens {
            let kind = token.kind();
            let count = |open, close| i64::from(kind == open) - i64::from(kind == close);
            self.braces += count(TokenKind::OpenBrace, TokenKind::CloseBrace);
            self.brackets += count(TokenKind::OpenBracket, TokenKind::CloseBracket);
            self.parens += count(TokenKind::OpenParen, TokenKind::CloseParen);
            if kind == TokenKind::OpenHeredoc {
                let marker =
                    source.slice(token.span()).trim_start_matches('<').trim_start_matches('-').trim();
                self.heredoc = Some(marker.to_owned());
            }
        }
        self.lines.push(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the inputs in `text`, and whether another input is unfinished.
    fn inputs(text: &str) -> (Vec<String>, bool) {
        let mut lines = InputLines::default();
        let found = text.lines().filter_map(|line| lines.add(line)).collect();
        (found, lines.is_open())
    }

    #[track_caller]
    fn check(text: &str, wanted: &[&str]) {
        assert_eq!(inputs(text), (wanted.iter().map(|text| (*text).to_owned()).collect(), false));
    }

    #[test]
    fn a_line_is_an_input_unless_a_bracket_is_open() {
        check("1\n[1,\n  2]\n3", &["1", "[1,\n2]", "3"]);
        check("{ a = (\n1) }", &["{ a = (\n1) }"]);
        check("\"[\"\n\"${1}(\"", &["\"[\"", "\"${1}(\""]);
        check(")\n1", &[")", "1"]);
        check("1 + \\\n2\n", &["1 + \n2"]);
        check("1\n\n2", &["1", "", "2"]);
        assert_eq!(inputs("[1,\n2"), (Vec::new(), true));
    }

    #[test]
    fn a_heredoc_goes_on_to_its_marker() {
        check("<<EOT\n  (a\n\nEOT\n1", &["<<EOT\n  (a\n\nEOT\n", "1"]);
        check("[upper(<<-E\n  [\n  E\n)]", &["[upper(<<-E\n  [\n  E\n)]"]);
    }
}
