//! Tests of decoding by specs and schemas.

use std::sync::Arc;

use terrane_eval::Scope;
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{parse_body, parse_json};
use terrane_value::{Origins, Type, Value, display};

use super::with_scope;
use crate::{Body, BodySpec, Nesting, Schema, SchemaAttribute, SchemaBlock, Spec, decode, decode_partially};

fn body(text: &str) -> Body {
    let name = if text.starts_with('{') { "a.hcl.json" } else { "a.hcl" };
    let source = SourceFile::new(FileId::new(name), text);
    if text.starts_with('{') {
        let document = parse_json(&source);
        assert!(document.diagnostics.is_empty());
        return Body::json(&document.tree, document.root);
    }
    let parsed = parse_body(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    Body::native(&parsed.tree, parsed.root)
}

fn in_scope<T>(read: impl FnOnce(&Scope<'_>, &mut Diagnostics) -> T) -> (T, Vec<String>) {
    let mut diagnostics = Diagnostics::new();
    let value = with_scope(|scope| read(scope, &mut diagnostics));
    let titles = diagnostics.as_slice().iter().map(|found| found.title().to_owned()).collect();
    (value, titles)
}

/// Returns the value as text, or the titles of the mistakes.
fn decoded(text: &str, spec: &BodySpec) -> String {
    let (value, titles) = in_scope(|scope, diagnostics| decode(&body(text), spec, scope, diagnostics));
    if titles.is_empty() { display::console(&value).replace('\n', "") } else { titles.join(", ") }
}

fn object(attributes: &[(&str, Type)]) -> Type {
    Type::object(attributes.iter().map(|(name, ty)| ((*name).into(), ty.clone())))
}

#[test]
fn a_list_of_objects_may_be_written_as_blocks() {
    let rule = object(&[("port", Type::Number), ("name", Type::String)]);
    let schema = Schema::new().attribute("rule", SchemaAttribute::optional(Type::list(rule)));
    let spec = BodySpec::new(schema.spec());
    let one = r#"{  "rule" = tolist([    {      "name" = tostring(null)      "port" = 1    },  ])}"#;
    assert_eq!(decoded("rule {\n  port = 1\n}\n", &spec), one);
    assert_eq!(decoded("rule = [{ port = 1, name = null }]\n", &spec), one);
    // In JSON the two look the same; it is read as the attribute, with all attributes of its objects.
    assert_eq!(decoded(r#"{"rule": [{"port": 1, "name": null}]}"#, &spec), one);
    assert_eq!(
        decoded("dynamic \"rule\" {\n  for_each = [1]\n  content {\n    port = rule.value\n  }\n}\n", &spec),
        one
    );
    assert!(decoded("", &spec).contains("\"rule\" = tolist(null)"));
    // The attribute and blocks at once, and parts that the objects do not have.
    assert_eq!(decoded("rule = []\nrule {\n}\n", &spec), "Unsupported block type");
    assert_eq!(decoded("rule {\n  color = 1\n}\n", &spec), "Unsupported argument");
}

#[test]
fn a_group_is_there_without_its_block() {
    let inner = Schema::new().attribute("size", SchemaAttribute::optional(Type::Number)).block(
        "disk",
        Nesting::List,
        Schema::new().attribute("gb", SchemaAttribute::required(Type::Number)),
    );
    let group = SchemaBlock::new(Nesting::Group, inner);
    let spec = BodySpec::new(Schema::new().block_type("machine", group).spec());
    assert_eq!(
        decoded("", &spec),
        r#"{  "machine" = {    "disk" = tolist([])    "size" = tonumber(null)  }}"#
    );
    assert_eq!(
        decoded("machine {\n  disk {\n    gb = 2\n  }\n}\n", &spec),
        r#"{  "machine" = {    "disk" = tolist([      {        "gb" = 2      },    ])    "size" = tonumber(null)  }}"#
    );
    assert_eq!(decoded("machine {\n}\nmachine {\n}\n", &spec), "Duplicate machine block");
    assert_eq!(decoded("machine {\n  disk {\n  }\n}\n", &spec), "Missing required argument");
}

#[test]
fn an_empty_group_has_the_value_of_an_empty_body_in_each_nesting() {
    let inner = |ty| Schema::new().attribute("a", SchemaAttribute::optional(ty));
    let group = [
        ("single", Nesting::Single, Type::String),
        ("group", Nesting::Group, Type::list(Type::String)),
        ("list", Nesting::List, Type::String),
        ("set", Nesting::Set, Type::String),
        ("map", Nesting::Map, Type::String),
        ("tuple", Nesting::List, Type::Dynamic),
        ("object", Nesting::Map, Type::Dynamic),
    ]
    .into_iter()
    .fold(Schema::new(), |schema, (name, nesting, ty)| schema.block(name, nesting, inner(ty)));
    let schema = Schema::new().block("g", Nesting::Group, group);
    let spec = BodySpec::new(schema.spec());
    let empty = concat!(
        "object({group=object({a=list(string)}),list=list(object({a=string})),map=map(object({a=string})),",
        "object=object({}),set=set(object({a=string})),single=object({a=string}),tuple=tuple([])})"
    );
    let (value, titles) = in_scope(|scope, diagnostics| decode(&body(""), &spec, scope, diagnostics));
    assert!(titles.is_empty(), "{titles:?}");
    assert_eq!(value.ty().to_string(), format!("object({{g={empty}}})"));
    // A missing group has the value of a block without content.
    assert_eq!(decoded("", &spec), decoded("g {\n}\n", &spec));
}

#[test]
fn groups_in_groups_are_expanded_once() {
    for levels in [30, 200] {
        let leaf = Schema::new().attribute("a", SchemaAttribute::optional(Type::String));
        let schema = (0..levels).fold(leaf, |inner, _| Schema::new().block("g", Nesting::Group, inner));
        let spec = BodySpec::new(schema.configuration_spec());
        let expected = format!("{}object({{a=string}}){}", "object({g=".repeat(levels), "})".repeat(levels));
        assert_eq!(spec.ty().to_string(), expected);
        let (value, titles) =
            in_scope(|scope, diagnostics| decode(&body("g {\n}\n"), &spec, scope, diagnostics));
        assert!(titles.is_empty(), "{titles:?}");
        assert_eq!(value.ty().to_string(), expected);
    }
}

#[test]
fn a_part_of_a_body_is_decoded_and_the_rest_is_left() {
    let disk = Spec::object([("gb", Spec::attribute("gb", Type::Number))]);
    let spec = BodySpec::new(Spec::object([
        ("name", Spec::required_attribute("name", Type::String)),
        ("disks", Spec::block_list("disk", disk)),
    ]));
    let text = "name = \"a\"\nsize = 3\ndisk {\n  gb = 1\n}\nnet {\n}\n\
                dynamic \"disk\" {\n  for_each = [2]\n  content {\n    gb = disk.value\n  }\n}\n\
                dynamic \"net\" {\n  for_each = []\n  content {\n  }\n}\n";
    let json = r#"{"name": "a", "size": 3, "disk": [{"gb": 1}, {"gb": 2}], "net": {}}"#;
    for (text, mistake) in [(text, "Unsupported argument"), (json, "Extraneous JSON object property")] {
        let ((value, rest), titles) =
            in_scope(|scope, diagnostics| decode_partially(&body(text), &spec, scope, diagnostics));
        assert_eq!(titles, [""; 0]);
        let expected =
            r#"{  "disks" = tolist([    {      "gb" = 1    },    {      "gb" = 2    },  ])  "name" = "a"}"#;
        assert_eq!(display::console(&value).replace('\n', ""), expected);
        // The size and the nets are left, which another spec reads.
        let spec = BodySpec::new(Spec::object([
            ("size", Spec::attribute("size", Type::Number)),
            ("nets", Spec::block_list("net", Spec::Literal(Value::TRUE))),
        ]));
        let (value, titles) = in_scope(|scope, diagnostics| decode(&rest, &spec, scope, diagnostics));
        assert_eq!(titles, [""; 0], "{text}");
        let expected = r#"{  "nets" = tolist([    true,  ])  "size" = 3}"#;
        assert_eq!(display::console(&value).replace('\n', ""), expected);
        // Neither spec alone reads the whole body.
        assert!(decoded(text, &spec).contains(mistake));
    }
}

#[test]
fn a_wrong_number_of_blocks_is_unknown_by_an_error() {
    let nested = || Arc::new(BodySpec::new(Schema::new().spec()));
    let single = |required| Spec::Block { block_type: "a".into(), nested: nested(), required };
    let labelled = |object| Spec::LabelledBlocks {
        block_type: "a".into(),
        labels: vec!["key".into()],
        object,
        nested: nested(),
    };
    let attributes =
        |required| Spec::BlockAttributes { block_type: "a".into(), element: Type::String, required };
    let (none, two) = ("", "a {\n}\na {\n}\n");
    for (spec, text, title) in [
        (single(true), none, "Missing a block"),
        (single(false), two, "Duplicate a block"),
        (labelled(false), "a \"x\" {\n}\na \"x\" {\n}\n", "Duplicate a block"),
        (labelled(true), "a \"x\" {\n}\na \"x\" {\n}\n", "Duplicate a block"),
        (attributes(true), none, "Missing a block"),
        (attributes(false), two, "Duplicate a block"),
    ] {
        let spec = BodySpec::new(spec);
        let (value, titles) = in_scope(|scope, diagnostics| decode(&body(text), &spec, scope, diagnostics));
        assert_eq!(titles, [title], "{text}");
        assert_eq!(
            value.as_unknown().map(|unknown| unknown.origins == Origins::error()),
            Some(true),
            "{text}"
        );
    }
    for (spec, text) in [(single(false), none), (attributes(false), none)] {
        let (value, titles) =
            in_scope(|scope, diagnostics| decode(&body(text), &BodySpec::new(spec), scope, diagnostics));
        assert!(titles.is_empty() && value.is_null(), "{titles:?}");
    }
}
