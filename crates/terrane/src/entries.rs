//! Lists the named values of a module instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_config::address::{Object, ResourceMode};
use terrane_config::{Address, InstanceKey};
use terrane_module::module::{Local, Module, ModuleCall, ResourceKey};
use terrane_module::{Called, Expansion, ModuleInstance, ResourceId, prior_attributes};
use terrane_source::Subject;
use terrane_value::{SmolStr, Value};

use crate::entry::{Entry, EntryKind, InstanceNumber, Keys, ResourceBlock};
use crate::marked_output;
use crate::named_values::{OwnParts, Row, RowInstances};
use crate::report::{Report, shown_output};

/// Returns the local values of a module instance, without attributes of `locals` that declare no value.
fn local_values<'m>(
    module: &'m Module,
    instance: &'m ModuleInstance,
) -> impl Iterator<Item = (&'m SmolStr, &'m Local, &'m Value)> {
    let locals = module.locals.iter().zip(&instance.locals);
    locals.filter(|((_, local), _)| !local.is_name_only).map(|((name, local), value)| (name, local, value))
}

/// One instance of a module call, before it becomes an entry.
struct CallEntry {
    key: InstanceKey,
    /// The object of the arguments. `None` if nothing is known about the instance.
    arguments: Option<Value>,
    value: Value,
    number: InstanceNumber,
}

/// Returns the entry of an object of a module instance.
fn entry(
    instance: &ModuleInstance,
    kind: EntryKind,
    object: Object,
    value: Value,
    declaration: &Subject,
) -> Entry {
    let address = Address { module: instance.path.clone(), object };
    Entry { declaration: Some(declaration.clone()), ..Entry::new(address, kind, value) }
}

impl Report {
    /// Adds the named values of a module instance, without the sources that they depend on.
    pub(crate) fn add_rows(&self, instance: &ModuleInstance, rows: &mut Vec<Row>) {
        let module = &self.evaluation().config.node(instance.node).module;
        rows.reserve(module.objects());
        for ((name, output), value) in module.outputs.iter().zip(&instance.outputs) {
            let (object, value) = (Object::Output(name.clone()), shown_output(output, value));
            rows.push(Row::from(entry(instance, EntryKind::Output, object, value, &output.declaration)));
        }
        for (name, local, value) in local_values(module, instance) {
            let (object, value) = (Object::Local(name.clone()), value.clone());
            rows.push(Row::from(entry(instance, EntryKind::Local, object, value, &local.declaration)));
        }
        for ((name, variable), value) in module.variables.iter().zip(&instance.variables) {
            let (object, value) = (Object::Variable(name.clone()), value.clone());
            rows.push(Row::from(entry(instance, EntryKind::Variable, object, value, &variable.declaration)));
        }
        rows.extend(self.calls_of(instance).map(Row::from));
        module.resources.ids().for_each(|id| self.add_resource(instance, id, rows));
    }

    /// Adds the instances of a resource: in one row if there are many.
    fn add_resource(&self, instance: &ModuleInstance, id: ResourceId, rows: &mut Vec<Row>) {
        let config = &self.evaluation().config;
        let module = &config.node(instance.node).module;
        let (resource_key, resource) = module.resources.entry_of(id);
        let schemas = &config.request.schemas;
        let kind = match resource_key.mode {
            ResourceMode::Action => EntryKind::Action,
            ResourceMode::Managed | ResourceMode::Data | ResourceMode::Ephemeral => EntryKind::Resource,
        };
        let object = resource_key.object(InstanceKey::None);
        let common = Entry {
            keys: Keys::of(&resource.repetition),
            block: Some(Arc::new(ResourceBlock::of(module, resource_key, resource, schemas))),
            ..entry(instance, kind, object, Value::NULL, &resource.declaration)
        };
        let expansion = &instance.resources[id].expansion;
        if let Some((number, any)) = InstanceNumber::of(expansion) {
            let value = any.map(|any| any.value(&InstanceKey::None).into_owned());
            let value = value.unwrap_or_else(|| number.value());
            let sources = self.resource_sources(instance, id, &InstanceKey::None, &value).collect();
            return rows.push(Row::from(Entry { number, sources, value, ..common }));
        }
        if expansion.is_large() {
            return rows.push(self.row_of_all(instance, id, common, resource_key));
        }
        let row = |key: InstanceKey, value: &Value, common: Entry| {
            let OwnParts { sources, prior } = self.own_parts(instance, id, &key, value);
            let value = marked_output::shown(resource_key, value);
            let address = Address { object: resource_key.object(key), ..common.address };
            Row::from(Entry { address, value, sources, prior, ..common })
        };
        match expansion.get(&InstanceKey::None) {
            Some(only) => rows.push(row(InstanceKey::None, &only.value(&InstanceKey::None), common)),
            None => rows.extend(expansion.values().map(|(key, value)| row(key, &value, common.clone()))),
        }
    }

    /// Returns the row for the many instances of a resource.
    fn row_of_all(&self, instance: &ModuleInstance, id: ResourceId, common: Entry, key: &ResourceKey) -> Row {
        let values = Arc::clone(&instance.resources[id].expansion);
        // Instances that share a value have the same parts.
        let mut of_shared: Option<OwnParts> = None;
        let mut own = BTreeMap::new();
        for (instance_key, value) in values.iter() {
            if value.is_shared() && of_shared.is_some() {
                continue;
            }
            let parts = self.own_parts(instance, id, &instance_key, &value.value(&instance_key));
            if value.is_shared() {
                of_shared = Some(parts);
            } else if !parts.is_empty() {
                own.insert(instance_key, parts);
            }
        }
        let sources = of_shared.map(|parts| parts.sources).unwrap_or_default();
        let entry = Entry { sources, ..common };
        Row { entry, instances: Some(Box::new(RowInstances { resource: key.clone(), values, own })) }
    }

    fn own_parts(
        &self,
        instance: &ModuleInstance,
        id: ResourceId,
        key: &InstanceKey,
        value: &Value,
    ) -> OwnParts {
        OwnParts {
            sources: self.resource_sources(instance, id, key, value).collect(),
            prior: prior_attributes(self.evaluation(), instance, id, key, value),
        }
    }

    /// Returns the module calls of an instance.
    fn calls_of(&self, instance: &ModuleInstance) -> impl Iterator<Item = Entry> {
        let module = &self.evaluation().config.node(instance.node).module;
        let calls = module.calls.enumerate().zip(&instance.calls);
        calls.flat_map(move |((id, call), calls)| {
            let (name, _) = module.calls.entry_of(id);
            let called = self.called(call, &calls.expansion).into_iter();
            called.map(move |called| {
                let object = Object::ModuleCall(name.clone(), called.key.clone());
                Entry {
                    arguments: called.arguments,
                    number: called.number,
                    keys: Keys::of(&call.repetition),
                    sources: self.call_sources(instance, id, &called.key),
                    ..entry(instance, EntryKind::ModuleCall, object, called.value, &call.declaration)
                }
            })
        })
    }

    /// Returns the instances of a module call, each with the object of its outputs.
    fn called(&self, call: &ModuleCall, calls: &Expansion<Called>) -> Vec<CallEntry> {
        let entry = |key, called: Option<&Called>, number: InstanceNumber| {
            let (arguments, value) = match called {
                Some(Called::Instance(instance)) => {
                    let instance = &self.evaluation().instances()[*instance];
                    (Some(self.arguments(call, instance)), self.outputs_of(instance))
                }
                Some(Called::Missing(missing)) => (Some(missing.arguments.clone()), missing.outputs.clone()),
                None => (None, number.value()),
            };
            CallEntry { key, arguments, value, number }
        };
        let mut entries: Vec<CallEntry> =
            calls.iter().map(|(key, called)| entry(key, Some(called), InstanceNumber::One)).collect();
        if let Some((number, called)) = InstanceNumber::of(calls) {
            entries.push(entry(InstanceKey::None, called, number));
        }
        entries
    }

    /// Returns an object of the variables that the call sets.
    fn arguments(&self, call: &ModuleCall, instance: &ModuleInstance) -> Value {
        let variables = self.evaluation().config.node(instance.node).module.variables.keys();
        let given = variables.zip(&instance.variables).filter(|(name, _)| call.arguments.contains_key(*name));
        Value::object(given.map(|(name, value)| (name.clone(), value.clone())))
    }
}
