//! The comments before an object in the text of a plan: its action and the reason.

use terrane_config::address::InstanceKey;
use terrane_module::{DestroyReason, DestroyedObject};
use terrane_value::display::{console, quote};
use terrane_value::{SmolStr, Value};

use super::super::resources::{PlannedAction, PlannedResource};
use super::rendered::{SENSITIVE, written};
use crate::secrets::{Secrets, is_hidden};

/// Returns the comment lines before the resource or data source at `address`. `origins` names the parts that do not come from
/// the configuration.
pub(super) fn of_resource(
    resource: &PlannedResource<'_>,
    address: &str,
    origins: Option<&str>,
    secrets: Secrets,
) -> String {
    let action = match resource.action {
        PlannedAction::Create => "will be created",
        PlannedAction::NoOp | PlannedAction::Import => "will be imported",
        PlannedAction::Update { .. } => "will be updated in-place",
        PlannedAction::ReplaceTainted => "is tainted, so must be replaced",
        PlannedAction::ReplaceTriggered => "will be replaced due to changes in replace_triggered_by",
        PlannedAction::ReplaceRequested => "will be replaced, as requested",
        PlannedAction::ReplaceArgument(_) => "must be replaced",
        PlannedAction::ReadInPlan
        | PlannedAction::Read
        | PlannedAction::ReadUnknownConfiguration
        | PlannedAction::ReadPendingDependency
        | PlannedAction::ReadInCheck => "will be read during apply",
    };
    let is_kept = resource.action == PlannedAction::NoOp;
    let previous = resource.previous().map(|previous| on_one_line(&previous.to_string()));
    let mut lines = vec![match &previous {
        Some(previous) if is_kept => format!("{previous} has moved to {address}"),
        Some(_) | None => [address, " ", action].concat(),
    }];
    let note = note(resource.action).map(|note| format!("({note})"));
    let (reason, possibility) = if resource.is_read() { (note, None) } else { (None, note) };
    lines.extend(reason);
    lines.extend(previous.filter(|_| !is_kept).map(|previous| format!("(moved from {previous})")));
    if let Some(id) = resource.import_id.as_ref().filter(|_| !is_kept) {
        let (by, shown) = match id.unmarked().as_entries() {
            Some(identity) => {
                let entry =
                    |(name, value): (&SmolStr, &Value)| format!("{} = {}", written(name), console(value));
                let entries: Vec<String> = identity.iter().map(entry).collect();
                ("imported by its identity", format!("{{ {} }}", entries.join(", ")))
            }
            None => ("imported from", console(id.unmarked())),
        };
        let shown = if is_hidden(id, secrets) { SENSITIVE.to_owned() } else { shown };
        lines.push(format!("({by} {})", on_one_line(&shown)));
        if resource.action.is_replacement() {
            lines.push("Warning: this will destroy the imported resource".to_owned());
        }
    }
    lines.extend(possibility);
    lines.extend(origins.map(|origins| format!("({origins})")));
    comment(INDENT, &lines)
}

/// Returns the comment lines before an object without an instance.
pub(super) fn of_destroyed(destroyed: &DestroyedObject) -> String {
    let deposed = destroyed.deposed.as_ref().map(|key| format!(" (deposed object {key})"));
    let address = on_one_line(&format!("{}{}", destroyed.address(), deposed.unwrap_or_default()));
    let previous = destroyed.previous.as_ref().map(|previous| on_one_line(&previous.to_string()));
    let mut lines = Vec::new();
    if destroyed.is_forgotten {
        let state = match destroyed.deposed {
            Some(_) => "be removed from Terraform state",
            None => "no longer be managed by Terraform",
        };
        lines.push(format!("{address} will {state}, but will not be destroyed"));
        lines.extend(destroyed.deposed.as_ref().map(|_| format!("({LEFT_OVER})")));
        lines.push("(destroy = false is set in the configuration)".to_owned());
    } else {
        lines.push(format!("{address} will be destroyed"));
        lines.extend(reason(destroyed, previous.as_deref()).map(|reason| format!("({reason})")));
    }
    // The comment of a forgotten object is further to the left, and so is the sign of its block.
    let mut text = comment(if destroyed.is_forgotten { " " } else { INDENT }, &lines);
    let moved = previous.map(|previous| format!("(moved from {previous})"));
    text.extend(moved.map(|moved| comment(INDENT, &[moved])));
    text
}

const INDENT: &str = "  ";

/// The reason why a deposed object exists.
const LEFT_OVER: &str = "left over from a partially-failed replacement of this instance";

fn comment(indent: &str, lines: &[String]) -> String {
    lines.iter().map(|line| [indent, "# ", line, "\n"].concat()).collect()
}

/// Returns the reason why an object is destroyed; `None` if the plan destroys everything.
fn reason(destroyed: &DestroyedObject, previous: Option<&str>) -> Option<String> {
    let resource = &destroyed.resource;
    let named = || on_one_line(&format!("{}.{}", resource.resource_type, resource.name));
    let key = match &destroyed.key {
        InstanceKey::None => String::new(),
        InstanceKey::Index(index) => index.to_string(),
        InstanceKey::Key(key) => quote(key),
    };
    let Some(reason) = destroyed.reason else {
        return destroyed.deposed.as_ref().map(|_| LEFT_OVER.to_owned());
    };
    Some(match (reason, &destroyed.key) {
        (DestroyReason::CountIndex, _) => format!("because index [{key}] is out of range for count"),
        (DestroyReason::EachKey, _) => format!("because key [{key}] is not in for_each map"),
        (DestroyReason::WrongRepetition, InstanceKey::None) => {
            "because resource uses count or for_each".to_owned()
        }
        (DestroyReason::WrongRepetition, InstanceKey::Index(_)) => {
            "because resource does not use count".to_owned()
        }
        (DestroyReason::WrongRepetition, InstanceKey::Key(_)) => {
            "because resource does not use for_each".to_owned()
        }
        (DestroyReason::NoModule, _) => {
            format!("because {} is not in configuration", on_one_line(&destroyed.module.to_string()))
        }
        (DestroyReason::NoMoveTarget, _) => {
            let (from, to) = (previous.unwrap_or_default(), on_one_line(&destroyed.address().to_string()));
            format!("because {from} was moved to {to}, which is not in configuration")
        }
        (DestroyReason::NoResource, _) => format!("because {} is not in configuration", named()),
    })
}

/// Returns an address of a state on one line. Names in it may have line breaks.
fn on_one_line(address: &str) -> String {
    address.replace('\n', "\\n").replace('\r', "\\r")
}

/// Returns a comment on an action: other possible actions, or the reason why a data source is read in the apply.
fn note(action: PlannedAction) -> Option<&'static str> {
    match action {
        PlannedAction::Update { may_replace: true } => {
            Some("or replaced: only the provider knows which changes replace an object")
        }
        PlannedAction::Import => Some("and updated or replaced, if its provider has other values for it"),
        PlannedAction::Create
        | PlannedAction::NoOp
        | PlannedAction::Update { .. }
        | PlannedAction::ReplaceTainted
        | PlannedAction::ReplaceTriggered
        | PlannedAction::ReplaceRequested
        | PlannedAction::ReplaceArgument(_)
        | PlannedAction::ReadInPlan => None,
        PlannedAction::Read => Some("Terrane does not read it; `terraform plan` may"),
        PlannedAction::ReadUnknownConfiguration => Some("config refers to values not yet known"),
        PlannedAction::ReadPendingDependency => {
            Some("depends on a resource or a module with changes pending")
        }
        PlannedAction::ReadInCheck => Some("config will be reloaded to verify a check block"),
    }
}
