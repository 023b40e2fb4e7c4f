//! Finds the references in the content of a block: in attributes, nested blocks and `dynamic` blocks.

use std::collections::BTreeSet;
use std::sync::Arc;

use terrane_body::{Attribute, Body, Schema, WrittenDynamic};
use terrane_source::{Diagnostics, SourceFile, Span};
use terrane_syntax::{Expr, Expression};
use terrane_value::SmolStr;

use crate::model::namespace::Namespace;
use crate::model::references::{BindingKind, LateMistake, Meaning, ReferencePlace, Target, Use};
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::reference::{OwnInstance, Targets};
use crate::resolve::root::{RootedReference, each_reference};
use crate::resolve::{provider_function, reference};

/// The references in the content of a block.
#[derive(Default)]
pub(crate) struct BodyReferences {
    /// The targets, each once.
    pub(crate) targets: Vec<Target>,
    /// The references of a resource to itself.
    pub(crate) instances: Vec<OwnInstance>,
    /// Wrong references in the content of `dynamic` blocks.
    pub(crate) in_dynamic: Vec<LateMistake>,
    /// Whether an expression reads `count`, `each` or `self`, which differ from instance to instance.
    pub(crate) varies: bool,
    /// The functions that its expressions call.
    pub(crate) functions: BTreeSet<SmolStr>,
}

/// Returns the references in the content of a resource. With a schema, content that the schema lacks is left out,
/// because decoding the block reports it as a whole.
pub(crate) fn resource(
    body: &Body,
    schema: Option<&Schema>,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) -> BodyReferences {
    let found = BodyReferences::default();
    let targets = Targets::default();
    let mut collector = ReferenceCollector { names, block, found, targets, is_dynamic: false, diagnostics };
    collector.body(body, schema, &[]);
    BodyReferences { targets: collector.targets.finish(), ..collector.found }
}

/// Returns the references in the content of a block without schema.
pub(crate) fn plain(
    body: &Body,
    names: &Declared<'_>,
    block: BlockNames<'_>,
    diagnostics: &mut Diagnostics,
) -> BodyReferences {
    let mut found = resource(body, None, names, block, diagnostics);
    diagnostics.extend(found.in_dynamic.drain(..).map(|mistake| mistake.diagnostic));
    found
}

/// Collects the references of a body.
struct ReferenceCollector<'c> {
    names: &'c Declared<'c>,
    block: BlockNames<'c>,
    /// The references found so far; their targets are in `targets`.
    found: BodyReferences,
    targets: Targets,
    /// Whether the body is in the content of a `dynamic` block.
    is_dynamic: bool,
    diagnostics: &'c mut Diagnostics,
}

impl ReferenceCollector<'_> {
    /// Adds the references of an attribute, except references to the iterators of the `dynamic` blocks around it.
    fn attribute(&mut self, attribute: &Attribute, iterators: &[Iterator]) {
        let expression = silent(attribute);
        provider_function::check(&expression, self.names, self.diagnostics);
        self.names.add_expression(&expression);
        let tree = &expression.tree;
        tree.expressions(expression.id, &mut |id| {
            if let Expr::Call(call) = tree.expr(id) {
                self.found.functions.insert(tree.function_name(tree.call(call)).into());
            }
        });
        let module = self.names.module;
        each_reference(&expression, module, &mut |reference| self.reference(&reference, iterators));
    }

    fn reference(&mut self, reference: &RootedReference<'_>, iterators: &[Iterator]) {
        let file = reference.tree.source();
        if let Some(iterator) = iterators.iter().rev().find(|iterator| *iterator.name == *reference.root) {
            return self.names.add_use(file, iterator.used_at(reference.root_span()));
        }
        self.found.varies |=
            matches!(reference.namespace, Namespace::Count | Namespace::Each | Namespace::Itself);
        let mut found = Diagnostics::new();
        let instances = &mut self.found.instances;
        let target = reference::target_and_instance(reference, self.names, self.block, instances, &mut found);
        target.into_iter().for_each(|target| self.targets.add(target));
        if self.is_dynamic {
            let place = ReferencePlace::of(reference);
            let mistakes = found.into_iter().map(|diagnostic| LateMistake { place, diagnostic });
            self.found.in_dynamic.extend(mistakes);
        } else {
            self.diagnostics.extend(found);
        }
    }

    fn body(&mut self, body: &Body, schema: Option<&Schema>, iterators: &[Iterator]) {
        let is_known = |name: &str| {
            schema.is_none_or(|schema| {
                schema.attributes().contains_key(name) || schema.blocks().contains_key(name)
            })
        };
        // Content that does not fit is reported when the body is evaluated.
        let content = body.open_content(&mut Diagnostics::new());
        for (name, attribute) in &content.attributes {
            if is_known(name) {
                self.attribute(attribute, iterators);
            }
        }
        for block in &content.blocks {
            let block_type = block.generated_type();
            if !is_known(block_type) {
                continue;
            }
            let nested = schema.and_then(|schema| schema.blocks().get(block_type)).map(|block| &block.schema);
            match block.dynamic() {
                Some(dynamic) => self.dynamic(&dynamic, block.body.source(), nested, iterators),
                None => self.body(&block.body, nested, iterators),
            }
        }
    }

    fn dynamic(
        &mut self,
        block: &WrittenDynamic<'_>,
        file: &Arc<SourceFile>,
        schema: Option<&Schema>,
        iterators: &[Iterator],
    ) {
        let own = match &block.iterator {
            Some(attribute) => {
                let binding = inside_quotes(attribute.source(), attribute.value_span());
                let name = SmolStr::from(attribute.source().slice(binding));
                Iterator { name, binding, kind: BindingKind::Iterator }
            }
            None => {
                let binding = inside_quotes(file, block.label.span);
                Iterator { name: block.label.text.clone(), binding, kind: BindingKind::DynamicLabel }
            }
        };
        self.names.add_use(file, own.used_at(own.binding));
        let inner: Vec<Iterator> = iterators.iter().cloned().chain([own]).collect();
        if let Some(attribute) = &block.for_each {
            self.attribute(attribute, iterators);
        }
        if let Some(attribute) = &block.labels {
            self.attribute(attribute, &inner);
        }
        for nested in &block.contents {
            let outer = std::mem::replace(&mut self.is_dynamic, true);
            self.body(&nested.body, schema, &inner);
            self.is_dynamic = outer;
        }
    }
}

/// The name for the elements of a `dynamic` block.
#[derive(Clone)]
struct Iterator {
    name: SmolStr,
    /// The span of the name in the block.
    binding: Span,
    kind: BindingKind,
}

impl Iterator {
    fn used_at(&self, name: Span) -> Use {
        Use::of_name(Meaning::Bound { kind: self.kind, binding: self.binding }, name)
    }
}

/// Returns the span of a name without the quotes around it.
fn inside_quotes(file: &SourceFile, span: Span) -> Span {
    let text = file.slice(span);
    match text.len() >= 2 && text.starts_with('"') && text.ends_with('"') {
        true => Span::new(span.start + 1, span.end - 1),
        false => span,
    }
}

/// Returns the value of an argument. Mistakes in its templates are reported when it is evaluated.
fn silent(attribute: &Attribute) -> Expression {
    attribute.expression(&mut Diagnostics::new())
}
