//! Text that is broken off or nested without end: the parser answers, and on a small stack.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{Parsed, parse_body, parse_expr, parse_template};

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
                check(&parse_body(&source));
                check(&parse_expr(&source));
                check(&parse_template(&source));
            }
        }
    }
}

/// The tokens are in order, the last is the end, and every message is about a place in the text.
fn check<T>(parsed: &Parsed<T>) {
    let len = u32::try_from(parsed.tree.source().text().len()).unwrap();
    let mut position = 0;
    for token in &parsed.tokens {
        assert!(token.span().start >= position);
        position = token.span().end;
    }
    assert_eq!(position, len);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.subject.as_ref().unwrap().span;
        assert!(span.start <= span.end && span.end <= len, "{diagnostic:?}");
    }
}

/// What opens levels, what stands innermost, what closes the levels, how many levels that are.
const NESTINGS: [(&str, &str, &str, usize); 13] = [
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
    assert_eq!(parse(text(100_000)).first(), Some(&"Too deeply nested"), "{open}");
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
        check(&parse_body(&source));
        check(&parse_template(&source));
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
