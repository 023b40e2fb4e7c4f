//! Collects the names in all modules of a configuration, with their meanings.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, Object};
use terrane_eval::{BoundName, ForName, inner_names};
use terrane_source::{SourceFile, Span, Subject};
use terrane_value::SmolStr;

use crate::graph::object_references::ReferringObject;
use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Module, ObjectAddress, ProviderRef};
use crate::model::references::{BindingKind, Meaning, Referrer, Target, Use, UseOrigin, Uses};
use crate::model::tree::Config;
use crate::symbols::places::{TextEnd, named, names_in};
use crate::symbols::symbol::{Occurrence, Owner, Role, Site, Symbol};

/// Returns, for each module, the first module with the same directory.
fn first_nodes(config: &Config) -> Arena<NodeId, NodeId> {
    let mut by_directory: HashMap<&Path, NodeId> = HashMap::new();
    let first = |(id, node)| {
        let module: &Module = node;
        *by_directory.entry(module.directory.as_path()).or_insert(id)
    };
    config.nodes().map(|(id, node)| (id, &*node.module)).map(first).collect()
}

/// Collects the occurrences in a configuration.
pub(super) struct OccurrenceCollector<'c> {
    pub(super) config: &'c Config,
    first: Arena<NodeId, NodeId>,
    pub(super) all: Vec<Occurrence>,
}

impl<'c> OccurrenceCollector<'c> {
    pub(super) fn new(config: &'c Config) -> OccurrenceCollector<'c> {
        OccurrenceCollector { config, first: first_nodes(config), all: Vec::new() }
    }

    /// Collects the names of all modules, each directory once.
    pub(super) fn modules(&mut self) {
        let mut seen = HashSet::new();
        for (id, _) in self.config.nodes() {
            if seen.insert(self.first[id]) {
                self.module(id);
            }
        }
    }

    pub(super) fn add(&mut self, module: NodeId, object: Object, role: Role, subject: Subject) {
        let symbol = Symbol::Object(self.address_of(module, object));
        self.all.push(Occurrence::new(symbol, role, subject));
    }

    /// Returns the address of an object in the first module with the same directory.
    fn address_of(&self, module: NodeId, object: Object) -> Address {
        Address { module: self.config.node(self.first[module]).path.clone(), object }
    }

    fn module(&mut self, id: NodeId) {
        let node = self.config.node(id);
        let module = &*node.module;
        self.declarations(id, module);
        self.uses(id, module.references.uses());
        for ((call_name, call), called) in module.calls.iter().zip(&node.called) {
            let Some(called) = called else { continue };
            let call_object = Object::ModuleCall(call_name.clone(), InstanceKey::None);
            let replaced = module.overriding.iter().filter(|found| found.object == call_object);
            let replaced = replaced.flat_map(|found| &found.arguments);
            for (name, (span, argument)) in call.arguments.iter().chain(replaced) {
                if self.config.node(*called).module.variables.contains_key(name) {
                    let subject = named(argument.source(), *span, name, TextEnd::Last);
                    self.add(*called, Object::Variable(name.clone()), Role::Argument, subject);
                }
            }
        }
        self.addresses(id, module);
        self.provider_references(id, module);
    }

    fn declarations(&mut self, id: NodeId, module: &Module) {
        let mut declare = |object, declaration: &Subject, name: &str, end| {
            let subject = named(&declaration.file, declaration.span, name, end);
            self.add(id, object, Role::Declaration, subject);
        };
        for (name, variable) in &module.variables {
            declare(Object::Variable(name.clone()), &variable.declaration, name, TextEnd::Last);
        }
        for (name, local) in &module.locals {
            declare(Object::Local(name.clone()), &local.declaration, name, TextEnd::First);
        }
        for (name, output) in &module.outputs {
            declare(Object::Output(name.clone()), &output.declaration, name, TextEnd::Last);
        }
        for (name, call) in &module.calls {
            declare(
                Object::ModuleCall(name.clone(), InstanceKey::None),
                &call.declaration,
                name,
                TextEnd::Last,
            );
        }
        for (key, resource) in &module.resources {
            declare(key.object(InstanceKey::None), &resource.declaration, &key.name, TextEnd::Last);
        }
        for (name, check) in &module.checks {
            declare(Object::Check(name.clone()), &check.declaration, name, TextEnd::Last);
        }
        for (key, provider) in &module.providers {
            declare(Object::Provider(key.clone()), &provider.declaration, &provider.name, TextEnd::Last);
        }
        for overriding in &module.overriding {
            let (name, end) = match &overriding.object {
                Object::Local(name) => (name, TextEnd::First),
                Object::Provider(key) => {
                    let Some(provider) = module.providers.get(key) else { continue };
                    (&provider.name, TextEnd::Last)
                }
                Object::Variable(name)
                | Object::Output(name)
                | Object::Check(name)
                | Object::ModuleCall(name, _)
                | Object::Resource { name, .. }
                | Object::Source(_, name)
                | Object::Build(name)
                | Object::Import(name) => (name, TextEnd::Last),
            };
            declare(overriding.object.clone(), &overriding.declaration, name, end);
        }
    }

    /// Collects the names in the expressions of a module.
    pub(super) fn uses(&mut self, id: NodeId, uses: &Uses) {
        let mut owners = UseOwners { module: id, last: None };
        for group in uses.files() {
            for found in &group.uses {
                let first = self.all.len();
                self.reference(id, &group.file, found);
                let owner = owners.of(self, found);
                for occurrence in self.all.get_mut(first..).unwrap_or_default() {
                    occurrence.owner.clone_from(&owner);
                }
            }
        }
        for expression in uses.expressions() {
            let file = expression.source();
            let names = inner_names(expression);
            for BoundName { span, binding, kind } in names.bound {
                let kind = match kind {
                    ForName::Key => BindingKind::ForKey,
                    ForName::Value => BindingKind::ForValue,
                };
                self.bound(file, span, binding, kind);
            }
            for call in names.calls {
                let name = function_name(&expression.tree.function_name(call));
                let subject = Subject { file: Arc::clone(file), span: call.name };
                let symbol = Symbol::Function(name);
                self.all.push(Occurrence::new(symbol, Role::Reference, subject));
            }
        }
    }

    fn reference(&mut self, id: NodeId, file: &Arc<SourceFile>, found: &Use) {
        match &found.meaning {
            Meaning::Declared(target) => self.target(id, target, file, found),
            Meaning::BuiltIn { name, origin } => {
                let origin = origin.as_ref().map(|Subject { file, span }| Site::of(file, *span));
                let symbol = Symbol::BuiltIn { name: *name, origin };
                let subject = Subject { file: Arc::clone(file), span: found.name };
                self.all.push(Occurrence::new(symbol, Role::Reference, subject));
            }
            Meaning::Bound { kind, binding } => self.bound(file, found.name, *binding, *kind),
        }
    }

    fn bound(&mut self, file: &Arc<SourceFile>, span: Span, binding: Span, kind: BindingKind) {
        let name = SmolStr::from(file.slice(binding));
        let symbol = Symbol::Bound { name, kind, binding: Site::of(file, binding) };
        let role = if span == binding { Role::Declaration } else { Role::Reference };
        self.all.push(Occurrence::new(symbol, role, Subject { file: Arc::clone(file), span }));
    }

    fn target(&mut self, id: NodeId, target: &Target, file: &Arc<SourceFile>, found: &Use) {
        let node = self.config.node(id);
        let module = &node.module;
        let subject = |span| Subject { file: Arc::clone(file), span };
        if let (Target::Module(call, Some(output)), Some(span)) = (target, found.output)
            && let Some(called) = node.called[*call]
            && self.config.node(called).module.outputs.contains_key(output)
        {
            self.add(called, Object::Output(output.clone()), Role::Reference, subject(span));
        }
        self.add(id, module.object_of(target), Role::Reference, subject(found.name));
    }

    fn addresses(&mut self, id: NodeId, module: &Module) {
        let moves = module.moves.iter().flat_map(|found| [&found.from, &found.to]);
        let removals = module.removals.iter().map(|found| &found.from);
        let imports = module.imports.iter().map(|found| &found.to);
        for address in moves.chain(removals).chain(imports) {
            self.address(id, address);
        }
    }

    /// Collects the calls and the resource that an address names, if they are declared.
    pub(super) fn address(&mut self, id: NodeId, address: &ObjectAddress) {
        let names = names_in(&address.file, address.span);
        let mut names = names.iter();
        let mut next = |wanted: &str| names.find(|span| address.file.slice(**span) == wanted).copied();
        let mut owner = Some(id);
        for step in address.module.steps() {
            let (Some(caller), Some(span)) = (owner, next(&step.name)) else { return };
            let node = self.config.node(caller);
            let Some(call) = node.module.calls.id_of(&step.name) else { return };
            let subject = Subject { file: Arc::clone(&address.file), span };
            let object = Object::ModuleCall(step.name.clone(), InstanceKey::None);
            self.add(caller, object, Role::Address, subject);
            owner = node.called[call];
        }
        let (Some(owner), Some(key)) = (owner, &address.resource) else { return };
        if !self.config.node(owner).module.resources.contains_key(key) {
            return;
        }
        next(&key.resource_type);
        if let Some(span) = next(&key.name) {
            let subject = Subject { file: Arc::clone(&address.file), span };
            self.add(owner, key.object(InstanceKey::None), Role::Address, subject);
        }
    }

    fn provider_references(&mut self, id: NodeId, module: &Module) {
        for provider in module.resources.values().filter_map(|resource| resource.provider.as_ref()) {
            self.provider(id, provider);
        }
        for provider in module.imports.iter().filter_map(|import| import.provider.as_ref()) {
            self.provider(id, provider);
        }
        for (call, called) in module.calls.values().zip(&self.config.node(id).called) {
            for passed in call.providers.values() {
                self.provider(id, &passed.parent);
                if let Some(called) = called {
                    self.provider(*called, &passed.child);
                }
            }
        }
    }

    fn provider(&mut self, id: NodeId, provider: &ProviderRef) {
        let key = provider.key();
        if self.config.node(id).module.providers.contains_key(&key) {
            let subject = named(&provider.file, provider.span, &provider.name, TextEnd::First);
            self.add(id, Object::Provider(key), Role::Provider, subject);
        }
    }
}

/// The owners of the uses of a module. The uses of an object mostly follow each other and share its address.
struct UseOwners {
    module: NodeId,
    last: Option<LastOwner>,
}

/// The object with the last use.
struct LastOwner {
    referrer: Referrer,
    object: Arc<Address>,
}

impl UseOwners {
    fn of(&mut self, collector: &OccurrenceCollector<'_>, found: &Use) -> Option<Owner> {
        let UseOrigin { referrer, via } = found.origin?;
        if let Some(last) = self.last.as_ref().filter(|last| last.referrer == referrer) {
            return Some(Owner { object: Arc::clone(&last.object), via });
        }
        let ReferringObject { module, object } = ReferringObject::of(collector.config, self.module, referrer);
        let object = Arc::new(collector.address_of(module, object));
        self.last = Some(LastOwner { referrer, object: Arc::clone(&object) });
        Some(Owner { object, via })
    }
}

/// Returns the name of a function without the optional namespace of the library.
fn function_name(name: &str) -> SmolStr {
    SmolStr::from(name.strip_prefix("core::").unwrap_or(name))
}
