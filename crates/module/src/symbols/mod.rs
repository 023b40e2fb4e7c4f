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
use std::sync::Arc;

use terrane_config::address::Object;
use terrane_source::{FileId, Files, Span, Subject};

use crate::inputs::Inputs;
use crate::load::cache::Cache;
use crate::model::ids::{Arena, NodeId};
use crate::model::tree::Config;
use crate::symbols::collector::OccurrenceCollector;
pub use crate::symbols::symbol::{Occurrence, Owner, Role, Site, Symbol};

/// The names of a configuration, by file and place.
#[derive(Debug, Default)]
pub struct Symbols {
    /// The occurrences, by file, then by place.
    all: Arena<OccurrenceId, Occurrence>,
    /// For each occurrence, the end of the span that reaches furthest among it and those before it in the file.
    reach: Arena<OccurrenceId, u32>,
    /// The ranges of the files in `all`.
    files: HashMap<FileId, Range<usize>>,
    by_symbol: BTreeMap<Symbol, Vec<OccurrenceId>>,
}

terrane_config::ids! {
    /// Names an occurrence.
    OccurrenceId;
}

impl Symbols {
    /// Returns the names of a loaded configuration, of the variable files that were read for it, and of the test files
    /// of its root module, which are read through `files` and parsed unless they are in `cache`. A test file with mistakes has
    /// the names that can be read.
    pub fn of(config: &Config, inputs: &Inputs, files: &dyn Files, cache: &Cache) -> Symbols {
        let mut collector = OccurrenceCollector::new(config);
        collector.modules();
        for assignment in inputs.assignments().iter().filter(|assignment| assignment.is_declared) {
            if let Some(place) = &assignment.name_place {
                let object = Object::Variable(assignment.name.clone());
                collector.add(NodeId::ROOT, object, Role::VariableFile, place.clone());
            }
        }
        collector.test_files(files, cache);
        Symbols::sorted(collector.all)
    }

    fn sorted(mut all: Vec<Occurrence>) -> Symbols {
        all.sort_by(|one, other| SortKey::of(one).cmp(&SortKey::of(other)));
        all.dedup_by(|later, earlier| {
            SortKey::of(later) == SortKey::of(earlier) && later.symbol == earlier.symbol
        });
        let mut files: HashMap<FileId, Range<usize>> = HashMap::new();
        let mut by_symbol: BTreeMap<Symbol, Vec<OccurrenceId>> = BTreeMap::new();
        let mut reach: Arena<OccurrenceId, u32> = Arena::new();
        reach.reserve(all.len());
        for occurrence in &all {
            let Subject { file, span } = &occurrence.subject;
            let index = reach.len();
            let range = files.entry(file.id().clone()).or_insert(index..index);
            let before = reach.as_slice().last().copied().filter(|_| range.start < index);
            range.end = index + 1;
            let id = reach.push(before.unwrap_or_default().max(span.end));
            by_symbol.entry(occurrence.symbol.clone()).or_default().push(id);
        }
        let all = all.into_iter().collect();
        Symbols { all, reach, files, by_symbol }
    }

    /// Returns all meanings of names, each with its occurrences by file and place.
    ///
    /// ```
    /// use terrane_module::symbols::{Role, Symbols};
    /// use terrane_module::{Cache, Request, load};
    /// use terrane_source::MemoryFiles;
    ///
    /// let text = "variable \"a\" {}\nvariable \"b\" {\n  validation {\n    condition     = var.b > 0\n    error_message = \"\"\n  }\n}\n\
    ///             output \"o\" { value = var.a }\n";
    /// let files = MemoryFiles::from_iter([("main.tf", text)]);
    /// let loaded = load(Request::new("."), &files, &Cache::default());
    /// let symbols = Symbols::of(&loaded.config, &loaded.inputs, &files, &Cache::default());
    /// // A variable that only its own validation reads is unused, and so is an output that no module reads.
    /// let unused = symbols.iter().filter(|(symbol, occurrences)| {
    ///     occurrences.clone().all(|found| match &found.owner {
    ///         Some(owner) => owner.object.to_string() == symbol.to_string(),
    ///         None => found.role == Role::Declaration,
    ///     })
    /// });
    /// let unused: Vec<String> = unused.map(|(symbol, _)| symbol.to_string()).collect();
    /// assert_eq!(unused, ["var.b", "output.o"]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&Symbol, impl Iterator<Item = &Occurrence> + Clone)> {
        self.by_symbol.iter().map(|(symbol, places)| (symbol, self.occurrences_at(places)))
    }

    fn occurrences_at<'s>(
        &'s self,
        places: &'s [OccurrenceId],
    ) -> impl Iterator<Item = &'s Occurrence> + Clone {
        places.iter().map(|id| &self.all[*id])
    }

    /// Returns the entries of a file in a table of all occurrences.
    #[expect(
        clippy::indexing_slicing,
        reason = "`sorted` makes the ranges from the positions in these tables"
    )]
    fn part_of<'s, T>(&self, table: &'s Arena<OccurrenceId, T>, file: &FileId) -> &'s [T] {
        self.files.get(file).map_or(&[], |range| &table.as_slice()[range.clone()])
    }

    /// Returns the approximate bytes of memory.
    pub fn bytes(&self) -> usize {
        const BYTES_OF_OCCURRENCE: usize = size_of::<Occurrence>() + 200;
        self.all.len() * BYTES_OF_OCCURRENCE
    }

    /// Returns the name at a byte offset of a file. An offset directly after the name counts.
    pub fn at(&self, file: &FileId, offset: u32) -> Option<&Occurrence> {
        let before = self.part_of(&self.reach, file).partition_point(|reach| *reach < offset);
        // The first occurrence that ends behind the offset is there if any is, because those after it start later.
        let found = self.in_file(file).get(before)?;
        (found.subject.span.start <= offset).then_some(found)
    }

    /// Returns all names in a file, by place.
    pub fn in_file(&self, file: &FileId) -> &[Occurrence] {
        self.part_of(&self.all, file)
    }

    /// Returns every place of a name with this meaning, declarations included, by file and place.
    pub fn occurrences(&self, symbol: &Symbol) -> impl Iterator<Item = &Occurrence> {
        self.occurrences_at(self.by_symbol.get(symbol).map_or(&[], Vec::as_slice))
    }

    /// Returns the places that explain a name: its declarations, the place that binds it, or the expression that
    /// defines its value. Functions have no such place.
    pub fn definitions(&self, symbol: &Symbol) -> Vec<Subject> {
        if let Symbol::BuiltIn { origin, .. } = symbol {
            return origin.iter().filter_map(|site| self.subject(site)).collect();
        }
        let declarations = self.occurrences(symbol).filter(|found| found.role == Role::Declaration);
        declarations.map(|found| found.subject.clone()).collect()
    }

    /// Returns a site with the text of its file, which has the declaration around the site at least.
    fn subject(&self, site: &Site) -> Option<Subject> {
        let file = &self.in_file(&site.file).first()?.subject.file;
        Some(Subject { file: Arc::clone(file), span: site.span })
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
