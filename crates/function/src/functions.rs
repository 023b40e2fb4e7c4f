//! The functions of one dialect, found by name.

use crate::dialect::Dialect;
use crate::function::Function;

/// Functions, found by name.
#[derive(Default, Debug)]
pub struct Functions {
    rows: Vec<Function>,
    /// The positions of the rows, sorted by name. A row is much larger than its position, so only positions are moved for
    /// sorting.
    by_name: Vec<usize>,
}

impl Functions {
    /// Returns the functions that `dialect` has. If several rows with the same name are for the dialect, the first one in
    /// `rows` counts. The rows of OpenTofu come first.
    pub fn of(dialect: Dialect, rows: impl IntoIterator<Item = Function>) -> Functions {
        let rows: Vec<Function> = rows.into_iter().filter(|row| row.availability.is_in(dialect)).collect();
        let mut names: Vec<(&str, usize)> =
            rows.iter().enumerate().map(|(position, row)| (&*row.name, position)).collect();
        names.sort_unstable();
        names.dedup_by_key(|(name, _)| *name);
        let by_name = names.into_iter().map(|(_, position)| position).collect();
        Functions { rows, by_name }
    }

    /// The function `name`.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.at(self.position(name)?)
    }

    /// The position of the function `name`, for [`Functions::at`].
    pub fn position(&self, name: &str) -> Option<usize> {
        let name_at = |position: &usize| self.at(*position).map_or("", |row| &*row.name);
        let index = self.by_name.binary_search_by(|position| name_at(position).cmp(name)).ok()?;
        self.by_name.get(index).copied()
    }

    /// The function at a [position](Functions::position).
    pub fn at(&self, position: usize) -> Option<&Function> {
        self.rows.get(position)
    }

    /// All functions, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Function> {
        self.by_name.iter().filter_map(|position| self.at(*position))
    }
}
