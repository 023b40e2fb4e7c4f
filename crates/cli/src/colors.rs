//! Expressions, values and differences in colours.

use std::borrow::Cow;

use terrane::source::{FileId, SourceFile};
use terrane::syntax::{LexMode, TokenKind, lex};

const RESET: &str = "\u{1b}[0m";
const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";

/// The text between the values before and after.
const ARROW: &str = " -> ";

/// The note on an argument whose change replaces its object.
const REPLACES: &str = " # forces replacement";
/// The longest text with colours. Nobody reads longer texts for their colours.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// Returns `text` with its tokens in colours.
pub(crate) fn colored(text: &str) -> Cow<'_, str> {
    if text.len() > LONGEST_TEXT {
        return Cow::Borrowed(text);
    }
    let source = SourceFile::new(FileId::new("<console>"), text);
    let tokens = lex(&source, LexMode::Normal).tokens;
    let mut out = String::with_capacity(text.len() * 2);
    let mut end = 0;
    for (index, token) in tokens.iter().enumerate() {
        let span = token.span().range();
        let is_call = tokens.get(index + 1).is_some_and(|next| next.kind() == TokenKind::OpenParen);
        let word = source.slice(token.span());
        out.push_str(text.get(end..span.start).unwrap_or_default());
        match color(token.kind(), word, is_call) {
            Some(color) => {
                out.push_str(color);
                out.push_str(word);
                out.push_str(RESET);
            }
            None => out.push_str(word),
        }
        end = span.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(out)
}

/// Returns a difference whose lines have the colours of their signs, as `git diff` prints it: `+` added, `-` removed, `~`
/// changed, `>` moved.
pub(crate) fn colored_diff(diff: &str) -> String {
    let line = |line: &str| {
        let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
        let color = match text.get(..1) {
            _ if text.starts_with("--- ") || text.starts_with("+++ ") => "\u{1b}[1m",
            Some("-") => "\u{1b}[31m",
            Some("+") => "\u{1b}[32m",
            Some("~" | "?") => "\u{1b}[33m",
            Some("@" | ">") => "\u{1b}[36m",
            Some(_) | None => return line.to_owned(),
        };
        format!("{color}{text}{RESET}{end}")
    };
    diff.split_inclusive('\n').map(line).collect()
}

/// Returns a plan with its signs in colours, as `terraform plan` prints it: `+` green, `-` red, `~` and `->` yellow, `<=` cyan.
/// Addresses in headings are bold.
pub(crate) fn colored_plan(plan: &str) -> String {
    let line = |line: &str| {
        let (indent, text) = line.split_at(line.len() - line.trim_start().len());
        let (text, end) = text.strip_suffix('\n').map_or((text, ""), |text| (text, "\n"));
        let colored = match heading(text) {
            Some(heading) => heading,
            None => signed(text),
        };
        [indent, &colored, end].concat()
    };
    plan.split_inclusive('\n').map(line).collect()
}

/// Returns a heading of a plan in colours. `None` if the line is no heading.
fn heading(text: &str) -> Option<String> {
    const HEADINGS: [&str; 3] = ["Plan: ", "Changes to Outputs:", "Resource actions:"];
    if HEADINGS.iter().any(|start| text.starts_with(start)) {
        return Some(format!("{BOLD}{text}{RESET}"));
    }
    let heading = text.strip_prefix("# ")?;
    let at = [" will be ", " must be ", " will no longer be "].iter().find_map(|verb| heading.find(verb))?;
    let (address, action) = heading.split_at_checked(at)?;
    let action = match action.rsplit_once(' ') {
        Some((start, word @ ("destroyed" | "replaced"))) if !action.contains(" not ") => {
            format!("{start} {BOLD}{RED}{word}{RESET}")
        }
        Some(_) | None => action.to_owned(),
    };
    Some(format!("{BOLD}# {address}{RESET}{action}"))
}

/// Returns a line of a plan with its sign, its arrow and its note in colours.
fn signed(text: &str) -> String {
    let signs = [
        ("-/+ ", "\u{1b}[31m-\u{1b}[0m/\u{1b}[32m+\u{1b}[0m "),
        ("+/- ", "\u{1b}[32m+\u{1b}[0m/\u{1b}[31m-\u{1b}[0m "),
        ("+ ", "\u{1b}[32m+\u{1b}[0m "),
        ("- ", "\u{1b}[31m-\u{1b}[0m "),
        ("~ ", "\u{1b}[33m~\u{1b}[0m "),
        ("<= ", "\u{1b}[36m<=\u{1b}[0m "),
    ];
    let found = signs.iter().find_map(|(sign, colored)| Some((*colored, text.strip_prefix(sign)?)));
    let (sign, rest) = found.unwrap_or(("", text));
    let (rest, remark) = match rest.strip_suffix(REPLACES) {
        Some(rest) => (rest, format!(" {RED}{}{RESET}", REPLACES.trim_start())),
        None => (rest, String::new()),
    };
    let rest = match arrow(rest).and_then(|at| rest.split_at_checked(at)) {
        Some((before, after)) => {
            let after = after.strip_prefix(ARROW).unwrap_or(after);
            Cow::Owned(format!("{before} {YELLOW}->{RESET} {after}"))
        }
        None => Cow::Borrowed(rest),
    };
    [sign, &rest, &remark].concat()
}

/// Returns the position of the arrow between two values. Arrows in strings do not count.
fn arrow(text: &str) -> Option<usize> {
    let mut is_in_string = false;
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !is_escaped => is_in_string = !is_in_string,
            ' ' if !is_in_string && text.get(at..).is_some_and(|rest| rest.starts_with(ARROW)) => {
                return Some(at);
            }
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    None
}

fn color(kind: TokenKind, word: &str, is_call: bool) -> Option<&'static str> {
    match kind {
        TokenKind::OpenQuote
        | TokenKind::CloseQuote
        | TokenKind::OpenHeredoc
        | TokenKind::CloseHeredoc
        | TokenKind::QuotedText
        | TokenKind::TemplateText => Some("\u{1b}[32m"),
        TokenKind::Number => Some("\u{1b}[36m"),
        TokenKind::Comment => Some("\u{1b}[2m"),
        TokenKind::Ident if matches!(word, "true" | "false" | "null") => Some("\u{1b}[36m"),
        TokenKind::Ident if matches!(word, "for" | "in" | "if" | "else" | "endif" | "endfor") => {
            Some("\u{1b}[35m")
        }
        TokenKind::Ident if is_call => Some("\u{1b}[34m"),
        TokenKind::OpenInterpolation | TokenKind::OpenDirective | TokenKind::CloseSequence => {
            Some("\u{1b}[35m")
        }
        TokenKind::Invalid => Some("\u{1b}[31m"),
        TokenKind::Ident
        | TokenKind::Newline
        | TokenKind::OpenBrace
        | TokenKind::CloseBrace
        | TokenKind::OpenBracket
        | TokenKind::CloseBracket
        | TokenKind::OpenParen
        | TokenKind::CloseParen
        | TokenKind::Assign
        | TokenKind::Arrow
        | TokenKind::Equal
        | TokenKind::NotEqual
        | TokenKind::Less
        | TokenKind::LessOrEqual
        | TokenKind::Greater
        | TokenKind::GreaterOrEqual
        | TokenKind::And
        | TokenKind::Or
        | TokenKind::Not
        | TokenKind::Plus
        | TokenKind::Minus
        | TokenKind::Star
        | TokenKind::Slash
        | TokenKind::Percent
        | TokenKind::Question
        | TokenKind::Colon
        | TokenKind::DoubleColon
        | TokenKind::Comma
        | TokenKind::Dot
        | TokenKind::Ellipsis
        | TokenKind::End => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_coloured_signs() {
        let colored = colored_plan(
            "  # a.b will be created\n  + resource {\n      ~ x = \"- -> y\" -> 2 # forces replacement\n -/+ z\nPlan: 1 to add.\n  \
             # a.c will be destroyed\n",
        );
        let bold = |text: &str| format!("{BOLD}{text}{RESET}");
        let expected = format!(
            "  {} will be created\n  \u{1b}[32m+{RESET} resource {{\n      {YELLOW}~{RESET} x = \"- -> y\" {YELLOW}->{RESET} 2 \
             {RED}# forces replacement{RESET}\n {RED}-{RESET}/\u{1b}[32m+{RESET} z\n{}\n  {} will be {BOLD}{RED}destroyed{RESET}\n",
            bold("# a.b"),
            bold("Plan: 1 to add."),
            bold("# a.c"),
        );
        assert_eq!(colored, expected);
    }

    #[test]
    fn only_colours_are_added() {
        for text in
            ["[for x in f(\"a${1}\") : x] # c", "{\n  \"a\" = <<-EOT\n  x\n  EOT\n}", "\u{e9} = §", "a\n "]
        {
            let colored = colored(text);
            assert!(colored.contains('\u{1b}') || text == "a\n ", "{text}");
            let plain: String = colored
                .split('\u{1b}')
                .enumerate()
                .map(
                    |(index, part)| {
                        if index == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) }
                    },
                )
                .collect();
            assert_eq!(plain, text);
        }
    }
}
