//! Runs `terrane eval` for a module of Terraform or OpenTofu.

use std::io;
use std::mem::ManuallyDrop;

use terrane::value::counted;
use terrane::{Address, Diagnostics, Files, Project, Report, Secrets, check_printable};

use super::options::Eval;
use super::output::{help_with_workspace, missing_modules, stopped, summary};
use super::raw;
use super::report;
use crate::evaluated::values_to_give;
use crate::exit::FAILURE;
use crate::nearby;
use crate::progress::Watch;
use crate::select::{addressed, unmet};
use crate::terminal::Terminal;
use crate::wrong_arguments;

/// The most objects that a message names.
const MAX_NAMES: usize = 4;

/// Evaluates the module and prints its values.
pub(super) fn run(
    eval: &Eval,
    project: &Project,
    files: &'static dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let watch = Watch::start();
    // The process ends with the command, so the values need not be freed one by one.
    let report = ManuallyDrop::new(project.evaluate_with(files, &|progress| watch.show(progress)));
    let duration = watch.stop();
    if let Some(format) = eval.format {
        let found = report::all_diagnostics(eval, &report, files);
        report::write(eval, format, report.files(), found.as_slice(), terminal)?;
        return report::end(eval, &report.summary(), &found, duration, terminal);
    }
    terminal.diagnostics(report.diagnostics())?;
    let failed = report.has_errors();
    if failed && !eval.keep_going {
        let is_meant = wrong_arguments::help_with_order(
            &eval.dir,
            |address| format!("eval . {address}"),
            files,
            terminal,
        )?;
        if !is_meant && !eval.quiet && !report.files().is_empty() {
            stopped(eval, report.diagnostics(), terminal)?;
        }
        return Ok(FAILURE);
    }
    let mut about_values = Diagnostics::new();
    let code = print(eval, &report, files, &mut about_values, terminal)?;
    let mut is_unmet = false;
    if !eval.require_known.is_empty() {
        let unmet = unmet(&eval.require_known, &eval.addresses, &report, &report.entries(), files);
        is_unmet = !unmet.is_empty();
        terminal.diagnostics(&unmet)?;
        about_values.extend(unmet);
    }
    if !eval.quiet {
        let counts = report.summary();
        let mut found = report.diagnostics().clone();
        found.extend(about_values);
        summary(&counts, &found, duration, terminal)?;
        help_with_workspace(eval, &found, terminal)?;
        if nearby::has_unset_variables(&report) {
            nearby::help_with_unused(&eval.dir, eval.inputs.values.paths(), files, terminal)?;
        }
        let modules = &report.evaluation().config.missing_modules;
        let sources: Vec<&str> = modules.iter().filter_map(|module| module.source.as_deref()).collect();
        missing_modules(&sources, terminal)?;
        orphans(&report.evaluation().orphans(), terminal)?;
        values_to_give(&report, &report.unexpanded(), &counts, terminal)?;
    }
    Ok(if failed || is_unmet { FAILURE } else { code })
}

/// Lists the objects of the state that no block declares.
fn orphans(addresses: &[Address], terminal: &mut Terminal) -> io::Result<()> {
    if addresses.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = addresses.iter().take(MAX_NAMES).map(ToString::to_string).collect();
    let more = if addresses.len() > MAX_NAMES { ", ..." } else { "" };
    let objects = counted(addresses.len(), "object");
    terminal.note(&format!("{objects} only in the state: {}{more}", named.join(", ")))
}

/// Prints the values. Prints the errors about them, and adds them to `found`. Returns the exit code.
fn print(
    eval: &Eval,
    report: &Report,
    files: &dyn Files,
    found: &mut Diagnostics,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let document = match eval.json && eval.addresses.is_empty() {
        true => report.document(secrets),
        false => report.document_of_values(secrets),
    };
    if eval.json {
        let infinite = document.not_json();
        if !infinite.is_empty() {
            return failed(infinite, found, terminal);
        }
    }
    if eval.addresses.is_empty() {
        let checked = match eval.json {
            true => report.check_printable(document.values.values()),
            false => report.check_printable(document.listed_values()),
        };
        return match checked {
            Err(long) => failed(Diagnostics::from_iter([*long]), found, terminal),
            Ok(()) if eval.json => terminal.written_document(|out| document.write_json(out)).map(|()| 0),
            Ok(()) => terminal.listing_parts(document.text_parts()).map(|()| 0),
        };
    }
    let entries = document.values.to_vec();
    let selected = match addressed(&eval.addresses, report, &entries, files) {
        Ok(selected) => selected,
        Err(diagnostics) => return failed(diagnostics, found, terminal),
    };
    if eval.raw {
        return match raw::text(&selected, secrets) {
            Ok(text) => terminal.document(&text).map(|()| 0),
            Err(reason) => {
                terminal.error(&reason)?;
                Ok(FAILURE)
            }
        };
    }
    if let Err(long) = check_printable(selected.iter().map(|one| &one.value)) {
        return failed(Diagnostics::from_iter([*long]), found, terminal);
    }
    match eval.json {
        true => terminal.written_document(|out| document.write_selected_json(&selected, out)).map(|()| 0),
        false => terminal.listing(&document.selected_to_text(&selected)).map(|()| 0),
    }
}

/// Prints errors in place of the values, and adds them to `found`. Returns the exit code.
fn failed(errors: Diagnostics, found: &mut Diagnostics, terminal: &mut Terminal) -> io::Result<u8> {
    terminal.diagnostics(&errors)?;
    found.extend(errors);
    Ok(FAILURE)
}
