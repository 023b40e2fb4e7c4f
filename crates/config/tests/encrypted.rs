//! Tests of states in the format in which OpenTofu encrypts them. `encrypted/make.py` writes them with another
//! implementation of the algorithms.

use std::sync::Arc;

use terrane_config::state_file::{
    Decryption, DecryptionKey, DecryptionMethod, Passphrase, decrypted, decrypted_within, is_encrypted,
    state_from_json,
};

const SHA512: &str = include_str!("encrypted/sha512.json");
const SHA256: &str = include_str!("encrypted/sha256.json");
const CHAINED: &str = include_str!("encrypted/chained.json");
const STATIC: &str = include_str!("encrypted/static.json");
const STATIC_192: &str = include_str!("encrypted/static-192.json");

const PASSPHRASE: &str = "correct horse battery staple";

fn passphrase(metadata: &str, passphrase: &str) -> DecryptionMethod {
    let passphrase = Passphrase::Text(passphrase.into());
    let key = DecryptionKey::Derived { metadata: metadata.to_owned(), passphrase };
    DecryptionMethod { key: Arc::new(key), additional_data: Vec::new() }
}

fn key(bytes: impl Iterator<Item = u8>) -> DecryptionMethod {
    DecryptionMethod { key: Arc::new(DecryptionKey::Static(bytes.collect())), additional_data: Vec::new() }
}

/// Returns the identifier of the object in the state, or the error.
fn id(text: &str, methods: &[DecryptionMethod]) -> Result<String, String> {
    let methods = methods.iter().cloned().map(Arc::new).collect();
    let plain = decrypted(text, &Decryption { methods, ..Decryption::default() })
        .map_err(|error| error.to_string())?;
    let state = state_from_json(&plain).map_err(|error| error.to_string())?;
    let object = state
        .resources
        .iter()
        .next()
        .and_then(|resource| resource.instances.iter().next())
        .ok_or("no object")?;
    Ok(object.attributes.split('"').nth(3).unwrap_or_default().to_owned())
}

#[test]
fn keys_and_passphrases_decrypt() {
    let main = passphrase("key_provider.pbkdf2.main", PASSPHRASE);
    let shared = DecryptionMethod { additional_data: vec![1, 2, 255], ..passphrase("shared", PASSPHRASE) };
    for (text, method) in [(SHA512, main), (SHA256, shared), (STATIC, key(0..32)), (STATIC_192, key(0..24))] {
        assert_eq!(id(text, &[method]), Ok("id-of-a".to_owned()));
    }
}

#[test]
fn the_first_method_that_fits_counts() {
    let wrong = [key(1..33), passphrase("key_provider.pbkdf2.other", PASSPHRASE), key(0..32)];
    assert_eq!(id(STATIC, &wrong), Ok("id-of-a".to_owned()));
}

#[test]
fn a_wrong_key_is_an_error_without_it() {
    let cases = [
        (
            SHA512,
            passphrase("key_provider.pbkdf2.main", "hunter2 hunter2 hunter2"),
            "the passphrase is not the one",
        ),
        (SHA256, passphrase("shared", PASSPHRASE), "the passphrase is not the one"),
        (SHA512, passphrase("key_provider.pbkdf2.other", PASSPHRASE), "not encrypted with the key provider"),
        (STATIC, key(1..33), "the key is not the one"),
        (STATIC, key(0..5), "the key has 5 bytes, but AES needs 16, 24 or 32"),
    ];
    for (text, method, words) in cases {
        let error = id(text, std::slice::from_ref(&method)).expect_err("a wrong key");
        assert!(error.contains(words), "{error}");
        assert!(!error.contains("hunter") && !error.contains("horse"), "{error}");
        assert!(!format!("{method:?}").contains("hunter"), "{method:?}");
    }
}

#[test]
fn damaged_and_hostile_states_are_errors() {
    let method = passphrase("key_provider.pbkdf2.main", PASSPHRASE);
    // {"salt":"","iterations":4000000000,"hash_function":"sha512","key_length":32}
    let endless = "eyJzYWx0IjoiIiwiaXRlcmF0aW9ucyI6NDAwMDAwMDAwMCwiaGFzaF9mdW5jdGlvbiI6InNoYTUxMiIsImtleV9sZW5ndGgiOjMyfQ==";
    let state = |meta: &str, data: &str, version: &str| {
        format!(
            r#"{{"meta": {{"key_provider.pbkdf2.main": "{meta}"}}, "encrypted_data": "{data}", "encryption_version": "{version}"}}"#
        )
    };
    for (text, words) in [
        (state(endless, "AAAA", "v0"), "makes 4000000000 iterations, but the limit on steps leaves 2621440"),
        (
            state("e30=", "AAAA", "v0"),
            "the metadata of the key provider \"key_provider.pbkdf2.main\" are damaged",
        ),
        (state("!", "AAAA", "v0"), "are damaged"),
        (state("e30=", "!", "v0"), "not in Base64"),
        (state("e30=", "AAAA", "v9"), "a version that is not known"),
        (SHA512.replacen("v0", "", 1), "a version that is not known"),
    ] {
        let error = id(&text, std::slice::from_ref(&method)).expect_err("a damaged state");
        assert!(error.contains(words), "{error}");
    }
    let error = id(&STATIC.replace("AAECAwQFBgcICQoL", "AAAA"), &[key(0..32)]).expect_err("a damaged state");
    assert!(error.contains("damaged"), "{error}");
    let error = id(SHA512, &[]).expect_err("no key");
    assert!(error.contains("Set TF_ENCRYPTION"), "{error}");
}

#[test]
fn a_plain_state_stays_as_it_is() {
    let text = r#"{"version": 4, "resources": []}"#;
    assert!(!is_encrypted(text));
    assert_eq!(decrypted(text, &Decryption::default()).as_deref(), Ok(text));
}

#[test]
fn chained_keys_decrypt() {
    let chain = |metadata: &str, passphrase| {
        Arc::new(DecryptionKey::Derived { metadata: metadata.to_owned(), passphrase })
    };
    let middle = |key: Vec<u8>| {
        let passphrase = Passphrase::Chain(Arc::new(DecryptionKey::Static(key)));
        Passphrase::Chain(chain("key_provider.pbkdf2.middle", passphrase))
    };
    let method = |key: Vec<u8>| DecryptionMethod {
        key: chain("key_provider.pbkdf2.outer", middle(key)),
        additional_data: Vec::new(),
    };
    assert_eq!(id(CHAINED, &[method((0..32).collect())]), Ok("id-of-a".to_owned()));
    let error = id(CHAINED, &[method((1..33).collect())]).expect_err("a wrong key");
    assert!(error.contains("the passphrase is not the one"), "{error}");
}

#[test]
fn keys_take_steps_of_an_evaluation() {
    let method = Arc::new(passphrase("key_provider.pbkdf2.main", PASSPHRASE));
    let decryption = Decryption { methods: vec![method], ..Decryption::default() };
    let mut steps = 80 << 20;
    decrypted_within(SHA512, &decryption, &mut steps).expect("the passphrase");
    let used = (80 << 20) - steps;
    assert!(used >= 32, "{used}");
    assert!(decrypted_within(SHA512, &decryption, &mut (used - 1)).is_err());
    assert!(decrypted_within(SHA512, &decryption, &mut { used }).is_ok());
}
