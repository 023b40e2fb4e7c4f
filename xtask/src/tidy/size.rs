//! Source files and functions stay short enough to read.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::imports::is_test;
use super::{File, files_with, none};

/// The maximum number of lines of a file.
const FILE_LINES: usize = 800;
/// The crates with the smaller limits below.
const SMALL: [&str; 4] = ["module", "packer", "body", "eval"];
const SMALL_FILE_LINES: usize = 600;
/// The maximum number of lines of a function in those crates, from its signature to its last bracket. Clippy limits only the
/// lines of code, in every crate.
const FUNCTION_LINES: usize = 60;

fn is_small(file: &File, small: &[&str]) -> bool {
    let package = file.path.strip_prefix("crates/").and_then(|path| path.split_once('/'));
    package.is_some_and(|(package, _)| small.contains(&package))
}

fn long_files<'f>(files: impl Iterator<Item = &'f File>, small: &[&str]) -> Vec<String> {
    files
        .filter_map(|file| {
            let most = if is_small(file, small) { SMALL_FILE_LINES } else { FILE_LINES };
            let lines = file.content.lines().count();
            (lines > most).then(|| format!("{}: {lines} lines, at most {most}", file.path))
        })
        .collect()
}

#[test]
fn no_source_file_is_too_long() {
    none("A source file is too long; split it by noun", &long_files(files_with(".rs"), &SMALL));
}

/// The functions of a file that have more than `most` lines, as `line: name, lines`.
struct LongFunctions {
    most: usize,
    found: Vec<String>,
}

impl LongFunctions {
    fn check(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (start, end) = (signature.span().start().line, block.span().end().line);
        let lines = end + 1 - start;
        if lines > self.most {
            self.found
                .push(format!("{start}: `{}` has {lines} lines, at most {}", signature.ident, self.most));
        }
    }
}

impl Visit<'_> for LongFunctions {
    fn visit_item(&mut self, item: &syn::Item) {
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &syn::ItemFn) {
        self.check(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        self.check(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }
}

fn long_functions(file: &File, most: usize) -> Vec<String> {
    let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut long = LongFunctions { most, found: Vec::new() };
    long.visit_file(&parsed);
    long.found.iter().map(|found| format!("{}:{found}", file.path)).collect()
}

#[test]
fn no_function_is_too_long() {
    let files = files_with(".rs").filter(|file| is_small(file, &SMALL) && file.path.contains("/src/"));
    let broken: Vec<String> = files.flat_map(|file| long_functions(file, FUNCTION_LINES)).collect();
    none("A function is too long; split it", &broken);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_a_file_is_that_of_its_crate() {
        let file = |path: &str, lines| File { path: path.to_owned(), content: "\n".repeat(lines) };
        let files = [
            file("crates/a/src/lib.rs", 601),
            file("crates/b/src/lib.rs", 800),
            file("crates/b/src/long.rs", 801),
            file("crates/a/src/short.rs", 600),
        ];
        assert_eq!(
            long_files(files.iter(), &["a"]),
            ["crates/a/src/lib.rs: 601 lines, at most 600", "crates/b/src/long.rs: 801 lines, at most 800"]
        );
    }

    #[test]
    fn long_functions_are_found_except_tests() {
        let content = "fn f() {\n\n}\nimpl A {\n    fn g() {\n        fn h() {\n\n\n        }\n    }\n    fn s() {}\n}\n\
                       #[cfg(test)]\nmod tests {\n    fn t() {\n\n\n\n    }\n}\n";
        let file = File { path: "a.rs".to_owned(), content: content.to_owned() };
        assert_eq!(
            long_functions(&file, 3),
            ["a.rs:5: `g` has 6 lines, at most 3", "a.rs:6: `h` has 4 lines, at most 3"]
        );
        assert!(long_functions(&file, 6).is_empty());
    }
}
