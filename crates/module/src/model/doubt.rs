//! The doubt that syntax errors and unreadable files leave about a module.
//!
//! Only the items that an error touches are in doubt. Their values are unknown, and nothing is reported that may follow from
//! the error; everything else of the module stays as it is.

use std::collections::{HashMap, HashSet};

use terrane_config::address::Object;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, Span, ids};

use crate::model::hidden::{DeclarationKind, Hidden, is_part_of_name};
use crate::model::namespace::Root;

/// The errors about a name that nothing declares.
const MISSING_DECLARATION: &[MissingDeclaration] = &[
    MissingDeclaration::named(ids::UNDECLARED_VARIABLE, &[DeclarationKind::Variable]),
    MissingDeclaration::named(ids::UNDECLARED_VALUE, &[DeclarationKind::Variable]),
    MissingDeclaration::unnamed(ids::UNDECLARED_VALUES, &[DeclarationKind::Variable]),
    MissingDeclaration::named(ids::UNDECLARED_LOCAL, &[DeclarationKind::Local]),
    MissingDeclaration::named(ids::UNDECLARED_MODULE, &[DeclarationKind::Module]),
    MissingDeclaration::named(ids::UNDECLARED_RESOURCE, &[DeclarationKind::Resource]),
    MissingDeclaration::unnamed(ids::UNDECLARED_ACTION, &[DeclarationKind::Resource]),
    MissingDeclaration::unnamed(
        ids::MISSING_IMPORT_TARGET,
        &[DeclarationKind::Resource, DeclarationKind::Module],
    ),
    MissingDeclaration::unnamed(ids::MISSING_BASE, &DeclarationKind::ALL),
];

/// A diagnostic about a name that nothing declares.
struct MissingDeclaration {
    id: DiagnosticId,
    /// The kinds of declarations that would declare the name.
    kinds: &'static [DeclarationKind],
    /// Whether the diagnostic is at the name itself, and not at a reference to it.
    is_at_name: bool,
}

impl MissingDeclaration {
    const fn named(id: DiagnosticId, kinds: &'static [DeclarationKind]) -> MissingDeclaration {
        MissingDeclaration { id, kinds, is_at_name: true }
    }

    const fn unnamed(id: DiagnosticId, kinds: &'static [DeclarationKind]) -> MissingDeclaration {
        MissingDeclaration { id, kinds, is_at_name: false }
    }

    /// Returns the words of the name that a diagnostic is about; none if the diagnostic is not at the name.
    fn words(&self, diagnostic: &Diagnostic) -> Vec<String> {
        let Some(subject) = diagnostic.subject.as_ref().filter(|_| self.is_at_name) else {
            return Vec::new();
        };
        let text = subject.file.slice(subject.span);
        let words = text.split(|found: char| !is_part_of_name(found)).filter(|word| !word.is_empty());
        words
            .enumerate()
            .filter(|(index, word)| *index > 0 || !Root::of(word).precedes_names())
            .map(|(_, word)| word.to_owned())
            .collect()
    }
}

/// The declarations of a module that are in doubt.
#[derive(Clone, Default, Debug)]
pub struct Doubt {
    /// The objects whose blocks are damaged. Their values are unknown.
    objects: HashSet<Object>,
    /// The damaged parts of the files. Only syntax errors are reported there.
    places: HashMap<FileId, Vec<Span>>,
    hidden: Hidden,
}

impl Doubt {
    /// Whether nothing is in doubt.
    pub fn is_none(&self) -> bool {
        self.places.is_empty() && self.hidden.is_empty()
    }

    /// Whether the value of an object of the module is in doubt.
    pub(crate) fn covers(&self, object: &Object) -> bool {
        !self.is_none() && (self.hidden.overrides() || self.objects.contains(object))
    }

    /// Whether the module may declare more of a kind than could be read.
    pub(crate) fn hides(&self, kind: DeclarationKind) -> bool {
        self.hidden.holds(kind)
    }

    /// Whether the module may declare a name of a kind in text that could not be read.
    pub(crate) fn hides_name(&self, kind: DeclarationKind, name: &str) -> bool {
        self.hidden.holds_named(kind, [name].into_iter())
    }

    /// Whether both hide the same kinds of declarations, among the kinds that steps read.
    pub(crate) fn hides_the_same(&self, other: &Doubt) -> bool {
        let is_read = |kind: &DeclarationKind| *kind != DeclarationKind::Local;
        let kinds = |doubt: &Doubt| doubt.hidden.kinds().filter(is_read).collect::<Vec<_>>();
        kinds(self) == kinds(other) && self.hidden.overrides() == other.hidden.overrides()
    }

    /// Whether a block or argument that determines the providers of the module is in doubt: `provider`,
    /// `required_providers`, or `providers` in a module call.
    pub(crate) fn touches_providers(&self) -> bool {
        let touches = |object: &Object| match object {
            Object::ModuleCall(..) | Object::Provider(_) => true,
            Object::Resource { .. }
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
            || self.hidden.overrides()
            || self.objects.iter().any(touches)
    }

    /// Whether a diagnostic may follow from the damage: it is about a damaged part, or about a name that
    /// unreadable text may declare.
    pub(crate) fn silences(&self, diagnostic: &Diagnostic) -> bool {
        let is_hidden = |missing: &MissingDeclaration| {
            let words = missing.words(diagnostic);
            missing.kinds.iter().any(|kind| self.hidden.holds_named(*kind, words.iter().map(String::as_str)))
        };
        let mut missing = MISSING_DECLARATION.iter().filter(|missing| missing.id == diagnostic.id);
        !self.is_none() && missing.any(is_hidden) || self.is_damaged(diagnostic)
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

    /// Adds declarations that unreadable text may contain.
    pub(crate) fn hide(&mut self, hidden: Hidden) {
        self.hidden.extend(hidden);
    }
}

/// The doubts about the modules of a configuration.
pub(crate) struct Doubts<'d>(Vec<&'d Doubt>);

impl<'d> Doubts<'d> {
    /// Returns the doubts about all modules of a configuration.
    pub(crate) fn of(doubts: impl Iterator<Item = &'d Doubt>) -> Doubts<'d> {
        Doubts(doubts.filter(|doubt| !doubt.is_none()).collect())
    }

    /// Whether the configurations and uses of providers are in doubt.
    pub(crate) fn touch_providers(&self) -> bool {
        self.0.iter().any(|doubt| doubt.touches_providers())
    }

    /// Returns the diagnostics that do not follow from damage.
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
