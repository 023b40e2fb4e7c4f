//! Any bytes: tokens, tree and messages keep the promises that the tests of `syntax` check.
#![no_main]

#[path = "../../crates/syntax/tests/invariants/mod.rs"]
mod invariants;

use libfuzzer_sys::fuzz_target;
use terrane_source::{FileId, SourceFile};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = SourceFile::from_bytes(FileId::new("fuzz.tf"), bytes.to_vec()) {
        invariants::check(&source);
    }
});
