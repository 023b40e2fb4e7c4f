//! Tuples do not bundle: no function takes one, no alias names one, and no field or result has one of three parts or more. No tuple
//! struct or variant has three fields or more. A struct or separate parameters give every part a name. The keys of maps
//! and the items of iterators may be tuples.

#![expect(clippy::wildcard_enum_match_arm, reason = "of the kinds of types, few contain others")]

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::imports::is_test;
use super::{File, none, sources};

/// The tuples of a file that bundle, as `line: description`.
#[derive(Default)]
struct Bundles {
    found: Vec<String>,
}

impl Bundles {
    fn add(&mut self, place: &impl quote::ToTokens, owner: &str, ty: &syn::Type) {
        let line = place.span().start().line;
        self.found.push(format!("{line}: `{owner}` has `{}`", quote::ToTokens::to_token_stream(ty)));
    }
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

/// Whether a tuple of three parts or more is in a type, except in the keys of maps and in `impl` and `dyn` types.
fn has_bundle(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.len() >= 3 || tuple.elems.iter().any(has_bundle),
        syn::Type::Reference(syn::TypeReference { elem, .. })
        | syn::Type::Paren(syn::TypeParen { elem, .. })
        | syn::Type::Slice(syn::TypeSlice { elem, .. })
        | syn::Type::Array(syn::TypeArray { elem, .. }) => has_bundle(elem),
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|segment| {
            let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return false };
            let has_keys =
                segment.ident.to_string().ends_with("Map") || segment.ident.to_string().ends_with("Set");
            let types = arguments.args.iter().filter_map(|argument| {
                if let syn::GenericArgument::Type(ty) = argument { Some(ty) } else { None }
            });
            types.skip(usize::from(has_keys)).any(has_bundle)
        }),
        _ => false,
    }
}

impl Visit<'_> for Bundles {
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
                self.add(parameter, &signature.ident.to_string(), &parameter.ty);
            }
        }
        if let syn::ReturnType::Type(_, ty) = &signature.output
            && has_bundle(ty)
        {
            self.add(ty, &signature.ident.to_string(), ty);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_type(&mut self, alias: &syn::ItemType) {
        if is_tuple(&alias.ty) || has_bundle(&alias.ty) {
            self.add(alias, &alias.ident.to_string(), &alias.ty);
        }
    }

    fn visit_fields_unnamed(&mut self, fields: &syn::FieldsUnnamed) {
        if fields.unnamed.len() >= 3 {
            let line = fields.paren_token.span.join().start().line;
            self.found.push(format!("{line}: {} fields have no names", fields.unnamed.len()));
        }
        visit::visit_fields_unnamed(self, fields);
    }

    fn visit_field(&mut self, field: &syn::Field) {
        if has_bundle(&field.ty) {
            let owner = field.ident.as_ref().map_or_else(|| "a field".to_owned(), ToString::to_string);
            self.add(field, &owner, &field.ty);
        }
    }
}

fn bundles(file: &File) -> Vec<String> {
    let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut tuples = Bundles::default();
    tuples.visit_file(&parsed);
    tuples.found.iter().map(|found| format!("{}:{found}", file.path)).collect()
}

#[test]
fn no_tuple_bundles() {
    let is_checked = |file: &&File| ["crates/", "xtask/"].iter().any(|folder| file.path.starts_with(folder));
    let files = sources().map(|(_, file)| file).filter(is_checked);
    let broken: Vec<String> = files.flat_map(bundles).collect();
    none("A tuple bundles; use a struct, or a parameter for each part", &broken);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_that_bundle_are_found_except_in_tests() {
        let content = "fn f(a: u8, (b, c): (u8, u8)) {}\nimpl A {\n    fn g(&self, a: &mut (u8, u8)) {}\n}\n\
                       trait T {\n    fn h(a: &((u8, u8)));\n}\n\
                       fn s(a: (), b: &[(u8, u8)], c: impl Fn((u8, u8))) -> (u8, u8) {}\n\
                       type P = (u8, u8);\nstruct F {\n    f: Vec<(u8, u8, u8)>,\n    m: HashMap<(u8, u8, u8), (u8, u8)>,\n}\n\
                       fn r() -> Option<(u8, (u8, u8, u8))> {}\nfn i() -> impl Iterator<Item = (u8, u8, u8)> {}\n\
                       enum E {\n    A(u8, u8),\n    B(u8, u8, u8),\n}\n\
                       #[cfg(test)]\nmod tests {\n    fn t(a: (u8, u8)) {}\n}\n";
        let file = File { path: "a.rs".to_owned(), content: content.to_owned() };
        assert_eq!(
            bundles(&file),
            [
                "a.rs:1: `f` has `(u8 , u8)`",
                "a.rs:3: `g` has `& mut (u8 , u8)`",
                "a.rs:6: `h` has `& ((u8 , u8))`",
                "a.rs:9: `P` has `(u8 , u8)`",
                "a.rs:11: `f` has `Vec < (u8 , u8 , u8) >`",
                "a.rs:14: `r` has `Option < (u8 , (u8 , u8 , u8)) >`",
                "a.rs:18: 3 fields have no names"
            ]
        );
    }
}
