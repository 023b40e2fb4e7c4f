//! The `configuration` of a plan: the modules as they are written.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use terrane_body::constant::constant_string;
use terrane_config::VersionConstraint;
use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_module::module::{Module, ModuleCall, Provisioner, Repetition, Resource, ResourceKey};
use terrane_module::resolve::depends_on;
use terrane_module::{Config, ModuleNode, PlanRules};
use terrane_source::{Diagnostics, sorted_map};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::document_options::DocumentOptions;
use super::expression::{BodyItemJson, ExpressionJson, ExpressionWriter, Expressions};
use super::providers::{ConfiguredProviderJson, Providers};
use super::resources::stored_version;
use super::value::After;
use crate::secrets::Secrets;

#[derive(Serialize)]
pub(super) struct ConfigurationJson<'c> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    provider_config: BTreeMap<&'c str, &'c ConfiguredProviderJson>,
    root_module: ConfiguredModuleJson<'c>,
}

#[derive(Serialize, Default)]
struct ConfiguredModuleJson<'c> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<&'c str, ConfiguredOutputJson<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<Resources<'c>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    module_calls: BTreeMap<&'c str, ConfiguredCallJson<'c>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<&'c str, ConfiguredVariableJson<'c>>,
}

#[derive(Serialize)]
struct ConfiguredOutputJson<'c> {
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "is_false")]
    ephemeral: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'c str>,
    expression: ExpressionJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'c str>,
}

/// A called module. Its JSON is built when it is written: a module may be called thousands of times.
struct NestedModule<'c> {
    writer: ConfigurationWriter<'c>,
    node: &'c ModuleNode,
}

impl Serialize for NestedModule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.writer.module(self.node).serialize(serializer)
    }
}

/// The resources of a module: managed resources before data sources, each in the order of their addresses. The JSON of each is
/// built when it is written.
struct Resources<'c> {
    writer: ConfigurationWriter<'c>,
    node: &'c ModuleNode,
    all: Vec<(&'c ResourceKey, &'c Resource)>,
}

impl Serialize for Resources<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let resources = self.all.iter();
        serializer
            .collect_seq(resources.map(|(key, resource)| self.writer.resource(self.node, key, resource)))
    }
}

#[derive(Serialize)]
struct ConfiguredResourceJson<'c> {
    address: String,
    mode: &'static str,
    r#type: &'c str,
    name: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_config_key: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provisioners: Vec<ConfiguredProvisionerJson<'c>>,
    #[serde(skip_serializing_if = "Expressions::is_empty")]
    expressions: Expressions,
    schema_version: u64,
    #[serde(flatten)]
    repetition: RepetitionJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
}

#[derive(Serialize)]
struct ConfiguredProvisionerJson<'c> {
    r#type: &'c str,
    #[serde(skip_serializing_if = "Expressions::is_empty")]
    expressions: Expressions,
}

#[derive(Serialize, Default)]
struct RepetitionJson {
    #[serde(skip_serializing_if = "ExpressionJson::is_empty")]
    count_expression: ExpressionJson,
    #[serde(skip_serializing_if = "ExpressionJson::is_empty")]
    for_each_expression: ExpressionJson,
}

#[derive(Serialize)]
struct ConfiguredCallJson<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Expressions::is_empty")]
    expressions: Expressions,
    #[serde(flatten)]
    repetition: RepetitionJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<NestedModule<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version_constraint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depends_on: Vec<String>,
}

#[derive(Serialize)]
struct ConfiguredVariableJson<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<After<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'c str>,
    #[serde(skip_serializing_if = "is_false")]
    required: bool,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "is_false")]
    ephemeral: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<&'c str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Returns the configuration of a tree of modules.
pub(super) fn configuration<'c>(
    config: &'c Config,
    providers: &'c Providers,
    DocumentOptions { rules, secrets }: DocumentOptions<'c>,
) -> ConfigurationJson<'c> {
    let writer = ConfigurationWriter { config, providers, rules, secrets };
    ConfigurationJson { root_module: writer.module(config.root()), provider_config: providers.own() }
}

/// Returns the approximate bytes of the configuration and the declarations of called modules in the document, each counted as
/// often as it is called, and of the prefixes of long references, also in the root module. The declarations have the text of each
/// expression, and both have the values of constants.
pub(super) fn bytes_of_modules(config: &Config) -> usize {
    const SHARE: u64 = 4;
    const TIMES_OF_TEXT: u64 = 2;
    let of_called = |module: &Module| {
        let text = module.bytes_of_text().saturating_mul(TIMES_OF_TEXT);
        text.max(module.bytes_of_call() / SHARE)
    };
    let of_node = |node: &ModuleNode| {
        let called = if node.caller.is_some() { of_called(&node.module) } else { 0 };
        called.saturating_add(bytes_of_prefixes(&node.module))
    };
    let bytes = config.nodes().map(|(_, node)| of_node(node)).fold(0, u64::saturating_add);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Returns the approximate bytes of the prefixes that stand behind long references in the document: one for each step.
fn bytes_of_prefixes(module: &Module) -> u64 {
    const SHORT: u32 = 256;
    /// The configuration and the declarations have them.
    const COPIES: u64 = 2;
    let files = module.references.uses().files();
    let long = files.iter().flat_map(|group| {
        let long = group.uses.iter().filter(|found| found.span.end - found.span.start > SHORT);
        long.map(|found| group.file.slice(found.span))
    });
    let bytes = |reference: &str| {
        let steps = reference.matches(['.', '[']).count() as u64;
        steps.saturating_mul(reference.len() as u64) / 2
    };
    long.map(bytes).fold(0, u64::saturating_add).saturating_mul(COPIES)
}

#[derive(Clone, Copy)]
struct ConfigurationWriter<'c> {
    config: &'c Config,
    providers: &'c Providers,
    rules: &'c PlanRules,
    secrets: Secrets,
}

impl<'c> ConfigurationWriter<'c> {
    fn writer(&self, module: &'c Module) -> ExpressionWriter<'c> {
        ExpressionWriter { module, secrets: self.secrets, may_be_secret: false }
    }

    /// Returns a module with its calls.
    fn module(&self, node: &'c ModuleNode) -> ConfiguredModuleJson<'c> {
        let module: &'c Module = &node.module;
        let writer = self.writer(module);
        let outputs = module.outputs.iter().map(|(name, output)| {
            let json = ConfiguredOutputJson {
                sensitive: output.sensitive,
                ephemeral: self.rules.writes_ephemeral && output.ephemeral,
                deprecated: output.deprecated.as_deref().filter(|_| self.rules.writes_deprecations),
                expression: {
                    let expression = output.value.as_ref().map(|value| writer.expression(value));
                    let expression = expression.unwrap_or_default();
                    let is_secret = module.is_secret_output(name);
                    match is_secret && self.secrets == Secrets::Hidden {
                        true => expression.without_constant(),
                        false => expression,
                    }
                },
                depends_on: depends_on_texts(output.depends_on.as_ref()),
                description: written_description(output.description.as_deref()),
            };
            (name.as_str(), json)
        });
        let calls = module.calls.enumerate().map(|(id, call)| {
            let (name, _) = module.calls.entry_of(id);
            let called = node.called[id].map(|called| self.config.node(called));
            (name.as_str(), self.call(module, call, called))
        });
        ConfiguredModuleJson {
            outputs: sorted_map(outputs),
            resources: self.resources(node),
            module_calls: sorted_map(calls),
            variables: self.variables(module),
        }
    }

    fn variables(&self, module: &'c Module) -> BTreeMap<&'c str, ConfiguredVariableJson<'c>> {
        let variables = module.variables.iter().map(|(name, variable)| {
            let is_shown = self.secrets == Secrets::Shown || !(variable.sensitive || variable.ephemeral);
            let default = variable.default.as_ref().filter(|_| is_shown);
            let constraint = variable.type_text();
            let json = ConfiguredVariableJson {
                r#type: (self.rules.writes_variable_types && constraint != "any").then_some(constraint),
                default: default.and_then(|default| After::written(&default.for_null, Secrets::Shown)),
                description: written_description(variable.description.as_deref()),
                required: self.rules.writes_variable_types && variable.default.is_none(),
                sensitive: variable.sensitive,
                ephemeral: self.rules.writes_ephemeral && variable.ephemeral,
                deprecated: variable.deprecated.as_deref().filter(|_| self.rules.writes_deprecations),
            };
            (name.as_str(), json)
        });
        sorted_map(variables)
    }

    fn call(
        &self,
        module: &'c Module,
        call: &'c ModuleCall,
        called: Option<&'c ModuleNode>,
    ) -> ConfiguredCallJson<'c> {
        let is_declared =
            |name: &SmolStr| called.is_none_or(|called| called.module.variables.contains_key(name));
        let arguments = call.arguments.iter().filter(|(name, _)| is_declared(name));
        let writer = self.writer(module);
        let is_secret = |name: &SmolStr| match called {
            Some(called) => called.module.is_secret_input(name),
            None => !call.has_readable_source(),
        };
        let written = |(name, (_, value)): (&SmolStr, &(_, Expression))| {
            let expression = match self.secrets == Secrets::Hidden && is_secret(name) {
                true => writer.expression(value).without_constant(),
                false => writer.expression(value),
            };
            (name.clone(), BodyItemJson::Expression(expression))
        };
        let text = |expression: &Expression| constant_string(expression, &mut Diagnostics::new());
        let version = call.version.as_ref().and_then(text);
        let constraint = version.and_then(|version| version.parse::<VersionConstraint>().ok());
        ConfiguredCallJson {
            source: call.source.as_ref().and_then(text),
            expressions: sorted_map(arguments.map(written)).into(),
            repetition: repetition(&call.repetition, writer),
            module: called.map(|node| NestedModule { writer: *self, node }),
            version_constraint: constraint.map(|constraint| constraint.to_string()),
            depends_on: depends_on_texts(call.depends_on.as_ref()),
        }
    }

    fn resources(&self, node: &'c ModuleNode) -> Option<Resources<'c>> {
        let rank = |mode: ResourceMode| match mode {
            ResourceMode::Managed => Some(0),
            ResourceMode::Data => Some(1),
            ResourceMode::Ephemeral => self.rules.writes_ephemeral.then_some(2),
            ResourceMode::Action => None,
        };
        let written = node.module.resources.iter().filter(|(key, _)| rank(key.mode).is_some());
        let mut all: Vec<_> = written.collect();
        all.sort_by_cached_key(|(key, _)| (rank(key.mode), address(key)));
        (!all.is_empty()).then_some(Resources { writer: *self, node, all })
    }

    fn resource(
        &self,
        node: &'c ModuleNode,
        key: &'c ResourceKey,
        resource: &'c Resource,
    ) -> ConfiguredResourceJson<'c> {
        let schema = self.config.request.schemas.resource(&node.module, key, resource);
        let writer = self.writer(&node.module);
        let provisioner = |provisioner: &'c Provisioner| ConfiguredProvisionerJson {
            r#type: &provisioner.kind,
            expressions: writer.body(&provisioner.config, None, &[]),
        };
        ConfiguredResourceJson {
            address: address(key),
            mode: key.mode.name(),
            r#type: &key.resource_type,
            name: &key.name,
            provider_config_key: self.providers.key_of(node, key, &node.module),
            provisioners: resource.provisioners.iter().map(provisioner).collect(),
            expressions: self.arguments(node, key, resource),
            schema_version: schema.map_or(0, |block| stored_version(key.mode, block.schema())),
            repetition: repetition(&resource.repetition, writer),
            depends_on: depends_on_texts(resource.depends_on.as_ref()),
        }
    }

    /// Returns the arguments and blocks of a resource.
    fn arguments(&self, node: &'c ModuleNode, key: &ResourceKey, resource: &'c Resource) -> Expressions {
        let (module, schemas) = (&*node.module, &self.config.request.schemas);
        let schema = schemas.resource(module, key, resource).map(|block| block.schema());
        let sensitive = module.sensitive_attributes(key, resource);
        let may_be_secret = schemas.may_have_secrets(module, key, resource);
        let writer = ExpressionWriter { may_be_secret, ..self.writer(module) };
        writer.body(&resource.config, schema, sensitive)
    }
}

fn address(key: &ResourceKey) -> String {
    key.object(InstanceKey::None).to_string()
}

fn repetition(repetition: &Repetition, writer: ExpressionWriter<'_>) -> RepetitionJson {
    match repetition {
        Repetition::Once | Repetition::Enabled(_) => RepetitionJson::default(),
        Repetition::Count(count) => {
            RepetitionJson { count_expression: writer.expression(count), ..RepetitionJson::default() }
        }
        Repetition::ForEach(all) => {
            RepetitionJson { for_each_expression: writer.expression(all), ..RepetitionJson::default() }
        }
    }
}

/// Returns a description, unless it is empty.
fn written_description(description: Option<&str>) -> Option<&str> {
    description.filter(|description| !description.is_empty())
}

/// Returns the items of `depends_on`, as written.
fn depends_on_texts(written: Option<&Expression>) -> Vec<String> {
    written.map(depends_on::texts).unwrap_or_default()
}
