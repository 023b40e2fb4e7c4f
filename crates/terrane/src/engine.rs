//! Evaluates single expressions, templates and bodies over the names of a program.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use terrane_body::{Body, BodySpec, decode, decode_partially};
use terrane_eval::{
    Answer, FunctionTable, Names, Program, Scope, evaluate_in_console, strict_type_constraint,
};
use terrane_function::{CallEnv, Clock, Dialect, Function, Host, Limits, Meter};
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, MemoryFiles, SourceFile};
use terrane_syntax::{Expression, parse_expr, parse_template};
use terrane_value::{TypeConstraint, Value};

use crate::library::add_function;
use crate::variable_text::hide_variable_file;

/// Evaluates single expressions and templates: holds the functions they may call, the files and the host that functions see,
/// and the limits of an evaluation.
///
/// A new engine has all functions of the library, no files and no clock. An engine and its parsed programs can be shared
/// between threads.
///
/// ```
/// use terrane::{Engine, Variables};
///
/// let engine = Engine::new();
/// let total = engine.parse("sum([for s in services : s.replicas])")?;
///
/// let services = engine.evaluate_text("[{ replicas = 2 }, { replicas = 3 }]", &Variables::new()).ok()?;
/// let names = Variables::new().with("services", services);
/// let value = engine.evaluate(&total, &names).ok()?;
/// assert_eq!(value.as_number().and_then(|number| number.to_i64()), Some(5));
/// # Ok::<(), terrane::Diagnostics>(())
/// ```
///
/// A program is parsed once and can be evaluated many times, from several threads:
///
/// ```
/// use terrane::{Engine, Variables};
///
/// let engine = Engine::new();
/// let doubled = engine.parse("n * 2")?;
/// std::thread::scope(|scope| {
///     for n in 0..4 {
///         let (engine, doubled) = (&engine, &doubled);
///         scope.spawn(move || {
///             let names = Variables::new().with("n", n);
///             let value = engine.evaluate(doubled, &names).value;
///             assert_eq!(terrane::value::display::console(&value), (n * 2).to_string());
///         });
///     }
/// });
/// # Ok::<(), terrane::Diagnostics>(())
/// ```
///
/// A part without a value yet is an unknown value. Only the results that depend on it are unknown:
///
/// ```
/// use terrane::value::display;
/// use terrane::{Engine, Type, Value, Variables};
///
/// let names = Variables::new().with("id", Value::unknown(Type::String)).with("zone", "b");
/// let value = Engine::new().evaluate_text(r#"{ id = id, name = "web-${zone}" }"#, &names).ok()?;
/// assert_eq!(display::console(&value), "{\n  \"id\" = (known after apply)\n  \"name\" = \"web-b\"\n}");
/// # Ok::<(), terrane::Diagnostics>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    dialect: Dialect,
    /// Added functions, which replace the functions of the library with the same names.
    added: Vec<Function>,
    functions: Arc<FunctionTable>,
    limits: Limits,
    files: Arc<dyn Files>,
    base_dir: PathBuf,
    host: Host,
}

/// The value of an expression, with the errors and warnings of its evaluation.
#[derive(Clone, Debug)]
#[must_use]
#[non_exhaustive]
pub struct Evaluated {
    /// The value. Parts that depend on a mistake are unknown.
    pub value: Value,
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Diagnostics,
}

impl Evaluated {
    /// Returns the value, or the diagnostics if there are errors.
    ///
    /// # Errors
    ///
    /// All diagnostics if one of them is an error.
    pub fn ok(self) -> Result<Value, Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(self.value) }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// Returns an engine with the functions and rules of the newest Terraform and OpenTofu.
    pub fn new() -> Engine {
        let dialect = Dialect::default();
        Engine {
            dialect,
            added: Vec::new(),
            functions: Arc::new(FunctionTable::of(dialect, terrane_stdlib::functions())),
            limits: Limits::default(),
            files: Arc::new(MemoryFiles::new()),
            base_dir: PathBuf::from("."),
            host: Host::default(),
        }
    }

    /// Sets the product and edition whose functions and rules apply.
    pub fn dialect(mut self, dialect: Dialect) -> Engine {
        self.dialect = dialect;
        self.rebuild()
    }

    /// Adds a function. It replaces a function of the library with the same name.
    ///
    /// ```
    /// use terrane::function::{Function, Parameter, ResultType};
    /// use terrane::{Engine, Type, Value, Variables};
    ///
    /// let shout = Function::new("shout", "Says it loudly.", ResultType::Fixed(Type::String), |call| {
    ///     Ok(Value::from(format!("{}!", call.string(0).to_uppercase())))
    /// })
    /// .parameter(Parameter::new("text", Type::String));
    /// let engine = Engine::new().function(shout);
    ///
    /// let value = engine.evaluate_text(r#"shout("hello")"#, &Variables::new()).ok()?;
    /// assert_eq!(value.as_str(), Some("HELLO!"));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    ///
    /// The body may be a closure that captures data, and the function may belong to a provider:
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use terrane::function::{Function, Parameter, ResultType};
    /// use terrane::{Engine, Type, Value, Variables};
    ///
    /// let images = HashMap::from([("debian-12", "ami-1"), ("debian-13", "ami-2")]);
    /// let image = Function::new("provider::cloud::image", "The image of that name.", ResultType::Fixed(Type::String), {
    ///     move |call| match images.get(call.string(0)) {
    ///         Some(id) => Ok(Value::from(*id)),
    ///         None => Err(call.invalid(0, "there is no such image")),
    ///     }
    /// });
    /// let engine = Engine::new().function(image.parameter(Parameter::new("name", Type::String)));
    ///
    /// let expression = r#"[provider::cloud::image("debian-13"), can(provider::cloud::image("debian-1"))]"#;
    /// let value = engine.evaluate_text(expression, &Variables::new()).ok()?;
    /// assert_eq!(terrane::value::json::encode(&value).as_deref(), Ok(r#"["ami-2",false]"#));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn function(mut self, function: Function) -> Engine {
        add_function(&mut self.added, function);
        self.rebuild()
    }

    /// Sets the limits of an evaluation.
    pub fn limits(self, limits: Limits) -> Engine {
        Engine { limits, ..self }
    }

    /// Sets the files that functions read. Relative paths start at `base_dir`.
    pub fn files(self, files: impl Files + 'static, base_dir: impl Into<PathBuf>) -> Engine {
        Engine { files: Arc::new(files), base_dir: base_dir.into(), ..self }
    }

    /// Sets the clock for functions of time. Without a clock their results are unknown.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Engine {
        self.host.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the home directory of the user, for paths that begin with `~`. Without it such paths are unknown.
    pub fn home(mut self, directory: impl Into<PathBuf>) -> Engine {
        self.host.home = Some(directory.into());
        self
    }

    /// Sets the host: the time, random numbers and home directory for functions. Results that need a missing part of the host
    /// are unknown.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use terrane::function::{FixedClock, Host, Random};
    /// use terrane::{Engine, Variables};
    ///
    /// /// Not random at all, so that results are the same in each run.
    /// struct Zeros;
    ///
    /// impl Random for Zeros {
    ///     fn fill(&self, bytes: &mut [u8]) {
    ///         bytes.fill(0);
    ///     }
    /// }
    ///
    /// let text = |engine: Engine, expression| {
    ///     let value = engine.evaluate_text(expression, &Variables::new()).ok()?;
    ///     Ok::<_, terrane::Diagnostics>(value.as_str().map(str::to_owned))
    /// };
    /// let host = Host {
    ///     clock: Some(Arc::new(FixedClock(0))),
    ///     random: Some(Arc::new(Zeros)),
    ///     ..Host::default()
    /// };
    /// let engine = || Engine::new().host(host.clone());
    /// assert_eq!(text(engine(), "timestamp()")?.as_deref(), Some("1970-01-01T00:00:00Z"));
    /// assert_eq!(text(engine(), "uuid()")?.as_deref(), Some("00000000-0000-4000-8000-000000000000"));
    /// // The host has no home directory.
    /// assert_eq!(text(engine(), "pathexpand(\"~\")")?, None);
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn host(self, host: Host) -> Engine {
        Engine { host, ..self }
    }

    fn rebuild(mut self) -> Engine {
        let rows = self.added.iter().cloned().chain(terrane_stdlib::functions()).collect();
        self.functions = Arc::new(FunctionTable::of(self.dialect, rows));
        self
    }

    /// Parses an expression, which can be evaluated any number of times.
    ///
    /// # Errors
    ///
    /// All diagnostics if the text is not an expression.
    pub fn parse(&self, text: &str) -> Result<Program, Diagnostics> {
        self.parse_named("<expression>", text)
    }

    /// Like [`Engine::parse`], with a name for the text in diagnostics.
    ///
    /// # Errors
    ///
    /// All diagnostics if the text is not an expression.
    pub fn parse_named(&self, name: &str, text: &str) -> Result<Program, Diagnostics> {
        self.program(parsed_expression(name, text))
    }

    fn program(&self, parsed: Result<Expression, Diagnostics>) -> Result<Program, Diagnostics> {
        parsed.map(|expression| Program::new(expression, &self.functions))
    }

    /// Parses a template: text with `${…}` and `%{…}`.
    ///
    /// ```
    /// use terrane::{Engine, Variables};
    ///
    /// let engine = Engine::new();
    /// let template = engine.parse_template("Hello, ${name}!")?;
    /// let value = engine.evaluate(&template, &Variables::new().with("name", "Ada")).ok()?;
    /// assert_eq!(value.as_str(), Some("Hello, Ada!"));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All diagnostics if the text is not a template.
    pub fn parse_template(&self, text: &str) -> Result<Program, Diagnostics> {
        let parsed = parse_template(&SourceFile::new(FileId::new("<template>"), text));
        let expression = Expression { tree: parsed.tree, id: parsed.root };
        self.program(valid(expression, parsed.diagnostics))
    }

    /// Returns the value of an expression. References are looked up in `names`: [`Variables`](crate::Variables), or a program's
    /// own [`Names`].
    pub fn evaluate(&self, program: &Program, names: &dyn Names) -> Evaluated {
        match program.at_once(names, &self.functions, &self.limits) {
            Some(value) => Evaluated { value, diagnostics: Diagnostics::new() },
            None => self.evaluate_step_by_step(program, names),
        }
    }

    fn evaluate_step_by_step(&self, program: &Program, names: &dyn Names) -> Evaluated {
        let mut diagnostics = Diagnostics::new();
        let value = self
            .with_scope(names, &*self.files, |scope| program.evaluate_step_by_step(scope, &mut diagnostics));
        Evaluated { value, diagnostics }
    }

    /// Parses and evaluates an expression.
    pub fn evaluate_text(&self, text: &str, names: &dyn Names) -> Evaluated {
        match self.parse(text) {
            Ok(program) => self.evaluate(&program, names),
            Err(diagnostics) => Evaluated { value: Value::error(), diagnostics },
        }
    }

    /// Like [`Engine::evaluate`], for a console, where an expression may be `type(value)`.
    pub fn answer(
        &self,
        expression: &Expression,
        names: &dyn Names,
        diagnostics: &mut Diagnostics,
    ) -> Answer {
        self.with_scope(names, &*self.files, |scope| evaluate_in_console(expression, scope, diagnostics))
    }

    /// Parses the text of a file, as JSON if its name ends in `.json` and in native syntax otherwise.
    ///
    /// # Errors
    ///
    /// All diagnostics if the text cannot be parsed.
    pub fn parse_body(&self, name: &str, text: &str) -> Result<Body, Diagnostics> {
        let source = SourceFile::new(FileId::new(name), text);
        hide_variable_file(&source);
        let (body, diagnostics) = Body::parse(&source);
        valid(body, diagnostics)
    }

    /// Decodes a body by a spec. `dynamic` blocks are expanded.
    ///
    /// ```
    /// use terrane::body::{BodySpec, Spec};
    /// use terrane::{Engine, Type, Variables, to_json};
    ///
    /// let port = Spec::object([("number", Spec::required_attribute("number", Type::Number))]);
    /// let spec = BodySpec::new(Spec::object([
    ///     ("name", Spec::attribute("name", Type::String)),
    ///     ("ports", Spec::block_map("port", &["protocol"], port)),
    /// ]));
    /// let engine = Engine::new();
    /// let body = engine.parse_body("app.hcl", "name = \"web\"\nport \"http\" {\n  number = base + 80\n}\n")?;
    /// let value = engine.decode(&body, &spec, &Variables::new().with("base", 8000)).ok()?;
    /// assert_eq!(to_json(&value).expect("no unknown").to_string(), r#"{"name":"web","ports":{"http":{"number":8080}}}"#);
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn decode(&self, body: &Body, spec: &BodySpec, names: &dyn Names) -> Evaluated {
        let mut diagnostics = Diagnostics::new();
        let value = self.with_scope(names, &*self.files, |scope| decode(body, spec, scope, &mut diagnostics));
        Evaluated { value, diagnostics }
    }

    /// Like [`Engine::decode`], for a part of a body. Also returns the rest of the body: attributes and blocks that are not in
    /// the spec, which is no error here. Another spec can decode the rest, over names from the first part.
    ///
    /// ```
    /// use terrane::body::{BodySpec, Spec};
    /// use terrane::{Engine, Type, Variables};
    ///
    /// let engine = Engine::new();
    /// let body = engine.parse_body("app.hcl", "region = \"eu\"\nhost = \"${region}.example.org\"\n")?;
    ///
    /// let first = BodySpec::new(Spec::required_attribute("region", Type::String));
    /// let (region, rest) = engine.decode_partially(&body, &first, &Variables::new());
    /// let names = Variables::new().with("region", region.ok()?);
    /// let host = BodySpec::new(Spec::required_attribute("host", Type::String));
    /// assert_eq!(engine.decode(&rest, &host, &names).ok()?.as_str(), Some("eu.example.org"));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    pub fn decode_partially(&self, body: &Body, spec: &BodySpec, names: &dyn Names) -> (Evaluated, Body) {
        let mut diagnostics = Diagnostics::new();
        let (value, rest) = self
            .with_scope(names, &*self.files, |scope| decode_partially(body, spec, scope, &mut diagnostics));
        (Evaluated { value, diagnostics }, rest)
    }

    /// Reads a type constraint such as `list(object({ name = string, port = optional(number, 80) }))`.
    ///
    /// ```
    /// use terrane::value::json;
    /// use terrane::{Engine, Variables};
    ///
    /// let engine = Engine::new();
    /// let service = engine.parse_type("object({ name = string, port = optional(number, 80) })")?;
    /// let value = engine.evaluate_text(r#"{ name = "web" }"#, &Variables::new()).ok()?;
    /// let value = service.convert(&value).expect("a service");
    /// assert_eq!(json::encode(&value).as_deref(), Ok(r#"{"name":"web","port":80}"#));
    /// # Ok::<(), terrane::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All diagnostics if the text is not a type constraint.
    pub fn parse_type(&self, text: &str) -> Result<TypeConstraint, Diagnostics> {
        let expression = parsed_expression("<type>", text)?;
        let mut diagnostics = Diagnostics::new();
        let constraint = strict_type_constraint(&expression, &mut diagnostics);
        valid(constraint, diagnostics)
    }

    /// Returns the limits of an evaluation.
    pub(crate) fn limits_of_run(&self) -> &Limits {
        &self.limits
    }

    /// Returns the functions that expressions can call, sorted by name.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }

    /// Calls `run` with a scope that has other functions.
    pub(crate) fn with_functions<T>(
        &self,
        names: &dyn Names,
        functions: &FunctionTable,
        run: impl FnOnce(&Scope<'_>) -> T,
    ) -> T {
        self.with_scope(names, &*self.files, |scope| run(&Scope { functions, ..*scope }))
    }

    /// Calls `run` with a scope whose file functions read through `files`.
    pub(crate) fn with_scope<T>(
        &self,
        names: &dyn Names,
        files: &dyn Files,
        run: impl FnOnce(&Scope<'_>) -> T,
    ) -> T {
        let meter = Meter::default();
        let base = CallEnv::new(files, &self.base_dir, &self.limits);
        let env = CallEnv { world: self.host.world(), meter: Some(&meter), ..base };
        run(&Scope { names, functions: &self.functions, env: &env })
    }
}

fn parsed_expression(name: &str, text: &str) -> Result<Expression, Diagnostics> {
    let parsed = parse_expr(&SourceFile::new(FileId::new(name), text));
    valid(Expression { tree: parsed.tree, id: parsed.root }, parsed.diagnostics)
}

/// Returns the parsed program, or the diagnostics if there are errors.
fn valid<T>(parsed: T, found: impl IntoIterator<Item = Diagnostic>) -> Result<T, Diagnostics> {
    let diagnostics: Diagnostics = found.into_iter().collect();
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(parsed) }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("dialect", &self.dialect)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_and_its_programs_can_be_shared() {
        fn assert_shareable<T: Send + Sync + 'static>() {}
        assert_shareable::<Engine>();
        assert_shareable::<Program>();
    }
}
