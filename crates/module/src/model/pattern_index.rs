//! Finds the patterns that may match a text, without comparing the text with each pattern. The module map uses it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::model::ids::MapLineId;

/// Limit on the bytes of an anchor. It also limits the parts of a text that begin at one place and may be anchors.
const MAX_BYTES: usize = 8;

/// The lines of a module map with patterns, in which `*` stands for any text, by their anchors.
///
/// The anchor of a pattern is the end of its longest part without a star: a text that matches the pattern contains it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct PatternIndex {
    by_anchor: HashMap<Box<[u8]>, Vec<MapLineId>>,
    /// The lengths of the anchors.
    lengths: BTreeSet<usize>,
}

impl PatternIndex {
    /// Adds a pattern of the line.
    pub(crate) fn add(&mut self, pattern: &str, line: MapLineId) {
        let anchor = anchor(pattern);
        self.lengths.insert(anchor.len());
        match self.by_anchor.get_mut(anchor) {
            Some(lines) => lines.push(line),
            None => {
                self.by_anchor.insert(anchor.into(), vec![line]);
            }
        }
    }

    /// Returns the lines with patterns whose anchor the text contains, one list for each anchor.
    pub(crate) fn candidates(&self, text: &str) -> Vec<&[MapLineId]> {
        let mut seen: HashSet<&[u8]> = HashSet::new();
        let parts = self.lengths.iter().flat_map(|length| parts(text, *length));
        let anchors = parts.filter_map(|part| self.by_anchor.get_key_value(part));
        anchors.filter(|(anchor, _)| seen.insert(anchor)).map(|(_, lines)| lines.as_slice()).collect()
    }

    /// Returns the number of look-ups that [`candidates`](PatternIndex::candidates) makes.
    pub(crate) fn steps(&self, text: &str) -> u64 {
        u64::try_from(text.len().saturating_mul(self.lengths.len())).unwrap_or(u64::MAX)
    }
}

/// Returns the parts of a text with `length` bytes.
fn parts(text: &str, length: usize) -> impl Iterator<Item = &[u8]> {
    let none = (length == 0).then_some::<&[u8]>(&[]);
    none.into_iter().chain(text.as_bytes().windows(length.max(1)).filter(move |_| length > 0))
}

fn anchor(pattern: &str) -> &[u8] {
    let longest = pattern.split('*').max_by_key(|part| part.len()).unwrap_or_default().as_bytes();
    longest.get(longest.len().saturating_sub(MAX_BYTES)..).unwrap_or(longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::{Arena, Id};

    #[test]
    fn candidates_contain_the_anchor() {
        let patterns = ["*", "a*", "*a", "*bc*a", "abcdefghij*k", "*xyz", ""];
        let mut index = PatternIndex::default();
        let lines: Arena<MapLineId, &str> = patterns.into_iter().collect();
        for (line, pattern) in lines.enumerate() {
            index.add(pattern, line);
        }
        let candidates = |text: &str| {
            let found = index.candidates(text).into_iter().flatten();
            let mut numbers: Vec<usize> = found.map(|line| line.index()).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(candidates(""), [0, 6]);
        assert_eq!(candidates("ba"), [0, 1, 2, 6]);
        assert_eq!(candidates("abcabc"), [0, 1, 2, 3, 6]);
        assert_eq!(candidates("cdefghij"), [0, 4, 6]);
        assert_eq!(index.steps("abc"), 15);
    }
}
