//! Turns the blocks of a spec file into a spec.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_body::{Attribute, Block, Body, BodySchema, BodySpec, Collection, Content, Spec, Usage};
use terrane_eval::{FunctionTable, Variables, strict_type_constraint};
use terrane_function::Function;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, SourceFile, Span, ids};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{SmolStr, Type, Value, convert};

use super::{functions, user_function};
use crate::engine::Engine;

/// The block types of spec files.
const SPECS: &[&str] = &[
    "array",
    "attr",
    "block",
    "block_attrs",
    "block_labels",
    "block_list",
    "block_map",
    "block_set",
    "default",
    "literal",
    "object",
    "transform",
];

/// Turns the blocks of a spec file into specs.
pub(super) struct SpecReader<'d> {
    diagnostics: &'d mut Diagnostics,
    engine: Engine,
    functions: Arc<FunctionTable>,
    /// Whether the current spec decodes the body of a block, so that it may read labels.
    in_block: bool,
}

/// The spec of a file, and the variables and functions that the file declares.
pub(super) struct DeclaredSpec {
    pub(super) spec: Spec,
    pub(super) variables: Variables,
    pub(super) functions: Vec<Function>,
}

/// The parts of a spec that decodes blocks.
struct BlockSpec {
    /// The arguments of the spec.
    content: Content,
    /// The type of the blocks.
    block_type: SmolStr,
    /// The spec for their bodies.
    nested: Arc<BodySpec>,
}

/// Replaces a spec with an error.
const INVALID: Spec = Spec::Literal(Value::NULL);

impl<'d> SpecReader<'d> {
    pub(super) fn new(diagnostics: &'d mut Diagnostics) -> SpecReader<'d> {
        SpecReader {
            diagnostics,
            engine: Engine::new(),
            functions: Arc::new(functions::table()),
            in_block: false,
        }
    }

    /// Returns the spec and the declarations of a file.
    pub(super) fn file(&mut self, body: &Body) -> DeclaredSpec {
        let declarations = BodySchema::new().block("variables", &[]).block("function", &["name"]);
        let (content, rest) = body.partial_content(&declarations, self.diagnostics);
        let (mut variables, mut functions) = (Variables::new(), Vec::new());
        for block in &content.blocks {
            if &*block.block_type == "function" {
                functions.extend(user_function::function(block, &self.functions, self.diagnostics));
                continue;
            }
            let attributes = block.body.just_attributes(self.diagnostics);
            for (name, attribute) in &attributes.attributes {
                variables.insert(name.to_string(), self.value(attribute));
            }
        }
        // As in the reference, the last of several functions with the same name counts.
        functions.reverse();
        let spec = self.only_spec(&rest, &specs(BodySchema::new(), &[]), "A spec file");
        DeclaredSpec { spec, variables, functions }
    }

    fn report(&mut self, id: DiagnosticId, body: &Body, span: Span, detail: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(id, detail).at(body.source(), span));
    }

    /// Returns the only spec of a body. `schema` describes the other content of the body.
    fn only_spec(&mut self, body: &Body, schema: &BodySchema, owner: &str) -> Spec {
        let content = self.content(body, schema);
        content.map_or(INVALID, |content| self.only_block(body, &content, owner))
    }

    fn only_block(&mut self, body: &Body, content: &Content, owner: &str) -> Spec {
        match content.blocks.as_slice() {
            [block] => self.spec(block),
            [] => {
                let detail =
                    format!("{owner} needs one block that describes the value, such as `object {{ … }}`.");
                self.report(ids::MISSING_SPEC, body, content.missing_item_span, detail);
                INVALID
            }
            [_, second, ..] => {
                let detail = format!(
                    "{owner} takes only one block that describes the value. Remove the other blocks."
                );
                self.report(ids::EXTRANEOUS_SPEC, &second.body, second.header_span, detail);
                INVALID
            }
        }
    }

    /// Returns the content of a body by `schema`. `None` if there are errors.
    fn content(&mut self, body: &Body, schema: &BodySchema) -> Option<Content> {
        let mut found = Diagnostics::new();
        let content = body.content(schema, &mut found);
        let failed = found.has_errors();
        self.diagnostics.extend(found);
        (!failed).then_some(content)
    }

    fn spec(&mut self, block: &Block) -> Spec {
        let body = &block.body;
        let name = block.labels.first().map(|label| label.text.clone());
        match &*block.block_type {
            "object" => self.object(body),
            "array" => {
                let content = self.content(body, &specs(BodySchema::new(), &[]));
                let blocks = content.map(|content| content.blocks).unwrap_or_default();
                Spec::Tuple(blocks.iter().map(|block| self.spec(block)).collect())
            }
            "attr" => self.attribute(body, name),
            "block" => self.block(body, name),
            "block_list" => self.blocks(body, name, Collection::List),
            "block_set" => self.blocks(body, name, Collection::Set),
            "block_map" => self.block_map(body, name),
            "block_attrs" => self.block_attributes(body, name),
            "block_labels" => self.block_labels(body),
            "default" => self.default(body),
            "transform" => self.transform(body),
            _ => self.literal(body),
        }
    }

    fn object(&mut self, body: &Body) -> Spec {
        let Some(content) = self.content(body, &specs(BodySchema::new(), &["key"])) else { return INVALID };
        let mut found: Vec<(SmolStr, Spec)> = Vec::new();
        for block in &content.blocks {
            let Some(label) = block.labels.first() else { continue };
            found.push((label.text.clone(), self.spec(block)));
        }
        // As in the reference, the last of several specs for the same property counts.
        let mut names = HashSet::new();
        let mut properties: Vec<_> =
            found.into_iter().rev().filter(|(name, _)| names.insert(name.clone())).collect();
        properties.reverse();
        Spec::Object(properties)
    }

    fn attribute(&mut self, body: &Body, name: Option<SmolStr>) -> Spec {
        let schema = BodySchema::new().all_optional(&["type", "name", "required"]);
        let Some(content) = self.content(body, &schema) else { return INVALID };
        let usage = if self.flag(&content, "required") { Usage::Required } else { Usage::Optional };
        let ty = self.ty(content.attribute("type"));
        match self.text(&content, "name").or(name) {
            Some(name) => Spec::Attribute { name, ty, usage },
            None => self.nameless(body, "attr", "name", ids::MISSING_SPEC_NAME),
        }
    }

    /// Reports that a spec lacks the name of the attribute or block type that it decodes.
    fn nameless(&mut self, body: &Body, spec: &str, argument: &str, id: DiagnosticId) -> Spec {
        let detail = format!(
            "A spec `{spec}` needs the argument \"{argument}\", except in `object`, where its label is \
             used instead."
        );
        self.report(id, body, body.missing_item_span(), detail);
        INVALID
    }

    /// Reads a spec for blocks. `spec` is the name of the spec for messages, `arguments` its optional arguments.
    fn nested(
        &mut self,
        body: &Body,
        spec: &str,
        arguments: &[&str],
        name: Option<SmolStr>,
    ) -> Option<BlockSpec> {
        let schema = BodySchema::new().optional("block_type").all_optional(arguments);
        let content = self.content(body, &specs(schema, &[]))?;
        let around = std::mem::replace(&mut self.in_block, true);
        let nested = self.only_block(body, &content, &format!("A spec `{spec}`"));
        self.in_block = around;
        let Some(block_type) = self.text(&content, "block_type").or(name) else {
            self.nameless(body, spec, "block_type", ids::MISSING_SPEC_BLOCK_TYPE);
            return None;
        };
        Some(BlockSpec { content, block_type, nested: Arc::new(BodySpec::new(nested)) })
    }

    fn block(&mut self, body: &Body, name: Option<SmolStr>) -> Spec {
        let nested = self.nested(body, "block", &["required"], name);
        let Some(BlockSpec { content, block_type, nested }) = nested else { return INVALID };
        Spec::Block { block_type, nested, required: self.flag(&content, "required") }
    }

    fn blocks(&mut self, body: &Body, name: Option<SmolStr>, collection: Collection) -> Spec {
        let spec = if collection == Collection::Set { "block_set" } else { "block_list" };
        let nested = self.nested(body, spec, &["min_items", "max_items"], name);
        let Some(BlockSpec { content, block_type, nested }) = nested else { return INVALID };
        let (min, max) = (self.count(&content, "min_items"), self.count(&content, "max_items"));
        Spec::Blocks { block_type, collection, nested, min, max }
    }

    fn block_map(&mut self, body: &Body, name: Option<SmolStr>) -> Spec {
        let nested = self.nested(body, "block_map", &["labels"], name);
        let Some(BlockSpec { content, block_type, nested }) = nested else { return INVALID };
        let labels = self.names(&content, "labels");
        if labels.is_empty() {
            let detail =
                "A spec `block_map` needs the names of the labels to use as keys: labels = [\"name\"].";
            self.report(ids::MISSING_SPEC_LABELS, body, body.missing_item_span(), detail);
            return INVALID;
        }
        if nested.ty().has_dynamic() {
            let detail =
                "The elements of a map have one type, so a `block_map` cannot have attributes of type any.";
            self.report(ids::INVALID_BLOCK_MAP, body, body.missing_item_span(), detail);
        }
        Spec::LabelledBlocks { block_type, labels, object: false, nested }
    }

    fn block_attributes(&mut self, body: &Body, name: Option<SmolStr>) -> Spec {
        let schema = BodySchema::new().all_optional(&["element_type", "block_type", "required"]);
        let Some(content) = self.content(body, &schema) else { return INVALID };
        let required = self.flag(&content, "required");
        let element = self.ty(content.attribute("element_type"));
        match self.text(&content, "block_type").or(name) {
            Some(block_type) => Spec::BlockAttributes { block_type, element, required },
            None => self.nameless(body, "block_attrs", "block_type", ids::MISSING_SPEC_BLOCK_TYPE),
        }
    }

    fn block_labels(&mut self, body: &Body) -> Spec {
        let schema = BodySchema::new().required("labels");
        let Some(content) = self.content(body, &schema) else { return INVALID };
        let labels = self.names(&content, "labels");
        if !self.in_block {
            let detail = "Only blocks have labels. Put `block_labels` into `block`, `block_list`, \
                          `block_set` or `block_map`.";
            self.report(ids::INVALID_BLOCK_LABELS, body, content.missing_item_span, detail);
            return INVALID;
        }
        Spec::Tuple((0..).zip(labels).map(|(index, name)| Spec::Label { index, name }).collect())
    }

    fn default(&mut self, body: &Body) -> Spec {
        let Some(content) = self.content(body, &specs(BodySchema::new(), &[])) else { return INVALID };
        let Some((first, defaults)) = content.blocks.split_first() else {
            return self.only_block(body, &content, "A spec `default`");
        };
        if defaults.is_empty() {
            let detail = "A spec `default` with only one spec in it has no effect. Add a second spec, or \
                          remove the `default`.";
            let warning = Diagnostic::warning(ids::USELESS_DEFAULT, detail);
            self.diagnostics.push(warning.at(body.source(), first.header_span));
        }
        defaults.iter().fold(self.spec(first), |primary, block| Spec::Default {
            primary: Box::new(primary),
            default: Box::new(self.spec(block)),
        })
    }

    fn transform(&mut self, body: &Body) -> Spec {
        let schema = specs(BodySchema::new().optional("result"), &[]);
        let Some(content) = self.content(body, &schema) else { return INVALID };
        let [block] = content.blocks.as_slice() else {
            let detail = "A spec `transform` must contain one spec. Its value is `nested` in the `result`.";
            self.report(ids::INVALID_TRANSFORM, body, content.missing_item_span, detail);
            return INVALID;
        };
        let wrapped = Box::new(self.spec(block));
        let result = match content.attribute("result") {
            Some(result) => result.expression(self.diagnostics),
            // For the tool, a missing result is null.
            None => {
                let parsed = parse_expr(&SourceFile::new(body.source().id().clone(), "null"));
                Expression { tree: parsed.tree, id: parsed.root }
            }
        };
        Spec::Transform { wrapped, result, name: "nested".to_owned(), functions: Arc::clone(&self.functions) }
    }

    fn literal(&mut self, body: &Body) -> Spec {
        let Some(content) = self.content(body, &BodySchema::new().required("value")) else { return INVALID };
        Spec::Literal(content.attribute("value").map_or(Value::NULL, |value| self.value(value)))
    }

    /// Returns the value of an expression that may call the functions of the language.
    fn value(&mut self, attribute: &Attribute) -> Value {
        let expression = attribute.expression(self.diagnostics);
        let found = &mut *self.diagnostics;
        self.engine.with_functions(&Variables::new(), &self.functions, |scope| {
            terrane_eval::evaluate(&expression, scope, found)
        })
    }

    fn ty(&mut self, attribute: Option<&Attribute>) -> Type {
        let Some(attribute) = attribute else { return Type::Dynamic };
        let written = attribute.reference();
        if written.tree.plain_key(written.id) == Some("null") {
            return Type::Dynamic;
        }
        strict_type_constraint(&written, self.diagnostics).ty
    }

    /// Returns the constant value of an argument, converted to a type. `None` if it is not set or null.
    fn constant(&mut self, content: &Content, name: &str, ty: &Type) -> Option<Value> {
        let attribute = content.attribute(name)?;
        let value = terrane_eval::constant(&attribute.literal(), self.diagnostics);
        match convert(&value, ty) {
            Ok(value) => Some(value).filter(|value| !value.is_null() && value.is_known()),
            Err(error) => {
                let detail = format!("This value cannot be used: {error}.");
                let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
                self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
                None
            }
        }
    }

    fn flag(&mut self, content: &Content, name: &str) -> bool {
        self.constant(content, name, &Type::Bool).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    fn text(&mut self, content: &Content, name: &str) -> Option<SmolStr> {
        let value = self.constant(content, name, &Type::String)?;
        value.as_str().filter(|text| !text.is_empty()).map(SmolStr::from)
    }

    fn count(&mut self, content: &Content, name: &str) -> usize {
        let Some(value) = self.constant(content, name, &Type::Number) else { return 0 };
        // As in the tool, a negative number sets no limit.
        let count = value.as_number().filter(|number| number.is_integer());
        let count = count
            .and_then(terrane_value::Number::to_i64)
            .and_then(|count| usize::try_from(count.max(0)).ok());
        if count.is_none()
            && let Some(attribute) = content.attribute(name)
        {
            let detail = format!("The argument \"{name}\" must be a whole number.");
            let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
        count.unwrap_or(0)
    }

    fn names(&mut self, content: &Content, name: &str) -> Vec<String> {
        let value = self.constant(content, name, &Type::list(Type::String));
        let elements = value.as_ref().and_then(Value::as_sequence).unwrap_or_default();
        if elements.iter().any(Value::is_null)
            && let Some(attribute) = content.attribute(name)
        {
            let detail = format!("A name in the argument \"{name}\" is null.");
            let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
            let start = attribute.value_span().start;
            self.diagnostics.push(diagnostic.at(attribute.source(), Span::new(start, start + 1)));
        }
        elements.iter().filter_map(|element| element.as_str().map(str::to_owned)).collect()
    }
}

/// Adds the block types of spec files to a schema.
fn specs(schema: BodySchema, labels: &[&str]) -> BodySchema {
    SPECS.iter().fold(schema, |schema, spec| schema.block(spec, labels))
}
