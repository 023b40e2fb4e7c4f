//! The functions of one dialect, found by name.

use crate::dialect::Dialect;
use crate::function::Function;

/// Functions sorted by name.
#[derive(Default, Debug)]
pub struct Functions {
    rows: Vec<Function>,
}

impl Functions {
    /// The functions that `dialect` has. Products may have different functions of one name; where a dialect has several,
    /// the first one in `rows` counts. The rows of OpenTofu come first.
    pub fn of(dialect: Dialect, rows: impl IntoIterator<Item = Function>) -> Functions {
        let mut rows: Vec<Function> =
            rows.into_iter().filter(|row| row.availability.is_in(dialect)).collect();
        rows.sort_by(|left, right| left.name.cmp(&right.name));
        rows.dedup_by(|later, first| later.name == first.name);
        Functions { rows }
    }

    /// The function `name`.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.at(self.position(name)?)
    }

    /// The position of the function `name`, for [`Functions::at`].
    pub fn position(&self, name: &str) -> Option<usize> {
        self.rows.binary_search_by(|row| (*row.name).cmp(name)).ok()
    }

    /// The function at a [position](Functions::position).
    pub fn at(&self, position: usize) -> Option<&Function> {
        self.rows.get(position)
    }

    /// All functions, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Function> {
        self.rows.iter()
    }
}
