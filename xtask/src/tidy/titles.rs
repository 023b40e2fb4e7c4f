//! Titles of single messages stand in one table, `source/src/diagnostic/titles.rs`.
//!
//! The compiler accepts no literal as a title: only a row of the table, the title of an id, or owned text. Owned text is for
//! titles with names or numbers of the configuration, so this rule finds literals that are made into owned text.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "of the kinds of expressions, few make text of a literal"
)]

use std::collections::BTreeSet;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::imports::is_test;
use super::{File, files_with, none, sources};

const TABLE: &str = "crates/source/src/diagnostic/titles.rs";

/// The lines of a file with titles that are made of literals.
#[derive(Default)]
struct Literals {
    lines: BTreeSet<usize>,
    /// Whether the expression being visited is a title.
    in_title: bool,
}

impl Literals {
    fn within_title(&mut self, visit: impl FnOnce(&mut Literals)) {
        let before = std::mem::replace(&mut self.in_title, true);
        visit(self);
        self.in_title = before;
    }
}

fn is_text(expression: &syn::Expr) -> bool {
    matches!(expression, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }))
}

/// Whether an expression makes owned text of a literal.
fn owns_literal(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::MethodCall(call) => {
            let method = call.method.to_string();
            matches!(&*method, "to_owned" | "to_string" | "into" | "into_text") && is_text(&call.receiver)
        }
        syn::Expr::Call(call) => {
            let function = quote::ToTokens::to_token_stream(&call.func).to_string();
            function.ends_with(":: from") && call.args.first().is_some_and(is_text)
        }
        _ => false,
    }
}

impl Visit<'_> for Literals {
    fn visit_item(&mut self, item: &syn::Item) {
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_local(&mut self, local: &syn::Local) {
        let pattern = quote::ToTokens::to_token_stream(&local.pat).to_string();
        match pattern.contains("title") {
            true => self.within_title(|title| visit::visit_local(title, local)),
            false => visit::visit_local(self, local),
        }
    }

    fn visit_field_value(&mut self, field: &syn::FieldValue) {
        match quote::ToTokens::to_token_stream(&field.member).to_string().contains("title") {
            true => self.within_title(|title| visit::visit_field_value(title, field)),
            false => visit::visit_field_value(self, field),
        }
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        if call.method == "titled" {
            self.visit_expr(&call.receiver);
            self.within_title(|title| call.args.iter().for_each(|argument| title.visit_expr(argument)));
        } else {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_expr(&mut self, expression: &syn::Expr) {
        if self.in_title && owns_literal(expression) {
            self.lines.insert(expression.span().start().line);
        }
        visit::visit_expr(self, expression);
    }
}

fn literals(file: &File) -> Vec<String> {
    let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut found = Literals::default();
    found.visit_file(&parsed);
    found.lines.into_iter().map(|line| format!("{}:{line}", file.path)).collect()
}

#[test]
fn titles_stand_in_one_table() {
    let engine = sources().map(|(_, file)| file).filter(|file| file.path.starts_with("crates/"));
    let found: Vec<String> = engine.flat_map(literals).collect();
    none("A title is made of a literal; add a row to the table of titles", &found);
}

#[test]
fn every_title_is_used() {
    let table = &files_with(".rs").find(|file| file.path == TABLE).expect("the table of titles").content;
    let rows = table.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(" = \""));
    let names: Vec<&str> = rows.map(|(name, _)| name).collect();
    assert!(names.len() > 100, "one line for each title");
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted, "the table of titles is sorted");
    let engine = || sources().filter(|(_, file)| file.path != TABLE).map(|(_, file)| &file.content);
    let is_used = |name: &&str| {
        let row = format!("titles::{name}");
        engine().any(|content| {
            content.match_indices(&row).any(|(at, _)| {
                let next = content[at + row.len()..].chars().next();
                !next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '_')
            })
        })
    };
    let unused: Vec<String> =
        names.iter().filter(|name| !is_used(name)).map(|name| name.to_string()).collect();
    none("A title that no message has; remove it", &unused);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_are_made_of_literals_are_found() {
        let content = r#"
            fn f() {
                let detail = "a".to_owned();
                let title = match x { 1 => "b".to_owned(), _ => format!("c {x}") };
                d.titled(String::from("e")).titled(titles::F);
                Problem { title: "g".into(), detail: "h".into() };
            }
            #[cfg(test)]
            mod tests { fn f() { d.titled("i".to_owned()) } }
        "#;
        let file = File { path: "a.rs".to_owned(), content: content.to_owned() };
        assert_eq!(literals(&file), ["a.rs:4", "a.rs:5", "a.rs:6"]);
    }
}
