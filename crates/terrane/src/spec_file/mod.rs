//! Spec files of the `hcldec` tool: each describes how bodies are decoded into one value.
//!
//! `read` turns the blocks of a spec file into a spec, `functions` and `user_function` are the functions it may call, and
//! `output` writes decoded values as the tool does.

mod functions;
mod output;
mod read;
mod user_function;

pub use output::{JsonOptions, diagnostics_json};
use terrane_body::{Body, BodySpec, decode, decode_constant, references_by_spec};
use terrane_eval::{FunctionTable, Names, NoNames, Variables};
use terrane_function::{Dialect, Limits};
use terrane_source::{Diagnostics, FileId, SourceFile};
use terrane_syntax::{Syntax, parse_body};
use terrane_value::Value;
use terrane_value::json::EncodeError;

use crate::engine::{Engine, Evaluated};
use crate::print_limit::{MAX_BYTES, limit_exceeded};
use crate::variable_text::hide_variable_file;

/// A spec file: decodes bodies into a value.
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
    /// The functions that the spec file declares. Bodies may call no other functions.
    functions: FunctionTable,
    warnings: Diagnostics,
    engine: Engine,
}

impl SpecFile {
    /// Parses a spec file.
    ///
    /// # Errors
    ///
    /// All diagnostics if one of them is an error.
    pub fn parse(name: &str, text: &str) -> Result<SpecFile, Diagnostics> {
        let parsed = parse_body(&SourceFile::new(FileId::new(name), text));
        let mut diagnostics: Diagnostics = parsed.diagnostics.into_iter().collect();
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        let mut reader = read::SpecReader::new(&mut diagnostics);
        let declared = reader.file(&Body::native(&parsed.tree, parsed.root));
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(SpecFile {
            spec: BodySpec::new(declared.spec),
            variables: declared.variables,
            functions: FunctionTable::only(Dialect::Modules, declared.functions),
            warnings: diagnostics,
            engine: Engine::new(),
        })
    }

    /// Sets other limits of the evaluation.
    pub fn limits(self, limits: Limits) -> SpecFile {
        SpecFile { engine: self.engine.limits(limits), ..self }
    }

    /// Parses a file, as JSON if its name ends in `.json`.
    ///
    /// # Errors
    ///
    /// All diagnostics if the file cannot be parsed.
    pub fn parse_body(name: &str, text: &str) -> Result<Body, Diagnostics> {
        Engine::new().parse_body(name, text)
    }

    /// Returns the variables in a file, which has an attribute for each.
    ///
    /// # Errors
    ///
    /// All diagnostics if the file cannot be parsed or has blocks.
    pub fn parse_variables(name: &str, text: &str) -> Result<Variables, Diagnostics> {
        let source = SourceFile::new(FileId::new(name), text);
        hide_variable_file(&source);
        let (body, found) = Body::parse_in(
            &source,
            match Syntax::of_file(source.id()) {
                Syntax::Json => Syntax::Json,
                Syntax::Native => Syntax::of_text(text),
            },
        );
        let mut diagnostics: Diagnostics = found.into_iter().collect();
        let content = body.just_attributes(&mut diagnostics);
        let values = content.attributes.iter().map(|(name, attribute)| {
            (name.to_string(), terrane_eval::constant(&attribute.literal(), &mut diagnostics))
        });
        let variables: Variables = values.collect();
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(variables) }
    }

    /// Returns the warnings about the spec file.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Returns the variables that the spec file declares.
    pub fn variables(&self) -> Variables {
        self.variables.clone()
    }

    /// Decodes bodies as if they were one body. Without variables and functions every expression must be a constant: a string
    /// in JSON stands for its characters, and a name or a call is an error.
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

    /// Returns a decoded value as JSON on one line, as the `hcldec` tool writes it.
    ///
    /// # Errors
    ///
    /// If a part of the value is unknown or has no JSON.
    pub fn json(&self, value: &Value, options: JsonOptions) -> Result<String, EncodeError> {
        output::value_json(value, options)
    }

    /// Returns the references to variables in the bodies, as a JSON array: name, steps, source ranges, and the value of a known
    /// variable.
    ///
    /// # Errors
    ///
    /// `Limit exceeded` if the text would be longer than about 96 MiB, or finding the references takes too many steps.
    pub fn references_json(&self, bodies: &[Body], variables: &Variables) -> Result<String, Diagnostics> {
        let mut found = Vec::new();
        let mut bytes: usize = 0;
        let body = joined(bodies);
        let visited = self.engine.with_functions(&NoNames, &self.functions, |scope| {
            references_by_spec(&body, &self.spec, scope, &mut |reference| {
                if bytes <= MAX_BYTES {
                    let reference = output::HcldecReference::new(reference, variables);
                    bytes = bytes.saturating_add(reference.bytes());
                    found.push(reference);
                }
            })
        });
        if let Err(exceeded) = visited {
            return Err(Diagnostics::from_iter([*exceeded]));
        }
        if bytes > MAX_BYTES {
            return Err(Diagnostics::from_iter([limit_exceeded()]));
        }
        Ok(output::pretty(&found))
    }
}

/// Returns one body with the content of all.
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
