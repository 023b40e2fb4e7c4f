//! Finds which file of a crate imports names that another file defines.
//!
//! An import is a path that leads to an item of another file of the crate: in a `use`, in code or inside a macro call.
//! Names that a module re-exports lead to the file that defines them. A call `self.name(...)` in an `impl` block of a type
//! imports the file with that method, if another `impl` block of the type has it. So does a call `self.field.name(...)`, by the
//! type of the field. Calls on other values are left out, as their types are not known here. Tests are left out, too, and so is
//! the re-export of an item by a module above it.
#![expect(clippy::wildcard_enum_match_arm, reason = "of the kinds of items, few define or import names")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree, Visibility};

use super::files;

/// The first place where a file imports items of another file, or calls methods that it adds to a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Import {
    pub(super) line: usize,
    /// The path as it is written, such as `super::Scope`.
    pub(super) path: String,
    /// The type, if the import is a call of its methods.
    pub(super) methods_of: Option<Type>,
}

/// A type of the crate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Type {
    /// The file that defines the type.
    pub(super) file: String,
    pub(super) name: String,
}

/// The imports among files, by the importing and the imported file: one import of items, and one for each type whose methods
/// are called.
pub(super) type Imports = BTreeMap<(String, String), Vec<Import>>;

/// A crate of the workspace.
pub(super) struct Crate {
    pub(super) name: &'static str,
    /// The contents of its files by path, relative to `src`.
    pub(super) files: BTreeMap<&'static str, &'static str>,
    pub(super) imports: Imports,
}

/// Every crate of `crates/`, sorted, and `xtask`.
pub(super) fn crates() -> &'static [Crate] {
    static CRATES: LazyLock<Vec<Crate>> = LazyLock::new(|| {
        let manifests = files().iter().filter_map(|file| {
            let folder = file.path.strip_suffix("/Cargo.toml")?;
            let name = folder.strip_prefix("crates/").unwrap_or(folder);
            (!name.contains('/') && (name != folder || name == "xtask")).then_some((
                name,
                folder,
                file.content.as_str(),
            ))
        });
        manifests.map(|(name, folder, manifest)| read(name, folder, manifest)).collect()
    });
    &CRATES
}

fn read(name: &'static str, folder: &str, manifest: &str) -> Crate {
    let folder = format!("{folder}/src/");
    let sources = files().iter().filter(|file| file.path.ends_with(".rs"));
    let files: BTreeMap<&str, &str> =
        sources.filter_map(|file| Some((file.path.strip_prefix(&folder)?, file.content.as_str()))).collect();
    let manifest: toml::Table = manifest.parse().unwrap_or_else(|error| panic!("{name}/Cargo.toml: {error}"));
    let binaries = manifest.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let mut roots: Vec<&str> = binaries
        .filter_map(|binary| binary.get("path")?.as_str()?.strip_prefix("src/"))
        .chain(["lib.rs", "main.rs"])
        .filter(|root| files.contains_key(root))
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let imports = imports(&roots, &files);
    Crate { name, files, imports }
}

/// Returns the imports of a crate from its root files, such as `lib.rs`. `files` has the contents by path, relative to `src`.
pub(super) fn imports(roots: &[&str], files: &BTreeMap<&str, &str>) -> Imports {
    let mut imports = Imports::new();
    for root in roots {
        let mut tree = Modules { files, modules: Vec::new() };
        let content = files.get(root).unwrap_or_else(|| panic!("{root} is no file of the crate"));
        tree.add_file(None, root, content, "");
        tree.imports(&mut imports);
    }
    imports
}

/// A module of a crate, in a file of its own or inline.
#[derive(Default)]
struct Module {
    parent: Option<usize>,
    file: String,
    names: BTreeMap<String, Vec<Definition>>,
    /// The modules whose names are imported with `*`.
    globs: Vec<Vec<String>>,
    mentions: Vec<Mention>,
    extensions: Vec<Extension>,
    /// The paths of the types of fields, by struct and field.
    fields: BTreeMap<(String, String), Vec<String>>,
}

/// An `impl` block without a trait.
struct Extension {
    /// The path of the type.
    ty: Vec<String>,
    methods: Vec<String>,
    calls: Vec<Call>,
}

/// A call `self.name(...)` or `self.field.name(...)`.
struct Call {
    /// The fields between `self` and the name.
    fields: Vec<String>,
    name: Ident,
}

#[derive(Clone)]
enum Definition {
    Item,
    Module(usize),
    /// A name that a `use` gives to this path.
    Alias(Vec<String>),
}

/// A path in the code of a module.
struct Mention {
    path: Vec<String>,
    span: Span,
    is_reexport: bool,
}

/// The target that a path leads to.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Module(usize),
    /// An item of this module.
    Item(usize),
}

/// A name that is being looked up. As the last name of a path, it may lead to an item beside a module of the same name.
#[derive(PartialEq)]
struct LookUp {
    module: usize,
    name: String,
    is_last: bool,
}

/// The tree of modules below one root file; the first module is the root.
struct Modules<'f> {
    files: &'f BTreeMap<&'f str, &'f str>,
    modules: Vec<Module>,
}

impl Modules<'_> {
    /// Adds the module in a file. `folder` is where the files of its submodules are, with `/` at its end.
    fn add_file(&mut self, parent: Option<usize>, path: &str, content: &str, folder: &str) -> usize {
        let file = syn::parse_file(content).unwrap_or_else(|error| panic!("{path}: {error}"));
        self.add(parent, path, &file.items, folder)
    }

    fn add(&mut self, parent: Option<usize>, path: &str, items: &[Item], folder: &str) -> usize {
        let module = self.modules.len();
        self.modules.push(Module { parent, file: path.to_owned(), ..Module::default() });
        for item in items.iter().filter(|item| !is_test(item)) {
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let folder = format!("{folder}{name}/");
                    let id = match &child.content {
                        Some((_, items)) => self.add(Some(module), path, items, &folder),
                        None => self.add_child_file(module, &folder),
                    };
                    self.define(module, name, Definition::Module(id));
                }
                Item::Use(import) => {
                    let is_reexport = !matches!(import.vis, Visibility::Inherited);
                    self.add_use(module, &import.tree, &mut Vec::new(), is_reexport);
                }
                item => {
                    if let Some(name) = defined_name(item) {
                        self.define(module, name, Definition::Item);
                    }
                    self.modules[module].mentions.extend(paths(item));
                    self.modules[module].extensions.extend(extension(item));
                    self.modules[module].fields.extend(fields(item));
                }
            }
        }
        module
    }

    /// Adds the module whose files are in `folder` or that has a file beside it.
    fn add_child_file(&mut self, parent: usize, folder: &str) -> usize {
        let paths = [format!("{}.rs", folder.trim_end_matches('/')), format!("{folder}mod.rs")];
        let found = paths.iter().find_map(|path| Some((path, *self.files.get(path.as_str())?)));
        let (path, content) = found.unwrap_or_else(|| panic!("none of {paths:?} is a file of the crate"));
        self.add_file(Some(parent), path, content, folder)
    }

    fn define(&mut self, module: usize, name: String, definition: Definition) {
        self.modules[module].names.entry(name).or_default().push(definition);
    }

    fn add_use(&mut self, module: usize, tree: &UseTree, path: &mut Vec<String>, is_reexport: bool) {
        let (name, alias) = match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.add_use(module, &step.tree, path, is_reexport);
                path.pop();
                return;
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_use(module, tree, path, is_reexport));
                return;
            }
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(rename) => (&rename.ident, &rename.rename),
            UseTree::Glob(glob) => {
                let span = glob.star_token.spans[0];
                self.modules[module].globs.push(path.clone());
                self.modules[module].mentions.push(Mention { path: path.clone(), span, is_reexport });
                return;
            }
        };
        let mut whole = path.clone();
        let mut alias = alias.to_string();
        if name == "self" {
            alias = path.last().filter(|_| alias == "self").cloned().unwrap_or(alias);
        } else {
            whole.push(name.to_string());
        }
        let span = name.span();
        self.define(module, alias, Definition::Alias(whole.clone()));
        self.modules[module].mentions.push(Mention { path: whole, span, is_reexport });
    }

    /// Returns the definition that `path` leads to from a module; `None` if the path begins with the name of another crate or a
    /// name in a block of code.
    fn resolve(&self, module: usize, path: &[String], open: &mut Vec<LookUp>) -> Option<Target> {
        let mut target = None;
        for (index, name) in path.iter().enumerate() {
            let is_last = index + 1 == path.len();
            target = match (target, name.as_str()) {
                (None, "crate") => Some(Target::Module(0)),
                (None, "self") => Some(Target::Module(module)),
                (None, "super") => self.modules[module].parent.map(Target::Module),
                (None, name) => self.look_up(module, name, is_last, open),
                (Some(Target::Module(module)), "super") => self.modules[module].parent.map(Target::Module),
                (Some(Target::Module(module)), name) => self.look_up(module, name, is_last, open),
                // The rest names a variant, an associated item or a method.
                (item @ Some(Target::Item(_)), _) => item,
            };
            target?;
        }
        target
    }

    /// Returns the item that a module has under `name`, or the submodule if there is no such item or the path goes on. `open`
    /// has the look-ups that wait for this one: an alias can lead to itself.
    fn look_up(&self, module: usize, name: &str, is_last: bool, open: &mut Vec<LookUp>) -> Option<Target> {
        let look_up = LookUp { module, name: name.to_owned(), is_last };
        if open.contains(&look_up) {
            return None;
        }
        open.push(look_up);
        let definitions = self.modules[module].names.get(name).map_or(&[][..], Vec::as_slice);
        let own = definitions.iter().filter_map(|definition| match definition {
            Definition::Item => Some(Target::Item(module)),
            Definition::Module(child) => Some(Target::Module(*child)),
            Definition::Alias(path) => self.resolve(module, path, open),
        });
        let mut found: Vec<Target> = own.collect();
        if found.is_empty() {
            let globs = self.modules[module].globs.iter();
            found.extend(globs.filter_map(|path| match self.resolve(module, path, open)? {
                Target::Module(from) => self.look_up(from, name, is_last, open),
                item @ Target::Item(_) => Some(item),
            }));
        }
        open.pop();
        let preferred = found.iter().find(|target| matches!(target, Target::Item(_)) == is_last);
        preferred.or(found.first()).copied()
    }

    fn imports(&self, imports: &mut Imports) {
        for (id, module) in self.modules.iter().enumerate() {
            for mention in &module.mentions {
                let Some(Target::Item(target)) = self.resolve(id, &mention.path, &mut Vec::new()) else {
                    continue;
                };
                let file = &self.modules[target].file;
                if *file == module.file || (mention.is_reexport && self.is_below(target, id)) {
                    continue;
                }
                let import = Import {
                    line: mention.span.start().line,
                    path: mention.path.join("::"),
                    methods_of: None,
                };
                add_import(imports, [&module.file, file], import);
            }
        }
        self.calls(imports);
    }

    /// The type that a path leads to from a module, and the module that defines it.
    fn type_at(&self, module: usize, path: &[String]) -> Option<(usize, Type)> {
        let Some(Target::Item(target)) = self.resolve(module, path, &mut Vec::new()) else { return None };
        let file = self.modules[target].file.clone();
        Some((target, Type { file, name: path.last()?.clone() }))
    }

    /// The calls `self.name(...)` and `self.field.name(...)` of methods that another file adds to the type.
    fn calls(&self, imports: &mut Imports) {
        let extensions = || {
            self.modules.iter().enumerate().flat_map(|(id, module)| {
                module.extensions.iter().filter_map(move |extension| {
                    Some((self.type_at(id, &extension.ty)?, &module.file, extension))
                })
            })
        };
        let mut methods: BTreeMap<_, &String> = BTreeMap::new();
        for ((_, ty), file, extension) in extensions() {
            methods.extend(extension.methods.iter().map(|method| ((ty.clone(), method.clone()), file)));
        }
        for (of_self, file, extension) in extensions() {
            for Call { fields, name } in &extension.calls {
                let field = |(module, ty): (usize, Type), field: &String| {
                    self.type_at(module, self.modules[module].fields.get(&(ty.name, field.clone()))?)
                };
                let ty = fields.iter().try_fold(of_self.clone(), field);
                let Some((_, ty)) = ty else { continue };
                let to = methods.get(&(ty.clone(), name.to_string())).filter(|to| **to != file);
                let path = ["self"].into_iter().chain(fields.iter().map(String::as_str));
                let path = path.chain([name.to_string().as_str()]).collect::<Vec<_>>().join(".");
                let import = Import { line: name.span().start().line, path, methods_of: Some(ty) };
                to.into_iter().for_each(|to| add_import(imports, [file, to], import.clone()));
            }
        }
    }

    fn is_below(&self, mut module: usize, ancestor: usize) -> bool {
        while let Some(parent) = self.modules[module].parent {
            if parent == ancestor {
                return true;
            }
            module = parent;
        }
        false
    }
}

/// Adds an import from one file to another, unless there is an import of the same kind on an earlier line. Imports of items
/// come first.
fn add_import(imports: &mut Imports, from_to: [&str; 2], import: Import) {
    let [from, to] = from_to.map(str::to_owned);
    let all = imports.entry((from, to)).or_default();
    match all.binary_search_by(|other| other.methods_of.cmp(&import.methods_of)) {
        Ok(same) if import.line < all[same].line => all[same] = import,
        Ok(_) => {}
        Err(place) => all.insert(place, import),
    }
}

/// Returns the methods of an `impl` block without a trait, and the calls of methods in it; `None` for any other item.
fn extension(item: &Item) -> Option<Extension> {
    let Item::Impl(item) = item else { return None };
    let syn::Type::Path(ty) = &*item.self_ty else { return None };
    if item.trait_.is_some() {
        return None;
    }
    let ty = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let methods = item.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
        _ => None,
    });
    let mut calls = Vec::new();
    self_calls(item.to_token_stream(), &mut calls);
    Some(Extension { ty, methods: methods.collect(), calls })
}

/// The paths of the types of the fields of a struct, without references and the pointers around them.
fn fields(item: &Item) -> Vec<((String, String), Vec<String>)> {
    let Item::Struct(item) = item else { return Vec::new() };
    let field = |field: &syn::Field| {
        let name = field.ident.as_ref()?.to_string();
        Some(((item.ident.to_string(), name), type_path(&field.ty)?))
    };
    item.fields.iter().filter_map(field).collect()
}

/// The path of a type, or of the type that a reference, an `Arc` or a `Box` leads to.
fn type_path(ty: &syn::Type) -> Option<Vec<String>> {
    let segments = match ty {
        syn::Type::Reference(reference) => return type_path(&reference.elem),
        syn::Type::Path(path) => &path.path.segments,
        _ => return None,
    };
    let last = segments.last()?;
    if let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
        && ["Arc", "Box", "Rc"].iter().any(|pointer| last.ident == pointer)
    {
        let syn::GenericArgument::Type(ty) = arguments.args.first()? else { return None };
        return type_path(ty);
    }
    Some(segments.iter().map(|segment| segment.ident.to_string()).collect())
}

/// Adds the calls `self.name(...)` and `self.field.name(...)`.
fn self_calls(stream: TokenStream, calls: &mut Vec<Call>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => self_calls(group.stream(), calls),
            TokenTree::Ident(root) if root == "self" => calls.extend(call(&tokens[index + 1..])),
            _ => {}
        }
    }
}

/// The call that begins behind `self`: names behind dots, then an argument list.
fn call(tokens: &[TokenTree]) -> Option<Call> {
    let mut fields = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Punct(dot), TokenTree::Ident(name), after @ ..] = rest
        && dot.as_char() == '.'
    {
        if let Some(TokenTree::Group(group)) = after.first()
            && group.delimiter() == proc_macro2::Delimiter::Parenthesis
        {
            return Some(Call { fields, name: name.clone() });
        }
        fields.push(name.to_string());
        rest = after;
    }
    None
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Whether an item is compiled for tests only: `#[cfg(test)]` or `#[test]`.
pub(super) fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        let tokens = quoted(&attribute.meta).replace(' ', "");
        tokens == "test" || tokens == "cfg(test)"
    })
}

fn quoted(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// A token of an item, as far as paths need it.
enum Token {
    Name(Ident),
    Mark(char),
    Other,
}

/// Returns the paths in an item: runs of names with `::` between them, also inside macro calls.
fn paths(item: &Item) -> Vec<Mention> {
    let mut tokens = Vec::new();
    flatten(item.to_token_stream(), &mut tokens);
    let mut mentions: Vec<Mention> = Vec::new();
    let mut before = [' ', ' '];
    let mut continues = false;
    for token in tokens {
        let mark = match token {
            Token::Name(name) => {
                match (before, mentions.last_mut()) {
                    ([':', ':'], Some(mention)) if continues => mention.path.push(name.to_string()),
                    // The name belongs to the rest of a path in brackets, or to a lifetime.
                    ([':', ':'] | [_, '\''], _) => continues = false,
                    // The name belongs to a field or a method. After two dots, it is the end of a range.
                    ([other, '.'], _) if other != '.' => continues = false,
                    _ => {
                        let path = vec![name.to_string()];
                        mentions.push(Mention { path, span: name.span(), is_reexport: false });
                        continues = true;
                    }
                }
                ' '
            }
            Token::Mark(mark) => {
                continues &= mark == ':';
                mark
            }
            Token::Other => {
                continues = false;
                ' '
            }
        };
        before = [before[1], mark];
    }
    mentions
}

/// Adds the tokens of `stream` and of its groups.
fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for token in stream {
        match token {
            TokenTree::Group(group) => {
                tokens.push(Token::Other);
                flatten(group.stream(), tokens);
                tokens.push(Token::Other);
            }
            TokenTree::Ident(name) => tokens.push(Token::Name(name)),
            TokenTree::Punct(mark) => tokens.push(Token::Mark(mark.as_char())),
            TokenTree::Literal(_) => tokens.push(Token::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the arrows of a crate, as `from -> to:line path`.
    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().copied().collect();
        let imports = imports(&["lib.rs"], &files);
        let all = imports.iter().flat_map(|(key, all)| all.iter().map(move |import| (key, import)));
        all.map(|((from, to), import)| format!("{from} -> {to}:{} {}", import.line, import.path)).collect()
    }

    #[test]
    fn an_import_leads_to_the_file_that_defines_the_name() {
        let lib = "mod scope;\nmod eval;\npub use scope::Scope;\npub(crate) struct Own;\n";
        let eval = "mod inner { pub fn deep() { crate::scope::free() } }\nuse crate::{Own, Scope as S};\n";
        let files =
            [("lib.rs", lib), ("scope.rs", "pub struct Scope; pub fn free() {}"), ("eval/mod.rs", eval)];
        assert_eq!(
            arrows(&files),
            ["eval/mod.rs -> lib.rs:2 crate::Own", "eval/mod.rs -> scope.rs:1 crate::scope::free"]
        );
    }

    #[test]
    fn a_call_of_a_method_leads_to_the_file_that_adds_it_to_the_type() {
        let a = "pub struct A;\nimpl A {\n    fn f(&self) { self.g(1); self.h(); other.g(); }\n    fn h(&self) {}\n}\n";
        let b = "use crate::a::A;\nimpl A {\n    fn g(&self, n: u8) {}\n}\nimpl super::B {\n    fn f(&self) { self.g(); }\n}\n";
        let files = [("lib.rs", "mod a;\nmod b;\nstruct B;\n"), ("a.rs", a), ("b.rs", b)];
        assert_eq!(
            arrows(&files),
            ["a.rs -> b.rs:3 self.g", "b.rs -> a.rs:1 crate::a::A", "b.rs -> lib.rs:5 super::B"]
        );
    }

    #[test]
    fn a_call_on_a_field_leads_to_the_file_that_adds_the_method_to_its_type() {
        let a = "pub struct A;\nimpl A {\n    fn f(&self) {}\n}\n";
        let b = "use crate::a::A;\nimpl A {\n    fn g(&self) {}\n}\n";
        let c = "use crate::a::A;\npub struct C<'a> { a: &'a A, b: Box<A> }\nimpl C<'_> {\n    fn h(&self) { self.a.f(); }\n    \
                 fn i(&self) { self.b.g(); self.x.g(); }\n}\nstruct D { c: C }\nimpl D {\n    fn j(&self) { self.c.a.g() }\n}\n";
        let files = [("lib.rs", "mod a;\nmod b;\nmod c;\n"), ("a.rs", a), ("b.rs", b), ("c.rs", c)];
        assert_eq!(
            arrows(&files),
            [
                "b.rs -> a.rs:1 crate::a::A",
                "c.rs -> a.rs:1 crate::a::A",
                "c.rs -> a.rs:4 self.a.f",
                "c.rs -> b.rs:5 self.b.g"
            ]
        );
    }

    #[test]
    fn names_are_found_through_modules_globs_and_aliases() {
        let lib = "mod a; mod b; mod c; mod d;";
        let c = "use crate::a;\nuse super::b::*;\nfn f() -> B { format!(\"{}\", 1 + a::VALUE) }";
        let d = "use crate::c::loops::loops;\nfn f(x: X) { x.VALUE; let VALUE = 0..crate::a::VALUE; }";
        let files = [
            ("lib.rs", lib),
            ("a.rs", "pub const VALUE: u8 = 1;"),
            ("b.rs", "pub struct B;"),
            ("c.rs", c),
            ("d.rs", d),
        ];
        assert_eq!(
            arrows(&files),
            ["c.rs -> a.rs:3 a::VALUE", "c.rs -> b.rs:3 B", "d.rs -> a.rs:2 crate::a::VALUE"]
        );
    }

    #[test]
    fn a_function_with_the_name_of_its_module_is_found_through_a_re_export() {
        let files = [
            ("lib.rs", "mod convert;\nmod fit;\npub use convert::convert;\n"),
            ("convert.rs", "pub fn convert() {}\n"),
            ("fit.rs", "use crate::convert;\nfn f() { convert() }\n"),
        ];
        assert_eq!(arrows(&files), ["fit.rs -> convert.rs:1 crate::convert"]);
    }

    #[test]
    fn a_parent_that_uses_its_child_imports_it_and_tests_do_not_count() {
        let lib =
            "mod a;\npub use a::{A, f};\nfn g() { f(); }\n#[cfg(test)]\nmod tests { use crate::a::B; }\n";
        let a = "pub struct A;\npub fn f() {}\n#[cfg(test)]\nfn helper() { crate::g() }\n";
        assert_eq!(arrows(&[("lib.rs", lib), ("a.rs", a)]), ["lib.rs -> a.rs:3 f"]);
    }
}
