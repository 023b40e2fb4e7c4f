//! Converts JSON values into expressions.
//!
//! Schemas decide how strings are read; evaluation then sees only the expressions of the native syntax.

use std::sync::Arc;

use terrane_source::{Diagnostic, Span};

use super::template::{parse_string_expr, parse_string_template};
use super::{Property, Tree, Value, ValueId};
use crate::limits::MAX_DIAGNOSTICS;
use crate::tree::{List, Literal, ObjectItem, Text};
use crate::{Expr, ExprId, Expression, Parsed};

/// How strings of a JSON value are read. The schema decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// As templates, where a value is expected.
    Templates,
    /// As their characters, where nothing is computed.
    Literal,
    /// As expressions, where a reference or a type is expected. Text that is not an expression becomes [`Expr::Missing`]
    /// without a diagnostic; the caller knows the expected form and reports it.
    Expressions,
}

/// Returns a JSON value as an expression of the syntax tree: arrays become tuples, objects become objects whose keys must
/// differ (see [`crate::Tree::is_json_object`]), and `strings` selects how strings and property names are read.
///
/// Spans refer to the JSON file. An interpolation without other text is in [`Expr::Parens`], which has the span of the string.
/// The diagnostics are about the templates.
pub fn lower(tree: &Tree, value: ValueId, strings: Strings) -> (Expression, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        json: tree,
        strings,
        tree: crate::Tree::new(Arc::clone(tree.source()), 0),
        exprs: Vec::new(),
        items: Vec::new(),
        diagnostics: Vec::new(),
    };
    let id = lowering.value(value);
    lowering.tree.shrink();
    (Expression { tree: Arc::new(lowering.tree), id }, lowering.diagnostics)
}

struct Lowering<'j> {
    json: &'j Tree,
    strings: Strings,
    tree: crate::Tree,
    /// Elements of arrays that are not complete yet.
    exprs: Vec<ExprId>,
    /// Items of objects that are not complete yet.
    items: Vec<ObjectItem>,
    diagnostics: Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn value(&mut self, id: ValueId) -> ExprId {
        let span = self.json.span(id);
        let expr = match self.json.value(id) {
            Value::Missing => Expr::Missing,
            Value::Null => Expr::Literal(Literal::Null),
            Value::Bool(value) => Expr::Literal(Literal::Bool(value)),
            Value::Number => Expr::Literal(Literal::Number),
            Value::String(text) => return self.string(text, span),
            Value::Array(elements) => Expr::Tuple(self.elements(elements)),
            Value::Object(properties) => {
                let items = self.properties(properties);
                return self.tree.add_json_object(items, span);
            }
        };
        self.tree.add_expr(expr, span)
    }

    fn elements(&mut self, elements: List<ValueId>) -> List<ExprId> {
        let mark = self.exprs.len();
        for element in self.json.elements(elements) {
            let element = self.value(*element);
            self.exprs.push(element);
        }
        self.tree.add_list(&mut self.exprs, mark)
    }

    fn properties(&mut self, properties: List<Property>) -> List<ObjectItem> {
        let mark = self.items.len();
        for property in self.json.properties(properties) {
            let key = self.string(property.name, property.name_span);
            let value = self.value(property.value);
            self.items.push(ObjectItem { key, value });
        }
        self.tree.add_list(&mut self.items, mark)
    }

    fn string(&mut self, text: Text, span: Span) -> ExprId {
        match self.strings {
            Strings::Templates if is_template(self.json.text(text)) => {
                let parsed = parse_string_template(self.json, span);
                if !parsed.diagnostics.iter().any(Diagnostic::is_error) {
                    let inner = self.absorb(&parsed);
                    return self.tree.add_expr(Expr::Parens(inner), span);
                }
                self.json.source().record_broken_string(span);
                let left = MAX_DIAGNOSTICS.saturating_sub(self.diagnostics.len());
                self.diagnostics.extend(parsed.diagnostics.into_iter().take(left));
                self.tree.add_expr(Expr::Missing, span)
            }
            Strings::Templates | Strings::Literal => {
                let text = match text {
                    Text::Source(_) => text,
                    Text::Decoded(_) => self.decoded(self.json.text(text)),
                };
                self.tree.add_expr(Expr::Literal(Literal::String(text)), span)
            }
            Strings::Expressions => {
                let parsed = parse_string_expr(self.json, span);
                if parsed.diagnostics.iter().any(Diagnostic::is_error) {
                    self.json.source().record_broken_string(span);
                    self.tree.add_expr(Expr::Missing, span)
                } else {
                    self.absorb(&parsed)
                }
            }
        }
    }

    fn absorb(&mut self, parsed: &Parsed<ExprId>) -> ExprId {
        self.tree.absorb(&parsed.tree, parsed.root)
    }

    fn decoded(&mut self, text: &str) -> Text {
        let offset = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let (_, decoded) = self.tree.decoded_text();
        let start = offset(decoded.len());
        decoded.push_str(text);
        let end = offset(decoded.len());
        self.tree.add_decoded(Span::new(start, end))
    }
}

/// Whether a template with this text can differ from the text.
fn is_template(text: &str) -> bool {
    text.contains("${") || text.contains("%{")
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};

    use super::*;
    use crate::json::parse_json;

    fn lowered(text: &str, strings: Strings) -> (Expression, Vec<Diagnostic>) {
        let document = parse_json(&SourceFile::new(FileId::new("test.json"), text));
        assert!(document.diagnostics.is_empty(), "{text}");
        lower(&document.tree, document.root, strings)
    }

    /// Returns the expression in a short notation, with its text in the tree.
    fn shown(expression: &Expression, id: ExprId) -> String {
        let tree = &expression.tree;
        let all = |ids: &[ExprId]| -> Vec<_> { ids.iter().map(|id| shown(expression, *id)).collect() };
        match tree.expr(id) {
            Expr::Tuple(elements) => format!("[{}]", all(tree.list(elements)).join(", ")),
            Expr::Object(items) => {
                let items = tree.list(items).iter();
                let items: Vec<_> = items
                    .map(|item| format!("{}: {}", shown(expression, item.key), shown(expression, item.value)))
                    .collect();
                format!("{{{}}}{}", items.join(", "), if tree.is_json_object(id) { "" } else { " native" })
            }
            Expr::Literal(Literal::String(text)) => format!("{:?}", tree.text(text)),
            Expr::Parens(inner) => format!("({})", shown(expression, inner)),
            Expr::Missing => "missing".to_owned(),
            Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Traversal { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::For(_) => tree.expr_text(id).to_owned(),
        }
    }

    #[track_caller]
    fn check(text: &str, strings: Strings, expected: &str) {
        let (expression, diagnostics) = lowered(text, strings);
        assert!(diagnostics.is_empty(), "{text}");
        assert_eq!(shown(&expression, expression.id), expected, "{text}");
    }

    #[test]
    fn values_become_expressions() {
        check(r#"[null, true, -1.50, "a\nb", {}]"#, Strings::Templates, r#"[null, true, -1.50, "a\nb", {}]"#);
        check(r#"{"a": {"b": ["c"]}}"#, Strings::Templates, r#"{"a": {"b": ["c"]}}"#);
    }

    #[test]
    fn strings_and_names_are_templates() {
        check(
            r#"{"${a.b}": "x\u0024{f(\"\\n\", [1])}", "n": "${ {\"k\" = 1} }"}"#,
            Strings::Templates,
            r#"{(a.b): (x${f("\n", [1])}), "n": ({"k": 1} native)}"#,
        );
        check(r#"{"${a}": "${b}"}"#, Strings::Literal, r#"{"${a}": "${b}"}"#);
    }

    #[test]
    fn strings_are_expressions_where_these_are_expected() {
        check(r#"["list(string)", "a.b", "1 +"]"#, Strings::Expressions, "[list(string), a.b, missing]");
    }

    #[test]
    fn parts_of_several_strings_keep_their_places() {
        let text = r#"["\t${f(\"a\\t\")}", "é${[for x in y : \"${x}-\"]}", 7, "${b[\"k\"].c}"]"#;
        let (expression, _) = lowered(text, Strings::Templates);
        let tree = &expression.tree;
        let Expr::Tuple(elements) = tree.expr(expression.id) else { panic!("{expression:?}") };
        let spans: Vec<&str> = tree.list(elements).iter().map(|id| &text[tree.span(*id).range()]).collect();
        assert_eq!(spans[2], "7");
        assert_eq!(tree.expr_text(tree.list(elements)[2]), "7");
        assert_eq!(spans[3], r#""${b[\"k\"].c}""#);
        let inner: Vec<String> = tree.list(elements).iter().map(|id| shown(&expression, *id)).collect();
        assert_eq!(inner[0], "(\t${f(\"a\\t\")})");
        assert_eq!(inner[1], "(é${[for x in y : \"${x}-\"]})");
        assert_eq!(inner[3], "(b[\"k\"].c)");
    }

    #[test]
    fn a_wrong_template_is_reported_once_and_missing() {
        let (expression, diagnostics) = lowered(r#"["${1 +}", "${a}"]"#, Strings::Templates);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(shown(&expression, expression.id), "[missing, (a)]");
    }
}
