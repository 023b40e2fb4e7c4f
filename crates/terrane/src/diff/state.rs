//! Compares the state that an evaluation begins with to its configuration.
//!
//! The objects of the state are one side, the planned instances the other. Values that the configuration leaves to the provider
//! are no differences. Providers may write equal values in other forms.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_config::Address;
use terrane_config::address::{ModulePath, Object, ResourceMode};
use terrane_config::state::StateOutput;
use terrane_module::sameness::{Comparisons, Extra, Sameness, is_unset, without_type};
use terrane_module::{PriorState, RecordedObject, recorded_objects, schemas};
use terrane_value::{Marks, SmolStr, Value, ValueKind, json};

use super::model::{Comparison, Incomplete};
use super::moves::Moves;
use super::pairs::{Pairs, counted};
use super::parts::{OneSide, Rules};
use super::{Sides, compared, is_output};
use crate::entry::{Entry, EntryKind};
use crate::marked_output::with_marked_output;
use crate::report::Report;
use crate::secrets::{Secrets, has_secret};

impl Report {
    /// Returns the differences between the state that the evaluation begins with and its configuration: managed resources and
    /// data sources of all modules, and outputs of the root module. `None` without a state.
    ///
    /// ```
    /// use terrane::{Change, MemoryFiles, Project, Secrets, state_from_json};
    ///
    /// let state = r#"{"version": 4, "resources": [{"mode": "managed", "type": "a_b", "name": "c",
    ///     "provider": "provider[\"registry.terraform.io/hashicorp/a\"]",
    ///     "instances": [{"attributes": {"id": "i-1", "size": 1}}]}]}"#;
    /// let files = MemoryFiles::from_iter([("main.tf", "resource \"a_b\" \"c\" { size = 2 }\n")]);
    /// let report = Project::new(".").state(state_from_json(state)?).evaluate(&files);
    /// let difference = report.diff_with_state(Secrets::Hidden).expect("there is a state");
    /// let object = &difference.resources[0];
    /// assert_eq!((object.change, object.parts[0].path.as_str()), (Change::Changed, ".size"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn diff_with_state(&self, secrets: Secrets) -> Option<Comparison> {
        let evaluation = self.evaluation();
        let prior = evaluation.config.prior()?;
        let recorded = recorded_objects(evaluation);
        let old: Vec<Entry> = recorded.iter().map(recorded_entry).chain(recorded_outputs(prior)).collect();
        let new: Vec<Entry> = self.entries().into_iter().map(without_computed).collect();
        let moved = recorded.into_iter().filter_map(|object| Some((object.address, object.previous?)));
        let sides = StateAndConfiguration { report: self, moved: moved.collect() };
        let moves = Moves::none();
        let pairs = |is_kind| Pairs::of(counted(&old, is_kind), counted(&new, is_kind), &moves);
        let compared = |is_kind| compared(pairs(is_kind), &sides);
        let (resources, outputs) = (compared(is_stored), compared(is_set_output));
        Some(Comparison { resources, outputs, incomplete: Incomplete::of(None, self), secrets })
    }
}

/// Whether a state stores objects of the kind of this entry.
fn is_stored(entry: &Entry) -> bool {
    matches!(entry.address.object, Object::Resource { mode: ResourceMode::Managed | ResourceMode::Data, .. })
}

/// Whether this is an output that a state stores.
fn is_set_output(entry: &Entry) -> bool {
    is_output(entry) && !entry.value.is_null()
}

/// Returns the entry of an object in the state.
fn recorded_entry(object: &RecordedObject) -> Entry {
    let is_terraform_data = is_terraform_data(&object.address);
    let value = if is_terraform_data { with_marked_output(&object.value) } else { object.value.clone() };
    Entry::new(object.address.clone(), EntryKind::Resource, value)
}

/// Returns the entries of the outputs in the state.
fn recorded_outputs(prior: &PriorState) -> impl Iterator<Item = Entry> {
    prior.state().outputs.iter().map(|(name, StateOutput { value, is_sensitive })| {
        let object = Object::Output(name.clone());
        let marks = if *is_sensitive { Marks::sensitive() } else { Marks::default() };
        let address = Address { module: ModulePath::ROOT, object };
        Entry::new(address, EntryKind::Output, value.clone().with_marks(&marks))
    })
}

fn is_terraform_data(address: &Address) -> bool {
    matches!(&address.object, Object::Resource { mode, resource_type: name, .. } if schemas::is_terraform_data(*mode, name))
}

/// Returns the entry without the attributes that the built-in provider computes, even if their values are known.
fn without_computed(entry: Entry) -> Entry {
    if !is_terraform_data(&entry.address) {
        return entry;
    }
    let Some(attributes) = entry.value.as_entries() else { return entry };
    let is_argument = |(name, _): &(&SmolStr, &Value)| !matches!(name.as_str(), "id" | "output");
    let arguments = attributes.iter().filter(is_argument);
    let value = Value::object(arguments.map(|(name, value)| (name.clone(), value.clone())));
    Entry { value, ..entry }
}

/// A state before, its configuration after.
struct StateAndConfiguration<'r> {
    report: &'r Report,
    /// The addresses of moved objects in the state, by their new addresses.
    moved: HashMap<Address, Address>,
}

impl Sides for StateAndConfiguration<'_> {
    fn rules<'e>(&'e self, entry: &'e Entry) -> Box<dyn Rules + 'e> {
        let Object::Resource { mode, resource_type, .. } = &entry.address.object else {
            return Box::new(RecordedOutput);
        };
        let schemas = &self.report.evaluation().config.request.schemas;
        let schema = entry.block.as_ref().and_then(|block| {
            let provider = schemas.provider(block.provider.as_ref()?)?;
            provider.resource(*mode, resource_type)
        });
        let address = entry.address.to_string();
        let is_exact = is_terraform_data(&entry.address);
        Box::new(RecordedInstance {
            address,
            is_ordered: schema.is_some(),
            is_exact,
            left: Comparisons::of(Arc::clone(self.report.evaluation().compared_texts())),
        })
    }

    fn previous(&self, before: &Entry, _: Option<&Entry>) -> Option<Address> {
        self.moved.get(&before.address).cloned()
    }

    fn is_out_of_sight(&self, entry: &Entry) -> bool {
        self.report.evaluation().config.is_missing_module(&entry.address.module)
    }
}

/// The rules for a recorded output: every difference counts that JSON can express.
struct RecordedOutput;

impl Rules for RecordedOutput {
    fn is_same(&self, before: &Value, after: &Value, _: Extra) -> bool {
        has_secret(before) == has_secret(after) && is_equal(before, after)
    }

    fn counts(&self, _: &Value, _: OneSide) -> bool {
        true
    }

    fn extra_of_element(&self, _: &Value) -> Extra {
        Extra::Changed
    }

    fn is_uncertain(&self, after: &Value) -> bool {
        after.is_wholly_unknown()
    }

    fn has_kinds(&self) -> bool {
        false
    }

    fn is_list(&self, after: &Value) -> bool {
        !matches!(after.kind(), ValueKind::Set(_))
    }

    fn before<'v>(&self, before: &'v Value, _: &Value) -> &'v Value {
        before
    }
}

/// The rules for the recorded object of an instance.
struct RecordedInstance {
    address: String,
    /// Whether the resource has a schema.
    is_ordered: bool,
    /// Whether the provider stores values exactly as they are configured, as the built-in provider does.
    is_exact: bool,
    /// The number of comparisons that are left for the object.
    left: Comparisons,
}

impl RecordedInstance {
    fn sameness(&self) -> Sameness<'_> {
        let RecordedInstance { address, is_ordered, left, .. } = self;
        Sameness { address, is_ordered: *is_ordered, is_planned: false, left }
    }
}

impl Rules for RecordedInstance {
    fn is_same(&self, before: &Value, after: &Value, extra: Extra) -> bool {
        let sameness = self.sameness();
        let is_equal = || match self.is_exact {
            true => is_equal(before, after),
            false => sameness.compare(after, before, extra),
        };
        sameness.is_left_to_provider(after) || is_equal()
    }

    fn counts(&self, value: &Value, side: OneSide) -> bool {
        match side {
            OneSide::Before(Extra::Computed) => false,
            OneSide::Before(Extra::Changed) => self.is_exact || !is_unset(value),
            OneSide::After => {
                !self.sameness().is_left_to_provider(value) && (self.is_exact || !is_unset(value))
            }
        }
    }

    fn extra_of_element(&self, after: &Value) -> Extra {
        if self.is_exact { Extra::Changed } else { self.sameness().extra_of_element(after) }
    }

    fn is_uncertain(&self, after: &Value) -> bool {
        after.is_wholly_unknown()
    }

    fn has_kinds(&self) -> bool {
        false
    }

    fn is_list(&self, after: &Value) -> bool {
        self.sameness().is_list(after)
    }

    fn before<'v>(&self, before: &'v Value, after: &Value) -> &'v Value {
        if self.is_ordered { before } else { without_type(after, before) }
    }

    fn has_time(&self) -> bool {
        self.left.has_more()
    }
}

/// Whether two values are wholly known and equal, apart from types and marks.
fn is_equal(one: &Value, other: &Value) -> bool {
    let (one, other) = (one.unmark_deep().0, other.unmark_deep().0);
    one.is_wholly_known() && other.is_wholly_known() && json::encode(&one).ok() == json::encode(&other).ok()
}
