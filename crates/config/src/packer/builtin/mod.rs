//! What is known of the components that are a part of Packer itself.

mod table;

use std::sync::Arc;

use terrane_eval::{ResolvedBody, closest_name};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{ObjectBuilder, OriginKind, Origins, Type, Value, convert};

use super::known::Kind;
use table::{BUILTINS, COMMON};

/// A component of Packer itself.
struct Builtin {
    kind: Kind,
    name: &'static str,
    /// The arguments, by type.
    arguments: &'static [(ArgumentType, &'static [&'static str])],
    /// The attributes that a data source gives, by type.
    results: &'static [(ArgumentType, &'static [&'static str])],
}

/// The types that arguments have.
#[derive(Clone, Copy, Debug)]
enum ArgumentType {
    Text,
    Number,
    Bool,
    Texts,
    Numbers,
    TextMap,
}

impl ArgumentType {
    fn ty(self) -> Type {
        match self {
            ArgumentType::Text => Type::String,
            ArgumentType::Number => Type::Number,
            ArgumentType::Bool => Type::Bool,
            ArgumentType::Texts => Type::list(Type::String),
            ArgumentType::Numbers => Type::list(Type::Number),
            ArgumentType::TextMap => Type::map(Type::String),
        }
    }
}

impl Builtin {
    fn find(kind: Kind, name: &str) -> Option<&'static Builtin> {
        BUILTINS.iter().find(|builtin| builtin.kind == kind && builtin.name == name)
    }

    fn argument(&self, name: &str) -> Option<Type> {
        let mut all = self.arguments.iter().chain(COMMON);
        all.find(|(_, names)| names.contains(&name)).map(|(ty, _)| ty.ty())
    }

    fn argument_names(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.iter().flat_map(|(_, names)| names.iter().copied())
    }
}

/// The names of the components of a kind.
pub(super) fn names(kind: Kind) -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().filter(move |builtin| builtin.kind == kind).map(|builtin| builtin.name)
}

/// Converts the arguments of a component of Packer itself to their types, and reports what it does not take. Of a
/// component of a plugin, nothing is known.
pub(super) fn check(kind: Kind, name: &str, body: &mut ResolvedBody, diagnostics: &mut Diagnostics) {
    let Some(builtin) = Builtin::find(kind, name) else { return };
    let what = kind.name();
    for argument in &mut body.arguments {
        let Some(ty) = builtin.argument(&argument.name) else {
            let detail = format!("The {what} \"{name}\" has no argument named \"{}\".", argument.name);
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail);
            let diagnostic = diagnostic.at(&argument.source, argument.name_span);
            diagnostics.push(match closest_name(&argument.name, builtin.argument_names()) {
                Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
                None => diagnostic,
            });
            continue;
        };
        match convert(&argument.value, &ty) {
            Ok(value) => argument.value = value,
            Err(error) => {
                let detail =
                    format!("The value of \"{}\" does not fit its type, `{ty}`: {error}.", argument.name);
                diagnostics.push(
                    Diagnostic::error(ids::INCORRECT_VALUE_TYPE, detail)
                        .titled("Incorrect attribute value type")
                        .at(&argument.source, argument.value_span),
                );
            }
        }
    }
    for block in &body.blocks {
        let detail = format!("The {what} \"{name}\" has no nested block of type \"{}\".", block.block_type);
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail);
        let diagnostic = diagnostic.at(&body.source, block.header_span);
        diagnostics.push(if builtin.argument(&block.block_type).is_some() {
            diagnostic.hint(format!("Did you mean the argument `{} = …`?", block.block_type))
        } else {
            diagnostic
        });
    }
}

/// The value of a data source. That of Packer's own `null` is its input; others are read when Packer runs.
pub(super) fn data_source(name: &str, address: &str, body: &ResolvedBody) -> Value {
    let origins = Origins::one(OriginKind::DataSource, address);
    let Some(builtin) = Builtin::find(Kind::Data, name) else {
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
        results.map(|(name, ty)| (Arc::from(name), Value::unknown_from(ty, origins.at_attribute(name)))),
    )
}
