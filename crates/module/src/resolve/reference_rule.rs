//! Checks the rules about references in conditions, lists of triggers and actions, and blocks used on destroy.

use std::collections::HashSet;

use terrane_body::Body;
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, FileId, Span, Title, ids, titles};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};

use crate::model::module::{Check, Module, ResourceKey};
use crate::model::namespace::Namespace;
use crate::model::reference_rule::{OpenRule, ReferenceRule};
use crate::resolve::instance_key;
use crate::resolve::root::{Name, ResourceName, RootedReference, each_reference, references};
use crate::rules::constructs::WIDE_VALIDATION;

/// The mistakes that a check of the rules finds.
#[derive(Default)]
pub(crate) struct BrokenRules {
    /// The mistakes, in the order of the rules.
    mistakes: Vec<PlacedMistake>,
    /// The conditions and items that are left out of the module.
    rejected: HashSet<(FileId, Span)>,
}

/// A mistake, and its place among the diagnostics of the decoder.
struct PlacedMistake {
    position: usize,
    diagnostic: Diagnostic,
}

/// Checks the rules that the decoder of a module has noted.
pub(crate) fn check(rules: &[OpenRule], module: &Module) -> BrokenRules {
    let mut checker = Checker { module, position: 0, found: BrokenRules::default() };
    for OpenRule { rule, position } in rules {
        checker.position = *position;
        match rule {
            ReferenceRule::Action(item) => checker.action(item),
            ReferenceRule::ReplaceTrigger(item) => checker.replace_trigger(item),
            ReferenceRule::Validations { variable, conditions } => checker.validations(variable, conditions),
            ReferenceRule::Conditions { resource, block_type, conditions } => {
                checker.conditions(resource, block_type, conditions);
            }
            ReferenceRule::OnDestroy(body) => checker.on_destroy(body),
        }
    }
    checker.found
}

impl BrokenRules {
    /// The diagnostics of the decoder with the mistakes at their places.
    pub(crate) fn joined_with(&mut self, decoded: Diagnostics) -> Diagnostics {
        if self.mistakes.is_empty() {
            return decoded;
        }
        let mut joined = Diagnostics::new();
        let mut mistakes = std::mem::take(&mut self.mistakes).into_iter().peekable();
        for (position, diagnostic) in decoded.into_iter().enumerate() {
            while let Some(mistake) = mistakes.next_if(|mistake| mistake.position <= position) {
                joined.push(mistake.diagnostic);
            }
            joined.push(diagnostic);
        }
        joined.extend(mistakes.map(|mistake| mistake.diagnostic));
        joined
    }

    /// Removes from a module the validations, triggers and actions that break their rules: they are not evaluated. Returns their
    /// expressions.
    pub(crate) fn remove_from(&self, module: &mut Module) -> Vec<Expression> {
        let mut removed = Vec::new();
        if self.rejected.is_empty() {
            return removed;
        }
        let is_wrong = |expression: &Expression| self.rejected.contains(&place(expression));
        for variable in module.variables.values_mut() {
            let wrong = variable.validations.extract_if(.., |check| is_wrong(&check.condition));
            removed.extend(wrong.flat_map(|check| [check.condition, check.error_message]));
        }
        for resource in module.resources.values_mut() {
            let triggers = &mut resource.lifecycle.replace_triggered_by;
            removed.extend(triggers.extract_if(.., |item| is_wrong(item)));
            for trigger in &mut resource.lifecycle.action_triggers {
                removed.extend(trigger.actions.extract_if(.., |item| is_wrong(item)));
            }
        }
        removed
    }
}

fn place(expression: &Expression) -> (FileId, Span) {
    (expression.source().id().clone(), expression.span())
}

struct Checker<'c> {
    module: &'c Module,
    /// The place of mistakes in the rule that is checked.
    position: usize,
    found: BrokenRules,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        let position = self.position;
        self.found.mistakes.push(PlacedMistake { position, diagnostic });
    }

    fn reject(&mut self, expression: &Expression, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.found.rejected.insert(place(expression));
    }

    /// The conditions of a variable. Each must refer to the variable itself, and in some dialects to nothing else.
    fn validations(&mut self, variable: &str, conditions: &[Check]) {
        let construct =
            format_args!("A condition of the variable \"{variable}\" about more than `var.{variable}`");
        let only_itself = self.module.rules.lacks(WIDE_VALIDATION, construct);
        let mut without = Vec::new();
        for Check { condition, error_message, .. } in conditions {
            let mut names_it = false;
            let message = only_itself.is_some().then_some((error_message, false));
            for (expression, is_condition) in std::iter::once((condition, true)).chain(message) {
                each_reference(expression, self.module, &mut |reference| match (
                    is_variable(&reference, variable),
                    &only_itself,
                ) {
                    (true, _) => names_it |= is_condition,
                    (false, Some(rule)) => {
                        let diagnostic = Diagnostic::error(ids::INVALID_VALIDATION_REFERENCE, rule);
                        self.report(diagnostic.at(expression.source(), reference.span));
                    }
                    (false, None) => {}
                });
            }
            if !names_it {
                without.push(condition);
            }
        }
        for condition in without {
            let detail = format!("The condition must refer to `var.{variable}`, but it does not.");
            let diagnostic = Diagnostic::error(ids::INVALID_VALIDATION_REFERENCE, detail);
            let diagnostic = diagnostic.titled(titles::INVALID_VARIABLE_VALIDATION_CONDITION);
            self.reject(condition, diagnostic.at(condition.source(), condition.span()));
        }
    }

    /// A resource is in its own conditions only as `self`.
    fn conditions(&mut self, resource: &ResourceKey, block_type: &str, conditions: &[Check]) {
        for expression in conditions.iter().flat_map(Check::expressions) {
            let mut names_it = false;
            each_reference(expression, self.module, &mut |reference| {
                names_it |= reference.resource().is_some_and(|found| found.names(resource));
            });
            if names_it {
                let (title, detail) = match block_type {
                    "postcondition" => (
                        titles::INVALID_REFERENCE_IN_POSTCONDITION,
                        "A postcondition refers to its own resource as `self`.",
                    ),
                    _ => (
                        titles::INVALID_REFERENCE_IN_PRECONDITION,
                        "A precondition cannot refer to its own resource. Use a postcondition, which refers to it as `self`.",
                    ),
                };
                let diagnostic = Diagnostic::error(ids::SELF_IN_CONDITION, detail).titled(title);
                self.report(diagnostic.at(expression.source(), expression.span()));
            }
        }
    }

    /// When a resource is destroyed, others may be gone: then only the resource itself can be referred to.
    fn on_destroy(&mut self, body: &Body) {
        let content = body.open_content(&mut Diagnostics::new());
        for attribute in content.attributes.values() {
            let expression = attribute.expression(&mut Diagnostics::new());
            let found =
                references(&expression, self.module).into_iter().any(|reference| match reference.namespace {
                    Namespace::Itself | Namespace::Path | Namespace::Terraform | Namespace::Tofu => false,
                    Namespace::Count | Namespace::Each => {
                        !reference.is_instance_key() || reference.steps.len() > 1
                    }
                    Namespace::Variable
                    | Namespace::Local
                    | Namespace::Module
                    | Namespace::Resource(_)
                    | Namespace::Reserved
                    | Namespace::Type => true,
                });
            if found {
                let detail = "A provisioner or connection used on destroy can refer only to its resource, \
                              with `self`, `count.index` and `each.key`.";
                let diagnostic = Diagnostic::error(ids::DESTROY_REFERENCE, detail);
                self.report(diagnostic.at(attribute.source(), attribute.value_span()));
            }
        }
    }

    /// A reference to one action, with a key from `count.index` and `each.key` at most.
    fn action(&mut self, item: &Expression) {
        let Some(title) = not_an_action(item, self.module) else { return };
        let detail = "An item of `actions` must be a reference to an action of this module, such \
                      as `action.type.name`. Only an instance key may follow, and the key can use \
                      only `count.index` and `each.key`.";
        let diagnostic = Diagnostic::error(ids::INVALID_ACTION_TRIGGER, detail).titled(title);
        self.reject(item, diagnostic.at(item.source(), item.span()));
    }

    /// A reference to one resource, with a key from `count.index` and `each.key` at most.
    fn replace_trigger(&mut self, item: &Expression) {
        let (mut resources, mut problem, mut key) = (0, None, None);
        for reference in references(item, self.module) {
            problem = problem.or(match reference.namespace {
                Namespace::Each | Namespace::Count if reference.is_instance_key() => None,
                Namespace::Each => Some(titles::INVALID_EACH_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                Namespace::Count => Some(titles::INVALID_COUNT_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                Namespace::Variable
                | Namespace::Local
                | Namespace::Module
                | Namespace::Path
                | Namespace::Terraform
                | Namespace::Tofu
                | Namespace::Itself => Some(titles::INVALID_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                Namespace::Resource(_) | Namespace::Reserved | Namespace::Type => {
                    resources += 1;
                    let wrong =
                        |named: ResourceName<'_>| instance_key::wrong_trigger(&reference, named.step + 1);
                    key = key.or_else(|| reference.resource().and_then(wrong));
                    None
                }
            });
        }
        if problem.is_none() && (resources != 1 || !is_address(item)) {
            problem = Some(match is_json_value(item) {
                true => titles::INVALID_REFERENCE_EXPRESSION,
                false => titles::INVALID_REPLACE_TRIGGERED_BY_EXPRESSION,
            });
        }
        let wrong_form = |title: Title| {
            let detail = "An item of `replace_triggered_by` must be a reference to one resource or to a \
                          part of it. An instance key can use only `count.index` and `each.key`.";
            let diagnostic = Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail).titled(title);
            diagnostic.at(item.source(), item.span())
        };
        if let Some(diagnostic) = problem.map(wrong_form).or(key.map(|key| *key)) {
            self.reject(item, diagnostic);
        }
    }
}

fn is_variable(reference: &RootedReference<'_>, name: &str) -> bool {
    reference.name() == Some(Name::Variable(name))
}

/// The title of the mistake in an item of `actions`.
fn not_an_action(item: &Expression, module: &Module) -> Option<Title> {
    let mut actions = 0;
    for reference in references(item, module) {
        match reference.namespace {
            Namespace::Resource(ResourceMode::Action) if has_more(reference.steps) => {
                return Some(titles::INVALID_ACTION_EXPRESSION);
            }
            Namespace::Resource(ResourceMode::Action) => actions += 1,
            Namespace::Module => return Some(titles::INVALID_REFERENCE_TO_ACTION_OUTSIDE_THIS_MODULE),
            Namespace::Each
            | Namespace::Count
            | Namespace::Variable
            | Namespace::Local
            | Namespace::Path
            | Namespace::Terraform
            | Namespace::Itself => {}
            Namespace::Resource(_) | Namespace::Tofu | Namespace::Reserved | Namespace::Type => {
                return Some(titles::INVALID_ACTION_ARGUMENT_INSIDE_ACTION_TRIGGERS);
            }
        }
    }
    match actions {
        0 => Some(titles::NO_ACTIONS_SPECIFIED),
        1 if is_address(item) => None,
        _ => Some(titles::INVALID_ACTION_EXPRESSION),
    }
}

/// Whether something follows the name of an action and the key of its instance.
fn has_more(steps: &[Step]) -> bool {
    match steps {
        [_, _, Step::Attr { .. }, ..] => true,
        [_, _, _, behind @ ..] => !behind.is_empty(),
        _ => false,
    }
}

/// Whether an expression is a name with steps behind it, and nothing else.
fn is_address(item: &Expression) -> bool {
    matches!(item.tree.expr(item.id), Expr::Traversal { .. } | Expr::Relative { .. })
}

/// Whether an item is a value of JSON other than a string, which contains a reference.
fn is_json_value(item: &Expression) -> bool {
    item.source().id().is_json()
        && matches!(item.tree.expr(item.id), Expr::Literal(_) | Expr::Object(_) | Expr::Tuple(_))
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Cache, Request, load};

    /// Returns the messages about a resource whose condition of this type names the resource.
    fn details(block_type: &str) -> Vec<String> {
        let condition = "condition = terraform_data.a.id != \"\"\n      error_message = \"x\"";
        let text = format!(
            "resource \"terraform_data\" \"a\" {{\n  lifecycle {{\n    {block_type} {{\n      {condition}\n    }}\n  }}\n}}\n"
        );
        let files = MemoryFiles::from_iter([("main.tf", text)]);
        load(Request::new("."), &files, &Cache::default())
            .diagnostics
            .into_iter()
            .map(|found| found.detail)
            .collect()
    }

    #[test]
    fn a_condition_gets_advice_for_its_own_type() {
        assert_eq!(details("postcondition"), ["A postcondition refers to its own resource as `self`."]);
        let of_precondition = "A precondition cannot refer to its own resource. Use a postcondition, which refers to it as `self`.";
        assert_eq!(details("precondition"), [of_precondition]);
    }
}
