//! The graph in the language of Graphviz.

use std::collections::BTreeMap;

use terrane_config::{Address, ModulePath};
use terrane_render::{visible, visible_name};

use crate::document::Document;
use crate::json::text::to_text;

impl Document {
    /// Returns the graph in the language of Graphviz, with a box around the objects of each module, inside of the box of its
    /// caller. If a part of the configuration could not be read, a comment at the top says so.
    pub fn to_dot(&self) -> String {
        let mut modules: BTreeMap<&ModulePath, Vec<&Address>> = BTreeMap::new();
        for object in self.graph.objects() {
            modules.entry(&object.address.module).or_default().push(&object.address);
        }
        let note = self.partial_graph_note();
        let mut text = note.map(|note| format!("// {}\n", visible_name(&note))).unwrap_or_default();
        text.push_str(
            "digraph terrane {\n  rankdir = \"RL\"\n  node [shape = \"rect\", fontname = \"sans-serif\"]\n",
        );
        let mut open = Boxes::default();
        for (path, addresses) in modules {
            open.enter(path, &mut text);
            let indent = open.indent();
            for address in addresses {
                let label = address.object.to_string();
                text.push_str(&format!("{indent}{}", string(&address.to_string())));
                text.push_str(&format!(" [label = {}]\n", string(&label)));
            }
        }
        open.enter(&ModulePath::ROOT, &mut text);
        let name = |id| string(&self.graph.objects()[id].address.to_string());
        for edge in self.graph.dependencies() {
            let label = if edge.is_on_whole_module { " [label = \"whole module\"]" } else { "" };
            text.push_str(&format!("  {} -> {}{label}\n", name(edge.from), name(edge.to)));
        }
        text.push_str("}\n");
        text
    }
}

/// The open boxes at a place of the text: of a module and of its callers, outermost first.
#[derive(Default)]
struct Boxes {
    open: Vec<ModulePath>,
}

impl Boxes {
    fn indent(&self) -> String {
        "  ".repeat(self.open.len() + 1)
    }

    /// Closes the boxes that do not contain the module at `path`, and opens the missing ones.
    fn enter(&mut self, path: &ModulePath, text: &mut String) {
        while self.open.last().is_some_and(|last| !path.steps().starts_with(last.steps())) {
            self.open.pop();
            text.push_str(&format!("{}}}\n", self.indent()));
        }
        for step in path.steps().iter().skip(self.open.len()) {
            let child = |outer: &ModulePath| outer.child(&step.name, step.key.clone());
            let module = self.open.last().map_or_else(|| child(&ModulePath::ROOT), child);
            let (indent, name) = (self.indent(), module.to_string());
            let cluster = string(&format!("cluster_{name}"));
            text.push_str(&format!("{indent}subgraph {cluster} {{\n{indent}  label = {}\n", string(&name)));
            self.open.push(module);
        }
    }
}

/// Returns a text in quotes, with the escapes of JSON, which Graphviz understands. Other programs print labels, so control
/// characters are made visible.
fn string(text: &str) -> String {
    to_text(&visible(text))
}
