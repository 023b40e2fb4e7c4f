//! `dynamic` blocks: bodies in which they stand for the blocks that they make.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use terrane_eval::{Batch, FunctionTable, Names, Scope, Shared, conceal, is_static_step};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Span, ids};
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::{Marks, Number, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::body::Body;
use crate::body_schema::BodySchema;
use crate::content::{Attribute, Block, Content, Label};

const CONTENT_ADVICE: &str =
    "What belongs to the blocks that it stands for is written in its block \"content\".";

/// What a `dynamic` block has, by what is known of the labels of the blocks that it stands for.
static WITHOUT_LABELS: LazyLock<BodySchema> = LazyLock::new(|| dynamic_schema(BodySchema::new()));
static WITH_LABELS: LazyLock<BodySchema> =
    LazyLock::new(|| dynamic_schema(BodySchema::new().required("labels")));
static WITH_ANY_LABELS: LazyLock<BodySchema> =
    LazyLock::new(|| dynamic_schema(BodySchema::new().optional("labels")));

fn dynamic_schema(schema: BodySchema) -> BodySchema {
    schema
        .required("for_each")
        .optional("iterator")
        .block("content", &[])
        .attribute_advice(CONTENT_ADVICE)
        .block_advice(CONTENT_ADVICE)
}

/// A body as it is after the expansion of the `dynamic` blocks around it.
#[derive(Clone)]
pub(crate) struct Expanded {
    pub(crate) body: Body,
    /// What stands for the current elements of the `dynamic` blocks around it.
    pub(crate) iterators: Option<Arc<Iterators>>,
    /// The marks of the collection, where it is the content of a `dynamic` block.
    pub(crate) marks: Marks,
    /// Why nothing in it is known, where it is not known how often the block is made.
    pub(crate) unknown: Option<Origins>,
}

/// The name for the current element of a `dynamic` block, and those of the `dynamic` blocks around it.
pub(crate) struct Iterators {
    name: SmolStr,
    object: Value,
    outer: Option<Arc<Iterators>>,
}

/// A block of an [`Expanded`] body: one that is written, or one that a `dynamic` block makes.
#[derive(Clone)]
pub(crate) struct ExpandedBlock {
    pub(crate) block_type: SmolStr,
    pub(crate) labels: Vec<Label>,
    /// Where it is written: of a `dynamic` block, the header.
    pub(crate) header_span: Span,
    pub(crate) body: Expanded,
}

/// A `dynamic` block, with its `for_each` evaluated.
pub(crate) struct Dynamic {
    /// The type of the blocks that it stands for.
    pub(crate) block_type: SmolStr,
    header_span: Span,
    iterator: SmolStr,
    /// The labels of the blocks, and where they are written.
    labels: Option<(Expression, Vec<ExprId>)>,
    content: Block,
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

/// What is known of the labels of the blocks that a `dynamic` block stands for.
#[derive(Clone, Copy)]
pub(crate) enum Labels<'l> {
    /// Nothing, as there is no schema.
    Any,
    /// Their names.
    Named(&'l [String]),
}

impl Expanded {
    pub(crate) fn new(body: Body) -> Expanded {
        Expanded { body, iterators: None, marks: Marks::NONE, unknown: None }
    }

    /// A block that is written in the body. Of what surrounds it, names and what is unknown hold in it as well.
    pub(crate) fn written(&self, block: &Block) -> ExpandedBlock {
        ExpandedBlock {
            block_type: block.block_type.clone(),
            labels: block.labels.clone(),
            header_span: block.header_span,
            body: Expanded {
                body: block.body.clone(),
                iterators: self.iterators.clone(),
                // What is unknown altogether has the marks of what it depends on.
                marks: if self.unknown.is_some() { self.marks.clone() } else { Marks::NONE },
                unknown: self.unknown.clone(),
            },
        }
    }
}

/// Reads and evaluates bodies; everything that several of them share in one computation.
pub(crate) struct Expander<'s> {
    batch: Batch<'s>,
    diagnostics: &'s mut Diagnostics,
    /// What was reported about the content of `dynamic` blocks, to say it once and not for each element.
    reported: HashSet<Report>,
    /// How many errors there were, those that were not said again included.
    errors: usize,
}

/// A message, its file and place, and, where different ones have the same place, its text.
type Report = (&'static str, usize, Span, Option<String>);

impl<'s> Expander<'s> {
    pub(crate) fn new(scope: &'s Scope<'s>, diagnostics: &'s mut Diagnostics) -> Expander<'s> {
        Expander { batch: Batch::new(scope), diagnostics, reported: HashSet::new(), errors: 0 }
    }

    /// The same, where neither names nor functions may be used, and the strings of JSON are their characters.
    pub(crate) fn constant(self) -> Expander<'s> {
        Expander { batch: self.batch.constant(), ..self }
    }

    /// Where values are kept that other evaluations share.
    pub(crate) fn shared(&self) -> Option<&'s Shared> {
        self.batch.scope().names.shared()
    }

    /// Whether a limit is met, so that nothing more is computed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.batch.is_stopped()
    }

    /// What `read` gives for the body, and whether there were errors. Mistakes in the content of a `dynamic` block are reported for one element.
    pub(crate) fn read<T>(
        &mut self,
        body: &Expanded,
        read: impl FnOnce(&Body, &mut Diagnostics) -> T,
    ) -> (T, bool) {
        let mut found = Diagnostics::new();
        let content = read(&body.body, &mut found);
        let failed = found.has_errors();
        self.report(found, body.iterators.is_some(), true);
        (content, failed)
    }

    /// The value of an attribute of `body`.
    pub(crate) fn attribute(&mut self, attribute: &Attribute, body: &Expanded) -> Value {
        if let Some(origins) = &body.unknown {
            return Value::unknown_from(Type::Dynamic, origins.clone()).with_marks(&body.marks);
        }
        let expression = self.expression(attribute, body);
        self.value(&expression, body)
    }

    /// The value of an expression in the scope of `body`.
    pub(crate) fn value(&mut self, expression: &Expression, body: &Expanded) -> Value {
        let (value, _) = self.eval(expression, expression.id, body.iterators.as_deref(), &body.marks);
        value.with_marks(&body.marks)
    }

    /// The value of an expression over other names and functions.
    pub(crate) fn value_over(
        &mut self,
        expression: &Expression,
        names: &dyn Names,
        functions: &FunctionTable,
    ) -> Value {
        let (value, found) = self.batch.evaluate_over(expression, names, functions);
        self.report(found, true, false);
        value
    }

    /// How many errors there were, those that were not said again included.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    fn expression(&mut self, attribute: &Attribute, body: &Expanded) -> Expression {
        if self.batch.is_constant() {
            return attribute.literal();
        }
        let mut found = Diagnostics::new();
        let expression = attribute.expression(&mut found);
        self.report(found, body.iterators.is_some(), false);
        expression
    }

    /// The value of one of the expressions in the tree of `expression`, and whether there were errors. `marks` are those
    /// of the collections whose elements `names` stand for.
    fn eval(
        &mut self,
        expression: &Expression,
        id: ExprId,
        names: Option<&Iterators>,
        marks: &Marks,
    ) -> (Value, bool) {
        let bindings = names.map(Iterators::bindings).unwrap_or_default();
        let (value, mut found) = self.batch.evaluate(expression, id, &bindings);
        let failed = found.iter().any(Diagnostic::is_error);
        found.iter_mut().for_each(|diagnostic| conceal(diagnostic, marks));
        self.report(found, names.is_some(), false);
        (value, failed)
    }

    fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>, repeated: bool, with_detail: bool) {
        for diagnostic in found {
            self.errors += usize::from(diagnostic.is_error());
            if repeated && let Some(subject) = &diagnostic.subject {
                let detail = with_detail.then(|| diagnostic.detail.clone());
                let file = Arc::as_ptr(&subject.file).addr();
                if !self.reported.insert((diagnostic.id.as_str(), file, subject.span, detail)) {
                    continue;
                }
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error at a place in `body`.
    pub(crate) fn error(&mut self, id: DiagnosticId, body: &Expanded, span: Span, detail: impl Into<String>) {
        let diagnostic = Diagnostic::error(id, detail).at(body.body.source(), span);
        self.push(diagnostic, body);
    }

    /// Reports something about `body`.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic, body: &Expanded) {
        self.report([diagnostic], body.iterators.is_some(), true);
    }

    /// Reads a `dynamic` block of `body`; none where it has mistakes, which are reported.
    pub(crate) fn dynamic(&mut self, block: &Block, body: &Expanded, labels: Labels<'_>) -> Option<Dynamic> {
        let [label] = block.labels.as_slice() else {
            self.wrong_label(block, body);
            return None;
        };
        let schema = match labels {
            Labels::Any => &*WITH_ANY_LABELS,
            Labels::Named([]) => &*WITHOUT_LABELS,
            Labels::Named([..]) => &*WITH_LABELS,
        };
        let inner = Expanded { body: block.body.clone(), ..body.clone() };
        let (content, failed) = self.read(&inner, |body, diagnostics| body.content(schema, diagnostics));
        let for_each = content.attribute("for_each").filter(|_| !failed)?;
        let iterator = match content.attribute("iterator") {
            Some(attribute) => self.iterator_name(attribute, &inner)?,
            None => label.text.clone(),
        };
        let (elements, marks) = self.elements(for_each, &inner)?;
        let labels = match content.attribute("labels") {
            Some(attribute) => Some(self.labels(attribute, &inner, labels)?),
            None => None,
        };
        let content = self.content_block(content, &inner)?;
        Some(Dynamic {
            block_type: label.text.clone(),
            header_span: block.header_span,
            iterator,
            labels,
            content,
            elements,
            marks,
        })
    }

    fn wrong_label(&mut self, block: &Block, body: &Expanded) {
        let source = block.body.source();
        let diagnostic = match block.labels.get(1) {
            Some(extra) => {
                let detail = "A `dynamic` block takes only one label: the type of the blocks it stands for.";
                Diagnostic::error(ids::EXTRANEOUS_LABEL, detail).at(source, extra.span)
            }
            None => {
                let detail = "A `dynamic` block needs a label: the type of the blocks it stands for.";
                Diagnostic::error(ids::MISSING_LABEL, detail)
                    .titled("Missing name for dynamic")
                    .at(source, block.body.missing_item_span())
            }
        };
        self.push(diagnostic, body);
    }

    fn content_block(&mut self, content: Content, body: &Expanded) -> Option<Block> {
        let missing = content.missing_item_span;
        let mut blocks = content.blocks.into_iter();
        let Some(first) = blocks.next() else {
            let detail = "A `dynamic` block needs a block \"content\": the body of each block it stands for.";
            self.error(ids::MISSING_DYNAMIC_CONTENT, body, missing, detail);
            return None;
        };
        if let Some(second) = blocks.next() {
            let detail = "A `dynamic` block takes only one block \"content\".";
            self.error(ids::EXTRA_DYNAMIC_CONTENT, body, second.header_span, detail);
            return None;
        }
        Some(first)
    }

    fn iterator_name(&mut self, attribute: &Attribute, body: &Expanded) -> Option<SmolStr> {
        let expression = attribute.reference();
        let tree = &expression.tree;
        if let Some(name) = tree.plain_key(expression.id) {
            return Some(SmolStr::from(name));
        }
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
        let span = attribute.value_span();
        self.error(
            id,
            body,
            span,
            "The iterator must be a single name, without quotes in the native syntax.",
        );
        None
    }

    fn elements(&mut self, for_each: &Attribute, body: &Expanded) -> Option<(Elements, Marks)> {
        let span = for_each.value_span();
        let expression = self.expression(for_each, body);
        // A template that could not be parsed is there, but nothing is known of it.
        let is_missing = matches!(expression.tree.expr(expression.id), Expr::Missing);
        let (value, failed) = self.eval(&expression, expression.id, body.iterators.as_deref(), &body.marks);
        if failed || is_missing {
            return None;
        }
        let ty = value.ty();
        let problem = if !ty.is_iterable() && ty != Type::Dynamic {
            format!("The `for_each` is a {}, which has no elements.", ty.plain_name())
        } else if value.is_null() {
            "The `for_each` is null. Use `coalesce` or a conditional to give a default.".to_owned()
        } else {
            return Some((elements_of(value.unmarked()), value.marks().clone()));
        };
        self.error(ids::INVALID_DYNAMIC_FOR_EACH, body, span, problem);
        None
    }

    fn labels(
        &mut self,
        attribute: &Attribute,
        body: &Expanded,
        labels: Labels<'_>,
    ) -> Option<(Expression, Vec<ExprId>)> {
        let expression = self.expression(attribute, body);
        let Expr::Tuple(given) = expression.tree.expr(expression.id) else {
            let span = attribute.value_span();
            self.error(ids::INVALID_EXPRESSION, body, span, "The labels must be a list in brackets.");
            return None;
        };
        let given = expression.tree.list(given).to_vec();
        if let Labels::Named(names) = labels {
            let wanted = format!("The blocks take {} label(s): {}.", names.len(), names.join(", "));
            if let Some(extra) = given.get(names.len()) {
                self.error(ids::EXTRA_DYNAMIC_LABEL, body, expression.tree.span(*extra), wanted);
                return None;
            }
            if given.len() < names.len() {
                self.error(ids::TOO_FEW_DYNAMIC_LABELS, body, attribute.value_span(), wanted);
                return None;
            }
        }
        Some((expression, given))
    }

    /// The block that a `dynamic` block of `body` makes for an element, or, where the elements are not known, in the
    /// place of all; none where its labels have mistakes.
    pub(crate) fn make(
        &mut self,
        dynamic: &Dynamic,
        body: &Expanded,
        element: Option<(&Value, &Value)>,
    ) -> Option<ExpandedBlock> {
        if element.is_some() && !self.count(dynamic, body) {
            return None;
        }
        let mut block = dynamic.block(body, element);
        if let Some(iterators) = &block.body.iterators {
            block.labels = self.label_texts(dynamic, body, iterators)?;
        }
        Some(block)
    }

    /// Counts a block that is made: nested ones could otherwise fill the memory.
    fn count(&mut self, dynamic: &Dynamic, body: &Expanded) -> bool {
        if self.batch.is_stopped() {
            return false;
        }
        if self.batch.count_block() {
            return true;
        }
        let most = self.batch.scope().env.limits.elements;
        let detail = format!("The `dynamic` blocks make more than {most} blocks.");
        self.error(ids::LIMIT_EXCEEDED, body, dynamic.header_span, detail);
        false
    }

    fn label_texts(
        &mut self,
        dynamic: &Dynamic,
        body: &Expanded,
        iterators: &Iterators,
    ) -> Option<Vec<Label>> {
        let Some((expression, labels)) = &dynamic.labels else { return Some(Vec::new()) };
        let mut texts = Vec::new();
        for label in labels {
            let (value, failed) = self.eval(expression, *label, Some(iterators), &dynamic.marks);
            if failed {
                return None;
            }
            let span = expression.tree.span(*label);
            let problem = match convert(&value, &Type::String) {
                Err(error) => error.message,
                Ok(_) if value.is_null() => "it is null".to_owned(),
                Ok(_) if !value.is_known() => "it is not known yet".to_owned(),
                Ok(_) if value.is_marked() => "it is sensitive".to_owned(),
                Ok(text) => {
                    texts.push(Label { text: SmolStr::from(text.as_str().unwrap_or_default()), span });
                    continue;
                }
            };
            let detail = format!("The value cannot be the label of a block: {problem}.");
            let diagnostic = Diagnostic::error(ids::INVALID_DYNAMIC_LABEL, detail);
            self.report([diagnostic.at(body.body.source(), span)], true, false);
            return None;
        }
        Some(texts)
    }
}

impl Dynamic {
    /// The block for an element, or in the place of all where these are not known; without its labels.
    pub(crate) fn block(&self, body: &Expanded, element: Option<(&Value, &Value)>) -> ExpandedBlock {
        let unknown = match &self.elements {
            Elements::Known(_) => None,
            Elements::Unknown(origins) => Some(origins.clone()),
        };
        let nothing = || Value::unknown_from(Type::Dynamic, unknown.clone().unwrap_or_default());
        let (key, value) = match element {
            Some((key, value)) => (key.clone(), value.clone()),
            None => (nothing(), nothing()),
        };
        let iterators = Iterators {
            name: self.iterator.clone(),
            object: Value::object([("key".into(), key), ("value".into(), value)]),
            outer: body.iterators.clone(),
        };
        ExpandedBlock {
            block_type: self.block_type.clone(),
            labels: Vec::new(),
            header_span: self.header_span,
            body: Expanded {
                body: self.content.body.clone(),
                iterators: Some(Arc::new(iterators)),
                marks: self.marks.clone(),
                unknown: body.unknown.clone().or(unknown),
            },
        }
    }
}

impl Iterators {
    /// The names of `dynamic` blocks with the values that they stand for, outermost first.
    fn bindings(&self) -> Vec<(&str, &Value)> {
        let mut bindings = self.outer.as_deref().map(Iterators::bindings).unwrap_or_default();
        bindings.push((&self.name, &self.object));
        bindings
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
