//! The types of blocks in a file: their labels, and the objects that they declare.
//!
//! [`BLOCK_TYPES`] is the one table of them. The decoder takes its schema of a file from it, the loader the declarations that a
//! syntax error hides, and `place` the object around a position. The blocks inside of these blocks are in `schema`.

use terrane_config::address::{InstanceKey, Object, ResourceMode};
use terrane_value::SmolStr;

use crate::model::declaration_kind::DeclarationKind;

/// A type of blocks that may stand in a file.
#[derive(Debug)]
pub(crate) struct BlockType {
    pub(crate) name: &'static str,
    /// The names of its labels.
    pub(crate) labels: &'static [&'static str],
    pub(crate) declares: Declares,
}

/// The objects that a block declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declares {
    Variable,
    /// A local value with each argument.
    Locals,
    Output,
    Call,
    Resource(ResourceMode),
    Provider,
    Check,
    Import,
    /// Requirements of providers.
    Requirements,
    /// Nothing that others refer to.
    Nothing,
    /// The block stands in a file only by mistake.
    Misplaced,
}

/// The types of blocks that may stand in a file.
pub(crate) const BLOCK_TYPES: &[BlockType] = &[
    block("variable", &["name"], Declares::Variable),
    block("output", &["name"], Declares::Output),
    block("module", &["name"], Declares::Call),
    block("provider", &["name"], Declares::Provider),
    block("check", &["name"], Declares::Check),
    block("resource", &["type", "name"], Declares::Resource(ResourceMode::Managed)),
    block("data", &["type", "name"], Declares::Resource(ResourceMode::Data)),
    block("ephemeral", &["type", "name"], Declares::Resource(ResourceMode::Ephemeral)),
    block("action", &["type", "name"], Declares::Resource(ResourceMode::Action)),
    block("locals", &[], Declares::Locals),
    block("moved", &[], Declares::Nothing),
    block("removed", &[], Declares::Nothing),
    block("import", &[], Declares::Import),
    block("terraform", &[], Declares::Requirements),
    block("required_providers", &[], Declares::Misplaced),
    block("language", &[], Declares::Nothing),
];

const fn block(name: &'static str, labels: &'static [&'static str], declares: Declares) -> BlockType {
    BlockType { name, labels, declares }
}

impl BlockType {
    /// The type with a name; none for words that begin no block.
    pub(crate) fn named(name: &str) -> Option<&'static BlockType> {
        BLOCK_TYPES.iter().find(|block_type| block_type.name == name)
    }

    /// The kinds of its declarations.
    pub(crate) fn kinds(&self) -> Option<&'static [DeclarationKind]> {
        Some(match self.declares {
            Declares::Variable => &[DeclarationKind::Variable],
            Declares::Locals => &[DeclarationKind::Local],
            Declares::Output => &[DeclarationKind::Output],
            Declares::Call => &[DeclarationKind::Module],
            Declares::Resource(ResourceMode::Managed) => &[DeclarationKind::Resource(ResourceMode::Managed)],
            Declares::Resource(ResourceMode::Ephemeral) => {
                &[DeclarationKind::Resource(ResourceMode::Ephemeral)]
            }
            Declares::Resource(ResourceMode::Action) => &[DeclarationKind::Resource(ResourceMode::Action)],
            // A check may hold a data source.
            Declares::Resource(ResourceMode::Data) | Declares::Check => {
                &[DeclarationKind::Resource(ResourceMode::Data)]
            }
            Declares::Provider => &[DeclarationKind::Provider],
            Declares::Requirements => &[DeclarationKind::Requirement],
            Declares::Import | Declares::Nothing => &[],
            Declares::Misplaced => return None,
        })
    }

    /// Whether an argument whose name meets `is_meant` affects a block of this type as a whole: the arguments of a call set variables of
    /// its module, and some arguments of a resource decide its instances and its provider.
    pub(crate) fn any_affects_whole(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let is_resource = matches!(self.declares, Declares::Resource(_));
        matches!(self.declares, Declares::Call)
            || is_resource && ["count", "for_each", "provider"].into_iter().any(is_meant)
    }

    /// The object that a block with these labels declares; none where the labels are wrong, or declare none.
    pub(crate) fn object(&self, labels: &[SmolStr]) -> Option<Object> {
        let first = || labels.first().cloned().unwrap_or_default();
        if labels.len() != self.labels.len() {
            return None;
        }
        Some(match self.declares {
            Declares::Variable => Object::Variable(first()),
            Declares::Output => Object::Output(first()),
            Declares::Call => Object::ModuleCall(first(), InstanceKey::None),
            Declares::Resource(mode) => Object::Resource {
                mode,
                resource_type: first(),
                name: labels.last().cloned().unwrap_or_default(),
                key: InstanceKey::None,
            },
            Declares::Provider => Object::Provider(first()),
            Declares::Check => Object::Check(first()),
            Declares::Import => Object::Import(SmolStr::default()),
            Declares::Locals | Declares::Requirements | Declares::Nothing | Declares::Misplaced => {
                return None;
            }
        })
    }

    /// The objects that the header of a block with these labels declares; none where the header does not say so.
    pub(crate) fn objects(&self, labels: &[SmolStr]) -> Option<Vec<Object>> {
        let is_whole = labels.len() == self.labels.len() && self.declares != Declares::Misplaced;
        is_whole.then(|| self.object(labels).into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use terrane_syntax::MODULE_BLOCKS;

    use super::*;

    #[test]
    fn the_parser_knows_the_same_types() {
        let own = BLOCK_TYPES.iter().filter(|block_type| block_type.declares != Declares::Misplaced);
        let own: BTreeSet<&str> = own.map(|block_type| block_type.name).collect();
        assert_eq!(own, MODULE_BLOCKS.iter().copied().collect());
    }
}
