//! Addresses as text: the steps to a part, and the error of an address that names nothing.

use std::fmt;

use terrane_source::{Diagnostic, FileId, SourceFile, Span, ids};
use terrane_syntax::tree::{Literal, Step as WrittenStep};
use terrane_syntax::{Expr, Tree, is_identifier, parse_expr};
use terrane_value::display::literal;
use terrane_value::{Path, PathStep, Value};

/// Displays the step to an attribute or an entry as an expression writes it: `.name`, or `["a b"]` if the name is no
/// identifier.
pub(crate) struct Step<'n>(pub(crate) &'n str);

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_identifier(self.0) {
            true => write!(f, ".{}", self.0),
            false => write!(f, "[{}]", literal(self.0)),
        }
    }
}

/// The path of a part, up to a key that is no constant.
pub fn path_of_steps(tree: &Tree, steps: &[WrittenStep]) -> Path {
    let step = |step: &WrittenStep| match *step {
        WrittenStep::Attr { name, .. } => Some(PathStep::Attribute(tree.slice(name).into())),
        WrittenStep::LegacyIndex { digits, .. } => {
            Some(PathStep::Index(Value::from(tree.slice(digits).parse::<i64>().ok()?)))
        }
        WrittenStep::Index { key, .. } => {
            let position = || tree.expr_text(key).parse::<i64>().ok().map(Value::from);
            let name = if let Expr::Literal(Literal::String(text)) = tree.expr(key) {
                Some(Value::from(tree.text(text)))
            } else {
                None
            };
            name.or_else(position).map(PathStep::Index)
        }
    };
    let mut path = Path::ROOT;
    steps.iter().map_while(step).for_each(|step| path.push(step));
    path
}

/// The error for an address that names nothing. Its excerpt shows no literals in calls of `sensitive`.
pub(crate) fn undeclared(address: &str, detail: String) -> Diagnostic {
    let source = SourceFile::new(FileId::new("<address>"), address);
    // The parser says which parts of the text are secrets.
    parse_expr(&source);
    let end = u32::try_from(address.len()).unwrap_or(u32::MAX);
    Diagnostic::error(ids::UNDECLARED_ADDRESS, detail).at(&source, Span::new(0, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_identifier_is_quoted() {
        let steps = ["name", "a-b", "ü", "a²", "1a", "a b", "", "x\"", "${d}"];
        let written = steps.map(|step| Step(step).to_string());
        let quoted = [r#"["a²"]"#, r#"["1a"]"#, r#"["a b"]"#, r#"[""]"#, r#"["x\""]"#, r#"["$${d}"]"#];
        let expected = [&[".name", ".a-b", ".ü"][..], &quoted].concat();
        assert_eq!(expected, written);
    }
}
