//! The way from text to value is short, and ARCHITECTURE.md lists it without gaps: each function calls the next.
//!
//! The first steps are passes over everything, which a function above them calls one after another. From the driver on,
//! the body of each function has a call of the next one. The receiver of a method must have the type of the function, or be
//! an object of the trait that the type implements.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "of the kinds of items, types and expressions, few have a type's name"
)]

use std::cell::RefCell;
use std::collections::HashMap;

use syn::visit::{self, Visit};

use super::{files_with, none};

/// The maximum number of steps.
const MAX_STEPS: usize = 12;

/// The callers of the passes, in order, and the caller of the driver after them.
const CALLERS: [Step<'static>; 5] = [
    Step { function: "ParsedSource::in_syntax", path: "syntax/src/parsed_source.rs" },
    Step { function: "read", path: "module/src/load/directory.rs" },
    Step { function: "read", path: "module/src/load/directory.rs" },
    Step { function: "evaluate_recorded", path: "module/src/evaluate/mod.rs" },
    Step { function: "Driver::run", path: "module/src/evaluate/run.rs" },
];

/// The calls that lead from a function in [`CALLERS`] to the one that calls the next step.
const ENTRIES: [&[Step<'static>]; 2] = [
    // From the text of a file to the parser.
    &[
        Step { function: "read", path: "module/src/load/directory.rs" },
        Step { function: "FileReader::all", path: "module/src/load/directory.rs" },
        Step { function: "FileReader::file", path: "module/src/load/directory.rs" },
        Step { function: "FileReader::parsed", path: "module/src/load/directory.rs" },
        Step { function: "ParsedFile::parse", path: "module/src/load/directory.rs" },
        Step { function: "ParsedSource::of", path: "syntax/src/parsed_source.rs" },
        Step { function: "ParsedSource::in_syntax", path: "syntax/src/parsed_source.rs" },
    ],
    // From the order to the first step of the driver.
    &[
        Step { function: "evaluate_recorded", path: "module/src/evaluate/mod.rs" },
        Step { function: "Driver::run_pass", path: "module/src/evaluate/run.rs" },
        Step { function: "Driver::run", path: "module/src/evaluate/run.rs" },
    ],
];

/// A row `| 8. | `Context::value` | `module/src/state/context.rs` | ... |`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step<'s> {
    /// The name of the function, after the type that has it.
    function: &'s str,
    /// The file, relative to `crates/`.
    path: &'s str,
}

impl<'s> Step<'s> {
    /// Returns the type that has the function, if any, and the name of the function alone.
    fn parts(self) -> (Option<&'s str>, &'s str) {
        match self.function.split_once("::") {
            Some((owner, name)) => (Some(owner), name),
            None => (None, self.function),
        }
    }

    /// Whether a path such as `graph::order` or `T::order` leads to the function. `imports` has the qualifier of each imported
    /// name, and `own` is the type around the path.
    fn is_named_by(self, path: &syn::Path, imports: &HashMap<String, String>, own: Option<&str>) -> bool {
        let mut segments = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (owner, name) = self.parts();
        let (last, before) = (segments.next(), segments.next());
        let before = before.or_else(|| imports.get(last.as_ref()?).cloned());
        let is_qualifier = |qualifier: &str| match (owner, self.path.split_once("/src/")) {
            (Some(owner), _) => qualifier == owner || qualifier == "Self" && own == Some(owner),
            (None, Some((package, file))) => {
                let is_package = qualifier.strip_prefix("terrane_") == Some(package);
                is_package || file.trim_end_matches(".rs").split('/').any(|module| module == qualifier)
            }
            (None, None) => false,
        };
        last.is_some_and(|last| last == name) && before.is_some_and(|qualifier| is_qualifier(&qualifier))
    }
}

fn steps(page: &str) -> Vec<Step<'_>> {
    let step = |line| {
        let cells: Vec<&str> = str::split(line, '|').map(|cell| cell.trim().trim_matches('`')).collect();
        match cells.as_slice() {
            ["", number, function, path, ..] if number.strip_suffix('.')?.parse::<usize>().is_ok() => {
                Some(Step { function, path })
            }
            _ => None,
        }
    };
    page.lines().filter_map(step).collect()
}

/// The sources in which the steps are searched.
struct Sources<'s> {
    /// Returns the text of a file in `crates/`; `None` if there is no such file.
    content: &'s dyn Fn(&str) -> Option<&'s str>,
    /// Returns the types of the fields with this name in the package of a file.
    field_types: &'s dyn Fn(&str, &str) -> Vec<String>,
}

/// Returns the mistakes in a list of steps. `passes` are the callers of the first steps.
fn mistakes<'s>(steps: &[Step<'s>], passes: &[Step<'s>], sources: &Sources<'s>) -> Vec<String> {
    let mut mistakes = Vec::new();
    if !(1..=MAX_STEPS).contains(&steps.len()) {
        mistakes.push(format!("{} steps; there may be 1 to {MAX_STEPS}", steps.len()));
    }
    for (index, step) in steps.iter().enumerate() {
        let caller = passes.get(index).or_else(|| steps.get(index.checked_sub(1)?));
        if (sources.content)(step.path).is_none() {
            mistakes.push(format!("{} is no file", step.path));
            continue;
        }
        mistakes.extend(mistake(caller.copied(), *step, sources));
    }
    mistakes
}

/// Returns the mistake in a step, if there is one: its function does not exist, or the step before does not call it.
fn mistake<'s>(caller: Option<Step<'s>>, step: Step<'s>, sources: &Sources<'s>) -> Option<String> {
    let own = Body::of(step, sources);
    if !own.exists {
        return Some(format!("{} has no function `{}`", step.path, step.function));
    }
    let caller = caller?;
    let mut body = Body::of(caller, sources);
    body.next = Some((step, own.implemented));
    body.search(sources);
    let is_called = body.calls;
    (!is_called)
        .then(|| format!("`{}` in {} does not call `{}`", caller.function, caller.path, step.function))
}

/// The search for a function in a file, and for a call of the next step's function in its body.
struct Body<'s> {
    step: Step<'s>,
    field_types: &'s dyn Fn(&str, &str) -> Vec<String>,
    /// The function of the next step, and the trait that it belongs to.
    next: Option<(Step<'s>, Option<String>)>,
    /// The qualifier of each name that the file imports: `use a::b::c` gives `c` the qualifier `b`.
    imports: HashMap<String, String>,
    /// The type of the surrounding `impl`, and its trait.
    owner: Option<String>,
    of_trait: Option<String>,
    /// The types of parameters and variables.
    types: HashMap<String, String>,
    is_inside: bool,
    exists: bool,
    /// The trait whose `impl` block has the function.
    implemented: Option<String>,
    calls: bool,
}

impl<'s> Body<'s> {
    fn of(step: Step<'s>, sources: &Sources<'s>) -> Body<'s> {
        let mut body = Body {
            step,
            field_types: sources.field_types,
            next: None,
            imports: HashMap::new(),
            owner: None,
            of_trait: None,
            types: HashMap::new(),
            is_inside: false,
            exists: false,
            implemented: None,
            calls: false,
        };
        body.search(sources);
        body
    }

    fn search(&mut self, sources: &Sources<'_>) {
        let Some(text) = (sources.content)(self.step.path) else { return };
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", self.step.path));
        for item in &file.items {
            match item {
                syn::Item::Use(item) => import(&item.tree, None, &mut self.imports),
                // The item is a function of the file itself.
                syn::Item::Fn(function) => {
                    let module = self.step.path.trim_end_matches(".rs").rsplit('/').next();
                    self.imports
                        .extend(module.map(|module| (function.sig.ident.to_string(), module.to_owned())));
                }
                _ => {}
            }
        }
        self.visit_file(&file);
    }

    fn block(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (owner, name) = self.step.parts();
        let outer = self.is_inside;
        self.is_inside = signature.ident == name && self.owner.as_deref() == owner;
        if self.is_inside {
            self.exists = true;
            self.implemented.clone_from(&self.of_trait);
            self.types.clear();
            self.types.extend(self.owner.iter().map(|owner| ("self".to_owned(), owner.clone())));
            for input in &signature.inputs {
                if let syn::FnArg::Typed(input) = input {
                    self.bind(&input.pat, type_name(&input.ty));
                }
            }
        }
        visit::visit_block(self, block);
        self.is_inside = outer;
    }

    fn bind(&mut self, pattern: &syn::Pat, ty: Option<String>) {
        if let (syn::Pat::Ident(name), Some(ty)) = (pattern, ty) {
            self.types.insert(name.ident.to_string(), ty);
        }
    }

    /// Returns the types that an expression may have, if it is a name, a constructor or a field.
    fn types_of(&self, expression: &syn::Expr) -> Vec<String> {
        let named = |path: &syn::Path, from_end: usize| {
            let name = path.segments.iter().rev().nth(from_end)?.ident.to_string();
            if name == "Self" { self.owner.clone() } else { Some(name) }
        };
        match expression {
            syn::Expr::Reference(inner) => self.types_of(&inner.expr),
            syn::Expr::Paren(inner) => self.types_of(&inner.expr),
            syn::Expr::Struct(made) => named(&made.path, 0).into_iter().collect(),
            syn::Expr::Call(call) => match &*call.func {
                syn::Expr::Path(path) => named(&path.path, 1).into_iter().collect(),
                _ => Vec::new(),
            },
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                name.and_then(|name| self.types.get(&name).cloned()).into_iter().collect()
            }
            syn::Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => (self.field_types)(self.step.path, &name.to_string()),
                syn::Member::Unnamed(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Returns the name of a type without references; for a trait object, the name of its trait.
fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Reference(reference) => type_name(&reference.elem),
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        syn::Type::TraitObject(object) => object.bounds.iter().find_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => {
                bound.path.segments.last().map(|last| last.ident.to_string())
            }
            _ => None,
        }),
        _ => None,
    }
}

/// Notes the qualifiers of the names that a `use` imports.
fn import(tree: &syn::UseTree, qualifier: Option<&str>, imports: &mut HashMap<String, String>) {
    match tree {
        syn::UseTree::Path(path) => import(&path.tree, Some(&path.ident.to_string()), imports),
        syn::UseTree::Name(name) => {
            imports.extend(qualifier.map(|qualifier| (name.ident.to_string(), qualifier.to_owned())));
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| import(item, qualifier, imports)),
        syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
    }
}

impl Visit<'_> for Body<'_> {
    fn visit_item_impl(&mut self, item: &syn::ItemImpl) {
        self.owner = type_name(&item.self_ty);
        let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        self.of_trait = last.map(|last| last.ident.to_string());
        visit::visit_item_impl(self, item);
        (self.owner, self.of_trait) = (None, None);
    }

    fn visit_item_fn(&mut self, function: &syn::ItemFn) {
        self.block(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        self.block(&function.sig, &function.block);
    }

    fn visit_local(&mut self, local: &syn::Local) {
        if let (true, Some(init)) = (self.is_inside, &local.init) {
            let ty = self.types_of(&init.expr).into_iter().next();
            self.bind(&local.pat, ty);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        if let (true, Some((next, _)), syn::Expr::Path(path)) = (self.is_inside, &self.next, &*call.func) {
            self.calls |= next.is_named_by(&path.path, &self.imports, self.owner.as_deref());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        if let (true, Some((next, of_trait))) = (self.is_inside, &self.next) {
            let (owner, name) = next.parts();
            let is_receiver = |ty: &String| owner == Some(ty) || of_trait.as_ref() == Some(ty);
            let is_named = owner.is_some() && call.method == name;
            self.calls |= is_named && self.types_of(&call.receiver).iter().any(is_receiver);
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// Returns the types of the fields of structs in a package, by the name of the field.
fn field_types(package: &str) -> HashMap<String, Vec<String>> {
    let mut types: HashMap<String, Vec<String>> = HashMap::new();
    let folder = format!("crates/{package}/src/");
    for file in files_with(".rs").filter(|file| file.path.starts_with(&folder)) {
        let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        for item in parsed.items {
            let syn::Item::Struct(item) = item else { continue };
            for field in item.fields {
                if let (Some(name), Some(ty)) = (&field.ident, type_name(&field.ty)) {
                    types.entry(name.to_string()).or_default().push(ty);
                }
            }
        }
    }
    types
}

#[test]
fn the_way_from_text_to_value_is_listed() {
    let page = &files_with("ARCHITECTURE.md").next().expect("ARCHITECTURE.md").content;
    let content = |path: &str| {
        let path = format!("crates/{path}");
        files_with(".rs").find(|file| file.path == path).map(|file| file.content.as_str())
    };
    let packages: RefCell<HashMap<String, HashMap<String, Vec<String>>>> = RefCell::default();
    let field_types = |path: &str, field: &str| {
        let package = path.split('/').next().unwrap_or_default();
        let mut packages = packages.borrow_mut();
        let fields = packages.entry(package.to_owned()).or_insert_with(|| field_types(package));
        fields.get(field).cloned().unwrap_or_default()
    };
    let sources = Sources { content: &content, field_types: &field_types };
    let mut found = mistakes(&steps(page), &CALLERS, &sources);
    for entry in ENTRIES {
        let calls = entry.iter().zip(entry.iter().skip(1));
        found.extend(calls.filter_map(|(caller, called)| mistake(Some(*caller), *called, &sources)));
        let unnamed = entry.iter().filter(|step| !page.contains(&format!("`{}`", step.function)));
        found.extend(unnamed.map(|step| format!("`{}` is not named", step.function)));
    }
    none("ARCHITECTURE.md does not list the way from text to value", &found);
}

#[test]
fn wrong_steps_are_found() {
    let page =
        "| 1. | `one` | `a/src/a.rs` | x |\n| 1 | `crate` | y |\n| 2. | `T::two` | `a/src/b.rs` | x |\n";
    let found = steps(page);
    let [one, two] =
        [("one", "a/src/a.rs"), ("T::two", "a/src/b.rs")].map(|(function, path)| Step { function, path });
    assert_eq!(found, [one, two]);
    let no_fields = |_: &str, _: &str| Vec::new();
    let wrong = |first: &'static str, second: Option<&'static str>| {
        let content = |path: &str| if path == "a/src/a.rs" { Some(first) } else { second };
        mistakes(&found, &[], &Sources { content: &content, field_types: &no_fields })
    };
    let second = Some("impl Other for T<'_> { fn two() {} }");
    let no_call = ["`one` in a/src/a.rs does not call `T::two`"];
    assert_eq!(wrong("fn one(x: T) { x.two(); }", None), ["a/src/b.rs is no file"]);
    assert!(wrong("fn one(x: &T<'_>) { f(|| x.two()); }", second).is_empty());
    assert!(wrong("fn one(x: &dyn Other) { x.two(); }", second).is_empty());
    assert!(wrong("fn one() { let x = T::new(); x.two(); }", second).is_empty());
    assert!(wrong("fn one() { T { a: 1 }.two(); }", second).is_empty());
    assert!(wrong("fn one() { T::two(); }", second).is_empty());
    assert_eq!(wrong("fn one() { x.two(); }", second), no_call);
    assert_eq!(wrong("fn one(x: U) { x.two(); }", second), no_call);
    assert_eq!(wrong("fn one(x: U) { x.names.two(); }", second), no_call);
    assert_eq!(wrong("fn one() { two(); T::two_more(); U::two(); Self::two(); }", second), no_call);
    assert_eq!(wrong("fn one() { hop(); }\nfn hop(x: T) { x.two(); }", second), no_call);
    assert_eq!(
        wrong("fn one(x: T) { x.two(); }", Some("fn two() {}")),
        ["a/src/b.rs has no function `T::two`"]
    );
    let pass = [Step { function: "all", path: "a/src/b.rs" }];
    let passes = |text: &'static str| {
        let content = move |path: &str| Some(if path == one.path { "fn one() {}" } else { text });
        mistakes(&[one], &pass, &Sources { content: &content, field_types: &no_fields })
    };
    assert!(passes("fn all() { a::one(); b::one(); }").is_empty());
    assert!(passes("use crate::a::one; fn all() { one(); }").is_empty());
    let no_call = ["`all` in a/src/b.rs does not call `one`"];
    assert_eq!(passes("fn all() { b::one(); }"), no_call);
    assert_eq!(passes("use crate::b::one; fn all() { one(); }"), no_call);
    assert_eq!(passes("fn all() { one(); }\nfn one() {}"), no_call);
}
