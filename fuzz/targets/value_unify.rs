//! The type of several values: each converts to it, and a set of them does not depend on their order.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::values;
use terrane_value::{Type, Unification, Value, can_convert, unify_values};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let mut all = Vec::new();
    while let Ok(value) = values::value(&mut bytes) {
        all.push(value);
        if bytes.is_empty() || all.len() == 5 {
            break;
        }
    }
    let types: Vec<Type> = all.iter().map(Value::ty).collect();
    // A dynamic part may make each of several steps convertible and not the whole way, as in the reference.
    let later = types.iter().any(Type::has_dynamic);
    let reaches = |ty: &Type, unification: &Unification| {
        let through = |collected: &Type| {
            can_convert(ty, collected)
                && (collected == &unification.ty || can_convert(collected, &unification.ty))
        };
        can_convert(ty, &unification.ty) || unification.collected.as_ref().is_some_and(through)
    };
    for unification in [Unification::of_safe(&types), Unification::of(&types)].into_iter().flatten() {
        assert!(later || types.iter().all(|ty| reaches(ty, &unification)), "{types:?} to {unification:?}");
    }
    let Some(Ok((ty, elements))) = unify_values(&all) else { return };
    if elements.iter().any(|element| element.ty() != ty || !element.is_wholly_known()) {
        return;
    }
    let forth = Value::set(ty.clone(), elements.clone());
    let back = Value::set(ty, elements.into_iter().rev());
    // Elements that differ after ten digits only keep their given order, as in the reference.
    assert_eq!(forth.equals(&back), Some(true), "{forth:?}, {back:?}");
});
