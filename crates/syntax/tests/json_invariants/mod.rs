//! Invariants of the JSON tree and diagnostics of every text, valid or invalid.

use std::sync::Arc;

use terrane_source::{Diagnostic, SourceFile, Span};
use terrane_syntax::json::{Tree, Value, parse_string_expr, parse_string_template};
use terrane_syntax::walk::Event;
use terrane_syntax::{ExprId, Parsed, parse_json};

pub(crate) fn check(source: &Arc<SourceFile>) {
    let document = parse_json(source);
    check_messages(source, &document.diagnostics);
    let tree = &document.tree;
    let whole = Span::new(0, u32::try_from(source.text().len()).unwrap());
    let mut pending = vec![(document.root, whole)];
    let mut count = 0;
    while let Some((id, outer)) = pending.pop() {
        count += 1;
        let span = tree.span(id);
        assert_within(source, span, outer);
        assert_within(source, tree.start_span(id), span);
        let mut parts = Vec::new();
        match tree.value(id) {
            Value::Missing => assert!(!document.diagnostics.is_empty()),
            Value::Null => assert_eq!(source.slice(span), "null"),
            Value::Bool(value) => assert_eq!(source.slice(span), value.to_string()),
            Value::Number => assert!(source.slice(span).parse::<f64>().is_ok()),
            Value::String(text) => check_string(tree, tree.text(text), span),
            Value::Array(elements) => {
                parts.extend(tree.elements(elements).iter().map(|element| tree.span(*element)));
                pending.extend(tree.elements(elements).iter().map(|element| (*element, span)));
            }
            Value::Object(properties) => {
                for property in tree.properties(properties) {
                    check_string(tree, tree.name(property), property.name_span);
                    assert!(property.name_span.end <= tree.span(property.value).start);
                    parts.push(tree.property_span(property));
                    pending.push((property.value, tree.property_span(property)));
                }
            }
        }
        parts.iter().for_each(|part| assert_within(source, *part, span));
        for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
            assert!(part.end <= next.start, "{part:?} and {next:?} overlap");
        }
    }
    assert!(count <= tree.value_count());
    assert!(!document.diagnostics.is_empty() || count == tree.value_count());
}

fn check_string(tree: &Tree, text: &str, span: Span) {
    let source = tree.source();
    let written = source.slice(span);
    assert!(written.len() >= 2 && written.starts_with('"') && written.ends_with('"'), "{written}");
    if !written.contains('\\') {
        assert_eq!(format!("\"{text}\""), written);
    }
    let inner = Span::new(span.start + 1, span.end - 1);
    for parsed in [parse_string_template(tree, span), parse_string_expr(tree, span)] {
        check_messages(source, &parsed.diagnostics);
        check_expr(&parsed, inner);
        for token in &parsed.tokens {
            assert_within(source, token.span(), inner);
        }
    }
}

fn check_expr(parsed: &Parsed<ExprId>, outer: Span) {
    let tree = &parsed.tree;
    let mut pending = vec![(parsed.root, outer)];
    while let Some((id, outer)) = pending.pop() {
        let span = tree.span(id);
        assert_within(tree.source(), span, outer);
        let written = tree.source().slice(span);
        if !written.contains('\\') {
            assert_eq!(tree.slice(span), written);
        }
        tree.walk(id, &mut |event| match event {
            Event::Expr(child) => pending.push((child, span)),
            Event::Bind(names) => {
                assert_within(tree.source(), names.value, span);
                assert_within(tree.source(), names.key.unwrap_or(names.value), span);
            }
            Event::Unbind => {}
        });
    }
}

fn check_messages(source: &Arc<SourceFile>, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let subject = diagnostic.subject.as_ref().unwrap();
        assert!(Arc::ptr_eq(&subject.file, source));
        let labels = diagnostic.labels.iter().map(|label| label.place.span);
        for span in labels.chain([subject.span]).chain(diagnostic.context) {
            assert!(source.text().get(span.range()).is_some(), "{span:?} in {diagnostic:?}");
        }
        assert!(diagnostic.detail.ends_with('.'), "{diagnostic:?}");
        assert!(diagnostic.hints.iter().all(|hint| hint.ends_with(['.', '?'])), "{diagnostic:?}");
    }
}

#[track_caller]
fn assert_within(source: &SourceFile, inner: Span, outer: Span) {
    assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} is not within {outer:?}");
    assert!(source.text().get(inner.range()).is_some(), "{inner:?} cuts a character");
}
