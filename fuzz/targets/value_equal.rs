//! Equality, set keys and operators agree with each other.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::values;
use terrane_value::{Origins, ops};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let (Ok(left), Ok(right)) = (values::value(&mut bytes), values::value(&mut bytes)) else { return };
    assert!(left.same(&left.clone()));
    assert_eq!(left.same(&right), right.same(&left));
    let (forth, back) = (ops::equal(&left, &right), ops::equal(&right, &left));
    assert!(forth.same(&back), "{left:?} == {right:?}: {forth:?}, {back:?}");
    let _ = ops::equal_configured(&left, &right, &Origins::NONE);
    if left.is_wholly_known() {
        assert_eq!(left.equals(&left), Some(true), "{left:?}");
    }
    if left.is_wholly_known() && right.is_wholly_known() && left.ty() == right.ty() {
        let (left, right) = (left.unmark_deep().0, right.unmark_deep().0);
        let equal = left.equals(&right) == Some(true);
        if left.set_key() == right.set_key() {
            assert!(equal, "{left:?} and {right:?} have one key");
        }
        if equal && !format!("{left:?}{right:?}").contains("-0@") {
            assert_eq!(left.set_key(), right.set_key(), "{left:?} == {right:?}");
        }
    }
    let _ = (ops::add(&left, &right), ops::subtract(&left, &right), ops::multiply(&left, &right));
    let _ = (ops::divide(&left, &right), ops::modulo(&left, &right), ops::negate(&left));
    let _ = (ops::less(&left, &right), ops::greater_or_equal(&left, &right));
    let _ = (ops::and(&left, &right), ops::or(&left, &right), ops::not(&left));
    let _ = (ops::index(&left, &right), ops::has_index(&left, &right), ops::length(&left));
    let _ = (ops::attribute(&left, "a"), left.range(), left.origins_deep());
});
