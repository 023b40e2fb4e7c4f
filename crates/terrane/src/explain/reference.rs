//! Finds the object or the bound name that a reference leads to.

use terrane_config::InstanceKey;
use terrane_module::InstanceId;
use terrane_module::model::references::BuiltIn;
use terrane_module::module::Repetition;
use terrane_module::place::ScopeBlock;
use terrane_module::resolve::root::{Named, RootedReference, attribute, whole_reference};
use terrane_syntax::Expr;
use terrane_value::Value;

use super::builder::{Builder, ObjectId, ObjectPart, ObjectRef};
use super::key_source::KeySource;
use super::model::{ExplainNode, ExplainNodeId, InputRole, NodeInput, NodeKind};
use super::path::{self, Key};
use super::site::{Bound, BoundKind, ExpressionPart};

impl<'r> Builder<'r> {
    /// Returns the node that a name with the path behind it leads to. `None` if the name leads to nothing.
    pub(super) fn reference(&mut self, part: &ExpressionPart<'r>, path: &[Key]) -> Option<ExplainNodeId> {
        let module = self.module(part.site.instance);
        let reference = whole_reference(&part.expression, module)?;
        if let Some(bound) = part.site.bound(reference.root).cloned() {
            return Some(self.bound(part, &bound, path));
        }
        let named = reference.named(module)?;
        match named {
            Named::BuiltIn(BuiltIn::CountIndex | BuiltIn::EachKey | BuiltIn::EachValue) => {
                self.repetition(part, reference.root, path)
            }
            Named::BuiltIn(
                BuiltIn::PathModule
                | BuiltIn::PathRoot
                | BuiltIn::PathCwd
                | BuiltIn::Workspace
                | BuiltIn::Applying,
            ) => Some(self.built_in(part, path)),
            Named::BuiltIn(BuiltIn::Itself)
            | Named::Variable(_)
            | Named::Local(_)
            | Named::Call(_)
            | Named::Resource(..) => {
                let found = self.object_named(part.site.instance, &reference, named, path)?;
                Some(self.object(found))
            }
        }
    }

    /// Returns the node that a name leads to with the steps behind it up to the first key that is not a constant. `None` if the name
    /// leads to nothing.
    pub(super) fn written_reference(&mut self, part: &ExpressionPart<'r>) -> Option<ExplainNodeId> {
        let Expr::Traversal { steps, .. } = part.expr() else { return None };
        let path = part.written_keys(part.expression.tree.list(steps));
        self.reference(part, &path)
    }

    /// Returns the object that a name with the path behind it leads to, and the path in the object. `None` for the name of
    /// anything else.
    pub(super) fn referenced(&self, part: &ExpressionPart<'r>, path: &[Key]) -> Option<ObjectPart> {
        let module = self.module(part.site.instance);
        let reference = whole_reference(&part.expression, module)?;
        if part.site.bound(reference.root).is_some() {
            return None;
        }
        self.object_named(part.site.instance, &reference, reference.named(module)?, path)
    }

    fn object_named(
        &self,
        instance: InstanceId,
        reference: &RootedReference<'_>,
        named: Named,
        path: &[Key],
    ) -> Option<ObjectPart> {
        let behind = |position: usize| path.get(position..).unwrap_or_default();
        let object = |object| ObjectRef { instance, object };
        match named {
            Named::Variable(id) => Some(object(ObjectId::Variable(id)).part(behind(1).to_vec())),
            Named::Local(id) => Some(object(ObjectId::Local(id)).part(behind(1).to_vec())),
            Named::Call(id) => Some(self.call_at(instance, id, behind(1))),
            Named::BuiltIn(_) => None,
            Named::Resource(id, step) => {
                let path = behind(step + 1);
                Some(match attribute(reference, step + 1) {
                    // A name without brackets behind it is an attribute.
                    Some(_) => object(ObjectId::Resource(id, InstanceKey::None)).part(path.to_vec()),
                    None => self.resource_at(instance, id, path),
                })
            }
        }
    }

    /// Returns the node of a name that a loop binds: the element of its collection, or the key of the element.
    fn bound(&mut self, part: &ExpressionPart<'r>, bound: &Bound<'r>, path: &[Key]) -> ExplainNodeId {
        let (is_element, rest) = match (bound.kind, path.split_first()) {
            (BoundKind::Value, _) => (true, path),
            (BoundKind::Iterator, Some((Key::Name(name), rest))) => (name == "value", rest),
            (BoundKind::Key | BoundKind::Iterator, _) => (false, path),
        };
        let collection = super::builder::secret((*bound.collection).clone(), part.site.is_secret);
        if let (true, Some(element)) = (is_element, &bound.element) {
            let steps = std::iter::once(element.clone()).chain(rest.iter().cloned()).collect();
            return self.follow(collection, steps);
        }
        let value = path::part(&bound.value, path).unwrap_or_else(Value::error);
        let key = bound.element.as_ref().map(|element| format!("of element {}", element.index()));
        let node = self.add(ExplainNode {
            text: Some(format!("{}{}", bound.name, path::text(path))),
            place: Some(part.place()),
            how: key,
            ..ExplainNode::new(NodeKind::Key, value)
        });
        // A position has no expression. A name is a key, which an expression may compute, or an element of a set.
        let (steps, role) = match &bound.element {
            Some(Key::Position(_)) => return node,
            Some(key) => match self.key_source(&collection, key) {
                KeySource::Written => return node,
                KeySource::Expression(key, role) => {
                    let child = self.follow(super::builder::secret(key, part.site.is_secret), Vec::new());
                    self.input(node, NodeInput::taken(child, role));
                    return node;
                }
                KeySource::Element => (vec![key.clone()], InputRole::Element),
            },
            None => (Vec::new(), InputRole::Collection),
        };
        if !collection.is_constant() {
            let child = self.follow(collection, steps);
            self.input(node, NodeInput::taken(child, role));
        }
        node
    }

    /// Returns the node of `each` or `count`: the element of `for_each`, or the key.
    fn repetition(&mut self, part: &ExpressionPart<'r>, root: &str, path: &[Key]) -> Option<ExplainNodeId> {
        let site = &part.site;
        let module = self.module(site.instance);
        let repetition = match site.block {
            ScopeBlock::Single => return None,
            ScopeBlock::Resource(id) => &module.resources.at(id).repetition,
            ScopeBlock::Call(id) => &module.calls.at(id).repetition,
        };
        let (first, rest) = path.split_first()?;
        let source = self.single(site.instance, repetition.expression()?)?;
        if let (Repetition::ForEach(_), Key::Name(name)) = (repetition, first)
            && name == "value"
            && let Some(key) = Key::of_instance(&site.key)
        {
            let is_set = path::is_set(&source.value());
            let key = match key {
                Key::Name(name) if is_set => Key::Member(Value::string(name)),
                key @ (Key::Name(_) | Key::Position(_) | Key::Member(_)) => key,
            };
            let steps = std::iter::once(key).chain(rest.iter().cloned()).collect();
            return Some(self.follow(super::builder::secret(source, site.is_secret), steps));
        }
        let value = part.value();
        let node = self.add(ExplainNode {
            text: Some(format!("{root}{}", path::text(path))),
            place: Some(source.place()),
            how: Some(format!("from {}", repetition.argument().unwrap_or_default())),
            ..ExplainNode::new(NodeKind::Key, value)
        });
        if !source.is_constant() {
            let child = self.follow(source, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Instances));
        }
        Some(node)
    }

    fn built_in(&mut self, part: &ExpressionPart<'r>, path: &[Key]) -> ExplainNodeId {
        let value = part.value();
        let root = part.expression.tree.root_name(part.expression.id).unwrap_or_default();
        self.add(ExplainNode {
            text: Some(format!("{root}{}", path::text(path))),
            place: Some(part.place()),
            ..ExplainNode::new(NodeKind::BuiltIn, value)
        })
    }
}
