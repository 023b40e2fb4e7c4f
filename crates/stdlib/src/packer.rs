//! Functions of Packer that read environment variables or ask services on the network.

use terrane_function::{Availability, Call, CallSite, Function, FunctionError, Parameter};
use terrane_value::{OriginKind, Origins, Type, Value};

use crate::row::text;

pub(crate) fn functions() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text(
            "env",
            "Returns the value of an environment variable, or an empty string if it is not set.",
            env,
        )
        .parameter(string("key"))
        .only(CallSite::VariableDefault)
        .since(Availability::nowhere().packer(7))
        .examples(&[(r#"env("HOME")"#, r#""/home/ada""#)]),
        text("consul_key", "Returns a value from the key-value store of a Consul server.", |_| {
            Ok(remote("consul_key"))
        })
        .nullable()
        .parameter(string("key"))
        .since(Availability::nowhere().packer(7))
        .examples(&[(r#"consul_key("service/port")"#, "(known after apply)")]),
        text(
            "vault",
            "Returns a value of a secret from a Vault server. The call fails if the environment variable \
             VAULT_TOKEN is not set.",
            vault,
        )
        .nullable()
        .parameter(string("path"))
        .parameter(string("key"))
        .since(Availability::nowhere().packer(7))
        .examples(&[(r#"vault("secret/db", "password")"#, "(known after apply)")]),
        text(
            "aws_secretsmanager",
            "Returns a secret from AWS Secrets Manager, or the value of one of its keys. The secret must \
             have the key; null stands for the only key of a secret.",
            |_| Ok(remote("aws_secretsmanager")),
        )
        .nullable()
        .parameter(string("name"))
        .parameter(string("key").null())
        .since(Availability::nowhere().packer(7))
        .examples(&[(r#"aws_secretsmanager("db", "password")"#, "(known after apply)")]),
        text("aws_secretsmanager_raw", "Returns a whole secret from AWS Secrets Manager, unparsed.", |_| {
            Ok(remote("aws_secretsmanager_raw"))
        })
        .nullable()
        .parameter(string("name"))
        .since(Availability::nowhere().packer(12))
        .examples(&[(r#"aws_secretsmanager_raw("db")"#, "(known after apply)")]),
    ]
}

fn env(call: &Call<'_>) -> Result<Value, FunctionError> {
    Ok(match call.env.world.environment {
        Some(environment) => environment.get(call.string(0)).unwrap_or_default().into(),
        None => call.unknown_input(),
    })
}

/// Packer fails without a token in the environment before it asks the service.
fn vault(call: &Call<'_>) -> Result<Value, FunctionError> {
    let token =
        call.env.world.environment.map(|environment| environment.get("VAULT_TOKEN").unwrap_or_default());
    if token.is_some_and(|token| token.is_empty()) {
        return Err(FunctionError::new(
            "the environment variable VAULT_TOKEN, the access token for Vault, is not set",
        ));
    }
    Ok(remote("vault"))
}

/// Returns the unknown value of a function that would ask a service, which is never asked.
fn remote(name: &str) -> Value {
    Value::unknown_from(Type::String, Origins::one(OriginKind::RemoteFunction, name))
}

#[cfg(test)]
mod tests {
    use terrane_function::{EnvironmentVariables, World};
    use terrane_source::MemoryFiles;

    use crate::testing::{call, call_with, show_result, strings};

    struct OneVariable;

    impl EnvironmentVariables for OneVariable {
        fn get(&self, name: &str) -> Option<String> {
            (name == "HOME").then(|| "/home/ada".to_owned())
        }
    }

    #[test]
    fn environment_variables_are_those_that_are_given() {
        let world = World { environment: Some(&OneVariable), ..World::default() };
        let of = |name| show_result(&call_with(&MemoryFiles::new(), world, "env", strings([name])));
        assert_eq!((of("HOME").as_str(), of("NONE").as_str()), ("/home/ada", ""));
        assert_eq!(
            call("env", strings(["HOME"])).unwrap().origins().as_slice()[0].to_string(),
            "env() gives a new result in each run"
        );
    }

    #[test]
    fn services_are_not_asked() {
        let vault = call("vault", strings(["secret/data", "password"])).unwrap();
        assert_eq!(vault.origins().as_slice()[0].to_string(), "vault() asks a service");
    }
}
