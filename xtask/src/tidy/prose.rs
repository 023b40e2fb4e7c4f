//! Comments, pages and messages name their subject: few sentences hide it behind "what" or "that which", and no comment begins
//! with "The same" unless it names the thing that is the same.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use super::links::prose;
use super::{File, files_with, none, sources};

/// In a thousand words, fewer than this number may hide a subject.
const MAX_IN_THOUSAND: usize = 2;

/// The maximum number of places that a failure names.
const MAX_NAMED: usize = 10;

/// The words of a text, and the lines with a word that hides its subject.
#[derive(Default)]
struct Count {
    words: usize,
    places: Vec<String>,
}

impl Count {
    /// Adds the text outside fenced code.
    fn add(&mut self, path: &str, text: &str) {
        let mut before = "";
        for (number, line) in prose(text) {
            for word in line.split_whitespace() {
                self.words += 1;
                let is = |wanted: &str| {
                    word.split(|c: char| !c.is_alphanumeric()).any(|part| part.eq_ignore_ascii_case(wanted))
                };
                let is_that_which = before.eq_ignore_ascii_case("that") && is("which");
                if is("what") || is("whatever") || is_that_which {
                    self.places.push(format!("{path}:{number}: {}", line.trim()));
                }
                before = word;
            }
        }
    }

    fn broken(&self, name: &str) -> Option<String> {
        let found = self.places.len();
        let named =
            self.places.iter().take(MAX_NAMED).map(|place| format!("\n    {place}")).collect::<String>();
        (found * 1000 >= self.words.max(1) * MAX_IN_THOUSAND)
            .then(|| format!("{name}: {found} in {} words{named}", self.words))
    }
}

/// Returns the comments of a Rust file, without its tests, each on its line in the file.
fn comments(source: &str) -> String {
    let tests = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let comment = |line: &str| {
        let comment = line.trim_start().strip_prefix("//").unwrap_or_default();
        comment.trim_start_matches(['/', '!']).to_owned() + "\n"
    };
    source.get(..tests).unwrap_or(source).lines().map(comment).collect()
}

/// Returns the string literals of a Rust file, without its tests, each on the line where it begins: messages, titles and help.
fn strings(path: &str, source: &str) -> String {
    let tests = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let source = source.get(..tests).unwrap_or(source);
    let tokens: TokenStream = source.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = vec![String::new(); source.lines().count()];
    let mut left = vec![tokens];
    while let Some(tokens) = left.pop() {
        let mut is_doc = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => left.push(group.stream()),
                TokenTree::Literal(literal) if !is_doc => {
                    let text = literal.to_string();
                    let line = lines.get_mut(literal.span().start().line - 1);
                    // The text is joined to one line, so that a text of several lines keeps the line of its start.
                    if let Some(line) = line.filter(|_| text.contains('"')) {
                        line.push_str(&text.replace('\n', " "));
                        line.push(' ');
                    }
                }
                TokenTree::Ident(name) => is_doc = name == "doc",
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }
    lines.join("\n")
}

/// Whether people read this file as a page; the cases of the test suite are Markdown, too.
fn is_page(file: &File) -> bool {
    !file.path.starts_with("tests/") || file.path == "tests/README.md"
}

#[test]
fn comments_name_their_subject() {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for (package, file) in sources() {
        counts.entry(package).or_default().add(&file.path, &comments(&file.content));
    }
    let broken: Vec<String> = counts.iter().filter_map(|(package, count)| count.broken(package)).collect();
    none("\"what\", \"whatever\" and \"that which\" in comments: 2 or more of 1,000 words", &broken);
}

/// The beginnings of comments that refer to something else, which the first sentence must name as code.
const REFERRING: [&str; 2] = ["The same", "As before"];

/// Returns the comments of a Rust file that begin with a reference to a thing but do not name it.
fn nameless(file: &File) -> Vec<String> {
    let comment = |line: &str| {
        let comment = line.trim_start().strip_prefix("//")?;
        Some(comment.trim_start_matches(['/', '!']).trim().to_owned())
    };
    let comments: Vec<Option<String>> = file.content.lines().map(comment).collect();
    let mut found = Vec::new();
    let mut is_inside = false;
    for (index, line) in comments.iter().enumerate() {
        let is_begin = line.is_some() && !is_inside;
        is_inside = line.is_some();
        let lines = comments.iter().skip(index).map_while(Option::as_deref).filter(|_| is_begin);
        let text = lines.collect::<Vec<_>>().join(" ");
        let sentence = text.split(". ").next().unwrap_or_default();
        if REFERRING.iter().any(|words| sentence.starts_with(words)) && !sentence.contains('`') {
            found.push(format!("{}:{}: {sentence}", file.path, index + 1));
        }
    }
    found
}

#[test]
fn comments_do_not_begin_with_the_same() {
    let found: Vec<String> = files_with(".rs").flat_map(nameless).collect();
    none("comments that begin with \"The same\" or \"As before\" and name no item in backticks", &found);
}

#[test]
fn messages_name_their_subject() {
    let mut count = Count::default();
    for (_, file) in sources().filter(|(_, file)| file.path.starts_with("crates/")) {
        count.add(&file.path, &strings(&file.path, &file.content));
    }
    assert!(count.words > 10_000, "few messages were found: {} words", count.words);
    none("\"what\", \"whatever\" and \"that which\" in messages", &count.places);
}

#[test]
fn pages_name_their_subject() {
    let mut count = Count::default();
    let pages = files_with(".md").filter(|file| is_page(file));
    pages.for_each(|page| count.add(&page.path, &page.content));
    let broken: Vec<String> = count.broken("the pages").into_iter().collect();
    none("\"what\", \"whatever\" and \"that which\" in pages: 2 or more of 1,000 words", &broken);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_hide_a_subject_are_counted() {
        let page =
            "What is made of\nthat\nwhich is not: whatever.\n```\nwhat\n```\nSomewhat that, which (what)\n";
        let mut count = Count::default();
        count.add("a.md", page);
        assert_eq!(count.words, 13);
        let places =
            ["a.md:1: What is made of", "a.md:3: which is not: whatever.", "a.md:3: which is not: whatever."];
        assert_eq!(count.places, [&places[..], &["a.md:7: Somewhat that, which (what)"]].concat());
    }

    #[test]
    fn strings_are_messages_but_comments_are_not() {
        let source = "/// What\n#[doc = \"what\"]\nfn f() {\n    g(1, 'a', format!(\"No {what}\\n\"));\n}\n\
                      // what\n#[cfg(test)]\nmod tests {\n    \"what\"\n}\n";
        let mut count = Count::default();
        count.add("a.rs", &strings("a.rs", source));
        assert_eq!(count.places, [r#"a.rs:4: "No {what}\n""#]);
    }

    #[test]
    fn fewer_than_two_of_a_thousand_words_pass() {
        let count = |words, found| Count { words, places: vec!["a".to_owned(); found] };
        assert!(count(1001, 2).broken("a").is_none() && count(0, 0).broken("a").is_none());
        assert_eq!(count(1000, 2).broken("a").as_deref(), Some("a: 2 in 1000 words\n    a\n    a"));
    }

    #[test]
    fn comments_are_those_outside_tests() {
        let source = "//! One\nlet a = 1;\n    /// two\n// three\n#[cfg(test)]\nmod tests {\n// four\n}\n";
        assert_eq!(comments(source), " One\n\n two\n three\n\n".trim_end_matches('\n').to_owned() + "\n");
    }

    #[test]
    fn comments_without_a_name_are_found() {
        let lines = [
            "/// The same",
            "/// of text. `a`",
            "fn a() {}",
            "/// The same as",
            "/// `a`.",
            "fn b() {}",
            "    // As before.",
        ];
        let content = lines.join("\n");
        let file = File { path: "a.rs".to_owned(), content };
        assert_eq!(nameless(&file), ["a.rs:1: The same of text", "a.rs:7: As before."]);
    }
}
