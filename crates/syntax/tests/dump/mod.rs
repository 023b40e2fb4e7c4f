//! Writes a tree as indented text, for comparison with the expected text.

use std::fmt::Write as _;

use terrane_source::{Diagnostic, Span};
use terrane_syntax::tree::{BodyId, Item, List, Literal, Part, Step, Text};
use terrane_syntax::{Expr, ExprId, Tree};

pub(crate) fn body(tree: &Tree, body: BodyId) -> String {
    let mut dump = Dump { tree, out: String::new(), depth: 0 };
    dump.body(body);
    dump.out
}

/// Returns one line for each diagnostic: place, text and hints.
pub(crate) fn diagnostics(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let span = diagnostic.subject.as_ref().map(|subject| subject.span).unwrap_or_default();
        writeln!(out, "{span:?} {}: {}", diagnostic.title(), diagnostic.detail).unwrap();
        for label in &diagnostic.labels {
            writeln!(out, "  {:?} {}", label.place.span, label.text).unwrap();
        }
        for hint in &diagnostic.hints {
            writeln!(out, "  {hint}").unwrap();
        }
    }
    out
}

struct Dump<'a> {
    tree: &'a Tree,
    out: String,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: &str, span: Span) {
        writeln!(self.out, "{:indent$}{text} {span:?}", "", indent = self.depth * 2).unwrap();
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn body(&mut self, id: BodyId) {
        let tree = self.tree;
        let body = tree.body(id);
        self.line("body", body.span);
        self.nested(|dump| {
            for item in tree.list(body.items) {
                match item {
                    Item::Attribute(id) => {
                        let attribute = tree.attribute(*id);
                        dump.line(
                            &format!("attribute {}", tree.name(attribute)),
                            tree.attribute_span(attribute),
                        );
                        dump.nested(|dump| {
                            dump.expr(attribute.expr);
                            if let Some(read) = tree.partial(attribute.expr) {
                                dump.nested(|dump| dump.expr(read));
                            }
                        });
                    }
                    Item::Block(id) => {
                        let block = tree.block(*id);
                        let mut header = format!("block {}", tree.block_type(block));
                        for label in tree.labels(block) {
                            write!(header, " {label:?}").unwrap();
                        }
                        dump.line(&header, tree.block_span(block));
                        dump.nested(|dump| dump.body(block.body));
                    }
                }
            }
        });
    }

    fn expr(&mut self, id: ExprId) {
        let (tree, span) = (self.tree, self.tree.span(id));
        let name = match tree.expr(id) {
            Expr::Missing => "missing".to_owned(),
            Expr::Literal(Literal::String(text)) => format!("string {}", self.text(text)),
            Expr::Literal(Literal::Null | Literal::Bool(_) | Literal::Number) => tree.slice(span).to_owned(),
            Expr::Template { form, .. } => format!("template {form:?}"),
            Expr::Traversal { .. } => format!("traversal {}", tree.root_name(id).unwrap_or_default()),
            Expr::Relative { .. } => "relative".to_owned(),
            Expr::Splat { full, .. } => format!("splat {}", if full { "[*]" } else { ".*" }),
            Expr::Item => "item".to_owned(),
            Expr::Call(call) => {
                let call = tree.call(call);
                let expand = if call.expand_last { " ..." } else { "" };
                format!("call {}{expand}", tree.function_name(call))
            }
            Expr::Conditional { .. } => "conditional".to_owned(),
            Expr::Binary { op, .. } => format!("binary {op:?}"),
            Expr::Unary { op, .. } => format!("unary {op:?}"),
            Expr::Tuple(_) => "tuple".to_owned(),
            Expr::Object(_) => "object".to_owned(),
            Expr::For(id) => {
                let parts = tree.for_expr(id);
                let key = parts.key_name.map(|key| format!("{}, ", tree.slice(key))).unwrap_or_default();
                let group = if parts.group { " group" } else { "" };
                format!("for {key}{}{group}", tree.slice(parts.value_name))
            }
            Expr::Parens(_) => "parens".to_owned(),
        };
        self.line(&name, span);
        self.nested(|dump| dump.children(id));
    }

    /// Writes the parts of an expression that the walk over children does not visit.
    fn children(&mut self, id: ExprId) {
        let tree = self.tree;
        match tree.expr(id) {
            Expr::Template { parts, .. } => self.parts(parts),
            Expr::Traversal { steps, .. } => self.steps(steps),
            Expr::Relative { source, steps } => {
                self.expr(source);
                self.steps(steps);
            }
            Expr::Object(items) => {
                for item in tree.list(items) {
                    self.line("item", tree.span(item.key).to(tree.span(item.value)));
                    self.nested(|dump| {
                        dump.expr(item.key);
                        dump.expr(item.value);
                    });
                }
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::For(_)
            | Expr::Parens(_) => {
                let mut children = Vec::new();
                tree.walk(id, &mut |event| {
                    if let terrane_syntax::walk::Event::Expr(child) = event {
                        children.push(child);
                    }
                });
                for child in children {
                    self.expr(child);
                }
            }
        }
    }

    fn steps(&mut self, steps: List<Step>) {
        for step in self.tree.list(steps) {
            match step {
                Step::Attr { name, .. } => self.line(&format!(".{}", self.tree.slice(*name)), step.span()),
                Step::LegacyIndex { digits, .. } => {
                    self.line(&format!("legacy .{}", self.tree.slice(*digits)), step.span());
                }
                Step::Index { key, .. } => {
                    self.line("index", step.span());
                    self.nested(|dump| dump.expr(*key));
                }
            }
        }
    }

    fn parts(&mut self, parts: List<Part>) {
        let tree = self.tree;
        for part in tree.list(parts) {
            match part {
                Part::Literal { text, span } => self.line(&format!("text {}", self.text(*text)), *span),
                Part::Interpolation { expr, span } => {
                    self.line("interpolation", *span);
                    self.nested(|dump| dump.expr(*expr));
                }
                Part::If(id) => {
                    let directive = tree.if_directive(*id);
                    self.line("if", directive.span);
                    self.nested(|dump| {
                        dump.expr(directive.condition);
                        dump.parts(directive.yes);
                    });
                    if !directive.no.is_empty() {
                        self.line("else", directive.span);
                        self.nested(|dump| dump.parts(directive.no));
                    }
                }
                Part::For(id) => {
                    let directive = tree.for_directive(*id);
                    let key =
                        directive.key_name.map(|key| format!("{}, ", tree.slice(key))).unwrap_or_default();
                    self.line(&format!("for {key}{}", tree.slice(directive.value_name)), directive.span);
                    self.nested(|dump| {
                        dump.expr(directive.collection);
                        dump.parts(directive.body);
                    });
                }
            }
        }
    }

    /// Returns text, with a mark if it differs from the source.
    fn text(&self, text: Text) -> String {
        let mark = match text {
            Text::Source(_) => "",
            Text::Decoded(_) => " (decoded)",
        };
        format!("{:?}{mark}", self.tree.text(text))
    }
}
