//! The state of an evaluation: the values computed so far, and the functions and limits of the run.

use std::path::Path;

use terrane_config::ids::Arena;
use terrane_eval::FunctionTable;
use terrane_function::Meter;
use terrane_source::{Diagnostic, Diagnostics, Files};
use terrane_value::Value;

use super::secrets::SecretTexts;
use crate::model::build::ResolvedBuild;
use crate::model::ids::{DataId, LocalId, VariableId};
use crate::model::request::TemplateRequest;
use crate::model::template::Template;

/// A template with all its values and builds.
pub struct TemplateEvaluation {
    /// The declarations.
    pub template: Template,
    /// The request that the evaluation answers.
    pub request: TemplateRequest,
    /// The values of the variables.
    pub variables: Arena<VariableId, Value>,
    /// The values of the local values; `None` if a limit was exceeded before.
    pub locals: Arena<LocalId, Option<Value>>,
    /// The values of the data sources; `None` if a limit was exceeded before.
    pub data: Arena<DataId, Option<Value>>,
    /// Every build for each of its sources.
    pub builds: Vec<ResolvedBuild>,
    /// The texts that output hides.
    pub secrets: SecretTexts,
    /// Errors and warnings found after loading.
    pub diagnostics: Diagnostics,
    /// `path.cwd`.
    pub(crate) working_directory: String,
    /// `path.root`.
    pub(crate) root_directory: String,
    pub(crate) functions: FunctionTable,
    /// The use of the limits of the request.
    pub(crate) meter: Meter,
}

impl TemplateEvaluation {
    /// Returns the approximate bytes of the values.
    pub fn memory(&self) -> u64 {
        self.meter.memory()
    }

    /// Returns an evaluation that has not computed any value.
    pub(crate) fn new(template: Template, request: TemplateRequest, files: &dyn Files) -> TemplateEvaluation {
        let slashes = |path: &Path| path.to_string_lossy().replace('\\', "/");
        TemplateEvaluation {
            working_directory: slashes(&files.working_directory()),
            root_directory: slashes(&template.directory),
            functions: FunctionTable::of(request.dialect(), request.library().collect()),
            meter: Meter::default(),
            variables: Arena::default(),
            locals: template.locals.values().map(|_| None).collect(),
            data: template.data.values().map(|_| None).collect(),
            builds: Vec::new(),
            secrets: SecretTexts::default(),
            diagnostics: Diagnostics::new(),
            template,
            request,
        }
    }

    /// Returns the functions that expressions may call.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// Returns the diagnostics without the texts and values that output hides.
    pub fn without_secrets(&self, diagnostics: Diagnostics) -> Diagnostics {
        let template = &self.template;
        let is_sensitive = |line: &String| {
            let named = |root: &str| {
                let rest = line.strip_prefix(root)?;
                rest.get(..rest.find(|character| !is_in_name(character)).unwrap_or(rest.len()))
            };
            let variable = named("var.").and_then(|name| template.variables.get(name));
            let local = named("local.").and_then(|name| template.locals.get(name));
            variable.is_some_and(|variable| variable.sensitive) || local.is_some_and(|local| local.sensitive)
        };
        let hide = |text: String| self.secrets.hide(&text).into_owned();
        let hidden = diagnostics.into_iter().map(Diagnostic::without_secrets).map(|mut diagnostic| {
            diagnostic.values.retain(|line| !is_sensitive(line));
            diagnostic.values = diagnostic.values.into_iter().map(hide).collect();
            diagnostic.hints = diagnostic.hints.into_iter().map(hide).collect();
            diagnostic.detail = hide(diagnostic.detail);
            diagnostic.labels.iter_mut().for_each(|label| label.text = hide(std::mem::take(&mut label.text)));
            let shows = |text: &str| self.secrets.hide(text) != text;
            diagnostic
                .fixes
                .retain(|fix| !shows(&fix.message) && !fix.edits.iter().any(|edit| shows(&edit.text)));
            diagnostic.own_title = diagnostic.own_title.map(|title| title.hidden(hide));
            diagnostic
        });
        hidden.collect()
    }
}

/// Whether a name can continue with this character.
fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}
