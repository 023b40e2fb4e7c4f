//! Diagnostics as text: for a person at a terminal, one line each for editors and scripts, and in the formats of
//! other programs.
//!
//! Reading order: [`visible()`] makes hostile text harmless, `excerpt` chooses the lines of source to show, [`terminal()`] and
//! [`compact()`] write a message, [`github()`] writes an annotation, and [`validate_json()`], [`sarif()`] and [`junit()`] write
//! a whole document.

mod compact;
mod excerpt;
mod github;
mod junit;
mod line_range;
mod message;
mod sarif;
mod terminal;
mod validate_json;
mod visible;

pub use compact::compact;
pub use github::github;
pub use junit::junit;
pub use sarif::sarif;
pub use terminal::{TerminalOptions, terminal};
pub use validate_json::validate_json;
pub use visible::{visible, visible_json, visible_name, visible_text, without_commands};
