//! The arguments of calls whose modules are not on disk, which no variable takes.

use terrane_source::{Diagnostics, Files};
use terrane_value::{Origins, Type, Value};

use crate::evaluate::{Called, Evaluation, Expansion, ModuleScope, RepetitionData};
use crate::model::ids::{CallId, InstanceId};
use crate::model::module::ModuleCall;
use crate::rules::phase::Phase;

/// An instance of a call whose module is not on disk.
#[derive(Clone, Debug)]
pub struct AbsentInstance {
    /// Why its outputs are unknown.
    pub origins: Origins,
    /// The object of its arguments.
    pub arguments: Value,
    /// What `count` and `each` mean in the arguments.
    pub(crate) repetition: RepetitionData,
}

/// Evaluates them when everything that they can refer to has been: what the modules make of them is not known, so nothing
/// waits for them.
pub(crate) fn evaluate(evaluation: &mut Evaluation, files: &dyn Files, diagnostics: &mut Diagnostics) {
    for instance in evaluation.instances.ids() {
        let state = &evaluation.instances[instance];
        let node = evaluation.config.node(state.node);
        if node.called.iter().all(Option::is_some) || evaluation.repeats.contains(state.node) {
            continue;
        }
        let mut given = Vec::new();
        for (id, call) in node.module.calls.enumerate() {
            if node.called[id].is_none() {
                given.push((id, of_call(evaluation, instance, (id, call), files, diagnostics)));
            }
        }
        let state = &mut evaluation.instances[instance];
        for (id, given) in given {
            let calls = &mut state.calls[id];
            for (called, value) in calls.expansion.all_mut().into_iter().zip(given) {
                if let Called::Absent(absent) = called {
                    absent.arguments = value;
                }
            }
        }
    }
}

/// The arguments of all instances of a call.
fn of_call(
    evaluation: &Evaluation,
    instance: InstanceId,
    (id, call): (CallId, &ModuleCall),
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Vec<Value> {
    let state = &evaluation.instances[instance];
    let calls = &state.calls[id];
    // Perhaps there is no such instance, and then there is no such mistake.
    let doubt = calls.expansion.unknown().or(state.unexpanded.as_ref());
    let doubt = doubt.filter(|_| evaluation.phase() != Phase::Validate);
    let mut values = Vec::new();
    for called in calls.expansion.all() {
        let Called::Absent(absent) = called else { continue };
        let names = ModuleScope { repetition: Some(&absent.repetition), ..evaluation.scope(instance) };
        let mut attributes = Vec::new();
        for (name, (_, resolved)) in &call.arguments {
            let mut found = Diagnostics::new();
            let value = evaluation.value(resolved, &names, files, &mut found);
            let value = match doubt {
                Some(origins) if found.has_errors() => Value::unknown_from(Type::Dynamic, origins.clone()),
                Some(_) | None => {
                    let found = found.into_iter().map(|diagnostic| match state.path.is_root() {
                        true => diagnostic,
                        false => diagnostic.about(&state.path),
                    });
                    diagnostics.extend(found);
                    value
                }
            };
            attributes.push((name.clone(), value));
        }
        values.push(Value::object(attributes));
    }
    values
}

impl<T> Expansion<T> {
    /// What there is of each instance, and what holds for any of them where they are not known.
    fn all(&self) -> Vec<&T> {
        match self {
            Expansion::Once(only) => vec![only],
            Expansion::Count(all) => all.iter().collect(),
            Expansion::ForEach(all) => all.iter().map(|(_, instance)| instance).collect(),
            Expansion::Absent => Vec::new(),
            Expansion::Unknown { any, .. } => any.iter().collect(),
        }
    }

    fn all_mut(&mut self) -> Vec<&mut T> {
        match self {
            Expansion::Once(only) => vec![only],
            Expansion::Count(all) => all.iter_mut().collect(),
            Expansion::ForEach(all) => all.iter_mut().map(|(_, instance)| instance).collect(),
            Expansion::Absent => Vec::new(),
            Expansion::Unknown { any, .. } => any.iter_mut().collect(),
        }
    }
}
