//! Tests of YAML.

use terrane_value::{Number, ObjectBuilder, Type, Value, json};

use crate::testing::{call, shown, shown_of};

#[test]
fn scalars() {
    let cases = [
        ("yes", "true"),
        ("Off", "false"),
        ("~", "null"),
        ("---", "null"),
        ("017", "17"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("-0x1F", r#""-0x1F""#),
        ("1_000", r#""1_000""#),
        ("!!int 1_000", "1000"),
        ("+12e03", "12000"),
        (".5", "0.5"),
        ("1.", "1"),
        ("1.5.2", r#""1.5.2""#),
        ("inf", r#""inf""#),
        (".nan", "error"),
        ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
        ("0xFFFFFFFFFFFFFFFFF", "error"),
        ("0b11", r#""0b11""#),
        ("!!int 0b11", "3"),
        ("!!bool 1", "1"),
        ("!!int '5'", r#""5""#),
        ("!!null x", "null"),
        ("!!str 5", r#""5""#),
        ("!!binary aGk=", r#""aGk=""#),
        ("!!binary x", "error"),
        ("!foo x", "error"),
        ("! 12", "error"),
        ("2001-12-14", r#""2001-12-14T00:00:00Z""#),
        ("2001-13-14", r#""2001-13-14""#),
        ("2001-12-14t21:59:43.10-05:00", r#""2001-12-14T21:59:43-05:00""#),
        ("12:30:45", r#""12:30:45""#),
        ("a: |-\n  017\nb: '017'\nc: >\n  yes\n", r#"{"a":"17","b":"017","c":"yes\n"}"#),
    ];
    for (text, want) in cases {
        assert_eq!(shown_of("yamldecode", [text]), want, "{text}");
    }
}

#[test]
fn collections() {
    let cases = [
        ("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2", r#"{"a":{"b":1},"c":{"b":1,"d":2}}"#),
        ("a: &x {b: 1}\nc:\n  b: 3\n  <<: [*x, {e: 5}]", r#"{"a":{"b":1},"c":{"b":1,"e":5}}"#),
        ("'<<': {a: 1}", r#"{"a":1}"#),
        ("<<: 1", "error"),
        ("{a: 1, a: 2}", r#"{"a":2}"#),
        ("yes: 1\n1.0: 2", r#"{"1":2,"true":1}"#),
        ("{a, b: }", r#"{"a":null,"b":null}"#),
        ("- - a\n  - b\n- c", r#"[["a","b"],"c"]"#),
        ("[a: b, c]", r#"[{"a":"b"},"c"]"#),
        ("!!omap [a: 1]", "error"),
        ("~: 1", "error"),
        ("? [a]\n: b", "error"),
        ("a: &x [*x]", "error"),
        ("a: *x", "error"),
        ("&a key: 1\nb: *a", "error"),
        ("[1, 2", "error"),
        ("a: b: c", "error"),
        ("", "error"),
        ("# only", "error"),
        ("--- a\n--- b\n", "error"),
        ("%YAML 1.2\n--- a", "error"),
        ("%YAML 1.1\n--- a", r#""a""#),
        ("\u{feff}a: 1\r\n", r#"{"a":1}"#),
        ("\u{feff}a: 1\nb: 2", r#"{"a":1,"b":2}"#),
        ("\u{feff}- 1\n- 2", "[1,2]"),
        ("\u{feff}---\na: 1", r#"{"a":1}"#),
        ("\u{feff}%YAML 1.1\n--- a", r#""a""#),
        ("\u{feff}", "error"),
        ("\u{feff}\u{feff}a: 1", r#"{"a":1}"#),
        ("a: 1\n\u{feff}b: 2", "{\"a\":1,\"\u{feff}b\":2}"),
        ("---\n\u{feff}a", "\"\u{feff}a\""),
        ("a:\n\u{feff}- 1", "error"),
        ("a\u{7}b", "error"),
    ];
    for (text, want) in cases {
        assert_eq!(shown_of("yamldecode", [text]), want, "{text}");
    }
}

#[test]
fn the_syntax_is_the_references() {
    let cases = [
        ("a: [1,\n2\n]\nb: {c: d,\n}", r#"{"a":[1,2],"b":{"c":"d"}}"#),
        ("a: \"b\nc\"", r#"{"a":"b c"}"#),
        ("a: \"b \\\n   c\\'\\x41\"", r#"{"a":"b c'A"}"#),
        ("a: \"b\\/c\"", "error"),
        ("a: 'b\n\n  c''d'# e", r#"{"a":"b\nc'd"}"#),
        ("a:\tb", r#"{"a":"b"}"#),
        ("\ta: b", "error"),
        ("a: |\n  \tb", "error"),
        ("a: |2\n   x\n  y", r#"{"a":" x\ny"}"#),
        ("a: |+\n  x\n\n", r#"{"a":"x\n\n"}"#),
        ("a: |\n", r#"{"a":null}"#),
        ("a: >-\n  x\n  y\n\n  z\n   w\n", r#"{"a":"x y\nz\n w"}"#),
        ("a: b\n  c\nd: e # f", r#"{"a":"b c","d":"e"}"#),
        ("a:\n- b\n- c: d\n  e: f\n-\n", r#"{"a":["b",{"c":"d","e":"f"},null]}"#),
        ("? a\n? b\n: c", r#"{"a":null,"b":"c"}"#),
        ("[\"a\":b, ? c]", r#"[{"a":"b"},{"c":null}]"#),
        ("{a:1, b: c:d}", r#"{"a:1":null,"b":"c:d"}"#),
        ("%TAG !y! tag:yaml.org,2002:\n--- !y!str 5", r#""5""#),
        ("!<tag:yaml.org,2002:s%74r> 5", r#""5""#),
        ("!e!x 5", "error"),
        ("%FOO\n--- a", "error"),
        ("a\n...\n", r#""a""#),
        ("a\n...\nb", "error"),
        ("'a':b", "error"),
        ("a: 'b", "error"),
        ("a: |\n  x\n y", "error"),
        ("a: - b", "error"),
        ("- a\nb", "error"),
        ("[a, , b]", "error"),
        ("a: @b", "error"),
    ];
    for (text, want) in cases {
        assert_eq!(shown_of("yamldecode", [text]), want, "{text}");
    }
}

#[test]
fn hostile_documents() {
    assert_eq!(shown("yamldecode", ["[".repeat(100_000).into()]), "error");
    assert_eq!(shown("yamldecode", ["- ".repeat(100_000).into()]), "error");
    assert_eq!(shown("yamldecode", ["&a ".repeat(100_000).into()]), "error");
    let mut laughs = "a0: &a0 [x,x]\n".to_owned();
    for level in 1..40 {
        laughs.push_str(&format!("a{level}: &a{level} [*a{0},*a{0}]\n", level - 1));
    }
    assert_eq!(shown("yamldecode", [laughs.into()]), "error");
}

fn encoded(value: Value) -> String {
    call("yamlencode", [value]).unwrap().as_str().unwrap().to_owned()
}

fn decoded(json: &str) -> Value {
    json::decode(json).unwrap()
}

#[test]
fn layout() {
    let cases = [
        (
            r#"{"a":1,"b":"x","c":[1,"y"],"d":null,"e":true}"#,
            "\"a\": 1\n\"b\": \"x\"\n\"c\":\n- 1\n- \"y\"\n\"d\": null\n\"e\": true\n",
        ),
        (
            r#"{"a":{"b":["x y",{"c":1,"d":[]},[[1],[2,{"e":"f"}]]],"g":{}}}"#,
            "\"a\":\n  \"b\":\n  - \"x y\"\n  - \"c\": 1\n    \"d\": []\n  - - - 1\n    - - 2\n      - \"e\": \"f\"\n  \"g\": {}\n",
        ),
        (r#"[[],{},[{}],[[]]]"#, "- []\n- {}\n- - {}\n- - []\n"),
        (r#""yes""#, "\"yes\"\n"),
        ("1.5", "1.5\n...\n"),
        ("null", "null\n...\n"),
        (
            r#"["m\n","m\n\n","\n"," a\nb","a \nb","a\n b","a\nb ","\na","a\tb\nc"]"#,
            "- |\n  m\n- |+\n  m\n\n- |2+\n\n- |2-\n   a\n  b\n- \"a \\nb\"\n- |-\n  a\n   b\n- \"a\\nb \"\n- |2-\n\n  a\n- \"a\\tb\\nc\"\n",
        ),
        (r#"{"a":"x\ny\n","b":{"c":"x\n\n"}}"#, "\"a\": |\n  x\n  y\n\"b\":\n  \"c\": |+\n    x\n\n"),
        (r#""a\n\n""#, "|+\n  a\n\n"),
        (r#"{"k\nl":[1]}"#, "? |-\n  k\n  l\n: - 1\n"),
        (
            "\"\u{e9}\u{a0}\u{85}\u{2028}\u{feff}\u{1f600}\u{7f}\\u0000\"",
            "\"\u{e9}\u{a0}\\N\\L\\uFEFF\\U0001F600\\x7F\\0\"\n",
        ),
    ];
    for (value, want) in cases {
        assert_eq!(encoded(decoded(value)), want, "{value}");
    }
    let long = format!("{} {}  {} x", "a".repeat(79), "b".repeat(5), "c".repeat(90));
    let want = format!("\"{} {}\n  \\ {}\n  x\"\n", "a".repeat(79), "b".repeat(5), "c".repeat(90));
    assert_eq!(encoded(long.into()), want);
    let key = "k".repeat(129);
    assert_eq!(
        encoded(ObjectBuilder::new().with(&*key, Value::TRUE).build()),
        format!("? \"{key}\"\n: true\n")
    );
    assert_eq!(encoded(Value::number(Number::infinity(false))), "+Inf\n...\n");
}

#[test]
fn unknown_values() {
    let unknown = call("yamlencode", [Value::tuple([Value::unknown(Type::String)])]).unwrap();
    assert!(!unknown.is_never_null());
}

/// Each mapping merges the one before, so a short text may have a very large value.
#[test]
fn merged_attributes_count() {
    let chain = |count: usize| -> String {
        let line = |i: usize| format!("a{}: &a{}\n  <<: *a{i}\n  y{i}: 1\n", i + 1, i + 1);
        "a0: &a0 {x: 1}\n".to_owned() + &(0..count).map(line).collect::<String>()
    };
    assert!(super::decode_yaml(&chain(10), 200).is_ok());
    let error = super::decode_yaml(&chain(40), 800).unwrap_err();
    assert_eq!(error, "the document has more than 800 values");
    assert!(super::decode_yaml("a: &a {x: 1, y: 2}\nl: [<<: *a, <<: *a, <<: *a]\n", 16).is_err());
}
