//! Follows an attribute of a resource to the argument that sets it.

use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_config::InstanceKey;
use terrane_config::address::ResourceMode;
use terrane_module::model::ids::ResourceId;
use terrane_module::module::{Import, Repetition, Resource};
use terrane_module::place::ScopeBlock;
use terrane_module::{GivenBy, GivenPart, GivenStep, InstanceId};
use terrane_source::Diagnostics;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Entries, Mark, OriginKind, SmolStr, Value, steps_behind};

use super::blocks::{FoundArgument, Setting, settings};
use super::builder::{Builder, ObjectId, ObjectRef, secret};
use super::declared::{DeclaredSecrets, names};
use super::expression::ResolvedPart;
use super::model::{ExplainNode, ExplainNodeId, InputRole, NodeInput, NodeKind};
use super::path::{self, Key};
use super::secret_parts::lacks_marks;
use super::site::ExpressionPart;
use crate::part_source::SourceKind;
use crate::secrets::has_secret;

/// Limit on the inputs of an argument for parts that do not come from the configuration.
const MAX_INSIDE: usize = 20;

/// The attribute of a `terraform_remote_state` with the outputs of the other root module.
const OUTPUTS: &str = "outputs";

/// Returns the option or entry that gave a value, as it was written.
pub(super) fn given_by(part: &GivenPart) -> String {
    match part.by() {
        GivenBy::Option => format!("option --set {}", part.written()),
        GivenBy::RemoteState => format!("option --remote-state {}", part.written()),
        GivenBy::Override => format!("override of {}", part.written().trim_matches('"')),
        GivenBy::Defaults => format!("mock of {}", part.written().trim_matches('"')),
    }
}

/// Returns the node of a part of a given value.
pub(super) fn given_node(part: &GivenPart, path: String, value: Value) -> ExplainNode {
    let (address, place) = (Some(given_by(part)), part.place().cloned());
    ExplainNode { address, place, path, ..ExplainNode::new(NodeKind::Given, value) }
}

impl<'r> Builder<'r> {
    /// Returns the secrets that the schema of a resource declares.
    pub(super) fn declared(&self, instance: InstanceId, id: ResourceId) -> Arc<DeclaredSecrets<'r>> {
        let mut all = self.declared.borrow_mut();
        let declared = all.entry((self.instance(instance).node, id)).or_insert_with(|| {
            let module = self.module(instance);
            let (key, resource) = module.resources.entry_of(id);
            let schema = self.evaluation().config.request.schemas.resource(module, key, resource);
            Arc::new(DeclaredSecrets::new(schema.map(|schema| schema.schema())))
        });
        Arc::clone(declared)
    }

    /// Returns the attributes that the schema of a resource declares sensitive and that thereby make a part of the resource a
    /// secret. `value` is the value of the part.
    fn schema_marks(
        &self,
        instance: InstanceId,
        id: ResourceId,
        value: &Value,
        path: &[Key],
    ) -> Option<String> {
        let (key, _) = self.module(instance).resources.entry_of(id);
        let declared = self.declared(instance, id);
        let sensitive = &declared.sensitive;
        if sensitive.is_empty() || !has_secret(value) {
            return None;
        }
        let mut found: BTreeSet<&str> = names(path).filter(|name| sensitive.contains(name)).collect();
        let mut left = vec![value];
        while let Some(value) = left.pop().filter(|_| found.is_empty()) {
            let inner = value.unmarked();
            left.extend(inner.known_elements().unwrap_or_default().iter().filter(|inner| has_secret(inner)));
            let entries = inner.known_attributes().into_iter().flat_map(Entries::iter);
            let secret = entries.filter(|(_, inner)| has_secret(inner));
            for (name, inner) in secret {
                match sensitive.contains(name.as_str()) {
                    true => drop(found.insert(name)),
                    false => left.push(inner),
                }
            }
        }
        let names: Vec<String> = found.iter().map(|name| format!("`{name}`")).collect();
        (!names.is_empty())
            .then(|| format!("the schema of {} declares {} sensitive", key.resource_type, names.join(", ")))
    }

    /// Whether an instance of a resource makes the value of an expression in it a secret. `value` is the value of the instance,
    /// `first` the argument or block around the expression.
    pub(super) fn hides_place(
        &self,
        object: &ObjectRef,
        first: Option<&SmolStr>,
        expression: &Expression,
    ) -> bool {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return false };
        let value = self.object_value(object);
        let around = match (value.known_attributes(), first) {
            _ if value.marks().is_secret() => return true,
            (Some(all), Some(first)) => all.get(first),
            (Some(_), None) => None,
            (None, _) => Some(&value),
        };
        let (is_marked, declared) = (around.is_some_and(has_secret), self.declared(*instance, *id));
        let first: Vec<Key> = first.cloned().map(Key::Name).into_iter().collect();
        if !is_marked && !declared.is_secret(&first) {
            return false;
        }
        let Some(site) = self.site(*instance, ScopeBlock::Resource(*id), key) else { return true };
        let content = self.module(*instance).resources.at(*id).config.open_content(&mut Diagnostics::new());
        let setting = settings(&site, &content).into_iter().find(|setting| setting.contains(expression));
        let Some(setting) = setting.map(|setting| self.narrowed(setting, expression)) else {
            return is_marked;
        };
        declared.is_secret(&setting.path) || (is_marked && is_secret_argument(&value, &setting))
    }

    /// Returns the path to the part of a resource that the expression at the end of an argument sets. `path` is the path to a part
    /// of the argument, and `rest` the end of it in the value of the argument.
    fn written_path<'p>(&self, argument: &ExpressionPart<'r>, path: &'p [Key], rest: &[Key]) -> &'p [Key] {
        let behind = match self.followed(argument.clone(), rest.to_vec()) {
            ResolvedPart::Reference { path, own, .. } => path.len() - own,
            ResolvedPart::Part(_, path) => path.len(),
        };
        path.get(..path.len() - behind.min(rest.len())).unwrap_or(path)
    }

    /// Narrows an argument to the item around an expression, down to the innermost object.
    fn narrowed(&self, mut setting: Setting<'r>, expression: &Expression) -> Setting<'r> {
        while let Expr::Object(items) = setting.part.expr() {
            let mut items = setting.part.expression.tree.list(items).iter();
            let inner = items.find_map(|item| {
                let part = setting.part.at(item.value);
                let inner = Setting { part, path: setting.path.clone() };
                let key = self.item_key(&setting.part, item).filter(|_| inner.contains(expression))?;
                Some(Setting { path: inner.path.into_iter().chain([Key::Name(key)]).collect(), ..inner })
            });
            match inner {
                Some(inner) => setting = inner,
                None => break,
            }
        }
        setting
    }

    /// Adds the arguments of a block at a path, or of the whole resource, as inputs.
    fn arguments_of(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key], all: Vec<Setting<'r>>) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let (value, declared) = (self.nodes[node].value.clone(), self.declared(instance, id));
        // The search for a secret reads the whole value.
        let secret_value = Some(&value).filter(|value| has_secret(value));
        for setting in all {
            if self.is_full() {
                return;
            }
            let whole: Vec<Key> = path.iter().chain(&setting.path).cloned().collect();
            let has_source = self.source(instance, id, key, &whole).is_some()
                || !self.sources_inside(instance, id, key, &whole).is_empty();
            if has_source {
                let child = self.object(object.clone().part(whole));
                self.input(
                    node,
                    NodeInput::taken(child, InputRole::Argument).keyed(path::text(&setting.path)),
                );
                continue;
            }
            let is_marked = secret_value.is_some_and(|value| is_secret_argument(value, &setting));
            let is_secret = is_marked || declared.is_secret(&whole);
            let child = self.follow(secret(setting.part, is_secret), Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Argument).keyed(path::text(&setting.path)));
        }
    }

    pub(super) fn resource(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key]) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let (resource_key, resource) = self.module(instance).resources.entry_of(id);
        let value = self.nodes[node].value.clone();
        let whole = self.instance_value(instance, id, key);
        let path = &*whole.map_or_else(|| path.to_vec(), |whole| path::with_single_blocks(&whole, path));
        if let Some((given, path_in_given)) = self.given(instance, id, key, path) {
            let origin = self.source(instance, id, key, path).or(Some(SourceKind::Given));
            let child = self.add(ExplainNode { origin, ..given_node(given, path_in_given, value) });
            return self.input(node, NodeInput::taken(child, InputRole::Value));
        }
        let is_known = self.instance(instance).resources[id].expansion.unknown().is_none();
        let is_all = *key == InstanceKey::None && (path.is_empty() || is_known);
        if let (Repetition::Count(expression) | Repetition::ForEach(expression), true) =
            (&resource.repetition, is_all)
        {
            self.instances(node, instance, expression);
            if !path.is_empty() {
                return self.how(node, "there is no such instance");
            }
            self.how(node, "all instances");
            if is_known {
                let expansion = &self.instance(instance).resources[id].expansion;
                let keys: Vec<InstanceKey> = expansion.iter().map(|(key, _)| key).collect();
                let object = |key| ObjectRef { instance, object: ObjectId::Resource(id, key) };
                return self.each_instance(node, &keys, object);
            }
        }
        let name = || self.nodes[node].address.as_ref();
        let marks = match resource_key.mode == ResourceMode::Ephemeral {
            true => name().map(|name| format!("{name} is ephemeral")),
            false if value.has_mark(&Mark::Hidden) => name().map(|name| match resource_key.mode {
                ResourceMode::Data => format!("{name} is computed from a sensitive argument"),
                ResourceMode::Managed | ResourceMode::Ephemeral | ResourceMode::Action => {
                    format!("{name}.output has names of attributes in a secret input")
                }
            }),
            false => self.schema_marks(instance, id, &value, path),
        };
        self.nodes[node].marks.clone_from(&marks);
        let Some(site) = self.site(instance, ScopeBlock::Resource(id), key) else { return };
        let found = self.find(&site, &resource.config, path);
        self.found(node, object, path, found);
    }

    /// Adds the arguments that set a part of a resource instance as inputs.
    fn found(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key], found: FoundArgument<'r>) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let (_, resource) = self.module(instance).resources.entry_of(id);
        let value = self.nodes[node].value.clone();
        match found {
            // The argument does not set the part, so the provider may.
            FoundArgument::Argument(part, rest)
                if !value.is_known() && path::part(&part.value(), &rest).is_none() =>
            {
                self.without_argument(node, object, path);
            }
            FoundArgument::Argument(part, rest) => {
                let is_left = rest.is_empty() && part.value().is_null();
                let written = self.written_path(&part, path, &rest);
                let declared = self.declared(instance, id);
                let is_secret = declared.is_secret(path) || declared.is_secret(written);
                if let Some(source) = self.source(instance, id, key, path) {
                    self.not_configured(node, resource, None, Some(source));
                    if !is_left {
                        let own = path::part(&part.value(), &rest).unwrap_or_else(Value::error);
                        let is_secret = is_secret || lacks_marks(&value, &own);
                        let child = self.follow(secret(part, is_secret), rest);
                        self.input(node, NodeInput::passed_over(child, InputRole::Precedence));
                    }
                    return;
                }
                if is_left && !self.nodes[node].value.is_known() {
                    self.how(node, "configured as null, so the provider sets it");
                }
                self.value_of(node, part, &rest, is_secret);
                for inner in self.sources_inside(instance, id, key, path) {
                    let key = path::text(inner.get(path.len()..).unwrap_or_default());
                    let child = self.object(object.clone().part(inner));
                    self.input(node, NodeInput::taken(child, InputRole::Argument).keyed(key));
                }
            }
            FoundArgument::Arguments { all, generated, is_cut } => {
                self.is_truncated |= is_cut;
                let is_secret = self.declared(instance, id).is_secret(path);
                for collection in generated {
                    let child = self.follow(secret(collection, is_secret), Vec::new());
                    self.input(node, NodeInput::taken(child, InputRole::Instances));
                }
                let configured: Vec<Vec<Key>> = all.iter().map(|setting| setting.path.clone()).collect();
                self.arguments_of(node, object, path, all);
                if path.is_empty() {
                    self.given_attributes(node, object, &configured);
                }
                // The expression is already the first input of all instances.
                if path.is_empty()
                    && !stands_for_all(resource, key)
                    && let Some(expression) = resource.repetition.expression()
                {
                    self.instances(node, instance, expression);
                }
                if let Some(part) = self.import_id(object).filter(|_| path.is_empty()) {
                    let child = self.follow(part, Vec::new());
                    self.input(node, NodeInput::taken(child, InputRole::Argument).keyed(".id"));
                }
            }
            FoundArgument::Nothing => self.without_argument(node, object, path),
        }
    }

    /// Adds the parts of a resource instance that are given by hand, up to a limit. Parts inside of the arguments at the paths
    /// `configured` are left out.
    fn given_attributes(&mut self, node: ExplainNodeId, object: &ObjectRef, configured: &[Vec<Key>]) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let state = self.instance(*instance);
        let Some(value) = self.instance_value(*instance, *id, key) else { return };
        let parts = self.evaluation().given_for_resource(state, *id, key, &value);
        let names: BTreeSet<&SmolStr> = parts.into_iter().flat_map(GivenPart::attributes).collect();
        let remote = self.evaluation().remote_state(state, *id, key, &value).flatten();
        let remote = remote.filter(|_| !names.iter().any(|name| *name == OUTPUTS));
        let is_set = |name: &&SmolStr| {
            configured.iter().any(|path| matches!(path.first(), Some(Key::Name(first)) if first == *name))
        };
        let attributes =
            names.into_iter().filter(|name| !is_set(name)).map(|name| vec![Key::Name(name.clone())]);
        let attributes = attributes.chain(remote.map(|_| vec![Key::Name(SmolStr::new_static(OUTPUTS))]));
        // Given parts inside of configured blocks.
        let inside = state.inner_parts(*id, key).iter().filter(|part| part.is_given);
        let inside = inside.map(|part| part.steps.iter().map(key_of_step).collect::<Vec<Key>>());
        let inside = inside.filter(|path| {
            path::part(&value, path).is_some() && !configured.iter().any(|whole| path.starts_with(whole))
        });
        for path in attributes.chain(inside).take(MAX_INSIDE).collect::<Vec<_>>() {
            let text = path::text(&path);
            let child = self.object(object.clone().part(path));
            self.input(node, NodeInput::taken(child, InputRole::Argument).keyed(text));
        }
    }

    /// Adds the source of a part of a resource instance that no argument sets.
    fn without_argument(&mut self, node: ExplainNodeId, object: &ObjectRef, path: &[Key]) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let (_, resource) = self.module(instance).resources.entry_of(id);
        let is_known = self.nodes[node].value.is_known();
        // A part that cannot be found in the value of the resource has an error as its value.
        if !is_known && path::part(&self.object_value(object), path).is_none() {
            return self.how(node, "there is no such part");
        }
        let is_id = matches!(path, [Key::Name(name)] if name == "id");
        let import = self.import(object).filter(|_| is_id).map(|import| import.block);
        let source = self.source(instance, id, key, path);
        let is_imported = import.is_some() && source.is_none() && is_known;
        if let Some(part) = self.import_id(object).filter(|_| is_imported) {
            let child = self.follow(part, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Value));
            return self.how(node, "imported");
        }
        self.not_configured(node, resource, import, source);
    }

    /// Returns the given value that contains the part at a path, and the path in that value.
    fn given(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        path: &[Key],
    ) -> Option<(&'r GivenPart, String)> {
        let state = self.instance(instance);
        let value = &self.instance_value(instance, id, key)?;
        let is_output = matches!(path.first()?, Key::Name(name) if name == OUTPUTS);
        let remote = self.evaluation().remote_state(state, id, key, value).flatten().filter(|_| is_output);
        if let Some(part) = remote {
            // The option names the data source, but gives the value of `outputs`.
            return Some((part, path::text(path)));
        }
        let asked = path::text(path);
        let mut inner = state.inner_parts(id, key).iter();
        let inner = inner.find_map(|part| Some((part, steps_behind(&asked, &part.path)?)));
        if let Some((inner, behind)) = inner
            && let Some(part) = self.evaluation().given_inside(state, id, key, inner)
        {
            let names = part.names_behind(&inner.steps).unwrap_or_default();
            let names: Vec<Key> = names.into_iter().cloned().map(Key::Name).collect();
            return Some((part, path::text(&names) + behind));
        }
        let parts = self.evaluation().given_for_resource(state, id, key, value);
        let found = parts.into_iter().find(|part| path::starts_with(path, part.steps()))?;
        Some((found, path::text(path.get(found.steps().len()..).unwrap_or_default())))
    }

    /// Returns the source of the part that a path begins with, if its value does not come from the configuration.
    fn source(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        path: &[Key],
    ) -> Option<SourceKind> {
        let state = self.instance(instance);
        let value = &self.instance_value(instance, id, key)?;
        let asked = path::text(path);
        let mut sources = self.report.resource_sources(state, id, key, value);
        let found =
            sources.find(|source| !source.path.is_empty() && steps_behind(&asked, &source.path).is_some());
        found.map(|source| source.kind)
    }

    /// Returns the parts inside of a configured part whose values do not come from the configuration, up to a limit. Parts in
    /// elements of sets have no path.
    fn sources_inside(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        path: &[Key],
    ) -> Vec<Vec<Key>> {
        let state = self.instance(instance);
        let Some(value) = self.instance_value(instance, id, key) else { return Vec::new() };
        let is_inside = |inner: &Vec<Key>| {
            inner.len() > path.len() && inner.starts_with(path) && path::part(&value, inner).is_some()
        };
        let inner = state.inner_parts(id, key).iter();
        let inner = inner.map(|part| part.steps.iter().map(key_of_step).collect());
        inner.filter(is_inside).take(MAX_INSIDE).collect()
    }

    /// Adds the input of an attribute that no argument sets. The provider, its schema or `source` decides the value; a known
    /// `id` comes from the `import` block.
    fn not_configured(
        &mut self,
        node: ExplainNodeId,
        resource: &'r Resource,
        import: Option<&'r Import>,
        source: Option<SourceKind>,
    ) {
        let found = &self.nodes[node];
        let value = found.value.clone();
        let import = import.filter(|_| value.is_known() && source.is_none());
        let declaration = import.map_or(&resource.declaration, |import| &import.declaration);
        let place = declaration.clone();
        let kind = value.origins().as_slice().first().map(|origin| origin.kind);
        let how = match kind {
            Some(OriginKind::DataSource) => "read by the provider",
            Some(OriginKind::Error) => "an error is reported",
            Some(OriginKind::HiddenName) => "a name may be declared in text that cannot be read",
            Some(OriginKind::ProviderDefault) => "not configured, and the provider may have a default",
            Some(_) => "set by the provider",
            None if value.is_null() => "not configured",
            None if import.is_some() => "the `id` of the `import` block",
            None => match source {
                Some(SourceKind::State) => "recorded in the state",
                Some(SourceKind::StateData) => "recorded in the state with the same arguments",
                Some(SourceKind::Prior) => "recorded in the state, and may change",
                Some(SourceKind::Plan) => "planned by the provider",
                Some(SourceKind::RemoteState) => "an output in the state of another root module",
                Some(SourceKind::Given | SourceKind::ComputedData | SourceKind::ChangedModule) | None => {
                    "computed from the other arguments"
                }
            },
        };
        let is_known = kind.is_none() && !value.is_null();
        let added = ExplainNode {
            how: Some(how.to_owned()),
            origin: source.filter(|_| is_known),
            place: Some(place),
            ..ExplainNode::new(NodeKind::Provider, value)
        };
        let child = self.add(added);
        self.input(node, NodeInput::taken(child, InputRole::Value));
        if !is_known {
            return;
        }
        self.how(
            node,
            match source {
                _ if import.is_some() => "imported",
                Some(SourceKind::State | SourceKind::StateData | SourceKind::Prior) => "of the given state",
                Some(SourceKind::Plan) => "of the given plan",
                Some(SourceKind::RemoteState) => "of another state",
                Some(SourceKind::Given | SourceKind::ComputedData | SourceKind::ChangedModule) | None => {
                    "computed from the configuration"
                }
            },
        );
    }
}

/// Whether a key stands for all instances of a resource, whose number is unknown.
fn stands_for_all(resource: &Resource, key: &InstanceKey) -> bool {
    match &resource.repetition {
        Repetition::Count(_) | Repetition::ForEach(_) => *key == InstanceKey::None,
        Repetition::Once | Repetition::Enabled(_) => false,
    }
}

fn key_of_step(step: &GivenStep) -> Key {
    match step {
        GivenStep::Name(name) => Key::Name(name.clone()),
        GivenStep::Element(at) => Key::Position(*at),
    }
}

/// Whether the resource around an argument marks a part as secret that is not marked in the value of the argument's expression.
/// `value` is the value of the resource, which has a secret.
fn is_secret_argument(value: &Value, setting: &Setting<'_>) -> bool {
    setting.value_in(value).is_none_or(|own| lacks_marks(&own, &setting.part.value()))
}
