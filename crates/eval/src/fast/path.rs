//! The state of the fast path in one evaluator.

use terrane_syntax::ExprId;

use crate::fast::compiled::{Compiled, Form};
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
    /// The code of the outermost loop.
    Loop(Compiled),
}

impl<'e> FastPath<'e> {
    /// Returns the state for the code of a program; `None` if the code is empty.
    pub(super) fn of_program(code: &'e Compiled) -> Option<Box<FastPath<'e>>> {
        FastPath::of(Code::Program(code))
    }

    /// Returns the state for the code of a loop; `None` if the code is empty.
    pub(crate) fn of_loop(code: Compiled) -> Option<Box<FastPath<'e>>> {
        FastPath::of(Code::Loop(code))
    }

    fn of(code: Code<'e>) -> Option<Box<FastPath<'e>>> {
        let mut path = FastPath { code, memory: Memory::default() };
        path.memory = Memory::for_code(path.code());
        (!path.code().is_empty()).then(|| Box::new(path))
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
}
