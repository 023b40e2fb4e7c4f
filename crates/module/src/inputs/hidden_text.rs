//! Removes secrets from diagnostics about variable files.

use terrane_source::{Diagnostic, SourceFile, Span, Subject};
use terrane_syntax::is_part_of_name;

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

/// Whether the text at a mistake in a variable file is a part of values of variables for which `is_plain` returns true. A value
/// whose name is misspelt or missing may be that of any variable.
pub fn is_about_values(diagnostic: &Diagnostic, is_plain: &dyn Fn(&str) -> bool) -> bool {
    let labels = diagnostic.labels.iter().map(|label| &label.place);
    let is_in_value = |Subject { file, span }: &Subject| {
        let last = span.end.saturating_sub(1).max(span.start);
        let [start, end] = [span.start, last].map(|at| named_before(file.text(), at as usize));
        start == end && start.is_some_and(is_plain)
    };
    diagnostic.subject.iter().chain(labels).all(is_in_value)
}

/// Returns the name of the variable whose value a place in a variable file belongs to: its line begins with the name, or an earlier
/// line does and ends with an open bracket, and the lines between are indented.
fn named_before(text: &str, at: usize) -> Option<&str> {
    /// Limit on the lines of a value.
    const MOST_LINES: usize = 1000;
    let end = text.bytes().skip(at).position(|byte| byte == b'\n').map_or(text.len(), |end| at + end);
    let mut lines = text.get(..end)?.rsplit('\n').take(MOST_LINES);
    let own = lines.next()?;
    if name_of(own).is_some() || !is_within(own) {
        return name_of(own);
    }
    let first = lines.find(|line| !is_within(line))?;
    name_of(first).filter(|_| first.trim_end().ends_with(['[', '{', '(']))
}

/// Returns the name at the start of a line, in front of `=` or `:`.
fn name_of(line: &str) -> Option<&str> {
    let quoted = line.trim_start().strip_prefix('"');
    // A name that is not quoted begins the line, because values of several lines have names, too.
    let from = quoted.unwrap_or(line);
    let end = from.find(|found: char| !is_part_of_name(found))?;
    let (name, behind) = from.split_at_checked(end)?;
    let behind = behind.strip_prefix('"').filter(|_| quoted.is_some()).unwrap_or(behind);
    (!name.is_empty() && behind.trim_start().starts_with(['=', ':'])).then_some(name)
}

/// Whether a line continues the value above it.
fn is_within(line: &str) -> bool {
    line.starts_with([' ', '\t', ']', '}', ')'])
}

/// The place of a value, which may be secret.
pub(crate) struct ValuePlace {
    subject: Subject,
    /// The name before the value. If it is set, an excerpt shows nothing else.
    alone: Option<Span>,
}

impl ValuePlace {
    /// Returns the place of a value that may be shown.
    pub(crate) fn open(subject: Subject) -> ValuePlace {
        ValuePlace { subject, alone: None }
    }

    /// Returns the place of a value that must not be shown, behind the name at `name`.
    pub(crate) fn hidden(subject: Subject, name: Span) -> ValuePlace {
        ValuePlace { subject, alone: Some(name) }
    }

    /// Returns the place for a diagnostic.
    pub(crate) fn subject(&self) -> Subject {
        self.alone.map_or_else(|| self.subject.clone(), |name| blank_but(&self.subject, name))
    }
}

/// Returns the place of a name in a copy of its file in which all other text is blank, so that no excerpt shows a value.
pub(super) fn alone(place: &Subject) -> Subject {
    blank_but(place, place.span)
}

/// Returns a place in a copy of its file in which all text but `name` is blank. Lines and columns stay the same.
fn blank_but(place: &Subject, name: Span) -> Subject {
    let (text, name) = (place.file.text(), name.range());
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
    use terrane_source::FileId;

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

    #[test]
    fn a_hidden_value_is_not_in_the_text_of_its_place() {
        let file = SourceFile::new(FileId::new("main.tf"), "module \"m\" {\n  a = sensitive(\"z\")\n}\n");
        let (name, value) = (Span::new(15, 16), Span::new(19, 33));
        let subject = Subject { file, span: value };
        let place = ValuePlace::hidden(subject.clone(), name).subject();
        assert_eq!((place.file.text().trim(), place.span), ("a", value));
        assert_eq!(ValuePlace::open(subject).subject().file.slice(value), "sensitive(\"z\")");
    }

    #[test]
    fn the_text_of_a_variable_file_belongs_to_the_name_before_it() {
        fn name(text: &str) -> Option<&str> {
            named_before(text, text.find('!').unwrap())
        }
        assert_eq!(name("a = 1\nb = !"), Some("b"));
        assert_eq!(name("a = [\n  1\n  2!\n]"), Some("a"));
        assert_eq!(name("{\n  \"a\": !\n}"), Some("a"));
        for text in ["a = 1\n!", "a = 1\n  !\n", "\"!\"", " = !", "a = <<E\n  !\nE\n", "a !"] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
