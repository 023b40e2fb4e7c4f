use std::sync::Arc;

use indexmap::IndexMap;
use terrane_eval::{references, type_constraint};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::{Expr, Expression};
use terrane_value::{Type, TypeConstraint, Value};

use super::constant::{constant, constant_bool, constant_of, constant_string};
use super::{Content, duplicate, is_valid_name};
use crate::module::{Check, Module, ModuleCall, Output, Repetition, Variable};
use crate::reference::unresolved;

/// Names that a variable may not have, because a `module` block has arguments of these names.
const RESERVED_VARIABLES: &[&str] =
    &["count", "depends_on", "for_each", "lifecycle", "locals", "providers", "source", "version"];

pub(super) fn variable(
    module: &mut Module,
    name: &Arc<str>,
    content: &Content<'_>,
    diagnostics: &mut Diagnostics,
) {
    let declaration = content.declaration();
    if !is_valid_name(name) || RESERVED_VARIABLES.contains(&&**name) {
        let detail = if is_valid_name(name) {
            format!("The name \"{name}\" is reserved, because `module` blocks have an argument of that name.")
        } else {
            invalid_name(name)
        };
        diagnostics.push(
            Diagnostic::error(ids::INVALID_VARIABLE_NAME, detail).at(&declaration.file, declaration.span),
        );
        return;
    }
    content.reject_others(
        &["type", "default", "description", "sensitive", "ephemeral", "nullable", "deprecated", "const"],
        &["validation"],
        diagnostics,
    );
    if let Some(earlier) = module.variables.get(name) {
        diagnostics.push(duplicate(
            ids::DUPLICATE_VARIABLE,
            "variable",
            name,
            &earlier.declaration,
            &declaration,
        ));
        return;
    }
    let type_expression = content.attribute("type");
    let constraint = match &type_expression {
        Some(expression) => type_constraint(expression, diagnostics),
        None => TypeConstraint::from(Type::Dynamic),
    };
    let literal_text = type_expression.is_none() || constraint.ty.is_primitive();
    let nullable = constant_bool(content.attribute("nullable"), true, diagnostics);
    let default = default_value(content, &constraint, nullable, diagnostics);
    let variable = Variable {
        declaration,
        constraint,
        literal_text,
        default,
        sensitive: constant_bool(content.attribute("sensitive"), false, diagnostics),
        ephemeral: constant_bool(content.attribute("ephemeral"), false, diagnostics),
        nullable,
        deprecated: constant_string(content.attribute("deprecated"), diagnostics),
        constant: content
            .attribute("const")
            .and_then(|expression| constant_of(&expression, &Type::Bool, diagnostics))
            .and_then(|value| value.as_bool()),
        description: constant_string(content.attribute("description"), diagnostics),
        validations: checks(content, "validation", diagnostics),
    };
    module.variables.insert(Arc::clone(name), variable);
}

/// The converted default. An unusable default is reported and gives an unknown value of the type, so that
/// the variable does not count as one without a value.
fn default_value(
    content: &Content<'_>,
    constraint: &TypeConstraint,
    nullable: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let expression = content.attribute("default")?;
    let failed = || Some(Value::error());
    let Some(value) = constant(&expression, diagnostics) else { return failed() };
    let invalid = |reason: String| {
        let detail = format!("The default does not fit the type of the variable: {reason}.");
        Diagnostic::error(ids::INVALID_DEFAULT, detail).at(expression.source(), expression.span())
    };
    if value.is_null() && !nullable {
        diagnostics
            .push(invalid("it is null, and the variable is declared with `nullable = false`".to_owned()));
        return failed();
    }
    match constraint.convert(&value) {
        Ok(value) => Some(value),
        Err(error) => {
            diagnostics.push(invalid(error.to_string()));
            failed()
        }
    }
}

fn invalid_name(name: &str) -> String {
    format!(
        "\"{name}\" cannot be a name: a name begins with a letter or an underscore and goes on with letters, digits, \
         underscores and hyphens."
    )
}

/// The `validation`, `precondition` or `postcondition` blocks.
pub(super) fn checks(content: &Content<'_>, block_type: &str, diagnostics: &mut Diagnostics) -> Vec<Check> {
    let mut checks = Vec::new();
    for check in content.blocks(block_type) {
        check.reject_others(&["condition", "error_message"], &[], diagnostics);
        let condition = check.attribute("condition");
        let error_message = check.attribute("error_message");
        for (name, expression) in [("condition", &condition), ("error_message", &error_message)] {
            if expression.is_none() {
                check.missing(name, diagnostics);
            }
        }
        let (Some(condition), Some(error_message)) = (condition, error_message) else { continue };
        if references(&condition).is_empty() {
            let detail = "The condition refers to nothing, so it always has the same result and checks nothing. \
                          Refer to the value that is to be checked.";
            diagnostics.push(
                Diagnostic::error(ids::CONSTANT_CONDITION, detail)
                    .titled(format!("Invalid {block_type} expression"))
                    .at(condition.source(), condition.span()),
            );
            continue;
        }
        checks.push(Check {
            declaration: check.declaration(),
            condition: unresolved(condition),
            error_message: unresolved(error_message),
        });
    }
    checks
}

pub(super) fn output(
    module: &mut Module,
    name: &Arc<str>,
    content: &Content<'_>,
    diagnostics: &mut Diagnostics,
) {
    let declaration = content.declaration();
    if !is_valid_name(name) {
        diagnostics.push(
            Diagnostic::error(ids::INVALID_OUTPUT_NAME, invalid_name(name))
                .at(&declaration.file, declaration.span),
        );
    }
    content.reject_others(
        &["value", "description", "sensitive", "ephemeral", "depends_on", "deprecated"],
        &["precondition", "postcondition"],
        diagnostics,
    );
    for postcondition in content.blocks("postcondition") {
        let detail =
            "An output is only checked before its value is used. Write the check as a `precondition` block.";
        diagnostics.push(
            Diagnostic::error(ids::POSTCONDITION_NOT_ALLOWED, detail)
                .at(content.tree.source(), postcondition.block.block_type),
        );
    }
    if let Some(earlier) = module.outputs.get(name) {
        diagnostics.push(duplicate(
            ids::DUPLICATE_OUTPUT,
            "output",
            name,
            &earlier.declaration,
            &declaration,
        ));
        return;
    }
    let value = content.attribute("value");
    if value.is_none() {
        content.missing("value", diagnostics);
    }
    let output = Output {
        declaration,
        value: value.map(unresolved),
        sensitive: constant_bool(content.attribute("sensitive"), false, diagnostics),
        ephemeral: constant_bool(content.attribute("ephemeral"), false, diagnostics),
        deprecated: constant_string(content.attribute("deprecated"), diagnostics),
        description: constant_string(content.attribute("description"), diagnostics),
        preconditions: checks(content, "precondition", diagnostics),
        depends_on: Vec::new(),
        depends_on_expression: content.attribute("depends_on"),
    };
    module.outputs.insert(Arc::clone(name), output);
}

/// A `check` block: only its assertions are evaluated.
pub(super) fn check(
    module: &mut Module,
    name: &Arc<str>,
    content: &Content<'_>,
    diagnostics: &mut Diagnostics,
) {
    content.reject_others(&[], &["assert", "data"], diagnostics);
    let asserts = checks(content, "assert", diagnostics);
    if asserts.is_empty() {
        let detail = "A `check` block must have at least one `assert` block.";
        let declaration = content.declaration();
        diagnostics
            .push(Diagnostic::error(ids::NO_ASSERTION, detail).at(&declaration.file, declaration.span));
    }
    module.checks.entry(Arc::clone(name)).or_default().extend(asserts);
}

/// How many instances a block has.
pub(super) fn repetition(content: &Content<'_>, diagnostics: &mut Diagnostics) -> Repetition {
    let enabled = content.blocks("lifecycle").find_map(|lifecycle| lifecycle.attribute("enabled"));
    if let Some(enabled) = enabled {
        for other in ["count", "for_each"] {
            if let Some(argument) = content.attribute(other) {
                let detail =
                    format!("A block has either `enabled` or `{other}`, not both. Remove one of them.");
                diagnostics.push(
                    Diagnostic::error(ids::COUNT_AND_FOR_EACH, detail)
                        .titled(format!("Invalid combination of \"{other}\" and \"enabled\""))
                        .at(argument.source(), argument.span()),
                );
            }
        }
        return Repetition::Enabled(unresolved(enabled));
    }
    match (content.attribute("count"), content.attribute("for_each")) {
        (Some(_), Some(for_each)) => {
            let detail = "A block has either `count` or `for_each`, not both. Remove one of them.";
            diagnostics.push(
                Diagnostic::error(ids::COUNT_AND_FOR_EACH, detail).at(for_each.source(), for_each.span()),
            );
            Repetition::ForEach(unresolved(for_each))
        }
        (Some(count), None) => Repetition::Count(unresolved(count)),
        (None, Some(for_each)) => Repetition::ForEach(unresolved(for_each)),
        (None, None) => Repetition::Once,
    }
}

/// Arguments of a `module` block that are not values for variables.
const CALL_ARGUMENTS: &[&str] = &["source", "version", "count", "for_each", "providers", "depends_on"];

pub(super) fn module_call(
    module: &mut Module,
    name: &Arc<str>,
    content: &Content<'_>,
    diagnostics: &mut Diagnostics,
) {
    let declaration = content.declaration();
    if !is_valid_name(name) {
        diagnostics.push(
            Diagnostic::error(ids::INVALID_MODULE_NAME, invalid_name(name))
                .at(&declaration.file, declaration.span),
        );
    }
    for block in content.all_blocks() {
        let block_type = content.tree.slice(block.block_type);
        if matches!(block_type, "lifecycle" | "provider_meta") {
            continue;
        }
        let detail = format!(
            "A `module` block has no nested block of type \"{block_type}\". Values for the variables of the module \
             are arguments: `{block_type} = …`."
        );
        diagnostics.push(
            Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(content.tree.source(), block.block_type),
        );
    }
    if let Some(earlier) = module.calls.get(name) {
        diagnostics.push(duplicate(
            ids::DUPLICATE_MODULE_CALL,
            "module call",
            name,
            &earlier.declaration,
            &declaration,
        ));
        return;
    }
    let mut arguments = IndexMap::new();
    for attribute in content.all_attributes() {
        let argument = content.tree.slice(attribute.name);
        if !CALL_ARGUMENTS.contains(&argument) {
            let value = unresolved(content.expression(attribute));
            arguments.insert(Arc::from(argument), (attribute.name, value));
        }
    }
    let call = ModuleCall {
        declaration,
        source: source(content, diagnostics),
        version: content.attribute("version"),
        repetition: repetition(content, diagnostics),
        arguments,
        depends_on: Vec::new(),
        depends_on_expression: content.attribute("depends_on"),
    };
    module.calls.insert(Arc::clone(name), call);
}

fn source(content: &Content<'_>, diagnostics: &mut Diagnostics) -> Option<Expression> {
    let Some(expression) = content.attribute("source") else {
        content.missing("source", diagnostics);
        return None;
    };
    let is_missing = matches!(expression.tree.expr(expression.id), Expr::Missing);
    (!is_missing).then_some(expression)
}
