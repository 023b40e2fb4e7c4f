//! The graph in the language of Mermaid, which Markdown pages of code hosts draw.

use std::fmt::Write as _;

use terrane_config::ids::Id as _;
use terrane_render::visible_name;

use super::{Graph, GraphEdge, ModuleBox};
use crate::document::Document;

impl Document {
    /// Returns the graph as a flowchart of Mermaid, with a box around the objects of each module. If a part of the
    /// configuration could not be read, a comment says so.
    pub fn to_mermaid(&self) -> String {
        let mut text = String::from("flowchart RL\n");
        if let Some(note) = self.partial_graph_note() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  %% {}", visible_name(&note));
        }
        write_box(&self.graph, &self.graph.modules(), 1, &mut text);
        for GraphEdge { from, to, is_on_whole_module } in self.graph.dependencies() {
            let label = if is_on_whole_module { "|whole module|" } else { "" };
            let _ = writeln!(text, "  n{} -->{label} n{}", from.index(), to.index());
        }
        text
    }
}

/// Writes the objects of a module, and the modules in it as subgraphs. Module calls are nested as deep as the loader allows.
fn write_box(graph: &Graph, module: &ModuleBox, level: usize, text: &mut String) {
    let indent = "  ".repeat(level);
    for id in &module.objects {
        let name = label(&graph.objects()[*id].address.object.to_string());
        let _ = writeln!(text, "{indent}n{}[\"{name}\"]", id.index());
    }
    for inner in &module.modules {
        let name = inner.path.to_string();
        let _ = writeln!(text, "{indent}subgraph \"{}\"", label(&name));
        write_box(graph, inner, level + 1, text);
        let _ = writeln!(text, "{indent}end");
    }
}

/// Returns the text of a label. Characters with a meaning in Mermaid, Markdown or HTML are written as entities of Mermaid.
fn label(text: &str) -> String {
    let mut label = String::new();
    for character in visible_name(text).chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '`' | '\\' | ';' => {
                let _ = write!(label, "#{};", u32::from(character));
            }
            other => label.push(other),
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::Project;

    #[test]
    fn modules_are_boxes_within_boxes() {
        let main = "module \"a\" { source = \"./a\" }\noutput \"o\" { value = module.a.o }\n";
        let files = MemoryFiles::from_iter([
            ("main.tf", main),
            ("a/main.tf", "module \"b\" { source = \"./b\" }\noutput \"o\" { value = module.b.o }\n"),
            (
                "a/b/main.tf",
                "resource \"x_y\" \"r\" { for_each = { \"k\" = 1 } }\noutput \"o\" { value = x_y.r[\"k\"].id }\n",
            ),
        ]);
        let text = Project::new(".").outline(&files).to_mermaid();
        let expected = "flowchart RL\n  n0[\"module.a\"]\n  n1[\"output.o\"]\n  subgraph \"module.a\"\n    n2[\"module.b\"]\n    \
                        n3[\"output.o\"]\n    subgraph \"module.a.module.b\"\n      n4[\"x_y.r\"]\n      n5[\"output.o\"]\n    \
                        end\n  end\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("  n5 --> n4\n") && text.contains("  n1 --> n3\n"), "{text}");
    }

    #[test]
    fn names_cannot_leave_their_label() {
        let main = "resource \"x\\\"]\\n`<b>#;\" \"r\" {}\nlocals {\n";
        let text = Project::new(".").outline(&MemoryFiles::from_iter([("main.tf", main)])).to_mermaid();
        assert!(text.contains("  %% partial graph: "), "{text}");
        let labels: Vec<&str> = text.lines().filter(|line| line.starts_with("  n")).collect();
        assert!(
            labels.iter().all(|line| line.matches('"').count() == 2 && !line.contains(['<', '`'])),
            "{text}"
        );
    }
}
