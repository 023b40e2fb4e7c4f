//! Plans, explains, compares and draws generated modules.
#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, Report, Secrets};
use terrane_fuzz::{modules, outputs, trees};

const ADDRESSES: [&str; 5] =
    ["local.birch", "output.date", "tree.fir[0].size", "module.elder[\"apple\"].local.birch", "main.tf:3"];

fuzz_target!(|bytes: &[u8]| {
    let _ = written(&mut Unstructured::new(bytes));
});

/// Writes one thing about a generated module, so that a run is short.
fn written(bytes: &mut Unstructured<'_>) -> Result<()> {
    let thing = bytes.int_in_range(0..=3)?;
    let address = *bytes.choose(&ADDRESSES)?;
    let (report, files) = evaluated(bytes)?;
    match thing {
        0 => outputs::plan(&report, &files),
        1 => {
            outputs::explained(&report, address, &files);
            if let Ok(dependents) = report.dependents(address, &files) {
                outputs::is_text(&dependents.to_text());
                outputs::is_json(&dependents.to_json());
            }
        }
        2 => {
            let document = report.document_with_graph(Secrets::Hidden);
            for picture in [terrane_picture::svg(&document), terrane_picture::html(&document)] {
                outputs::is_text(&picture.expect("a small graph"));
            }
        }
        _ => {
            let (other, _) = evaluated(bytes)?;
            outputs::comparison(&report.diff(&other, Secrets::Hidden));
            assert!(report.diff(&report, Secrets::Hidden).is_empty(), "a report differs from itself");
        }
    }
    Ok(())
}

fn evaluated(bytes: &mut Unstructured<'_>) -> Result<(Report, MemoryFiles)> {
    let files = modules::tree(bytes)?;
    Ok((Project::new(".").limits(trees::limits()).evaluate(&files), files))
}
