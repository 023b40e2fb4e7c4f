//! The examples of the function library, executed.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use terrane_eval::{Answer, Lookup, Names, ProviderFunctions, Reference, Scope};
use terrane_eval::{FunctionTable, Special, evaluate, evaluate_in_console};
use terrane_function::{
    CallEnv, CallSite, Dialect, Edition, EnvironmentVariables, Function, Limits, Product, Purity, World,
};
use terrane_source::{Diagnostics, MemoryFiles};

use crate::engine::{self, Outcome, WORLD};

/// One trial for each row.
pub fn trials() -> Vec<Trial> {
    let rows = terrane_stdlib::functions().into_iter().chain(Special::rows(Dialect::Modules));
    rows.map(|row| {
        let name = format!("{}::{}", dialect(&row), row.name);
        Trial::test(name, move || run(&row))
    })
    .collect()
}

/// The dialect of the row.
fn dialect(row: &Function) -> Dialect {
    let packer = Dialect::Product(Product::Packer, Edition::NEWEST);
    let newest = [Dialect::Modules, packer].into_iter().find(|dialect| row.availability.is_in(*dialect));
    let first = row.availability.since(Product::Terraform).unwrap_or(Edition::NEWEST);
    newest.unwrap_or(Dialect::Product(Product::Terraform, first))
}

fn run(row: &Function) -> Result<(), Failed> {
    if row.examples.is_empty() {
        return Err("there is no example".into());
    }
    let files = MemoryFiles::from_iter([("hello.txt", "Hello"), ("greeting.tftpl", "Hello, ${name}!")]);
    let (nothing, limits) = (MemoryFiles::new(), Limits::default());
    let world = World { home: Some(Path::new("/home/ada")), environment: Some(&Home), ..WORLD };
    let machine = CallEnv { world, ..CallEnv::new(&files, Path::new("."), &limits) };
    let mut wrong = String::new();
    for (call, expected) in row.examples {
        let found = result(row, call, &machine);
        if found != *expected {
            wrong.push_str(&format!("{call}\n=> {found:?}\nwanted: {expected:?}\n"));
        }
        if row.purity == Purity::Pure
            && result(row, call, &CallEnv::new(&nothing, Path::new("."), &limits)) != found
        {
            wrong.push_str(&format!("{call} depends on more than the arguments, but the row is pure\n"));
        }
        if !call.contains(&*row.name) {
            wrong.push_str(&format!("{call} does not call the function\n"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// The environment variables that examples ask for.
struct Home;

impl EnvironmentVariables for Home {
    fn get(&self, name: &str) -> Option<String> {
        let variables = [("HOME", "/home/ada"), ("VAULT_TOKEN", "s.token")];
        let found = variables.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}

/// No variables, where the provider is required that is built in.
struct Required;

impl Names for Required {
    fn lookup(&self, _: &Reference<'_>) -> Lookup {
        Lookup::Undeclared
    }

    fn provider(&self, _: &str) -> ProviderFunctions {
        ProviderFunctions::BuiltIn { open: false }
    }

    fn visible(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The console's text for an example.
fn result(row: &Function, call: &str, env: &CallEnv<'_>) -> String {
    let expression = match engine::parse(call) {
        Ok(expression) => expression,
        Err(found) => return format!("{:?}", found.first().map(|error| &error.detail)),
    };
    // The default of a variable is the only call site of some functions.
    let anywhere = |row: Function| match row.call_site {
        CallSite::VariableDefault => Function { call_site: CallSite::Anywhere, ..row },
        CallSite::Anywhere | CallSite::Configuration | CallSite::Console | CallSite::BuiltInProvider => row,
    };
    let functions =
        FunctionTable::of(dialect(row), terrane_stdlib::functions().into_iter().map(anywhere).collect());
    let names = Required;
    let scope = Scope { names: &names, functions: &functions, env };
    let mut diagnostics = Diagnostics::new();
    let answer = match row.call_site {
        CallSite::Configuration => Answer::Value(evaluate(&expression, &scope, &mut diagnostics)),
        CallSite::Anywhere | CallSite::Console | CallSite::VariableDefault | CallSite::BuiltInProvider => {
            evaluate_in_console(&expression, &scope, &mut diagnostics)
        }
    };
    let outcome = Outcome::new(answer, diagnostics);
    match outcome.errors().next() {
        Some(error) => format!("{}: {}", error.title(), error.detail),
        None => outcome.console(),
    }
}
