//! Rows of `functions.json`: the functions and their parameters.

use terrane_eval::{Callee, FunctionTable};

use super::check::Mismatch;
use super::compare::parse_type;
use super::row::{ParameterRow, SignatureRow};
use crate::engine;

/// Compares the parameters of a function with its row: their types, and whether there may be more.
///
/// # Errors
///
/// The first difference.
pub fn check(row: &SignatureRow) -> Result<(), Mismatch> {
    let wanted = text(row)?;
    let found = signature(engine::functions(), &row.name);
    let found = found.ok_or_else(|| Mismatch::new("name", &wanted, "no such function"))?;
    if found == wanted { Ok(()) } else { Err(Mismatch::new("parameters", wanted, found)) }
}

fn text(row: &SignatureRow) -> Result<String, Mismatch> {
    let parameter = |parameter: &ParameterRow| match parse_type(&parameter.r#type) {
        Ok(ty) => Ok(ty.to_string()),
        // Functions that evaluate their arguments themselves take any expression.
        Err(_) if parameter.r#type.get() == "\"expression closure\"" => Ok("any".to_owned()),
        Err(message) => Err(Mismatch::new("the row", message, "")),
    };
    let mut parameters = row.params.iter().map(parameter).collect::<Result<Vec<_>, _>>()?;
    if let Some(more) = &row.var_param {
        parameters.push(format!("{}...", parameter(more)?));
    }
    Ok(format!("{}({})", row.name, parameters.join(", ")))
}

fn signature(functions: &FunctionTable, name: &str) -> Option<String> {
    let (Callee::Function(function) | Callee::Special(_, function)) = functions.get(name)?;
    let mut parameters: Vec<String> =
        function.parameters.iter().map(|parameter| parameter.ty.to_string()).collect();
    parameters.extend(function.variadic.iter().map(|more| format!("{}...", more.ty)));
    Some(format!("{name}({})", parameters.join(", ")))
}
