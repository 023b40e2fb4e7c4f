//! Draws the picture: a box for each module, a rectangle for each object, and an arrow for each dependency.

use std::fmt::Write as _;

use quick_xml::escape::escape;
use terrane::config::ids::Id as _;
use terrane::render::visible_name;
use terrane::source::Subject;
use terrane::{Document, GraphEdge};

use crate::layout::{Area, Layout};
use crate::route::lanes;

/// The colours of the parts of the picture.
const STYLE: &str = include_str!("picture.css");

/// The links in a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// No links: the page shows the places.
    None,
    /// From each object to the line of its declaration.
    Lines,
}

/// Returns the picture of a graph.
pub(crate) fn picture(document: &Document, layout: &Layout, links: Links) -> String {
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
                curve(start, end, lanes(&document.graph, layout, from, to).as_deref())
            );
        }
    }
    for (id, object) in document.graph.objects().enumerate() {
        let Some(Area { x, y, width, height }) = layout.objects.get(&id) else { continue };
        let link = object.declaration.as_ref().filter(|_| links == Links::Lines).map(line);
        let (start, end) = match &link {
            Some(link) => (format!("<a href=\"{link}\">"), "</a>"),
            None => (String::new(), ""),
        };
        let _ = writeln!(
            text,
            "{start}<g class=\"object {}\" data-object=\"{}\" transform=\"translate({x:.1},{y:.1})\"><title>{}</title>\
             <rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/><text x=\"9\" y=\"17\">{}</text></g>{end}",
            object.kind(),
            id.index(),
            label(&object.address.to_string()),
            label(&object.address.object.to_string()),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Returns the relative address of a line. Bytes that have a meaning in addresses or tags are escaped.
fn line(place: &Subject) -> String {
    let line = place.file.line_column(place.span.start).line;
    let mut address = String::new();
    for byte in place.file.id().to_string().bytes() {
        // Writing to a string cannot fail.
        _ = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                write!(address, "{}", char::from(byte))
            }
            _ => write!(address, "%{byte:02X}"),
        };
    }
    format!("{address}#L{line}")
}

/// Returns the path from the left side of an object to the right side of its dependency. It follows the lanes and bends between
/// them. An edge that closes a cycle has no lanes.
fn curve(from: &Area, to: &Area, lanes: Option<&[Area]>) -> String {
    let (mut x, mut y) = (from.x, from.y + from.height / 2.0);
    let end = Area { x: to.x + to.width, y: to.y + to.height / 2.0, width: 0.0, height: 0.0 };
    let mut path = format!("M{x:.1},{y:.1}");
    for lane in lanes.unwrap_or_default().iter().chain([&end]) {
        let right = lane.x + lane.width;
        let half = (x - right).abs() / 2.0;
        let bend = if lanes.is_some() { half } else { half.clamp(16.0, 120.0) };
        // Writing to a string cannot fail.
        if (y - lane.y).abs() > 0.05 || lanes.is_none() {
            _ = write!(
                path,
                "C{:.1},{y:.1} {:.1},{:.1} {right:.1},{:.1}",
                x - bend,
                right + bend,
                lane.y,
                lane.y
            );
            x = right;
        }
        if lane.x < x - 0.05 {
            _ = write!(path, "H{:.1}", lane.x);
        }
        (x, y) = (lane.x, lane.y);
    }
    path
}

/// Returns a text of the configuration on one line, with escaped tags.
fn label(text: &str) -> String {
    escape(visible_name(text).as_str()).into_owned()
}

#[cfg(test)]
mod tests {
    use terrane::config::ids::Id as _;
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
        assert!(picture.contains("<a href=\"m/main.tf#L2\"><g class=\"object output\""), "{picture}");
        assert_eq!(picture.matches("<a href=").count(), picture.matches("</g></a>").count());
        assert_eq!(picture, crate::svg(&document).unwrap());
    }

    /// Returns the points of a path, close to each other.
    fn points(path: &str) -> Vec<(f64, f64)> {
        let mut found: Vec<(f64, f64)> = Vec::new();
        let mut rest = path;
        while let Some(name) = rest.chars().next() {
            let end = rest[1..].find(['M', 'C', 'H']).map_or(rest.len(), |end| end + 1);
            let numbers: Vec<f64> =
                rest[1..end].split([',', ' ']).map(|number| number.parse().unwrap()).collect();
            let (x, y) = found.last().copied().unwrap_or_default();
            let steps = (1..=200).map(|step| f64::from(step) / 200.0);
            match (name, numbers.as_slice()) {
                ('M', [x, y]) => found.push((*x, *y)),
                ('H', [end]) => found.extend(steps.map(|t| (x + (end - x) * t, y))),
                ('C', [x1, y1, x2, y2, x3, y3]) => found.extend(steps.map(|t| {
                    let of = |a: f64, b: f64, c: f64, d: f64| {
                        let u = 1.0 - t;
                        u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
                    };
                    (of(x, *x1, *x2, *x3), of(y, *y1, *y2, *y3))
                })),
                other => panic!("{other:?}"),
            }
            rest = &rest[end..];
        }
        found
    }

    /// Returns the text between two texts, and the rest.
    fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<(&'t str, &'t str)> {
        text.split_once(start)?.1.split_once(end)
    }

    const LONG_EDGES: &str = r#"
variable "v" {}
variable "zones" {}
locals {
  nested = { a = var.v, b = 1 }
  more   = [local.nested, var.v]
  most   = [local.more, var.zones]
}
resource "terraform_data" "r" { input = [local.most, var.zones, var.v, local.nested] }
resource "terraform_data" "a_long_name_in_a_layer" { input = [local.more, var.zones] }
module "m" {
  source = "./m"
  v      = [local.nested, var.zones]
}
output "o" { value = [terraform_data.r.id, module.m.o, var.zones, var.v] }
output "p" { value = [local.nested, terraform_data.a_long_name_in_a_layer] }
"#;

    #[test]
    fn no_edge_passes_behind_another_object() {
        let child = "variable \"v\" {}\nlocals {\n  l = var.v\n  n = local.l\n}\noutput \"o\" { value = [local.n, var.v] }\n";
        let files = MemoryFiles::from_iter([("main.tf", LONG_EDGES), ("m/main.tf", child)]);
        let document = Project::new(".").outline(&files);
        let picture = crate::svg(&document).unwrap();
        let layout = crate::layout::Layout::of(&document.graph);
        let names: Vec<String> =
            document.graph.objects().iter().map(|object| object.address.to_string()).collect();
        let mut rest = picture.as_str();
        let mut edges = 0;
        while let Some((from, after)) = between(rest, "data-from=\"", "\"") {
            let (to, after) = between(after, "data-to=\"", "\"").unwrap();
            let (path, after) = between(after, " d=\"", "\"").unwrap();
            rest = after;
            edges += 1;
            let ends: [usize; 2] = [from.parse().unwrap(), to.parse().unwrap()];
            for (object, area) in layout.objects.iter().filter(|(object, _)| !ends.contains(&object.index()))
            {
                let is_inside = |(x, y): &(f64, f64)| {
                    area.x < *x && *x < area.x + area.width && area.y < *y && *y < area.y + area.height
                };
                let name = |object: usize| names[object].clone();
                assert!(
                    !points(path).iter().any(is_inside),
                    "{} -> {} passes behind {}",
                    name(ends[0]),
                    name(ends[1]),
                    name(object.index())
                );
            }
        }
        assert_eq!(edges, document.graph.dependencies().count());
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
