//! Tests of functions of collections.

use terrane_value::{Type, Value};

use crate::testing::{call, list, map, number, object, result, secret, strings, tuple, unknown, work};

fn ab() -> Value {
    object([("a", number("1")), ("b", "x".into())])
}

#[test]
fn length_counts_elements_attributes_and_characters() {
    let cases = [
        (tuple(["a", "b"]), "2"),
        (ab(), "2"),
        ("e\u{301}🇩🇪".into(), "2"),
        (secret(tuple(["a"])), "*1"),
        (Value::tuple([secret("a")]), "1"),
        (number("5"), "error"),
        (Value::NULL, "error in argument 0"),
        (unknown(Type::tuple([Type::Bool])), "1"),
        (unknown(Type::Dynamic), "?number"),
        (unknown(Type::String), "?number"),
        (Value::set(Type::String, [Value::from("a"), unknown(Type::String)]), "?number"),
    ];
    for (value, expected) in cases {
        assert_eq!(result("length", [value.clone()]), expected, "{value:?}");
    }
}

#[test]
fn element_wraps_around() {
    let cases = [
        (tuple(["a", "b"]), "3", "b"),
        (tuple(["a", "b"]), "-3", "b"),
        (secret(list(["a", "b"])), "2", "*a"),
        (tuple([]), "0", "error"),
        (tuple(["a"]), "0.5", "error"),
        (Value::set(Type::String, strings(["a"])), "0", "error"),
    ];
    for (value, index, expected) in cases {
        assert_eq!(result("element", [value, number(index)]), expected);
    }
    assert_eq!(result("element", [tuple(["a"]), unknown(Type::Number)]), "?any");
    assert_eq!(result("element", [list(["a"]), unknown(Type::Number)]), "?string or null");
}

#[test]
fn searching_does_not_convert() {
    let mixed = || Value::tuple([number("1"), "1".into(), unknown(Type::Bool)]);
    assert_eq!(result("contains", [mixed(), "1".into()]), "true");
    assert_eq!(result("contains", [mixed(), Value::TRUE]), "?bool");
    assert_eq!(result("contains", [mixed(), "2".into()]), "false");
    assert_eq!(result("contains", [ab(), "a".into()]), "error");
    assert_eq!(result("index", [mixed(), "1".into()]), "1");
    assert_eq!(result("index", [mixed(), Value::TRUE]), "?number");
    assert_eq!(result("index", [tuple(["a"]), "b".into()]), "error");
    assert_eq!(result("contains", [Value::tuple([secret("a")]), "a".into()]), "*true");
}

#[test]
fn one_of_none_or_one() {
    assert_eq!(result("one", [tuple([])]), "null any");
    assert_eq!(result("one", [list([])]), "null string");
    assert_eq!(result("one", [list(["a"])]), "a");
    assert_eq!(result("one", [list(["a", "b"])]), "error in argument 0");
    let set = Value::set(Type::String, [Value::from("a"), unknown(Type::String)]);
    assert_eq!(result("one", [set]), "?string or null");
}

#[test]
fn the_first_that_is_something() {
    assert_eq!(result("coalesce", [Value::NULL, "".into(), number("5")]), "5");
    assert_eq!(call("coalesce", [number("5"), "a".into()]).unwrap().ty(), Type::String);
    assert_eq!(result("coalesce", [unknown(Type::String), "a".into()]), "?string");
    assert_eq!(result("coalesce", ["a".into(), unknown(Type::String)]), "a");
    assert_eq!(result("coalesce", [Value::NULL]), "error");
    assert_eq!(result("coalesce", [number("1"), tuple([])]), "error");
    assert_eq!(result("coalescelist", [tuple([]), list(["a"])]), "list[a]");
    assert_eq!(result("coalescelist", [tuple([]), unknown(Type::list(Type::String))]), "?any");
    assert_eq!(result("coalescelist", [tuple([])]), "error");
    assert_eq!(result("coalescelist", [ab()]), "error");
}

#[test]
fn lookup_takes_the_default_where_there_is_none() {
    let numbers = || map([("a", number("1"))]);
    assert_eq!(result("lookup", [ab(), "b".into()]), "x");
    assert_eq!(result("lookup", [ab(), "c".into(), Value::NULL]), "null any");
    assert_eq!(result("lookup", [ab(), "c".into()]), "error in argument 0");
    assert_eq!(result("lookup", [numbers(), "c".into()]), "error");
    assert_eq!(result("lookup", [numbers(), "c".into(), "2".into()]), "2");
    assert_eq!(result("lookup", [numbers(), "a".into(), "x".into()]), "error in argument 2");
    assert_eq!(result("lookup", [secret(ab()), secret("a")]), "*1");
    assert_eq!(result("lookup", [ab(), unknown(Type::String), "d".into()]), "?any");
    assert_eq!(result("lookup", [tuple(["a"]), "a".into()]), "error in argument 0");
    let error = call("lookup", [ab(), secret("hidden")]).unwrap_err();
    assert!(!error.message.contains("hidden"));
}

#[test]
fn keys_and_values_are_in_order() {
    assert_eq!(result("keys", [ab()]), "[a, b]");
    assert_eq!(result("keys", [secret(map([("b", number("1")), ("a", number("2"))]))]), "*list[a, b]");
    assert_eq!(result("keys", [unknown(ab().ty())]), "[a, b]");
    assert_eq!(result("keys", [unknown(Type::map(Type::Bool))]), "?list(string)");
    assert_eq!(result("keys", [tuple([])]), "error in argument 0");
    assert_eq!(result("values", [object([("b", secret("x")), ("a", number("1"))])]), "[1, *x]");
    assert_eq!(result("values", [map([("a", number("1"))])]), "list[1]");
    assert_eq!(result("values", [tuple([])]), "error");
}

#[test]
fn merge_keeps_the_last_and_marks_where_they_are() {
    assert_eq!(result("merge", [ab(), object([("a", secret("2"))])]), "{a = *2, b = x}");
    assert_eq!(result("merge", [Value::NULL, ab()]), "{a = 1, b = x}");
    assert_eq!(result("merge", [Value::NULL, "a".into()]), "error");
    assert_eq!(result("merge", [Value::NULL, tuple([])]), "{}");
    assert_eq!(result("merge", []), "{}");
    let numbers = || map([("a", number("1"))]);
    assert_eq!(result("merge", [numbers(), map([("b", number("2"))])]), "map{a = 1, b = 2}");
    assert_eq!(result("merge", [numbers(), secret(ab())]), "*{a = 1, b = x}");
    assert_eq!(result("merge", [tuple([])]), "error");
    assert_eq!(result("merge", [secret(Value::NULL), number("1")]), "error");
    assert_eq!(result("merge", [ab(), unknown(Type::map(Type::Bool))]), "?any");
    assert_eq!(result("merge", [unknown(ab().ty())]), "?object({a=number,b=string})");
}

#[test]
fn zipmap_pairs_keys_with_values() {
    assert_eq!(result("zipmap", [tuple(["a", "a"]), Value::tuple([number("1"), "x".into()])]), "{a = x}");
    assert_eq!(result("zipmap", [Value::tuple([secret("a")]), list(["x"])]), "*map{a = x}");
    assert_eq!(result("zipmap", [tuple(["a"]), tuple([])]), "error");
    assert_eq!(result("zipmap", [Value::tuple([unknown(Type::String)]), list(["x"])]), "?map(string)");
    assert_eq!(result("zipmap", [Value::tuple([unknown(Type::String)]), tuple(["x"])]), "?any");
}

#[test]
fn transpose_turns_a_map_around() {
    let lists = object([("b", tuple(["2", "1"])), ("a", tuple(["2"]))]);
    assert_eq!(result("transpose", [lists]), "map{1 = list[b], 2 = list[a, b]}");
    let null = object([("a", Value::tuple([Value::NULL]))]);
    assert_eq!(result("transpose", [null]), "error in argument 0");
}

#[test]
fn concat_makes_a_list_of_lists_only() {
    let numbers = Value::list(Type::Number, [number("1")]);
    assert_eq!(result("concat", [numbers, secret(list(["a"]))]), "*list[1, a]");
    assert_eq!(result("concat", [tuple(["a"]), list(["b"])]), "[a, b]");
    assert_eq!(result("concat", [tuple(["a"]), unknown(Type::list(Type::String))]), "?any");
    assert_eq!(result("concat", [list(["a"]), unknown(Type::list(Type::String))]), "?list(string)");
    assert_eq!(result("concat", []), "error");
    assert_eq!(result("concat", [tuple([]), ab()]), "error in argument 1");
}

#[test]
fn flatten_goes_down_and_keeps_unknown_elements() {
    let nested = Value::tuple(["a".into(), secret(Value::tuple([list(["b"]), unknown(Type::String)]))]);
    assert_eq!(result("flatten", [nested]), "*[a, b, ?string or null]");
    assert_eq!(result("flatten", [Value::tuple([unknown(Type::list(Type::String))])]), "?any");
    assert_eq!(result("flatten", [Value::tuple([unknown(Type::Dynamic)])]), "?any");
    let null = Value::null(Type::list(Type::String));
    assert_eq!(result("flatten", [Value::tuple([null, ab()])]), "[null list(string), {a = 1, b = x}]");
    assert_eq!(result("flatten", [ab()]), "error");
    let lists = |element: Value| Value::list(Type::Dynamic, [element.clone(), element]);
    assert_eq!(result("flatten", [lists(lists(list(["a"])))]), "[a, a, a, a]");
    assert_eq!(
        result("flatten", [lists(lists(object([("a", number("1"))])))]),
        "[{a = 1}, {a = 1}, {a = 1}, {a = 1}]"
    );
    let with_null = Value::list(Type::Dynamic, [list(["a"]), Value::null(Type::list(Type::String))]);
    assert_eq!(result("flatten", [lists(with_null)]), "[a, null list(string), a, null list(string)]");
}

#[test]
fn functions_count_the_types_and_parts_that_they_look_at() {
    let rows = |row: fn(usize) -> Value, count: usize| Value::tuple((0..count).map(row));
    let numbers = |_| object([("a", number("1"))]);
    let texts = |_| object([("a", "x".into())]);
    let fractions = |index: usize| number(&format!("{index}.5"));
    let unknowns = |_| unknown(Type::String);
    let lists = |row: fn(usize) -> Value, count| Value::list(row(0).ty(), (0..count).map(row));
    let works = |count: usize| {
        [
            work("coalesce", [rows(numbers, count), rows(texts, count)]),
            work("coalesce", [rows(numbers, count), rows(numbers, count)]),
            work("coalescelist", [rows(numbers, count), rows(numbers, count)]),
            work("ephemeralasnull", [rows(unknowns, count)]),
            work("toset", [lists(fractions, count)]),
            work("setunion", [Value::set(Type::Number, (0..count).map(fractions))]),
            work("setproduct", [rows(numbers, count), rows(texts, count)]),
        ]
    };
    let least = [40, 2, 2, 8, 40, 40, 40];
    for (index, (few, many)) in works(10).into_iter().zip(works(110)).enumerate() {
        assert!(many - few >= 100 * least[index], "call {index}: {few}, {many}");
    }
}

#[test]
fn range_counts_in_steps() {
    let cases: [(&[&str], &str); 9] = [
        (&["2"], "list[0, 1]"),
        (&["-2"], "list[0, -1]"),
        (&["0"], "list[]"),
        (&["4", "2"], "list[4, 3]"),
        (&["1", "8", "3.5"], "list[1, 4.5]"),
        (&["1", "4", "-1"], "error in argument 1"),
        (&["1", "1", "0"], "list[]"),
        (&["1", "4", "0"], "error"),
        (&["1025"], "error"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(result("range", arguments.iter().map(|text| number(text))), expected, "{arguments:?}");
    }
}

#[test]
fn lists_are_rearranged() {
    assert_eq!(result("reverse", [Value::tuple([number("1"), secret("a")])]), "[*a, 1]");
    assert_eq!(result("reverse", [Value::set(Type::String, strings(["a", "b"]))]), "list[b, a]");
    assert_eq!(result("sort", [tuple(["é", "z", "Z", "a10", "a9"])]), "list[Z, a10, a9, z, é]");
    assert_eq!(result("sort", [Value::tuple([Value::NULL])]), "error");
    let unknowns = Value::tuple([unknown(Type::String), "a".into()]);
    assert_eq!(result("sort", [unknowns]), "list[?string or null, ?string or null]");
    assert_eq!(result("chunklist", [tuple(["a", "b", "c"]), number("2")]), "list[list[a, b], list[c]]");
    assert_eq!(result("chunklist", [tuple(["a", "b"]), number("0")]), "list[list[a, b]]");
    assert_eq!(result("chunklist", [tuple([]), number("0")]), "list[]");
    assert_eq!(result("chunklist", [tuple(["a"]), number("-1")]), "error");
}

#[test]
fn slice_takes_a_part() {
    let part = |start: &str, end: &str| result("slice", [tuple(["a", "b", "c"]), number(start), number(end)]);
    assert_eq!(part("1", "3"), "[b, c]");
    assert_eq!(part("3", "3"), "[]");
    assert_eq!(part("0", "4"), "error in argument 2");
    assert_eq!(part("-1", "1"), "error in argument 1");
    assert_eq!(part("2", "1"), "error in argument 1");
    let unknown_end = || [number("0"), unknown(Type::Number)];
    let [start, end] = unknown_end();
    assert_eq!(result("slice", [list(["a"]), start, end]), "?list(string)");
    let [start, end] = unknown_end();
    assert_eq!(result("slice", [tuple(["a"]), start, end]), "?any");
}

#[test]
fn elements_are_left_out() {
    assert_eq!(result("compact", [Value::tuple(["a".into(), "".into(), Value::NULL])]), "list[a]");
    assert_eq!(result("distinct", [tuple(["a", "b", "a"])]), "list[a, b]");
    assert_eq!(result("distinct", [Value::tuple([number("0"), number("-0")])]), "list[0]");
    assert_eq!(result("distinct", [Value::tuple(["a".into(), unknown(Type::String)])]), "?list(string)");
    let keys = tuple(["x", "y", "x"]);
    assert_eq!(result("matchkeys", [tuple(["a", "b", "c"]), keys, tuple(["x"])]), "list[a, c]");
    assert_eq!(result("matchkeys", [tuple(["a"]), tuple([]), tuple(["x"])]), "error");
}

#[test]
fn summaries() {
    let cases = [
        ("alltrue", Value::tuple([Value::TRUE, "1".into()]), "true"),
        ("alltrue", Value::tuple([Value::NULL, unknown(Type::Bool)]), "false"),
        ("alltrue", Value::tuple([unknown(Type::Bool), Value::FALSE]), "?bool"),
        ("anytrue", Value::tuple([unknown(Type::Bool), Value::TRUE]), "true"),
        ("anytrue", Value::tuple([unknown(Type::Bool), Value::FALSE]), "?bool"),
        ("anytrue", tuple([]), "false"),
        ("sum", Value::tuple([number("1.5"), "2".into()]), "3.5"),
        ("sum", tuple([]), "error in argument 0"),
        ("sum", Value::tuple([Value::NULL]), "error in argument 0"),
        ("sum", Value::tuple([number("inf"), number("-inf")]), "error"),
        ("sum", Value::tuple([secret(number("1")), unknown(Type::Number)]), "*?number"),
    ];
    for (name, value, expected) in cases {
        assert_eq!(result(name, [value.clone()]), expected, "{name} of {value:?}");
    }
}

#[test]
fn an_unknown_result_says_why() {
    let result = call("coalesce", [unknown(Type::String), "a".into()]).unwrap();
    let subjects: Vec<_> = result.origins().as_slice().iter().map(|origin| &*origin.subject).collect();
    assert_eq!(subjects, ["var.u"]);
    for name in ["list", "map"] {
        assert_eq!(crate::testing::result(name, [Value::TRUE]), "error");
    }
}

#[test]
fn a_set_with_unknown_elements_is_no_list_of_another_type() {
    let half = |known: Value| Value::set(known.ty(), [known.clone(), unknown(known.ty())]);
    assert_eq!(result("alltrue", [half("true".into())]), "error in argument 0");
    assert_eq!(result("sort", [half(number("1"))]), "error in argument 0");
    assert_eq!(result("alltrue", [half(Value::TRUE)]), "?bool");
    assert_eq!(result("sort", [half("a".into())]), "?list(string)");
}
