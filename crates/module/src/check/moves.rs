//! Checks `moved` and `removed` blocks against the declarations.

use std::collections::HashMap;

use terrane_config::address::{InstanceKey, ModulePath, ModuleStep, ResourceMode};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Subject, first_of, ids};

use crate::graph;
use crate::graph::moves::{Statement, absolute, moves_all};
use crate::model::ids::NodeId;
use crate::model::module::{Move, ObjectAddress};
use crate::model::prior::PriorState;
use crate::model::tree::Config;
use crate::rules::constructs::MOVES_TO_TYPES;
use crate::state::evaluation::Evaluation;
use crate::state::instance::ModuleInstance;

/// Limit on the moves that one warning names.
const MAX_NAMED: usize = 20;

/// The errors about `moved` and `removed` blocks.
const ERRORS: [DiagnosticId; 6] = [
    ids::REDUNDANT_MOVE,
    ids::MOVED_EXISTS,
    ids::MOVED_TYPE,
    ids::AMBIGUOUS_MOVE,
    ids::CYCLIC_MOVES,
    ids::REMOVED_EXISTS,
];

/// Whether an error of an evaluation stops a plan as a whole, so that it has no values: an error about a `moved` or
/// `removed` block, or a cycle of references.
pub fn stops_plan(found: &Diagnostic) -> bool {
    found.is_error() && (found.id == ids::CYCLE || ERRORS.contains(&found.id))
}

/// Reports blocks about objects that are still declared, and moves that contradict each other.
pub(crate) fn check(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let mut of_moves = Diagnostics::new();
    moves(evaluation, &mut of_moves);
    // Contradicting moves mostly form a cycle as well; the message about the contradiction says more about the mistake.
    if !of_moves.has_errors() {
        cycles(&evaluation.config, &mut of_moves);
    }
    diagnostics.extend(of_moves);
    removals(&evaluation.config, diagnostics);
}

/// Adds the warning about moves that other objects of the state prevent. As in the reference, a plan with errors does not have
/// it. A stored plan has already moved the objects.
pub(crate) fn warn_about_blocked(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let is_new_plan = evaluation.phase().plans_resources() && evaluation.config.request.plan.is_none();
    if is_new_plan && !diagnostics.has_errors() {
        diagnostics.extend(evaluation.config.prior().and_then(blocked));
    }
}

/// Returns the diagnostics of an evaluation for a plan of it that has an error of its own: without the warning about prevented
/// moves.
pub fn without_blocked_moves(diagnostics: &Diagnostics) -> Diagnostics {
    diagnostics.as_slice().iter().filter(|found| found.id != ids::BLOCKED_MOVES).cloned().collect()
}

fn blocked(prior: &PriorState) -> Option<Diagnostic> {
    let moves = prior.blocked_moves().iter();
    let named = first_of(moves.map(|blocked| format!("`{}` to `{}`", blocked.from, blocked.to)), MAX_NAMED)?;
    let detail = format!(
        "Other objects prevent the move of {named}, because they are at the new addresses. Objects that do not move are destroyed \
         where the configuration does not have their addresses. To keep them, resolve the conflict with `terraform state mv` or \
         `terraform state rm`."
    );
    Some(Diagnostic::warning(ids::BLOCKED_MOVES, detail))
}

fn moves(evaluation: &Evaluation, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    let (mut seen, mut instances) = (Seen::default(), InstancesByEnd::new(evaluation));
    for (id, node) in config.nodes() {
        for moved in &node.module.moves {
            let (from, to) = (absolute(&node.path, &moved.from), absolute(&node.path, &moved.to));
            let mut report =
                |id: DiagnosticId, detail: String| report(id, detail, &moved.declaration, diagnostics);
            if from == to {
                report(ids::REDUNDANT_MOVE, format!("`{from}` moves to itself. Remove the block."));
                continue;
            }
            if instances.still_have(id, moved) {
                let detail = format!(
                    "`{from}` is still declared, so it cannot move to `{to}`. Rename the block, or remove \
                     the `moved` block."
                );
                report(ids::MOVED_EXISTS, detail);
            }
            if let (Some(before), Some(after)) = (&moved.from.resource, &moved.to.resource)
                && before.resource_type != after.resource_type
                && before.mode != ResourceMode::Data
                && let construct =
                    format_args!("A move to a resource of another type, from `{from}` to `{to}`,")
                && let Some(detail) = config.rules.lacks(MOVES_TO_TYPES, construct)
            {
                report(ids::MOVED_TYPE, detail);
            }
            // Every instance goes into `seen`, but a contradiction is reported once, for the first of them.
            let instances = evaluation.instances_of(id);
            let contradictions: Vec<String> =
                instances.filter_map(|state| seen.contradiction(moved, &state.path)).collect();
            if let Some(detail) = contradictions.into_iter().next() {
                report(ids::AMBIGUOUS_MOVE, detail);
            }
        }
    }
}

fn removals(config: &Config, diagnostics: &mut Diagnostics) {
    let titles = config.rules.titles;
    for (id, node) in config.nodes() {
        for removal in &node.module.removals {
            let address = absolute(&node.path, &removal.from);
            let Some(declared) = declared(config, id, &removal.from) else { continue };
            let (title, kind) = match &removal.from.resource {
                Some(_) => (titles.removed_resource_exists, "resource"),
                None => (titles.removed_module_exists, "module"),
            };
            let detail = format!(
                "The {kind} `{address}` is declared, but a `removed` block says that it is removed. Remove one of both blocks."
            );
            let Subject { file, span } = &removal.declaration;
            let diagnostic = Diagnostic::error(ids::REMOVED_EXISTS, detail).titled(title);
            let diagnostic = diagnostic.label_in(file, *span, "removed here");
            diagnostics.push(diagnostic.at(&declared.file, declared.span));
        }
    }
}

/// Returns the declaration of the object at an address in a module; `None` if it is not declared.
fn declared<'c>(config: &'c Config, node: NodeId, address: &ObjectAddress) -> Option<&'c Subject> {
    match &address.resource {
        Some(key) => {
            let owner = config.module_at(node, &address.module)?;
            config.node(owner).module.resources.get(key).map(|resource| &resource.declaration)
        }
        None => {
            let (around, call) = address.module.split_last()?;
            let owner = config.module_at(node, &around)?;
            config.node(owner).module.calls.get(&call.name).map(|call| &call.declaration)
        }
    }
}

/// The addresses that the moves of all module instances leave and reach, each with the address at
/// the other end of the move.
#[derive(Default)]
struct Seen {
    from: HashMap<SeenEnd, String>,
    to: HashMap<SeenEnd, String>,
}

/// One end of a move, in an instance of its module. A move of a whole object and a move of one
/// instance have different ends.
#[derive(PartialEq, Eq, Hash)]
struct SeenEnd {
    address: String,
    /// Whether all instances of the object move.
    is_whole: bool,
}

impl Seen {
    /// Records a move in the module instance at `path` and returns its contradiction with an earlier move.
    fn contradiction(&mut self, moved: &Move, path: &ModulePath) -> Option<String> {
        let is_whole = moves_all(moved);
        let (from, to) = (absolute(path, &moved.from), absolute(path, &moved.to));
        let end = |address: &String| SeenEnd { address: address.clone(), is_whole };
        let other = self.from.insert(end(&from), to.clone()).filter(|other| *other != to);
        let further = self.to.insert(end(&to), from.clone()).filter(|other| *other != from);
        let contradiction = match (other, further) {
            (Some(other), _) => format!("`{from}` moves to `{other}` and to `{to}`"),
            (None, Some(other)) => format!("`{other}` and `{from}` both move to `{to}`"),
            (None, None) => return None,
        };
        Some(format!("{contradiction}. Remove one of the blocks."))
    }
}

/// Reports moves that form a cycle, so that an object has no final address.
fn cycles(config: &Config, diagnostics: &mut Diagnostics) {
    let statements = graph::moves::statements(&config.nodes);
    for group in graph::moves::order(&statements).groups() {
        let mut members: Vec<&Statement<'_>> = group.iter().map(|id| &statements[*id]).collect();
        if members.len() < 2 {
            continue;
        }
        members.sort_by_key(|one| (one.moved.declaration.file.id().clone(), one.moved.declaration.span));
        let listed: Vec<String> =
            members.iter().take(10).map(|one| format!("`{}` to `{}`", one.from.text, one.to.text)).collect();
        let detail = format!(
            "These moves form a cycle, so the object has no final address: {}. Remove one of the blocks.",
            listed.join(", ")
        );
        if let Some(first) = members.first() {
            report(ids::CYCLIC_MOVES, detail, &first.moved.declaration, diagnostics);
        }
    }
}

fn report(id: DiagnosticId, detail: String, place: &Subject, diagnostics: &mut Diagnostics) {
    diagnostics.push(Diagnostic::error(id, detail).at(&place.file, place.span));
}

/// Instances of a module, by the last steps of their paths.
type ByEnd<'e> = HashMap<&'e [ModuleStep], Vec<&'e ModuleInstance>>;

/// The instances of modules by the last steps of their paths. The maps are made for each number of
/// steps that is asked for.
struct InstancesByEnd<'e> {
    evaluation: &'e Evaluation,
    by_end: HashMap<(NodeId, usize), ByEnd<'e>>,
}

impl<'e> InstancesByEnd<'e> {
    fn new(evaluation: &'e Evaluation) -> InstancesByEnd<'e> {
        InstancesByEnd { evaluation, by_end: HashMap::new() }
    }

    /// Returns the module instances at the relative address `below` in any instance of `node`.
    fn of(&mut self, node: NodeId, below: &[ModuleStep]) -> &[&'e ModuleInstance] {
        let path =
            below.iter().fold(ModulePath::ROOT, |path, step| path.child(&step.name, InstanceKey::None));
        let Some(owner) = self.evaluation.config.module_at(node, &path) else { return &[] };
        let by_end = self.by_end.entry((owner, below.len())).or_insert_with(|| {
            let mut by_end = ByEnd::new();
            for state in self.evaluation.instances_of(owner) {
                let steps = state.path.steps();
                let end = steps.len().checked_sub(below.len()).and_then(|start| steps.get(start..));
                by_end.entry(end.unwrap_or_default()).or_default().push(state);
            }
            by_end
        });
        by_end.get(below).map_or(&[], Vec::as_slice)
    }

    /// Whether the moved object is still declared. A move without keys on both sides means all instances, any
    /// other move one instance.
    fn still_have(&mut self, node: NodeId, moved: &Move) -> bool {
        let (from, whole) = (&moved.from, moves_all(moved));
        let config = &self.evaluation.config;
        match &from.resource {
            None => {
                let Some((last, before)) = from.module.steps().split_last() else { return false };
                self.of(node, before).iter().any(|state| {
                    let calls = &config.node(state.node).module.calls;
                    let instances = calls.id_of(&last.name).map(|call| &state.calls[call]);
                    instances.is_some_and(|instances| whole || instances.expansion.has(&last.key))
                })
            }
            Some(key) => self.of(node, from.module.steps()).iter().any(|state| {
                let resources = &config.node(state.node).module.resources;
                let instances = resources.id_of(key).map(|resource| &state.resources[resource]);
                instances.is_some_and(|instances| whole || instances.expansion.has(&from.key))
            }),
        }
    }
}
