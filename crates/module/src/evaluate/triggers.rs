//! Decides which instances `replace_triggered_by` replaces in a plan that begins with a state.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{SmolStr, Value};

use crate::evaluate::builtin_provider;
use crate::evaluate::given::GivenFor;
use crate::evaluate::prior::PriorResource;
use crate::evaluate::sameness::{ComparisonSteps, Comparisons, Sameness};
use crate::expansion;
use crate::model::module::Resource;
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::resolve::triggers::is_readable_key;
use crate::state::scope::ModuleScope;

/// The items of `replace_triggered_by` of a resource, with the answers for its instances so far: each instance that an item names is
/// compared with the state once.
#[derive(Default)]
pub(super) struct Triggers {
    found: OnceCell<Vec<Found>>,
    steps: ComparisonSteps,
}

/// The answers for one item.
#[derive(Default)]
struct Found {
    /// Whether any of the instances changes.
    any: OnceCell<bool>,
    /// Whether the instance with a key changes.
    keys: RefCell<BTreeMap<InstanceKey, bool>>,
}

/// An item of `replace_triggered_by`.
#[derive(Clone, Copy)]
struct Item<'t> {
    owner: &'t PriorResource<'t>,
    /// The scope of an instance of the owner.
    names: &'t ModuleScope<'t>,
    reference: &'t InstanceReference,
    /// The attribute, where not the whole is named.
    attribute: Option<&'t str>,
    steps: &'t ComparisonSteps,
}

impl Triggers {
    /// Whether an item of `replace_triggered_by` of `owner` changes, or may change, for the instance with the scope `names`.
    pub(super) fn replace(&self, owner: &PriorResource<'_>, names: &ModuleScope<'_>) -> bool {
        let written = &owner.resource.lifecycle.replace_triggered_by;
        let found = self.found.get_or_init(|| written.iter().map(|_| Found::default()).collect());
        let mut items = written.iter().zip(owner.replacing).zip(found);
        items.any(|((item, reference), found)| {
            let Some(reference) = reference.as_ref() else { return false };
            let steps = &self.steps;
            Item { owner, names, reference, attribute: attribute_of(item), steps }.changes(found)
        })
    }

    /// The steps of the comparisons so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}

impl Item<'_> {
    fn changes(&self, found: &Found) -> bool {
        let expansion = &self.owner.evaluation.instances[self.names.instance].resources
            [self.reference.resource]
            .expansion;
        if expansion.unknown().is_some() {
            return true;
        }
        let key = match &self.reference.instances {
            ChosenInstances::All => {
                let any = || expansion.iter().any(|(key, value)| self.is_changed(&key, value));
                return *found.any.get_or_init(any);
            }
            ChosenInstances::Single => InstanceKey::None,
            ChosenInstances::Key(key) => {
                let (names, files) = (self.names, self.owner.files);
                let value = self.owner.evaluation.expression(key, names, files, &mut Diagnostics::new());
                let Some(key) = expansion::instance_key(&value) else { return true };
                key
            }
        };
        if let Some(is_changed) = found.keys.borrow().get(&key) {
            return *is_changed;
        }
        let is_changed = expansion.get(&key).is_some_and(|value| self.is_changed(&key, value));
        found.keys.borrow_mut().insert(key, is_changed);
        is_changed
    }

    /// Whether an instance that the item names changes, or its attribute.
    fn is_changed(&self, key: &InstanceKey, value: &Value) -> bool {
        let Item { owner, names, reference, attribute, steps } = *self;
        let (resource_key, resource) = names.module().resources.entry_of(reference.resource);
        let state = &owner.evaluation.instances[names.instance];
        let address = owner.evaluation.address(names.instance, resource_key.object(key.clone())).to_string();
        let instance = GivenFor { address: &address, module: &state.path, key };
        let schemas = &owner.evaluation.config.request.schemas;
        let schema = schemas.resource(names.module(), resource_key, resource).map(|schema| &**schema);
        let is_terraform_data = builtin_provider::is_terraform_data(names.module(), resource_key, resource);
        let own = PriorResource { key: resource_key, resource, schema, is_terraform_data, ..*owner };
        let recorded = own.object(names, &instance, &mut Diagnostics::new());
        let imported = || own.imported(&instance, &own.import_ids(state.node));
        let Some(prior) = recorded.or_else(imported) else {
            // The creation of an object replaces no other.
            return own.has_object(&instance);
        };
        let (Some(planned), Some(recorded)) = (value.known_attributes(), prior.recorded.as_entries()) else {
            return true;
        };
        let left = Comparisons::default();
        let sameness =
            Sameness { address: &address, is_ordered: own.schema.is_some(), is_planned: false, left: &left };
        let is_same = |(name, recorded): (&SmolStr, &Value)| {
            planned
                .get(name)
                .is_some_and(|value| !value.is_wholly_unknown() && sameness.is_same(value, recorded))
        };
        let mut compared =
            recorded.iter().filter(|(name, _)| attribute.is_none_or(|attribute| attribute == name.as_str()));
        let is_changed = prior.is_tainted || !compared.all(is_same);
        steps.count(&prior.recorded, &left);
        is_changed
    }
}

/// Reports the items of `replace_triggered_by` whose instance keys a plan cannot read; whether there are any. Unlike the keys of other
/// references they are not evaluated.
pub(super) fn report_keys(
    resource: &Resource,
    triggers: &[Option<InstanceReference>],
    address: &str,
    diagnostics: &mut Diagnostics,
) -> bool {
    let before = diagnostics.len();
    for (item, trigger) in resource.lifecycle.replace_triggered_by.iter().zip(triggers) {
        let Some(InstanceReference { instances: ChosenInstances::Key(key), .. }) = trigger else { continue };
        if !is_readable_key(key) {
            let detail = format!(
                "An instance key in `replace_triggered_by` of `{address}` is not a constant. It must be a string or a number \
                 without operators, interpolation or parentheses, or else `count.index` or `each.key`."
            );
            let diagnostic = Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail);
            diagnostics.push(diagnostic.titled("Invalid expression").at(item.source(), key.span()));
        }
    }
    diagnostics.len() > before
}

/// The attribute that an item of `replace_triggered_by` names behind a resource.
fn attribute_of(item: &Expression) -> Option<&str> {
    let Expr::Traversal { steps, .. } = item.tree.expr(item.id) else { return None };
    item.tree.list(steps).iter().skip(1).find_map(|step| match step {
        Step::Attr { name, .. } => Some(item.tree.slice(*name)),
        Step::Index { .. } | Step::LegacyIndex { .. } => None,
    })
}
