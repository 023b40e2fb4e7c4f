//! Edits that are likely to break the syntax of a file, at random places.

use terrane_syntax::Syntax;

/// A small generator of numbers; the same seed gives the same places.
pub(super) struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub(super) fn of(seed: &str) -> Random {
        let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random(hash | 1)
    }

    /// A number below `limit`, which is not zero.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }
}

/// Some bytes of a text, and the text in their place.
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    text: &'static str,
}

impl Edit {
    /// An edit at a random place of a text in a syntax.
    pub(super) fn random(text: &str, syntax: Syntax, random: &mut Random) -> Edit {
        let mut start = random.below(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let next = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let insert = |text| Edit { start, end: start, text };
        let kinds = match syntax {
            Syntax::Native => 24,
            // JSON has no sequences, heredocs and headers.
            Syntax::Json => 10,
        };
        match random.below(kinds) {
            0 => insert("}"),
            1 => insert("{"),
            2 => insert("\""),
            3 => insert(" word "),
            4 => insert("var."),
            5 => {
                let line =
                    text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
                let end = text
                    .get(start..)
                    .and_then(|rest| rest.find('\n'))
                    .map_or(text.len(), |found| start + found + 1);
                Edit { start: line, end, text: "" }
            }
            // A file that is written in part ends amid a line.
            6 => {
                let before = text.get(..start).unwrap_or_default().trim_end_matches('\n');
                Edit { start: before.len(), end: text.len(), text: "" }
            }
            7 => {
                let behind = text.get(start..).unwrap_or_default();
                match behind.find(['{', '}', '"', '[', ']', '(', ')', '=']) {
                    Some(mark) => Edit { start: start + mark, end: start + mark + 1, text: "" },
                    None => Edit { start, end: start + next, text: "" },
                }
            }
            8 => insert("["),
            10 => insert("${"),
            11 => insert("%{"),
            12 => insert("<<EOT\n"),
            13 => Edit::of_header(text, start, random).unwrap_or_else(|| insert("(")),
            14 => insert(" "),
            15 => insert("\n"),
            16 => insert("="),
            17 => insert("#"),
            18 => insert("/*"),
            19 => insert("."),
            20 => Edit::of_word(text, start),
            21 => Edit { start, end: start + next, text: "?" },
            22 => Edit { start, end: start + next, text: "\n" },
            23 => Edit::of_word_in_line_start(text, start),
            _ => Edit { start, end: start + next, text: "" },
        }
    }

    /// An edit that removes the next word.
    fn of_word(text: &str, start: usize) -> Edit {
        let is_part = |found: char| found.is_alphanumeric() || found == '_' || found == '-';
        let behind = text.get(start..).unwrap_or_default();
        let first = start + behind.find(is_part).unwrap_or(0);
        let behind = text.get(first..).unwrap_or_default();
        let len = behind.find(|found| !is_part(found)).unwrap_or(behind.len());
        Edit { start: first, end: first + len, text: "" }
    }

    /// An edit that removes the first word of the line.
    fn of_word_in_line_start(text: &str, start: usize) -> Edit {
        let line = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |found| found + 1);
        Edit::of_word(text, line)
    }

    /// An edit that cuts the next line that begins with a letter, such as the header of a block.
    fn of_header(text: &str, start: usize, random: &mut Random) -> Option<Edit> {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1).filter(|line| *line >= start);
        let begins =
            |line: &usize| text.get(*line..).is_some_and(|rest| rest.starts_with(char::is_alphabetic));
        let line = starts.into_iter().find(begins)?;
        let len = text.get(line..)?.lines().next()?.len();
        let cut = line + random.below(len);
        text.is_char_boundary(cut).then_some(Edit { start: cut, end: line + len, text: "" })
    }

    /// The number of bytes that the edit inserts.
    pub(super) fn inserted(&self) -> usize {
        self.text.len()
    }

    /// Whether the edit removes a line or more.
    pub(super) fn removes_lines(&self) -> bool {
        self.end > self.start + 1
    }

    /// The text after the edit.
    pub(super) fn apply(&self, text: &str) -> String {
        let (before, behind) = (text.get(..self.start), text.get(self.end..));
        [before.unwrap_or_default(), self.text, behind.unwrap_or_default()].concat()
    }

    /// Where the byte at an offset is after the edit; nothing where it is gone.
    pub(super) fn moved(&self, offset: usize) -> Option<usize> {
        match offset {
            _ if offset < self.start => Some(offset),
            _ if offset < self.end => None,
            _ => Some(offset - self.end + self.start + self.text.len()),
        }
    }

    /// The edit, for people.
    pub(super) fn describe(&self, text: &str) -> String {
        let line = text.get(..self.start).unwrap_or_default().matches('\n').count() + 1;
        let cut = text.get(self.start..self.end).unwrap_or_default();
        let cut: String = cut.chars().take(60).collect();
        format!("line {line}, byte {}: {cut:?} becomes {:?}", self.start, self.text)
    }
}
