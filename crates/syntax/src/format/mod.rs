//! Formats text with the bytes of `terraform fmt`, `tofu fmt` and `packer fmt`.
//!
//! Two steps, each a pure function: [`rewrite()`] replaces legacy syntax (text to text, rarely needed), and [`layout()`]
//! chooses the white space between tokens (tokens to text).

mod label;
mod layout;
mod parts;
mod rewrite;
mod spacing;

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, ids};

pub use self::label::write_quoted;
use self::layout::{LaidOut, layout};
pub use self::parts::{FormattedPart, format_part, join_parts, parts_of};
use self::rewrite::rewrite;
use crate::tree::BodyId;
use crate::{LexMode, Parsed, lex, parse_body};

/// The rules of formatting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatStyle {
    /// White space, and the rewrites of `terraform fmt`: an interpolation that is a whole argument loses its quotes, types of
    /// variables lose their quotes, and labels get quotes.
    Terraform,
    /// White space only, as for Packer, Nomad and all other files.
    LayoutOnly,
}

/// Returns the text of `source` in canonical layout.
///
/// ```
/// use terrane_source::{FileId, SourceFile};
/// use terrane_syntax::{FormatStyle, format};
///
/// let source = SourceFile::new(FileId::new("main.tf"), "locals {\na=\"${b}\" # one\nlong=2//two\n}\n");
/// let formatted = format(&source, FormatStyle::Terraform).unwrap();
/// assert_eq!(formatted, "locals {\n  a    = b # one\n  long = 2 //two\n}\n");
/// ```
///
/// # Errors
///
/// The syntax errors if the text does not parse, because its layout would be a guess. Also an error if aligning the lines of
/// the text would need far more spaces than it has text.
pub fn format(source: &Arc<SourceFile>, style: FormatStyle) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse_body(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    let formatted = lay_out(source, &parsed, style).map(|formatted| formatted.text);
    formatted.ok_or_else(|| {
        let detail = format!(
            "Aligning the lines of {} would take far more spaces than it has text. Break its longest lines.",
            source.id()
        );
        vec![Diagnostic::error(ids::LIMIT_EXCEEDED, detail)]
    })
}

/// Returns the layout of a text that need not parse, such as a text that begins within an expression. `None` if the layout
/// would be far longer than the text.
///
/// ```
/// use terrane_source::{FileId, SourceFile};
/// use terrane_syntax::laid_out;
///
/// let source = SourceFile::new(FileId::new("an object"), "{\na=1\nlong=[2,3]\n}");
/// assert_eq!(laid_out(&source).as_deref(), Some("{\n  a    = 1\n  long = [2, 3]\n}"));
/// ```
pub fn laid_out(source: &Arc<SourceFile>) -> Option<String> {
    layout(source.text(), &lex(source, LexMode::Normal).tokens).map(|formatted| formatted.text)
}

/// Runs both steps for a text without errors. `None` if its layout would be far longer than the text.
fn lay_out(source: &SourceFile, parsed: &Parsed<BodyId>, style: FormatStyle) -> Option<LaidOut> {
    let rewritten = match style {
        FormatStyle::Terraform => rewrite(&parsed.tree, parsed.root, &parsed.tokens),
        FormatStyle::LayoutOnly => None,
    };
    match rewritten {
        None => layout(source.text(), &parsed.tokens),
        Some(text) => {
            let rewritten = SourceFile::new(source.id().clone(), text);
            layout(rewritten.text(), &lex(&rewritten, LexMode::Normal).tokens)
        }
    }
}
