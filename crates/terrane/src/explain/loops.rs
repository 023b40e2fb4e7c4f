//! Follows an element of a `for` expression.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use terrane_module::place::{count, element};
use terrane_source::Span;
use terrane_syntax::ExprId;
use terrane_syntax::tree::{For, ForId};
use terrane_value::{Origin, SmolStr, Value};

use super::builder::Builder;
use super::causes::has_causes;
use super::model::{ExplainNodeId, InputRole, NodeInput};
use super::path::{self, Key};
use super::site::{Bound, BoundKind, ExplainSite, ExpressionPart, KeyedPart};

/// Limit on the elements of a loop that are searched for an unknown one.
const MAX_SEARCHED: usize = 1000;

/// Limit on the kept sites of turns of loops.
const MAX_TURNS: usize = 10_000;

/// Limit on the elements of a group that are explained.
const MAX_OF_GROUP: usize = 20;

impl<'r> Builder<'r> {
    /// Adds the inputs of a `for`: of one element if the path leads to one, otherwise the collection.
    pub(super) fn for_expr(
        &mut self,
        node: ExplainNodeId,
        part: &ExpressionPart<'r>,
        id: ForId,
        path: &[Key],
    ) {
        let form = *part.expression.tree.for_expr(id);
        let collection = Arc::new(part.at(form.collection));
        let value = collection.value();
        let is_open = !self.hides(&value);
        let turns = Turns { part, form: &form, collection: &collection, value: &value };
        let found = path.split_first().filter(|_| is_open).and_then(|(first, rest)| match (first, rest) {
            (Key::Name(wanted), []) if form.group => Some((self.turns_of_group(&turns, wanted)?, Vec::new())),
            _ => self.turn(&turns, first, rest).map(|(position, rest)| (vec![position], rest)),
        });
        let Some((positions, rest)) = found else {
            if !collection.is_constant() {
                let child = self.follow((*collection).clone(), Vec::new());
                self.input(node, NodeInput::taken(child, InputRole::Collection));
            }
            self.unknown_elements(node, &turns);
            return self.free_references(node, part, form.collection);
        };
        let count = count(&value).unwrap_or_default();
        match *positions.as_slice() {
            [position] => {
                let key = Key::of_element(&value, position).unwrap_or(Key::Position(position));
                self.how(node, format!("element {} of {count}", key.index()));
            }
            _ => self.how(node, format!("{} of {count} elements", positions.len())),
        }
        self.is_truncated |= positions.len() > MAX_OF_GROUP;
        for position in positions.into_iter().take(MAX_OF_GROUP) {
            self.turn_inputs(node, &turns, position, &rest);
        }
    }

    /// Adds the references of a `for` that stand outside of its collection. The names that it binds have no value outside of it, so a
    /// reference with such a name in brackets is followed up to there.
    fn free_references(&mut self, node: ExplainNodeId, part: &ExpressionPart<'r>, collection: ExprId) {
        let tree = &part.expression.tree;
        let mut free = Vec::new();
        tree.free_traversals(part.expression.id, &mut |id| free.push(id));
        let all: HashSet<ExprId, RandomState> = free.iter().copied().collect();
        let within = tree.span(collection);
        let is_within = |span: Span| within.start <= span.start && span.end <= within.end;
        for id in free.into_iter().filter(|id| !is_within(tree.span(*id))) {
            let reference = part.at(id);
            let mut is_bound = false;
            if reference.has_computed_keys() {
                tree.free_traversals(id, &mut |key| is_bound |= !all.contains(&key));
            }
            if !is_bound {
                self.parts(node, InputRole::Argument, [KeyedPart::unkeyed(reference)]);
            } else if let Some(child) = self.written_reference(&reference)
                && !self.is_input(node, child)
            {
                self.input(node, NodeInput::taken(child, InputRole::Argument));
            }
        }
    }

    /// Adds the inputs of the part of an element of a `for` at `rest`.
    fn turn_inputs(&mut self, node: ExplainNodeId, turns: &Turns<'_, 'r>, position: usize, rest: &[Key]) {
        let Some(site) = self.turn_site(turns, position) else { return };
        if let Some(condition) = turns.form.condition {
            let child = self.follow(turns.in_site(&site, condition), Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Condition));
        }
        let key = turns.form.key.map(|key| turns.in_site(&site, key));
        if let Some(key) = key.filter(|key| !key.is_constant()) {
            let child = self.follow(key, Vec::new());
            self.input(node, NodeInput::taken(child, InputRole::Key));
        }
        let value = turns.in_site(&site, turns.form.value);
        if !value.is_constant() {
            let child = self.follow(value, rest.to_vec());
            self.input(node, NodeInput::taken(child, InputRole::Element).keyed(position.to_string()));
        }
    }

    /// Returns the site of one turn. Several nodes that look at a turn share its site, which keeps the values of its
    /// expressions.
    fn turn_site(&self, turns: &Turns<'_, 'r>, position: usize) -> Option<ExplainSite<'r>> {
        let Some(place) = turns.part.site.place_of(&turns.part.expression) else {
            return turns.site(position);
        };
        let place = (place, position);
        if let Some(site) = self.turns.borrow().get(&place) {
            return Some(site.clone());
        }
        let site = turns.site(position)?;
        if self.turns.borrow().len() >= MAX_TURNS {
            return Some(site);
        }
        let site = site.numbered(self.next_site());
        self.turns.borrow_mut().insert(place, site.clone());
        Some(site)
    }

    /// Whether a turn passes the condition of its loop. `None` if that is unknown or a secret.
    fn passes(&self, turns: &Turns<'_, 'r>, site: &ExplainSite<'r>) -> Option<bool> {
        let Some(condition) = turns.form.condition else { return Some(true) };
        let condition = turns.in_site(site, condition).value();
        if self.hides(&condition) { None } else { path::truth(&condition) }
    }

    /// Returns the positions of the turns that make the elements of a group. `None` if they cannot be told.
    fn turns_of_group(&self, turns: &Turns<'_, 'r>, wanted: &SmolStr) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for position in 0..count(turns.value)? {
            let site = self.turn_site(turns, position)?;
            if self.passes(turns, &site)? {
                let key = turns.in_site(&site, turns.form.key?).value();
                if self.hides(&key) {
                    return None;
                }
                found.extend((text_of(&key)? == *wanted).then_some(position));
            }
        }
        Some(found)
    }

    /// Adds elements with the causes that the collection itself does not have: a cause may be a part of an object that is not
    /// among the known parts of the object.
    fn unknown_elements(&mut self, node: ExplainNodeId, turns: &Turns<'_, 'r>) {
        if self.hides(turns.value) || has_causes(turns.value, &self.nodes[node].value) {
            return;
        }
        let (all, own) = (self.nodes[node].value.origins_of_parts(), turns.value.origins_of_parts());
        let mut missing: Vec<&Origin> =
            all.as_slice().iter().filter(|origin| !own.as_slice().contains(origin)).collect();
        let form = turns.form;
        let parts = [
            (form.condition, InputRole::Condition),
            (form.key, InputRole::Key),
            (Some(form.value), InputRole::Element),
        ];
        for position in 0..count(turns.value).unwrap_or_default().min(MAX_SEARCHED) {
            let Some(site) = self.turn_site(turns, position).filter(|_| !missing.is_empty()) else { return };
            for (part, role) in
                parts.iter().filter_map(|(id, role)| Some((turns.in_site(&site, (*id)?), *role)))
            {
                let (found, before) = (part.value().origins_of_parts(), missing.len());
                missing.retain(|origin| !found.as_slice().contains(origin));
                if missing.len() < before {
                    let child = self.follow(part, Vec::new());
                    self.input(node, NodeInput::taken(child, role).keyed(position.to_string()));
                }
            }
        }
    }

    /// Returns the position of the turn of a loop that makes the element at `first`, and the path behind it. `None` if it
    /// cannot be told.
    fn turn(&self, turns: &Turns<'_, 'r>, first: &Key, rest: &[Key]) -> Option<(usize, Vec<Key>)> {
        let mut passed = 0;
        let mut last = None;
        for position in 0..count(turns.value)? {
            let site = self.turn_site(turns, position)?;
            let of = |id| turns.in_site(&site, id).value();
            if !self.passes(turns, &site)? {
                continue;
            }
            match (turns.form.key, first) {
                (None, Key::Position(wanted)) if passed == *wanted => return Some((position, rest.to_vec())),
                (None, Key::Member(wanted)) if of(turns.form.value).unmarked().same(wanted.unmarked()) => {
                    return Some((position, rest.to_vec()));
                }
                (Some(key), Key::Name(wanted)) => {
                    let key = of(key);
                    if self.hides(&key) {
                        return None;
                    }
                    let is_wanted = text_of(&key)? == *wanted;
                    if is_wanted && turns.form.group {
                        // The next step of the path is the position in the group.
                        let (Key::Position(wanted), rest) = rest.split_first()? else { return None };
                        if last.map_or(0, |last: usize| last + 1) == *wanted {
                            return Some((position, rest.to_vec()));
                        }
                        last = Some(last.map_or(0, |last| last + 1));
                    } else if is_wanted {
                        return Some((position, rest.to_vec()));
                    }
                }
                (None, _) | (Some(_), _) => {}
            }
            passed += 1;
        }
        None
    }
}

/// Returns the text of a key. Keys of other types become strings.
fn text_of(key: &Value) -> Option<SmolStr> {
    let text = terrane_value::convert(key.unmarked(), &terrane_value::Type::String).ok()?;
    text.as_str().map(SmolStr::from)
}

/// The turns of a `for`.
struct Turns<'t, 'r> {
    part: &'t ExpressionPart<'r>,
    form: &'t For,
    collection: &'t Arc<ExpressionPart<'r>>,
    value: &'t Value,
}

impl<'r> Turns<'_, 'r> {
    /// Returns the names of one turn.
    fn site(&self, position: usize) -> Option<ExplainSite<'r>> {
        let (key, value) = element(self.value, position)?;
        let step = Key::of_element(self.value, position);
        let text = |span| SmolStr::from(self.part.expression.tree.slice(span));
        let bound = |name, value, kind| Bound {
            name,
            value,
            kind,
            collection: Arc::clone(self.collection),
            element: step.clone(),
        };
        let key = self.form.key_name.map(|name| bound(text(name), key, BoundKind::Key));
        let value = bound(text(self.form.value_name), value, BoundKind::Value);
        Some(self.part.site.inside(key.into_iter().chain([value])))
    }

    fn in_site(&self, site: &ExplainSite<'r>, id: ExprId) -> ExpressionPart<'r> {
        site.part(terrane_syntax::Expression { tree: Arc::clone(&self.part.expression.tree), id })
    }
}
