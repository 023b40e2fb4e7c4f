//! Compares every file of `tests/format` with the expected file beside it, which the reference wrote, and checks properties of
//! any text.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_source::{FileId, Files as _, OsFiles, SourceFile};
use terrane_syntax::{FormatStyle, LexMode, Token, TokenKind, format, lex};

const STYLES: [FormatStyle; 2] = [FormatStyle::LayoutOnly, FormatStyle::Terraform];

#[test]
fn layout_is_that_of_the_reference() {
    for path in inputs("format/layout") {
        for style in STYLES {
            assert_eq!(formatted(&read(&path), style), expected(&path), "{} {style:?}", path.display());
        }
    }
}

#[test]
fn rewrites_are_those_of_the_reference() {
    for path in inputs("format/terraform") {
        let (text, expected) = (read(&path), expected(&path));
        assert_eq!(formatted(&text, FormatStyle::Terraform), expected, "{}", path.display());
        assert_ne!(formatted(&text, FormatStyle::LayoutOnly), expected, "{}", path.display());
    }
}

#[test]
fn formatted_text_stays_as_it_is() {
    for path in all_inputs() {
        for style in STYLES {
            let once = formatted(&read(&path), style);
            assert_eq!(formatted(&once, style), once, "{} {style:?}", path.display());
        }
    }
}

#[test]
fn only_white_space_between_tokens_changes() {
    for path in all_inputs() {
        let text = read(&path);
        let formatted = formatted(&text, FormatStyle::LayoutOnly);
        assert_eq!(tokens(&formatted), tokens(&text), "{}", path.display());
    }
}

#[test]
fn white_space_between_tokens_does_not_matter() {
    let mut random = 1_u32;
    for path in all_inputs() {
        let text = read(&path);
        let expected = formatted(&text, FormatStyle::LayoutOnly);
        for _ in 0..20 {
            let spaced = respaced(&source(&text), &mut random);
            assert_eq!(
                formatted(&spaced, FormatStyle::LayoutOnly),
                expected,
                "{}:\n{spaced}",
                path.display()
            );
        }
    }
}

#[test]
fn one_layer_of_quotes_is_removed_at_a_time() {
    assert_eq!(formatted("a=\"${\"${b}\"}\"\n", FormatStyle::Terraform), "a = \"${b}\"\n");
}

/// The reference loses these labels and keys.
#[test]
fn nothing_is_lost() {
    let text = "block \"a$b\" \"%%{c}\" {\n  a = b[true][null]\n}\n";
    assert_eq!(formatted(text, FormatStyle::Terraform), text);
}

/// The reference leaves out the parentheses, and its output does not parse.
#[test]
fn values_over_lines_keep_together() {
    for (value, expected) in [
        ("b # c\n + d", "(b # c\n+ d)"),
        ("# c\nb", "( # c\nb)"),
        ("(b) +\n(c)", "((b) +\n(c))"),
        ("b ?\n c : <<E\nx\nE\n", "(b ?\n  c : <<E\nx\nE\n)"),
    ] {
        let text = format!("a = \"${{{value}}}\"\n");
        let expected = format!("a = {expected}\n");
        assert_eq!(formatted(&text, FormatStyle::Terraform), expected);
        assert_eq!(formatted(&expected, FormatStyle::Terraform), expected);
    }
    for (text, expected) in [
        ("a = \"${<<E\nx\nE\n}\" # c\n", "a = (<<E\nx\nE\n) # c\n"),
        ("a = \"${<<E\nx\nE\n}\"", "a = (<<E\nx\nE\n)"),
        ("a { b = \"${c # d\n}\" }\n", "a { b = (c # d\n) }\n"),
        ("a = \"${b # c\n}\" # d\n", "a = b # c\n# d\n"),
    ] {
        assert_eq!(formatted(text, FormatStyle::Terraform), expected);
    }
}

/// The reference writes `a.0.1`, which is a number behind a dot.
#[test]
fn a_dot_and_two_numbers_stay_apart() {
    assert_eq!(formatted("a = b . 0 . x\n", FormatStyle::LayoutOnly), "a = b.0.x\n");
    assert_eq!(formatted("a = b . 0 . 1\n", FormatStyle::LayoutOnly), "a = b.0. 1\n");
}

#[test]
fn text_that_does_not_parse_is_refused() {
    for style in STYLES {
        let errors = format(&source("a = [1\n"), style).unwrap_err();
        assert_eq!(errors.first().unwrap().title(), "Unterminated tuple constructor expression");
    }
}

#[test]
fn alignment_cannot_fill_the_memory() {
    let long = format!("{} = 1\n", "a".repeat(100_000));
    let short: String = (0..10_000).map(|number| format!("a{number} = 1\n")).collect();
    let errors = format(&source(&format!("{long}{short}")), FormatStyle::LayoutOnly).unwrap_err();
    assert_eq!(errors.first().unwrap().title(), "Limit exceeded");
}

/// One file consists of one line, the other of lines that are all aligned with each other. Quadratic work would not end.
#[test]
fn large_files_are_formatted() {
    let line = format!("a=[{}]\n", "1,".repeat(500_000));
    assert_eq!(formatted(&line, FormatStyle::LayoutOnly).len(), line.len() + 2 + 500_000);
    let aligned: String = (0..100_000).map(|number| format!("a{number}=1#\n")).collect();
    assert!(formatted(&aligned, FormatStyle::Terraform).starts_with("a0     = 1 #\na1     = 1 #\n"));
    let unwrapped: String = (0..50_000).map(|number| format!("a{number}=\"${{b}}\"\n")).collect();
    assert!(formatted(&unwrapped, FormatStyle::Terraform).ends_with("a49999 = b\n"));
}

fn source(text: &str) -> Arc<SourceFile> {
    SourceFile::new(FileId::new("test.tf"), text)
}

#[track_caller]
fn formatted(text: &str, style: FormatStyle) -> String {
    format(&source(text), style).unwrap()
}

fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let source = source(text);
    let token = |token: &Token| (token.kind(), source.slice(token.span()).to_owned());
    lex(&source, LexMode::Normal).tokens.iter().map(token).collect()
}

/// Returns the text with other spaces in place of existing ones, except behind the last token.
fn respaced(source: &Arc<SourceFile>, random: &mut u32) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in lex(source, LexMode::Normal).tokens {
        let gap = source.text().get(end..token.span().start as usize).unwrap();
        *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let other = [" ", "  ", "\t", " \t   "].get((*random >> 30) as usize).unwrap();
        text.push_str(if gap.is_empty() || token.kind() == TokenKind::End { gap } else { other });
        text.push_str(source.slice(token.span()));
        end = token.span().end as usize;
    }
    text
}

fn all_inputs() -> Vec<PathBuf> {
    ["format/layout", "format/terraform", "parser/ok"].into_iter().flat_map(inputs).collect()
}

fn inputs(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let entries = OsFiles.list(&directory).unwrap();
    let paths = entries.iter().map(|entry| directory.join(&entry.name));
    let inputs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "hcl")).collect();
    assert!(!inputs.is_empty(), "no inputs in {}", directory.display());
    inputs
}

fn read(path: &Path) -> String {
    String::from_utf8(OsFiles.read(path).unwrap()).unwrap()
}

fn expected(path: &Path) -> String {
    read(&path.with_extension("expected"))
}
