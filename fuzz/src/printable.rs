//! Values whose text is all there is to them.

use terrane::value::{Type, Value, ValueKind, display};
use terrane::{Engine, Variables};

/// Text is parsed only to a limited depth.
const DEEPEST: u16 = 50;

/// Asserts that the text of a printable value has that value; says nothing about others.
pub fn reads_back(value: &Value) {
    if !is_printable(value) || value.depth() > DEEPEST {
        return;
    }
    let text = display::annotated(value);
    let back = Engine::new().evaluate_text(&text, &Variables::new());
    assert!(!back.diagnostics.has_errors(), "{text}\n{:?}", back.diagnostics);
    assert!(back.value.same(value), "{text}\n{value:?}\n{:?}", back.value);
}

/// Whether the value is known, not marked, and has no part whose type the text does not tell: an empty collection or
/// a null of a type with parts.
fn is_printable(value: &Value) -> bool {
    if !value.is_wholly_known() || value.contains_marked() {
        return false;
    }
    match value.kind() {
        ValueKind::Null(ty) => matches!(ty, Type::Dynamic | Type::Bool | Type::Number | Type::String),
        ValueKind::List(elements) | ValueKind::Set(elements) if elements.is_empty() => false,
        ValueKind::Map(entries) if entries.is_empty() => false,
        _ => {
            let mut all = true;
            value.for_each_child(&mut |child| all &= is_printable(child));
            all
        }
    }
}
