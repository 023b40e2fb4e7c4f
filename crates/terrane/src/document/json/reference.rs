//! References between objects.

use serde::Serialize;
use terrane_module::graph::ObjectReference;

use super::range::RangeJson;

/// A reference from one object to another. Addresses have no instance keys.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Reference"))]
pub(super) struct ReferenceJson {
    /// The object with the reference; for an argument of a module call, the variable that it sets.
    from: String,
    /// The object that is named; for `module.name.output`, that output if the module is on disk.
    to: String,
    /// `expression`, `count`, `for_each`, `enabled`, `depends_on`, `argument` and `source` of a module call, `condition`,
    /// `lifecycle`, `provisioner`, or `provider`.
    via: &'static str,
    /// The place of the reference; for the provider configuration that a resource does not name, the type of the resource.
    source: RangeJson,
}

impl ReferenceJson {
    pub(super) fn of(reference: &ObjectReference) -> ReferenceJson {
        ReferenceJson {
            from: reference.from.to_string(),
            to: reference.to.to_string(),
            via: reference.via.name(),
            source: RangeJson::of(&reference.place),
        }
    }
}
