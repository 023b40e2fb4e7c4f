//! Declarations of one module directory, before evaluation.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use indexmap::{IndexMap, IndexSet};
use terrane_body::Body;
use terrane_config::VersionConstraint;
use terrane_config::address::{InstanceKey, ModulePath, Object, ResourceMode};
use terrane_source::{SourceFile, Span, Subject};
use terrane_syntax::{Expression, SecretDeclarations};
use terrane_value::{SmolStr, Type, TypeConstraint, Value};

use crate::model::doubt::Doubt;
use crate::model::ids::{
    Arena, ArgumentId, CallId, CheckId, Declarations, ImportId, LocalId, OutputId, ProviderId, ResourceId,
    VariableId,
};
pub use crate::model::lifecycle::{ActionTrigger, Lifecycle, PreventDestroy};
use crate::model::provider::ProviderAddress;
pub use crate::model::provider_reference::ProviderRef;
use crate::model::references::{References, Target};
use crate::rules::Rules;

/// The content of a file.
#[derive(Debug)]
pub(crate) struct RootBody {
    pub(crate) body: Body,
    /// Whether it has syntax errors.
    pub(crate) has_errors: bool,
}

/// The declarations of one directory. Shared by all calls of it.
#[derive(Debug, Default)]
pub struct Module {
    /// The directory, relative to the working directory.
    pub directory: PathBuf,
    /// The texts of its files, in the order of their names.
    pub sources: Vec<Arc<SourceFile>>,
    /// The contents of these files.
    pub(crate) roots: Vec<RootBody>,
    /// The rules of the product and edition for which it is written.
    pub(crate) rules: Rules,
    /// The names of the functions that the program adds to the library.
    pub added_functions: IndexSet<SmolStr>,
    /// `variable` blocks by name, in source order.
    pub variables: Declarations<VariableId, Variable>,
    /// Attributes of `locals` blocks by name, in source order.
    pub locals: Declarations<LocalId, Local>,
    /// `output` blocks by name, in source order.
    pub outputs: Declarations<OutputId, Output>,
    /// The type of an object of all outputs, made on the first use.
    pub(crate) outputs_type: OnceLock<Type>,
    /// `module` blocks by name, in source order.
    pub calls: Declarations<CallId, ModuleCall>,
    /// `resource`, `data`, `ephemeral` and `action` blocks, in source order.
    pub resources: Declarations<ResourceId, Resource, ResourceKey>,
    /// `check` blocks by name, in source order.
    pub checks: Declarations<CheckId, CheckBlock>,
    /// `provider` blocks by [`ProviderRef::key`], in source order.
    pub providers: Declarations<ProviderId, ProviderConfig>,
    /// The types of blocks that are refused at the top level, such as `action` in editions without actions. References to such blocks
    /// have no errors of their own.
    pub(crate) refused_blocks: BTreeSet<SmolStr>,
    /// The entries of `required_providers`, by local name.
    pub requirements: IndexMap<SmolStr, ProviderRequirement>,
    /// Their local names by provider, once they are asked for: the first one of each.
    pub(crate) local_names: OnceLock<HashMap<ProviderAddress, SmolStr>>,
    /// The `required_providers` block.
    pub required_providers: Option<Subject>,
    /// `provider_meta` blocks by the local name of the provider.
    pub(crate) provider_meta: IndexMap<SmolStr, Subject>,
    /// The `backend` block.
    pub backend: Option<Storage>,
    /// The `cloud` block.
    pub cloud: Option<Storage>,
    /// The `encryption` block, and the blocks of override files that override it.
    pub encryption: Vec<Storage>,
    /// `moved` blocks.
    pub moves: Vec<Move>,
    /// `removed` blocks.
    pub removals: Vec<Removal>,
    /// `import` blocks.
    pub imports: Arena<ImportId, Import>,
    /// The blocks that override declarations, and the text that they replace.
    pub(crate) overriding: Vec<Overriding>,
    /// The references of its expressions.
    pub references: References,
    /// The declarations that a block of any file makes secret, also a block that could not be read: no message about them may name a key
    /// of a value.
    pub(crate) secrets: SecretDeclarations,
    /// The declarations that syntax errors and unreadable files put in doubt.
    pub doubt: Doubt,
    /// Whether its text has errors, so that its evaluation may meet values with errors that were reported before.
    pub(crate) has_errors: bool,
}

/// A block or attribute that declares an object once more, and the text of the earlier declarations that it replaces.
/// The replaced text has no value, but its names still count as uses.
#[derive(Debug)]
pub(crate) struct Overriding {
    pub(crate) object: Object,
    pub(crate) declaration: Subject,
    pub(crate) replaced: Vec<Expression>,
    /// The arguments of a module call that are replaced.
    pub(crate) arguments: IndexMap<SmolStr, (Span, Expression)>,
    /// The content that it adds. The first entry for a block also has the content of the block itself in front. Each
    /// text occurs once, because a block may have thousands of overrides.
    pub(crate) bodies: Vec<Body>,
}

/// A `backend`, `cloud` or `encryption` block.
#[derive(Debug)]
pub struct Storage {
    /// The type of the backend: its label, or `cloud`.
    pub kind: SmolStr,
    /// The place of the declaration.
    pub declaration: Subject,
    /// The content of the block.
    pub config: Body,
}

impl Module {
    /// Frees the memory reserved for more declarations.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.variables.shrink_to_fit();
        self.locals.shrink_to_fit();
        self.outputs.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.resources.shrink_to_fit();
        self.providers.shrink_to_fit();
        self.imports.shrink_to_fit();
    }

    /// Whether the block of a call is damaged, so that its value is in doubt.
    pub(crate) fn call_is_damaged(&self, call: CallId) -> bool {
        self.doubt.covers(&self.object_of_call(call))
    }

    /// Whether the block of a call is damaged or has errors, so that it may be meant to pass other provider configurations.
    pub(crate) fn call_may_err(&self, call: CallId) -> bool {
        self.doubt.may_err(&self.object_of_call(call))
    }

    fn object_of_call(&self, call: CallId) -> Object {
        Object::ModuleCall(self.calls.entry_of(call).0.clone(), InstanceKey::None)
    }

    /// Returns the type of an object of all outputs, of which only the names are declared.
    pub(crate) fn outputs_type(&self) -> &Type {
        let names = || self.outputs.keys().cloned();
        self.outputs_type.get_or_init(|| Type::object(names().map(|name| (name, Type::Dynamic))))
    }

    /// Returns the object to which a reference leads, as this module names it. For an output of a module,
    /// this is the module call.
    pub(crate) fn object_of(&self, target: &Target) -> Object {
        match target {
            Target::Variable(id) => Object::Variable(self.variables.entry_of(*id).0.clone()),
            Target::Local(id) => Object::Local(self.locals.entry_of(*id).0.clone()),
            Target::Resource(id) => self.resources.entry_of(*id).0.object(InstanceKey::None),
            Target::Module(call, _) => {
                Object::ModuleCall(self.calls.entry_of(*call).0.clone(), InstanceKey::None)
            }
        }
    }

    /// Returns the provider with this local name: the provider in `required_providers`, or else the default provider.
    pub fn provider_address(&self, local: &str) -> ProviderAddress {
        let required = self.requirements.get(local).map(|required| &required.provider);
        required.cloned().unwrap_or_else(|| ProviderAddress::implied(local))
    }

    /// Returns the local name of a provider in the module; the usual name if the module does not require the provider.
    pub(crate) fn local_name(&self, provider: &ProviderAddress) -> SmolStr {
        let names = self.local_names.get_or_init(|| {
            let required = self.requirements.iter().rev();
            required.map(|(name, required)| (required.provider.clone(), name.clone())).collect()
        });
        names.get(provider).unwrap_or(&provider.name).clone()
    }
}

/// Names a resource in its module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceKey {
    /// The kind of block that declares it.
    pub mode: ResourceMode,
    /// The type: the first label.
    pub resource_type: SmolStr,
    /// The name: the second label.
    pub name: SmolStr,
}

impl ResourceKey {
    /// Returns the instance with a key, as an object of the module.
    pub fn object(&self, key: InstanceKey) -> Object {
        Object::Resource {
            mode: self.mode,
            resource_type: self.resource_type.clone(),
            name: self.name.clone(),
            key,
        }
    }
}

/// A `variable` block.
#[derive(Debug)]
pub struct Variable {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The type constraint with the defaults of optional attributes; any type if there is no `type`.
    pub constraint: TypeConstraint,
    /// Whether the `type` has an error, which has been reported, or a mistake may make the value a secret. Then the value is unknown,
    /// whatever gives it.
    pub has_type_error: bool,
    /// The type constraint as written, with the defaults of optional attributes that apply.
    pub written_type: Option<Expression>,
    /// Whether a value given as text (on the command line, in the environment) is taken as it is,
    /// and not as an expression.
    pub literal_text: bool,
    /// The default.
    pub default: Option<VariableDefault>,
    /// The defaults of the declaration and of override files, lowest precedence first.
    pub written_defaults: Vec<WrittenDefault>,
    /// The defaults of further declarations of the same name, which never count.
    pub duplicate_defaults: Vec<WrittenDefault>,
    /// The default as written.
    pub default_expression: Option<Expression>,
    /// Whether its value is hidden.
    pub sensitive: bool,
    /// Whether it counts as sensitive only because a mistake may hide that it is.
    pub is_doubtful_secret: bool,
    /// Whether its value must not be stored.
    pub ephemeral: bool,
    /// Whether null is allowed as a value; otherwise null is replaced by the default.
    pub nullable: bool,
    /// The `deprecated` message.
    pub deprecated: Option<String>,
    /// Whether its value is needed before anything is evaluated; `None` if the declaration does not say.
    pub constant: Option<bool>,
    /// The `description`.
    pub description: Option<String>,
    /// The `validation` blocks.
    pub validations: Vec<Check>,
}

impl Variable {
    /// Returns the type constraint as text. For a secret variable without the defaults of optional
    /// attributes, which are secrets too.
    pub fn type_text(&self) -> String {
        match self.is_secret() {
            true => TypeConstraint::new(self.constraint.ty.clone()).to_string(),
            false => self.constraint.to_string(),
        }
    }

    /// Whether its values are sensitive. A value that is unknown only because a mistake may make it a secret is not: nothing that follows
    /// from the mark is certain.
    pub(crate) fn marks_values(&self) -> bool {
        self.sensitive && !self.is_doubtful_secret
    }

    /// Whether the value is hidden in all outputs.
    pub fn is_secret(&self) -> bool {
        self.sensitive || self.ephemeral
    }
}

/// A default in one block of a variable.
#[derive(Clone, Debug)]
pub struct WrittenDefault {
    /// The place of its text.
    pub place: Subject,
    /// The value, converted to the type in the same block; marked if that block makes it secret.
    pub value: Option<Value>,
}

/// The default of a variable, converted to its type.
#[derive(Clone, Debug)]
pub struct VariableDefault {
    /// The value of the variable without an input.
    pub value: Value,
    /// The value for an input of null, if null is not allowed. A default from an override file does not have
    /// the defaults of the type.
    pub for_null: Value,
}

impl From<Value> for VariableDefault {
    fn from(value: Value) -> VariableDefault {
        VariableDefault { for_null: value.clone(), value }
    }
}

/// A `check` block. Its data source is among the resources of the module.
#[derive(Clone, Debug)]
pub struct CheckBlock {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The `assert` blocks.
    pub assertions: Vec<Check>,
}

/// A `validation`, `precondition`, `postcondition` or `assert` block.
#[derive(Clone, Debug)]
pub struct Check {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The condition.
    pub condition: Expression,
    /// The message for a false condition.
    pub error_message: Expression,
}

impl Check {
    /// Returns the condition and the message.
    pub(crate) fn expressions(&self) -> [&Expression; 2] {
        [&self.condition, &self.error_message]
    }
}

/// An attribute of a `locals` block.
#[derive(Debug)]
pub struct Local {
    /// The place of the declaration.
    pub declaration: Subject,
    /// Its value.
    pub value: Expression,
    /// Whether only its name could be read, so that it may be no declaration at all.
    pub is_name_only: bool,
}

/// An `output` block.
#[derive(Debug)]
pub struct Output {
    /// The place of the declaration.
    pub declaration: Subject,
    /// Its value; `None` if the argument is missing, which has been reported.
    pub value: Option<Expression>,
    /// The `type` that its value is converted to.
    pub constraint: Option<TypeConstraint>,
    /// Whether the `type` has an error, which has been reported, or a mistake may make the value a secret. Then the value is unknown.
    pub has_type_error: bool,
    /// Whether its value is hidden.
    pub sensitive: bool,
    /// Whether its value must not be stored.
    pub ephemeral: bool,
    /// The `deprecated` message.
    pub deprecated: Option<String>,
    /// The `description`.
    pub description: Option<String>,
    /// The `precondition` blocks.
    pub preconditions: Vec<Check>,
    /// The `depends_on` argument as written.
    pub depends_on: Option<Expression>,
}

/// The argument that determines the instances of a block.
#[derive(Debug)]
pub enum Repetition {
    /// No argument: one instance, without a key.
    Once,
    /// `count`.
    Count(Expression),
    /// `for_each`.
    ForEach(Expression),
    /// `enabled` in `lifecycle`: one instance without a key, or none.
    Enabled(Expression),
}

impl Repetition {
    /// Returns the name of the argument: `count`, `for_each` or `enabled`.
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Repetition::Once => None,
            Repetition::Count(_) => Some("count"),
            Repetition::ForEach(_) => Some("for_each"),
            Repetition::Enabled(_) => Some("enabled"),
        }
    }

    /// Returns the expression of the argument.
    pub fn expression(&self) -> Option<&Expression> {
        match self {
            Repetition::Once => None,
            Repetition::Count(expression)
            | Repetition::ForEach(expression)
            | Repetition::Enabled(expression) => Some(expression),
        }
    }
}

/// A `module` block.
#[derive(Debug)]
pub struct ModuleCall {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The `source` argument; `None` if it is missing, which has been reported.
    pub source: Option<Expression>,
    /// The `version` argument.
    pub version: Option<Expression>,
    /// How many instances it has.
    pub repetition: Repetition,
    /// The values for the variables of the called module, by name, in source order.
    pub arguments: Declarations<ArgumentId, (Span, Expression)>,
    /// The content of the block without the arguments for the call itself.
    pub(crate) config: Body,
    /// The block's own arguments, if override files change the block.
    pub(crate) overridden: Option<OverriddenCall>,
    /// The `providers` argument, by the keys of the configurations in the called module.
    pub providers: IndexMap<SmolStr, PassedProvider>,
    /// The `depends_on` argument as written.
    pub depends_on: Option<Expression>,
    /// Whether deprecation warnings of the called module and of its calls are suppressed.
    pub ignores_nested_deprecations: bool,
}

/// The `module` block that override files override, as the reference checks it.
#[derive(Debug)]
pub(crate) struct OverriddenCall {
    /// The names of the arguments in the block itself. Arguments that only an override sets count as missing.
    pub(crate) own: HashSet<SmolStr>,
}

/// A `resource`, `data`, `ephemeral` or `action` block.
#[derive(Debug)]
pub struct Resource {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The label with its type.
    pub type_label: Subject,
    /// How many instances it has.
    pub repetition: Repetition,
    /// The name of the `check` block that contains it, and that alone can read it.
    pub check: Option<SmolStr>,
    /// The `provider` argument.
    pub provider: Option<Box<ProviderRef>>,
    /// The content for the provider.
    pub config: Body,
    /// The `depends_on` argument as written.
    pub depends_on: Option<Expression>,
    /// The rules of `lifecycle`.
    pub lifecycle: Lifecycle,
    /// The content of the `lifecycle` block as written.
    pub written_lifecycle: Option<Box<Body>>,
    /// The `precondition` blocks of `lifecycle`.
    pub preconditions: Vec<Check>,
    /// The `postcondition` blocks of `lifecycle`.
    pub postconditions: Vec<Check>,
    /// The `connection` block for all provisioners.
    pub connection: Option<Box<Body>>,
    /// The `provisioner` blocks.
    pub provisioners: Vec<Provisioner>,
    /// The names that the configuration decides; computed on first use.
    pub(crate) configured: OnceLock<HashSet<SmolStr>>,
}

impl Resource {
    /// Returns the local name of the provider of the resource, which has the type `resource_type`: the name in
    /// `provider`, or else the part of the type before the first `_`.
    pub fn local_provider<'r>(&'r self, resource_type: &'r str) -> &'r str {
        let implied = || resource_type.split_once('_').map_or(resource_type, |(name, _)| name);
        self.provider.as_ref().map_or_else(implied, |provider| &provider.name)
    }
}

/// A `provisioner` block.
#[derive(Debug)]
pub struct Provisioner {
    /// The place of the declaration.
    pub declaration: Subject,
    /// Its kind, such as `local-exec`.
    pub kind: SmolStr,
    /// Its arguments.
    pub config: Body,
    /// Its own `connection` block.
    pub connection: Option<Body>,
    /// Whether it runs when the resource is destroyed.
    pub destroy: bool,
}

impl Provisioner {
    /// Returns the connection of the provisioner in a resource with the `connection` block `outer`: its own arguments
    /// override the arguments of the resource.
    pub(crate) fn connection_in(&self, outer: Option<&Body>) -> Option<Body> {
        let Some(outer) = outer else { return self.connection.clone() };
        let mut connection = outer.clone();
        if let Some(own) = &self.connection {
            connection.override_with(own.clone());
        }
        Some(connection)
    }
}

/// A `provider` block.
#[derive(Debug)]
pub struct ProviderConfig {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The local name of the provider.
    pub name: SmolStr,
    /// The `alias`.
    pub alias: Option<SmolStr>,
    /// The `for_each` argument.
    pub for_each: Option<Expression>,
    /// The content for the provider.
    pub config: Body,
    /// Whether the block has content for the provider.
    pub configured: bool,
    /// The versions that it accepts, if it asks for a version.
    pub version: Option<VersionConstraint>,
}

/// An entry of `required_providers`.
#[derive(Debug)]
pub struct ProviderRequirement {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The address of the provider.
    pub provider: ProviderAddress,
    /// Whether it may be meant as another provider, because of a mistake.
    pub(crate) is_doubtful: bool,
    /// Whether it is required with a version.
    pub has_version: bool,
    /// The versions that are accepted.
    pub version: Option<VersionConstraint>,
    /// The keys of the configurations that callers have to pass.
    pub aliases: IndexSet<SmolStr>,
}

/// An item of the `providers` argument of a module call.
#[derive(Debug)]
pub struct PassedProvider {
    /// The configuration as the called module names it.
    pub child: ProviderRef,
    /// The configuration as the caller names it.
    pub parent: ProviderRef,
}

/// The address of a resource or module, as seen from the module in which it is written.
#[derive(Clone, Debug)]
pub struct ObjectAddress {
    /// The module, with the keys of instances.
    pub module: ModulePath,
    /// The resource in the module; `None` if the module itself is meant.
    pub resource: Option<ResourceKey>,
    /// The key of an instance of the resource.
    pub key: InstanceKey,
    /// Whether all keys are known. Unknown keys are left out.
    pub resolved: bool,
    /// Whether `resource` or another mode is written before the type. Then every name is a type.
    pub(crate) has_mode: bool,
    /// The file in which it is written.
    pub file: Arc<SourceFile>,
    /// The span of the whole address.
    pub span: Span,
}

/// A `moved` block.
#[derive(Debug)]
pub struct Move {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The address before the move.
    pub from: ObjectAddress,
    /// The address after the move.
    pub to: ObjectAddress,
}

/// A `removed` block.
#[derive(Debug)]
pub struct Removal {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The address of the removed object.
    pub from: ObjectAddress,
    /// Whether the objects are only removed from the state instead of destroyed.
    pub keeps_objects: bool,
}

/// An `import` block.
#[derive(Debug)]
pub struct Import {
    /// The place of the declaration.
    pub declaration: Subject,
    /// The address of the imported resource.
    pub to: ObjectAddress,
    /// The `to` argument as written, with its keys.
    pub to_expression: Option<Expression>,
    /// The `id` argument.
    pub id: Option<Expression>,
    /// The `identity` argument.
    pub identity: Option<Expression>,
    /// The `for_each` argument.
    pub for_each: Option<Expression>,
    /// The `provider` argument.
    pub provider: Option<ProviderRef>,
}
