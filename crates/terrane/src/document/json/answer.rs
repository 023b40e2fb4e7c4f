//! Answers of the evaluation server as JSON, in the shape of the conformance tables.
//!
//! Unknown and sensitive parts are written as marker objects such as `{"__unknown__":true}`, and listed by path.

use std::io;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use terrane_eval::Answer;
use terrane_source::Diagnostic;
use terrane_syntax::Syntax;
use terrane_value::display::{self, ConsoleText};
use terrane_value::{Known, Mark, Origin, Origins, Type, Unknown, Value};

use super::document::PartSourceJson;
use super::parts::{UnknownAndSecretParts, UnknownPart};
use super::range::RangeJson;
use super::shown::{ShownValue, Style};
use super::value::RefinementJson;
use crate::document::{Answered, Stage, WhyUnknown};
use crate::json::text::{to_text, write_text};
use crate::json::value_type::{TypeOf, type_json};
use crate::secrets::Secrets;
use crate::sources::expression::ExpressionSources;

/// The answer to a request.
#[derive(Serialize)]
struct AnswerJson<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    outcome: Outcome<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<AnswerDiagnosticJson<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Success(Box<Success<'a>>),
    Failure(Failure<'a>),
}

/// Facts about an answer that its value does not contain.
#[derive(Default)]
pub(crate) struct Asked {
    /// Whether the request asks for a conversion to a type.
    pub(crate) converted: bool,
    pub(crate) sources: ExpressionSources,
    pub(crate) why_unknown: Option<WhyUnknown>,
}

/// An answer, in the shape of the conformance tables.
pub(crate) struct RequestAnswer<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) answered: &'a Answered,
    pub(crate) console: AnswerText<'a>,
    pub(crate) asked: &'a Asked,
    pub(crate) secrets: Secrets,
}

/// The text that the console prints for a value.
#[derive(Clone, Copy)]
pub(crate) enum AnswerText<'a> {
    Text(&'a str),
    /// The text is made while it is written.
    Value(ConsoleText<'a>),
}

impl Serialize for AnswerText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AnswerText::Text(text) => serializer.serialize_str(text),
            AnswerText::Value(text) => serializer.collect_str(text),
        }
    }
}

impl RequestAnswer<'_> {
    /// Returns the JSON object on one line.
    pub(crate) fn to_json(&self) -> String {
        self.with_json(|json| to_text(json))
    }

    /// Writes the JSON object on one line, piece by piece.
    pub(crate) fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.with_json(|json| write_text(json, out))
    }

    fn with_json<R>(&self, then: impl FnOnce(&AnswerJson<'_>) -> R) -> R {
        let RequestAnswer { id, answered, .. } = *self;
        let diagnostics = answered.diagnostics.as_slice().iter().map(AnswerDiagnosticJson::of).collect();
        then(&AnswerJson { id, outcome: self.outcome(), diagnostics })
    }

    fn outcome(&self) -> Outcome<'_> {
        let RequestAnswer { answered, console, asked, secrets, .. } = *self;
        if answered.diagnostics.has_errors() {
            return Outcome::Failure(Failure::of(answered, asked.converted));
        }
        let success = match &answered.answer {
            Answer::Type(value) => {
                let is_sensitive = value.marks_deep().contains(&Mark::Sensitive);
                Success::of_type(is_sensitive, console)
            }
            Answer::TypeOfType => Success::of_type(false, console),
            Answer::Value(value) => Success {
                part_sources: asked.sources.parts.iter().map(PartSourceJson::of).collect(),
                follows_from: asked.sources.follows_from.iter().map(|kind| kind.name()).collect(),
                why_unknown: asked.why_unknown.as_ref().map(|why| &*why.reasons),
                help: asked.why_unknown.as_ref().map_or(&[], |why| &why.help),
                ..Success::of_value(value, console, secrets)
            },
        };
        Outcome::Success(Box::new(success))
    }
}

#[derive(Serialize)]
struct Success<'a> {
    ok: bool,
    #[serde(rename = "type")]
    ty: AnswerType<'a>,
    value: AnswerValue<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknowns: Vec<AnswerUnknownJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensitive_paths: Vec<String>,
    /// The parts of the value that do not come from the configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    part_sources: Vec<PartSourceJson<'a>>,
    /// The kinds of source outside of the configuration that the value depends on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    follows_from: Vec<&'static str>,
    /// The reasons why no apply makes the value known, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_unknown: Option<&'a str>,
    /// Sentences about options that make the value known.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    help: &'a [String],
    console: AnswerText<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnswerType<'a> {
    /// The answer is a type itself.
    Type(&'static str),
    OfValue(TypeOf<'a>),
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnswerValue<'a> {
    /// The answer is a type itself.
    Type {
        __capsule__: &'static str,
    },
    Value(Option<ShownValue<'a>>),
}

impl<'a> Success<'a> {
    fn of_type(is_sensitive: bool, console: AnswerText<'a>) -> Success<'a> {
        Success {
            ok: true,
            ty: AnswerType::Type("type"),
            value: AnswerValue::Type { __capsule__: "type" },
            unknowns: Vec::new(),
            sensitive_paths: is_sensitive.then(String::new).into_iter().collect(),
            part_sources: Vec::new(),
            follows_from: Vec::new(),
            why_unknown: None,
            help: &[],
            console,
        }
    }

    fn of_value(value: &'a Value, console: AnswerText<'a>, secrets: Secrets) -> Success<'a> {
        let parts = UnknownAndSecretParts::of(value, Style::Markers, secrets);
        Success {
            ok: true,
            ty: AnswerType::OfValue(TypeOf::of(value, secrets)),
            value: AnswerValue::Value(ShownValue::of(value, Style::Markers, secrets)),
            unknowns: parts.unknowns.into_iter().map(AnswerUnknownJson::of).collect(),
            sensitive_paths: parts.secret_paths,
            part_sources: Vec::new(),
            follows_from: Vec::new(),
            why_unknown: None,
            help: &[],
            console,
        }
    }
}

#[derive(Serialize)]
struct Failure<'a> {
    ok: bool,
    phase: &'static str,
    /// The first and the last byte of the error's place in `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_bytes: Option<[u32; 2]>,
    /// The text of the request that `error_bytes` refers to.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    text: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

impl<'a> Failure<'a> {
    fn of(answered: &'a Answered, converted: bool) -> Failure<'a> {
        let (phase, text) = match answered.stage {
            Stage::Request => ("request", None),
            Stage::Parse if converted => ("input-parse", Some("input")),
            Stage::Eval if converted => ("input", Some("input")),
            Stage::Parse => ("parse", Some("expr")),
            Stage::Eval => ("eval", Some("expr")),
            Stage::TypeParse => ("type-parse", Some("type")),
            Stage::Type => ("type", Some("type")),
            Stage::Convert => ("convert", Some("input")),
            Stage::BodyParse(syntax) => ("parse", Some(body_text(syntax))),
            Stage::Decode(syntax) => ("decode", Some(body_text(syntax))),
        };
        let first = answered.diagnostics.as_slice().iter().find(|diagnostic| diagnostic.is_error());
        let subject = first.and_then(|first| first.subject.as_ref());
        Failure {
            ok: false,
            phase,
            error_bytes: subject.map(|subject| [subject.span.start, subject.span.end]),
            text: text.filter(|_| first.is_some()),
            title: first.map(Diagnostic::title),
        }
    }
}

/// Returns the name in the conformance tables for the text of a body.
fn body_text(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Native => "src",
        Syntax::Json => "src>.json",
    }
}

/// An unknown part.
#[derive(Serialize)]
struct AnswerUnknownJson<'a> {
    path: String,
    #[serde(rename = "type", serialize_with = "type_json")]
    ty: Type,
    #[serde(flatten)]
    refinement: RefinementJson<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    origins: Vec<AnswerOriginJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_origins: Option<usize>,
    /// The known parts of an open object or sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<String>,
}

impl<'a> AnswerUnknownJson<'a> {
    fn of(part: UnknownPart<'a>) -> AnswerUnknownJson<'a> {
        let UnknownPart { path, unknown, ty, is_shown } = part;
        let refinement = match is_shown {
            true if unknown.ty.is_collection() => RefinementJson::of_collection(&unknown.refinement),
            true => RefinementJson::of(&unknown.refinement),
            false => RefinementJson::NONE,
        };
        let is_open = is_shown && !matches!(unknown.known, Known::Nothing);
        let omitted = unknown.origins.omitted();
        AnswerUnknownJson {
            path,
            ty: ty.without_optional(),
            refinement,
            origins: unknown.origins.as_slice().iter().map(AnswerOriginJson::of).collect(),
            more_origins: (omitted > 0).then_some(omitted),
            known: is_open.then(|| {
                display::annotated(&Value::from(Unknown { origins: Origins::NONE, ..unknown.clone() }))
            }),
        }
    }
}

#[derive(Serialize)]
struct AnswerOriginJson<'a> {
    kind: &'static str,
    subject: &'a str,
    reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<AnswerOriginJson<'a>>,
}

impl<'a> AnswerOriginJson<'a> {
    fn of(origin: &'a Origin) -> AnswerOriginJson<'a> {
        AnswerOriginJson {
            kind: origin.kind.name(),
            subject: &origin.subject,
            reason: origin.to_string(),
            causes: origin.causes.as_slice().iter().map(AnswerOriginJson::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct AnswerDiagnosticJson<'a> {
    severity: &'static str,
    id: &'static str,
    summary: &'a str,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<RangeJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<&'a str>,
}

impl<'a> AnswerDiagnosticJson<'a> {
    fn of(diagnostic: &'a Diagnostic) -> AnswerDiagnosticJson<'a> {
        AnswerDiagnosticJson {
            severity: diagnostic.severity.name(),
            id: diagnostic.id.as_str(),
            summary: diagnostic.title(),
            detail: diagnostic.text(),
            range: diagnostic.subject.as_ref().map(RangeJson::of),
            values: diagnostic.values.iter().map(String::as_str).collect(),
        }
    }
}
