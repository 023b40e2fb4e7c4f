//! Everything that an evaluation knows, as data.
//!
//! [`Report::document`] collects it once; text, JSON and other outputs are written from the collected data.

mod answered;
mod checks;
pub(crate) mod content;
mod files;
mod graph;
pub(crate) mod json;
pub(crate) mod listing;
mod selected;
mod selection;
mod template;
mod uses;
mod variable;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_body::constant::constant_string;
use terrane_config::address::Object;
use terrane_config::{Address, Dialect, InstanceKey, ModulePath};
use terrane_module::graph::{ObjectReference, dependencies, object_references, passed_providers};
use terrane_module::inputs::Inputs;
use terrane_module::module::{ModuleCall, Variable};
use terrane_module::{Config, FoundBy, Module, ModuleNode};
use terrane_source::{Diagnostics, Span, Subject};
use terrane_syntax::Expression;
use terrane_value::{SmolStr, Value};

pub use self::answered::{Answered, Stage, WhyUnknown};
pub use self::checks::CheckedCondition;
use self::content::DirectoryContent;
pub use self::files::{FileRole, ReadFile};
pub use self::graph::{Graph, GraphEdge, GraphObject, ModuleBox};
pub use self::selected::Selected;
pub use self::template::{TemplateDocument, TemplateValue};
pub(crate) use self::uses::version_constraints;
pub use self::uses::{FunctionUse, ProviderUse};
pub use self::variable::{AssignmentSource, DeclaredVariable, VariableAssignment};
use crate::entry::Entry;
use crate::infinite::not_json;
use crate::named_values::NamedValues;
use crate::part_source::SourceKind;
use crate::report::{ReadFiles, Report};
use crate::schema_store::UsedSchema;
use crate::secrets::Secrets;
use crate::written::text_without_secrets;
use crate::written_parts::WrittenPart;

/// Everything that an evaluation knows: modules, variables, values with their states and places, diagnostics, files.
///
/// A document borrows nothing from the [`Report`] and can be sent to other threads. [`Document::to_json`] writes it in the
/// format of `terrane eval --json`; it also implements [`serde::Serialize`], for other formats.
///
/// ```
/// use terrane::{MemoryFiles, Project, Secrets};
///
/// let files = MemoryFiles::from_iter([("main.tf", "variable \"size\" {}\noutput \"half\" { value = var.size / 2 }\n")]);
/// let document = Project::new(".").variable("size", "8").evaluate(&files).document(Secrets::Hidden);
/// assert_eq!(document.variables[0].address.to_string(), "var.size");
/// assert!(document.to_json().starts_with(r#"{"format_version":"1.2","#));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The root module and the choices of its evaluation.
    pub root: Root,
    /// Every named value of every module instance.
    pub values: NamedValues,
    /// The modules, each once for every call; a caller comes before the modules that it calls.
    pub modules: Vec<CalledModule>,
    /// The `module` blocks.
    pub module_calls: Vec<Call>,
    /// The variables of all modules.
    pub variables: Vec<DeclaredVariable>,
    /// Values for variables that the root module does not declare, lowest precedence first. They have no effect.
    pub undeclared: Vec<VariableAssignment>,
    /// The references between objects, without instance keys.
    pub references: Vec<ObjectReference>,
    /// The functions that the files call, by file and name.
    pub functions: Vec<FunctionUse>,
    /// The providers of all modules, without the built-in provider.
    pub providers: Vec<ProviderUse>,
    /// The blocks and the dependencies between them. `eval` does not write the graph, so it is empty unless the document comes
    /// from [`Project::outline`](crate::Project::outline) or [`Report::document_with_graph`].
    pub graph: Graph,
    /// The conditions of variables, resources, outputs and `check` blocks, with their results in each instance.
    pub checks: Vec<CheckedCondition>,
    /// Errors and warnings by place: first those without a place, then by file, line and column.
    pub diagnostics: Diagnostics,
    /// The files that were read or looked for: first the configuration files.
    pub files: Vec<ReadFile>,
    /// The schemas of providers, with their versions and files. The schema of the built-in provider is not among them.
    pub schemas: Vec<UsedSchema>,
    /// The state or plan that was given; `None` if neither was given.
    pub state: Option<GivenState>,
    /// The numbers of known attributes and outputs that do not come from the configuration.
    pub sources: BTreeMap<SourceKind, usize>,
    /// The numbers of instances of resources and module calls whose `count`, `for_each` or `enabled` depends on sources outside
    /// of the configuration.
    pub instance_sources: BTreeMap<SourceKind, usize>,
    /// The addresses of the objects in the state that no block declares.
    pub orphans: Vec<Address>,
    /// Whether writers show secrets.
    pub(crate) secrets: Secrets,
    /// Why parts of the configuration are missing, in words. `None` if everything could be read.
    pub(crate) missing: Option<String>,
}

/// The root module and the options of its evaluation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Root {
    /// The directory.
    pub directory: PathBuf,
    /// The product and edition.
    pub dialect: Dialect,
    /// The value of `terraform.workspace`.
    pub workspace: String,
}

impl Root {
    fn of(config: &Config) -> Root {
        Root {
            directory: config.request.directory.clone(),
            dialect: config.request.dialect,
            workspace: config.workspace.clone(),
        }
    }
}

/// The identity of the state or plan that was given.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GivenState {
    /// The kind of its file.
    pub kind: GivenStateKind,
    /// The serial number; only a state file has it.
    pub serial: Option<u64>,
    /// The lineage; only a state file has it.
    pub lineage: Option<String>,
    /// The version of the product that wrote it.
    pub product_version: Option<String>,
}

/// The kinds of files that contain a given state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GivenStateKind {
    /// A state file or state document.
    State,
    /// A plan document. The state is the state that the plan begins with.
    Plan,
}

impl GivenStateKind {
    /// Returns the name: `state` or `plan`.
    pub const fn name(self) -> &'static str {
        match self {
            GivenStateKind::State => "state",
            GivenStateKind::Plan => "plan",
        }
    }
}

impl GivenState {
    pub(crate) fn of(config: &Config) -> Option<GivenState> {
        let kind = match &config.request.plan {
            Some(_) => GivenStateKind::Plan,
            None => GivenStateKind::State,
        };
        config.request.state.as_ref().map(|state| GivenState {
            kind,
            serial: state.serial,
            lineage: state.lineage.clone(),
            product_version: state.product_version.clone(),
        })
    }
}

/// A module of the tree of calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CalledModule {
    /// The calls that lead to the module, without instance keys; empty for the root module.
    pub path: ModulePath,
    /// Its directory, relative to the root module.
    pub directory: String,
    content: Arc<DirectoryContent>,
}

impl CalledModule {
    /// Returns the SHA-256 of the names and contents of its configuration files, in hexadecimal digits.
    pub fn content_hash(&self) -> &str {
        self.content.hash()
    }
}

/// A `module` block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The address without instance key.
    pub address: Address,
    /// The `source` argument, if it is a constant string.
    pub source: Option<String>,
    /// The expression of the `source` argument as written, without secrets, if it is no constant string.
    pub source_expression: Option<String>,
    /// The `version` argument, if it is a constant string.
    pub version: Option<String>,
    /// The expression of the `version` argument as written, without secrets, if it is no constant string.
    pub version_expression: Option<String>,
    /// The directory of the called module, relative to the root module. `None` if the module is not on disk.
    pub directory: Option<String>,
    /// How the directory was found. `None` if the module is not on disk.
    pub found_by: Option<FoundBy>,
    /// `count`, `for_each` or `enabled`, if the block has it.
    pub repetition: Option<&'static str>,
    /// The values for variables of the called module, with their places.
    pub arguments: Vec<WrittenPart>,
    /// The place of the block.
    pub declaration: Subject,
    content: Option<Arc<DirectoryContent>>,
}

impl Call {
    /// Returns the [content hash](CalledModule::content_hash) of the called module. `None` if the module is not on disk.
    pub fn content_hash(&self) -> Option<&str> {
        self.content.as_ref().map(|content| content.hash())
    }
}

impl Report {
    /// Returns everything that the evaluation knows, as data.
    pub fn document(&self, secrets: Secrets) -> Document {
        let values = self.named_values().clone();
        Document {
            sources: values.numbers_of_sources(),
            instance_sources: values.numbers_of_instances(),
            values,
            checks: checks::conditions(self.evaluation()),
            diagnostics: self.diagnostics().clone(),
            secrets,
            missing: self.missing(),
            orphans: self.evaluation().orphans(),
            ..Document::declared(&self.evaluation().config, self.inputs(), self.read())
        }
    }

    /// Returns the values and their sources without the declarations, references, checks and files. That is enough for
    /// [`Document::to_text`] and for values of addresses, and cheaper than [`Report::document`].
    pub fn document_of_values(&self, secrets: Secrets) -> Document {
        let (values, config) = (self.named_values().clone(), &self.evaluation().config);
        Document {
            state: GivenState::of(config),
            sources: values.numbers_of_sources(),
            instance_sources: values.numbers_of_instances(),
            values,
            diagnostics: self.diagnostics().clone(),
            secrets,
            missing: self.missing(),
            ..Document::empty(Root::of(config))
        }
    }

    /// Returns the same data as [`Report::document`], with the [graph](Document::graph).
    pub fn document_with_graph(&self, secrets: Secrets) -> Document {
        // Cycles have been reported.
        let graph = Graph::of(dependencies(&self.evaluation().config, &mut Diagnostics::new()));
        Document { graph, ..self.document(secrets) }
    }
}

impl Document {
    /// Returns a document that contains only the root module and the options of an evaluation.
    pub(crate) fn empty(root: Root) -> Document {
        Document {
            root,
            values: NamedValues::default(),
            modules: Vec::new(),
            module_calls: Vec::new(),
            variables: Vec::new(),
            undeclared: Vec::new(),
            references: Vec::new(),
            functions: Vec::new(),
            providers: Vec::new(),
            graph: Graph::empty(),
            checks: Vec::new(),
            diagnostics: Diagnostics::new(),
            files: Vec::new(),
            schemas: Vec::new(),
            state: None,
            sources: BTreeMap::new(),
            instance_sources: BTreeMap::new(),
            orphans: Vec::new(),
            secrets: Secrets::Hidden,
            missing: None,
        }
    }

    /// Returns the document of a configuration before its evaluation: declarations, references, and the values given for
    /// variables.
    pub(crate) fn declared(config: &Config, inputs: &Inputs, read: &ReadFiles) -> Document {
        let contents = Contents::of(config);
        let (given, given_by_name) = (inputs.assignments(), inputs.assignments_by_name());
        let undeclared = given.iter().filter(|given| !given.is_declared && inputs.is_certain(given));
        let mut document = Document {
            undeclared: undeclared.map(|given| VariableAssignment::of(given, None)).collect(),
            references: references(config),
            functions: uses::functions(config),
            providers: uses::providers(config, &read.locked),
            files: files::files(read, &config.request, contents.0.values()),
            schemas: read.used_schemas.clone(),
            state: GivenState::of(config),
            ..Document::empty(Root::of(config))
        };
        for (_, node) in config.nodes() {
            document.modules.push(CalledModule {
                path: node.path.clone(),
                directory: node.module_dir.clone(),
                content: contents.of_module(&node.module),
            });
            document.module_calls.extend(calls(config, node, &contents));
            for (name, declared) in &node.module.variables {
                let mut row = variable(node, name, declared);
                let own: Vec<VariableAssignment> = match node.caller {
                    Some(caller) => {
                        let call = config.node(caller.module).module.calls.at(caller.call);
                        VariableAssignment::argument(call, &row).into_iter().collect()
                    }
                    None => {
                        let own = given_by_name.get(name.as_str()).into_iter().flatten();
                        own.map(|given| VariableAssignment::of(given, Some(declared))).collect()
                    }
                };
                let is_given = own.iter().any(|given| given.wins);
                row.assignments = VariableAssignment::defaults(&row, declared, is_given);
                row.assignments.extend(own);
                document.variables.push(row);
            }
        }
        document
    }

    /// Whether a part of the configuration could not be read, so that declarations are missing.
    pub fn is_partial(&self) -> bool {
        self.missing.is_some()
    }

    /// Returns a note about a graph that lacks parts because they could not be read. `None` if everything was read.
    pub(crate) fn partial_graph_note(&self) -> Option<String> {
        let reason = self.missing.as_ref()?;
        Some(format!("partial graph: {reason}; objects in the unreadable text are missing"))
    }
}

/// Returns the references between objects, then those of module calls to the provider configurations that they pass.
fn references(config: &Config) -> Vec<ObjectReference> {
    let passed = config.nodes().flat_map(|(id, _)| passed_providers(config, id));
    object_references(config).chain(passed).collect()
}

/// Returns the `module` blocks of a module.
fn calls<'c>(
    config: &'c Config,
    node: &'c ModuleNode,
    contents: &'c Contents<'c>,
) -> impl Iterator<Item = Call> {
    node.module.calls.enumerate().map(move |(id, call)| {
        let (name, _) = node.module.calls.entry_of(id);
        let called = node.called[id].map(|called| config.node(called));
        let (source, source_expression) = text_or_expression(call.source.as_ref());
        let (version, version_expression) = text_or_expression(call.version.as_ref());
        Call {
            address: address(node, Object::ModuleCall(name.clone(), InstanceKey::None)),
            source,
            source_expression,
            version,
            version_expression,
            directory: called.map(|called| called.module_dir.clone()),
            found_by: called.and_then(|called| called.found),
            repetition: call.repetition.argument(),
            arguments: arguments_of(call, called.map(|called| &*called.module)),
            declaration: call.declaration.clone(),
            content: called.map(|called| contents.of_module(&called.module)),
        }
    })
}

/// Returns the arguments of a call. The keys of an object are left out if they may be secret.
fn arguments_of(call: &ModuleCall, called: Option<&Module>) -> Vec<WrittenPart> {
    let is_public = |name: &str| {
        let variable = called.and_then(|called| called.variables.get(name));
        variable.is_some_and(|variable| !variable.sensitive && !variable.ephemeral)
    };
    let argument = |(name, (name_span, value)): (&SmolStr, &(Span, Expression))| {
        let part = WrittenPart::argument(name, *name_span, value);
        if is_public(name) { part.with_members(value) } else { part }
    };
    // A name that is hidden may be a part of a secret with a syntax error.
    let is_shown =
        |(_, (name_span, value)): &(&SmolStr, &(Span, Expression))| !value.source().is_hidden(*name_span);
    call.arguments.iter().filter(is_shown).map(argument).collect()
}

/// The contents of the directories of all modules.
struct Contents<'c>(HashMap<&'c Path, Arc<DirectoryContent>, RandomState>);

impl<'c> Contents<'c> {
    fn of(config: &'c Config) -> Contents<'c> {
        let mut all = HashMap::default();
        for (_, node) in config.nodes() {
            let module: &Module = &node.module;
            let content = || Arc::new(DirectoryContent::new(&module.sources));
            all.entry(module.directory.as_path()).or_insert_with(content);
        }
        Contents(all)
    }

    fn of_module(&self, module: &Module) -> Arc<DirectoryContent> {
        let content = self.0.get(module.directory.as_path()).map(Arc::clone);
        content.unwrap_or_else(|| Arc::new(DirectoryContent::new(&module.sources)))
    }
}

fn address(node: &ModuleNode, object: Object) -> Address {
    Address { module: node.path.clone(), object }
}

/// Returns the text of an argument if it is a constant string, otherwise its expression. Errors in the argument have been
/// reported.
fn text_or_expression(argument: Option<&Expression>) -> (Option<String>, Option<String>) {
    match argument.map(|argument| (argument, constant_string(argument, &mut Diagnostics::new()))) {
        None => (None, None),
        Some((_, Some(text))) => (Some(text), None),
        Some((argument, None)) => (None, Some(text_without_secrets(argument))),
    }
}

fn variable(node: &ModuleNode, name: &SmolStr, declared: &Variable) -> DeclaredVariable {
    let mut row = DeclaredVariable {
        address: address(node, Object::Variable(name.clone())),
        name: name.clone(),
        constraint: declared.type_text(),
        description: declared.description.clone(),
        default: None,
        nullable: declared.nullable,
        sensitive: declared.sensitive,
        ephemeral: declared.ephemeral,
        deprecated: declared.deprecated.clone(),
        assignments: Vec::new(),
        declaration: declared.declaration.clone(),
    };
    let marks = row.marks();
    row.default = declared.default.as_ref().map(|default| default.value.clone().with_marks(&marks));
    row
}

impl Document {
    /// Returns the outputs of the root module with their values, sorted by name.
    pub fn outputs(&self) -> Vec<(&SmolStr, &Value)> {
        let mut outputs: Vec<_> = self.values.single().filter_map(root_output).collect();
        outputs.sort_unstable_by_key(|(name, _)| *name);
        outputs
    }

    /// Returns an error for each output that contains an infinite number, which JSON cannot express.
    pub fn not_json(&self) -> Diagnostics {
        let infinite = self
            .values
            .single()
            .filter(|entry| root_output(entry).is_some() && entry.value.contains_infinity());
        let diagnostic = |entry: &Entry| {
            let diagnostic = not_json(&entry.address.to_string(), "output").about(&entry.address);
            match &entry.declaration {
                Some(subject) => diagnostic.at(&subject.file, subject.span),
                None => diagnostic,
            }
        };
        infinite.map(diagnostic).collect()
    }

    /// Whether writers show secrets.
    pub fn secrets(&self) -> Secrets {
        self.secrets
    }
}

/// Returns the name and the value of an output of the root module. `None` for any other entry.
fn root_output(entry: &Entry) -> Option<(&SmolStr, &Value)> {
    let Object::Output(name) = &entry.address.object else { return None };
    entry.address.module.is_root().then_some((name, &entry.value))
}
