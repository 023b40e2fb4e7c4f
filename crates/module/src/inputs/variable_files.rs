//! Reads variable files, and collects the assignments in order of precedence.

use std::path::Path;
use std::sync::Arc;

use terrane_body::SourceReader;
use terrane_config::InputValue;
use terrane_config::damaged_values::{DamagedFile, DamagedValues};
use terrane_source::paths::in_directory;
use terrane_source::{BROKEN_LINK, Diagnostic, Diagnostics, FileErrorKind, Subject, titles};
use terrane_value::SmolStr;

use crate::inputs::assignment::{InputAssignment, InputSource, Notation};
use crate::inputs::hidden_text::{is_about_values, place_without_text};
use crate::inputs::variable_file::{Entry, KnownVariables, VariableFile, VariableFiles};
use crate::model::module::Module;

/// The files that are read first, in order.
const FIRST: [&str; 2] = ["terraform.tfvars", "terraform.tfvars.json"];

/// Returns the source of the values in a file of the root module with this name that is read without being named on the command
/// line: [`InputSource::Terraform`] or [`InputSource::Automatic`].
///
/// ```
/// use terrane_module::automatic_source;
///
/// assert!(automatic_source("terraform.tfvars").is_some() && automatic_source("a.auto.tfvars.json").is_some());
/// assert!(automatic_source("a.tfvars").is_none() && automatic_source("terraform.auto").is_none());
/// ```
pub fn automatic_source(name: &str) -> Option<InputSource> {
    if FIRST.contains(&name) {
        return Some(InputSource::Terraform);
    }
    let is_automatic = name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json");
    is_automatic.then_some(InputSource::Automatic)
}

/// The files to read, and the variable files that were parsed before.
#[derive(Clone, Copy)]
pub(crate) struct InputFiles<'f> {
    pub(crate) sources: &'f SourceReader<'f>,
    pub(crate) parsed: &'f VariableFiles,
}

/// Collects assignments; a later one overrides earlier ones.
pub(super) struct AssignmentCollector<'c> {
    pub(super) files: InputFiles<'c>,
    pub(super) assignments: Vec<InputAssignment>,
    /// The names of sensitive variables.
    pub(super) secrets: Vec<SmolStr>,
    /// Whether a sensitive variable could not be read.
    pub(super) has_unread_secrets: bool,
    /// The module that declares the variables.
    pub(super) module: &'c Module,
    pub(super) diagnostics: &'c mut Diagnostics,
    /// The files that could not be read in full.
    pub(super) gaps: Vec<InputGap>,
}

/// A variable file that could not be read in full.
#[derive(Clone, Debug)]
pub(crate) struct InputGap {
    pub(crate) damaged: DamagedFile,
    /// The position of the first assignment of the file.
    pub(super) first: usize,
    /// The unreadable parts.
    pub(super) parts: Arc<DamagedValues>,
    /// Whether the file may set a sensitive variable.
    pub(super) has_secrets: bool,
}

impl AssignmentCollector<'_> {
    /// Adds a value that is not in a file.
    pub(super) fn add_text(&mut self, name: &str, source: InputSource, text: &str) {
        self.add(name, source, None, Notation::Text(SmolStr::from(text)));
    }

    /// Adds a value of the calling program.
    pub(super) fn add_value(&mut self, given: &InputValue) {
        self.add(&given.name, InputSource::Caller, None, Notation::Value(Box::new(given.clone())));
    }

    fn add(&mut self, name: &str, source: InputSource, name_place: Option<Subject>, written: Notation) {
        let name = SmolStr::from(name);
        self.assignments.push(InputAssignment {
            name,
            source,
            name_place,
            wins: false,
            is_declared: false,
            may_be_declared: false,
            written,
        });
    }

    /// Adds the values in the files of the root module that are read automatically.
    pub(super) fn automatic_files(&mut self, directory: &Path) {
        let Ok(entries) = self.files.sources.files().list(directory) else { return };
        let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
        // A broken symbolic link counts as a missing file. Whether one out of a sandbox is broken is not known: it is an error.
        let is_there = |name: &str| match self.files.sources.files().metadata(&in_directory(directory, name))
        {
            Ok(_) => true,
            Err(error) => error.kind == FileErrorKind::Confined,
        };
        let present =
            FIRST.into_iter().filter(|name| names.iter().any(|found| found == name) && is_there(name));
        let present: Vec<&str> = present.collect();
        let automatic = |name: &&str| automatic_source(name) == Some(InputSource::Automatic);
        for name in present {
            self.file(&in_directory(directory, name), InputSource::Terraform);
        }
        for name in names.iter().map(String::as_str).filter(automatic) {
            self.file(&in_directory(directory, name), InputSource::Automatic);
        }
    }

    /// Whether the text at a mistake may be shown: no variable is sensitive, or it is the value of one that is not.
    fn may_show(&self, diagnostic: &Diagnostic) -> bool {
        let is_secret = |name: &str| self.secrets.iter().any(|secret| secret == name);
        let is_plain = |name: &str| self.module.variables.contains_key(name) && !is_secret(name);
        !self.has_secrets() || is_about_values(diagnostic, &is_plain)
    }

    fn has_secrets(&self) -> bool {
        self.has_unread_secrets || !self.secrets.is_empty()
    }

    fn add_gap(&mut self, damaged: DamagedFile, parts: Arc<DamagedValues>) {
        self.gaps.push(InputGap {
            damaged,
            first: self.assignments.len(),
            parts,
            has_secrets: self.has_secrets(),
        });
    }

    /// Adds the values in a variable file. Reports an unreadable file.
    pub(super) fn file(&mut self, path: &Path, kind: InputSource) {
        let source = match self.files.sources.read(path) {
            Ok(source) => source,
            Err(diagnostic) => {
                let missing = matches!(self.files.sources.files().metadata(path), Err(error) if error.kind == FileErrorKind::NotFound);
                let hint = match kind {
                    // The directory lists the file.
                    InputSource::Automatic => BROKEN_LINK,
                    InputSource::Environment
                    | InputSource::Terraform
                    | InputSource::File
                    | InputSource::Option
                    | InputSource::Caller => "The path of -var-file is relative to the working directory.",
                };
                let diagnostic = diagnostic.titled(titles::FAILED_TO_READ_VARIABLES_FILE);
                self.diagnostics.push(if missing { diagnostic.hint(hint) } else { diagnostic });
                self.add_gap(DamagedFile::unreadable(path), Arc::new(DamagedValues::unreadable()));
                return;
            }
        };
        let is_declared = |name: &str| self.module.variables.contains_key(name);
        let variables = KnownVariables {
            secrets: &self.secrets,
            has_unread_secrets: self.has_unread_secrets,
            is_declared: &is_declared,
        };
        let file = VariableFile::read(self.files.parsed, path, &source, variables);
        let shown = |diagnostic: &Diagnostic| match self.may_show(diagnostic) {
            true => diagnostic.clone(),
            false => place_without_text(diagnostic.clone(), &path.display().to_string()),
        };
        let shown: Vec<Diagnostic> = file.diagnostics.as_slice().iter().map(shown).collect();
        self.diagnostics.extend(shown);
        if let Some(damaged) = &file.damaged {
            self.add_gap(damaged.clone(), Arc::clone(&file.parts));
        }
        for Entry { name, name_place, written } in &file.entries {
            self.add(name, kind, Some(name_place.clone()), written.clone());
        }
    }
}
