//! Limits on steps, memory, depth and elements.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use terrane_function::{CallEnv, Limits, Meter};
use terrane_source::{Diagnostics, FileId, SourceFile, ids};
use terrane_syntax::{parse_expr, parse_template};

use super::{World, check_errors, found, shown};
use crate::Scope;

#[test]
fn long_chains_of_operators_do_not_overflow_the_stack() {
    let sum = format!("1{}", " + 1".repeat(100_000));
    let (value, diagnostics) = World::new().evaluate(&sum);
    assert!(diagnostics.is_empty());
    assert_eq!(shown(&value), "100001");
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
    assert!(
        detail.ends_with("The template calls itself, directly or through others, without end."),
        "{detail}"
    );
}

#[test]
fn the_values_of_a_run_have_a_limit_together() {
    let exceeds = |text: &str, memory: u64| {
        let world = World { limits: Limits { memory, ..Limits::default() }, ..World::new() };
        let (_, diagnostics) = world.evaluate(text);
        diagnostics.as_slice().iter().any(|found| found.detail.contains("bytes of memory"))
    };
    let long = "x".repeat(1000);
    for text in [
        format!("[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : \"{long}${{x}}\"]"),
        format!("[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : upper(\"{long}${{x}}\")]"),
        format!("[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : [\"{long}${{x}}\"]]"),
        format!("{{for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : x => x == 1 ? \"a\" : \"{long}${{x}}\"}}"),
    ] {
        assert!(exceeds(&text, 5_000), "{text}");
        assert!(!exceeds(&text, 100_000), "{text}");
    }
    // Values that are only referred to take up no memory.
    let shared = format!("[for text in [\"{long}\"] : [for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : text]]");
    assert!(!exceeds(&shared, 5_000));
}

#[test]
fn released_memory_does_not_count() {
    let world = World { limits: Limits { memory: 20_000, ..Limits::default() }, ..World::new() };
    let parsed = parse_expr(&SourceFile::new(
        FileId::new("test"),
        format!("upper(\"{}${{1}}\") == \"\"", "x".repeat(5_000)).as_str(),
    ));
    let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
    let meter = Meter::default();
    world.with_scope(|scope| {
        let env = CallEnv { meter: Some(&meter), ..*scope.env };
        let scope = Scope { env: &env, ..*scope };
        for _ in 0..20 {
            let mut diagnostics = Diagnostics::new();
            crate::evaluate(&expression, &scope, &mut diagnostics);
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
        }
    });
    assert!(meter.memory() < 5_000);
}

#[test]
fn operands_do_not_count_once_the_result_is_made() {
    let memory = |body: &str| {
        let world = World::new();
        let meter = Meter::default();
        world.with_scope(|scope| {
            let env = CallEnv { meter: Some(&meter), ..*scope.env };
            let numbers: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
            let text = format!("[for x in [{}] : {body}]", numbers.join(","));
            let parsed = parse_expr(&SourceFile::new(FileId::new("test"), text.as_str()));
            let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
            let mut diagnostics = Diagnostics::new();
            crate::evaluate(&expression, &Scope { env: &env, ..*scope }, &mut diagnostics);
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
        });
        meter.memory()
    };
    // Both elements are numbers of about 220 bits; the second one is made of the first.
    assert_eq!(memory("x * 1e60"), memory("x * 1e60 + 1"));
    // A number and a text that the result shares with an operand are not released.
    let text = "\"${x}-abcdefghijklmnopqrstuvwxyz\"";
    for (part, whole) in [
        (text.to_owned(), format!("[for y in [{text}] : y][0]")),
        (format!("[{text}]"), format!("[for y in [{text}] : y]")),
        (format!("[{text}]"), format!("[for y in [{{ k = {text} }}] : y.k]")),
        ("x * 1e60".to_owned(), "x >= 0 ? x * 1e60 : 0".to_owned()),
    ] {
        assert!(memory(&whole) >= memory(&part), "{whole}: {} and {}", memory(&whole), memory(&part));
    }
}

#[test]
fn the_work_of_functions_counts_as_steps() {
    let text = format!("upper(\"{}\")", "x".repeat(1000));
    let exceeds = |steps| {
        let world = World { limits: Limits { steps, ..Limits::default() }, ..World::new() };
        world.evaluate(&format!("[{text}, 1]")).1.has_errors()
    };
    assert!(exceeds(500) && !exceeds(2000));
}

#[test]
fn the_work_of_conditions_counts_in_each_turn() {
    let exceeds = |text: &str, steps| {
        let world = World { limits: Limits { steps, ..Limits::default() }, ..World::new() };
        world.evaluate(text).1.has_errors()
    };
    let long = "x".repeat(500);
    let turns = "[1, 2, 3, 4, 5, 6, 7, 8]";
    let left_out = format!("[for x in {turns} : x if upper(\"{long}${{x}}\") == \"A\"]");
    let chosen = format!("[for x in {turns} : upper(\"{long}${{x}}\") == \"A\" ? 1 : 2]");
    let keys = format!("{{for x in {turns} : (upper(\"{long}${{x}}\") == \"A\" ? \"a\" : \"b\") => x...}}");
    for text in [left_out, chosen, keys] {
        assert!(exceeds(&text, 2000) && !exceeds(&text, 8000), "{text}");
    }
}

#[test]
fn comparing_and_converting_large_values_counts() {
    let exceeds = |text: &str, steps| {
        let world = World { limits: Limits { steps, ..Limits::default() }, ..World::new() };
        world.evaluate(text).1.has_errors()
    };
    let ones = |last: &str| format!("[{}{last}]", "1, ".repeat(100));
    let (one, other) = (ones("1"), ones("2"));
    // Each element of a loop is compared with another, so that no comparison is computed only once.
    let compared = format!("[for x in [1, 2, 3, 4, 5] : [{one}, x] == [{other}, x]]");
    assert!(exceeds(&compared, 1500) && !exceeds(&compared, 5000));
    let chosen = format!("[for x in [1, 2, 3, 4, 5] : x > 0 ? [{one}, x] : [{other}, \"a\"]]");
    assert!(exceeds(&chosen, 10_000) && !exceeds(&chosen, 40_000));
}

#[test]
fn parts_of_large_values_count_wherever_they_are_looked_at() {
    let steps = |text: &str| {
        let (world, meter) = (World::new(), Meter::default());
        world.with_scope(|scope| {
            let env = CallEnv { meter: Some(&meter), ..*scope.env };
            let parsed = parse_expr(&SourceFile::new(FileId::new("test"), text));
            let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
            let mut diagnostics = Diagnostics::new();
            crate::evaluate(&expression, &Scope { env: &env, ..*scope }, &mut diagnostics);
            assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        });
        meter.steps()
    };
    let rows = |row: &str| format!("[for y in {:?} : {row}]", [0; 200]);
    let (numbers, texts, unknown) = (rows("{ a = y }"), rows("{ a = \"x\" }"), rows("var.unknown_text"));
    // Each turn of the loop over x looks at values of 200 elements that are made once.
    for (value, body, least) in [
        (format!("[{numbers}, {texts}]"), "can(x > 0 ? v[0] : v[1])", 5000),
        (format!("[{numbers}, {texts}]"), "can(x > 0 ? [v[0], x] : [v[1], x])", 5000),
        (format!("[{numbers}, {numbers}]"), "can(x > 0 ? v[0] : v[1])", 800),
        (unknown.clone(), "can([v, x])", 250),
        (unknown, "[v, x] == x", 250),
    ] {
        let turns =
            |turns: usize| steps(&format!("[for v in [{value}] : [for x in {:?} : {body}]]", vec![1; turns]));
        let turn = (turns(30) - turns(10)) / 20;
        assert!((least..20 * least).contains(&turn), "{turn} steps for {body}");
    }
}

#[test]
fn looking_for_the_common_type_of_wide_values_counts() {
    // A part occurs 16,384 times in each of them.
    let wide =
        |part: &str| (0..14).fold(part.to_owned(), |part, _| format!("[for x in [{part}] : [x, x]][0]"));
    let turns = "[1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let world = World { limits: Limits { steps: 2_000_000, ..Limits::default() }, ..World::new() };
    let (_, found) = world.evaluate(&format!(
        "[for one in [{}] : [for other in [{}] : [for x in {turns} : x > 0 ? one : other]]]",
        wide("1"),
        wide("\"a\"")
    ));
    let found: Vec<_> = found.into_iter().map(|found| found.id).collect();
    assert_eq!(found, [ids::LIMIT_EXCEEDED]);
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
fn the_file_of_a_template_may_not_be_larger_than_others() {
    let mut world = World::new();
    let call = "templatefile(\"hello.tftpl\", { name = \"x\" })";
    assert!(!world.evaluate(call).1.has_errors());
    // The text is shorter than the template.
    world.limits.bytes = "Hello, x!".len();
    let (_, diagnostics) = world.evaluate(call);
    assert!(diagnostics.as_slice()[0].detail.contains("too large"), "{diagnostics:?}");
}

#[test]
fn the_deepest_text_that_parses_is_evaluated_or_refused() {
    for (open, close) in [("[", "]"), ("(", ")"), ("upper(", ")"), ("{a=", "}"), ("!", ""), ("1?1:", "2")] {
        let text = format!("{}true{}", open.repeat(5000), close.repeat(5000));
        let parsed = parse_template(&SourceFile::new(FileId::new("test"), format!("${{{text}}}")));
        let expression = terrane_syntax::Expression { tree: parsed.tree, id: parsed.root };
        let mut diagnostics = Diagnostics::new();
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
    // An iteration of a loop counts, even if it evaluates nothing.
    let nine = |element: &str| format!("[{}]", [element; 9].join(", "));
    let idle = format!("[for a in {} : [for b in {} : b if a]]", nine("false"), nine("1"));
    let exceeds = |steps| {
        let world = World { limits: Limits { steps, ..Limits::default() }, ..World::new() };
        world.evaluate(&idle).1.has_errors()
    };
    assert!(exceeds(4 * 81) && !exceeds(4000));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let world = World { limits: Limits { cancel, ..Limits::default() }, ..World::new() };
    let (_, diagnostics) = world.evaluate(&format!("[{}]", "1,".repeat(2000)));
    assert_eq!(diagnostics.as_slice()[0].title(), "Interrupted");
}

#[test]
fn arguments_are_given_back() {
    let mut world = World::new();
    world.limits.memory = 150_000;
    // Each list takes up most of the limit, and is dropped once its text is made.
    let digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
    let inner = format!(
        "[for a in {digits} : [for b in {digits} : [for c in {digits} : \"${{a}}${{b}}${{c}}${{i}} and some more text\"]]]"
    );
    let joined = format!("[for i in {digits} : upper({inner}[0][0][0])]");
    let (value, diagnostics) = world.evaluate(&joined);
    assert!(diagnostics.is_empty() && value.is_wholly_known(), "{diagnostics:?}");
    let (_, diagnostics) = world.evaluate(&format!("[for i in {digits} : {inner}]"));
    assert!(diagnostics.has_errors());
}

#[test]
fn too_many_errors_are_counted() {
    let world = World::new();
    let most = Diagnostics::MAX_OF_A_KIND;
    let names = "nope, ".repeat(3 * most);
    let (_, found) = world.evaluate(&format!("[{names}]"));
    assert_eq!((found.as_slice().len(), found.errors()), (most, 3 * most));
    // Errors that are only counted are still errors: `try` and `can` notice them.
    let (value, found) = world.evaluate(&format!("[{names} try(nope, 7), can(nope)][{}]", 3 * most));
    assert_eq!((shown(&value).as_str(), found.errors()), ("7", 3 * most));
    let (_, alone) = world.evaluate(&format!("[{names} try(nope)]"));
    assert_eq!(alone.errors(), 3 * most + 1);
    let (value, found) = world.evaluate(&format!("can([{names}])"));
    assert_eq!((shown(&value), found.len()), ("false".to_owned(), 0));
    // The first error of another kind has its text.
    let (_, found) = world.evaluate(&format!("[{names} 1 + {{}}]"));
    let last = found.as_slice().last().unwrap();
    assert!(last.subject.is_some() && !last.detail.is_empty() && found.errors() == 3 * most + 1);
    // The room of dropped errors is free again.
    let (_, found) = world.evaluate(&format!("[can([{names}]), nope]"));
    assert_eq!((found.as_slice().len(), found.errors()), (1, 1));
}

#[test]
fn texts_that_are_read_as_numbers_are_counted() {
    let world = World { limits: Limits { steps: 200_000, ..Limits::default() }, ..World::new() };
    let each = "for i in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    for body in [
        "i + text",
        "text - i",
        "text < i",
        "try([i][text], i)",
        "try({ a = i }.a[text], text * i)",
        "can(convert([text, i], list(number)))",
    ] {
        let of = |digits: &str| format!("[for text in [\"{digits}\"] : [{each} : {body}]]");
        let (_, found) = world.evaluate(&of(&"7".repeat(20_000)));
        assert!(found.as_slice().iter().any(|found| found.detail.contains("steps")), "{body}: {found:?}");
        let (_, found) = world.evaluate(&of("0"));
        assert!(found.is_empty(), "{body}: {found:?}");
    }
    // No long text is a bool.
    let text = "x".repeat(20_000);
    let (value, found) = world
        .evaluate(&format!("[for text in [\"{text}\"] : [{each} : can(text && true) || can(text ? 1 : 2)]]"));
    assert!(found.is_empty() && value.is_wholly_known(), "{found:?}");
}
