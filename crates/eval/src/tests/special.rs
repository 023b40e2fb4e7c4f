//! Functions of the evaluator: `try`, `can`, `convert`, templates.

use terrane_function::{Function, Parameter, ResultType};
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{Type, Value};

use super::{World, check, check_errors};
use crate::{Answer, FunctionTable, evaluate_in_console};

#[test]
fn try_gives_the_first_result_without_error() {
    check("try(var.nope, 1)", "1");
    check("try(var.text, nope)", "\"abc\"");
    check("try(var.secret, 1)", "‹\"hunter2\"›");
    check("try(var.unknown_text, 1)", "unknown(any)");
    check("try([var.unknown_text], 1)", "unknown(any)");
    check("try(var.nope, var.unknown, 1)", "unknown(any)");
    check("try(var.list...)", "\"c\"");
    check_errors("try()", &["0-4 Error in function call"], "unknown(any)");
    check_errors("try(var.nope, nope)", &["0-4 Error in function call"], "unknown(any)");
    let (_, diagnostics) = World::new().evaluate("try(var.nope, nope)");
    let detail = &diagnostics.as_slice()[0].detail;
    assert!(detail.contains("Unsupported attribute (at test.tf:1:8)"), "{detail}");
    assert!(detail.contains("Unknown variable"), "{detail}");
}

#[test]
fn can_tells_whether_there_is_an_error() {
    check("can(var.text)", "true");
    check("can(var.nope)", "false");
    check("can(var.unknown_text)", "unknown(bool)");
    check("can(var.unknown_text + [])", "false");
    check_errors("can(1, 2)", &["7-8 Too many function arguments"], "unknown(any)");
}

#[test]
fn convert_takes_a_type() {
    check("convert([1, \"a\"], list(string))", "list[\"1\", \"a\"]");
    check_errors("convert([], string)", &["8-9 Invalid function argument"], "unknown(any)");
    check("convert({}, object({a = optional(string, 1)}))", "{a = \"1\"}");
    check_errors("convert(1, nope)", &["11-15 Invalid type specification"], "unknown(any)");
}

#[test]
fn templates_from_files() {
    check("templatefile(\"hello.tftpl\", { name = \"Ada\" })", "\"Hello, Ada!\"");
    check("templatefile(\"lone.tftpl\", { name = [1], other = 2 })", "[1]");
    check("templatefile(\"hello.tftpl\", { name = var.secret })", "‹\"Hello, hunter2!\"›");
    check("templatefile(\"hello.tftpl\", { name = var.unknown_text })", "unknown(string)");
    check("templatefile(var.unknown_text, {})", "unknown(any)");
    check("templatefile(\"hello.tftpl\", var.unknown)", "unknown(any)");
    check_errors("templatefile(\"no.tftpl\", {})", &["14-22 Invalid function argument"], "unknown(any)");
    check_errors("templatefile(\"hello.tftpl\", {})", &["28-29 Invalid function argument"], "unknown(any)");
    check_errors("templatefile(\"hello.tftpl\", [1])", &["28-29 Invalid function argument"], "unknown(any)");
    check_errors(
        "templatefile(\"lone.tftpl\", {\"a b\" = 1})",
        &["27-28 Invalid function argument"],
        "unknown(any)",
    );
    check_errors("templatefile(\"broken.tftpl\", {})", &["0-13 Error in function call"], "unknown(any)");
    check_errors(
        "templatefile(\"hello.tftpl\", {name = []})",
        &["0-13 Error in function call"],
        "unknown(any)",
    );
}

#[test]
fn templates_from_strings() {
    check("templatestring(\"Hi $${name}\", { name = \"Bob\" })", "\"Hi Bob\"");
    check("templatestring(\"$${v}\", { v = [1] })", "[1]");
    check("templatestring(\"x\", {})", "\"x\"");
    check_errors("templatestring(\"$${v}\", {})", &["24-25 Invalid function argument"], "unknown(any)");
    check_errors("templatestring(\"x\", \"y\")", &["21-22 Invalid function argument"], "unknown(any)");
}

#[test]
fn type_is_a_function_of_the_console() {
    let ask = |text: &str| {
        let parsed = parse_expr(&SourceFile::new(FileId::new("console"), text));
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let mut diagnostics = Diagnostics::new();
        let answer =
            World::new().with_scope(|scope| evaluate_in_console(&expression, scope, &mut diagnostics));
        let answer = match answer {
            Answer::Type(value) => format!("type {}", value.ty()),
            Answer::TypeOfType => "type".to_owned(),
            Answer::Value(value) => super::shown(&value),
        };
        (answer, super::found(&diagnostics))
    };
    assert_eq!(ask("type(var.list)"), ("type list(string)".to_owned(), vec![]));
    assert_eq!(ask("(type(null))"), ("type any".to_owned(), vec![]));
    assert_eq!(ask("type(var.secret)"), ("type string".to_owned(), vec![]));
    assert_eq!(ask("var.text"), ("\"abc\"".to_owned(), vec![]));
    assert_eq!(ask("[type(1)]").1, ["1-8 Invalid use of type function"]);
    assert_eq!(ask("type(1) == type(1)").1, ["11-18 Invalid use of type function"]);
    assert_eq!(ask("type(type(1))"), ("type".to_owned(), vec![]));
    assert_eq!(ask("type(type(type(var.secret)))"), ("type".to_owned(), vec![]));
    assert_eq!(ask("type([type(1)])").1, ["0-15 Invalid use of type function"]);
    assert_eq!(ask("type(1).a").1, ["7-9 Unsupported attribute"]);
    // A placeholder for a type may be passed on.
    for passed in ["\"${type(1)}\"", "true ? type(1) : type(\"a\")", "[type(1)][0]", "try(nope, type(1))"] {
        assert_eq!(ask(passed), ("type number".to_owned(), vec![]), "{passed}");
    }
    assert_eq!(ask("can(type(1))").0, "true");
    assert_eq!(ask("type()").1, ["5-6 Not enough function arguments"]);
    check_errors("type(1)", &["0-4 Call to unknown function"], "unknown(any)");
}

#[test]
fn an_added_function_takes_the_place_of_one_of_the_evaluator() {
    let added = |name| {
        let body = |call: &terrane_function::Call<'_>| Ok(Value::from(call.arguments.len() == 2));
        Function::new(name, "", ResultType::Fixed(Type::Bool), body)
            .variadic(Parameter::new("arguments", Type::Dynamic))
    };
    let names = ["try", "can", "convert", "templatefile", "templatestring"];
    let functions = FunctionTable::new(names.into_iter().map(added).collect());
    let world = World { functions, ..World::new() };
    for name in names {
        let evaluated = |text: &str| world.evaluate(text);
        let (value, diagnostics) = evaluated(&format!("{name}(\"none\", {{}})"));
        assert_eq!((super::shown(&value), diagnostics.len()), ("true".to_owned(), 0), "{name}");
        // Its arguments are evaluated like the arguments of any function.
        assert!(evaluated(&format!("{name}(var.nope, 1)")).1.has_errors(), "{name}");
    }
}

#[test]
fn functions_of_providers_give_unknown_values() {
    check("provider::aws::arn_parse(var.text)", "unknown(any)");
    check("provider::aws::arn_parse([var.secret])", "‹unknown(any)›");
    check_errors("provider::aws::arn_parse(nope)", &["25-29 Unknown variable"], "unknown(any)");
    check_errors("provider::aws(1)", &["0-13 Unable to parse provider function"], "unknown(any)");
    check_errors("aws::arn(1)", &["0-8 Unknown function namespace"], "unknown(any)");
    let (value, _) = World::new().evaluate("provider::aws::arn_parse(1)");
    assert_eq!(
        value.origins().as_slice()[0].to_string(),
        "provider::aws::arn_parse() is computed by its provider"
    );
}
