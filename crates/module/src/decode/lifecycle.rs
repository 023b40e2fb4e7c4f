//! Decodes `lifecycle` blocks.

use terrane_body::constant::bool_of;
use terrane_body::{Attribute, Block, Content};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Title, ids, titles};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Expression};
use terrane_value::{Number, SmolStr};

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::module::{Check, Lifecycle, ResourceKey};
use crate::resolve::root::{Root, RootedReference, references};

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
            for check in checks {
                for resolved in [&check.condition, &check.error_message] {
                    self.reject_itself(resolved, block_type, key);
                }
            }
        }
        Decoded { content: Some(content), rules, preconditions, postconditions }
    }

    /// A resource is in its own conditions only as `self`.
    fn reject_itself(&mut self, expression: &Expression, block_type: &str, key: &ResourceKey) {
        let itself = references(expression, &self.module)
            .iter()
            .any(|reference| reference.resource().is_some_and(|found| found.names(key)));
        if itself {
            let detail = "A precondition cannot refer to its own resource. Use a postcondition, which refers to it \
                 as `self`.";
            self.diagnostics.push(
                Diagnostic::error(ids::SELF_IN_CONDITION, detail)
                    .titled(format!("Invalid reference in {block_type}"))
                    .at(expression.source(), expression.span()),
            );
        }
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
        let (mut prevents_destroy, mut prevent_destroy) = (None, None);
        if !self.rules.computed_prevent_destroy {
            prevents_destroy = bool_of(content.attribute("prevent_destroy"), self.diagnostics);
        } else if let Some(attribute) = content.attribute("prevent_destroy") {
            prevent_destroy = Some(attribute.expression(self.diagnostics));
        }
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
            prevents_destroy,
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

    /// References to resources, with keys from `count.index` and `each.key` at most.
    fn replace_triggered_by(&mut self, attribute: &Attribute) -> Vec<Expression> {
        let mut triggers = Vec::new();
        for item in self.list(&attribute.reference(), "replace_triggered_by") {
            let mut resources = 0;
            let mut problem = None;
            let mut key = None;
            for reference in references(&item, &self.module) {
                problem = problem.or(match reference.namespace {
                    Root::Each | Root::Count if reference.is_instance_key() => None,
                    Root::Each => Some(titles::INVALID_EACH_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                    Root::Count => Some(titles::INVALID_COUNT_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                    Root::Variable
                    | Root::Local
                    | Root::Module
                    | Root::Path
                    | Root::Terraform
                    | Root::Tofu
                    | Root::Itself => Some(titles::INVALID_REFERENCE_IN_REPLACE_TRIGGERED_BY_EXPRESSION),
                    Root::Resource(_) | Root::Reserved | Root::Type => {
                        resources += 1;
                        key = key.or(wrong_key(&item, &reference));
                        None
                    }
                });
            }
            let is_address =
                matches!(item.tree.expr(item.id), Expr::Traversal { .. } | Expr::Relative { .. });
            if problem.is_none() && (resources != 1 || !is_address) {
                problem = Some(titles::INVALID_REPLACE_TRIGGERED_BY_EXPRESSION);
            }
            let Some(title) = problem else {
                match key {
                    Some(wrong) => self.diagnostics.push(wrong),
                    None => triggers.push(item),
                }
                continue;
            };
            let detail = "An item of `replace_triggered_by` must be a reference to one resource or to a \
                          part of it. An instance key can use only `count.index` and `each.key`.";
            self.diagnostics.push(
                Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail)
                    .titled(title)
                    .at(item.source(), item.span()),
            );
        }
        triggers
    }
}

/// The error about a literal key of a resource in `replace_triggered_by` that no instance can have.
fn wrong_key(item: &Expression, reference: &RootedReference<'_>) -> Option<Diagnostic> {
    let step = reference.resource()?.step + 1;
    let Some(Step::Index { key, .. }) = reference.steps.get(step) else { return None };
    let Expr::Literal(literal) = item.tree.expr(*key) else { return None };
    let text = item.tree.expr_text(*key);
    let is_right = match literal {
        Literal::String(_) => true,
        Literal::Number => Number::parse(text).is_some_and(|number| number.to_i64().is_some()),
        Literal::Null | Literal::Bool(_) => false,
    };
    if is_right {
        return None;
    }
    let detail =
        format!("The key of an instance is a string or a whole number, so no instance has the key `{text}`.");
    let diagnostic =
        Diagnostic::error(ids::INVALID_REPLACE_TRIGGER, detail).titled(titles::INVALID_INDEX_KEY);
    Some(diagnostic.at(item.source(), item.tree.span(*key)))
}

/// Whether an `ignore_changes` is the word `all`.
fn ignores_all(attribute: &Attribute) -> bool {
    let Expression { tree, id } = attribute.reference();
    tree.expr_text(id).trim_matches('"') == "all" && matches!(tree.expr(id), Expr::Traversal { .. })
}
