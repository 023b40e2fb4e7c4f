//! Decodes a body: reads its content, expands its `dynamic` blocks, and computes the value of its spec.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_eval::Variables;
use terrane_source::{Diagnostic, ids, titles};
use terrane_value::{ClosestNames, Origins, Refusal, SmolStr, Type, Value, convert};

use super::spec::{BodySpec, Collection, Spec, SpecId, SpecSchema, Usage};
use crate::body::{Body, BodyKey};
use crate::body_schema::BodySchema;
use crate::content::{Attribute, Content, Label};
use crate::expand::dynamic_block::{Elements, ExpectedLabels};
use crate::expand::expander::Expander;
use crate::expand::scoped_body::{ScopedBlock, ScopedBody};

/// The parts of an object spec whose work the steps of a body include, as most schemas have no more.
const PARTS_OF_BODY: usize = 64;

/// The steps of each further part, also of one that the body does not set.
const STEPS_OF_PART: u64 = 64;

/// Decodes bodies over one scope.
pub(super) struct Decoder<'s> {
    pub(super) expander: Expander<'s>,
    /// The contents of generated blocks, which are decoded for each element but read once.
    contents: HashMap<ContentKey, Arc<Content>>,
}

/// Identifies the content that a spec reads from a body.
#[derive(PartialEq, Eq, Hash)]
struct ContentKey {
    body: BodyKey,
    spec: SpecId,
}

/// A body that is being decoded.
pub(super) struct BodyContext<'c> {
    pub(super) body: &'c ScopedBody,
    pub(super) content: &'c Content,
    /// The literal and generated blocks by type, in source order.
    blocks: HashMap<SmolStr, Vec<ScopedBlock>>,
    /// The labels of the block that are not keys.
    labels: &'c [Label],
}

/// The blocks of one type in the body that is being decoded.
pub(super) struct BlocksOfType<'c> {
    pub(super) block_type: &'c str,
    /// The spec of their bodies.
    pub(super) spec: &'c BodySpec,
    pub(super) context: &'c BodyContext<'c>,
}

impl BlocksOfType<'_> {
    pub(super) fn blocks(&self) -> &[ScopedBlock] {
        self.context.blocks(self.block_type)
    }
}

impl BodyContext<'_> {
    pub(super) fn blocks(&self, block_type: &str) -> &[ScopedBlock] {
        self.blocks.get(block_type).map(Vec::as_slice).unwrap_or_default()
    }
}

impl<'s> Decoder<'s> {
    pub(super) fn new(expander: Expander<'s>) -> Decoder<'s> {
        Decoder { expander, contents: HashMap::new() }
    }

    /// Returns the value of a body. With `partial`, names that the spec does not read are not reported.
    pub(super) fn body(
        &mut self,
        body: &ScopedBody,
        labels: &[Label],
        spec: &BodySpec,
        partial: bool,
    ) -> Value {
        if self.expander.is_stopped() {
            return Value::unknown_from(spec.ty().clone(), Origins::error());
        }
        let schema = spec.schema_for(&body.body);
        let content = self.content(body, spec, &schema, partial);
        let blocks = self.blocks_by_type(&content, body, &schema, partial);
        let bytes = size_of::<ScopedBlock>() * blocks.values().map(Vec::capacity).sum::<usize>();
        self.expander.batch.take_memory(bytes);
        let value = self.spec(spec.spec(), &BodyContext { body, content: &content, blocks, labels });
        self.expander.batch.release_memory(bytes);
        self.expander.count_body(body);
        value
    }

    fn content(
        &mut self,
        body: &ScopedBody,
        spec: &BodySpec,
        schema: &SpecSchema,
        partial: bool,
    ) -> Arc<Content> {
        let is_repeated = body.is_generated() && !partial;
        let key =
            is_repeated.then(|| body.body.key()).flatten().map(|body| ContentKey { body, spec: spec.id() });
        if let Some(content) = key.as_ref().and_then(|key| self.contents.get(key)) {
            return Arc::clone(content);
        }
        let read = |body: &Body, diagnostics: &mut _| match partial {
            true => body.partial_content(&schema.with_dynamic, diagnostics).0,
            false => body.content(&schema.with_dynamic, diagnostics),
        };
        let names = schema.own.number_of_names();
        let content = Arc::new(self.expander.read_among(names, body, read).0);
        if let Some(key) = key {
            self.contents.insert(key, Arc::clone(&content));
        }
        content
    }

    fn blocks_by_type(
        &mut self,
        content: &Content,
        body: &ScopedBody,
        schema: &SpecSchema,
        partial: bool,
    ) -> HashMap<SmolStr, Vec<ScopedBlock>> {
        let mut blocks: HashMap<SmolStr, Vec<ScopedBlock>> = HashMap::new();
        for block in &content.blocks {
            if !schema.expands_dynamic || !block.is_dynamic() {
                blocks.entry(block.block_type.clone()).or_default().push(body.literal_block(block));
                continue;
            }
            let Some(label) = block.labels.first() else { continue };
            if body.body.has_consumed_dynamic(&label.text) {
                continue;
            }
            let Some(names) = schema.own.labels(&label.text) else {
                if !partial {
                    self.unsupported_dynamic(label, body, &schema.own);
                }
                continue;
            };
            let expected = ExpectedLabels::Named(names);
            let Some(dynamic) = self.expander.dynamic_block(block, body, expected) else { continue };
            let generated = blocks.entry(dynamic.block_type.clone()).or_default();
            match &dynamic.elements {
                Elements::Known(elements) => {
                    for element in elements {
                        generated.extend(self.expander.generate(&dynamic, body, Some(element)));
                    }
                }
                Elements::Unknown(_) => generated.extend(self.expander.generate(&dynamic, body, None)),
            }
        }
        blocks
    }

    fn unsupported_dynamic(&mut self, label: &Label, body: &ScopedBody, schema: &BodySchema) {
        let detail = format!(
            "Blocks of type \"{}\" are not expected here, or a `dynamic` block cannot generate them.",
            label.text
        );
        let diagnostic = body.error(ids::UNSUPPORTED_BLOCK, label.span, detail);
        let closest_names = match self.expander.lists(ids::UNSUPPORTED_BLOCK) {
            true => ClosestNames::counted(),
            false => ClosestNames::none(),
        };
        let nearest = closest_names.of(&label.text, schema.block_types().map(|name| &**name));
        self.expander.batch.count_message(closest_names.steps());
        self.expander.push(diagnostic.suggest(&label.text, nearest), body);
    }

    /// Returns the value of a spec.
    pub(super) fn spec(&mut self, spec: &Spec, context: &BodyContext<'_>) -> Value {
        match spec {
            Spec::Object(specs) => self.object(specs, context),
            Spec::Tuple(specs) => {
                let tuple = specs.iter().map(|spec| self.spec(spec, context)).collect::<Vec<_>>();
                self.counted(Value::tuple(tuple), context.body)
            }
            Spec::Attribute { name, ty, usage } => self.attribute(name, ty, *usage, context),
            Spec::AttributeOrBlocks { name, ty, nested } => {
                if context.blocks(name).is_empty() {
                    return self.attribute(name, ty, Usage::Optional, context);
                }
                let blocks = BlocksOfType { block_type: name, spec: nested, context };
                let before = self.expander.batch.memory();
                let list = self.block_collection(&blocks, Collection::List, 0, 0);
                let value = convert(&list, ty).unwrap_or_else(|_| Value::error());
                self.expander.batch.replace(&list, &value, before);
                value
            }
            Spec::Literal(value) => value.clone(),
            Spec::Expression(expression) => self.expander.value(expression, context.body),
            Spec::Block { block_type, nested, required } => {
                self.single_block(&BlocksOfType { block_type, spec: nested, context }, *required)
            }
            Spec::Blocks { block_type, collection, nested, min, max } => {
                let blocks = BlocksOfType { block_type, spec: nested, context };
                self.block_collection(&blocks, *collection, *min, *max)
            }
            Spec::LabelledBlocks { block_type, labels, object, nested } => {
                let blocks = BlocksOfType { block_type, spec: nested, context };
                self.labelled_blocks(&blocks, labels.len(), *object)
            }
            Spec::BlockAttributes { block_type, element, required } => {
                self.block_attributes(block_type, element, *required, context)
            }
            Spec::Label { index, .. } => {
                let label = context.labels.get(*index);
                label.map_or_else(Value::error, |label| Value::string(label.text.clone()))
            }
            Spec::Default { primary, default } => {
                let value = self.spec(primary, context);
                if value.is_null() { self.spec(default, context) } else { value }
            }
            Spec::Transform { wrapped, result, name, functions } => {
                let before = self.expander.errors();
                let value = self.spec(wrapped, context);
                if self.expander.errors() > before {
                    return Value::error();
                }
                let names = Variables::new().with(name.as_str(), value);
                self.expander.value_over(result, &names, functions)
            }
        }
    }

    /// Returns an object with the values of specs.
    fn object(&mut self, specs: &[(SmolStr, Spec)], context: &BodyContext<'_>) -> Value {
        let steps = STEPS_OF_PART.saturating_mul(specs.len().saturating_sub(PARTS_OF_BODY) as u64);
        if steps > 0 && !self.expander.may_work(steps, context.body) {
            return Value::error();
        }
        let value = |(name, spec): &(SmolStr, Spec)| (name.clone(), self.spec(spec, context));
        let object = Value::object(specs.iter().map(value).collect::<Vec<_>>());
        self.counted(object, context.body)
    }

    /// Returns the converted value of an attribute; null if it is not set.
    fn attribute(&mut self, name: &str, ty: &Type, usage: Usage, context: &BodyContext<'_>) -> Value {
        let Some(attribute) = context.content.attribute(name) else {
            let ty = ty.without_optional();
            // Reading the content has reported the missing attribute.
            return match usage {
                Usage::NotNull => Value::unknown_from(ty, Origins::error()),
                Usage::Optional | Usage::Required | Usage::ReadOnly => Value::null(ty),
            };
        };
        let before = self.expander.batch.memory();
        let value = self.expander.attribute(attribute, context.body);
        self.check_usage(attribute, &value, usage, context);
        if !self.expander.may_convert(attribute, &value, ty) {
            return Value::unknown_from(ty.without_optional(), Origins::error());
        }
        let converted = convert(&value, ty).unwrap_or_else(|error| {
            let detail = format!("The value does not fit the argument \"{name}\": {error}.");
            let diagnostic = Diagnostic::error(ids::INCORRECT_ATTRIBUTE_TYPE, detail)
                .at(attribute.source(), attribute.value_span())
                .within(attribute.span);
            self.expander.push(diagnostic, context.body);
            Value::unknown_from(ty.without_optional(), Origins::error())
        });
        self.expander.batch.replace(&value, &converted, before);
        converted
    }

    /// Counts the outermost part of the value of a body that was made of other values, and returns it. Reports a value that is too
    /// large or too deep.
    pub(super) fn counted(&mut self, value: Value, body: &ScopedBody) -> Value {
        if let Some(refusal) = value.refused() {
            let id = if refusal == Refusal::TooDeep { ids::TOO_DEEP } else { ids::LIMIT_EXCEEDED };
            let detail = format!("The blocks and arguments of this body have no value, because {refusal}.");
            self.expander.push(body.error(id, body.body.missing_item_span(), detail), body);
            return Value::error();
        }
        self.expander.batch.take_memory(value.outer_bytes());
        value
    }

    /// Reports null for a required attribute, and a value for an attribute that the provider sets.
    fn check_usage(&mut self, attribute: &Attribute, value: &Value, usage: Usage, context: &BodyContext<'_>) {
        let name = &attribute.name;
        let diagnostic = match usage {
            Usage::NotNull if value.is_null() => {
                let detail = format!("The argument \"{name}\" is required here, but its value is null.");
                Diagnostic::error(ids::MISSING_ARGUMENT, detail)
                    .at(attribute.source(), attribute.value_span())
            }
            Usage::ReadOnly if !value.is_null() => {
                let detail = format!(
                    "`{name}` is set by the provider, so it cannot be configured. Remove the argument."
                );
                Diagnostic::error(ids::READ_ONLY_ARGUMENT, detail)
                    .titled(titles::read_only_attribute(name))
                    .at(attribute.source(), attribute.name_span)
            }
            Usage::Optional | Usage::Required | Usage::NotNull | Usage::ReadOnly => return,
        };
        self.expander.push(diagnostic.within(attribute.span), context.body);
    }

    /// Returns the converted value of an attribute of a block with arbitrary attributes.
    pub(super) fn element(
        &mut self,
        attribute: &Attribute,
        block_type: &str,
        ty: &Type,
        body: &ScopedBody,
    ) -> Value {
        let before = self.expander.batch.memory();
        let value = self.expander.attribute(attribute, body);
        if !self.expander.may_convert(attribute, &value, ty) {
            return Value::unknown_from(ty.without_optional(), Origins::error());
        }
        let converted = convert(&value, ty).unwrap_or_else(|error| {
            let detail = format!("The value does not fit the arguments of `{block_type}` blocks: {error}.");
            let diagnostic = Diagnostic::error(ids::INVALID_ATTRIBUTE_VALUE, detail)
                .at(attribute.source(), attribute.value_span())
                .within(attribute.span);
            self.expander.push(diagnostic, body);
            Value::unknown_from(ty.without_optional(), Origins::error())
        });
        self.expander.batch.replace(&value, &converted, before);
        converted
    }
}
