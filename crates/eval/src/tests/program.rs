//! Programs have the same values, diagnostics and limits as single evaluations.

use terrane_function::{Function, Limits, ResultType};
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{Number, Type, Value};

use super::{World, found, shown};
use crate::{FunctionTable, Program};

fn parsed(text: &str) -> Expression {
    let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), text));
    assert!(parsed.diagnostics.is_empty(), "{text}");
    Expression { tree: parsed.tree, id: parsed.root }
}

/// Returns the value and the diagnostics of a program, after checking that they equal those of
/// an evaluation without one.
fn run(text: &str) -> (String, Vec<String>) {
    let world = World::new();
    let program = Program::new(parsed(text), &world.functions);
    let mut diagnostics = Diagnostics::new();
    let value = world.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
    let (plain, expected) = world.evaluate(text);
    assert_eq!(shown(&value), shown(&plain), "{text}");
    assert_eq!(found(&diagnostics), found(&expected), "{text}");
    (shown(&value), found(&diagnostics))
}

#[test]
fn plain_programs_are_computed_at_once() {
    let world = World::new();
    let at_once = |text: &str, limits: &Limits| {
        Program::new(parsed(text), &world.functions).at_once(&world.names, &world.functions, limits)
    };
    let limits = Limits::default();
    assert_eq!(at_once("1 + 2 * 3", &limits).and_then(|value| value.as_number()?.to_i64()), Some(7));
    assert_eq!(at_once("\"a-${var.text}\"", &limits).as_ref().and_then(Value::as_str), Some("a-abc"));
    let count = |text: &str| at_once(text, &limits).and_then(|value| Some(value.as_sequence()?.len()));
    assert_eq!(count("[for x in [1, 2] : x]"), Some(2));
    assert_eq!(count("[for k, x in var.map : [for y in [k, x] : y if y != k]]"), Some(1));
    assert_eq!(count("[{a = 1}, {a = 2}][*].a"), Some(2));
    // An expression that needs the rules has no value on the fast path, and neither has one with other functions
    // than it was compiled for.
    for text in [
        "[for x in [1, null] : x + 1]",
        "[for x in [] : x if true]",
        "1 + null",
        "nope",
        "\"a-${var.secret}\"",
        "try(nope, 1)",
    ] {
        assert!(at_once(text, &limits).is_none(), "{text}");
    }
    let another = FunctionTable::new(Vec::new());
    assert!(
        Program::new(parsed("1 + 2"), &world.functions).at_once(&world.names, &another, &limits).is_none()
    );
    let stopped = Limits { steps: 0, ..limits };
    assert!(at_once("1 + 2", &stopped).is_none());
}

#[test]
fn names_of_loops_hide_each_other() {
    let cases = [
        ("[for x in [1, 2] : [for x in [x, 5] : x * 2]]", "[[2, 10], [4, 10]]"),
        ("[for var in [{list = 1}] : var.list]", "[1]"),
        ("[for x in [1, 2] : (x)]", "[1, 2]"),
        ("[for k, x in {a = 1} : \"${k}-${x}\"]", "[\"a-1\"]"),
        ("[for x in [1, 2, 3, 4] : [for y in [1, 2, 3, 4] : x * y if y == x]][3]", "[16]"),
    ];
    for (text, value) in cases {
        assert_eq!(run(text), (value.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn loops_have_the_values_of_the_rules() {
    let cases = [
        ("[for i, x in [\"a\", \"b\"] : \"${i}-${x}\"]", "[\"0-a\", \"1-b\"]"),
        ("[for k, x in var.set : \"${k}${x}\"]", "[\"aa\", \"bb\"]"),
        ("[for k, x in var.map : \"${k}${x}\"]", "[\"kv\"]"),
        ("[for x in [1, 2, 3, 4] : x if x % 2 == 0]", "[2, 4]"),
        ("[for x in [1, 2] : [for i, y in [x, 7] : x * 10 + y + i]]", "[[11, 18], [22, 28]]"),
        ("[for x in [1, 2] : [for y in [3] : [for z in [x, y] : x + y + z]]]", "[[[5, 7]], [[7, 8]]]"),
        ("[for x in [1, 2] : [for y in [3, 4] : y]]", "[[3, 4], [3, 4]]"),
        ("[for x in [[{a = 1}], [{a = 2}, {a = 3}]] : x[*].a]", "[[1], [2, 3]]"),
        ("[for x in [1, null, var.unknown_text] : {v = x}][0]", "{v = 1}"),
        ("{for x in [\"b\", \"a\", \"c\"] : x => \"${x}!\"}", "{a = \"a!\", b = \"b!\", c = \"c!\"}"),
        ("{for x in [\"a\", \"b\"] : \"k-${x}\" => x}", "{k-a = \"a\", k-b = \"b\"}"),
        ("{for x in [] : x => x}", "{}"),
        ("[for x in [1, 2] : true ? x : 0]", "[1, 2]"),
        ("[for x in [{a = 1}, {b = 2, a = 3}] : x.a]", "[1, 3]"),
    ];
    for (text, value) in cases {
        assert_eq!(run(text), (value.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn loops_that_are_not_plain_use_the_rules() {
    for text in [
        "[for x in [1, 2, null, 4, 5] : x + 1]",
        "[for x in [1, 2, 3, 4, \"a\"] : x == 1 ? x : \"b\"]",
        "[for x in [1, 2, 3, 4] : x == 1 ? x : \"b\"]",
        "[for x in [\"true\", \"false\", \"a\"] : x ? 1 : 2]",
        "[for x in [1, 2, 3] : x if x > 1 ? true : \"a\"]",
        "[for x in [] : x if null]",
        "[for x in [] : x if \"a\"]",
        "[for x in [1, 2] : x if null]",
        "[for x in [1, 2] : x if var.secret_bool]",
        "[for x in [var.secret, \"a\"] : x]",
        "[for x in [var.secret, \"a\"] : \"${x}\"]",
        "[for x in [var.unknown_text, \"a\"] : x]",
        "[for x in var.null_list : x]",
        "[for x in var.unknown_list : x]",
        "[for x in var.unknown_list : x if x == 1]",
        "[for x in var.text : x]",
        "[for x in [1, 2] : [for y in x : y]]",
        "[for x in [[1], [2, null]] : [for y in x : y + 1]]",
        "{for x in [\"a\", \"b\", \"a\"] : x => x}",
        "{for x in [\"a\", \"b\", \"a\"] : x => x...}",
        "{for x in [1, 2, 3] : x => x}",
        "{for x in [\"a\", null] : x => x}",
        "{for x in [\"a\", var.secret] : x => x}",
        "{for x in [\"a\", var.unknown_text] : x => x}",
        "[{a = 1}, {b = 2}][*].a",
        "[{a = 1}, {a = null}][*].a",
        "[{a = 1}, {a = var.secret}][*].a",
        "var.null_list[*].a",
        "var.set[*].a",
        "[for x in [1, 2] : x + var.nope]",
        "try([for x in [1, 2] : x + var.nope], 1)",
        "try([for x in [1, 2] : x + var.unknown], 1)",
        "[for x in [1, 2] : fail(\"${x}\")]",
    ] {
        run(text);
    }
}

#[test]
fn loops_stay_within_the_limits() {
    let world = World::new();
    let program = Program::new(
        parsed("[for x in [1, 2, 3, 4] : [for y in [1, 2, 3, 4] : {v = x * y}]]"),
        &world.functions,
    );
    let at_once = |limits: &Limits| program.at_once(&world.names, &world.functions, limits).is_some();
    let limits = Limits::default();
    assert!(at_once(&limits));
    // The expression and its 63 bytes; 4 elements with bodies of 37 bytes, and 16 with bodies of
    // 11; 20 included elements.
    let steps = (1 + 7) + 4 * (4 + 4) + 16 * (4 + 1) + 20;
    assert!(at_once(&Limits { steps, ..limits.clone() }));
    assert!(!at_once(&Limits { steps: steps - 1, ..limits.clone() }));
    assert!(at_once(&Limits { elements: 20, ..limits.clone() }));
    assert!(!at_once(&Limits { elements: 19, ..limits.clone() }));
    assert!(!at_once(&Limits { memory: 1000, ..limits }));
}

#[test]
fn values_that_are_not_plain_use_the_rules() {
    for text in [
        "var.unknown_text == \"x\" ? 1 : 2",
        "\"a-${var.secret}\"",
        "\"a-${var.unknown_text}-${var.text}\"",
        "var.secret_bool ? \"a\" : \"b\"",
        "\"5\" + 1 + var.object.n",
        "\"true\" ? 1 : 2",
        "true ? 1 : \"a\"",
        "1 > null",
        "\"${null}\"",
        "-var.text + !var.text",
        "!(var.object.n > 1) || var.nope",
        "[for x in var.list : \"${x}-${var.unknown_text}\"]",
        "[for x in [1, 2, 3, 4, 5] : x + var.nope]",
        "[for x in [1, \"a\", 3, 4, 5] : x + 1]",
        "[for x in var.list : {x.a = 1}]",
        "{(var.text) = 1, text = 2, \"a b\" = 3}",
        "nope + 1",
        "1 / 0 + 0 / 0",
    ] {
        run(text);
    }
}

#[test]
fn a_program_calls_the_functions_of_the_scope() {
    let answer = |number| {
        let body = move |_: &terrane_function::Call<'_>| Ok(Value::number(Number::literal(number)));
        let answer = Function::new("answer", "A number.", ResultType::Fixed(Type::Number), body);
        FunctionTable::new(vec![answer.pure()])
    };
    let program = Program::new(parsed("answer()"), &answer(1));
    let world = World { functions: answer(2), ..World::new() };
    let mut diagnostics = Diagnostics::new();
    let value = world.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
    assert_eq!(shown(&value), "2");
    let without = World { functions: FunctionTable::new(Vec::new()), ..World::new() };
    without.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
    assert_eq!(found(&diagnostics), ["0-6 Call to unknown function"]);
}

#[test]
fn constants_are_computed_once() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let calls = Arc::new(AtomicUsize::new(0));
    let counted = |is_pure| {
        let calls = Arc::clone(&calls);
        let body = move |_: &terrane_function::Call<'_>| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(Value::from("a"))
        };
        let counted = Function::new("counted", "Counts.", ResultType::Fixed(Type::String), body);
        let counted = if is_pure { counted.pure() } else { counted };
        World { functions: FunctionTable::new(vec![counted]), ..World::new() }
    };
    for (is_pure, expected) in [(true, 1), (false, 15)] {
        let world = counted(is_pure);
        calls.store(0, Ordering::Relaxed);
        let program = Program::new(parsed("[for x in [1, 2, 3, 4, 5] : counted()]"), &world.functions);
        for _ in 0..3 {
            let mut diagnostics = Diagnostics::new();
            let value = world.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
            assert_eq!(shown(&value), r#"["a", "a", "a", "a", "a"]"#);
        }
        assert_eq!(calls.load(Ordering::Relaxed), expected, "{is_pure}");
    }
}

#[test]
fn programs_have_the_limits_of_expressions() {
    use terrane_function::Limits;

    let meets = |limits: Limits, text: &str| {
        let world = World { limits, ..World::new() };
        let program = Program::new(parsed(text), &world.functions);
        let mut diagnostics = Diagnostics::new();
        world.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
        assert_eq!(diagnostics.has_errors(), world.evaluate(text).1.has_errors(), "{text}");
        diagnostics.has_errors()
    };
    let long = "x".repeat(100);
    let template = format!("\"{long}${{var.text}}{long}\"");
    assert!(meets(Limits { bytes: 150, ..Limits::default() }, &template));
    assert!(!meets(Limits::default(), &template));
    assert!(meets(Limits { memory: 50, ..Limits::default() }, &format!("[\"{long}${{var.text}}\", 1]")));
    assert!(meets(Limits { steps: 3, ..Limits::default() }, "[for x in [1, 2, 3, 4, 5] : x + 1]"));
}
