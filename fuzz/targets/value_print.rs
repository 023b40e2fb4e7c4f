//! Every text of a value and of its type; JSON text reads back as the same text.

#![no_main]

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use terrane_fuzz::values;
use terrane_value::{display, json};

fuzz_target!(|data: &[u8]| {
    let mut bytes = Unstructured::new(data);
    let Ok(value) = values::value(&mut bytes) else { return };
    let _ = (display::console(&value), display::annotated(&value), format!("{value:?}"));
    let ty = value.ty();
    let _ = (display::type_text(&ty), ty.to_string(), ty.friendly_name());
    let type_json = json::encode_type(&ty);
    assert_eq!(json::decode_type(&type_json).expect("a type that was written"), ty);
    let Ok(text) = json::encode(&value) else { return };
    let typed = json::decode_as(&text, &ty).expect("a value that was written");
    assert_eq!(json::encode(&typed).as_deref(), Ok(&*text));
    let implied = json::decode(&text).expect("JSON that was written");
    assert_eq!(json::encode(&implied).as_deref(), Ok(&*text));
});
