//! Compares the variables and objects of a plan with the evaluation.

use std::collections::HashSet;

use terrane_config::address::{Address, InstanceKey, ResourceMode};
use terrane_function::conversion::{self, ConversionError};
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_value::{Value, convert};

use crate::model::ids::NodeId;
use crate::model::module::Variable;
use crate::state::evaluation::Evaluation;

/// Reports the variables and objects of the evaluation that differ from a plan.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    variables(evaluation, diagnostics);
    missing(evaluation, diagnostics);
}

/// Reports variables of the root module whose values differ from the plan. Unknown values may be any value.
fn variables(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let Some(plan) = &evaluation.config.request.plan else { return };
    let module = &evaluation.config.node(NodeId::ROOT).module;
    for state in evaluation.instances_of(NodeId::ROOT) {
        for ((name, variable), value) in module.variables.iter().zip(&state.variables) {
            let Some(planned) = plan.variables.get(name) else { continue };
            let (value, _) = value.unmark_deep();
            if !value.is_wholly_known() {
                continue;
            }
            let planned = match taken(evaluation, variable, planned) {
                Ok(planned) => convert(&planned, &value.ty()).ok(),
                Err(ConversionError::Mismatch(_)) => None,
                Err(ConversionError::Limit(limit)) => {
                    let diagnostic =
                        limit.diagnostic(&format!("The value of the variable `{name}` in the plan"));
                    diagnostics.push(diagnostic.at(&variable.declaration.file, variable.declaration.span));
                    continue;
                }
            };
            if planned.is_some_and(|planned| planned.same(&value)) {
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

/// Reports resources with an instance that the planned values of a complete plan lack.
fn missing(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let plan = evaluation.config.request.plan.as_ref();
    let is_complete = plan.is_some_and(|plan| plan.is_complete);
    let is_refresh_only = plan.is_some_and(|plan| plan.is_refresh_only);
    let Some(planned) = evaluation.config.recorded.planned.as_deref().filter(|_| is_complete) else { return };
    // The instance may exist only because of a value given by hand.
    let has_given = !evaluation.config.given.is_empty();
    let mut reported = HashSet::new();
    for instance in evaluation.instances.iter().filter(|instance| instance.unexpanded.is_none()) {
        let resources = &evaluation.config.node(instance.node).module.resources;
        for (id, resource) in resources.enumerate() {
            let (key, _) = resources.entry_of(id);
            let expansion = &instance.resources[id].expansion;
            if key.mode != ResourceMode::Managed || expansion.unknown().is_some() {
                continue;
            }
            let instances = planned.instances(&instance.path, key);
            let is_missing =
                |key: &InstanceKey| !instances.is_some_and(|instances| instances.contains_key(key));
            let missing = expansion.iter().map(|(key, _)| key).find(is_missing);
            let Some(missing) = missing.filter(|_| reported.insert((instance.node, id))) else { continue };
            if is_refresh_only {
                return diagnostics.push(refresh_only_warning());
            }
            let address = Address { module: instance.path.clone(), object: key.object(missing) };
            let given = if has_given { "a value given by hand decides that it exists, " } else { "" };
            let detail = format!(
                "The plan is complete and does not end with `{address}`: {given}it was made of another configuration, or it \
                 destroys this object. No attribute of it is taken from the plan."
            );
            let diagnostic = Diagnostic::warning(ids::PLAN_OF_OTHER_CONFIGURATION, detail);
            let diagnostic =
                if has_given { diagnostic.titled(titles::OBJECT_WITHOUT_A_PLAN) } else { diagnostic };
            let declaration = &resource.declaration;
            diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
        }
    }
}

/// Returns the warning about a plan without planned objects.
fn refresh_only_warning() -> Diagnostic {
    let detail = "The plan was made with `-refresh-only`, so it plans no objects. Attributes have the values that they have with the \
                  state that the plan begins with. A plan without this option has the planned values.";
    Diagnostic::warning(ids::PLAN_OF_OTHER_CONFIGURATION, detail).titled(titles::REFRESH_ONLY_PLAN)
}

/// Returns the value of a variable that is given the value of the plan. A plan stores the values as given: before null is
/// replaced and optional attributes get their defaults.
fn taken(evaluation: &Evaluation, variable: &Variable, planned: &Value) -> Result<Value, ConversionError> {
    match &variable.default {
        Some(default) if planned.is_null() && !variable.nullable => Ok(default.for_null.clone()),
        Some(_) | None => {
            let (limits, meter) = (&evaluation.config.request.limits, &evaluation.meter);
            let before = meter.memory();
            let value = conversion::convert(&variable.constraint, planned, limits, meter);
            // The value exists only for the comparison.
            meter.hold(before);
            value
        }
    }
}
