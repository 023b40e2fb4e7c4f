//! Diagnostics about variable files without the secrets in the text.

use terrane_source::{Diagnostic, SourceFile, Subject};

/// The diagnostic without the text of the file, in which a sensitive value stands; `origin` names the file.
pub fn without_text(mut diagnostic: Diagnostic, origin: &str) -> Diagnostic {
    if let Some(subject) = diagnostic.subject.take() {
        let place = subject.file.lines().line_column(subject.file.text(), subject.span.start);
        diagnostic.detail = format!(
            "{} (In {origin}, line {}; the text is not shown, because the value is sensitive.)",
            diagnostic.detail, place.line
        );
    }
    diagnostic.labels.clear();
    diagnostic.fixes.clear();
    diagnostic.values.clear();
    diagnostic
}

/// The place of a name in a copy of its file in which everything else is blank, so that no excerpt shows a value. Lines and
/// columns stay.
pub(super) fn alone(place: &Subject) -> Subject {
    let (text, name) = (place.file.text(), place.span.range());
    let blank = |(at, character): (usize, char)| match character {
        '\n' | '\r' => character.to_string(),
        _ if name.contains(&at) => character.to_string(),
        // A blank of as many bytes.
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
