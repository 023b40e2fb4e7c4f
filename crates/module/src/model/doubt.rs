//! The doubt that syntax errors and unreadable files leave about a module.
//!
//! Only the items that an error touches are in doubt. Their values are unknown, and nothing is reported that may follow from
//! the error; everything else of the module stays as it is.

use std::collections::{HashMap, HashSet};

use terrane_config::address::Object;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, Span, ids};

/// Errors about a name that nothing declares.
const MISSING_DECLARATION: &[DiagnosticId] = &[
    ids::UNDECLARED_VARIABLE,
    ids::UNDECLARED_LOCAL,
    ids::UNDECLARED_MODULE,
    ids::UNDECLARED_RESOURCE,
    ids::UNDECLARED_ACTION,
    ids::UNDECLARED_VALUE,
    ids::UNDECLARED_VALUES,
    ids::MISSING_BASE,
    ids::MISSING_IMPORT_TARGET,
];

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
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Hidden {
    /// Declarations of any kind.
    pub(crate) any: bool,
    /// Local values.
    pub(crate) locals: bool,
    /// Requirements of providers.
    pub(crate) requirements: bool,
    /// Changes of any declaration, in an override file.
    pub(crate) overrides: bool,
}

impl Doubt {
    /// Whether nothing is in doubt.
    pub fn is_none(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether the value of an object of the module is in doubt.
    pub(crate) fn covers(&self, object: &Object) -> bool {
        !self.is_none() && (self.hidden.overrides || self.objects.contains(object))
    }

    /// Whether the module may declare more than could be read.
    pub(crate) fn hides_declarations(&self) -> bool {
        self.hidden.any
    }

    /// Whether both hide declarations that steps read of the same kinds.
    pub(crate) fn hides_the_same(&self, other: &Doubt) -> bool {
        let kinds = |doubt: &Doubt| (doubt.hidden.any, doubt.hidden.requirements, doubt.hidden.overrides);
        kinds(self) == kinds(other)
    }

    /// Whether the module may require providers that could not be read.
    pub(crate) fn hides_requirements(&self) -> bool {
        self.hidden.any || self.hidden.requirements
    }

    /// Whether the configurations and uses of providers are in doubt.
    pub(crate) fn touches_providers(&self) -> bool {
        let touches = |object: &Object| match object {
            Object::ModuleCall(..) | Object::Resource(..) | Object::Provider(_) | Object::Import(_) => true,
            Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::Source(..)
            | Object::Build(_) => false,
        };
        self.hides_requirements() || self.hidden.overrides || self.objects.iter().any(touches)
    }

    /// Whether a diagnostic may follow from the damage: it is about a damaged part, or about a name that a part may declare.
    pub(crate) fn silences(&self, diagnostic: &Diagnostic) -> bool {
        let is_missing = match diagnostic.id == ids::UNDECLARED_LOCAL {
            true => self.hidden.any || self.hidden.locals,
            false => self.hidden.any && MISSING_DECLARATION.contains(&diagnostic.id),
        };
        is_missing || self.is_damaged(diagnostic)
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
        let own = &mut self.hidden;
        own.any |= hidden.any;
        own.locals |= hidden.locals;
        own.requirements |= hidden.requirements;
        own.overrides |= hidden.overrides;
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
        let locals = Hidden { locals: true, ..Hidden::default() };
        let any = Hidden { any: true, ..Hidden::default() };
        assert!(silences(locals, ids::UNDECLARED_LOCAL) && silences(any, ids::UNDECLARED_LOCAL));
        assert!(!silences(locals, ids::UNDECLARED_VARIABLE) && silences(any, ids::UNDECLARED_VARIABLE));
        assert!(!silences(any, ids::DUPLICATE_LOCAL) && !silences(Hidden::default(), ids::UNDECLARED_LOCAL));
    }
}
