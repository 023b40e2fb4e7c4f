//! Checks the attributes and indexes after the name of a resource against the schema of the
//! resource, before evaluation.

use terrane_body::{Nesting, Schema, SchemaBlock};
use terrane_eval::{Reference, literal_value, value_error_id};
use terrane_source::{Diagnostic, Title, ids, titles};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{ClosestNames, Number, Type, Value, ops};

use crate::model::schemas::BlockSchema;
use crate::resolve::root::is_literal;

type Found = Result<(), Box<Diagnostic>>;

/// Checks the steps of `reference` from `step` on. The check ends at a computed key, and at anything that may be
/// wrong only for some values.
pub(crate) fn check(
    reference: &Reference<'_>,
    step: usize,
    resource_type: &str,
    schema: Option<&BlockSchema>,
    closest_names: &ClosestNames,
) -> Found {
    let (Some(schema), Some(steps)) = (schema, reference.steps.get(step..)) else { return Ok(()) };
    let path = Path { reference, resource_type, closest_names };
    path.block(schema.schema(), steps)
}

struct Path<'p> {
    reference: &'p Reference<'p>,
    resource_type: &'p str,
    closest_names: &'p ClosestNames,
}

impl Path<'_> {
    fn block(&self, schema: &Schema, steps: &[Step]) -> Found {
        let Some((step, rest)) = steps.split_first() else { return Ok(()) };
        let name = match step {
            Step::Attr { name, .. } => self.reference.tree.slice(*name),
            Step::Index { key, .. } if !is_literal(self.reference, *key) => return Ok(()),
            Step::Index { .. } | Step::LegacyIndex { .. } => {
                let detail = "This is one object, without keys. Write a dot and the name of an attribute \
                              or block in it.";
                return Err(self.error(step, titles::INVALID_INDEX_OPERATION, detail.to_owned()));
            }
        };
        if let Some(attribute) = schema.attributes().get(name) {
            return self.attribute(&attribute.ty.without_optional(), rest);
        }
        if let Some(block) = schema.blocks().get(name) {
            return self.nested(name, block, rest);
        }
        Err(self.unknown_name(schema, step, name))
    }

    /// Checks the steps after the name of a nested block type, which is a collection if there may be several blocks.
    fn nested(&self, block_type: &str, block: &SchemaBlock, steps: &[Step]) -> Found {
        let Some((step, rest)) = steps.split_first() else { return Ok(()) };
        match (block.nesting, step) {
            (Nesting::Single | Nesting::Group, _) => self.block(&block.schema, steps),
            (Nesting::List | Nesting::Set | Nesting::Map, Step::Index { key, .. })
                if !is_literal(self.reference, *key) =>
            {
                Ok(())
            }
            (Nesting::Set, _) => {
                let detail = format!(
                    "The `{block_type}` blocks are a set, whose elements have no keys. Choose among them with a `for` \
                     expression with `if`, or make a list of them with `tolist`."
                );
                Err(self.error(step, titles::CANNOT_INDEX_A_SET_VALUE, detail))
            }
            (Nesting::List, Step::Attr { .. }) => {
                let detail = format!(
                    "The `{block_type}` blocks are a list: choose one with brackets, such as `{block_type}[0]`."
                );
                Err(self.error(step, titles::INVALID_OPERATION, detail))
            }
            (Nesting::List, Step::Index { .. } | Step::LegacyIndex { .. }) | (Nesting::Map, _) => {
                self.block(&block.schema, rest)
            }
        }
    }

    /// Checks the steps after an attribute, which may have any value of its type.
    fn attribute(&self, ty: &Type, steps: &[Step]) -> Found {
        let mut value = Value::unknown(ty.clone());
        for step in steps {
            let next = match step {
                Step::Attr { name, .. } => ops::attribute(&value, self.reference.tree.slice(*name)),
                Step::Index { key, .. } => match self.literal(*key) {
                    Some(key) => ops::index(&value, &key),
                    None => return Ok(()),
                },
                Step::LegacyIndex { digits, .. } => {
                    let Some(key) = Number::parse(self.reference.tree.slice(*digits)) else { return Ok(()) };
                    ops::index(&value, &Value::number(key))
                }
            };
            match next {
                Ok(next) => value = next,
                Err(error) => {
                    let is_searched = self.closest_names.count(error.compared_names());
                    let error = if is_searched { error.with_suggestions() } else { error };
                    let mut diagnostic = Diagnostic::error(value_error_id(error.kind), error.to_string());
                    diagnostic.hints = error.hints;
                    return Err(Box::new(diagnostic.at(self.reference.tree.source(), step.span())));
                }
            }
        }
        Ok(())
    }

    /// Returns the value of a literal key.
    fn literal(&self, key: ExprId) -> Option<Value> {
        let tree = self.reference.tree;
        let Expr::Literal(literal) = tree.expr(key) else { return None };
        match literal {
            Literal::String(_) | Literal::Number => Some(literal_value(tree, key, literal)),
            Literal::Bool(_) | Literal::Null => None,
        }
    }

    fn error(&self, step: &Step, title: Title, detail: String) -> Box<Diagnostic> {
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_ATTRIBUTE, detail).titled(title);
        Box::new(diagnostic.at(self.reference.tree.source(), step.span()))
    }

    fn unknown_name(&self, schema: &Schema, step: &Step, name: &str) -> Box<Diagnostic> {
        let names = schema.attributes().keys().chain(schema.blocks().keys());
        let detail =
            format!("`{}` has no attribute and no nested block named \"{name}\".", self.resource_type);
        let span = match step {
            Step::Attr { name, .. } => *name,
            Step::Index { .. } | Step::LegacyIndex { .. } => step.span(),
        };
        let diagnostic =
            Diagnostic::error(ids::UNSUPPORTED_ATTRIBUTE, detail).at(self.reference.tree.source(), span);
        let nearest = self.closest_names.of(name, names.map(|name| &**name));
        Box::new(diagnostic.suggest(name, nearest))
    }
}
