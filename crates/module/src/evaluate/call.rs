//! Makes the instances of a module call.

use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_source::Diagnostics;
use terrane_value::{Entries, OriginKind, Origins, Type, Value};

use crate::evaluate::budget::{InstanceKind, OneInstance};
use crate::evaluate::given::{InstanceAddress, with_given};
use crate::expansion::{self, Expansion, RepetitionData};
use crate::model::ids::{CallId, InstanceId, NodeId};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::{Called, MissingInstance, ModuleInstance};
use crate::state::repetition::{self, Repeated};

/// Returns the instances of a module call: one for each key that `count` or `for_each` gives.
pub(super) fn expand(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: CallId,
) -> Expansion<RepetitionData> {
    let names = context.evaluation.scope(instance);
    let (name, call) = names.module().calls.entry_of(id);
    if names.module().doubt.covers(&Object::ModuleCall(name.clone(), InstanceKey::None)) {
        let unknown = RepetitionData::unknown(&call.repetition, &Origins::error());
        return expansion::any_of(&Origins::error(), unknown);
    }
    repetition::expand(context, &names, Repeated::Module, &call.repetition)
}

/// Returns the called module; `None` if it is not on disk.
pub(super) fn called(evaluation: &Evaluation, instance: InstanceId, id: CallId) -> Option<NodeId> {
    evaluation.config.node(evaluation.instances[instance].node).called[id]
}

/// Returns the kind of instance that the limits count for a module call.
pub(super) fn one_instance(evaluation: &Evaluation, instance: InstanceId, id: CallId) -> OneInstance {
    let kind = called(evaluation, instance, id).map_or(InstanceKind::MissingModule, |called| {
        let module = &evaluation.config.node(called).module;
        let blocks = module.resources.len() + module.calls.len() + module.checks.len();
        InstanceKind::Module { objects: module.objects(), blocks }
    });
    let (name, _) = evaluation.scope(instance).module().calls.entry_of(id);
    let object = Object::ModuleCall(name.clone(), InstanceKey::None);
    OneInstance { kind, address: evaluation.address(instance, object).to_string().len() }
}

/// Makes the instance of the module `node` for one key of a call in the instance `caller`. It inherits the reason why
/// its caller is unexpanded.
pub(super) fn instance(
    evaluation: &Evaluation,
    node: NodeId,
    caller: InstanceId,
    path: ModulePath,
    data: RepetitionData,
) -> ModuleInstance {
    let module = &evaluation.config.node(node).module;
    let unexpanded = evaluation.instances[caller].unexpanded.clone();
    ModuleInstance { unexpanded, ..ModuleInstance::new(node, path, Some(caller), data, module) }
}

/// Returns the instances of a call whose module is not on disk, and the mistakes in the values given for its outputs.
pub(super) fn missing_instances(
    context: &Context<'_>,
    instance: InstanceId,
    id: CallId,
    expansion: Expansion<RepetitionData>,
) -> (Expansion<Called>, Diagnostics) {
    let evaluation = context.evaluation;
    let (config, env) = (&evaluation.config, evaluation.env(context.files, context.meter));
    let node = config.node(evaluation.instances[instance].node);
    let (name, _) = node.module.calls.entry_of(id);
    let path = node.path.child(name, InstanceKey::None);
    let module = config.missing_module_at(&path);
    let causes = module.map(|module| &module.causes).filter(|causes| !causes.is_empty());
    let reason = module.map_or(&Origins::NONE, |module| &module.reason);
    let (state, mut diagnostics) = (&evaluation.instances[instance], Diagnostics::new());
    let parts = config.given.outputs(state.node, id);
    let is_given = !parts.is_empty() && !evaluation.phase().outputs_are_unknown();
    let instances = expansion.map(|key, repetition| {
        let address =
            || evaluation.address(instance, Object::ModuleCall(name.clone(), key.clone())).to_string();
        let not_on_disk = || Origins::one(OriginKind::Module, address()).because(reason);
        let origins = causes.cloned().unwrap_or_else(not_on_disk);
        let outputs = match is_given {
            false => Value::unknown_from(Type::Dynamic, origins.clone()),
            true => {
                let address = address();
                let instance = InstanceAddress { address: &address, module: &state.path, key: &key };
                // Outputs that are not given stay unknown, like the attributes of an object without a schema.
                let outputs = Value::open_object(Entries::default(), origins.clone());
                with_given(outputs, parts, &instance, &env, &mut diagnostics)
            }
        };
        let arguments = Value::error();
        Called::Missing(Box::new(MissingInstance { origins, outputs, arguments, repetition }))
    });
    (instances, diagnostics)
}
