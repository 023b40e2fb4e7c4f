//! Two types of one crate do not have the same name: a reader finds one definition of a name.

#![expect(clippy::wildcard_enum_match_arm, reason = "of the kinds of items, few define a type")]

use std::collections::BTreeMap;

use super::imports::is_test;
use super::{File, none, sources};

/// Folders and files whose types may have the names of other types of their crate, with the reason.
const DEFENDED: &[(&str, &str)] = &[
    (
        "crates/syntax/src/json/",
        "JSON has a lexer, a parser and a tree of its own, with the parts of those of the native syntax",
    ),
    ("crates/providers/src/wire/v6.rs", "two versions of a protocol have messages of the same names"),
];

/// Adds the names of the types that some items define, also in modules among them.
fn add_types(items: &[syn::Item], names: &mut Vec<String>) {
    for item in items.iter().filter(|item| !is_test(item)) {
        let name = match item {
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            syn::Item::Mod(module) => {
                let inner = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                add_types(inner, names);
                continue;
            }
            _ => continue,
        };
        names.push(name.to_string());
    }
}

/// Returns a line for each name that several types of a package have, with their files.
fn repeated<'f>(files: impl Iterator<Item = (&'f str, &'f File)>) -> Vec<String> {
    let mut places: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for (package, file) in files {
        let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        let mut names = Vec::new();
        add_types(&parsed.items, &mut names);
        for name in names {
            places.entry((package, name)).or_default().push(&file.path);
        }
    }
    let repeated = places.into_iter().filter(|(_, files)| files.len() > 1);
    repeated.map(|((_, name), files)| format!("{name}: {}", files.join(", "))).collect()
}

#[test]
fn no_two_types_of_a_crate_have_one_name() {
    let is_defended = |file: &File| DEFENDED.iter().any(|(place, _)| file.path.starts_with(place));
    let files = sources().filter(|(_, file)| file.path.starts_with("crates/") && !is_defended(file));
    none(
        "Two types of one crate have the same name; name each after its document or its use",
        &repeated(files),
    );
}

#[test]
fn each_defended_place_repeats_a_name() {
    let found = repeated(sources());
    let unused = DEFENDED.iter().filter(|(place, _)| !found.iter().any(|line| line.contains(place)));
    let unused: Vec<String> = unused.map(|(place, _)| place.to_string()).collect();
    none("No type there has the name of another type; remove it from the list", &unused);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_one_name_are_found_except_in_tests_and_other_packages() {
        let file = |path: &str, content: &str| File { path: path.to_owned(), content: content.to_owned() };
        let one = file("a/one.rs", "struct A; mod m { enum B {} } impl T for A { type C = u8; }");
        let two = file(
            "a/two.rs",
            "type A = u8; trait B {} trait D { type C; }\n#[cfg(test)]\nmod tests { struct D; }",
        );
        let other = file("b/one.rs", "struct A; struct D;");
        let found = repeated([("a", &one), ("a", &two), ("b", &other)].into_iter());
        assert_eq!(found, ["A: a/one.rs, a/two.rs", "B: a/one.rs, a/two.rs"]);
    }
}
