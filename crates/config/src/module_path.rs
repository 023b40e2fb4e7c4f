//! Reads addresses of module instances.

use terrane_source::{FileId, SourceFile};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId, Tree, parse_expr};
use terrane_value::SmolStr;

use crate::address::{InstanceKey, ModulePath, ModuleStep};

/// The path that an address such as `module.a["k"].module.b` names; none for other texts.
pub fn module_path(address: &str) -> Option<ModulePath> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address));
    let tree = &parsed.tree;
    let Expr::Traversal { root_end, steps } = tree.expr(parsed.root) else { return None };
    let root = address.get(tree.span(parsed.root).start as usize..root_end as usize);
    if !parsed.diagnostics.is_empty() || root != Some("module") {
        return None;
    }
    let mut calls: Vec<ModuleStep> = Vec::new();
    // Whether the word `module` has been read, and a name must follow.
    let mut is_open = true;
    for step in tree.list(steps) {
        match (step, calls.last_mut()) {
            (Step::Attr { name, .. }, _) if is_open => {
                let name = SmolStr::from(tree.slice(*name));
                calls.push(ModuleStep { name, key: InstanceKey::None });
                is_open = false;
            }
            (Step::Attr { name, .. }, _) if tree.slice(*name) == "module" => is_open = true,
            (Step::Index { key, .. }, Some(call)) if !is_open && call.key == InstanceKey::None => {
                call.key = literal_key(tree, *key)?;
            }
            (_, _) => return None,
        }
    }
    let path = calls.into_iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, step.key));
    (!is_open).then_some(path)
}

fn literal_key(tree: &Tree, key: ExprId) -> Option<InstanceKey> {
    if let Expr::Literal(Literal::String(text)) = tree.expr(key) {
        return Some(InstanceKey::Key(tree.text(text).into()));
    }
    tree.expr_text(key).parse().ok().map(InstanceKey::Index)
}
