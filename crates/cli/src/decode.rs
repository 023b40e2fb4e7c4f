//! `terrane decode`: decodes HCL files by a spec file and prints the value as JSON.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use terrane::function::Limits;
use terrane::render::{TerminalOptions, terminal};
use terrane::source::{FileId, SourceFile};
use terrane::{
    Body, Diagnostic, Diagnostics, Files as _, JsonOptions, OsFiles, SourceReader, SpecFile, block_headers,
    diagnostics_json,
};

use crate::input::{self, STDIN};
use crate::pipe;
use crate::switch::{Switch, is_on};
use crate::writes;

/// The exit code of failures that are not about the files, the spec or the arguments.
const FAILURE: u8 = 1;
/// The exit code of errors in the files, the spec or the arguments.
const WRONG: u8 = 2;

pub(crate) const EXAMPLES: &str = "\
Examples:
  terrane decode --spec app.hcldec app.hcl
  terrane decode -s app.hcldec -V '{\"zone\": \"a\"}' app.hcl more.hcl.json

Exit codes: 0 done, 1 standard input or the output failed, or --spec is missing, 2 errors
in the files or the spec, a file could not be read, or wrong arguments.";

#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// The spec file, which describes the value to decode; required.
    #[arg(short, long, value_name = "FILE", overrides_with = "spec")]
    spec: Option<PathBuf>,

    /// Set variables: a JSON object, or a file in native syntax or JSON; may be repeated.
    #[arg(short = 'V', long, value_name = "JSON|FILE")]
    vars: Vec<String>,

    /// Write the value to a file instead of standard output.
    #[arg(short, long, value_name = "FILE", overrides_with = "out")]
    out: Option<OsString>,

    /// Format of messages: `json`; without it, text for people.
    #[arg(long, value_name = "FORMAT", overrides_with = "diags")]
    diags: Option<String>,

    /// Print the references to variables as JSON, and decode nothing.
    #[arg(long, value_name = "BOOL", require_equals = true, overrides_with = "var_refs")]
    var_refs: Option<Option<Switch>>,

    /// Print the value with its type: `{"value": ..., "type": ...}`.
    #[arg(long, value_name = "BOOL", require_equals = true, overrides_with = "with_type")]
    with_type: Option<Option<Switch>>,

    /// Print properties that are null.
    #[arg(long, value_name = "BOOL", require_equals = true, overrides_with = "keep_nulls")]
    keep_nulls: Option<Option<Switch>>,

    /// The files to decode, as one body. Without any, standard input. A name that ends in .json selects JSON syntax.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The reason why there is no value.
enum Stop {
    /// Messages about the files.
    Diagnostics(Diagnostics),
    /// A message about the command.
    Message(String),
}

impl From<Diagnostics> for Stop {
    fn from(diagnostics: Diagnostics) -> Stop {
        Stop::Diagnostics(diagnostics)
    }
}

/// Decodes the files and writes the value. Returns the exit code.
pub(crate) fn run(decode: &Decode, limits: &Limits, color: bool) -> io::Result<u8> {
    let is_json = match decode.diags.as_deref() {
        None | Some("") => false,
        Some("json") => true,
        Some(format) => {
            pipe::note(&format!("error: messages cannot be written as {format}; --diags=json is possible"))?;
            return Ok(WRONG);
        }
    };
    match output(decode, limits) {
        Ok(text) => {
            let out = decode.out.as_deref().filter(|path| !path.is_empty());
            write(out.map(Path::new), &(text + "\n"))
        }
        Err(Stop::Message(message)) => {
            pipe::note(&format!("Error: {message}\n"))?;
            Ok(FAILURE)
        }
        Err(Stop::Diagnostics(diagnostics)) => {
            if is_json {
                pipe::message_data((diagnostics_json(diagnostics.as_slice()) + "\n").as_bytes())?;
            } else {
                let options = TerminalOptions { color, ..TerminalOptions::default() };
                let mut headers = block_headers();
                for diagnostic in &diagnostics {
                    pipe::message(&(terminal(diagnostic, options, &mut headers) + "\n\n"))?;
                }
            }
            Ok(WRONG)
        }
    }
}

fn output(decode: &Decode, limits: &Limits) -> Result<String, Stop> {
    let Some(spec_path) = &decode.spec else {
        return Err(Stop::Message("the --spec=... argument is required".to_owned()));
    };
    let sources = SourceReader::new(&OsFiles, limits);
    let spec = SpecFile::parse(&name(spec_path), &read(spec_path, &sources)?)?.limits(limits.clone());
    let mut given_values = Vec::new();
    let mut found = spec.warnings().clone();
    for (index, given) in decode.vars.iter().enumerate() {
        let parsed = if given.trim_start().starts_with('{') {
            SpecFile::parse_variables(&format!("<vars argument {index}>"), given)
        } else {
            read(Path::new(given), &sources).and_then(|text| SpecFile::parse_variables(given, &text))
        };
        match parsed {
            Ok(values) => given_values.extend(values),
            Err(diagnostics) => found.extend(diagnostics),
        }
    }
    // All at once, because each extension sorts the variables again.
    let mut variables = spec.variables();
    variables.extend(given_values);
    let mut bodies: Vec<Body> = Vec::new();
    for (name, text) in inputs(decode, &sources)? {
        match text.and_then(|text| SpecFile::parse_body(&name, &text)) {
            Ok(body) => bodies.push(body),
            Err(diagnostics) => found.extend(diagnostics),
        }
    }
    if found.has_errors() {
        return Err(Stop::Diagnostics(found));
    }
    if is_on(decode.var_refs, false) {
        return Ok(spec.references_json(&bodies, &variables)?);
    }
    let decoded = spec.decode(&bodies, &variables);
    found.extend(decoded.diagnostics);
    if found.has_errors() {
        return Err(Stop::Diagnostics(found));
    }
    let mut options = JsonOptions::default();
    options.keep_nulls = is_on(decode.keep_nulls, false);
    options.with_type = is_on(decode.with_type, false);
    spec.json(&decoded.value, options).map_err(|error| Stop::Message(error.to_string()))
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The text of a file, or the reason why it cannot be read.
type Text = Result<String, Diagnostics>;

fn read(path: &Path, sources: &SourceReader<'_>) -> Text {
    text_of(path, sources.read_bytes(path))
}

fn text_of(path: &Path, bytes: Result<Vec<u8>, Box<Diagnostic>>) -> Text {
    let decode = |bytes| SourceFile::from_bytes(FileId::new(path), bytes).map_err(Box::new);
    let source = bytes.and_then(decode).map_err(|error| Diagnostics::from_iter([*error]));
    source.map(|source| source.text().to_owned())
}

/// Returns the names of the files with their texts.
fn inputs(decode: &Decode, sources: &SourceReader<'_>) -> Result<Vec<(String, Text)>, Stop> {
    if decode.files.is_empty() {
        let bytes = input::standard_input(sources);
        let bytes =
            bytes.map_err(|error| Stop::Message(format!("failed to read standard input: {error}")))?;
        return Ok(vec![(STDIN.to_owned(), text_of(Path::new(STDIN), bytes))]);
    }
    Ok(decode.files.iter().map(|path| (name(path), read(path, sources))).collect())
}

fn write(path: Option<&Path>, text: &str) -> io::Result<u8> {
    let Some(path) = path else {
        pipe::data(text.as_bytes())?;
        return Ok(0);
    };
    if let Err(error) = writes::hold_back(|| OsFiles.write_atomic(path, text.as_bytes())) {
        pipe::note(&format!("Error: {error}\n"))?;
        return Ok(FAILURE);
    }
    Ok(0)
}
