//! Finds the `import` block about an instance of a resource, and the expressions on a line of an `import` block.

use std::sync::Arc;

use terrane_config::InstanceKey;
use terrane_config::address::Object;
use terrane_module::InstanceId;
use terrane_module::module::Import;
use terrane_module::place::{ScopeBlock, count, element};
use terrane_source::{SourceFile, Span};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{SmolStr, Value};

use super::builder::{Builder, ObjectId, ObjectRef};
use super::path::Key;
use super::site::{Bound, BoundKind, ExplainSite, ExpressionPart};

/// The `import` block about an instance of a resource.
pub(super) struct Imported<'r> {
    pub(super) block: &'r Import,
    /// The names that the expressions of the block see. `None` if it is unclear which element of `for_each` imports the
    /// instance.
    site: Option<ExplainSite<'r>>,
}

impl<'r> Builder<'r> {
    /// Returns the `import` block about an instance of a resource. `None` with a state, which may contain the object already.
    pub(super) fn import(&self, object: &ObjectRef) -> Option<Imported<'r>> {
        let ObjectRef { instance, object: ObjectId::Resource(id, _) } = object else { return None };
        let (resource, _) = self.module(*instance).resources.entry_of(*id);
        let path = self.instance(*instance).path.without_keys();
        let wanted = self.steps_to(object);
        let has_state = self.evaluation().config.prior().is_some();
        let is_meant = |import: &Import| {
            import.to.resource.as_ref() == Some(resource) && import.to.module.without_keys() == path
        };
        let mut imports = self.imports().filter(|import| is_meant(import) && !has_state);
        imports.find_map(|block| {
            let Some(sites) = self.import_sites(block) else { return Some(Imported { block, site: None }) };
            let is_about =
                |site: &ExplainSite<'r>| self.import_target(block, site).is_none_or(|to| to == wanted);
            Some(Imported { block, site: Some(sites.into_iter().find(is_about)?) })
        })
    }

    /// Returns the `id` of the `import` block about an instance, if it is computed.
    pub(super) fn import_id(&self, object: &ObjectRef) -> Option<ExpressionPart<'r>> {
        let Imported { block, site } = self.import(object)?;
        Some(site?.part(block.id.clone()?)).filter(|part| !part.is_constant())
    }

    /// Returns the parts that an expression or a line of an `import` block is about, for each element of `for_each`. In `id` or
    /// `identity` that is the expression itself; on the line of `to`, the computed keys.
    pub(super) fn parts_of_import(
        &self,
        source: &SourceFile,
        line: Span,
        expression: &Expression,
    ) -> Vec<ExpressionPart<'r>> {
        let is_here = |whole: &&Expression| {
            let (own, inner) = (whole.span(), expression.span());
            whole.source().id() == source.id() && own.start <= inner.start && inner.end <= own.end
        };
        let mut found = Vec::new();
        for import in self.imports() {
            let sites = || self.import_sites(import).unwrap_or_default();
            if [&import.id, &import.identity].into_iter().flatten().any(|whole| is_here(&whole)) {
                found.extend(sites().iter().map(|site| site.part(expression.clone())));
            }
            let Some(to) = &import.to_expression else { continue };
            let begins_here = to.span().start < line.end && line.start < to.span().end;
            if to.source().id() == source.id() && begins_here {
                found.extend(sites().iter().flat_map(|site| computed_keys(&site.part(to.clone()))));
            }
        }
        found
    }

    fn imports(&self) -> impl Iterator<Item = &'r Import> + use<'r> {
        self.evaluation().config.root().module.imports.iter()
    }

    /// Returns the names that the expressions of an `import` block see, for each element of its `for_each`. `None` if the
    /// elements are not known.
    fn import_sites(&self, import: &'r Import) -> Option<Vec<ExplainSite<'r>>> {
        let outer = self.site(InstanceId::ROOT, ScopeBlock::Single, &InstanceKey::None)?;
        let Some(for_each) = &import.for_each else { return Some(vec![outer]) };
        let collection = Arc::new(outer.part(for_each.clone()));
        let value = collection.value();
        let count = count(&value).filter(|_| !self.hides(&value))?;
        let site = |position: usize| {
            let (key, one) = element(&value, position)?;
            Some(outer.inside([Bound {
                name: "each".into(),
                value: Value::object([("key".into(), key), ("value".into(), one)]),
                kind: BoundKind::Iterator,
                element: Key::of_element(&value, position),
                collection: Arc::clone(&collection),
            }]))
        };
        (0..count).map(site).collect()
    }

    /// Returns the steps of the address in `to`, behind its first name. `None` if a key is not known.
    fn import_target(&self, import: &Import, site: &ExplainSite<'r>) -> Option<Vec<Key>> {
        let part = site.part(import.to_expression.clone()?);
        let Expr::Traversal { steps, .. } = part.expr() else { return None };
        part.keys(part.expression.tree.list(steps), |value| self.hides(value))
    }

    /// Returns the steps of the address of a resource instance, behind its first name.
    fn steps_to(&self, object: &ObjectRef) -> Vec<Key> {
        let address = self.address(object);
        let mut steps = Vec::new();
        let mut add = |name: &SmolStr, key: &InstanceKey| {
            steps.extend([Key::Name(name.clone())].into_iter().chain(Key::of_instance(key)));
        };
        for step in address.module.steps() {
            add(&"module".into(), &InstanceKey::None);
            add(&step.name, &step.key);
        }
        if let Object::Resource { resource_type, name, key, .. } = &address.object {
            add(resource_type, &InstanceKey::None);
            add(name, key);
        }
        steps.into_iter().skip(1).collect()
    }
}

/// Returns the expressions in brackets of an address that are not constants.
fn computed_keys<'r>(to: &ExpressionPart<'r>) -> Vec<ExpressionPart<'r>> {
    let Expr::Traversal { steps, .. } = to.expr() else { return Vec::new() };
    let steps: &[Step] = to.expression.tree.list(steps);
    to.computed_keys(steps)
}
