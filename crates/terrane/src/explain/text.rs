//! An explanation as a tree for people.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use terrane_config::ids::Id as _;
use terrane_source::SourceFile;
use terrane_value::{Value, counted};

use super::brief::{brief, shortened};
use super::model::{
    ExplainNode, ExplainNodeId, ExplainedTarget, Explanation, InputRole, NodeInput, NodeKind,
};

/// The longest value or expression in a line.
pub(super) const MAX_CHARACTERS: usize = 72;
/// The widest left column.
const WIDEST: usize = 76;

/// Limit on the causes that are listed.
pub(super) const MAX_CAUSES: usize = 6;

/// Limit on the lines for which memory is reserved.
const MAX_RESERVED: usize = 1024;

/// The most neighbouring inputs of a node that are listed although they appear above.
const MAX_REPEATED: usize = 8;

/// A line of the tree: two columns, whose ends are positions in the written text.
struct Line {
    left: usize,
    right: usize,
    /// The number of characters in the left column.
    width: usize,
}

impl Explanation {
    /// Returns the explanation as text: for each value its causes, if it is unknown or a secret, then the tree of its inputs, of
    /// at most `depth` levels, and not of more than have content. A node that is already shown is not shown again with its inputs.
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
            let mut tree = Tree::new(self, depth.min(self.levels));
            tree.write(target.node);
            tree.finish(&mut out);
        }
        if self.is_truncated {
            out.push_str("\n# there is more; ask for a smaller part\n");
        }
        out
    }

    /// Writes the causes of an unknown value and the origins of its marks, as comments.
    fn reasons(&self, target: &ExplainedTarget, out: &mut String) {
        for cause in target.causes.iter().take(MAX_CAUSES) {
            out.push_str(&format!("# unknown: {}\n", cause.origin));
            if let Some(remedy) = &cause.remedy {
                out.push_str(&format!("#   known with: {remedy}\n"));
            }
            self.way(&cause.path, out);
        }
        let more = target.causes.len().saturating_sub(MAX_CAUSES) + target.omitted_causes;
        if more > 0 {
            out.push_str(&format!("# unknown for {}\n", counted(more, "more cause")));
        }
        for mark in &target.marks {
            out.push_str(&format!("# sensitive: {}\n", mark.text));
            self.way(&mark.path, out);
        }
    }

    /// Writes the objects on a way.
    fn way(&self, path: &[ExplainNodeId], out: &mut String) {
        let named = path.iter().filter_map(|node| {
            let node = &self.nodes[*node];
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

/// A set of nodes of an explanation.
struct NodeSet(Vec<bool>);

impl NodeSet {
    /// Returns an empty set for the nodes of an explanation.
    fn of(explanation: &Explanation) -> NodeSet {
        NodeSet(vec![false; explanation.nodes.len()])
    }

    fn contains(&self, node: ExplainNodeId) -> bool {
        self.0.get(node.index()).is_some_and(|is_in| *is_in)
    }

    /// Adds a node. Returns whether it is new.
    fn insert(&mut self, node: ExplainNodeId) -> bool {
        self.0.get_mut(node.index()).is_some_and(|is_in| !std::mem::replace(is_in, true))
    }
}

/// The tree of one value.
pub(super) struct Tree<'e> {
    explanation: &'e Explanation,
    /// The columns of all lines so far.
    written: String,
    lines: Vec<Line>,
    shown: NodeSet,
    /// The nodes that the depth limit has cut at some place: their inputs are not shown there.
    cut: NodeSet,
    run: Option<Run>,
    /// The file of the place that was written last, and its path.
    file: Option<(&'e Arc<SourceFile>, Cow<'e, str>)>,
    depth: usize,
}

/// Neighbouring inputs of a node that appear above. The graph of an explanation can have an edge between any two nodes, so a
/// line for each edge would be too much.
struct Run {
    parent: Option<ExplainNodeId>,
    level: usize,
    length: usize,
}

/// A node that is not written yet.
struct UnwrittenNode<'e> {
    node: ExplainNodeId,
    input: Option<&'e NodeInput>,
    /// The node whose input it is.
    parent: Option<ExplainNodeId>,
    /// The value of the parent.
    outer: Option<&'e Value>,
    level: usize,
}

/// A node with its values in two runs.
pub(super) struct ComparedNode<'e> {
    pub(super) node: &'e ExplainNode,
    pub(super) input: Option<&'e NodeInput>,
    pub(super) level: usize,
    /// The text before the node.
    pub(super) sign: &'static str,
    pub(super) values: Option<String>,
    pub(super) notes: Vec<String>,
}

impl<'e> Tree<'e> {
    pub(super) fn new(explanation: &'e Explanation, depth: usize) -> Tree<'e> {
        let reserved = explanation.nodes.len().min(MAX_RESERVED);
        Tree {
            explanation,
            written: String::with_capacity(reserved * 128),
            lines: Vec::with_capacity(reserved),
            shown: NodeSet::of(explanation),
            cut: NodeSet::of(explanation),
            run: None,
            file: None,
            depth,
        }
    }

    /// Writes the line of a node with its values in two runs.
    pub(super) fn compared(&mut self, line: ComparedNode<'e>) {
        let ComparedNode { node, input, level, sign, values, notes } = line;
        let start = self.written.len();
        self.indent(level);
        let out = &mut self.written;
        out.push_str(sign);
        input.into_iter().for_each(|input| write_prefix(input, out));
        let is_expression = node.kind == NodeKind::Expression;
        if values.is_some() && is_expression && !node.path.is_empty() {
            out.extend([&node.path, " of "]);
        }
        out.push_str(&label(node));
        if node.address.is_some() {
            out.push_str(&node.path);
        }
        if let Some(values) = &values {
            out.extend([if is_expression { " is " } else { " = " }, values]);
        }
        let left = self.end_left(start);
        let notes = notes.join("  ");
        self.notes(node, Some(&*notes).filter(|notes| !notes.is_empty()));
        self.lines.push(Line { right: self.written.len(), ..left });
    }

    fn write(&mut self, root: ExplainNodeId) {
        let mut left = vec![UnwrittenNode { node: root, input: None, parent: None, outer: None, level: 0 }];
        while let Some(unwritten) = left.pop() {
            let node = &self.explanation.nodes[unwritten.node];
            let is_cut = unwritten.level >= self.depth && !node.inputs.is_empty();
            // A node that is cut here may be shown nearer to the root.
            let is_new =
                if is_cut { !self.shown.contains(unwritten.node) } else { self.shown.insert(unwritten.node) };
            let is_cut_again = is_cut && !self.cut.insert(unwritten.node);
            if self.is_left_out(&unwritten, !node.inputs.is_empty() && (!is_new || is_cut_again)) {
                continue;
            }
            let note = match (is_new, is_cut) {
                _ if node.inputs.is_empty() => None,
                (false, _) => Some("(shown above)"),
                (true, true) => Some("... (--depth shows more)"),
                (true, false) => None,
            };
            self.line(&unwritten, node, note);
            if is_new && !is_cut {
                let inputs = node.inputs.iter().rev().map(|input| UnwrittenNode {
                    node: input.node,
                    input: Some(input),
                    parent: Some(unwritten.node),
                    outer: Some(&node.value),
                    level: unwritten.level + 1,
                });
                left.extend(inputs);
            }
        }
        self.end_run();
    }

    /// Whether the line of a repeated node is left out, because there are too many of them in a row.
    fn is_left_out(&mut self, unwritten: &UnwrittenNode<'e>, is_repeated: bool) -> bool {
        if let (true, Some(run)) = (is_repeated, &mut self.run)
            && run.parent == unwritten.parent
        {
            run.length += 1;
            return run.length > MAX_REPEATED;
        }
        self.end_run();
        if is_repeated {
            self.run = Some(Run { parent: unwritten.parent, level: unwritten.level, length: 1 });
        }
        false
    }

    /// Writes how many repeated nodes were left out.
    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        if run.length > MAX_REPEATED {
            let start = self.written.len();
            self.indent(run.level);
            let more = run.length - MAX_REPEATED;
            _ = write!(self.written, "... {more} more (shown above)");
            let left = self.end_left(start);
            self.lines.push(Line { right: left.left, ..left });
        }
    }

    /// Writes the line of a node, with a note at its end.
    fn line(&mut self, unwritten: &UnwrittenNode<'e>, node: &'e ExplainNode, note: Option<&str>) {
        let start = self.written.len();
        self.indent(unwritten.level);
        let is_expression = node.kind == NodeKind::Expression;
        let is_same = is_expression
            && unwritten
                .input
                .is_some_and(|input| input.is_taken && !matches!(input.role, InputRole::Condition))
            && unwritten.outer.is_some_and(|outer| outer.is_identical(&node.value));
        let out = &mut self.written;
        unwritten.input.into_iter().for_each(|input| write_prefix(input, out));
        let text = node.text.as_deref().filter(|_| is_expression).unwrap_or_default();
        let value = (!is_same || text.starts_with('"'))
            .then(|| brief(&node.value, self.explanation.secrets, MAX_CHARACTERS));
        let label = match &value {
            // The text of a constant string keeps its blanks, as the value does.
            Some(value) if value == text => Cow::Borrowed(text),
            Some(_) | None => label(node),
        };
        let is_shown = |value: &String| node.address.is_some() && !node.path.is_empty() || *value != label;
        let value = value.filter(|value| !is_same && is_shown(value));
        if value.is_some() && is_expression && !node.path.is_empty() {
            // The value is only a part of the value of the expression.
            out.push_str(&node.path);
            out.push_str(" of ");
        }
        out.push_str(&label);
        if node.address.is_some() {
            out.push_str(&node.path);
        }
        if let Some(value) = value {
            out.push_str(if is_expression { " is " } else { " = " });
            out.push_str(&value);
        }
        let line = self.end_left(start);
        self.notes(node, note);
        self.lines.push(Line { right: self.written.len(), ..line });
    }

    /// Writes the right column of a line.
    fn notes(&mut self, node: &'e ExplainNode, note: Option<&str>) {
        let out = &mut self.written;
        let start = out.len();
        if let Some(place) = &node.place {
            let at = place.file.line_column(place.span.start);
            match &self.file {
                Some((file, path)) if file.version() == place.file.version() => out.push_str(path),
                Some(_) | None => {
                    let path = place.file.id().path().to_string_lossy();
                    out.push_str(&path);
                    self.file = Some((&place.file, path));
                }
            }
            for number in [at.line, at.column] {
                out.push(':');
                out.push_str(itoa::Buffer::new().format(number));
            }
        }
        for note in [node.how.as_deref(), node.marks.as_deref(), note].into_iter().flatten() {
            out.push_str(if out.len() == start { "" } else { "  " });
            out.push_str(note);
        }
    }

    fn indent(&mut self, level: usize) {
        blanks(2 * level, &mut self.written);
    }

    /// Returns the line whose left column is the text written since `start`.
    fn end_left(&self, start: usize) -> Line {
        let end = self.written.len();
        let text = self.written.get(start..).unwrap_or_default();
        let width = if text.is_ascii() { text.len() } else { text.chars().count() };
        Line { left: end, right: end, width }
    }

    /// Writes the lines, with aligned right columns.
    pub(super) fn finish(&self, out: &mut String) {
        let widths = self.lines.iter().map(|line| line.width);
        let widest = widths.filter(|width| *width <= WIDEST).max().unwrap_or_default();
        out.reserve(self.written.len() + self.lines.len() * 40);
        let mut start = 0;
        for line in &self.lines {
            out.push_str(self.written.get(start..line.left).unwrap_or_default());
            if line.right > line.left {
                blanks(widest.saturating_sub(line.width) + 2, out);
                out.push_str("# ");
                out.push_str(self.written.get(line.left..line.right).unwrap_or_default());
            }
            out.push('\n');
            start = line.right;
        }
    }
}

/// Writes `count` blanks.
pub(super) fn blanks(count: usize, out: &mut String) {
    const BLANKS: &str = "                                                                                ";
    let mut left = count;
    while left > 0 {
        let part = left.min(BLANKS.len());
        out.push_str(BLANKS.get(..part).unwrap_or_default());
        left -= part;
    }
}

/// Returns the name of a node, without the path that follows an address.
fn label(node: &ExplainNode) -> Cow<'_, str> {
    let is_name = matches!(node.kind, NodeKind::Key | NodeKind::BuiltIn);
    match (&node.address, &node.text) {
        (Some(address), _) => Cow::Borrowed(address),
        (None, Some(text)) if is_name => Cow::Borrowed(text),
        (None, Some(text)) => Cow::Owned(shortened(text, MAX_CHARACTERS)),
        (None, None) if node.kind == NodeKind::Provider => Cow::Borrowed("provider"),
        (None, None) => Cow::Borrowed("(sensitive expression)"),
    }
}

/// Writes the role of an input, unless its place in the tree tells the role.
fn write_prefix(input: &NodeInput, out: &mut String) {
    let key = input.key.as_deref().unwrap_or_default();
    let (role, key) = match input.role {
        InputRole::Value | InputRole::Branch => return,
        InputRole::Argument if key.is_empty() => return,
        InputRole::Argument if key.starts_with('.') => ("", key.trim_start_matches('.')),
        InputRole::Argument if input.is_taken => ("argument ", key),
        InputRole::Argument => ("passed over, argument ", key),
        InputRole::Hidden => ("hidden, argument ", key),
        InputRole::Precedence => ("not used", ""),
        InputRole::Element if key.starts_with('.') || key.starts_with('[') => ("", key),
        InputRole::Element => return,
        InputRole::Condition | InputRole::Collection | InputRole::Key | InputRole::Instances => {
            (input.role.name(), "")
        }
    };
    out.extend([role, key, ": "]);
}
