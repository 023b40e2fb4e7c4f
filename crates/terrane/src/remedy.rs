//! Suggests options that make unknown values known.

use std::collections::BTreeSet;

use terrane_config::{InstanceKey, module_path};
use terrane_module::module::ResourceKey;
use terrane_module::{Evaluation, ModulePath, settable_address};
use terrane_value::{Origin, OriginKind, SmolStr, Value};

use crate::report::Report;

/// Returns the option that gives a value for an address, quoted for a shell. The outputs of a remote state are given by a file.
pub fn set_option(address: &str) -> String {
    let quoted = |text: &str| text.replace('\'', r"'\''");
    let outputs = address.strip_suffix(".outputs");
    match outputs.filter(|data| data.contains("data.terraform_remote_state.")) {
        Some(data) => format!("--remote-state '{}=FILE'", quoted(data)),
        None => format!("--set '{}=VALUE'", quoted(address)),
    }
}

/// Returns the option that gives an output of the module that is not on disk, for a value that is unknown because of it.
pub fn output_option(origin: &Origin) -> String {
    // If another output was given, the origin names the output that is missing.
    let names_output = module_path(&origin.subject).is_none();
    let output = if names_output { "" } else { ".OUTPUT" };
    set_option(&format!("{}{output}", origin.subject))
}

/// Returns a sentence that says how to set a variable. `subjects` are the addresses of the variables without a value; the sentence
/// names the first one.
pub(crate) fn help_with_variables(subjects: &BTreeSet<SmolStr>) -> Option<String> {
    let of_root = subjects.iter().find(|subject| argument_of_call(subject).is_none());
    if let Some(subject) = of_root {
        let name = name_of_root(subject);
        return Some(format!("`-var {name}=VALUE` or a file with `-var-file FILE` sets variables"));
    }
    let SettingArgument { name, call } = argument_of_call(subjects.first()?)?;
    Some(format!("`{name} = VALUE` in {call} sets the variable; no option does"))
}

fn name_of_root(subject: &str) -> &str {
    subject.strip_prefix("var.").unwrap_or(subject)
}

/// The argument of a module call that sets a variable.
struct SettingArgument<'s> {
    name: &'s str,
    /// The block of the call: `module "a"`.
    call: String,
}

/// Returns the argument that sets the variable at an address. `None` for a variable of the root module.
fn argument_of_call(subject: &str) -> Option<SettingArgument<'_>> {
    let (path, name) = subject.rsplit_once(".var.")?;
    let path = module_path(path)?;
    let (parent, call) = path.split_last()?;
    let block = format!("module \"{}\"", call.name);
    let call = match parent.is_root() {
        true => block,
        false => format!("{block} of {parent}"),
    };
    Some(SettingArgument { name, call })
}

/// Returns the address to give a value for, so that the subject of an unknown value becomes known. `None` if no given value can
/// do that.
pub(crate) fn settable_in(evaluation: &Evaluation, subject: &str) -> Option<String> {
    let value_of = |path: &ModulePath, resource: &ResourceKey, key: &InstanceKey| -> Option<Value> {
        let instance = &evaluation.instances()[evaluation.instance_at(path)?];
        let id = evaluation.config.node(instance.node).module.resources.id_of(resource)?;
        Some(instance.resources[id].expansion.value(key)?.into_owned())
    };
    settable_address(subject, &value_of)
}

/// Whether the error at an address is about an installed module that differs from its call.
pub(crate) fn is_changed_module(evaluation: &Evaluation, address: &str) -> bool {
    let changed = evaluation.config.missing_modules.iter().filter(|module| module.is_changed);
    changed.map(|module| module.path.to_string()).any(|path| path == address)
}

/// Returns how a value that is unknown for this reason becomes known before an apply: an option, or words. `None` if only an
/// apply makes it known.
pub fn remedy(report: &Report, origin: &Origin) -> Option<String> {
    let subject = &origin.subject;
    match origin.kind {
        OriginKind::Variable => Some(match argument_of_call(subject) {
            Some(SettingArgument { name, call }) => format!("{name} = VALUE in {call}"),
            None => format!("-var {}=VALUE", name_of_root(subject)),
        }),
        OriginKind::ResourceAttribute
        | OriginKind::Computed
        | OriginKind::ProviderDefault
        | OriginKind::DataSource => {
            settable_in(report.evaluation(), subject).map(|address| set_option(&address))
        }
        OriginKind::Module if origin.causes.is_empty() => {
            Some("terraform init, or --module SOURCE=DIR".to_owned())
        }
        OriginKind::Module => Some("terraform init, or a copy by --module-map FILE".to_owned()),
        OriginKind::RunFunction if subject == "plantimestamp" => {
            Some("SOURCE_DATE_EPOCH=SECONDS in the environment".to_owned())
        }
        OriginKind::Error if is_changed_module(report.evaluation(), subject) => {
            Some("terraform init, or --allow-changed-modules".to_owned())
        }
        OriginKind::Error => Some("correct the error that is reported".to_owned()),
        OriginKind::HiddenName => Some(format!("correct the {}", origin.hiding_text())),
        OriginKind::ImpureFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::RunFunction
        | OriginKind::NotComputed
        | OriginKind::BuildVariable => None,
    }
}
