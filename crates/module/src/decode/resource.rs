//! Decodes `resource`, `data` and `ephemeral` blocks.

use std::sync::OnceLock;

use terrane_body::{Attribute, Block, Body, Content};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, Title, ids, titles};
use terrane_syntax::tree::Block as Nested;
use terrane_value::SmolStr;

use crate::decode::block_type::BlockType;
use crate::decode::decoder::{Decoder, duplicate};
use crate::decode::displaced_argument::lacks_equals_sign;
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::{Resource, ResourceKey};

impl Decoder<'_> {
    /// A `resource`, `data` or `ephemeral` block, which may be in a `check` block.
    pub(crate) fn resource(&mut self, block: &Block, check: Option<&SmolStr>) {
        let (key, resource) = self.resource_block(block);
        self.add_resource(key, Resource { check: check.cloned(), ..resource });
    }

    /// A `data` block in a `check` block: it has no instances and no life of its own.
    pub(crate) fn nested_data(&mut self, block: &Block, check: &SmolStr) {
        let mut unreported = Diagnostics::new();
        let (content, _) = block.body.partial_content(schema::data(), &mut unreported);
        for name in ["count", "for_each"] {
            if let Some(attribute) = content.attribute(name) {
                let detail = format!("A data source in a `check` block has one instance: remove `{name}`.");
                self.diagnostics.push(
                    Diagnostic::error(ids::NESTED_DATA, detail)
                        .titled(titles::invalid_attribute(name))
                        .at(attribute.source(), attribute.name_span),
                );
            }
        }
        for lifecycle in content.blocks_of("lifecycle") {
            let detail = "A data source in a `check` block lives as long as the check: remove `lifecycle`.";
            self.error_at(ids::NESTED_DATA, detail, lifecycle, titles::INVALID_LIFECYCLE_BLOCK);
        }
        self.resource(block, Some(check));
    }

    pub(crate) fn add_resource(&mut self, key: ResourceKey, resource: Resource) {
        if let Some(earlier) = self.module.resources.get(&key) {
            let ResourceKey { mode, resource_type, name } = &key;
            let block_type = mode.block_type();
            let kind = format!("{block_type} block \"{resource_type}\"");
            let id = ids::DUPLICATE_RESOURCE;
            self.diagnostics.push(
                duplicate(id, &kind, name, &earlier.declaration, &resource.declaration)
                    .titled(titles::duplicate_resource(block_type, resource_type)),
            );
            return;
        }
        self.module.resources.insert(key, resource);
    }

    /// A resource with its mode, type and name.
    pub(crate) fn resource_block(&mut self, block: &Block) -> (ResourceKey, Resource) {
        let (type_label, name_label) = (block.label(0), block.label(1));
        let (mode, schema) = match &*block.block_type {
            "data" => (ResourceMode::Data, schema::data()),
            "ephemeral" => (ResourceMode::Ephemeral, schema::resource()),
            _ => (ResourceMode::Managed, schema::resource()),
        };
        let (type_id, name_id) = match mode {
            ResourceMode::Managed | ResourceMode::Action => {
                (ids::INVALID_RESOURCE_TYPE, ids::INVALID_RESOURCE_NAME)
            }
            ResourceMode::Data => (ids::INVALID_DATA_TYPE, ids::INVALID_DATA_NAME),
            ResourceMode::Ephemeral => (ids::INVALID_EPHEMERAL_TYPE, ids::INVALID_EPHEMERAL_NAME),
        };
        let type_place = block.place_of(&type_label);
        let has_type = self.check_name(&type_label.text, type_id, &type_place);
        let has_name = self.check_name(&name_label.text, name_id, &block.place_of(&name_label));
        if !has_type || !has_name {
            self.hide(DeclarationKind::Resource(mode), &[&*type_label.text, &*name_label.text]);
        }
        let (content, mut config) = block.body.partial_content(schema, self.diagnostics);
        let allowed: &[&str] = &["lifecycle", "connection", "provisioner", "_"];
        let owner = if mode == ResourceMode::Managed { "resource" } else { mode.block_type() };
        self.reserved_blocks(&content, allowed, owner);
        if let Some(rest) = self.without_blocks_as_arguments(block, &config) {
            config = rest;
        }
        if let Some(escaped) = self.only(&content, "_", "resource") {
            config.join(escaped.body.clone());
        }
        self.reject_data_blocks(mode, &config);
        let lifecycle = self.only(&content, "lifecycle", "resource");
        let written_lifecycle = lifecycle.map(|block| Box::new(block.body.clone()));
        let key = ResourceKey { mode, resource_type: type_label.text, name: name_label.text };
        let lifecycle = self.lifecycle(lifecycle, &key);
        let repetition = self.repetition(&content, lifecycle.content.as_ref());
        let (connection, provisioners) = self.execution(&content, mode);
        let provider = content.attribute("provider").map(Attribute::reference);
        let resource = Resource {
            declaration: block.declaration(),
            type_label: type_place,
            repetition,
            check: None,
            provider: provider
                .and_then(|expression| self.provider_ref(&expression, "provider"))
                .map(Box::new),
            config,
            depends_on: content.attribute("depends_on").map(Attribute::reference),
            lifecycle: lifecycle.rules,
            written_lifecycle,
            configured: OnceLock::new(),
            preconditions: lifecycle.preconditions,
            postconditions: lifecycle.postconditions,
            connection: connection.map(Box::new),
            provisioners,
        };
        (key, resource)
    }

    /// Reports the blocks of a resource that can only be arguments of every resource without their equals signs. Returns the body without
    /// them; `None` if there are none.
    fn without_blocks_as_arguments(&mut self, block: &Block, body: &Body) -> Option<Body> {
        let (tree, id) = body.as_native()?;
        let is_argument = |nested: &&Nested| schema::RESOURCE_ARGUMENTS.contains(&tree.block_type(nested));
        let found: Vec<&Nested> = tree.blocks(id).filter(is_argument).collect();
        if found.is_empty() {
            return None;
        }
        let report = |nested: &&Nested| {
            let (name, owner) = (tree.block_type(nested), &block.block_type);
            let detail = format!("`{name}` is an argument of a `{owner}` block: write `{name} = …`.");
            Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(tree.source(), nested.block_type)
        };
        let mistakes: Vec<Diagnostic> = found.iter().map(report).collect();
        let labels: Vec<SmolStr> = block.labels.iter().map(|label| label.text.clone()).collect();
        let affects_whole =
            found.iter().any(|nested| lacks_equals_sign(&block.block_type, tree.block_type(nested)));
        if let Some(object) = BlockType::named(&block.block_type).and_then(|found| found.object(&labels))
            && affects_whole
        {
            self.doubt_content(object, body, &mistakes);
        }
        self.diagnostics.extend(mistakes);
        Some(body.without(schema::resource_arguments_as_blocks()))
    }

    /// Blocks that only a `resource` block has, in a `data` block, where the provider has none of these names.
    fn reject_data_blocks(&mut self, mode: ResourceMode, config: &Body) {
        let has_blocks = config.as_native().is_none_or(|(tree, body)| tree.blocks(body).next().is_some());
        if mode != ResourceMode::Data || config.is_json() || !has_blocks {
            return;
        }
        let content: Content = config.open_content(&mut Diagnostics::new());
        for block_type in ["provisioner", "connection"] {
            for block in content.blocks_of(block_type) {
                let detail = format!(
                    "A `data` block cannot have a `{block_type}` block, because nothing runs when \
                             data is read."
                );
                self.error_at(ids::UNSUPPORTED_BLOCK, detail, block, Title::of(ids::UNSUPPORTED_BLOCK));
            }
        }
    }
}
