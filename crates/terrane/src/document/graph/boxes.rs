//! The modules of a graph as boxes within boxes, as pictures draw them.

use std::collections::BTreeMap;

use terrane_config::ModulePath;
use terrane_config::dependencies::ObjectId;

use super::Graph;

/// The objects of a module, and the modules that it calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModuleBox {
    /// The calls that lead to the module, without instance keys.
    pub path: ModulePath,
    /// Its objects.
    pub objects: Vec<ObjectId>,
    /// The called modules that contain objects, themselves or in modules that they call.
    pub modules: Vec<ModuleBox>,
}

impl Graph {
    /// Returns the root module, with all other modules inside.
    pub fn modules(&self) -> ModuleBox {
        let mut objects: BTreeMap<ModulePath, Vec<ObjectId>> = BTreeMap::new();
        objects.insert(ModulePath::ROOT, Vec::new());
        for (id, object) in self.objects().enumerate() {
            let mut path = object.address.module.clone();
            objects.entry(path.clone()).or_default().push(id);
            // A caller whose own objects are left out of the graph is a box too.
            while let Some((caller, _)) = path.split_last() {
                objects.entry(caller.clone()).or_default();
                path = caller;
            }
        }
        let mut boxes: BTreeMap<ModulePath, ModuleBox> = objects
            .into_iter()
            .map(|(path, objects)| (path.clone(), ModuleBox { path, objects, modules: Vec::new() }))
            .collect();
        // The longest paths come first: each box is put into its caller before the caller is moved.
        let mut paths: Vec<ModulePath> = boxes.keys().cloned().collect();
        paths.sort_by_key(|path| std::cmp::Reverse(path.steps().len()));
        for path in paths {
            let Some((caller, _)) = path.split_last() else { continue };
            if let Some(inner) = boxes.remove(&path)
                && let Some(outer) = boxes.get_mut(&caller)
            {
                outer.modules.push(inner);
            }
        }
        let empty = ModuleBox { path: ModulePath::ROOT, objects: Vec::new(), modules: Vec::new() };
        boxes.remove(&ModulePath::ROOT).unwrap_or(empty)
    }
}
