//! Files of a crate do not import each other in a circle, so that each file can be read after the files it imports.
//!
//! The methods that `impl` blocks in other files add to a type count as well, except for the types of recursive descent.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Import, Imports, Type, crates};
use super::none;

/// A circle that is allowed to stay, with the reason.
struct Allowed {
    package: &'static str,
    files: &'static [&'static str],
    reason: &'static str,
}

const ALLOWED: [Allowed; 3] = [
    Allowed {
        package: "stdlib",
        files: &["regex/mod.rs", "regex/search.rs"],
        reason: "a pattern keeps the automata that a search of it has built",
    },
    Allowed {
        package: "value",
        files: &[
            "value.rs",
            "value/collection.rs",
            "value/memory.rs",
            "value/path.rs",
            "value/summary.rs",
            "value/unknown.rs",
        ],
        reason: "a value contains entries and unknowns, which contain values; its summary is stored in it and reads it",
    },
    Allowed {
        package: "value",
        files: &[
            "convert/available.rs",
            "convert/collection.rs",
            "convert/mismatch.rs",
            "convert/mod.rs",
            "convert/structure.rs",
            "convert/unify.rs",
            "convert/unknown.rs",
        ],
        reason: "conversion of a collection converts its elements, and unifies their types by the conversions that exist",
    },
];

/// A type whose methods are in several files and call each other, with the reason.
#[derive(Clone, Copy)]
struct Recursion {
    package: &'static str,
    /// The file that defines the type.
    file: &'static str,
    ty: &'static str,
    reason: &'static str,
}

const RECURSIONS: [Recursion; 9] = [
    Recursion {
        package: "body",
        file: "decode/decoder.rs",
        ty: "Decoder",
        reason: "a spec of blocks has specs of the blocks in them",
    },
    Recursion {
        package: "eval",
        file: "fast/compiler.rs",
        ty: "Compiler",
        reason: "an expression is compiled with those in it",
    },
    Recursion {
        package: "eval",
        file: "rules/evaluator.rs",
        ty: "Evaluator",
        reason: "an expression is evaluated with those in it",
    },
    Recursion {
        package: "eval",
        file: "fast/run.rs",
        ty: "Run",
        reason: "a compiled expression runs those in it",
    },
    Recursion {
        package: "stdlib",
        file: "yaml/token.rs",
        ty: "Scanner",
        reason: "a token of YAML may be a block of lines",
    },
    Recursion {
        package: "syntax",
        file: "lexer/mod.rs",
        ty: "Lexer",
        reason: "a template has tokens of expressions, which have templates",
    },
    Recursion {
        package: "syntax",
        file: "parser/mod.rs",
        ty: "Parser",
        reason: "the grammar of expressions and bodies is recursive",
    },
    Recursion {
        package: "terrane",
        file: "explain/builder.rs",
        ty: "Builder",
        reason: "an explanation follows values through expressions and objects",
    },
    Recursion {
        package: "terrane",
        file: "plan/text/comparer.rs",
        ty: "Comparer",
        reason: "an attribute has attributes of its own",
    },
];

/// Returns the circles: sets of files that import each other, directly or through other files of the set. Methods of the types
/// in `recursions` do not count.
fn circles<'i>(package: &str, imports: &'i Imports, recursions: &[Recursion]) -> Vec<BTreeSet<&'i str>> {
    let is_recursive = |ty: &Type| {
        recursions.iter().any(|one| one.package == package && one.file == ty.file && one.ty == ty.name)
    };
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let counts = |import: &Import| !import.methods_of.as_ref().is_some_and(is_recursive);
    for ((from, to), all) in imports {
        if all.iter().any(counts) {
            next.entry(from).or_default().push(to);
        }
    }
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut open = next.get(from).cloned().unwrap_or_default();
        while let Some(file) = open.pop() {
            if reached.insert(file) {
                open.extend(next.get(file).into_iter().flatten());
            }
        }
        reached
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|file| (*file, reached(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, files) in &reached {
        let is_back = |other: &&str| reached.get(other).is_some_and(|back| back.contains(file));
        let circle: BTreeSet<&str> = files.iter().copied().filter(is_back).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// Returns the circles of a crate that are not in `allowed`, with their arrows, and the circles in `allowed` that do not exist.
fn broken(package: &str, imports: &Imports, allowed: &[Allowed]) -> Vec<String> {
    let circles = circles(package, imports, &RECURSIONS);
    let is = |allowed: &Allowed, circle: &BTreeSet<&str>| {
        allowed.package == package && allowed.files.iter().copied().eq(circle.iter().copied())
    };
    let new = circles.iter().filter(|circle| !allowed.iter().any(|allowed| is(allowed, circle)));
    let mut broken: Vec<String> = new
        .map(|circle| {
            let mut text = format!("{package}: a circle of {} files", circle.len());
            for ((from, to), all) in imports {
                let is_inside = circle.contains(from.as_str()) && circle.contains(to.as_str());
                for import in all.iter().filter(|_| is_inside) {
                    text.push_str(&format!("\n    {from}:{} -> {to} ({})", import.line, import.path));
                }
            }
            text
        })
        .collect();
    let gone = allowed.iter().filter(|allowed| allowed.package == package);
    let gone = gone.filter(|allowed| !circles.iter().any(|circle| is(allowed, circle)));
    broken.extend(gone.map(|allowed| {
        let Allowed { files, reason, .. } = allowed;
        format!("{package}: the allowed circle of {} does not exist ({reason})", files.join(", "))
    }));
    broken
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let broken: Vec<String> =
        crates().iter().flat_map(|krate| broken(krate.name, &krate.imports, &ALLOWED)).collect();
    none("Files that import each other; move the shared name to a file below both", &broken);
}

#[test]
fn every_recursion_is_one() {
    let is_needed = |recursion: &&Recursion| {
        let krate = crates().iter().find(|krate| krate.name == recursion.package);
        let others = |one: &&Recursion| {
            one.package != recursion.package || one.file != recursion.file || one.ty != recursion.ty
        };
        let others: Vec<Recursion> = RECURSIONS.iter().filter(others).copied().collect();
        krate.is_some_and(|krate| {
            circles(krate.name, &krate.imports, &others) != circles(krate.name, &krate.imports, &RECURSIONS)
        })
    };
    let gone = RECURSIONS.iter().filter(|recursion| !is_needed(recursion));
    let text = |Recursion { package, file, ty, reason }: &Recursion| {
        format!("{package}: `{ty}` of {file} ({reason})")
    };
    none("Types whose methods do not make a circle of files", &gone.map(text).collect::<Vec<_>>());
}

#[cfg(test)]
mod tests {
    use super::super::imports::imports;
    use super::*;

    const FILES: [(&str, &str); 4] = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n"),
        ("a.rs", "use crate::b::B;\npub struct A;\n"),
        ("b.rs", "\nuse crate::c::C;\npub struct B;\n"),
        ("c.rs", "use crate::A;\npub struct C;\n"),
    ];

    #[test]
    fn a_circle_is_found_with_its_arrows() {
        let imports = imports(&["lib.rs"], &FILES.into_iter().collect());
        let circle = "x: a circle of 3 files\n    a.rs:1 -> b.rs (crate::b::B)\n    b.rs:2 -> c.rs (crate::c::C)\n    \
                      c.rs:1 -> a.rs (crate::A)";
        assert_eq!(broken("x", &imports, &[]), [circle]);
        let files = &["a.rs", "b.rs", "c.rs"];
        let allowed = |package| [Allowed { package, files, reason: "a trial" }];
        assert!(broken("x", &imports, &allowed("x")).is_empty());
        assert_eq!(broken("x", &imports, &allowed("y")), [circle]);
        let gone = "x: the allowed circle of a.rs, b.rs, c.rs does not exist (a trial)";
        assert_eq!(broken("x", &Imports::new(), &allowed("x")), [gone]);
    }

    #[test]
    fn only_methods_of_the_named_type_are_left_out() {
        // If two types have one name, the methods of only one of them are recursive.
        let a = "pub struct A;\nimpl A { fn f(&self) { self.g() } }\nimpl crate::d::A { fn k(&self) { self.h() } }\n";
        let b =
            "impl crate::a::A { fn g(&self) { self.f() } }\nimpl crate::d::A { fn h(&self) { self.k() } }\n";
        let files =
            [("lib.rs", "mod a;\nmod b;\nmod d;\n"), ("a.rs", a), ("b.rs", b), ("d.rs", "pub struct A;\n")];
        let imports = imports(&["lib.rs"], &files.into_iter().collect());
        let of = |file| Recursion { package: "x", file, ty: "A", reason: "a trial" };
        assert_eq!(circles("x", &imports, &[of("a.rs")]).len(), 1);
        assert_eq!(circles("x", &imports, &[of("d.rs")]).len(), 1);
        // There is one arrow for each of the types.
        let arrows = &imports[&("a.rs".to_owned(), "b.rs".to_owned())];
        let types: Vec<&str> =
            arrows.iter().flat_map(|import| &import.methods_of).map(|ty| ty.file.as_str()).collect();
        assert_eq!(types, ["a.rs", "d.rs"]);
        assert!(circles("x", &imports, &[of("a.rs"), of("d.rs")]).is_empty());
    }
}
