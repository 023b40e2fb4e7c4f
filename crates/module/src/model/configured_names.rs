//! The attributes of a resource that its configuration decides.

use std::collections::HashSet;

use terrane_source::Diagnostics;
use terrane_value::SmolStr;

use crate::model::module::Resource;

/// The names of the arguments and blocks of a resource, but for those in `ignore_changes`, whose recorded values count.
pub(crate) struct ConfiguredNames(HashSet<SmolStr>);

impl ConfiguredNames {
    pub(crate) fn of(resource: &Resource) -> ConfiguredNames {
        let lifecycle = &resource.lifecycle;
        if lifecycle.ignores_all {
            return ConfiguredNames(HashSet::new());
        }
        let written = resource.config.open_content(&mut Diagnostics::new());
        let blocks = written.blocks.iter().map(|block| block.generated_type().clone());
        let mut names: HashSet<SmolStr> = written.attributes.keys().cloned().chain(blocks).collect();
        for (ignored, _) in &lifecycle.ignored {
            names.remove(ignored);
        }
        ConfiguredNames(names)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
