//! Rules about several objects together. The load runs the rules about a configuration: `providers`, `recorded` and
//! `static_arguments`. The driver runs the other rules after its last step; they read the finished state.

pub(crate) mod actions;
pub(crate) mod bodies;
pub(crate) mod deprecation;
mod given;
mod import_ids;
mod import_targets;
pub(crate) mod imported;
pub(crate) mod imports;
pub(crate) mod missing_modules;
pub(crate) mod moves;
pub(crate) mod newer_objects;
mod plan;
pub(crate) mod provider_keys;
mod provider_meta;
pub(crate) mod providers;
pub(crate) mod recorded;
pub(crate) mod replace;
pub(crate) mod state_providers;
pub(crate) mod static_arguments;

use crate::graph::used_providers::UsedProviders;
use crate::inputs::Inputs;
use crate::state::context::Context;

/// Runs the rules about a finished evaluation in the order of their messages. A validation lacks the rules about plans.
pub(crate) fn run(context: &mut Context<'_>, inputs: &Inputs, used_providers: &UsedProviders) {
    bodies::evaluate(context, used_providers);
    imports::check(context);
    imported::evaluate(context);
    let phase = context.evaluation.phase();
    if !phase.resources_are_unknown() {
        given::check(context.evaluation, context.diagnostics);
        plan::check(context.evaluation, context.diagnostics);
    }
    if phase.plans_resources() {
        moves::check(context.evaluation, context.diagnostics);
        // A plan to destroy everything triggers nothing.
        if !context.evaluation.config.request.destroys {
            actions::check(context);
            replace::check(context);
        }
        provider_meta::check(context.evaluation, context.diagnostics);
        deprecation::check(context.evaluation, inputs, context.diagnostics);
    }
}
