//! Formats any text that parses: the result has the same tokens, parses, and formats to itself.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::{FormatStyle, LexMode, TokenKind, format, format_part, join_parts, lex};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = SourceFile::from_bytes(FileId::new("fuzz.tf"), bytes.to_vec()) else { return };
    let Ok(once) = format(&source, FormatStyle::LayoutOnly) else { return };
    let formatted = SourceFile::new(source.id().clone(), &*once);
    assert_eq!(tokens(&formatted), tokens(&source));
    assert_eq!(format(&formatted, FormatStyle::LayoutOnly).expect("it parsed"), once);

    // Wherever the text is cut, the parts format to the same text as the whole, or are refused.
    let text = source.text();
    for (offset, _) in text.char_indices().rev().take(64) {
        let parts = [&text[..offset], &text[offset..]];
        let parts = parts.map(|part| format_part(source.id(), part, FormatStyle::LayoutOnly));
        assert!(join_parts(parts.into()).is_none_or(|joined| joined == once), "cut at {offset}");
    }

    let rewritten = format(&source, FormatStyle::Terraform).expect("it parsed");
    let rewritten = SourceFile::new(source.id().clone(), rewritten);
    format(&rewritten, FormatStyle::Terraform).expect("the formatted text parses");
});

fn tokens(source: &Arc<SourceFile>) -> Vec<(TokenKind, &str)> {
    let lexed = lex(source, LexMode::Normal);
    lexed.tokens.iter().map(|token| (token.kind(), source.slice(token.span()))).collect()
}
