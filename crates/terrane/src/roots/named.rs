//! Reads the lists of root modules in a `fleet.toml` or an `atlantis.yaml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::GitignoreBuilder;
use serde::Deserialize;
use terrane_function::Limits;
use terrane_source::paths::shortest;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, FileId, Files, SourceFile, Span, ids};
use terrane_stdlib::decode_yaml;
use toml::Spanned;

use super::model::RootSign;

/// The maximum size of a list.
const MAX_BYTES: u64 = 1 << 20;

/// The names of the files that list root modules.
const LISTS: [(&str, RootSign); 2] =
    [("fleet.toml", RootSign::FleetFile), ("atlantis.yaml", RootSign::AtlantisFile)];

/// A directory, or a pattern of directories, that a list names.
pub(super) struct NamedRoot {
    /// The path or pattern as it is written.
    pub(super) written: String,
    pub(super) sign: RootSign,
    /// The absolute directory of the list, which paths in it are relative to.
    base: PathBuf,
    file: Arc<SourceFile>,
    /// The place of the path. `None` in YAML.
    span: Option<Span>,
}

/// The content of a `fleet.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FleetFile {
    #[serde(default)]
    root: Vec<FleetRoot>,
}

/// A `[[root]]` in a `fleet.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FleetRoot {
    path: Spanned<String>,
}

/// Reads the lists among the `entries` of a directory. `base` is its absolute path.
pub(super) fn read_lists(
    directory: &Path,
    base: &Path,
    entries: &[FileEntry],
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Vec<NamedRoot> {
    let mut named = Vec::new();
    for (name, sign) in LISTS {
        if !entries.iter().any(|entry| entry.name == name) {
            continue;
        }
        match read_list(&shortest(&directory.join(name)), sign, files) {
            Ok((file, paths)) => named.extend(paths.into_iter().map(|ListedPath { written, span }| {
                NamedRoot { written, sign, base: base.to_owned(), file: Arc::clone(&file), span }
            })),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    named
}

/// A path in a list, with its place if that is known.
struct ListedPath {
    written: String,
    span: Option<Span>,
}

fn read_list(
    path: &Path,
    sign: RootSign,
    files: &dyn Files,
) -> Result<(Arc<SourceFile>, Vec<ListedPath>), Box<Diagnostic>> {
    let bytes = files
        .read_within(path, MAX_BYTES)
        .map_err(|error| Diagnostic::error(ids::UNREADABLE_FILE, error.sentence()))?;
    let file = SourceFile::from_bytes(FileId::new(path.to_owned()), bytes)?;
    let paths = if sign == RootSign::FleetFile { fleet(&file)? } else { atlantis(&file)? };
    Ok((file, paths))
}

/// Returns the paths in a `fleet.toml`.
fn fleet(file: &Arc<SourceFile>) -> Result<Vec<ListedPath>, Diagnostic> {
    let read: FleetFile = toml::from_str(file.text()).map_err(|error| {
        let detail = format!("{}: {}.", file.id().path().display(), error.message());
        let diagnostic = Diagnostic::error(ids::INVALID_ROOT_LIST, detail)
            .hint("A root module is written as `[[root]]` and, on the next line, `path = \"live/eu\"`.");
        match error.span() {
            Some(range) => diagnostic.at(file, span(range)),
            None => diagnostic,
        }
    })?;
    let paths = read.root.into_iter().map(|root| {
        let place = span(root.path.span());
        ListedPath { written: root.path.into_inner(), span: Some(place) }
    });
    Ok(paths.collect())
}

fn span(range: std::ops::Range<usize>) -> Span {
    let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end))
}

/// Returns the directories of the projects in an `atlantis.yaml`.
fn atlantis(file: &SourceFile) -> Result<Vec<ListedPath>, Diagnostic> {
    let invalid = |reason: String| {
        let detail = format!("{}: {reason}.", file.id().path().display());
        Diagnostic::error(ids::INVALID_ROOT_LIST, detail)
    };
    let value = decode_yaml(file.text(), Limits::default().elements_of_call()).map_err(invalid)?;
    if value.is_null() {
        return Ok(Vec::new());
    }
    let members = value.as_entries().ok_or_else(|| invalid("the document must be a mapping".to_owned()))?;
    let Some(projects) = members.get("projects").filter(|projects| !projects.is_null()) else {
        return Ok(Vec::new());
    };
    let projects =
        projects.as_sequence().ok_or_else(|| invalid("`projects` must be a sequence".to_owned()))?;
    let directory = |(number, project): (usize, &terrane_value::Value)| {
        let directory = project.as_entries().and_then(|members| members.get("dir")?.as_str());
        let missing = || invalid(format!("project {number} has no `dir` with the path of a directory"));
        Ok(ListedPath { written: directory.ok_or_else(missing)?.to_owned(), span: None })
    };
    (1..).zip(projects).map(directory).collect()
}

impl NamedRoot {
    /// Whether the path is a pattern, which may match several directories.
    pub(super) fn is_pattern(&self) -> bool {
        self.written.contains(['*', '?', '['])
    }

    /// Returns the absolute path of the directory. `None` for a pattern, and if the path leads out of the directory of the
    /// list.
    pub(super) fn directory(&self) -> Option<PathBuf> {
        let directory = terrane_source::paths::tidy(&self.base.join(&self.written));
        (!self.is_pattern() && directory.starts_with(&self.base)).then_some(directory)
    }

    /// Returns the absolute path of the directory that contains the named directories.
    pub(super) fn base(&self) -> &Path {
        &self.base
    }

    /// Returns the paths of the named directories. `directories` has the candidates by their absolute paths.
    pub(super) fn matching(&self, directories: &BTreeMap<PathBuf, PathBuf>) -> Vec<PathBuf> {
        if !self.is_pattern() {
            let only = self.directory().and_then(|directory| directories.get(&directory));
            return only.cloned().into_iter().collect();
        }
        let mut builder = GitignoreBuilder::new(&self.base);
        // Without a leading slash, a pattern without a slash would match at any depth.
        let pattern = format!("/{}", self.written.trim_start_matches("./").trim_start_matches('/'));
        if builder.add_line(None, &pattern).is_err() {
            return Vec::new();
        }
        let Ok(patterns) = builder.build() else { return Vec::new() };
        let inside = directories.iter().filter(|(path, _)| path.starts_with(&self.base));
        let named = inside.filter(|(path, _)| patterns.matched(path, true).is_ignore());
        named.map(|(_, directory)| directory.clone()).collect()
    }

    /// Returns the warning that the path names no module.
    pub(super) fn not_found(&self) -> Diagnostic {
        let (file, written) = (self.file.id().path().display(), &self.written);
        let detail = match (self.is_pattern(), self.directory()) {
            (true, _) => {
                format!("{file} names {written:?} as root modules, but no directory with a module matches.")
            }
            (false, Some(_)) => {
                format!("{file} names the root module {written:?}, but there is no directory with a module.")
            }
            (false, None) => format!(
                "{file} names the root module {written:?}, which is outside of the directory of the file."
            ),
        };
        let diagnostic = Diagnostic::warning(ids::NO_SUCH_ROOT, detail);
        match self.span {
            Some(span) => diagnostic.at(&self.file, span),
            None => diagnostic,
        }
    }
}
