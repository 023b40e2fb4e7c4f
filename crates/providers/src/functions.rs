//! `terrane-providers functions`: answers requests for functions, one JSON object per line.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use terrane::module::provider::{ProviderAddress, SourceProblem};
use terrane::value::json::{decode_stored, encode, encode_type};
use terrane::value::{Type, Value};
use terrane_providers::{Failure, Outcome, Provider, Wanted};
use tokio::io::{AsyncBufReadExt as _, BufReader, stdin};

use crate::output;

/// A request: for the signatures of a provider's functions, or for a call of a function.
#[derive(Deserialize)]
struct Request<'r> {
    provider: String,
    function: Option<String>,
    /// The arguments. Each is an object of a type and a value.
    #[serde(borrow, default)]
    arguments: Vec<&'r RawValue>,
}

/// The answer: signatures, a result, an error of the function, or a failure of the provider.
#[derive(Default, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    functions: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// The providers of the lock file, and the started ones among them.
struct Server {
    wanted: Vec<Wanted>,
    time: Duration,
    /// The result of starting each provider. A provider that could not be asked is not started again.
    started: BTreeMap<ProviderAddress, Result<Provider, Failure>>,
}

/// Answers requests until the end of the input.
pub(crate) async fn serve(wanted: Vec<Wanted>, time: Duration) -> io::Result<()> {
    let mut server = Server { wanted, time, started: BTreeMap::new() };
    let mut lines = BufReader::new(stdin()).lines();
    let result = async {
        while let Some(line) = lines.next_line().await? {
            let answer = server.answer(&line).await.unwrap_or_else(|failure| Answer {
                failure: Some(failure.text),
                help: failure.help,
                ..Answer::default()
            });
            output::document(&serde_json::to_string(&answer).map_err(io::Error::other)?)?;
        }
        Ok(())
    };
    let result = result.await;
    for provider in server.started.into_values().flatten() {
        provider.end().await;
    }
    result
}

impl Server {
    async fn answer(&mut self, line: &str) -> Result<Answer, Failure> {
        let request: Request<'_> = serde_json::from_str(line)
            .map_err(|error| Failure::new(format!("the request is wrong: {error}")))?;
        let address: ProviderAddress =
            request.provider.parse().map_err(|problem: SourceProblem| Failure::new(problem.reason))?;
        self.start(&address).await;
        let Some(Ok(provider)) = self.started.get_mut(&address) else {
            let failure = self.started.get(&address).and_then(|started| started.as_ref().err());
            return Err(failure.cloned().unwrap_or_else(|| Failure::new("the provider has not started")));
        };
        let Some(function) = &request.function else {
            return Ok(Answer { functions: Some(provider.signatures()?), ..Answer::default() });
        };
        let decode = |argument: &&RawValue| decode_stored(argument.get(), &Type::Dynamic);
        let arguments: Result<Vec<Value>, _> = request.arguments.iter().map(decode).collect();
        let arguments = arguments.map_err(|error| Failure::new(format!("the request is wrong: {error}")))?;
        match provider.call(function, &arguments, self.time).await {
            Ok(outcome) => answer_of(outcome),
            Err(failure) => {
                // After this failure the state of the provider is unknown.
                if let Some(Ok(provider)) = self.started.insert(address, Err(failure.clone())) {
                    provider.end().await;
                }
                Err(failure)
            }
        }
    }

    /// Starts a provider with the first request for it.
    async fn start(&mut self, address: &ProviderAddress) {
        if self.started.contains_key(address) {
            return;
        }
        let started = match self.wanted.iter().find(|wanted| wanted.address() == address) {
            None => Err(Failure::new(format!("{address} is not in the lock file"))),
            Some(wanted) => match wanted.installed() {
                Ok(package) => Provider::start(&package.executable, self.time).await,
                Err(failure) => Err(failure),
            },
        };
        self.started.insert(address.clone(), started);
    }
}

fn answer_of(outcome: Outcome) -> Result<Answer, Failure> {
    Ok(match outcome {
        Outcome::Value(value) => {
            let json = encode(&value).map_err(|error| Failure::new(error.to_string()))?;
            let text = format!(r#"{{"type":{},"value":{json}}}"#, encode_type(&value.ty()));
            let raw = RawValue::from_string(text).map_err(|error| Failure::new(error.to_string()))?;
            Answer { result: Some(raw), ..Answer::default() }
        }
        Outcome::Unknown => Answer { unknown: Some(true), ..Answer::default() },
        Outcome::Error { text, argument } => Answer { error: Some(text), argument, ..Answer::default() },
    })
}
