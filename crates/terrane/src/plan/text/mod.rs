//! The plan as text, in the layout of `terraform plan`.

mod comments;
mod difference;
mod objects;
mod rendered;

use std::fmt::Write as _;

use terrane_module::DestroyedObject;
use terrane_value::display::quote;

use self::comments::{of_destroyed, of_resource};
use self::difference::{Action, Comparer, Difference, Kind, Side};
use self::objects::Objects;
use self::rendered::{Shown, written};
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
    /// The plan as text: the missing objects, the objects that change in the order of their addresses, their number, and the outputs.
    pub fn to_text(&self) -> String {
        let resources = self.changes();
        let mut out = self.missing_text();
        if !out.is_empty() {
            out.push('\n');
        }
        let is_listed = |found: &&&PlannedResource<'_>| !found.is_kept();
        let listed: Vec<&PlannedResource<'_>> = resources.iter().filter(is_listed).copied().collect();
        let mut all: Vec<Listed<'_>> = listed.iter().map(|resource| Listed::Planned(resource)).collect();
        all.extend(self.destroyed.iter().map(Listed::Destroyed));
        all.sort_by(|one, other| one.order().cmp(&other.order()));
        let legend = self.legend(&listed);
        if !legend.is_empty() {
            out.push_str("Resource actions:\n");
            out.push_str(&legend);
            out.push('\n');
        }
        for object in &all {
            out.push_str(&match object {
                Listed::Planned(resource) => self.resource_text(resource),
                Listed::Destroyed(object) => self.destroyed_text(object),
            });
        }
        let outputs = self.outputs_text();
        let has_objects = !resources.is_empty() || !self.destroyed.is_empty();
        match (has_objects, all.is_empty()) {
            (false, _) if outputs.is_empty() => out.push_str("No resources.\n"),
            (true, true) if outputs.is_empty() => out.push_str("No changes.\n"),
            (_, true) => {}
            (_, false) => {
                out.push_str(&self.numbers(&listed));
                out.push('\n');
            }
        }
        if !outputs.is_empty() {
            let gap = if out.is_empty() || out.ends_with("\n\n") { "" } else { "\n" };
            // Writing to a string cannot fail.
            _ = write!(out, "{gap}Changes to Outputs:\n{outputs}");
        }
        out
    }

    /// The signs of the actions in the plan.
    fn legend(&self, listed: &[&PlannedResource<'_>]) -> String {
        let does = |actions: &[&str]| listed.iter().any(|found| found.actions() == actions);
        let lines = [
            (does(&["create"]), "  + create\n"),
            (does(&["update"]), "  ~ update in-place\n"),
            (self.destroyed.iter().any(|destroyed| !destroyed.is_forgotten), "  - destroy\n"),
            (self.destroyed.iter().any(|destroyed| destroyed.is_forgotten), "  . forget\n"),
            (does(&["delete", "create"]), "-/+ destroy and then create replacement\n"),
            (does(&["create", "delete"]), "+/- create replacement and then destroy\n"),
            (does(&["read"]), " <= read (data sources)\n"),
        ];
        lines.iter().filter(|(is_there, _)| *is_there).map(|(_, line)| *line).collect()
    }

    /// The number of objects that are created, changed and destroyed.
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

    fn resource_text(&self, resource: &PlannedResource<'_>) -> String {
        let mut out = of_resource(resource, self.secrets);
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
        let difference = Objects { comparer: Comparer { secrets: self.secrets } }.resource(resource);
        let shown = Shown { shows_kept: resource.import_id.is_some(), ..Shown::default() };
        let text = difference.text(0, shown);
        _ = write!(out, "{sign} {keyword} {resource_type} {name} {text}\n\n");
        out
    }

    fn destroyed_text(&self, destroyed: &DestroyedObject) -> String {
        let mut out = of_destroyed(destroyed);
        let (before, after) = (Some(&destroyed.before), destroyed.is_forgotten.then_some(&destroyed.before));
        let difference = Objects { comparer: Comparer { secrets: self.secrets } }.recorded(before, after);
        let [resource_type, name] =
            [&destroyed.resource.resource_type, &destroyed.resource.name].map(|label| quote(label));
        let sign = if destroyed.is_forgotten { " ." } else { Action::Delete.sign() };
        let text = difference.text(0, Shown::default());
        _ = write!(out, "{sign} resource {resource_type} {name} {text}\n\n");
        out
    }

    /// The outputs that change, one on each line.
    fn outputs_text(&self) -> String {
        let open = Comparer { secrets: Secrets::Shown };
        let own = Comparer { secrets: self.secrets };
        let differences = self.output_values().map(|(name, before, after, is_sensitive)| {
            let (before, after) = (Side::implicit(before), Side::implicit(after));
            let difference = match is_sensitive && self.secrets == Secrets::Hidden {
                true => {
                    let inner = open.values(before, after, None);
                    let action = inner.action;
                    Difference::new(Kind::Sensitive(Box::new(inner), None), action)
                }
                false => own.values(before, after, None),
            };
            (written(name), difference)
        });
        let differences: Vec<(String, Difference)> = differences.collect();
        let width = differences.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let changed = differences.iter().filter(|(_, difference)| difference.action != Action::Keep);
        let line = |(name, difference): &(String, Difference)| {
            let text = difference.text(0, Shown::default());
            format!("{} {name:width$} = {text}\n", difference.action.sign())
        };
        changed.map(line).collect()
    }
}
