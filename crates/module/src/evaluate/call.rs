//! Makes the instances of a module call.

use terrane_config::Declaration;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{OriginKind, Origins, Value};

use crate::expansion::{Expansion, RepetitionData};
use crate::model::ids::{CallId, InstanceId, NodeId};
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::{AbsentInstance, Called, ModuleInstance};
use crate::state::repetition::{self, Repeated};

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

/// The instances of a module call, and the number of objects in each.
pub(super) fn expand(
    context: &mut Context<'_>,
    instance: InstanceId,
    id: CallId,
) -> (Expansion<RepetitionData>, usize) {
    let evaluation = context.evaluation;
    let names = evaluation.scope(instance);
    let repetition = &names.module().calls.at(id).repetition;
    let expansion = repetition::expand(context, &names, Repeated::Module, repetition);
    let called = evaluation.config.node(evaluation.instances[instance].node).called[id];
    let objects =
        called.map_or(0, |called| OBJECTS_OF_AN_INSTANCE + evaluation.config.node(called).module.objects());
    (expansion, objects)
}

/// An instance of the module at `node`, which a call in the instance `caller` makes. It inherits the reason why its caller is unexpanded.
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

/// The instances of a call whose module is not on disk.
pub(super) fn absent_instances(
    evaluation: &Evaluation,
    instance: InstanceId,
    id: CallId,
    expansion: Expansion<RepetitionData>,
) -> Expansion<Called> {
    let config = &evaluation.config;
    let node = config.node(evaluation.instances[instance].node);
    let (name, _) = node.module.calls.entry_of(id);
    let path = node.path.child(name, InstanceKey::None);
    let absent = config.absent.iter().find(|absent| absent.path == path);
    let causes = absent.map(|absent| &absent.causes).filter(|causes| !causes.is_empty());
    expansion.map(|key, repetition| {
        let address = || evaluation.address(instance, Object::ModuleCall(name.clone(), key));
        let unknown_source = causes.cloned();
        let origins =
            unknown_source.unwrap_or_else(|| Origins::one(OriginKind::Module, address().to_string()));
        Called::Absent(Box::new(AbsentInstance { origins, arguments: Value::error(), repetition }))
    })
}
