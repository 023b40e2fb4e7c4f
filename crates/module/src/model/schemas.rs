//! Schemas of providers: of their configuration and of their resource types.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use terrane_body::{BodySpec, Schema, SchemaAttribute, UnsetArgument};
use terrane_config::address::ResourceMode;
use terrane_source::sorted_map;
use terrane_value::{SmolStr, Type};

use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::provider::ProviderAddress;

/// The schemas of providers, each by its address. The built-in provider always has its schemas. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
/// use terrane_config::address::ResourceMode;
/// use terrane_module::{ProviderSchema, ResourceType, Schemas};
/// use terrane_body::{Schema, SchemaAttribute};
/// use terrane_value::Type;
///
/// let thing = Schema::new().attribute("id", SchemaAttribute::computed(Type::String));
/// let name = ResourceType { mode: ResourceMode::Managed, name: "demo_thing".into() };
/// let demo = ProviderSchema::new(None, [(name, thing)]);
/// let schemas = Schemas::default().with("acme/demo".parse().expect("an address"), demo);
/// assert!(schemas.provider(&"registry.terraform.io/acme/demo".parse().expect("an address")).is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Schemas {
    providers: Arc<BTreeMap<ProviderAddress, Arc<ProviderEntry>>>,
}

/// The schemas of a provider, which are opened on first use.
#[derive(Debug)]
struct ProviderEntry {
    /// Opens the schemas.
    lazy: Option<Arc<dyn LazyProvider>>,
    /// The opened schemas; `None` inside if they cannot be used.
    opened: OnceLock<Option<Arc<ProviderSchema>>>,
}

/// The schemas of a provider that are opened on first use, because a lock file has more providers than a module uses.
pub trait LazyProvider: fmt::Debug + Send + Sync {
    /// Opens the schemas; returns `None` if they cannot be used.
    fn open(&self) -> Option<Arc<ProviderSchema>>;
}

impl ProviderEntry {
    fn of(provider: Arc<ProviderSchema>) -> Arc<ProviderEntry> {
        Arc::new(ProviderEntry { lazy: None, opened: OnceLock::from(Some(provider)) })
    }

    fn get(&self) -> Option<&ProviderSchema> {
        self.opened.get_or_init(|| self.lazy.as_ref()?.open()).as_deref()
    }

    /// Whether both have the same schemas, opened or not.
    fn is_same(&self, other: &ProviderEntry) -> bool {
        match (&self.lazy, &other.lazy) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => match (self.opened.get(), other.opened.get()) {
                (Some(Some(one)), Some(Some(other))) => Arc::ptr_eq(one, other),
                _ => false,
            },
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// The key of a resource type of a provider. It sorts the types of a mode together, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ResourceType {
    /// The mode of its resources.
    pub mode: ResourceMode,
    /// The name, such as `aws_vpc`.
    pub name: SmolStr,
}

/// The schemas of a provider.
#[derive(Debug)]
pub struct ProviderSchema {
    configuration: Option<BlockSchema>,
    resources: BTreeMap<ResourceType, ResourceSchema>,
    /// The table of schemas that are decoded on first use.
    table: Option<Arc<dyn SchemaTable>>,
}

/// The schemas of resource types, each decoded on first use, because a provider has many more types than a module uses.
pub trait SchemaTable: fmt::Debug + Send + Sync {
    /// Returns the schema at a place of the table; `None` if the table has no such place.
    fn schema(&self, index: u32) -> Option<Schema>;
}

/// The schema of a resource type.
#[derive(Debug)]
struct ResourceSchema {
    /// The place in the table of the provider.
    index: u32,
    /// The schema; made on first use.
    made: OnceLock<Option<Arc<BlockSchema>>>,
}

/// The schema of a block, with data derived from it.
#[derive(Debug)]
pub struct BlockSchema {
    schema: Schema,
    /// The specification; made on first use, because a provider has many more resource types than a module uses.
    spec: OnceLock<BodySpec>,
}

impl BlockSchema {
    fn new(schema: Schema) -> BlockSchema {
        BlockSchema { schema, spec: OnceLock::new() }
    }

    /// Returns the value of arguments that are not configured in a resource of this type. A computed data source has its own
    /// defaults.
    pub fn unset_argument(&self, mode: ResourceMode) -> UnsetArgument {
        match mode == ResourceMode::Managed && self.schema.is_of_legacy_sdk() {
            true => UnsetArgument::MayHaveDefault,
            false => UnsetArgument::Null,
        }
    }

    /// Returns the schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the specification that decodes such a block into a value.
    pub fn spec(&self) -> &BodySpec {
        self.spec.get_or_init(|| BodySpec::new(self.schema.configuration_spec()))
    }
}

impl ProviderSchema {
    /// Returns a provider with the schema of its configuration, if that is known, and the
    /// schemas of its resource types.
    pub fn new(
        configuration: Option<Schema>,
        resources: impl IntoIterator<Item = (ResourceType, Schema)>,
    ) -> ProviderSchema {
        let block = |(name, schema)| {
            let made = Some(Arc::new(BlockSchema::new(schema)));
            (name, ResourceSchema { index: 0, made: OnceLock::from(made) })
        };
        ProviderSchema {
            configuration: configuration.map(BlockSchema::new),
            resources: sorted_map(resources.into_iter().map(block)),
            table: None,
        }
    }

    /// Returns a provider whose resource types have their schemas at places of a table.
    pub fn from_table(
        configuration: Option<Schema>,
        resources: impl IntoIterator<Item = (ResourceType, u32)>,
        table: Arc<dyn SchemaTable>,
    ) -> ProviderSchema {
        let row = |(name, index)| (name, ResourceSchema { index, made: OnceLock::new() });
        ProviderSchema {
            configuration: configuration.map(BlockSchema::new),
            resources: sorted_map(resources.into_iter().map(row)),
            table: Some(table),
        }
    }

    /// Returns the schema of its configuration.
    pub fn configuration(&self) -> Option<&BlockSchema> {
        self.configuration.as_ref()
    }

    /// Returns the schema of a resource type.
    pub fn resource(&self, mode: ResourceMode, resource_type: &str) -> Option<&Arc<BlockSchema>> {
        let row = self.resources.get(&ResourceType { mode, name: SmolStr::from(resource_type) })?;
        let make = || {
            let schema = self.table.as_ref()?.schema(row.index)?;
            Some(Arc::new(BlockSchema::new(schema)))
        };
        row.made.get_or_init(make).as_ref()
    }

    /// Returns the names of the resource types of a mode, in order.
    pub fn resource_types(&self, mode: ResourceMode) -> impl Iterator<Item = &str> {
        self.resources.keys().filter(move |found| found.mode == mode).map(|found| &*found.name)
    }
}

impl Default for Schemas {
    fn default() -> Schemas {
        Schemas { providers: Arc::clone(&DEFAULT) }
    }
}

impl Schemas {
    /// Returns these schemas with another provider, which replaces a provider with the same address.
    #[must_use]
    pub fn with(self, address: ProviderAddress, provider: ProviderSchema) -> Schemas {
        self.with_shared(address, Arc::new(provider))
    }

    /// Does the same as [`Schemas::with`], for a provider that other schemas share.
    #[must_use]
    pub fn with_shared(mut self, address: ProviderAddress, provider: Arc<ProviderSchema>) -> Schemas {
        Arc::make_mut(&mut self.providers).insert(address, ProviderEntry::of(provider));
        self
    }

    /// Does the same as [`Schemas::with`], for a provider whose schemas are opened on first use.
    #[must_use]
    pub fn with_lazy(mut self, address: ProviderAddress, provider: Arc<dyn LazyProvider>) -> Schemas {
        let entry = ProviderEntry { lazy: Some(provider), opened: OnceLock::new() };
        Arc::make_mut(&mut self.providers).insert(address, Arc::new(entry));
        self
    }

    /// Whether the schemas of a provider have been opened.
    pub fn is_opened(&self, address: &ProviderAddress) -> bool {
        self.providers.get(address).is_some_and(|entry| entry.opened.get().is_some())
    }

    /// Returns these schemas and `others`; `others` take precedence.
    #[must_use]
    pub fn merged(mut self, preferred: &Schemas) -> Schemas {
        let preferred =
            preferred.providers.iter().map(|(address, provider)| (address.clone(), Arc::clone(provider)));
        Arc::make_mut(&mut self.providers).extend(preferred);
        self
    }

    /// Whether both are the same schemas, and not only equal.
    pub(crate) fn is_same(&self, other: &Schemas) -> bool {
        let is_same = |(address, entry): (&ProviderAddress, &Arc<ProviderEntry>)| {
            other
                .providers
                .get(address)
                .is_some_and(|other| Arc::ptr_eq(entry, other) || entry.is_same(other))
        };
        Arc::ptr_eq(&self.providers, &other.providers)
            || self.providers.len() == other.providers.len() && self.providers.iter().all(is_same)
    }

    /// Returns the addresses of the providers, in order.
    pub fn addresses(&self) -> Vec<&ProviderAddress> {
        self.providers.keys().collect()
    }

    /// Whether there are schemas of a provider that is not built in.
    pub(crate) fn has_providers(&self) -> bool {
        self.providers.keys().any(|address| !address.is_built_in())
    }

    /// Returns the schemas of a provider, if they are known.
    pub fn provider(&self, address: &ProviderAddress) -> Option<&ProviderSchema> {
        self.providers.get(address)?.get()
    }

    /// Returns the schemas of the provider of a resource of `module`, if they are known.
    pub(crate) fn provider_of(
        &self,
        module: &Module,
        key: &ResourceKey,
        resource: &Resource,
    ) -> Option<&ProviderSchema> {
        let local = resource.local_provider(&key.resource_type);
        let address = module.provider_address(local);
        if module.provider_is_doubtful(local) { None } else { self.provider(&address) }
    }

    /// Returns the schemas of all providers for the type of a resource, if it is in doubt which
    /// provider the resource has.
    pub(crate) fn possible(
        &self,
        module: &Module,
        key: &ResourceKey,
        resource: &Resource,
    ) -> Vec<&BlockSchema> {
        if !module.provider_is_doubtful(resource.local_provider(&key.resource_type)) {
            return Vec::new();
        }
        let providers = self.providers.values().filter_map(|entry| entry.get());
        let of_type = providers.filter_map(|provider| provider.resource(key.mode, &key.resource_type));
        of_type.map(|schema| &**schema).collect()
    }

    /// Whether a resource without a schema may have secret arguments, because it is in doubt which provider it has.
    pub fn may_have_secrets(&self, module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
        self.possible(module, key, resource).iter().any(|block| block.schema().has_secret_attributes())
    }

    /// Returns the schemas of all providers for their configurations, if it is in doubt which provider has a local name.
    pub(crate) fn possible_configurations(&self, module: &Module, local: &str) -> Vec<&BlockSchema> {
        if !module.provider_is_doubtful(local) {
            return Vec::new();
        }
        let providers = self.providers.values().filter_map(|entry| entry.get());
        providers.filter_map(|provider| provider.configuration()).collect()
    }

    /// Whether the configuration of a provider may have secret arguments, because it is in doubt which provider has a local name.
    pub fn may_have_secret_configuration(&self, module: &Module, local: &str) -> bool {
        let mut possible = self.possible_configurations(module, local).into_iter();
        possible.any(|block| block.schema().has_secret_attributes())
    }

    /// Returns the schema of a resource of `module`; `None` if it is not known.
    pub fn resource(
        &self,
        module: &Module,
        key: &ResourceKey,
        resource: &Resource,
    ) -> Option<&Arc<BlockSchema>> {
        self.provider_of(module, key, resource)?.resource(key.mode, &key.resource_type)
    }
}

impl Module {
    /// Whether an unreadable requirement may give a local name another provider than
    /// [`provider_address`](Module::provider_address) does.
    pub fn provider_is_doubtful(&self, local: &str) -> bool {
        let is_doubtful = match self.requirements.get(local) {
            Some(required) => required.is_doubtful,
            None => self.doubt.hides_name(DeclarationKind::Requirement, local),
        };
        is_doubtful && !self.provider_address(local).is_built_in()
    }
}

/// The schemas of the built-in provider, which every request has.
static DEFAULT: LazyLock<Arc<BTreeMap<ProviderAddress, Arc<ProviderEntry>>>> = LazyLock::new(|| {
    let built_in = ProviderEntry::of(Arc::clone(&BUILT_IN));
    Arc::new(BTreeMap::from([(ProviderAddress::implied("terraform"), built_in)]))
});

/// The resource type of the built-in provider.
const TERRAFORM_DATA: &str = "terraform_data";

/// Whether a resource type is `terraform_data` of the built-in provider, which copies `input` to `output`.
pub fn is_terraform_data(mode: ResourceMode, resource_type: &str) -> bool {
    mode == ResourceMode::Managed && resource_type == TERRAFORM_DATA
}

/// The provider that Terraform and OpenTofu have built in.
static BUILT_IN: LazyLock<Arc<ProviderSchema>> = LazyLock::new(|| {
    let terraform_data = Schema::new()
        .attribute("id", SchemaAttribute::computed(Type::String))
        .attribute("input", SchemaAttribute::optional(Type::Dynamic))
        .attribute("output", SchemaAttribute::computed(Type::Dynamic))
        .attribute("triggers_replace", SchemaAttribute::optional(Type::Dynamic));
    let terraform_remote_state = Schema::new()
        .attribute("backend", SchemaAttribute::required(Type::String))
        .attribute("config", SchemaAttribute::optional(Type::Dynamic))
        .attribute("defaults", SchemaAttribute::optional(Type::Dynamic))
        .attribute("outputs", SchemaAttribute::computed(Type::Dynamic))
        .attribute("workspace", SchemaAttribute::optional(Type::String));
    let named = |mode, name: &str| ResourceType { mode, name: SmolStr::from(name) };
    let resources = [
        (named(ResourceMode::Managed, TERRAFORM_DATA), terraform_data),
        (named(ResourceMode::Data, "terraform_remote_state"), terraform_remote_state),
    ];
    Arc::new(ProviderSchema::new(Some(Schema::new()), resources))
});
