//! Finds many texts in another one at once, in time that grows with the length of both and not with their product.
//!
//! The automaton of Aho and Corasick: a tree of the texts by their bytes, and for each node the node of the longest proper
//! suffix that the tree has. [`SecretTexts`](super::secrets::SecretTexts) searches with it for the texts that output hides.

use std::collections::HashMap;
use std::ops::Range;

/// The texts to search for.
#[derive(Clone, Debug)]
pub(super) struct TextSearch {
    nodes: Vec<Node>,
    /// The nodes behind the root, by byte: most searches leave the root seldom.
    first: Vec<u32>,
    /// The children of a node that do not follow it in `nodes`.
    branches: HashMap<(u32, u8), u32>,
}

/// A node: the beginning of a text.
#[derive(Clone, Copy, Default, Debug)]
struct Node {
    /// Its last byte.
    byte: u8,
    /// Whether the next node is a child of it, as in the rest of a text that no other one shares.
    is_continued: bool,
    /// The node of its longest proper suffix.
    suffix: u32,
    /// The length of the longest text that it ends with, or 0.
    longest: u32,
}

const ROOT: u32 = 0;

impl TextSearch {
    /// A search for texts of together less than 4 GiB.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> TextSearch {
        let mut search =
            TextSearch { nodes: vec![Node::default()], first: vec![ROOT; 256], branches: HashMap::new() };
        let mut parents = vec![ROOT];
        for text in texts {
            search.add(text, &mut parents);
        }
        search.link(&parents);
        search
    }

    fn add(&mut self, text: &str, parents: &mut Vec<u32>) {
        let mut at = ROOT;
        for byte in text.bytes() {
            at = match self.child(at, byte) {
                Some(child) => child,
                None => {
                    let child = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
                    match self.nodes.last_mut().filter(|_| at != ROOT && at + 1 == child) {
                        Some(last) => last.is_continued = true,
                        None => self.branch(at, byte, child),
                    }
                    self.nodes.push(Node { byte, ..Node::default() });
                    parents.push(at);
                    child
                }
            };
        }
        if let Some(node) = self.nodes.get_mut(at as usize) {
            node.longest = u32::try_from(text.len()).unwrap_or(u32::MAX);
        }
    }

    fn branch(&mut self, at: u32, byte: u8, child: u32) {
        match self.first.get_mut(usize::from(byte)).filter(|_| at == ROOT) {
            Some(first) => *first = child,
            None => drop(self.branches.insert((at, byte), child)),
        }
    }

    fn node(&self, at: u32) -> Node {
        self.nodes.get(at as usize).copied().unwrap_or_default()
    }

    fn child(&self, at: u32, byte: u8) -> Option<u32> {
        if at == ROOT {
            return self.first.get(usize::from(byte)).copied().filter(|child| *child != ROOT);
        }
        if self.node(at).is_continued && self.node(at + 1).byte == byte {
            return Some(at + 1);
        }
        self.branches.get(&(at, byte)).copied()
    }

    /// The node of the longest suffix that goes on with a byte.
    fn next(&self, mut at: u32, byte: u8) -> u32 {
        loop {
            match self.child(at, byte) {
                Some(child) => return child,
                None if at == ROOT => return ROOT,
                None => at = self.node(at).suffix,
            }
        }
    }

    /// Finds the suffix of each node, those of shorter beginnings first.
    fn link(&mut self, parents: &[u32]) {
        let mut depths = vec![0_u32];
        for parent in parents.iter().skip(1) {
            let depth = depths.get(*parent as usize).copied().unwrap_or_default();
            depths.push(depth + 1);
        }
        let mut order: Vec<u32> = (1..).take(self.nodes.len() - 1).collect();
        let depth_of = |at: &u32| depths.get(*at as usize).copied().unwrap_or_default();
        order.sort_by_key(depth_of);
        for at in order {
            let parent = parents.get(at as usize).copied().unwrap_or_default();
            let suffix = match parent {
                ROOT => ROOT,
                parent => self.next(self.node(parent).suffix, self.node(at).byte),
            };
            let inherited = self.node(suffix).longest;
            if let Some(node) = self.nodes.get_mut(at as usize) {
                node.suffix = suffix;
                node.longest = node.longest.max(inherited);
            }
        }
    }

    /// The parts of a text that consist of the texts, in order. Texts that overlap are one part.
    pub(super) fn parts(&self, text: &str) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut at = ROOT;
        for (end, byte) in (1..).zip(text.bytes()) {
            at = self.next(at, byte);
            let longest = self.node(at).longest as usize;
            if longest == 0 {
                continue;
            }
            let mut start = end - longest;
            while let Some(last) = parts.pop_if(|last| start < last.end) {
                start = start.min(last.start);
            }
            parts.push(start..end);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::TextSearch;

    fn parts(texts: &[&str], text: &str) -> Vec<String> {
        let search = TextSearch::of(texts.iter().copied());
        search.parts(text).into_iter().map(|part| text[part].to_owned()).collect()
    }

    #[test]
    fn texts_are_found_wherever_they_stand() {
        assert_eq!(parts(&["he", "she", "hers"], "ushers, he"), ["shers", "he"]);
        assert_eq!(parts(&["b", "abc"], "ab abc b"), ["b", "abc", "b"]);
        assert_eq!(parts(&["abcd", "xab"], "xabcd"), ["xabcd"]);
        assert_eq!(parts(&["ab", "cd"], "abcd"), ["ab", "cd"]);
        assert_eq!(parts(&["é", "漢字"], "né 漢漢字"), ["é", "漢字"]);
        assert!(parts(&[], "abc").is_empty());
    }

    #[test]
    fn texts_that_share_beginnings_and_ends_are_found() {
        let texts: Vec<String> =
            (0..200).map(|number| format!("{}{number}", "ab".repeat(number % 7))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let text = texts.concat().repeat(3);
        let search = TextSearch::of(texts.iter().copied());
        let mut hidden = vec![false; text.len()];
        for one in &texts {
            for start in 0..text.len() {
                if text[start..].starts_with(one) {
                    hidden[start..start + one.len()].fill(true);
                }
            }
        }
        let mut found = vec![false; text.len()];
        for part in search.parts(&text) {
            found[part].fill(true);
        }
        assert_eq!(found, hidden);
    }
}
