//! Follows an element of a `for` expression.

use std::sync::Arc;

use terrane_module::place::{count, element};
use terrane_syntax::tree::{For, ForId};
use terrane_value::{SmolStr, Value};

use super::builder::Builder;
use super::causes;
use super::model::{Input, Role};
use super::path::{self, Key};
use super::site::{Bound, BoundKind, Part, Site};

/// Limit on the elements of a loop among which an unknown one is searched.
const MOST_SEARCHED: usize = 1000;

impl<'r> Builder<'r> {
    /// The inputs of a `for`: of one element if the path leads to one, otherwise the collection.
    pub(super) fn for_expr(&mut self, node: usize, part: &Part<'r>, id: ForId, path: &[Key]) {
        let form = *part.expression.tree.for_expr(id);
        let collection = Arc::new(part.at(form.collection));
        let value = collection.value();
        let is_open = !self.hides(&value);
        let found = path.split_first().filter(|_| is_open).and_then(|(first, rest)| {
            let turns = Turns { part, form: &form, collection: &collection, value: &value };
            let (position, rest) = self.turn(&turns, first, rest)?;
            Some((turns.site(position)?, position, rest))
        });
        let Some((site, position, rest)) = found else {
            if !collection.is_constant() {
                let child = self.follow((*collection).clone(), Vec::new());
                self.input(node, Input::taken(child, Role::Collection));
            }
            self.unknown_element(node, &Turns { part, form: &form, collection: &collection, value: &value });
            // The names that the `for` binds have no value outside of it.
            let tree = &part.expression.tree;
            let within = tree.span(form.collection);
            let mut free = Vec::new();
            tree.free_traversals(part.expression.id, &mut |id| free.push(id));
            free.retain(|id| !(within.start <= tree.span(*id).start && tree.span(*id).end <= within.end));
            return self.parts(
                node,
                Role::Argument,
                free.into_iter().map(|id| (part.at(id), None)).collect(),
            );
        };
        let count = count(&value).unwrap_or_default();
        let key = Key::of_element(&value, position).filter(|key| !matches!(key, Key::Position(_)));
        let key = key.map_or_else(String::new, |key| format!(" with key {}", key.text()));
        self.how(node, format!("element {} of {count}{key}", position + 1));
        let of = |id| site.part(terrane_syntax::Expression { tree: Arc::clone(&part.expression.tree), id });
        if let Some(condition) = form.condition.map(of) {
            let child = self.follow(condition, Vec::new());
            self.input(node, Input::taken(child, Role::Condition));
        }
        if let Some(key) = form.key.map(of).filter(|key| !key.is_constant()) {
            let child = self.follow(key, Vec::new());
            self.input(node, Input::taken(child, Role::Key));
        }
        let value = of(form.value);
        if !value.is_constant() {
            let child = self.follow(value, rest);
            self.input(node, Input::taken(child, Role::Element).keyed(position.to_string()));
        }
    }

    /// Adds the first element that is unknown, or has unknown parts: its cause may be a part of an object that the collection itself
    /// does not have.
    fn unknown_element(&mut self, node: usize, turns: &Turns<'_, 'r>) {
        let is_unknown = self.nodes.get(node).is_some_and(|node| !causes::origins_of(&node.value).is_empty());
        if !is_unknown || self.hides(turns.value) || !causes::origins_of(turns.value).is_empty() {
            return;
        }
        let all = 0..count(turns.value).unwrap_or_default().min(MOST_SEARCHED);
        let form = turns.form;
        let parts =
            [(form.condition, Role::Condition), (form.key, Role::Key), (Some(form.value), Role::Element)];
        let found = all.into_iter().find_map(|position| {
            let site = turns.site(position)?;
            let mut parts = parts.iter().filter_map(|(id, role)| Some((turns.in_site(&site, (*id)?), *role)));
            let found = parts.find(|(part, _)| !causes::origins_of(&part.value()).is_empty());
            found.map(|(part, role)| (position, part, role))
        });
        if let Some((position, part, role)) = found {
            let child = self.follow(part, Vec::new());
            self.input(node, Input::taken(child, role).keyed(position.to_string()));
        }
    }

    /// The position of the turn of a loop that makes the element at `first`, and the path behind it. None if it cannot be told.
    fn turn(&self, turns: &Turns<'_, 'r>, first: &Key, rest: &[Key]) -> Option<(usize, Vec<Key>)> {
        let mut passed = 0;
        let mut last = None;
        for position in 0..count(turns.value)? {
            let site = turns.site(position)?;
            let of = |id| turns.in_site(&site, id).value();
            if let Some(condition) = turns.form.condition {
                let condition = of(condition);
                if self.hides(&condition) {
                    return None;
                }
                if !path::truth(&condition)? {
                    continue;
                }
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
                        // The path goes on with the position in the group.
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

/// The text of a key: those of other types become strings.
fn text_of(key: &Value) -> Option<SmolStr> {
    let text = terrane_value::convert(key.unmarked(), &terrane_value::Type::String).ok()?;
    text.as_str().map(SmolStr::from)
}

/// The turns of a `for`.
struct Turns<'t, 'r> {
    part: &'t Part<'r>,
    form: &'t For,
    collection: &'t Arc<Part<'r>>,
    value: &'t Value,
}

impl<'r> Turns<'_, 'r> {
    /// The names of one turn.
    fn site(&self, position: usize) -> Option<Site<'r>> {
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

    fn in_site(&self, site: &Site<'r>, id: terrane_syntax::ExprId) -> Part<'r> {
        site.part(terrane_syntax::Expression { tree: Arc::clone(&self.part.expression.tree), id })
    }
}
