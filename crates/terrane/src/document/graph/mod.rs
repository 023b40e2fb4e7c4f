//! The blocks of a configuration and the dependencies between them.
//!
//! `focus` selects a part, `boxes` finds the modules. Writers: `dot` for Graphviz, `mermaid`, and `json/graph.rs` for JSON.

mod boxes;
mod dot;
mod focus;
mod mermaid;

use std::collections::BTreeSet;

use terrane_config::address::{Object, ResourceMode};
use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::ids::Arena;
use terrane_config::{Address, Dependencies};
use terrane_source::Subject;

pub use self::boxes::ModuleBox;

/// The blocks of a configuration and the dependencies between them.
///
/// [`Project::outline`](crate::Project::outline) collects the graph without an evaluation,
/// [`Report::document_with_graph`](crate::Report::document_with_graph) beside the values.
#[derive(Clone, Debug)]
pub struct Graph {
    objects: Arena<ObjectId, GraphObject>,
    edges: Vec<Edge<ObjectId>>,
    /// The edges to module calls that stand for every object of the called module.
    whole: BTreeSet<Edge<ObjectId>>,
    /// The object around which [`Graph::focused`] has selected the others.
    focus: Option<ObjectId>,
}

/// An object in a [`Graph`]: a block, or an attribute of `locals`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphObject {
    /// Its name, without instance keys.
    pub address: Address,
    /// Where it is declared.
    pub declaration: Option<Subject>,
}

/// A dependency between two objects of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GraphEdge {
    /// The object.
    pub from: ObjectId,
    /// The object that it depends on.
    pub to: ObjectId,
    /// Whether the dependency is on everything in the called module, as in `depends_on = [module.m]`. `to` is then the module
    /// call; it stands for itself and for all objects whose addresses begin with its own.
    pub is_on_whole_module: bool,
}

impl GraphObject {
    /// Returns the kind in documents, such as `variable` or `resource`.
    pub fn kind(&self) -> &'static str {
        match self.address.object {
            Object::Variable(_) => "variable",
            Object::Local(_) => "local",
            Object::Output(_) => "output",
            Object::Check(_) => "check",
            Object::ModuleCall(..) => "module",
            Object::Resource { mode: ResourceMode::Action, .. } => "action",
            Object::Resource { .. } => "resource",
            Object::Provider(_) => "provider",
            Object::Import(_) => "import",
            Object::Source(..) => "source",
            Object::Build(_) => "build",
        }
    }
}

impl Graph {
    /// A graph without objects.
    pub(crate) fn empty() -> Graph {
        Graph { objects: Arena::default(), edges: Vec::new(), whole: BTreeSet::new(), focus: None }
    }

    pub(crate) fn of(dependencies: Dependencies) -> Graph {
        let objects = dependencies.objects.iter().map(|object| GraphObject {
            address: object.address.clone(),
            declaration: object.declaration.as_ref().cloned(),
        });
        Graph {
            objects: objects.collect(),
            edges: dependencies.edges,
            whole: dependencies.whole,
            focus: None,
        }
    }

    /// Returns all objects. The objects of a caller come before the objects of the modules it calls.
    pub fn objects(&self) -> &Arena<ObjectId, GraphObject> {
        &self.objects
    }

    /// Returns each dependency: an object and the object it depends on.
    pub fn edges(&self) -> impl Iterator<Item = (&Address, &Address)> {
        let address = |id| &self.objects[id].address;
        self.edges.iter().map(move |edge| (address(edge.from), address(edge.to)))
    }

    /// Returns each dependency, in order, by the ids of its objects.
    pub fn dependencies(&self) -> impl Iterator<Item = GraphEdge> {
        self.edges.iter().map(|edge| GraphEdge {
            from: edge.from,
            to: edge.to,
            is_on_whole_module: self.whole.contains(edge),
        })
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Document, PackerTemplate, Project, Secrets};

    fn graph(root: &str) -> Document {
        let child =
            "variable \"v\" {}\nresource \"x_y\" \"r\" { a = var.v }\noutput \"o\" { value = x_y.r.id }\n";
        Project::new(".").outline(&MemoryFiles::from_iter([("main.tf", root), ("m/main.tf", child)]))
    }

    fn edges(document: &Document) -> Vec<String> {
        document.graph.edges().map(|(from, to)| format!("{from} {to}")).collect()
    }

    #[test]
    fn edges_lead_into_modules_and_out_of_them() {
        let document = graph(
            "locals { a = module.m.o }\nmodule \"m\" {\n  source = \"./m\"\n  for_each = var.n\n  v = 1\n}\nvariable \"n\" {}\n",
        );
        assert!(!document.diagnostics.has_errors());
        let edges = edges(&document);
        for edge in [
            "local.a module.m.output.o",
            "module.m.output.o module.m.x_y.r",
            "module.m var.n",
            "module.m.x_y.r module.m",
        ] {
            assert!(edges.contains(&edge.to_owned()), "{edge}: {edges:?}");
        }
        assert!(document.to_dot().contains("subgraph \"cluster_module.m\""));
    }

    #[test]
    fn a_call_of_a_missing_module_depends_on_its_arguments() {
        let document = graph(
            "locals {\n  a = 1\n  b = module.m.o\n}\nmodule \"m\" {\n  source = \"x/y/z\"\n  v = local.a\n  w = module.m.o\n}\n",
        );
        assert_eq!(edges(&document), ["module.m local.a", "local.b module.m"]);
    }

    #[test]
    fn a_call_depends_on_the_variables_in_its_source() {
        let root = "variable \"v\" { default = \"./m\" }\nmodule \"a\" {\n  source = var.v\n  v = 1\n}\n";
        let files = MemoryFiles::from_iter([("main.tf", root), ("m/main.tf", "variable \"v\" {}\n")]);
        let project = Project::new(".").dialect("opentofu-1.10".parse().unwrap());
        assert_eq!(edges(&project.outline(&files)), ["module.a var.v"]);
    }

    #[test]
    fn boxes_of_modules_are_inside_of_those_of_their_callers() {
        let files = [
            ("main.tf", "module \"a\" { source = \"./a\" }\nmodule \"z\" { source = \"./a/b\" }\n"),
            ("a/main.tf", "module \"b\" { source = \"./b\" }\n"),
            ("a/b/main.tf", "output \"o\" { value = 1 }\n"),
        ];
        let dot = Project::new(".").outline(&MemoryFiles::from_iter(files)).to_dot();
        let boxes = concat!(
            "  subgraph \"cluster_module.a\" {\n",
            "    label = \"module.a\"\n",
            "    \"module.a.module.b\" [label = \"module.b\"]\n",
            "    subgraph \"cluster_module.a.module.b\" {\n",
            "      label = \"module.a.module.b\"\n",
            "      \"module.a.module.b.output.o\" [label = \"output.o\"]\n",
            "    }\n",
            "  }\n",
            "  subgraph \"cluster_module.z\" {\n",
            "    label = \"module.z\"\n",
            "    \"module.z.output.o\" [label = \"output.o\"]\n",
            "  }\n",
        );
        assert!(dot.contains(boxes), "{dot}");
    }

    #[test]
    fn a_call_without_count_or_for_each_is_not_a_dependency() {
        let document = graph("module \"m\" {\n  source = \"./m\"\n  v = 1\n}\n");
        assert_eq!(edges(&document), ["module.m.x_y.r module.m.var.v", "module.m.output.o module.m.x_y.r"]);
        assert!(
            document.graph_to_json().ends_with(r#"{"from":"module.m.output.o","to":"module.m.x_y.r"}]}"#)
        );
    }

    #[test]
    fn resources_depend_on_provider_configurations_and_on_their_imports() {
        let document = graph(
            "variable \"v\" {}\nprovider \"x\" { a = var.v }\nprovider \"x\" {\n  alias = \"w\"\n}\n\
             module \"m\" {\n  source = \"./m\"\n  v = 1\n  providers = { x = x.w }\n}\nresource \"x_y\" \"r\" {}\n\
             import {\n  to = module.m.x_y.r[\"k\"]\n  id = var.v\n}\n",
        );
        let edges = edges(&document);
        for edge in [
            "provider.x var.v",
            "x_y.r provider.x",
            "module.m.x_y.r provider.x.w",
            "module.m.x_y.r import.module.m.x_y.r",
            "import.module.m.x_y.r var.v",
        ] {
            assert!(edges.contains(&edge.to_owned()), "{edge}: {edges:?}");
        }
        assert!(document.graph_to_json().contains(r#""address":"provider.x.w","kind":"provider""#));
    }

    #[test]
    fn a_build_depends_on_its_sources_and_the_references_of_its_blocks() {
        let template = "variable \"v\" {}\nlocals { a = data.null.d.output }\n\
                        data \"null\" \"d\" { input = var.v }\n\
                        source \"null\" \"x\" { ssh_host = local.a }\nsource \"null\" \"y\" {}\n\
                        build {\n  name = \"n\"\n  sources = [\"source.null.x\"]\n  source \"null.y\" {}\n  \
                        provisioner \"shell\" { inline = [local.a] }\n}\nbuild { sources = local.a }\n";
        let files = MemoryFiles::from_iter([("a.pkr.hcl", template)]);
        let document = PackerTemplate::new(".").outline(&files);
        assert!(!document.diagnostics.has_errors(), "{:?}", document.diagnostics);
        let expected = [
            "local.a data.null.d",
            "data.null.d var.v",
            "source.null.x local.a",
            "build.n local.a",
            "build.n source.null.x",
            "build.n source.null.y",
            "build.1 local.a",
        ];
        assert_eq!(edges(&document), expected);
        assert!(document.graph_to_json().contains("\"kind\":\"build\""), "{}", document.graph_to_json());
    }

    #[test]
    fn an_evaluation_has_the_graph_of_the_outline() {
        let main = "variable \"n\" {}\nmodule \"m\" {\n  source = \"./m\"\n  count = 2\n  v = var.n\n}\nlocals { a = module.m[0].o }\n";
        let child = "variable \"v\" {}\noutput \"o\" { value = var.v }\n";
        let files = MemoryFiles::from_iter([("main.tf", main), ("m/main.tf", child)]);
        let outline = Project::new(".").outline(&files);
        let report = Project::new(".").evaluate(&files);
        let evaluated = report.document_with_graph(Secrets::Hidden);
        assert_eq!(outline.graph_to_json(), evaluated.graph_to_json());
        let mut written = Vec::new();
        outline.write_graph_json(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), outline.graph_to_json());
        assert_eq!(outline.to_dot(), evaluated.to_dot());
        assert_eq!(edges(&outline).len(), 6, "{:?}", edges(&outline));
        // Both documents list the same declarations; only the evaluation has values.
        assert_eq!(outline.variables.len(), evaluated.variables.len());
        assert_eq!(outline.module_calls.len(), 1);
        assert!(outline.values.is_empty() && !evaluated.values.is_empty());
        assert!(report.document(Secrets::Hidden).graph.objects().is_empty());
    }

    #[test]
    fn a_cycle_in_a_template_is_reported() {
        let files = MemoryFiles::from_iter([("a.pkr.hcl", "locals {\n  a = local.b\n  b = local.a\n}\n")]);
        let document = PackerTemplate::new(".").outline(&files);
        assert!(document.diagnostics.has_errors());
        assert_eq!(edges(&document), ["local.a local.b", "local.b local.a"]);
    }

    #[test]
    fn a_cycle_is_reported_and_shown() {
        let document = graph("module \"m\" {\n  source = \"./m\"\n  v = module.m.o\n}\n");
        assert!(document.diagnostics.has_errors());
        let detail = &document.diagnostics.as_slice()[0].detail;
        assert!(detail.contains("`module.m.var.v` (main.tf:3:3)"), "{detail}");
        assert_eq!(edges(&document).len(), 3);
    }
}
