//! Formats one file. A large file is formatted on all cores.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile};
use terrane_syntax::{FormatStyle, format_part, join_parts, parts_of};

use crate::search::parallel;
use crate::variable_text::hide_values;

/// The number of bytes for which another thread pays off: formatting them takes some milliseconds.
const PER_THREAD: usize = 256 << 10;

/// Returns the text of `source` in canonical layout, as [`terrane_syntax::format()`] returns it. The parts of a large text are
/// formatted on as many threads as there are cores.
///
/// ```
/// use terrane::source::{FileId, SourceFile};
/// use terrane::syntax::FormatStyle;
///
/// let source = SourceFile::new(FileId::new("main.tf"), "a=1\nlong=2\n");
/// assert_eq!(terrane::format(&source, FormatStyle::Terraform).unwrap(), "a    = 1\nlong = 2\n");
/// ```
///
/// # Errors
///
/// The syntax errors of the text, or an error if aligning its lines would need far more spaces than it has text.
pub fn format(source: &Arc<SourceFile>, style: FormatStyle) -> Result<String, Vec<Diagnostic>> {
    let threads = source.text().len() / PER_THREAD;
    // Counting the cores takes several system calls, more time than formatting a small file.
    let in_parts =
        if threads > 1 { format_in_parts(source, style, threads.min(parallel::cores())) } else { None };
    // A text that has errors or cannot be divided is formatted as a whole.
    let formatted = in_parts.map_or_else(|| terrane_syntax::format(source, style), Ok);
    if formatted.is_err() {
        hide_values(source);
    }
    formatted
}

fn format_in_parts(source: &SourceFile, style: FormatStyle, threads: usize) -> Option<String> {
    let parts = parts_of(source.text(), threads);
    if parts.len() < 2 {
        return None;
    }
    join_parts(parallel::each(&parts, |part| format_part(source.id(), part, style)))
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;

    fn source(text: &str) -> Arc<SourceFile> {
        SourceFile::new(FileId::new("main.tf"), text)
    }

    #[test]
    fn a_large_text_is_formatted_in_parts_as_in_one() {
        let block = "resource \"a\" \"b\" {\n  x = <<EOT\na\n\nb = {\nEOT\nname=\"${var.a}\" # c\n}\n\n";
        let source = source(&block.repeat(8_000));
        let whole = terrane_syntax::format(&source, FormatStyle::Terraform).unwrap();
        assert!(format(&source, FormatStyle::Terraform).unwrap() == whole);
        for threads in [2, 3, 8] {
            assert!(format_in_parts(&source, FormatStyle::Terraform, threads).as_ref() == Some(&whole));
        }
    }

    #[test]
    fn mistakes_have_their_places_in_the_whole_text() {
        let mut text = "a {\n}\n\n".repeat(100_000);
        text.push_str("b = \n");
        let errors = format(&source(&text), FormatStyle::Terraform).unwrap_err();
        assert!(errors[0].subject.as_ref().is_some_and(|subject| subject.span.start > 700_000));
    }
}
