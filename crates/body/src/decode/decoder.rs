use std::collections::HashMap;
use std::sync::Arc;

use terrane_eval::Variables;
use terrane_source::{Diagnostic, ids};
use terrane_value::{Origins, SmolStr, Type, Value, convert};

use super::spec::{BodySpec, Collection, Names, Spec, Usage};
use crate::body::Body;
use crate::body_schema::BodySchema;
use crate::body_schema::DYNAMIC;
use crate::content::{Attribute, Content, Label};
use crate::expand::dynamic::{Elements, Expanded, ExpandedBlock, Expander, Labels};

/// Makes values of bodies.
pub(super) struct Decoder<'s> {
    pub(super) expander: Expander<'s>,
    /// What was read of the contents of `dynamic` blocks, which are decoded once for each element.
    contents: HashMap<Repeated, Arc<Content>>,
}

/// A body that is decoded again and again, and what for.
type Repeated = ((usize, usize), usize);

/// A body that is being decoded.
pub(super) struct Place<'p> {
    pub(super) body: &'p Expanded,
    pub(super) content: &'p Content,
    /// The blocks by type, those of `dynamic` blocks among them, in source order.
    pub(super) blocks: HashMap<SmolStr, Vec<ExpandedBlock>>,
    /// The labels of the block whose body it is, except those that are keys.
    pub(super) labels: &'p [Label],
}

impl Place<'_> {
    pub(super) fn blocks(&self, block_type: &str) -> &[ExpandedBlock] {
        self.blocks.get(block_type).map(Vec::as_slice).unwrap_or_default()
    }
}

impl<'s> Decoder<'s> {
    pub(super) fn new(expander: Expander<'s>) -> Decoder<'s> {
        Decoder { expander, contents: HashMap::new() }
    }

    /// The value of a body. Of a part of a body, what the spec does not name is not reported.
    pub(super) fn body(
        &mut self,
        body: &Expanded,
        labels: &[Label],
        spec: &BodySpec,
        partial: bool,
    ) -> Value {
        if self.expander.is_stopped() {
            return Value::unknown_from(spec.ty().clone(), Origins::error());
        }
        let schema = spec.names_for(&body.body);
        let content = self.content(body, spec, &schema, partial);
        let blocks = self.blocks_by_type(&content, body, &schema, partial);
        let place = Place { body, content: &content, blocks, labels };
        self.spec(spec.spec(), &place)
    }

    fn content(&mut self, body: &Expanded, spec: &BodySpec, schema: &Names, partial: bool) -> Arc<Content> {
        let is_repeated = body.iterators.is_some() && !partial;
        let identity = body.body.identity().filter(|_| is_repeated);
        let key = identity.map(|identity| (identity, std::ptr::from_ref(spec).addr()));
        if let Some(content) = key.and_then(|key| self.contents.get(&key)) {
            return Arc::clone(content);
        }
        let read = |body: &Body, diagnostics: &mut _| match partial {
            true => body.partial_content(&schema.all, diagnostics).0,
            false => body.content(&schema.all, diagnostics),
        };
        let content = Arc::new(self.expander.read(body, read).0);
        if let Some(key) = key {
            self.contents.insert(key, Arc::clone(&content));
        }
        content
    }

    fn blocks_by_type(
        &mut self,
        content: &Content,
        body: &Expanded,
        schema: &Names,
        partial: bool,
    ) -> HashMap<SmolStr, Vec<ExpandedBlock>> {
        let mut blocks: HashMap<SmolStr, Vec<ExpandedBlock>> = HashMap::new();
        for block in &content.blocks {
            if !schema.has_dynamic || &*block.block_type != DYNAMIC {
                blocks.entry(block.block_type.clone()).or_default().push(body.written(block));
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
            let Some(dynamic) = self.expander.dynamic(block, body, Labels::Named(names)) else { continue };
            let made = blocks.entry(dynamic.block_type.clone()).or_default();
            match &dynamic.elements {
                Elements::Known(elements) => {
                    for (key, value) in elements {
                        made.extend(self.expander.make(&dynamic, body, Some((key, value))));
                    }
                }
                Elements::Unknown(_) => made.extend(self.expander.make(&dynamic, body, None)),
            }
        }
        blocks
    }

    fn unsupported_dynamic(&mut self, label: &Label, body: &Expanded, schema: &BodySchema) {
        let detail = format!(
            "A `dynamic` block stands for blocks of the type that its label names. Blocks of type \"{}\" are not \
             expected here, or cannot be made by a `dynamic` block.",
            label.text
        );
        let mut diagnostic =
            Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(body.body.source(), label.span);
        if let Some(nearest) =
            terrane_value::closest_name(&label.text, schema.block_types().map(|name| &**name))
        {
            diagnostic = diagnostic.hint(format!("Did you mean \"{nearest}\"?"));
        }
        self.expander.push(diagnostic, body);
    }

    /// The value that a spec makes.
    pub(super) fn spec(&mut self, spec: &Spec, place: &Place<'_>) -> Value {
        match spec {
            Spec::Object(specs) => {
                let value = |(name, spec): &(SmolStr, Spec)| (name.clone(), self.spec(spec, place));
                Value::object(specs.iter().map(value).collect::<Vec<_>>())
            }
            Spec::Tuple(specs) => {
                Value::tuple(specs.iter().map(|spec| self.spec(spec, place)).collect::<Vec<_>>())
            }
            Spec::Attribute { name, ty, usage } => self.attribute(name, ty, *usage, place),
            Spec::AttributeOrBlocks { name, ty, nested } => {
                if place.blocks(name).is_empty() {
                    return self.attribute(name, ty, Usage::Optional, place);
                }
                let list = self.blocks(name, Collection::List, nested, (0, 0), place);
                convert(&list, ty).unwrap_or_else(|_| Value::error())
            }
            Spec::Literal(value) => value.clone(),
            Spec::Expression(expression) => self.expander.value(expression, place.body),
            Spec::Block { block_type, nested, required } => self.block(block_type, nested, *required, place),
            Spec::Blocks { block_type, collection, nested, min, max } => {
                self.blocks(block_type, *collection, nested, (*min, *max), place)
            }
            Spec::LabelledBlocks { block_type, labels, object, nested } => {
                self.labelled_blocks(block_type, labels.len(), *object, nested, place)
            }
            Spec::BlockAttributes { block_type, element, required } => {
                self.block_attributes(block_type, element, *required, place)
            }
            Spec::Label { index, .. } => {
                let label = place.labels.get(*index);
                label.map_or_else(Value::error, |label| Value::string(label.text.clone()))
            }
            Spec::Default { primary, default } => {
                let value = self.spec(primary, place);
                if value.is_null() { self.spec(default, place) } else { value }
            }
            Spec::Transform { wrapped, result, name, functions } => {
                let before = self.expander.errors();
                let value = self.spec(wrapped, place);
                if self.expander.errors() > before {
                    return Value::error();
                }
                let names = Variables::new().with(name.as_str(), value);
                self.expander.value_over(result, &names, functions)
            }
        }
    }

    /// The value of an attribute, converted; null where it is not set.
    fn attribute(&mut self, name: &str, ty: &Type, usage: Usage, place: &Place<'_>) -> Value {
        let Some(attribute) = place.content.attribute(name) else {
            let ty = ty.without_optional();
            // That it is missing has been reported.
            return match usage {
                Usage::NotNull => Value::unknown_from(ty, Origins::error()),
                Usage::Optional | Usage::Required | Usage::ReadOnly => Value::null(ty),
            };
        };
        let value = self.expander.attribute(attribute, place.body);
        self.check_usage(attribute, &value, usage, place);
        convert(&value, ty).unwrap_or_else(|error| {
            let detail = format!("The value does not fit the argument \"{name}\": {error}.");
            let diagnostic = Diagnostic::error(ids::INCORRECT_ATTRIBUTE_TYPE, detail)
                .at(attribute.source(), attribute.value_span())
                .within(attribute.span);
            self.expander.push(diagnostic, place.body);
            Value::unknown_from(ty.without_optional(), Origins::error())
        })
    }

    /// Reports an attribute that is null where it must be set, or set where the provider sets it.
    fn check_usage(&mut self, attribute: &Attribute, value: &Value, usage: Usage, place: &Place<'_>) {
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
                    .titled(format!("\"{name}\" attribute is read-only"))
                    .at(attribute.source(), attribute.name_span)
            }
            Usage::Optional | Usage::Required | Usage::NotNull | Usage::ReadOnly => return,
        };
        self.expander.push(diagnostic.within(attribute.span), place.body);
    }

    /// The value of an attribute of a block that may have any attributes, converted.
    pub(super) fn element(
        &mut self,
        attribute: &Attribute,
        block_type: &str,
        ty: &Type,
        body: &Expanded,
    ) -> Value {
        let value = self.expander.attribute(attribute, body);
        convert(&value, ty).unwrap_or_else(|error| {
            let detail = format!("The value does not fit the arguments of `{block_type}` blocks: {error}.");
            let diagnostic = Diagnostic::error(ids::INVALID_ATTRIBUTE_VALUE, detail)
                .at(attribute.source(), attribute.value_span())
                .within(attribute.span);
            self.expander.push(diagnostic, body);
            Value::unknown_from(ty.without_optional(), Origins::error())
        })
    }
}
