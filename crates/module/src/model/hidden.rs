//! Declarations in text that could not be read: their kinds, and the names that they may have.
//!
//! A broken declaration still has the letters of its name in the text, with something between or around them. So if no
//! line has the letters of a name, the text does not declare the name, and errors about it stay.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use terrane_syntax::is_part_of_name;
use terrane_value::SmolStr;

/// Limit on the lines that are compared with a name, among the lines that contain its beginning or its end. If there
/// are more lines, any name may be declared.
const MAX_LINES: usize = 32;
/// The longest line that is compared with a name, in bytes.
const MAX_LINE_LENGTH: usize = 1 << 12;

/// The kinds of declarations to which references lead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum DeclarationKind {
    Variable,
    Local,
    Output,
    Module,
    /// Every block with content of a provider: resources, data sources, actions.
    Resource,
    /// Provider configurations.
    Provider,
    /// Entries of `required_providers`.
    Requirement,
}

impl DeclarationKind {
    pub(crate) const ALL: [DeclarationKind; 7] = [
        DeclarationKind::Variable,
        DeclarationKind::Local,
        DeclarationKind::Output,
        DeclarationKind::Module,
        DeclarationKind::Resource,
        DeclarationKind::Provider,
        DeclarationKind::Requirement,
    ];
}

/// The declarations that unreadable text may contain.
#[derive(Clone, Default, Debug)]
pub(crate) struct Hidden {
    kinds: BTreeMap<DeclarationKind, HiddenNames>,
    /// Whether the text may change any declaration, because it is in an override file.
    overrides: bool,
}

impl Hidden {
    /// Declarations of all kinds, with any names.
    pub(crate) fn all() -> Hidden {
        Hidden::of(DeclarationKind::ALL)
    }

    /// Declarations of these kinds, with any names.
    pub(crate) fn of(kinds: impl IntoIterator<Item = DeclarationKind>) -> Hidden {
        let kinds = kinds.into_iter().map(|kind| (kind, HiddenNames { any: true, ..HiddenNames::default() }));
        Hidden { kinds: kinds.collect(), overrides: false }
    }

    /// Restricts the declarations to names that occur in this text.
    pub(crate) fn named_in(self, text: &str) -> Hidden {
        let names = HiddenNames::of(text);
        let kinds = self.kinds.into_keys().map(|kind| (kind, names.clone()));
        Hidden { kinds: kinds.collect(), ..self }
    }

    /// Restricts the declarations to names that begin with this word.
    pub(crate) fn beginning_with(self, start: &str) -> Hidden {
        let unfinished = BTreeSet::from([SmolStr::from(start)]);
        let names = HiddenNames { unfinished, ..HiddenNames::default() };
        let kinds = self.kinds.into_keys().map(|kind| (kind, names.clone()));
        Hidden { kinds: kinds.collect(), ..self }
    }

    /// Sets whether the text is in an override file.
    pub(crate) fn in_file(self, is_override: bool) -> Hidden {
        Hidden { overrides: is_override, ..self }
    }

    /// Adds further declarations.
    pub(crate) fn extend(&mut self, other: Hidden) {
        for (kind, names) in other.kinds {
            self.kinds.entry(kind).or_default().extend(names);
        }
        self.overrides |= other.overrides;
    }

    /// Whether nothing is hidden.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Whether the text may change any declaration.
    pub(crate) fn overrides(&self) -> bool {
        self.overrides
    }

    /// Whether declarations of a kind may be hidden.
    pub(crate) fn holds(&self, kind: DeclarationKind) -> bool {
        self.kinds.contains_key(&kind)
    }

    /// Whether a declaration of a kind with all of these words in its name may be hidden.
    pub(crate) fn holds_named<'n>(
        &self,
        kind: DeclarationKind,
        mut names: impl Iterator<Item = &'n str>,
    ) -> bool {
        self.kinds.get(&kind).is_some_and(|hidden| names.all(|name| hidden.may_be(name)))
    }

    /// Returns the kinds.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = DeclarationKind> {
        self.kinds.keys().copied()
    }
}

/// The names that hidden declarations may have.
#[derive(Clone, Default, Debug)]
struct HiddenNames {
    /// Whether the names themselves may be missing from the text, so that any name is possible.
    any: bool,
    lines: Vec<SmolStr>,
    /// The beginnings of names that are not written to the end yet: the last words of lines with an open quote.
    unfinished: BTreeSet<SmolStr>,
    /// The words, each with the number of its line.
    words: BTreeSet<(SmolStr, usize)>,
    /// The words of `words` with their letters reversed.
    reversed: BTreeSet<(SmolStr, usize)>,
}

impl HiddenNames {
    fn of(text: &str) -> HiddenNames {
        let mut names = HiddenNames::default();
        for line in text.lines() {
            names.any |= line.len() > MAX_LINE_LENGTH;
            names.add(SmolStr::from(line));
        }
        names
    }

    fn add(&mut self, line: SmolStr) {
        let index = self.lines.len();
        for word in words(&line) {
            self.words.insert((SmolStr::from(word), index));
            self.reversed.insert((reversed(word), index));
        }
        let is_open = line.matches('"').count() % 2 == 1;
        self.unfinished.extend(words(&line).last().filter(|_| is_open).map(SmolStr::from));
        self.any |= self.unfinished.len() > MAX_LINES;
        self.lines.push(line);
    }

    fn extend(&mut self, other: HiddenNames) {
        self.any |= other.any;
        self.unfinished.extend(other.unfinished);
        other.lines.into_iter().for_each(|line| self.add(line));
    }

    /// Whether a line contains the letters of a name.
    fn may_be(&self, name: &str) -> bool {
        if self.any {
            return true;
        }
        if self.unfinished.iter().any(|start| name.starts_with(&**start)) {
            return true;
        }
        // If the name is split in two parts, one of them has at least half of its letters.
        let half = name.chars().count().div_ceil(2);
        let start: String = name.chars().take(half).collect();
        let end: String = name.chars().rev().take(half).collect();
        let lines: BTreeSet<usize> =
            lines_of(&self.words, &start).chain(lines_of(&self.reversed, &end)).collect();
        lines.len() > MAX_LINES
            || lines.into_iter().filter_map(|line| self.lines.get(line)).any(|line| holds(line, name))
    }
}

/// Returns the lines with a word that starts with `start`, at most one more than [`MAX_LINES`].
fn lines_of<'w>(words: &'w BTreeSet<(SmolStr, usize)>, start: &'w str) -> impl Iterator<Item = usize> + 'w {
    let first = Bound::Included((SmolStr::from(start), 0));
    let found = words.range((first, Bound::Unbounded)).take_while(move |(word, _)| word.starts_with(start));
    found.map(|(_, line)| *line).take(MAX_LINES + 1)
}

/// Whether a line has a word that begins as the name, followed by a word that ends as its rest; both may be one word.
/// An edit keeps both parts, with other text between, before or after them.
fn holds(line: &str, name: &str) -> bool {
    let cuts = name.char_indices().map(|(index, _)| index).chain([name.len()]);
    cuts.map(|cut| name.split_at(cut)).any(|(start, end)| {
        let found = words(line).scan(false, |is_started, word| {
            let before = std::mem::replace(is_started, *is_started || word.starts_with(start));
            let both = word.len() >= name.len() && word.starts_with(start);
            Some((before || both || start.is_empty()) && word.ends_with(end))
        });
        found.into_iter().any(|is_end| is_end)
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|found: char| !is_part_of_name(found)).filter(|word| !word.is_empty())
}

fn reversed(word: &str) -> SmolStr {
    word.chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds_variable(text: &str, name: &str) -> bool {
        let hidden = Hidden::of([DeclarationKind::Variable]).named_in(text);
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
        ] {
            assert!(holds_variable(text, "users"), "{text}");
        }
        for text in ["", "variable \"user\" {", "ers us", "user\ns = 1", "var users_of", "is us"] {
            let is_prefix = text == "var users_of";
            assert_eq!(holds_variable(text, "users"), is_prefix, "{text}");
        }
        assert!(holds_variable("variable \"us", "users") && !holds_variable("variable \"us\"", "users"));
        assert!(holds_variable("é = 1", "é") && !holds_variable("é = 1", "è"));
    }

    #[test]
    fn a_name_may_continue_behind_its_beginning() {
        let mut hidden = Hidden::of([DeclarationKind::Local]).named_in("net = 1");
        hidden.extend(Hidden::of([DeclarationKind::Local]).beginning_with("us"));
        let holds = |name: &str| hidden.holds_named(DeclarationKind::Local, [name].into_iter());
        assert!(holds("users") && holds("net") && !holds("region"));
    }

    #[test]
    fn much_text_may_declare_anything() {
        assert!(holds_variable(&"x".repeat(MAX_LINE_LENGTH + 1), "users"));
        let lines: String = (0..MAX_LINES + 1).map(|index| format!("use{index} = 1\n")).collect();
        assert!(holds_variable(&lines, "users") && !holds_variable(&lines, "net"));
    }
}
