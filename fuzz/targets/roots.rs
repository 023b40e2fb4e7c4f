//! Finds and evaluates the root modules of any tree, with the files of other tools that name them.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use terrane::{EvaluatedRoot, Project, RootOptions, Roots, Secrets};
use terrane_fuzz::{outputs, trees};

fuzz_target!(|text: &str| {
    let files = trees::files(text, "fleet.toml");
    files.insert("stacks/a/main.tf", "terraform {\nbackend \"local\" {}\n}\noutput \"a\" { value = 1 }\n");
    files.insert("stacks/b/main.tf", "module \"a\" { source = \"../a\" }\n");
    let mut options = RootOptions::default();
    for all in [false, true] {
        options.all = all;
        let roots = Roots::find(Path::new("."), options, &files);
        outputs::all(&roots.diagnostics);
        let evaluated = roots.evaluate(
            &files,
            |root| Project::new(&root.directory).limits(trees::limits()),
            |_, report| EvaluatedRoot::with_document(&report, Secrets::Hidden, true),
        );
        outputs::is_json(&roots.to_json(&evaluated));
    }
});
