//! Functions of digests and identifiers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};
use terrane_function::{Call, Function, FunctionError, Parameter, ResultType};
use terrane_value::{OriginKind, Origins, Type, Value};
use uuid::Uuid;

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

#[cfg(test)]
mod tests {
    use crate::probe::{call_function, shown_of};

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
            assert_eq!(call_function(name, ["a".into()]).unwrap().as_str().map(str::len), Some(length));
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
        assert_eq!(&*call_function("uuid", []).unwrap().origins().as_slice()[0].subject, "uuid");
        assert!(!call_function("bcrypt", ["a".into()]).unwrap().is_known());
    }
}
