//! Prints an evaluated Packer template as text for `terrane eval`.

use terrane_body::ResolvedBody;
use terrane_packer::build::present;
use terrane_packer::{Component, ResolvedBuild};
use terrane_value::display::{annotated, annotated_at};
use terrane_value::{Origins, Value};

use crate::document::TemplateDocument;
use crate::template::partial_line;

impl TemplateDocument {
    /// Returns the local values, variables and resolved builds, as `terrane eval` prints them. If a file could not be read in
    /// full, the first line says so.
    pub fn to_text(&self) -> String {
        let mut parts = Vec::new();
        for (heading, values) in [("locals", &self.locals), ("variables", &self.variables)] {
            if !values.is_empty() {
                let entries = values.iter().map(|row| (row.name.as_str().into(), row.value.clone()));
                parts.push(format!("{heading} {}\n", annotated(&Value::object(entries))));
            }
        }
        let builds = self.builds_text();
        if !builds.is_empty() {
            parts.push(builds);
        }
        partial_line(self.missing.as_deref()) + &parts.join("\n")
    }

    /// Returns the resolved builds, each with its source, provisioners and post-processors as blocks.
    pub fn builds_text(&self) -> String {
        let builds: Vec<String> = self.builds.iter().map(build).collect();
        builds.join("\n")
    }
}

fn build(run: &ResolvedBuild) -> String {
    let mut lines = Lines { text: String::new() };
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

/// Writes blocks line by line.
struct Lines {
    text: String,
}

impl Lines {
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
            // The bracket of an empty block is on its first line.
            self.text.pop();
            self.text.push_str("}\n");
        } else {
            self.line(indent, "}");
        }
    }

    fn argument(&mut self, name: &str, value: &Value, indent: usize) {
        self.line(indent, &format!("{name} = {}", annotated_at(value, indent)));
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

    fn repeated(&mut self, origins: Option<&Origins>, indent: usize) {
        if let Some(origins) = origins {
            let reasons: Vec<String> = origins.as_slice().iter().map(ToString::to_string).collect();
            self.line(indent, &format!("# number of blocks unknown: {}", reasons.join(", ")));
        }
    }
}
