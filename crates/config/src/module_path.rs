//! Reads addresses of module instances and of the instances of resources in them.

use terrane_source::{FileId, SourceFile};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId, Tree, parse_expr};
use terrane_value::SmolStr;

use crate::address::{Address, InstanceKey, MAX_MODULE_DEPTH, ModulePath, Object, ResourceMode};

/// Limit on the steps behind the first name of an address: a path at the limit with a key at each call, and an instance in it.
const MAX_STEPS: usize = 3 * MAX_MODULE_DEPTH + 4;

/// A part of an address.
enum Part {
    Name(SmolStr),
    Key(InstanceKey),
}

/// The path that an address such as `module.a["k"].module.b` names; none for other texts, and for those of more than
/// [`MAX_MODULE_DEPTH`] calls.
pub fn module_path(address: &str) -> Option<ModulePath> {
    let parts = parts(address)?;
    let (path, rest) = modules(&parts)?;
    (rest.is_empty() && !path.steps().is_empty()).then_some(path)
}

/// The instance of a managed resource that an address such as `module.a.demo_disk.d["k"]` names; none for other texts, and for
/// those of more than [`MAX_MODULE_DEPTH`] calls.
pub(crate) fn managed_instance(address: &str) -> Option<Address> {
    let parts = parts(address)?;
    let (module, rest) = modules(&parts)?;
    let [Part::Name(resource_type), Part::Name(name), rest @ ..] = rest else { return None };
    let (key, rest) = key(rest);
    let object = Object::Resource(ResourceMode::Managed, resource_type.clone(), name.clone(), key);
    rest.is_empty().then_some(Address { module, object })
}

/// The parts of an address.
fn parts(address: &str) -> Option<Vec<Part>> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address));
    let tree = &parsed.tree;
    let Expr::Traversal { root_end, steps } = tree.expr(parsed.root) else { return None };
    let root = address.get(tree.span(parsed.root).start as usize..root_end as usize)?;
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut parts = vec![Part::Name(SmolStr::from(root))];
    let steps = tree.list(steps);
    if steps.len() > MAX_STEPS {
        return None;
    }
    for step in steps {
        parts.push(match step {
            Step::Attr { name, .. } => Part::Name(SmolStr::from(tree.slice(*name))),
            Step::Index { key, .. } => Part::Key(literal_key(tree, *key)?),
            Step::LegacyIndex { .. } => return None,
        });
    }
    Some(parts)
}

/// The module instance at the beginning of an address, and the parts behind it.
fn modules(parts: &[Part]) -> Option<(ModulePath, &[Part])> {
    let (mut path, mut rest) = (ModulePath::ROOT, parts);
    while let [Part::Name(word), after @ ..] = rest
        && word == "module"
    {
        let [Part::Name(name), after @ ..] = after else { return None };
        let (key, after) = key(after);
        path = path.child(name, key);
        if path.steps().len() > MAX_MODULE_DEPTH {
            return None;
        }
        rest = after;
    }
    Some((path, rest))
}

/// The key at the beginning of `parts`, and the parts behind it.
fn key(parts: &[Part]) -> (InstanceKey, &[Part]) {
    match parts {
        [Part::Key(key), rest @ ..] => (key.clone(), rest),
        rest => (InstanceKey::None, rest),
    }
}

fn literal_key(tree: &Tree, key: ExprId) -> Option<InstanceKey> {
    if let Expr::Literal(Literal::String(text)) = tree.expr(key) {
        return Some(InstanceKey::Key(tree.text(text).into()));
    }
    tree.expr_text(key).parse().ok().map(InstanceKey::Index)
}
