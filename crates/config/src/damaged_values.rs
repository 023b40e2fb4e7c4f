//! Finds the values of a variable file that its syntax errors put in doubt.

use std::collections::HashSet;
use std::path::Path;

use terrane_source::{Diagnostic, FileId, SourceFile, Span};
use terrane_syntax::json;
use terrane_syntax::tree::Damage;

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
    parts: Vec<Span>,
    /// The range from the first to the last part, if one of them may hold values that were not read: then the text
    /// between them may have another meaning.
    range: Option<Span>,
    /// The names of damaged properties in JSON.
    names: HashSet<String>,
    hides: bool,
}

impl DamagedValues {
    /// Returns the damage of a file in native syntax.
    pub fn native(source: &SourceFile, damage: &[Damage]) -> DamagedValues {
        let hides = damage.iter().any(|damage| damage.hides);
        let parts: Vec<Span> = damage.iter().map(|damage| with_heredoc(source, damage.span)).collect();
        let range = parts.iter().copied().reduce(Span::to).filter(|_| hides);
        DamagedValues { parts, range, names: HashSet::new(), hides }
    }

    /// Returns the damage of a file in JSON.
    pub fn json(damage: &[json::Damage]) -> DamagedValues {
        let names = damage.iter().filter_map(|damage| damage.path.first().cloned()).collect();
        let hides = damage.iter().any(|damage| damage.path.is_empty());
        DamagedValues { names, hides, ..DamagedValues::default() }
    }

    /// Whether unreadable text may contain values of any variable.
    pub fn hides(&self) -> bool {
        self.hides
    }

    /// Whether the value of the name at `item` may differ from the value as written.
    pub fn touches(&self, name: &str, item: Span) -> bool {
        let is_met = |part: Span| part.start < item.end && item.start < part.end;
        self.names.contains(name)
            || self.range.is_some_and(is_met)
            || self.parts.iter().any(|part| is_met(*part))
    }
}

/// Returns the part, extended to the end of a heredoc that begins in it: the lines of the heredoc may look like values.
fn with_heredoc(source: &SourceFile, part: Span) -> Span {
    let text = source.slice(part);
    let Some((_, behind)) = text.rsplit_once("<<") else { return part };
    let behind = behind.trim_start_matches('-');
    let is_name = |found: char| found.is_alphanumeric() || matches!(found, '_' | '-');
    let marker = behind.split(|found| !is_name(found)).next().unwrap_or_default();
    let mut end = part.end as usize;
    for line in source.text().get(end..).unwrap_or_default().split_inclusive('\n') {
        end += line.len();
        if line.trim() == marker {
            break;
        }
    }
    Span::new(part.start, u32::try_from(end).unwrap_or(u32::MAX))
}
