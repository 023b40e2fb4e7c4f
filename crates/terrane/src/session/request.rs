use std::collections::BTreeMap;

use serde_json::value::RawValue;
use terrane_source::{Diagnostic, Diagnostics, Files, ids};

use super::{Answered, Phase, Secrets, Session, answer_json};

/// How requests are answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
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
            Ok(request) => {
                let answered = match &request.constraint {
                    Some(constraint) => self.convert(&request.expr, constraint, files),
                    None => self.evaluate(&request.expr, files),
                };
                let answered = self.hidden(answered, options.secrets);
                answer_json(request.id, &answered, request.constraint.is_some(), options.secrets)
            }
            Err((id, message)) => {
                let diagnostic = Diagnostic::error(ids::INVALID_REQUEST, message);
                let answered = Answered::failed(Phase::Request, Diagnostics::from_iter([diagnostic]));
                answer_json(id, &answered, false, options.secrets)
            }
        }
    }
}

struct Request<'r> {
    id: Option<&'r RawValue>,
    expr: String,
    /// The text of a type constraint.
    constraint: Option<String>,
}

impl<'r> Request<'r> {
    /// Reads a request; or, where it is not one, its id and what is wrong.
    fn read(text: &'r str) -> Result<Request<'r>, (Option<&'r RawValue>, String)> {
        let form = "A request is a JSON object with the texts `expr` and perhaps `type`";
        let parts: BTreeMap<String, &RawValue> =
            serde_json::from_str(text).map_err(|error| (None, format!("{form}: {error}.")))?;
        let id = parts.get("id").copied();
        let text = |name: &str| match parts.get(name).filter(|raw| raw.get() != "null") {
            Some(raw) => {
                let text = serde_json::from_str::<String>(raw.get());
                text.map(Some).map_err(|_| (id, format!("{form}, but `{name}` is no text.")))
            }
            None => Ok(None),
        };
        let constraint = text("type")?;
        let expr = text("expr")?.ok_or_else(|| (id, format!("{form}, but `expr` is missing.")))?;
        Ok(Request { id, expr, constraint })
    }
}
