//! Says why an answer is unknown although no apply makes it known, and which options help.

use terrane_config::module_path;
use terrane_module::Evaluation;
use terrane_value::{Origin, OriginKind, Origins, SmolStr};

use crate::document::{Answered, WhyUnknown};
use crate::remedy::{is_changed_module, output_option};
use crate::report::Report;

/// Returns the reasons why an answer over the names of a module is unknown. `None` if it is known, or if an apply would make it known.
pub(super) fn why_unknown(answered: &Answered, report: Option<&Report>) -> Option<WhyUnknown> {
    let summary = answered.unknown()?;
    let mut help: Vec<String> = summary.help_with_variables().into_iter().collect();
    if let Some(report) = report {
        let causes = summary.causes.iter();
        // One sentence for each kind of reason is enough.
        help.extend(causes.filter_map(|(kind, subjects)| help_with(report, *kind, subjects.first()?)));
    }
    Some(WhyUnknown { reasons: summary.not_known()?, help })
}

/// Returns a sentence about the options that remove a reason. `None` without such an option.
fn help_with(report: &Report, kind: OriginKind, subject: &SmolStr) -> Option<String> {
    let origin = Origin { kind, subject: subject.clone(), causes: Origins::NONE };
    match kind {
        OriginKind::Module => {
            let source = source(report.evaluation(), subject).unwrap_or("SOURCE");
            let output = output_option(&origin);
            Some(format!("`--module '{source}=DIR'` reads the module from a directory; `{output}` gives one output"))
        }
        OriginKind::Error => is_changed_module(report.evaluation(), subject).then(|| {
            "`--allow-changed-modules` reads the installed module; `terraform init` installs the one that the call asks for".to_owned()
        }),
        OriginKind::Variable
        | OriginKind::ResourceAttribute
        | OriginKind::Computed
        | OriginKind::ProviderDefault
        | OriginKind::DataSource
        | OriginKind::ImpureFunction
        | OriginKind::RunFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::BuildVariable
        | OriginKind::NotComputed
        | OriginKind::HiddenName => None,
    }
}

/// Returns the source of the module that is not on disk, for the address of its call or of an output.
fn source<'e>(evaluation: &'e Evaluation, subject: &str) -> Option<&'e str> {
    let call = || subject.rsplit_once('.').map_or(subject, |(call, _)| call);
    let path = module_path(subject).or_else(|| module_path(call()))?.without_keys();
    let missing = evaluation.config.missing_modules.iter().find(|module| module.path == path)?;
    missing.source.as_deref()
}
