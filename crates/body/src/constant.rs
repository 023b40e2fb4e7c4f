//! Constants: values of arguments that are read before evaluation, without names and functions.

use std::path::Path;

use terrane_eval::{FunctionTable, Scope, Variables, evaluate, references};
use terrane_function::{CallEnv, Dialect, Limits};
use terrane_source::{Diagnostic, Diagnostics, MemoryFiles, Span, ids};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{Type, Value, convert};

use crate::content::{Attribute, Content};

/// Returns the value of a constant expression, which must not use names or functions: a default, a value in a variable
/// file, or an argument that is read before evaluation. `None` after an error.
pub fn constant(expression: &Expression, diagnostics: &mut Diagnostics) -> Option<Value> {
    let before = diagnostics.len();
    for reference in references(expression) {
        let detail = "This value is read before evaluation, so it must be a constant: it cannot refer to other values.";
        diagnostics.push(
            Diagnostic::error(ids::VARIABLES_NOT_ALLOWED, detail).at(expression.source(), reference.span),
        );
    }
    if let Some(name) = first_call(&expression.tree, expression.id) {
        let detail =
            "This value is read before evaluation, so it must be a constant: it cannot call functions.";
        diagnostics.push(Diagnostic::error(ids::FUNCTIONS_NOT_ALLOWED, detail).at(expression.source(), name));
    }
    if diagnostics.len() > before {
        return None;
    }
    let value = without_names(expression, diagnostics);
    (diagnostics.len() == before).then_some(value)
}

/// Returns the value of an expression that has no names or functions: parts that use any are unknown.
pub fn without_names(expression: &Expression, diagnostics: &mut Diagnostics) -> Value {
    let functions = FunctionTable::only(Dialect::Modules, Vec::new());
    let limits = Limits::default();
    let files = MemoryFiles::new();
    let env = CallEnv::new(&files, Path::new("."), &limits);
    let names = Variables::default();
    let scope = Scope { names: &names, functions: &functions, env: &env };
    evaluate(expression, &scope, diagnostics)
}

/// Returns a constant of a primitive type, which may be null.
pub fn nullable_constant(expression: &Expression, ty: &Type, diagnostics: &mut Diagnostics) -> Option<Value> {
    let value = constant(expression, diagnostics)?;
    match convert(&value, ty) {
        Ok(value) => Some(value),
        Err(error) => {
            diagnostics.push(unsuitable(expression, &error.to_string()));
            None
        }
    }
}

/// Returns a constant of a primitive type.
fn constant_of(expression: &Expression, ty: &Type, diagnostics: &mut Diagnostics) -> Option<Value> {
    let value = nullable_constant(expression, ty, diagnostics)?;
    if value.is_null() {
        diagnostics.push(unsuitable(expression, "it must not be null"));
        return None;
    }
    Some(value)
}

fn unsuitable(expression: &Expression, problem: &str) -> Diagnostic {
    let detail = format!("This value cannot be used: {problem}.");
    Diagnostic::error(ids::UNSUITABLE_VALUE, detail).at(expression.source(), expression.span())
}

/// Returns a constant string.
pub fn constant_string(expression: &Expression, diagnostics: &mut Diagnostics) -> Option<String> {
    let value = constant_of(expression, &Type::String, diagnostics)?;
    value.as_str().map(str::to_owned)
}

/// Returns the constant bool of an argument.
pub fn bool_of(attribute: Option<&Attribute>, diagnostics: &mut Diagnostics) -> Option<bool> {
    constant_of(&attribute?.literal(), &Type::Bool, diagnostics)?.as_bool()
}

/// Whether an argument such as `sensitive` makes a value a secret. A wrong argument does, so
/// that the value stays hidden.
pub fn is_secret(content: &Content, name: &str, diagnostics: &mut Diagnostics) -> bool {
    let attribute = content.attribute(name);
    attribute.is_some() && bool_of(attribute, diagnostics).unwrap_or(true)
}

/// Returns the constant string of an argument.
pub fn string_of(attribute: Option<&Attribute>, diagnostics: &mut Diagnostics) -> Option<String> {
    constant_string(&attribute?.literal(), diagnostics)
}

/// Returns the span of the name of the first function call in an expression.
fn first_call(tree: &Tree, id: ExprId) -> Option<Span> {
    let mut found = None;
    tree.expressions(id, &mut |id| {
        if let (None, Expr::Call(call)) = (found, tree.expr(id)) {
            found = Some(tree.call(call).name);
        }
    });
    found
}
