//! Writes diagnostics for people: title, excerpts of source, detail and hints.

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet};
use terrane_source::{Diagnostic, LineColumn, Severity, SourceFile, Subject};

use crate::excerpt::{Excerpt, FileExcerpts, Role, excerpts};
use crate::visible::{visible, visible_line};

/// Options for messages at a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerminalOptions {
    /// Whether to print colours.
    pub color: bool,
    /// The number of columns. Longer lines of source are cut around the marked place.
    pub width: usize,
}

impl Default for TerminalOptions {
    fn default() -> TerminalOptions {
        TerminalOptions { color: false, width: 120 }
    }
}

/// Returns `diagnostic` for a person: its title, the lines of source with marked places, then the detail, the values involved
/// and the hints. There is no line break at the end.
///
/// `context` returns the header of the block around a place, such as `resource "a" "b"`. It stands behind the first place.
pub fn terminal(
    diagnostic: &Diagnostic,
    options: TerminalOptions,
    context: impl FnOnce(&Subject) -> Option<String>,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.title()).id(diagnostic.id.as_str());
    let mut report = Group::with_title(title);
    let mut places = Vec::new();
    if let Some(subject) = &diagnostic.subject {
        for FileExcerpts { file, excerpts } in excerpts(diagnostic, subject) {
            for excerpt in excerpts {
                places.push(place(&excerpt, file));
                report = report.element(snippet(excerpt));
            }
        }
        if let (Some(first), Some(header)) = (places.first_mut(), context(subject)) {
            first.push_str(&format!(", in {}", visible_line(&header)));
        }
    }
    report = report.elements(messages(diagnostic));
    let renderer = if options.color { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.term_width(options.width).render(&[report]);
    with_places(&text, &places)
}

/// Stands for the place of an excerpt in the text that the library writes, because the library would count columns in
/// characters. [`visible`] replaces this character everywhere else.
const PLACE: char = '\u{1}';

/// Returns `text` with `places` in place of each [`PLACE`] and the position that the library has written behind it. The library
/// writes `:::` before all places but the first, which a service that runs the program could take for a command.
fn with_places(text: &str, places: &[String]) -> String {
    let mut parts = text.split(PLACE);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for (part, place) in parts.zip(places) {
        let line = result.rfind('\n').map_or(0, |end| end + 1);
        if let Some(at) = result.get(line..).and_then(|line| line.find(":::")) {
            result.replace_range(line + at..line + at + 3, "-->");
        }
        result.push_str(place);
        result.push_str(part.find('\n').and_then(|end| part.get(end..)).unwrap_or_default());
    }
    result
}

/// Returns `file:line:column` of the first mark in `excerpt`.
fn place(excerpt: &Excerpt, file: &SourceFile) -> String {
    let LineColumn { line, column } = file.line_column(excerpt.place);
    format!("{}:{line}:{column}", visible_line(&file.id().to_string()))
}

fn snippet<'a>(excerpt: Excerpt) -> Snippet<'a, Annotation<'a>> {
    let annotations = excerpt.marks.into_iter().map(|mark| match mark.role {
        Role::Subject => AnnotationKind::Primary.span(mark.range),
        Role::Label(text) => AnnotationKind::Context.span(mark.range).label(visible_line(&text)),
        Role::Context => AnnotationKind::Visible.span(mark.range),
    });
    Snippet::source(excerpt.text)
        .line_start(excerpt.first_line as usize)
        .path(PLACE.to_string())
        .annotations(annotations)
}

/// Returns the messages below the source, in order.
fn messages(diagnostic: &Diagnostic) -> Vec<Element<'_>> {
    let message = |level: Level<'static>, text| Element::from(level.message(visible(text)));
    let mut messages = Vec::new();
    if !diagnostic.detail.is_empty() {
        messages.push(message(Level::NOTE.no_name(), &diagnostic.detail));
    }
    for value in &diagnostic.values {
        messages.push(message(Level::NOTE.with_name("value"), value));
    }
    if let Some(address) = &diagnostic.address {
        messages.push(message(Level::NOTE.with_name("in"), address));
    }
    for hint in &diagnostic.hints {
        messages.push(message(Level::HELP, hint));
    }
    messages.extend(diagnostic.omission().map(|omission| Element::from(Level::NOTE.message(omission))));
    messages
}

#[cfg(test)]
mod tests;
