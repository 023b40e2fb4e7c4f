//! Makes the instances of a module call.

use terrane_config::Declaration;
use terrane_config::address::{InstanceKey, Object};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{OriginKind, Origins, Value};

use crate::evaluate::Driver;
use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{CallId, InstanceId, NodeId};
use crate::state::context::Context;
use crate::state::instance::{AbsentInstance, Called, Instances, ModuleInstance};
use crate::state::repetition::{Repeated, expand};

/// The largest number of objects in all instances of modules and resources: instances, variables, locals and outputs.
const MAX_OBJECTS: usize = 1_000_000;

/// An instance of a module takes as much memory by itself as a few objects.
const OBJECTS_OF_AN_INSTANCE: usize = 4;

/// The number of objects that instances of blocks may still have.
pub(super) struct ObjectBudget(usize);

impl Default for ObjectBudget {
    fn default() -> ObjectBudget {
        ObjectBudget(MAX_OBJECTS)
    }
}

impl ObjectBudget {
    /// The same instances, with `objects` each; none where there would be too many in all, which is reported at the block.
    pub(super) fn spend(
        &mut self,
        expansion: Expansion<RepetitionData>,
        objects: usize,
        declaration: &Declaration,
        diagnostics: &mut Diagnostics,
    ) -> Expansion<RepetitionData> {
        if let Some(left) = self.0.checked_sub(expansion.count().saturating_mul(objects)) {
            self.0 = left;
            return expansion;
        }
        let detail = format!(
            "All instances of modules and resources together would have more than {MAX_OBJECTS} objects. Those of this block \
             are left out."
        );
        let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, detail);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        Expansion::Unknown { origins: Origins::error(), any: None }
    }
}

impl Driver<'_> {
    /// Expands a module call, and adds an instance of the called module for each key.
    pub(super) fn call(&mut self, instance: InstanceId, id: CallId, diagnostics: &mut Diagnostics) {
        let evaluation = &self.evaluation;
        let node = evaluation.config.node(evaluation.instances[instance].node);
        let call = node.module.calls.at(id);
        let called = node.called[id];
        let mut context = Context { evaluation, files: self.files, diagnostics };
        let expansion = expand(&mut context, &evaluation.scope(instance), Repeated::Module, &call.repetition);
        let objects = called
            .map_or(0, |called| OBJECTS_OF_AN_INSTANCE + evaluation.config.node(called).module.objects());
        let expansion = self.budget.spend(expansion, objects, &call.declaration, diagnostics);
        let unexpanded = expansion.unknown().cloned();
        let expansion = match called {
            Some(called) => expansion.map(|key, data| {
                let instance = self.instance_of(called, (instance, id), key, data);
                let inherited = instance.unexpanded;
                let unexpanded = unexpanded.clone().or(inherited);
                Called::Instance(self.evaluation.add_instance(ModuleInstance { unexpanded, ..instance }))
            }),
            None => self.absent_instances(instance, id, expansion),
        };
        self.evaluation.instances[instance].calls[id] = Instances::new(expansion);
    }

    /// The instance of a module that a call makes with a key. It inherits the reason why its caller is unexpanded.
    fn instance_of(
        &self,
        node: NodeId,
        (caller, call): (InstanceId, CallId),
        key: InstanceKey,
        data: RepetitionData,
    ) -> ModuleInstance {
        let (config, state) = (&self.evaluation.config, &self.evaluation.instances[caller]);
        let (name, _) = config.node(state.node).module.calls.entry_of(call);
        let path = state.path.child(name, key);
        let instance = ModuleInstance::new(node, path, Some(caller), data, &config.node(node).module);
        let (unexpanded, is_repeated) = (state.unexpanded.clone(), self.is_repeated(node));
        ModuleInstance { unexpanded, is_repeated, ..instance }
    }

    /// The instances of a call whose module is not on disk.
    fn absent_instances(
        &self,
        instance: InstanceId,
        id: CallId,
        expansion: Expansion<RepetitionData>,
    ) -> Expansion<Called> {
        let config = &self.evaluation.config;
        let node = config.node(self.evaluation.instances[instance].node);
        let (name, _) = node.module.calls.entry_of(id);
        let path = node.path.child(name, InstanceKey::None);
        let absent = config.absent.iter().find(|absent| absent.path == path);
        let causes = absent.map(|absent| &absent.causes).filter(|causes| !causes.is_empty());
        expansion.map(|key, repetition| {
            let address = || self.evaluation.address(instance, Object::ModuleCall(name.clone(), key));
            let unknown_source = causes.cloned();
            let origins =
                unknown_source.unwrap_or_else(|| Origins::one(OriginKind::Module, address().to_string()));
            Called::Absent(Box::new(AbsentInstance { origins, arguments: Value::error(), repetition }))
        })
    }
}
