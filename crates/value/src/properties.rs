//! Property tests: laws of conversion, equality and sets, on random values from a fixed seed.

use crate::{Entries, Marks, Number, SmolStr, Type, Value, can_convert, convert, ops, unify_values};

/// A small generator of pseudo-random numbers, so that every run uses the same values.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 8] = ["", "a", "b", "1", "true", "0.1", "\u{e9}", "10"];
        WORDS[usize::try_from(self.below(8)).unwrap()]
    }

    fn value(&mut self, depth: u64) -> Value {
        let value = match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => Value::from(self.below(2) == 0),
            1 => Value::from(self.word()),
            2 => Value::number(Number::parse(["0", "-0", "1", "2.5", "10"][self.below(5) as usize]).unwrap()),
            3 => Value::NULL,
            4 => Value::unknown(
                [Type::String, Type::Dynamic, Type::list(Type::Bool)][self.below(3) as usize].clone(),
            ),
            5 => Value::number(Number::counted(1)),
            6 | 7 => {
                let length = self.below(4);
                Value::tuple((0..length).map(|_| self.value(depth - 1)).collect::<Vec<_>>())
            }
            8 => {
                let length = self.below(4);
                let entry = |random: &mut Random| (SmolStr::from(random.word()), random.value(depth - 1));
                Value::object((0..length).map(|_| entry(self)).collect::<Vec<_>>())
            }
            _ => {
                let tuple = self.value(depth);
                let types = [Type::list(Type::Dynamic), Type::set(Type::Dynamic), Type::map(Type::Dynamic)];
                convert(&tuple, &types[self.below(3) as usize]).unwrap_or(tuple)
            }
        };
        if self.below(12) == 0 { value.with_marks(&Marks::sensitive()) } else { value }
    }
}

fn types() -> Vec<Type> {
    let object = Type::object([("a".into(), Type::String), ("b".into(), Type::Dynamic)]);
    vec![
        Type::Bool,
        Type::Number,
        Type::String,
        Type::Dynamic,
        Type::list(Type::String),
        Type::list(Type::Dynamic),
        Type::set(Type::String),
        Type::set(Type::Dynamic),
        Type::map(Type::Dynamic),
        Type::map(Type::list(Type::Dynamic)),
        Type::list(object.clone()),
        object,
        Type::tuple([Type::Dynamic, Type::String]),
    ]
}

#[test]
fn conversion_is_idempotent_and_announced() {
    let mut random = Random(1);
    let mut converted = 0;
    for _ in 0..4000 {
        let value = random.value(3);
        for ty in types() {
            let Ok(once) = convert(&value, &ty) else { continue };
            assert!(can_convert(&value.ty(), &ty), "{value:?} to {ty}");
            let twice = convert(&once, &ty).unwrap();
            // In some conversions, the reference drops the marks of a null.
            let same = if has_marked_null(&once) {
                twice.unmark_deep().0.same(&once.unmark_deep().0)
            } else {
                twice.same(&once)
            };
            assert!(same, "{value:?} to {ty}: {once:?}, then {twice:?}");
            converted += 1;
        }
    }
    assert!(converted > 10_000, "{converted}");
}

fn has_marked_null(value: &Value) -> bool {
    let inner = value.unmarked();
    let elements = inner.as_sequence().unwrap_or_default().iter();
    let entries = inner.as_entries().into_iter().flat_map(Entries::values);
    (value.is_marked() && value.is_null()) || elements.chain(entries).any(has_marked_null)
}

#[test]
fn equality_is_symmetric_and_agrees_with_identity() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let (left, right) = (random.value(2), random.value(2));
        assert!(left.same(&left) && left.same(&left.clone()));
        assert_eq!(left.same(&right), right.same(&left));
        let (forth, back) = (ops::equal(&left, &right), ops::equal(&right, &left));
        assert!(forth.same(&back), "{left:?} == {right:?}: {forth:?}, {back:?}");
        if left.is_wholly_known() {
            assert_eq!(ops::equal(&left, &left).as_bool(), Some(true), "{left:?}");
        }
    }
}

#[test]
fn the_order_of_a_set_does_not_depend_on_the_order_of_its_making() {
    let mut random = Random(3);
    let mut made = 0;
    for _ in 0..4000 {
        let elements: Vec<Value> = (0..random.below(6)).map(|_| random.value(2)).collect();
        let Some(Ok((ty, elements))) = unify_values(&elements) else { continue };
        if elements.iter().any(|element| !element.is_wholly_known() || element.ty() != ty) {
            continue;
        }
        let forth = Value::set(ty.clone(), elements.clone());
        let back = Value::set(ty.clone(), elements.into_iter().rev());
        assert!(forth.same(&back), "{forth:?}, {back:?}");
        let again = Value::set(ty, forth.as_sequence().unwrap().to_vec()).with_marks(forth.marks());
        assert!(again.same(&forth));
        made += 1;
    }
    assert!(made > 300, "{made}");
}

#[test]
fn equal_values_of_one_type_have_one_key() {
    let mut random = Random(4);
    let mut equal = 0;
    for _ in 0..60_000 {
        let (left, right) = (random.value(2).unmark_deep().0, random.value(2).unmark_deep().0);
        if left.ty() != right.ty() || !left.is_wholly_known() || !right.is_wholly_known() {
            continue;
        }
        let has_negative_zero = format!("{left:?}{right:?}").contains("-0@");
        let is_equal = left.equals(&right).unwrap();
        if left.set_key() == right.set_key() {
            assert!(is_equal, "{left:?}, {right:?}");
        } else {
            // The two zeros are equal, but are two elements of a set.
            assert!(!is_equal || has_negative_zero, "{left:?}, {right:?}");
        }
        equal += usize::from(is_equal);
    }
    assert!(equal > 1000, "{equal}");
}

#[test]
fn the_order_of_sets_is_total() {
    let mut random = Random(5);
    let number = |random: &mut Random| {
        let texts = ["-1", "-0", "0", "1e-3", "2", "10", "1e30", "inf"];
        Value::number(Number::parse(texts[random.below(8) as usize]).unwrap())
    };
    for round in 0..4000 {
        let mut element = || match round % 4 {
            0 => number(&mut random),
            1 => Value::from(random.word()),
            2 => Value::tuple([number(&mut random), Value::from(random.word())]),
            _ => Value::object([
                ("a".into(), Value::from(random.below(2) == 0)),
                ("b".into(), number(&mut random)),
            ]),
        };
        let all = [element(), element(), element()];
        let sorted = |elements: &[&Value]| {
            let set = Value::set(Type::Dynamic, elements.iter().map(|element| (*element).clone()));
            set.as_sequence().unwrap().to_vec()
        };
        let [a, b, c] = &all;
        let whole = sorted(&[a, b, c]);
        let place = |value: &Value| whole.iter().position(|element| element.set_key() == value.set_key());
        for pair in [[a, b], [b, c], [a, c]] {
            if let [first, second] = sorted(&pair).as_slice() {
                assert!(place(first) < place(second), "{pair:?} within {whole:?}");
            }
        }
    }
}

#[test]
fn a_value_takes_three_words() {
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Option<Value>>(), 24);
}
