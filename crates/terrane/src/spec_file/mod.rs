//! Files of the language in which the `hcldec` tool is told how to make a value of a body.

mod functions;
mod output;
mod read;
mod user_function;

use std::sync::Arc;

pub use output::{JsonOptions, diagnostics_json};
use terrane_body::{Body, BodySpec, decode, decode_constant, references_by_spec};
use terrane_eval::{FunctionTable, Names, NoNames, Variables};
use terrane_source::{Diagnostic, Diagnostics, FileId, SourceFile};
use terrane_syntax::{parse_body, parse_json};

use crate::{Dialect, Engine, Evaluated};

/// How a value is made of files, as a file of the decoding language says.
///
/// ```
/// use terrane::{JsonOptions, SpecFile};
///
/// let spec = SpecFile::parse("app.hcldec", r#"
///     object {
///       attr "name" { type = string }
///       block_list "ports" {
///         block_type = "port"
///         attr {
///           name = "number"
///           type = number
///         }
///       }
///     }
/// "#)?;
/// let body = SpecFile::parse_body("app.hcl", "name = \"web\"\nport {\n  number = 80\n}\n")?;
/// let value = spec.decode(&[body], &spec.variables()).ok()?;
/// let json = spec.json(&value, JsonOptions::default()).expect("no unknown");
/// assert_eq!(json, r#"{"name":"web","ports":[80]}"#);
/// # Ok::<(), terrane::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct SpecFile {
    spec: BodySpec,
    variables: Variables,
    /// Those that the file gives, which are all that may be called.
    functions: FunctionTable,
    warnings: Diagnostics,
    engine: Engine,
}

impl SpecFile {
    /// Reads a file of the decoding language.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<SpecFile, Diagnostics> {
        let parsed = parse_body(&SourceFile::new(FileId::new(name), text));
        let mut diagnostics: Diagnostics = parsed.diagnostics.into_iter().collect();
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let mut reader = read::Reader::new(&mut diagnostics);
        let (spec, variables, functions) = reader.file(&Body::native(&parsed.tree, parsed.root));
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(SpecFile {
            spec: BodySpec::new(spec),
            variables,
            functions: FunctionTable::only(Dialect::Modules, functions),
            warnings: diagnostics,
            engine: Engine::new(),
        })
    }

    /// Parses a file, as JSON where its name ends in `.json`.
    ///
    /// # Errors
    ///
    /// What is wrong, where it cannot be parsed.
    pub fn parse_body(name: &str, text: &str) -> Result<Body, Diagnostics> {
        Engine::new().parse_body(name, text)
    }

    /// The variables of a file: an attribute for each.
    ///
    /// # Errors
    ///
    /// What is wrong, where it cannot be parsed or has anything else.
    pub fn parse_variables(name: &str, text: &str) -> Result<Variables, Diagnostics> {
        let source = SourceFile::new(FileId::new(name), text);
        let is_json = name.ends_with(".json") || text.trim_start().starts_with('{');
        let (body, found): (Body, Vec<Diagnostic>) = if is_json {
            let document = parse_json(&source);
            (Body::json(&document.tree, document.root), document.diagnostics)
        } else {
            let parsed = parse_body(&source);
            (Body::native(&parsed.tree, parsed.root), parsed.diagnostics)
        };
        let mut diagnostics: Diagnostics = found.into_iter().collect();
        let content = body.just_attributes(&mut diagnostics);
        let mut variables = Variables::new();
        for (name, attribute) in &content.attributes {
            let value = terrane_eval::constant(&attribute.literal(), &mut diagnostics);
            variables = variables.with(&**name, value);
        }
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(variables) }
    }

    /// What the file may be wrong about.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// The variables that the file gives itself.
    pub fn variables(&self) -> Variables {
        self.variables.clone()
    }

    /// The value of files that are read as one. Without any variable or function, nothing is computed: strings of JSON
    /// are their characters, and a name or a call is an error.
    pub fn decode(&self, bodies: &[Body], variables: &Variables) -> Evaluated {
        let mut diagnostics = Diagnostics::new();
        let body = joined(bodies);
        let names: &dyn Names = if variables.is_empty() { &NoNames } else { variables };
        let value = self.engine.with_functions(names, &self.functions, |scope| {
            if variables.is_empty() && self.functions.rows().next().is_none() {
                decode_constant(&body, &self.spec, scope, &mut diagnostics)
            } else {
                decode(&body, &self.spec, scope, &mut diagnostics)
            }
        });
        Evaluated { value, diagnostics }
    }

    /// The references in the files to variables, as a JSON array: name, steps, places, and the value where there is one.
    pub fn references_json(&self, bodies: &[Body], variables: &Variables) -> String {
        let mut found = Vec::new();
        references_by_spec(&joined(bodies), &self.spec, &mut |reference| {
            found.push(output::ReferenceJson::new(reference, variables));
        });
        output::pretty(&found)
    }
}

/// Several bodies as one.
fn joined(bodies: &[Body]) -> Body {
    let mut bodies = bodies.iter();
    let empty = || {
        let parsed = parse_body(&SourceFile::new(FileId::new("<empty>"), ""));
        Body::native(&parsed.tree, parsed.root)
    };
    let mut joined = bodies.next().cloned().unwrap_or_else(empty);
    bodies.cloned().for_each(|body| joined.join(body));
    joined
}

/// The functions that a spec file may call.
fn spec_functions() -> Arc<FunctionTable> {
    Arc::new(FunctionTable::only(Dialect::Modules, functions::rows()))
}
