use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use terrane_function::Limits;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::{parse_expr, parse_template};

use super::{World, check_errors, found};

#[test]
fn long_chains_of_operators_do_not_overflow_the_stack() {
    let sum = format!("1{}", " + 1".repeat(100_000));
    let (value, diagnostics) = World::new().evaluate(&sum);
    assert!(diagnostics.is_empty());
    assert_eq!(super::shown(&value), "100001");
    let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), sum.as_str()));
    let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
    assert!(crate::references(&expression).is_empty());
}

#[test]
fn nesting_has_a_limit() {
    let world = World { limits: Limits { depth: 20, ..Limits::default() }, ..World::new() };
    let (value, diagnostics) = world.evaluate(&format!("{}1{}", "[".repeat(30), "]".repeat(30)));
    assert_eq!(found(&diagnostics), ["20-41 Too deeply nested"]);
    assert!(!value.is_wholly_known());
}

#[test]
fn values_that_double_are_refused_for_their_size() {
    let doubled = (0..23).fold("[1, 1]".to_owned(), |inner, _| format!("[for x in [{inner}] : [x, x]][0]"));
    let (value, diagnostics) = World::new().evaluate(&doubled);
    let titles: Vec<_> = diagnostics.as_slice().iter().map(|found| found.title()).collect();
    assert_eq!(titles, ["Limit exceeded"]);
    assert!(diagnostics.as_slice()[0].detail.contains("elements"));
    assert!(!value.is_known());
}

#[test]
fn a_template_that_includes_itself_ends() {
    check_errors("templatefile(\"endless.tftpl\", {})", &["0-13 Error in function call"], "unknown(any)");
    let (_, found) = World::new().evaluate("templatefile(\"endless.tftpl\", {})");
    let detail = &found.as_slice()[0].detail;
    assert_eq!(detail.lines().count(), 2, "what is wrong is said once: {detail}");
    assert!(detail.ends_with("Name a part of it and refer to that."), "{detail}");
}

#[test]
fn a_limit_is_said_even_where_mistakes_are_not() {
    let world = World { limits: Limits { elements: 10, ..Limits::default() }, ..World::new() };
    let long = "[for x in [1, 2, 3, 4, 5, 6] : [for y in [1, 2, 3, 4, 5, 6] : y]]";
    let choices = [
        format!("try({long}, 1)"),
        format!("can({long})"),
        format!("true ? [] : {long}"),
        format!("{long}[0]"),
    ];
    for text in choices {
        let (value, diagnostics) = world.evaluate(&text);
        let titles: Vec<_> = diagnostics.as_slice().iter().map(|found| found.title()).collect();
        assert_eq!(titles, ["Limit exceeded"], "{text}");
        assert!(!value.is_known(), "{text}");
    }
}

#[test]
fn the_deepest_text_that_parses_is_evaluated_or_refused() {
    for (open, close) in [("[", "]"), ("(", ")"), ("upper(", ")"), ("{a=", "}"), ("!", ""), ("1?1:", "2")] {
        let text = format!("{}true{}", open.repeat(5000), close.repeat(5000));
        let parsed = parse_template(&SourceFile::new(FileId::new("test"), format!("${{{text}}}")));
        let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
        let mut diagnostics = terrane_source::Diagnostics::new();
        World::new().with_scope(|scope| {
            crate::evaluate(&expression, scope, &mut diagnostics);
            crate::Program::new(expression.clone(), scope.functions).evaluate(scope, &mut diagnostics);
        });
        crate::references(&expression);
    }
}

#[test]
fn elements_steps_and_cancelling_have_limits() {
    let nested = "[for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : [for c in [1, 2, 3, 4] : a + b + c]]]";
    let limited = |limits| {
        let (_, diagnostics) = World { limits, ..World::new() }.evaluate(nested);
        diagnostics.as_slice().iter().map(|found| found.title().to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(limited(Limits::default()), Vec::<String>::new());
    assert_eq!(limited(Limits { elements: 50, ..Limits::default() }), ["Limit exceeded"]);
    assert_eq!(limited(Limits { steps: 50, ..Limits::default() }), ["Limit exceeded"]);
    // A turn of a loop counts, even where it has nothing to evaluate.
    let nine = |element: &str| format!("[{}]", [element; 9].join(", "));
    let idle = format!("[for a in {} : [for b in {} : b if a]]", nine("false"), nine("1"));
    let exceeds = |steps| {
        let world = World { limits: Limits { steps, ..Limits::default() }, ..World::new() };
        world.evaluate(&idle).1.has_errors()
    };
    assert!(exceeds(81) && !exceeds(200));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let world = World { limits: Limits { cancel, ..Limits::default() }, ..World::new() };
    let (_, diagnostics) = world.evaluate(&format!("[{}]", "1,".repeat(2000)));
    assert_eq!(diagnostics.as_slice()[0].title(), "Limit exceeded");
}
