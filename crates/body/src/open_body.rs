use std::collections::BTreeMap;

use terrane_eval::{FEWEST_SHARED, Scope};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_value::{Entries, Mark, Marks, OriginKind, Origins, SmolStr, Type, Value, ValueKind};

use crate::body::Body;
use crate::body_schema::DYNAMIC;
use crate::content::Block;
use crate::expand::dynamic::{Dynamic, Elements, Expanded, Expander, Labels};

/// Who a body without a schema belongs to: the cause of what is unknown in it.
#[derive(Clone, Copy, Debug)]
pub struct Owner<'o> {
    /// The kind of cause: [`OriginKind::ResourceAttribute`] or [`OriginKind::DataSource`].
    pub kind: OriginKind,
    /// The address, such as `aws_vpc.main`, which the name of the attribute follows.
    pub address: &'o str,
    /// Whether what is configured is stored. An ephemeral value can then only be meant for an attribute that is not kept,
    /// of which nothing can be read.
    pub is_stored: bool,
}

/// Evaluates a body without a schema: its arguments, and for each block type an open sequence of open objects.
///
/// `dynamic` blocks are expanded. What is configured as null is unknown, because the provider may set it, and objects are open, because the provider may add to them. All of a
/// JSON body are arguments, except `dynamic` blocks.
pub fn open_body(body: &Body, owner: Owner<'_>, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Entries {
    let mut reader = Reader { expander: Expander::new(scope, diagnostics), is_stored: owner.is_stored };
    reader.entries(&Expanded::new(body.clone()), &Origins::one(owner.kind, owner.address))
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

struct Reader<'s> {
    expander: Expander<'s>,
    is_stored: bool,
}

impl Reader<'_> {
    fn entries(&mut self, body: &Expanded, origins: &Origins) -> Entries {
        if self.expander.is_stopped() {
            return Entries::default();
        }
        let (content, _) = self.expander.read(body, Body::open_content);
        let mut entries: Vec<(SmolStr, Value)> = Vec::new();
        let mut blocks: BTreeMap<SmolStr, Blocks> = BTreeMap::new();
        for (name, attribute) in &content.attributes {
            let origins = origins.at_attribute(name);
            let value = self.expander.attribute(attribute, body);
            let is_kept = !self.is_stored || !value.unmark_deep().1.contains(&Mark::Ephemeral);
            let value = if is_kept { value } else { Value::NULL };
            let shared = self
                .expander
                .shared()
                .filter(|_| value.as_sequence().is_some_and(|all| all.len() >= FEWEST_SHARED));
            let elements = shared.and_then(|shared| shared.elements(&value, as_they_are));
            let opened = match elements {
                Some(elements) => Value::open_sequence(elements, origins).with_marks(value.marks()),
                None => opened(&value, &origins),
            };
            entries.push((name.clone(), opened));
        }
        for block in &content.blocks {
            self.block(block, body, origins, &mut blocks);
        }
        // Without any block the provider may set some, as where none is written.
        let some = |blocks: &Blocks| !blocks.objects.is_empty() || blocks.unknown.is_some();
        for (block_type, blocks) in blocks.into_iter().filter(|(_, blocks)| some(blocks)) {
            let value = blocks.into_value(&origins.at_attribute(&block_type));
            entries.push((block_type, value));
        }
        entries.into_iter().collect()
    }

    fn block(
        &mut self,
        block: &Block,
        body: &Expanded,
        origins: &Origins,
        blocks: &mut BTreeMap<SmolStr, Blocks>,
    ) {
        let block_type = &block.block_type;
        if &**block_type != DYNAMIC {
            let object = self.object(&body.written(block).body, &origins.at_attribute(block_type));
            blocks.entry(block_type.clone()).or_default().objects.push(object);
            return;
        }
        if let [label] = block.labels.as_slice()
            && body.body.has_consumed_block(&label.text)
        {
            // Such blocks are read before anything is evaluated.
            let detail = format!(
                "A `dynamic` block cannot make blocks of type \"{}\". Write the block itself.",
                label.text
            );
            let diagnostic = Diagnostic::error(ids::UNSUPPORTED_BLOCK, detail);
            self.expander.push(diagnostic.at(body.body.source(), label.span), body);
            return;
        }
        if let Some(dynamic) = self.expander.dynamic(block, body, Labels::Any) {
            let origins = origins.at_attribute(&dynamic.block_type);
            let blocks = blocks.entry(dynamic.block_type.clone()).or_default();
            self.dynamic(&dynamic, body, &origins, blocks);
        } else if let [label] = block.labels.as_slice() {
            blocks.entry(label.text.clone()).or_default().lose(&Origins::error());
        }
    }

    fn dynamic(&mut self, dynamic: &Dynamic, body: &Expanded, origins: &Origins, blocks: &mut Blocks) {
        blocks.marks = blocks.marks.union(&dynamic.marks);
        match &dynamic.elements {
            Elements::Known(elements) => {
                for (key, value) in elements {
                    let Some(block) = self.expander.make(dynamic, body, Some((key, value))) else {
                        blocks.lose(&Origins::error());
                        continue;
                    };
                    let object = self.object(&block.body, origins);
                    blocks.objects.push(object.with_marks(&dynamic.marks));
                }
            }
            Elements::Unknown(cause) => {
                // The content is read but, as in the reference, not evaluated: its mistakes may be in no block in the
                // end. Labels need not be known before the elements are.
                let block = dynamic.block(body, None);
                self.object(&block.body, origins);
                blocks.lose(cause);
            }
        }
    }

    fn object(&mut self, body: &Expanded, origins: &Origins) -> Value {
        Value::open_object(self.entries(body, origins), origins.clone())
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

/// A configured value as the provider may give it back: null may be set, objects at any depth may have more
/// attributes, and a list, set or tuple becomes the kind of sequence that the attribute is. `origins` is the cause of what is not known of it.
fn opened(value: &Value, origins: &Origins) -> Value {
    let open_elements = |elements: &[Value]| -> Vec<Value> {
        let key = |index| Value::number(terrane_value::Number::counted(index));
        (0..).zip(elements).map(|(index, element)| opened(element, &origins.at_index(&key(index)))).collect()
    };
    match value.kind() {
        ValueKind::Marked(inner, marks) => opened(inner, origins).with_marks(marks),
        ValueKind::Null(_) => Value::unknown_from(Type::Dynamic, origins.clone()),
        ValueKind::Object(attributes) => {
            let open = |(name, value): (&SmolStr, &Value)| {
                (name.clone(), opened(value, &origins.at_attribute(name)))
            };
            Value::open_object(attributes.iter().map(open).collect(), origins.clone())
        }
        ValueKind::List(elements) | ValueKind::Set(elements) | ValueKind::Tuple(elements) => {
            Value::open_sequence(open_elements(elements), origins.clone())
        }
        ValueKind::Map(entries) if has_objects(&value.ty()) => {
            let open = |(key, value): (&SmolStr, &Value)| {
                (key.clone(), opened(value, &origins.at_index(&Value::string(key.clone()))))
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

/// The elements of a sequence, where a provider gives each back as it is.
fn as_they_are(elements: &[Value]) -> Option<Vec<Value>> {
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
    use terrane_eval::{FunctionTable, Lookup, Names, Reference, Semantics, Shared};
    use terrane_source::{FileId, SourceFile};
    use terrane_syntax::parse_body;

    use super::*;

    /// Instances of one block, which read a list.
    struct Instances {
        list: Value,
        shared: Option<Shared>,
    }

    impl Names for Instances {
        fn lookup(&self, reference: &Reference<'_>) -> Lookup {
            Lookup::Found { value: self.list.clone(), consumed: reference.steps.len() }
        }

        fn shared(&self) -> Option<&Shared> {
            self.shared.as_ref()
        }

        fn visible(&self) -> Vec<String> {
            Vec::new()
        }
    }

    /// Two values of the argument `a`, which is the list.
    fn two_instances(names: &Instances) -> [Value; 2] {
        let parsed = parse_body(&SourceFile::new(FileId::new("main.tf"), "a = var.list"));
        let body = Body::native(&parsed.tree, parsed.root);
        let owner = Owner { kind: OriginKind::ResourceAttribute, address: "x.y", is_stored: true };
        let functions = FunctionTable::new(Vec::new());
        let (files, limits) = (terrane_source::MemoryFiles::default(), terrane_function::Limits::default());
        let env = terrane_function::CallEnv::new(&files, std::path::Path::new("."), &limits);
        let scope = Scope { names, functions: &functions, env: &env, semantics: Semantics::default() };
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
        for (length, is_shared) in [(FEWEST_SHARED - 1, false), (FEWEST_SHARED, true)] {
            let list = Value::list(Type::String, vec![Value::from("a"); length]);
            let shared = Instances { list: list.clone(), shared: Some(Shared::except(&["count"])) };
            let [first, second] = two_instances(&shared);
            assert_eq!(elements(&first) == elements(&second), is_shared, "{length} elements");
            let [alone, _] = two_instances(&Instances { list, shared: None });
            assert!(first.same(&alone) && second.same(&alone), "{length} elements");
        }
    }

    #[test]
    fn what_a_provider_may_change_is_the_same_shared_or_not() {
        let mut list = vec![Value::from("a"); FEWEST_SHARED];
        list.push(Value::NULL);
        let list = Value::tuple(list);
        let shared = Instances { list: list.clone(), shared: Some(Shared::except(&["count"])) };
        let [alone, _] = two_instances(&Instances { list, shared: None });
        for value in two_instances(&shared) {
            assert!(value.same(&alone), "{value:?}");
        }
    }

    #[test]
    fn elements_are_shared_that_a_provider_gives_back_as_they_are() {
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
            assert!(as_they_are(std::slice::from_ref(element)).is_some(), "{element:?}");
            assert!(opened(element, &origins).same(element), "{element:?}");
        }
        let object = Value::object([(SmolStr::new("k"), text.clone())]);
        let others = [
            Value::NULL,
            object.clone(),
            Value::map(Type::Dynamic, [(SmolStr::new("k"), object)]),
            Value::list(Type::String, [text.clone()]),
            Value::set(Type::String, [text.clone()]),
            Value::tuple([text.clone()]),
            text.clone().with_marks(&Marks::one(Mark::Sensitive)),
        ];
        for element in others {
            assert!(as_they_are(&[text.clone(), element.clone()]).is_none(), "{element:?}");
        }
    }
}
