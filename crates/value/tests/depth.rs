//! The deepest values that there are.

use terrane_value::{MAX_DEPTH, Value, display, json};

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
    // Half of what a thread has, without optimisation.
    let small = std::thread::Builder::new().stack_size(1 << 20);
    small.spawn(work).unwrap().join().unwrap();
}
