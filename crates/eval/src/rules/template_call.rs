//! `templatefile` and `templatestring`.

use std::sync::Arc;

use terrane_function::{Call, FunctionError, beginning};
use terrane_source::{Diagnostic, FileId, SourceFile, ids};
use terrane_syntax::{Expr, Expression, NAME_RULE, is_identifier, parse_template};
use terrane_value::{Entries, Type, Value, convert, with_article};

use crate::functions::work::{WORK_OF_EXPRESSION, work_to_parse};
use crate::names::references::references;
use crate::names::scope::{Lookup, Names, Reference, Scope};
use crate::rules::evaluator::Evaluator;
use crate::state::failures::{TEMPLATE_FAILED, TEMPLATE_INVALID, summary};
use crate::state::invocation::{Argument, Invocation, Sensitive};
use crate::state::nested_run::NestedRun;

/// Reads the template from the arguments of the call.
type TemplateSource = dyn Fn(&Call<'_>) -> Result<Arc<SourceFile>, FunctionError>;

/// How a function gets its template.
struct TemplateRules<'r> {
    source: &'r TemplateSource,
    /// Whether the function checks the arguments of a call itself, as `templatestring` does in some dialects.
    checks_arguments: bool,
}

impl Evaluator<'_> {
    /// Returns the error for a template that is written in the call although a reference is required.
    fn misplaced_template(&self, invocation: &Invocation<'_>) -> Option<FunctionError> {
        let Some(Argument::Expr(template)) = invocation.arguments.get(0) else { return None };
        let is_reference = matches!(self.tree.inside_parentheses(template).1, Expr::Traversal { .. });
        let takes_reference = invocation.scope.functions.semantics().template_string_takes_reference;
        let message = "the argument must be a reference to a template; write a template literal directly, without \
             the function";
        (takes_reference && !is_reference).then(|| FunctionError::argument(0, message))
    }

    /// Evaluates `templatefile(path, variables)`.
    pub(super) fn call_template_file(&mut self, invocation: &Invocation<'_>) -> Value {
        self.call_template(invocation, &TemplateRules { source: &template_of_file, checks_arguments: false })
    }

    /// Evaluates `templatestring(template, variables)`.
    pub(super) fn call_template_string(&mut self, invocation: &Invocation<'_>) -> Value {
        let checks_arguments = invocation.scope.functions.semantics().template_string_checks_arguments;
        match self.misplaced_template(invocation) {
            Some(error) => self.failed_call(invocation, &error, Sensitive::NONE),
            None => {
                let rules = TemplateRules { source: &template_of_string, checks_arguments };
                self.call_template(invocation, &rules)
            }
        }
    }

    fn call_template(&mut self, invocation: &Invocation<'_>, rules: &TemplateRules<'_>) -> Value {
        let semantics = invocation.scope.functions.semantics();
        if !self.frame.templates.is_empty() && !semantics.templates_nest {
            let error = FunctionError::new("a template cannot render another one");
            return self.failed_call(invocation, &error, Sensitive::NONE);
        }
        let Some(first) = self.push_arguments(invocation) else { return Value::error() };
        let mut run = self.begin_nested();
        let (result, sensitive) = self.call_applied(invocation, first, &mut |call| {
            if let Some(text) = rules.text_of_unknown(call)? {
                return Ok(text);
            }
            let template = rules.template(call)?;
            let rendered = render(&template, call, invocation.scope, &mut run)?;
            if rendered.is_null() && semantics.refuses_null_templates {
                return Err(FunctionError::new("the result of the template is null"));
            }
            let variables = call.argument(1);
            // If the result is always a string, it also has the marks of variables that the template does not use.
            let (rendered, marks) = if *call.result_type == Type::String {
                call.spend(if variables.contains_marked() { variables.size() } else { 0 })?;
                (as_text(&rendered)?, variables.marks_deep())
            } else {
                (rendered, variables.marks().clone())
            };
            Ok(rendered.with_marks(call.argument(0).marks()).with_marks(&marks))
        });
        self.end_nested(invocation, run, result, sensitive.of_template())
    }
}

impl TemplateRules<'_> {
    /// Returns the result of a call with an unknown template or unknown variables, if the function checks its arguments itself.
    fn text_of_unknown(&self, call: &Call<'_>) -> Result<Option<Value>, FunctionError> {
        if !self.checks_arguments {
            return Ok(None);
        }
        let (template, variables) = (call.argument(0), call.argument(1));
        let is_unknown = |value: &&Value| value.as_unknown().is_some();
        let unknown = [template, variables].into_iter().filter(is_unknown).map(Value::origins_deep);
        if let Some(origins) = unknown.reduce(|all, more| all.union(&more)) {
            let text = Value::unknown_from(Type::String, origins).not_null();
            return Ok(Some(text.with_marks(&variables.marks_deep())));
        }
        match convert(template, &Type::String) {
            Ok(_) if template.ty() == Type::String => Ok(None),
            Ok(_) => {
                let message = format!("a string is required, not a {}", template.ty().plain_name());
                Err(FunctionError::argument(0, message))
            }
            Err(error) => Err(FunctionError::of_argument(0, error)),
        }
    }

    /// Returns the parsed template of a call.
    fn template(&self, call: &Call<'_>) -> Result<Expression, FunctionError> {
        let source = (self.source)(call)?;
        call.spend(work_to_parse(source.text()))?;
        let parsed = parse_template(&source);
        call.spend(parsed.tree.expr_count().saturating_mul(WORK_OF_EXPRESSION))?;
        if parsed.diagnostics.is_empty() {
            return Ok(Expression { tree: parsed.tree, id: parsed.root });
        }
        let message = format!("{TEMPLATE_INVALID}{}", summary(&parsed.diagnostics));
        Err(match self.checks_arguments {
            true => FunctionError::argument(0, message),
            false => FunctionError::new(message),
        })
    }
}

fn template_of_file(call: &Call<'_>) -> Result<Arc<SourceFile>, FunctionError> {
    let path = call.string(0);
    // The path is read several times, as by `file`.
    call.spend(path.len())?;
    let home = path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/'));
    let resolved = match (home, call.env.world.home) {
        (Some(below), Some(home)) => home.join(below.trim_start_matches('/')),
        (Some(_), None) => {
            return Err(FunctionError::argument(0, "the home directory of the user is not known here"));
        }
        (None, _) => call.env.resolve(path),
    };
    let unreadable = |reason: String| FunctionError::argument(0, reason);
    let bytes = call.read_file(&resolved, 0)?.map_err(|error| unreadable(error.to_string()))?;
    SourceFile::from_bytes(FileId::new(path), bytes)
        .map_err(|diagnostic| FunctionError::new(diagnostic.detail))
}

fn template_of_string(call: &Call<'_>) -> Result<Arc<SourceFile>, FunctionError> {
    Ok(SourceFile::new(FileId::new("<templatestring argument>"), call.string(0)))
}

/// The variables of a template, read in place without copying them.
struct TemplateVariables<'v>(&'v Entries);

impl Names for TemplateVariables<'_> {
    fn stored(&self, root: &str) -> Option<&Value> {
        self.0.get(root)
    }

    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        match self.0.get(reference.root) {
            Some(value) => Lookup::Found { value: value.clone(), consumed: 0 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        self.0.keys().map(ToString::to_string).collect()
    }
}

/// The bytes of the name of a variable that are checked in a unit of work.
const NAME_BYTES_OF_WORK: usize = 32;

/// Returns the value of a template whose variables are the entries of the second argument.
fn render(
    expression: &Expression,
    call: &Call<'_>,
    scope: &Scope<'_>,
    run: &mut NestedRun,
) -> Result<Value, FunctionError> {
    let Some(variables) = call.argument(1).as_entries() else {
        return Err(FunctionError::argument(1, "it must be a map or an object"));
    };
    call.spend(variables.keys().map(|name| 1 + name.len() / NAME_BYTES_OF_WORK).sum())?;
    check_variables(expression, variables)?;
    let inner = Scope { names: &TemplateVariables(variables), ..*scope };
    let mut evaluator = Evaluator::new(&expression.tree, &inner);
    let source = expression.source();
    let calls_itself =
        run.templates.iter().any(|outer| outer.id() == source.id() && outer.text() == source.text());
    evaluator.frame.templates = run.templates.clone();
    evaluator.frame.templates.push(Arc::clone(source));
    let (value, mut found) = evaluator.eval_nested(expression.id, run);
    // A template that endlessly includes itself makes the call fail, as in the reference.
    for diagnostic in found.iter_mut().filter(|found| calls_itself && found.id == ids::TOO_DEEP) {
        "The template calls itself, directly or through others, without end."
            .clone_into(&mut diagnostic.detail);
    }
    if found.iter().any(Diagnostic::is_error) {
        return Err(FunctionError::new(format!("{TEMPLATE_FAILED}{}", summary(&found))));
    }
    Ok(value)
}

/// Returns the value of a template as a string if its result must be a string.
fn as_text(rendered: &Value) -> Result<Value, FunctionError> {
    convert(rendered, &Type::String).map_err(|_| {
        let given = with_article(&rendered.ty().plain_name());
        FunctionError::new(format!("the result of the template is {given}, not a string"))
    })
}

/// Checks that each variable has a valid name, and that each name in the template is a variable.
fn check_variables(template: &Expression, variables: &Entries) -> Result<(), FunctionError> {
    if let Some(name) = variables.keys().find(|name| !is_identifier(name)) {
        let message = format!("{:?} cannot be the name of a template variable: {NAME_RULE}", beginning(name));
        return Err(FunctionError::argument(1, message));
    }
    let missing = references(template).into_iter().find(|reference| variables.get(reference.root).is_none());
    let Some(reference) = missing else { return Ok(()) };
    let message = format!(
        "the template uses \"{}\" (at {}), which is not among the given variables",
        reference.root,
        template.source().position(reference.span.start)
    );
    Err(FunctionError::argument(1, message))
}
