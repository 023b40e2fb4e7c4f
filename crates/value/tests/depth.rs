//! Tests of the deepest values that the limits allow.

use terrane_value::{MAX_DEPTH, Marks, Origins, Value, display, json};

#[test]
fn the_deepest_values_need_little_of_the_stack() {
    let nest = || (0..MAX_DEPTH).fold(Value::from("a"), |inner, _| Value::tuple([inner]));
    let work = move || {
        let (left, right) = (nest(), nest());
        assert_eq!(left.equals(&right), Some(true));
        assert!(left.same(&right) && left.set_key() == right.set_key());
        let text = json::encode(&left).unwrap();
        assert!(json::decode(&text).unwrap().same(&left));
        assert!(display::console(&left).len() > 100_000);
        assert!(display::annotated(&left).len() > 100_000);
        assert!(!left.unmark_deep().0.contains_marked());
    };
    // Half of the stack of a thread, without optimisation.
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small.spawn(work).unwrap().join().unwrap();
}

#[test]
fn the_deepest_values_are_compared_and_written_without_recursion() {
    let nest = || {
        (0..MAX_DEPTH / 2).fold(Value::from("a"), |inner, _| {
            Value::tuple([Value::object([("a".into(), Value::TRUE), ("b".into(), inner)])])
        })
    };
    let (left, right) = (nest(), nest());
    let work = move || {
        assert_eq!(left.equals(&right), Some(true));
        assert!(display::console(&left).contains("\"a\" = true"));
        assert!(json::encode(&left).unwrap().starts_with(r#"[{"a":true,"b":[{"#));
    };
    let small = std::thread::Builder::new().stack_size(64 << 10);
    small.spawn(work).unwrap().join().unwrap();
}

/// Values are dropped wherever their last user happens to be, so dropping one must need no stack at all.
#[test]
fn the_deepest_values_are_dropped_without_recursion() {
    let nest = |wrap: fn(Value) -> Value| (0..MAX_DEPTH).fold(Value::from("a"), |inner, _| wrap(inner));
    let object = |inner: Value| Value::object([("a".into(), inner)]);
    let marked = |inner: Value| Value::tuple([inner.with_marks(&Marks::sensitive())]);
    let open = |inner: Value| Value::open_sequence(vec![inner], Origins::NONE);
    let shared = nest(object);
    let values = vec![nest(|inner| Value::tuple([inner])), nest(object), nest(marked), shared.clone()];
    let outer = Value::tuple([(1..MAX_DEPTH).fold(Value::from("a"), |inner, _| open(inner))]);
    let small = std::thread::Builder::new().stack_size(16 << 10);
    small.spawn(move || drop((values, outer))).unwrap().join().unwrap();
    assert_eq!(shared.depth(), MAX_DEPTH);
}
