//! Removes secrets from diagnostics about variable files.

use std::collections::HashSet;

use terrane_source::{Diagnostic, SourceFile, Span, Subject};
use terrane_syntax::line::opened_heredoc;
use terrane_syntax::{Syntax, is_part_of_name};

/// Reduces a diagnostic about text with a sensitive value to its kind and line, because words of the message may be
/// parts of the value. `origin` names the file or option.
pub(crate) fn without_text(diagnostic: Diagnostic, origin: &str) -> Diagnostic {
    let Diagnostic { severity, id, subject, omitted, .. } = diagnostic;
    let line = subject.map(|Subject { file, span }| file.line_column(span.start).line);
    let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
    let detail = format!(
        "There is a mistake in {origin}{line}. Neither the text nor the words at fault are shown, because a value is sensitive."
    );
    Diagnostic { severity, omitted, ..Diagnostic::error(id, detail) }
}

/// Reduces a diagnostic about text with a sensitive value of a file to its kind and its place, in a copy of the file without text.
pub fn place_without_text(diagnostic: Diagnostic, origin: &str) -> Diagnostic {
    let place = diagnostic.subject.clone();
    let hidden = without_text(diagnostic, origin);
    match place {
        Some(Subject { file, span }) => hidden.at(&file.blank(), span),
        None => hidden,
    }
}

/// Whether the lines that an excerpt shows of a mistake in a variable file are parts of values of variables for which `is_plain`
/// returns true. A value whose name is misspelt or missing may be that of any variable.
pub fn is_about_values(diagnostic: &Diagnostic, is_plain: &dyn Fn(&str) -> bool) -> bool {
    let labels = diagnostic.labels.iter().map(|label| &label.place);
    let places: Vec<&Subject> = diagnostic.subject.iter().chain(labels).collect();
    let is_shown = |place: &&Subject| {
        // An excerpt also shows the lines between its places.
        let same_file = places.iter().filter(|other| other.file.id() == place.file.id());
        let context = diagnostic.context.filter(|_| {
            diagnostic.subject.as_ref().is_some_and(|subject| subject.file.id() == place.file.id())
        });
        let spans =
            same_file.map(|other| other.span).chain(context.map(|span| Span::new(span.start, span.start)));
        place.file.is_blanked() || are_plain(&place.file, spans.fold(place.span, Span::to), is_plain)
    };
    places.iter().all(is_shown)
}

/// Whether each line at `span` is a part of one value, of a variable for which `is_plain` returns true.
fn are_plain(file: &SourceFile, span: Span, is_plain: &dyn Fn(&str) -> bool) -> bool {
    /// Limit on the lines at a mistake.
    const MAX_LINES: usize = 100;
    let last = span.end.saturating_sub(1).max(span.start) as usize;
    let (text, mut at) = (file.text(), span.start as usize);
    for _ in 0..MAX_LINES {
        if !named_before(file, at).is_some_and(is_plain) {
            return false;
        }
        let behind = text.as_bytes().get(at..=last).unwrap_or_default();
        match behind.iter().position(|byte| *byte == b'\n') {
            Some(end) if at + end < last => at += end + 1,
            Some(_) | None => return true,
        }
    }
    false
}

/// Returns the name of the variable whose value a place in a variable file belongs to: its line begins with the name, or an earlier
/// line does and ends with an open bracket, and the lines between are indented. `None` in a heredoc, whose lines may look like that.
fn named_before(file: &SourceFile, at: usize) -> Option<&str> {
    /// Limit on the lines of a file before a place.
    const MAX_LINES: usize = 1000;
    let (text, is_json) = (file.text(), Syntax::of_file(file.id()) == Syntax::Json);
    let end = text.bytes().skip(at).position(|byte| byte == b'\n').map_or(text.len(), |end| at + end);
    let lines: Vec<&str> = text.get(..end)?.rsplit('\n').take(MAX_LINES + 1).collect();
    let (own, above) = lines.split_first()?;
    if lines.len() > MAX_LINES || !is_json && is_in_heredoc(above) {
        return None;
    }
    if is_json {
        let indentation = |line: &str| line.len() - line.trim_start().len();
        let properties = text.lines().filter(|line| line.trim_start().starts_with('"'));
        // Properties of values are indented further.
        let is_outer = |line: &str| properties.clone().next().map(indentation) == Some(indentation(line));
        return name_of(own.trim_start().strip_prefix('"')?).filter(|_| is_outer(own) && has_one_name(own));
    }
    if name_of(own).is_some() || !is_within(own) {
        return name_of(own).filter(|_| has_one_name(own));
    }
    let first = above.iter().find(|line| !is_within(line))?;
    name_of(first).filter(|_| first.trim_end().ends_with(['[', '{', '(']))
}

/// Whether one of these lines, the last one first, opens a heredoc that no later one closes.
fn is_in_heredoc(lines: &[&str]) -> bool {
    let mut markers = HashSet::new();
    lines.iter().any(|line| {
        let is_open = opened_heredoc(line).is_some_and(|marker| !markers.contains(marker));
        markers.insert(line.trim());
        is_open
    })
}

/// Returns the name at the start of a line, in front of `=` or `:`; in JSON, the opening quote is left out.
fn name_of(line: &str) -> Option<&str> {
    let end = line.find(|found: char| !is_part_of_name(found))?;
    let (name, behind) = line.split_at_checked(end)?;
    let behind = behind.strip_prefix('"').unwrap_or(behind);
    (!name.is_empty() && behind.trim_start().starts_with(['=', ':'])).then_some(name)
}

/// Whether a line has no place for a second name behind the first one, such as that of another value.
fn has_one_name(line: &str) -> bool {
    line.matches(['=', ':']).count() == 1
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
        match self.alone {
            Some(name) => {
                let file = SourceFile::blanked_in_block(&self.subject.file, name);
                Subject { file, span: self.subject.span }
            }
            None => self.subject.clone(),
        }
    }
}

/// Returns the place of a name in a copy of its file in which all other text is blank, so that no excerpt shows a value.
pub(super) fn alone(place: &Subject) -> Subject {
    Subject { file: place.file.blanked(place.span), span: place.span }
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
        let position = place.file.line_column(start);
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
        let name = |file: &str, text: &str| {
            let source = SourceFile::new(FileId::new(file), text);
            named_before(&source, text.find('!').unwrap()).map(str::to_owned)
        };
        let native = |text: &str| name("a.tfvars", text);
        assert_eq!(native("a = 1\nb = !").as_deref(), Some("b"));
        assert_eq!(native("a = [\n  1\n  2!\n]").as_deref(), Some("a"));
        assert_eq!(native("b = <<E\nx\nE\na = !").as_deref(), Some("a"));
        let hidden = ["a = 1\n!", "a = 1\n  !\n", "\"!\"", " = !", "a = <<E\n  !\nE\n", "a !"];
        for text in hidden.into_iter().chain(["x = {\n  \"a\" = !\n}", "x = <<E\na = !\nE\n"]) {
            assert_ne!(native(text).as_deref(), Some("a"), "{text}");
        }
        assert_eq!(native("a = !, b = 1").as_deref(), None);
        let json = |text: &str| name("a.tfvars.json", text);
        assert_eq!(json("{\n  \"a\": !, \"b\": 1\n}"), None);
        assert_eq!(json("{\n  \"a\": !\n}").as_deref(), Some("a"));
        assert_eq!(json("{\n  \"x\": {\n    \"a\": !\n  }\n}"), None);
    }

    #[test]
    fn the_lines_between_the_places_of_a_mistake_are_shown_too() {
        let text = "{\n\"a\": [1,\n\"b\": 2,\n\"a\": 3]\n}";
        let source = SourceFile::new(FileId::new("a.tfvars.json"), text);
        let span = |part: &str| {
            let start = u32::try_from(text.find(part).unwrap()).unwrap();
            Span::new(start, start + 1)
        };
        let shows = |plain: &[&str], label: &str| {
            let diagnostic = Diagnostic::error(terrane_source::ids::INVALID_JSON, "").at(&source, span("3"));
            let diagnostic = diagnostic.label(span(label), "opened here");
            is_about_values(&diagnostic, &|name| plain.contains(&name))
        };
        assert!(shows(&["a", "b"], "[") && shows(&["a"], "3"));
        assert!(!shows(&["a"], "["));
    }
}
