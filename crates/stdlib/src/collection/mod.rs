//! Functions on lists, tuples, sets, maps and objects.

mod element;
mod elements;
mod map;
mod removed;
mod sequence;
mod summary;
#[cfg(test)]
mod tests;

use terrane_function::Function;

pub(crate) fn functions() -> Vec<Function> {
    let files =
        [element::functions, map::functions, removed::functions, sequence::functions, summary::functions];
    files.into_iter().flat_map(|file| file()).collect()
}
