use std::collections::BTreeMap;

use serde_json::value::RawValue;
use terrane_body::BodySpec;
use terrane_source::{Diagnostic, Diagnostics, Files, ids};

use super::{Answered, Secrets, Session, Stage, Syntax, answer_json};
use crate::schema_from_json;

/// How requests are answered. Begin with the default and set what differs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct RequestOptions {
    /// Whether sensitive and ephemeral values are shown.
    pub secrets: Secrets,
}

impl Session {
    /// The answer to a request of the evaluation server, both JSON objects on one line; `docs/console.md` describes
    /// them. There is an answer to everything, be it no JSON at all.
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
            Ok(Request { id, asked: Asked::Body { text, syntax, spec } }) => {
                self.answer(id, self.decode(&text, syntax, &spec, files), false, options.secrets)
            }
            Ok(Request { id, asked: Asked::Expression { text, constraint } }) => {
                let answered = match &constraint {
                    Some(constraint) => self.convert(&text, constraint, files),
                    None => self.evaluate(&text, files),
                };
                self.answer(id, answered, constraint.is_some(), options.secrets)
            }
            Err((id, message)) => self.refusal(id, message, options),
        }
    }

    /// The answer to a request that could not even be read: the reason, as a sentence.
    pub fn refuse(&self, reason: impl Into<String>, options: RequestOptions) -> String {
        self.refusal(None, reason.into(), options)
    }

    fn refusal(&self, id: Option<&RawValue>, message: String, options: RequestOptions) -> String {
        let diagnostic = Diagnostic::error(ids::INVALID_REQUEST, message);
        let answered = Answered::failed(Stage::Request, Diagnostics::from_iter([diagnostic]));
        self.answer(id, answered, false, options.secrets)
    }

    fn answer(&self, id: Option<&RawValue>, answered: Answered, converted: bool, secrets: Secrets) -> String {
        let console = self.text(&answered, Secrets::Hidden);
        answer_json(id, &self.hidden(answered, secrets), &console, converted, secrets)
    }
}

struct Request<'r> {
    id: Option<&'r RawValue>,
    asked: Asked,
}

/// What a request asks for.
enum Asked {
    /// The value of an expression.
    Expression {
        text: String,
        /// The text of a type constraint.
        constraint: Option<String>,
    },
    /// The value of a body.
    Body { text: String, syntax: Syntax, spec: Box<BodySpec> },
}

/// The id of what is no request, and what is wrong with it.
type Refused<'r> = (Option<&'r RawValue>, String);

impl<'r> Request<'r> {
    fn read(text: &'r str) -> Result<Request<'r>, Refused<'r>> {
        let form = "A request is a JSON object with the texts `expr` and perhaps `type`, or with a text `body` and an \
                    object `schema`";
        let parts: BTreeMap<String, &'r RawValue> =
            serde_json::from_str(text).map_err(|error| (None, format!("{form}: {error}.")))?;
        let id = parts.get("id").copied();
        let part = |name: &str| parts.get(name).filter(|raw| raw.get() != "null").copied();
        let text = |name: &str| match part(name) {
            Some(raw) => {
                let text = serde_json::from_str::<String>(raw.get());
                text.map(Some).map_err(|_| (id, format!("{form}, but `{name}` is no text.")))
            }
            None => Ok(None),
        };
        let asked = match (text("expr")?, text("body")?) {
            (Some(text_of), None) => Asked::Expression { text: text_of, constraint: text("type")? },
            (None, Some(text_of)) => {
                let syntax = match part("json_body").map(RawValue::get) {
                    None | Some("false") => Syntax::Native,
                    Some("true") => Syntax::Json,
                    Some(_) => {
                        return Err((id, format!("{form}, but `json_body` is neither true nor false.")));
                    }
                };
                let Some(schema) = part("schema") else {
                    return Err((id, format!("{form}, but `schema` is missing.")));
                };
                let schema = schema_from_json(schema.get())
                    .map_err(|error| (id, format!("{form}, but `schema` is no schema: {error}.")))?;
                Asked::Body { text: text_of, syntax, spec: Box::new(BodySpec::new(schema.spec())) }
            }
            (Some(_), Some(_)) => return Err((id, format!("{form}, but this has both `expr` and `body`."))),
            (None, None) => return Err((id, format!("{form}, but `expr` is missing."))),
        };
        Ok(Request { id, asked })
    }
}
