//! The request: a template, the edition of Packer and the sources of values.

use std::path::PathBuf;

use terrane_config::InputSources;
use terrane_function::{Dialect, Edition, Function, Host, Limits, Product};

/// A template to evaluate, and the way to evaluate it.
#[derive(Clone, Debug)]
pub struct TemplateRequest {
    /// The directory of the template, or its only file.
    pub path: PathBuf,
    /// The edition of Packer for which the template is written.
    pub edition: Edition,
    /// The sources of values for variables.
    pub inputs: InputSources,
    /// Whether to report missing parts that Packer needs for a build: a `build` block, and files that
    /// built-in components read.
    pub complete: bool,
    /// Whether to warn about values for variables that are not declared.
    pub warn_undeclared: bool,
    /// The builds to keep, as patterns; empty for all.
    pub only: Vec<String>,
    /// The builds and post-processors to leave out, as patterns.
    pub except: Vec<String>,
    /// The clock, random numbers and environment that functions see.
    pub host: Host,
    /// Limits on time, memory and depth of the evaluation.
    pub limits: Limits,
    /// Functions in addition to the functions of Packer.
    pub functions: Vec<Function>,
}

impl TemplateRequest {
    /// Returns the template at `path`, for the newest edition.
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

    /// Returns the dialect of its expressions.
    pub fn dialect(&self) -> Dialect {
        Dialect::Product(Product::Packer, self.edition)
    }

    /// Returns the functions that were added, followed by the library.
    pub(crate) fn library(&self) -> impl Iterator<Item = Function> {
        self.functions.iter().cloned().chain(terrane_stdlib::functions())
    }
}
