//! `for` expressions, and the loop that they share with `%{for}`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use terrane_source::{DiagnosticId, ids};
use terrane_syntax::ExprId;
use terrane_syntax::tree::ForId;
use terrane_value::display::quote;
use terrane_value::{Agreement, Marks, Origins, SmolStr, Type, Value, ValueKind, convert, with_article};

use crate::plain::for_parts::{ForBody, ForParts};
use crate::rules::evaluator::Evaluator;
use crate::rules::fast_path::LoopBody;
use crate::state::binding::Binding;

/// The attributes of an object under construction. Usually they come in the order of their names.
#[derive(Default)]
struct CollectedAttributes {
    /// The names, as long as all came in order.
    names: Vec<SmolStr>,
    values: Vec<Value>,
    /// All attributes, after one has come out of order.
    unordered: BTreeMap<SmolStr, Value>,
}

impl CollectedAttributes {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.unordered.is_empty()
    }

    fn reserve(&mut self, count: usize) {
        self.names.reserve_exact(count);
        self.values.reserve_exact(count);
    }

    /// Adds an attribute. Returns the name if it is already present.
    fn insert(&mut self, name: SmolStr, value: Value) -> Option<SmolStr> {
        if self.unordered.is_empty() && self.names.last().is_none_or(|last| *last < name) {
            self.names.push(name);
            self.values.push(value);
            return None;
        }
        self.unordered.extend(self.names.drain(..).zip(self.values.drain(..)));
        match self.unordered.entry(name) {
            Entry::Vacant(free) => {
                free.insert(value);
                None
            }
            Entry::Occupied(taken) => Some(taken.key().clone()),
        }
    }

    fn build(mut self) -> Value {
        if !self.unordered.is_empty() {
            (self.names, self.values) = self.unordered.into_iter().unzip();
        }
        Value::object_in_order(self.names, self.values)
    }
}

/// The names that a `for` binds.
#[derive(Clone, Copy)]
struct BoundNames<'e> {
    key: Option<&'e str>,
    value: &'e str,
}

/// The state of the result after some iterations.
struct Progress {
    marks: Marks,
    /// The origins of an unknown result; `None` while it is known.
    unknown: Option<Origins>,
    /// The largest possible number of elements of the result.
    most: usize,
}

impl Progress {
    /// Makes the result unknown.
    fn make_unknown(&mut self, origins: &Origins) {
        let before = self.unknown.take().unwrap_or_default();
        self.unknown = Some(before.union(origins));
    }

    fn is_known(&self) -> bool {
        self.unknown.is_none()
    }
}

impl Evaluator<'_> {
    /// Evaluates `[for …]` or `{for …}`.
    pub(crate) fn for_expr(&mut self, id: ExprId, for_id: ForId) -> Value {
        let tree = self.tree;
        let expr = tree.for_expr(for_id);
        let parts = ForParts {
            key_name: expr.key_name,
            value_name: expr.value_name,
            collection: expr.collection,
            condition: expr.condition,
            body: ForBody::Values { key: expr.key, value: expr.value },
            span: tree.span(id),
        };
        match expr.key {
            None => self.for_tuple(&parts, |this| this.eval(expr.value)),
            Some(key) if expr.group => self.for_groups(&parts, key, expr.value),
            Some(key) => self.for_object(&parts, key, expr.value),
        }
    }
}

impl<'e> Evaluator<'e> {
    /// Returns the tuple of the values that `each` computes for the elements.
    pub(crate) fn for_tuple(&mut self, parts: &ForParts, each: impl Fn(&mut Self) -> Value) -> Value {
        let mut values = Vec::new();
        let visit = |this: &mut Self, progress: &mut Progress| {
            let value = each(this);
            if values.is_empty() && parts.condition.is_none() {
                values.reserve_exact(progress.most);
            }
            values.push(value);
            true
        };
        match self.for_each(parts, visit) {
            Err(value) => value,
            Ok(progress) => progress.finish(|| Value::tuple(values)),
        }
    }

    /// Returns the object of the values of `value` for the elements, by `key`.
    fn for_object(&mut self, parts: &ForParts, key: ExprId, value: ExprId) -> Value {
        let mut attributes = CollectedAttributes::default();
        let mut has_equal_keys = false;
        let visit = |this: &mut Self, progress: &mut Progress| {
            let Some(name) = this.for_key(parts, key, progress) else { return false };
            let value = this.eval(value);
            if attributes.is_empty() && parts.condition.is_none() {
                attributes.reserve(progress.most);
            }
            if let Some(taken) = attributes.insert(name, value) {
                has_equal_keys = true;
                // The elements of a sensitive collection must not be shown.
                let is_marked = !progress.marks.is_empty();
                let named = if is_marked { String::new() } else { format!(" {}", quote(&taken)) };
                let detail = format!(
                    "Two elements give the same key{named}. Write `...` behind the value to collect the values of equal \
                     keys."
                );
                this.report_in_for(ids::DUPLICATE_OBJECT_KEY, parts, key, detail);
            }
            true
        };
        match self.for_each(parts, visit) {
            Err(value) => value,
            Ok(mut progress) => {
                // None of the values of a key that several elements give is the right one.
                if has_equal_keys {
                    progress.make_unknown(&Origins::error());
                }
                progress.finish(|| attributes.build())
            }
        }
    }

    /// Returns the object of tuples of the values of `value` for the elements, grouped by `key`.
    fn for_groups(&mut self, parts: &ForParts, key: ExprId, value: ExprId) -> Value {
        let mut groups: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
        let visit = |this: &mut Self, progress: &mut Progress| {
            let Some(name) = this.for_key(parts, key, progress) else { return false };
            let value = this.eval(value);
            groups.entry(name).or_default().push(value);
            true
        };
        match self.for_each(parts, visit) {
            Err(value) => value,
            Ok(progress) => progress.finish(|| {
                Value::object(groups.into_iter().map(|(name, values)| (name, Value::tuple(values))))
            }),
        }
    }

    /// Calls `visit` for each element that meets the condition, with the names bound. An `Err` is the result of the
    /// whole `for` if the collection cannot be iterated.
    fn for_each(
        &mut self,
        parts: &ForParts,
        mut visit: impl FnMut(&mut Self, &mut Progress) -> bool,
    ) -> Result<Progress, Value> {
        let before = self.budget.memory_mark();
        let whole = self.collection(parts)?;
        let made = self.budget.memory_mark();
        let condition_marks = self.check_condition(parts)?;
        let most = element_count(&whole);
        let mut progress = Progress { marks: whole.marks().clone(), unknown: None, most };
        let collection = whole.unmarked();
        if !collection.is_known() {
            progress.marks = progress.marks.union(&condition_marks);
            progress.make_unknown(collection.origins());
            return Ok(progress);
        }
        let mark = self.report.mark();
        let names = self.bound_names(parts);
        self.in_loop(LoopBody::For(parts), most, |this| {
            let bound = this.bind(names, Value::NULL, Binding::Element(collection.clone(), 0));
            for position in 0..most {
                // A compiled body takes no step of its own.
                if this.budget.is_stopped() || !this.step(parts.collection) {
                    break;
                }
                this.next_element(parts, bound, collection, position);
                if this.is_included(parts, &mut progress) && visit(this, &mut progress) {
                    this.count_element(parts.span);
                }
            }
            this.frame.bindings.truncate(bound);
        });
        self.report.conceal_since(mark, &progress.marks);
        self.report.drop_repeated(mark);
        self.budget.release(whole.freed_bytes().min(made.since(before)), before);
        Ok(progress)
    }

    /// Returns the collection, which may be unknown but has a type with elements.
    fn collection(&mut self, parts: &ForParts) -> Result<Value, Value> {
        let value = self.eval(parts.collection);
        if value.as_sequence().is_some() || value.as_entries().is_some() {
            return Ok(value);
        }
        if value.is_null() {
            let detail =
                "The collection of this `for` is null. Use `coalesce` or a conditional to give a default.";
            self.report_in_for(ids::ITERATION_OVER_NULL, parts, parts.collection, detail);
            return Err(Value::error());
        }
        let ty = value.ty();
        // Without a key name, iterating a list, a set and a tuple of the same elements has the same result.
        let is_any_kind = parts.key_name.is_none();
        let open = value.as_unknown().filter(|_| is_any_kind);
        if let Some(tuple) = open.and_then(|unknown| unknown.as_tuple(Agreement::Order)) {
            return Ok(tuple.with_marks(value.marks()));
        }
        if ty == Type::Dynamic {
            // The reference drops the marks here.
            return Err(Value::unknown_from(Type::Dynamic, value.origins().clone()));
        }
        if !ty.is_iterable() {
            let detail = format!(
                "The collection of this `for` is {}. It must be a list, set, map, tuple or object.",
                with_article(&ty.plain_name())
            );
            self.report_in_for(ids::ITERATION_NOT_POSSIBLE, parts, parts.collection, detail);
            return Err(Value::error());
        }
        Ok(value)
    }

    /// Evaluates the condition once with unknown names, so that an error in it is reported once
    /// and not for each element.
    fn check_condition(&mut self, parts: &ForParts) -> Result<Marks, Value> {
        let Some(condition) = parts.condition else { return Ok(Marks::NONE) };
        let mark = self.report.mark();
        let unknown = Value::unknown(Type::Dynamic);
        let bound = self.bind(self.bound_names(parts), unknown.clone(), Binding::Value(unknown));
        let value = self.eval(condition);
        self.frame.bindings.truncate(bound);
        if value.is_null() {
            self.report_in_for(
                ids::NULL_FOR_CONDITION,
                parts,
                condition,
                "The condition is null. It must be true or false.",
            );
            return Err(Value::error());
        }
        if let Err(error) = convert(&value, &Type::Bool) {
            let detail = format!("The condition must be true or false: {}.", error.message);
            self.report_in_for(ids::INVALID_FOR_CONDITION, parts, condition, detail);
            return Err(Value::error());
        }
        if self.report.has_errors_since(mark) {
            return Err(Value::error());
        }
        Ok(value.marks().clone())
    }

    /// Binds the names. Returns the number of names that were bound before.
    fn bind(&mut self, names: BoundNames<'e>, key: Value, value: Binding) -> usize {
        let bound = self.frame.bindings.len();
        if let Some(name) = names.key {
            self.frame.bindings.push((name, Binding::Value(key)));
        }
        self.frame.bindings.push((names.value, value));
        bound
    }

    /// Binds the names, before which `bound` others are bound, to another element.
    #[inline]
    fn next_element(&mut self, parts: &ForParts, bound: usize, collection: &Value, position: usize) {
        if parts.key_name.is_some()
            && let Some((_, key)) = self.frame.bindings.get_mut(bound)
        {
            key.set_key(collection, position);
        }
        if let Some((_, value)) = self.frame.bindings.last_mut() {
            value.move_to(position);
        }
    }

    fn bound_names(&self, parts: &ForParts) -> BoundNames<'e> {
        let tree = self.tree;
        BoundNames { key: parts.key_name.map(|name| tree.slice(name)), value: tree.slice(parts.value_name) }
    }

    #[inline]
    fn is_included(&mut self, parts: &ForParts, progress: &mut Progress) -> bool {
        let Some(condition) = parts.condition else { return true };
        let value = self.eval(condition);
        if let ValueKind::Bool(included) = value.kind() {
            return included;
        }
        self.is_true(parts, condition, &value, progress)
    }

    /// Whether the condition of an element is true, for a value that is not a plain bool.
    fn is_true(
        &mut self,
        parts: &ForParts,
        condition: ExprId,
        value: &Value,
        progress: &mut Progress,
    ) -> bool {
        if value.is_null() {
            if progress.is_known() {
                self.report_in_for(
                    ids::INVALID_FOR_CONDITION,
                    parts,
                    condition,
                    "The condition is null. It must be true or false.",
                );
            }
            progress.make_unknown(&Origins::error());
            return false;
        }
        progress.marks = progress.marks.union(value.marks());
        match convert(value.unmarked(), &Type::Bool) {
            Ok(included) if included.is_known() => included.as_bool() == Some(true),
            Ok(unknown) => {
                progress.make_unknown(unknown.origins());
                false
            }
            Err(error) => {
                if progress.is_known() {
                    let detail = format!("The condition must be true or false: {}.", error.message);
                    self.report_in_for(ids::INVALID_FOR_CONDITION, parts, condition, detail);
                }
                progress.make_unknown(&Origins::error());
                false
            }
        }
    }

    /// Returns the key of one element; `None` if it is unknown or not a string.
    fn for_key(&mut self, parts: &ForParts, key: ExprId, progress: &mut Progress) -> Option<SmolStr> {
        let value = self.eval(key);
        if let Some(text) = value.plain_text() {
            return Some(text.clone());
        }
        let complete = progress.is_known();
        if value.is_null() {
            if complete {
                self.report_in_for(
                    ids::INVALID_OBJECT_KEY,
                    parts,
                    key,
                    "The key is null. It must be a string.",
                );
            }
            progress.make_unknown(&Origins::error());
            return None;
        }
        progress.marks = progress.marks.union(value.marks());
        if !value.is_known() {
            progress.make_unknown(value.origins());
            return None;
        }
        self.budget.work_of_number(&value);
        match convert(value.unmarked(), &Type::String) {
            Ok(text) => text.as_str().map(SmolStr::from),
            Err(error) => {
                if complete {
                    let detail = format!("The key must be a string: {}.", error.message);
                    self.report_in_for(ids::INVALID_OBJECT_KEY, parts, key, detail);
                }
                progress.make_unknown(&Origins::error());
                None
            }
        }
    }

    fn report_in_for(&mut self, id: DiagnosticId, parts: &ForParts, at: ExprId, detail: impl Into<String>) {
        self.report.error_within(parts.span, id, self.tree.span(at), detail);
    }
}

/// Returns the number of elements of a known value.
fn element_count(collection: &Value) -> usize {
    match (collection.as_sequence(), collection.as_entries()) {
        (Some(elements), _) => elements.len(),
        (None, Some(entries)) => entries.len(),
        (None, None) => 0,
    }
}

impl Progress {
    /// Returns the result, or an unknown value in its place.
    fn finish(self, build: impl FnOnce() -> Value) -> Value {
        match self.unknown {
            None => build().with_marks(&self.marks),
            Some(origins) => Value::unknown_from(Type::Dynamic, origins).with_marks(&self.marks),
        }
    }
}
