//! Hostile inputs that consist of one kind of text, nested, repeated or long, for each pass from bytes to messages.

use crate::cases::Case;

const CHECK: &[&str] = &["check"];
const DEPTH: usize = 200_000;
/// The size of a text, slightly below the limit on configuration.
const BYTES: usize = 4_150_000;

/// Returns a case for each text.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{a=", "1", "}"),
        ("f(", "1", ")"),
        ("a[", "1", "]"),
        ("\"${", "1", "}\""),
        ("a ? ", "1", " : 2"),
        ("a ? 1 : ", "1", ""),
        ("[for a in ", "b", " : a]"),
        ("{for a in ", "b", " : a => a}"),
        ("!", "true", ""),
        ("-", "1", ""),
        ("(a[*].b[", "1", "])"),
        ("[", "a", "].*.b[0]"),
        ("<<A\n${", "1", "}\nA\n"),
        ("\"%{if a}", "1", "%{endif}\""),
        ("\"%{for a in ", "b", "}%{endfor}\""),
    ] {
        cases.push(Case::module(format!("200,000 nested {open:?}"), CHECK, move || {
            format!("x = {}{inner}{}\n", open.repeat(DEPTH), close.repeat(DEPTH))
        }));
        cases.push(Case::module(format!("200,000 open {open:?}"), CHECK, move || {
            format!("x = {}", open.repeat(DEPTH))
        }));
    }
    cases.push(Case::module("200,000 nested blocks", CHECK, || "a {\n".repeat(DEPTH) + &"}\n".repeat(DEPTH)));
    cases.push(Case::module("200,000 open blocks", CHECK, || "a {\n".repeat(DEPTH)));
    for unit in [
        "\"",
        "\"\n",
        "'",
        "'a' ",
        "\"${",
        "${",
        "}",
        ")",
        "a = 1 ",
        "a = \u{e9} ",
        "\u{1f600}",
        "@",
        "/*",
        "~}",
        "\\",
        "<<A\n",
        "<<A\n${",
        "a = [1 2]\n",
        "a=\"b\n",
        "a = 'b'\n",
        "a {",
        "a = b = c\n",
        "x = \"%{ elseif }\"\n",
        "\r",
        "\0",
        "a.",
        "a[",
        "1.",
        "a::",
        "x = <<A\nA)\n",
        " ",
        "\t{",
    ] {
        let count = 1_000_000.min(BYTES / unit.len());
        cases.push(Case::module(format!("{count} times {unit:?}"), CHECK, move || unit.repeat(count)));
    }
    for (name, start, unit, end) in [
        ("a string", "a = \"", "x", "\"\n"),
        ("a string that is not closed", "a = \"", "x", ""),
        ("a list", "a = [", "\"some text\", ", "]\n"),
        ("a list of mistakes", "", "a = [1 2] @ ", "\n"),
        ("a heredoc that is not closed", "a = <<EOT\n", "line\n", ""),
        ("a heredoc of one line that is not closed", "a = <<EOT\n", "line ", ""),
        ("a comment that is not closed", "/*", " text", ""),
        ("escapes", "a = \"", "\\n\\q", "\"\n"),
        ("wide characters and a mistake", "a = \"", "漢", "\" @ 1 2\n"),
        ("combining marks and mistakes", "", "e\u{301} = 'x' ", ""),
        ("a name", "", "a", " = 1"),
        ("a number", "a = ", "1", "\n"),
    ] {
        cases.push(Case::module(format!("4 MB: {name}"), CHECK, move || {
            format!("{start}{}{end}", unit.repeat(BYTES / unit.len()))
        }));
    }
    cases
}
