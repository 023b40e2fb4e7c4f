use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use terrane_source::MemoryFiles;
use terrane_value::{Agreement, Marks, Type, Value};

use crate::{Availability, Call, CallEnv, Dialect, FunctionError, Limits};

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

/// How much of [`Limits::work`] a call takes up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Effort {
    /// One for each byte of text and 8 for each element, about 60 nanoseconds for each at the most.
    #[default]
    Usual,
    /// An eighth of that: bytes are only copied or hashed, elements only passed on.
    Light,
    /// Nothing: it makes no difference how large the arguments are.
    Fixed,
}

impl Effort {
    /// What a call with these arguments takes up.
    #[inline]
    pub fn of(self, arguments: &[Value]) -> usize {
        let work = |sum: usize, value: &Value| {
            let (elements, text) = value.extent();
            sum.saturating_add(text).saturating_add(elements.saturating_mul(Limits::WORK_OF_ELEMENT))
        };
        match self {
            Effort::Usual => arguments.iter().fold(0, work),
            Effort::Light => arguments.iter().fold(0, work) / 8,
            Effort::Fixed => 0,
        }
    }
}

/// A parameter of a function: its type, and which unusual arguments the body wants to see itself.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, for messages.
    pub name: Cow<'static, str>,
    /// The type to which arguments are converted.
    pub ty: Type,
    /// Whether null is passed on; otherwise it is an error.
    pub allow_null: bool,
    /// Whether an unknown argument is passed on; otherwise the result is unknown without a call.
    pub allow_unknown: bool,
    /// Whether an argument of dynamic type is passed on when the result type is computed; otherwise the
    /// result is unknown and of dynamic type.
    pub allow_dynamic: bool,
    /// Whether marks are passed on; otherwise all marks in the argument are taken off (deeply) and put on
    /// the result.
    pub allow_marked: bool,
    /// Where set, the result is the same for a list, a set and a tuple that agree in this, so that an open sequence
    /// whose kind makes no difference is passed on as a tuple.
    pub any_kind: Option<Agreement>,
    /// Whether open objects and sequences are passed on, though they are not known in full: the result has parts of them.
    pub allow_open: bool,
    /// Whether Packer says of an error about this argument only that the call has failed, as its own functions of files
    /// and keys do. The other products name the argument.
    pub packer_blames_call: bool,
}

impl Parameter {
    /// A parameter with the strict policy: no null, unknown, dynamic or marked argument reaches the body.
    pub fn new(name: impl Into<Cow<'static, str>>, ty: Type) -> Parameter {
        Parameter {
            name: name.into(),
            ty,
            allow_null: false,
            allow_unknown: false,
            allow_dynamic: false,
            allow_marked: false,
            any_kind: None,
            allow_open: false,
            packer_blames_call: false,
        }
    }

    /// The same parameter, null passed on.
    #[must_use]
    pub fn null(self) -> Parameter {
        Parameter { allow_null: true, ..self }
    }

    /// The same parameter, unknown values passed on.
    #[must_use]
    pub fn unknown(self) -> Parameter {
        Parameter { allow_unknown: true, ..self }
    }

    /// The same parameter, values of dynamic type passed on.
    #[must_use]
    pub fn dynamic(self) -> Parameter {
        Parameter { allow_dynamic: true, ..self }
    }

    /// The same parameter, marks passed on.
    #[must_use]
    pub fn marked(self) -> Parameter {
        Parameter { allow_marked: true, ..self }
    }

    /// The same parameter, an error about which is one of the whole call in Packer.
    #[must_use]
    pub fn packer_blames_call(self) -> Parameter {
        Parameter { packer_blames_call: true, ..self }
    }

    /// The same parameter, open objects and sequences passed on.
    #[must_use]
    pub fn open(self) -> Parameter {
        Parameter { allow_open: true, ..self }
    }

    /// The same parameter, of a function for which lists, sets and tuples that agree in this are the same.
    #[must_use]
    pub fn any_kind(self, agreement: Agreement) -> Parameter {
        Parameter { any_kind: Some(agreement), ..self }
    }
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

    /// The result of a call with `arguments` where no policy of a parameter is about them and none has to be converted:
    /// they and the result are wholly known values without marks. Nothing where the rules have to be asked, which
    /// [`call`](crate::call()) does, and where the arguments take up more than `most` of [`Limits::work`]. `work` is set to
    /// what the call takes up.
    pub fn call_plain(
        &self,
        arguments: &[Value],
        env: &CallEnv<'_>,
        work: &Cell<usize>,
        most: usize,
    ) -> Option<Value> {
        work.set(self.effort.of(arguments));
        let is_plain = |(index, argument): (usize, &Value)| {
            self.parameter_at(index).is_some_and(|parameter| is_plain(argument, &parameter.ty))
        };
        if work.get() > most.min(env.limits.work) || !arguments.iter().enumerate().all(is_plain) {
            return None;
        }
        let marks = &Marks::NONE;
        let computed;
        let result_type = match &self.result {
            ResultType::Fixed(ty) => ty,
            ResultType::Computed(compute) => {
                computed =
                    compute(&Call { arguments, result_type: &Type::Dynamic, marks, env, work }).ok()?;
                &computed
            }
        };
        let call = Call { arguments, result_type, marks, env, work };
        let is_allowed = |value: &Value| value.as_str().is_none_or(|text| text.len() <= env.limits.bytes);
        // The value is moved only once, as that is much of what a short call takes.
        match (self.body)(&call) {
            Ok(value) if value.is_known() && !value.is_marked() && is_allowed(&value) => Some(value),
            Ok(_) | Err(_) => None,
        }
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

/// Whether an argument for a parameter of type `ty` is passed on as it is.
#[inline]
fn is_plain(argument: &Value, ty: &Type) -> bool {
    if argument.is_plain(ty) {
        return true;
    }
    argument.is_sound() && (matches!(ty, Type::Dynamic) || argument.ty() == *ty)
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({})", self.name)
    }
}

/// Functions by name.
#[derive(Default, Debug)]
pub struct Functions {
    /// In the order of their names.
    rows: Vec<Function>,
}

impl Functions {
    /// The function `name`.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.at(self.position(name)?)
    }

    /// Where the function `name` is among all of them.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.rows.binary_search_by(|row| (*row.name).cmp(name)).ok()
    }

    /// The function at a [position](Functions::position).
    pub fn at(&self, position: usize) -> Option<&Function> {
        self.rows.get(position)
    }

    /// Those that `dialect` has. Where it has several of one name, the first one counts: products may differ in
    /// what a function does, and OpenTofu's rows come first.
    pub fn of(dialect: Dialect, rows: impl IntoIterator<Item = Function>) -> Functions {
        let mut rows: Vec<Function> =
            rows.into_iter().filter(|row| row.availability.is_in(dialect)).collect();
        rows.sort_by(|left, right| left.name.cmp(&right.name));
        rows.dedup_by(|later, first| later.name == first.name);
        Functions { rows }
    }

    /// All functions in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Function> {
        self.rows.iter()
    }
}
