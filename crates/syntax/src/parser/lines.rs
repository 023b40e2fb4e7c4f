//! Finds the lines that start a block of a known type or an argument. After a syntax error, parsing can continue there.

use terrane_source::Span;

use crate::block_types::{block_types, starts_block};
use crate::line::{opened_heredoc, starts_argument};
use crate::{Token, TokenKind};

/// Returns the starts of the pieces of a text: its start, and each line that starts a block. Lines in comments and heredocs,
/// which `tokens` tell, start no piece.
pub(super) fn block_starts(text: &str, tokens: &[Token]) -> Vec<u32> {
    starts(text, tokens, starts_block)
}

/// Returns the starts of the pieces of a variable file: its start, and each line that starts an argument without indentation.
pub(super) fn argument_starts(text: &str, tokens: &[Token]) -> Vec<u32> {
    starts(text, tokens, starts_argument)
}

fn starts(text: &str, tokens: &[Token], is_start: impl Fn(&str) -> bool) -> Vec<u32> {
    let mut hidden = hidden(text, tokens).into_iter().peekable();
    let mut starts = vec![0];
    let mut offset = 0_u32;
    for line in text.split_inclusive('\n') {
        while hidden.next_if(|span| span.end <= offset).is_some() {}
        let is_hidden = hidden.peek().is_some_and(|span| span.start < offset);
        if offset > 0 && !is_hidden && is_start(line) {
            starts.push(offset);
        }
        offset += u32::try_from(line.len()).unwrap_or(u32::MAX);
    }
    starts
}

/// Returns the comments and heredocs of several lines that are closed.
fn hidden(text: &str, tokens: &[Token]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut heredocs = Vec::new();
    for token in tokens {
        let kind = token.kind();
        if kind == TokenKind::Comment {
            spans.push(token.span());
        } else if kind == TokenKind::OpenHeredoc {
            heredocs.push(token.span());
        } else if kind == TokenKind::CloseHeredoc {
            let open = heredocs.pop().filter(|_| heredocs.is_empty() && !token.span().is_empty());
            spans.extend(open.map(|open| last_heredoc(text, open.to(token.span()))));
        }
    }
    spans
}

/// Returns the part of a heredoc from its last line that opens a heredoc with the same marker. The lines before it belong to another
/// heredoc, whose own marker is missing.
fn last_heredoc(text: &str, heredoc: Span) -> Span {
    let content = text.get(heredoc.range()).unwrap_or_default();
    let marker = content.trim_end().rsplit('\n').next().unwrap_or_default().trim();
    let mut start = heredoc.start;
    let mut offset = heredoc.start;
    for line in content.split_inclusive('\n') {
        start = if opened_heredoc(line) == Some(marker) { offset } else { start };
        offset += u32::try_from(line.len()).unwrap_or(u32::MAX);
    }
    Span::new(start, heredoc.end)
}

/// Whether the type of a block begins with a word.
pub(super) fn begins_block_type(word: &str) -> bool {
    block_types().any(|block_type| block_type.starts_with(word))
}

#[cfg(test)]
mod tests {
    use terrane_source::{FileId, SourceFile};

    use super::*;
    use crate::lexer::lex_part;

    fn tokens(text: &str) -> Vec<Token> {
        let source = SourceFile::new(FileId::new("main.tf"), text);
        lex_part(&source, Span::new(0, u32::try_from(text.len()).unwrap())).tokens
    }

    fn starts_of_blocks(text: &str) -> Vec<u32> {
        block_starts(text, &tokens(text))
    }

    #[test]
    fn a_line_with_a_known_header_starts_a_piece() {
        let text =
            "locals {\n}\nresource \"a\" b {\n lifecycle {\n }\n}\nlifecycle {\nvariable \"x\"\ncheck = {\n";
        assert_eq!(starts_of_blocks(text), [0, 11]);
        assert_eq!(starts_of_blocks("\noutput \"o\" { value = 1 }\n"), [0, 1]);
    }

    #[test]
    fn a_line_with_an_argument_starts_a_piece_of_a_file_of_values() {
        let starts = |text: &str| argument_starts(text, &tokens(text));
        assert_eq!(starts("a = 1\nb_c-2=[\n  d = 1\n]\ne == 1\nf => 1\n = 1\ng =\n"), [0, 6, 43]);
        assert_eq!(starts("a = <<E\nb = 1\nE\nc = 1\n"), [0, 16]);
    }

    #[test]
    fn comments_and_heredocs_start_nothing() {
        assert_eq!(starts_of_blocks("/*\nlocals {\n}\n*/\nlocals {\n}\n"), [0, 17]);
        assert_eq!(starts_of_blocks("a = <<EOT\nlocals {\n}\nEOT\nlocals {\n}\n"), [0, 25]);
        assert_eq!(starts_of_blocks("a = <<EOT\nlocals {\n}\n"), [0, 10]);
    }

    #[test]
    fn a_broken_heredoc_hides_no_block_behind_it() {
        for opener in ["${ b", "%{ if b", "${ foo(", "${ \"${"] {
            let text = format!("locals {{\n  a = <<-A\n  {opener}\n  A\n}}\n");
            let behind = "locals {\n  a = <<-A\n  locals {\n  A\n}\n";
            let starts = [0, u32::try_from(text.len()).unwrap()];
            assert_eq!(starts_of_blocks(&format!("{text}{behind}")), starts, "{opener}");
        }
        // A heredoc without its marker ends before the next one.
        assert_eq!(starts_of_blocks("a = <<E\n}\nlocals {\n  b = <<-E\nlocals {\n}\n  E\n"), [0, 10]);
    }
}
