//! One assignment of a root variable: its source, its place, and its value, which is parsed on demand.

use std::sync::Arc;

use terrane_body::constant::constant;
use terrane_config::InputValue;
use terrane_source::{Diagnostic, Diagnostics, FileId, SourceFile, Span, Subject, ids};
use terrane_syntax::Expression;
use terrane_value::{Mark, Marks, SmolStr, Value, json};

use crate::inputs::hidden_text::{place_without_text, without_text};
use crate::model::module::Variable;

/// An assignment of a root variable in the environment, a variable file, an option or the calling program, whether or not it
/// takes effect.
#[derive(Clone, Debug)]
pub struct InputAssignment {
    /// The name of the variable.
    pub name: SmolStr,
    /// The kind of source.
    pub source: InputSource,
    /// The place of the name in a variable file.
    pub name_place: Option<Subject>,
    /// Whether this is the last assignment of the name. Earlier assignments have no effect.
    pub wins: bool,
    /// Whether the root module declares the variable. If not, the assignment has no effect.
    pub is_declared: bool,
    /// Whether the root module does not declare the variable, but text that cannot be read may declare it.
    pub(super) may_be_declared: bool,
    pub(super) written: Notation,
}

/// The kinds of sources of root variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InputSource {
    /// The environment variable `TF_VAR_name`.
    Environment,
    /// `terraform.tfvars` or `terraform.tfvars.json` in the root module.
    Terraform,
    /// A file in the root module whose name ends in `.auto.tfvars` or `.auto.tfvars.json`.
    Automatic,
    /// A file of the option `-var-file`.
    File,
    /// The option `-var`.
    Option,
    /// The program that calls the engine.
    Caller,
}

/// The notation in which a value is written.
#[derive(Clone, Debug)]
pub(super) enum Notation {
    /// Text outside a file: taken as it is or parsed as an expression, depending on the type of the variable.
    Text(SmolStr),
    /// An expression in a variable file.
    Expression(Expression),
    /// A value in a variable file with syntax errors, which have been reported.
    Broken,
    /// A value in a JSON variable file, where strings are taken as they are.
    Json(Subject),
    /// A value that is not written in the configuration.
    Value(Box<InputValue>),
}

impl InputSource {
    /// Returns the name in documents: `env`, `terraform.tfvars`, `auto.tfvars`, `var-file`, `var` or `caller`.
    pub const fn name(self) -> &'static str {
        match self {
            InputSource::Environment => "env",
            InputSource::Terraform => "terraform.tfvars",
            InputSource::Automatic => "auto.tfvars",
            InputSource::File => "var-file",
            InputSource::Option => "var",
            InputSource::Caller => "caller",
        }
    }

    /// Whether the source is a variable file.
    pub fn is_file(self) -> bool {
        match self {
            InputSource::Terraform | InputSource::Automatic | InputSource::File => true,
            InputSource::Environment | InputSource::Option | InputSource::Caller => false,
        }
    }
}

impl InputAssignment {
    /// Returns the place of the value in a variable file, or the place that the calling program gives; `None` in a file with
    /// syntax errors.
    pub fn place(&self) -> Option<Subject> {
        match &self.written {
            Notation::Expression(expression) => Some(expression.subject()),
            Notation::Json(place) => Some(place.clone()),
            Notation::Value(given) => given.place.clone(),
            Notation::Text(_) | Notation::Broken => None,
        }
    }

    /// Returns the value before conversion to the type of `variable`, which has the name of the assignment; `None` if
    /// it cannot be parsed. The text for an undeclared variable is a string. The value of a sensitive or ephemeral
    /// variable is marked. The value of an undeclared variable is not, but may be secret too: its name may be misspelt.
    pub fn value(&self, variable: Option<&Variable>) -> Option<Value> {
        let mut found = Diagnostics::new();
        let value = self.parsed(variable, &mut found).filter(|_| !found.has_errors())?;
        let mut marks = Marks::NONE;
        if variable.is_some_and(|variable| variable.sensitive) {
            marks = marks.union(&Marks::sensitive());
        }
        if variable.is_some_and(|variable| variable.ephemeral) {
            marks = marks.union(&Marks::one(Mark::Ephemeral));
        }
        Some(value.with_marks(&marks))
    }

    /// Returns the source in words: `the environment variable TF_VAR_region`.
    pub fn origin(&self) -> String {
        let name = &self.name;
        match (self.source, &self.name_place, &self.written) {
            (_, _, Notation::Value(given)) => given.origin.clone(),
            (InputSource::Environment, _, _) => format!("the environment variable TF_VAR_{name}"),
            (_, Some(place), _) => place.file.id().to_string(),
            (_, None, _) => format!("the option -var {name}=…"),
        }
    }

    /// Returns the value without the marks of the declaration. Errors go to `diagnostics`, without the text of a secret one.
    pub(super) fn parsed(&self, variable: Option<&Variable>, diagnostics: &mut Diagnostics) -> Option<Value> {
        let mut found = Diagnostics::new();
        let value = match &self.written {
            Notation::Text(text) if variable.is_none_or(|variable| variable.literal_text) => {
                Some(Value::from(text.as_str()))
            }
            Notation::Text(text) => {
                let source = SourceFile::new(FileId::new(format!("<value for var.{}>", self.name)), &**text);
                let parsed = terrane_syntax::parse_expr(&source);
                found.extend(parsed.diagnostics);
                let expression = Expression { tree: parsed.tree, id: parsed.root };
                if found.has_errors() { None } else { constant(&expression, &mut found) }
            }
            Notation::Expression(expression) => constant(expression, &mut found),
            Notation::Broken => None,
            Notation::Json(Subject { file, span }) => json_value(file, *span, &mut found),
            Notation::Value(given) => Some(given.value.clone()),
        };
        if variable.is_some_and(Variable::is_secret) {
            let origin = self.origin();
            let hidden = |diagnostic| match self.name_place {
                Some(_) => place_without_text(diagnostic, &origin),
                None => without_text(diagnostic, &origin),
            };
            found = found.into_iter().map(hidden).collect();
        }
        diagnostics.extend(found);
        value
    }
}

fn json_value(file: &Arc<SourceFile>, span: Span, diagnostics: &mut Diagnostics) -> Option<Value> {
    match json::decode(file.slice(span)) {
        Ok(value) => Some(value),
        Err(error) => {
            let start = u32::try_from(error.offset).unwrap_or(u32::MAX).saturating_add(span.start);
            let detail = format!("This value cannot be used: {}", error.message);
            let place = Span::new(start, start.saturating_add(1));
            diagnostics.push(Diagnostic::error(ids::INVALID_JSON, detail).at(file, place));
            None
        }
    }
}
