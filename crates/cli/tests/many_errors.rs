//! Errors in large files, and other texts with many parts: the time must not grow with the product of their numbers.
#![expect(clippy::disallowed_methods, reason = "tests run the command and read the clock")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

use std::time::Instant;

/// The search for a line with a bracket too many begins at the start of the block.
#[test]
fn a_block_with_many_stray_brackets_is_searched_once() {
    let lines: String = (0..4000).map(|index| format!("  a{index} = 1\n    ]\n")).collect();
    let configuration = format!("locals {{\n{lines}}}\n");
    let start = Instant::now();
    let (code, _, stderr) = support::terrane(&[("main.tf", configuration.as_str())], &["plan"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Each local value passes on a large value with one unknown part, beside an error elsewhere in the module.
#[test]
fn a_large_value_is_not_searched_for_errors_by_each_step() {
    let locals: String = (1..2000).map(|index| format!("  a{index} = local.a{}\n", index - 1)).collect();
    let configuration = format!(
        "variable \"v\" {{}}\nlocals {{\n  a0 = concat(flatten([for i in range(30) : range(1000)]), [var.v])\n{locals}  wrong = local.none\n}}\n"
    );
    let start = Instant::now();
    let (code, _, stderr) = support::terrane(&[("main.tf", configuration.as_str())], &["plan"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("none"), "{stderr}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// A copy of the file for each message would take gigabytes.
#[test]
fn mistakes_in_a_variable_file_beside_a_secret_share_its_hidden_text() {
    let main = ("main.tf", "variable \"s\" {\n  sensitive = true\n}\n");
    let values: String = (0..100_000).map(|index| format!("s{index} = 1 2\n")).collect();
    let values = ("terraform.tfvars", &*values);
    for command in ["eval", "check"] {
        let start = Instant::now();
        let (code, ..) = support::terrane(&[main, values], &[command]);
        assert_eq!(code, Some(1));
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}

/// Each further declaration adds a default.
#[test]
fn a_variable_is_declared_many_times() {
    let configuration = "variable \"a\" { default = 1 }\n".repeat(50_000);
    let start = Instant::now();
    let (code, _, stderr) = support::terrane(&[("main.tf", &configuration)], &["check"]);
    assert!(code == Some(1) && stderr.contains("49999 errors"), "{code:?}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Each key of the old function `map` is compared with all others.
#[test]
fn a_map_has_many_arguments() {
    let arguments: String = (0..50_000).map(|index| format!("\"k{index}\", 1, ")).collect();
    let configuration = format!("output \"n\" {{\n  value = length(map({arguments}))\n}}\n");
    let start = Instant::now();
    let arguments = ["eval", "--dialect", "terraform-0.14", "-q"];
    let (code, stdout, stderr) = support::terrane(&[("main.tf", &configuration)], &arguments);
    assert!(code == Some(0) && stdout.contains("n = 50000"), "{stderr}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
