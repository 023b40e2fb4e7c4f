use std::sync::Arc;

use terrane_config::address::Object;
use terrane_config::{Address, Evaluation, Expansion, InstanceKey, ModuleInstance};
use terrane_source::Diagnostics;
use terrane_value::{Type, Value, json};

use crate::value_json;

/// The outcome of evaluating a [`Project`](crate::Project).
pub struct Report {
    evaluation: Evaluation,
    diagnostics: Diagnostics,
}

/// A named value of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The canonical name: `module.a["x"].local.b`.
    pub address: Address,
    /// What it is.
    pub kind: EntryKind,
    /// Its value; sensitive values are marked.
    pub value: Value,
}

/// The kinds of [`Entry`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EntryKind {
    /// An output.
    Output,
    /// A local value.
    Local,
    /// An input variable.
    Variable,
    /// A module call, with the object of its outputs.
    ModuleCall,
    /// One instance of a resource or data source, or all where they cannot be told apart.
    Resource,
}

impl Report {
    pub(crate) fn new(mut evaluation: Evaluation, mut diagnostics: Diagnostics) -> Report {
        diagnostics.extend(std::mem::take(&mut evaluation.diagnostics));
        Report { evaluation, diagnostics }
    }

    /// Everything that is wrong, in the order in which it was met.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// The evaluated configuration.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The value of an output of the root module.
    pub fn output(&self, name: &str) -> Option<&Value> {
        let root = self.evaluation.root()?;
        let index = self.evaluation.config.node(root.node).module.outputs.get_index_of(name)?;
        root.outputs.get(index)
    }

    /// The outputs of the root module in source order.
    pub fn outputs(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        let root = self.evaluation.root();
        root.into_iter().flat_map(|root| {
            self.evaluation.config.node(root.node).module.outputs.keys().zip(root.outputs.iter())
        })
    }

    /// Every named value of every module instance: outputs, locals, variables, module calls, resources.
    pub fn entries(&self) -> Vec<Entry> {
        self.evaluation.instances().iter().flat_map(|instance| self.entries_of(instance)).collect()
    }

    fn entries_of(&self, instance: &ModuleInstance) -> Vec<Entry> {
        let module = &self.evaluation.config.node(instance.node).module;
        let mut entries = Vec::new();
        let mut add = |kind, object, value: &Value| {
            let address = Address { module: instance.path.clone(), object };
            entries.push(Entry { address, kind, value: value.clone() });
        };
        for (name, value) in module.outputs.keys().zip(&instance.outputs) {
            add(EntryKind::Output, Object::Output(Arc::clone(name)), value);
        }
        for (name, value) in module.locals.keys().zip(&instance.locals) {
            add(EntryKind::Local, Object::Local(Arc::clone(name)), value);
        }
        for (name, value) in module.variables.keys().zip(&instance.variables) {
            add(EntryKind::Variable, Object::Variable(Arc::clone(name)), value);
        }
        for (name, calls) in module.calls.keys().zip(&instance.calls) {
            for (key, value) in self.module_values(&calls.expansion) {
                add(EntryKind::ModuleCall, Object::ModuleCall(Arc::clone(name), key), &value);
            }
        }
        for ((mode, resource_type, name), instances) in module.resources.keys().zip(&instance.resources) {
            let object = |key| Object::Resource(*mode, Arc::clone(resource_type), Arc::clone(name), key);
            if let Expansion::Unknown(origins) = &instances.expansion {
                let unknown = Value::unknown_from(Type::Dynamic, origins.clone());
                add(EntryKind::Resource, object(InstanceKey::None), &unknown);
            }
            for (key, value) in instances.expansion.iter() {
                add(EntryKind::Resource, object(key), value);
            }
        }
        entries
    }

    /// The instances of a module call, each as the object of its outputs.
    fn module_values(&self, calls: &Expansion<usize>) -> Vec<(InstanceKey, Value)> {
        if let Expansion::Unknown(origins) = calls {
            return vec![(InstanceKey::None, Value::unknown_from(Type::Dynamic, origins.clone()))];
        }
        let value = |index: &usize| {
            let Some(instance) = self.evaluation.instances().get(*index) else { return Value::error() };
            let names = self.evaluation.config.node(instance.node).module.outputs.keys();
            Value::object(names.cloned().zip(instance.outputs.iter().cloned()))
        };
        calls.iter().map(|(key, index)| (key, value(index))).collect()
    }

    /// The outputs of the root module as `terraform output -json` prints them: an object of
    /// `{"sensitive", "type", "value"}` by name.
    ///
    /// [`value_json`] says how unknown and sensitive values are written.
    pub fn outputs_json(&self) -> String {
        let mut text = String::from("{");
        let mut outputs: Vec<_> = self.outputs().collect();
        outputs.sort_by_key(|(name, _)| *name);
        for (index, (name, value)) in outputs.into_iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            text.push_str(separator);
            json::write_string(&mut text, name);
            text.push(':');
            text.push_str(&value_json(value));
        }
        text.push('}');
        text
    }
}
