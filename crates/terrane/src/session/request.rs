//! Requests of the evaluation server: one JSON object on a line.
//!
//! [`Request::read`] parses the text; [`Session::request`](crate::Session::request) answers it.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use terrane_body::Schema;
use terrane_syntax::Syntax;

use crate::schema::schema_from_json;
use crate::secrets::Secrets;

/// Options for answers to requests. Start from the default and set the fields that differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct RequestOptions {
    /// Whether sensitive and ephemeral values are shown.
    pub secrets: Secrets,
}

/// A request that was read.
pub(super) struct Request<'r> {
    pub(super) id: Option<&'r RawValue>,
    pub(super) input: RequestInput,
}

/// The input that a request asks to evaluate.
pub(super) enum RequestInput {
    /// The value of an expression.
    Expression {
        text: String,
        /// The text of a type constraint.
        constraint: Option<String>,
    },
    /// The value of a body.
    Body { text: String, syntax: Syntax, schema: Box<Schema> },
}

/// The reason why a text is not a request, with the id of the request if it has one.
pub(super) struct InvalidRequest<'r> {
    pub(super) id: Option<&'r RawValue>,
    pub(super) message: String,
}

impl<'r> Request<'r> {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// The reason as a sentence, if the text is not a request.
    pub(super) fn read(text: &'r str) -> Result<Request<'r>, InvalidRequest<'r>> {
        let form = "A request must be a JSON object with a string `expr` and optionally a string `type`, \
                    or with a string `body` and an object `schema`";
        let parts: BTreeMap<String, &'r RawValue> = serde_json::from_str(text)
            .map_err(|error| InvalidRequest { id: None, message: format!("{form}: {error}.") })?;
        let id = parts.get("id").copied();
        let invalid = |reason: String| InvalidRequest { id, message: format!("{form}, but {reason}.") };
        let part = |name: &str| parts.get(name).filter(|raw| raw.get() != "null").copied();
        let text = |name: &str| match part(name) {
            Some(raw) => {
                let text = serde_json::from_str::<String>(raw.get());
                text.map(Some).map_err(|_| invalid(format!("`{name}` is not a string")))
            }
            None => Ok(None),
        };
        let input = match (text("expr")?, text("body")?) {
            (Some(text_of), None) => RequestInput::Expression { text: text_of, constraint: text("type")? },
            (None, Some(text_of)) => {
                let syntax = match part("json_body").map(RawValue::get) {
                    None | Some("false") => Syntax::Native,
                    Some("true") => Syntax::Json,
                    Some(_) => {
                        return Err(invalid("`json_body` must be true or false".to_owned()));
                    }
                };
                let Some(schema) = part("schema") else {
                    return Err(invalid("`schema` is missing".to_owned()));
                };
                let schema = schema_from_json(schema.get())
                    .map_err(|error| invalid(format!("`schema` is not a schema: {error}")))?;
                RequestInput::Body { text: text_of, syntax, schema: Box::new(schema) }
            }
            (Some(_), Some(_)) => return Err(invalid("the request has both `expr` and `body`".to_owned())),
            (None, None) => return Err(invalid("`expr` is missing".to_owned())),
        };
        Ok(Request { id, input })
    }
}
