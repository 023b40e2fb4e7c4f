//! Reports objects whose provider in a state or a plan differs from the provider in the configuration.

use std::collections::HashMap;

use terrane_config::address::{Address, ModulePath};
use terrane_source::{Diagnostic, Diagnostics, ids};

use crate::model::ids::{Arena, NodeId};
use crate::model::module::Resource;
use crate::model::prior::PriorState;
use crate::model::tree::{ModuleNode, Recordings};

/// Reports the first of these objects, and the number of the others. Their recorded values are not used.
pub(crate) fn check(recorded: &Recordings, nodes: &Arena<NodeId, ModuleNode>, diagnostics: &mut Diagnostics) {
    if recorded.prior.is_none() && recorded.planned.is_none() {
        return;
    }
    let by_path: HashMap<&ModulePath, &ModuleNode> = nodes.iter().map(|node| (&node.path, node)).collect();
    for (objects, name) in [(&recorded.prior, "state"), (&recorded.planned, "plan")] {
        let Some(objects) = objects else { continue };
        let Some(first) = first(objects, &by_path) else { continue };
        let more = match first.number - 1 {
            0 => String::new(),
            1 => " One more object is not used for the same reason.".to_owned(),
            more => format!(" {more} more objects are not used for the same reason."),
        };
        let detail = format!(
            "The {name} has `{}` with the provider {}, but the configuration gives it the provider {}. Its recorded values are not \
             used.{more}",
            first.address, first.recorded, first.configured
        );
        let diagnostic = Diagnostic::warning(ids::OBJECT_OF_OTHER_PROVIDER, detail);
        let hint = "If the provider has only got another address, `terraform state replace-provider` changes the state.";
        let declaration = &first.resource.declaration;
        diagnostics.push(diagnostic.hint(hint).at(&declaration.file, declaration.span));
    }
}

/// The first object whose recorded provider differs, in the order of addresses.
struct First<'f> {
    address: Address,
    resource: &'f Resource,
    recorded: &'f str,
    configured: String,
    /// The number of all objects whose recorded provider differs.
    number: usize,
}

fn first<'f>(objects: &'f PriorState, nodes: &HashMap<&ModulePath, &'f ModuleNode>) -> Option<First<'f>> {
    let mut first: Option<First<'f>> = None;
    for (module, key, instances) in objects.resources() {
        let Some(node) = nodes.get(&module.without_keys()) else { continue };
        let Some(id) = node.module.resources.id_of(key) else { continue };
        let resource = node.module.resources.at(id);
        let local = resource.local_provider(&key.resource_type);
        // An unreadable `required_providers` block may map the local name to another provider.
        if node.module.provider_is_doubtful(local) {
            continue;
        }
        let configured = node.module.provider_address(local);
        for (instance, place) in instances {
            if objects.is_of_provider(*place, &configured) {
                continue;
            }
            let recorded = objects.provider(*place);
            let address = Address { module: module.clone(), object: key.object(instance.clone()) };
            let number = first.as_ref().map_or(1, |first| first.number + 1);
            match &mut first {
                Some(first) if first.address <= address => first.number = number,
                Some(_) | None => {
                    let configured = configured.to_string();
                    first = Some(First { address, resource, recorded, configured, number });
                }
            }
        }
    }
    first
}
