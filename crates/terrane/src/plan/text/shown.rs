//! The layout of a difference in the text of a plan: its indentation, and whether unchanged parts are shown.

use std::fmt::{self, Write as _};

use super::budget::PlanText;
use super::difference::Action;

/// The number of spaces of an indentation step.
const INDENT: usize = 4;
const SPACES: &str = "                                                                                ";

/// The layout of a difference.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The number of indentation steps before its lines.
    pub(super) indent: usize,
    /// Whether a removed value has no `-> null`, because the value around it has one.
    pub(super) is_inside_removed: bool,
    /// Whether parts that do not change are shown.
    pub(super) shows_kept: bool,
}

impl Shown {
    /// Returns the layout of a whole object.
    pub(super) fn whole(shows_kept: bool) -> Shown {
        Shown { shows_kept, ..Shown::default() }
    }

    /// Returns the layout of the parts inside, indented by one more step.
    pub(super) fn inner(self) -> Shown {
        Shown { indent: self.indent + 1, ..self }
    }

    pub(super) fn inside_removed(self) -> Shown {
        Shown { is_inside_removed: true, ..self }
    }

    /// Returns this layout, but also showing unchanged parts if `shows_kept`.
    pub(super) fn with_kept(self, shows_kept: bool) -> Shown {
        Shown { shows_kept: self.shows_kept || shows_kept, ..self }
    }

    /// Returns the end of a value with this action: ` -> null`, or nothing.
    pub(super) fn null(self, action: Action) -> &'static str {
        if action == Action::Delete && !self.is_inside_removed { " -> null" } else { "" }
    }

    pub(super) fn indent(self, out: &mut PlanText<'_>) -> fmt::Result {
        let mut left = self.indent * INDENT;
        while left > 0 {
            let spaces = SPACES.get(..left).unwrap_or(SPACES);
            out.write_str(spaces)?;
            left -= spaces.len();
        }
        Ok(())
    }

    /// Writes the line with the bracket that closes the value.
    pub(super) fn close(self, out: &mut PlanText<'_>, bracket: &str) -> fmt::Result {
        self.inner().indent(out)?;
        out.write_str(bracket)
    }
}

impl Action {
    /// Returns the sign of the action, three characters wide.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Action::Keep => "   ",
            Action::Create => "  +",
            Action::Update => "  ~",
            Action::Delete => "  -",
        }
    }
}
