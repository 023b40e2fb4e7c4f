use std::path::Path;

use terrane_body::{Body, BodyReader, BodySpec, ExpandedBody, decode};
use terrane_config::{limits, semantics};
use terrane_eval::{
    Answer, FunctionTable, Scope, Variables, evaluate as evaluate_expression, evaluate_in_console,
};
use terrane_function::{CallEnv, Host, Meter};
use terrane_source::{Diagnostic, Diagnostics, Files, ids};
use terrane_syntax::Expression;
use terrane_value::{OriginKind, Origins, SmolStr, Type, Value, convert};

use crate::components::check::{self as builtin, Use};
use crate::components::plugins;
use crate::decode::packer_block as requirements;
use crate::evaluate::builds as build;
use crate::graph::order::{self, Node};
use crate::load::template::LoadedTemplate;
use crate::model::build::Run;
use crate::model::component_kind::ComponentKind;
use crate::model::request::TemplateRequest;
use crate::model::template::{Given, Template, Validation, Variable};
use crate::state::scope::{Place, TemplateScope};
use crate::state::secrets::SecretTexts;

/// A template with all its values and builds.
pub struct TemplateEvaluation {
    /// What was evaluated.
    pub template: Template,
    /// What was asked for.
    pub request: TemplateRequest,
    /// The values of the variables, in the order of [`Template::variables`].
    pub variables: Vec<Value>,
    /// The values of the local values, in the order of [`Template::locals`].
    pub locals: Vec<Option<Value>>,
    /// The values of the data sources, in the order of [`Template::data`].
    pub data: Vec<Option<Value>>,
    /// Every build for each of its sources.
    pub runs: Vec<Run>,
    /// The texts that must not be shown.
    pub secrets: SecretTexts,
    /// What went wrong after loading.
    pub diagnostics: Diagnostics,
    /// `path.cwd`.
    pub(crate) working_directory: String,
    /// `path.root`.
    pub(crate) root_directory: String,
    functions: FunctionTable,
    /// What the evaluation has used up of the limits of the request.
    meter: Meter,
}

/// Evaluates a template. File functions read through `files`.
pub fn evaluate(loaded: LoadedTemplate, request: TemplateRequest, files: &dyn Files) -> TemplateEvaluation {
    let LoadedTemplate { template, inputs, diagnostics: before, later, damaged } = loaded;
    let slashes = |path: &Path| path.to_string_lossy().replace('\\', "/");
    let mut evaluation = TemplateEvaluation {
        working_directory: slashes(&files.working_directory()),
        root_directory: slashes(&template.directory),
        functions: FunctionTable::of(request.dialect(), request.library().collect()),
        meter: Meter::default(),
        variables: Vec::new(),
        locals: vec![None; template.locals.len()],
        data: vec![None; template.data.len()],
        runs: Vec::new(),
        secrets: SecretTexts::default(),
        diagnostics: Diagnostics::new(),
        template,
        request,
    };
    if damaged {
        return evaluation;
    }
    let mut diagnostics = Diagnostics::new();
    requirements::check(&evaluation.template, &evaluation.request, &mut diagnostics);
    diagnostics.extend(later);
    evaluation.add_variables(&|name| inputs.get(name).cloned(), files, &mut diagnostics);
    evaluation.add_values(files, &mut diagnostics);
    evaluation.add_secrets();
    // What is missing because of a mistake in a declaration is not reported as missing.
    if !before.has_errors() {
        build::builds(&mut evaluation, files, &mut diagnostics);
    }
    let diagnostics = evaluation.without_secrets(diagnostics);
    let explained = diagnostics.into_iter().map(|found| evaluation.explain_root(found));
    evaluation.diagnostics = explained.collect::<Diagnostics>().distinct();
    evaluation
}

impl TemplateEvaluation {
    /// The functions that expressions may call.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// The messages without what must not be shown in them.
    pub fn without_secrets(&self, diagnostics: Diagnostics) -> Diagnostics {
        let template = &self.template;
        let variables = template.variables.iter().filter(|(_, variable)| variable.sensitive);
        let locals = template.locals.iter().filter(|(_, local)| local.sensitive);
        let names: Vec<String> = variables
            .map(|(name, _)| format!("var.{name}"))
            .chain(locals.map(|(name, _)| format!("local.{name}")))
            .collect();
        let is_sensitive = |line: &String| {
            names.iter().any(|name| {
                line.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(is_in_name))
            })
        };
        let hide = |text: String| self.secrets.hide(&text).into_owned();
        let hidden = diagnostics.into_iter().map(|mut diagnostic| {
            diagnostic.values.retain(|line| !is_sensitive(line));
            diagnostic.values = diagnostic.values.into_iter().map(hide).collect();
            diagnostic.hints = diagnostic.hints.into_iter().map(hide).collect();
            diagnostic.detail = hide(diagnostic.detail);
            diagnostic.own_title = diagnostic.own_title.map(hide);
            diagnostic
        });
        hidden.collect()
    }

    /// Explains why a file is not found that a function reads by a path with `path.root`: functions read from the directory
    /// of the template, and `path.root` is that directory as it is named on the command line.
    fn explain_root(&self, diagnostic: Diagnostic) -> Diagnostic {
        let root = &self.root_directory;
        let is_relative = root != "." && !root.starts_with('/');
        let names = [format!("\"{root}/"), format!("{root}/{root}/")];
        let is_named = names.iter().any(|path| diagnostic.detail.contains(path.as_str()));
        if !is_relative || diagnostic.id != ids::FUNCTION_FAILED || !is_named {
            return diagnostic;
        }
        diagnostic.hint(format!(
            "`path.root` is \"{root}\", and the function reads from that directory already. Run the command there, or write \
             the path without `path.root`."
        ))
    }

    /// The names as the console sees them.
    pub fn console_scope(&self) -> TemplateScope<'_> {
        TemplateScope { evaluation: self, place: Place::Console }
    }

    /// Evaluates an expression on the console, with what `host` lets functions see.
    pub fn console(
        &self,
        expression: &Expression,
        files: &dyn Files,
        host: &Host,
        diagnostics: &mut Diagnostics,
    ) -> Answer {
        let meter = Meter::default();
        let env = CallEnv { world: host.world(), meter: Some(&meter), ..self.env(files) };
        let names = self.console_scope();
        let mut found = Diagnostics::new();
        let answer = evaluate_in_console(expression, &self.scope(&names, &env), &mut found);
        diagnostics.extend(self.without_secrets(found));
        answer
    }

    /// The value of a body in the names of the console, as `spec` says, with what `host` lets functions see.
    pub fn decode(
        &self,
        (body, spec): (&Body, &BodySpec),
        files: &dyn Files,
        host: &Host,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let meter = Meter::default();
        let env = CallEnv { world: host.world(), meter: Some(&meter), ..self.env(files) };
        let names = self.console_scope();
        let mut found = Diagnostics::new();
        let value = decode(body, spec, &self.scope(&names, &env), &mut found);
        diagnostics.extend(self.without_secrets(found));
        value
    }

    /// Where to look for the files that components need, if they must be there.
    pub(crate) fn files_to_check<'f>(&self, files: &'f dyn Files) -> Option<&'f dyn Files> {
        self.request.complete.then_some(files)
    }

    pub(crate) fn env<'e>(&'e self, files: &'e dyn Files) -> CallEnv<'e> {
        let base = CallEnv::new(files, &self.template.directory, &self.request.limits);
        CallEnv { world: self.request.host.world(), meter: Some(&self.meter), ..base }
    }

    /// Whether the evaluation has met a limit that ends it.
    pub(crate) fn is_over(&self, diagnostics: &mut Diagnostics) -> bool {
        limits::is_over(&self.request.limits, &self.meter, diagnostics)
    }

    pub(crate) fn scope<'s>(&'s self, names: &'s TemplateScope<'s>, env: &'s CallEnv<'s>) -> Scope<'s> {
        Scope { names, functions: &self.functions, env, semantics: semantics(self.request.dialect()) }
    }

    /// Calls `read` with a reader of bodies at a place.
    pub(crate) fn read_at<T>(
        &self,
        place: Place<'_>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
        read: impl FnOnce(&mut BodyReader<'_>) -> T,
    ) -> T {
        let env = self.env(files);
        let names = TemplateScope { evaluation: self, place };
        let scope = self.scope(&names, &env);
        read(&mut BodyReader::new(&scope, diagnostics))
    }

    /// Calls `read` with a reader of bodies in which there are no names but those of `dynamic` blocks, and no functions.
    pub(crate) fn closed<T>(
        &self,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
        read: impl FnOnce(&mut BodyReader<'_>) -> T,
    ) -> T {
        let (names, env) = (Variables::new(), self.env(files));
        let functions = FunctionTable::only(self.request.dialect(), Vec::new());
        let semantics = semantics(self.request.dialect());
        let scope = Scope { names: &names, functions: &functions, env: &env, semantics };
        read(&mut BodyReader::new(&scope, diagnostics))
    }

    fn add_variables(
        &mut self,
        given: &dyn Fn(&str) -> Option<Given>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) {
        let mut values = Vec::with_capacity(self.template.variables.len());
        for (name, variable) in &self.template.variables {
            let given = given(name).or_else(|| variable.default.clone());
            let Some(given) = given else {
                values.push(self.unset(name, variable, diagnostics));
                continue;
            };
            for validation in &variable.validations {
                self.validate(name, variable, validation, &given, files, diagnostics);
            }
            values.push(given.value);
        }
        self.variables = values;
    }

    fn unset(&self, name: &str, variable: &Variable, diagnostics: &mut Diagnostics) -> Value {
        if self.request.inputs.strict {
            let detail = format!(
                "The variable has neither a value nor a default. Give it one with -var {name}=…, in a variable file or \
                 in the environment as PKR_VAR_{name}."
            );
            let declaration = &variable.declaration;
            diagnostics.push(
                Diagnostic::error(ids::NO_VALUE, detail)
                    .titled(format!("Unset variable \"{name}\""))
                    .at(&declaration.file, declaration.span),
            );
        }
        let origins = Origins::one(OriginKind::Variable, format!("var.{name}"));
        Value::unknown_from(variable.constraint.ty.without_optional(), origins)
    }

    /// Checks a value against a `validation` block, whose condition may name nothing else.
    fn validate(
        &self,
        name: &str,
        variable: &Variable,
        validation: &Validation,
        given: &Given,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) {
        let names = Variables::new().with("var", Value::object([(SmolStr::from(name), given.value.clone())]));
        let env = self.env(files);
        let scope = Scope {
            names: &names,
            functions: &self.functions,
            env: &env,
            semantics: semantics(self.request.dialect()),
        };
        let mut found = Diagnostics::new();
        let condition = &validation.condition;
        let result = evaluate_expression(condition, &scope, &mut found);
        let failed = found.has_errors();
        diagnostics.extend(found);
        if failed || !result.is_known() {
            return;
        }
        let holds = if result.is_null() { None } else { convert(&result, &Type::Bool).ok() };
        let Some(holds) = holds.and_then(|holds| holds.as_bool()) else {
            let detail = "The condition of a validation must be true or false.";
            diagnostics.push(
                Diagnostic::error(ids::INVALID_CONDITION_RESULT, detail)
                    .titled("Invalid variable validation result")
                    .at(condition.source(), condition.span()),
            );
            return;
        };
        if holds {
            return;
        }
        let detail = format!("{} (the rule of the variable \"{name}\")", validation.message);
        let diagnostic = Diagnostic::error(ids::VALIDATION_FAILED, detail)
            .titled(format!("Invalid value for {} variable", given.from.name()));
        diagnostics.push(match &given.place {
            Some((file, span)) if !variable.sensitive => diagnostic.at(file, *span),
            Some(_) | None => diagnostic.at(&validation.declaration.file, validation.declaration.span),
        });
    }

    /// Computes data sources and local values.
    fn add_values(&mut self, files: &dyn Files, diagnostics: &mut Diagnostics) {
        let mut groups = order::order(&self.template);
        let has_graph = self.request.is_since(12);
        if !has_graph {
            // Before Packer 1.12, all data sources came first, so that none could refer to a local value.
            groups.sort_by_key(|group| matches!(group.nodes.first(), Some(Node::Local(_))));
        }
        for group in groups {
            let is_data = group.nodes.iter().all(|node| matches!(node, Node::Data(_)));
            if group.is_cycle && (has_graph || is_data) {
                let title = if has_graph {
                    "failed to prepare execution graph"
                } else {
                    "Max datasource recursion depth exceeded."
                };
                order::report_cycle(&self.template, &group.nodes, title, diagnostics);
                for node in group.nodes {
                    self.set(node, Value::error());
                }
                continue;
            }
            for node in group.nodes {
                if self.is_over(diagnostics) {
                    return;
                }
                let value = match node {
                    Node::Data(index) => self.data_source(index, files, diagnostics),
                    Node::Local(index) => self.local(index, files, diagnostics),
                };
                self.set(node, value);
            }
        }
    }

    fn set(&mut self, node: Node, value: Value) {
        let slot = match node {
            Node::Data(index) => self.data.get_mut(index),
            Node::Local(index) => self.locals.get_mut(index),
        };
        if let Some(slot) = slot {
            *slot = Some(value);
        }
    }

    fn local(&self, index: usize, files: &dyn Files, diagnostics: &mut Diagnostics) -> Value {
        let Some((_, local)) = self.template.locals.get_index(index) else { return Value::error() };
        let env = self.env(files);
        let names = TemplateScope { evaluation: self, place: Place::Outside };
        evaluate_expression(&local.expression, &self.scope(&names, &env), diagnostics)
    }

    fn data_source(&self, index: usize, files: &dyn Files, diagnostics: &mut Diagnostics) -> Value {
        let Some(((data_type, name), declared)) = self.template.data.get_index(index) else {
            return Value::error();
        };
        let address = format!("data.{data_type}.{name}");
        if !plugins::is_known(&self.template, ComponentKind::Data, data_type) {
            let diagnostic = plugins::unknown(&self.template, ComponentKind::Data, data_type);
            diagnostics.push(diagnostic.at(&declared.declaration.file, declared.declaration.span));
            return Value::error();
        }
        let body = ExpandedBody::new(declared.body.clone());
        let mut resolved = self.read_at(Place::Outside, files, diagnostics, |reader| reader.resolve(&body));
        let used = Use {
            kind: ComponentKind::Data,
            name: data_type,
            span: declared.declaration.span,
            written: &declared.body,
            overrides: None,
        };
        builtin::check(used, &mut resolved, self.files_to_check(files), diagnostics);
        builtin::data_source(data_type, &address, &resolved)
    }

    fn add_secrets(&mut self) {
        let mut secrets = SecretTexts::default();
        for (variable, value) in self.template.variables.values().zip(&self.variables) {
            if variable.sensitive {
                secrets.add(value);
            }
        }
        for (local, value) in self.template.locals.values().zip(&self.locals) {
            if let (true, Some(value)) = (local.sensitive, value) {
                secrets.add(value);
            }
        }
        self.secrets = secrets;
    }
}

/// Whether a character goes on with a name.
fn is_in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}
