//! Compares two JSON texts as values. Numbers are compared and shown as they are written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use terrane_source::sorted_map;
use terrane_value::SmolStr;
use terrane_value::json::Json;

use super::budget::TextBudget;
use super::difference::{Action, Kind, Primitive, Source, ValueDifference};
use super::sequences::{Comparable, ElementPair, pairs};

/// Returns the difference between two JSON values. A missing value was created or removed. The depth of the texts bounds the
/// recursion.
pub(super) fn json_difference(
    before: Option<&Json<'_>>,
    after: Option<&Json<'_>>,
    budget: &TextBudget<'_>,
) -> ValueDifference {
    if !budget.take_part() {
        return ValueDifference::none();
    }
    match (before, after) {
        (Some(old), Some(new)) if discriminant(old) != discriminant(new) => {
            let (removed, added) =
                (json_difference(before, None, budget), json_difference(None, after, budget));
            ValueDifference::new(Kind::Replaced(Box::new(removed), Box::new(added)), Action::Update)
        }
        (Some(Json::Array(_)), _) | (None, Some(Json::Array(_))) => array(before, after, budget),
        (Some(Json::Object(_)), _) | (None, Some(Json::Object(_))) => object(before, after, budget),
        (_, _) => {
            let (old, new) = (before.and_then(primitive), after.and_then(primitive));
            let action = match (before, after) {
                (Some(_), Some(_)) if old == new => Action::Keep,
                (Some(_), Some(_)) => Action::Update,
                (old, new) => Action::of_presence(old.is_some(), new.is_some()),
            };
            ValueDifference::new(Kind::Primitive(old, new), action)
        }
    }
}

fn array(before: Option<&Json<'_>>, after: Option<&Json<'_>>, budget: &TextBudget<'_>) -> ValueDifference {
    let (old, new) = (elements(before), elements(after));
    let is_object = |value: &Json<'_>| matches!(value, Json::Object(_));
    let of = |pair: ElementPair| {
        let (before, after) = (pair.old.and_then(|at| old.get(at)), pair.new.and_then(|at| new.get(at)));
        json_difference(before, after, budget)
    };
    let elements: Vec<ValueDifference> = pairs(old, new, &is_object, budget).into_iter().map(of).collect();
    let action = Action::of_presence(before.is_some(), after.is_some()).of_parts(&elements);
    ValueDifference::new(Kind::List(elements, Source::Type), action)
}

fn object(before: Option<&Json<'_>>, after: Option<&Json<'_>>, budget: &TextBudget<'_>) -> ValueDifference {
    let (old, new) = (members(before), members(after));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let of = |name: &str| {
        let difference = json_difference(old.get(name).copied(), new.get(name).copied(), budget);
        (SmolStr::from(name), difference)
    };
    let members: Vec<(SmolStr, ValueDifference)> = names.into_iter().map(of).collect();
    let action = Action::of_presence(before.is_some(), after.is_some());
    let action = action.of_parts(members.iter().map(|(_, difference)| difference));
    ValueDifference::new(Kind::Object(members, Source::Type), action)
}

fn elements<'j, 't>(value: Option<&'j Json<'t>>) -> &'j [Json<'t>] {
    if let Some(Json::Array(elements)) = value { elements } else { &[] }
}

/// Returns the members of an object. If several members have the same name, the last one counts.
fn members<'j, 't>(value: Option<&'j Json<'t>>) -> BTreeMap<&'j str, &'j Json<'t>> {
    let Some(Json::Object(members)) = value else { return BTreeMap::new() };
    sorted_map(members.iter().map(|(name, value)| (&**name, value)))
}

/// Returns a value without parts. `None` for null, arrays and objects.
fn primitive(value: &Json<'_>) -> Option<Primitive> {
    match value {
        Json::Null | Json::Array(_) | Json::Object(_) => None,
        Json::Bool(value) => Some(Primitive::Literal(value.to_string())),
        Json::Number(text) => Some(Primitive::Literal((*text).to_owned())),
        Json::String(text) => Some(Primitive::Text(text.to_string())),
    }
}

impl Comparable for Json<'_> {
    fn text(&self) -> Option<Cow<'_, str>> {
        let mut text = String::new();
        write(&mut text, self);
        Some(Cow::Owned(text))
    }
}

/// Writes a text that is the same for equal values.
fn write(out: &mut String, value: &Json<'_>) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Number(text) => out.push_str(text),
        Json::String(text) => terrane_value::json::write_string(out, text),
        Json::Array(elements) => {
            out.push('[');
            for element in elements {
                write(out, element);
                out.push(',');
            }
            out.push(']');
        }
        Json::Object(_) => {
            out.push('{');
            for (name, value) in members(Some(value)) {
                terrane_value::json::write_string(out, name);
                out.push(':');
                write(out, value);
                out.push(',');
            }
            out.push('}');
        }
    }
}
