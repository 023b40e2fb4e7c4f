//! Names of a configuration by place: the object behind a name, and every place that names an object.
//!
//! [`Symbols::of`] joins the declarations, the references of all modules, the arguments of calls, the addresses in
//! `moved`, `removed` and `import` blocks, and the names in variable files. A directory that is called several times
//! counts once: its objects have the address in the module that is called first.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use terrane_config::Declaration;
use terrane_config::address::{Address, InstanceKey, Object};
use terrane_source::{FileId, SourceFile, Span, Subject};

use crate::inputs::Inputs;
use crate::model::ids::{Arena, NodeId};
use crate::model::module::{Module, ObjectAddress, ProviderRef, ResourceKey};
use crate::model::references::{Target, Use};
use crate::model::tree::Config;

/// A place that names an object.
#[derive(Clone, Debug)]
pub struct Occurrence {
    /// The object, without instance keys.
    pub address: Address,
    /// The reason for which the name is there.
    pub role: Role,
    /// The bytes of the name alone: `region` of `var.region`.
    pub subject: Subject,
}

/// The reason for which a name is in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// The block or attribute that declares the object.
    Declaration,
    /// A reference in an expression.
    Reference,
    /// An argument of a module call, which names a variable of the called module.
    Argument,
    /// A name in a variable file.
    VariableFile,
    /// The address in a `moved`, `removed` or `import` block.
    Address,
    /// The configuration in a `provider` or `providers` argument.
    Provider,
}

/// The names of a configuration, by file and place.
#[derive(Debug, Default)]
pub struct Symbols {
    /// By file, then by place.
    all: Vec<Occurrence>,
    files: HashMap<FileId, Range<usize>>,
    by_address: BTreeMap<Address, Vec<usize>>,
}

impl Symbols {
    /// The names of a loaded configuration, and of the variable files that were read for it.
    pub fn of(config: &Config, inputs: &Inputs) -> Symbols {
        let mut collector = Collector { config, first: first_nodes(config), all: Vec::new() };
        let mut seen = HashSet::new();
        for (id, _) in config.nodes() {
            if seen.insert(collector.first[id]) {
                collector.module(id);
            }
        }
        for (name, subject) in inputs.keys() {
            let root = &config.node(NodeId::ROOT).module;
            if root.variables.contains_key(name) {
                collector.add(
                    NodeId::ROOT,
                    Object::Variable(name.clone()),
                    Role::VariableFile,
                    subject.clone(),
                );
            }
        }
        Symbols::sorted(collector.all)
    }

    fn sorted(mut all: Vec<Occurrence>) -> Symbols {
        all.sort_by(|one, other| place(one).cmp(&place(other)));
        all.dedup_by(|later, earlier| place(later) == place(earlier) && later.address == earlier.address);
        let mut files: HashMap<FileId, Range<usize>> = HashMap::new();
        let mut by_address: BTreeMap<Address, Vec<usize>> = BTreeMap::new();
        for (index, occurrence) in all.iter().enumerate() {
            let file = occurrence.subject.file.id().clone();
            files.entry(file).or_insert(index..index).end = index + 1;
            by_address.entry(occurrence.address.clone()).or_default().push(index);
        }
        Symbols { all, files, by_address }
    }

    /// The name at a byte offset of a file; an offset directly behind the name counts.
    pub fn at(&self, file: &FileId, offset: u32) -> Option<&Occurrence> {
        let is_there = |found: &&Occurrence| {
            let span = found.subject.span;
            span.start <= offset && offset <= span.end
        };
        self.in_file(file).iter().find(is_there)
    }

    /// All names in a file, by place.
    pub fn in_file(&self, file: &FileId) -> &[Occurrence] {
        self.files.get(file).and_then(|range| self.all.get(range.clone())).unwrap_or_default()
    }

    /// Every place that names an object, its declaration included, by file and place.
    pub fn of_object(&self, address: &Address) -> impl Iterator<Item = &Occurrence> {
        let places = self.by_address.get(address).into_iter().flatten();
        places.filter_map(|index| self.all.get(*index))
    }
}

fn place(occurrence: &Occurrence) -> (&FileId, u32, u32, Role) {
    let Subject { file, span } = &occurrence.subject;
    (file.id(), span.start, span.end, occurrence.role)
}

/// The first module with the same directory, for each module.
fn first_nodes(config: &Config) -> Arena<NodeId, NodeId> {
    let mut by_directory: HashMap<&Path, NodeId> = HashMap::new();
    let first = |(id, node)| {
        let module: &Module = node;
        *by_directory.entry(module.directory.as_path()).or_insert(id)
    };
    config.nodes().map(|(id, node)| (id, &*node.module)).map(first).collect()
}

struct Collector<'c> {
    config: &'c Config,
    first: Arena<NodeId, NodeId>,
    all: Vec<Occurrence>,
}

impl<'c> Collector<'c> {
    fn add(&mut self, module: NodeId, object: Object, role: Role, subject: Subject) {
        let path = self.config.node(self.first[module]).path.clone();
        self.all.push(Occurrence { address: Address { module: path, object }, role, subject });
    }

    fn module(&mut self, id: NodeId) {
        let node = self.config.node(id);
        let module = &*node.module;
        self.declarations(id, module);
        for group in module.references.uses().files() {
            for found in &group.uses {
                self.reference(id, &group.file, found);
            }
        }
        for (call, called) in module.calls.values().zip(&node.called) {
            let Some(called) = called else { continue };
            for (name, (span, argument)) in &call.arguments {
                if self.config.node(*called).module.variables.contains_key(name) {
                    let subject = named(argument.source(), *span, name, End::Last);
                    self.add(*called, Object::Variable(name.clone()), Role::Argument, subject);
                }
            }
        }
        self.addresses(id, module);
        self.provider_references(id, module);
    }

    fn declarations(&mut self, id: NodeId, module: &Module) {
        let mut declare = |object, declaration: &Declaration, name: &str, end| {
            let subject = named(&declaration.file, declaration.span, name, end);
            self.add(id, object, Role::Declaration, subject);
        };
        for (name, variable) in &module.variables {
            declare(Object::Variable(name.clone()), &variable.declaration, name, End::Last);
        }
        for (name, local) in &module.locals {
            declare(Object::Local(name.clone()), &local.declaration, name, End::First);
        }
        for (name, output) in &module.outputs {
            declare(Object::Output(name.clone()), &output.declaration, name, End::Last);
        }
        for (name, call) in &module.calls {
            declare(Object::ModuleCall(name.clone(), InstanceKey::None), &call.declaration, name, End::Last);
        }
        for (key, resource) in &module.resources {
            declare(object(key), &resource.declaration, &key.2, End::Last);
        }
        for (name, declaration) in &module.check_blocks {
            declare(Object::Check(name.clone()), declaration, name, End::Last);
        }
        for (key, provider) in &module.providers {
            declare(Object::Provider(key.clone()), &provider.declaration, &provider.name, End::Last);
        }
    }

    fn reference(&mut self, id: NodeId, file: &Arc<SourceFile>, found: &Use) {
        let node = self.config.node(id);
        let module = &node.module;
        let subject = |span| Subject { file: Arc::clone(file), span };
        let object = match &found.target {
            None => return,
            Some(Target::Variable(id)) => Object::Variable(module.variables.entry_of(*id).0.clone()),
            Some(Target::Local(id)) => Object::Local(module.locals.entry_of(*id).0.clone()),
            Some(Target::Resource(id)) => object(module.resources.entry_of(*id).0),
            Some(Target::Module(call, output)) => {
                if let (Some(called), Some(output), Some(span)) = (node.called[*call], output, found.output)
                    && self.config.node(called).module.outputs.contains_key(output)
                {
                    self.add(called, Object::Output(output.clone()), Role::Reference, subject(span));
                }
                Object::ModuleCall(module.calls.entry_of(*call).0.clone(), InstanceKey::None)
            }
        };
        self.add(id, object, Role::Reference, subject(found.name));
    }

    fn addresses(&mut self, id: NodeId, module: &Module) {
        let moves = module.moves.iter().flat_map(|found| [&found.from, &found.to]);
        let removals = module.removals.iter().map(|found| &found.from);
        let imports = module.imports.iter().map(|found| &found.to);
        for address in moves.chain(removals).chain(imports) {
            self.address(id, address);
        }
    }

    /// The calls and the resource that an address names, as far as they are declared.
    fn address(&mut self, id: NodeId, address: &ObjectAddress) {
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
        next(&key.1);
        if let Some(span) = next(&key.2) {
            let subject = Subject { file: Arc::clone(&address.file), span };
            self.add(owner, object(key), Role::Address, subject);
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
            for passed in &call.providers {
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
            let subject = named(&provider.file, provider.span, &provider.name, End::First);
            self.add(id, Object::Provider(key), Role::Provider, subject);
        }
    }
}

fn object((mode, resource_type, name): &ResourceKey) -> Object {
    Object::Resource(*mode, resource_type.clone(), name.clone(), InstanceKey::None)
}

/// The end of a text at which a name is looked for.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// The bytes of a name in a header, an attribute or a reference; the whole where the name is escaped.
fn named(file: &Arc<SourceFile>, span: Span, name: &str, end: End) -> Subject {
    let text = file.slice(span);
    let found = match end {
        End::First => text.find(name),
        End::Last => text.rfind(name),
    };
    let length = u32::try_from(name.len()).unwrap_or_default();
    let start = found.and_then(|found| u32::try_from(found).ok()).map(|found| span.start + found);
    let span = start.map_or(span, |start| Span::new(start, start + length));
    Subject { file: Arc::clone(file), span }
}

/// The names in an address as it is written, those in brackets left out.
fn names_in(file: &SourceFile, span: Span) -> Vec<Span> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0_u32, None);
    let text = file.slice(span);
    for (index, character) in text.char_indices().chain([(text.len(), '.')]) {
        let is_name = depth == 0 && (character.is_alphanumeric() || matches!(character, '_' | '-'));
        match (is_name, start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                names.push(Span::new(offset(span, first), offset(span, index)));
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    names
}

fn offset(span: Span, index: usize) -> u32 {
    span.start + u32::try_from(index).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, MemoryFiles};

    use super::*;
    use crate::{Request, load};

    const ROOT: &str = r#"
variable "region" {}
locals {
  place = "${var.region}-a"
}
module "net" {
  source = "./net"
  zone   = local.place
}
resource "demo_a" "demo_a" {
  for_each   = toset(["x"])
  name       = module.net.id
  depends_on = [module.net]
}
moved {
  from = demo_b.old["demo_a"]
  to   = demo_a.demo_a["x"]
}
"#;

    const NET: &str = "variable \"zone\" {}\noutput \"id\" {\n  value = \"${var.zone}\"\n}\n";

    fn symbols() -> (Symbols, MemoryFiles) {
        let texts = [
            ("main.tf", ROOT),
            ("more.tf.json", r#"{"output": {"r": {"value": "${var.region} ${path.module}"}}}"#),
            ("net/main.tf", NET),
            ("terraform.tfvars", "region = \"one\"\n"),
            ("b.auto.tfvars.json", r#"{"region": "two"}"#),
        ];
        let files: MemoryFiles = texts.into_iter().collect();
        let loaded = load(Request::new("."), &files);
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        (Symbols::of(&loaded.config, &loaded.inputs), files)
    }

    /// The places that name the object at the offset of `needle`, each as `file:name role`.
    fn places(file: &str, text: &str, needle: &str) -> Vec<String> {
        let (symbols, _) = symbols();
        let offset = u32::try_from(text.find(needle).unwrap()).unwrap();
        let found = symbols.at(&FileId::new(file), offset).unwrap_or_else(|| panic!("nothing at {needle}"));
        symbols
            .of_object(&found.address)
            .map(|found| {
                let Subject { file, span } = &found.subject;
                let line = file.lines().line_column(file.text(), span.start).line;
                format!("{}:{line} {} {:?}", file.id(), file.slice(*span), found.role)
            })
            .collect()
    }

    #[test]
    fn a_variable_is_found_in_all_files() {
        let expected = [
            "b.auto.tfvars.json:1 region VariableFile",
            "main.tf:2 region Declaration",
            "main.tf:4 region Reference",
            "more.tf.json:1 region Reference",
            "terraform.tfvars:1 region VariableFile",
        ];
        assert_eq!(places("main.tf", ROOT, "region\" {}"), expected);
        assert_eq!(places("main.tf", ROOT, "region}"), expected);
    }

    #[test]
    fn arguments_and_outputs_lead_across_modules() {
        let zone =
            ["main.tf:8 zone Argument", "net/main.tf:1 zone Declaration", "net/main.tf:3 zone Reference"];
        assert_eq!(places("main.tf", ROOT, "zone   ="), zone);
        assert_eq!(places("net/main.tf", NET, "zone}"), zone);
        let id = ["main.tf:12 id Reference", "net/main.tf:2 id Declaration"];
        assert_eq!(places("main.tf", ROOT, "id\n"), id);
        let call = ["main.tf:6 net Declaration", "main.tf:12 net Reference", "main.tf:13 net Reference"];
        assert_eq!(places("main.tf", ROOT, "net\" {"), call);
    }

    #[test]
    fn an_address_names_its_resource_and_not_its_type_or_key() {
        let places = places("main.tf", ROOT, "demo_a\" {");
        assert_eq!(places, ["main.tf:10 demo_a Declaration", "main.tf:17 demo_a Address"]);
        let (symbols, _) = symbols();
        let offset = u32::try_from(ROOT.find("to   = demo_a").unwrap() + 7).unwrap();
        assert!(symbols.at(&FileId::new("main.tf"), offset).is_none());
    }
}
