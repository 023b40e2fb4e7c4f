//! Options that make unknown values known.

use terrane_module::settable;
use terrane_value::{Origin, OriginKind};

/// The option that gives a value for an address, as a shell reads it.
pub fn set_option(address: &str) -> String {
    format!("--set '{}=VALUE'", address.replace('\'', r"'\''"))
}

/// How a value that is unknown for this reason becomes known before an apply: an option, or words.
pub fn remedy(origin: &Origin) -> Option<String> {
    let subject = &origin.subject;
    match origin.kind {
        OriginKind::Variable => {
            let name = subject.strip_prefix("var.").unwrap_or(subject);
            Some(format!("-var {name}=VALUE"))
        }
        OriginKind::ResourceAttribute | OriginKind::Computed | OriginKind::DataSource => {
            settable(subject).map(|address| set_option(&address))
        }
        OriginKind::Module => Some("terraform init, or --module SOURCE=DIR".to_owned()),
        OriginKind::RunFunction if subject == "plantimestamp" => {
            Some("SOURCE_DATE_EPOCH=SECONDS in the environment".to_owned())
        }
        OriginKind::Error => Some("correct the error that is reported".to_owned()),
        OriginKind::ImpureFunction
        | OriginKind::ProviderFunction
        | OriginKind::RemoteFunction
        | OriginKind::RunFunction
        | OriginKind::NotComputed
        | OriginKind::BuildVariable => None,
    }
}
