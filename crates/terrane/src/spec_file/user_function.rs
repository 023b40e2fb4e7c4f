//! Reads the `function` blocks of a spec file: functions that the decoded bodies may call.

use std::sync::Arc;

use terrane_body::{Block, BodySchema};
use terrane_eval::{FunctionTable, Scope, Variables, evaluate};
use terrane_function::{Call, Function, FunctionError, Parameter, ResultType};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::{Expr, Expression};
use terrane_value::{Type, Value};

/// Returns the function that a block declares. Its result may call `functions`. `None` if the block has errors.
pub(super) fn function(
    block: &Block,
    functions: &Arc<FunctionTable>,
    diagnostics: &mut Diagnostics,
) -> Option<Function> {
    let schema = BodySchema::new().required("params").required("result").optional("variadic_param");
    let mut found = Diagnostics::new();
    let content = block.body.content(&schema, &mut found);
    let function = (!found.has_errors()).then(|| {
        let names = parameters(&content.attribute("params")?.expression(&mut found), &mut found)?;
        let variadic = match content.attribute("variadic_param") {
            Some(attribute) => Some(variadic(&attribute.expression(&mut found), &mut found)?),
            None => None,
        };
        let result = content.attribute("result")?.expression(&mut found);
        let name = block.labels.first()?.text.to_string();
        Some(Closure { names, variadic, result, functions: Arc::clone(functions) }.function(name))
    });
    diagnostics.extend(found);
    function?
}

fn parameters(list: &Expression, diagnostics: &mut Diagnostics) -> Option<Vec<String>> {
    let Expr::Tuple(elements) = list.tree.expr(list.id) else {
        let detail = "The parameters must be a list of names, such as [a, b].";
        diagnostics.push(Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(list.source(), list.span()));
        return None;
    };
    let mut names = Vec::new();
    for element in list.tree.list(elements) {
        let Some(name) = list.tree.plain_key(*element) else {
            let detail = "A parameter must be a name, without quotes.";
            let diagnostic = Diagnostic::error(ids::INVALID_PARAMETER, detail);
            diagnostics.push(diagnostic.at(list.source(), list.tree.span(*element)));
            return None;
        };
        names.push(name.to_owned());
    }
    Some(names)
}

fn variadic(name: &Expression, diagnostics: &mut Diagnostics) -> Option<String> {
    let found = name.tree.plain_key(name.id);
    if found.is_none() {
        let detail = "The parameter for further arguments must be a name, without quotes.";
        let diagnostic = Diagnostic::error(ids::INVALID_VARIADIC_PARAMETER, detail);
        diagnostics.push(diagnostic.at(name.source(), name.span()));
    }
    found.map(str::to_owned)
}

/// An expression over the arguments of a call.
struct Closure {
    names: Vec<String>,
    variadic: Option<String>,
    result: Expression,
    functions: Arc<FunctionTable>,
}

impl Closure {
    fn function(self, name: String) -> Function {
        let this = Arc::new(self);
        let (typing, body) = (Arc::clone(&this), Arc::clone(&this));
        let ty = ResultType::computed(move |call| Ok(typing.evaluate(call)?.ty()));
        let function =
            Function::new(name, "A function of the spec file.", ty, move |call| body.evaluate(call));
        let parameter = |name: &String| Parameter::new(name.clone(), Type::Dynamic);
        let function = this.names.iter().map(parameter).fold(function.nullable(), Function::parameter);
        this.variadic.iter().map(parameter).fold(function, Function::variadic)
    }

    fn evaluate(&self, call: &Call<'_>) -> Result<Value, FunctionError> {
        let mut names: Variables = self.names.iter().cloned().zip(call.arguments.iter().cloned()).collect();
        if let Some(variadic) = &self.variadic {
            names.insert(variadic.clone(), Value::tuple(call.rest(self.names.len()).iter().cloned()));
        }
        let scope = Scope { names: &names, functions: &self.functions, env: call.env };
        let mut diagnostics = Diagnostics::new();
        let value = evaluate(&self.result, &scope, &mut diagnostics);
        match diagnostics.as_slice().iter().find(|found| found.is_error()) {
            Some(error) => Err(FunctionError::new(format!("{}: {}", error.title(), error.detail))),
            None => Ok(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::SpecFile;

    /// Returns the titles and spans of the diagnostics of a spec file.
    fn mistakes(functions: &str) -> Vec<(String, u32, u32)> {
        let text = format!("{functions}\nattr {{\n  name = \"x\"\n  type = any\n}}\n");
        let found =
            SpecFile::parse("spec.hcldec", &text).map_or_else(|found| found, |_| crate::Diagnostics::new());
        let title_and_span = |found: &crate::Diagnostic| {
            let span = found.subject.as_ref().unwrap().span;
            (found.title().to_owned(), span.start, span.end)
        };
        found.as_slice().iter().map(title_and_span).collect()
    }

    #[test]
    fn declarations_have_the_errors_of_hcldec() {
        let cases = [
            ("params = [a]\nresult = 1", vec![]),
            ("params = [\"v\"]\nresult = 1", vec![("Invalid param element", 25, 28)]),
            ("params = [a.b]\nresult = 1", vec![("Invalid param element", 25, 28)]),
            ("params = v\nresult = 1", vec![("Invalid expression", 24, 25)]),
            ("params = []\nvariadic_param = \"v\"\nresult = 1", vec![("Invalid variadic_param", 44, 47)]),
            ("params = []", vec![("Missing required argument", 13, 13)]),
            ("result = 1", vec![("Missing required argument", 13, 13)]),
            ("params = []\nresult = 1\ntype = any", vec![("Unsupported argument", 38, 42)]),
        ];
        for (body, expected) in cases {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(title, start, end): (&str, _, _)| (title.to_owned(), start, end))
                .collect();
            assert_eq!(mistakes(&format!("function \"f\" {{\n{body}\n}}\n")), expected, "{body}");
        }
        assert_eq!(
            mistakes("function {\nparams = []\nresult = 1\n}\n"),
            [("Missing name for function".to_owned(), 9, 10)]
        );
    }
}
