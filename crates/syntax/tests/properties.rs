//! Laws that hold for every text, checked on texts generated at random from a fixed seed.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod dump;
mod invariants;

use terrane_source::{FileId, SourceFile};
use terrane_syntax::{FormatStyle, Token, TokenKind, format, format_part, join_parts, parse_body, parts_of};

const FILES: [&str; 5] = [
    include_str!("parser/ok/expressions.hcl"),
    include_str!("parser/ok/templates.hcl"),
    include_str!("parser/ok/blocks.hcl"),
    include_str!("parser/err/recovery.hcl"),
    include_str!("parser/err/templates.hcl"),
];

/// The pieces of generated texts.
const PIECES: [&str; 62] = [
    "a", "b-c", "été", "for", "in", "if", "else", "endif", "endfor", "null", "true", "0", "1.5", "1e3",
    "1.2.3", " ", "  ", "\t", "\n", "\r\n", "\r", "(", ")", "[", "]", "{", "}", "\"", "${", "${~", "%{",
    "%{~", "~}", "$${", "%%{", "$", "%", "<<A\n", "<<-B\n", "\nA\n", "\n  B\n", "\\", "\\n", "\\u00e9", "=",
    "==", "=>", "?", ":", "::", ",", ".", "...", ".*", "[*]", "+", "!", "#", "//", "/*", "*/", "'",
];

/// A small generator of pseudo-random numbers, so that every run tries the same texts.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn piece(&mut self) -> &'static str {
        PIECES[self.below(PIECES.len())]
    }

    /// Returns an offset between two characters.
    fn offset(&mut self, text: &str) -> usize {
        let mut offset = self.below(text.len() + 1);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn check(text: String) {
    invariants::check(&SourceFile::new(FileId::new("random.tf"), text));
}

#[test]
fn spans_nest_and_cover_in_any_text() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let count = random.below(40);
        check((0..count).map(|_| random.piece()).collect());
    }
}

#[test]
fn spans_nest_and_cover_in_files_with_mistakes() {
    let mut random = Random(2);
    for _ in 0..1_000 {
        let mut text = FILES[random.below(FILES.len())].to_owned();
        for _ in 0..=random.below(3) {
            let start = random.offset(&text);
            let mut end = (start + random.below(6)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, random.piece());
        }
        check(text);
    }
}

#[test]
fn comments_and_blank_lines_do_not_change_the_tree() {
    let mut random = Random(3);
    for file in FILES.into_iter().take(3).chain([include_str!("parser/ok/crlf.hcl")]) {
        let source = SourceFile::new(FileId::new("plain.tf"), file);
        let parsed = parse_body(&source);
        assert!(parsed.diagnostics.is_empty());
        let plain = without_spans(&dump::body(&parsed.tree, parsed.root));
        for _ in 0..50 {
            let text = with_comments(source.text(), &parsed.tokens, &mut random);
            let commented = parse_body(&SourceFile::new(FileId::new("commented.tf"), text.as_str()));
            assert_eq!(dump::diagnostics(&commented.diagnostics), "", "{text}");
            assert_eq!(without_spans(&dump::body(&commented.tree, commented.root)), plain, "{text}");
        }
    }
}

/// Items, and lines that are not complete items.
const LINES: [&str; 30] = [
    "\n",
    "\n",
    "\r\n",
    "a = 1\n",
    "longer = 1\n",
    "a=\"${b}\" # c\n",
    "b = {\n",
    "b {\n",
    "c \"d\" {\n",
    "}\n",
    "}\n",
    "}\n",
    "  \n",
    "  indented = 2\n",
    "e = [\n",
    "]\n",
    "f = <<A\n",
    "A\n",
    "text ${g(\n",
    ")}\n",
    "/*\n",
    "*/\n",
    "# h\n",
    "i {}\n",
    "j { k = \"\" }\n",
    "variable l {\n",
    "type = \"list\"\n",
    "m = \"${<<A\n",
    "n = (\n",
    "}\"\n",
];

#[test]
fn a_text_formatted_in_parts_is_that_formatted_as_a_whole() {
    let mut random = Random(4);
    let mut joined = 0;
    for _ in 0..20_000 {
        let count = random.below(9);
        let text: String = (0..count).map(|_| LINES[random.below(LINES.len())]).collect();
        let source = SourceFile::new(FileId::new("random.tf"), text.as_str());
        for style in [FormatStyle::Terraform, FormatStyle::LayoutOnly] {
            let whole = format(&source, style).ok();
            let anywhere = text.split_at(random.offset(&text));
            let mut cuts = vec![vec![anywhere.0, anywhere.1]];
            cuts.extend([2, 3].map(|parts| parts_of(&text, parts)));
            for parts in cuts {
                assert_eq!(parts.concat(), text);
                let formatted = parts.iter().map(|part| format_part(source.id(), part, style));
                if let Some(text) = join_parts(formatted.collect()) {
                    joined += usize::from(parts.len() > 1);
                    assert_eq!(Some(text), whole, "{parts:?}");
                }
            }
        }
    }
    assert!(joined > 300, "{joined}");
}

/// Returns a dump without the span at the end of each line.
fn without_spans(dump: &str) -> String {
    dump.lines().filter_map(|line| line.rsplit_once(' ')).map(|(text, _)| format!("{text}\n")).collect()
}

/// Returns `text` with comments and blank lines at random places outside of template text.
fn with_comments(text: &str, tokens: &[Token], random: &mut Random) -> String {
    let mut commented = String::new();
    let mut position = 0;
    // For each open template or sequence, whether it is a template.
    let mut open = Vec::new();
    let mut before = TokenKind::Newline;
    for token in tokens {
        let (kind, span) = (token.kind(), token.span());
        commented.push_str(&text[position..span.start as usize]);
        // Behind a comment, another comment would continue it; behind a marker, a comment would change the marker.
        let is_bound = matches!(before, TokenKind::Comment | TokenKind::CloseHeredoc);
        if open.last() != Some(&true) && !is_bound {
            match random.below(6) {
                0 => commented.push_str("/* a\n} b */"),
                1 if kind == TokenKind::Newline => commented.push_str("# \"${ c"),
                2 if kind == TokenKind::Newline => commented.push_str("// (\r"),
                3 if before == TokenKind::Newline => commented.push_str(" \n\t\r\n# d\n"),
                _ => {}
            }
        }
        commented.push_str(&text[span.range()]);
        if matches!(kind, TokenKind::OpenQuote | TokenKind::OpenHeredoc) {
            open.push(true);
        } else if matches!(kind, TokenKind::OpenInterpolation | TokenKind::OpenDirective) {
            open.push(false);
        } else if matches!(kind, TokenKind::CloseQuote | TokenKind::CloseHeredoc | TokenKind::CloseSequence) {
            open.pop();
        }
        position = span.end as usize;
        before = kind;
    }
    commented
}
