//! Checks the arguments of `lifecycle` that only an apply follows: `destroy` and `prevent_destroy`.

use terrane_body::constant::constant;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_value::{Type, convert};

use crate::model::module::{PreventDestroy, Resource};
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// Reports a `destroy` of a resource with `count` instances that is neither `true` nor `false`. Unlike other arguments,
/// it is not converted. A validation skips this check.
pub(super) fn check_destroy(context: &mut Context<'_>, resource: &Resource, count: usize) {
    let is_checked = context.evaluation.phase().checks_lifecycle() && count > 0;
    let Some(expression) = resource.lifecycle.destroy.as_ref().filter(|_| is_checked) else { return };
    if constant(expression, &mut Diagnostics::new()).is_none_or(|value| value.as_bool().is_none()) {
        let detail = "`destroy` is read before anything is evaluated: it must be `true` or `false`.";
        let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
        let diagnostic = diagnostic.titled(titles::INVALID_LIFECYCLE_DESTROY_EXPRESSION);
        context.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
    }
}

/// Reports a `prevent_destroy` that a plan rejects, even if the plan destroys nothing. `names` is the scope of
/// the instance at `address`.
pub(super) fn check_prevent_destroy(
    context: &mut Context<'_>,
    resource: &Resource,
    names: &ModuleScope<'_>,
    address: &str,
) {
    let computed = resource.lifecycle.prevent_destroy.as_ref().and_then(PreventDestroy::computed);
    let Some(resolved) = computed else { return };
    // The argument is the same for all instances, so `count` and `each` are not in its scope.
    let names = ModuleScope { repetition: None, ..*names };
    let value = context.value(resolved, &names);
    let problem = match convert(&value, &Type::Bool) {
        Err(error) => error.message,
        // Only a plan rejects a marked value.
        Ok(_) if value.is_marked() && context.evaluation.phase().checks_lifecycle() => {
            "the plan would reveal it, so it can be neither sensitive nor ephemeral".to_owned()
        }
        Ok(_) => return,
    };
    let detail = format!("The `prevent_destroy` of `{address}` has a wrong value: {problem}.");
    let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
    let diagnostic = diagnostic.titled(titles::INVALID_VALUE_FOR_PREVENT_DESTROY);
    context.diagnostics.push(diagnostic.at(resolved.source(), resolved.span()));
}
