//! Evaluates a body without a schema, such as the configuration of a resource whose provider has no known schema.

use std::collections::BTreeMap;

use terrane_eval::{FEWEST_CACHED, Scope};
use terrane_source::{Diagnostics, ids};
use terrane_value::{Entries, Mark, Marks, OriginKind, Origins, SmolStr, Type, Value, ValueKind};

use crate::body::Body;
use crate::content::{Attribute, Block};
use crate::expand::dynamic_block::{DynamicBlock, Elements, ExpectedLabels};
use crate::expand::expander::Expander;
use crate::expand::scoped_body::ScopedBody;

/// The bytes of an open object or sequence without its parts: about 170 each for the value and for its origin.
const BYTES_OF_OPENED: usize = 340;

/// The memory of a value with fewer bytes is not checked separately: the check of the body includes it.
const FEWEST_CHECKED_BYTES: usize = 64 * 1024;

/// The object that a body without a schema configures, which is the origin of its unknown values.
#[derive(Clone, Copy, Debug)]
pub struct Owner<'o> {
    /// The kind of origin: [`OriginKind::ResourceAttribute`] or [`OriginKind::DataSource`].
    pub kind: OriginKind,
    /// The address before the name of the attribute, such as `aws_vpc.main`.
    pub address: &'o str,
    /// Whether the provider stores the configuration. An ephemeral value is then the value of a write-only
    /// attribute, which reads as null.
    pub is_stored: bool,
}

/// Evaluates a body without a schema: its arguments, and for each block type an open sequence of open objects.
///
/// `dynamic` blocks are expanded. Nulls become unknown, because the provider may set them, and objects are open, because
/// the provider may add attributes. All properties of a JSON body except `dynamic` are arguments.
pub fn open_body(body: &Body, owner: Owner<'_>, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Entries {
    let mut evaluator =
        OpenBodyEvaluator { expander: Expander::new(scope, diagnostics), is_stored: owner.is_stored };
    evaluator.entries(&ScopedBody::new(body.clone()), &Origins::one(owner.kind, owner.address))
}

/// The blocks of one type.
struct ObjectsOfBlockType {
    /// The origins of the values of the blocks.
    origins: Origins,
    objects: Vec<Value>,
    /// The marks of the collections that determine the number of blocks.
    marks: Marks,
    /// The reason why the number of blocks is unknown.
    unknown: Option<Origins>,
}

struct OpenBodyEvaluator<'s> {
    expander: Expander<'s>,
    is_stored: bool,
}

impl OpenBodyEvaluator<'_> {
    fn entries(&mut self, body: &ScopedBody, origins: &Origins) -> Entries {
        if self.expander.is_stopped() {
            return Entries::default();
        }
        let (content, _) = self.expander.read(body, Body::open_content);
        let mut entries: Vec<(SmolStr, Value)> = Vec::new();
        let mut blocks: BTreeMap<SmolStr, ObjectsOfBlockType> = BTreeMap::new();
        for (name, attribute) in &content.attributes {
            let origins = || origins.at_attribute(name);
            let before = self.expander.batch.memory();
            let value = self.expander.attribute(attribute, body);
            let is_kept = !self.is_stored || !value.marks_deep().contains(&Mark::Ephemeral);
            let value = if is_kept { value } else { Value::NULL };
            let opened = self.opened(&value, attribute, &origins);
            self.expander.batch.replace(&value, &opened, before);
            entries.push((name.clone(), opened));
        }
        for block in &content.blocks {
            self.block(block, body, origins, &mut blocks);
        }
        // A `dynamic` block without elements is like no block: the provider may set some blocks.
        let has_blocks = |blocks: &ObjectsOfBlockType| !blocks.objects.is_empty() || blocks.unknown.is_some();
        let blocks = blocks.into_iter().filter(|(_, blocks)| has_blocks(blocks));
        for (block_type, blocks) in blocks {
            let value = blocks.into_value();
            self.expander.batch.take_memory(value.outer_bytes());
            entries.push((block_type, value));
        }
        entries.into_iter().collect()
    }

    /// Returns the value of an attribute as the provider may return it. Its memory is counted before it is made.
    fn opened(&mut self, value: &Value, attribute: &Attribute, origins: &dyn Fn() -> Origins) -> Value {
        let cache = self
            .expander
            .instance_cache()
            .filter(|_| value.as_sequence().is_some_and(|all| all.len() >= FEWEST_CACHED));
        if let Some(elements) = cache.and_then(|cache| cache.elements(value, unchanged_elements)) {
            return Value::open_sequence(elements, origins()).with_marks(value.marks());
        }
        let bytes = opened_parts(value).saturating_mul(BYTES_OF_OPENED);
        let is_small = bytes < FEWEST_CHECKED_BYTES;
        if is_small || self.expander.has_memory(bytes, attribute.source(), attribute.value_span()) {
            open_value(value, origins)
        } else {
            Value::unknown_from(Type::Dynamic, Origins::error())
        }
    }

    fn block(
        &mut self,
        block: &Block,
        body: &ScopedBody,
        origins: &Origins,
        blocks: &mut BTreeMap<SmolStr, ObjectsOfBlockType>,
    ) {
        if !block.is_dynamic() {
            let blocks = of_type(blocks, &block.block_type, origins);
            let object = self.object(&body.literal_block(block).body, &blocks.origins);
            blocks.objects.push(object);
            return;
        }
        if let [label] = block.labels.as_slice()
            && body.body.has_consumed_block(&label.text)
        {
            // Blocks of this type have been read before evaluation.
            let detail = format!(
                "A `dynamic` block cannot generate blocks of type \"{}\". Write the block itself.",
                label.text
            );
            self.expander.push(body.error(ids::UNSUPPORTED_BLOCK, label.span, detail), body);
            return;
        }
        if let Some(dynamic) = self.expander.dynamic_block(block, body, ExpectedLabels::Any) {
            let blocks = of_type(blocks, &dynamic.block_type, origins);
            self.dynamic(&dynamic, body, blocks);
        } else if let [label] = block.labels.as_slice() {
            of_type(blocks, &label.text, origins).set_unknown(&Origins::error());
        }
    }

    fn dynamic(&mut self, dynamic: &DynamicBlock, body: &ScopedBody, blocks: &mut ObjectsOfBlockType) {
        blocks.marks = blocks.marks.union(&dynamic.marks);
        match &dynamic.elements {
            Elements::Known(elements) => {
                for element in elements {
                    if self.expander.is_stopped() {
                        blocks.set_unknown(&Origins::error());
                        break;
                    }
                    let Some(block) = self.expander.generate(dynamic, body, Some(element)) else {
                        blocks.set_unknown(&Origins::error());
                        continue;
                    };
                    let object = self.object(&block.body, &blocks.origins);
                    blocks.objects.push(object.with_marks(&dynamic.marks));
                }
            }
            Elements::Unknown(cause) => {
                // As in the reference, the content is read but not evaluated, because there may be no such block. Its
                // labels may depend on the elements.
                let block = dynamic.block(body, None);
                self.object(&block.body, &blocks.origins);
                blocks.set_unknown(cause);
            }
        }
    }

    fn object(&mut self, body: &ScopedBody, origins: &Origins) -> Value {
        let value = Value::open_object(self.entries(body, origins), origins.clone());
        self.expander.batch.take_memory(value.outer_bytes());
        self.expander.count_body(body);
        value
    }
}

/// Returns the blocks of a type in a body with these origins; none if this is the first.
fn of_type<'b>(
    blocks: &'b mut BTreeMap<SmolStr, ObjectsOfBlockType>,
    block_type: &SmolStr,
    origins: &Origins,
) -> &'b mut ObjectsOfBlockType {
    blocks.entry(block_type.clone()).or_insert_with(|| ObjectsOfBlockType {
        origins: origins.at_attribute(block_type),
        objects: Vec::new(),
        marks: Marks::default(),
        unknown: None,
    })
}

impl ObjectsOfBlockType {
    fn set_unknown(&mut self, origins: &Origins) {
        self.unknown = Some(self.unknown.take().unwrap_or_default().union(origins));
    }

    fn into_value(self) -> Value {
        let value = match self.unknown {
            Some(cause) => Value::unknown_from(Type::Dynamic, cause),
            None => Value::open_sequence(self.objects, self.origins),
        };
        value.with_marks(&self.marks)
    }
}

/// Returns the number of objects and sequences in a value, which become open.
fn opened_parts(value: &Value) -> usize {
    let inner = value.unmarked();
    let parts = match (inner.as_entries(), inner.as_sequence()) {
        (Some(entries), _) => entries.values().as_slice(),
        (None, Some(elements)) => elements,
        (None, None) => return 0,
    };
    parts.iter().fold(1, |sum, part| sum.saturating_add(opened_parts(part)))
}

/// Returns a configured value as the provider may return it: nulls are unknown, objects at any depth may have more
/// attributes, and a list, set or tuple may become another kind of sequence. `origins` returns the cause of its unknown
/// parts, and is not called for most values.
fn open_value(value: &Value, origins: &dyn Fn() -> Origins) -> Value {
    match value.kind() {
        ValueKind::Marked(inner, marks) => open_value(inner, origins).with_marks(marks),
        ValueKind::Null(_) => Value::unknown_from(Type::Dynamic, origins()),
        ValueKind::Object(attributes) => {
            let own = origins();
            let open = |(name, value): (&SmolStr, &Value)| {
                (name.clone(), open_value(value, &|| own.at_attribute(name)))
            };
            Value::open_object(attributes.iter().map(open).collect(), own.clone())
        }
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            let own = origins();
            let key = |index| Value::number(terrane_value::Number::counted(index));
            let open = |(index, value): (i64, &Value)| open_value(value, &|| own.at_index(&key(index)));
            Value::open_sequence((0..).zip(elements).map(open).collect::<Vec<_>>(), own.clone())
        }
        ValueKind::Map(entries) if has_objects(&value.ty()) => {
            let own = origins();
            let open = |(key, value): (&SmolStr, &Value)| {
                (key.clone(), open_value(value, &|| own.at_index(&Value::string(key.clone()))))
            };
            Value::map(Type::Dynamic, entries.iter().map(open))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::Map(_)
        | ValueKind::Unknown(_) => value.clone(),
    }
}

/// Returns the elements of a sequence if a provider returns each of them unchanged.
fn unchanged_elements(elements: &[Value]) -> Option<Vec<Value>> {
    let is_same = |element: &Value| match element.kind() {
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) | ValueKind::Unknown(_) => true,
        ValueKind::Map(_) => !has_objects(&element.ty()),
        ValueKind::Marked(..)
        | ValueKind::Null(_)
        | ValueKind::Object(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Tuple(_) => false,
    };
    elements.iter().all(is_same).then(|| elements.to_vec())
}

fn has_objects(ty: &Type) -> bool {
    match ty {
        Type::Object(_) | Type::Tuple(_) => true,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_objects(element),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
    }
}

#[cfg(test)]
mod tests {
    use terrane_eval::{FunctionTable, InstanceCache, Lookup, Names, Reference};
    use terrane_source::{FileId, SourceFile};
    use terrane_syntax::parse_body;

    use super::*;

    /// Instances of one block, which read a list.
    struct Instances {
        list: Value,
        cache: Option<InstanceCache>,
    }

    impl Names for Instances {
        fn lookup(&self, reference: &Reference<'_>) -> Lookup {
            Lookup::Found { value: self.list.clone(), consumed: reference.steps.len() }
        }

        fn instance_cache(&self) -> Option<&InstanceCache> {
            self.cache.as_ref()
        }

        fn visible(&self) -> Vec<String> {
            Vec::new()
        }
    }

    /// Returns two values of the argument `a`, which is the list.
    fn two_instances(names: &Instances) -> [Value; 2] {
        let parsed = parse_body(&SourceFile::new(FileId::new("main.tf"), "a = var.list"));
        let body = Body::native(&parsed.tree, parsed.root);
        let owner = Owner { kind: OriginKind::ResourceAttribute, address: "x.y", is_stored: true };
        let functions = FunctionTable::new(Vec::new());
        let (files, limits) = (terrane_source::MemoryFiles::default(), terrane_function::Limits::default());
        let env = terrane_function::CallEnv::new(&files, std::path::Path::new("."), &limits);
        let scope = Scope { names, functions: &functions, env: &env };
        let mut diagnostics = Diagnostics::new();
        let mut value = || open_body(&body, owner, &scope, &mut diagnostics).get("a").cloned().unwrap();
        let values = [value(), value()];
        assert!(diagnostics.is_empty());
        values
    }

    #[test]
    fn instances_share_the_elements_of_long_lists() {
        let elements = |value: &Value| match &value.as_unknown().unwrap().known {
            terrane_value::Known::Sequence(elements) => elements.as_ptr(),
            terrane_value::Known::Nothing | terrane_value::Known::Object(_) => panic!("{value:?}"),
        };
        for (length, is_shared) in [(FEWEST_CACHED - 1, false), (FEWEST_CACHED, true)] {
            let list = Value::list(Type::String, vec![Value::from("a"); length]);
            let shared = Instances { list: list.clone(), cache: Some(InstanceCache::except(&["count"])) };
            let [first, second] = two_instances(&shared);
            assert_eq!(elements(&first) == elements(&second), is_shared, "{length} elements");
            let [alone, _] = two_instances(&Instances { list, cache: None });
            assert!(first.same(&alone) && second.same(&alone), "{length} elements");
        }
    }

    #[test]
    fn open_elements_are_equal_with_and_without_a_cache() {
        let mut list = vec![Value::from("a"); FEWEST_CACHED];
        list.push(Value::NULL);
        let list = Value::tuple(list);
        let shared = Instances { list: list.clone(), cache: Some(InstanceCache::except(&["count"])) };
        let [alone, _] = two_instances(&Instances { list, cache: None });
        for value in two_instances(&shared) {
            assert!(value.same(&alone), "{value:?}");
        }
    }

    #[test]
    fn elements_are_shared_that_a_provider_gives_back_unchanged_elements() {
        let origins = Origins::one(OriginKind::ResourceAttribute, "demo.a");
        let text = Value::from("a");
        let same = [
            text.clone(),
            Value::from(1),
            Value::from(true),
            Value::unknown_from(Type::String, origins.clone()),
            Value::map(Type::String, [(SmolStr::new("k"), text.clone())]),
        ];
        for element in &same {
            assert!(unchanged_elements(std::slice::from_ref(element)).is_some(), "{element:?}");
            assert!(open_value(element, &|| origins.clone()).same(element), "{element:?}");
        }
        let object = Value::object([(SmolStr::new("k"), text.clone())]);
        let changed = [
            Value::NULL,
            object.clone(),
            Value::map(Type::Dynamic, [(SmolStr::new("k"), object)]),
            Value::list(Type::String, [text.clone()]),
            Value::set(Type::String, [text.clone()]),
            Value::tuple([text.clone()]),
            text.clone().with_marks(&Marks::one(Mark::Sensitive)),
        ];
        for element in changed {
            assert!(unchanged_elements(&[text.clone(), element.clone()]).is_none(), "{element:?}");
        }
    }
}
