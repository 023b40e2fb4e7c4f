//! Converts recorded objects of `null_resource` to objects of `terraform_data`, as the built-in provider does for a move.

use terrane_config::address::{InstanceKey, ModulePath, ResourceMode};
use terrane_config::state::StateInstance;
use terrane_value::{Path, PathStep, Type, Value, json};

use crate::model::module::ResourceKey;
use crate::model::prior::PriorState;

const BEFORE: &str = "null_resource";
const AFTER: &str = "terraform_data";
const TRIGGERS: &str = "triggers";
const TRIGGERS_REPLACE: &str = "triggers_replace";

/// Whether the built-in provider converts objects of the first resource to objects of the second.
pub(super) fn is_converted(from: &ResourceKey, to: &ResourceKey) -> bool {
    let is_managed = |key: &ResourceKey| key.mode == ResourceMode::Managed;
    is_managed(from) && is_managed(to) && from.resource_type == BEFORE && to.resource_type == AFTER
}

/// Converts the object that has moved to an instance of a resource, or the objects of all instances. An object that cannot be read keeps its
/// provider, so that it is not used.
pub(super) fn convert(
    prior: &mut PriorState,
    module: &ModulePath,
    resource: &ResourceKey,
    key: Option<&InstanceKey>,
) {
    prior.convert(module, resource, key, |recorded, object| {
        // The provider has another host if it comes from a mirror.
        let is_official = recorded.provider.ends_with("hashicorp/null") && recorded.resource_type == BEFORE;
        if is_official { terraform_data(object) } else { None }
    });
}

/// Returns the object of `terraform_data` for an object of `null_resource`: the map of triggers becomes an object.
fn terraform_data(object: &StateInstance) -> Option<StateInstance> {
    let attributes = [("id", Type::String), (TRIGGERS, Type::map(Type::String))];
    let ty = Type::object(attributes.map(|(name, ty)| (name.into(), ty)));
    let recorded = object.value(&ty).ok()?.unmark_deep().0;
    let attributes = recorded.as_entries()?;
    let id = json::encode(attributes.get("id")?).ok()?;
    let triggers = match attributes.get(TRIGGERS)?.as_entries() {
        Some(entries) => {
            let entries = entries.iter().map(|(name, value)| (name.clone(), value.clone()));
            let triggers = Value::object(entries);
            let (value, ty) = (json::encode(&triggers).ok()?, json::encode_type(&triggers.ty()));
            format!("{{\"value\":{value},\"type\":{ty}}}")
        }
        None => "null".to_owned(),
    };
    let text = format!("{{\"id\":{id},\"input\":null,\"output\":null,\"{TRIGGERS_REPLACE}\":{triggers}}}");
    Some(object.of_other_type(text, object.sensitive.iter().map(converted_path).collect()))
}

/// Returns the path of a part in the converted object.
fn converted_path(path: &Path) -> Path {
    let mut converted = Path::ROOT;
    let is_of_triggers = path.steps().first().and_then(PathStep::name) == Some(TRIGGERS);
    for (position, step) in path.steps().iter().enumerate() {
        converted.push(match (position, step.name()) {
            (0, _) if is_of_triggers => PathStep::Attribute(TRIGGERS_REPLACE.into()),
            (1, Some(name)) if is_of_triggers => PathStep::Attribute(name.into()),
            (_, _) => step.clone(),
        });
    }
    converted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_triggers_are_those_of_an_object() {
        let path = |steps: &[PathStep]| steps.iter().cloned().fold(Path::ROOT, Path::with);
        let triggers = path(&[PathStep::Attribute("triggers".into()), PathStep::Index(Value::from("a"))]);
        let expected =
            path(&[PathStep::Attribute("triggers_replace".into()), PathStep::Attribute("a".into())]);
        assert_eq!(converted_path(&triggers).to_string(), expected.to_string());
        let id = path(&[PathStep::Attribute("id".into())]);
        assert_eq!(converted_path(&id).to_string(), id.to_string());
    }
}
