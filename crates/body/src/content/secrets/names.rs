//! The names that tell which text of a body is a secret.

/// The names of a body that may contain secrets.
#[derive(Clone, Copy)]
pub struct SecretNames<'n> {
    /// Whether an argument with this name is a secret.
    pub is_secret: &'n dyn Fn(&str) -> bool,
    /// Whether the body has arguments with this name.
    pub is_argument: &'n dyn Fn(&str) -> bool,
    /// Whether the body has blocks of this type, whose content is hidden apart if it has secrets.
    pub is_block: &'n dyn Fn(&str) -> bool,
    /// Whether a reference or a call of a function begins with this word. Another word may be a value without its quotes.
    pub is_word: &'n dyn Fn(&str) -> bool,
}
