//! A function as a row of the library: its description, its rules for arguments, and its body.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use terrane_source::MemoryFiles;
use terrane_value::{Marks, Type, Value};

use crate::call::{Call, FunctionError};
use crate::cost::Effort;
use crate::dialect::Availability;
use crate::env::{CallEnv, Limits};
use crate::parameter::Parameter;

/// A function: a row of the library.
#[derive(Clone)]
pub struct Function {
    /// The name in a call.
    pub name: Cow<'static, str>,
    /// What it does, in a sentence or two, for the reference page and for editors.
    pub description: &'static str,
    /// Which products have it, since when.
    pub availability: Availability,
    /// Where in a configuration it can be called.
    pub place: Place,
    /// Calls, each with the console's text for its result.
    pub examples: &'static [(&'static str, &'static str)],
    /// The parameters that every call gives.
    pub parameters: Vec<Parameter>,
    /// The parameter for any further arguments.
    pub variadic: Option<Parameter>,
    /// The type of the result.
    pub result: ResultType,
    /// Whether the result is never null, so that an unknown result is known not to be null.
    pub never_null: bool,
    /// How much it does with its arguments.
    pub effort: Effort,
    /// Whether the result depends on nothing but the arguments, so that it may be computed once for all calls with the
    /// same ones.
    pub is_pure: bool,
    /// Computes the result. Called with converted arguments that satisfy the parameters' policy.
    pub body: Body<Value>,
}

/// What runs in a call: a plain function, or a closure that captures what it needs.
pub type Body<T> = Arc<dyn Fn(&Call<'_>) -> Result<T, FunctionError> + Send + Sync>;

/// What runs in one call, borrowed for it.
pub type FunctionBody<'b> = dyn FnMut(&Call<'_>) -> Result<Value, FunctionError> + 'b;

/// Where a function can be called.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Place {
    /// In every expression.
    #[default]
    Anywhere,
    /// Not on the console.
    Configuration,
    /// Only on the console.
    Console,
    /// Only in the default of a variable.
    VariableDefault,
    /// Where the provider is required that is built into the products, under the local name that it has there.
    BuiltInProvider,
}

/// The type of a function's result.
#[derive(Clone)]
pub enum ResultType {
    /// Always this one.
    Fixed(Type),
    /// Computed from the arguments, of which any may be unknown and, where the parameter allows it, null or of
    /// dynamic type. An error here is the error of the call.
    Computed(Body<Type>),
}

impl ResultType {
    /// The type that `compute` finds for each call; see [`ResultType::Computed`].
    pub fn computed(
        compute: impl Fn(&Call<'_>) -> Result<Type, FunctionError> + Send + Sync + 'static,
    ) -> ResultType {
        ResultType::Computed(Arc::new(compute))
    }
}

impl Function {
    /// A function of every product, without parameters; add them with [`Function::parameter`] and
    /// [`Function::variadic`].
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        description: &'static str,
        result: ResultType,
        body: impl Fn(&Call<'_>) -> Result<Value, FunctionError> + Send + Sync + 'static,
    ) -> Function {
        let parameters = Vec::new();
        Function {
            name: name.into(),
            description,
            availability: Availability::everywhere(),
            place: Place::Anywhere,
            examples: &[],
            parameters,
            variadic: None,
            result,
            never_null: true,
            effort: Effort::Usual,
            is_pure: false,
            body: Arc::new(body),
        }
    }

    /// The same function, only in these products.
    #[must_use]
    pub fn available(mut self, availability: Availability) -> Function {
        self.availability = availability;
        self
    }

    /// The same function, only in this place.
    #[must_use]
    pub fn only(mut self, place: Place) -> Function {
        self.place = place;
        self
    }

    /// The same function with calls and the console's text for their results.
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

    /// Says that the result may be null.
    #[must_use]
    pub fn nullable(mut self) -> Function {
        self.never_null = false;
        self
    }

    /// The same function, which does so much with its arguments.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Function {
        self.effort = effort;
        self
    }

    /// Says that the result depends on nothing but the arguments.
    #[must_use]
    pub fn pure(mut self) -> Function {
        self.is_pure = true;
        self
    }

    /// The type of the result as far as it is known whatever the arguments are.
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
        let call = Call { arguments: &arguments, result_type, marks, env: &env, work };
        compute(&call).unwrap_or(Type::Dynamic)
    }

    /// The name with the parameters and the type of the result: `join(separator string, lists list(string)...) string`.
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
