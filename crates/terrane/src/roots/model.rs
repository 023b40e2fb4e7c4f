//! Root modules, and the signs by which they are found.

use std::path::PathBuf;

use terrane_config::Dialect;
use terrane_module::Cache;
use terrane_source::Diagnostics;

/// The root modules below a directory, and the directories that are none.
///
/// ```
/// use std::path::Path;
///
/// use terrane::{MemoryFiles, Project, RootOptions, Roots};
///
/// let files = MemoryFiles::from_iter([
///     ("live/eu/main.tf", "provider \"aws\" {}\nmodule \"net\" { source = \"../../modules/net\" }\n"),
///     ("live/us/main.tf", "terraform {\n  backend \"s3\" {}\n}\noutput \"zone\" { value = \"us-1\" }\n"),
///     ("modules/net/main.tf", "output \"id\" { value = 1 }\n"),
///     ("modules/old/main.tf", ""),
/// ]);
/// let roots = Roots::find(Path::new("."), RootOptions::default(), &files);
/// let directories: Vec<&Path> = roots.roots.iter().map(|root| root.directory.as_path()).collect();
/// assert_eq!(directories, [Path::new("live/eu"), Path::new("live/us")]);
/// assert_eq!(roots.libraries, [Path::new("modules/old")]);
///
/// let project = |root: &terrane::FoundRoot| Project::new(&root.directory);
/// let outputs = roots.evaluate(&files, project, |_, report| report.outputs().count());
/// assert_eq!(outputs, [0, 1]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Roots {
    /// The root modules, sorted by directory.
    pub roots: Vec<FoundRoot>,
    /// Modules without a sign of a root that no other module calls.
    pub libraries: Vec<PathBuf>,
    /// Root modules and libraries in directories for examples or tests.
    pub examples: Vec<PathBuf>,
    /// Roots that are skipped, because another program gives their inputs: directories with a `terragrunt.hcl`.
    pub terragrunt: Vec<PathBuf>,
    /// Directories with Packer templates.
    pub templates: Vec<PathBuf>,
    /// Errors about directories that could not be read, and about files that name root modules.
    pub diagnostics: Diagnostics,
    pub(super) cache: Cache,
}

/// A root module that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FoundRoot {
    /// Its directory.
    pub directory: PathBuf,
    /// The product and edition that it is written for.
    pub dialect: Dialect,
    /// Why it is a root; at least one sign.
    pub found_by: Vec<RootSign>,
}

/// A sign that a directory is a root module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum RootSign {
    /// A `fleet.toml` names the directory.
    FleetFile,
    /// An `atlantis.yaml` names the directory.
    AtlantisFile,
    /// A `stack` block of Terramate.
    Stack,
    /// A `backend` block.
    Backend,
    /// A `cloud` block.
    Cloud,
    /// A `.terraform.lock.hcl`.
    LockFile,
    /// A `provider` block, in a module that no other calls.
    Provider,
    /// A `terraform.tfvars` or `*.auto.tfvars`, in a module that no other calls.
    VariableFile,
    /// Syntax errors, which may hide the other signs, in a module that no other calls.
    SyntaxErrors,
    /// A `terragrunt.hcl`: the root is skipped.
    Terragrunt,
    /// No module calls it. This counts only where libraries are asked for.
    NotCalled,
}

impl RootSign {
    /// The name in JSON documents.
    pub const fn name(self) -> &'static str {
        match self {
            RootSign::FleetFile => "fleet-file",
            RootSign::AtlantisFile => "atlantis-file",
            RootSign::Stack => "terramate-stack",
            RootSign::Backend => "backend",
            RootSign::Cloud => "cloud",
            RootSign::LockFile => "lock-file",
            RootSign::Provider => "provider",
            RootSign::VariableFile => "variable-file",
            RootSign::SyntaxErrors => "syntax-errors",
            RootSign::Terragrunt => "terragrunt",
            RootSign::NotCalled => "not-called",
        }
    }

    /// Whether the sign counts also in a module that another calls.
    pub(super) const fn is_certain(self) -> bool {
        match self {
            RootSign::FleetFile
            | RootSign::AtlantisFile
            | RootSign::Stack
            | RootSign::Backend
            | RootSign::Cloud
            | RootSign::LockFile
            | RootSign::Terragrunt => true,
            RootSign::Provider | RootSign::VariableFile | RootSign::SyntaxErrors | RootSign::NotCalled => {
                false
            }
        }
    }

    /// Whether a file names the directory, so that it is no mere example.
    pub(super) const fn is_name(self) -> bool {
        matches!(self, RootSign::FleetFile | RootSign::AtlantisFile)
    }
}

/// Options of [`Roots::find`].
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct RootOptions {
    /// Whether modules that nothing calls are roots in any case, and examples and tests are too.
    pub all: bool,
    /// The product and edition of all roots; if none, it depends on the files of each directory.
    pub dialect: Option<Dialect>,
}
