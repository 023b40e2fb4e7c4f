//! Namespaces of references: the one place that reads the first name of a reference.
//!
//! A [`RootedReference`] has the namespace that its first name opens, [`attribute`] reads a name behind it, and [`resource`]
//! reads the address of a resource in any of its forms. Everything else matches over [`Root`].

use std::ops::Deref;

use terrane_config::address::ResourceMode;
use terrane_eval::Reference;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::SmolStr;

use crate::model::module::ResourceKey;
use crate::model::references::BuiltIn;

/// The namespace that the first name of a reference opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// `var`: an input variable follows.
    Variable,
    /// `local`: a local value follows.
    Local,
    /// `module`: a module call follows.
    Module,
    /// `data`, `ephemeral`, `resource` or `action`: the type and the name of a resource of this mode follow.
    Resource(ResourceMode),
    /// `path`: a directory follows.
    Path,
    /// `terraform`: an attribute of the run follows.
    Terraform,
    /// `tofu`: the same as `terraform`, in OpenTofu.
    Tofu,
    /// `count`: `index` follows.
    Count,
    /// `each`: `key` or `value` follows.
    Each,
    /// `self`: the resource around the expression.
    Itself,
    /// A name without a meaning yet: `template`, `lazy` or `arg`.
    Reserved,
    /// Any other name: the type of a managed resource, whose name follows.
    Type,
}

impl Root {
    /// The namespace that a first name opens.
    pub fn of(name: &str) -> Root {
        match name {
            "var" => Root::Variable,
            "local" => Root::Local,
            "module" => Root::Module,
            "data" => Root::Resource(ResourceMode::Data),
            "ephemeral" => Root::Resource(ResourceMode::Ephemeral),
            "resource" => Root::Resource(ResourceMode::Managed),
            "action" => Root::Resource(ResourceMode::Action),
            "path" => Root::Path,
            "terraform" => Root::Terraform,
            "tofu" => Root::Tofu,
            "count" => Root::Count,
            "each" => Root::Each,
            "self" => Root::Itself,
            "template" | "lazy" | "arg" => Root::Reserved,
            _ => Root::Type,
        }
    }
}

/// A reference with the namespace that its first name opens.
#[derive(Clone, Copy, Debug)]
pub struct RootedReference<'r> {
    /// The namespace.
    pub namespace: Root,
    reference: Reference<'r>,
}

impl<'r> From<Reference<'r>> for RootedReference<'r> {
    fn from(reference: Reference<'r>) -> RootedReference<'r> {
        RootedReference { namespace: Root::of(reference.root), reference }
    }
}

impl RootedReference<'_> {
    /// The name that no block declares, if the reference names one.
    pub fn built_in(&self) -> Option<BuiltIn> {
        let name = attribute(self, 0);
        Some(match self.namespace {
            Root::Path => match name? {
                "module" => BuiltIn::PathModule,
                "root" => BuiltIn::PathRoot,
                "cwd" => BuiltIn::PathCwd,
                _ => return None,
            },
            Root::Terraform | Root::Tofu => match name? {
                "workspace" => BuiltIn::Workspace,
                "applying" => BuiltIn::Applying,
                _ => return None,
            },
            Root::Count => return (name? == "index").then_some(BuiltIn::CountIndex),
            Root::Each => match name? {
                "key" => BuiltIn::EachKey,
                "value" => BuiltIn::EachValue,
                _ => return None,
            },
            Root::Itself => BuiltIn::Itself,
            Root::Variable | Root::Local | Root::Module | Root::Resource(_) | Root::Reserved | Root::Type => {
                return None;
            }
        })
    }

    /// Whether the reference reads the key of the instance: `count.index` or `each.key`.
    pub(crate) fn is_instance_key(&self) -> bool {
        matches!(self.built_in(), Some(BuiltIn::CountIndex | BuiltIn::EachKey))
    }

    /// The number of the step with the name of the declaration.
    pub(crate) fn name_step(&self) -> usize {
        usize::from(matches!(self.namespace, Root::Resource(_)))
    }
}

impl<'r> Deref for RootedReference<'r> {
    type Target = Reference<'r>;

    fn deref(&self) -> &Reference<'r> {
        &self.reference
    }
}

/// The references of an expression to names that it does not bind itself, in source order.
pub fn references(expression: &Expression) -> Vec<RootedReference<'_>> {
    terrane_eval::references(expression).into_iter().map(RootedReference::from).collect()
}

/// The name at a step, where the step is an attribute.
pub fn attribute<'r>(reference: &Reference<'r>, step: usize) -> Option<&'r str> {
    match reference.steps.get(step)? {
        Step::Attr { name, .. } => Some(reference.tree.slice(*name)),
        Step::Index { .. } | Step::LegacyIndex { .. } => None,
    }
}

/// The address of a resource at the start of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResourceName<'r> {
    /// The mode.
    pub mode: ResourceMode,
    /// The type.
    pub resource_type: &'r str,
    /// The name.
    pub name: &'r str,
    /// The position of the step with the name: a key may follow.
    pub step: usize,
}

/// The resource with a value that a reference names, with or without the namespace of its mode. A first name that opens
/// another namespace is read as a type: the caller excludes it, or the edition does not have the namespace.
pub fn resource<'r>(reference: &RootedReference<'r>) -> Option<ResourceName<'r>> {
    let (mode, resource_type, step) = match reference.namespace {
        Root::Resource(mode @ (ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::Managed)) => {
            (mode, attribute(reference, 0)?, 1)
        }
        Root::Resource(ResourceMode::Action)
        | Root::Variable
        | Root::Local
        | Root::Module
        | Root::Path
        | Root::Terraform
        | Root::Tofu
        | Root::Count
        | Root::Each
        | Root::Itself
        | Root::Reserved
        | Root::Type => (ResourceMode::Managed, reference.root, 0),
    };
    Some(ResourceName { mode, resource_type, name: attribute(reference, step)?, step })
}

impl ResourceName<'_> {
    /// The key of the resource in its module.
    pub fn key(&self) -> ResourceKey {
        let (resource_type, name) = (SmolStr::from(self.resource_type), SmolStr::from(self.name));
        ResourceKey { mode: self.mode, resource_type, name }
    }

    /// Whether the resource has this key.
    pub(crate) fn names(&self, key: &ResourceKey) -> bool {
        self.mode == key.mode && self.resource_type == key.resource_type && self.name == key.name
    }
}

/// Whether a key in brackets is a literal.
pub(crate) fn is_literal(reference: &Reference<'_>, key: ExprId) -> bool {
    matches!(reference.tree.expr(key), Expr::Literal(_))
}

/// The end of a step, or of the reference where it has fewer steps.
pub(crate) fn step_end(reference: &Reference<'_>, step: usize) -> u32 {
    reference.steps.get(step).map_or(reference.span.end, |step| step.span().end)
}
