//! Tests of displayed values.

use std::sync::Arc;

use super::{annotated, console, quote, type_text};
use crate::{
    Entries, Mark, Marks, Number, ObjectBuilder, ObjectType, OriginKind, Origins, SmolStr, Type, Value,
};

fn number(text: &str) -> Value {
    Value::number(Number::parse(text).unwrap())
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Vec<(SmolStr, Value)> {
    entries.into_iter().map(|(key, value)| (SmolStr::from(key), value)).collect()
}

fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    Value::object(entries(attributes))
}

fn variable(name: &str) -> Origins {
    Origins::one(OriginKind::Variable, name)
}

#[test]
fn strings() {
    let cases = [
        ("hello", "\"hello\""),
        ("tab\there", "\"tab\\there\""),
        ("back\\slash \"q\"", "\"back\\\\slash \\\"q\\\"\""),
        ("%{x} ${y}", "\"%{x} ${y}\""),
        ("é😀", "\"é😀\""),
        ("\u{8}\u{c}\u{7f}\0\u{7}\u{b}\r", "\"\\b\\f\\x7f\\x00\\a\\v\\r\""),
        (
            "\u{85}\u{ad}\u{a0}\u{200b}\u{feff}\u{378}\u{e000}",
            "\"\\u0085\\u00ad\\u00a0\\u200b\\ufeff\\u0378\\ue000\"",
        ),
        // A combining mark is shown even at the start; characters newer than Unicode 15.0 are not.
        ("\u{301}a\u{fffd}\u{e0001}\u{1c89}", "\"\u{301}a\u{fffd}\\U000e0001\\u1c89\""),
    ];
    for (text, want) in cases {
        assert_eq!(console(&Value::from(text)), want);
        assert_eq!(quote(text), want);
    }
}

#[test]
fn strings_of_several_lines() {
    assert_eq!(console(&Value::from("a\n")), "<<EOT\na\n\nEOT");
    assert_eq!(console(&Value::from("\r\n")), "<<EOT\n\r\n\nEOT");
    let nested = object([("\n", number("1")), ("a\nb", Value::from("EOT\n  EOT_\n"))]);
    let want = "{\n  <<-EOT\n  \n  \n  EOT = 1\n  <<-EOT\n  a\n  b\n  EOT = <<-EOT__\n  EOT\n    EOT_\n  \n  EOT__\n}";
    assert_eq!(console(&nested), want);
    assert_eq!(console(&Value::from("EOT_\nx")), "<<EOT\nEOT_\nx\nEOT");
    assert_eq!(console(&Value::from("EOT\nEOT__\nEOTx")), "<<EOT_\nEOT\nEOT__\nEOTx\nEOT_");
}

#[test]
fn numbers_and_bools() {
    assert_eq!(console(&number("1e30")), "1000000000000000000000000000000");
    assert_eq!(console(&number("-0")), "-0");
    assert_eq!(console(&number("inf")), "+Inf");
    assert_eq!(console(&Value::TRUE), "true");
}

#[test]
fn nulls_tell_their_type() {
    let cases = [
        (Type::Dynamic, "null"),
        (Type::String, "tostring(null)"),
        (Type::Number, "tonumber(null)"),
        (Type::Bool, "tobool(null)"),
        (Type::list(Type::String), "tolist(null) /* of string */"),
        (Type::set(Type::Dynamic), "toset(null) /* of dynamic */"),
        (Type::map(Type::list(Type::Bool)), "tomap(null) /* of list of bool */"),
        (Type::list(Type::map(Type::Dynamic)), "tolist(null) /* of map of dynamic */"),
        (Type::object([("a".into(), Type::String)]), "null /* object */"),
        (Type::tuple([Type::String]), "null /* tuple */"),
    ];
    for (ty, want) in cases {
        assert_eq!(console(&Value::null(ty)), want);
    }
}

#[test]
fn collections() {
    let one = || number("1");
    assert_eq!(console(&Value::tuple([])), "[]");
    assert_eq!(console(&object([])), "{}");
    assert_eq!(console(&Value::list(Type::String, [])), "tolist([])");
    assert_eq!(console(&Value::map(Type::String, [])), "tomap({})");
    assert_eq!(console(&Value::set(Type::String, [])), "toset([])");
    let inner = object([("b c", Value::list(Type::Number, [one()]))]);
    let value = Value::tuple([one(), inner, Value::map(Type::Number, entries([("k", one())]))]);
    let want =
        "[\n  1,\n  {\n    \"b c\" = tolist([\n      1,\n    ])\n  },\n  tomap({\n    \"k\" = 1\n  }),\n]";
    assert_eq!(console(&value), want);
}

#[test]
fn unknown_and_marked_values_are_not_shown() {
    let sensitive = |value: Value| value.with_marks(&Marks::sensitive());
    let both = Marks::sensitive().union(&Marks::one(Mark::Ephemeral));
    assert_eq!(console(&sensitive(Value::from("x"))), "(sensitive value)");
    assert_eq!(console(&Value::NULL.with_marks(&both)), "(sensitive value)");
    assert_eq!(console(&Value::from("x").with_marks(&Marks::one(Mark::Ephemeral))), "(ephemeral value)");
    assert_eq!(console(&sensitive(Value::unknown(Type::String))), "(known after apply)");
    assert_eq!(console(&Value::from("x").with_marks(&Marks::one(Mark::Deprecated("old".into())))), "\"x\"");
    let value = Value::tuple([sensitive(Value::from("x")), Value::unknown(Type::Bool)]);
    assert_eq!(console(&value), "[\n  (sensitive value),\n  (known after apply),\n]");
}

#[test]
fn types_take_several_lines() {
    let inner = Type::Object(Arc::new(ObjectType::with_optional(
        [("a".into(), Type::String), ("b".into(), Type::tuple([Type::Bool]))],
        ["a".into()],
    )));
    let ty = Type::list(Type::set(inner));
    let want = "list(set(\n    object({\n        a: string,\n        b: tuple([\n            bool,\n        ]),\n    }),\n))";
    assert_eq!(type_text(&ty), want);
    assert_eq!(type_text(&Type::map(Type::Dynamic)), "map(dynamic)");
    assert_eq!(type_text(&Type::object([])), "object({})");
    assert_eq!(type_text(&Type::tuple([])), "tuple([])");
}

#[test]
fn annotated_values_read_back() {
    let value = object([
        ("a-b", Value::from("${x} %{y} 100% $5 \u{7f} \"\\")),
        ("for", Value::from("a\n")),
        ("two words", Value::from("a\n\n  b\n")),
        ("one", number("-inf")),
        ("z", Value::list(Type::String, [Value::from("x\ny\n"), Value::null(Type::String)])),
    ]);
    let want = r#"{
  a-b   = "$${x} %%{y} 100% $5 \u007f \"\\"
  "for" = "a\n"
  one   = -1/0
  "two words" = <<-EOT
    a

      b
  EOT
  z = tolist([
    <<-EOT
      x
      y
    EOT
    ,
    tostring(null),
  ])
}"#;
    assert_eq!(annotated(&value), want);
    // An indented heredoc would not read back as any of these.
    for text in ["a\nb", "  a\n  b\n", "a\n \nb\n", "${a}\nb\n", "a\r\nb\n", "\n\n"] {
        assert!(annotated(&Value::from(text)).starts_with('"'), "{text:?}");
    }
    assert_eq!(annotated(&number("3p9000000")), "tonumber(\"3p+9000000\")");
}

#[test]
fn annotated_values_say_why_they_are_unknown() {
    let origins = variable("var.a").union(&Origins::one(OriginKind::ImpureFunction, "timestamp"));
    assert_eq!(
        annotated(&Value::unknown_from(Type::String, origins)),
        "(known after apply) # var.a has no value; timestamp() gives a new result in each run"
    );
    for (kinds, expected) in [
        (&[OriginKind::Variable, OriginKind::Variable][..], "(not set)"),
        (&[OriginKind::Module], "(not on disk)"),
        (&[OriginKind::Error], "(error)"),
        (&[OriginKind::Error, OriginKind::Module], "(unknown)"),
        (&[OriginKind::Variable, OriginKind::Module, OriginKind::Computed], "(known after apply)"),
        (&[OriginKind::DataSource], "(known after apply)"),
    ] {
        let origins = kinds.iter().enumerate().map(|(index, kind)| Origins::one(*kind, format!("a{index}")));
        let origins = origins.reduce(|one, other| one.union(&other)).unwrap();
        let text = annotated(&Value::unknown_from(Type::String, origins));
        assert!(text.starts_with(&format!("{expected} # ")), "{text}");
    }
    assert_eq!(annotated(&Value::unknown(Type::String)), "(known after apply)");
    let many = (0..18).fold(Origins::NONE, |all, index| all.union(&variable(&format!("var.v{index}"))));
    assert!(annotated(&Value::unknown_from(Type::String, many)).ends_with("; and 2 more"));
    let line = annotated(&Value::unknown_from(Type::Bool, variable("a[\"x\ny\"]")));
    assert_eq!(line, "(not set) # a[\"x\u{fffd}y\"] has no value");
    let list = Value::tuple([Value::from("x"), Value::unknown_from(Type::String, variable("var.a"))]);
    assert_eq!(
        annotated(&Value::object([("list".into(), list)])),
        "{\n  list = [\n    \"x\",\n    (not set), # var.a has no value\n  ]\n}"
    );
}

#[test]
fn annotated_open_values_show_known_attributes() {
    let tags = ObjectBuilder::new().with("Name", "x").build();
    let secret = Value::from("hunter2").with_marks(&Marks::sensitive());
    let attributes: Entries = entries([
        ("tags", tags),
        ("password", secret),
        ("block", Value::open_sequence(vec![number("1")], variable("x"))),
    ])
    .into_iter()
    .collect();
    let cause = Origins::one(OriginKind::ResourceAttribute, "aws_vpc.a");
    let open = Value::open_object(attributes, cause);
    let want = "{\n  block    = [1]\n  password = (sensitive value)\n  tags = {\n    Name = \"x\"\n  }\n  \
                # other attributes are unknown: aws_vpc.a is set by the provider\n}";
    assert_eq!(annotated(&open), want);
    assert_eq!(annotated(&open.clone().with_marks(&Marks::sensitive())), "(sensitive value)");
    assert_eq!(console(&open), "(known after apply)");
}

#[test]
fn annotated_values_are_short_where_they_can_be() {
    let numbers = |count: i64| Value::tuple((1..=count).map(|value| number(&value.to_string())));
    assert_eq!(
        annotated(&Value::list(Type::String, [Value::from("a"), Value::from("b")])),
        "tolist([\"a\", \"b\"])"
    );
    assert_eq!(
        annotated(&object([("list", numbers(3)), ("n", number("1"))])),
        "{\n  list = [1, 2, 3]\n  n    = 1\n}"
    );
    assert!(annotated(&numbers(40)).starts_with("[\n  1,\n  2,\n"));
    let inner = Value::open_object(Entries::default(), variable("x"));
    let outer: Entries = entries([("inner", inner)]).into_iter().collect();
    let want = "{\n  inner = {}\n  # other attributes are unknown: x has no value\n}";
    assert_eq!(annotated(&Value::open_object(outer, variable("x"))), want);
}
