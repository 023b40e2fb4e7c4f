//! Tests of formatted text.

use terrane_value::{Number, Type, Value};

use crate::testing::{call, result, shown};

fn number(text: &str) -> Value {
    Value::number(Number::parse(text).unwrap())
}

fn check(template: &str, arguments: &[Value], want: &str) {
    let all = std::iter::once(Value::from(template)).chain(arguments.iter().cloned());
    let got = match call("format", all) {
        Ok(value) => value.as_str().map_or_else(|| "unknown".to_owned(), str::to_owned),
        Err(error) => error.argument.map_or_else(|| "error".to_owned(), |index| format!("error {index}")),
    };
    assert_eq!(got, want, "{template}");
}

#[test]
fn integers() {
    let cases = [
        ("%5d|%-5d|%05d", "3", "    3|3    |00003"),
        ("%+d|% d|%+05d|% 05d", "3", "+3| 3|+0003| 0003"),
        ("%-05d|", "3", "3    |"),
        ("%.3d|%8.3d|%08.3d", "5", "005|     005|     005"),
        ("[%.0d]", "0", "[]"),
        ("%x %X %o %b", "255", "ff FF 377 11111111"),
        ("%#x %#X %#o %#b", "255", "0xff 0XFF 0377 0b11111111"),
        ("%x %#o", "-8", "-8 -010"),
        ("%d", "-0", "0"),
        ("%d", "1e3", "1000"),
        ("%d", "1.5", "error"),
    ];
    for (template, argument, want) in cases {
        let count = template.matches('%').count();
        check(template, &vec![number(argument); count], want);
    }
}

#[test]
fn floats() {
    let cases = [
        ("%f %e %g", "1234.5", "1234.500000 1.234500e+03 1234.5"),
        ("%E %G", "1e10", "1.000000E+10 1E+10"),
        ("%.2f|%5.1f|%08.3f", "3.14159", "3.14|  3.1|0003.142"),
        ("%05.1f|%-08.1f|%-8.1f|", "-3.14159", "-03.1|-00003.1|-3.1    |"),
        ("%+f|% .2e|%+G", "1.5", "+1.500000| 1.50e+00|+1.5"),
        ("%.0f", "2.5", "2"),
        ("%#g|%#f", "1.5", "1.5|1.500000"),
        ("%.3g|%.10g|%.0g", "123456", "1.23e+05|123456|1e+05"),
        ("%v|%10v|%010v|%.3v", "-1.25", "-1.25|     -1.25|00000-1.25|-1.25"),
        ("%v", "1e20", "1e+20"),
        ("%f %g %v %s %e", "-0", "-0.000000 -0 -0 -0 -0.000000e+00"),
        ("%5f|%-5f|%05f|% f", "inf", " +Inf|+Inf | +Inf| Inf"),
        ("%v %s", "inf", "+Inf +Inf"),
        ("%#v", "inf", "error"),
        ("%d", "inf", "error"),
    ];
    for (template, argument, want) in cases {
        let count = template.matches('%').count();
        check(template, &vec![number(argument); count], want);
    }
}

#[test]
fn strings_and_other_values() {
    let text = |text: &str| vec![Value::from(text)];
    check("%5s|", &text("a"), "    a|");
    check("%-05s|", &text("a"), "a0000|");
    check("%+s% s%#s%05s", &vec!["a".into(); 4], "aaa0000a");
    check("%.2s|%.0s|%.s|", &vec!["e\u{301}bc".into(); 3], "\u{e9}b|\u{e9}bc|\u{e9}bc|");
    check("%5q|%.1q", &vec!["ab".into(); 2], " \"ab\"|\"a\"");
    check("%q", &text("\u{e9}<\n"), "\"\u{e9}\\u003c\\n\"");
    check("%t|%5t", &[Value::TRUE, "false".into()], "true|false");
    check("%t", &[number("1")], "error");
    check("%d %x", &[Value::from("12"), "255".into()], "12 ff");
    check("%s", &[Value::TRUE], "true");
    check("%s", &[Value::tuple([])], "error");
    check("%v|%#v|%4v|", &vec![Value::tuple(["a".into()]); 3], "[\"a\"]|[\"a\"]|[\"a\"]|");
    check("%#v|%v", &vec!["a".into(); 2], "\"a\"|a");
    check("%v|%#v|%6v", &vec![Value::null(Type::String); 3], "null|null|  null");
    check("%s", &[Value::NULL], "error");
}

#[test]
fn arguments_and_errors() {
    let two = ["a", "b"].map(Value::from);
    check("%[2]s %[1]s", &two, "b a");
    check("%[1]s %s", &two, "a b");
    check("%[1]s %[1]s", &two[..1], "a a");
    check("%5[1]s|%.1[2]s", &two, "    a|b");
    check("%[2]s %s", &two, "error");
    check("%s", &two, "error 2");
    check("%[1]s", &two, "error 2");
    check("x", &two, "error 1");
    check("%%%s%s%%", &two, "%ab%");
    for template in
        ["%", "a%", "%5%", "%\u{e9}", "%z", "%c", "%*d", "%[0]s", "%[2]*d", "%[1]5s", "%[1] s", "%[1"]
    {
        check(template, &two, "error");
    }
    check("%[18446744073709551617]s", &two, "error");
    check("%99999999999s", &two, "error");
    check("%.99999999999f", &[number("1")], "error");
}

#[test]
fn unknown_arguments() {
    let unknown = || Value::unknown(Type::Dynamic);
    assert_eq!(shown("format", ["abc-%s".into(), unknown()]), "unknown abc-");
    assert_eq!(shown("format", ["%s".into(), unknown()]), "unknown -");
    assert_eq!(shown("format", ["ab-%v".into(), Value::tuple([unknown()])]), "unknown ab-");
    let partly = Value::tuple(["a".into(), Value::unknown(Type::String)]);
    let list = call("formatlist", ["x%s".into(), partly]).unwrap();
    let elements = list.as_sequence().unwrap();
    assert_eq!((elements[0].as_str(), elements[1].is_known()), (Some("xa"), false));
    assert!(!call("formatlist", ["%s".into(), Value::unknown(Type::list(Type::String))]).unwrap().is_known());
    // Arguments after an unknown element do not advance to their next element.
    let partly = Value::tuple([Value::unknown(Type::String), "a".into()]);
    let numbers = Value::tuple(["1".into(), "2".into()]);
    let before = ["%s-%s".into(), numbers.clone(), partly.clone()];
    assert_eq!(result("formatlist", before), "list[?string, 2-a]");
    assert_eq!(result("formatlist", ["%s-%s".into(), partly, numbers]), "list[?string, a-1]");
}

#[test]
fn each_verb_counts_the_digits_of_a_long_number() {
    let text = |count| call("format", ["%.3[1]g ".repeat(count).into(), number("1e500000")]);
    assert_eq!(text(2).unwrap().as_str(), Some("1e+500000 1e+500000 "));
    assert!(text(20).unwrap_err().to_string().contains("more work than the limit"));
    assert_eq!(call("format", ["%.3[1]g".repeat(20_000).into(), number("1")]).unwrap().text_bytes(), 20_000);
}

#[test]
fn lists() {
    let list = |elements: &[&str]| Value::tuple(elements.iter().map(|element| Value::from(*element)));
    let check = |arguments: &[Value], want: &str| assert_eq!(shown("formatlist", arguments.to_vec()), want);
    check(&["%s-%s".into(), list(&["a", "b"]), "x".into()], r#"["a-x","b-x"]"#);
    check(&["%s-%s".into(), list(&["a", "b"]), list(&["x"])], "error 2");
    check(&["%s".into(), list(&[])], "[]");
    check(&["x".into()], r#"["x"]"#);
    check(&["%s".into()], "error");
    check(&["a".into(), list(&["b"])], "error");
    check(&["%s".into(), Value::null(Type::list(Type::String))], "error");
}
