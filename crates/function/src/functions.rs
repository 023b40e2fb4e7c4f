//! The functions of a dialect, found by name.

use crate::dialect::Dialect;
use crate::function::Function;

/// Functions by name.
#[derive(Default, Debug)]
pub struct Functions {
    /// In the order of their names.
    rows: Vec<Function>,
}

impl Functions {
    /// The function `name`.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.at(self.position(name)?)
    }

    /// Where the function `name` is among all of them.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.rows.binary_search_by(|row| (*row.name).cmp(name)).ok()
    }

    /// The function at a [position](Functions::position).
    pub fn at(&self, position: usize) -> Option<&Function> {
        self.rows.get(position)
    }

    /// Those that `dialect` has. Where it has several of one name, the first one counts: products may differ in
    /// what a function does, and OpenTofu's rows come first.
    pub fn of(dialect: Dialect, rows: impl IntoIterator<Item = Function>) -> Functions {
        let mut rows: Vec<Function> =
            rows.into_iter().filter(|row| row.availability.is_in(dialect)).collect();
        rows.sort_by(|left, right| left.name.cmp(&right.name));
        rows.dedup_by(|later, first| later.name == first.name);
        Functions { rows }
    }

    /// All functions in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Function> {
        self.rows.iter()
    }
}
