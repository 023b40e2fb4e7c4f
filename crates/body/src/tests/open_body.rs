//! Tests of bodies without a schema.

use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::parse_body;
use terrane_value::{Entries, Known, OriginKind, Value, ValueKind, ops};

use super::{found, with_scope};
use crate::{Body, Owner, open_body};

fn open(text: &str) -> (Entries, Vec<String>) {
    let parsed = parse_body(&SourceFile::new(FileId::new("test.tf"), text));
    assert!(parsed.diagnostics.is_empty(), "{text}");
    let owner = Owner { kind: OriginKind::ResourceAttribute, address: "x.y", is_stored: true };
    let mut diagnostics = Diagnostics::new();
    let entries = with_scope(|scope| {
        open_body(&Body::native(&parsed.tree, parsed.root), owner, scope, &mut diagnostics)
    });
    (entries, found(&diagnostics))
}

/// Returns the value with the known parts of open objects and sequences; causes follow a `?`.
fn shown(value: &Value) -> String {
    let entries = |entries: &Entries| {
        let entries: Vec<_> =
            entries.iter().map(|(name, value)| format!("{name} = {}", shown(value))).collect();
        format!("{{{}}}", entries.join(", "))
    };
    let elements = |elements: &[Value]| {
        let elements: Vec<_> = elements.iter().map(shown).collect();
        format!("[{}]", elements.join(", "))
    };
    match value.kind() {
        ValueKind::Marked(inner, _) => format!("‹{}›", shown(inner)),
        ValueKind::Unknown(unknown) => match &unknown.known {
            Known::Object(known) => format!("open{}", entries(known)),
            Known::Sequence(known) => format!("open{}", elements(known)),
            Known::Nothing => {
                let causes: Vec<_> =
                    unknown.origins.as_slice().iter().map(|origin| &*origin.subject).collect();
                format!("?{}", causes.join("+"))
            }
        },
        ValueKind::Tuple(known) => elements(known),
        ValueKind::List(known) => format!("list{}", elements(known)),
        ValueKind::Set(known) => format!("set{}", elements(known)),
        ValueKind::Map(known) => format!("map{}", entries(known)),
        ValueKind::Object(known) => entries(known),
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {
            terrane_value::display::console(value)
        }
    }
}

#[track_caller]
fn check(text: &str, name: &str, expected: &str) {
    let (entries, errors) = open(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    assert_eq!(entries.get(name).map(shown).as_deref(), Some(expected), "{text}");
}

#[test]
fn arguments_are_values_and_objects_in_them_are_open() {
    check("a = 1", "a", "1");
    check("a = null", "a", "?x.y.a");
    check("a = [null, { b = 1 }]", "a", "open[?x.y.a[0], open{b = 1}]");
    check("a = { b = { c = null } }", "a", "open{b = open{c = ?x.y.a.b.c}}");
    check("a = var.map", "a", "map{k = \"v\"}");
    check("a = var.unknown_text", "a", "?var.unknown_text");
    check("a = var.secret", "a", "‹\"hunter2\"›");
}

#[test]
fn blocks_of_a_type_are_an_open_sequence() {
    check("b {\n a = 1\n}\nb {\n c {\n d = 2\n }\n}", "b", "open[open{a = 1}, open{c = open[open{d = 2}]}]");
    let (entries, _) = open("b {\n a = 1\n}");
    let block =
        ops::index(entries.get("b").unwrap(), &Value::number(terrane_value::Number::counted(0))).unwrap();
    assert_eq!(shown(&ops::attribute(&block, "a").unwrap()), "1");
    assert_eq!(shown(&ops::attribute(&block, "z").unwrap()), "?x.y.b.z");
}

fn dynamic(for_each: &str, content: &str) -> String {
    format!("dynamic \"b\" {{\n for_each = {for_each}\n content {{\n {content}\n }}\n}}")
}

#[test]
fn dynamic_blocks_are_expanded() {
    let both = "k = b.key\n v = b.value";
    check(&dynamic("[\"x\", \"y\"]", both), "b", "open[open{k = 0, v = \"x\"}, open{k = 1, v = \"y\"}]");
    check(&dynamic("var.map", both), "b", "open[open{k = \"k\", v = \"v\"}]");
    check(&dynamic("var.set", "k = b.key == b.value"), "b", "open[open{k = true}, open{k = true}]");
    check(&dynamic("{ p = { q = 1 } }", "v = b.value.q"), "b", "open[open{v = 1}]");
    assert!(open(&dynamic("[]", both)).0.is_empty());
    check(&dynamic("var.unknown_list", both), "b", "?var.unknown_list");
    check(&dynamic("var.secret_bool ? [1] : []", "v = b.value"), "b", "‹open[‹open{v = ‹1›}›]›");
    let mixed = format!("b {{\n v = 1\n}}\n{}", dynamic("[2]", "v = b.value"));
    check(&mixed, "b", "open[open{v = 1}, open{v = 2}]");
}

#[test]
fn iterators_are_named_and_nested() {
    let inner = "dynamic \"c\" {\n for_each = outer.value\n iterator = inner\n labels = [inner.value]\n content {\n \
                 v = \"${outer.key}${inner.value}\"\n }\n }";
    let text = format!(
        "dynamic \"b\" {{\n for_each = [[\"x\"], [\"y\", \"z\"]]\n iterator = outer\n content {{\n {inner}\n }}\n}}"
    );
    let expected =
        "open[open{c = open[open{v = \"0x\"}]}, open{c = open[open{v = \"1y\"}, open{v = \"1z\"}]}]";
    check(&text, "b", expected);
}

#[test]
fn mistakes_in_dynamic_blocks() {
    let error = |text: &str| open(text).1.first().cloned().unwrap_or_default();
    assert_eq!(error(&dynamic("null", "")), "26-30 Invalid dynamic for_each value");
    assert_eq!(error(&dynamic("1", "")), "26-27 Invalid dynamic for_each value");
    assert_eq!(error(&dynamic("nope", "")), "26-30 Unknown variable");
    assert_eq!(error(&dynamic("[1]", "v = nope")), "46-50 Unknown variable");
    assert_eq!(error(&dynamic("var.unknown_list", "v = nope")), "", "perhaps there is no such block");
    assert_eq!(error("dynamic \"b\" {\n content {}\n}"), "12-12 Missing required argument");
    assert_eq!(error("dynamic \"b\" {\n for_each = []\n}"), "12-12 Missing dynamic content block");
    assert_eq!(
        error("dynamic \"b\" {\n for_each = []\n content {}\n content {}\n}"),
        "42-49 Extraneous dynamic content block"
    );
    assert_eq!(
        error("dynamic \"b\" {\n for_each = []\n other = 1\n content {}\n}"),
        "30-35 Unsupported argument"
    );
    assert_eq!(
        error("dynamic \"b\" {\n for_each = []\n iterator = a.b\n content {}\n}"),
        "41-44 Invalid dynamic iterator name"
    );
    let label = "dynamic \"b\" {\n for_each = [1]\n labels = [null]\n content {}\n}";
    assert_eq!(error(label), "41-45 Invalid dynamic block label");
    let (entries, _) = open(&dynamic("nope", ""));
    assert_eq!(entries.get("b").map(shown).as_deref(), Some("?"));
}
