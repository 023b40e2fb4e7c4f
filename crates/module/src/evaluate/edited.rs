//! Compares a module with its state in the earlier evaluation, to find the steps that are declared as before.
//!
//! An edit changes few files of a module. A declaration in another file is the same as before, and its step has the
//! same result if the results that it depends on are the same. That holds only if everything else that a step reads of
//! its module, such as providers and imports, is declared in unchanged files, too.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_source::{SourceVersion, Subject};

use crate::evaluate::step::StepResult;
use crate::graph::Step;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::ids::{Arena, CallId};
use crate::model::module::{Module, Repetition};
use crate::model::references::Target;
use crate::model::tree::ModuleNode;

/// A module in the tree of calls, as a record keeps it.
#[derive(Debug)]
pub(super) struct ModuleRecord {
    module: Arc<Module>,
    module_dir: String,
    /// For each call, whether the called module is on disk.
    called: Arena<CallId, bool>,
}

impl ModuleRecord {
    pub(super) fn of(node: &ModuleNode) -> ModuleRecord {
        ModuleRecord {
            module: Arc::clone(&node.module),
            module_dir: node.module_dir.clone(),
            called: node.called.iter().map(Option::is_some).collect(),
        }
    }
}

/// How much a step has in common with the earlier evaluation, apart from the results that it depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Unchanged {
    /// Nothing is the same: no result can be taken over.
    None,
    /// The declaration is the same. Diagnostics of the earlier result may be about other declarations,
    /// such as a suggested name.
    Declaration,
    /// The whole module is the same.
    Module,
}

impl Unchanged {
    /// Whether an earlier result can be taken over.
    pub(super) fn allows(self, result: &StepResult) -> bool {
        match self {
            Unchanged::None => false,
            Unchanged::Declaration => result.diagnostics.is_empty(),
            Unchanged::Module => true,
        }
    }
}

/// A module of the present configuration beside its earlier state.
pub(super) struct NodeState<'r> {
    earlier: Option<&'r ModuleRecord>,
    /// The most that a step of the module can have in common with the earlier evaluation.
    unchanged: Unchanged,
    /// Whether callers see the same outputs: the same names, and the same answer to whether there may be more.
    pub(super) has_same_outputs: bool,
}

impl<'r> NodeState<'r> {
    /// Compares a module with its earlier record. If the evaluation has a state, only a wholly unchanged module counts.
    pub(super) fn of(node: &ModuleNode, earlier: Option<&'r ModuleRecord>, has_state: bool) -> NodeState<'r> {
        let unchanged = match earlier {
            Some(earlier) if is_same(node, earlier) => Unchanged::Module,
            Some(earlier) if !has_state && is_edited(node, earlier) => Unchanged::Declaration,
            Some(_) | None => Unchanged::None,
        };
        let has_same_outputs = unchanged == Unchanged::Module
            || earlier.is_some_and(|earlier| {
                earlier.module.outputs.keys().eq(node.module.outputs.keys())
                    && earlier.module.doubt.hides(DeclarationKind::Output)
                        == node.module.doubt.hides(DeclarationKind::Output)
            });
        NodeState { earlier, unchanged, has_same_outputs }
    }

    /// Whether the whole module is the same.
    pub(super) fn is_same(&self) -> bool {
        self.unchanged == Unchanged::Module
    }

    /// Returns the step of the earlier module for the same object.
    pub(super) fn earlier_step(&self, module: &Module, step: Step) -> Option<Step> {
        match self.unchanged {
            Unchanged::Module => Some(step),
            Unchanged::Declaration | Unchanged::None => step.of_the_same_name(module, &self.earlier?.module),
        }
    }

    /// Returns how much of a step of the module is the same.
    pub(super) fn unchanged_of(&self, node: &ModuleNode, step: Step) -> Unchanged {
        let is_declared_as_before = || {
            let (module, earlier) = (&*node.module, self.earlier?);
            let before = step.of_the_same_name(module, &earlier.module)?;
            let is_same_call = match (step, before) {
                (Step::Call(id), Step::Call(before)) => node.called[id].is_some() == earlier.called[before],
                (_, _) => true,
            };
            let is_same = is_same_call
                && is_same_place(step.declaration(module)?, before.declaration(&earlier.module)?)
                && step.is_damaged(module) == before.is_damaged(&earlier.module);
            Some(is_same)
        };
        match self.unchanged {
            Unchanged::Declaration if is_declared_as_before() == Some(true) => Unchanged::Declaration,
            Unchanged::Declaration | Unchanged::None => Unchanged::None,
            Unchanged::Module => Unchanged::Module,
        }
    }

    /// Whether references to a declaration have the same form as before: besides the value,
    /// `count` and `for_each` matter.
    pub(super) fn has_same_form(&self, module: &Module, step: Step) -> bool {
        let form = |module: &Module, step| repetition(module, step).and_then(Repetition::argument);
        match (self.unchanged, self.earlier) {
            (Unchanged::Module, _) | (_, None) => true,
            (Unchanged::Declaration | Unchanged::None, Some(earlier)) => step
                .of_the_same_name(module, &earlier.module)
                .is_some_and(|before| form(module, step) == form(&earlier.module, before)),
        }
    }
}

fn repetition(module: &Module, step: Step) -> Option<&Repetition> {
    match step {
        Step::Call(id) => Some(&module.calls.at(id).repetition),
        Step::Resource(id) => Some(&module.resources.at(id).repetition),
        Step::Variable(_) | Step::Local(_) | Step::Output(_) | Step::Check(_) => None,
    }
}

/// Whether two declarations are the same text of the same file version.
fn is_same_place(one: &Subject, other: &Subject) -> bool {
    one.file.version() == other.file.version() && one.span == other.span
}

fn is_same(node: &ModuleNode, earlier: &ModuleRecord) -> bool {
    Arc::ptr_eq(&earlier.module, &node.module)
        && earlier.module_dir == node.module_dir
        && earlier.called.iter().copied().eq(node.called.iter().map(Option::is_some))
}

/// Whether a module differs from the earlier one only in files whose declarations are all steps, and the unchanged
/// files still refer to the same declarations.
fn is_edited(node: &ModuleNode, earlier: &ModuleRecord) -> bool {
    let (now, before) = (&*node.module, &*earlier.module);
    if earlier.module_dir != node.module_dir
        || !now.doubt.hides_the_same(&before.doubt)
        || [now, before].into_iter().any(|module| !module.overriding.is_empty())
    {
        return false;
    }
    let versions = |module: &Module| module.sources.iter().map(|file| file.version()).collect();
    let files: HashSet<SourceVersion> = versions(before);
    let unchanged: HashSet<SourceVersion> = versions(now).intersection(&files).copied().collect();
    let is_in_unchanged_file = |declaration: &Subject| unchanged.contains(&declaration.file.version());
    settings(now).all(is_in_unchanged_file)
        && settings(before).all(is_in_unchanged_file)
        && !misses(now, before, &unchanged)
}

/// Returns the declarations of a module that are not steps themselves, but that steps read.
fn settings(module: &Module) -> impl Iterator<Item = &Subject> {
    let providers = module.providers.values().map(|provider| &provider.declaration);
    let requirements = module.requirements.values().map(|required| &required.declaration);
    let moves = module.moves.iter().map(|moved| &moved.declaration);
    let removals = module.removals.iter().map(|removal| &removal.declaration);
    let imports = module.imports.iter().map(|import| &import.declaration);
    providers
        .chain(requirements)
        .chain(&module.required_providers)
        .chain(moves)
        .chain(removals)
        .chain(imports)
}

/// Whether an unchanged file refers to a declaration that the module had before and lacks now.
fn misses(now: &Module, before: &Module, unchanged: &HashSet<SourceVersion>) -> bool {
    let variables = before.variables.enumerate().map(|(id, _)| Target::Variable(id));
    let locals = before.locals.enumerate().map(|(id, _)| Target::Local(id));
    let calls = before.calls.enumerate().map(|(id, _)| Target::Module(id, None));
    let resources = before.resources.enumerate().map(|(id, _)| Target::Resource(id));
    let is_declared = |target: &Target| match target {
        Target::Variable(id) => now.variables.contains_key(before.variables.entry_of(*id).0),
        Target::Local(id) => now.locals.contains_key(before.locals.entry_of(*id).0),
        Target::Module(id, _) => now.calls.contains_key(before.calls.entry_of(*id).0),
        Target::Resource(id) => now.resources.contains_key(before.resources.entry_of(*id).0),
    };
    let is_missing = |target: &Target| !is_declared(target);
    if !variables.chain(locals).chain(calls).chain(resources).any(|target| is_missing(&target)) {
        return false;
    }
    let files = before.references.uses().files().iter();
    let mut uses =
        files.filter(|group| unchanged.contains(&group.file.version())).flat_map(|group| &group.uses);
    uses.any(|found| found.target().is_some_and(is_missing))
}
