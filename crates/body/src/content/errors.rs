use std::sync::Arc;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, SourceFile, Span, ids};
use terrane_value::{SmolStr, closest_name};

use super::Content;
use crate::body::{Body, Taken};
use crate::body_schema::BodySchema;

/// The messages about one body.
pub(crate) struct Mistakes<'d> {
    source: Arc<SourceFile>,
    /// The type of the block whose body it is.
    owner: Option<SmolStr>,
    missing_item: Span,
    /// What was read of the body before.
    taken: Option<Arc<Taken>>,
    diagnostics: &'d mut Diagnostics,
}

impl<'d> Mistakes<'d> {
    pub(crate) fn new(body: &Body, diagnostics: &'d mut Diagnostics) -> Mistakes<'d> {
        Mistakes {
            source: Arc::clone(body.source()),
            owner: body.block_type.clone(),
            missing_item: body.missing_item_span(),
            taken: body.taken.clone(),
            diagnostics,
        }
    }

    fn error(&self, id: DiagnosticId, span: Span, detail: impl Into<String>) -> Diagnostic {
        Diagnostic::error(id, detail).at(&self.source, span)
    }

    /// The attributes that may be here and are not.
    fn unused<'n>(&'n self, schema: &'n BodySchema, content: &'n Content) -> impl Iterator<Item = &'n str> {
        let named = schema.attribute_names().filter(|known| !content.attributes.contains_key(*known));
        let read_before = self.taken.iter().flat_map(|taken| &taken.unset);
        named.chain(read_before).map(|known| &**known)
    }

    /// The types of blocks that may be here.
    fn block_types<'n>(&'n self, schema: &'n BodySchema) -> impl Iterator<Item = &'n str> {
        let read_before = self.taken.iter().flat_map(|taken| &taken.blocks);
        schema.block_types().chain(read_before).map(|known| &**known)
    }

    /// An attribute that must be there is not.
    pub(crate) fn missing(&mut self, name: &str) {
        let detail = format!("The argument \"{name}\" is required here, but it is not set.");
        let diagnostic = self.error(ids::MISSING_ARGUMENT, self.missing_item, detail);
        self.diagnostics.push(diagnostic);
    }

    /// An attribute that the schema does not have.
    pub(crate) fn unsupported_attribute(
        &mut self,
        name: &str,
        span: Span,
        schema: &BodySchema,
        content: &Content,
    ) {
        let mut detail = match &self.owner {
            Some(owner) => format!("{} `{owner}` block has no argument named \"{name}\".", article(owner)),
            None => format!("An argument named \"{name}\" is not expected at the top of a file."),
        };
        let nearest = closest_name(name, self.unused(schema, content));
        if schema.find_block(name).is_some() {
            detail.push_str(&format!(" Did you mean a nested block `{name} {{ … }}`, without `=`?"));
        }
        append(&mut detail, schema.advice().0);
        let diagnostic = self.error(ids::UNSUPPORTED_ARGUMENT, span, detail);
        self.diagnostics.push(with_nearest(diagnostic, nearest));
    }

    /// A block of a type that the schema does not have.
    pub(crate) fn unsupported_block(&mut self, block_type: &str, span: Span, schema: &BodySchema) {
        let mut detail = match &self.owner {
            Some(owner) => {
                format!("{} `{owner}` block has no nested block of type \"{block_type}\".", article(owner))
            }
            None => format!("Blocks of type \"{block_type}\" are not expected at the top of a file."),
        };
        let nearest = closest_name(block_type, self.block_types(schema));
        if schema.find_attribute(block_type).is_some() {
            detail.push_str(&format!(" Did you mean the argument `{block_type} = …`?"));
        }
        append(&mut detail, schema.advice().1);
        let diagnostic = self.error(ids::UNSUPPORTED_BLOCK, span, detail);
        self.diagnostics.push(with_nearest(diagnostic, nearest));
    }

    /// A property of a JSON object that is neither an attribute nor a block of the schema.
    pub(crate) fn extraneous_property(
        &mut self,
        name: &str,
        (name_span, span): (Span, Span),
        schema: &BodySchema,
        content: &Content,
    ) {
        let mut detail = match &self.owner {
            Some(owner) => {
                format!(
                    "{} `{owner}` block has neither an argument nor a nested block named \"{name}\".",
                    article(owner)
                )
            }
            None => format!("No argument or block named \"{name}\" is expected at the top of a file."),
        };
        append(&mut detail, schema.advice().0);
        let nearest = closest_name(name, self.unused(schema, content).chain(self.block_types(schema)));
        let diagnostic = self.error(ids::EXTRANEOUS_PROPERTY, name_span, detail).within(span);
        self.diagnostics.push(with_nearest(diagnostic, nearest));
    }

    /// A block where there may only be attributes.
    pub(crate) fn unexpected_block(&mut self, block_type: &str, span: Span) {
        let place = match &self.owner {
            Some(owner) => format!("{} `{owner}` block", article(owner)),
            None => "This file".to_owned(),
        };
        let detail = format!(
            "{place} takes only arguments, of any name. For a nested structure, write `{block_type} = {{ … }}`."
        );
        let diagnostic = self.error(ids::UNEXPECTED_BLOCK, span, detail);
        self.diagnostics.push(diagnostic.titled(format!("Unexpected \"{block_type}\" block")));
    }

    /// A block with a label too many.
    pub(crate) fn extraneous_label(
        &mut self,
        block_type: &str,
        names: &[String],
        (label, context): (Span, Span),
    ) {
        let wanted = match names {
            [] => "no labels".to_owned(),
            [name] => format!("one label (the {name})"),
            [..] => format!("{} labels ({})", names.len(), names.join(", ")),
        };
        let detail = format!("{} `{block_type}` block takes {wanted}. Remove the rest.", article(block_type));
        let diagnostic = self.error(ids::EXTRANEOUS_LABEL, label, detail).within(context);
        self.diagnostics.push(diagnostic.titled(format!("Extraneous label for {block_type}")));
    }

    /// A block without one of its labels.
    pub(crate) fn missing_label(
        &mut self,
        block_type: &str,
        names: &[String],
        missing: &str,
        (brace, context): (Span, Span),
    ) {
        let detail = format!(
            "{} `{block_type}` block takes {} before its `{{`: the {missing} is missing.",
            article(block_type),
            if names.len() == 1 { "a label".to_owned() } else { format!("{} labels", names.len()) }
        );
        let diagnostic = self.error(ids::MISSING_LABEL, brace, detail).within(context);
        self.diagnostics.push(diagnostic.titled(format!("Missing {missing} for {block_type}")));
    }

    /// A JSON value without the properties that would be labels.
    pub(crate) fn missing_json_label(&mut self, block_type: &str, label: &str, span: Span) {
        let detail = format!(
            "{} `{block_type}` block has a label, the {label}, which JSON writes as the name of a property: \
             {{\"{label}\": {{ … }}}}. There is none here.",
            article(block_type)
        );
        let diagnostic = self.error(ids::MISSING_LABEL, span, detail);
        self.diagnostics.push(diagnostic);
    }

    /// A JSON value that has not the type it needs.
    pub(crate) fn json_type(&mut self, span: Span, detail: impl Into<String>) {
        let diagnostic = self.error(ids::JSON_TYPE, span, detail);
        self.diagnostics.push(diagnostic);
    }

    /// A second property of the same name, where it is an attribute.
    pub(crate) fn duplicate(&mut self, title: &str, name: &str, earlier: Span, (again, span): (Span, Span)) {
        let place = self.source.lines().line_column(self.source.text(), earlier.start);
        let detail = format!(
            "The argument \"{name}\" is already set at {}:{}:{}. Remove one of them.",
            self.source.id(),
            place.line,
            place.column
        );
        let diagnostic = self.error(ids::DUPLICATE_ARGUMENT, again, detail).within(span);
        self.diagnostics.push(diagnostic.titled(title));
    }
}

/// The article before a name, at the beginning of a sentence.
fn article(name: &str) -> &'static str {
    if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" }
}

fn append(detail: &mut String, advice: Option<&str>) {
    if let Some(advice) = advice {
        detail.push(' ');
        detail.push_str(advice);
    }
}

fn with_nearest(diagnostic: Diagnostic, nearest: Option<&str>) -> Diagnostic {
    match nearest {
        Some(nearest) => diagnostic.hint(format!("Did you mean \"{nearest}\"?")),
        None => diagnostic,
    }
}
