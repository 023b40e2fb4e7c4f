//! Checks whole modules and Packer templates without providers and plugins, as `terraform validate` and `packer validate`
//! do.
//!
//! Each directory is validated as a module or template, on all cores; then the syntax of every file is checked. Files that the
//! validation of a module has parsed are not parsed again.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use terrane_config::{Assignment, Dialect, InputSources};
use terrane_function::Limits;
use terrane_module::inputs::{is_about_values, place_without_text};
use terrane_module::{
    Cache, ModuleDirectories, ModuleMap, Phase, Request, Schemas, checks_tofu_files, is_module,
};
use terrane_packer::{TemplateRequest, is_template_file};
use terrane_source::paths::shortest;
use terrane_source::{
    Diagnostic, Diagnostics, FileEntry, FileId, FileKind, Files, SourceFile, SourceVersion, Span, ids,
};
use terrane_syntax::{is_for_opentofu, is_hidden_or_backup};
use terrane_value::SmolStr;

use crate::caches::Caches;
use crate::check_syntax::{CheckOutcome, check_files, is_configuration, is_configuration_without_tofu};
use crate::dialect_at::{dialect_at, has_template};
use crate::load::{LoadedProject, load};
use crate::schema_store::SchemaStores;
use crate::search::ignored::Ignored;
use crate::search::spelling::one_spelling;
use crate::search::{Search, parallel};
use crate::template::PackerTemplate;

/// Options of [`check`]. Start from the default and set the fields that differ.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Whether subdirectories are checked too.
    pub recursive: bool,
    /// The product and edition that the configuration is written for. Without one, the files of each directory decide.
    pub dialect: Option<Dialect>,
    /// Directories to read in place of modules that are not local, by source.
    pub modules: Vec<(String, PathBuf)>,
    /// Directories to read for sources that match patterns. An entry of `modules` takes precedence.
    pub module_map: ModuleMap,
    /// Whether an installed module is read, with a warning, although its call now asks for another source or version.
    pub allows_changed_modules: bool,
    /// Provider schemas. Arguments and blocks of providers without a schema are not checked.
    pub schemas: Schemas,
    /// Directories with more schemas, which are selected by the versions in the lock file of each root module.
    pub schema_stores: Option<SchemaStores>,
    /// The values of variables of Packer templates. Modules are checked for any values.
    pub inputs: InputSources,
    /// Limits of the evaluation of each module and template.
    pub limits: Limits,
    /// For Packer templates: patterns of the builds to check; all builds if empty.
    pub only: Vec<String>,
    /// For Packer templates: patterns of builds and post-processors to skip.
    pub except: Vec<String>,
}

impl CheckOptions {
    fn is_for_packer(&self) -> bool {
        self.dialect.is_some_and(Dialect::is_packer)
    }
}

/// Checks files and directories.
///
/// - A directory with a module: types, references, arguments and blocks for any values of the variables, also in the modules
///   that it calls.
/// - A directory with a Packer template, or a template file: everything that needs no plugin. As for `packer validate`,
///   every variable must have a value.
/// - A file of a module: the module in its directory, once for all files of it.
/// - Any other file: its syntax, if its name tells the kind of file. With a dialect of Terraform, files that only OpenTofu
///   reads are skipped in directories.
///
/// With `recursive`, every subdirectory is checked in the same way, also examples, tests and modules without a call. As in
/// [`Roots::find`](crate::Roots::find), hidden directories, links, and directories that a `.gitignore` or `.terraneignore`
/// names are left out. A directory that several paths name is checked once, under the first of its names.
pub fn check<P: AsRef<Path>>(paths: &[P], options: &CheckOptions, files: &dyn Files) -> CheckOutcome {
    check_with(&one_spelling(paths, options.recursive, files), options, files, &Caches::default())
}

/// Does the same as [`check`], with the files in `caches`.
fn check_with<P: AsRef<Path>>(
    paths: &[P],
    options: &CheckOptions,
    files: &dyn Files,
    caches: &Caches,
) -> CheckOutcome {
    let found = configurations(paths, options, files);
    let is_one = found.len() == 1;
    let roots = found.clone();
    let tasks = found.into_iter().collect();
    let work = |path: PathBuf, _: &mut Vec<PathBuf>| {
        let validated = validate(&path, options, files, caches);
        Some((path, validated))
    };
    let mut validated = parallel::run(tasks, work);
    validated.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let is_wanted = match options.dialect.is_none_or(checks_tofu_files) {
        true => is_configuration,
        false => is_configuration_without_tofu,
    };
    let search =
        Search { recursive: options.recursive, leaves_out_ignored: true, ..Search::new(files, is_wanted) };
    let (of_known_kind, of_unknown_kind): (Vec<&Path>, Vec<&Path>) =
        paths.iter().map(AsRef::as_ref).partition(|path| is_known_kind(path, files));
    let mut outcome = check_files(&of_known_kind, search, &options.limits, &caches.directories);
    of_unknown_kind.into_iter().for_each(|path| outcome.unknown_kind(path));
    let mut read: BTreeSet<FileId> = outcome.files.iter().cloned().collect();
    let mut overrides = ModuleDirectories::default();
    for (_, Validated { files, diagnostics, missing_modules, overrides: used }) in validated {
        outcome.missing_modules.extend(missing_modules);
        overrides.merge(used);
        for file in files {
            if read.insert(file.clone()) {
                outcome.files.push(file);
            }
        }
        outcome.diagnostics.extend(diagnostics);
    }
    outcome.diagnostics.extend(overrides.mistakes(&options.modules, &options.module_map, files));
    if !is_one {
        // A variable file on the command line may be written for only one of the modules.
        let all = std::mem::take(&mut outcome.diagnostics).into_iter();
        outcome.diagnostics = all.filter(|diagnostic| !is_undeclared_option(diagnostic, options)).collect();
    }
    // The validation has found the secret arguments.
    let found = std::mem::take(&mut outcome.diagnostics).into_iter().map(Diagnostic::without_secret_texts);
    let found = found.collect::<Diagnostics>().distinct();
    let sensitive = SensitiveVariables {
        options,
        files,
        cache: &caches.directories,
        read: RefCell::default(),
        roots: &roots,
        damaged: files_with_errors(&found),
        copies: RefCell::default(),
    };
    let hidden = found.into_iter().map(|diagnostic| sensitive.hide(diagnostic));
    // The syntax check and a validation may have hidden the same text.
    outcome.diagnostics = hidden.collect::<Diagnostics>().distinct();
    outcome.diagnostics.sort();
    outcome.files_with_errors = files_with_errors(&outcome.diagnostics).len();
    // The syntax check has not seen called modules in other directories.
    let unread = outcome.diagnostics.as_slice().iter().filter(|found| is_unread(found));
    // An unreadable directory is reported for itself and for each call of it, and counts once.
    outcome.not_checked = unread.map(read_failure).collect::<HashSet<_>>().len();
    outcome
}

/// Returns the files that errors are about.
fn files_with_errors(diagnostics: &Diagnostics) -> HashSet<FileId> {
    let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.is_error());
    errors.filter_map(|diagnostic| Some(diagnostic.subject.as_ref()?.file.id().clone())).collect()
}

/// Returns the directories and template files to evaluate: those the paths name or contain.
fn configurations<P: AsRef<Path>>(
    paths: &[P],
    options: &CheckOptions,
    files: &dyn Files,
) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in paths {
        // The syntax check also names files by the shortened path.
        let path = shortest(path.as_ref());
        match files.metadata(&path) {
            Ok(FileKind::Directory) => {
                if !options.recursive && options.is_for_packer() {
                    // If the dialect is Packer's, a directory without a template is an error, so it must be evaluated.
                    found.insert(path.clone());
                }
                find_configurations(path, options, files, &mut found);
            }
            Ok(_) if is_template(&path, options) => {
                found.insert(path);
            }
            Ok(_) if is_module_file(&path) => {
                let directory = path.parent().map_or_else(|| PathBuf::from("."), shortest);
                if files.list(&directory).is_ok_and(|entries| has_configuration(&entries, options)) {
                    found.insert(directory);
                }
            }
            // The syntax check has reported unreadable files.
            Ok(_) | Err(_) => {}
        }
    }
    found
}

/// Returns the reason why a file or directory was not read, without the beginning of the detail, which differs with each call
/// of the directory.
fn read_failure(diagnostic: &Diagnostic) -> String {
    let (_, reason) = diagnostic.detail.split_once("cannot be read: ").unwrap_or(("", &diagnostic.detail));
    let mut characters = reason.chars();
    let first = characters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// Whether an error reports a file or directory that was not checked.
fn is_unread(diagnostic: &Diagnostic) -> bool {
    let ids = [ids::UNREADABLE_FILE, ids::FILE_TOO_LARGE, ids::UNREADABLE_DIRECTORY, ids::UNKNOWN_FILE_TYPE];
    diagnostic.is_error() && ids.contains(&diagnostic.id)
}

/// Removes the values of sensitive variables from diagnostics about variable files.
struct SensitiveVariables<'c> {
    options: &'c CheckOptions,
    files: &'c dyn Files,
    cache: &'c Cache,
    /// The variables of each directory, read at the first request for it; `None` if it has neither a module nor a template.
    read: RefCell<HashMap<PathBuf, Option<Rc<VariablesOfDirectory>>>>,
    /// The directories of the modules that were validated, whose validations have hidden the secrets in their variable files.
    roots: &'c BTreeSet<PathBuf>,
    /// The files with errors.
    damaged: HashSet<FileId>,
    /// The versions of the files whose secrets are hidden.
    copies: RefCell<HashSet<SourceVersion>>,
}

/// The variables of a module or template.
#[derive(Default)]
struct VariablesOfDirectory {
    /// The names of the sensitive variables.
    secret: HashSet<SmolStr>,
    /// The names of the other variables.
    plain: HashSet<SmolStr>,
    /// Whether a sensitive variable could not be read.
    has_unread_secret: bool,
    /// Whether declarations may be missing.
    is_partial: bool,
    /// The files, in which the texts of secrets are hidden.
    sources: HashMap<FileId, Arc<SourceFile>>,
}

impl VariablesOfDirectory {
    /// Adds variables, each with whether it is a secret.
    fn add<'n>(&mut self, variables: impl Iterator<Item = (&'n SmolStr, bool)>) {
        for (name, is_secret) in variables {
            let names = if is_secret { &mut self.secret } else { &mut self.plain };
            names.insert(name.clone());
        }
    }

    fn add_sources(&mut self, sources: &[Arc<SourceFile>]) {
        self.sources.extend(sources.iter().map(|source| (source.id().clone(), Arc::clone(source))));
    }

    /// Whether the text at a mistake in a variable file may be a value of a sensitive variable.
    fn may_be_secret(&self, diagnostic: &Diagnostic, text: &str) -> bool {
        let is_in_text = self.secret.iter().any(|name| text.contains(&**name));
        let is_plain = |name: &str| self.plain.contains(name) && !self.secret.contains(name);
        let is_name = diagnostic.subject.as_ref().is_some_and(|subject| subject.file.is_blanked());
        let has_secrets = self.has_unread_secret || !self.secret.is_empty();
        is_in_text || has_secrets && (is_name || !is_about_values(diagnostic, &is_plain))
    }
}

impl SensitiveVariables<'_> {
    /// Returns the diagnostic without the source text of a variable file that sets a sensitive variable.
    fn hide(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(subject) = &diagnostic.subject else { return diagnostic };
        let path = subject.file.id().to_string();
        if ![".tfvars", ".tfvars.json", ".pkrvars.hcl"].iter().any(|ending| path.ends_with(ending)) {
            self.hide_in_copy(&subject.file);
            return diagnostic;
        }
        if subject.file.is_blanked() && !self.may_be_part(&diagnostic, subject.file.id()) {
            return diagnostic;
        }
        let text = subject.file.text();
        match self.variables(Path::new(&path)).filter(|variables| !variables.is_partial) {
            Some(variables) if variables.may_be_secret(&diagnostic, text) => {
                place_without_text(diagnostic, &path)
            }
            Some(_) => diagnostic,
            // Without a whole module or template beside the variable file its variables are not known, so any of them may be
            // sensitive.
            None => {
                subject.file.hide(Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)));
                diagnostic
            }
        }
    }

    /// Whether the name in a diagnostic about a variable file may be a part of a secret of another module: the file has syntax
    /// errors, and the validation of its own module has not seen it.
    fn may_be_part(&self, diagnostic: &Diagnostic, file: &FileId) -> bool {
        diagnostic.id == ids::UNDECLARED_VALUE
            && self.damaged.contains(file)
            && !self.roots.contains(directory_of(file.path()))
    }

    /// Hides the secrets in a file that only other files make secret. Its own parser has not seen these files.
    fn hide_in_copy(&self, copy: &Arc<SourceFile>) {
        if !self.copies.borrow_mut().insert(copy.version()) {
            return;
        }
        let Some(variables) = self.variables(copy.id().path()) else { return };
        let source = variables.sources.get(copy.id()).filter(|source| source.is_same(copy));
        if let Some(source) = source.filter(|source| !Arc::ptr_eq(source, copy)) {
            source.hidden().into_iter().for_each(|secret| copy.hide(secret));
        }
    }

    /// Returns the variables of the module or template in the directory of a file. `None` if the directory has neither.
    fn variables(&self, path: &Path) -> Option<Rc<VariablesOfDirectory>> {
        let directory = directory_of(path);
        if let Some(read) = self.read.borrow().get(directory) {
            return read.clone();
        }
        let variables = self.read(directory).map(Rc::new);
        self.read.borrow_mut().insert(directory.to_owned(), variables.clone());
        variables
    }

    fn read(&self, directory: &Path) -> Option<VariablesOfDirectory> {
        let dialect = self.options.dialect.unwrap_or_default();
        let entries = self.files.list(directory).ok()?;
        if has_template(&entries) {
            return Some(self.read_template(directory));
        }
        if !is_module(&entries, dialect) {
            return None;
        }
        let mut read = self.cache.read_directories(directory);
        // No validation may have read the directory, or one in a dialect that a lock file has chosen, without files of OpenTofu.
        if read.is_empty() || entries.iter().any(|entry| is_for_opentofu(&entry.name)) {
            let request = request(directory, dialect, self.options);
            read.push(self.cache.directory(directory, &request, self.files).ok()?);
        }
        let mut found = VariablesOfDirectory::default();
        for module in read.iter().map(|read| &read.module) {
            found.add(module.variables.iter().map(|(name, variable)| (name, variable.is_secret())));
            found.has_unread_secret |= module.has_unread_secret();
            found.add_sources(&module.sources);
        }
        Some(found)
    }

    fn read_template(&self, directory: &Path) -> VariablesOfDirectory {
        let loaded = terrane_packer::load(&TemplateRequest::new(directory), self.files);
        let mut found =
            VariablesOfDirectory { is_partial: loaded.is_partial, ..VariablesOfDirectory::default() };
        found.add(loaded.template.variables.iter().map(|(name, variable)| (name, variable.sensitive)));
        found.has_unread_secret = loaded.template.has_unread_secret();
        found.add_sources(&loaded.sources);
        found
    }
}

/// Returns the directory of a file.
fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    directory.unwrap_or(Path::new("."))
}

/// Whether a diagnostic is about an undeclared variable in a file of `-var-file`.
fn is_undeclared_option(diagnostic: &Diagnostic, options: &CheckOptions) -> bool {
    let Some(subject) = &diagnostic.subject else { return false };
    let path = subject.file.id().path();
    let is_given = |assignment: &Assignment| matches!(assignment, Assignment::File(file) if file == path);
    [ids::UNDECLARED_VALUE, ids::UNDECLARED_VALUES].contains(&diagnostic.id)
        && options.inputs.assignments.iter().any(is_given)
}

/// Whether the name of a file tells its kind: configuration or JSON. True for anything but a regular file.
fn is_known_kind(path: &Path, files: &dyn Files) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_file = matches!(files.metadata(path), Ok(FileKind::File));
    !is_file || is_configuration(&name) || name.ends_with(".json") || name.ends_with(".hcl")
}

/// Whether a file belongs to a module or sets variables of one.
fn is_module_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".json").unwrap_or(&name);
    !is_hidden_or_backup(name) && [".tf", ".tofu", ".tfvars"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a path on the command line is checked as a template.
fn is_template(path: &Path, options: &CheckOptions) -> bool {
    let is_wanted = options.dialect.is_none() || options.is_for_packer();
    is_wanted && path.file_name().is_some_and(|name| is_template_file(&name.to_string_lossy()))
}

/// Collects the directories with configuration. Hidden directories, such as installed modules, are skipped, and so are
/// ignored ones and links, which may form a cycle.
fn find_configurations(
    path: PathBuf,
    options: &CheckOptions,
    files: &dyn Files,
    found: &mut BTreeSet<PathBuf>,
) {
    let ignored = Ignored::above(&path, files);
    let mut queue = vec![(path, ignored)];
    while let Some((directory, ignored)) = queue.pop() {
        // The syntax check has reported unreadable directories.
        let Ok(entries) = files.list(&directory) else { continue };
        if has_configuration(&entries, options) {
            found.insert(shortest(&directory));
        }
        if options.recursive {
            queue.extend(ignored.below(&directory, &entries, files));
        }
    }
}

fn has_configuration(entries: &[FileEntry], options: &CheckOptions) -> bool {
    match options.dialect {
        Some(_) if options.is_for_packer() => has_template(entries),
        Some(dialect) => is_module(entries, dialect),
        None => has_template(entries) || is_module(entries, Dialect::default()),
    }
}

/// The result of validating a module or template.
#[derive(Default)]
struct Validated {
    files: Vec<FileId>,
    diagnostics: Vec<Diagnostic>,
    /// The sources of called modules that are not on disk.
    missing_modules: Vec<String>,
    /// The module overrides that calls used.
    overrides: ModuleDirectories,
}

/// Validates the module or template at a path.
fn validate(path: &Path, options: &CheckOptions, files: &dyn Files, caches: &Caches) -> Validated {
    match dialect_at(path, options.dialect, files) {
        Ok(dialect) if dialect.is_packer() => validate_template(path, dialect, options, files),
        Ok(dialect) => validate_module(path, dialect, options, files, caches),
        Err(diagnostic) => Validated { diagnostics: vec![*diagnostic], ..Validated::default() },
    }
}

fn validate_template(path: &Path, dialect: Dialect, options: &CheckOptions, files: &dyn Files) -> Validated {
    let report = PackerTemplate::new(path)
        .dialect(dialect)
        .inputs(options.inputs.clone())
        .limits(options.limits.clone())
        .only(options.only.iter().cloned())
        .except(options.except.iter().cloned())
        .validating()
        .evaluate(files);
    Validated {
        files: report.evaluation().template.files.clone(),
        diagnostics: report.diagnostics().as_slice().to_vec(),
        ..Validated::default()
    }
}

/// Returns the request to validate a module.
fn request(directory: &Path, dialect: Dialect, options: &CheckOptions) -> Request {
    Request {
        dialect,
        phase: Phase::Validate,
        modules: options.modules.clone(),
        module_map: options.module_map.clone(),
        allows_changed_modules: options.allows_changed_modules,
        schemas: options.schemas.clone(),
        inputs: options.inputs.clone(),
        limits: options.limits.clone(),
        ..Request::new(directory)
    }
}

fn validate_module(
    directory: &Path,
    dialect: Dialect,
    options: &CheckOptions,
    files: &dyn Files,
    caches: &Caches,
) -> Validated {
    let request = request(directory, dialect, options);
    let loaded = load(request, options.schema_stores.as_ref(), files, files, caches);
    let LoadedProject { loaded, chosen } = loaded;
    let mut read: Diagnostics = chosen.finish(&loaded.config).diagnostics.into_iter().collect();
    let missing_modules = loaded.config.missing_modules.iter();
    let missing_modules = missing_modules.filter_map(|module| module.source.clone()).collect();
    read.extend(loaded.diagnostics);
    // If loading stopped, declarations are missing, and diagnostics of the evaluation may only follow from that.
    let diagnostics = match loaded.gaps.is_stopped {
        true => loaded.config.without_secrets(read, Diagnostics::new()),
        false => {
            let evaluation = terrane_module::evaluate(loaded.config, &loaded.inputs, files);
            evaluation.config.without_secrets(read, evaluation.diagnostics)
        }
    };
    let diagnostics = diagnostics.into_iter().collect();
    Validated { files: loaded.files, diagnostics, missing_modules, overrides: loaded.module_directories }
}

#[cfg(test)]
mod tests {
    use terrane_source::{MemoryFiles, Span};

    use super::*;

    #[test]
    fn ignored_directories_are_left_out_unless_they_are_named() {
        let wrong = "locals { a = var.nope }\n";
        let files: MemoryFiles = [
            (".gitignore", "build/\n"),
            (".terraneignore", "old\n!kept\n"),
            ("main.tf", ""),
            ("build/main.tf", wrong),
            ("a/old/main.tf", "locals {\n"),
            ("a/examples/main.tf", wrong),
        ]
        .into_iter()
        .collect();
        let options = CheckOptions { recursive: true, ..CheckOptions::default() };
        let places = |paths: &[&str]| -> Vec<String> {
            let outcome = check(paths, &options, &files);
            let subjects = outcome.diagnostics.as_slice().iter().filter_map(|found| found.subject.as_ref());
            let mut places: Vec<String> =
                subjects.map(|subject| subject.file.id().path().display().to_string()).collect();
            places.sort_unstable();
            places
        };
        assert_eq!(places(&["."]), ["a/examples/main.tf"]);
        assert_eq!(places(&["build", "a/old"]), ["a/old/main.tf", "build/main.tf"]);
    }

    fn checked(paths: &[&str], recursive: bool) -> Vec<String> {
        let files: MemoryFiles = [
            ("main.tf", "module \"m\" {\n  source = \"./m\"\n  v = \"x\"\n}\nlocals { a = var.nope }\n"),
            ("m/main.tf", "variable \"v\" { type = number }\nlocals { b = [] + 1 }\n"),
            ("other/main.tf", "variable \"n\" { default = 0 }\noutput \"o\" { value = 1 / var.n }\n"),
            ("other/below/a.tf", "resource \"a_b\" \"c\" {\n  count = 0\n  x = 1 + []\n}\n"),
            ("broken/a.tf", "locals {\n"),
            ("broken/b.tf", "output \"o\" { value = local.gone }\n"),
        ]
        .into_iter()
        .collect();
        let options = CheckOptions { recursive, ..CheckOptions::default() };
        let outcome = check(paths, &options, &files);
        let line = |diagnostic: &Diagnostic| match &diagnostic.subject {
            Some(subject) => format!("{}:{} {}", subject.file.id(), subject.span.start, diagnostic.title()),
            None => diagnostic.title().to_owned(),
        };
        outcome.diagnostics.as_slice().iter().map(line).collect()
    }

    #[test]
    fn called_modules_are_checked_too() {
        let expected = [
            "main.tf:36 Invalid value for input variable",
            "main.tf:55 Reference to undeclared input variable",
            "m/main.tf:44 Invalid operand",
        ];
        assert_eq!(checked(&["."], false), expected);
        assert_eq!(checked(&["main.tf"], false), expected, "a file stands for its module");
        assert_eq!(checked(&["./main.tf", ".", "main.tf"], false), expected);
    }

    #[test]
    fn an_unreadable_directory_counts_once() {
        let said = [
            "Reading or writing a/b is not permitted.",
            "The source of this module cannot be read: reading or writing a/b is not permitted.",
        ];
        let unread = said.map(|detail| read_failure(&Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)));
        assert_eq!(unread[0], unread[1]);
    }

    /// The lock file chooses a dialect that a request without it does not have.
    #[test]
    fn each_file_is_parsed_once() {
        let files: MemoryFiles = [
            ("main.tf", "module \"m\" { source = \"./m\" }\nlocals { a = var.nope }\n"),
            ("b.tf.json", "{\"locals\": {\"b\": 1}}"),
            ("broken.tf", "locals {\n"),
            ("m/main.tf", "variable \"v\" { default = 1 }\n"),
            ("m/unread.hcl", "a = [1 2]\n"),
            (
                ".terraform.lock.hcl",
                "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"1.0.0\"\n}\n",
            ),
        ]
        .into_iter()
        .collect();
        let parsed = |paths: &[&str], recursive: bool| {
            let (caches, options) =
                (Caches::default(), CheckOptions { recursive, ..CheckOptions::default() });
            let outcome = check_with(paths, &options, &files, &caches);
            (caches.directories.parsed(), outcome.files.len(), outcome.files_with_errors)
        };
        assert_eq!(parsed(&["."], false), (4, 4, 2));
        assert_eq!(parsed(&["main.tf"], false), (4, 4, 2));
        assert_eq!(parsed(&["m"], true), (2, 2, 1));
    }

    /// The validation reads no `.tofu` files, because the lock file names providers of Terraform.
    #[test]
    fn variables_that_opentofu_declares_sensitive_are_hidden_beside_a_lock_file() {
        let lock = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"1.0.0\"\n}\n";
        let sensitive = "variable \"v\" {\n  sensitive = true\n}\n";
        for (file, text, tofu) in [
            ("terraform.tfvars", "v = \"hunter2\" 5\n", "variables.tofu"),
            ("main.tf", "variable \"v\" {\n  default = \"hunter2\" 9\n}\n", "a_override.tofu"),
        ] {
            let files = MemoryFiles::from_iter([
                ("other.tf", "locals {}\n"),
                (file, text),
                (tofu, sensitive),
                (".terraform.lock.hcl", lock),
            ]);
            let outcome = check(&["."], &CheckOptions::default(), &files);
            let subjects = outcome.diagnostics.as_slice().iter().filter_map(|found| found.subject.as_ref());
            let mut of_file = subjects.filter(|subject| subject.file.id().path().ends_with(file));
            let at = u32::try_from(text.find("hunter2").unwrap()).unwrap();
            assert!(
                of_file.all(|subject| subject.file.shown(Span::new(at, at + 7)).trim().is_empty()),
                "{file}"
            );
            assert!(outcome.files_with_errors > 0 || outcome.diagnostics.has_errors(), "{file}");
        }
    }

    #[test]
    fn values_of_sensitive_variables_are_not_shown() {
        let files: MemoryFiles = [
            ("main.tf", "variable \"pw\" {\n  sensitive = true\n}\nvariable \"n\" {}\n"),
            ("a.tfvars", "pw = \"hunter2\n"),
            ("b.tfvars", "n = \"open\n"),
        ]
        .into_iter()
        .collect();
        let outcome = check(&["."], &CheckOptions::default(), &files);
        let places = outcome.diagnostics.as_slice().iter().filter_map(|found| found.subject.as_ref());
        let texts: Vec<_> = places.map(|place| place.file.text().trim()).collect();
        assert_eq!(texts, ["", "n = \"open"]);
        assert!(outcome.diagnostics.as_slice()[0].detail.contains("a.tfvars, line 1"));
    }

    #[test]
    fn terraform_does_not_read_the_files_of_opentofu() {
        let names = ["a.tf", "b.tofu", "c.tofu.json", "d.tofutest.hcl", "e.tftest.hcl", "f.tfvars"];
        let files: MemoryFiles = names.into_iter().map(|name| (name, "{")).collect();
        let wrong = |dialect: Option<&str>| {
            let dialect = dialect.map(|text| text.parse().unwrap());
            let outcome = check(&["."], &CheckOptions { dialect, ..CheckOptions::default() }, &files);
            (outcome.files.len(), outcome.files_with_errors)
        };
        assert_eq!(wrong(Some("terraform-1.11")), (3, 3));
        assert_eq!([wrong(None), wrong(Some("opentofu")), wrong(Some("modules"))], [(6, 6); 3]);
    }

    #[test]
    fn values_of_variables_do_not_count_and_every_block_is_looked_into() {
        assert_eq!(checked(&["other"], true), ["other/below/a.tf:43 Invalid operand"]);
    }

    #[test]
    fn templates_are_checked_as_templates() {
        let image =
            "source \"null\" \"x\" { communicator = \"none\" }\nbuild {\n  sources = [\"null.y\"]\n}\n";
        let files: MemoryFiles = [
            ("images/a.pkr.hcl", image),
            ("images/b.pkr.hcl", "variable \"v\" {}\n"),
            ("images/v.auto.pkrvars.hcl", "w = 1\n"),
            ("both/a.pkr.hcl", "variable \"v\" {}\n"),
            ("both/a.tf", "output \"o\" { value = local.gone }\n"),
        ]
        .into_iter()
        .collect();
        let titles = |path: &str, dialect: Option<&str>, given: &[(&str, &str)]| {
            let given =
                given.iter().map(|(name, value)| Assignment::Variable((*name).into(), (*value).into()));
            let inputs = InputSources { assignments: given.collect(), ..InputSources::default() };
            let dialect = dialect.map(|text| text.parse().unwrap());
            let options = CheckOptions { recursive: true, dialect, inputs, ..CheckOptions::default() };
            let outcome = check(&[path], &options, &files);
            let all = outcome.diagnostics.as_slice().iter().map(|found| found.title().to_owned());
            all.collect::<Vec<_>>().join(", ")
        };
        let all = "Unknown source null.y, Unset variable \"v\", Undefined variable";
        assert_eq!(titles("images", None, &[]), all);
        assert_eq!(titles("images", None, &[("v", "1")]), "Unknown source null.y, Undefined variable");
        assert_eq!(titles("images/a.pkr.hcl", None, &[]), "Unknown source null.y");
        assert_eq!(titles("images/b.pkr.hcl", None, &[("v", "1")]), "Missing build block");
        assert_eq!(titles("both", None, &[]), "Modules and Packer templates in one directory");
        assert_eq!(titles("both", Some("packer"), &[("v", "1")]), "Missing build block");
        assert_eq!(titles("both", Some("modules"), &[]), "Reference to undeclared local value");
    }

    #[test]
    fn a_syntax_error_hides_no_errors_elsewhere() {
        let found = [
            "broken/a.tf:7 Unclosed configuration block",
            "broken/b.tf:21 Reference to undeclared local value",
        ];
        assert_eq!(checked(&["broken"], false), found);
    }
}
