//! Text to value through the library, as a program that embeds it would do.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use terrane_body::{Body, BodySpec, decode};
use terrane_eval::{
    Answer, FunctionTable, Names, Program, Scope, evaluate, evaluate_in_console, strict_type_constraint,
};
use terrane_function::{CallEnv, FixedClock, Limits, Random, World};
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, MemoryFiles, SourceFile};
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{TypeConstraint, Value, display};

/// The world of every test: a clock that stands still, random numbers that are not, and a home.
pub const WORLD: World<'_> = World {
    clock: Some(&FixedClock(1_700_000_000)),
    plan_time: None,
    random: Some(&SameBytes),
    home: None,
    environment: None,
};

/// Random bytes that are always the same.
struct SameBytes;

impl Random for SameBytes {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// A value and the diagnostics of its evaluation.
pub struct Outcome {
    /// The value; an unknown one where there are errors.
    pub value: Value,
    /// The text of the type that is the answer to `type(…)`; the value then says nothing but its marks.
    pub ty: Option<String>,
    /// Errors and warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Outcome {
    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }

    /// Whether there is an error.
    pub fn is_error(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The answer of the console.
    pub fn new(answer: Answer, diagnostics: impl IntoIterator<Item = Diagnostic>) -> Outcome {
        let (value, ty) = match answer {
            Answer::Value(value) => (value, None),
            Answer::Type(value) => {
                (Value::NULL.with_marks(&value.unmark_deep().1), Some(display::type_text(&value.ty())))
            }
            Answer::TypeOfType => (Value::NULL, Some("type".to_owned())),
        };
        Outcome { value, ty, diagnostics: diagnostics.into_iter().collect() }
    }

    /// No value, for these reasons.
    pub fn failed(diagnostics: Vec<Diagnostic>) -> Outcome {
        Outcome { value: Value::error(), ty: None, diagnostics }
    }

    /// The text that the console prints.
    pub fn console(&self) -> String {
        self.ty.clone().unwrap_or_else(|| display::console(&self.value))
    }
}

/// A source file for a text that is on no disk.
pub fn source(name: &str, text: &str) -> Arc<SourceFile> {
    SourceFile::new(FileId::new(name), text)
}

/// Parses `text` and, where that works, evaluates it.
pub fn evaluate_text(text: &str, names: &dyn Names, files: &dyn Files) -> Outcome {
    match parse(text) {
        Ok(expression) => evaluate_expression(&expression, names, files),
        Err(diagnostics) => Outcome::failed(diagnostics),
    }
}

/// Parses `text` as one expression.
///
/// # Errors
///
/// The diagnostics where one of them is an error.
pub fn parse(text: &str) -> Result<Expression, Vec<Diagnostic>> {
    let parsed = parse_expr(&source("expression", text));
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    Ok(Expression { tree: parsed.tree, id: parsed.root })
}

/// Reads `text` as a type constraint.
///
/// # Errors
///
/// The diagnostics where one of them is an error.
pub fn type_constraint_text(text: &str) -> Result<TypeConstraint, Vec<Diagnostic>> {
    type_constraint_of(&parse(text)?)
}

/// Reads an expression as a type constraint.
///
/// # Errors
///
/// The diagnostics where one of them is an error.
pub fn type_constraint_of(expression: &Expression) -> Result<TypeConstraint, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::new();
    let constraint = strict_type_constraint(expression, &mut diagnostics);
    if diagnostics.has_errors() { Err(diagnostics.into_iter().collect()) } else { Ok(constraint) }
}

/// Evaluates an expression, as on the console. Wherever that is done, a program must give the same as an evaluation
/// without one.
pub fn evaluate_expression(expression: &Expression, names: &dyn Names, files: &dyn Files) -> Outcome {
    with_scope(names, files, |scope| {
        let program = Program::new(expression.clone(), scope.functions);
        let planned = observe(|diagnostics| program.evaluate(scope, diagnostics));
        assert_eq!(planned, observe(|diagnostics| evaluate(expression, scope, diagnostics)));
        let mut diagnostics = Diagnostics::new();
        let answer = evaluate_in_console(expression, scope, &mut diagnostics);
        Outcome::new(answer, diagnostics)
    })
}

/// The observable result of an evaluation: the value, its type, its marks, and the diagnostics.
fn observe(evaluate: impl FnOnce(&mut Diagnostics) -> Value) -> [String; 4] {
    let mut diagnostics = Diagnostics::new();
    let value = evaluate(&mut diagnostics);
    let (plain, marks) = value.unmark_deep();
    let found = diagnostics.into_iter().map(|found| format!("{found:?}\n")).collect();
    [format!("{plain:?}"), value.ty().to_string(), format!("{} {marks:?}", display::console(&value)), found]
}

/// Decodes a body, which is a whole file.
pub fn decode_text(text: &str, is_json: bool, spec: &BodySpec, names: &dyn Names) -> Outcome {
    let (body, found) = Body::parse(&source(if is_json { "body.json" } else { "body" }, text));
    if found.iter().any(Diagnostic::is_error) {
        return Outcome::failed(found);
    }
    with_scope(names, &MemoryFiles::new(), |scope| {
        let mut diagnostics = Diagnostics::new();
        let value = decode(&body, spec, scope, &mut diagnostics);
        Outcome::new(Answer::Value(value), diagnostics)
    })
}

/// Gives `run` a scope with all functions, the newest rules and a clock that stands still.
pub fn with_scope<T>(names: &dyn Names, files: &dyn Files, run: impl FnOnce(&Scope<'_>) -> T) -> T {
    let limits = Limits::default();
    let env = CallEnv { world: WORLD, ..CallEnv::new(files, Path::new("."), &limits) };
    run(&Scope { names, functions: functions(), env: &env })
}

/// Every function of the library and the evaluator.
pub fn functions() -> &'static FunctionTable {
    static FUNCTIONS: LazyLock<FunctionTable> =
        LazyLock::new(|| FunctionTable::new(terrane_stdlib::functions()));
    &FUNCTIONS
}
