//! The document of `terrane graph --format json`: blocks without instance keys, and the dependencies between them.

use std::io;

use serde::{Serialize, Serializer};
use terrane_config::{Address, ModulePath};

use super::lazy::{DisplayText, Rows};
use super::range::RangeJson;
use crate::document::{Document, Graph, GraphObject};
use crate::json::text::{to_text, write_text};

impl Document {
    /// Returns the graph as a JSON document: `objects` with `address`, `kind`, `module` and `source`, and `edges` with `from`
    /// and `to`. An edge has `"whole_module": true` if `from` depends on everything in the module that `to` calls. `"partial":
    /// true` is there if a part of the configuration could not be read.
    pub fn graph_to_json(&self) -> String {
        to_text(&GraphJson::of(self))
    }

    /// Writes the text of [`Document::graph_to_json`] piece by piece, so that it is never in memory as a whole.
    pub fn write_graph_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_text(&GraphJson::of(self), out)
    }
}

#[derive(Serialize)]
struct GraphJson<'g> {
    format_version: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    objects: Rows<'g, GraphObject, GraphObjectJson<'g>>,
    edges: EdgesJson<'g>,
}

impl<'g> GraphJson<'g> {
    fn of(document: &'g Document) -> GraphJson<'g> {
        GraphJson {
            format_version: "1.0",
            partial: document.is_partial(),
            objects: Rows::plain(document.graph.objects().as_slice(), GraphObjectJson::of),
            edges: EdgesJson(&document.graph),
        }
    }
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

/// The dependencies of a graph. The view of each is built when it is written.
struct EdgesJson<'g>(&'g Graph);

impl Serialize for EdgesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let address = |id| DisplayText(&self.0.objects()[id].address);
        serializer.collect_seq(self.0.dependencies().map(|edge| {
            let (from, to) = (address(edge.from), address(edge.to));
            EdgeJson { from, to, whole_module: edge.is_on_whole_module }
        }))
    }
}
