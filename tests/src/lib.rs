//! The tests that are text: literate suites, answers of reference implementations, and whole modules
//! compared with a `terraform` binary. `tests/README.md` says how to add to them and how to run them.
//!
//! Reading order: [`settings`] (environment variables), [`engine`] and [`module`](mod@module) (text to value
//! through the library), [`notation`] (values on one line), [`suite`], [`conformance`], [`examples`], [`hostile`], [`growth`],
//! [`reference`](mod@reference), [`plans`],
//! [`consumers`] (programs that read plans), [`calls`], [`threads`], [`edits`], [`breakage`].

pub mod settings;

pub mod engine;

pub mod module;

pub mod notation;

pub mod suite;

pub mod conformance;

pub mod examples;

pub mod hostile;

pub mod growth;

pub mod reference;

pub mod plans;

pub mod consumers;

pub mod calls;

pub mod threads;

pub mod edits;

pub mod breakage;
