//! Adds the values of variables to a diagnostic about them.

use terrane_source::{Diagnostic, Span};
use terrane_syntax::ExprId;
use terrane_syntax::tree::Step;
use terrane_value::{Type, Value, ValueKind, counted, display, with_article};

use crate::names::references::{is_static_step, references_of};
use crate::names::scope::Reference;
use crate::rules::evaluator::Evaluator;

/// Limit on the variables that a diagnostic explains.
const MAX_VALUES: usize = 6;

/// Limit on the characters of a string that are shown.
const MAX_CHARACTERS: usize = 60;

impl Evaluator<'_> {
    /// Adds to a diagnostic the values of the variables in the expression that caused it.
    /// Sensitive values are not shown.
    pub(crate) fn explained(&mut self, mut diagnostic: Diagnostic, fault: ExprId) -> Diagnostic {
        let mut seen = Vec::new();
        for reference in references_of(self.tree, fault) {
            if diagnostic.values.len() >= MAX_VALUES {
                break;
            }
            let reference = self.without_computed_steps(reference);
            let name = self.tree.slice(reference.span);
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            if let Some(value) = self.value_of(&reference) {
                diagnostic.values.push(format!("{name} {}", description(&value)));
            }
        }
        diagnostic
    }

    /// Returns the reference up to the first step with a computed key.
    fn without_computed_steps<'t>(&self, reference: Reference<'t>) -> Reference<'t> {
        let count = reference.steps.iter().take_while(|step| is_static_step(self.tree, **step)).count();
        let steps = reference.steps.get(..count).unwrap_or_default();
        let end = steps.last().map_or(reference.root_span().end, |step: &Step| step.span().end);
        Reference { steps, span: Span::new(reference.span.start, end), ..reference }
    }

    fn value_of(&mut self, reference: &Reference<'_>) -> Option<Value> {
        let (mut value, consumed) = self.frame.look_up(reference)?;
        for step in reference.steps.get(consumed..).unwrap_or_default() {
            value = self.apply_step(&value, *step).ok()?;
        }
        Some(value)
    }
}

/// Describes a value by a predicate: "is a list with 2 elements".
fn description(value: &Value) -> String {
    if value.marks().is_secret() {
        return "has a sensitive value".to_owned();
    }
    match value.unmarked().kind() {
        ValueKind::Null(_) => "is null".to_owned(),
        ValueKind::Bool(_) | ValueKind::Number(_) => format!("is {}", display::console(value)),
        ValueKind::String(text) => {
            let short: String = text.chars().take(MAX_CHARACTERS).collect();
            let dots = if short.len() < text.len() { "…" } else { "" };
            format!("is {}{dots}", display::quote(&short))
        }
        ValueKind::Unknown(unknown) if unknown.ty == Type::Dynamic => "is not known yet".to_owned(),
        ValueKind::Unknown(unknown) => {
            format!("is {} that is not known yet", with_article(&unknown.ty.plain_name()))
        }
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            format!(
                "is {} with {}",
                with_article(&value.ty().plain_name()),
                counted(elements.len(), "element")
            )
        }
        ValueKind::Map(entries) => {
            format!(
                "is {} with {}",
                with_article(&value.ty().plain_name()),
                counted(entries.len(), "element")
            )
        }
        ValueKind::Object(attributes) => {
            format!("is an object with {}", counted(attributes.len(), "attribute"))
        }
        ValueKind::Marked(inner, _) => description(inner),
    }
}
