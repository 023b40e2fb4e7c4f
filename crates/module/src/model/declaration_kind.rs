//! Kinds of declarations, and sets of them.

use terrane_config::address::ResourceMode;

/// The kinds of declarations to which references lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DeclarationKind {
    Variable,
    Local,
    Output,
    Module,
    /// Blocks with content of a provider: resources, data sources, actions.
    Resource(ResourceMode),
    /// Provider configurations.
    Provider,
    /// Entries of `required_providers`.
    Requirement,
}

impl DeclarationKind {
    pub(crate) const ALL: [DeclarationKind; 10] = [
        DeclarationKind::Variable,
        DeclarationKind::Local,
        DeclarationKind::Output,
        DeclarationKind::Module,
        DeclarationKind::Resource(ResourceMode::Managed),
        DeclarationKind::Resource(ResourceMode::Data),
        DeclarationKind::Resource(ResourceMode::Ephemeral),
        DeclarationKind::Resource(ResourceMode::Action),
        DeclarationKind::Provider,
        DeclarationKind::Requirement,
    ];
}

/// Kinds of declarations.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct KindSet(u16);

impl KindSet {
    pub(crate) fn contains(self, kind: DeclarationKind) -> bool {
        self.0 & KindSet::bit(kind) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds the kinds of another set.
    pub(crate) fn add(&mut self, other: KindSet) {
        self.0 |= other.0;
    }

    pub(crate) fn without(self, other: KindSet) -> KindSet {
        KindSet(self.0 & !other.0)
    }

    fn bit(kind: DeclarationKind) -> u16 {
        1 << match kind {
            DeclarationKind::Variable => 0,
            DeclarationKind::Local => 1,
            DeclarationKind::Output => 2,
            DeclarationKind::Module => 3,
            DeclarationKind::Provider => 4,
            DeclarationKind::Requirement => 5,
            DeclarationKind::Resource(mode) => 6 + mode as u16,
        }
    }
}

impl Extend<DeclarationKind> for KindSet {
    fn extend<I: IntoIterator<Item = DeclarationKind>>(&mut self, kinds: I) {
        kinds.into_iter().for_each(|kind| self.0 |= KindSet::bit(kind));
    }
}

impl FromIterator<DeclarationKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = DeclarationKind>>(kinds: I) -> KindSet {
        let mut set = KindSet::default();
        set.extend(kinds);
        set
    }
}
