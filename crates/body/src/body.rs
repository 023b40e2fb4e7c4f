//! [`Body`]: the content of a file or block, before a schema tells its arguments from its blocks.
//!
//! This file has the representation; `content` reads a body.

use std::fmt;
use std::sync::Arc;

use terrane_source::{SourceFile, SourceVersion, Span};
use terrane_syntax::json::ValueId;
use terrane_syntax::tree::BodyId;
use terrane_syntax::{Tree, json, tree};
use terrane_value::SmolStr;

use crate::body_schema::BodySchema;
use crate::missing_item;

/// The content of a file or of a block, in the native syntax or in JSON: owned, and cheap to clone.
///
/// Only a schema tells which properties of a JSON object are blocks. So one of these functions reads a body, and reports
/// unexpected content: [`Body::content`], [`Body::partial_content`], [`Body::just_attributes`], [`Body::open_content`].
#[derive(Clone)]
pub struct Body {
    pub(crate) form: Form,
    /// The type of the block whose content it is.
    block_type: Option<SmolStr>,
    /// Names that [`Body::partial_content`] read before.
    consumed: Option<Arc<Consumed>>,
}

/// The syntax of a body.
#[derive(Clone)]
pub(crate) enum Form {
    Native(NativeBody),
    Json(JsonBody),
    Merged(Arc<MergedBody>),
}

/// A body in the native syntax.
#[derive(Clone)]
pub(crate) struct NativeBody {
    pub(crate) tree: Arc<Tree>,
    pub(crate) id: BodyId,
    /// The offset for diagnostics about missing items.
    missing_item: u32,
}

/// A body in JSON.
#[derive(Clone)]
pub(crate) struct JsonBody {
    pub(crate) tree: Arc<json::Tree>,
    pub(crate) value: ValueId,
}

/// Several bodies that are read as one. They are a list, not a nest, because override files may add many.
#[derive(Clone)]
pub(crate) struct MergedBody {
    pub(crate) base: Body,
    /// The bodies that were added to `base`, in order.
    pub(crate) additions: Vec<Body>,
    pub(crate) mode: MergeMode,
}

/// Identifies a body by its version of the file and its id in the tree of the file, as a key of caches.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BodyKey {
    Native(SourceVersion, BodyId),
    Json(SourceVersion, ValueId),
}

/// How two bodies are merged.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum MergeMode {
    /// Attributes replace those of the same name, and blocks replace all blocks of the same type.
    Override,
    /// Nothing is replaced: two bodies must not set the same attribute.
    Join,
}

/// The schemas whose names were read from a body and are no longer part of it.
#[derive(Clone)]
pub(crate) struct Consumed(Vec<ConsumedSchema>);

#[derive(Clone)]
struct ConsumedSchema {
    schema: BodySchema,
    reading: Reading,
}

/// How the names of a schema were read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    /// Attributes and blocks as they are written.
    Written,
    /// With the blocks that `dynamic` blocks generate. Attributes that are not set are not suggested later.
    Expanded,
}

impl Consumed {
    fn has_attribute(&self, name: &str) -> bool {
        self.0.iter().any(|consumed| consumed.schema.has_attribute(name))
    }

    fn has_block(&self, block_type: &str) -> bool {
        self.0.iter().any(|consumed| consumed.schema.has_block(block_type))
    }

    fn has_dynamic(&self, block_type: &str) -> bool {
        let mut expanded = self.0.iter().filter(|consumed| consumed.reading == Reading::Expanded);
        expanded.any(|consumed| consumed.schema.has_block(block_type))
    }

    /// The attributes that could be suggested if the body did not set them.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &SmolStr> {
        let written = self.0.iter().filter(|consumed| consumed.reading == Reading::Written);
        written.flat_map(|consumed| consumed.schema.attribute_names())
    }

    pub(crate) fn block_types(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.iter().flat_map(|consumed| consumed.schema.block_types())
    }
}

impl Body {
    /// The content of a file in the native syntax.
    pub fn native(tree: &Arc<Tree>, id: BodyId) -> Body {
        let missing_item = missing_item::in_native_file(tree, id);
        Body::new(Form::Native(NativeBody { tree: Arc::clone(tree), id, missing_item }), None)
    }

    /// The content of a file in JSON syntax.
    pub fn json(tree: &Arc<json::Tree>, value: ValueId) -> Body {
        Body::new(Form::Json(JsonBody { tree: Arc::clone(tree), value }), None)
    }

    /// The content of a block in the native syntax.
    pub fn of_native_block(tree: &Arc<Tree>, block: &tree::Block) -> Body {
        Body::of_native_block_of_type(tree, block, SmolStr::from(tree.block_type(block)))
    }

    #[inline]
    pub(crate) fn of_native_block_of_type(
        tree: &Arc<Tree>,
        block: &tree::Block,
        block_type: SmolStr,
    ) -> Body {
        let missing_item = missing_item::in_native_block(tree, block);
        let native = NativeBody { tree: Arc::clone(tree), id: block.body, missing_item };
        Body::new(Form::Native(native), Some(block_type))
    }

    pub(crate) fn of_json_block(tree: &Arc<json::Tree>, value: ValueId, block_type: SmolStr) -> Body {
        Body::new(Form::Json(JsonBody { tree: Arc::clone(tree), value }), Some(block_type))
    }

    #[inline]
    fn new(form: Form, block_type: Option<SmolStr>) -> Body {
        Body { form, block_type, consumed: None }
    }

    /// Merges another body into this one by the rule of override files: an attribute replaces the one of the same name, and
    /// blocks replace all blocks of the same type. As in the references, unexpected content is not reported, and this
    /// body must set the required attributes.
    pub fn override_with(&mut self, over: Body) {
        self.merge(over, MergeMode::Override);
    }

    /// Whether [`Body::override_with`] has changed the body.
    pub fn is_overridden(&self) -> bool {
        matches!(&self.form, Form::Merged(merged) if merged.mode == MergeMode::Override)
    }

    /// Adds the content of another body to this one. Attributes of both are reported when the body is read.
    pub fn join(&mut self, other: Body) {
        self.merge(other, MergeMode::Join);
    }

    fn merge(&mut self, other: Body, mode: MergeMode) {
        match &mut self.form {
            Form::Merged(merged) if merged.mode == mode => Arc::make_mut(merged).additions.push(other),
            Form::Native(_) | Form::Json(_) | Form::Merged(_) => {
                let merged = MergedBody { base: self.clone(), additions: vec![other], mode };
                *self = Body::new(Form::Merged(Arc::new(merged)), self.block_type.clone());
            }
        }
    }

    /// This block as a merge of other bodies.
    pub(crate) fn with_merged(&self, merged: MergedBody) -> Body {
        Body::new(Form::Merged(Arc::new(merged)), self.block_type.clone())
    }

    /// This body without the names of a schema, which were read from it.
    pub(crate) fn consuming(&self, schema: &BodySchema, reading: Reading) -> Body {
        let before = self.consumed().map_or(&[][..], |consumed| &consumed.0).iter().cloned();
        let consumed = before.chain([ConsumedSchema { schema: schema.clone(), reading }]).collect();
        Body { consumed: Some(Arc::new(Consumed(consumed))), ..self.clone() }
    }

    /// The whole body in the native syntax, consumed names included; none for a merged body.
    pub fn as_native(&self) -> Option<(&Tree, BodyId)> {
        match &self.form {
            Form::Native(native) => Some((&native.tree, native.id)),
            Form::Json(_) | Form::Merged(_) => None,
        }
    }

    /// The place of the content in words, where it is that of a block: `resource "a" "b"`, or a `lifecycle` block of it.
    pub(crate) fn place(&self) -> Option<String> {
        let block_type = self.block_type()?;
        let article = if block_type.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let unnamed = format!("{article} `{block_type}` block");
        let outermost = match &self.form {
            Form::Native(native) => {
                native.tree.outermost_block(native.id).map(|outer| (&native.tree, native.id, outer))
            }
            Form::Merged(merged) => return merged.base.place(),
            Form::Json(_) => None,
        };
        Some(match outermost {
            Some((tree, id, outer)) if outer.body != id => {
                format!("{unnamed} of {}", tree.block_header(outer))
            }
            Some((tree, _, outer)) if !tree.list(outer.labels).is_empty() => tree.block_header(outer),
            Some(_) | None => unnamed,
        })
    }

    /// The source file.
    pub fn source(&self) -> &Arc<SourceFile> {
        match &self.form {
            Form::Native(native) => native.tree.source(),
            Form::Json(json) => json.tree.source(),
            Form::Merged(merged) => merged.base.source(),
        }
    }

    /// The type of the block whose content it is; none for a file.
    pub fn block_type(&self) -> Option<&str> {
        self.block_type.as_deref()
    }

    /// Whether the syntax is JSON.
    pub fn is_json(&self) -> bool {
        match &self.form {
            Form::Native(_) => false,
            Form::Json(_) => true,
            Form::Merged(merged) => merged.base.is_json(),
        }
    }

    /// The span for diagnostics about missing items.
    pub fn missing_item_span(&self) -> Span {
        match &self.form {
            Form::Native(native) => Span::empty(native.missing_item),
            Form::Json(json) => missing_item::in_json(&json.tree, json.value),
            Form::Merged(merged) => merged.base.missing_item_span(),
        }
    }

    /// The names that were read before; none of a merged body, whose parts have their own.
    pub(crate) fn consumed(&self) -> Option<&Consumed> {
        self.consumed.as_deref()
    }

    pub(crate) fn has_consumed_attribute(&self, name: &str) -> bool {
        self.consumed().is_some_and(|consumed| consumed.has_attribute(name))
    }

    /// Whether blocks of this type were read before.
    pub(crate) fn has_consumed_block(&self, block_type: &str) -> bool {
        match &self.form {
            Form::Native(_) | Form::Json(_) => {
                self.consumed().is_some_and(|consumed| consumed.has_block(block_type))
            }
            Form::Merged(merged) => merged.base.has_consumed_block(block_type),
        }
    }

    /// Whether a property of a JSON object was read before, as an attribute or as blocks.
    pub(crate) fn has_consumed_property(&self, name: &str) -> bool {
        self.has_consumed_attribute(name) || self.has_consumed_block(name)
    }

    /// Whether `dynamic` blocks that generate blocks of this type were read before.
    pub(crate) fn has_consumed_dynamic(&self, block_type: &str) -> bool {
        match &self.form {
            Form::Native(_) | Form::Json(_) => {
                self.consumed().is_some_and(|consumed| consumed.has_dynamic(block_type))
            }
            Form::Merged(merged) => merged.base.has_consumed_dynamic(block_type),
        }
    }

    /// The key of the body; none for a merged body, and for the rest of a body that was read in part.
    pub(crate) fn key(&self) -> Option<BodyKey> {
        let version = self.source().version();
        match &self.form {
            _ if self.consumed.is_some() => None,
            Form::Native(native) => Some(BodyKey::Native(version, native.id)),
            Form::Json(json) => Some(BodyKey::Json(version, json.value)),
            Form::Merged(_) => None,
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({:?}, {:?})", self.source().id(), self.missing_item_span())
    }
}
