//! Finds the secrets of a resource without a schema.

use terrane_value::Value;

use crate::model::computed_data::with_sensitive;
use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::schemas::{BlockSchema, Schemas};

/// The sensitive attributes of a resource without a schema.
pub(crate) struct UntypedSecrets<'s> {
    /// The sensitive attributes of a data source that can be computed.
    names: &'static [&'static str],
    /// The schemas of its type, if its provider is in doubt.
    possible: Vec<&'s BlockSchema>,
}

impl<'s> UntypedSecrets<'s> {
    /// Returns the sensitive attributes of a resource of `module`.
    pub(crate) fn of(
        schemas: &'s Schemas,
        module: &Module,
        key: &ResourceKey,
        resource: &Resource,
    ) -> UntypedSecrets<'s> {
        UntypedSecrets {
            names: module.sensitive_attributes(key, resource),
            possible: schemas.possible(module, key, resource),
        }
    }

    /// Marks the sensitive attributes in the value of an instance.
    pub(crate) fn marked(&self, value: Value) -> Value {
        let value = with_sensitive(value, self.names);
        self.possible.iter().fold(value, |value, schema| schema.schema().recorded(&value))
    }
}
