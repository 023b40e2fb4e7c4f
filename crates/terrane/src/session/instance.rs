//! Finds the module instance at an address such as `module.a["k"].module.b`.
//!
//! The address is followed call by call from the root module.

use terrane_config::address::InstanceKey;
use terrane_config::module_path;
use terrane_module::{Called, Evaluation, Expansion, InstanceId, ModuleInstance};
use terrane_value::ClosestNames;

use crate::document::listing::missing_in_words;
use crate::entry::Keys;
use crate::explain::brief::shortened;

/// The most characters of an address in a message.
const MAX_ADDRESS: usize = 200;

/// The most instances that a message lists.
const MAX_LISTED: usize = 5;

/// Returns the module instance at `address`. If the instance keys of a call are unknown, returns the instance that stands for
/// all keys.
///
/// # Errors
///
/// If there is no such instance: the reason and the existing instances, in a sentence.
pub(super) fn find(evaluation: &Evaluation, address: &str) -> Result<InstanceId, String> {
    let shown = shortened(address, MAX_ADDRESS);
    let calls = module_path(address).ok_or_else(|| {
        format!(
            "{shown} is not the address of a module instance, such as module.a or \
                 module.a[\"k\"].module.b"
        )
    })?;
    let mut found = InstanceId::ROOT;
    let mut path = String::new();
    for step in calls.steps() {
        let state = &evaluation.instances()[found];
        found = enter_call(evaluation, state, &mut path, &step.name, &step.key)
            .map_err(|reason| format!("there is no module instance {shown}: {reason}"))?;
    }
    Ok(found)
}

/// Returns the instance of a call in `state`, whose address is `path`. Appends the address of the call to `path`.
fn enter_call(
    evaluation: &Evaluation,
    state: &ModuleInstance,
    path: &mut String,
    name: &str,
    key: &InstanceKey,
) -> Result<InstanceId, String> {
    let module = &evaluation.config.node(state.node).module;
    let within = if path.is_empty() { "the root module".to_owned() } else { path.clone() };
    let parent = if path.is_empty() { String::new() } else { format!("{path}.") };
    *path = format!("{parent}module.{name}");
    let Some((id, call)) = module.calls.find(name) else {
        let nearest = ClosestNames::default().of(name, module.calls.keys().map(|name| &**name));
        let hint =
            nearest.map(|nearest| format!(". Did you mean {parent}module.{nearest}?")).unwrap_or_default();
        return Err(format!("{within} has no module call of this name{hint}"));
    };
    let expansion = &*state.calls[id].expansion;
    let keys = Keys::of(&call.repetition);
    let is_kind = match key {
        InstanceKey::None => true,
        InstanceKey::Index(_) => keys == Keys::Positions,
        InstanceKey::Key(_) => keys == Keys::Names,
    };
    let one = match expansion {
        Expansion::Unknown { any, .. } if is_kind => any.as_ref(),
        Expansion::Once(_)
        | Expansion::Count(_)
        | Expansion::ForEach(_)
        | Expansion::Absent
        | Expansion::Unknown { .. } => expansion.get(key),
    };
    let reason = match one {
        Some(Called::Instance(instance)) => {
            path.push_str(&key.to_string());
            return Ok(*instance);
        }
        Some(Called::Missing(missing)) => {
            missing_in_words(&format!("the module that {path}{key} calls"), &missing.origins)
        }
        None => missing_key(path, keys, expansion),
    };
    Err(reason)
}

/// Returns the reason why a call has no instance with the requested key, and the existing instances. `call` is the address of
/// the call.
fn missing_key(call: &str, keys: Keys, expansion: &Expansion<Called>) -> String {
    let existing: Vec<InstanceKey> = expansion.iter().map(|(key, _)| key).take(MAX_LISTED + 1).collect();
    if !existing.is_empty() {
        let named = existing.iter().take(MAX_LISTED).map(|key| format!("{call}{key}"));
        let more = if existing.len() > MAX_LISTED { ", …" } else { "" };
        return format!("there is {}{more}", named.collect::<Vec<_>>().join(", "));
    }
    let reason = match (expansion.unknown(), keys) {
        (None, _) => "the call has no instances",
        (Some(_), Keys::Positions) => "the call has `count`, so its keys are numbers",
        (Some(_), Keys::Names) => "the call has `for_each`, so its keys are strings",
        (Some(_), Keys::None) => "the call has neither `count` nor `for_each`, so no instances with keys",
    };
    reason.to_owned()
}
