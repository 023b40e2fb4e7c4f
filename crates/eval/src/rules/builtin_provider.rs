//! The functions of the provider that is built into Terraform and OpenTofu: they write values as the text of
//! variable files, and read them.

use terrane_function::{Call, FunctionBody, FunctionError};
use terrane_source::{Diagnostic, FileId, SourceFile, ids, titles};
use terrane_syntax::tree::Block;
use terrane_syntax::{Tree, is_identifier, laid_out, parse_body, write_quoted};
use terrane_value::{Entries, SmolStr, Type, Value, ValueKind};

use crate::functions::semantics::Semantics;
use crate::functions::work::work_to_parse;
use crate::rules::evaluator::Evaluator;
use crate::state::failures::summary;
use crate::state::invocation::Invocation;
use crate::state::nested_run::NestedRun;

impl Evaluator<'_> {
    /// Evaluates `encode_tfvars(value)`.
    pub(crate) fn call_encode_tfvars(&mut self, invocation: &Invocation<'_>) -> Value {
        let semantics = invocation.scope.functions.semantics();
        self.call_encoding(invocation, &mut |call| {
            let value = call.argument(0);
            if semantics.encodes_unknown_values && !value.is_wholly_known() {
                return not_known(value, semantics);
            }
            let has_names = match value.ty() {
                Type::Object(_) | Type::Dynamic => true,
                Type::Map(_) => semantics.encodes_maps,
                Type::Bool | Type::Number | Type::String => false,
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => false,
            };
            if !has_names {
                return Err(FunctionError::new("it must be an object; its attributes become variables"));
            }
            let Some(attributes) = value.as_entries().filter(|_| value.is_wholly_known()) else {
                return not_known(value, semantics);
            };
            if let Some(name) = attributes.keys().find(|name| !is_identifier(name)) {
                return Err(FunctionError::new(format!(
                    "{:?} cannot be the name of a variable",
                    terrane_function::beginning(name)
                )));
            }
            call.spend(value.work_to_write_numbers())?;
            let mut text = String::new();
            write_attributes(attributes, &mut text);
            in_layout(call, &text)
        })
    }

    /// Evaluates `encode_expr(value)`.
    pub(crate) fn call_encode_expr(&mut self, invocation: &Invocation<'_>) -> Value {
        let semantics = invocation.scope.functions.semantics();
        self.call_encoding(invocation, &mut |call| {
            let value = call.argument(0);
            if !value.is_wholly_known() {
                let text = not_known(value, semantics)?;
                return Ok(match semantics.encodes_unknown_values {
                    true => text.with_full_prefix(beginning(&value.ty())),
                    false => text,
                });
            }
            call.spend(value.work_to_write_numbers())?;
            let mut text = String::new();
            write_value(value, &mut text);
            in_layout(call, &text)
        })
    }

    fn call_encoding(&mut self, invocation: &Invocation<'_>, body: &mut FunctionBody<'_>) -> Value {
        let Some(first) = self.push_arguments(invocation) else { return Value::error() };
        let (result, sensitive) = self.call_applied(invocation, first, body);
        result.unwrap_or_else(|error| self.failed_call(invocation, &error, sensitive))
    }

    /// Evaluates `decode_tfvars(text)`.
    pub(crate) fn call_decode_tfvars(&mut self, invocation: &Invocation<'_>) -> Value {
        let Some(first) = self.push_arguments(invocation) else { return Value::error() };
        let mut run = self.begin_nested();
        let (result, sensitive) =
            self.call_applied(invocation, first, &mut |call| decode_tfvars(call, &mut run));
        self.end_nested(invocation, run, result, sensitive)
    }
}

/// Returns the unknown text of a value that is not wholly known.
fn not_known(value: &Value, semantics: &Semantics) -> Result<Value, FunctionError> {
    let accepts = semantics.encodes_unknown_values;
    if !accepts && value.as_unknown().is_none() {
        return Err(FunctionError::new("a part of the value is not known yet"));
    }
    let text = Value::unknown_from(Type::String, value.origins_deep());
    Ok(if accepts { text.not_null() } else { text })
}

/// Returns the beginning of the text for every value of this type.
fn beginning(ty: &Type) -> &'static str {
    match ty {
        Type::String => "\"",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[",
        Type::Map(_) | Type::Object(_) => "{",
        Type::Bool | Type::Number | Type::Dynamic => "",
    }
}

/// Returns the text in the layout of `fmt`.
fn in_layout(call: &Call<'_>, text: &str) -> Result<Value, FunctionError> {
    call.spend(text.len())?;
    let source = SourceFile::new(FileId::new("<encoded value>"), text);
    let text = laid_out(&source).filter(|text| call.env.limits.allow(text));
    text.map(Value::from).ok_or_else(|| FunctionError::new("the text would be too long"))
}

/// Writes each attribute on its own line.
fn write_attributes(attributes: &Entries, out: &mut String) {
    for (name, value) in attributes.iter() {
        if is_identifier(name) {
            out.push_str(name);
        } else {
            write_quoted(name, out);
        }
        out.push_str(" = ");
        write_value(value, out);
        out.push('\n');
    }
}

fn write_value(value: &Value, out: &mut String) {
    match value.kind() {
        ValueKind::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => out.push_str(&number.to_string()),
        ValueKind::String(text) => write_quoted(text, out),
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_value(element, out);
            }
            out.push(']');
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            out.push_str(if entries.iter().next().is_some() { "{\n" } else { "{" });
            write_attributes(entries, out);
            out.push('}');
        }
        // The value is wholly known here, and marks were removed before the call.
        ValueKind::Null(_) | ValueKind::Unknown(_) => out.push_str("null"),
        ValueKind::Marked(value, _) => write_value(value, out),
    }
}

fn decode_tfvars(call: &Call<'_>, run: &mut NestedRun) -> Result<Value, FunctionError> {
    let text = call.string(0);
    call.spend(work_to_parse(text))?;
    let source = SourceFile::new(FileId::new("<decode_tfvars argument>"), text);
    let parsed = parse_body(&source);
    let is_wrong = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
    let failed = |found: &[Diagnostic]| FunctionError::new(format!("the text has errors:{}", summary(found)));
    if is_wrong(&parsed.diagnostics) {
        return Err(failed(&parsed.diagnostics));
    }
    let tree = &parsed.tree;
    if let Some(block) = tree.blocks(parsed.root).next() {
        return Err(failed(&[unexpected_block(tree, block)]));
    }
    let mut attributes = Vec::with_capacity(tree.attributes(parsed.root).count());
    for attribute in tree.attributes(parsed.root) {
        let mut evaluator = Evaluator::closed(tree, call.env.limits);
        let (value, found) = evaluator.eval_nested(attribute.expr, run);
        if is_wrong(&found) {
            return Err(failed(&found));
        }
        attributes.push((SmolStr::from(tree.name(attribute)), value));
    }
    Ok(Value::object(attributes))
}

/// Returns the error about a block in a text that may contain only arguments.
fn unexpected_block(tree: &Tree, block: &Block) -> Diagnostic {
    let block_type = tree.block_type(block);
    let detail = format!(
        "This file takes only arguments, of any name. For a nested structure, write `{block_type} = {{ … }}`."
    );
    Diagnostic::error(ids::UNEXPECTED_BLOCK, detail)
        .titled(titles::unexpected_block(block_type))
        .at(tree.source(), block.block_type)
}
