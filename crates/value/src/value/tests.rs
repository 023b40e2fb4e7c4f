//! Tests of values: construction, sharing and size.

use super::*;
use crate::MAX_DEPTH;

#[test]
fn values_are_small_and_can_be_shared() {
    fn assert_shareable<T: Send + Sync + 'static>() {}
    assert_shareable::<Value>();
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Number>(), 16);
}

#[test]
fn strings_are_normalised() {
    assert_eq!(Value::from("e\u{301}").as_str(), Some("\u{e9}"));
}

#[test]
fn deep_values_become_an_error() {
    let deep = (0..10_000).fold(Value::TRUE, |inner, _| Value::tuple([inner]));
    assert!(!deep.is_wholly_known());
    assert!(deep.depth() <= MAX_DEPTH);
    let limit = usize::from(MAX_DEPTH);
    let deepest = (0..limit).fold(Value::TRUE, |inner, _| Value::tuple([inner]));
    assert_eq!(Value::tuple([deepest]).refused(), Some(Refusal::TooDeep));
}

#[test]
fn types_of_nulls_unknowns_and_empty_collections_count() {
    for leaf in [Value::unknown, Value::null, |ty| Value::list(ty, [])] {
        let deep = (0..2000).fold(Value::TRUE, |inner, _| leaf(Type::tuple([inner.ty()])));
        assert!(deep.depth() <= MAX_DEPTH);
        let deepest = (1..MAX_DEPTH).fold(Type::tuple([]), |inner, _| Type::tuple([inner]));
        assert_eq!(leaf(Type::list(deepest)).refused(), Some(Refusal::TooDeep));
    }
    let wide = (0..30).fold(Type::Bool, |inner, _| Type::tuple([inner.clone(), inner]));
    assert_eq!(Value::unknown(wide).refused(), Some(Refusal::TooLarge));
}

#[test]
fn a_type_with_many_parts_is_measured_once() {
    let wide = Type::tuple((0..1_000_000).map(|_| Type::list(Type::Number)));
    let (facts, nested) = (wide.facts(), Type::map(Type::object([("a".into(), wide.clone())])).facts());
    assert_eq!((facts.parts, facts.depth, nested.parts, nested.depth), (2_000_000, 2, 2_000_002, 4));
    // Reading all parts each time would take minutes.
    let unknown = Value::unknown(wide);
    let many = Value::tuple((0..100_000).map(|_| unknown.clone().not_null()));
    assert_eq!(many.refused(), Some(Refusal::TooLarge));
}

#[test]
fn a_sequence_that_many_open_values_share_is_measured_once() {
    let open = Value::open_sequence(vec![Value::TRUE; 1_000_000], Origins::error());
    // Reading all elements each time would take minutes.
    let many = Value::tuple((0..100_000).map(|_| open.clone().not_null()));
    assert_eq!(many.refused(), Some(Refusal::TooLarge));
    let named = Value::open_sequence(vec![open, Value::TRUE], Origins::NONE);
    assert_eq!((named.size(), named.parts_beside_unknowns()), (1_000_002, 1_000_003));
}

#[test]
fn an_infinite_number_is_found_at_any_depth() {
    let infinite = Value::number(Number::parse("1").unwrap().divide(&Number::parse("0").unwrap()).unwrap());
    let marked = infinite.clone().with_marks(&Marks::sensitive());
    for part in [infinite, marked] {
        let nested = Value::tuple([Value::TRUE, Value::object([("a".into(), Value::tuple([part.clone()]))])]);
        assert!(part.contains_infinity() && nested.contains_infinity());
    }
    assert!(!Value::tuple([Value::from(1), Value::from("x")]).contains_infinity());
    assert!(!Value::tuple([Value::from(1)]).with_marks(&Marks::sensitive()).contains_infinity());
}

#[test]
fn a_tuple_of_sequences_has_the_summary_of_its_elements() {
    let text = || Value::from("x");
    let nested = || Value::tuple([text(), Value::object([("a".into(), Value::tuple([text()]))])]);
    let long = Value::from("a text that is too long to be stored within the value");
    let sequences = [
        Value::list(Type::String, [text(), text()]),
        Value::list(Type::list(Type::String), []),
        Value::set(Type::String, [long]),
        Value::tuple([nested(), nested()]),
        Value::tuple([]),
    ];
    for part in [&sequences[..], &sequences[..1], &sequences[1..2], &sequences[3..], &[]] {
        let joined = Value::tuple_of_all(part);
        let one_by_one = Value::tuple(part.iter().filter_map(Value::as_sequence).flatten().map(Value::clone));
        assert_eq!(format!("{joined:?}"), format!("{one_by_one:?}"));
        assert_eq!(joined.summary(), one_by_one.summary(), "{joined:?}");
        let has_memory = |value: &Value| value.stored_sequence().map(|stored| stored.has_memory);
        assert_eq!(has_memory(&joined), has_memory(&one_by_one), "{joined:?}");
    }
}

#[test]
fn values_that_repeat_their_parts_too_often_become_an_error() {
    let mut value = Value::TRUE;
    for _ in 0..40 {
        value = Value::tuple([value.clone(), value]);
    }
    assert!(value.depth() < 20);
    assert!(!value.is_wholly_known());
    let large = (0..23).fold(Value::TRUE, |inner, _| Value::tuple([inner.clone(), inner]));
    assert_eq!(Value::tuple([large.clone(), large]).refused(), Some(Refusal::TooLarge));
}

#[test]
fn values_that_repeat_long_strings_too_often_become_an_error() {
    let text = Value::from("x".repeat(1 << 20));
    let list = |count: usize| Value::tuple(std::iter::repeat_n(text.clone(), count));
    assert_eq!(list(1024).text_bytes(), 1 << 30);
    assert_eq!(list(1025).refused(), Some(Refusal::TooLong));
    let key: SmolStr = "k".repeat(1 << 20).into();
    assert_eq!(Value::object([(key, list(1024))]).refused(), Some(Refusal::TooLong));
}

#[test]
fn long_runs_of_marks_are_cut() {
    let text = format!("x{}", "\u{301}".repeat(40));
    let normal = format!("x{}\u{34f}{}", "\u{301}".repeat(30), "\u{301}".repeat(10));
    assert_eq!(Value::from(text).as_str(), Some(normal.as_str()));
}

#[test]
fn elements_by_position_are_those_of_the_whole() {
    let list = Value::list(Type::Bool, [Value::TRUE, Value::FALSE]).with_marks(&Marks::sensitive());
    assert_eq!(list.nth(1).and_then(Value::as_bool), Some(false));
    let object = Value::object([("b".into(), Value::from("2")), ("a".into(), Value::from("1"))]);
    assert_eq!(object.nth(0).and_then(Value::as_str), Some("1"));
    assert!(object.nth(2).is_none() && Value::TRUE.nth(0).is_none());
}

#[test]
fn only_known_unmarked_primitives_are_plain() {
    assert!(Value::from("a").is_plain(&Type::String) && Value::TRUE.is_plain(&Type::Bool));
    assert!(!Value::from("a").is_plain(&Type::Dynamic) && !Value::from("1").is_plain(&Type::Number));
    assert!(!Value::from("a").with_marks(&Marks::sensitive()).is_plain(&Type::String));
    assert!(!Value::null(Type::Bool).is_plain(&Type::Bool));
}

#[test]
fn marks_are_taken_off_deeply() {
    let value = Value::tuple([Value::from("a").with_marks(&Marks::sensitive())]);
    assert!(value.contains_marked() && !value.is_marked());
    let (plain, marks) = value.unmark_deep();
    assert!(!plain.contains_marked());
    assert_eq!(marks, Marks::sensitive());
}

#[test]
fn of_two_objects_with_the_same_names_the_second_counts() {
    let object = |entries: &[(&str, &str)]| {
        Value::object(entries.iter().map(|(key, value)| ((*key).into(), Value::from(*value))))
    };
    let cases: [(&[_], &[_], &[_]); 4] = [
        (&[], &[], &[]),
        (&[("a", "1")], &[], &[("a", "1")]),
        (
            &[("b", "1"), ("d", "1")],
            &[("a", "2"), ("b", "2"), ("c", "2")],
            &[("a", "2"), ("b", "2"), ("c", "2"), ("d", "1")],
        ),
        (&[("a", "1"), ("b", "1")], &[("b", "2")], &[("a", "1"), ("b", "2")]),
    ];
    for (first, second, both) in cases {
        let (first, second) = (object(first), object(second));
        let merged = first.as_entries().zip(second.as_entries()).map(|(a, b)| Value::object_of_both(a, b));
        assert_eq!(format!("{merged:?}"), format!("{:?}", Some(object(both))));
    }
}

#[test]
fn entries_that_are_taken_out_leave_nothing_deep() {
    let deep = (0..20).fold(Value::TRUE, |inner, _| Value::object([("a".into(), inner)]));
    let mut entries: Entries = [("a".into(), deep)].into_iter().collect();
    assert_eq!((entries.summary().depth, entries.take().count(), entries.summary().depth), (21, 1, 0));
}

#[test]
fn objects_that_are_made_alike_share_their_names() {
    let object = |names: &[&str]| Value::object(names.iter().map(|name| (SmolStr::from(*name), Value::TRUE)));
    let is_shared = |a: &Value, b: &Value| {
        a.as_entries().zip(b.as_entries()).is_some_and(|(a, b)| a.shape().is(b.shape()))
    };
    let (first, second, other) = (object(&["b", "a"]), object(&["a", "b"]), object(&["a", "c"]));
    assert!(is_shared(&first, &second) && !is_shared(&first, &other));
    // The shape made between them has replaced the first one in the cache.
    let third = object(&["a", "b"]);
    assert!(!is_shared(&first, &third) && first.as_entries().map(Entries::len) == Some(2));
    assert!(first.same(&third) && !first.same(&other));
    let names = (0..40).map(|number| format!("n{number:02}")).collect::<Vec<_>>();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (large, again) = (object(&names), object(&names));
    assert!(!is_shared(&large, &again) && large.same(&again));
    // Names of its own take up memory, shared names do not.
    assert!(first.own_bytes() > second.own_bytes());
    let long = "k".repeat(600);
    let (first_long, second_long) = (object(&[&long]), object(&[&long]));
    assert!(first_long.own_bytes() > 600 && second_long.own_bytes() < 200);
    // The cache stays in memory, so it must be small.
    let longer = "k".repeat(2000);
    assert!(!is_shared(&object(&[&longer]), &object(&[&longer])));
    let merged = first.as_entries().zip(second.as_entries()).map(|(a, b)| Value::object_of_both(a, b));
    assert!(merged.is_some_and(|merged| is_shared(&merged, &third)));
}
