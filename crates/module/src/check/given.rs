//! Reports values given by hand for instances that do not exist.

use std::collections::{BTreeSet, HashSet};

use terrane_config::address::{Address, InstanceKey, ModulePath, Object};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::closest_name;

use crate::expansion::Expansion;
use crate::model::given::{GivenBy, GivenPart, GivenParts};
use crate::model::ids::NodeId;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Limit on the instances that a diagnostic names.
const MOST_INSTANCES: usize = 4;

/// Reports the parts that no instance has.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    if evaluation.meter.is_stopped() {
        return;
    }
    let given = &evaluation.config.given;
    for (node, id, parts) in given.of_resources() {
        let (key, _) = evaluation.config.node(node).module.resources.entry_of(id);
        let object = |instance| key.object(instance);
        if let Some(instances) = Instances::of(evaluation, node, &|state| &state.resources[id].expansion) {
            instances.report(parts, &object, diagnostics);
        }
    }
    for (node, id, parts) in given.of_outputs() {
        let (name, _) = evaluation.config.node(node).module.calls.entry_of(id);
        let object = |instance| Object::ModuleCall(name.clone(), instance);
        let instances = Instances::of(evaluation, node, &|state| &state.calls[id].expansion);
        let unused = instances.map(|instances| instances.report(parts, &object, diagnostics));
        if evaluation.config.node(node).called[id].is_none() {
            let unused: HashSet<*const GivenPart> =
                unused.iter().flatten().map(|part| &raw const **part).collect();
            let others = parts.all().filter(|part| !unused.contains(&&raw const **part));
            let references = &evaluation.config.node(node).module.references;
            report_unread(references.outputs_read(id), others, diagnostics);
        }
    }
}

/// Reports the outputs, given with an option, of a module that is not on disk, which are not among those that expressions `read`: nothing
/// else tells a wrong name. Without a list, any output may be read.
fn report_unread<'p>(
    read: Option<BTreeSet<&str>>,
    parts: impl Iterator<Item = &'p GivenPart>,
    diagnostics: &mut Diagnostics,
) {
    let Some(read) = read else { return };
    for part in parts.filter(|part| part.by() == GivenBy::Option) {
        let Some(name) = part.first_name().filter(|name| !read.contains(name.as_str())) else { continue };
        let near = closest_name(&name, read.iter().copied());
        let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
        let detail = format!(
            "The value given for `{}` is not used: the module is not on disk, and no expression reads an output `{name}` of \
             it.{near}",
            part.written()
        );
        let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
        diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
    }
}

/// The instances of an object in all instances of its module.
struct Instances<'e>(Vec<(&'e ModulePath, InstanceKey)>);

impl<'e> Instances<'e> {
    /// All instances; none if the number of instances is unknown.
    fn of<T: 'e>(
        evaluation: &'e Evaluation,
        node: NodeId,
        expansion: &dyn Fn(&'e ModuleInstance) -> &'e Expansion<T>,
    ) -> Option<Instances<'e>> {
        let mut instances = Vec::new();
        for state in evaluation.instances_of(node) {
            let expansion = expansion(state);
            if expansion.unknown().is_some() || state.unexpanded.is_some() {
                return None;
            }
            instances.extend(expansion.iter().map(|(key, _)| (&state.path, key)));
        }
        Some(Instances(instances))
    }

    /// Reports the parts for other instances, and returns them. Defaults are for any number of instances.
    fn report<'p>(
        &self,
        parts: &'p GivenParts,
        object: &dyn Fn(InstanceKey) -> Object,
        diagnostics: &mut Diagnostics,
    ) -> Vec<&'p GivenPart> {
        let unused = parts.without_instance(self.0.iter().map(|(module, key)| (*module, key)));
        let unused: Vec<_> = unused.into_iter().filter(|part| part.by() != GivenBy::Defaults).collect();
        if unused.is_empty() {
            return unused;
        }
        let there = self.in_words(object);
        for part in &unused {
            let target = part.written().trim_matches('"');
            let detail = format!("The value given for `{target}` is not used: {there}.");
            let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
            diagnostics.push(diagnostic.at(&part.target.file, part.target.span));
        }
        unused
    }

    /// A clause about the first instances.
    fn in_words(&self, object: &dyn Fn(InstanceKey) -> Object) -> String {
        let address = |(module, key): &(&ModulePath, InstanceKey)| {
            format!("`{}`", Address { module: (*module).clone(), object: object(key.clone()) })
        };
        let shown: Vec<String> = self.0.iter().take(MOST_INSTANCES).map(address).collect();
        match shown.as_slice() {
            [] => "the block has no instances".to_owned(),
            all if all.len() < self.0.len() => format!("the instances are {} and others", all.join(", ")),
            [one] => format!("the only instance is {one}"),
            all => format!("the instances are {}", all.join(", ")),
        }
    }
}
