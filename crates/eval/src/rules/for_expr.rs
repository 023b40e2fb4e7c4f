use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use terrane_source::{DiagnosticId, Span, ids};
use terrane_syntax::ExprId;
use terrane_syntax::tree::{ForId, List, Part};
use terrane_value::display::quote;
use terrane_value::{Agreement, Marks, Origins, SmolStr, Type, Value, ValueKind, convert};

use crate::fast::compiler::{Plan, Planned};
use crate::rules::evaluator::Evaluator;
use crate::rules::explain::conceal;
use crate::state::binding::Bound;

/// What all kinds of `for` have in common.
#[derive(Clone, Copy)]
pub(crate) struct ForHead {
    pub(crate) key_name: Option<Span>,
    pub(crate) value_name: Span,
    pub(crate) collection: ExprId,
    pub(crate) condition: Option<ExprId>,
    /// What is evaluated for each element.
    pub(crate) body: ForBody,
    /// The bytes of the whole.
    pub(crate) span: Span,
}

/// What a `for` evaluates for each element.
#[derive(Clone, Copy)]
pub(crate) enum ForBody {
    /// A value, and in the object form its key.
    Values { key: Option<ExprId>, value: ExprId },
    /// The body of a directive.
    Text(List<Part>),
}

/// A loop of fewer turns is not worth a plan.
pub(crate) const FEWEST_PLANNED_TURNS: usize = 4;

/// The attributes of an object that is being made. Most come in the order of their names.
#[derive(Default)]
struct Attributes {
    /// The names and values of those that came in order, as long as all did.
    names: Vec<SmolStr>,
    values: Vec<Value>,
    /// All of them, once one came out of order.
    others: BTreeMap<SmolStr, Value>,
}

impl Attributes {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.others.is_empty()
    }

    /// Makes room for that many.
    fn reserve(&mut self, count: usize) {
        self.names.reserve_exact(count);
        self.values.reserve_exact(count);
    }

    /// Adds an attribute; where there is one of this name, gives the name back.
    fn insert(&mut self, name: SmolStr, value: Value) -> Option<SmolStr> {
        if self.others.is_empty() && self.names.last().is_none_or(|last| *last < name) {
            self.names.push(name);
            self.values.push(value);
            return None;
        }
        self.others.extend(self.names.drain(..).zip(self.values.drain(..)));
        match self.others.entry(name) {
            Entry::Vacant(free) => {
                free.insert(value);
                None
            }
            Entry::Occupied(taken) => Some(taken.key().clone()),
        }
    }

    fn build(mut self) -> Value {
        if !self.others.is_empty() {
            (self.names, self.values) = self.others.into_iter().unzip();
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

/// What has been found out about the result so far.
struct Progress {
    marks: Marks,
    /// Why the result cannot be known, where it cannot.
    unknown: Option<Origins>,
    /// How many elements the result has at most.
    most: usize,
}

impl Progress {
    fn lose(&mut self, origins: &Origins) {
        let known = self.unknown.take().unwrap_or_default();
        self.unknown = Some(known.union(origins));
    }

    fn is_complete(&self) -> bool {
        self.unknown.is_none()
    }
}

impl Evaluator<'_> {
    /// `[for …]` or `{for …}`.
    pub(crate) fn for_expr(&mut self, id: ExprId, for_id: ForId) -> Value {
        let tree = self.tree;
        let expr = tree.for_expr(for_id);
        let head = ForHead {
            key_name: expr.key_name,
            value_name: expr.value_name,
            collection: expr.collection,
            condition: expr.condition,
            body: ForBody::Values { key: expr.key, value: expr.value },
            span: tree.span(id),
        };
        match expr.key {
            None => self.for_tuple(&head, |this| this.eval(expr.value)),
            Some(key) if expr.group => self.for_groups(&head, key, expr.value),
            Some(key) => self.for_object(&head, key, expr.value),
        }
    }
}

impl<'e> Evaluator<'e> {
    /// The tuple of what `each` gives for the elements.
    pub(crate) fn for_tuple(&mut self, head: &ForHead, each: impl Fn(&mut Self) -> Value) -> Value {
        let mut values = Vec::new();
        let visit = |this: &mut Self, progress: &mut Progress| {
            let value = each(this);
            if values.is_empty() && head.condition.is_none() {
                values.reserve_exact(progress.most);
            }
            values.push(value);
            true
        };
        match self.for_each(head, visit) {
            Err(value) => value,
            Ok(progress) => progress.finish(|| Value::tuple(values)),
        }
    }

    /// The object of what `value` gives for the elements, by `key`.
    fn for_object(&mut self, head: &ForHead, key: ExprId, value: ExprId) -> Value {
        let mut attributes = Attributes::default();
        let visit = |this: &mut Self, progress: &mut Progress| {
            let Some(name) = this.for_key(head, key, progress) else { return false };
            let value = this.eval(value);
            if attributes.is_empty() && head.condition.is_none() {
                attributes.reserve(progress.most);
            }
            if let Some(taken) = attributes.insert(name, value) {
                // What a sensitive collection holds is not shown.
                let is_marked = !progress.marks.is_empty();
                let named = if is_marked { String::new() } else { format!(" {}", quote(&taken)) };
                let detail = format!(
                    "Two elements give the same key{named}. Write `...` behind the value to collect the values of equal \
                     keys."
                );
                this.report_in_for(ids::DUPLICATE_OBJECT_KEY, head, key, detail);
            }
            true
        };
        match self.for_each(head, visit) {
            Err(value) => value,
            Ok(progress) => progress.finish(|| attributes.build()),
        }
    }

    /// The object of tuples of what `value` gives for the elements, by `key`.
    fn for_groups(&mut self, head: &ForHead, key: ExprId, value: ExprId) -> Value {
        let mut groups: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
        let visit = |this: &mut Self, progress: &mut Progress| {
            let Some(name) = this.for_key(head, key, progress) else { return false };
            let value = this.eval(value);
            groups.entry(name).or_default().push(value);
            true
        };
        match self.for_each(head, visit) {
            Err(value) => value,
            Ok(progress) => progress.finish(|| {
                Value::object(groups.into_iter().map(|(name, values)| (name, Value::tuple(values))))
            }),
        }
    }

    /// Calls `visit` for each element that the condition lets through, with the names bound. An error value is
    /// the result of the whole where there is nothing to iterate.
    fn for_each(
        &mut self,
        head: &ForHead,
        mut visit: impl FnMut(&mut Self, &mut Progress) -> bool,
    ) -> Result<Progress, Value> {
        let collection = self.collection(head)?;
        let condition_marks = self.check_condition(head)?;
        let most = children(&collection);
        let mut progress = Progress { marks: collection.marks().clone(), unknown: None, most };
        let collection = collection.unmarked();
        if !collection.is_known() {
            progress.marks = progress.marks.union(&condition_marks);
            progress.lose(collection.origins());
            return Ok(progress);
        }
        let mark = self.diagnostics.len();
        let names = self.names(head);
        let is_planned = self.plan.is_empty() && most >= FEWEST_PLANNED_TURNS;
        if is_planned {
            let functions = self.scope.map(|scope| scope.functions);
            self.plan = Planned::Here(Plan::of_for(self.tree, functions, head, self.locals.len()));
        }
        let bound = self.bind(names, Value::NULL, Bound::Element(collection.clone(), 0));
        for position in 0..most {
            // What is at hand takes no step of its own.
            if self.is_stopped() || !self.may_go_on(head.collection) {
                break;
            }
            self.turn(head, bound, collection, position);
            if self.is_included(head, &mut progress) && visit(self, &mut progress) {
                self.count_element(head.span);
            }
        }
        self.locals.truncate(bound);
        if is_planned {
            self.forget_plan();
        }
        let found = self.diagnostics.get_mut(mark..).unwrap_or_default();
        found.iter_mut().for_each(|diagnostic| conceal(diagnostic, &progress.marks));
        self.drop_repeated(mark);
        Ok(progress)
    }

    /// What is iterated; it is of a type that has elements, but may be unknown.
    fn collection(&mut self, head: &ForHead) -> Result<Value, Value> {
        let value = self.eval(head.collection);
        if value.as_sequence().is_some() || value.as_entries().is_some() {
            return Ok(value);
        }
        if value.is_null() {
            let detail =
                "The collection of this `for` is null. Use `coalesce` or a conditional to give a default.";
            self.report_in_for(ids::ITERATION_OVER_NULL, head, head.collection, detail);
            return Err(Value::error());
        }
        let ty = value.ty();
        // The key of an element of a set is the element, of others its index.
        let is_any_kind = head.key_name.is_none();
        let open = value.as_unknown().filter(|_| is_any_kind);
        if let Some(tuple) = open.and_then(|unknown| unknown.as_tuple(Agreement::Order)) {
            return Ok(tuple.with_marks(value.marks()));
        }
        if ty == Type::Dynamic {
            // The reference loses the marks here.
            return Err(Value::unknown_from(Type::Dynamic, value.origins().clone()));
        }
        if !ty.is_iterable() {
            let detail =
                format!("The collection of this `for` is a {}, which has no elements.", ty.plain_name());
            self.report_in_for(ids::ITERATION_NOT_POSSIBLE, head, head.collection, detail);
            return Err(Value::error());
        }
        Ok(value)
    }

    /// Evaluates the condition once with unknown names, so that a mistake in it is not reported for each
    /// element.
    fn check_condition(&mut self, head: &ForHead) -> Result<Marks, Value> {
        let Some(condition) = head.condition else { return Ok(Marks::NONE) };
        let mark = self.diagnostics.len();
        let unknown = Value::unknown(Type::Dynamic);
        let bound = self.bind(self.names(head), unknown.clone(), Bound::Value(unknown));
        let value = self.eval(condition);
        self.locals.truncate(bound);
        if value.is_null() {
            self.report_in_for(ids::NULL_FOR_CONDITION, head, condition, "The condition must not be null.");
            return Err(Value::error());
        }
        if let Err(error) = convert(&value, &Type::Bool) {
            let detail = format!("The condition must be true or false: {}.", error.message);
            self.report_in_for(ids::INVALID_FOR_CONDITION, head, condition, detail);
            return Err(Value::error());
        }
        if self.has_errors_since(mark) {
            return Err(Value::error());
        }
        Ok(value.marks().clone())
    }

    /// Binds the names; gives the number of names bound before.
    fn bind(&mut self, names: BoundNames<'e>, key: Value, value: Bound) -> usize {
        let bound = self.locals.len();
        if let Some(name) = names.key {
            self.locals.push((name, Bound::Value(key)));
        }
        self.locals.push((names.value, value));
        bound
    }

    /// Lets the names that are bound behind `bound` others stand for another element.
    #[inline]
    fn turn(&mut self, head: &ForHead, bound: usize, collection: &Value, position: usize) {
        if head.key_name.is_some()
            && let Some((_, key)) = self.locals.get_mut(bound)
        {
            key.be_key(collection, position);
        }
        if let Some((_, value)) = self.locals.last_mut() {
            value.go_to(position);
        }
    }

    fn names(&self, head: &ForHead) -> BoundNames<'e> {
        let tree = self.tree;
        BoundNames { key: head.key_name.map(|name| tree.slice(name)), value: tree.slice(head.value_name) }
    }

    #[inline]
    fn is_included(&mut self, head: &ForHead, progress: &mut Progress) -> bool {
        let Some(condition) = head.condition else { return true };
        match self.plain_truth(condition) {
            Some(included) => included,
            None => self.is_included_by_rules(head, condition, progress),
        }
    }

    fn is_included_by_rules(&mut self, head: &ForHead, condition: ExprId, progress: &mut Progress) -> bool {
        let value = self.eval(condition);
        if let ValueKind::Bool(included) = value.kind() {
            return included;
        }
        if value.is_null() {
            if progress.is_complete() {
                self.report_in_for(
                    ids::INVALID_FOR_CONDITION,
                    head,
                    condition,
                    "The condition must not be null.",
                );
            }
            progress.lose(&Origins::error());
            return false;
        }
        progress.marks = progress.marks.union(value.marks());
        match convert(value.unmarked(), &Type::Bool) {
            Ok(included) if included.is_known() => included.as_bool() == Some(true),
            Ok(unknown) => {
                progress.lose(unknown.origins());
                false
            }
            Err(error) => {
                if progress.is_complete() {
                    let detail = format!("The condition must be true or false: {}.", error.message);
                    self.report_in_for(ids::INVALID_FOR_CONDITION, head, condition, detail);
                }
                progress.lose(&Origins::error());
                false
            }
        }
    }

    /// The key of one element; none where it is not known or not a string.
    fn for_key(&mut self, head: &ForHead, key: ExprId, progress: &mut Progress) -> Option<SmolStr> {
        if let Some(text) = self.at_hand(key).and_then(Value::plain_text) {
            return Some(text.clone());
        }
        let value = self.eval(key);
        if let Some(text) = value.plain_text() {
            return Some(text.clone());
        }
        let complete = progress.is_complete();
        if value.is_null() {
            if complete {
                self.report_in_for(ids::INVALID_OBJECT_KEY, head, key, "The key must not be null.");
            }
            progress.lose(&Origins::error());
            return None;
        }
        progress.marks = progress.marks.union(value.marks());
        if !value.is_known() {
            progress.lose(value.origins());
            return None;
        }
        self.count_numbers(&value);
        match convert(value.unmarked(), &Type::String) {
            Ok(text) => text.as_str().map(SmolStr::from),
            Err(error) => {
                if complete {
                    let detail = format!("The key must be a string: {}.", error.message);
                    self.report_in_for(ids::INVALID_OBJECT_KEY, head, key, detail);
                }
                progress.lose(&Origins::error());
                None
            }
        }
    }

    fn report_in_for(&mut self, id: DiagnosticId, head: &ForHead, at: ExprId, detail: impl Into<String>) {
        let diagnostic = self.diagnostic(id, self.tree.span(at), detail);
        self.diagnostics.push(diagnostic.within(head.span));
    }
}

/// How many elements a known value has.
fn children(collection: &Value) -> usize {
    match (collection.as_sequence(), collection.as_entries()) {
        (Some(elements), _) => elements.len(),
        (None, Some(entries)) => entries.len(),
        (None, None) => 0,
    }
}

impl Progress {
    /// The result, or an unknown value in its place.
    fn finish(self, build: impl FnOnce() -> Value) -> Value {
        match self.unknown {
            None => build().with_marks(&self.marks),
            Some(origins) => Value::unknown_from(Type::Dynamic, origins).with_marks(&self.marks),
        }
    }
}
