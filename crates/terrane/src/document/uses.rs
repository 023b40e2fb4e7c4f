//! The functions that files call, and the providers that modules use.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_config::{ModulePath, Version, VersionConstraint};
use terrane_module::provider::ProviderAddress;
use terrane_module::{Config, Module, ModuleNode};
use terrane_source::{SourceVersion, Subject};
use terrane_syntax::{Expr, Expression};
use terrane_value::SmolStr;

/// The calls of a function in a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FunctionUse {
    /// The name without the namespace `core`, such as `upper` or `provider::time::rfc3339_parse`.
    pub name: SmolStr,
    /// The number of calls as written.
    pub uses: usize,
    /// The place of the name in the first call.
    pub first: Subject,
}

/// A provider in a module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProviderUse {
    /// The module, without instance keys.
    pub module: ModulePath,
    /// The name of the provider in the module.
    pub local_name: SmolStr,
    /// The provider; none if text that cannot be read may name it.
    pub provider: Option<ProviderAddress>,
    /// The versions that the requirement and the configurations of this local name accept, such as `>= 5.0, < 6.0`; `None` if
    /// they name none.
    pub version_constraint: Option<Arc<str>>,
    /// The version that the lock file selects.
    pub locked_version: Option<Version>,
    /// The configurations that callers have to pass, such as `aws.west`.
    pub aliases: Vec<SmolStr>,
    /// The place of the requirement; none if resources or configurations alone use the provider.
    pub requirement: Option<Subject>,
}

/// The functions that the files of all modules call, by file and name.
pub(super) fn functions(config: &Config) -> Vec<FunctionUse> {
    let mut directories: HashSet<&Path, RandomState> = HashSet::default();
    let mut found: HashMap<CalledIn, FunctionUse, RandomState> = HashMap::default();
    for (_, node) in config.nodes() {
        if directories.insert(&node.module.directory) {
            for expression in node.module.references.uses().expressions() {
                add_calls(expression, &mut found);
            }
        }
    }
    let mut all: Vec<FunctionUse> = found.into_values().collect();
    // The name of a function that does not exist may be a secret text without its quotes.
    config.hide_wrong_functions(all.iter().map(|row| &*row.name));
    all.retain(|row| !row.first.file.is_hidden(row.first.span));
    all.sort_unstable_by(|one, other| {
        one.first.file.id().cmp(other.first.file.id()).then_with(|| one.name.cmp(&other.name))
    });
    all
}

/// A function, and the version of the file that calls it.
#[derive(PartialEq, Eq, Hash)]
struct CalledIn {
    version: SourceVersion,
    name: SmolStr,
}

fn add_calls(expression: &Expression, found: &mut HashMap<CalledIn, FunctionUse, RandomState>) {
    let (tree, file) = (&expression.tree, expression.source());
    tree.expressions(expression.id, &mut |id| {
        let Expr::Call(call) = tree.expr(id) else { return };
        let call = tree.call(call);
        let name = tree.function_name(call);
        let name = SmolStr::from(name.strip_prefix("core::").unwrap_or(&name));
        let place = || Subject { file: Arc::clone(file), span: call.name };
        let row = found
            .entry(CalledIn { version: file.version(), name: name.clone() })
            .or_insert_with(|| FunctionUse { name, uses: 0, first: place() });
        row.uses += 1;
        if call.name.start < row.first.span.start {
            row.first = place();
        }
    });
}

/// The providers of all modules, without the one that is built into the products: first those that a module requires, then those
/// that only its configurations and resources use.
pub(super) fn providers(config: &Config, locked: &Locked) -> Vec<ProviderUse> {
    config.nodes().flat_map(|(_, node)| of_module(node, locked)).collect()
}

/// The versions of providers that a lock file selects.
type Locked = BTreeMap<ProviderAddress, Version>;

fn of_module(node: &ModuleNode, locked: &Locked) -> Vec<ProviderUse> {
    let module = &*node.module;
    let constraints = version_constraints(module, SmolStr::clone);
    let configured = module.providers.values().map(|provider| &*provider.name);
    let of_resources =
        module.resources.iter().map(|(key, resource)| resource.local_provider(&key.resource_type));
    let mut seen: HashSet<&str> = HashSet::new();
    let names = module.requirements.keys().map(SmolStr::as_str).chain(configured).chain(of_resources);
    let names = names.filter(|name| seen.insert(name) && !module.provider_address(name).is_built_in());
    let row = |name: &str| {
        let required = module.requirements.get(name);
        let address = (!module.provider_is_doubtful(name)).then(|| module.provider_address(name));
        ProviderUse {
            module: node.path.clone(),
            local_name: SmolStr::from(name),
            version_constraint: constraints.get(name).cloned(),
            locked_version: address.as_ref().and_then(|address| locked.get(address)).cloned(),
            provider: address,
            aliases: required.iter().flat_map(|required| &required.aliases).cloned().collect(),
            requirement: required.map(|required| required.declaration.clone()),
        }
    };
    names.map(row).collect()
}

/// Returns the version constraints from `required_providers` and the `provider` blocks of a module, in the form of plans and
/// lock files: one text for all local names with the same key.
pub(crate) fn version_constraints<K: Hash + Eq>(
    module: &Module,
    key: impl Fn(&SmolStr) -> K,
) -> HashMap<K, Arc<str>> {
    let required = module.requirements.iter().map(|(name, required)| (name, required.version.as_ref()));
    let blocks = module.providers.values().map(|block| (&block.name, block.version.as_ref()));
    let mut all: HashMap<K, VersionConstraint> = HashMap::new();
    for (name, version) in required.chain(blocks) {
        let Some(version) = version.cloned() else { continue };
        let version = match all.remove(&key(name)) {
            Some(earlier) => earlier.and(version),
            None => version,
        };
        all.insert(key(name), version);
    }
    all.into_iter().map(|(key, version)| (key, version.canonical().to_string().into())).collect()
}
