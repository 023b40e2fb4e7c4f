//! Writes archives in memory, byte for byte as the library of the reference writes them.

use super::row::NotComputed;
use crate::deflate::{Level, deflate, gzip};

/// A member of an archive.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
}

/// Version 2.0 of the format.
const VERSION: u16 = 20;
/// The checksum and the sizes follow the content.
const DESCRIPTOR_FOLLOWS: u16 = 1 << 3;
const NAME_IS_UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;

/// The system in whose form the permissions are written: Unix.
const UNIX: u16 = 3 << 8;
/// The day that the library writes if a member has no time.
const NO_DAY: u16 = 0x8a21;
/// The number of bytes of a file that are written at once.
const WRITTEN_AT_ONCE: usize = 32 * 1024;

/// The date of a member of a zip archive and its permissions as the archive has them.
#[derive(Clone, Copy, Default)]
struct Stamp {
    system: u16,
    day: u16,
    permissions: u32,
}

impl Stamp {
    /// Returns the stamp of a file with these permissions. A file that its owner cannot write is read-only for other systems
    /// too.
    fn of_file(mode: u32) -> Stamp {
        let permissions = (0o100_000 | (mode & 0o777)) << 16 | u32::from(mode & 0o200 == 0);
        Stamp { system: UNIX, day: NO_DAY, permissions }
    }
}

/// Returns a zip archive as the provider's library writes it, with the sizes of each member after its content. Members are
/// files with permissions, or texts without times and permissions.
pub(super) fn zip(
    members: &[Member],
    mode_of_files: Option<u32>,
    spend: impl Fn(usize) -> Result<(), NotComputed>,
) -> Result<Vec<u8>, NotComputed> {
    let stamp = mode_of_files.map(Stamp::of_file).unwrap_or_default();
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for Member { name, content } in members {
        let compressed = deflate(&[content], Level::ZIP, false, &spend)?;
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        let sizes = [checksum.sum(), long(compressed.len())?, long(content.len())?];
        let start = long(archive.len())?;
        let flags = DESCRIPTOR_FOLLOWS | if needs_utf8(name) { NAME_IS_UTF8 } else { 0 };
        let name_length = u16::try_from(name.len()).map_err(|_| "the name of a source is too long")?;

        archive.extend(b"PK\x03\x04");
        archive.extend([VERSION, flags, DEFLATED, 0, stamp.day].map(u16::to_le_bytes).as_flattened());
        archive.extend([0; 12]);
        archive.extend([name_length, 0].map(u16::to_le_bytes).as_flattened());
        archive.extend(name.as_bytes());
        archive.extend(compressed);
        archive.extend(b"PK\x07\x08");
        archive.extend(sizes.map(u32::to_le_bytes).as_flattened());

        directory.extend(b"PK\x01\x02");
        directory.extend(
            [stamp.system | VERSION, VERSION, flags, DEFLATED, 0, stamp.day]
                .map(u16::to_le_bytes)
                .as_flattened(),
        );
        directory.extend(sizes.map(u32::to_le_bytes).as_flattened());
        directory.extend([name_length, 0, 0, 0, 0].map(u16::to_le_bytes).as_flattened());
        directory.extend([stamp.permissions, start].map(u32::to_le_bytes).as_flattened());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(members.len()).map_err(|_| "the archive has too many members")?;
    let (size, start) = (long(directory.len())?, long(archive.len())?);
    archive.append(&mut directory);
    archive.extend(b"PK\x05\x06");
    archive.extend([0, 0, count, count].map(u16::to_le_bytes).as_flattened());
    archive.extend([size, start].map(u32::to_le_bytes).as_flattened());
    archive.extend([0; 2]);
    Ok(archive)
}

/// Returns a size as the 32-bit number of the format, or an error if the size needs a longer form.
fn long(size: usize) -> Result<u32, NotComputed> {
    u32::try_from(size).map_err(|_| "the archive is too large".into())
}

/// Whether a name has characters whose bytes differ between the encodings of readers: all characters except the printable ones
/// of ASCII without `\` and `~`.
fn needs_utf8(name: &str) -> bool {
    name.bytes().any(|byte| !(b' '..=b'}').contains(&byte) || byte == b'\\')
}

/// The length of a block of a tar archive.
const BLOCK: usize = 512;

/// Returns a compressed tar archive (POSIX.1-1988, `ustar`) of members that have these permissions, but no time and no owner.
/// The provider reads files in parts.
pub(super) fn tar_gz(
    members: &[Member],
    mode: u32,
    are_files: bool,
    spend: impl Fn(usize) -> Result<(), NotComputed>,
) -> Result<Vec<u8>, NotComputed> {
    let headers = members.iter().map(|member| tar_header(&member.name, member.content.len(), mode));
    let headers = headers.collect::<Result<Vec<_>, _>>()?;
    let zeros = [0; BLOCK];
    let mut chunks: Vec<&[u8]> = Vec::new();
    for (Member { content, .. }, header) in members.iter().zip(&headers) {
        let padding = content.len().next_multiple_of(BLOCK) - content.len();
        chunks.push(header);
        match are_files {
            true => chunks.extend(content.chunks(WRITTEN_AT_ONCE)),
            false => chunks.push(content),
        }
        chunks.push(zeros.get(..padding).unwrap_or_default());
    }
    chunks.extend([zeros.as_slice(), &zeros]);
    gzip(&chunks, false, spend)
}

/// The header of a member.
fn tar_header(name: &str, length: usize, mode: u32) -> Result<Vec<u8>, NotComputed> {
    if name.len() > 100 || !name.bytes().all(|byte| (1..0x80).contains(&byte)) {
        return Err("the name of a source needs a newer form of tar archives".into());
    }
    if length >= 1 << 33 {
        return Err("a source is too large".into());
    }
    let mut header = name.as_bytes().to_vec();
    header.resize(100, 0);
    // The permissions, the owner, its group, the length and the time.
    header.extend(format!("{mode:07o}\0{0:07o}\0{0:07o}\0{length:011o}\0{0:011o}\0", 0).bytes());
    // While the checksum is computed, its own field has spaces. The `0` after it says that the member is a file.
    let before = header.len();
    header.extend(b"        0");
    header.resize(257, 0);
    header.extend(b"ustar\x0000");
    header.resize(329, 0);
    header.extend(b"0000000\x000000000\0");
    header.resize(BLOCK, 0);
    let sum: u32 = header.iter().copied().map(u32::from).sum();
    header.splice(before..before + 8, format!("{sum:06o}\0 ").bytes());
    Ok(header)
}
