//! Compares the variables of a plan with those of the evaluation.

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::convert;

use crate::model::ids::NodeId;
use crate::state::evaluation::Evaluation;

/// Reports the variables of the root module that have other values than in the plan. Unknown ones may have any.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let Some(plan) = &evaluation.config.request.plan else { return };
    let module = &evaluation.config.node(NodeId::ROOT).module;
    for state in evaluation.instances_of(NodeId::ROOT) {
        for ((name, variable), value) in module.variables.iter().zip(&state.variables) {
            let Some(planned) = plan.variables.get(name) else { continue };
            let (value, _) = value.unmark_deep();
            let is_same = || convert(planned, &value.ty()).is_ok_and(|planned| planned.same(&value));
            if !value.is_wholly_known() || is_same() {
                continue;
            }
            let detail = format!(
                "The plan was made with another value of the variable `{name}`, so its values do not fit. Give the variable \
                 the value that it has in the plan, or make a new plan."
            );
            let diagnostic = Diagnostic::error(ids::PLAN_OF_OTHER_CONFIGURATION, detail);
            let declaration = &variable.declaration;
            diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        }
    }
}
