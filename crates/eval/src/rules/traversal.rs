//! Evaluates names and the steps after them: `var.list[0].id`.

use terrane_source::{Span, ids};
use terrane_syntax::tree::{List, Step};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Known, Number, Origins, Type, Value, ValueError, convert, ops};

use crate::names::scope::{Lookup, Reference};
use crate::rules::evaluator::Evaluator;

impl<'e> Evaluator<'e> {
    /// Evaluates `name.step[step]`.
    pub(crate) fn traversal(&mut self, id: ExprId, root_end: u32, steps: List<Step>) -> Value {
        let reference = self.reference(id, root_end, steps);
        if let Some(value) = self.frame.bound(reference.root) {
            let (value, steps) = first_attribute(&reference, value);
            return self.apply_steps(value, steps);
        }
        let found = self.frame.scope().map(|scope| scope.names.lookup(&reference));
        let Some(Lookup::Found { value, consumed }) = found else {
            self.report_undeclared(&reference);
            return self.failed_steps(reference.steps);
        };
        if let (true, Some(scope)) = (self.attempt.is_active(), self.frame.scope()) {
            self.attempt.add_unknown_instances(&scope.names.unknown_instances(&reference));
        }
        // The scope reports errors in the steps that it has consumed.
        let value = self.apply_steps(value, reference.steps.get(consumed..).unwrap_or_default());
        self.counted(id, value)
    }

    pub(crate) fn reference(&self, id: ExprId, root_end: u32, steps: List<Step>) -> Reference<'e> {
        let tree = self.tree;
        let span = tree.span(id);
        let root = tree.slice(Span::new(span.start, root_end));
        Reference { tree, root, steps: tree.list(steps), span, splat: None }
    }

    /// Evaluates steps after an expression that is not a name.
    pub(crate) fn relative(&mut self, source: ExprId, steps: List<Step>) -> Value {
        let (mark, before) = (self.report.mark(), self.budget.memory_mark());
        let source = self.eval(source);
        let steps = self.tree.list(steps);
        if self.report.has_errors_since(mark) && !source.is_known() {
            return self.failed_steps(steps);
        }
        let value = self.apply_steps(source.clone(), steps);
        self.budget.replace([source], &value, before);
        value
    }

    fn report_undeclared(&mut self, reference: &Reference<'_>) {
        let (root, span) = (reference.root, reference.root_span());
        let is_allowed = self.frame.scope().is_some_and(|scope| scope.names.is_allowed())
            || !self.frame.bindings.is_empty();
        if !is_allowed {
            let detail = "A variable cannot be used here. Write the value itself.";
            return self.report.error(ids::VARIABLES_NOT_ALLOWED, span, detail);
        }
        let visible = self.frame.scope().map(|scope| scope.names.visible()).unwrap_or_default();
        let locals: Vec<&str> = self.frame.bindings.iter().map(|(name, _)| *name).collect();
        let meant = self.closest(root, visible.iter().map(String::as_str).chain(locals));
        let diagnostic = self.report.diagnostic(
            ids::UNKNOWN_VARIABLE,
            span,
            format!("Nothing named \"{root}\" is declared here."),
        );
        self.report.push(diagnostic.suggest(root, meant));
    }

    /// Returns the value after `steps`. After a step that fails, only the keys of computed indexes are evaluated.
    fn apply_steps(&mut self, mut value: Value, steps: &[Step]) -> Value {
        for (index, step) in steps.iter().enumerate() {
            match self.apply_step(&value, *step) {
                Ok(next) => value = next,
                Err(error) => {
                    self.report_value_error(error, step.span(), computed_key(*step));
                    return self.failed_steps(steps.get(index + 1..).unwrap_or_default());
                }
            }
        }
        value
    }

    fn failed_steps(&mut self, steps: &[Step]) -> Value {
        for step in steps {
            if let Step::Index { key, .. } = step {
                self.eval(*key);
            }
        }
        Value::error()
    }

    pub(crate) fn apply_step(&mut self, value: &Value, step: Step) -> Result<Value, ValueError> {
        match step {
            Step::Attr { name, .. } => ops::attribute(value, self.tree.slice(name)),
            Step::LegacyIndex { digits, .. } => {
                // The parser reports digits with a dot.
                let digits = Some(self.tree.slice(digits)).filter(|digits| !digits.contains('.'));
                let key = digits.and_then(Number::parse);
                self.index(value, &key.map_or_else(Value::error, Value::number))
            }
            Step::Index { key, .. } => {
                let key = self.eval(key);
                self.budget.work_of_number(&key);
                let element = self.index(value, &key);
                self.budget.work_of_reading();
                element
            }
        }
    }

    fn index(&self, value: &Value, key: &Value) -> Result<Value, ValueError> {
        let checks =
            self.frame.scope().is_none_or(|scope| scope.functions.semantics().checks_unknown_objects);
        match value.as_unknown().filter(|unknown| !checks && matches!(unknown.ty, Type::Object(_))) {
            // A value that cannot be a key is an error for any object.
            Some(unknown) if !key.is_null() && convert(key, &Type::String).is_ok() => {
                Ok(Value::unknown_from(Type::Dynamic, unknown.origins.clone()).with_marks(value.marks()))
            }
            Some(_) | None => ops::index(value, key),
        }
    }

    /// Returns the resource without a schema whose configuration an expression reads, as the origin of a value that its
    /// provider may change. Such a value is an open object, or a part of one. Tuples, objects and results of functions
    /// may contain such values.
    pub(crate) fn configured(&mut self, id: ExprId) -> Option<Origins> {
        let (id, expr) = self.tree.inside_parentheses(id);
        let tree = self.tree;
        let (root_end, steps) = match expr {
            Expr::Traversal { root_end, steps } => (root_end, steps),
            Expr::Tuple(elements) => {
                return tree.list(elements).iter().find_map(|element| self.configured(*element));
            }
            Expr::Object(items) => {
                return tree.list(items).iter().find_map(|item| self.configured(item.value));
            }
            Expr::Relative { source, .. } => return self.configured(source),
            Expr::Call(call) => {
                let arguments = tree.list(tree.call(call).arguments).iter().enumerate();
                let function = self.function(call)?;
                let is_passed_on =
                    |index| function.parameter_at(index).is_some_and(|parameter| parameter.allow_open);
                let mut passed_on = arguments.filter(|(index, _)| is_passed_on(*index));
                return passed_on.find_map(|(_, argument)| self.configured(*argument));
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::For(_)
            | Expr::Parens(_) => return None,
        };
        let reference = self.reference(id, root_end, steps);
        let (mut value, consumed) = self.frame.look_up(&reference)?;
        let mark = self.report.mark();
        let mut origins = None;
        for step in reference.steps.get(consumed..).unwrap_or_default() {
            origins = open_origins(&value).map(|open| self.origins_at(open, *step)).or(origins);
            match self.apply_step(&value, *step) {
                Ok(next) => value = next,
                Err(_) => break,
            }
        }
        self.report.drop_since(mark);
        origins.or_else(|| open_origins(&value).cloned())
    }

    fn origins_at(&self, origins: &Origins, step: Step) -> Origins {
        match step {
            Step::Attr { name, .. } => origins.at_attribute(self.tree.slice(name)),
            Step::Index { .. } | Step::LegacyIndex { .. } => origins.clone(),
        }
    }
}

/// Returns the value of a bound name up to its first attribute, which is read without copying the
/// whole, and the steps after it.
fn first_attribute<'t>(reference: &Reference<'t>, value: &Value) -> (Value, &'t [Step]) {
    if let [Step::Attr { name, .. }, rest @ ..] = reference.steps
        && let Ok(attribute) = ops::attribute(value, reference.tree.slice(*name))
    {
        return (attribute, rest);
    }
    (value.clone(), reference.steps)
}

/// Returns the origins of the unknown parts of an open object or sequence.
fn open_origins(value: &Value) -> Option<&Origins> {
    let open = value.as_unknown().filter(|unknown| !matches!(unknown.known, Known::Nothing));
    open.map(|unknown| &unknown.origins)
}

/// Returns the key of a step if it is computed.
fn computed_key(step: Step) -> Option<ExprId> {
    match step {
        Step::Index { key, .. } => Some(key),
        Step::Attr { .. } | Step::LegacyIndex { .. } => None,
    }
}
