//! References with their namespaces: the one place that reads the first name of a reference.
//!
//! A [`RootedReference`] has the namespace that its first name opens in the dialect of the module.
//! [`RootedReference::name`] returns the object that it names by its form, and [`RootedReference::named`] the
//! declaration of that name in a module. Rules about whole namespaces match over [`Namespace`].

use std::ops::Deref;

use terrane_config::address::{InstanceKey, Object, ResourceMode};
use terrane_eval::Reference;
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::SmolStr;

use crate::model::ids::{CallId, LocalId, ResourceId, VariableId};
use crate::model::module::{Module, Repetition, ResourceKey};
use crate::model::namespace::Namespace;
use crate::model::references::BuiltIn;
use crate::rules::Rules;

/// A reference with the namespace that its first name opens.
#[derive(Clone, Copy, Debug)]
pub struct RootedReference<'r> {
    /// The namespace.
    pub namespace: Namespace,
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

impl Name<'_> {
    /// Returns the object that the declaration declares.
    pub(crate) fn object(self) -> Object {
        match self {
            Name::Variable(name) => Object::Variable(name.into()),
            Name::Local(name) => Object::Local(name.into()),
            Name::Call(name) => Object::ModuleCall(name.into(), InstanceKey::None),
            Name::Resource(named) => named.key().object(InstanceKey::None),
        }
    }
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
        RootedReference { namespace: Namespace::in_dialect(reference.root, rules), reference }
    }

    /// Returns the declaration that the reference names by its form. `None` if no name follows the namespace,
    /// or the name is built-in.
    pub fn name(&self) -> Option<Name<'r>> {
        match self.namespace {
            Namespace::Variable => attribute(self, 0).map(Name::Variable),
            Namespace::Local => attribute(self, 0).map(Name::Local),
            Namespace::Module => attribute(self, 0).map(Name::Call),
            Namespace::Resource(_) | Namespace::Type => self.resource().map(Name::Resource),
            Namespace::Path
            | Namespace::Terraform
            | Namespace::Tofu
            | Namespace::Count
            | Namespace::Each
            | Namespace::Itself
            | Namespace::Reserved => None,
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
            Namespace::Resource(mode) => (mode, attribute(self, 0)?),
            Namespace::Type => (ResourceMode::Managed, self.root),
            Namespace::Variable
            | Namespace::Local
            | Namespace::Module
            | Namespace::Path
            | Namespace::Terraform
            | Namespace::Tofu
            | Namespace::Count
            | Namespace::Each
            | Namespace::Itself
            | Namespace::Reserved => return None,
        };
        let step = self.name_step();
        Some(ResourceName { mode, resource_type, name: attribute(self, step)?, step })
    }

    /// Returns the built-in name, if the reference names one.
    pub fn built_in(&self) -> Option<BuiltIn> {
        if self.namespace == Namespace::Itself {
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
        usize::from(matches!(self.namespace, Namespace::Resource(_)))
    }
}

impl<'r> Deref for RootedReference<'r> {
    type Target = Reference<'r>;

    fn deref(&self) -> &Reference<'r> {
        &self.reference
    }
}

/// Returns the namespace that a first name opens in the dialect of a module.
pub fn namespace(name: &str, module: &Module) -> Namespace {
    Namespace::in_dialect(name, &module.rules)
}

/// Returns the references of an expression of a module to names that the expression does not bind itself, in source
/// order.
pub fn references<'e>(expression: &'e Expression, module: &Module) -> Vec<RootedReference<'e>> {
    let mut all = Vec::new();
    each_reference(expression, module, &mut |reference| all.push(reference));
    all
}

/// Returns the [`references`] of an expression of a resolved module, without references to iterators of `dynamic`
/// blocks around the expression.
pub fn free_references<'e>(expression: &'e Expression, module: &Module) -> Vec<RootedReference<'e>> {
    let uses = module.references.uses();
    let mut all = references(expression, module);
    all.retain(|reference| !uses.is_bound(reference.tree.source(), reference.root_span()));
    all
}

/// Returns the reference that an expression is: a name with the steps behind it. `None` for any other expression.
pub fn whole_reference<'e>(expression: &'e Expression, module: &Module) -> Option<RootedReference<'e>> {
    let Expression { tree, id } = expression;
    let Expr::Traversal { steps, .. } = tree.expr(*id) else { return None };
    let (root, steps) = (tree.root_name(*id)?, tree.list(steps));
    let reference = Reference { tree, root, steps, span: expression.span(), splat: None };
    Some(RootedReference::of(reference, &module.rules))
}

/// Calls `visit` for each of the [`references`] of an expression. There may be a million, so they are not collected.
pub(crate) fn each_reference<'e>(
    expression: &'e Expression,
    module: &Module,
    visit: &mut dyn FnMut(RootedReference<'e>),
) {
    terrane_eval::each_reference(expression, &mut |reference| {
        visit(RootedReference::of(reference, &module.rules));
    });
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

/// Returns the step with the output name in `module.name.output`, or in `module.name["key"].output` if the call has
/// keys. `None` if the reference means the whole module or a computed instance of it: only then are all outputs evaluated
/// before it.
pub(crate) fn output_step<'r>(reference: &Reference<'r>, repetition: &Repetition) -> Option<&'r Step> {
    let first = reference.steps.get(1)?;
    let step = match (repetition, first) {
        (Repetition::Once | Repetition::Enabled(_), step) => step,
        (Repetition::Count(_) | Repetition::ForEach(_), Step::Index { key, .. }) => {
            if !is_literal(reference, *key) {
                return None;
            }
            reference.steps.get(2)?
        }
        (Repetition::Count(_) | Repetition::ForEach(_), Step::LegacyIndex { .. }) => {
            reference.steps.get(2)?
        }
        (Repetition::Count(_) | Repetition::ForEach(_), Step::Attr { .. }) => return None,
    };
    matches!(step, Step::Attr { .. }).then_some(step)
}

/// Returns the end of a step; the end of the reference if it has fewer steps.
pub(crate) fn step_end(reference: &Reference<'_>, step: usize) -> u32 {
    reference.steps.get(step).map_or(reference.span.end, |step| step.span().end)
}
