//! The changes of outputs and resources in the plan document.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use terrane_config::address::{ModulePath, Object};
use terrane_config::state::StateOutput;
use terrane_module::module::Output;
use terrane_module::{DestroyReason, DestroyedObject};
use terrane_source::{Diagnostics, sorted_map};
use terrane_value::{SmolStr, Value, json};

use super::Plan;
use super::document_options::DocumentOptions;
use super::objects::ResourceNameJson;
use super::resources::{Order, PlannedAction, PlannedResource, order};
use super::value::{After, FlagTree, sensitive_parts, unknown_parts};
use crate::infinite::not_json;
use crate::secrets::{Secrets, has_secret};

/// The changes of all objects, in the order of their addresses, data sources first. The JSON of each is built when it is
/// written.
pub(super) struct ResourceChanges<'p> {
    objects: Vec<RecordedChange<'p>>,
    options: DocumentOptions<'p>,
}

impl ResourceChanges<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

impl Serialize for ResourceChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.objects.iter().map(|object| object.json(self.options)))
    }
}

enum RecordedChange<'p> {
    Planned(&'p PlannedResource<'p>),
    /// An object of the state without an instance in the configuration.
    Destroyed(&'p DestroyedObject),
}

#[derive(Serialize)]
struct ResourceChangeJson<'p> {
    #[serde(flatten)]
    name: ResourceNameJson<'p>,
    change: ChangeJson<'p>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action_reason: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct ChangeJson<'p> {
    actions: &'static [&'static str],
    /// Null if the object does not exist before.
    before: Option<BeforeJson<'p>>,
    /// Null if the object does not exist after.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Option<After<'p>>>,
    after_unknown: FlagTree,
    before_sensitive: FlagTree,
    after_sensitive: FlagTree,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replace_paths: Vec<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    importing: Option<ImportingJson<'p>>,
}

/// The value before the change.
#[derive(Serialize)]
#[serde(untagged)]
enum BeforeJson<'p> {
    Recorded(After<'p>),
    /// The object is imported, so only its provider knows its attributes.
    Imported {},
}

impl<'p> BeforeJson<'p> {
    fn of(value: &'p Value, secrets: Secrets) -> Option<BeforeJson<'p>> {
        After::of(value, secrets).map(BeforeJson::Recorded)
    }
}

#[derive(Serialize)]
struct ImportingJson<'p> {
    /// The identifier; left out if it is a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<After<'p>>,
    /// The identity, an object that some providers use in place of an identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<After<'p>>,
}

impl<'p> ImportingJson<'p> {
    fn of(found: &'p Value, secrets: Secrets) -> ImportingJson<'p> {
        let is_identity = found.unmarked().as_entries().is_some();
        let shown = After::of(found, secrets);
        match is_identity {
            true => ImportingJson { id: None, identity: shown },
            false => ImportingJson { id: shown, identity: None },
        }
    }
}

/// An output of the root module, or of the state.
pub(super) struct RootOutput<'p> {
    pub(super) name: &'p str,
    pub(super) value: &'p Value,
    pub(super) is_sensitive: bool,
}

/// An output of the root module before and after an apply.
pub(super) struct OutputChange<'p> {
    pub(super) before: Option<&'p Value>,
    pub(super) after: Option<&'p Value>,
    /// Whether the output is sensitive before or after.
    pub(super) is_sensitive: bool,
    /// Whether the output becomes sensitive or stops being so.
    changes_sensitivity: bool,
}

impl Plan<'_> {
    pub(super) fn resource_changes<'p>(
        &'p self,
        planned: &[&'p PlannedResource<'p>],
        options: DocumentOptions<'p>,
    ) -> ResourceChanges<'p> {
        let planned = planned.iter().map(|resource| RecordedChange::Planned(resource));
        let destroyed = self.destroyed.iter().map(RecordedChange::Destroyed);
        let mut objects: Vec<_> = planned.chain(destroyed).collect();
        objects.sort_by(|one, other| one.order().cmp(&other.order()));
        ResourceChanges { objects, options }
    }

    /// Returns the root outputs without an error; none if everything is destroyed.
    pub(super) fn root_outputs(&self) -> impl Iterator<Item = RootOutput<'_>> {
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let outputs = module.outputs.iter().zip(&root.outputs);
        let has_failed = |name: &SmolStr| {
            let output = Object::Output(name.clone());
            self.failures.as_ref().is_some_and(|failures| failures.has_output(&ModulePath::ROOT, &output))
        };
        let sound = outputs.filter(move |((name, _), _)| !self.is_destruction && !has_failed(name));
        sound.map(|((name, output), value)| RootOutput { name, value, is_sensitive: output.sensitive })
    }

    /// Returns an error for each output of the root module with an infinite number, which the document cannot express. Resources
    /// with such a number are errors of the [plan](Plan::diagnostics) itself.
    pub fn not_json(&self) -> Diagnostics {
        let evaluation = self.report.evaluation();
        let declared = &evaluation.config.node(evaluation.root().node).module.outputs;
        let infinite = self.root_outputs().filter(|output| output.value.contains_infinity());
        let error = |output: RootOutput<'_>| {
            let diagnostic = not_json(&format!("output.{}", output.name), "output");
            match declared.get(output.name) {
                Some(Output { declaration, .. }) => diagnostic.at(&declaration.file, declaration.span),
                None => diagnostic,
            }
        };
        infinite.map(error).collect()
    }

    /// Returns the root outputs that are secret, or have become so since the state was recorded, also outputs with an error.
    pub(super) fn secret_outputs(&self) -> BTreeSet<&str> {
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let outputs = module.outputs.iter().zip(&root.outputs);
        let secret = outputs.filter(|((_, output), value)| output.sensitive || has_secret(value));
        secret.map(|((name, _), _)| name.as_str()).collect()
    }

    /// Returns the outputs of the root module, and the outputs of the state that it no longer declares.
    pub(super) fn changed_outputs(&self) -> BTreeMap<&str, OutputChange<'_>> {
        let recorded = |name: &str| self.state().and_then(|state| state.outputs.get(name));
        let declared = self.root_outputs().map(|RootOutput { name, value, is_sensitive }| {
            let before = recorded(name);
            let changes_sensitivity = before.is_some_and(|before| before.is_sensitive != is_sensitive);
            let is_sensitive = is_sensitive || before.is_some_and(|before| before.is_sensitive);
            let before = before.map(|before| &before.value);
            (name, OutputChange { before, after: Some(value), is_sensitive, changes_sensitivity })
        });
        let mut all = sorted_map(declared);
        let root = self.report.evaluation().root();
        let module = &self.report.evaluation().config.node(root.node).module;
        let removed = self.state().into_iter().flat_map(|state| &state.outputs);
        let removed =
            removed.filter(|(name, _)| self.is_destruction || module.outputs.id_of(*name).is_none());
        let secret = match (self.is_destruction, self.secrets) {
            (true, Secrets::Hidden) => self.secret_outputs(),
            (true, Secrets::Shown) | (false, _) => BTreeSet::new(),
        };
        all.extend(removed.map(|(name, StateOutput { value, is_sensitive })| {
            let is_sensitive = *is_sensitive || secret.contains(name.as_str());
            let change =
                OutputChange { before: Some(value), after: None, is_sensitive, changes_sensitivity: false };
            (name.as_str(), change)
        }));
        all
    }

    pub(super) fn output_changes(&self) -> BTreeMap<&str, ChangeJson<'_>> {
        let changes = self.changed_outputs().into_iter();
        sorted_map(changes.map(|(name, change)| (name, change.json(self.secrets))))
    }

    /// Returns the root outputs that do not change.
    pub(super) fn kept_outputs(&self) -> BTreeSet<&str> {
        let changes = self.changed_outputs().into_iter();
        changes.filter(|(_, change)| change.actions() == ["no-op"]).map(|(name, _)| name).collect()
    }

    /// Whether any output changes.
    pub(super) fn changes_outputs(&self) -> bool {
        self.changed_outputs().values().any(|change| change.actions() != ["no-op"])
    }
}

impl<'p> OutputChange<'p> {
    fn actions(&self) -> &'static [&'static str] {
        match (self.before, self.after) {
            (None, Some(after)) if !after.is_null() => &["create"],
            (Some(before), Some(after))
                if self.changes_sensitivity || !is_same(before, after) || before.ty() != after.ty() =>
            {
                &["update"]
            }
            (Some(_), None) => &["delete"],
            (_, _) => &["no-op"],
        }
    }

    fn json(&self, secrets: Secrets) -> ChangeJson<'p> {
        let is_shown = !self.is_sensitive || secrets == Secrets::Shown;
        let unknown = self.after.and_then(|after| match is_shown {
            true => unknown_parts(after, secrets),
            false => (!after.is_wholly_known()).then_some(FlagTree::True),
        });
        let after = self.after.filter(|_| is_shown).and_then(|value| After::of(value, secrets));
        let sensitive = || if self.is_sensitive { FlagTree::True } else { FlagTree::False };
        ChangeJson {
            actions: self.actions(),
            before: self.before.filter(|_| is_shown).and_then(|value| BeforeJson::of(value, secrets)),
            after: if self.after.is_none() { Some(None) } else { after.map(Some) },
            after_unknown: unknown.filter(|shape| !shape.is_all_false()).unwrap_or(FlagTree::False),
            before_sensitive: sensitive(),
            after_sensitive: sensitive(),
            replace_paths: Vec::new(),
            importing: None,
        }
    }
}

/// Whether two values are wholly known and equal, apart from types, marks and the sign of a zero.
pub(super) fn is_same(before: &Value, after: &Value) -> bool {
    let (before, after) = (before.unmark_deep().0, after.unmark_deep().0);
    let is_text_same = || json::encode(&before).ok() == json::encode(&after).ok();
    after.is_wholly_known() && (before.same(&after) || is_text_same())
}

impl<'p> RecordedChange<'p> {
    fn order(&self) -> Order<'p> {
        match *self {
            RecordedChange::Planned(resource) => resource.order(),
            RecordedChange::Destroyed(destroyed) => {
                order(&destroyed.module, &destroyed.resource, &destroyed.key)
            }
        }
    }

    fn json(&self, options: DocumentOptions<'_>) -> ResourceChangeJson<'p> {
        match *self {
            RecordedChange::Planned(resource) => change(resource, options),
            RecordedChange::Destroyed(destroyed) => destruction(destroyed, options),
        }
    }
}

fn change<'p>(
    resource: &'p PlannedResource<'p>,
    DocumentOptions { rules, secrets }: DocumentOptions<'_>,
) -> ResourceChangeJson<'p> {
    let before = resource.before();
    ResourceChangeJson {
        name: ResourceNameJson::of(resource, rules).in_change(&resource.module, resource.previous()),
        change: ChangeJson {
            actions: resource.actions(),
            before: match before {
                Some(before) => BeforeJson::of(before, secrets),
                None => (resource.action == PlannedAction::Import).then_some(BeforeJson::Imported {}),
            },
            after: After::of(resource.shown(), secrets).map(Some),
            after_unknown: FlagTree::of_attributes(match resource.value.is_wholly_known() {
                true => None,
                false => unknown_parts(resource.shown_unknown(), secrets),
            }),
            before_sensitive: match before {
                Some(before) => FlagTree::of_attributes(sensitive_parts(before, secrets)),
                None if resource.action == PlannedAction::Import => FlagTree::of_attributes(None),
                None => FlagTree::False,
            },
            after_sensitive: FlagTree::of_attributes(sensitive_parts(&resource.value, secrets)),
            replace_paths: resource.replacing().into_iter().map(|name| [name]).collect(),
            importing: resource.import_id.as_ref().map(|found| ImportingJson::of(found, secrets)),
        },
        action_reason: resource.reason(),
    }
}

/// Returns the change of an object without an instance: its destruction.
fn destruction<'p>(
    destroyed: &'p DestroyedObject,
    DocumentOptions { rules, secrets }: DocumentOptions<'_>,
) -> ResourceChangeJson<'p> {
    let DestroyedObject { module, previous, before, is_forgotten, reason, deposed, .. } = destroyed;
    ResourceChangeJson {
        name: ResourceNameJson::of_destroyed(destroyed, rules)
            .in_change(module, previous.as_ref())
            .deposed(deposed.as_deref()),
        change: ChangeJson {
            actions: if *is_forgotten { &["forget"] } else { &["delete"] },
            before: BeforeJson::of(before, secrets),
            after: Some(None),
            after_unknown: FlagTree::of_attributes(None),
            before_sensitive: FlagTree::of_attributes(sensitive_parts(before, secrets)),
            after_sensitive: FlagTree::False,
            replace_paths: Vec::new(),
            importing: None,
        },
        action_reason: reason.map(DestroyReason::name),
    }
}
