//! Sends any lines to the evaluation server: each has one answer in JSON, on one line.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use terrane::{MemoryFiles, Project, RequestOptions, Secrets, Session};
use terrane_fuzz::trees;

const MODULE: &str = "variable \"key\" {\ndefault = \"Mrk7\"\nsensitive = true\n}\nlocals {\nlist = [1, 2]\nsecret = { a = var.key }\n}\n\
                      resource \"tree\" \"oak\" {\nsize = var.key\n}\n";

static SESSION: LazyLock<Session> = LazyLock::new(|| {
    let files: MemoryFiles = [("main.tf", MODULE)].into_iter().collect();
    Session::of_module(Project::new(".").limits(trees::limits()).evaluate(&files))
});

fuzz_target!(|text: &str| {
    for line in text.lines() {
        let mut options = RequestOptions::default();
        options.secrets = Secrets::Hidden;
        let answer = SESSION.request(line, &MemoryFiles::new(), options);
        assert_eq!(answer.lines().count(), 1, "{answer}");
        serde_json::from_str::<&serde_json::value::RawValue>(&answer).expect("an answer is JSON");
        // Only a request that brings it can get it back, or one that takes it apart.
        let brings = line.contains("Mrk") || line.contains("nonsensitive") || line.contains("\\u");
        assert!(brings || !answer.contains("Mrk7"), "{line}\n{answer}");
    }
});
