//! Writes the text of an expression without secrets.

use std::borrow::Cow;

use terrane_source::{FileId, SourceFile, Span};
use terrane_syntax::tree::{Literal, Part};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression, SENSITIVE_FUNCTION, parse_expr};

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
    if has_secret_text(&expression) { Cow::Owned(written(&expression)) } else { Cow::Borrowed(text) }
}

/// Returns the text of an expression. `...` stands for literals and keys that become secrets: literals and keys in calls of
/// `sensitive`, and text that is hidden in its file.
pub(crate) fn written(expression: &Expression) -> String {
    let span = expression.span();
    let source = expression.source();
    let (mut text, mut at) = (String::new(), span.start);
    for secret in secret_literals(expression) {
        text.push_str(&source.shown(Span::new(at, secret.start.max(at))));
        text.push_str("...");
        at = secret.end.max(at);
    }
    text.push_str(&source.shown(Span::new(at, span.end.max(at))));
    text
}

/// Whether [`written`] leaves out a part of the text.
pub(crate) fn has_secret_text(expression: &Expression) -> bool {
    expression.source().is_hidden(expression.span()) || !secret_literals(expression).is_empty()
}

/// Returns the literals and keys of objects in calls of `sensitive`, in the order of the text.
fn secret_literals(expression: &Expression) -> Vec<Span> {
    let tree = &expression.tree;
    let text = tree.slice(expression.span());
    // JSON may write a letter of the name as an escape sequence.
    if !text.contains(SENSITIVE_FUNCTION) && !text.contains('\\') {
        return Vec::new();
    }
    let mut secrets = Vec::new();
    // Each expression, and whether it is in a call of `sensitive`.
    let mut left: Vec<(ExprId, bool)> = vec![(expression.id, false)];
    while let Some((id, is_secret)) = left.pop() {
        let expr = tree.expr(id);
        let is_call = matches!(expr, Expr::Call(call) if is_sensitive(&tree.function_name(tree.call(call))));
        if is_secret {
            if let Expr::Literal(Literal::Bool(_) | Literal::Number | Literal::String(_)) = expr {
                secrets.push(tree.span(id));
            }
            if let Expr::Object(items) = expr {
                let keys = tree.list(items).iter().map(|item| item.key);
                secrets.extend(keys.filter(|key| tree.plain_key(*key).is_some()).map(|key| tree.span(key)));
            }
            if let Expr::Template { parts, .. } = expr {
                secrets.extend(tree.list(parts).iter().filter_map(|part| match part {
                    Part::Literal { span, .. } => Some(*span),
                    Part::Interpolation { .. } | Part::If(_) | Part::For(_) => None,
                }));
                // The text within directives becomes secret, too.
                if tree.list(parts).iter().any(|part| matches!(part, Part::If(_) | Part::For(_))) {
                    secrets.push(tree.span(id));
                    continue;
                }
            }
        }
        tree.walk(id, &mut |event| {
            if let Event::Expr(part) = event {
                left.push((part, is_secret || is_call));
            }
        });
    }
    secrets.sort_by_key(|secret| secret.start);
    secrets
}

fn is_sensitive(function: &str) -> bool {
    function.strip_prefix("core::").unwrap_or(function) == SENSITIVE_FUNCTION
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};
    use terrane_syntax::parse_expr;

    use super::*;

    fn shown(text: &str) -> String {
        let parsed = parse_expr(&SourceFile::new(FileId::new("a.tf"), text));
        written(&Expression { tree: parsed.tree, id: parsed.root })
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
        assert_eq!(shown(r#"upper("a") + 1"#), r#"upper("a") + 1"#);
    }
}
