//! `terrane eval` of a Packer template.

use std::io;

use terrane::config::Assignment;
use terrane::config::packer::run::present;
use terrane::config::packer::{Component, Run};
use terrane::eval::ResolvedBody;
use terrane::function::Host;
use terrane::value::display::{annotated, annotated_at};
use terrane::{Dialect, Files, PackerTemplate, Secrets, TemplateReport, Value};

use crate::args::{Eval, Inputs};
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
    let report = template.evaluate(files);
    terminal.diagnostics(report.diagnostics())?;
    if report.has_errors() && !eval.keep_going {
        return Ok(FAILURE);
    }
    let secrets = if eval.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
    let text = if !eval.addresses.is_empty() {
        match addressed(&eval.addresses, report, files, secrets, terminal)? {
            Some(text) => return terminal.values(&text).map(|()| 0),
            None => return Ok(USAGE),
        }
    } else if eval.json {
        report.json(secrets) + "\n"
    } else {
        listing(&report, secrets)
    };
    terminal.values(&text)?;
    Ok(if report.has_errors() { FAILURE } else { 0 })
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
) -> io::Result<Option<String>> {
    let session = terrane::Session::of_template(report).host(Host::default());
    let mut text = String::new();
    let mut failed = false;
    for address in addresses {
        let answered = session.evaluate(address, files);
        terminal.diagnostics(&answered.diagnostics)?;
        failed |= answered.diagnostics.has_errors();
        if let (terrane::Answer::Value(value), Some(report)) = (&answered.answer, session.template()) {
            let value = report.as_written(value, secrets);
            text.push_str(&format!("{address} = {}\n", annotated(&value)));
        }
    }
    Ok((!failed).then_some(text))
}

/// Locals, variables and the resolved builds.
fn listing(report: &TemplateReport, secrets: Secrets) -> String {
    let mut parts = Vec::new();
    for (heading, values) in [("locals", report.locals(secrets)), ("variables", report.variables(secrets))] {
        if !values.is_empty() {
            let object = Value::object(values.into_iter().map(|(name, value)| (name.into(), value)));
            parts.push(format!("{heading} {}\n", annotated(&object)));
        }
    }
    parts.extend(report.runs().iter().map(|run| build(report, run, secrets)));
    parts.join("\n")
}

fn build(report: &TemplateReport, run: &Run, secrets: Secrets) -> String {
    let mut lines = Lines { report, secrets, text: String::new() };
    lines.text.push_str(&format!("build {:?} {{\n", run.name()));
    lines.block(&format!("source \"{}\" \"{}\"", run.source_type, run.source_name), 2, |lines| {
        lines.body(&run.source, 4);
    });
    for provisioner in &run.provisioners {
        lines.component("provisioner", provisioner, 2);
    }
    if let Some(cleanup) = &run.error_cleanup {
        lines.component("error-cleanup-provisioner", cleanup, 2);
    }
    for sequence in &run.post_processors {
        match sequence.as_slice() {
            [only] => lines.component("post-processor", only, 2),
            all => lines.block("post-processors", 2, |lines| {
                for post_processor in all {
                    lines.component("post-processor", post_processor, 4);
                }
            }),
        }
    }
    lines.text.push_str("}\n");
    lines.text
}

/// Blocks as text, line by line.
struct Lines<'l> {
    report: &'l TemplateReport,
    secrets: Secrets,
    text: String,
}

impl Lines<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, header: &str, indent: usize, content: impl FnOnce(&mut Self)) {
        self.line(indent, &format!("{header} {{"));
        let before = self.text.len();
        content(self);
        if self.text.len() == before {
            // Nothing is in it, so it ends on the line on which it began.
            self.text.pop();
            self.text.push_str("}\n");
        } else {
            self.line(indent, "}");
        }
    }

    fn argument(&mut self, name: &str, value: &Value, indent: usize) {
        let value = self.report.as_written(value, self.secrets);
        self.line(indent, &format!("{name} = {}", annotated_at(&value, indent)));
    }

    fn component(&mut self, block_type: &str, component: &Component, indent: usize) {
        self.repeated(component.repeated.as_ref(), indent);
        let component_type = component.component_type.as_deref().unwrap_or("(not known)");
        self.block(&format!("{block_type} \"{component_type}\""), indent, |lines| {
            for (name, value) in &component.settings {
                lines.argument(name, value, indent + 2);
            }
            lines.body(&component.body, indent + 2);
        });
    }

    fn body(&mut self, body: &ResolvedBody, indent: usize) {
        for argument in present(body) {
            self.argument(&argument.name, &argument.value, indent);
        }
        for block in &body.blocks {
            self.repeated(block.repeated.as_ref(), indent);
            let labels: String = block.labels.iter().map(|label| format!(" \"{label}\"")).collect();
            self.block(&format!("{}{labels}", block.block_type), indent, |lines| {
                lines.body(&block.body, indent + 2);
            });
        }
    }

    fn repeated(&mut self, origins: Option<&terrane::value::Origins>, indent: usize) {
        if let Some(origins) = origins {
            let reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
            self.line(indent, &format!("# how often is not known: {}", reasons.join(", ")));
        }
    }
}
