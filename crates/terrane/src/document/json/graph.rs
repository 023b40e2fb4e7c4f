//! The document of `terrane graph --format json`: blocks without instance keys, and the dependencies between them.

use serde::Serialize;
use terrane_config::{Address, ModulePath};

use super::lazy::DisplayText;
use super::range::RangeJson;
use crate::document::{Document, GraphObject};
use crate::json::text::to_text;

impl Document {
    /// Returns the graph as a JSON document: `objects` with `address`, `kind`, `module` and `source`, and `edges` with `from`
    /// and `to`. An edge has `"whole_module": true` if `from` depends on everything in the module that `to` calls. `"partial":
    /// true` is there if a part of the configuration could not be read.
    pub fn graph_to_json(&self) -> String {
        let address = |id| DisplayText(&self.graph.objects()[id].address);
        let edges = self.graph.dependencies().map(|edge| {
            let (from, to) = (address(edge.from), address(edge.to));
            EdgeJson { from, to, whole_module: edge.is_on_whole_module }
        });
        to_text(&GraphJson {
            format_version: "1.0",
            partial: self.is_partial(),
            objects: self.graph.objects().iter().map(GraphObjectJson::of).collect(),
            edges: edges.collect(),
        })
    }
}

#[derive(Serialize)]
struct GraphJson<'g> {
    format_version: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    objects: Vec<GraphObjectJson<'g>>,
    edges: Vec<EdgeJson<'g>>,
}

#[derive(Serialize)]
struct GraphObjectJson<'g> {
    address: DisplayText<&'g Address>,
    kind: &'static str,
    module: DisplayText<&'g ModulePath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RangeJson<'g>>,
}

impl<'g> GraphObjectJson<'g> {
    fn of(object: &'g GraphObject) -> GraphObjectJson<'g> {
        GraphObjectJson {
            address: DisplayText(&object.address),
            kind: object.kind(),
            module: DisplayText(&object.address.module),
            source: object.declaration.as_ref().map(RangeJson::of),
        }
    }
}

#[derive(Serialize)]
struct EdgeJson<'g> {
    from: DisplayText<&'g Address>,
    to: DisplayText<&'g Address>,
    /// Whether the dependency is on everything in the called module.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole_module: bool,
}
