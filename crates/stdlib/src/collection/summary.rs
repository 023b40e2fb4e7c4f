//! Functions that reduce the elements of a collection to one result.

use terrane_function::{Availability, Call, Cost, Function, FunctionError, Parameter, Product, ResultType};
use terrane_value::{Agreement, Number, Type, Value, convert};

use super::elements::is_sequence;

pub(super) fn functions() -> Vec<Function> {
    vec![
        Function::new(
            "alltrue",
            "Returns true if all elements of a list are true, or if the list is empty.",
            ResultType::Fixed(Type::Bool),
            alltrue,
        )
        .parameter(Parameter::new("list", Type::list(Type::Bool)))
        .since(Availability::modules().early_terraform(14).packer(12))
        .examples(&[(r#"alltrue([true, "true"])"#, "true"), ("alltrue([])", "true")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "anytrue",
            "Returns true if at least one element of a list is true.",
            ResultType::Fixed(Type::Bool),
            anytrue,
        )
        .parameter(Parameter::new("list", Type::list(Type::Bool)))
        .since(Availability::modules().early_terraform(14).packer(12))
        .examples(&[("anytrue([false, true])", "true")])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "sum",
            "Returns the sum of the numbers of a list, set or tuple, which must not be empty.",
            ResultType::Fixed(Type::Number),
            sum,
        )
        .parameter(Parameter::new("list", Type::Dynamic).any_kind(Agreement::Elements))
        .since(Availability::modules().early_terraform(13).packer(13))
        .declared_dynamic(&[Product::Terraform, Product::OpenTofu])
        .examples(&[("sum([10, 2, 0.5])", "12.5")])
        .cost(Cost::Light)
        .pure(),
    ]
}

fn alltrue(call: &Call<'_>) -> Result<Value, FunctionError> {
    // The first element that is false, null or unknown decides.
    match call.sequence(0).iter().find(|element| element.as_bool() != Some(true)) {
        None => Ok(Value::TRUE),
        Some(element) if element.is_known() => Ok(Value::FALSE),
        Some(_) => Ok(call.unknown()),
    }
}

fn anytrue(call: &Call<'_>) -> Result<Value, FunctionError> {
    let elements = call.sequence(0);
    if elements.iter().any(|element| element.as_bool() == Some(true)) {
        return Ok(Value::TRUE);
    }
    Ok(if elements.iter().all(Value::is_known) { Value::FALSE } else { call.unknown() })
}

fn sum(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    if !is_sequence(list) {
        return Err(call.invalid(0, "a list, set or tuple of numbers is required"));
    }
    if call.sequence(0).is_empty() {
        return Err(call.invalid(0, "an empty list has no sum"));
    }
    if !list.is_wholly_known() {
        return Ok(call.unknown());
    }
    // An addition takes longer than passing an element on.
    call.spend(call.sequence(0).len().saturating_mul(2))?;
    let mut sum = None;
    for element in call.sequence(0) {
        let converted = convert(element, &Type::Number).ok();
        let Some(number) = converted.as_ref().and_then(Value::as_number) else {
            return Err(call.invalid(0, "the elements must be numbers"));
        };
        sum = Some(match sum {
            None => number.clone(),
            Some(sum) => add(&sum, number)?,
        });
    }
    Ok(sum.map_or(Value::NULL, Value::number))
}

fn add(left: &Number, right: &Number) -> Result<Number, FunctionError> {
    left.add(right).map_err(|_| FunctionError::new("opposite infinities have no sum"))
}
