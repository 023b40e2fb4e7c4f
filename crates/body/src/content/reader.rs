//! The state of reading one body: the content found so far, and its errors.

use terrane_source::Diagnostics;

use super::errors::BodyErrors;
use super::items::Content;
use crate::body::Body;

/// Collects the content of one body.
pub(crate) struct ContentReader<'b> {
    /// The body, which has the names that were read before.
    pub(crate) body: &'b Body,
    pub(crate) content: &'b mut Content,
    pub(crate) errors: BodyErrors<'b>,
}

impl<'b> ContentReader<'b> {
    pub(crate) fn new(
        body: &'b Body,
        content: &'b mut Content,
        diagnostics: &'b mut Diagnostics,
    ) -> ContentReader<'b> {
        ContentReader { body, content, errors: BodyErrors::new(body, diagnostics) }
    }
}
