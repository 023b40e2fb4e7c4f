//! The second pass over a module: with all declarations known, each expression learns what it refers to.

use std::sync::Arc;

use terrane_eval::references;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, ids};
use terrane_syntax::tree::{Block, BodyId, Item, Literal};
use terrane_syntax::{Expr, Expression, Tree};

use super::resource::META_ARGUMENTS;
use crate::module::{Check, Module, Repetition, Resource};
use crate::reference::{self, Declared, Local, Target};

pub(super) fn module(module: &mut Module, diagnostics: &mut Diagnostics) {
    // A copy of the names, because the expressions are changed while the names are read.
    let names = Declared::of(module);
    for variable in module.variables.values_mut() {
        checks(&mut variable.validations, &names, Local::default(), diagnostics);
    }
    for local in module.locals.values_mut() {
        reference::resolve(&mut local.value, &names, Local::default(), diagnostics);
    }
    for call in module.calls.values_mut() {
        repetition(&mut call.repetition, &names, diagnostics);
        let local = Local::of(&call.repetition);
        for (_, argument) in call.arguments.values_mut() {
            reference::resolve(argument, &names, local, diagnostics);
        }
        call.depends_on = depends_on(call.depends_on_expression.as_ref(), &names, diagnostics);
    }
    for resource in module.resources.values_mut() {
        self::resource(resource, &names, diagnostics);
    }
    for asserts in module.checks.values_mut() {
        checks(asserts, &names, Local::default(), diagnostics);
    }
    for output in module.outputs.values_mut() {
        if let Some(value) = &mut output.value {
            reference::resolve(value, &names, Local::default(), diagnostics);
        }
        checks(&mut output.preconditions, &names, Local::default(), diagnostics);
        output.depends_on = depends_on(output.depends_on_expression.as_ref(), &names, diagnostics);
    }
}

fn checks(checks: &mut [Check], names: &Declared, local: Local, diagnostics: &mut Diagnostics) {
    for check in checks {
        reference::resolve(&mut check.condition, names, local, diagnostics);
        reference::resolve(&mut check.error_message, names, local, diagnostics);
    }
}

fn repetition(repetition: &mut Repetition, names: &Declared, diagnostics: &mut Diagnostics) {
    match repetition {
        Repetition::Once => {}
        Repetition::Count(resolved) | Repetition::ForEach(resolved) | Repetition::Enabled(resolved) => {
            reference::resolve(resolved, names, Local::default(), diagnostics);
        }
    }
}

fn resource(resource: &mut Resource, names: &Declared, diagnostics: &mut Diagnostics) {
    repetition(&mut resource.repetition, names, diagnostics);
    let local = Local::of(&resource.repetition);
    checks(&mut resource.preconditions, names, local, diagnostics);
    checks(&mut resource.postconditions, names, Local { this: true, ..local }, diagnostics);
    let mut collector = Collector { names, local, targets: Vec::new(), diagnostics };
    let tree = Arc::clone(&resource.tree);
    for item in tree.list(tree.body(resource.body).items) {
        match item {
            Item::Attribute(id) => {
                let attribute = tree.attribute(*id);
                let expression = Expression { tree: Arc::clone(&tree), id: attribute.expr };
                match tree.slice(attribute.name) {
                    "depends_on" => {
                        resource.depends_on = depends_on(Some(&expression), names, collector.diagnostics);
                    }
                    name if META_ARGUMENTS.contains(&name) => {}
                    _ => collector.expression(&expression, &[]),
                }
            }
            Item::Block(id) => {
                let block = tree.block(*id);
                match tree.slice(block.block_type) {
                    // Read while the resource exists, not while its values are computed.
                    "provisioner" | "connection" | "lifecycle" => {}
                    _ => collector.block(&tree, block, &[]),
                }
            }
        }
    }
    resource.targets = collector.targets;
}

/// What the items of `depends_on` name.
fn depends_on(
    expression: Option<&Expression>,
    names: &Declared,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let Some(expression) = expression else { return Vec::new() };
    let mut targets = Vec::new();
    let Expr::Tuple(items) = expression.tree.expr(expression.id) else {
        let detail = "`depends_on` takes a list of references in brackets, such as `[aws_vpc.main]`.";
        diagnostics.push(
            Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(expression.source(), expression.span()),
        );
        return targets;
    };
    for id in expression.tree.list(items) {
        let item = Expression { tree: Arc::clone(&expression.tree), id: *id };
        match expression.tree.expr(*id) {
            Expr::Traversal { .. } => {
                targets.extend(reference::targets(&references(&item), names, Local::default(), diagnostics));
            }
            Expr::Literal(Literal::String(text)) => {
                targets.extend(quoted_dependency(&item, item.tree.text(text), names, diagnostics));
            }
            Expr::Missing => {}
            Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Call(_)
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => invalid_dependency(&item, diagnostics),
        }
    }
    targets
}

/// The form of old versions, with the reference in quotes.
fn quoted_dependency(
    item: &Expression,
    text: &str,
    names: &Declared,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let parsed = terrane_syntax::parse_expr(&SourceFile::new(item.source().id().clone(), text));
    let inner = Expression { tree: parsed.tree, id: parsed.root };
    let mut found = Diagnostics::new();
    let is_traversal = matches!(inner.tree.expr(inner.id), Expr::Traversal { .. });
    if !is_traversal || !parsed.diagnostics.is_empty() {
        invalid_dependency(item, diagnostics);
        return Vec::new();
    }
    let targets = reference::targets(&references(&inner), names, Local::default(), &mut found);
    // The places are those in the quoted text; the item is what can be shown.
    diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.at(item.source(), item.span())));
    targets
}

fn invalid_dependency(item: &Expression, diagnostics: &mut Diagnostics) {
    let detail =
        "An item of `depends_on` is a reference to a resource or module call, written without quotes.";
    diagnostics.push(Diagnostic::error(ids::INVALID_REFERENCE, detail).at(item.source(), item.span()));
}

/// Collects what the provider's part of a resource refers to.
struct Collector<'c> {
    names: &'c Declared,
    local: Local,
    targets: Vec<Target>,
    diagnostics: &'c mut Diagnostics,
}

impl Collector<'_> {
    fn add(&mut self, targets: Vec<Target>) {
        for target in targets {
            if !self.targets.contains(&target) {
                self.targets.push(target);
            }
        }
    }

    /// The references of an expression, except to the iterators of the `dynamic` blocks around it.
    fn expression(&mut self, expression: &Expression, iterators: &[&str]) {
        let mut references = references(expression);
        references.retain(|reference| !iterators.contains(&reference.root));
        let targets = reference::targets(&references, self.names, self.local, self.diagnostics);
        self.add(targets);
    }

    fn body(&mut self, tree: &Arc<Tree>, body: BodyId, iterators: &[&str]) {
        for item in tree.list(tree.body(body).items) {
            match item {
                Item::Attribute(id) => {
                    let expression = Expression { tree: Arc::clone(tree), id: tree.attribute(*id).expr };
                    self.expression(&expression, iterators);
                }
                Item::Block(id) => self.block(tree, tree.block(*id), iterators),
            }
        }
    }

    fn block(&mut self, tree: &Arc<Tree>, block: &Block, iterators: &[&str]) {
        if tree.slice(block.block_type) != "dynamic" {
            return self.body(tree, block.body, iterators);
        }
        let label = tree.list(block.labels).first().map(|label| tree.text(label.text));
        let iterator = iterator_name(tree, block.body).or(label).unwrap_or_default();
        let inner: Vec<&str> = iterators.iter().copied().chain([iterator]).collect();
        for item in tree.list(tree.body(block.body).items) {
            match item {
                Item::Attribute(id) => {
                    let attribute = tree.attribute(*id);
                    let expression = Expression { tree: Arc::clone(tree), id: attribute.expr };
                    match tree.slice(attribute.name) {
                        "iterator" => {}
                        "labels" => self.expression(&expression, &inner),
                        _ => self.expression(&expression, iterators),
                    }
                }
                Item::Block(id) => self.body(tree, tree.block(*id).body, &inner),
            }
        }
    }
}

/// The name that the `iterator` argument of a `dynamic` block gives.
fn iterator_name(tree: &Tree, body: BodyId) -> Option<&str> {
    tree.find_attribute(body, "iterator").map(|attribute| tree.expr_text(attribute.expr))
}
