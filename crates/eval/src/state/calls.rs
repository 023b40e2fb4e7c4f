//! The functions that the calls of an expression resolve to, and the arguments of the calls being made.

use terrane_syntax::tree::CallId;
use terrane_value::Value;

use crate::functions::table::{Callee, FunctionTable, ResolvedCalls};

/// The number of calls of an expression whose functions are remembered.
const MOST_REMEMBERED: usize = 16;

/// Functions by call, and arguments.
#[derive(Default)]
pub(crate) struct Calls<'e> {
    /// The calls of a program, resolved when it was made.
    pub(crate) resolved: Option<&'e ResolvedCalls>,
    /// Functions found so far, for the next element of a loop.
    remembered: Vec<(CallId, Callee<'e>)>,
    /// The arguments of the calls being made, those of the innermost call last.
    pub(crate) arguments: Vec<Value>,
}

impl<'e> Calls<'e> {
    /// The function of a call, where it was resolved or remembered.
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
