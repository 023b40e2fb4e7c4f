//! JSON syntax: every file of `tests/json/ok` and `tests/json/err` against the expected file beside it
//! (`UPDATE_EXPECT=1` writes it), and laws that hold for every text.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod json_invariants;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_source::{Diagnostic, FileId, Files as _, OsFiles, SourceFile, Span};
use terrane_syntax::json::{Document, Value, ValueId, parse_string_expr, parse_string_template};
use terrane_syntax::walk::Event;
use terrane_syntax::{ExprId, Tree, parse_json, parse_template};

#[test]
fn valid_files_have_the_expected_trees() {
    for path in inputs("ok") {
        let document = parse(&path);
        assert_eq!(messages(&document.diagnostics), "", "{}", path.display());
        compare(&path.with_extension("tree"), &dump(&document));
    }
}

#[test]
fn invalid_files_have_the_expected_trees_and_messages() {
    for path in inputs("err") {
        let document = parse(&path);
        let messages = messages(&document.diagnostics);
        assert_ne!(messages, "", "{}", path.display());
        compare(&path.with_extension("txt"), &format!("{messages}\n{}", dump(&document)));
    }
}

fn inputs(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/json").join(directory);
    let entries = OsFiles.list(&directory).unwrap();
    let paths = entries.iter().map(|entry| directory.join(&entry.name));
    let inputs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    assert!(!inputs.is_empty(), "no inputs in {}", directory.display());
    inputs
}

fn parse(path: &Path) -> Document {
    parse_json(&SourceFile::from_bytes(FileId::new(path), OsFiles.read(path).unwrap()).unwrap())
}

#[expect(clippy::disallowed_methods, reason = "the one switch of this test")]
fn compare(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        OsFiles.write_atomic(path, actual.as_bytes()).unwrap();
    }
    let expected = OsFiles.read(path).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(&expected), actual, "{}", path.display());
}

/// Returns one line for each diagnostic: place, text and hints.
fn messages(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let span = diagnostic.subject.as_ref().map(|subject| subject.span).unwrap_or_default();
        writeln!(out, "{span:?} {}: {}", diagnostic.title(), diagnostic.detail).unwrap();
        for label in &diagnostic.labels {
            writeln!(out, "  {:?} {}", label.place.span, label.text).unwrap();
        }
        for hint in &diagnostic.hints {
            writeln!(out, "  {hint}").unwrap();
        }
    }
    out
}

/// Returns one line for each value, followed by the values within it. A string with sequences is followed by its template.
fn dump(document: &Document) -> String {
    let mut out = String::new();
    let mut pending = vec![(document.root, None, 0)];
    while let Some((id, name, depth)) = pending.pop() {
        let tree = &document.tree;
        let indent = "  ".repeat(depth);
        let name = name.map(|(name, span)| format!("{name:?} {span:?}: ")).unwrap_or_default();
        writeln!(out, "{indent}{name}{} {:?}", describe(document, id), tree.span(id)).unwrap();
        let first = pending.len();
        match tree.value(id) {
            Value::Array(elements) => {
                pending.extend(tree.elements(elements).iter().map(|element| (*element, None, depth + 1)));
            }
            Value::Object(properties) => {
                pending.extend(tree.properties(properties).iter().map(|property| {
                    let name = tree.name(property).to_owned();
                    (property.value, Some((name, property.name_span)), depth + 1)
                }));
            }
            Value::String(text) if tree.text(text).contains("{") => {
                let parsed = parse_string_template(tree, tree.span(id));
                template(&mut out, &parsed.tree, parsed.root, depth + 1);
                out.push_str(&messages(&parsed.diagnostics));
            }
            Value::String(_) | Value::Missing | Value::Null | Value::Bool(_) | Value::Number => {}
        }
        pending[first..].reverse();
    }
    out
}

fn describe(document: &Document, id: ValueId) -> String {
    let tree = &document.tree;
    match tree.value(id) {
        Value::Missing => "missing".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number => tree.source().slice(tree.span(id)).to_owned(),
        Value::String(text) => format!("string {:?}", tree.text(text)),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

/// Writes one line for each expression: its span, its source text, and its decoded text if that differs.
fn template(out: &mut String, tree: &Tree, id: ExprId, depth: usize) {
    let span = tree.span(id);
    let (written, meant) = (tree.source().slice(span), tree.slice(span));
    let meant = if meant == written { String::new() } else { format!(" = {meant:?}") };
    writeln!(out, "{}{span:?} {written}{meant}", "  ".repeat(depth)).unwrap();
    tree.walk(id, &mut |event| {
        if let Event::Expr(child) = event {
            template(out, tree, child, depth + 1);
        }
    });
}

/// A small generator of pseudo-random numbers, so that every run tries the same texts.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    /// Returns an offset between two characters.
    fn offset(&mut self, text: &str) -> usize {
        let mut offset = self.below(text.len() + 1);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "\"",
    "'",
    "\\",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\u12",
    "\\q",
    "\\\"",
    "\"k\"",
    "\"a\": 1",
    "1",
    "-",
    ".5",
    "e3",
    "true",
    "nul",
    "True",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\r\n",
    " ",
    "\t",
    "é",
    "😀",
    "${",
    "%{",
    "${a[\\\"b\\\"]}",
    "\u{1}",
    "\u{feff}",
];

fn files() -> Vec<String> {
    let paths = inputs("ok").into_iter().chain(inputs("err"));
    paths.map(|path| String::from_utf8(OsFiles.read(&path).unwrap()).unwrap()).collect()
}

#[test]
fn spans_nest_in_any_text() {
    let check = |text: &str| json_invariants::check(&SourceFile::new(FileId::new("random"), text));
    let mut random = Random(1);
    for _ in 0..20_000 {
        let count = random.below(30);
        check(&(0..count).map(|_| PIECES[random.below(PIECES.len())]).collect::<String>());
    }
    let files = files();
    for _ in 0..3_000 {
        let mut text = files[random.below(files.len())].clone();
        for _ in 0..=random.below(3) {
            let start = random.offset(&text);
            let mut end = (start + random.below(6)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, PIECES[random.below(PIECES.len())]);
        }
        check(&text);
    }
}

#[test]
fn text_may_be_broken_off_anywhere() {
    for file in files() {
        for end in (0..file.len()).filter(|end| file.is_char_boundary(*end)) {
            let (before, after) = file.split_at(end);
            for part in [before, after] {
                json_invariants::check(&SourceFile::new(FileId::new("part"), part));
            }
        }
    }
}

const TEMPLATES: [&str; 9] = [
    "a${b.c[\"d\"].0[*].e}f",
    "${upper(\"ü\\n${x}\")}",
    "%{ for k, v in m ~}\n  ${k}=${v.été}\n%{ endfor ~}",
    "%{ if a == \"b\" }$${c}%{ else }%%{d}\\%{ endif }",
    "${[for x in y : {a = x, \"b\" = ns::f(x...)}]}",
    "😀${a +}é",
    "${~ -1.5e3 ? !x : y.z ~} ",
    "$${a}${",
    "${a[\"b]}\u{feff}%{ endif }",
];

/// A template and the same template as a JSON string must parse alike, with any characters escaped, and every place must have
/// the same characters.
#[test]
fn escapes_in_json_do_not_change_a_template() {
    let mut random = Random(3);
    for text in TEMPLATES {
        let native = parse_template(&SourceFile::new(FileId::new("native"), text));
        for _ in 0..200 {
            let (json, places) = encode(text, &mut random);
            let document = parse_json(&SourceFile::new(FileId::new("encoded"), format!("[{json}]")));
            let Value::Array(elements) = document.tree.value(document.root) else { panic!("{json}") };
            let [string] = document.tree.elements(elements) else { panic!("{json}") };
            let parsed = parse_string_template(&document.tree, document.tree.span(*string));
            let moved = |span: Span| {
                Span::new(places[span.start as usize].unwrap(), places[span.end as usize].unwrap())
            };
            let expected: Vec<_> = outline(&native.tree, native.root)
                .into_iter()
                .map(|(span, text)| (moved(span), text))
                .collect();
            assert_eq!(outline(&parsed.tree, parsed.root), expected, "{json}");
            let tokens: Vec<_> =
                native.tokens.iter().map(|token| (token.kind(), moved(token.span()))).collect();
            let found: Vec<_> = parsed.tokens.iter().map(|token| (token.kind(), token.span())).collect();
            assert_eq!(found, tokens);
            assert_eq!(parsed.diagnostics.len(), native.diagnostics.len(), "{json}");
            for (found, native) in parsed.diagnostics.iter().zip(&native.diagnostics) {
                assert_eq!(found.title(), native.title());
                let (subject, wanted) = (found.subject.as_ref().unwrap(), native.subject.as_ref().unwrap());
                assert_eq!(subject.span, moved(wanted.span), "{json}");
                assert!(Arc::ptr_eq(&subject.file, document.tree.source()));
                assert_eq!(found.context, native.context.map(moved));
            }
        }
    }
}

/// Returns `text` as a JSON string at offset 1, with escapes at random places, and the place of each offset of `text`.
fn encode(text: &str, random: &mut Random) -> (String, Vec<Option<u32>>) {
    let mut json = String::from("\"");
    let mut places = vec![None; text.len() + 1];
    for (offset, character) in text.char_indices() {
        places[offset] = Some(u32::try_from(json.len() + 1).unwrap());
        let must = matches!(character, '"' | '\\') || character < ' ';
        if must || random.below(3) == 0 {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                write!(json, "\\u{unit:04X}").unwrap();
            }
        } else {
            json.push(character);
        }
    }
    places[text.len()] = Some(u32::try_from(json.len() + 1).unwrap());
    json.push('"');
    (json, places)
}

/// Returns the bytes and the text of every expression.
fn outline(tree: &Tree, root: ExprId) -> Vec<(Span, String)> {
    let mut all = Vec::new();
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        all.push((tree.span(id), tree.expr_text(id).to_owned()));
        tree.walk(id, &mut |event| match event {
            Event::Expr(child) => pending.push(child),
            Event::Bind(names) => all.push((names.value, tree.slice(names.value).to_owned())),
            Event::Unbind => {}
        });
    }
    all
}

#[test]
fn a_string_can_be_read_as_an_expression() {
    let document = parse_json(&SourceFile::new(FileId::new("test"), r#"["list(\u0073tring)"]"#));
    let Value::Array(elements) = document.tree.value(document.root) else { panic!("an array") };
    let parsed = parse_string_expr(&document.tree, document.tree.span(document.tree.elements(elements)[0]));
    let mut out = String::new();
    template(&mut out, &parsed.tree, parsed.root, 0);
    assert_eq!(out, "2..19 list(\\u0073tring) = \"list(string)\"\n  7..18 \\u0073tring = \"string\"\n");
}

#[test]
fn a_byte_order_mark_is_a_mistake() {
    let document = parse_json(&SourceFile::new(FileId::new("test"), "\u{feff}{\"a\": 1}"));
    assert_eq!(document.diagnostics.len(), 1);
    assert_eq!(document.diagnostics[0].title(), "Invalid start of value");
    assert!(matches!(document.tree.value(document.root), Value::Object(properties) if properties.len() == 1));
}

#[test]
fn values_may_be_nested_deeply_but_not_without_end() {
    let parse = |open: &str, close: &str, depth: usize| {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        parse_json(&SourceFile::new(FileId::new("nested"), text)).diagnostics
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[[{\"a\":", "}]]")] {
        let levels = open.matches(['[', '{']).count();
        assert_eq!(messages(&parse(open, close, 256 / levels)), "");
        let deep = parse(open, close, 100_000);
        assert_eq!(deep.iter().map(Diagnostic::title).collect::<Vec<_>>(), ["Too deeply nested"]);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time is what is tested")]
fn time_grows_with_the_text() {
    let time = |text: &str, count: usize| {
        let source = SourceFile::new(FileId::new("repeated"), format!("[{}", text.repeat(count)));
        // The machine may be busy, so the fastest of several runs counts.
        let runs = (0..5).map(|_| {
            let start = Instant::now();
            parse_json(&source);
            start.elapsed()
        });
        runs.min().unwrap_or_default()
    };
    for text in [
        "/*",
        "'",
        "\"",
        "{",
        "[",
        "}",
        "{]",
        "{\"a\"",
        "\"a\" 1",
        "\\",
        "1 ",
        "{\"a\":1 \"b\":2}",
        ":",
        "\"\\",
        ",",
    ] {
        let small = time(text, 4_000).max(Duration::from_millis(20));
        let large = time(text, 40_000);
        assert!(large < small * 60, "{text:?}: {small:?}, then {large:?} for ten times as much");
    }
}
