//! Finds the sources outside of the configuration for an expression that is in no declaration, such as an address of the
//! command line.

use std::collections::BTreeSet;

use terrane_config::address_parts::written_key;
use terrane_module::model::references::{Target, Use};
use terrane_module::module::Repetition;
use terrane_module::{InstanceId, InstanceKey};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::Path;

use super::reading::names_of;
use super::tracer::SourceTracer;
use crate::address::path_of_steps;
use crate::entry::Entry;
use crate::part_source::{PartSource, SourceKind, with_names};
use crate::report::Report;

/// The sources of the value of an expression.
#[derive(Default, Debug)]
pub(crate) struct ExpressionSources {
    /// If the expression is the name of a part of a resource or call: the parts of it that do not come from the configuration.
    pub(crate) parts: Vec<PartSource>,
    /// The kinds of source that the value depends on.
    pub(crate) follows_from: Vec<SourceKind>,
}

impl Report {
    /// Returns the kinds of source outside of the configuration that an expression over the names of the root module depends
    /// on.
    pub fn sources_read(&self, expression: &Expression) -> Vec<SourceKind> {
        let sources = self.expression_sources(InstanceId::ROOT, expression);
        let own = sources.parts.iter().map(|part| part.kind);
        let kinds: BTreeSet<SourceKind> = own.chain(sources.follows_from).collect();
        kinds.into_iter().collect()
    }

    /// Returns the kinds of source outside of the configuration that a part of a local value depends on.
    pub fn sources_of_part(&self, local: &Entry, path: &Path) -> Vec<SourceKind> {
        if local.follows_from.is_empty() || path.is_root() {
            return local.follows_from.clone();
        }
        let mut followed =
            SourceTracer::new(self.evaluation()).with_own_sources(&self.named_values().own_sources);
        let names = names_of(&with_names(&path.to_string()));
        followed.part_of_local(&local.address, names).unwrap_or_else(|| local.follows_from.clone())
    }

    /// Returns the sources of the value of an expression in a module instance.
    pub(crate) fn expression_sources(
        &self,
        instance: InstanceId,
        expression: &Expression,
    ) -> ExpressionSources {
        let own_sources = &self.named_values().own_sources;
        if own_sources.is_empty() {
            return ExpressionSources::default();
        }
        let evaluation = self.evaluation();
        let module = &evaluation.config.node(evaluation.instances()[instance].node).module;
        let schemas = &evaluation.config.request.schemas;
        let uses = terrane_module::reference::uses(expression, module, schemas);
        let mut followed = SourceTracer::new(evaluation).with_own_sources(own_sources);
        let named = self.named_part(instance, expression, &uses);
        if let Some(NamedPart { target: Target::Resource(id), parts, path }) = named {
            let names = names_of(&with_names(&path.to_string()));
            return ExpressionSources { parts, follows_from: followed.behind_attribute(instance, id, names) };
        }
        let parts = named.map(|named| named.parts).unwrap_or_default();
        let follows_from = match parts.is_empty() {
            true => followed.expression(instance, expression, &uses),
            false => Vec::new(),
        };
        ExpressionSources { parts, follows_from }
    }

    /// Returns the part of a resource instance, or of the outputs of a call, that the whole expression names. `None` for any
    /// other expression.
    fn named_part(&self, instance: InstanceId, expression: &Expression, uses: &[Use]) -> Option<NamedPart> {
        let [name] = uses else { return None };
        let tree = &*expression.tree;
        let Expr::Traversal { steps, .. } = tree.expr(expression.id) else { return None };
        let behind = |step: &&Step| step.span().start >= name.name.end;
        let mut steps: &[Step] = tree.list(steps);
        while let Some((_, rest)) = steps.split_first().filter(|(first, _)| !behind(first)) {
            steps = rest;
        }
        let evaluation = self.evaluation();
        let state = &evaluation.instances()[instance];
        let module = &evaluation.config.node(state.node).module;
        let target = name.target()?;
        let repetition = match target {
            Target::Resource(id) => &module.resources.at(*id).repetition,
            Target::Module(id, _) => &module.calls.at(*id).repetition,
            Target::Variable(_) | Target::Local(_) => return None,
        };
        let mut key = InstanceKey::None;
        if matches!(repetition, Repetition::Count(_) | Repetition::ForEach(_)) {
            let (first, rest) = steps.split_first()?;
            key = written_key(tree, first)?;
            steps = rest;
        }
        let path = path_of_steps(tree, steps);
        let sources: Vec<PartSource> = match target {
            Target::Resource(id) => {
                let value = state.resources[*id].expansion.get(&key)?.value(&key);
                self.resource_sources(state, *id, &key, &value).collect()
            }
            Target::Module(id, _) => self.call_sources(state, *id, &key),
            Target::Variable(_) | Target::Local(_) => Vec::new(),
        };
        let parts = PartSource::of_parts(&sources, &path);
        Some(NamedPart { target: target.clone(), parts, path })
    }
}

/// The part of a resource or call that an expression names.
struct NamedPart {
    target: Target,
    /// The parts inside of it that do not come from the configuration.
    parts: Vec<PartSource>,
    /// The path of the part in the instance.
    path: Path,
}
