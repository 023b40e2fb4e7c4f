//! Tests of the search for root modules.

use std::path::{Path, PathBuf};

use terrane_source::MemoryFiles;

use super::*;
use crate::project::Project;
use crate::secrets::Secrets;

const TREE: [(&str, &str); 13] = [
    ("main.tf", "module \"net\" { source = \"./modules/net\" }\n"),
    (
        "live/eu/main.tf",
        "terraform {\n  backend \"s3\" {}\n}\nmodule \"net\" { source = \"../../modules/net\" }\n",
    ),
    ("live/eu/.terraform/modules/x/main.tf", "provider \"aws\" {}\n"),
    ("live/us/main.tf", "variable \"a\" {}\noutput \"a\" { value = var.a }\n"),
    ("live/us/x.auto.tfvars", "a = 1\n"),
    ("modules/net/main.tf", "provider \"aws\" {}\n"),
    ("modules/net/examples/one/main.tf", "provider \"aws\" {}\n"),
    ("called/main.tf", "terraform {\n  cloud {}\n}\n"),
    ("caller/main.tf", "provider \"a\" {}\nmodule \"called\" { source = \"../called\" }\n"),
    ("grunt/terragrunt.hcl", ""),
    ("images/a.pkr.hcl", ""),
    ("locked/main.tf", ""),
    ("locked/.terraform.lock.hcl", ""),
];

fn found(files: &MemoryFiles, top: &str, all: bool) -> Roots {
    Roots::find(Path::new(top), RootOptions { all, ..RootOptions::default() }, files)
}

fn names(paths: &[PathBuf]) -> Vec<&str> {
    paths.iter().filter_map(|path| path.to_str()).collect()
}

fn roots(found: &Roots) -> Vec<String> {
    let signs = |root: &FoundRoot| root.found_by.iter().map(|sign| sign.name()).collect::<Vec<_>>().join("+");
    found.roots.iter().map(|root| format!("{}: {}", root.directory.display(), signs(root))).collect()
}

#[test]
fn signs_tell_roots_from_libraries() {
    let files = MemoryFiles::from_iter(TREE);
    let few = found(&files, ".", false);
    let expected = [
        "called: cloud",
        "caller: provider",
        "live/eu: backend",
        "live/us: variable-file",
        "locked: lock-file",
    ];
    assert_eq!(roots(&few), expected);
    assert_eq!(names(&few.libraries), ["."]);
    assert_eq!(names(&few.examples), ["modules/net/examples/one"]);
    assert_eq!((names(&few.terragrunt), names(&few.templates)), (vec!["grunt"], vec!["images"]));
    let all = roots(&found(&files, ".", true));
    assert_eq!(all.len(), 7);
    assert!(all.contains(&".: not-called".to_owned()) && !all.contains(&"modules/net: provider".to_owned()));
}

#[test]
fn a_named_directory_of_examples_has_roots() {
    let files = MemoryFiles::from_iter(TREE);
    assert_eq!(roots(&found(&files, "modules/net/examples", false)), ["modules/net/examples/one: provider"]);
    assert_eq!(roots(&found(&files, "./live/us/", false)), ["live/us: variable-file"]);
}

#[test]
fn ignored_directories_have_no_roots() {
    let root = "provider \"a\" {}\n";
    let files = MemoryFiles::from_iter([
        (".git/HEAD", ""),
        (".gitignore", "build/\n/top\n*.old\n"),
        ("build/main.tf", root),
        ("a/build/main.tf", root),
        ("a/top/main.tf", root),
        ("top/main.tf", root),
        ("a/x.old/main.tf", root),
        ("b/.terraneignore", "!keep.old\nsecret\n"),
        ("b/keep.old/main.tf", root),
        ("b/secret/main.tf", root),
    ]);
    assert_eq!(roots(&found(&files, ".", false)), ["a/top: provider", "b/keep.old: provider"]);
    assert_eq!(roots(&found(&files, "a", false)), ["a/top: provider"], "patterns above count too");
}

#[test]
fn a_broken_root_changes_no_other() {
    let files = MemoryFiles::from_iter([
        ("a/main.tf", "provider \"a\" {}\noutput \"o\" { value = \"fine\" }\n"),
        ("b/main.tf", "provider \"a\" {}\noutput \"o\" { value = local.gone }\n"),
        ("c/main.tf", "provider \"a\" {}\noutput \"o\" {\n"),
        ("d/main.tf", "provider \"a\" {}\noutput \"o\" { value = \"fine, too\" }\n"),
    ]);
    let found = found(&files, ".", false);
    let project = |root: &FoundRoot| Project::new(&root.directory);
    let evaluated = found
        .evaluate(&files, project, |_, report| EvaluatedRoot::with_document(&report, Secrets::Hidden, false));
    let document: serde_json::Value = serde_json::from_str(&found.to_json(&evaluated)).expect("JSON");
    let statuses: Vec<&str> =
        document["roots"].as_array().unwrap().iter().filter_map(|root| root["status"].as_str()).collect();
    assert_eq!(statuses, ["ok", "errors", "errors", "ok"]);
    assert_eq!(document["roots"][3]["document"]["outputs"]["o"]["value"], "fine, too");
    assert_eq!(document["roots"][1]["diagnostics"][0]["id"], "core:undeclared-local");
    assert!(document["roots"][1].get("document").is_none());
    assert_eq!(document["summary"]["with_errors"], 2);
    let alone = Project::new("d").evaluate(&files).document(Secrets::Hidden).to_json();
    assert_eq!(evaluated[3].document.as_deref(), Some(&*alone));
}
