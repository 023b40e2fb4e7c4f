//! Invariants of the tokens, tree and diagnostics of every text, valid or invalid.

use terrane_source::{Diagnostic, Span};
use terrane_syntax::tree::{BodyId, Item, List, Part, Step};
use terrane_syntax::walk::Event;
use terrane_syntax::{Expr, ExprId, LexMode, Parsed, Token, TokenKind, Tree, lex};

/// Parses `text` in every way and checks the result.
pub(crate) fn check(source: &std::sync::Arc<terrane_source::SourceFile>) {
    for mode in [LexMode::Normal, LexMode::Template] {
        let lexed = lex(source, mode);
        check_tokens(source.text(), &lexed.tokens);
        check_messages(source.text(), &lexed.diagnostics);
    }
    let body = terrane_syntax::parse_body(source);
    check_parsed(&body);
    check_body(&body);
    for parsed in [terrane_syntax::parse_expr(source), terrane_syntax::parse_template(source)] {
        check_parsed(&parsed);
        check_expr(&parsed.tree, parsed.root, whole(source.text()));
    }
}

fn whole(text: &str) -> Span {
    Span::new(0, u32::try_from(text.len()).unwrap())
}

fn check_parsed<T>(parsed: &Parsed<T>) {
    check_tokens(parsed.tree.source().text(), &parsed.tokens);
    check_messages(parsed.tree.source().text(), &parsed.diagnostics);
}

/// Checks that the tokens are in order and cover everything but white space, and that the last one is the end.
fn check_tokens(text: &str, tokens: &[Token]) {
    let mut position = 0;
    for token in tokens {
        let between = &text[position..token.span().start as usize];
        assert!(between.bytes().all(|byte| b" \t\r\n".contains(&byte)), "{between:?} is in no token");
        position = token.span().end as usize;
    }
    assert_eq!(position, text.len());
    assert_eq!(tokens.iter().filter(|token| token.kind() == TokenKind::End).count(), 1);
    assert_eq!(tokens.last().unwrap().kind(), TokenKind::End);
}

fn check_messages(text: &str, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let subject = diagnostic.subject.as_ref().unwrap().span;
        let labels = diagnostic.labels.iter().map(|label| label.place.span);
        for span in labels.chain([subject]).chain(diagnostic.context) {
            assert!(text.get(span.range()).is_some(), "{span:?} in {diagnostic:?}");
        }
        assert!(diagnostic.detail.ends_with('.'), "{diagnostic:?}");
        assert!(diagnostic.hints.iter().all(|hint| hint.ends_with(['.', '?'])), "{diagnostic:?}");
    }
}

/// Checks that every span is within the span around it, that items follow each other, and that without errors they contain
/// every significant token.
fn check_body(parsed: &Parsed<BodyId>) {
    let tree = &parsed.tree;
    let mut pending = vec![(parsed.root, whole(tree.source().text()))];
    let mut top = None;
    while let Some((body, outer)) = pending.pop() {
        let span = tree.body(body).span;
        assert_within(tree, span, outer);
        let mut items = Vec::new();
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    check_expr(tree, attribute.expr, tree.attribute_span(attribute));
                    items.push(tree.attribute_span(attribute));
                }
                Item::Block(id) => {
                    let block = tree.block(*id);
                    let around = tree.block_span(block);
                    assert_within(tree, tree.header_span(block), around);
                    pending.push((block.body, around));
                    items.push(around);
                }
            }
        }
        check_order(tree, span, &items);
        top.get_or_insert(items);
    }
    if parsed.diagnostics.is_empty() {
        check_cover(tree, &parsed.tokens, &top.unwrap_or_default());
    }
}

fn check_cover(tree: &Tree, tokens: &[Token], items: &[Span]) {
    let mut items = items.iter().copied().peekable();
    for token in tokens {
        if matches!(token.kind(), TokenKind::Newline | TokenKind::Comment | TokenKind::End) {
            continue;
        }
        while items.next_if(|item| item.end <= token.span().start && !token.span().is_empty()).is_some() {}
        let item = items.peek().copied().unwrap_or_default();
        assert!(
            item.start <= token.span().start && token.span().end <= item.end,
            "{token:?} {:?} is in no item",
            tree.slice(token.span())
        );
    }
}

fn check_order(tree: &Tree, outer: Span, spans: &[Span]) {
    for span in spans {
        assert_within(tree, *span, outer);
    }
    for (earlier, later) in spans.iter().zip(spans.iter().skip(1)) {
        assert!(earlier.end <= later.start, "{earlier:?} and {later:?} overlap");
    }
}

#[track_caller]
fn assert_within(tree: &Tree, inner: Span, outer: Span) {
    assert!(
        outer.start <= inner.start && inner.end <= outer.end,
        "{inner:?} {:?} is not within {outer:?} {:?}",
        tree.slice(inner),
        tree.slice(outer)
    );
    assert!(tree.source().text().get(inner.range()).is_some(), "{inner:?} cuts a character");
}

fn check_expr(tree: &Tree, root: ExprId, outer: Span) {
    let mut pending = vec![(root, outer)];
    while let Some((id, outer)) = pending.pop() {
        let span = tree.span(id);
        assert_within(tree, span, outer);
        check_own_parts(tree, id, span);
        tree.walk(id, &mut |event| match event {
            Event::Expr(child) => pending.push((child, span)),
            Event::Bind(names) => {
                assert_within(tree, names.value, span);
                assert_within(tree, names.key.unwrap_or(names.value), span);
            }
            Event::Unbind => {}
        });
    }
}

/// Checks the parts of an expression that are not expressions.
fn check_own_parts(tree: &Tree, id: ExprId, span: Span) {
    match tree.expr(id) {
        Expr::Template { parts, .. } => check_template_parts(tree, parts, span),
        Expr::Traversal { root_end, steps } => {
            let steps: Vec<Span> = tree.list(steps).iter().copied().map(Step::span).collect();
            check_order(tree, Span::new(root_end, span.end), &steps);
        }
        Expr::Relative { source, steps } => {
            let steps: Vec<Span> = tree.list(steps).iter().copied().map(Step::span).collect();
            check_order(tree, Span::new(tree.span(source).end, span.end), &steps);
        }
        Expr::Call(call) => {
            let call = tree.call(call);
            assert_within(tree, call.name, span);
            assert_eq!(call.close_end, span.end);
            check_children(tree, span, tree.list(call.arguments));
        }
        Expr::Tuple(elements) => check_children(tree, span, tree.list(elements)),
        Expr::Object(items) => {
            let parts: Vec<ExprId> =
                tree.list(items).iter().flat_map(|item| [item.key, item.value]).collect();
            check_children(tree, span, &parts);
        }
        Expr::Missing
        | Expr::Literal(_)
        | Expr::Splat { .. }
        | Expr::Item
        | Expr::Conditional { .. }
        | Expr::Binary { .. }
        | Expr::Unary { .. }
        | Expr::For(_)
        | Expr::Parens(_) => {}
    }
}

fn check_children(tree: &Tree, outer: Span, children: &[ExprId]) {
    let spans: Vec<Span> = children.iter().map(|child| tree.span(*child)).collect();
    check_order(tree, outer, &spans);
}

fn check_template_parts(tree: &Tree, parts: List<Part>, outer: Span) {
    let mut spans = Vec::new();
    for part in tree.list(parts) {
        spans.push(match part {
            Part::Literal { text, span } => {
                assert!(tree.text(*text).len() <= tree.source().text().len() * 2);
                *span
            }
            Part::Interpolation { span, .. } => *span,
            Part::If(id) => {
                let directive = tree.if_directive(*id);
                check_template_parts(tree, directive.yes, directive.span);
                check_template_parts(tree, directive.no, directive.span);
                directive.span
            }
            Part::For(id) => {
                let directive = tree.for_directive(*id);
                check_template_parts(tree, directive.body, directive.span);
                directive.span
            }
        });
    }
    check_order(tree, outer, &spans);
}
