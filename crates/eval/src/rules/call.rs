//! Calls of functions: the callee, the arguments, and the one place that calls a function body.

use std::cell::Cell;

use terrane_function::{
    Cost, Function, FunctionBody, FunctionError, Parameter, call_converted, convert_argument,
};
use terrane_source::{Span, ids};
use terrane_syntax::ExprId;
use terrane_syntax::tree::{Call, CallId};
use terrane_value::{Type, Value, with_article};

use crate::functions::name::function_name;
use crate::functions::table::Callee;
use crate::functions::work::work_of_result;
use crate::names::scope::{ProviderFunctions, Scope};
use crate::rules::evaluator::Evaluator;
use crate::state::budget::Exceeded;
use crate::state::invocation::{Argument, CallArguments, Invocation, Sensitive};

/// The steps of a call, without the work of the function.
const STEPS_OF_CALL: u64 = 64;
/// The steps of an argument that is an element of the value before `...`.
const STEPS_OF_EXPANDED: u64 = 24;
/// The steps of reporting an argument of a wrong type.
const STEPS_OF_FAILED_ARGUMENT: u64 = 128;
/// The steps of the search for a similar name.
const STEPS_OF_UNKNOWN_FUNCTION: u64 = 256;

impl<'e> Evaluator<'e> {
    /// Evaluates `name(arguments)`.
    pub(crate) fn call(&mut self, id: ExprId, call_id: CallId) -> Value {
        let tree = self.tree;
        let call = tree.call(call_id);
        let span = tree.span(id);
        let Some(scope) = self.frame.scope() else {
            let detail = "A function cannot be called here. Write the value itself.";
            self.report.error(ids::FUNCTIONS_NOT_ALLOWED, span, detail);
            return Value::error();
        };
        let Some(callee) = self.callee(call_id, call, scope) else {
            self.budget.work(STEPS_OF_UNKNOWN_FUNCTION);
            return self.call_unknown(call, span);
        };
        let (Callee::Function(function) | Callee::Special(_, function)) = callee;
        let before = self.budget.memory_mark();
        let arguments = match self.arguments(call, span) {
            Ok(arguments) => arguments,
            Err(value) => return value,
        };
        let invocation = Invocation { call, function, scope, arguments, span, before };
        if !self.check_count(&invocation) {
            return Value::error();
        }
        match callee {
            Callee::Function(_) => self.call_function(&invocation),
            Callee::Special(special, _) => self.call_special(special, &invocation),
        }
    }

    /// Returns the function of a call. A program has resolved it; a loop remembers it for the next element.
    fn callee(&mut self, id: CallId, call: &Call, scope: &'e Scope<'e>) -> Option<Callee<'e>> {
        if let Some(callee) = self.calls.find(id, scope.functions) {
            return Some(callee);
        }
        let name = function_name(self.tree.slice(call.name));
        let callee = scope.functions.get_at(&name, self.requested_types.is_some());
        let callee = callee.or_else(|| built_in(&name, scope))?;
        if self.frame.is_in_loop() {
            self.calls.remember(id, callee);
        }
        Some(callee)
    }

    /// Returns the row of the function of a call.
    pub(crate) fn function(&mut self, id: CallId) -> Option<&'e Function> {
        let (Callee::Function(function) | Callee::Special(_, function)) =
            self.callee(id, self.tree.call(id), self.frame.scope()?)?;
        Some(function)
    }

    fn call_function(&mut self, invocation: &Invocation<'_>) -> Value {
        let Some(first) = self.push_arguments(invocation) else { return Value::error() };
        let mut is_of_body = false;
        let (result, sensitive) = self.call_applied(invocation, first, &mut |call| {
            (invocation.function.body)(call).inspect_err(|_| is_of_body = true)
        });
        match result {
            Ok(value) => value,
            Err(error) if is_of_body => self.failed_call(invocation, &error, sensitive.of_body()),
            Err(error) => self.failed_call(invocation, &error, sensitive),
        }
    }

    /// Calls `body` with the arguments from `first` on, which are removed from the list. Returns the result, and which
    /// arguments are sensitive.
    pub(crate) fn call_applied(
        &mut self,
        invocation: &Invocation<'_>,
        first: usize,
        body: &mut FunctionBody,
    ) -> (Result<Value, FunctionError>, Sensitive) {
        // The body makes no call in this evaluator, because templates have their own evaluator.
        let mut all = std::mem::take(&mut self.calls.arguments);
        let arguments = all.get_mut(first..).unwrap_or_default();
        let sensitive = Sensitive::of(arguments);
        if self.needs_too_much(invocation.function, arguments) {
            self.stop(Exceeded::memory(self.budget.limits), invocation.span);
            all.truncate(first);
            self.calls.arguments = all;
            return (Ok(Value::error()), sensitive);
        }
        let work = Cell::new(0);
        let result = call_converted(invocation.function, arguments, invocation.scope.env, &work, body);
        self.budget.work(STEPS_OF_CALL.saturating_add(work.get() as u64));
        self.budget.work_of_reading();
        if let Ok(value) = &result {
            self.budget.work(work_of_result(invocation.function.cost, value) as u64);
        }
        let result = result.inspect(|value| {
            self.budget.replace(all.drain(first..), value, invocation.before);
        });
        all.truncate(first);
        self.calls.arguments = all;
        (result, sensitive)
    }

    /// Whether a result with all elements of the arguments would exceed the limit on memory. Otherwise that shows only
    /// after the result is made, when it takes as much memory again.
    fn needs_too_much(&self, function: &Function, arguments: &[Value]) -> bool {
        let elements: usize = arguments.iter().map(|argument| argument.extent().0).sum();
        function.cost != Cost::Constant
            && self.budget.exceeds_memory(elements.saturating_mul(size_of::<Value>()))
    }

    /// Returns the arguments, with the elements of the argument before `...`. An `Err` is the result of a call that has
    /// no arguments because of an error.
    fn arguments(&mut self, call: &Call, span: Span) -> Result<CallArguments<'e>, Value> {
        let written = self.tree.list(call.arguments);
        let Some((last, first)) = written.split_last().filter(|_| call.expand_last) else {
            return Ok(CallArguments::Written(written));
        };
        let last = *last;
        let mark = self.report.mark();
        let value = self.eval(last);
        if self.report.has_errors_since(mark) {
            return Err(Value::error());
        }
        let ty = value.ty();
        let is_sequence = matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if value.is_null() && (is_sequence || ty == Type::Dynamic) {
            self.report_expansion(last, span, "The argument before `...` must not be null.");
            return Err(Value::error());
        }
        if !is_sequence && ty != Type::Dynamic {
            let detail = format!(
                "The argument before `...` must be a list, set or tuple, but it is {}.",
                with_article(&ty.plain_name())
            );
            self.report_expansion(last, span, &detail);
            return Err(Value::error());
        }
        let Some(elements) = value.as_sequence() else {
            return Err(Value::unknown_from(Type::Dynamic, value.origins().clone()));
        };
        self.budget.work(STEPS_OF_EXPANDED.saturating_mul(elements.len() as u64));
        let element = |element: &Value| Argument::Element(last, element.clone().with_marks(value.marks()));
        let first = first.iter().map(|id| Argument::Expr(*id));
        Ok(CallArguments::Expanded(first.chain(elements.iter().map(element)).collect()))
    }

    fn report_expansion(&mut self, at: ExprId, whole: Span, detail: &str) {
        self.report.error_within(whole, ids::INVALID_EXPANSION, self.tree.span(at), detail);
    }

    /// Converts the values of the arguments to the types of the parameters, and appends them to the arguments of the
    /// calls around this one. Returns the index of the first; `None` if an argument has an error.
    pub(crate) fn push_arguments(&mut self, invocation: &Invocation<'_>) -> Option<usize> {
        let mark = self.report.mark();
        let first = self.calls.arguments.len();
        for (index, argument) in invocation.arguments.iter().enumerate() {
            let value = self.argument_value(argument);
            let value = match invocation.function.parameter_at(index) {
                Some(Parameter { ty: Type::Dynamic, .. } | Parameter { is_unconverted: true, .. }) | None => {
                    value
                }
                Some(parameter) if value.is_plain(&parameter.ty) => value,
                Some(parameter) => {
                    let converted = self.converted_argument(invocation, index, parameter, &value);
                    self.budget.take_memory(converted.own_bytes());
                    self.budget.release(value.own_bytes(), invocation.before);
                    converted
                }
            };
            self.calls.arguments.push(value);
        }
        if self.report.has_errors_since(mark) {
            self.calls.arguments.truncate(first);
            return None;
        }
        Some(first)
    }

    pub(crate) fn argument_value(&mut self, argument: Argument) -> Value {
        match argument {
            Argument::Expr(id) => self.eval(id),
            Argument::Element(_, value) => value,
        }
    }

    fn converted_argument(
        &mut self,
        invocation: &Invocation<'_>,
        index: usize,
        parameter: &Parameter,
        value: &Value,
    ) -> Value {
        let to_set = if matches!(parameter.ty, Type::Set(_)) { value.work_of_set() } else { 0 };
        let work = Cost::Linear.of(std::slice::from_ref(value)).saturating_add(to_set);
        if !self.work(work as u64, invocation.span) {
            return Value::error();
        }
        match convert_argument(value, index, invocation.function, parameter, self.budget.limits) {
            Ok(value) => value,
            Err(error) => {
                self.budget.work(STEPS_OF_FAILED_ARGUMENT);
                self.failed_call(invocation, &error, Sensitive::NONE);
                Value::error()
            }
        }
    }
}

/// Returns the function `provider::NAME::FUNCTION` of the built-in provider. In some dialects the alias of a
/// configuration may stand between the names.
fn built_in<'s>(name: &str, scope: &'s Scope<'_>) -> Option<Callee<'s>> {
    let mut parts = name.strip_prefix("provider::")?.split("::");
    let (provider, first, second) = (parts.next()?, parts.next()?, parts.next());
    let has_alias = second.is_some();
    let takes_alias = scope.functions.semantics().provider_functions_take_alias;
    if (has_alias && !takes_alias) || parts.next().is_some() {
        return None;
    }
    let ProviderFunctions::BuiltIn { .. } = scope.names.provider(provider) else { return None };
    scope.functions.get(&format!("provider::terraform::{}", second.unwrap_or(first)))
}
