//! Checks the arguments of built-in components, and returns the values of built-in data sources.

use std::sync::Arc;

use super::builtin::{ArgumentType, BuiltinComponent};
use super::prepare;
use terrane_body::{Body, ResolvedArgument, ResolvedBody};
use terrane_function::conversion::ConversionError;
use terrane_source::{Diagnostic, Diagnostics, Files, Span, ids, titles};
use terrane_value::{Entries, ObjectBuilder, OriginKind, Origins, SmolStr, Type, Value, closest_name};

use crate::components::converter::Converter;
use crate::components::duration::is_duration;
use crate::model::component_kind::ComponentKind;

/// A use of a component in a template.
#[derive(Clone, Copy)]
pub(crate) struct ComponentUse<'u> {
    pub(crate) kind: ComponentKind,
    pub(crate) name: &'u str,
    /// The span of the header of the block, or of the label with the name.
    pub(crate) span: Span,
    /// The body before its evaluation.
    pub(crate) written: &'u Body,
    /// The arguments that replace arguments in the body.
    pub(crate) overrides: Option<&'u Entries>,
}

/// Puts the overrides into the body of a component. For a built-in component, also converts the arguments to their
/// types, and reports unsupported and missing ones; a component of a plugin is not checked. With `files`, the files
/// that arguments name must exist.
pub(crate) fn check(
    used: ComponentUse<'_>,
    body: &mut ResolvedBody,
    converter: Converter<'_>,
    files: Option<&dyn Files>,
    diagnostics: &mut Diagnostics,
) {
    let kind = used.kind.of_component();
    let Some(builtin) = BuiltinComponent::find(kind, used.name) else {
        return replace(body, used.overrides, &|_, value| value.clone());
    };
    let mut found = Diagnostics::new();
    arguments(builtin, body, converter, &mut found);
    blocks(builtin, used.written, body, &mut found);
    if !found.has_errors() {
        values(builtin, body, &mut found);
    }
    override_names(builtin, used, body, &mut found);
    // Packer checks the types of overrides less strictly.
    replace(body, used.overrides, &|name, value| {
        let ty = builtin.argument(name).map(ArgumentType::ty);
        ty.and_then(|ty| converter.convert(value, &ty).ok()).unwrap_or_else(|| value.clone())
    });
    let failed = found.has_errors();
    diagnostics.extend(found);
    if failed {
        return;
    }
    let problems = prepare::prepare(kind, used.name, body, files);
    for text in problems.warnings {
        diagnostics.push(
            Diagnostic::warning(ids::PREPARE_FAILED, text.clone())
                .titled(titles::preparation_warning(&text))
                .at(&body.source, used.span),
        );
    }
    if !problems.errors.is_empty() {
        let title = titles::preparation_errors(problems.errors.len());
        let diagnostic = Diagnostic::error(ids::PREPARE_FAILED, problems.errors.join(" "));
        diagnostics.push(diagnostic.titled(title).at(&body.source, used.span));
    }
}

fn arguments(
    builtin: &BuiltinComponent,
    body: &mut ResolvedBody,
    converter: Converter<'_>,
    diagnostics: &mut Diagnostics,
) {
    let (kind, name) = (builtin.kind.name(), builtin.name);
    for argument in &mut body.arguments {
        let Some(ty) = builtin.argument(&argument.name).map(ArgumentType::ty) else {
            let detail = format!("The {kind} \"{name}\" has no argument named \"{}\".", argument.name);
            let id = if argument.source.id().is_json() {
                ids::EXTRANEOUS_PROPERTY
            } else {
                ids::UNSUPPORTED_ARGUMENT
            };
            let diagnostic = Diagnostic::error(id, detail).at(&argument.source, argument.name_span);
            diagnostics.push(
                diagnostic.suggest(&argument.name, closest_name(&argument.name, builtin.argument_names())),
            );
            continue;
        };
        match converter.convert(&argument.value, &ty) {
            Ok(value) => argument.value = value,
            Err(ConversionError::Limit(limit)) => {
                let diagnostic = limit.diagnostic(&format!("The value of \"{}\"", argument.name));
                diagnostics.push(diagnostic.at(&argument.source, argument.value_span));
            }
            Err(ConversionError::Mismatch(error)) => {
                let detail =
                    format!("The value of \"{}\" does not fit its type, `{ty}`: {error}.", argument.name);
                diagnostics.push(
                    Diagnostic::error(ids::INCORRECT_VALUE_TYPE, detail)
                        .titled(titles::INCORRECT_ATTRIBUTE_VALUE_TYPE)
                        .at(&argument.source, argument.value_span),
                );
            }
        }
    }
}

/// Reports nested blocks: no component of Packer itself has any.
fn blocks(builtin: &BuiltinComponent, written: &Body, body: &ResolvedBody, diagnostics: &mut Diagnostics) {
    let (kind, name) = (builtin.kind.name(), builtin.name);
    let mut all: Vec<(SmolStr, Span)> =
        body.blocks.iter().map(|block| (block.block_type.clone(), block.header_span)).collect();
    // A `dynamic` block is wrong even if it generates no blocks.
    for block in written.open_content(&mut Diagnostics::new()).blocks {
        let is_new = !all.iter().any(|(_, span)| *span == block.header_span);
        if is_new && block.is_dynamic() && !block.labels.is_empty() {
            all.push((block.generated_type().clone(), block.header_span));
        }
    }
    for (block_type, span) in all {
        let detail = format!("The {kind} \"{name}\" has no nested block of type \"{block_type}\".");
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(&body.source, span);
        diagnostics.push(if builtin.argument(&block_type).is_some() {
            diagnostic.hint(format!("Did you mean the argument `{block_type} = …`?"))
        } else {
            diagnostic
        });
    }
}

fn override_names(
    builtin: &BuiltinComponent,
    used: ComponentUse<'_>,
    body: &ResolvedBody,
    diagnostics: &mut Diagnostics,
) {
    let names = used.overrides.into_iter().flat_map(|overrides| overrides.keys());
    for name in names.filter(|name| builtin.argument(name).is_none()) {
        let detail = format!(
            "`override` has \"{name}\", but the {} \"{}\" has no such argument.",
            builtin.kind.name(),
            builtin.name
        );
        diagnostics.push(Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail).at(&body.source, used.span));
    }
}

fn replace(body: &mut ResolvedBody, overrides: Option<&Entries>, converted: &dyn Fn(&str, &Value) -> Value) {
    for (name, value) in overrides.into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        let value = converted(name, value);
        if let Some(argument) = body.arguments.iter_mut().find(|argument| argument.name == *name) {
            argument.value = value;
            continue;
        }
        body.arguments.push(ResolvedArgument {
            name: name.clone(),
            source: Arc::clone(&body.source),
            name_span: body.missing_item_span,
            value_span: body.missing_item_span,
            value,
        });
    }
}

/// Checks rules for values: whole numbers, durations, and lists without null.
fn values(builtin: &BuiltinComponent, body: &ResolvedBody, diagnostics: &mut Diagnostics) {
    let problem = |argument: &ResolvedArgument| {
        let value = &argument.value;
        let (is_right, rule) = match builtin.argument(&argument.name)? {
            ArgumentType::Number => (value.as_number()?.to_i64().is_some(), "must be a whole number"),
            ArgumentType::Duration => {
                let text = value.as_str().filter(|text| !text.contains("{{"))?;
                (is_duration(text), "must be a duration, such as `90s` or `1h30m`")
            }
            ArgumentType::Texts | ArgumentType::Numbers => {
                (!value.as_sequence()?.iter().any(Value::is_null), "must not contain null")
            }
            ArgumentType::Text | ArgumentType::Bool | ArgumentType::TextMap => return None,
        };
        (!is_right).then(|| format!("The value of `{}` {rule}.", argument.name))
    };
    let found: Vec<(&ResolvedArgument, String)> =
        body.arguments.iter().filter_map(|argument| Some((argument, problem(argument)?))).collect();
    let count = found.len();
    for (argument, text) in found {
        diagnostics.push(
            Diagnostic::error(ids::PREPARE_FAILED, text)
                .titled(titles::decoding_errors(count))
                .at(&argument.source, argument.value_span),
        );
    }
}

/// Returns the value of a data source. The value of Packer's own `null` is its input; other data sources
/// are read when Packer runs.
pub(crate) fn data_source_value(name: &str, address: &str, body: &ResolvedBody) -> Value {
    let origins = Origins::one(OriginKind::DataSource, address);
    let Some(builtin) = BuiltinComponent::find(ComponentKind::Data, name) else {
        return Value::unknown_from(Type::Dynamic, origins);
    };
    if name == "null" {
        let input = body.arguments.iter().find(|argument| &*argument.name == "input");
        let output = match input {
            Some(input) if !input.value.is_null() => input.value.clone(),
            Some(_) | None => Value::from(""),
        };
        return ObjectBuilder::new().with("output", output).build();
    }
    let results = builtin.results.iter().flat_map(|(ty, names)| names.iter().map(|name| (*name, ty.ty())));
    Value::object(
        results.map(|(name, ty)| (SmolStr::from(name), Value::unknown_from(ty, origins.at_attribute(name)))),
    )
}
