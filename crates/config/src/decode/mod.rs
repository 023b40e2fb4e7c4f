//! From the syntax trees of a directory to a [`Module`]: which blocks and arguments there are.

mod block;
mod constant;
mod content;
mod resolve;
mod resource;

use std::path::Path;
use std::sync::Arc;

use terrane_source::{Diagnostic, Diagnostics, Span, ids};
use terrane_syntax::tree::{Block, BodyId, Item};
use terrane_syntax::{Expression, Tree};

use crate::module::{Declaration, Local, Module};
use crate::reference::unresolved;
use terrane_eval::closest_name;

pub(crate) use constant::{constant, constant_string};
pub(crate) use content::Content;
pub(crate) use resource::META_ARGUMENTS;

/// The block types at the top of a file.
const BLOCK_TYPES: &[&str] = &[
    "action",
    "check",
    "data",
    "ephemeral",
    "import",
    "language",
    "locals",
    "module",
    "moved",
    "output",
    "provider",
    "removed",
    "resource",
    "terraform",
    "variable",
];

/// A parsed file of configuration.
pub(crate) struct File {
    /// The tree in which `body` lives.
    pub(crate) tree: Arc<Tree>,
    /// The content.
    pub(crate) body: BodyId,
}

/// Decodes the files of one directory.
pub(crate) fn module(directory: &Path, files: &[File], diagnostics: &mut Diagnostics) -> Module {
    let mut module = Module { directory: directory.to_owned(), ..Module::default() };
    for File { tree, body } in files {
        for item in tree.list(tree.body(*body).items) {
            match item {
                Item::Block(id) => top_level_block(&mut module, tree, tree.block(*id), diagnostics),
                Item::Attribute(id) => {
                    let name = tree.attribute(*id).name;
                    let detail = format!(
                        "An argument named \"{}\" is not expected at the top of a file. Values belong in a block, \
                         such as `locals {{ … }}`.",
                        tree.slice(name)
                    );
                    diagnostics
                        .push(Diagnostic::error(ids::UNSUPPORTED_ARGUMENT, detail).at(tree.source(), name));
                }
            }
        }
    }
    resolve::module(&mut module, diagnostics);
    module
}

fn top_level_block(module: &mut Module, tree: &Arc<Tree>, block: &Block, diagnostics: &mut Diagnostics) {
    let block_type = tree.slice(block.block_type);
    let label_names: &[&str] = match block_type {
        "variable" | "output" | "module" | "provider" | "check" => &["name"],
        "resource" | "data" | "ephemeral" | "action" => &["type", "name"],
        _ => &[],
    };
    if !BLOCK_TYPES.contains(&block_type) {
        return unsupported_block(tree, block, diagnostics);
    }
    let Some(labels) = labels(tree, block, label_names, diagnostics) else { return };
    let content = Content { tree, body: block.body, block: *block };
    let first = labels.first().cloned().unwrap_or_default();
    match block_type {
        "variable" => block::variable(module, &first, &content, diagnostics),
        "output" => block::output(module, &first, &content, diagnostics),
        "module" => block::module_call(module, &first, &content, diagnostics),
        "locals" => locals(module, &content, diagnostics),
        "check" => block::check(module, &first, &content, diagnostics),
        "resource" | "data" | "ephemeral" => {
            let name = labels.get(1).cloned().unwrap_or_default();
            resource::resource(module, block_type, &first, &name, &content, diagnostics);
        }
        // These say nothing about values: providers, state and installation are not evaluated here.
        _ => {}
    }
}

fn unsupported_block(tree: &Tree, block: &Block, diagnostics: &mut Diagnostics) {
    let block_type = tree.slice(block.block_type);
    let detail = format!("Blocks of type \"{block_type}\" are not expected at the top of a file.");
    let mut diagnostic =
        Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail).at(tree.source(), block.block_type);
    if let Some(nearest) = closest_name(block_type, BLOCK_TYPES.iter().copied()) {
        diagnostic = diagnostic.hint(format!("Did you mean \"{nearest}\"?"));
    }
    diagnostics.push(diagnostic);
}

/// The labels of a block, where there are as many as `names` says.
fn labels(
    tree: &Tree,
    block: &Block,
    names: &[&str],
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Arc<str>>> {
    let labels = tree.list(block.labels);
    let block_type = tree.slice(block.block_type);
    if let Some(extra) = labels.get(names.len()) {
        let wanted = match names {
            [] => "no labels".to_owned(),
            [name] => format!("one label (the {name})"),
            _ => format!("{} labels ({})", names.len(), names.join(", ")),
        };
        let detail = format!("A `{block_type}` block takes {wanted}. Remove the rest.");
        diagnostics.push(
            Diagnostic::error(ids::EXTRANEOUS_LABEL, detail)
                .titled(format!("Extraneous label for {block_type}"))
                .at(tree.source(), extra.span),
        );
        return None;
    }
    if let Some(missing) = names.get(labels.len()) {
        let detail = format!(
            "A `{block_type}` block takes {} label(s) before its `{{`: the {missing} is missing.",
            names.len()
        );
        let place = Span::new(block.open, block.open + 1);
        diagnostics.push(
            Diagnostic::error(ids::MISSING_LABEL, detail)
                .titled(format!("Missing {missing} for {block_type}"))
                .at(tree.source(), place),
        );
        return None;
    }
    Some(labels.iter().map(|label| Arc::from(tree.text(label.text))).collect())
}

fn locals(module: &mut Module, content: &Content<'_>, diagnostics: &mut Diagnostics) {
    for block in content.all_blocks() {
        let detail = "A `locals` block has only arguments, each with the value of one local. For a nested \
                      structure, write `name = { … }`.";
        diagnostics.push(
            Diagnostic::error(ids::UNEXPECTED_BLOCK, detail)
                .titled(format!("Unexpected \"{}\" block", content.tree.slice(block.block_type)))
                .at(content.tree.source(), block.block_type),
        );
    }
    for attribute in content.all_attributes() {
        let name: Arc<str> = Arc::from(content.tree.slice(attribute.name));
        let declaration = content.declared_at(content.tree.attribute_span(attribute));
        let value = unresolved(Expression { tree: Arc::clone(content.tree), id: attribute.expr });
        if let Some(earlier) = module.locals.get(&name) {
            diagnostics.push(duplicate(
                ids::DUPLICATE_LOCAL,
                "local value",
                &name,
                &earlier.declaration,
                &declaration,
            ));
            continue;
        }
        module.locals.insert(name, Local { declaration, value });
    }
}

/// A second declaration of the same name.
fn duplicate(
    id: terrane_source::DiagnosticId,
    what: &str,
    name: &str,
    earlier: &Declaration,
    again: &Declaration,
) -> Diagnostic {
    let place = earlier.file.lines().line_column(earlier.file.text(), earlier.span.start);
    let detail = format!(
        "A {what} named \"{name}\" is already declared at {}:{}:{}. Names must be unique within a module: rename or \
         remove one of them.",
        earlier.file.id(),
        place.line,
        place.column
    );
    Diagnostic::error(id, detail).at(&again.file, again.span)
}

/// Whether `name` can be the name of an object.
fn is_valid_name(name: &str) -> bool {
    terrane_syntax::is_identifier(name)
}
