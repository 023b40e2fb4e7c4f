//! The values that belong to a body: the objects that its blocks have made, and the path of each nested block in them.

use std::collections::BTreeMap;

use terrane_body::{Block, DYNAMIC, Nesting, Schema};
use terrane_source::sorted_map;
use terrane_value::{Entries, Origins, Path, PathStep, SmolStr, Value};

use crate::block_list::{BlockList, PartOfBlock};
use crate::secrets::has_secret;

/// The objects that a body may have made.
#[derive(Clone, Default)]
pub(super) struct Values<'v> {
    /// The objects. If it is unknown which object the body has made, these are all candidates; the list is then empty if none
    /// has secrets.
    pub(super) objects: Vec<&'v Value>,
    /// The path of the only object. `None` if it is unknown which object the body has made.
    pub(super) path: Option<String>,
    /// Whether a value around the objects is a secret.
    pub(super) is_secret: bool,
}

impl<'v> Values<'v> {
    /// Returns the value of a whole resource instance.
    pub(super) fn of(value: &'v Value) -> Values<'v> {
        Values { objects: vec![value], path: Some(String::new()), is_secret: value.marks().is_secret() }
    }

    /// Returns the attributes of the only object. `None` if it is unknown which object the body has made.
    pub(super) fn attributes(&self) -> Option<&'v Entries> {
        self.path.as_ref().and(self.objects.first())?.unmarked().known_attributes()
    }

    /// Whether an attribute is a secret in one of the objects, or has a part that is.
    pub(super) fn has_secret_part(&self, name: &str) -> bool {
        self.is_secret || self.parts(name).any(has_secret)
    }

    fn parts(&self, name: &str) -> impl Iterator<Item = &'v Value> {
        let objects = self.objects.iter();
        objects.filter_map(move |object| object.unmarked().known_attributes()?.get(name))
    }
}

/// The blocks that a `dynamic` block has generated.
pub(super) struct Generated<'v> {
    pub(super) values: Values<'v>,
    /// The number of generated blocks, if it is known.
    pub(super) count: Option<usize>,
    /// Why the number of blocks of the type is unknown.
    pub(super) unknown: Origins,
}

/// The blocks of a body, by the type of the objects that they make.
pub(super) struct BodyBlocks<'b, 'v> {
    by_type: BTreeMap<&'b SmolStr, BlocksOfType<'b, 'v>>,
    /// Whether the schema declares a block type `dynamic` of its own.
    has_own_dynamic: bool,
}

/// The blocks of a type, with the objects that all of them together have made.
struct BlocksOfType<'b, 'v> {
    list: BlockList<'b>,
    /// The number of blocks that the walk has seen.
    seen: usize,
    /// The path of the value of all blocks of the type. `None` if the path of the body is not known.
    path: Option<String>,
    nesting: Nesting,
    /// The value of all blocks of the type. `None` if it is unknown which object the body has made.
    whole: Option<&'v Value>,
    elements: Vec<&'v Value>,
    is_secret: bool,
    /// The objects that a block may have made, for a block whose own object is not known. Empty if none has secrets.
    candidates: Vec<&'v Value>,
}

impl<'b, 'v> BodyBlocks<'b, 'v> {
    pub(super) fn of(
        blocks: &'b [Block],
        schema: Option<&Schema>,
        values: &Values<'v>,
    ) -> BodyBlocks<'b, 'v> {
        let has_own_dynamic = schema.is_some_and(|schema| schema.blocks().contains_key(DYNAMIC));
        let mut lists: BTreeMap<&SmolStr, BlockList<'b>> = BTreeMap::new();
        for block in blocks {
            let label = block.labels.first().map(|label| &label.text);
            let is_dynamic = block.is_dynamic() && !has_own_dynamic;
            lists.entry(block.generated_type()).or_default().push(is_dynamic, label);
        }
        let nesting = |name| schema.and_then(|schema| schema.blocks().get(name)).map(|block| block.nesting);
        let of_type = |(name, list)| (name, BlocksOfType::new(name, nesting(name), list, values));
        BodyBlocks { by_type: sorted_map(lists.into_iter().map(of_type)), has_own_dynamic }
    }

    /// Whether a block generates blocks.
    pub(super) fn is_dynamic(&self, block: &Block) -> bool {
        block.is_dynamic() && !self.has_own_dynamic
    }

    /// Whether the body has blocks of a type, written or generated.
    pub(super) fn contains(&self, block_type: &SmolStr) -> bool {
        self.by_type.contains_key(block_type)
    }

    /// Returns the objects of the next written block.
    pub(super) fn written(&mut self, block: &Block) -> Values<'v> {
        match self.by_type.get_mut(block.generated_type()) {
            Some(blocks) => blocks.written(block),
            None => Values::default(),
        }
    }

    /// Returns the objects of the next `dynamic` block.
    pub(super) fn generated(&mut self, block: &Block) -> Generated<'v> {
        match self.by_type.get_mut(block.generated_type()) {
            Some(blocks) => blocks.generated(),
            None => Generated { values: Values::default(), count: None, unknown: Origins::NONE },
        }
    }
}

impl<'b, 'v> BlocksOfType<'b, 'v> {
    fn new(
        name: &SmolStr,
        nesting: Option<Nesting>,
        list: BlockList<'b>,
        values: &Values<'v>,
    ) -> BlocksOfType<'b, 'v> {
        let wholes: Vec<&'v Value> = values.parts(name).collect();
        let nesting =
            wholes.first().map_or(nesting.unwrap_or(Nesting::List), |whole| list.nesting(nesting, whole));
        let elements: Vec<&'v Value> = match nesting {
            Nesting::Single | Nesting::Group => wholes.clone(),
            Nesting::List | Nesting::Set | Nesting::Map => {
                wholes.iter().flat_map(|whole| elements(whole)).collect()
            }
        };
        let has_secrets = elements.iter().any(|element| has_secret(element));
        BlocksOfType {
            list,
            seen: 0,
            path: values.path.as_ref().map(|path| format!("{path}.{name}")),
            nesting,
            whole: wholes.first().copied().filter(|_| values.path.is_some()),
            is_secret: values.is_secret || wholes.iter().any(|whole| whole.marks().is_secret()),
            candidates: if has_secrets { elements.clone() } else { Vec::new() },
            elements,
        }
    }

    /// Returns the values of a block whose own object is not known: any object of its type.
    fn any(&self) -> Values<'v> {
        Values { objects: self.candidates.clone(), path: None, is_secret: self.is_secret }
    }

    fn one(&self, object: &'v Value, step: Option<PathStep>) -> Values<'v> {
        let Some(path) = &self.path else { return self.any() };
        let mut last = Path::ROOT;
        step.into_iter().for_each(|step| last.push(step));
        let is_secret = self.is_secret || object.marks().is_secret();
        Values { objects: vec![object], path: Some(format!("{path}{last}")), is_secret }
    }

    /// Returns the part of the next block in the value of all blocks.
    fn next_part(&mut self) -> PartOfBlock<'v> {
        let position = self.seen;
        self.seen += 1;
        self.whole.map_or(PartOfBlock::Uncertain, |whole| self.list.part(position, self.nesting, whole))
    }

    fn written(&mut self, block: &Block) -> Values<'v> {
        let found = match self.next_part() {
            PartOfBlock::Whole => self.whole.map(|whole| (whole, None)),
            PartOfBlock::Labelled(object) => {
                let label = block.labels.first().map(|label| Value::string(label.text.clone()));
                object.zip(label.map(|label| Some(PathStep::Index(label))))
            }
            PartOfBlock::Elements(range) => {
                let object = self.elements.get(range.start).copied();
                object.map(|object| (object, Some(PathStep::element(range.start))))
            }
            PartOfBlock::Generated(_)
            | PartOfBlock::AmongElements
            | PartOfBlock::Nothing
            | PartOfBlock::Uncertain => None,
        };
        found.map_or_else(|| self.any(), |(object, step)| self.one(object, step))
    }

    fn generated(&mut self) -> Generated<'v> {
        let part = self.next_part();
        let unknown = self.whole.filter(|whole| whole.unmarked().is_wholly_unknown());
        let is_counted = matches!(self.nesting, Nesting::List | Nesting::Map);
        let has_number = is_counted && self.whole.is_some() && unknown.is_none();
        let all = self.list.generated(self.elements.len()).filter(|_| has_number);
        let count = all.filter(|all| self.list.dynamic() == 1 || *all == 0);
        let own = match part {
            PartOfBlock::Elements(range) if count.is_some() => self.elements.get(range),
            PartOfBlock::Whole
            | PartOfBlock::Labelled(_)
            | PartOfBlock::Generated(_)
            | PartOfBlock::Elements(_)
            | PartOfBlock::AmongElements
            | PartOfBlock::Nothing
            | PartOfBlock::Uncertain => None,
        };
        let objects = match own {
            Some(own) if !self.candidates.is_empty() => own.to_vec(),
            Some(_) => Vec::new(),
            None => self.candidates.clone(),
        };
        Generated {
            values: Values { objects, ..self.any() },
            count,
            unknown: unknown.map(Value::origins_deep).unwrap_or_default(),
        }
    }
}

/// Returns the known elements of a list, set, tuple or map, even if it may have more.
fn elements(value: &Value) -> Vec<&Value> {
    match (value.known_elements(), value.known_attributes()) {
        (Some(elements), _) => elements.iter().collect(),
        (None, Some(entries)) => entries.values().collect(),
        (None, None) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value as Json, json};
    use terrane_source::MemoryFiles;

    use crate::{Project, Schemas, Secrets, schemas_from_json};

    fn schemas() -> Schemas {
        let attributes = json!({"a": {"type": "string", "optional": true}});
        let to = json!({"nesting_mode": "list", "block": {"attributes": attributes}});
        let block = |nesting: &str| json!({"nesting_mode": nesting, "block": {"attributes": attributes, "block_types": {"to": to}}});
        let blocks =
            json!({"list": block("list"), "set": block("set"), "map": block("map"), "one": block("single")});
        let schemas = json!({"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x":
            {"resource_schemas": {"x_y": {"version": 0, "block": {"block_types": blocks}}}}}});
        schemas_from_json(&schemas.to_string()).unwrap()
    }

    /// The paths of nested blocks by the lines of their headers.
    type PathsByLine = BTreeMap<u64, String>;

    /// Returns the paths of the blocks that are not `dynamic` in a plan, and in the document of all values.
    fn paths(content: &str, schemas: &Schemas) -> [PathsByLine; 2] {
        let main = format!("variable \"p\" {{}}\nresource \"x_y\" \"a\" {{\n{content}\n}}\n");
        let files = MemoryFiles::from_iter([("main.tf", &*main)]);
        let report = Project::new(".").schemas(schemas).evaluate(&files);
        let plan = report.plan(Secrets::Hidden, &files).unwrap().to_json();
        let documents = [plan, report.document(Secrets::Hidden).to_json()];
        documents.map(|document| {
            let document: Json = serde_json::from_str(&document).unwrap();
            let mut found = BTreeMap::new();
            add_paths(&document, &mut found);
            found
        })
    }

    fn add_paths(document: &Json, found: &mut PathsByLine) {
        if document["dynamic"] != json!(true) {
            let only = document["paths"].as_array().and_then(|paths| <&[Json; 1]>::try_from(&**paths).ok());
            let path = only.map(|[path]| path).or(document.get("path")).and_then(Json::as_str);
            if let (Some(path), Some(line)) = (path, document["source"]["start"]["line"].as_u64()) {
                found.insert(line, path.to_owned());
            }
        }
        let members = document.as_object().into_iter().flat_map(|members| members.values());
        members.chain(document.as_array().into_iter().flatten()).for_each(|part| add_paths(part, found));
    }

    fn lists(for_each: &str) -> String {
        let dynamic =
            format!("dynamic \"list\" {{\n  for_each = {for_each}\n  content {{\n    a = \"d\"\n  }}\n}}\n");
        let written = "list {\n  to {\n    a = \"w\"\n  }\n}\n";
        format!("{written}{dynamic}{written}{dynamic}{written}{written}")
    }

    #[test]
    fn blocks_between_dynamic_blocks_have_a_path_if_these_generate_none() {
        let written = |paths: &[&str]| -> Vec<String> { paths.iter().map(ToString::to_string).collect() };
        for schemas in [schemas(), Schemas::default()] {
            let [plan, _] = paths(&lists("[]"), &schemas);
            let all = [0, 1, 2, 3].map(|index| [format!(".list[{index}]"), format!(".list[{index}].to[0]")]);
            assert_eq!(plan.into_values().collect::<Vec<_>>(), all.concat());
            let [plan, _] = paths(&lists("[1, 2]"), &schemas);
            let outer =
                [".list[0]", ".list[0].to[0]", ".list[6]", ".list[6].to[0]", ".list[7]", ".list[7].to[0]"];
            assert_eq!(plan.into_values().collect::<Vec<_>>(), written(&outer));
        }
    }

    #[test]
    fn plans_and_documents_have_the_same_paths() {
        let maps = "map \"x y\" {\n  to {\n  }\n}\ndynamic \"map\" {\n  for_each = [\"l\"]\n  labels = [map.value]\n  \
                    content {\n  }\n}\nmap \"z.\" {\n}";
        let contents = [
            (lists("[]"), 8),
            (lists("[1]"), 6),
            (lists("var.p"), 0),
            ("list {\n  to {\n  }\n  to {\n  }\n}\n".to_owned(), 3),
            ("set {\n  a = \"a\"\n  to {\n  }\n}\n".to_owned(), 2),
            (maps.to_owned(), 3),
            ("one {\n  to {\n  }\n}\n".to_owned(), 2),
        ];
        for (content, count) in contents {
            let [plan, document] = paths(&content, &schemas());
            assert_eq!((plan.len(), &plan), (count, &document), "{content}");
            // Without a schema, all blocks are elements of lists.
            let [plan, document] = paths(&content, &Schemas::default());
            assert_eq!(plan, document, "{content}");
        }
        // Only the document compares the literal arguments of blocks with the elements of a set.
        let [plan, document] = paths("set {\n  a = \"b\"\n}\nset {\n  a = \"a\"\n}\n", &schemas());
        assert!(plan.is_empty(), "{plan:?}");
        assert_eq!(document.into_values().collect::<Vec<_>>(), [".set[1]", ".set[0]"]);
    }
}
