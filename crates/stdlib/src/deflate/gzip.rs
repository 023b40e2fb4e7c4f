//! gzip (RFC 1952): a header, the compressed text, its checksum and its length.

use super::chains::Level;
use super::compressor::deflate;

/// The header of the reference: no name, no time, no operating system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Compresses the chunks of a text, as [`deflate`] does.
pub(crate) fn gzip<E>(
    chunks: &[&[u8]],
    flushed: bool,
    spend: impl Fn(usize) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut sum = flate2::Crc::new();
    for chunk in chunks {
        sum.update(chunk);
    }
    let mut bytes = HEADER.to_vec();
    bytes.extend(deflate(chunks, Level::DEFAULT, flushed, spend)?);
    bytes.extend(sum.sum().to_le_bytes());
    bytes.extend(sum.amount().to_le_bytes());
    Ok(bytes)
}
