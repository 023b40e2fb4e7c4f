//! The function table of a scope, and the functions of the evaluator.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use terrane_function::{
    Availability, Call, CallSite, Cost, Dialect, Function, FunctionError, Functions, NAMESPACES, Parameter,
    Purity, ResultParts, ResultType, Skipped, World,
};
use terrane_syntax::Tree;
use terrane_syntax::tree::CallId;
use terrane_value::display::ConsoleText;
use terrane_value::{Type, Value};

use crate::functions::name::function_name;
use crate::functions::semantics::Semantics;

/// The functions of a scope: the rows of the library, and the functions that need the evaluator.
#[derive(Debug)]
pub struct FunctionTable {
    /// The number of the table, which no other table in the process has.
    number: u64,
    dialect: Dialect,
    semantics: Semantics,
    functions: Functions,
    /// The functions of the evaluator in the table, unless a row has the same name.
    specials: Vec<Special>,
    /// The functions that only other products or editions have.
    elsewhere: Vec<(Cow<'static, str>, Availability)>,
}

/// A function that needs unevaluated arguments or the evaluator itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// `try(expressions...)`: returns the value of the first expression without an error.
    Try,
    /// `can(expression)`: returns whether the expression has no error.
    Can,
    /// `convert(value, type)`: converts the value to a type that is written as an expression.
    Convert,
    /// `templatefile(path, vars)`: renders a template from a file.
    TemplateFile,
    /// `templatestring(template, vars)`: renders a template from a string.
    TemplateString,
    /// `type(value)`: returns the type of a value, as a whole expression on the console.
    Type,
    /// `provider::terraform::encode_tfvars(value)`: returns an object as the text of a variable file.
    EncodeTfvars,
    /// `provider::terraform::decode_tfvars(text)`: returns the object in the text of a variable file.
    DecodeTfvars,
    /// `provider::terraform::encode_expr(value)`: returns a value as the text of an expression.
    EncodeExpr,
}

/// The functions of the calls of an expression, resolved once.
#[derive(Debug)]
pub(crate) struct ResolvedCalls {
    /// The calls and the positions of their functions in the table.
    positions: Vec<(CallId, usize)>,
}

impl ResolvedCalls {
    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// The position of a pure function. If its arguments are plain, a call runs only its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainFunction(usize);

/// The function of a call.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'f> {
    /// A row of the library.
    Function(&'f Function),
    /// A function of the evaluator, with the row that describes it.
    Special(Special, &'f Function),
}

impl FunctionTable {
    /// Returns the rows of the library and the functions of the evaluator that the newest Terraform or OpenTofu has.
    pub fn new(rows: Vec<Function>) -> FunctionTable {
        FunctionTable::of(Dialect::Modules, rows)
    }

    /// Returns the rows of the library and the functions of the evaluator that `dialect` has. A row with the name of a
    /// function of the evaluator replaces it.
    pub fn of(dialect: Dialect, rows: Vec<Function>) -> FunctionTable {
        let is_free = |special: &Special| {
            let mut taken = rows.iter().filter(|row| row.availability.is_in(dialect));
            taken.all(|row| row.name != special.name())
        };
        let specials: Vec<Special> = Special::ALL.into_iter().filter(is_free).collect();
        let semantics = Semantics::of(dialect);
        let of_evaluator = specials.iter().map(|special| special.row(&semantics));
        let rows: Vec<Function> = rows.into_iter().chain(of_evaluator).collect();
        let elsewhere = rows.iter().filter(|row| !row.availability.is_in(dialect) && !row.is_removed);
        let elsewhere = elsewhere.map(|row| (row.name.clone(), row.availability)).collect();
        FunctionTable { specials, elsewhere, ..FunctionTable::only(dialect, rows) }
    }

    /// Returns a table with only the rows that `dialect` has.
    pub fn only(dialect: Dialect, rows: Vec<Function>) -> FunctionTable {
        static TABLES: AtomicU64 = AtomicU64::new(0);
        let number = TABLES.fetch_add(1, Ordering::Relaxed);
        let functions = Functions::of(dialect, rows);
        let semantics = Semantics::of(dialect);
        FunctionTable { number, dialect, semantics, functions, specials: Vec::new(), elsewhere: Vec::new() }
    }

    /// Returns the function `name`, wherever it may be called. Except in Packer, the prefix `core::` may precede
    /// the name of any function.
    pub fn get(&self, name: &str) -> Option<Callee<'_>> {
        self.at(self.functions.position(self.bare_name(name))?)
    }

    /// Returns the parts of the arguments that are in the result of the function `name`.
    pub fn result_parts(&self, name: &str) -> ResultParts {
        self.get(name).map_or(ResultParts::Computed, |function| function.row().result_parts)
    }

    fn at(&self, position: usize) -> Option<Callee<'_>> {
        let function = self.functions.at(position)?;
        let special = self.specials.iter().find(|special| special.name() == function.name);
        Some(match special {
            Some(special) => Callee::Special(*special, function),
            None => Callee::Function(function),
        })
    }

    /// Returns the function `name`, if it may be called in an expression of the configuration or, with
    /// `on_console`, on the console.
    pub(crate) fn get_at(&self, name: &str, on_console: bool) -> Option<Callee<'_>> {
        self.get(name).filter(|callee| match callee.row().call_site {
            CallSite::Anywhere => true,
            CallSite::Configuration => !on_console,
            CallSite::Console => on_console,
            CallSite::VariableDefault | CallSite::BuiltInProvider => false,
        })
    }

    /// Resolves the calls of an expression of the configuration.
    pub(crate) fn resolve(&self, tree: &Tree, calls: &[CallId]) -> ResolvedCalls {
        let position = |id: &CallId| {
            let name = function_name(tree.slice(tree.call(*id).name));
            self.get_at(&name, false)?;
            Some((*id, self.functions.position(self.bare_name(&name))?))
        };
        let mut positions: Vec<(CallId, usize)> = calls.iter().filter_map(position).collect();
        positions.sort_unstable();
        ResolvedCalls { positions }
    }

    /// Returns the number of the table. Positions in one table must not be used with another.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the function of a call that was [resolved](FunctionTable::resolve) with this table.
    pub(crate) fn resolved(&self, calls: &ResolvedCalls, id: CallId) -> Option<Callee<'_>> {
        let index = calls.positions.binary_search_by_key(&id, |(call, _)| *call).ok()?;
        self.at(calls.positions.get(index)?.1)
    }

    /// Whether `name` is a row of the library with the same result for the same arguments.
    pub(crate) fn is_pure(&self, name: &str) -> bool {
        matches!(self.get_at(name, false), Some(Callee::Function(function)) if function.purity == Purity::Pure)
    }

    /// Whether calls of `name` with the same arguments have the same result during one evaluation.
    pub fn is_repeatable(&self, name: &str, world: &World<'_>) -> bool {
        match self.get_at(name, false) {
            Some(Callee::Function(function)) => function.purity != Purity::Call,
            // A template may call any function. Without clock and random numbers, the results of
            // impure functions are unknown.
            Some(Callee::Special(Special::TemplateFile | Special::TemplateString, _)) => {
                world.clock.is_none() && world.random.is_none()
            }
            Some(Callee::Special(..)) => true,
            None => false,
        }
    }

    /// Returns the pure function `name`, if it takes `arguments` arguments.
    pub(crate) fn plain(&self, name: &str, arguments: usize) -> Option<PlainFunction> {
        let Callee::Function(function) = self.get_at(name, false)? else { return None };
        let takes = function.parameters.len();
        let is_count = arguments == takes || (arguments > takes && function.variadic.is_some());
        let position = self.functions.position(self.bare_name(name))?;
        (function.purity == Purity::Pure && is_count).then_some(PlainFunction(position))
    }

    /// Returns the function itself.
    #[inline]
    pub(crate) fn plain_function(&self, plain: PlainFunction) -> Option<&Function> {
        self.functions.at(plain.0)
    }

    fn bare_name<'n>(&self, name: &'n str) -> &'n str {
        match name.strip_prefix("core::") {
            Some(bare) if NAMESPACES.is_in(self.dialect) && !bare.contains("::") => bare,
            Some(_) | None => name,
        }
    }

    /// Returns the products and editions with a function `name` that is not in this table.
    pub fn elsewhere(&self, name: &str) -> Option<Availability> {
        let name = self.bare_name(name);
        self.elsewhere.iter().find(|(other, _)| *other == name).map(|(_, availability)| *availability)
    }

    /// Returns the dialect of the functions.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns a value as the console of the dialect prints it.
    pub fn console_text<'v>(&self, value: &'v Value) -> ConsoleText<'v> {
        (self.semantics.console_text)(value)
    }

    /// Returns the rules of evaluation in the dialect.
    pub(crate) fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// Returns all rows, in the order of their names.
    pub fn rows(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter()
    }
}

impl<'f> Callee<'f> {
    /// Returns the row that describes the function.
    pub fn row(self) -> &'f Function {
        match self {
            Callee::Function(row) | Callee::Special(_, row) => row,
        }
    }
}

impl Special {
    const ALL: [Special; 9] = [
        Special::Try,
        Special::Can,
        Special::Convert,
        Special::TemplateFile,
        Special::TemplateString,
        Special::Type,
        Special::EncodeTfvars,
        Special::DecodeTfvars,
        Special::EncodeExpr,
    ];

    /// Returns the rows that describe the functions of the evaluator in a dialect.
    pub fn rows(dialect: Dialect) -> impl Iterator<Item = Function> {
        let semantics = Semantics::of(dialect);
        Special::ALL.into_iter().map(move |special| special.row(&semantics))
    }

    /// Returns the function that a call names, with or without `core::`.
    pub fn named(name: &str) -> Option<Special> {
        let bare = name.strip_prefix("core::").unwrap_or(name);
        Special::ALL.into_iter().find(|special| special.name() == bare)
    }

    /// Whether an argument may have an error, which determines the result.
    pub fn accepts_errors(self) -> bool {
        matches!(self, Special::Try | Special::Can)
    }

    /// Whether the function evaluates a template given by an argument.
    pub fn evaluates_template(self) -> bool {
        matches!(self, Special::TemplateFile | Special::TemplateString)
    }

    const fn name(self) -> &'static str {
        match self {
            Special::Try => "try",
            Special::Can => "can",
            Special::Convert => "convert",
            Special::TemplateFile => "templatefile",
            Special::TemplateString => "templatestring",
            Special::Type => "type",
            Special::EncodeTfvars => "provider::terraform::encode_tfvars",
            Special::DecodeTfvars => "provider::terraform::decode_tfvars",
            Special::EncodeExpr => "provider::terraform::encode_expr",
        }
    }

    /// Returns the row that describes the function. Its body is never called: the evaluator computes the result.
    fn row(self, semantics: &Semantics) -> Function {
        let any = |name| Parameter::new(name, Type::Dynamic);
        let text = |name| Parameter::new(name, Type::String).marked();
        let names = semantics.builtin_parameters;
        let row = |description, ty| self.without_body(description, ty).cost(Cost::Constant);
        match self {
            Special::Try => row("Returns the first argument that has no error.", Type::Dynamic)
                .variadic(any("expressions"))
                .made_of(ResultParts::FirstOf(Skipped::Errors))
                .examples(&[("try({ a = 1 }.b, \"none\")", "\"none\""), ("try(tonumber(\"7\"), 0)", "7")]),
            Special::Can => row("Returns true if the argument has no error.", Type::Bool)
                .parameter(any("expression"))
                .examples(&[("can(tonumber(\"7\"))", "true"), ("can({ a = 1 }.b)", "false")]),
            Special::Convert => row(
                "Converts a value to a type constraint, which is written as in the declaration of a variable.",
                Type::Dynamic,
            )
            .parameter(any("value").null().unknown().dynamic().marked())
            .parameter(any("type"))
            .since(Availability::nowhere().terraform(15).opentofu(13).packer(5))
            .examples(&[
                ("convert([\"1\", \"2\"], list(number))", "tolist([\n  1,\n  2,\n])"),
                ("convert({}, object({ name = optional(string, \"web\") }))", "{\n  \"name\" = \"web\"\n}"),
            ]),
            Special::TemplateFile => row("Renders a template file with the given variables.", Type::Dynamic)
                .parameter(text("path").packer_blames_call())
                .parameter(any("vars"))
                .since(Availability::modules().packer(8))
                .examples(&[("templatefile(\"greeting.tftpl\", { name = \"Ada\" })", "\"Hello, Ada!\"")]),
            Special::TemplateString => self.template_string_row(semantics).cost(Cost::Constant),
            Special::Type => row("Returns the type of a value. The call must be the whole expression.", Type::Dynamic)
                .parameter(any("value").null().unknown().dynamic().marked())
                .since(Availability::modules().terraform(0))
                .only(CallSite::Console)
                .examples(&[("type([1, \"a\"])", "tuple([\n    number,\n    string,\n])")]),
            Special::EncodeTfvars => self
                .provider_row("Encodes an object as the text of a variable definitions file.", Type::String)
                .parameter(encoded(semantics, names.encode_tfvars))
                .examples(&[(
                    "provider::terraform::encode_tfvars({ name = \"web\" })",
                    "<<EOT\nname = \"web\"\n\nEOT",
                )]),
            Special::DecodeTfvars => self
                .provider_row(
                    "Decodes the text of a variable definitions file, which contains neither references nor function calls.",
                    Type::Dynamic,
                )
                .parameter(Parameter::new(names.decode_tfvars, Type::String))
                .examples(&[("provider::terraform::decode_tfvars(\"count = 1 + 2\")", "{\n  \"count\" = 3\n}")]),
            Special::EncodeExpr => self
                .provider_row("Encodes a value as the text of an expression.", Type::String)
                .parameter(encoded(semantics, names.encode_expr))
                .examples(&[("provider::terraform::encode_expr([1, null])", "\"[1, null]\"")]),
        }
    }

    fn template_string_row(self, semantics: &Semantics) -> Function {
        let (name, ty) = (semantics.template_string_parameter, semantics.template_string_type.clone());
        let template = Parameter::new(name, Type::String).marked();
        let variables = Parameter::new("vars", Type::Dynamic).marked();
        let (template, variables) = match semantics.template_string_checks_arguments {
            true => (template.unconverted().unknown().dynamic(), variables.unknown().dynamic()),
            false => (template, variables),
        };
        self.without_body("Renders a string as a template with the given variables.", ty)
            .parameter(template)
            .parameter(variables)
            .since(Availability::nowhere().terraform(9).opentofu(7))
            .examples(&[("templatestring(\"Hello, $${name}!\", { name = \"Ada\" })", "\"Hello, Ada!\"")])
    }

    /// Returns the row of a function of the built-in provider.
    fn provider_row(self, description: &'static str, ty: Type) -> Function {
        let since = Availability::nowhere().terraform(8).opentofu(7);
        self.without_body(description, ty).since(since).only(CallSite::BuiltInProvider)
    }

    fn without_body(self, description: &'static str, ty: Type) -> Function {
        let body = |_: &Call<'_>| Err(FunctionError::new("the function needs the evaluator"));
        Function::new(self.name(), description, ResultType::Fixed(ty), body).nullable()
    }
}

/// Returns the parameter of a function that encodes a value.
fn encoded(semantics: &Semantics, name: &'static str) -> Parameter {
    let parameter = Parameter::new(name, Type::Dynamic);
    if semantics.encodes_unknown_values { parameter.unknown().dynamic() } else { parameter }
}
