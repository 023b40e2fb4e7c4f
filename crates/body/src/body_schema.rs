use std::collections::HashMap;

use terrane_value::SmolStr;

/// The names that a body may have: those of its attributes, and the types of its blocks with what their labels are.
///
/// ```
/// use terrane_body::BodySchema;
///
/// let schema = BodySchema::new().required("source").optional("version").block("provider", &["name"]);
/// assert_eq!(schema.labels("provider"), Some(&["name".to_owned()][..]));
/// ```
#[derive(Clone, Default, Debug)]
pub struct BodySchema {
    attributes: Vec<(SmolStr, bool)>,
    blocks: Vec<(SmolStr, Vec<String>)>,
    attribute_places: HashMap<SmolStr, usize>,
    block_places: HashMap<SmolStr, usize>,
    attribute_advice: Option<&'static str>,
    block_advice: Option<&'static str>,
}

impl BodySchema {
    /// A schema without any name.
    pub fn new() -> BodySchema {
        BodySchema::default()
    }

    /// The same schema with an attribute that must be set.
    #[must_use]
    pub fn required(mut self, name: &str) -> BodySchema {
        self.add_attribute(name, true);
        self
    }

    /// The same schema with an attribute that may be set.
    #[must_use]
    pub fn optional(mut self, name: &str) -> BodySchema {
        self.add_attribute(name, false);
        self
    }

    /// The same schema with attributes that may be set.
    #[must_use]
    pub fn all_optional(mut self, names: &[&str]) -> BodySchema {
        names.iter().for_each(|name| self.add_attribute(name, false));
        self
    }

    /// The same schema in which no attribute must be set.
    #[must_use]
    pub fn nothing_required(mut self) -> BodySchema {
        self.attributes.iter_mut().for_each(|(_, is_required)| *is_required = false);
        self
    }

    /// The same schema with a block type that has labels of these names.
    #[must_use]
    pub fn block(mut self, block_type: &str, labels: &[&str]) -> BodySchema {
        self.add_block(block_type, labels.iter().map(|label| (*label).to_owned()).collect());
        self
    }

    /// The same schema with a sentence that is added to the message about an attribute that there is not.
    #[must_use]
    pub fn attribute_advice(mut self, advice: &'static str) -> BodySchema {
        self.attribute_advice = Some(advice);
        self
    }

    /// The same schema with a sentence that is added to the message about a block type that there is not.
    #[must_use]
    pub fn block_advice(mut self, advice: &'static str) -> BodySchema {
        self.block_advice = Some(advice);
        self
    }

    /// Adds an attribute. One that is required once is required.
    pub(crate) fn add_attribute(&mut self, name: &str, required: bool) {
        if let Some(place) = self.attribute_places.get(name) {
            if let Some((_, is_required)) = self.attributes.get_mut(*place) {
                *is_required |= required;
            }
            return;
        }
        let name: SmolStr = SmolStr::from(name);
        self.attribute_places.insert(name.clone(), self.attributes.len());
        self.attributes.push((name, required));
    }

    /// Adds a block type; of several of the same name, the labels of the last one hold.
    pub(crate) fn add_block(&mut self, block_type: &str, labels: Vec<String>) {
        if let Some(place) = self.block_places.get(block_type) {
            if let Some((_, known)) = self.blocks.get_mut(*place) {
                *known = labels;
            }
            return;
        }
        let block_type: SmolStr = SmolStr::from(block_type);
        self.block_places.insert(block_type.clone(), self.blocks.len());
        self.blocks.push((block_type, labels));
    }

    /// Whether a body may have the attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.find_attribute(name).is_some()
    }

    /// What the labels of blocks of a type are; none where there are no such blocks.
    pub fn labels(&self, block_type: &str) -> Option<&[String]> {
        self.find_block(block_type).map(|(_, labels)| labels)
    }

    pub(crate) fn find_attribute(&self, name: &str) -> Option<&SmolStr> {
        let place = self.attribute_places.get(name)?;
        self.attributes.get(*place).map(|(name, _)| name)
    }

    pub(crate) fn find_block(&self, block_type: &str) -> Option<(&SmolStr, &[String])> {
        let place = self.block_places.get(block_type)?;
        self.blocks.get(*place).map(|(name, labels)| (name, labels.as_slice()))
    }

    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.attributes.iter().map(|(name, _)| name)
    }

    pub(crate) fn required_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.attributes.iter().filter(|(_, required)| *required).map(|(name, _)| name)
    }

    pub(crate) fn block_types(&self) -> impl Iterator<Item = &SmolStr> {
        self.blocks.iter().map(|(name, _)| name)
    }

    pub(crate) fn advice(&self) -> (Option<&'static str>, Option<&'static str>) {
        (self.attribute_advice, self.block_advice)
    }
}
