//! The explanation of a value: a graph of nodes, each a value with the inputs that it came from.

use terrane_config::ids::Arena;
use terrane_source::Subject;
use terrane_value::{Origin, Value};

use crate::part_source::SourceKind;
use crate::secrets::Secrets;

terrane_config::ids! {
    /// A node of an explanation.
    ExplainNodeId;
}

/// How values came to be: the result of [`Report::explain`](crate::Report::explain).
///
/// The nodes are a graph without cycles: a value that several others read is one node.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The explained values.
    pub targets: Vec<ExplainedTarget>,
    /// All nodes.
    pub nodes: Arena<ExplainNodeId, ExplainNode>,
    /// Whether inputs are missing because there were too many nodes, or values because evaluating parts again takes too long.
    pub is_truncated: bool,
    /// The most levels that [`Explanation::to_text`] prints.
    pub levels: usize,
    /// Whether writers show secrets.
    pub(crate) secrets: Secrets,
}

/// The levels of inputs for which an explanation has content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplainedLevels {
    /// All levels, with the way to each cause: for documents.
    All,
    /// At most this many levels, for a text.
    AtMost(usize),
    /// The levels that a person reads: at most six, and none that begins behind the 200th node.
    Readable,
}

impl ExplainedLevels {
    /// The most levels of a readable text.
    pub const MAX_READABLE_LEVELS: usize = 6;
    /// The number of nodes behind which no further level of a readable text begins.
    const MAX_READABLE_NODES: usize = 200;

    /// The most levels with content.
    pub(super) fn most(self) -> usize {
        match self {
            ExplainedLevels::All => usize::MAX,
            ExplainedLevels::AtMost(most) => most,
            ExplainedLevels::Readable => ExplainedLevels::MAX_READABLE_LEVELS,
        }
    }

    /// Whether there are so many nodes that no further level gets content.
    pub(super) fn is_full(self, nodes: usize) -> bool {
        self == ExplainedLevels::Readable && nodes > ExplainedLevels::MAX_READABLE_NODES
    }
}

/// A value that was asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedTarget {
    /// The address with the path of the part, or the place in a file.
    pub address: String,
    /// The node of the value.
    pub node: ExplainNodeId,
    /// The causes of unknown parts of the value.
    pub causes: Vec<Cause>,
    /// The number of further causes.
    pub omitted_causes: usize,
    /// The nodes that mark the value, or a part of it, as sensitive or ephemeral, each with the way to it.
    pub marks: Vec<MarkPath>,
}

/// A cause of an unknown value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cause {
    /// The cause.
    pub origin: Origin,
    /// How the value becomes known, in words. `None` if only an apply makes it known.
    pub remedy: Option<String>,
    /// The nodes on the shortest way from the value to the cause. The node of the value comes first.
    pub path: Vec<ExplainNodeId>,
}

/// The origin of a mark.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MarkPath {
    /// The declaration or call that marks the value, in words: `var.password is declared sensitive`.
    pub text: String,
    /// The nodes on the shortest way from the value to the node with the mark. The node of the value comes first.
    pub path: Vec<ExplainNodeId>,
}

/// A value with the inputs that it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainNode {
    /// The kind of node.
    pub kind: NodeKind,
    /// The address of an object, or the name of a source such as `-var region=...`.
    pub address: Option<String>,
    /// The path of the part in the object or in the value of the expression: `.tags["Name"]`.
    pub path: String,
    /// The value of the part.
    pub value: Value,
    /// The expression as written, without secrets.
    pub text: Option<String>,
    /// The place of the expression, declaration or assignment.
    pub place: Option<Subject>,
    /// How the value was chosen or changed, in words: `argument 2 of 3`.
    pub how: Option<String>,
    /// The source of the value, if it does not come from the configuration.
    pub origin: Option<SourceKind>,
    /// The mark that this node puts on its value while the inputs lack it, in words.
    pub marks: Option<String>,
    /// The values that it came from.
    pub inputs: Vec<NodeInput>,
}

/// An input of a node.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NodeInput {
    /// Its node.
    pub node: ExplainNodeId,
    /// The role of the input.
    pub role: InputRole,
    /// The key or number of the input among several with the same role: the position of an argument, the key of an element.
    pub key: Option<String>,
    /// Whether the value of the node is the input's value or is made of it. False for an alternative that was passed over.
    pub is_taken: bool,
}

/// The kinds of [`ExplainNode`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NodeKind {
    /// An input variable.
    Variable,
    /// A local value.
    Local,
    /// An output.
    Output,
    /// A resource, data source, ephemeral resource or action, or one of its instances.
    Resource,
    /// A module call.
    Module,
    /// An expression.
    Expression,
    /// A value that the environment, a variable file or an option gives for a variable.
    Assignment,
    /// The default of a variable.
    Default,
    /// A value for an attribute that the caller of the evaluation gives.
    Given,
    /// An attribute that the provider sets.
    Provider,
    /// A key of an instance or of an element: `each.key`, `count.index`, the first name of a `for`.
    Key,
    /// A name that is always there, such as `path.module`.
    BuiltIn,
}

impl NodeKind {
    /// Returns the name in documents, such as `variable`.
    pub const fn name(self) -> &'static str {
        match self {
            NodeKind::Variable => "variable",
            NodeKind::Local => "local",
            NodeKind::Output => "output",
            NodeKind::Resource => "resource",
            NodeKind::Module => "module",
            NodeKind::Expression => "expression",
            NodeKind::Assignment => "assignment",
            NodeKind::Default => "default",
            NodeKind::Given => "given",
            NodeKind::Provider => "provider",
            NodeKind::Key => "key",
            NodeKind::BuiltIn => "built-in",
        }
    }
}

/// The roles of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InputRole {
    /// The expression or assignment of an object.
    Value,
    /// An operand, an argument of a function, or a part of a template.
    Argument,
    /// The condition of a conditional, or of a `for`.
    Condition,
    /// A branch of a conditional.
    Branch,
    /// An element of a collection.
    Element,
    /// The collection of a `for`.
    Collection,
    /// A key or index.
    Key,
    /// An assignment or default of lower precedence.
    Precedence,
    /// An alternative that another input hides: an argument of `merge` with the same key.
    Hidden,
    /// `count`, `for_each` or `enabled`, which decides the instances.
    Instances,
}

impl InputRole {
    /// Returns the name in documents, such as `argument`.
    pub const fn name(self) -> &'static str {
        match self {
            InputRole::Value => "value",
            InputRole::Argument => "argument",
            InputRole::Condition => "condition",
            InputRole::Branch => "branch",
            InputRole::Element => "element",
            InputRole::Collection => "collection",
            InputRole::Key => "key",
            InputRole::Precedence => "precedence",
            InputRole::Hidden => "hidden",
            InputRole::Instances => "instances",
        }
    }
}

impl ExplainNode {
    /// Returns a node without inputs.
    pub(super) fn new(kind: NodeKind, value: Value) -> ExplainNode {
        ExplainNode {
            kind,
            address: None,
            path: String::new(),
            value,
            text: None,
            place: None,
            how: None,
            origin: None,
            marks: None,
            inputs: Vec::new(),
        }
    }
}
