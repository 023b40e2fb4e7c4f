//! An explanation as a tree for people.

use std::collections::HashSet;

use terrane_value::Value;

use super::brief::{brief, shortened};
use super::model::{ExplainNode, ExplainedTarget, Explanation, Input, NodeKind, Role};
use crate::summary::counted;

/// The longest value or expression in a line.
const MOST_CHARACTERS: usize = 72;
/// The widest left column.
const WIDEST: usize = 76;

/// The most causes that are listed.
const MOST_CAUSES: usize = 6;

/// The most neighbouring inputs of a node that are listed although they are shown above.
const MOST_REPEATED: usize = 8;

/// A line of the tree.
struct Line {
    left: String,
    right: String,
}

impl Explanation {
    /// The explanation as text: for each value first its causes, if it is unknown or a secret, then the tree of its inputs, of
    /// at most `depth` levels. A node that is already shown is not shown again with its inputs.
    pub fn to_text(&self, depth: usize) -> String {
        let mut out = String::new();
        for target in &self.targets {
            if !out.is_empty() {
                out.push('\n');
            }
            if self.targets.len() > 1 {
                out.push_str(&format!("# {}\n", target.address));
            }
            self.reasons(target, &mut out);
            let mut tree = Tree {
                explanation: self,
                lines: Vec::new(),
                shown: HashSet::new(),
                cut: HashSet::new(),
                run: None,
                depth,
            };
            tree.write(target.node);
            out.push_str(&tree.text());
        }
        if self.is_truncated {
            out.push_str("\n# there is more; ask for a smaller part\n");
        }
        out
    }

    /// The causes of an unknown value and the origins of its marks, as comments.
    fn reasons(&self, target: &ExplainedTarget, out: &mut String) {
        for cause in target.causes.iter().take(MOST_CAUSES) {
            out.push_str(&format!("# unknown: {}\n", cause.origin));
            if let Some(remedy) = &cause.remedy {
                out.push_str(&format!("#   known with: {remedy}\n"));
            }
            self.way(&cause.path, out);
        }
        let more = target.causes.len().saturating_sub(MOST_CAUSES) + target.omitted_causes;
        if more > 0 {
            out.push_str(&format!("# unknown for {}\n", counted(more, "more cause")));
        }
        for mark in &target.marks {
            out.push_str(&format!("# sensitive: {}\n", mark.text));
            self.way(&mark.path, out);
        }
    }

    /// The objects on a way.
    fn way(&self, path: &[usize], out: &mut String) {
        let named = path.iter().filter_map(|node| {
            let node = self.nodes.get(*node)?;
            let is_named = super::causes::is_object(node);
            is_named.then(|| format!("{}{}", node.address.as_deref().unwrap_or_default(), node.path))
        });
        let mut named: Vec<String> = named.collect();
        named.dedup();
        if named.len() > 1 {
            out.push_str(&format!("#   way: {}\n", named.join(" <- ")));
        }
    }
}

/// The tree of one value.
struct Tree<'e> {
    explanation: &'e Explanation,
    lines: Vec<Line>,
    shown: HashSet<usize>,
    /// The nodes whose inputs the depth has left out somewhere.
    cut: HashSet<usize>,
    run: Option<Run>,
    depth: usize,
}

/// Neighbouring inputs of a node that are shown above. The graph of an explanation can have an edge between any two nodes, so that a line
/// for each edge would be too many.
struct Run {
    parent: Option<usize>,
    level: usize,
    length: usize,
}

/// A node that is still to be written.
struct Pending<'e> {
    node: usize,
    input: Option<&'e Input>,
    /// The node that it is an input of.
    parent: Option<usize>,
    /// The value of that node.
    outer: Option<&'e Value>,
    level: usize,
}

impl<'e> Tree<'e> {
    fn write(&mut self, root: usize) {
        let mut left = vec![Pending { node: root, input: None, parent: None, outer: None, level: 0 }];
        while let Some(pending) = left.pop() {
            let Some(node) = self.explanation.nodes.get(pending.node) else { continue };
            let is_cut = pending.level >= self.depth && !node.inputs.is_empty();
            // A node that is cut here may be shown nearer to the root.
            let is_new =
                if is_cut { !self.shown.contains(&pending.node) } else { self.shown.insert(pending.node) };
            let is_cut_again = is_cut && !self.cut.insert(pending.node);
            if self.is_left_out(&pending, !node.inputs.is_empty() && (!is_new || is_cut_again)) {
                continue;
            }
            let mut line = self.line(&pending, node);
            if !node.inputs.is_empty() && (!is_new || is_cut) {
                let note = if is_new { "... (--depth shows more)" } else { "(shown above)" };
                line.right =
                    if line.right.is_empty() { note.to_owned() } else { format!("{}  {note}", line.right) };
            }
            self.lines.push(line);
            if is_new && !is_cut {
                let inputs = node.inputs.iter().rev().map(|input| Pending {
                    node: input.node,
                    input: Some(input),
                    parent: Some(pending.node),
                    outer: Some(&node.value),
                    level: pending.level + 1,
                });
                left.extend(inputs);
            }
        }
        self.end_run();
    }

    /// Whether a line is one too many of those of repeated nodes.
    fn is_left_out(&mut self, pending: &Pending<'e>, is_repeated: bool) -> bool {
        if let (true, Some(run)) = (is_repeated, &mut self.run)
            && run.parent == pending.parent
        {
            run.length += 1;
            return run.length > MOST_REPEATED;
        }
        self.end_run();
        if is_repeated {
            self.run = Some(Run { parent: pending.parent, level: pending.level, length: 1 });
        }
        false
    }

    /// Says how many repeated nodes were left out.
    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        if run.length > MOST_REPEATED {
            let left =
                format!("{}... {} more (shown above)", "  ".repeat(run.level), run.length - MOST_REPEATED);
            self.lines.push(Line { left, right: String::new() });
        }
    }

    fn line(&self, pending: &Pending<'e>, node: &'e ExplainNode) -> Line {
        let mut left = "  ".repeat(pending.level);
        if let Some(input) = pending.input {
            left.push_str(&prefix(input));
        }
        let label = label(node);
        left.push_str(&label);
        let is_same = node.kind == NodeKind::Expression
            && pending.input.is_some_and(|input| input.is_taken && !matches!(input.role, Role::Condition))
            && pending.outer.is_some_and(|outer| outer.is_identical(&node.value));
        let value = brief(&node.value, self.explanation.secrets, MOST_CHARACTERS);
        if !is_same && value != label {
            if node.kind == NodeKind::Expression && !node.path.is_empty() {
                // The value is only a part of that of the expression.
                left.truncate(left.len() - label.len());
                left.push_str(&format!("{} of {label}", node.path));
            }
            left.push_str(if node.kind == NodeKind::Expression { " is " } else { " = " });
            left.push_str(&value);
        }
        let place = node.place.as_ref().map(|place| {
            let at = place.file.lines().line_column(place.file.text(), place.span.start);
            format!("{}:{}:{}", place.file.id(), at.line, at.column)
        });
        let notes = [place, node.how.clone(), node.marks.clone()];
        Line { left, right: notes.into_iter().flatten().collect::<Vec<_>>().join("  ") }
    }

    fn text(&self) -> String {
        let width = |line: &Line| line.left.chars().count();
        let widest = self.lines.iter().map(width).filter(|width| *width <= WIDEST).max().unwrap_or_default();
        let mut out = String::new();
        for line in &self.lines {
            out.push_str(&line.left);
            if !line.right.is_empty() {
                let space = widest.saturating_sub(width(line)) + 2;
                out.push_str(&" ".repeat(space));
                out.push_str("# ");
                out.push_str(&line.right);
            }
            out.push('\n');
        }
        out
    }
}

/// The name of a node.
fn label(node: &ExplainNode) -> String {
    let is_name = matches!(node.kind, NodeKind::Key | NodeKind::BuiltIn);
    match (&node.address, &node.text) {
        (Some(address), _) => format!("{address}{}", node.path),
        (None, Some(text)) if is_name => text.clone(),
        (None, Some(text)) => shortened(text, MOST_CHARACTERS),
        (None, None) if node.kind == NodeKind::Provider => "provider".to_owned(),
        (None, None) => "(sensitive expression)".to_owned(),
    }
}

/// The role of an input, where its place in the tree does not say it.
fn prefix(input: &Input) -> String {
    let key = input.key.as_deref().unwrap_or_default();
    match input.role {
        Role::Value => String::new(),
        Role::Argument if key.is_empty() => String::new(),
        Role::Argument if key.starts_with('.') => format!("{}: ", key.trim_start_matches('.')),
        Role::Argument if input.is_taken => format!("argument {key}: "),
        Role::Argument => format!("passed over, argument {key}: "),
        Role::Hidden => format!("hidden, argument {key}: "),
        Role::Precedence => "not used: ".to_owned(),
        Role::Element if key.starts_with('.') || key.starts_with('[') => format!("{key}: "),
        Role::Element | Role::Branch => String::new(),
        Role::Condition | Role::Collection | Role::Key | Role::Instances => {
            format!("{}: ", input.role.name())
        }
    }
}
