//! Finds the expression that sets the key of an element, without evaluating the element.

use terrane_config::InstanceKey;
use terrane_module::InstanceId;
use terrane_module::module::Repetition;
use terrane_syntax::Expr;

use super::builder::{Builder, ObjectId, ObjectPart, ObjectRef};
use super::expression::ResolvedPart;
use super::model::InputRole;
use super::path::Key;
use super::site::ExpressionPart;

/// Limit on the local values that are followed from a loop to its collection.
const MAX_LOCALS: usize = 50;

/// The origin of a key.
pub(super) enum KeySource<'r> {
    /// The key is written as a constant.
    Written,
    /// The expression of a key, or the `for_each` of the block whose instances have the keys.
    Expression(ExpressionPart<'r>, InputRole),
    /// The key has no expression apart from its element.
    Element,
}

impl<'r> Builder<'r> {
    /// Returns the origin of the key of an element of a collection.
    pub(super) fn key_source(&self, collection: &ExpressionPart<'r>, key: &Key) -> KeySource<'r> {
        let Key::Name(name) = key else { return KeySource::Element };
        let mut at = collection.clone();
        for _ in 0..MAX_LOCALS {
            let (part, path) = match self.followed(at, Vec::new()) {
                ResolvedPart::Reference { part, path, .. } => (part, path),
                ResolvedPart::Part(part, _) => return self.key_of_item(&part, name),
            };
            let Some(ObjectPart { object: ObjectRef { instance, object }, path }) =
                self.referenced(&part, &path)
            else {
                return KeySource::Element;
            };
            let module = self.module(instance);
            let repetition = match &object {
                _ if !path.is_empty() => return KeySource::Element,
                ObjectId::Local(id) => match self.single(instance, &module.locals.at(*id).value) {
                    Some(value) => {
                        at = value;
                        continue;
                    }
                    None => return KeySource::Element,
                },
                ObjectId::Resource(id, InstanceKey::None) => &module.resources.at(*id).repetition,
                ObjectId::Call(id, InstanceKey::None) => &module.calls.at(*id).repetition,
                ObjectId::Resource(..) | ObjectId::Call(..) | ObjectId::Variable(_) | ObjectId::Output(_) => {
                    return KeySource::Element;
                }
            };
            return self.key_of_instance(instance, repetition);
        }
        KeySource::Element
    }

    /// Returns the origin of the key `name` of an object expression.
    fn key_of_item(&self, part: &ExpressionPart<'r>, name: &str) -> KeySource<'r> {
        let Expr::Object(items) = part.expr() else { return KeySource::Element };
        match self.item(part, items, name).map(|item| part.at(item.key)) {
            None => KeySource::Element,
            Some(key) if part.expression.tree.plain_key(key.expression.id).is_some() => KeySource::Written,
            Some(key) => KeySource::Expression(key, InputRole::Key),
        }
    }

    /// Returns the origin of the keys of the instances of a block.
    fn key_of_instance(&self, instance: InstanceId, repetition: &'r Repetition) -> KeySource<'r> {
        let Repetition::ForEach(expression) = repetition else { return KeySource::Element };
        match self.single(instance, expression) {
            Some(part) if part.is_constant() => KeySource::Written,
            Some(part) => KeySource::Expression(part, InputRole::Instances),
            None => KeySource::Element,
        }
    }
}
