//! The files that an evaluation read or looked for, with their roles.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::recorder::{self, Accesses, Question, RecordedAnswer};
use terrane_config::{Assignment, InputSources};
use terrane_module::{LOCK_FILE, Request, automatic_source, is_mock_file};
use terrane_packer::is_automatic_variable_file;
use terrane_source::paths::{shortest, without_dots};
use terrane_source::{FileErrorKind, FileId};

use crate::document::content::{DirectoryContent, HashedSource, hex};
use crate::report::ReadFiles;

/// The role of a file in an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum FileRole {
    /// A file of a module.
    Configuration,
    /// A variable file.
    Variables,
    /// A file that a function reads.
    Function,
    /// The lock file of providers.
    LockFile,
    /// The list of installed modules, or another file that `init` writes.
    Manifest,
    /// A file of git, which tells the repository of a module.
    Repository,
    /// A file with schemas of providers.
    Schema,
    /// A file in the syntax of tests with given values of resources.
    Mocks,
    /// A file with the state that the evaluation begins with, or with a remote state.
    State,
    /// A directory whose entries were listed.
    Listing,
    /// A file or directory that the evaluation looked for and that does not exist.
    Absent,
}

impl FileRole {
    /// The name in documents, such as `config` or `tfvars`.
    pub const fn name(self) -> &'static str {
        match self {
            FileRole::Configuration => "config",
            FileRole::Variables => "tfvars",
            FileRole::Function => "function",
            FileRole::LockFile => "lock",
            FileRole::Manifest => "manifest",
            FileRole::Repository => "git",
            FileRole::Schema => "schema",
            FileRole::Mocks => "mocks",
            FileRole::State => "state",
            FileRole::Listing => "listing",
            FileRole::Absent => "absent",
        }
    }
}

/// A file that an evaluation read or looked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadFile {
    /// The path, as diagnostics name it.
    pub path: FileId,
    /// The role.
    pub role: FileRole,
    content: RecordedContent,
}

#[derive(Clone, Debug)]
enum RecordedContent {
    None,
    Source(Arc<HashedSource>),
    Read(recorder::RecordedContent),
}

impl ReadFile {
    /// Returns the SHA-256 of the content in hexadecimal digits. `None` without content, or if the content is not text.
    pub fn content_hash(&self) -> Option<String> {
        match &self.content {
            RecordedContent::None => None,
            RecordedContent::Source(source) => Some(hex(source.hash())),
            RecordedContent::Read(content) => Some(hex(content.hash())),
        }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> Option<u64> {
        match &self.content {
            RecordedContent::None => None,
            RecordedContent::Source(source) => Some(source.bytes()),
            RecordedContent::Read(content) => Some(content.size()),
        }
    }
}

/// Returns the configuration files in the order in which they were read, then the other paths, sorted.
pub(super) fn files<'c>(
    read: &ReadFiles,
    request: &Request,
    contents: impl Iterator<Item = &'c Arc<DirectoryContent>>,
) -> Vec<ReadFile> {
    let sources = contents.flat_map(|content| &content.files);
    let by_path: HashMap<&Path, &Arc<HashedSource>, RandomState> =
        sources.map(|hashed| (hashed.source.id().path(), hashed)).collect();
    let own = read.files.iter().map(|file| ReadFile {
        path: file.clone(),
        role: FileRole::Configuration,
        content: by_path
            .get(file.path())
            .map_or(RecordedContent::None, |hashed| RecordedContent::Source(Arc::clone(hashed))),
    });
    let listed: HashSet<&Path, RandomState> = read.files.iter().map(FileId::path).collect();
    let mut further: HashMap<PathBuf, (FileRole, Access<'_>), RandomState> = HashMap::default();
    for (accesses, role) in [(&read.schemas, FileRole::Schema), (&read.state, FileRole::State)] {
        further.extend(by_file(accesses).into_iter().map(|(path, access)| (path, (role, access))));
    }
    further.extend(by_file(&read.accesses).into_iter().map(|(path, access)| {
        let role = role(&path, access, request);
        (path, (role, access))
    }));
    further.retain(|path, _| !listed.contains(path.as_path()));
    let further = sorted(further).into_iter().map(|(path, (role, access))| ReadFile {
        role,
        content: match access {
            Access::Absent | Access::Listed | Access::Configuration => RecordedContent::None,
            Access::Read(content) => RecordedContent::Read(content.clone()),
        },
        path: FileId::new(path),
    });
    own.chain(further).collect()
}

/// Returns the files of a template in the order in which they were read, then the other paths, sorted.
pub(super) fn template_files(own: &[FileId], accesses: &Accesses, inputs: &InputSources) -> Vec<ReadFile> {
    let mut read = by_file(accesses);
    let file = |path: FileId, role: FileRole, access: Option<Access<'_>>| ReadFile {
        path,
        role,
        content: match access {
            Some(Access::Read(content)) => RecordedContent::Read(content.clone()),
            Some(Access::Absent | Access::Listed | Access::Configuration) | None => RecordedContent::None,
        },
    };
    let mut files: Vec<ReadFile> = own
        .iter()
        .map(|path| file(path.clone(), FileRole::Configuration, read.remove(path.path())))
        .collect();
    files.extend(sorted(read).into_iter().map(|(path, access)| {
        let is_given =
            |assignment: &Assignment| matches!(assignment, Assignment::File(file) if *file == path);
        let name = path.to_string_lossy();
        let role = match access {
            Access::Absent => FileRole::Absent,
            Access::Listed => FileRole::Listing,
            Access::Configuration | Access::Read(_) => {
                let is_variables =
                    is_automatic_variable_file(&name) || inputs.assignments.iter().any(is_given);
                if is_variables { FileRole::Variables } else { FileRole::Function }
            }
        };
        file(FileId::new(path), role, Some(access))
    }));
    files
}

/// The outcome of a request for a path.
#[derive(Clone, Copy)]
enum Access<'a> {
    /// The path does not exist.
    Absent,
    /// The entries of the directory were listed.
    Listed,
    /// The content of a configuration file was read; the module keeps its text.
    Configuration,
    /// The content of another file was read.
    Read(&'a recorder::RecordedContent),
}

impl<'a> Access<'a> {
    fn of(question: Question, answer: &'a RecordedAnswer) -> Option<Access<'a>> {
        match (question, answer) {
            // Canonical paths only help to find files.
            (Question::Canonical, _) => None,
            (_, RecordedAnswer::Error(FileErrorKind::NotFound)) => Some(Access::Absent),
            (_, RecordedAnswer::Entries(_)) => Some(Access::Listed),
            (_, RecordedAnswer::Kept) => Some(Access::Configuration),
            (_, RecordedAnswer::Content(content)) => Some(Access::Read(content)),
            (_, RecordedAnswer::Kind(_) | RecordedAnswer::Canonical(_) | RecordedAnswer::Error(_)) => None,
        }
    }

    /// The answer with the highest rank counts, if there are several about a path.
    fn rank(self) -> u8 {
        match self {
            Access::Absent => 0,
            Access::Listed => 1,
            Access::Configuration => 2,
            Access::Read(_) => 3,
        }
    }
}

/// Stands for paths that are computed from sensitive values.
const SECRET_PATH: &str = "(sensitive value)";

/// Returns the outcome for each path, under its name in diagnostics.
fn by_file(accesses: &Accesses) -> HashMap<PathBuf, Access<'_>, RandomState> {
    let mut found: HashMap<PathBuf, Access<'_>, RandomState> = HashMap::default();
    for (path, question, answer) in accesses.iter() {
        if let Some(access) = Access::of(question, answer) {
            let path = if accesses.is_hidden(path) { PathBuf::from(SECRET_PATH) } else { shortest(path) };
            let strongest = found.entry(path).or_insert(access);
            if access.rank() > strongest.rank() {
                *strongest = access;
            }
        }
    }
    found
}

/// Returns the entries in the order of their paths. Files are found by hashes before, because two paths compare slowly.
fn sorted<T>(entries: HashMap<PathBuf, T, RandomState>) -> Vec<(PathBuf, T)> {
    let mut sorted: Vec<(PathBuf, T)> = entries.into_iter().collect();
    sorted.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    sorted
}

fn role(path: &Path, access: Access<'_>, request: &Request) -> FileRole {
    match access {
        Access::Absent => FileRole::Absent,
        Access::Listed => FileRole::Listing,
        Access::Configuration | Access::Read(_) => {
            let is_given =
                |assignment: &Assignment| matches!(assignment, Assignment::File(file) if file == path);
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_in_root = path.parent() == Some(&without_dots(&request.directory));
            if request.inputs.assignments.iter().any(is_given)
                || is_in_root && automatic_source(name).is_some()
            {
                FileRole::Variables
            } else if request.mocks.iter().any(|mocks| without_dots(mocks) == path) || is_mock_file(name) {
                FileRole::Mocks
            } else if name.ends_with(".tfstate") {
                FileRole::State
            } else if path.components().any(|part| part.as_os_str() == ".git") {
                FileRole::Repository
            } else if is_in_root && name == LOCK_FILE {
                FileRole::LockFile
            } else if is_installed(path, request) {
                FileRole::Manifest
            } else {
                FileRole::Function
            }
        }
    }
}

/// Whether `init` writes the file: the list of installed modules, or the name of the selected workspace.
fn is_installed(path: &Path, request: &Request) -> bool {
    let inner = path.strip_prefix(without_dots(&request.data_directory()));
    inner.is_ok_and(|inner| inner == Path::new("modules/modules.json") || inner == Path::new("environment"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    #[test]
    fn the_files_of_functions_are_told_from_the_files_of_init_by_their_directories() {
        let main = "module \"m\" { source = \"a/b/c\" }\n\
                    locals { names = [\"modules.json\", \"a/environment\", \"a/.terraform.lock.hcl\", \".terraform.lock.hcl\"] }\n\
                    output \"f\" { value = [for name in local.names : file(name)] }\n";
        let installed = r#"{"Modules": [
            {"Key": "m", "Source": "registry.terraform.io/a/b/c", "Version": "1.0.0", "Dir": "m"}
        ]}"#;
        let files = MemoryFiles::from_iter([
            ("main.tf", main),
            ("modules.json", "{}"),
            ("a/environment", "a"),
            ("a/.terraform.lock.hcl", "b"),
            ("d/modules/modules.json", installed),
            ("m/main.tf", ""),
            ("d/environment", "default"),
            (".terraform.lock.hcl", ""),
        ]);
        let report = Project::new(".").data_directory("d").evaluate(&files);
        assert!(!report.has_errors(), "{:?}", report.diagnostics());
        let document = report.document(Secrets::Hidden);
        let mut roles: Vec<(String, &str)> = document
            .files
            .iter()
            .map(|file| (file.path.path().display().to_string(), file.role.name()))
            .filter(|(_, role)| ["function", "lock", "manifest"].contains(role))
            .collect();
        roles.sort();
        let expected = [
            (".terraform.lock.hcl", "lock"),
            ("a/.terraform.lock.hcl", "function"),
            ("a/environment", "function"),
            ("d/environment", "manifest"),
            ("d/modules/modules.json", "manifest"),
            ("modules.json", "function"),
        ];
        assert_eq!(roles, expected.map(|(path, role)| (path.to_owned(), role)));
    }

    #[test]
    fn every_file_has_a_role_and_a_hash() {
        let main = "variable \"a\" {}\nvariable \"b\" {}\nmodule \"m\" { source = \"./m\" }\nmodule \"n\" { source = \"./m\" }\n\
                    output \"f\" { value = [file(\"data.txt\"), fileexists(\"none.txt\")] }\n";
        let files = MemoryFiles::from_iter([
            ("main.tf", main),
            ("m/main.tf", "\u{feff}output \"o\" { value = 1 }\n"),
            ("terraform.tfvars", "a = 1\n"),
            ("other.tfvars", "b = 1\n"),
            ("data.txt", "abc"),
        ]);
        let report = Project::new(".").variable_file("other.tfvars").evaluate(&files);
        assert!(!report.has_errors(), "{:?}", report.diagnostics());
        let document = report.document(Secrets::Hidden);
        let find = |path: &str, role: &str| {
            let mut all = document.files.iter();
            let path = PathBuf::from(path);
            let found = all.find(|file| file.path.path() == path && file.role.name() == role);
            found.unwrap_or_else(|| panic!("{path:?} {role}: {:?}", document.files)).clone()
        };
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(find("data.txt", "function").content_hash().as_deref(), Some(abc));
        assert_eq!(find("m/main.tf", "config").bytes(), Some(28));
        assert_eq!(find("main.tf", "config").bytes(), Some(main.len() as u64));
        assert!(find("terraform.tfvars", "tfvars").content_hash().is_some());
        assert!(find("other.tfvars", "tfvars").content_hash().is_some());
        assert_eq!(find("none.txt", "absent").content_hash(), None);
        assert!(document.files.iter().any(|file| file.role.name() == "listing"));
        let hash = |name: &str| {
            let mut modules = document.modules.iter();
            modules
                .find(|module| module.path.to_string() == name)
                .map(|module| module.content_hash().to_owned())
        };
        assert_eq!(hash("module.m"), hash("module.n"));
        assert_ne!(hash("module.m"), hash(""));
        assert_eq!(document.module_calls[0].content_hash(), hash("module.m").as_deref());
    }
}
