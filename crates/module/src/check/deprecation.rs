//! Warns of references to deprecated outputs, and of deprecated variables that the root module is given.

use std::collections::HashSet;

use terrane_body::Body;
use terrane_source::{Diagnostic, Diagnostics, Span, ids};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};

use crate::inputs::Inputs;
use crate::model::ids::{Arena, CallId, CallInModule, NodeId, OutputId};
use crate::model::module::{Check, Module};
use crate::model::references::{Target, Use};
use crate::model::tree::{Config, ModuleNode};
use crate::state::evaluation::Evaluation;

/// Checks the modules that have instances. Each output is reported once.
pub(crate) fn check(evaluation: &Evaluation, inputs: &Inputs, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    variables(config, inputs, diagnostics);
    let (mut reported, mut ignored) = (HashSet::new(), HashSet::new());
    for (id, node) in config.nodes() {
        let has_instances = !evaluation.by_node[id].is_empty();
        let calls: Arena<CallId, Option<&Module>> =
            node.called.iter().map(|called| called.map(|called| &*config.node(called).module)).collect();
        let is_deprecated =
            |module: &Module| module.outputs.values().any(|output| output.deprecated.is_some());
        // A caller comes before the modules that it calls.
        let is_ignored = node.caller.is_some_and(|CallInModule { module: caller, call }| {
            let call = config.node(caller).module.calls.at(call);
            ignored.contains(&caller) || call.ignores_nested_deprecations
        });
        if is_ignored {
            ignored.insert(id);
            continue;
        }
        if has_instances && calls.iter().flatten().any(|module| is_deprecated(module)) {
            let mut uses =
                OutputUses { id, node, calls, reported: &mut reported, diagnostics: &mut *diagnostics };
            uses.module(&node.module);
        }
    }
}

fn variables(config: &Config, inputs: &Inputs, diagnostics: &mut Diagnostics) {
    for (name, variable) in &config.node(NodeId::ROOT).module.variables {
        let (Some(advice), Some(_)) = (&variable.deprecated, inputs.get(name)) else { continue };
        let detail = format!(
            "The variable \"{name}\" is deprecated, so do not set it. Its author says: \
                              {advice}"
        );
        let declaration = &variable.declaration;
        let diagnostic = Diagnostic::warning(ids::DEPRECATED_VARIABLE, detail)
            .titled(config.rules.titles.deprecated_root_variable);
        diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
    }
}

struct OutputUses<'r> {
    id: NodeId,
    node: &'r ModuleNode,
    /// The module of each call; `None` if it is not on disk.
    calls: Arena<CallId, Option<&'r Module>>,
    /// The outputs that have been reported.
    reported: &'r mut HashSet<ReadOutput>,
    diagnostics: &'r mut Diagnostics,
}

/// An output of a module call that a module reads.
#[derive(PartialEq, Eq, Hash)]
struct ReadOutput {
    module: NodeId,
    call: CallId,
    output: OutputId,
}

impl OutputUses<'_> {
    fn module(&mut self, module: &Module) {
        module.locals.values().for_each(|local| self.value(&local.value));
        for call in module.calls.values() {
            call.arguments.values().for_each(|(_, argument)| self.value(argument));
            call.repetition.expression().into_iter().for_each(|resolved| self.value(resolved));
        }
        for (resource, references) in module.resources.values().zip(&module.references.resources) {
            resource.repetition.expression().into_iter().for_each(|resolved| self.value(resolved));
            if references.config.iter().any(is_module) {
                self.body(&resource.config);
            }
            self.checks(&resource.preconditions);
            self.checks(&resource.postconditions);
        }
        for output in module.outputs.values() {
            output.value.iter().for_each(|value| self.value(value));
            self.checks(&output.preconditions);
        }
        module.checks.values().for_each(|check| self.checks(&check.assertions));
    }

    fn checks(&mut self, checks: &[Check]) {
        for check in checks {
            self.value(&check.condition);
            self.value(&check.error_message);
        }
    }

    fn value(&mut self, expression: &Expression) {
        if self.node.module.references.refers_to_module(expression) {
            self.expression(expression);
        }
    }

    fn body(&mut self, body: &Body) {
        // Errors of the body have been reported.
        let content = body.open_content(&mut Diagnostics::new());
        for attribute in content.attributes.values() {
            self.expression(&attribute.expression(&mut Diagnostics::new()));
        }
        content.blocks.iter().for_each(|block| self.body(&block.body));
    }

    fn expression(&mut self, expression: &Expression) {
        let module = &self.node.module;
        for found in module.references.uses().within(expression) {
            let Some(Target::Module(id, _)) = found.target() else { continue };
            let Some(called) = self.calls[*id] else { continue };
            let written = found.output.or(found.output_of_computed);
            let output = written.or_else(|| in_splat(expression, found.span));
            match output.map(|name| expression.tree.slice(name)) {
                Some(output) => {
                    if let Some(output) = called.outputs.id_of(output) {
                        self.output(expression, found, *id, output);
                    }
                }
                // The expression is the whole module, so it reads every output.
                None if found.span == expression.span() => {
                    called.outputs.ids().for_each(|output| self.output(expression, found, *id, output));
                }
                None => {}
            }
        }
    }

    fn output(&mut self, expression: &Expression, found: &Use, call: CallId, output: OutputId) {
        let Some(called) = self.calls[call] else { return };
        let (name, declared) = called.outputs.entry_of(output);
        let Some(advice) = &declared.deprecated else { return };
        if self.reported.insert(ReadOutput { module: self.id, call, output }) {
            let (call, _) = self.node.module.calls.entry_of(call);
            let detail = format!(
                "`module.{call}.{name}` is deprecated, so do not read it. Its author says: \
                         {advice}"
            );
            let diagnostic = Diagnostic::warning(ids::DEPRECATED_OUTPUT, detail);
            self.diagnostics.push(diagnostic.at(expression.source(), found.span));
        }
    }
}

fn is_module(target: &Target) -> bool {
    matches!(target, Target::Module(..))
}

/// Returns the name after the `[*]` or `.*` that follows the reference at `span`.
fn in_splat(expression: &Expression, span: Span) -> Option<Span> {
    let tree = &*expression.tree;
    let mut found = None;
    tree.expressions(expression.id, &mut |id| {
        if let Expr::Splat { source, each, .. } = tree.expr(id)
            && tree.span(source) == span
            && let Expr::Relative { steps, .. } = tree.expr(each)
        {
            found = match tree.list(steps).first() {
                Some(Step::Attr { name, .. }) => Some(*name),
                Some(Step::Index { .. } | Step::LegacyIndex { .. }) | None => None,
            };
        }
    });
    found
}
