//! Finds the objects and parts that an address on the command line names.

use terrane_config::address::ResourceMode;
use terrane_module::module::ResourceKey;
use terrane_module::{Expansion, InstanceId};
use terrane_source::{Diagnostic, FileId, SourceFile, Span, ids};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression, parse_expr};
use terrane_value::{SmolStr, closest_name};

use super::builder::{Builder, ObjectId, ObjectRef};
use super::path::{self, Key};

/// An address that names nothing.
pub(super) struct NoTarget {
    detail: String,
    hint: Option<String>,
}

impl NoTarget {
    fn new(detail: impl Into<String>) -> NoTarget {
        NoTarget { detail: detail.into(), hint: None }
    }

    pub(super) fn diagnostic(self, address: &str) -> Diagnostic {
        let source = SourceFile::new(FileId::new("<address>"), address);
        let end = u32::try_from(address.len()).unwrap_or(u32::MAX);
        let diagnostic =
            Diagnostic::error(ids::UNDECLARED_ADDRESS, self.detail).at(&source, Span::new(0, end));
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}

/// The object and the part that an address names: `module.a["x"].aws_vpc.main[0].tags.Name`.
pub(super) fn target(builder: &Builder<'_>, address: &str) -> Result<(ObjectRef, Vec<Key>), NoTarget> {
    let steps = steps(address).ok_or_else(|| NoTarget {
        detail: format!("`{address}` is no address."),
        hint: Some(
            "Addresses look like `output.x`, `local.y`, `module.z.output` or `aws_instance.web[0].tags.Name`, \
             places like `main.tf:12`."
                .to_owned(),
        ),
    })?;
    let mut instance = InstanceId::ROOT;
    let mut rest = steps.as_slice();
    while let [Key::Name(root), Key::Name(name), behind @ ..] = rest
        && root == "module"
    {
        let Some(id) = builder.module(instance).calls.id_of(name) else {
            let names = builder.module(instance).calls.keys();
            return Err(undeclared(address, "module call", name, names.map(SmolStr::as_str)));
        };
        let (object, path) = builder.call_at(instance, id, behind);
        let ObjectId::Call(_, key) = &object.object else { return Ok((object, path)) };
        let inner = builder.instance(instance).path.child(name, key.clone());
        let called = builder.instance_at(&inner);
        let expansion = &builder.instance(instance).calls[id].expansion;
        // An object of the module, or the call itself.
        let Some(called) = called.filter(|_| !path.is_empty()) else {
            if called.is_none() && !path.is_empty() && is_repeated(expansion) {
                return Err(no_instance(address, expansion));
            }
            return found(builder, object, path, address);
        };
        (instance, rest) = (called, behind.get(behind.len() - path.len()..).unwrap_or_default());
    }
    let (object, path) = in_module(builder, instance, rest, address)?;
    if let ObjectId::Resource(id, key) = &object.object {
        let expansion = &builder.instance(instance).resources[*id].expansion;
        if is_repeated(expansion) && *key == terrane_config::InstanceKey::None && !path.is_empty() {
            return Err(no_instance(address, expansion));
        }
    }
    found(builder, object, path, address)
}

fn found(
    builder: &Builder<'_>,
    object: ObjectRef,
    path: Vec<Key>,
    address: &str,
) -> Result<(ObjectRef, Vec<Key>), NoTarget> {
    match path::part(&builder.object_value(&object), &path) {
        Some(_) => Ok((object, path)),
        None => {
            let name = builder.address(&object);
            Err(NoTarget::new(format!(
                "`{name}` has no part `{}`, which `{address}` names.",
                path::text(&path)
            )))
        }
    }
}

fn is_repeated<T>(expansion: &Expansion<T>) -> bool {
    matches!(expansion, Expansion::Count(_) | Expansion::ForEach(_))
}

/// The error for an address without the key of an instance, or with one that does not exist.
fn no_instance<T>(address: &str, expansion: &Expansion<T>) -> NoTarget {
    const MOST: usize = 10;
    let keys: Vec<String> = expansion.iter().map(|(key, _)| key.to_string()).collect();
    let shown = keys.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if keys.len() > MOST { ", ..." } else { "" };
    if keys.is_empty() {
        return NoTarget::new(format!("The block that `{address}` names has no instances."));
    }
    let hint = Some(format!("Its instances are {shown}{more}."));
    NoTarget { detail: format!("`{address}` names no instance of its block."), hint }
}

/// The object of a module instance.
fn in_module(
    builder: &Builder<'_>,
    instance: InstanceId,
    steps: &[Key],
    address: &str,
) -> Result<(ObjectRef, Vec<Key>), NoTarget> {
    let module = builder.module(instance);
    let name = |position: usize| match steps.get(position) {
        Some(Key::Name(name)) => Some(name.clone()),
        Some(Key::Position(_) | Key::Member(_)) | None => None,
    };
    let (Some(root), Some(first)) = (name(0), name(1)) else {
        return Err(NoTarget::new(format!("`{address}` is not the address of an object.")));
    };
    let object = |object| ObjectRef { instance, object };
    let behind = |position: usize| steps.get(position..).unwrap_or_default();
    let simple = |id: Option<ObjectId>, kind: &str, names: Vec<&str>| match id {
        Some(id) => Ok((object(id), behind(2).to_vec())),
        None => Err(undeclared(address, kind, &first, names.into_iter())),
    };
    match &*root {
        "var" => simple(
            module.variables.id_of(&*first).map(ObjectId::Variable),
            "variable",
            module.variables.keys().map(SmolStr::as_str).collect(),
        ),
        "local" => simple(
            module.locals.id_of(&*first).map(ObjectId::Local),
            "local value",
            module.locals.keys().map(SmolStr::as_str).collect(),
        ),
        "output" => simple(
            module.outputs.id_of(&*first).map(ObjectId::Output),
            "output",
            module.outputs.keys().map(SmolStr::as_str).collect(),
        ),
        _ => {
            let mode = match &*root {
                "data" => Some(ResourceMode::Data),
                "ephemeral" => Some(ResourceMode::Ephemeral),
                "action" => Some(ResourceMode::Action),
                _ => None,
            };
            let (resource_type, name, rest) = match mode {
                Some(_) => (first, name(2).unwrap_or_default(), behind(3)),
                None => (root, first, behind(2)),
            };
            let mode = mode.unwrap_or(ResourceMode::Managed);
            let key = ResourceKey { mode, resource_type, name };
            match module.resources.find(&key) {
                Some((id, _)) => Ok(builder.resource_at(instance, id, rest)),
                None => {
                    let named = key.object(terrane_config::InstanceKey::None).to_string();
                    let all = module.resources.keys();
                    let all: Vec<String> =
                        all.map(|key| key.object(terrane_config::InstanceKey::None).to_string()).collect();
                    Err(undeclared(address, "resource", &named, all.iter().map(String::as_str)))
                }
            }
        }
    }
}

fn undeclared<'n>(address: &str, kind: &str, name: &str, names: impl Iterator<Item = &'n str>) -> NoTarget {
    let hint = closest_name(name, names).map(|nearest| format!("Did you mean `{nearest}`?"));
    let detail = format!("There is no {kind} `{name}`, which `{address}` names.");
    NoTarget { detail, hint }
}

/// The steps of an address with constant keys.
fn steps(address: &str) -> Option<Vec<Key>> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address.trim()));
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    let tree = &expression.tree;
    let Expr::Traversal { steps, .. } = tree.expr(expression.id) else { return None };
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let root = Key::Name(SmolStr::from(tree.root_name(expression.id)?));
    let key = |step: &Step| match *step {
        Step::Attr { name, .. } => Some(Key::Name(SmolStr::from(tree.slice(name)))),
        Step::LegacyIndex { digits, .. } => tree.slice(digits).parse().ok().map(Key::Position),
        Step::Index { key, .. } => {
            let key = Expression { tree: std::sync::Arc::clone(tree), id: key };
            Key::of(&terrane_eval::constant(&key, &mut terrane_source::Diagnostics::new()))
        }
    };
    std::iter::once(Some(root)).chain(tree.list(steps).iter().map(key)).collect()
}
