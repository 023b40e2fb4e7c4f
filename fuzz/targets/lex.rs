//! Any bytes: the lexer gives tokens that are in order and cover the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use terrane_source::{FileId, SourceFile};
use terrane_syntax::{LexMode, TokenKind, lex};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = SourceFile::from_bytes(FileId::new("fuzz.tf"), bytes.to_vec()) else { return };
    for mode in [LexMode::Normal, LexMode::Template] {
        let lexed = lex(&source, mode);
        let mut position = 0;
        for token in &lexed.tokens {
            let between = &source.text()[position..token.span().start as usize];
            assert!(between.bytes().all(|byte| b" \t\r\n".contains(&byte)), "{between:?} is in no token");
            position = token.span().end as usize;
        }
        assert_eq!(position, source.text().len());
        assert_eq!(lexed.tokens.last().map(|token| token.kind()), Some(TokenKind::End));
        for diagnostic in &lexed.diagnostics {
            let subject = diagnostic.subject.as_ref().expect("a place");
            assert!(source.text().get(subject.span.range()).is_some());
        }
    }
});
