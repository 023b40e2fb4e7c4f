//! The request: a template, the edition of Packer and the sources of values.

use std::path::PathBuf;

use terrane_config::InputSources;
use terrane_function::{Dialect, Edition, Function, Host, Limits, Product};

/// Which template to read and how.
#[derive(Clone, Debug)]
pub struct TemplateRequest {
    /// The directory of the template, or its only file.
    pub path: PathBuf,
    /// The edition of Packer that the template is written for.
    pub edition: Edition,
    /// Where variables get their values.
    pub inputs: InputSources,
    /// Whether everything must be there that Packer asks for before it builds: a build, and the files that components of
    /// Packer itself need.
    pub complete: bool,
    /// Whether to warn about values for variables that are not declared.
    pub warn_undeclared: bool,
    /// Builds to keep, as patterns; all where there is none.
    pub only: Vec<String>,
    /// Builds and post-processors to leave out, as patterns.
    pub except: Vec<String>,
    /// What functions may see that differs from run to run.
    pub host: Host,
    /// Bounds on what the evaluation may use up.
    pub limits: Limits,
    /// Functions beside those of Packer.
    pub functions: Vec<Function>,
}

impl TemplateRequest {
    /// The template at `path`, for the newest edition.
    pub fn new(path: impl Into<PathBuf>) -> TemplateRequest {
        TemplateRequest {
            path: path.into(),
            edition: Edition::NEWEST,
            inputs: InputSources::default(),
            complete: false,
            warn_undeclared: false,
            only: Vec::new(),
            except: Vec::new(),
            host: Host::default(),
            limits: Limits::default(),
            functions: Vec::new(),
        }
    }

    /// The dialect of its expressions.
    pub fn dialect(&self) -> Dialect {
        Dialect::Product(Product::Packer, self.edition)
    }

    /// The functions that were added, and behind them those of the library.
    pub(crate) fn library(&self) -> impl Iterator<Item = Function> {
        self.functions.iter().cloned().chain(terrane_stdlib::functions())
    }

    /// Whether the edition has what came with Packer `1.minor`.
    pub(crate) fn is_since(&self, minor: u16) -> bool {
        self.edition >= Edition::new(1, minor)
    }
}
