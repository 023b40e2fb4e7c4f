//! Reads the states and plans that options name: `--state`, `--plan` and `--remote-state`.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane::config::recorder::{AccessLog, Recorder};
use terrane::config::state::{State, StoredPlan};
use terrane::config::state_file::{Decryption, Outputs, decrypted_within, is_encrypted};
use terrane::function::Limits;
use terrane::source::{FileErrorKind, FileKind};
use terrane::{
    Environment, EnvironmentState, Files, GivenText, Project, dialect_at, has_configuration,
    outputs_from_json, plan_from_json, state_from_json,
};

use crate::host::source_date;
use crate::input::{STDIN, document_on_standard_input, utf8};
use crate::options::Inputs;
use crate::project::project;
use crate::read_inputs::{ReadInputs, ReadSources, ReadState, RemoteStates};

/// The first bytes of a binary plan file.
const ZIP: &[u8] = b"PK\x03\x04";

/// The byte order mark of UTF-8. A text that begins with it is not JSON.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The option that names a state, with its value.
const STATE: &str = "state <FILE|DIR>";

/// Reads the files of these options.
pub(crate) struct StateReader<'r> {
    pub(crate) files: &'r dyn Files,
    pub(crate) limits: &'r Limits,
    /// The number of steps that are left for the keys of encrypted files.
    pub(crate) steps: &'r Cell<u64>,
    /// The root module that is evaluated.
    pub(crate) directory: &'r Path,
    /// Whether the directory of a state stands for the file that the consoles of the products read.
    pub(crate) is_console: bool,
    /// Whether the module is evaluated in several environments. The directory of a state then stands for a file for each of
    /// them, which [`StateReader::read_for`] reads.
    pub(crate) has_environments: bool,
}

/// The file of the state of a root module.
struct FoundFile {
    path: PathBuf,
    /// The root module, which says how the state is encrypted.
    project: Project,
    is_missing: bool,
    note: Option<String>,
}

impl StateReader<'_> {
    /// Reads the files of `--state`, `--plan` and `--remote-state`.
    pub(crate) fn read<'c>(
        &self,
        options: &'c Inputs,
        sources: ReadSources,
    ) -> Result<ReadInputs<'c>, String> {
        let (remote_states, state) = (RemoteStates::default(), ReadState::default());
        let mut inputs = ReadInputs { options, sources, plan_time: source_date()?, remote_states, state };
        // If a file is encrypted, the root module says how, with the inputs that are read already.
        inputs.remote_states = self.remote_states(&inputs)?;
        inputs.state = self.state_or_plan(&inputs)?;
        Ok(inputs)
    }

    fn state_or_plan(&self, inputs: &ReadInputs<'_>) -> Result<ReadState, String> {
        let log = AccessLog::default();
        let reader = StateReader { files: &Recorder::new(self.files, &log), ..*self };
        let mut read = ReadState::default();
        let options = &inputs.options.state;
        if let Some(path) = &options.file {
            let is_directory = self.is_directory(path);
            if !(is_directory && self.has_environments) {
                let state = match is_directory {
                    true => reader.file_of_directory(path, inputs, None).and_then(|file| {
                        read.note.clone_from(&file.note);
                        reader.state_in(&file)
                    }),
                    false => reader.state(path, &|| self.project(self.directory, inputs)),
                };
                let state = state.map_err(|error| invalid(STATE, path, &error))?;
                read.state = Some(Arc::new(state));
            }
        }
        if let Some(path) = &options.plan_file {
            let plan = reader.plan(path).map_err(|error| invalid("plan <FILE>", path, &error))?;
            read.plan = Some(Arc::new(plan));
        }
        read.accesses = log.take();
        Ok(read)
    }

    fn remote_states(&self, inputs: &ReadInputs<'_>) -> Result<RemoteStates, String> {
        let log = AccessLog::default();
        let reader = StateReader { files: &Recorder::new(self.files, &log), ..*self };
        let mut read = RemoteStates::default();
        for GivenText { address, value } in &inputs.options.remote_state_paths {
            let path = Path::new(value.trim());
            let invalid = |error: &str| {
                format!("invalid value '{address}={value}' for '--remote-state <ADDRESS=FILE|DIR>': {error}")
            };
            if path.as_os_str().is_empty() {
                return Err(invalid("it has no path behind the `=`"));
            }
            if self.files.metadata(path) == Ok(FileKind::Directory) {
                if !has_configuration(path, self.files) {
                    return Err(invalid(&format!(
                        "the directory {} is no root module: it has no files that end in `.tf` or `.tofu`",
                        path.display()
                    )));
                }
                read.roots.push((address.clone(), path.to_owned()));
                continue;
            }
            let outputs = reader.outputs(address, path, inputs).map_err(|error| invalid(&error))?;
            read.outputs.push((address.clone(), outputs));
        }
        read.accesses = log.take();
        Ok(read)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        let bytes = self.files.read_within(path, self.limits.state()).map_err(|error| {
            let is_too_large = matches!(error.kind, FileErrorKind::TooLarge { .. });
            let remedy = if is_too_large { "; --max-memory raises it" } else { "" };
            format!("{error}{remedy}")
        })?;
        checked(bytes, path)
    }

    /// Returns the text of standard input, which is the state or the plan.
    fn text_of_standard_input(&self) -> Result<String, String> {
        if self.is_console {
            return Err("standard input has the expressions of the console".to_owned());
        }
        checked(document_on_standard_input(self.limits.state())?, Path::new(STDIN))
    }

    /// Returns the text of a file, or of standard input.
    fn text_of_option(&self, path: &Path) -> Result<String, String> {
        if is_standard_input(path) { self.text_of_standard_input() } else { self.text(path) }
    }

    fn plan(&self, path: &Path) -> Result<StoredPlan, String> {
        let text = self.text_of_option(path)?;
        if is_encrypted(&text) {
            return Err(format!(
                "it is encrypted by OpenTofu; `tofu show -json {}` writes the document that --plan reads",
                path.display()
            ));
        }
        let plan = plan_from_json(&text).map_err(|error| error.to_string())?;
        self.count_objects(&plan.prior)?;
        self.count_objects(&plan.planned)?;
        Ok(plan)
    }

    fn outputs(&self, address: &str, path: &Path, inputs: &ReadInputs<'_>) -> Result<Outputs, String> {
        let text = self.text(path)?;
        let plain = match is_encrypted(&text) {
            true => {
                let encryption = self.project(self.directory, inputs).encryption(self.files);
                let decryption = encryption.of_remote_state(address).cloned().unwrap_or_default();
                self.decrypted(&text, &decryption)?.into_owned()
            }
            false => text,
        };
        outputs_from_json(&plain).map_err(|error| error.to_string())
    }

    /// Returns the decrypted text. All files together may take as many steps as an evaluation, and the states of the environments of
    /// a matrix together as many again.
    fn decrypted<'t>(&self, text: &'t str, decryption: &Decryption) -> Result<Cow<'t, str>, String> {
        let mut steps = self.steps.get();
        let plain = decrypted_within(text, decryption, &mut steps);
        self.steps.set(steps);
        plain.map_err(|error| error.to_string())
    }

    /// Returns the state in a file. If it is encrypted, the root module says how.
    fn state(&self, path: &Path, root: &dyn Fn() -> Project) -> Result<State, String> {
        let text = self.text_of_option(path)?;
        let decryption = match is_encrypted(&text) {
            true => root().encryption(self.files).state.unwrap_or_default(),
            false => Decryption::default(),
        };
        let plain = self.decrypted(&text, &decryption)?;
        let state = state_from_json(&plain).map_err(|error| error.to_string())?;
        self.count_objects(&state)?;
        Ok(state)
    }

    /// Returns an error for a state with too many objects.
    fn count_objects(&self, state: &State) -> Result<(), String> {
        let count: usize = state.resources.iter().map(|resource| resource.instances.len()).sum();
        let most = self.limits.recorded_objects();
        if count as u64 <= most {
            return Ok(());
        }
        Err(format!("it has {count} objects; the limit is {most}, and --max-memory raises it"))
    }

    /// Whether `--state` names the directory of a root module.
    fn is_directory(&self, path: &Path) -> bool {
        !is_standard_input(path) && self.files.metadata(path) == Ok(FileKind::Directory)
    }

    /// Returns the file of a root module's local backend, in an environment if there are several.
    fn file_of_directory(
        &self,
        directory: &Path,
        inputs: &ReadInputs<'_>,
        environment: Option<&Environment>,
    ) -> Result<FoundFile, String> {
        if environment.is_none() && inputs.options.workspace.as_ref().is_some_and(|names| names.contains(','))
        {
            return Err(
                "--workspace names several workspaces, which have a state each; name the file of one"
                    .to_owned(),
            );
        }
        let project = self.project(directory, inputs);
        let project = match environment {
            Some(environment) => project.in_environment(environment),
            None => project,
        };
        let file = project.state_file(self.files)?;
        let (path, other) = match self.is_console {
            true => (file.of_console, Some(file.of_plan)),
            false => (file.of_plan, None),
        };
        let other = other.filter(|other| *other != path);
        let is_missing = self.files.metadata(&path).is_err_and(|error| error.kind == FileErrorKind::NotFound);
        Ok(FoundFile { note: note(&path, other.as_ref(), is_missing), path, project, is_missing })
    }

    /// Returns the state in the file of a root module. If the file does not exist, the state has no objects.
    fn state_in(&self, file: &FoundFile) -> Result<State, String> {
        if file.is_missing {
            return Ok(State::default());
        }
        self.state(&file.path, &|| file.project.clone())
            .map_err(|error| format!("{}: {error}", file.path.display()))
    }

    /// Gives each environment the state of its workspace, if `--state` names a directory. Environments with the same file share
    /// its state. Returns notes about the files.
    pub(crate) fn read_for(
        &self,
        environments: &mut [Environment],
        inputs: &ReadInputs<'_>,
    ) -> Result<Vec<String>, String> {
        let Some(directory) = inputs.options.state.file.as_deref().filter(|path| self.is_directory(path))
        else {
            return Ok(Vec::new());
        };
        let mut notes = Vec::new();
        let mut states: BTreeMap<PathBuf, EnvironmentState> = BTreeMap::new();
        for environment in environments {
            let log = AccessLog::default();
            let reader = StateReader { files: &Recorder::new(self.files, &log), ..*self };
            let wrong = |error: String| {
                invalid(STATE, directory, &format!("in environment {}: {error}", environment.name))
            };
            let file = reader.file_of_directory(directory, inputs, Some(environment)).map_err(wrong)?;
            notes.extend(file.note.as_ref().map(|note| format!("{}: {note}", environment.name)));
            let state = match states.get(&file.path) {
                Some(state) => state.clone(),
                None => {
                    let state = Arc::new(reader.state_in(&file).map_err(wrong)?);
                    let state = EnvironmentState { state, files: log.take() };
                    states.entry(file.path).or_insert(state).clone()
                }
            };
            environment.state = Some(state);
        }
        Ok(notes)
    }

    /// Returns the project of the module in a directory. A directory that also has a template is read as a module.
    fn project(&self, directory: &Path, inputs: &ReadInputs<'_>) -> Project {
        project(
            directory,
            inputs,
            dialect_at(directory, inputs.options.dialect, self.files).unwrap_or_default(),
        )
    }
}

/// Returns the message about an option whose file cannot be used.
fn invalid(option: &str, path: &Path, error: &str) -> String {
    format!("invalid value '{}' for '--{option}': {error}", path.display())
}

/// Returns the text of a file. An error for a binary plan.
fn checked(bytes: Vec<u8>, path: &Path) -> Result<String, String> {
    if bytes.starts_with(ZIP) {
        return Err(format!(
            "it is a binary plan file; `terraform show -json {}` writes the document that --plan reads",
            path.display()
        ));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err("it begins with a byte order mark; save it as UTF-8 without one".to_owned());
    }
    utf8(bytes).map_err(|reason| format!("it {reason}"))
}

/// Whether the path of an option stands for standard input.
fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns a note about a file that is missing, or that is not the file of the selected workspace and backend.
fn note(path: &Path, other: Option<&PathBuf>, is_missing: bool) -> Option<String> {
    let missing = format!("there is no state file {}", path.display());
    match (other, is_missing) {
        (None, false) => None,
        (None, true) => Some(format!("{missing}: no object exists yet")),
        (Some(other), false) => Some(format!(
            "as in `terraform console`, the state is {}; the plan begins with {}",
            path.display(),
            other.display()
        )),
        (Some(other), true) => Some(format!(
            "{missing}, which `terraform console` reads: no object exists; the plan begins with {}",
            other.display()
        )),
    }
}
