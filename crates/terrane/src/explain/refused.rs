//! Finds the false conditions that make the value of a variable an error.

use std::sync::Arc;

use terrane_config::address::Object;
use terrane_module::model::ids::VariableId;
use terrane_module::{CheckStatus, InstanceId};
use terrane_source::Subject;
use terrane_value::Value;

use super::builder::Builder;
use super::model::{ExplainNode, ExplainNodeId, InputRole, NodeInput, NodeKind};
use crate::written::text_without_secrets;

impl Builder<'_> {
    /// Adds the false conditions of a variable as inputs. Its value counts as an error because of them.
    pub(super) fn refusals(&mut self, node: ExplainNodeId, instance: InstanceId, id: VariableId) {
        let (name, variable) = self.module(instance).variables.entry_of(id);
        let is_own = |object: &Object| matches!(object, Object::Variable(own) if own == name);
        let own = self.instance(instance).checks.iter().filter(|checks| is_own(&checks.object));
        let results = own.flat_map(|checks| variable.validations.iter().zip(&checks.results));
        for (check, _) in results.filter(|(_, result)| result.status == CheckStatus::Fail) {
            let condition = &check.condition;
            let added = ExplainNode {
                text: (!variable.is_secret()).then(|| text_without_secrets(condition)),
                place: Some(Subject { file: Arc::clone(condition.source()), span: condition.span() }),
                how: Some("a condition of the variable, which refuses the value".to_owned()),
                ..ExplainNode::new(NodeKind::Expression, Value::from(false))
            };
            let child = self.add(added);
            self.input(node, NodeInput::taken(child, InputRole::Condition));
        }
    }
}
