//! The `lifecycle` block of a resource.

use terrane_syntax::Expression;
use terrane_value::SmolStr;

/// `prevent_destroy` of a `lifecycle` block.
#[derive(Debug)]
pub enum PreventDestroy {
    /// A constant.
    Constant(bool),
    /// An expression, in dialects that allow any expression.
    Computed(Expression),
}

impl PreventDestroy {
    /// Returns the expression, in dialects that allow any expression.
    pub(crate) fn computed(&self) -> Option<&Expression> {
        match self {
            PreventDestroy::Constant(_) => None,
            PreventDestroy::Computed(expression) => Some(expression),
        }
    }
}

/// The arguments of a `lifecycle` block.
#[derive(Default, Debug)]
pub struct Lifecycle {
    /// `create_before_destroy`, if it is set.
    pub create_before_destroy: Option<bool>,
    /// `prevent_destroy`, if it is set.
    pub prevent_destroy: Option<PreventDestroy>,
    /// `destroy`, which is checked for each instance.
    pub destroy: Option<Expression>,
    /// The first names of the items of `ignore_changes`, with the items.
    pub ignored: Vec<(SmolStr, Expression)>,
    /// Whether `ignore_changes` is `all`.
    pub ignores_all: bool,
    /// The items of `replace_triggered_by`.
    pub replace_triggered_by: Vec<Expression>,
    /// The `action_trigger` blocks.
    pub action_triggers: Vec<ActionTrigger>,
}

/// An `action_trigger` block.
#[derive(Debug)]
pub struct ActionTrigger {
    /// The `condition`.
    pub condition: Option<Expression>,
    /// Whether one of its events comes before the change of the resource.
    pub is_before: bool,
    /// Whether one of its events is the creation of the resource.
    pub creates: bool,
    /// The items of `actions`.
    pub actions: Vec<Expression>,
}
