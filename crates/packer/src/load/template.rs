//! Reads the files of a template and the values of its variables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_body::{Body, SourceReader, hide_declared_secrets};
use terrane_config::damaged_values::DamagedFile;
use terrane_source::{Diagnostic, Diagnostics, Files, SourceFile, ids, titles};
use terrane_syntax::ParsedSource;

use crate::decode::file as declarations;
use crate::decode::template_reader::TemplateReader;
use crate::load::files as template_files;
use crate::load::inputs::{self, TemplateInputs};
use crate::model::request::TemplateRequest;
use crate::model::template::Template;
use crate::rules::Rules;

/// The outcome of [`load()`].
#[derive(Debug)]
pub struct LoadedTemplate {
    /// The template; empty if it could not be read.
    pub template: Template,
    /// The values of its variables.
    pub inputs: TemplateInputs,
    /// Errors and warnings of the files, the variables and their values.
    pub diagnostics: Diagnostics,
    /// Errors in sources, builds and local values, which the console does not report.
    pub deferred: Diagnostics,
    /// Whether a file could not be read or parsed, so that declarations are missing.
    pub is_partial: bool,
    /// The files with syntax errors.
    pub damaged: Vec<DamagedFile>,
    /// The texts of the files that could be read.
    pub sources: Vec<Arc<SourceFile>>,
}

/// Reads the files of a template and the values of its variables.
pub fn load(request: &TemplateRequest, files: &dyn Files) -> LoadedTemplate {
    let mut diagnostics = Diagnostics::new();
    let path = &request.path;
    if files.metadata(path).is_err() {
        diagnostics.push(no_path(path));
        return LoadedTemplate::empty(diagnostics);
    }
    let found = template_files::find(path, &template_files::TEMPLATES, files, &mut diagnostics);
    if found.is_empty() && !diagnostics.has_errors() {
        diagnostics.push(no_template(path));
    }
    let (mut bodies, mut damaged) = (Vec::new(), Vec::new());
    let mut template = Template {
        directory: directory(path, files),
        rules: Rules::of(request.edition),
        ..Template::default()
    };
    let sources = SourceReader::new(files, &request.limits);
    for path in &found {
        match sources.read(path) {
            Ok(source) => {
                template.files.push(source.id().clone());
                let parsed = ParsedSource::of(&source);
                bodies.push(Body::of(&parsed));
                template.doubt.add(&parsed);
                let found = parsed.into_diagnostics();
                damaged.extend(DamagedFile::of(source.id(), &found));
                diagnostics.extend(found);
            }
            Err(diagnostic) => {
                damaged.push(DamagedFile::unreadable(path));
                template.doubt.add_all();
                diagnostics.push(*diagnostic);
            }
        }
    }
    template.secrets = hide_declared_secrets(bodies.iter());
    let texts = bodies.iter().map(|body| Arc::clone(body.source())).collect();
    if template.doubt.is_whole() || diagnostics.has_errors() && damaged.is_empty() {
        template.doubt.add_all();
        return LoadedTemplate { template, damaged, sources: texts, ..LoadedTemplate::empty(diagnostics) };
    }
    let is_partial = !damaged.is_empty();
    let (mut found, mut deferred) = (Diagnostics::new(), Diagnostics::new());
    let reader = TemplateReader { request, sources: &sources };
    for body in &bodies {
        declarations::file(body, &mut template, reader, &mut found, &mut deferred);
    }
    let inputs = inputs::collect(&template, request, files, &mut found);
    diagnostics.extend(template.without_followers(found));
    let deferred = template.without_followers(deferred);
    damaged.extend(inputs.damaged().iter().cloned());
    LoadedTemplate { template, inputs, diagnostics, deferred, is_partial, damaged, sources: texts }
}

fn no_path(path: &Path) -> Diagnostic {
    let detail = format!(
        "There is no file or directory at {}. Give a directory or a `.pkr.hcl` file.",
        path.display()
    );
    Diagnostic::error(ids::UNREADABLE_DIRECTORY, detail)
}

fn no_template(path: &Path) -> Diagnostic {
    let detail = "The name of a template file must end in `.pkr.hcl` or `.pkr.json`. Give such a file, or a directory that \
                  contains one; the directories below it are not read.";
    let title = titles::no_template(&path.display().to_string());
    Diagnostic::error(ids::NO_TEMPLATE, detail).titled(title)
}

impl LoadedTemplate {
    fn empty(diagnostics: Diagnostics) -> LoadedTemplate {
        LoadedTemplate {
            template: Template::default(),
            inputs: TemplateInputs::default(),
            diagnostics,
            deferred: Diagnostics::new(),
            is_partial: true,
            damaged: Vec::new(),
            sources: Vec::new(),
        }
    }
}

/// Returns the directory of the template, as the user gives it.
fn directory(path: &Path, files: &dyn Files) -> PathBuf {
    if template_files::is_directory(path, files) {
        return path.to_owned();
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        Some(_) | None => PathBuf::from("."),
    }
}
