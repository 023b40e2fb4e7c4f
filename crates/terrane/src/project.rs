//! Evaluates a root module with its inputs.
//!
//! [`Project`] collects the inputs; [`Project::evaluate`] returns a [`Report`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_config::recorder::{AccessLog, Accesses, Recorder};
use terrane_config::state::{State, StoredPlan};
use terrane_config::state_file::Outputs;
use terrane_config::{Address, Assignment, Dialect, InputValue};
use terrane_function::{Clock, Function, Host, Limits};
use terrane_module::{
    Config, Encryption, Evaluation, Executor, GivenText, Inputs, ModuleDirectories, ModuleMap, Phase,
    Progress, RemoteOutputs, Request, Schemas, StateFile,
};
use terrane_source::{Diagnostics, FileId, Files};
use terrane_stdlib::unix_time;
use terrane_value::Value;

use crate::caches::Caches;
use crate::environment::{Environment, EnvironmentState};
use crate::library::add_function;
use crate::load::{LoadedProject, load};
use crate::remote;
use crate::report::{LoadOutcome, ReadFiles, Report};
use crate::schema_store::{SchemaStores, UsedSchema};
use crate::threads::{Recorded, Threads};

/// A root module and the inputs of its evaluation: values of variables, product and edition, schemas and limits.
///
/// A project can be cloned and evaluated on several threads at once, and a report can be sent to other threads. Here each
/// environment is evaluated on its own thread:
///
/// ```
/// use std::thread;
///
/// use terrane::{MemoryFiles, Project};
///
/// let files = MemoryFiles::from_iter([(
///     "main.tf",
///     r#"
///         variable "stage" { type = string }
///         variable "size" { type = number }
///         resource "demo_disk" "data" { size = var.stage == "production" ? 100 : 10 }
///         output "size" { value = demo_disk.data.size }
///         output "path" { value = "/dev/${demo_disk.data.device}" }
///         output "half" { value = var.size / 2 }
///     "#,
/// )]);
/// let project = Project::new(".");
/// let reports = thread::scope(|scope| {
///     let start = |stage| {
///         let (project, files) = (project.clone().variable("stage", stage), &files);
///         scope.spawn(move || project.evaluate(files))
///     };
///     ["test", "production"].map(start).map(|thread| thread.join().expect("it does not panic"))
/// });
/// let size = |report: &terrane::Report| report.output("size")?.as_number()?.to_i64();
/// assert_eq!(reports.each_ref().map(size), [Some(10), Some(100)]);
///
/// // An unknown value has a reason: a provider sets it, or a variable has no value.
/// let reason = |name| reports[0].output(name).expect("it is declared").origins().as_slice()[0].to_string();
/// assert_eq!(reason("path"), "demo_disk.data.device is set by the provider");
/// assert_eq!(reason("half"), "var.size has no value");
/// ```
#[derive(Clone, Debug)]
pub struct Project {
    request: Request,
    /// The files that the schemas were read from.
    schema_files: Accesses,
    /// The files that the state was read from.
    state_files: Accesses,
    /// Root modules that give the outputs of a `terraform_remote_state`, each with the address of the data source.
    remote_roots: Vec<(String, Project)>,
    /// The schemas in the request.
    used_schemas: Vec<UsedSchema>,
    /// The directories with more schemas.
    stores: Option<SchemaStores>,
}

impl Project {
    /// Returns the project of the module in `directory`, with the values in its `terraform.tfvars` and `*.auto.tfvars`.
    pub fn new(directory: impl Into<PathBuf>) -> Project {
        Project {
            request: Request::new(directory),
            schema_files: Accesses::default(),
            state_files: Accesses::default(),
            remote_roots: Vec::new(),
            used_schemas: Vec::new(),
            stores: None,
        }
    }

    /// Sets a variable, as `-var name=value` does. For a variable of a primitive type or without a type, `text` is the value;
    /// otherwise it is an expression. Later calls override earlier calls.
    #[must_use]
    pub fn variable(self, name: impl Into<String>, text: impl Into<String>) -> Project {
        self.assign(Assignment::Variable(name.into(), text.into()))
    }

    /// Sets a variable to a typed value of the program, without HCL text. The value may be unknown or marked as sensitive. Later
    /// calls of this function, [`Project::variable`] and [`Project::variable_file`] override earlier ones.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, Value};
    ///
    /// let text = "variable \"zones\" { type = list(string) }\noutput \"first\" { value = var.zones[0] }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let zones = Value::tuple([Value::from("a \"quoted\" ${zone}"), Value::from("b")]);
    /// let report = Project::new(".").variable_value("zones", zones).evaluate(&files);
    /// assert_eq!(report.output("first").and_then(|value| value.as_str()), Some("a \"quoted\" ${zone}"));
    /// ```
    #[must_use]
    pub fn variable_value(self, name: impl Into<String>, value: impl Into<Value>) -> Project {
        self.assign(Assignment::Value(InputValue::new(name, value)))
    }

    /// Adds an assignment of variables. It overrides earlier ones. An [`InputValue`] can name its source and its place in a file
    /// of the program, which diagnostics then show.
    ///
    /// ```
    /// use terrane::source::{FileId, SourceFile, Span, Subject};
    /// use terrane::{Assignment, InputValue, MemoryFiles, Project};
    ///
    /// let tests = SourceFile::new(FileId::new("size.test"), "size = \"large\"");
    /// let size = InputValue {
    ///     origin: "the run \"small\"".to_owned(),
    ///     place: Some(Subject { file: tests, span: Span::new(7, 14) }),
    ///     ..InputValue::new("size", "large")
    /// };
    /// let files = MemoryFiles::from_iter([("main.tf", "variable \"size\" { type = number }\n")]);
    /// let report = Project::new(".").assign(Assignment::Value(size)).evaluate(&files);
    /// let error = &report.diagnostics().as_slice()[0];
    /// assert!(error.detail.starts_with("The value for the variable \"size\" from the run \"small\" does not fit"));
    /// assert_eq!(error.subject.as_ref().map(|place| place.file.slice(place.span)), Some("\"large\""));
    /// ```
    #[must_use]
    pub fn assign(mut self, assignment: Assignment) -> Project {
        self.request.inputs.assignments.push(assignment);
        self
    }

    /// Gives a value for an attribute that a provider sets, or for an output of a module that is not on disk, as `--set
    /// address=value` does. `value` is an expression without names and functions. Without instance keys, the value is for all
    /// instances. Giving a value for a configured argument is an error.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = "data \"demo_zones\" \"all\" {}\noutput \"first\" { value = data.demo_zones.all.names[0] }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let report = Project::new(".").set("data.demo_zones.all.names", r#"["a", "b"]"#).evaluate(&files);
    /// assert_eq!(report.output("first").and_then(|value| value.as_str()), Some("a"));
    /// ```
    #[must_use]
    pub fn set(mut self, address: impl Into<String>, value: impl Into<String>) -> Project {
        self.request.given.push(GivenText { address: address.into(), value: value.into() });
        self
    }

    /// Gives values as in tests, as `--mocks path` does: `path` is a file in the syntax of tests, or a directory of such files.
    /// Its `mock_provider` blocks and its overrides outside of runs give values for attributes that providers set. Values of
    /// [`Project::set`] take precedence.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let mocks = "override_data {\n  target = data.demo_zones.all\n  values = { names = [\"a\", \"b\"] }\n}\n";
    /// let text = "data \"demo_zones\" \"all\" {}\noutput \"first\" { value = data.demo_zones.all.names[0] }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text), ("tests/zones.tftest.hcl", mocks)]);
    /// let report = Project::new(".").mocks("tests").evaluate(&files);
    /// assert_eq!(report.output("first").and_then(|value| value.as_str()), Some("a"));
    /// ```
    #[must_use]
    pub fn mocks(mut self, path: impl Into<PathBuf>) -> Project {
        self.request.mocks.push(path.into());
        self
    }

    /// Sets whether data sources whose value follows from their arguments, such as `aws_iam_policy_document`, are computed. The
    /// default is true.
    #[must_use]
    pub fn computes_data(mut self, computes: bool) -> Project {
        self.request.computes_data = computes;
        self
    }

    /// Sets whether the values of calls, loops and conditionals that take many steps are kept.
    /// [`Report::explain`](crate::Report::explain) then need not evaluate these parts again, but the report takes more memory.
    /// The default is false.
    #[must_use]
    pub fn keeps_parts(mut self, keeps: bool) -> Project {
        self.request.keeps_parts = keeps;
        self
    }

    /// Gives the outputs of a data source of the type `terraform_remote_state`, as `--remote-state address=file` does. Without them,
    /// only states of the local backend are read. [`outputs_from_json`](crate::outputs_from_json) reads them from a state.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, outputs_from_json};
    ///
    /// let text = "data \"terraform_remote_state\" \"net\" {\n  backend = \"s3\"\n  config = { bucket = \"b\", key = \"k\" }\n}\n\
    ///             output \"id\" { value = data.terraform_remote_state.net.outputs.vpc_id }\n";
    /// let outputs = outputs_from_json(r#"{"vpc_id": {"sensitive": false, "type": "string", "value": "vpc-1"}}"#)?;
    /// let project = Project::new(".").remote_state("data.terraform_remote_state.net", outputs);
    /// let report = project.evaluate(&MemoryFiles::from_iter([("main.tf", text)]));
    /// assert_eq!(report.output("id").and_then(|value| value.as_str()), Some("vpc-1"));
    /// # Ok::<(), terrane::StateError>(())
    /// ```
    #[must_use]
    pub fn remote_state(mut self, address: impl Into<String>, outputs: Outputs) -> Project {
        let outputs = Value::object(outputs.into_iter().map(|(name, output)| (name, output.value)));
        self.request.remote_states.push(RemoteOutputs { address: address.into(), outputs });
        self
    }

    /// Gives the outputs of a data source of the type `terraform_remote_state`, as `--remote-state address=directory` does. The
    /// outputs come from another root module, which is evaluated first.
    #[must_use]
    pub fn remote_root(mut self, address: impl Into<String>, root: Project) -> Project {
        self.remote_roots.push((address.into(), root));
        self
    }

    /// Sets the state that the evaluation begins with, as read by [`state_from_json`](crate::state_from_json). The console then
    /// shows the objects of the state in place of the declared objects, as `terraform console` does.
    ///
    /// ```
    /// use terrane::module::Phase;
    /// use terrane::{MemoryFiles, Project, Secrets, Session, state_from_json};
    ///
    /// let state = state_from_json(
    ///     r#"{"version": 4, "resources": [{
    ///         "mode": "managed", "type": "terraform_data", "name": "a",
    ///         "provider": "provider[\"terraform.io/builtin/terraform\"]",
    ///         "instances": [{"attributes": {"id": "x1", "input": {"value": "old", "type": "string"}}}]
    ///     }]}"#,
    /// )?;
    /// let files = MemoryFiles::from_iter([("main.tf", "resource \"terraform_data\" \"a\" { input = \"new\" }\n")]);
    /// let report = Project::new(".").phase(Phase::Console).state(state).evaluate(&files);
    /// let session = Session::of_module(report);
    /// let answered = session.evaluate("[terraform_data.a.id, terraform_data.a.input]", &files);
    /// assert_eq!(session.text(&answered, Secrets::Hidden), "[\n  \"x1\",\n  \"old\",\n]");
    /// # Ok::<(), terrane::StateError>(())
    /// ```
    #[must_use]
    pub fn state(mut self, state: impl Into<Arc<State>>) -> Project {
        self.request.state = Some(state.into());
        self
    }

    /// Sets whether the recorded values of the state are used for objects that change, too, as with `--state-values prior`.
    /// Such values are labelled and may differ from the values after an apply, so [`Report::plan`](crate::Report::plan) refuses
    /// them.
    #[must_use]
    pub fn uses_prior_values(mut self, uses: bool) -> Project {
        self.request.uses_prior_values = uses;
        self
    }

    /// Adds an instance of a managed resource whose object [`Report::plan`](crate::Report::plan) replaces although nothing about it
    /// changes, as with `-replace=ADDRESS`. The state must have the object.
    ///
    /// ```
    /// use terrane::{Project, managed_instance};
    ///
    /// let project = Project::new(".").replace(managed_instance("module.net.aws_instance.web[0]")?);
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn replace(mut self, address: Address) -> Project {
        self.request.replaced.insert(address);
        self
    }

    /// Sets whether the evaluation is for [`Report::destroy_plan`](crate::Report::destroy_plan), as with `-destroy`. Errors that
    /// depend on a value then count only if a provider configuration reads the value.
    #[must_use]
    pub fn destroys(mut self, destroys: bool) -> Project {
        self.request.destroys = destroys;
        self
    }

    /// Sets the plan of the configuration, as read by [`plan_from_json`](crate::plan_from_json), in place of a state.
    /// Attributes then have the values that the providers have planned, and `plantimestamp` is the time of the plan. It takes
    /// precedence over an earlier [`Project::plan_time`]. The actions of the plan are not read, so [`Report::plan`](crate::Report::plan) returns an
    /// error.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, plan_from_json};
    ///
    /// let plan = plan_from_json(
    ///     r#"{"format_version": "1.2", "resource_changes": [{
    ///         "mode": "managed", "type": "demo_disk", "name": "a", "provider_name": "registry.terraform.io/hashicorp/demo",
    ///         "change": {"actions": ["create"], "after": {"size": 7}, "after_unknown": {"id": true}}
    ///     }]}"#,
    /// )?;
    /// let files = MemoryFiles::from_iter([(
    ///     "main.tf",
    ///     "resource \"demo_disk\" \"a\" {}\noutput \"size\" { value = demo_disk.a.size }\n",
    /// )]);
    /// let report = Project::new(".").stored_plan(plan).evaluate(&files);
    /// assert_eq!(report.output("size").and_then(|size| size.as_number()?.to_i64()), Some(7));
    /// # Ok::<(), terrane::StateError>(())
    /// ```
    #[must_use]
    pub fn stored_plan(mut self, plan: impl Into<Arc<StoredPlan>>) -> Project {
        let plan = plan.into();
        if let Some(seconds) = plan.timestamp.as_deref().and_then(unix_time) {
            self = self.plan_time(seconds);
        }
        self.request.state = Some(Arc::clone(&plan.prior));
        self.request.plan = Some(plan);
        self
    }

    /// Returns how OpenTofu encrypts states: by the `encryption` block of the module and `TF_ENCRYPTION` in
    /// [`Project::environment`]. Only the root module is read. [`decrypted`](crate::config::state_file::decrypted) needs it for
    /// a state; the states of `terraform_remote_state` are decrypted by the evaluation.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files = MemoryFiles::from_iter([(
    ///     "main.tf",
    ///     r#"
    ///         variable "passphrase" { sensitive = true }
    ///         terraform {
    ///           encryption {
    ///             key_provider "pbkdf2" "main" { passphrase = var.passphrase }
    ///             method "aes_gcm" "main" { keys = key_provider.pbkdf2.main }
    ///             state { method = method.aes_gcm.main }
    ///           }
    ///         }
    ///     "#,
    /// )]);
    /// let project = Project::new(".").variable("passphrase", "a long enough passphrase");
    /// let state = project.encryption(&files).state.expect("the block encrypts the state");
    /// assert_eq!((state.methods.len(), state.unusable.len()), (1, 0));
    /// ```
    pub fn encryption(&self, files: &dyn Files) -> Encryption {
        terrane_module::encryption(&self.request, files)
    }

    /// Returns the path of the module's state file, which its local backend and the selected workspace decide. The file need
    /// not exist.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files = MemoryFiles::from_iter([("main.tf", "terraform {\n  backend \"local\" {\n    path = \"a.tfstate\"\n  }\n}\n")]);
    /// assert_eq!(Project::new(".").state_file(&files)?.of_plan, Path::new("a.tfstate"));
    /// let file = Project::new(".").workspace("dev").state_file(&files)?;
    /// assert_eq!(file.of_plan, Path::new("terraform.tfstate.d/dev/terraform.tfstate"));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the state is not in a file: the module has another backend, or the backend is not the one that `init` has set up.
    pub fn state_file(&self, files: &dyn Files) -> Result<StateFile, String> {
        terrane_module::state_file(&self.request, files)
    }

    /// Reads values of variables from a file, as `-var-file path` does.
    #[must_use]
    pub fn variable_file(self, path: impl Into<PathBuf>) -> Project {
        self.assign(Assignment::File(path.into()))
    }

    /// Sets the environment variables. Names that begin with `TF_VAR_` set variables, and `TF_ENCRYPTION` overrides the
    /// `encryption` block of the module; other names are ignored.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Project {
        self.request.inputs.environment.extend(variables);
        self
    }

    /// Makes a variable without a value and a default an error, as in a plan. Otherwise such a variable is unknown.
    #[must_use]
    pub fn strict_inputs(mut self, strict: bool) -> Project {
        self.request.inputs.strict = strict;
        self
    }

    /// Reads the module with this source from a directory. Modules installed by `terraform init` are found without it.
    /// `source` is the text of the `source` argument, or its part before `//` or `?`.
    #[must_use]
    pub fn module(mut self, source: impl Into<String>, directory: impl Into<PathBuf>) -> Project {
        self.request.modules.push((source.into(), directory.into()));
        self
    }

    /// Adds directories to read for modules that are not local, by patterns of their sources. Directories of
    /// [`Project::module`] take precedence, and later maps take precedence over earlier maps.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use terrane::{MemoryFiles, ModuleMap, Project};
    ///
    /// let files = MemoryFiles::from_iter([
    ///     ("main.tf", "module \"m\" { source = \"git::https://example.com/infra.git//net?ref=v1\" }\noutput \"o\" { value = module.m.o }\n"),
    ///     ("vendor/infra/net/main.tf", "output \"o\" { value = 1 }\n"),
    /// ]);
    /// let map = ModuleMap::parse("git::https://example.com/*.git = vendor/*\n", Path::new("."))?;
    /// let report = Project::new(".").module_map(map).evaluate(&files);
    /// assert_eq!(report.output("o").and_then(|value| value.as_number()?.to_i64()), Some(1));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn module_map(mut self, map: ModuleMap) -> Project {
        self.request.module_map = std::mem::take(&mut self.request.module_map).with(map);
        self
    }

    /// Sets the value of `terraform.workspace`. The default is the workspace selected in the directory, or `default`.
    #[must_use]
    pub fn workspace(mut self, name: impl Into<String>) -> Project {
        self.request.workspace = Some(name.into());
        self
    }

    /// Sets whether an installed module is read, with a warning, although its call now asks for another source or version. By
    /// default, that is an error, as in Terraform and OpenTofu.
    #[must_use]
    pub fn allows_changed_modules(mut self, allows: bool) -> Project {
        self.request.allows_changed_modules = allows;
        self
    }

    /// Sets the directory of installed modules and the selected workspace, like `TF_DATA_DIR`. The default is `.terraform` in
    /// the directory of the module.
    #[must_use]
    pub fn data_directory(mut self, directory: impl Into<PathBuf>) -> Project {
        self.request.data_directory = Some(directory.into());
        self
    }

    /// Sets the names of environment variables whose values are not valid Unicode. Setting a variable by one of them is an
    /// error.
    #[must_use]
    pub fn unreadable_environment(mut self, names: impl IntoIterator<Item = String>) -> Project {
        self.request.inputs.unreadable.extend(names);
        self
    }

    /// Sets the phase to simulate: plan, validate or console. The default is plan.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Project {
        self.request.phase = phase;
        self
    }

    /// Sets the product and edition that the configuration is written for.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Project {
        self.request.dialect = dialect;
        self
    }

    /// Sets the host of functions: time, random numbers and the home directory. Results that need a missing part of the host
    /// are unknown, as in a plan.
    #[must_use]
    pub fn host(mut self, host: Host) -> Project {
        self.request.host = host;
        self
    }

    /// Sets the clock for functions of time. Without a clock their results are unknown.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Project {
        self.request.host.clock = Some(Arc::new(clock));
        self
    }

    /// Sets the result of `plantimestamp`, which is also the `timestamp` of a plan document, in seconds since
    /// 1970-01-01T00:00:00Z. By default, both are the start of the run by [the clock](Project::clock). Without a clock the
    /// function is unknown, and the document has no time. The clock stays as it is: without one, `timestamp` is unknown.
    #[must_use]
    pub fn plan_time(mut self, unix_seconds: i64) -> Project {
        self.request.host.plan_time = Some(unix_seconds);
        self
    }

    /// Sets the home directory of the user, for paths that begin with `~`. Without it such paths are unknown.
    #[must_use]
    pub fn home(mut self, directory: impl Into<PathBuf>) -> Project {
        self.request.host.home = Some(directory.into());
        self
    }

    /// Sets the limits on time, memory and depth of the whole evaluation. Another thread can stop the evaluation through the
    /// cancellation flag of the limits; every value that is not computed yet is then an error.
    ///
    /// ```
    /// use terrane::function::Limits;
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let files: MemoryFiles = [("main.tf", "output \"all\" { value = [for n in range(1000) : n] }")].into_iter().collect();
    /// let report = Project::new(".").limits(Limits { steps: 100, ..Limits::default() }).evaluate(&files);
    /// assert_eq!(report.diagnostics().as_slice()[0].title(), "Limit exceeded");
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Project {
        self.request.limits = limits;
        self
    }

    /// Adds a function, for example `provider::name::function` of a provider. It replaces a function of the library with the
    /// same name. Without an added function, a call of a provider function has an unknown value.
    #[must_use]
    pub fn function(mut self, function: Function) -> Project {
        add_function(&mut self.request.functions, function);
        self
    }

    /// Adds all functions of the provider with this local name in the modules. A call of any other function of the provider is
    /// an error.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = "terraform {\n  required_providers {\n    x = { source = \"acme/x\" }\n  }\n}\n\
    ///             output \"o\" { value = provider::x::none(1) }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let report = Project::new(".").provider_functions("x", []).evaluate(&files);
    /// assert_eq!(report.diagnostics().as_slice()[0].title(), "Unknown provider function");
    /// ```
    #[must_use]
    pub fn provider_functions(self, name: &str, functions: impl IntoIterator<Item = Function>) -> Project {
        let mut project = functions.into_iter().fold(self, Project::function);
        project.request.known_providers.insert(name.to_owned());
        project
    }

    /// Adds provider schemas, as read by [`schemas_from_json`](crate::schemas_from_json). Resources become objects of the types
    /// in the schemas: an attribute that is not configured is null, or unknown if the provider sets it. An attribute that is
    /// not in the schema is an error.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project, schemas_from_json};
    ///
    /// let schemas = schemas_from_json(
    ///     r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/demo": {"resource_schemas": {
    ///         "demo_thing": {"version": 0, "block": {"attributes": {
    ///             "id": {"type": "string", "computed": true},
    ///             "size": {"type": "number", "optional": true}
    ///         }}}
    ///     }}}}"#,
    /// )?;
    /// let files = MemoryFiles::from_iter([(
    ///     "main.tf",
    ///     r#"
    ///         terraform {
    ///           required_providers { demo = { source = "acme/demo" } }
    ///         }
    ///         resource "demo_thing" "a" {}
    ///         output "size" { value = demo_thing.a.size == null }
    ///         output "id" { value = demo_thing.a.id }
    ///     "#,
    /// )]);
    /// let report = Project::new(".").schemas(&schemas).evaluate(&files);
    /// assert_eq!(report.output("size").and_then(|value| value.as_bool()), Some(true));
    /// let id = report.output("id").expect("the module declares it");
    /// assert_eq!(id.origins().as_slice()[0].to_string(), "demo_thing.a.id is set by the provider");
    /// # Ok::<(), terrane::SchemaError>(())
    /// ```
    #[must_use]
    pub fn schemas(mut self, schemas: &Schemas) -> Project {
        self.request.schemas = self.request.schemas.merged(schemas);
        self
    }

    /// Sets the files that the schemas were read from, as a [`Recorder`] has noted them. Documents list them.
    #[must_use]
    pub fn schema_files(mut self, read: &Accesses) -> Project {
        self.schema_files.extend(read);
        self
    }

    /// Sets the origins of the schemas in [`Project::schemas`]. Documents list them.
    #[must_use]
    pub fn used_schemas(mut self, used: impl IntoIterator<Item = UsedSchema>) -> Project {
        self.used_schemas.extend(used);
        self
    }

    /// Sets directories with stored schemas of providers. The versions in the lock file select schemas there. Schemas of
    /// [`Project::schemas`] take precedence.
    #[must_use]
    pub fn schema_stores(mut self, stores: SchemaStores) -> Project {
        self.stores = Some(stores);
        self
    }

    /// Sets the files that the state was read from, as a [`Recorder`] has noted them. Documents list them.
    #[must_use]
    pub fn state_files(mut self, read: &Accesses) -> Project {
        self.state_files.extend(read);
        self
    }

    /// Sets the number of threads that evaluate the project together; 0 stands for one per core. The default is one thread,
    /// because programs with many projects evaluate them side by side. Small projects are evaluated on one thread in any case.
    ///
    /// The report is the same with any number of threads. Added functions may be called by several threads at once and in any
    /// order.
    ///
    /// ```
    /// use terrane::{MemoryFiles, Project};
    ///
    /// let text = "locals {\n  a = sum([for n in range(1000) : n % 7])\n  b = sum([for n in range(1000) : n % 11])\n}\n\
    ///             output \"total\" { value = local.a + local.b }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let report = Project::new(".").threads(2).evaluate(&files);
    /// assert_eq!(report.output("total").and_then(|total| total.as_number()?.to_i64()), Some(7992));
    /// ```
    #[must_use]
    pub fn threads(self, count: usize) -> Project {
        self.executor(Threads::new(count))
    }

    /// Sets threads of the program that evaluate the project, instead of threads that [`Project::threads`] starts.
    #[must_use]
    pub fn executor(mut self, executor: impl Executor + 'static) -> Project {
        self.request.executor = Arc::new(executor);
        self
    }

    /// Returns the directories with stored schemas.
    pub(crate) fn stores(&self) -> Option<&SchemaStores> {
        self.stores.as_ref()
    }

    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the files that an evaluation has read, together with the files that were read before it.
    pub(crate) fn read(&self, files: Vec<FileId>, accesses: Accesses) -> ReadFiles {
        ReadFiles {
            files,
            accesses,
            schemas: self.schema_files.clone(),
            state: self.state_files.clone(),
            used_schemas: self.used_schemas.clone(),
            locked: BTreeMap::new(),
        }
    }

    /// Returns the project in an environment. Options of the project take precedence over the variable files of the
    /// environment.
    #[must_use]
    pub fn in_environment(mut self, environment: &Environment) -> Project {
        let files = environment.variable_files.iter().cloned().map(Assignment::File);
        self.request.inputs.assignments.splice(0..0, files);
        if let Some(workspace) = &environment.workspace {
            self = self.workspace(workspace);
        }
        match &environment.state {
            Some(EnvironmentState { state, files }) => self.state(Arc::clone(state)).state_files(files),
            None => self,
        }
    }

    /// Loads and evaluates everything, reading through `files`.
    ///
    /// Errors are in [`Report::diagnostics`].
    pub fn evaluate(&self, files: &dyn Files) -> Report {
        self.evaluate_with(files, &|_| {})
    }

    /// Like [`Project::evaluate`], but calls `progress` before it evaluates each object.
    pub fn evaluate_with(&self, files: &dyn Files, progress: &dyn Fn(Progress)) -> Report {
        let evaluate = |config, inputs: &Inputs, files: &dyn Files| {
            terrane_module::evaluate_with(config, inputs, files, progress)
        };
        self.evaluate_request(self.request.clone(), files, &Caches::default(), evaluate)
    }

    /// Loads everything for a request with the files in `caches`, and evaluates it with `evaluate`. `request` is the
    /// project's request, possibly with other limits.
    pub(crate) fn evaluate_request(
        &self,
        mut request: Request,
        files: &dyn Files,
        caches: &Caches,
        evaluate: impl FnOnce(Config, &Inputs, &dyn Files) -> Evaluation,
    ) -> Report {
        let log = Arc::new(AccessLog::default());
        let recorder = Recorder::new(files, &log).without_hash_of(is_configuration).keeping_listings();
        let (mut of_roots, mut of_modules) = (Diagnostics::new(), ModuleDirectories::default());
        for (address, root) in &self.remote_roots {
            let mut of_root = root.request.clone();
            of_root.limits = request.limits.clone();
            let report = root.evaluate_request(of_root, &recorder, caches, terrane_module::evaluate);
            // Files in `caches` were not read again.
            log.note_kept(report.files().iter().map(FileId::path));
            log.extend(&report.read().schemas);
            let outputs = remote::outputs(address, &report, &mut of_roots);
            if root.request.module_map == request.module_map && root.request.modules == request.modules {
                of_modules.merge(report.module_directories.clone());
            }
            // All root modules share the limits of the run.
            request.limits.steps = request.limits.steps.saturating_sub(report.evaluation().steps());
            drop(report);
            request.limits.memory = request.limits.memory.saturating_sub(outputs.own_bytes() as u64);
            request.remote_states.push(RemoteOutputs { address: address.clone(), outputs });
        }
        request.executor = Arc::new(Recorded { executor: request.executor, log: Arc::clone(&log) });
        let loaded = load(request, self.stores(), files, &recorder, caches);
        let LoadedProject { loaded, chosen } = loaded;
        let mut diagnostics = of_roots;
        diagnostics.extend(loaded.diagnostics);
        // A given directory may be used only by the module of another root.
        of_modules.merge(loaded.module_directories);
        let request = &loaded.config.request;
        diagnostics.extend(of_modules.mistakes(&request.modules, &request.module_map, &recorder));
        let mut evaluation = evaluate(loaded.config, &loaded.inputs, &recorder);
        let chosen = chosen.finish(&evaluation.config);
        diagnostics.extend(chosen.diagnostics.clone());
        if loaded.gaps.is_stopped {
            // Declarations are missing, so diagnostics of the evaluation may only follow from that.
            evaluation.diagnostics = Diagnostics::new();
        }
        let read = self.read(loaded.files, log.take()).with_stored(chosen);
        let load = LoadOutcome {
            diagnostics,
            gaps: loaded.gaps,
            read,
            inputs: loaded.inputs,
            module_directories: of_modules,
            declaration_errors: loaded.declaration_errors,
        };
        Report::new(evaluation, load)
    }
}

/// Whether a file is a configuration file. Modules keep the text of such files.
pub(crate) fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests;
