//! The values of root variables: from the environment, variable files, the command line and the calling program.

mod assignment;
pub(crate) mod hidden_text;
mod variable_file;
mod variable_files;

use std::collections::HashMap;

use indexmap::IndexMap;
use terrane_body::SourceReader;
use terrane_config::address::Object;
use terrane_config::{Assignment, InputSources};
use terrane_function::Limits;
use terrane_source::{Diagnostic, Diagnostics, Files, Subject, ids};
use terrane_value::{ClosestNames, SmolStr, Value};

use crate::inputs::assignment::Notation;
pub use crate::inputs::assignment::{InputAssignment, InputSource};
use crate::inputs::hidden_text::alone;
pub(crate) use crate::inputs::hidden_text::without_text;
pub use crate::inputs::hidden_text::{is_about_values, place_without_text};
pub(crate) use crate::inputs::variable_file::VariableFiles;
use crate::inputs::variable_files::AssignmentCollector;
pub use crate::inputs::variable_files::automatic_source;
pub(crate) use crate::inputs::variable_files::{InputFiles, InputGap};
use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::Module;
use crate::rules::phase::Phase;

/// Limit on the undeclared variables of files that are reported one by one. Further ones share a diagnostic.
const UNDECLARED_ONE_BY_ONE: usize = 2;

/// Values for the variables of the root module, before conversion to their types.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    values: IndexMap<SmolStr, Input>,
    /// The assignments in order of precedence, lowest first.
    assignments: Vec<InputAssignment>,
    /// The variable files that could not be read in full.
    gaps: Vec<InputGap>,
}

/// The value given for one variable.
#[derive(Clone, Debug)]
pub struct Input {
    /// The value, not yet converted to the variable's type.
    pub value: Value,
    /// The kind of source.
    pub source: InputSource,
    /// Its source in words: `the environment variable TF_VAR_region`.
    pub origin: String,
    /// The place of the value, for a value that is written in a file.
    pub subject: Option<Subject>,
}

impl Inputs {
    /// Returns all assignments in order of precedence, lowest first, including overridden ones and those
    /// of undeclared variables.
    pub fn assignments(&self) -> &[InputAssignment] {
        &self.assignments
    }

    /// Returns the assignments of each variable, in the same order.
    pub fn assignments_by_name(&self) -> HashMap<&str, Vec<&InputAssignment>> {
        let mut by_name: HashMap<&str, Vec<&InputAssignment>> = HashMap::new();
        for assignment in &self.assignments {
            by_name.entry(&assignment.name).or_default().push(assignment);
        }
        by_name
    }

    /// Returns the value given for the variable `name`.
    pub fn get(&self, name: &str) -> Option<&Input> {
        self.values.get(name)
    }

    /// Returns the assignments of undeclared variables that are not overridden.
    fn undeclared(&self) -> impl Iterator<Item = &InputAssignment> {
        let undeclared =
            self.assignments.iter().filter(|assignment| assignment.wins && !assignment.is_declared);
        undeclared.filter(|assignment| self.is_certain(assignment))
    }

    /// Whether the name of an assignment is certain: beside unreadable text, it may be a part of something else.
    pub fn is_certain(&self, assignment: &InputAssignment) -> bool {
        let is_part = |place: &Subject| {
            let mut gaps = self.gaps.iter().filter(|gap| gap.damaged.file == *place.file.id());
            let is_broken = matches!(assignment.written, Notation::Broken);
            gaps.any(|gap| is_broken || gap.parts.is_beside(place.span, gap.has_secrets))
        };
        !assignment.may_be_declared && !assignment.name_place.as_ref().is_some_and(is_part)
    }

    /// Returns the variable files that could not be read in full.
    pub(crate) fn gaps(&self) -> &[InputGap] {
        &self.gaps
    }

    /// Returns the variable file whose unreadable text may contain the value of a variable, because no assignment in it
    /// or with higher precedence could be read.
    fn hiding(&self, name: &str) -> Option<&InputGap> {
        self.gaps.iter().rev().find(|gap| {
            let is_given = || self.assignments.iter().skip(gap.first).any(|given| given.name == name);
            gap.parts.may_set(name) && !is_given()
        })
    }

    /// Whether a variable may have a value that could not be read.
    fn is_in_doubt(&self, name: &str) -> bool {
        let is_broken = |assignment: &InputAssignment| {
            assignment.wins && assignment.name == name && matches!(assignment.written, Notation::Broken)
        };
        self.hiding(name).is_some() || !self.gaps.is_empty() && self.assignments.iter().any(is_broken)
    }

    /// Makes variables unknown that unreadable text may set.
    fn add_hidden(&mut self, module: &Module) {
        if !self.gaps.iter().any(|gap| gap.parts.hides()) {
            return;
        }
        for name in module.variables.keys() {
            if let Some(gap) = self.hiding(name) {
                let (source, origin) = (InputSource::File, gap.damaged.file.to_string());
                let input = Input { value: Value::error(), source, origin, subject: None };
                self.values.insert(name.clone(), input);
            }
        }
    }

    /// Whether a variable has the same value from the same place in both.
    pub(crate) fn is_same(&self, other: &Inputs, name: &str) -> bool {
        match (self.get(name), other.get(name)) {
            (Some(one), Some(other)) => {
                one.origin == other.origin
                    && one.value.is_identical(&other.value)
                    && match (&one.subject, &other.subject) {
                        (Some(one), Some(other)) => one.span == other.span && one.file.is_same(&other.file),
                        (one, other) => one.is_none() && other.is_none(),
                    }
            }
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Marks the last assignment of each name. Returns these assignments, in the order in which the names first occur.
    fn choose<'a>(assignments: &'a mut [InputAssignment], module: &Module) -> Vec<&'a InputAssignment> {
        let mut last: IndexMap<SmolStr, &mut InputAssignment> = IndexMap::new();
        for assignment in assignments {
            assignment.is_declared = module.variables.contains_key(&*assignment.name);
            assignment.may_be_declared = !assignment.is_declared
                && module.doubt.hides_name(DeclarationKind::Variable, &assignment.name);
            last.insert(assignment.name.clone(), assignment);
        }
        let mut chosen = Vec::with_capacity(last.len());
        for winner in last.into_values() {
            winner.wins = true;
            chosen.push(&*winner);
        }
        chosen
    }
}

/// Gathers the values of the variables of `module`, later sources over earlier ones: the environment,
/// `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and `*.auto.tfvars.json` in the order of their names,
/// and the assignments in their order.
pub fn collect(
    module: &Module,
    files: &dyn Files,
    sources: &InputSources,
    diagnostics: &mut Diagnostics,
) -> Inputs {
    let sources_of_files = SourceReader::new(files, &Limits::default());
    let files = InputFiles { sources: &sources_of_files, parsed: &VariableFiles::default() };
    collect_in_phase(Phase::Plan, module, files, sources, diagnostics)
}

/// Does the same as [`collect`], with the sources and errors of a phase.
pub(crate) fn collect_in_phase(
    phase: Phase,
    module: &Module,
    files: InputFiles<'_>,
    sources: &InputSources,
    diagnostics: &mut Diagnostics,
) -> Inputs {
    let reads_all = phase.reads_automatic_files(&module.rules);
    let Collected { inputs, of_files, of_values } = read(module, files, sources, reads_all);
    diagnostics.extend(of_files);
    let closest_names = ClosestNames::default();
    if phase.reports_input_values() {
        diagnostics.extend(of_values);
        undeclared(module, &inputs, &closest_names, diagnostics);
    } else if reads_all {
        undeclared_in_files(module, &inputs, &closest_names, diagnostics);
    } else {
        let all = read(module, files, sources, true);
        undeclared_in_files(module, &all.inputs, &closest_names, diagnostics);
    }
    inputs
}

/// Values of root variables, with the diagnostics about files and about values.
struct Collected {
    inputs: Inputs,
    of_files: Diagnostics,
    of_values: Diagnostics,
}

/// Reads the values from all sources; with `reads_all`, including the automatic files.
fn read(module: &Module, files: InputFiles<'_>, sources: &InputSources, reads_all: bool) -> Collected {
    let (mut of_files, mut of_values) = (Diagnostics::new(), Diagnostics::new());
    for name in &sources.unreadable {
        let variable = name.strip_prefix("TF_VAR_").unwrap_or_default();
        if module.variables.contains_key(variable) {
            let detail = format!(
                "The value of the environment variable {name} is not UTF-8 text. Set it to UTF-8 \
                         text."
            );
            of_values.push(Diagnostic::error(ids::INVALID_ENCODING, detail));
        }
    }
    let secrets = module.variables.iter().filter(|(_, variable)| variable.sensitive || variable.ephemeral);
    let secrets = secrets.map(|(name, _)| name.clone()).collect();
    let mut collector = AssignmentCollector {
        gaps: Vec::new(),
        files,
        assignments: Vec::new(),
        secrets,
        has_unread_secrets: module.has_unread_secret(),
        module,
        diagnostics: &mut of_files,
    };
    for (name, text) in &sources.environment {
        if let Some(variable) = name.strip_prefix("TF_VAR_") {
            collector.add_text(variable, InputSource::Environment, text);
        }
    }
    if reads_all {
        collector.automatic_files(&module.directory);
    }
    for assignment in &sources.assignments {
        match assignment {
            Assignment::Variable(name, text) => collector.add_text(name, InputSource::Option, text),
            Assignment::File(path) => collector.file(path, InputSource::File),
            Assignment::Value(given) => collector.add_value(given),
        }
    }
    let (assignments, gaps) = (collector.assignments, collector.gaps);
    let mut inputs = Inputs { assignments, gaps, ..Inputs::default() };
    for assignment in Inputs::choose(&mut inputs.assignments, module) {
        if let Some((name, variable)) = module.variables.get_key_value(&*assignment.name) {
            let value = assignment.parsed(Some(variable), &mut of_values).unwrap_or_else(Value::error);
            let (source, origin) = (assignment.source, assignment.origin());
            let input = Input { value, source, origin, subject: assignment.place() };
            inputs.values.insert(name.clone(), input);
        }
    }
    inputs.add_hidden(module);
    if sources.strict {
        required(module, &inputs, &mut of_values);
    }
    Collected { inputs, of_files, of_values }
}

/// Reports values for variables that are not declared.
fn undeclared(module: &Module, inputs: &Inputs, closest_names: &ClosestNames, diagnostics: &mut Diagnostics) {
    // Environment variables are not reported: other programs and modules share the environment.
    for assignment in inputs.undeclared() {
        let name = &assignment.name;
        let (given, remove) = match assignment.source {
            InputSource::Option => ("on the command line".to_owned(), "Remove the option"),
            InputSource::Caller => (format!("by {}", assignment.origin()), "Remove the value"),
            InputSource::Environment
            | InputSource::Terraform
            | InputSource::Automatic
            | InputSource::File => continue,
        };
        let detail = format!(
            "A value for the variable \"{name}\" is given {given}, but the root module does not declare it. {remove}, or \
             declare it with a block `variable \"{name}\" {{}}`."
        );
        let diagnostic = Diagnostic::error(ids::UNDECLARED_VALUE, detail);
        let diagnostic = match assignment.place() {
            Some(place) => diagnostic.at(&place.file, place.span),
            None => diagnostic,
        };
        let nearest = closest_names.of(name, module.variables.keys().map(|name| &**name));
        diagnostics.push(diagnostic.suggest(name, nearest));
    }
    undeclared_in_files(module, inputs, closest_names, diagnostics);
}

/// Warns about values in files for undeclared variables. The warnings show no text of the file, because the name may be
/// the misspelt name of a sensitive variable.
fn undeclared_in_files(
    module: &Module,
    inputs: &Inputs,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    let in_files = inputs.undeclared();
    let mut in_files = in_files.filter_map(|assignment| Some((assignment, assignment.name_place.as_ref()?)));
    for (assignment, place) in in_files.by_ref().take(UNDECLARED_ONE_BY_ONE) {
        let name = &assignment.name;
        let detail = format!(
            "The root module does not declare a variable \"{name}\", so its value in {} is not used. Declare it with a \
             block `variable \"{name}\" {{}}`, or remove the value.",
            assignment.origin()
        );
        let place = alone(place);
        let diagnostic = Diagnostic::warning(ids::UNDECLARED_VALUE, detail).at(&place.file, place.span);
        let nearest = closest_names.of(name, module.variables.keys().map(|name| &**name));
        diagnostics.push(diagnostic.suggest(name, nearest));
    }
    if let Some((_, place)) = in_files.next() {
        let more = in_files.count() + 1;
        let (noun, verb) = if more == 1 { ("variable", "It is") } else { ("variables", "They are") };
        let detail =
            format!("The variable files have values for {more} more undeclared {noun}. {verb} not used.");
        let place = alone(place);
        diagnostics.push(Diagnostic::warning(ids::UNDECLARED_VALUES, detail).at(&place.file, place.span));
    }
}

/// Reports variables that have neither a value nor a default, unless unreadable text may hold the one or the other.
fn required(module: &Module, inputs: &Inputs, diagnostics: &mut Diagnostics) {
    for (name, variable) in &module.variables {
        // A value with an error, which has been reported, is unknown. The calling program may give an unknown value.
        let is_given = inputs
            .values
            .get(name)
            .is_some_and(|input| input.value.is_known() || input.source == InputSource::Caller);
        let is_in_doubt = || module.doubt.covers(&Object::Variable(name.clone())) || inputs.is_in_doubt(name);
        if variable.default.is_none() && !is_given && !is_in_doubt() {
            let detail = format!(
                "The variable \"{name}\" of the root module has no value and no default. Give it one with -var \
                 {name}=…, in a variable file or in the environment as TF_VAR_{name}."
            );
            let declaration = &variable.declaration;
            diagnostics
                .push(Diagnostic::error(ids::NO_VALUE, detail).at(&declaration.file, declaration.span));
        }
    }
}

#[cfg(test)]
mod tests;
