//! The way from text to value is short, and ARCHITECTURE.md lists it without gaps: each function calls the next.
//!
//! The first steps are passes over everything, which a function above them calls one after another. From the driver on,
//! the body of each function has a call of the next one. A trait between them keeps the name of the function.

use syn::visit::{self, Visit};

use super::{files_with, none};

/// The largest number of steps.
const MOST_STEPS: usize = 12;

/// The callers of the passes, in order, and of the driver after them.
const CALLERS: [Step<'static>; 5] = [
    Step { function: "ParsedFile::parse", path: "module/src/load/directory.rs" },
    Step { function: "read", path: "module/src/load/directory.rs" },
    Step { function: "read", path: "module/src/load/directory.rs" },
    Step { function: "evaluate_recorded", path: "module/src/evaluate/mod.rs" },
    Step { function: "Driver::run", path: "module/src/evaluate/run.rs" },
];

/// A row `| 8. | `Context::value` | `module/src/state/context.rs` | ... |`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step<'s> {
    /// The name, behind the type that has it.
    function: &'s str,
    /// The file, relative to `crates/`.
    path: &'s str,
}

impl<'s> Step<'s> {
    /// The type that has the function, and the name of the function alone.
    fn parts(self) -> (Option<&'s str>, &'s str) {
        match self.function.split_once("::") {
            Some((owner, name)) => (Some(owner), name),
            None => (None, self.function),
        }
    }

    /// Whether a path such as `graph::order` or `Self::order` may lead to the function.
    fn is_named_by(self, path: &syn::Path) -> bool {
        let mut segments = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (owner, name) = self.parts();
        let (last, before) = (segments.next(), segments.next());
        let is_qualifier = |qualifier: &str| match (owner, self.path.split_once("/src/")) {
            (Some(owner), _) => qualifier == owner || qualifier == "Self",
            (None, Some((package, file))) => {
                let is_package = qualifier.strip_prefix("terrane_") == Some(package);
                is_package || file.trim_end_matches(".rs").split('/').any(|module| module == qualifier)
            }
            (None, None) => false,
        };
        last.is_some_and(|last| last == name)
            && before.map_or(owner.is_none(), |qualifier| is_qualifier(&qualifier))
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

/// The mistakes in a list of steps. `content` gives the text of a file in `crates/`, `passes` are the callers of the first
/// steps.
fn mistakes<'s>(
    steps: &[Step<'s>],
    passes: &[Step<'s>],
    content: impl Fn(&'s str) -> Option<&'s str>,
) -> Vec<String> {
    let mut mistakes = Vec::new();
    if !(1..=MOST_STEPS).contains(&steps.len()) {
        mistakes.push(format!("{} steps; there may be 1 to {MOST_STEPS}", steps.len()));
    }
    for (index, step) in steps.iter().enumerate() {
        let caller = passes.get(index).or_else(|| steps.get(index.checked_sub(1)?));
        let Some(text) = content(step.path) else {
            mistakes.push(format!("{} is no file", step.path));
            continue;
        };
        if !Function::find(*step, *step, text).exists {
            mistakes.push(format!("{} has no function `{}`", step.path, step.function));
        }
        if let Some(caller) = caller
            && let Some(text) = content(caller.path)
            && !Function::find(*caller, *step, text).calls
        {
            mistakes
                .push(format!("`{}` in {} does not call `{}`", caller.function, caller.path, step.function));
        }
    }
    mistakes
}

/// The search for a function in a file, and for a call of the next one in its body.
struct Function<'s> {
    step: Step<'s>,
    next: Step<'s>,
    /// The type of the surrounding `impl`.
    owner: Option<String>,
    is_inside: bool,
    exists: bool,
    calls: bool,
}

impl<'s> Function<'s> {
    fn find(step: Step<'s>, next: Step<'s>, text: &str) -> Function<'s> {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", step.path));
        let mut function =
            Function { step, next, owner: None, is_inside: false, exists: false, calls: false };
        function.visit_file(&file);
        function
    }

    fn block(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let (owner, name) = self.step.parts();
        let outer = self.is_inside;
        self.is_inside = signature.ident == name && self.owner.as_deref() == owner;
        self.exists |= self.is_inside;
        visit::visit_block(self, block);
        self.is_inside = outer;
    }
}

impl Visit<'_> for Function<'_> {
    fn visit_item_impl(&mut self, item: &syn::ItemImpl) {
        if let syn::Type::Path(ty) = &*item.self_ty {
            self.owner = ty.path.segments.last().map(|segment| segment.ident.to_string());
        }
        visit::visit_item_impl(self, item);
        self.owner = None;
    }

    fn visit_item_fn(&mut self, function: &syn::ItemFn) {
        self.block(&function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        self.block(&function.sig, &function.block);
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            self.calls |= self.is_inside && self.next.is_named_by(&path.path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let (owner, name) = self.next.parts();
        self.calls |= self.is_inside && owner.is_some() && call.method == name;
        visit::visit_expr_method_call(self, call);
    }
}

#[test]
fn the_way_from_text_to_value_is_listed() {
    let page = &files_with("ARCHITECTURE.md").next().expect("ARCHITECTURE.md").content;
    let content = |path: &str| {
        let path = format!("crates/{path}");
        files_with(".rs").find(|file| file.path == path).map(|file| file.content.as_str())
    };
    let found = mistakes(&steps(page), &CALLERS, content);
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
    let wrong = |first: &'static str, second: Option<&'static str>| {
        mistakes(&found, &[], |path| if path == "a/src/a.rs" { Some(first) } else { second })
    };
    let second = Some("impl Other for T<'_> { fn two() {} }");
    let no_call = ["`one` in a/src/a.rs does not call `T::two`"];
    assert_eq!(wrong("fn one() { x.two(); }", None), ["a/src/b.rs is no file"]);
    assert!(wrong("fn one() { f(|| x.two()); }", second).is_empty());
    assert!(wrong("fn one() { T::two(); }", second).is_empty());
    assert_eq!(wrong("fn one() { two(); T::two_more(); U::two(); }", second), no_call);
    assert_eq!(wrong("fn one() { hop(); }\nfn hop() { x.two(); }", second), no_call);
    assert_eq!(wrong("fn one() { x.two(); }", Some("fn two() {}")), ["a/src/b.rs has no function `T::two`"]);
    let pass = [Step { function: "all", path: "a/src/b.rs" }];
    let text = "fn all() { a::one(); b::one(); }";
    let passes =
        |text| mistakes(&[one], &pass, move |path| Some(if path == one.path { "fn one() {}" } else { text }));
    assert!(passes(text).is_empty());
    assert_eq!(passes("fn all() { b::one(); }"), ["`all` in a/src/b.rs does not call `one`"]);
}
