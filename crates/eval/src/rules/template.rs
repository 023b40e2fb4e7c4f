//! Templates: text with `${…}` and `%{…}`.

use terrane_source::{Span, ids};
use terrane_syntax::ExprId;
use terrane_syntax::tree::{ForDirectiveId, IfDirectiveId, List, Part};
use terrane_value::{Marks, Origins, Type, Value, convert};

use crate::functions::work::work_of_text;
use crate::plain::for_parts::{ForBody, ForParts};
use crate::plain::text::push_plain;
use crate::rules::conditional::ConditionalParts;
use crate::rules::evaluator::Evaluator;
use crate::state::budget::Exceeded;

/// Limit, in bytes, on the prefix that the reference keeps of a partly unknown string.
const LONGEST_PREFIX: usize = 128;

/// The levels of nesting that a directive counts for: it takes about as much of the stack as two expressions.
const LEVELS_OF_DIRECTIVE: usize = 2;

/// The initial capacity, enough for most templates.
const USUAL_LENGTH: usize = 48;

impl Evaluator<'_> {
    /// Evaluates a template. A template that is a single interpolation has the value of that
    /// interpolation, of any type.
    pub(crate) fn template(&mut self, id: ExprId, parts: List<Part>) -> Value {
        let parts = self.tree.list(parts);
        if let [Part::Interpolation { expr, .. }] = parts {
            return self.eval(*expr);
        }
        self.text(parts, self.tree.span(id))
    }

    /// Returns the text of `parts`, which are inside `whole`.
    fn text(&mut self, parts: &[Part], whole: Span) -> Value {
        let (mark, before) = (self.report.mark(), self.budget.memory_mark());
        let mut text = Text::new(std::mem::take(&mut self.text));
        self.budget.work(parts.len() as u64);
        for part in parts {
            self.part(part, whole, mark, &mut text);
            if text.buffer.len() > self.budget.limits.bytes {
                return self.too_long(whole);
            }
        }
        if !self.budget.limits.allow(&text.buffer) {
            return self.too_long(whole);
        }
        self.budget.work(work_of_text(&text.buffer) as u64);
        // The values of the parts no longer exist.
        self.budget.release(usize::MAX, before);
        let value = text.value(!self.report.has_errors_since(mark));
        self.text = text.buffer;
        value
    }

    #[cold]
    fn too_long(&mut self, whole: Span) -> Value {
        self.stop(Exceeded::text(self.budget.limits), whole);
        Value::error()
    }

    fn part(&mut self, part: &Part, whole: Span, mark: usize, text: &mut Text) {
        let (value, span) = match part {
            Part::Literal { text: literal, .. } => {
                if text.is_known && !self.report.has_errors_since(mark) {
                    text.buffer.push_str(self.tree.text(*literal));
                }
                return;
            }
            Part::Interpolation { expr, .. } => (self.eval(*expr), self.tree.span(*expr)),
            Part::If(directive) => (self.if_directive(*directive), self.tree.if_directive(*directive).span),
            Part::For(directive) => {
                (self.for_directive(*directive), self.tree.for_directive(*directive).span)
            }
        };
        // Most values are plain.
        if text.is_known && !self.report.has_errors_since(mark) && push_plain(&mut text.buffer, &value) {
            return;
        }
        if value.is_null() {
            let detail =
                "The value is null, which cannot be written as text. Use `coalesce` to give a default.";
            self.report.error_within(whole, ids::INVALID_TEMPLATE_VALUE, span, detail);
            return;
        }
        text.marks = text.marks.union(value.marks());
        if !value.is_known() {
            text.is_known = false;
            text.origins = text.origins.union(value.origins());
            return;
        }
        if text.is_known
            && !self.report.has_errors_since(mark)
            && push_plain(&mut text.buffer, value.unmarked())
        {
            return;
        }
        self.budget.work_of_number(&value);
        match convert(value.unmarked(), &Type::String) {
            Ok(written) if text.is_known && !self.report.has_errors_since(mark) => {
                text.buffer.push_str(written.as_str().unwrap_or_default());
            }
            Ok(_) => {}
            Err(error) => {
                let detail = format!("The value cannot be written as text: {}.", error.message);
                self.report.error_within(whole, ids::INVALID_TEMPLATE_VALUE, span, detail);
            }
        }
    }

    /// Counts a step and the nesting of a directive. Returns false if a limit is exceeded.
    fn enter_directive(&mut self, at: ExprId) -> bool {
        self.budget.depth += LEVELS_OF_DIRECTIVE;
        let may_go_on = !self.budget.is_stopped() && self.step(at);
        if !may_go_on {
            self.budget.depth -= LEVELS_OF_DIRECTIVE;
        }
        may_go_on
    }

    fn if_directive(&mut self, id: IfDirectiveId) -> Value {
        let directive = *self.tree.if_directive(id);
        if !self.enter_directive(directive.condition) {
            return Value::error();
        }
        let (yes, no) = (self.tree.list(directive.yes), self.tree.list(directive.no));
        let spans = ConditionalParts {
            whole: directive.span,
            condition: directive.condition,
            yes: directive.span,
            no: directive.span,
        };
        let value =
            self.choose(spans, &mut |this| this.text(yes, spans.yes), &mut |this| this.text(no, spans.no));
        self.budget.depth -= LEVELS_OF_DIRECTIVE;
        value
    }

    /// Evaluates `%{for}`: the texts of all elements, joined.
    fn for_directive(&mut self, id: ForDirectiveId) -> Value {
        let directive = *self.tree.for_directive(id);
        if !self.enter_directive(directive.collection) {
            return Value::error();
        }
        let body = self.tree.list(directive.body);
        let parts = ForParts {
            key_name: directive.key_name,
            value_name: directive.value_name,
            collection: directive.collection,
            condition: None,
            body: ForBody::Text(directive.body),
            span: directive.span,
        };
        let texts = self.for_tuple(&parts, |this| this.text(body, directive.span));
        self.budget.depth -= LEVELS_OF_DIRECTIVE;
        let unknown =
            |origins: &Origins, marks| Value::unknown_from(Type::String, origins.clone()).with_marks(marks);
        if !texts.is_known() {
            // The reference drops the marks here.
            return unknown(texts.origins(), &Marks::NONE);
        }
        let mut text = Text { marks: texts.marks().clone(), ..Text::new(String::new()) };
        for part in texts.as_sequence().unwrap_or_default() {
            if !part.is_known() {
                return unknown(part.origins(), texts.marks());
            }
            text.marks = text.marks.union(part.marks());
            text.buffer.push_str(part.as_str().unwrap_or_default());
        }
        Value::string(text.buffer).with_marks(&text.marks)
    }
}

/// A text under construction.
struct Text {
    /// The text before the first unknown part.
    buffer: String,
    is_known: bool,
    origins: Origins,
    marks: Marks,
}

impl Text {
    /// Returns an empty text that is written to `buffer`.
    fn new(mut buffer: String) -> Text {
        buffer.clear();
        buffer.reserve(USUAL_LENGTH);
        Text { buffer, is_known: true, origins: Origins::NONE, marks: Marks::NONE }
    }

    /// Returns the string; unknown if a part had an error.
    fn value(&self, sound: bool) -> Value {
        let unknown = |origins| Value::unknown_from(Type::String, origins).not_null();
        let text = match (sound, self.is_known) {
            (true, true) => Value::from(self.buffer.as_str()),
            (true, false) => unknown(self.origins.clone()).with_prefix(beginning(&self.buffer)),
            (false, _) => unknown(self.origins.union(&Origins::error())),
        };
        text.with_marks(&self.marks)
    }
}

/// Returns the prefix of `text` that the reference keeps.
fn beginning(text: &str) -> &str {
    let mut end = LONGEST_PREFIX.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
