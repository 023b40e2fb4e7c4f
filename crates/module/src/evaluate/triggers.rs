//! Decides which instances `replace_triggered_by` replaces in a plan that begins with a state.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_config::address::InstanceKey;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::{SmolStr, Type, Value, ops};

use crate::evaluate::builtin_provider::{self, is_equal};
use crate::evaluate::given::InstanceAddress;
use crate::evaluate::prior::PriorResource;
use crate::evaluate::sensitivity::{gains_secret, sensitivity_changes};
use crate::expansion;
use crate::model::module::{Module, Resource};
use crate::model::part_step::PartStep;
use crate::model::references::{ChosenInstances, InstanceReference};
use crate::resolve::triggers::is_readable_key;
use crate::state::scope::ModuleScope;

/// The items of `replace_triggered_by` of a resource. Keeps the answers for its instances, so that each instance that
/// an item names is compared with the state once.
#[derive(Default)]
pub(super) struct Triggers {
    found: OnceCell<Vec<TriggerAnswers>>,
}

/// The answers for one item.
#[derive(Default)]
struct TriggerAnswers {
    /// Whether any instance that the item names changes.
    any: OnceCell<bool>,
    /// Whether a part of an instance changes, for the parts that were asked for.
    parts: RefCell<BTreeMap<ChosenPart, bool>>,
}

/// A part of an instance that an item names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ChosenPart {
    /// The key of the instance.
    key: InstanceKey,
    /// The steps from the instance to the part; empty for the whole instance.
    steps: Vec<PartStep>,
}

/// An item of `replace_triggered_by`.
#[derive(Clone, Copy)]
struct TriggerItem<'t> {
    owner: &'t PriorResource<'t>,
    /// The scope of an instance of the resource with the item.
    names: &'t ModuleScope<'t>,
    reference: &'t InstanceReference,
    written: &'t Expression,
}

impl Triggers {
    /// Whether an item of `replace_triggered_by` of `owner` changes, or may change, for the
    /// instance with the scope `names`.
    pub(super) fn replace(&self, owner: &PriorResource<'_>, names: &ModuleScope<'_>) -> bool {
        let written = &owner.resource.lifecycle.replace_triggered_by;
        let found = self.found.get_or_init(|| written.iter().map(|_| TriggerAnswers::default()).collect());
        let mut items = written.iter().zip(owner.replacing).zip(found);
        items.any(|((item, reference), found)| {
            let Some(reference) = reference.as_ref() else { return false };
            TriggerItem { owner, names, reference, written: item }.changes(found)
        })
    }
}

impl TriggerItem<'_> {
    fn changes(&self, found: &TriggerAnswers) -> bool {
        let expansion = &self.owner.environment.evaluation.instances[self.names.instance].resources
            [self.reference.resource]
            .expansion;
        if expansion.unknown().is_some() {
            return true;
        }
        let key = match &self.reference.instances {
            ChosenInstances::All => {
                let any = || expansion.values().any(|(key, value)| self.is_changed(&key, &[], &value));
                return *found.any.get_or_init(any);
            }
            ChosenInstances::Single => InstanceKey::None,
            ChosenInstances::Key(key) => {
                let Some(key) = self.key(key) else { return true };
                key
            }
        };
        let Some(steps) = self.part_steps() else { return true };
        let part = ChosenPart { key, steps };
        if let Some(is_changed) = found.parts.borrow().get(&part) {
            return *is_changed;
        }
        let value = expansion.value(&part.key);
        let is_changed = value.is_some_and(|value| self.is_changed(&part.key, &part.steps, &value));
        found.parts.borrow_mut().insert(part, is_changed);
        is_changed
    }

    /// Returns the value of a key in brackets; `None` if it is unknown.
    fn key(&self, key: &Expression) -> Option<InstanceKey> {
        let value = self.owner.environment.value(key, self.names, &mut Diagnostics::new());
        expansion::instance_key(&value)
    }

    /// Returns the steps from the instance to the part that the item names; `None` if a key is unknown.
    fn part_steps(&self) -> Option<Vec<PartStep>> {
        let tree = &self.written.tree;
        let step = |step: &Step| match step {
            Step::Attr { name, .. } => Some(PartStep::Attribute(tree.slice(*name).into())),
            Step::LegacyIndex { digits, .. } => Some(PartStep::Index(tree.slice(*digits).parse().ok()?)),
            Step::Index { key, .. } => {
                PartStep::of_key(self.key(&Expression { tree: Arc::clone(tree), id: *key })?)
            }
        };
        self.reference.part.iter().map(step).collect()
    }

    /// Whether an instance that the item names changes, or its part after the steps `part`.
    fn is_changed(&self, key: &InstanceKey, part: &[PartStep], value: &Value) -> bool {
        let TriggerItem { owner, names, reference, .. } = *self;
        let evaluation = owner.environment.evaluation;
        let (resource_key, resource) = names.module().resources.entry_of(reference.resource);
        let state = &evaluation.instances[names.instance];
        let address = evaluation.address(names.instance, resource_key.object(key.clone())).to_string();
        let instance = InstanceAddress { address: &address, module: &state.path, key };
        let schemas = &evaluation.config.request.schemas;
        let schema = schemas.resource(names.module(), resource_key, resource).map(|schema| &**schema);
        let is_terraform_data = builtin_provider::is_terraform_data(names.module(), resource_key, resource);
        let own = PriorResource { key: resource_key, resource, schema, is_terraform_data, ..*owner };
        let recorded = own.object(names, &instance, value, &mut Diagnostics::new());
        let imported = || own.imported(&instance, &own.import_ids(state.node));
        let Some(prior) = recorded.or_else(imported) else {
            // The creation of an object replaces no other object.
            return own.has_object(&instance);
        };
        let (Some(planned), Some(recorded)) = (value.known_attributes(), prior.recorded.as_entries()) else {
            return true;
        };
        let has_types = own.schema.is_some();
        own.compared(&prior, false, |sameness| {
            let is_same = |planned: &Value, recorded: &Value| match is_terraform_data {
                true => is_equal(planned, recorded),
                false => !planned.is_wholly_unknown() && sameness.is_same(planned, recorded),
            };
            if part.is_empty() {
                let is_kept = |(name, recorded): (&SmolStr, &Value)| {
                    planned.get(name).is_some_and(|value| is_same(value, recorded))
                };
                return prior.is_tainted
                    || !recorded.iter().all(is_kept)
                    || !sensitivity_changes(value, &prior.recorded, prior.marks).is_empty();
            }
            match (part_of(value, part, has_types), part_of(&prior.recorded, part, has_types)) {
                (Some(planned), Some(recorded)) => {
                    !is_same(&planned, &recorded)
                        || gains_secret(&planned, &recorded, prior.marks)
                        || has_types && gains_secret(&recorded, &planned, prior.marks)
                }
                (planned, recorded) => planned.is_some() != recorded.is_some(),
            }
        })
    }
}

/// Reports items of `replace_triggered_by` whose instance keys a plan cannot read. Returns whether there are any.
/// Unlike the keys of other references, they are not evaluated.
pub(super) fn report_keys(
    resource: &Resource,
    triggers: &[Option<InstanceReference>],
    module: &Module,
    address: &str,
    diagnostics: &mut Diagnostics,
) -> bool {
    let before = diagnostics.len();
    for (item, trigger) in resource.lifecycle.replace_triggered_by.iter().zip(triggers) {
        let Some(InstanceReference { instances: ChosenInstances::Key(key), .. }) = trigger else { continue };
        if !is_readable_key(key, module) {
            let detail = format!(
                "An instance key in `replace_triggered_by` of `{address}` is not a constant. It must be a string or a number \
                 without operators, interpolation or parentheses, or else `count.index` or `each.key`."
            );
            let diagnostic = Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail);
            diagnostics.push(diagnostic.titled(titles::INVALID_EXPRESSION).at(item.source(), key.span()));
        }
    }
    diagnostics.len() > before
}

/// Returns the part of an object after some steps, as Terraform and OpenTofu read it; `None` if they find nothing. With
/// types, `["key"]` selects an element of a map, `.name` an attribute of an object, and an unknown value of dynamic
/// type has no parts. Without types, objects and maps cannot be told apart.
fn part_of(object: &Value, steps: &[PartStep], has_types: bool) -> Option<Value> {
    steps.iter().try_fold(object.clone(), |value, step| {
        let ty = value.unmarked().ty();
        match step {
            PartStep::Attribute(name) if !has_types || matches!(ty, Type::Object(_)) => {
                ops::attribute(&value, name).ok()
            }
            PartStep::Key(name) if !has_types || matches!(ty, Type::Map(_)) => {
                ops::index(&value, &Value::from(name.as_str())).ok()
            }
            PartStep::Index(index) if !has_types || matches!(ty, Type::List(_) | Type::Tuple(_)) => {
                ops::index(&value, &Value::from(i64::try_from(*index).ok()?)).ok()
            }
            PartStep::Attribute(_) | PartStep::Key(_) | PartStep::Index(_) => None,
        }
    })
}
