//! `--state` with states that OpenTofu has encrypted: `TF_ENCRYPTION` says how to decrypt them.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

const MODULE: &str = "resource \"terraform_data\" \"a\" {}\noutput \"id\" { value = terraform_data.a.id }\n";
const DERIVED: &str = include_str!("../../config/tests/encrypted/sha512.json");
const SHARED: &str = include_str!("../../config/tests/encrypted/sha256.json");
const STATIC: &str = include_str!("../../config/tests/encrypted/static.json");

const NATIVE: &str = r#"
key_provider "aws_kms" "cloud" {
  kms_key_id = "x"
}
key_provider "pbkdf2" "main" {
  passphrase = "correct horse battery staple"
  iterations = 600000
}
method "aes_gcm" "cloud" { keys = key_provider.aws_kms.cloud }
method "aes_gcm" "main" { keys = key_provider.pbkdf2.main }
method "unencrypted" "old" {}
state {
  method   = method.aes_gcm.cloud
  enforced = true
  fallback {
    method = method.unencrypted.old
    fallback { method = method.aes_gcm.main }
  }
}
"#;

const JSON: &str = r#"{
  "key_provider": {"static": {"main": {"key": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}}},
  "method": {"aes_gcm": {"main": {"keys": "${key_provider.static.main}"}}},
  "state": {"method": "${method.aes_gcm.main}"}
}"#;

const ALIAS: &str = r#"
key_provider "pbkdf2" "main" {
  passphrase               = "correct horse battery staple"
  encrypted_metadata_alias = "shared"
}
method "aes_gcm" "main" {
  keys = key_provider.pbkdf2.main
  aad  = [1, 2, 255]
}
state { method = method.aes_gcm.main }
"#;

fn eval(encryption: &str, state: &str) -> (Option<i32>, String, String) {
    let environment = [("TF_ENCRYPTION", encryption)];
    let files = [("main.tf", MODULE), ("s.tfstate", state)];
    support::terrane_in(&environment, &files, &["eval", ".", "output.id", "--state", "s.tfstate"])
}

#[test]
fn the_environment_says_how_to_decrypt() {
    for (encryption, state) in [(NATIVE, DERIVED), (JSON, STATIC), (ALIAS, SHARED)] {
        let (code, stdout, stderr) = eval(encryption, state);
        assert_eq!((code, &*stdout), (Some(0), "output.id = \"id-of-a\"\n"), "{stderr}");
    }
}

#[test]
fn a_plain_state_needs_no_configuration_of_encryption() {
    let (code, stdout, stderr) = eval("no { HCL", "{\"version\": 4}");
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

#[test]
fn without_the_environment_a_message_says_what_to_do() {
    let files = [("main.tf", MODULE), ("s.tfstate", DERIVED)];
    let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--state", "s.tfstate"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("Set TF_ENCRYPTION to the configuration of its encryption"), "{stderr}");
}

#[test]
fn mistakes_say_what_is_wrong_and_no_secret() {
    let wrong = NATIVE.replace("correct horse", "hunter2 horse");
    let reference = NATIVE.replace("\"correct horse battery staple\"", "var.hunter2");
    let literal = "method \"aes_gcm\" \"m\" {\n  keys = { passphrase = \"hunter2\" }\n}\nstate {\n  method = method.aes_gcm.m\n}";
    let chain = ALIAS.replace(
        "passphrase               = \"correct horse battery staple\"",
        "chain = key_provider.static.x",
    );
    for (encryption, words) in [
        (&*wrong, "the passphrase is not the one that it was encrypted with, or the file is damaged"),
        (&*reference, "the key provider \"aws_kms\" gets its keys elsewhere"),
        (
            "key_provider \"pbkdf2\" \"a\" {\n  passphrase = \"hunter2",
            "TF_ENCRYPTION does not say how: line 2 is not valid",
        ),
        ("state {}", "its `state` block names no method that encrypts"),
        ("plan {}", "it has no `state` block"),
        ("state { method = method.aes_gcm.b }", "it has no block for `method.aes_gcm.b`"),
        (literal, "`keys` must be an address such as key_provider.pbkdf2.main"),
        ("state { method = \"hunter2\" }", "`method` must be an address such as method.aes_gcm.main"),
        (&*chain, "gets its passphrase from another key provider, which is not supported"),
    ] {
        let (code, stdout, stderr) = eval(encryption, DERIVED);
        assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
        assert!(!stderr.contains("hunter") && !stderr.contains("horse"), "{stderr}");
    }
}
