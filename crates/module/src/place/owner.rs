//! Finds the object of a module that contains a place.

use std::sync::Arc;

use terrane_config::InstanceKey;
use terrane_config::address::Object;
use terrane_source::{SourceFile, Span, Subject};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use crate::decode::block_type::{BlockType, Declares};
use crate::decode::schema::ArgumentKind;
use crate::model::ids::{CallId, ResourceId};
use crate::model::module::{Module, ProviderRef, Repetition, ResourceKey};
use crate::place::find::syntax_at;
use crate::place::syntax::{BoundLoop, Header, Syntax};

/// A place in a file: its syntax, and the object of the module that contains it.
#[derive(Debug)]
pub(super) struct PlaceInBlock {
    pub(super) owner: EnclosingBlock,
    /// The loops around the place, outermost first.
    pub(super) loops: Vec<BoundLoop>,
    /// The names that lead from the block of the object to the place: of nested blocks and of the argument,
    /// and the keys in its value.
    pub(super) path: Vec<SmolStr>,
    /// Whether the place is in the configuration of OpenTofu's encryption, which has keys and passphrases.
    pub(super) is_encryption: bool,
    /// The kind of the value of the argument.
    pub(super) argument: ArgumentKind,
    pub(super) expression: Option<Expression>,
}

/// The object that contains a place.
#[derive(Debug)]
pub(super) enum EnclosingBlock {
    Resource {
        id: ResourceId,
        /// Whether `count` or `each` may be used: not in the arguments `count` and `for_each` themselves.
        is_repeated: bool,
        /// Whether `self` may be used.
        has_self: bool,
    },
    Call {
        id: CallId,
        is_repeated: bool,
    },
    /// A block whose `for_each` gives `each`: a configuration of a provider, or an import.
    ForEach(Option<Object>, Repetition),
    /// An object without instances.
    Object(Object),
    None,
}

impl PlaceInBlock {
    /// Returns the place at `span` of a file of the module.
    pub(super) fn of(module: &Module, source: &Arc<SourceFile>, span: Span) -> PlaceInBlock {
        let syntax = syntax_at(source, span);
        let owner = EnclosingBlock::of(module, &syntax);
        let path = syntax.path();
        let is_encryption = syntax.object().is_some_and(|(block, _)| block.block_type == "terraform")
            && path.first().is_some_and(|name| name == "encryption");
        let argument = syntax.argument_kind();
        PlaceInBlock {
            owner,
            loops: syntax.loops,
            path,
            is_encryption,
            argument,
            expression: syntax.expression,
        }
    }
}

impl EnclosingBlock {
    fn of(module: &Module, syntax: &Syntax) -> EnclosingBlock {
        let Some((block, within)) = syntax.object() else { return EnclosingBlock::None };
        EnclosingBlock::of_block(module, block, within, syntax)
    }

    fn of_block(module: &Module, block: &Header, within: &[Header], syntax: &Syntax) -> EnclosingBlock {
        let argument = syntax.argument.as_deref();
        let gives_instances = match within {
            [] => matches!(argument, Some("count" | "for_each")),
            [lifecycle] => lifecycle.block_type == "lifecycle" && argument == Some("enabled"),
            _ => false,
        };
        let Some(block_type) = BlockType::named(&block.block_type) else { return EnclosingBlock::None };
        match block_type.object(&block.labels) {
            Some(Object::Resource { mode, resource_type, name, .. }) => {
                match module.resources.id_of(&ResourceKey { mode, resource_type, name }) {
                    Some(id) => EnclosingBlock::Resource {
                        id,
                        is_repeated: !gives_instances,
                        has_self: has_self(within),
                    },
                    None => EnclosingBlock::None,
                }
            }
            Some(Object::ModuleCall(name, _)) => match module.calls.id_of(&name) {
                Some(id) => EnclosingBlock::Call { id, is_repeated: !gives_instances },
                None => EnclosingBlock::None,
            },
            Some(Object::Provider(name)) => {
                let object = Object::Provider(provider_key(syntax).unwrap_or(name));
                match for_each_of_provider(module, syntax).filter(|_| !gives_instances) {
                    Some(for_each) => EnclosingBlock::ForEach(Some(object), Repetition::ForEach(for_each)),
                    None => EnclosingBlock::Object(object),
                }
            }
            Some(Object::Import(_)) => {
                match for_each_of_import(module, syntax).filter(|_| !gives_instances) {
                    Some(for_each) => EnclosingBlock::ForEach(None, Repetition::ForEach(for_each)),
                    None => EnclosingBlock::None,
                }
            }
            Some(object) => EnclosingBlock::Object(object),
            None if block_type.declares == Declares::Locals => {
                let local = syntax.argument.clone().filter(|name| module.locals.id_of(name).is_some());
                local.map_or(EnclosingBlock::None, |name| EnclosingBlock::Object(Object::Local(name)))
            }
            None => EnclosingBlock::None,
        }
    }

    /// Returns the object of the instance with a key.
    pub(super) fn object(&self, module: &Module, key: &InstanceKey) -> Option<Object> {
        match self {
            EnclosingBlock::Resource { id, .. } => Some(module.resources.entry_of(*id).0.object(key.clone())),
            EnclosingBlock::Call { id, .. } => {
                let (name, _) = module.calls.entry_of(*id);
                Some(Object::ModuleCall(name.clone(), key.clone()))
            }
            EnclosingBlock::ForEach(object, _) => object.clone(),
            EnclosingBlock::Object(object) => Some(object.clone()),
            EnclosingBlock::None => None,
        }
    }
}

/// Whether the blocks inside a resource allow `self`.
fn has_self(within: &[Header]) -> bool {
    match within {
        [first, ..] if matches!(&*first.block_type, "provisioner" | "connection") => true,
        [first, second, ..] => first.block_type == "lifecycle" && second.block_type == "postcondition",
        _ => false,
    }
}

/// Returns the `for_each` of the import that contains a place.
fn for_each_of_import(module: &Module, syntax: &Syntax) -> Option<Expression> {
    let is_here = |declaration: &Subject| is_in(&declaration.file, declaration.span, syntax);
    module.imports.iter().find(|import| is_here(&import.declaration))?.for_each.clone()
}

/// Returns the `for_each` of the provider configuration that contains a place.
fn for_each_of_provider(module: &Module, syntax: &Syntax) -> Option<Expression> {
    module.providers.get(&provider_key(syntax)?)?.for_each.clone()
}

/// Returns the key of the provider configuration that contains a place.
fn provider_key(syntax: &Syntax) -> Option<SmolStr> {
    let block = syntax.blocks.first()?;
    Some(ProviderRef::key_of(block.labels.first()?, block.alias.as_deref()))
}

/// Whether the outermost block of a place is declared at `span`.
fn is_in(file: &SourceFile, span: Span, syntax: &Syntax) -> bool {
    syntax.blocks.first().is_some_and(|block| block.span.contains(span.start) && block.file.is_same(file))
}
