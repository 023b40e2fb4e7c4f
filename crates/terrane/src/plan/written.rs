//! The content of a block as it is written: places and texts of its arguments, its nested blocks and its `dynamic` blocks.
//!
//! One walk over the decoded blocks serves both syntaxes. Beside each body, the walk follows the values that the body has made:
//! they tell which texts are secrets, which parts are unknown, and which path a nested block has.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use terrane_body::{Attribute, Block, Body, Schema};
use terrane_source::{Diagnostics, Span, Subject, sorted_map};
use terrane_syntax::Expression;
use terrane_value::{Origins, SmolStr};

use super::body_values::{BodyBlocks, Values};
use super::expression::{ExpressionJson, ExpressionWriter, content};
use crate::document::json::range::RangeJson;
use crate::document::json::value::OriginsJson;
use crate::json::members::ByName;
use crate::secrets::{Secrets, has_secret};
use crate::written::text_without_secrets;

/// The content of a block.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Content"))]
pub(super) struct ContentJson {
    /// The arguments that are configured, and the attributes that are unknown. Without a schema, blocks of JSON syntax are
    /// arguments.
    #[serde(skip_serializing_if = "ByName::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<BTreeMap<String, PlanAttributeJson>>"))]
    attributes: ByName<PlanAttributeJson, SmolStr>,
    /// The nested blocks as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<PlanBlockJson>>"))]
    blocks: Vec<PlanBlockJson>,
    /// The `dynamic` blocks as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<DynamicJson>>"))]
    dynamic: Vec<DynamicJson>,
}

/// An argument.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Argument"))]
struct PlanAttributeJson {
    /// The place of the name and the value; left out if the attribute is not configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceRange>,
    /// The expression as written; left out if it is a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Why the attribute is unknown, wholly or in part.
    #[serde(skip_serializing_if = "Origins::is_empty", serialize_with = "origins_json")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<OriginsJson<'static>>"))]
    unknown: Origins,
}

/// A nested block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "NestedBlock"))]
struct PlanBlockJson {
    /// The type.
    block: String,
    /// The path of the block's object in the values of the instance, such as `.rule[0]`; left out in a set with other blocks,
    /// in a `dynamic` block, behind blocks whose number is unknown, and between two `dynamic` blocks that generate any.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<String>>"))]
    labels: Vec<String>,
    /// The place of the header; in JSON, the place of the opening bracket.
    source: SourceRange,
    #[serde(flatten)]
    content: ContentJson,
}

/// A `dynamic` block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "DynamicBlock"))]
struct DynamicJson {
    /// The type of the blocks that it generates.
    block: String,
    /// The place of the header; in JSON, the place of the opening bracket.
    source: SourceRange,
    /// The collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    for_each: Option<ExpressionPlace>,
    /// The name of the iterator.
    iterator: String,
    /// The labels of the generated blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<ExpressionPlace>,
    /// The number of generated blocks, if the values tell it; left out for a set, and if several `dynamic` blocks generate
    /// blocks of the same type.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Why the number of blocks of the type is unknown.
    #[serde(skip_serializing_if = "Origins::is_empty", serialize_with = "origins_json")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<OriginsJson<'static>>"))]
    unknown: Origins,
    /// The `content` block.
    content: ContentJson,
}

/// An expression with its place.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "PlacedExpression"))]
pub(super) struct ExpressionPlace {
    /// The place of the expression.
    source: SourceRange,
    /// The expression as written; left out if it is a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The value and the references, as in `configuration`.
    #[serde(flatten)]
    expression: ExpressionJson,
}

/// A range in a file.
pub(super) struct SourceRange(pub(super) Subject);

impl Serialize for SourceRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RangeJson::of(&self.0).serialize(serializer)
    }
}

#[cfg(feature = "json-schema")]
impl schemars::JsonSchema for SourceRange {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SourceRange".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<RangeJson<'static>>()
    }
}

pub(super) fn origins_json<S: Serializer>(origins: &Origins, serializer: S) -> Result<S::Ok, S::Error> {
    OriginsJson(origins).serialize(serializer)
}

impl ContentJson {
    /// Returns the content of a body that has made these values.
    pub(super) fn of(
        body: &Body,
        names: BodyNames<'_>,
        values: &Values<'_>,
        writer: ExpressionWriter<'_>,
    ) -> ContentJson {
        Walk { writer }.content(body, names, values)
    }

    /// Returns the content of a module call with these arguments.
    pub(super) fn of_arguments<'a>(arguments: impl Iterator<Item = CallArgument<'a>>) -> ContentJson {
        let attribute = |CallArgument { name, name_span, value, shows }: CallArgument<'a>| {
            let subject = Subject { file: Arc::clone(value.source()), span: name_span.to(value.span()) };
            let text = shows.shown_text(value);
            let attribute =
                PlanAttributeJson { source: Some(SourceRange(subject)), text, unknown: Origins::NONE };
            (name.clone(), attribute)
        };
        ContentJson { attributes: sorted_map(arguments.map(attribute)).into(), ..ContentJson::default() }
    }
}

/// An argument of a module call.
pub(super) struct CallArgument<'a> {
    pub(super) name: &'a SmolStr,
    pub(super) name_span: Span,
    pub(super) value: &'a Expression,
    pub(super) shows: Shows<'a>,
}

/// The schema of a body, and the names of its sensitive arguments.
#[derive(Clone, Copy, Default)]
pub(super) struct BodyNames<'n> {
    pub(super) schema: Option<&'n Schema>,
    /// The arguments that are sensitive although no schema says so.
    pub(super) sensitive: &'n [&'n str],
}

impl ExpressionPlace {
    /// Returns an expression with its place. If it is secret, only its references are written.
    pub(super) fn of(expression: &Expression, shows: Shows<'_>) -> ExpressionPlace {
        let json = shows.writer.expression(expression);
        ExpressionPlace {
            source: SourceRange(expression.subject()),
            text: shows.shown_text(expression),
            expression: if shows.is_secret() { json.without_constant() } else { json },
        }
    }
}

/// Writes the texts of expressions, unless they are secret.
#[derive(Clone, Copy)]
pub(super) struct Shows<'m> {
    pub(super) writer: ExpressionWriter<'m>,
    /// Whether the value is a secret.
    pub(super) of_secret: bool,
}

impl Shows<'_> {
    fn is_secret(self) -> bool {
        (self.of_secret || self.writer.may_be_secret) && self.writer.secrets == Secrets::Hidden
    }

    /// Returns the text of an expression. `None` if it is secret.
    fn shown_text(self, expression: &Expression) -> Option<String> {
        match self.writer.secrets {
            Secrets::Shown => Some(expression.source().slice(expression.span()).to_owned()),
            Secrets::Hidden if self.is_secret() => None,
            Secrets::Hidden => Some(text_without_secrets(expression)),
        }
    }
}

/// Reads bodies. The recursion is as deep as the blocks, whose depth the parsers bound.
#[derive(Clone, Copy)]
struct Walk<'m> {
    writer: ExpressionWriter<'m>,
}

impl Walk<'_> {
    fn content(self, body: &Body, names: BodyNames<'_>, values: &Values<'_>) -> ContentJson {
        let content = content(body, names.schema);
        let attributes = content.attributes.values();
        let mut attributes: BTreeMap<SmolStr, PlanAttributeJson> = attributes
            .map(|attribute| (attribute.name.clone(), self.attribute(attribute, names, values)))
            .collect();
        let mut by_type = BodyBlocks::of(&content.blocks, names.schema, values);
        for (name, value) in values.attributes().into_iter().flatten() {
            let is_block = by_type.contains(name)
                || names.schema.is_some_and(|schema| schema.blocks().contains_key(name));
            if !is_block && !attributes.contains_key(name.as_str()) && !value.has_known_parts() {
                // The provider sets this attribute.
                let unknown = value.origins_deep();
                attributes
                    .insert(name.clone(), PlanAttributeJson { unknown, ..PlanAttributeJson::default() });
            }
        }
        let (mut blocks, mut dynamic) = (Vec::new(), Vec::new());
        for block in &content.blocks {
            let schema = names.schema.and_then(|schema| schema.blocks().get(block.generated_type()));
            let schema = schema.map(|block| &block.schema);
            if by_type.is_dynamic(block) {
                dynamic.extend(self.dynamic(block, schema, &mut by_type));
            } else {
                let values = by_type.written(block);
                blocks.push(self.block(block, schema, &values));
            }
        }
        ContentJson { attributes: attributes.into(), blocks, dynamic }
    }

    fn attribute(
        self,
        attribute: &Attribute,
        names: BodyNames<'_>,
        values: &Values<'_>,
    ) -> PlanAttributeJson {
        let name = &attribute.name;
        let declared = names.schema.and_then(|schema| schema.attributes().get(name));
        let is_declared = declared.is_some_and(terrane_body::SchemaAttribute::is_secret);
        let is_secret =
            is_declared || names.sensitive.contains(&name.as_str()) || values.has_secret_part(name);
        let shows = Shows { writer: self.writer, of_secret: is_secret };
        let expression = attribute.expression(&mut Diagnostics::new());
        let part = values.attributes().and_then(|all| all.get(name));
        PlanAttributeJson {
            source: Some(SourceRange(place(attribute))),
            text: shows.shown_text(&expression),
            unknown: part
                .filter(|part| !part.has_known_parts())
                .map(terrane_value::Value::origins_deep)
                .unwrap_or_default(),
        }
    }

    fn block(self, block: &Block, schema: Option<&Schema>, values: &Values<'_>) -> PlanBlockJson {
        PlanBlockJson {
            block: block.block_type.to_string(),
            path: values.path.clone(),
            labels: block.labels.iter().map(|label| label.text.to_string()).collect(),
            source: header(block),
            content: self.content(&block.body, BodyNames { schema, sensitive: &[] }, values),
        }
    }

    /// Returns a `dynamic` block. `None` if it has no label.
    fn dynamic(
        self,
        block: &Block,
        schema: Option<&Schema>,
        by_type: &mut BodyBlocks<'_, '_>,
    ) -> Option<DynamicJson> {
        let written = block.dynamic()?;
        let generated = by_type.generated(block);
        // The collection may contain the values of secret arguments.
        let is_declared = schema.is_some_and(Schema::has_secret_attributes);
        let of_secret = is_declared
            || generated.values.is_secret
            || generated.values.objects.iter().any(|part| has_secret(part));
        let shows = Shows { writer: self.writer, of_secret };
        let argument = |attribute: &Option<Attribute>| {
            let expression = attribute.as_ref()?.expression(&mut Diagnostics::new());
            Some(ExpressionPlace::of(&expression, shows))
        };
        let content = written.contents.first();
        let names = BodyNames { schema, sensitive: &[] };
        Some(DynamicJson {
            block: written.label.text.to_string(),
            source: header(block),
            for_each: argument(&written.for_each),
            iterator: written.iterator_name().to_string(),
            labels: argument(&written.labels),
            count: generated.count,
            unknown: generated.unknown,
            content: content
                .map(|block| self.content(&block.body, names, &generated.values))
                .unwrap_or_default(),
        })
    }
}

fn header(block: &Block) -> SourceRange {
    SourceRange(block.declaration())
}

fn place(attribute: &Attribute) -> Subject {
    Subject { file: Arc::clone(attribute.source()), span: attribute.span }
}
