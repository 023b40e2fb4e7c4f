//! The declarations of all modules as they are written: local values, outputs, variables, module calls, resources and providers.

use std::collections::BTreeMap;

use serde::Serialize;
use terrane_body::Body;
use terrane_config::address::InstanceKey;
use terrane_module::module::{ModuleCall, Provisioner, Repetition, Resource};
use terrane_module::{Config, Evaluation, ModuleNode, NodeId};
use terrane_source::Subject;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

use super::body_values::Values;
use super::expression::ExpressionWriter;
use super::written::{BodyNames, CallArgument, ContentJson, ExpressionPlace, Shows, SourceRange};
use crate::secrets::{Secrets, has_secret};

/// The arguments of a connection that hold secrets.
const CREDENTIALS: [&str; 5] =
    ["password", "private_key", "bastion_password", "bastion_private_key", "proxy_user_password"];

/// A declaration.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Declaration"))]
pub(super) struct DeclaredJson {
    /// The place of the header of the block; for a local value, the place of its name and its expression.
    source: SourceRange,
    /// The value of a local value or an output.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ExpressionPlace>,
    /// The number of instances.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<ExpressionPlace>,
    /// The collection with an element for each instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    for_each: Option<ExpressionPlace>,
    /// The condition of the only instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<ExpressionPlace>,
    /// The content of the `lifecycle` block of a resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    lifecycle: Option<ContentJson>,
    /// The content of the `connection` block of a resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    connection: Option<ContentJson>,
    /// The provisioners of a resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<Vec<ProvisionerJson>>"))]
    provisioners: Vec<ProvisionerJson>,
    /// For a module call, its arguments; for a provider, the content of its block.
    #[serde(flatten)]
    content: ContentJson,
}

/// A `provisioner` block.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "PlacedProvisioner"))]
struct ProvisionerJson {
    /// The type, such as `local-exec`.
    r#type: String,
    /// The place of the header of the block.
    source: SourceRange,
    /// Whether the provisioner runs when the object is destroyed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "json-schema", schemars(with = "Option<bool>"))]
    destroy: bool,
    /// The content of its own `connection` block.
    #[serde(skip_serializing_if = "Option::is_none")]
    connection: Option<ContentJson>,
    #[serde(flatten)]
    content: ContentJson,
}

/// The declarations by address, with the paths of modules without instance keys.
pub(super) type Declared = BTreeMap<String, DeclaredJson>;

pub(super) fn declared(evaluation: &Evaluation, secrets: Secrets) -> Declared {
    let mut all = Declared::new();
    for (id, node) in evaluation.config.nodes() {
        let writer = ExpressionWriter { module: &node.module, secrets, may_be_secret: false };
        let of_module = OfModule { evaluation, id, node, writer };
        let named = of_module.values().chain(of_module.variables()).chain(of_module.blocks());
        let prefix = if node.path.is_root() { String::new() } else { format!("{}.", node.path) };
        all.extend(named.map(|(name, declared)| (format!("{prefix}{name}"), declared)));
    }
    all
}

/// Writes the declarations of one module.
#[derive(Clone, Copy)]
struct OfModule<'e> {
    evaluation: &'e Evaluation,
    id: NodeId,
    node: &'e ModuleNode,
    writer: ExpressionWriter<'e>,
}

impl<'e> OfModule<'e> {
    /// Returns the local values and outputs.
    fn values(self) -> impl Iterator<Item = (String, DeclaredJson)> {
        let module = &self.node.module;
        let locals = module.locals.ids().zip(module.locals.iter()).map(move |(id, (name, local))| {
            let mut values = self.evaluation.instances_of(self.id).map(|instance| &instance.locals[id]);
            let value = self.expression(&local.value, values.any(has_secret));
            (
                format!("local.{name}"),
                DeclaredJson { value: Some(value), ..DeclaredJson::at(&local.declaration) },
            )
        });
        let outputs = module.outputs.ids().zip(module.outputs.iter()).map(move |(id, (name, output))| {
            let mut values = self.evaluation.instances_of(self.id).map(|instance| &instance.outputs[id]);
            let is_secret = module.is_secret_output(name) || values.any(has_secret);
            let value = output.value.as_ref().map(|value| self.expression(value, is_secret));
            (format!("output.{name}"), DeclaredJson { value, ..DeclaredJson::at(&output.declaration) })
        });
        locals.chain(outputs)
    }

    fn variables(self) -> impl Iterator<Item = (String, DeclaredJson)> {
        let variables = self.node.module.variables.iter();
        variables.map(|(name, variable)| (format!("var.{name}"), DeclaredJson::at(&variable.declaration)))
    }

    /// Returns the module calls, resources and providers.
    fn blocks(self) -> impl Iterator<Item = (String, DeclaredJson)> {
        let config: &Config = &self.evaluation.config;
        let module = &self.node.module;
        let calls = module.calls.ids().zip(module.calls.iter()).map(move |(id, (name, call))| {
            let block = self.repeated(&call.declaration, &call.repetition);
            let content = self.arguments(call, self.node.called[id]);
            (format!("module.{name}"), DeclaredJson { content, ..block })
        });
        let resources = module.resources.iter().map(move |(key, resource)| {
            let address = key.object(InstanceKey::None).to_string();
            (address, self.resource(resource))
        });
        let providers = module.providers.iter().map(move |(key, block)| {
            let provider = module.provider_address(&block.name);
            let schema = config.request.schemas.provider(&provider).and_then(|found| found.configuration());
            let names = BodyNames { schema: schema.map(|block| block.schema()), sensitive: &[] };
            let for_each = block.for_each.as_ref().map(|all| self.expression(all, false));
            let may_be_secret = config.request.schemas.may_have_secret_configuration(module, &block.name);
            let writer = ExpressionWriter { may_be_secret, ..self.writer };
            let content = ContentJson::of(&block.config, names, &Values::default(), writer);
            (
                format!("provider.{key}"),
                DeclaredJson { for_each, content, ..DeclaredJson::at(&block.declaration) },
            )
        });
        calls.chain(resources).chain(providers)
    }

    fn expression(self, expression: &Expression, of_secret: bool) -> ExpressionPlace {
        ExpressionPlace::of(expression, Shows { writer: self.writer, of_secret })
    }

    /// Returns a resource with the parts of its block that do not belong to its provider.
    fn resource(self, resource: &Resource) -> DeclaredJson {
        let written = |body: &Body| self.content(body, BodyNames::default());
        let connection =
            |body: &Body| self.content(body, BodyNames { schema: None, sensitive: &CREDENTIALS });
        let provisioner = |one: &Provisioner| ProvisionerJson {
            r#type: one.kind.to_string(),
            source: place(&one.declaration),
            destroy: one.destroy,
            connection: one.connection.as_ref().map(connection),
            content: written(&one.config),
        };
        DeclaredJson {
            lifecycle: resource.written_lifecycle.as_deref().map(written),
            connection: resource.connection.as_deref().map(connection),
            provisioners: resource.provisioners.iter().map(provisioner).collect(),
            ..self.repeated(&resource.declaration, &resource.repetition)
        }
    }

    fn content(self, body: &Body, names: BodyNames<'_>) -> ContentJson {
        ContentJson::of(body, names, &Values::default(), self.writer)
    }

    fn repeated(self, declaration: &Subject, repetition: &Repetition) -> DeclaredJson {
        let expression = repetition.expression().map(|expression| self.expression(expression, false));
        let block = DeclaredJson::at(declaration);
        match repetition {
            Repetition::Once => block,
            Repetition::Count(_) => DeclaredJson { count: expression, ..block },
            Repetition::ForEach(_) => DeclaredJson { for_each: expression, ..block },
            Repetition::Enabled(_) => DeclaredJson { enabled: expression, ..block },
        }
    }

    /// Returns the arguments of a module call. The variables of the called module decide which arguments are secrets.
    fn arguments(self, call: &ModuleCall, called: Option<NodeId>) -> ContentJson {
        let is_secret = |name: &SmolStr| {
            let Some(called) = called else { return !call.has_readable_source() };
            let module = &self.evaluation.config.node(called).module;
            let has_secret_value = |id| {
                let mut values = self.evaluation.instances_of(called).map(|instance| &instance.variables[id]);
                values.any(has_secret)
            };
            module.is_secret_input(name) || module.variables.id_of(name).is_some_and(has_secret_value)
        };
        ContentJson::of_arguments(call.arguments.iter().map(|(name, (name_span, value))| {
            let shows = Shows { writer: self.writer, of_secret: is_secret(name) };
            CallArgument { name, name_span: *name_span, value, shows }
        }))
    }
}

impl DeclaredJson {
    fn at(declaration: &Subject) -> DeclaredJson {
        DeclaredJson {
            source: place(declaration),
            value: None,
            count: None,
            for_each: None,
            enabled: None,
            lifecycle: None,
            connection: None,
            provisioners: Vec::new(),
            content: ContentJson::default(),
        }
    }
}

fn place(declaration: &Subject) -> SourceRange {
    SourceRange(declaration.clone())
}
