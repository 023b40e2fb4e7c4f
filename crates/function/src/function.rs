//! A function as a row of the library.
//!
//! The row contains the description, availability, examples, parameters, result type, cost, purity, the parts of the arguments
//! in the result, and the body. The evaluator, the reference page, the command line and editors read the same row.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use terrane_source::MemoryFiles;
use terrane_value::{Entries, Marks, Type, Value};

use crate::call::{Call, FunctionError, RowOfCall};
use crate::cost::Cost;
use crate::dialect::{Availability, Product};
use crate::env::CallEnv;
use crate::limits::Limits;
use crate::parameter::Parameter;
use crate::purity::Purity;
use crate::result_parts::ResultParts;

/// A function: one row with everything that the engine, the documentation and editors know about it.
#[derive(Clone)]
pub struct Function {
    /// The name in a call.
    pub name: Cow<'static, str>,
    /// One or two sentences for the reference page and for editors.
    pub description: &'static str,
    /// The products that have the function, each with its first edition.
    pub availability: Availability,
    /// The places where a configuration can call the function.
    pub call_site: CallSite,
    /// Calls, each with the console's text for its result. The tests execute them.
    pub examples: &'static [(&'static str, &'static str)],
    /// The parameters that every call gives.
    pub parameters: Vec<Parameter>,
    /// The parameter for further arguments.
    pub variadic: Option<Parameter>,
    /// The type of the result.
    pub result: ResultType,
    /// Products whose `metadata functions` declares a result of dynamic type, although [`Function::return_type`] is narrower.
    pub declared_dynamic: &'static [Product],
    /// Whether the result is never null, so that an unknown result is refined to not null.
    pub never_null: bool,
    /// The work that a call counts for.
    pub cost: Cost,
    /// The inputs of the result other than the arguments.
    pub purity: Purity,
    /// The parts of the arguments that the result is made of.
    pub result_parts: ResultParts,
    /// Whether a call only reports the function's replacement.
    pub is_removed: bool,
    /// Computes the result from converted arguments that satisfy the parameters' policy.
    pub body: Body<Value>,
    /// Computes the result for the arguments of most calls, as the body does.
    pub direct: Option<Direct>,
}

/// Code that only needs the arguments and never fails. In a loop, the preparation of a call would take longer than this code.
#[derive(Clone, Copy)]
pub enum Direct {
    /// For one string.
    Text(fn(&str) -> Value),
    /// For two known objects without marks or unknown values inside.
    Objects(fn(&Entries, &Entries) -> Value),
}

/// The code of a function: a plain function, or a closure with the values that it captures.
pub type Body<T> = Arc<dyn Fn(&Call<'_>) -> Result<T, FunctionError> + Send + Sync>;

/// The code of one call, borrowed for that call.
pub type FunctionBody<'b> = dyn FnMut(&Call<'_>) -> Result<Value, FunctionError> + 'b;

/// The places where a configuration can call a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CallSite {
    /// In every expression.
    #[default]
    Anywhere,
    /// In every expression except on the console.
    Configuration,
    /// Only on the console.
    Console,
    /// Only in the default of a variable.
    VariableDefault,
    /// In modules that require the built-in provider, under its local name.
    BuiltInProvider,
}

/// The type of a function's result.
#[derive(Clone)]
pub enum ResultType {
    /// One type for all calls.
    Fixed(Type),
    /// The code that computes the type from the arguments. They may be unknown and, if the parameter admits it, null or of
    /// dynamic type. An error becomes the error of the call.
    Computed(Body<Type>),
}

impl ResultType {
    /// Returns a result type that `compute` decides for each call; see [`ResultType::Computed`].
    pub fn computed(
        compute: impl Fn(&Call<'_>) -> Result<Type, FunctionError> + Send + Sync + 'static,
    ) -> ResultType {
        ResultType::Computed(Arc::new(compute))
    }
}

impl Function {
    /// Returns a function that every product has, without parameters, examples or purity. The other methods add these.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: &'static str,
        result: ResultType,
        body: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Function {
        Function {
            name: name.into(),
            description,
            availability: Availability::everywhere(),
            call_site: CallSite::Anywhere,
            examples: &[],
            parameters: Vec::new(),
            variadic: None,
            result,
            declared_dynamic: &[],
            never_null: true,
            cost: Cost::Linear,
            purity: Purity::Run,
            result_parts: ResultParts::Computed,
            is_removed: false,
            body: Arc::new(body),
            direct: None,
        }
    }

    /// Returns a function of one string. Its result, of type `ty`, depends on nothing else and always exists.
    pub fn on_text(
        name: impl Into<Cow<'static, str>>,
        description: &'static str,
        ty: Type,
        compute: fn(&str) -> Value,
    ) -> Function {
        let body = move |call: &Call<'_>| Ok(compute(call.string(0)));
        let function = Function::new(name, description, ResultType::Fixed(ty), body);
        function.direct(Direct::Text(compute))
    }

    /// Sets the code for the arguments of most calls.
    #[must_use]
    pub fn direct(mut self, direct: Direct) -> Function {
        self.direct = Some(direct);
        self
    }

    /// Limits the function to the products of `availability`, each since its edition.
    #[must_use]
    pub fn since(mut self, availability: Availability) -> Function {
        self.availability = availability;
        self
    }

    /// Limits the function to one call site.
    #[must_use]
    pub fn only(mut self, call_site: CallSite) -> Function {
        self.call_site = call_site;
        self
    }

    /// Sets the examples: calls, each with the console's text for its result.
    #[must_use]
    pub fn examples(mut self, examples: &'static [(&'static str, &'static str)]) -> Function {
        self.examples = examples;
        self
    }

    /// Adds a parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Function {
        self.parameters.push(parameter);
        self
    }

    /// Sets the parameter for further arguments.
    #[must_use]
    pub fn variadic(mut self, parameter: Parameter) -> Function {
        self.variadic = Some(parameter);
        self
    }

    /// Allows a null result.
    #[must_use]
    pub fn nullable(mut self) -> Function {
        self.never_null = false;
        self
    }

    /// Names the products that declare a result of dynamic type.
    #[must_use]
    pub fn declared_dynamic(mut self, products: &'static [Product]) -> Function {
        self.declared_dynamic = products;
        self
    }

    /// Sets the work that a call counts for. The default is [`Cost::Linear`].
    #[must_use]
    pub fn cost(mut self, cost: Cost) -> Function {
        self.cost = cost;
        self
    }

    /// Promises that the result depends only on the arguments.
    #[must_use]
    pub fn pure(mut self) -> Function {
        self.purity = Purity::Pure;
        self
    }

    /// Declares that each call has a result of its own, so that the products compute it only in an apply.
    #[must_use]
    pub fn new_in_each_call(mut self) -> Function {
        self.purity = Purity::Call;
        self
    }

    /// Sets the parts of the arguments that the result is made of. The default is [`ResultParts::Computed`].
    #[must_use]
    pub fn made_of(mut self, result_parts: ResultParts) -> Function {
        self.result_parts = result_parts;
        self
    }

    /// Declares that a call only reports the function's replacement.
    #[must_use]
    pub fn removed(mut self) -> Function {
        self.is_removed = true;
        self
    }

    /// The type of the result for unknown arguments of the parameters' types.
    pub fn return_type(&self) -> Type {
        let compute = match &self.result {
            ResultType::Fixed(ty) => return ty.clone(),
            ResultType::Computed(compute) => compute,
        };
        let (files, limits) = (MemoryFiles::new(), Limits::default());
        let env = CallEnv::new(&files, Path::new("."), &limits);
        let parameters = self.parameters.iter().chain(&self.variadic);
        let arguments: Vec<Value> =
            parameters.map(|parameter| Value::unknown(parameter.ty.clone())).collect();
        let (result_type, marks, work) = (&Type::Dynamic, &Marks::NONE, &Cell::new(0));
        let row = RowOfCall { name: &self.name, purity: self.purity };
        let call = Call { row, arguments: &arguments, result_type, marks, env: &env, work };
        compute(&call).unwrap_or(Type::Dynamic)
    }

    /// The name, the parameters and the result type in one line: `join(separator string, lists list(string)...) string`.
    pub fn signature(&self) -> String {
        let parameter = |parameter: &Parameter| format!("{} {}", parameter.name, parameter.ty);
        let mut parameters: Vec<String> = self.parameters.iter().map(parameter).collect();
        parameters.extend(self.variadic.iter().map(|more| format!("{}...", parameter(more))));
        format!("{}({}) {}", self.name, parameters.join(", "), self.return_type())
    }

    /// The parameter that takes the argument at `index`.
    pub fn parameter_at(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.variadic.as_ref())
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name)
    }
}
