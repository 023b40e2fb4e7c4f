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
fn a_broken_root_is_found_and_loses_no_other() {
    for broken in ["terraform { required_version =", "terraform { backend \"s3\" {", "terraform {\n", "= {"] {
        let files = MemoryFiles::from_iter([
            ("broken/main.tf", broken),
            ("called/main.tf", broken),
            ("good/main.tf", "provider \"a\" {}\nmodule \"called\" { source = \"../called\" }\n"),
        ]);
        let found = found(&files, ".", false);
        assert_eq!(roots(&found), ["broken: syntax-errors", "good: provider"], "{broken}");
        let project = |root: &FoundRoot| Project::new(&root.directory);
        let errors = found.evaluate(&files, project, |_, report| report.has_errors());
        assert_eq!(errors, [true, true], "{broken}");
    }
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

fn messages(found: &Roots) -> Vec<&str> {
    found.diagnostics.as_slice().iter().map(|diagnostic| &*diagnostic.detail).collect()
}

#[test]
fn files_name_roots() {
    let module = "output \"o\" { value = 1 }\n";
    let files = MemoryFiles::from_iter([
        (".git/HEAD", ""),
        (".gitignore", "generated\n"),
        ("fleet.toml", "[[root]]\npath = \"live/*\"\n[[root]]\npath = \"generated\"\n"),
        (
            "atlantis.yaml",
            "version: 3\nprojects:\n- dir: live/eu\n  workspace: a\n- dir: ./examples/x/\n- {dir: .}\n",
        ),
        ("main.tf", module),
        ("live/eu/main.tf", module),
        ("live/us/main.tf", "module \"eu\" { source = \"../eu\" }\n"),
        ("live/us/deep/main.tf", module),
        ("generated/main.tf", module),
        ("examples/x/main.tf", module),
        ("examples/y/main.tf", module),
        ("other/live/z/main.tf", module),
    ]);
    let named = found(&files, ".", false);
    let expected = [
        ".: atlantis-file",
        "examples/x: atlantis-file",
        "generated: fleet-file",
        "live/eu: fleet-file+atlantis-file",
        "live/us: fleet-file",
    ];
    assert_eq!(roots(&named), expected);
    assert_eq!(names(&named.libraries), ["live/us/deep", "other/live/z"]);
    assert_eq!(names(&named.examples), ["examples/y"]);
    assert!(named.diagnostics.is_empty(), "{:?}", named.diagnostics);
    let below = found(&files, "live/eu", false);
    assert_eq!(roots(&below), ["live/eu: fleet-file+atlantis-file"], "lists above count, too");
    assert!(below.diagnostics.is_empty(), "{:?}", below.diagnostics);
}

#[test]
fn names_that_lead_nowhere_are_reported() {
    let files = MemoryFiles::from_iter([
        ("fleet.toml", "[[root]]\npath = \"gone\"\n[[root]]\npath = \"live/*\"\n"),
        ("a/atlantis.yaml", "projects: [{dir: ../b}, {dir: b}, {dir: grunt}, {dir: images}]\n"),
        ("a/b/main.tf", ""),
        ("a/grunt/terragrunt.hcl", ""),
        ("a/images/a.pkr.hcl", ""),
        ("b/main.tf", ""),
    ]);
    let found = found(&files, ".", false);
    assert_eq!(roots(&found), ["a/b: atlantis-file"]);
    assert_eq!(
        messages(&found),
        [
            "fleet.toml names the root module \"gone\", but there is no directory with a module.",
            "fleet.toml names \"live/*\" as root modules, but no directory with a module matches.",
            "a/atlantis.yaml names the root module \"../b\", which is outside of the directory of the file.",
        ]
    );
    assert!(!found.diagnostics.has_errors());
    let place = found.diagnostics.as_slice()[0].subject.as_ref().expect("a place");
    assert_eq!(place.file.slice(place.span), "\"gone\"");
}

#[test]
fn a_broken_list_of_roots_loses_no_root() {
    let cases = [
        ("fleet.toml", "[[root]\n", "fleet.toml: "),
        ("fleet.toml", "[[root]]\npaths = \"a\"\n", "fleet.toml: unknown field `paths`, expected `path`."),
        ("fleet.toml", "[[root]]\npath = 1\n", "fleet.toml: invalid type: integer `1`, expected a string."),
        ("fleet.toml", "[[root]]\n", "fleet.toml: missing field `path`."),
        ("fleet.toml", "\u{0}\u{7f}", "fleet.toml: "),
        ("atlantis.yaml", "a: [", "atlantis.yaml: line 2, column 1: a value is missing."),
        ("atlantis.yaml", "", "atlantis.yaml: line 1, column 1: there is no document."),
        ("atlantis.yaml", "[1]", "atlantis.yaml: the document must be a mapping."),
        ("atlantis.yaml", "projects: 7", "atlantis.yaml: `projects` must be a sequence."),
        (
            "atlantis.yaml",
            "projects: [{dir: a}, {name: b}]",
            "atlantis.yaml: project 2 has no `dir` with the path of a directory.",
        ),
        ("stack.tm.hcl", "stack {\n", ""),
    ];
    for (name, text, expected) in cases {
        let files = MemoryFiles::from_iter([("a/main.tf", "provider \"a\" {}\n"), (name, text)]);
        let found = found(&files, ".", false);
        assert_eq!(roots(&found), ["a: provider"], "{name}: {text}");
        let messages = messages(&found);
        assert!(found.diagnostics.has_errors(), "{name}: {text}");
        assert!(messages.iter().all(|message| message.starts_with(expected)), "{messages:?}");
    }
}

#[test]
fn stacks_of_terramate_are_roots() {
    let stack = "stack {\n  name = tm_upper(global.name)\n}\n";
    let files = MemoryFiles::from_iter([
        ("a/stack.tm.hcl", stack),
        ("a/main.tf", ""),
        ("b/all.tm", "globals {}\nstack {}\n"),
        ("b/main.tf", ""),
        ("c/globals.tm.hcl", "globals {\n  stack = 1\n}\n"),
        ("c/main.tf", ""),
        ("empty/stack.tm.hcl", stack),
        ("skip/.tmskip", ""),
        ("skip/d/stack.tm.hcl", stack),
        ("skip/d/main.tf", ""),
        ("tests/e/stack.tm.hcl", stack),
        ("tests/e/main.tf", ""),
    ]);
    let found = found(&files, ".", false);
    assert_eq!(roots(&found), ["a: terramate-stack", "b: terramate-stack"]);
    assert_eq!(names(&found.libraries), ["c", "skip/d"]);
    assert_eq!(names(&found.examples), ["tests/e"]);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
}

#[test]
fn patterns_are_compared_with_a_limited_number_of_directories() {
    let list: String = (0..4000).map(|number| format!("[[root]]\npath = \"d*{number}x\"\n")).collect();
    let files = MemoryFiles::from_iter([("fleet.toml".to_owned(), list)]);
    for number in 0..1001 {
        files.insert(format!("d{number}/main.tf"), "terraform {\n  backend \"local\" {}\n}\n");
    }
    let named = found(&files, ".", false);
    assert_eq!(named.roots.len(), 1001, "other signs tell roots");
    let too_many =
        messages(&named).iter().filter(|message| message.contains("more than 4000000 directories")).count();
    assert_eq!(too_many, 1);
}
