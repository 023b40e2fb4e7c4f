//! Computes the values of variables, checked against their `validation` blocks.

use terrane_config::ids::Arena;
use terrane_eval::Variables;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_value::{OriginKind, Origins, SmolStr, Type, Value, convert};

use crate::load::inputs::TemplateInputs;
use crate::model::ids::VariableId;
use crate::model::template::{AssignedValue, Validation, Variable};
use crate::state::context::Context;

/// Returns the values of all variables.
pub(crate) fn variable_values(
    context: Context<'_>,
    inputs: &TemplateInputs,
    diagnostics: &mut Diagnostics,
) -> Arena<VariableId, Value> {
    let variables = context.template().variables.iter();
    let values = variables.map(|(name, variable)| {
        if context.template().doubt.covers(&variable.declaration) {
            return Value::error();
        }
        let Some(assigned) = inputs.get(name).or(variable.default.as_ref()) else {
            return unset(context, name, variable, diagnostics);
        };
        let checked = CheckedVariable { name, variable, assigned };
        for validation in &variable.validations {
            checked.validate(validation, context, diagnostics);
        }
        assigned.value.clone()
    });
    values.collect()
}

/// Returns the unknown value of a variable without a value; reports an error if the request needs all values.
fn unset(context: Context<'_>, name: &str, variable: &Variable, diagnostics: &mut Diagnostics) -> Value {
    if context.request().inputs.strict {
        let detail = format!(
            "The variable has neither a value nor a default. Give it one with -var {name}=…, in a variable file or \
             in the environment as PKR_VAR_{name}."
        );
        let declaration = &variable.declaration;
        diagnostics.push(
            Diagnostic::error(ids::NO_VALUE, detail)
                .titled(titles::unset_variable(name))
                .at(&declaration.file, declaration.span),
        );
    }
    if variable.has_type_error {
        return Value::error();
    }
    let origins = Origins::one(OriginKind::Variable, format!("var.{name}"));
    Value::unknown_from(variable.constraint.ty.without_optional(), origins)
}

/// A variable with its value, before it is validated.
struct CheckedVariable<'v> {
    name: &'v str,
    variable: &'v Variable,
    assigned: &'v AssignedValue,
}

impl CheckedVariable<'_> {
    /// Reports a value that breaks the rule of a `validation` block. The condition can use no
    /// other name than the variable.
    fn validate(&self, validation: &Validation, context: Context<'_>, diagnostics: &mut Diagnostics) {
        let value = self.assigned.value.clone();
        let names = Variables::new().with("var", Value::object([(SmolStr::from(self.name), value)]));
        let mut found = Diagnostics::new();
        let condition = &validation.condition;
        let result = context.evaluate(condition, &names, &mut found);
        let failed = found.has_errors();
        diagnostics.extend(found);
        if failed || !result.is_known() {
            return;
        }
        let holds = if result.is_null() { None } else { convert(&result, &Type::Bool).ok() };
        let Some(holds) = holds.and_then(|holds| holds.as_bool()) else {
            let detail = "The condition of a validation must be true or false.";
            diagnostics.push(
                Diagnostic::error(ids::INVALID_CONDITION_RESULT, detail)
                    .titled(titles::INVALID_VARIABLE_VALIDATION_RESULT)
                    .at(condition.source(), condition.span()),
            );
            return;
        };
        if !holds {
            diagnostics.push(self.broken_rule(validation));
        }
    }

    fn broken_rule(&self, validation: &Validation) -> Diagnostic {
        let detail = format!("{} (the rule of the variable \"{}\")", validation.message, self.name);
        let diagnostic = Diagnostic::error(ids::VALIDATION_FAILED, detail)
            .titled(titles::invalid_value_of_source(self.assigned.source.name()));
        let rule = &validation.declaration;
        match &self.assigned.position {
            Some((file, span)) if !self.variable.sensitive => {
                diagnostic.at(file, *span).label_in(&rule.file, rule.span, "the rule that does not hold")
            }
            Some(_) | None => diagnostic.at(&rule.file, rule.span),
        }
    }
}
