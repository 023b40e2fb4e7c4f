//! References of expressions.

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{Expression, parse_expr};

use crate::{Reference, references};

fn shown(found: &[Reference<'_>]) -> Vec<String> {
    found.iter().map(|reference| reference.tree.slice(reference.span).to_owned()).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), text));
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    assert_eq!(shown(&references(&expression)), expected, "{text}");
}

#[test]
fn free_names_in_source_order() {
    check("a.b[c.d] + e", &["a.b[c.d]", "c.d", "e"]);
    check("f(a, b...) ? c : d", &["a", "b", "c", "d"]);
    check("{ a = b, (c) = d, e.f = g }", &["b", "c", "d", "e.f", "g"]);
    check("\"${a}%{ if b }${c}%{ else }${d}%{ endif }\"", &["a", "b", "c", "d"]);
    check("(a).b[c]", &["a", "c"]);
    check("1 + 2", &[]);
}

#[test]
fn a_type_is_no_reference() {
    check("convert(a, string)", &["a"]);
    check("core::convert(a, list(object({ b = number })))", &["a"]);
    check("convert(a, b)", &["a"]);
    check("convert(a, string.b)", &["a"]);
    check("convert(a, b...)", &["a", "b"]);
    check("other(a, string)", &["a", "string"]);
}

#[test]
fn bound_names_are_left_out() {
    check("[for k, v in a : v.b if k == c]", &["a", "c"]);
    check("{ for v in v : v => v }", &["v"]);
    check("[for a in b : a] == a", &["b", "a"]);
    check("\"%{ for x in y }${x}${z}%{ endfor }${x}\"", &["y", "z", "x"]);
    check("a[*].b[c]", &["a", "c"]);
}

#[test]
fn a_reference_knows_its_root() {
    let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), " var.a[0]"));
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    let found = references(&expression);
    assert_eq!((found[0].root, found[0].steps.len(), found[0].root_span().range()), ("var", 2, 1..4));
}
