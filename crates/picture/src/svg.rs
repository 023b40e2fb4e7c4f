//! Draws the picture: a box for each module, a rectangle for each object, and an arrow for each dependency.

use std::fmt::Write as _;

use quick_xml::escape::escape;
use terrane::config::ids::Id as _;
use terrane::render::visible_name;
use terrane::{Document, GraphEdge};

use crate::layout::{Area, Layout};

/// The colours of the parts of the picture.
const STYLE: &str = include_str!("picture.css");

/// Returns the picture of a graph.
pub(crate) fn picture(document: &Document, layout: &Layout) -> String {
    let (width, height) = (layout.width, layout.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n{STYLE}</style>\n<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" \
         refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0L8,4L0,8z\"/></marker></defs>\n"
    );
    for module in &layout.modules {
        let Area { x, y, width, height } = module.area;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<g class=\"box\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            x + 8.0,
            y + 16.0,
            label(&module.path.to_string()),
        );
    }
    for GraphEdge { from, to, is_on_whole_module, .. } in document.graph.dependencies() {
        let class = if is_on_whole_module { "edge whole" } else { "edge" };
        if let (Some(start), Some(end)) = (layout.objects.get(&from), layout.objects.get(&to)) {
            let _ = writeln!(
                text,
                "<path class=\"{class}\" data-from=\"{}\" data-to=\"{}\" d=\"{}\" marker-end=\"url(#arrow)\"/>",
                from.index(),
                to.index(),
                curve(start, end)
            );
        }
    }
    for (id, object) in document.graph.objects().enumerate() {
        let Some(Area { x, y, width, height }) = layout.objects.get(&id) else { continue };
        let _ = writeln!(
            text,
            "<g class=\"object {}\" data-object=\"{}\" transform=\"translate({x:.1},{y:.1})\"><title>{}</title>\
             <rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/><text x=\"9\" y=\"17\">{}</text></g>",
            object.kind(),
            id.index(),
            label(&object.address.to_string()),
            label(&object.address.object.to_string()),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Returns the path from the left side of an object to the right side of its dependency.
fn curve(from: &Area, to: &Area) -> String {
    let (start_x, start_y) = (from.x, from.y + from.height / 2.0);
    let (end_x, end_y) = (to.x + to.width, to.y + to.height / 2.0);
    let bend = ((start_x - end_x).abs() / 2.0).clamp(16.0, 120.0);
    format!(
        "M{start_x:.1},{start_y:.1}C{:.1},{start_y:.1} {:.1},{end_y:.1} {end_x:.1},{end_y:.1}",
        start_x - bend,
        end_x + bend
    )
}

/// Returns a text of the configuration on one line, with escaped tags.
fn label(text: &str) -> String {
    escape(visible_name(text).as_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use terrane::{MemoryFiles, Project};

    #[test]
    fn every_object_module_and_dependency_is_drawn() {
        let main = "variable \"a\" {}\nmodule \"m\" {\n  source = \"./m\"\n  v = var.a\n}\noutput \"b\" { value = module.m.o }\n";
        let child = "variable \"v\" {}\noutput \"o\" { value = var.v }\n";
        let files = MemoryFiles::from_iter([("main.tf", main), ("m/main.tf", child)]);
        let document = Project::new(".").outline(&files);
        let picture = crate::svg(&document).unwrap();
        assert_eq!(picture.matches("<g class=\"object ").count(), document.graph.objects().len());
        assert_eq!(picture.matches("<path class=\"edge\"").count(), document.graph.edges().count());
        assert_eq!(picture.matches("<g class=\"box\">").count(), 1);
        assert!(picture.contains("<title>module.m.var.v</title>"), "{picture}");
        assert_eq!(picture, crate::svg(&document).unwrap());
    }

    #[test]
    fn names_cannot_become_tags() {
        let main = "resource \"<script>&\\\"\" \"a\\n\\u001b\" {}\n";
        let picture =
            crate::svg(&Project::new(".").outline(&MemoryFiles::from_iter([("main.tf", main)]))).unwrap();
        assert!(picture.contains("&lt;script&gt;&amp;"), "{picture}");
        assert!(!picture.contains("<script>") && !picture.contains('\u{1b}'), "{picture}");
    }

    #[test]
    fn a_graph_that_nobody_can_read_is_an_error() {
        let locals: String = (0..=crate::MAX_OBJECTS).map(|n| format!("  l{n} = 1\n")).collect();
        let files = MemoryFiles::from_iter([("main.tf", format!("locals {{\n{locals}}}\n").as_str())]);
        let error = crate::svg(&Project::new(".").outline(&files)).unwrap_err();
        assert_eq!(error.to_string(), "the graph has 2001 objects, but a picture has at most 2000");
    }
}
