//! Blocks as values: a single one, collections, and maps by label.

use std::collections::BTreeMap;

use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Span, ids};
use terrane_value::{SmolStr, Type, Value, convert, unify_values};

use super::decoder::{Decoder, Place};
use super::spec::{BodySpec, Collection};
use crate::body::Body;
use crate::expand::dynamic::{Expanded, ExpandedBlock};

impl Decoder<'_> {
    /// The only block of a type.
    pub(super) fn block(
        &mut self,
        block_type: &str,
        nested: &BodySpec,
        required: bool,
        place: &Place<'_>,
    ) -> Value {
        match self.only_block(block_type, required, place) {
            Some(block) => self.block_value(block, 0, nested),
            None => Value::null(nested.ty().clone()),
        }
    }

    /// The only block of a type. A second one is reported.
    fn only_block<'p>(
        &mut self,
        block_type: &str,
        required: bool,
        place: &'p Place<'_>,
    ) -> Option<&'p ExpandedBlock> {
        match place.blocks(block_type) {
            [] => {
                if required {
                    let detail = format!("There must be a block `{block_type} {{ … }}` here.");
                    let span = place.content.missing_item_span;
                    self.report(
                        ids::MISSING_BLOCK,
                        format!("Missing {block_type} block"),
                        place.body,
                        span,
                        detail,
                    );
                }
                None
            }
            [block] => Some(block),
            [block, second, ..] => {
                let source = block.body.body.source();
                let line = source.lines().line_column(source.text(), block.header_span.start).line;
                let detail = format!(
                    "There may be only one `{block_type}` block here, and there is one in line {line} of {}. Remove \
                     one of them.",
                    source.id()
                );
                let title = format!("Duplicate {block_type} block");
                self.report(ids::DUPLICATE_BLOCK, title, &second.body, second.header_span, detail);
                Some(block)
            }
        }
    }

    fn report(&mut self, id: DiagnosticId, title: String, body: &Expanded, span: Span, detail: String) {
        let diagnostic = Diagnostic::error(id, detail).titled(title).at(body.body.source(), span);
        self.expander.push(diagnostic, body);
    }

    /// The value of a block, the first `keys` labels of which are keys.
    fn block_value(&mut self, block: &ExpandedBlock, keys: usize, nested: &BodySpec) -> Value {
        let labels = block.labels.get(keys..).unwrap_or_default();
        self.body(&block.body, labels, nested, false)
    }

    /// A collection of all blocks of a type.
    pub(super) fn blocks(
        &mut self,
        block_type: &str,
        collection: Collection,
        nested: &BodySpec,
        (min, max): (usize, usize),
        place: &Place<'_>,
    ) -> Value {
        let ty = match collection {
            Collection::List => Type::list(nested.ty().clone()),
            Collection::Set => Type::set(nested.ty().clone()),
            Collection::Tuple => Type::Dynamic,
        };
        let blocks = place.blocks(block_type);
        let mut elements = Vec::with_capacity(blocks.len());
        for block in blocks {
            let value = self.block_value(block, 0, nested);
            if let Some(origins) = &block.body.unknown {
                return Value::unknown_from(ty, origins.clone());
            }
            elements.push(value);
        }
        self.check_number(block_type, nested, (min, max), blocks, place);
        if collection == Collection::Tuple {
            return Value::tuple(elements);
        }
        let Some((element, elements)) = self.one_type(block_type, nested, elements, blocks) else {
            return Value::error();
        };
        match collection {
            Collection::Set => Value::set(element, elements),
            Collection::List | Collection::Tuple => Value::list(element, elements),
        }
    }

    /// Reports that there are too few or too many blocks.
    fn check_number(
        &mut self,
        block_type: &str,
        nested: &BodySpec,
        (min, max): (usize, usize),
        blocks: &[ExpandedBlock],
        place: &Place<'_>,
    ) {
        let count = blocks.len();
        if count < min {
            let detail =
                format!("There must be at least {min} `{block_type}` block(s) here, and there are {count}.");
            let title = format!("Insufficient {block_type} blocks");
            let span = place.content.missing_item_span;
            return self.report(ids::TOO_FEW_BLOCKS, title, place.body, span, detail);
        }
        let Some(extra) = blocks.get(max).filter(|_| max > 0) else { return };
        let detail =
            format!("There may be at most {max} `{block_type}` block(s) here, and there are {count}.");
        let span = value_span(extra, nested);
        self.report(ids::TOO_MANY_BLOCKS, format!("Too many {block_type} blocks"), &extra.body, span, detail);
    }

    /// The elements converted to one type, which may not be known before because of attributes of any type, and of
    /// defaults of another type.
    fn one_type(
        &mut self,
        block_type: &str,
        nested: &BodySpec,
        elements: Vec<Value>,
        blocks: &[ExpandedBlock],
    ) -> Option<(Type, Vec<Value>)> {
        // What has a mistake has no type, and is in no one's way.
        let is_right = |element: &Value| element.ty() == *nested.ty() || element.ty() == Type::Dynamic;
        let is_fixed = !nested.ty().has_dynamic() && elements.iter().all(is_right);
        if elements.is_empty() || is_fixed {
            return Some((nested.ty().clone(), elements));
        }
        let problem = match unify_values(&elements) {
            Some(Ok((element, elements))) => return Some((element, elements)),
            Some(Err(error)) => format!(" {error}."),
            None => String::new(),
        };
        let first = blocks.first()?;
        let detail = format!(
            "The `{block_type}` blocks make a list, set or map, so what one of their arguments is must have one type in \
             all of them.{problem}"
        );
        let title = format!("Unconsistent argument types in {block_type} blocks");
        self.report(ids::INCONSISTENT_BLOCKS, title, &first.body, value_span(first, nested), detail);
        None
    }

    /// A map or object of all blocks of a type by their first labels.
    pub(super) fn labelled_blocks(
        &mut self,
        block_type: &str,
        keys: usize,
        object: bool,
        nested: &BodySpec,
        place: &Place<'_>,
    ) -> Value {
        let mut entries: BTreeMap<Vec<SmolStr>, Value> = BTreeMap::new();
        for block in place.blocks(block_type) {
            if let Some(origins) = &block.body.unknown {
                let ty = match object {
                    true => Type::Dynamic,
                    false => (0..keys).fold(nested.ty().clone(), |ty, _| Type::map(ty)),
                };
                return Value::unknown_from(ty, origins.clone());
            }
            let value = self.block_value(block, keys, nested);
            let labels = block.labels.get(..keys).unwrap_or_default();
            let path: Vec<SmolStr> = labels.iter().map(|label| label.text.clone()).collect();
            if entries.contains_key(&path) {
                let detail = format!(
                    "There already is a `{block_type}` block with the label(s) \"{}\". Choose other labels.",
                    path.join("\", \"")
                );
                let title = format!("Duplicate {block_type} block");
                self.report(ids::DUPLICATE_BLOCK, title, &block.body, block.header_span, detail);
                continue;
            }
            entries.insert(path, value);
        }
        if object {
            let entries: Vec<_> =
                entries.iter().map(|(path, value)| (path.as_slice(), value.clone())).collect();
            return by_label(&entries, keys, object, nested.ty());
        }
        let (paths, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let Some((ty, values)) = self.one_type(block_type, nested, values, place.blocks(block_type)) else {
            return Value::error();
        };
        let entries: Vec<_> = paths.iter().map(Vec::as_slice).zip(values).collect();
        by_label(&entries, keys, object, &ty)
    }

    /// A map of all attributes of the only block of a type.
    pub(super) fn block_attributes(
        &mut self,
        block_type: &str,
        element: &Type,
        required: bool,
        place: &Place<'_>,
    ) -> Value {
        let Some(block) = self.only_block(block_type, required, place) else {
            return Value::null(Type::map(element.without_optional()));
        };
        let (content, _) = self.expander.read(&block.body, Body::just_attributes);
        let mut names = Vec::new();
        let mut values = Vec::new();
        for (name, attribute) in &content.attributes {
            names.push(name.clone());
            values.push(self.element(attribute, block_type, element, &block.body));
        }
        if values.is_empty() || !element.has_dynamic() {
            return Value::map(element.without_optional(), names.into_iter().zip(values));
        }
        // Nulls without a type go with values of any one type.
        let mut types = values.iter().map(Value::ty).filter(|ty| *ty != Type::Dynamic);
        let typed = types.next().filter(|first| types.all(|ty| ty == *first));
        let converted = match typed {
            Some(ty) => {
                let values = values.iter().map(|value| convert(value, &ty)).collect::<Result<Vec<_>, _>>();
                Some(values.map(|values| (ty, values)))
            }
            None => unify_values(&values),
        };
        if let Some(Ok((element, values))) = converted {
            return Value::map(element, names.into_iter().zip(values));
        }
        let detail =
            format!("The arguments of a `{block_type}` block make a map, so they must have one type.");
        let title = format!("Unconsistent argument types in {block_type} blocks");
        self.report(ids::INCONSISTENT_BLOCKS, title, &block.body, block.header_span, detail);
        Value::error()
    }
}

/// Maps or objects, `keys` of them in each other, of entries that are ordered by their paths.
fn by_label(entries: &[(&[SmolStr], Value)], keys: usize, object: bool, ty: &Type) -> Value {
    let mut groups: Vec<(SmolStr, Value)> = Vec::new();
    let mut rest = entries;
    while let Some(([label, ..], value)) = rest.first() {
        let len = rest.iter().take_while(|(path, _)| path.first() == Some(label)).count();
        let (group, others) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        let inner = if keys <= 1 {
            value.clone()
        } else {
            let deeper = group.iter().map(|(path, value)| (path.get(1..).unwrap_or_default(), value.clone()));
            by_label(&deeper.collect::<Vec<_>>(), keys - 1, object, ty)
        };
        groups.push((label.clone(), inner));
        rest = others;
    }
    if object {
        return Value::object(groups);
    }
    Value::map((1..keys).fold(ty.clone(), |ty, _| Type::map(ty)), groups)
}

/// Where the value of a block is written.
fn value_span(block: &ExpandedBlock, nested: &BodySpec) -> Span {
    let (content, _) = block.body.body.partial_content(nested.schema(), &mut Diagnostics::new());
    nested.spec().span(&content, &block.labels)
}
