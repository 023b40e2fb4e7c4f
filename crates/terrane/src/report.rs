use std::fmt;
use std::sync::Arc;

use terrane_config::address::{Object, ResourceMode};
use terrane_config::{Address, Declaration, InstanceKey};
use terrane_module::module::{ModuleCall, Output, Repetition};
use terrane_module::{Called, Evaluation, Expansion, ModuleInstance};
use terrane_source::{Diagnostics, Subject};
use terrane_value::{Marks, Origins, SmolStr, Type, Value};

/// The outcome of evaluating a [`Project`](crate::Project).
pub struct Report {
    evaluation: Evaluation,
    diagnostics: Diagnostics,
    damaged: bool,
}

/// A named value of the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The canonical name: `module.a["x"].local.b`.
    pub address: Address,
    /// What it is.
    pub kind: EntryKind,
    /// Its value; of a module call, the object of its outputs.
    pub value: Value,
    /// Of a module call, the object of its arguments.
    pub arguments: Option<Value>,
    /// Where it is declared.
    pub declaration: Option<Subject>,
    /// How many objects it stands for.
    pub number: Number,
    /// What keys the instances of its block have.
    pub keys: Keys,
}

/// What keys the instances of a block have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// None: there is one object, or none where a block is not enabled.
    None,
    /// Positions, by `count`.
    Positions,
    /// Names, by `for_each`.
    Names,
}

impl Keys {
    pub(crate) fn of(repetition: &Repetition) -> Keys {
        match repetition {
            Repetition::Once | Repetition::Enabled(_) => Keys::None,
            Repetition::Count(_) => Keys::Positions,
            Repetition::ForEach(_) => Keys::Names,
        }
    }
}

/// How many objects an [`Entry`] stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Number {
    /// One: every instance of a block has an entry of its own.
    One,
    /// None, because the block has no instances by `count`, `for_each` or `enabled`: the value is an empty sequence, an
    /// empty object, or null.
    None(Value),
    /// It is not known how many, for these reasons: the value has what holds for any instance.
    Unknown(Origins),
}

impl Number {
    /// The number of a block without instances that could have entries, and what holds for any of them.
    fn of<T>(expansion: &Expansion<T>) -> Option<(Number, Option<&T>)> {
        match expansion {
            Expansion::Unknown { origins, any } => Some((Number::Unknown(origins.clone()), any.as_ref())),
            Expansion::Count(all) if all.is_empty() => Some((Number::None(Value::tuple([])), None)),
            Expansion::ForEach(all) if all.is_empty() => Some((Number::None(Value::object([])), None)),
            Expansion::Absent => Some((Number::None(Value::NULL), None)),
            Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) => None,
        }
    }

    /// All objects as one value, where nothing is known of each.
    fn value(&self) -> Value {
        match self {
            Number::One => Value::error(),
            Number::None(value) => value.clone(),
            Number::Unknown(origins) => Value::unknown_from(Type::Dynamic, origins.clone()),
        }
    }
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
    /// One instance of an action, likewise.
    Action,
}

impl EntryKind {
    /// The kind in documents that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Output => "output",
            EntryKind::Local => "local",
            EntryKind::Variable => "variable",
            EntryKind::ModuleCall => "module",
            EntryKind::Resource => "resource",
            EntryKind::Action => "action",
        }
    }
}

/// A module call that is being listed.
struct CallEntry<'c> {
    call: &'c ModuleCall,
    key: InstanceKey,
    /// The object of its arguments; nothing where nothing is known of its instances.
    arguments: Option<Value>,
    value: Value,
    number: Number,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("directory", &self.evaluation.config.request.directory)
            .field("module_instances", &self.evaluation.instances().len())
            .field("diagnostics", &self.diagnostics)
            .finish_non_exhaustive()
    }
}

impl Report {
    pub(crate) fn new(mut evaluation: Evaluation, mut diagnostics: Diagnostics, damaged: bool) -> Report {
        diagnostics.extend(std::mem::take(&mut evaluation.diagnostics));
        Report { evaluation, diagnostics, damaged }
    }

    /// Whether a file could not be parsed, so that parts of the configuration are missing.
    pub fn is_damaged(&self) -> bool {
        self.damaged
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
    pub fn outputs(&self) -> impl Iterator<Item = (&SmolStr, &Value)> {
        let root = self.evaluation.root();
        root.into_iter().flat_map(|root| {
            self.evaluation.config.node(root.node).module.outputs.keys().zip(root.outputs.iter())
        })
    }

    /// Every named value of every module instance: outputs, locals, variables, module calls, resources, actions.
    pub fn entries(&self) -> Vec<Entry> {
        self.evaluation.instances().iter().flat_map(|instance| self.entries_of(instance)).collect()
    }

    fn entries_of(&self, instance: &ModuleInstance) -> Vec<Entry> {
        let module = &self.evaluation.config.node(instance.node).module;
        let mut entries = Vec::new();
        let mut add = |kind, object, value: &Value, declaration: &Declaration, (number, keys)| {
            let address = Address { module: instance.path.clone(), object };
            let declaration = Some(Subject { file: Arc::clone(&declaration.file), span: declaration.span });
            let (value, arguments) = (value.clone(), None);
            entries.push(Entry { address, kind, value, arguments, declaration, number, keys });
        };
        let alone = || (Number::One, Keys::None);
        for ((name, output), value) in module.outputs.iter().zip(&instance.outputs) {
            let value = shown_output(output, value);
            add(EntryKind::Output, Object::Output(name.clone()), &value, &output.declaration, alone());
        }
        for ((name, local), value) in module.locals.iter().zip(&instance.locals) {
            add(EntryKind::Local, Object::Local(name.clone()), value, &local.declaration, alone());
        }
        for ((name, variable), value) in module.variables.iter().zip(&instance.variables) {
            add(EntryKind::Variable, Object::Variable(name.clone()), value, &variable.declaration, alone());
        }
        for (((mode, resource_type, name), resource), instances) in
            module.resources.iter().zip(&instance.resources)
        {
            let object = |key| Object::Resource(*mode, resource_type.clone(), name.clone(), key);
            let declaration = &resource.declaration;
            let kind = if *mode == ResourceMode::Action { EntryKind::Action } else { EntryKind::Resource };
            let keys = Keys::of(&resource.repetition);
            for (key, value) in instances.expansion.iter() {
                add(kind, object(key), value, declaration, (Number::One, keys));
            }
            if let Some((number, value)) = Number::of(&instances.expansion) {
                let value = value.cloned().unwrap_or_else(|| number.value());
                add(kind, object(InstanceKey::None), &value, declaration, (number, keys));
            }
        }
        let first_resource =
            entries.iter().position(|entry| matches!(entry.address.object, Object::Resource(..)));
        let position = first_resource.unwrap_or(entries.len());
        entries.splice(position..position, self.calls_of(instance));
        entries
    }

    /// The module calls of an instance.
    fn calls_of(&self, instance: &ModuleInstance) -> Vec<Entry> {
        let module = &self.evaluation.config.node(instance.node).module;
        let mut entries = Vec::new();
        for ((name, call), calls) in module.calls.iter().zip(&instance.calls) {
            for called in self.called(call, &calls.expansion) {
                let declaration = &called.call.declaration;
                entries.push(Entry {
                    address: Address {
                        module: instance.path.clone(),
                        object: Object::ModuleCall(name.clone(), called.key.clone()),
                    },
                    kind: EntryKind::ModuleCall,
                    arguments: called.arguments,
                    value: called.value,
                    number: called.number,
                    keys: Keys::of(&call.repetition),
                    declaration: Some(Subject {
                        file: Arc::clone(&declaration.file),
                        span: declaration.span,
                    }),
                });
            }
        }
        entries
    }

    /// The instances of a module call, each with the object of its outputs.
    fn called<'r>(&'r self, call: &'r ModuleCall, calls: &Expansion<Called>) -> Vec<CallEntry<'r>> {
        let entry = |key, called: Option<&Called>, number: Number| {
            let (arguments, value) = match called {
                Some(Called::Instance(index)) => {
                    let instance = self.evaluation.instances().get(*index);
                    let value = instance.map_or_else(Value::error, |instance| self.outputs_of(instance));
                    (instance.map(|instance| self.arguments(call, instance)), value)
                }
                Some(Called::Absent(absent)) => {
                    let value = Value::unknown_from(Type::Dynamic, absent.origins.clone());
                    (Some(absent.arguments.clone()), value)
                }
                None => (None, number.value()),
            };
            CallEntry { call, key, arguments, value, number }
        };
        let mut entries: Vec<CallEntry<'_>> =
            calls.iter().map(|(key, called)| entry(key, Some(called), Number::One)).collect();
        if let Some((number, called)) = Number::of(calls) {
            entries.push(entry(InstanceKey::None, called, number));
        }
        entries
    }

    fn outputs_of(&self, instance: &ModuleInstance) -> Value {
        let outputs = self.evaluation.config.node(instance.node).module.outputs.iter().zip(&instance.outputs);
        Value::object(outputs.map(|((name, output), value)| (name.clone(), shown_output(output, value))))
    }

    /// The values of the variables that the call sets.
    fn arguments(&self, call: &ModuleCall, instance: &ModuleInstance) -> Value {
        let variables = self.evaluation.config.node(instance.node).module.variables.keys();
        let given = variables.zip(&instance.variables).filter(|(name, _)| call.arguments.contains_key(*name));
        Value::object(given.map(|(name, value)| (name.clone(), value.clone())))
    }
}

/// The value of an output as it may be shown: what is declared sensitive is, also where a dialect lets the caller read it as
/// if it were not.
fn shown_output(output: &Output, value: &Value) -> Value {
    if output.sensitive { value.clone().with_marks(&Marks::sensitive()) } else { value.clone() }
}
