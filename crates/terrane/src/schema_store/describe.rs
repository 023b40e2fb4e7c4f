//! Prints schemas as text: the attributes and blocks of a resource type, with their descriptions.

use std::fmt::Write as _;
use std::io::Read as _;

use terrane_body::Nesting;
use terrane_config::address::ResourceMode;
use terrane_module::ResourceType;

use super::format::{FieldReader, StoreError, flags};
use super::read::{PartKind, StoredPart, StoredSchemas};

/// The most bytes of the descriptions of a provider.
const MAX_BYTES: u64 = 256 << 20;

/// The most columns of a line of a description.
const WIDTH: usize = 100;

impl StoredSchemas {
    /// Returns the schema of a resource type as text, in the notation of the language. Without a resource type, returns the
    /// schema of the provider's configuration. `None` if the provider has no such schema.
    ///
    /// # Errors
    ///
    /// If the compressed descriptions are damaged.
    pub fn listing(&self, resource: Option<&ResourceType>) -> Result<Option<String>, StoreError> {
        let Some(position) = self.position(resource) else { return Ok(None) };
        let descriptions = Descriptions::read(self.descriptions())?;
        let mut codes = descriptions.of_schema(position)?;
        let (mut text, mut open) = (String::new(), 0);
        self.visit(resource, &mut |part| {
            let description = codes.next().and_then(|code| descriptions.text(code));
            close(&mut text, &mut open, part.level);
            write_part(&mut text, resource, &part, description);
            let has_parts = match &part.kind {
                PartKind::Root(_) | PartKind::Block { .. } => true,
                PartKind::Attribute { nesting, .. } => nesting.is_some(),
            };
            if has_parts {
                open = part.level + 1;
            }
        })?;
        if text.is_empty() {
            text.push_str(&header(resource));
            open = 1;
        }
        close(&mut text, &mut open, 0);
        Ok(Some(text))
    }
}

/// Closes the blocks that are deeper than `level`.
fn close(text: &mut String, open: &mut usize, level: usize) {
    while *open > level {
        *open -= 1;
        text.push_str(&format!("{}}}\n", "  ".repeat(*open)));
    }
}

fn header(resource: Option<&ResourceType>) -> String {
    match resource {
        None => "provider {\n".to_owned(),
        Some(ResourceType { mode, name }) => {
            let keyword = match mode {
                ResourceMode::Managed => "resource",
                ResourceMode::Data => "data",
                ResourceMode::Ephemeral => "ephemeral",
                ResourceMode::Action => "action",
            };
            format!("{keyword} \"{name}\" {{\n")
        }
    }
}

fn write_part(
    text: &mut String,
    resource: Option<&ResourceType>,
    part: &StoredPart<'_>,
    description: Option<&str>,
) {
    let indent = "  ".repeat(part.level);
    for line in description.into_iter().flat_map(|description| wrapped(description, part.level)) {
        text.push_str(&format!("{indent}# {line}\n"));
    }
    let name = part.name;
    let line = match &part.kind {
        PartKind::Root(is_deprecated) => {
            if *is_deprecated {
                text.push_str("# deprecated\n");
            }
            header(resource)
        }
        PartKind::Attribute { flags, ty: Some(ty), .. } => {
            format!("{indent}{name} = {ty} # {}\n", usage(*flags))
        }
        PartKind::Attribute { flags, nesting, .. } => {
            let nesting = nesting.map_or("", nesting_name);
            format!("{indent}{name} = {{ # {nesting}, {}\n", usage(*flags))
        }
        PartKind::Block { nesting, min, max, is_deprecated } => {
            let mut facts = vec![nesting_name(*nesting).to_owned()];
            match (min, max) {
                (0, 0) => {}
                (min, 0) => facts.push(format!("at least {min}")),
                (0, max) => facts.push(format!("at most {max}")),
                (min, max) => facts.push(format!("{min} to {max}")),
            }
            if *is_deprecated {
                facts.push("deprecated".to_owned());
            }
            format!("{indent}{name} {{ # {}\n", facts.join(", "))
        }
    };
    text.push_str(&line);
}

fn nesting_name(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "single",
        Nesting::Group => "group",
        Nesting::List => "list",
        Nesting::Set => "set",
        Nesting::Map => "map",
    }
}

/// Returns in words who sets an attribute, and other facts about it.
fn usage(flags: u8) -> String {
    let names = [
        (flags::REQUIRED, "required"),
        (flags::OPTIONAL, "optional"),
        (flags::COMPUTED, "computed"),
        (flags::SENSITIVE, "sensitive"),
        (flags::WRITE_ONLY, "write-only"),
        (flags::DEPRECATED, "deprecated"),
    ];
    let facts: Vec<&str> =
        names.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| *name).collect();
    facts.join(", ")
}

/// Returns the lines of a description.
fn wrapped(description: &str, level: usize) -> Vec<String> {
    let width = WIDTH.saturating_sub(2 * level + 2).max(40);
    let mut lines = vec![String::new()];
    for word in description.split_whitespace() {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            let _ = write!(line, " {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The descriptions of a provider.
struct Descriptions {
    texts: Vec<String>,
    schemas: Vec<Vec<u64>>,
}

impl Descriptions {
    fn read(compressed: &[u8]) -> Result<Descriptions, StoreError> {
        let mut plain = Vec::new();
        if !compressed.is_empty() {
            let decoder = flate2::read::ZlibDecoder::new(compressed);
            let read = decoder.take(MAX_BYTES + 1).read_to_end(&mut plain);
            if read.is_err() || plain.len() as u64 > MAX_BYTES {
                return Err(StoreError::Damaged("the descriptions cannot be decompressed"));
            }
        }
        if plain.is_empty() {
            return Ok(Descriptions { texts: Vec::new(), schemas: Vec::new() });
        }
        let mut reader = FieldReader::new(&plain);
        let count = reader.count()?;
        let texts = (0..count).map(|_| reader.text().map(str::to_owned)).collect::<Result<_, _>>()?;
        let mut schemas = Vec::new();
        while reader.end().is_err() {
            let count = reader.count()?;
            schemas.push((0..count).map(|_| reader.long()).collect::<Result<_, _>>()?);
        }
        Ok(Descriptions { texts, schemas })
    }

    /// Returns the codes of the descriptions of the parts of a schema, in order.
    fn of_schema(&self, position: usize) -> Result<impl Iterator<Item = u64>, StoreError> {
        let codes = self.schemas.get(position).map(Vec::as_slice).unwrap_or_default();
        Ok(codes.iter().copied())
    }

    fn text(&self, code: u64) -> Option<&str> {
        let place = usize::try_from(code.checked_sub(1)? / 2).ok()?;
        self.texts.get(place).map(String::as_str)
    }
}
