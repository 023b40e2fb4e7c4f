//! Reads any text as schemas, and evaluates and checks a module with those that are valid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane::{CheckOptions, MemoryFiles, Project, Secrets, check, schema_from_json, schemas_from_json};
use terrane_fuzz::{outputs, trees};

const MODULE: &str = "terraform {\nrequired_providers {\ntree = { source = \"acme/tree\" }\n}\n}\n\
                      resource \"tree_oak\" \"a\" {\ncount = 2\nsize = count.index\nleaf {\ncolor = \"red\"\n}\n\
                      dynamic \"leaf\" {\nfor_each = [1, 2]\ncontent {\ncolor = leaf.value\n}\n}\n}\n\
                      output \"all\" {\nvalue = tree_oak.a\n}\n";

fuzz_target!(|text: &str| {
    if let Ok(schema) = schema_from_json(text) {
        // A type may be long, but not longer than its text allows many times over.
        assert!(schema.ty().to_string().len() < (1 << 16) + 4096 * text.len());
    }
    let Ok(schemas) = schemas_from_json(text) else { return };
    let files: MemoryFiles = [("main.tf", MODULE)].into_iter().collect();
    let report = Project::new(".").limits(trees::limits()).schemas(&schemas).evaluate(&files);
    outputs::all(report.diagnostics());
    let document = report.document(Secrets::Hidden).to_json();
    serde_json::from_str::<&serde_json::value::RawValue>(document.trim()).expect("JSON");
    let mut options = CheckOptions::default();
    options.schemas = schemas;
    options.limits = trees::limits();
    outputs::all(&check(&["."], &options, &files).diagnostics);
});
