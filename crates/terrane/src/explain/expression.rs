//! Follows the part of an expression that was asked for: one rule for each form of expression.

use std::collections::VecDeque;

use terrane_module::place::count;
use terrane_source::Subject;
use terrane_syntax::tree::{BinaryOp, List, ObjectItem, Part as TemplatePart, Step};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::{Known, SmolStr, Value};

use super::builder::{Builder, Task};
use super::model::{ExplainNode, ExplainNodeId, InputRole, NodeInput, NodeKind};
use super::path::{self, Key};
use super::site::{ExpressionPart, KeyedPart};
use crate::secrets::{Secrets, has_secret};

/// The end of following a path: the expression that does more than select a part of another one.
pub(super) enum ResolvedPart<'r> {
    /// A reference, the path to follow behind its name, and how many steps of this path its own traversal has.
    Reference { part: ExpressionPart<'r>, path: Vec<Key>, own: usize },
    /// Anything else.
    Part(ExpressionPart<'r>, Vec<Key>),
}

impl<'r> Builder<'r> {
    /// Returns the node of the part of an expression at `path`, or the node of an object if the expression leads to one.
    pub(super) fn follow(&mut self, part: ExpressionPart<'r>, path: Vec<Key>) -> ExplainNodeId {
        match self.followed(part, path) {
            ResolvedPart::Reference { part, mut path, own } => match self.reference(&part, &path) {
                Some(node) => node,
                None => {
                    let rest = path.split_off(own);
                    self.part(part, rest)
                }
            },
            ResolvedPart::Part(part, path) => self.part(part, path),
        }
    }

    /// Returns the node of the expression at the place that the user asked for. If following the expression ends elsewhere,
    /// such as at the element of a collection, the node there becomes an input.
    pub(super) fn asked_part(&mut self, mut part: ExpressionPart<'r>) -> ExplainNodeId {
        while let Expr::Template { parts, .. } = part.expr()
            && let Some(inner) = only_interpolation(part.expression.tree.list(parts))
        {
            part = part.at(inner);
        }
        let (own, value, text) = (part.place(), part.value(), self.text(&part));
        let child = self.follow(part, Vec::new());
        let is_within = |other: &Subject| {
            let (outer, inner) = (own.span, other.span);
            own.file.id() == other.file.id() && outer.start <= inner.start && inner.end <= outer.end
        };
        let found = Some(&self.nodes[child]).filter(|node| node.kind == NodeKind::Expression);
        if found.and_then(|node| node.place.as_ref()).is_none_or(is_within) {
            return child;
        }
        let node = ExplainNode { text, place: Some(own), ..ExplainNode::new(NodeKind::Expression, value) };
        let node = self.add(node);
        self.input(node, NodeInput::taken(child, InputRole::Element));
        node
    }

    /// Returns the part of a constant at a path, as deep as the part is written as an expression of its own.
    pub(super) fn constant_at(&self, part: ExpressionPart<'r>, path: &[Key]) -> ExpressionPart<'r> {
        match self.followed(part, path.to_vec()) {
            ResolvedPart::Part(part, _) | ResolvedPart::Reference { part, .. } => part,
        }
    }

    fn part(&mut self, part: ExpressionPart<'r>, path: Vec<Key>) -> ExplainNodeId {
        let empty = ExplainNode::new(NodeKind::Expression, Value::NULL);
        let node = ExplainNode { place: Some(part.place()), ..empty };
        self.add_task(node, Task::Part(part, path))
    }

    /// Fills in the node of a part of an expression; its text only if `is_shown`. Returns the value of the whole expression.
    pub(super) fn fill_part(
        &mut self,
        node: ExplainNodeId,
        part: &ExpressionPart<'r>,
        path: &[Key],
        is_shown: bool,
    ) -> Value {
        let whole = part.value();
        let value = path::part(&whole, path).unwrap_or_else(Value::error);
        let text = if is_shown { self.text(part) } else { None };
        if part.is_secret() && path::part(&part.own_value(), path).is_some_and(|own| !has_secret(&own)) {
            self.declared_secrets.insert(node);
        }
        let path = if self.hides_keys(part) { String::new() } else { path::text(path) };
        let node = &mut self.nodes[node];
        node.value = value;
        if is_shown {
            (node.text, node.path) = (text, path);
        }
        whole
    }

    /// Whether keys in an expression are hidden together with its text. They may still choose the part to follow.
    pub(super) fn hides_keys(&self, part: &ExpressionPart<'_>) -> bool {
        part.is_secret() && self.secrets == Secrets::Hidden
    }

    /// Follows expressions that only select a part of another expression.
    pub(super) fn followed(&self, mut part: ExpressionPart<'r>, path: Vec<Key>) -> ResolvedPart<'r> {
        let mut path = VecDeque::from(path);
        loop {
            let next = match part.expr() {
                _ if part.has_computed_keys() => None,
                Expr::Parens(inner) => Some(inner),
                Expr::Template { parts, .. } => only_interpolation(part.expression.tree.list(parts)),
                Expr::Relative { source, steps } => self.keys_of(&part, steps).map(|keys| {
                    keys.into_iter().rev().for_each(|key| path.push_front(key));
                    source
                }),
                Expr::Splat { source, each, .. } => {
                    self.element_of_splat(&part, each, &mut path).then_some(source)
                }
                Expr::Object(items) => {
                    let name = path.front().and_then(|key| match key {
                        Key::Name(name) => Some(name.clone()),
                        Key::Position(_) | Key::Member(_) => None,
                    });
                    let item = name.and_then(|name| self.item(&part, items, &name)).map(|item| item.value);
                    item.inspect(|_| drop(path.pop_front()))
                }
                Expr::Tuple(elements) => {
                    let tree = &part.expression.tree;
                    let item = path.front().and_then(|key| match key {
                        Key::Position(position) => tree.list(elements).get(*position).copied(),
                        Key::Member(member) => {
                            let found = path::position_of(&part.value(), member)?;
                            tree.list(elements).get(found).copied()
                        }
                        Key::Name(_) => None,
                    });
                    item.inspect(|_| drop(path.pop_front()))
                }
                Expr::Traversal { steps, .. } => {
                    return match self.keys_of(&part, steps) {
                        Some(keys) => {
                            let own = keys.len();
                            let path = keys.into_iter().chain(path).collect();
                            ResolvedPart::Reference { part, path, own }
                        }
                        None => ResolvedPart::Part(part, path.into()),
                    };
                }
                Expr::Missing
                | Expr::Literal(_)
                | Expr::Item
                | Expr::Call(_)
                | Expr::Conditional { .. }
                | Expr::Binary { .. }
                | Expr::Unary { .. }
                | Expr::For(_) => None,
            };
            match next {
                Some(next) => part = part.at(next),
                None => return ResolvedPart::Part(part, path.into()),
            }
        }
    }

    fn keys_of(&self, part: &ExpressionPart<'r>, steps: List<Step>) -> Option<Vec<Key>> {
        part.keys(part.expression.tree.list(steps), |value| self.hides(value))
    }

    /// Turns a path in the result of a splat into a path in its source. Returns false if the path does not lead to one element.
    fn element_of_splat(&self, part: &ExpressionPart<'r>, each: ExprId, path: &mut VecDeque<Key>) -> bool {
        let Expr::Splat { source, .. } = part.expr() else { return false };
        let all: Vec<Key> = path.iter().cloned().collect();
        let Some((first @ Key::Position(_), rest)) = all.split_first() else { return false };
        let Some(behind) = self.item_path(part, each, rest.to_vec()) else { return false };
        let collection = part.at(source).own_value();
        // The elements of an unknown collection have the cause of the collection.
        let is_unknown =
            collection.unmarked().as_unknown().is_some_and(|unknown| matches!(unknown.known, Known::Nothing));
        if self.hides(&collection) || is_unknown {
            return false;
        }
        // A value that is no collection becomes the only element.
        let is_collection = collection.unmarked().as_sequence().is_some();
        *path = is_collection.then(|| first.clone()).into_iter().chain(behind).collect();
        true
    }

    /// Returns the path from the element of a splat to the part of its result at `rest`. Splats nest to a limited depth.
    fn item_path(&self, part: &ExpressionPart<'r>, each: ExprId, rest: Vec<Key>) -> Option<Vec<Key>> {
        match part.expression.tree.expr(each) {
            Expr::Item => Some(rest),
            Expr::Relative { source, steps } => {
                let mut keys = self.keys_of(part, steps)?;
                keys.extend(rest);
                self.item_path(part, source, keys)
            }
            Expr::Splat { source, each, .. } => {
                let (first, rest) = rest.split_first()?;
                let behind = self.item_path(part, each, rest.to_vec())?;
                self.item_path(part, source, std::iter::once(first.clone()).chain(behind).collect())
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Traversal { .. }
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => None,
        }
    }

    /// Returns the last item of an object with a key. `None` also if a later item may have the key.
    pub(super) fn item(
        &self,
        part: &ExpressionPart<'r>,
        items: List<ObjectItem>,
        name: &str,
    ) -> Option<ObjectItem> {
        let items = part.expression.tree.list(items).iter().rev();
        let mut found = items.map(|item| (self.item_key(part, item), *item));
        // An item whose key is unknown may be the wanted one.
        found
            .find(|(key, _)| key.as_deref().is_none_or(|key| key == name))
            .filter(|(key, _)| key.is_some())
            .map(|(_, item)| item)
    }

    pub(super) fn item_key(&self, part: &ExpressionPart<'r>, item: &ObjectItem) -> Option<SmolStr> {
        let tree = &part.expression.tree;
        if let Some(plain) = tree.plain_key(item.key) {
            return Some(SmolStr::from(plain));
        }
        let key = part.at(item.key).own_value();
        if self.hides(&key) { None } else { key.unmarked().as_str().map(SmolStr::from) }
    }

    /// Finds the inputs of an expression.
    pub(super) fn expand_part(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, path: &[Key]) {
        match part.expr() {
            Expr::Conditional { .. } => self.conditional(node, part, path),
            Expr::Call(call) => self.call(node, part, call, path),
            Expr::For(id) => self.for_expr(node, part, id, path),
            Expr::Object(items) => {
                let tree = &part.expression.tree;
                let items = tree.list(items).iter();
                let keys = items.clone().filter(|item| tree.plain_key(item.key).is_none());
                self.parts(node, InputRole::Key, keys.map(|item| KeyedPart::unkeyed(part.at(item.key))));
                for item in items {
                    let key = self.item_key(part, item).filter(|_| !self.hides_keys(part));
                    let key = key.map(|key| path::text(&[Key::Name(key)]));
                    self.parts(node, InputRole::Element, [KeyedPart { part: part.at(item.value), key }]);
                }
            }
            Expr::Tuple(elements) => {
                let elements = part.expression.tree.list(elements).iter().enumerate();
                let found = elements
                    .map(|(index, id)| KeyedPart { part: part.at(*id), key: Some(format!("[{index}]")) });
                self.parts(node, InputRole::Element, found);
            }
            Expr::Template { parts, .. } => self.template(node, part, parts),
            Expr::Traversal { steps, .. } => self.traversal(node, part, steps, path),
            Expr::Relative { source, .. } if part.has_computed_keys() => {
                self.relative(node, &part.at(source), part, path);
            }
            Expr::Binary { .. } => {
                let operands =
                    operands(&part.expression).into_iter().map(|id| KeyedPart::unkeyed(part.at(id)));
                self.parts(node, InputRole::Argument, operands);
            }
            Expr::Splat { source, .. } if self.has_few_elements(part, path) => {
                let count = count(&part.at(source).value()).unwrap_or_default();
                for position in 0..count {
                    let child = self.follow(part.clone(), vec![Key::Position(position)]);
                    self.input(
                        node,
                        NodeInput::taken(child, InputRole::Element).keyed(format!("[{position}]")),
                    );
                }
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Item
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Unary { .. }
            | Expr::Parens(_) => {
                let mut found = Vec::new();
                part.expression.tree.walk(part.expression.id, &mut |event| {
                    if let Event::Expr(id) = event {
                        found.push(id);
                    }
                });
                let found = found.into_iter().filter(|id| !is_in_splat(&part.expression, *id));
                self.parts(node, InputRole::Argument, found.map(|id| KeyedPart::unkeyed(part.at(id))));
            }
        }
    }

    /// Whether a splat has so few elements that each of them becomes an input.
    fn has_few_elements(&self, part: &ExpressionPart<'r>, path: &[Key]) -> bool {
        const MOST: usize = 20;
        let Expr::Splat { source, .. } = part.expr() else { return false };
        let collection = part.at(source).value();
        let is_few = count(&collection).is_some_and(|count| (1..=MOST).contains(&count));
        let is_sequence = collection.unmarked().as_sequence().is_some();
        // If an element cannot be followed, its input would be the splat again.
        let mut first = VecDeque::from([Key::Position(0)]);
        let Expr::Splat { each, .. } = part.expr() else { return false };
        path.is_empty() && is_few && is_sequence && self.element_of_splat(part, each, &mut first)
    }

    /// Adds the parts that are not constants as inputs.
    pub(super) fn parts(
        &mut self,
        node: ExplainNodeId,
        role: InputRole,
        parts: impl IntoIterator<Item = KeyedPart<'r>>,
    ) {
        for KeyedPart { part, key } in parts {
            if part.is_constant() {
                continue;
            }
            if self.is_full() {
                return;
            }
            let child = self.follow(part, Vec::new());
            if key.is_some() || !self.is_input(node, child) {
                self.input(node, NodeInput { key, ..NodeInput::taken(child, role) });
            }
        }
    }

    /// Adds the inputs of a traversal that has computed keys or whose name leads to no object.
    fn traversal(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, steps: List<Step>, path: &[Key]) {
        let Some(keys) = self.keys_of(part, steps) else { return self.unclear_traversal(node, part, steps) };
        let path: Vec<Key> = keys.into_iter().chain(path.iter().cloned()).collect();
        let child = self.reference(part, &path);
        self.indexed(node, child, part, steps);
    }

    /// Adds the inputs of `source` with computed keys behind it. If the keys are not known, the whole of `source` is the input.
    fn relative(
        &mut self,
        node: ExplainNodeId,
        source: &ExpressionPart<'r>,
        part: &ExpressionPart<'r>,
        path: &[Key],
    ) {
        let Expr::Relative { steps, .. } = part.expr() else { return };
        let keys = self.keys_of(part, steps);
        let path = keys.map(|keys| keys.into_iter().chain(path.iter().cloned()).collect());
        let child = self.follow(source.clone(), path.unwrap_or_default());
        self.indexed(node, Some(child), part, steps);
    }

    /// Adds the inputs of an expression with computed keys: `child`, the element that the keys choose, and the keys.
    fn indexed(
        &mut self,
        node: ExplainNodeId,
        child: Option<ExplainNodeId>,
        part: &ExpressionPart<'r>,
        steps: List<Step>,
    ) {
        if let Some(child) = child {
            self.input(node, NodeInput::taken(child, InputRole::Element));
        }
        for key in part.computed_keys(part.expression.tree.list(steps)) {
            let child = self.follow(key, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Key));
        }
    }

    /// Adds the inputs of a traversal with a key that is unknown or a secret: the object as a whole, and the keys.
    fn unclear_traversal(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, steps: List<Step>) {
        let written = part.expression.tree.list(steps);
        let certain = (0..=written.len()).rev().find_map(|count| {
            let keys = part.keys(written.get(..count)?, |value| self.hides(value))?;
            Some(keys)
        });
        if let Some(child) = certain.and_then(|keys| self.reference(part, &keys)) {
            self.input(node, NodeInput::taken(child, InputRole::Collection));
        }
        self.indexed(node, None, part, steps);
    }

    fn conditional(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, path: &[Key]) {
        let Expr::Conditional { condition, yes, no } = part.expr() else { return };
        let decided = part.at(condition);
        let value = decided.own_value();
        let branch = if self.hides(&value) { None } else { path::truth(&value) };
        if !decided.is_constant() {
            let child = self.follow(decided, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Condition));
        }
        let Some(is_first) = branch else {
            self.how(node, "the branch is not known");
            self.parts(
                node,
                InputRole::Branch,
                [(yes, "1"), (no, "2")]
                    .map(|(id, key)| KeyedPart { part: part.at(id), key: Some(key.to_owned()) }),
            );
            return;
        };
        let (taken, other) = if is_first { (yes, no) } else { (no, yes) };
        let (taken, other) = (part.at(taken), part.at(other));
        let passed = self.text(&other).map_or_else(String::new, |text| {
            format!(
                "; the {} is {}",
                if is_first { "second" } else { "first" },
                super::brief::shortened(&text, 40)
            )
        });
        let branch = if is_first { "first" } else { "second" };
        self.how(node, format!("{branch} branch{passed}"));
        if !taken.is_constant() {
            let child = self.follow(taken, path.to_vec());
            self.input(node, NodeInput::taken(child, InputRole::Branch));
        }
    }

    fn template(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, parts: List<TemplatePart>) {
        let tree = &part.expression.tree;
        let mut left: Vec<&TemplatePart> = tree.list(parts).iter().rev().collect();
        let mut has_loop = false;
        while let Some(piece) = left.pop() {
            match piece {
                TemplatePart::Literal { .. } => {}
                TemplatePart::Interpolation { expr, .. } => {
                    self.parts(node, InputRole::Argument, [KeyedPart::unkeyed(part.at(*expr))]);
                }
                TemplatePart::If(id) => {
                    let directive = tree.if_directive(*id);
                    let condition = part.at(directive.condition);
                    let value = condition.own_value();
                    let taken = match path::truth(&value).filter(|_| !self.hides(&value)) {
                        Some(true) => directive.yes,
                        Some(false) => directive.no,
                        None => List::EMPTY,
                    };
                    self.parts(node, InputRole::Condition, [KeyedPart::unkeyed(condition)]);
                    left.extend(tree.list(taken).iter().rev());
                }
                TemplatePart::For(id) => {
                    let collection = part.at(tree.for_directive(*id).collection);
                    self.parts(node, InputRole::Collection, [KeyedPart::unkeyed(collection)]);
                    has_loop = true;
                }
            }
        }
        if has_loop {
            // Parts within a loop refer to names that have no value outside of it.
            tree.free_traversals(part.expression.id, &mut |id| {
                self.parts(node, InputRole::Argument, [KeyedPart::unkeyed(part.at(id))]);
            });
        }
    }
}

/// Returns the expression of a template that consists of one interpolation. The value of the template is the value of that
/// expression.
fn only_interpolation(parts: &[TemplatePart]) -> Option<ExprId> {
    match parts {
        [TemplatePart::Interpolation { expr, .. }] => Some(*expr),
        _ => None,
    }
}

/// Returns the operands of an operator from first to last. For a chain of `&&`, `||` or one arithmetic operator, returns the
/// operands of the whole chain; an operand with another operator is one value.
fn operands(expression: &Expression) -> Vec<ExprId> {
    let tree = &expression.tree;
    let (mut at, mut found, mut chained) = (expression.id, Vec::new(), None);
    while let Expr::Binary { op, left, right } = tree.expr(at)
        && chained.is_none_or(|chained| chained == op)
    {
        found.push(right);
        at = left;
        chained = Some(op);
        if !is_chained(op) {
            break;
        }
    }
    found.push(at);
    found.reverse();
    found
}

/// Whether a chain of the operator is one computation with all operands.
fn is_chained(op: BinaryOp) -> bool {
    match op {
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo => true,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual => false,
    }
}

/// Whether an expression is the part of a splat behind the star, which has no value by itself.
fn is_in_splat(expression: &Expression, id: ExprId) -> bool {
    matches!(expression.tree.expr(expression.id), Expr::Splat { each, .. } if each == id)
}
