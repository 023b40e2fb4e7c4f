//! Addresses with `*`: patterns for the addresses of objects and of their parts.
//!
//! Patterns have a parser of their own, because the parser of expressions reads `var.a*` as a product and `[*]` as a splat.

use std::iter::Peekable;
use std::str::Chars;

use terrane::config::AddressWord;
use terrane::config::address::Object;
use terrane::{Address, Entry, InstanceKey, InstanceNumber, Keys};

/// The words for kinds of objects whose addresses consist of the word and a name.
const KINDS: [AddressWord; 4] =
    [AddressWord::LOCAL, AddressWord::MODULE, AddressWord::OUTPUT, AddressWord::VARIABLE];

/// An address with at least one `*`.
pub(super) struct Pattern(Vec<PatternStep>);

/// A step of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PatternStep {
    /// `.name`. A star stands for any characters; `.*` also stands for an instance key.
    Name(String),
    /// `["name"]`, with stars as in a name.
    Key(String),
    /// `[0]`, or `.0`.
    Index(u64),
    /// `[*]`: any instance key or element.
    Any,
}

impl PatternStep {
    /// Whether the step may match several members.
    pub(super) fn has_star(&self) -> bool {
        match self {
            PatternStep::Name(text) | PatternStep::Key(text) => text.contains('*'),
            PatternStep::Any => true,
            PatternStep::Index(_) => false,
        }
    }
}

/// A step of the address of an object.
enum AddressStep<'a> {
    Name(&'a str),
    Key(&'a InstanceKey),
}

/// The result of matching a pattern with an object.
pub(super) struct Fit<'p> {
    /// The steps that select parts of the object's value.
    pub(super) rest: &'p [PatternStep],
}

impl Pattern {
    /// Reads an address with stars. `None` if the text is another expression. A star only counts at the start or at the end of
    /// a name or key, because `var.a*2` is a product.
    pub(super) fn read(text: &str) -> Option<Pattern> {
        let mut characters = text.chars().peekable();
        let mut steps = vec![PatternStep::Name(name(&mut characters)?)];
        while let Some(character) = characters.next() {
            steps.push(match character {
                '.' => match name(&mut characters)? {
                    digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                        PatternStep::Index(digits.parse().ok()?)
                    }
                    name => PatternStep::Name(name),
                },
                '[' => bracket(&mut characters)?,
                _ => return None,
            });
        }
        steps.iter().any(PatternStep::has_star).then_some(Pattern(steps))
    }

    /// Matches the pattern with an object. `None` if it matches neither the object nor a part of it. A block that the pattern
    /// names without a key stands for all its instances.
    pub(super) fn fit(&self, entry: &Entry) -> Option<Fit<'_>> {
        let mut rest = self.0.as_slice();
        let mut last_kind = None;
        for step in steps(&entry.address) {
            match step {
                AddressStep::Key(key) => match rest.split_first() {
                    Some((PatternStep::Any, behind)) => rest = behind,
                    Some((PatternStep::Name(name), behind)) if name == "*" => rest = behind,
                    Some((PatternStep::Index(wanted), behind)) => {
                        rest = behind;
                        if *key != InstanceKey::Index(*wanted) {
                            return None;
                        }
                    }
                    Some((PatternStep::Key(wanted), behind)) => {
                        rest = behind;
                        match key {
                            InstanceKey::Key(key) if is_like(key, wanted) => {}
                            InstanceKey::Key(_) | InstanceKey::Index(_) | InstanceKey::None => return None,
                        }
                    }
                    Some((PatternStep::Name(_), _)) | None => {}
                },
                AddressStep::Name(name) => {
                    rest = without_any(rest);
                    match rest.split_first() {
                        Some((PatternStep::Name(wanted), behind)) if is_like(name, wanted) => rest = behind,
                        // `module.*.output` matches all outputs.
                        None if last_kind.is_some() => {}
                        Some(_) | None => return None,
                    }
                    last_kind = KINDS.iter().find(|kind| **kind == *name);
                    continue;
                }
            }
            last_kind = None;
        }
        let rest = match (&entry.number, rest) {
            // All instances share one value.
            (
                InstanceNumber::Unknown(_),
                [PatternStep::Any | PatternStep::Key(_) | PatternStep::Index(_), behind @ ..],
            ) => behind,
            (InstanceNumber::Unknown(_), [PatternStep::Name(name), behind @ ..]) if name == "*" => behind,
            // As in the language, a splat of an object without keys has that object as its only element.
            (InstanceNumber::One, rest)
                if entry.keys == Keys::None && entry.address.object.key().is_some() =>
            {
                without_any(rest)
            }
            (_, rest) => rest,
        };
        Some(Fit { rest })
    }
}

fn without_any(steps: &[PatternStep]) -> &[PatternStep] {
    match steps {
        [PatternStep::Any, behind @ ..] => behind,
        steps => steps,
    }
}

/// Returns the steps of an address.
fn steps(address: &Address) -> Vec<AddressStep<'_>> {
    let mut steps = Vec::new();
    for call in address.module.steps() {
        steps.extend([AddressStep::Name(AddressWord::MODULE.as_str()), AddressStep::Name(&call.name)]);
        steps.extend(with_key(&call.key));
    }
    let word = address.object.word().map(|word| AddressStep::Name(word.as_str()));
    match &address.object {
        Object::Variable(name) | Object::Local(name) | Object::Output(name) => {
            steps.extend(word.into_iter().chain([AddressStep::Name(name)]));
        }
        Object::ModuleCall(name, key) => {
            steps.extend(word.into_iter().chain([AddressStep::Name(name)]));
            steps.extend(with_key(key));
        }
        Object::Resource { resource_type, name, key, .. } => {
            steps.extend(word.into_iter().chain([AddressStep::Name(resource_type), AddressStep::Name(name)]));
            steps.extend(with_key(key));
        }
        // These objects have no values.
        Object::Check(_)
        | Object::Source(..)
        | Object::Build(_)
        | Object::Provider(_)
        | Object::Import(_) => {}
    }
    steps
}

fn with_key(key: &InstanceKey) -> Option<AddressStep<'_>> {
    (*key != InstanceKey::None).then_some(AddressStep::Key(key))
}

/// Reads a name, with stars at its ends.
fn name(characters: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut name = String::new();
    while let Some(character) =
        characters.next_if(|character| character.is_alphanumeric() || ['_', '-', '*'].contains(character))
    {
        name.push(character);
    }
    (!name.is_empty() && !name.trim_matches('*').contains('*')).then_some(name)
}

/// Reads the rest of a step in brackets.
fn bracket(characters: &mut Peekable<Chars<'_>>) -> Option<PatternStep> {
    let step = match characters.next()? {
        '*' => PatternStep::Any,
        '"' => PatternStep::Key(quoted(characters)?),
        digit if digit.is_ascii_digit() => {
            let mut digits = String::from(digit);
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            PatternStep::Index(digits.parse().ok()?)
        }
        _ => return None,
    };
    (characters.next()? == ']').then_some(step)
}

/// Reads the rest of a string. `None` for a template.
fn quoted(characters: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => match characters.next()? {
                escaped @ ('"' | '\\') => text.push(escaped),
                _ => return None,
            },
            '$' | '%' if characters.peek() == Some(&'{') => return None,
            character => text.push(character),
        }
    }
}

/// Whether a text matches a pattern, in which stars stand for any characters.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let parts: Vec<&str> = rest.split('*').collect();
    let Some((last, between)) = parts.split_last() else { return true };
    for part in between {
        let Some((_, behind)) = text.split_once(part) else { return false };
        text = behind;
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_in_products_and_templates_are_no_patterns() {
        for text in
            ["var.a*2", "var.a * 2", "[for x in y : x]", "a[\"${b}*\"]", "local.a", "*", "a.b[*", "x[*]y"]
        {
            let is_pattern = Pattern::read(text).is_some();
            assert_eq!(is_pattern, text == "*", "{text}");
        }
        for text in ["a.*", "a.b[*].c", "a.b.*.c", "a[\"x*\"]", "output.vpc_*", "local.*_id[0].1"] {
            assert!(Pattern::read(text).is_some(), "{text}");
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (text, pattern, is_alike) in [
            ("abc", "a*", true),
            ("abc", "*c", true),
            ("abc", "*b*", true),
            ("abc", "a*b*c", true),
            ("ac", "a*c", true),
            ("a", "a*a", false),
            ("abc", "b*", false),
            ("abc", "abc", true),
            ("", "*", true),
        ] {
            assert_eq!(is_like(text, pattern), is_alike, "{text} {pattern}");
        }
    }
}
