//! Why a data source cannot be read during the plan: the resources that must change first.

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_source::Files;
use terrane_value::{OriginKind, Origins, Value};

use crate::evaluate::changes::{Change, ObjectChanges};
use crate::graph::ancestry::Ancestry;
use crate::model::ids::{InstanceId, NodeId, ResourceId};
use crate::model::references::Target;
use crate::state::evaluation::Evaluation;

/// Notes in `ancestry` the resources that change before a data source is read, for [`causes`].
pub(super) fn settle(
    evaluation: &Evaluation,
    files: &dyn Files,
    ancestry: &mut Ancestry,
    node: NodeId,
    id: ResourceId,
) {
    let Evaluation { config, by_node, .. } = evaluation;
    let changes = |module: NodeId, id: ResourceId| {
        let mut all = by_node[module].iter();
        all.any(|instance| changes(evaluation, files, *instance, id))
    };
    ancestry.settle(config, node, id, changes);
}

/// Whether an apply creates, changes or destroys an instance of a resource.
fn changes(evaluation: &Evaluation, files: &dyn Files, instance: InstanceId, id: ResourceId) -> bool {
    let state = &evaluation.instances[instance];
    let expansion = &state.resources[id].expansion;
    let Some(objects) = ObjectChanges::of(evaluation, files, instance, id) else {
        return expansion.count() > 0;
    };
    let is_changed = |(key, value): (InstanceKey, &Value)| {
        objects.change(&key, value).is_none_or(|object| object.change != Change::None)
    };
    expansion.iter().any(is_changed) || objects.recorded_keys().any(|key| !expansion.has(key))
}

/// The managed resources that must change before a data source is read, as causes: the resources that it names itself,
/// the dependencies of its `depends_on` and of the `depends_on` of the calls around it, and, if it has conditions, all its
/// dependencies. Without a state, these are the resources with instances.
pub(super) fn causes(
    evaluation: &Evaluation,
    files: &dyn Files,
    ancestry: Option<&Ancestry>,
    instance: InstanceId,
    id: ResourceId,
) -> Origins {
    let state = &evaluation.instances[instance];
    let node = state.node;
    let resource = evaluation.config.node(node).module.resources.at(id);
    let created = |module: NodeId, id: ResourceId| changed(evaluation, files, instance, module, id);
    let find = |module: NodeId, target: &Target| ancestry?.find(&evaluation.config, module, target, created);
    let mut all = Origins::NONE;
    let references = &evaluation.config.node(node).module.references.resources[id];
    for target in &references.depends_on {
        let found = match target {
            Target::Resource(id) => created(node, *id),
            Target::Variable(_) | Target::Local(_) | Target::Module(..) => find(node, target),
        };
        all = found.iter().fold(all, |all, found| all.union(found));
    }
    let read = references.repetition.iter().chain(&references.config).chain(&references.conditions);
    for target in read {
        if let Target::Resource(id) = target {
            all = created(node, *id).iter().fold(all, |all, found| all.union(found));
        }
    }
    let mut inner = Some(state);
    while let Some((state, parent)) = inner.and_then(|state| Some((state, state.parent?))) {
        let caller = &evaluation.instances[parent];
        inner = Some(caller);
        let Some(step) = state.path.steps().last() else { continue };
        let module = &evaluation.config.node(caller.node).module;
        let call = module.calls.id_of(&step.name).map(|call| &module.references.calls[call]);
        for target in call.into_iter().flat_map(|call| &call.depends_on) {
            let found = find(caller.node, target);
            all = found.iter().fold(all, |all, found| all.union(found));
        }
    }
    let is_checked = !resource.preconditions.is_empty() || !resource.postconditions.is_empty();
    match ancestry {
        Some(ancestry) if is_checked && all.is_empty() => {
            ancestry.find_below(&evaluation.config, node, id, created).unwrap_or_default()
        }
        Some(_) | None => all,
    }
}

/// The resource that a declaration of `module` creates or changes. Of the module of the instance `own`, only that instance counts.
fn changed(
    evaluation: &Evaluation,
    files: &dyn Files,
    own: InstanceId,
    module: NodeId,
    id: ResourceId,
) -> Option<Origins> {
    let declared = &evaluation.config.node(module).module;
    let (key, resource) = declared.resources.entry_of(id);
    if key.mode != ResourceMode::Managed {
        return None;
    }
    let is_own = module == evaluation.instances[own].node;
    let all = if is_own { std::slice::from_ref(&own) } else { &evaluation.by_node[module] };
    let instance = all.iter().copied().find(|instance| changes(evaluation, files, *instance, id))?;
    let has_schema = evaluation.config.request.schemas.resource(declared, key, resource).is_some();
    let kind = if has_schema { OriginKind::Computed } else { OriginKind::ResourceAttribute };
    Some(Origins::one(kind, evaluation.address(instance, key.object(InstanceKey::None)).to_string()))
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Request, evaluate, load};

    /// The reasons for which the outputs of a configuration are not known.
    fn reasons(files: &[(&str, &str)]) -> Vec<String> {
        let files: MemoryFiles = files.iter().copied().collect();
        let loaded = load(Request::new("."), &files);
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let reasons = evaluation.root().outputs.iter().map(|output| output.origins_deep());
        reasons.filter_map(|origins| Some(origins.as_slice().first()?.to_string())).collect()
    }

    #[test]
    fn the_reason_names_the_resources_created_before() {
        let text = r#"
            resource "demo_server" "a" {}
            data "demo_image" "late" {
              depends_on = [demo_server.a]
            }
            output "late" { value = data.demo_image.late.id }
        "#;
        let wanted =
            "data.demo_image.late.id is read by the provider (not yet: demo_server.a is set by the provider)";
        assert_eq!(reasons(&[("main.tf", text)]), [wanted]);
    }

    #[test]
    fn unknown_parts_of_the_configuration_are_the_reason() {
        let text = r#"
            resource "demo_server" "a" {
              for_each = { k = 1 }
              name     = "n"
            }
            data "demo_image" "block" {
              filter {
                values = [demo_server.a["k"].id]
              }
            }
            data "demo_image" "dynamic" {
              dynamic "filter" {
                for_each = ["k"]
                content {
                  values = [demo_server.a[filter.value].id]
                }
              }
            }
            data "demo_image" "object" { x = [{ y = demo_server.a["k"].id }] }
            data "demo_image" "whole" { x = demo_server.a["k"] }
            data "demo_image" "known" {
              filter {
                values = [demo_server.a["k"].name]
              }
            }
            output "a" { value = data.demo_image.block.id }
            output "b" { value = data.demo_image.dynamic.id }
            output "c" { value = data.demo_image.object.id }
            output "d" { value = data.demo_image.whole.id }
            output "e" { value = data.demo_image.known.id }
        "#;
        let wanted = [
            ("block", "demo_server.a[\"k\"].id"),
            ("dynamic", "demo_server.a[\"k\"].id"),
            ("object", "demo_server.a[\"k\"].id"),
            ("whole", "demo_server.a[\"k\"]"),
            ("known", "demo_server.a"),
        ];
        let wanted = wanted.map(|(name, cause)| {
            format!(
                "data.demo_image.{name}.id is read by the provider (not yet: {cause} is set by the provider)"
            )
        });
        assert_eq!(reasons(&[("main.tf", text)]), wanted);
    }

    #[test]
    fn the_nearest_created_resource_is_named() {
        let text = r#"
            resource "demo_far" "a" {}
            resource "demo_none" "a" {
              count = 0
              name  = demo_far.a.id
            }
            resource "demo_near" "a" {}
            locals {
              far  = [demo_none.a, local.none]
              none = "none"
              near = [local.far, demo_near.a]
            }
            data "demo_image" "far" { depends_on = [local.far] }
            data "demo_image" "near" { depends_on = [local.near] }
            data "demo_image" "none" { depends_on = [local.none] }
            output "far" { value = data.demo_image.far.id }
            output "near" { value = data.demo_image.near.id }
            output "none" { value = data.demo_image.none.id }
        "#;
        let wanted = [
            "data.demo_image.far.id is read by the provider (not yet: demo_far.a is set by the provider)",
            "data.demo_image.near.id is read by the provider (not yet: demo_near.a is set by the provider)",
            "data.demo_image.none.id is read by the provider",
        ];
        assert_eq!(reasons(&[("main.tf", text)]), wanted);
    }

    #[test]
    fn only_the_own_module_instance_counts() {
        let root = r#"
            module "m" {
              source   = "./m"
              for_each = { none = 0, one = 1 }
              servers  = each.value
            }
            output "none" { value = module.m["none"].id }
            output "one" { value = module.m["one"].id }
        "#;
        let module = r#"
            variable "servers" {}
            resource "demo_server" "a" { count = var.servers }
            locals { servers = demo_server.a }
            data "demo_image" "late" { depends_on = [local.servers] }
            output "id" { value = data.demo_image.late.id }
        "#;
        let wanted = [
            "module.m[\"none\"].data.demo_image.late.id is read by the provider",
            "module.m[\"one\"].data.demo_image.late.id is read by the provider (not yet: \
             module.m[\"one\"].demo_server.a is set by the provider)",
        ];
        assert_eq!(reasons(&[("main.tf", root), ("m/main.tf", module)]), wanted);
    }
}
