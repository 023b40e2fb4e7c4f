//! Conversion never panics, gives the wanted type, and changes nothing the second time.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::values;
use terrane_value::{Defaults, TypeConstraint, can_convert, convert};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let (Ok(want), Ok(value)) = (values::ty(&mut bytes), values::value(&mut bytes)) else { return };
    let _ = want.to_string();
    match convert(&value, &want) {
        Ok(once) => {
            assert!(can_convert(&value.ty(), &want), "{value:?} to {want}");
            assert!(once.is_marked() || !value.is_marked());
            assert!(value.contains_marked() || !once.contains_marked());
            match convert(&once, &want) {
                // A null may lose its marks the second time, and a set whose length is not known becomes a list of its own
                // elements, as in the reference, and only then one of those that are wanted.
                Ok(twice) => {
                    let [(first, _), (second, _)] = [once.unmark_deep(), twice.unmark_deep()];
                    let is_of_type = want.has_dynamic() || once.ty() == want.without_optional();
                    assert!(
                        first.same(&second) || !is_of_type,
                        "{value:?} to {want}: {first:?}, then {second:?}"
                    );
                }
                // An empty collection inside of others takes `any` for its element type, as in the reference,
                // and then differs from its neighbours.
                Err(_) => assert!(want.has_dynamic(), "{value:?} to {want}: {once:?}"),
            }
        }
        Err(error) => drop(error.to_string()),
    }
    let mut defaults = Defaults::none(want.clone());
    if let Ok(default) = values::value(&mut bytes) {
        defaults.values.insert("a".into(), default);
    }
    let _ = TypeConstraint { ty: want, defaults }.convert(&value);
});
