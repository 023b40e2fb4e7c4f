//! Evaluates `count`, `for_each` and `enabled` of a block in its scope.

use terrane_value::Origins;

use crate::expansion::{self, Expansion, RepetitionData};
use crate::model::module::Repetition;
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// The kind of a block with instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeated {
    /// A module call.
    Module,
    /// A resource.
    Resource,
}

/// Returns the instances of a block. Reports a wrong argument.
pub(crate) fn expand(
    context: &mut Context<'_>,
    names: &ModuleScope<'_>,
    of: Repeated,
    repetition: &Repetition,
) -> Expansion<RepetitionData> {
    let Some(expression) = repetition.expression() else {
        return Expansion::Once(RepetitionData::default());
    };
    let (phase, rules) = (context.evaluation.phase(), &context.evaluation.config.rules);
    let value = context.value(expression, names);
    let is_validation = phase.expansion_is_unknown();
    // Only a plan decides whether the instances can be planned. The causes may be inside a collection.
    if is_validation && expansion::is_late(&value.origins_deep()) {
        return any_of(repetition, value.origins());
    }
    let expansion = match repetition {
        // Only a plan checks the value.
        Repetition::Enabled(_) if is_validation => Ok(Expansion::Once(RepetitionData::default())),
        Repetition::Count(_) => expansion::count(&value),
        Repetition::Enabled(_) => expansion::enabled(&value),
        Repetition::ForEach(_) | Repetition::Once => {
            // A validation does not check the type of an unknown set in a resource.
            let is_open = is_validation && of == Repeated::Resource && value.as_unknown().is_some();
            expansion::for_each(&value, rules, is_open)
        }
    };
    let expansion = expansion.unwrap_or_else(|error| {
        let title = error.is_in_set.then_some(rules.titles.for_each_element);
        let diagnostic = error.diagnostic(expression);
        context.diagnostics.push(match title {
            Some(title) => diagnostic.titled(title),
            None => diagnostic,
        });
        Expansion::Unknown { origins: Origins::error(), any: None }
    });
    match repetition {
        // A validation checks the argument, but must hold for any instances.
        Repetition::Count(_) | Repetition::ForEach(_) if is_validation => any_of(repetition, value.origins()),
        Repetition::Once | Repetition::Enabled(_) | Repetition::Count(_) | Repetition::ForEach(_) => {
            expansion
        }
    }
}

/// Returns an unknown number of instances of a block.
fn any_of(repetition: &Repetition, origins: &Origins) -> Expansion<RepetitionData> {
    expansion::any_of(origins, RepetitionData::unknown(repetition, origins))
}
