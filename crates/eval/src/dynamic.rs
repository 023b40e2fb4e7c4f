use terrane_source::{Diagnostic, DiagnosticId, Span, ids};
use terrane_syntax::tree::{Attribute, Block, BodyId, Item};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Marks, Number, Origins, Type, Value, ValueKind, convert};

use crate::evaluate::Evaluator;

/// A `dynamic` block, with its `for_each` evaluated.
pub(crate) struct Dynamic<'e> {
    /// The type of the blocks that it stands for.
    pub(crate) block_type: &'e str,
    /// The name that stands for the current element in `content`.
    pub(crate) iterator: &'e str,
    pub(crate) labels: &'e [ExprId],
    pub(crate) content: BodyId,
    pub(crate) elements: Elements,
    /// The marks of the collection.
    pub(crate) marks: Marks,
}

/// What a `dynamic` block is repeated for.
pub(crate) enum Elements {
    /// Keys and values.
    Known(Vec<(Value, Value)>),
    /// How often it is repeated is not known yet.
    Unknown(Origins),
}

/// The parts of a `dynamic` block as they are written.
#[derive(Default)]
struct Written<'e> {
    for_each: Option<&'e Attribute>,
    iterator: Option<&'e Attribute>,
    labels: Option<&'e Attribute>,
    contents: Vec<&'e Block>,
}

/// The object that an iterator stands for.
pub(crate) fn iterator_object(key: Value, value: Value) -> Value {
    Value::object([("key".into(), key), ("value".into(), value)])
}

impl<'e> Evaluator<'e> {
    /// Reads a `dynamic` block; none where it has mistakes, which are reported.
    pub(crate) fn dynamic(&mut self, block: &'e Block) -> Option<Dynamic<'e>> {
        let tree = self.tree;
        let label = self.dynamic_label(block)?;
        let written = self.written(block)?;
        let Some(for_each) = written.for_each else {
            let detail =
                "A `dynamic` block needs the argument \"for_each\": the collection it is repeated for.";
            self.report(ids::MISSING_ARGUMENT, Span::empty(block.open), detail);
            return None;
        };
        let iterator = match written.iterator {
            Some(attribute) => self.iterator_name(attribute.expr)?,
            None => label,
        };
        let (elements, marks) = self.dynamic_elements(for_each.expr)?;
        let labels = match written.labels.map(|labels| (labels.expr, tree.expr(labels.expr))) {
            None => &[],
            Some((_, Expr::Tuple(labels))) => tree.list(labels),
            Some((id, _)) => {
                self.report(ids::INVALID_EXPRESSION, tree.span(id), "The labels must be a list in brackets.");
                return None;
            }
        };
        let content = match written.contents.as_slice() {
            [] => {
                let detail =
                    "A `dynamic` block needs a block \"content\": the body of each block it stands for.";
                self.report(ids::MISSING_DYNAMIC_CONTENT, Span::empty(block.open), detail);
                return None;
            }
            [content] => content.body,
            [_, second, ..] => {
                let span = Span::new(second.block_type.start, second.open);
                self.report(
                    ids::EXTRA_DYNAMIC_CONTENT,
                    span,
                    "A `dynamic` block takes only one block \"content\".",
                );
                return None;
            }
        };
        Some(Dynamic { block_type: label, iterator, labels, content, elements, marks })
    }

    fn dynamic_label(&mut self, block: &'e Block) -> Option<&'e str> {
        match self.tree.list(block.labels) {
            [label] => Some(self.tree.text(label.text)),
            [] => {
                let detail = "A `dynamic` block needs a label: the type of the blocks it stands for.";
                let diagnostic = self.diagnostic(ids::MISSING_LABEL, Span::empty(block.open), detail);
                self.diagnostics.push(diagnostic.titled("Missing name for dynamic"));
                None
            }
            [_, extra, ..] => {
                self.report(ids::EXTRANEOUS_LABEL, extra.span, "A `dynamic` block takes only one label.");
                None
            }
        }
    }

    fn written(&mut self, block: &'e Block) -> Option<Written<'e>> {
        let tree = self.tree;
        let mark = self.diagnostics.len();
        let mut written = Written::default();
        for item in tree.list(tree.body(block.body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    match tree.slice(attribute.name) {
                        "for_each" => written.for_each = Some(attribute),
                        "iterator" => written.iterator = Some(attribute),
                        "labels" => written.labels = Some(attribute),
                        name => self.report_foreign(ids::UNSUPPORTED_ARGUMENT, attribute.name, name),
                    }
                }
                Item::Block(id) => {
                    let content = tree.block(*id);
                    match tree.slice(content.block_type) {
                        "content" => written.contents.push(content),
                        name => self.report_foreign(ids::UNSUPPORTED_BLOCK, content.block_type, name),
                    }
                }
            }
        }
        (!self.has_errors_since(mark)).then_some(written)
    }

    fn report_foreign(&mut self, id: DiagnosticId, span: Span, name: &str) {
        let detail = format!(
            "A `dynamic` block has no \"{name}\" of its own. What belongs to the blocks it stands for is written in \
             its block \"content\"."
        );
        self.report(id, span, detail);
    }

    fn iterator_name(&mut self, id: ExprId) -> Option<&'e str> {
        let span = self.tree.span(id);
        let is_static = match self.tree.expr(id) {
            Expr::Traversal { steps, .. } if steps.is_empty() => return Some(self.tree.expr_text(id)),
            Expr::Traversal { steps, .. } => self.tree.list(steps).iter().all(|step| self.is_static(*step)),
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
        self.report(id, span, "The iterator must be a single name, without quotes.");
        None
    }

    fn dynamic_elements(&mut self, for_each: ExprId) -> Option<(Elements, Marks)> {
        let mark = self.diagnostics.len();
        let value = self.eval(for_each);
        if self.has_errors_since(mark) {
            return None;
        }
        let ty = value.ty();
        let problem = if !ty.is_iterable() && ty != Type::Dynamic {
            Some(format!("The `for_each` is a {}, which has no elements.", ty.friendly_name()))
        } else if value.is_null() {
            Some("The `for_each` is null. Use `coalesce` or a conditional to give a default.".to_owned())
        } else {
            None
        };
        if let Some(problem) = problem {
            self.report(ids::INVALID_DYNAMIC_FOR_EACH, self.tree.span(for_each), problem);
            return None;
        }
        Some((elements_of(value.unmarked()), value.marks().clone()))
    }

    /// Evaluates the labels of one block, in whose scope the iterator must be bound, for their mistakes.
    pub(crate) fn check_dynamic_labels(&mut self, labels: &[ExprId]) {
        for label in labels {
            let mark = self.diagnostics.len();
            let value = self.eval(*label);
            if self.has_errors_since(mark) {
                continue;
            }
            let problem = match convert(&value, &Type::String) {
                Err(error) => Some(error.message),
                Ok(_) if value.is_null() => Some("it is null".to_owned()),
                Ok(_) if !value.is_known() => Some("it is not known yet".to_owned()),
                Ok(_) if value.is_marked() => Some("it is sensitive".to_owned()),
                Ok(_) => None,
            };
            if let Some(problem) = problem {
                let detail = format!("The value cannot be the label of a block: {problem}.");
                let diagnostic: Diagnostic =
                    self.diagnostic(ids::INVALID_DYNAMIC_LABEL, self.tree.span(*label), detail);
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

/// Keys and values of a collection, an object or a tuple. The key of an element of a set is the element.
fn elements_of(collection: &Value) -> Elements {
    match collection.kind() {
        ValueKind::List(elements) | ValueKind::Tuple(elements) => Elements::Known(
            (0..)
                .zip(elements)
                .map(|(index, value)| (Value::number(Number::counted(index)), value.clone()))
                .collect(),
        ),
        ValueKind::Set(elements) => {
            Elements::Known(elements.iter().map(|value| (value.clone(), value.clone())).collect())
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => Elements::Known(
            entries.iter().map(|(key, value)| (Value::string(key.clone()), value.clone())).collect(),
        ),
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => Elements::Unknown(collection.origins().clone()),
    }
}
