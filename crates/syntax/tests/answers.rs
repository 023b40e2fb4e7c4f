//! Compares with the reference's answers whether each row parses, and the place of its first error.

use std::path::Path;

use serde::Deserialize;
use terrane_source::{FileId, Files as _, OsFiles, SourceFile};
use terrane_syntax::parse_expr;

#[derive(Deserialize)]
struct Row {
    expr: String,
    #[serde(default)]
    phase: String,
    #[serde(default)]
    error_bytes: (u32, u32),
    #[serde(default)]
    title: String,
}

#[test]
fn expressions_parse_as_in_the_reference() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/expressions.jsonl");
    let rows = String::from_utf8(OsFiles.read(&path).unwrap()).unwrap();
    let (mut refused, mut wrong) = (0, Vec::new());
    for line in rows.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        let wanted = (row.phase == "parse").then_some((row.title, row.error_bytes));
        refused += usize::from(wanted.is_some());
        let parsed = parse_expr(&SourceFile::new(FileId::new("row"), row.expr.as_str()));
        let found = parsed.diagnostics.first().map(|first| {
            let span = first.subject.as_ref().unwrap().span;
            (first.title().to_owned(), (span.start, span.end))
        });
        if wanted != found {
            wrong.push(format!("{:?}: {found:?}, the reference {wanted:?}", row.expr));
        }
    }
    assert!(refused > 1000, "{refused} rows do not parse");
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
