//! Collects names in the test files of the root module: `*.tftest.hcl` and, in OpenTofu,
//! `*.tofutest.hcl`, both also in JSON.
//!
//! Only names are read. The expressions of a run are about the module under test: the root module, or the module that
//! the run names, if the configuration has it.

use std::collections::HashMap;
use std::sync::Arc;

use terrane_body::{Attribute, Block, Body, BodySchema, Content, SourceReader, constant};
use terrane_config::address::Object;
use terrane_source::{Diagnostics, Files, Subject};
use terrane_syntax::{Expr, Expression};
use terrane_value::{ClosestNames, SmolStr};

use crate::load::cache::Cache;
use crate::load::test_files::{
    ASSERT, DEFAULTS, MODULE_OF_RUN, OVERRIDE, OVERRIDE_MODULE, PLAN_OPTIONS, PROVIDER, RUN, TEST_FILE,
    test_file_names,
};
use crate::model::ids::NodeId;
use crate::model::written_address::{Keys, address};
use crate::resolve::test_file::{TestName, TestNames, TestUse};
use crate::symbols::collector::OccurrenceCollector;
use crate::symbols::places::{TextEnd, named};
use crate::symbols::symbol::{Occurrence, Role, Symbol};
use terrane_source::paths::{join, tidy};

/// The directory, in the root module, with further test files.
const TEST_DIRECTORY: &str = "tests";

fn content(body: &Body, schema: &BodySchema) -> Content {
    // Mistakes in test files are reported when they are run.
    body.partial_content(schema, &mut Diagnostics::new()).0
}

/// Returns the schema of a block with given values.
fn schema_of(block_type: &str) -> &'static BodySchema {
    match block_type {
        "mock_resource" | "mock_data" => &DEFAULTS,
        "override_module" => &OVERRIDE_MODULE,
        _ => &OVERRIDE,
    }
}

impl OccurrenceCollector<'_> {
    /// The names in the test files of the root module.
    pub(super) fn test_files(&mut self, files: &dyn Files, cache: &Cache) {
        let root = &self.config.request.directory;
        let sources = SourceReader::new(files, &self.config.request.limits);
        for directory in [tidy(root), join(root, TEST_DIRECTORY)] {
            let entries = files.list(&directory).unwrap_or_default();
            for name in test_file_names(&entries, self.config.rules.files) {
                if let Some(body) = cache.test_file(&tidy(&directory.join(name)), &sources) {
                    self.test_file(&body);
                }
            }
        }
    }

    fn test_file(&mut self, body: &Body) {
        let content = content(body, &TEST_FILE);
        let mut file = TestFile { collector: self, runs: HashMap::new() };
        let runs: Vec<&Block> = content.blocks_of("run").collect();
        for run in &runs {
            file.declare(run);
        }
        file.about(Some(NodeId::ROOT), |names, file| {
            file.blocks(&content, NodeId::ROOT, names);
            for provider in content.blocks_of("provider") {
                names.body(&provider.body);
            }
            for mock in content.blocks_of("mock_provider") {
                file.mock(mock, names);
            }
        });
        for run in runs {
            file.run(run);
        }
    }
}

/// The names of one test file.
struct TestFile<'t, 'c> {
    collector: &'t mut OccurrenceCollector<'c>,
    /// The module under test of each run; `None` if the configuration does not have it.
    runs: HashMap<SmolStr, Option<NodeId>>,
}

impl<'c> TestFile<'_, 'c> {
    /// Records the label of a run.
    fn declare(&mut self, run: &Block) {
        let Some(label) = run.labels.first() else { return };
        let node = self.module_of(run);
        self.runs.insert(label.text.clone(), node);
        let subject = named(run.body.source(), label.span, &label.text, TextEnd::First);
        let symbol = Symbol::Run { file: subject.file.id().clone(), name: label.text.clone() };
        self.collector.all.push(Occurrence::new(symbol, Role::Declaration, subject));
    }

    /// Returns the module under test of a run.
    fn module_of(&self, run: &Block) -> Option<NodeId> {
        let content = content(&run.body, &RUN);
        let Some(module) = content.blocks_of("module").next() else { return Some(NodeId::ROOT) };
        let arguments = self::content(&module.body, &MODULE_OF_RUN);
        let source = constant::string_of(arguments.attribute("source"), &mut Diagnostics::new())?;
        let config = self.collector.config;
        // Behind a link, a module below the root keeps the given path, and one beside it has the path without the link.
        let directories =
            [&config.request.directory, config.request.base_directory()].map(|from| join(from, &source));
        config.nodes().find(|(_, node)| directories.contains(&node.module.directory)).map(|(id, _)| id)
    }

    /// Collects the names of expressions about a module. Nothing is known about a module that the configuration lacks.
    fn about(&mut self, node: Option<NodeId>, collect: impl FnOnce(&mut TestNames<'_>, &mut Self)) {
        let Some(node) = node else { return };
        let config = self.collector.config;
        // Messages about these names are not reported.
        let closest_names = ClosestNames::none();
        let mut names = TestNames::of(&config.node(node).module, &config.request.schemas, &closest_names);
        collect(&mut names, self);
        let (uses, found) = names.finish();
        self.collector.uses(node, &uses);
        found.into_iter().for_each(|found| self.test_name(node, found));
    }

    fn run(&mut self, run: &Block) {
        let node = self.module_of(run);
        self.about(node, |names, file| {
            let content = content(&run.body, &RUN);
            if let Some(node) = node {
                file.blocks(&content, node, names);
            }
            for assert in content.blocks_of("assert") {
                let arguments = self::content(&assert.body, &ASSERT);
                arguments.attributes.values().for_each(|argument| names.expression(&value(argument)));
            }
            if let Some(failures) = content.attribute("expect_failures") {
                names.expression(&failures.reference());
            }
            for options in content.blocks_of("plan_options") {
                let arguments = self::content(&options.body, &PLAN_OPTIONS);
                for list in
                    [arguments.attribute("target"), arguments.attribute("replace")].into_iter().flatten()
                {
                    items(&list.reference()).for_each(|item| file.address(&item));
                }
            }
        });
    }

    /// Collects the names in blocks that files and runs have in common.
    fn blocks(&mut self, content: &Content, node: NodeId, names: &mut TestNames<'_>) {
        for variables in content.blocks_of("variables") {
            let attributes = variables.body.just_attributes(&mut Diagnostics::new()).attributes;
            for (name, attribute) in &attributes {
                names.expression(&value(attribute));
                if self.collector.config.node(node).module.variables.contains_key(name) {
                    let subject = named(attribute.source(), attribute.name_span, name, TextEnd::First);
                    self.collector.add(node, Object::Variable(name.clone()), Role::TestVariable, subject);
                }
            }
        }
        for block_type in ["override_resource", "override_data", "override_module"] {
            for block in content.blocks_of(block_type) {
                self.target_and_values(block, names);
            }
        }
    }

    /// Collects the names in an override, whose target is an address from the root module.
    fn target_and_values(&mut self, block: &Block, names: &mut TestNames<'_>) {
        let arguments = content(&block.body, schema_of(&block.block_type));
        if let Some(target) = arguments.attribute("target") {
            self.address(&target.reference());
        }
        for name in ["values", "outputs", "defaults"] {
            if let Some(argument) = arguments.attribute(name) {
                names.expression(&value(argument));
            }
        }
    }

    fn mock(&mut self, mock: &Block, names: &mut TestNames<'_>) {
        let content = content(&mock.body, &PROVIDER);
        self.blocks(&content, NodeId::ROOT, names);
        for block in content.blocks_of("mock_resource").chain(content.blocks_of("mock_data")) {
            self.target_and_values(block, names);
        }
        let Some(label) = mock.labels.first().filter(|_| content.attribute("alias").is_none()) else {
            return;
        };
        if self.collector.config.node(NodeId::ROOT).module.providers.contains_key(&label.text) {
            let subject = named(mock.body.source(), label.span, &label.text, TextEnd::First);
            self.collector.add(NodeId::ROOT, Object::Provider(label.text.clone()), Role::Provider, subject);
        }
    }

    fn address(&mut self, expression: &Expression) {
        if let Some(address) = address(expression, Keys::Any, &mut Diagnostics::new()) {
            self.collector.address(NodeId::ROOT, &address);
        }
    }

    /// Records a name that only test files have.
    fn test_name(&mut self, node: NodeId, found: TestUse) {
        let subject = Subject { file: Arc::clone(&found.file), span: found.span };
        let role = Role::Reference;
        let module = &self.collector.config.node(node).module;
        match found.name {
            TestName::Output(name) if module.outputs.contains_key(&name) => {
                self.collector.add(node, Object::Output(name), role, subject);
            }
            TestName::Check(name) if module.checks.contains_key(&name) => {
                self.collector.add(node, Object::Check(name), role, subject);
            }
            TestName::Run(name) if self.runs.contains_key(&name) => {
                let symbol = Symbol::Run { file: subject.file.id().clone(), name };
                self.collector.all.push(Occurrence::new(symbol, role, subject));
            }
            TestName::OutputOfRun { run, output } => {
                let Some(Some(node)) = self.runs.get(&run).copied() else { return };
                if self.collector.config.node(node).module.outputs.contains_key(&output) {
                    self.collector.add(node, Object::Output(output), role, subject);
                }
            }
            TestName::Output(_) | TestName::Check(_) | TestName::Run(_) => {}
        }
    }
}

/// Returns the value of an argument. Mistakes in its templates are reported when the file is run.
fn value(attribute: &Attribute) -> Expression {
    attribute.expression(&mut Diagnostics::new())
}

/// Returns the items of a list as written.
fn items(list: &Expression) -> impl Iterator<Item = Expression> {
    let elements =
        if let Expr::Tuple(elements) = list.tree.expr(list.id) { list.tree.list(elements) } else { &[] };
    elements.iter().map(|id| Expression { tree: Arc::clone(&list.tree), id: *id })
}
