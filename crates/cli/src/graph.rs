//! `terrane graph`: prints the dependencies between objects.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use terrane::function::Limits;
use terrane::{Document, Secrets, check_printable, dialect_at};
use terrane_picture::TooLarge;

use crate::exit::FAILURE;
use crate::nearby;
use crate::options::{Inputs, Sandbox, local_path};
use crate::project::{project, template};
use crate::read_inputs::ReadInputs;
use crate::terminal::Terminal;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane graph --format svg > graph.svg
  terrane graph --format html > graph.html && xdg-open graph.html
  terrane graph . --format json | jq '.edges[] | select(.from == \"output.id\")'
  terrane graph . --format mermaid --focus module.vpc --depth 1

Exit codes: 0 no errors, 1 errors in the configuration, 2 wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Graph {
    /// The directory of a root module or Packer template, or one template file. Without it, the current directory.
    #[arg(default_value = ".", hide_default_value = true, value_parser = local_path())]
    pub(crate) dir: PathBuf,

    /// Format of the graph.
    #[arg(long, value_enum, default_value = "dot")]
    format: GraphFormat,

    /// Keep only the object with this address, the objects it depends on, and those that depend on it. The address of a module
    /// call stands for all objects of the module, and that of a part for its object.
    #[arg(long, value_name = "ADDRESS")]
    focus: Option<String>,

    /// Keep only objects that are at most this number of dependencies away from the focus. Without it, all of them.
    #[arg(long, value_name = "N", requires = "focus")]
    depth: Option<usize>,

    /// Show sensitive and ephemeral values in the page of `--format html`.
    #[arg(long)]
    show_sensitive: bool,

    #[command(flatten)]
    pub(crate) sandbox: Sandbox,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum GraphFormat {
    /// The language of Graphviz
    Dot,
    /// A picture, with a box around each module
    Svg,
    /// A page that zooms, filters and shows values; it needs no other file and no network
    Html,
    /// A flowchart of Mermaid, for Markdown pages
    Mermaid,
    /// JSON with objects, edges and source positions
    Json,
}

impl Graph {
    /// Returns the files and directories that the command line names.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.paths().chain([self.dir.as_path()])
    }
}

pub(crate) fn run(
    graph: &Graph,
    inputs: &ReadInputs<'_>,
    limits: Limits,
    terminal: &mut Terminal,
) -> io::Result<u8> {
    let files = inputs.sources.files;
    let mut lacks_variables = false;
    let mut document = match dialect_at(&graph.dir, graph.inputs.dialect, files) {
        Ok(dialect) if dialect.is_packer() => {
            template(&graph.dir, inputs, dialect).limits(limits).outline(files)
        }
        Ok(dialect) => {
            let project = project(&graph.dir, inputs, dialect).limits(limits);
            let secrets = if graph.show_sensitive { Secrets::Shown } else { Secrets::Hidden };
            match graph.format {
                // Only the page contains values.
                GraphFormat::Html => {
                    let report = project.evaluate(files);
                    lacks_variables = nearby::has_unset_variables(&report);
                    report.document_with_graph(secrets)
                }
                GraphFormat::Dot | GraphFormat::Svg | GraphFormat::Mermaid | GraphFormat::Json => {
                    project.outline(files)
                }
            }
        }
        Err(diagnostic) => {
            terminal.diagnostic(&diagnostic)?;
            return Ok(FAILURE);
        }
    };
    terminal.diagnostics(&document.diagnostics)?;
    let failed = document.diagnostics.has_errors();
    if failed && document.graph.objects().is_empty() {
        return Ok(FAILURE);
    }
    if let Some(address) = &graph.focus {
        match document.graph.focused(address, graph.depth) {
            Ok(part) => document.graph = part,
            Err(diagnostic) => {
                terminal.diagnostic(&diagnostic)?;
                return Ok(FAILURE);
            }
        }
    }
    if let Err(diagnostic) = check_printable(document.values.values()) {
        terminal.diagnostic(&diagnostic)?;
        return Ok(FAILURE);
    }
    if !print(graph.format, &document, terminal)? {
        return Ok(FAILURE);
    }
    if lacks_variables {
        nearby::help_with_unused(&graph.dir, graph.inputs.values.paths(), files, terminal)?;
    }
    Ok(if failed { FAILURE } else { 0 })
}

/// Prints the graph. Returns false if it is too large for a picture.
fn print(format: GraphFormat, document: &Document, terminal: &mut Terminal) -> io::Result<bool> {
    match format {
        GraphFormat::Dot => terminal.values(&document.to_dot())?,
        GraphFormat::Mermaid => terminal.values(&document.to_mermaid())?,
        GraphFormat::Json => terminal.written_document(|out| document.write_graph_json(out))?,
        GraphFormat::Svg => return picture(terrane_picture::svg(document), terminal),
        GraphFormat::Html => return picture(terrane_picture::html(document), terminal),
    }
    Ok(true)
}

fn picture(drawn: Result<String, TooLarge>, terminal: &mut Terminal) -> io::Result<bool> {
    match drawn {
        Ok(text) => terminal.document(&text).map(|()| true),
        Err(error) => {
            terminal.error(&error.to_string())?;
            terminal.help("`--focus ADDRESS --depth N` keeps only the objects around one")?;
            Ok(false)
        }
    }
}
