//! Finds the reason why a data source cannot be read during the plan: the resources that must change first.

use std::borrow::Cow;

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_source::Files;
use terrane_value::{OriginKind, Origins, Value};

use crate::evaluate::changes::{ObjectChanges, PlannedChange};
use crate::expansion::Expansion;
use crate::graph::ancestry::{Ancestry, Changing};
use crate::model::ids::{InstanceId, NodeId, ResourceId};
use crate::model::references::Target;
use crate::state::context::Environment;
use crate::state::evaluation::Evaluation;
use crate::state::instance_value::InstanceValue;

/// Records in `ancestry` the resources that change before a data source is read; [`causes`] reads them.
pub(super) fn settle(
    evaluation: &Evaluation,
    files: &dyn Files,
    ancestry: &mut Ancestry,
    node: NodeId,
    id: ResourceId,
) {
    let changes = Changes(Environment::of(evaluation, files));
    let first = |module: NodeId, id: ResourceId| {
        let mut all = evaluation.by_node[module].iter().copied();
        all.find(|instance| changes.has(*instance, id))
    };
    ancestry.settle(&evaluation.config, node, id, first);
}

/// Decides which resources change in an apply.
#[derive(Clone, Copy)]
pub(super) struct Changes<'c>(pub(super) Environment<'c>);

impl Changes<'_> {
    /// Whether an apply creates, changes or destroys an instance of a resource in a module instance. The answer is kept
    /// for all data sources, because computing it compares every instance with the state.
    fn has(&self, instance: InstanceId, id: ResourceId) -> bool {
        let instances = &self.0.evaluation.instances[instance].resources[id];
        instances.is_changing(|| self.compare(instance, id, &instances.expansion))
    }

    fn compare(&self, instance: InstanceId, id: ResourceId, expansion: &Expansion<InstanceValue>) -> bool {
        let Some(objects) = ObjectChanges::within(self.0, instance, id) else {
            return !expansion.is_empty();
        };
        let is_changed = |(key, value): (InstanceKey, Cow<'_, Value>)| {
            objects.change(&key, &value).is_none_or(|object| object.change != PlannedChange::None)
        };
        expansion.values().any(is_changed) || objects.recorded_keys().any(|key| !expansion.has(key))
    }

    /// Returns a changing resource as the cause for a data source in the module instance `own`. A resource of the same
    /// module must change in `own` itself.
    fn cause(&self, own: InstanceId, changing: Changing) -> Option<Origins> {
        let Changing { module, resource, first } = changing;
        match module == self.0.evaluation.instances[own].node {
            true => self.cause_in(own, resource),
            false => Some(self.origin(first, resource)),
        }
    }

    /// Returns a resource of the module instance `instance` as a cause, if it changes there.
    fn cause_in(&self, instance: InstanceId, id: ResourceId) -> Option<Origins> {
        let (key, _) = self.0.evaluation.scope(instance).module().resources.entry_of(id);
        let is_cause = key.mode == ResourceMode::Managed && self.has(instance, id);
        is_cause.then(|| self.origin(instance, id))
    }

    /// Returns the origin that names a managed resource of a module instance.
    fn origin(&self, instance: InstanceId, id: ResourceId) -> Origins {
        let module = self.0.evaluation.scope(instance).module();
        let (key, resource) = module.resources.entry_of(id);
        let has_schema = self.0.evaluation.config.request.schemas.resource(module, key, resource).is_some();
        let kind = if has_schema { OriginKind::Computed } else { OriginKind::ResourceAttribute };
        Origins::one(kind, self.0.evaluation.address(instance, key.object(InstanceKey::None)).to_string())
    }
}

/// Returns the managed resources that must change before a data source is read, as causes: the resources that the data
/// source refers to, the dependencies of its `depends_on` and of the `depends_on` of the calls around it, and, if it
/// has conditions, all its dependencies. Without a state, every such resource with instances must change.
pub(super) fn causes(
    changes: Changes<'_>,
    ancestry: Option<&Ancestry>,
    instance: InstanceId,
    id: ResourceId,
) -> Origins {
    let evaluation = changes.0.evaluation;
    let state = &evaluation.instances[instance];
    let node = state.node;
    let resource = evaluation.config.node(node).module.resources.at(id);
    let own = |id: ResourceId| changes.cause_in(instance, id);
    let wanted = |changing: Changing| changes.cause(instance, changing);
    let find = |module: NodeId, target: &Target| ancestry?.find(&evaluation.config, module, target, wanted);
    let mut all = Origins::NONE;
    let references = &evaluation.config.node(node).module.references.resources[id];
    for target in &references.depends_on {
        let found = match target {
            Target::Resource(id) => own(*id),
            Target::Variable(_) | Target::Local(_) | Target::Module(..) => find(node, target),
        };
        all = found.iter().fold(all, |all, found| all.union(found));
    }
    let read = references.repetition.iter().chain(&references.config).chain(&references.conditions);
    for target in read {
        if let Target::Resource(id) = target {
            all = own(*id).iter().fold(all, |all, found| all.union(found));
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
            ancestry.find_below(&evaluation.config, node, id, wanted).unwrap_or_default()
        }
        Some(_) | None => all,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrane_config::state::State;
    use terrane_config::state_file::state_from_json;
    use terrane_source::MemoryFiles;

    use crate::{Cache, Executor, InPlace, Record, Request, evaluate, evaluate_again, load};

    /// Returns the reasons for which the outputs of a configuration are unknown.
    fn reasons(files: &[(&str, &str)]) -> Vec<String> {
        let files: MemoryFiles = files.iter().copied().collect();
        let loaded = load(Request::new("."), &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let reasons = evaluation.root().outputs.iter().map(|output| output.origins_deep());
        reasons.filter_map(|origins| Some(origins.as_slice().first()?.to_string())).collect()
    }

    #[test]
    fn the_reason_names_the_resources_that_change_before() {
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
    fn the_nearest_changing_resource_is_named() {
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

    /// An executor that evaluates each step in a wave.
    #[derive(Debug)]
    struct Waves;

    impl Executor for Waves {
        fn threads(&self) -> usize {
            2
        }

        fn least_cost(&self) -> u64 {
            0
        }

        fn run(&self, lead: &mut dyn FnMut(), _help: &(dyn Fn() + Sync)) {
            lead();
        }
    }

    const OBJECTS: usize = 40;

    /// Returns a module with `data_sources` data sources that wait for `OBJECTS` instances of a resource.
    fn waiting(data_sources: usize) -> String {
        let resource =
            format!("resource \"terraform_data\" \"a\" {{\n  count = {OBJECTS}\n  input = count.index\n}}\n");
        (0..data_sources).fold(resource, |text, number| {
            format!("{text}data \"demo_image\" \"d{number}\" {{\n  depends_on = [terraform_data.a]\n}}\n")
        })
    }

    /// Returns a state of these instances, in which the last instance has another input.
    fn recorded() -> Arc<State> {
        let instance = |number: usize| {
            let input = if number + 1 == OBJECTS { 1000 } else { number };
            format!(
                r#"{{"index_key": {number}, "schema_version": 0, "attributes": {{"id": "i{number}", "input": {{"value": {input},
                "type": "number"}}, "output": {{"value": {input}, "type": "number"}}, "triggers_replace": null}}}}"#
            )
        };
        let instances: Vec<String> = (0..OBJECTS).map(instance).collect();
        let text = format!(
            r#"{{"version": 4, "terraform_version": "1.11.4", "resources": [{{"mode": "managed", "type": "terraform_data",
            "name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]", "instances": [{}]}}]}}"#,
            instances.join(", ")
        );
        Arc::new(state_from_json(&text).expect("a state"))
    }

    /// Returns the steps of an evaluation, and the reasons of its first data source.
    fn evaluated(
        data_sources: usize,
        state: Option<Arc<State>>,
        executor: Arc<dyn Executor>,
    ) -> (u64, String) {
        let text = waiting(data_sources) + "output \"d\" { value = data.demo_image.d0.id }\n";
        let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
        let loaded = load(Request { state, executor, ..Request::new(".") }, &files, &Cache::default());
        let evaluation = evaluate(loaded.config, &loaded.inputs, &files);
        assert!(evaluation.diagnostics.is_empty(), "{:?}", evaluation.diagnostics);
        let origins = evaluation.root().outputs.iter().map(|output| output.origins_deep());
        let origins: Vec<String> = origins
            .flat_map(|all| all.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>())
            .collect();
        (evaluation.meter.steps(), origins.join(", "))
    }

    #[test]
    fn data_sources_share_the_comparison_of_a_resource() {
        let steps_of_state = |data_sources, executor: Arc<dyn Executor>| {
            let (without, _) = evaluated(data_sources, None, Arc::clone(&executor));
            let (with, reasons) = evaluated(data_sources, Some(recorded()), executor);
            let wanted = "data.demo_image.d0.id is read by the provider (not yet: terraform_data.a is set by the provider)";
            assert_eq!(reasons, wanted);
            with - without
        };
        let of_one = steps_of_state(1, Arc::new(InPlace));
        assert!(of_one > 256 * OBJECTS as u64, "the comparisons count: {of_one}");
        assert_eq!(steps_of_state(30, Arc::new(InPlace)), of_one);
        assert_eq!(steps_of_state(30, Arc::new(Waves)), of_one);
    }

    #[test]
    fn an_edit_asks_for_the_comparison_again() {
        let reasons = |record: Option<&Record>, input: &str| {
            let text = format!(
                "resource \"terraform_data\" \"a\" {{\n  count = {OBJECTS}\n  input = {input}\n}}\n\
                 data \"demo_image\" \"d\" {{\n  depends_on = [terraform_data.a]\n}}\n\
                 output \"d\" {{ value = data.demo_image.d.id }}\n"
            );
            let files: MemoryFiles = [("main.tf", text.as_str())].into_iter().collect();
            let loaded =
                load(Request { state: Some(recorded()), ..Request::new(".") }, &files, &Cache::default());
            let (evaluation, record) = evaluate_again(loaded.config, &loaded.inputs, &files, record);
            let output = evaluation.root().outputs.iter().next().map(|output| output.origins_deep());
            (output.unwrap_or_default().as_slice()[0].causes.as_slice().len(), record)
        };
        let same = format!("count.index == {} ? 1000 : count.index", OBJECTS - 1);
        let (causes, record) = reasons(None, &same);
        assert_eq!(causes, 0, "nothing changes");
        let (causes, record) = reasons(record.as_ref(), "count.index");
        assert_eq!(causes, 1, "the last one changes");
        let (causes, _) = reasons(record.as_ref(), &same);
        assert_eq!(causes, 0, "nothing changes again");
    }
}
