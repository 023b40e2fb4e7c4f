//! Values and diagnostics of each form of expression.

use super::{World, check, check_errors, functions};
use crate::FunctionTable;
use terrane_function::{Dialect, Edition, Product};
use terrane_value::OriginKind;

#[test]
fn operators() {
    check("1 + 2 * 3 == 7 && !false", "true");
    check("-var.object.n", "-2");
    check("\"1\" + 1", "2");
    check("1 == \"1\"", "false");
    check("var.secret == \"x\"", "‹false›");
    check_errors("1 + []", &["4-6 Invalid operand"], "unknown(number)");
    check_errors("[] + nope", &["0-2 Invalid operand", "5-9 Unknown variable"], "unknown(number)");
    check_errors("[] < {}", &["0-2 Invalid operand", "5-7 Invalid operand"], "unknown(bool)");
    check_errors("1 + null", &["0-8 Operation failed"], "unknown(number)");
    check_errors("!{}", &["1-3 Invalid operand"], "unknown(bool)");
}

#[test]
fn either_operand_decides_a_logical_operator() {
    check("false && nope", "false");
    check("nope && false", "false");
    check("true || null", "true");
    check("var.unknown_bool && false", "false");
    check("var.secret_bool || false", "‹true›");
    check("null && true", "false");
    check_errors("null || false", &["0-13 Operation failed"], "unknown(bool)");
    check_errors("true || 5", &["8-9 Invalid operand"], "unknown(bool)");
    check_errors("nope && true", &["0-4 Unknown variable"], "unknown(bool)");
    let terraform = Dialect::Product(Product::Terraform, Edition::new(1, 11));
    let old = World { functions: FunctionTable::of(terraform, functions()), ..World::new() };
    let (_, diagnostics) = old.evaluate("false && nope");
    assert_eq!(super::found(&diagnostics), ["9-13 Unknown variable"]);
}

#[test]
fn conditionals() {
    check("true ? 1 : \"x\"", "\"1\"");
    check("true ? 1 : nope", "1");
    check("false ? null : var.list", "list[\"c\", \"a\"]");
    check("true ? [1] : [1, 2]", "list[1]");
    check("var.secret_bool ? 1 : 2", "‹1›");
    check("var.unknown_bool ? 1 : 2", "unknown(number)");
    check("var.unknown_bool ? null : null", "null");
    check_errors("true ? 1 : []", &["7-13 Inconsistent conditional result types"], "unknown(any)");
    check_errors("null ? 1 : 2", &["0-4 Null condition"], "unknown(number)");
    check_errors("1 ? 1 : 2", &["0-1 Incorrect condition type"], "unknown(number)");
}

#[test]
fn an_undecided_conditional_keeps_common_refinements() {
    let (value, _) = World::new().evaluate("var.unknown_bool ? 1 : 2");
    let range = value.range();
    assert!(range.not_null);
    assert_eq!(range.min.map(|min| (min.number.to_string(), min.is_inclusive)), Some(("1".to_owned(), true)));
    assert_eq!(range.max.map(|max| (max.number.to_string(), max.is_inclusive)), Some(("2".to_owned(), true)));
    let origin = value.origins().as_slice().first().cloned().unwrap();
    assert_eq!((origin.kind, &*origin.subject), (OriginKind::Variable, "var.unknown_bool"));
}

#[test]
fn templates() {
    check("\"a${1}b${true}\"", "\"a1btrue\"");
    check("\"${[1]}\"", "[1]");
    check("\"${var.secret}!\"", "‹\"hunter2!\"›");
    check("\"%{ if var.unknown_bool }a%{ endif }-\"", "unknown(string)");
    check("\"%{ if false }a%{ else }b%{ endif }\"", "\"b\"");
    check("\"%{ for i, x in var.list }${i}${x};%{ endfor }\"", "\"0c;1a;\"");
    check("\"%{ for x in var.unknown_list }${x}%{ endfor }\"", "unknown(string)");
    check_errors("\"a${null}\"", &["4-8 Invalid template interpolation value"], "unknown(string)");
    check_errors("\"a${[]}\"", &["4-6 Invalid template interpolation value"], "unknown(string)");
    let (value, _) = World::new().evaluate("\"ami-${var.unknown_text}\"");
    assert_eq!(value.range().prefix.as_deref(), Some("ami-"));
}

#[test]
fn objects_and_tuples() {
    check("{ a = 1, \"b\" = 2, (var.text) = 3 }", "{a = 1, abc = 3, b = 2}");
    check("{ var = 1, null = 2 }", "{null = 2, var = 1}");
    check("{ a = 1, a = 2 }", "{a = 2}");
    check("{ (var.secret) = 1 }", "‹{hunter2 = 1}›");
    check("{ (var.unknown_text) = 1 }", "unknown(any)");
    check_errors("{ (null) = nope }", &["11-15 Unknown variable", "11-15 Null value as key"], "unknown(any)");
    check_errors("{ a.b = 1 }", &["2-5 Ambiguous attribute key"], "unknown(any)");
    check_errors("{ ([]) = 1 }", &["2-6 Incorrect key type"], "unknown(any)");
    check_errors("[nope, 1]", &["1-5 Unknown variable"], "[unknown(any), 1]");
}

#[test]
fn for_expressions() {
    check("[for i, x in var.list : \"${i}${x}\" if x != \"a\"]", "[\"0c\"]");
    check("{ for k, v in var.map : v => k }", "{v = \"k\"}");
    check("{ for x in [\"a\", \"b\", \"a\"] : x => 1... }", "{a = [1, 1], b = [1]}");
    check("[for k, v in var.set : k == v]", "[true, true]");
    check("[for x in [1] : [for x in [2] : x]]", "[[2]]");
    check("[for x in var.unknown_list : x]", "unknown(any)");
    check("[for x in [1, 2] : x if x < 2 || var.unknown_bool]", "unknown(any)");
    check("{ for x in [var.secret] : x => 1 }", "‹{hunter2 = 1}›");
    check("[for x in [1] : x if var.secret_bool]", "‹[1]›");
    check_errors("[for x in null : x]", &["10-14 Iteration over null value"], "unknown(any)");
    check_errors("[for x in 1 : x]", &["10-11 Iteration over non-iterable value"], "unknown(any)");
    check_errors("[for x in [1] : x if null]", &["21-25 Condition is null"], "unknown(any)");
    check_errors("[for x in [1] : x if []]", &["21-23 Invalid 'for' condition"], "unknown(any)");
    check_errors("{ for x in [1, 1] : x => x }", &["20-21 Duplicate object key"], "unknown(any)");
    check_errors("{ for x in [1] : null => x }", &["17-21 Invalid object key"], "unknown(any)");
}

#[test]
fn a_mistake_is_reported_once_for_all_elements() {
    check_errors(
        "[for x in [1, 2, 3] : x.a]",
        &["23-25 Unsupported attribute"],
        "[unknown(any), unknown(any), unknown(any)]",
    );
    check_errors("[1, 2][*].a", &["9-11 Unsupported attribute"], "unknown(tuple([any,any]))");
}

#[test]
fn splats() {
    check("[{ a = 1 }, { a = 2 }][*].a", "[1, 2]");
    check("var.list[*]", "list[\"c\", \"a\"]");
    check("var.set[*]", "list[\"a\", \"b\"]");
    check("var.object[*].id", "[\"i-1\"]");
    check("var.object.*.id[0]", "\"i-1\"");
    check("null[*]", "[]");
    check("var.unknown[*]", "unknown(any)");
    check("var.unknown_text[*]", "unknown(any)");
    check("[[{ a = 1 }], []][*][*].a", "[[1], []]");
    check("var.empty[*]", "list[]");
    check("[var.list][*][0]", "[\"c\"]");
    check_errors("var.null_list[*]", &["0-13 Splat of null value"], "unknown(any)");
}

#[test]
fn traversals() {
    check("var.list[0]", "\"c\"");
    check("var.list[\"1\"]", "\"a\"");
    check("var.list.0", "\"c\"");
    check("var.map[var.text == \"abc\" ? \"k\" : \"x\"]", "\"v\"");
    check("{ a = { b = 1 } }[\"a\"].b", "1");
    check("var.secret_bool ? var.object.id : \"\"", "‹\"i-1\"›");
    check_errors("var.lits", &["3-8 Unsupported attribute"], "unknown(any)");
    check_errors("var.map.x", &["7-9 Missing map element"], "unknown(any)");
    check_errors("var.map[\"x\"]", &["7-12 Invalid index"], "unknown(any)");
    check_errors("var.null.a", &["8-10 Attempt to get attribute from null value"], "unknown(any)");
    check_errors("var.null[0]", &["8-11 Attempt to index null value"], "unknown(any)");
    check_errors("nope.a[also]", &["0-4 Unknown variable", "7-11 Unknown variable"], "unknown(any)");
    check_errors("vra.a", &["0-3 Unknown variable"], "unknown(any)");
}

#[test]
fn names_that_were_probably_meant_are_suggested() {
    let (_, diagnostics) = World::new().evaluate("vra.text");
    assert_eq!(diagnostics.as_slice()[0].hints, ["Did you mean \"var\"?"]);
    let (_, diagnostics) = World::new().evaluate("uper(var.text)");
    assert_eq!(diagnostics.as_slice()[0].hints, ["Did you mean \"upper\"?"]);
}

#[test]
fn calls() {
    check("upper(\"a\")", "\"A\"");
    check("core::upper(\"a\")", "\"A\"");
    check("join(\"-\", var.list...)", "\"c-a\"");
    check("upper(var.secret)", "‹\"HUNTER2\"›");
    check("upper(var.unknown_text)", "unknown(string)");
    check("join(\"-\", var.unknown_list...)", "unknown(any)");
    check_errors("nope(1)", &["0-4 Call to unknown function"], "unknown(any)");
    check_errors("upper()", &["6-7 Not enough function arguments"], "unknown(any)");
    check_errors("upper(1, 2)", &["9-10 Too many function arguments"], "unknown(any)");
    check_errors("upper([])", &["6-7 Invalid function argument"], "unknown(any)");
    check_errors("upper(null)", &["6-10 Invalid function argument"], "unknown(any)");
    check_errors("fail(\"a\")", &["6-7 Invalid function argument"], "unknown(any)");
    check_errors("fail_whole()", &["0-11 Error in function call"], "unknown(any)");
    check_errors("join(\"-\", null...)", &["10-14 Invalid expanding argument value"], "unknown(any)");
    check_errors("join(\"-\", 1...)", &["10-11 Invalid expanding argument value"], "unknown(any)");
}

#[test]
fn mistakes_in_arguments_are_at_the_beginning_of_the_argument() {
    for (argument, start, end) in [
        ("null", 5, 9),
        ("(null)", 6, 10),
        ("[] + 1", 5, 6),
        ("var.list", 5, 13),
        ("var.list[*]", 13, 16),
        ("var.map[join(\"\", \"k\")]", 12, 13),
        ("join(\"\")", 5, 10),
        ("-1", 5, 6),
        ("\"a${1}\"", 6, 7),
    ] {
        let (_, diagnostics) = World::new().evaluate(&format!("fail({argument})"));
        let first = diagnostics.as_slice().iter().find(|found| found.title() == "Invalid function argument");
        let span = first.and_then(|found| found.subject.as_ref()).map(|subject| subject.span);
        let expected = if argument == "[] + 1" { None } else { Some(terrane_source::Span::new(start, end)) };
        assert_eq!(span, expected, "{argument}");
    }
}

#[test]
fn the_words_of_a_function_are_hidden_where_an_argument_is_sensitive() {
    let (_, diagnostics) = World::new().evaluate("fail(var.secret)");
    let detail = &diagnostics.as_slice()[0].detail;
    assert!(!detail.contains("hunter2"), "{detail}");
}

#[test]
fn open_objects() {
    check("open.port", "\"443\"");
    check("open.id", "unknown(any)");
    check("open.port == 443", "unknown(bool)");
    check("open.port == \"443\"", "true");
    check("open[\"port\"] != 443", "unknown(bool)");
}

#[test]
fn diagnostics_describe_the_variables() {
    let values = |text: &str| {
        let (_, diagnostics) = World::new().evaluate(text);
        diagnostics.as_slice()[0].values.clone()
    };
    assert_eq!(values("var.object.n + var.list"), ["var.list is a list of string with 2 elements"]);
    assert_eq!(values("var.list[var.object.n]"), ["var.object.n is 2"]);
    assert_eq!(values("var.text + 1"), ["var.text is \"abc\""]);
    assert_eq!(values("[for x in [var.map] : x + 1]"), ["x is a map of string with 1 element"]);
    assert_eq!(values("fail(var.text)"), ["var.text is \"abc\""]);
    assert_eq!(
        values("null + var.unknown_list[0]"),
        ["var.unknown_list[0] is a string that is not known yet"]
    );
    assert_eq!(values("var.secret + 1"), ["var.secret has a sensitive value"]);
}

#[test]
fn no_diagnostic_shows_a_sensitive_value() {
    for text in [
        "var.secret + 1",
        "fail(var.secret)",
        "{ for x in [var.secret, var.secret] : x => 1 }",
        "var.map[var.secret]",
        "try(fail(var.secret))",
        "[var.secret][\"x\"]",
        "convert(var.secret, number)",
        "templatefile(var.secret, {})",
        "templatestring(\"$${fail(x)}\", { x = var.secret })",
        "true ? tonumber(var.secret) : 1",
        "{ (var.secret) = 1 }.a",
    ] {
        let (_, diagnostics) = World::new().evaluate(text);
        assert!(diagnostics.has_errors(), "{text}");
        assert!(!format!("{diagnostics:?}").contains("hunter2"), "{text}: {diagnostics:?}");
    }
}

#[test]
fn a_reason_is_hidden_only_if_it_may_show_sensitive_values() {
    let reason = |text: &str| {
        let detail = World::new().evaluate(text).1.as_slice()[0].detail.clone();
        detail.rsplit(": ").next().unwrap_or_default().to_owned()
    };
    let hidden = "the reason is not shown, because an argument is sensitive.";
    assert_eq!(reason("fail(var.secret)"), hidden);
    assert_eq!(reason("fail_second(\"a\", var.secret)"), hidden);
    assert_eq!(reason("fail_second(var.secret, \"a\")"), hidden);
    assert_eq!(reason("fail_second(var.secret, [])"), "a string is required, not a tuple.");
    assert_eq!(reason("upper([var.secret])"), "a string is required, not a tuple.");
}
