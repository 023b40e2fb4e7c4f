//! Lines that may be damaged headers of blocks.
//!
//! One edit deletes a piece of a header, or adds, changes or deletes a character. So the line begins and ends as the header does, and
//! has at most one other character between.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use terrane_syntax::is_part_of_name;
use terrane_value::{SmolStr, common_end, common_start, is_one_edit};

use crate::model::declaration_kind::{DeclarationKind, KindSet};

/// The number of braces of a line that may be the one of the body.
const MAX_BRACES: usize = 4;

/// The number of lines that are kept. If there are more, any name of their kinds may be declared.
const MAX_LINES: usize = 256;

/// The longest line that is compared with headers, in bytes. No name is in a longer one.
const MAX_LENGTH: usize = 1 << 10;

/// A type of blocks whose header a line may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct HeaderType {
    pub(crate) name: &'static str,
    /// The number of its labels.
    pub(crate) labels: usize,
    pub(crate) kinds: KindSet,
}

/// A line that may be a damaged header, with the types of blocks that it may begin.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct HeaderLine {
    text: SmolStr,
    types: Vec<HeaderType>,
}

impl HeaderLine {
    /// Returns a line as a damaged header of a block of one of these types; `None` if it can be none of them.
    pub(crate) fn of(line: &str, types: impl Iterator<Item = HeaderType>) -> Option<HeaderLine> {
        let mut headers = headers(line).peekable();
        headers.peek()?;
        let headers: Vec<&str> = headers.collect();
        let types: Vec<HeaderType> = types
            .filter(|block_type| headers.iter().any(|header| may_be_of_type(header, *block_type)))
            .collect();
        (!types.is_empty()).then(|| HeaderLine { text: line.into(), types })
    }

    /// The kinds of declarations that the types of blocks declare.
    pub(crate) fn kinds(&self) -> KindSet {
        let mut kinds = KindSet::default();
        self.types.iter().for_each(|block_type| kinds.add(block_type.kinds));
        kinds
    }

    /// Whether the line may be one of these headers, damaged.
    fn may_be(&self, headers_of_types: &BTreeMap<HeaderType, String>) -> bool {
        let headers_of_types = || self.types.iter().filter_map(|block_type| headers_of_types.get(block_type));
        headers(&self.text).any(|line| headers_of_types().any(|header| differs_in_one_edit(line, header)))
    }
}

/// The lines of unreadable text that may be damaged headers. Their number is limited, whatever the size of the text.
#[derive(Clone, Default, Debug)]
pub(crate) struct HeaderLines {
    lines: BTreeSet<HeaderLine>,
    /// The kinds of declarations that may have any names, because there are too many lines.
    any: KindSet,
}

impl HeaderLines {
    pub(crate) fn add(&mut self, line: HeaderLine) {
        if line.kinds().without(self.any).is_empty() {
            return;
        }
        self.lines.insert(line);
        if self.lines.len() > MAX_LINES {
            let lines = std::mem::take(&mut self.lines);
            lines.iter().for_each(|line| self.any.add(line.kinds()));
        }
    }

    pub(crate) fn append(&mut self, other: HeaderLines) {
        self.any.add(other.any);
        other.lines.into_iter().for_each(|line| self.add(line));
    }

    /// The kinds of declarations that may have any names.
    pub(crate) fn any(&self) -> KindSet {
        self.any
    }

    /// Whether a line may declare a declaration of a kind.
    pub(crate) fn holds(&self, kind: DeclarationKind) -> bool {
        self.lines.iter().any(|line| line.kinds().contains(kind))
    }

    /// Whether a line may be the damaged header of a declaration of a kind. Its name has one or two words.
    pub(crate) fn may_be<'n>(
        &self,
        kind: DeclarationKind,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) -> bool {
        let names: Vec<&str> = if self.lines.is_empty() { Vec::new() } else { names.clone().collect() };
        let types = self.lines.iter().flat_map(|line| &line.types);
        let mut headers = BTreeMap::new();
        for block_type in types.filter(|block_type| block_type.kinds.contains(kind)) {
            if let (Entry::Vacant(header), Some(labels)) =
                (headers.entry(*block_type), names.get(..block_type.labels))
            {
                header.insert(header_of(block_type.name, labels));
            }
        }
        !headers.is_empty() && self.lines.iter().any(|line| line.may_be(&headers))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.any.is_empty()
    }
}

/// Returns the beginnings of a line, up to a brace, that may be headers. Those without a word are left out: they may have any name.
fn headers(line: &str) -> impl Iterator<Item = &str> {
    let line = if line.len() > MAX_LENGTH { "" } else { line.trim_end() };
    let braces = line.match_indices('{').filter_map(|(at, _)| line.get(..=at));
    let is_last = line.ends_with('{');
    let all = braces.take(if is_last { 0 } else { MAX_BRACES });
    all.chain(Some(line).filter(|_| is_last)).filter(|header| header.contains(is_part_of_name))
}

/// Returns the header of a block with these labels, as it is formatted.
pub(crate) fn header_of(block_type: &str, labels: &[&str]) -> String {
    let labels = labels.iter().flat_map(|label| [" \"", label, "\""]);
    std::iter::once(block_type).chain(labels).chain(std::iter::once(" {")).collect()
}

/// Whether one edit makes a line of a header: it lacks a piece, or one character is missing, changed or added.
fn differs_in_one_edit(line: &str, header: &str) -> bool {
    let lacks_piece =
        line.len() <= header.len() && common_start(line, header) + common_end(line, header) >= line.len();
    lacks_piece || is_one_edit(line, header)
}

/// Whether a line is a header of a type with any labels, without a piece of it or with another character.
fn may_be_of_type(line: &str, block_type: HeaderType) -> bool {
    let start = begun(line, block_type);
    let end = ended(line, block_type).min(line.len() - start.min(line.len()));
    if start + end >= line.len() {
        return true;
    }
    let (head, tail) =
        (line.get(..start).unwrap_or_default(), line.get(line.len() - end..).unwrap_or_default());
    let is_other = line.get(start..line.len() - end).is_none_or(|rest| rest.chars().nth(1).is_none());
    let quotes = head.matches('"').count() + tail.matches('"').count();
    // If the end of the line contains all labels, letters of the type stand before them.
    let is_in_type = |found: char| found.is_ascii_lowercase();
    let behind = if quotes_of(block_type) <= tail.matches('"').count() {
        tail.split(' ').next().map_or(0, |word| word.chars().filter(|found| is_in_type(*found)).count())
    } else {
        0
    };
    let letters = start.min(block_type.name.len()) + behind;
    is_other && letters + 1 >= block_type.name.len() && quotes + 1 >= quotes_of(block_type)
}

fn quotes_of(block_type: HeaderType) -> usize {
    block_type.labels * 2
}

/// Returns the number of bytes with which a line begins as a header of a type.
fn begun(line: &str, block_type: HeaderType) -> usize {
    let mut rest = Rest { text: line, is_matching: true };
    rest.take(block_type.name);
    for _ in 0..block_type.labels {
        rest.take(" \"");
        rest.take_name();
        rest.take("\"");
    }
    rest.take(" {");
    line.len() - rest.text.len()
}

/// Returns the number of bytes with which a line ends as a header of a type.
fn ended(line: &str, block_type: HeaderType) -> usize {
    let mut rest = RestBefore { text: line, is_matching: true };
    rest.take(" {");
    for _ in 0..block_type.labels {
        rest.take("\"");
        rest.take_name();
        rest.take(" \"");
    }
    rest.take(block_type.name);
    line.len() - rest.text.len()
}

/// The text of a line behind the part that is a header.
struct Rest<'l> {
    text: &'l str,
    is_matching: bool,
}

impl Rest<'_> {
    fn take(&mut self, part: &str) {
        if self.is_matching {
            let both = self.text.bytes().zip(part.bytes());
            let same = both.take_while(|(one, other)| one == other).count();
            self.text = self.text.get(same..).unwrap_or_default();
            self.is_matching = same == part.len();
        }
    }

    fn take_name(&mut self) {
        if self.is_matching {
            let behind = self.text.trim_start_matches(is_part_of_name);
            self.is_matching = behind.len() < self.text.len();
            self.text = behind;
        }
    }
}

/// The text of a line before the part that is a header.
struct RestBefore<'l> {
    text: &'l str,
    is_matching: bool,
}

impl RestBefore<'_> {
    fn take(&mut self, part: &str) {
        if self.is_matching {
            let both = self.text.bytes().rev().zip(part.bytes().rev());
            let same = both.take_while(|(one, other)| one == other).count();
            self.text = self.text.get(..self.text.len() - same).unwrap_or_default();
            self.is_matching = same == part.len();
        }
    }

    fn take_name(&mut self) {
        if self.is_matching {
            let before = self.text.trim_end_matches(is_part_of_name);
            self.is_matching = before.len() < self.text.len();
            self.text = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_config::address::ResourceMode;

    use super::*;

    const MANAGED: DeclarationKind = DeclarationKind::Resource(ResourceMode::Managed);

    fn types() -> impl Iterator<Item = HeaderType> {
        let kinds = |kind| KindSet::from_iter([kind]);
        [
            HeaderType { name: "variable", labels: 1, kinds: kinds(DeclarationKind::Variable) },
            HeaderType { name: "output", labels: 1, kinds: kinds(DeclarationKind::Output) },
            HeaderType { name: "resource", labels: 2, kinds: kinds(MANAGED) },
        ]
        .into_iter()
    }

    fn may_be(line: &str, kind: DeclarationKind, names: &[&str]) -> bool {
        let mut lines = HeaderLines::default();
        HeaderLine::of(line, types()).into_iter().for_each(|line| lines.add(line));
        lines.may_be(kind, &names.iter().copied())
    }

    #[test]
    fn each_deletion_and_each_other_character_leaves_the_header() {
        let header = "resource \"aws_vpc\" \"main\" {";
        let names = ["aws_vpc", "main"];
        for (start, end) in
            (0..header.len()).flat_map(|start| (start..header.len()).map(move |end| (start, end)))
        {
            let line = format!("{}{}", &header[..start], &header[end..]);
            let has_word = line.contains(is_part_of_name);
            assert_eq!(may_be(&line, MANAGED, &names), has_word, "{line}");
        }
        for at in 0..header.len() {
            for other in ["{", "\"", " ", "é", "\\"] {
                let added = format!("{}{other}{}", &header[..at], &header[at..]);
                let changed = format!("{}{other}{}", &header[..at], &header[at + 1..]);
                assert!(may_be(&added, MANAGED, &names), "{added}");
                let is_end = !changed.trim_end().ends_with('{');
                assert!(may_be(&changed, MANAGED, &names) || is_end, "{changed}");
            }
        }
    }

    #[test]
    fn other_lines_are_no_headers() {
        let variable = DeclarationKind::Variable;
        assert!(may_be("ble \"zones\" { default = {} }", variable, &["zones"]));
        for line in ["ble \"zones\" {", "zones\" {", "var\" {", "vnes\" {", "v {"] {
            assert!(may_be(line, variable, &["zones"]), "{line}");
        }
        for line in [
            "ble \"region\" {",
            "foo \"zones\" {",
            "a = {",
            "zones {",
            "o {",
            "q {",
            "variable",
            "{",
            " {",
            "",
        ] {
            assert!(!may_be(line, variable, &["zones"]), "{line}");
        }
        for line in ["foo \"x\" {", "a = {", "} {", "q {", "foo {", "dynamic \"x\" {"] {
            assert!(HeaderLine::of(line, types()).is_none(), "{line}");
        }
        let long = format!("{} {{", "v".repeat(MAX_LENGTH));
        assert!(HeaderLine::of(&long, types()).is_none());
    }
}
