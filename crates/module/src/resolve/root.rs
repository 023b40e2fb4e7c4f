//! Namespaces of references: the one place that reads the first name of a reference.
//!
//! A [`RootedReference`] has the namespace that its first name opens in the dialect of the module.
//! [`RootedReference::name`] returns the object that it names by its form, and [`RootedReference::named`] the
//! declaration of that name in a module. Rules about whole namespaces match over [`Root`].

use std::ops::Deref;

use terrane_config::address::ResourceMode;
use terrane_eval::Reference;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::SmolStr;

use crate::model::ids::{CallId, LocalId, ResourceId, VariableId};
use crate::model::module::{Module, ResourceKey};
use crate::model::references::BuiltIn;
use crate::rules::Rules;

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
    /// A reserved name without a meaning: `template`, `lazy` or `arg`.
    Reserved,
    /// Any other name: the type of a managed resource, whose name follows.
    Type,
}

/// Lists the names of namespaces, from which [`Root::of`] reads a name.
macro_rules! namespaces {
    ($($name:literal => $root:expr;)*) => {
        impl Root {
            /// The names of namespaces in every dialect.
            const NAMES: &[&str] = &[$($name),*];

            /// Returns the namespace that a first name opens in a dialect with all namespaces.
            pub(crate) fn of(name: &str) -> Root {
                match name {
                    $($name => $root,)*
                    _ => Root::Type,
                }
            }
        }
    };
}

namespaces! {
    "var" => Root::Variable;
    "local" => Root::Local;
    "module" => Root::Module;
    "data" => Root::Resource(ResourceMode::Data);
    "ephemeral" => Root::Resource(ResourceMode::Ephemeral);
    "resource" => Root::Resource(ResourceMode::Managed);
    "action" => Root::Resource(ResourceMode::Action);
    "path" => Root::Path;
    "terraform" => Root::Terraform;
    "tofu" => Root::Tofu;
    "each" => Root::Each;
    "count" => Root::Count;
    "self" => Root::Itself;
    "template" => Root::Reserved;
    "lazy" => Root::Reserved;
    "arg" => Root::Reserved;
}

/// Lists the attributes of namespaces without declarations, from which [`Root::built_in`] reads a name.
macro_rules! attributes {
    ($($root:path { $($name:literal => $built_in:expr),* })*) => {
        impl Root {
            /// Returns the names that may follow the namespace, sorted; none if names of declarations follow.
            pub(crate) fn attributes(self) -> &'static [&'static str] {
                match self {
                    $($root => &[$($name),*],)*
                    Root::Tofu => Root::Terraform.attributes(),
                    Root::Variable | Root::Local | Root::Module | Root::Resource(_) | Root::Itself | Root::Reserved
                    | Root::Type => &[],
                }
            }

            /// Returns the built-in name for an attribute of the namespace.
            fn built_in(self, attribute: &str) -> Option<BuiltIn> {
                match self {
                    $($root => match attribute {
                        $($name => Some($built_in),)*
                        _ => None,
                    })*
                    Root::Tofu => Root::Terraform.built_in(attribute),
                    Root::Variable | Root::Local | Root::Module | Root::Resource(_) | Root::Itself | Root::Reserved
                    | Root::Type => None,
                }
            }
        }
    };
}

attributes! {
    Root::Path { "cwd" => BuiltIn::PathCwd, "module" => BuiltIn::PathModule, "root" => BuiltIn::PathRoot }
    Root::Terraform { "applying" => BuiltIn::Applying, "workspace" => BuiltIn::Workspace }
    Root::Count { "index" => BuiltIn::CountIndex }
    Root::Each { "key" => BuiltIn::EachKey, "value" => BuiltIn::EachValue }
}

impl Root {
    /// Returns the names of the namespaces that meet a condition.
    pub(crate) fn names(is_wanted: impl Fn(Root) -> bool) -> impl Iterator<Item = &'static str> {
        Root::NAMES.iter().copied().filter(move |name| is_wanted(Root::of(name)))
    }

    /// Returns these names sorted, for [`Names::visible`](terrane_eval::Names::visible).
    pub(crate) fn visible(is_wanted: impl Fn(Root) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Root::names(is_wanted).map(str::to_owned).collect();
        names.sort_unstable();
        names
    }

    /// Whether an expression may read other values of this namespace in each instance of a block.
    pub(crate) fn varies(self) -> bool {
        matches!(self, Root::Count | Root::Each | Root::Itself)
    }

    /// Whether the namespace has values before the evaluation.
    pub(crate) fn is_static(self) -> bool {
        matches!(self, Root::Variable | Root::Local | Root::Path | Root::Terraform)
    }

    /// Whether messages about an unknown first name suggest the namespace.
    pub(crate) fn is_suggested(self) -> bool {
        self.is_static()
            || matches!(self, Root::Module | Root::Resource(ResourceMode::Data) | Root::Each | Root::Itself)
    }

    /// Returns the namespace that a first name opens in the dialect of a module.
    pub fn in_module(name: &str, module: &Module) -> Root {
        Root::in_dialect(name, &module.rules)
    }

    /// Returns the namespace that a first name opens in a dialect. A name of a namespace that the dialect
    /// lacks is a resource type.
    fn in_dialect(name: &str, rules: &Rules) -> Root {
        let root = Root::of(name);
        let is_lacking = match root {
            Root::Tofu => !rules.has_tofu_name,
            Root::Resource(mode) => mode == ResourceMode::Action && !rules.has_actions,
            Root::Variable
            | Root::Local
            | Root::Module
            | Root::Path
            | Root::Terraform
            | Root::Count
            | Root::Each
            | Root::Itself
            | Root::Reserved
            | Root::Type => false,
        };
        if is_lacking { Root::Type } else { root }
    }
}

/// A reference with the namespace that its first name opens.
#[derive(Clone, Copy, Debug)]
pub struct RootedReference<'r> {
    /// The namespace.
    pub namespace: Root,
    reference: Reference<'r>,
}

/// The declaration that a reference names, by the form of the reference alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name<'r> {
    /// A variable.
    Variable(&'r str),
    /// A local value.
    Local(&'r str),
    /// A module call.
    Call(&'r str),
    /// A resource.
    Resource(ResourceName<'r>),
}

/// The declaration of a module that a reference names, or a built-in name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A variable.
    Variable(VariableId),
    /// A local value.
    Local(LocalId),
    /// A module call.
    Call(CallId),
    /// A resource, and the position of the step with its name.
    Resource(ResourceId, usize),
    /// A built-in name.
    BuiltIn(BuiltIn),
}

impl<'r> RootedReference<'r> {
    /// Returns a reference with the namespace that its first name opens in a dialect.
    pub(crate) fn of(reference: Reference<'r>, rules: &Rules) -> RootedReference<'r> {
        RootedReference { namespace: Root::in_dialect(reference.root, rules), reference }
    }

    /// Returns the declaration that the reference names by its form. `None` if no name follows the namespace,
    /// or the name is built-in.
    pub fn name(&self) -> Option<Name<'r>> {
        match self.namespace {
            Root::Variable => attribute(self, 0).map(Name::Variable),
            Root::Local => attribute(self, 0).map(Name::Local),
            Root::Module => attribute(self, 0).map(Name::Call),
            Root::Resource(_) | Root::Type => self.resource().map(Name::Resource),
            Root::Path
            | Root::Terraform
            | Root::Tofu
            | Root::Count
            | Root::Each
            | Root::Itself
            | Root::Reserved => None,
        }
    }

    /// Returns the declaration that the reference names in a module, or the built-in name. `None` if the
    /// module does not declare it.
    pub fn named(&self, module: &Module) -> Option<Named> {
        let Some(name) = self.name() else { return self.built_in().map(Named::BuiltIn) };
        match name {
            Name::Variable(name) => module.variables.id_of(name).map(Named::Variable),
            Name::Local(name) => module.locals.id_of(name).map(Named::Local),
            Name::Call(name) => module.calls.id_of(name).map(Named::Call),
            Name::Resource(named) => {
                module.resources.id_of(&named.key()).map(|id| Named::Resource(id, named.step))
            }
        }
    }

    /// Returns the resource that the reference names, with or without the namespace of its mode.
    pub fn resource(&self) -> Option<ResourceName<'r>> {
        let (mode, resource_type) = match self.namespace {
            Root::Resource(mode) => (mode, attribute(self, 0)?),
            Root::Type => (ResourceMode::Managed, self.root),
            Root::Variable
            | Root::Local
            | Root::Module
            | Root::Path
            | Root::Terraform
            | Root::Tofu
            | Root::Count
            | Root::Each
            | Root::Itself
            | Root::Reserved => return None,
        };
        let step = self.name_step();
        Some(ResourceName { mode, resource_type, name: attribute(self, step)?, step })
    }

    /// Returns the built-in name, if the reference names one.
    pub fn built_in(&self) -> Option<BuiltIn> {
        if self.namespace == Root::Itself {
            return Some(BuiltIn::Itself);
        }
        self.namespace.built_in(attribute(self, 0)?)
    }

    /// Whether the reference reads the key of the instance: `count.index` or `each.key`.
    pub(crate) fn is_instance_key(&self) -> bool {
        matches!(self.built_in(), Some(BuiltIn::CountIndex | BuiltIn::EachKey))
    }

    /// Returns the position of the step with the name of the declaration.
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

/// Returns the references of an expression of a module to names that the expression does not bind itself, in source
/// order.
pub fn references<'e>(expression: &'e Expression, module: &Module) -> Vec<RootedReference<'e>> {
    let rooted = |reference| RootedReference::of(reference, &module.rules);
    terrane_eval::references(expression).into_iter().map(rooted).collect()
}

/// Returns the name at a step, if the step is an attribute.
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
    /// The position of the step with the name, after which a key may follow.
    pub step: usize,
}

impl ResourceName<'_> {
    /// Returns the key of the resource in its module.
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

/// Returns the end of a step; the end of the reference if it has fewer steps.
pub(crate) fn step_end(reference: &Reference<'_>, step: usize) -> u32 {
    reference.steps.get(step).map_or(reference.span.end, |step| step.span().end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_declarations_are_written_like_their_attributes() {
        for namespace in Root::names(|root| !root.attributes().is_empty()).filter(|name| *name != "tofu") {
            let attributes = Root::of(namespace).attributes();
            assert!(attributes.is_sorted(), "{namespace}");
            for attribute in attributes {
                let built_in = Root::of(namespace).built_in(attribute).expect("a row of the table");
                assert_eq!(built_in.name(), format!("{namespace}.{attribute}"));
            }
        }
    }

    #[test]
    fn names_of_namespaces_are_listed_by_their_use() {
        assert_eq!(Root::visible(Root::varies), ["count", "each", "self"]);
        assert_eq!(Root::visible(Root::is_static), ["local", "path", "terraform", "var"]);
        let suggested = ["data", "each", "local", "module", "path", "self", "terraform", "var"];
        assert_eq!(Root::visible(Root::is_suggested), suggested);
    }
}
