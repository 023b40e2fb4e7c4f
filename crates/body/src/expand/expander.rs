//! Evaluates expressions in the scope of a body, and reports diagnostics once for all elements of a `dynamic` block.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_eval::{Batch, FunctionTable, InstanceCache, Names, Scope, conceal};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, SourceFile, SourceVersion, Span};
use terrane_syntax::{ExprId, Expression};
use terrane_value::{Marks, Type, Value};

use super::scoped_body::{BlockIterator, ScopedBody};
use crate::body::Body;
use crate::content::Attribute;

/// Reads and evaluates bodies over one scope, within its limits.
pub(crate) struct Expander<'s> {
    pub(crate) batch: Batch<'s>,
    diagnostics: &'s mut Diagnostics,
    /// The diagnostics about the content of `dynamic` blocks that have been reported.
    reported: HashSet<DiagnosticKey>,
    /// The number of errors, including repeated ones.
    errors: usize,
}

/// Identifies a diagnostic, to find those that the elements of a `dynamic` block repeat.
#[derive(PartialEq, Eq, Hash)]
struct DiagnosticKey {
    id: &'static str,
    file: SourceVersion,
    span: Span,
    /// The detail, if different diagnostics may have the same span.
    detail: Option<String>,
}

/// Which diagnostics count as repetitions of an earlier one.
#[derive(Clone, Copy)]
pub(super) enum Repeated {
    /// No diagnostic.
    No,
    /// Diagnostics with the same span, whose details may name different elements.
    SameSpan,
    /// Diagnostics with the same span and the same detail.
    SameDetail,
}

impl<'s> Expander<'s> {
    pub(crate) fn new(scope: &'s Scope<'s>, diagnostics: &'s mut Diagnostics) -> Expander<'s> {
        Expander { batch: Batch::new(scope), diagnostics, reported: HashSet::new(), errors: 0 }
    }

    /// Returns this expander for constants: expressions must not use names or functions, and JSON strings are literal.
    pub(crate) fn constant(self) -> Expander<'s> {
        Expander { batch: self.batch.constant(), ..self }
    }

    /// Returns the cache of values that the instances of a block share.
    pub(crate) fn instance_cache(&self) -> Option<&'s InstanceCache> {
        self.batch.scope().names.instance_cache()
    }

    /// Whether a limit stopped the evaluation.
    pub(crate) fn is_stopped(&self) -> bool {
        self.batch.is_stopped()
    }

    /// Returns the result of `read` for the body, and whether it reported errors.
    pub(crate) fn read<T>(
        &mut self,
        body: &ScopedBody,
        read: impl FnOnce(&Body, &mut Diagnostics) -> T,
    ) -> (T, bool) {
        self.read_among(0, body, read)
    }

    /// Does the same as [`Expander::read`] for a schema with this number of names, with which wrong ones are compared.
    pub(crate) fn read_among<T>(
        &mut self,
        names: usize,
        body: &ScopedBody,
        read: impl FnOnce(&Body, &mut Diagnostics) -> T,
    ) -> (T, bool) {
        let mut found = Diagnostics::new();
        let content = read(&body.body, &mut found);
        self.batch.count_messages(&found, names);
        let failed = found.has_errors();
        self.report(found, Repeated::in_body(body, Repeated::SameDetail));
        (content, failed)
    }

    /// Counts a body that was read. Its limits are the limits of the whole block.
    pub(crate) fn count_body(&mut self, body: &ScopedBody) {
        let exceeded = self.batch.count_body(body.body.source(), body.body.missing_item_span());
        self.report(exceeded, Repeated::No);
    }

    /// Whether there is memory for `bytes` more bytes. If not, reports that at `span` of `source`, and
    /// nothing more is computed.
    pub(crate) fn has_memory(&mut self, bytes: usize, source: &Arc<SourceFile>, span: Span) -> bool {
        let exceeded = self.batch.count_bytes(bytes, source, span);
        self.batch.release_memory(bytes);
        let is_within = exceeded.is_none() && !self.batch.is_stopped();
        self.report(exceeded, Repeated::No);
        is_within
    }

    /// Counts steps outside of expressions. Returns whether they are within the limit. If not, reports that, and nothing more is
    /// computed.
    pub(crate) fn may_work(&mut self, steps: u64, body: &ScopedBody) -> bool {
        let exceeded = self.batch.count_steps(steps, body.body.source(), body.body.missing_item_span());
        let is_within = exceeded.is_none() && !self.batch.is_stopped();
        self.report(exceeded, Repeated::No);
        is_within
    }

    /// Whether the steps allow to convert the value of an attribute to a type. If not, reports that, and nothing more is computed.
    pub(crate) fn may_convert(&mut self, attribute: &Attribute, value: &Value, ty: &Type) -> bool {
        let exceeded = self.batch.count_conversion(value, ty, attribute.source(), attribute.value_span());
        let is_within = exceeded.is_none();
        self.report(exceeded, Repeated::No);
        is_within
    }

    /// Returns the value of an attribute of `body`.
    pub(crate) fn attribute(&mut self, attribute: &Attribute, body: &ScopedBody) -> Value {
        if let Some(origins) = &body.unknown {
            return Value::unknown_from(Type::Dynamic, origins.clone()).with_marks(&body.marks);
        }
        let expression = self.expression(attribute, body);
        self.value(&expression, body)
    }

    /// Returns the value of an expression in the scope of `body`.
    pub(crate) fn value(&mut self, expression: &Expression, body: &ScopedBody) -> Value {
        let (value, _) = self.eval(expression, expression.id, body.iterator.as_deref(), &body.marks);
        value.with_marks(&body.marks)
    }

    /// Returns the value of an expression over other names and functions.
    pub(crate) fn value_over(
        &mut self,
        expression: &Expression,
        names: &dyn Names,
        functions: &FunctionTable,
    ) -> Value {
        let (value, found) = self.batch.evaluate_over(expression, names, functions);
        self.report(found, Repeated::SameSpan);
        value
    }

    /// Returns the number of errors so far, including repeated ones.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the expression of an attribute of `body`.
    pub(super) fn expression(&mut self, attribute: &Attribute, body: &ScopedBody) -> Expression {
        if self.batch.is_constant() {
            return attribute.literal();
        }
        let mut found = Diagnostics::new();
        let expression = attribute.expression(&mut found);
        self.report(found, Repeated::in_body(body, Repeated::SameSpan));
        expression
    }

    /// Returns the value of the expression `id` in the tree of `expression`, and whether there were errors. `marks` are
    /// the marks of the collection of the iterator.
    pub(super) fn eval(
        &mut self,
        expression: &Expression,
        id: ExprId,
        iterator: Option<&BlockIterator>,
        marks: &Marks,
    ) -> (Value, bool) {
        let bindings = iterator.map(BlockIterator::bindings).unwrap_or_default();
        let (value, mut found) = self.batch.evaluate(expression, id, &bindings);
        let failed = found.iter().any(Diagnostic::is_error);
        found.iter_mut().for_each(|diagnostic| conceal(diagnostic, marks));
        self.report(found, if iterator.is_some() { Repeated::SameSpan } else { Repeated::No });
        (value, failed)
    }

    /// Whether an error of this kind would still be listed.
    pub(crate) fn lists(&self, id: DiagnosticId) -> bool {
        self.diagnostics.lists(id)
    }

    /// Reports a diagnostic about `body`.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic, body: &ScopedBody) {
        self.report([diagnostic], Repeated::in_body(body, Repeated::SameDetail));
    }

    pub(super) fn report(&mut self, found: impl IntoIterator<Item = Diagnostic>, repeated: Repeated) {
        for diagnostic in found {
            self.errors += usize::from(diagnostic.is_error());
            if repeated.key(&diagnostic).is_none_or(|key| self.reported.insert(key)) {
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

impl Repeated {
    /// Returns `repeated` in the content of a `dynamic` block, and [`Repeated::No`] elsewhere.
    fn in_body(body: &ScopedBody, repeated: Repeated) -> Repeated {
        if body.is_generated() { repeated } else { Repeated::No }
    }

    fn key(self, diagnostic: &Diagnostic) -> Option<DiagnosticKey> {
        let detail = match self {
            Repeated::No => return None,
            Repeated::SameSpan => None,
            Repeated::SameDetail => Some(diagnostic.detail.clone()),
        };
        let subject = diagnostic.subject.as_ref()?;
        let (id, file) = (diagnostic.id.as_str(), subject.file.version());
        Some(DiagnosticKey { id, file, span: subject.span, detail })
    }
}
