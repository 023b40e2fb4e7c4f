//! Tests of the text for a terminal.

use std::sync::Arc;

use terrane_source::{FileId, SourceFile, Span, ids};

use super::*;

fn file(text: &str) -> Arc<SourceFile> {
    SourceFile::new(FileId::new("main.tf"), text)
}

/// Returns the span of the only occurrence of `part`.
fn span(file: &SourceFile, part: &str) -> Span {
    assert_eq!(file.text().matches(part).count(), 1, "{part:?} must occur once");
    let start = file.text().find(part).unwrap();
    Span::new(u32::try_from(start).unwrap(), u32::try_from(start + part.len()).unwrap())
}

fn end(file: &SourceFile) -> Span {
    Span::empty(u32::try_from(file.text().len()).unwrap())
}

#[track_caller]
fn check(diagnostic: &Diagnostic, expected: &str) {
    let text = terminal(diagnostic, TerminalOptions { color: false, width: 80 }, |_| None);
    // A line with only its frame ends in a space, which would easily be lost in this file.
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(text.join("\n"), expected.trim_start_matches('\n').trim_end());
}

#[test]
fn everything_a_message_can_have() {
    let file = file("resource \"x\" \"y\" {\n  a = 1\n\tb = var.cafe\u{301}.bar\n  c = 2\n}\n");
    let message = Diagnostic::error(ids::UNSUPPORTED_ATTRIBUTE, "There is no \"bar\".\nChoose another.")
        .at(&file, span(&file, ".bar"))
        .within(Span::new(0, end(&file).end))
        .label(span(&file, "1"), "first used here")
        .value("var.cafe\u{301} is object")
        .about("module.a.x.y")
        .hint("Did you mean \"baz\"?");
    check(
        &message,
        r#"
error[core:unsupported-attribute]: Unsupported attribute
 --> main.tf:3:14
  |
1 | resource "x" "y" {
2 |   a = 1
  |       - first used here
3 |     b = var.CAFE.bar
  |                 ^^^^
  |
  = There is no "bar".
    Choose another.
  = value: var.CAFE is object
  = in: module.a.x.y
  = help: Did you mean "baz"?
"#
        .replace("CAFE", "cafe\u{301}")
        .as_str(),
    );
}

#[test]
fn the_block_stands_behind_the_first_place() {
    let main = file("resource \"x\" \"y\" {\n  a = 1\n}\n");
    let other = SourceFile::new(FileId::new("other.tf"), "b = 2\n");
    let message = Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, "There is no \"a\".")
        .at(&main, span(&main, "a = 1"))
        .label_in(&other, span(&other, "b"), "as here");
    let header = |subject: &Subject| {
        assert_eq!(subject.file.id(), main.id());
        Some("resource \"x\" \"\u{1b}y\n\"".to_owned())
    };
    let text = terminal(&message, TerminalOptions::default(), header);
    let places: Vec<&str> = text.lines().filter(|line| line.contains(".tf:")).collect();
    assert_eq!(places, [" --> main.tf:2:3, in resource \"x\" \"␛y \"", " --> other.tf:1:1"]);
}

#[test]
fn a_label_in_another_file_has_an_excerpt_of_its_own() {
    let main = file("variable \"a\" {}\n");
    let other = SourceFile::new(FileId::new("other.tf"), "\n\nvariable \"a\" {}\n");
    let message = Diagnostic::error(ids::DUPLICATE_VARIABLE, "There are two.")
        .at(&main, span(&main, "variable \"a\""))
        .label_in(&other, span(&other, "variable \"a\""), "first declared here");
    check(
        &message,
        r#"
error[core:duplicate-variable]: Duplicate variable declaration
 --> main.tf:1:1
  |
1 | variable "a" {}
  | ^^^^^^^^^^^^
  |
 --> other.tf:3:1
  |
3 | variable "a" {}
  | ------------ first declared here
  |
  = There are two.
"#,
    );
}

#[test]
fn without_a_place() {
    check(
        &Diagnostic::warning(ids::UNREADABLE_FILE, "There is no directory \"x\"."),
        r#"
warning[core:unreadable-file]: Failed to read file
  |
  = There is no directory "x".
"#
        .replace("\n  ", "\n ")
        .as_str(),
    );
}

#[test]
fn a_subject_of_several_lines() {
    let file = file("a = [\r\n  1,\r\n  2,\r\n]\r\nb = 1\r\n");
    check(
        &Diagnostic::error(ids::INVALID_OPERAND, "No.").at(&file, Span::new(4, 20)),
        "
error[core:invalid-operand]: Invalid operand
 --> main.tf:1:5
  |
1 |   a = [
  |  _____^
2 | |   1,
3 | |   2,
4 | | ]
  | |_^
  |
  = No.
",
    );
}

#[test]
fn a_subject_of_too_many_lines_is_marked_on_its_first() {
    let file = file(&format!("a = [\n{}]\n", "  1,\n".repeat(1000)));
    check(
        &Diagnostic::error(ids::INVALID_OPERAND, "No.").at(&file, Span::new(4, 5000)),
        "
error[core:invalid-operand]: Invalid operand
 --> main.tf:1:5
  |
1 | a = [
  |     ^
  |
  = No.
",
    );
}

#[test]
fn places_far_apart_are_shown_apart() {
    let file = file(&format!("first = 1\n{}last = nope\n", "x = 1\n".repeat(98)));
    check(
        &Diagnostic::error(ids::UNKNOWN_VARIABLE, "No.")
            .at(&file, span(&file, "nope"))
            .label(span(&file, "first"), "declared here"),
        "
error[core:unknown-variable]: Unknown variable
   --> main.tf:100:8
    |
100 | last = nope
    |        ^^^^
    |
   --> main.tf:1:1
    |
  1 | first = 1
    | ----- declared here
    |
    = No.
",
    );
}

#[test]
fn the_end_of_the_file() {
    let file = file("a {\n  b = 1\n");
    check(
        &Diagnostic::error(ids::UNCLOSED_BLOCK, "Close it.")
            .at(&file, end(&file))
            .label(span(&file, "{"), "opened here"),
        "
error[core:unclosed-block]: Unclosed configuration block
 --> main.tf:3:1
  |
1 | a {
  |   - opened here
2 |   b = 1
3 |
  | ^
  |
  = Close it.
",
    );
}

#[test]
fn the_end_of_a_line_and_an_empty_file() {
    let one = file("a =\r\nb = 1\r\n");
    check(
        &Diagnostic::error(ids::INVALID_EXPRESSION, "No.").at(&one, Span::new(3, 5)),
        "
error[core:invalid-expression]: Invalid expression
 --> main.tf:1:4
  |
1 | a =
  |    ^
  |
  = No.
",
    );
    check(
        &Diagnostic::error(ids::INVALID_EXPRESSION, "No.").at(&file(""), Span::new(0, 9)),
        "
error[core:invalid-expression]: Invalid expression
 --> main.tf:1:1
  |
1 |
  | ^
  |
  = No.
",
    );
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let file = file(&format!("a = \"{}${{nope}}{}\"\n", "x".repeat(50_000), "y".repeat(50_000)));
    check(
        &Diagnostic::error(ids::UNKNOWN_VARIABLE, "No.").at(&file, span(&file, "nope")),
        "
error[core:unknown-variable]: Unknown variable
 --> main.tf:1:50008
  |
1 | ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx${nope}yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...
  |                                     ^^^^
  |
  = No.
",
    );
}

#[test]
fn colours_only_where_asked_for() {
    let file = file("a = nope");
    let message = Diagnostic::error(ids::UNKNOWN_VARIABLE, "No.").at(&file, span(&file, "nope"));
    let text = terminal(&message, TerminalOptions { color: true, width: 80 }, |_| None);
    assert!(text.starts_with("\u{1b}[1m\u{1b}[91merror[core:unknown-variable]\u{1b}[0m"), "{text:?}");
    assert!(text.contains("main.tf:1:5\n"), "{text:?}");
    assert!(!terminal(&message, TerminalOptions::default(), |_| None).contains('\u{1b}'));
}

#[test]
fn every_span_of_a_hostile_text_is_shown_without_control_characters() {
    let hostile = "\u{1b}[31m\r\n\t\u{9b}e\u{301}😀\u{202e}x\0\n\n\u{1}\r漢\n";
    let file = SourceFile::new(FileId::new("\u{1b}]0;x\u{7}\u{1}\n.tf"), hostile);
    let length = u32::try_from(hostile.len()).unwrap();
    for start in 0..length + 2 {
        for end in start..length + 2 {
            let message = Diagnostic::error(ids::INVALID_CHARACTER, hostile)
                .at(&file, Span::new(start, end))
                .within(Span::new(end, start))
                .label(Span::new(length - start.min(length), end), hostile)
                .value(hostile)
                .about(hostile)
                .hint(hostile);
            let text = terminal(&message, TerminalOptions::default(), |_| None);
            let control =
                text.chars().find(|character| character.is_control() && !matches!(character, '\n' | '\t'));
            assert_eq!(control, None, "{start}..{end}: {text:?}");
        }
    }
}
