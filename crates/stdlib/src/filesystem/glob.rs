//! Matches file name patterns: `*`, `?`, `[a-z]`, `{one,two}`, and `**` for any directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use terrane_source::{FileError, FileErrorKind, FileKind, Files};

/// Maximum number of patterns that the alternatives of one pattern expand to.
const MAX_ALTERNATIVES: usize = 10_000;
/// Maximum number of bytes of a pattern with its directory.
const MAX_BYTES: usize = 64 << 10;
/// The work of one directory entry; a walk over a whole file system would take minutes.
const WORK_OF_ENTRY: usize = 128;
/// The work to look up one component of the path of a directory.
const WORK_OF_COMPONENT: usize = 16;
/// The comparisons of a part of a pattern with a character that are one unit of work.
const COMPARISONS_OF_WORK: usize = 16;
/// Maximum depth of directories below `**`.
const MAX_LEVELS: usize = 250;

/// The reason for which a pattern has no result.
#[derive(Debug)]
pub(super) enum GlobError {
    /// An opening character has no closing one, or an escape is at the end.
    Malformed,
    /// The pattern has too many alternatives or directory entries.
    TooMany,
    /// The pattern leads to a path that may not be read.
    Refused(FileError),
}

/// Returns the entries other than directories that match `pattern`, which is a cleaned path. `spend` counts work and returns
/// whether the limit permits it.
pub(super) fn glob(
    files: &dyn Files,
    pattern: &str,
    spend: &dyn Fn(usize) -> bool,
) -> Result<BTreeMap<String, FileKind>, GlobError> {
    if pattern.len() > MAX_BYTES {
        return Err(GlobError::TooMany);
    }
    let (base, rest) = split_base(pattern);
    if !is_well_formed(rest) {
        return Err(GlobError::Malformed);
    }
    let mut walk = Walk { files, spend, matches: BTreeMap::new() };
    for alternative in alternatives(rest, spend)? {
        let mut segments: Vec<Segment> = split_segments(&alternative).into_iter().map(segment).collect();
        // Adjacent `**` are one.
        segments.dedup_by(|next, segment| {
            matches!((segment, next), (Segment::Directories, Segment::Directories))
        });
        let mut visited = BTreeSet::new();
        walk.directory(&base, &segments, &mut visited, &mut Vec::new())?;
    }
    Ok(walk.matches)
}

/// Returns the directory before the first segment with a special character, and the remaining pattern.
fn split_base(pattern: &str) -> (String, &str) {
    let mut escaped = false;
    let mut slash = None;
    for (index, c) in pattern.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => slash = Some(index),
            '*' | '?' | '[' | '{' => break,
            _ => {}
        }
    }
    match slash.and_then(|slash| pattern.split_at_checked(slash)) {
        None => (".".to_owned(), pattern),
        Some((base, rest)) => {
            let base = if base.is_empty() { "/".to_owned() } else { unescape(base) };
            (base, rest.strip_prefix('/').unwrap_or(rest))
        }
    }
}

fn is_well_formed(pattern: &str) -> bool {
    let mut chars = pattern.chars().peekable();
    let mut open = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return false,
            '[' => {
                chars.next_if(|c| matches!(c, '^' | '!'));
                if !matches!(chars.peek(), Some(c) if *c != ']') {
                    return false;
                }
                loop {
                    match chars.next() {
                        None => return false,
                        Some(']') => break,
                        Some('\\') => {
                            chars.next();
                        }
                        Some(_) => {}
                    }
                }
            }
            '{' => open += 1,
            '}' if open == 0 => return false,
            '}' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

/// Returns the patterns without `{...}` that `pattern` expands to. A byte of them is a unit of work.
fn alternatives(pattern: &str, spend: &dyn Fn(usize) -> bool) -> Result<Vec<String>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        if done.len() + open.len() > MAX_ALTERNATIVES {
            return Err(GlobError::TooMany);
        }
        match first_choice(&pattern) {
            None => done.push(pattern),
            Some(Choice { before, alternatives, after }) => {
                for choice in alternatives {
                    let expanded = format!("{before}{choice}{after}");
                    if !spend(expanded.len()) {
                        return Err(GlobError::TooMany);
                    }
                    open.push(expanded);
                }
            }
        }
    }
    Ok(done)
}

/// A `{...}` of a pattern, with the text before and after it.
struct Choice<'p> {
    before: &'p str,
    alternatives: Vec<&'p str>,
    after: &'p str,
}

/// Returns the first `{...}` of a pattern; `None` if it has none.
fn first_choice(pattern: &str) -> Option<Choice<'_>> {
    let (mut escaped, mut class, mut depth) = (false, false, 0_usize);
    let mut start = 0;
    let mut from = 0;
    let mut alternatives = Vec::new();
    for (index, c) in pattern.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => class = false,
            _ if class => {}
            '[' => class = true,
            '{' => {
                depth += 1;
                if depth == 1 {
                    (start, from) = (index, index + 1);
                }
            }
            ',' if depth == 1 => {
                alternatives.push(pattern.get(from..index)?);
                from = index + 1;
            }
            '}' if depth == 1 => {
                alternatives.push(pattern.get(from..index)?);
                let (before, after) = (pattern.get(..start)?, pattern.get(index + 1..)?);
                return Some(Choice { before, alternatives, after });
            }
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn split_segments(pattern: &str) -> Vec<&str> {
    let mut escaped = false;
    let unescaped_slash = |c: char| {
        let slash = c == '/' && !escaped;
        escaped = c == '\\' && !escaped;
        slash
    };
    pattern.split(unescaped_slash).collect()
}

enum Segment {
    /// `**`: any number of directories.
    Directories,
    /// A literal name.
    Name(String),
    /// A name with special characters.
    Pattern {
        pieces: Vec<GlobPiece>,
        /// The comparisons for one character of a name.
        comparisons: usize,
    },
}

enum GlobPiece {
    /// `*`: any characters.
    Any,
    /// `?`: one character.
    One,
    Char(char),
    /// `[...]`: a character in one of the ranges, or outside of all of them.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl GlobPiece {
    fn comparisons(&self) -> usize {
        match self {
            GlobPiece::Any | GlobPiece::One | GlobPiece::Char(_) => 1,
            GlobPiece::Class { ranges, .. } => ranges.len(),
        }
    }
}

fn segment(text: &str) -> Segment {
    if text == "**" {
        return Segment::Directories;
    }
    let pieces = pieces(text);
    if pieces.iter().all(|piece| matches!(piece, GlobPiece::Char(_))) {
        Segment::Name(unescape(text))
    } else {
        let comparisons = pieces.iter().map(GlobPiece::comparisons).sum();
        Segment::Pattern { pieces, comparisons }
    }
}

/// Returns `text` without the backslashes before special characters.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let special = |c: &char| matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
        let escaped = if c == '\\' { chars.next_if(special) } else { None };
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

fn pieces(text: &str) -> Vec<GlobPiece> {
    let mut pieces = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        pieces.push(match c {
            '*' => GlobPiece::Any,
            '?' => GlobPiece::One,
            '\\' => GlobPiece::Char(chars.next().unwrap_or(c)),
            '[' => {
                let negated = chars.next_if(|c| matches!(c, '^' | '!')).is_some();
                let mut ranges = Vec::new();
                while let Some(c) = chars.next().filter(|c| *c != ']') {
                    let low = if c == '\\' { chars.next().unwrap_or(c) } else { c };
                    let mut after = chars.clone();
                    let high = match (after.next(), after.next()) {
                        (Some('-'), Some('\\')) => after.next(),
                        (Some('-'), Some(high)) if high != ']' => Some(high),
                        _ => None,
                    };
                    if high.is_some() {
                        chars = after;
                    }
                    ranges.push((low, high.unwrap_or(low)));
                }
                GlobPiece::Class { negated, ranges }
            }
            _ => GlobPiece::Char(c),
        });
    }
    pieces
}

fn matches(pieces: &[GlobPiece], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut piece, mut at) = (0, 0);
    // The position to retry from, with one more character for the last `*`.
    let mut retry = None;
    loop {
        match (pieces.get(piece), name.get(at)) {
            (None, None) => return true,
            (Some(GlobPiece::Any), _) => {
                piece += 1;
                retry = Some((piece, at));
                continue;
            }
            (Some(wanted), Some(c)) if matches_one(wanted, *c) => {
                (piece, at) = (piece + 1, at + 1);
                continue;
            }
            (Some(_) | None, Some(_) | None) => {}
        }
        match retry {
            Some((after, from)) if from < name.len() => {
                (piece, at) = (after, from + 1);
                retry = Some((after, from + 1));
            }
            Some(_) | None => return false,
        }
    }
}

fn matches_one(piece: &GlobPiece, c: char) -> bool {
    match piece {
        GlobPiece::Any => false,
        GlobPiece::One => true,
        GlobPiece::Char(wanted) => *wanted == c,
        GlobPiece::Class { negated, ranges } => {
            ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated
        }
    }
}

struct Walk<'f> {
    files: &'f dyn Files,
    spend: &'f dyn Fn(usize) -> bool,
    matches: BTreeMap<String, FileKind>,
}

impl Walk<'_> {
    /// Collects the entries that match `segments` below `directory`. `inside` has the real paths of the directories
    /// that `**` entered, to detect circular links.
    fn directory(
        &mut self,
        directory: &str,
        segments: &[Segment],
        visited: &mut BTreeSet<(String, usize)>,
        inside: &mut Vec<PathBuf>,
    ) -> Result<(), GlobError> {
        let Some((segment, rest)) = segments.split_first() else { return Ok(()) };
        if !visited.insert((directory.to_owned(), segments.len())) {
            return Ok(());
        }
        self.enter(directory)?;
        match segment {
            Segment::Name(name) if name.is_empty() => self.directory(directory, rest, visited, inside),
            Segment::Name(name) => {
                let path = super::path::join(directory, name);
                match self.files.metadata(Path::new(&path)) {
                    Ok(FileKind::Directory) => self.directory(&path, rest, visited, inside),
                    Ok(kind) if rest.is_empty() => {
                        self.matches.insert(path, kind);
                        Ok(())
                    }
                    Ok(FileKind::File | FileKind::Other) => Ok(()),
                    Err(error) => unless_refused(error),
                }
            }
            Segment::Pattern { pieces, comparisons } => {
                for (name, kind) in self.entries(directory)? {
                    self.spend(comparisons.saturating_mul(name.len()) / COMPARISONS_OF_WORK)?;
                    if !matches(pieces, &name) {
                        continue;
                    }
                    let path = super::path::child(directory, &name);
                    if kind == FileKind::Directory {
                        self.directory(&path, rest, visited, inside)?;
                    } else if rest.is_empty() {
                        self.matches.insert(path, kind);
                    } else {
                        self.passed_by(&path, kind)?;
                    }
                }
                Ok(())
            }
            Segment::Directories => {
                self.directory(directory, rest, visited, inside)?;
                let here = match self.files.canonicalize(Path::new(directory)) {
                    Ok(here) => here,
                    Err(error) => return unless_refused(error),
                };
                if inside.iter().any(|other| is_same(other, &here)) || inside.len() >= MAX_LEVELS {
                    return Ok(());
                }
                inside.push(here);
                for (name, kind) in self.entries(directory)? {
                    let path = super::path::child(directory, &name);
                    if kind == FileKind::Directory {
                        self.directory(&path, segments, visited, inside)?;
                    } else if rest.is_empty() {
                        self.matches.insert(path, kind);
                    } else {
                        self.passed_by(&path, kind)?;
                    }
                }
                inside.pop();
                Ok(())
            }
        }
    }

    /// Returns an error if a path through this entry would lead out of the sandbox.
    fn passed_by(&self, path: &str, kind: FileKind) -> Result<(), GlobError> {
        if kind != FileKind::Other {
            return Ok(());
        }
        self.files.metadata(Path::new(path)).map_or_else(unless_refused, |_| Ok(()))
    }

    /// Counts a directory.
    fn enter(&self, directory: &str) -> Result<(), GlobError> {
        self.look_at(1)?;
        self.spend(path_components(directory).saturating_mul(WORK_OF_COMPONENT))
    }

    fn look_at(&self, entries: usize) -> Result<(), GlobError> {
        self.spend(entries.saturating_mul(WORK_OF_ENTRY))
    }

    fn spend(&self, work: usize) -> Result<(), GlobError> {
        if (self.spend)(work) { Ok(()) } else { Err(GlobError::TooMany) }
    }

    /// Returns the name and kind of each entry of a directory; `None` if it cannot be read.
    fn entries(&mut self, directory: &str) -> Result<Vec<(String, FileKind)>, GlobError> {
        let entries = match self.files.list(Path::new(directory)) {
            Ok(entries) => entries,
            Err(error) => return unless_refused(error).map(|()| Vec::new()),
        };
        self.look_at(entries.len())?;
        Ok(entries.into_iter().map(|entry| (entry.name, entry.kind)).collect())
    }
}

fn path_components(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

/// Whether two canonical paths are the same. Component by component, paths with the same names take long to compare.
fn is_same(one: &Path, other: &Path) -> bool {
    one.as_os_str() == other.as_os_str()
}

/// An unreadable path matches nothing, as in the reference, but a path outside of the sandbox is an error.
fn unless_refused(error: FileError) -> Result<(), GlobError> {
    match error.kind {
        FileErrorKind::Confined => Err(GlobError::Refused(error)),
        FileErrorKind::NotFound
        | FileErrorKind::IsDirectory
        | FileErrorKind::NotDirectory
        | FileErrorKind::NotRegular
        | FileErrorKind::PermissionDenied
        | FileErrorKind::TooLarge { .. }
        | FileErrorKind::Other(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;

    fn found(pattern: &str) -> Vec<String> {
        let paths = ["a.txt", ".h", "b.tf", "e/b.txt", "e/f/c.txt", "e/[x].md", "ab"];
        let files: MemoryFiles = paths.iter().map(|path| (path, "")).collect();
        glob(&files, pattern, &|_| true).unwrap().into_keys().collect()
    }

    #[test]
    fn patterns_match_files() {
        let cases: [(&str, &[&str]); 14] = [
            ("*", &[".h", "a.txt", "ab", "b.tf"]),
            ("**", &[".h", "a.txt", "ab", "b.tf", "e/[x].md", "e/b.txt", "e/f/c.txt"]),
            ("**/*.txt", &["a.txt", "e/b.txt", "e/f/c.txt"]),
            ("**/f/*", &["e/f/c.txt"]),
            ("e/**/c.txt", &["e/f/c.txt"]),
            ("{a,x}.txt", &["a.txt"]),
            ("{a.txt,e/{b.*,f/*}}", &["a.txt", "e/b.txt", "e/f/c.txt"]),
            ("?.t[a-f]", &["b.tf"]),
            ("[!a]?t*", &["b.tf"]),
            ("e/\\[x\\].*", &["e/[x].md"]),
            ("e/\\[x\\].md", &["e/[x].md"]),
            ("a**b", &["ab"]),
            ("a.txt", &["a.txt"]),
            ("none/*", &[]),
        ];
        for (pattern, expected) in cases {
            assert_eq!(found(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_take_the_work_of_their_parts() {
        let deep = format!("{}x", "d/".repeat(60));
        let files = MemoryFiles::from_iter([(deep.as_str(), ""), ("y", "")]);
        let work = |pattern: &str| {
            let work = std::cell::Cell::new(0);
            let spend = |more| {
                work.set(work.get() + more);
                true
            };
            (glob(&files, pattern, &spend).unwrap().len(), work.get())
        };
        assert_eq!(work(&format!("{}x", "**/".repeat(2000))), work("**/x"));
        assert_eq!(work("**/x").0, 1);
        // The path of a directory counts, too.
        assert!(work("**/x").1 > 61 * 3 * WORK_OF_ENTRY + 61 * 30 * WORK_OF_COMPONENT);
        assert!(work(&format!("[{}]", "a".repeat(32_000))).1 > 4000);
        assert!(work(&"{a,b}".repeat(10)).1 > 10 << 10);
    }

    #[test]
    fn malformed_patterns_and_explosions_are_errors() {
        let files = MemoryFiles::from_iter([("a", ""), ("b", "")]);
        for pattern in ["[", "[]", "{a", "a}", "x\\", "[a"] {
            assert!(matches!(glob(&files, pattern, &|_| true), Err(GlobError::Malformed)), "{pattern}");
        }
        let many = "{a,b}".repeat(40);
        assert!(matches!(glob(&files, &many, &|_| true), Err(GlobError::TooMany)));
        // The limit allows a look at only one of the two entries.
        assert!(matches!(glob(&files, "*", &|work| work < 2 * WORK_OF_ENTRY), Err(GlobError::TooMany)));
    }
}
