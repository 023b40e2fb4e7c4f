//! Finds the attributes of resources that a changing resource or output of a module depends on: `relevant_attributes` of the
//! plan document.
//!
//! References are followed through locals, variables, the arguments of module calls, outputs, and the named arguments of other
//! resources. `count` and `for_each` of a resource count if its arguments read `count.index` or `each`; `count` and `for_each`
//! of a module call never do. Products only use the attributes to display changes.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;
use terrane_body::Body;
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object};
use terrane_config::address_parts::written_key;
use terrane_module::model::references::BuiltIn;
use terrane_module::module::{Module, ResourceKey};
use terrane_module::resolve::root::{Named, RootedReference, attribute, free_references};
use terrane_module::{CallInModule, Config, ModuleNode};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::SmolStr;

use super::Plan;
use super::checks::KeyJson;
use super::resources::{PlannedAction, PlannedResource};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct RelevantJson {
    resource: String,
    attribute: Vec<KeyJson>,
    /// Whether each step of `attribute` is written in brackets: `a.b` and `a["b"]` are two entries with the same text.
    #[serde(skip)]
    in_brackets: Vec<bool>,
}

/// Returns the relevant attributes. Each is there once for each way of writing it.
pub(super) fn relevant(plan: &Plan<'_>, planned: &[&PlannedResource<'_>]) -> Vec<RelevantJson> {
    let evaluation = plan.report.evaluation();
    let config = &evaluation.config;
    let failures = plan.failures.as_ref();
    let kept = plan.kept_outputs();
    let destroyed_outputs = plan.changed_outputs();
    let nodes = config.nodes().map(|(_, node)| (&node.path, node)).collect();
    let mut search =
        RelevanceSearch { config, nodes, seen: HashSet::new(), found: BTreeSet::new(), left: Vec::new() };
    for instance in evaluation.instances().iter().filter(|instance| instance.unexpanded.is_none()) {
        for (name, value) in config.node(instance.node).module.outputs.keys().zip(&instance.outputs) {
            let object = Object::Output(name.clone());
            let is_kept = match (plan.is_destruction, instance.path.is_root()) {
                // Only outputs that the state has are destroyed, and only those of the root module are in a state.
                (true, is_root) => !is_root || !destroyed_outputs.contains_key(name.as_str()),
                (false, true) => kept.contains(name.as_str()),
                (false, false) => value.is_null(),
            };
            if !is_kept && !failures.is_some_and(|failures| failures.has_output(&instance.path, &object)) {
                search.left.push(VisitedPart::whole(instance.path.clone(), object));
            }
        }
    }
    // The instances of a block have the same expressions.
    for resource in planned.iter().filter(|resource| resource.action != PlannedAction::NoOp) {
        let object = resource.resource.object(InstanceKey::None);
        search.left.push(VisitedPart::whole(resource.module.clone(), object));
    }
    for destroyed in plan.removed() {
        let object = destroyed.resource.object(InstanceKey::None);
        search.left.push(VisitedPart::whole(destroyed.module.clone(), object));
    }
    while let Some(followed) = search.left.pop() {
        search.object(&followed);
    }
    search.found.into_iter().collect()
}

/// An object, or a part of a resource, whose expressions are read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct VisitedPart {
    /// The path of its module.
    path: ModulePath,
    object: Object,
    /// The steps to the part of a resource whose expressions are read. Empty for the whole resource.
    part: Vec<KeyJson>,
}

impl VisitedPart {
    fn whole(path: ModulePath, object: Object) -> VisitedPart {
        VisitedPart { path, object, part: Vec::new() }
    }
}

/// The place of an expression.
struct ExpressionInModule<'p> {
    path: &'p ModulePath,
    module: &'p Module,
    /// The `count` or `for_each` of the resource that contains it.
    repetition: Option<&'p Expression>,
}

struct RelevanceSearch<'c> {
    config: &'c Config,
    /// The modules by their paths.
    nodes: HashMap<&'c ModulePath, &'c ModuleNode>,
    seen: HashSet<VisitedPart>,
    found: BTreeSet<RelevantJson>,
    /// The objects whose expressions have not been read yet.
    left: Vec<VisitedPart>,
}

impl<'c> RelevanceSearch<'c> {
    fn node(&self, path: &ModulePath) -> Option<&'c ModuleNode> {
        self.nodes.get(&path.without_keys()).copied()
    }

    /// Follows the references in the expressions of an object.
    fn object(&mut self, followed: &VisitedPart) {
        let Some(node) = self.node(&followed.path) else { return };
        if !self.seen.insert(followed.clone()) {
            return;
        }
        let VisitedPart { path, object, part } = followed;
        let module: &'c Module = &node.module;
        let place = ExpressionInModule { path, module, repetition: None };
        match object {
            Object::Output(name) => {
                let value = module.outputs.get(name).and_then(|output| output.value.as_ref());
                value.into_iter().for_each(|value| self.expression(&place, value));
            }
            Object::Local(name) => {
                let value = module.locals.get(name).map(|local| &local.value);
                value.into_iter().for_each(|value| self.expression(&place, value));
            }
            Object::Variable(name) => self.argument(path, node, name),
            Object::Resource { mode, resource_type, name, .. } => {
                let (resource_type, name) = (resource_type.clone(), name.clone());
                let key = ResourceKey { mode: *mode, resource_type, name };
                let Some(resource) = module.resources.get(&key) else { return };
                let place = ExpressionInModule { repetition: resource.repetition.expression(), ..place };
                self.part(&place, &resource.config, part);
            }
            Object::Check(_)
            | Object::ModuleCall(..)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => {}
        }
    }

    /// Follows the argument of the module call that sets a variable.
    fn argument(&mut self, path: &ModulePath, node: &'c ModuleNode, name: &SmolStr) {
        let Some(CallInModule { module: caller, call }) = node.caller else { return };
        let caller = self.config.node(caller);
        let Some((_, value)) = caller.module.calls.at(call).arguments.get(name) else { return };
        let Some((outer, _)) = path.split_last() else { return };
        let place = ExpressionInModule { path: &outer, module: &caller.module, repetition: None };
        self.expression(&place, value);
    }

    /// Follows the argument or the blocks of a body that the steps name, or the whole body without steps. Steps behind an
    /// argument are ignored.
    fn part(&mut self, place: &ExpressionInModule<'_>, body: &Body, steps: &[KeyJson]) {
        let Some((KeyJson::Key(name), inner)) = steps.split_first() else {
            if steps.is_empty() {
                self.body(place, body);
            }
            return;
        };
        let content = body.open_content(&mut Diagnostics::new());
        if let Some(attribute) = content.attribute(name) {
            self.expression(place, &attribute.expression(&mut Diagnostics::new()));
        }
        let named = content.blocks.iter().filter(|block| block.generated_type() == name);
        let named: Vec<_> = named.collect();
        let is_dynamic = named.iter().any(|block| block.is_dynamic());
        let (chosen, inner) = match inner.split_first() {
            Some((KeyJson::Index(index), inner)) if !is_dynamic => {
                let chosen = usize::try_from(*index).ok().and_then(|index| named.get(index));
                (chosen.into_iter().copied().collect(), inner)
            }
            Some((KeyJson::Index(_), inner)) => (named, inner),
            Some((KeyJson::Key(_), _)) | None => (named, inner),
        };
        for block in chosen {
            match block.is_dynamic() {
                true => self.body(place, &block.body),
                false => self.part(place, &block.body, inner),
            }
        }
    }

    /// Follows the arguments of a body and of its nested blocks.
    fn body(&mut self, place: &ExpressionInModule<'_>, body: &Body) {
        let content = body.open_content(&mut Diagnostics::new());
        for attribute in content.attributes.values() {
            self.expression(place, &attribute.expression(&mut Diagnostics::new()));
        }
        for block in &content.blocks {
            self.body(place, &block.body);
        }
    }

    fn expression(&mut self, place: &ExpressionInModule<'_>, value: &Expression) {
        for reference in free_references(value, place.module) {
            self.reference(place, &reference);
        }
    }

    fn reference(&mut self, place: &ExpressionInModule<'_>, reference: &RootedReference<'_>) {
        let (path, module) = (place.path, place.module);
        match reference.named(module) {
            Some(Named::Variable(id)) => {
                let (name, _) = module.variables.entry_of(id);
                self.left.push(VisitedPart::whole(path.clone(), Object::Variable(name.clone())));
            }
            Some(Named::Local(id)) => {
                let (name, _) = module.locals.entry_of(id);
                self.left.push(VisitedPart::whole(path.clone(), Object::Local(name.clone())));
            }
            Some(Named::Call(id)) => {
                let (call, _) = module.calls.entry_of(id);
                let key = reference.steps.get(1).and_then(|step| written_key(reference.tree, step));
                let output = attribute(reference, 1 + usize::from(key.is_some())).map(SmolStr::from);
                let inner = path.child(call, key.unwrap_or(InstanceKey::None));
                self.outputs(&inner, output);
            }
            Some(Named::Resource(id, step)) => {
                let (key, _) = module.resources.entry_of(id);
                self.resource(path, key, reference, step);
            }
            Some(Named::BuiltIn(BuiltIn::CountIndex | BuiltIn::EachKey | BuiltIn::EachValue)) => {
                let outside = ExpressionInModule { repetition: None, ..*place };
                place.repetition.into_iter().for_each(|value| self.expression(&outside, value));
            }
            Some(Named::BuiltIn(
                BuiltIn::PathModule
                | BuiltIn::PathRoot
                | BuiltIn::PathCwd
                | BuiltIn::Workspace
                | BuiltIn::Applying
                | BuiltIn::Itself,
            ))
            | None => {}
        }
    }

    /// Follows one output of a module, or all outputs.
    fn outputs(&mut self, path: &ModulePath, output: Option<SmolStr>) {
        let Some(node) = self.node(path) else { return };
        let named: Vec<SmolStr> = match output {
            Some(name) => vec![name],
            None => node.module.outputs.keys().cloned().collect(),
        };
        self.left
            .extend(named.into_iter().map(|name| VisitedPart::whole(path.clone(), Object::Output(name))));
    }

    /// Records the part of a resource that a reference reads behind the step `named`, and follows it.
    fn resource(
        &mut self,
        path: &ModulePath,
        key: &ResourceKey,
        reference: &RootedReference<'_>,
        named: usize,
    ) {
        let behind = reference.steps.get(named + 1..).unwrap_or_default();
        let instance = behind.first().and_then(|step| written_key(reference.tree, step));
        let steps = behind.iter().skip(usize::from(instance.is_some()));
        let attribute = steps.map_while(|step| match step {
            Step::Attr { name, .. } => Some((KeyJson::Key(reference.tree.slice(*name).to_owned()), false)),
            Step::Index { .. } | Step::LegacyIndex { .. } => {
                Some((KeyJson::of(&written_key(reference.tree, step)?)?, true))
            }
        });
        let (attribute, in_brackets): (Vec<KeyJson>, Vec<bool>) = attribute.unzip();
        let (object, part) = (key.object(InstanceKey::None), attribute.clone());
        self.left.push(VisitedPart { path: path.clone(), object, part });
        let object = key.object(instance.unwrap_or(InstanceKey::None));
        let resource = Address { module: path.clone(), object }.to_string();
        self.found.insert(RelevantJson { resource, attribute, in_brackets });
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Project, Secrets};

    /// The iterator hides the resource type only inside the generated blocks.
    #[test]
    fn an_iterator_with_the_name_of_a_resource_type_leaves_for_each_alone() {
        let text = r#"
resource "aws_x" "s" {
  list = ["a"]
}
resource "aws_x" "value" {}
resource "aws_y" "r" {
  dynamic "aws_x" {
    for_each = aws_x.s.list
    content {
      v = aws_x.value
      dynamic "inner" {
        for_each = [aws_x.value]
        iterator = it
        content {
          w = [it.value, aws_x.key]
        }
      }
    }
  }
}
"#;
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        let json = Project::new(".").evaluate(&files).plan(Secrets::Hidden, &files).unwrap().to_json();
        let relevant = r#""relevant_attributes":[{"resource":"aws_x.s","attribute":["list"]}]"#;
        assert!(json.contains(relevant), "{json}");
    }
}
