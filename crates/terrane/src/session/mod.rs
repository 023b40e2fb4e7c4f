//! A console without its terminal: expressions one after another over the same names.

mod answer;
mod instance;
mod lines;
mod request;
#[cfg(test)]
mod tests;
mod variables;

use std::fmt;

use answer::answer_json;
pub use lines::InputLines;
pub use request::RequestOptions;
use terrane_body::{Body, BodySpec, decode, references_by_spec};
use terrane_config::address::ResourceMode;
use terrane_eval::{Answer, FunctionTable, Names, Variables, evaluate_in_console, strict_type_constraint};
use terrane_function::{Host, Product, World};
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, SourceFile, ids};
use terrane_syntax::{Expression, parse_body, parse_expr, parse_json};
use terrane_value::{Entries, Known, Type, TypeConstraint, Value, ValueKind, display};
pub use variables::variables_from_json;

use crate::json_text::is_hidden;
use crate::printed::check_answer;
use crate::{Engine, Report, TemplateReport};

/// Expressions one after another over the same names: what `terrane console` is made of.
pub struct Session {
    place: Place,
    /// What functions of a module's session see of the world.
    host: Host,
}

/// Where the names come from.
enum Place {
    /// An instance of a module of a configuration, by its index.
    Module(Box<Report>, usize),
    /// A Packer template.
    Template(Box<TemplateReport>),
    /// Given variables.
    Variables(Box<Engine>, Variables),
}

/// What came of an expression on the console. [`Session::text`] shows it: sensitive values of a Packer template carry no
/// marks, so that only the session knows what must not be seen.
#[derive(Clone, Debug)]
#[must_use]
#[non_exhaustive]
pub struct Answered {
    /// The value, or the type that was asked for. What depends on a mistake is unknown in it.
    pub answer: Answer,
    /// What is wrong.
    pub diagnostics: Diagnostics,
    /// What was being done when the first error was found.
    pub stage: Stage,
}

/// The steps on the way to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stage {
    /// The request itself was read.
    Request,
    /// The expression was parsed.
    Parse,
    /// The expression was evaluated.
    Eval,
    /// The text of the type constraint was parsed.
    TypeParse,
    /// The type constraint was read.
    Type,
    /// The value was converted to the type constraint.
    Convert,
    /// The text of a body was parsed.
    BodyParse(Syntax),
    /// The body was decoded.
    Decode(Syntax),
}

/// How a body is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Syntax {
    /// In the native syntax.
    Native,
    /// As JSON.
    Json,
}

/// How values are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Secrets {
    /// Sensitive and ephemeral values are not shown.
    #[default]
    Hidden,
    /// They are shown.
    Shown,
}

impl Answered {
    fn failed(stage: Stage, diagnostics: Diagnostics) -> Answered {
        Answered { answer: Answer::Value(Value::error()), diagnostics, stage }
    }

    /// The answer, if it can be printed.
    fn printable(mut self) -> Answered {
        match check_answer(&self.answer) {
            Ok(()) => self,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                Answered::failed(self.stage, self.diagnostics)
            }
        }
    }
}

impl Session {
    /// Expressions in the root module of an evaluated configuration.
    pub fn of_module(report: Report) -> Session {
        Session { place: Place::Module(Box::new(report), 0), host: Host::default() }
    }

    /// The same session in an instance of a called module, such as `module.a["k"]`. Where it is not known which instances there
    /// are, names stand for what holds for any of them.
    ///
    /// # Errors
    ///
    /// There is no such instance: a sentence that says which there are.
    pub fn in_module_instance(self, address: &str) -> Result<Session, String> {
        let report = match self.place {
            Place::Module(report, _) => report,
            Place::Template(_) => return Err("a Packer template has no module instances".to_owned()),
            Place::Variables(..) => return Err("given variables have no module instances".to_owned()),
        };
        let index = instance::find(report.evaluation(), address)?;
        Ok(Session { place: Place::Module(report, index), ..self })
    }

    /// The same session, whose functions may give what differs from run to run. Over given variables, what the
    /// engine sees counts.
    #[must_use]
    pub fn host(self, host: Host) -> Session {
        Session { host, ..self }
    }

    /// Expressions in an evaluated Packer template, whose values are shown as Packer's console does.
    pub fn of_template(report: TemplateReport) -> Session {
        Session { place: Place::Template(Box::new(report)), host: Host::default() }
    }

    /// The Packer template, where the session is over one.
    pub fn template(&self) -> Option<&TemplateReport> {
        match &self.place {
            Place::Template(report) => Some(report),
            Place::Module(..) | Place::Variables(..) => None,
        }
    }

    /// The answer as it may be shown. In a Packer template, sensitive values have no marks: their texts are taken out.
    fn hidden(&self, mut answered: Answered, secrets: Secrets) -> Answered {
        if let (Place::Template(report), Secrets::Hidden, Answer::Value(value)) =
            (&self.place, secrets, &answered.answer)
        {
            answered.answer = Answer::Value(report.evaluation().secrets.hide_in(value));
        }
        answered
    }

    /// What the console prints for an answer of this session.
    pub fn text(&self, answered: &Answered, secrets: Secrets) -> String {
        let value = match &answered.answer {
            Answer::Type(ty, _) => return display::type_text(ty),
            Answer::Value(value) => value,
        };
        let show = match self.functions().dialect().product() {
            Some(Product::Packer) => display::packer,
            Some(Product::Terraform | Product::OpenTofu) | None => display::console,
        };
        match (&self.place, secrets) {
            (_, Secrets::Shown) => show(&value.unmark_deep().0),
            (Place::Template(report), Secrets::Hidden) => report.console_text(value),
            (Place::Module(..) | Place::Variables(..), Secrets::Hidden) => show(value),
        }
    }

    /// Expressions over given variables. File functions read relative paths against the directory of the engine, but
    /// through the files that are given with each expression.
    pub fn of_variables(engine: Engine, names: Variables) -> Session {
        Session { place: Place::Variables(Box::new(engine), names), host: Host::default() }
    }

    /// Parses and evaluates an expression.
    pub fn evaluate(&self, text: &str, files: &dyn Files) -> Answered {
        match parse("<expression>", text) {
            Ok(expression) => self.evaluate_parsed(&expression, files).printable(),
            Err(diagnostics) => Answered::failed(Stage::Parse, diagnostics),
        }
    }

    /// Evaluates an expression and converts its value to a type constraint, with the defaults of the constraint.
    pub fn convert(&self, text: &str, constraint: &str, files: &dyn Files) -> Answered {
        let constraint = match type_constraint(constraint) {
            Ok(constraint) => constraint,
            Err((stage, diagnostics)) => return Answered::failed(stage, diagnostics),
        };
        let expression = match parse("<expression>", text) {
            Ok(expression) => expression,
            Err(diagnostics) => return Answered::failed(Stage::Parse, diagnostics),
        };
        let mut answered = self.evaluate_parsed(&expression, files);
        let Answer::Value(value) = &answered.answer else { return answered };
        if answered.diagnostics.has_errors() {
            return answered;
        }
        match constraint.convert(value) {
            Ok(value) => answered.answer = Answer::Value(value),
            Err(error) => {
                let detail = format!("The value does not fit the type: {error}.");
                let diagnostic = Diagnostic::error(ids::INVALID_INPUT, detail);
                answered.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
                answered.stage = Stage::Convert;
            }
        }
        answered.printable()
    }

    /// Parses a body and decodes it, as a spec says.
    pub fn decode(&self, text: &str, syntax: Syntax, spec: &BodySpec, files: &dyn Files) -> Answered {
        let source = |name: &str| SourceFile::new(FileId::new(name), text);
        let (body, found) = match syntax {
            Syntax::Native => {
                let parsed = parse_body(&source("<body>"));
                (Body::native(&parsed.tree, parsed.root), parsed.diagnostics)
            }
            Syntax::Json => {
                let document = parse_json(&source("<body>.json"));
                (Body::json(&document.tree, document.root), document.diagnostics)
            }
        };
        let mut diagnostics: Diagnostics = found.into_iter().collect();
        if diagnostics.has_errors() {
            return Answered::failed(Stage::BodyParse(syntax), diagnostics);
        }
        let value = match &self.place {
            Place::Module(report, instance) => {
                report.decode(*instance, &body, spec, files, self.host.world(), &mut diagnostics)
            }
            Place::Template(report) => {
                report.evaluation().decode((&body, spec), files, &self.host, &mut diagnostics)
            }
            Place::Variables(engine, names) => {
                engine.with_scope(names, files, |scope| decode(&body, spec, scope, &mut diagnostics))
            }
        };
        Answered { answer: Answer::Value(value), diagnostics, stage: Stage::Decode(syntax) }.printable()
    }

    fn evaluate_parsed(&self, expression: &Expression, files: &dyn Files) -> Answered {
        let mut diagnostics = Diagnostics::new();
        let answer = match &self.place {
            Place::Module(report, instance) => {
                report.answer(expression, *instance, files, self.host.world(), &mut diagnostics)
            }
            Place::Template(report) => {
                report.evaluation().console(expression, files, &self.host, &mut diagnostics)
            }
            Place::Variables(engine, names) => engine
                .with_scope(names, files, |scope| evaluate_in_console(expression, scope, &mut diagnostics)),
        };
        Answered { answer, diagnostics, stage: Stage::Eval }
    }

    /// The functions that can be called.
    pub fn functions(&self) -> &FunctionTable {
        match &self.place {
            Place::Module(report, _) => report.evaluation().functions(),
            Place::Template(report) => report.evaluation().functions(),
            Place::Variables(engine, _) => engine.functions(),
        }
    }

    /// The references that can be written, such as `var.region`, for completion.
    pub fn names(&self) -> Vec<String> {
        match &self.place {
            Place::Module(report, instance) => module_names(report, *instance),
            Place::Template(report) => report.names(),
            Place::Variables(_, names) => names.visible(),
        }
    }

    /// The attributes behind a reference, for completion: of `local.tags`, those that `local.tags` has; behind a splat, those
    /// of the first element. Nothing of what is not shown.
    pub fn attributes(&self, reference: &str, files: &dyn Files, secrets: Secrets) -> Vec<String> {
        let answered = self.evaluate(reference, files);
        let Answer::Value(value) = &answered.answer else { return Vec::new() };
        let is_splat = reference.ends_with("[*]") || reference.ends_with(".*");
        let first = if is_splat { value.nth(0).unwrap_or(value) } else { value };
        if is_hidden(value.marks(), secrets) || is_hidden(first.marks(), secrets) {
            return Vec::new();
        }
        let names = |entries: &Entries| entries.keys().map(|name| name.to_string()).collect();
        let known = match first.unmarked().kind() {
            ValueKind::Object(entries) | ValueKind::Map(entries) => return names(entries),
            ValueKind::Unknown(unknown) => &unknown.known,
            ValueKind::Bool(_)
            | ValueKind::Number(_)
            | ValueKind::String(_)
            | ValueKind::List(_)
            | ValueKind::Set(_)
            | ValueKind::Tuple(_)
            | ValueKind::Null(_)
            | ValueKind::Marked(..) => return Vec::new(),
        };
        match (known, first.ty()) {
            (Known::Object(entries), _) => names(entries),
            (Known::Nothing | Known::Sequence(_), Type::Object(object)) => {
                object.attributes().iter().map(|(name, _)| name.to_string()).collect()
            }
            (Known::Nothing | Known::Sequence(_), _) => Vec::new(),
        }
    }
}

fn module_names(report: &Report, instance: usize) -> Vec<String> {
    let evaluation = report.evaluation();
    let Some(instance) = evaluation.instances().get(instance) else { return Vec::new() };
    let module = &evaluation.config.node(instance.node).module;
    let fixed = ["path.cwd", "path.module", "path.root", "terraform.workspace"];
    let mut names: Vec<String> = fixed.into_iter().map(str::to_owned).collect();
    names.extend(module.variables.keys().map(|name| format!("var.{name}")));
    names.extend(module.locals.keys().map(|name| format!("local.{name}")));
    names.extend(module.calls.keys().map(|name| format!("module.{name}")));
    names.extend(module.resources.keys().filter_map(|(mode, resource_type, name)| match mode {
        ResourceMode::Managed => Some(format!("{resource_type}.{name}")),
        ResourceMode::Data => Some(format!("data.{resource_type}.{name}")),
        ResourceMode::Ephemeral => Some(format!("ephemeral.{resource_type}.{name}")),
        // No expression may read it.
        ResourceMode::Action => None,
    }));
    names.sort_unstable();
    names
}

impl Report {
    /// The answer to an expression in a module instance, as on the console.
    fn answer(
        &self,
        expression: &Expression,
        instance: usize,
        files: &dyn Files,
        world: World<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Answer {
        let evaluation = self.evaluation();
        let Some(state) = evaluation.instances().get(instance) else {
            return Answer::Value(Value::error());
        };
        let module = &evaluation.config.node(state.node).module;
        let schemas = &evaluation.config.request.schemas;
        terrane_module::reference::check(expression, module, schemas, diagnostics);
        if diagnostics.has_errors() {
            return Answer::Value(Value::error());
        }
        evaluation.console(expression, &evaluation.scope(instance), files, world, diagnostics)
    }
}

impl Report {
    /// The value of a body in a module instance.
    fn decode(
        &self,
        instance: usize,
        body: &Body,
        spec: &BodySpec,
        files: &dyn Files,
        world: World<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let evaluation = self.evaluation();
        let Some(place) = evaluation.instances().get(instance) else { return Value::error() };
        let module = &evaluation.config.node(place.node).module;
        let schemas = &evaluation.config.request.schemas;
        references_by_spec(body, spec, &mut |reference| {
            terrane_module::reference::check_references(&[*reference], module, schemas, diagnostics);
        });
        if diagnostics.has_errors() {
            return Value::error();
        }
        evaluation.decode((body, spec), &evaluation.scope(instance), files, world, diagnostics)
    }
}

fn parse(name: &str, text: &str) -> Result<Expression, Diagnostics> {
    let parsed = parse_expr(&SourceFile::new(FileId::new(name), text));
    let diagnostics: Diagnostics = parsed.diagnostics.into_iter().collect();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(Expression { tree: parsed.tree, id: parsed.root })
}

fn type_constraint(text: &str) -> Result<TypeConstraint, (Stage, Diagnostics)> {
    let expression = parse("<type>", text).map_err(|diagnostics| (Stage::TypeParse, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let constraint = strict_type_constraint(&expression, &mut diagnostics);
    if diagnostics.has_errors() { Err((Stage::Type, diagnostics)) } else { Ok(constraint) }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.place {
            Place::Module(..) => "Session(module)",
            Place::Template(_) => "Session(template)",
            Place::Variables(..) => "Session(variables)",
        })
    }
}
