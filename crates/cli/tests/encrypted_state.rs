//! States that OpenTofu has encrypted: the `encryption` block and `TF_ENCRYPTION` say how to decrypt them.
#![expect(clippy::disallowed_methods, reason = "tests run the command in directories of their own")]
#![expect(clippy::expect_used, reason = "a test that cannot be set up fails")]

mod support;

const MODULE: &str = "resource \"terraform_data\" \"a\" {}\noutput \"id\" { value = terraform_data.a.id }\n";
const DERIVED: &str = include_str!("../../config/tests/encrypted/sha512.json");
const SHARED: &str = include_str!("../../config/tests/encrypted/sha256.json");
const CHAINED: &str = include_str!("../../config/tests/encrypted/chained.json");
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
        assert_eq!((code, &*stdout), (Some(0), "output.id = \"id-of-a\" # reads state\n"), "{stderr}");
    }
}

#[test]
fn a_plain_state_needs_no_configuration_of_encryption() {
    let (code, stdout, stderr) = eval("no { HCL", "{\"version\": 4}");
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

#[test]
fn a_byte_order_mark_is_named() {
    let (code, _, stderr) = eval("", "\u{feff}{\"version\": 4}");
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("begins with a byte order mark"), "{stderr}");
}

#[test]
fn without_the_environment_a_message_says_what_to_do() {
    let files = [("main.tf", MODULE), ("s.tfstate", DERIVED)];
    let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--state", "s.tfstate"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("Set TF_ENCRYPTION to the configuration of its encryption"), "{stderr}");
}

/// A block whose passphrase comes from a secret variable. The wrong key provider in front is a fallback for other states.
const BLOCK: &str = r#"
variable "passphrase" {
  type      = string
  sensitive = true
  default   = null
}
locals { passphrase = "${var.passphrase} battery staple" }
terraform {
  encryption {
    key_provider "pbkdf2" "main" { passphrase = local.passphrase }
    key_provider "static" "other" { key = "00" }
    method "aes_gcm" "main" { keys = key_provider.pbkdf2.main }
    method "aes_gcm" "other" { keys = key_provider.static.other }
    state {
      method = method.aes_gcm.other
      fallback { method = method.aes_gcm.main }
    }
  }
}
"#;

#[test]
fn the_block_of_the_configuration_says_how_to_decrypt() {
    let module = format!("{MODULE}{BLOCK}");
    let files = [("main.tf", &*module), ("terraform.tfstate", DERIVED), ("m/terraform.tfstate", DERIVED)];
    for state in ["terraform.tfstate", "."] {
        let arguments = ["eval", ".", "output.id", "--state", state, "-var", "passphrase=correct horse"];
        let (code, stdout, stderr) = support::terrane(&files, &arguments);
        assert_eq!((code, &*stdout), (Some(0), "output.id = \"id-of-a\" # reads state\n"), "{stderr}");
    }
    for (value, words) in [
        ("passphrase=hunter2", "the passphrase is not the one that it was encrypted with"),
        ("other=1", "`passphrase` of `key_provider.pbkdf2.main` cannot be computed"),
    ] {
        let arguments = ["eval", ".", "--state", "terraform.tfstate", "-var", value];
        let (code, _, stderr) = support::terrane(&files, &arguments);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words) && !stderr.contains("hunter"), "{words}: {stderr}");
    }
}

#[test]
fn the_environment_counts_over_the_block() {
    let block = BLOCK.replace("${var.passphrase} battery staple", "hunter2 hunter2 hunter2");
    let module = format!("{MODULE}{block}");
    // Only one argument of the block is replaced.
    let argument = "key_provider \"pbkdf2\" \"main\" {\n  passphrase = \"correct horse battery staple\"\n}\n";
    let fallback = format!("{argument}state {{ method = method.aes_gcm.main }}\n");
    let files = [("main.tf", &*module), ("s.tfstate", DERIVED)];
    for encryption in [argument, &*fallback] {
        let arguments = ["eval", ".", "output.id", "--state", "s.tfstate"];
        let (code, stdout, stderr) =
            support::terrane_in(&[("TF_ENCRYPTION", encryption)], &files, &arguments);
        assert_eq!((code, &*stdout), (Some(0), "output.id = \"id-of-a\" # reads state\n"), "{stderr}");
    }
}

const CHAIN: &str = r#"
key_provider "static" "main" { key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" }
key_provider "pbkdf2" "middle" { chain = key_provider.static.main }
key_provider "pbkdf2" "outer" { chain = key_provider.pbkdf2.middle }
method "aes_gcm" "main" { keys = key_provider.pbkdf2.outer }
state { method = method.aes_gcm.main }
"#;

#[test]
fn a_key_may_be_the_passphrase_of_another_one() {
    let (code, stdout, stderr) = eval(CHAIN, CHAINED);
    assert_eq!((code, &*stdout), (Some(0), "output.id = \"id-of-a\" # reads state\n"), "{stderr}");
    let ring = CHAIN.replace("key_provider.static.main }", "key_provider.pbkdf2.outer }");
    let both = CHAIN.replace(
        "{ chain = key_provider.static.main }",
        "{\n  passphrase = \"hunter2\"\n  chain = key_provider.static.main\n}",
    );
    let service = CHAIN
        .replace("\"static\" \"main\" { key", "\"aws_kms\" \"main\" { kms_key_id")
        .replace("key_provider.static.main", "key_provider.aws_kms.main");
    for (encryption, words) in [
        (ring, "`key_provider.pbkdf2.outer` is chained to itself"),
        (both, "`key_provider.pbkdf2.middle` has a `passphrase` and a `chain`"),
        (service, "the key provider \"aws_kms\" gets its keys elsewhere"),
    ] {
        let (code, _, stderr) = eval(&encryption, CHAINED);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(words) && !stderr.contains("hunter"), "{words}: {stderr}");
    }
}

#[test]
fn an_encrypted_plan_file_names_the_command_that_writes_the_document() {
    let files = [("main.tf", MODULE), ("planned", DERIVED)];
    let (code, _, stderr) = support::terrane(&files, &["eval", ".", "--plan", "planned"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("it is encrypted by OpenTofu; `tofu show -json planned` writes the document"),
        "{stderr}"
    );
}

/// Data sources that read an encrypted state, one of them in a module.
const READERS: &str = r#"
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "net.tfstate" }
}
module "m" { source = "./m" }
output "zones" { value = [data.terraform_remote_state.net.outputs.zone, module.m.zone] }
"#;
const READER: &str = "data \"terraform_remote_state\" \"net\" {\n  backend = \"local\"\n  config = { path = \"plain.tfstate\" }\n}\n\
                      output \"zone\" { value = data.terraform_remote_state.net.outputs.zone }\n";
const REMOTE: &str = r#"
key_provider "static" "main" { key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" }
key_provider "pbkdf2" "main" { passphrase = "correct horse battery staple" }
method "aes_gcm" "static" { keys = key_provider.static.main }
method "aes_gcm" "derived" { keys = key_provider.pbkdf2.main }
method "unencrypted" "none" {}
remote_state_data_sources {
  default { method = method.aes_gcm.derived }
  remote_state_data_source "m.net" { method = method.unencrypted.none }
}
"#;
const PLAIN: &str = r#"{"version": 4, "outputs": {"zone": {"value": "plain", "type": "string"}}}"#;

#[test]
fn remote_states_are_decrypted() {
    let files =
        [("main.tf", READERS), ("m/main.tf", READER), ("net.tfstate", DERIVED), ("plain.tfstate", PLAIN)];
    let run = |encryption: &str| {
        support::terrane_in(&[("TF_ENCRYPTION", encryption)], &files, &["eval", ".", "output.zones"])
    };
    let (code, stdout, stderr) = run(REMOTE);
    assert_eq!(
        (code, &*stdout),
        (Some(0), "output.zones = [\"eu-west-1a\", \"plain\"] # reads remote-state\n"),
        "{stderr}"
    );
    let block = format!("{READERS}terraform {{\n  encryption {{{REMOTE}}}\n}}\n");
    let with_block = [("main.tf", &*block), files[1], files[2], files[3]];
    let (code, stdout, stderr) = support::terrane(&with_block, &["eval", ".", "output.zones"]);
    assert_eq!(
        (code, &*stdout),
        (Some(0), "output.zones = [\"eu-west-1a\", \"plain\"] # reads remote-state\n"),
        "{stderr}"
    );
    for (encryption, words) in [
        (
            String::new(),
            "`remote_state_data_sources` of the `encryption` block or of TF_ENCRYPTION has no method for it",
        ),
        (
            REMOTE.replace("method.aes_gcm.derived", "method.aes_gcm.static"),
            "the key is not the one that it was encrypted with",
        ),
        (
            REMOTE.replace(
                "\"m.net\" { method = method.unencrypted.none }",
                "\"x\" { method = method.unencrypted.none }",
            ),
            "the state is plain text, but its methods of encryption do not include `unencrypted`",
        ),
    ] {
        let (code, _, stderr) = run(&encryption);
        assert_eq!(code, Some(1), "{stderr}");
        let joined = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains(words), "{words}: {stderr}");
    }
}

#[test]
fn an_option_gives_the_outputs_of_an_encrypted_state() {
    let module = "data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config  = { bucket = \"b\", key = \"k\", region = \"r\" }\n}\noutput \"zone\" { value = data.terraform_remote_state.net.outputs.zone }\n";
    let files = [("main.tf", module), ("net.tfstate", DERIVED)];
    let arguments =
        ["eval", ".", "output.zone", "--remote-state", "data.terraform_remote_state.net=net.tfstate"];
    let (code, stdout, stderr) = support::terrane_in(&[("TF_ENCRYPTION", REMOTE)], &files, &arguments);
    assert!(stdout == "output.zone = \"eu-west-1a\" # reads remote-state\n", "{code:?} {stdout} {stderr}");
    let (code, _, stderr) = support::terrane(&files, &arguments);
    assert_eq!(code, Some(2), "{stderr}");
}

#[test]
fn mistakes_say_what_is_wrong_and_no_secret() {
    let wrong = NATIVE.replace("correct horse", "hunter2 horse");
    let reference = NATIVE.replace("\"correct horse battery staple\"", "var.hunter2");
    let literal = "method \"aes_gcm\" \"m\" {\n  keys = { passphrase = \"hunter2\" }\n}\nstate {\n  method = method.aes_gcm.m\n}";
    for (encryption, words) in [
        (&*wrong, "the passphrase is not the one that it was encrypted with, or the file is damaged"),
        (&*reference, "the key provider \"aws_kms\" gets its keys elsewhere"),
        ("key_provider \"pbkdf2\" \"a\" {\n  passphrase = \"hunter2", "line 2 of TF_ENCRYPTION is not valid"),
        ("state {}", "a target of the encryption has no `method`"),
        ("plan {}", "no `encryption` block of the configuration says how"),
        ("state { method = method.aes_gcm.b }", "there is no block for `method.aes_gcm.b`"),
        (literal, "`keys` must be an address such as key_provider.pbkdf2.main"),
        ("state { method = \"hunter2\" }", "`method` must be an address such as method.aes_gcm.main"),
    ] {
        let (code, stdout, stderr) = eval(encryption, DERIVED);
        assert_eq!((code, &*stdout), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
        assert!(!stderr.contains("hunter") && !stderr.contains("horse"), "{stderr}");
    }
}
