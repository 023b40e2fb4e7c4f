//! The request for a template, with the limits on its text.

use terrane_body::SourceReader;

use crate::model::request::TemplateRequest;

/// The request for a template, and the limits on its text and defaults.
#[derive(Clone, Copy)]
pub(crate) struct TemplateReader<'r> {
    pub(crate) request: &'r TemplateRequest,
    pub(crate) sources: &'r SourceReader<'r>,
}
