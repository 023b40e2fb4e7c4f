//! The frame of an evaluation: everything to which names and `[*]` can refer at one point of an expression.

use std::sync::Arc;

use terrane_function::CallEnv;
use terrane_source::SourceFile;
use terrane_value::Value;

use crate::functions::table::FunctionTable;
use crate::names::scope::{Lookup, Names, Reference, Scope};
use crate::state::binding::Binding;

/// The names and functions around an expression.
#[derive(Clone, Copy)]
pub(crate) enum Environment<'e> {
    /// Neither names nor functions may be used.
    Empty,
    /// The names and functions of a scope.
    Scope(&'e Scope<'e>),
    /// Names and functions without files, clock or environment variables, which is enough for pure functions.
    Pure(&'e dyn Names, &'e FunctionTable),
}

/// The environment, and the names that the expression binds itself.
pub(crate) struct Frame<'e> {
    pub(crate) environment: Environment<'e>,
    /// Names bound by `for` and by `dynamic` blocks, innermost last.
    pub(crate) bindings: Vec<(&'e str, Binding)>,
    /// The current elements of the enclosing splats, innermost last.
    pub(crate) items: Vec<Binding>,
    /// The templates that `templatefile` and `templatestring` are rendering, innermost last.
    pub(crate) templates: Vec<Arc<SourceFile>>,
}

/// A borrowed [`Frame`], for the fast path.
#[derive(Clone, Copy)]
pub(crate) struct FrameView<'r> {
    pub(crate) environment: Environment<'r>,
    bindings: &'r [(&'r str, Binding)],
    items: &'r [Binding],
}

impl<'e> Environment<'e> {
    #[inline]
    fn names(self) -> Option<&'e dyn Names> {
        match self {
            Environment::Empty => None,
            Environment::Scope(scope) => Some(scope.names),
            Environment::Pure(names, _) => Some(names),
        }
    }

    #[inline]
    pub(crate) fn functions(self) -> Option<&'e FunctionTable> {
        match self {
            Environment::Empty => None,
            Environment::Scope(scope) => Some(scope.functions),
            Environment::Pure(_, functions) => Some(functions),
        }
    }

    #[inline]
    pub(crate) fn call_env(self) -> Option<&'e CallEnv<'e>> {
        match self {
            Environment::Empty | Environment::Pure(..) => None,
            Environment::Scope(scope) => Some(scope.env),
        }
    }
}

impl<'e> Frame<'e> {
    pub(crate) fn new(environment: Environment<'e>) -> Frame<'e> {
        Frame { environment, bindings: Vec::new(), items: Vec::new(), templates: Vec::new() }
    }

    /// Returns the scope; `None` if neither names nor functions may be used.
    #[inline]
    pub(crate) fn scope(&self) -> Option<&'e Scope<'e>> {
        match self.environment {
            Environment::Scope(scope) => Some(scope),
            Environment::Empty | Environment::Pure(..) => None,
        }
    }

    /// Returns the value that a `for` or a `dynamic` block binds to `name`.
    #[inline]
    pub(crate) fn bound(&self, name: &str) -> Option<&Value> {
        self.view().bound(name)
    }

    /// Returns the value of a reference up to one of its steps, and the number of steps that it includes. `None` if
    /// the name does not exist.
    pub(crate) fn look_up(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        self.view().look_up(reference)
    }

    #[inline]
    pub(crate) fn view(&self) -> FrameView<'_> {
        FrameView { environment: self.environment, bindings: &self.bindings, items: &self.items }
    }

    /// Whether the expression is evaluated once for each element of a collection.
    pub(crate) fn is_in_loop(&self) -> bool {
        !self.bindings.is_empty() || !self.items.is_empty()
    }
}

impl<'r> FrameView<'r> {
    /// Returns a view without bindings.
    #[inline]
    pub(crate) fn new(environment: Environment<'r>) -> FrameView<'r> {
        FrameView { environment, bindings: &[], items: &[] }
    }

    /// Returns the value of the binding at `index`.
    #[inline(always)]
    pub(crate) fn binding(&self, index: usize) -> Option<&'r Value> {
        self.bindings.get(index).map(|(_, binding)| binding.value())
    }

    /// Returns the element of the innermost splat.
    #[inline(always)]
    pub(crate) fn item(&self) -> Option<&'r Value> {
        self.items.last().map(Binding::value)
    }

    #[inline]
    fn bound(&self, name: &str) -> Option<&'r Value> {
        self.bindings.iter().rev().find(|(bound, _)| *bound == name).map(|(_, binding)| binding.value())
    }

    /// Returns the value of the name `name`, if it is stored as a whole and need not be copied.
    #[inline]
    pub(crate) fn stored(&self, name: &str) -> Option<&'r Value> {
        match self.bound(name) {
            Some(value) => Some(value),
            None => self.environment.names()?.stored(name),
        }
    }

    /// Does the same as [`Frame::look_up`].
    #[inline]
    pub(crate) fn look_up(&self, reference: &Reference<'_>) -> Option<(Value, usize)> {
        if let Some(value) = self.bound(reference.root) {
            return Some((value.clone(), 0));
        }
        match self.environment.names()?.lookup(reference) {
            Lookup::Found { value, consumed } => Some((value, consumed)),
            Lookup::Undeclared => None,
        }
    }
}
