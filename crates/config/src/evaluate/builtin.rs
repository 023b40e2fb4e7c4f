//! The one resource type that every product has built in, of which more is known than its schema says.

use terrane_value::{SmolStr, Value};

use crate::address::ResourceMode;
use crate::load::Moment;
use crate::module::{Module, Resource, ResourceKey};

/// Whether it is the resource type that every product has built in.
pub(super) fn is_terraform_data(module: &Module, key: &ResourceKey, resource: &Resource) -> bool {
    let (mode, resource_type, _) = key;
    *mode == ResourceMode::Managed
        && &**resource_type == "terraform_data"
        && module.provider_address(resource.local_provider(resource_type)).is_built_in()
}

/// A `terraform_data` as its provider plans it: `output` will be what `input` is, and `id` will not be null.
pub(super) fn terraform_data(planned: &Value, moment: Moment) -> Value {
    let Some(attributes) = planned.as_entries() else { return planned.clone() };
    let input = attributes.get("input").cloned().unwrap_or(Value::NULL);
    let attribute = |(name, value): &(SmolStr, Value)| {
        let value = match (&**name, moment) {
            ("id", Moment::Plan) => value.clone().not_null(),
            ("output", Moment::Plan) if input.is_null() => Value::null(input.ty()).with_marks(input.marks()),
            ("output", _) => {
                Value::unknown_from(input.ty(), value.origins().clone()).with_marks(input.marks())
            }
            _ => value.clone(),
        };
        (name.clone(), value)
    };
    Value::object(attributes.iter().map(attribute).collect::<Vec<_>>())
}
