use terrane_function::{Function, Functions, Parameter, ResultType};
use terrane_value::Type;

/// The functions of a scope: the rows of the library, and those that need the evaluator.
#[derive(Debug)]
pub struct FunctionTable {
    functions: Functions,
    /// The row of `type`, which only the console has.
    console_type: Function,
    special: Vec<(&'static str, Special)>,
}

/// A function that needs unevaluated arguments or the evaluator itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// `try(expressions...)`: the value of the first expression without an error.
    Try,
    /// `can(expression)`: whether the expression has no error.
    Can,
    /// `convert(value, type)`: the value, converted to a type that is written as an expression.
    Convert,
    /// `templatefile(path, vars)`: a template from a file.
    TemplateFile,
    /// `templatestring(template, vars)`: a template from a string.
    TemplateString,
    /// `type(value)`: the type of a value, as the whole of what is asked in the console.
    Type,
}

/// What a name in a call stands for.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'f> {
    /// A row of the library.
    Function(&'f Function),
    /// A function of the evaluator, with the row that describes it.
    Special(Special, &'f Function),
}

impl FunctionTable {
    /// The rows of the library with all functions of the evaluator except `convert`, which only Packer has.
    pub fn new(rows: Vec<Function>) -> FunctionTable {
        let special = [Special::Try, Special::Can, Special::TemplateFile, Special::TemplateString];
        FunctionTable::with(rows, &special)
    }

    /// The rows of the library with the given functions of the evaluator.
    pub fn with(rows: Vec<Function>, special: &[Special]) -> FunctionTable {
        let functions = rows.into_iter().chain(special.iter().map(|special| special.row())).collect();
        FunctionTable {
            functions,
            console_type: Special::Type.row(),
            special: special.iter().map(|special| (special.name(), *special)).collect(),
        }
    }

    /// What `name` stands for. The prefix `core::` may stand before the name of any function.
    pub fn get(&self, name: &str) -> Option<Callee<'_>> {
        let name = name.strip_prefix("core::").unwrap_or(name);
        let function = self.functions.get(name)?;
        let special = self.special.iter().find(|(special, _)| *special == function.name);
        Some(match special {
            Some((_, special)) => Callee::Special(*special, function),
            None => Callee::Function(function),
        })
    }

    /// What `name` stands for in the console, where it stands for nothing elsewhere.
    pub(crate) fn get_in_console(&self, name: &str) -> Option<Callee<'_>> {
        let is_type = name == self.console_type.name;
        is_type.then_some(Callee::Special(Special::Type, &self.console_type))
    }

    /// All rows, in the order of their names.
    pub fn rows(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter()
    }
}

impl Special {
    const fn name(self) -> &'static str {
        match self {
            Special::Try => "try",
            Special::Can => "can",
            Special::Convert => "convert",
            Special::TemplateFile => "templatefile",
            Special::TemplateString => "templatestring",
            Special::Type => "type",
        }
    }

    /// The row that describes the function. Its body is not called: the evaluator stands in for it.
    fn row(self) -> Function {
        let any = |name| Parameter::new(name, Type::Dynamic);
        let text = |name| Parameter::new(name, Type::String).marked();
        let row = |description, ty| {
            let body = |_: &terrane_function::Call<'_>| {
                Err(terrane_function::FunctionError::new("the function needs the evaluator"))
            };
            Function::new(self.name(), description, ResultType::Fixed(ty), body).nullable()
        };
        match self {
            Special::Try => {
                row("Gives the first argument that can be computed without an error.", Type::Dynamic)
                    .variadic(any("expressions"))
            }
            Special::Can => row("Tells whether the argument can be computed without an error.", Type::Bool)
                .parameter(any("expression")),
            Special::Convert => row("Converts a value to a type.", Type::Dynamic)
                .parameter(any("value"))
                .parameter(any("type")),
            Special::TemplateFile => row("Renders a template file with the given variables.", Type::Dynamic)
                .parameter(text("path"))
                .parameter(any("vars")),
            Special::TemplateString => {
                row("Renders a template that is given as a string with the given variables.", Type::Dynamic)
                    .parameter(text("data"))
                    .parameter(any("vars").marked())
            }
            Special::Type => row("Shows the type of a value.", Type::Dynamic)
                .parameter(any("value").null().unknown().dynamic().marked()),
        }
    }
}
