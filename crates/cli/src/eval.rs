//! `terrane eval`.

use std::path::Path;
use std::time::Duration;
use std::{io, iter};

use terrane::function::Product;
use terrane::{Entry, Files, Report, Secrets, Summary, Value, check_printable, dialect_at, values_json};

use crate::args::Eval;
use crate::lookup::{Part, Values};
use crate::progress::Watch;
use crate::terminal::{Terminal, project};
use crate::{FAILURE, host, listing, packer};

pub(crate) fn run(eval: &Eval, terminal: &mut Terminal) -> io::Result<u8> {
    let files = match host::files(eval.sandbox.as_deref(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    match dialect_at(&eval.dir, eval.inputs.dialect, files) {
        Ok(dialect) if dialect.product() == Some(Product::Packer) => {
            return packer::eval(eval, dialect, files, terminal);
        }
        Ok(_) => {}
        Err(diagnostic) => {
            terminal.diagnostics(&[*diagnostic].into_iter().collect())?;
            return Ok(FAILURE);
        }
    }
    let watch = Watch::start();
    let report = project(&eval.dir, &eval.inputs).evaluate_with(files, &|progress| watch.show(progress));
    let duration = watch.stop();
    terminal.diagnostics(report.diagnostics())?;
    let failed = report.has_errors();
    if failed && !eval.keep_going {
        if is_address(&eval.dir) && files.metadata(&eval.dir).is_err() {
            terminal.help(&format!(
                "for a value in the current directory, write: terrane eval . {}",
                eval.dir.display()
            ))?;
        }
        return Ok(FAILURE);
    }
    let code = print(eval, &report, files, terminal)?;
    if !eval.quiet {
        summary(&report.summary(), duration, terminal)?;
    }
    Ok(if failed { FAILURE } else { code })
}

fn print(eval: &Eval, report: &Report, files: &dyn Files, terminal: &mut Terminal) -> io::Result<u8> {
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    if eval.json {
        let infinite = report.not_json();
        if !infinite.is_empty() {
            terminal.diagnostics(&infinite)?;
            return Ok(FAILURE);
        }
    }
    let entries = report.entries();
    if eval.addresses.is_empty() {
        let printed = entries.iter().filter(|entry| eval.json || listing::shows(entry));
        let values = printed.flat_map(|entry| iter::once(&entry.value).chain(&entry.arguments));
        return print_if_short(values, terminal, || {
            if eval.json { report.json(secrets) + "\n" } else { listing::configuration(&entries, secrets) }
        });
    }
    match addressed(eval, &entries, files, terminal)? {
        Ok(parts) => print_if_short(parts.iter().map(|part| &part.value), terminal, || {
            if eval.json { document(&parts, secrets) } else { lines(&parts, secrets) }
        }),
        Err(code) => Ok(code),
    }
}

/// Prints the text, unless that of these values would be too long.
pub(crate) fn print_if_short<'v>(
    values: impl IntoIterator<Item = &'v Value>,
    terminal: &mut Terminal,
    text: impl FnOnce() -> String,
) -> io::Result<u8> {
    if let Err(diagnostic) = check_printable(values) {
        terminal.diagnostics(&[*diagnostic].into_iter().collect())?;
        return Ok(FAILURE);
    }
    terminal.values(&text())?;
    Ok(0)
}

/// Whether what stands in the place of a directory was perhaps meant as an address, which comes second.
fn is_address(dir: &Path) -> bool {
    dir.to_str().is_some_and(|text| text.contains('.') && !text.contains(['/', '\\']))
}

/// The values that the addresses on the command line stand for, or the exit code where one has none.
fn addressed<'e>(
    eval: &Eval,
    entries: &'e [Entry],
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<Result<Vec<Part<'e>>, u8>> {
    let values = Values::new(entries);
    let mut all = Vec::new();
    let mut code = None;
    for address in &eval.addresses {
        match values.find(address, files) {
            Ok(parts) => all.extend(parts),
            Err(diagnostics) => {
                terminal.diagnostics(&diagnostics)?;
                code = Some(FAILURE);
            }
        }
    }
    Ok(code.map_or(Ok(all), Err))
}

fn lines(parts: &[Part<'_>], secrets: Secrets) -> String {
    let line = |part: &Part<'_>| {
        let block = part.entry.filter(|_| !part.is_one);
        listing::assignment(&part.address, &part.value, block, secrets)
    };
    parts.iter().map(line).collect()
}

fn document(parts: &[Part<'_>], secrets: Secrets) -> String {
    let values = parts.iter().map(|part| (part.address.as_str(), &part.value, part.entry));
    values_json(values, secrets) + "\n"
}

/// What was evaluated, what is unknown and why, and how long it took.
pub(crate) fn summary(summary: &Summary, duration: Duration, terminal: &mut Terminal) -> io::Result<()> {
    terminal.note(&format!("evaluated {} in {}", summary.evaluated(), elapsed(duration)))?;
    match summary.not_known() {
        Some(text) => terminal.note(&text),
        None => Ok(()),
    }
}

fn elapsed(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}
