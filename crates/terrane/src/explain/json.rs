//! An explanation as JSON: the document of `terrane explain --json`.

use std::io;

use serde::{Serialize, Serializer};
use terrane_config::ids::Id as _;

use super::causes::is_object;
use super::model::{Cause, ExplainNode, ExplainNodeId, ExplainedTarget, Explanation, MarkPath, NodeInput};
use super::reverse::Dependents;
use crate::document::json::range::RangeJson;
use crate::document::json::value::ValueJson;
use crate::json::text::{to_text, write_text};
use crate::part_source::SourceKind;
use crate::secrets::Secrets;

/// The version of the format.
const FORMAT_VERSION: &str = "1.0";

/// The document of `terrane explain --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Explanation"))]
pub(crate) struct ExplanationJson<'e> {
    /// The version of the format.
    format_version: &'static str,
    /// The explained values.
    targets: Vec<TargetJson<'e>>,
    /// The nodes of the graph. A value comes from the inputs of its node; there is no cycle.
    #[cfg_attr(feature = "json-schema", schemars(with = "Vec<NodeJson<'static>>"))]
    nodes: NodesJson<'e>,
    /// Whether the explanation is incomplete. Inputs are missing because there were too many nodes, or too many instances or
    /// blocks in one node; or values are missing because evaluating parts again would take more than a quarter of the limits of
    /// a run.
    truncated: bool,
}

/// The nodes. The view of each is built when it is written.
struct NodesJson<'e>(&'e Explanation);

impl Serialize for NodesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodesJson(explanation) = self;
        let nodes = explanation.nodes.enumerate();
        serializer.collect_seq(nodes.map(|(id, node)| NodeJson::of(id, node, explanation.secrets)))
    }
}

/// A value that was asked for.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Target"))]
struct TargetJson<'e> {
    /// The address with the path of the part; for a line of a file, the address of the object and the place.
    address: &'e str,
    /// The `id` of its node.
    node: usize,
    /// The causes of its unknown parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<CauseJson<'e>>,
    /// The number of further causes.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted_causes: Option<usize>,
    /// The declarations and calls that mark the value, or a part of it, as sensitive or ephemeral.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marked_by: Vec<MarkJson<'e>>,
}

/// A cause of an unknown value.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Cause"))]
struct CauseJson<'e> {
    /// The kind of cause, such as `variable` or `resource-attribute`.
    kind: &'static str,
    /// The address or the name of the cause.
    subject: &'e str,
    /// The cause in words.
    text: String,
    /// How the value becomes known: an option or a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_with: Option<&'e str>,
    /// The shortest way from the value to the cause: ids of nodes.
    path: Vec<usize>,
}

/// The origin of a mark.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Mark"))]
struct MarkJson<'e> {
    /// The origin in words.
    text: &'e str,
    /// The shortest way from the value to the origin: ids of nodes.
    path: Vec<usize>,
}

/// A value with the inputs that it came from.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Node"))]
struct NodeJson<'e> {
    /// The position in the list.
    id: usize,
    /// `variable`, `local`, `output`, `resource`, `module`, `expression`, `assignment`, `default`, `given`, `provider`, `key`
    /// or `built-in`.
    kind: &'static str,
    /// The address of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'e str>,
    /// The source of an assignment in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'e str>,
    /// The path of the part in the object or in the value of the expression; left out for the whole.
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'e str,
    #[serde(flatten)]
    value: ValueJson<'e>,
    /// The expression as written. `...` stands for literals that become secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'e str>,
    /// The place of the expression, declaration or assignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'e>>,
    /// How the value was chosen or changed, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'e str>,
    /// The source of a value that does not come from the configuration, as in `part_sources` of `eval --json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'static str>,
    /// The declaration or call that marks the value as sensitive or ephemeral here, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<&'e str>,
    /// The values that it came from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<InputJson<'e>>,
}

/// An input of a node.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Input"))]
struct InputJson<'e> {
    /// The `id` of its node.
    node: usize,
    /// `value`, `argument`, `condition`, `branch`, `element`, `collection`, `key`, `precedence`, `hidden` or `instances`.
    role: &'static str,
    /// False for an alternative that was passed over.
    taken: bool,
    /// The key or number of the input among several with the same role.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'e str>,
}

/// The document of `terrane explain --reverse --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Dependents"))]
pub(crate) struct DependentsJson<'e> {
    /// The version of the format.
    format_version: &'static str,
    /// The object, without instance keys.
    address: String,
    /// The numbers of dependents of each kind, in words.
    summary: String,
    /// The objects that depend on it, the nearest first.
    dependents: Vec<DependentJson<'e>>,
}

/// An object that depends on another one.
#[derive(Serialize)]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json-schema", schemars(rename = "Dependent"))]
struct DependentJson<'e> {
    /// The address, without instance keys.
    address: String,
    /// The number of references on the shortest way.
    distance: usize,
    /// The next object on the shortest way, which this object refers to.
    refers_to: String,
    /// The part that contains the reference, such as `expression`, `count` or `depends_on`; left out for an object of a module
    /// whose call depends on the other object.
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'static str>,
    /// The place of the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'e>>,
    /// The number of instances of a resource or module call, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
}

impl Dependents {
    /// Returns the dependents as JSON, on one line.
    pub fn to_json(&self) -> String {
        let dependents = self.found.iter().map(|found| DependentJson {
            address: found.address.to_string(),
            distance: found.distance,
            refers_to: found.refers_to.to_string(),
            via: found.via.map(terrane_module::model::references::Via::name),
            source: found.place.as_ref().map(RangeJson::of),
            instances: found.instances,
        });
        to_text(&DependentsJson {
            format_version: FORMAT_VERSION,
            address: self.address.to_string(),
            summary: self.summary(),
            dependents: dependents.collect(),
        })
    }
}

impl Explanation {
    /// Returns the explanation as JSON, on one line.
    pub fn to_json(&self) -> String {
        to_text(&self.json())
    }

    /// Writes the text of [`Explanation::to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_text(&self.json(), out)
    }

    pub(super) fn json(&self) -> ExplanationJson<'_> {
        ExplanationJson {
            format_version: FORMAT_VERSION,
            targets: self.targets.iter().map(TargetJson::of).collect(),
            nodes: NodesJson(self),
            truncated: self.is_truncated,
        }
    }
}

/// Returns ids as a document has them: positions in the list of nodes.
fn ids(path: &[ExplainNodeId]) -> Vec<usize> {
    path.iter().map(|node| node.index()).collect()
}

impl<'e> TargetJson<'e> {
    fn of(target: &'e ExplainedTarget) -> TargetJson<'e> {
        TargetJson {
            address: &target.address,
            node: target.node.index(),
            causes: target.causes.iter().map(CauseJson::of).collect(),
            omitted_causes: (target.omitted_causes > 0).then_some(target.omitted_causes),
            marked_by: target.marks.iter().map(MarkJson::of).collect(),
        }
    }
}

impl<'e> CauseJson<'e> {
    fn of(cause: &'e Cause) -> CauseJson<'e> {
        CauseJson {
            kind: cause.origin.kind.name(),
            subject: &cause.origin.subject,
            text: cause.origin.to_string(),
            known_with: cause.remedy.as_deref(),
            path: ids(&cause.path),
        }
    }
}

impl<'e> MarkJson<'e> {
    fn of(mark: &'e MarkPath) -> MarkJson<'e> {
        MarkJson { text: &mark.text, path: ids(&mark.path) }
    }
}

impl<'e> NodeJson<'e> {
    fn of(id: ExplainNodeId, node: &'e ExplainNode, secrets: Secrets) -> NodeJson<'e> {
        let (address, from) = match is_object(node) {
            true => (node.address.as_deref(), None),
            false => (None, node.address.as_deref()),
        };
        NodeJson {
            id: id.index(),
            kind: node.kind.name(),
            address,
            from,
            path: &node.path,
            value: ValueJson::of(&node.value, secrets),
            text: node.text.as_deref(),
            source: node.place.as_ref().map(RangeJson::of),
            how: node.how.as_deref(),
            origin: node.origin.map(SourceKind::name),
            marks: node.marks.as_deref(),
            inputs: node.inputs.iter().map(InputJson::of).collect(),
        }
    }
}

impl<'e> InputJson<'e> {
    fn of(input: &'e NodeInput) -> InputJson<'e> {
        InputJson {
            node: input.node.index(),
            role: input.role.name(),
            taken: input.is_taken,
            key: input.key.as_deref(),
        }
    }
}

/// Returns the JSON Schema of the document of `terrane explain --json`, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn explanation_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<ExplanationJson<'static>>().to_value()
}

/// Returns the JSON Schema of the document of `terrane explain --reverse --json`, draft 2020-12.
#[cfg(feature = "json-schema")]
pub fn dependents_schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<DependentsJson<'static>>().to_value()
}
