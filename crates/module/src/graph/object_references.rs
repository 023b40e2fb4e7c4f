//! Lists the references between objects as they are written, each with its kind and place.
//!
//! The order of evaluation has other edges, such as those from the objects of a module to the call of the module.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::address::{Address, InstanceKey, Object};
use terrane_source::{SourceFile, Subject};
use terrane_syntax::Expression;

use crate::graph::used_providers;
use crate::model::ids::{NodeId, ResourceId};
use crate::model::module::{Import, ProviderRef};
use crate::model::references::{Referrer, Target, Use, UseOrigin, Via};
use crate::model::tree::Config;

/// A reference from one object to another. Addresses have no instance keys. All references of an object share one address.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObjectReference {
    /// The object with the reference. For an argument of a module call, this is the variable that the argument sets.
    pub from: Arc<Address>,
    /// The referenced object. For `module.name.output`, this is the output if the module is on disk.
    pub to: Arc<Address>,
    /// The part of the object that contains the reference.
    pub via: Via,
    /// The place of the reference. For a resource without `provider`, this is its type; for the import of a resource,
    /// the address in the `import` block.
    pub place: Subject,
}

/// Returns the references of each module: first references in expressions, by file and place, then those to provider
/// configurations, then those from resources to the blocks that import them.
pub fn object_references(config: &Config) -> impl Iterator<Item = ObjectReference> {
    config.nodes().flat_map(move |(id, _)| {
        let references = written_references(config, id).chain(provider_references(config, id));
        references.chain(import_references(config, id))
    })
}

/// Returns the references in expressions of a module, by file and place. They name objects of the module itself, and outputs of
/// modules that it calls.
pub fn written_references(config: &Config, id: NodeId) -> impl Iterator<Item = ObjectReference> {
    let mut addresses = Addresses { config, id, from: None, to: HashMap::default() };
    let files = config.node(id).module.references.uses().files().iter();
    let uses = files.flat_map(|group| group.uses.iter().map(move |found| (&group.file, found)));
    uses.filter_map(move |(file, found)| addresses.of_use(file, found))
}

/// Returns the references of the resources of a module to provider configurations. The configurations may be in modules that
/// call it.
pub fn provider_references(config: &Config, id: NodeId) -> impl Iterator<Item = ObjectReference> {
    config.node(id).module.resources.ids().filter_map(move |resource| of_provider(config, id, resource))
}

/// Returns the references of the calls of a module to the provider configurations that they pass. They decide neither an order nor a
/// value: a configuration may depend on an output of the module that it is passed to.
pub fn passed_providers(config: &Config, id: NodeId) -> impl Iterator<Item = ObjectReference> {
    config.node(id).module.calls.iter().flat_map(move |(name, call)| {
        let from = Arc::new(address(config, id, Object::ModuleCall(name.clone(), InstanceKey::None)));
        call.providers.values().filter_map(move |passed| {
            let ProviderRef { name, alias, file, span, key: _ } = &passed.parent;
            let (owner, provider) = used_providers::configuration(config, id, name, alias.as_deref())?;
            let (provider, _) = config.node(owner).module.providers.entry_of(provider);
            let to = Arc::new(address(config, owner, Object::Provider(provider.clone())));
            let place = Subject { file: Arc::clone(file), span: *span };
            Some(ObjectReference { from: Arc::clone(&from), to, via: Via::Provider, place })
        })
    })
}

/// Returns the references of resources to the `import` blocks of a module. The resources may be in modules that it calls.
pub fn import_references(config: &Config, id: NodeId) -> impl Iterator<Item = ObjectReference> {
    config.node(id).module.imports.iter().filter_map(move |import| of_import(config, id, import))
}

/// The addresses of the objects of a module, each made once: a block may refer to another block a million times.
struct Addresses<'c> {
    config: &'c Config,
    id: NodeId,
    /// The object with the last reference. The references of an object mostly follow each other.
    from: Option<Referring>,
    to: HashMap<&'c Target, Arc<Address>, RandomState>,
}

/// An object with references.
struct Referring {
    referrer: Referrer,
    address: Arc<Address>,
}

impl<'c> Addresses<'c> {
    fn of_use(&mut self, file: &Arc<SourceFile>, found: &'c Use) -> Option<ObjectReference> {
        let UseOrigin { referrer, via } = found.origin?;
        let (config, id, target) = (self.config, self.id, found.target()?);
        let to = self.to.entry(target).or_insert_with(|| Arc::new(named(config, id, target)));
        let from = match &self.from {
            Some(last) if last.referrer == referrer => Arc::clone(&last.address),
            Some(_) | None => {
                let address = Arc::new(referring(config, id, referrer));
                self.from = Some(Referring { referrer, address: Arc::clone(&address) });
                address
            }
        };
        let place = Subject { file: Arc::clone(file), span: found.span };
        Some(ObjectReference { from, to: Arc::clone(to), via, place })
    }
}

/// Returns the reference of a resource to the configuration of its provider.
fn of_provider(config: &Config, id: NodeId, resource_id: ResourceId) -> Option<ObjectReference> {
    let (key, resource) = config.node(id).module.resources.entry_of(resource_id);
    let written = resource.provider.as_ref();
    let (owner, provider) = used_providers::of_resource(config, id, resource_id)?;
    let (provider, _) = config.node(owner).module.providers.entry_of(provider);
    let place = match written {
        Some(written) => Subject { file: Arc::clone(&written.file), span: written.span },
        None => resource.type_label.clone(),
    };
    let from = address(config, id, key.object(InstanceKey::None));
    let to = address(config, owner, Object::Provider(provider.clone()));
    Some(ObjectReference { from: Arc::new(from), to: Arc::new(to), via: Via::Provider, place })
}

/// Returns the reference of an imported resource to the block that imports it.
fn of_import(config: &Config, id: NodeId, import: &Import) -> Option<ObjectReference> {
    let (owner, resource) = config.imported(id, import)?;
    let (key, _) = config.node(owner).module.resources.entry_of(resource);
    let from = address(config, owner, key.object(InstanceKey::None));
    let to = address(config, id, import.object());
    let place = import.to_expression.as_ref().map_or_else(|| import.declaration.clone(), Expression::subject);
    Some(ObjectReference { from: Arc::new(from), to: Arc::new(to), via: Via::Import, place })
}

fn referring(config: &Config, id: NodeId, referrer: Referrer) -> Address {
    let ReferringObject { module, object } = ReferringObject::of(config, id, referrer);
    address(config, module, object)
}

/// The object with a reference, and the module that declares it.
pub(crate) struct ReferringObject {
    pub(crate) module: NodeId,
    pub(crate) object: Object,
}

impl ReferringObject {
    /// Returns the object of a referrer in the module `id`. For an argument of a module call, it is the variable that the
    /// argument sets.
    pub(crate) fn of(config: &Config, id: NodeId, referrer: Referrer) -> ReferringObject {
        let module = &config.node(id).module;
        let object = match referrer {
            Referrer::Variable(variable) => Object::Variable(module.variables.entry_of(variable).0.clone()),
            Referrer::Local(local) => Object::Local(module.locals.entry_of(local).0.clone()),
            Referrer::Output(output) => Object::Output(module.outputs.entry_of(output).0.clone()),
            Referrer::Check(check) => Object::Check(module.checks.entry_of(check).0.clone()),
            Referrer::Provider(provider) => Object::Provider(module.providers.entry_of(provider).0.clone()),
            Referrer::Resource(resource) => module.resources.entry_of(resource).0.object(InstanceKey::None),
            Referrer::Import(import) => module.imports[import].object(),
            Referrer::Call(call) => {
                Object::ModuleCall(module.calls.entry_of(call).0.clone(), InstanceKey::None)
            }
            Referrer::Argument(call_id, argument) => {
                let (name, call) = module.calls.entry_of(call_id);
                let (argument, _) = call.arguments.entry_of(argument);
                if let Some(called) = config.node(id).called[call_id]
                    && config.node(called).module.variables.contains_key(argument)
                {
                    return ReferringObject { module: called, object: Object::Variable(argument.clone()) };
                }
                Object::ModuleCall(name.clone(), InstanceKey::None)
            }
        };
        ReferringObject { module: id, object }
    }
}

fn named(config: &Config, id: NodeId, target: &Target) -> Address {
    let module = &config.node(id).module;
    if let Target::Module(call, Some(output)) = target
        && let Some(called) = config.node(id).called[*call]
        && config.node(called).module.outputs.contains_key(output)
    {
        return address(config, called, Object::Output(output.clone()));
    }
    address(config, id, module.object_of(target))
}

fn address(config: &Config, id: NodeId, object: Object) -> Address {
    Address { module: config.node(id).path.clone(), object }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use super::object_references;
    use crate::{Cache, Request, load};

    /// Returns each reference with its kind and its text.
    fn references(files: &[(&str, &str)]) -> Vec<String> {
        let files: MemoryFiles = files.iter().copied().collect();
        let loaded = load(Request::new("."), &files, &Cache::default());
        assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
        let line = |found: super::ObjectReference| {
            let (via, text) = (found.via.name(), found.place.file.slice(found.place.span));
            format!("{} {} {via} {text}", found.from, found.to)
        };
        object_references(&loaded.config).map(line).collect()
    }

    #[test]
    fn every_part_of_a_declaration_has_its_kind() {
        let main = r#"
variable "n" {
  type = number
  validation {
    condition     = var.n > local.min
    error_message = "too small"
  }
}
locals { min = length(module.m["a"].o) }
provider "p" { region = local.min }
module "m" {
  source   = "./m"
  for_each = toset(["a"])
  v        = var.n
}
resource "p_r" "a" {
  count      = var.n
  name       = local.min
  depends_on = [module.m]
  lifecycle {
    replace_triggered_by = [p_r.b]
    precondition {
      condition     = var.n > 1
      error_message = "no"
    }
  }
  provisioner "local-exec" { command = local.min }
}
resource "p_r" "b" { provider = p }
output "o" { value = p_r.b.id }
check "c" {
  assert {
    condition     = local.min > 0
    error_message = "no"
  }
}
"#;
        let module = "variable \"v\" {}\noutput \"o\" { value = var.v }\n";
        let found = references(&[("main.tf", main), ("m/main.tf", module)]);
        assert_eq!(
            found,
            [
                "var.n var.n condition var.n",
                "var.n local.min condition local.min",
                "local.min module.m.output.o expression module.m[\"a\"].o",
                "provider.p local.min expression local.min",
                "module.m.var.v var.n argument var.n",
                "p_r.a var.n count var.n",
                "p_r.a local.min expression local.min",
                "p_r.a module.m depends_on module.m",
                "p_r.a p_r.b lifecycle p_r.b",
                "p_r.a var.n condition var.n",
                "p_r.a local.min provisioner local.min",
                "output.o p_r.b expression p_r.b.id",
                "check.c local.min condition local.min",
                "p_r.a provider.p provider \"p_r\"",
                "p_r.b provider.p provider p",
                "module.m.output.o module.m.var.v expression var.v",
            ]
        );
    }

    #[test]
    fn a_reference_to_an_output_leads_into_the_module() {
        let main = "module \"m\" { source = \"./m\" }\nmodule \"absent\" {\n  source = \"x/y/z\"\n  a = module.m.o.id\n}\n\
                    output \"p\" { value = module.absent.q }\n";
        let found = references(&[("main.tf", main), ("m/main.tf", "output \"o\" { value = 1 }\n")]);
        assert_eq!(
            found,
            [
                "module.absent module.m.output.o argument module.m.o.id",
                "output.p module.absent expression module.absent.q",
            ]
        );
    }

    #[test]
    fn replaced_text_refers_to_nothing() {
        let files = [
            ("main.tf", "variable \"a\" {}\nvariable \"b\" {}\nlocals { x = var.a }\n"),
            ("override.tf", "locals { x = var.b }\n"),
        ];
        assert_eq!(references(&files), ["local.x var.b expression var.b"]);
    }
}
