//! The text that the console of a product prints for a value, made while it is written.

use std::fmt;

use super::packer::packer;
use super::{console, write_console};
use crate::Value;

/// The number of bytes that [`ConsoleText`] writes at once.
const PIECE: usize = 4096;

/// A value as the console of a product prints it.
#[derive(Clone, Copy)]
pub enum ConsoleText<'v> {
    /// As [`console`] returns it. Displays a long text in parts, so that it is never in memory as a whole. A part that is not the
    /// first begins with a comma, a line break or a closing bracket.
    Reference(&'v Value),
    /// As [`packer`] returns it.
    Packer(&'v Value),
}

impl ConsoleText<'_> {
    /// Returns the whole text.
    pub fn into_text(self) -> String {
        match self {
            ConsoleText::Reference(value) => console(value),
            ConsoleText::Packer(value) => packer(value),
        }
    }
}

impl fmt::Display for ConsoleText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self {
            ConsoleText::Reference(value) => value,
            ConsoleText::Packer(value) => return f.write_str(&packer(value)),
        };
        let mut out = String::new();
        write_console(&mut out, value, |out| {
            if out.len() >= PIECE {
                f.write_str(out)?;
                out.clear();
            }
            Ok(())
        })?;
        f.write_str(&out)
    }
}
