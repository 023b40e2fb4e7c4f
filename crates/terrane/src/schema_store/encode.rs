//! Writes the schemas of a provider as a schema file.

use std::collections::HashMap;
use std::io::Write as _;

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use terrane_config::Version;
use terrane_module::provider::ProviderAddress;
use terrane_value::{Type, json};

use super::format::{Section, file, flags, mode_code, nesting_code, number, table, text, types};
use super::read::StoredSchemas;
use crate::schema::{
    MAX_PARTS, ModeJson, SchemaAttributeJson, SchemaBlockJson, SchemaError, SchemaJson, SchemaProviderJson,
    SchemasJson, nesting,
};

/// The schemas of a provider as a file to store.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SchemaFile {
    /// The address of the provider.
    pub address: ProviderAddress,
    /// The version of the provider.
    pub version: Version,
    /// The number of resource types.
    pub resource_types: usize,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The providers of a document, as files if their version is known.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct SchemaFiles {
    /// The files in the order of the document.
    pub files: Vec<SchemaFile>,
    /// The providers whose version is not known.
    pub without_version: Vec<ProviderAddress>,
}

/// Converts the document of `terraform providers schema -json` into schema files. The document does not contain the versions of
/// providers, so `version` returns them. The provider that is built into the products is skipped.
///
/// ```
/// let text = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/null": {
///     "resource_schemas": {"null_resource": {"version": 0, "block": {"attributes": {
///         "id": {"type": "string", "computed": true}
///     }}}}
/// }}}"#;
/// let converted = terrane::schema_files_from_json(text, "an example", &|_| "3.2.1".parse().ok())?;
/// let stored = terrane::StoredSchemas::open(converted.files[0].bytes.clone())?;
/// assert_eq!((stored.address().to_string(), stored.version().as_str()), ("hashicorp/null".to_owned(), "3.2.1"));
/// assert!(stored.schemas().provider(stored.address()).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the text does not have that form. The error names the position.
pub fn schema_files_from_json(
    text: &str,
    origin: &str,
    version: &dyn Fn(&ProviderAddress) -> Option<Version>,
) -> Result<SchemaFiles, SchemaError> {
    let hash = Sha256::digest(text).into();
    let mut converted = SchemaFiles::default();
    for provider in SchemasJson::parse(text)?.providers() {
        let provider = provider?;
        if provider.address.is_built_in() {
            continue;
        }
        let Some(version) = version(&provider.address) else {
            converted.without_version.push(provider.address);
            continue;
        };
        let header = Header { address: &provider.address, version: &version, origin, source_hash: &hash };
        let bytes = encode(&header, provider.schemas).map_err(|error| provider.error(error))?;
        let resource_types = provider.schemas.resource_types();
        converted.files.push(SchemaFile { address: provider.address, version, resource_types, bytes });
    }
    Ok(converted)
}

/// Facts about the provider, and the origin of its schemas.
struct Header<'h> {
    address: &'h ProviderAddress,
    version: &'h Version,
    origin: &'h str,
    source_hash: &'h [u8; 32],
}

fn encode(header: &Header<'_>, provider: &SchemaProviderJson<'_>) -> Result<Vec<u8>, SchemaError> {
    let mut encoder = Encoder::default();
    let mut names = Vec::new();
    match &provider.provider {
        Some(schema) => {
            names.push(1);
            encoder.schema(schema, &mut names).map_err(|error| error.within(".provider"))?;
        }
        None => names.push(0),
    }
    number(&mut names, provider.resource_types() as u64);
    for ModeJson { mode, member, schemas } in provider.modes() {
        for (name, schema) in schemas {
            names.push(mode_code(mode));
            encoder.string(&mut names, name);
            encoder.schema(schema, &mut names).map_err(|error| error.within(&format!(".{member}.{name}")))?;
        }
    }
    let functions = encoder.functions(provider.functions).map_err(|error| error.within(".functions"))?;
    let descriptions = encoder.descriptions.compressed()?;
    let mut provider = Vec::new();
    for value in [&header.address.to_string(), header.version.as_str(), header.origin] {
        text(&mut provider, value);
    }
    let sections = [
        (Section::Provider, provider),
        (Section::Strings, table(&encoder.strings.records)),
        (Section::Types, table(&encoder.types.records)),
        (Section::Blocks, table(&encoder.blocks.records)),
        (Section::Names, names),
        (Section::Functions, functions),
        (Section::Descriptions, descriptions),
    ];
    let size: usize = sections.iter().map(|(_, content)| content.len()).sum();
    if size > (u32::MAX / 2) as usize {
        return Err(SchemaError::new("the schemas are larger than a schema file can be"));
    }
    let bytes = file(header.source_hash, &sections);
    // Types may be larger than a reader allows, so schemas that cannot be read again are not stored.
    match StoredSchemas::open(bytes.clone()) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(SchemaError::new(format!("the schemas cannot be stored: {error}"))),
    }
}

/// A table of records under construction. Equal records are stored once.
#[derive(Default)]
struct Interner {
    places: HashMap<Vec<u8>, u64>,
    records: Vec<Vec<u8>>,
}

impl Interner {
    fn place(&mut self, record: Vec<u8>) -> u64 {
        let next = self.records.len() as u64;
        *self.places.entry(record).or_insert_with_key(|record| {
            self.records.push(record.clone());
            next
        })
    }
}

/// The tables of a file under construction.
#[derive(Default)]
struct Encoder {
    strings: Interner,
    types: Interner,
    blocks: Interner,
    descriptions: EncodedDescriptions,
}

impl Encoder {
    fn string(&mut self, out: &mut Vec<u8>, text: &str) {
        number(out, self.strings.place(text.as_bytes().to_vec()));
    }

    /// Writes the version of a schema, and its block.
    fn schema(&mut self, schema: &SchemaJson<'_>, out: &mut Vec<u8>) -> Result<(), SchemaError> {
        number(out, schema.version);
        self.descriptions.next_schema();
        match schema.block()? {
            Some(block) => {
                let mut parts = 0;
                let place = self.block(&block, &mut parts).map_err(|error| error.within(".block"))?;
                number(out, place + 1);
            }
            None => number(out, 0),
        }
        Ok(())
    }

    fn block(&mut self, block: &SchemaBlockJson<'_>, parts: &mut usize) -> Result<u64, SchemaError> {
        self.descriptions.push(block.description, block.description_kind)?;
        let mut record = vec![u8::from(is_true(block.deprecated))];
        number(&mut record, block.attributes.len() as u64);
        self.attributes(&block.attributes, &mut record, parts)?;
        number(&mut record, block.block_types.len() as u64);
        for (name, nested) in &block.block_types {
            one_more(parts)?;
            let within = |error: SchemaError| error.within(&format!(".block_types.{name}"));
            self.string(&mut record, name);
            record.push(nesting_code(nesting(&nested.nesting_mode).map_err(within)?));
            let place = self.block(&nested.block, parts).map_err(within)?;
            number(&mut record, place);
            number(&mut record, nested.min_items as u64);
            number(&mut record, nested.max_items as u64);
        }
        Ok(self.blocks.place(record))
    }

    fn attributes<'a, 'j: 'a>(
        &mut self,
        attributes: impl IntoIterator<Item = (&'a String, &'a SchemaAttributeJson<'j>)>,
        record: &mut Vec<u8>,
        parts: &mut usize,
    ) -> Result<(), SchemaError> {
        for (name, attribute) in attributes {
            one_more(parts)?;
            self.string(record, name);
            self.attribute(attribute, record, parts)
                .map_err(|error| error.within(&format!(".attributes.{name}")))?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        attribute: &SchemaAttributeJson<'_>,
        record: &mut Vec<u8>,
        parts: &mut usize,
    ) -> Result<(), SchemaError> {
        self.descriptions.push(attribute.description, attribute.description_kind)?;
        let facts = [
            (flags::REQUIRED, attribute.required),
            (flags::OPTIONAL, attribute.optional),
            (flags::COMPUTED, attribute.computed),
            (flags::SENSITIVE, attribute.sensitive),
            (flags::WRITE_ONLY, attribute.write_only),
            (flags::DEPRECATED, is_true(attribute.deprecated)),
            (flags::NESTED, attribute.nested_type.is_some()),
        ];
        record.push(facts.iter().filter(|(_, holds)| *holds).fold(0, |flags, (flag, _)| flags | flag));
        match (&attribute.r#type, &attribute.nested_type) {
            (Some(ty), None) => self.written_type(ty, record),
            (None, Some(nested)) => {
                // Nested attributes are written as a block without block types or a description.
                let mut inner = vec![0];
                number(&mut inner, nested.attributes.len() as u64);
                self.attributes(&nested.attributes, &mut inner, parts)?;
                number(&mut inner, 0);
                record.push(nesting_code(nesting(&nested.nesting_mode)?));
                number(record, self.blocks.place(inner));
                Ok(())
            }
            (None, None) | (Some(_), Some(_)) => {
                Err(SchemaError::new("an attribute has either `type` or `nested_type`"))
            }
        }
    }

    fn written_type(&mut self, written: &RawValue, out: &mut Vec<u8>) -> Result<(), SchemaError> {
        let ty = json::decode_type(written.get())
            .map_err(|error| SchemaError::new(format!("this is not a type: {error}")))?;
        let place = self.ty(&ty);
        number(out, place);
        Ok(())
    }

    fn ty(&mut self, ty: &Type) -> u64 {
        let record = match ty {
            Type::Bool => vec![types::BOOL],
            Type::Number => vec![types::NUMBER],
            Type::String => vec![types::STRING],
            Type::Dynamic => vec![types::DYNAMIC],
            Type::List(element) => self.collection(types::LIST, element),
            Type::Set(element) => self.collection(types::SET, element),
            Type::Map(element) => self.collection(types::MAP, element),
            Type::Tuple(elements) => {
                let mut record = vec![types::TUPLE];
                number(&mut record, elements.len() as u64);
                for element in elements.iter() {
                    let place = self.ty(element);
                    number(&mut record, place);
                }
                record
            }
            Type::Object(object) => {
                let mut record = vec![types::OBJECT];
                number(&mut record, object.attributes().len() as u64);
                for (name, ty) in object.attributes() {
                    self.string(&mut record, name);
                    let is_optional = object.optional().contains(name);
                    number(&mut record, self.ty(ty) * 2 + u64::from(is_optional));
                }
                record
            }
        };
        self.types.place(record)
    }

    fn collection(&mut self, code: u8, element: &Type) -> Vec<u8> {
        let mut record = vec![code];
        number(&mut record, self.ty(element));
        record
    }

    fn functions(&mut self, written: Option<&RawValue>) -> Result<Vec<u8>, SchemaError> {
        let mut out = Vec::new();
        let Some(written) = written else { return Ok(out) };
        let functions: FunctionsJson<'_> =
            serde_json::from_str(written.get()).map_err(|error| SchemaError::json(&error))?;
        number(&mut out, functions.len() as u64);
        for (name, function) in &functions {
            let within = |error: SchemaError| error.within(&format!(".{name}"));
            self.string(&mut out, name);
            self.descriptions.next_schema();
            self.descriptions.push(function.summary, None)?;
            self.descriptions.push(function.description, None)?;
            self.written_type(function.return_type, &mut out).map_err(within)?;
            let parameters = function.parameters.as_deref().unwrap_or_default();
            number(&mut out, parameters.len() as u64);
            for parameter in parameters {
                self.parameter(parameter, &mut out).map_err(within)?;
            }
            out.push(u8::from(function.variadic_parameter.is_some()));
            if let Some(parameter) = &function.variadic_parameter {
                self.parameter(parameter, &mut out).map_err(within)?;
            }
        }
        Ok(out)
    }

    fn parameter(
        &mut self,
        parameter: &SchemaParameterJson<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), SchemaError> {
        self.string(out, &parameter.name);
        out.push(u8::from(parameter.is_nullable));
        self.written_type(parameter.r#type, out)
    }
}

/// The functions of a provider by name.
type FunctionsJson<'j> = std::collections::BTreeMap<String, FunctionJson<'j>>;

#[derive(Deserialize)]
struct FunctionJson<'j> {
    #[serde(borrow, default)]
    summary: Option<&'j RawValue>,
    #[serde(borrow, default)]
    description: Option<&'j RawValue>,
    #[serde(borrow)]
    return_type: &'j RawValue,
    #[serde(borrow, default)]
    parameters: Option<Vec<SchemaParameterJson<'j>>>,
    #[serde(borrow, default)]
    variadic_parameter: Option<SchemaParameterJson<'j>>,
}

#[derive(Deserialize)]
struct SchemaParameterJson<'j> {
    #[serde(default)]
    name: String,
    #[serde(default)]
    is_nullable: bool,
    #[serde(borrow)]
    r#type: &'j RawValue,
}

/// Counts another attribute or block type of a schema.
fn one_more(parts: &mut usize) -> Result<(), SchemaError> {
    *parts += 1;
    if *parts > MAX_PARTS {
        let text = format!("the schema has more than {MAX_PARTS} attributes and block types");
        return Err(SchemaError::new(text));
    }
    Ok(())
}

fn is_true(written: Option<&RawValue>) -> bool {
    written.is_some_and(|written| written.get() == "true")
}

/// The descriptions of all parts, in the order in which the parts of the schemas are visited.
#[derive(Default)]
struct EncodedDescriptions {
    texts: Interner,
    /// For each schema, one code for each part: 0 for no description, otherwise the position of the text and a bit for
    /// Markdown.
    schemas: Vec<Vec<u64>>,
}

impl EncodedDescriptions {
    fn next_schema(&mut self) {
        self.schemas.push(Vec::new());
    }

    fn push(&mut self, written: Option<&RawValue>, kind: Option<&RawValue>) -> Result<(), SchemaError> {
        let text: Option<String> = match written {
            Some(written) => {
                serde_json::from_str(written.get()).map_err(|error| SchemaError::json(&error))?
            }
            None => None,
        };
        let is_markdown = kind.is_some_and(|kind| kind.get() == "\"markdown\"");
        let code = match text.filter(|text| !text.is_empty()) {
            Some(text) => 1 + 2 * self.texts.place(text.into_bytes()) + u64::from(is_markdown),
            None => 0,
        };
        if let Some(schema) = self.schemas.last_mut() {
            schema.push(code);
        }
        Ok(())
    }

    /// Returns the texts and the codes, as a stream of zlib.
    fn compressed(&self) -> Result<Vec<u8>, SchemaError> {
        let mut plain = Vec::new();
        number(&mut plain, self.texts.records.len() as u64);
        for text in &self.texts.records {
            number(&mut plain, text.len() as u64);
            plain.extend_from_slice(text);
        }
        for schema in &self.schemas {
            // Many providers describe only some parts or none, so the zeros at the end are left out.
            let used = schema.iter().rposition(|code| *code != 0).map_or(0, |last| last + 1);
            number(&mut plain, used as u64);
            schema.iter().take(used).for_each(|code| number(&mut plain, *code));
        }
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
        written.map_err(|error| SchemaError::new(format!("the descriptions cannot be compressed: {error}")))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a file whose last block contains the block before it twice, and so on: `levels` records that expand to two to
    /// the power of `levels` blocks.
    pub(in crate::schema_store) fn doubled_blocks(levels: u64) -> Vec<u8> {
        let mut encoder = Encoder::default();
        let mut names = vec![0, 1, 0];
        encoder.string(&mut names, "tree_oak");
        let mut place = encoder.blocks.place(vec![0, 0, 0]);
        for _ in 0..levels {
            let mut record = vec![0, 0, 2];
            for name in ["x", "y"] {
                encoder.string(&mut record, name);
                record.push(0);
                number(&mut record, place);
                record.extend([0, 0]);
            }
            place = encoder.blocks.place(record);
        }
        names.push(0);
        number(&mut names, place + 1);
        let mut provider = Vec::new();
        ["acme/tree", "1.0.0", "a test"].iter().for_each(|fact| text(&mut provider, fact));
        let sections = [
            (Section::Provider, provider),
            (Section::Strings, table(&encoder.strings.records)),
            (Section::Blocks, table(&encoder.blocks.records)),
            (Section::Names, names),
        ];
        file(&[0; 32], &sections)
    }
}
