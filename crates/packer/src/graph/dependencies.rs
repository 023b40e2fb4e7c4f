//! Returns the graph of references of a template as data, without evaluating the template.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use terrane_body::constant::{constant, string_of};
use terrane_body::{Attribute, Block, BodySchema};
use terrane_config::address::{Address, InstanceKey, ModulePath, Object, ResourceMode};
use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::ids::Arena;
use terrane_config::{Dependencies, Dependency};
use terrane_source::{Diagnostic, Diagnostics, Subject, ids, titles};
use terrane_value::SmolStr;

use crate::graph::order;
use crate::model::ids::{DataId, LocalId, SourceId, VariableId};
use crate::model::template::Template;
use crate::resolve::source_name::source_name;
use crate::resolve::targets::{Target, TargetFinder};

static BUILD: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["name", "sources"]).block("source", &["reference"]));

/// The most dependencies of a template. A reference to all variables or data sources has one to each of them.
const MAX_EDGES: usize = 1_048_576;

/// Returns the objects of `template` and their references to each other. Reports cycles; they
/// are in the result as well.
pub fn dependencies(template: &Template, diagnostics: &mut Diagnostics) -> Dependencies {
    for group in order::order(template).iter().filter(|group| group.is_cycle) {
        order::report_cycle(template, &group.nodes, titles::FAILED_TO_PREPARE_EXECUTION_GRAPH, diagnostics);
    }
    let mut objects = Arena::default();
    let nodes = Nodes::new(template, &mut objects);
    let edges = nodes.edges(template);
    if edges.is_cut {
        let detail = format!(
            "The objects of the template have more than {MAX_EDGES} dependencies. The rest of them is left out. \
             Name the variables and data sources that an expression needs, instead of all."
        );
        diagnostics.push(Diagnostic::error(ids::LIMIT_EXCEEDED, detail));
    }
    Dependencies { objects, edges: edges.all.into_iter().collect(), whole: BTreeSet::new() }
}

/// The objects of a template.
struct Nodes<'t> {
    variables: Arena<VariableId, ObjectId>,
    locals: Arena<LocalId, ObjectId>,
    data: Arena<DataId, ObjectId>,
    sources: Arena<SourceId, ObjectId>,
    builds: Vec<BuildNode<'t>>,
}

/// A build and its node.
struct BuildNode<'t> {
    block: &'t Block,
    object: ObjectId,
}

impl<'t> Nodes<'t> {
    /// Returns the variables, the local values, the data sources, the sources and the builds, in this order.
    fn new(template: &'t Template, objects: &mut Arena<ObjectId, Dependency>) -> Nodes<'t> {
        let mut add = |object: Object, declaration: &Subject| {
            let address = Address { module: ModulePath::ROOT, object };
            objects.push(Dependency { address, declaration: Some(declaration.clone()) })
        };
        let variables = template.variables.iter();
        let variables =
            variables.map(|(name, found)| add(Object::Variable(name.clone()), &found.declaration));
        let variables = variables.collect();
        let locals = template.locals.iter();
        let locals = locals.map(|(name, found)| add(Object::Local(name.clone()), &found.declaration));
        let locals = locals.collect();
        let data = template.data.iter().map(|(key, found)| {
            let (data_type, name) = (key.component_type.clone(), key.name.clone());
            let object = Object::Resource {
                mode: ResourceMode::Data,
                resource_type: data_type,
                name,
                key: InstanceKey::None,
            };
            add(object, &found.declaration)
        });
        let data = data.collect();
        let sources = template.sources.iter().map(|(key, found)| {
            add(Object::Source(key.component_type.clone(), key.name.clone()), &found.declaration)
        });
        let sources = sources.collect();
        let builds = build_names(template)
            .into_iter()
            .zip(&template.builds)
            .map(|(name, block)| BuildNode { block, object: add(Object::Build(name), &block.declaration()) });
        let builds = builds.collect();
        Nodes { variables, locals, data, sources, builds }
    }

    fn edges(&self, template: &Template) -> NodeEdges {
        let finder = TargetFinder::new(template);
        let mut edges = NodeEdges::default();
        let mut add = |from: ObjectId, to: BTreeSet<Target>| {
            for target in to {
                self.add_edges(from, target, &finder, &mut edges);
            }
        };
        for (id, local) in template.locals.enumerate() {
            add(self.locals[id], finder.in_expression(&local.expression));
        }
        for (id, declared) in template.data.enumerate() {
            add(self.data[id], finder.in_body(&declared.body));
        }
        for (id, declared) in template.sources.enumerate() {
            add(self.sources[id], finder.in_body(&declared.body));
        }
        for build in &self.builds {
            add(build.object, finder.in_body(&build.block.body));
        }
        for BuildNode { block, object } in &self.builds {
            for source in used_sources(template, block) {
                edges.add(*object, self.sources[source]);
            }
        }
        edges
    }

    /// Adds the edges to a target, to each member of a group.
    fn add_edges(&self, from: ObjectId, target: Target, finder: &TargetFinder<'_>, edges: &mut NodeEdges) {
        match target {
            Target::Variable(id) => edges.add(from, self.variables[id]),
            Target::Local(id) => edges.add(from, self.locals[id]),
            Target::Data(id) => edges.add(from, self.data[id]),
            Target::Group(_) if edges.is_cut => {}
            // The members of a group are no groups.
            Target::Group(group) => {
                for member in finder.members(group) {
                    self.add_edges(from, member, finder, edges);
                }
            }
        }
    }
}

/// Edges between nodes, up to [`MAX_EDGES`].
#[derive(Default)]
struct NodeEdges {
    all: BTreeSet<Edge<ObjectId>>,
    /// Whether there are more.
    is_cut: bool,
}

impl NodeEdges {
    fn add(&mut self, from: ObjectId, to: ObjectId) {
        self.is_cut |= self.all.len() >= MAX_EDGES;
        if !self.is_cut {
            self.all.insert(Edge { from, to });
        }
    }
}

/// Returns the sources that a build names. Names that an expression computes are left out.
fn used_sources(template: &Template, block: &Block) -> impl Iterator<Item = SourceId> {
    let (content, _) = block.body.partial_content(&BUILD, &mut Diagnostics::new());
    let listed = content.attribute("sources").and_then(literal_texts).unwrap_or_default();
    let blocks = content.blocks.iter().map(|block| block.label(0).text);
    let references: Vec<SmolStr> = listed.into_iter().chain(blocks).collect();
    references.into_iter().filter_map(|text| template.sources.id_of(&source_name(&text)?))
}

/// Returns the strings in a list; `None` if an expression has to be evaluated.
fn literal_texts(attribute: &Attribute) -> Option<Vec<SmolStr>> {
    let value = constant(&attribute.literal(), &mut Diagnostics::new())?;
    Some(value.as_sequence()?.iter().filter_map(|element| element.as_str().map(SmolStr::from)).collect())
}

/// Returns the name of each build: its own if it is a constant that no other build has, otherwise its position.
fn build_names(template: &Template) -> Vec<SmolStr> {
    let name = |block: &Block| {
        let (content, _) = block.body.partial_content(&BUILD, &mut Diagnostics::new());
        string_of(content.attribute("name"), &mut Diagnostics::new()).filter(|name| !name.is_empty())
    };
    let names: Vec<Option<String>> = template.builds.iter().map(name).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in names.iter().flatten() {
        *uses.entry(name).or_default() += 1;
    }
    let is_one = |name: &&String| uses.get(name.as_str()) == Some(&1);
    let shown = names.iter().enumerate().map(|(index, name)| match name.as_ref().filter(is_one) {
        Some(name) => SmolStr::from(name.as_str()),
        None => SmolStr::from(index.to_string()),
    });
    shown.collect()
}
