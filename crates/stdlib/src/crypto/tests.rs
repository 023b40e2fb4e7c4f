//! Tests of digests and keys.

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
fn random_results_are_unknown_without_random_numbers() {
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

/// A key of 1,024 bits, made for this test, in the forms PKCS #1, PKCS #8 and OpenSSH.
const KEYS: [(&str, &str); 3] = [
    (
        "RSA PRIVATE KEY",
        "MIICXAIBAAKBgQDcdd5JifUiUKVyR+gOk+JbjuAKEzKPWKxnPn4P/ECbFAUKSIwqfmDcqiWcL95lZnDbeXPILepkG+2+A9xehbGB \
         YAi+eqg5R18QhkijEqX73oRYjxec2SktQ3MeP0pDO/xB+7Nue/cYoqsBYeRSDw3+2wuqRxCrUTqd7SQdnyfiDwIDAQABAoGBAJBn \
         CC3lFlLevi/n16FMznSoViljP7fTHkIWFd6EnRC3AUImGOFwnCONs0rls+d5PS0VFXimUqQ2Avh2cO7c5VGgZZ4GdvBF90k7rzxg \
         2nfOHcN5bo55hh68sLV9el1MNsrG+zxZEZ0IC3AVW3eEjPm5qZ7ucK/u1s1alW0d60dJAkEA9R//NOJSjGHavErUIDpRwqOEbKHW \
         XCHoRDR+zMAfLxGctMF+Vp+oeb+Zf/uP3fKqBdrp9mgvWy7aYXlrIBdbqwJBAOY9vneLqw2ZhWvb5h77Scf5CAv0BQW5CAUuhR93 \
         pJ3U8zYCIh5+3OuXygntgBjU+JV0isLvZro+kpsaF+ZJTy0CQDUIdiuX56otpahlPB244GWPASCLpxgJ0fmnreNYkaaaVeAZmN7e \
         7hFhLbGt2IN5c+WOZl4ETnKY4XCDV3T6+L8CQHQC3Hvj9jaOCnpEfPlTaOPICVPsirNNfksOG6m1YU7dxAaMoKB5D9vtybGi6A6b \
         EP5NkLWUZ1Ckwr5AMZapjakCQFB/PqtKtnfG/wrPqG3oDH0egWlIu4NAhRdMyD5I0E5halyH8Bj6ldHGxQHKweJAKcjlJIT/wo2W \
         yfsFNIW7xio=",
    ),
    (
        "PRIVATE KEY",
        "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBANx13kmJ9SJQpXJH6A6T4luO4AoTMo9YrGc+fg/8QJsUBQpIjCp+ \
         YNyqJZwv3mVmcNt5c8gt6mQb7b4D3F6FsYFgCL56qDlHXxCGSKMSpfvehFiPF5zZKS1Dcx4/SkM7/EH7s2579xiiqwFh5FIPDf7b \
         C6pHEKtROp3tJB2fJ+IPAgMBAAECgYEAkGcILeUWUt6+L+fXoUzOdKhWKWM/t9MeQhYV3oSdELcBQiYY4XCcI42zSuWz53k9LRUV \
         eKZSpDYC+HZw7tzlUaBlngZ28EX3STuvPGDad84dw3lujnmGHrywtX16XUw2ysb7PFkRnQgLcBVbd4SM+bmpnu5wr+7WzVqVbR3r \
         R0kCQQD1H/804lKMYdq8StQgOlHCo4RsodZcIehENH7MwB8vEZy0wX5Wn6h5v5l/+4/d8qoF2un2aC9bLtpheWsgF1urAkEA5j2+ \
         d4urDZmFa9vmHvtJx/kIC/QFBbkIBS6FH3ekndTzNgIiHn7c65fKCe2AGNT4lXSKwu9muj6SmxoX5klPLQJANQh2K5fnqi2lqGU8 \
         HbjgZY8BIIunGAnR+aet41iRpppV4BmY3t7uEWEtsa3Yg3lz5Y5mXgROcpjhcINXdPr4vwJAdALce+P2No4KekR8+VNo48gJU+yK \
         s01+Sw4bqbVhTt3EBoygoHkP2+3JsaLoDpsQ/k2QtZRnUKTCvkAxlqmNqQJAUH8+q0q2d8b/Cs+obegMfR6BaUi7g0CFF0zIPkjQ \
         TmFqXIfwGPqV0cbFAcrB4kApyOUkhP/CjZbJ+wU0hbvGKg==",
    ),
    (
        "OPENSSH PRIVATE KEY",
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAlwAAAAdzc2gtcnNhAAAAAwEAAQAAAIEA3HXeSYn1IlCl \
         ckfoDpPiW47gChMyj1isZz5+D/xAmxQFCkiMKn5g3KolnC/eZWZw23lzyC3qZBvtvgPcXoWxgWAIvnqoOUdfEIZIoxKl+96EWI8X \
         nNkpLUNzHj9KQzv8Qfuzbnv3GKKrAWHkUg8N/tsLqkcQq1E6ne0kHZ8n4g8AAAH4TrAzgE6wM4AAAAAHc3NoLXJzYQAAAIEA3HXe \
         SYn1IlClckfoDpPiW47gChMyj1isZz5+D/xAmxQFCkiMKn5g3KolnC/eZWZw23lzyC3qZBvtvgPcXoWxgWAIvnqoOUdfEIZIoxKl \
         +96EWI8XnNkpLUNzHj9KQzv8Qfuzbnv3GKKrAWHkUg8N/tsLqkcQq1E6ne0kHZ8n4g8AAAADAQABAAAAgQCQZwgt5RZS3r4v59eh \
         TM50qFYpYz+30x5CFhXehJ0QtwFCJhjhcJwjjbNK5bPneT0tFRV4plKkNgL4dnDu3OVRoGWeBnbwRfdJO688YNp3zh3DeW6OeYYe \
         vLC1fXpdTDbKxvs8WRGdCAtwFVt3hIz5uame7nCv7tbNWpVtHetHSQAAAEBQfz6rSrZ3xv8Kz6ht6Ax9HoFpSLuDQIUXTMg+SNBO \
         YWpch/AY+pXRxsUBysHiQCnI5SSE/8KNlsn7BTSFu8YqAAAAQQD1H/804lKMYdq8StQgOlHCo4RsodZcIehENH7MwB8vEZy0wX5W \
         n6h5v5l/+4/d8qoF2un2aC9bLtpheWsgF1urAAAAQQDmPb53i6sNmYVr2+Ye+0nH+QgL9AUFuQgFLoUfd6Sd1PM2AiIeftzrl8oJ \
         7YAY1PiVdIrC72a6PpKbGhfmSU8tAAAAAAEC",
    ),
];

/// The word "message", encrypted for that key.
const SECRET: &str = "XN5FMA7cT5c/RE0GwGZRaGwUM9Eok6nNAiK3hsaFpDOJ+aZOZVu+y4nXEH/FJWhGcNcBwhRnOKh+EOeKnq95AnG/LP\
     ac9+ahfXdlQcLiB8clh4vQATGSrtlXr8/j1dWcPqqSIwSUeetmCwTGmnmmnRGQPP2LtEHvfEFRq82ExSI=";

/// A key of 512 bits and the same word.
const SHORT: (&str, &str) = (
    "MIIBPAIBAAJBANRGQP6JXHE2MsofAMAuPvkUcil4hmNBeF88bhv+1waB59WV2krGFkCNiYCeHfZj8fcJxssoowkGWCiOvd0QlvcC \
         AwEAAQJBAKv8B6iyze0Dxn6wQ8FxNqBECoLDHc7JOqeepG+WN80SdG9EkkYPj0Ygh6lQhl5i8EL2fkRZzMLqi0Sy0p4AuYECIQD6 \
         sQ/sLcwH0KVDz4do4UPb6n7dS6x9TQbwhPBY0wjOlwIhANjE8P5ZIy9gqdP/SfMKiBF4IWqs1WJB1u8mRloUzeahAiEAyhPIXf1c \
         pkANt+elo2lSJgeUVBYX6Lkaiu7ePvt98ekCIFQ4mIXKLkB/JxzGKH40jk9zRFCFHFcTy6WZUmY3hRRhAiEAtHI5VzdjfL1n6egu \
         WZGtrnzShkVND8DqpOsYWsqxYpU=",
    "WTykhJJt7ASV5knG4VPW/fwveSS8tiGng+obzhJjsHSKpq7uuucPYndw2mjxp2SsnDElrMv7OqudH1VytPFe9w==",
);

#[test]
fn decryption() {
    let pem = |label: &str, body: &str| format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n");
    for (label, body) in KEYS {
        assert_eq!(shown_of("rsadecrypt", [SECRET, &pem(label, body)]), r#""message""#, "{label}");
        assert_eq!(shown_of("rsadecrypt", ["AAAA", &pem(label, body)]), "error", "{label}");
    }
    assert_eq!(shown_of("rsadecrypt", ["!", "y"]), "error 0");
    // As in the newest release, a short key is no key, although it would do.
    assert_eq!(shown_of("rsadecrypt", [SHORT.1, &pem("RSA PRIVATE KEY", SHORT.0)]), "error");
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

#[test]
fn keys_as_they_may_be_written() {
    let (label, body) = KEYS[0];
    let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
    let read = [
        format!("{begin}\r\n{body}\r\n{end}\r\n"),
        format!("A key:\n{begin} \t\n{body}\n{end}"),
        format!("{begin}\nKind: test\nUse: none\n\n{body}\n{end}\n"),
        format!("{begin}\nno key\n{begin}\n{body}\n{end}\n"),
        format!("-----BEGIN X-----\nno base64!\n-----END X-----\n{begin}\n{body}\n{end}\nand more"),
    ];
    for key in read {
        assert_eq!(shown_of("rsadecrypt", [SECRET, &key]), r#""message""#, "{key}");
    }
    let not_read = [
        format!("{begin}{body}{end}"),
        format!("{begin} {body} {end}"),
        format!("A key: {begin}\n{body}\n{end}"),
        format!("{begin}\n{body}{end}"),
        format!("  {begin}\n{body}\n{end}"),
        format!("{begin}\n{body}\n{end} and more"),
        format!("{begin}\n{body}\n-----END PRIVATE KEY-----\n"),
        format!("{begin}\nno colon\n{body}\n{end}"),
        format!("{begin}\n{body}\n"),
    ];
    for key in not_read {
        assert_eq!(shown_of("rsadecrypt", [SECRET, &key]), "error 1", "{key}");
    }
}
