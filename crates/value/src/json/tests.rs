//! Tests of JSON encoding and decoding.

use super::{EncodeError, decode, decode_as, decode_type, encode, encode_type};
use crate::display::console;
use crate::{MAX_DEPTH, Marks, Number, Type, Value};

fn decoded(text: &str) -> String {
    decode(text).map_or_else(|_| "error".to_owned(), |value| console(&value))
}

#[test]
fn encoding() {
    let value = decode(r#"{"b": [1.50, 1e21, "x"], "a": {"<&>": null}, "c": true, "d": -0.0}"#).unwrap();
    let want = r#"{"a":{"\u003c\u0026\u003e":null},"b":[1.5,1000000000000000000000,"x"],"c":true,"d":-0}"#;
    assert_eq!(encode(&value).unwrap(), want);
    let text = Value::from("\u{8}\u{c}\u{7f}\0\u{2028}\u{2029}\n\t\\/\"é😀");
    assert_eq!(encode(&text).unwrap(), "\"\\b\\f\u{7f}\\u0000\\u2028\\u2029\\n\\t\\\\/\\\"é😀\"");
    assert_eq!(encode(&Value::null(Type::String)).unwrap(), "null");
    assert_eq!(encode(&Value::set(Type::String, ["b", "a"].map(Value::from))).unwrap(), r#"["a","b"]"#);
}

#[test]
fn values_without_json() {
    let inside = |value: Value| encode(&Value::tuple([value]));
    assert_eq!(inside(Value::unknown(Type::String)), Err(EncodeError::Unknown));
    assert_eq!(inside(Value::from("x").with_marks(&Marks::sensitive())), Err(EncodeError::Marked));
    assert_eq!(inside(Value::number(Number::infinity(true))), Err(EncodeError::Infinite));
    let huge = Number::parse("1e600000000").unwrap();
    assert_eq!(inside(Value::number(huge)), Err(EncodeError::TooManyDigits));
}

#[test]
fn decoding() {
    let cases = [
        (" [1 , 2]\t\r\n", "[\n  1,\n  2,\n]"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("1.10", "1.1"),
        ("-0", "-0"),
        ("-0.0e-5", "-0"),
        ("1e5", "100000"),
        ("null", "null"),
        ("[]", "[]"),
        ("{}", "{}"),
        (r#"{"a":1,"a":2}"#, "{\n  \"a\" = 2\n}"),
        (r#""\/\b\f\n\r\t\"\\""#, "<<EOT\n/\u{8}\u{c}\n\r\t\"\\\nEOT"),
        (r#""e\u0301""#, "\"é\""),
        (r#""\ud83d\ude00\uD83D""#, "\"😀\u{fffd}\""),
        (r#""\ud800\u0041""#, "\"\u{fffd}A\""),
        (r#""\udc00\ud800x""#, "\"\u{fffd}\u{fffd}x\""),
        // Text after an extra closing bracket is skipped, as in the reference.
        ("1]", "1"),
        ("{}} x", "{}"),
    ];
    for (text, want) in cases {
        assert_eq!(decoded(text), want, "{text}");
    }
    assert_eq!(
        decode("[1,\"a\",null]").unwrap().ty(),
        Type::tuple([Type::Number, Type::String, Type::Dynamic])
    );
}

#[test]
fn text_that_is_not_json() {
    let cases = [
        ("", 0),
        ("x", 0),
        ("1 2", 2),
        ("nul", 0),
        ("nullx", 4),
        ("01", 1),
        ("-", 1),
        ("1.", 2),
        ("1e", 2),
        (".5", 0),
        ("+1", 0),
        ("1e3000000000", 0),
        ("\"a\tb\"", 2),
        ("\"a", 2),
        ("\"\\u00zz\"", 2),
        ("\"\\x\"", 2),
        ("[1}", 2),
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1 2]", 3),
        ("{\"a\" 1}", 5),
        ("{1:1}", 1),
        ("{\"a\":}", 5),
        ("{\"a\":1,}", 7),
        ("\u{a0}1", 0),
        ("\u{feff}1", 0),
        // Names that are equal only after normalisation, and values of different types, confuse the reference.
        (r#"{"e\u0301":1}"#, 1),
        (r#"{"a":1,"a":"x"}"#, 7),
    ];
    for (text, offset) in cases {
        let error = decode(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let limit = usize::from(MAX_DEPTH);
    assert!(decode(&nested(limit)).unwrap().is_wholly_known());
    assert_eq!(decode(&nested(limit + 1)).unwrap_err().offset, limit);
    assert!(decode(&"[".repeat(1_000_000)).is_err());
    assert!(decode(&"{\"a\":".repeat(1_000_000)).is_err());
    assert!(decode_type(&(r#"["list","#.repeat(100_000) + "1")).is_err());
}

#[test]
fn decoding_with_a_type() {
    let object = r#"["object",{"a":"string","b":["list","number"],"c":"bool"},["c"]]"#;
    let ty = decode_type(object).unwrap();
    assert_eq!(encode_type(&ty), object);
    let value = decode_as(r#"{"a": 1.50, "b": ["2", null]}"#, &ty).unwrap();
    assert_eq!(value.ty(), ty.without_optional());
    let want = "{\n  \"a\" = \"1.50\"\n  \"b\" = tolist([\n    2,\n    tonumber(null),\n  ])\n  \"c\" = tobool(null)\n}";
    assert_eq!(console(&value), want);
    let set = decode_as(r#"["b", "a", "b"]"#, &Type::set(Type::String)).unwrap();
    assert_eq!(console(&set), "toset([\n  \"a\",\n  \"b\",\n])");
    let map = decode_as(r#"{"e\u0301": true}"#, &Type::map(Type::Bool)).unwrap();
    assert_eq!(console(&map), "tomap({\n  \"é\" = true\n})");
    assert_eq!(decode_as("[1]", &Type::Dynamic).unwrap().ty(), Type::tuple([Type::Number]));
    assert_eq!(decode_as("null", &ty).unwrap().ty(), ty.without_optional());

    let tuple = Type::tuple([Type::Number, Type::Bool]);
    let fails = [
        (r#"{"a": "x", "d": 1}"#, &ty, 11),
        (r#"{"b": 5}"#, &ty, 6),
        ("[1]", &tuple, 0),
        ("[1, 2]", &tuple, 4),
        ("\"x\"", &Type::Number, 0),
        ("[]", &Type::String, 0),
    ];
    for (text, ty, offset) in fails {
        assert_eq!(decode_as(text, ty).expect_err(text).offset, offset, "{text}");
    }
}

#[test]
fn types() {
    for text in [
        r#""dynamic""#,
        r#"["set",["map","bool"]]"#,
        r#"["tuple",[]]"#,
        r#"["tuple",["number",["object",{}]]]"#,
        r#"["object",{"\u003ca":"string","b":["list","dynamic"]}]"#,
    ] {
        assert_eq!(encode_type(&decode_type(text).unwrap()), text);
    }
    for text in [
        "1",
        "\"any\"",
        "[]",
        "[\"list\"]",
        "[\"list\",\"string\",\"string\"]",
        "[\"list\",[]]",
        "{}",
        "[\"tuple\",{}]",
        "[\"object\",{\"a\":1}]",
        "[\"object\",{},[\"a\"]]",
        "[\"object\",{\"a\":\"bool\"},[1]]",
    ] {
        assert!(decode_type(text).is_err(), "{text}");
    }
}
