//! `terrane eval` of a Packer template.

use std::io;

use terrane::config::Assignment;
use terrane::function::Host;
use terrane::value::display::annotated;
use terrane::{Dialect, Files, PackerTemplate, Secrets, TemplateReport, Value, values_json};

use crate::args::{Eval, Inputs};
use crate::eval::print_if_short;
use crate::progress::Watch;
use crate::terminal::{Terminal, environment};
use crate::{FAILURE, USAGE};

/// Evaluates the template and prints it.
pub(crate) fn eval(
    eval: &Eval,
    dialect: Dialect,
    files: &dyn Files,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let template = template(&eval.dir, &eval.inputs, dialect);
    let template = template.only(eval.only.iter().cloned()).except(eval.except.iter().cloned());
    let template = template.warn_on_undeclared_variables(eval.warn_on_undeclared_var);
    let watch = Watch::start();
    let report = template.evaluate(files);
    let duration = watch.stop();
    terminal.diagnostics(report.diagnostics())?;
    if report.has_errors() && !eval.keep_going {
        return Ok(FAILURE);
    }
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let (summary, failed) = (report.summary(), report.has_errors());
    if eval.addresses.is_empty() {
        let evaluation = report.evaluation();
        let values = evaluation.variables.iter().chain(evaluation.locals.iter().flatten());
        let code = print_if_short(values, terminal, || {
            if eval.json { report.json(secrets) + "\n" } else { report.text(secrets) }
        })?;
        if code != 0 {
            return Ok(code);
        }
    } else {
        let Some(values) = addressed(&eval.addresses, report, files, secrets, terminal)? else {
            return Ok(USAGE);
        };
        let code = print_if_short(values.iter().map(|(_, value)| value), terminal, || {
            if eval.json {
                values_json(values.iter().map(|(address, value)| (address.as_str(), value, None)), secrets)
                    + "\n"
            } else {
                values.iter().map(|(address, value)| format!("{address} = {}\n", annotated(value))).collect()
            }
        })?;
        if code != 0 {
            return Ok(code);
        }
    }
    if !eval.quiet {
        crate::eval::summary(&summary, duration, terminal)?;
    }
    Ok(if failed { FAILURE } else { 0 })
}

/// The template at `path` with the values of its variables.
pub(crate) fn template(path: &std::path::Path, inputs: &Inputs, dialect: Dialect) -> PackerTemplate {
    let template = PackerTemplate::new(path).dialect(dialect).environment(environment().0);
    let template = template.strict_inputs(inputs.strict_inputs);
    inputs.values.assignments.iter().fold(template, |template, assignment| match assignment {
        Assignment::Variable(name, text) => template.variable(name, text),
        Assignment::File(path) => template.variable_file(path),
    })
}

/// The values of expressions such as `local.tags`; nothing where one has none.
fn addressed(
    addresses: &[String],
    report: TemplateReport,
    files: &dyn Files,
    secrets: Secrets,
    terminal: &mut Terminal,
) -> io::Result<Option<Vec<(String, Value)>>> {
    let session = terrane::Session::of_template(report).host(Host::default());
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
