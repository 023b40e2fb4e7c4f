//! Evaluates expressions and bodies in the scope of a module instance.

use std::collections::BTreeMap;

use terrane_body::{Body, BodySpec, decode, references_by_spec};
use terrane_eval::{AddedNames, Answer, Scope, Variables, evaluate, evaluate_in_console};
use terrane_function::{CallEnv, Meter, World};
use terrane_source::{Diagnostics, Files};
use terrane_syntax::Expression;
use terrane_value::{ClosestNames, Value};

use crate::model::ids::InstanceId;
use crate::resolve::names::Declared;
use crate::resolve::reference;
use crate::state::context::Environment;
use crate::state::evaluation::Evaluation;
use crate::state::scope::ModuleScope;

/// The steps of comparing a wrong name with a declared one, for a suggestion.
const STEPS_OF_COMPARED_NAME: u64 = 64;

/// The scope of expressions that are not in the configuration: of a console, a query or a test.
///
/// References are checked against the declarations of the module first, like those of an expression in a file.
#[derive(Clone, Copy)]
pub struct ConsoleScope<'s> {
    /// The finished evaluation.
    pub evaluation: &'s Evaluation,
    /// The module instance whose names the expressions read.
    pub instance: InstanceId,
    /// Names that the program adds, such as `run` and `output` in the conditions of tests. They hide names of the module.
    pub added: Option<&'s Variables>,
    /// The files that functions read.
    pub files: &'s dyn Files,
    /// The clock and the random numbers of functions.
    pub world: World<'s>,
    /// The bytes of memory that share the limit with the values of an expression.
    pub memory_in_use: u64,
}

impl Evaluation {
    /// Returns the names of a module instance as an expression sees them.
    pub fn scope(&self, instance: InstanceId) -> ModuleScope<'_> {
        ModuleScope {
            evaluation: self,
            instance,
            repetition: None,
            this: None,
            own: None,
            trace: None,
            instance_cache: self.instances[instance].parts.as_ref(),
        }
    }

    /// Evaluates an expression of the configuration in the names of a scope. It counts in the run of the evaluation.
    pub(crate) fn expression(
        &self,
        expression: &Expression,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        Environment::of(self, files).value(expression, names, diagnostics)
    }

    /// Returns a meter with the use of the evaluation, for queries that count together with it.
    pub fn continued_meter(&self) -> Meter {
        let meter = Meter::default();
        meter.count_to(self.meter.steps());
        meter.hold(self.meter.memory());
        if self.meter.is_stopped() {
            meter.stop();
        }
        meter
    }
}

impl Evaluation {
    /// Returns the approximate bytes of everything that the evaluation keeps.
    pub fn memory_in_use(&self) -> u64 {
        self.memory_of_trees().saturating_add(self.memory_besides_trees())
    }

    /// Returns the approximate bytes of the values of the evaluation, without those it has taken over from an earlier one, and of
    /// its state.
    pub fn memory_besides_trees(&self) -> u64 {
        let recorded = self.config.recorded.prior.as_ref().map_or(0, |prior| prior.recorded_bytes());
        self.memory().saturating_add(recorded)
    }

    /// Returns the approximate bytes of the trees of the configuration.
    fn memory_of_trees(&self) -> u64 {
        /// The bytes that the tree of a byte of configuration text takes.
        const BYTES_OF_TEXT: u64 = 24;
        // Calls with the same directory share its tree.
        let texts: BTreeMap<&str, u64> = (self.config.nodes())
            .map(|(_, node)| (node.module_dir.as_str(), node.module.bytes_of_text()))
            .collect();
        texts.into_values().fold(0, u64::saturating_add).saturating_mul(BYTES_OF_TEXT)
    }
}

impl ConsoleScope<'_> {
    /// Returns the value of an expression, which counts on `meter`.
    pub fn value(&self, expression: &Expression, meter: &Meter, diagnostics: &mut Diagnostics) -> Value {
        let evaluation = self.evaluation;
        let is_over = meter.steps() > evaluation.config.request.limits.steps;
        // Beyond the limit, the evaluation reports only that.
        if is_over || self.check(expression, diagnostics) {
            return self.in_scope(meter, |scope| evaluate(expression, scope, diagnostics));
        }
        let module = evaluation.scope(self.instance).module();
        let outputs = evaluation.config.nodes.iter().map(|node| node.module.outputs.len()).sum::<usize>();
        let declared = module.resources.len() + module.variables.len() + module.locals.len() + outputs;
        let steps = STEPS_OF_COMPARED_NAME.saturating_mul(declared as u64);
        meter.count(steps);
        Value::error()
    }

    /// Does the same as [`ConsoleScope::value`] in a run of its own, for the console: an expression may be `type(value)`, and
    /// results of functions may differ from run to run.
    pub fn answer(&self, expression: &Expression, diagnostics: &mut Diagnostics) -> Answer {
        match self.check(expression, diagnostics) {
            true => self.in_scope(&self.meter(), |scope| evaluate_in_console(expression, scope, diagnostics)),
            false => Answer::Value(Value::error()),
        }
    }

    /// Returns the value of a body, decoded according to `spec`. Results of functions may differ from run to run.
    pub fn decode(&self, body: &Body, spec: &BodySpec, diagnostics: &mut Diagnostics) -> Value {
        let evaluation = self.evaluation;
        let (module, schemas) =
            (evaluation.scope(self.instance).module(), &evaluation.config.request.schemas);
        let mark = diagnostics.mark();
        let (meter, closest_names) = (self.meter(), ClosestNames::default());
        let names = Declared::of(module, schemas, &closest_names);
        let visited = self.in_scope(&meter, |scope| {
            references_by_spec(body, spec, scope, &mut |reference| {
                if !self.adds(reference.root) {
                    reference::check_reference(*reference, &names, diagnostics);
                }
            })
        });
        diagnostics.extend(visited.err().map(|exceeded| *exceeded));
        match diagnostics.has_errors_since(mark) {
            true => Value::error(),
            false => self.in_scope(&meter, |scope| decode(body, spec, scope, diagnostics)),
        }
    }

    /// Returns a meter for a run of its own.
    fn meter(&self) -> Meter {
        Meter::beside(self.memory_in_use, &self.evaluation.config.request.limits)
    }

    /// Whether the program adds the name.
    fn adds(&self, name: &str) -> bool {
        self.added.is_some_and(|added| added.get(name).is_some())
    }

    /// Whether all references in an expression are right. Wrong ones are reported.
    fn check(&self, expression: &Expression, diagnostics: &mut Diagnostics) -> bool {
        let evaluation = self.evaluation;
        let (module, schemas) =
            (evaluation.scope(self.instance).module(), &evaluation.config.request.schemas);
        let mark = diagnostics.mark();
        reference::check(expression, module, schemas, &|name| self.adds(name), diagnostics);
        !diagnostics.has_errors_since(mark)
    }

    /// Calls `evaluate` with the scope of an expression.
    fn in_scope<T>(&self, meter: &Meter, evaluate: impl FnOnce(&Scope<'_>) -> T) -> T {
        let ConsoleScope { evaluation: state, added, .. } = *self;
        let env = state.env(self.files, meter);
        let env = CallEnv { world: self.world.or(env.world), ..env };
        let names = state.scope(self.instance);
        let scope = state.expression_scope(&names, &env);
        match added {
            None => evaluate(&scope),
            Some(added) => evaluate(&Scope { names: &AddedNames { names: &names, added }, ..scope }),
        }
    }
}
