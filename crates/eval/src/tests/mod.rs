//! Tests of the evaluator through its public functions, in a small world of variables and functions.

mod expressions;
mod limits;
mod program;
mod references;
mod special;
mod type_constraint;

use std::path::Path;

use terrane_function::{CallEnv, Function, Limits, Parameter, ResultType};
use terrane_source::{Diagnostics, FileId, MemoryFiles, SourceFile};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{
    Entries, Marks, Number, ObjectBuilder, OriginKind, Origins, Type, Value, ValueKind, display,
};

use crate::{FunctionTable, Scope, Variables, evaluate};

/// The names and functions to which an expression may refer in the tests.
struct World {
    names: Variables,
    functions: FunctionTable,
    files: MemoryFiles,
    limits: Limits,
}

impl World {
    fn new() -> World {
        let files = MemoryFiles::new();
        files.insert("module/hello.tftpl", "Hello, ${name}!");
        files.insert("module/lone.tftpl", "${name}");
        files.insert("module/endless.tftpl", "${templatefile(\"endless.tftpl\", {})}");
        files.insert("module/broken.tftpl", "${");
        World {
            names: Variables::new().with("var", variables()).with("open", open()),
            functions: FunctionTable::new(functions()),
            files,
            limits: Limits::default(),
        }
    }

    fn with_scope<T>(&self, run: impl FnOnce(&Scope<'_>) -> T) -> T {
        let env = CallEnv::new(&self.files, Path::new("module"), &self.limits);
        let scope = Scope { names: &self.names, functions: &self.functions, env: &env };
        run(&scope)
    }

    fn evaluate(&self, text: &str) -> (Value, Diagnostics) {
        let parsed = parse_expr(&SourceFile::new(FileId::new("test.tf"), text));
        let messages: Vec<_> = parsed.diagnostics.iter().map(|found| found.title()).collect();
        assert!(messages.is_empty(), "{text}: {messages:?}");
        let mut diagnostics = Diagnostics::new();
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let value = self.with_scope(|scope| evaluate(&expression, scope, &mut diagnostics));
        (value, diagnostics)
    }
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

/// Returns a resource without schema.
fn open() -> Value {
    let attributes: Entries = [("port".into(), Value::from("443"))].into_iter().collect();
    Value::open_object(attributes, Origins::one(OriginKind::ResourceAttribute, "open"))
}

fn functions() -> Vec<Function> {
    let text = || Parameter::new("text", Type::String);
    vec![
        Function::new("upper", "", ResultType::Fixed(Type::String), |call| {
            Ok(Value::from(call.string(0).to_uppercase()))
        })
        .parameter(text()),
        Function::new("join", "", ResultType::Fixed(Type::String), |call| {
            let parts: Vec<_> = call.rest(1).iter().filter_map(Value::as_str).collect();
            Ok(Value::from(parts.join(call.string(0))))
        })
        .parameter(text())
        .variadic(text()),
        Function::new("fail", "", ResultType::Fixed(Type::String), |call| {
            Err(call.invalid(0, format!("{} is refused", call.string(0))))
        })
        .parameter(text()),
        Function::new("fail_second", "", ResultType::Fixed(Type::String), |call| {
            Err(call.invalid(1, "it is refused"))
        })
        .parameter(text())
        .parameter(text()),
        Function::new("fail_whole", "", ResultType::Fixed(Type::String), |_| {
            Err(terrane_function::FunctionError::new("nothing works"))
        }),
    ]
}

/// Returns the value on one line, with marked parts in `‹…›`.
fn shown(value: &Value) -> String {
    match value.kind() {
        ValueKind::Marked(inner, _) => format!("‹{}›", shown(inner)),
        ValueKind::Unknown(unknown) => format!("unknown({})", unknown.ty),
        ValueKind::Tuple(elements) | ValueKind::List(elements) | ValueKind::Set(elements) => {
            let elements: Vec<_> = elements.iter().map(shown).collect();
            let brackets = match value.unmarked().kind() {
                ValueKind::List(_) => "list",
                ValueKind::Set(_) => "set",
                ValueKind::Bool(_)
                | ValueKind::Number(_)
                | ValueKind::String(_)
                | ValueKind::Map(_)
                | ValueKind::Tuple(_)
                | ValueKind::Object(_)
                | ValueKind::Null(_)
                | ValueKind::Unknown(_)
                | ValueKind::Marked(..) => "",
            };
            format!("{brackets}[{}]", elements.join(", "))
        }
        ValueKind::Map(entries) | ValueKind::Object(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(key, value)| format!("{key} = {}", shown(value))).collect();
            let word = if matches!(value.ty(), Type::Map(_)) { "map" } else { "" };
            format!("{word}{{{}}}", entries.join(", "))
        }
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Null(_) => {
            display::console(value)
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let (value, diagnostics) = World::new().evaluate(text);
    assert_eq!(found(&diagnostics), Vec::<String>::new(), "{text}");
    assert_eq!(shown(&value), expected, "{text}");
}

/// Checks the mistakes of `text`, each as `start-end title`, and the value in spite of them.
#[track_caller]
fn check_errors(text: &str, errors: &[&str], expected: &str) {
    let (value, diagnostics) = World::new().evaluate(text);
    assert_eq!(found(&diagnostics), errors, "{text}");
    assert_eq!(shown(&value), expected, "{text}");
}

fn found(diagnostics: &Diagnostics) -> Vec<String> {
    let describe = |diagnostic: &terrane_source::Diagnostic| {
        let span = diagnostic.subject.as_ref().map(|subject| subject.span).unwrap_or_default();
        format!("{}-{} {}", span.start, span.end, diagnostic.title())
    };
    diagnostics.as_slice().iter().map(describe).collect()
}
