//! The functions of the calls in an expression, and the arguments of the calls being made.

use terrane_syntax::tree::CallId;
use terrane_value::Value;

use crate::functions::table::{Callee, FunctionTable, ResolvedCalls};

/// Limit on the calls of an expression whose functions are remembered.
const MOST_REMEMBERED: usize = 16;

/// Functions by call, and arguments.
#[derive(Default)]
pub(crate) struct Calls<'e> {
    /// The calls of a program, resolved when it was made.
    pub(crate) resolved: Option<&'e ResolvedCalls>,
    /// Functions found so far, for the next element of a loop.
    remembered: Vec<(CallId, Callee<'e>)>,
    /// The arguments of the calls being made; the arguments of the innermost call come last.
    pub(crate) arguments: Vec<Value>,
}

impl<'e> Calls<'e> {
    /// Returns the function of a call that was resolved or remembered.
    pub(crate) fn find(&self, id: CallId, functions: &'e FunctionTable) -> Option<Callee<'e>> {
        let resolved = self.resolved.and_then(|calls| functions.resolved(calls, id));
        resolved.or_else(|| self.remembered.iter().find(|(found, _)| *found == id).map(|(_, callee)| *callee))
    }

    /// Remembers the function of a call.
    pub(crate) fn remember(&mut self, id: CallId, callee: Callee<'e>) {
        if self.remembered.len() < MOST_REMEMBERED {
            self.remembered.push((id, callee));
        }
    }
}
