//! Compares the arguments of a module call with the variables of the called module.

use terrane_config::address::Object;
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::Expression;
use terrane_value::{ClosestNames, SmolStr};

use crate::model::declaration_kind::DeclarationKind;
use crate::model::ids::CallId;
use crate::model::module::{Module, ModuleCall, Variable};

/// Reports arguments without a variable in the called module, arguments for deprecated variables, and
/// missing required arguments.
pub(super) fn check(
    name: &str,
    call: &ModuleCall,
    module: &Module,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    let hides = |name: &str| module.doubt.hides_name(DeclarationKind::Variable, name);
    for (argument, (span, value)) in &call.arguments {
        if let Some(variable) = module.variables.get(argument) {
            let advice = variable.deprecated.as_ref();
            diagnostics.extend(advice.map(|advice| deprecated(name, argument, value, advice)));
            continue;
        }
        // Terraform and OpenTofu do not check the arguments of a call that an override file changes.
        if call.overridden.is_some() || hides(argument) {
            continue;
        }
        if diagnostics.count_unlisted(ids::UNSUPPORTED_ARGUMENT) {
            continue;
        }
        let nearest = closest_names.of(argument, module.variables.keys().map(|name| &**name));
        let unsupported = unsupported(name, argument, module).at(value.source(), *span);
        diagnostics.push(unsupported.suggest(argument, nearest));
    }
    diagnostics.extend(missing(name, call, module));
}

/// Reports errors in the arguments of an overridden call, but not in arguments without a variable. `module` is the
/// called module, if it is on disk.
pub(super) fn check_overridden(
    caller: &Module,
    id: CallId,
    module: Option<&Module>,
    diagnostics: &mut Diagnostics,
) {
    let Some(overridden) = &caller.calls.at(id).overridden else { return };
    let is_taken = |name: &SmolStr| {
        let Some(module) = module else { return true };
        let variable = module.variables.get(name);
        // A required argument that only an override sets counts as missing, and is reported as missing.
        variable.is_some_and(|variable| variable.default.is_some() || overridden.own.contains(name))
    };
    let counting = caller.references.calls[id].late_mistakes.iter().filter(|(name, _)| is_taken(name));
    diagnostics.extend(counting.map(|(_, diagnostic)| diagnostic.clone()));
}

/// Returns the warning about an argument for a deprecated variable. `check/deprecation.rs` has the warning about
/// variables of the root module.
fn deprecated(name: &str, argument: &str, value: &Expression, advice: &str) -> Diagnostic {
    let detail = format!(
        "The variable \"{argument}\" of the module \"{name}\" is deprecated, so do not set it. Its author says: {advice}"
    );
    Diagnostic::warning(ids::DEPRECATED_VARIABLE, detail).at(value.source(), value.span())
}

fn unsupported(name: &str, argument: &str, module: &Module) -> Diagnostic {
    let detail = format!(
        "The module \"{name}\" has no variable \"{argument}\". Remove the argument, or declare the variable in {}.",
        module.directory.display()
    );
    Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail)
}

/// Returns the errors about required variables without an argument.
fn missing(name: &str, call: &ModuleCall, module: &Module) -> impl Iterator<Item = Diagnostic> {
    let is_missing = |(variable, declared): &(&SmolStr, &Variable)| {
        let is_set = match &call.overridden {
            Some(overridden) => overridden.own.contains(*variable),
            None => call.arguments.contains_key(*variable),
        };
        let is_doubtful = || module.doubt.covers(&Object::Variable((*variable).clone()));
        declared.default.is_none() && !is_set && !is_doubtful()
    };
    module.variables.iter().filter(is_missing).map(move |(variable, _)| {
        let detail = format!(
            "The module \"{name}\" needs a value for its variable \"{variable}\", which has no default: add \
             `{variable} = …`."
        );
        let declaration = &call.declaration;
        Diagnostic::error(ids::MISSING_ARGUMENT, detail).at(&declaration.file, declaration.span)
    })
}
