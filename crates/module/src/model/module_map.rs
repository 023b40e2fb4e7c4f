//! Maps sources of modules to directories, according to a file that the user gives.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_config::{Version, VersionConstraint};

use crate::model::ids::{Arena, MapLineId};
use crate::model::pattern_index::PatternIndex;
use crate::model::source::{ModuleSource, SourceError};
use crate::model::source_names::{SourceName, forms_of_option};
use terrane_source::paths::{join, tidy};

/// Directories to read instead of modules that are not local: lines of the form `SOURCE [VERSION] = DIR`.
///
/// `*` in a source stands for any text. In the directory, it stands for the text of the same star in the source. A line
/// with a version is for calls whose constraint allows it. Empty lines have no meaning, and neither does text after a
/// `#` that begins the line or follows a space.
///
/// ```
/// use std::path::Path;
///
/// use terrane_module::ModuleMap;
///
/// let text = "# all modules\nterraform-aws-modules/*/aws 5.1.0 = vendor/terraform-aws-*\n";
/// assert!(ModuleMap::parse(text, Path::new(".")).is_ok());
/// assert_eq!(ModuleMap::parse("a/b/c vendor\n", Path::new(".")).unwrap_err(), "line 1 has no `=`");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ModuleMap {
    lines: Arena<MapLineId, Line>,
    /// The lines whose source has no star, by each form of the source.
    exact: HashMap<String, Vec<MapLineId>>,
    /// The lines with a star, by texts that their forms contain.
    patterns: PatternIndex,
    /// Whether unused lines may be for other root modules.
    is_shared: bool,
}

/// The steps of a comparison of a name with a form of a line.
const STEPS_OF_COMPARISON: usize = 8;
/// The steps of a comparison of a version with a constraint.
const STEPS_OF_VERSION: usize = 64;
/// The number of bytes of a text that are compared in a step.
const BYTES_OF_STEP: usize = 8;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    source: Box<str>,
    /// The further forms of the source, with the stars.
    other_forms: Box<[String]>,
    version: Option<Box<str>>,
    /// The directory, with a star for the text of each star in the source.
    directory: Box<str>,
    file: Arc<MapFile>,
    /// The number of the line in the file.
    number: usize,
}

/// The file with a map.
#[derive(Clone, PartialEq, Eq, Debug)]
struct MapFile {
    /// The directory to which relative directories are relative.
    base: PathBuf,
    /// The name of the file, if it is known.
    name: Option<String>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { source, version, file, number, .. } = self;
        write!(f, "`{source}")?;
        if let Some(version) = version {
            write!(f, " {version}")?;
        }
        write!(f, "` (line {number}")?;
        if let Some(name) = &file.name {
            write!(f, " of {name}")?;
        }
        f.write_str(")")
    }
}

impl Line {
    /// # Errors
    ///
    /// The reason why the line is malformed, as words that follow its number.
    fn parse(text: &str, number: usize, file: &Arc<MapFile>) -> Result<Line, String> {
        // The source may contain more equals signs, as in `?ref=v1`.
        let spaced =
            text.rsplit_once('=').filter(|(left, _)| left.is_empty() || left.ends_with(char::is_whitespace));
        let split =
            spaced.or_else(|| text.split_once('=').filter(|(source, _)| !source.contains(['?', ' ', '\t'])));
        let (left, directory) = split.ok_or("has no `=`")?;
        let mut words = left.split_whitespace();
        let (source, version, rest) = (words.next(), words.next(), words.next());
        let source = source.ok_or("has no source before `=`")?;
        if rest.is_some() {
            return Err("does not have the form `SOURCE [VERSION] = DIR`".into());
        }
        let directory = directory.trim();
        if directory.is_empty() || directory.matches('*').count() > source.matches('*').count() {
            return Err("has no directory, or more stars in it than in the source".into());
        }
        if let Some(version) = version {
            version.parse::<Version>().map_err(|error| {
                format!("{error}: the version is a single one, such as 5.1.0, and each call says with `version` whether it is allowed")
            })?;
        }
        match ModuleSource::parse(source, false) {
            Ok(ModuleSource::Local(_)) => Err(format!(
                "has the local path \"{source}\" as its source: local modules are always read from their own directory"
            )),
            Err(SourceError::MaybeLocal) if !source.contains('*') => {
                Err(format!("has the source \"{source}\", which is not the address of a module"))
            }
            _ => Ok(Line {
                source: source.into(),
                other_forms: forms_of_option(source).into_iter().filter(|form| form != source).collect(),
                version: version.map(Box::from),
                directory: directory.into(),
                file: Arc::clone(file),
                number,
            }),
        }
    }

    /// Returns the texts for the stars, if the line is for this name.
    fn stars(&self, name: &SourceName) -> Option<Vec<String>> {
        self.forms().find_map(|form| stars(form, &name.text))
    }

    /// Returns the source and its other forms.
    fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.source).chain(self.other_forms.iter().map(String::as_str))
    }

    fn is_pattern(&self) -> bool {
        self.source.contains('*')
    }

    /// Returns the steps that comparing the line with a call with these names takes.
    fn steps(&self, names: &[SourceName]) -> u64 {
        let forms: usize = self.forms().map(|form| STEPS_OF_COMPARISON + form.len() / BYTES_OF_STEP).sum();
        let names: usize = names.iter().map(|name| 1 + name.text.len() / BYTES_OF_STEP).sum();
        let version = if self.version.is_some() { STEPS_OF_VERSION } else { 0 };
        u64::try_from(forms.saturating_mul(names).saturating_add(version)).unwrap_or(u64::MAX)
    }

    /// Whether the version of the line is allowed for a call with this constraint.
    fn allows(&self, version: Option<&VersionConstraint>) -> bool {
        let version = version.zip(self.version.as_deref());
        version.is_none_or(|(constraint, version)| constraint.allows_text(version))
    }
}

/// A directory that a line gives.
pub(crate) struct Mapped {
    pub(crate) directory: PathBuf,
    /// Whether the source of the line has a star, so that the line may be meant for other modules.
    pub(crate) is_pattern: bool,
    /// The line in the map.
    pub(crate) line: MapLineId,
}

impl ModuleMap {
    /// Returns the map in the text of a file; relative directories start at `base`.
    ///
    /// # Errors
    ///
    /// The first line that is malformed, in words.
    pub fn parse(text: &str, base: &Path) -> Result<ModuleMap, String> {
        let file = Arc::new(MapFile { base: base.to_owned(), name: None });
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().zip(1_usize..).map(|(line, number)| (without_comment(line).trim(), number));
        let lines = lines.filter(|(line, _)| !line.is_empty()).map(|(line, number)| {
            Line::parse(line, number, &file).map_err(|error| format!("line {number} {error}"))
        });
        lines.collect::<Result<_, _>>().map(ModuleMap::of)
    }

    /// Returns the map with the name of its file, for warnings about unused lines.
    #[must_use]
    pub fn of_file(mut self, name: &str) -> ModuleMap {
        let mut named: Option<Arc<MapFile>> = None;
        for line in self.lines.iter_mut() {
            let file = named.take().filter(|file| file.base == line.file.base);
            let file = file.unwrap_or_else(|| {
                Arc::new(MapFile { base: line.file.base.clone(), name: Some(name.to_owned()) })
            });
            line.file = Arc::clone(&file);
            named = Some(file);
        }
        self
    }

    /// Returns the map for one of several root modules: a line that this root module does not use is no mistake.
    #[must_use]
    pub fn for_several_roots(self) -> ModuleMap {
        ModuleMap { is_shared: true, ..self }
    }

    fn of(lines: Arena<MapLineId, Line>) -> ModuleMap {
        let mut map = ModuleMap::default();
        for (id, line) in lines.enumerate() {
            match line.is_pattern() {
                true => line.forms().for_each(|form| map.patterns.add(form, id)),
                false => {
                    for form in line.forms() {
                        map.exact.entry(form.to_owned()).or_default().push(id);
                    }
                }
            }
        }
        ModuleMap { lines, ..map }
    }

    /// Whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the lines of both maps; the lines of `other` have precedence.
    #[must_use]
    pub fn with(self, other: ModuleMap) -> ModuleMap {
        let is_shared = self.is_shared || other.is_shared;
        let map = ModuleMap::of(other.lines.into_values().chain(self.lines.into_values()).collect());
        ModuleMap { is_shared, ..map }
    }

    /// Returns the lines that are not used, each with its source and place; none if they may be for other root modules.
    pub(crate) fn lines_besides<'m>(
        &'m self,
        used: impl Fn(MapLineId) -> bool + 'm,
    ) -> impl Iterator<Item = impl fmt::Display + 'm> + 'm {
        let lines = self.lines.enumerate().filter(|_| !self.is_shared);
        lines.filter(move |(id, _)| !used(*id)).map(|(_, line)| line)
    }

    /// Returns the lines that may be for a call with these names, in their order. No other line is for the call.
    pub(crate) fn candidates(&self, names: &[SourceName]) -> MapLineIds<'_> {
        let exact = names.iter().filter_map(|name| self.exact.get(&name.text)).map(Vec::as_slice);
        let patterns = names.iter().flat_map(|name| self.patterns.candidates(&name.text));
        let mut candidates = MapLineIds { next: BinaryHeap::new(), last: None };
        exact.chain(patterns).for_each(|lines| candidates.add(lines));
        candidates
    }

    /// Returns the steps that [`candidates`](ModuleMap::candidates) takes.
    pub(crate) fn steps_of_candidates(&self, names: &[SourceName]) -> u64 {
        names.iter().map(|name| self.patterns.steps(&name.text)).fold(0, u64::saturating_add)
    }

    /// Returns the steps that comparing a line with a call with these names takes.
    pub(crate) fn steps_of_line(&self, line: MapLineId, names: &[SourceName]) -> u64 {
        self.lines[line].steps(names)
    }

    /// Returns the directories that a line gives for a call with these names: for the whole source, or for its package,
    /// with the directory inside the package appended.
    pub(crate) fn directories(
        &self,
        id: MapLineId,
        names: &[SourceName],
        version: Option<&VersionConstraint>,
    ) -> Vec<Mapped> {
        let line = &self.lines[id];
        if !line.allows(version) {
            return Vec::new();
        }
        let directory = |name: &SourceName| {
            let directory = join(&line.file.base, &filled(&line.directory, &line.stars(name)?));
            let inside = name.inside.as_deref();
            Some(inside.map_or_else(|| tidy(&directory), |inside| join(&directory, inside)))
        };
        // A star may stand for a part of the directory inside the package.
        let is_pattern = line.is_pattern();
        let most = if is_pattern { names.len() } else { 1 };
        let directories = names.iter().filter_map(directory).take(most);
        directories.map(|directory| Mapped { directory, is_pattern, line: id }).collect()
    }
}

/// An iterator over the lines of several lists, in order and each once.
pub(crate) struct MapLineIds<'m> {
    /// The rests of the lists that are not empty. The rest with the first line is on top.
    next: BinaryHeap<Reverse<RestOfList<'m>>>,
    last: Option<MapLineId>,
}

/// The rest of a list of lines, which is not empty. Rests are ordered by their first lines.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RestOfList<'m> {
    first: MapLineId,
    rest: &'m [MapLineId],
}

impl<'m> MapLineIds<'m> {
    fn add(&mut self, lines: &'m [MapLineId]) {
        if let Some((first, rest)) = lines.split_first() {
            self.next.push(Reverse(RestOfList { first: *first, rest }));
        }
    }
}

impl Iterator for MapLineIds<'_> {
    type Item = MapLineId;

    fn next(&mut self) -> Option<MapLineId> {
        while let Some(Reverse(RestOfList { first, rest })) = self.next.pop() {
            self.add(rest);
            if self.last != Some(first) {
                self.last = Some(first);
                return Some(first);
            }
        }
        None
    }
}

/// Returns the line without the comment at its end.
fn without_comment(line: &str) -> &str {
    let is_comment = |(at, _): &(usize, &str)| {
        line.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
    };
    let comment = line.match_indices('#').find(is_comment);
    comment.and_then(|(at, _)| line.get(..at)).unwrap_or(line)
}

/// Returns the texts for the stars of a pattern, each as short as possible; `None` if the pattern does not match.
fn stars(pattern: &str, text: &str) -> Option<Vec<String>> {
    let mut parts = pattern.split('*');
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        let end = match is_last {
            true => rest.strip_suffix(part)?.len(),
            false => rest.find(part)?,
        };
        let (star, behind) = rest.split_at_checked(end)?;
        found.push(star.to_owned());
        rest = behind.get(part.len()..)?;
    }
    rest.is_empty().then_some(found)
}

/// Returns the text with its stars replaced.
fn filled(text: &str, stars: &[String]) -> String {
    let mut stars = stars.iter();
    text.split_inclusive('*').fold(String::new(), |filled, part| match part.strip_suffix('*') {
        Some(part) => filled + part + stars.next().map_or("", String::as_str),
        None => filled + part,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::Id;
    use crate::model::source_names::names_of_call;

    /// Returns the directories for a call with this source.
    fn found(map: &ModuleMap, call: &str) -> Vec<PathBuf> {
        let source = ModuleSource::parse(call, false).expect("an address");
        let names = names_of_call(call, &source);
        let directories = map.candidates(&names).flat_map(|line| map.directories(line, &names, None));
        directories.map(|mapped| mapped.directory).collect()
    }

    #[test]
    fn stars_stand_for_any_text() {
        let cases = [
            ("a/b", "a/b", Some(vec![])),
            ("a/b", "a/bc", None),
            ("a/*/c", "a/b/c", Some(vec!["b"])),
            ("a/*/c", "a/b/d/c", Some(vec!["b/d"])),
            ("*", "", Some(vec![""])),
            ("*/x-*", "h/x-y-x-z", Some(vec!["h", "y-x-z"])),
            ("a*a", "a", None),
        ];
        for (pattern, text, expected) in cases {
            let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(stars(pattern, text), expected, "{pattern} {text}");
        }
        assert_eq!(filled("v/*-*/m", &["a".to_owned(), "b".to_owned()]), "v/a-b/m");
    }

    #[test]
    fn spaces_around_the_equals_sign_and_a_byte_order_mark_change_nothing() {
        let map = |text: &str| ModuleMap::parse(text, Path::new("."));
        assert_eq!(map("\u{feff}a/b/c=vendor/x\n"), map("a/b/c = vendor/x\n"));
        assert!(map("a/b/c=vendor/x").is_ok());
    }

    #[test]
    fn malformed_lines_are_errors() {
        let error = |text: &str| ModuleMap::parse(text, Path::new(".")).unwrap_err();
        assert_eq!(error("\n# x\na b c = d"), "line 3 does not have the form `SOURCE [VERSION] = DIR`");
        assert_eq!(error("a = "), "line 1 has no directory, or more stars in it than in the source");
        assert_eq!(error("a = x*"), "line 1 has no directory, or more stars in it than in the source");
        assert_eq!(error("git::x?ref=v1"), "line 1 has no `=`");
        assert_eq!(error("= vendor"), "line 1 has no source before `=`");
        assert_eq!(
            error("a/b/c = # vendor"),
            "line 1 has no directory, or more stars in it than in the source"
        );
        let error_of_path = "line 1 has the local path \"./a\" as its source: local modules are always read from their own directory";
        assert_eq!(error("./a = vendor/a"), error_of_path);
        assert_eq!(error("a = b"), "line 1 has the source \"a\", which is not the address of a module");
        assert!(
            error("a/b/c 1.x = d")
                .starts_with("line 1 \"1.x\" is not a version: the version is a single one")
        );
        assert!(error("a/b/c ~>1.2 = d").starts_with("line 1 \"~>1.2\" is not a version"));
    }

    #[test]
    fn text_behind_a_number_sign_is_a_comment() {
        let map = ModuleMap::parse("a/b/c = v#1/d  # x = y\n  # all\n", Path::new("b")).expect("a map");
        assert_eq!(found(&map, "a/b/c"), [PathBuf::from("b/v#1/d")]);
    }

    #[test]
    fn patterns_are_for_all_spellings() {
        for (pattern, call, expected) in [
            ("git::https://github.com/acme/*.git = v/*", "git@github.com:acme/net.git//m?ref=v1", "v/net/m"),
            ("github.com/acme/* = v/*", "git::https://github.com/acme/net.git", "v/net"),
            ("registry.terraform.io/acme/*/aws = v/*", "acme/vpc/aws//d", "v/vpc/d"),
        ] {
            let map = ModuleMap::parse(pattern, Path::new(".")).expect("a map");
            let found = found(&map, call);
            assert!(found.contains(&PathBuf::from(expected)), "{pattern} {call}: {found:?}");
        }
    }

    #[test]
    fn only_lines_that_may_fit_are_compared() {
        let text: String = (0..100).map(|i| format!("acme/*-qq{i}-*/aws = d\nacme/*/aws{i} = d\n")).collect();
        let map =
            ModuleMap::parse(&format!("{text}*/b/c = d\n* = e\nacme/x-qq7-y/aws = f\n"), Path::new("."));
        let map = map.expect("a map");
        let call = "acme/x-qq7-y/aws";
        let names = names_of_call(call, &ModuleSource::parse(call, false).expect("an address"));
        let candidates: Vec<MapLineId> = map.candidates(&names).collect();
        assert_eq!(candidates.iter().map(|line| line.index()).collect::<Vec<_>>(), [14, 201, 202]);
        assert!(map.steps_of_line(candidates[0], &names) > map.steps_of_line(candidates[1], &names));
        assert_eq!(found(&map, call).first(), Some(&PathBuf::from("d")));
    }
}
