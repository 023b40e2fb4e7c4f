//! The driver of an evaluation: runs each step and stores its result.

use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_value::Value;

use super::builds::resolve_builds;
use super::values::{data_source, local};
use super::variables::variable_values;
use crate::graph::order::{Node, order, report_cycle};
use crate::load::inputs::TemplateInputs;
use crate::load::template::LoadedTemplate;
use crate::model::release::check_required_versions;
use crate::model::request::TemplateRequest;
use crate::state::context::Context;
use crate::state::evaluation::TemplateEvaluation;
use crate::state::secrets::SecretTexts;

/// Evaluates a template. File functions read through `files`.
pub fn evaluate(loaded: LoadedTemplate, request: TemplateRequest, files: &dyn Files) -> TemplateEvaluation {
    let LoadedTemplate { template, inputs, diagnostics: before, deferred, .. } = loaded;
    let mut driver = Driver {
        evaluation: TemplateEvaluation::new(template, request, files),
        files,
        diagnostics: deferred,
    };
    if !driver.evaluation.template.doubt.is_whole() {
        driver.run(&inputs, before.has_errors());
    }
    driver.evaluation
}

struct Driver<'d> {
    evaluation: TemplateEvaluation,
    files: &'d dyn Files,
    diagnostics: Diagnostics,
}

impl Driver<'_> {
    fn run(&mut self, inputs: &TemplateInputs, has_load_errors: bool) {
        let deferred = std::mem::take(&mut self.diagnostics);
        check_required_versions(&self.evaluation.template, &self.evaluation.request, &mut self.diagnostics);
        self.diagnostics.extend(deferred);
        self.evaluation.variables = self.step(|context, found| variable_values(context, inputs, found));
        self.compute_values();
        self.evaluation.secrets = secrets(&self.evaluation);
        // After an error in a declaration, builds would report errors that follow from it.
        if !has_load_errors {
            self.evaluation.builds = self.step(resolve_builds);
        }
        let diagnostics = self.evaluation.without_secrets(std::mem::take(&mut self.diagnostics));
        let root = &self.evaluation.root_directory;
        let diagnostics = self.evaluation.template.without_followers(diagnostics);
        let explained = diagnostics.into_iter().map(|found| explain_root(root, found));
        self.evaluation.diagnostics = explained.collect::<Diagnostics>().distinct();
    }

    /// Returns the result of a step that reads the state.
    fn step<T>(&mut self, step: impl FnOnce(Context<'_>, &mut Diagnostics) -> T) -> T {
        step(Context { evaluation: &self.evaluation, files: self.files }, &mut self.diagnostics)
    }

    /// Computes data sources and local values, until a limit ends the evaluation.
    fn compute_values(&mut self) {
        let mut groups = order(&self.evaluation.template);
        let rules = self.evaluation.template.rules;
        if !rules.orders_locals_with_data {
            groups.sort_by_key(|group| matches!(group.nodes.first(), Some(Node::Local(_))));
        }
        for group in groups {
            let is_data = group.nodes.iter().all(|node| matches!(node, Node::Data(_)));
            if group.is_cycle && (rules.orders_locals_with_data || is_data) {
                let title = rules.cycle_title;
                report_cycle(&self.evaluation.template, &group.nodes, title, &mut self.diagnostics);
                group.nodes.into_iter().for_each(|node| self.store(node, Value::error()));
                continue;
            }
            for node in group.nodes {
                if self.step(|context, found| context.is_over(found)) {
                    return;
                }
                let value = self.step(|context, found| match node {
                    Node::Data(id) => data_source(context, id, found),
                    Node::Local(id) => local(context, id, found),
                });
                self.store(node, value);
            }
        }
    }

    fn store(&mut self, node: Node, value: Value) {
        match node {
            Node::Data(id) => self.evaluation.data[id] = Some(value),
            Node::Local(id) => self.evaluation.locals[id] = Some(value),
        }
    }
}

/// Returns the texts of sensitive variables and local values.
fn secrets(evaluation: &TemplateEvaluation) -> SecretTexts {
    let template = &evaluation.template;
    let variables = template.variables.values().zip(&evaluation.variables);
    let variables = variables.filter(|(variable, _)| variable.sensitive).map(|(_, value)| value);
    let locals = template.locals.values().zip(&evaluation.locals);
    let locals = locals.filter(|(local, _)| local.sensitive).filter_map(|(_, value)| value.as_ref());
    SecretTexts::of(variables.chain(locals))
}

/// Adds a hint to an error of a function that reads a path with `path.root`. Functions read relative to the
/// directory of the template, and `path.root` is the same directory as written on the command line, so the path
/// contains the directory twice.
fn explain_root(root: &str, diagnostic: Diagnostic) -> Diagnostic {
    let is_relative = root != "." && !root.starts_with('/');
    let names = [format!("\"{root}/"), format!("{root}/{root}/")];
    let is_named = names.iter().any(|path| diagnostic.detail.contains(path.as_str()));
    if !is_relative || diagnostic.id != ids::FUNCTION_FAILED || !is_named {
        return diagnostic;
    }
    diagnostic.hint(format!(
        "`path.root` is \"{root}\", and the function already reads from that directory. Run the command \
         there, or write the path without `path.root`."
    ))
}
