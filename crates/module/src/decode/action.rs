//! Decodes `action` blocks and the `action_trigger` blocks of `lifecycle`.

use std::sync::OnceLock;

use terrane_body::{Attribute, Block};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_syntax::{Expr, Expression};

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::module::{ActionTrigger, Lifecycle, Resource, ResourceKey};
use crate::model::reference_rule::ReferenceRule;

/// The events at which an action can run.
const EVENTS: &[&str] = &["before_create", "after_create", "before_update", "after_update"];

impl Decoder<'_> {
    /// An `action` block. Apart from its arguments, which stand in a block of their own, it is like a resource.
    pub(crate) fn action_block(&mut self, block: &Block) -> (ResourceKey, Resource) {
        let (type_label, name_label) = (block.label(0), block.label(1));
        let type_place = block.place_of(&type_label);
        self.check_name(&type_label.text, ids::INVALID_ACTION_TYPE, &type_place);
        self.check_name(&name_label.text, ids::INVALID_ACTION_NAME, &block.place_of(&name_label));
        let content = self.content(&block.body, "action", schema::action());
        // Without the block it has no arguments.
        let nothing = || block.body.partial_content(schema::action(), &mut Diagnostics::new()).1;
        let config = self.only(&content, "config", "action").map(|config| config.body.clone());
        let provider = content.attribute("provider").map(Attribute::reference);
        let action = Resource {
            declaration: block.declaration(),
            type_label: type_place,
            repetition: self.repetition(&content, None),
            check: None,
            provider: provider
                .and_then(|expression| self.provider_ref(&expression, "provider"))
                .map(Box::new),
            config: config.unwrap_or_else(nothing),
            depends_on: None,
            lifecycle: Lifecycle::default(),
            written_lifecycle: None,
            configured: OnceLock::new(),
            preconditions: Vec::new(),
            postconditions: Vec::new(),
            connection: None,
            provisioners: Vec::new(),
        };
        let (mode, resource_type, name) = (ResourceMode::Action, type_label.text, name_label.text);
        (ResourceKey { mode, resource_type, name }, action)
    }

    /// An `action_trigger` block: at which events which actions run.
    pub(crate) fn action_trigger(&mut self, block: &Block) -> ActionTrigger {
        let content = self.content(&block.body, "action_trigger", schema::action_trigger());
        let events = content.attribute("events").map(|attribute| self.events(attribute)).unwrap_or_default();
        let actions =
            content.attribute("actions").map(|attribute| self.actions(attribute)).unwrap_or_default();
        for (is_empty, argument, title) in [
            (actions.is_empty(), "actions", titles::NO_ACTIONS_SPECIFIED),
            (events.is_empty(), "events", titles::NO_EVENTS_SPECIFIED),
        ] {
            if is_empty {
                let detail =
                    format!("An `action_trigger` block must have at least one item in `{argument}`.");
                let diagnostic = Diagnostic::error(ids::INVALID_ACTION_TRIGGER, detail);
                let declaration = block.declaration();
                self.diagnostics.push(diagnostic.titled(title).at(&declaration.file, declaration.span));
            }
        }
        let condition = content.attribute("condition");
        ActionTrigger {
            condition: condition.map(|attribute| attribute.expression(self.diagnostics)),
            is_before: events.iter().any(|event| event.starts_with("before_")),
            creates: events.iter().any(|event| event.ends_with("_create")),
            actions,
        }
    }

    fn events(&mut self, attribute: &Attribute) -> Vec<String> {
        let mut events: Vec<String> = Vec::new();
        for item in self.list(&attribute.reference(), "events") {
            let is_word = matches!(item.tree.expr(item.id), Expr::Traversal { steps, .. } if item.tree.list(steps).is_empty());
            let event = if is_word { item.tree.expr_text(item.id) } else { "" };
            let title = if event.is_empty() {
                titles::INVALID_EVENT_VALUE.into()
            } else if !EVENTS.contains(&event) {
                titles::invalid_event(event)
            } else if events.iter().any(|earlier| earlier == event) {
                titles::duplicate_event(event)
            } else {
                events.push(event.to_owned());
                continue;
            };
            let detail =
                format!("The events are {}, each at most once and without quotes.", EVENTS.join(", "));
            let diagnostic = Diagnostic::error(ids::INVALID_ACTION_TRIGGER, detail).titled(title);
            self.diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
        events
    }

    /// The items, which are references to one action each.
    fn actions(&mut self, attribute: &Attribute) -> Vec<Expression> {
        let items = self.list(&attribute.reference(), "actions");
        for item in &items {
            self.leave_to_resolution(ReferenceRule::Action(item.clone()));
        }
        items
    }
}
