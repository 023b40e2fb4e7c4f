//! Reads variable files, native and JSON, and collects the assignments in order of precedence.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::read_source;
use terrane_source::{Diagnostic, Diagnostics, FileErrorKind, Files, SourceFile, Span, Subject, ids};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expression, json as json_syntax};
use terrane_value::SmolStr;

use crate::inputs::assignment::{InputAssignment, InputSource, Written};
use crate::inputs::hidden_text::without_text;

/// Collects assignments; a later one overrides earlier ones.
pub(super) struct Collector<'c> {
    pub(super) files: &'c dyn Files,
    pub(super) assignments: Vec<InputAssignment>,
    /// The names of sensitive variables.
    pub(super) secrets: Vec<SmolStr>,
    pub(super) diagnostics: &'c mut Diagnostics,
}

impl Collector<'_> {
    /// Adds a value from outside of any file.
    pub(super) fn add_text(&mut self, name: &str, source: InputSource, text: &str) {
        self.add(name, source, None, Written::Text(SmolStr::from(text)));
    }

    fn add(&mut self, name: &str, source: InputSource, name_place: Option<Subject>, written: Written) {
        let name = SmolStr::from(name);
        let assignment =
            InputAssignment { name, source, name_place, wins: false, is_declared: false, written };
        self.assignments.push(assignment);
    }

    /// Adds the values in the files of the root module that are read automatically.
    pub(super) fn automatic_files(&mut self, directory: &Path) {
        let Ok(entries) = self.files.list(directory) else { return };
        let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
        let first = ["terraform.tfvars", "terraform.tfvars.json"];
        // A broken symbolic link counts as no file.
        let is_there = |name: &str| self.files.metadata(&in_directory(directory, name)).is_ok();
        let present =
            first.into_iter().filter(|name| names.iter().any(|found| found == name) && is_there(name));
        let present: Vec<&str> = present.collect();
        let automatic = |name: &&str| name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json");
        for name in present {
            self.file(&in_directory(directory, name), InputSource::Terraform);
        }
        for name in names.iter().map(String::as_str).filter(automatic) {
            self.file(&in_directory(directory, name), InputSource::Automatic);
        }
    }

    /// Adds the values in a variable file. An unreadable file is reported.
    pub(super) fn file(&mut self, path: &Path, kind: InputSource) {
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
        if is_json(path, &source) { self.json_file(&source, kind) } else { self.native_file(&source, kind) }
    }

    fn native_file(&mut self, source: &Arc<SourceFile>, kind: InputSource) {
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
                    let place = Subject { file: Arc::clone(source), span: attribute.name };
                    self.hide(name, source, tree.span(attribute.expr));
                    self.add(name, kind, Some(place), written);
                }
                Item::Block(id) => self.block_in_file(source, tree.block(*id).block_type),
            }
        }
    }

    /// Values as an object in JSON, or as several in an array. Strings are taken as they are: a variable file has no
    /// templates.
    fn json_file(&mut self, source: &Arc<SourceFile>, kind: InputSource) {
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
                self.hide(name, source, tree.span(property.value));
                if seen.insert(name.to_owned(), property.name_span).is_some() {
                    let detail = format!(
                        "This file already has a value for the variable \"{name}\". \
                                          Remove one of them."
                    );
                    let diagnostic = Diagnostic::error(ids::DUPLICATE_VALUE, detail);
                    self.diagnostics.push(diagnostic.at(source, property.name_span));
                    continue;
                }
                let place = |span| Subject { file: Arc::clone(source), span };
                let quotes = property.name_span;
                let name_place = place(Span::new(quotes.start + 1, quotes.end - 1));
                self.add(name, kind, Some(name_place), Written::Json(place(tree.span(property.value))));
            }
        }
    }

    /// Hides the value of a sensitive variable in excerpts.
    fn hide(&self, name: &str, source: &SourceFile, value: Span) {
        if self.secrets.iter().any(|secret| secret == name) {
            source.hide(value);
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
