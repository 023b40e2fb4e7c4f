//! The bytes of a schema file: header, sections, numbers.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | [`VERSION`] |
//! | 12 | 4 | CRC-32 of everything behind it |
//! | 16 | 32 | SHA-256 of the text that the schemas were read from |
//! | 48 | 4 | number of sections |
//! | 52 | 8 each | id and length of each section |
//! | | | the sections, one after the other, up to the end of the file |
//!
//! Numbers of fixed size are little-endian. All other numbers have seven bits in each byte, the lowest first; the highest bit
//! of a byte says that another byte follows. Sections with an unknown id are skipped.

use std::fmt;

use terrane_body::Nesting;
use terrane_config::address::ResourceMode;

/// The first bytes of every schema file. The first byte is not ASCII, so that no program takes the file for text.
pub(super) const MAGIC: [u8; 8] = *b"\x89TSCHEMA";

/// The version of the format. A change that older readers would misunderstand raises it.
pub(super) const VERSION: u32 = 1;

/// The bytes before the list of sections.
const HEADER: usize = 52;

/// The bytes before the part that the checksum covers.
const BEFORE_CHECKED: usize = 16;

/// A part of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum Section {
    /// Address, version and origin of the provider.
    Provider = 1,
    /// A [table](Table) of UTF-8 texts.
    Strings = 2,
    /// A table of types. A type refers only to types before it.
    Types = 3,
    /// A table of different blocks. A block refers only to blocks before it.
    Blocks = 4,
    /// The schema of the provider's configuration, and the resource types sorted by mode and name.
    Names = 5,
    /// The signatures of functions.
    Functions = 6,
    /// The compressed descriptions.
    Descriptions = 7,
}

/// Why bytes are not a schema file that this version can read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The bytes do not begin like a schema file.
    Foreign,
    /// The file has another version of the format.
    Version(u32),
    /// The file is cut off, or something follows its end.
    Length {
        /// The number of bytes that the header announces.
        announced: u64,
        /// The number of bytes in the file.
        found: u64,
    },
    /// The checksum does not match the bytes.
    Checksum,
    /// A part is invalid.
    Damaged(&'static str),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Foreign => f.write_str("it is not a schema file of `terrane schemas import`"),
            StoreError::Version(version) => write!(
                f,
                "it has version {version} of the format, and this Terrane reads version {VERSION}; import the schemas again"
            ),
            StoreError::Length { announced, found } => write!(
                f,
                "it has {found} bytes in place of {announced}, so it is incomplete; import the schemas again"
            ),
            StoreError::Checksum => {
                f.write_str("it is damaged: its checksum does not match; import the schemas again")
            }
            StoreError::Damaged(part) => {
                write!(f, "it is damaged: {part}; import the schemas again")
            }
        }
    }
}

impl std::error::Error for StoreError {}

/// Appends a number.
pub(super) fn number(out: &mut Vec<u8>, mut number: u64) {
    while let Some(low) = u8::try_from(number & 0x7f).ok().filter(|_| number > 0x7f) {
        out.push(low | 0x80);
        number >>= 7;
    }
    out.extend(u8::try_from(number));
}

/// Appends a text behind its length.
pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Returns the bytes of a table: the number of records, the end of each, and the records.
pub(super) fn table(records: &[Vec<u8>]) -> Vec<u8> {
    let mut out = four_bytes(records.len()).to_vec();
    let mut end = 0;
    for record in records {
        end += record.len();
        out.extend_from_slice(&four_bytes(end));
    }
    records.iter().for_each(|record| out.extend_from_slice(record));
    out
}

/// Returns the bytes of a file with these sections.
pub(super) fn file(source_hash: &[u8; 32], sections: &[(Section, Vec<u8>)]) -> Vec<u8> {
    let mut checked = source_hash.to_vec();
    checked.extend_from_slice(&four_bytes(sections.len()));
    for (id, content) in sections {
        checked.extend_from_slice(&(*id as u32).to_le_bytes());
        checked.extend_from_slice(&four_bytes(content.len()));
    }
    sections.iter().for_each(|(_, content)| checked.extend_from_slice(content));
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&checksum(&checked).to_le_bytes());
    out.extend_from_slice(&checked);
    out
}

/// Returns a size in four bytes. Files are written only if their whole size fits into four bytes.
fn four_bytes(size: usize) -> [u8; 4] {
    u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes()
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// The sections of a file with a valid header.
pub(super) struct Sections<'b> {
    pub(super) source_hash: [u8; 32],
    found: Vec<(u32, &'b [u8])>,
}

impl<'b> Sections<'b> {
    /// Reads the sections of a file, and compares the checksum.
    pub(super) fn read(bytes: &'b [u8]) -> Result<Sections<'b>, StoreError> {
        let sections = Sections::headed(bytes)?;
        let sum = bytes.get(12..BEFORE_CHECKED).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
        let found = checksum(bytes.get(BEFORE_CHECKED..).unwrap_or_default());
        if sum == Some(found) { Ok(sections) } else { Err(StoreError::Checksum) }
    }

    /// Reads the sections of a file whose checksum was compared before.
    pub(super) fn headed(bytes: &'b [u8]) -> Result<Sections<'b>, StoreError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(StoreError::Foreign);
        }
        let found = bytes.len() as u64;
        let short = || StoreError::Length { announced: HEADER as u64, found };
        let word = |at: usize| {
            let four = bytes.get(at..at + 4)?;
            four.try_into().ok().map(u32::from_le_bytes)
        };
        let version = word(8).ok_or_else(short)?;
        if version != VERSION {
            return Err(StoreError::Version(version));
        }
        let count = word(HEADER - 4).ok_or_else(short)? as usize;
        let mut rows = bytes.get(HEADER..).unwrap_or_default().chunks_exact(8);
        // A damaged count must not decide how much memory is reserved.
        let sizes: Vec<(u32, u32)> = rows.by_ref().take(count).map(row).collect();
        let announced = sizes.iter().map(|(_, length)| u64::from(*length)).sum::<u64>()
            + HEADER as u64
            + 8 * count as u64;
        if announced != found || sizes.len() != count {
            return Err(StoreError::Length { announced, found });
        }
        let mut rest = bytes.get(HEADER + 8 * count..).unwrap_or_default();
        let mut sections = Vec::with_capacity(count);
        for (id, length) in sizes {
            let (section, behind) = rest.split_at_checked(length as usize).ok_or_else(short)?;
            sections.push((id, section));
            rest = behind;
        }
        let hash = bytes.get(BEFORE_CHECKED..BEFORE_CHECKED + 32).and_then(|hash| hash.try_into().ok());
        Ok(Sections { source_hash: hash.ok_or_else(short)?, found: sections })
    }

    /// Returns the content of a section. Empty if the file does not have it.
    pub(super) fn get(&self, section: Section) -> &'b [u8] {
        let found = self.found.iter().find(|(id, _)| *id == section as u32);
        found.map_or(&[], |(_, content)| content)
    }
}

fn row(bytes: &[u8]) -> (u32, u32) {
    let word =
        |bytes: Option<&[u8]>| bytes.and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes);
    (word(bytes.get(..4)), word(bytes.get(4..8)))
}

/// Reads numbers and texts one after the other.
pub(super) struct FieldReader<'b> {
    rest: &'b [u8],
}

impl<'b> FieldReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> FieldReader<'b> {
        FieldReader { rest: bytes }
    }

    pub(super) fn byte(&mut self) -> Result<u8, StoreError> {
        let (first, rest) = self.rest.split_first().ok_or(StoreError::Damaged("a record ends too early"))?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn long(&mut self) -> Result<u64, StoreError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(StoreError::Damaged("a number is too long"))
    }

    pub(super) fn number(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.long()?).map_err(|_| StoreError::Damaged("a number is too large"))
    }

    /// Reads the number of records that follow. Each takes at least one byte.
    pub(super) fn count(&mut self) -> Result<usize, StoreError> {
        let count = self.number()? as usize;
        if count > self.rest.len() { Err(StoreError::Damaged("a count is too large")) } else { Ok(count) }
    }

    pub(super) fn text(&mut self) -> Result<&'b str, StoreError> {
        let length = self.number()? as usize;
        let (text, rest) =
            self.rest.split_at_checked(length).ok_or(StoreError::Damaged("a text ends too early"))?;
        self.rest = rest;
        std::str::from_utf8(text).map_err(|_| StoreError::Damaged("a text is not UTF-8"))
    }

    /// Returns an error if the record has not been read to its end.
    pub(super) fn end(&self) -> Result<(), StoreError> {
        if self.rest.is_empty() { Ok(()) } else { Err(StoreError::Damaged("a record is too long")) }
    }
}

/// Records that are found by their position.
#[derive(Clone, Copy)]
pub(super) struct Table<'b> {
    ends: &'b [u8],
    records: &'b [u8],
}

impl<'b> Table<'b> {
    pub(super) fn read(section: &'b [u8]) -> Result<Table<'b>, StoreError> {
        if section.is_empty() {
            return Ok(Table { ends: &[], records: &[] });
        }
        let damaged = StoreError::Damaged("a table is too short");
        let (count, rest) = section.split_first_chunk::<4>().ok_or(damaged.clone())?;
        let length = (u32::from_le_bytes(*count) as usize).checked_mul(4).ok_or(damaged.clone())?;
        let (ends, records) = rest.split_at_checked(length).ok_or(damaged)?;
        Ok(Table { ends, records })
    }

    /// Returns the number of records.
    pub(super) fn len(self) -> u32 {
        u32::try_from(self.ends.len() / 4).unwrap_or(u32::MAX)
    }

    /// Returns the record at a position.
    pub(super) fn record(self, index: u32) -> Result<&'b [u8], StoreError> {
        let end = |index: u32| {
            let at = index as usize * 4;
            let four = self.ends.get(at..at + 4)?;
            four.try_into().ok().map(|four| u32::from_le_bytes(four) as usize)
        };
        let start = if index == 0 { Some(0) } else { end(index - 1) };
        let record = start.zip(end(index)).and_then(|(start, end)| self.records.get(start..end));
        record.ok_or(StoreError::Damaged("a reference leads out of its table"))
    }
}

/// The modes, at the positions of their codes.
const MODES: [ResourceMode; 4] =
    [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral, ResourceMode::Action];

/// The kinds of nesting, at the positions of their codes.
const NESTINGS: [Nesting; 5] = [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map];

/// Returns the code of one of several kinds.
fn code<T: PartialEq>(kinds: &[T], kind: &T) -> u8 {
    kinds.iter().position(|other| other == kind).and_then(|index| u8::try_from(index).ok()).unwrap_or(u8::MAX)
}

pub(super) fn mode_code(mode: ResourceMode) -> u8 {
    code(&MODES, &mode)
}

pub(super) fn mode(code: u8) -> Result<ResourceMode, StoreError> {
    MODES.get(usize::from(code)).copied().ok_or(StoreError::Damaged("a mode is unknown"))
}

pub(super) fn nesting_code(nesting: Nesting) -> u8 {
    code(&NESTINGS, &nesting)
}

pub(super) fn nesting(code: u8) -> Result<Nesting, StoreError> {
    NESTINGS.get(usize::from(code)).copied().ok_or(StoreError::Damaged("a nesting is unknown"))
}

/// Facts about an attribute, one bit for each.
pub(super) mod flags {
    pub(in crate::schema_store) const REQUIRED: u8 = 1;
    pub(in crate::schema_store) const OPTIONAL: u8 = 1 << 1;
    pub(in crate::schema_store) const COMPUTED: u8 = 1 << 2;
    pub(in crate::schema_store) const SENSITIVE: u8 = 1 << 3;
    pub(in crate::schema_store) const WRITE_ONLY: u8 = 1 << 4;
    pub(in crate::schema_store) const DEPRECATED: u8 = 1 << 5;
    /// The attribute has nested attributes in place of a type.
    pub(in crate::schema_store) const NESTED: u8 = 1 << 6;
}

/// The codes of types.
pub(super) mod types {
    pub(in crate::schema_store) const BOOL: u8 = 0;
    pub(in crate::schema_store) const NUMBER: u8 = 1;
    pub(in crate::schema_store) const STRING: u8 = 2;
    pub(in crate::schema_store) const DYNAMIC: u8 = 3;
    pub(in crate::schema_store) const LIST: u8 = 4;
    pub(in crate::schema_store) const SET: u8 = 5;
    pub(in crate::schema_store) const MAP: u8 = 6;
    pub(in crate::schema_store) const TUPLE: u8 = 7;
    pub(in crate::schema_store) const OBJECT: u8 = 8;
}

/// Replaces the checksum of the bytes by the correct one.
#[cfg(test)]
pub(super) fn reseal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes[BEFORE_CHECKED..]);
    bytes[12..BEFORE_CHECKED].copy_from_slice(&sum.to_le_bytes());
    bytes
}
