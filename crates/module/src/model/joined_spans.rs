//! Spans of a file, joined where they touch.

use std::collections::BTreeMap;

use terrane_source::Span;

/// Spans of a file: the offset at which each begins, and the offset at its end.
#[derive(Clone, Default, Debug)]
pub(crate) struct JoinedSpans(BTreeMap<u32, u32>);

impl JoinedSpans {
    pub(crate) fn add(&mut self, Span { mut start, mut end }: Span) {
        while let Some((first, last)) = self.before(end)
            && start <= last
        {
            (start, end) = (start.min(first), end.max(last));
            self.0.remove(&first);
        }
        self.0.insert(start, end);
    }

    /// Whether an offset is in a span, or at its end.
    pub(crate) fn contain(&self, offset: u32) -> bool {
        self.before(offset).is_some_and(|(_, end)| offset <= end)
    }

    /// Returns the spans, in the order of their starts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Span> {
        self.0.iter().map(|(start, end)| Span::new(*start, *end))
    }

    /// Returns the last span that begins at an offset or before it.
    fn before(&self, offset: u32) -> Option<(u32, u32)> {
        self.0.range(..=offset).next_back().map(|(start, end)| (*start, *end))
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
                    let mut joined = JoinedSpans::default();
                    spans.into_iter().for_each(|span| joined.add(span));
                    for offset in 0..7 {
                        let wanted = spans.iter().any(|span| span.start <= offset && offset <= span.end);
                        assert_eq!(joined.contain(offset), wanted, "{spans:?} {offset}");
                    }
                    assert!(joined.0.iter().zip(joined.0.iter().skip(1)).all(|(one, next)| one.1 < next.0));
                }
            }
        }
    }
}
