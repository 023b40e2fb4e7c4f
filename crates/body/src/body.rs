//! What is in a file or a block, read against a [`BodySchema`], the same way for both syntaxes.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use terrane_source::{Diagnostics, SourceFile, Span};
use terrane_syntax::json::ValueId;
use terrane_syntax::tree::BodyId;
use terrane_syntax::{Tree, json as syntax};
use terrane_value::SmolStr;

use crate::body_schema::BodySchema;
use crate::content::Content;
use crate::content::errors::Mistakes;
use crate::content::merged::{How, Merged};
use crate::content::{json, native};

/// The content of a file or of a block, in the native syntax or in JSON: owned, and cheap to clone.
///
/// Which properties of a JSON object are blocks is known only where a schema says so; that is why a body is read
/// through one of [`Body::content`], [`Body::partial_content`], [`Body::just_attributes`] and [`Body::open_content`],
/// each of which reports what does not fit.
#[derive(Clone)]
pub struct Body {
    pub(crate) form: Form,
    /// The type of the block whose content it is.
    pub(crate) block_type: Option<SmolStr>,
    /// What was taken out of it by [`Body::partial_content`].
    pub(crate) taken: Option<Arc<Taken>>,
}

/// Where a body is written.
#[derive(Clone)]
pub(crate) enum Form {
    Native {
        tree: Arc<Tree>,
        id: BodyId,
        /// The offset that stands for all that is missing.
        start: u32,
    },
    Json {
        tree: Arc<syntax::Tree>,
        value: ValueId,
    },
    Merged(Arc<Merged>),
}

/// Names of attributes and blocks that a body no longer has.
#[derive(Clone, Default)]
pub(crate) struct Taken {
    attributes: BTreeSet<SmolStr>,
    /// Attributes that were looked for and are not set, one of which may be meant by another name.
    pub(crate) unset: Vec<SmolStr>,
    pub(crate) blocks: BTreeSet<SmolStr>,
    /// The types of blocks of which those that `dynamic` blocks make are gone, too.
    dynamic: BTreeSet<SmolStr>,
}

impl Body {
    /// The content of a file in the native syntax.
    pub fn native(tree: &Arc<Tree>, id: BodyId) -> Body {
        let start = native::file_start(tree, id);
        Body { form: Form::Native { tree: Arc::clone(tree), id, start }, block_type: None, taken: None }
    }

    /// The content of a file in JSON syntax.
    pub fn json(tree: &Arc<syntax::Tree>, value: ValueId) -> Body {
        Body { form: Form::Json { tree: Arc::clone(tree), value }, block_type: None, taken: None }
    }

    /// The content of a block in the native syntax.
    pub fn of_native_block(tree: &Arc<Tree>, block: &terrane_syntax::tree::Block) -> Body {
        Body {
            form: Form::Native { tree: Arc::clone(tree), id: block.body, start: native::start(tree, block) },
            block_type: Some(SmolStr::from(tree.block_type(block))),
            taken: None,
        }
    }

    pub(crate) fn of_json_block(tree: &Arc<syntax::Tree>, value: ValueId, block_type: &SmolStr) -> Body {
        Body {
            form: Form::Json { tree: Arc::clone(tree), value },
            block_type: Some(block_type.clone()),
            taken: None,
        }
    }

    /// All that is in a block in the native syntax, as it is written in one place: what was taken out of it, too.
    pub fn as_native(&self) -> Option<(&Tree, BodyId)> {
        match &self.form {
            Form::Native { tree, id, .. } => Some((tree, *id)),
            Form::Json { .. } | Form::Merged(_) => None,
        }
    }

    /// The file in which it is written.
    pub fn source(&self) -> &Arc<SourceFile> {
        match &self.form {
            Form::Native { tree, .. } => tree.source(),
            Form::Json { tree, .. } => tree.source(),
            Form::Merged(merged) => merged.base.source(),
        }
    }

    /// Lays another body over this one, as override files have them: an attribute replaces the one of the same name, and
    /// blocks replace all blocks of the same type. As in the references, nothing is said of what neither may have, and what
    /// is required must be in this body.
    pub fn override_with(&mut self, over: Body) {
        self.merge(over, How::Override);
    }

    /// Puts another body beside this one. What is in both is reported when it is read.
    pub fn join(&mut self, other: Body) {
        self.merge(other, How::Join);
    }

    fn merge(&mut self, other: Body, how: How) {
        match &mut self.form {
            Form::Merged(merged) if merged.how == how => Arc::make_mut(merged).others.push(other),
            Form::Native { .. } | Form::Json { .. } | Form::Merged(_) => {
                let block_type = self.block_type.clone();
                let merged = Merged { base: self.clone(), others: vec![other], how };
                *self = Body { form: Form::Merged(Arc::new(merged)), block_type, taken: None };
            }
        }
    }

    /// The type of the block whose content it is; none for a file.
    pub fn block_type(&self) -> Option<&str> {
        self.block_type.as_deref()
    }

    /// Whether it is written as JSON.
    pub fn is_json(&self) -> bool {
        match &self.form {
            Form::Native { .. } => false,
            Form::Json { .. } => true,
            Form::Merged(merged) => merged.base.is_json(),
        }
    }

    /// The place to point at where something is missing.
    pub fn missing_item_span(&self) -> Span {
        match &self.form {
            Form::Native { start, .. } => Span::empty(*start),
            Form::Json { tree, value } => json::missing_item_span(tree, *value),
            Form::Merged(merged) => merged.base.missing_item_span(),
        }
    }

    /// What `schema` names. Everything else in the body is reported, and so is what is missing, set twice, or has the
    /// wrong labels.
    pub fn content(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        let mut found = Diagnostics::new();
        let content = self.parts(schema, &mut found);
        self.report_missing(schema, &content, found, diagnostics);
        self.report_others(schema, &content, diagnostics);
        content
    }

    /// What `schema` names, and a body without it. What else there is stays in that body and is not reported.
    pub fn partial_content(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> (Content, Body) {
        let mut found = Diagnostics::new();
        let (content, rest) = self.partial_parts(schema, &mut found);
        self.report_missing(schema, &content, found, diagnostics);
        (content, rest)
    }

    pub(crate) fn partial_parts(
        &self,
        schema: &BodySchema,
        diagnostics: &mut Diagnostics,
    ) -> (Content, Body) {
        if let Form::Merged(merged) = &self.form {
            let (content, rest) = merged.partial(schema, diagnostics);
            return (content, Body { form: Form::Merged(Arc::new(rest)), ..self.clone() });
        }
        let content = self.parts(schema, diagnostics);
        let mut taken = self.taken.as_deref().cloned().unwrap_or_default();
        taken.attributes.extend(content.attributes.keys().cloned());
        let unset = schema.attribute_names().filter(|name| !content.attributes.contains_key(*name));
        taken.unset.extend(unset.cloned());
        taken.blocks.extend(schema.block_types().map(SmolStr::clone));
        (content, Body { taken: Some(Arc::new(taken)), ..self.clone() })
    }

    /// Reports what is missing, beside what was `found` before: in the native syntax all arguments are read before the
    /// labels of blocks, in JSON everything is read in its order.
    fn report_missing(
        &self,
        schema: &BodySchema,
        content: &Content,
        found: Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        let (before, behind) = match &self.form {
            Form::Native { .. } => (Diagnostics::new(), found),
            Form::Json { .. } | Form::Merged(_) => (found, Diagnostics::new()),
        };
        diagnostics.extend(before);
        for name in schema.required_names() {
            let is_set = match &self.form {
                Form::Native { .. } | Form::Json { .. } => content.attributes.contains_key(name),
                Form::Merged(merged) => merged.sets(name),
            };
            if !is_set {
                Mistakes::new(self, diagnostics).missing(name);
            }
        }
        diagnostics.extend(behind);
    }

    pub(crate) fn report_others(
        &self,
        schema: &BodySchema,
        content: &Content,
        diagnostics: &mut Diagnostics,
    ) {
        let taken = self.taken.as_deref();
        let mut mistakes = Mistakes::new(self, diagnostics);
        match &self.form {
            Form::Native { tree, id, .. } => {
                native::report_others(tree, *id, taken, schema, content, &mut mistakes);
            }
            Form::Json { tree, value } => {
                json::report_others(tree, *value, taken, schema, content, &mut mistakes);
            }
            Form::Merged(merged) => merged.report_others(schema, content, diagnostics),
        }
    }

    /// Everything as attributes. A block is reported where the syntax has blocks, as in the native one.
    pub fn just_attributes(&self, diagnostics: &mut Diagnostics) -> Content {
        if let Form::Merged(merged) = &self.form {
            return merged.each(diagnostics, Body::just_attributes);
        }
        let mut mistakes = Mistakes::new(self, diagnostics);
        let mut content = self.empty_content();
        match &self.form {
            Form::Native { tree, id, .. } => {
                if let Some(block) = tree.blocks(*id).next() {
                    mistakes.unexpected_block(tree.block_type(block), block.block_type);
                }
                native::all_attributes(tree, *id, self.taken.as_deref(), &mut content);
            }
            Form::Json { tree, value } => {
                json::just_attributes(tree, *value, self.taken.as_deref(), &mut content, &mut mistakes);
            }
            Form::Merged(_) => {}
        }
        content
    }

    /// Everything, where no schema is known. All blocks of the native syntax are blocks; of a JSON object, every
    /// property is an attribute, except `dynamic`, which holds the `dynamic` blocks.
    pub fn open_content(&self, diagnostics: &mut Diagnostics) -> Content {
        let mut content = self.empty_content();
        match &self.form {
            Form::Native { tree, id, .. } => {
                native::all_attributes(tree, *id, self.taken.as_deref(), &mut content);
                native::all_blocks(tree, *id, self.taken.as_deref(), &mut content);
            }
            Form::Json { tree, value } => {
                let mut mistakes = Mistakes::new(self, diagnostics);
                json::open_content(tree, *value, self.taken.as_deref(), &mut content, &mut mistakes);
            }
            Form::Merged(merged) => return merged.each(diagnostics, Body::open_content),
        }
        content
    }

    /// The body without what `schema` names, `dynamic` blocks that make blocks of its types included.
    #[must_use]
    pub fn without(&self, schema: &BodySchema) -> Body {
        if let Form::Merged(merged) = &self.form {
            let others = merged.others.iter().map(|other| other.without(schema)).collect();
            let merged = Merged { base: merged.base.without(schema), others, how: merged.how };
            return Body { form: Form::Merged(Arc::new(merged)), ..self.clone() };
        }
        let mut taken = self.taken.as_deref().cloned().unwrap_or_default();
        taken.attributes.extend(schema.attribute_names().map(SmolStr::clone));
        taken.blocks.extend(schema.block_types().map(SmolStr::clone));
        taken.dynamic.extend(schema.block_types().map(SmolStr::clone));
        Body { taken: Some(Arc::new(taken)), ..self.clone() }
    }

    /// Whether it has an attribute of this name, or a property that may be one.
    pub(crate) fn has_attribute(&self, name: &str) -> bool {
        let schema = BodySchema::new().optional(name);
        self.partial_content(&schema, &mut Diagnostics::new()).0.attribute(name).is_some()
    }

    /// Whether it has the attribute by itself, not from what is laid over it.
    pub(crate) fn sets(&self, name: &str) -> bool {
        match &self.form {
            Form::Native { .. } | Form::Json { .. } => self.has_attribute(name),
            Form::Merged(merged) => merged.sets(name),
        }
    }

    /// Whether blocks of this type were taken out of it.
    pub(crate) fn has_taken_block(&self, block_type: &str) -> bool {
        match &self.form {
            Form::Native { .. } | Form::Json { .. } => Taken::block(self.taken.as_deref(), block_type),
            Form::Merged(merged) => merged.base.has_taken_block(block_type),
        }
    }

    /// Whether `dynamic` blocks that make blocks of this type were taken out of it.
    pub(crate) fn has_taken_dynamic(&self, block_type: &str) -> bool {
        match &self.form {
            Form::Native { .. } | Form::Json { .. } => {
                self.taken.as_deref().is_some_and(|taken| taken.dynamic.contains(block_type))
            }
            Form::Merged(merged) => merged.base.has_taken_dynamic(block_type),
        }
    }

    /// What tells it from other bodies while it exists, where it is the content of a block as it is written.
    pub(crate) fn identity(&self) -> Option<(usize, usize)> {
        match &self.form {
            Form::Native { tree, id, .. } => Some((Arc::as_ptr(tree).addr(), id.index())),
            Form::Json { tree, value } => Some((Arc::as_ptr(tree).addr(), tree.span(*value).start as usize)),
            Form::Merged(_) => None,
        }
    }

    /// What `schema` names; of what is required or not named, nothing is said.
    fn parts(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        let mut content = self.empty_content();
        let taken = self.taken.as_deref();
        let mut mistakes = Mistakes::new(self, diagnostics);
        match &self.form {
            Form::Native { tree, id, .. } => {
                native::read(tree, *id, taken, schema, &mut content, &mut mistakes);
            }
            Form::Json { tree, value } => {
                json::read(tree, *value, taken, schema, &mut content, &mut mistakes);
            }
            Form::Merged(merged) => {
                return merged.each(diagnostics, |body, diagnostics| body.parts(schema, diagnostics));
            }
        }
        content
    }

    fn empty_content(&self) -> Content {
        Content::new(self.missing_item_span())
    }
}

impl Taken {
    pub(crate) fn attribute(taken: Option<&Taken>, name: &str) -> bool {
        taken.is_some_and(|taken| taken.attributes.contains(name))
    }

    pub(crate) fn block(taken: Option<&Taken>, name: &str) -> bool {
        taken.is_some_and(|taken| taken.blocks.contains(name))
    }

    /// Whether the property of a JSON object was taken, as what it may be.
    pub(crate) fn property(taken: Option<&Taken>, name: &str) -> bool {
        Taken::attribute(taken, name) || Taken::block(taken, name)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({:?}, {:?})", self.source().id(), self.missing_item_span())
    }
}
