//! Reads a [`Body`]: with or without a schema, as a whole or in part.

use std::sync::LazyLock;

use terrane_source::Diagnostics;

use super::errors::{AllowedNames, BodyErrors};
use super::items::Content;
use super::reader::ContentReader;
use super::{json, native};
use crate::body::{Body, Form, MergeMode, Reading};
use crate::body_schema::BodySchema;

/// The content of a `dynamic` block.
static DYNAMIC_CONTENT: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&["for_each", "iterator", "labels"]).block("content", &[])
});

impl Body {
    /// Returns the attributes and blocks that `schema` names. Reports everything else, missing and duplicate
    /// attributes, and wrong labels.
    pub fn content(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        let mut found = Diagnostics::new();
        let content = self.read(schema, &mut found);
        self.report_missing(schema, &content, found, diagnostics);
        self.report_unsupported(schema, &content, diagnostics);
        content
    }

    /// Returns the attributes and blocks that `schema` names, and a body with the rest, which is not reported.
    pub fn partial_content(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> (Content, Body) {
        let mut found = Diagnostics::new();
        let (content, rest) = self.read_partially(schema, &mut found);
        self.report_missing(schema, &content, found, diagnostics);
        (content, rest)
    }

    /// Returns all attributes. Reports blocks in the native syntax.
    pub fn just_attributes(&self, diagnostics: &mut Diagnostics) -> Content {
        if let Form::Merged(merged) = &self.form {
            return merged.content(diagnostics, Body::just_attributes);
        }
        let mut content = Content::new(self.missing_item_span());
        let mut reader = ContentReader::new(self, &mut content, diagnostics);
        match &self.form {
            Form::Native(native) => {
                let tree = &native.tree;
                if let Some(block) = tree.blocks(native.id).next() {
                    reader.errors.unexpected_block(tree.block_type(block), block.block_type);
                }
                native::read_attributes(native, &mut reader);
            }
            Form::Json(json) => json::read_attributes(json, &mut reader),
            Form::Merged(_) => {}
        }
        content
    }

    /// Returns the whole content, without a schema. In a JSON object, every property is an attribute, except `dynamic`,
    /// which has the `dynamic` blocks.
    pub fn open_content(&self, diagnostics: &mut Diagnostics) -> Content {
        if let Form::Merged(merged) = &self.form {
            return merged.content(diagnostics, Body::open_content);
        }
        let mut content = Content::new(self.missing_item_span());
        let mut reader = ContentReader::new(self, &mut content, diagnostics);
        match &self.form {
            Form::Native(native) => {
                native::read_attributes(native, &mut reader);
                native::read_blocks(native, &mut reader);
            }
            Form::Json(json) => json::read_all(json, &mut reader),
            Form::Merged(_) => {}
        }
        content
    }

    /// Returns the arguments and the `content` block if this is the body of a `dynamic` block. Mistakes are
    /// reported when it is evaluated.
    pub(super) fn dynamic_content(&self) -> Content {
        self.partial_content(&DYNAMIC_CONTENT, &mut Diagnostics::new()).0
    }

    /// Returns the body without the names of `schema`, and without `dynamic` blocks that generate blocks of its types.
    #[must_use]
    pub fn without(&self, schema: &BodySchema) -> Body {
        if let Form::Merged(merged) = &self.form {
            return self.with_merged(merged.map(|body| body.without(schema)));
        }
        self.consuming(schema, Reading::Expanded)
    }

    /// Whether the body has an attribute of this name, or a property that may be one.
    pub(crate) fn has_attribute(&self, name: &str) -> bool {
        let schema = BodySchema::new().optional(name);
        self.partial_content(&schema, &mut Diagnostics::new()).0.attribute(name).is_some()
    }

    /// Reads the names of `schema`, without errors about missing attributes and unexpected names.
    fn read(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        if let Form::Merged(merged) = &self.form {
            return merged.content(diagnostics, |body, diagnostics| body.read(schema, diagnostics));
        }
        let mut content = Content::new(self.missing_item_span());
        let mut reader = ContentReader::new(self, &mut content, diagnostics);
        match &self.form {
            Form::Native(native) => native::read(native, schema, &mut reader),
            Form::Json(json) => json::read(json, schema, &mut reader),
            Form::Merged(_) => {}
        }
        content
    }

    /// Does the same as [`Body::read`], and returns the rest of the body.
    fn read_partially(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> (Content, Body) {
        if let Form::Merged(merged) = &self.form {
            let mut left = Vec::with_capacity(merged.additions.len() + 1);
            let content = merged.content(diagnostics, |body, diagnostics| {
                let (content, rest) = body.read_partially(schema, diagnostics);
                left.push(rest);
                content
            });
            let mut left = left.into_iter();
            let rest = merged.map(|body| left.next().unwrap_or_else(|| body.clone()));
            return (content, self.with_merged(rest));
        }
        let content = self.read(schema, diagnostics);
        (content, self.consuming(schema, Reading::Written))
    }

    /// Reports missing attributes in addition to the diagnostics `found` while reading. In native bodies, missing
    /// attributes come first and wrong labels after them; in JSON bodies, the order is reversed.
    fn report_missing(
        &self,
        schema: &BodySchema,
        content: &Content,
        found: Diagnostics,
        diagnostics: &mut Diagnostics,
    ) {
        let (before, behind) = match &self.form {
            Form::Native(_) => (Diagnostics::new(), found),
            Form::Json(_) | Form::Merged(_) => (found, Diagnostics::new()),
        };
        diagnostics.extend(before);
        for name in schema.required_names() {
            let is_set = match &self.form {
                Form::Native(_) | Form::Json(_) => content.attributes.contains_key(name),
                Form::Merged(_) => self.sets(name),
            };
            if !is_set {
                BodyErrors::new(self, diagnostics).missing(name);
            }
        }
        diagnostics.extend(behind);
    }

    /// Whether the body sets a required attribute. An override does not: the overridden body must set the attribute.
    fn sets(&self, name: &str) -> bool {
        match &self.form {
            Form::Native(_) | Form::Json(_) => self.has_attribute(name),
            Form::Merged(merged) => {
                let is_joined = merged.mode == MergeMode::Join;
                merged.base.sets(name) || is_joined && merged.additions.iter().any(|body| body.sets(name))
            }
        }
    }

    /// Reports names that `schema` does not have. Reports nothing for a body with overrides.
    fn report_unsupported(&self, schema: &BodySchema, content: &Content, diagnostics: &mut Diagnostics) {
        let allowed = AllowedNames::new(self, schema, content);
        match &self.form {
            Form::Native(native) => {
                native::report_unsupported(native, &allowed, &mut BodyErrors::new(self, diagnostics));
            }
            Form::Json(json) => {
                json::report_unsupported(json, &allowed, &mut BodyErrors::new(self, diagnostics));
            }
            Form::Merged(merged) => {
                if merged.mode == MergeMode::Join {
                    merged.base.report_unsupported(schema, content, diagnostics);
                    for body in &merged.additions {
                        body.report_unsupported(schema, content, diagnostics);
                    }
                }
            }
        }
    }
}
