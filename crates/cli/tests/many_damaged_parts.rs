//! Files with as many syntax errors as lines. The work must grow with the size of the file, wherever its errors are.

#[path = "support/many.rs"]
mod many;

use self::many::{MANY, many, run, run_on};

/// Evaluates and checks a file. Returns the beginning of the report of `check`.
fn checked(name: &str, text: &str) -> String {
    run(&[(name, text)], &["eval", "."]);
    let report = run(&[(name, text)], &["check"]);
    assert!(report.contains("error[core:"), "{report}");
    report
}

#[test]
fn blocks_in_blocks_that_are_not_closed() {
    let report = checked("main.tf", &many(|_| "a {\n".to_owned()));
    assert!(report.contains("too-deep"), "{report}");
    checked("main.tf", &many(|_| "locals {\n".to_owned()));
    checked("main.tf", &many(|_| " locals {\n".to_owned()));
    checked("main.tf", &many(|_| "resource \"a\" \"b\" {".to_owned()));
}

/// Each line is indented further than the one before, up to the greatest depth.
#[test]
fn headers_in_headers_without_a_brace() {
    let line = |number: usize| format!("{}a \"b{number}\"\n", " ".repeat(number % 300));
    checked("main.tf", &many(line));
    checked("main.tf", &many(|number| format!("output \"o{number}\"\n")));
}

#[test]
fn arguments_of_one_block() {
    let evaluated = |header: &str, lines: String| {
        let text = format!("{header} {{\n{lines}}}\n");
        let report = run(&[("main.tf", &text)], &["eval", "."]);
        assert!(report.contains("error[core:"), "{report}");
    };
    evaluated("locals", many(|number| format!("  a{number}\n")));
    evaluated("module \"m\"", many(|number| format!("  a{number}\n")));
    evaluated("resource \"a\" \"b\"", many(|number| format!("  a{number} = f\n    (1)\n")));
    evaluated("check \"c\"", many(|number| format!("  a{number} = [1 2]\n")));
    evaluated("a \"b\"", many(|number| format!("  a{number} = 'x'\n")));
}

#[test]
fn nested_blocks_whose_braces_an_error_hides() {
    let nested = many(|_| "n {\nx = [1 2]\n}\n".to_owned());
    checked("main.tf", &format!("resource \"a\" \"b\" {{\n{nested}"));
    // Quotes that the lexer refuses, in blocks up to the greatest depth.
    let lines = many(|number| format!("a{number} = 'b'\n"));
    checked("main.tf", &format!("{}{lines}{}", "a {\n".repeat(200), "}\n".repeat(200)));
}

#[test]
fn blocks_with_an_error_each() {
    // Messages about the syntax and about the blocks alternate, and each names the block around it.
    checked("main.tf", &many(|_| "resource \"a\" \"b\" {\n  a = [1 2]\n}\n".to_owned()));
    checked("main.tf", &many(|_| "locals { a = [1\n".to_owned()));
    checked("main.tf", &many(|_| "variable \"x\" {\n  default = <<E\n}\n".to_owned()));
    checked("main.tf", &many(|_| "variable \"x {\n}\n".to_owned()));
}

#[test]
fn bodies_without_a_header() {
    checked("main.tf", &many(|number| format!("  a{number} = 1\n}}\n")));
    checked("main.tf", &many(|_| "}\n".to_owned()));
}

/// Behind the last damaged part that is told apart, the file may declare anything: references stay without an error, and no value
/// depends on it.
#[test]
fn the_rest_of_a_file_behind_too_many_damaged_parts() {
    let before = "locals {\n  sound = 1\n}\n";
    let broken = format!("resource \"a\" \"b\" {{\n{}}}\n", many(|_| "  c = [1 2]\n".to_owned()));
    let text = format!("{before}{broken}variable \"x\" {{\n  default = \"secret\"\n}}\n");
    let references = "output \"o\" {\n  value = [local.sound, local.other, var.x, a.b.c, a.other.c]\n}\n";
    let sensitive = "variable \"x\" {\n  sensitive = true\n}\n";
    let files = [("main.tf", text.as_str()), ("o.tf", references), ("x_override.tf", sensitive)];
    let evaluated = run(&files, &["eval", ".", "output.o"]);
    assert!(evaluated.contains("error[core:missing-item-separator"), "{evaluated}");
    assert!(!evaluated.contains("undeclared") && !evaluated.contains("secret"), "{evaluated}");
    let checked = run(&files, &["check"]);
    assert!(!checked.contains("undeclared") && !checked.contains("missing-base"), "{checked}");
}

#[test]
fn arguments_and_brackets_outside_of_blocks() {
    checked("main.tf", &many(|number| format!("a{number} = <<-E{number}\n")));
    checked("main.tf", &many(|number| format!("variable \"a{number}\" {{\n  b = <<E\n${{ c\nE\n}}\n")));
    let text = many(|number| format!("  a{number} = b\n    c,\n  )\n"));
    checked("main.tf", &format!("locals {{\n{text}}}\n"));
}

/// Each part of a broken file is split into tokens of its own.
#[test]
fn blocks_beside_a_comment_with_wrong_bytes() {
    let blocks = many(|_| "locals {}\n".to_owned());
    let text = [b"# ".as_slice(), &[0xff; MANY], b"\n}\n", blocks.as_bytes()].concat();
    let report = run_on(&[("main.tf", &text)], &["check"]);
    assert!(report.contains("error[core:"), "{report}");
}

/// Each reference is compared with the lines of the unreadable text that its name may come from.
#[test]
fn names_beside_unreadable_text() {
    let words = "aaaa ".repeat(700);
    let lines: String = (0..20).map(|number| format!("locals .{number} {words}\n")).collect();
    let references = many(|number| format!("b{number} = local.aaaaaaa{number}\n"));
    checked("main.tf", &format!("locals {{\n{references}}}\n{lines}"));
}

#[test]
fn json_without_commas() {
    let properties = many(|number| format!("  \"a{number}\": {{\"default\": 1}}\n"));
    checked("main.tf.json", &format!("{{\"variable\": {{\n{properties}}}}}\n"));
    checked("main.tf.json", &format!("{{\"resource\": {{\"a\": {{\n{properties}}}}}}}\n"));
    let blocks = many(|_| "  \"variable\": {\"x\": {}}\n".to_owned());
    checked("main.tf.json", &format!("{{\n{blocks}}}\n"));
    // The long name stands before each of the damaged parts.
    let name = "x".repeat(MANY);
    let parts = many(|number| format!("      \"a{number}\": 1 2,\n"));
    let text = format!("{{\n  \"resource\": {{\n    \"{name}\": {{\n{parts}    }}\n  }}\n}}\n");
    checked("main.tf.json", &text);
}
