//! Tests of encodings.

use terrane_value::{Marks, Type, Value};

use crate::testing::{call, shown, shown_of};

#[test]
fn json_of_unknown_values() {
    let unknown = |ty| Value::unknown(ty).not_null();
    assert_eq!(shown("jsonencode", [unknown(Type::String)]), "unknown \"");
    assert_eq!(shown("jsonencode", [unknown(Type::list(Type::String))]), "unknown [");
    assert_eq!(shown("jsonencode", [Value::tuple([Value::unknown(Type::Bool)])]), "unknown [");
    assert_eq!(shown("jsonencode", [Value::unknown(Type::String)]), "unknown -");
    let text = |prefix: &str| Value::unknown(Type::String).not_null().with_full_prefix(prefix);
    let ty = |prefix: &str| call("jsondecode", [text(prefix)]).map(|value| value.ty().to_string());
    assert_eq!(ty(" \"").unwrap(), "string");
    assert_eq!(ty("{").unwrap(), "any");
    assert_eq!(ty("12").unwrap(), "number");
    assert_eq!(ty("x").unwrap_err().argument, Some(0));
}

#[test]
fn json_both_ways() {
    assert_eq!(shown_of("jsonencode", ["<a>"]), r#""\"\\u003ca\\u003e\"""#);
    assert_eq!(shown("jsonencode", [Value::NULL]), r#""null""#);
    assert_eq!(shown_of("jsondecode", [r#"{"b":[1,null],"a":"x"}"#]), r#"{"a":"x","b":[1,null]}"#);
    assert_eq!(shown_of("jsondecode", ["x"]), "error");
    assert_eq!(shown_of("jsondecode", [""]), "error");
}

#[test]
fn base64() {
    assert_eq!(shown_of("base64encode", ["\u{e9}"]), r#""w6k=""#);
    assert_eq!(shown_of("base64decode", ["4p\nyT"]), "\"\u{2713}\"");
    assert_eq!(shown_of("base64decode", ["YR=="]), r#""a""#);
    for wrong in ["gA==", "!!!", "YQ", "YQ=", "YQ==YQ=="] {
        assert_eq!(shown_of("base64decode", [wrong]), "error", "{wrong}");
    }
    let secret = Value::from("YQ==").with_marks(&Marks::sensitive());
    assert!(call("base64decode", [secret]).unwrap().is_marked());
}

#[test]
fn gzip() {
    let compressed = "H4sIAAAAAAAA/ypJLS4BAAAA//8BAAD//wx+f9gEAAAA";
    assert_eq!(shown_of("base64gzip", ["test"]), format!("\"{compressed}\""));
    assert_eq!(shown_of("base64gzip", [""]), r#""H4sIAAAAAAAA/wAAAP//AQAA//8AAAAAAAAAAA==""#);
    assert_eq!(shown_of("base64gunzip", [compressed]), r#""test""#);
    assert_eq!(shown_of("base64gunzip", ["YQ=="]), "error");
    let large = call("base64gzip", ["a".repeat(2 << 20).into()]).unwrap();
    assert_eq!(shown("base64gunzip", [large]), "error");
}

#[test]
fn urls() {
    assert_eq!(shown_of("urlencode", ["a+b c/\u{e9}~*-_."]), r#""a%2Bb+c%2F%C3%A9~%2A-_.""#);
    assert_eq!(shown_of("urldecode", ["Hello+World%21%E2%98%83"]), "\"Hello World!\u{2603}\"");
    assert_eq!(shown_of("urldecode", ["%zz"]), "error");
    assert_eq!(shown_of("urldecode", ["%4"]), "error");
}

#[test]
fn csv() {
    let cases = [
        ("a,b\n1,2\n\n3,4", r#"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
        ("a\r\n\"x\r\ny\"\r\n", r#"[{"a":"x\ny"}]"#),
        ("a,b\n\"1\"\"2\",\"\"", r#"[{"a":"1\"2","b":""}]"#),
        ("a,b\n,", r#"[{"a":"","b":""}]"#),
        ("a,b", "[]"),
        ("", "error"),
        ("\n\n", "error"),
        ("a,a\n1,2", "error"),
        ("a,b\n1", "error"),
        ("a,b\n1,2,3", "error"),
        ("a\nx\"y", "error"),
        ("a\n\"x\"y", "error"),
        ("a\n\"x", "error"),
        ("a\n\"x\n", "error"),
    ];
    for (text, want) in cases {
        assert_eq!(shown_of("csvdecode", [text]), want, "{text:?}");
    }
    assert_eq!(
        call("csvdecode", ["b,a".into()]).unwrap().ty().to_string(),
        "list(object({a=string,b=string}))"
    );
}

#[test]
fn character_sets() {
    let cases = [
        ("test", "UTF-16LE", "dABlAHMAdAA="),
        ("test", "utf-16be", "AHQAZQBzAHQ="),
        ("a", "UTF-16", "/v8AYQ=="),
        ("a", " utf-8\n", "YQ=="),
        ("\u{e9}\u{80}", "ISO-8859-1", "6YA="),
        ("\u{20ac}", "windows-1252", "gA=="),
        ("\u{20ac}", "UTF-8", "4oKs"),
    ];
    for (text, name, want) in cases {
        assert_eq!(shown_of("textencodebase64", [text, name]), format!("\"{want}\""), "{name}");
        let back = call("textdecodebase64", [want, name].map(Value::from)).unwrap();
        assert_eq!(back.as_str(), Some(text), "{name}");
    }
    assert_eq!(shown_of("textencodebase64", ["\u{2603}", "ISO-8859-1"]), "error 0");
    assert_eq!(shown_of("textencodebase64", ["\u{2603}", "windows-1252"]), "error 0");
    assert_eq!(shown_of("textencodebase64", ["a", "nonsense"]), "error 1");
    assert_eq!(shown_of("textdecodebase64", ["YWI=", "UTF-16"]), "\"\u{6162}\"");
    assert_eq!(shown_of("textdecodebase64", ["gQ==", "windows-1252"]), "error 0");
    assert_eq!(shown_of("textencodebase64", ["\u{81}", "windows-1252"]), "error 0");
    assert_eq!(shown_of("textencodebase64", ["\u{e9}", "US-ASCII"]), "error 0");
    assert_eq!(shown_of("textdecodebase64", ["gA==", "US-ASCII"]), "error 0");
    assert_eq!(shown_of("textdecodebase64", ["gA==", "UTF-8"]), "error 0");
    assert_eq!(shown_of("textdecodebase64", ["YQ==", "UTF-16LE"]), "error 0");
    assert_eq!(shown_of("textdecodebase64", ["!", "UTF-8"]), "error 0");
}
