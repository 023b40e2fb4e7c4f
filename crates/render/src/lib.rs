//! Diagnostics as text: for a person at a terminal, and one line each for editors and scripts.
//!
//! Reading order: [`visible()`] makes hostile text harmless, `excerpt` chooses the lines of source to show,
//! [`terminal()`] and [`compact()`] write the message.

mod visible;

mod excerpt;

mod terminal;

mod compact;

pub use compact::compact;
pub use terminal::{TerminalOptions, terminal};
pub use visible::visible;
