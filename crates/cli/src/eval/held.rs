//! Addresses of the command line when many roots or environments are evaluated. Each address need only exist in some of them.

use std::path::Path;

use terrane::source::ids;
use terrane::{Diagnostic, Diagnostics, Entry, Files, Report, shown_address};

use super::options::Eval;
use crate::select::addressed;

/// The addresses of the command line that exist in one root or environment.
#[derive(Default)]
pub(super) struct Held {
    /// The addresses to print.
    pub(super) addresses: Vec<String>,
    /// The addresses of required values. An empty text stands for the addresses to print, or for all outputs if there are none.
    pub(super) required: Vec<String>,
    /// The addresses that do not exist in the root, with the errors about them.
    missing: Vec<(String, Diagnostics)>,
}

impl Held {
    pub(super) fn of(eval: &Eval, report: &Report, entries: &[Entry], files: &dyn Files) -> Held {
        let mut held = Held::default();
        let mut missing = Vec::new();
        let mut holds = |address: &&String| {
            let found = addressed(std::slice::from_ref(*address), report, entries, files);
            found.map_err(|errors| missing.push(((*address).clone(), errors))).is_ok()
        };
        held.addresses = eval.addresses.iter().filter(&mut holds).cloned().collect();
        let has_addresses = eval.addresses.is_empty() || !held.addresses.is_empty();
        let required = eval.require_known.iter();
        held.required = required
            .filter(|address| if address.is_empty() { has_addresses } else { holds(address) })
            .cloned()
            .collect();
        held.missing = missing;
        held
    }
}

/// Returns the errors of each environment about the addresses to print: about addresses that no environment has, and in
/// expressions.
pub(super) fn errors_of_addresses<'h>(eval: &Eval, environments: &[&'h Held]) -> Vec<Diagnostics> {
    let errors = |held: &'h Held, address: &String| {
        held.missing.iter().find(|(missing, _)| missing == address).map(|(_, errors)| errors)
    };
    let is_nowhere = |address: &String| environments.iter().all(|held| errors(held, address).is_some());
    let nowhere: Vec<bool> = eval.addresses.iter().map(is_nowhere).collect();
    let of = |held: &'h Held| {
        let found = eval.addresses.iter().zip(&nowhere).flat_map(|(address, is_nowhere)| {
            let is_reported = |error: &&Diagnostic| *is_nowhere || error.id != ids::UNDECLARED_ADDRESS;
            errors(held, address).into_iter().flatten().filter(is_reported).cloned()
        });
        found.collect::<Diagnostics>().distinct()
    };
    environments.iter().copied().map(of).collect()
}

/// Returns an error for each address that exists in no root, with the reason of the first root. `roots` has the directories of
/// the searched roots.
pub(super) fn held_nowhere(eval: &Eval, roots: &[(&Path, &Held)]) -> Diagnostics {
    let addresses = eval.addresses.iter().chain(&eval.require_known);
    addresses.filter_map(|address| nowhere(address, roots)).collect::<Diagnostics>().distinct()
}

fn nowhere(address: &String, roots: &[(&Path, &Held)]) -> Option<Diagnostic> {
    let error = |held: &Held| {
        let (_, errors) = held.missing.iter().find(|(missing, _)| missing == address)?;
        errors.as_slice().first().cloned()
    };
    let errors: Option<Vec<Diagnostic>> = roots.iter().map(|(_, held)| error(held)).collect();
    let first = errors?.into_iter().next()?;
    let (directory, _) = roots.first()?;
    let detail = format!(
        "No root module has a value for the address `{}`. In {}: {}",
        shown_address(address),
        directory.display(),
        first.detail
    );
    let nowhere = Diagnostic::error(ids::UNDECLARED_ADDRESS, detail);
    Some(first.hints.into_iter().fold(nowhere, Diagnostic::hint))
}
