use std::fmt::Write as _;

use terrane_source::{Span, ids};
use terrane_syntax::ExprId;
use terrane_syntax::tree::{ForDirectiveId, IfDirectiveId, List, Part};
use terrane_value::{Marks, Number, Origins, Type, Value, ValueKind, convert};

use crate::rules::conditional::ConditionalSpans;
use crate::rules::evaluator::Evaluator;
use crate::rules::for_expr::{ForBody, ForHead};

/// The reference keeps no longer beginning of a string that is partly unknown, in bytes.
const LONGEST_PREFIX: usize = 128;

/// As how many levels of nesting a directive counts: it takes about as much of the stack as two expressions.
const LEVELS_OF_DIRECTIVE: usize = 2;

/// Room for the text of most templates.
const USUAL_LENGTH: usize = 48;

impl Evaluator<'_> {
    /// A template. One that is nothing but an interpolation has the value of that, of whatever type.
    pub(crate) fn template(&mut self, id: ExprId, parts: List<Part>) -> Value {
        let parts = self.tree.list(parts);
        if let [Part::Interpolation { expr, .. }] = parts {
            return self.eval(*expr);
        }
        self.text(parts, self.tree.span(id))
    }

    /// The text of `parts`, which are within `whole`.
    fn text(&mut self, parts: &[Part], whole: Span) -> Value {
        let mark = self.diagnostics.len();
        let mut text = Text::new(self.text.take());
        self.count_work(parts.len());
        for part in parts {
            self.part(part, whole, mark, &mut text);
            if text.known.len() > self.limits.bytes {
                return self.too_long(whole);
            }
        }
        if !self.limits.allow(&text.known) {
            return self.too_long(whole);
        }
        let value = text.value(!self.has_errors_since(mark));
        self.text.set(text.known);
        value
    }

    #[cold]
    fn too_long(&mut self, whole: Span) -> Value {
        let (most, other) = (self.limits.bytes, self.limits.text_of_call());
        let detail =
            format!("A string must not be longer than {most} bytes, or {other} where it is not ASCII.");
        self.stop(ids::LIMIT_EXCEEDED, whole, detail);
        Value::error()
    }

    fn part(&mut self, part: &Part, whole: Span, mark: usize, text: &mut Text) {
        let (value, span) = match part {
            Part::Literal { text: literal, .. } => {
                if text.is_known && !self.has_errors_since(mark) {
                    text.known.push_str(self.tree.text(*literal));
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
        if text.is_known && !self.has_errors_since(mark) && push_plain(&mut text.known, &value) {
            return;
        }
        if value.is_null() {
            let detail =
                "The value is null, which cannot be written as text. Use `coalesce` to give a default.";
            let diagnostic = self.diagnostic(ids::INVALID_TEMPLATE_VALUE, span, detail);
            self.diagnostics.push(diagnostic.within(whole));
            return;
        }
        text.marks = text.marks.union(value.marks());
        if !value.is_known() {
            text.is_known = false;
            text.origins = text.origins.union(value.origins());
            return;
        }
        if text.is_known && !self.has_errors_since(mark) && push_plain(&mut text.known, value.unmarked()) {
            return;
        }
        self.count_numbers(&value);
        match convert(value.unmarked(), &Type::String) {
            Ok(written) if text.is_known && !self.has_errors_since(mark) => {
                text.known.push_str(written.as_str().unwrap_or_default());
            }
            Ok(_) => {}
            Err(error) => {
                let detail = format!("The value cannot be written as text: {}.", error.message);
                let diagnostic = self.diagnostic(ids::INVALID_TEMPLATE_VALUE, span, detail);
                self.diagnostics.push(diagnostic.within(whole));
            }
        }
    }

    /// Whether a directive may be evaluated: it counts as deeper by [`LEVELS_OF_DIRECTIVE`] then, until it is done.
    fn enters_directive(&mut self, at: ExprId) -> bool {
        self.depth += LEVELS_OF_DIRECTIVE;
        let may_go_on = !self.is_stopped() && self.may_go_on(at);
        if !may_go_on {
            self.depth -= LEVELS_OF_DIRECTIVE;
        }
        may_go_on
    }

    fn if_directive(&mut self, id: IfDirectiveId) -> Value {
        let directive = *self.tree.if_directive(id);
        if !self.enters_directive(directive.condition) {
            return Value::error();
        }
        let (yes, no) = (self.tree.list(directive.yes), self.tree.list(directive.no));
        let spans = ConditionalSpans {
            whole: directive.span,
            condition: directive.condition,
            yes: directive.span,
            no: directive.span,
        };
        let value =
            self.choose(spans, &mut |this| this.text(yes, spans.yes), &mut |this| this.text(no, spans.no));
        self.depth -= LEVELS_OF_DIRECTIVE;
        value
    }

    /// `%{for}`: the texts of all elements, one after the other.
    fn for_directive(&mut self, id: ForDirectiveId) -> Value {
        let directive = *self.tree.for_directive(id);
        if !self.enters_directive(directive.collection) {
            return Value::error();
        }
        let body = self.tree.list(directive.body);
        let head = ForHead {
            key_name: directive.key_name,
            value_name: directive.value_name,
            collection: directive.collection,
            condition: None,
            body: ForBody::Text(directive.body),
            span: directive.span,
        };
        let texts = self.for_tuple(&head, |this| this.text(body, directive.span));
        self.depth -= LEVELS_OF_DIRECTIVE;
        let unknown =
            |origins: &Origins, marks| Value::unknown_from(Type::String, origins.clone()).with_marks(marks);
        if !texts.is_known() {
            // The reference loses the marks here.
            return unknown(texts.origins(), &Marks::NONE);
        }
        let mut text = Text { marks: texts.marks().clone(), ..Text::new(String::new()) };
        for part in texts.as_sequence().unwrap_or_default() {
            if !part.is_known() {
                return unknown(part.origins(), texts.marks());
            }
            text.marks = text.marks.union(part.marks());
            text.known.push_str(part.as_str().unwrap_or_default());
        }
        Value::string(text.known).with_marks(&text.marks)
    }
}

/// A text that is put together.
struct Text {
    /// The text before the first unknown part.
    known: String,
    is_known: bool,
    origins: Origins,
    marks: Marks,
}

impl Text {
    /// An empty text, put together in `room`.
    fn new(mut room: String) -> Text {
        room.clear();
        room.reserve(USUAL_LENGTH);
        Text { known: room, is_known: true, origins: Origins::NONE, marks: Marks::NONE }
    }

    /// The string. Where a part had a mistake, nothing is known of it.
    fn value(&self, sound: bool) -> Value {
        let unknown = |origins| Value::unknown_from(Type::String, origins).not_null();
        let text = match (sound, self.is_known) {
            (true, true) => Value::from(self.known.as_str()),
            (true, false) => unknown(self.origins.clone()).with_prefix(beginning(&self.known)),
            (false, _) => unknown(self.origins.union(&Origins::error())),
        };
        text.with_marks(&self.marks)
    }
}

/// Adds the text of a known value without marks; false where it cannot be written as text, or where that takes long.
#[inline]
pub(crate) fn push_plain(text: &mut String, value: &Value) -> bool {
    match value.kind() {
        ValueKind::String(value) => text.push_str(value),
        ValueKind::Bool(value) => text.push_str(if value { "true" } else { "false" }),
        ValueKind::Number(number) => return push_number(text, number),
        ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Tuple(_)
        | ValueKind::Object(_)
        | ValueKind::Null(_)
        | ValueKind::Unknown(_)
        | ValueKind::Marked(..) => return false,
    }
    true
}

/// Adds the text of a number, where it has one that is soon written. Most are small and whole.
fn push_number(text: &mut String, number: &Number) -> bool {
    match number.as_small() {
        Some(small) => text.push_str(itoa::Buffer::new().format(small.value())),
        None if number.has_decimal_text() && number.work_to_write() == 0 => {
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        }
        None => return false,
    }
    true
}

/// As much of `text` as the reference keeps.
fn beginning(text: &str) -> &str {
    let mut end = LONGEST_PREFIX.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
