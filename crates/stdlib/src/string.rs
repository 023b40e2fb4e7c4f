//! Functions on strings. Functions that count use grapheme clusters as characters; functions that compare use Unicode
//! scalar values.

use std::collections::HashSet;

use smol_str::StrExt as _;
use terrane_function::{Availability, Call, Cost, Function, FunctionError, Parameter, ResultType};
use terrane_value::{SmolStr, Type, Value, ValueKind, is_ascii};

use crate::characters::{count_characters, end_of_characters, reversed};
use crate::regex;
use crate::row::{question, text, text_of_text};

pub(crate) fn functions() -> Vec<Function> {
    [taking_apart(), matching(), letter_case(), trimming(), replacing()].into_iter().flatten().collect()
}

fn taking_apart() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text(
            "join",
            "Joins the elements of one or more lists of strings, with a separator between them.",
            join,
        )
        .parameter(string("separator"))
        .variadic(Parameter::new("lists", Type::list(Type::String)))
        .examples(&[(r#"join(", ", ["a", "b", "c"])"#, r#""a, b, c""#)])
        .cost(Cost::Light)
        .pure(),
        Function::new(
            "split",
            "Splits a string at each occurrence of a separator. An empty separator splits it into its \
             Unicode code points.",
            ResultType::Fixed(Type::list(Type::String)),
            split,
        )
        .parameter(string("separator"))
        .parameter(string("str"))
        .examples(&[(r#"split(",", "a,b,c")"#, "tolist([\n  \"a\",\n  \"b\",\n  \"c\",\n])")])
        .pure(),
        text(
            "substr",
            "Returns a substring from an offset and a length in characters. A negative offset counts from \
             the end; a negative length reaches to the end.",
            substr,
        )
        .parameter(string("str").dynamic())
        .parameter(Parameter::new("offset", Type::Number).dynamic())
        .parameter(Parameter::new("length", Type::Number).dynamic())
        .examples(&[
            (r#"substr("hello world", 1, 4)"#, r#""ello""#),
            (r#"substr("hello", -3, -1)"#, r#""llo""#),
        ])
        .pure(),
        text_of_text("strrev", "Reverses the characters of a string.", |text| reversed(text).into())
            .parameter(string("str").dynamic())
            .examples(&[(r#"strrev("hello")"#, r#""olleh""#)])
            .pure(),
        text("indent", "Adds spaces to the beginning of all lines except the first.", indent)
            .parameter(Parameter::new("spaces", Type::Number))
            .parameter(string("str"))
            .examples(&[("\"x: ${indent(2, \"a\\nb\")}\"", "<<EOT\nx: a\n  b\nEOT")])
            .pure(),
    ]
}

fn matching() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        question("startswith", "Returns true if a string begins with a prefix.", startswith)
            .parameter(string("str").unknown())
            .parameter(string("prefix"))
            .since(Availability::nowhere().terraform(3).opentofu(6).packer(13))
            .examples(&[(r#"startswith("module.vpc", "module.")"#, "true")])
            .cost(Cost::Light)
            .pure(),
        question("endswith", "Returns true if a string ends with a suffix.", |call| {
            Ok(call.string(0).ends_with(call.string(1)).into())
        })
        .parameter(string("str"))
        .parameter(string("suffix"))
        .since(Availability::nowhere().terraform(3).opentofu(6).packer(13))
        .examples(&[(r#"endswith("main.tf", ".tf")"#, "true")])
        .cost(Cost::Light)
        .pure(),
        question("strcontains", "Returns true if a string contains a substring.", |call| {
            Ok(call.string(0).contains(call.string(1)).into())
        })
        .nullable()
        .parameter(string("str"))
        .parameter(string("substr"))
        .since(Availability::nowhere().terraform(5).opentofu(6).packer(12))
        .examples(&[(r#"strcontains("hello world", "wor")"#, "true")])
        .cost(Cost::Light)
        .pure(),
    ]
}

fn letter_case() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text_of_text("upper", "Converts all letters of a string to upper case.", to_upper)
            .parameter(string("str").dynamic())
            .examples(&[(r#"upper("hello")"#, r#""HELLO""#)])
            .pure(),
        text_of_text("lower", "Converts all letters of a string to lower case.", to_lower)
            .parameter(string("str").dynamic())
            .examples(&[(r#"lower("HELLO")"#, r#""hello""#)])
            .pure(),
        text_of_text("title", "Converts the first letter of each word to upper case.", title)
            .parameter(string("str"))
            .examples(&[(r#"title("hello world")"#, r#""Hello World""#)])
            .pure(),
    ]
}

fn trimming() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text_of_text("trimspace", "Removes white space from both ends of a string.", |text| {
            text.trim().into()
        })
        .parameter(string("str"))
        .examples(&[("trimspace(\"  hello\\n\\n\")", r#""hello""#)])
        .pure(),
        text_of_text("chomp", "Removes all line breaks from the end of a string.", |text| {
            text.trim_end_matches(['\r', '\n']).into()
        })
        .parameter(string("str"))
        .examples(&[("chomp(\"a line\\n\")", r#""a line""#)])
        .cost(Cost::Light)
        .pure(),
        text("trim", "Removes all leading and trailing characters that are in a set of characters.", trim)
            .parameter(string("str"))
            .parameter(string("cutset"))
            .examples(&[(r#"trim("?!hello?!", "!?")"#, r#""hello""#)])
            .pure(),
        text("trimprefix", "Removes a prefix from a string, once, if the string begins with it.", |call| {
            let text = call.string(0);
            Ok(text.strip_prefix(call.string(1)).unwrap_or(text).into())
        })
        .parameter(string("str"))
        .parameter(string("prefix"))
        .examples(&[(r#"trimprefix("helloworld", "hello")"#, r#""world""#)])
        .cost(Cost::Light)
        .pure(),
        text("trimsuffix", "Removes a suffix from a string, once, if the string ends with it.", |call| {
            let text = call.string(0);
            Ok(text.strip_suffix(call.string(1)).unwrap_or(text).into())
        })
        .parameter(string("str"))
        .parameter(string("suffix"))
        .examples(&[(r#"trimsuffix("helloworld", "world")"#, r#""hello""#)])
        .cost(Cost::Light)
        .pure(),
    ]
}

fn replacing() -> Vec<Function> {
    let string = |name| Parameter::new(name, Type::String);
    vec![
        text(
            "replace",
            "Replaces all occurrences of a substring, or all matches of a regular expression between \
             slashes.",
            replace,
        )
        .parameter(string("str"))
        .parameter(string("substr"))
        .parameter(string("replace"))
        .since(Availability::modules())
        .examples(&[
            (r#"replace("1 + 2 + 3", "+", "-")"#, r#""1 - 2 - 3""#),
            (r#"replace("hello world", "/w.*d/", "everybody")"#, r#""hello everybody""#),
        ])
        .pure(),
        // Packer has a separate function for regular expressions.
        text("replace", "Replaces all occurrences of a substring.", replace_text)
            .parameter(string("str"))
            .parameter(string("substr"))
            .parameter(string("replace"))
            .since(Availability::nowhere().packer(5))
            .examples(&[("replace(\"1 + 2\", \"+\", \"-\")", "\"1 - 2\"")])
            .pure(),
    ]
}

/// Returns the number argument at `index` as a whole number. A number that is not whole is an error of the whole call, as in
/// the reference.
fn whole(call: &Call<'_>, index: usize) -> Result<i64, FunctionError> {
    let number = call.argument(index).as_number().filter(|number| number.is_integer());
    let whole = number.and_then(terrane_value::Number::to_i64);
    whole.ok_or_else(|| FunctionError::new("a whole number that fits into 64 bits is required"))
}

fn join(call: &Call<'_>) -> Result<Value, FunctionError> {
    let lists = call.rest(1);
    if lists.is_empty() {
        return Err(FunctionError::new("there must be at least one list to join"));
    }
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(call.unknown());
    }
    let separator = call.string(0);
    let mut parts = Vec::with_capacity(lists.iter().filter_map(Value::as_sequence).map(<[Value]>::len).sum());
    for (list_index, list) in lists.iter().enumerate() {
        for (index, element) in list.as_sequence().unwrap_or_default().iter().enumerate() {
            let Some(part) = element.as_str() else {
                let message = format!("element {index} is null, and null cannot be joined");
                return Err(call.invalid(list_index + 1, message));
            };
            parts.push(part);
        }
    }
    let bytes = lists.iter().map(Value::text_bytes).fold(0, usize::saturating_add);
    call.check_length(bytes.saturating_add(separator.len().saturating_mul(parts.len())))?;
    Ok(parts.join(separator).into())
}

fn split(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (separator, text) = (call.string(0), call.string(1));
    let most = call.env.limits.elements_of_call();
    let count = if separator.is_empty() { text.chars().count() } else { text.matches(separator).count() + 1 };
    if count > most {
        return Err(FunctionError::new(format!("the result would have more than {most} elements")));
    }
    let parts: Vec<Value> = if separator.is_empty() {
        text.chars().map(|character| Value::from(character.encode_utf8(&mut [0; 4]) as &str)).collect()
    } else {
        text.split(separator).map(Value::from).collect()
    };
    Ok(Value::list(Type::String, parts))
}

fn substr(call: &Call<'_>) -> Result<Value, FunctionError> {
    let text = call.string(0);
    let (mut offset, length) = (whole(call, 1)?, whole(call, 2)?);
    if offset < 0 {
        let total = i64::try_from(count_characters(text)).unwrap_or(i64::MAX);
        // An offset before the beginning means the beginning.
        offset = offset.saturating_add(total).max(0);
    } else if length == 0 {
        return Ok("".into());
    }
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let start = end_of_characters(text, skip);
    let rest = text.get(start..).unwrap_or_default();
    // A length of zero after a negative offset means the rest, as in the reference.
    let Some(length) = usize::try_from(length).ok().filter(|length| *length > 0) else {
        return Ok(rest.into());
    };
    Ok(rest.get(..end_of_characters(rest, length)).unwrap_or_default().into())
}

fn indent(call: &Call<'_>) -> Result<Value, FunctionError> {
    let text = call.string(1);
    let spaces = whole(call, 0)?;
    let Ok(spaces) = usize::try_from(spaces) else {
        return Err(FunctionError::new("the number of spaces must not be negative"));
    };
    let breaks = text.matches('\n').count();
    // The reference makes the spaces even if no line needs them, so their length is checked in any case.
    call.check_length(breaks.max(1).saturating_mul(spaces))?;
    if breaks == 0 {
        return Ok(text.into());
    }
    Ok(text.replace('\n', &format!("\n{}", " ".repeat(spaces))).into())
}

fn startswith(call: &Call<'_>) -> Result<Value, FunctionError> {
    let prefix = call.string(1);
    let ValueKind::Unknown(unknown) = call.argument(0).kind() else {
        return Ok(call.string(0).starts_with(prefix).into());
    };
    let known_prefix = unknown.refinement.prefix.as_deref().unwrap_or_default();
    if known_prefix.starts_with(prefix) {
        return Ok(Value::TRUE);
    }
    if !known_prefix.is_empty() && known_prefix.len() >= prefix.len() {
        return Ok(Value::FALSE);
    }
    Ok(call.unknown())
}

fn trim(call: &Call<'_>) -> Result<Value, FunctionError> {
    // The maximum length of a cutset that is searched anew for each character: with a longer one, this would take time
    // proportional to the product of both lengths.
    const FEW: usize = 32;
    let cutset = call.string(1);
    if cutset.len() <= FEW {
        return Ok(call.string(0).trim_matches(|character| cutset.contains(character)).into());
    }
    let cutset: HashSet<char> = cutset.chars().collect();
    Ok(call.string(0).trim_matches(|character| cutset.contains(&character)).into())
}

fn replace(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (text, wanted, replacement) = (call.string(0), call.string(1), call.string(2));
    let pattern = wanted.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    if let Some(pattern) = pattern {
        return regex::replace_all(call, text, pattern, replacement);
    }
    replace_text(call)
}

fn replace_text(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (text, wanted, replacement) = (call.string(0), call.string(1), call.string(2));
    let occurrences = if wanted.is_empty() { text.chars().count() + 1 } else { text.matches(wanted).count() };
    call.check_length(occurrences.saturating_mul(replacement.len()))?;
    Ok(text.replace(wanted, replacement).into())
}

fn to_upper(text: &str) -> Value {
    match is_ascii(text) {
        true => Value::normal_string(text.to_ascii_uppercase_smolstr()),
        false => with_letters(text, upper),
    }
}

fn to_lower(text: &str) -> Value {
    match is_ascii(text) {
        true => Value::normal_string(text.to_ascii_lowercase_smolstr()),
        false => with_letters(text, lower),
    }
}

/// Returns the text with each character changed.
#[inline(never)]
fn with_letters(text: &str, change: fn(char) -> char) -> Value {
    Value::string(text.chars().map(change).collect::<SmolStr>())
}

/// Returns the upper-case form if it is one character; the few letters with a longer form stay as they are.
fn upper(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    let mut letters = character.to_uppercase();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if !is_newer_case(character) => letter,
        _ => with_iota(character),
    }
}

/// Returns the one-character upper-case form of Greek letters with an iota subscript, beside which they have the usual
/// two-character form.
fn with_iota(character: char) -> char {
    let shift = match character {
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => 8,
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => 9,
        _ => 0,
    };
    char::from_u32(u32::from(character) + shift).unwrap_or(character)
}

/// Returns the one-character lower-case form.
fn lower(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    // The lower-case form of a capital I with a dot has two characters; the first is the simple form.
    character.to_lowercase().next().filter(|_| !is_newer_case(character)).unwrap_or(character)
}

/// Whether Unicode added the character, or its other case, after 15.0, the version of the reference.
fn is_newer_case(character: char) -> bool {
    matches!(
        character,
        '\u{19b}'
            | '\u{264}'
            | '\u{1c89}'..='\u{1c8a}'
            | '\u{a7cb}'..='\u{a7cf}'
            | '\u{a7d2}'..='\u{a7d5}'
            | '\u{a7da}'..='\u{a7dc}'
            | '\u{10d50}'..='\u{10d85}'
            | '\u{16ea0}'..='\u{16ed3}'
    )
}

/// Returns the title-case form of a letter, which differs from upper case for Georgian and for digraphs.
fn title_case(character: char) -> char {
    match character {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => character,
        _ => upper(character),
    }
}

fn title(text: &str) -> Value {
    let mut after_separator = true;
    let change = |character: char| {
        let changed = if after_separator { title_case(character) } else { character };
        after_separator = if character.is_ascii() {
            !character.is_ascii_alphanumeric() && character != '_'
        } else {
            character.is_whitespace()
        };
        changed
    };
    let mut changed = String::with_capacity(text.len());
    changed.extend(text.chars().map(change));
    changed.into()
}

#[cfg(test)]
mod tests {
    use terrane_value::{Number, Type, Value};

    use crate::testing::{call, shown, shown_of};

    fn number(number: i64) -> Value {
        Value::number(Number::literal(number))
    }

    fn list(elements: &[&str]) -> Value {
        Value::list(Type::String, elements.iter().map(|element| Value::from(*element)))
    }

    #[test]
    fn joins_and_splits() {
        assert_eq!(shown("join", [",".into(), list(&["a", "b"]), list(&["c"])]), r#""a,b,c""#);
        assert_eq!(shown("join", ["".into(), list(&["a", "b"])]), r#""ab""#);
        assert_eq!(shown("join", ["\u{e9}".into(), list(&["a", "b"])]), "\"a\u{e9}b\"");
        assert_eq!(shown("join", [", ".into(), list(&["a", "", "b"]), list(&[])]), r#""a, , b""#);
        assert_eq!(shown("join", [", ".into(), list(&[])]), r#""""#);
        assert_eq!(shown("join", [",".into()]), "error");
        let null = Value::list(Type::String, [Value::null(Type::String)]);
        assert_eq!(shown("join", [",".into(), list(&[]), null]), "error 2");
        let unknown = Value::list(Type::String, ["a".into(), Value::unknown(Type::String)]);
        assert_eq!(shown("join", [",".into(), unknown]), "unknown -");
        assert_eq!(shown_of("split", [",", "a,,b"]), r#"["a","","b"]"#);
        assert_eq!(shown_of("split", [",", ""]), r#"[""]"#);
        assert_eq!(
            shown_of("split", ["", "a\u{1f468}\u{200d}\u{1f467}"]),
            "[\"a\",\"\u{1f468}\",\"\u{200d}\",\"\u{1f467}\"]"
        );
        assert_eq!(shown_of("split", ["", ""]), "[]");
    }

    #[test]
    fn substrings() {
        let cases = [
            ("hello", 1, 3, "ell"),
            ("hello", 1, -5, "ello"),
            ("hello", 10, 1, ""),
            ("hello", 5, 1, ""),
            ("hello", 1, 0, ""),
            ("hello", -10, 3, "hel"),
            ("hello", -2, 0, "lo"),
            ("hello", -2, 1, "l"),
            ("", 0, 1, ""),
            ("\u{1f468}\u{200d}\u{1f467}e\u{301}\r\nx", 1, 2, "\u{e9}\r\n"),
            // These characters are one cluster only from Unicode 15.1 on.
            ("\u{915}\u{94d}\u{937}", 0, 1, "\u{915}\u{94d}"),
        ];
        for (text, offset, length, want) in cases {
            let result = call("substr", [text.into(), number(offset), number(length)]).unwrap();
            assert_eq!(result.as_str(), Some(want), "{text} {offset} {length}");
        }
        let half = || Value::number(Number::parse("1.5").unwrap());
        assert_eq!(shown("substr", ["hello".into(), half(), number(1)]), "error");
        assert_eq!(shown("indent", [half(), "a".into()]), "error");
    }

    #[test]
    fn letter_cases() {
        let cases = [
            (
                "upper",
                "\u{1c6} \u{149} \u{1fb3} \u{390} \u{fb00} \u{561} \u{587} \u{10d0} \u{df}",
                "\u{1c4} \u{149} \u{1fbc} \u{390} \u{fb00} \u{531} \u{587} \u{1c90} \u{df}",
            ),
            (
                "lower",
                "\u{130} \u{391}\u{3a3} \u{1c5} \u{1c90} \u{1e9e}",
                "i \u{3b1}\u{3c3} \u{1c6} \u{10d0} \u{df}",
            ),
            ("upper", "\u{19b}", "\u{19b}"),
            (
                "title",
                "foo_bar baz.qux o'neil 3abc \u{e9}a \u{1c6}x \u{10d0} \u{1fb3}",
                "Foo_bar Baz.Qux O'Neil 3abc \u{c9}a \u{1c5}x \u{10d0} \u{1fbc}",
            ),
        ];
        for (name, text, want) in cases {
            assert_eq!(call(name, [text.into()]).unwrap().as_str(), Some(want), "{name} {text}");
        }
    }

    #[test]
    fn ends_of_strings() {
        assert_eq!(shown_of("trimspace", ["\u{a0} x\n\u{2003}"]), r#""x""#);
        assert_eq!(shown_of("chomp", ["a\n b\r\n\r"]), r#""a\n b""#);
        assert_eq!(shown_of("trim", ["?!hello?!", "!?"]), r#""hello""#);
        assert_eq!(shown_of("trimprefix", ["aab", "a"]), r#""ab""#);
        assert_eq!(shown_of("trimsuffix", ["abb", "b"]), r#""ab""#);
        assert_eq!(shown_of("endswith", ["abc", "bc"]), "true");
        assert_eq!(shown_of("strcontains", ["abc", "x"]), "false");
        assert_eq!(shown_of("strrev", ["he\u{301}"]), "\"\u{e9}h\"");
        assert_eq!(shown("indent", [number(2), "a\nb\n".into()]), r#""a\n  b\n  ""#);
        assert_eq!(shown("indent", [number(-1), "a".into()]), "error");
    }

    #[test]
    fn known_beginnings() {
        let text = || Value::unknown(Type::String).with_full_prefix("abc");
        assert_eq!(shown("startswith", [text(), "ab".into()]), "true");
        assert_eq!(shown("startswith", [text(), "x".into()]), "false");
        assert_eq!(shown("startswith", [text(), "abcd".into()]), "unknown -");
        assert_eq!(shown("startswith", [Value::unknown(Type::String), "".into()]), "true");
        assert_eq!(shown("startswith", [Value::unknown(Type::String), "a".into()]), "unknown -");
    }

    #[test]
    fn replacements_without_patterns() {
        assert_eq!(shown_of("replace", ["hello", "", "-"]), r#""-h-e-l-l-o-""#);
        assert_eq!(shown_of("replace", ["a/b", "/", "$1"]), r#""a$1b""#);
    }

    #[test]
    fn results_are_not_endless() {
        let lines = || Value::from("\n".repeat(1000));
        assert_eq!(shown("indent", [number(1 << 40), lines()]), "error");
        assert_eq!(shown("replace", [lines(), "\n".into(), "x".repeat(10_000).into()]), "error");
        assert_eq!(shown("replace", [lines(), "/\n/".into(), "x".repeat(10_000).into()]), "error");
    }
}
