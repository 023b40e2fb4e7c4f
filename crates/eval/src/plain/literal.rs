//! Values of literals.

use terrane_syntax::tree::Literal;
use terrane_syntax::{ExprId, Tree};
use terrane_value::{Number, Value};

/// Returns the value of the literal `id`, as an evaluation does.
pub fn literal_value(tree: &Tree, id: ExprId, literal: Literal) -> Value {
    match literal {
        Literal::Null => Value::NULL,
        Literal::Bool(value) => Value::from(value),
        Literal::Number => number(tree.expr_text(id)),
        Literal::String(text) => Value::string(tree.text(text)),
    }
}

/// Returns the value of a number literal. Most are small integers.
fn number(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(integer) => Value::number(Number::literal(integer)),
        Err(_) => Number::parse(text).map_or_else(Value::error, Value::number),
    }
}
