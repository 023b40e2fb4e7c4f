//! Checking whole modules and templates: what the reference finds without providers and plugins.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use terrane_config::{Dialect, InputSources};
use terrane_function::Product;
use terrane_module::inputs::without_text;
use terrane_module::{Cache, Phase, Request, Schemas, StandIns, is_module};
use terrane_packer::is_template_file;
use terrane_source::{Diagnostic, EntryKind, FileEntry, FileId, Files, ids};

use crate::PackerTemplate;
use crate::check::{SyntaxCheck, check_files, is_configuration, is_terraform_configuration};
use crate::search::{Search, parallel, shortest};
use crate::template::{dialect_at, has_template};

/// How to check. Begin with the default and set what differs.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Whether to go into the directories below.
    pub recursive: bool,
    /// The product and edition that the configuration is written for; without it, the files of a directory tell.
    pub dialect: Option<Dialect>,
    /// Directories that stand in for modules which are not local, by source.
    pub modules: Vec<(String, PathBuf)>,
    /// What providers have, so that what belongs to them is checked, too.
    pub schemas: Schemas,
    /// The values of variables of Packer templates. Modules are checked for any values.
    pub inputs: InputSources,
    /// Of Packer templates, the builds to check, as patterns; all where there is none.
    pub only: Vec<String>,
    /// Of Packer templates, builds and post-processors not to check, as patterns.
    pub except: Vec<String>,
}

impl CheckOptions {
    fn is_for_packer(&self) -> bool {
        self.is_for(Product::Packer)
    }

    fn is_for(&self, product: Product) -> bool {
        self.dialect.is_some_and(|dialect| dialect.product() == Some(product))
    }
}

/// Checks what `paths` name.
///
/// - Of directories with a module, all that can be told without providers, for any values of the variables: types,
///   references, arguments and blocks, also in the modules that are called from there.
/// - Of directories with a Packer template, and of template files, all that can be told without plugins; as for
///   `packer validate`, every variable must have a value.
/// - Of other files, the syntax; for Terraform, files of a directory that OpenTofu alone reads are passed over.
///
/// With `recursive` every directory below is checked in the same way.
pub fn check<P: AsRef<Path>>(paths: &[P], options: &CheckOptions, files: &dyn Files) -> SyntaxCheck {
    let is_wanted =
        if options.is_for(Product::Terraform) { is_terraform_configuration } else { is_configuration };
    let mut outcome = check_files(paths, Search { files, recursive: options.recursive, is_wanted });
    let mut found = BTreeSet::new();
    for path in paths {
        // Files are named as they are where their syntax is checked.
        let path = shortest(path.as_ref());
        match files.metadata(&path) {
            Ok(EntryKind::Directory) => {
                if !options.recursive && options.is_for_packer() {
                    // Where a template is asked for, it is a mistake that there is none.
                    found.insert(path.clone());
                }
                find_configurations(path, options, files, &mut found);
            }
            Ok(_) if is_template(&path, options) => {
                found.insert(path);
            }
            // What cannot be read was reported with the syntax.
            Ok(_) | Err(_) => {}
        }
    }
    let cache = Cache::default();
    let mut read: BTreeSet<FileId> = outcome.files.iter().cloned().collect();
    let tasks = found.into_iter().collect();
    let work = |path: PathBuf, _: &mut Vec<PathBuf>| {
        let validated = validate(&path, options, files, &cache);
        Some((path, validated))
    };
    let mut validated = parallel::run(tasks, work);
    validated.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut stand_ins = StandIns::default();
    for (_, Validated { files, diagnostics, absent, stand_ins: these }) in validated {
        outcome.absent.extend(absent);
        stand_ins.merge(these);
        for file in files {
            if read.insert(file.clone()) {
                outcome.files.push(file);
            }
        }
        outcome.diagnostics.extend(diagnostics);
    }
    outcome.diagnostics.extend(stand_ins.mistakes(&options.modules, files));
    let secrets = Secrets { options, files, cache: &cache };
    let found = std::mem::take(&mut outcome.diagnostics).distinct();
    outcome.diagnostics = found.into_iter().map(|diagnostic| secrets.without(diagnostic)).collect();
    outcome.diagnostics.sort();
    let of_errors = outcome.diagnostics.as_slice().iter().filter(|diagnostic| diagnostic.is_error());
    let with_errors: HashSet<&FileId> =
        of_errors.filter_map(|diagnostic| Some(diagnostic.subject.as_ref()?.file.id())).collect();
    outcome.files_with_errors = with_errors.len();
    // A file of a module that is called from elsewhere is not among those whose syntax was checked.
    let unread = outcome.diagnostics.as_slice().iter().filter(|found| is_unread(found));
    // A directory may be met by itself and by several calls, each with its own error.
    outcome.not_checked = unread.map(what_is_unread).collect::<HashSet<_>>().len();
    outcome
}

/// What an error says of the file or directory that was not read, whoever asked for it.
fn what_is_unread(diagnostic: &Diagnostic) -> String {
    let (_, said) = diagnostic.detail.split_once("cannot be read: ").unwrap_or(("", &diagnostic.detail));
    let mut characters = said.chars();
    let first = characters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// Whether an error says that something was not read.
fn is_unread(diagnostic: &Diagnostic) -> bool {
    let ids = [ids::UNREADABLE_FILE, ids::UNREADABLE_DIRECTORY];
    ids.contains(&diagnostic.id)
}

/// Keeps the values of sensitive variables out of messages about files of values.
struct Secrets<'c> {
    options: &'c CheckOptions,
    files: &'c dyn Files,
    cache: &'c Cache,
}

impl Secrets<'_> {
    fn without(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(subject) = &diagnostic.subject else { return diagnostic };
        let path = subject.file.id().to_string();
        if !(path.ends_with(".tfvars") || path.ends_with(".tfvars.json")) {
            return diagnostic;
        }
        let names = self.names(Path::new(&path));
        if names.iter().any(|name| subject.file.text().contains(&**name)) {
            without_text(diagnostic, &path)
        } else {
            diagnostic
        }
    }

    /// The sensitive variables of the module beside a file.
    fn names(&self, path: &Path) -> Vec<String> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        let dialect = self.options.dialect.unwrap_or_default();
        let request = Request { dialect, ..Request::new(directory) };
        let Ok(read) = self.cache.directory(directory, &request, self.files) else { return Vec::new() };
        let sensitive = read.module.variables.iter().filter(|(_, variable)| variable.sensitive);
        sensitive.map(|(name, _)| name.to_string()).collect()
    }
}

/// Whether a file that is named is a template of its own.
fn is_template(path: &Path, options: &CheckOptions) -> bool {
    let is_wanted = options.dialect.is_none() || options.is_for_packer();
    is_wanted && path.file_name().is_some_and(|name| is_template_file(&name.to_string_lossy()))
}

/// The directories with configuration. What is hidden, such as installed modules, is left out, and so are links, which
/// may lead around in a cycle.
fn find_configurations(
    path: PathBuf,
    options: &CheckOptions,
    files: &dyn Files,
    found: &mut BTreeSet<PathBuf>,
) {
    let mut pending = vec![path];
    while let Some(directory) = pending.pop() {
        // What cannot be listed was reported with the syntax.
        let Ok(entries) = files.list(&directory) else { continue };
        if has_configuration(&entries, options) {
            found.insert(shortest(&directory));
        }
        if options.recursive {
            let below = entries.iter().filter(|entry| {
                entry.kind == EntryKind::Directory && !entry.is_link && !entry.name.starts_with('.')
            });
            pending.extend(below.map(|entry| directory.join(&entry.name)));
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

/// A module or template that was looked into.
#[derive(Default)]
struct Validated {
    files: Vec<FileId>,
    diagnostics: Vec<Diagnostic>,
    absent: Vec<String>,
    stand_ins: StandIns,
}

/// The files of a module or template and everything that is wrong with it.
fn validate(path: &Path, options: &CheckOptions, files: &dyn Files, cache: &Cache) -> Validated {
    match dialect_at(path, options.dialect, files) {
        Ok(dialect) if dialect.product() == Some(Product::Packer) => {
            validate_template(path, dialect, options, files)
        }
        Ok(dialect) => validate_module(path, dialect, options, files, cache),
        Err(diagnostic) => Validated { diagnostics: vec![*diagnostic], ..Validated::default() },
    }
}

fn validate_template(path: &Path, dialect: Dialect, options: &CheckOptions, files: &dyn Files) -> Validated {
    let report = PackerTemplate::new(path)
        .dialect(dialect)
        .inputs(options.inputs.clone())
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

fn validate_module(
    directory: &Path,
    dialect: Dialect,
    options: &CheckOptions,
    files: &dyn Files,
    cache: &Cache,
) -> Validated {
    let request = Request {
        dialect,
        phase: Phase::Validate,
        modules: options.modules.clone(),
        schemas: options.schemas.clone(),
        inputs: options.inputs.clone(),
        ..Request::new(directory)
    };
    let loaded = terrane_module::load_with(request, files, cache);
    let absent = loaded.config.absent.iter().filter_map(|absent| absent.source.clone()).collect();
    let mut diagnostics: Vec<Diagnostic> = loaded.diagnostics.into_iter().collect();
    // After a syntax error parts are missing, so what evaluation finds may be due to that.
    if !loaded.damaged {
        let evaluation = terrane_module::evaluate(loaded.config, &loaded.inputs, files);
        diagnostics.extend(evaluation.diagnostics);
    }
    Validated { files: loaded.files, diagnostics, absent, stand_ins: loaded.stand_ins }
}

#[cfg(test)]
mod tests {
    use terrane_config::Assignment;
    use terrane_source::MemoryFiles;

    use super::*;

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
    fn a_module_is_checked_with_what_it_calls() {
        let expected = [
            "main.tf:36 Invalid value for input variable",
            "main.tf:55 Reference to undeclared input variable",
            "m/main.tf:44 Invalid operand",
        ];
        assert_eq!(checked(&["."], false), expected);
        assert_eq!(checked(&["main.tf"], false), [""; 0], "a file by its name is checked for its syntax");
    }

    #[test]
    fn a_directory_that_cannot_be_read_counts_once() {
        let said = [
            "Reading or writing a/b is not permitted.",
            "The source of this module cannot be read: reading or writing a/b is not permitted.",
        ];
        let unread = said.map(|detail| what_is_unread(&Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)));
        assert_eq!(unread[0], unread[1]);
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
        let places: Vec<_> =
            outcome.diagnostics.as_slice().iter().map(|found| found.subject.is_some()).collect();
        assert_eq!(places, [false, true]);
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
        let all = "Undefined variable, Unknown source null.y, Unset variable \"v\"";
        assert_eq!(titles("images", None, &[]), all);
        assert_eq!(titles("images", None, &[("v", "1")]), "Undefined variable, Unknown source null.y");
        assert_eq!(titles("images/a.pkr.hcl", None, &[]), "Unknown source null.y");
        assert_eq!(titles("images/b.pkr.hcl", None, &[("v", "1")]), "Missing build block");
        assert_eq!(titles("both", None, &[]), "Modules and Packer templates in one directory");
        assert_eq!(titles("both", Some("packer"), &[("v", "1")]), "Missing build block");
        assert_eq!(titles("both", Some("modules"), &[]), "Reference to undeclared local value");
    }

    #[test]
    fn a_syntax_error_is_the_only_one() {
        assert_eq!(checked(&["broken"], false), ["broken/a.tf:7 Unclosed configuration block"]);
    }
}
