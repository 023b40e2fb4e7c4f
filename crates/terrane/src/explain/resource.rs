//! Follows an attribute of a resource to the argument that sets it.

use std::sync::Arc;

use terrane_body::{Body, Content, Label};
use terrane_config::InstanceKey;
use terrane_module::model::ids::ResourceId;
use terrane_module::module::{Import, Repetition, Resource};
use terrane_module::place::{ScopeBlock, count, element};
use terrane_module::{GivenBy, GivenPart, InstanceId};
use terrane_source::{Diagnostics, Subject};
use terrane_value::{OriginKind, SmolStr, Value};

use super::builder::{Builder, ObjectId, ObjectRef, secret};
use super::model::{ExplainNode, Input, NodeKind, Role};
use super::path::{self, Key};
use super::secret_parts::lacks_marks;
use super::site::{Bound, BoundKind, Part, Site};
use crate::report::SourceKind;
use crate::secrets::has_secret;

/// How a value was given, as it was written.
pub(super) fn given_by(part: &GivenPart) -> String {
    match part.by() {
        GivenBy::Option => format!("option --set {}", part.written()),
        GivenBy::RemoteState => format!("option --remote-state {}", part.written()),
        GivenBy::Override => format!("override of {}", part.written().trim_matches('"')),
        GivenBy::Defaults => format!("mock of {}", part.written().trim_matches('"')),
    }
}

/// The argument that a path leads to.
enum Found<'r> {
    /// An argument, with the rest of the path in its value.
    Argument(Part<'r>, Vec<Key>),
    /// A block, or the whole resource: its arguments, each with its name.
    Arguments(Vec<(Part<'r>, String)>),
    /// Blocks that a `dynamic` block generates, whose number is unknown or hidden: its collection.
    Blocks(Part<'r>),
    /// No argument sets it.
    Nothing,
}

impl<'r> Builder<'r> {
    /// Whether the schema of a resource declares an attribute with one of these names sensitive.
    fn declares_secret<'n>(
        &self,
        instance: InstanceId,
        id: ResourceId,
        mut names: impl Iterator<Item = &'n str>,
    ) -> bool {
        let module = self.module(instance);
        let (key, resource) = module.resources.entry_of(id);
        let schema = self.evaluation().config.request.schemas.resource(module, key, resource);
        let sensitive = schema.map(|schema| schema.schema().sensitive_names()).unwrap_or_default();
        !sensitive.is_empty() && names.any(|name| sensitive.iter().any(|sensitive| *sensitive == name))
    }

    /// Whether the object around an argument, which has this value, marks a part as secret that is not marked in the expression.
    fn is_secret_argument(&self, value: &Value, part: &Part<'r>, name: &str) -> bool {
        let own = value.known_attributes().and_then(|all| all.get(name.trim_start_matches('.')));
        has_secret(value) && own.is_none_or(|own| lacks_marks(own, &part.value()))
    }

    /// Adds the arguments of a block, or of the whole resource, as inputs.
    fn arguments_of(
        &mut self,
        node: usize,
        instance: InstanceId,
        id: ResourceId,
        all: Vec<(Part<'r>, String)>,
    ) {
        let value = self.nodes.get(node).map_or_else(Value::error, |node| node.value.clone());
        for (part, name) in all.into_iter().filter(|(part, _)| !part.is_constant()) {
            let is_secret = self.is_secret_argument(&value, &part, &name)
                || self.declares_secret(instance, id, name.split(['.', '[']));
            let child = self.follow(secret(part, is_secret), Vec::new());
            self.input(node, Input::taken(child, Role::Argument).keyed(name));
        }
    }

    pub(super) fn resource(&mut self, node: usize, object: &ObjectRef, path: &[Key]) {
        let ObjectRef { instance, object: ObjectId::Resource(id, key) } = object else { return };
        let (instance, id) = (*instance, *id);
        let (_, resource) = self.module(instance).resources.entry_of(id);
        if let Some((given, place)) = self.given(instance, id, key, path) {
            let value = self.nodes.get(node).map_or_else(Value::error, |node| node.value.clone());
            let address = Some(given);
            let origin = self.source(instance, id, key, path).or(Some(SourceKind::Given));
            let child =
                self.add(ExplainNode { address, place, origin, ..ExplainNode::new(NodeKind::Given, value) });
            self.input(node, Input::taken(child, Role::Value));
            return;
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
            let expansion = &self.instance(instance).resources[id].expansion;
            let keys: Vec<InstanceKey> = expansion.iter().map(|(key, _)| key).collect();
            let object = |key| ObjectRef { instance, object: ObjectId::Resource(id, key) };
            return self.each_instance(node, &keys, object);
        }
        let Some(site) = self.site(instance, ScopeBlock::Resource(id), key) else { return };
        match self.find(&site, &resource.config, path) {
            Found::Argument(part, rest) => {
                let is_unknown = self.nodes.get(node).is_some_and(|node| !node.value.is_known());
                if is_unknown && rest.is_empty() && part.value().is_null() {
                    self.how(node, "configured as null, so the provider sets it");
                }
                let is_secret = self.declares_secret(instance, id, names(path));
                self.value_of(node, part, &rest, is_secret);
            }
            Found::Arguments(all) => {
                self.arguments_of(node, instance, id, all);
                if path.is_empty()
                    && let Some(expression) = resource.repetition.expression()
                {
                    self.instances(node, instance, expression);
                }
            }
            Found::Blocks(collection) => {
                let is_secret = self.declares_secret(instance, id, names(path));
                let child = self.follow(secret(collection, is_secret), Vec::new());
                self.input(node, Input::taken(child, Role::Instances));
            }
            Found::Nothing => {
                let is_id = matches!(path, [Key::Name(name)] if name == "id");
                let import = self.import(instance, id).filter(|_| is_id);
                let source = self.source(instance, id, key, path);
                self.not_configured(node, resource, import, source);
            }
        }
    }

    /// The given value that a path is a part of, as it was written, and its place.
    fn given(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        path: &[Key],
    ) -> Option<(String, Option<Subject>)> {
        let state = self.instance(instance);
        let value = state.resources[id].expansion.get(key)?;
        let is_output = matches!(path.first(), Some(Key::Name(name)) if name == "outputs");
        let remote = self.evaluation().remote_state(state, id, key, value).flatten().filter(|_| is_output);
        if let Some(part) = remote {
            return Some((given_by(part), None));
        }
        let parts = self.evaluation().given_for_resource(state, id, key, value);
        let found =
            parts.into_iter().find(|part| !path.is_empty() && path::starts_with(path, part.names()))?;
        Some((given_by(found), found.place().cloned()))
    }

    /// Where the attribute that a path begins with comes from, if its value is not of the configuration.
    fn source(
        &self,
        instance: InstanceId,
        id: ResourceId,
        key: &InstanceKey,
        path: &[Key],
    ) -> Option<SourceKind> {
        let state = self.instance(instance);
        let value = state.resources[id].expansion.get(key)?;
        let Some(Key::Name(name)) = path.first() else { return None };
        let mut sources = self.report.resource_sources(state, id, key, value);
        sources.find(|source| source.path.strip_prefix('.') == Some(name)).map(|source| source.kind)
    }

    /// An attribute that no argument sets: the provider, its schema or `source` gives the value.
    /// A known `id` is that of the `import` block.
    fn not_configured(
        &mut self,
        node: usize,
        resource: &'r Resource,
        import: Option<&'r Import>,
        source: Option<SourceKind>,
    ) {
        let Some(found) = self.nodes.get(node) else { return };
        let value = found.value.clone();
        let import = import.filter(|_| value.is_known() && source.is_none());
        let declaration = import.map_or(&resource.declaration, |import| &import.declaration);
        let place = Subject { file: Arc::clone(&declaration.file), span: declaration.span };
        let kind = value.origins().as_slice().first().map(|origin| origin.kind);
        let how = match kind {
            Some(OriginKind::DataSource) => "read by the provider",
            Some(OriginKind::Error) => "an error is reported",
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
        self.input(node, Input::taken(child, Role::Value));
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

    /// The `import` block about a resource. None with a state, which may have the object already.
    fn import(&self, instance: InstanceId, id: ResourceId) -> Option<&'r Import> {
        let (key, _) = self.module(instance).resources.entry_of(id);
        let path = self.instance(instance).path.without_keys();
        let (_, root) =
            self.evaluation().config.nodes().next().filter(|_| self.evaluation().config.prior().is_none())?;
        let is_meant = |import: &&Import| {
            import.to.resource.as_ref() == Some(key) && import.to.module.without_keys() == path
        };
        root.module.imports.iter().find(is_meant)
    }

    /// The argument at the end of a path in the content of a block.
    fn find(&self, site: &Site<'r>, body: &Body, path: &[Key]) -> Found<'r> {
        let (mut site, mut body, mut path) = (site.clone(), body.clone(), path);
        loop {
            let content = body.open_content(&mut Diagnostics::new());
            let Some((Key::Name(name), rest)) = path.split_first() else {
                return Found::Arguments(arguments(&site, &content));
            };
            if let Some(attribute) = content.attribute(name) {
                let expression = attribute.expression(&mut Diagnostics::new());
                return Found::Argument(site.part(expression), rest.to_vec());
            }
            let (position, rest) = match rest.split_first() {
                Some((Key::Position(position), rest)) => (*position, rest),
                Some((Key::Name(_) | Key::Member(_), _)) | None => (0, rest),
            };
            match self.block(&site, &content, name, position) {
                Some((inner, block)) => (site, body, path) = (inner, block, rest),
                None => return collection_of(&site, &content, name).map_or(Found::Nothing, Found::Blocks),
            }
        }
    }

    /// The block of a type at a position, with its names: blocks that a `dynamic` block generates have its iterator.
    fn block(
        &self,
        site: &Site<'r>,
        content: &Content,
        name: &str,
        position: usize,
    ) -> Option<(Site<'r>, Body)> {
        let mut before = 0;
        for block in &content.blocks {
            let label = block.labels.first().map(|label: &Label| label.text.clone());
            if *block.block_type == *name {
                if before == position {
                    return Some((site.clone(), block.body.clone()));
                }
                before += 1;
            } else if &*block.block_type == "dynamic" && label.as_deref() == Some(name) {
                let inner = block.body.open_content(&mut Diagnostics::new());
                let for_each = inner.attribute("for_each")?.expression(&mut Diagnostics::new());
                let collection = Arc::new(site.part(for_each));
                let value = collection.value();
                let count = count(&value).filter(|_| !self.hides(&value))?;
                if position >= before + count {
                    before += count;
                    continue;
                }
                let iterator = inner.attribute("iterator").map(terrane_body::Attribute::reference);
                let iterator = iterator.and_then(|named| named.tree.root_name(named.id).map(SmolStr::from));
                let (key, one) = element(&value, position - before)?;
                let object = Value::object([("key".into(), key), ("value".into(), one)]);
                let inside = site.inside([Bound {
                    name: iterator.or(label)?,
                    value: object,
                    kind: BoundKind::Iterator,
                    element: Key::of_element(&value, position - before),
                    collection,
                }]);
                let content = inner.blocks_of("content").next()?;
                return Some((inside, content.body.clone()));
            }
        }
        None
    }
}

/// The names of attributes in a path.
fn names(path: &[Key]) -> impl Iterator<Item = &str> {
    path.iter().filter_map(|key| match key {
        Key::Name(name) => Some(name.as_str()),
        Key::Position(_) | Key::Member(_) => None,
    })
}

/// The collection of the `dynamic` block that generates blocks of a type.
fn collection_of<'r>(site: &Site<'r>, content: &Content, name: &str) -> Option<Part<'r>> {
    let is_meant = |label: &Label| &*label.text == name;
    let mut blocks = content.blocks_of("dynamic");
    let block = blocks.find(|block| block.labels.first().is_some_and(is_meant))?;
    let inner = block.body.open_content(&mut Diagnostics::new());
    Some(site.part(inner.attribute("for_each")?.expression(&mut Diagnostics::new())))
}

/// The arguments of a block and of its nested blocks. A `dynamic` block has one argument here, its collection.
fn arguments<'r>(site: &Site<'r>, content: &Content) -> Vec<(Part<'r>, String)> {
    let mut found = Vec::new();
    let mut left: Vec<(String, Content)> = vec![(String::new(), content.clone())];
    while let Some((prefix, content)) = left.pop() {
        for attribute in content.attributes.values() {
            let expression = attribute.expression(&mut Diagnostics::new());
            found.push((site.part(expression), format!("{prefix}.{}", attribute.name)));
        }
        for block in &content.blocks {
            let inner = block.body.open_content(&mut Diagnostics::new());
            match block.labels.first().filter(|_| &*block.block_type == "dynamic") {
                Some(label) => {
                    let for_each = inner.attribute("for_each");
                    let for_each = for_each.map(|attribute| attribute.expression(&mut Diagnostics::new()));
                    found.extend(for_each.map(|each| (site.part(each), format!("{prefix}.{}", label.text))));
                }
                None => left.push((format!("{prefix}.{}", block.block_type), inner)),
            }
        }
    }
    found
}
