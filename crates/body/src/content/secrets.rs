//! Hides the values of arguments that are secrets, as they are written.

mod file;
mod names;
mod native;
mod outside;

use std::iter;

use terrane_source::{SourceVersion, Span};
use terrane_syntax::json::{Property, Strings, Value, ValueId, lower};
use terrane_syntax::{
    SecretDeclarations, error_places, hide_names_in_sensitive_calls, hide_secret, is_block_type,
};

pub use self::names::SecretNames;
use self::native::hide_native;
pub use self::outside::may_have_open_argument;
use crate::body::{Body, Form, JsonBody};

/// Hides the values in all blocks of a declaration that one of its blocks makes a secret, in the files of a module or template.
/// Returns the names of these declarations.
pub fn hide_declared_secrets<'b>(files: impl Iterator<Item = &'b Body> + Clone) -> SecretDeclarations {
    let mut secrets = SecretDeclarations::default();
    for file in files.clone() {
        match &file.form {
            Form::Native(native) => secrets.add_native(&native.tree, native.id),
            Form::Json(json) => secrets.add_json(&json.tree, json.value),
            Form::Merged(_) => {}
        }
    }
    for file in files {
        match &file.form {
            Form::Native(native) => secrets.hide_native(&native.tree, native.id),
            Form::Json(json) => secrets.hide_json(&json.tree, json.value),
            Form::Merged(_) => {}
        }
    }
    secrets
}

impl Body {
    /// Hides the values of secret arguments in the source files, so that excerpts do not show the literals in them and errors in
    /// them are not described. This includes arguments that are set again. Text with a syntax error and the values of names that
    /// the body does not have are hidden too: they may belong to a secret argument.
    pub fn hide_values(&self, names: SecretNames<'_>) {
        let is_argument = |name: &str| (names.is_argument)(name) || self.has_consumed_attribute(name);
        match &self.form {
            Form::Native(native) => {
                let is_outside = |name: &str| self.has_consumed_block(name);
                hide_native(native, &SecretNames { is_argument: &is_argument, ..names }, &is_outside);
            }
            Form::Json(json) => {
                let is_block = |name: &str| (names.is_block)(name) || self.has_consumed_block(name);
                hide_json(json, &SecretNames { is_argument: &is_argument, is_block: &is_block, ..names });
                hide_outside_in_json(json, names, &|name| self.has_consumed_block(name));
            }
            Form::Merged(merged) => {
                let parts = iter::once(&merged.base).chain(&merged.additions);
                parts.for_each(|part| part.hide_values(names));
            }
        }
    }

    /// Hides names that may be texts without their quotes, in the arguments of `sensitive` in the file: those that do not begin with a
    /// word. The parser has hidden all of the arguments in JSON.
    pub fn hide_names_in_sensitive_calls(&self, is_word: &dyn Fn(&str) -> bool) {
        match &self.form {
            Form::Native(native) => hide_names_in_sensitive_calls(&native.tree, is_word),
            Form::Json(_) | Form::Merged(_) => {}
        }
    }

    /// Hides the text of a file that no declaration has: text with a syntax error, arguments, blocks of unknown types, and other
    /// blocks of the types that may have secrets, unless `is_declared` returns true for the version of the file and the start of the
    /// block. `has_errors` says whether the file has syntax errors.
    pub fn hide_unread(&self, has_errors: bool, is_declared: &dyn Fn((SourceVersion, u32)) -> bool) {
        match &self.form {
            Form::Native(native) => {
                let version = self.source().version();
                file::hide_native(native, has_errors, &|start| is_declared((version, start)));
            }
            Form::Json(json) if has_errors => {
                let source = json.tree.source();
                source.hide(Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX)));
            }
            Form::Json(json) => {
                let version = self.source().version();
                file::hide_undeclared(json, &|start| is_declared((version, start)));
                hide_json(
                    json,
                    &SecretNames {
                        is_secret: &|_| false,
                        is_argument: &|_| false,
                        is_block: &is_block_type,
                        is_word: &|_| false,
                    },
                );
            }
            Form::Merged(_) => {}
        }
    }

    /// Hides the values of all arguments, and the content of all blocks.
    pub fn hide_all_values(&self) {
        self.hide_values(SecretNames {
            is_secret: &|_| true,
            is_argument: &|_| true,
            is_block: &|_| false,
            is_word: &|_| false,
        });
    }
}

fn hide_json(json: &JsonBody, names: &SecretNames<'_>) {
    let tree = &json.tree;
    let mut left = vec![json.value];
    while let Some(value) = left.pop() {
        match tree.value(value) {
            Value::Object(properties) => {
                let properties = tree.properties(properties);
                for (at, property) in properties.iter().enumerate() {
                    let name = tree.name(property);
                    let (is_argument, is_block) = ((names.is_argument)(name), (names.is_block)(name));
                    let is_unknown = !is_argument && !is_block && name != "//";
                    if (names.is_secret)(name) || is_unknown {
                        let next = properties.get(at + 1).map(|next| next.name_span.start);
                        hide_property(json, property, names, next, tree.span(value).end);
                    }
                    if is_unknown || is_block && !is_argument && !json.has_only_objects(property.value) {
                        tree.source().hide(tree.span(property.value));
                    }
                }
            }
            Value::Array(elements) => left.extend(tree.elements(elements)),
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {}
        }
    }
}

/// Hides the misplaced arguments and the secrets in `lifecycle`, `connection` and other blocks that the schema of the body does not have.
fn hide_outside_in_json(json: &JsonBody, names: SecretNames<'_>, is_outside: &dyn Fn(&str) -> bool) {
    let tree = &json.tree;
    // Values, each with the type of the block; none for the body.
    let mut left: Vec<(ValueId, Option<&str>)> = vec![(json.value, None)];
    while let Some((value, block_type)) = left.pop() {
        match tree.value(value) {
            Value::Array(elements) => left.extend(tree.elements(elements).iter().map(|id| (*id, block_type))),
            Value::Object(properties) => {
                for property in tree.properties(properties) {
                    let name = tree.name(property);
                    let is_block = json.has_only_objects(property.value);
                    match block_type {
                        None if is_outside(name) => left.push((property.value, Some(name))),
                        Some(outer)
                            if (names.is_secret)(name)
                                || !is_block && !may_have_open_argument(outer, name) =>
                        {
                            tree.source().hide(tree.span(property.value));
                            tree.source().hide_value(name, tree.span(property.value));
                        }
                        Some(_) => left.push((property.value, Some(name))),
                        None => {}
                    }
                }
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => {}
        }
    }
}

impl JsonBody {
    /// Whether a value is an object, or an array of objects, as blocks are.
    fn has_only_objects(&self, value: ValueId) -> bool {
        match self.tree.value(value) {
            Value::Object(_) => true,
            Value::Array(elements) => {
                self.tree.elements(elements).iter().all(|element| self.has_only_objects(*element))
            }
            Value::Missing | Value::Null | Value::Bool(_) | Value::Number | Value::String(_) => false,
        }
    }
}

/// Hides the value of a property before the property that begins at `next`, or the last one of an object that ends at `end`. After
/// a syntax error in the object, a part of the value may be read as the name of the next property.
fn hide_property(json: &JsonBody, property: &Property, names: &SecretNames<'_>, next: Option<u32>, end: u32) {
    let (tree, value) = (&json.tree, json.tree.span(property.value));
    let rest = Span::new(value.start, end);
    let end = next.filter(|_| !tree.source().has_error_in(rest)).unwrap_or(end);
    let (expression, errors) = lower(tree, property.value, Strings::Templates);
    hide_secret(&expression, names.is_word);
    tree.source().record_errors(error_places(&errors));
    tree.source().hide_value(tree.name(property), Span::new(value.start, end.max(value.end)));
}
