//! The compiler of the fast path: one function for each form of expression.

use std::collections::BTreeMap;

use terrane_function::{Function, ResultType};
use terrane_source::Span;
use terrane_syntax::tree::{CallId, ForId, List, ObjectItem, Part, Step, UnaryOp};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Shape, SmolStr, Value, ValueKind};

use crate::fast::calls::MAX_ARGUMENTS;
use crate::fast::compiled::{
    Attribute, ForLoop, Form, Name, Node, NodeId, ObjectNode, Piece, STEPS_OF_ELEMENT,
};
use crate::fast::compiler::{Compiler, LoopSet, MAX_HEIGHT, Outcome};
use crate::functions::name::function_name;
use crate::plain::for_parts::ForBody;
use crate::plain::literal::literal_value;
use crate::state::budget::steps_of_text;

/// The result of compiling the parts of a template.
struct TemplateOutcome {
    loops: LoopSet,
    height: u8,
    /// The pieces; `None` if the rules evaluate a part.
    pieces: Option<Vec<Piece>>,
}

impl Compiler<'_> {
    /// Compiles an expression that is not a chain of operators.
    pub(super) fn expr(&mut self, id: ExprId) -> Outcome {
        let tree = self.tree;
        self.visited += 1;
        match tree.expr(id) {
            Expr::Missing => self.by_rules(id, LoopSet::MAX),
            Expr::Literal(written) => self.constant(id, literal_value(tree, id, written)),
            Expr::Item => match self.items.last() {
                Some(bit) => self.fast(id, 1 << bit, 0, Node::Item),
                None => self.by_rules(id, LoopSet::MAX),
            },
            Expr::Traversal { root_end, steps } => self.traversal(id, root_end, steps),
            Expr::Template { parts, .. } => self.template(id, parts),
            Expr::Relative { source, steps } => self.relative(id, source, steps),
            Expr::Splat { source, each, .. } => self.splat(id, source, each),
            Expr::Call(call) => self.call(id, call),
            Expr::Conditional { condition, yes, no } => {
                let parts = [condition, yes, no].map(|part| self.compile(part));
                self.operation(id, &parts, |nodes| {
                    let [condition, yes, no] = *nodes else { return None };
                    Some(Node::Conditional { condition, yes, no })
                })
            }
            // `compile` walks chains.
            Expr::Binary { .. } => self.compile(id),
            Expr::Unary { op, operand } => {
                let operand = self.compile(operand);
                self.operation(id, &[operand], |nodes| {
                    let [operand] = *nodes else { return None };
                    Some(match op {
                        UnaryOp::Not => Node::Not(operand),
                        UnaryOp::Negate => Node::Negate(operand),
                    })
                })
            }
            Expr::Tuple(elements) => self.tuple(id, elements),
            Expr::Object(items) => self.object(id, items),
            Expr::For(for_id) => self.for_expr(id, for_id),
            Expr::Parens(inner) => self.parens(id, inner),
        }
    }

    /// Compiles a splat with the steps after it. A splat without steps is left to the rules.
    fn splat(&mut self, id: ExprId, source: ExprId, each: ExprId) -> Outcome {
        let source = self.compile(source);
        let bit = self.enter_loop();
        self.items.push(bit);
        let each = self.compile(each);
        self.items.pop();
        let loops = source.loops | self.leave_loop(each.loops);
        let Some((source, each)) = source.operand.zip(each.operand) else { return self.by_rules(id, loops) };
        let node = Node::Splat { source: source.node, each: each.node };
        self.nested(id, loops, source.height.max(each.height), node)
    }

    fn for_expr(&mut self, id: ExprId, for_id: ForId) -> Outcome {
        let parts = self.tree.for_expr(for_id);
        let collection = self.compile(parts.collection);
        let first_name = self.outer_bindings + self.names.len();
        self.bind(parts.key_name, parts.value_name);
        let condition = parts.condition.map(|condition| self.compile(condition));
        let key = parts.key.map(|key| self.compile(key));
        let value = self.compile(parts.value);
        let of_body = [condition, key, Some(value)].into_iter().flatten();
        let loops = of_body.fold(0, |loops, part| loops | part.loops);
        let loops = collection.loops | self.unbind(parts.key_name, loops);
        let outcomes = [Some(collection), condition, key, Some(value)];
        let mut operands = outcomes.iter().flatten().map(|outcome| outcome.operand);
        let height = operands.clone().flatten().map(|operand| operand.height).max().unwrap_or(0);
        if operands.any(|operand| operand.is_none()) || parts.group {
            return self.by_rules(id, loops);
        }
        let [Some(collection), condition, key, Some(value)] =
            outcomes.map(|outcome| outcome.and_then(|outcome| outcome.operand).map(|operand| operand.node))
        else {
            return self.by_rules(id, loops);
        };
        if !condition.is_none_or(|condition| self.is_valid_for_unknowns(condition)) {
            return self.by_rules(id, loops);
        }
        let has_key_name = parts.key_name.is_some();
        let body = [parts.condition, parts.key, Some(parts.value)].into_iter().flatten();
        let steps = STEPS_OF_ELEMENT + body.map(|part| steps_of_text(self.tree.span(part))).sum::<u64>();
        let for_loop = ForLoop { collection, first_name, has_key_name, condition, key, value, steps };
        self.nested(id, loops, height, Node::For(Box::new(for_loop)))
    }

    /// Records an operation on operands of this height.
    fn nested(&mut self, id: ExprId, loops: LoopSet, height: u8, node: Node) -> Outcome {
        if height < MAX_HEIGHT { self.fast(id, loops, height + 1, node) } else { self.by_rules(id, loops) }
    }

    /// Whether a condition that is plain for each element has no error if the names of the loop are unknown. The rules
    /// check that first, and only functions could have such an error.
    fn is_valid_for_unknowns(&self, condition: NodeId) -> bool {
        let is_strict = |function: &Function| {
            let mut parameters = function.parameters.iter().chain(&function.variadic);
            matches!(function.result, ResultType::Fixed(_))
                && parameters.all(|parameter| !parameter.allow_unknown && !parameter.allow_open)
        };
        let mut left = vec![condition];
        while let Some(node) = left.pop().map(|id| self.code.node(id)) {
            if let Node::Call(function, _) = node {
                let function = self.functions.and_then(|functions| functions.plain_function(*function));
                if !function.is_some_and(is_strict) {
                    return false;
                }
            }
            node.for_each_operand(&mut |operand| left.push(operand));
        }
        true
    }

    fn call(&mut self, id: ExprId, call_id: CallId) -> Outcome {
        self.calls.push(call_id);
        let call = self.tree.call(call_id);
        let arguments = self.tree.list(call.arguments);
        let parts: Vec<Outcome> = arguments.iter().map(|argument| self.compile(*argument)).collect();
        let name = function_name(self.tree.slice(call.name));
        let loops = parts.iter().fold(0, |loops, part| loops | part.loops);
        // An impure function may give another value in each iteration.
        let Some(functions) = self.functions.filter(|functions| functions.is_pure(&name)) else {
            return self.by_rules(id, LoopSet::MAX);
        };
        let is_few = !call.expand_last && arguments.len() <= MAX_ARGUMENTS;
        match functions.plain(&name, arguments.len()).filter(|_| is_few) {
            Some(function) => self.operation(id, &parts, |nodes| Some(Node::Call(function, nodes.into()))),
            None => self.by_rules(id, loops),
        }
    }

    /// Compiles parentheses like the expression in them.
    fn parens(&mut self, id: ExprId, inner: ExprId) -> Outcome {
        let outcome = self.compile(inner);
        if let Some((last, form)) = self.forms.last()
            && *last == inner
        {
            let form = *form;
            self.forms.push((id, form));
        }
        outcome
    }

    fn object(&mut self, id: ExprId, items: List<ObjectItem>) -> Outcome {
        let is_json = self.tree.is_json_object(id);
        let mut loops = 0;
        let mut height = 0;
        let mut attributes = Some(BTreeMap::new());
        for item in self.tree.list(items) {
            let key = match self.tree.plain_key(item.key) {
                Some(name) => self.constant(item.key, Value::from(name)),
                None => self.compile(item.key),
            };
            loops |= key.loops;
            // In JSON, equal names are an error.
            let key = key.operand.filter(|_| !is_json).map(|key| self.code.node(key.node));
            let name = match key {
                Some(Node::Constant(name)) => Some(name.clone()),
                Some(_) | None => None,
            };
            let value = self.compile(item.value);
            loops |= value.loops;
            height = height.max(value.operand.map_or(0, |operand| operand.height));
            let Some((ValueKind::String(name), value)) = name.as_ref().map(Value::kind).zip(value.operand)
            else {
                attributes = None;
                continue;
            };
            // If two names are equal, the first value is not used, but it may have an error.
            attributes = attributes.and_then(|mut attributes| {
                attributes.insert(name.clone(), value.node).is_none().then_some(attributes)
            });
        }
        let Some(attributes) = attributes else { return self.by_rules(id, loops) };
        let (names, values): (Vec<SmolStr>, Vec<NodeId>) = attributes.into_iter().unzip();
        let shape: Shape = names.into_iter().collect();
        let object = ObjectNode { bytes: shape.bytes_of_values(), shape, values: values.into() };
        self.nested(id, loops, height, Node::Object(object))
    }

    fn tuple(&mut self, id: ExprId, elements: List<ExprId>) -> Outcome {
        let parts: Vec<Outcome> =
            self.tree.list(elements).iter().map(|element| self.compile(*element)).collect();
        self.operation(id, &parts, |nodes| Some(Node::Tuple(nodes.into())))
    }

    /// Returns the loops on which the condition and the body of a `for` depend.
    pub(super) fn for_body(&mut self, condition: Option<ExprId>, body: ForBody) -> LoopSet {
        let condition = condition.map_or(0, |condition| self.compile(condition).loops);
        condition
            | match body {
                ForBody::Values { key, value } => {
                    key.map_or(0, |key| self.compile(key).loops) | self.compile(value).loops
                }
                ForBody::Text(parts) => self.parts(parts).loops,
            }
    }

    fn traversal(&mut self, id: ExprId, root_end: u32, steps: List<Step>) -> Outcome {
        let tree = self.tree;
        let span = tree.span(id);
        let root = tree.slice(Span::new(span.start, root_end));
        let loops = self.steps(steps);
        let taken = tree.list(steps);
        let Some(bound) = self.names.iter().rev().find(|bound| bound.name == root) else {
            if taken.iter().all(|step| matches!(step, Step::Attr { .. })) {
                return self.fast(id, loops, 0, Node::Name(Name { root: root.into(), steps, span }));
            }
            return self.by_rules(id, loops);
        };
        let (index, loops) = (bound.index, loops | 1 << bound.bit);
        match taken {
            [] => self.fast(id, loops, 0, Node::Binding(index)),
            [Step::Attr { name, .. }] => {
                let attribute = Attribute::new(tree.slice(*name));
                self.fast(id, loops, 0, Node::BindingAttribute(index, attribute))
            }
            _ => {
                // The code of the loop is not empty then, so loops inside it are not compiled again.
                self.forms.push((id, Form::Rules));
                self.by_rules(id, loops)
            }
        }
    }

    fn relative(&mut self, id: ExprId, source: ExprId, steps: List<Step>) -> Outcome {
        let tree = self.tree;
        let loops = self.compile(source).loops | self.steps(steps);
        if let (Expr::Item, [Step::Attr { name, .. }]) = (tree.expr(source), tree.list(steps)) {
            return self.fast(id, loops, 0, Node::ItemAttribute(Attribute::new(tree.slice(*name))));
        }
        self.by_rules(id, loops)
    }

    /// Returns the loops on which the keys of computed indexes depend.
    fn steps(&mut self, steps: List<Step>) -> LoopSet {
        self.tree.list(steps).iter().fold(0, |loops, step| match step {
            Step::Attr { .. } | Step::LegacyIndex { .. } => loops,
            Step::Index { key, .. } => loops | self.compile(*key).loops,
        })
    }

    fn template(&mut self, id: ExprId, parts: List<Part>) -> Outcome {
        let outcome = self.parts(parts);
        match outcome.pieces {
            Some(pieces) => self.nested(id, outcome.loops, outcome.height, Node::Template(pieces.into())),
            None => self.by_rules(id, outcome.loops),
        }
    }

    fn parts(&mut self, parts: List<Part>) -> TemplateOutcome {
        let tree = self.tree;
        let mut outcome = TemplateOutcome { loops: 0, height: 0, pieces: Some(Vec::new()) };
        for part in tree.list(parts) {
            let (loops, piece) = match part {
                Part::Literal { text, .. } => (0, Some(Piece::Text(tree.text(*text).into()))),
                Part::Interpolation { expr, .. } => {
                    let part = self.compile(*expr);
                    outcome.height = outcome.height.max(part.operand.map_or(0, |operand| operand.height));
                    (part.loops, part.operand.map(|operand| Piece::Value(operand.node)))
                }
                Part::If(id) => {
                    let directive = tree.if_directive(*id);
                    let condition = self.compile(directive.condition).loops;
                    (condition | self.parts(directive.yes).loops | self.parts(directive.no).loops, None)
                }
                Part::For(id) => {
                    let directive = tree.for_directive(*id);
                    let collection = self.compile(directive.collection).loops;
                    self.bind(directive.key_name, directive.value_name);
                    let loops = self.parts(directive.body).loops;
                    (collection | self.unbind(directive.key_name, loops), None)
                }
            };
            outcome.loops |= loops;
            outcome.pieces = outcome.pieces.zip(piece).map(|(mut pieces, piece)| {
                pieces.push(piece);
                pieces
            });
        }
        outcome
    }
}
