//! Writes the values of selected addresses as JSON: the output of `terrane eval --json ADDRESS...`.

use std::io;

use crate::document::Document;
use crate::document::json::document::SelectedJson;
use crate::document::selected::Selected;
use crate::json::text::{to_text, write_text};

impl Document {
    /// Returns the document of `terrane eval --json ADDRESS...` on one line: the values by address.
    pub fn selected_to_json(&self, selected: &[Selected<'_>]) -> String {
        to_text(&SelectedJson::of(self, selected))
    }

    /// Writes the text of [`Document::selected_to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_selected_json(&self, selected: &[Selected<'_>], out: &mut dyn io::Write) -> io::Result<()> {
        write_text(&SelectedJson::of(self, selected), out)
    }
}
