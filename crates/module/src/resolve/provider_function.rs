//! Checks calls of provider functions: the module must require the provider.

use std::ops::Range;

use terrane_eval::Special;
use terrane_source::{Diagnostic, Diagnostics, Title, ids, titles};
use terrane_syntax::{Expr, Expression};

use crate::resolve::names::Declared;
use crate::rules::constructs::PROVIDER_FUNCTIONS;

/// Reports calls of functions of providers that the module does not require. Functions added by the program are exempt.
pub(crate) fn check(expression: &Expression, module: &Declared<'_>, diagnostics: &mut Diagnostics) {
    let tree = &expression.tree;
    if !tree.expr_text(expression.id).contains("provider") {
        return;
    }
    let mut calls = Vec::new();
    tree.expressions(expression.id, &mut |id| {
        if let Expr::Call(call) = tree.expr(id) {
            calls.push(tree.call(call));
        }
    });
    // In Terraform, such a call is a mistake only when it is evaluated, so `try` and `can` may contain it.
    let may_try = module.module.rules.provider_functions.try_unknown_providers;
    let is_attempt = |name: &str| Special::named(name).is_some_and(Special::accepts_errors);
    let attempts = calls.iter().filter(|call| may_try && is_attempt(&tree.function_name(call)));
    let attempts: Vec<Range<u32>> = attempts.map(|call| call.name.end..call.close_end).collect();
    for call in calls {
        let is_tried = attempts.iter().any(|attempt| attempt.contains(&call.name.start));
        if let Err((title, detail)) = provider_function(&tree.function_name(call), is_tried, module) {
            let diagnostic = Diagnostic::error(ids::UNKNOWN_FUNCTION, detail);
            let diagnostic = diagnostic.titled(title);
            diagnostics.push(diagnostic.at(tree.source(), call.name));
        }
    }
}

/// Returns the mistake in a call of the provider function `name`: its title and detail.
fn provider_function(name: &str, is_tried: bool, module: &Declared<'_>) -> Result<(), (Title, String)> {
    let parts: Vec<&str> = name.split("::").collect();
    let ["provider", provider, ..] = *parts else { return Ok(()) };
    let rules = &module.module.rules;
    if !matches!(parts.len(), 3 | 4) {
        // In other dialects, the evaluation reports it.
        if !rules.provider_functions.check_names {
            return Ok(());
        }
        let detail = format!(
            "`{name}` does not name a function of a provider: write `provider::NAME::FUNCTION`, or \
             `provider::NAME::ALIAS::FUNCTION` for a configuration with an alias."
        );
        return Err((titles::UNABLE_TO_PARSE_PROVIDER_FUNCTION, detail));
    }
    if let Some(detail) = rules.lacks(PROVIDER_FUNCTIONS, "A function of a provider") {
        return Err((Title::of(ids::UNKNOWN_FUNCTION), detail));
    }
    if let Some((provider, _)) = module.module.requirements.get_key_value(provider) {
        module.called_providers.borrow_mut().insert(provider.clone());
        return Ok(());
    }
    if module.module.added_functions.contains(name) || is_tried {
        return Ok(());
    }
    let detail = format!(
        "The module does not require a provider named \"{provider}\". Name it in the block `required_providers`."
    );
    Err((rules.titles.unknown_function_provider, detail))
}
