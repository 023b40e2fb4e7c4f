//! Names of a configuration by place: the meaning of each name, and every place with that meaning.
//!
//! [`Symbols::of`] joins the declarations, the names in expressions of all modules, the arguments of calls, the addresses in
//! `moved`, `removed` and `import` blocks, and the names in variable and test files. A directory that is called several
//! times counts once: its objects have the address in the module that is called first.

mod collector;
mod places;
mod symbol;
mod test_files;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use terrane_config::address::Object;
use terrane_source::{FileId, Files, Span, Subject};

use crate::inputs::Inputs;
use crate::model::ids::NodeId;
use crate::model::tree::Config;
use crate::symbols::collector::OccurrenceCollector;
pub use crate::symbols::symbol::{Occurrence, Role, Site, Symbol};

/// The names of a configuration, by file and place.
#[derive(Debug, Default)]
pub struct Symbols {
    /// The occurrences, by file, then by place.
    all: Vec<Occurrence>,
    files: HashMap<FileId, Range<usize>>,
    by_symbol: BTreeMap<Symbol, Vec<usize>>,
}

impl Symbols {
    /// Returns the names of a loaded configuration, of the variable files that were read for it, and of the test files
    /// of its root module, which are read through `files`. A test file with mistakes has the names that can be read.
    pub fn of(config: &Config, inputs: &Inputs, files: &dyn Files) -> Symbols {
        let mut collector = OccurrenceCollector::new(config);
        collector.modules();
        for assignment in inputs.assignments().iter().filter(|assignment| assignment.is_declared) {
            if let Some(place) = &assignment.name_place {
                let object = Object::Variable(assignment.name.clone());
                collector.add(NodeId::ROOT, object, Role::VariableFile, place.clone());
            }
        }
        collector.test_files(files);
        Symbols::sorted(collector.all)
    }

    fn sorted(mut all: Vec<Occurrence>) -> Symbols {
        all.sort_by(|one, other| SortKey::of(one).cmp(&SortKey::of(other)));
        all.dedup_by(|later, earlier| {
            SortKey::of(later) == SortKey::of(earlier) && later.symbol == earlier.symbol
        });
        let mut files: HashMap<FileId, Range<usize>> = HashMap::new();
        let mut by_symbol: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
        for (index, occurrence) in all.iter().enumerate() {
            let file = occurrence.subject.file.id().clone();
            files.entry(file).or_insert(index..index).end = index + 1;
            by_symbol.entry(occurrence.symbol.clone()).or_default().push(index);
        }
        Symbols { all, files, by_symbol }
    }

    /// Returns the name at a byte offset of a file. An offset directly after the name counts.
    pub fn at(&self, file: &FileId, offset: u32) -> Option<&Occurrence> {
        let is_there = |found: &&Occurrence| {
            let span = found.subject.span;
            span.start <= offset && offset <= span.end
        };
        self.in_file(file).iter().find(is_there)
    }

    /// Returns all names in a file, by place.
    pub fn in_file(&self, file: &FileId) -> &[Occurrence] {
        self.files.get(file).and_then(|range| self.all.get(range.clone())).unwrap_or_default()
    }

    /// Returns every place of a name with this meaning, declarations included, by file and place.
    pub fn occurrences(&self, symbol: &Symbol) -> impl Iterator<Item = &Occurrence> {
        let places = self.by_symbol.get(symbol).into_iter().flatten();
        places.filter_map(|index| self.all.get(*index))
    }

    /// Returns the places that explain a name: its declarations, the place that binds it, or the expression that
    /// defines its value. Functions have no such place.
    pub fn definitions(&self, symbol: &Symbol) -> Vec<Site> {
        if let Symbol::BuiltIn { origin, .. } = symbol {
            return origin.iter().cloned().collect();
        }
        let declarations = self.occurrences(symbol).filter(|found| found.role == Role::Declaration);
        declarations.map(|found| Site::of(&found.subject.file, found.subject.span)).collect()
    }
}

/// Sorts occurrences by file and span; at equal spans by role.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey<'o> {
    file: &'o FileId,
    span: Span,
    role: Role,
}

impl SortKey<'_> {
    fn of(occurrence: &Occurrence) -> SortKey<'_> {
        let Subject { file, span } = &occurrence.subject;
        SortKey { file: file.id(), span: *span, role: occurrence.role }
    }
}

#[cfg(test)]
mod tests;
