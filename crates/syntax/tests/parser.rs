//! Every file of `tests/parser/ok` and `tests/parser/err` against the tree and messages beside it. Set
//! `UPDATE_EXPECT=1` to write the result; then read the difference before keeping it.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod dump;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use terrane_source::{FileId, Files as _, OsFiles, SourceFile, Span};
use terrane_syntax::tree::{BodyId, Damage};
use terrane_syntax::{Parsed, parse_body};

#[test]
fn valid_files_have_the_expected_trees() {
    for path in inputs("ok") {
        let (tree, messages) = parse(&path);
        assert_eq!(messages, "", "{}", path.display());
        compare(&path.with_extension("tree"), &tree);
    }
}

#[test]
fn invalid_files_have_the_expected_trees_and_messages() {
    for path in inputs("err") {
        let (tree, messages) = parse(&path);
        assert_ne!(messages, "", "{}", path.display());
        compare(&path.with_extension("txt"), &format!("{messages}\n{tree}"));
    }
}

/// Further items may be missing behind the beginning of an item, but not behind other text.
#[test]
fn only_the_beginning_of_an_item_is_cut_off() {
    for (text, is_cut_off) in [
        ("output \"o", true),
        ("output", true),
        ("output \"o\" ", true),
        ("output \"o\" {\n  value = [\n  1,", true),
        ("output \"o\" {\n  nested {\n  }", true),
        // The last line is complete; only the closing bracket or brace is missing.
        ("output \"o\" {\n  value = [\n", false),
        ("output \"o\" {\n  nested {\n  }\n", false),
        ("locals { a = 1", true),
        // The block is closed, but a block inside of it is not.
        ("output \"o\" {\n  nested {\n}", false),
        ("output \"o\" {\n}}", false),
        ("output \"o\" {\n} word", false),
        ("output \"o\" {\n} .", false),
        ("output \"o\" {\n}\n}", false),
        ("output \"o\"\n  value = 1\n}", false),
        // Recovery reads the last lines as a part of the heredoc, but the text ends with its block.
        ("output \"o\" {\n  value = <<E\n%{{ if true }\n%{ endif }\nE\n}\n", false),
        ("output \"o\" {\n  value = <<E\n}", false),
        ("output \"o\" {\n  value = <<E\n  }", true),
    ] {
        let source = SourceFile::new(FileId::new("a.tf"), text);
        let damage = parse_body(&source).damage;
        let found = damage.iter().any(|found| found.hides && found.span.is_empty());
        assert_eq!(found, is_cut_off, "{text}: {damage:?}");
    }
}

/// With more damaged parts than are told apart, the file ends before the block with the next one.
#[test]
fn a_file_with_too_many_damaged_parts_loses_its_rest() {
    for (parts, blocks, is_shown) in [(10_000, 3, true), (10_001, 1, false)] {
        let before = "locals {\n  a = 1\n}\n";
        let broken = format!("resource \"a\" \"b\" {{\n{}}}\n", "  c = [1 2]\n".repeat(parts));
        let text = format!("{before}{broken}variable \"x\" {{\n  default = \"secret\"\n}}\n");
        let source = SourceFile::new(FileId::new("a.tf"), text.as_str());
        let parsed = parse_body(&source);
        assert_eq!(parsed.tree.blocks(parsed.root).count(), blocks, "{parts}");
        let whole = Span::new(0, u32::try_from(text.len()).unwrap());
        // Another file may make the variable a secret.
        assert_eq!(source.shown(whole).contains("secret"), is_shown, "{parts}");
        if blocks == 1 {
            let (start, end) = (u32::try_from(before.len()).unwrap(), whole.end);
            let lost = |span, hides| Damage { span, block: None, argument: None, hides };
            let expected = [lost(Span::new(start, end), false), lost(Span::empty(end), true)];
            assert_eq!(parsed.damage, expected);
        }
    }
    // The parts of several blocks count together, and a damaged text without a secret stays visible.
    let block = format!("locals {{\n{}}}\n", "  a = [1 2]\n".repeat(600));
    let source = SourceFile::new(FileId::new("a.tf"), block.repeat(20));
    let parsed = parse_body(&source);
    assert_eq!((parsed.tree.blocks(parsed.root).count(), parsed.damage.len()), (16, 9602));
    assert!(source.shown(parsed.damage[9600].span).starts_with("locals {"));
}

/// The open bracket is shown if something else is closed behind its last comma, or if the text ends.
#[test]
fn an_open_bracket_is_shown() {
    for (text, opened) in [
        ("locals {\n  a = [1,\n}\n", Some("[")),
        ("m {\n  a = f(1,\n}\n", Some("(")),
        ("m {\n  a = { b = [1,\n  }\n}\n", Some("[")),
        ("a = [{ b = 1, ]\n", Some("{")),
        ("m {\n  a = (1 +\n}\n", Some("(")),
        ("m {\n  a = b[\n}\n", Some("[")),
        ("a = \"${[1, }\"\n", Some("[")),
        ("a = [1,\n", Some("[")),
        ("a = f(1, (2 +\n", Some("(")),
        ("a = [1, )]\n", Some("[")),
        // No bracket is open here, or all brackets are closed.
        ("a = ]\n", None),
        ("m {\n  a = ]\n}\n", None),
        ("m \"n\" {\n  a = )\n}\n", None),
        ("a = [1 + ]\n", None),
        ("a = \"${1 + }\"\n", None),
        ("a =\n", None),
    ] {
        let source = SourceFile::new(FileId::new("a.tf"), text);
        let diagnostic = parse_body(&source).diagnostics.remove(0);
        let labels: Vec<_> = diagnostic.labels.iter().map(|label| source.slice(label.place.span)).collect();
        assert_eq!(labels, Vec::from_iter(opened), "{text}");
    }
}

fn inputs(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parser").join(directory);
    let entries = OsFiles.list(&directory).unwrap();
    let paths: Vec<_> = entries.iter().map(|entry| directory.join(&entry.name)).collect();
    let inputs: Vec<_> =
        paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "hcl")).collect();
    assert!(!inputs.is_empty(), "no inputs in {}", directory.display());
    inputs
}

fn parse(path: &Path) -> (String, String) {
    let source = SourceFile::from_bytes(FileId::new(path), OsFiles.read(path).unwrap()).unwrap();
    let parsed = parse_body(&source);
    let tree = dump::body(&parsed.tree, parsed.root) + &damage(&parsed);
    (tree, dump::diagnostics(&parsed.diagnostics))
}

/// Returns one line for each part that could not be read: place, block and argument.
fn damage(parsed: &Parsed<BodyId>) -> String {
    let tree = &parsed.tree;
    let mut out = String::new();
    for damage in &parsed.damage {
        write!(out, "damage {:?}", damage.span).unwrap();
        if let Some(block) = damage.block {
            write!(out, " in {:?}", tree.slice(tree.header_span(tree.block(block)))).unwrap();
        }
        match damage.argument {
            Some(name) => write!(out, " of the argument {:?}", tree.slice(name)).unwrap(),
            None if damage.block.is_none() && damage.hides => out.push_str(" may hide declarations"),
            None => {}
        }
        out.push('\n');
    }
    out
}

#[expect(clippy::disallowed_methods, reason = "the one switch of this test")]
fn compare(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        OsFiles.write_atomic(path, actual.as_bytes()).unwrap();
    }
    let expected = OsFiles.read(path).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(&expected), actual, "{}", path.display());
}
