//! The secrets of a resource whose schema is not known.

use terrane_value::Value;

use crate::model::computed_data::with_sensitive;
use crate::model::module::{Module, Resource, ResourceKey};
use crate::model::schemas::{BlockSchema, Schemas};

/// The sensitive attributes of a resource without a schema.
pub(crate) struct UntypedSecrets<'s> {
    /// Those of a data source that can be computed.
    names: &'static [&'static str],
    /// The schemas that its type may have.
    possible: Vec<&'s BlockSchema>,
}

impl<'s> UntypedSecrets<'s> {
    /// The attributes of a resource of `module`.
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

    /// The value of an instance with marks on the attributes.
    pub(crate) fn marked(&self, value: Value) -> Value {
        let value = with_sensitive(value, self.names);
        self.possible.iter().fold(value, |value, schema| schema.schema().recorded(&value))
    }
}
