//! Finds the `optional` attribute whose default is a part of the value of a variable.

use std::sync::Arc;

use terrane_module::module::Variable;
use terrane_source::Subject;
use terrane_syntax::tree::Expr;
use terrane_syntax::{ExprId, Expression, Tree};
use terrane_value::Value;

use super::path::{self, Key};

/// Returns the place of the default in the type of a variable that fills the part at a path. `None` if the `given` value has
/// the part. `completed` is the value of the variable.
pub(super) fn default_place(
    variable: &Variable,
    given: &Value,
    completed: &Value,
    path: &[Key],
) -> Option<Subject> {
    let lacking = lacking(given, path)?;
    path::part(completed, path.get(..=lacking)?)
        .filter(|part| !part.is_null() || lacking + 1 == path.len())?;
    let ty = variable.written_type.as_ref()?;
    let mut of_type = TypePath { tree: &ty.tree, id: ty.id };
    for key in path.get(..=lacking)? {
        of_type = of_type.part(key)?;
    }
    let id = of_type.default_of(path.get(lacking + 1..)?);
    let expression = Expression { tree: Arc::clone(&ty.tree), id };
    Some(Subject { file: Arc::clone(expression.source()), span: expression.span() })
}

/// Returns the position of the first step in a path to an attribute that is missing in the value or null.
pub(super) fn lacking(value: &Value, path: &[Key]) -> Option<usize> {
    let mut at = value.clone();
    for (index, key) in path.iter().enumerate() {
        match (path::part(&at, std::slice::from_ref(key)), key) {
            (Some(inner), Key::Name(_)) if inner.is_null() => return Some(index),
            (Some(inner), _) => at = inner,
            (None, Key::Name(_)) if at.unmarked().as_entries().is_some() => return Some(index),
            (None, _) => return None,
        }
    }
    None
}

/// A type in a type expression.
#[derive(Clone, Copy)]
struct TypePath<'t> {
    tree: &'t Tree,
    id: ExprId,
}

impl<'t> TypePath<'t> {
    fn at(self, id: ExprId) -> TypePath<'t> {
        TypePath { id, ..self }
    }

    /// Returns the arguments of a call, if it calls one of these functions.
    fn arguments(self, names: &[&str]) -> Option<&'t [ExprId]> {
        let Expr::Call(call) = self.tree.inside_parentheses(self.id).1 else { return None };
        let call = self.tree.call(call);
        names.contains(&self.tree.slice(call.name)).then(|| self.tree.list(call.arguments))
    }

    /// Returns the type of the part at a step, including its call of `optional`.
    fn part(self, key: &Key) -> Option<TypePath<'t>> {
        let own = self.arguments(&["optional"]).and_then(|arguments| arguments.first());
        let own = own.map_or(self, |id| self.at(*id));
        if let Some([element, ..]) = own.arguments(&["list", "set", "map"]) {
            return Some(self.at(*element));
        }
        let [parts, ..] = own.arguments(&["object", "tuple"])? else { return None };
        self.at(*parts).item(key)
    }

    /// Returns the item of a literal object or tuple.
    fn item(self, key: &Key) -> Option<TypePath<'t>> {
        match (self.tree.inside_parentheses(self.id).1, key) {
            (Expr::Object(items), Key::Name(name)) => {
                let is_named = |id: ExprId| self.tree.plain_key(id).is_some_and(|key| key == name.as_str());
                let mut items = self.tree.list(items).iter();
                items.find(|item| is_named(item.key)).map(|item| self.at(item.value))
            }
            (Expr::Tuple(elements), Key::Position(position)) => {
                self.tree.list(elements).get(*position).map(|id| self.at(*id))
            }
            (_, _) => None,
        }
    }

    /// Returns the innermost default of an optional attribute that contains the part at a path, or the attribute itself if it
    /// has no default.
    fn default_of(self, path: &[Key]) -> ExprId {
        let default = self.arguments(&["optional"]).and_then(|arguments| arguments.get(1));
        let mut found = default.map_or(self, |id| self.at(*id));
        let mut ty = Some(self);
        for (index, key) in path.iter().enumerate() {
            ty = ty.and_then(|ty| ty.part(key));
            match (found.item(key), ty) {
                (Some(inner), _) => found = inner,
                // The default lacks the inner attribute, so that one is optional too.
                (None, Some(attribute)) => {
                    return attribute.default_of(path.get(index + 1..).unwrap_or_default());
                }
                (None, None) => break,
            }
        }
        found.id
    }
}
