//! Decodes blocks: a single block, collections of blocks, and maps by label.

use std::collections::BTreeMap;

use terrane_source::{Diagnostics, Span, ids, titles};
use terrane_value::{Origins, SmolStr, Type, Value, convert, unify_values};

use super::decoder::{BlocksOfType, BodyContext, Decoder};
use super::spec::{BodySpec, Collection};
use crate::body::Body;
use crate::expand::scoped_body::ScopedBlock;

impl Decoder<'_> {
    /// Returns the value of the only block of a type; null if there is none, and unknown after an error.
    pub(super) fn single_block(&mut self, blocks: &BlocksOfType<'_>, required: bool) -> Value {
        let only = self.only_block(blocks.block_type, required, blocks.context);
        let value = only.block.map(|block| self.block_value(block, 0, blocks.spec));
        let ty = || blocks.spec.ty().clone();
        match only.is_right {
            true => value.unwrap_or_else(|| Value::null(ty())),
            false => Value::unknown_from(ty(), Origins::error()),
        }
    }

    /// Returns the only block of a type. Reports a second one, and a missing one if it is required.
    fn only_block<'c>(
        &mut self,
        block_type: &str,
        required: bool,
        context: &'c BodyContext<'_>,
    ) -> OnlyBlock<'c> {
        match context.blocks(block_type) {
            [] => {
                if required {
                    let detail = format!("There must be a block `{block_type} {{ … }}` here.");
                    let span = context.content.missing_item_span;
                    let diagnostic = context.body.error(ids::MISSING_BLOCK, span, detail);
                    let title = titles::missing_block(block_type);
                    self.expander.push(diagnostic.titled(title), context.body);
                }
                OnlyBlock { block: None, is_right: !required }
            }
            [block] => OnlyBlock { block: Some(block), is_right: true },
            [block, second, ..] => {
                let source = block.body.body.source();
                let line = source.line_column(block.header_span.start).line;
                let detail = format!(
                    "Only one `{block_type}` block is allowed here, but line {line} of {} has one too. \
                     Remove one of them.",
                    source.id()
                );
                let diagnostic = second.body.error(ids::DUPLICATE_BLOCK, second.header_span, detail);
                let title = titles::duplicate_block(block_type);
                self.expander.push(diagnostic.titled(title), &second.body);
                OnlyBlock { block: Some(block), is_right: false }
            }
        }
    }

    /// Returns the value of a block whose first `keys` labels are keys.
    fn block_value(&mut self, block: &ScopedBlock, keys: usize, spec: &BodySpec) -> Value {
        let labels = block.labels.get(keys..).unwrap_or_default();
        self.body(&block.body, labels, spec, false)
    }

    /// Returns the value of a block in a collection.
    fn element_value(&mut self, block: &ScopedBlock, keys: usize, spec: &BodySpec) -> Value {
        let value = self.block_value(block, keys, spec);
        if spec.marks_blocks() { value.with_marks(&block.body.marks) } else { value }
    }

    /// Returns a collection of all blocks of a type, from `min` to `max` of them. A `max` of 0 is no limit.
    pub(super) fn block_collection(
        &mut self,
        blocks: &BlocksOfType<'_>,
        collection: Collection,
        min: usize,
        max: usize,
    ) -> Value {
        let ty = blocks.spec.ty();
        let mut elements = Vec::with_capacity(blocks.blocks().len());
        for block in blocks.blocks() {
            let value = self.element_value(block, 0, blocks.spec);
            if let Some(origins) = &block.body.unknown {
                return Value::unknown_from(collection.ty(ty), origins.clone());
            }
            elements.push(value);
            // After a limit, the value is not read: neither the other elements nor a common type are needed.
            if self.expander.is_stopped() {
                return Value::unknown_from(collection.ty(ty), Origins::error());
            }
        }
        if !self.check_number(blocks, min, max) {
            return Value::unknown_from(collection.ty(ty), Origins::error());
        }
        if collection == Collection::Tuple {
            return self.counted(Value::tuple(elements), blocks.context.body);
        }
        let Some((element, elements)) = self.unify_blocks(blocks, elements) else {
            return Value::error();
        };
        let value = match collection {
            Collection::Set if !self.may_make_set(&elements, blocks) => {
                return Value::unknown_from(collection.ty(ty), Origins::error());
            }
            Collection::Set => Value::set(element, elements),
            Collection::List | Collection::Tuple => Value::list(element, elements),
        };
        self.counted(value, blocks.context.body)
    }

    /// Whether the steps allow to compare the elements of a set. If not, reports that, and nothing more is computed.
    fn may_make_set(&mut self, elements: &[Value], blocks: &BlocksOfType<'_>) -> bool {
        let steps = Value::work_of_elements(elements) as u64;
        self.expander.may_work(steps, blocks.context.body)
    }

    /// Whether the number of blocks is allowed. Reports too few or too many.
    fn check_number(&mut self, blocks: &BlocksOfType<'_>, min: usize, max: usize) -> bool {
        let BlocksOfType { block_type, spec, context } = blocks;
        let count = blocks.blocks().len();
        if count < min {
            let detail =
                format!("This body needs at least {min} `{block_type}` block(s), but it has {count}.");
            let span = context.content.missing_item_span;
            let diagnostic = context.body.error(ids::TOO_FEW_BLOCKS, span, detail);
            let title = titles::too_few_blocks(block_type);
            self.expander.push(diagnostic.titled(title), context.body);
            return false;
        }
        let Some(extra) = blocks.blocks().get(max).filter(|_| max > 0) else { return true };
        let detail = format!("This body can have at most {max} `{block_type}` block(s), but it has {count}.");
        let diagnostic = extra.body.error(ids::TOO_MANY_BLOCKS, value_span(extra, spec), detail);
        self.expander.push(diagnostic.titled(titles::too_many_blocks(block_type)), &extra.body);
        false
    }

    /// Converts the elements to one type. The type is unknown before decoding if attributes may have any type, or a
    /// default has another type.
    fn unify_blocks(
        &mut self,
        blocks: &BlocksOfType<'_>,
        elements: Vec<Value>,
    ) -> Option<(Type, Vec<Value>)> {
        let BlocksOfType { block_type, spec, .. } = blocks;
        // An element with errors is unknown, and may have any type.
        let has_type = |element: &Value| element.ty() == *spec.ty() || element.ty() == Type::Dynamic;
        let is_uniform = !spec.ty().has_dynamic() && elements.iter().all(has_type);
        if elements.is_empty() || is_uniform {
            return Some((spec.ty().clone(), elements));
        }
        let problem = match unify_values(&elements) {
            Some(Ok((element, elements))) => return Some((element, elements)),
            Some(Err(error)) => format!(" {error}."),
            None => String::new(),
        };
        let first = blocks.blocks().first()?;
        let detail = format!(
            "The `{block_type}` blocks form a list, set or map, so each argument must have the same type in all of \
             them.{problem}"
        );
        let diagnostic = first.body.error(ids::INCONSISTENT_BLOCKS, value_span(first, spec), detail);
        self.expander.push(diagnostic.titled(titles::inconsistent_blocks(block_type)), &first.body);
        None
    }

    /// Returns a map or object of all blocks of a type by their first `keys` labels.
    pub(super) fn labelled_blocks(&mut self, blocks: &BlocksOfType<'_>, keys: usize, object: bool) -> Value {
        let BlocksOfType { block_type, spec, .. } = blocks;
        let unknown = |origins: Origins| match object {
            true => Value::unknown_from(Type::Dynamic, origins),
            false => Value::unknown_from((0..keys).fold(spec.ty().clone(), |ty, _| Type::map(ty)), origins),
        };
        let mut entries: BTreeMap<Vec<SmolStr>, Value> = BTreeMap::new();
        let mut has_duplicates = false;
        for block in blocks.blocks() {
            if let Some(origins) = &block.body.unknown {
                return unknown(origins.clone());
            }
            let value = self.element_value(block, keys, spec);
            let labels = block.labels.get(..keys).unwrap_or_default();
            let path: Vec<SmolStr> = labels.iter().map(|label| label.text.clone()).collect();
            if entries.contains_key(&path) {
                let detail = format!(
                    "Another `{block_type}` block already has the label(s) \"{}\". Choose other labels.",
                    path.join("\", \"")
                );
                let diagnostic = block.body.error(ids::DUPLICATE_BLOCK, block.header_span, detail);
                let title = titles::duplicate_block(block_type);
                self.expander.push(diagnostic.titled(title), &block.body);
                has_duplicates = true;
                continue;
            }
            entries.insert(path, value);
            if self.expander.is_stopped() {
                return unknown(Origins::error());
            }
        }
        if has_duplicates {
            return unknown(Origins::error());
        }
        if object {
            let entries: Vec<_> =
                entries.iter().map(|(path, value)| (path.as_slice(), value.clone())).collect();
            return self.counted(by_label(&entries, keys, object, spec.ty()), blocks.context.body);
        }
        let (paths, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let Some((ty, values)) = self.unify_blocks(blocks, values) else {
            return Value::error();
        };
        let entries: Vec<_> = paths.iter().map(Vec::as_slice).zip(values).collect();
        self.counted(by_label(&entries, keys, object, &ty), blocks.context.body)
    }

    /// Returns a map of all attributes of the only block of a type.
    pub(super) fn block_attributes(
        &mut self,
        block_type: &str,
        element: &Type,
        required: bool,
        context: &BodyContext<'_>,
    ) -> Value {
        let OnlyBlock { block, is_right } = self.only_block(block_type, required, context);
        let Some(block) = block.filter(|_| is_right) else {
            let ty = Type::map(element.without_optional());
            return if is_right { Value::null(ty) } else { Value::unknown_from(ty, Origins::error()) };
        };
        let (content, _) = self.expander.read(&block.body, Body::just_attributes);
        let mut names = Vec::new();
        let mut values = Vec::new();
        for (name, attribute) in &content.attributes {
            names.push(name.clone());
            values.push(self.element(attribute, block_type, element, &block.body));
        }
        if values.is_empty() || !element.has_dynamic() {
            let map = Value::map(element.without_optional(), names.into_iter().zip(values));
            return self.counted(map, context.body);
        }
        // Untyped nulls are converted to the type of the other values.
        let mut types = values.iter().map(Value::ty).filter(|ty| *ty != Type::Dynamic);
        let only_type = types.next().filter(|first| types.all(|ty| ty == *first));
        let converted = match only_type {
            Some(ty) => {
                let values = values.iter().map(|value| convert(value, &ty)).collect::<Result<Vec<_>, _>>();
                Some(values.map(|values| (ty, values)))
            }
            None => unify_values(&values),
        };
        if let Some(Ok((element, values))) = converted {
            return self.counted(Value::map(element, names.into_iter().zip(values)), context.body);
        }
        let detail =
            format!("The arguments of a `{block_type}` block form a map, so they must have the same type.");
        let diagnostic = block.body.error(ids::INCONSISTENT_BLOCKS, block.header_span, detail);
        self.expander.push(diagnostic.titled(titles::inconsistent_blocks(block_type)), &block.body);
        Value::error()
    }
}

/// Returns maps or objects, nested `keys` deep, of entries in the order of their paths.
fn by_label(entries: &[(&[SmolStr], Value)], keys: usize, object: bool, ty: &Type) -> Value {
    let mut groups: Vec<(SmolStr, Value)> = Vec::new();
    let mut rest = entries;
    while let Some(([label, ..], value)) = rest.first() {
        let len = rest.iter().take_while(|(path, _)| path.first() == Some(label)).count();
        let (group, behind) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        let inner = if keys <= 1 {
            value.clone()
        } else {
            let deeper = group.iter().map(|(path, value)| (path.get(1..).unwrap_or_default(), value.clone()));
            by_label(&deeper.collect::<Vec<_>>(), keys - 1, object, ty)
        };
        groups.push((label.clone(), inner));
        rest = behind;
    }
    if object {
        return Value::object(groups);
    }
    Value::map((1..keys).fold(ty.clone(), |ty, _| Type::map(ty)), groups)
}

/// The only block of a type that a body may have once.
struct OnlyBlock<'c> {
    /// The first block, if there is one.
    block: Option<&'c ScopedBlock>,
    /// Whether the number of blocks is allowed.
    is_right: bool,
}

/// Returns the span of the value of a block, for diagnostics.
fn value_span(block: &ScopedBlock, spec: &BodySpec) -> Span {
    let (content, _) = block.body.body.partial_content(spec.schema(), &mut Diagnostics::new());
    spec.spec().span(&content, &block.labels)
}
