//! Releases of Packer: the simulated release, and the releases that a template accepts.

use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::Value;

use super::request::TemplateRequest;
use super::template::Template;
use crate::rules::releases;

/// Returns the simulated release of Packer: the newest release of the edition that the template accepts, or the newest of all.
fn release(template: &Template, request: &TemplateRequest) -> [u64; 3] {
    let releases = releases(request.edition);
    let accepted = releases.iter().rfind(|release| accepts(template, **release));
    accepted.or(releases.last()).copied().unwrap_or_default()
}

fn accepts(template: &Template, release: [u64; 3]) -> bool {
    template.required_versions.iter().all(|(constraint, _)| constraint.allows(release))
}

/// Reports versions of Packer that the template does not accept.
pub(crate) fn check_required_versions(
    template: &Template,
    request: &TemplateRequest,
    diagnostics: &mut Diagnostics,
) {
    let release = release(template, request);
    let [major, minor, patch] = release;
    for (constraint, declaration) in &template.required_versions {
        if !constraint.allows(release) {
            let detail = format!(
                "This template does not accept Packer {major}.{minor}.{patch}. Change the constraint, or choose another \
                 edition with `--dialect packer-{major}.{minor}`."
            );
            diagnostics.push(
                Diagnostic::error(ids::UNSUPPORTED_PACKER, detail).at(&declaration.file, declaration.span),
            );
        }
    }
}

/// Returns the value of `packer.version`.
pub(crate) fn version(template: &Template, request: &TemplateRequest) -> Value {
    let [major, minor, patch] = release(template, request);
    Value::from(format!("{major}.{minor}.{patch}"))
}
