//! Checks any tree of files as `terrane check` does, and writes the result in every form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{CheckOptions, check};
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let mut options = CheckOptions::default();
    options.recursive = true;
    options.limits = trees::limits();
    let checked = check(&["."], &options, &trees::files(text, "main.tf"));
    outputs::all(&checked.diagnostics);
});
