//! The scope of a module instance: the names that its expressions may use, and their values.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_config::address_parts::written_key;
use terrane_eval::{InstanceCache, Lookup, Names, ProviderFunctions, Reference, literal_value};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Expression};
use terrane_value::{Mark, Marks, Origins, Type, Value, ValueKind, convert};

use crate::expansion::{Expansion, RepetitionData};
use crate::model::declaration_kind::DeclarationKind;
use crate::model::ids::{CallId, InstanceId, ResourceId, VariableId};
use crate::model::module::{Module, Repetition, Resource};
use crate::model::namespace::Namespace;
use crate::model::references::{BuiltIn, ReferencePlace};
use crate::model::tree::ModuleNode;
use crate::resolve::root::{Named, RootedReference, attribute, free_references, is_literal, output_step};
use crate::state::evaluation::Evaluation;
use crate::state::instance::{Called, Instances, ModuleInstance};
use crate::state::instance_value::InstanceValue;

/// The names that expressions in a module instance may use.
#[derive(Clone, Copy)]
pub struct ModuleScope<'e> {
    pub(crate) evaluation: &'e Evaluation,
    /// The module instance.
    pub(crate) instance: InstanceId,
    /// The values of `count` and `each`, in a block with instances.
    pub(crate) repetition: Option<&'e RepetitionData>,
    /// The value of `self`, if it may be used.
    pub(crate) this: Option<&'e Value>,
    /// The object of the block itself, if its expressions may refer to it before the state has it.
    pub(crate) own: Option<OwnObject<'e>>,
    /// Collects the places of the names that are read.
    pub(crate) trace: Option<&'e Mutex<HashSet<ReferencePlace>>>,
    /// Keeps values that are the same for all instances of the block, or of the module instance.
    pub(crate) instance_cache: Option<&'e InstanceCache>,
}

/// The object whose step is being evaluated, as the expressions in its own block read it.
#[derive(Clone, Copy)]
pub(crate) enum OwnObject<'e> {
    /// A variable, in its validations.
    Variable(VariableId, &'e Value),
    /// A resource that refers to itself.
    Resource(ResourceId, &'e Instances<InstanceValue>),
}

/// Returns the value of a wrong reference: only unknown, because resolution has reported it.
fn reported(reference: &Reference<'_>) -> Lookup {
    Lookup::Found { value: Value::error(), consumed: reference.steps.len() }
}

fn found(value: Value, consumed: usize) -> Lookup {
    Lookup::Found { value, consumed }
}

fn ephemeral(lookup: Lookup) -> Lookup {
    match lookup {
        Lookup::Found { value, consumed } => found(value.with_marks(&Marks::one(Mark::Ephemeral)), consumed),
        Lookup::Undeclared => Lookup::Undeclared,
    }
}

impl Names for ModuleScope<'_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        if let Some(trace) = self.trace {
            let mut trace = trace.lock().unwrap_or_else(PoisonError::into_inner);
            trace.insert(ReferencePlace::of(reference));
        }
        let state = &self.evaluation.instances[self.instance];
        let node = self.evaluation.config.node(state.node);
        let module = &node.module;
        let one = |value| found(value, 1);
        let reference = &RootedReference::of(*reference, &module.rules);
        let lookup = reference.named(module).and_then(|named| match named {
            Named::Variable(id) => Some(one(self.variable(id, state).clone())),
            Named::Local(id) => Some(one(state.locals[id].clone())),
            Named::Call(call) => Some(self.called_module(reference, call, state, node)),
            Named::Resource(id, step) => Some(self.resource(reference, id, step)),
            Named::BuiltIn(BuiltIn::Itself) => {
                self.this.map(|value| attribute_of(reference, value.clone(), 0))
            }
            Named::BuiltIn(name) => self.built_in(name, node).map(one),
        });
        lookup.unwrap_or_else(|| match self.hidden(reference) {
            Some(hidden) => found(Value::unknown_from(Type::Dynamic, hidden), reference.steps.len()),
            None => reported(reference),
        })
    }

    fn unknown_instances(&self, reference: &Reference<'_>) -> Origins {
        self.unknown_expansion(reference).unwrap_or_default()
    }

    fn provider(&self, name: &str) -> ProviderFunctions {
        let state = &self.evaluation.instances[self.instance];
        let module = &self.evaluation.config.node(state.node).module;
        let open = self.evaluation.phase().provider_functions_are_open(&module.rules);
        match module.requirements.get(name) {
            None => ProviderFunctions::Undeclared,
            Some(required) if required.provider.is_built_in() => ProviderFunctions::BuiltIn { open },
            Some(_) if self.evaluation.config.request.known_providers.contains(name) => {
                ProviderFunctions::Known
            }
            Some(_) => ProviderFunctions::Unknown,
        }
    }

    fn instance_cache(&self) -> Option<&InstanceCache> {
        // A cached value would hide the names that it reads from the trace.
        self.instance_cache.filter(|_| self.trace.is_none())
    }

    fn visible(&self) -> Vec<String> {
        Namespace::visible(Namespace::is_suggested)
    }
}

impl<'e> ModuleScope<'e> {
    /// Returns the module of the instance.
    pub(crate) fn module(&self) -> &'e Module {
        &self.evaluation.config.node(self.evaluation.instances[self.instance].node).module
    }

    /// Returns the scope in which the expressions of a resource read the resource itself as `own`.
    pub(crate) fn with_own(
        self,
        id: ResourceId,
        own: Option<&'e Instances<InstanceValue>>,
    ) -> ModuleScope<'e> {
        match own {
            // Other blocks read another value of the resource, so values cannot be shared with them.
            Some(own) => {
                ModuleScope { own: Some(OwnObject::Resource(id, own)), instance_cache: None, ..self }
            }
            None => self,
        }
    }

    /// Returns the value of an expression with a wrong reference, which has been reported unless text that cannot be read may declare
    /// its name.
    pub(crate) fn broken(&self, expression: &Expression) -> Value {
        let references = free_references(expression, self.module());
        let hidden = references.iter().filter_map(|reference| self.hidden(reference));
        let hidden = hidden.fold(Origins::NONE, |all, one| all.union(&one));
        if hidden.is_empty() { Value::error() } else { Value::unknown_from(Type::Dynamic, hidden) }
    }

    /// Returns the cause of the value of a name that nothing readable declares, if text that cannot be read may declare it.
    fn hidden(&self, reference: &RootedReference<'_>) -> Option<Origins> {
        let module = self.module();
        let name = reference.name().filter(|_| reference.named(module).is_none())?.object();
        if !module.doubt.hides_object(&name) {
            return None;
        }
        let address = self.evaluation.address(self.instance, name).to_string();
        let file = module.doubt.only_file().map(ToString::to_string);
        Some(Origins::hidden_name(&address, file.as_deref()))
    }

    /// Returns the value of a variable.
    fn variable<'i>(&self, id: VariableId, state: &'i ModuleInstance) -> &'i Value
    where
        'e: 'i,
    {
        match self.own {
            Some(OwnObject::Variable(own, value)) if own == id => value,
            Some(OwnObject::Variable(..) | OwnObject::Resource(..)) | None => &state.variables[id],
        }
    }

    /// Returns the instances of a resource of the module, as this scope reads them.
    fn resource_instances(&self, id: ResourceId) -> &'e Instances<InstanceValue> {
        match self.own {
            Some(OwnObject::Resource(own, instances)) if own == id => instances,
            Some(OwnObject::Resource(..) | OwnObject::Variable(..)) | None => {
                &self.evaluation.instances[self.instance].resources[id]
            }
        }
    }

    /// Returns the reason why it is unknown whether the instance selected by the reference
    /// exists; `None` if it is known.
    fn unknown_expansion(&self, reference: &Reference<'_>) -> Option<Origins> {
        let state = &self.evaluation.instances[self.instance];
        let node = self.evaluation.config.node(state.node);
        let reference = &RootedReference::of(*reference, &node.module.rules);
        let (step, origins) = match reference.named(&node.module)? {
            Named::Variable(_) | Named::Local(_) | Named::BuiltIn(_) => return None,
            Named::Call(call) => (1, state.calls[call].expansion.unknown()?),
            Named::Resource(id, step) => (step + 1, self.resource_instances(id).expansion.unknown()?),
        };
        matches!(reference.steps.get(step)?, Step::Index { .. }).then(|| origins.clone())
    }

    /// Returns the value of a built-in name.
    fn built_in(&self, name: BuiltIn, node: &ModuleNode) -> Option<Value> {
        let each = || self.repetition?.each.as_deref();
        match name {
            BuiltIn::PathModule => Some(Value::from(node.module_dir.as_str())),
            BuiltIn::PathRoot => Some(Value::from(".")),
            BuiltIn::PathCwd => {
                Some(Value::from(self.evaluation.working_directory.to_string_lossy().as_ref()))
            }
            BuiltIn::Workspace => Some(Value::from(self.evaluation.config.workspace.as_str())),
            BuiltIn::Applying => {
                let applying = match self.evaluation.phase().applying_is_unknown() {
                    false => Value::from(false),
                    true => Value::unknown_from(Type::Bool, Origins::NONE).not_null(),
                };
                Some(applying.with_marks(&Marks::one(Mark::Ephemeral)))
            }
            BuiltIn::CountIndex => self.repetition?.count_index.clone(),
            BuiltIn::EachKey => each().map(|(key, _)| key.clone()),
            BuiltIn::EachValue => each().map(|(_, value)| value.clone()),
            BuiltIn::Itself => self.this.cloned(),
        }
    }

    /// Returns a resource, or the instance that a literal key after the step `named` selects.
    fn resource(&self, reference: &Reference<'_>, id: ResourceId, named: usize) -> Lookup {
        let (key, resource) = self.module().resources.entry_of(id);
        let lookup = self.resource_at(reference, resource, self.resource_instances(id), named);
        if key.mode == ResourceMode::Ephemeral { ephemeral(lookup) } else { lookup }
    }

    fn resource_at(
        &self,
        reference: &Reference<'_>,
        resource: &Resource,
        instances: &Instances<InstanceValue>,
        named: usize,
    ) -> Lookup {
        // A single instance is read without building the value of all instances.
        let next = reference.steps.get(named + 1);
        let is_repeated = matches!(resource.repetition, Repetition::Count(_) | Repetition::ForEach(_));
        let is_misused = match (&resource.repetition, next) {
            (Repetition::Once | Repetition::Enabled(_), Some(Step::Index { key, .. })) => {
                is_literal(reference, *key)
            }
            (Repetition::Once | Repetition::Enabled(_), Some(Step::LegacyIndex { .. })) => true,
            (Repetition::Count(_) | Repetition::ForEach(_), Some(Step::Attr { .. })) => true,
            (_, Some(_) | None) => false,
        };
        if is_misused {
            return reported(reference);
        }
        if let Some((key, one)) = next
            .filter(|_| is_repeated)
            .and_then(|step| one_instance(reference, *step, &instances.expansion, &resource.repetition))
        {
            return attribute_of(reference, one.value(&key).into_owned(), named + 2);
        }
        let whole = instances.whole(|key, one| one.value(&key).into_owned());
        attribute_of(reference, whole, named + 1)
    }

    fn called_module(
        &self,
        reference: &Reference<'_>,
        call: CallId,
        state: &ModuleInstance,
        node: &ModuleNode,
    ) -> Lookup {
        let called = &state.calls[call];
        let (one, consumed) = match &*called.expansion {
            Expansion::Once(one) => (one, 1),
            expansion @ (Expansion::Count(_)
            | Expansion::ForEach(_)
            | Expansion::Absent
            | Expansion::Unknown { .. }) => {
                let next = reference.steps.get(1);
                let repetition = &node.module.calls.at(call).repetition;
                match next.and_then(|step| one_instance(reference, *step, expansion, repetition)) {
                    Some((_, one)) => (one, 2),
                    None if output_step(reference, repetition).is_some() && expansion.unknown().is_none() => {
                        // There is no such instance, so the error of the index needs the keys only.
                        return found(called.keys(), 1);
                    }
                    None => return found(self.all_called(call, node, called), 1),
                }
            }
        };
        let instance = match one {
            Called::Instance(instance) => *instance,
            Called::Missing(_) => return found(self.called_object(one), consumed),
        };
        // An output is read without the object of all outputs, because other outputs may not be evaluated yet.
        let output = match reference.steps.get(consumed) {
            Some(Step::Attr { name, .. }) => self.output(instance, reference.tree.slice(*name)),
            Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => None,
        };
        match (output, reference.steps.get(consumed)) {
            (Some(value), _) => found(value, consumed + 1),
            // Other outputs may not be evaluated yet, so this object is not the one of all outputs.
            (None, Some(Step::Attr { .. })) => found(self.lacking_object(instance), consumed),
            (None, _) => found(self.module_object(instance), consumed),
        }
    }

    /// Returns all instances of a module call, after they have been evaluated. A validation knows the type of unknown instances.
    fn all_called(&self, call: CallId, node: &ModuleNode, called: &Instances<Called>) -> Value {
        let whole = called.whole(|_, one| self.called_object(one));
        let (Some(child), true) = (node.called[call], self.evaluation.phase().outputs_are_unknown()) else {
            return whole;
        };
        let module = &self.evaluation.config.node(child).module;
        if module.doubt.hides(DeclarationKind::Output) {
            return whole;
        }
        let object = module.outputs_type().clone();
        match (&node.module.calls.at(call).repetition, called.expansion.unknown()) {
            (Repetition::Count(_), Some(_)) => {
                Value::unknown_from(Type::list(object), whole.origins().clone())
            }
            (Repetition::ForEach(_), Some(_)) => {
                Value::unknown_from(Type::map(object), whole.origins().clone())
            }
            (_, _) => whole,
        }
    }

    fn output(&self, instance: InstanceId, name: &str) -> Option<Value> {
        let state = &self.evaluation.instances[instance];
        let value = &state.outputs[self.evaluation.config.node(state.node).module.outputs.id_of(name)?];
        Some(match self.evaluation.phase().outputs_are_unknown() {
            false => value.clone(),
            true if state.is_repeated => Value::unknown_from(Type::Dynamic, Origins::NONE),
            true => Value::unknown_from(Type::Dynamic, value.origins_deep()),
        })
    }

    /// Returns all outputs of an instance of a called module.
    fn called_object(&self, called: &Called) -> Value {
        match called {
            Called::Instance(instance) => self.module_object(*instance),
            Called::Missing(missing) => missing.outputs.clone(),
        }
    }

    /// Returns all outputs of a module instance, after they have been evaluated.
    fn module_object(&self, instance: InstanceId) -> Value {
        let state = &self.evaluation.instances[instance];
        state.object.get_or_init(|| self.present_object(instance)).clone()
    }

    /// Returns an object of the outputs of a module instance, for the error about an output that does not exist. A thousand
    /// references may have that error.
    fn lacking_object(&self, instance: InstanceId) -> Value {
        let state = &self.evaluation.instances[instance];
        state.lacking.get_or_init(|| self.present_object(instance)).clone()
    }

    /// Returns the outputs of a module instance evaluated so far, with errors in place of the others. A validation
    /// knows only the names of the outputs.
    fn present_object(&self, instance: InstanceId) -> Value {
        let state = &self.evaluation.instances[instance];
        let module = &self.evaluation.config.node(state.node).module;
        let is_open = module.doubt.hides(DeclarationKind::Output);
        let error = || Origins::error_of(&state.path.to_string());
        if self.evaluation.phase().outputs_are_unknown() {
            return match is_open {
                true => Value::unknown_from(Type::Dynamic, error()),
                false => Value::unknown_from(module.outputs_type().clone(), Origins::NONE),
            };
        }
        let outputs = || module.outputs.keys().cloned().zip(state.outputs.iter().cloned());
        let object = || match is_open {
            true => Value::open_object(outputs().collect(), error()),
            false => Value::object(outputs()),
        };
        object()
    }
}

/// Returns the look-up of a resource, or of an instance of one, named by the first `consumed` steps. A missing
/// attribute in the next step has been reported, if the attributes are known.
fn attribute_of(reference: &Reference<'_>, value: Value, consumed: usize) -> Lookup {
    let missing = attribute(reference, consumed).is_some_and(|name| {
        match (value.unmarked().kind(), value.unmarked().as_unknown().map(|unknown| &unknown.ty)) {
            (ValueKind::Object(attributes), _) => attributes.get(name).is_none(),
            (_, Some(Type::Object(object))) => object.get(name).is_none(),
            (_, _) => false,
        }
    });
    if missing { reported(reference) } else { found(value, consumed) }
}

/// Returns the key that a literal index has after its conversion: `["0"]` and `[0.0]` select the first instance of a `count`.
fn converted_key<T>(reference: &Reference<'_>, step: Step, instances: &Expansion<T>) -> Option<InstanceKey> {
    let Step::Index { key, .. } = step else { return None };
    let Expr::Literal(literal) = reference.tree.expr(key) else { return None };
    let index = literal_value(reference.tree, key, literal);
    match instances {
        Expansion::Count(_) => {
            let index = convert(&index, &Type::Number).ok()?;
            index.as_number()?.to_string().parse().ok().map(InstanceKey::Index)
        }
        Expansion::ForEach(_) => {
            convert(&index, &Type::String).ok()?.as_str().map(|key| InstanceKey::Key(key.into()))
        }
        Expansion::Once(_) | Expansion::Absent | Expansion::Unknown { .. } => None,
    }
}

/// Returns the instance that a literal index selects; if the instances are unknown, the instance that stands for any
/// index. `None` if there is no such instance.
fn one_instance<'i, T>(
    reference: &Reference<'_>,
    step: Step,
    instances: &'i Expansion<T>,
    repetition: &Repetition,
) -> Option<(InstanceKey, &'i T)> {
    match instances {
        Expansion::Once(_) | Expansion::Count(_) | Expansion::ForEach(_) | Expansion::Absent => {
            let written = written_key(reference.tree, &step).filter(|key| instances.has(key));
            let key = written.or_else(|| converted_key(reference, step, instances))?;
            instances.get(&key).map(|one| (key, one))
        }
        Expansion::Unknown { any, .. } => {
            let Step::Index { key, .. } = step else { return None };
            let is_possible = if let Expr::Literal(Literal::String(text)) = reference.tree.expr(key) {
                !matches!(repetition, Repetition::Count(_))
                    || reference.tree.text(text).parse::<f64>().is_ok()
            } else {
                true
            };
            any.as_ref().filter(|_| is_possible).map(|any| (InstanceKey::None, any))
        }
    }
}
