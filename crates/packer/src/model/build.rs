//! A build for one of its sources, with all values evaluated.

use terrane_body::{ResolvedArgument, ResolvedBlock, ResolvedBody};
use terrane_source::Subject;
use terrane_value::{Origins, SmolStr, Value};

/// A build for one of its sources.
#[derive(Clone, Debug)]
pub struct ResolvedBuild {
    /// The place where the build is declared.
    pub declaration: Subject,
    /// The `name` of the build, if it has one.
    pub build_name: Option<SmolStr>,
    /// The type of the source.
    pub source_type: SmolStr,
    /// The name of the source in the build: its own, or the name that the build gives it.
    pub source_name: SmolStr,
    /// The arguments and blocks of the source and of the build.
    pub source: ResolvedBody,
    /// The provisioners that run for this source, in order.
    pub provisioners: Vec<Component>,
    /// The provisioner that runs when another one fails.
    pub error_cleanup: Option<Component>,
    /// The sequences of post-processors that run for this source.
    pub post_processors: Vec<Vec<Component>>,
}

/// A provisioner or post-processor.
#[derive(Clone, Debug)]
pub struct Component {
    /// The type; `None` if it depends on an unknown value.
    pub component_type: Option<SmolStr>,
    /// The arguments that Packer itself reads, such as `pause_before`.
    pub settings: Vec<(SmolStr, Value)>,
    /// The arguments and blocks of the component.
    pub body: ResolvedBody,
    /// The reason why the number of repetitions is unknown, if it is.
    pub repeated: Option<Origins>,
}

impl ResolvedBuild {
    /// Returns the name that is compared with `-only` and `-except`: `docker.ubuntu`, or `images.docker.ubuntu`
    /// if the build has a name.
    pub fn name(&self) -> String {
        full_name(self.build_name.as_deref(), &self.source_type, &self.source_name)
    }
}

/// Returns the name of a build for a source.
pub(crate) fn full_name(build_name: Option<&str>, source_type: &str, source_name: &str) -> String {
    match build_name {
        Some(build) => format!("{build}.{source_type}.{source_name}"),
        None => format!("{source_type}.{source_name}"),
    }
}

/// Returns the value of a body as one object: its arguments except null ones, and for each block
/// type a list of its blocks.
pub fn body_value(body: &ResolvedBody) -> Value {
    let mut entries: Vec<(SmolStr, Value)> =
        present(body).map(|argument| (argument.name.clone(), argument.value.clone())).collect();
    let mut seen: Vec<&SmolStr> = Vec::new();
    for block in &body.blocks {
        if seen.contains(&&block.block_type) {
            continue;
        }
        seen.push(&block.block_type);
        let all: Vec<&ResolvedBlock> =
            body.blocks.iter().filter(|other| other.block_type == block.block_type).collect();
        let unknown = all.iter().find_map(|block| block.repeated.clone());
        let value = match unknown {
            Some(origins) => Value::unknown_from(terrane_value::Type::Dynamic, origins),
            None => Value::tuple(all.into_iter().map(|block| body_value(&block.body))),
        };
        entries.push((block.block_type.clone(), value));
    }
    Value::object(entries)
}

/// Returns the arguments that are set: null counts as not set.
pub fn present(body: &ResolvedBody) -> impl Iterator<Item = &ResolvedArgument> {
    body.arguments.iter().filter(|argument| !argument.value.is_null())
}
