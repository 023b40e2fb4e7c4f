//! Returns the graph of references of a template as data, without evaluating the template.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use terrane_body::constant::{constant, string_of};
use terrane_body::{Attribute, Block, BodySchema};
use terrane_config::address::{Address, InstanceKey, ModulePath, Object, ResourceMode};
use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::ids::Arena;
use terrane_config::{Dependencies, Dependency};
use terrane_source::{Diagnostics, Subject, titles};
use terrane_value::SmolStr;

use crate::decode::block::{declaration, label};
use crate::graph::order;
use crate::model::ids::{DataId, LocalId, SourceId, VariableId};
use crate::model::template::Template;
use crate::resolve::source_name::source_name;
use crate::resolve::targets::{Target, targets, targets_in_body};

static BUILD: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["name", "sources"]).block("source", &["reference"]));

/// Returns the objects of `template` and their references to each other. Reports cycles; they
/// are in the result as well.
pub fn dependencies(template: &Template, diagnostics: &mut Diagnostics) -> Dependencies {
    for group in order::order(template).iter().filter(|group| group.is_cycle) {
        order::report_cycle(template, &group.nodes, titles::FAILED_TO_PREPARE_EXECUTION_GRAPH, diagnostics);
    }
    let mut objects = Arena::default();
    let nodes = Nodes::new(template, &mut objects);
    Dependencies { objects, edges: nodes.edges(template).into_iter().collect(), whole: BTreeSet::new() }
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
            .map(|(name, block)| BuildNode { block, object: add(Object::Build(name), &declaration(block)) });
        let builds = builds.collect();
        Nodes { variables, locals, data, sources, builds }
    }

    fn of_target(&self, target: Target) -> ObjectId {
        match target {
            Target::Variable(id) => self.variables[id],
            Target::Local(id) => self.locals[id],
            Target::Data(id) => self.data[id],
        }
    }

    fn edges(&self, template: &Template) -> BTreeSet<Edge<ObjectId>> {
        let mut edges = BTreeSet::new();
        let mut add = |from: ObjectId, to: BTreeSet<Target>| {
            edges.extend(to.into_iter().map(|to| Edge { from, to: self.of_target(to) }));
        };
        for (id, local) in template.locals.enumerate() {
            add(self.locals[id], targets(template, &local.expression));
        }
        for (id, declared) in template.data.enumerate() {
            add(self.data[id], targets_in_body(template, &declared.body));
        }
        for (id, declared) in template.sources.enumerate() {
            add(self.sources[id], targets_in_body(template, &declared.body));
        }
        for build in &self.builds {
            add(build.object, targets_in_body(template, &build.block.body));
        }
        for BuildNode { block, object } in &self.builds {
            let used = used_sources(template, block);
            edges.extend(used.map(|source| Edge { from: *object, to: self.sources[source] }));
        }
        edges
    }
}

/// Returns the sources that a build names. Names that an expression computes are left out.
fn used_sources(template: &Template, block: &Block) -> impl Iterator<Item = SourceId> {
    let (content, _) = block.body.partial_content(&BUILD, &mut Diagnostics::new());
    let listed = content.attribute("sources").and_then(literal_texts).unwrap_or_default();
    let blocks = content.blocks.iter().map(|block| label(block, 0).0);
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
    let is_one = |name: &&String| names.iter().flatten().filter(|other| other == name).count() == 1;
    let shown = names.iter().enumerate().map(|(index, name)| match name.as_ref().filter(is_one) {
        Some(name) => SmolStr::from(name.as_str()),
        None => SmolStr::from(index.to_string()),
    });
    shown.collect()
}
