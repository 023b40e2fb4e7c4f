//! Plans, explains, compares and draws generated modules.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, Secrets};
use terrane_fuzz::{modules, outputs, trees};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let mut evaluated = || {
        let tree = modules::tree(&mut bytes).ok()?;
        let files: MemoryFiles = tree.iter().map(|(name, text)| (*name, text.as_str())).collect();
        Some((Project::new(".").limits(trees::limits()).evaluate(&files), files))
    };
    let Some((before, files)) = evaluated() else { return };
    outputs::plan(&before);
    for address in
        ["local.birch", "output.date", "tree.fir[0].size", "module.elder[\"apple\"].local.birch", "main.tf:3"]
    {
        outputs::explained(&before, address, &files);
        if let Ok(dependents) = before.dependents(address, &files) {
            outputs::is_text(&dependents.to_text());
            outputs::is_json(&dependents.to_json());
        }
    }
    let document = before.document_with_graph(Secrets::Hidden);
    for picture in [terrane_picture::svg(&document), terrane_picture::html(&document)] {
        outputs::is_text(&picture.expect("a small graph"));
    }
    let Some((after, _)) = evaluated() else { return };
    outputs::comparison(&before.diff(&after, Secrets::Hidden));
    assert!(before.diff(&before, Secrets::Hidden).is_empty(), "a report differs from itself");
});
