//! Diagnostics about the content of one body.

use std::cell::OnceCell;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Span, Title, ids, titles};
use terrane_value::{ClosestNames, SmolStr, leading_article};

use super::items::Content;
use crate::body::Body;
use crate::body_schema::BodySchema;

/// Reports errors in the content of one body.
pub(crate) struct BodyErrors<'b> {
    body: &'b Body,
    closest_names: ClosestNames,
    diagnostics: &'b mut Diagnostics,
}

/// The names that a body may have: the names of a schema, and names that have been read.
pub(crate) struct AllowedNames<'b> {
    pub(crate) body: &'b Body,
    pub(crate) schema: &'b BodySchema,
    /// The content that the schema selects, so that only attributes are suggested that are not set.
    content: &'b Content,
    /// Names of attributes read before that the body does not set.
    unset_before: OnceCell<Vec<&'b SmolStr>>,
}

/// Limit on the names of a schema that are compared with a wrong one.
const MAX_COMPARED: usize = 2000;

/// The span of an error, and of the construct around it.
#[derive(Clone, Copy)]
pub(crate) struct ErrorSpans {
    pub(crate) subject: Span,
    pub(crate) context: Span,
}

impl<'b> AllowedNames<'b> {
    pub(crate) fn new(body: &'b Body, schema: &'b BodySchema, content: &'b Content) -> AllowedNames<'b> {
        AllowedNames { body, schema, content, unset_before: OnceCell::new() }
    }

    pub(crate) fn has_attribute(&self, name: &str) -> bool {
        self.schema.has_attribute(name) || self.body.has_consumed_attribute(name)
    }

    pub(crate) fn has_block(&self, block_type: &str) -> bool {
        self.schema.has_block(block_type) || self.body.has_consumed_block(block_type)
    }

    fn unset_attributes(&self) -> impl Iterator<Item = &str> {
        let names = self.schema.attribute_names().take(MAX_COMPARED);
        let names = names.filter(|name| !self.content.attributes.contains_key(*name));
        let unset_before = self.unset_before.get_or_init(|| {
            let read_before = self.body.consumed().into_iter().flat_map(|consumed| consumed.attributes());
            read_before.filter(|name| !self.body.writes(name)).collect()
        });
        names.chain(unset_before.iter().copied()).map(|name| &**name)
    }

    fn block_types(&self) -> impl Iterator<Item = &str> {
        let read_before = self.body.consumed().into_iter().flat_map(|consumed| consumed.block_types());
        self.schema.block_types().take(MAX_COMPARED).chain(read_before).map(|name| &**name)
    }
}

impl<'b> BodyErrors<'b> {
    pub(crate) fn new(body: &'b Body, diagnostics: &'b mut Diagnostics) -> BodyErrors<'b> {
        BodyErrors { body, closest_names: ClosestNames::default(), diagnostics }
    }

    fn error(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(self.body.source(), span)
    }

    /// Returns the body as the subject of a sentence, if it is the body of a block.
    fn block(&self) -> Option<String> {
        let block_type = self.body.block_type()?;
        Some(format!("{} `{block_type}` block", leading_article(block_type)))
    }

    /// Reports a required attribute that is not set.
    pub(crate) fn missing(&mut self, name: &str) {
        if self.diagnostics.count_unlisted(ids::MISSING_ARGUMENT) {
            return;
        }
        let place = self.body.place().map_or_else(|| "here".to_owned(), |place| format!("in {place}"));
        let detail = format!("The argument \"{name}\" is required {place}, but it is not set.");
        let diagnostic = self.error(ids::MISSING_ARGUMENT, self.body.missing_item_span(), detail);
        self.diagnostics.push(diagnostic);
    }

    /// Reports an attribute that is not allowed.
    pub(crate) fn unsupported_attribute(&mut self, name: &str, span: Span, allowed: &AllowedNames<'_>) {
        if self.diagnostics.count_unlisted(ids::UNSUPPORTED_ARGUMENT) {
            return;
        }
        let mut detail = match self.body.place() {
            Some(place) => format!("There is no argument named \"{name}\" in {place}."),
            None => format!("An argument named \"{name}\" is not expected at the top of a file."),
        };
        if allowed.schema.has_block(name) {
            detail.push_str(&format!(" Did you mean a nested block `{name} {{ … }}`, without `=`?"));
        }
        append(&mut detail, allowed.schema.advice_on_attributes());
        let diagnostic = self.error(ids::UNSUPPORTED_ARGUMENT, span, detail);
        let nearest = self.closest_names.of(name, allowed.unset_attributes());
        self.diagnostics.push(diagnostic.suggest(name, nearest));
    }

    /// Reports a block of a type that is not allowed.
    pub(crate) fn unsupported_block(&mut self, block_type: &str, span: Span, allowed: &AllowedNames<'_>) {
        if self.diagnostics.count_unlisted(ids::UNSUPPORTED_BLOCK) {
            return;
        }
        let mut detail = match self.body.place() {
            Some(place) => format!("There is no nested block of type \"{block_type}\" in {place}."),
            None => format!("Blocks of type \"{block_type}\" are not expected at the top of a file."),
        };
        if allowed.schema.has_attribute(block_type) {
            detail.push_str(&format!(" Did you mean the argument `{block_type} = …`?"));
        }
        append(&mut detail, allowed.schema.advice_on_blocks());
        let diagnostic = self.error(ids::UNSUPPORTED_BLOCK, span, detail);
        let nearest = self.closest_names.of(block_type, allowed.block_types());
        self.diagnostics.push(diagnostic.suggest(block_type, nearest));
    }

    /// Reports a property of a JSON object that is allowed neither as an attribute nor as blocks.
    pub(crate) fn extraneous_property(&mut self, name: &str, spans: ErrorSpans, allowed: &AllowedNames<'_>) {
        if self.diagnostics.count_unlisted(ids::EXTRANEOUS_PROPERTY) {
            return;
        }
        let mut detail = match self.body.place() {
            Some(place) => {
                format!("There is neither an argument nor a nested block named \"{name}\" in {place}.")
            }
            None => format!("No argument or block named \"{name}\" is expected at the top of a file."),
        };
        append(&mut detail, allowed.schema.advice_on_attributes());
        let diagnostic = self.error(ids::EXTRANEOUS_PROPERTY, spans.subject, detail).within(spans.context);
        let names = allowed.unset_attributes().chain(allowed.block_types());
        let nearest = self.closest_names.of(name, names);
        self.diagnostics.push(diagnostic.suggest(name, nearest));
    }

    /// Reports a block in a body that may only have attributes.
    pub(crate) fn unexpected_block(&mut self, block_type: &str, span: Span) {
        let body = self.block().unwrap_or_else(|| "This file".to_owned());
        let detail = format!(
            "{body} takes only arguments, of any name. For a nested structure, write `{block_type} = {{ … }}`."
        );
        let diagnostic = self.error(ids::UNEXPECTED_BLOCK, span, detail);
        self.diagnostics.push(diagnostic.titled(titles::unexpected_block(block_type)));
    }

    /// Reports a block with more labels than `names`.
    pub(crate) fn extraneous_label(&mut self, block_type: &str, names: &[String], spans: ErrorSpans) {
        let labels = match names {
            [] => "no labels".to_owned(),
            [name] => format!("one label (the {name})"),
            [..] => format!("{} labels ({})", names.len(), names.join(", ")),
        };
        let detail =
            format!("{} `{block_type}` block takes {labels}. Remove the rest.", leading_article(block_type));
        let diagnostic = self.error(ids::EXTRANEOUS_LABEL, spans.subject, detail).within(spans.context);
        self.diagnostics.push(diagnostic.titled(titles::extraneous_label(block_type)));
    }

    /// Reports a block without the label `missing`, one of `names`.
    pub(crate) fn missing_label(
        &mut self,
        block_type: &str,
        names: &[String],
        missing: &str,
        spans: ErrorSpans,
    ) {
        let detail = format!(
            "{} `{block_type}` block takes {} before its `{{`: the {missing} is missing.",
            leading_article(block_type),
            if names.len() == 1 { "a label".to_owned() } else { format!("{} labels", names.len()) }
        );
        let diagnostic = self.error(ids::MISSING_LABEL, spans.subject, detail).within(spans.context);
        self.diagnostics.push(diagnostic.titled(titles::missing_label(missing, block_type)));
    }

    /// Reports a JSON value without properties, whose names would be labels.
    pub(crate) fn missing_json_label(&mut self, block_type: &str, label: &str, span: Span) {
        let detail = format!(
            "{} `{block_type}` block needs a label, the {label}. In JSON, it is the name of a property: \
             {{\"{label}\": {{ … }}}}.",
            leading_article(block_type)
        );
        let diagnostic = self.error(ids::MISSING_LABEL, span, detail);
        self.diagnostics.push(diagnostic);
    }

    /// Reports a JSON value of a wrong type.
    pub(crate) fn json_type(&mut self, span: Span, detail: impl Into<String>) {
        let diagnostic = self.error(ids::JSON_TYPE, span, detail);
        self.diagnostics.push(diagnostic);
    }

    /// Reports an attribute that has been set before, at the span `earlier`.
    pub(crate) fn duplicate(&mut self, title: Title, name: &str, earlier: Span, spans: ErrorSpans) {
        let position = self.body.source().position(earlier.start);
        let detail = format!("The argument \"{name}\" is already set at {position}. Remove one of them.");
        let diagnostic = self.error(ids::DUPLICATE_ARGUMENT, spans.subject, detail).within(spans.context);
        self.diagnostics.push(diagnostic.titled(title));
    }
}

fn append(detail: &mut String, advice: Option<&str>) {
    if let Some(advice) = advice {
        detail.push(' ');
        detail.push_str(advice);
    }
}
