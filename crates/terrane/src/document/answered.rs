//! The answer of a session, before it becomes text or JSON.

use terrane_eval::Answer;
use terrane_source::Diagnostics;
use terrane_syntax::Syntax;
use terrane_value::Value;

use crate::print_limit::check_answer;

/// The answer to an expression on the console.
///
/// Print it with [`Session::text`](crate::Session::text): sensitive values of a Packer template carry no marks, so only the
/// session can hide them.
#[derive(Clone, Debug)]
#[must_use]
#[non_exhaustive]
pub struct Answered {
    /// The value, or the type that `type(...)` asks for. Parts that depend on an error are unknown.
    pub answer: Answer,
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Diagnostics,
    /// The last stage that was reached; if there are errors, the stage of the first one.
    pub stage: Stage,
}

/// Why an answer is unknown, for people. The text of the answer itself is `(known after apply)`, as in the products.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WhyUnknown {
    /// The reasons, as a sentence without its full stop: `1 value unknown or partly unknown (no value for var.region)`.
    pub reasons: String,
    /// Sentences about options that make the value known.
    pub help: Vec<String>,
}

/// The stages of answering a request, in order.
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

impl Answered {
    /// Returns the answer to a request that failed at `stage`.
    pub(crate) fn failed(stage: Stage, diagnostics: Diagnostics) -> Answered {
        Answered { answer: Answer::Value(Value::error()), diagnostics, stage }
    }

    /// Returns the answer, or the error that it is too large to print.
    pub(crate) fn printable(mut self) -> Answered {
        match check_answer(&self.answer) {
            Ok(()) => self,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                Answered::failed(self.stage, self.diagnostics)
            }
        }
    }
}
