//! Any bytes: the JSON tree, its messages and the templates in its strings keep the promises that the tests of
//! `syntax` check.
#![no_main]

#[path = "../../crates/syntax/tests/json_invariants/mod.rs"]
mod json_invariants;

use libfuzzer_sys::fuzz_target;
use terrane_source::{FileId, SourceFile};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = SourceFile::from_bytes(FileId::new("fuzz.tf.json"), bytes.to_vec()) {
        json_invariants::check(&source);
    }
});
