//! The plan as text, in the layout of `terraform plan`.

mod budget;
mod comments;
mod comparer;
mod difference;
mod json_difference;
mod nested;
mod objects;
mod rendered;
mod sequences;
mod shown;
mod strings;

use std::fmt::{self, Write as _};
use std::sync::Arc;

use terrane_body::Body;
use terrane_module::DestroyedObject;
use terrane_module::module::ResourceKey;
use terrane_module::sameness::Comparisons;
use terrane_source::Diagnostic;
use terrane_value::display::quote;
use terrane_value::{Type, Value};

use self::budget::{PlanText, TextBudget};
use self::comments::{of_destroyed, of_resource};
use self::comparer::{Comparer, RecordedMarks, ValueSchema};
use self::difference::{Action, Kind, Side, ValueDifference};
use self::objects::ObjectComparer;
use self::rendered::{padded, width, written};
use self::shown::Shown;
use super::Plan;
use super::resources::{Order, PlannedAction, PlannedResource, order};
use crate::secrets::Secrets;

/// An object that the text lists.
enum Listed<'p> {
    Planned(&'p PlannedResource<'p>),
    Destroyed(&'p DestroyedObject),
}

impl<'p> Listed<'p> {
    fn order(&self) -> Order<'_> {
        match self {
            Listed::Planned(resource) => resource.order(),
            Listed::Destroyed(object) => order(&object.module, &object.resource, &object.key),
        }
    }
}

impl Plan<'_> {
    /// Returns the plan as text: the missing objects, the objects that change in the order of their addresses, their number,
    /// and the outputs.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if the text would be longer than 96 MiB, take too much work, or is not complete when the time of
    /// [`Limits::timeout`](terrane_function::Limits::timeout) is over.
    pub fn to_text(&self) -> Result<String, Box<Diagnostic>> {
        let limits = &self.report.evaluation().config.request.limits;
        let budget = TextBudget::new(limits, self.report.diagnostics());
        let mut out = PlanText::new(&budget);
        let written = self.write_text(&mut out);
        out.finish(written)
    }

    fn write_text(&self, out: &mut PlanText<'_>) -> fmt::Result {
        let resources = self.changes();
        let missing = self.missing_text();
        if !missing.is_empty() {
            writeln!(out, "{missing}")?;
        }
        let is_listed = |found: &&&PlannedResource<'_>| !found.is_kept();
        let listed: Vec<&PlannedResource<'_>> = resources.iter().filter(is_listed).copied().collect();
        if !out.budget.can_list(listed.iter().map(|resource| resource.value.size()).sum()) {
            return Err(fmt::Error);
        }
        let mut all: Vec<Listed<'_>> = listed.iter().map(|resource| Listed::Planned(resource)).collect();
        all.extend(self.destroyed.iter().map(Listed::Destroyed));
        all.sort_by(|one, other| one.order().cmp(&other.order()));
        let legend = self.legend(&listed);
        if !all.is_empty() {
            writeln!(out, "Resource actions:\n{legend}")?;
        }
        for object in &all {
            match object {
                Listed::Planned(resource) => self.resource_text(out, resource)?,
                Listed::Destroyed(object) => self.destroyed_text(out, object)?,
            }
        }
        let has_objects = !resources.is_empty() || !self.destroyed.is_empty();
        if !all.is_empty() {
            writeln!(out, "{}", self.numbers(&listed))?;
        }
        let changes_outputs = self.outputs_text(out)?;
        let has_actions =
            !self.destroyed.is_empty() || listed.iter().any(|found| found.action != PlannedAction::NoOp);
        match (self.is_errored(), changes_outputs) {
            (false, true) if !has_actions => self.outputs_note(out),
            (_, true) => Ok(()),
            (_, false) if !all.is_empty() => Ok(()),
            (true, false) => out.write_str(
                "Planning failed. The configuration has errors, and the rest of it plans no action.\n",
            ),
            (false, false) if self.is_destruction => {
                out.write_str("No changes. No objects need to be destroyed.\n")
            }
            (false, false) if self.state().is_some() && missing.is_empty() => {
                out.write_str("No changes. The state matches the configuration.\n")
            }
            (false, false) if has_objects => out.write_str("No changes.\n"),
            (false, false) => out.write_str("No resources.\n"),
        }
    }

    /// Writes the note of Terraform for a plan that only changes outputs: two lines about the effect of an apply.
    fn outputs_note(&self, out: &mut PlanText<'_>) -> fmt::Result {
        let product = self.rules.product;
        writeln!(
            out,
            "\nYou can apply this plan to save these new output values to the {product}\nstate, without changing any real \
             infrastructure."
        )
    }

    /// Returns the legend: the signs of the actions in the plan.
    fn legend(&self, listed: &[&PlannedResource<'_>]) -> String {
        let forgets = self.destroyed.iter().any(|destroyed| destroyed.is_forgotten);
        let does = |actions: &[&str]| listed.iter().any(|found| found.actions() == actions);
        let lines = [
            (does(&["create"]), "  + create\n"),
            (does(&["update"]), "  ~ update in-place\n"),
            (self.destroyed.iter().any(|destroyed| !destroyed.is_forgotten), "  - destroy\n"),
            (self.rules.explains_forgotten && forgets, "  . forget\n"),
            (does(&["delete", "create"]), "-/+ destroy and then create replacement\n"),
            (does(&["create", "delete"]), "+/- create replacement and then destroy\n"),
            (does(&["read"]), " <= read (data resources)\n"),
        ];
        lines.iter().filter(|(is_there, _)| *is_there).map(|(_, line)| *line).collect()
    }

    /// Returns the line with the numbers of objects that are created, changed and destroyed.
    fn numbers(&self, listed: &[&PlannedResource<'_>]) -> String {
        let count = |name: &str| listed.iter().filter(|found| found.actions().contains(&name)).count();
        let destroyed = self.destroyed.iter().filter(|destroyed| !destroyed.is_forgotten).count();
        let (added, changed) = (count("create"), count("update"));
        let imported = match listed.iter().filter(|found| found.import_id.is_some()).count() {
            0 => String::new(),
            imported => format!("{imported} to import, "),
        };
        let destroyed = destroyed + count("delete");
        format!("Plan: {imported}{added} to add, {changed} to change, {destroyed} to destroy.")
    }

    /// Returns a comparer for another object or output.
    fn comparer<'b>(&self, budget: &'b TextBudget<'b>) -> Comparer<'b> {
        budget.begin_object();
        let (secrets, marks) = (self.secrets, RecordedMarks::Ignored);
        Comparer { secrets, marks, empty_is_null: false, budget }
    }

    fn resource_text(&self, out: &mut PlanText<'_>, resource: &PlannedResource<'_>) -> fmt::Result {
        let address = resource.address().to_string();
        let origins = self.sources_in_words(resource);
        out.write_str(&of_resource(resource, &address, origins.as_deref(), self.secrets))?;
        let sign = match (resource.action, resource.is_read()) {
            (_, true) => " <=",
            (PlannedAction::Create, _) => Action::Create.sign(),
            (PlannedAction::NoOp, _) => Action::Keep.sign(),
            (action, _) if action.is_replacement() => match resource.creates_first {
                true => "+/-",
                false => "-/+",
            },
            (_, _) => Action::Update.sign(),
        };
        let keyword = if resource.is_read() { "data" } else { "resource" };
        let [resource_type, name] =
            [&resource.resource.resource_type, &resource.resource.name].map(|label| quote(label));
        let left = Comparisons::of(Arc::clone(self.report.evaluation().compared_texts()));
        let difference = ObjectComparer::new(self.comparer(out.budget)).resource(resource, &address, &left);
        let shown = Shown::whole(resource.import_id.is_some());
        write!(out, "{sign} {keyword} {resource_type} {name} ")?;
        difference.write(out, shown)?;
        out.write_str("\n\n")
    }

    fn destroyed_text(&self, out: &mut PlanText<'_>, destroyed: &DestroyedObject) -> fmt::Result {
        out.write_str(&of_destroyed(destroyed))?;
        let (before, after) = (&destroyed.before, destroyed.is_forgotten.then_some(&destroyed.before));
        let schemas = &self.report.evaluation().config.request.schemas;
        let provider = destroyed.provider.as_ref().and_then(|provider| schemas.provider(provider));
        let schema = provider.and_then(|provider| {
            let ResourceKey { mode, resource_type, .. } = &destroyed.resource;
            provider.resource(*mode, resource_type)
        });
        let schema = schema.map(|schema| schema.schema());
        let config = self.config_of(destroyed);
        let difference =
            ObjectComparer::new(self.comparer(out.budget)).recorded(before, after, schema, config);
        let [resource_type, name] =
            [&destroyed.resource.resource_type, &destroyed.resource.name].map(|label| quote(label));
        let sign = if destroyed.is_forgotten { " ." } else { Action::Delete.sign() };
        write!(out, "{sign} resource {resource_type} {name} ")?;
        difference.write(out, Shown::default())?;
        out.write_str("\n\n")
    }

    /// Returns the content of the block of a destroyed object, if the configuration still has the block.
    fn config_of(&self, destroyed: &DestroyedObject) -> Option<&Body> {
        let path = destroyed.module.without_keys();
        let mut nodes = self.report.evaluation().config.nodes();
        let (_, node) = nodes.find(|(_, node)| node.path == path)?;
        node.module.resources.get(&destroyed.resource).map(|resource| &resource.config)
    }

    /// Writes the outputs that change, each on a line. Returns whether there are any.
    fn outputs_text(&self, out: &mut PlanText<'_>) -> Result<bool, fmt::Error> {
        let outputs = self.changed_outputs();
        let names: Vec<String> = outputs.keys().copied().map(written).collect();
        let width = width(names.iter().map(String::as_str));
        let mut has_changes = false;
        for (name, change) in names.iter().zip(outputs.values()) {
            let own = self.comparer(out.budget);
            let known = change.after.filter(|after| change.before.is_none() && after.is_wholly_known());
            if !out.budget.can_show(known.map_or(0, Value::size)) {
                return Err(fmt::Error);
            }
            let (before, after) = (Side::implicit(change.before), Side::implicit(change.after));
            let difference = match change.is_sensitive && self.secrets == Secrets::Hidden {
                true => {
                    let inner = Comparer::open(out.budget).of_old_kind();
                    let inner = inner.values(before, after, ValueSchema::Type(Some(&Type::Dynamic)));
                    ValueDifference::new(Kind::Sensitive, inner.action)
                }
                false => own.values(before, after, ValueSchema::Type(Some(&Type::Dynamic))),
            };
            if difference.action == Action::Keep {
                continue;
            }
            if !has_changes {
                let has_gap = out.as_str().is_empty() || out.as_str().ends_with("\n\n");
                out.write_str(if has_gap { "Changes to Outputs:\n" } else { "\nChanges to Outputs:\n" })?;
                has_changes = true;
            }
            write!(out, "{} {} = ", difference.action.sign(), padded(name, width))?;
            difference.write(out, Shown::default())?;
            out.write_str("\n")?;
        }
        Ok(has_changes)
    }
}
