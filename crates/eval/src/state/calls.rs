//! The functions of the calls in an expression, and the arguments of the calls being made.

use std::rc::Rc;

use terrane_syntax::ExprId;
use terrane_syntax::tree::CallId;
use terrane_value::{TypeConstraint, Value};

use crate::functions::table::{Callee, FunctionTable, ResolvedCalls};

/// Limit on the calls of an expression whose functions are remembered.
const MAX_REMEMBERED: usize = 16;

/// Functions by call, and arguments.
#[derive(Default)]
pub(crate) struct Calls<'e> {
    /// The calls of a program, resolved when it was made.
    pub(crate) resolved: Option<&'e ResolvedCalls>,
    /// Functions found so far, for the next element of a loop.
    remembered: Vec<(CallId, Callee<'e>)>,
    /// The types of calls of `convert`, for the next element of a loop.
    constraints: Vec<(ExprId, Rc<TypeConstraint>)>,
    /// The arguments of the calls being made; the arguments of the innermost call come last.
    pub(crate) arguments: Vec<Value>,
}

impl<'e> Calls<'e> {
    /// Returns the function of a call that was resolved or remembered.
    pub(crate) fn find(&self, id: CallId, functions: &'e FunctionTable) -> Option<Callee<'e>> {
        let resolved = self.resolved.and_then(|calls| functions.resolved(calls, id));
        resolved.or_else(|| self.remembered.iter().find(|(found, _)| *found == id).map(|(_, callee)| *callee))
    }

    /// Returns the remembered type that an expression means.
    pub(crate) fn constraint(&self, id: ExprId) -> Option<Rc<TypeConstraint>> {
        self.constraints.iter().find(|(found, _)| *found == id).map(|(_, constraint)| Rc::clone(constraint))
    }

    /// Remembers the type that an expression means.
    pub(crate) fn remember_constraint(&mut self, id: ExprId, constraint: &Rc<TypeConstraint>) {
        if self.constraints.len() < MAX_REMEMBERED {
            self.constraints.push((id, Rc::clone(constraint)));
        }
    }

    /// Remembers the function of a call.
    pub(crate) fn remember(&mut self, id: CallId, callee: Callee<'e>) {
        if self.remembered.len() < MAX_REMEMBERED {
            self.remembered.push((id, callee));
        }
    }
}
