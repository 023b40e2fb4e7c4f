//! Tests of rows and of the code that calls them.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use terrane_source::MemoryFiles;
use terrane_value::{Marks, Number, OriginKind, Origins, Refusal, Type, Value, display};

use crate::{
    Call, CallEnv, Direct, Function, FunctionError, Limits, Meter, Parameter, ResultType, Together, call,
    call_converted,
};

type Body = fn(&Call<'_>) -> Result<Value, FunctionError>;

fn function(body: Body) -> Function {
    Function::new("test", "For tests.", ResultType::Fixed(Type::String), body)
}

/// Returns the number of arguments that reached the body, and the first of them.
fn shows(call: &Call<'_>) -> Result<Value, FunctionError> {
    Ok(Value::from(format!("{} {:?}", call.arguments.len(), call.argument(0))))
}

fn never(call: &Call<'_>) -> Result<Value, FunctionError> {
    Err(call.invalid(0, "the body must not be called"))
}

fn calling(function: &Function, arguments: impl IntoIterator<Item = Value>) -> Result<Value, FunctionError> {
    let (files, limits) = (MemoryFiles::default(), Limits::default());
    call(function, arguments.into_iter().collect(), &CallEnv::new(&files, Path::new(""), &limits))
}

fn strict(ty: Type, body: Body) -> Function {
    function(body).parameter(Parameter::new("value", ty))
}

fn variable(name: &str, ty: Type) -> Value {
    Value::unknown_from(ty, Origins::one(OriginKind::Variable, name))
}

fn subjects(value: &Value) -> Vec<&str> {
    value.origins().as_slice().iter().map(|origin| &*origin.subject).collect()
}

#[test]
fn the_number_of_arguments_is_checked() {
    let two = strict(Type::String, shows).parameter(Parameter::new("other", Type::String));
    assert_eq!(calling(&two, [Value::from("a")]).unwrap_err().to_string(), "2 arguments are needed");
    let error = calling(&two, ["a", "b", "c"].map(Value::from)).unwrap_err();
    assert_eq!(error.argument, Some(2));
    assert!(calling(&two, ["a", "b"].map(Value::from)).is_ok());
}

#[test]
fn further_arguments_go_to_the_variadic_parameter() {
    let function = strict(Type::String, shows).variadic(Parameter::new("more", Type::Number));
    assert_eq!(calling(&function, [Value::TRUE]).unwrap().as_str(), Some("1 String(\"true\")"));
    let arguments = [Value::from("a"), Value::from("1"), Value::from("x")];
    let error = calling(&function, arguments).unwrap_err();
    assert_eq!((error.argument, error.to_string()), (Some(2), "a number is required".to_owned()));
    let variadic = Function::new("all", "", ResultType::Fixed(Type::String), shows)
        .variadic(Parameter::new("all", Type::Dynamic));
    assert!(calling(&variadic, []).unwrap().as_str().is_some_and(|text| text.starts_with("0 ")));
}

#[test]
fn arguments_are_converted_and_errors_say_where() {
    let list = strict(Type::list(Type::Number), shows);
    let tuple = Value::tuple([Value::from("1"), Value::from("x")]);
    let error = calling(&list, [tuple]).unwrap_err();
    assert_eq!(error.to_string(), "element [1]: a number is required");
    assert_eq!(error.argument, Some(0));
    let shown = calling(&list, [Value::tuple([Value::from("1")])]).unwrap();
    assert_eq!(shown.as_str(), Some("1 List([Number(1@512)])"));
}

#[test]
fn null_is_an_error_unless_the_parameter_takes_it() {
    let error = calling(&strict(Type::String, never), [Value::NULL]).unwrap_err();
    assert_eq!(error.to_string(), "the argument must not be null");
    let open = function(shows).parameter(Parameter::new("value", Type::String).null());
    assert_eq!(calling(&open, [Value::NULL]).unwrap().as_str(), Some("1 Null(string)"));
    let sensitive = Value::NULL.with_marks(&Marks::sensitive());
    assert!(calling(&strict(Type::String, never), [sensitive]).is_err(), "a marked null is null");
}

#[test]
fn an_unknown_argument_makes_the_result_unknown_without_a_call() {
    let two = strict(Type::String, never).parameter(Parameter::new("other", Type::String));
    let result = calling(&two, [variable("var.a", Type::String), variable("var.b", Type::Number)]).unwrap();
    assert_eq!(result.ty(), Type::String);
    assert!(result.is_never_null(), "the result of this function never is");
    assert_eq!(subjects(&result), ["var.a", "var.b"]);
    let nullable = strict(Type::String, never).nullable();
    assert!(!calling(&nullable, [variable("var.a", Type::String)]).unwrap().is_never_null());
    let open = function(shows).parameter(Parameter::new("value", Type::String).unknown());
    assert!(calling(&open, [variable("var.a", Type::String)]).unwrap().is_known());
}

#[test]
fn an_unknown_inside_an_argument_reaches_the_body() {
    let list = strict(Type::list(Type::String), shows);
    let tuple = Value::tuple([variable("var.a", Type::String)]);
    assert!(calling(&list, [tuple]).unwrap().is_known());
}

#[test]
fn an_argument_of_no_known_type_leaves_the_result_without_one() {
    let any = strict(Type::Dynamic, never);
    let result = calling(&any, [variable("var.a", Type::Dynamic)]).unwrap();
    assert_eq!(result.ty(), Type::Dynamic);
    assert!(!result.is_never_null());
    assert_eq!(subjects(&result), ["var.a"]);
    let open = function(never).parameter(Parameter::new("value", Type::Dynamic).dynamic());
    assert_eq!(calling(&open, [variable("var.a", Type::Dynamic)]).unwrap().ty(), Type::String);
    // The check does not look at a null behind it.
    let two = strict(Type::Dynamic, never).parameter(Parameter::new("other", Type::String));
    assert!(!calling(&two, [variable("var.a", Type::Dynamic), Value::NULL]).unwrap().is_known());
    assert!(calling(&two, [Value::NULL, variable("var.a", Type::Dynamic)]).is_err());
    // If the parameter has a type, the argument has that type, too.
    assert_eq!(
        calling(&strict(Type::String, never), [variable("var.a", Type::Dynamic)]).unwrap().ty(),
        Type::String
    );
}

#[test]
fn marks_go_from_everywhere_in_the_arguments_to_the_result() {
    let sensitive = |value: Value| value.with_marks(&Marks::sensitive());
    let list = strict(Type::list(Type::String), shows);
    let result = calling(&list, [Value::tuple([sensitive(Value::from("a"))])]).unwrap();
    assert_eq!(result.marks(), &Marks::sensitive());
    assert_eq!(result.as_str(), Some("1 List([String(\"a\")])"), "the body sees no mark");
    let unknown = calling(&strict(Type::String, never), [sensitive(variable("var.a", Type::String))]);
    assert!(unknown.unwrap().is_marked());
    let open = function(shows).parameter(Parameter::new("value", Type::String).marked());
    let result = calling(&open, [sensitive(Value::from("a"))]).unwrap();
    assert!(!result.is_marked(), "what the body sees itself, it marks itself");
    assert!(result.as_str().is_some_and(|text| text.contains("Marked")));
}

#[test]
fn a_computed_type_sees_the_arguments_and_may_fail() {
    let computed = ResultType::computed(|call| {
        if call.argument(0).ty() == Type::tuple([]) {
            return Err(call.invalid(0, "it must have elements"));
        }
        Ok(Type::list(call.argument(0).ty()))
    });
    let body: Body = |call| Ok(Value::list(Type::Dynamic, [call.argument(0).clone()]));
    let function = Function::new("one", "", computed, body).parameter(Parameter::new("value", Type::Dynamic));
    let list = calling(&function, [Value::from("a")]).unwrap();
    assert_eq!(display::console(&list), "tolist([\n  \"a\",\n])");
    let unknown = calling(&function, [variable("var.a", Type::Bool)]).unwrap();
    assert_eq!(unknown.ty(), Type::list(Type::Bool));
    assert_eq!(calling(&function, [Value::tuple([])]).unwrap_err().to_string(), "it must have elements");
}

#[test]
fn messages_show_no_marked_text() {
    let body: Body = |call| Err(call.invalid(0, format!("not {}", call.quoted(0))));
    let error = |value: Value| calling(&strict(Type::String, body), [value]).unwrap_err().to_string();
    assert_eq!(error(Value::from("a")), "not \"a\"");
    assert_eq!(error(Value::from("a").with_marks(&Marks::sensitive())), "not (sensitive value)");
}

#[test]
fn whole_numbers_are_asked_for_with_a_range() {
    let body: Body = |call| Ok(Value::from(call.integer(0)?.to_string()));
    let number = |text: &str| calling(&strict(Type::Number, body), [Value::from(text)]);
    assert_eq!(number("-7").unwrap().as_str(), Some("-7"));
    for text in ["1.5", "9223372036854775808", "inf"] {
        let error = number(text).unwrap_err();
        assert!(error.to_string().starts_with("a whole number"), "{text}");
    }
}

#[test]
fn a_result_beyond_the_limits_of_values_says_so() {
    let body: Body = |call| Ok(Value::tuple([call.argument(0).clone()]));
    let any = ResultType::Fixed(Type::Dynamic);
    let function = Function::new("wrap", "", any, body).parameter(Parameter::new("value", Type::Dynamic));
    let deepest = (0..terrane_value::MAX_DEPTH).fold(Value::TRUE, |inner, _| Value::tuple([inner]));
    assert_eq!(calling(&function, [deepest]).unwrap().refused(), Some(Refusal::TooDeep));
}

#[test]
fn a_body_and_a_type_may_capture_state() {
    let calls = Arc::new(AtomicUsize::new(0));
    let (counted, ty) = (Arc::clone(&calls), Type::list(Type::String));
    let function = Function::new("again", "", ResultType::computed(move |_| Ok(ty.clone())), move |call| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Value::list(Type::String, [call.argument(0).clone()]))
    });
    let function = function.parameter(Parameter::new("value", Type::String));
    assert_eq!(calling(&function, ["a".into()]).unwrap().ty(), Type::list(Type::String));
    assert_eq!(calling(&function, [Value::unknown(Type::String)]).unwrap().ty(), Type::list(Type::String));
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn a_function_body_counts_its_work() {
    let function = strict(Type::Number, |call| {
        let work = usize::try_from(call.integer(0)?).unwrap_or_default();
        call.spend(work)?;
        call.spend(work)?;
        Ok(Value::from("done"))
    });
    let (files, limits) = (MemoryFiles::default(), Limits { work: 1000, ..Limits::default() });
    let env = CallEnv::new(&files, Path::new(""), &limits);
    let spent = |work: i64| {
        let counted = Cell::new(0);
        let mut arguments = [Value::number(Number::counted(work))];
        let result =
            call_converted(&function, &mut arguments, &env, &counted, &mut |call| (function.body)(call));
        (result.is_ok(), counted.get())
    };
    assert_eq!(spent(100), (true, 200));
    assert_eq!(spent(500), (true, 1000));
    assert_eq!(spent(501), (false, 1002));
    assert_eq!(spent(100_000), (false, 100_000));
}

/// Threads evaluate parts of a run side by side. The limits of the run count for the sum of the parts.
#[test]
fn parts_of_a_run_count_together() {
    let run = Meter::default();
    run.count_to(100);
    run.hold(1000);
    let together = Arc::new(Together::new(200, 2000));
    together.begin(&run);
    assert!(!run.exceeds_together(u64::MAX, u64::MAX), "a run without parts has its own limits");
    let (one, other) = (run.fork(500, &together), run.fork(500, &together));
    assert_eq!((one.steps(), one.memory()), (100, 1500), "a part counts on from the run");
    assert!(!one.exceeds_together(150, 1500));
    assert!(!other.exceeds_together(150, 2400));
    assert!(other.exceeds_together(151, 2400), "50 and 51 steps after 100");
    // The reserve does not count as memory in use.
    assert!(one.exceeds_together(100, 1601), "1000, 900 and 101 bytes");
    let freed = other.exceeds_together(100, 1500);
    assert!(!freed && !one.exceeds_together(100, 1601), "memory that a part gives back counts no longer");
}

#[test]
fn direct_code_takes_only_the_arguments_of_most_calls() {
    let double = |text: &str| Value::from(text.repeat(2));
    let text = Function::on_text("test", "For tests.", Type::String, double)
        .parameter(Parameter::new("a", Type::String));
    let limits = Limits { bytes: 6, ..Limits::default() };
    let direct = |function: &Function, arguments: &[&Value], most: usize| {
        let work = Cell::new(0);
        let value = function.call_direct(arguments, &limits, &work, most);
        (value.map(|value| display::console(&value)), work.get())
    };
    let (short, long) = (Value::from("ab"), Value::from("abcd"));
    assert_eq!(direct(&text, &[&short], 10), (Some("\"abab\"".to_owned()), 2));
    // The work, the length of the result, and the number and types of the arguments must match the direct code.
    assert_eq!(direct(&text, &[&short], 1).0, None);
    assert_eq!(direct(&text, &[&long], 10).0, None);
    assert_eq!(direct(&text, &[&short, &short], 10).0, None);
    for other in [
        Value::from(1),
        Value::NULL,
        Value::unknown(Type::String),
        short.clone().with_marks(&Marks::sensitive()),
    ] {
        assert_eq!(direct(&text, &[&other], 10).0, None);
    }
    let objects = function(never).direct(Direct::Objects(Value::object_of_both));
    let object = |value: &Value| Value::object([("a".into(), value.clone())]);
    let (known, open) = (object(&short), object(&Value::unknown(Type::String)));
    assert!(direct(&objects, &[&known, &known], 100).0.is_some());
    assert_eq!(direct(&objects, &[&known, &open], 100).0, None);
    assert_eq!(direct(&objects, &[&known, &short], 100).0, None);
    assert_eq!(direct(&function(shows), &[&short], 10).0, None);
}
