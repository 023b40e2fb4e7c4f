//! Evaluates the arguments of calls whose modules are not on disk. No variable evaluates these arguments, and nothing
//! depends on them, so they are evaluated after all other values.

use terrane_source::Diagnostics;
use terrane_value::{Marks, Type, Value};

use crate::model::ids::{CallId, InstanceId};
use crate::state::context::Context;
use crate::state::instance::Called;
use crate::state::scope::ModuleScope;

/// Returns the arguments of the calls in a module instance, one value for each instance of a call.
pub(crate) fn arguments(context: &mut Context<'_>, instance: InstanceId) -> Vec<(CallId, Vec<Value>)> {
    let state = &context.evaluation.instances[instance];
    let node = context.evaluation.config.node(state.node);
    if state.is_repeated {
        return Vec::new();
    }
    let missing = node.called.enumerate().filter(|(_, called)| called.is_none());
    missing.map(|(id, _)| (id, of_call(context, instance, id))).collect()
}

/// Returns the arguments of a call, one value for each of its instances.
fn of_call(context: &mut Context<'_>, instance: InstanceId, id: CallId) -> Vec<Value> {
    let evaluation = context.evaluation;
    let state = &evaluation.instances[instance];
    let (calls, call) = (&state.calls[id], evaluation.scope(instance).module().calls.at(id));
    // If the instances are unknown, there may be none, so an error in the arguments may never happen.
    let unknown = calls.expansion.unknown().or(state.unexpanded.as_ref());
    let unknown = unknown.filter(|_| !evaluation.phase().reports_errors_of_possible_instances());
    // Which variables of the module are secrets is not known.
    let marks = if call.has_readable_source() { Marks::NONE } else { Marks::sensitive() };
    let mut values = Vec::new();
    for called in calls.expansion.all() {
        let Called::Missing(missing) = called else { continue };
        let names = ModuleScope { repetition: Some(&missing.repetition), ..evaluation.scope(instance) };
        let mut attributes = Vec::new();
        for (name, (_, argument)) in &call.arguments {
            let mut found = Diagnostics::new();
            let value = context.reporting_to(&mut found).value(argument, &names);
            let value = match unknown {
                Some(origins) if found.has_errors() => Value::unknown_from(Type::Dynamic, origins.clone()),
                Some(_) | None => {
                    let found = found.into_iter().map(|diagnostic| match state.path.is_root() {
                        true => diagnostic,
                        false => diagnostic.about(&state.path),
                    });
                    context.diagnostics.extend(found);
                    value
                }
            };
            attributes.push((name.clone(), value.with_marks(&marks)));
        }
        values.push(Value::object(attributes));
    }
    values
}
