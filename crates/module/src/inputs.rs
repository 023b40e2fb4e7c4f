//! The values of root variables: from the environment, variable files and the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::constant::constant;
use terrane_body::read_source;
use terrane_config::{Assignment, InputSources};
use terrane_source::{Diagnostic, Diagnostics, FileErrorKind, FileId, Files, SourceFile, Span, Subject, ids};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expression, json as json_syntax};
use terrane_value::{SmolStr, Value, closest_name, json};

use crate::model::module::{Module, Variable};
use crate::rules::phase::Phase;

/// Limit on the undeclared variables of files that are reported one by one.
const UNDECLARED_ONE_BY_ONE: usize = 2;

/// Values for the variables of the root module, before conversion to their types.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    values: IndexMap<SmolStr, Input>,
    /// The names in variable files, overridden ones too.
    keys: Vec<(SmolStr, Subject)>,
}

/// The value given for one variable.
#[derive(Clone, Debug)]
pub struct Input {
    /// The value, not yet converted to the variable's type.
    pub value: Value,
    /// Its source in words: `the environment variable TF_VAR_region`.
    pub origin: String,
    /// The place in a file, for a value from a file.
    pub subject: Option<Subject>,
}

impl Inputs {
    /// The names in variable files with their places, also of values that others override.
    pub fn keys(&self) -> &[(SmolStr, Subject)] {
        &self.keys
    }

    /// The value given for the variable `name`.
    pub fn get(&self, name: &str) -> Option<&Input> {
        self.values.get(name)
    }
}

/// Gathers the values of the variables of `module`, later sources over earlier ones: the environment,
/// `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and `*.auto.tfvars.json` in the order of their names,
/// and the assignments in their order.
pub fn collect(
    module: &Module,
    files: &dyn Files,
    sources: &InputSources,
    diagnostics: &mut Diagnostics,
) -> Inputs {
    collect_in_phase(Phase::Plan, module, files, sources, diagnostics)
}

/// As [`collect`], with the sources and errors of a phase.
pub(crate) fn collect_in_phase(
    phase: Phase,
    module: &Module,
    files: &dyn Files,
    sources: &InputSources,
    diagnostics: &mut Diagnostics,
) -> Inputs {
    let reads_all = phase.reads_automatic_files(&module.rules);
    let Collected { inputs, of_files, of_values } = read(module, files, sources, reads_all);
    diagnostics.extend(of_files);
    if phase.reports_input_values() {
        diagnostics.extend(of_values);
    }
    inputs
}

/// Values of root variables, with the diagnostics about files and about values.
struct Collected {
    inputs: Inputs,
    of_files: Diagnostics,
    of_values: Diagnostics,
}

/// The values from all sources, with `reads_all` including the automatic files.
fn read(module: &Module, files: &dyn Files, sources: &InputSources, reads_all: bool) -> Collected {
    let (mut of_files, mut of_values) = (Diagnostics::new(), Diagnostics::new());
    for name in &sources.unreadable {
        let variable = name.strip_prefix("TF_VAR_").unwrap_or_default();
        if module.variables.contains_key(variable) {
            let detail = format!(
                "The value of the environment variable {name} is not UTF-8 text. Set it to UTF-8 \
                         text."
            );
            of_values.push(Diagnostic::error(ids::INVALID_ENCODING, detail));
        }
    }
    let secrets = module.variables.iter().filter(|(_, variable)| variable.sensitive);
    let secrets = secrets.map(|(name, _)| name.clone()).collect();
    let mut collector =
        Collector { files, given: IndexMap::new(), keys: Vec::new(), secrets, diagnostics: &mut of_files };
    for (name, text) in &sources.environment {
        if let Some(variable) = name.strip_prefix("TF_VAR_") {
            let origin = format!("the environment variable {name}");
            collector.add(variable, Source::Environment, origin, Written::Text(text.clone()));
        }
    }
    if reads_all {
        collector.automatic_files(&module.directory);
    }
    for assignment in &sources.assignments {
        match assignment {
            Assignment::Variable(name, text) => {
                let origin = format!("the option -var {name}=…");
                collector.add(name, Source::CommandLine, origin, Written::Text(text.clone()));
            }
            Assignment::File(path) => collector.file(path),
        }
    }
    // Only the last value of each variable counts.
    let given = collector.given;
    let mut inputs = Inputs { keys: collector.keys, ..Inputs::default() };
    undeclared(module, &given, &mut of_values);
    for (name, given) in given {
        if let Some((name, variable)) = module.variables.get_key_value(name.as_str()) {
            inputs.values.insert(name.clone(), given.input(name, variable, &mut of_values));
        }
    }
    // A file that cannot be read may have the missing values.
    if sources.strict && !of_files.has_errors() {
        required(module, &inputs, &mut of_values);
    }
    Collected { inputs, of_files, of_values }
}

/// The kinds of sources, which differ in the diagnostic about an undeclared variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Environment,
    File,
    CommandLine,
}

/// A value before it is parsed.
struct Given {
    source: Source,
    origin: String,
    written: Written,
}

/// How a value is written.
enum Written {
    /// Outside of any file: as the text itself or as an expression, depending on the type of the variable.
    Text(String),
    /// In a variable file.
    Expression(Expression),
    /// In a variable file with syntax errors, which have been reported.
    Broken,
    /// In a variable file in JSON, where strings are taken as they are.
    Json(Arc<SourceFile>, Span),
}

impl Given {
    fn input(self, name: &str, variable: &Variable, diagnostics: &mut Diagnostics) -> Input {
        let Given { origin, written, .. } = self;
        let mut found = Diagnostics::new();
        let (value, subject) = match written {
            Written::Text(text) if variable.literal_text => (Some(Value::from(text)), None),
            Written::Text(text) => {
                let source = SourceFile::new(FileId::new(format!("<value for var.{name}>")), text);
                let parsed = terrane_syntax::parse_expr(&source);
                found.extend(parsed.diagnostics);
                let expression = Expression { tree: parsed.tree, id: parsed.root };
                (if found.has_errors() { None } else { constant(&expression, &mut found) }, None)
            }
            Written::Expression(expression) => {
                let subject = Subject { file: Arc::clone(expression.source()), span: expression.span() };
                (constant(&expression, &mut found), Some(subject))
            }
            Written::Broken => (None, None),
            Written::Json(file, span) => (json_value(&file, span, &mut found), Some(Subject { file, span })),
        };
        if variable.sensitive {
            found = found.into_iter().map(|diagnostic| without_text(diagnostic, &origin)).collect();
        }
        diagnostics.extend(found);
        Input { value: value.unwrap_or_else(Value::error), origin, subject }
    }
}

fn json_value(file: &Arc<SourceFile>, span: Span, diagnostics: &mut Diagnostics) -> Option<Value> {
    match json::decode(file.slice(span)) {
        Ok(value) => Some(value),
        Err(error) => {
            let start = u32::try_from(error.offset).unwrap_or(u32::MAX).saturating_add(span.start);
            let detail = format!("This value cannot be used: {}", error.message);
            let place = Span::new(start, start.saturating_add(1));
            diagnostics.push(Diagnostic::error(ids::INVALID_JSON, detail).at(file, place));
            None
        }
    }
}

/// Reports values for variables that are not declared. Their text is not shown: the name may be that of a sensitive
/// variable, misspelt.
fn undeclared(module: &Module, given: &IndexMap<String, Given>, diagnostics: &mut Diagnostics) {
    let mut in_files = 0;
    for (name, given) in given {
        if module.variables.contains_key(name.as_str()) {
            continue;
        }
        let diagnostic = match given.source {
            // The environment is shared with other programs and modules.
            Source::Environment => continue,
            Source::CommandLine => {
                let detail = format!(
                    "A value for the variable \"{name}\" is given on the command line, but the root module does not \
                     declare it. Remove the option, or declare it with a block `variable \"{name}\" {{}}`."
                );
                Diagnostic::error(ids::UNDECLARED_VALUE, detail)
            }
            Source::File => {
                in_files += 1;
                if in_files > UNDECLARED_ONE_BY_ONE {
                    continue;
                }
                let place = match &given.written {
                    Written::Expression(expression) => {
                        let line = expression.source().lines().line(expression.span().start);
                        format!("{}, line {line}", given.origin)
                    }
                    Written::Json(file, span) => {
                        format!("{}, line {}", given.origin, file.lines().line(span.start))
                    }
                    Written::Text(_) | Written::Broken => given.origin.clone(),
                };
                let detail = format!(
                    "The root module does not declare a variable \"{name}\", so its value in {place} is not used. \
                     Declare it with a block `variable \"{name}\" {{}}`, or remove the value."
                );
                Diagnostic::warning(ids::UNDECLARED_VALUE, detail)
            }
        };
        let nearest = closest_name(name, module.variables.keys().map(|known| &**known));
        diagnostics.push(match nearest {
            Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
            None => diagnostic,
        });
    }
    if let Some(more @ 1..) = in_files.checked_sub(UNDECLARED_ONE_BY_ONE) {
        let detail = format!(
            "The variable files have values for {more} more undeclared variables. They are not used."
        );
        diagnostics.push(Diagnostic::warning(ids::UNDECLARED_VALUES, detail));
    }
}

/// Reports variables that have neither a value nor a default.
fn required(module: &Module, inputs: &Inputs, diagnostics: &mut Diagnostics) {
    for (name, variable) in &module.variables {
        // A value with an error, which has been reported, is unknown.
        let is_given = inputs.values.get(name).is_some_and(|input| input.value.is_known());
        if variable.default.is_none() && !is_given {
            let detail = format!(
                "The variable \"{name}\" of the root module has no value and no default. Give it one with -var \
                 {name}=…, in a variable file or in the environment as TF_VAR_{name}."
            );
            let declaration = &variable.declaration;
            diagnostics
                .push(Diagnostic::error(ids::NO_VALUE, detail).at(&declaration.file, declaration.span));
        }
    }
}

struct Collector<'c> {
    files: &'c dyn Files,
    given: IndexMap<String, Given>,
    /// The names in files, with their places.
    keys: Vec<(SmolStr, Subject)>,
    /// The names of sensitive variables.
    secrets: Vec<SmolStr>,
    diagnostics: &'c mut Diagnostics,
}

impl Collector<'_> {
    fn add(&mut self, name: &str, source: Source, origin: String, written: Written) {
        self.given.insert(name.to_owned(), Given { source, origin, written });
    }

    /// Adds a value from a variable file, with the place of its name.
    fn add_from_file(&mut self, name: &str, source: &Arc<SourceFile>, span: Span, written: Written) {
        self.keys.push((SmolStr::from(name), Subject { file: Arc::clone(source), span }));
        self.add(name, Source::File, source.id().to_string(), written);
    }

    fn automatic_files(&mut self, directory: &Path) {
        let Ok(entries) = self.files.list(directory) else { return };
        let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
        let first = ["terraform.tfvars", "terraform.tfvars.json"];
        // A broken symbolic link counts as no file.
        let is_there = |name: &str| self.files.metadata(&in_directory(directory, name)).is_ok();
        let present =
            first.into_iter().filter(|name| names.iter().any(|found| found == name) && is_there(name));
        let present: Vec<&str> = present.collect();
        let automatic = |name: &&str| name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json");
        for name in present.into_iter().chain(names.iter().map(String::as_str).filter(automatic)) {
            self.file(&in_directory(directory, name));
        }
    }

    fn file(&mut self, path: &Path) {
        let source = match read_source(self.files, path) {
            Ok(source) => source,
            Err(diagnostic) => {
                let missing =
                    matches!(self.files.metadata(path), Err(error) if error.kind == FileErrorKind::NotFound);
                let hint = "The path of -var-file is relative to the working directory.";
                let diagnostic = diagnostic.titled("Failed to read variables file");
                self.diagnostics.push(if missing { diagnostic.hint(hint) } else { diagnostic });
                return;
            }
        };
        if is_json(path, &source) { self.json_file(&source) } else { self.native_file(&source) }
    }

    fn native_file(&mut self, source: &Arc<SourceFile>) {
        let parsed = terrane_syntax::parse_body(source);
        let broken = parsed.diagnostics.iter().any(Diagnostic::is_error);
        self.syntax(parsed.diagnostics, source);
        let tree = parsed.tree;
        for item in tree.list(tree.body(parsed.root).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let expression = Expression { tree: Arc::clone(&tree), id: attribute.expr };
                    let name = source.slice(attribute.name);
                    let written = if broken { Written::Broken } else { Written::Expression(expression) };
                    self.add_from_file(name, source, attribute.name, written);
                }
                Item::Block(id) => self.block_in_file(source, tree.block(*id).block_type),
            }
        }
    }

    /// Values as an object in JSON, or as several in an array. Strings are taken as they are: a variable file has no
    /// templates.
    fn json_file(&mut self, source: &Arc<SourceFile>) {
        let document = json_syntax::parse_json(source);
        let tree = &document.tree;
        let failed = document.diagnostics.iter().any(Diagnostic::is_error);
        self.syntax(document.diagnostics.clone(), source);
        if failed {
            return;
        }
        let objects = match tree.value(document.root) {
            json_syntax::Value::Array(list) => tree.elements(list).to_vec(),
            json_syntax::Value::Missing
            | json_syntax::Value::Null
            | json_syntax::Value::Bool(_)
            | json_syntax::Value::Number
            | json_syntax::Value::String(_)
            | json_syntax::Value::Object(_) => vec![document.root],
        };
        let mut seen: IndexMap<String, Span> = IndexMap::new();
        for object in objects {
            let json_syntax::Value::Object(properties) = tree.value(object) else {
                let detail =
                    format!("{} must contain one JSON object, with variable names as keys.", source.id());
                let diagnostic =
                    Diagnostic::error(ids::INVALID_JSON, detail).titled("Incorrect JSON value type");
                self.diagnostics.push(diagnostic.at(source, tree.start_span(object)));
                continue;
            };
            for property in tree.properties(properties) {
                let name = tree.name(property);
                if name == "//" {
                    continue;
                }
                if seen.insert(name.to_owned(), property.name_span).is_some() {
                    let detail = format!(
                        "This file already has a value for the variable \"{name}\". \
                                          Remove one of them."
                    );
                    let diagnostic = Diagnostic::error(ids::DUPLICATE_VALUE, detail);
                    self.diagnostics.push(diagnostic.at(source, property.name_span));
                    continue;
                }
                let written = Written::Json(Arc::clone(source), tree.span(property.value));
                let quotes = property.name_span;
                self.add_from_file(name, source, Span::new(quotes.start + 1, quotes.end - 1), written);
            }
        }
    }

    /// Mistakes in the syntax of a variable file. Where it may have the value of a sensitive variable, its text is not
    /// shown: an error can be anywhere in the value, and a string that is not closed goes on over lines.
    fn syntax(&mut self, found: Vec<Diagnostic>, source: &SourceFile) {
        let secret = self.secrets.iter().any(|name| source.text().contains(&**name));
        let origin = source.id().to_string();
        let shown = |diagnostic| if secret { without_text(diagnostic, &origin) } else { diagnostic };
        self.diagnostics.extend(found.into_iter().map(shown));
    }

    fn block_in_file(&mut self, source: &Arc<SourceFile>, span: Span) {
        let block_type = source.slice(span);
        let diagnostic = if block_type == "variable" {
            let detail = "A variable file only gives values: write `name = value`. The declaration of the variable \
                          belongs in a `.tf` file.";
            Diagnostic::error(ids::DECLARATION_IN_VALUES, detail)
        } else {
            let detail = "A variable file has no blocks, only lines of the form `name = value`.";
            let diagnostic = Diagnostic::error(ids::UNEXPECTED_BLOCK, detail);
            diagnostic.titled(format!("Unexpected \"{block_type}\" block"))
        };
        self.diagnostics.push(diagnostic.at(source, span));
    }
}

/// Whether a variable file is JSON: by its name, or by its beginning where the name does not tell.
fn is_json(path: &Path, source: &SourceFile) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => true,
        Some("tfvars") => false,
        Some(_) | None => source.text().trim_start().starts_with('{'),
    }
}

fn in_directory(directory: &Path, name: &str) -> PathBuf {
    if directory == Path::new(".") { PathBuf::from(name) } else { directory.join(name) }
}

/// The diagnostic without the text of the file, in which a sensitive value stands; `origin` names the file.
pub fn without_text(mut diagnostic: Diagnostic, origin: &str) -> Diagnostic {
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
