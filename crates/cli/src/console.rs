//! `terrane console`.

use std::io::{self, BufRead, IsTerminal};

use terrane::OsFiles;
use terrane::source::{FileId, SourceFile};
use terrane::syntax::{LexMode, TokenKind, lex};
use terrane::value::display;

use crate::FAILURE;
use crate::args::Console;
use crate::terminal::{Terminal, project};

const HELP: &str = "\
Type an expression to see its value, such as length(var.zones) or module.subnets.
It may go on over several lines while a bracket is open, or behind a backslash.
Type exit, or end the input, to leave.
";

pub(crate) fn run(console: &Console, terminal: &mut Terminal) -> io::Result<u8> {
    let files = OsFiles;
    let report = project(&console.dir, &console.inputs).evaluate(&files);
    terminal.diagnostics(report.diagnostics())?;
    if report.has_errors() {
        return Ok(FAILURE);
    }
    let interactive = io::stdin().is_terminal();
    let mut pending = Pending::default();
    let mut lines = io::stdin().lock().lines();
    loop {
        if interactive {
            terminal.prompt(pending.is_open())?;
        }
        let line = lines.next().transpose()?;
        let is_end = line.is_none();
        let Some(input) = pending.add(line.as_deref()) else {
            if is_end {
                return Ok(0);
            }
            continue;
        };
        match input.trim() {
            "exit" => return Ok(0),
            "help" => terminal.result(HELP)?,
            "" => terminal.result("\n")?,
            _ => {
                let (value, diagnostics) = report.expression(&input, &files);
                terminal.diagnostics(&diagnostics)?;
                if !diagnostics.has_errors() {
                    terminal.result(&format!("{}\n", display::console(&value)))?;
                } else if !interactive {
                    return Ok(FAILURE);
                }
            }
        }
        if is_end {
            return Ok(0);
        }
    }
}

/// Lines that make up one expression, as long as it is not complete.
#[derive(Default)]
struct Pending {
    lines: Vec<String>,
    braces: i64,
    brackets: i64,
    parens: i64,
    /// Whether the last line ended in a backslash.
    continues: bool,
}

impl Pending {
    fn is_open(&self) -> bool {
        let counts = [self.braces, self.brackets, self.parens];
        counts.iter().all(|count| *count >= 0) && (self.continues || counts.iter().any(|count| *count > 0))
    }

    /// Adds a line, or the end of the input. Returns the expression once it is complete, or can only become
    /// more wrong.
    fn add(&mut self, line: Option<&str>) -> Option<String> {
        let Some(line) = line else {
            return (!self.lines.is_empty()).then(|| std::mem::take(self).lines.join("\n"));
        };
        let line = line.trim();
        self.continues = line.ends_with('\\') && !line.ends_with("\\\\");
        let line = line.strip_suffix('\\').unwrap_or(line);
        if !line.is_empty() {
            self.count(line);
            self.lines.push(line.to_owned());
        }
        (!self.is_open()).then(|| std::mem::take(self).lines.join("\n"))
    }

    fn count(&mut self, line: &str) {
        let source = SourceFile::new(FileId::new("<console>"), line);
        for token in lex(&source, LexMode::Normal).tokens {
            let kind = token.kind();
            let count = |open, close| i64::from(kind == open) - i64::from(kind == close);
            self.braces += count(TokenKind::OpenBrace, TokenKind::CloseBrace);
            self.brackets += count(TokenKind::OpenBracket, TokenKind::CloseBracket);
            self.parens += count(TokenKind::OpenParen, TokenKind::CloseParen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expressions in `text`.
    fn expressions(text: &str) -> Vec<String> {
        let mut pending = Pending::default();
        let mut found: Vec<String> = text.lines().filter_map(|line| pending.add(Some(line))).collect();
        found.extend(pending.add(None));
        found
    }

    #[test]
    fn a_line_is_an_expression_unless_a_bracket_is_open() {
        assert_eq!(expressions("1\n[1,\n  2]\n3"), ["1", "[1,\n2]", "3"]);
        assert_eq!(expressions("{ a = (\n1) }"), ["{ a = (\n1) }"]);
        assert_eq!(expressions("\"[\"\n\"${1}(\""), ["\"[\"", "\"${1}(\""]);
        assert_eq!(expressions(")\n1"), [")", "1"]);
        assert_eq!(expressions("1 + \\\n2\n"), ["1 + \n2"]);
        assert_eq!(expressions("1\n\n2"), ["1", "", "2"]);
    }

    #[test]
    fn an_open_bracket_at_the_end_of_the_input_is_still_evaluated() {
        assert_eq!(expressions("[1,\n2"), ["[1,\n2"]);
        assert_eq!(expressions("1 \\"), ["1 "]);
    }
}
