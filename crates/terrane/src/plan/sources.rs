//! Lists the parts of planned objects that do not come from the configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_config::address::Object;
use terrane_config::{Address, InstanceKey};

use super::Plan;
use super::resources::PlannedResource;
use crate::document::listing::sources_in_words;
use crate::entry::SourcesByName;
use crate::part_source::{PartSource, SourceKind};
use crate::sources::tracer::SourceTracer;
use crate::summary::from_elsewhere;

/// The parts of a resource instance or module call that do not come from the configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SourcesOfObject {
    /// The address of the object.
    pub address: Address,
    /// The parts that do not come from the configuration.
    pub parts: Vec<PartSource>,
}

/// The kinds of source outside of the configuration that values of a plan depend on.
#[derive(Default)]
pub(super) struct FollowedSources {
    /// The sources of outputs, local values and variables, by address.
    pub(super) values: BTreeMap<String, Vec<SourceKind>>,
    /// The sources of the arguments and blocks of resources and module calls, by the address of the block in its module
    /// instance.
    pub(super) arguments: BTreeMap<String, Arc<SourcesByName>>,
    /// The sources of `count`, `for_each` or `enabled` of the same blocks, by the same addresses.
    pub(super) instances: BTreeMap<String, Vec<SourceKind>>,
}

impl Plan<'_> {
    /// Returns the sources that the known values depend on.
    pub(super) fn followed_sources(&self) -> FollowedSources {
        let mut sources = self.part_sources().peekable();
        let mut found = FollowedSources::default();
        if sources.peek().is_none() {
            return found;
        }
        let evaluation = self.report.evaluation();
        let mut followed = SourceTracer::new(evaluation);
        for SourcesOfObject { address, parts } in sources {
            followed.add_sources(&address, &parts);
        }
        for (id, instance) in evaluation.instances().enumerate() {
            if instance.unexpanded.is_some() {
                continue;
            }
            let module = &evaluation.config.node(instance.node).module;
            let address = |object| Address { module: instance.path.clone(), object }.to_string();
            let outputs = module.outputs.keys().cloned().map(Object::Output).zip(&instance.outputs);
            let locals = module.locals.keys().cloned().map(Object::Local).zip(&instance.locals);
            let variables = module.variables.keys().cloned().map(Object::Variable).zip(&instance.variables);
            for (object, value) in outputs.chain(locals).chain(variables) {
                if !value.is_wholly_unknown() {
                    let kinds = followed.value(id, &object);
                    found.values.extend((!kinds.is_empty()).then(|| (address(object), kinds)));
                }
            }
            let resources = module.resources.keys().map(|key| key.object(InstanceKey::None));
            let calls = module.calls.keys().map(|name| Object::ModuleCall(name.clone(), InstanceKey::None));
            for object in resources.chain(calls) {
                let instances = followed.instances_of(id, &object);
                if !instances.is_empty() {
                    found.instances.insert(address(object.clone()), instances);
                }
                let kinds = followed.arguments(id, &object);
                found.arguments.extend(kinds.map(|kinds| (address(object), kinds)));
            }
        }
        found
    }

    /// Returns the objects with parts that do not come from the configuration: values given by hand, recorded in a state, and
    /// so on.
    pub fn part_sources(&self) -> impl Iterator<Item = SourcesOfObject> {
        let resources = self.resources().iter().filter_map(|resource| {
            let parts: Vec<PartSource> = self.sources_of(resource).collect();
            (!parts.is_empty()).then(|| SourcesOfObject { address: resource.address(), parts })
        });
        let evaluation = self.report.evaluation();
        let instances = evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none());
        let calls = instances.flat_map(move |instance| {
            let declared = &evaluation.config.node(instance.node).module.calls;
            let names = declared.ids().zip(declared.keys());
            names.zip(&instance.calls).flat_map(move |((id, name), calls)| {
                calls.expansion.iter().filter_map(move |(key, _)| {
                    let parts = self.report.call_sources(instance, id, &key);
                    (!parts.is_empty()).then(|| {
                        let object = Object::ModuleCall(name.clone(), key);
                        SourcesOfObject { address: Address { module: instance.path.clone(), object }, parts }
                    })
                })
            })
        });
        resources.chain(calls)
    }

    /// Returns the numbers of values that do not come from the configuration, like
    /// [`Summary::from_elsewhere`](crate::Summary::from_elsewhere).
    pub fn from_elsewhere(&self) -> Option<String> {
        let mut counts: BTreeMap<SourceKind, usize> = BTreeMap::new();
        for part in self.part_sources().flat_map(|object| object.parts) {
            *counts.entry(part.kind).or_default() += 1;
        }
        from_elsewhere(&counts, &BTreeMap::new())
    }

    /// Returns in words the parts of a resource instance that do not come from the configuration. Values of the state are left
    /// out, because every plan that begins with a state has some.
    pub(super) fn sources_in_words(&self, resource: &PlannedResource<'_>) -> Option<String> {
        let is_recorded = |part: &PartSource| matches!(part.kind, SourceKind::State | SourceKind::StateData);
        let parts: Vec<PartSource> = self.sources_of(resource).filter(|part| !is_recorded(part)).collect();
        if parts.is_empty() { None } else { sources_in_words(&parts) }
    }

    /// Returns the parts of a resource instance that do not come from the configuration.
    fn sources_of<'s>(&'s self, resource: &'s PlannedResource<'_>) -> impl Iterator<Item = PartSource> + 's {
        self.report.resource_sources(resource.instance, resource.id, &resource.key, &resource.value)
    }
}
