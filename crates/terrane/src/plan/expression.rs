//! Expressions in the `configuration` of a plan: a constant value, or the references.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use terrane_body::constant::without_names;
use terrane_body::{Block, Body, Content, Nesting, Schema, SchemaAttribute};
use terrane_config::address_parts::written_key;
use terrane_eval::Reference;
use terrane_module::Module;
use terrane_module::model::namespace::Namespace;
use terrane_module::resolve::root::{RootedReference, attribute, references};
use terrane_source::{Diagnostics, sorted_map};
use terrane_syntax::tree::{BinaryOp, Literal, Step};
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::display::quote;
use terrane_value::{Number, SmolStr, Value, json};

use super::value::After;
use super::written_blocks::is_single;
use crate::json::members::ByName;
use crate::secrets::Secrets;
use crate::written::has_secret_text;

/// An expression: its references, and its value if that depends on no names or functions.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Expression"))]
pub(crate) struct ExpressionJson {
    /// The value, if it depends on no names or functions; in JSON syntax, the text as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<serde_json::Value>"))]
    constant_value: Option<Constant>,
    /// The references in the order of the text. Each is followed by its prefixes that name an object or a part of one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<String>>"))]
    references: Vec<String>,
}

struct Constant(Value);

impl Serialize for Constant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        After::written(&self.0, Secrets::Shown).serialize(serializer)
    }
}

/// Writes the expressions of a module. The dialect of the module decides how the first names of references are read.
#[derive(Clone, Copy)]
pub(crate) struct ExpressionWriter<'m> {
    pub(crate) module: &'m Module,
    pub(crate) secrets: Secrets,
    /// Whether any of the expressions may be a secret, because the schema that tells is in doubt.
    pub(crate) may_be_secret: bool,
}

impl ExpressionJson {
    /// Returns the expression without its constant value, because that is a secret.
    pub(crate) fn without_constant(self) -> ExpressionJson {
        ExpressionJson { constant_value: None, ..self }
    }

    /// Whether the expression has no content: it calls functions and has no references.
    pub(crate) fn is_empty(&self) -> bool {
        self.constant_value.is_none() && self.references.is_empty()
    }
}

/// Returns the value of an expression if the parts that decide it are constant: `true ? 1 : var.a` is 1.
fn constant_part(expression: &Expression) -> Option<Value> {
    let value = without_names(expression, &mut Diagnostics::new());
    (value.is_wholly_known() && json::encode(&value).is_ok() && !has_open_logic(expression)).then_some(value)
}

/// Whether an operand of `&&` or `||` has an error. The operator then has no value, even if the other operand decides it.
fn has_open_logic(expression: &Expression) -> bool {
    let tree = &expression.tree;
    let is_open = |id: ExprId| {
        let mut found = Diagnostics::new();
        without_names(&Expression { tree: Arc::clone(tree), id }, &mut found);
        found.has_errors()
    };
    let mut is_found = false;
    tree.expressions(expression.id, &mut |id| {
        if let Expr::Binary { op: BinaryOp::And | BinaryOp::Or, left, right } = tree.expr(id) {
            is_found |= is_open(left) || is_open(right);
        }
    });
    is_found
}

/// Returns a reference and its prefixes, the longest first: `var.a.b`, `var.a`. The reference ends before a computed index.
fn with_prefixes(reference: &RootedReference<'_>) -> Vec<String> {
    let texts = reference.steps.iter().enumerate();
    let texts =
        texts.map_while(|(position, step)| match key_position(reference.namespace) == Some(position) {
            true => instance_text(reference, step),
            false => step_text(reference, step),
        });
    let texts: Vec<String> = texts.collect();
    let is_key = |step: usize| step < texts.len() && attribute(reference, step).is_none();
    // `object` is the number of steps up to the named object, `without_key` the number without its key.
    let (object, without_key) = match reference.namespace {
        Namespace::Itself => (0, None),
        Namespace::Variable
        | Namespace::Local
        | Namespace::Path
        | Namespace::Terraform
        | Namespace::Tofu
        | Namespace::Each
        | Namespace::Count
        | Namespace::Reserved => (1, None),
        Namespace::Module => {
            let instance = if is_key(1) { 2 } else { 1 };
            match (attribute(reference, instance), is_key(1)) {
                (Some(_), _) => (instance + 1, Some(instance)),
                (None, true) => (2, Some(1)),
                (None, false) => (1, None),
            }
        }
        Namespace::Resource(_) | Namespace::Type => {
            let named = key_position(reference.namespace).unwrap_or_default();
            if is_key(named) { (named + 1, Some(named)) } else { (named, None) }
        }
    };
    let object = object.min(texts.len());
    let written = |steps: usize| {
        let steps: String = texts.iter().take(steps).map(String::as_str).collect();
        format!("{}{steps}", reference.root)
    };
    let mut all: Vec<String> = (object..=texts.len()).rev().map(written).collect();
    all.extend(without_key.map(written));
    all
}

/// Returns the position of the step that may be the key of an instance.
fn key_position(namespace: Namespace) -> Option<usize> {
    match namespace {
        Namespace::Module | Namespace::Type => Some(1),
        Namespace::Resource(_) => Some(2),
        Namespace::Itself
        | Namespace::Variable
        | Namespace::Local
        | Namespace::Path
        | Namespace::Terraform
        | Namespace::Tofu
        | Namespace::Each
        | Namespace::Count
        | Namespace::Reserved => None,
    }
}

/// Returns the text of a step after the name of a resource or module call: an attribute, or the key of an instance as addresses
/// have it.
fn instance_text(reference: &Reference<'_>, step: &Step) -> Option<String> {
    match step {
        Step::Attr { .. } => step_text(reference, step),
        Step::LegacyIndex { .. } | Step::Index { .. } => Some(written_key(reference.tree, step)?.to_string()),
    }
}

/// Returns the text of a step. `None` for a computed index.
fn step_text(reference: &Reference<'_>, step: &Step) -> Option<String> {
    let key = match step {
        Step::Attr { name, .. } => return Some(format!(".{}", reference.tree.slice(*name))),
        Step::LegacyIndex { digits, .. } => number_text(reference.tree.slice(*digits))?,
        Step::Index { key, .. } => {
            let Expr::Literal(literal) = reference.tree.expr(*key) else { return None };
            match literal {
                Literal::String(text) => quote(reference.tree.text(text)),
                Literal::Number => number_text(reference.tree.expr_text(*key))?,
                // The reference has no text for these keys.
                Literal::Bool(_) | Literal::Null => String::new(),
            }
        }
    };
    Some(format!("[{key}]"))
}

/// Returns a number as the products write keys: with at most ten digits.
fn number_text(text: &str) -> Option<String> {
    Some(Number::parse(text)?.to_general(10))
}

/// The arguments and blocks of a body, sorted by name.
pub(crate) type Expressions = ByName<BodyItemJson, SmolStr>;

/// The arguments and blocks of a body while they are collected.
type CollectedExpressions = BTreeMap<SmolStr, BodyItemJson>;

/// An argument, or the blocks of one type.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum BodyItemJson {
    Expression(ExpressionJson),
    Block(Expressions),
    Blocks(Vec<Expressions>),
    Labelled(BTreeMap<String, Expressions>),
}

impl ExpressionWriter<'_> {
    /// Whether the constants of all expressions are left out.
    pub(crate) fn hides_all(self) -> bool {
        self.may_be_secret && self.secrets == Secrets::Hidden
    }

    /// Returns an expression. In JSON syntax, the constant value is the text as written, even if it has references. It is left
    /// out if a literal in it becomes a secret.
    pub(crate) fn expression(self, expression: &Expression) -> ExpressionJson {
        let value = match expression.source().id().is_json() {
            _ if self.hides_all() => None,
            true if self.secrets == Secrets::Hidden && has_secret_text(expression) => None,
            true => json::decode(expression.source().slice(expression.span())).ok(),
            false => constant_part(expression),
        };
        // A name that is hidden may be a secret text without its quotes.
        let is_shown = |reference: &&RootedReference<'_>| {
            self.secrets == Secrets::Shown || !expression.source().is_hidden(reference.root_span())
        };
        let references = references(expression, self.module);
        ExpressionJson {
            constant_value: value.map(Constant),
            references: references.iter().filter(is_shown).flat_map(with_prefixes).collect(),
        }
    }

    /// Returns the arguments and blocks of a body. Generated blocks of `dynamic` are not written in the body, so they are left
    /// out. Constants of sensitive attributes are left out too, unless secrets are shown. Without a schema, these attributes
    /// have the names `sensitive`.
    pub(crate) fn body(self, body: &Body, schema: Option<&Schema>, sensitive: &[&str]) -> Expressions {
        let Some(schema) = schema else {
            let mut all = self.open(body);
            if self.secrets == Secrets::Hidden {
                for name in sensitive {
                    all.get_mut(*name).into_iter().for_each(BodyItemJson::hide_constant);
                }
            }
            return all.into();
        };
        self.of_schema(body, schema)
    }

    fn of_schema(self, body: &Body, schema: &Schema) -> Expressions {
        let content = content(body, Some(schema));
        let mut all = self.arguments(&content);
        if self.secrets == Secrets::Hidden {
            let is_secret =
                |name: &SmolStr| schema.attributes().get(name).is_some_and(SchemaAttribute::is_secret);
            all.iter_mut().filter(|(name, _)| is_secret(name)).for_each(|(_, item)| item.hide_constant());
        }
        let mut by_type: BTreeMap<&SmolStr, Vec<&Block>> = BTreeMap::new();
        for block in content.blocks.iter() {
            by_type.entry(&block.block_type).or_default().push(block);
        }
        // The schema may have many more block types.
        for (name, found) in by_type {
            let Some(block) = schema.blocks().get(name) else { continue };
            let mut written =
                found.into_iter().map(|found| (found, self.of_schema(&found.body, &block.schema)));
            let written = match block.nesting {
                Nesting::Single | Nesting::Group => {
                    written.next().map(|(_, block)| BodyItemJson::Block(block))
                }
                Nesting::List | Nesting::Set => {
                    Some(BodyItemJson::Blocks(written.map(|(_, block)| block).collect()))
                }
                Nesting::Map => {
                    let labelled = written.filter_map(|(found, block)| {
                        let label = found.labels.first()?;
                        Some((label.text.to_string(), block))
                    });
                    Some(BodyItemJson::Labelled(sorted_map(labelled)))
                }
            };
            all.extend(written.map(|written| (name.clone(), written)));
        }
        all.into()
    }

    /// Returns the arguments and blocks of a body without a schema. Blocks form lists, except block types that every provider
    /// has at most once.
    fn open(self, body: &Body) -> CollectedExpressions {
        let content = body.open_content(&mut Diagnostics::new());
        let mut all = self.arguments(&content);
        for block in content.blocks.iter().filter(|block| !block.is_dynamic()) {
            let written = self.open(&block.body).into();
            let entry = all.entry(block.block_type.clone());
            if is_single(&block.block_type) {
                entry.or_insert(BodyItemJson::Block(written));
            } else if let BodyItemJson::Blocks(blocks) =
                entry.or_insert_with(|| BodyItemJson::Blocks(Vec::new()))
            {
                blocks.push(written);
            }
        }
        all
    }

    fn arguments(self, content: &Content) -> CollectedExpressions {
        let attributes = content.attributes.values();
        let written = attributes.map(|attribute| {
            let expression = attribute.expression(&mut Diagnostics::new());
            (attribute.name.clone(), BodyItemJson::Expression(self.expression(&expression)))
        });
        sorted_map(written)
    }
}

impl BodyItemJson {
    fn hide_constant(&mut self) {
        if let BodyItemJson::Expression(expression) = self {
            *expression = std::mem::take(expression).without_constant();
        }
    }
}

/// Returns the arguments, blocks and `dynamic` blocks of a body. Without a schema, all properties of a JSON object are
/// arguments.
pub(super) fn content(body: &Body, schema: Option<&Schema>) -> Content {
    match schema {
        Some(schema) => schema.written_content(body),
        None => body.open_content(&mut Diagnostics::new()),
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    #[test]
    fn constant_keys_have_the_texts_of_the_reference() {
        let texts = [
            ("null", "[]"),
            ("true", "[]"),
            ("1.50", "[1.5]"),
            ("1234567890", "[1234567890]"),
            ("12345678901", "[1.23456789e+10]"),
            ("1e5", "[100000]"),
            ("0.00001", "[1e-05]"),
            (r#""a$${b}""#, r#"[\"a${b}\"]"#),
            (r#""\u0001\u00ad\u200bé""#, r#"[\"\\x01\\u00ad\\u200bé\"]"#),
        ];
        for (key, expected) in texts {
            let text = format!(
                "locals {{\n  o = {{ a = 1 }}\n}}\noutput \"id\" {{\n  value = try(local.o[{key}].b, 1)\n}}\n"
            );
            let files = MemoryFiles::from_iter([("main.tf", text.as_str())]);
            let json = Project::new(".").evaluate(&files).plan(Secrets::Hidden, &files).unwrap().to_json();
            let references = format!(r#""references":["local.o{expected}.b","local.o{expected}","local.o"]"#);
            assert!(json.contains(&references), "{key}: {json}");
        }
    }

    /// The document has a prefix for each step, so it grows with the square of the length of a reference.
    #[test]
    fn the_prefixes_of_long_references_count() {
        let is_printable = |steps: usize| {
            let path = ".a".repeat(steps);
            let text = format!("resource \"a_b\" \"c\" {{}}\noutput \"o\" {{ value = a_b.c{path} }}\n");
            let files = MemoryFiles::from_iter([("main.tf", text)]);
            let report = Project::new(".").evaluate(&files);
            report.plan(Secrets::Hidden, &files).unwrap().check_printable().is_ok()
        };
        assert!(is_printable(1000));
        assert!(!is_printable(20_000));
    }

    #[test]
    fn the_dialect_decides_which_prefixes_a_reference_has() {
        let text =
            "resource \"action\" \"run\" {\n  count = 1\n}\noutput \"id\" {\n  value = action.run[0].id\n}\n";
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        let project = Project::new(".").dialect("opentofu-1.10".parse().unwrap());
        let json = project.evaluate(&files).plan(Secrets::Hidden, &files).unwrap().to_json();
        let references = r#""references":["action.run[0].id","action.run[0]","action.run"]"#;
        assert!(json.contains(references), "{json}");
    }
}
