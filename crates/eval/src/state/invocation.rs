//! A call that is being made: its function and its arguments.

use terrane_function::{Function, FunctionError};
use terrane_source::Span;
use terrane_syntax::ExprId;
use terrane_syntax::tree::Call;
use terrane_value::Value;

use crate::names::scope::Scope;
use crate::state::budget::MemoryMark;

/// A call that is being made.
pub(crate) struct Invocation<'e> {
    pub(crate) call: &'e Call,
    pub(crate) function: &'e Function,
    pub(crate) scope: &'e Scope<'e>,
    pub(crate) arguments: CallArguments<'e>,
    /// The whole call.
    pub(crate) span: Span,
    /// The memory in use before the arguments.
    pub(crate) before: MemoryMark,
}

/// The arguments of a call.
pub(crate) enum CallArguments<'e> {
    /// The expressions as written.
    Written(&'e [ExprId]),
    /// The expressions, with the elements of the last one, which stands before `...`, in its place.
    Expanded(Vec<Argument>),
}

/// An argument of a call.
#[derive(Clone)]
pub(crate) enum Argument {
    /// An expression, as written.
    Expr(ExprId),
    /// An element of the value of the expression before `...`.
    Element(ExprId, Value),
}

impl CallArguments<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            CallArguments::Written(written) => written.len(),
            CallArguments::Expanded(expanded) => expanded.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Argument> {
        match self {
            CallArguments::Written(written) => written.get(index).map(|id| Argument::Expr(*id)),
            CallArguments::Expanded(expanded) => expanded.get(index).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Argument> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl Argument {
    /// Returns the expression from which the argument comes.
    pub(crate) fn expr(&self) -> ExprId {
        let (Argument::Expr(id) | Argument::Element(id, _)) = self;
        *id
    }
}

/// The arguments of a call that are sensitive or have sensitive parts: one bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Sensitive(u64);

impl Sensitive {
    /// No argument is sensitive.
    pub(crate) const NONE: Sensitive = Sensitive(0);

    pub(crate) fn of(arguments: &[Value]) -> Sensitive {
        let marked = arguments.iter().enumerate().filter(|(_, argument)| argument.contains_marked());
        Sensitive(marked.fold(0, |all, (index, _)| all | Sensitive::bit(index)))
    }

    /// Returns the bit of an argument. All arguments from the 64th on share the last bit.
    fn bit(index: usize) -> u64 {
        1 << index.min(63)
    }

    /// Returns the sensitive arguments of a call whose first argument is a template: if the template is sensitive,
    /// every message may show a part of it.
    pub(crate) fn of_template(self) -> Sensitive {
        if self.0 & Sensitive::bit(0) == 0 { self } else { Sensitive(u64::MAX) }
    }

    /// Returns the sensitive arguments of a call whose function has compared the arguments: an error about one of them may tell
    /// something about every other one.
    pub(crate) fn of_body(self) -> Sensitive {
        if self.0 == 0 { self } else { Sensitive(u64::MAX) }
    }

    /// Whether the message of an error may show a sensitive value. An error about one argument may
    /// show only that argument.
    pub(crate) fn may_show_in(self, error: &FunctionError) -> bool {
        self.0 & error.argument.map_or(u64::MAX, Sensitive::bit) != 0
    }
}
