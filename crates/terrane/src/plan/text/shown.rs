//! The layout of a difference in the text of a plan: its indentation, and the parts that are shown.

use std::fmt::{self, Write as _};

use super::budget::Text;
use super::difference::Action;

/// The spaces of a step.
const INDENT: usize = 4;
const SPACES: &str = "                                                                                ";

/// How a difference is shown.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The steps before its lines.
    pub(super) indent: usize,
    /// Whether a removed value has no `-> null`, as one around it has.
    pub(super) is_inside_removed: bool,
    /// Whether parts are shown that do not change.
    pub(super) shows_kept: bool,
}

impl Shown {
    /// How an object is shown.
    pub(super) fn whole(shows_kept: bool) -> Shown {
        Shown { shows_kept, ..Shown::default() }
    }

    /// How its parts are shown, one step further.
    pub(super) fn inner(self) -> Shown {
        Shown { indent: self.indent + 1, ..self }
    }

    pub(super) fn inside_removed(self) -> Shown {
        Shown { is_inside_removed: true, ..self }
    }

    /// This display, which also shows the parts that do not change.
    pub(super) fn with_kept(self, shows_kept: bool) -> Shown {
        Shown { shows_kept: self.shows_kept || shows_kept, ..self }
    }

    /// The end of a value with this action.
    pub(super) fn null(self, action: Action) -> &'static str {
        if action == Action::Delete && !self.is_inside_removed { " -> null" } else { "" }
    }

    pub(super) fn indent(self, out: &mut Text<'_>) -> fmt::Result {
        let mut left = self.indent * INDENT;
        while left > 0 {
            let spaces = SPACES.get(..left).unwrap_or(SPACES);
            out.write_str(spaces)?;
            left -= spaces.len();
        }
        Ok(())
    }

    /// The line with the bracket that closes the value.
    pub(super) fn close(self, out: &mut Text<'_>, bracket: &str) -> fmt::Result {
        self.inner().indent(out)?;
        out.write_str(bracket)
    }
}

impl Action {
    /// Its sign, three characters wide.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Action::Keep => "   ",
            Action::Create => "  +",
            Action::Update => "  ~",
            Action::Delete => "  -",
        }
    }
}
