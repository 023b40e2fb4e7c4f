//! A directed graph of dependencies between numbered nodes.
//!
//! It is kept in a few arrays, so that a walk over 100,000 nodes follows the order in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph of the nodes 0, 1, … An edge leads from a node to one that it needs.
#[derive(Debug)]
pub struct Digraph {
    /// Where the targets of each node begin, and where those of the last one end.
    starts: Vec<u32>,
    /// The targets of all nodes, by node.
    targets: Vec<u32>,
}

impl Digraph {
    /// The graph with so many nodes, and with edges between them.
    pub fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Digraph {
        let mut starts = vec![0_u32; nodes + 1];
        for (from, _) in edges.clone() {
            if let Some(count) = starts.get_mut(from as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut targets = vec![0; sum as usize];
        for (from, to) in edges {
            let Some(place) = next.get_mut(from as usize) else { continue };
            if let Some(target) = targets.get_mut(*place as usize) {
                *target = to;
            }
            *place += 1;
        }
        Digraph { starts, targets }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The dependencies of a node, in the order of the given edges.
    pub fn targets(&self, node: usize) -> &[u32] {
        let place = |node: usize| self.starts.get(node).map_or(0, |start| *start as usize);
        self.targets.get(place(node)..place(node + 1)).unwrap_or_default()
    }

    /// All edges, by the node that they come from.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + Clone {
        (0..)
            .zip(0..self.nodes())
            .flat_map(|(from, node)| self.targets(node).iter().map(move |to| (from, *to)))
    }

    /// The nodes, each after its dependencies. Of the nodes that are ready, the one with the smallest key comes first.
    /// Nodes on a cycle, and nodes that depend on them, are left out.
    pub fn sorted<K: Ord>(&self, key: impl Fn(usize) -> K) -> Vec<usize> {
        let waiters = Digraph::new(self.nodes(), self.edges().map(|(from, to)| (to, from)));
        let mut missing: Vec<usize> = (0..self.nodes()).map(|node| self.targets(node).len()).collect();
        let ready = (0..).zip(&missing).filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<_> = ready.map(|(node, _)| Reverse((key(node), node))).collect();
        let mut sorted = Vec::with_capacity(self.nodes());
        while let Some(Reverse((_, node))) = ready.pop() {
            sorted.push(node);
            for waiter in waiters.targets(node) {
                let waiter = *waiter as usize;
                let Some(count) = missing.get_mut(waiter) else { continue };
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse((key(waiter), waiter)));
                }
            }
        }
        sorted
    }

    /// The nodes in groups: nodes that depend on each other, directly or not, share a group. A group comes after its dependencies,
    /// and its nodes are in their order.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut search = Search {
            graph: self,
            seen: vec![UNSEEN; self.nodes()],
            open: Vec::new(),
            path: Vec::new(),
            groups: Vec::new(),
        };
        for node in 0..self.nodes() {
            search.from(node);
        }
        search.groups
    }

    /// Whether the nodes of a group of [`Digraph::groups`] are on a cycle.
    pub fn is_cycle(&self, group: &[usize]) -> bool {
        match group {
            [only] => self.targets(*only).iter().any(|target| *target as usize == *only),
            _ => true,
        }
    }
}

/// The number of a node that was not met.
const UNSEEN: usize = usize::MAX;
/// The number of a node that is in a group.
const GROUPED: usize = usize::MAX - 1;

/// The search for groups by Tarjan, with a stack instead of recursion.
struct Search<'g> {
    graph: &'g Digraph,
    /// When each node was met.
    seen: Vec<usize>,
    /// The nodes that were met and are in no group, in the order in which they were met.
    open: Vec<usize>,
    /// The nodes from the first one to where the search is: each with the next of its targets, and the number of the earliest
    /// open node that can be reached from it.
    path: Vec<(usize, usize, usize)>,
    groups: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn from(&mut self, node: usize) {
        self.meet(node);
        while let Some((node, next, reach)) = self.path.last_mut() {
            if let Some(target) = self.graph.targets(*node).get(*next) {
                *next += 1;
                let target = *target as usize;
                match self.seen.get(target).copied().unwrap_or(GROUPED) {
                    UNSEEN => self.meet(target),
                    GROUPED => {}
                    seen => *reach = (*reach).min(seen),
                }
                continue;
            }
            let (node, reach) = (*node, *reach);
            self.path.pop();
            if let Some((_, _, outer)) = self.path.last_mut() {
                *outer = (*outer).min(reach);
            }
            if self.seen.get(node) == Some(&reach) {
                self.close(node);
            }
        }
    }

    fn meet(&mut self, node: usize) {
        // The numbers of open nodes are their positions, so that a group is the end of the list.
        let number = self.open.len();
        if let Some(seen) = self.seen.get_mut(node).filter(|seen| **seen == UNSEEN) {
            *seen = number;
            self.open.push(node);
            self.path.push((node, 0, number));
        }
    }

    fn close(&mut self, first: usize) {
        let start = self.seen.get(first).copied().unwrap_or_default();
        let mut group = self.open.split_off(start.min(self.open.len()));
        for node in &group {
            if let Some(seen) = self.seen.get_mut(*node) {
                *seen = GROUPED;
            }
        }
        group.sort_unstable();
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_come_first_and_then_the_smallest_key() {
        let graph = Digraph::new(5, [(0, 3), (0, 3), (1, 0), (4, 2)].into_iter());
        assert_eq!(graph.targets(0), [3, 3]);
        assert_eq!(graph.sorted(|node| node), [2, 3, 0, 1, 4]);
        assert_eq!(graph.sorted(Reverse), [3, 2, 4, 0, 1]);
        assert_eq!(graph.groups(), [vec![3], vec![0], vec![1], vec![2], vec![4]]);
    }

    #[test]
    fn nodes_on_cycles_are_together() {
        let graph = Digraph::new(
            7,
            [(0, 1), (1, 2), (2, 1), (2, 4), (3, 3), (4, 5), (5, 6), (6, 4), (5, 2)].into_iter(),
        );
        let groups = graph.groups();
        assert_eq!(groups, [vec![1, 2, 4, 5, 6], vec![0], vec![3]]);
        let cycles: Vec<bool> = groups.iter().map(|group| graph.is_cycle(group)).collect();
        assert_eq!(cycles, [true, false, true]);
        assert_eq!(graph.sorted(|node| node), Vec::<usize>::new());
    }

    #[test]
    fn groups_come_after_those_that_they_need() {
        let graph = Digraph::new(6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (5, 4), (4, 0)].into_iter());
        assert_eq!(graph.groups(), [vec![2, 3], vec![0, 1], vec![4], vec![5]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges = (0..200_000).map(|node| (node, node + 1));
        let graph = Digraph::new(200_001, edges);
        assert_eq!(graph.groups().len(), 200_001);
        assert_eq!(graph.sorted(|node| node).first(), Some(&200_000));
    }
}
