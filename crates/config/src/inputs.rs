//! The values of root variables: from the environment, variable files and the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_source::{Diagnostic, Diagnostics, FileErrorKind, FileId, Files, SourceFile, Span, Subject, ids};
use terrane_syntax::Expression;
use terrane_syntax::tree::Item;
use terrane_value::{Value, ValueKind, json};

use crate::decode::constant;
use crate::load::read_source;
use crate::module::{Module, Variable};
use terrane_eval::closest_name;

/// What the user adds on the command line, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assignment {
    /// `-var name=value`.
    Variable(String, String),
    /// `-var-file path`.
    File(PathBuf),
}

/// Values for the variables of the root module, before conversion to their types.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    values: IndexMap<Arc<str>, Input>,
}

/// The value given for one variable.
#[derive(Clone, Debug)]
pub struct Input {
    /// The value, not yet converted to the variable's type.
    pub value: Value,
    /// Where it comes from, in words: `the environment variable TF_VAR_region`.
    pub origin: String,
    /// The place in a file, where it comes from one.
    pub subject: Option<Subject>,
}

impl Inputs {
    /// The value given for the variable `name`.
    pub fn get(&self, name: &str) -> Option<&Input> {
        self.values.get(name)
    }
}

/// Gathers the values of the variables of `module`, later sources over earlier ones: `environment` (names
/// with their `TF_VAR_` prefix), `terraform.tfvars`, `*.auto.tfvars` in the order of their names, and
/// `assignments` in their order.
pub fn collect(
    module: &Module,
    files: &dyn Files,
    environment: &[(String, String)],
    assignments: &[Assignment],
    diagnostics: &mut Diagnostics,
) -> Inputs {
    let mut collector = Collector { module, files, inputs: Inputs::default(), diagnostics };
    for (name, text) in environment {
        let Some(variable) = name.strip_prefix("TF_VAR_") else { continue };
        // The environment is shared with other programs and modules, so what is not declared is passed over.
        if let Some((variable, declared)) = module.variables.get_key_value(variable) {
            let origin = format!("the environment variable {name}");
            collector.text(&Arc::clone(variable), declared, text, origin);
        }
    }
    collector.automatic_files();
    for assignment in assignments {
        match assignment {
            Assignment::Variable(name, text) => collector.variable(name, text),
            Assignment::File(path) => collector.file(path),
        }
    }
    collector.inputs
}

struct Collector<'c> {
    module: &'c Module,
    files: &'c dyn Files,
    inputs: Inputs,
    diagnostics: &'c mut Diagnostics,
}

impl Collector<'_> {
    fn variable(&mut self, name: &str, text: &str) {
        let Some((name, declared)) = self.module.variables.get_key_value(name) else {
            let detail = format!(
                "A value for the variable \"{name}\" is given on the command line, but the root module does not declare \
                 it. Remove the option, or declare it with a block `variable \"{name}\" {{}}`."
            );
            let diagnostic = Diagnostic::error(ids::UNDECLARED_VALUE, detail);
            let diagnostic = self.with_nearest(diagnostic, name);
            self.diagnostics.push(diagnostic);
            return;
        };
        self.text(&Arc::clone(name), declared, text, format!("the option -var {name}=…"));
    }

    fn with_nearest(&self, diagnostic: Diagnostic, name: &str) -> Diagnostic {
        match closest_name(name, self.module.variables.keys().map(|known| &**known)) {
            Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
            None => diagnostic,
        }
    }

    /// A value given as text: the text itself for variables of a primitive type or without a type, an
    /// expression for others.
    fn text(&mut self, name: &Arc<str>, declared: &Variable, text: &str, origin: String) {
        if declared.literal_text {
            let input = Input { value: Value::from(text), origin, subject: None };
            self.inputs.values.insert(Arc::clone(name), input);
            return;
        }
        let source = SourceFile::new(FileId::new(format!("<value for var.{name}>")), text);
        let parsed = terrane_syntax::parse_expr(&source);
        let mut found = Diagnostics::new();
        found.extend(parsed.diagnostics);
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        let value = if found.has_errors() { None } else { constant(&expression, &mut found) };
        if declared.sensitive {
            found = found.into_iter().map(|diagnostic| without_text(diagnostic, &origin)).collect();
        }
        self.diagnostics.extend(found);
        let value = value.unwrap_or_else(Value::error);
        self.inputs.values.insert(Arc::clone(name), Input { value, origin, subject: None });
    }

    fn automatic_files(&mut self) {
        let directory = self.module.directory.clone();
        let Ok(entries) = self.files.list(&directory) else { return };
        let mut names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
        names.retain(|name| !name.starts_with('.'));
        for name in ["terraform.tfvars", "terraform.tfvars.json"] {
            if names.iter().any(|found| found == name) {
                self.file(&in_directory(&directory, name));
            }
        }
        for name in &names {
            if name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json") {
                self.file(&in_directory(&directory, name));
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let source = match read_source(self.files, path) {
            Ok(source) => source,
            Err(diagnostic) => {
                let missing =
                    matches!(self.files.metadata(path), Err(error) if error.kind == FileErrorKind::NotFound);
                let hint = "The path of -var-file is read from the working directory.";
                self.diagnostics.push(if missing { diagnostic.hint(hint) } else { *diagnostic });
                return;
            }
        };
        if path.extension().is_some_and(|extension| extension == "json") {
            return self.json_file(&source);
        }
        let parsed = terrane_syntax::parse_body(&source);
        self.diagnostics.extend(parsed.diagnostics);
        let tree = parsed.tree;
        for item in tree.list(tree.body(parsed.root).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let expression = Expression { tree: Arc::clone(&tree), id: attribute.expr };
                    self.file_value(&source, attribute.name, &expression);
                }
                Item::Block(id) => {
                    let block = tree.block(*id);
                    self.block_in_file(&source, block.block_type);
                }
            }
        }
    }

    /// Values as an object in JSON. Strings are taken as they are: a variable file has no templates.
    fn json_file(&mut self, source: &Arc<SourceFile>) {
        let origin = source.id().to_string();
        let value = match json::decode(source.text()) {
            Ok(value) => value,
            Err(error) => {
                let start = u32::try_from(error.offset).unwrap_or(u32::MAX);
                let detail = format!("{origin} is not JSON: {}", error.message);
                self.diagnostics.push(
                    Diagnostic::error(ids::INVALID_JSON, detail)
                        .at(source, Span::new(start, start.saturating_add(1))),
                );
                return;
            }
        };
        let ValueKind::Object(entries) = value.kind() else {
            let detail =
                format!("{origin} must have one JSON object, with the names of variables as its keys.");
            self.diagnostics.push(Diagnostic::error(ids::INVALID_JSON, detail).at(source, Span::empty(0)));
            return;
        };
        for (name, value) in entries {
            if let Some((variable, _)) = self.module.variables.get_key_value(&**name) {
                let input = Input { value: value.clone(), origin: origin.clone(), subject: None };
                self.inputs.values.insert(Arc::clone(variable), input);
            } else {
                self.undeclared(name, &origin);
            }
        }
    }

    fn block_in_file(&mut self, source: &Arc<SourceFile>, span: Span) {
        let (id, detail) = if source.slice(span) == "variable" {
            let detail = "A variable file only gives values: write `name = value`. The declaration of the variable \
                          belongs in a `.tf` file.";
            (ids::DECLARATION_IN_VALUES, detail)
        } else {
            (ids::UNEXPECTED_BLOCK, "A variable file has no blocks, only lines of the form `name = value`.")
        };
        self.diagnostics.push(Diagnostic::error(id, detail).at(source, span));
    }

    /// A value for a variable that is not declared. Its text is not shown: the name may be that of a sensitive
    /// variable, misspelt.
    fn undeclared(&mut self, name: &str, place: &str) {
        let detail = format!(
            "The root module does not declare a variable \"{name}\", so its value in {place} is not used. Declare it \
             with a block `variable \"{name}\" {{}}`, or remove the value."
        );
        let diagnostic = self.with_nearest(Diagnostic::warning(ids::UNDECLARED_VALUE, detail), name);
        self.diagnostics.push(diagnostic);
    }

    fn file_value(&mut self, source: &Arc<SourceFile>, name: Span, expression: &Expression) {
        let origin = source.id().to_string();
        let Some((variable, declared)) = self.module.variables.get_key_value(source.slice(name)) else {
            let place = format!("{origin}, line {}", source.lines().line(name.start));
            self.undeclared(source.slice(name), &place);
            return;
        };
        let mut found = Diagnostics::new();
        let value = constant(expression, &mut found);
        if declared.sensitive {
            found = found.into_iter().map(|diagnostic| without_text(diagnostic, &origin)).collect();
        }
        self.diagnostics.extend(found);
        let subject = Some(Subject { file: Arc::clone(source), span: expression.span() });
        let input = Input { value: value.unwrap_or_else(Value::error), origin, subject };
        self.inputs.values.insert(Arc::clone(variable), input);
    }
}

fn in_directory(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") { PathBuf::from(name) } else { directory.join(name) }
}

/// The diagnostic without the text of the file, in which a sensitive value stands.
fn without_text(mut diagnostic: Diagnostic, origin: &str) -> Diagnostic {
    if let Some(subject) = diagnostic.subject.take() {
        let place = subject.file.lines().line_column(subject.file.text(), subject.span.start);
        diagnostic.detail = format!(
            "{} (In {origin}, line {}; the text is not shown, because the value is sensitive.)",
            diagnostic.detail, place.line
        );
    }
    diagnostic.labels.clear();
    diagnostic.values.clear();
    diagnostic
}
