//! Lists the values that a failed condition read, for the message about it.
//!
//! As in the products, a line names a reference and its value in short: `var.n is 3`, `local.zones is list of string with 2
//! elements`. Values that are sensitive, ephemeral or unknown are left out.

use terrane_eval::{Lookup, Names, Reference, literal_value, references};
use terrane_source::{Span, sorted_map};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Expression};
use terrane_value::ops::{attribute, index};
use terrane_value::{Number, Type, Value, ValueKind};

use crate::state::scope::ModuleScope;

/// Limit on the letters of a text that is shown.
const MAX_LETTERS: usize = 200;

/// Returns a line for each reference of the condition whose value may be shown, sorted.
pub(super) fn values_read(condition: &Expression, names: &ModuleScope<'_>) -> Vec<String> {
    let lines = references(condition).into_iter().filter_map(|reference| {
        let read = PartialRead::of(&reference, names)?;
        let text = reference.tree.slice(Span::new(reference.span.start, read.end));
        Some((text.to_owned(), short(&read.value)?))
    });
    // A reference may occur several times.
    let lines = sorted_map(lines);
    lines.into_iter().map(|(name, value)| format!("{name} is {value}")).collect()
}

/// The value of a reference, read up to its first computed key.
struct PartialRead {
    value: Value,
    /// The end of the part of the reference that was read.
    end: u32,
}

impl PartialRead {
    fn of(reference: &Reference<'_>, names: &ModuleScope<'_>) -> Option<PartialRead> {
        let Lookup::Found { mut value, consumed } = names.lookup(reference) else { return None };
        let steps = reference.steps;
        let mut end = consumed
            .checked_sub(1)
            .and_then(|last| steps.get(last))
            .map_or_else(|| reference.root_span().end, |step| step.span().end);
        for step in steps.iter().skip(consumed) {
            value = match step {
                Step::Attr { name, .. } => attribute(&value, reference.tree.slice(*name)).ok()?,
                Step::Index { key, .. } => {
                    let Expr::Literal(literal) = reference.tree.expr(*key) else { break };
                    if matches!(literal, Literal::Bool(_) | Literal::Null) {
                        return None;
                    }
                    index(&value, &literal_value(reference.tree, *key, literal)).ok()?
                }
                Step::LegacyIndex { digits, .. } => {
                    let digits = Number::parse(reference.tree.slice(*digits))?;
                    index(&value, &Value::number(digits)).ok()?
                }
            };
            end = step.span().end;
        }
        Some(PartialRead { value, end })
    }
}

/// Describes a value in a few words; `None` if it is marked or unknown.
fn short(value: &Value) -> Option<String> {
    let elements = |count: usize| {
        let name = value.ty().plain_name();
        match count {
            0 => format!("empty {name}"),
            1 => format!("{name} with 1 element"),
            _ => format!("{name} with {count} elements"),
        }
    };
    Some(match value.kind() {
        ValueKind::Marked(..) | ValueKind::Unknown(_) => return None,
        ValueKind::Null(_) => "null".to_owned(),
        ValueKind::Bool(value) => value.to_string(),
        ValueKind::Number(number) => number.to_string(),
        ValueKind::String(text) => quoted(text),
        ValueKind::List(all) | ValueKind::Set(all) | ValueKind::Tuple(all) => elements(all.len()),
        ValueKind::Map(all) => elements(all.len()),
        ValueKind::Object(_) => attributes(&value.ty()),
    })
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

fn attributes(ty: &Type) -> String {
    let Type::Object(object) = ty else { return ty.plain_name() };
    match object.attributes() {
        [] => "object with no attributes".to_owned(),
        [(name, _)] => format!("object with 1 attribute {name:?}"),
        all => format!("object with {} attributes", all.len()),
    }
}
