//! Parses the reference's regular expression syntax.
//!
//! The parser makes one pass over the pattern with its own stack of open groups, so that nesting cannot overflow the
//! call stack.

use std::fmt;

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};
use terrane_value::SmolStr;

use super::classes;

/// A parsed pattern.
pub(super) struct Parsed {
    pub(super) hir: Hir,
    /// The names of the groups, in the order of their opening parentheses.
    pub(super) groups: Vec<Option<SmolStr>>,
    /// The maximum number of positions in the pattern, with repetitions expanded, at which a match may be at once.
    pub(super) weight: usize,
}

/// The reason why a pattern is invalid, and the part of the pattern that is wrong.
#[derive(Debug)]
pub(super) struct PatternError {
    problem: &'static str,
    part: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part.is_empty() {
            return f.write_str(self.problem);
        }
        write!(f, "{} at \"{}\"", self.problem, self.part)
    }
}

fn error<T>(problem: &'static str, part: &str) -> Result<T, PatternError> {
    const SHOWN: usize = 40;
    Err(PatternError { problem, part: part.chars().take(SHOWN).collect() })
}

/// Maximum nesting of groups and repetitions. The reference accepts 1000; real patterns stay far below both.
const MAX_HEIGHT: u32 = 250;

/// Maximum number of character ranges in all classes of a pattern: 3,000 classes such as `\pL`.
const MAX_RANGES: usize = 2_000_000;

/// Maximum number of repetitions, with nested repetitions multiplied.
const MAX_REPEAT: u32 = 1000;

#[derive(Clone, Copy, Default)]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_newline: bool,
    swap_greed: bool,
}

/// A part of the pattern that a repetition operator applies to.
struct Atom {
    hir: Hir,
    height: u32,
    /// The largest product of nested repetition counts in the item.
    repeats: u32,
    /// The number of positions in the item at which a match may be at once; see [`Parsed::weight`].
    weight: usize,
}

impl Atom {
    fn leaf(hir: Hir) -> Atom {
        // Each byte of a character is a state.
        Atom { hir, height: 1, repeats: 1, weight: 2 }
    }
}

/// An open group, or the whole pattern.
#[derive(Default)]
struct OpenGroup {
    /// The alternatives before the last `|`.
    alternatives: Vec<Atom>,
    /// The items of the alternative after the last `|`.
    items: Vec<Atom>,
    /// The flags to restore at the end of the group.
    outer_flags: Flags,
    /// The index of the group if it captures.
    capture: Option<u32>,
}

struct Parser<'p> {
    pattern: &'p str,
    rest: &'p str,
    flags: Flags,
    groups: Vec<Option<SmolStr>>,
    outer: Vec<OpenGroup>,
    current: OpenGroup,
    /// The number of character ranges in all classes.
    ranges: usize,
}

/// Parses a pattern. Sets `ranges` to the number of character ranges in the classes that were read, also before an error.
pub(super) fn parse(pattern: &str, ranges: &mut usize) -> Result<Parsed, PatternError> {
    let mut parser = Parser {
        pattern,
        rest: pattern,
        flags: Flags::default(),
        groups: Vec::new(),
        outer: Vec::new(),
        current: OpenGroup::default(),
        ranges: 0,
    };
    let read = parser.read();
    *ranges = parser.ranges;
    read?;
    let whole = parser.current.finish()?;
    Ok(Parsed { hir: whole.hir, groups: parser.groups, weight: whole.weight })
}

impl OpenGroup {
    fn end_alternative(&mut self) {
        let items = std::mem::take(&mut self.items);
        self.alternatives.push(together(items, Hir::concat));
    }

    fn finish(mut self) -> Result<Atom, PatternError> {
        self.end_alternative();
        let Atom { hir, height, repeats, weight } = together(self.alternatives, Hir::alternation);
        let hir = match self.capture {
            // The engine does not get the names, because it would refuse two groups with one name.
            Some(index) => Hir::capture(Capture { index, name: None, sub: Box::new(hir) }),
            None => hir,
        };
        if height >= MAX_HEIGHT {
            return error("the pattern is nested too deeply", "");
        }
        Ok(Atom { hir, height: height + 1, repeats, weight: weight + 1 })
    }
}

fn together(items: Vec<Atom>, join: fn(Vec<Hir>) -> Hir) -> Atom {
    let height = items.iter().map(|item| item.height).max().unwrap_or(0) + 1;
    let repeats = items.iter().map(|item| item.repeats).max().unwrap_or(1);
    let weight = items.iter().fold(1_usize, |sum, item| sum.saturating_add(item.weight));
    Atom { hir: join(items.into_iter().map(|item| item.hir).collect()), height, repeats, weight }
}

fn class_hir(class: ClassUnicode) -> Hir {
    Hir::class(Class::Unicode(class))
}

impl<'p> Parser<'p> {
    /// Parses all tokens.
    fn read(&mut self) -> Result<(), PatternError> {
        let mut after_repeat = false;
        while let Some(character) = self.rest.chars().next() {
            after_repeat = self.step(character, after_repeat)?;
        }
        match self.outer.is_empty() {
            true => Ok(()),
            false => error("a closing parenthesis is missing", self.pattern),
        }
    }

    /// Parses the next token. `after_repeat` says whether the previous token was a repetition; the result says whether this
    /// token is one.
    fn step(&mut self, character: char, after_repeat: bool) -> Result<bool, PatternError> {
        match character {
            '(' => self.open_group()?,
            ')' => self.close_group()?,
            '|' => {
                self.bump(1);
                self.current.end_alternative();
            }
            '*' => return self.repeat(Counts { min: 0, max: None, length: 1 }, after_repeat),
            '+' => return self.repeat(Counts { min: 1, max: None, length: 1 }, after_repeat),
            '?' => return self.repeat(Counts { min: 0, max: Some(1), length: 1 }, after_repeat),
            '{' => match Counts::of_braces(self.rest) {
                Some(counts) => return self.repeat(counts, after_repeat),
                None => self.literal(),
            },
            '^' => self.look(1, if self.flags.multi_line { Look::StartLF } else { Look::Start }),
            '$' => self.look(1, if self.flags.multi_line { Look::EndLF } else { Look::End }),
            '.' => {
                self.bump(1);
                let mut any = classes::class(&[]);
                if !self.flags.dot_newline {
                    any = classes::class(&[('\n', '\n')]);
                }
                any.negate();
                self.push(class_hir(any));
            }
            '[' => self.brackets()?,
            '\\' => self.backslash()?,
            _ => self.literal(),
        }
        Ok(false)
    }

    fn bump(&mut self, bytes: usize) -> &'p str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn next_char(&mut self) -> Option<char> {
        let character = self.rest.chars().next()?;
        self.bump(character.len_utf8());
        Some(character)
    }

    fn push(&mut self, hir: Hir) {
        self.current.items.push(Atom::leaf(hir));
    }

    fn push_class(&mut self, class: ClassUnicode) -> Result<(), PatternError> {
        self.ranges += class.ranges().len();
        if self.ranges > MAX_RANGES {
            return error("the pattern has too many character classes", "");
        }
        self.push(class_hir(class));
        Ok(())
    }

    fn look(&mut self, bytes: usize, look: Look) {
        self.bump(bytes);
        self.push(Hir::look(look));
    }

    fn literal(&mut self) {
        if let Some(character) = self.next_char() {
            self.push_char(character);
        }
    }

    fn push_char(&mut self, character: char) {
        if self.flags.ignore_case {
            self.push(class_hir(self.folded(classes::class(&[(character, character)]))));
        } else {
            self.push(Hir::literal(character.encode_utf8(&mut [0; 4]).as_bytes()));
        }
    }

    /// Returns the class; if case is ignored, it also has the upper-case and lower-case forms of its characters.
    fn folded(&self, mut class: ClassUnicode) -> ClassUnicode {
        // The case tables are built in, so folding cannot fail.
        if self.flags.ignore_case && class.try_case_fold_simple().is_err() {
            return class;
        }
        class
    }

    /// Parses a repetition operator and an optional `?` after it.
    fn repeat(&mut self, counts: Counts, after_repeat: bool) -> Result<bool, PatternError> {
        let Counts { min, max, length } = counts;
        let operator = self.bump(length);
        let lazy = self.rest.starts_with('?');
        self.bump(usize::from(lazy));
        if after_repeat {
            return error("a repetition cannot be repeated", operator);
        }
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || min > max) {
            return error("a count is too large, or its bounds are in the wrong order", operator);
        }
        let Some(item) = self.current.items.pop() else {
            return error("there is nothing to repeat", operator);
        };
        let repeats = match (max, min) {
            (Some(0), _) => 1,
            (Some(max), _) => item.repeats.saturating_mul(max),
            (None, min) => item.repeats.saturating_mul(min.max(1)),
        };
        let counted = operator.starts_with('{') && (min >= 2 || max.is_some_and(|max| max >= 2));
        if counted && repeats > MAX_REPEAT {
            return error("the counts of nested repetitions multiply to more than 1000", operator);
        }
        if item.height >= MAX_HEIGHT {
            return error("the pattern is nested too deeply", "");
        }
        let greedy = lazy == self.flags.swap_greed;
        let hir = Hir::repetition(Repetition { min, max, greedy, sub: Box::new(item.hir) });
        let copies = max.unwrap_or(min).max(1) as usize;
        let weight = item.weight.saturating_mul(copies).saturating_add(copies);
        self.current.items.push(Atom { hir, height: item.height + 1, repeats, weight });
        Ok(true)
    }

    fn open_group(&mut self) -> Result<(), PatternError> {
        let whole = self.rest;
        if !whole.starts_with("(?") {
            self.bump(1);
            return self.open_capture(None);
        }
        let prefix = ["(?P<", "(?<"].into_iter().find(|prefix| whole.starts_with(prefix));
        let Some(prefix) = prefix else { return self.flag_group() };
        let Some((name, _)) = whole.get(prefix.len()..).and_then(|text| text.split_once('>')) else {
            return error("the name of a group is not closed", whole);
        };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return error("the name of a group must be of letters, digits and underscores", name);
        }
        self.bump(prefix.len() + name.len() + 1);
        self.open_capture(Some(name.into()))
    }

    fn open_capture(&mut self, name: Option<SmolStr>) -> Result<(), PatternError> {
        self.groups.push(name);
        let index = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
        self.open(Some(index), self.flags)
    }

    fn open(&mut self, capture: Option<u32>, outer_flags: Flags) -> Result<(), PatternError> {
        if self.outer.len() >= MAX_HEIGHT as usize {
            return error("the pattern is nested too deeply", "");
        }
        let group = OpenGroup { outer_flags, capture, ..OpenGroup::default() };
        self.outer.push(std::mem::replace(&mut self.current, group));
        Ok(())
    }

    /// Parses `(?flags)`, which changes the flags until the end of the enclosing group, or `(?flags:`, which opens a
    /// group.
    fn flag_group(&mut self) -> Result<(), PatternError> {
        let whole = self.rest;
        self.bump(2);
        let mut flags = self.flags;
        let mut on = true;
        let mut any = true;
        while let Some(character) = self.next_char() {
            match character {
                'i' => flags.ignore_case = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_newline = on,
                'U' => flags.swap_greed = on,
                '-' if on => on = false,
                ')' | ':' if any => {
                    let outer_flags = std::mem::replace(&mut self.flags, flags);
                    return if character == ':' { self.open(None, outer_flags) } else { Ok(()) };
                }
                _ => break,
            }
            any = character != '-';
        }
        let length = whole.len() - self.rest.len();
        error("this kind of group is not supported", whole.get(..length).unwrap_or(whole))
    }

    fn close_group(&mut self) -> Result<(), PatternError> {
        let Some(outer) = self.outer.pop() else {
            return error("a closing parenthesis has no opening one", self.pattern);
        };
        self.bump(1);
        let group = std::mem::replace(&mut self.current, outer);
        self.flags = group.outer_flags;
        self.current.items.push(group.finish()?);
        Ok(())
    }

    /// Parses an escape outside of brackets.
    fn backslash(&mut self) -> Result<(), PatternError> {
        match self.rest.chars().nth(1) {
            Some('A') => self.look(2, Look::Start),
            Some('z') => self.look(2, Look::End),
            Some('b') => self.look(2, Look::WordAscii),
            Some('B') => self.look(2, Look::WordAsciiNegate),
            Some('Q') => {
                self.bump(2);
                let end = self.rest.find("\\E");
                let quoted = self.bump(end.unwrap_or(self.rest.len()));
                self.bump(2);
                quoted.chars().for_each(|character| self.push_char(character));
            }
            Some(_) | None => match self.named_class()? {
                Some(class) => self.push_class(class)?,
                None => match char::from_u32(self.escape()?) {
                    Some(character) => self.push_char(character),
                    // A surrogate is not a character and matches nothing.
                    None => self.push(Hir::fail()),
                },
            },
        }
        Ok(())
    }

    /// Parses `\d`, `\s`, `\w`, `\p` or one of their negations; returns `None` if the rest begins with none of them.
    fn named_class(&mut self) -> Result<Option<ClassUnicode>, PatternError> {
        let Some(letter) = self.rest.strip_prefix('\\').and_then(|rest| rest.chars().next()) else {
            return Ok(None);
        };
        let mut negated = letter.is_ascii_uppercase();
        let class = if matches!(letter, 'p' | 'P') {
            let whole = self.rest;
            self.bump(2);
            let name = match self.next_char() {
                Some('{') => {
                    let Some(end) = self.rest.find('}') else {
                        return error("there is no such character class", whole);
                    };
                    let name = self.bump(end);
                    self.bump(1);
                    name
                }
                Some(letter) => whole.get(2..2 + letter.len_utf8()).unwrap_or_default(),
                None => "",
            };
            let plain = name.strip_prefix('^').unwrap_or(name);
            negated ^= plain.len() < name.len();
            let Some(class) = classes::property(plain) else {
                return error("there is no such character class", whole);
            };
            class
        } else {
            let Some(class) = classes::perl(letter.to_ascii_lowercase()) else { return Ok(None) };
            self.bump(2);
            class
        };
        let mut class = self.folded(class);
        if negated {
            class.negate();
        }
        Ok(Some(class))
    }

    /// Parses an escape for one character.
    fn escape(&mut self) -> Result<u32, PatternError> {
        let whole = self.rest;
        self.bump(1);
        let Some(letter) = self.next_char() else {
            return error("the pattern ends with a backslash", "");
        };
        let value = match letter {
            '0' => Some(self.octal(0)),
            '1'..='7' if self.rest.starts_with(|next| matches!(next, '0'..='7')) => {
                Some(self.octal(u32::from(letter) - u32::from('0')))
            }
            'x' => self.hex(),
            'a' => Some(0x07),
            'f' => Some(0x0c),
            'n' => Some(0x0a),
            'r' => Some(0x0d),
            't' => Some(0x09),
            'v' => Some(0x0b),
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some(u32::from(letter)),
            _ => None,
        };
        let length = whole.len() - self.rest.len();
        value.map_or_else(|| error("there is no such escape", whole.get(..length).unwrap_or(whole)), Ok)
    }

    /// Parses up to two more octal digits.
    fn octal(&mut self, first: u32) -> u32 {
        let digits = self.rest.chars().take(2).map_while(|digit| digit.to_digit(8));
        let (value, length) =
            digits.fold((first, 0), |(value, length), digit| (value * 8 + digit, length + 1));
        self.bump(length);
        value
    }

    /// Parses two hexadecimal digits, or any number of them in braces.
    fn hex(&mut self) -> Option<u32> {
        let Some(braced) = self.rest.strip_prefix('{') else {
            let high = self.next_char()?.to_digit(16)?;
            let low = self.next_char()?.to_digit(16)?;
            return Some(high * 16 + low);
        };
        let digits = braced.split_once('}')?.0;
        self.bump(digits.len() + 2);
        if digits.is_empty() {
            return None;
        }
        digits.chars().try_fold(0_u32, |value, digit| {
            let value = value.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
            (value <= u32::from(char::MAX)).then_some(value)
        })
    }

    /// Parses a class in brackets.
    fn brackets(&mut self) -> Result<(), PatternError> {
        let whole = self.rest;
        self.bump(1);
        let negated = self.rest.starts_with('^');
        self.bump(usize::from(negated));
        let mut class = ClassUnicode::empty();
        // A closing bracket in first position is an ordinary character.
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            if let Some(posix) = self.posix_class()? {
                class.union(&posix);
            } else if let Some(named) = self.named_class()? {
                class.union(&named);
            } else {
                let range = self.class_range(whole)?;
                class.union(&self.folded(range));
            }
        }
        self.bump(1);
        if negated {
            class.negate();
        }
        self.push_class(class)
    }

    fn posix_class(&mut self) -> Result<Option<ClassUnicode>, PatternError> {
        let Some((inner, _)) = self.rest.strip_prefix("[:").and_then(|rest| rest.split_once(":]")) else {
            return Ok(None);
        };
        let whole = self.bump(inner.len() + 4);
        let name = inner.strip_prefix('^').unwrap_or(inner);
        let Some(class) = classes::posix(name) else {
            return error("there is no such character class", whole);
        };
        let mut class = self.folded(class);
        if name.len() < inner.len() {
            class.negate();
        }
        Ok(Some(class))
    }

    /// Parses a character or a range within brackets.
    fn class_range(&mut self, brackets: &str) -> Result<ClassUnicode, PatternError> {
        let whole = self.rest;
        let low = self.class_char(brackets)?;
        let mut high = low;
        // A hyphen at the end is an ordinary character.
        if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
            self.bump(1);
            high = self.class_char(brackets)?;
        }
        if high < low {
            let length = whole.len() - self.rest.len();
            return error(
                "the bounds of a range are in the wrong order",
                whole.get(..length).unwrap_or(whole),
            );
        }
        Ok(range_class(low, high))
    }

    fn class_char(&mut self, brackets: &str) -> Result<u32, PatternError> {
        if self.rest.starts_with('\\') {
            return self.escape();
        }
        match self.next_char() {
            Some(character) => Ok(u32::from(character)),
            None => error("a closing bracket is missing", brackets),
        }
    }
}

/// Returns the class of the characters from `low` to `high`, without surrogates.
fn range_class(low: u32, high: u32) -> ClassUnicode {
    let parts = [(low, high.min(0xd7ff)), (low.max(0xe000), high)];
    let ranges = parts
        .into_iter()
        .filter(|(low, high)| low <= high)
        .filter_map(|(low, high)| Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?)));
    ClassUnicode::new(ranges)
}

/// The counts of a repetition operator.
#[derive(Clone, Copy)]
struct Counts {
    min: u32,
    max: Option<u32>,
    /// The length of the operator in bytes.
    length: usize,
}

impl Counts {
    /// Returns the operator `{n}`, `{n,}` or `{n,m}` at the start of `text`; `None` for other text in braces, which is literal.
    fn of_braces(text: &str) -> Option<Counts> {
        let inner = text.strip_prefix('{')?.split_once('}')?.0;
        let (min, max) = match inner.split_once(',') {
            None => {
                let exact = count_number(inner)?;
                (exact, Some(exact))
            }
            Some((min, "")) => (count_number(min)?, None),
            Some((min, max)) => (count_number(min)?, Some(count_number(max)?)),
        };
        Some(Counts { min, max, length: inner.len() + 2 })
    }
}

fn count_number(text: &str) -> Option<u32> {
    let leading_zero = text.len() > 1 && text.starts_with('0');
    if text.is_empty() || leading_zero || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u32::MAX))
}
