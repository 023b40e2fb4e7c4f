use std::borrow::Cow;
use std::cell::Cell;

use terrane_function::{
    CallSite, Cost, Function, FunctionBody, FunctionError, Parameter, Product, call_converted,
    convert_argument,
};
use terrane_source::{Span, ids};
use terrane_syntax::tree::{Call, CallId};
use terrane_syntax::{Expr, ExprId};
use terrane_value::{Marks, OriginKind, Origins, Type, Value};

use crate::names::references::is_static_step;
use crate::rules::evaluator::Evaluator;
use crate::{Callee, FunctionTable, ProviderFunctions, Scope};
use terrane_value::closest_name;

/// How many calls of an expression remember the function that they call.
const MOST_CALLEES: usize = 16;

/// How many characters of the reason of a failure are shown: it may quote an argument.
const LONGEST_REASON: usize = 1000;

/// An argument of a call: an expression, or an element of the argument before `...`.
#[derive(Clone)]
pub(crate) enum Argument {
    /// As written.
    Expr(ExprId),
    /// An element of the value of this expression.
    Element(ExprId, Value),
}

/// The arguments of a call.
pub(crate) enum Arguments<'e> {
    /// As written.
    Written(&'e [ExprId]),
    /// With the last one taken apart.
    Expanded(Vec<Argument>),
}

/// A call that is being made.
pub(crate) struct Making<'e> {
    pub(crate) call: &'e Call,
    pub(crate) function: &'e Function,
    pub(crate) scope: &'e Scope<'e>,
    pub(crate) arguments: Arguments<'e>,
    /// The bytes of the whole call.
    pub(crate) span: Span,
}

impl Argument {
    /// The expression that the argument comes from.
    fn expr(&self) -> ExprId {
        let (Argument::Expr(id) | Argument::Element(id, _)) = self;
        *id
    }
}

/// Which arguments of a call are sensitive, or parts of them: a bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Sensitive(u64);

impl Sensitive {
    /// None of them.
    pub(crate) const NONE: Sensitive = Sensitive(0);

    fn of(arguments: &[Value]) -> Sensitive {
        let marked = arguments.iter().enumerate().filter(|(_, argument)| argument.contains_marked());
        Sensitive(marked.fold(0, |all, (index, _)| all | Sensitive::bit(index)))
    }

    /// The last bit is that of all further arguments.
    fn bit(index: usize) -> u64 {
        1 << index.min(63)
    }

    /// Whether the words of an error may show what is sensitive: those about one argument show only that.
    fn may_show_in(self, error: &FunctionError) -> bool {
        self.0 & error.argument.map_or(u64::MAX, Sensitive::bit) != 0
    }
}

impl Arguments<'_> {
    fn len(&self) -> usize {
        match self {
            Arguments::Written(written) => written.len(),
            Arguments::Expanded(expanded) => expanded.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Argument> {
        match self {
            Arguments::Written(written) => written.get(index).map(|id| Argument::Expr(*id)),
            Arguments::Expanded(expanded) => expanded.get(index).cloned(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Argument> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl<'e> Evaluator<'e> {
    /// `name(arguments)`.
    pub(crate) fn call(&mut self, id: ExprId, call_id: CallId) -> Value {
        let tree = self.tree;
        let call = tree.call(call_id);
        let span = tree.span(id);
        let Some(scope) = self.scope else {
            let detail = "A function cannot be called here. Write the value itself.";
            self.report(ids::FUNCTIONS_NOT_ALLOWED, span, detail);
            return Value::error();
        };
        let Some(callee) = self.callee(call_id, call, scope) else {
            return self.call_unknown(call, span);
        };
        let (Callee::Function(function) | Callee::Special(_, function)) = callee;
        let arguments = match self.arguments(call, span) {
            Ok(arguments) => arguments,
            Err(value) => return value,
        };
        let making = Making { call, function, scope, arguments, span };
        if !self.check_count(&making) {
            return Value::error();
        }
        match callee {
            Callee::Function(_) => {
                let before = self.held();
                let value = self.call_function(&making);
                // The arguments are gone.
                self.keep_since(before, &value);
                value
            }
            Callee::Special(special, _) => self.call_special(special, &making),
        }
    }

    /// What the name of the call stands for. It is looked up before, or once for all elements of a `for`.
    fn callee(&mut self, id: CallId, call: &Call, scope: &'e Scope<'e>) -> Option<Callee<'e>> {
        let resolved = self.resolved.and_then(|calls| scope.functions.resolved(calls, id));
        if resolved.is_some() {
            return resolved;
        }
        if let Some((_, callee)) = self.callees.iter().find(|(known, _)| *known == id) {
            return Some(*callee);
        }
        let name = function_name(self.tree.slice(call.name));
        let callee = scope.functions.get_at(&name, self.types.is_some());
        let callee = callee.or_else(|| built_in(&name, scope))?;
        let is_in_loop = !self.locals.is_empty() || !self.items.is_empty();
        if is_in_loop && self.callees.len() < MOST_CALLEES {
            self.callees.push((id, callee));
        }
        Some(callee)
    }

    /// The function that a call is of, where there is one of that name.
    pub(crate) fn function(&mut self, id: CallId) -> Option<&'e Function> {
        let (Callee::Function(function) | Callee::Special(_, function)) =
            self.callee(id, self.tree.call(id), self.scope?)?;
        Some(function)
    }

    fn call_function(&mut self, making: &Making<'_>) -> Value {
        let Some(first) = self.push_arguments(making) else { return Value::error() };
        let (result, sensitive) = self.call_applied(making, first, &mut |call| (making.function.body)(call));
        match result {
            Ok(value) => value,
            Err(error) => self.failed_call(making, &error, sensitive),
        }
    }

    /// What `body` makes of the arguments from `first` on, which are taken off the list, and which of them are sensitive.
    pub(crate) fn call_applied(
        &mut self,
        making: &Making<'_>,
        first: usize,
        body: &mut FunctionBody,
    ) -> (Result<Value, FunctionError>, Sensitive) {
        // No other call is made in the meantime: what a template calls has an evaluator of its own.
        let mut all = std::mem::take(&mut self.arguments);
        let arguments = all.get_mut(first..).unwrap_or_default();
        let sensitive = Sensitive::of(arguments);
        let work = Cell::new(0);
        let result = call_converted(making.function, arguments, making.scope.env, &work, body);
        self.count_work(work.get());
        all.truncate(first);
        self.arguments = all;
        // Of what is inside of a result nothing has been counted yet.
        if let Ok(value) = &result {
            self.count_work(work_to_make(making.function.cost, value));
            self.count_inside(value);
        }
        (result, sensitive)
    }

    /// The arguments, with the one before `...` taken apart. An error value is the result of the call where
    /// that is not possible.
    fn arguments(&mut self, call: &Call, span: Span) -> Result<Arguments<'e>, Value> {
        let written = self.tree.list(call.arguments);
        let Some((last, others)) = written.split_last().filter(|_| call.expand_last) else {
            return Ok(Arguments::Written(written));
        };
        let last = *last;
        let mark = self.diagnostics.len();
        let value = self.eval(last);
        if self.has_errors_since(mark) {
            return Err(Value::error());
        }
        let ty = value.ty();
        let is_sequence = matches!(ty, Type::Tuple(_) | Type::List(_) | Type::Set(_));
        if value.is_null() && (is_sequence || ty == Type::Dynamic) {
            self.report_expansion(last, span, "The argument before `...` must not be null.");
            return Err(Value::error());
        }
        if !is_sequence && ty != Type::Dynamic {
            let detail = format!(
                "The argument before `...` must be a list, set or tuple, but it is a {}.",
                ty.plain_name()
            );
            self.report_expansion(last, span, &detail);
            return Err(Value::error());
        }
        let Some(elements) = value.as_sequence() else {
            return Err(Value::unknown_from(Type::Dynamic, value.origins().clone()));
        };
        let element = |element: &Value| Argument::Element(last, element.clone().with_marks(value.marks()));
        let others = others.iter().map(|id| Argument::Expr(*id));
        Ok(Arguments::Expanded(others.chain(elements.iter().map(element)).collect()))
    }

    fn report_expansion(&mut self, at: ExprId, whole: Span, detail: &str) {
        let diagnostic = self.diagnostic(ids::INVALID_EXPANSION, self.tree.span(at), detail);
        self.diagnostics.push(diagnostic.within(whole));
    }

    fn check_count(&mut self, making: &Making<'_>) -> bool {
        let function = making.function;
        let wanted = function.parameters.len();
        if let Some(missing) = function.parameters.get(making.arguments.len()) {
            let least = if function.variadic.is_some() { "at least " } else { "" };
            let detail = format!(
                "The function \"{}\" takes {least}{wanted} {}. The argument \"{}\" is missing.",
                self.name_of(making),
                plural(wanted),
                missing.name
            );
            let close = Span::new(making.call.close_end.saturating_sub(1), making.call.close_end);
            let diagnostic = self.diagnostic(ids::TOO_FEW_ARGUMENTS, close, detail);
            self.diagnostics.push(diagnostic.within(making.span));
            return false;
        }
        if let (Some(extra), None) = (making.arguments.get(wanted), &function.variadic) {
            let detail =
                format!("The function \"{}\" takes only {wanted} {}.", self.name_of(making), plural(wanted));
            let diagnostic = self.diagnostic(ids::TOO_MANY_ARGUMENTS, self.argument_start(&extra), detail);
            self.diagnostics.push(diagnostic.within(making.span));
            return false;
        }
        true
    }

    /// Adds the values of the arguments, converted to the types of the parameters, to those of the calls around this
    /// one; gives the place of the first, or nothing where one has a mistake.
    pub(crate) fn push_arguments(&mut self, making: &Making<'_>) -> Option<usize> {
        let mark = self.diagnostics.len();
        let first = self.arguments.len();
        for (index, argument) in making.arguments.iter().enumerate() {
            let value = self.argument_value(argument);
            let value = match making.function.parameter_at(index) {
                Some(Parameter { ty: Type::Dynamic, .. }) | None => value,
                Some(parameter) if value.is_plain(&parameter.ty) => value,
                Some(parameter) => self.converted_argument(making, index, parameter, &value),
            };
            self.arguments.push(value);
        }
        if self.has_errors_since(mark) {
            self.arguments.truncate(first);
            return None;
        }
        Some(first)
    }

    pub(crate) fn argument_value(&mut self, argument: Argument) -> Value {
        match argument {
            Argument::Expr(id) => self.eval(id),
            Argument::Element(_, value) => value,
        }
    }

    fn converted_argument(
        &mut self,
        making: &Making<'_>,
        index: usize,
        parameter: &Parameter,
        value: &Value,
    ) -> Value {
        self.count_work(Cost::Linear.of(std::slice::from_ref(value)));
        match convert_argument(value, index, making.function, parameter, self.limits) {
            Ok(value) => value,
            Err(error) => {
                self.failed_call(making, &error, Sensitive::NONE);
                Value::error()
            }
        }
    }

    /// Reports an error about an argument; about the call, where it has no such argument.
    fn report_argument(
        &mut self,
        making: &Making<'_>,
        parameter: &str,
        index: usize,
        error: &FunctionError,
        sensitive: bool,
    ) {
        let reason = reason(error, sensitive);
        let detail = format!(
            "The argument \"{parameter}\" of the function \"{}\" is not valid: {reason}",
            self.name_of(making)
        );
        let diagnostic = |span| self.diagnostic(ids::INVALID_ARGUMENT, span, detail).within(making.span);
        let diagnostic = match making.arguments.get(index) {
            Some(argument) => self.explained(diagnostic(self.argument_start(&argument)), argument.expr()),
            None => diagnostic(making.span),
        };
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error of the function itself.
    pub(crate) fn failed_call(
        &mut self,
        making: &Making<'_>,
        error: &FunctionError,
        sensitive: Sensitive,
    ) -> Value {
        let is_packer = making.scope.functions.dialect().product() == Some(Product::Packer);
        let parameter = error.argument.and_then(|index| Some((index, making.function.parameter_at(index)?)));
        let parameter = parameter.filter(|(_, at)| !(is_packer && at.packer_blames_call));
        let sensitive = sensitive.may_show_in(error);
        if let Some((index, parameter)) = parameter {
            self.report_argument(making, &parameter.name, index, error, sensitive);
        } else {
            let reason = reason(error, sensitive);
            let detail = format!("The function \"{}\" has no result: {reason}", self.name_of(making));
            let start = Span::new(making.call.name.start, making.call.open + 1);
            let diagnostic = self.diagnostic(ids::FUNCTION_FAILED, start, detail);
            self.diagnostics.push(diagnostic.within(making.span));
        }
        Value::unknown_from(Type::Dynamic, Origins::error())
    }

    /// A call of a function that is not in the table. Functions of providers never are; what they give is not
    /// known here.
    fn call_unknown(&mut self, call: &Call, whole: Span) -> Value {
        let name = function_name(self.tree.slice(call.name));
        if self.scope.is_some_and(|scope| scope.functions.rows().next().is_none()) {
            let detail = "There are no functions here. Write the value itself.";
            self.report(ids::FUNCTIONS_NOT_ALLOWED, whole, detail);
            return Value::error();
        }
        let product = self.scope.and_then(|scope| scope.functions.dialect().product());
        let is_of_provider = name.starts_with("provider::") && name.matches("::").count() >= 2;
        if !is_of_provider || product == Some(Product::Packer) {
            self.report_unknown_function(call, whole);
            return Value::error();
        }
        let provider = name.split("::").nth(1).unwrap_or_default();
        match self.scope.map(|scope| scope.names.provider(provider)) {
            Some(ProviderFunctions::Absent) => {
                // Elsewhere it has been reported when the module was read.
                if self.attempts > 0 {
                    let detail = format!("There is no provider named \"{provider}\" here.");
                    let diagnostic = self.diagnostic(ids::UNKNOWN_FUNCTION, call.name, detail);
                    self.diagnostics.push(diagnostic.titled("Unknown provider function").within(whole));
                }
                return Value::error();
            }
            Some(ProviderFunctions::BuiltIn { open: false }) => {
                self.report_not_built_in(call, whole);
                return Value::error();
            }
            Some(ProviderFunctions::BuiltIn { open: true } | ProviderFunctions::Unknown) | None => {}
        }
        let mut marks = Marks::NONE;
        for argument in self.tree.list(call.arguments) {
            marks = marks.union(&self.eval(*argument).unmark_deep().1);
        }
        let origins = Origins::one(OriginKind::ProviderFunction, &*name);
        Value::unknown_from(Type::Dynamic, origins).with_marks(&marks)
    }

    /// The provider that is built into the products has no such function.
    fn report_not_built_in(&mut self, call: &Call, whole: Span) {
        let Some(functions) = self.scope.map(|scope| scope.functions) else { return };
        let own = |row: &&Function| row.call_site == CallSite::BuiltInProvider;
        let names = functions.rows().filter(own).filter_map(|row| row.name.rsplit("::").next());
        let names: Vec<&str> = names.collect();
        // In an edition without functions of providers it has been reported when the module was read.
        if names.is_empty() {
            return;
        }
        let title = match functions.dialect().product() {
            Some(Product::Terraform) => "Unknown provider function",
            Some(Product::OpenTofu | Product::Packer) | None => "Function not found in provider",
        };
        let detail = format!("The provider that is built in has the functions {}.", names.join(", "));
        let diagnostic = self.diagnostic(ids::UNKNOWN_FUNCTION, call.name, detail);
        self.diagnostics.push(diagnostic.titled(title).within(whole));
    }

    fn report_unknown_function(&mut self, call: &Call, whole: Span) {
        let name = function_name(self.tree.slice(call.name));
        let diagnostic = self.diagnostic(
            ids::UNKNOWN_FUNCTION,
            call.name,
            format!("There is no function named \"{name}\" here."),
        );
        let product = self.scope.and_then(|scope| scope.functions.dialect().product());
        let diagnostic = match unknown_title(&name, product) {
            Some(title) => diagnostic.titled(title).within(whole),
            None => diagnostic.within(whole),
        };
        let hint = self.scope.and_then(|scope| hint_for(&name, scope.functions));
        self.diagnostics.push(match hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        });
    }

    fn name_of(&self, making: &Making<'_>) -> Cow<'e, str> {
        function_name(self.tree.slice(making.call.name))
    }

    fn argument_start(&self, argument: &Argument) -> Span {
        match argument {
            Argument::Expr(id) => self.start_span(*id),
            Argument::Element(id, _) => self.tree.span(*id),
        }
    }

    /// The beginning of an expression, at which the reference points for mistakes in arguments.
    fn start_span(&self, mut id: ExprId) -> Span {
        loop {
            let span = self.tree.span(id);
            let first_byte = Span::new(span.start, span.start.saturating_add(1));
            match self.tree.expr(id) {
                Expr::Parens(inner) | Expr::Conditional { condition: inner, .. } => id = inner,
                Expr::Binary { left, .. } => id = left,
                Expr::Unary { .. } | Expr::Tuple(_) | Expr::Object(_) | Expr::For(_) => return first_byte,
                Expr::Call(call) => {
                    let call = self.tree.call(call);
                    return Span::new(call.name.start, call.open + 1);
                }
                Expr::Splat { each, .. } => return self.marker(each),
                Expr::Traversal { steps, .. } | Expr::Relative { steps, .. } => {
                    return self.computed_index(steps).unwrap_or(span);
                }
                Expr::Literal(terrane_syntax::tree::Literal::String(_)) => {
                    // The reference points behind the closing quote of an empty string.
                    let is_empty = span.len() <= 2;
                    let end = if is_empty { span.end } else { span.end.saturating_sub(1) };
                    return Span::new(if is_empty { end } else { span.start.saturating_add(1) }, end);
                }
                Expr::Template { parts, .. } => match self.tree.list(parts).first() {
                    Some(terrane_syntax::tree::Part::Literal { span, .. }) => return *span,
                    Some(terrane_syntax::tree::Part::Interpolation { expr, .. }) if parts.len() > 1 => {
                        id = *expr;
                    }
                    Some(terrane_syntax::tree::Part::If(directive)) => {
                        id = self.tree.if_directive(*directive).condition;
                    }
                    Some(terrane_syntax::tree::Part::For(directive)) => {
                        return self.tree.for_directive(*directive).opening;
                    }
                    Some(terrane_syntax::tree::Part::Interpolation { .. }) => return span,
                    None => return Span::empty(span.end),
                },
                Expr::Missing | Expr::Literal(_) | Expr::Item => return span,
            }
        }
    }

    /// The opening bracket of the last step, where its key is computed: the reference has an index expression
    /// of its own for those.
    fn computed_index(&self, steps: terrane_syntax::tree::List<terrane_syntax::tree::Step>) -> Option<Span> {
        let step = *self.tree.list(steps).last()?;
        let start = step.span().start;
        (!is_static_step(self.tree, step)).then(|| Span::new(start, start + 1))
    }
}

/// What `provider::NAME::FUNCTION` stands for, where the provider is the one that is built into the products. In OpenTofu the
/// alias of a configuration may stand between the names.
fn built_in<'s>(name: &str, scope: &'s Scope<'_>) -> Option<Callee<'s>> {
    let mut parts = name.strip_prefix("provider::")?.split("::");
    let (provider, first, second) = (parts.next()?, parts.next()?, parts.next());
    let has_alias = second.is_some();
    let is_terraform = scope.functions.dialect().product() == Some(Product::Terraform);
    if (has_alias && is_terraform) || parts.next().is_some() {
        return None;
    }
    let ProviderFunctions::BuiltIn { .. } = scope.names.provider(provider) else { return None };
    scope.functions.get(&format!("provider::terraform::{}", second.unwrap_or(first)))
}

/// What it takes to make a result, which may be large where the arguments are small. A function whose cost is the same
/// for all arguments gives a part of them, or counts itself what it makes.
pub(crate) fn work_to_make(cost: Cost, value: &Value) -> usize {
    /// In each unit of work, so many bytes of text are copied at least.
    const BYTES: usize = 64;
    match cost {
        Cost::Constant => 0,
        Cost::Linear | Cost::Light => {
            let (elements, text) = value.extent();
            text / BYTES + elements
        }
    }
}

/// What may help where there is no function `name`: who has it, or a name like it.
fn hint_for(name: &str, functions: &FunctionTable) -> Option<String> {
    if let Some(row) = functions.get(name).map(Callee::row) {
        return Some(match row.call_site {
            CallSite::Anywhere | CallSite::Configuration => {
                format!("\"{name}\" cannot be called on the console.")
            }
            CallSite::Console => format!("\"{name}\" can be called only on the console."),
            CallSite::VariableDefault => {
                format!("\"{name}\" can be called only in the default of a variable.")
            }
            CallSite::BuiltInProvider => {
                format!("\"{name}\" can be called only where its provider is required.")
            }
        });
    }
    if let Some(availability) = functions.elsewhere(name) {
        return Some(format!("There is one since {availability}."));
    }
    let (prefix, bare) = name.rsplit_once("::").unwrap_or(("", name));
    let names = functions.rows().map(|row| &*row.name);
    let nearest = closest_name(bare, names).filter(|_| prefix.is_empty() || prefix == "core")?;
    Some(format!("Did you mean \"{nearest}\"?"))
}

/// The title of the report that there is no function of this name, where it is not the usual one.
fn unknown_title(name: &str, product: Option<Product>) -> Option<&'static str> {
    let (namespace, _) = name.split_once("::")?;
    match product {
        Some(Product::Terraform) => Some("Unknown provider function"),
        Some(Product::Packer) => None,
        Some(Product::OpenTofu) | None => match namespace {
            "core" => None,
            "provider" => Some("Unable to parse provider function"),
            _ => Some("Unknown function namespace"),
        },
    }
}

/// The reason of a failure, as the end of a sentence. The words of the function may show a value.
fn reason(error: &FunctionError, sensitive: bool) -> String {
    if sensitive {
        return "the reason is not shown, because an argument is sensitive.".to_owned();
    }
    let reason = error.to_string();
    match reason.char_indices().nth(LONGEST_REASON).and_then(|(end, _)| reason.get(..end)) {
        Some(beginning) => format!("{beginning}… (and so on)."),
        // The messages of a template are sentences already.
        None if reason.ends_with('.') => reason,
        None => format!("{reason}."),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "argument" } else { "arguments" }
}

/// The name of a function without the white space that may stand around `::`.
pub(crate) fn function_name(written: &str) -> Cow<'_, str> {
    if written.contains(char::is_whitespace) {
        Cow::Owned(written.split_whitespace().collect())
    } else {
        Cow::Borrowed(written)
    }
}
