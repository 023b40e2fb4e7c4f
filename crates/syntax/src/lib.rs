//! HCL native syntax: text to tree. The JSON syntax is in [`json`].
//!
//! Reading order: [`Token`] (kinds of token), [`lex`] (the mode-stack lexer), [`Tree`] and [`Expr`] (the
//! one syntax tree), the parser behind [`parse_body`], [`parse_expr`] and [`parse_template`], the formatter behind
//! [`format()`].
//!
//! Parsing never fails: invalid text becomes [`Expr::Missing`] and a diagnostic.
//!
//! ```
//! use terrane_source::{FileId, SourceFile};
//! use terrane_syntax::parse_body;
//!
//! let source = SourceFile::new(FileId::new("main.tf"), "region = \"eu\"\nsize   = [1, 2\n");
//! let parsed = parse_body(&source);
//! let names: Vec<&str> = parsed.tree.attributes(parsed.root).map(|a| parsed.tree.name(a)).collect();
//! assert_eq!(names, ["region", "size"]);
//! assert_eq!(parsed.diagnostics[0].title(), "Unterminated tuple constructor expression");
//! ```

mod at_offset;
mod block_types;
mod decode;
mod escape;
mod excerpt;
mod file_name;
mod format;
pub mod json;
mod lexer;
mod limits;
pub mod line;
mod parsed_source;
mod parser;
mod queries;
mod quoted;
mod secret_declarations;
mod secrets;
mod token;
pub mod tree;
pub mod walk;

pub use block_types::{MODULE_BLOCKS, TEMPLATE_BLOCKS, is_block_type, is_part_of_name};
pub use decode::{decode_damaged, decode_native};
pub use file_name::{is_for_opentofu, is_hcl_file, is_hidden_or_backup, is_json_file};
pub use format::{
    FormatStyle, FormattedPart, format, format_part, join_parts, laid_out, parts_of, write_quoted,
};
pub use json::parse_json;
pub use lexer::{LexMode, Lexed, NAME_RULE, is_identifier, lex};
pub use parsed_source::{ParsedSource, Syntax};
pub use parser::{PARTS_OF_VARIABLES, parse_body, parse_expr, parse_template, parse_values};
pub use quoted::parse_quoted;
pub use secret_declarations::SecretDeclarations;
pub use secrets::{
    SENSITIVE_FUNCTION, error_places, hide_literals, hide_names_in_sensitive_calls, hide_secret,
    secret_literals,
};
pub use token::{Token, TokenKind};
pub use tree::{Expr, ExprId, Expression, Parsed, Tree};
