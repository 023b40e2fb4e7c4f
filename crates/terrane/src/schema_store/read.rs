//! Reads schema files.
//!
//! Opening a file checks every record once, without building schemas. The schema of a resource type is built at the first
//! request for it. Records refer only to records before them, and the size of each is known before it is expanded, so a hostile
//! file can exhaust neither stack nor memory.

use std::sync::Arc;

use terrane_body::{Nesting, Schema, SchemaAttribute, SchemaBlock};
use terrane_config::Version;
use terrane_module::provider::ProviderAddress;
use terrane_module::{ProviderSchema, ResourceType, SchemaTable, Schemas};
use terrane_value::{MAX_DEPTH, ObjectType, SmolStr, Type};

use super::format::{FieldReader, Section, Sections, StoreError, Table, flags, mode, nesting, types};
use crate::schema::MAX_PARTS;

/// The most types of one schema, including types in types.
const MAX_TYPES: usize = 500_000;

/// The most levels of nested blocks. The JSON form has fewer, because at most 127 brackets may be open.
const MAX_LEVELS: u32 = 127;

/// An open schema file: the schemas of one version of a provider.
#[derive(Clone, Debug)]
pub struct StoredSchemas {
    address: ProviderAddress,
    version: Version,
    origin: String,
    source_hash: [u8; 32],
    configuration: Option<StoredSchema>,
    resources: Arc<[(ResourceType, StoredSchema)]>,
    functions: Arc<[StoredFunction]>,
    file: Arc<SchemaBytes>,
    provider: Arc<ProviderSchema>,
}

/// A schema in the file: its version and, if it has arguments, its block.
#[derive(Clone, Copy, Debug)]
struct StoredSchema {
    version: u64,
    block: Option<u32>,
}

/// The schemas of a provider by name.
struct SchemaNames {
    configuration: Option<StoredSchema>,
    resources: Vec<(ResourceType, StoredSchema)>,
}

/// The signature of a function of a provider.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredFunction {
    /// The name.
    pub name: SmolStr,
    /// The type of the result.
    pub return_type: Type,
    /// The parameters.
    pub parameters: Vec<StoredParameter>,
    /// The parameter that takes all further arguments.
    pub variadic: Option<StoredParameter>,
}

/// A parameter of a function of a provider.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredParameter {
    /// The name.
    pub name: SmolStr,
    /// The type.
    pub ty: Type,
    /// Whether the parameter accepts null.
    pub is_nullable: bool,
}

/// The bytes of a file whose records were checked.
#[derive(Debug)]
struct SchemaBytes {
    bytes: Vec<u8>,
    rows: Vec<StoredSchema>,
}

impl SchemaTable for SchemaBytes {
    fn schema(&self, index: u32) -> Option<Schema> {
        let place = self.rows.get(index as usize)?;
        // `open` has read every record.
        Tables::read(&Sections::headed(&self.bytes).ok()?).ok()?.schema(*place).ok()
    }
}

impl StoredSchemas {
    /// Opens the content of a schema file.
    ///
    /// # Errors
    ///
    /// If the bytes are no schema file, are damaged, or have another version of the format.
    pub fn open(bytes: Vec<u8>) -> Result<StoredSchemas, StoreError> {
        let sections = Sections::read(&bytes)?;
        let tables = Tables::read(&sections)?;
        let types = tables.check()?;
        let mut facts = FieldReader::new(sections.get(Section::Provider));
        let (address, version, origin) = (facts.text()?, facts.text()?, facts.text()?.to_owned());
        let address =
            address.parse().map_err(|_| StoreError::Damaged("the address of the provider is none"))?;
        let version =
            version.parse().map_err(|_| StoreError::Damaged("the version of the provider is none"))?;
        let SchemaNames { configuration, resources } = tables.names(sections.get(Section::Names))?;
        let functions = tables.functions(sections.get(Section::Functions), &types)?;
        let made = configuration.map(|place| tables.schema(place)).transpose()?;
        let source_hash = sections.source_hash;
        let rows = resources.iter().map(|(_, place)| *place).collect();
        let file = Arc::new(SchemaBytes { bytes, rows });
        let names = resources.iter().zip(0..).map(|((name, _), index)| (name.clone(), index));
        let table: Arc<dyn SchemaTable> = file.clone();
        let provider = Arc::new(ProviderSchema::from_table(made, names, table));
        let (resources, functions) = (resources.into(), functions.into());
        Ok(StoredSchemas {
            address,
            version,
            origin,
            source_hash,
            configuration,
            resources,
            functions,
            file,
            provider,
        })
    }

    /// Whether bytes begin like a schema file.
    pub fn is_schema_file(bytes: &[u8]) -> bool {
        bytes.starts_with(&super::format::MAGIC)
    }

    /// The address of the provider.
    pub fn address(&self) -> &ProviderAddress {
        &self.address
    }

    /// The version of the provider.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The origin of the schemas, in words.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The SHA-256 of the text that the schemas were read from.
    pub fn source_hash(&self) -> &[u8; 32] {
        &self.source_hash
    }

    /// The number of bytes of the file.
    pub fn size(&self) -> u64 {
        self.file.bytes.len() as u64
    }

    /// The schemas of the provider.
    pub(super) fn provider(&self) -> Arc<ProviderSchema> {
        Arc::clone(&self.provider)
    }

    /// The schemas, for evaluations.
    pub fn schemas(&self) -> Schemas {
        Schemas::default().with_shared(self.address.clone(), Arc::clone(&self.provider))
    }

    /// The resource types by mode and name.
    pub fn resource_types(&self) -> impl Iterator<Item = &ResourceType> {
        self.resources.iter().map(|(name, _)| name)
    }

    /// The functions by name.
    pub fn functions(&self) -> &[StoredFunction] {
        &self.functions
    }

    /// Returns the position of a schema among the descriptions. Without a resource type, returns the position of the schema of
    /// the provider's configuration.
    pub(super) fn position(&self, resource: Option<&ResourceType>) -> Option<usize> {
        let before = usize::from(self.configuration.is_some());
        match resource {
            None => self.configuration.map(|_| 0),
            Some(wanted) => {
                let found = self.resources.iter().position(|(name, _)| name == wanted)?;
                Some(before + found)
            }
        }
    }

    /// The compressed descriptions.
    pub(super) fn descriptions(&self) -> &[u8] {
        Sections::headed(&self.file.bytes).map_or(&[], |sections| sections.get(Section::Descriptions))
    }

    /// Calls a function for each part of a schema, in the order of the descriptions.
    pub(super) fn visit(
        &self,
        resource: Option<&ResourceType>,
        visit: &mut dyn FnMut(StoredPart<'_>),
    ) -> Result<(), StoreError> {
        let place = match resource {
            None => self.configuration,
            Some(wanted) => self.resources.iter().find(|(name, _)| name == wanted).map(|(_, place)| *place),
        };
        let Some(block) = place.and_then(|place| place.block) else { return Ok(()) };
        let sections = Sections::headed(&self.file.bytes)?;
        let tables = Tables::read(&sections)?;
        visit(StoredPart { level: 0, name: "", kind: PartKind::Root(tables.block(block)?.is_deprecated) });
        tables.visit(block, 1, visit)
    }
}

/// A part of a schema, for a listing.
pub(super) struct StoredPart<'p> {
    /// The number of blocks and attributes around the part.
    pub(super) level: usize,
    pub(super) name: &'p str,
    pub(super) kind: PartKind,
}

pub(super) enum PartKind {
    /// The block of the schema itself, and whether it is deprecated.
    Root(bool),
    /// An attribute with its type, or with nested attributes, which follow as parts.
    Attribute { flags: u8, ty: Option<Type>, nesting: Option<Nesting> },
    /// A block type. Its parts follow.
    Block { nesting: Nesting, min: u64, max: u64, is_deprecated: bool },
}

/// The tables of a file.
struct Tables<'b> {
    strings: Table<'b>,
    types: Table<'b>,
    blocks: Table<'b>,
}

/// A record of the table of blocks.
struct BlockRecord {
    is_deprecated: bool,
    attributes: Vec<AttributeRecord>,
    blocks: Vec<NestedBlockRecord>,
}

struct AttributeRecord {
    name: u32,
    flags: u8,
    kind: AttributeKind,
}

enum AttributeKind {
    Type(u32),
    Nested(Nesting, u32),
}

struct NestedBlockRecord {
    name: u32,
    nesting: Nesting,
    block: u32,
    min: u64,
    max: u64,
}

/// The size of a record after expansion.
#[derive(Clone, Copy)]
struct Extent {
    /// The number of attributes and block types.
    parts: usize,
    /// The number of types, including types in types.
    types: usize,
    levels: u32,
}

impl Extent {
    const NONE: Extent = Extent { parts: 0, types: 0, levels: 1 };

    /// Adds the extent of a record that this record contains.
    fn add(&mut self, inner: Extent) {
        self.parts = self.parts.saturating_add(inner.parts);
        self.types = self.types.saturating_add(inner.types);
        self.levels = self.levels.max(inner.levels + 1);
    }

    fn check(self, most_levels: u32) -> Result<Extent, StoreError> {
        match self.parts > MAX_PARTS || self.types > MAX_TYPES || self.levels > most_levels {
            true => Err(StoreError::Damaged("a schema is too large or too deep")),
            false => Ok(self),
        }
    }
}

impl<'b> Tables<'b> {
    fn read(sections: &Sections<'b>) -> Result<Tables<'b>, StoreError> {
        let table = |section| Table::read(sections.get(section));
        Ok(Tables {
            strings: table(Section::Strings)?,
            types: table(Section::Types)?,
            blocks: table(Section::Blocks)?,
        })
    }

    /// Reads every record, so that later reads cannot fail. Returns the extents of the types.
    fn check(&self) -> Result<Vec<Extent>, StoreError> {
        for index in 0..self.strings.len() {
            self.string(index)?;
        }
        let mut types: Vec<Extent> = Vec::new();
        for index in 0..self.types.len() {
            let extent = self.extent_of_type(index, &types)?;
            types.push(extent.check(u32::from(MAX_DEPTH))?);
        }
        let mut blocks: Vec<Extent> = Vec::new();
        for index in 0..self.blocks.len() {
            let extent = self.extent_of_block(index, &types, &blocks)?;
            blocks.push(extent.check(MAX_LEVELS)?);
        }
        Ok(types)
    }

    fn extent_of_type(&self, index: u32, before: &[Extent]) -> Result<Extent, StoreError> {
        let mut extent = Extent { types: 1, ..Extent::NONE };
        self.type_parts(index, &mut |name, ty| {
            if let Some(name) = name {
                self.string(name)?;
            }
            extent.add(*earlier(before, ty)?);
            Ok(())
        })?;
        Ok(extent)
    }

    fn extent_of_block(&self, index: u32, types: &[Extent], before: &[Extent]) -> Result<Extent, StoreError> {
        let mut extent = Extent::NONE;
        let block = self.block(index)?;
        extent.parts = block.attributes.len() + block.blocks.len();
        for attribute in &block.attributes {
            self.string(attribute.name)?;
            match attribute.kind {
                // The levels of a type are not levels of blocks.
                AttributeKind::Type(ty) => extent.types += earlier(types, ty)?.types,
                AttributeKind::Nested(_, nested) => extent.add(*earlier(before, nested)?),
            }
        }
        for nested in &block.blocks {
            self.string(nested.name)?;
            extent.add(*earlier(before, nested.block)?);
        }
        Ok(extent)
    }

    fn string(&self, index: u32) -> Result<&'b str, StoreError> {
        let bytes = self.strings.record(index)?;
        std::str::from_utf8(bytes).map_err(|_| StoreError::Damaged("a name is not UTF-8"))
    }

    fn name(&self, index: u32) -> Result<SmolStr, StoreError> {
        self.string(index).map(SmolStr::from)
    }

    /// Calls a function for each type inside of a type, with the name if it is the type of an attribute. Returns the code of
    /// the type's kind.
    fn type_parts(
        &self,
        index: u32,
        part: &mut dyn FnMut(Option<u32>, u32) -> Result<(), StoreError>,
    ) -> Result<u8, StoreError> {
        let mut reader = FieldReader::new(self.types.record(index)?);
        let kind = reader.byte()?;
        match kind {
            types::BOOL | types::NUMBER | types::STRING | types::DYNAMIC => {}
            types::LIST | types::SET | types::MAP => part(None, reader.number()?)?,
            types::TUPLE => {
                for _ in 0..reader.count()? {
                    part(None, reader.number()?)?;
                }
            }
            types::OBJECT => {
                for _ in 0..reader.count()? {
                    let name = reader.number()?;
                    part(Some(name), reader.number()? / 2)?;
                }
            }
            _ => return Err(StoreError::Damaged("a type is unknown")),
        }
        reader.end()?;
        Ok(kind)
    }

    fn ty(&self, index: u32) -> Result<Type, StoreError> {
        let mut parts: Vec<(Option<u32>, u32)> = Vec::new();
        let kind = self.type_parts(index, &mut |name, ty| {
            parts.push((name, ty));
            Ok(())
        })?;
        let element = || match parts.as_slice() {
            [(None, element)] => self.ty(*element),
            _ => Err(StoreError::Damaged("a collection has no element type")),
        };
        Ok(match kind {
            types::BOOL => Type::Bool,
            types::NUMBER => Type::Number,
            types::STRING => Type::String,
            types::LIST => Type::list(element()?),
            types::SET => Type::set(element()?),
            types::MAP => Type::map(element()?),
            types::TUPLE => {
                let elements = parts.iter().map(|(_, element)| self.ty(*element));
                Type::tuple(elements.collect::<Result<Vec<_>, _>>()?)
            }
            types::OBJECT => self.object(index)?,
            _ => Type::Dynamic,
        })
    }

    fn object(&self, index: u32) -> Result<Type, StoreError> {
        let mut reader = FieldReader::new(self.types.record(index)?);
        reader.byte()?;
        let (mut attributes, mut optional) = (Vec::new(), Vec::new());
        for _ in 0..reader.count()? {
            let name = self.name(reader.number()?)?;
            let ty = reader.number()?;
            if ty % 2 == 1 {
                optional.push(name.clone());
            }
            attributes.push((name, self.ty(ty / 2)?));
        }
        Ok(Type::Object(Arc::new(ObjectType::with_optional(attributes, optional))))
    }

    fn block(&self, index: u32) -> Result<BlockRecord, StoreError> {
        let mut reader = FieldReader::new(self.blocks.record(index)?);
        let is_deprecated = reader.byte()? == 1;
        let mut block = BlockRecord { is_deprecated, attributes: Vec::new(), blocks: Vec::new() };
        for _ in 0..reader.count()? {
            let (name, flags) = (reader.number()?, reader.byte()?);
            let kind = if flags & flags::NESTED == 0 {
                AttributeKind::Type(reader.number()?)
            } else {
                AttributeKind::Nested(nesting(reader.byte()?)?, reader.number()?)
            };
            block.attributes.push(AttributeRecord { name, flags, kind });
        }
        for _ in 0..reader.count()? {
            block.blocks.push(NestedBlockRecord {
                name: reader.number()?,
                nesting: nesting(reader.byte()?)?,
                block: reader.number()?,
                min: reader.long()?,
                max: reader.long()?,
            });
        }
        reader.end()?;
        Ok(block)
    }

    fn schema(&self, place: StoredSchema) -> Result<Schema, StoreError> {
        let schema = match place.block {
            Some(block) => self.body(block)?,
            None => Schema::new(),
        };
        Ok(schema.versioned(place.version))
    }

    fn body(&self, index: u32) -> Result<Schema, StoreError> {
        let block = self.block(index)?;
        let mut schema = Schema::new();
        for attribute in &block.attributes {
            schema = schema.attribute(self.string(attribute.name)?, self.attribute(attribute)?);
        }
        for nested in &block.blocks {
            let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
            let (min, max) = (size(nested.min), size(nested.max));
            let body = SchemaBlock { nesting: nested.nesting, schema: self.body(nested.block)?, min, max };
            schema = schema.block_type(self.string(nested.name)?, body);
        }
        Ok(schema)
    }

    fn attribute(&self, stored: &AttributeRecord) -> Result<SchemaAttribute, StoreError> {
        let mut attribute = match stored.kind {
            AttributeKind::Type(ty) => SchemaAttribute::optional(self.ty(ty)?),
            AttributeKind::Nested(nesting, block) => {
                let mut attributes = Vec::new();
                for inner in &self.block(block)?.attributes {
                    attributes.push((self.string(inner.name)?, self.attribute(inner)?));
                }
                SchemaAttribute::nested(nesting, attributes)
            }
        };
        let has = |flag| stored.flags & flag != 0;
        attribute.required = has(flags::REQUIRED);
        attribute.optional = has(flags::OPTIONAL);
        attribute.computed = has(flags::COMPUTED);
        attribute.sensitive = has(flags::SENSITIVE);
        attribute.write_only = has(flags::WRITE_ONLY);
        Ok(attribute)
    }

    fn place(&self, reader: &mut FieldReader<'_>) -> Result<StoredSchema, StoreError> {
        let version = reader.long()?;
        let block = reader.number()?.checked_sub(1);
        if block.is_some_and(|block| block >= self.blocks.len()) {
            return Err(StoreError::Damaged("a resource type has no block"));
        }
        Ok(StoredSchema { version, block })
    }

    fn names(&self, section: &[u8]) -> Result<SchemaNames, StoreError> {
        let mut reader = FieldReader::new(section);
        let configuration = if reader.byte()? == 0 { None } else { Some(self.place(&mut reader)?) };
        let mut resources = Vec::new();
        for _ in 0..reader.count()? {
            let mode = mode(reader.byte()?)?;
            let name = self.name(reader.number()?)?;
            resources.push((ResourceType { mode, name }, self.place(&mut reader)?));
        }
        reader.end()?;
        match resources.is_sorted_by(|(one, _), (other, _)| one < other) {
            true => Ok(SchemaNames { configuration, resources }),
            false => Err(StoreError::Damaged("the resource types are not sorted")),
        }
    }

    fn functions(&self, section: &[u8], types: &[Extent]) -> Result<Vec<StoredFunction>, StoreError> {
        let mut functions = Vec::new();
        if section.is_empty() {
            return Ok(functions);
        }
        let mut reader = FieldReader::new(section);
        let mut budget = TypeBudget { types, extent: Extent::NONE };
        for _ in 0..reader.count()? {
            let name = self.name(reader.number()?)?;
            let return_type = self.ty(budget.take(reader.number()?)?)?;
            let mut parameters = Vec::new();
            for _ in 0..reader.count()? {
                parameters.push(self.parameter(&mut reader, &mut budget)?);
            }
            let variadic = match reader.byte()? {
                0 => None,
                _ => Some(self.parameter(&mut reader, &mut budget)?),
            };
            functions.push(StoredFunction { name, return_type, parameters, variadic });
        }
        reader.end()?;
        Ok(functions)
    }

    fn parameter(
        &self,
        reader: &mut FieldReader<'_>,
        budget: &mut TypeBudget<'_>,
    ) -> Result<StoredParameter, StoreError> {
        let (name, is_nullable) = (self.name(reader.number()?)?, reader.byte()? == 1);
        Ok(StoredParameter { name, is_nullable, ty: self.ty(budget.take(reader.number()?)?)? })
    }

    fn visit(
        &self,
        index: u32,
        level: usize,
        visit: &mut dyn FnMut(StoredPart<'_>),
    ) -> Result<(), StoreError> {
        let block = self.block(index)?;
        for attribute in &block.attributes {
            let (ty, nested) = match attribute.kind {
                AttributeKind::Type(ty) => (Some(self.ty(ty)?), None),
                AttributeKind::Nested(nesting, block) => (None, Some((nesting, block))),
            };
            let nesting = nested.map(|(nesting, _)| nesting);
            let kind = PartKind::Attribute { flags: attribute.flags, ty, nesting };
            visit(StoredPart { level, name: self.string(attribute.name)?, kind });
            if let Some((_, block)) = nested {
                self.visit(block, level + 1, visit)?;
            }
        }
        for nested in &block.blocks {
            let NestedBlockRecord { nesting, min, max, .. } = *nested;
            let is_deprecated = self.block(nested.block)?.is_deprecated;
            let kind = PartKind::Block { nesting, min, max, is_deprecated };
            visit(StoredPart { level, name: self.string(nested.name)?, kind });
            self.visit(nested.block, level + 1, visit)?;
        }
        Ok(())
    }
}

/// Returns the extent of a record, or an error unless the record is before the record that refers to it.
fn earlier(before: &[Extent], index: u32) -> Result<&Extent, StoreError> {
    before.get(index as usize).ok_or(StoreError::Damaged("a record refers to a later one"))
}

/// Limit on the types of all functions of a provider together.
struct TypeBudget<'e> {
    types: &'e [Extent],
    extent: Extent,
}

impl TypeBudget<'_> {
    /// Counts a type. Returns its position if it still fits into the limit.
    fn take(&mut self, index: u32) -> Result<u32, StoreError> {
        self.extent.types += earlier(self.types, index)?.types;
        self.extent.check(u32::MAX).map(|_| index)
    }
}
