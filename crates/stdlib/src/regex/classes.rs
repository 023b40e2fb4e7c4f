//! The named character classes of regular expressions, such as `\d`, `[:alpha:]` and `\pL`.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// Returns a class of the characters in `ranges`.
pub(super) fn class(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(first, last)| ClassUnicodeRange::new(*first, *last)))
}

/// Returns the class `\d`, `\s` or `\w`, which are limited to ASCII; `None` for other letters.
pub(super) fn perl(letter: char) -> Option<ClassUnicode> {
    let ranges: &[(char, char)] = match letter {
        'd' => &[('0', '9')],
        's' => &[('\t', '\n'), ('\x0c', '\r'), (' ', ' ')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => return None,
    };
    Some(class(ranges))
}

/// Returns the POSIX class `[:name:]`; `None` if there is none with this name.
pub(super) fn posix(name: &str) -> Option<ClassUnicode> {
    let ranges: &[(char, char)] = match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\x7f')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => &[('0', '9')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(class(ranges))
}

/// Scripts whose names have four letters, like the codes of scripts. The reference accepts names but not codes.
const SHORT_SCRIPTS: &[&str] = &["ahom", "cham", "kawi", "lisu", "modi", "newa", "thai", "toto"];

/// Returns the characters of a general category or script; `None` if the name is neither.
pub(super) fn property(name: &str) -> Option<ClassUnicode> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    if name.is_empty() || !name.chars().all(is_plain) {
        return None;
    }
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    // The library accepts more names than the reference: a prefix `Is`, and codes of scripts.
    match &*letters {
        // No text has such characters.
        "cs" | "surrogate" => Some(ClassUnicode::empty()),
        "unknown" | "katakanaorhiragana" => None,
        letters if letters.starts_with("is") => None,
        letters => library_class("gc", letters).or_else(|| {
            let is_code = letters.len() == 4 && !SHORT_SCRIPTS.contains(&letters);
            if is_code { None } else { library_class("sc", letters) }
        }),
    }
}

/// Returns the characters of a general category if `kind` is `gc`, or of a script if it is `sc`; `None` if the library does not
/// know the name.
fn library_class(kind: &str, name: &str) -> Option<ClassUnicode> {
    let hir = regex_syntax::Parser::new().parse(&format!("\\p{{{kind}={name}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(Class::Unicode(members)) => Some(members),
        // The library returns a class of one character, such as the line separators, as a literal.
        HirKind::Literal(literal) => {
            let character = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(class(&[(character, character)]))
        }
        HirKind::Empty
        | HirKind::Class(Class::Bytes(_))
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => None,
    }
}
