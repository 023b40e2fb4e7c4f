//! Parses text that is cut off or nested without end. The parser must answer, and on a small stack.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod invariants;

use std::time::{Duration, Instant};

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{parse_body, parse_expr, parse_template};

const SNIPPETS: [&str; 4] = [
    include_str!("parser/ok/expressions.hcl"),
    include_str!("parser/ok/templates.hcl"),
    include_str!("parser/ok/blocks.hcl"),
    include_str!("parser/err/recovery.hcl"),
];

#[test]
fn text_may_be_broken_off_anywhere() {
    for snippet in SNIPPETS {
        for end in (0..snippet.len()).filter(|end| snippet.is_char_boundary(*end)) {
            let (before, after) = snippet.split_at(end);
            for part in [before, after] {
                let source = SourceFile::new(FileId::new("part"), part);
                invariants::check(&source);
            }
        }
    }
}

/// Text that opens levels, innermost text, text that closes the levels, number of levels.
const NESTINGS: [(&str, &str, &str, usize); 15] = [
    ("(", "1", ")", 1),
    ("[", "1", "]", 1),
    ("{a=", "1", "}", 1),
    ("f(", "1", ")", 1),
    ("a[", "1", "]", 1),
    ("\"${", "1", "}\"", 1),
    ("a ? ", "1", " : 2", 1),
    ("a ? 1 : ", "1", "", 1),
    ("[for a in ", "b", " : a]", 1),
    ("!", "true", "", 1),
    ("-", "1", "", 1),
    ("(a[*].b[", "1", "])", 3),
    ("[", "a", "].*.b[0]", 1),
    ("{for a in ", "b", " : a => a}", 1),
    ("<<A\n${", "1", "}\nA\n", 1),
];

#[test]
fn expressions_may_be_nested_deeply_but_not_without_end() {
    for (open, inner, close, levels) in NESTINGS {
        nest(open, inner, close, levels, |text| {
            let parsed = parse_expr(&SourceFile::new(FileId::new("nested"), text));
            parsed.diagnostics.iter().map(|diagnostic| diagnostic.id.title()).collect()
        });
    }
}

#[test]
fn blocks_and_directives_may_be_nested_deeply_but_not_without_end() {
    nest("a {\n", "", "}\n", 1, |text| {
        let parsed = parse_body(&SourceFile::new(FileId::new("nested"), text));
        parsed.diagnostics.iter().map(|diagnostic| diagnostic.id.title()).collect()
    });
    nest("%{if a}", "", "%{endif}", 1, |text| {
        let parsed = parse_template(&SourceFile::new(FileId::new("nested"), text));
        parsed.diagnostics.iter().map(|diagnostic| diagnostic.id.title()).collect()
    });
}

fn nest(open: &str, inner: &str, close: &str, levels: usize, parse: impl Fn(String) -> Vec<&'static str>) {
    let text = |depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    assert_eq!(parse(text(250 / levels)), [""; 0], "{open}");
    assert_eq!(parse(text(200_000)).first(), Some(&"Too deeply nested"), "{open}");
    assert!(!parse(open.repeat(200_000)).is_empty(), "{open} is never closed");
}

#[test]
fn long_chains_take_no_stack() {
    let chain = |link: &str| format!("a{}", link.repeat(100_000));
    for link in [" + a", ".b", "[0]", " == a", " && a"] {
        let parsed = parse_expr(&SourceFile::new(FileId::new("chain"), chain(link)));
        assert!(parsed.diagnostics.is_empty(), "{link}: {:?}", parsed.diagnostics.first());
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the time is what is tested")]
fn time_grows_with_the_text() {
    let time = |text: &str, count: usize| {
        let source = SourceFile::new(FileId::new("repeated"), text.repeat(count));
        let start = Instant::now();
        parse_body(&source);
        parse_template(&source);
        start.elapsed()
    };
    for text in [
        "/*",
        "\"",
        "a=\"${",
        "(",
        "}",
        "[)",
        "<<A\n",
        "@",
        "a = 1\n",
        "~}",
        "\\",
        "a=\"\\n$\\n$\"\n",
        "<<-A\n  $\n",
        "%{if",
        "'",
        "a {",
        "$",
    ] {
        let small = time(text, 4_000).max(Duration::from_millis(20));
        let large = time(text, 40_000);
        assert!(large < small * 60, "{text:?}: {small:?}, then {large:?} for ten times as much");
    }
}
