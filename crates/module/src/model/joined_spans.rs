//! Spans of a file, joined where they touch.

use terrane_source::Span;

/// Spans of a file, in the order of their starts. They do not touch.
#[derive(Clone, Default, Debug)]
pub(crate) struct JoinedSpans(Vec<Span>);

impl JoinedSpans {
    /// Returns these spans, joined.
    pub(crate) fn of(spans: Vec<Span>) -> JoinedSpans {
        let mut joined = JoinedSpans::default();
        joined.add(spans);
        joined
    }

    /// Adds spans in any order.
    pub(crate) fn add(&mut self, mut spans: Vec<Span>) {
        self.0.append(&mut spans);
        // Most lists are in order already, which a stable sort finds out.
        self.0.sort_by_key(|span| span.start);
        self.0.dedup_by(|next, last| {
            let touches = next.start <= last.end;
            if touches {
                *last = last.to(*next);
            }
            touches
        });
        self.0.shrink_to_fit();
    }

    /// Whether an offset is in a span, or at its end.
    pub(crate) fn contain(&self, offset: u32) -> bool {
        let before = self.0.partition_point(|span| span.start <= offset);
        let last = before.checked_sub(1).and_then(|index| self.0.get(index));
        last.is_some_and(|span| offset <= span.end)
    }

    /// Returns the spans, in the order of their starts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Span> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_found_whatever_the_order_of_the_spans() {
        // All lists of three spans within six bytes.
        let all: Vec<Span> =
            (0..6).flat_map(|start| (start..6).map(move |end| Span::new(start, end))).collect();
        for one in &all {
            for two in &all {
                for three in &all {
                    let spans = [*one, *two, *three];
                    let mut joined = JoinedSpans::of(vec![*one]);
                    joined.add(vec![*two, *three]);
                    for offset in 0..7 {
                        let wanted = spans.iter().any(|span| span.start <= offset && offset <= span.end);
                        assert_eq!(joined.contain(offset), wanted, "{spans:?} {offset}");
                    }
                    assert!(
                        joined.0.iter().zip(joined.0.iter().skip(1)).all(|(one, next)| one.end < next.start)
                    );
                }
            }
        }
    }
}
