//! An explanation as one page of HTML without references to other files.
//!
//! The page contains the document of `terrane explain --json` as data and draws it, so it shows nothing that the document
//! hides.

use std::io;

use super::model::Explanation;
use super::reverse::Dependents;

/// The page; the data stands in place of [`DATA`].
const PAGE: &str = include_str!("page.html");
const DATA: &str = "@DATA@";

impl Explanation {
    /// Returns the explanation as a page of HTML: the tree at the left, the chosen node with its expression at the right.
    pub fn to_html(&self) -> String {
        // The JSON contains no `<`, so it cannot end the element around it.
        PAGE.replacen(DATA, &self.to_json(), 1)
    }

    /// Writes the text of [`Explanation::to_html`] piece by piece, so that it is never in memory as a whole. The line break at
    /// the end is left out.
    pub fn write_html(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let (before, behind) = PAGE.split_once(DATA).unwrap_or((PAGE, ""));
        out.write_all(before.as_bytes())?;
        self.write_json(out)?;
        out.write_all(behind.trim_end().as_bytes())
    }
}

impl Dependents {
    /// Returns the dependents as a page of HTML: the tree at the left, the chosen object with its reference at the right.
    pub fn to_html(&self) -> String {
        PAGE.replacen(DATA, &self.to_json(), 1)
    }
}
