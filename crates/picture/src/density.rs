//! Estimates how long the layout of a graph takes.
//!
//! The layout library reorders the edges between neighbouring layers, and the time for that grows with the square of their
//! number.

use std::collections::BTreeMap;

use terrane::Graph;

use crate::layout::{Edge, Item, dependencies, without_cycles};

/// Returns the sum over all layers of the squared number of edges that cross them.
pub(crate) fn density(graph: &Graph) -> u64 {
    dependencies(graph)
        .values()
        .map(|edges| {
            let mut numbers: BTreeMap<&Item, u32> = BTreeMap::new();
            let mut number = |item| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(item).or_insert(next)
            };
            let edges: Vec<Edge> =
                edges.iter().map(|(from, to)| Edge { from: number(from), to: number(to) }).collect();
            of_edges(numbers.len(), &without_cycles(numbers.len(), &edges))
        })
        .fold(0, u64::saturating_add)
}

/// Returns the same as [`density`] for edges without cycles between `items` items.
fn of_edges(items: usize, edges: &[Edge]) -> u64 {
    let layers = layers(items, edges);
    let layer = |item: u32| layers.get(item as usize).copied().unwrap_or_default();
    // The numbers of edges that begin and end at each layer.
    let mut begin = vec![0_u64; items + 1];
    let mut end = vec![0_u64; items + 1];
    for edge in edges {
        for (counts, at) in [(&mut begin, layer(edge.from)), (&mut end, layer(edge.to))] {
            if let Some(count) = counts.get_mut(at) {
                *count += 1;
            }
        }
    }
    let mut crossing = 0_u64;
    let mut sum = 0_u64;
    for (begin, end) in begin.iter().zip(&end) {
        crossing = crossing.saturating_add(*begin).saturating_sub(*end);
        sum = sum.saturating_add(crossing.saturating_mul(crossing));
    }
    sum
}

/// Returns the layer of each item: the length of the longest path to it.
fn layers(items: usize, edges: &[Edge]) -> Vec<usize> {
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); items];
    let mut waiting = vec![0_usize; items];
    for edge in edges {
        if let (Some(next), Some(count)) =
            (next.get_mut(edge.from as usize), waiting.get_mut(edge.to as usize))
        {
            next.push(edge.to);
            *count += 1;
        }
    }
    let mut layers = vec![0; items];
    let mut ready: Vec<usize> = (0..items).filter(|item| waiting.get(*item) == Some(&0)).collect();
    while let Some(item) = ready.pop() {
        let layer = layers.get(item).copied().unwrap_or_default() + 1;
        for to in next.get(item).into_iter().flatten().map(|to| *to as usize) {
            let (Some(other), Some(count)) = (layers.get_mut(to), waiting.get_mut(to)) else { continue };
            *other = layer.max(*other);
            *count -= 1;
            if *count == 0 {
                ready.push(to);
            }
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_edges_count_at_each_layer_that_they_cross() {
        let edge = |from, to| Edge { from, to };
        assert_eq!(of_edges(3, &[]), 0);
        assert_eq!(of_edges(3, &[edge(0, 1), edge(1, 2)]), 2);
        // Two edges cross each of the two layers.
        assert_eq!(of_edges(3, &[edge(0, 1), edge(1, 2), edge(0, 2)]), 8);
        assert_eq!(of_edges(4, &[edge(0, 2), edge(0, 3), edge(1, 2), edge(1, 3)]), 16);
    }
}
