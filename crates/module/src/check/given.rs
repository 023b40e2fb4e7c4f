//! Reports values given by hand that nothing uses: values for instances that do not exist, for outputs and
//! attributes that no expression reads, and for objects that are read from the state alone.

use std::collections::{BTreeSet, HashMap};

use terrane_config::address::{Address, InstanceKey, ModulePath, Object};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{ClosestNames, SmolStr};

use crate::expansion::Expansion;
use crate::model::given::{GivenBy, GivenPart, GivenParts};
use crate::model::ids::{CallInModule, NodeId, ResourceInModule};
use crate::model::prior::is_stored;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Limit on the instances that a diagnostic names.
const MAX_INSTANCES: usize = 4;

/// Reports the given values for objects and attributes that no instance has.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    if evaluation.meter.is_stopped() {
        return;
    }
    let given = &evaluation.config.given;
    let is_state_alone = evaluation.phase().reads_state_alone() && evaluation.config.recorded.prior.is_some();
    let mut overruled = Vec::new();
    let mut reads_by_module = HashMap::new();
    let closest_names = ClosestNames::default();
    for (ResourceInModule { module: node, resource: id }, parts) in given.of_resources() {
        let (node, id) = (*node, *id);
        let module = &evaluation.config.node(node).module;
        let (key, resource) = module.resources.entry_of(id);
        if is_state_alone && is_stored(key.mode) {
            overruled.extend(parts.all());
            continue;
        }
        let has_schema = evaluation.config.request.schemas.resource(module, key, resource).is_some();
        if !has_schema && evaluation.phase().knows_all_readers() {
            let reads = reads_by_module.entry(node).or_insert_with(|| module.references.attributes_read());
            if let Some(Some(names)) = reads.get(&id) {
                report_misspelt(parts, names, &closest_names, diagnostics);
            }
        }
        let object = |instance| key.object(instance);
        if let Some(instances) =
            InstancesOfObject::of(evaluation, node, &|state| &state.resources[id].expansion)
        {
            instances.report(parts, &object, &|_| true, diagnostics);
        }
    }
    report_overruled(overruled, diagnostics);
    for (CallInModule { module: node, call: id }, parts) in given.of_outputs() {
        let (node, id) = (*node, *id);
        let caller = evaluation.config.node(node);
        let (name, _) = caller.module.calls.entry_of(id);
        let is_missing = caller.called[id].is_none() && evaluation.phase().knows_all_readers();
        let read = is_missing.then(|| caller.module.references.outputs_read(id)).flatten();
        if let Some(read) = &read {
            report_unread(parts, read, &closest_names, diagnostics);
        }
        let object = |instance| Object::ModuleCall(name.clone(), instance);
        let is_read = |part: &GivenPart| read.as_ref().is_none_or(|read| unread_name(part, read).is_none());
        if let Some(instances) = InstancesOfObject::of(evaluation, node, &|state| &state.calls[id].expansion)
        {
            instances.report(parts, &object, &is_read, diagnostics);
        }
    }
}

/// Reports values given for resources and data sources that are read from the state alone: there,
/// given values have no effect.
fn report_overruled(mut parts: Vec<&GivenPart>, diagnostics: &mut Diagnostics) {
    let target = |part: &GivenPart| (part.target.file.version(), part.target.span);
    // Each attribute of an object is a part, and the resources of a type share their defaults: report each target once.
    let mut reported = BTreeSet::new();
    parts.retain(|part| reported.insert(target(part)));
    for part in parts {
        let detail = format!(
            "The value given for `{}` cannot count: without a plan, the console reads resources and data sources from the state \
             alone. With `--planned`, it evaluates the plan that begins with the state, in which given values count.",
            part.written().trim_matches('"')
        );
        let diagnostic = match part.by() {
            GivenBy::Option | GivenBy::RemoteState => Diagnostic::error(ids::INVALID_GIVEN_VALUE, detail),
            GivenBy::Override | GivenBy::Defaults => Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail),
        };
        diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
    }
}

/// Reports the attributes that options give for a resource without a schema if expressions read no such attribute, but one with
/// a similar name that is not given, too.
fn report_misspelt(
    parts: &GivenParts,
    read: &BTreeSet<&str>,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    let given: BTreeSet<SmolStr> = parts.all().filter_map(GivenPart::first_name).collect();
    let meant: Vec<&str> = read.iter().copied().filter(|name| !given.contains(*name)).collect();
    for part in parts.all() {
        let Some(name) = unread_name(part, read) else { continue };
        let Some(near) = closest_names.of(&name, &meant) else { continue };
        let detail = format!(
            "The value given for `{}` may have a wrong name: there is no schema that lists the attributes, and the configuration \
             reads no attribute `{name}` of it. Did you mean `{near}`?",
            part.written()
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
        diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
    }
}

/// Returns the output or attribute that an option gives, if no expression reads it; `None` for parts from other sources.
fn unread_name(part: &GivenPart, read: &BTreeSet<&str>) -> Option<SmolStr> {
    part.first_name().filter(|name| part.by() == GivenBy::Option && !read.contains(name.as_str()))
}

/// Reports the given outputs of a module that is not on disk if no expression reads them: only
/// this reveals a wrong name.
fn report_unread(
    parts: &GivenParts,
    read: &BTreeSet<&str>,
    closest_names: &ClosestNames,
    diagnostics: &mut Diagnostics,
) {
    for part in parts.all() {
        let Some(name) = unread_name(part, read) else { continue };
        let near = closest_names.of(&name, read.iter().copied());
        let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
        let detail = format!(
            "The value given for `{}` may have a wrong name: the module is not read, and no expression of the configuration reads \
             an output `{name}` of it.{near}",
            part.written()
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
        diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
    }
}

/// The instances of an object in all instances of its module.
struct InstancesOfObject<'e> {
    instances: Vec<(&'e ModulePath, InstanceKey)>,
    /// Whether instances with unknown keys may exist. One entry of `instances`, without a key, stands for them.
    has_unknown: bool,
}

impl<'e> InstancesOfObject<'e> {
    /// Returns the instances in all instances of the module; `None` if they are unknown because of an error.
    fn of<T: 'e>(
        evaluation: &'e Evaluation,
        node: NodeId,
        expansion: &dyn Fn(&'e ModuleInstance) -> &'e Expansion<T>,
    ) -> Option<InstancesOfObject<'e>> {
        let mut found = InstancesOfObject { instances: Vec::new(), has_unknown: false };
        for state in evaluation.instances_of(node) {
            let expansion = expansion(state);
            for origins in expansion.unknown().into_iter().chain(&state.unexpanded) {
                if origins.has_error() {
                    return None;
                }
                found.has_unknown = true;
            }
            let any = expansion.unknown().map(|_| InstanceKey::None);
            let keys = expansion.iter().map(|(key, _)| key).chain(any);
            found.instances.extend(keys.map(|key| (&state.path, key)));
        }
        Some(found)
    }

    /// Reports the wanted parts that name an instance which does not exist. Defaults apply to any number
    /// of instances, even none.
    fn report(
        &self,
        parts: &GivenParts,
        object: &dyn Fn(InstanceKey) -> Object,
        is_wanted: &dyn Fn(&GivenPart) -> bool,
        diagnostics: &mut Diagnostics,
    ) {
        let unused = parts.without_instance(self.instances.iter().map(|(module, key)| (*module, key)));
        let is_wanted = |part: &&GivenPart| part.by() != GivenBy::Defaults && is_wanted(part);
        let mut unused: Vec<_> = unused.into_iter().filter(is_wanted).collect();
        // Each attribute of an object is a part: report the object once.
        unused.dedup_by_key(|part| (part.target.file.version(), part.target.span));
        if unused.is_empty() {
            return;
        }
        let there = self.in_words(object);
        for part in unused {
            let target = part.written().trim_matches('"');
            let detail = format!("The value given for `{target}` is not used: {there}.");
            let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
            diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
        }
    }

    /// Returns a clause that names the first instances.
    fn in_words(&self, object: &dyn Fn(InstanceKey) -> Object) -> String {
        if self.has_unknown {
            return "it is unknown which instances there are. Without the key it is for all of them"
                .to_owned();
        }
        let address = |(module, key): &(&ModulePath, InstanceKey)| {
            format!("`{}`", Address { module: (*module).clone(), object: object(key.clone()) })
        };
        let shown: Vec<String> = self.instances.iter().take(MAX_INSTANCES).map(address).collect();
        match shown.as_slice() {
            [] => "the block has no instances".to_owned(),
            all if all.len() < self.instances.len() => {
                format!("the instances are {} and others", all.join(", "))
            }
            [one] => format!("the only instance is {one}"),
            all => format!("the instances are {}", all.join(", ")),
        }
    }
}
