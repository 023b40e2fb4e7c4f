//! The resource types that the products have built in, whose schemas are therefore always known.

use crate::address::ResourceMode;

/// The attributes of a built-in resource type; nothing for a type of a provider.
pub(crate) fn attributes(mode: ResourceMode, resource_type: &str) -> Option<&'static [&'static str]> {
    match (mode, resource_type) {
        (ResourceMode::Managed, "terraform_data") => Some(&["id", "input", "output", "triggers_replace"]),
        (ResourceMode::Data, "terraform_remote_state") => {
            Some(&["backend", "config", "defaults", "outputs", "workspace"])
        }
        _ => None,
    }
}
