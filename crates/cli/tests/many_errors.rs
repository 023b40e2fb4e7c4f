//! Errors in large files: many syntax errors in one block, and errors beside large values. The time must not grow with their product.
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
