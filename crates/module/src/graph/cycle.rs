//! Reports a cycle of steps that refer to each other.

use std::sync::Arc;

use terrane_config::Dependency;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, SourceFile, Span, Subject, ids};

use crate::graph::node_table::AuxiliaryNode;
use crate::graph::step::{GraphStep, Step};
use crate::model::ids::{CallId, CallInModule, NodeId};
use crate::model::references::Target;
use crate::model::tree::Config;

/// Limit on the objects of a cycle that a diagnostic names.
const MAX_SHOWN: usize = 10;

/// Reports a cycle of steps, which may also lead through auxiliary nodes.
pub(crate) fn report(
    config: &Config,
    members: &[GraphStep],
    auxiliary: &[AuxiliaryNode],
    diagnostics: &mut Diagnostics,
) {
    let Some(first) = members.first().copied() else { return };
    let is_alone = members.len() == 1 && auxiliary.is_empty();
    if is_alone && matches!(first.step, Step::Resource(_)) && !config.request.phase.reports_self_references()
    {
        return;
    }
    let shown = members.get(..MAX_SHOWN).unwrap_or(members);
    let names: Vec<String> = shown.iter().map(|step| format!("`{}`", step.address(config))).collect();
    let places: Vec<Option<Subject>> = shown.iter().map(|step| place(config, *step)).collect();
    let mut diagnostic = if let ([name], true) = (names.as_slice(), is_alone) {
        Diagnostic::error(
            id_of_self_reference(config, first),
            format!("{name} refers to itself, so it has no value. Remove the reference."),
        )
    } else {
        let mut listed: Vec<String> =
            names.iter().zip(&places).map(|(name, place)| located(name, place.as_ref())).collect();
        if members.len() > MAX_SHOWN {
            listed.push(format!("and {} more", members.len() - MAX_SHOWN));
        }
        listed.extend(auxiliary.iter().filter_map(|node| node.on_cycle(config)).take(MAX_SHOWN));
        mutual_references(&listed)
    };
    if let (1, Some((file, span))) = (members.len(), self_reference(config, first)) {
        diagnostic = diagnostic.at(&file, span);
    } else if let Some(Some(first)) = places.first() {
        diagnostic = diagnostic.at(&first.file, first.span);
        for (other, name) in places.iter().zip(&names).skip(1) {
            if let Some(other) = other.as_ref().filter(|other| other.file.id() == first.file.id()) {
                diagnostic = diagnostic.label(other.span, format!("{name} is on the cycle"));
            }
        }
    }
    diagnostics.push(diagnostic);
}

/// Returns the id of the error about an object that refers to itself.
fn id_of_self_reference(config: &Config, step: GraphStep) -> DiagnosticId {
    match step.step {
        Step::Local(_) => ids::SELF_REFERENCE_LOCAL,
        // The call waits for the objects in the module, and the objects wait for the call.
        Step::Call(call) if depends_on_itself(config, step.module, call) => ids::CYCLE,
        Step::Call(_) | Step::Variable(_) | Step::Resource(_) | Step::Output(_) | Step::Check(_) => {
            ids::SELF_REFERENCE
        }
    }
}

/// Returns the error about objects that refer to each other.
fn mutual_references(listed: &[String]) -> Diagnostic {
    let detail = format!(
        "These objects refer to each other in a cycle, so none of them has a value: {}. Remove one of the \
         references.",
        listed.join(", ")
    );
    Diagnostic::error(ids::CYCLE, detail)
}

/// Whether a module call names itself in `depends_on`.
fn depends_on_itself(config: &Config, id: NodeId, call: CallId) -> bool {
    let depends_on = &config.node(id).module.references.calls[call].depends_on;
    depends_on.iter().any(|target| target.is_call(call))
}

/// Returns the place that gives the object of a step its dependencies: for a variable of a called
/// module, the caller's argument.
fn place(config: &Config, GraphStep { module: id, step }: GraphStep) -> Option<Subject> {
    if let (Step::Variable(variable), Some(CallInModule { module: caller, call })) =
        (step, config.node(id).caller)
    {
        let (name, _) = config.node(id).module.variables.entry_of(variable);
        let call = config.node(caller).module.calls.at(call);
        if let Some((span, value)) = call.arguments.get(name) {
            return Some(Subject { file: Arc::clone(value.source()), span: *span });
        }
    }
    step.declaration(&config.node(id).module).cloned()
}

/// Returns a name followed by its place.
fn located(name: &str, place: Option<&Subject>) -> String {
    let Some(place) = place else { return name.to_owned() };
    format!("{name} ({})", place.position())
}

impl AuxiliaryNode {
    /// Returns the name of the node in the report of a cycle.
    fn on_cycle(self, config: &Config) -> Option<String> {
        match self {
            AuxiliaryNode::Whole(module) => Some(format!("everything in `{}`", config.node(module).path)),
            AuxiliaryNode::Import(..) | AuxiliaryNode::Provider(..) => {
                let Dependency { address, declaration } = self.object(config)?;
                Some(located(&format!("`{address}`"), declaration.as_ref()))
            }
        }
    }
}

/// Returns the place where a local value refers to itself.
fn self_reference(config: &Config, at: GraphStep) -> Option<(Arc<SourceFile>, Span)> {
    let Step::Local(local) = at.step else { return None };
    let module = &config.node(at.module).module;
    let expression = &module.locals.at(local).value;
    let mut uses = module.references.uses().within(expression).iter();
    let itself = uses.find(|found| found.target() == Some(&Target::Local(local)))?;
    Some((Arc::clone(expression.source()), itself.span))
}
