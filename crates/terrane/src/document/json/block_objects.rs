//! Finds the objects that nested blocks have made, in the value of the body around the blocks.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fmt::{Display, Write};
use std::rc::Rc;

use terrane_body::{Nesting, SchemaBlock};
use terrane_syntax::tree::Literal;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Number, Type, Value, convert};

use super::part_objects::{Object, PartObjects};
use crate::address::Step;
use crate::block_list::{BlockList, PartOfBlock};
use crate::written_parts::{WrittenBlock, WrittenPart};

/// Limit on the comparisons of literals with the elements of sets, for the value of one resource or action.
const MAX_COMPARISONS: usize = 1_000_000;

/// The objects that written parts have made.
#[derive(Clone)]
pub(super) struct Made<'d> {
    /// The objects; several if a `dynamic` block has made them, or if it is uncertain which of them the parts have made.
    pub(super) objects: Rc<PartObjects<'d>>,
    /// The paths of the objects from the value of the resource. `None` if it is uncertain which objects the parts have made.
    pub(super) paths: Option<Rc<[String]>>,
    /// The number of comparisons with elements of sets that are left.
    comparisons: Rc<Cell<usize>>,
}

impl<'d> Made<'d> {
    /// No objects.
    pub(super) fn nothing() -> Made<'d> {
        Made { objects: PartObjects::of(Vec::new()), paths: None, comparisons: Rc::new(Cell::new(0)) }
    }

    /// The value of a whole resource or action.
    pub(super) fn root(value: &'d Value) -> Made<'d> {
        Made {
            objects: PartObjects::root(value),
            paths: Some([String::new()].into()),
            comparisons: Rc::new(Cell::new(MAX_COMPARISONS)),
        }
    }

    /// Returns the values of an attribute, without their paths.
    pub(super) fn attribute(&self, name: &'d str) -> Made<'d> {
        let comparisons = Rc::clone(&self.comparisons);
        Made { objects: self.objects.attribute(name), paths: None, comparisons }
    }

    /// Returns the value of all nested blocks of a type in each object. `None` if these objects or the number of blocks are
    /// uncertain or secret.
    fn wholes(&self, block_type: &str) -> Option<Vec<PlacedObject<'d>>> {
        let placed = self.objects.iter().zip(&**self.paths.as_ref()?);
        let whole = |(object, path): (Object<'d>, &String)| {
            let whole = object.attribute(block_type)?;
            Some(whole.has_known_number().then(|| PlacedObject::at(whole, path, Step(block_type))))
        };
        placed.filter_map(whole).collect()
    }
}

/// An object with its path from the value of the resource.
#[derive(Clone)]
struct PlacedObject<'d> {
    object: Object<'d>,
    path: String,
}

impl<'d> PlacedObject<'d> {
    fn at(object: Object<'d>, around: &str, step: impl Display) -> PlacedObject<'d> {
        let mut path = String::with_capacity(around.len() + 16);
        path.push_str(around);
        // Writing to a string cannot fail.
        let _ = write!(path, "{step}");
        PlacedObject { object, path }
    }

    fn part(&self, value: &'d Value, step: impl Display) -> PlacedObject<'d> {
        PlacedObject::at(self.object.part(value), &self.path, step)
    }

    fn element(&self, index: usize, value: &'d Value) -> PlacedObject<'d> {
        self.part(value, format_args!("[{index}]"))
    }
}

/// The objects in one whole value that a block may have made.
enum Found<'d> {
    /// The block has made these.
    Certain(Vec<PlacedObject<'d>>),
    /// The block has made some of these.
    Among(Vec<Object<'d>>),
    /// The block has made some of the objects whose block is uncertain.
    Uncertain,
}

/// The nested blocks of a type, with the values of all blocks of the type.
pub(super) struct BlockObjects<'d> {
    blocks: &'d [WrittenBlock],
    list: BlockList<'d>,
    nesting: Option<Nesting>,
    /// The value of all blocks in each object around them. `None` if these objects or the number of blocks are uncertain or secret.
    wholes: Option<Vec<PlacedObject<'d>>>,
    /// The literal arguments of each block.
    arguments: OnceCell<Vec<Vec<LiteralArgument<'d>>>>,
    /// All objects whose block is uncertain. Blocks share them, so that their number is not multiplied by the number of blocks.
    uncertain: OnceCell<Rc<PartObjects<'d>>>,
    comparisons: Rc<Cell<usize>>,
}

impl<'d> BlockObjects<'d> {
    /// Returns the blocks in the objects around them.
    pub(super) fn of(
        part: &'d WrittenPart,
        around: &Made<'d>,
        schema: Option<&SchemaBlock>,
    ) -> BlockObjects<'d> {
        let nesting = schema.map(|block| block.nesting);
        let mut list = BlockList::default();
        part.blocks.iter().for_each(|block| list.push(block.is_dynamic, block.label.as_ref()));
        let wholes = around.wholes(&part.name);
        let uncertain = match &wholes {
            Some(_) => OnceCell::new(),
            None => around.objects.blocks(&part.name, nesting, list.has_labels()).into(),
        };
        BlockObjects {
            blocks: &part.blocks,
            list,
            nesting,
            wholes,
            arguments: OnceCell::new(),
            uncertain,
            comparisons: Rc::clone(&around.comparisons),
        }
    }

    /// Returns the objects that the block at a position may have made. Their paths are known if it has made all of them.
    pub(super) fn made(&self, position: usize) -> Made<'d> {
        let comparisons = Rc::clone(&self.comparisons);
        match self.found(position) {
            Some((objects, paths)) => {
                Made { objects: PartObjects::of(objects), paths: paths.map(Rc::from), comparisons }
            }
            None => Made { objects: self.uncertain(), paths: None, comparisons },
        }
    }

    /// Returns the objects of a block, and their paths if they are certain. `None` for the objects whose block is uncertain.
    fn found(&self, position: usize) -> Option<(Vec<Object<'d>>, Option<Vec<String>>)> {
        let mut objects = Vec::new();
        let mut paths = Some(Vec::new());
        for whole in self.wholes.as_ref()? {
            match self.within(whole, position) {
                Found::Certain(certain) => {
                    for PlacedObject { object, path } in certain {
                        objects.push(object);
                        if let Some(paths) = &mut paths {
                            paths.push(path);
                        }
                    }
                }
                Found::Among(some) => {
                    objects.extend(some);
                    paths = None;
                }
                Found::Uncertain => return None,
            }
        }
        Some((objects, paths))
    }

    fn within(&self, whole: &PlacedObject<'d>, position: usize) -> Found<'d> {
        let (Some(value), Some(block)) = (whole.object.value, self.blocks.get(position)) else {
            return Found::Uncertain;
        };
        match self.list.part(position, self.list.nesting(self.nesting, value), value) {
            PartOfBlock::Whole => Found::Certain(vec![whole.clone()]),
            PartOfBlock::Labelled(entry) => {
                let entry = block.label.as_ref().zip(entry);
                Found::Certain(
                    entry.map(|(label, value)| whole.part(value, Step(label))).into_iter().collect(),
                )
            }
            PartOfBlock::Generated(entries) => {
                let entries = entries.into_iter();
                Found::Certain(entries.map(|(key, value)| whole.part(value, Step(key))).collect())
            }
            PartOfBlock::Elements(range) => {
                let elements = value.known_elements().unwrap_or_default();
                let elements = range.clone().zip(elements.get(range).unwrap_or_default());
                Found::Certain(elements.map(|(index, value)| whole.element(index, value)).collect())
            }
            PartOfBlock::AmongElements => self.of_set(whole, value, position),
            PartOfBlock::Nothing => Found::Certain(Vec::new()),
            PartOfBlock::Uncertain => Found::Uncertain,
        }
    }

    /// The elements of a set are not in the order of the blocks. Literal arguments tell which elements a block may have made.
    fn of_set(&self, whole: &PlacedObject<'d>, value: &'d Value, position: usize) -> Found<'d> {
        let elements = value.known_elements().unwrap_or_default();
        let is_dynamic = self.blocks.get(position).is_some_and(|block| block.is_dynamic);
        let arguments = self.arguments().get(position).map(Vec::as_slice).unwrap_or_default();
        let Some(left) = self.comparisons.get().checked_sub(arguments.len() * elements.len()) else {
            return Found::Uncertain;
        };
        self.comparisons.set(left);
        let fits = |element: &Value| arguments.iter().all(|argument| argument.fits(element));
        let suitable: Vec<_> = elements.iter().enumerate().filter(|(_, element)| fits(element)).collect();
        match &*suitable {
            [(index, value)] if !is_dynamic => Found::Certain(vec![whole.element(*index, value)]),
            some if some.is_empty() || some.len() == elements.len() => Found::Uncertain,
            some => Found::Among(some.iter().map(|(_, value)| whole.object.part(value)).collect()),
        }
    }

    fn arguments(&self) -> &[Vec<LiteralArgument<'d>>] {
        self.arguments.get_or_init(|| {
            let of_block =
                |block: &'d WrittenBlock| block.parts.iter().filter_map(LiteralArgument::of).collect();
            self.blocks.iter().map(of_block).collect()
        })
    }

    fn uncertain(&self) -> Rc<PartObjects<'d>> {
        let of_wholes =
            || self.wholes.iter().flatten().flat_map(|whole| self.uncertain_in(whole.object)).collect();
        Rc::clone(self.uncertain.get_or_init(|| PartObjects::of(of_wholes())))
    }

    /// Returns the objects in a whole value whose block is uncertain.
    fn uncertain_in(&self, whole: Object<'d>) -> Vec<Object<'d>> {
        let Some(value) = whole.value else { return vec![whole] };
        match self.list.nesting(self.nesting, value) {
            Nesting::Map => {
                let entries = self.list.generated_entries(value).into_iter();
                entries.map(|(_, value)| whole.part(value)).collect()
            }
            Nesting::List => {
                let elements = value.known_elements().unwrap_or_default();
                let range = self.list.uncertain_elements(elements.len());
                let between = range.and_then(|range| elements.get(range)).unwrap_or_default();
                between.iter().map(|value| whole.part(value)).collect()
            }
            nesting @ (Nesting::Single | Nesting::Group | Nesting::Set) => whole.of_blocks(nesting),
        }
    }
}

/// An argument that is written as a literal, with its value after a conversion to each primitive type.
struct LiteralArgument<'d> {
    name: &'d str,
    text: Cow<'d, str>,
    number: Option<Number>,
    truth: OnceCell<Option<bool>>,
}

impl<'d> LiteralArgument<'d> {
    /// Returns the literal of a part. `None` for null.
    fn of(part: &'d WrittenPart) -> Option<LiteralArgument<'d>> {
        let Expression { tree, id } = part.literal.as_ref()?;
        let Expr::Literal(literal) = tree.expr(*id) else { return None };
        let (text, number) = match literal {
            Literal::Null => return None,
            Literal::Bool(value) => (Cow::from(if value { "true" } else { "false" }), None),
            Literal::Number => {
                let number = Number::parse(tree.expr_text(*id))?;
                (Cow::from(number.to_string()), Some(number))
            }
            Literal::String(text) => {
                let text = tree.text(text);
                (Cow::from(text), Number::parse(text))
            }
        };
        Some(LiteralArgument { name: &part.name, text, number, truth: OnceCell::new() })
    }

    fn truth(&self) -> Option<bool> {
        let truth = || convert(&Value::from(&*self.text), &Type::Bool).ok()?.as_bool();
        *self.truth.get_or_init(truth)
    }

    /// Whether an object may have this value as its attribute.
    fn fits(&self, object: &Value) -> bool {
        let Some(value) = object.known_attributes().and_then(|attributes| attributes.get(self.name)) else {
            return true;
        };
        if let Some(text) = value.as_str() {
            return text == self.text;
        }
        if let Some(number) = value.as_number() {
            return self.number.as_ref().is_none_or(|literal| literal == number);
        }
        value.as_bool().is_none_or(|value| self.truth().is_none_or(|literal| literal == value))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Schemas, Secrets, schemas_from_json};

    /// Blocks of each nesting with the arguments `a` and `b` and blocks `to`, some with the secret argument `s`.
    fn schemas() -> Schemas {
        let attribute = |secret: bool| json!({"type": "string", "optional": true, "sensitive": secret});
        let to = json!({"nesting_mode": "list", "block": {"attributes": {"a": attribute(false)}}});
        let block = |nesting: &str, has_secret: bool| {
            let mut attributes = json!({"a": attribute(false), "b": {"type": "number", "optional": true}});
            if has_secret {
                attributes["s"] = attribute(true);
            }
            json!({"nesting_mode": nesting, "block": {"attributes": attributes, "block_types": {"to": to}}})
        };
        let blocks = json!({"one": block("single", false), "list": block("list", true), "set": block("set", false),
            "more": block("set", false), "map": block("map", false), "safe": block("set", true)});
        let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x":
            {"resource_schemas": {"x_y": {"version": 0, "block": {"attributes": {}, "block_types": blocks}}}}}});
        schemas_from_json(&schemas.to_string()).unwrap()
    }

    /// Returns the nested blocks of `x_y.a` with this content, each as its paths and the states of its arguments `a` and `s`.
    fn rows(content: &str, block_type: &str, schemas: &Schemas) -> Vec<String> {
        let main = format!(
            "variable \"p\" {{}}\nvariable \"secret\" {{\n  sensitive = true\n  default = [\"k\", \"l\"]\n}}\n\
             resource \"x_y\" \"a\" {{\n{content}\n}}\n"
        );
        let files = MemoryFiles::from_iter([("main.tf", &*main)]);
        let report = Project::new(".").schemas(schemas).evaluate(&files);
        let document: Json = serde_json::from_str(&report.document(Secrets::Hidden).to_json()).unwrap();
        let blocks = document["values"]["x_y.a"]["attributes"][block_type]["blocks"].as_array().unwrap();
        blocks.iter().map(row).collect()
    }

    fn row(block: &Json) -> String {
        let paths = block["paths"].as_array().map_or("?".to_owned(), |paths| {
            paths.iter().map(|path| path.as_str().unwrap()).collect::<Vec<_>>().join(" ")
        });
        let states = block["attributes"].as_object().into_iter().flatten();
        let state = |part: &Json| part["state"].as_str().unwrap_or("-").to_owned();
        let states: Vec<_> = states.map(|(name, part)| format!("{name} {}", state(part))).collect();
        let inner = block["attributes"]["to"]["blocks"].as_array().into_iter().flatten().map(row);
        let inner: String = inner.map(|row| format!(" ({row})")).collect();
        format!("{paths}: {}{inner}", states.join(", "))
    }

    const DYNAMIC: &str = "list {\n  a = var.p\n}\ndynamic \"list\" {\n  for_each = [\"x\", var.p]\n  content {\n    a = \
                           list.value\n    s = \"hunter2\"\n    to {\n      a = \"c\"\n    }\n  }\n}\nlist {\n  a = \"z\"\n}";

    #[test]
    fn generated_blocks_have_paths_and_the_most_doubtful_state() {
        let with_schema = rows(DYNAMIC, "list", &schemas());
        assert_eq!(
            with_schema,
            [
                ".list[0]: a unknown",
                ".list[1] .list[2]: a unknown, s sensitive, to known (.list[1].to[0] .list[2].to[0]: a known)",
                ".list[3]: a known"
            ]
        );
        let open = rows(DYNAMIC, "list", &Schemas::default());
        assert_eq!(
            open,
            [
                ".list[0]: a unknown",
                ".list[1] .list[2]: a unknown, s known, to unknown (.list[1].to[0] .list[2].to[0]: a known)",
                ".list[3]: a known"
            ]
        );
    }

    #[test]
    fn blocks_among_an_unknown_number_of_blocks_are_unknown() {
        let content = "list {\n  a = \"x\"\n}\ndynamic \"list\" {\n  for_each = var.p\n  content {\n    a = \"y\"\n  }\n}";
        for schemas in [schemas(), Schemas::default()] {
            assert_eq!(rows(content, "list", &schemas), ["?: a unknown", "?: a unknown"]);
        }
        let none = "dynamic \"list\" {\n  for_each = []\n  content {\n    a = var.p\n  }\n}";
        assert_eq!(rows(none, "list", &schemas()), ["?: a -"]);
    }

    /// The paths would tell the number of elements.
    #[test]
    fn blocks_of_a_secret_collection_are_secret() {
        let content = "dynamic \"list\" {\n  for_each = var.secret\n  content {\n    a = \"y\"\n    to {\n      a = \"z\"\n    }\n  }\n}";
        assert_eq!(
            rows(content, "list", &Schemas::default()),
            ["?: a sensitive, to sensitive (?: a sensitive)"]
        );
        // With a schema, the value has the elements.
        let found = rows(content, "list", &schemas());
        assert_eq!(
            found,
            [".list[0] .list[1]: a sensitive, to known (.list[0].to[0] .list[1].to[0]: a known)"]
        );
    }

    #[test]
    fn elements_between_dynamic_blocks_are_uncertain() {
        let dynamic = |value: &str| {
            format!(
                "dynamic \"list\" {{\n  for_each = [1, 2]\n  content {{\n    a = {value}\n    to {{\n      a = {value}\n    }}\n  }}\n}}\n"
            )
        };
        let content = format!(
            "list {{\n  a = \"x\"\n}}\n{}list {{\n  a = \"y\"\n}}\n{}list {{\n  a = var.p\n}}",
            dynamic("\"d\""),
            dynamic("var.p")
        );
        let between = "?: a unknown, to unknown (?: a unknown)";
        for schemas in [schemas(), Schemas::default()] {
            let found = rows(&content, "list", &schemas);
            assert_eq!(found, [".list[0]: a known", between, "?: a unknown", between, ".list[6]: a unknown"]);
        }
        let none = content.replace("[1, 2]", "[]");
        let found = rows(&none, "list", &schemas());
        assert_eq!(
            found,
            [
                ".list[0]: a known",
                "?: a -, to - (?: a -)",
                ".list[1]: a known",
                "?: a -, to - (?: a -)",
                ".list[2]: a unknown"
            ]
        );
        let maps = "map \"k\" {\n  a = \"x\"\n}\ndynamic \"map\" {\n  for_each = [\"l\"]\n  labels = [map.value]\n  content {\n    a = \
                    \"x\"\n  }\n}\ndynamic \"map\" {\n  for_each = [\"m\"]\n  labels = [map.value]\n  content {\n    a = var.p\n  }\n}";
        assert_eq!(rows(maps, "map", &schemas()), [".map.k: a known", "?: a unknown", "?: a unknown"]);
    }

    #[test]
    fn literals_of_sets_are_converted_like_their_attributes() {
        let found = |literal: &str, other: &str| {
            let content = format!("set {{\n  b = {literal}\n}}\nset {{\n  b = {other}\n}}");
            rows(&content, "set", &schemas())
        };
        for literal in ["\"1.0\"", "\"1e0\"", "1.0"] {
            assert_eq!(found(literal, "2"), [".set[0]: b known", ".set[1]: b known"], "{literal}");
            assert_eq!(found(literal, "var.p"), ["?: b unknown", "?: b unknown"], "{literal}");
        }
    }

    /// 800 blocks need 640,000 comparisons with each set, so that 360,000 are left for the blocks of the second type.
    #[test]
    fn sets_of_a_resource_have_a_common_limit_on_comparisons() {
        let blocks = |block_type: &str| -> String {
            (0..800).map(|index| format!("{block_type} {{\n  a = \"{index:03}\"\n}}\n")).collect()
        };
        let content = format!("{}{}", blocks("set"), blocks("more"));
        let path = |block_type: &str, index| format!(".{block_type}[{index}]: a known");
        let first: Vec<_> = (0..800).map(|index| path("set", index)).collect();
        assert_eq!(rows(&content, "set", &schemas()), first);
        let compared = (0..450).map(|index| path("more", index));
        let second: Vec<_> = compared.chain((450..800).map(|_| "?: a known".to_owned())).collect();
        assert_eq!(rows(&content, "more", &schemas()), second);
    }

    /// The elements of the set are in the order of their values: `a`, `m`, `z`, and the unknown one.
    #[test]
    fn literal_arguments_tell_the_elements_of_a_set() {
        let content = "set {\n  a = \"z\"\n  b = 1\n}\nset {\n  a = \"a\"\n  b = \"2\"\n  to {\n    a = var.p\n  }\n}\n\
                       dynamic \"set\" {\n  for_each = [\"m\", var.p]\n  content {\n    a = set.value\n    b = 3\n  }\n}";
        let found = rows(content, "set", &schemas());
        assert_eq!(
            found,
            [
                ".set[2]: a known, b known",
                ".set[0]: a known, b known, to unknown (.set[0].to[0]: a unknown)",
                "?: a unknown, b known"
            ]
        );
        let sorted = rows("set {\n  a = \"z\"\n}\nset {\n  a = \"a\"\n}", "set", &schemas());
        assert_eq!(sorted, [".set[1]: a known", ".set[0]: a known"]);
        // A secret in an element makes the whole set a secret.
        let safe = rows("safe {\n  a = var.p\n  s = \"hunter2\"\n}", "safe", &schemas());
        assert_eq!(safe, ["?: a sensitive, s sensitive"]);
    }

    #[test]
    fn blocks_of_a_map_are_named_by_their_labels() {
        let content = "map \"k\" {\n  a = var.p\n}\ndynamic \"map\" {\n  for_each = [\"x y\"]\n  labels = [map.value]\n  \
                       content {\n    a = map.value\n  }\n}";
        assert_eq!(rows(content, "map", &schemas()), [".map.k: a unknown", ".map[\"x y\"]: a known"]);
        assert_eq!(rows("one {\n  a = var.p\n}", "one", &schemas()), [".one: a unknown"]);
    }
}
