//! Finds the objects that nested blocks have made, in the value of the body around the blocks.

use std::collections::HashSet;
use std::ops::Range;

use terrane_body::{Nesting, SchemaBlock};
use terrane_syntax::tree::Literal;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Entries, Mark, Number, SmolStr, Value};

use super::value::ValueState;
use crate::address::Step;
use crate::written_parts::{WrittenBlock, WrittenPart};

/// Limit on the comparisons of blocks with the elements of a set.
const MOST_COMPARISONS: usize = 1_000_000;

/// An object in the value of a resource or action.
#[derive(Clone)]
pub(super) struct PlacedObject<'d> {
    pub(super) value: &'d Value,
    /// The path from the value of the resource. `None` if it is uncertain that the block has made this object.
    pub(super) path: Option<String>,
    /// The state that the marks of the values around it give to each of its parts.
    around: ValueState,
}

impl<'d> PlacedObject<'d> {
    /// Returns the value of a whole resource or action.
    pub(super) fn root(value: &'d Value) -> PlacedObject<'d> {
        PlacedObject { value, path: Some(String::new()), around: state_of_marks(value) }
    }

    fn part_at(&self, value: &'d Value, step: &str) -> PlacedObject<'d> {
        let path = self.path.as_ref().map(|path| format!("{path}{step}"));
        PlacedObject { value, path, around: self.around.max(state_of_marks(value)) }
    }

    /// Returns an attribute. `None` if the object has no such attribute, or is unknown.
    pub(super) fn attribute(&self, name: &str) -> Option<PlacedObject<'d>> {
        let value = self.value.known_attributes()?.get(name)?;
        Some(self.part_at(value, &Step(name).to_string()))
    }

    /// Returns the state of an attribute. `None` if the object has no such attribute.
    pub(super) fn state(&self, name: &str) -> Option<ValueState> {
        let own = match self.value.known_attributes() {
            Some(attributes) => ValueState::of(attributes.get(name)?),
            None if self.is_unknown() => ValueState::Unknown,
            None => return None,
        };
        Some(own.max(self.around))
    }

    /// Whether the value and all values around it are no secrets.
    pub(super) fn is_public(&self) -> bool {
        self.around < ValueState::Sensitive && !self.value.is_marked()
    }

    fn is_unknown(&self) -> bool {
        self.value.unmarked().is_wholly_unknown()
    }

    fn uncertain(self) -> PlacedObject<'d> {
        PlacedObject { path: None, ..self }
    }
}

/// Returns the state that the marks of a value give to its parts.
fn state_of_marks(value: &Value) -> ValueState {
    if value.has_mark(&Mark::Ephemeral) {
        ValueState::Ephemeral
    } else if value.has_mark(&Mark::Sensitive) || value.is_hidden() {
        ValueState::Sensitive
    } else {
        ValueState::Known
    }
}

/// The nested blocks of a type, with the values of all blocks of the type.
pub(super) struct BlockObjects<'d> {
    blocks: &'d [WrittenBlock],
    nesting: Option<Nesting>,
    /// One value for each object around the blocks.
    wholes: Vec<PlacedObject<'d>>,
    /// For each block, the number of blocks before it that are not `dynamic`.
    literals_before: Vec<usize>,
    /// The number of blocks that are not `dynamic`.
    literals: usize,
}

impl<'d> BlockObjects<'d> {
    /// Returns the blocks in the objects around them.
    pub(super) fn of(
        part: &'d WrittenPart,
        around: &[PlacedObject<'d>],
        schema: Option<&SchemaBlock>,
    ) -> BlockObjects<'d> {
        let nesting = schema.map(|block| block.nesting);
        let wholes = around.iter().filter_map(|object| object.attribute(&part.name)).collect();
        let mut literals = 0;
        let count = |block: &WrittenBlock| {
            let before = literals;
            literals += usize::from(!block.is_dynamic);
            before
        };
        let literals_before = part.blocks.iter().map(count).collect();
        BlockObjects { blocks: &part.blocks, nesting, wholes, literals_before, literals }
    }

    /// Returns the objects that the block at a position may have made. Their paths are known if it has made all of them.
    pub(super) fn objects(&self, position: usize) -> Vec<PlacedObject<'d>> {
        let Some(block) = self.blocks.get(position) else { return Vec::new() };
        self.wholes.iter().flat_map(|whole| self.within(whole, block, position)).collect()
    }

    fn within(
        &self,
        whole: &PlacedObject<'d>,
        block: &WrittenBlock,
        position: usize,
    ) -> Vec<PlacedObject<'d>> {
        if whole.is_unknown() {
            // The number of blocks is unknown, so no block has a path.
            return vec![whole.clone().uncertain()];
        }
        let entries = whole.value.known_attributes();
        match self.nesting {
            Some(Nesting::Single | Nesting::Group) => self.single(whole),
            Some(Nesting::Map) => entries.map_or_else(Vec::new, |all| self.of_map(whole, all, block)),
            Some(Nesting::Set) => self.of_set(whole, block),
            Some(Nesting::List) => self.of_list(whole, block, position),
            // Without a schema, a state may have an object in the place of blocks.
            None => match entries {
                Some(all) if block.label.is_some() => self.of_map(whole, all, block),
                Some(_) => self.single(whole),
                None => self.of_list(whole, block, position),
            },
        }
    }

    /// The object of the only block.
    fn single(&self, whole: &PlacedObject<'d>) -> Vec<PlacedObject<'d>> {
        let whole = Some(whole.clone()).filter(|whole| !whole.value.is_null());
        certain_if(whole.into_iter().collect(), self.blocks.len() == 1)
    }

    fn of_map(
        &self,
        whole: &PlacedObject<'d>,
        entries: &'d Entries,
        block: &WrittenBlock,
    ) -> Vec<PlacedObject<'d>> {
        let entry = |key: &str, value: &'d Value| whole.part_at(value, &Step(key).to_string());
        if let Some(label) = block.label.as_ref().filter(|_| !block.is_dynamic) {
            return entries.get(label).map(|value| entry(label, value)).into_iter().collect();
        }
        let literals = self.blocks.iter().filter(|block| !block.is_dynamic);
        let written: HashSet<&SmolStr> = literals.filter_map(|block| block.label.as_ref()).collect();
        let others = entries.iter().filter(|(key, _)| !written.contains(key));
        let objects = others.map(|(key, value)| entry(key, value)).collect();
        certain_if(objects, self.dynamic() == 1)
    }

    fn of_list(
        &self,
        whole: &PlacedObject<'d>,
        block: &WrittenBlock,
        position: usize,
    ) -> Vec<PlacedObject<'d>> {
        let length = whole.value.known_elements().map_or(0, <[Value]>::len);
        // A value of a state may have another number of elements.
        let has_all = if self.dynamic() == 0 { length == self.literals } else { length >= self.literals };
        let Some(before) = self.literals_before.get(position).copied().filter(|_| has_all) else {
            return Vec::new();
        };
        let is_literal = !block.is_dynamic;
        let literals_after = self.literals - before - usize::from(is_literal);
        let end = length - literals_after;
        let dynamic_before = position - before;
        let range = match (is_literal, dynamic_before) {
            (true, 0) => before..before + 1,
            (true, all) if all == self.dynamic() => end - 1..end,
            (_, _) => before..end,
        };
        let is_certain = if is_literal { range.len() == 1 } else { self.dynamic() == 1 };
        certain_if(elements(whole, range), is_certain)
    }

    /// The elements of a set are not in the order of the blocks. Literal arguments tell which elements a block may have made.
    fn of_set(&self, whole: &PlacedObject<'d>, block: &WrittenBlock) -> Vec<PlacedObject<'d>> {
        let length = whole.value.known_elements().map_or(0, <[Value]>::len);
        if self.blocks.len() == 1 {
            return elements(whole, 0..length);
        }
        if self.blocks.len().saturating_mul(length) > MOST_COMPARISONS {
            return Vec::new();
        }
        let all = elements(whole, 0..length);
        let suitable: Vec<_> = all.iter().filter(|element| fits(block, element)).cloned().collect();
        let is_certain = suitable.len() == 1 && !block.is_dynamic;
        certain_if(if suitable.is_empty() { all } else { suitable }, is_certain)
    }

    fn dynamic(&self) -> usize {
        self.blocks.len() - self.literals
    }
}

fn certain_if(objects: Vec<PlacedObject<'_>>, is_certain: bool) -> Vec<PlacedObject<'_>> {
    match is_certain {
        true => objects,
        false => objects.into_iter().map(PlacedObject::uncertain).collect(),
    }
}

/// Returns the elements of a list, set or tuple at these positions.
fn elements<'d>(whole: &PlacedObject<'d>, range: Range<usize>) -> Vec<PlacedObject<'d>> {
    let elements = whole.value.known_elements().and_then(|all| all.get(range.clone())).unwrap_or_default();
    range.zip(elements).map(|(index, value)| whole.part_at(value, &format!("[{index}]"))).collect()
}

/// Whether an object has the values of the arguments that a block writes as literals.
fn fits(block: &WrittenBlock, object: &PlacedObject<'_>) -> bool {
    let Some(attributes) = object.value.known_attributes() else { return true };
    block.parts.iter().all(|part| {
        let literal = part.literal.as_ref().and_then(literal_text);
        let value = attributes.get(&part.name).and_then(value_text);
        literal.zip(value).is_none_or(|(literal, value)| literal == value)
    })
}

/// Returns the text of a literal after its conversion to a string; `None` for null.
fn literal_text(literal: &Expression) -> Option<String> {
    let tree = &*literal.tree;
    let Expr::Literal(found) = tree.expr(literal.id) else { return None };
    match found {
        Literal::Null => None,
        Literal::Bool(value) => Some(value.to_string()),
        Literal::Number => Some(Number::parse(tree.expr_text(literal.id))?.to_string()),
        Literal::String(text) => Some(tree.text(text).to_owned()),
    }
}

/// Returns the text of a bool, number or string after its conversion to a string.
fn value_text(value: &Value) -> Option<String> {
    let value = value.unmarked();
    let text = value.as_str().map(str::to_owned);
    let number = || value.as_number().map(Number::to_string);
    text.or_else(number).or_else(|| value.as_bool().map(|value| value.to_string()))
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
            "map": block("map", false), "safe": block("set", true)});
        let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x":
            {"resource_schemas": {"x_y": {"version": 0, "block": {"attributes": {}, "block_types": blocks}}}}}});
        schemas_from_json(&schemas.to_string()).unwrap()
    }

    /// Returns the nested blocks of `x_y.a` with this content, each as its paths and the states of its arguments `a` and `s`.
    fn rows(content: &str, block_type: &str, schemas: &Schemas) -> Vec<String> {
        let main = format!(
            "variable \"p\" {{}}\nvariable \"secret\" {{\n  sensitive = true\n  default = [\"k\"]\n}}\n\
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

    #[test]
    fn blocks_of_a_secret_collection_are_secret() {
        let content = "dynamic \"list\" {\n  for_each = var.secret\n  content {\n    a = \"y\"\n  }\n}";
        assert_eq!(rows(content, "list", &Schemas::default()), [".list[0]: a sensitive"]);
    }

    /// The elements of the set are in the order of their values, `a` before `z`.
    #[test]
    fn literal_arguments_tell_the_elements_of_a_set() {
        let content = "set {\n  a = \"z\"\n  b = 1\n}\nset {\n  a = \"a\"\n  b = \"2\"\n  to {\n    a = var.p\n  }\n}\n\
                       dynamic \"set\" {\n  for_each = [\"m\", var.p]\n  content {\n    a = set.value\n    b = 3\n  }\n}";
        let found = rows(content, "set", &schemas());
        assert_eq!(found.len(), 3);
        assert!(found[0].ends_with("]: a known, b known"), "{found:?}");
        assert!(found[1].contains("a known, b known, to unknown (.set["), "{found:?}");
        assert_eq!(found[2], "?: a unknown, b known");
        let sorted = rows("set {\n  a = \"z\"\n}\nset {\n  a = \"a\"\n}", "set", &schemas());
        assert_eq!(sorted, [".set[1]: a known", ".set[0]: a known"]);
        // A secret in an element makes the whole set a secret.
        let safe = rows("safe {\n  a = var.p\n  s = \"hunter2\"\n}", "safe", &schemas());
        assert_eq!(safe, [".safe[0]: a sensitive, s sensitive"]);
    }

    #[test]
    fn blocks_of_a_map_are_named_by_their_labels() {
        let content = "map \"k\" {\n  a = var.p\n}\ndynamic \"map\" {\n  for_each = [\"x y\"]\n  labels = [map.value]\n  \
                       content {\n    a = map.value\n  }\n}";
        assert_eq!(rows(content, "map", &schemas()), [".map.k: a unknown", ".map[\"x y\"]: a known"]);
        assert_eq!(rows("one {\n  a = var.p\n}", "one", &schemas()), [".one: a unknown"]);
    }
}
