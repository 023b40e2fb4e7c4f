//! Finds the values of a variable file that its syntax errors put in doubt.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, JoinedSpans, SourceFile, Span};
use terrane_syntax::line::{
    first_word, has_open_string, is_conflict_marker, opened_heredoc, starts_argument, starts_comment, words,
};
use terrane_syntax::tree::Damage;
use terrane_syntax::{is_identifier, is_part_of_name, json};
use terrane_value::is_one_edit;

/// Limit on the beginnings of names that are kept for a file. If there are more, any variable may be set.
const MAX_BEGINNINGS: usize = 32;

/// Limit on the lines that are kept for a file. If there are more, any variable may be set.
const MAX_LINES: usize = 256;

/// Limit on the bytes of these lines, which are compared with the name of each variable.
const MAX_BYTES: usize = 1 << 14;

/// The length of the shortest name that is looked for inside of words.
const MIN_PART_OF_WORD: usize = 4;

/// Limit on the markers that are compared with lines that may be meant as markers. If there are more, no line is.
const MAX_MARKERS: usize = 32;

/// A file with syntax errors, or a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DamagedFile {
    /// The file.
    pub file: FileId,
    /// The number of syntax errors; 0 for a file that cannot be read.
    pub syntax_errors: usize,
}

impl DamagedFile {
    /// Returns the damage of a file that was parsed with these diagnostics. `None` if the file has no syntax errors.
    pub fn of(file: &FileId, found: &[Diagnostic]) -> Option<DamagedFile> {
        let syntax_errors = found.iter().filter(|diagnostic| diagnostic.is_error()).count();
        (syntax_errors > 0).then(|| DamagedFile { file: file.clone(), syntax_errors })
    }

    /// Returns the damage of a file that cannot be read.
    pub fn unreadable(path: &Path) -> DamagedFile {
        DamagedFile { file: FileId::new(path), syntax_errors: 0 }
    }

    /// Whether the file was read, and has syntax errors.
    pub fn has_syntax_errors(&self) -> bool {
        self.syntax_errors > 0
    }
}

/// The unreadable parts of a variable file.
#[derive(Default, Debug)]
pub struct DamagedValues {
    /// The parts. Parts that only touch stay apart, because each has words of its own.
    parts: JoinedSpans,
    /// The range from the first to the last part, if one of them may hold values that were not read: then the text
    /// between them may have another meaning.
    range: Option<Span>,
    /// The names of damaged properties in JSON.
    names: HashSet<Arc<str>>,
    /// The words that stand alone in damaged parts. Names may begin with them.
    beginnings: Vec<String>,
    /// The lines of damaged parts that may set other variables, with the names in them.
    lines: HashSet<String>,
    /// Whether damaged parts may set any variable, because a name is missing.
    hides: bool,
    /// The parts, from the line before them to the end of the white space behind them.
    spaced: JoinedSpans,
    /// The start of the first part with a string without a closing quote, or with a heredoc without its marker. The lines behind it may
    /// be the rest of the text.
    open_text: Option<u32>,
}

impl DamagedValues {
    /// Returns the damage of a file in native syntax.
    pub fn native(source: &SourceFile, damage: &[Damage]) -> DamagedValues {
        let extended = with_heredocs(source, damage.iter().map(|damage| damage.span));
        let open_heredoc = extended.iter().filter(|part| part.is_guess).map(|part| part.span.start).min();
        let parts = JoinedSpans::of_overlapping(extended.into_iter().map(|part| part.span).collect());
        let words = parts.iter().filter_map(|part| lone_word(source.slice(part)));
        let beginnings: Vec<String> = words.map(str::to_owned).take(MAX_BEGINNINGS + 1).collect();
        let mut hiding: Vec<u32> =
            damage.iter().filter(|found| found.hides).map(|found| found.span.start).collect();
        hiding.sort_unstable();
        let is_hiding = |part: &Span| {
            let first = hiding.get(hiding.partition_point(|start| *start < part.start));
            first.is_some_and(|start| *start < part.end) && lone_word(source.slice(*part)).is_none()
        };
        let mut hides = beginnings.len() > MAX_BEGINNINGS;
        let mut lines = HashSet::new();
        let mut before: Option<Span> = None;
        for part in parts.iter() {
            let text = source.slice(part);
            let is_rest =
                follows_word(source, part) || before.is_some_and(|before| is_rest_of(source, before, part));
            if is_hiding(&part) {
                hides |= add_lines(&mut lines, text, '=') && !is_rest;
            }
            before = Some(part);
        }
        // Only a bracket or a quote that nothing closes in its part changes the meaning of the text behind it.
        let is_open = |part: &Span| is_unbalanced(source.slice(*part));
        let range = parts.iter().filter(is_hiding).any(|part| is_open(&part)).then(|| {
            let open = parts.iter().filter(is_open).reduce(Span::to);
            open.unwrap_or_default()
        });
        let spaced = JoinedSpans::of(parts.iter().map(|part| with_space(source, part)).collect());
        let open_string =
            parts.iter().find(|part| has_open_string(source.slice(*part))).map(|part| part.start);
        let open_text = open_string.into_iter().chain(open_heredoc).min();
        DamagedValues { parts, range, names: HashSet::new(), beginnings, lines, hides, spaced, open_text }
    }

    /// Returns the damage of a file that cannot be read.
    pub fn unreadable() -> DamagedValues {
        DamagedValues { hides: true, ..DamagedValues::default() }
    }

    /// Returns the damage of a file in JSON.
    pub fn json(source: &SourceFile, damage: &[json::Damage]) -> DamagedValues {
        let names = damage.iter().filter_map(|damage| damage.path.first().cloned()).collect();
        let mut lines = HashSet::new();
        let mut hides = false;
        for part in damage.iter().filter(|damage| damage.path.is_empty()) {
            hides |= add_lines(&mut lines, source.slice(part.span), ':');
        }
        DamagedValues { names, lines, hides, ..DamagedValues::default() }
    }

    /// Whether unreadable text may contain values of variables that no readable text sets.
    pub fn hides(&self) -> bool {
        self.hides || !self.beginnings.is_empty() || !self.lines.is_empty()
    }

    /// Whether unreadable text may contain a value of a variable.
    pub fn may_set(&self, name: &str) -> bool {
        self.hides
            || self.beginnings.iter().any(|start| name.starts_with(&**start))
            || self.lines.iter().any(|line| holds(line, name))
    }

    /// Whether the name at a place may be a part of something else: it is in a damaged part or on a line beside one, or an object around it
    /// is damaged. If a value may be a secret (`has_secrets`), also behind a string or heredoc without an end.
    pub fn is_beside(&self, name: Span, has_secrets: bool) -> bool {
        if has_secrets && self.open_text.is_some_and(|open| open <= name.start) {
            return true;
        }
        if self.spaced.is_empty() {
            return self.hides || !self.lines.is_empty();
        }
        self.spaced.contain(name.start)
    }

    /// Whether the value of the name at `item` may differ from the value as written.
    pub fn touches(&self, name: &str, item: Span) -> bool {
        let is_met = |part: Span| part.start < item.end && item.start < part.end;
        self.names.contains(name) || self.range.is_some_and(is_met) || self.parts.overlap(item)
    }
}

/// A damaged part with the heredoc that begins in it.
struct ExtendedPart {
    span: Span,
    /// Whether the heredoc lacks its marker, and ends at a line that may be meant as it.
    is_guess: bool,
}

/// A line that may end a heredoc with a marker, or opens one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkerLine {
    Marker,
    Opener,
}

/// Returns the parts, extended to the ends of heredocs that begin in them: the lines of the heredocs may look like values. If another
/// heredoc with the same marker opens before the marker, the marker belongs to that one. A heredoc without its marker ends at the first
/// line that may be meant as it, or else with the file.
fn with_heredocs(source: &SourceFile, parts: impl Iterator<Item = Span> + Clone) -> Vec<ExtendedPart> {
    let markers: HashSet<&str> = parts.clone().filter_map(|part| marker(source.slice(part))).collect();
    // The ends of the lines that end heredocs, or that open them. All are found at once, as any number of parts may have no end.
    let mut ends: HashMap<&str, Vec<(u32, MarkerLine)>> = HashMap::new();
    let mut meant: HashMap<&str, Vec<u32>> = HashMap::new();
    let mut end = 0;
    let mut lines = source.text().split_inclusive('\n').filter(|_| !markers.is_empty()).peekable();
    while let Some(line) = lines.next() {
        end += offset(line.len());
        if markers.contains(line.trim()) {
            ends.entry(line.trim()).or_default().push((end, MarkerLine::Marker));
        } else if let Some(marker) = opened_heredoc(line).filter(|marker| markers.contains(marker)) {
            ends.entry(marker).or_default().push((end, MarkerLine::Opener));
        } else if markers.len() <= MAX_MARKERS && lines.peek().is_some_and(|next| starts_argument(next)) {
            let similar = markers.iter().filter(|marker| is_meant_as_marker(line.trim(), marker));
            similar.for_each(|marker| meant.entry(marker).or_default().push(end));
        }
    }
    let certain = |span| ExtendedPart { span, is_guess: false };
    let extended = |part: Span| {
        let Some(marker) = marker(source.slice(part)) else { return certain(part) };
        let behind = source.text().get(part.end as usize..).unwrap_or_default();
        let line = behind.split_inclusive('\n').next().unwrap_or_default();
        let line_end = part.end + offset(line.len());
        if line.trim() == marker {
            return certain(Span::new(part.start, line_end));
        }
        let ends = ends.get(marker).map(Vec::as_slice).unwrap_or_default();
        match ends.get(ends.partition_point(|(end, _)| *end <= line_end)) {
            Some((end, MarkerLine::Marker)) => certain(Span::new(part.start, *end)),
            Some((_, MarkerLine::Opener)) => certain(part),
            None => {
                let meant = meant.get(marker).map(Vec::as_slice).unwrap_or_default();
                let end = meant.get(meant.partition_point(|end| *end < part.start)).copied();
                let span = Span::new(part.start, end.unwrap_or(offset(source.text().len())).max(part.end));
                ExtendedPart { span, is_guess: end.is_some() }
            }
        }
    };
    parts.map(extended).collect()
}

/// Whether a line may be meant as a marker: it is a name of at least two characters that differs from it in upper and lower case only,
/// or in one character that is missing, added or changed.
fn is_meant_as_marker(line: &str, marker: &str) -> bool {
    let is_long = |text: &str| text.chars().nth(1).is_some();
    is_identifier(line)
        && is_long(line)
        && is_long(marker)
        && (line.eq_ignore_ascii_case(marker) || is_one_edit(line, marker))
}

/// Returns the word that is a whole text, without a comment behind it.
fn lone_word(text: &str) -> Option<&str> {
    let (word, behind) = first_word(text.trim_start());
    let behind = behind.trim_start();
    (!word.is_empty() && (behind.is_empty() || starts_comment(behind))).then_some(word)
}

/// Adds the lines of a part, except for those that set nothing. Returns whether it may set any variable: the name before `sign` is missing, or
/// there is too much text.
fn add_lines(lines: &mut HashSet<String>, text: &str, sign: char) -> bool {
    let mut written = text.lines().filter(|line| !is_conflict_marker(line) && has_content(line)).peekable();
    let Some(first) = written.peek() else { return false };
    let name = first.split(sign).next().unwrap_or_default();
    let mut is_any = !words(name).any(|word| !word.starts_with(|found: char| found.is_ascii_digit()));
    for line in written {
        let bytes = lines.iter().map(String::len).sum::<usize>() + line.len();
        if lines.len() >= MAX_LINES || bytes > MAX_BYTES {
            is_any = true;
            break;
        }
        lines.insert(line.to_owned());
    }
    is_any
}

/// Whether a line may be a part of a value or its name: it has more than characters that nothing can begin with.
fn has_content(line: &str) -> bool {
    line.contains(|found: char| is_part_of_name(found) || "=:\"{}[]()".contains(found))
}

/// Whether a part begins with an equals sign, and a word alone is on the line before it.
fn follows_word(source: &SourceFile, part: Span) -> bool {
    let before = source.text().get(..part.start as usize).unwrap_or_default().trim_end();
    let line = before.rsplit('\n').next().and_then(lone_word);
    source.slice(part).trim_start().starts_with('=') && line.is_some()
}

/// Whether a part closes a bracket that the part directly before it has opened.
fn is_rest_of(source: &SourceFile, before: Span, part: Span) -> bool {
    source.slice(Span::new(before.end, part.start.max(before.end))).trim().is_empty()
        && source.slice(before).contains(['{', '[', '('])
        && source.slice(part).trim_start().starts_with(['}', ']', ')'])
}

/// Whether a text has a bracket or a quote without the one that closes it, or closes one too many.
fn is_unbalanced(text: &str) -> bool {
    let count = |brackets: [char; 3]| text.matches(brackets).count();
    has_open_string(text) || count(['{', '[', '(']) != count(['}', ']', ')'])
}

/// Whether a line has the letters of a name: as a word, as words with other characters between them, or inside of a word.
fn holds(line: &str, name: &str) -> bool {
    let words: Vec<&str> = words(line).collect();
    let begins = |from: usize| {
        let mut rest = name;
        words.iter().skip(from).all(|word| match rest.strip_prefix(word) {
            Some(behind) if !rest.is_empty() => {
                rest = behind;
                !rest.is_empty()
            }
            Some(_) | None => false,
        });
        rest.is_empty()
    };
    (0..words.len()).any(begins)
        || name.len() >= MIN_PART_OF_WORD && words.iter().any(|word| word.contains(name))
}

/// Returns a part with the line before it and the white space behind it.
fn with_space(source: &SourceFile, part: Span) -> Span {
    let (before, _) = source.text().split_at_checked(part.start as usize).unwrap_or_default();
    let line = before.trim_end().rfind('\n').map_or(0, |newline| newline + 1);
    let behind = source.text().get(part.end as usize..).unwrap_or_default();
    Span::new(offset(line), part.end + offset(behind.len() - behind.trim_start().len()))
}

/// Returns the marker of the last heredoc that begins in a text.
fn marker(text: &str) -> Option<&str> {
    let (_, behind) = text.rsplit_once("<<")?;
    let is_name = |found: char| found.is_alphanumeric() || matches!(found, '_' | '-');
    behind.trim_start_matches('-').split(|found| !is_name(found)).next()
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_text_sets_the_names_in_it() {
        let set = |text: &str| {
            let source = SourceFile::new(FileId::new("a.tfvars"), text);
            let damaged = DamagedValues::native(&source, &terrane_syntax::parse_values(&source).damage);
            let names = ["gamma", "port", "region"].into_iter();
            names.filter(|name| damaged.may_set(name)).collect::<Vec<_>>().join(" ")
        };
        let markers = "<<<<<<<\na = 10\n=======\na = 11\n>>>>>>>\n";
        for (text, names) in [
            (markers, ""),
            ("a = {\n  port = 1\n\nb = 2\n", "port"),
            ("gam@ma = 1\n", "gamma"),
            ("x xgamma = 1\n", "gamma"),
            ("a = 1 region = 2\n", "region"),
            ("@\nb = 1\n", ""),
            ("= 1\n", "gamma port region"),
            ("gam\n= 1\n", "gamma"),
            ("  1,\n]\n", "gamma port region"),
            ("a = [\n  { x = 1 },\n ] { port = 22 },\n  ]\nb = 2\n", ""),
        ] {
            assert_eq!(set(text), names, "{text}");
        }
        let many: String = (0..=MAX_LINES).map(|index| format!("x y{index} = 1\n")).collect();
        assert_eq!(set(&many), "gamma port region");
        let json = |text: &str| {
            let source = SourceFile::new(FileId::new("a.tfvars.json"), text);
            let damaged = DamagedValues::json(&source, &json::parse_json(&source).damage);
            (damaged.may_set("gamma"), damaged.may_set("port"))
        };
        assert_eq!(json("{\n  \"a\": 1,\n  @\"gamma\": 1\n}\n"), (true, false));
        assert_eq!(json("{\n  \"a\": 1,\n  \"x\": ,\n}\n"), (false, false));
    }

    #[test]
    fn a_lone_word_may_be_the_beginning_of_a_name() {
        let damaged = |text: &str| {
            let source = SourceFile::new(FileId::new("a.tfvars"), text);
            DamagedValues::native(&source, &terrane_syntax::parse_values(&source).damage)
        };
        for text in ["gam\nb = 1\n", "b = 1\ngam # ma = 1\n"] {
            let damaged = damaged(text);
            assert!(damaged.hides() && damaged.may_set("gamma") && !damaged.may_set("b"), "{text}");
        }
        assert!(damaged("= 1\n").may_set("gamma") && damaged("  1,\n]\n").may_set("gamma"));
        let beside = damaged("a = 1\nb = 2\ngam\n\nma = 1\nc = 2\n");
        let is_beside = [0, 6, 17, 24].map(|start| beside.is_beside(Span::new(start, start + 1), true));
        assert_eq!(is_beside, [false, true, true, false]);
        let open = damaged("a = \"x\n\nb = 2\n\n\nc = 3\n");
        let c = Span::new(17, 18);
        assert!(open.is_beside(c, true) && !open.is_beside(c, false));
        let many: String = (0..=MAX_BEGINNINGS).map(|index| format!("x{index}\n")).collect();
        assert!(damaged(&many).may_set("gamma"));
    }

    #[test]
    fn a_part_reaches_to_the_end_of_a_heredoc() {
        let text = "a = <<E x\nb = 1\nE\nc = 2\nE\nd = <<F x\ne = 3\n";
        let source = SourceFile::new(FileId::new("a.tfvars"), text);
        let spans = |starts: &[u32]| {
            let parts = starts.iter().map(|start| Span::new(*start, *start + 9));
            with_heredocs(&source, parts).into_iter().map(|part| part.span.end).collect::<Vec<_>>()
        };
        assert_eq!(spans(&[0, 26]), [18, offset(text.len())]);
        assert_eq!(spans(&[10]), [19]);
        let text = "a = []<<E\nb = 1\nc = <<-E\nd\nE\n";
        let source = SourceFile::new(FileId::new("a.tfvars"), text);
        let extended = with_heredocs(&source, [Span::new(0, 10)].into_iter());
        assert!(matches!(&*extended, [part] if part.span == Span::new(0, 10) && !part.is_guess));
    }

    #[test]
    fn a_heredoc_without_its_marker_ends_at_a_similar_line_before_a_value() {
        let touched = |text: &str| {
            let source = SourceFile::new(FileId::new("a.tfvars"), text);
            let parsed = terrane_syntax::parse_values(&source);
            let damaged = DamagedValues::native(&source, &parsed.damage);
            let tree = &parsed.tree;
            let touched = tree
                .attributes(parsed.root)
                .filter(|attribute| damaged.touches(tree.name(attribute), tree.attribute_span(attribute)));
            let names = touched.map(|attribute| tree.name(attribute)).collect::<Vec<_>>().join(" ");
            (names, damaged.is_beside(Span::new(source.text().len() as u32 - 1, 0), true))
        };
        for text in [
            "a = <<EO\nx\nEOT\nb = 1\nc = 2\n",
            "a = <<EOT\nx\nEO\nb = 1\nc = 2\n",
            "a = <<EOT\nx\n  eot\nb = 1\nc = 2\n",
            "a = <<-EOT\nx\nEXT\nb = 1\nc = 2\n",
        ] {
            assert_eq!(touched(text), ("a".to_owned(), true), "{text}");
        }
        for text in [
            "a = <<EO\nx\nEOTT\nb = 1\nc = 2\n",
            "a = <<EO\nx\nEOT \"\"\nb = 1\nc = 2\n",
            "a = <<EO\nEOT\nx\nb = 1\nc = 2\n",
            "a = <<E\nx\nET\nb = 1\nc = 2\n",
        ] {
            assert_eq!(touched(text).0, "a b c", "{text}");
        }
        assert_eq!(touched("a = <<EO\nz = 1\nEOT\nb = 1\n").0, "a z EOT");
    }
}
