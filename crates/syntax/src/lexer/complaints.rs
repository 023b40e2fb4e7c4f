use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, SourceFile, Span, ids};

/// More messages than this about one text help nobody.
pub(crate) const MAX_DIAGNOSTICS: usize = 1000;

/// The messages of the lexer, which does not repeat itself too often.
pub(super) struct Complaints<'a> {
    source: &'a Arc<SourceFile>,
    diagnostics: Vec<Diagnostic>,
    bitwise: u32,
    backticks: u32,
    apostrophes: u32,
    semicolons: u32,
}

impl<'a> Complaints<'a> {
    pub(super) fn new(source: &'a Arc<SourceFile>) -> Complaints<'a> {
        Complaints {
            source,
            diagnostics: Vec::new(),
            bitwise: 0,
            backticks: 0,
            apostrophes: 0,
            semicolons: 0,
        }
    }

    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    fn push(&mut self, id: DiagnosticId, detail: impl Into<String>, span: Span) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic::error(id, detail).at(self.source, span));
        }
    }

    pub(super) fn invalid_character(&mut self, text: &str, span: Span) {
        match text {
            "&" | "|" | "^" | "~" => self.bitwise_operator(text, span),
            "`" => {
                if alternates(&mut self.backticks) {
                    let detail = "Backticks do not enclose strings. For text of several lines, use a heredoc, \
                                  which starts with a marker such as <<EOT.";
                    self.push(ids::INVALID_CHARACTER, detail, span);
                }
            }
            "'" => {
                if alternates(&mut self.apostrophes) {
                    let detail = "Strings are enclosed in double quotes (\"), not in single ones.";
                    self.push(ids::INVALID_CHARACTER, detail, span);
                }
            }
            ";" => {
                self.semicolons += 1;
                if self.semicolons == 1 {
                    let detail = "Nothing is separated by semicolons: arguments and blocks stand on lines of \
                                  their own, and items of collections are separated by commas.";
                    self.push(ids::INVALID_CHARACTER, detail, span);
                }
            }
            "\u{201c}" | "\u{201d}" => {
                let detail = "Strings are enclosed in straight double quotes (\"). Curly ones often come from \
                              text that was copied out of a document.";
                self.push(ids::INVALID_CHARACTER, detail, span);
            }
            other => {
                let detail = format!("The character {other:?} has no meaning here. Remove it.");
                self.push(ids::INVALID_CHARACTER, detail, span);
            }
        }
    }

    fn bitwise_operator(&mut self, operator: &str, span: Span) {
        if self.bitwise == 4 {
            return;
        }
        self.bitwise += 1;
        let detail = "There are no operators on bits.";
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_OPERATOR, detail).at(self.source, span);
        self.diagnostics.push(match operator {
            "&" => diagnostic.hint("Did you mean the logical AND, \"&&\"?"),
            "|" => diagnostic.hint("Did you mean the logical OR, \"||\"?"),
            "~" => diagnostic.hint("Did you mean the logical NOT, \"!\"?"),
            _ => diagnostic,
        });
    }

    pub(super) fn multi_line_string(&mut self, span: Span) {
        let detail = "A quoted string must be closed on the line where it starts. Write a line break in it as \
                      \\n, or use a heredoc, which starts with a marker such as <<EOT.";
        self.push(ids::INVALID_MULTI_LINE_STRING, detail, span);
    }

    pub(super) fn lone_carriage_return(&mut self, span: Span) {
        let detail = "A carriage return may only stand before a line feed. Save the file with the line ends of \
                      one system.";
        self.push(ids::INVALID_CHARACTER, detail, span);
    }

    pub(super) fn too_long(&mut self, span: Span) {
        self.push(ids::TOKEN_TOO_LONG, "A name, number or heredoc marker must be shorter than 64 MiB.", span);
    }
}

/// Whether to report one of a pair of quotes: the first pair and the start of the second.
fn alternates(told: &mut u32) -> bool {
    let report = told.is_multiple_of(2);
    if *told <= 2 {
        *told += 1;
    }
    report
}
