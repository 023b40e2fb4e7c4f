//! Reads mock files: the `mock_provider` and `override_` blocks of test files, and files of mock data.
//! `mocks` finds their objects.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use terrane_body::{Attribute, Block, Body, BodySchema, Content, SecretNames, SourceReader, constant};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, FileEntry, FileKind, Span, Subject, ids, titles};
use terrane_syntax::{Expr, Expression, hide_literals, is_identifier};
use terrane_value::SmolStr;

use crate::load::test_files::{
    DEFAULTS, MOCK_DATA, MOCK_DATA_FILE, OVERRIDE, OVERRIDE_MODULE, PROVIDER, TEST_FILE, is_mock_data,
    mock_data_names, parse, test_endings, test_file_names,
};
use crate::model::module::ProviderRef;
use crate::model::request::Request;
use crate::rules::FileRules;
use terrane_source::paths::{join, tidy};

/// The blocks of a test file that configure its runs and give no values here.
const OF_RUNS: [&str; 4] = ["provider", "run", "test", "variables"];

/// A block that gives values.
pub(super) struct Mock {
    pub(super) kind: MockKind,
    /// The key of the provider configuration in the root module whose resources get the values;
    /// `None` for all resources.
    pub(super) provider: Option<SmolStr>,
    /// The argument with the values; `None` if the block gives no values.
    pub(super) values: Option<Attribute>,
    /// The place of the values, or of the target.
    pub(super) place: Subject,
}

/// The objects that the values are for.
pub(super) enum MockKind {
    /// The defaults for all resources of a type.
    Defaults(MockType),
    /// A resource of this mode.
    Resource(ResourceMode, Attribute),
    /// The outputs of a module call.
    Module(Attribute),
}

/// A type of resources.
pub(super) struct MockType {
    pub(super) mode: ResourceMode,
    pub(super) name: SmolStr,
    /// The place of the name.
    pub(super) place: Subject,
}

/// Reads the mocks in the files and directories of a request, those with the lowest precedence first.
pub(crate) fn read(
    request: &Request,
    rules: FileRules,
    sources: &SourceReader<'_>,
    diagnostics: &mut Diagnostics,
) -> Mocks {
    let mut reader = MockReader { request, rules, sources, diagnostics, mocks: Mocks::default() };
    for path in &request.mocks {
        match sources.files().metadata(path) {
            Ok(FileKind::Directory) => reader.directory(path),
            Ok(_) | Err(_) => reader.file(path, None),
        }
    }
    reader.mocks
}

/// The mocks of all files, those with the lowest precedence first.
#[derive(Default)]
pub(crate) struct Mocks(pub(super) Vec<Mock>);

struct MockReader<'r> {
    request: &'r Request,
    rules: FileRules,
    sources: &'r SourceReader<'r>,
    diagnostics: &'r mut Diagnostics,
    mocks: Mocks,
}

impl MockReader<'_> {
    /// Reads the test files and the files with mock data of a directory, in the order of their names.
    fn directory(&mut self, path: &Path) {
        let Some(entries) = self.list(path) else { return };
        let names = [test_file_names(&entries, self.rules), mock_data_names(&entries)].concat();
        self.files(path, names, None, &[test_endings(self.rules), &MOCK_DATA].concat());
    }

    /// Reads the files with mock data of a provider in a directory, in the order of their names.
    fn data_directory(&mut self, path: &Path, provider: &SmolStr) {
        let Some(entries) = self.list(path) else { return };
        self.files(path, mock_data_names(&entries), Some(provider), &MOCK_DATA);
    }

    fn list(&mut self, path: &Path) -> Option<Vec<FileEntry>> {
        match self.sources.files().list(path) {
            Ok(entries) => Some(entries),
            Err(error) => {
                self.diagnostics.push(Diagnostic::error(ids::UNREADABLE_FILE, error.sentence()));
                None
            }
        }
    }

    /// Reads the files with these names in a directory. `endings` are the endings of the names of such files.
    fn files(&mut self, path: &Path, mut names: Vec<&str>, provider: Option<&SmolStr>, endings: &[&str]) {
        names.sort_unstable();
        if names.is_empty() {
            let detail = format!(
                "The directory {} has no mock file. Their names end with {}.",
                path.display(),
                endings.join(", ")
            );
            self.diagnostics.push(Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail));
        }
        names.iter().for_each(|name| self.file(&tidy(&path.join(name)), provider));
    }

    fn file(&mut self, path: &Path, provider: Option<&SmolStr>) {
        let source = match self.sources.read(path) {
            Ok(source) => source,
            Err(diagnostic) => return self.diagnostics.push(*diagnostic),
        };
        let before = self.diagnostics.errors();
        let body = parse(&source, self.diagnostics);
        if self.diagnostics.errors() > before {
            // Nothing tells the values from the other text.
            return source.hide(Span::new(0, u32::try_from(source.text().len()).unwrap_or(u32::MAX)));
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let schema = if is_mock_data(name) { &MOCK_DATA_FILE } else { &TEST_FILE };
        hide_other_values(&body, schema);
        let content = body.content(schema, self.diagnostics);
        let count = self.mocks.0.len();
        // The blocks of a provider have lower precedence than the blocks of the file.
        let mut seen = HashMap::new();
        for block in content.blocks_of("mock_provider") {
            self.mock_provider(block, &mut seen);
        }
        self.blocks(&content, provider);
        let is_of_runs = |block: &Block| OF_RUNS.contains(&&*block.block_type);
        let has_values = !content.blocks.iter().all(is_of_runs);
        if self.mocks.0.len() == count && self.diagnostics.errors() == before && !has_values {
            let detail = format!(
                "{} gives no values: it has neither `mock_provider` blocks nor overrides outside of its runs.",
                path.display()
            );
            self.diagnostics.push(Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail));
        }
    }

    fn mock_provider(&mut self, block: &Block, seen: &mut HashMap<SmolStr, Subject>) {
        hide_other_values(&block.body, &PROVIDER);
        let content = block.body.content(&PROVIDER, self.diagnostics);
        let Some(label) = block.labels.first() else { return };
        let before = self.diagnostics.errors();
        let alias = constant::string_of(content.attribute("alias"), self.diagnostics);
        let source = constant::string_of(content.attribute("source"), self.diagnostics);
        if self.diagnostics.errors() > before {
            return;
        }
        if let (Some(alias), Some(attribute)) = (&alias, content.attribute("alias"))
            && !is_identifier(alias)
        {
            let detail = format!("The alias \"{alias}\" is not a valid identifier.");
            let diagnostic = Diagnostic::error(ids::INVALID_ALIAS, detail);
            return self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
        let provider = ProviderRef::key_of(&label.text, alias.as_deref());
        let place = Subject { file: Arc::clone(block.body.source()), span: label.span };
        self.check_once(seen, provider.clone(), "mock_provider", &place);
        if let Some(source) = source {
            self.data_directory(&join(self.request.base_directory(), &source), &provider);
        }
        self.blocks(&content, Some(&provider));
    }

    /// Adds the blocks with values, defaults first, because they have the lowest precedence.
    fn blocks(&mut self, content: &Content, provider: Option<&SmolStr>) {
        check_during(content, self.diagnostics);
        let mut seen = HashMap::new();
        for block in &content.blocks {
            self.check_repetition(block, &mut seen);
            let mode = match &*block.block_type {
                "mock_resource" | "override_resource" => ResourceMode::Managed,
                "mock_data" | "override_data" => ResourceMode::Data,
                "override_module" => {
                    let arguments = self.targeted(block, &OVERRIDE_MODULE, "outputs");
                    self.add(arguments, provider, &MockKind::Module);
                    continue;
                }
                _ => continue,
            };
            match (block.labels.first(), block.block_type.starts_with("mock_")) {
                (Some(label), true) => {
                    hide_other_values(&block.body, &DEFAULTS);
                    let content = block.body.content(&DEFAULTS, self.diagnostics);
                    check_during(&content, self.diagnostics);
                    let Some(values) = content.attribute("defaults") else { continue };
                    hide_values(values);
                    let place = Subject { file: Arc::clone(block.body.source()), span: label.span };
                    let kind = MockKind::Defaults(MockType { mode, name: label.text.clone(), place });
                    let (provider, place) = (provider.cloned(), place_of(values));
                    self.mocks.0.push(Mock { kind, provider, values: Some(values.clone()), place });
                }
                (None, true) => {}
                (_, false) => {
                    let arguments = self.targeted(block, &OVERRIDE, "values");
                    self.add(arguments, provider, &|target| MockKind::Resource(mode, target));
                }
            }
        }
    }

    /// Reports a block whose type or target already has a block in the same body.
    fn check_repetition(&mut self, block: &Block, seen: &mut HashMap<SmolStr, Subject>) {
        let is_default = block.block_type.starts_with("mock_") && &*block.block_type != "mock_provider";
        if let Some(label) = block.labels.first().filter(|_| is_default) {
            let place = Subject { file: Arc::clone(block.body.source()), span: label.span };
            let key = SmolStr::from(format!("{} {}", block.block_type, label.text));
            self.check_once(seen, key, &block.block_type, &place);
        }
        if block.block_type.starts_with("override_")
            && let Some(target) = block.body.open_content(&mut Diagnostics::new()).attribute("target")
        {
            let place = place_of(target);
            let text: String = place.file.slice(place.span).split_whitespace().collect();
            let key = SmolStr::from(format!("{} {text}", block.block_type));
            self.check_once(seen, key, &block.block_type, &place);
        }
    }

    /// Reports a key that an earlier block has, as Terraform and OpenTofu do.
    fn check_once(
        &mut self,
        seen: &mut HashMap<SmolStr, Subject>,
        key: SmolStr,
        block_type: &str,
        place: &Subject,
    ) {
        let Some(earlier) = seen.get(&key) else {
            seen.insert(key, place.clone());
            return;
        };
        let detail = format!(
            "An earlier `{block_type}` block is for `{}` too. Keep one of them.",
            place.file.slice(place.span).trim_matches('"')
        );
        let diagnostic = Diagnostic::error(ids::DUPLICATE_BLOCK, detail)
            .titled(titles::duplicate_block(block_type))
            .at(&place.file, place.span)
            .label_in(&earlier.file, earlier.span, "the earlier block");
        self.diagnostics.push(diagnostic);
    }

    /// Adds a block with a target. `kind` makes the kind of mock from the target.
    fn add(
        &mut self,
        arguments: Option<Targeted>,
        provider: Option<&SmolStr>,
        kind: &dyn Fn(Attribute) -> MockKind,
    ) {
        if let Some(Targeted { target, values }) = arguments {
            values.iter().for_each(hide_values);
            let place = place_of(values.as_ref().unwrap_or(&target));
            self.mocks.0.push(Mock { kind: kind(target), provider: provider.cloned(), values, place });
        }
    }

    /// Returns the arguments of a block with a target.
    fn targeted(&mut self, block: &Block, schema: &BodySchema, values: &str) -> Option<Targeted> {
        hide_other_values(&block.body, schema);
        let content = block.body.content(schema, self.diagnostics);
        check_during(&content, self.diagnostics);
        let target = content.attribute("target")?.clone();
        Some(Targeted { target, values: content.attribute(values).cloned() })
    }
}

/// The arguments of a block with a target.
struct Targeted {
    target: Attribute,
    values: Option<Attribute>,
}

/// Hides the values of all arguments and blocks that `schema` does not have, in a block of a mock file, and the value of `override_during`. An
/// argument at a wrong place may set a secret attribute.
fn hide_other_values(body: &Body, schema: &BodySchema) {
    body.hide_values(SecretNames {
        is_secret: &|name| name == "override_during",
        is_argument: &|name| schema.has_attribute(name),
        is_block: &|name| schema.labels(name).is_some(),
        is_word: &|_| true,
    });
}

/// Hides an object in excerpts except for its names, as in variable files, because the schema or the module that tells
/// which values are secret may be unknown.
fn hide_values(values: &Attribute) {
    let Expression { tree, id } = values.expression(&mut Diagnostics::new());
    let Expr::Object(items) = tree.expr(id) else {
        return hide_literals(&Expression { tree, id });
    };
    let mut at = values.name_span.end;
    for item in tree.list(items) {
        let (name, value) = (tree.span(item.key), tree.span(item.value));
        tree.source().hide(Span::new(at, name.start));
        tree.source().hide(Span::new(name.end, value.start));
        let mut is_constant = true;
        tree.expressions(item.value, &mut |id| {
            is_constant &= !matches!(tree.expr(id), Expr::Traversal { .. } | Expr::Call(_));
        });
        match is_constant {
            true => tree.source().hide(value),
            // The message about an expression that is not constant shows its names.
            false => hide_literals(&Expression { tree: Arc::clone(&tree), id: item.value }),
        }
        at = value.end;
    }
    tree.source().hide(Span::new(at, tree.span(id).end));
}

/// Returns the place of the value of an argument.
fn place_of(attribute: &Attribute) -> Subject {
    Subject { file: Arc::clone(attribute.source()), span: attribute.value_span() }
}

/// Reports an `override_during` that names no command. Both commands have the same effect here,
/// because nothing is applied.
fn check_during(content: &Content, diagnostics: &mut Diagnostics) {
    let Some(attribute) = content.attribute("override_during") else { return };
    let expression = attribute.reference();
    if !["plan", "apply"].contains(&expression.tree.expr_text(expression.id)) {
        let detail = "`override_during` must be `plan` or `apply`.";
        let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
        diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
    }
}
