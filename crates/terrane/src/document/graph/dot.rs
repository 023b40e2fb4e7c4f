//! The graph in the language of Graphviz.

use std::collections::BTreeMap;

use terrane_config::{Address, ModulePath};
use terrane_render::{visible, visible_name};

use crate::document::Document;
use crate::document::json::text::to_text;

impl Document {
    /// The graph in the language of Graphviz, with a box around the objects of each module. If a part of the configuration
    /// could not be read, a comment at the top says so.
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
        for (from, to) in self.graph.edges() {
            text.push_str(&format!("  {} -> {}\n", string(&from.to_string()), string(&to.to_string())));
        }
        text.push_str("}\n");
        text
    }
}

/// A text in quotes, with the escapes of JSON, which Graphviz understands. Other programs print labels, so characters
/// that a terminal would obey are visible.
fn string(text: &str) -> String {
    to_text(&visible(text))
}
