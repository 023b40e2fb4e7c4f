//! Finds a place for each object and each module of a graph.
//!
//! Each module is laid out by itself, in layers from right to left: dependencies are on the left. A called module is a single
//! item in the layout of its caller, as large as its own layout.

use std::collections::{BTreeMap, BTreeSet};

use rust_sugiyama::configure::Config;
use terrane::source::sorted_map;
use terrane::{Graph, GraphEdge, ModuleBox, ModulePath, ObjectId};

/// The height of an object.
const OBJECT_HEIGHT: f64 = 26.0;
/// The width of a character of a label.
const CHARACTER_WIDTH: f64 = 7.3;
/// The horizontal space around the label of an object.
const LABEL_SPACE: f64 = 18.0;
/// The space between items, and between items and the border of their box.
const SPACE: f64 = 22.0;
/// The further space between two layers, in which edges bend.
const LAYER_SPACE: f64 = 14.0;
/// The space between two layers.
pub(crate) const LAYER_GAP: f64 = SPACE + LAYER_SPACE;
/// The least space between a lane and an item above or below it.
const CLEARANCE: f64 = 8.0;
/// The least space between two lanes.
const LANE_SPACE: f64 = 4.0;
/// The height of the title of a box.
const TITLE_HEIGHT: f64 = 20.0;

/// A rectangle; `x` and `y` are its upper left corner.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    fn moved(self, x: f64, y: f64) -> Area {
        Area { x: self.x + x, y: self.y + y, ..self }
    }
}

/// The box of a module.
#[derive(Clone, Debug)]
pub(crate) struct PlacedModule {
    pub(crate) path: ModulePath,
    pub(crate) area: Area,
}

/// The places of all objects and modules.
#[derive(Clone, Default, Debug)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The place of each object.
    pub(crate) objects: BTreeMap<ObjectId, Area>,
    /// The modules below the root module. A caller comes before the modules that it calls.
    pub(crate) modules: Vec<PlacedModule>,
    /// The route of each edge between two items of a module: a lane in each layer from the first item to the second, without
    /// height. No item covers a lane, apart from the ends.
    routes: BTreeMap<(Item, Item), Vec<Area>>,
    /// The layer of each item in its module: its left side and its width.
    pub(crate) layers: BTreeMap<Item, Area>,
    /// The areas of the items of each module.
    pub(crate) contents: BTreeMap<ModulePath, Vec<Area>>,
}

/// A part of the layout of a module: an object or a called module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Item {
    Object(ObjectId),
    Module(ModulePath),
}

/// The dependencies between the items of each module.
pub(crate) type Dependencies = BTreeMap<ModulePath, BTreeSet<(Item, Item)>>;

impl Layout {
    pub(crate) fn of(graph: &Graph) -> Layout {
        let mut layout = of_module(graph, &graph.modules(), &dependencies(graph));
        let objects = graph.objects().enumerate();
        let objects =
            objects.filter_map(|(id, object)| Some((&object.address.module, layout.objects.get(&id)?)));
        for (module, area) in objects {
            layout.contents.entry(module.clone()).or_default().push(*area);
        }
        for placed in &layout.modules {
            let caller = placed.path.split_last().map(|(caller, _)| caller);
            layout.contents.entry(caller.unwrap_or(ModulePath::ROOT)).or_default().push(placed.area);
        }
        layout
    }

    /// Adds the layout of a called module.
    fn add(&mut self, path: &ModulePath, inner: Layout, area: Area) {
        self.modules.push(PlacedModule { path: path.clone(), area });
        let (x, y) = (area.x, area.y + TITLE_HEIGHT);
        self.objects.extend(inner.objects.into_iter().map(|(object, area)| (object, area.moved(x, y))));
        let modules = inner.modules.into_iter();
        self.modules.extend(modules.map(|module| PlacedModule { area: module.area.moved(x, y), ..module }));
        let moved = |route: Vec<Area>| route.into_iter().map(|lane| lane.moved(x, y)).collect();
        self.routes.extend(inner.routes.into_iter().map(|(ends, route)| (ends, moved(route))));
        self.layers.extend(inner.layers.into_iter().map(|(item, layer)| (item, layer.moved(x, y))));
    }

    /// Returns the innermost module that contains two objects, and the lanes of an edge between them in this module. `None` for
    /// an edge that closes a cycle.
    pub(crate) fn route(&self, graph: &Graph, from: ObjectId, to: ObjectId) -> Option<(ModulePath, &[Area])> {
        let (module, ends) = ends(graph, from, to)?;
        Some((module, self.routes.get(&ends)?))
    }
}

/// Returns the edges by the innermost module that contains both ends, as edges between the items of that module.
pub(crate) fn dependencies(graph: &Graph) -> Dependencies {
    let mut all = Dependencies::new();
    for GraphEdge { from, to, .. } in graph.dependencies() {
        if let Some((module, ends)) = ends(graph, from, to) {
            all.entry(module).or_default().insert(ends);
        }
    }
    all
}

/// Returns the innermost module that contains two objects, and its items that they are in. `None` if that is the same item.
fn ends(graph: &Graph, from: ObjectId, to: ObjectId) -> Option<(ModulePath, (Item, Item))> {
    let (one, other) = (&graph.objects()[from].address.module, &graph.objects()[to].address.module);
    let common = one.steps().iter().zip(other.steps()).take_while(|(a, b)| a == b).count();
    let item = |object, path: &ModulePath| match path.steps().len() == common {
        true => Item::Object(object),
        false => Item::Module(path.beginning(common + 1)),
    };
    let (from, to) = (item(from, one), item(to, other));
    (from != to).then(|| (one.beginning(common), (from, to)))
}

/// Returns the layout of a module. Calls are nested no deeper than the loader allows.
fn of_module(graph: &Graph, module: &ModuleBox, all: &Dependencies) -> Layout {
    let mut items = Vec::new();
    let mut sizes = Vec::new();
    for object in &module.objects {
        items.push(Item::Object(*object));
        let label = graph.objects()[*object].address.object.to_string();
        sizes.push((label_width(&label), OBJECT_HEIGHT));
    }
    let mut inner = Vec::new();
    for called in &module.modules {
        let layout = of_module(graph, called, all);
        let title = label_width(&called.path.to_string());
        items.push(Item::Module(called.path.clone()));
        sizes.push((layout.width.max(title), layout.height + TITLE_HEIGHT));
        inner.push(layout);
    }
    let positions: BTreeMap<&Item, u32> = sorted_map(items.iter().zip(0..));
    let edges = all.get(&module.path).into_iter().flatten();
    let edges: Vec<Edge> = edges
        .filter_map(|(from, to)| Some(Edge { from: *positions.get(from)?, to: *positions.get(to)? }))
        .collect();
    let Arrangement { placed, routes } = arranged(&sizes, &edges);
    let mut layout = Layout::default();
    for (edge, route) in routes {
        let item = |position: u32| items.get(position as usize).cloned();
        layout.routes.extend(item(edge.from).zip(item(edge.to)).map(|ends| (ends, route)));
    }
    let mut inner = inner.into_iter();
    for (item, PlacedItem { area, layer, .. }) in items.iter().zip(placed) {
        layout.layers.insert(item.clone(), layer);
        layout.width = layout.width.max(area.x + area.width + SPACE);
        layout.height = layout.height.max(area.y + area.height + SPACE);
        match item {
            Item::Object(object) => drop(layout.objects.insert(*object, area)),
            Item::Module(path) => layout.add(path, inner.next().unwrap_or_default(), area),
        }
    }
    layout
}

#[expect(clippy::cast_precision_loss, reason = "labels are short")]
fn label_width(label: &str) -> f64 {
    label.chars().count() as f64 * CHARACTER_WIDTH + LABEL_SPACE
}

/// A dependency between two items of a module, by their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The places of items of the given sizes, without overlaps, and the routes of the edges between them.
struct Arrangement {
    placed: Vec<PlacedItem>,
    routes: Vec<(Edge, Vec<Area>)>,
}

/// An item or lane of a layout, with its layer: all of the column in which it stands.
#[derive(Clone, Copy, Default, Debug)]
struct PlacedItem {
    item: usize,
    area: Area,
    layer: Area,
}

/// Arranges items. An edge over several layers gets a lane in each layer between its ends, which no item covers.
fn arranged(sizes: &[(f64, f64)], edges: &[Edge]) -> Arrangement {
    let edges = without_cycles(sizes.len(), edges);
    let mut parts = layered(sizes, &edges);
    let mut part_of: Vec<Option<(usize, PlacedItem)>> = vec![None; sizes.len()];
    for (number, part) in parts.iter().enumerate() {
        for placed in part {
            part_of.get_mut(placed.item).into_iter().for_each(|place| *place = Some((number, *placed)));
        }
    }
    let mut layers: Vec<Layers> = parts.iter().map(|part| Layers::of(part)).collect();
    let mut count = sizes.len();
    let mut routes = Vec::with_capacity(edges.len());
    for edge in edges {
        let end = |item: u32| part_of.get(item as usize).copied().flatten();
        let (Some((number, from)), Some((_, to))) = (end(edge.from), end(edge.to)) else { continue };
        let (Some(part), Some(layers)) = (parts.get_mut(number), layers.get_mut(number)) else { continue };
        let mut route = vec![from.item];
        for area in layers.lanes(from, to) {
            part.push(PlacedItem { item: count, area, layer: area });
            route.push(count);
            count += 1;
        }
        route.push(to.item);
        routes.push((edge, route));
    }
    let placed = shelved(&parts, count);
    let lane = |item: &usize| {
        let PlacedItem { area, layer, .. } = placed.get(*item)?;
        Some(Area { y: area.y + area.height / 2.0, height: 0.0, ..*layer })
    };
    let routes = routes.into_iter().map(|(edge, route)| (edge, route.iter().filter_map(lane).collect()));
    Arrangement { routes: routes.collect(), placed: placed.into_iter().take(sizes.len()).collect() }
}

/// The layers of a connected part of a layout from left to right: the area of each, and the items and lanes in it.
struct Layers(Vec<(Area, Vec<Area>)>);

impl Layers {
    fn of(part: &[PlacedItem]) -> Layers {
        let mut sorted: Vec<&PlacedItem> = part.iter().collect();
        sorted.sort_by(|one, other| one.layer.x.total_cmp(&other.layer.x));
        let layers = sorted.chunk_by(|one, other| one.layer.x == other.layer.x);
        let of_layer = |layer: &[&PlacedItem]| {
            let areas = layer.iter().map(|placed| placed.area).collect();
            Some((layer.first()?.layer, areas))
        };
        Layers(layers.filter_map(of_layer).collect())
    }

    /// Returns a lane in each layer between two items, from right to left: the free height that is nearest to the straight line
    /// from the last lane to the end.
    fn lanes(&mut self, from: PlacedItem, to: PlacedItem) -> Vec<Area> {
        let is_between = |layer: &Area| to.layer.x < layer.x && layer.x < from.layer.x;
        let middle = |placed: &PlacedItem| placed.area.y + placed.area.height / 2.0;
        let (mut x, mut y) = (from.layer.x, middle(&from));
        let (end_x, end_y) = (to.layer.x, middle(&to));
        let mut lanes = Vec::new();
        for (layer, areas) in self.0.iter_mut().rev().filter(|(layer, _)| is_between(layer)) {
            let wanted = y + (end_y - y) * (x - layer.x) / (x - end_x);
            y = free(areas, *layer, wanted);
            x = layer.x;
            let lane = Area { y, height: 0.0, ..*layer };
            areas.push(lane);
            lanes.push(lane);
        }
        lanes
    }
}

/// Returns the height nearest to `y` at which no item covers a lane.
pub(crate) fn free(items: &[Area], lane: Area, y: f64) -> f64 {
    let is_across = |item: &&Area| item.x < lane.x + lane.width && lane.x < item.x + item.width;
    let mut covered: Vec<(f64, f64)> = items
        .iter()
        .filter(is_across)
        .map(|item| {
            let space = if item.height > 0.0 { CLEARANCE } else { LANE_SPACE };
            (item.y - space, item.y + item.height + space)
        })
        .collect();
    covered.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let (mut upper, mut lower) = (y, y);
    // Items that touch each other cover one range.
    let mut ranges: Vec<(f64, f64)> = Vec::new();
    for (start, end) in covered {
        match ranges.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            Some(_) | None => ranges.push((start, end)),
        }
    }
    if let Some((start, end)) = ranges.into_iter().find(|(start, end)| *start < y && y < *end) {
        (upper, lower) = (start, end);
    }
    if y - upper <= lower - y { upper } else { lower }
}

/// Returns the unconnected parts of a layout in layers.
fn layered(sizes: &[(f64, f64)], edges: &[Edge]) -> Vec<Vec<PlacedItem>> {
    // The library puts layers below each other. Turned by 90 degrees, they are side by side.
    let turned: Vec<(u32, (f64, f64))> = sizes
        .iter()
        .zip(0..)
        .map(|((width, height), item)| (item, (*height, *width + LAYER_SPACE)))
        .collect();
    let edges: Vec<(u32, u32)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let config = Config { vertex_spacing: SPACE, ..Config::default() };
    let found = rust_sugiyama::from_vertices_and_edges(&turned, &edges, &config);
    let mut parts: Vec<Vec<PlacedItem>> = Vec::new();
    for (places, _, _) in found {
        let placed = |(item, (across, along)): (usize, (f64, f64))| {
            let (width, height) = *sizes.get(item)?;
            // Dependencies are in later layers, which are on the left.
            let area = Area { x: -along - width / 2.0, y: across - height / 2.0, width, height };
            Some(PlacedItem { item, area, layer: Area { x: -along, ..Area::default() } })
        };
        let mut part: Vec<PlacedItem> = places.into_iter().filter_map(placed).collect();
        widen_layers(&mut part);
        part.sort_unstable_by_key(|placed| placed.item);
        parts.push(part);
    }
    parts.sort_unstable_by_key(|part| part.first().map(|placed| placed.item));
    parts
}

/// Makes each layer, which is a position so far, as wide as its widest item.
fn widen_layers(part: &mut [PlacedItem]) {
    part.sort_unstable_by(|one, other| one.layer.x.total_cmp(&other.layer.x));
    for layer in part.chunk_by_mut(|one, other| one.layer.x == other.layer.x) {
        let widest = layer.iter().map(|placed| placed.area.width).fold(0.0, f64::max);
        for placed in layer {
            placed.layer = Area { x: placed.layer.x - widest / 2.0, width: widest, ..Area::default() };
        }
    }
}

/// Arranges unconnected parts of a layout side by side, in rows of about the same length.
fn shelved(parts: &[Vec<PlacedItem>], items: usize) -> Vec<PlacedItem> {
    let extents: Vec<Area> = parts.iter().map(|part| extent(part)).collect();
    let covered: f64 = extents.iter().map(|area| (area.width + SPACE) * (area.height + SPACE)).sum();
    let widest = extents.iter().map(|area| area.width).fold(0.0, f64::max);
    let row_end = widest.max((covered * 1.6).sqrt()) + SPACE;
    let mut all = vec![PlacedItem::default(); items];
    let (mut x, mut y, mut row_height) = (SPACE, SPACE, 0.0_f64);
    for (part, extent) in parts.iter().zip(extents) {
        if x > SPACE && x + extent.width > row_end {
            (x, y, row_height) = (SPACE, y + row_height + SPACE, 0.0);
        }
        for placed in part {
            if let Some(place) = all.get_mut(placed.item) {
                let (area, layer) =
                    [placed.area, placed.layer].map(|area| area.moved(x - extent.x, y - extent.y)).into();
                *place = PlacedItem { area, layer, ..*placed };
            }
        }
        x += extent.width + SPACE;
        row_height = row_height.max(extent.height);
    }
    all
}

/// Returns the smallest rectangle around all items.
fn extent(part: &[PlacedItem]) -> Area {
    let of = |side: fn(&Area) -> f64| part.iter().map(move |placed| side(&placed.area));
    let (x, y) =
        (of(|area| area.x).fold(f64::INFINITY, f64::min), of(|area| area.y).fold(f64::INFINITY, f64::min));
    let right = of(|area| area.x + area.width).fold(f64::NEG_INFINITY, f64::max);
    let lower = of(|area| area.y + area.height).fold(f64::NEG_INFINITY, f64::max);
    Area { x, y, width: right - x, height: lower - y }
}

/// Returns the edges without those that close a cycle, which the library does not accept.
pub(crate) fn without_cycles(items: usize, edges: &[Edge]) -> Vec<Edge> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut next: Vec<Vec<Edge>> = vec![Vec::new(); items];
    for edge in edges {
        if let Some(next) = next.get_mut(edge.from as usize) {
            next.push(*edge);
        }
    }
    let mut states = vec![State::New; items];
    let mut kept = Vec::new();
    for start in 0..items {
        let mut path = vec![start];
        while let Some(item) = path.last().copied() {
            let (Some(state), Some(left)) = (states.get_mut(item), next.get_mut(item)) else { break };
            if *state == State::Done {
                path.pop();
                continue;
            }
            *state = State::Open;
            let Some(edge) = left.pop() else {
                *state = State::Done;
                path.pop();
                continue;
            };
            match states.get(edge.to as usize) {
                Some(State::New) => {
                    kept.push(edge);
                    path.push(edge.to as usize);
                }
                Some(State::Done) => kept.push(edge),
                Some(State::Open) | None => {}
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use terrane::{MemoryFiles, Project};

    use super::*;

    fn overlap(one: &Area, other: &Area) -> bool {
        one.x < other.x + other.width
            && other.x < one.x + one.width
            && one.y < other.y + other.height
            && other.y < one.y + one.height
    }

    fn contains(outer: &Area, inner: &Area) -> bool {
        outer.x <= inner.x
            && outer.y <= inner.y
            && inner.x + inner.width <= outer.x + outer.width
            && inner.y + inner.height <= outer.y + outer.height
    }

    fn graph() -> Graph {
        let locals: String =
            (1..40).map(|n| format!("  l{n} = [local.l{}, local.l{}]\n", n / 2, n / 3)).collect();
        let main = format!(
            "variable \"v\" {{}}\nlocals {{\n  l0 = var.v\n  alone = 1\n{locals}}}\nmodule \"a\" {{\n  source = \"./a\"\n  v = local.l7\n}}\n\
             module \"b\" {{\n  source = \"./a\"\n  v = module.a.o\n}}\nlocals {{ back = module.b.o }}\n"
        );
        let child = "variable \"v\" {}\nmodule \"c\" {\n  source = \"./c\"\n  v = var.v\n}\noutput \"o\" { value = module.c.o }\n";
        let inner = "variable \"v\" {}\noutput \"o\" { value = var.v }\nresource \"some_long_type\" \"r\" { v = var.v }\n";
        let files = [("main.tf", main.as_str()), ("a/main.tf", child), ("a/c/main.tf", inner)];
        Project::new(".").outline(&MemoryFiles::from_iter(files)).graph
    }

    #[test]
    fn objects_do_not_overlap_and_stand_in_their_modules() {
        let graph = graph();
        let layout = Layout::of(&graph);
        assert_eq!(layout.objects.len(), graph.objects().len());
        assert_eq!(layout.modules.len(), 4);
        let all: Vec<(&ObjectId, &Area)> = layout.objects.iter().collect();
        for (index, (_, one)) in all.iter().enumerate() {
            assert!(all[..index].iter().all(|(_, other)| !overlap(one, other)));
            let whole = Area { x: 0.0, y: 0.0, width: layout.width, height: layout.height };
            assert!(contains(&whole, one), "{one:?}");
        }
        for module in &layout.modules {
            for (object, area) in &layout.objects {
                let path = &graph.objects()[*object].address.module;
                let is_inside = path.steps().starts_with(module.path.steps());
                assert_eq!(contains(&module.area, area), is_inside, "{} {path}", module.path);
                assert_eq!(overlap(&module.area, area), is_inside, "{} {path}", module.path);
            }
        }
    }

    #[test]
    fn dependencies_are_on_the_left() {
        let files =
            MemoryFiles::from_iter([("main.tf", "variable \"a\" {}\noutput \"b\" { value = var.a }\n")]);
        let layout = Layout::of(&Project::new(".").outline(&files).graph);
        let areas: Vec<&Area> = layout.objects.values().collect();
        assert!(areas[0].x + areas[0].width < areas[1].x, "{layout:?}");
    }

    #[test]
    fn cycles_are_laid_out_too() {
        let files = MemoryFiles::from_iter([(
            "main.tf",
            "locals {\n  a = local.b\n  b = local.c\n  c = local.a\n  d = local.d\n}\n",
        )]);
        let layout = Layout::of(&Project::new(".").outline(&files).graph);
        assert_eq!(layout.objects.len(), 4);
        let edge = |from, to| Edge { from, to };
        assert_eq!(without_cycles(3, &[edge(0, 1), edge(1, 2), edge(2, 0)]), [edge(0, 1), edge(1, 2)]);
        assert_eq!(without_cycles(3, &[edge(2, 1), edge(1, 0), edge(2, 0)]).len(), 3);
    }
}
