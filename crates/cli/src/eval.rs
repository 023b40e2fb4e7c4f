//! `terrane eval`.

use std::io;
use std::path::Path;

use terrane::value::json;
use terrane::{Entry, Files, Report, Value, value_json};

use crate::args::Eval;
use crate::lookup::{Found, Values};
use crate::terminal::{Terminal, project};
use crate::{FAILURE, USAGE, host, listing};

pub(crate) fn run(eval: &Eval, terminal: &mut Terminal) -> io::Result<u8> {
    let files = match host::files(eval.sandbox.as_deref(), terminal)? {
        Ok(files) => files,
        Err(code) => return Ok(code),
    };
    let report = project(&eval.dir, &eval.inputs).evaluate(files);
    terminal.diagnostics(report.diagnostics())?;
    if report.has_errors() {
        if is_address(&eval.dir) && files.metadata(&eval.dir).is_err() {
            terminal.help(&format!(
                "for a value in the current directory, write: terrane eval . {}",
                eval.dir.display()
            ))?;
        }
        return Ok(FAILURE);
    }
    let entries = report.entries();
    if eval.addresses.is_empty() {
        let text = if eval.json { outputs(&report) } else { listing::root_module(&entries) };
        terminal.result(&text)?;
        return Ok(0);
    }
    match addressed(eval, &entries, files, terminal)? {
        Ok(values) => {
            let text = if eval.json { values_json(&values) } else { lines(&values) };
            terminal.result(&text)?;
            Ok(0)
        }
        Err(code) => Ok(code),
    }
}

/// Whether what stands in the place of a directory was perhaps meant as an address, which comes second.
fn is_address(dir: &Path) -> bool {
    dir.to_str().is_some_and(|text| text.contains('.') && !text.contains(['/', '\\']))
}

/// The values that the addresses on the command line stand for, or the exit code where one has none.
fn addressed(
    eval: &Eval,
    entries: &[Entry],
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<Result<Vec<(String, Value)>, u8>> {
    let values = Values::new(entries);
    let mut all = Vec::new();
    let mut code = None;
    for address in &eval.addresses {
        match values.find(address, files) {
            Found::Values(found) => all.extend(found),
            Found::Failed(diagnostics) => {
                terminal.diagnostics(&diagnostics)?;
                code = Some(FAILURE);
            }
            Found::Nothing => {
                let dir = eval.dir.display();
                terminal.error(&format!(
                    "there is no value with the address {address}. Run `terrane eval {dir}` to see what there is."
                ))?;
                code = Some(USAGE);
            }
        }
    }
    Ok(code.map_or(Ok(all), Err))
}

fn lines(values: &[(String, Value)]) -> String {
    values.iter().map(|(address, value)| listing::assignment(address, value)).collect()
}

/// The document without addresses: the outputs.
fn outputs(report: &Report) -> String {
    format!("{{\"outputs\":{}}}\n", report.outputs_json())
}

/// The document with addresses: their values.
fn values_json(values: &[(String, Value)]) -> String {
    let mut text = String::from("{\"values\":{");
    for (index, (address, value)) in values.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        json::write_string(&mut text, address);
        text.push(':');
        text.push_str(&value_json(value));
    }
    text.push_str("}}\n");
    text
}
