//! The items of `depends_on`: references to whole objects.

use std::sync::Arc;

use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, ids, titles};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, Expression};

use crate::model::dependency_list;
use crate::model::namespace::Namespace;
use crate::model::references::{Meaning, Target, Use};
use crate::model::written_address::has_fixed_keys;
use crate::resolve::names::{BlockNames, Declared};
use crate::resolve::reference::{self, OwnInstance, Targets};
use crate::resolve::resource_name;
use crate::resolve::root::{RootedReference, references};

/// Returns the targets of the items of `depends_on`. Adds the references of a resource to itself to `instances`.
pub(crate) fn targets(
    expression: Option<&Expression>,
    names: &Declared<'_>,
    instances: &mut Vec<OwnInstance>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let Some(expression) = expression else { return Vec::new() };
    let items = match dependency_list::items(expression) {
        Ok(items) => items,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            return Vec::new();
        }
    };
    let mut targets = Targets::default();
    for id in items {
        let item = Expression { tree: Arc::clone(&expression.tree), id: *id };
        match expression.tree.expr(*id) {
            Expr::Traversal { steps, .. } if has_fixed_keys(&item.tree, item.tree.list(steps)) => {
                let found = named_objects(&item, names, instances, diagnostics);
                found.into_iter().for_each(|target| targets.add(target));
            }
            Expr::Literal(Literal::String(_)) => {
                let found = quoted_dependency(&item, names, instances, diagnostics);
                found.into_iter().for_each(|target| targets.add(target));
            }
            Expr::Missing => invalid_item(&item, diagnostics),
            Expr::Literal(_)
            | Expr::Traversal { .. }
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
    targets.finish()
}

/// Returns the objects that an item names. Reports names of parts of objects.
fn named_objects(
    item: &Expression,
    names: &Declared<'_>,
    instances: &mut Vec<OwnInstance>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let mut references = references(item, names.module);
    // The block itself is reported.
    references.retain(|reference| !names.module.refused_blocks.contains(reference.root));
    let (parts, whole): (Vec<_>, Vec<_>) = references.into_iter().partition(reaches_into);
    let block = BlockNames::default();
    let found = reference::targets_and_instances(&whole, names, block, instances, diagnostics);
    for reference in &parts {
        let is_action = reference.namespace == Namespace::Resource(ResourceMode::Action);
        let detail = if is_action {
            "Nothing can depend on an action. Depend on the resource that triggers it."
        } else {
            "`depends_on` names whole objects, such as `aws_vpc.main`, which include their attributes. Remove \
             the part after the name."
        };
        let diagnostic = Diagnostic::error(ids::INVALID_DEPENDS_ON, detail);
        diagnostics.push(diagnostic.at(item.source(), reference.span));
    }
    found
}

/// Returns the items as text: `aws_vpc.main`. The old form in quotes loses its quotes.
pub fn texts(expression: &Expression) -> Vec<String> {
    let tree = &expression.tree;
    let items = dependency_list::items(expression).unwrap_or_default().iter().map(|id| {
        let Expr::Literal(Literal::String(text)) = tree.expr(*id) else {
            return tree.expr_text(*id).to_owned();
        };
        tree.text(text).to_owned()
    });
    items.collect()
}

/// Whether a reference leads to a part of an object: an attribute of a resource, or a part of a
/// variable, local or output.
fn reaches_into(reference: &RootedReference<'_>) -> bool {
    let root = reference.namespace;
    // `depends_on` cannot name a part of an action.
    let is_single = matches!(
        root,
        Namespace::Variable
            | Namespace::Local
            | Namespace::Path
            | Namespace::Terraform
            | Namespace::Tofu
            | Namespace::Resource(ResourceMode::Action)
    );
    if is_single {
        return reference.steps.len() > 1;
    }
    let mut behind = reference.steps.iter().skip(reference.name_step() + 1).peekable();
    behind.next_if(|step| !matches!(step, Step::Attr { .. }));
    if root == Namespace::Module {
        behind.next();
    }
    behind.next().is_some()
}

/// Reads the form of old versions, with the reference in quotes.
fn quoted_dependency(
    item: &Expression,
    names: &Declared<'_>,
    instances: &mut Vec<OwnInstance>,
    diagnostics: &mut Diagnostics,
) -> Vec<Target> {
    let Expr::Literal(Literal::String(text)) = item.tree.expr(item.id) else { return Vec::new() };
    let text = item.tree.text(text);
    let parsed = terrane_syntax::parse_expr(&SourceFile::new(item.source().id().clone(), text));
    let inner = Expression { tree: parsed.tree, id: parsed.root };
    let tree = &inner.tree;
    let is_traversal = matches!(tree.expr(inner.id), Expr::Traversal { steps, .. } if has_fixed_keys(tree, tree.list(steps)));
    if !is_traversal || !parsed.diagnostics.is_empty() {
        invalid_dependency(item, diagnostics);
        return Vec::new();
    }
    let detail = "References are written without quotes. The quoted form is deprecated.";
    let diagnostic = Diagnostic::warning(ids::QUOTED_REFERENCE, detail);
    let diagnostic =
        diagnostic.titled(titles::QUOTED_REFERENCES_ARE_DEPRECATED).at(item.source(), item.span());
    diagnostics.push(diagnostic.rewrite(&format!("\"{text}\""), text));
    // The spans are relative to the quoted text, so diagnostics point at the whole item.
    let mut targets = Vec::new();
    for reference in references(&inner, names.module) {
        match reference::target(&reference, names, BlockNames::default()) {
            Ok(Some(target)) => {
                let found = Use::of_name(Meaning::Declared(target.clone()), item.span());
                names.add_use(item.source(), found);
                if let Target::Resource(id) = &target {
                    let used = resource_name::check_use(&reference, *id, BlockNames::default(), names);
                    if let Err(diagnostic) = used {
                        diagnostics.push(diagnostic.at(item.source(), item.span()));
                        continue;
                    }
                    OwnInstance::note(*id, &reference, names, instances);
                }
                targets.push(target);
            }
            Ok(None) => {}
            Err(diagnostic) => diagnostics.push(diagnostic.at(item.source(), item.span())),
        }
    }
    reference::distinct(targets)
}

/// Reports an item that could not be parsed; a syntax error in a JSON string has not been reported yet.
fn invalid_item(item: &Expression, diagnostics: &mut Diagnostics) {
    if item.source().slice(item.span()).starts_with('"') {
        let detail = "An item of `depends_on` is a reference to a resource or module call, in JSON a string with nothing \
                      else in it.";
        diagnostics.push(Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(item.source(), item.span()));
    }
}

fn invalid_dependency(item: &Expression, diagnostics: &mut Diagnostics) {
    let detail = "An item of `depends_on` is a reference to a resource or module call, written without quotes and without \
                  computed keys.";
    diagnostics.push(Diagnostic::error(ids::INVALID_EXPRESSION, detail).at(item.source(), item.span()));
}
