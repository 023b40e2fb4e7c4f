//! Functions of digests and identifiers.

mod rsa;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};
use terrane_function::{Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{OriginKind, Origins, Type, Value};
use uuid::Uuid;

use crate::encoding::decode_base64;

pub(crate) fn functions() -> Vec<Function> {
    [of_strings(), of_files(), identifiers()].into_iter().flatten().collect()
}

type Body = fn(&Call<'_>) -> Result<Value, FunctionError>;

fn of_strings() -> Vec<Function> {
    let row = |name, description, body: Body| {
        text(name, description, body).parameter(Parameter::new("str", Type::String))
    };
    vec![
        row("md5", "The MD5 digest of a string, in hexadecimal digits.", |call| {
            Ok(hex::<Md5>(call.string(0)))
        }),
        row("sha1", "The SHA-1 digest of a string, in hexadecimal digits.", |call| {
            Ok(hex::<Sha1>(call.string(0)))
        }),
        row("sha256", "The SHA-256 digest of a string, in hexadecimal digits.", |call| {
            Ok(hex::<Sha256>(call.string(0)))
        }),
        row("sha512", "The SHA-512 digest of a string, in hexadecimal digits.", |call| {
            Ok(hex::<Sha512>(call.string(0)))
        }),
        row("base64sha256", "The SHA-256 digest of a string, in Base64.", |call| {
            Ok(base64::<Sha256>(call.string(0)))
        }),
        row("base64sha512", "The SHA-512 digest of a string, in Base64.", |call| {
            Ok(base64::<Sha512>(call.string(0)))
        }),
    ]
}

fn of_files() -> Vec<Function> {
    let row = |name, description, body: Body| {
        text(name, description, body).parameter(Parameter::new("path", Type::String))
    };
    vec![
        row("filemd5", "The MD5 digest of a file, in hexadecimal digits.", |call| {
            Ok(hex::<Md5>(file(call)?))
        }),
        row("filesha1", "The SHA-1 digest of a file, in hexadecimal digits.", |call| {
            Ok(hex::<Sha1>(file(call)?))
        }),
        row("filesha256", "The SHA-256 digest of a file, in hexadecimal digits.", |call| {
            Ok(hex::<Sha256>(file(call)?))
        }),
        row("filesha512", "The SHA-512 digest of a file, in hexadecimal digits.", |call| {
            Ok(hex::<Sha512>(file(call)?))
        }),
        row("filebase64sha256", "The SHA-256 digest of a file, in Base64.", |call| {
            Ok(base64::<Sha256>(file(call)?))
        }),
        row("filebase64sha512", "The SHA-512 digest of a file, in Base64.", |call| {
            Ok(base64::<Sha512>(file(call)?))
        }),
    ]
}

fn identifiers() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text(
            "uuidv5",
            "The identifier (UUID) of a name within a namespace: dns, url, oid, x500 or another identifier.",
            uuidv5,
        )
        .parameter(string("namespace"))
        .parameter(string("name")),
        text(
            "rsadecrypt",
            "Decrypts Base64 text with an RSA private key in PEM form and PKCS #1 v1.5 padding.",
            rsadecrypt,
        )
        .parameter(string("ciphertext"))
        .parameter(string("privatekey")),
        text("uuid", "A new identifier (UUID) in each run.", |_| Ok(impure("uuid"))),
        text("bcrypt", "A digest of a password by the Blowfish cipher, with a new salt in each run.", |_| {
            Ok(impure("bcrypt"))
        })
        .parameter(string("str"))
        .variadic(Parameter::new("cost", Type::Number)),
    ]
}

fn text(name: &'static str, description: &'static str, body: Body) -> Function {
    Function::new(name, description, ResultType::Fixed(Type::String), body)
}

fn hex<D: Digest>(content: impl AsRef<[u8]>) -> Value {
    base16ct::lower::encode_string(&D::digest(content)).into()
}

fn base64<D: Digest>(content: impl AsRef<[u8]>) -> Value {
    STANDARD.encode(D::digest(content)).into()
}

fn file(call: &Call<'_>) -> Result<Vec<u8>, FunctionError> {
    call.env
        .files
        .read(&call.env.resolve(call.string(0)))
        .map_err(|error| FunctionError::new(error.to_string()))
}

/// The result of a function that differs from run to run.
fn impure(name: &str) -> Value {
    Value::unknown_from(Type::String, Origins::one(OriginKind::ImpureFunction, name))
}

fn rsadecrypt(call: &Call<'_>) -> Result<Value, FunctionError> {
    let ciphertext = decode_base64(call.string(0));
    let ciphertext = ciphertext.ok_or_else(|| call.invalid(0, "the encrypted text is not valid Base64"))?;
    let key = rsa::PrivateKey::parse(call.string(1)).map_err(|reason| call.invalid(1, reason))?;
    let text = key.decrypt(&ciphertext);
    let text = text.ok_or_else(|| FunctionError::new("the text was not encrypted for this key"))?;
    Ok(String::from_utf8_lossy(&text).into_owned().into())
}

fn uuidv5(call: &Call<'_>) -> Result<Value, FunctionError> {
    let namespace = match call.string(0) {
        "dns" => Uuid::NAMESPACE_DNS,
        "url" => Uuid::NAMESPACE_URL,
        "oid" => Uuid::NAMESPACE_OID,
        "x500" => Uuid::NAMESPACE_X500,
        other => Uuid::try_parse(other).map_err(|_| {
            FunctionError::new(format!("the namespace {other:?} is not dns, url, oid, x500 or a UUID"))
        })?,
    };
    Ok(Uuid::new_v5(&namespace, call.string(1).as_bytes()).to_string().into())
}
