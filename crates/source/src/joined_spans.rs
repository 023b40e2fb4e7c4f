//! Spans of a file, joined where they touch or overlap.

use crate::Span;

/// Spans of a file, in the order of their starts. They do not overlap.
#[derive(Clone, Default, Debug)]
pub struct JoinedSpans(Vec<Span>);

impl JoinedSpans {
    /// Returns these spans, joined where they touch.
    pub fn of(spans: Vec<Span>) -> JoinedSpans {
        let mut joined = JoinedSpans::default();
        joined.add(spans);
        joined
    }

    /// Returns these spans, joined where they overlap. Spans that only touch stay apart.
    pub fn of_overlapping(spans: Vec<Span>) -> JoinedSpans {
        let mut joined = JoinedSpans(spans);
        joined.join(|last, next| next.start < last.end);
        joined
    }

    /// Adds spans in any order, and joins all where they touch.
    pub fn add(&mut self, mut spans: Vec<Span>) {
        self.0.append(&mut spans);
        self.join(|last, next| next.start <= last.end);
    }

    fn join(&mut self, are_one: impl Fn(Span, Span) -> bool) {
        // Most lists are in order already, which a stable sort finds out.
        self.0.sort_by_key(|span| span.start);
        self.0.dedup_by(|next, last| {
            let are_one = are_one(*last, *next);
            if are_one {
                *last = last.to(*next);
            }
            are_one
        });
        self.0.shrink_to_fit();
    }

    /// Whether there are no spans.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an offset is in a span, or at its end.
    pub fn contain(&self, offset: u32) -> bool {
        self.last(|span| span.start <= offset).is_some_and(|span| offset <= span.end)
    }

    /// Whether a span overlaps one of the spans.
    pub fn overlap(&self, other: Span) -> bool {
        self.last(|span| span.start < other.end).is_some_and(|span| other.start < span.end)
    }

    /// Returns the last span of those at the start that pass the test.
    fn last(&self, is_before: impl Fn(&Span) -> bool) -> Option<Span> {
        self.0.partition_point(is_before).checked_sub(1).and_then(|index| self.0.get(index)).copied()
    }

    /// Returns the spans, in the order of their starts.
    pub fn iter(&self) -> impl Iterator<Item = Span> {
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
                    let apart = JoinedSpans::of_overlapping(spans.to_vec());
                    for item in &all {
                        let wanted = spans.iter().any(|span| span.start < item.end && item.start < span.end);
                        assert_eq!(apart.overlap(*item), wanted, "{spans:?} {item:?}");
                    }
                    assert!(
                        joined.0.iter().zip(joined.0.iter().skip(1)).all(|(one, next)| one.end < next.start)
                    );
                }
            }
        }
    }
}
