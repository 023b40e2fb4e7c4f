//! `--provider-functions`: adds the functions of providers to a project. The program `terrane-providers` answers their calls.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use serde::Deserialize;
use serde_json::value::RawValue;
use terrane::function::{Call, Function, FunctionError, Parameter, ResultType};
use terrane::value::json::{decode_stored, decode_type, encode, encode_type, write_string};
use terrane::value::{OriginKind, Origins, Type, convert};
use terrane::{Files, Project, Value};

use crate::provider_program::{PROGRAM, Refused, command, not_started};
use crate::timer;

/// The most bytes of an answer.
const MAX_BYTES: u64 = 512 << 20;

/// The most bytes of answers that are kept for further equal calls.
const KEPT_BYTES: usize = 64 << 20;

// An ordinary comment, because a doc comment would replace the description of the command.
#[derive(Args, Debug)]
pub(crate) struct ProviderFunctions {
    /// Call functions of providers. This starts the executables that `terraform init` or `tofu init` has installed for the
    /// providers whose functions are named, if their hashes are in `.terraform.lock.hcl`. Without it, the results are unknown.
    #[arg(long, conflicts_with = "sandbox")]
    provider_functions: bool,
}

/// Selects the providers whose functions are added.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WantedFunctions {
    /// Providers whose functions the configuration names.
    Called,
    /// All required providers, because later expressions may call their functions.
    Required,
}

impl ProviderFunctions {
    /// Returns the project with the functions, if the option asks for them.
    pub(crate) fn add(
        &self,
        project: Project,
        directory: &Path,
        wanted: WantedFunctions,
        files: &dyn Files,
    ) -> Result<Project, Refused> {
        if !self.provider_functions {
            return Ok(project);
        }
        let required = project.required_providers(files);
        let mut required = required
            .into_iter()
            .filter(|provider| provider.is_called || wanted == WantedFunctions::Required)
            .peekable();
        if required.peek().is_none() {
            return Ok(project);
        }
        let client = Arc::new(Client::start(directory)?);
        required.try_fold(project, |project, provider| {
            let [address] = provider.addresses.as_slice() else {
                let addresses: Vec<String> = provider.addresses.iter().map(ToString::to_string).collect();
                return Err(format!(
                    "functions cannot be called: the modules use the name {} for several providers, {}",
                    provider.name,
                    addresses.join(" and ")
                )
                .into());
            };
            let address = address.to_string();
            let rows = client.functions(&address, &provider.name)?;
            Ok(project.provider_functions(&provider.name, rows))
        })
    }
}

/// An answer of `terrane-providers`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ProviderReply<'a> {
    #[serde(borrow)]
    functions: Option<BTreeMap<String, Signature<'a>>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<String>,
    argument: Option<usize>,
    failure: Option<String>,
    help: Option<String>,
}

/// The signature of a function.
#[derive(Deserialize)]
struct Signature<'a> {
    #[serde(borrow)]
    return_type: &'a RawValue,
    #[serde(borrow, default)]
    parameters: Vec<SignatureParameter<'a>>,
    #[serde(borrow, default)]
    variadic_parameter: Option<SignatureParameter<'a>>,
}

#[derive(Deserialize)]
struct SignatureParameter<'a> {
    #[serde(default)]
    name: String,
    #[serde(default)]
    is_nullable: bool,
    #[serde(borrow, rename = "type")]
    ty: &'a RawValue,
}

/// The running program `terrane-providers`.
struct Client {
    process: Mutex<Process>,
    answers: Mutex<Answers>,
}

struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// Answers by request. A provider's function returns equal results for equal arguments.
#[derive(Default)]
struct Answers {
    by_request: HashMap<String, String>,
    bytes: usize,
}

/// A function of a provider.
struct Called {
    client: Arc<Client>,
    provider: String,
    function: String,
    /// The name by which the configuration calls it.
    name: String,
}

impl Client {
    fn start(directory: &Path) -> Result<Client, Refused> {
        let mut command = command();
        command.arg("functions").stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(time) = timer::time() {
            command.arg("--timeout").arg(time.as_secs_f64().to_string());
        }
        let mut child = command.arg("--").arg(directory).spawn().map_err(|error| not_started(&error))?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let answers = answers.ok_or_else(|| format!("{PROGRAM} has no output"))?;
        let process = Process { child, requests, answers: BufReader::new(answers) };
        Ok(Client { process: Mutex::new(process), answers: Mutex::default() })
    }

    /// Returns the rows of the functions of a provider with this local name.
    fn functions(self: &Arc<Client>, address: &str, local: &str) -> Result<Vec<Function>, Refused> {
        let mut request = String::from("{\"provider\":");
        write_string(&mut request, address);
        request.push('}');
        let answer = self.ask(&request)?;
        let answer = parsed(&answer)?;
        if let Some(failure) = answer.failure {
            return Err(Refused { text: format!("{address}: {failure}"), help: answer.help });
        }
        let signatures = answer.functions.unwrap_or_default();
        let row = |(name, signature): (String, Signature<'_>)| {
            let called = Called {
                client: Arc::clone(self),
                provider: address.to_owned(),
                function: name.clone(),
                name: format!("provider::{local}::{name}"),
            };
            let within = |error| format!("{address}: the function {name} has a wrong signature: {error}");
            called.row(&signature).map_err(within)
        };
        signatures.into_iter().map(row).collect::<Result<_, String>>().map_err(Refused::from)
    }

    /// Sends a request and returns the answer, each on one line.
    fn ask(&self, request: &str) -> Result<String, String> {
        let mut kept = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = kept.by_request.get(request) {
            return Ok(answer.clone());
        }
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let answer =
            process.exchange(request).map_err(|error| format!("{PROGRAM} does not answer: {error}"))?;
        let bytes = request.len() + answer.len();
        if kept.bytes + bytes <= KEPT_BYTES {
            kept.bytes += bytes;
            kept.by_request.insert(request.to_owned(), answer.clone());
        }
        Ok(answer)
    }
}

impl Process {
    fn exchange(&mut self, request: &str) -> std::io::Result<String> {
        let closed = || std::io::Error::other("it has ended");
        let requests = self.requests.as_mut().ok_or_else(closed)?;
        requests.write_all(request.as_bytes())?;
        requests.write_all(b"\n")?;
        requests.flush()?;
        let mut answer = String::new();
        (&mut self.answers).take(MAX_BYTES).read_line(&mut answer)?;
        if answer.ends_with('\n') { Ok(answer) } else { Err(closed()) }
    }
}

impl Drop for Process {
    /// Ends the program, which then ends the providers.
    fn drop(&mut self) {
        self.requests = None;
        // An error means that the program has ended by itself.
        let _ = self.child.wait();
    }
}

fn parsed(answer: &str) -> Result<ProviderReply<'_>, String> {
    serde_json::from_str(answer).map_err(|error| format!("{PROGRAM} gave a wrong answer: {error}"))
}

impl Called {
    /// Returns the row of the function.
    fn row(self, signature: &Signature<'_>) -> Result<Function, String> {
        let ty = |json: &RawValue| decode_type(json.get()).map_err(|error| error.to_string());
        let parameter = |signature: &SignatureParameter<'_>| {
            let parameter = Parameter::new(signature.name.clone(), ty(signature.ty)?);
            let parameter = if signature.is_nullable { parameter.null() } else { parameter };
            // A null may have no type, so it is dynamic, too.
            Ok::<_, String>(if parameter.ty == Type::Dynamic { parameter.dynamic() } else { parameter })
        };
        let parameters = signature.parameters.iter().map(parameter).collect::<Result<Vec<_>, _>>()?;
        let variadic = signature.variadic_parameter.as_ref().map(parameter).transpose()?;
        let result = ResultType::Fixed(ty(signature.return_type)?);
        let row = Function::new(self.name.clone(), "A function of a provider.", result, move |call| {
            self.call(call)
        });
        let row = parameters.into_iter().fold(row, Function::parameter);
        Ok(variadic.into_iter().fold(row, Function::variadic).nullable().pure())
    }

    fn call(&self, call: &Call<'_>) -> Result<Value, FunctionError> {
        let mut request = String::from("{\"provider\":");
        write_string(&mut request, &self.provider);
        request.push_str(",\"function\":");
        write_string(&mut request, &self.function);
        request.push_str(",\"arguments\":[");
        for (index, argument) in call.arguments.iter().enumerate() {
            let json = encode(argument);
            let json = json.map_err(|error| FunctionError::argument(index, error.to_string()))?;
            let separator = if index == 0 { "" } else { "," };
            let ty = encode_type(&argument.ty());
            request.push_str(&format!("{separator}{{\"type\":{ty},\"value\":{json}}}"));
        }
        request.push_str("]}");
        let answer = self.client.ask(&request).map_err(FunctionError::new)?;
        let answer = parsed(&answer).map_err(FunctionError::new)?;
        if let Some(text) = answer.failure.or(answer.error) {
            return Err(match answer.argument {
                Some(index) => FunctionError::argument(index, text),
                None => FunctionError::new(text),
            });
        }
        let Some(result) = answer.result else {
            let origins = Origins::one(OriginKind::ProviderFunction, &*self.name);
            return Ok(Value::unknown_from(call.result_type.clone(), origins));
        };
        let value = decode_stored(result.get(), &Type::Dynamic);
        let value = value.map_err(|error| FunctionError::new(error.to_string()))?;
        convert(&value, call.result_type).map_err(FunctionError::from)
    }
}
