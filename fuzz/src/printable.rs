//! Values whose text is all there is to them.

use terrane::value::{Number, Type, Value, ValueKind, display};
use terrane::{Engine, Variables};

/// Text is parsed only to a limited depth.
const DEEPEST: u16 = 50;

/// Asserts that the text of a printable value has that value; says nothing about others.
pub fn reads_back(value: &Value) {
    if !is_printable(value) || value.depth() > DEEPEST {
        return;
    }
    // The end marker of a heredoc must be followed by a new line.
    let text = display::annotated(value) + "\n";
    let back = Engine::new().evaluate_text(&text, &Variables::new());
    assert!(!back.diagnostics.has_errors(), "{text}\n{:?}", back.diagnostics);
    assert!(back.value.same(value), "{text}\n{value:?}\n{:?}", back.value);
}

/// Whether the value is known, not marked, and has no part whose text is ambiguous: an empty collection, a null of a type with
/// parts, an integer of low precision.
fn is_printable(value: &Value) -> bool {
    if !value.is_wholly_known() || value.contains_marked() {
        return false;
    }
    match value.kind() {
        ValueKind::Null(ty) => matches!(ty, Type::Dynamic | Type::Bool | Type::Number | Type::String),
        // The digits that tell a number from others of its precision are not all digits of a more precise one.
        ValueKind::Number(number) => Number::parse(&number.to_string()).as_ref() == Some(number),
        ValueKind::List(elements) | ValueKind::Set(elements) if elements.is_empty() => false,
        ValueKind::Map(entries) if entries.is_empty() => false,
        _ => {
            let mut all = true;
            value.for_each_child(&mut |child| all &= is_printable(child));
            all
        }
    }
}
