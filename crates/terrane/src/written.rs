//! Writes the text of an expression without secrets.

use std::borrow::Cow;

use terrane_source::{FileId, SourceFile, Span};
use terrane_syntax::{Expression, SENSITIVE_FUNCTION, parse_expr, secret_literals};

/// Returns an address or expression of the command line as outputs without secrets name it: literals in calls of `sensitive`
/// are `...`.
///
/// ```
/// assert_eq!(terrane::shown_address(r#"upper(sensitive("a"))"#), "upper(sensitive(...))");
/// assert_eq!(terrane::shown_address("local.a"), "local.a");
/// ```
pub fn shown_address(text: &str) -> Cow<'_, str> {
    if !text.contains(SENSITIVE_FUNCTION) {
        return Cow::Borrowed(text);
    }
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), text));
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    if has_secret_text(&expression) {
        Cow::Owned(text_without_secrets(&expression))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the text of an expression. `...` stands for literals and keys that become secrets: literals and keys in calls of
/// `sensitive`, and text that is hidden in its file.
pub(crate) fn text_without_secrets(expression: &Expression) -> String {
    let span = expression.span();
    let source = expression.source();
    let (mut text, mut at) = (String::new(), span.start);
    for secret in secret_literals(expression) {
        if secret.end <= at {
            // It is within the secret before it.
            continue;
        }
        text.push_str(&source.shown(Span::new(at, secret.start.max(at))));
        text.push_str("...");
        at = secret.end.max(at);
    }
    text.push_str(&source.shown(Span::new(at, span.end.max(at))));
    text
}

/// Whether [`text_without_secrets`] leaves out a part of the text.
pub(crate) fn has_secret_text(expression: &Expression) -> bool {
    expression.source().is_hidden(expression.span()) || !secret_literals(expression).is_empty()
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};
    use terrane_syntax::parse_expr;

    use super::*;

    fn shown(text: &str) -> String {
        let parsed = parse_expr(&SourceFile::new(FileId::new("a.tf"), text));
        text_without_secrets(&Expression { tree: parsed.tree, id: parsed.root })
    }

    #[test]
    fn literals_that_become_secrets_are_left_out() {
        assert_eq!(shown(r#"["a", sensitive("b"), 1]"#), r#"["a", sensitive(...), 1]"#);
        assert_eq!(
            shown(r#"core::sensitive({ a = 1, b = var.x })"#),
            "core::sensitive({ ... = ..., ... = var.x })"
        );
        assert_eq!(
            shown(r#"sensitive({ a = true, "b" = { null = 2 }, (var.k) = null })"#),
            "sensitive({ ... = ..., ... = { ... = ... }, (var.k) = null })"
        );
        assert_eq!(shown(r#"sensitive("x-${var.x}-y")"#), r#"sensitive("...${var.x}...")"#);
        assert_eq!(shown(r#"sensitive(upper("%{ if true }x%{ endif }"))"#), "sensitive(upper(...))");
        assert_eq!(shown(r#"sensitive("a%{ if true }${"b"}%{ endif }c")"#), "sensitive(...)");
        assert_eq!(shown(r#"sensitive(sensitive("b"))"#), "sensitive(sensitive(...))");
        assert_eq!(shown(r#"upper("a") + 1"#), r#"upper("a") + 1"#);
    }
}
