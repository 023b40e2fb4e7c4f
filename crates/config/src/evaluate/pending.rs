//! What has to be created before a data source is read.

use terrane_value::{OriginKind, Origins};

use super::Evaluation;
use crate::address::{InstanceKey, Object, ResourceMode};
use crate::module::Resource;
use crate::reference::Target;

/// The resources with instances that `depends_on` of a data source names, and that of the calls of the modules around it, as
/// causes: a plan for nothing that is there yet creates them.
pub(super) fn pending(evaluation: &Evaluation, instance: usize, resource: &Resource) -> Origins {
    let mut all = Origins::NONE;
    let mut add = |instance: usize, targets: &[Target]| {
        for origin in targets.iter().filter_map(|target| created(evaluation, instance, target)) {
            all = all.union(&origin);
        }
    };
    add(instance, &resource.depends_on);
    let mut inner = evaluation.instances.get(instance);
    while let Some((state, parent)) = inner.and_then(|state| Some((state, state.parent?))) {
        inner = evaluation.instances.get(parent);
        let (Some(caller), Some(step)) = (inner, state.path.steps().last()) else { continue };
        if let Some(call) = evaluation.config.node(caller.node).module.calls.get(&step.name) {
            add(parent, &call.depends_on);
        }
    }
    all
}

/// What a target creates. What is in a module that it names may be evaluated later, so that is not looked at.
fn created(evaluation: &Evaluation, instance: usize, target: &Target) -> Option<Origins> {
    let Target::Resource(index) = target else { return None };
    let state = evaluation.instances.get(instance)?;
    let module = &evaluation.config.node(state.node).module;
    let (key, resource) = module.resources.get_index(*index)?;
    let (mode, resource_type, name) = key.clone();
    if mode != ResourceMode::Managed || state.resources.get(*index)?.expansion.count() == 0 {
        return None;
    }
    let object = Object::Resource(mode, resource_type, name, InstanceKey::None);
    let has_schema = evaluation.config.request.schemas.resource(module, key, resource).is_some();
    let kind = if has_schema { OriginKind::Computed } else { OriginKind::ResourceAttribute };
    Some(Origins::one(kind, evaluation.address(instance, object).to_string()))
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Request, evaluate, load};

    #[test]
    fn the_reason_names_what_is_created_before() {
        let text = r#"
            resource "demo_server" "a" {}
            data "demo_image" "late" {
              depends_on = [demo_server.a]
            }
            output "late" { value = data.demo_image.late.id }
        "#;
        let files: MemoryFiles = [("main.tf", text)].into_iter().collect();
        let loaded = load(Request::new("."), &files);
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        let output = evaluation.root().and_then(|root| root.outputs.first());
        let reason = output.and_then(|value| Some(value.origins_deep().as_slice().first()?.to_string()));
        let wanted =
            "data.demo_image.late.id is read by the provider (not yet: demo_server.a is set by the provider)";
        assert_eq!(reason.as_deref(), Some(wanted));
    }
}
