//! Type constraints.

use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::TypeConstraint;

fn constraint(text: &str) -> (TypeConstraint, Vec<String>) {
    let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), text));
    let mut diagnostics = Diagnostics::new();
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    let constraint = crate::type_constraint(&expression, &mut diagnostics);
    (constraint, super::found(&diagnostics))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (constraint, errors) = constraint(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    assert_eq!(constraint.ty.to_string(), expected, "{text}");
}

#[track_caller]
fn check_error(text: &str, error: &str) {
    assert_eq!(constraint(text).1, [error], "{text}");
}

#[test]
fn types() {
    check("string", "string");
    check("any", "any");
    check("list(number)", "list(number)");
    check("map(set(bool))", "map(set(bool))");
    check("tuple([string, any])", "tuple([string,any])");
    check("object({ b = string, a = optional(number) })", "object({a=optional(number),b=string})");
}

#[test]
fn short_forms_of_old_versions() {
    check("list", "list(any)");
    check("map", "map(any)");
    check_error("set", "0-3 Invalid type specification");
    check_error("list(map)", "5-8 Invalid type specification");
    check_error("\"string\"", "0-8 Invalid quoted type constraints");
    check_error("\"list(string)\"", "0-14 Invalid legacy variable type hint");
}

#[test]
fn defaults_are_converted_to_the_type() {
    let (constraint, errors) = constraint(
        "list(object({ a = optional(string, 1), b = tuple([object({ c = optional(bool, true) })]) }))",
    );
    assert!(errors.is_empty());
    let element = &constraint.defaults.children[""];
    assert_eq!(element.values["a"].as_str(), Some("1"));
    assert_eq!(element.children["b"].children["0"].values["c"].as_bool(), Some(true));
}

#[test]
fn mistakes() {
    check_error("strin", "0-5 Invalid type specification");
    check_error("string()", "6-8 Invalid type specification");
    check_error("list()", "4-6 Invalid type specification");
    check_error("list(string, number, any)", "13-24 Invalid type specification");
    check_error("object({ \"a\" = string })", "9-12 Invalid type specification");
    check_error("object({ a = string, a = number })", "21-22 Invalid type specification");
    check_error("object([string])", "7-15 Invalid type specification");
    check_error("tuple(string)", "6-12 Invalid type specification");
    check_error("optional(string)", "0-8 Invalid type specification");
    check_error("object({ a = optional() })", "21-23 Invalid type specification");
    check_error("object({ a = optional(string, \"a\", \"b\") })", "21-39 Invalid type specification");
    check_error(
        "object({ a = optional(number, \"x\") })",
        "30-33 Invalid default value for optional attribute",
    );
    check_error("object({ a = optional(string, var.x) })", "30-33 Variables not allowed");
    check_error("object({ a = optional(string, upper(\"x\")) })", "30-40 Function calls not allowed");
    check_error("(string)", "0-8 Invalid type specification");
}
