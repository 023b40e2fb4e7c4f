//! Finds the attributes of a resource that its configuration decides.

use std::collections::HashSet;

use terrane_source::Diagnostics;
use terrane_value::SmolStr;

use crate::model::module::Resource;

/// The names of the arguments and blocks of a resource, except those in `ignore_changes`, whose recorded values count.
pub(crate) struct ConfiguredNames<'r>(&'r HashSet<SmolStr>);

impl<'r> ConfiguredNames<'r> {
    pub(crate) fn of(resource: &'r Resource) -> ConfiguredNames<'r> {
        ConfiguredNames(resource.configured.get_or_init(|| names(resource)))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

fn names(resource: &Resource) -> HashSet<SmolStr> {
    let lifecycle = &resource.lifecycle;
    if lifecycle.ignores_all {
        return HashSet::new();
    }
    let written = resource.config.open_content(&mut Diagnostics::new());
    let blocks = written.blocks.iter().map(|block| block.generated_type().clone());
    let mut names: HashSet<SmolStr> = written.attributes.keys().cloned().chain(blocks).collect();
    for (ignored, _) in &lifecycle.ignored {
        names.remove(ignored);
    }
    names
}
