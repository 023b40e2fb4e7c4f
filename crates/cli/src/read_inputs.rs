//! Reads the files that options name, before a command runs.
//!
//! The structs of options have paths of files, and no content. A command takes the content as an argument of its own, so that the
//! compiler finds a command that forgets to read the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::config::Assignment;
use terrane::config::recorder::{AccessLog, Accesses, Recorder};
use terrane::config::state::{State, StoredPlan};
use terrane::config::state_file::Outputs;
use terrane::{Files, ModuleMap, Schemas, StoredSchemas, UsedSchema, schemas_from_json};

use crate::input::utf8;
use crate::options::{Inputs, ModuleSources};

/// The files that a command may read, and the content of those that name modules, schemas and values of variables.
pub(crate) struct ReadSources {
    pub(crate) files: &'static dyn Files,
    /// The values of `-var` and `-var-file`, in the order of the command line.
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) module_map: ModuleMap,
    pub(crate) schemas: ReadSchemas,
}

impl ReadSources {
    /// Reads the files of `--module-map` and `--schemas`, each of at most `most` bytes.
    pub(crate) fn read(
        modules: &ModuleSources,
        schema_files: &[PathBuf],
        assignments: Vec<Assignment>,
        files: &'static dyn Files,
        most: u64,
    ) -> Result<ReadSources, String> {
        let module_map = read_maps(&modules.map_files, files, most)?;
        let schemas = read_schemas(schema_files, files, most)?;
        Ok(ReadSources { files, assignments, module_map, schemas })
    }
}

/// The options of a command that evaluates a module, with the content of the files that they name. A `StateReader` makes them.
pub(crate) struct ReadInputs<'c> {
    pub(crate) options: &'c Inputs,
    pub(crate) sources: ReadSources,
    /// The result of `plantimestamp`.
    pub(crate) plan_time: Option<i64>,
    pub(crate) remote_states: RemoteStates,
    pub(crate) state: ReadState,
}

/// The state or the plan that an evaluation begins with.
#[derive(Default)]
pub(crate) struct ReadState {
    pub(crate) state: Option<Arc<State>>,
    pub(crate) plan: Option<Arc<StoredPlan>>,
    /// The file as it was read.
    pub(crate) accesses: Accesses,
    /// A note about the file.
    pub(crate) note: Option<String>,
}

/// Outputs for data sources of the type `terraform_remote_state`.
#[derive(Default, Debug)]
pub(crate) struct RemoteStates {
    /// The outputs, each with the address of its data source.
    pub(crate) outputs: Vec<(String, Outputs)>,
    /// The directories of root modules, each with the address of the data source.
    pub(crate) roots: Vec<(String, PathBuf)>,
    /// The files with outputs.
    pub(crate) accesses: Accesses,
}

/// The schemas of all given files.
#[derive(Clone, Debug)]
pub(crate) struct ReadSchemas {
    pub(crate) schemas: Schemas,
    /// The files.
    pub(crate) files: Accesses,
    /// The provider, version and file of each schema.
    pub(crate) used: Vec<UsedSchema>,
}

/// Reads the schemas of several files, each of at most `most` bytes.
fn read_schemas(paths: &[PathBuf], files: &dyn Files, most: u64) -> Result<ReadSchemas, String> {
    let log = AccessLog::default();
    let files = Recorder::new(files, &log);
    let read = |path: &PathBuf| {
        let bytes = files.read_within(path, most).map_err(|error| error.to_string())?;
        if StoredSchemas::is_schema_file(&bytes) {
            let stored = StoredSchemas::open(bytes).map_err(|error| error.to_string())?;
            return Ok((stored.schemas(), Some(stored.version().clone())));
        }
        let text = utf8(bytes).map_err(|reason| format!("it {reason}"))?;
        schemas_from_json(&text).map(|schemas| (schemas, None)).map_err(|error| error.to_string())
    };
    let mut used = Vec::new();
    let schemas = paths.iter().try_fold(Schemas::default(), |schemas, path| match read(path) {
        Ok((more, version)) => {
            let providers = more.addresses().into_iter().filter(|address| !address.is_built_in());
            used.extend(providers.map(|address| UsedSchema::given(address.clone(), version.clone(), path)));
            Ok(schemas.merged(&more))
        }
        Err(error) => Err(format!("invalid value '{}' for '--schemas <FILE>': {error}", path.display())),
    })?;
    Ok(ReadSchemas { schemas, files: log.take(), used })
}

/// Reads the files of `--module-map`, each of at most `most` bytes.
fn read_maps(paths: &[PathBuf], files: &dyn Files, most: u64) -> Result<ModuleMap, String> {
    paths.iter().try_fold(ModuleMap::default(), |map, path| {
        let read = || {
            let bytes = files.read_within(path, most).map_err(|error| error.to_string())?;
            let text = utf8(bytes).map_err(|reason| format!("it {reason}"))?;
            let map = ModuleMap::parse(&text, path.parent().unwrap_or(Path::new(".")))?;
            Ok(map.of_file(&path.display().to_string()))
        };
        let invalid =
            |error: String| format!("invalid value '{}' for '--module-map <FILE>': {error}", path.display());
        Ok(map.with(read().map_err(invalid)?))
    })
}
