//! Finds the way of an edge between the boxes: lanes that no other object covers.
//!
//! Inside the module that contains both ends, the layout has a lane in each layer. An end inside of a called module is joined to
//! the border of its module by the nearest free lane.

use terrane::{Graph, ModulePath, ObjectId};

use crate::layout::{Area, Item, LAYER_GAP, Layout, free};

/// The side of a module at which an edge leaves or enters it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The side of the dependencies.
    Left,
    /// The side of the dependents.
    Right,
}

/// Returns the lanes of an edge between two objects, from the first object to the second. A lane is an area without height,
/// which the edge crosses from right to left. `None` for an edge that closes a cycle.
pub(crate) fn lanes(graph: &Graph, layout: &Layout, from: ObjectId, to: ObjectId) -> Option<Vec<Area>> {
    let (common, between) = layout.route(graph, from, to)?;
    let mut lanes = to_border(graph, layout, from, &common, Side::Left)?;
    let mut entering = to_border(graph, layout, to, &common, Side::Right)?;
    entering.reverse();
    // The first and the last lane of a route are the layers of the ends.
    lanes.extend(between.get(1..between.len().saturating_sub(1)).unwrap_or_default());
    lanes.extend(entering);
    Some(lanes)
}

/// Returns the lanes from an object out of all modules below `common`, to the side of the last layer.
fn to_border(
    graph: &Graph,
    layout: &Layout,
    object: ObjectId,
    common: &ModulePath,
    side: Side,
) -> Option<Vec<Area>> {
    let mut module = graph.objects()[object].address.module.clone();
    let mut item = Item::Object(object);
    let mut area = *layout.objects.get(&object)?;
    let mut y = area.y + area.height / 2.0;
    let mut lanes = Vec::new();
    loop {
        let layer = *layout.layers.get(&item)?;
        lanes.push(within(side, area, layer, y));
        if module == *common {
            return Some(lanes);
        }
        let around = layout.modules.iter().find(|placed| placed.path == module)?.area;
        let contents = layout.contents.get(&module).map(Vec::as_slice).unwrap_or_default();
        let lane = match side {
            Side::Left => Area { width: (layer.x - LAYER_GAP - around.x).max(0.0), ..around },
            Side::Right => {
                let (start, end) = (layer.x + layer.width + LAYER_GAP, around.x + around.width);
                Area { x: start.min(end), width: (end - start).max(0.0), ..around }
            }
        };
        y = free(contents, lane, y);
        lanes.push(Area { y, height: 0.0, ..lane });
        (item, area) = (Item::Module(module.clone()), around);
        module = module.split_last()?.0;
    }
}

/// Returns the lane from a side of an item to the same side of its layer.
fn within(side: Side, item: Area, layer: Area, y: f64) -> Area {
    let (start, end) = match side {
        Side::Left => (layer.x, item.x),
        Side::Right => (item.x + item.width, layer.x + layer.width),
    };
    Area { x: start, y, width: (end - start).max(0.0), height: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_avoids_the_items_across_it() {
        let item = |x: f64, y: f64| Area { x, y, width: 10.0, height: 10.0 };
        let lane = Area { x: 0.0, y: 0.0, width: 100.0, height: 100.0 };
        assert_eq!(free(&[item(0.0, 20.0)], lane, 10.0), 10.0);
        assert_eq!(free(&[item(0.0, 20.0)], lane, 24.0), 12.0);
        assert_eq!(free(&[item(0.0, 20.0), item(50.0, 10.0)], lane, 24.0), 38.0);
        assert_eq!(free(&[item(200.0, 20.0)], lane, 24.0), 24.0);
    }
}
