//! Tests of bodies through the public functions, over a few variables.

mod decode;
mod open_body;

use std::path::Path;

use terrane_eval::{FunctionTable, Scope, Variables};
use terrane_function::{CallEnv, Limits};
use terrane_source::{Diagnostics, MemoryFiles};
use terrane_value::{Marks, Number, ObjectBuilder, OriginKind, Origins, Type, Value};

/// Calls `run` with a scope that has the variables and no functions.
fn with_scope<T>(run: impl FnOnce(&Scope<'_>) -> T) -> T {
    let (files, limits) = (MemoryFiles::new(), Limits::default());
    let env = CallEnv::new(&files, Path::new("module"), &limits);
    let names = Variables::new().with("var", variables());
    let functions = FunctionTable::new(Vec::new());
    run(&Scope { names: &names, functions: &functions, env: &env })
}

fn variables() -> Value {
    let unknown = |name: &str, ty| Value::unknown_from(ty, Origins::one(OriginKind::Variable, name));
    ObjectBuilder::new()
        .with("text", "abc")
        .with("list", Value::list(Type::String, ["c", "a"].map(Value::from)))
        .with("empty", Value::list(Type::String, []))
        .with("set", Value::set(Type::String, ["b", "a"].map(Value::from)))
        .with("map", Value::map(Type::String, [("k".into(), Value::from("v"))]))
        .with("object", ObjectBuilder::new().with("id", "i-1").with("n", Number::literal(2)).build())
        .with("null", Value::NULL)
        .with("null_list", Value::null(Type::list(Type::String)))
        .with("unknown_text", unknown("var.unknown_text", Type::String))
        .with("unknown_bool", unknown("var.unknown_bool", Type::Bool))
        .with("unknown_list", unknown("var.unknown_list", Type::list(Type::String)))
        .with("unknown", unknown("var.unknown", Type::Dynamic))
        .with("secret", Value::from("hunter2").with_marks(&Marks::sensitive()))
        .with("secret_bool", Value::TRUE.with_marks(&Marks::sensitive()))
        .build()
}

fn found(diagnostics: &Diagnostics) -> Vec<String> {
    let describe = |diagnostic: &terrane_source::Diagnostic| {
        let span = diagnostic.subject.as_ref().map(|subject| subject.span).unwrap_or_default();
        format!("{}-{} {}", span.start, span.end, diagnostic.title())
    };
    diagnostics.as_slice().iter().map(describe).collect()
}
