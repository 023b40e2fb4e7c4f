//! Tests of the document of `terraform validate -json`.

use std::sync::Arc;

use terrane_source::{FileId, ids};

use super::*;
use crate::visible::is_hidden;

fn file(text: &str) -> Arc<SourceFile> {
    SourceFile::new(FileId::new("main.tf"), text)
}

fn document(diagnostics: &[Diagnostic]) -> String {
    validate_json(diagnostics, |_| None)
}

const REFERENCE: &str = r#"{
  "format_version": "1.0",
  "valid": false,
  "error_count": 2,
  "warning_count": 1,
  "diagnostics": [
    {
      "id": "core:invalid-escape",
      "severity": "error",
      "summary": "Invalid escape sequence",
      "detail": "No \"\u003c\u0026\u003e\\q\".",
      "range": {
        "filename": "main.tf",
        "start": {
          "line": 3,
          "column": 11,
          "byte": 31
        },
        "end": {
          "line": 3,
          "column": 13,
          "byte": 33
        }
      },
      "snippet": {
        "context": null,
        "code": "  b = \"\u003c\u0026\u003e\\q\"",
        "start_line": 3,
        "highlight_start_offset": 10,
        "highlight_end_offset": 12,
        "values": []
      }
    },
    {
      "id": "core:missing-argument-separator",
      "severity": "warning",
      "summary": "Missing argument separator",
      "detail": "No. Did you mean this?",
      "address": "module.a[\"b\"]",
      "range": {
        "filename": "main.tf",
        "start": {
          "line": 8,
          "column": 5,
          "byte": 72
        },
        "end": {
          "line": 8,
          "column": 6,
          "byte": 73
        }
      },
      "snippet": {
        "context": "resource \"x\" \"y\"",
        "code": "  c = foo(\n  d = [",
        "start_line": 7,
        "highlight_start_offset": 15,
        "highlight_end_offset": 16,
        "values": [
          {
            "traversal": "var.a[\"b c\"]",
            "statement": "is true"
          }
        ]
      }
    },
    {
      "id": "core:unreadable-file",
      "severity": "error",
      "summary": "Failed to read file",
      "detail": "No file."
    }
  ]
}
"#;

/// The expected document comes from `terraform validate -json` for the same text, apart from the words and ids.
#[test]
fn a_document_is_that_of_the_reference() {
    let file = file(
        "locals {\n  a = [1 2]\n  b = \"<&>\\q\"\n}\n\nresource \"x\" \"y\" {\n  c = foo(\n  d = [\n    1,\n  ]\n}\n",
    );
    let diagnostics = [
        Diagnostic::error(ids::INVALID_ESCAPE, "No \"<&>\\q\".").at(&file, Span::new(31, 33)),
        Diagnostic::warning(ids::MISSING_ARGUMENT_SEPARATOR, "No.")
            .at(&file, Span::new(72, 73))
            .within(Span::new(63, 73))
            .about("module.a[\"b\"]")
            .value("var.a[\"b c\"] is true")
            .hint("Did you mean this?"),
        Diagnostic::error(ids::UNREADABLE_FILE, "No file."),
    ];
    let context = |subject: &Subject| (subject.span.start > 50).then(|| "resource \"x\" \"y\"".to_owned());
    assert_eq!(validate_json(&diagnostics, context), REFERENCE);
}

#[test]
fn without_messages() {
    let empty = "{\n  \"format_version\": \"1.0\",\n  \"valid\": true,\n  \"error_count\": 0,\n  \"warning_count\": 0,\n  \
                 \"diagnostics\": []\n}\n";
    assert_eq!(document(&[]), empty);
}

/// Returns the line, the first and the last highlighted offset, and the code of a snippet.
fn of_snippet(text: &str, subject: Span, context: Option<Span>) -> (u32, usize, usize, String) {
    let snippet = snippet(&file(text), subject, context);
    (snippet.start_line, snippet.highlight_start_offset, snippet.highlight_end_offset, snippet.code)
}

/// The expected snippets come from the reference, for the same places.
#[test]
fn snippets_at_the_ends_of_lines() {
    let text = "locals {\r\n\r\n  a = \r\n b = \"x\r\ny\"\r\n}\r\n";
    assert_eq!(of_snippet(text, Span::new(18, 20), None), (3, 6, 8, "  a = \n b = \"x".to_owned()));
    assert_eq!(of_snippet(text, Span::new(27, 29), None), (4, 7, 9, " b = \"x\ny\"".to_owned()));
    let lines = Some(Span::new(0, 18));
    assert_eq!(of_snippet(text, Span::new(14, 15), lines), (1, 14, 15, "locals {\n  a = ".to_owned()));
    assert_eq!(of_snippet("a = ", Span::empty(4), None), (1, 4, 4, "a = ".to_owned()));
    assert_eq!(of_snippet("a {\n", Span::empty(4), None), (2, 0, 0, String::new()));
}

#[test]
fn a_byte_order_mark_counts() {
    let marked = file("\u{feff}a = [1 2]\nb = [1 2]\n");
    let text = document(&[
        Diagnostic::error(ids::MISSING_ITEM_SEPARATOR, "").at(&marked, Span::new(7, 8)),
        Diagnostic::error(ids::MISSING_ITEM_SEPARATOR, "").at(&marked, Span::new(17, 17)),
    ]);
    for part in [
        "\"column\": 8,\n          \"byte\": 10",
        "\"code\": \"\\ufeffa = [1 2]\"",
        "\"highlight_start_offset\": 10",
        "\"highlight_end_offset\": 11",
        "\"column\": 8,\n          \"byte\": 20",
        "\"column\": 9,\n          \"byte\": 21",
        "\"code\": \"b = [1 2]\"",
        "\"highlight_start_offset\": 7",
        "\"highlight_end_offset\": 8",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn nothing_commands_a_terminal() {
    let hostile = "\u{1b}]0;x\u{7} \u{9b}31m \u{202e}\u{e0041}\u{7f}\u{2028}";
    let file = SourceFile::new(FileId::new(hostile), hostile);
    let text = document(&[Diagnostic::error(ids::INVALID_CHARACTER, hostile).at(&file, Span::new(0, 1))]);
    assert!(text.chars().all(|character| character == '\n' || !is_hidden(character)), "{text:?}");
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["diagnostics"][0]["snippet"]["code"], hostile);
    assert_eq!(read["diagnostics"][0]["range"]["filename"], hostile);
}

#[test]
fn errors_on_a_long_line_do_not_repeat_it() {
    let bytes = |count: usize| {
        let source = SourceFile::new(FileId::new("a.tf"), "1 ".repeat(count));
        let ends = (0..count).map(|index| u32::try_from(2 * index).unwrap());
        let errors = ends.map(|start| {
            Diagnostic::error(ids::INVALID_EXPRESSION, "No.").at(&source, Span::new(start, start + 1))
        });
        validate_json(&errors.collect::<Vec<_>>(), |_| None).len()
    };
    // Each error takes about a kilobyte, for lines of any length.
    assert!(bytes(5_000) < 5_000 * 1_300, "{}", bytes(5_000));
}

#[test]
fn a_long_line_is_cut_around_the_place() {
    let text = format!("a = \"{}\u{e9}${{nope}}{}\"\n", "x".repeat(50_000), "y".repeat(50_000));
    let start = u32::try_from(text.find("nope").unwrap()).unwrap();
    let (line, from, to, code) =
        of_snippet(&text, Span::new(start, start + 4), Some(Span::new(0, start + 4)));
    assert_eq!((line, &code[from..to]), (1, "nope"));
    assert!(code.len() <= CUT_BYTES as usize && code.len() > 400, "{}", code.len());
    let lines = "aaaaaaaaa\n".repeat(10_000);
    let (line, from, to, code) = of_snippet(&lines, Span::new(50_000, 50_001), Some(Span::new(0, 90_000)));
    assert_eq!(line, 4988, "the first line that a byte of the snippet is on");
    assert_eq!((to - from, code.len() <= CUT_BYTES as usize), (1, true));
}
