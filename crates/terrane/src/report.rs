//! The outcome of evaluating a project: diagnostics and named values.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use terrane_config::damaged_values::DamagedFile;
use terrane_config::recorder::Accesses;
use terrane_config::{InstanceKey, ModulePath, Version};
use terrane_module::module::Output;
use terrane_module::provider::ProviderAddress;
use terrane_module::{
    CallId, Called, Evaluation, FoundBy, Gaps, Inputs, ModuleDirectories, ModuleInstance, ResourceId,
    stops_plan,
};
use terrane_source::{Diagnostics, FileId};
use terrane_value::{Marks, Origins, SmolStr, Value, counted};

use crate::named_values::NamedValues;
use crate::part_source::{PartSource, SourceKind};
use crate::schema_store::{Chosen, UsedSchema};
use crate::unexpanded;
use crate::unexpanded::UnexpandedBlock;

/// The outcome of evaluating a [`Project`](crate::Project).
pub struct Report {
    evaluation: Evaluation,
    diagnostics: Diagnostics,
    gaps: Gaps,
    read: ReadFiles,
    inputs: Inputs,
    /// The given directories of modules that calls have used.
    pub(crate) module_directories: ModuleDirectories,
    /// The number of errors in declarations.
    pub(crate) declaration_errors: usize,
    /// Built at the first request for it.
    pub(crate) named_values: OnceLock<NamedValues>,
    /// The bytes that the evaluation keeps, found at the first request for them.
    memory_in_use: OnceLock<u64>,
}

/// The outcome of a load without the configuration, which the evaluation has.
pub(crate) struct LoadOutcome {
    /// Errors and warnings of the load, and of everything that was done before it.
    pub(crate) diagnostics: Diagnostics,
    pub(crate) gaps: Gaps,
    pub(crate) read: ReadFiles,
    pub(crate) inputs: Inputs,
    /// The given directories of modules that calls have used.
    pub(crate) module_directories: ModuleDirectories,
    /// The number of errors in declarations.
    pub(crate) declaration_errors: usize,
}

/// The files that an evaluation read or looked for.
pub(crate) struct ReadFiles {
    /// The configuration files.
    pub(crate) files: Vec<FileId>,
    pub(crate) accesses: Accesses,
    /// The files with the schemas, which were read before the evaluation.
    pub(crate) schemas: Accesses,
    /// The file with the state.
    pub(crate) state: Accesses,
    /// The schemas of providers.
    pub(crate) used_schemas: Vec<UsedSchema>,
    /// The versions of providers that the lock file selects.
    pub(crate) locked: BTreeMap<ProviderAddress, Version>,
}

impl ReadFiles {
    /// Adds the schemas that were found in stores, and the versions of the lock file.
    pub(crate) fn with_stored(mut self, chosen: Chosen) -> ReadFiles {
        self.schemas.extend(&chosen.accesses);
        self.used_schemas.extend(chosen.used);
        self.locked = chosen.locked;
        self
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("directory", &self.evaluation.config.request.directory)
            .field("module_instances", &self.evaluation.instances().len())
            .field("diagnostics", &self.diagnostics)
            .finish_non_exhaustive()
    }
}

impl Report {
    /// Returns the approximate bytes of everything that the evaluation keeps.
    pub(crate) fn memory_in_use(&self) -> u64 {
        *self.memory_in_use.get_or_init(|| self.evaluation.memory_in_use())
    }

    /// Returns the report of an evaluation. The diagnostics of the evaluation are added to those of the load.
    pub(crate) fn new(mut evaluation: Evaluation, load: LoadOutcome) -> Report {
        let LoadOutcome { diagnostics, mut gaps, read, inputs, module_directories, declaration_errors } =
            load;
        let evaluated = std::mem::take(&mut evaluation.diagnostics);
        gaps.add_broken_strings(diagnostics.as_slice().iter().chain(evaluated.as_slice()));
        let mut diagnostics = evaluation.config.without_secrets(diagnostics, evaluated);
        diagnostics.sort();
        let named_values = OnceLock::new();
        Report {
            evaluation,
            diagnostics,
            gaps,
            read,
            inputs,
            module_directories,
            declaration_errors,
            named_values,
            memory_in_use: OnceLock::new(),
        }
    }

    /// Returns the values that were given for root variables, also values without effect.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Returns the configuration files that were read, each once.
    pub fn files(&self) -> &[FileId] {
        &self.read.files
    }

    /// Returns the files that the evaluation read or looked for.
    pub(crate) fn read(&self) -> &ReadFiles {
        &self.read
    }

    /// Returns in words why a part of the configuration is missing. `None` if everything could be read.
    pub(crate) fn missing(&self) -> Option<String> {
        missing_text(&self.gaps)
    }

    /// Whether a part of the configuration could not be read, so that values that depend on it are unknown.
    pub fn is_partial(&self) -> bool {
        !self.gaps.is_none()
    }

    /// Whether loading was stopped, which may be the cause of any further error.
    pub fn is_stopped(&self) -> bool {
        self.gaps.is_stopped
    }

    /// Returns the parts that could not be read, in a sentence for people. `None` if everything could be read.
    pub fn partial_note(&self) -> Option<String> {
        missing_text(&self.gaps).map(|reason| partial_values(&reason))
    }

    /// Returns errors and warnings in the order of files and places.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Whether an error stops the whole plan: an error in the declarations, for example in a `moved` or `removed` block, or a
    /// cycle of references. The products then plan no values.
    pub fn stops_plan(&self) -> bool {
        self.declaration_errors > 0 || self.diagnostics.as_slice().iter().any(stops_plan)
    }

    /// Returns the evaluated configuration.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Returns the value of an output of the root module.
    pub fn output(&self, name: &str) -> Option<&Value> {
        let root = self.evaluation.root();
        let output = self.evaluation.config.node(root.node).module.outputs.id_of(name)?;
        Some(&root.outputs[output])
    }

    /// Returns the outputs of the root module in source order.
    pub fn outputs(&self) -> impl Iterator<Item = (&SmolStr, &Value)> {
        let root = self.evaluation.root();
        self.evaluation.config.node(root.node).module.outputs.keys().zip(&root.outputs)
    }

    /// Returns the blocks with an unknown number of instances, by address.
    pub fn unexpanded(&self) -> Vec<UnexpandedBlock> {
        unexpanded::blocks(&self.evaluation)
    }

    /// Returns the parts of a resource instance that do not come from the configuration. `value` is the value of the instance.
    pub(crate) fn resource_sources<'r>(
        &'r self,
        instance: &'r ModuleInstance,
        id: ResourceId,
        key: &'r InstanceKey,
        value: &'r Value,
    ) -> impl Iterator<Item = PartSource> + 'r {
        let changed = self.is_of_changed_module(&instance.path).then(PartSource::changed_module);
        let given =
            self.evaluation.given_for_resource(instance, id, key, value).into_iter().map(PartSource::given);
        let computed = self.evaluation.computed_attributes(instance, id, key, value);
        let (recorded, recorded_in) = self.evaluation.recorded_attributes(instance, id, key, value);
        let (resource, _) = self.evaluation.config.node(instance.node).module.resources.entry_of(id);
        let kind = PartSource::recorded_kind(recorded_in, resource.mode);
        let recorded = recorded.into_iter().map(move |name| PartSource::recorded(&name, kind));
        let inner = instance.inner_parts(id, key).iter().map(move |part| {
            let given = self.evaluation.given_inside(instance, id, key, part);
            PartSource::inner(part, given, kind)
        });
        let remote = self.evaluation.remote_state(instance, id, key, value).map(|_| PartSource {
            path: ".outputs".to_owned(),
            kind: SourceKind::RemoteState,
            place: None,
        });
        let own = given.chain(computed.map(PartSource::computed)).chain(recorded).chain(inner).chain(remote);
        changed.into_iter().chain(own)
    }

    /// Whether a module or one of its callers is an installed module whose call now asks for another source or version.
    pub(crate) fn is_of_changed_module(&self, path: &ModulePath) -> bool {
        let config = &self.evaluation.config;
        let is_on_the_way = |other: &ModulePath| {
            let (steps, others) = (path.steps(), other.steps());
            steps.len() >= others.len() && steps.iter().zip(others).all(|(one, other)| one.name == other.name)
        };
        config.request.allows_changed_modules
            && config
                .nodes()
                .any(|(_, node)| node.found == Some(FoundBy::OtherInstallation) && is_on_the_way(&node.path))
    }

    /// Returns the outputs of an instance of a call that do not come from the configuration.
    pub(crate) fn call_sources(
        &self,
        instance: &ModuleInstance,
        id: CallId,
        key: &InstanceKey,
    ) -> Vec<PartSource> {
        let Some(called) = instance.calls[id].expansion.get(key) else { return Vec::new() };
        let outputs = || match called {
            Called::Instance(instance) => self.outputs_of(&self.evaluation.instances()[*instance]),
            Called::Missing(missing) => missing.outputs.clone(),
        };
        let given = self.evaluation.given_for_outputs(instance, id, key, outputs);
        let (name, _) = self.evaluation.config.node(instance.node).module.calls.entry_of(id);
        let is_changed = self.is_of_changed_module(&instance.path.child(name, key.clone()));
        let changed = is_changed.then(PartSource::changed_module);
        changed.into_iter().chain(given.into_iter().map(PartSource::given)).collect()
    }

    pub(crate) fn outputs_of(&self, instance: &ModuleInstance) -> Value {
        let module = &self.evaluation.config.node(instance.node).module;
        let outputs = module.outputs.iter().zip(&instance.outputs);
        let outputs = outputs.map(|((name, output), value)| (name.clone(), shown_output(output, value)));
        match module.doubt.hides_outputs() {
            true => Value::open_object(outputs.collect(), Origins::error_of(&instance.path.to_string())),
            false => Value::object(outputs),
        }
    }
}

/// Returns the note on the values of a configuration with missing parts.
pub(crate) fn partial_values(reason: &str) -> String {
    format!("partial values: {reason}; values that depend on the unreadable text are unknown")
}

/// Returns in words why a part of a configuration is missing. `None` if everything could be read.
pub(crate) fn missing_text(gaps: &Gaps) -> Option<String> {
    let (unreadable, broken): (Vec<_>, Vec<_>) =
        gaps.files.iter().partition(|file| !file.has_syntax_errors());
    let names = |files: &mut dyn Iterator<Item = &FileId>| {
        files.map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let names_of = |damaged: &[&DamagedFile]| names(&mut damaged.iter().map(|damaged| &damaged.file));
    let errors: usize = broken.iter().map(|file| file.syntax_errors).sum();
    let of_broken =
        (errors > 0).then(|| format!("{} in {}", counted(errors, "syntax error"), names_of(&broken)));
    let of_unreadable = (!unreadable.is_empty()).then(|| format!("{} cannot be read", names_of(&unreadable)));
    let headers: usize = gaps.wrong_headers.values().sum();
    let of_headers = (headers > 0).then(|| {
        let files = names(&mut gaps.wrong_headers.keys());
        format!("{} in {files}", counted(headers, "wrong block header"))
    });
    let reasons: Vec<String> = of_broken.into_iter().chain(of_headers).chain(of_unreadable).collect();
    match reasons.is_empty() {
        true => gaps.is_stopped.then(|| "loading stopped early".to_owned()),
        false => Some(reasons.join(", and ")),
    }
}

/// Returns the value of an output for display. An output that is declared sensitive is marked, even if the dialect lets callers
/// read it without the mark.
pub(crate) fn shown_output(output: &Output, value: &Value) -> Value {
    if output.sensitive { value.clone().with_marks(&Marks::sensitive()) } else { value.clone() }
}
