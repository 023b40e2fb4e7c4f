//! The functions of the provider of the tests.

use std::fmt::Write as _;
use std::future::pending;

use rmpv::Value;
use terrane_providers::wire::{
    CallReply, CallRequest, DynamicValue, Function, FunctionError, FunctionsReply, Parameter, Return,
};
use tonic::Status;

fn parameter(name: &str, ty: &[u8]) -> Parameter {
    Parameter { name: name.into(), ty: ty.to_vec(), ..Parameter::default() }
}

fn function(parameters: Vec<Parameter>, result: &[u8]) -> Function {
    Function { parameters, result: Some(Return { ty: result.to_vec() }), ..Function::default() }
}

/// Returns a function whose signature has every possible part.
pub(crate) fn grow() -> Function {
    let tree = Parameter {
        allow_null_value: true,
        description: "Its name.".into(),
        ..parameter("tree", br#""string""#)
    };
    Function {
        variadic_parameter: Some(parameter("years", br#""number""#)),
        summary: "Grows a tree".into(),
        description: "Heights by year.".into(),
        ..function(vec![tree], br#"["list","number"]"#)
    }
}

pub(crate) fn functions() -> FunctionsReply {
    let any = || Parameter { allow_null_value: true, ..parameter("value", br#""dynamic""#) };
    let functions = [
        ("grow", grow()),
        ("echo", function(vec![any()], br#""dynamic""#)),
        ("bytes", function(vec![any()], br#""string""#)),
        ("bytes_of_set", function(vec![parameter("value", br#"["set","dynamic"]"#)], br#""string""#)),
        ("fail", function(vec![parameter("text", br#""string""#)], br#""string""#)),
        ("maybe", function(Vec::new(), br#""string""#)),
        ("wrong", function(Vec::new(), br#"["list","string"]"#)),
        ("slow", function(Vec::new(), br#""string""#)),
        ("crash", function(Vec::new(), br#""string""#)),
    ];
    let functions = functions.map(|(name, function)| (name.to_owned(), function)).into();
    FunctionsReply { functions, diagnostics: Vec::new() }
}

pub(crate) async fn call(request: CallRequest) -> Result<CallReply, Status> {
    let arguments: Vec<Vec<u8>> = request.arguments.into_iter().map(|argument| argument.msgpack).collect();
    let value = |index: usize| {
        let mut bytes = arguments[index].as_slice();
        rmpv::decode::read_value(&mut bytes).expect("a value")
    };
    let result = match request.name.as_str() {
        "grow" => {
            let length = value(0).as_str().map_or(0, str::len);
            let heights = (1..arguments.len()).map(|index| {
                Value::F64(
                    value(index).as_f64().expect("a number") * 0.5
                        + f64::from(u32::try_from(length).expect("short")),
                )
            });
            packed(&Value::Array(heights.collect()))
        }
        "echo" => arguments[0].clone(),
        "bytes" | "bytes_of_set" => {
            let hex = arguments[0].iter().fold(String::new(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            packed(&Value::from(hex))
        }
        "fail" => {
            let text = format!("no tree \u{1b}[31m{}", value(0).as_str().unwrap_or_default());
            let error = FunctionError { text, function_argument: Some(0) };
            return Ok(CallReply { result: None, error: Some(error) });
        }
        "maybe" => packed(&Value::Ext(0, vec![0])),
        "wrong" => packed(&Value::from(1)),
        "slow" => pending().await,
        "crash" => std::process::abort(),
        _ => return Err(Status::not_found("no such function")),
    };
    Ok(CallReply { result: Some(DynamicValue { msgpack: result, json: Vec::new() }), error: None })
}

fn packed(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, value).expect("bytes");
    bytes
}
