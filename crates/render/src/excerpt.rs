//! Chooses the lines of a file that a message shows, as text that is safe to print, with the places to mark in it.

use std::ops::Range;

use terrane_source::{Diagnostic, SourceFile, Span, Subject};

use crate::visible::visible;

/// The most lines of a subject that are all marked. A longer subject is marked on its first line only.
const MARKED_LINES: u32 = 12;
/// The most lines between places in one excerpt. Places farther apart are shown in separate excerpts.
const JOINED_LINES: u32 = 30;
/// The most bytes of a line. A longer line is cut to the surroundings of the places marked in it.
const LINE_BYTES: usize = 400;
/// The number of bytes kept on either side of marked places in a cut line.
const SURROUNDING_BYTES: usize = 150;

/// Why a place is marked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The place that caused the message.
    Subject,
    /// Another place, with its label.
    Label(String),
    /// The start of the construct around the subject, shown without a mark.
    Context,
}

/// A marked place. Its positions are bytes of the file or, in an [`Excerpt`], bytes of the excerpt's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) range: Range<usize>,
    pub(crate) role: Role,
}

/// Successive lines of a file.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Excerpt {
    /// The one-based number of the first line.
    pub(crate) first_line: u32,
    /// The offset in the file of the subject or, without one, of the first mark.
    pub(crate) place: u32,
    /// The lines, safe to print.
    pub(crate) text: String,
    /// The marks on the lines.
    pub(crate) marks: Vec<Mark>,
}

/// The excerpts of one file.
pub(crate) struct FileExcerpts<'d> {
    pub(crate) file: &'d SourceFile,
    pub(crate) excerpts: Vec<Excerpt>,
}

/// Returns the excerpts for `diagnostic`: first the excerpt with its subject, then other excerpts of the same file, then the
/// excerpts of other files.
pub(crate) fn excerpts<'d>(diagnostic: &'d Diagnostic, subject: &'d Subject) -> Vec<FileExcerpts<'d>> {
    let mut files: Vec<&SourceFile> = vec![&subject.file];
    for label in &diagnostic.labels {
        if !files.iter().any(|file| file.id() == label.place.file.id()) {
            files.push(&label.place.file);
        }
    }
    let of_file =
        |file| FileExcerpts { file, excerpts: excerpts_of(file, places(diagnostic, subject, file)) };
    files.into_iter().map(of_file).collect()
}

fn excerpts_of(file: &SourceFile, places: Vec<Mark>) -> Vec<Excerpt> {
    let mut groups: Vec<Group> = Vec::new();
    for mark in places {
        let lines = lines_of(file, &mark.range);
        match groups.last_mut() {
            Some(group) if lines.start <= group.last.saturating_add(JOINED_LINES) => {
                group.last = group.last.max(lines.end);
                group.marks.push(mark);
            }
            _ => groups.push(Group { first: lines.start, last: lines.end, marks: vec![mark] }),
        }
    }
    groups.sort_by_key(|group| !group.marks.iter().any(|mark| mark.role == Role::Subject));
    groups.iter().map(|group| excerpt(file, group)).collect()
}

/// Places that are close enough for one excerpt, with their first and last line.
struct Group {
    first: u32,
    last: u32,
    marks: Vec<Mark>,
}

/// Returns every place in `file` that `diagnostic` refers to, in the order of the file.
fn places(diagnostic: &Diagnostic, subject: &Subject, file: &SourceFile) -> Vec<Mark> {
    let is_of_subject = file.id() == subject.file.id();
    let mut places = Vec::new();
    if is_of_subject {
        places.push(Mark { range: within(file, subject.span), role: Role::Subject });
    }
    for label in diagnostic.labels.iter().filter(|label| label.place.file.id() == file.id()) {
        places.push(Mark { range: within(file, label.place.span), role: Role::Label(label.text.clone()) });
    }
    if let Some(context) = diagnostic.context.filter(|_| is_of_subject) {
        let start = within(file, context).start;
        places.push(Mark { range: start..start, role: Role::Context });
    }
    places.sort_by_key(|mark| mark.range.start);
    places
}

/// Returns the bytes of `span` that exist in `file`, on character boundaries and without line breaks at the end. If it has too
/// many lines, returns its first line.
fn within(file: &SourceFile, span: Span) -> Range<usize> {
    let text = file.text();
    let mut start = (span.start as usize).min(text.len());
    let mut end = (span.end as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start = start.saturating_sub(1);
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let marked = text.get(start..end).unwrap_or_default();
    let range = start..start + marked.trim_end_matches(['\n', '\r']).len();
    let lines = lines_of(file, &range);
    if lines.end - lines.start < MARKED_LINES {
        return range;
    }
    let first_line = file.line_span(lines.start);
    start..(first_line.end as usize).max(start)
}

/// Returns the one-based numbers of the first and the last line of `range`.
fn lines_of(file: &SourceFile, range: &Range<usize>) -> Range<u32> {
    let line = |offset: usize| file.line(u32::try_from(offset).unwrap_or(u32::MAX));
    line(range.start)..line(range.end)
}

fn span(range: &Range<usize>) -> Span {
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end))
}

fn excerpt(file: &SourceFile, group: &Group) -> Excerpt {
    let mut text = String::new();
    let mut marks = group.marks.clone();
    for number in group.first..=group.last {
        if number > group.first {
            text.push('\n');
        }
        let line = file.line_span(number).range();
        let shown = shown_part(file.text(), &line, &group.marks);
        if shown.start > line.start {
            text.push('…');
        }
        let offset = |position: usize| {
            let before = file.shown(span(&(shown.start..position.min(shown.end))));
            text.len() + visible(&before).len()
        };
        let on_line = |position: usize| lines_of(file, &(position..position)).start == number;
        for (place, mark) in group.marks.iter().zip(&mut marks) {
            if on_line(place.range.start) {
                mark.range.start = offset(place.range.start);
            }
            if on_line(place.range.end) {
                mark.range.end = offset(place.range.end);
            }
        }
        text.push_str(&visible(&file.shown(span(&shown))));
        if shown.end < line.end {
            text.push('…');
        }
    }
    if text.is_empty() || text.ends_with('\n') {
        // The last line is empty. Without a character, it would not be shown.
        text.push(' ');
    }
    let place = group.marks.iter().min_by_key(|mark| mark.role != Role::Subject);
    let place = place.map_or(0, |mark| u32::try_from(mark.range.start).unwrap_or(u32::MAX));
    Excerpt { first_line: group.first, place, text, marks }
}

/// Returns the part of a line to show: all of it, or the surroundings of its first mark.
fn shown_part(text: &str, line: &Range<usize>, marks: &[Mark]) -> Range<usize> {
    if line.len() <= LINE_BYTES {
        return line.clone();
    }
    let on_line = marks.iter().filter(|mark| line.start <= mark.range.start && mark.range.start <= line.end);
    let first =
        on_line.min_by_key(|mark| mark.role != Role::Subject).map_or(line.start, |mark| mark.range.start);
    let mut start = first.saturating_sub(SURROUNDING_BYTES).max(line.start);
    let mut end = (first + SURROUNDING_BYTES).min(line.end);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    start..end.max(start)
}
