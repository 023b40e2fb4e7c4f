//! Root modules, and the signs by which they are found.

use std::path::PathBuf;

use terrane_config::Dialect;
use terrane_source::Diagnostics;

use crate::caches::Caches;

/// The root modules below a directory, and the directories that are not root modules.
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
    pub(super) caches: Caches,
}

/// A root module that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FoundRoot {
    /// The directory of the root module.
    pub directory: PathBuf,
    /// The product and edition that the module is written for.
    pub dialect: Dialect,
    /// The signs by which it was found; at least one.
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
    /// The directory has a `stack` block of Terramate.
    Stack,
    /// The module has a `backend` block.
    Backend,
    /// The module has a `cloud` block.
    Cloud,
    /// The directory has a `.terraform.lock.hcl`.
    LockFile,
    /// The module has a `provider` block, and no other module calls it.
    Provider,
    /// The directory has a `terraform.tfvars` or `*.auto.tfvars`, and no other module calls the module.
    VariableFile,
    /// The files have syntax errors, which may hide the other signs, and no other module calls the module.
    SyntaxErrors,
    /// The directory has a `terragrunt.hcl`, so the root is skipped.
    Terragrunt,
    /// No module calls it. This is a sign only if libraries are asked for.
    NotCalled,
}

impl RootSign {
    /// Returns the name in JSON documents.
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

    /// Whether the sign makes a root even of a module that another module calls.
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

    /// Whether a file names the directory, so that it is a root even among examples.
    pub(super) const fn is_name(self) -> bool {
        matches!(self, RootSign::FleetFile | RootSign::AtlantisFile)
    }
}

/// Options of [`Roots::find`].
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct RootOptions {
    /// Whether all modules that nothing calls are roots, also examples and tests.
    pub all: bool,
    /// The product and edition of all roots. Without one, the files of each directory decide.
    pub dialect: Option<Dialect>,
}
