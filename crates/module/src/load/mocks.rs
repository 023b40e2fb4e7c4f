//! Finds the objects for the values in mock files, so that the evaluation can put the values in.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_body::Attribute;
use terrane_body::constant::constant;
use terrane_config::address::{Address, InstanceKey, Object, ResourceMode};
use terrane_eval::{Batch, FunctionTable, NoNames, Scope};
use terrane_function::{CallEnv, Dialect};
use terrane_source::{Diagnostic, Diagnostics, Span, Subject, ids};
use terrane_syntax::{Expr, Expression};
use terrane_value::{SmolStr, Value, with_article};

use crate::graph::used_providers;
use crate::load::mock_files::{Mock, MockKind, MockType, Mocks};
use crate::load::test_files::is_mock_data;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::given::{GivenBy, GivenInOrder, GivenPart};
use crate::model::given_step::GivenStep;
use crate::model::ids::{Arena, CallInModule, NodeId, ResourceId, ResourceInModule};
use crate::model::module::{ObjectAddress, ResourceKey};
use crate::model::tree::ModuleNode;
use crate::model::written_address::{Keys, address};

/// The bytes of a given part without its value.
const BYTES_OF_PART: usize = 320;
/// The bytes that a resource takes for sharing the defaults of its type.
const BYTES_OF_DEFAULTS: usize = 160;

/// The modules with the objects to which values are given.
#[derive(Clone, Copy)]
pub(crate) struct Modules<'m> {
    pub(crate) nodes: &'m Arena<NodeId, ModuleNode>,
    /// Whether no part of the configuration is missing.
    pub(crate) is_complete: bool,
}

/// Adds the values of `mocks` by their objects in the modules. A target without an object is a warning,
/// unless a part of the configuration is missing. Work and memory count for the meter of `env`, and adding
/// ends when they exceed a limit.
pub(crate) fn bind(
    mocks: &Mocks,
    modules: Modules<'_>,
    env: &CallEnv<'_>,
    values: &mut GivenInOrder,
    diagnostics: &mut Diagnostics,
) {
    let functions = FunctionTable::only(Dialect::Modules, Vec::new());
    let scope = Scope { names: &NoNames, functions: &functions, env };
    let Modules { nodes, is_complete } = modules;
    let batch = Batch::new(&scope);
    let mut binder = MockBinder { nodes, of_type: HashMap::new(), is_complete, batch, values, diagnostics };
    for mock in &mocks.0 {
        binder.work(1, &mock.place);
        if binder.batch.is_stopped() {
            break;
        }
        match &mock.kind {
            MockKind::Defaults(mocked) => binder.defaults(mock, mocked),
            MockKind::Resource(mode, target) => binder.resource(mock, *mode, target),
            MockKind::Module(target) => binder.module(mock, target),
        }
    }
}

/// The value of an attribute in a mock.
struct MockValue {
    name: SmolStr,
    value: Value,
    place: MockValuePlace,
}

/// The place of a value in the object that contains it.
#[derive(Clone)]
struct MockValuePlace {
    value: Subject,
    /// The span of its name.
    name: Span,
}

struct MockBinder<'b> {
    nodes: &'b Arena<NodeId, ModuleNode>,
    /// The resources of all modules by their types; made for the first type that is asked for.
    of_type: HashMap<ResourceMode, HashMap<SmolStr, Arc<[ResourceInModule]>>>,
    is_complete: bool,
    batch: Batch<'b>,
    values: &'b mut GivenInOrder,
    diagnostics: &'b mut Diagnostics,
}

impl MockBinder<'_> {
    /// Adds the default values of a type, for all its resources.
    fn defaults(&mut self, mock: &Mock, mocked: &MockType) {
        let Some(values) = mock.values.as_ref().and_then(|values| self.object(values)) else { return };
        let (key, target) = (InstanceKey::None, &mocked.place);
        let template = Template { by: GivenBy::Defaults, is_of_file: false, key, target };
        let resources = self.resources(mocked).unwrap_or_default();
        let mut is_used = false;
        let Subject { file, span } = target;
        self.diagnostics.extend(self.batch.count_bytes(BYTES_OF_PART * values.len(), file, *span));
        // The last value for an attribute has precedence, as everywhere. Defaults are for all
        // instances, at every level.
        let defaults = self.values.share_defaults(template.parts(values.iter().rev(), &[]));
        for of_type in resources.iter().copied() {
            self.work(1, target);
            if self.batch.is_stopped() {
                return;
            }
            if self.is_of_provider(mock, of_type.module, of_type.resource) {
                is_used = true;
                self.diagnostics.extend(self.batch.count_bytes(BYTES_OF_DEFAULTS, file, *span));
                self.values.add_defaults(of_type, defaults);
            }
        }
        if !is_used {
            self.unused_defaults(mock, mocked);
        }
    }

    /// Reports defaults for a type that no resource has, but not in files with mock data, which are
    /// made for many root modules.
    fn unused_defaults(&mut self, mock: &Mock, mocked: &MockType) {
        if is_mock_data(&mocked.place.file.id().to_string()) {
            return;
        }
        let kind = if mocked.mode == ResourceMode::Data { "data source" } else { "resource" };
        let provider =
            mock.provider.as_ref().map(|provider| format!(" of the provider configuration `{provider}`"));
        let detail = format!(
            "The configuration has no {kind} of the type `{}`{}",
            mocked.name,
            provider.unwrap_or_default()
        );
        self.unused(&mocked.place, &detail);
    }

    /// Returns the resources of a type in all modules.
    fn resources(&mut self, mocked: &MockType) -> Option<Arc<[ResourceInModule]>> {
        if self.of_type.is_empty() {
            let mut all: HashMap<ResourceMode, HashMap<SmolStr, Vec<ResourceInModule>>> = HashMap::new();
            for (module, node) in self.nodes.enumerate() {
                for resource in node.module.resources.ids() {
                    let (key, _) = node.module.resources.entry_of(resource);
                    let of_type = all.entry(key.mode).or_default().entry(key.resource_type.clone());
                    of_type.or_default().push(ResourceInModule { module, resource });
                }
            }
            let by_type = |of_mode: HashMap<SmolStr, Vec<ResourceInModule>>| {
                of_mode.into_iter().map(|(name, all)| (name, all.into())).collect()
            };
            self.of_type = all.into_iter().map(|(mode, of_mode)| (mode, by_type(of_mode))).collect();
        }
        self.of_type.get(&mocked.mode)?.get(&mocked.name).cloned()
    }

    /// Adds the parts for an object, as far as the limit on memory allows.
    fn add(
        &mut self,
        template: &Template<'_>,
        values: &[MockValue],
        modules: &[InstanceKey],
        mut add: impl FnMut(&mut GivenInOrder, GivenPart),
    ) {
        for part in template.parts(values.iter(), modules) {
            let Subject { file, span } = &part.place;
            self.diagnostics.extend(self.batch.count_bytes(BYTES_OF_PART, file, *span));
            if self.batch.is_stopped() {
                return;
            }
            add(self.values, part);
        }
    }

    /// Counts work.
    fn work(&mut self, work: usize, place: &Subject) {
        self.diagnostics.extend(self.batch.count_work(work, &place.file, place.span));
    }

    /// Adds the values for a resource.
    fn resource(&mut self, mock: &Mock, mode: ResourceMode, target: &Attribute) {
        let Some((address, place)) = self.target(target) else { return };
        let values = mock.values.as_ref().and_then(|values| self.object(values));
        let Some(resource) = address.resource.as_ref().filter(|resource| resource.mode == mode) else {
            let wanted = match mode {
                ResourceMode::Data => "data source, such as `data.aws_region.here`",
                ResourceMode::Managed | ResourceMode::Ephemeral | ResourceMode::Action => {
                    "managed resource, such as `aws_vpc.main`"
                }
            };
            return self.wrong(&place, wanted);
        };
        let Some((node, modules)) = self.node(&address, &place) else { return };
        let module = &self.nodes[node].module;
        let Some(id) = module.resources.id_of(resource) else {
            let object = resource.object(InstanceKey::None);
            let missing = Address { module: address.module.without_keys(), object };
            return self.unused(&place, &format!("The configuration has no `{missing}`"));
        };
        if !self.is_of_provider(mock, node, id) {
            let provider = mock.provider.clone().unwrap_or_default();
            let detail =
                format!("`{}` does not belong to the provider configuration `{provider}`", written(&place));
            return self.unused(&place, &detail);
        }
        let is_of_file = mock.provider.is_none();
        let template =
            Template { by: GivenBy::Override, is_of_file, key: address.key.clone(), target: &place };
        let values = values.unwrap_or_default();
        self.add(&template, &values, &modules, |given, part| {
            given.add_resource(ResourceInModule { module: node, resource: id }, part);
        });
    }

    /// Adds the outputs of a module.
    fn module(&mut self, mock: &Mock, target: &Attribute) {
        let Some((address, place)) = self.target(target) else { return };
        let values = mock.values.as_ref().and_then(|values| self.object(values));
        let Some((caller, call)) = address.module.split_last().filter(|_| address.resource.is_none()) else {
            return self.wrong(&place, "module, such as `module.network`");
        };
        let (name, key) = (call.name.clone(), call.key.clone());
        let above = ObjectAddress { module: caller, ..address.clone() };
        let Some((node, modules)) = self.node(&above, &place) else { return };
        let caller = &self.nodes[node];
        let Some(id) = caller.module.calls.id_of(&name) else {
            let object = Object::ModuleCall(name, InstanceKey::None);
            let missing = Address { module: caller.path.clone(), object };
            return self.unused(&place, &format!("The configuration has no `{missing}`"));
        };
        let template = Template { by: GivenBy::Override, is_of_file: true, key, target: &place };
        let mut values = values.unwrap_or_default();
        if let Some(called) = caller.called[id].map(|called| &self.nodes[called].module)
            && !called.doubt.hides(DeclarationKind::Output)
        {
            values.retain(|MockValue { name, place: MockValuePlace { value, name: name_span }, .. }| {
                let is_output = called.outputs.id_of(name).is_some();
                if !is_output {
                    let detail = format!("`{}` has no output `{name}`", written(&place));
                    let place = Subject { file: Arc::clone(&value.file), span: *name_span };
                    self.unused(&place, &detail);
                }
                is_output
            });
        }
        self.add(&template, &values, &modules, |given, part| {
            given.add_output(CallInModule { module: node, call: id }, part);
        });
    }

    /// Returns the address in the argument `target`.
    fn target(&mut self, target: &Attribute) -> Option<(ObjectAddress, Subject)> {
        let expression = all_instances(target.reference());
        let place = Subject { file: Arc::clone(target.source()), span: target.value_span() };
        if matches!(expression.tree.expr(expression.id), Expr::Missing) {
            self.wrong(&place, "resource or module");
            return None;
        }
        Some((address(&expression, Keys::Literal, self.diagnostics)?, place))
    }

    /// Returns the module of an address, and the instance keys on the way to it.
    fn node(&mut self, address: &ObjectAddress, place: &Subject) -> Option<(NodeId, Vec<InstanceKey>)> {
        let mut node = NodeId::ROOT;
        for step in address.module.steps() {
            let caller = &self.nodes[node];
            let object = || Object::ModuleCall(step.name.clone(), InstanceKey::None);
            let missing = || Address { module: caller.path.clone(), object: object() };
            let called = match caller.module.calls.id_of(&step.name) {
                Some(call) => caller.called[call],
                None => {
                    self.unused(place, &format!("The configuration has no `{}`", missing()));
                    return None;
                }
            };
            let Some(called) = called else {
                self.unused(place, &format!("`{}` is not read", missing()));
                return None;
            };
            node = called;
        }
        Some((node, address.module.steps().iter().map(|step| step.key.clone()).collect()))
    }

    /// Whether a resource belongs to the provider of a mock.
    fn is_of_provider(&self, mock: &Mock, node: NodeId, id: ResourceId) -> bool {
        let Some(wanted) = &mock.provider else { return true };
        let (ResourceKey { resource_type, .. }, resource) = self.nodes[node].module.resources.entry_of(id);
        let alias = resource.provider.as_ref().and_then(|provider| provider.alias.as_deref());
        let local = resource.local_provider(resource_type);
        used_providers::in_root(self.nodes, node, local, alias).is_some_and(|key| key == *wanted)
    }

    /// Returns the attributes of an object of constants, each with its place.
    fn object(&mut self, argument: &Attribute) -> Option<Vec<MockValue>> {
        let expression = argument.literal();
        let value = constant(&expression, self.diagnostics)?;
        let Some(entries) = value.as_entries() else {
            let detail = format!("`{}` must be an object of values.", argument.name);
            let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
            self.diagnostics.push(diagnostic.at(argument.source(), argument.value_span()));
            return None;
        };
        let places = places(&expression, self.diagnostics);
        let value = Subject { file: Arc::clone(argument.source()), span: argument.value_span() };
        let whole = MockValuePlace { name: value.span, value };
        let place = |name: &SmolStr| places.get(name).cloned().unwrap_or_else(|| whole.clone());
        let attribute = |(name, value): (&SmolStr, &Value)| MockValue {
            name: name.clone(),
            value: value.clone(),
            place: place(name),
        };
        Some(entries.iter().map(attribute).collect())
    }

    fn wrong(&mut self, place: &Subject, wanted: &str) {
        let detail =
            format!("The target `{}` is not the address of {}.", written(place), with_article(wanted));
        let diagnostic = Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail);
        self.diagnostics.push(diagnostic.at(&place.file, place.span));
    }

    fn unused(&mut self, place: &Subject, reason: &str) {
        if self.is_complete {
            let detail = format!("{reason}, so the value given for it is not used.");
            let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
            self.diagnostics.push(diagnostic.at(&place.file, place.span));
        }
    }
}

/// The properties that all parts of a mock have in common.
struct Template<'t> {
    by: GivenBy,
    is_of_file: bool,
    key: InstanceKey,
    target: &'t Subject,
}

impl Template<'_> {
    fn parts<'t>(
        &'t self,
        values: impl Iterator<Item = &'t MockValue> + 't,
        modules: &'t [InstanceKey],
    ) -> impl Iterator<Item = GivenPart> + 't {
        values.map(|MockValue { name, value, place }| GivenPart {
            by: self.by,
            is_of_file: self.is_of_file,
            modules: modules.to_vec(),
            key: self.key.clone(),
            path: vec![GivenStep::Name(name.clone())],
            value: value.clone(),
            target: self.target.clone(),
            place: place.value.clone(),
            name: place.name,
        })
    }
}

fn written(place: &Subject) -> &str {
    place.file.slice(place.span).trim_matches('"')
}

/// Returns the object in an address with `[*]`, whose instances are all meant.
fn all_instances(expression: Expression) -> Expression {
    if let Expr::Splat { source, each, full: true } = expression.tree.expr(expression.id)
        && matches!(expression.tree.expr(each), Expr::Item)
    {
        return Expression { id: source, ..expression };
    }
    expression
}

/// Returns the places of the values in an object.
fn places(expression: &Expression, diagnostics: &mut Diagnostics) -> HashMap<SmolStr, MockValuePlace> {
    let tree = &expression.tree;
    let Expr::Object(items) = tree.inside_parentheses(expression.id).1 else { return HashMap::new() };
    let place = |item: &terrane_syntax::tree::ObjectItem| {
        let is_name =
            matches!(tree.expr(item.key), Expr::Traversal { steps, .. } if tree.list(steps).is_empty());
        let name = match is_name {
            true => SmolStr::from(tree.expr_text(item.key)),
            false => {
                let key = constant(&Expression { id: item.key, ..expression.clone() }, diagnostics)?;
                SmolStr::from(key.as_str()?)
            }
        };
        let value = Subject { file: Arc::clone(tree.source()), span: tree.span(item.value) };
        Some((name, MockValuePlace { value, name: tree.span(item.key) }))
    };
    // The first value of a key has precedence.
    tree.list(items).iter().rev().filter_map(place).collect()
}
