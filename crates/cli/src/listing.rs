//! What `terrane eval` prints.

use std::sync::Arc;

use terrane::config::address::{Object, ResourceMode};
use terrane::value::display::annotated;
use terrane::{Address, Entry, EntryKind, InstanceKey, Value};

/// The root module: outputs, locals, variables, module calls and resources.
pub(crate) fn root_module(entries: &[Entry]) -> String {
    let root: Vec<&Entry> = entries.iter().filter(|entry| entry.address.module.is_root()).collect();
    let mut parts = Vec::new();
    for (heading, kind) in
        [("outputs", EntryKind::Output), ("locals", EntryKind::Local), ("variables", EntryKind::Variable)]
    {
        let named = root.iter().filter(|entry| entry.kind == kind);
        let values =
            named.filter_map(|entry| Some((name(&entry.address.object)?.clone(), entry.value.clone())));
        let section = Value::object(values);
        if section.as_entries().is_some_and(|entries| !entries.is_empty()) {
            parts.push(format!("{heading} {}\n", annotated(&section)));
        }
    }
    parts.extend(root.iter().filter_map(|entry| block(entry)));
    parts.join("\n")
}

/// `name = value` on lines of their own.
pub(crate) fn assignment(name: &str, value: &Value) -> String {
    format!("{name} = {}\n", annotated(value))
}

/// The name of an output, local or variable.
fn name(object: &Object) -> Option<&Arc<str>> {
    match object {
        Object::Variable(name) | Object::Local(name) | Object::Output(name) => Some(name),
        Object::Check(_) | Object::ModuleCall(..) | Object::Resource(..) => None,
    }
}

/// A module call or resource as a block; where it has several instances, its address stands above.
fn block(entry: &Entry) -> Option<String> {
    let (header, key) = match &entry.address.object {
        Object::ModuleCall(name, key) => (format!("module \"{name}\""), key),
        Object::Resource(mode, resource_type, name, key) => {
            let block_type = match mode {
                ResourceMode::Managed => "resource",
                ResourceMode::Data => "data",
                ResourceMode::Ephemeral => "ephemeral",
            };
            (format!("{block_type} \"{resource_type}\" \"{name}\""), key)
        }
        Object::Variable(_) | Object::Local(_) | Object::Output(_) | Object::Check(_) => return None,
    };
    let above = match key {
        InstanceKey::None => String::new(),
        InstanceKey::Index(_) | InstanceKey::Key(_) => format!("# {}\n", entry.address),
    };
    let value = annotated(&entry.value);
    if value.starts_with('{') {
        return Some(format!("{above}{header} {value}\n"));
    }
    let comment = value.lines().map(|line| format!("  # {line}\n")).collect::<String>();
    Some(format!("{above}{header} {{\n{comment}}}\n"))
}

/// The entries that `address` names: itself, or all its instances.
pub(crate) fn named<'e>(entries: &'e [Entry], address: &str) -> Vec<&'e Entry> {
    let exact: Vec<&Entry> = entries.iter().filter(|entry| entry.address.to_string() == address).collect();
    if !exact.is_empty() {
        return exact;
    }
    entries.iter().filter(|entry| without_key(&entry.address).to_string() == address).collect()
}

fn without_key(address: &Address) -> Address {
    let object = match &address.object {
        Object::ModuleCall(name, _) => Object::ModuleCall(name.clone(), InstanceKey::None),
        Object::Resource(mode, resource_type, name, _) => {
            Object::Resource(*mode, resource_type.clone(), name.clone(), InstanceKey::None)
        }
        Object::Variable(_) | Object::Local(_) | Object::Output(_) | Object::Check(_) => {
            address.object.clone()
        }
    };
    Address { module: address.module.clone(), object }
}
