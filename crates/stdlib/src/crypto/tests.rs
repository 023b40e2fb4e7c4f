//! Tests of digests and keys.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use terrane_function::{Random, World};
use terrane_source::MemoryFiles;
use terrane_value::{Number, Value};

use crate::crypto::PublicKey;
use crate::crypto::pem::Pem;
use crate::crypto::public_key::asn1;
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

/// A source of random bytes in which each byte is one more than the byte before it.
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

/// The word "message", encrypted for the key in [`KEYS`].
const SECRET: &str = "XN5FMA7cT5c/RE0GwGZRaGwUM9Eok6nNAiK3hsaFpDOJ+aZOZVu+y4nXEH/FJWhGcNcBwhRnOKh+EOeKnq95AnG/LP\
     ac9+ahfXdlQcLiB8clh4vQATGSrtlXr8/j1dWcPqqSIwSUeetmCwTGmnmmnRGQPP2LtEHvfEFRq82ExSI=";

/// A key of 512 bits and the word "message", encrypted for this key.
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
    // As in the newest release, a short key is refused, although it would decrypt the text.
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
    // Each kind of key file says in its own way that a password protects it.
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

/// Keys made with OpenSSL and OpenSSH, with the public keys that these tools print: in the form of X.509 and in the form of
/// SSH.
const KEY_PAIRS: &[(&str, &str, &str)] = &[
    (
        "-----BEGIN RSA PRIVATE KEY-----\n\
         MIICWwIBAAKBgQDDJK0DU/2hRXG4cB4TSZCbtv2eFZXSkB5x/aYY9wRI5hBvujz8\n\
         kKdYibKy4Fga/JWGRGsrUn1pjQjM5cgwvMVJr4FgI02aM+h2WfnMypeOdIjZYu83\n\
         ttmPr8M1sBrz8Mlg5bo6cLSkVjv3mBh7NBHAAAlYvWRl1idxOM1cCw7AbwIDAQAB\n\
         AoGAA8sgueHWGl55OXakfwd9EinagEo3IWK/1MNziSS0Jp6iTym1qcs+FZCHssZ9\n\
         r/idB4Eo/CycV4LwWttUqu3gf+eCoqXZwfd6wtrKMqgG/kNfUQ6nnJ1FysvFy5dg\n\
         mFrz/tkNyJbkv1w0q3IeR/vD7ONz3sT4sHoRVTnb7LN+zMECQQDi5ezTFWFamz2o\n\
         M7vqfz20PS0DXp2NdWG3kWrbr9QZ3bdqBXn+9XhD335jP8WsnVf2h02CWt4PcGik\n\
         J94T251/AkEA3CwYyrZzRnfBBfUylp7jXYRArJeUwm1ou2Qn1MhqR2CmdY0Jc3zP\n\
         cmfL1g6KhKjr+uNBUNkDZ4G5kmfkKSI1EQJACPI33DrDk+b7D1660gwiSrD+zVs1\n\
         qxYtvCcnp3HPUxXC3ZNJtBvJmiN9wDwLdzrc9QNwsusSRlmQRqirwOyv0QJAMe3W\n\
         GXJSpfJWVZGLTVju2rA5MmqVk5nYHFbUKY7hexpR5Wp8cDInoRwkv4BArWDZUuXi\n\
         VAFComBqwubIeQOG4QJAHSo8OzZpnsRCiMtOh5omm5FysixwoCRUqA0YgDRvV/uw\n\
         Fm3Bb3sDfeexQ08qJHkWLQPRIkPbWuM0czYqHtdaYw==\n\
         -----END RSA PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDDJK0DU/2hRXG4cB4TSZCbtv2e\n\
         FZXSkB5x/aYY9wRI5hBvujz8kKdYibKy4Fga/JWGRGsrUn1pjQjM5cgwvMVJr4Fg\n\
         I02aM+h2WfnMypeOdIjZYu83ttmPr8M1sBrz8Mlg5bo6cLSkVjv3mBh7NBHAAAlY\n\
         vWRl1idxOM1cCw7AbwIDAQAB\n\
         -----END PUBLIC KEY-----",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDDJK0DU/2hRXG4cB4TSZCbtv2eFZXSkB5x/aYY9wRI5hBvujz8kKdYibKy4Fga/JWGRGsrUn1pjQjM5cgwvMVJr4FgI02aM+h2WfnMypeOdIjZYu83ttmPr8M1sBrz8Mlg5bo6cLSkVjv3mBh7NBHAAAlYvWRl1idxOM1cCw7Abw==",
    ),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n\
         b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAlwAAAAdzc2gtcn\n\
         NhAAAAAwEAAQAAAIEAziBtHEeGD032bQXh41H3MpSrCXSlYJV52skBbD7Rk686FKjwaDam\n\
         rKfrVqO/mIT5yIk7tE3lFPzqzjJutNPmDSZn7B8II5KbWS+LsbYIwgVGG2yEF3btkw+BnM\n\
         F55O0/5jD+Eie1QltDDKCsmIhGKUj/WT43zMlTfOOhZka3rwsAAAH4WDXi0Vg14tEAAAAH\n\
         c3NoLXJzYQAAAIEAziBtHEeGD032bQXh41H3MpSrCXSlYJV52skBbD7Rk686FKjwaDamrK\n\
         frVqO/mIT5yIk7tE3lFPzqzjJutNPmDSZn7B8II5KbWS+LsbYIwgVGG2yEF3btkw+BnMF5\n\
         5O0/5jD+Eie1QltDDKCsmIhGKUj/WT43zMlTfOOhZka3rwsAAAADAQABAAAAgFuAz47/PU\n\
         bsABnzw4wrJcaBcs/2xTd0A60ZEBWiaVzbK7hiKp7IrAL3ZCSI+pPVbCEWsrde4PQJNp8k\n\
         ijqh2nxty5pIVKX4+V9EvDjq+qqW1iJlce2Uv7lRoQdyXRqV5YVCD3/oAy7IG3/aJ5P4kZ\n\
         W1RYEQrFiCELITS/kPhkdhAAAAQQDSIVAvxgBm8mw8a1+3ziQs9vD4S5k1YbNRDPU2Tyfm\n\
         Pn5wYqbDIpXMay3B81ry6KS3LrkHkH9R4SbJYJksabYeAAAAQQDwAaDstnJAj0VUHlvG8K\n\
         xRxEBnY7odSFtUYtgBsY1uAkcygfo7Vl7hrK5DjA2HzRMay5tfvPgcaZLVBhj/rpyxAAAA\n\
         QQDb3NRPE3g7yCBwdSlPgy1HcdRxGcGPambx+y7o+fP8J9UdJxVC66LikfXiFO99RQAxLu\n\
         hpldxfC9xrCOdVGkZ7AAAAAAEC\n\
         -----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDOIG0cR4YPTfZtBeHjUfcylKsJ\n\
         dKVglXnayQFsPtGTrzoUqPBoNqasp+tWo7+YhPnIiTu0TeUU/OrOMm600+YNJmfs\n\
         HwgjkptZL4uxtgjCBUYbbIQXdu2TD4GcwXnk7T/mMP4SJ7VCW0MMoKyYiEYpSP9Z\n\
         PjfMyVN846FmRrevCwIDAQAB\n\
         -----END PUBLIC KEY-----",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDOIG0cR4YPTfZtBeHjUfcylKsJdKVglXnayQFsPtGTrzoUqPBoNqasp+tWo7+YhPnIiTu0TeUU/OrOMm600+YNJmfsHwgjkptZL4uxtgjCBUYbbIQXdu2TD4GcwXnk7T/mMP4SJ7VCW0MMoKyYiEYpSP9ZPjfMyVN846FmRrevCw==",
    ),
    (
        "-----BEGIN PRIVATE KEY-----\n\
         MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDKRtOAwAF0rFuZfDtQ\n\
         oKxH1l9jDgQgZTAji62Topfb1f7Mi9nCSsU2wvKjo/meYp6hZANiAATy9sK6LdFI\n\
         DlWL4+8hyV2ISXhijpuMIpNWtdI0eAJ5e0Ab7+qRsMh38sONSBMXVWDA+lszgwiy\n\
         oPCjnHq+nlblGhPxUMXnVZhmFaICEhJaQg2Brdt/S9KwM3t+PTvAUH0=\n\
         -----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE8vbCui3RSA5Vi+PvIcldiEl4Yo6bjCKT\n\
         VrXSNHgCeXtAG+/qkbDId/LDjUgTF1VgwPpbM4MIsqDwo5x6vp5W5RoT8VDF51WY\n\
         ZhWiAhISWkINga3bf0vSsDN7fj07wFB9\n\
         -----END PUBLIC KEY-----",
        "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBPL2wrot0UgOVYvj7yHJXYhJeGKOm4wik1a10jR4Anl7QBvv6pGwyHfyw41IExdVYMD6WzODCLKg8KOcer6eVuUaE/FQxedVmGYVogISElpCDYGt239L0rAze349O8BQfQ==",
    ),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n\
         b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAArAAAABNlY2RzYS\n\
         1zaGEyLW5pc3RwNTIxAAAACG5pc3RwNTIxAAAAhQQA97QQtxQctOMxLUWqU/bWSohNT/DC\n\
         4avC3Op9+MaMhegWJ84FZrXBxtriO8DVM8ujSA6iOWjwdck8ObWTGB7/ZIcB1PdXQHHvwd\n\
         PCDQLntgfwxEFv/ADd9U9ZV390D4d7duo3SkWM3AqeBuEd75nE0ScB8CHS2Se0oODd2J44\n\
         +loHUZ0AAAEA1MRGWdTERlkAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQ\n\
         AAAIUEAPe0ELcUHLTjMS1FqlP21kqITU/wwuGrwtzqffjGjIXoFifOBWa1wcba4jvA1TPL\n\
         o0gOojlo8HXJPDm1kxge/2SHAdT3V0Bx78HTwg0C57YH8MRBb/wA3fVPWVd/dA+He3bqN0\n\
         pFjNwKngbhHe+ZxNEnAfAh0tkntKDg3dieOPpaB1GdAAAAQgESTExoNEXWeAcTmC+mKFol\n\
         7tVNZdVxuljGEaABHQhxC/5j3AsBQ/CvbqG05Yi6zbKyLxnC1gxNIc8ifrr1wXMCFAAAAA\n\
         ABAg==\n\
         -----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQA97QQtxQctOMxLUWqU/bWSohNT/DC\n\
         4avC3Op9+MaMhegWJ84FZrXBxtriO8DVM8ujSA6iOWjwdck8ObWTGB7/ZIcB1PdX\n\
         QHHvwdPCDQLntgfwxEFv/ADd9U9ZV390D4d7duo3SkWM3AqeBuEd75nE0ScB8CHS\n\
         2Se0oODd2J44+loHUZ0=\n\
         -----END PUBLIC KEY-----",
        "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAD3tBC3FBy04zEtRapT9tZKiE1P8MLhq8Lc6n34xoyF6BYnzgVmtcHG2uI7wNUzy6NIDqI5aPB1yTw5tZMYHv9khwHU91dAce/B08INAue2B/DEQW/8AN31T1lXf3QPh3t26jdKRYzcCp4G4R3vmcTRJwHwIdLZJ7Sg4N3Ynjj6WgdRnQ==",
    ),
    (
        "-----BEGIN EC PRIVATE KEY-----\n\
         MGgCAQEEHB7wmdEBjIHCB2apLtUW88Jm7Oj0O3RjIV9r44+gBwYFK4EEACGhPAM6\n\
         AARySAw312wz8IDHY69tjOlpTCXOOVjxTq0meS6h8t+6iytqn5XcHgEq9eHvNhSh\n\
         zlEawjj4x4kkSg==\n\
         -----END EC PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         ME4wEAYHKoZIzj0CAQYFK4EEACEDOgAEckgMN9dsM/CAx2OvbYzpaUwlzjlY8U6t\n\
         JnkuofLfuosrap+V3B4BKvXh7zYUoc5RGsI4+MeJJEo=\n\
         -----END PUBLIC KEY-----",
        "",
    ),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n\
         b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n\
         QyNTUxOQAAACAix1emuRgpML44cBN5Wrz5CqnjGGW2tmvtP6WHkXdn6gAAAIhc6outXOqL\n\
         rQAAAAtzc2gtZWQyNTUxOQAAACAix1emuRgpML44cBN5Wrz5CqnjGGW2tmvtP6WHkXdn6g\n\
         AAAEDKqB5R2xKHi6pW5Izswaqcwr0t4Tj1QGfq/Df6GzU4aCLHV6a5GCkwvjhwE3lavPkK\n\
         qeMYZba2a+0/pYeRd2fqAAAAAAECAwQF\n\
         -----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MCowBQYDK2VwAyEAIsdXprkYKTC+OHATeVq8+Qqp4xhltrZr7T+lh5F3Z+o=\n\
         -----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICLHV6a5GCkwvjhwE3lavPkKqeMYZba2a+0/pYeRd2fq",
    ),
    (
        "-----BEGIN PRIVATE KEY-----\n\
         MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n\
         -----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
         MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n\
         -----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICa0C4+T//PYlxEvfrxYKyMtvXJRfQgv6Dz7MN3OQ9G7",
    ),
];

#[test]
fn public_keys_are_those_of_other_tools() {
    for (private, x509, ssh) in KEY_PAIRS {
        let key = PublicKey::of_private_key(private, true).unwrap();
        assert_eq!(key.pem().trim_end(), *x509);
        let found = key.ssh().map(|(kind, bytes)| format!("{kind} {}", STANDARD.encode(bytes)));
        assert_eq!(found.unwrap_or_default(), *ssh);
    }
}

#[test]
fn a_key_without_its_public_part_is_refused() {
    let refused = |text: &str| PublicKey::of_private_key(text, false).unwrap_err();
    assert_eq!(refused(KEY_PAIRS[1].0), "the provider refuses this form of a key");
    assert_eq!(refused("none"), "the key is not in PEM form");
    let short = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6\n-----END PRIVATE KEY-----";
    assert_eq!(refused(short), "the file of the key does not hold its public part");
    let zeros =
        [b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20".as_slice(), &[0; 32]].concat();
    let zeros = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----", STANDARD.encode(zeros));
    assert_eq!(refused(&zeros), "the file of the key does not hold its public part");
    // Every prefix of a key is refused, or has the whole public part.
    let Pem { bytes, .. } = Pem::first(KEY_PAIRS[0].0).unwrap();
    for length in 0..bytes.len() {
        let text = format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
            STANDARD.encode(&bytes[..length])
        );
        assert!(PublicKey::of_private_key(&text, false).is_err(), "{length}");
    }
}

#[test]
fn numbers_of_rsa_have_the_fewest_bytes() {
    let is_read = |modulus: &[u8], exponent: &[u8]| {
        let numbers = [asn1(0x02, modulus), asn1(0x02, exponent)].concat();
        let kind = [b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01".as_slice(), b"\x05\x00"].concat();
        let bits = [&[0], asn1(0x30, &numbers).as_slice()].concat();
        let key = asn1(0x30, &[asn1(0x30, &kind), asn1(0x03, &bits)].concat());
        PublicKey::of_x509(&key).is_some()
    };
    let cases: [(&[u8], bool); 8] = [
        (&[0x7f, 1], true),
        (&[0, 0x80, 1], true),
        (&[0, 0x7f, 1], false),
        (&[0, 0, 0x80], false),
        (&[0x80, 1], false),
        (&[0, 0], false),
        (&[0], false),
        (&[], false),
    ];
    for (number, is_valid) in cases {
        assert_eq!(is_read(number, &[3]), is_valid, "{number:?}");
        assert_eq!(is_read(&[0x7f, 1], number), is_valid, "{number:?}");
    }
}
