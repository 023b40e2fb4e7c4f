//! A console without its terminal: evaluates expressions one after another over the same names.
//!
//! [`Session`] evaluates; `lines` collects the lines of an input, and `request` reads requests of the evaluation server.

mod expression;
mod instance;
mod lines;
mod module;
mod request;
mod variables;
mod why_unknown;

use std::borrow::Cow;
use std::fmt;
use std::io;
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
use terrane_value::{Entries, Known, Type, TypeConstraint, Value, ValueKind, display};
pub use variables::variables_from_json;

use crate::document::json::answer::{AnswerText, Asked, RequestAnswer};
use crate::document::{Answered, Stage, WhyUnknown};
use crate::engine::Engine;
use crate::report::Report;
use crate::secrets::{Secrets, hides_names, is_hidden, shown_type};
use crate::sources::expression::ExpressionSources;
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
    /// Whether local values of a template with errors are not declared.
    hides_errors: bool,
    /// The bytes of the evaluation, which share the limit on memory with the values of an expression.
    memory_in_use: u64,
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

/// A body that was parsed, with the mistakes in its syntax.
struct WrittenBody {
    body: Body,
    syntax: Syntax,
    diagnostics: Diagnostics,
}

impl WrittenBody {
    fn of(text: &str, syntax: Syntax) -> WrittenBody {
        let name = match syntax {
            Syntax::Native => "<body>",
            Syntax::Json => "<body>.json",
        };
        let (body, found) = Body::parse(&SourceFile::new(FileId::new(name), text));
        WrittenBody { body, syntax, diagnostics: found.into_iter().collect() }
    }
}

impl Session {
    /// Returns a session in the root module of an evaluated configuration: a [`Report`], or the `Arc<Report>` of a
    /// [`Workspace`](crate::Workspace).
    pub fn of_module(report: impl Into<Arc<Report>>) -> Session {
        let report = report.into();
        let memory_in_use = report.memory_in_use();
        let context = Context::Module(report, InstanceId::ROOT);
        Session::over(context, memory_in_use)
    }

    fn over(context: Context, memory_in_use: u64) -> Session {
        Session { context, host: Host::default(), hides_errors: true, memory_in_use }
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
        let memory_in_use = report.evaluation().memory();
        let context = Context::Template(Box::new(report));
        Session::over(context, memory_in_use)
    }

    /// Makes local values of a Packer template with errors unknown, for programs that show the errors. Otherwise they are not declared, as on
    /// Packer's console.
    #[must_use]
    pub fn keeping_errors(self) -> Session {
        Session { hides_errors: false, ..self }
    }

    /// Returns the Packer template. `None` if the session is not over a template.
    pub fn template(&self) -> Option<&TemplateReport> {
        match &self.context {
            Context::Template(report) => Some(report),
            Context::Module(..) | Context::Variables(..) => None,
        }
    }

    /// Returns the answer as it may be shown. Sensitive values of a Packer template have no marks, so their texts are removed.
    fn hidden<'a>(&self, answered: &'a Answered, secrets: Secrets) -> Cow<'a, Answered> {
        match (&self.context, secrets, &answered.answer) {
            (Context::Template(report), Secrets::Hidden, Answer::Value(value)) => {
                let answer = Answer::Value(report.evaluation().secrets.hide_in(value));
                Cow::Owned(Answered { answer, ..answered.clone() })
            }
            (_, _, _) => Cow::Borrowed(answered),
        }
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
        self.with_text(answered, secrets, |text| match text {
            AnswerText::Text(text) => text.to_owned(),
            AnswerText::Value(text) => text.into_text(),
        })
    }

    /// Passes the text that the console prints for an answer to `then`.
    fn with_text<R>(
        &self,
        answered: &Answered,
        secrets: Secrets,
        then: impl FnOnce(AnswerText<'_>) -> R,
    ) -> R {
        let value = match &answered.answer {
            Answer::Type(value) => {
                return then(AnswerText::Text(&display::type_text(&shown_type(value, secrets))));
            }
            Answer::TypeOfType => return then(AnswerText::Text("type")),
            Answer::Value(value) => value,
        };
        let functions = self.functions();
        match (&self.context, secrets) {
            (_, Secrets::Shown) => then(AnswerText::Value(functions.console_text(&value.unmark_deep().0))),
            (Context::Template(report), Secrets::Hidden) => {
                then(AnswerText::Text(&report.console_text(value)))
            }
            (Context::Module(..) | Context::Variables(..), Secrets::Hidden) => {
                then(AnswerText::Value(functions.console_text(value)))
            }
        }
    }

    /// Returns a session over given variables. File functions resolve relative paths against the directory of the engine, but
    /// read through the files that are given with each expression.
    pub fn of_variables(engine: Engine, names: Variables) -> Session {
        let context = Context::Variables(Box::new(engine), names);
        Session::over(context, 0)
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
        match conversion::convert(
            &constraint,
            value,
            self.limits(),
            &Meter::beside(self.memory_in_use, self.limits()),
        ) {
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
        self.decode_written(WrittenBody::of(text, syntax), spec, files)
    }

    fn decode_written(&self, written: WrittenBody, spec: &BodySpec, files: &dyn Files) -> Answered {
        let WrittenBody { body, syntax, mut diagnostics } = written;
        if diagnostics.has_errors() {
            return Answered::failed(Stage::BodyParse(syntax), diagnostics);
        }
        let value = match &self.context {
            Context::Module(report, instance) => {
                self.module(report, *instance, files).decode(&body, spec, &mut diagnostics)
            }
            Context::Template(report) => {
                self.template_console(report, files).decode(&body, spec, &mut diagnostics)
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
                self.template_console(report, files).evaluate(expression, &mut diagnostics)
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
        ConsoleScope { evaluation, instance, added: None, files, world, memory_in_use: self.memory_in_use }
    }

    fn template_console<'c>(&'c self, report: &'c TemplateReport, files: &'c dyn Files) -> Console<'c> {
        Console {
            evaluation: report.evaluation(),
            files,
            host: &self.host,
            hides_errors: self.hides_errors,
            memory_in_use: self.memory_in_use,
        }
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
        let hides = |value: &Value| is_hidden(value, secrets) || hides_names(value, secrets);
        if hides(value) || hides(first) {
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
        self.answer(request, files, options, |answer| answer.to_json())
    }

    /// Writes the answer to a request of the evaluation server like [`Session::request`], but piece by piece, so that a long answer
    /// is never in memory as a whole.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_answer(
        &self,
        request: &str,
        files: &dyn Files,
        options: RequestOptions,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        self.answer(request, files, options, |answer| answer.write_json(out))
    }

    /// Passes the answer to a request to `then`.
    fn answer<R>(
        &self,
        request: &str,
        files: &dyn Files,
        options: RequestOptions,
        then: impl FnOnce(&RequestAnswer<'_>) -> R,
    ) -> R {
        let secrets = options.secrets;
        match Request::read(request) {
            Ok(Request { id, input: RequestInput::Body { text, syntax, schema } }) => {
                let written = WrittenBody::of(&text, syntax);
                let body = written.body.clone();
                let mut answered = self.decode_written(written, &BodySpec::new(schema.spec()), files);
                if !answered.diagnostics.is_empty() {
                    schema.hide_secrets(&body, &|_| false);
                    let found = std::mem::take(&mut answered.diagnostics).into_iter();
                    answered.diagnostics = found.map(Diagnostic::without_secrets).collect();
                }
                self.shown(PendingAnswer { id, answered, asked: Asked::default(), secrets }, then)
            }
            Ok(Request { id, input: RequestInput::Expression { text, constraint } }) => {
                let answered = match &constraint {
                    Some(constraint) => self.convert(&text, constraint, files),
                    None => self.evaluate(&text, files),
                };
                let sources = self.sources(&text, &answered);
                let why_unknown = self.why_unknown(&answered);
                let asked = Asked { converted: constraint.is_some(), sources, why_unknown };
                self.shown(PendingAnswer { id, answered, asked, secrets }, then)
            }
            Err(InvalidRequest { id, message }) => {
                let answered = refused(message);
                self.shown(PendingAnswer { id, answered, asked: Asked::default(), secrets }, then)
            }
        }
    }

    /// Returns the answer to a request that could not be read, with the reason as a sentence.
    pub fn refuse(&self, reason: impl Into<String>, options: RequestOptions) -> String {
        let answered = refused(reason.into());
        let pending = PendingAnswer { id: None, answered, asked: Asked::default(), secrets: options.secrets };
        self.shown(pending, |answer| answer.to_json())
    }

    /// Returns the reasons why an answer is unknown: variables without a value, modules that are not on disk, and errors. `None`
    /// if the answer is known, or if an apply would make it known.
    pub fn why_unknown(&self, answered: &Answered) -> Option<WhyUnknown> {
        let report = match &self.context {
            Context::Module(report, _) => Some(&**report),
            Context::Template(_) | Context::Variables(..) => None,
        };
        why_unknown::why_unknown(answered, report)
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

    /// Passes an answer to `then` as it may be shown.
    fn shown<R>(&self, pending: PendingAnswer<'_>, then: impl FnOnce(&RequestAnswer<'_>) -> R) -> R {
        let PendingAnswer { id, answered, asked, secrets } = pending;
        // The text never shows a secret value. A type is only shown if its names may be shown.
        let is_type = matches!(answered.answer, Answer::Type(..) | Answer::TypeOfType);
        let of_text = if is_type { secrets } else { Secrets::Hidden };
        let hidden = self.hidden(&answered, secrets);
        self.with_text(&answered, of_text, |console| {
            then(&RequestAnswer { id, answered: &hidden, console, asked: &asked, secrets })
        })
    }
}

/// An answer to a request, and how it is shown.
struct PendingAnswer<'r> {
    id: Option<&'r RawValue>,
    answered: Answered,
    asked: Asked,
    secrets: Secrets,
}

/// Returns the answer to a request that could not be read, with the reason as a sentence.
fn refused(reason: String) -> Answered {
    let diagnostic = Diagnostic::error(ids::INVALID_REQUEST, reason);
    Answered::failed(Stage::Request, Diagnostics::from_iter([diagnostic]))
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
