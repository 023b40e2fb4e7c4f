//! The doubt that syntax errors and unreadable files leave about a module.
//!
//! Only the items that an error touches are in doubt. Their values are unknown, and nothing is reported that may follow from
//! the error; everything else of the module stays as it is.

use std::collections::{BTreeSet, HashMap, HashSet};

use terrane_config::address::Object;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, Span, ids};

/// Errors about a name that nothing declares, with the kinds of declarations that would declare it.
const MISSING_DECLARATION: &[(DiagnosticId, &[DeclarationKind])] = &[
    (ids::UNDECLARED_VARIABLE, &[DeclarationKind::Variable]),
    (ids::UNDECLARED_VALUE, &[DeclarationKind::Variable]),
    (ids::UNDECLARED_VALUES, &[DeclarationKind::Variable]),
    (ids::UNDECLARED_LOCAL, &[DeclarationKind::Local]),
    (ids::UNDECLARED_MODULE, &[DeclarationKind::Module]),
    (ids::UNDECLARED_RESOURCE, &[DeclarationKind::Resource]),
    (ids::UNDECLARED_ACTION, &[DeclarationKind::Resource]),
    (ids::MISSING_IMPORT_TARGET, &[DeclarationKind::Resource, DeclarationKind::Module]),
    (ids::MISSING_BASE, &DeclarationKind::ALL),
];

/// The kinds of declarations that others refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DeclarationKind {
    Variable,
    Local,
    Output,
    Module,
    /// Everything with the blocks of a provider: resources, data sources, actions.
    Resource,
    /// Configurations of providers.
    Provider,
    /// Requirements of providers.
    Requirement,
}

impl DeclarationKind {
    pub(crate) const ALL: [DeclarationKind; 7] = [
        DeclarationKind::Variable,
        DeclarationKind::Local,
        DeclarationKind::Output,
        DeclarationKind::Module,
        DeclarationKind::Resource,
        DeclarationKind::Provider,
        DeclarationKind::Requirement,
    ];
}

/// The declarations of a module that are in doubt.
#[derive(Clone, Default, Debug)]
pub struct Doubt {
    /// The objects whose blocks are damaged. Their values are unknown.
    objects: HashSet<Object>,
    /// The damaged parts of the files. Nothing but syntax errors is reported there.
    places: HashMap<FileId, Vec<Span>>,
    hidden: Hidden,
}

/// Declarations that may be in text that could not be read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hidden {
    /// Their kinds.
    kinds: BTreeSet<DeclarationKind>,
    /// Whether the text may change any declaration, because it is in an override file.
    overrides: bool,
}

impl Hidden {
    /// Declarations of all kinds.
    pub(crate) fn all() -> Hidden {
        Hidden::of(DeclarationKind::ALL)
    }

    /// Declarations of these kinds.
    pub(crate) fn of(kinds: impl IntoIterator<Item = DeclarationKind>) -> Hidden {
        Hidden { kinds: kinds.into_iter().collect(), overrides: false }
    }

    /// Notes whether the text is in an override file.
    pub(crate) fn in_file(self, is_override: bool) -> Hidden {
        Hidden { overrides: is_override, ..self }
    }
}

impl Doubt {
    /// Whether nothing is in doubt.
    pub fn is_none(&self) -> bool {
        self.places.is_empty() && self.hidden.kinds.is_empty()
    }

    /// Whether the value of an object of the module is in doubt.
    pub(crate) fn covers(&self, object: &Object) -> bool {
        !self.is_none() && (self.hidden.overrides || self.objects.contains(object))
    }

    /// Whether the module may declare more of a kind than could be read.
    pub(crate) fn hides(&self, kind: DeclarationKind) -> bool {
        self.hidden.kinds.contains(&kind)
    }

    /// Whether both hide declarations that steps read of the same kinds.
    pub(crate) fn hides_the_same(&self, other: &Doubt) -> bool {
        let is_read = |kind: &&DeclarationKind| **kind != DeclarationKind::Local;
        let kinds = |doubt: &Doubt| doubt.hidden.kinds.iter().filter(is_read).copied().collect::<Vec<_>>();
        kinds(self) == kinds(other) && self.hidden.overrides == other.hidden.overrides
    }

    /// Whether a block or argument that says which providers the module has is in doubt: `provider`, `required_providers`, or
    /// `providers` in a module call.
    pub(crate) fn touches_providers(&self) -> bool {
        let touches = |object: &Object| match object {
            Object::ModuleCall(..) | Object::Provider(_) => true,
            Object::Resource(..)
            | Object::Import(_)
            | Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::Source(..)
            | Object::Build(_) => false,
        };
        let kinds = [DeclarationKind::Module, DeclarationKind::Provider, DeclarationKind::Requirement];
        kinds.into_iter().any(|kind| self.hides(kind))
            || self.hidden.overrides
            || self.objects.iter().any(touches)
    }

    /// Whether a diagnostic may follow from the damage: it is about a damaged part, or about a name that a part may declare.
    pub(crate) fn silences(&self, diagnostic: &Diagnostic) -> bool {
        let missing = MISSING_DECLARATION.iter().filter(|(id, _)| *id == diagnostic.id);
        missing.flat_map(|(_, kinds)| *kinds).any(|kind| self.hides(*kind)) || self.is_damaged(diagnostic)
    }

    fn is_damaged(&self, diagnostic: &Diagnostic) -> bool {
        let Some(subject) = diagnostic.subject.as_ref().filter(|_| !self.is_none()) else { return false };
        let Some(places) = self.places.get(subject.file.id()) else { return false };
        places.iter().any(|place| place.start <= subject.span.start && subject.span.start <= place.end)
    }

    /// Adds a damaged part of a file.
    pub(crate) fn add_place(&mut self, file: &FileId, place: Span) {
        self.places.entry(file.clone()).or_default().push(place);
    }

    /// Adds an object whose block is damaged.
    pub(crate) fn add(&mut self, object: Object) {
        self.objects.insert(object);
    }

    /// Adds declarations that may be hidden.
    pub(crate) fn hide(&mut self, hidden: Hidden) {
        self.hidden.kinds.extend(hidden.kinds);
        self.hidden.overrides |= hidden.overrides;
    }
}

/// The doubts about the modules of a configuration.
pub(crate) struct Doubts<'d>(Vec<&'d Doubt>);

impl<'d> Doubts<'d> {
    /// The doubts about all modules of a configuration.
    pub(crate) fn of(doubts: impl Iterator<Item = &'d Doubt>) -> Doubts<'d> {
        Doubts(doubts.filter(|doubt| !doubt.is_none()).collect())
    }

    /// Whether the configurations and uses of providers are in doubt.
    pub(crate) fn touch_providers(&self) -> bool {
        self.0.iter().any(|doubt| doubt.touches_providers())
    }

    /// The diagnostics that follow from no damage.
    pub(crate) fn sound(&self, found: Diagnostics) -> Diagnostics {
        match self.0.is_empty() {
            true => found,
            false => {
                found.into_iter().filter(|found| !self.0.iter().any(|doubt| doubt.silences(found))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::SourceFile;

    use super::*;

    #[test]
    fn only_damaged_parts_are_silent() {
        let file = SourceFile::new(FileId::new("a.tf"), "0123456789");
        let other = SourceFile::new(FileId::new("b.tf"), "0123456789");
        let mut doubt = Doubt::default();
        doubt.add_place(file.id(), Span::new(2, 4));
        let error = || Diagnostic::error(ids::DUPLICATE_LOCAL, "It is declared twice.");
        let silenced = [(&file, 1), (&file, 2), (&file, 4), (&file, 5), (&other, 3)]
            .map(|(file, start)| doubt.silences(&error().at(file, Span::new(start, 9))));
        assert_eq!(silenced, [false, true, true, false, false]);
        assert!(!doubt.silences(&error()));
    }

    #[test]
    fn hidden_declarations_excuse_missing_ones() {
        let silences = |hidden: Hidden, id| {
            let mut doubt = Doubt::default();
            doubt.hide(hidden);
            doubt.silences(&Diagnostic::error(id, "Nothing declares it."))
        };
        let locals = || Hidden::of([DeclarationKind::Local]);
        assert!(silences(locals(), ids::UNDECLARED_LOCAL) && silences(Hidden::all(), ids::UNDECLARED_LOCAL));
        assert!(!silences(locals(), ids::UNDECLARED_VARIABLE));
        assert!(silences(Hidden::all(), ids::UNDECLARED_VARIABLE));
        assert!(silences(locals(), ids::MISSING_BASE) && !silences(Hidden::default(), ids::MISSING_BASE));
        assert!(!silences(Hidden::all(), ids::DUPLICATE_LOCAL));
        assert!(!silences(Hidden::default(), ids::UNDECLARED_LOCAL));
    }
}
