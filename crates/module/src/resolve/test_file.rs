//! Resolves names in the expressions of test files: names of the module under test, of its outputs and
//! checks, and of earlier runs.

use std::sync::Arc;

use terrane_body::Body;
use terrane_eval::Reference;
use terrane_source::{Diagnostics, SourceFile, Span};
use terrane_syntax::Expression;
use terrane_syntax::tree::Step;
use terrane_value::{ClosestNames, SmolStr};

use crate::model::module::Module;
use crate::model::references::Uses;
use crate::model::schemas::Schemas;
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::root::references;
use crate::resolve::{body, reference};

/// A name that only expressions of test files may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TestName {
    /// `output.name`.
    Output(SmolStr),
    /// `check.name`.
    Check(SmolStr),
    /// `run.name`.
    Run(SmolStr),
    /// An output after `run.name`.
    OutputOfRun {
        /// The name of the run.
        run: SmolStr,
        /// The name of the output.
        output: SmolStr,
    },
}

/// A use of such a name.
#[derive(Debug)]
pub(crate) struct TestUse {
    pub(crate) name: TestName,
    pub(crate) file: Arc<SourceFile>,
    /// The span of the name alone.
    pub(crate) span: Span,
}

/// The names in expressions about one module.
pub(crate) struct TestNames<'m> {
    names: Declared<'m>,
    found: Vec<TestUse>,
}

impl<'m> TestNames<'m> {
    /// Returns an empty collection for a module.
    pub(crate) fn of(
        module: &'m Module,
        schemas: &'m Schemas,
        closest_names: &'m ClosestNames,
    ) -> TestNames<'m> {
        TestNames { names: Declared::of(module, schemas, closest_names), found: Vec::new() }
    }

    /// Records the names in an expression. Leaves out wrong references.
    pub(crate) fn expression(&mut self, expression: &Expression) {
        self.names.add_expression(expression);
        for reference in &references(expression, self.names.module) {
            if !self.test_name(reference) {
                let one = std::slice::from_ref(reference);
                reference::targets(one, &self.names, BlockNames::default(), &mut Diagnostics::new());
            }
        }
    }

    /// Records the names in the content of a block.
    pub(crate) fn body(&mut self, body: &Body) {
        body::plain(body, &self.names, BlockNames::default(), &mut Diagnostics::new());
    }

    /// Records a reference that starts with a name of test files. Returns false for any other reference.
    fn test_name(&mut self, reference: &Reference<'_>) -> bool {
        let attribute = |step| match reference.steps.get(step) {
            Some(Step::Attr { name, .. }) => Some((SmolStr::from(reference.tree.slice(*name)), *name)),
            Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => None,
        };
        let make = match reference.root {
            "output" => TestName::Output,
            "check" => TestName::Check,
            "run" => TestName::Run,
            _ => return false,
        };
        let Some((name, span)) = attribute(0) else { return true };
        let file = reference.tree.source();
        if let ("run", Some((output, span))) = (reference.root, attribute(1)) {
            let name = TestName::OutputOfRun { run: name.clone(), output };
            self.found.push(TestUse { name, file: Arc::clone(file), span });
        }
        self.found.push(TestUse { name: make(name), file: Arc::clone(file), span });
        true
    }

    /// Returns the uses of declarations and of names that expressions bind, and the uses of names of test files.
    pub(crate) fn finish(self) -> (Uses, Vec<TestUse>) {
        (self.names.finish().1, self.found)
    }
}
