//! The doubt that syntax errors and unreadable files leave about a module.
//!
//! Only the items that an error touches are in doubt. Their values are unknown, and nothing is reported that may follow from
//! the error; everything else of the module stays as it is.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use terrane_config::address::{Object, ResourceMode};
use terrane_source::{Diagnostic, Diagnostics, FileId, JoinedSpans, Span, Subject, ids};
use terrane_syntax::line;
use terrane_value::SmolStr;

use crate::model::declaration_kind::DeclarationKind;
use crate::model::hidden::{Hidden, HiddenDeclarations};
use crate::model::namespace::Namespace;
use terrane_source::paths::tidy;

/// Returns the kind of the declaration that is missing, if a diagnostic is about a name that nothing declares, at the name or at a
/// reference.
fn missing_declaration(diagnostic: &Diagnostic) -> Option<DeclarationKind> {
    let kinds = [
        (ids::UNDECLARED_VARIABLE, DeclarationKind::Variable),
        (ids::UNDECLARED_LOCAL, DeclarationKind::Local),
        (ids::UNDECLARED_MODULE, DeclarationKind::Module),
        (ids::UNDECLARED_RESOURCE, DeclarationKind::Resource(mode_of_name(diagnostic))),
        (ids::UNDECLARED_ACTION, DeclarationKind::Resource(ResourceMode::Action)),
    ];
    kinds.into_iter().find(|(id, _)| *id == diagnostic.id).map(|(_, kind)| kind)
}

/// Returns the mode of the resource whose name is at the place of a diagnostic.
fn mode_of_name(diagnostic: &Diagnostic) -> ResourceMode {
    match words(diagnostic).next().map(Namespace::of) {
        Some(Namespace::Resource(mode)) => mode,
        Some(
            Namespace::Variable
            | Namespace::Local
            | Namespace::Module
            | Namespace::Path
            | Namespace::Terraform
            | Namespace::Tofu
            | Namespace::Count
            | Namespace::Each
            | Namespace::Itself
            | Namespace::Reserved
            | Namespace::Type,
        )
        | None => ResourceMode::Managed,
    }
}

/// Returns the words at the place of a diagnostic; no words if it has no place.
fn words(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> + Clone {
    let text = diagnostic.subject.as_ref().map_or("", |subject| subject.file.slice(subject.span));
    line::words(text)
}

/// Returns the words of the name at the place of a diagnostic, without the namespace.
fn words_of_name(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> + Clone {
    words(diagnostic)
        .enumerate()
        .filter(|(index, word)| *index > 0 || !Namespace::of(word).precedes_names())
        .map(|(_, word)| word)
}

/// The declarations of a module that are in doubt.
#[derive(Clone, Default, Debug)]
pub struct Doubt {
    /// The objects whose blocks are damaged. Their values are unknown.
    objects: HashSet<Object>,
    /// Those of them with a damaged block in an override file.
    overridden: HashSet<Object>,
    /// The damaged parts of the files. Only syntax errors are reported there.
    places: HashMap<FileId, JoinedSpans>,
    hidden: HiddenDeclarations,
    /// The declarations that unreadable text of override files may change.
    overriding: HiddenDeclarations,
    /// Resources, module calls and providers with errors other than syntax errors in their blocks or requirements. They keep their
    /// values, but findings about provider configurations may follow from the errors.
    flawed: HashSet<Object>,
    /// The number of blocks with wrong headers in each file that has any.
    wrong_headers: BTreeMap<FileId, usize>,
    asked: Asked,
}

/// The objects that expressions have looked up although nothing declares them, and whether hidden text may: an evaluation may look up one
/// of them a million times.
#[derive(Default, Debug)]
struct Asked(Mutex<HashMap<Object, bool>>);

impl Asked {
    fn lock(&self) -> MutexGuard<'_, HashMap<Object, bool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Asked {
    fn clone(&self) -> Asked {
        Asked::default()
    }
}

impl Doubt {
    /// Whether nothing is in doubt.
    pub fn is_none(&self) -> bool {
        self.places.is_empty() && self.hidden.is_empty()
    }

    /// Whether the value of an object of the module is in doubt.
    pub(crate) fn covers(&self, object: &Object) -> bool {
        !self.is_none() && (self.objects.contains(object) || self.may_override(object))
    }

    /// Whether unreadable text of an override file may change a declaration.
    pub(crate) fn may_override(&self, object: &Object) -> bool {
        let holds = |kind, words: &[&str]| self.overriding.holds_named(kind, words.iter().copied());
        self.overridden.contains(object)
            || !self.overriding.is_empty()
                && match object {
                    Object::Variable(name) => holds(DeclarationKind::Variable, &[name]),
                    Object::Local(name) => holds(DeclarationKind::Local, &[name]),
                    Object::Output(name) => holds(DeclarationKind::Output, &[name]),
                    Object::ModuleCall(name, _) => holds(DeclarationKind::Module, &[name]),
                    Object::Resource { mode, resource_type, name, .. } => {
                        holds(DeclarationKind::Resource(*mode), &[resource_type, name])
                    }
                    Object::Provider(key) => match key.split_once('.') {
                        Some((name, alias)) => holds(DeclarationKind::Provider, &[name, alias]),
                        None => holds(DeclarationKind::Provider, &[key]),
                    },
                    // An override file cannot have them.
                    Object::Check(_) | Object::Import(_) | Object::Source(..) | Object::Build(_) => false,
                }
    }

    /// Whether the module may declare more of a kind than could be read.
    pub(crate) fn hides(&self, kind: DeclarationKind) -> bool {
        self.hidden.holds(kind)
    }

    /// Whether the module may declare more outputs than could be read.
    pub fn hides_outputs(&self) -> bool {
        self.hides(DeclarationKind::Output)
    }

    /// Whether the module may declare a name of a kind in text that could not be read.
    pub(crate) fn hides_name(&self, kind: DeclarationKind, name: &str) -> bool {
        self.hides_words(kind, &[name])
    }

    /// Whether the module may declare a name of several words: see [`Doubt::hides_name`].
    pub(crate) fn hides_words(&self, kind: DeclarationKind, words: &[&str]) -> bool {
        self.hidden.holds_named(kind, words.iter().copied())
    }

    /// Whether the module may declare an object, which no readable text declares, in text that could not be read.
    pub(crate) fn hides_object(&self, object: &Object) -> bool {
        if let Some(answer) = self.asked.lock().get(object) {
            return *answer;
        }
        let answer = match object {
            Object::Variable(name) => self.hides_name(DeclarationKind::Variable, name),
            Object::Local(name) => self.hides_name(DeclarationKind::Local, name),
            Object::ModuleCall(name, _) => self.hides_name(DeclarationKind::Module, name),
            Object::Resource { mode, resource_type, name, key: _ } => {
                self.hides_words(DeclarationKind::Resource(*mode), &[resource_type, name])
            }
            Object::Output(_)
            | Object::Check(_)
            | Object::Source(..)
            | Object::Build(_)
            | Object::Provider(_)
            | Object::Import(_) => false,
        };
        self.asked.lock().insert(object.clone(), answer);
        answer
    }

    /// Returns the file with the damaged parts and wrong headers, if all of them are in one.
    pub(crate) fn only_file(&self) -> Option<&FileId> {
        let mut files = self.places.keys().chain(self.wrong_headers.keys());
        let first = files.next()?;
        files.all(|file| file == first).then_some(first)
    }

    /// Whether both hide the same kinds of declarations, among the kinds that steps read, and the same names among those that steps have
    /// looked up.
    pub(crate) fn hides_the_same(&self, other: &Doubt) -> bool {
        let is_read = |kind: &DeclarationKind| *kind != DeclarationKind::Local;
        let kinds = |doubt: &Doubt| doubt.hidden.kinds().filter(is_read).collect::<Vec<_>>();
        let asked = other.asked.lock().clone();
        let has_hidden = asked.values().any(|is_hidden| *is_hidden);
        let overrides = |doubt: &Doubt| !doubt.overriding.is_empty() || !doubt.overridden.is_empty();
        kinds(self) == kinds(other)
            && !overrides(self)
            && !overrides(other)
            && asked.iter().all(|(object, is_hidden)| self.hides_object(object) == *is_hidden)
            && (!has_hidden || self.only_file() == other.only_file())
    }

    /// Whether the module may configure or require a provider with this local name in text that could not be read.
    pub(crate) fn touches_provider(&self, name: &SmolStr) -> bool {
        !self.is_sound()
            && (self.may_err(&Object::Provider(name.clone()))
                || self.hides_name(DeclarationKind::Provider, name)
                || self.hides_name(DeclarationKind::Requirement, name))
    }

    /// Whether the block of an object is in doubt or has errors, so that it may be meant to use or pass other provider configurations.
    pub(crate) fn may_err(&self, object: &Object) -> bool {
        self.covers(object) || self.flawed.contains(object)
    }

    /// Whether nothing is in doubt, and no block has errors.
    pub(crate) fn is_sound(&self) -> bool {
        self.is_none() && self.flawed.is_empty()
    }

    /// Adds an object with an error in its block, or a provider with one in its requirement.
    pub(crate) fn add_flawed(&mut self, object: Object) {
        self.flawed.insert(object);
    }

    /// Whether a place is in a damaged part of a file.
    pub(crate) fn touches(&self, place: &Subject) -> bool {
        self.places.get(place.file.id()).is_some_and(|places| places.contain(place.span.start))
    }

    /// Whether a diagnostic may follow from the damage: it is about a damaged part, or about a name that
    /// unreadable text may declare.
    pub(crate) fn silences(&self, diagnostic: &Diagnostic) -> bool {
        let is_hidden = |kind| self.hidden.holds_named(kind, words_of_name(diagnostic));
        !self.hidden.is_empty() && missing_declaration(diagnostic).is_some_and(is_hidden)
            || self.is_damaged(diagnostic)
    }

    fn is_damaged(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.subject.as_ref().is_some_and(|subject| self.touches(subject))
    }

    /// Adds damaged parts of a file.
    pub(crate) fn add_places(&mut self, file: &FileId, places: Vec<Span>) {
        if !places.is_empty() {
            self.places.entry(file.clone()).or_default().add(places);
        }
    }

    /// Adds an object whose block is damaged.
    pub(crate) fn add(&mut self, object: Object, is_override: bool) {
        if is_override {
            self.overridden.insert(object.clone());
        }
        self.objects.insert(object);
    }

    /// Adds the names that a block with a wrong header may declare.
    pub(crate) fn hide_block(&mut self, file: &FileId, hidden: Hidden) {
        self.count_wrong_header(file);
        self.hide(hidden);
    }

    /// Counts a block with a wrong header.
    pub(crate) fn count_wrong_header(&mut self, file: &FileId) {
        *self.wrong_headers.entry(file.clone()).or_default() += 1;
    }

    /// Returns the number of blocks with wrong headers in each file that has any.
    pub(crate) fn wrong_headers(&self) -> &BTreeMap<FileId, usize> {
        &self.wrong_headers
    }

    /// Adds declarations that unreadable text may contain.
    pub(crate) fn hide(&mut self, hidden: Hidden) {
        if hidden.overrides() {
            self.overriding.add(hidden.clone());
        }
        self.hidden.add(hidden);
    }
}

/// The doubt about a module of a configuration.
#[derive(Clone, Copy)]
pub(crate) struct ModuleDoubt<'d> {
    /// The directory of the module.
    pub(crate) directory: &'d Path,
    /// Whether this is the root module.
    pub(crate) is_root: bool,
    pub(crate) doubt: &'d Doubt,
}

impl ModuleDoubt<'_> {
    /// Whether a diagnostic may follow from the damage in the module. `is_own` says that the diagnostic is about this module.
    fn silences(&self, diagnostic: &Diagnostic, is_own: bool) -> bool {
        match is_own {
            true => self.doubt.silences(diagnostic),
            false => self.doubt.is_damaged(diagnostic),
        }
    }
}

/// The doubts about the modules of a configuration.
pub(crate) struct Doubts<'d> {
    doubts: Vec<ModuleDoubt<'d>>,
    /// The directories of all modules by their tidy paths, as files have them; empty if no module is in doubt.
    directories: HashMap<PathBuf, &'d Path>,
}

impl<'d> Doubts<'d> {
    /// Returns the doubts about all modules of a configuration.
    pub(crate) fn of(modules: impl Iterator<Item = ModuleDoubt<'d>> + Clone) -> Doubts<'d> {
        let doubts: Vec<ModuleDoubt<'d>> = modules.clone().filter(|module| !module.doubt.is_none()).collect();
        let directories = match doubts.is_empty() {
            true => HashMap::new(),
            false => modules.map(|module| (tidy(module.directory), module.directory)).collect(),
        };
        Doubts { doubts, directories }
    }

    /// Returns the diagnostics that do not follow from damage.
    pub(crate) fn sound(&self, found: Diagnostics) -> Diagnostics {
        match self.doubts.is_empty() {
            true => found,
            false => found.into_iter().filter(|found| !self.silence(found)).collect(),
        }
    }

    /// Whether a diagnostic may follow from damage. Damage in a module excuses missing names in files of this module only. A
    /// diagnostic outside of all modules is about the root module.
    fn silence(&self, diagnostic: &Diagnostic) -> bool {
        let path = diagnostic.subject.as_ref().map(|subject| subject.file.id().path());
        let owner = path.and_then(Path::parent).and_then(|directory| self.directories.get(&tidy(directory)));
        self.doubts.iter().any(|module| {
            let is_own = owner.map_or(module.is_root, |owner| *owner == module.directory);
            module.silences(diagnostic, is_own)
        })
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
        doubt.add_places(file.id(), vec![Span::new(2, 4)]);
        let error = || Diagnostic::error(ids::DUPLICATE_LOCAL, "It is declared twice.");
        let silenced = [(&file, 1), (&file, 2), (&file, 4), (&file, 5), (&other, 3)]
            .map(|(file, start)| doubt.silences(&error().at(file, Span::new(start, 9))));
        assert_eq!(silenced, [false, true, true, false, false]);
        assert!(!doubt.silences(&error()));
    }

    #[test]
    fn hidden_declarations_excuse_missing_ones() {
        let file = SourceFile::new(FileId::new("a.tf"), "local.users");
        let silences = |hidden: Hidden, id| {
            let mut doubt = Doubt::default();
            doubt.hide(hidden);
            doubt.silences(&Diagnostic::error(id, "Nothing declares it.").at(&file, Span::new(0, 11)))
        };
        let locals = || Hidden::of([DeclarationKind::Local]);
        assert!(silences(locals(), ids::UNDECLARED_LOCAL) && silences(Hidden::all(), ids::UNDECLARED_LOCAL));
        assert!(silences(locals().named_in("us users = 1"), ids::UNDECLARED_LOCAL));
        assert!(!silences(locals().named_in("nets = 1"), ids::UNDECLARED_LOCAL));
        assert!(!silences(locals(), ids::UNDECLARED_VARIABLE));
        assert!(silences(Hidden::all(), ids::UNDECLARED_VARIABLE));
        assert!(!silences(Hidden::all(), ids::DUPLICATE_LOCAL));
        assert!(!silences(Hidden::default(), ids::UNDECLARED_LOCAL));
    }

    #[test]
    fn a_module_excuses_no_names_of_another() {
        let (mut broken, sound) = (Doubt::default(), Doubt::default());
        broken.hide(Hidden::all());
        let doubts = |root, called| {
            let root = ModuleDoubt { directory: Path::new("."), is_root: true, doubt: root };
            let called = ModuleDoubt { directory: Path::new("./m"), is_root: false, doubt: called };
            Doubts::of([root, called].into_iter())
        };
        let silenced = |doubts: &Doubts<'_>| {
            ["a.tf", "m/a.tf", "elsewhere/x.tfvars"].map(|path| {
                let file = SourceFile::new(FileId::new(path), "var.a");
                let found = Diagnostic::error(ids::UNDECLARED_VARIABLE, "Nothing declares it.");
                doubts.silence(&found.at(&file, Span::new(0, 5)))
            })
        };
        assert_eq!(silenced(&doubts(&sound, &broken)), [false, true, false]);
        assert_eq!(silenced(&doubts(&broken, &sound)), [true, false, true]);
    }
}
