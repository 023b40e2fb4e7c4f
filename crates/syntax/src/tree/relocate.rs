//! Moves a tree from the text of a JSON string to the JSON file.
//!
//! Every span is translated through the [`Excerpt`], so that diagnostics point at the file.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};

use super::{Expr, Literal, Part, Step, Text, Tree};
use crate::excerpt::Excerpt;

impl Tree {
    /// Moves the tree of the text of `excerpt` to the file around it: every span becomes the span of the bytes in the file. The
    /// tree must be an expression or a template, without bodies.
    pub(crate) fn relocate(&mut self, source: &Arc<SourceFile>, excerpt: Excerpt) {
        self.relocate_nodes(&excerpt);
        self.relocate_parts(&excerpt);
        let moved = |span: &mut Span| *span = excerpt.span(*span);
        let moved_offset = |offset: &mut u32| *offset = excerpt.place(*offset);
        for step in &mut self.steps {
            match step {
                Step::Attr { name, dot } | Step::LegacyIndex { digits: name, dot } => {
                    moved(name);
                    moved_offset(dot);
                }
                Step::Index { brackets, .. } => moved(brackets),
            }
        }
        for call in &mut self.calls {
            moved(&mut call.name);
            moved_offset(&mut call.open);
            moved_offset(&mut call.close_end);
        }
        for parts in &mut self.fors {
            parts.key_name.iter_mut().for_each(moved);
            moved(&mut parts.value_name);
        }
        for directive in &mut self.if_directives {
            moved(&mut directive.span);
        }
        for directive in &mut self.for_directives {
            directive.key_name.iter_mut().for_each(moved);
            moved(&mut directive.value_name);
            moved(&mut directive.opening);
            moved(&mut directive.span);
        }
        self.source = Arc::clone(source);
        if !excerpt.is_plain() {
            self.excerpts = vec![excerpt];
        }
    }

    fn relocate_nodes(&mut self, excerpt: &Excerpt) {
        for node in &mut self.nodes {
            node.span = excerpt.span(node.span);
            match &mut node.expr {
                Expr::Traversal { root_end, .. } => *root_end = excerpt.place(*root_end),
                Expr::Literal(Literal::String(text)) => relocate_text(text, excerpt),
                Expr::Missing
                | Expr::Literal(Literal::Null | Literal::Bool(_) | Literal::Number)
                | Expr::Template { .. }
                | Expr::Relative { .. }
                | Expr::Splat { .. }
                | Expr::Item
                | Expr::Call(_)
                | Expr::Conditional { .. }
                | Expr::Binary { .. }
                | Expr::Unary { .. }
                | Expr::Tuple(_)
                | Expr::Object(_)
                | Expr::For(_)
                | Expr::Parens(_) => {}
            }
        }
    }

    fn relocate_parts(&mut self, excerpt: &Excerpt) {
        for part in &mut self.parts {
            match part {
                Part::Literal { text, span } => {
                    relocate_text(text, excerpt);
                    *span = excerpt.span(*span);
                }
                Part::Interpolation { span, .. } => *span = excerpt.span(*span),
                Part::If(_) | Part::For(_) => {}
            }
        }
    }
}

fn relocate_text(text: &mut Text, excerpt: &Excerpt) {
    match text {
        Text::Source(span) => *span = excerpt.span(*span),
        Text::Decoded(_) => {}
    }
}
