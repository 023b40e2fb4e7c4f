//! [`BodySchema`]: the attribute names and block types that a body may have.

use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use terrane_value::SmolStr;

/// The type of the blocks that generate other blocks.
pub const DYNAMIC: &str = "dynamic";

/// The attribute names and block types that a body may have, with the names of the labels of each block type.
///
/// ```
/// use terrane_body::BodySchema;
///
/// let schema = BodySchema::new().required("source").optional("version").block("provider", &["name"]);
/// assert_eq!(schema.labels("provider"), Some(&["name".to_owned()][..]));
/// ```
#[derive(Clone, Default, Debug)]
pub struct BodySchema(Arc<NamesOfSchema>);

/// The names of a schema, shared by the bodies that were read with it.
#[derive(Clone, Default, Debug)]
struct NamesOfSchema {
    /// The attributes, and whether each is required.
    attributes: IndexMap<SmolStr, bool, RandomState>,
    /// The names of the labels by block type.
    blocks: IndexMap<SmolStr, Vec<String>, RandomState>,
    attribute_advice: Option<&'static str>,
    block_advice: Option<&'static str>,
}

impl BodySchema {
    /// Returns an empty schema.
    pub fn new() -> BodySchema {
        BodySchema::default()
    }

    fn names(&mut self) -> &mut NamesOfSchema {
        Arc::make_mut(&mut self.0)
    }

    /// Returns this schema with a required attribute.
    #[must_use]
    pub fn required(mut self, name: &str) -> BodySchema {
        self.add_attribute(name, true);
        self
    }

    /// Returns this schema with an optional attribute.
    #[must_use]
    pub fn optional(mut self, name: &str) -> BodySchema {
        self.add_attribute(name, false);
        self
    }

    /// Returns this schema with several optional attributes.
    #[must_use]
    pub fn all_optional(mut self, names: &[&str]) -> BodySchema {
        names.iter().for_each(|name| self.add_attribute(name, false));
        self
    }

    /// Returns this schema with every attribute optional.
    #[must_use]
    pub fn nothing_required(mut self) -> BodySchema {
        self.names().attributes.values_mut().for_each(|is_required| *is_required = false);
        self
    }

    /// Returns this schema with a block type that has labels of these names.
    #[must_use]
    pub fn block(mut self, block_type: &str, labels: &[&str]) -> BodySchema {
        self.add_block(block_type, labels.iter().map(|label| (*label).to_owned()).collect());
        self
    }

    /// Returns this schema with a sentence for diagnostics about unsupported attributes.
    #[must_use]
    pub fn attribute_advice(mut self, advice: &'static str) -> BodySchema {
        self.names().attribute_advice = Some(advice);
        self
    }

    /// Returns this schema with a sentence for diagnostics about unsupported block types.
    #[must_use]
    pub fn block_advice(mut self, advice: &'static str) -> BodySchema {
        self.names().block_advice = Some(advice);
        self
    }

    /// Adds an attribute. If two have the same name, it is required if one of them is.
    pub(crate) fn add_attribute(&mut self, name: &str, is_required: bool) {
        let attributes = &mut self.names().attributes;
        match attributes.get_mut(name) {
            Some(required) => *required |= is_required,
            None => _ = attributes.insert(SmolStr::from(name), is_required),
        }
    }

    /// Adds a block type, or replaces its labels if the schema has it already.
    pub(crate) fn add_block(&mut self, block_type: &str, labels: Vec<String>) {
        self.names().blocks.insert(SmolStr::from(block_type), labels);
    }

    /// Whether a body may have the attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.0.attributes.contains_key(name)
    }

    /// Whether a body may have blocks of the type.
    pub(crate) fn has_block(&self, block_type: &str) -> bool {
        self.0.blocks.contains_key(block_type)
    }

    /// Returns the names of the labels of a block type; `None` if the schema has no such blocks.
    pub fn labels(&self, block_type: &str) -> Option<&[String]> {
        self.0.blocks.get(block_type).map(Vec::as_slice)
    }

    /// Returns the name of an attribute as stored in the schema, which is cheap to clone.
    pub(crate) fn find_attribute(&self, name: &str) -> Option<&SmolStr> {
        self.0.attributes.get_key_value(name).map(|(name, _)| name)
    }

    /// Returns a block type as stored in the schema, with the names of its labels.
    pub(crate) fn find_block(&self, block_type: &str) -> Option<(&SmolStr, &[String])> {
        self.0.blocks.get_key_value(block_type).map(|(block_type, labels)| (block_type, labels.as_slice()))
    }

    /// Returns the names of the attributes.
    pub fn attribute_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.attributes.keys()
    }

    /// Returns the number of names.
    pub(crate) fn number_of_names(&self) -> usize {
        self.0.attributes.len() + self.0.blocks.len()
    }

    pub(crate) fn required_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.attributes.iter().filter(|(_, is_required)| **is_required).map(|(name, _)| name)
    }

    /// Returns the types of the blocks.
    pub fn block_types(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.blocks.keys()
    }

    pub(crate) fn advice_on_attributes(&self) -> Option<&'static str> {
        self.0.attribute_advice
    }

    pub(crate) fn advice_on_blocks(&self) -> Option<&'static str> {
        self.0.block_advice
    }
}
