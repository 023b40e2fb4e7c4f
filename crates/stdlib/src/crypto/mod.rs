//! Functions for digests, UUIDs, passwords and RSA.

mod certificate;
mod password;
mod pem;
mod public_key;
mod rsa;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};
use terrane_function::{Availability, Call, Cost, Function, FunctionError, Parameter, beginning};
use terrane_value::{Type, Value};
use uuid::{Builder, Uuid};

pub(crate) use self::certificate::Certificate;
use self::pem::Pem;
pub(crate) use self::pem::pem;
pub(crate) use self::public_key::PublicKey;
use crate::characters::text_of_bytes;
use crate::encoding::decode_base64;
use crate::filesystem;
use crate::row::{Body, text};

pub(crate) fn functions() -> Vec<Function> {
    [of_strings(), of_files(), identifiers()].into_iter().flatten().collect()
}

fn of_strings() -> Vec<Function> {
    let row = |name, description, body: Body| {
        text(name, description, body).parameter(Parameter::new("str", Type::String))
    };
    vec![
        row("md5", "Returns the MD5 digest of a string in hexadecimal digits.", |call| {
            digest_of_text(call, |text| hex::<Md5>(text))
        })
        .examples(&[(r#"md5("hello world")"#, r#""5eb63bbbe01eeed093cb22bb8f5acdc3""#)])
        .cost(Cost::Light)
        .pure(),
        row("sha1", "Returns the SHA-1 digest of a string in hexadecimal digits.", |call| {
            digest_of_text(call, |text| hex::<Sha1>(text))
        })
        .examples(&[(r#"sha1("hello world")"#, r#""2aae6c35c94fcfb415dbe95f408b9ce91ee846ed""#)])
        .cost(Cost::Light)
        .pure(),
        row("sha256", "Returns the SHA-256 digest of a string in hexadecimal digits.", |call| {
            digest_of_text(call, |text| hex::<Sha256>(text))
        })
        .examples(&[(
            r#"sha256("hello world")"#,
            r#""b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9""#,
        )])
        .cost(Cost::Light)
        .pure(),
        row("sha512", "Returns the SHA-512 digest of a string in hexadecimal digits.", |call| {
            digest_of_text(call, |text| hex::<Sha512>(text))
        })
        .examples(&[(r#"length(sha512("hello world"))"#, "128")])
        .cost(Cost::Light)
        .pure(),
        row("base64sha256", "Returns the SHA-256 digest of a string in Base64.", |call| {
            digest_of_text(call, |text| base64::<Sha256>(text))
        })
        .since(Availability::modules())
        .examples(&[(r#"base64sha256("hello world")"#, r#""uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=""#)])
        .cost(Cost::Light)
        .pure(),
        row("base64sha512", "Returns the SHA-512 digest of a string in Base64.", |call| {
            digest_of_text(call, |text| base64::<Sha512>(text))
        })
        .since(Availability::modules())
        .examples(&[(r#"length(base64sha512("hello world"))"#, "88")])
        .cost(Cost::Light)
        .pure(),
    ]
}

/// Returns the digest of the first argument.
fn digest_of_text(call: &Call<'_>, digest: fn(&str) -> Value) -> Result<Value, FunctionError> {
    /// The minimum number of bytes that a unit of work hashes. The call counts a further unit to copy them.
    const BYTES_OF_WORK: usize = 8;
    call.spend(call.string(0).len() / BYTES_OF_WORK)?;
    Ok(digest(call.string(0)))
}

fn of_files() -> Vec<Function> {
    let row = |name, description, body: Body| {
        text(name, description, body).parameter(Parameter::new("path", Type::String))
    };
    vec![
        row("filemd5", "Returns the MD5 digest of a file in hexadecimal digits.", |call| {
            of_file(call, hex::<Md5>)
        })
        .since(Availability::modules())
        .examples(&[(r#"filemd5("hello.txt")"#, r#""8b1a9953c4611296a827abf8c47804d7""#)]),
        row("filesha1", "Returns the SHA-1 digest of a file in hexadecimal digits.", |call| {
            of_file(call, hex::<Sha1>)
        })
        .since(Availability::modules())
        .examples(&[(r#"filesha1("hello.txt")"#, r#""f7ff9e8b7bb2e09b70935a5d785e0cc5d9d0abf0""#)]),
        row("filesha256", "Returns the SHA-256 digest of a file in hexadecimal digits.", |call| {
            of_file(call, hex::<Sha256>)
        })
        .since(Availability::modules())
        .examples(&[(
            r#"filesha256("hello.txt")"#,
            r#""185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969""#,
        )]),
        row("filesha512", "Returns the SHA-512 digest of a file in hexadecimal digits.", |call| {
            of_file(call, hex::<Sha512>)
        })
        .since(Availability::modules())
        .examples(&[(r#"length(filesha512("hello.txt"))"#, "128")]),
        row("filebase64sha256", "Returns the SHA-256 digest of a file in Base64.", |call| {
            of_file(call, base64::<Sha256>)
        })
        .since(Availability::modules())
        .examples(&[(
            r#"filebase64sha256("hello.txt")"#,
            r#""GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=""#,
        )]),
        row("filebase64sha512", "Returns the SHA-512 digest of a file in Base64.", |call| {
            of_file(call, base64::<Sha512>)
        })
        .since(Availability::modules())
        .examples(&[(r#"length(filebase64sha512("hello.txt"))"#, "88")]),
    ]
}

/// Returns the digest of the file that the first argument names, or an unknown result if the home directory is unknown.
fn of_file(call: &Call<'_>, digest: fn(Vec<u8>) -> Value) -> Result<Value, FunctionError> {
    let content = filesystem::read(call).map_err(|error| FunctionError::new(error.message))?;
    Ok(content.map_or_else(|unknown| unknown, digest))
}

fn identifiers() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text(
            "uuidv5",
            "Returns the UUID of a name within a namespace: dns, url, oid, x500 or another UUID.",
            uuidv5,
        )
        .parameter(string("namespace"))
        .parameter(string("name"))
        .examples(&[(r#"uuidv5("dns", "www.example.com")"#, r#""2ed6657d-e927-568b-95e1-2665a8aea6a2""#)])
        .cost(Cost::Light)
        .pure(),
        text(
            "rsadecrypt",
            "Decrypts Base64 text with an RSA private key in PEM or OpenSSH form. The padding is PKCS #1 \
             v1.5.",
            rsadecrypt,
        )
        .parameter(string("ciphertext").packer_blames_call())
        .parameter(string("privatekey").packer_blames_call())
        .examples(&[(r#"can(rsadecrypt("x", "y"))"#, "false")])
        .pure(),
        text("uuid", "Returns a new random UUID for each call.", |call| Ok(uuid(call)))
            .since(Availability::modules())
            .examples(&[("length(uuid())", "36")])
            .new_in_each_call(),
        text("uuidv4", "Returns a new random UUID for each call.", |call| Ok(uuid(call)))
            .since(Availability::nowhere().packer(5))
            .examples(&[("length(uuidv4())", "36")])
            .new_in_each_call(),
        text(
            "bcrypt",
            "Returns a bcrypt digest of a password, with a new salt for each call. The optional cost is the \
             binary logarithm of the number of rounds; the default is 10.",
            bcrypt,
        )
        .parameter(string("str"))
        .variadic(Parameter::new("cost", Type::Number))
        .examples(&[(r#"length(bcrypt("hello world"))"#, "60")])
        .cost(Cost::Constant)
        .new_in_each_call(),
    ]
}

pub(crate) fn hex<D: Digest>(content: impl AsRef<[u8]>) -> Value {
    base16ct::lower::encode_string(&D::digest(content)).into()
}

pub(crate) fn base64<D: Digest>(content: impl AsRef<[u8]>) -> Value {
    STANDARD.encode(D::digest(content)).into()
}

/// Whether a text may be a SHA-1 hash in hexadecimal digits.
pub fn is_sha1(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns the SHA-1 hashes of a text, and of the bytes that it encodes as Base64, in hexadecimal digits. Providers record long arguments
/// so, such as the `user_data` of an `aws_instance`.
///
/// ```
/// use terrane_stdlib::{is_sha1, sha1_hashes};
///
/// let hash = "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed";
/// assert!(is_sha1(hash) && !is_sha1("hello world"));
/// assert_eq!(sha1_hashes("hello world"), [hash]);
/// assert!(sha1_hashes("aGVsbG8gd29ybGQ=").iter().any(|one| one == hash));
/// ```
pub fn sha1_hashes(text: &str) -> Vec<String> {
    let hash = |bytes: &[u8]| base16ct::lower::encode_string(&Sha1::digest(bytes));
    let decoded = STANDARD.decode(text).ok();
    std::iter::once(hash(text.as_bytes())).chain(decoded.map(|bytes| hash(&bytes))).collect()
}

fn uuid(call: &Call<'_>) -> Value {
    let Some(random) = call.env.world.random else { return call.unknown_input() };
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid().to_string().into()
}

/// The work of one round. Each step of the cost doubles the number of rounds.
const WORK_OF_ROUND: usize = 2048;

fn bcrypt(call: &Call<'_>) -> Result<Value, FunctionError> {
    let Some(random) = call.env.world.random else { return Ok(call.unknown_input()) };
    let most = (call.env.limits.work / WORK_OF_ROUND).checked_ilog2().unwrap_or_default();
    let cost = match call.rest(1) {
        [] => password::DEFAULT_COST,
        [_] => match call.integer(1).map_err(|error| FunctionError::new(error.message))? {
            // The reference replaces a cost below 4 by the default.
            cost if cost < 4 => password::DEFAULT_COST,
            cost if cost > i64::from(most) => {
                let message =
                    format!("a cost of {cost} would take too long; at most {most} is possible here");
                return Err(FunctionError::new(message));
            }
            cost => u32::try_from(cost).unwrap_or(password::DEFAULT_COST),
        },
        _ => return Err(FunctionError::new("only one cost can be given")),
    };
    let text = call.string(0);
    if text.len() > password::MAX_BYTES {
        let message = format!("a password of more than {} bytes cannot be used", password::MAX_BYTES);
        return Err(FunctionError::new(message));
    }
    call.spend(WORK_OF_ROUND << cost)?;
    let mut salt = [0; 16];
    random.fill(&mut salt);
    Ok(password::digest(text, cost, salt).into())
}

fn rsadecrypt(call: &Call<'_>) -> Result<Value, FunctionError> {
    let ciphertext = decode_base64(call.string(0));
    let ciphertext = ciphertext.ok_or_else(|| call.invalid(0, "the encrypted text is not valid Base64"))?;
    call.spend(Pem::work(call.string(1)))?;
    let key = rsa::PrivateKey::parse(call.string(1)).map_err(|reason| call.invalid(1, reason))?;
    if key.is_too_short() {
        return Err(FunctionError::new("a key of fewer than 1024 bits is not safe"));
    }
    call.spend(key.work())?;
    let text = key.decrypt(&ciphertext);
    let text = text.ok_or_else(|| FunctionError::new("the text was not encrypted for this key"))?;
    Ok(text_of_bytes(&text).into())
}

fn uuidv5(call: &Call<'_>) -> Result<Value, FunctionError> {
    let namespace = match call.string(0) {
        "dns" => Uuid::NAMESPACE_DNS,
        "url" => Uuid::NAMESPACE_URL,
        "oid" => Uuid::NAMESPACE_OID,
        "x500" => Uuid::NAMESPACE_X500,
        other => Uuid::try_parse(other).map_err(|_| {
            FunctionError::new(format!(
                "the namespace {:?} is not dns, url, oid, x500 or a UUID",
                beginning(other)
            ))
        })?,
    };
    // `Uuid::new_v5` does this, with another library for SHA-1.
    let digest = Sha1::new().chain_update(namespace).chain_update(call.string(1)).finalize();
    let [start @ .., _, _, _, _]: [u8; 20] = digest.into();
    Ok(Builder::from_sha1_bytes(start).into_uuid().to_string().into())
}
