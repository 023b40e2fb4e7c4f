//! Decodes `lifecycle` blocks.

use terrane_body::constant::bool_of;
use terrane_body::{Attribute, Block, Content};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Title, ids};
use terrane_syntax::tree::Literal;
use terrane_syntax::{Expr, Expression};
use terrane_value::SmolStr;

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::module::{Check, Lifecycle, PreventDestroy, ResourceKey};
use crate::model::reference_rule::ReferenceRule;

/// The content of a `lifecycle` block.
#[derive(Default)]
pub(crate) struct Decoded {
    /// All of it.
    pub(crate) content: Option<Content>,
    pub(crate) rules: Lifecycle,
    pub(crate) preconditions: Vec<Check>,
    pub(crate) postconditions: Vec<Check>,
}

impl Decoder<'_> {
    pub(crate) fn lifecycle(&mut self, block: Option<&Block>, key: &ResourceKey) -> Decoded {
        let Some(block) = block else { return Decoded::default() };
        let content = self.content(&block.body, "lifecycle", schema::lifecycle());
        let rules = match key.mode {
            ResourceMode::Managed => self.rules(&content),
            ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::Action => {
                self.reject_rules(&content, key.mode);
                Lifecycle::default()
            }
        };
        let preconditions = self.conditions(&content, "precondition");
        let postconditions = self.conditions(&content, "postcondition");
        for (block_type, checks) in [("precondition", &preconditions), ("postcondition", &postconditions)] {
            if !checks.is_empty() {
                let (resource, conditions) = (key.clone(), checks.clone());
                self.leave_to_resolution(ReferenceRule::Conditions { resource, block_type, conditions });
            }
        }
        Decoded { content: Some(content), rules, preconditions, postconditions }
    }

    fn reject_rules(&mut self, content: &Content, mode: ResourceMode) {
        let (id, object) = match mode {
            ResourceMode::Ephemeral => (ids::INVALID_EPHEMERAL_LIFECYCLE, "An ephemeral resource"),
            ResourceMode::Data | ResourceMode::Managed | ResourceMode::Action => {
                (ids::INVALID_DATA_LIFECYCLE, "A data source")
            }
        };
        for (name, attribute) in content.attributes.iter().filter(|(name, _)| &***name != "enabled") {
            let detail = format!("{object} is neither created nor changed, so it has no `{name}`.");
            let diagnostic = Diagnostic::error(id, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.name_span));
        }
        for trigger in content.blocks_of("action_trigger") {
            let detail = format!("{object} is neither created nor changed, so it has no `action_trigger`.");
            self.error_at(id, detail, trigger, Title::of(id));
        }
    }

    fn rules(&mut self, content: &Content) -> Lifecycle {
        let create_before_destroy = bool_of(content.attribute("create_before_destroy"), self.diagnostics);
        let prevent_destroy = match content.attribute("prevent_destroy") {
            Some(attribute) if self.rules.computed_prevent_destroy => {
                Some(PreventDestroy::Computed(attribute.expression(self.diagnostics)))
            }
            attribute => bool_of(attribute, self.diagnostics).map(PreventDestroy::Constant),
        };
        let destroy = content.attribute("destroy");
        let destroy = destroy.map(|attribute| attribute.expression(self.diagnostics));
        let ignored = content.attribute("ignore_changes");
        let ignores_all = ignored.is_some_and(ignores_all);
        let ignored = ignored.map(|attribute| self.ignore_changes(attribute)).unwrap_or_default();
        let triggers = content.attribute("replace_triggered_by");
        let replace_triggered_by =
            triggers.map(|attribute| self.replace_triggered_by(attribute)).unwrap_or_default();
        let blocks = content.blocks_of("action_trigger");
        let action_triggers = blocks.map(|block| self.action_trigger(block)).collect();
        Lifecycle {
            create_before_destroy,
            prevent_destroy,
            destroy,
            ignored,
            ignores_all,
            replace_triggered_by,
            action_triggers,
        }
    }

    /// The attributes of a list; none for `all`.
    fn ignore_changes(&mut self, attribute: &Attribute) -> Vec<(SmolStr, Expression)> {
        let mut ignored = Vec::new();
        let expression = attribute.reference();
        let tree = &expression.tree;
        if ignores_all(attribute) {
            return ignored;
        }
        for item in self.list(&expression, "ignore_changes") {
            if matches!(tree.expr(item.id), Expr::Literal(Literal::String(text)) if tree.text(text) == "*") {
                let detail = "The form `[\"*\"]` of old versions is not supported any more. Write `ignore_changes \
                     = all`.";
                let diagnostic = Diagnostic::error(ids::IGNORE_CHANGES_WILDCARD, detail);
                self.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
                continue;
            }
            let unquoted = self.unquoted(&item);
            let inner = unquoted.as_ref().unwrap_or(&item);
            let is_reference = matches!(inner.tree.expr(inner.id), Expr::Traversal { .. });
            let Some(name) = inner.tree.root_name(inner.id).filter(|_| is_reference) else {
                let detail = "An item of `ignore_changes` must be the name of an argument or a path into \
                              it: `tags`, `tags[\"a\"]`.";
                let diagnostic = Diagnostic::error(ids::INVALID_EXPRESSION, detail);
                self.diagnostics.push(diagnostic.at(item.source(), item.span()));
                continue;
            };
            ignored.push((name.into(), item));
        }
        ignored
    }

    /// The items, which are references to one resource each.
    fn replace_triggered_by(&mut self, attribute: &Attribute) -> Vec<Expression> {
        let items = self.list(&attribute.reference(), "replace_triggered_by");
        for item in &items {
            self.leave_to_resolution(ReferenceRule::ReplaceTrigger(item.clone()));
        }
        items
    }
}

/// Whether an `ignore_changes` is the word `all`.
fn ignores_all(attribute: &Attribute) -> bool {
    let Expression { tree, id } = attribute.reference();
    tree.expr_text(id).trim_matches('"') == "all" && matches!(tree.expr(id), Expr::Traversal { .. })
}
