//! Hides the values of arguments that are secrets, as they are written.

use std::iter;
use std::sync::Arc;

use terrane_source::Span;
use terrane_syntax::json::{Property, Strings, Value, lower};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expr, Expression, error_places, hide_literals};

use crate::body::{Body, Form, JsonBody, NativeBody};

impl Body {
    /// Hides the values of the arguments for whose names `is_secret` returns true in the source files, so that excerpts do not
    /// show the literals in them and errors in them are not described. This includes arguments that are set again, and text with
    /// a syntax error behind a value.
    pub fn hide_values(&self, is_secret: &dyn Fn(&str) -> bool) {
        match &self.form {
            Form::Native(native) => hide_native(native, is_secret),
            Form::Json(json) => hide_json(json, is_secret),
            Form::Merged(merged) => {
                let parts = iter::once(&merged.base).chain(&merged.additions);
                parts.for_each(|part| part.hide_values(is_secret));
            }
        }
    }
}

fn hide_native(native: &NativeBody, is_secret: &dyn Fn(&str) -> bool) {
    let tree = &native.tree;
    let body = tree.body(native.id);
    let items = tree.list(body.items);
    for (at, item) in items.iter().enumerate() {
        let Item::Attribute(id) = item else { continue };
        let attribute = tree.attribute(*id);
        let name = tree.name(attribute);
        if !is_secret(name) {
            continue;
        }
        let expression = Expression { tree: Arc::clone(tree), id: attribute.expr };
        let end = items.get(at + 1).map_or(body.span.end, |next| tree.item_start(*next));
        let behind = Span::new(attribute.name.end, end.max(expression.span().end));
        let sign = tree.slice(behind).find('=').and_then(|sign| u32::try_from(sign).ok());
        let start = sign.map_or(behind.start, |sign| behind.start.saturating_add(sign).saturating_add(1));
        let value = Span::new(start, behind.end);
        hide_literals(&expression);
        if matches!(tree.expr(attribute.expr), Expr::Missing) {
            // The parser does not keep a value that is set again.
            tree.source().hide(value);
        }
        tree.source().hide_value(name, value);
    }
}

fn hide_json(json: &JsonBody, is_secret: &dyn Fn(&str) -> bool) {
    let tree = &json.tree;
    let mut left = vec![json.value];
    while let Some(value) = left.pop() {
        match tree.value(value) {
            Value::Object(properties) => {
                let properties = tree.properties(properties);
                for (at, property) in properties.iter().enumerate() {
                    if is_secret(tree.name(property)) {
                        let next = properties.get(at + 1).map(|next| next.name_span.start);
                        hide_property(json, property, next, tree.span(value).end);
                    }
                }
            }
            Value::Array(elements) => left.extend(tree.elements(elements)),
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {}
        }
    }
}

/// Hides the value of a property before the property that begins at `next`, or the last one of an object that ends at `end`. After
/// a syntax error in the object, a part of the value may be read as the name of the next property.
fn hide_property(json: &JsonBody, property: &Property, next: Option<u32>, end: u32) {
    let (tree, value) = (&json.tree, json.tree.span(property.value));
    let rest = Span::new(value.start, end);
    let end = next.filter(|_| !tree.source().has_error_in(rest)).unwrap_or(end);
    let (expression, errors) = lower(tree, property.value, Strings::Templates);
    hide_literals(&expression);
    tree.source().record_errors(error_places(&errors));
    tree.source().hide_value(tree.name(property), Span::new(value.start, end.max(value.end)));
}
