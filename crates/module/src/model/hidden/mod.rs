//! Declarations in text that could not be read: their kinds, and the names that they may have.
//!
//! A broken declaration still has the letters of its name in the text, with something between or around them. So if no
//! line has the letters of a name, the text does not declare the name, and errors about it stay.

pub(crate) mod header_line;
mod line_words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use indexmap::IndexSet;
use terrane_syntax::line::{has_open_quote, opened_heredoc, words};
use terrane_value::{SmolStr, common_end, common_start};

use crate::model::declaration_kind::{DeclarationKind, KindSet};
use crate::model::hidden::header_line::{HeaderLine, HeaderLines};
use crate::model::hidden::line_words::{garbled, has_half_at_end, holds, is_no_part, reversed, unfinished};

/// Limit on the lines that are compared with a name, among the lines that contain its beginning or its end. If there
/// are more lines, any name may be declared.
const MAX_LINES: usize = 32;
/// The longest line that is compared with a name, in bytes.
const MAX_LINE_LENGTH: usize = 1 << 12;
/// Limit on the bytes of all lines that are compared with a name. If there are more, any name may be declared.
const MAX_COMPARED: usize = 1 << 14;
/// Limit on the words that are kept for a module. If there are more, any name may be declared.
const MAX_WORDS: usize = 1 << 16;

/// The only written label of a block type that needs two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct OnlyLabel {
    pub(crate) text: SmolStr,
    /// Whether it is written to its end.
    pub(crate) is_whole: bool,
}

impl OnlyLabel {
    fn may_be(&self, name: &str) -> bool {
        if self.is_whole { *name == *self.text } else { name.starts_with(&*self.text) }
    }
}

/// The declarations that a text may contain.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hidden {
    /// The kinds of declarations with any names.
    any: KindSet,
    /// The kinds of declarations whose names occur in `text`, begin with `start` or end with `end`.
    named: KindSet,
    text: String,
    start: Option<SmolStr>,
    end: Option<SmolStr>,
    /// Whether words of `text` may be the ends of names, with other text before them.
    is_joined: bool,
    /// The kinds of declarations that have one of these labels, with the labels.
    labels: Vec<(KindSet, OnlyLabel)>,
    /// The lines that may be damaged headers of blocks.
    headers: HeaderLines,
    /// Whether the text may change the declarations with these names, because it is in an override file.
    overrides: bool,
}

impl Hidden {
    /// Declarations of all kinds, with any names.
    pub(crate) fn all() -> Hidden {
        Hidden::of(DeclarationKind::ALL)
    }

    /// Declarations of these kinds, with any names.
    pub(crate) fn of(kinds: impl IntoIterator<Item = DeclarationKind>) -> Hidden {
        Hidden::default().or_any(kinds.into_iter().collect())
    }

    /// Restricts the declarations to names that occur in this text.
    pub(crate) fn named_in(self, text: impl Into<String>) -> Hidden {
        Hidden { named: self.any, any: KindSet::default(), text: text.into(), ..self }
    }

    /// Restricts the declarations to names that begin with this word.
    pub(crate) fn beginning_with(self, start: &str) -> Hidden {
        Hidden { named: self.any, any: KindSet::default(), start: Some(SmolStr::from(start)), ..self }
    }

    /// Restricts the declarations to names that end with this word.
    pub(crate) fn ending_with(self, end: &str) -> Hidden {
        Hidden { named: self.any, any: KindSet::default(), end: Some(SmolStr::from(end)), ..self }
    }

    /// Restricts the declarations to names that occur in this text, and to names whose second half, or more of their end, is a word of
    /// the text.
    pub(crate) fn joined_in(self, text: &str) -> Hidden {
        Hidden { is_joined: true, ..self.named_in(text) }
    }

    /// Adds declarations of these kinds with this label, whose other label is missing.
    pub(crate) fn or_labelled(mut self, kinds: KindSet, label: OnlyLabel) -> Hidden {
        self.labels.push((kinds, label));
        self
    }

    /// Adds the declarations whose damaged header the line may be.
    pub(crate) fn or_header(mut self, line: Option<HeaderLine>) -> Hidden {
        line.into_iter().for_each(|line| self.headers.add(line));
        self
    }

    /// Adds the declarations whose damaged headers the lines may be.
    pub(crate) fn or_headers(mut self, lines: HeaderLines) -> Hidden {
        self.headers.append(lines);
        self
    }

    /// Adds declarations of these kinds with any names.
    pub(crate) fn or_any(mut self, kinds: KindSet) -> Hidden {
        self.any.add(kinds);
        self
    }

    /// Adds other declarations with any names or with labels.
    pub(crate) fn and_all(mut self, others: Vec<Hidden>) -> Hidden {
        for other in others {
            self.any.add(other.any);
            self.labels.extend(other.labels);
            self.headers.append(other.headers);
        }
        self
    }

    /// Sets whether the text is in an override file.
    pub(crate) fn in_file(self, is_override: bool) -> Hidden {
        Hidden { overrides: is_override, ..self }
    }

    /// Whether the text is in an override file.
    pub(crate) fn overrides(&self) -> bool {
        self.overrides
    }
}

/// The declarations that the unreadable texts of a module may contain. Their size is limited, whatever the size of the texts.
#[derive(Clone, Default, Debug)]
pub(crate) struct HiddenDeclarations {
    /// The kinds of declarations with any names.
    any: KindSet,
    /// The names that declarations of several kinds may have. A key whose kinds are all in `any` is left out.
    named: BTreeMap<KindSet, HiddenNames>,
    /// The lines that may be damaged headers of blocks.
    headers: HeaderLines,
}

impl HiddenDeclarations {
    /// Adds the declarations of a text.
    pub(crate) fn add(&mut self, hidden: Hidden) {
        let mut any = hidden.any;
        let kinds = hidden.named.without(self.any).without(any);
        if !kinds.is_empty() {
            let others = self.named.iter().filter(|(other, _)| **other != kinds);
            let left = MAX_WORDS.saturating_sub(others.map(|(_, names)| names.words.len()).sum());
            let names = self.named.entry(kinds).or_default();
            names.begin_with(hidden.start);
            names.end_with(hidden.end);
            if hidden.is_joined {
                words(&hidden.text).for_each(|word| names.join_with(word));
            }
            names.add_lines(&hidden.text, left);
            if names.any {
                any.add(kinds);
            }
        }
        for (kinds, label) in hidden.labels {
            if !kinds.without(self.any).is_empty() && self.named.entry(kinds).or_default().label(label) {
                any.add(kinds);
            }
        }
        self.headers.append(hidden.headers);
        any.add(self.headers.any());
        if !any.without(self.any).is_empty() {
            self.any.add(any);
            self.named.retain(|kinds, _| !kinds.without(self.any).is_empty());
        }
    }

    /// Whether nothing is hidden.
    pub(crate) fn is_empty(&self) -> bool {
        self.any.is_empty() && self.named.is_empty() && self.headers.is_empty()
    }

    /// Whether declarations of a kind may be hidden.
    pub(crate) fn holds(&self, kind: DeclarationKind) -> bool {
        self.any.contains(kind) || self.names_of(kind).next().is_some() || self.headers.holds(kind)
    }

    /// Whether a declaration of a kind with all of these words in its name may be hidden.
    pub(crate) fn holds_named<'n>(
        &self,
        kind: DeclarationKind,
        mut names: impl Iterator<Item = &'n str> + Clone,
    ) -> bool {
        let may_be = |name: &str| self.names_of(kind).any(|hidden| hidden.may_be(name));
        let has_label = |name: &str| self.names_of(kind).any(|hidden| hidden.has_label(name));
        let mut parts = names.clone();
        let is_joined = match (parts.next(), parts.next()) {
            (Some(first), Some(last)) => self.names_of(kind).any(|hidden| hidden.joins(first, last)),
            (Some(_), None) | (None, _) => false,
        };
        self.any.contains(kind)
            || self.headers.may_be(kind, &names)
            || self.holds(kind) && (is_joined || names.clone().all(may_be) || names.any(has_label))
    }

    /// Returns the kinds.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = DeclarationKind> {
        DeclarationKind::ALL.into_iter().filter(|kind| self.holds(*kind))
    }

    fn names_of(&self, kind: DeclarationKind) -> impl Iterator<Item = &HiddenNames> {
        self.named.iter().filter(move |(kinds, _)| kinds.contains(kind)).map(|(_, names)| names)
    }
}

/// The names that hidden declarations may have.
#[derive(Clone, Default, Debug)]
struct HiddenNames {
    /// Whether the names themselves may be missing from the text, so that any name is possible.
    any: bool,
    lines: IndexSet<SmolStr>,
    /// The beginnings of names that may not be written to the end, in lines with an open quote.
    unfinished: BTreeSet<SmolStr>,
    /// The ends of names whose beginnings are lost.
    ends: BTreeSet<SmolStr>,
    /// The words whose ends may be those of names.
    joined: BTreeSet<SmolStr>,
    labels: BTreeSet<OnlyLabel>,
    /// The beginnings and the ends of names around bytes that are not UTF-8.
    garbled: BTreeSet<(SmolStr, SmolStr)>,
    /// The words, each with the number of its line.
    words: BTreeSet<(SmolStr, usize)>,
    /// The words of `words` with their letters reversed.
    reversed: BTreeSet<(SmolStr, usize)>,
}

impl HiddenNames {
    /// Adds the lines of a text, unless they have more words than `limit` with those before.
    fn add_lines(&mut self, text: &str, limit: usize) {
        for line in text.lines() {
            self.any |= line.len() > MAX_LINE_LENGTH || self.words.len() > limit;
            if self.any {
                return;
            }
            if !self.lines.contains(line) {
                self.add(SmolStr::from(line));
            }
        }
    }

    fn add(&mut self, line: SmolStr) {
        let index = self.lines.len();
        for word in words(&line) {
            self.words.insert((SmolStr::from(word), index));
            self.reversed.insert((reversed(word), index));
        }
        if has_open_quote(&line) {
            unfinished(&line).for_each(|word| self.begin_with(Some(SmolStr::from(word))));
        }
        if opened_heredoc(&line).is_some() {
            let broken = line.rsplit_once("<<").and_then(|(before, _)| before.rsplit(is_no_part).next());
            self.begin_with(broken.filter(|word| !word.is_empty()).map(SmolStr::from));
        }
        if line.contains(char::REPLACEMENT_CHARACTER) {
            self.garbled.extend(garbled(&line));
            self.any |= self.garbled.len() > MAX_LINES;
        }
        self.lines.insert(line);
    }

    /// Adds the beginning of a name.
    fn begin_with(&mut self, start: Option<SmolStr>) {
        self.unfinished.extend(start);
        self.any |= self.unfinished.len() > MAX_LINES;
    }

    /// Adds the end of a name.
    fn end_with(&mut self, end: Option<SmolStr>) {
        self.ends.extend(end);
        self.any |= self.ends.len() > MAX_LINES;
    }

    /// Adds a word whose end may be that of a name.
    fn join_with(&mut self, word: &str) {
        self.joined.insert(SmolStr::from(word));
        self.any |= self.joined.len() > MAX_LINES;
    }

    /// Adds a label; whether any name may be declared, because there are too many labels.
    fn label(&mut self, label: OnlyLabel) -> bool {
        self.labels.insert(label);
        self.any |= self.labels.len() > MAX_LINES;
        self.any
    }

    /// Whether a name may be the label of a declaration without its other label.
    fn has_label(&self, name: &str) -> bool {
        self.labels.iter().any(|label| label.may_be(name))
    }

    /// Whether a label may be the beginning of one label and the end of the other, because the text between them is lost.
    fn joins(&self, first: &str, last: &str) -> bool {
        self.labels.iter().any(|OnlyLabel { text, .. }| {
            let (head, tail) = (common_start(text, first), common_end(text, last));
            head > 0 && tail > 0 && head + tail >= text.len()
        })
    }

    /// Whether a line contains the letters of a name.
    fn may_be(&self, name: &str) -> bool {
        if self.any
            || self.unfinished.iter().any(|start| name.starts_with(&**start))
            || self.ends.iter().any(|end| name.ends_with(&**end))
            || self.joined.iter().any(|word| has_half_at_end(word, name))
        {
            return true;
        }
        if self.garbled.iter().any(|(start, end)| name.starts_with(&**start) && name.ends_with(&**end)) {
            return true;
        }
        // If the name is split in two parts, one of them has at least half of its letters but one.
        let half = name.chars().count().saturating_sub(1).div_ceil(2).max(1);
        let start: String = name.chars().take(half).collect();
        let end: String = name.chars().rev().take(half).collect();
        let lines: BTreeSet<usize> =
            lines_of(&self.words, &start).chain(lines_of(&self.reversed, &end)).collect();
        let lines = || lines.iter().filter_map(|line| self.lines.get_index(*line));
        lines().count() > MAX_LINES
            || lines().map(|line| line.len()).sum::<usize>() > MAX_COMPARED
            || lines().any(|line| holds(line, name))
    }
}

/// Returns the lines with a word that starts with `start`, at most one more than [`MAX_LINES`].
fn lines_of<'w>(words: &'w BTreeSet<(SmolStr, usize)>, start: &'w str) -> impl Iterator<Item = usize> + 'w {
    let first = Bound::Included((SmolStr::from(start), 0));
    let found = words.range((first, Bound::Unbounded)).take_while(move |(word, _)| word.starts_with(start));
    found.map(|(_, line)| *line).take(MAX_LINES + 1)
}

#[cfg(test)]
mod tests {
    use terrane_config::address::ResourceMode;

    use super::*;

    fn holds_variable(text: &str, name: &str) -> bool {
        let mut hidden = HiddenDeclarations::default();
        hidden.add(Hidden::of([DeclarationKind::Variable]).named_in(text));
        assert!(!hidden.holds_named(DeclarationKind::Local, [name].into_iter()));
        hidden.holds_named(DeclarationKind::Variable, [name].into_iter())
    }

    #[test]
    fn a_broken_name_keeps_its_letters() {
        for text in [
            "variable \"users\" {",
            "us word ers = 1",
            "us{ers = 1",
            "usvar.ers = 1",
            "usersvar. = 1",
            "a = foousers = 1",
            "variable users\" {",
            "us?rs = 1",
            "variable \"use s\" {",
        ] {
            assert!(holds_variable(text, "users"), "{text}");
        }
        for text in [
            "",
            "variable \"user\" {",
            "ers us",
            "user\ns = 1",
            "var users_of",
            "is us",
            "us  rs = 1",
            "s?rs",
        ] {
            let is_prefix = text == "var users_of";
            assert_eq!(holds_variable(text, "users"), is_prefix, "{text}");
        }
        assert!(holds_variable("variable \"us", "users") && !holds_variable("variable \"us\"", "users"));
        assert!(holds_variable("é = 1", "é") && !holds_variable("é = 1", "è"));
        assert!(
            holds_variable("u\u{fffd}\u{fffd}rs = 1", "users") && !holds_variable("u\u{fffd}r = 1", "users")
        );
        // The opener of a heredoc takes the rest of the line to the next one.
        assert!(holds_variable("us<<EOT\ners = 1", "users") && !holds_variable("us = <<EOT\n", "users"));
        // A lost piece of the text takes the end of the name and the quote behind it.
        let joined = "variable \"us source = \"x\" {";
        assert!(holds_variable(joined, "users") && !holds_variable(joined, "zones"));
    }

    #[test]
    fn a_name_may_continue_behind_its_beginning() {
        let mut hidden = HiddenDeclarations::default();
        hidden.add(Hidden::of([DeclarationKind::Local]).named_in("net = 1"));
        hidden.add(Hidden::of([DeclarationKind::Local]).beginning_with("us"));
        let holds = |name: &str| hidden.holds_named(DeclarationKind::Local, [name].into_iter());
        assert!(holds("users") && holds("net") && !holds("region"));
    }

    #[test]
    fn a_label_may_lack_the_other_one() {
        let resources = KindSet::from_iter([DeclarationKind::Resource(ResourceMode::Managed)]);
        let holds = |mode, is_whole, names: [&str; 2]| {
            let mut hidden = HiddenDeclarations::default();
            hidden.add(Hidden::default().or_labelled(resources, OnlyLabel { text: "a_b".into(), is_whole }));
            hidden.holds_named(DeclarationKind::Resource(mode), names.into_iter())
        };
        let managed = ResourceMode::Managed;
        assert!(holds(managed, true, ["a_b", "x"]) && holds(managed, true, ["x", "a_b"]));
        assert!(!holds(managed, true, ["a_bc", "x"]) && holds(managed, false, ["a_bc", "x"]));
        assert!(!holds(managed, false, ["x", "y"]) && !holds(ResourceMode::Data, true, ["a_b", "x"]));
        assert!(holds(managed, true, ["a_long", "web_b"]) && !holds(managed, true, ["a_long", "wex"]));
    }

    #[test]
    fn much_text_may_declare_anything() {
        assert!(holds_variable(&"x".repeat(MAX_LINE_LENGTH + 1), "users"));
        let lines: String = (0..MAX_LINES + 1).map(|index| format!("use{index} = 1\n")).collect();
        assert!(holds_variable(&lines, "users") && !holds_variable(&lines, "net"));
    }

    #[test]
    fn lines_of_several_texts_are_kept_within_a_limit() {
        let mut hidden = HiddenDeclarations::default();
        let mut add = |kind: DeclarationKind, text: String| {
            hidden.add(Hidden::of([kind, DeclarationKind::Output]).named_in(text));
            let size = hidden.named.values().map(|names| names.words.len()).sum::<usize>();
            let names = ["elsewhere"].into_iter();
            (
                size,
                hidden.holds_named(kind, names.clone()),
                hidden.holds_named(DeclarationKind::Output, names),
            )
        };
        // A line that repeats counts once.
        let text = (0..MAX_WORDS).map(|_| "name = 1\n").collect();
        assert_eq!(add(DeclarationKind::Local, text), (2, false, false));
        let text = (0..MAX_WORDS / 2).map(|index| format!("x{index} =\n")).collect();
        assert_eq!(add(DeclarationKind::Local, text), (MAX_WORDS / 2 + 2, false, false));
        let text: String = (0..MAX_WORDS).map(|index| format!("y{index} =\n")).collect();
        assert_eq!(add(DeclarationKind::Variable, text.clone()), (MAX_WORDS / 2 + 2, true, true));
        assert_eq!(add(DeclarationKind::Local, text), (0, true, true));
    }

    #[test]
    fn many_beginnings_of_names_may_be_of_any_name() {
        let mut hidden = HiddenDeclarations::default();
        let names = || ["users"].into_iter();
        for index in 0..=MAX_LINES {
            assert!(!hidden.holds_named(DeclarationKind::Local, names()), "{index}");
            hidden.add(Hidden::of([DeclarationKind::Local]).beginning_with(&format!("x{index}")));
        }
        assert!(hidden.holds_named(DeclarationKind::Local, names()) && hidden.named.is_empty());
    }
}
