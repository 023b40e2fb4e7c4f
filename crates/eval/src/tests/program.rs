use terrane_function::{Function, ResultType};
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

/// What a program gives, which must be what an evaluation without one gives.
fn run(text: &str) -> (String, Vec<String>) {
    let world = World::new();
    let program = Program::new(parsed(text), &world.functions);
    let mut diagnostics = Diagnostics::new();
    let value = world.with_scope(|scope| program.evaluate(scope, &mut diagnostics));
    let (plain, others) = world.evaluate(text);
    assert_eq!(shown(&value), shown(&plain), "{text}");
    assert_eq!(found(&diagnostics), found(&others), "{text}");
    (shown(&value), found(&diagnostics))
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
fn what_is_not_plain_follows_the_rules() {
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
        FunctionTable::new(vec![Function::new("answer", "A number.", ResultType::Fixed(Type::Number), body)])
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
