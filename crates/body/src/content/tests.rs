//! Tests of the content of native and JSON bodies.

use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{parse_body, parse_json};

use super::Content;
use crate::{Body, BodySchema};

fn native(text: &str) -> Body {
    let parsed = parse_body(&SourceFile::new(FileId::new("test.hcl"), text));
    assert!(parsed.diagnostics.is_empty(), "{text}");
    Body::native(&parsed.tree, parsed.root)
}

fn json(text: &str) -> Body {
    let document = parse_json(&SourceFile::new(FileId::new("test.json"), text));
    assert!(document.diagnostics.is_empty(), "{text}");
    Body::json(&document.tree, document.root)
}

/// Attributes and blocks as `name=text` and `type labels {…}`; the content of blocks is read without a schema.
fn shown(content: &Content, diagnostics: &mut Diagnostics) -> String {
    let mut parts = Vec::new();
    for (name, attribute) in &content.attributes {
        let text = attribute.source().slice(attribute.value_span());
        parts.push(format!("{name}={text}"));
    }
    for block in &content.blocks {
        let labels: String = block.labels.iter().map(|label| format!(" {}", label.text)).collect();
        let inner = block.body.open_content(diagnostics);
        parts.push(format!("{}{labels} {{{}}}", block.block_type, shown(&inner, diagnostics)));
    }
    parts.join(", ")
}

fn messages(diagnostics: &Diagnostics) -> Vec<String> {
    let place = |found: &terrane_source::Diagnostic| {
        found.subject.as_ref().map(|subject| (subject.span.start, subject.span.end)).unwrap_or_default()
    };
    diagnostics
        .as_slice()
        .iter()
        .map(|found| {
            let (start, end) = place(found);
            let hints: String = found.hints.iter().map(|hint| format!(" {hint}")).collect();
            format!("{start}-{end} {}{hints}", found.title())
        })
        .collect()
}

fn schema() -> BodySchema {
    BodySchema::new().required("name").optional("size").block("disk", &[]).block("part", &["kind", "id"])
}

#[track_caller]
fn check(body: &Body, expected: &str, errors: &[&str]) {
    let mut diagnostics = Diagnostics::new();
    let content = body.content(&schema(), &mut diagnostics);
    assert_eq!(shown(&content, &mut diagnostics), expected);
    assert_eq!(messages(&diagnostics), errors);
}

#[test]
fn a_schema_lists_attributes_and_blocks() {
    check(
        &native("size = 1\ndisk {\n  a = 2\n}\nname = \"x\"\npart \"k\" \"i\" {}\ndisk {}\n"),
        "size=1, name=\"x\", disk {a=2}, part k i {}, disk {}",
        &[],
    );
    check(
        &json(
            r#"{"//": "?", "size": 1, "disk": [{"a": 2}, {}], "name": "x", "part": {"k": {"i": {"//": 0}}}}"#,
        ),
        "size=1, name=\"x\", disk {a=2}, disk {}, part k i {}",
        &[],
    );
}

#[test]
fn mistakes_in_native_bodies_are_all_found() {
    check(
        &native(
            "nam = 1\ndisk = 2\nsize {\n}\npart \"a\" {\n}\npart \"a\" \"b\" \"c\" {\n}\ndisc {\n}\ndisk \"a\" {\n}\n",
        ),
        "",
        &[
            "0-0 Missing required argument",
            "35-36 Missing id for part",
            "52-55 Extraneous label for part",
            "74-77 Extraneous label for disk",
            "0-3 Unsupported argument Did you mean \"name\"?",
            "8-12 Unsupported argument",
            "17-21 Unsupported block type",
            "60-64 Unsupported block type Did you mean \"disk\"?",
        ],
    );
}

#[test]
fn mistakes_in_json_bodies_are_all_found() {
    check(
        &json(r#"{"size": 1, "size": 2, "disk": 3, "part": {"a": {}, "b": [1, {}], "c": null}, "disc": 0}"#),
        "size=1",
        &[
            "12-18 Duplicate argument",
            "31-32 Incorrect JSON value type",
            "48-49 Missing block label",
            "58-59 Incorrect JSON value type",
            "57-58 Missing block label",
            "71-75 Missing block label",
            "87-88 Missing required argument",
            "78-84 Extraneous JSON object property Did you mean \"disk\"?",
        ],
    );
    check(&json("[1, {\"name\": 2}]"), "name=2", &["1-2 Incorrect JSON value type"]);
}

#[test]
fn several_objects_and_arrays_make_one_body_or_several_blocks() {
    check(
        &json(
            r#"[{"name": 1}, {"disk": {}, "disk": [null, {"x": 1}]}, {"part": [{"a": {"b": {}}}, {"a": {"c": [{}, {}]}}]}]"#,
        ),
        "name=1, disk {}, disk {}, disk {x=1}, part a b {}, part a c {}, part a c {}",
        &[],
    );
    check(&json(r#"{"name": 1, "disk": null, "part": {"a": {"b": null}}}"#), "name=1", &[]);
}

#[test]
fn read_attributes_are_not_in_the_remaining_body() {
    for body in
        [native("name = 1\nx = 2\ndisk {\n}\ny {\n}\n"), json(r#"{"name": 1, "x": 2, "disk": {}, "y": {}}"#)]
    {
        let mut diagnostics = Diagnostics::new();
        let (content, rest) = body.partial_content(&schema(), &mut diagnostics);
        assert_eq!(shown(&content, &mut diagnostics), "name=1, disk {}");
        let schema = BodySchema::new().optional("x").optional("name").block("y", &[]).block("disk", &[]);
        let content = rest.content(&schema, &mut diagnostics);
        assert_eq!(shown(&content, &mut diagnostics), "x=2, y {}");
        let empty = rest.content(&BodySchema::new(), &mut diagnostics);
        assert!(empty.attributes.is_empty());
        assert_eq!(diagnostics.len(), 2, "{:?}", messages(&diagnostics));
    }
}

#[test]
fn everything_can_be_attributes() {
    let mut diagnostics = Diagnostics::new();
    let content = native("a = 1\nb {\n}\nc {\n}\n").just_attributes(&mut diagnostics);
    assert_eq!(shown(&content, &mut diagnostics), "a=1");
    let content = json(r#"{"//": 0, "a": 1, "b": {}, "a": 2}"#).just_attributes(&mut diagnostics);
    assert_eq!(shown(&content, &mut diagnostics), "a=1, b={}");
    json("[{}]").just_attributes(&mut diagnostics);
    assert_eq!(
        messages(&diagnostics),
        [
            "6-7 Unexpected \"b\" block",
            "27-30 Duplicate attribute definition",
            "0-1 Incorrect JSON value type"
        ]
    );
}

#[test]
fn messages_name_the_block() {
    let mut diagnostics = Diagnostics::new();
    let schema = BodySchema::new().block("part", &["id"]);
    for body in [native("part \"a\" {\n  x = 1\n  y {}\n}\n"), json(r#"{"part": {"a": {"x": 1}}}"#)] {
        let content = body.content(&schema, &mut diagnostics);
        let empty = BodySchema::new().optional("y").attribute_advice("Read the manual.");
        content.blocks[0].body.content(&empty, &mut diagnostics);
    }
    let details: Vec<_> = diagnostics.as_slice().iter().map(|found| found.detail.as_str()).collect();
    assert_eq!(
        details,
        [
            "There is no argument named \"x\" in part \"a\". Read the manual.",
            "There is no nested block of type \"y\" in part \"a\". Did you mean the argument `y = …`?",
            "There is neither an argument nor a nested block named \"x\" in a `part` block. Read the manual.",
        ]
    );
}

#[test]
fn json_strings_are_read_as_the_schema_expects() {
    let mut diagnostics = Diagnostics::new();
    let content = json(r#"{"a": "${x}", "b": "list(string)", "c": "${1 +}"}"#).open_content(&mut diagnostics);
    let attribute = |name: &str| content.attribute(name).unwrap();
    let a = attribute("a").expression(&mut diagnostics);
    assert_eq!(terrane_eval::references(&a)[0].root, "x");
    assert!(terrane_eval::references(&attribute("a").literal()).is_empty());
    let b = attribute("b").reference();
    assert_eq!(b.tree.expr_text(b.id), "list(string)");
    assert!(diagnostics.is_empty());
    attribute("c").reference();
    attribute("c").expression(&mut diagnostics);
    attribute("c").expression(&mut diagnostics);
    assert_eq!(messages(&diagnostics), ["46-47 Invalid expression"]);
}

#[test]
fn bodies_can_be_shared() {
    fn assert_shareable<T: Send + Sync + Clone + 'static>() {}
    assert_shareable::<Body>();
    assert_shareable::<Content>();
}

fn overridden(base: &Body, over: &Body) -> Body {
    let mut body = base.clone();
    body.override_with(over.clone());
    body
}

#[test]
fn a_body_laid_over_another_one_replaces_and_adds_nothing_required() {
    let base = native("name = 1\nnope = 1\ndisk {}\ndisk {}\npart \"a\" \"b\" {}\n");
    let over = native("name = 2\nsize = 3\nalso = 1\ndisk {\n  a = 1\n}\n");
    check(&overridden(&base, &over), "name=2, size=3, part a b {}, disk {a=1}", &[]);
    let nameless = native("size = 1\n");
    let once = overridden(&nameless, &over);
    check(&once, "size=3, name=2, disk {a=1}", &["0-0 Missing required argument"]);
    let twice = overridden(&once, &base);
    check(&twice, "size=3, name=1, disk {}, disk {}, part a b {}", &["0-0 Missing required argument"]);
    // Overriding a copy does not change the body that was copied.
    check(&once, "size=3, name=2, disk {a=1}", &["0-0 Missing required argument"]);
    let json = json("{\"size\": 4}");
    check(&overridden(&base, &json), "name=1, size=4, disk {}, disk {}, part a b {}", &[]);
}

#[test]
fn blocks_are_hidden_by_the_last_body_that_has_their_type() {
    let mut body = native("name = 1\ndisk {}\npart \"a\" \"b\" {}\n");
    for over in ["disk {\n  a = 1\n}\n", "part \"c\" \"d\" {}\n", "size = 1\n", "disk {\n  a = 2\n}\n"] {
        body.override_with(native(over));
    }
    check(&body, "name=1, size=1, part c d {}, disk {a=2}", &[]);
}

#[test]
fn joined_bodies_have_each_attribute_once() {
    let mut body = native("name = 1\ndisk {}\n");
    body.join(native("size = 2\ndisk {}\n"));
    body.join(native("nope = 1\nname = 3\nsize = 4\n"));
    let errors = ["9-13 Duplicate argument", "18-22 Duplicate argument", "0-4 Unsupported argument"];
    check(&body, "name=1, size=2, disk {}, disk {}", &errors);
}

/// Overriding neither nests deeply nor takes quadratic time: blocks of one type override as many of another.
#[test]
fn a_body_is_overridden_many_times() {
    let mut body = native(&format!("name = 1\n{}", "part \"a\" \"b\" {}\n".repeat(20_000)));
    let over = native("size = 1\ndisk {}\n");
    (0..20_000).for_each(|_| body.override_with(over.clone()));
    let mut diagnostics = Diagnostics::new();
    let (content, rest) = body.partial_content(&schema(), &mut diagnostics);
    assert_eq!((content.attributes.len(), content.blocks.len()), (2, 20_001));
    assert!(rest.without(&schema()).open_content(&mut diagnostics).blocks.is_empty());
    assert!(diagnostics.is_empty());
}

#[test]
fn keys_differ_between_versions_of_a_file() {
    let read = || native("name = 1\ndisk {}\n");
    let body = read();
    assert!(body.key().is_some() && body.key() == body.key());
    assert!(body.key() != read().key(), "another version of the same file");
    let disk = |body: &Body| body.open_content(&mut Diagnostics::new()).blocks[0].body.key();
    assert!(disk(&body).is_some() && disk(&body) == disk(&body) && disk(&body) != body.key());
    // The rest of a body has other content.
    assert!(body.without(&schema()).key().is_none());
    assert!(overridden(&body, &body).key().is_none());
}
