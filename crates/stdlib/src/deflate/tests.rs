//! Every output decompresses to its input, and has the bytes that the reference writes.

use std::convert::Infallible;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::{Level, deflate, gzip};

/// Returns one text for each case that blocks and searches treat in their own way, with the SHA-256 of the result of
/// `base64gzip` in Terraform 1.11.4.
fn texts() -> Vec<(&'static str, String, &'static str)> {
    vec![
        ("empty", String::new(), "23c30f494239bb528aca9046c1011300d66cd9fc76349caf661f8a64536e6f67"),
        ("one byte", "a".into(), "68157f9748e780393db71b4761f22c5ab3a7c893d19e792846114818e7880157"),
        ("a run", "a".repeat(70_000), "3dbf77d4e550f6d7817623eaf2c80753cabb78558e4c05469899fbb19596cf2d"),
        ("letters", noise(3_000, 26), "a9ee0070c5dc754ea8ecdb10686ece07673fff3277e0c4bdc4bbc8b7874846e3"),
        (
            "every printable byte",
            noise(40_000, 94),
            "6344d2ad44e9d8c62aa64926341c4bf533fe592e8498e31579b124a7b0293522",
        ),
        (
            "few letters, several blocks",
            noise(150_000, 3),
            "3ebdb8fb3d559f7016ec8dc36c2d19d76bc71e8fd55ad4e447a4be6893dac1ba",
        ),
        (
            "a repetition beyond the window",
            noise(33_000, 94).repeat(3),
            "e9599e87636a2bd90a7cc635058c653fd10e28218ea4515c3fd30221722431f8",
        ),
        (
            "a repetition in the window",
            noise(32_000, 94).repeat(5),
            "88fd519f6359ef368db58ee20b9335f042df424908d34849805496c595fd19c0",
        ),
        (
            "lines",
            (0..4_000).map(|line| format!("  resource_{} = {}\n", line % 50, line * 7)).collect(),
            "9da9be62515f9658510fc1c22c1ff3dc151117303f573b6b124bfa58d7222d23",
        ),
    ]
}

/// Returns text from the first `alphabet` printable characters. It depends only on its length and its alphabet.
fn noise(length: usize, alphabet: u64) -> String {
    let mut state = 1_u64;
    let byte = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + u8::try_from((state >> 33) % alphabet).unwrap())
    };
    (0..length).map(byte).collect()
}

/// A `spend` that counts no work.
fn free(_: usize) -> Result<(), Infallible> {
    Ok(())
}

#[test]
fn the_bytes_are_those_of_the_reference() {
    for (name, text, expected) in texts() {
        let bytes = gzip(&[text.as_bytes()], true, free).unwrap();
        let mut content = String::new();
        flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut content).unwrap();
        assert!(content == text, "{name}");
        assert_eq!(
            base16ct::lower::encode_string(&Sha256::digest(STANDARD.encode(&bytes))),
            expected,
            "{name}"
        );
    }
}

#[test]
fn where_writes_end_moves_only_the_window() {
    for (name, text, _) in texts() {
        for size in [1_000, 65_000] {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let mut content = String::new();
            let bytes = deflate(&chunks, Level::ZIP, false, free).unwrap();
            flate2::read::DeflateDecoder::new(&*bytes).read_to_string(&mut content).unwrap();
            assert!(content == text, "{name} by {size}");
        }
    }
}
