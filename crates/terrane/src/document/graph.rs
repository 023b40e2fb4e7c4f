//! The dependency graph of a configuration, as a Graphviz or JSON document.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use terrane_config::address::{Object, ResourceMode};
use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::ids::Arena;
use terrane_config::{Address, Declaration, Dependencies, ModulePath};
use terrane_module::graph::dependencies;
use terrane_packer as packer;
use terrane_render::{visible, visible_name};
use terrane_source::{Diagnostics, Files, Subject};

use crate::document::json::range::RangeJson;
use crate::document::json::text::to_text;
use crate::project::Project;
use crate::report::missing_text;
use crate::template::{PackerTemplate, gaps};

/// The objects of a configuration and their dependencies.
///
/// ```
/// use terrane::{MemoryFiles, Project};
///
/// let files: MemoryFiles =
///     [("main.tf", "variable \"a\" {}\noutput \"b\" { value = var.a }")].into_iter().collect();
/// let graph = Project::new(".").graph(&files);
/// let edges: Vec<String> = graph.edges().map(|(from, to)| format!("{from} -> {to}")).collect();
/// assert_eq!(edges, ["output.b -> var.a"]);
/// ```
#[derive(Debug)]
pub struct Graph {
    objects: Arena<ObjectId, GraphObject>,
    edges: Vec<Edge<ObjectId>>,
    diagnostics: Diagnostics,
    /// Why objects are missing.
    missing: Option<String>,
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

impl Project {
    /// The dependency graph of all modules. Loads the configuration without evaluating it.
    pub fn graph(&self, files: &dyn Files) -> Graph {
        let loaded = terrane_module::load(self.request().clone(), files);
        let mut diagnostics = loaded.diagnostics;
        let dependencies = dependencies(&loaded.config, &mut diagnostics);
        Graph::new(dependencies, diagnostics, missing_text(&loaded.gaps))
    }
}

impl PackerTemplate {
    /// The dependency graph of the template. Loads it without evaluating its builds.
    pub fn graph(&self, files: &dyn Files) -> Graph {
        let loaded = packer::load(self.request(), files);
        let missing = missing_text(&gaps(&loaded));
        let mut diagnostics = loaded.diagnostics;
        diagnostics.extend(loaded.deferred);
        let dependencies = packer::dependencies(&loaded.template, &mut diagnostics);
        Graph::new(dependencies, diagnostics, missing)
    }
}

impl Graph {
    fn new(dependencies: Dependencies, diagnostics: Diagnostics, missing: Option<String>) -> Graph {
        let subject = |declaration: &Declaration| Subject {
            file: Arc::clone(&declaration.file),
            span: declaration.span,
        };
        let objects = dependencies.objects.iter().map(|object| GraphObject {
            address: object.address.clone(),
            declaration: object.declaration.as_ref().map(subject),
        });
        Graph { objects: objects.collect(), edges: dependencies.edges, diagnostics, missing }
    }

    /// All objects; those of a caller come before those of the modules it calls.
    pub fn objects(&self) -> &[GraphObject] {
        self.objects.as_slice()
    }

    /// Each dependency: an object and the object it depends on.
    pub fn edges(&self) -> impl Iterator<Item = (&Address, &Address)> {
        let address = |id| &self.objects[id].address;
        self.edges.iter().map(move |edge| (address(edge.from), address(edge.to)))
    }

    /// Errors and warnings about the configuration, including cycles.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Whether a part of the configuration could not be read, so that objects and references are missing.
    pub fn is_partial(&self) -> bool {
        self.missing.is_some()
    }

    /// The graph in the language of Graphviz, with a box around the objects of each module. If a part of the configuration
    /// could not be read, a comment at the top says so.
    pub fn to_dot(&self) -> String {
        let mut modules: BTreeMap<&ModulePath, Vec<&Address>> = BTreeMap::new();
        for object in &self.objects {
            modules.entry(&object.address.module).or_default().push(&object.address);
        }
        let note = self
            .missing
            .as_ref()
            .map(|reason| format!("partial graph: {reason}; objects in the unreadable text are missing"));
        let mut text = note.map(|note| format!("// {}\n", visible_name(&note))).unwrap_or_default();
        text.push_str(
            "digraph terrane {\n  rankdir = \"RL\"\n  node [shape = \"rect\", fontname = \"sans-serif\"]\n",
        );
        for (path, addresses) in modules {
            let indent = if path.is_root() { "  " } else { "    " };
            if !path.is_root() {
                let name = path.to_string();
                let cluster = string(&format!("cluster_{name}"));
                text.push_str(&format!("  subgraph {cluster} {{\n    label = {}\n", string(&name)));
            }
            for address in addresses {
                let label = address.object.to_string();
                text.push_str(&format!("{indent}{}", string(&address.to_string())));
                text.push_str(&format!(" [label = {}]\n", string(&label)));
            }
            text.push_str(if path.is_root() { "" } else { "  }\n" });
        }
        for (from, to) in self.edges() {
            text.push_str(&format!("  {} -> {}\n", string(&from.to_string()), string(&to.to_string())));
        }
        text.push_str("}\n");
        text
    }

    /// The graph as a JSON document: `objects` with `address`, `kind`, `module` and `source`, and `edges` with `from` and `to`.
    /// `partial` is there, and true, if a part of the configuration could not be read.
    pub fn to_json(&self) -> String {
        let objects = self.objects.iter().map(|object| ObjectJson {
            address: object.address.to_string(),
            kind: kind(&object.address.object),
            module: object.address.module.to_string(),
            source: object.declaration.as_ref().map(RangeJson::of),
        });
        let edges = self.edges().map(|(from, to)| EdgeJson { from: from.to_string(), to: to.to_string() });
        to_text(&GraphJson {
            format_version: "1.0",
            partial: self.is_partial(),
            objects: objects.collect(),
            edges: edges.collect(),
        })
    }
}

#[derive(Serialize)]
struct GraphJson<'g> {
    format_version: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    objects: Vec<ObjectJson<'g>>,
    edges: Vec<EdgeJson>,
}

#[derive(Serialize)]
struct ObjectJson<'g> {
    address: String,
    kind: &'static str,
    module: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'g>>,
}

#[derive(Serialize)]
struct EdgeJson {
    from: String,
    to: String,
}

/// A text in quotes, with the escapes of JSON, which Graphviz understands. Other programs print labels, so characters
/// that a terminal would obey are visible.
fn string(text: &str) -> String {
    to_text(&visible(text))
}

fn kind(object: &Object) -> &'static str {
    match object {
        Object::Variable(_) => "variable",
        Object::Local(_) => "local",
        Object::Output(_) => "output",
        Object::Check(_) => "check",
        Object::ModuleCall(..) => "module",
        Object::Resource(ResourceMode::Action, ..) => "action",
        Object::Resource(..) => "resource",
        Object::Provider(_) => "provider",
        Object::Import(_) => "import",
        Object::Source(..) => "source",
        Object::Build(_) => "build",
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Graph, PackerTemplate, Project};

    fn graph(root: &str) -> Graph {
        let child =
            "variable \"v\" {}\nresource \"x_y\" \"r\" { a = var.v }\noutput \"o\" { value = x_y.r.id }\n";
        Project::new(".").graph(&MemoryFiles::from_iter([("main.tf", root), ("m/main.tf", child)]))
    }

    fn edges(graph: &Graph) -> Vec<String> {
        graph.edges().map(|(from, to)| format!("{from} {to}")).collect()
    }

    #[test]
    fn edges_lead_into_modules_and_out_of_them() {
        let graph = graph(
            "locals { a = module.m.o }\nmodule \"m\" {\n  source = \"./m\"\n  for_each = var.n\n  v = 1\n}\nvariable \"n\" {}\n",
        );
        assert!(!graph.diagnostics().has_errors());
        let edges = edges(&graph);
        for edge in [
            "local.a module.m.output.o",
            "module.m.output.o module.m.x_y.r",
            "module.m var.n",
            "module.m.x_y.r module.m",
        ] {
            assert!(edges.contains(&edge.to_owned()), "{edge}: {edges:?}");
        }
        assert!(graph.to_dot().contains("subgraph \"cluster_module.m\""));
    }

    #[test]
    fn a_call_without_count_or_for_each_is_not_a_dependency() {
        let graph = graph("module \"m\" {\n  source = \"./m\"\n  v = 1\n}\n");
        assert_eq!(edges(&graph), ["module.m.x_y.r module.m.var.v", "module.m.output.o module.m.x_y.r"]);
        assert!(graph.to_json().ends_with(r#"{"from":"module.m.output.o","to":"module.m.x_y.r"}]}"#));
    }

    #[test]
    fn resources_depend_on_provider_configurations_and_imports_on_resources() {
        let graph = graph(
            "variable \"v\" {}\nprovider \"x\" { a = var.v }\nprovider \"x\" {\n  alias = \"w\"\n}\n\
             module \"m\" {\n  source = \"./m\"\n  v = 1\n  providers = { x = x.w }\n}\nresource \"x_y\" \"r\" {}\n\
             import {\n  to = module.m.x_y.r\n  id = var.v\n}\n",
        );
        let edges = edges(&graph);
        for edge in [
            "provider.x var.v",
            "x_y.r provider.x",
            "module.m.x_y.r provider.x.w",
            "import.module.m.x_y.r module.m.x_y.r",
            "import.module.m.x_y.r var.v",
        ] {
            assert!(edges.contains(&edge.to_owned()), "{edge}: {edges:?}");
        }
        assert!(graph.to_json().contains(r#""address":"provider.x.w","kind":"provider""#));
    }

    #[test]
    fn a_build_depends_on_its_sources_and_the_references_of_its_blocks() {
        let template = "variable \"v\" {}\nlocals { a = data.null.d.output }\n\
                        data \"null\" \"d\" { input = var.v }\n\
                        source \"null\" \"x\" { ssh_host = local.a }\nsource \"null\" \"y\" {}\n\
                        build {\n  name = \"n\"\n  sources = [\"source.null.x\"]\n  source \"null.y\" {}\n  \
                        provisioner \"shell\" { inline = [local.a] }\n}\nbuild { sources = local.a }\n";
        let files = MemoryFiles::from_iter([("a.pkr.hcl", template)]);
        let graph = PackerTemplate::new(".").graph(&files);
        assert!(!graph.diagnostics().has_errors(), "{:?}", graph.diagnostics());
        let expected = [
            "local.a data.null.d",
            "data.null.d var.v",
            "source.null.x local.a",
            "build.n local.a",
            "build.n source.null.x",
            "build.n source.null.y",
            "build.1 local.a",
        ];
        assert_eq!(edges(&graph), expected);
        assert!(graph.to_json().contains("\"kind\":\"build\""), "{}", graph.to_json());
    }

    #[test]
    fn a_cycle_in_a_template_is_reported() {
        let files = MemoryFiles::from_iter([("a.pkr.hcl", "locals {\n  a = local.b\n  b = local.a\n}\n")]);
        let graph = PackerTemplate::new(".").graph(&files);
        assert!(graph.diagnostics().has_errors());
        assert_eq!(edges(&graph), ["local.a local.b", "local.b local.a"]);
    }

    #[test]
    fn a_cycle_is_reported_and_shown() {
        let graph = graph("module \"m\" {\n  source = \"./m\"\n  v = module.m.o\n}\n");
        assert!(graph.diagnostics().has_errors());
        let detail = &graph.diagnostics().as_slice()[0].detail;
        assert!(detail.contains("`module.m.var.v` (main.tf:3:3)"), "{detail}");
        assert_eq!(edges(&graph).len(), 3);
    }
}
