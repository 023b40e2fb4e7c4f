//! No function takes a tuple: a struct or separate parameters give every part a name.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::imports::is_test;
use super::{File, none, sources};

/// The parameters of a file whose type is a tuple, as `line: function, type`.
#[derive(Default)]
struct TupleParameters {
    found: Vec<String>,
}

/// Whether `ty` is a tuple with elements, or a reference to one.
fn is_tuple(ty: &syn::Type) -> bool {
    if let syn::Type::Reference(syn::TypeReference { elem, .. })
    | syn::Type::Paren(syn::TypeParen { elem, .. }) = ty
    {
        return is_tuple(elem);
    }
    matches!(ty, syn::Type::Tuple(tuple) if !tuple.elems.is_empty())
}

impl Visit<'_> for TupleParameters {
    fn visit_item(&mut self, item: &syn::Item) {
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_signature(&mut self, signature: &syn::Signature) {
        for input in &signature.inputs {
            if let syn::FnArg::Typed(parameter) = input
                && is_tuple(&parameter.ty)
            {
                let line = parameter.span().start().line;
                let ty = quote::ToTokens::to_token_stream(&parameter.ty);
                self.found.push(format!("{line}: `{}` takes `{ty}`", signature.ident));
            }
        }
        visit::visit_signature(self, signature);
    }
}

fn tuple_parameters(file: &File) -> Vec<String> {
    let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut tuples = TupleParameters::default();
    tuples.visit_file(&parsed);
    tuples.found.iter().map(|found| format!("{}:{found}", file.path)).collect()
}

#[test]
fn no_function_takes_a_tuple() {
    let files = sources().map(|(_, file)| file).filter(|file| file.path.starts_with("crates/"));
    let broken: Vec<String> = files.flat_map(tuple_parameters).collect();
    none("A function takes a tuple; take a struct, or each part as a parameter", &broken);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_found_behind_references_and_in_traits_except_in_tests() {
        let content = "fn f(a: u8, (b, c): (u8, u8)) {}\nimpl A {\n    fn g(&self, a: &mut (u8, u8)) {}\n}\n\
                       trait T {\n    fn h(a: &((u8, u8)));\n}\n\
                       fn s(a: (), b: &[(u8, u8)], c: impl Fn((u8, u8))) -> (u8, u8) {}\n\
                       #[cfg(test)]\nmod tests {\n    fn t(a: (u8, u8)) {}\n}\n";
        let file = File { path: "a.rs".to_owned(), content: content.to_owned() };
        assert_eq!(
            tuple_parameters(&file),
            [
                "a.rs:1: `f` takes `(u8 , u8)`",
                "a.rs:3: `g` takes `& mut (u8 , u8)`",
                "a.rs:6: `h` takes `& ((u8 , u8))`"
            ]
        );
    }
}
