//! The state of the fast path in one evaluator.

use terrane_syntax::ExprId;

use crate::fast::compiled::{Compiled, Form, Node};
use crate::fast::memory::Memory;

/// Compiled code and the memory it runs with.
pub(crate) struct FastPath<'e> {
    code: Code<'e>,
    pub(crate) memory: Memory,
}

/// The compiled code at one point of an evaluation.
enum Code<'e> {
    /// The code of a program.
    Program(&'e Compiled),
    /// The code of the outermost loop; empty outside loops.
    Loop(Compiled),
}

impl<'e> FastPath<'e> {
    /// Returns a fast path without code, until a loop is compiled.
    pub(crate) fn new() -> FastPath<'e> {
        FastPath { code: Code::Loop(Compiled::default()), memory: Memory::default() }
    }

    /// Uses the code of a program.
    pub(crate) fn use_program(&mut self, code: &'e Compiled) {
        self.memory.make_room(code);
        self.code = Code::Program(code);
    }

    #[inline]
    pub(crate) fn code(&self) -> &Compiled {
        match &self.code {
            Code::Program(code) => code,
            Code::Loop(code) => code,
        }
    }

    #[inline]
    pub(crate) fn form(&self, id: ExprId) -> Form {
        self.code().form(id)
    }

    /// Returns the node of an expression that has one.
    #[inline]
    pub(crate) fn node(&self, id: ExprId) -> Option<&Node> {
        let code = self.code();
        code.node(code.node_of(id)?)
    }

    /// Uses the code of a loop until [`FastPath::leave_loop`].
    pub(crate) fn enter_loop(&mut self, code: Compiled) {
        self.memory.make_room(&code);
        self.code = Code::Loop(code);
    }

    /// Drops the code and the values of the outermost loop.
    pub(crate) fn leave_loop(&mut self) {
        self.enter_loop(Compiled::default());
    }
}
