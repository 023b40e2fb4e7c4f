//! Warns of attributes that conversion to the type of a variable drops: usually misspelt names of optional attributes.

use terrane_source::{Diagnostic, Diagnostics, Span, ids};
use terrane_syntax::tree::{Literal, ObjectItem};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{ClosestNames, ObjectType, Type};

/// Warns of the attributes in `expression` that its conversion to `ty` drops. `owner` names the declaration with the type, such as
/// `the variable "v"`.
pub(crate) fn check(
    expression: &Expression,
    ty: &Type,
    owner: &str,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    IgnoreChecker { tree: &expression.tree, owner, closest_names, diagnostics }.check(expression.id, ty);
}

struct IgnoreChecker<'c> {
    tree: &'c Tree,
    owner: &'c str,
    closest_names: &'c ClosestNames,
    diagnostics: &'c mut Diagnostics,
}

impl IgnoreChecker<'_> {
    /// The depth is bounded by the depth of types.
    fn check(&mut self, id: ExprId, ty: &Type) {
        match (ty, self.tree.expr(id)) {
            (Type::Object(object), Expr::Object(items)) => {
                for item in self.tree.list(items) {
                    self.item(item, object, self.tree.span(id));
                }
            }
            (Type::Map(element), Expr::Object(items)) => {
                for item in self.tree.list(items) {
                    if self.key(item.key).is_some() {
                        self.check(item.value, element);
                    }
                }
            }
            (Type::List(element) | Type::Set(element), Expr::Tuple(elements)) => {
                for expression in self.tree.list(elements) {
                    self.check(*expression, element);
                }
            }
            (Type::Tuple(types), Expr::Tuple(elements)) => {
                let elements = self.tree.list(elements);
                if elements.len() == types.len() {
                    for (expression, ty) in elements.iter().zip(types.iter()) {
                        self.check(*expression, ty);
                    }
                }
            }
            (Type::Map(element), Expr::For(id)) => self.each(self.tree.for_expr(id), true, element),
            (Type::List(element) | Type::Set(element), Expr::For(id)) => {
                self.each(self.tree.for_expr(id), false, element);
            }
            _ => {}
        }
    }

    /// Checks the element of a `for` expression.
    fn each(&mut self, each: &terrane_syntax::tree::For, keyed: bool, element: &Type) {
        if each.key.is_some() == keyed {
            self.check(each.value, element);
        }
    }

    fn item(&mut self, item: &ObjectItem, object: &ObjectType, context: Span) {
        let Some(name) = self.key(item.key) else { return };
        if let Some(ty) = object.get(&name) {
            let ty = ty.clone();
            return self.check(item.value, &ty);
        }
        let detail = format!(
            "The type of {} has no attribute named \"{name}\" here, so its value is not used. Remove it, or correct the name.",
            self.owner
        );
        let names = object.attributes().iter().map(|(name, _)| &**name);
        let diagnostic = Diagnostic::warning(ids::IGNORED_ATTRIBUTE, detail)
            .at(self.tree.source(), self.tree.span(item.key))
            .within(context);
        let nearest = self.closest_names.of(&name, names);
        self.diagnostics.push(diagnostic.suggest(&name, nearest));
    }

    /// Returns the name of a literal key.
    fn key(&self, id: ExprId) -> Option<String> {
        if let Some(name) = self.tree.plain_key(id) {
            return Some(name.to_owned());
        }
        let Expr::Literal(Literal::String(text)) = self.tree.expr(id) else { return None };
        Some(self.tree.text(text).to_owned())
    }
}
