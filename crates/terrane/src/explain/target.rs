//! Finds the objects and parts that an address on the command line names.

use terrane_config::AddressWord;
use terrane_config::address::{InstanceKey, ModulePath, ResourceMode};
use terrane_module::model::namespace::Namespace;
use terrane_module::module::ResourceKey;
use terrane_module::resolve::root::namespace;
use terrane_module::{Expansion, InstanceId};
use terrane_source::{Diagnostic, FileId, SourceFile};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression, parse_expr};
use terrane_value::{ClosestNames, SmolStr};

use super::builder::{Builder, ObjectId, ObjectPart, ObjectRef};
use super::path::{self, Key};
use crate::written::shown_address;

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
        let diagnostic = crate::address::undeclared(address, self.detail);
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}

/// An address on the command line.
struct WrittenAddress<'w> {
    text: &'w str,
    steps: Vec<Key>,
    /// For each step, whether it is an index in brackets.
    is_index: Vec<bool>,
}

impl WrittenAddress<'_> {
    /// Whether `rest`, the last steps, begins with an index.
    fn begins_with_index(&self, rest: &[Key]) -> bool {
        let position = self.steps.len().checked_sub(rest.len());
        position.and_then(|position| self.is_index.get(position)).is_some_and(|is_index| *is_index)
    }
}

/// Returns the object and the part that an address names: `module.a["x"].aws_vpc.main[0].tags.Name`.
pub(super) fn target(builder: &Builder<'_>, address: &str) -> Result<ObjectPart, NoTarget> {
    let written = written(address).ok_or_else(|| NoTarget {
        detail: format!("`{}` is not an address.", shown_address(address)),
        hint: Some(
            "Addresses look like `output.x`, `local.y`, `module.z.output` or `aws_instance.web[0].tags.Name`, \
             places like `main.tf:12`."
                .to_owned(),
        ),
    })?;
    let mut instance = InstanceId::ROOT;
    let mut rest = written.steps.as_slice();
    while let [Key::Name(root), Key::Name(name), behind @ ..] = rest
        && AddressWord::MODULE == **root
    {
        let Some(id) = builder.module(instance).calls.id_of(name) else {
            let names = builder.module(instance).calls.keys();
            let path = &builder.instance(instance).path;
            return Err(undeclared(path, "module call", name, names.map(SmolStr::as_str)));
        };
        let expansion = &builder.instance(instance).calls[id].expansion;
        let any = builder.instance_at(&builder.instance(instance).path.child(name, InstanceKey::None));
        if let Some(any) = any.filter(|_| expansion.unknown().is_some()) {
            let behind = behind_any(builder, any, behind, &written);
            if let [Key::Name(output), path @ ..] = behind
                && let Some(output) = builder.module(any).outputs.id_of(output)
            {
                let object = ObjectRef { instance: any, object: ObjectId::Output(output) };
                return found(builder, object.part(path.to_vec()));
            }
            if !behind.is_empty() {
                (instance, rest) = (any, behind);
                continue;
            }
        }
        let part = builder.call_at(instance, id, behind);
        let path = &part.path;
        let ObjectId::Call(_, key) = &part.object.object else { return Ok(part) };
        let called = builder.instance_at(&builder.instance(instance).path.child(name, key.clone()));
        // The address names an object of the module, or the call itself.
        let Some(called) = called.filter(|_| !path.is_empty()) else {
            if called.is_none() && !path.is_empty() && is_repeated(expansion) {
                return Err(no_instance(address, expansion));
            }
            return found(builder, part);
        };
        (instance, rest) = (called, behind.get(behind.len() - path.len()..).unwrap_or_default());
    }
    let part = in_module(builder, instance, rest, &written)?;
    if let ObjectId::Resource(id, key) = &part.object.object {
        let expansion = &builder.instance(instance).resources[*id].expansion;
        if is_repeated(expansion) && *key == InstanceKey::None && !part.path.is_empty() {
            return Err(no_instance(address, expansion));
        }
    }
    found(builder, part)
}

/// Returns the steps behind a call with an unknown number of instances. One instance stands for all keys, so the key in the
/// address is skipped.
fn behind_any<'s>(
    builder: &Builder<'_>,
    any: InstanceId,
    behind: &'s [Key],
    address: &WrittenAddress<'_>,
) -> &'s [Key] {
    let module = builder.module(any);
    let is_member = |steps: &[Key]| match steps {
        [Key::Name(root), Key::Name(call), ..] if AddressWord::MODULE == **root => {
            module.calls.id_of(call).is_some()
        }
        [Key::Name(output), ..] if module.outputs.id_of(output).is_some() => true,
        _ => in_module(builder, any, steps, address).is_ok(),
    };
    match behind {
        [_, inner @ ..] if address.begins_with_index(behind) => inner,
        [_, inner @ ..] if !is_member(behind) && (inner.is_empty() || is_member(inner)) => inner,
        _ => behind,
    }
}

fn found(builder: &Builder<'_>, part: ObjectPart) -> Result<ObjectPart, NoTarget> {
    let value = builder.object_value(&part.object);
    // Explanations name an element of a set by its value.
    let path = path::by_value(&value, &part.path, |set| builder.hides(set));
    let part = ObjectPart { path, ..part };
    match path::part(&value, &part.path) {
        Some(_) => Ok(part),
        None => {
            let name = builder.address(&part.object);
            Err(NoTarget::new(format!("`{name}` has no part `{}`.", path::text(&part.path))))
        }
    }
}

fn is_repeated<T>(expansion: &Expansion<T>) -> bool {
    matches!(expansion, Expansion::Count(_) | Expansion::ForEach(_))
}

/// Returns the error for an address without the key of an instance, or with a key that does not exist.
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

/// Returns the object of a module instance that the steps begin with, and the other steps.
fn in_module(
    builder: &Builder<'_>,
    instance: InstanceId,
    steps: &[Key],
    address: &WrittenAddress<'_>,
) -> Result<ObjectPart, NoTarget> {
    let module = builder.module(instance);
    let name = |position: usize| match steps.get(position) {
        Some(Key::Name(name)) => Some(name.clone()),
        Some(Key::Position(_) | Key::Member(_)) | None => None,
    };
    if let ([Key::Name(output)], true) = (steps, instance != InstanceId::ROOT) {
        let path = &builder.instance(instance).path;
        return Err(undeclared(path, "output", output, module.outputs.keys().map(SmolStr::as_str)));
    }
    let (Some(root), Some(first)) = (name(0), name(1)) else {
        return Err(NoTarget::new(format!("`{}` is not the address of an object.", address.text)));
    };
    let object = |object| ObjectRef { instance, object };
    let behind = |position: usize| steps.get(position..).unwrap_or_default();
    let simple = |id: Option<ObjectId>, kind: &str, names: Vec<&str>| match id {
        Some(id) => Ok(object(id).part(behind(2).to_vec())),
        None => Err(undeclared(&builder.instance(instance).path, kind, &first, names.into_iter())),
    };
    match namespace(&root, module) {
        Namespace::Path
        | Namespace::Terraform
        | Namespace::Tofu
        | Namespace::Each
        | Namespace::Count
        | Namespace::Itself => Err(NoTarget {
            detail: format!("`{root}.{first}` is a built-in value, which has no address."),
            hint: Some("`main.tf:12` explains the expression of a line that reads it.".to_owned()),
        }),
        Namespace::Variable => simple(
            module.variables.id_of(&*first).map(ObjectId::Variable),
            "variable",
            module.variables.keys().map(SmolStr::as_str).collect(),
        ),
        Namespace::Local => simple(
            module.locals.id_of(&*first).map(ObjectId::Local),
            "local value",
            module.locals.keys().map(SmolStr::as_str).collect(),
        ),
        Namespace::Type if AddressWord::OUTPUT == *root => simple(
            module.outputs.id_of(&*first).map(ObjectId::Output),
            "output",
            module.outputs.keys().map(SmolStr::as_str).collect(),
        ),
        Namespace::Module | Namespace::Resource(_) | Namespace::Reserved | Namespace::Type => {
            resource(builder, instance, steps, address)
        }
    }
}

/// Returns the resource, data source or action of a module instance that the steps begin with.
fn resource(
    builder: &Builder<'_>,
    instance: InstanceId,
    steps: &[Key],
    address: &WrittenAddress<'_>,
) -> Result<ObjectPart, NoTarget> {
    let module = builder.module(instance);
    let (mode, steps) = if let [Key::Name(root), behind @ ..] = steps
        && let Namespace::Resource(mode) = namespace(root, module)
    {
        (mode, behind)
    } else {
        (ResourceMode::Managed, steps)
    };
    let kind = match mode {
        ResourceMode::Managed => "resource",
        ResourceMode::Data => "data source",
        ResourceMode::Ephemeral => "ephemeral resource",
        ResourceMode::Action => "action",
    };
    let [Key::Name(resource_type), Key::Name(name), rest @ ..] = steps else {
        return Err(NoTarget::new(format!("`{}` is not the address of an object.", address.text)));
    };
    let resources = &module.resources;
    let key = ResourceKey { mode, resource_type: resource_type.clone(), name: name.clone() };
    if let Some((id, _)) = resources.find(&key) {
        if address.begins_with_index(rest) {
            return Ok(builder.resource_at(instance, id, rest));
        }
        let object = ObjectRef { instance, object: ObjectId::Resource(id, InstanceKey::None) };
        return Ok(object.part(rest.to_vec()));
    }
    if mode == ResourceMode::Managed && matches!(&**resource_type, "check" | "import" | "provider") {
        let article = if resource_type == "import" { "an" } else { "a" };
        return Err(NoTarget::new(format!(
            "`{}` is the address of {article} {resource_type}, which has no value.",
            address.text
        )));
    }
    if matches!(&**name, "tf" | "tofu") {
        return Err(NoTarget {
            detail: format!("`{}` names a file without a line.", address.text),
            hint: Some(format!("`{}:12` names line 12 of it.", address.text)),
        });
    }
    let text = |key: &ResourceKey| key.object(InstanceKey::None).to_string();
    let all: Vec<String> = resources.keys().map(text).collect();
    let path = &builder.instance(instance).path;
    Err(undeclared(path, kind, &text(&key), all.iter().map(String::as_str)))
}

fn undeclared<'n>(
    module: &ModulePath,
    kind: &str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> NoTarget {
    let hint = ClosestNames::default().of(name, names).map(|nearest| format!("Did you mean `{nearest}`?"));
    let detail = match module.steps() {
        [] => format!("There is no {kind} `{name}`."),
        [_, ..] => format!("There is no {kind} `{name}` in `{module}`."),
    };
    NoTarget { detail, hint }
}

/// Returns the steps of an address with constant keys. `config::address_parts` reads only literals as keys, because it cannot
/// evaluate. Here a key may be any constant expression, such as `[2 - 1]`, and each step says whether it is in brackets.
fn written(address: &str) -> Option<WrittenAddress<'_>> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address.trim()));
    let expression = Expression { tree: parsed.tree, id: parsed.root };
    let tree = &expression.tree;
    let Expr::Traversal { steps, .. } = tree.expr(expression.id) else { return None };
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let root = Key::Name(SmolStr::from(tree.root_name(expression.id)?));
    let (mut found, mut is_index) = (vec![root], vec![false]);
    for step in tree.list(steps) {
        is_index.push(!matches!(step, Step::Attr { .. }));
        found.push(match *step {
            Step::Attr { name, .. } => Key::Name(SmolStr::from(tree.slice(name))),
            Step::LegacyIndex { digits, .. } => Key::Position(tree.slice(digits).parse().ok()?),
            Step::Index { key, .. } => {
                let key = Expression { tree: std::sync::Arc::clone(tree), id: key };
                Key::of(&terrane_eval::constant(&key, &mut terrane_source::Diagnostics::new()))?
            }
        });
    }
    Some(WrittenAddress { text: address, steps: found, is_index })
}
