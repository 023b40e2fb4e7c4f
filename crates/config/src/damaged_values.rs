//! Finds the values of a variable file that its syntax errors put in doubt.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use terrane_source::{Diagnostic, FileId, SourceFile, Span};
use terrane_syntax::tree::Damage;
use terrane_syntax::{is_part_of_name, json, opened_heredoc};

/// Limit on the beginnings of names that are kept for a file. If there are more, any variable may be set.
const MAX_BEGINNINGS: usize = 32;

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
    /// The parts, in the order of the text. Parts that overlap are joined.
    parts: Vec<Span>,
    /// The range from the first to the last part, if one of them may hold values that were not read: then the text
    /// between them may have another meaning.
    range: Option<Span>,
    /// The names of damaged properties in JSON.
    names: HashSet<Arc<str>>,
    /// The words that stand alone in damaged parts. Names may begin with them.
    beginnings: Vec<String>,
    hides: bool,
    /// The parts, from the line before them to the end of the white space behind them.
    spaced: Vec<Span>,
    /// The start of the first part with a string without a closing quote. The lines behind it may be the rest of the string.
    open_string: Option<u32>,
}

impl DamagedValues {
    /// Returns the damage of a file in native syntax.
    pub fn native(source: &SourceFile, damage: &[Damage]) -> DamagedValues {
        let parts = disjoint(with_heredocs(source, damage.iter().map(|damage| damage.span)));
        let words = parts.iter().filter_map(|part| lone_word(source.slice(*part)));
        let beginnings: Vec<String> = words.map(str::to_owned).take(MAX_BEGINNINGS + 1).collect();
        let hides =
            damage.iter().any(|damage| damage.hides && lone_word(source.slice(damage.span)).is_none())
                || beginnings.len() > MAX_BEGINNINGS;
        let range = parts.iter().copied().reduce(Span::to).filter(|_| hides);
        let spaced = parts.iter().map(|part| with_space(source, *part)).collect();
        let open_string =
            parts.iter().find(|part| has_open_string(source.slice(**part))).map(|part| part.start);
        DamagedValues { parts, range, names: HashSet::new(), beginnings, hides, spaced, open_string }
    }

    /// Returns the damage of a file that cannot be read.
    pub fn unreadable() -> DamagedValues {
        DamagedValues { hides: true, ..DamagedValues::default() }
    }

    /// Returns the damage of a file in JSON.
    pub fn json(damage: &[json::Damage]) -> DamagedValues {
        let names = damage.iter().filter_map(|damage| damage.path.first().cloned()).collect();
        let hides = damage.iter().any(|damage| damage.path.is_empty());
        DamagedValues { names, hides, ..DamagedValues::default() }
    }

    /// Whether unreadable text may contain values of variables that no readable text sets.
    pub fn hides(&self) -> bool {
        self.hides || !self.beginnings.is_empty()
    }

    /// Whether unreadable text may contain a value of a variable.
    pub fn may_set(&self, name: &str) -> bool {
        self.hides || self.beginnings.iter().any(|start| name.starts_with(&**start))
    }

    /// Whether the name at a place may be a part of something else: it is in a damaged part or on a line beside one, or an object around it
    /// is damaged. If a value may be a secret (`has_secrets`), also behind a string without a closing quote.
    pub fn is_beside(&self, name: Span, has_secrets: bool) -> bool {
        if has_secrets && self.open_string.is_some_and(|open| open <= name.start) {
            return true;
        }
        if self.spaced.is_empty() {
            return self.hides;
        }
        let before = self.spaced.partition_point(|part| part.start <= name.start);
        let last = before.checked_sub(1).and_then(|index| self.spaced.get(index));
        last.is_some_and(|part| name.start <= part.end)
    }

    /// Whether the value of the name at `item` may differ from the value as written.
    pub fn touches(&self, name: &str, item: Span) -> bool {
        let is_met = |part: Span| part.start < item.end && item.start < part.end;
        let before = self.parts.partition_point(|part| part.start < item.end);
        let last = before.checked_sub(1).and_then(|index| self.parts.get(index));
        self.names.contains(name) || self.range.is_some_and(is_met) || last.copied().is_some_and(is_met)
    }
}

/// Returns the parts, extended to the ends of heredocs that begin in them: the lines of the heredocs may look like values. If another
/// heredoc with the same marker opens before the marker, the marker belongs to that one.
fn with_heredocs(source: &SourceFile, parts: impl Iterator<Item = Span> + Clone) -> Vec<Span> {
    let markers: HashSet<&str> = parts.clone().filter_map(|part| marker(source.slice(part))).collect();
    // The ends of the lines that end heredocs, or that open them. All are found at once, as any number of parts may have no end.
    let mut ends: HashMap<&str, Vec<(u32, bool)>> = HashMap::new();
    let mut end = 0;
    for line in source.text().split_inclusive('\n').filter(|_| !markers.is_empty()) {
        end += offset(line.len());
        if markers.contains(line.trim()) {
            ends.entry(line.trim()).or_default().push((end, true));
        } else if let Some(marker) = opened_heredoc(line).filter(|marker| markers.contains(marker)) {
            ends.entry(marker).or_default().push((end, false));
        }
    }
    let extended = |part: Span| {
        let Some(marker) = marker(source.slice(part)) else { return part };
        let behind = source.text().get(part.end as usize..).unwrap_or_default();
        let line = behind.split_inclusive('\n').next().unwrap_or_default();
        let line_end = part.end + offset(line.len());
        if line.trim() == marker {
            return Span::new(part.start, line_end);
        }
        let ends = ends.get(marker).map(Vec::as_slice).unwrap_or_default();
        let end = match ends.get(ends.partition_point(|(end, _)| *end <= line_end)) {
            Some((end, true)) => *end,
            Some((_, false)) => part.end,
            None => offset(source.text().len()),
        };
        Span::new(part.start, end)
    };
    parts.map(extended).collect()
}

/// Returns the word that is a whole text, without a comment behind it.
fn lone_word(text: &str) -> Option<&str> {
    let end = ["#", "//", "/*"].into_iter().filter_map(|comment| text.find(comment)).min();
    let word = text.get(..end.unwrap_or(text.len()))?.trim();
    (!word.is_empty() && word.chars().all(is_part_of_name)).then_some(word)
}

/// Whether a text has a string without a closing quote: an odd number of quotes.
fn has_open_string(text: &str) -> bool {
    let quotes = text.match_indices('"');
    let is_escaped = |at: usize| text.get(..at).is_some_and(|before| before.ends_with('\\'));
    quotes.filter(|(at, _)| !is_escaped(*at)).count() % 2 == 1
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

/// Joins the parts that overlap, and sorts them.
fn disjoint(mut parts: Vec<Span>) -> Vec<Span> {
    parts.sort_unstable_by_key(|part| part.start);
    parts.dedup_by(|next, part| {
        let overlaps = next.start < part.end;
        if overlaps {
            *part = part.to(*next);
        }
        overlaps
    });
    parts
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            with_heredocs(&source, parts).into_iter().map(|span| span.end).collect::<Vec<_>>()
        };
        assert_eq!(spans(&[0, 26]), [18, offset(text.len())]);
        assert_eq!(spans(&[10]), [19]);
        let text = "a = []<<E\nb = 1\nc = <<-E\nd\nE\n";
        let source = SourceFile::new(FileId::new("a.tfvars"), text);
        assert_eq!(with_heredocs(&source, [Span::new(0, 10)].into_iter()), [Span::new(0, 10)]);
    }

    /// All lists of three parts, and all items, within six bytes.
    #[test]
    fn items_meet_the_parts_that_they_overlap() {
        let all = || (0..6).flat_map(|start| (start..6).map(move |end| Span::new(start, end)));
        for parts in
            all().flat_map(|one| all().flat_map(move |two| all().map(move |three| [one, two, three])))
        {
            let values = DamagedValues { parts: disjoint(parts.to_vec()), ..DamagedValues::default() };
            for item in all() {
                let wanted = parts.iter().any(|part| part.start < item.end && item.start < part.end);
                assert_eq!(values.touches("a", item), wanted, "{parts:?} {item:?}");
            }
        }
    }
}
