//! The examples of the function library, executed.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use terrane_eval::{Answer, Scope, Semantics};
use terrane_eval::{FunctionTable, Special, Variables, evaluate, evaluate_in_console};
use terrane_function::{CallEnv, Dialect, Edition, Function, Limits, Place, Product, World};
use terrane_source::{Diagnostics, MemoryFiles};

use crate::engine::{self, Outcome, WORLD};

/// One trial for each row.
pub fn trials() -> Vec<Trial> {
    let rows = terrane_stdlib::functions().into_iter().chain(Special::rows());
    rows.map(|row| {
        let name = format!("{}::{}", dialect(&row), row.name);
        Trial::test(name, move || run(&row))
    })
    .collect()
}

/// The dialect in which the row counts.
fn dialect(row: &Function) -> Dialect {
    if row.availability.is_in(Dialect::Modules) {
        Dialect::Modules
    } else {
        Dialect::Product(Product::Packer, Edition::NEWEST)
    }
}

fn run(row: &Function) -> Result<(), Failed> {
    if row.examples.is_empty() && row.place != Place::VariableDefault {
        return Err("there is no example".into());
    }
    let mut wrong = String::new();
    for (call, expected) in row.examples {
        let found = result(row, call);
        if found != *expected {
            wrong.push_str(&format!("{call}\n=> {found:?}\nwanted: {expected:?}\n"));
        }
        if !call.contains(&*row.name) {
            wrong.push_str(&format!("{call} does not call the function\n"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// What the console prints for an example.
fn result(row: &Function, call: &str) -> String {
    let expression = match engine::parse(call) {
        Ok(expression) => expression,
        Err(found) => return format!("{:?}", found.first().map(|error| &error.detail)),
    };
    let files = MemoryFiles::from_iter([("hello.txt", "Hello"), ("greeting.tftpl", "Hello, ${name}!")]);
    let world = World { home: Some(Path::new("/home/ada")), ..WORLD };
    let limits = Limits::default();
    let env = CallEnv { world, ..CallEnv::new(&files, Path::new("."), &limits) };
    let functions = FunctionTable::of(dialect(row), terrane_stdlib::functions());
    let names = Variables::default();
    let scope = Scope { names: &names, functions: &functions, env: &env, semantics: Semantics::default() };
    let mut diagnostics = Diagnostics::new();
    let answer = match row.place {
        Place::Configuration => Answer::Value(evaluate(&expression, &scope, &mut diagnostics)),
        Place::Anywhere | Place::Console | Place::VariableDefault => {
            evaluate_in_console(&expression, &scope, &mut diagnostics)
        }
    };
    let outcome = Outcome::new(answer, diagnostics);
    match outcome.errors().next() {
        Some(error) => format!("{}: {}", error.title(), error.detail),
        None => outcome.console(),
    }
}
