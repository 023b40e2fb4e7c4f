//! A console without its terminal: evaluates expressions one after another over the same names.
//!
//! [`Session`] evaluates; `lines` collects the lines of an input, and `request` reads requests of the evaluation server.

mod expression;
mod instance;
mod lines;
mod module;
mod request;
mod variables;

use std::fmt;
use std::sync::Arc;

pub use lines::InputLines;
pub use request::RequestOptions;
use request::{InvalidRequest, Request, RequestInput};
use serde_json::value::RawValue;
use terrane_body::{Body, BodySpec, decode};
use terrane_eval::{Answer, FunctionTable, Names, Variables, evaluate_in_console, strict_type_constraint};
use terrane_function::conversion::{self, ConversionError};
use terrane_function::{Host, Limits, Meter};
use terrane_module::{ConsoleScope, InstanceId};
use terrane_packer::Console;
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, SourceFile, ids};
use terrane_syntax::{Expression, Syntax, parse_expr};
use terrane_value::{Entries, Known, Type, TypeConstraint, ValueKind, display};
pub use variables::variables_from_json;

use crate::document::json::answer::{Asked, answer_json};
use crate::document::{Answered, Stage};
use crate::engine::Engine;
use crate::expression_sources::ExpressionSources;
use crate::report::Report;
use crate::secrets::{Secrets, is_hidden, shown_type};
use crate::template::TemplateReport;

/// Evaluates expressions one after another over the same names, as `terrane console` does.
///
/// The names come from a module instance, from a Packer template, or from given variables:
///
/// ```
/// use terrane::{MemoryFiles, Project, Secrets, Session};
///
/// let files = MemoryFiles::from_iter([("main.tf", "locals { ports = [80, 443] }")]);
/// let session = Session::of_module(Project::new(".").evaluate(&files));
/// let answered = session.evaluate("[for port in local.ports : port + 8000]", &files);
/// assert_eq!(session.text(&answered, Secrets::Hidden), "[\n  8080,\n  8443,\n]");
/// ```
pub struct Session {
    context: Context,
    /// The clock, random numbers and environment for functions in a module or template.
    host: Host,
}

/// The source of the names in expressions.
enum Context {
    /// A module instance of a configuration.
    Module(Arc<Report>, InstanceId),
    /// A Packer template.
    Template(Box<TemplateReport>),
    /// Given variables.
    Variables(Box<Engine>, Variables),
}

impl Session {
    /// Returns a session in the root module of an evaluated configuration: a [`Report`], or the `Arc<Report>` of a
    /// [`Workspace`](crate::Workspace).
    pub fn of_module(report: impl Into<Arc<Report>>) -> Session {
        Session { context: Context::Module(report.into(), InstanceId::ROOT), host: Host::default() }
    }

    /// Moves this session into an instance of a called module, such as `module.a["k"]`. If the instance keys of the call are
    /// unknown, every key is accepted, and names have the values that all instances share.
    ///
    /// # Errors
    ///
    /// If there is no such instance: a sentence that lists the existing instances.
    pub fn in_module_instance(self, address: &str) -> Result<Session, String> {
        let report = match self.context {
            Context::Module(report, _) => report,
            Context::Template(_) => return Err("a Packer template has no module instances".to_owned()),
            Context::Variables(..) => return Err("given variables have no module instances".to_owned()),
        };
        let instance = instance::find(report.evaluation(), address)?;
        Ok(Session { context: Context::Module(report, instance), ..self })
    }

    /// Gives functions a clock, random numbers and the environment of this host. A session over given variables uses the host
    /// of its engine instead.
    #[must_use]
    pub fn host(self, host: Host) -> Session {
        Session { host, ..self }
    }

    /// Returns a session over an evaluated Packer template. Values are shown as Packer's console shows them.
    pub fn of_template(report: TemplateReport) -> Session {
        Session { context: Context::Template(Box::new(report)), host: Host::default() }
    }

    /// Returns the Packer template. `None` if the session is not over a template.
    pub fn template(&self) -> Option<&TemplateReport> {
        match &self.context {
            Context::Template(report) => Some(report),
            Context::Module(..) | Context::Variables(..) => None,
        }
    }

    /// Returns the answer as it may be shown. Sensitive values of a Packer template have no marks, so their texts are removed.
    fn hidden(&self, mut answered: Answered, secrets: Secrets) -> Answered {
        if let (Context::Template(report), Secrets::Hidden, Answer::Value(value)) =
            (&self.context, secrets, &answered.answer)
        {
            answered.answer = Answer::Value(report.evaluation().secrets.hide_in(value));
        }
        answered
    }

    /// Returns diagnostics without secrets. The values of a Packer template have no marks, so their messages may contain secret keys.
    fn without_secrets(&self, diagnostics: Diagnostics) -> Diagnostics {
        match &self.context {
            Context::Template(report) => report.evaluation().without_secrets(diagnostics),
            Context::Module(..) | Context::Variables(..) => diagnostics,
        }
    }

    /// Returns the text that the console prints for an answer of this session.
    pub fn text(&self, answered: &Answered, secrets: Secrets) -> String {
        let value = match &answered.answer {
            Answer::Type(value) => return display::type_text(&shown_type(value, secrets)),
            Answer::TypeOfType => return "type".to_owned(),
            Answer::Value(value) => value,
        };
        let functions = self.functions();
        match (&self.context, secrets) {
            (_, Secrets::Shown) => functions.console_text(&value.unmark_deep().0),
            (Context::Template(report), Secrets::Hidden) => report.console_text(value),
            (Context::Module(..) | Context::Variables(..), Secrets::Hidden) => functions.console_text(value),
        }
    }

    /// Returns a session over given variables. File functions resolve relative paths against the directory of the engine, but
    /// read through the files that are given with each expression.
    pub fn of_variables(engine: Engine, names: Variables) -> Session {
        Session { context: Context::Variables(Box::new(engine), names), host: Host::default() }
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
        match conversion::convert(&constraint, value, self.limits(), &Meter::default()) {
            Ok(value) => answered.answer = Answer::Value(value),
            Err(error) => {
                let diagnostic = match error {
                    ConversionError::Mismatch(error) => {
                        let detail = format!("The value does not fit the type: {error}.");
                        Diagnostic::error(ids::INVALID_INPUT, detail)
                    }
                    ConversionError::Limit(limit) => limit.diagnostic("The value"),
                };
                let diagnostic = diagnostic.at(expression.source(), expression.span());
                answered.diagnostics.extend(self.without_secrets(Diagnostics::from_iter([diagnostic])));
                answered.stage = Stage::Convert;
            }
        }
        answered.printable()
    }

    /// Parses a body and decodes it by a spec.
    pub fn decode(&self, text: &str, syntax: Syntax, spec: &BodySpec, files: &dyn Files) -> Answered {
        let name = match syntax {
            Syntax::Native => "<body>",
            Syntax::Json => "<body>.json",
        };
        let (body, found) = Body::parse(&SourceFile::new(FileId::new(name), text));
        let mut diagnostics: Diagnostics = found.into_iter().collect();
        if diagnostics.has_errors() {
            return Answered::failed(Stage::BodyParse(syntax), diagnostics);
        }
        let value = match &self.context {
            Context::Module(report, instance) => {
                self.module(report, *instance, files).decode(&body, spec, &mut diagnostics)
            }
            Context::Template(report) => {
                let console = Console { evaluation: report.evaluation(), files, host: &self.host };
                console.decode(&body, spec, &mut diagnostics)
            }
            Context::Variables(engine, names) => {
                engine.with_scope(names, files, |scope| decode(&body, spec, scope, &mut diagnostics))
            }
        };
        Answered { answer: Answer::Value(value), diagnostics, stage: Stage::Decode(syntax) }.printable()
    }

    fn evaluate_parsed(&self, expression: &Expression, files: &dyn Files) -> Answered {
        let mut diagnostics = Diagnostics::new();
        let answer = match &self.context {
            Context::Module(report, instance) => {
                self.module(report, *instance, files).answer(expression, &mut diagnostics)
            }
            Context::Template(report) => {
                let console = Console { evaluation: report.evaluation(), files, host: &self.host };
                console.evaluate(expression, &mut diagnostics)
            }
            Context::Variables(engine, names) => engine
                .with_scope(names, files, |scope| evaluate_in_console(expression, scope, &mut diagnostics)),
        };
        Answered { answer, diagnostics, stage: Stage::Eval }
    }

    fn module<'c>(
        &'c self,
        report: &'c Report,
        instance: InstanceId,
        files: &'c dyn Files,
    ) -> ConsoleScope<'c> {
        let (evaluation, world) = (report.evaluation(), self.host.world());
        ConsoleScope { evaluation, instance, added: None, files, world }
    }

    fn limits(&self) -> &Limits {
        match &self.context {
            Context::Module(report, _) => &report.evaluation().config.request.limits,
            Context::Template(report) => &report.evaluation().request.limits,
            Context::Variables(engine, _) => engine.limits_of_run(),
        }
    }

    /// Returns the functions that expressions can call.
    pub fn functions(&self) -> &FunctionTable {
        match &self.context {
            Context::Module(report, _) => report.evaluation().functions(),
            Context::Template(report) => report.evaluation().functions(),
            Context::Variables(engine, _) => engine.functions(),
        }
    }

    /// Returns the possible references, such as `var.region`, for completion.
    pub fn names(&self) -> Vec<String> {
        match &self.context {
            Context::Module(report, instance) => module::names(report.evaluation(), *instance),
            Context::Template(report) => report.names(),
            Context::Variables(_, names) => names.visible(),
        }
    }

    /// Returns the attribute names of the value of a reference, for completion. For a splat, returns the names of the first
    /// element. A hidden value has none.
    pub fn attributes(&self, reference: &str, files: &dyn Files, secrets: Secrets) -> Vec<String> {
        let answered = self.evaluate(reference, files);
        let Answer::Value(value) = &answered.answer else { return Vec::new() };
        let is_splat = reference.ends_with("[*]") || reference.ends_with(".*");
        let first = if is_splat { value.nth(0).unwrap_or(value) } else { value };
        if is_hidden(value, secrets) || is_hidden(first, secrets) {
            return Vec::new();
        }
        let names = |entries: &Entries| entries.keys().map(|name| name.to_string()).collect();
        let known_part = match first.unmarked().kind() {
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
        match (known_part, first.ty()) {
            (Known::Object(entries), _) => names(entries),
            (Known::Nothing | Known::Sequence(_), Type::Object(object)) => {
                object.attributes().iter().map(|(name, _)| name.to_string()).collect()
            }
            (Known::Nothing | Known::Sequence(_), _) => Vec::new(),
        }
    }

    /// Answers a request of the evaluation server. Both are JSON objects on one line, which `docs/console.md` describes. Every
    /// request has an answer; a text that is not JSON gets an error.
    ///
    /// ```
    /// use terrane::{Engine, MemoryFiles, RequestOptions, Session, Variables};
    ///
    /// let session = Session::of_variables(Engine::new(), Variables::new());
    /// let answer = session.request(r#"{"id": 1, "expr": "1 + 1"}"#, &MemoryFiles::new(), RequestOptions::default());
    /// assert_eq!(answer, r#"{"id":1,"ok":true,"type":"number","value":2,"console":"2"}"#);
    /// ```
    pub fn request(&self, request: &str, files: &dyn Files, options: RequestOptions) -> String {
        match Request::read(request) {
            Ok(Request { id, input: RequestInput::Body { text, syntax, spec } }) => {
                let answered = self.decode(&text, syntax, &spec, files);
                self.answer(id, answered, &Asked::default(), options.secrets)
            }
            Ok(Request { id, input: RequestInput::Expression { text, constraint } }) => {
                let answered = match &constraint {
                    Some(constraint) => self.convert(&text, constraint, files),
                    None => self.evaluate(&text, files),
                };
                let sources = self.sources(&text, &answered);
                self.answer(
                    id,
                    answered,
                    &Asked { converted: constraint.is_some(), sources },
                    options.secrets,
                )
            }
            Err(InvalidRequest { id, message }) => self.refusal(id, message, options),
        }
    }

    /// Returns the answer to a request that could not be read, with the reason as a sentence.
    pub fn refuse(&self, reason: impl Into<String>, options: RequestOptions) -> String {
        self.refusal(None, reason.into(), options)
    }

    fn refusal(&self, id: Option<&RawValue>, message: String, options: RequestOptions) -> String {
        let diagnostic = Diagnostic::error(ids::INVALID_REQUEST, message);
        let answered = Answered::failed(Stage::Request, Diagnostics::from_iter([diagnostic]));
        self.answer(id, answered, &Asked::default(), options.secrets)
    }

    /// Returns the sources that the value of an expression depends on. A wholly unknown value has none, because no part of it
    /// comes from a source.
    fn sources(&self, text: &str, answered: &Answered) -> ExpressionSources {
        let Answer::Value(value) = &answered.answer else { return ExpressionSources::default() };
        let Ok(expression) = parse("<expression>", text) else { return ExpressionSources::default() };
        match &self.context {
            Context::Module(report, instance) if !value.is_wholly_unknown() => {
                report.expression_sources(*instance, &expression)
            }
            Context::Module(..) | Context::Template(_) | Context::Variables(..) => {
                ExpressionSources::default()
            }
        }
    }

    fn answer(&self, id: Option<&RawValue>, answered: Answered, asked: &Asked, secrets: Secrets) -> String {
        // The text never shows a secret value. A type is only shown if its names may be shown.
        let is_type = matches!(answered.answer, Answer::Type(..) | Answer::TypeOfType);
        let console = self.text(&answered, if is_type { secrets } else { Secrets::Hidden });
        answer_json(id, &self.hidden(answered, secrets), &console, asked, secrets)
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
        f.write_str(match &self.context {
            Context::Module(..) => "Session(module)",
            Context::Template(_) => "Session(template)",
            Context::Variables(..) => "Session(variables)",
        })
    }
}

#[cfg(test)]
mod tests;
