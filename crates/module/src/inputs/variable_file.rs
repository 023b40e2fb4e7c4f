//! A parsed variable file: the values that it gives, and its mistakes. Parsed files are kept for later evaluations.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use terrane_config::damaged_values::{DamagedFile, DamagedValues};
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, Subject, ids, titles};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expression, Syntax, json as json_syntax};
use terrane_value::SmolStr;

use crate::inputs::assignment::Notation;
use crate::inputs::hidden_text::place_without_text;
use crate::model::parsed_files::ParsedFiles;

/// Variable files that were parsed, by their paths.
pub(crate) type VariableFiles = ParsedFiles<VariableFile>;

/// A variable file.
#[derive(Debug)]
pub(crate) struct VariableFile {
    source: Arc<SourceFile>,
    /// The names of sensitive variables in the text.
    secrets: Vec<SmolStr>,
    /// Whether the file may set a sensitive variable that could not be read.
    has_unread_secrets: bool,
    /// The names in the file whose values no excerpt shows.
    hidden: HashSet<SmolStr>,
    /// The values in their order.
    pub(super) entries: Vec<Entry>,
    /// The mistakes in the file. If the file may contain the value of a sensitive variable, they do not show its text:
    /// an error can be anywhere in the value, and a string that is not closed continues over lines.
    pub(super) diagnostics: Diagnostics,
    /// The damage, if the file has syntax errors.
    pub(super) damaged: Option<DamagedFile>,
    /// The unreadable parts.
    pub(super) parts: Arc<DamagedValues>,
}

/// A value in a variable file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: SmolStr,
    pub(super) name_place: Subject,
    pub(super) written: Notation,
}

/// The variables of the root module, as far as they decide which values excerpts show.
#[derive(Clone, Copy)]
pub(super) struct KnownVariables<'v> {
    /// The names of sensitive variables.
    pub(super) secrets: &'v [SmolStr],
    /// Whether a sensitive variable could not be read.
    pub(super) has_unread_secrets: bool,
    /// Whether a variable with the name is declared.
    pub(super) is_declared: &'v dyn Fn(&str) -> bool,
}

impl KnownVariables<'_> {
    fn has_secrets(self) -> bool {
        self.has_unread_secrets || !self.secrets.is_empty()
    }

    /// Whether the value is, or under a misspelt name may be, that of a sensitive variable.
    fn hides(self, name: &str) -> bool {
        self.has_secrets() && (!(self.is_declared)(name) || self.secrets.iter().any(|secret| secret == name))
    }
}

impl VariableFile {
    /// Returns the parsed file at a path, and parses it only if it was not parsed before. Excerpts of the text do not show
    /// values that `variables` hide.
    pub(super) fn read(
        files: &VariableFiles,
        path: &Path,
        source: &Arc<SourceFile>,
        variables: KnownVariables<'_>,
    ) -> Arc<VariableFile> {
        let secrets = variables.secrets.iter().filter(|name| source.text().contains(&***name));
        let secrets: Vec<SmolStr> = secrets.cloned().collect();
        let is_current = |file: &VariableFile| {
            let mut names = file.entries.iter().map(|entry| &entry.name);
            let has_same = file.secrets == secrets && file.has_unread_secrets == variables.has_unread_secrets;
            has_same && names.all(|name| file.hidden.contains(name) == variables.hides(name))
        };
        let parse =
            |source: &Arc<SourceFile>| VariableFile::parse(Arc::clone(source), secrets.clone(), variables);
        files.get(path, source, is_current, parse)
    }

    fn parse(source: Arc<SourceFile>, secrets: Vec<SmolStr>, variables: KnownVariables<'_>) -> VariableFile {
        let mut file = VariableFile {
            source,
            secrets,
            has_unread_secrets: variables.has_unread_secrets,
            hidden: HashSet::new(),
            entries: Vec::new(),
            diagnostics: Diagnostics::new(),
            damaged: None,
            parts: Arc::default(),
        };
        match Syntax::of_file(file.source.id()) {
            Syntax::Json => file.read_json(variables),
            Syntax::Native => file.read_native(variables),
        }
        file
    }

    /// Reads the values in native syntax. A value with a syntax error is broken, and so is a value
    /// that the file gives twice.
    fn read_native(&mut self, variables: KnownVariables<'_>) {
        let parsed = terrane_syntax::parse_values(&self.source);
        self.syntax(parsed.diagnostics);
        let tree = parsed.tree;
        let body = tree.body(parsed.root);
        let damaged = Arc::new(DamagedValues::native(&self.source, &parsed.damage));
        self.parts = Arc::clone(&damaged);
        let (mut names, mut twice) = (HashSet::new(), HashSet::new());
        for attribute in tree.attributes(parsed.root) {
            let name = tree.name(attribute);
            if !names.insert(name) {
                twice.insert(name);
            }
        }
        for item in tree.list(body.items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let name = SmolStr::from(tree.name(attribute));
                    let is_sound = !damaged.touches(&name, tree.attribute_span(attribute))
                        && !twice.contains(name.as_str());
                    let expression = Expression { tree: Arc::clone(&tree), id: attribute.expr };
                    let written = if is_sound { Notation::Expression(expression) } else { Notation::Broken };
                    self.hide(&name, tree.span(attribute.expr), variables);
                    let name_place = self.place(attribute.name);
                    self.entries.push(Entry { name, name_place, written });
                }
                Item::Block(id) => self.block(tree.block(*id).block_type),
            }
        }
        // The tree lacks an argument if only its name could be read.
        let lone = parsed.damage.iter().filter_map(|damage| damage.argument);
        for span in lone.filter(|span| !names.contains(tree.slice(*span))) {
            let name_place = self.place(span);
            let name = SmolStr::from(self.source.slice(span));
            self.entries.push(Entry { name, name_place, written: Notation::Broken });
        }
    }

    /// Reads values as an object in JSON. Strings are taken as they are: a variable file has no templates.
    fn read_json(&mut self, variables: KnownVariables<'_>) {
        let document = json_syntax::parse_json(&self.source);
        let tree = &document.tree;
        self.syntax(document.diagnostics.clone());
        let damaged = Arc::new(DamagedValues::json(&self.source, &document.damage));
        self.parts = Arc::clone(&damaged);
        let json_syntax::Value::Object(properties) = tree.value(document.root) else {
            if document.damage.is_empty() {
                let detail = format!(
                    "{} must contain one JSON object, with variable names as keys.",
                    self.source.id()
                );
                let diagnostic =
                    Diagnostic::error(ids::INVALID_JSON, detail).titled(titles::INCORRECT_JSON_VALUE_TYPE);
                self.diagnostics.push(diagnostic.at(&self.source, tree.start_span(document.root)));
            }
            return;
        };
        let mut seen: HashSet<String> = HashSet::new();
        for property in tree.properties(properties) {
            let name = tree.name(property);
            self.hide(name, tree.span(property.value), variables);
            if name == "//" {
                continue;
            }
            if !seen.insert(name.to_owned()) {
                let detail =
                    format!("This file already has a value for the variable \"{name}\". Remove one of them.");
                let diagnostic = Diagnostic::error(ids::DUPLICATE_VALUE, detail);
                self.diagnostics.push(diagnostic.at(&self.source, property.name_span));
                continue;
            }
            let quotes = property.name_span;
            let name_place = self.place(Span::new(quotes.start + 1, quotes.end - 1));
            let written = match damaged.touches(name, tree.property_span(property)) {
                true => Notation::Broken,
                false => Notation::Json(self.place(tree.span(property.value))),
            };
            self.entries.push(Entry { name: SmolStr::from(name), name_place, written });
        }
    }

    fn place(&self, span: Span) -> Subject {
        Subject { file: Arc::clone(&self.source), span }
    }

    /// Hides a value in excerpts, if it may be that of a sensitive variable.
    fn hide(&mut self, name: &str, value: Span, variables: KnownVariables<'_>) {
        if variables.hides(name) {
            self.source.hide(value);
            self.hidden.insert(SmolStr::from(name));
        }
    }

    fn syntax(&mut self, found: Vec<Diagnostic>) {
        self.damaged = DamagedFile::of(self.source.id(), &found);
        found.into_iter().for_each(|diagnostic| self.report_without_secrets(diagnostic));
    }

    /// Reports a mistake in text that may be the value of a sensitive variable.
    fn report_without_secrets(&mut self, diagnostic: Diagnostic) {
        let has_secrets = self.has_unread_secrets || !self.secrets.is_empty();
        let shown = match has_secrets {
            true => place_without_text(diagnostic, &self.source.id().to_string()),
            false => diagnostic,
        };
        self.diagnostics.push(shown);
    }

    /// Reports a block. The line of its type may also contain values, so secrets are kept out of the diagnostic.
    fn block(&mut self, span: Span) {
        let block_type = self.source.slice(span);
        let diagnostic = if block_type == "variable" {
            let detail = "A variable file only gives values: write `name = value`. The declaration of the variable \
                          belongs in a `.tf` file.";
            Diagnostic::error(ids::DECLARATION_IN_VALUES, detail)
        } else {
            let detail = "A variable file has no blocks, only lines of the form `name = value`.";
            let diagnostic = Diagnostic::error(ids::UNEXPECTED_BLOCK, detail);
            diagnostic.titled(titles::unexpected_block(block_type))
        };
        self.report_without_secrets(diagnostic.at(&self.source, span));
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::FileId;

    use super::*;

    /// Reads a file beside a module that declares the variables `a` and `b`.
    fn parsed(files: &VariableFiles, path: &str, text: &str, secrets: &[&str]) -> Arc<VariableFile> {
        let secrets: Vec<SmolStr> = secrets.iter().copied().map(SmolStr::from).collect();
        let is_declared = |name: &str| ["a", "b"].contains(&name);
        let variables =
            KnownVariables { secrets: &secrets, has_unread_secrets: false, is_declared: &is_declared };
        VariableFile::read(files, Path::new(path), &SourceFile::new(FileId::new(path), text), variables)
    }

    #[test]
    fn a_value_with_an_undeclared_name_is_hidden_beside_secrets() {
        let files = VariableFiles::default();
        for (path, text) in [
            ("x.tfvars.json", r#"{"a": 1, "c": "hunter2", "//": "hunter2"}"#),
            ("x.tfvars", "a = 1\nc = \"hunter2\"\n"),
        ] {
            let shown = |secrets: &[&str]| {
                let file = parsed(&files, path, text, secrets);
                let shown = file.source.shown(Span::new(0, u32::try_from(text.len()).unwrap()));
                (shown.contains('1'), shown.contains("hunter2"))
            };
            assert_eq!(shown(&["b"]), (true, false), "{path}");
            assert_eq!(shown(&[]), (true, true), "{path}");
        }
    }

    #[test]
    fn a_file_is_parsed_again_where_its_text_or_its_secrets_differ() {
        let files = VariableFiles::default();
        let first = parsed(&files, "a.tfvars", "a = 1\nb = 2\n", &["c"]);
        assert!(Arc::ptr_eq(&first, &parsed(&files, "a.tfvars", "a = 1\nb = 2\n", &["d"])));
        let hidden = parsed(&files, "a.tfvars", "a = 1\nb = 2\n", &["b"]);
        assert_eq!(hidden.source.shown(Span::new(0, 12)), "a = 1\nb =  \n".get(..12).unwrap());
        assert_eq!(first.source.shown(Span::new(0, 12)), "a = 1\nb = 2\n");
        let changed = parsed(&files, "a.tfvars", "a = 2\n", &["b"]);
        assert_eq!((changed.entries.len(), files.count()), (1, 3));
    }

    #[test]
    fn the_line_of_a_block_is_not_shown_beside_secrets() {
        let files = VariableFiles::default();
        let text = "a { x = \"secret\" }\nb = 1\n";
        let texts = |secrets: &[&str]| {
            let file = parsed(&files, "a.tfvars", text, secrets);
            let texts = (&file.diagnostics).into_iter().filter_map(|found| found.subject.as_ref());
            texts.map(|subject| subject.file.text().trim().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts(&["a"]), [""]);
        assert_eq!(texts(&["other"]), [text.trim()]);
    }

    #[test]
    fn messages_without_text_share_one_blank_file() {
        let files = VariableFiles::default();
        let file = parsed(&files, "a.tfvars", "a = \"secret\"\nb = 1 2\nc = 1 2\n", &["a"]);
        let places: Vec<_> =
            (&file.diagnostics).into_iter().filter_map(|found| found.subject.as_ref()).collect();
        assert!(places.len() == 2 && Arc::ptr_eq(&places[0].file, &places[1].file), "{places:?}");
    }

    #[test]
    fn the_files_not_used_for_longest_are_dropped() {
        let files = VariableFiles::default();
        let read = |path: &str| drop(parsed(&files, path, "a = 1\n", &[]));
        ["a.tfvars", "b.tfvars", "a.tfvars"].into_iter().for_each(read);
        assert_eq!((files.shrink_to(100), files.count()), (12, 2));
        assert_eq!(files.shrink_to(11), 6);
        ["a.tfvars", "b.tfvars"].into_iter().for_each(read);
        assert_eq!(files.count(), 3, "only the second file was dropped");
    }
}
