//! Annotations of GitHub Actions.

use std::path::{Path, PathBuf};

use terrane_source::{Diagnostic, Severity};

use crate::line_range::line_range;
use crate::message::message;
use crate::visible::visible_line;

/// Returns `diagnostic` as a command of GitHub Actions that puts the message beside the line of source, without a line break at
/// the end: `::error file=main.tf,line=1,endLine=1,col=5,endColumn=9,title=Title [core:id]::Details.`
///
/// Columns count UTF-16 code units from 1; the end column is one behind the last character. Columns are left out if the place
/// has several lines, because GitHub ignores them there.
///
/// `from_root` returns the path of a file from the root of the repository, by which GitHub finds it.
pub fn github(diagnostic: &Diagnostic, from_root: &dyn Fn(&Path) -> PathBuf) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(subject) = &diagnostic.subject {
        let place = line_range(&subject.file, subject.span);
        let path = from_root(subject.file.id().path()).display().to_string().replace('\\', "/");
        properties.push(("file", visible_line(&path)));
        properties.push(("line", place.line.to_string()));
        properties.push(("endLine", place.end_line.to_string()));
        if place.line == place.end_line {
            properties.push(("col", place.column.to_string()));
            properties.push(("endColumn", place.end_column.to_string()));
        }
    }
    let title = format!("{} [{}]", visible_line(diagnostic.title()), diagnostic.id.as_str());
    properties.push(("title", title));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escape_property(value))).collect();
    let mut text = message(diagnostic);
    if let Some(address) = &diagnostic.address {
        text.push_str(&format!("\nin {}", visible_line(address)));
    }
    format!("::{command} {}::{}", properties.join(","), escape(&text))
}

/// Escapes the characters that end a command.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the characters that end a command or a property.
fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile, Span, ids};

    use super::*;

    #[test]
    fn a_note_is_a_notice() {
        let id = terrane_source::DiagnosticId::new("lint:a", "A", "It is a.").unwrap();
        let note = Diagnostic::note(id, "Remove it.");
        assert_eq!(github(&note, &|path| path.to_owned()), "::notice title=A [lint%3Aa]::Remove it.");
    }

    #[test]
    fn a_place_on_one_line_has_columns() {
        let file = SourceFile::new(FileId::new("a/main.tf"), "x = 1\n\"😀\" = nope\n");
        let start = u32::try_from(file.text().find("nope").unwrap()).unwrap();
        let warning = Diagnostic::warning(ids::UNKNOWN_VARIABLE, "There is no \"nope\".")
            .at(&file, Span::new(start, start + 4))
            .hint("Did you mean \"rope\"?")
            .value("var.a is 100%");
        assert_eq!(
            github(&warning, &Path::to_owned),
            "::warning file=a/main.tf,line=2,endLine=2,col=8,endColumn=12,title=Unknown variable \
             [core%3Aunknown-variable]::There is no \"nope\". Did you mean \"rope\"?%0Avar.a is 100%25"
        );
    }

    #[test]
    fn the_object_stands_below_the_values() {
        let error = Diagnostic::error(ids::UNKNOWN_VARIABLE, "It is wrong.").value("count.index is 0");
        let error = Diagnostic { address: Some("a_b.c[\"x\"]".to_owned()), ..error };
        let command = github(&error, &Path::to_owned);
        assert!(command.ends_with("::It is wrong.%0Acount.index is 0%0Ain a_b.c[\"x\"]"), "{command}");
    }

    #[test]
    fn a_place_on_several_lines_has_none() {
        let file = SourceFile::new(FileId::new("main.tf"), "a = [\n1\n");
        let error = Diagnostic::error(ids::UNTERMINATED_TUPLE, "").at(&file, Span::new(4, 8));
        let command = github(&error, &Path::to_owned);
        assert!(command.starts_with("::error file=main.tf,line=1,endLine=2,title="), "{command}");
    }

    #[test]
    fn nothing_in_a_message_ends_the_command() {
        let file = SourceFile::new(FileId::new("a,b:c%\nd.tf"), "");
        let detail = "100%\r\n::add-mask::x\u{1b}[2J";
        let error = Diagnostic::error(ids::UNREADABLE_FILE, detail).at(&file, Span::empty(0));
        assert_eq!(
            github(&error, &Path::to_owned),
            "::error file=a%2Cb%3Ac%25 d.tf,line=1,endLine=1,col=1,endColumn=1,title=Failed to read file \
             [core%3Aunreadable-file]::100%25␍%0A::add-mask::x␛[2J"
        );
        let nowhere = Diagnostic::error(ids::UNREADABLE_FILE, "No file.");
        assert_eq!(
            github(&nowhere, &Path::to_owned),
            "::error title=Failed to read file [core%3Aunreadable-file]::No file."
        );
    }
}
