//! Runs `terrane eval` for a Packer template.

use std::io;

use terrane::function::Host;
use terrane::{Files, PackerTemplate, Secrets, Session, Value};

use super::options::Eval;
use super::output;
use super::report::{self, end};
use crate::exit::{FAILURE, USAGE};
use crate::progress::Watch;
use crate::terminal::Terminal;

/// Evaluates the template and prints it.
pub(super) fn run(
    eval: &Eval,
    template: PackerTemplate,
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    if !eval.require_known.is_empty() || !eval.matrix.is_empty() || eval.raw {
        terminal
            .error("`--raw`, `--require-known` and `--matrix` are for modules, not for Packer templates")?;
        return Ok(USAGE);
    }
    let template = template.only(eval.only.iter().cloned()).except(eval.except.iter().cloned());
    let template = template.warn_on_undeclared_variables(eval.warn_on_undeclared_var);
    let watch = Watch::start();
    let report = template.evaluate(files);
    let duration = watch.stop();
    let mut diagnostics = report.diagnostics().clone();
    diagnostics.sort();
    if let Some(format) = eval.format {
        let read = &report.evaluation().template.files;
        report::write(eval, format, read, diagnostics.as_slice(), terminal)?;
        return end(eval, &report.summary(), &diagnostics, duration, terminal);
    }
    terminal.diagnostics(&diagnostics)?;
    if report.has_errors() && !eval.keep_going {
        if !eval.quiet {
            output::stopped(eval, &diagnostics, terminal)?;
        }
        return Ok(FAILURE);
    }
    let notation = output::Notation::of(eval);
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let (summary, failed) = (report.summary(), report.has_errors());
    if eval.addresses.is_empty() {
        let evaluation = report.evaluation();
        let values = evaluation.variables.iter().chain(evaluation.locals.iter().flatten());
        let code = output::print_if_short(values, notation, terminal, || {
            let document = report.document(secrets);
            if eval.json { document.to_json() + "\n" } else { document.to_text() }
        })?;
        if code != 0 {
            return Ok(code);
        }
    } else {
        let session = Session::of_template(report).keeping_errors().host(Host::default());
        let Some(values) = addressed(&eval.addresses, &session, files, secrets, terminal)? else {
            return Ok(FAILURE);
        };
        let code = output::print_if_short(values.iter().map(|(_, value)| value), notation, terminal, || {
            let Some(report) = session.template() else { return String::new() };
            match eval.json {
                true => report.selected_to_json(&values, secrets) + "\n",
                false => report.selected_to_text(&values),
            }
        })?;
        if code != 0 {
            return Ok(code);
        }
    }
    if !eval.quiet {
        output::summary(&summary, &diagnostics, duration, terminal)?;
    }
    Ok(if failed { FAILURE } else { 0 })
}

/// Returns the values of expressions such as `local.tags`. `None` if an expression has no value.
fn addressed(
    addresses: &[String],
    session: &Session,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<Option<Vec<(String, Value)>>> {
    let mut values = Vec::new();
    let mut failed = false;
    for address in addresses {
        let answered = session.evaluate(address, files);
        terminal.diagnostics(&answered.diagnostics)?;
        failed |= answered.diagnostics.has_errors();
        if let (terrane::Answer::Value(value), Some(report)) = (&answered.answer, session.template()) {
            values.push((address.clone(), report.as_written(value, secrets)));
        }
    }
    Ok((!failed).then_some(values))
}
