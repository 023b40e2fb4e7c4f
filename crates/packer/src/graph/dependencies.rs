//! The graph of references of a template as data, without evaluating it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use terrane_body::constant::{constant, string_of};
use terrane_body::{Attribute, Block, BodySchema};
use terrane_config::address::{Address, InstanceKey, ModulePath, Object, ResourceMode};
use terrane_config::ids::Id;
use terrane_config::{Dependencies, Dependency};
use terrane_source::Diagnostics;
use terrane_value::SmolStr;

use crate::decode::block::{declaration, label};
use crate::graph::order;
use crate::model::ids::SourceId;
use crate::model::template::Template;
use crate::resolve::source_name::source_name;
use crate::resolve::targets::{Target, targets, targets_in_body};

static BUILD: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().all_optional(&["name", "sources"]).block("source", &["reference"]));

/// The objects of `template` and their references to each other. Cycles are reported, and are in the result.
pub fn dependencies(template: &Template, diagnostics: &mut Diagnostics) -> Dependencies {
    for group in order::order(template).iter().filter(|group| group.is_cycle) {
        order::report_cycle(template, &group.nodes, "failed to prepare execution graph", diagnostics);
    }
    let mut graph = Graph { template, objects: Vec::new(), edges: BTreeSet::new() };
    graph.objects();
    graph.edges();
    Dependencies { objects: graph.objects, edges: graph.edges.into_iter().collect() }
}

/// The objects are the variables, the local values, the data sources, the sources and the builds, in this order.
struct Graph<'t> {
    template: &'t Template,
    objects: Vec<Dependency>,
    edges: BTreeSet<(usize, usize)>,
}

impl Graph<'_> {
    fn objects(&mut self) {
        let template = self.template;
        let variables = template.variables.iter();
        let variables = variables.map(|(name, found)| (Object::Variable(name.clone()), &found.declaration));
        let locals = template.locals.iter();
        let locals = locals.map(|(name, found)| (Object::Local(name.clone()), &found.declaration));
        let data = template.data.iter().map(|(key, found)| {
            let (data_type, name) = (key.component_type.clone(), key.name.clone());
            (Object::Resource(ResourceMode::Data, data_type, name, InstanceKey::None), &found.declaration)
        });
        let sources = template.sources.iter().map(|(key, found)| {
            (Object::Source(key.component_type.clone(), key.name.clone()), &found.declaration)
        });
        let declared = variables.chain(locals).chain(data).chain(sources);
        let declared = declared.map(|(object, declaration)| (object, declaration.clone()));
        let builds = build_names(template).into_iter().zip(&template.builds);
        let builds = builds.map(|(name, block)| (Object::Build(name), declaration(block)));
        self.objects = declared
            .chain(builds)
            .map(|(object, declaration)| Dependency {
                address: Address { module: ModulePath::ROOT, object },
                declaration: Some(declaration),
            })
            .collect();
    }

    fn edges(&mut self) {
        let template = self.template;
        let locals = template.variables.len();
        let data = locals + template.locals.len();
        let sources = data + template.data.len();
        let builds = sources + template.sources.len();
        let position = |target: Target| match target {
            Target::Variable(id) => id.index(),
            Target::Local(id) => locals + id.index(),
            Target::Data(id) => data + id.index(),
        };
        let mut edges = |from: usize, to: BTreeSet<Target>| {
            self.edges.extend(to.into_iter().map(|to| (from, position(to))));
        };
        for (id, local) in template.locals.enumerate() {
            edges(locals + id.index(), targets(template, &local.expression));
        }
        for (id, declared) in template.data.enumerate() {
            edges(data + id.index(), targets_in_body(template, &declared.body));
        }
        for (id, declared) in template.sources.enumerate() {
            edges(sources + id.index(), targets_in_body(template, &declared.body));
        }
        for (build, block) in (builds..).zip(&template.builds) {
            edges(build, targets_in_body(template, &block.body));
        }
        for (build, block) in (builds..).zip(&template.builds) {
            self.edges.extend(used_sources(template, block).map(|source| (build, sources + source.index())));
        }
    }
}

/// The sources that a build names. Names that an expression computes are left out.
fn used_sources(template: &Template, block: &Block) -> impl Iterator<Item = SourceId> {
    let (content, _) = block.body.partial_content(&BUILD, &mut Diagnostics::new());
    let listed = content.attribute("sources").and_then(literal_texts).unwrap_or_default();
    let blocks = content.blocks.iter().map(|block| label(block, 0).0);
    let references: Vec<SmolStr> = listed.into_iter().chain(blocks).collect();
    references.into_iter().filter_map(|text| template.sources.id_of(&source_name(&text)?))
}

/// The strings in a list; nothing where an expression has to be evaluated for it.
fn literal_texts(attribute: &Attribute) -> Option<Vec<SmolStr>> {
    let value = constant(&attribute.literal(), &mut Diagnostics::new())?;
    Some(value.as_sequence()?.iter().filter_map(|element| element.as_str().map(SmolStr::from)).collect())
}

/// The name of each build: its own where it is a constant that no other build has, otherwise its position.
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
