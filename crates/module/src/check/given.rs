//! Reports values given by hand for instances that do not exist.

use terrane_config::address::{Address, InstanceKey, Object};
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::expansion::Expansion;
use crate::model::given::{GivenBy, GivenPart};
use crate::model::ids::NodeId;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Limit on the instances that a diagnostic names.
const MOST_INSTANCES: usize = 4;

/// Reports the parts that no instance has.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let given = &evaluation.config.given;
    for (node, id, parts) in given.of_resources() {
        let object = |key| evaluation.config.node(node).module.resources.entry_of(id).0.object(key);
        // Defaults are for any number of instances.
        for part in parts.iter().filter(|part| part.by() != GivenBy::Defaults) {
            let found = search(evaluation, node, part, &|state| &state.resources[id].expansion, &object);
            diagnostics.extend(found.map(|found| unused(part, &found)));
        }
    }
    for (node, id, parts) in given.of_outputs() {
        let (name, _) = evaluation.config.node(node).module.calls.entry_of(id);
        let object = |key| Object::ModuleCall(name.clone(), key);
        for part in parts {
            let found = search(evaluation, node, part, &|state| &state.calls[id].expansion, &object);
            diagnostics.extend(found.map(|found| unused(part, &found)));
        }
    }
}

/// The addresses of the instances of an object, if the part is for none of them.
fn search<'e, T: 'e>(
    evaluation: &'e Evaluation,
    node: NodeId,
    part: &GivenPart,
    expansion: &dyn Fn(&'e ModuleInstance) -> &'e Expansion<T>,
    object: &dyn Fn(InstanceKey) -> Object,
) -> Option<Vec<String>> {
    let mut others = Vec::new();
    for state in evaluation.instances_of(node) {
        let expansion = expansion(state);
        // Then any instance may exist.
        if expansion.unknown().is_some() || state.unexpanded.is_some() {
            return None;
        }
        for (key, _) in expansion.iter() {
            if part.is_for(&state.path, &key) {
                return None;
            }
            if others.len() <= MOST_INSTANCES {
                let address = Address { module: state.path.clone(), object: object(key) };
                others.push(format!("`{address}`"));
            }
        }
    }
    Some(others)
}

fn unused(part: &GivenPart, others: &[String]) -> Diagnostic {
    let there = match others {
        [] => "the block has no instances".to_owned(),
        all if all.len() > MOST_INSTANCES => {
            let first: Vec<&str> = all.iter().take(MOST_INSTANCES).map(String::as_str).collect();
            format!("the instances are {} and others", first.join(", "))
        }
        [one] => format!("the only instance is {one}"),
        all => format!("the instances are {}", all.join(", ")),
    };
    let detail = format!("The value given for `{}` is not used: {there}.", part.written().trim_matches('"'));
    let diagnostic = Diagnostic::warning(ids::UNUSED_GIVEN_VALUE, detail);
    diagnostic.at(&part.target.file, part.target.span)
}
