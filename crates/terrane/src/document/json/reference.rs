//! References between objects as JSON, in the document of `terrane eval --json`.

use serde::Serialize;
use terrane_config::Address;
use terrane_module::graph::ObjectReference;

use super::lazy::DisplayText;
use super::range::RangeJson;

/// A reference from one object to another. Addresses have no instance keys.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Reference"))]
pub(super) struct ReferenceJson<'d> {
    /// The object that contains the reference. For an argument of a module call, the variable that it sets.
    from: DisplayText<&'d Address>,
    /// The object that is named. For `module.name.output`, the output, if the module is on disk.
    to: DisplayText<&'d Address>,
    /// `expression`, `count`, `for_each`, `enabled`, `depends_on`, `argument` and `source` of a module call, `condition`,
    /// `lifecycle`, `provisioner`, `provider`, or `import`.
    via: &'static str,
    /// The place of the reference. For the provider configuration that a resource does not name, the type of the resource. For
    /// the import of a resource, the address in the `import` block.
    source: RangeJson<'d>,
}

impl<'d> ReferenceJson<'d> {
    pub(super) fn of(reference: &'d ObjectReference) -> ReferenceJson<'d> {
        ReferenceJson {
            from: DisplayText(&reference.from),
            to: DisplayText(&reference.to),
            via: reference.via.name(),
            source: RangeJson::of(&reference.place),
        }
    }
}
