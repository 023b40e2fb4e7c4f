//! The printed text of a known value evaluates to that value.
#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::{printable, values};

fuzz_target!(|data: &[u8]| {
    if let Ok(value) = values::value(&mut Unstructured::new(data)) {
        printable::reads_back(&value);
    }
});
