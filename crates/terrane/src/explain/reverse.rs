//! Finds everything that depends on an object, across modules, from the references as they are written.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::Address;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_module::graph::{ObjectReference, import_references, provider_references, written_references};
use terrane_module::model::references::Via;
use terrane_module::module::{Import, ResourceKey};
use terrane_module::{Config, Evaluation, Module, ModuleInstance, ModuleNode, NodeId};
use terrane_source::{Diagnostics, Files, Subject};
use terrane_value::counted;

use super::builder::Builder;
use super::no_line;
use super::place::{LineAddress, object_on};
use super::target::target;
use super::text::blanks;
use crate::report::Report;
use crate::secrets::Secrets;

/// The deepest indentation in text. Deeper dependents have a note with their distance.
const MAX_LEVELS: usize = 40;

/// Limit on the characters of an address with which the notes are aligned.
const MAX_ALIGNED: usize = 200;

/// Everything that depends on an object: the result of [`Report::dependents`].
///
/// References are known for blocks, not for instances, so addresses have no instance keys.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Dependents {
    /// The object.
    pub address: Address,
    /// The objects that depend on it, the nearest first.
    pub found: Vec<Dependent>,
}

/// An object that depends on another one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Dependent {
    /// Its address.
    pub address: Arc<Address>,
    /// The number of references on the shortest way.
    pub distance: usize,
    /// The next object on the shortest way, which this object refers to.
    pub refers_to: Arc<Address>,
    /// The part of the object that contains the reference. `None` for an object of a module whose call depends on the other
    /// object.
    pub via: Option<Via>,
    /// The place of the reference, or of the call.
    pub place: Option<Subject>,
    /// The number of instances of a resource or module call. `None` for other objects, and if the number is unknown.
    pub instances: Option<usize>,
}

impl Report {
    /// Returns everything that depends on the object at an address or on a line, `main.tf:12`: outputs, locals, variables and
    /// resources of all modules, with the references that lead to it. The address may not have instance keys, and the addresses
    /// of dependents have none either.
    ///
    /// # Errors
    ///
    /// The address or line names no object, or the line several.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = "locals { a = 1 }\nlocals { b = local.a }\noutput \"c\" { value = local.b }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let found = Project::new(".").evaluate(&files).dependents("local.a", &files)?.found;
    /// let names: Vec<String> = found.iter().map(|found| found.address.to_string()).collect();
    /// assert_eq!(names, ["local.b", "output.c"]);
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn dependents(&self, address: &str, files: &dyn Files) -> Result<Dependents, Diagnostics> {
        let builder = Builder::new(self, Secrets::Hidden, files);
        let address = match LineAddress::parse(address) {
            Some(asked) => object_on(&builder, asked).map_err(|reason| no_line(address, &reason))?,
            None => match target(&builder, address) {
                Ok(part) => builder.address(&part.object).without_keys(),
                Err(error) => declared(&self.evaluation().config, address)
                    .ok_or_else(|| Diagnostics::from_iter([error.diagnostic(address)]))?,
            },
        };
        let found = DependentSearch::new(self.evaluation()).from(&address);
        Ok(Dependents { found, address })
    }
}

/// A search for dependents, which reads the references of a module when it meets an object that the module may refer to.
struct DependentSearch<'r> {
    config: &'r Config,
    /// The modules that are on disk, by path.
    modules: HashMap<&'r ModulePath, OwnerModule<'r>, RandomState>,
    /// The references of the modules read so far, by the object that they name.
    to: HashMap<Arc<Address>, Vec<ObjectReference>, RandomState>,
    read: ModulesRead,
}

/// The modules whose references have been read.
enum ModulesRead {
    /// These modules, without their references to provider configurations.
    Some(HashSet<NodeId, RandomState>),
    All,
}

/// A module, and its instances.
struct OwnerModule<'r> {
    id: NodeId,
    node: &'r ModuleNode,
    instances: Vec<&'r ModuleInstance>,
}

/// A step from an object to a dependent of it.
struct DependentStep {
    address: Arc<Address>,
    via: Option<Via>,
    place: Option<Subject>,
}

impl<'r> DependentSearch<'r> {
    fn new(evaluation: &'r Evaluation) -> DependentSearch<'r> {
        let config = &evaluation.config;
        let owner = |(id, node)| OwnerModule { id, node, instances: Vec::new() };
        let mut modules: HashMap<&ModulePath, OwnerModule<'_>, RandomState> =
            config.nodes().map(owner).map(|owner| (&owner.node.path, owner)).collect();
        for instance in evaluation.instances() {
            if let Some(module) = modules.get_mut(&config.node(instance.node).path) {
                module.instances.push(instance);
            }
        }
        let read = ModulesRead::Some(HashSet::default());
        DependentSearch { config, modules, to: HashMap::default(), read }
    }

    fn from(mut self, target: &Address) -> Vec<Dependent> {
        let target = Arc::new(target.clone());
        let mut seen: HashSet<Arc<Address>, RandomState> = HashSet::from_iter([Arc::clone(&target)]);
        let mut left = VecDeque::from([(target, 0)]);
        let mut found = Vec::new();
        while let Some((at, distance)) = left.pop_front() {
            let steps = self.steps(&at);
            for step in steps {
                if !seen.insert(Arc::clone(&step.address)) {
                    continue;
                }
                left.push_back((Arc::clone(&step.address), distance + 1));
                found.push(Dependent {
                    instances: self.instances(&step.address),
                    address: step.address,
                    distance: distance + 1,
                    refers_to: Arc::clone(&at),
                    via: step.via,
                    place: step.place,
                });
            }
        }
        found
    }

    /// Returns the steps to the objects that refer to an object.
    fn references_to(&mut self, address: &Address) -> impl Iterator<Item = DependentStep> {
        self.read_referring(address);
        self.to.get(address).into_iter().flatten().map(DependentStep::of)
    }

    /// Reads the references of the modules that may refer to an object.
    fn read_referring(&mut self, address: &Address) {
        let caller = || address.module.split_last().map(|(caller, _)| caller);
        let path = match &address.object {
            Object::Provider(_) => return self.read_all(),
            Object::Output(_) => caller(),
            Object::Variable(_)
            | Object::Local(_)
            | Object::Check(_)
            | Object::ModuleCall(..)
            | Object::Resource { .. }
            | Object::Source(..)
            | Object::Build(_)
            | Object::Import(_) => Some(address.module.clone()),
        };
        if let Some(OwnerModule { id, .. }) = path.and_then(|path| self.modules.get(&path))
            && let ModulesRead::Some(read) = &mut self.read
            && read.insert(*id)
        {
            self.add(written_references(self.config, *id).chain(import_references(self.config, *id)));
        }
    }

    /// Reads the references of all modules, which may refer to one provider configuration.
    fn read_all(&mut self) {
        if let ModulesRead::Some(_) = std::mem::replace(&mut self.read, ModulesRead::All) {
            // All modules again, so that references to one object are in the order of modules.
            self.to.clear();
            let config = self.config;
            for (id, _) in config.nodes() {
                self.add(written_references(config, id).chain(provider_references(config, id)));
                self.add(import_references(config, id));
            }
        }
    }

    fn add(&mut self, references: impl Iterator<Item = ObjectReference>) {
        for reference in references {
            self.to.entry(Arc::clone(&reference.to)).or_default().push(reference);
        }
    }

    /// Returns the steps from an object to its direct dependents.
    fn steps(&mut self, at: &Address) -> Vec<DependentStep> {
        if let Object::ModuleCall(name, _) = &at.object
            && let Some(module) = self.modules.get(&at.module.child(name, InstanceKey::None))
        {
            // The arguments of the call lead to variables. Everything in the module depends on the other arguments, such as
            // `count`. A reference to the call is a reference to everything in the module.
            let mut steps = DependentSearch::within(module.node);
            steps.extend(self.references_to(at));
            return steps;
        }
        let mut steps: Vec<DependentStep> = self.references_to(at).collect();
        // References to a whole module are references to its outputs, except `depends_on`, which names all its objects.
        let is_output = matches!(at.object, Object::Output(_));
        let mut path = at.module.clone();
        let mut is_own = true;
        while let Some((outer, last)) = path.split_last() {
            let object = Object::ModuleCall(last.name.clone(), InstanceKey::None);
            let call = Address { module: outer.clone(), object };
            let counts = |step: &DependentStep| step.via == Some(Via::DependsOn) || is_output && is_own;
            steps.extend(self.references_to(&call).filter(counts));
            (path, is_own) = (outer, false);
        }
        steps
    }

    /// Returns the steps to the objects directly in a module.
    fn within(node: &ModuleNode) -> Vec<DependentStep> {
        let step = |object| DependentStep {
            address: Arc::new(Address { module: node.path.clone(), object }),
            via: None,
            place: None,
        };
        objects(&node.module).into_iter().map(step).collect()
    }

    /// Returns the number of instances of a block in all instances of its module.
    fn instances(&self, address: &Address) -> Option<usize> {
        let OwnerModule { node, instances, .. } = self.modules.get(&address.module)?;
        let module = &node.module;
        let mut total = 0;
        for instance in instances {
            let (unknown, count) = match &address.object {
                Object::Resource { mode, resource_type, name, .. } => {
                    let (resource_type, name) = (resource_type.clone(), name.clone());
                    let id = module.resources.id_of(&ResourceKey { mode: *mode, resource_type, name })?;
                    let expansion = &instance.resources[id].expansion;
                    (expansion.unknown().is_some(), expansion.len())
                }
                Object::ModuleCall(name, _) => {
                    let expansion = &instance.calls[module.calls.id_of(name)?].expansion;
                    (expansion.unknown().is_some(), expansion.len())
                }
                Object::Variable(_)
                | Object::Local(_)
                | Object::Output(_)
                | Object::Check(_)
                | Object::Source(..)
                | Object::Build(_)
                | Object::Provider(_)
                | Object::Import(_) => return None,
            };
            if unknown || instance.unexpanded.is_some() {
                return None;
            }
            total += count;
        }
        Some(total)
    }
}

impl DependentStep {
    fn of(reference: &ObjectReference) -> DependentStep {
        DependentStep {
            address: Arc::clone(&reference.from),
            via: Some(reference.via),
            place: Some(reference.place.clone()),
        }
    }
}

/// Returns the declared object with this address without keys.
fn declared(config: &Config, text: &str) -> Option<Address> {
    config.nodes().find_map(|(_, node)| {
        let name = match node.path.is_root() {
            true => text,
            false => text.strip_prefix(&node.path.to_string())?.strip_prefix('.')?,
        };
        let module = &node.module;
        let providers = module.providers.keys().cloned().map(Object::Provider);
        let checks = module.checks.keys().cloned().map(Object::Check);
        let imports = module.imports.iter().map(Import::object);
        let mut declared = objects(module).into_iter().chain(providers).chain(checks).chain(imports);
        let object = declared.find(|object| object.to_string() == name)?;
        Some(Address { module: node.path.clone(), object })
    })
}

/// Returns the objects that a module declares, without keys.
fn objects(module: &Module) -> Vec<Object> {
    let variables = module.variables.keys().cloned().map(Object::Variable);
    let locals = module.locals.keys().cloned().map(Object::Local);
    let outputs = module.outputs.keys().cloned().map(Object::Output);
    let resources = module.resources.keys().map(|key| key.object(InstanceKey::None));
    let calls = module.calls.keys().map(|name| Object::ModuleCall(name.clone(), InstanceKey::None));
    variables.chain(locals).chain(outputs).chain(resources).chain(calls).collect()
}

impl Dependents {
    /// Returns the dependents as a tree: below each object the objects that refer to it, each once, with the place of the
    /// reference.
    pub fn to_text(&self) -> String {
        let mut below: HashMap<&Address, Vec<&Dependent>, RandomState> = HashMap::default();
        for dependent in &self.found {
            below.entry(&dependent.refers_to).or_default().push(dependent);
        }
        let mut lines = vec![(self.address.to_string(), String::new())];
        let mut left: Vec<&Dependent> =
            below.get(&self.address).into_iter().flatten().copied().rev().collect();
        while let Some(dependent) = left.pop() {
            let place = dependent.place.as_ref().map(Subject::position);
            let via = dependent.via.filter(|via| !matches!(via, Via::Expression | Via::Argument));
            let instances =
                dependent.instances.filter(|count| *count != 1).map(|count| format!("{count} instances"));
            let via = match (via, dependent.via) {
                (Some(via), _) => Some(via.name().to_owned()),
                (None, None) => Some("in the module".to_owned()),
                (None, Some(_)) => None,
            };
            let level = dependent.distance.min(MAX_LEVELS);
            let distance = (dependent.distance > level).then(|| format!("distance {}", dependent.distance));
            let notes: Vec<String> = [place, via, instances, distance].into_iter().flatten().collect();
            lines.push((format!("{}{}", "  ".repeat(level), dependent.address), notes.join("  ")));
            left.extend(below.get(&*dependent.address).into_iter().flatten().copied().rev());
        }
        // Very long addresses do not count: every line would be as long.
        let widths = lines.iter().map(|(left, _)| left.chars().count());
        let widest = widths.filter(|width| *width <= MAX_ALIGNED).max().unwrap_or_default();
        let mut out = format!("# {}\n", self.summary());
        for (left, right) in lines {
            match right.is_empty() {
                true => out.extend([&left, "\n"]),
                false => {
                    out.push_str(&left);
                    blanks(widest.saturating_sub(left.chars().count()) + 2, &mut out);
                    out.extend(["# ", &right, "\n"]);
                }
            }
        }
        out
    }

    /// Returns the numbers of dependents of each kind in a sentence.
    pub fn summary(&self) -> String {
        if self.found.is_empty() {
            return format!("nothing depends on {}", self.address);
        }
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for dependent in &self.found {
            *kinds.entry(kind(&dependent.address.object)).or_default() += 1;
        }
        let counts: Vec<String> = kinds.into_iter().map(|(kind, count)| counted(count, kind)).collect();
        let instances: usize = self
            .found
            .iter()
            .filter(|found| {
                matches!(found.address.object, Object::Resource { mode: ResourceMode::Managed, .. })
            })
            .filter_map(|found| found.instances)
            .sum();
        let (objects, instances) =
            (counted(self.found.len(), "dependent"), counted(instances, "resource instance"));
        format!("{objects} of {}: {} ({instances})", self.address, counts.join(", "))
    }
}

/// Returns the kind of an object in words.
pub(super) fn kind(object: &Object) -> &'static str {
    match object {
        Object::Variable(_) => "variable",
        Object::Local(_) => "local value",
        Object::Output(_) => "output",
        Object::Check(_) => "check",
        Object::ModuleCall(..) => "module call",
        Object::Resource { mode: ResourceMode::Data, .. } => "data source",
        Object::Resource { mode: ResourceMode::Action, .. } => "action",
        Object::Resource { .. } => "resource",
        Object::Source(..) => "source",
        Object::Build(_) => "build",
        Object::Provider(_) => "provider configuration",
        Object::Import(_) => "import",
    }
}
