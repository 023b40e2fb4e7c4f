//! DEFLATE (RFC 1951): writes the same bytes as the library that the products and their providers are built with.
//!
//! The format leaves to the writer which repetitions it finds and how it codes them. Hashes of the output are compared with the
//! hashes in a plan, so every choice here follows the reference: how far a search goes, when a better match one byte later is
//! preferred, where a block ends, and which of the three kinds of blocks it is. Texts are written in `chunks`, since the
//! reference's window moves between two writes.

mod block;
mod chains;
mod code;
mod compressor;
mod gzip;
#[cfg(test)]
mod tests;

pub(crate) use chains::Level;
pub(crate) use compressor::deflate;
pub(crate) use gzip::gzip;
