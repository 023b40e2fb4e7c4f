//! The part of a graph around one object: its dependencies and dependents.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use terrane_config::ModulePath;
use terrane_config::address::Object;
use terrane_config::dependencies::ObjectId;
use terrane_config::digraph::Edge;
use terrane_config::ids::Arena;
use terrane_source::{Diagnostic, FileId, SourceFile};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, parse_expr};
use terrane_value::ClosestNames;

use super::{Graph, GraphObject};
use crate::written::shown_address;

/// The direction of a search along edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Towards the dependencies of an object.
    Along,
    /// Towards the dependents of an object.
    Against,
}

/// The edges of a graph, arranged for a search.
struct Neighbours<'g> {
    graph: &'g Graph,
    direction: Direction,
    next: Arena<ObjectId, Vec<ObjectId>>,
    /// The modules that objects depend on as a whole.
    modules: BTreeMap<ObjectId, Vec<ModulePath>>,
    /// The edges to whole modules, by the path of the module.
    edges: BTreeMap<ModulePath, Vec<Edge<ObjectId>>>,
    /// The modules whose objects or edges the search has visited.
    taken: BTreeSet<ModulePath>,
}

impl<'g> Neighbours<'g> {
    fn new(graph: &'g Graph, direction: Direction) -> Neighbours<'g> {
        let mut next: Arena<ObjectId, Vec<ObjectId>> = graph.objects.iter().map(|_| Vec::new()).collect();
        for Edge { from, to } in graph.edges.iter().copied() {
            match direction {
                Direction::Along => next[from].push(to),
                Direction::Against => next[to].push(from),
            }
        }
        let mut modules: BTreeMap<ObjectId, Vec<ModulePath>> = BTreeMap::new();
        let mut edges: BTreeMap<ModulePath, Vec<Edge<ObjectId>>> = BTreeMap::new();
        for edge in &graph.whole {
            let Some(path) = graph.called_by(edge.to) else { continue };
            modules.entry(edge.from).or_default().push(path.clone());
            edges.entry(path).or_default().push(*edge);
        }
        Neighbours { graph, direction, next, modules, edges, taken: BTreeSet::new() }
    }

    /// Returns the objects that an object's edges to whole modules lead to, and the calls of these modules.
    fn by_module(&mut self, object: ObjectId) -> (Vec<ObjectId>, Vec<ObjectId>) {
        let (mut further, mut calls) = (Vec::new(), Vec::new());
        match self.direction {
            Direction::Along => {
                for path in self.modules.get(&object).into_iter().flatten() {
                    if self.taken.insert(path.clone()) {
                        further.extend(self.graph.within(path));
                    }
                }
            }
            Direction::Against => {
                let mut path = self.graph.objects[object].address.module.clone();
                while let Some((caller, _)) = path.split_last() {
                    if !self.taken.insert(path.clone()) {
                        break;
                    }
                    for edge in self.edges.get(&path).into_iter().flatten() {
                        further.push(edge.from);
                        calls.push(edge.to);
                    }
                    path = caller;
                }
            }
        }
        (further, calls)
    }
}

impl Graph {
    /// Returns the object at `address` with its dependencies and dependents up to `depth` edges away; without a depth, all of
    /// them. The address of a module call stands for all objects of the module, the address of a part for the object.
    ///
    /// # Errors
    ///
    /// If there is no such object: a diagnostic that names the nearest address.
    pub fn focused(&self, address: &str, depth: Option<usize>) -> Result<Graph, Box<Diagnostic>> {
        let starts = self.named(address.trim());
        if starts.is_empty() {
            return Err(Box::new(self.undeclared(address)));
        }
        let depth = depth.unwrap_or(usize::MAX);
        let needed = self.reached(&starts, depth, Direction::Along);
        let dependents = self.reached(&starts, depth, Direction::Against);
        // A module call stands for the objects of its module.
        let call = starts
            .iter()
            .find(|start| matches!(self.objects[**start].address.object, Object::ModuleCall(..)));
        let focus = call.or(starts.first()).copied();
        Ok(self.part(focus, |id| needed[id] || dependents[id]))
    }

    /// Returns the object around which [`Graph::focused`] has selected the others; of a module, its call.
    pub fn focus(&self) -> Option<ObjectId> {
        self.focus
    }

    /// Returns the objects that an address names; empty if it names nothing.
    fn named(&self, address: &str) -> Vec<ObjectId> {
        let found = |is_named: &dyn Fn(&GraphObject) -> bool| -> Vec<ObjectId> {
            self.objects.enumerate().filter(|(_, object)| is_named(object)).map(|(id, _)| id).collect()
        };
        let Some(names) = names_of(address) else {
            return found(&|object| object.address.to_string() == address);
        };
        let wanted = names.join(".");
        let whole = found(&|object| {
            let module = object.address.module.to_string();
            object.address.to_string() == wanted
                || module == wanted
                || module.starts_with(&format!("{wanted}."))
        });
        if !whole.is_empty() {
            return whole;
        }
        // The address of a part is longer than the address of its object. The first name behind a module call is an output.
        let candidates = (1..names.len()).rev().flat_map(|length| {
            let (object, part) = names.split_at(length);
            let output = part.first().map(|output| format!("{}.output.{output}", object.join(".")));
            output.into_iter().chain([object.join(".")])
        });
        let is_whole_module = |object: &GraphObject| matches!(object.address.object, Object::ModuleCall(..));
        let part_of =
            |name: String| found(&|object| !is_whole_module(object) && object.address.to_string() == name);
        candidates.map(part_of).find(|objects| !objects.is_empty()).unwrap_or_default()
    }

    /// Returns for each object whether it is reached from `starts` by at most `depth` edges in the direction. Against an edge
    /// to a whole module, the call of the module is reached, too.
    fn reached(&self, starts: &[ObjectId], depth: usize, direction: Direction) -> Arena<ObjectId, bool> {
        let mut steps = Neighbours::new(self, direction);
        let mut calls = Vec::new();
        let mut reached: Arena<ObjectId, bool> = self.objects.iter().map(|_| false).collect();
        let mut left: VecDeque<(ObjectId, usize)> = starts.iter().map(|start| (*start, 0)).collect();
        while let Some((object, distance)) = left.pop_front() {
            if std::mem::replace(&mut reached[object], true) || distance == depth {
                continue;
            }
            left.extend(steps.next[object].iter().map(|further| (*further, distance + 1)));
            let (further, met) = steps.by_module(object);
            calls.extend(met);
            left.extend(further.into_iter().map(|further| (further, distance + 1)));
        }
        calls.into_iter().for_each(|call| reached[call] = true);
        reached
    }

    /// Returns the path of the module that a module call calls.
    fn called_by(&self, call: ObjectId) -> Option<ModulePath> {
        let address = &self.objects[call].address;
        match &address.object {
            Object::ModuleCall(name, key) => Some(address.module.child(name, key.clone())),
            Object::Variable(_)
            | Object::Local(_)
            | Object::Output(_)
            | Object::Check(_)
            | Object::Resource { .. }
            | Object::Provider(_)
            | Object::Import(_)
            | Object::Source(..)
            | Object::Build(_) => None,
        }
    }

    /// Returns the objects in a module and in the modules that it calls.
    fn within(&self, path: &ModulePath) -> impl Iterator<Item = ObjectId> {
        let is_in = move |object: &GraphObject| object.address.module.steps().starts_with(path.steps());
        self.objects.enumerate().filter(move |(_, object)| is_in(object)).map(|(id, _)| id)
    }

    /// Returns the graph of the selected objects around an object.
    fn part(&self, focus: Option<ObjectId>, is_in: impl Fn(ObjectId) -> bool) -> Graph {
        let mut objects = Arena::default();
        let new: Arena<ObjectId, Option<ObjectId>> = self
            .objects
            .enumerate()
            .map(|(id, object)| is_in(id).then(|| objects.push(object.clone())))
            .collect();
        let kept = |edge: &Edge<ObjectId>| Some(Edge { from: new[edge.from]?, to: new[edge.to]? });
        let (edges, whole) = (self.edges.iter().filter_map(kept), self.whole.iter().filter_map(kept));
        let focus = focus.and_then(|focus| new[focus]);
        Graph { edges: edges.collect(), whole: whole.collect(), objects, focus }
    }

    fn undeclared(&self, address: &str) -> Diagnostic {
        let detail = format!(
            "The graph has no object with the address `{}`. `terrane graph --format json` lists all objects.",
            shown_address(address)
        );
        let diagnostic = crate::address::undeclared(address, detail);
        let all: Vec<String> =
            self.objects.iter().map(|object: &GraphObject| object.address.to_string()).collect();
        match ClosestNames::default().of(address, all.iter().map(String::as_str)) {
            Some(nearest) => diagnostic.hint(format!("Did you mean `{nearest}`?")),
            None => diagnostic,
        }
    }
}

/// Returns the names in an address, without keys. `None` if the text is no address.
fn names_of(address: &str) -> Option<Vec<&str>> {
    let parsed = parse_expr(&SourceFile::new(FileId::new("<address>"), address));
    let tree = &parsed.tree;
    let Expr::Traversal { root_end, steps } = tree.expr(parsed.root) else { return None };
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut names = vec![address.get(..root_end as usize)?];
    for step in tree.list(steps) {
        if let Step::Attr { name, .. } = step {
            names.push(address.get(name.range())?);
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use terrane_source::MemoryFiles;

    use crate::{Graph, Project};

    fn graph() -> Graph {
        let main = "variable \"a\" {}\nlocals {\n  b = var.a\n  c = local.b\n  d = local.c\n  other = 1\n}\n\
                    module \"m\" {\n  source = \"./m\"\n  v = local.d\n}\noutput \"o\" { value = module.m.o }\n";
        let child = "variable \"v\" {}\nresource \"x_y\" \"r\" {\n  count = 2\n  a = var.v\n}\noutput \"o\" { value = x_y.r[0].id }\n";
        Project::new(".").outline(&MemoryFiles::from_iter([("main.tf", main), ("m/main.tf", child)])).graph
    }

    fn names(address: &str, depth: Option<usize>) -> Vec<String> {
        let part = graph().focused(address, depth).expect("the address exists");
        part.objects().iter().map(|object| object.address.to_string()).collect()
    }

    #[test]
    fn depth_counts_dependencies_in_both_directions() {
        assert_eq!(names("local.c", Some(0)), ["local.c"]);
        assert_eq!(names("local.c", Some(1)), ["local.b", "local.c", "local.d"]);
        assert_eq!(names("local.c", Some(2)), ["var.a", "local.b", "local.c", "local.d", "module.m.var.v"]);
        // Objects without a path to the object are left out, and so are objects that only share a dependency with it.
        assert!(!names("local.c", None).contains(&"local.other".to_owned()));
        assert_eq!(names("local.c", None).len(), 8);
    }

    #[test]
    fn a_module_stands_for_its_objects() {
        assert_eq!(names("module.m", Some(0)).len(), 4);
        assert_eq!(names("module.m.x_y.r[1]", Some(0)), ["module.m.x_y.r"]);
        assert_eq!(names("module.m[\"k\"].x_y.r", Some(0)), ["module.m.x_y.r"]);
    }

    #[test]
    fn a_part_stands_for_its_object() {
        assert_eq!(names("local.c.tags[\"x\"].y", Some(0)), ["local.c"]);
        assert_eq!(names("module.m.x_y.r[1].ebs[0].size", Some(0)), ["module.m.x_y.r"]);
        assert_eq!(names("module.m[\"k\"].o.id", Some(0)), ["module.m.output.o"]);
        assert_eq!(names("output.o.id", Some(0)), ["output.o"]);
        assert!(graph().focused("module.m.nope", None).is_err());
        assert!(graph().focused("local.c.d and more", None).is_err());
    }

    #[test]
    fn an_address_without_an_object_is_an_error() {
        let error = graph().focused("local.cc", None).unwrap_err();
        assert_eq!(error.id.to_string(), "core:undeclared-address");
        assert_eq!(error.hints, ["Did you mean `local.c`?"]);
        assert!(graph().focused("", None).is_err());
        assert!(graph().focused("local.c and more", None).is_err());
    }
}
