//! A provider that keeps running while its functions are called.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::value::RawValue;
use terrane::value::json::decode_type;
use terrane::value::{Type, Value};
use tokio::time::timeout;

use crate::client::Client;
use crate::document::signatures;
use crate::failure::Failure;
use crate::handshake::shown;
use crate::message_pack::{decode, encode};
use crate::process::Process;
use crate::wire::{CallRequest, DynamicValue, Function, Parameter};
use crate::{ENDING, too_slow};

/// A running provider whose functions can be called.
pub struct Provider {
    process: Process,
    client: Client,
    functions: BTreeMap<String, Function>,
}

/// The outcome of a call of a function.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The result.
    Value(Value),
    /// A result that is unknown or partly unknown.
    Unknown,
    /// The error that the function reports.
    Error {
        /// The message.
        text: String,
        /// The index of the argument that caused the error.
        argument: Option<usize>,
    },
}

impl Provider {
    /// Starts the executable of a provider, and asks it for its functions.
    ///
    /// # Errors
    ///
    /// If the executable is no provider, reports an error, or does not answer within `time`.
    pub async fn start(executable: &Path, time: Duration) -> Result<Provider, Failure> {
        let mut process = Process::start(executable)?;
        let ask = async {
            let mut client = Client::connect(process.handshake().await?).await?;
            let functions = client.functions().await?.functions;
            Ok((client, functions))
        };
        let asked = timeout(time, ask).await.unwrap_or_else(|_| Err(too_slow(time)));
        match asked {
            Ok((client, functions)) => Ok(Provider { process, client, functions }),
            Err(failure) => {
                let failure = process.explain(failure).await;
                process.end().await;
                Err(failure)
            }
        }
    }

    /// Returns the signatures of the functions, as in the document of `terraform providers schema -json`.
    ///
    /// # Errors
    ///
    /// If a type is not JSON.
    pub fn signatures(&self) -> Result<Box<RawValue>, Failure> {
        signatures(&self.functions)
    }

    /// Calls a function. The arguments have the types of the parameters.
    ///
    /// # Errors
    ///
    /// If there is no such function, or the provider does not answer within `time`. It should then be [ended](Provider::end).
    pub async fn call(
        &mut self,
        name: &str,
        arguments: &[Value],
        time: Duration,
    ) -> Result<Outcome, Failure> {
        let function = self.functions.get(name);
        let function =
            function.ok_or_else(|| Failure::new(format!("the provider has no function {}", shown(name))))?;
        let result_type = function.result.as_ref().map_or(Ok(Type::Dynamic), |result| type_of(&result.ty))?;
        let encoded = arguments.iter().enumerate().map(|(index, argument)| {
            let parameter = function.parameters.get(index).or(function.variadic_parameter.as_ref());
            let ty = parameter.map_or(Ok(Type::Dynamic), |parameter: &Parameter| type_of(&parameter.ty))?;
            Ok(DynamicValue { msgpack: encode(argument, &ty)?, json: Vec::new() })
        });
        let request =
            CallRequest { name: name.to_owned(), arguments: encoded.collect::<Result<_, Failure>>()? };
        let answer = timeout(time, self.client.call(request)).await.unwrap_or_else(|_| Err(too_slow(time)));
        let answer = match answer {
            Ok(answer) => answer,
            Err(failure) => return Err(self.process.explain(failure).await),
        };
        if let Some(error) = answer.error {
            let argument = error.function_argument.and_then(|index| usize::try_from(index).ok());
            return Ok(Outcome::Error { text: error.text, argument });
        }
        let result = answer.result.ok_or_else(|| Failure::new("the provider answered without a result"))?;
        if result.msgpack.is_empty() {
            let text = String::from_utf8_lossy(&result.json);
            let value = terrane::value::json::decode_stored(&text, &result_type);
            return value.map(Outcome::Value).map_err(|error| Failure::new(error.to_string()));
        }
        Ok(decode(&result.msgpack, &result_type)?.map_or(Outcome::Unknown, Outcome::Value))
    }

    /// Ends the provider.
    pub async fn end(mut self) {
        // The process is killed if it does not end by itself.
        let _ = timeout(ENDING, self.client.shut_down()).await;
        self.process.end().await;
    }
}

fn type_of(json: &[u8]) -> Result<Type, Failure> {
    let text = String::from_utf8_lossy(json);
    decode_type(&text)
        .map_err(|error| Failure::new(format!("the type \"{}\" is not valid: {error}", shown(&text))))
}
