//! Compares two explanations of one value as text: where the values of two runs part.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use terrane_source::{FileId, Span};

use super::brief::brief;
use super::builder::hidden;
use super::causes::is_object;
use super::model::{ExplainNode, ExplainNodeId, Explanation, InputRole, NodeInput, NodeKind};
use super::text::{ComparedNode, MAX_CHARACTERS, Tree};
use crate::secrets::has_secret;

/// A node in each of two explanations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct NodePair {
    before: ExplainNodeId,
    after: ExplainNodeId,
}

/// The identity of an input among the inputs of a node: nodes of two explanations with the same identity stand for the same part
/// of the configuration.
#[derive(PartialEq, Eq, Hash)]
struct Identity<'e> {
    kind: NodeKind,
    address: Option<&'e str>,
    path: &'e str,
    key: Option<&'e str>,
    place: Option<(&'e FileId, Span)>,
}

/// A line of the comparison.
enum ComparedLine<'e> {
    /// An input of both nodes whose values differ.
    Both(NodePair, Option<ComparedInput<'e>>),
    /// An input that only one of the runs takes.
    One { sign: Sign, input: &'e NodeInput },
}

/// An input that both runs take.
#[derive(Clone, Copy)]
struct ComparedInput<'e> {
    input: &'e NodeInput,
    /// The nodes whose input it is.
    outer: NodePair,
}

/// The run that takes an input.
#[derive(Clone, Copy)]
enum Sign {
    Before,
    After,
}

impl Explanation {
    /// Returns the values that differ from those of a later explanation of the same address, as a tree of at most `depth` levels:
    /// from the explained values down to the inputs in which the two runs part. A sign stands before an input that only one of the
    /// runs takes.
    pub fn difference_to_text(&self, after: &Explanation, depth: usize) -> String {
        let mut out = String::new();
        let several = self.targets.len().max(after.targets.len()) > 1;
        let comparer = NodeComparer { before: self, after };
        for target in &self.targets {
            let other = after.targets.iter().find(|other| other.address == target.address);
            if several || other.is_none() {
                let only = if other.is_none() { ": only before" } else { "" };
                out.push_str(&format!("# {}{only}\n", target.address));
            }
            match other {
                Some(other) if comparer.differs(target.node, other.node) => {
                    comparer.write(NodePair { before: target.node, after: other.node }, depth, &mut out);
                }
                Some(_) => out.push_str("No differences.\n"),
                None => {}
            }
        }
        let is_new = |address: &str| self.targets.iter().all(|target| target.address != address);
        for target in after.targets.iter().filter(|target| is_new(&target.address)) {
            out.push_str(&format!("# {}: only after\n", target.address));
        }
        out
    }
}

struct NodeComparer<'e> {
    before: &'e Explanation,
    after: &'e Explanation,
}

impl<'e> NodeComparer<'e> {
    fn differs(&self, before: ExplainNodeId, after: ExplainNodeId) -> bool {
        !self.before.nodes[before].value.same(&self.after.nodes[after].value)
    }

    fn write(&self, pair: NodePair, depth: usize, out: &mut String) {
        let mut tree = Tree::new(self.after, depth);
        let mut shown: HashSet<NodePair, RandomState> = HashSet::default();
        let mut left = vec![(ComparedLine::Both(pair, None), 0)];
        while let Some((line, level)) = left.pop() {
            let note = match &line {
                ComparedLine::One { .. } => None,
                ComparedLine::Both(pair, _) => {
                    let inner = self.inputs(*pair);
                    if inner.is_empty() {
                        None
                    } else if !shown.insert(*pair) {
                        Some("(shown above)")
                    } else if level >= depth {
                        Some("... (--depth shows more)")
                    } else {
                        left.extend(inner.into_iter().rev().map(|line| (line, level + 1)));
                        None
                    }
                }
            };
            self.line(&mut tree, &line, level, note);
        }
        tree.finish(out);
    }

    /// Returns the inputs of a pair of nodes that differ, or that only one of the runs takes.
    fn inputs(&self, NodePair { before, after }: NodePair) -> Vec<ComparedLine<'e>> {
        let (old, new) = (&self.before.nodes[before].inputs, &self.after.nodes[after].inputs);
        let mut unmatched: HashMap<Identity<'e>, &'e NodeInput, RandomState> =
            new.iter().map(|input| (identity(&self.after.nodes[input.node], input), input)).collect();
        let mut found = Vec::new();
        for input in old {
            let other = unmatched.remove(&identity(&self.before.nodes[input.node], input));
            match other {
                Some(other) if input.is_taken && other.is_taken => {
                    if self.differs(input.node, other.node) {
                        let compared = ComparedInput { input: other, outer: NodePair { before, after } };
                        found.push(ComparedLine::Both(
                            NodePair { before: input.node, after: other.node },
                            Some(compared),
                        ));
                    }
                }
                Some(other) if other.is_taken => {
                    found.push(ComparedLine::One { sign: Sign::After, input: other });
                }
                Some(_) | None if input.is_taken => {
                    found.push(ComparedLine::One { sign: Sign::Before, input });
                }
                Some(_) | None => {}
            }
        }
        let added = new.iter().filter(|input| {
            input.is_taken && unmatched.contains_key(&identity(&self.after.nodes[input.node], input))
        });
        found.extend(added.map(|input| ComparedLine::One { sign: Sign::After, input }));
        found
    }

    /// Whether an input is an expression with the values of the nodes whose input it is.
    fn has_values_of(&self, compared: ComparedInput<'e>, old: &ExplainNode, new: &ExplainNode) -> bool {
        let NodePair { before, after } = compared.outer;
        new.kind == NodeKind::Expression
            && compared.input.role != InputRole::Condition
            && self.before.nodes[before].value.is_identical(&old.value)
            && self.after.nodes[after].value.is_identical(&new.value)
    }

    fn line(&self, tree: &mut Tree<'e>, line: &ComparedLine<'e>, level: usize, note: Option<&str>) {
        let secrets = self.after.secrets;
        let note = note.map(str::to_owned);
        match line {
            ComparedLine::Both(NodePair { before, after }, input) => {
                let (old, new) = (&self.before.nodes[*before], &self.after.nodes[*after]);
                // A secret on one side hides the other side too, because both may be equal.
                let is_secret = has_secret(&old.value) || has_secret(&new.value);
                let shown = |node: &ExplainNode| {
                    let value = node.value.clone();
                    brief(&if is_secret { hidden(value) } else { value }, secrets, MAX_CHARACTERS)
                };
                // An expression with the values of the line above has no values of its own.
                let is_same = input.is_some_and(|compared| self.has_values_of(compared, old, new));
                let values = (!is_same).then(|| format!("{} -> {}", shown(old), shown(new)));
                let earlier = old.how.as_ref().filter(|how| new.how.as_ref() != Some(how));
                let earlier = earlier.map(|how| format!("before: {how}"));
                let notes: Vec<String> = earlier.into_iter().chain(note).collect();
                let input = input.map(|compared| compared.input);
                tree.compared(ComparedNode { node: new, input, level, sign: "", values, notes });
            }
            ComparedLine::One { sign, input } => {
                let (nodes, sign) = match sign {
                    Sign::Before => (&self.before.nodes, "- "),
                    Sign::After => (&self.after.nodes, "+ "),
                };
                let node = &nodes[input.node];
                let values = Some(brief(&node.value, secrets, MAX_CHARACTERS));
                let notes = note.into_iter().collect();
                tree.compared(ComparedNode { node, input: Some(*input), level, sign, values, notes });
            }
        }
    }
}

fn identity<'e>(node: &'e ExplainNode, input: &'e NodeInput) -> Identity<'e> {
    // The place of an object may be that of the value that it has in one of the runs.
    let place = node.place.as_ref().filter(|_| !is_object(node));
    Identity {
        kind: node.kind,
        address: node.address.as_deref(),
        path: &node.path,
        key: input.key.as_deref(),
        place: place.map(|place| (place.file.id(), place.span)),
    }
}
