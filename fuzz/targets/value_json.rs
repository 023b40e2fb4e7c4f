//! JSON text from anywhere: values and types.

#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane_value::{Type, json};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(ty) = json::decode_type(text) {
        let written = json::encode_type(&ty);
        assert_eq!(json::decode_type(&written).expect("a type that was written"), ty);
    }
    let types = [
        Type::list(Type::String),
        Type::set(Type::Dynamic),
        Type::map(Type::Number),
        Type::tuple([Type::Bool, Type::Dynamic]),
        Type::object([("a".into(), Type::String)]),
    ];
    for ty in types {
        if let Ok(value) = json::decode_as(text, &ty) {
            let _ = json::encode(&value);
        }
    }
    let Ok(value) = json::decode(text) else { return };
    let Ok(written) = json::encode(&value) else { return };
    let again = json::decode(&written).expect("JSON that was written");
    assert!(again.same(&value), "{text}");
    assert_eq!(json::encode(&again).as_deref(), Ok(&*written));
});
