//! Computes the outputs of `terraform_remote_state`: from an option, or from the state file of the local backend.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_config::address::InstanceKey;
use terrane_config::state_file::{is_encrypted, stored_outputs};
use terrane_function::{Call, CallEnv, RAISE_MEMORY};
use terrane_source::{
    Diagnostic, Diagnostics, FileErrorKind, Files as _, SecretPaths, Title, ids, sorted_map, titles,
};
use terrane_value::{Entries, Mark, Marks, OriginKind, Origins, SmolStr, Type, Value, convert};

use crate::evaluate::computed_data::because;
use crate::evaluate::given::{InstanceAddress, with_part};
use crate::model::encryption::Encryption;
use crate::model::given::{GivenPart, GivenParts};
use crate::model::module::Resource;
use crate::rules::backends::{self, LocalBackend};
use crate::state::decrypted::DecryptedStates;

/// The bytes of a state that take one unit of work: its text is searched and decoded, not only read.
const BYTES_OF_WORK: usize = 2;

/// The work of reading an output of a state.
const WORK_OF_OUTPUT: usize = 140;

/// The work of reading an element of an output.
const WORK_OF_ELEMENT: usize = 40;

/// A `terraform_remote_state` data source in its configuration.
pub(super) struct RemoteState<'r> {
    pub(super) resource: &'r Resource,
    pub(super) instance: &'r InstanceAddress<'r>,
    /// The parts of its value that are given by hand.
    pub(super) given: &'r GivenParts,
    pub(super) env: &'r CallEnv<'r>,
    /// The encryption of states that OpenTofu has configured.
    pub(super) encryption: &'r Encryption,
    /// The states that were decrypted earlier in the run.
    pub(super) decrypted: &'r DecryptedStates,
    /// Collects the keys of instances whose outputs come from the file of the local backend.
    pub(super) read_from_backend: &'r RefCell<Vec<InstanceKey>>,
}

/// The reason why there are no outputs.
enum Missing {
    /// The outputs are unknown, for this reason.
    Unknown(Origins),
    /// The arguments are wrong, which has been reported.
    Reported,
    /// There is no state, for the reason that is to be reported.
    NoState(String),
    /// The file is longer than the limit, as this sentence says.
    TooLarge(String),
    /// The file is not a state, for the reason that is to be reported.
    Wrong { reason: String, title: Title },
}

impl Missing {
    /// The file has a format that is not known.
    fn unsupported(reason: String) -> Missing {
        Missing::Wrong { reason, title: Title::of(ids::UNREADABLE_REMOTE_STATE) }
    }
}

impl RemoteState<'_> {
    /// Returns the value with its outputs. `deferral` is the reason why it is read only after the plan.
    pub(super) fn with_outputs(
        &self,
        value: Value,
        deferral: &Origins,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let Some(arguments) = value.known_attributes().or_else(|| value.as_entries()).cloned() else {
            return value;
        };
        // All outputs may be given by hand.
        if arguments.get("outputs").is_some_and(|outputs| outputs.is_wholly_known() && !outputs.is_null()) {
            return value;
        }
        match self.outputs(&arguments, deferral) {
            Ok(outputs) => {
                let outputs = with_defaults(&arguments, outputs);
                if let Some(meter) = self.env.meter {
                    meter.take(outputs.own_bytes() as u64);
                }
                self.filled(value, &outputs)
            }
            Err(missing) => self.without_outputs(value, missing, diagnostics),
        }
    }

    /// Returns the outputs: given by hand, or stored by the backend.
    fn outputs(&self, arguments: &Entries, deferral: &Origins) -> Result<BTreeMap<SmolStr, Value>, Missing> {
        match self.given_outputs() {
            Some(given) => match given.as_entries() {
                Some(outputs) => Ok(sorted_map(outputs.cloned())),
                None => Err(Missing::Unknown(given.origins().clone())),
            },
            None if !deferral.is_empty() => Err(Missing::Unknown(Origins::NONE)),
            None => self.stored(arguments).inspect(|_| {
                self.read_from_backend.borrow_mut().push(self.instance.key.clone());
            }),
        }
    }

    /// Returns the value with unknown outputs, and reports the reason.
    fn without_outputs(&self, value: Value, missing: Missing, diagnostics: &mut Diagnostics) -> Value {
        match missing {
            Missing::Unknown(reason) => self.unknown(value, &reason),
            Missing::Reported => self.filled(value, &Value::error()),
            Missing::NoState(reason) => {
                let detail = format!("The outputs of `{}` are unknown: {reason}.", self.instance.address);
                let diagnostic = Diagnostic::warning(ids::REMOTE_STATE_NOT_FOUND, detail);
                let hint = format!(
                    "`--remote-state {}=FILE` reads the outputs from a file, `=DIR` from a root module.",
                    self.instance.address
                );
                diagnostics.push(self.at_block(diagnostic.hint(hint)));
                self.unknown(value, &Origins::one(OriginKind::NotComputed, reason))
            }
            Missing::TooLarge(reason) => {
                let diagnostic = Diagnostic::error(ids::LIMIT_EXCEEDED, reason).hint(RAISE_MEMORY);
                diagnostics.push(self.at_block(diagnostic));
                self.filled(value, &Value::error())
            }
            // As in the reference, a failure in a `check` block is a warning.
            Missing::Wrong { reason, title } if self.resource.check.is_some() => {
                let detail = format!("The outputs of `{}` are unknown: {reason}.", self.instance.address);
                let diagnostic = Diagnostic::warning(ids::UNREADABLE_REMOTE_STATE, detail).titled(title);
                diagnostics.push(self.at_block(diagnostic));
                self.unknown(value, &Origins::one(OriginKind::NotComputed, reason))
            }
            Missing::Wrong { reason, title } => {
                let detail = format!("The state of `{}` cannot be read: {reason}.", self.instance.address);
                let diagnostic = Diagnostic::error(ids::UNREADABLE_REMOTE_STATE, detail).titled(title);
                diagnostics.push(self.at_block(diagnostic));
                self.filled(value, &Value::error())
            }
        }
    }

    /// Returns the outputs that an option gives.
    fn given_outputs(&self) -> Option<&Value> {
        let parts = self.given.of_instance(self.instance.module, self.instance.key);
        parts.into_iter().find_map(GivenPart::remote_outputs)
    }

    /// Returns the outputs in the state file of the local backend.
    fn stored(&self, arguments: &Entries) -> Result<BTreeMap<SmolStr, Value>, Missing> {
        let argument =
            |name: &str| arguments.get(name).map(|value| value.unmark_deep().0).unwrap_or(Value::NULL);
        let is_secret = |name: &str| arguments.get(name).is_some_and(|value| value.marks_deep().is_secret());
        let (backend, config, workspace) = (argument("backend"), argument("config"), argument("workspace"));
        let defaults = argument("defaults");
        if [&backend, &config, &workspace, &defaults].into_iter().any(|value| !value.is_wholly_known()) {
            return Err(Missing::Unknown(Origins::NONE));
        }
        let name = backend.as_str().unwrap_or_default();
        if !backends::is_local(name) {
            let backend = match is_secret("backend") {
                true => "this sensitive backend".to_owned(),
                false => format!("the backend {name:?}"),
            };
            let reason = format!("{backend} is not read: the option --remote-state gives its outputs");
            return Err(Missing::Unknown(Origins::one(OriginKind::NotComputed, reason)));
        }
        if backends::problem(name, &config).is_some() {
            return Err(Missing::Reported);
        }
        let path = local_backend(&config).state_path(workspace.as_str());
        let has_secret_path = is_secret("config") || is_secret("workspace");
        let bytes = self.read_state(&path, has_secret_path)?;
        self.count(Call::WORK_OF_FILE + bytes.len() / BYTES_OF_WORK);
        let shown = if has_secret_path { "(sensitive value)" } else { &path };
        if bytes.is_empty() {
            return Err(Missing::NoState(format!("the state file `{shown}` is empty")));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| Missing::unsupported(format!("the file `{shown}` is not UTF-8 text")))?;
        let wrong = |problem: String| Missing::unsupported(format!("in the file `{shown}`, {problem}"));
        let decrypted = self.decrypted(&path, &text).map_err(wrong)?;
        let outputs = stored_outputs(decrypted.as_deref().unwrap_or(&text)).map_err(|error| {
            match error.is_invalid() {
                true => Missing::Wrong {
                    reason: format!("in the file `{shown}`, {error}"),
                    title: titles::INVALID_STATE_FILE_FORMAT,
                },
                false => wrong(error.to_string()),
            }
        })?;
        let elements: usize = outputs.values().map(|output| output.value.size()).sum();
        self.count(outputs.len().saturating_mul(WORK_OF_OUTPUT) + elements.saturating_mul(WORK_OF_ELEMENT));
        // As in the reference, the outputs lose their marks.
        Ok(sorted_map(outputs.into_iter().map(|(name, output)| (name, output.value))))
    }

    /// Counts work as steps of the run.
    fn count(&self, work: usize) {
        if let Some(meter) = self.env.meter {
            meter.count(work as u64);
        }
    }

    /// Returns the content of a state file.
    fn read_state(&self, path: &str, has_secret_path: bool) -> Result<Vec<u8>, Missing> {
        let env = self.env;
        let most = env.limits.state();
        if has_secret_path {
            let read = SecretPaths(env.files).read_within(&env.resolve(path), most);
            let reason = || "the state file with a sensitive path cannot be read".to_owned();
            let too_large = || format!("The state file with a sensitive path has more than {most} bytes.");
            return read.map_err(|error| match matches!(error.kind, FileErrorKind::TooLarge { .. }) {
                true => Missing::TooLarge(too_large()),
                false => Missing::NoState(reason()),
            });
        }
        env.files.read_within(&env.resolve(path), most).map_err(|error| match error.kind {
            FileErrorKind::NotFound => Missing::NoState(format!("there is no state file `{path}`")),
            FileErrorKind::Confined => Missing::NoState(format!(
                "the state file `{path}` is outside of the directory that may be read"
            )),
            FileErrorKind::IsDirectory => Missing::Wrong {
                reason: format!("`{path}` is a directory, not a state file"),
                title: titles::FAILED_TO_READ_STATE_FILE,
            },
            FileErrorKind::TooLarge { .. } => Missing::TooLarge(error.sentence()),
            FileErrorKind::NotDirectory
            | FileErrorKind::NotRegular
            | FileErrorKind::PermissionDenied
            | FileErrorKind::Other(_) => Missing::NoState(error.sentence().trim_end_matches('.').to_owned()),
        })
    }

    /// Returns the decrypted text of the state at a path. `None` if the state is plain text, which is not copied.
    fn decrypted(&self, path: &str, text: &str) -> Result<Option<Arc<str>>, String> {
        let decryption = self.encryption.of_remote_state(self.instance.address);
        match (is_encrypted(text), decryption) {
            (true, Some(decryption)) => self.decrypted.plain(path, text, decryption, self.env).map(Some),
            (true, None) => Err("the state is encrypted by OpenTofu, and `remote_state_data_sources` of the `encryption` block \
                                 or of TF_ENCRYPTION has no method for it"
                .to_owned()),
            (false, Some(decryption)) if !decryption.allows_plain => {
                Err("the state is plain text, but its methods of encryption do not include `unencrypted`".to_owned())
            }
            (false, _) => Ok(None),
        }
    }

    /// Returns the value with these outputs. Outputs that are given by hand stay.
    fn filled(&self, value: Value, outputs: &Value) -> Value {
        let name = SmolStr::from("outputs");
        if let Ok(with) = with_part(&value, self.instance.address, std::slice::from_ref(&name), outputs) {
            return with;
        }
        let Some(attributes) = value.as_entries() else { return value };
        let given = attributes.get(&name).and_then(Value::known_attributes);
        let (Some(given), Some(outputs)) = (given, outputs.as_entries()) else { return value };
        let all = sorted_map(outputs.cloned().chain(given.cloned()));
        let attributes = attributes.cloned().filter(|(attribute, _)| *attribute != name);
        Value::object(attributes.chain([(name.clone(), Value::object(all))]).collect::<Vec<_>>())
    }

    /// Returns the value with unknown outputs, for a reason besides the reasons that the value already has.
    fn unknown(&self, value: Value, reason: &Origins) -> Value {
        let outputs = value.known_attributes().and_then(|all| all.get("outputs"));
        let unknown = outputs.filter(|outputs| outputs.as_unknown().is_some() && !reason.is_empty());
        let Some(unknown) = unknown else { return value };
        let outputs = because(unknown, &unknown.ty(), reason);
        self.filled(value, &outputs)
    }

    fn at_block(&self, diagnostic: Diagnostic) -> Diagnostic {
        let content = self.resource.config.open_content(&mut Diagnostics::new());
        let declaration = &self.resource.declaration;
        match content.attribute("config") {
            Some(config) => diagnostic.at(config.source(), config.value_span()),
            None => diagnostic.at(&declaration.file, declaration.span),
        }
    }
}

/// Returns the outputs, completed by `defaults`.
fn with_defaults(arguments: &Entries, outputs: BTreeMap<SmolStr, Value>) -> Value {
    let defaults = arguments.get("defaults");
    let entries = defaults.map(Value::unmarked).and_then(Value::as_entries);
    let mut all = sorted_map(entries.into_iter().flat_map(Entries::cloned));
    all.extend(outputs);
    // The names in `defaults` may be secret.
    let is_secret = defaults.is_some_and(|defaults| defaults.marks().is_secret());
    let marks = if is_secret { Marks::one(Mark::Hidden) } else { Marks::NONE };
    Value::object(all).with_marks(&marks)
}

/// Returns the arguments of the `local` backend.
fn local_backend(config: &Value) -> LocalBackend {
    let text = |name: &str| {
        let value = config.as_entries().and_then(|all| all.get(name))?;
        convert(value, &Type::String).ok()?.as_str().map(str::to_owned)
    };
    LocalBackend { path: text("path"), workspace_dir: text("workspace_dir") }
}
