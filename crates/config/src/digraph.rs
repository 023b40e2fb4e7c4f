//! A directed graph of dependencies between the values of a container.
//!
//! It is stored in a few arrays, so that visiting 100,000 nodes follows the order in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::ids::{Arena, Id};

/// A graph whose nodes are the ids of a container. An edge leads from a node to a node that it needs.
#[derive(Debug)]
pub struct Digraph<I> {
    /// For each node, its range in `targets`.
    parts: Arena<I, TargetRange>,
    /// The targets of all nodes, by node.
    targets: Vec<I>,
}

/// A dependency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge<I> {
    /// The dependent node.
    pub from: I,
    /// The node that it needs.
    pub to: I,
}

/// The range of the targets of one node.
#[derive(Clone, Copy, Default, Debug)]
struct TargetRange {
    start: u32,
    end: u32,
}

impl<I: Id> Digraph<I> {
    /// Returns the graph of the values of a container, with edges between them.
    pub fn new<T>(nodes: &Arena<I, T>, edges: impl Iterator<Item = Edge<I>> + Clone) -> Digraph<I> {
        let mut parts: Arena<I, TargetRange> = nodes.iter().map(|_| TargetRange::default()).collect();
        for edge in edges.clone() {
            parts[edge.from].end += 1;
        }
        let mut sum = 0;
        for part in parts.iter_mut() {
            let count = part.end;
            *part = TargetRange { start: sum, end: sum };
            sum += count;
        }
        let first = edges.clone().next();
        let mut targets = first.map_or_else(Vec::new, |first| vec![first.to; sum as usize]);
        for edge in edges {
            let part = &mut parts[edge.from];
            #[expect(clippy::indexing_slicing, reason = "the parts have room for each edge")]
            let target = &mut targets[part.end as usize];
            *target = edge.to;
            part.end += 1;
        }
        Digraph { parts, targets }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.parts.len()
    }

    /// Returns the dependencies of a node, in the order of the given edges.
    #[expect(clippy::indexing_slicing, reason = "the parts together are as long as `targets`")]
    pub fn targets(&self, node: I) -> &[I] {
        let TargetRange { start, end } = self.parts[node];
        &self.targets[start as usize..end as usize]
    }

    /// Returns all edges, by the node from which they come.
    pub fn edges(&self) -> impl Iterator<Item = Edge<I>> + Clone {
        self.parts.ids().flat_map(|from| self.targets(from).iter().map(move |to| Edge { from, to: *to }))
    }

    /// Returns the nodes, each after its dependencies. Among the nodes that are ready, the node with the smallest key
    /// comes first. Nodes on a cycle, and nodes that depend on them, are left out.
    pub fn sorted<K: Ord>(&self, key: impl Fn(I) -> K) -> Vec<I>
    where
        I: Ord,
    {
        let waiters =
            Digraph::new(&self.parts, self.edges().map(|Edge { from, to }| Edge { from: to, to: from }));
        let mut missing: Arena<I, usize> = self.parts.ids().map(|node| self.targets(node).len()).collect();
        let ready = missing.enumerate().filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<_> = ready.map(|(node, _)| Reverse((key(node), node))).collect();
        let mut sorted = Vec::with_capacity(self.nodes());
        while let Some(Reverse((_, node))) = ready.pop() {
            sorted.push(node);
            for waiter in waiters.targets(node) {
                let count = &mut missing[*waiter];
                *count -= 1;
                if *count == 0 {
                    ready.push(Reverse((key(*waiter), *waiter)));
                }
            }
        }
        sorted
    }

    /// Returns the nodes in groups: nodes that depend on each other, directly or not, share a group. A group comes
    /// after its dependencies, and its nodes are in their order.
    pub fn groups(&self) -> Vec<Vec<I>>
    where
        I: Ord,
    {
        let mut search = Search {
            graph: self,
            seen: self.parts.iter().map(|_| UNSEEN).collect(),
            open: Vec::new(),
            path: Vec::new(),
            groups: Vec::new(),
        };
        for node in self.parts.ids() {
            search.from(node);
        }
        search.groups
    }

    /// Whether the nodes of a group from [`Digraph::groups`] are on a cycle.
    pub fn is_cycle(&self, group: &[I]) -> bool
    where
        I: Eq,
    {
        match group {
            [only] => self.targets(*only).contains(only),
            _ => true,
        }
    }
}

/// The number of a node that has not been visited.
const UNSEEN: usize = usize::MAX;
/// The number of a node that is already in a group.
const GROUPED: usize = usize::MAX - 1;

/// Tarjan's search for groups, with a stack instead of recursion.
struct Search<'g, I> {
    graph: &'g Digraph<I>,
    /// The number of each node in the order of the visits.
    seen: Arena<I, usize>,
    /// The visited nodes that are not in a group, in the order of the visits.
    open: Vec<I>,
    /// The nodes from the first one to the current node.
    path: Vec<Visit<I>>,
    groups: Vec<Vec<I>>,
}

/// A node on the path of a search.
struct Visit<I> {
    node: I,
    /// The position of its next target to visit.
    next: usize,
    /// The number of the earliest open node that it can reach.
    reach: usize,
}

impl<I: Id + Ord> Search<'_, I> {
    fn from(&mut self, node: I) {
        self.meet(node);
        while let Some(visit) = self.path.last_mut() {
            if let Some(target) = self.graph.targets(visit.node).get(visit.next) {
                visit.next += 1;
                match self.seen[*target] {
                    UNSEEN => self.meet(*target),
                    GROUPED => {}
                    seen => visit.reach = visit.reach.min(seen),
                }
                continue;
            }
            let Visit { node, reach, .. } = *visit;
            self.path.pop();
            if let Some(outer) = self.path.last_mut() {
                outer.reach = outer.reach.min(reach);
            }
            if self.seen[node] == reach {
                self.close(reach);
            }
        }
    }

    fn meet(&mut self, node: I) {
        // The numbers of open nodes are their positions, so a group is the end of the list.
        let number = self.open.len();
        if self.seen[node] == UNSEEN {
            self.seen[node] = number;
            self.open.push(node);
            self.path.push(Visit { node, next: 0, reach: number });
        }
    }

    /// Makes a group of the open nodes from `start` on.
    fn close(&mut self, start: usize) {
        let mut group = self.open.split_off(start.min(self.open.len()));
        for node in &group {
            self.seen[*node] = GROUPED;
        }
        group.sort_unstable();
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Position;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct TestId(Position);

    impl Id for TestId {
        fn at(position: Position) -> TestId {
            TestId(position)
        }

        fn position(self) -> Position {
            self.0
        }
    }

    /// Returns the graph of the nodes 0 to `nodes - 1`.
    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Digraph<TestId> {
        let nodes: Arena<TestId, ()> = (0..nodes).map(|_| ()).collect();
        let ids: Vec<TestId> = nodes.ids().collect();
        let edges = edges.iter().map(|(from, to)| Edge { from: ids[*from], to: ids[*to] });
        Digraph::new(&nodes, edges)
    }

    fn numbers(nodes: &[TestId]) -> Vec<usize> {
        nodes.iter().map(|node| node.index()).collect()
    }

    fn groups(graph: &Digraph<TestId>) -> Vec<Vec<usize>> {
        graph.groups().iter().map(|group| numbers(group)).collect()
    }

    #[test]
    fn dependencies_come_first_and_then_the_smallest_key() {
        let graph = graph(5, &[(0, 3), (0, 3), (1, 0), (4, 2)]);
        assert_eq!(graph.edges().filter(|edge| edge.from.index() == 0).count(), 2);
        assert_eq!(numbers(&graph.sorted(|node| node)), [2, 3, 0, 1, 4]);
        assert_eq!(numbers(&graph.sorted(Reverse)), [3, 2, 4, 0, 1]);
        assert_eq!(groups(&graph), [vec![3], vec![0], vec![1], vec![2], vec![4]]);
    }

    #[test]
    fn the_targets_of_a_node_keep_the_order_of_the_edges() {
        let graph = graph(4, &[(2, 3), (0, 1), (2, 0), (2, 1), (0, 3)]);
        let targets: Vec<Vec<usize>> = graph.parts.ids().map(|node| numbers(graph.targets(node))).collect();
        assert_eq!(targets, [vec![1, 3], vec![], vec![3, 0, 1], vec![]]);
    }

    #[test]
    fn nodes_on_cycles_are_together() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 4), (3, 3), (4, 5), (5, 6), (6, 4), (5, 2)];
        let graph = graph(7, &edges);
        assert_eq!(groups(&graph), [vec![1, 2, 4, 5, 6], vec![0], vec![3]]);
        let cycles: Vec<bool> = graph.groups().iter().map(|group| graph.is_cycle(group)).collect();
        assert_eq!(cycles, [true, false, true]);
        assert!(graph.sorted(|node| node).is_empty());
    }

    #[test]
    fn groups_come_after_those_that_they_need() {
        let graph = graph(6, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (5, 4), (4, 0)]);
        assert_eq!(groups(&graph), [vec![2, 3], vec![0, 1], vec![4], vec![5]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<(usize, usize)> = (0..200_000).map(|node| (node, node + 1)).collect();
        let graph = graph(200_001, &edges);
        assert_eq!(graph.groups().len(), 200_001);
        assert_eq!(graph.sorted(|node| node).first().map(|node| node.index()), Some(200_000));
    }
}
