//! `terrane check` as a user meets it: which files it reads, its formats, its exit codes, and hostile files.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Returns a directory with files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    directory
}

/// Returns the exit code, standard output and standard error.
fn check(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrane"));
    command.env("TERRANE_CACHE_DIR", "/nonexistent");
    let output =
        command.current_dir(directory).arg("check").args(arguments).output().expect("the command runs");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
    (output.status.code(), stdout, stderr)
}

#[test]
fn a_module_with_several_names_is_checked_once() {
    let directory =
        directory(&[("main.tf", "output \"q\" { value = var.u }\n"), ("m/a.tf", "locals { a = b.c }\n")]);
    let full = directory.path().to_str().expect("UTF-8");
    let file = format!("{full}/main.tf");
    for arguments in [["./main.tf", &*file], [".", full], ["main.tf", full], [".", &*file]] {
        let (code, stdout, stderr) = check(directory.path(), &arguments);
        assert_eq!(
            (code, stderr.as_str()),
            (Some(1), "1 file checked: 1 error in 1 file\n"),
            "{arguments:?}"
        );
        assert!(stdout.contains("--> main.tf:1:22"), "{stdout}");
    }
    let below = format!("{full}/m");
    let (_, stdout, stderr) = check(directory.path(), &["-recursive", &below, "."]);
    assert_eq!(stderr, "2 files checked: 2 errors in 2 files\n", "{stdout}");
}

#[test]
fn clean_files() {
    let directory = directory(&[("a.tf", "locals {}\n"), ("b/c.nomad", "job \"x\" {}\n"), ("d.md", "[")]);
    let one = (Some(0), String::new(), "1 file checked: no errors\n".to_owned());
    assert_eq!(check(directory.path(), &[]), one);
    assert_eq!(check(directory.path(), &["-recursive", "-recursive=false"]), one);
    assert_eq!(check(directory.path(), &["b/c.nomad"]), one);
    let two = (Some(0), String::new(), "2 files checked: no errors\n".to_owned());
    for recursive in ["-recursive", "--recursive=true", "-recursive=1"] {
        assert_eq!(check(directory.path(), &["-no-color", recursive]), two);
    }
    assert_eq!(check(directory.path(), &[".", "b"]), two);
}

#[test]
fn every_mistake_of_every_file_is_reported_in_order() {
    let directory =
        directory(&[("b.tf", "a = [1 2]\nb = 'x'\n"), ("m/a.pkr.hcl", "c = (1\n"), ("a.tofu", "d {\n")]);
    let (code, stdout, stderr) = check(directory.path(), &["-recursive", "--format", "compact"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        stdout,
        "a.tofu:1:3: error: Unclosed configuration block: The text ends before the closing brace of this block. \
         Write a \"}\" at the end of the block. [core:unclosed-block]\n\
         b.tf:1:8: error: Missing item separator: A comma must stand between two elements. \
         Write a comma before it. [core:missing-item-separator]\n\
         b.tf:2:5: error: Invalid character: Strings are enclosed in double quotes (\"), not in single ones. \
         Write \" before and behind the text. [core:invalid-character]\n\
         m/a.pkr.hcl:2:1: error: Unbalanced parentheses: A closing parenthesis must follow the expression. \
         [core:unbalanced-parentheses]\n"
    );
    assert_eq!(stderr, "3 files checked: 4 errors in 3 files\n");
}

#[test]
fn unreadable_files_are_reported_and_counted() {
    let directory = directory(&[("a.tf", "a = [1 2]\n"), ("c/d.txt", "")]);
    let (code, stdout, stderr) = check(directory.path(), &["a.tf", "b.tf", "--format", "compact"]);
    assert_eq!(code, Some(2));
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert!(stdout.contains("There is no file or directory at b.tf"), "{stdout}");
    assert_eq!(stderr, "1 file checked: 1 error in 1 file; 1 not checked\n");
    let (code, stdout, stderr) = check(directory.path(), &["c"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert!(stderr.starts_with("nothing to check: ") && stderr.contains("`-recursive`"), "{stderr}");
    assert_eq!(check(directory.path(), &["--format", "xml"]).0, Some(2));
}

#[cfg(unix)]
#[test]
fn a_broken_link_in_the_place_of_terraform_tfvars_is_a_warning() {
    let directory = directory(&[("main.tf", "variable \"x\" {}\noutput \"o\" {\n  value = var.y\n}\n")]);
    let link = |name: &str| {
        std::os::unix::fs::symlink("/nonexistent", directory.path().join(name)).expect("a link");
    };
    link("terraform.tfvars");
    let (code, stdout, stderr) = check(directory.path(), &["--format", "compact"]);
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("warning: Failed to read file: terraform.tfvars is a link"), "{stdout}");
    assert!(stdout.contains("Reference to undeclared input variable"), "{stdout}");
    assert_eq!(stderr, "1 file checked: 1 error in 1 file, 1 warning\n");
    // A plan needs the others, and a path on the command line is meant.
    assert_eq!(check(directory.path(), &["terraform.tfvars"]).0, Some(2));
    link("a.auto.tfvars");
    let (code, stdout, _) = check(directory.path(), &["--format", "compact"]);
    assert_eq!(code, Some(2), "{stdout}");
    assert!(
        stdout.contains(
            "error: Failed to read file: There is no file or directory at a.auto.tfvars. It is a link"
        ),
        "{stdout}"
    );
}

#[test]
fn json_is_the_document_of_terraform_validate() {
    let directory =
        directory(&[("a.tf", "resource \"a\" \"b\" {\n  c = [1 2]\n}\n"), ("b/b.tf", "locals {}\n")]);
    let (code, stdout, _) = check(directory.path(), &["--format", "json"]);
    assert_eq!(code, Some(1));
    assert!(stdout.starts_with("{\n  \"format_version\": \"1.0\",\n  \"valid\": false,\n"), "{stdout}");
    for part in ["\"byte\": 28", "\"context\": \"resource \\\"a\\\" \\\"b\\\"\"", "\"code\": \"  c = [1 2]\""]
    {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    let (code, stdout, _) = check(directory.path(), &["b/b.tf", "--format", "json"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("\"valid\": true") && stdout.contains("\"diagnostics\": []"), "{stdout}");
}

/// Each of these files would take hours or crash the program if any work were quadratic or recursive.
#[test]
fn hostile_files_are_refused_in_time() {
    let line = "a = [1 2] @ 'x' ".repeat(250_000);
    let deep = format!("a = {}", "[{a=(f(\"${".repeat(100_000));
    let quotes = "\"\n".repeat(300_000);
    let heredoc = format!("a = <<EOT\n{}", "text\n".repeat(300_000));
    let escapes = format!("a = \"{}\"\n", "\\q".repeat(1_000_000));
    let wide = format!("a = \"{}\" @ [1 2]\n", "e\u{301}".repeat(500_000));
    for text in [line, deep, quotes, heredoc, escapes, wide] {
        let directory = directory(&[("hostile.tf", &text)]);
        for format in ["human", "compact", "json"] {
            let start = Instant::now();
            let (code, stdout, _) = check(directory.path(), &["--format", format]);
            assert_eq!(code, Some(1), "{}", &text[..40]);
            assert!(stdout.len() < 30_000_000, "{} bytes", stdout.len());
            assert!(start.elapsed() < Duration::from_secs(60), "{:?} for {}", start.elapsed(), &text[..40]);
        }
    }
}

#[cfg(unix)]
#[test]
fn broken_links_are_reported_once() {
    use std::os::unix::fs::symlink;

    let directory = directory(&[("main.tf", "module \"loop\" { source = \"./loop\" }\n")]);
    let path = |name: &str| directory.path().join(name);
    symlink("nowhere.tf", path("broken.tf")).expect("a link to nothing");
    symlink("other.tf", path("one.tf")).expect("a link to a link");
    symlink("one.tf", path("other.tf")).expect("a link to a link");
    symlink(".", path("loop")).expect("a link to the directory itself");
    for arguments in [&["--format", "compact"][..], &["--format", "compact", "-recursive"]] {
        let (code, printed, _) = check(directory.path(), arguments);
        let count = |wanted: &str| printed.lines().filter(|line| line.contains(wanted)).count();
        assert_eq!(code, Some(2), "{printed}");
        for file in ["broken.tf", "one.tf", "other.tf"] {
            assert_eq!(count(file), 1, "{printed}");
        }
        assert_eq!((count("Module calls itself"), printed.lines().count()), (1, 4), "{printed}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_module_is_read_at_its_target() {
    use std::os::unix::fs::symlink;

    let directory = directory(&[
        ("main.tf", "module \"m\" { source = \"./link\" }\n"),
        ("real/mod/main.tf", "module \"up\" { source = \"../beside\" }\n"),
        ("real/beside/main.tf", "output \"a\" { value = var.nope }\n"),
    ]);
    symlink("real/mod", directory.path().join("link")).expect("a link to a directory");
    let (code, printed, _) = check(directory.path(), &["--format", "compact"]);
    assert_eq!((code, printed.lines().count()), (Some(1), 1), "{printed}");
    assert!(printed.contains("real/beside/main.tf:1:22"), "{printed}");
}

#[cfg(unix)]
#[test]
fn unreadable_files_count_as_checked_in_no_format() {
    use std::os::unix::fs::symlink;

    let directory = directory(&[
        ("main.tf", "module \"m\" { source = \"./m\" }\nmodule \"n\" { source = \"./n\" }\n"),
        ("m/a.tf", "locals {}\n"),
    ]);
    let path = |name: &str| directory.path().join(name);
    symlink("nowhere.tf", path("m/broken.tf")).expect("a link to nothing");
    symlink("n", path("n")).expect("a link to itself");
    let (code, printed, summary) = check(directory.path(), &["--format", "junit"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(!printed.contains("name=\"m/broken.tf\""), "{printed}");
    assert!(printed.contains("tests=\"3\" failures=\"2\""), "{printed}");
    assert_eq!(summary, "2 files checked: no errors; 2 not checked\n");
    for format in ["human", "compact", "json", "sarif", "github"] {
        let (code, printed, _) = check(directory.path(), &["--format", format]);
        assert_eq!((code, printed.contains("m/broken.tf")), (Some(2), true), "{format}: {printed}");
    }
    // A directory is not "without configuration" if its only file could not be read.
    let (code, printed, _) = check(directory.path(), &["m/broken.tf", "n", "--format", "compact"]);
    assert_eq!((code, printed.lines().count()), (Some(2), 2), "{printed}");
}

#[test]
fn module_directories_need_a_call_with_their_source() {
    let directory = directory(&[
        ("a/main.tf", "module \"m\" { source = \"example/network/aws\" }\n"),
        ("b/main.tf", "module \"m\" { source = \"example/cluster/aws//parts/x\" }\n"),
        ("there/parts/x/main.tf", "locals {}\n"),
    ]);
    let run = |arguments: &[&str]| {
        let all = [&["-recursive", "--format", "compact", "a", "b"], arguments].concat();
        let (code, printed, _) = check(directory.path(), &all);
        (code, printed)
    };
    let both = ["--module", "example/network/aws=there", "--module", "example/cluster/aws=there"];
    assert_eq!(run(&both), (Some(0), String::new()));
    let (code, printed) = run(&["--module", "example/network/awz=there", "--module", "x/y/z=gone"]);
    assert_eq!(code, Some(1));
    let unused = "warning: Unused module directory: No module call has the source \"example/network/awz\", so the \
                  directory there is not used. The sources that are not local are: \
                  example/cluster/aws//parts/x, example/network/aws.";
    assert!(printed.contains(unused), "{printed}");
    assert!(printed.contains("The directory given for the module \"x/y/z\" cannot be read"), "{printed}");
}

#[test]
fn self_references_of_resources_are_left_to_a_plan() {
    let directory = directory(&[(
        "main.tf",
        "resource \"terraform_data\" \"a\" { input = terraform_data.a.id }\n\
         resource \"terraform_data\" \"b\" { count = length(terraform_data.b) }\n",
    )]);
    for dialect in [&[][..], &["--dialect", "terraform"]] {
        assert_eq!(check(directory.path(), dialect).0, Some(0));
    }
}

#[test]
fn variable_files_are_read_and_their_values_left_to_a_plan() {
    let directory = directory(&[
        ("m/main.tf", "variable \"v\" { type = number }\n"),
        ("m/below/main.tf", "variable \"v\" { type = number }\n"),
        ("broken.tfvars", "v = \n"),
        ("wrong.tfvars", "v = []\nw = var.x\n"),
    ]);
    for dialect in ["opentofu", "terraform", "modules"] {
        let with = |file: &str| {
            let arguments =
                ["m", "-recursive", "-var-file", file, "--dialect", dialect, "--format", "compact"];
            check(directory.path(), &arguments)
        };
        assert_eq!(with("wrong.tfvars").0, Some(0));
        let (code, printed, _) = with("broken.tfvars");
        assert_eq!((code, printed.matches("Invalid expression").count()), (Some(1), 1), "{printed}");
        let (code, printed, _) = with("missing.tfvars");
        assert_eq!(
            (code, printed.matches("Failed to read variables file").count()),
            (Some(2), 1),
            "{printed}"
        );
    }
}

#[test]
fn terraform_checks_the_targets_of_imports() {
    let block = |more: &str| format!("import {{\n  id = \"x\"\n  {more}\n}}\n");
    let undeclared = "Configuration for import target does not exist";
    let wrong_key = "Invalid import 'to' expression";
    for (more, title) in [
        ("to = terraform_data.nope", ""),
        ("to = terraform_data.nope[\"a\"]", undeclared),
        ("for_each = toset([\"a\"])\n  to = terraform_data.nope", undeclared),
        ("for_each = toset([\"a\"])\n  to = terraform_data.nope[each.key]", wrong_key),
        ("for_each = toset([])\n  to = terraform_data.nope[each.key]", ""),
        ("for_each = toset([\"a\"])\n  to = terraform_data.two[each.key]", wrong_key),
        ("to = terraform_data.two", wrong_key),
        ("to = module.nope.terraform_data.a", undeclared),
    ] {
        let two = "resource \"terraform_data\" \"two\" { count = 2 }\n";
        let directory = directory(&[("main.tf", &(block(more) + two))]);
        let (code, printed, _) = check(directory.path(), &["--dialect", "terraform", "--format", "compact"]);
        assert_eq!(code, Some(i32::from(!title.is_empty())), "{more}: {printed}");
        assert!(printed.contains(title), "{more}: {printed}");
        let (code, printed, _) = check(directory.path(), &["--dialect", "opentofu"]);
        assert_eq!(code, Some(0), "{more}: {printed}");
    }
}

#[test]
fn misspelled_names_have_suggestions() {
    let main = "resource \"terraform_data\" \"a\" {\n  count = 1\n  lifecyle {}\n  provisionr \"x\" {}\n  dependson = []\n  \
                input = [path.modul, terraform.workspce, count.indx]\n}\n\
                resource \"terraform_data\" \"b\" {\n  for_each = {}\n  fr_each = {}\n  input = each.ky\n}\n\
                variable \"c\" { type = strng }\nvariable \"d\" { type = lst(string) }\n";
    let directory = directory(&[
        ("main.tf", main),
        ("e.tf.json", r#"{"resource": {"terraform_data": {"e": {"lifecyle": {}, "dependson": []}}}}"#),
    ]);
    let (code, stdout, _) = check(directory.path(), &[]);
    assert_eq!(code, Some(1));
    let hints: Vec<_> = stdout.lines().filter_map(|line| line.split_once("help: Did you mean ")).collect();
    let hints: Vec<_> = hints.into_iter().map(|(_, hint)| hint).collect();
    // No hint suggests an argument that is already set.
    assert_eq!(
        hints,
        [
            "\"lifecycle\"?",
            "\"depends_on\"?",
            "\"lifecycle\"?",
            "\"provisioner\"?",
            "\"depends_on\"?",
            "`path.module`?",
            "`terraform.workspace`?",
            "`count.index`?",
            "`each.key`?",
            "`string`?",
            "`list`?"
        ]
    );
}

#[test]
fn a_byte_that_is_not_utf_8_puts_only_its_item_in_doubt() {
    let uses = "output \"x\" {\n  value = [var.users, local.nope, var.nope]\n}\noutput \"y\" { value = [1][local.b] }\noutput \"z\" { value = [1][local.a] }\n";
    let directory = directory(&[("uses.tf", uses)]);
    let text =
        b"# caf\xe9\nlocals {\n  a = \"caf\xe9\"\n  b = 2\n  c = local.nope\n}\nvariable \"us\xe9rs\" {}\n";
    fs::write(directory.path().join("main.tf"), text).expect("a file");
    let (_, stdout, _) = check(directory.path(), &["--format", "compact"]);
    let finding = |line: &str| {
        let (place, text) = line.split_once(": error: ")?;
        Some(format!("{place} {}", text.rsplit_once("[core:")?.1.trim_end_matches(']')))
    };
    let found: Vec<String> = stdout.lines().filter_map(finding).collect();
    let expected = [
        "main.tf:3:11 invalid-encoding",
        "main.tf:5:7 undeclared-local",
        "main.tf:7:13 invalid-encoding",
        "uses.tf:2:23 undeclared-local",
        "uses.tf:2:35 undeclared-variable",
        "uses.tf:4:25 invalid-index",
    ];
    assert_eq!(found, expected);
}
