//! Reads a `dynamic` block: checks its arguments and its `content` block, and evaluates `for_each`.

use std::sync::LazyLock;

use terrane_eval::is_static_step;
use terrane_source::{Diagnostic, ids, titles};
use terrane_syntax::Expr;
use terrane_value::{Marks, SmolStr, Type, with_article};

use super::dynamic_block::{DynamicBlock, Elements, ExpectedLabels, LabelExpressions};
use super::expander::Expander;
use super::scoped_body::ScopedBody;
use crate::body_schema::BodySchema;
use crate::content::{Attribute, Block, Content};

const CONTENT_ADVICE: &str = "Arguments of the generated blocks belong in the nested `content` block.";

/// The content of a `dynamic` block whose generated blocks have no labels.
static WITHOUT_LABELS: LazyLock<BodySchema> = LazyLock::new(|| schema(BodySchema::new()));
static WITH_LABELS: LazyLock<BodySchema> = LazyLock::new(|| schema(BodySchema::new().required("labels")));
static WITH_ANY_LABELS: LazyLock<BodySchema> = LazyLock::new(|| schema(BodySchema::new().optional("labels")));

fn schema(labels: BodySchema) -> BodySchema {
    labels
        .required("for_each")
        .optional("iterator")
        .block("content", &[])
        .attribute_advice(CONTENT_ADVICE)
        .block_advice(CONTENT_ADVICE)
}

impl Expander<'_> {
    /// Reads a `dynamic` block of `body`; returns `None` if it has errors, which are reported.
    pub(crate) fn dynamic_block(
        &mut self,
        block: &Block,
        body: &ScopedBody,
        expected: ExpectedLabels<'_>,
    ) -> Option<DynamicBlock> {
        let [label] = block.labels.as_slice() else {
            self.report_label(block, body);
            return None;
        };
        let schema = match expected {
            ExpectedLabels::Any => &*WITH_ANY_LABELS,
            ExpectedLabels::Named([]) => &*WITHOUT_LABELS,
            ExpectedLabels::Named([..]) => &*WITH_LABELS,
        };
        let inner = body.with(block.body.clone());
        let (content, failed) = self.read(&inner, |body, diagnostics| body.content(schema, diagnostics));
        let for_each = content.attribute("for_each").filter(|_| !failed)?;
        let iterator = match content.attribute("iterator") {
            Some(attribute) => self.iterator_name(attribute, &inner)?,
            None => label.text.clone(),
        };
        let (elements, marks) = self.elements(for_each, &inner)?;
        let labels = match content.attribute("labels") {
            Some(attribute) => Some(self.labels(attribute, &inner, expected)?),
            None => None,
        };
        let content = self.content_block(content, &inner)?;
        let (block_type, header_span) = (label.text.clone(), block.header_span);
        Some(DynamicBlock { block_type, header_span, iterator, labels, content, elements, marks })
    }

    fn report_label(&mut self, block: &Block, body: &ScopedBody) {
        let diagnostic = match block.labels.get(1) {
            Some(extra) => {
                let detail = "A `dynamic` block takes only one label: the type of the blocks it generates.";
                Diagnostic::error(ids::EXTRANEOUS_LABEL, detail).at(block.body.source(), extra.span)
            }
            None => {
                let detail = "A `dynamic` block needs a label: the type of the blocks it generates.";
                Diagnostic::error(ids::MISSING_LABEL, detail)
                    .titled(titles::MISSING_NAME_FOR_DYNAMIC)
                    .at(block.body.source(), block.body.missing_item_span())
            }
        };
        self.push(diagnostic, body);
    }

    fn content_block(&mut self, content: Content, body: &ScopedBody) -> Option<Block> {
        let mut blocks = content.blocks.into_iter();
        let Some(first) = blocks.next() else {
            let detail =
                "A `dynamic` block needs a nested `content` block, the content of each generated block.";
            let span = content.missing_item_span;
            self.push(body.error(ids::MISSING_DYNAMIC_CONTENT, span, detail), body);
            return None;
        };
        if let Some(second) = blocks.next() {
            let detail = "A `dynamic` block takes only one `content` block. Remove the other one.";
            self.push(body.error(ids::EXTRA_DYNAMIC_CONTENT, second.header_span, detail), body);
            return None;
        }
        Some(first)
    }

    fn iterator_name(&mut self, attribute: &Attribute, body: &ScopedBody) -> Option<SmolStr> {
        if let Some(name) = attribute.plain_name() {
            return Some(name);
        }
        let expression = attribute.reference();
        let tree = &expression.tree;
        let is_static = match tree.expr(expression.id) {
            Expr::Traversal { steps, .. } => tree.list(steps).iter().all(|step| is_static_step(tree, *step)),
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => false,
        };
        let id = if is_static { ids::INVALID_DYNAMIC_ITERATOR } else { ids::INVALID_EXPRESSION };
        let detail = "The `iterator` must be a single name, without quotes in the native syntax.";
        self.push(body.error(id, attribute.value_span(), detail), body);
        None
    }

    fn elements(&mut self, for_each: &Attribute, body: &ScopedBody) -> Option<(Elements, Marks)> {
        let expression = self.expression(for_each, body);
        // An invalid template is an unknown value without an error here, because the parser has reported it.
        let is_missing = matches!(expression.tree.expr(expression.id), Expr::Missing);
        let (value, failed) = self.eval(&expression, expression.id, body.iterator.as_deref(), &body.marks);
        if failed || is_missing {
            return None;
        }
        let ty = value.ty();
        let detail = if !ty.is_iterable() && ty != Type::Dynamic {
            format!(
                "The `for_each` must be a list, set, map, tuple or object, but it is {}.",
                with_article(&ty.plain_name())
            )
        } else if value.is_null() {
            "The `for_each` must not be null. Use `coalesce` or a conditional to give a default.".to_owned()
        } else {
            return Some((Elements::of(value.unmarked()), value.marks().clone()));
        };
        self.push(body.error(ids::INVALID_DYNAMIC_FOR_EACH, for_each.value_span(), detail), body);
        None
    }

    fn labels(
        &mut self,
        attribute: &Attribute,
        body: &ScopedBody,
        expected: ExpectedLabels<'_>,
    ) -> Option<LabelExpressions> {
        let tuple = self.expression(attribute, body);
        let Expr::Tuple(labels) = tuple.tree.expr(tuple.id) else {
            let detail = "The `labels` must be a list in brackets.";
            self.push(body.error(ids::INVALID_EXPRESSION, attribute.value_span(), detail), body);
            return None;
        };
        let labels = tuple.tree.list(labels).to_vec();
        if let ExpectedLabels::Named(names) = expected {
            let detail =
                || format!("The generated blocks take {} label(s): {}.", names.len(), names.join(", "));
            if let Some(extra) = labels.get(names.len()) {
                let span = tuple.tree.span(*extra);
                self.push(body.error(ids::EXTRA_DYNAMIC_LABEL, span, detail()), body);
                return None;
            }
            if labels.len() < names.len() {
                let span = attribute.value_span();
                self.push(body.error(ids::TOO_FEW_DYNAMIC_LABELS, span, detail()), body);
                return None;
            }
        }
        Some(LabelExpressions { tuple, labels })
    }
}
