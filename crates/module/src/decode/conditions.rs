//! Decodes conditions with their messages.

use std::sync::Arc;

use terrane_body::Content;
use terrane_eval::references;
use terrane_source::{Diagnostic, ids, titles};
use terrane_syntax::Expr;

use crate::decode::decoder::{Decoder, not_overridable};
use crate::decode::schema;
use crate::model::module::Check;

impl Decoder<'_> {
    /// Returns the `validation`, `precondition`, `postcondition` or `assert` blocks in `content`, which an override file cannot
    /// have.
    pub(crate) fn conditions(&mut self, content: &Content, block_type: &str) -> Vec<Check> {
        if self.overriding {
            self.diagnostics.extend(content.blocks_of(block_type).map(not_overridable));
            return Vec::new();
        }
        let mut checks = Vec::new();
        for block in content.blocks_of(block_type) {
            let inner = block.body.content(schema::condition(), self.diagnostics);
            let (Some(condition), Some(message)) =
                (inner.attribute("condition"), inner.attribute("error_message"))
            else {
                continue;
            };
            let place = (Arc::clone(condition.source()), condition.value_span());
            let condition = condition.expression(self.diagnostics);
            let error_message = message.expression(self.diagnostics);
            // The condition has a syntax error, which is reported, so its references are not known.
            if matches!(condition.tree.expr(condition.id), Expr::Missing) {
                self.removed.extend([condition, error_message]);
                continue;
            }
            if references(&condition).is_empty() {
                let detail = "The condition refers to nothing, so it always has the same result and \
                              checks nothing. Refer to the value to check.";
                self.diagnostics.push(
                    Diagnostic::error(ids::CONSTANT_CONDITION, detail)
                        .titled(titles::invalid_condition(block_type))
                        .at(&place.0, place.1),
                );
                self.removed.extend([condition, error_message]);
                continue;
            }
            checks.push(Check { declaration: block.declaration(), condition, error_message });
        }
        checks
    }
}
