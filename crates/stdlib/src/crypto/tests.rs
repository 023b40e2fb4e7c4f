use terrane_function::{Random, World};
use terrane_source::MemoryFiles;
use terrane_value::{Number, Value};

use crate::testing::{call, call_with, show_result, shown_of, strings};

#[test]
fn digests() {
    let cases = [
        ("md5", "hello", "5d41402abc4b2a76b9719d911017c592"),
        ("sha1", "test", "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"),
        ("sha256", "test", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        ("base64sha256", "hello", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
        ("filemd5", "hello.txt", "8b1a9953c4611296a827abf8c47804d7"),
        ("filesha1", "hello.txt", "f7ff9e8b7bb2e09b70935a5d785e0cc5d9d0abf0"),
    ];
    for (name, argument, want) in cases {
        assert_eq!(shown_of(name, [argument]), format!("\"{want}\""), "{name}");
    }
    for (name, length) in [("sha512", 128), ("base64sha512", 88)] {
        assert_eq!(call(name, ["a".into()]).unwrap().as_str().map(str::len), Some(length));
    }
    for name in ["filesha256", "filesha512", "filebase64sha256", "filebase64sha512"] {
        assert_eq!(shown_of(name, ["missing.txt"]), "error");
    }
}

#[test]
fn identifiers() {
    let cases = [
        ("dns", "tada", "faa898db-9b9d-5b75-86a9-149e7bb8e3b8"),
        ("url", "tada", "2c1ff6b4-211f-577e-94de-d978b0caa16e"),
        ("oid", "1.3.6", "bc8acacf-ab10-5568-8dca-bd10287208ae"),
        ("x500", "CN=1", "93e4b7ea-f1f1-538a-b39e-8b98cdf3f1dd"),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "tada", "faa898db-9b9d-5b75-86a9-149e7bb8e3b8"),
    ];
    for (namespace, name, want) in cases {
        assert_eq!(shown_of("uuidv5", [namespace, name]), format!("\"{want}\""));
    }
    assert_eq!(shown_of("uuidv5", ["tada", "tada"]), "error");
}

/// Each byte is the one before it and one.
struct Counting;

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        (0_u8..).zip(bytes).for_each(|(count, byte)| *byte = count);
    }
}

#[test]
fn what_is_random_is_unknown_unless_random_numbers_are_given() {
    let number = |number| Value::number(Number::literal(number));
    for name in ["uuid", "uuidv4"] {
        assert_eq!(&*call(name, []).unwrap().origins().as_slice()[0].subject, name);
    }
    assert!(!call("bcrypt", ["a".into()]).unwrap().is_known());
    let world = World { random: Some(&Counting), ..World::default() };
    let with_random =
        |name, arguments: Vec<Value>| show_result(&call_with(&MemoryFiles::new(), world, name, arguments));
    assert_eq!(with_random("uuid", vec![]), "00010203-0405-4607-8809-0a0b0c0d0e0f");
    let digest = with_random("bcrypt", vec!["a".into(), number(4)]);
    assert!(digest.starts_with("$2a$04$") && digest.len() == 60, "{digest}");
    assert!(with_random("bcrypt", vec!["a".into(), number(3)]).starts_with("$2a$10$"));
    assert_eq!(with_random("bcrypt", vec!["a".into(), number(31)]), "error");
    assert_eq!(with_random("bcrypt", vec!["a".repeat(73).into(), number(4)]), "error");
    assert_eq!(with_random("bcrypt", vec!["a".into(), number(4), number(4)]), "error");
}

/// A key of 512 bits, made for this test, in the forms PKCS #1, PKCS #8 and OpenSSH.
const KEYS: [(&str, &str); 3] = [
    (
        "RSA PRIVATE KEY",
        "MIIBOwIBAAJBAK9Qc6VXMJBb3nve+jJu9+S0Jyx2WdkwAe9phEnkWMfjF3NZfikj5CSSiLmJM4qh5qzvyrwof+hY/RMKiV2BxckC \
         AwEAAQJAdvj28j7AQ0dFLfT8/9rUuc0URJUwljaBKbMGxoqDQWoYUWNRNXqVw/9mled3bKXiZNd49C+hDzlQRwXQLuDFAQIhAOAw \
         RshQSjqhJyCwtFuq7hftUpD5XOzU47km5sXLXmNhAiEAyDDMvIfwUQirxdm5Qicas8/RdQbwCaJSJowiV00s42kCIQDPFaj8dbXr \
         bFrRRoiDOGQQNAcVpVHh7lCgAcAfqth4YQIhAIUnaFaSOLc9hDuCOOYWan1lYlVruuc9j1TSatkUnSHZAiBZySa05pOQZtEXF08H \
         ax2WAxCH0mV5WgPp7gN26TWOaQ==",
    ),
    (
        "PRIVATE KEY",
        "MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAr1BzpVcwkFvee976Mm735LQnLHZZ2TAB72mESeRYx+MXc1l+KSPk \
         JJKIuYkziqHmrO/KvCh/6Fj9EwqJXYHFyQIDAQABAkB2+PbyPsBDR0Ut9Pz/2tS5zRRElTCWNoEpswbGioNBahhRY1E1epXD/2aV \
         53dspeJk13j0L6EPOVBHBdAu4MUBAiEA4DBGyFBKOqEnILC0W6ruF+1SkPlc7NTjuSbmxcteY2ECIQDIMMy8h/BRCKvF2blCJxqz \
         z9F1BvAJolImjCJXTSzjaQIhAM8VqPx1tetsWtFGiIM4ZBA0BxWlUeHuUKABwB+q2HhhAiEAhSdoVpI4tz2EO4I45hZqfWViVWu6 \
         5z2PVNJq2RSdIdkCIFnJJrTmk5Bm0RcXTwdrHZYDEIfSZXlaA+nuA3bpNY5p",
    ),
    (
        "OPENSSH PRIVATE KEY",
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAVwAAAAdzc2gtcnNhAAAAAwEAAQAAAEEAr1BzpVcwkFve \
         e976Mm735LQnLHZZ2TAB72mESeRYx+MXc1l+KSPkJJKIuYkziqHmrO/KvCh/6Fj9EwqJXYHFyQAAARgBAgMEAQIDBAAAAAdzc2gt \
         cnNhAAAAQQCvUHOlVzCQW9573voybvfktCcsdlnZMAHvaYRJ5FjH4xdzWX4pI+Qkkoi5iTOKoeas78q8KH/oWP0TColdgcXJAAAA \
         AwEAAQAAAEB2+PbyPsBDR0Ut9Pz/2tS5zRRElTCWNoEpswbGioNBahhRY1E1epXD/2aV53dspeJk13j0L6EPOVBHBdAu4MUBAAAA \
         IFnJJrTmk5Bm0RcXTwdrHZYDEIfSZXlaA+nuA3bpNY5pAAAAIQDgMEbIUEo6oScgsLRbqu4X7VKQ+Vzs1OO5JubFy15jYQAAACEA \
         yDDMvIfwUQirxdm5Qicas8/RdQbwCaJSJowiV00s42kAAAAAAQID",
    ),
];

/// The word "message", encrypted for that key.
const SECRET: &str =
    "CtrB/tHd7kyiWbTw8BtDcSTMj3oyHft7CHnHaHMWVffNOtO/behu61PRxJL7qyIe//2p6mpEGblSKtK6bdBO6A==";

#[test]
fn decryption() {
    let pem = |label: &str, body: &str| format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n");
    for (label, body) in KEYS {
        assert_eq!(shown_of("rsadecrypt", [SECRET, &pem(label, body)]), r#""message""#, "{label}");
        assert_eq!(shown_of("rsadecrypt", ["AAAA", &pem(label, body)]), "error", "{label}");
    }
    assert_eq!(shown_of("rsadecrypt", ["!", "y"]), "error 0");
    let wrong = [
        "y".to_owned(),
        pem("RSA PRIVATE KEY", "AAAA"),
        pem("PRIVATE KEY", "MP8="),
        pem("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEA/////w=="),
        pem("EC PRIVATE KEY", KEYS[0].1),
        pem("RSA PRIVATE KEY", "MAwCAQACAQACAQACAQA="),
    ];
    for key in wrong {
        assert_eq!(shown_of("rsadecrypt", [SECRET, &key]), "error 1", "{key}");
    }
    // Each kind of key says in its own way that it is protected by a password.
    let protected = [
        pem("ENCRYPTED PRIVATE KEY", KEYS[1].1),
        pem("RSA PRIVATE KEY", &format!("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{}", KEYS[0].1)),
        pem(
            "OPENSSH PRIVATE KEY",
            "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAAAAAAAEAAABXAAAAB3NzaC1y",
        ),
    ];
    for key in protected {
        let error = call("rsadecrypt", strings([SECRET, &key])).unwrap_err();
        assert_eq!(error.to_string(), "a key that is protected by a password cannot be used", "{key}");
    }
}
