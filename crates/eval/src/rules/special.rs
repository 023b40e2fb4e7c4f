use std::sync::Arc;

use terrane_function::{Call, Cost, FunctionError, Product};
use terrane_source::{Diagnostic, FileId, SourceFile, ids};
use terrane_syntax::{Expr, ExprId, Expression, parse_expr, parse_template};
use terrane_value::{Entries, Type, Value, convert};

use crate::names::references::references;
use crate::rules::call::{Argument, Making, Sensitive};
use crate::rules::evaluator::{Evaluator, Spent};
use crate::rules::type_constraint::{constraint_of, type_without_defaults};
use crate::{Scope, Special, Variables};

impl Evaluator<'_> {
    /// A call of a function that needs unevaluated arguments or the evaluator.
    pub(crate) fn call_special(&mut self, special: Special, making: &Making<'_>) -> Value {
        match special {
            Special::Try => self.call_try(making),
            Special::Can => self.call_can(making),
            Special::Convert => self.call_convert(making),
            Special::TemplateFile => self.call_template(making, &template_of_file),
            Special::TemplateString => match self.misplaced_template(making) {
                Some(error) => self.failed_call(making, &error, Sensitive::NONE),
                None => self.call_template(making, &template_of_string),
            },
            Special::Type => self.call_type(making),
            Special::EncodeTfvars => self.call_encode_tfvars(making),
            Special::DecodeTfvars => self.call_decode_tfvars(making),
            Special::EncodeExpr => self.call_encode_expr(making),
        }
    }

    /// The first result without an error. Where anything in it is unknown, it may still fail once it is known,
    /// so nothing can be said about the result.
    fn call_try(&mut self, making: &Making<'_>) -> Value {
        let mut failures = Vec::new();
        for argument in making.arguments.iter() {
            let (value, errors) = self.attempt(argument);
            if self.is_stopped() {
                return Value::error();
            }
            if !errors.iter().any(Diagnostic::is_error) {
                return if value.is_wholly_known() {
                    value
                } else {
                    Value::unknown_from(Type::Dynamic, value.origins_deep())
                };
            }
            failures.extend(errors);
        }
        let error = if failures.is_empty() {
            FunctionError::new("at least one argument is needed")
        } else {
            FunctionError::new(format!("all arguments have errors:{}", summary(&failures)))
        };
        self.failed_call(making, &error, Sensitive::NONE)
    }

    fn call_can(&mut self, making: &Making<'_>) -> Value {
        let Some(argument) = making.arguments.get(0) else { return Value::error() };
        let (value, errors) = self.attempt(argument);
        if self.is_stopped() {
            Value::error()
        } else if errors.iter().any(Diagnostic::is_error) {
            Value::FALSE
        } else if value.is_wholly_known() {
            Value::TRUE
        } else {
            Value::unknown_from(Type::Bool, value.origins_deep())
        }
    }

    /// The value of an argument and the diagnostics that were found on the way. Where it may turn out to be an error,
    /// the value is unknown.
    fn attempt(&mut self, argument: Argument) -> (Value, Vec<Diagnostic>) {
        let mark = self.diagnostics.len();
        let outer = std::mem::take(&mut self.doubt);
        self.attempts += 1;
        let value = self.argument_value(argument);
        self.attempts -= 1;
        let doubt = std::mem::replace(&mut self.doubt, outer);
        let errors = self.diagnostics.split_off(mark);
        if doubt.is_empty() {
            return (value, errors);
        }
        (Value::unknown_from(Type::Dynamic, doubt.union(&value.origins_deep())), errors)
    }

    fn call_convert(&mut self, making: &Making<'_>) -> Value {
        let (Some(value), Some(Argument::Expr(ty))) = (making.arguments.get(0), making.arguments.get(1))
        else {
            return self.failed_call(
                making,
                &FunctionError::argument(1, "a type is needed"),
                Sensitive::NONE,
            );
        };
        let mark = self.diagnostics.len();
        let value = self.argument_value(value);
        let work = Cost::Linear.of(std::slice::from_ref(&value));
        self.count_work(work);
        if work > self.limits.work {
            let error = FunctionError::argument(0, "the value is too large to be converted");
            return self.failed_call(making, &error, Sensitive::NONE);
        }
        let mut found = Vec::new();
        let is_packer = making.scope.functions.dialect().product() == Some(Product::Packer);
        let constraint = if is_packer {
            type_without_defaults(self.tree, ty, self.limits, &mut found)
        } else {
            constraint_of(self.tree, ty, self.limits, &mut found)
        };
        self.diagnostics.extend(found);
        if self.has_errors_since(mark) {
            return Value::error();
        }
        let result = constraint.convert(&value).and_then(|converted| {
            // In Packer the type of the result comes first, and in it no attribute is optional any more.
            if is_packer { convert(&value, &converted.ty()) } else { Ok(converted) }
        });
        result.unwrap_or_else(|error| {
            self.failed_call(making, &FunctionError::of_argument(0, error), Sensitive::NONE)
        })
    }

    /// In Terraform the template must be a reference, so that no one writes one where a plain template does.
    fn misplaced_template(&self, making: &Making<'_>) -> Option<FunctionError> {
        let Some(Argument::Expr(template)) = making.arguments.get(0) else { return None };
        let is_reference = matches!(self.tree.inside_parentheses(template).1, Expr::Traversal { .. });
        let is_terraform = making.scope.functions.dialect().product() == Some(Product::Terraform);
        let message =
            "a reference to the template is needed; a template that is written here needs no function";
        (is_terraform && !is_reference).then(|| FunctionError::argument(0, message))
    }

    fn call_template(&mut self, making: &Making<'_>, template: &TemplateSource) -> Value {
        let product = making.scope.functions.dialect().product();
        if !self.templates.is_empty() && matches!(product, Some(Product::Terraform | Product::Packer)) {
            let error = FunctionError::new("a template cannot render another one");
            return self.failed_call(making, &error, Sensitive::NONE);
        }
        let Some(first) = self.push_arguments(making) else { return Value::error() };
        let mut run = self.run();
        let (result, sensitive) = self.call_applied(making, first, &mut |call| {
            let source = template(call)?;
            call.spend(work_to_parse(source.text()))?;
            let rendered = render(&source, call, making.scope, &mut run)?;
            if rendered.is_null() && product == Some(Product::Terraform) {
                return Err(FunctionError::new("the template gives null"));
            }
            let variables = call.argument(1);
            // Where the result is a string in any case, it has the marks of variables that the template does not use, too.
            let (rendered, marks) = if *call.result_type == Type::String {
                (as_text(&rendered)?, variables.unmark_deep().1)
            } else {
                (rendered, variables.marks().clone())
            };
            Ok(rendered.with_marks(call.argument(0).marks()).with_marks(&marks))
        });
        self.ended(making, run, result, sensitive)
    }

    /// A call that evaluates other expressions begins.
    pub(crate) fn run(&self) -> Run {
        let spent = self.spent();
        let (depth, templates) = (self.depth + LEVELS_OF_TEMPLATE, self.templates.clone());
        Run { depth, spent, steps_before: spent.steps, stopped_by: None, templates }
    }

    /// The value of a call that has evaluated other expressions.
    pub(crate) fn ended(
        &mut self,
        making: &Making<'_>,
        mut run: Run,
        result: Result<Value, FunctionError>,
        sensitive: Sensitive,
    ) -> Value {
        // What the call itself had to do comes on top of what the expressions did.
        let own = self.spent().steps.saturating_sub(run.steps_before);
        run.spent.steps = run.spent.steps.saturating_add(own);
        self.go_on_from(run.spent);
        if run.stopped_by.is_some() {
            self.stopped_by = run.stopped_by;
            return Value::error();
        }
        match result {
            Ok(value) => value,
            Err(error) => self.failed_call(making, &error, sensitive),
        }
    }
}

/// As how many levels of nesting a template counts besides the call and the expressions in it, by what it takes of the stack: as
/// many levels as there may be by default fit into the two megabytes that a thread has, in a debug build, too.
const LEVELS_OF_TEMPLATE: usize = 2;

/// What goes on in the expressions that a call evaluates, such as those of a template.
pub(crate) struct Run {
    depth: usize,
    spent: Spent,
    /// The steps that had been taken before.
    steps_before: u64,
    stopped_by: Option<Diagnostic>,
    /// The templates around it.
    templates: Vec<Arc<SourceFile>>,
}

/// Finds the text of a template from the arguments of the call.
type TemplateSource = dyn Fn(&Call<'_>) -> Result<Arc<SourceFile>, FunctionError>;

fn template_of_file(call: &Call<'_>) -> Result<Arc<SourceFile>, FunctionError> {
    let path = call.string(0);
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

/// What it takes up of the work of a call to parse a template: the more of it is not text, the longer it takes.
pub(crate) fn work_to_parse(template: &str) -> usize {
    let signs = template.bytes().filter(|byte| matches!(byte, b'$' | b'%')).count();
    WORK_OF_TEMPLATE + template.len() / TEMPLATE_BYTES_OF_WORK + signs * WORK_OF_SIGN
}

/// What a template takes up that is empty.
const WORK_OF_TEMPLATE: usize = 200;

/// In each unit of work, so many bytes of plain text are read at least,
const TEMPLATE_BYTES_OF_WORK: usize = 2;

/// what follows a dollar or percent sign takes so many,
const WORK_OF_SIGN: usize = 16;

/// and each expression so many: the tree of a text may be much larger than the text.
const WORK_OF_TREE: usize = 4;

/// The value of a template whose variables are the entries of the second argument.
fn render(
    source: &Arc<SourceFile>,
    call: &Call<'_>,
    scope: &Scope<'_>,
    run: &mut Run,
) -> Result<Value, FunctionError> {
    let parsed = parse_template(source);
    call.spend(parsed.tree.expr_count().saturating_mul(WORK_OF_TREE))?;
    if !parsed.diagnostics.is_empty() {
        return Err(FunctionError::new(format!("{TEMPLATE_INVALID}{}", summary(&parsed.diagnostics))));
    }
    let Some(variables) = call.argument(1).as_entries() else {
        return Err(FunctionError::argument(1, "a map or an object is needed"));
    };
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    check_variables(&expression, variables)?;
    let names: Variables = variables.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    let inner = Scope { names: &names, ..*scope };
    let mut evaluator = Evaluator::new(&expression.tree, &inner);
    let calls_itself =
        run.templates.iter().any(|outer| outer.id() == source.id() && outer.text() == source.text());
    evaluator.templates = run.templates.clone();
    evaluator.templates.push(Arc::clone(source));
    let (value, mut found) = evaluated(&mut evaluator, expression.id, run);
    // A template that includes itself without end is a failure of the call, as in the reference.
    for diagnostic in found.iter_mut().filter(|found| calls_itself && found.id == ids::TOO_DEEP) {
        "The template calls itself, directly or through others, without end."
            .clone_into(&mut diagnostic.detail);
    }
    if found.iter().any(Diagnostic::is_error) {
        return Err(FunctionError::new(format!("{TEMPLATE_FAILED}{}", summary(&found))));
    }
    Ok(value)
}

/// The value of an expression that a call evaluates, with what was found.
pub(crate) fn evaluated(
    evaluator: &mut Evaluator<'_>,
    expression: ExprId,
    run: &mut Run,
) -> (Value, Vec<Diagnostic>) {
    evaluator.depth = run.depth;
    evaluator.start_from(run.spent);
    let value = evaluator.eval(expression);
    evaluator.keep(&value);
    // A result that is not taken may have had it.
    if let Some(limit) = evaluator.stopped_by.clone()
        && !evaluator.has_errors_since(0)
    {
        evaluator.diagnostics.push(limit);
    }
    let limit = evaluator.stopped_by.as_ref().filter(|limit| limit.id != ids::TOO_DEEP);
    run.stopped_by = limit.cloned();
    run.spent = Spent { stopped: limit.is_some(), ..evaluator.spent() };
    (value, std::mem::take(&mut evaluator.diagnostics))
}

/// What a template gave, where the result must be a string.
fn as_text(rendered: &Value) -> Result<Value, FunctionError> {
    convert(rendered, &Type::String).map_err(|_| {
        let given = rendered.ty().plain_name();
        FunctionError::new(format!("the template gives a {given}, not a string"))
    })
}

/// Whether each variable can be named, and each name in the template is a variable.
fn check_variables(template: &Expression, variables: &Entries) -> Result<(), FunctionError> {
    if let Some(name) = variables.keys().find(|name| !is_name(name)) {
        let message = format!(
            "{name:?} cannot be the name of a template variable: a name has only letters, digits, underscores and \
             dashes and starts with a letter"
        );
        return Err(FunctionError::argument(1, message));
    }
    let missing = references(template).into_iter().find(|reference| variables.get(reference.root).is_none());
    let Some(reference) = missing else { return Ok(()) };
    let source = template.source();
    let at = source.lines().line_column(source.text(), reference.span.start);
    let message = format!(
        "the template uses \"{}\" (at {}:{}:{}), which is not among the given variables",
        reference.root,
        source.id(),
        at.line,
        at.column
    );
    Err(FunctionError::argument(1, message))
}

/// Whether `text` is an identifier, a keyword too.
fn is_name(text: &str) -> bool {
    let parsed = parse_expr(&SourceFile::new(FileId::new("name"), text));
    let is_word = match parsed.tree.expr(parsed.root) {
        Expr::Traversal { steps, .. } => steps.is_empty(),
        Expr::Literal(_) => matches!(text, "null" | "true" | "false"),
        Expr::Missing
        | Expr::Template { .. }
        | Expr::Relative { .. }
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Call(_)
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::Tuple(_)
        | Expr::Object(_)
        | Expr::For(_)
        | Expr::Parens(_) => false,
    };
    is_word && parsed.diagnostics.is_empty() && parsed.tree.expr_text(parsed.root) == text
}

/// What is said before the messages about a template.
const TEMPLATE_INVALID: &str = "the template is not valid:";
const TEMPLATE_FAILED: &str = "the template has errors:";

/// The first few messages, each on its own line. Where a template failed within the template, its messages stand for
/// it, so that what is wrong comes once, however deep it is.
pub(crate) fn summary(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).take(5) {
        let inner =
            [TEMPLATE_INVALID, TEMPLATE_FAILED].iter().find_map(|words| diagnostic.detail.split_once(words));
        if let Some((_, messages)) = inner {
            text.push_str(messages);
            continue;
        }
        let place = diagnostic.subject.as_ref().map(|subject| {
            let at = subject.file.lines().line_column(subject.file.text(), subject.span.start);
            format!(" (at {}:{}:{})", subject.file.id(), at.line, at.column)
        });
        let place = place.unwrap_or_default();
        text.push_str(&format!("\n- {}{place}: {}", diagnostic.title(), diagnostic.detail));
    }
    text
}
