use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_source::Diagnostics;
use terrane_syntax::Tree;
use terrane_syntax::tree::{Block, BodyId, Item};
use terrane_value::{Entries, Marks, OriginKind, Origins, Type, Value, ValueKind};

use crate::Scope;
use crate::dynamic::{Dynamic, Elements, iterator_object};
use crate::evaluate::Evaluator;

/// Who a body without a schema belongs to: the cause of what is unknown in it.
#[derive(Clone, Copy, Debug)]
pub struct Owner<'o> {
    /// The kind of cause: [`OriginKind::ResourceAttribute`] or [`OriginKind::DataSource`].
    pub kind: OriginKind,
    /// The address, such as `aws_vpc.main`, which the name of the attribute follows.
    pub address: &'o str,
}

/// Evaluates a body without a schema: its arguments, and for each block type an open sequence of open objects.
///
/// `dynamic` blocks are expanded. Arguments and blocks named in `skip` are left out. What is configured as null
/// is unknown, because the provider may set it, and objects are open, because the provider may add to them.
pub fn open_body(
    tree: &Arc<Tree>,
    body: BodyId,
    owner: Owner<'_>,
    skip: &[&str],
    scope: &Scope<'_>,
    diagnostics: &mut Diagnostics,
) -> Entries {
    let mut evaluator = Evaluator::new(tree, scope);
    let origins = Origins::one(owner.kind, owner.address);
    let entries = evaluator.open_entries(body, &origins, skip);
    diagnostics.extend(evaluator.diagnostics);
    entries
}

/// The blocks of one type.
#[derive(Default)]
struct Blocks {
    objects: Vec<Value>,
    /// The marks of what the number of blocks depends on.
    marks: Marks,
    /// Why the number of blocks is not known, where it is not.
    unknown: Option<Origins>,
}

impl<'e> Evaluator<'e> {
    fn open_entries(&mut self, body: BodyId, origins: &Origins, skip: &[&str]) -> Entries {
        let tree = self.tree;
        if self.is_stopped() {
            return Entries::default();
        }
        self.depth += 1;
        let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
        let mut blocks: BTreeMap<&str, Blocks> = BTreeMap::new();
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let name = tree.slice(attribute.name);
                    if !skip.contains(&name) {
                        let value = self.eval(attribute.expr);
                        entries.push((Arc::from(name), opened(&value, &origins.at_attribute(name))));
                    }
                }
                Item::Block(id) => self.open_block(tree.block(*id), origins, skip, &mut blocks),
            }
        }
        for (block_type, blocks) in blocks {
            let value = blocks.into_value(&origins.at_attribute(block_type));
            entries.push((Arc::from(block_type), value));
        }
        self.depth -= 1;
        entries.into_iter().collect()
    }

    fn open_block(
        &mut self,
        block: &'e Block,
        origins: &Origins,
        skip: &[&str],
        blocks: &mut BTreeMap<&'e str, Blocks>,
    ) {
        let block_type = self.tree.slice(block.block_type);
        if skip.contains(&block_type) {
            return;
        }
        if block_type != "dynamic" {
            let object = self.open_object(block.body, &origins.at_attribute(block_type));
            blocks.entry(block_type).or_default().objects.push(object);
            return;
        }
        if let Some(dynamic) = self.dynamic(block) {
            let origins = origins.at_attribute(dynamic.block_type);
            self.open_dynamic(&dynamic, &origins, blocks.entry(dynamic.block_type).or_default());
        } else if let [label] = self.tree.list(block.labels) {
            blocks.entry(self.tree.text(label.text)).or_default().lose(&Origins::error());
        }
    }

    fn open_dynamic(&mut self, dynamic: &Dynamic<'e>, origins: &Origins, blocks: &mut Blocks) {
        blocks.marks = blocks.marks.union(&dynamic.marks);
        match &dynamic.elements {
            Elements::Known(elements) => {
                let mark = self.diagnostics.len();
                for (key, value) in elements {
                    let object = self.open_content(dynamic, key.clone(), value.clone(), origins);
                    blocks.objects.push(object.with_marks(&dynamic.marks));
                    self.count_element(self.tree.body(dynamic.content).span);
                }
                self.drop_repeated(mark);
            }
            Elements::Unknown(cause) => {
                // The content is evaluated only for its mistakes.
                let unknown = Value::unknown_from(Type::Dynamic, cause.clone());
                self.open_content(dynamic, unknown.clone(), unknown, origins);
                blocks.lose(cause);
            }
        }
    }

    fn open_content(&mut self, dynamic: &Dynamic<'e>, key: Value, value: Value, origins: &Origins) -> Value {
        self.locals.push((dynamic.iterator, iterator_object(key, value)));
        if matches!(dynamic.elements, Elements::Known(_)) {
            self.check_dynamic_labels(dynamic.labels);
        }
        let object = self.open_object(dynamic.content, origins);
        self.locals.pop();
        object
    }

    fn open_object(&mut self, body: BodyId, origins: &Origins) -> Value {
        Value::open_object(self.open_entries(body, origins, &[]), origins.clone())
    }
}

impl Blocks {
    fn lose(&mut self, origins: &Origins) {
        self.unknown = Some(self.unknown.take().unwrap_or_default().union(origins));
    }

    fn into_value(self, origins: &Origins) -> Value {
        let value = match self.unknown {
            Some(cause) => Value::unknown_from(Type::Dynamic, cause),
            None => Value::open_sequence(self.objects, origins.clone()),
        };
        value.with_marks(&self.marks)
    }
}

/// A configured value as the provider may give it back: null may be set, and objects at any depth may have more
/// attributes. `origins` is the cause of what is not known of it.
fn opened(value: &Value, origins: &Origins) -> Value {
    let open_elements = |elements: &[Value]| -> Vec<Value> {
        let key = |index| Value::number(terrane_value::Number::counted(index));
        (0..).zip(elements).map(|(index, element)| opened(element, &origins.at_index(&key(index)))).collect()
    };
    match value.kind() {
        ValueKind::Marked(inner, marks) => opened(inner, origins).with_marks(marks),
        ValueKind::Null(_) => Value::unknown_from(Type::Dynamic, origins.clone()),
        ValueKind::Object(attributes) => {
            let open = |(name, value): &(Arc<str>, Value)| {
                (Arc::clone(name), opened(value, &origins.at_attribute(name)))
            };
            Value::open_object(attributes.iter().map(open).collect(), origins.clone())
        }
        ValueKind::Tuple(elements) => Value::tuple(open_elements(elements)),
        ValueKind::List(elements) if has_objects(&value.ty()) => {
            Value::list(Type::Dynamic, open_elements(elements))
        }
        ValueKind::Set(elements) if has_objects(&value.ty()) => {
            Value::open_sequence(open_elements(elements), origins.clone())
        }
        ValueKind::Map(entries) if has_objects(&value.ty()) => {
            let open = |(key, value): &(Arc<str>, Value)| {
                (Arc::clone(key), opened(value, &origins.at_index(&Value::string(Arc::clone(key)))))
            };
            Value::map(Type::Dynamic, entries.iter().map(open))
        }
        ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::String(_)
        | ValueKind::List(_)
        | ValueKind::Set(_)
        | ValueKind::Map(_)
        | ValueKind::Unknown(_) => value.clone(),
    }
}

fn has_objects(ty: &Type) -> bool {
    match ty {
        Type::Object(_) | Type::Tuple(_) => true,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_objects(element),
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
    }
}
