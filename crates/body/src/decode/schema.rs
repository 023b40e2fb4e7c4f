//! [`Schema`]: the attributes and blocks of a provider object, and the [`Spec`] that decodes its configuration.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use terrane_source::sorted_map;
use terrane_value::{ObjectType, SmolStr, Type, Value};

use super::spec::{BodySpec, Collection, Spec, Usage};
use crate::body_schema::BodySchema;

/// The schema of a block that a provider defines: attributes with types, and nested blocks.
///
/// ```
/// use terrane_body::{Nesting, Schema, SchemaAttribute};
/// use terrane_value::Type;
///
/// let tag = Schema::new().attribute("key", SchemaAttribute::required(Type::String));
/// let schema = Schema::new()
///     .attribute("id", SchemaAttribute::computed(Type::String))
///     .block("tag", Nesting::Set, tag);
/// assert_eq!(schema.ty().to_string(), "object({id=string,tag=set(object({key=string}))})");
/// ```
#[derive(Clone, Default, Debug)]
pub struct Schema {
    attributes: Attributes,
    blocks: BTreeMap<SmolStr, SchemaBlock>,
    version: u64,
    /// A cached fact: whether an attribute is sensitive or write-only, at any depth.
    pub(super) has_secrets: OnceLock<bool>,
    /// A cached fact: the names that a body may write.
    pub(super) written_names: OnceLock<BodySchema>,
}

/// An attribute of a [`Schema`].
#[derive(Clone, Debug)]
pub struct SchemaAttribute {
    /// The type. Attributes of objects in it may be optional.
    pub ty: Type,
    /// Whether it must be set.
    pub required: bool,
    /// Whether it may be set.
    pub optional: bool,
    /// Whether the provider sets it.
    pub computed: bool,
    /// Whether its value is sensitive.
    pub sensitive: bool,
    /// Whether the provider receives the value without storing it. It reads as null.
    pub write_only: bool,
    /// The nested objects, if the attribute is an object or a collection of objects with its own schema.
    nested: Option<NestedAttributes>,
}

/// The nested objects of an attribute.
#[derive(Clone, Debug)]
pub struct NestedAttributes {
    /// The collection of the objects.
    pub nesting: Nesting,
    /// The attributes of each object by name.
    pub attributes: BTreeMap<SmolStr, SchemaAttribute>,
}

/// Attributes by name.
pub(super) type Attributes = BTreeMap<SmolStr, SchemaAttribute>;

/// A block type of a [`Schema`].
#[derive(Clone, Debug)]
pub struct SchemaBlock {
    /// The collection of the blocks.
    pub nesting: Nesting,
    /// The schema of their bodies.
    pub schema: Schema,
    /// The fewest blocks allowed.
    pub min: usize,
    /// The most blocks allowed; 0 for any number.
    pub max: usize,
}

/// The collection of nested blocks or objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// One object, or null.
    Single,
    /// One object; if there is no block, the value of an empty body.
    Group,
    /// A list.
    List,
    /// A set.
    Set,
    /// A map, whose keys are the labels of the blocks.
    Map,
}

impl SchemaAttribute {
    fn new(ty: Type) -> SchemaAttribute {
        SchemaAttribute {
            ty,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            nested: None,
        }
    }

    /// Returns a required attribute.
    pub fn required(ty: Type) -> SchemaAttribute {
        SchemaAttribute { required: true, ..SchemaAttribute::new(ty) }
    }

    /// Returns an optional attribute.
    pub fn optional(ty: Type) -> SchemaAttribute {
        SchemaAttribute { optional: true, ..SchemaAttribute::new(ty) }
    }

    /// Returns an attribute that the provider sets.
    pub fn computed(ty: Type) -> SchemaAttribute {
        SchemaAttribute { computed: true, ..SchemaAttribute::new(ty) }
    }

    /// Returns an optional attribute that is an object, or a collection of objects, with these attributes.
    pub fn nested<'n>(
        nesting: Nesting,
        attributes: impl IntoIterator<Item = (&'n str, SchemaAttribute)>,
    ) -> SchemaAttribute {
        let attributes: Attributes =
            sorted_map(attributes.into_iter().map(|(name, attribute)| (SmolStr::from(name), attribute)));
        let types = attributes.iter().map(|(name, attribute)| (name.clone(), attribute.ty.clone()));
        let optional = attributes.iter().filter(|(_, attribute)| attribute.optional || attribute.computed);
        let optional = optional.map(|(name, _)| name.clone());
        let object = Type::Object(Arc::new(ObjectType::with_optional(types, optional)));
        let ty = match nesting {
            Nesting::Single | Nesting::Group => object,
            Nesting::List => Type::list(object),
            Nesting::Set => Type::set(object),
            Nesting::Map => Type::map(object),
        };
        let nested = Some(NestedAttributes { nesting, attributes });
        SchemaAttribute { optional: true, nested, ..SchemaAttribute::new(ty) }
    }

    /// Returns the nested objects; `None` if the attribute has only a type.
    pub fn nested_attributes(&self) -> Option<&NestedAttributes> {
        self.nested.as_ref()
    }

    /// Returns the usage that the checks enforce. Like hcldec, the decoder itself checks only required attributes.
    fn usage(&self, checks: Checks) -> Usage {
        match checks {
            Checks::Decoder if self.required => Usage::Required,
            Checks::Provider if self.required => Usage::NotNull,
            Checks::Provider if self.computed && !self.optional => Usage::ReadOnly,
            Checks::Decoder | Checks::Provider => Usage::Optional,
        }
    }

    /// Whether it may be written as blocks: it is a list or a set of objects.
    pub(super) fn may_be_blocks(&self) -> bool {
        match &self.ty {
            Type::List(element) | Type::Set(element) => matches!(**element, Type::Object(_)),
            Type::Bool
            | Type::Number
            | Type::String
            | Type::Dynamic
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_) => false,
        }
    }

    /// Whether schemas of old providers did not have its type.
    fn is_modern(&self) -> bool {
        let is_object = |ty: &Type| matches!(ty, Type::Object(_));
        let nested = |ty: &Type| {
            ty.element().is_some_and(|element| {
                element.is_collection() && element.element().is_some_and(|inner| !inner.is_primitive())
            })
        };
        let by_type = match &self.ty {
            Type::Tuple(_) | Type::Object(_) => true,
            Type::Map(element) => is_object(element) || nested(&self.ty),
            Type::List(_) | Type::Set(_) => nested(&self.ty),
            Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
        };
        self.nested.is_some() || by_type
    }
}

impl SchemaBlock {
    /// Returns any number of blocks.
    pub fn new(nesting: Nesting, schema: Schema) -> SchemaBlock {
        SchemaBlock { nesting, schema, min: 0, max: 0 }
    }

    /// Returns the spec of the blocks, and the value if there is no block.
    fn expand(&self, name: &str, options: SpecOptions) -> Expansion {
        let Expansion { spec, empty: empty_body } = self.schema.expand(options);
        let nested = match options.modern {
            true => BodySpec::new(spec),
            false => BodySpec::new(spec).without_marks_of_blocks(),
        };
        let nested = Arc::new(nested);
        let block_type: SmolStr = SmolStr::from(name);
        let ty = nested.ty().clone();
        let dynamic = ty.has_dynamic();
        let required = self.min == 1;
        let (min, max) = (self.min, self.max);
        let blocks = |collection, nested| Spec::Blocks {
            block_type: block_type.clone(),
            collection,
            nested,
            min,
            max,
        };
        match self.nesting {
            Nesting::Single => {
                Expansion { spec: Spec::Block { block_type, nested, required }, empty: Value::null(ty) }
            }
            Nesting::Group => {
                let primary = Box::new(Spec::Block { block_type, nested, required });
                let default = Box::new(Spec::Literal(empty_body.clone()));
                Expansion { spec: Spec::Default { primary, default }, empty: empty_body }
            }
            Nesting::List if dynamic => {
                Expansion { spec: blocks(Collection::Tuple, nested), empty: Value::tuple([]) }
            }
            Nesting::List => Expansion { spec: blocks(Collection::List, nested), empty: Value::list(ty, []) },
            Nesting::Set => Expansion { spec: blocks(Collection::Set, nested), empty: Value::set(ty, []) },
            Nesting::Map => {
                let labels = vec!["key".to_owned()];
                let empty = if dynamic { Value::object([]) } else { Value::map(ty, []) };
                Expansion {
                    spec: Spec::LabelledBlocks { block_type, labels, object: dynamic, nested },
                    empty,
                }
            }
        }
    }
}

impl Schema {
    /// Returns an empty schema.
    pub fn new() -> Schema {
        Schema::default()
    }

    /// Returns this schema with one more attribute.
    #[must_use]
    pub fn attribute(mut self, name: &str, attribute: SchemaAttribute) -> Schema {
        self.clear_cached();
        self.attributes.insert(SmolStr::from(name), attribute);
        self
    }

    /// Returns this schema with one more block type, with any number of blocks.
    #[must_use]
    pub fn block(self, name: &str, nesting: Nesting, schema: Schema) -> Schema {
        self.block_type(name, SchemaBlock::new(nesting, schema))
    }

    /// Returns this schema with one more block type.
    #[must_use]
    pub fn block_type(mut self, name: &str, block: SchemaBlock) -> Schema {
        self.clear_cached();
        self.blocks.insert(SmolStr::from(name), block);
        self
    }

    /// Clears the cached facts about the schema, which a change makes stale.
    fn clear_cached(&mut self) {
        self.has_secrets.take();
        self.written_names.take();
    }

    /// Returns this schema with the version that its provider gives it.
    #[must_use]
    pub fn versioned(self, version: u64) -> Schema {
        Schema { version, ..self }
    }

    /// Returns the version of the schema, which a provider raises to migrate stored values; 0 if it is not set.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether the schema has the `id` that the legacy plugin SDK gives every resource: optional and computed. Schemas of this
    /// SDK do not tell which arguments have defaults, nor which blocks the provider computes.
    pub fn is_of_legacy_sdk(&self) -> bool {
        self.attributes.get("id").is_some_and(|id| id.optional && id.computed)
    }

    /// Returns the attributes by name.
    pub fn attributes(&self) -> &BTreeMap<SmolStr, SchemaAttribute> {
        &self.attributes
    }

    /// Returns the block types by name.
    pub fn blocks(&self) -> &BTreeMap<SmolStr, SchemaBlock> {
        &self.blocks
    }

    /// Returns the type of the value of such a body.
    pub fn ty(&self) -> Type {
        self.spec().ty()
    }

    /// Returns the spec that decodes such a body. An attribute that is a list or set of objects may be written as
    /// blocks, unless the schema uses types that old providers did not have.
    pub fn spec(&self) -> Spec {
        self.spec_with(SpecOptions { modern: self.is_modern(), checks: Checks::Decoder })
    }

    /// Does the same as [`Schema::spec`], with the checks of every provider: a required attribute must not be null, and
    /// an attribute that the provider sets must not be configured.
    pub fn configuration_spec(&self) -> Spec {
        self.spec_with(SpecOptions { modern: self.is_modern(), checks: Checks::Provider })
    }

    fn spec_with(&self, options: SpecOptions) -> Spec {
        self.expand(options).spec
    }

    /// Returns the spec of such a body and the value of an empty one. Both come from one pass over the nested schemas,
    /// because the spec of a group contains the value of its empty body.
    fn expand(&self, options: SpecOptions) -> Expansion {
        let mut parts: BTreeMap<SmolStr, Expansion> = BTreeMap::new();
        for (name, block) in &self.blocks {
            parts.insert(name.clone(), block.expand(name, options));
        }
        for (name, attribute) in &self.attributes {
            let spec = attribute_spec(name, attribute, options);
            let empty = Value::null(attribute.ty.without_optional());
            parts.insert(name.clone(), Expansion { spec, empty });
        }
        let values = parts.iter().map(|(name, part)| (name.clone(), part.empty.clone()));
        let empty = Value::object(values.collect::<Vec<_>>());
        Expansion {
            spec: Spec::Object(parts.into_iter().map(|(name, part)| (name, part.spec)).collect()),
            empty,
        }
    }

    fn is_modern(&self) -> bool {
        self.attributes.values().any(SchemaAttribute::is_modern)
            || self.blocks.values().any(|block| block.schema.is_modern())
    }

    /// Returns the schema of blocks that are objects of a type.
    fn of_object(object: &ObjectType) -> Schema {
        let attribute = |(name, ty): &(SmolStr, Type)| (name.clone(), SchemaAttribute::optional(ty.clone()));
        Schema { attributes: sorted_map(object.attributes().iter().map(attribute)), ..Schema::default() }
    }
}

/// The result of expanding a schema or a block type.
struct Expansion {
    spec: Spec,
    /// The value if the body is empty, or there are no blocks.
    empty: Value,
}

/// Options of the spec of a schema.
#[derive(Clone, Copy, Debug)]
struct SpecOptions {
    /// Whether the schema uses types that old providers did not have.
    modern: bool,
    checks: Checks,
}

/// The checks of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Checks {
    /// Only the checks of the decoder.
    Decoder,
    /// The checks of the decoder and of the provider.
    Provider,
}

fn attribute_spec(name: &SmolStr, attribute: &SchemaAttribute, options: SpecOptions) -> Spec {
    let name = name.clone();
    let ty = attribute.ty.clone();
    if !options.modern
        && attribute.may_be_blocks()
        && let Some(Type::Object(object)) = ty.element()
    {
        let nested = Schema::of_object(object);
        let nested = Arc::new(BodySpec::new(nested.spec()));
        return Spec::AttributeOrBlocks { name, ty, nested };
    }
    Spec::Attribute { name, ty, usage: attribute.usage(options.checks) }
}
