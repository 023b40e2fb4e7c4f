//! The side table of a module: the targets of its expressions.
//!
//! Resolution makes it from the declarations, which it leaves as they are. It has the targets of each declaration,
//! which the graph orders; each use of a name with its place and the expressions, for queries; and mistakes in
//! references that are reported only later. The lists follow the order of the declarations of the module.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use indexmap::IndexSet;
use terrane_config::address::InstanceKey;
use terrane_eval::Reference;
use terrane_source::{Diagnostic, FileId, SourceFile, SourceVersion, Span, Subject};
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::SmolStr;

use crate::model::ids::{
    Arena, ArgumentId, CallId, CheckId, ImportId, LocalId, OutputId, ProviderId, ResourceId, VariableId,
};

/// A declaration to which a reference leads, by its id in the module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// `var.name`.
    Variable(VariableId),
    /// `local.name`.
    Local(LocalId),
    /// `module.name`, or its output with this name.
    Module(CallId, Option<SmolStr>),
    /// `type.name` or `data.type.name`.
    Resource(ResourceId),
}

impl Target {
    /// Whether the target is this module call, or an output of it.
    pub(crate) fn is_call(&self, call: CallId) -> bool {
        matches!(self, Target::Module(own, _) if *own == call)
    }
}

/// The meaning of a name in an expression.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A declaration of the module.
    Declared(Target),
    /// A built-in name.
    BuiltIn {
        /// The name.
        name: BuiltIn,
        /// The expression or block that defines the value: `for_each` for `each.key`, the resource for `self`.
        origin: Option<Subject>,
    },
    /// A name that a `for` expression or a `dynamic` block around the expression binds.
    Bound {
        /// The construct that binds it.
        kind: BindingKind,
        /// The span of the name where it is bound, in the same file.
        binding: Span,
    },
}

/// A construct that binds a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BindingKind {
    /// The first of two names of a `for`: the key or index of an element.
    ForKey,
    /// The last name of a `for`: the element.
    ForValue,
    /// The argument `iterator` of a `dynamic` block.
    Iterator,
    /// The label of a `dynamic` block without `iterator`, which is also the type of the generated blocks.
    DynamicLabel,
}

/// A built-in name, which no block declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BuiltIn {
    /// `path.module`.
    PathModule,
    /// `path.root`.
    PathRoot,
    /// `path.cwd`.
    PathCwd,
    /// `terraform.workspace`.
    Workspace,
    /// `terraform.applying`.
    Applying,
    /// `count.index`.
    CountIndex,
    /// `each.key`.
    EachKey,
    /// `each.value`.
    EachValue,
    /// `self`.
    Itself,
}

impl BuiltIn {
    /// Returns the name as it is usually written.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::PathModule => "path.module",
            BuiltIn::PathRoot => "path.root",
            BuiltIn::PathCwd => "path.cwd",
            BuiltIn::Workspace => "terraform.workspace",
            BuiltIn::Applying => "terraform.applying",
            BuiltIn::CountIndex => "count.index",
            BuiltIn::EachKey => "each.key",
            BuiltIn::EachValue => "each.value",
            BuiltIn::Itself => "self",
        }
    }

    /// Returns a description of the value for use in a sentence.
    pub fn description(self) -> &'static str {
        match self {
            BuiltIn::PathModule => "The directory of the module.",
            BuiltIn::PathRoot => "The directory of the root module.",
            BuiltIn::PathCwd => "The working directory of the command, as an absolute path.",
            BuiltIn::Workspace => "The name of the selected workspace.",
            BuiltIn::Applying => "Whether the run applies changes; an ephemeral value.",
            BuiltIn::CountIndex => "The number of the instance, from 0.",
            BuiltIn::EachKey => {
                "The key of the instance: a key of the map or an element of the set in `for_each`."
            }
            BuiltIn::EachValue => "The value of the instance: an element of the map or set in `for_each`.",
            BuiltIn::Itself => "The instance of the resource around the expression.",
        }
    }
}

/// The declaration that contains an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Referrer {
    /// A variable.
    Variable(VariableId),
    /// A local value.
    Local(LocalId),
    /// A module call.
    Call(CallId),
    /// An argument of a module call.
    Argument(CallId, ArgumentId),
    /// A resource.
    Resource(ResourceId),
    /// An output.
    Output(OutputId),
    /// A `check` block.
    Check(CheckId),
    /// A provider configuration.
    Provider(ProviderId),
    /// An `import` block.
    Import(ImportId),
}

/// The part of a declaration that contains a reference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Via {
    /// The value, or the arguments of a resource, provider configuration or import.
    Expression,
    /// `count`.
    Count,
    /// `for_each`.
    ForEach,
    /// `enabled`.
    Enabled,
    /// `depends_on`.
    DependsOn,
    /// An argument of a module call.
    Argument,
    /// `source` or `version` of a module call.
    Source,
    /// A validation, precondition, postcondition or assertion.
    Condition,
    /// `lifecycle` of a resource.
    Lifecycle,
    /// A provisioner or connection of a resource.
    Provisioner,
    /// The provider configuration of a resource, or one that a module call passes.
    Provider,
    /// The `import` block of a resource.
    Import,
}

impl Via {
    /// Returns the name in documents, such as `for_each`.
    pub const fn name(self) -> &'static str {
        match self {
            Via::Expression => "expression",
            Via::Count => "count",
            Via::ForEach => "for_each",
            Via::Enabled => "enabled",
            Via::DependsOn => "depends_on",
            Via::Argument => "argument",
            Via::Source => "source",
            Via::Condition => "condition",
            Via::Lifecycle => "lifecycle",
            Via::Provisioner => "provisioner",
            Via::Provider => "provider",
            Via::Import => "import",
        }
    }
}

/// The declaration, and its part, that contain a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UseOrigin {
    /// The declaration.
    pub referrer: Referrer,
    /// The part.
    pub via: Via,
}

/// A name in an expression, with its place.
#[derive(Clone, Debug)]
pub struct Use {
    /// The declaration and part that contain the name; `None` in text that an override file replaces.
    pub origin: Option<UseOrigin>,
    /// The meaning.
    pub meaning: Meaning,
    /// The span of the whole reference: `module.network["a"].id`.
    pub span: Span,
    /// The span of the declared name: `network`. For a built-in name, the whole name: `path.module`.
    pub name: Span,
    /// The span of the name of an output of a module: `id`.
    pub output: Option<Span>,
    /// The span of the attribute name of a resource, after its name, key or splat: `id` in `aws_subnet.a[*].id`.
    pub attribute: Option<Span>,
    /// The span of an output name after a computed key: `id` in `module.network[var.key].id`. The target
    /// is then the whole module.
    pub(crate) output_of_computed: Option<Span>,
}

impl Use {
    /// Returns a use that consists of the name alone.
    pub(crate) fn of_name(meaning: Meaning, name: Span) -> Use {
        Use {
            origin: None,
            meaning,
            span: name,
            name,
            output: None,
            attribute: None,
            output_of_computed: None,
        }
    }

    /// Returns the declaration to which it leads.
    pub fn target(&self) -> Option<&Target> {
        match &self.meaning {
            Meaning::Declared(target) => Some(target),
            Meaning::BuiltIn { .. } | Meaning::Bound { .. } => None,
        }
    }
}

/// The references of a module.
#[derive(Debug, Default)]
pub struct References {
    /// The targets in the conditions of each variable.
    pub(crate) variables: Arena<VariableId, Vec<Target>>,
    /// The targets in the value of each local value.
    pub(crate) locals: Arena<LocalId, Vec<Target>>,
    pub(crate) calls: Arena<CallId, CallReferences>,
    pub(crate) resources: Arena<ResourceId, ResourceReferences>,
    pub(crate) outputs: Arena<OutputId, OutputReferences>,
    /// The targets in the assertions of each `check` block.
    pub(crate) checks: Arena<CheckId, Vec<Target>>,
    pub(crate) providers: Arena<ProviderId, ProviderReferences>,
    pub(crate) imports: Arena<ImportId, ImportReferences>,
    /// The local names of the providers whose functions are called.
    pub(crate) called_providers: IndexSet<SmolStr>,
    /// The expressions with a wrong reference, which has been reported: they are not evaluated.
    broken: HashSet<(FileId, Span)>,
    uses: Uses,
    /// The resources among the targets of the uses; computed on first use.
    resources_read: OnceLock<HashSet<ResourceId>>,
}

/// The references of a module call.
#[derive(Debug, Default)]
pub(crate) struct CallReferences {
    /// The targets in `count`, `for_each` or `enabled`.
    pub(crate) repetition: Vec<Target>,
    /// The targets in each argument.
    pub(crate) arguments: Arena<ArgumentId, Vec<Target>>,
    pub(crate) depends_on: Vec<Target>,
    /// Wrong references in arguments that override files override, with the name of the argument. As in the reference,
    /// they are errors only if the called module has a variable for the argument.
    pub(crate) late_mistakes: Vec<(SmolStr, Diagnostic)>,
}

/// The references of a resource.
#[derive(Debug, Default)]
pub(crate) struct ResourceReferences {
    /// The targets in `count`, `for_each` or `enabled`.
    pub(crate) repetition: Vec<Target>,
    /// The targets in the content for the provider.
    pub(crate) config: Vec<Target>,
    /// Whether the content for the provider reads `count`, `each` or `self`.
    pub(crate) config_varies: bool,
    /// The functions that the content for the provider calls.
    pub(crate) config_functions: BTreeSet<SmolStr>,
    pub(crate) prevent_destroy: Vec<Target>,
    /// The targets in preconditions and postconditions.
    pub(crate) conditions: Vec<Target>,
    /// The targets in provisioners and their connections.
    pub(crate) provisioners: Vec<Target>,
    pub(crate) depends_on: Vec<Target>,
    /// The targets in the items of `replace_triggered_by`.
    pub(crate) triggers: Vec<Target>,
    /// The resource of each item of `replace_triggered_by`; `None` for an item that names no resource of the module.
    pub(crate) replacing: Vec<Option<InstanceReference>>,
    /// The action of each item of `actions`, for each `action_trigger` block; `None` for an item that names no action.
    pub(crate) actions: Vec<Vec<Option<InstanceReference>>>,
    /// The references to the resource itself.
    pub(crate) itself: Vec<SelfReference>,
    /// Wrong references in the content of `dynamic` blocks, which count only if the content is used.
    pub(crate) late_mistakes: Vec<LateMistake>,
}

/// A resource or an action, and the instances of it that a list item selects.
#[derive(Debug)]
pub(crate) struct InstanceReference {
    pub(crate) resource: ResourceId,
    pub(crate) instances: ChosenInstances,
    /// The steps after the instance, to the part that the item names.
    pub(crate) part: Vec<Step>,
}

/// The instances that an item of `replace_triggered_by` or `actions` selects.
#[derive(Debug)]
pub(crate) enum ChosenInstances {
    /// Every instance.
    All,
    /// The instance without a key.
    Single,
    /// The instance with the value of this expression as its key.
    Key(Expression),
}

/// A wrong reference in the content of a `dynamic` block. As in Terraform and OpenTofu, it is a mistake
/// only if the content is used.
#[derive(Debug)]
pub(crate) struct LateMistake {
    pub(crate) place: ReferencePlace,
    pub(crate) diagnostic: Diagnostic,
}

/// The place of a reference, with its file, because override files bring text of several files into one block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ReferencePlace {
    file: SourceVersion,
    span: Span,
}

impl ReferencePlace {
    pub(crate) fn of(reference: &Reference<'_>) -> ReferencePlace {
        ReferencePlace { file: reference.tree.source().version(), span: reference.span }
    }
}

/// A reference to a resource in its own block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SelfReference {
    /// The key of the instance, if a constant selects it; `None` if it may be any instance.
    pub(crate) key: Option<InstanceKey>,
    /// Whether the reference is in the content for the provider.
    pub(crate) in_config: bool,
}

/// The references of an output.
#[derive(Debug, Default)]
pub(crate) struct OutputReferences {
    pub(crate) value: Vec<Target>,
    pub(crate) preconditions: Vec<Target>,
    pub(crate) depends_on: Vec<Target>,
}

/// The references of a provider configuration.
#[derive(Debug, Default)]
pub(crate) struct ProviderReferences {
    /// The targets in the content and in `for_each`.
    pub(crate) targets: Vec<Target>,
    /// Wrong references, which are reported only if the configuration is used.
    pub(crate) late_mistakes: Vec<Diagnostic>,
}

/// The references of an `import` block.
#[derive(Debug, Default)]
pub(crate) struct ImportReferences {
    /// The targets in its arguments and in the keys of its address.
    pub(crate) targets: Vec<Target>,
    /// Wrong references in the keys. OpenTofu reports them only in a plan.
    pub(crate) wrong_keys: Vec<Diagnostic>,
}

impl References {
    /// Returns the uses in the files of the module.
    pub fn uses(&self) -> &Uses {
        &self.uses
    }

    /// Sets the uses, given in any order.
    pub(crate) fn set_uses(&mut self, uses: Uses) {
        self.uses = uses.sorted();
        self.resources_read = OnceLock::new();
    }

    /// Adds expressions that are not evaluated, for queries about the functions that they call.
    pub(crate) fn add_expressions(&mut self, expressions: Vec<Expression>) {
        self.uses.expressions.extend(expressions);
    }

    /// Whether any expression refers to a resource.
    pub(crate) fn reads_resource(&self, id: ResourceId) -> bool {
        let resources = || {
            let targets = self.uses.files.iter().flat_map(|file| &file.uses).filter_map(Use::target);
            let id = |target: &Target| match target {
                Target::Resource(id) => Some(*id),
                Target::Variable(_) | Target::Local(_) | Target::Module(..) => None,
            };
            targets.filter_map(id).collect()
        };
        self.resources_read.get_or_init(resources).contains(&id)
    }

    /// Whether an expression refers to a declaration.
    pub(crate) fn refers(&self, expression: &Expression, target: &Target) -> bool {
        self.uses.within(expression).iter().any(|found| found.target() == Some(target))
    }

    /// Whether an expression has a reference. A wrong reference counts.
    pub(crate) fn has_references(&self, expression: &Expression) -> bool {
        !self.uses.within(expression).is_empty() || self.is_broken(expression)
    }

    /// Returns the attributes that expressions of the module read, by resource; `None` for a resource that an expression reads as
    /// a whole, because such an expression may read any attribute.
    pub(crate) fn attributes_read(&self) -> HashMap<ResourceId, Option<BTreeSet<&str>>> {
        let mut read: HashMap<ResourceId, Option<BTreeSet<&str>>> = HashMap::new();
        for group in self.uses.files() {
            for found in &group.uses {
                let (resource, attribute) = match (&found.meaning, found.origin) {
                    (Meaning::Declared(Target::Resource(id)), _) => (*id, found.attribute),
                    (
                        Meaning::BuiltIn { name: BuiltIn::Itself, .. },
                        Some(UseOrigin { referrer: Referrer::Resource(id), .. }),
                    ) => (id, None),
                    (Meaning::Declared(_) | Meaning::BuiltIn { .. } | Meaning::Bound { .. }, _) => continue,
                };
                let is_order = found.origin.is_some_and(|origin| origin.via == Via::DependsOn);
                let names = read.entry(resource).or_insert_with(|| Some(BTreeSet::new()));
                match (attribute, names.as_mut()) {
                    (Some(span), Some(names)) => _ = names.insert(group.file.slice(span)),
                    (None, Some(_)) if !is_order => *names = None,
                    (Some(_) | None, _) => {}
                }
            }
        }
        read
    }

    /// Returns the outputs of a call that expressions of the module read. `None` if an expression reads the whole call,
    /// and thus may read any output.
    pub(crate) fn outputs_read(&self, call: CallId) -> Option<BTreeSet<&str>> {
        let mut read = BTreeSet::new();
        for group in self.uses.files() {
            for found in &group.uses {
                let Some(Target::Module(_, output)) = found.target().filter(|target| target.is_call(call))
                else {
                    continue;
                };
                let is_order = found.origin.as_ref().is_some_and(|origin| origin.via == Via::DependsOn);
                let of_computed = found.output_of_computed.map(|span| group.file.slice(span));
                match output.as_deref().or(of_computed) {
                    Some(name) => drop(read.insert(name)),
                    None if is_order => {}
                    None => return None,
                }
            }
        }
        Some(read)
    }

    /// Whether an expression refers to an output of a module, or to a whole module.
    pub(crate) fn refers_to_module(&self, expression: &Expression) -> bool {
        let is_module = |found: &Use| matches!(found.target(), Some(Target::Module(..)));
        self.uses.within(expression).iter().any(is_module)
    }

    /// Records that an expression is not evaluated.
    pub(crate) fn mark_broken(&mut self, expression: &Expression) {
        self.broken.insert((expression.source().id().clone(), expression.span()));
    }

    /// Whether the expression has a wrong reference, which has been reported.
    pub(crate) fn is_broken(&self, expression: &Expression) -> bool {
        !self.broken.is_empty()
            && self.broken.contains(&(expression.source().id().clone(), expression.span()))
    }
}

/// Uses by file, in the order of their places.
#[derive(Debug, Default)]
pub struct Uses {
    files: Vec<FileUses>,
    expressions: Vec<Expression>,
}

/// The uses in one file.
#[derive(Debug)]
pub struct FileUses {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The uses, by place.
    pub uses: Vec<Use>,
}

impl Uses {
    /// Adds a use in a file. Uses usually come file by file.
    pub(crate) fn push(&mut self, file: &Arc<SourceFile>, found: Use) {
        let is_file = |group: &&mut FileUses| group.file.version() == file.version();
        match self.files.iter_mut().rev().find(is_file) {
            Some(group) => group.uses.push(found),
            None => self.files.push(FileUses { file: Arc::clone(file), uses: vec![found] }),
        }
    }

    /// Adds other uses. An expression that is there already is left out.
    pub(crate) fn extend(&mut self, other: Uses) {
        for group in other.files {
            group.uses.into_iter().for_each(|found| self.push(&group.file, found));
        }
        let place = |expression: &Expression| {
            let Span { start, end } = expression.span();
            (expression.source().version(), start, end)
        };
        let mut places: HashSet<_> = self.expressions.iter().map(place).collect();
        self.expressions.extend(other.expressions.into_iter().filter(|other| places.insert(place(other))));
    }

    /// Returns the uses in order, each once.
    pub(crate) fn sorted(mut self) -> Uses {
        for group in &mut self.files {
            // The uses are mostly in order already, and sorting takes half as much memory again.
            let place = |found: &Use| (found.span.start, found.span.end);
            if !group.uses.is_sorted_by_key(place) {
                group.uses.sort_by_key(place);
            }
            group.uses.dedup_by(|later, earlier| later.span == earlier.span && later.name == earlier.name);
        }
        self
    }

    /// Returns the number of uses in all files.
    pub(crate) fn count(&self) -> usize {
        self.files.iter().map(|file| file.uses.len()).sum()
    }

    /// Adds an expression.
    pub(crate) fn push_expression(&mut self, expression: &Expression) {
        self.expressions.push(expression.clone());
    }

    /// Returns the expressions. Queries find in them the names that they bind themselves, and the
    /// functions that they call.
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    /// Returns the uses of all files.
    pub fn files(&self) -> &[FileUses] {
        &self.files
    }

    /// Returns the uses in an expression.
    pub fn within(&self, expression: &Expression) -> &[Use] {
        self.starting_in(expression.source(), expression.span())
    }

    /// Whether a `for` expression or a `dynamic` block binds the name at a span of a file.
    pub(crate) fn is_bound(&self, file: &SourceFile, name: Span) -> bool {
        let is_bound = |found: &Use| found.name == name && matches!(found.meaning, Meaning::Bound { .. });
        self.starting_in(file, name).iter().any(is_bound)
    }

    /// Returns the uses that start in a part of a file.
    fn starting_in(&self, file: &SourceFile, part: Span) -> &[Use] {
        let group = self.files.iter().find(|group| group.file.version() == file.version());
        let Some(group) = group else { return &[] };
        let start = group.uses.partition_point(|found| found.span.start < part.start);
        let end = group.uses.partition_point(|found| found.span.start < part.end);
        group.uses.get(start..end).unwrap_or_default()
    }
}
