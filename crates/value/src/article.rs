//! Indefinite articles before the names of types and kinds in messages, and numbers with their nouns.

/// The beginnings of nouns with a vowel that is not spoken as one, such as `unique` and `one`.
const SPOKEN_AS_CONSONANTS: [&str; 7] = ["one", "uni", "uri", "url", "use", "util", "uuid"];

/// Returns the indefinite article before a noun, which may be in backquotes: "a" or "an".
///
/// ```
/// use terrane_value::article;
///
/// assert_eq!(["list of string", "object", "`output`", "url"].map(article), ["a", "an", "an", "a"]);
/// ```
pub fn article(noun: &str) -> &'static str {
    let noun = noun.trim_start_matches('`');
    let has_vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    let is_spoken = !SPOKEN_AS_CONSONANTS.iter().any(|beginning| noun.starts_with(beginning));
    if has_vowel && is_spoken { "an" } else { "a" }
}

/// Returns the indefinite article before a noun at the start of a sentence: "A" or "An".
pub fn leading_article(noun: &str) -> &'static str {
    if article(noun) == "an" { "An" } else { "A" }
}

/// Returns a noun with its indefinite article: "an object".
pub fn with_article(noun: &str) -> String {
    format!("{} {noun}", article(noun))
}

/// Returns a number of things: "1 value", "2 values".
///
/// ```
/// use terrane_value::counted;
///
/// assert_eq!([0, 1, 2].map(|count| counted(count, "file")), ["0 files", "1 file", "2 files"]);
/// ```
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
