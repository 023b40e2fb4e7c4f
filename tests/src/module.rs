//! A module directory to values through the library.

use terrane_module::{Cache, ConsoleScope, Evaluation, InstanceId, NodeId, Request, evaluate, load};
use terrane_source::{Diagnostic, Diagnostics, Files};
use terrane_value::Value;

use crate::engine::{self, Outcome};

/// An evaluated module and everything that was said about it.
pub struct EvaluatedModule {
    evaluation: Evaluation,
    /// Errors and warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Loads and evaluates a module.
pub fn evaluate_module(request: Request, files: &dyn Files) -> EvaluatedModule {
    let loaded = load(request, files, &Cache::default()).with_unused_modules(files);
    let mut diagnostics = loaded.diagnostics;
    let evaluation = evaluate(loaded.config, &loaded.inputs, files);
    diagnostics.extend(evaluation.diagnostics.as_slice().iter().cloned());
    EvaluatedModule { evaluation, diagnostics: diagnostics.into_iter().collect() }
}

impl EvaluatedModule {
    /// Whether there is an error.
    pub fn is_error(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The outputs of the root module in the order of their names.
    pub fn outputs(&self) -> Vec<(&str, &Value)> {
        let names = self.evaluation.config.node(NodeId::ROOT).module.outputs.keys();
        let values = &self.evaluation.root().outputs;
        let mut outputs: Vec<_> = names.map(|name| &**name).zip(values).collect();
        outputs.sort_by_key(|(name, _)| *name);
        outputs
    }

    /// The value of an expression in the root module, as on the console.
    pub fn expression(&self, text: &str, files: &dyn Files) -> Outcome {
        let expression = match engine::parse(text) {
            Ok(expression) => expression,
            Err(diagnostics) => return Outcome::failed(diagnostics),
        };
        let mut diagnostics = Diagnostics::new();
        let (evaluation, world) = (&self.evaluation, engine::WORLD);
        let scope = ConsoleScope {
            evaluation,
            instance: InstanceId::ROOT,
            added: None,
            files,
            world,
            memory_in_use: 0,
        };
        let answer = scope.answer(&expression, &mut diagnostics);
        Outcome::new(answer, diagnostics)
    }
}
