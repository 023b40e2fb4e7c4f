//! The attributes of resources that feed a planned resource or an output of a module instance.
//!
//! References are followed through locals, variables, the arguments of module calls and outputs. Only the display of changes
//! reads them.

use std::collections::HashSet;

use serde::Serialize;
use terrane_body::Body;
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_eval::{Reference, references};
use terrane_module::module::{Module, ResourceKey};
use terrane_module::{Config, Evaluation, ModuleNode};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::SmolStr;

use super::checks::KeyJson;
use super::expression::written_key;
use super::failures::Failures;
use super::resources::PlannedResource;

#[derive(PartialEq, Eq, Serialize)]
pub(super) struct RelevantJson {
    resource: String,
    attribute: Vec<KeyJson>,
}

/// The relevant attributes, each once.
pub(super) fn relevant(
    evaluation: &Evaluation,
    planned: &[PlannedResource<'_>],
    failures: &Failures,
) -> Vec<RelevantJson> {
    let config = &evaluation.config;
    let mut search = Search { config, seen: HashSet::new(), found: Vec::new(), left: Vec::new() };
    for instance in evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none()) {
        for name in config.node(instance.node).module.outputs.keys() {
            let object = Object::Output(name.clone());
            if !failures.has_output(&instance.path, &object) {
                search.left.push((instance.path.clone(), object));
            }
        }
    }
    for resource in planned {
        // The instances of a block have the same expressions.
        search.left.push((resource.module.clone(), resource.resource.object(InstanceKey::None)));
    }
    while let Some((path, object)) = search.left.pop() {
        search.object(&path, &object);
    }
    search.found
}

struct Search<'c> {
    config: &'c Config,
    seen: HashSet<(ModulePath, Object)>,
    found: Vec<RelevantJson>,
    /// The objects whose expressions are still to be read, with the paths of their modules.
    left: Vec<(ModulePath, Object)>,
}

impl<'c> Search<'c> {
    fn node(&self, path: &ModulePath) -> Option<&'c ModuleNode> {
        let names = || path.steps().iter().map(|step| &step.name);
        let is_at = |node: &ModuleNode| node.path.steps().iter().map(|step| &step.name).eq(names());
        self.config.nodes().map(|(_, node)| node).find(|node| is_at(node))
    }

    /// Follows the references in the expressions of an object.
    fn object(&mut self, path: &ModulePath, object: &Object) {
        let Some(node) = self.node(path) else { return };
        if !self.seen.insert((path.clone(), object.clone())) {
            return;
        }
        let module: &'c Module = &node.module;
        match object {
            Object::Output(name) => {
                let value = module.outputs.get(name).and_then(|output| output.value.as_ref());
                value.into_iter().for_each(|value| self.expression(path, module, value, &[]));
            }
            Object::Local(name) => {
                let value = module.locals.get(name).map(|local| &local.value);
                value.into_iter().for_each(|value| self.expression(path, module, value, &[]));
            }
            Object::Variable(name) => self.argument(path, node, name),
            Object::Resource(mode, resource_type, name, _) => {
                let (resource_type, name) = (resource_type.clone(), name.clone());
                let key = ResourceKey { mode: *mode, resource_type, name };
                let Some(resource) = module.resources.get(&key) else { return };
                let repetition = resource.repetition.expression();
                repetition.into_iter().for_each(|value| self.expression(path, module, value, &[]));
                self.body(path, module, &resource.config, &mut Vec::new());
            }
            Object::Check(_)
            | Object::ModuleCall(..)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => {}
        }
    }

    /// The argument of the module call that sets a variable.
    fn argument(&mut self, path: &ModulePath, node: &'c ModuleNode, name: &SmolStr) {
        let Some((caller, call)) = node.caller else { return };
        let caller = self.config.node(caller);
        let Some((_, value)) = caller.module.calls.at(call).arguments.get(name) else { return };
        let steps = path.steps();
        let outer = steps.iter().take(steps.len().saturating_sub(1));
        let outer = outer.fold(ModulePath::ROOT, |path, step| path.child(&step.name, step.key.clone()));
        self.expression(&outer, &caller.module, value, &[]);
    }

    /// The arguments of a body and of the blocks in it; `bound` are the iterators of `dynamic` blocks.
    fn body(&mut self, path: &ModulePath, module: &Module, body: &Body, bound: &mut Vec<SmolStr>) {
        let content = body.open_content(&mut Diagnostics::new());
        for attribute in content.attributes.values() {
            self.expression(path, module, &attribute.expression(&mut Diagnostics::new()), bound);
        }
        for block in &content.blocks {
            let label = block.labels.first().filter(|_| &*block.block_type == "dynamic");
            let iterator = label.map(|label| {
                let inner = block.body.open_content(&mut Diagnostics::new());
                let named = inner.attribute("iterator").map(|attribute| attribute.reference());
                let named = named.and_then(|named| named.tree.root_name(named.id).map(SmolStr::from));
                named.unwrap_or_else(|| label.text.clone())
            });
            let outer = bound.len();
            bound.extend(iterator);
            self.body(path, module, &block.body, bound);
            bound.truncate(outer);
        }
    }

    fn expression(&mut self, path: &ModulePath, module: &Module, value: &Expression, bound: &[SmolStr]) {
        for reference in references(value) {
            if !bound.iter().any(|name| name == reference.root) {
                self.reference(path, module, &reference);
            }
        }
    }

    fn reference(&mut self, path: &ModulePath, module: &Module, reference: &Reference<'_>) {
        let name = |step: usize| match reference.steps.get(step)? {
            Step::Attr { name, .. } => Some(SmolStr::from(reference.tree.slice(*name))),
            Step::Index { .. } | Step::LegacyIndex { .. } => None,
        };
        match (reference.root, name(0)) {
            ("var", Some(name)) => self.left.push((path.clone(), Object::Variable(name))),
            ("local", Some(name)) => self.left.push((path.clone(), Object::Local(name))),
            ("module", Some(call)) => {
                let key = reference.steps.get(1).and_then(|step| written_key(reference, step));
                let output = name(1 + usize::from(key.is_some()));
                let inner = path.child(&call, key.unwrap_or(InstanceKey::None));
                self.outputs(&inner, output);
            }
            _ => self.resource(path, module, reference),
        }
    }

    /// One output of a module, or all of them.
    fn outputs(&mut self, path: &ModulePath, output: Option<SmolStr>) {
        let Some(node) = self.node(path) else { return };
        let named: Vec<SmolStr> = match output {
            Some(name) => vec![name],
            None => node.module.outputs.keys().cloned().collect(),
        };
        self.left.extend(named.into_iter().map(|name| (path.clone(), Object::Output(name))));
    }

    fn resource(&mut self, path: &ModulePath, module: &Module, reference: &Reference<'_>) {
        let (mode, before) = match reference.root {
            "data" => (ResourceMode::Data, 1),
            "ephemeral" => (ResourceMode::Ephemeral, 1),
            "resource" => (ResourceMode::Managed, 1),
            _ => (ResourceMode::Managed, 0),
        };
        let name = |step: usize| match reference.steps.get(step)? {
            Step::Attr { name, .. } => Some(SmolStr::from(reference.tree.slice(*name))),
            Step::Index { .. } | Step::LegacyIndex { .. } => None,
        };
        let resource_type = if before == 0 { Some(SmolStr::from(reference.root)) } else { name(0) };
        let Some((resource_type, name)) = resource_type.zip(name(before)) else { return };
        let key_of_resource = ResourceKey { mode, resource_type, name };
        if !module.resources.contains_key(&key_of_resource) {
            return;
        }
        let behind = reference.steps.get(before + 1..).unwrap_or_default();
        let instance = behind.first().and_then(|step| written_key(reference, step));
        let steps = behind.iter().skip(usize::from(instance.is_some()));
        let attribute = steps.map_while(|step| match step {
            Step::Attr { name, .. } => Some(KeyJson::Key(reference.tree.slice(*name).to_owned())),
            Step::Index { .. } | Step::LegacyIndex { .. } => KeyJson::of(&written_key(reference, step)?),
        });
        let object = key_of_resource.object(instance.unwrap_or(InstanceKey::None));
        let resource = Address { module: path.clone(), object }.to_string();
        let relevant = RelevantJson { resource, attribute: attribute.collect() };
        if !self.found.contains(&relevant) {
            self.found.push(relevant);
        }
    }
}
