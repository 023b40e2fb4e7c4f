//! Removes secrets from diagnostics about variable files.

use terrane_source::{Diagnostic, SourceFile, Subject};

/// Reduces a diagnostic about text with a sensitive value to its kind and line, because words of the message may be
/// parts of the value. `origin` names the file or option.
pub fn without_text(diagnostic: Diagnostic, origin: &str) -> Diagnostic {
    let Diagnostic { severity, id, subject, omitted, .. } = diagnostic;
    let line = subject.map(|Subject { file, span }| file.lines().line_column(file.text(), span.start).line);
    let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
    let detail = format!(
        "There is a mistake in {origin}{line}. Neither the text nor the words at fault are shown, because a value is sensitive."
    );
    Diagnostic { severity, omitted, ..Diagnostic::error(id, detail) }
}

/// Returns the place of a name in a copy of its file in which all other text is blank, so that no excerpt shows a
/// value. Lines and columns stay the same.
pub(super) fn alone(place: &Subject) -> Subject {
    let (text, name) = (place.file.text(), place.span.range());
    let blank = |(at, character): (usize, char)| match character {
        '\n' | '\r' => character.to_string(),
        _ if name.contains(&at) => character.to_string(),
        // Blanks with the same number of bytes keep the spans.
        _ => match character.len_utf8() {
            2 => "\u{a0}".to_owned(),
            3 => "\u{3000}".to_owned(),
            bytes => " ".repeat(bytes),
        },
    };
    let blanked: String = text.char_indices().map(blank).collect();
    Subject { file: SourceFile::new(place.file.id().clone(), blanked), span: place.span }
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, Span};

    use super::*;

    #[test]
    fn a_name_keeps_its_place_without_the_other_text() {
        let text = "a = \"é€😀\"\r\nname = \"secret\" # note\n";
        let start = text.find("name").unwrap() as u32;
        let file = SourceFile::new(FileId::new("a.tfvars"), text);
        let place = alone(&Subject { file, span: Span::new(start, start + 4) });
        assert_eq!(place.file.slice(place.span), "name");
        assert_eq!(place.file.text().split_whitespace().collect::<String>(), "name");
        assert_eq!(place.file.text().len(), text.len());
        let position = place.file.lines().line_column(place.file.text(), start);
        assert_eq!((position.line, position.column), (2, 1));
    }
}
