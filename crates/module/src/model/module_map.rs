//! A map from sources of modules to directories, which a file has.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use terrane_config::VersionConstraint;

use crate::model::paths::{join, tidy};
use crate::model::source::ModuleSource;

/// Directories to read instead of modules that are not local: lines of the form `SOURCE [VERSION] = DIR`.
///
/// `*` in a source stands for any text, and in the directory for the text that the same star of the source stands for. A line
/// with a version is for calls whose constraint allows it. Empty lines and those that begin with `#` have no meaning.
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
#[derive(Clone, Default, Debug)]
pub struct ModuleMap {
    lines: Vec<Line>,
    /// The numbers of the lines whose source has no star, by source.
    exact: HashMap<String, Vec<usize>>,
    /// The numbers of the other lines.
    patterns: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Line {
    source: String,
    version: Option<String>,
    /// With stars for those of the source.
    directory: String,
    /// The directory that relative ones start at.
    base: PathBuf,
}

/// A directory that a line gives.
pub(crate) struct Mapped {
    pub(crate) directory: PathBuf,
    /// Whether the line may be meant for other modules.
    pub(crate) is_pattern: bool,
}

impl ModuleMap {
    /// The map in the text of a file; relative directories start at `base`.
    ///
    /// # Errors
    ///
    /// The first line that is malformed, in words.
    pub fn parse(text: &str, base: &Path) -> Result<ModuleMap, String> {
        let lines = text.lines().zip(1_usize..).map(|(line, number)| (line.trim(), number));
        let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let line = |(line, number): (&str, usize)| {
            // There may be more equals signs in the source, as in `?ref=v1`.
            let (left, directory) = line
                .rsplit_once('=')
                .filter(|(left, _)| left.ends_with(char::is_whitespace))
                .ok_or_else(|| format!("line {number} has no `=`"))?;
            let mut words = left.split_whitespace();
            let (source, version, rest) = (words.next(), words.next(), words.next());
            let source = source
                .filter(|_| rest.is_none())
                .ok_or_else(|| format!("line {number} does not have the form `SOURCE [VERSION] = DIR`"))?;
            let directory = directory.trim();
            if directory.is_empty() || directory.matches('*').count() > source.matches('*').count() {
                return Err(format!(
                    "line {number} has no directory, or more stars in it than in the source"
                ));
            }
            Ok(Line {
                source: source.to_owned(),
                version: version.map(str::to_owned),
                directory: directory.to_owned(),
                base: base.to_owned(),
            })
        };
        lines.map(line).collect::<Result<_, _>>().map(ModuleMap::of)
    }

    fn of(lines: Vec<Line>) -> ModuleMap {
        let mut map = ModuleMap::default();
        for (number, line) in lines.iter().enumerate() {
            match line.source.contains('*') {
                true => map.patterns.push(number),
                false => map.exact.entry(line.source.clone()).or_default().push(number),
            }
        }
        ModuleMap { lines, ..map }
    }

    /// Whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines of both; those of `other` count first.
    #[must_use]
    pub fn with(self, other: ModuleMap) -> ModuleMap {
        ModuleMap::of(other.lines.into_iter().chain(self.lines).collect())
    }

    /// The number of lines that every call is compared with.
    pub(crate) fn patterns(&self) -> usize {
        self.patterns.len()
    }

    /// The directories for a call, those of the first lines first: for the whole source, or for its package, to which the
    /// directory inside the package is added.
    pub(crate) fn find<'m>(
        &'m self,
        written: &'m str,
        source: &'m ModuleSource,
        version: Option<&'m VersionConstraint>,
    ) -> impl Iterator<Item = Mapped> + 'm {
        let whole = source.to_string();
        let (package, subdirectory) = source.package();
        let is_allowed = move |line: &Line| {
            let version = version.zip(line.version.as_deref());
            version.is_none_or(|(constraint, version)| constraint.allows_text(version))
        };
        let exact = [written, &whole, package].into_iter().filter_map(|source| self.exact.get(source));
        let mut numbers: Vec<usize> = exact.flatten().chain(&self.patterns).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(|number| self.lines.get(number)).filter_map(move |line| {
            let stars = |text: &str| stars(&line.source, text);
            let of_whole = stars(written).or_else(|| stars(&whole)).map(|stars| (stars, None));
            let (stars, inside) = of_whole.or_else(|| Some((stars(package)?, subdirectory)))?;
            if !is_allowed(line) {
                return None;
            }
            let directory = join(&line.base, &filled(&line.directory, &stars));
            let directory = inside.map_or_else(|| tidy(&directory), |inside| join(&directory, inside));
            Some(Mapped { directory, is_pattern: line.source.contains('*') })
        })
    }
}

/// The texts that the stars of a pattern stand for, each the shortest, if the pattern matches.
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

/// The text with its stars replaced.
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
    fn malformed_lines_are_errors() {
        let error = |text: &str| ModuleMap::parse(text, Path::new(".")).unwrap_err();
        assert_eq!(error("\n# x\na b c = d"), "line 3 does not have the form `SOURCE [VERSION] = DIR`");
        assert_eq!(error("a = "), "line 1 has no directory, or more stars in it than in the source");
        assert_eq!(error("a = x*"), "line 1 has no directory, or more stars in it than in the source");
        assert_eq!(error("git::x?ref=v1"), "line 1 has no `=`");
    }
}
