//! Errors of calls: wrong numbers of arguments, and failures of functions.

use std::borrow::Cow;

use terrane_function::{FunctionError, Parameter};
use terrane_source::{Span, ids};
use terrane_syntax::tree::{List, Literal, Part, Step};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Value, counted};

use crate::functions::name::function_name;
use crate::names::references::is_static_step;
use crate::rules::evaluator::Evaluator;
use crate::state::invocation::{Argument, Invocation, Sensitive};

/// Limit on the characters of a reason that is shown, because it may quote an argument.
const LONGEST_REASON: usize = 1000;

impl<'e> Evaluator<'e> {
    /// Checks that the call has as many arguments as the function takes, and reports it otherwise.
    pub(super) fn check_count(&mut self, invocation: &Invocation<'_>) -> bool {
        let function = invocation.function;
        let wanted = function.parameters.len();
        if let Some(missing) = function.parameters.get(invocation.arguments.len()) {
            let least = if function.variadic.is_some() { "at least " } else { "" };
            let detail = format!(
                "The function \"{}\" takes {least}{}. The argument \"{}\" is missing.",
                self.name_of(invocation),
                counted(wanted, "argument"),
                missing.name
            );
            let close = Span::new(invocation.call.close_end.saturating_sub(1), invocation.call.close_end);
            self.report.error_within(invocation.span, ids::TOO_FEW_ARGUMENTS, close, detail);
            return false;
        }
        if let (Some(extra), None) = (invocation.arguments.get(wanted), &function.variadic) {
            let detail = format!(
                "The function \"{}\" takes only {}.",
                self.name_of(invocation),
                counted(wanted, "argument")
            );
            let start = self.argument_start(&extra);
            self.report.error_within(invocation.span, ids::TOO_MANY_ARGUMENTS, start, detail);
            return false;
        }
        true
    }

    /// Reports an error of a function, at the argument that caused it or at the call.
    pub(crate) fn failed_call(
        &mut self,
        invocation: &Invocation<'_>,
        error: &FunctionError,
        sensitive: Sensitive,
    ) -> Value {
        let blames_call = invocation.scope.functions.semantics().calls_take_blame;
        let function = invocation.function;
        let parameter = error.argument.and_then(|index| Some((index, function.parameter_at(index)?)));
        let reason = reason(error, sensitive.may_show_in(error));
        match parameter {
            Some((index, parameter)) if !(blames_call && parameter.packer_blames_call) => {
                self.report_argument(invocation, index, parameter, &reason);
            }
            Some(_) | None => {
                let detail = format!("The function \"{}\" has no result: {reason}", self.name_of(invocation));
                let start = Span::new(invocation.call.name.start, invocation.call.open + 1);
                self.report.error_within(invocation.span, ids::FUNCTION_FAILED, start, detail);
            }
        }
        Value::error()
    }

    /// Reports an error at an argument; at the call if there is no such argument.
    fn report_argument(
        &mut self,
        invocation: &Invocation<'_>,
        index: usize,
        parameter: &Parameter,
        reason: &str,
    ) {
        let detail = format!(
            "The argument \"{}\" of the function \"{}\" is not valid: {reason}",
            parameter.name,
            self.name_of(invocation)
        );
        let argument = invocation.arguments.get(index);
        let span = argument.as_ref().map_or(invocation.span, |argument| self.argument_start(argument));
        let diagnostic = self.report.diagnostic(ids::INVALID_ARGUMENT, span, detail).within(invocation.span);
        let diagnostic = match argument {
            Some(argument) => self.explained(diagnostic, argument.expr()),
            None => diagnostic,
        };
        self.report.push(diagnostic);
    }

    fn name_of(&self, invocation: &Invocation<'_>) -> Cow<'e, str> {
        function_name(self.tree.slice(invocation.call.name))
    }

    fn argument_start(&self, argument: &Argument) -> Span {
        match argument {
            Argument::Expr(id) => self.start_span(*id),
            Argument::Element(id, _) => self.tree.span(*id),
        }
    }

    /// Returns the span of the beginning of an expression, where the reference points for errors in arguments.
    fn start_span(&self, mut id: ExprId) -> Span {
        loop {
            let span = self.tree.span(id);
            let first_byte = Span::new(span.start, span.start.saturating_add(1));
            match self.tree.expr(id) {
                Expr::Parens(inner) | Expr::Conditional { condition: inner, .. } => id = inner,
                Expr::Binary { left, .. } => id = left,
                Expr::Unary { .. } | Expr::Tuple(_) | Expr::Object(_) | Expr::For(_) => return first_byte,
                Expr::Call(call) => {
                    let call = self.tree.call(call);
                    return Span::new(call.name.start, call.open + 1);
                }
                Expr::Splat { each, .. } => return self.marker(each),
                Expr::Traversal { steps, .. } | Expr::Relative { steps, .. } => {
                    return self.computed_index(steps).unwrap_or(span);
                }
                Expr::Literal(Literal::String(_)) => {
                    // For an empty string, the reference points after the closing quote.
                    let is_empty = span.len() <= 2;
                    let end = if is_empty { span.end } else { span.end.saturating_sub(1) };
                    return Span::new(if is_empty { end } else { span.start.saturating_add(1) }, end);
                }
                Expr::Template { parts, .. } => match self.tree.list(parts).first() {
                    Some(Part::Literal { span, .. }) => return *span,
                    Some(Part::Interpolation { expr, .. }) if parts.len() > 1 => {
                        id = *expr;
                    }
                    Some(Part::If(directive)) => {
                        id = self.tree.if_directive(*directive).condition;
                    }
                    Some(Part::For(directive)) => {
                        return self.tree.for_directive(*directive).opening;
                    }
                    Some(Part::Interpolation { .. }) => return span,
                    None => return Span::empty(span.end),
                },
                Expr::Missing | Expr::Literal(_) | Expr::Item => return span,
            }
        }
    }

    /// Returns the opening bracket of the last step, if its key is computed: the reference parses such a step as
    /// an expression of its own.
    fn computed_index(&self, steps: List<Step>) -> Option<Span> {
        let step = *self.tree.list(steps).last()?;
        let start = step.span().start;
        (!is_static_step(self.tree, step)).then(|| Span::new(start, start + 1))
    }
}

/// Returns the reason of a failure as the end of a sentence. The message of a function may contain a value.
fn reason(error: &FunctionError, sensitive: bool) -> String {
    if sensitive {
        return "the reason is not shown, because an argument is sensitive.".to_owned();
    }
    let reason = error.to_string();
    match reason.char_indices().nth(LONGEST_REASON).and_then(|(end, _)| reason.get(..end)) {
        Some(beginning) => format!("{beginning}… (and so on)."),
        // Messages about a template are sentences already.
        None if reason.ends_with('.') => reason,
        None => format!("{reason}."),
    }
}
