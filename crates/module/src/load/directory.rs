//! Reads the configuration files of one directory, and decodes them into a module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_body::{Body, SourceReader};
use terrane_config::damaged_values::DamagedFile;
use terrane_function::Dialect;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, FileId, FileKind, SourceFile, ids};
use terrane_syntax::tree::Damage;
use terrane_syntax::{Parsed, ParsedSource, Token, is_hidden_or_backup, json};

use crate::damage::{json as json_damage, native as native_damage};
use crate::decode::{DecodedModule, Decoding, File, FileSet};
use crate::model::doubt::Doubt;
use crate::model::module::{Module, RootBody};
use crate::model::request::Request;
use crate::rules::{FileRules, Rules};
use crate::{decode, resolve};
use terrane_source::paths::tidy;

/// The content of a directory.
#[derive(Debug)]
pub struct Directory {
    /// Its declarations.
    pub module: Arc<Module>,
    /// Its files, in the order of their names.
    pub files: Vec<FileId>,
    /// Errors and warnings that do not depend on the call.
    pub diagnostics: Diagnostics,
    /// The number of syntax errors, each about text that cannot be read: [`Module::doubt`] has the consequences.
    pub syntax_errors: usize,
    /// Files with syntax errors, and files that cannot be read.
    pub damaged: Vec<DamagedFile>,
    /// The number of errors in declarations, without errors in expressions.
    pub declaration_errors: usize,
    /// Whether the module is not for this version of the product: then that may be the cause of all other errors.
    pub is_refused: bool,
    /// The files that could be read, in the order of their names.
    pub parsed: Vec<Arc<ParsedFile>>,
    /// The files that are symbolic links.
    pub(crate) links: Vec<PathBuf>,
    /// Whether every file could be read.
    pub(crate) is_read: bool,
}

/// A parsed configuration file.
#[derive(Debug)]
pub struct ParsedFile {
    /// The text.
    pub source: Arc<SourceFile>,
    /// The content.
    pub body: Body,
    /// All tokens of the native syntax, with comments, without white space.
    pub tokens: Vec<Token>,
    /// The mistakes in the syntax.
    pub diagnostics: Vec<Diagnostic>,
    /// The parts that the mistakes made unreadable.
    pub damage: Vec<Damage>,
    /// The unreadable parts of a JSON file, with the names around them.
    json_damage: Vec<json::Damage>,
}

impl ParsedFile {
    fn parse(source: Arc<SourceFile>) -> ParsedFile {
        let parsed = ParsedSource::of(&source);
        let body = Body::of(&parsed);
        match parsed {
            ParsedSource::Native(Parsed { tokens, diagnostics, damage, .. }) => {
                ParsedFile { source, body, tokens, diagnostics, damage, json_damage: Vec::new() }
            }
            ParsedSource::Json(json::Document { diagnostics, damage: json_damage, .. }) => {
                let damage = json_damage::of_file(&source, &json_damage);
                ParsedFile { source, body, tokens: Vec::new(), diagnostics, damage, json_damage }
            }
        }
    }
}

impl Directory {
    /// Returns the size of the sources.
    pub(crate) fn bytes(&self) -> usize {
        self.parsed.iter().map(|file| file.source.text().len()).sum()
    }
}

/// Whether a directory with these entries contains configuration.
pub fn is_module(entries: &[FileEntry], dialect: Dialect) -> bool {
    let rules = FileRules::of(dialect);
    entries
        .iter()
        .any(|entry| entry.kind != FileKind::Directory && FileName::of(&entry.name, rules).is_some())
}

/// Whether a syntax check of a directory includes the files whose names end in `.tofu`.
pub fn checks_tofu_files(dialect: Dialect) -> bool {
    FileRules::of(dialect).check_tofu
}

/// The name of a configuration file, in parts.
struct FileName<'n> {
    /// The name up to its ending.
    stem: &'n str,
    json: bool,
    tofu: bool,
}

impl FileName<'_> {
    fn of<'n>(name: &'n str, rules: FileRules) -> Option<FileName<'n>> {
        if is_hidden_or_backup(name) {
            return None;
        }
        let endings = [
            (".tf", false, false),
            (".tf.json", true, false),
            (".tofu", false, true),
            (".tofu.json", true, true),
        ];
        endings.into_iter().find_map(|(ending, json, tofu)| {
            let stem = name.strip_suffix(ending)?;
            (!tofu || rules.read_tofu).then_some(FileName { stem, json, tofu })
        })
    }

    fn is_override(&self) -> bool {
        self.stem == "override" || self.stem.ends_with("_override")
    }
}

/// A directory to read, and how to read it.
pub(crate) struct Reading<'r> {
    pub(crate) path: &'r Path,
    pub(crate) rules: &'r Rules,
    pub(crate) request: &'r Request,
    pub(crate) sources: &'r SourceReader<'r>,
    /// The earlier state of the directory, whose files are taken over if their texts are the same.
    pub(crate) earlier: Option<&'r Arc<Directory>>,
}

/// Reads the directory with these entries. Returns it with the number of parsed files; without a change,
/// returns the earlier directory.
pub(crate) fn read(reading: &Reading<'_>, mut entries: Vec<FileEntry>) -> (Arc<Directory>, u64) {
    let Reading { path, rules, request, sources, earlier } = *reading;
    entries.retain(|entry| entry.kind != FileKind::Directory);
    let mut reader = FileReader::new(sources, earlier);
    let mut parsed_files = reader.all(path, &entries, rules);
    if let Some(earlier) = earlier.filter(|earlier| reader.is_unchanged(earlier)) {
        return (Arc::clone(earlier), 0);
    }
    let syntax_errors = reader.diagnostics.errors();
    let mut of_module = Diagnostics::new();
    parsed_files.doubt = std::mem::take(&mut reader.doubt);
    let DecodedModule { mut module, open_rules, mut removed } =
        decode::module(Decoding { directory: path, rules, request, sources }, parsed_files, &mut of_module);
    let mut broken_rules = resolve::reference_rule::check(&open_rules, &module);
    removed.extend(broken_rules.remove_from(&mut module));
    let mut of_module = broken_rules.joined_with(of_module);
    let declaration_errors = of_module.as_slice().iter().filter(|found| found.is_error());
    let declaration_errors = declaration_errors.filter(|found| !module.doubt.silences(found)).count();
    module.sources = reader.parsed.iter().map(|file| Arc::clone(&file.source)).collect();
    let root = |file: &Arc<ParsedFile>| RootBody {
        body: file.body.clone(),
        has_errors: file.diagnostics.iter().any(Diagnostic::is_error),
    };
    module.roots = reader.parsed.iter().map(root).collect();
    module.references =
        resolve::module::module(&module, &request.schemas, sources.closest_names(), &mut of_module);
    module.references.add_expressions(removed);
    reader.diagnostics.extend(of_module.into_iter().filter(|found| !module.doubt.silences(found)));
    // The version may be the cause of all other errors.
    let is_refusal = |diagnostic: &Diagnostic| {
        diagnostic.id == ids::INCOMPATIBLE_MODULE && rules.version_error_hides_others
    };
    let is_refused = reader.diagnostics.as_slice().iter().any(is_refusal);
    let diagnostics = match is_refused {
        true => reader.diagnostics.into_iter().filter(is_refusal).collect(),
        false => reader.diagnostics,
    };
    module.has_errors = diagnostics.has_errors();
    let FileReader { ids: files, parsed, links, is_read, parsings, damaged, .. } = reader;
    let module = Arc::new(module);
    let directory = Directory {
        module,
        files,
        diagnostics,
        syntax_errors,
        declaration_errors,
        damaged,
        is_refused,
        parsed,
        links,
        is_read,
    };
    (Arc::new(directory), parsings)
}

/// Returns the file with the name and the text of a source. The files are in the order of their names, as directories list them.
pub(super) fn same_file<'f>(
    files: &'f [Arc<ParsedFile>],
    source: &SourceFile,
) -> Option<&'f Arc<ParsedFile>> {
    let at = files.binary_search_by(|file| file.source.id().cmp(source.id())).ok()?;
    files.get(at).filter(|file| file.source.is_same(source))
}

struct FileReader<'r> {
    sources: &'r SourceReader<'r>,
    /// The files that were parsed before.
    earlier: &'r [Arc<ParsedFile>],
    ids: Vec<FileId>,
    parsed: Vec<Arc<ParsedFile>>,
    /// The files that are symbolic links.
    links: Vec<PathBuf>,
    /// Whether every file could be read.
    is_read: bool,
    /// The number of files that were parsed.
    parsings: u64,
    diagnostics: Diagnostics,
    /// The files that could not be read or parsed.
    damaged: Vec<DamagedFile>,
    doubt: Doubt,
}

impl<'r> FileReader<'r> {
    /// Returns a reader that has read nothing. It takes over files of an earlier state whose texts are the same.
    fn new(sources: &'r SourceReader<'r>, earlier: Option<&'r Arc<Directory>>) -> FileReader<'r> {
        FileReader {
            sources,
            earlier: earlier.map(|earlier| &*earlier.parsed).unwrap_or_default(),
            ids: Vec::new(),
            parsed: Vec::new(),
            links: Vec::new(),
            is_read: true,
            parsings: 0,
            diagnostics: Diagnostics::new(),
            damaged: Vec::new(),
            doubt: Doubt::default(),
        }
    }
}

impl FileReader<'_> {
    /// Returns the configuration files among the entries of a directory.
    fn all(&mut self, path: &Path, entries: &[FileEntry], rules: &Rules) -> FileSet {
        let names: Vec<(&FileEntry, FileName<'_>)> = entries
            .iter()
            .filter_map(|entry| Some((entry, FileName::of(&entry.name, rules.files)?)))
            .collect();
        // `a.tofu` replaces `a.tf`.
        let replaced: HashSet<(&str, bool)> =
            names.iter().filter(|(_, name)| name.tofu).map(|(_, name)| (name.stem, name.json)).collect();
        let mut files = FileSet::default();
        for (entry, name) in &names {
            if !name.tofu && replaced.contains(&(name.stem, name.json)) {
                continue;
            }
            let path = tidy(&path.join(&entry.name));
            if let Some(parsed) = self.file(&path, name) {
                let set = if name.is_override() { &mut files.overrides } else { &mut files.primary };
                set.push(parsed);
            }
            if entry.is_link {
                self.links.push(path);
            }
        }
        files
    }

    fn file(&mut self, path: &Path, name: &FileName<'_>) -> Option<File> {
        let source = match self.sources.read(path) {
            Ok(source) => source,
            Err(diagnostic) => {
                // A file that is not text has been read nevertheless.
                if diagnostic.id != ids::UNREADABLE_FILE {
                    self.ids.push(FileId::new(path));
                }
                self.is_read = false;
                self.damaged.push(DamagedFile::unreadable(path));
                native_damage::whole_file(&FileId::new(path), name.is_override(), &mut self.doubt);
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        let parsed = self.parsed(source);
        self.ids.push(parsed.source.id().clone());
        native_damage::of_file(&parsed.body, &parsed.damage, name.is_override(), &mut self.doubt);
        json_damage::of_blocks(&parsed.body, &parsed.json_damage, name.is_override(), &mut self.doubt);
        self.damaged.extend(DamagedFile::of(parsed.source.id(), &parsed.diagnostics));
        self.diagnostics.extend(parsed.diagnostics.iter().cloned());
        let body = parsed.body.clone();
        self.parsed.push(parsed);
        Some(File { body, tofu: name.tofu })
    }

    /// Returns the parsed file, taken over if it was parsed before with the same text.
    fn parsed(&mut self, source: Arc<SourceFile>) -> Arc<ParsedFile> {
        same_file(self.earlier, &source).map(Arc::clone).unwrap_or_else(|| {
            self.parsings += 1;
            Arc::new(ParsedFile::parse(source))
        })
    }

    /// Whether the files are the files of the earlier directory.
    fn is_unchanged(&self, earlier: &Directory) -> bool {
        self.is_read
            && earlier.is_read
            && self.parsed.len() == earlier.parsed.len()
            && self.parsed.iter().zip(&earlier.parsed).all(|(one, other)| Arc::ptr_eq(one, other))
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::*;
    use crate::load::cache::Cache;

    #[test]
    fn configuration_files_are_found_by_name() {
        let all = ["a.tf", "a.tofu", "b.tf", ".h.tf", "c.tf~", "#d.tf#", "e.tf.bak", "f.hcl", "g.tftest.hcl"];
        let files: MemoryFiles = all.into_iter().map(|name| (name, "")).collect();
        let read = |dialect: &str| {
            let request = Request { dialect: dialect.parse().unwrap(), ..Request::new(".") };
            let directory = Cache::default().directory(Path::new("."), &request, &files);
            let names: Vec<String> = directory.unwrap().files.iter().map(ToString::to_string).collect();
            names.join(" ")
        };
        assert_eq!(read("modules"), "a.tofu b.tf");
        assert_eq!(read("terraform"), "a.tf b.tf");
    }
}
