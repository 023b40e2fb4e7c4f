//! Resolves references to variables, local values and data sources.

use std::collections::BTreeSet;

use terrane_body::{Attribute, Body};
use terrane_eval::{Reference, references};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;

use super::root::{Root, step_name};
use crate::model::ids::{DataId, LocalId, VariableId};
use crate::model::template::Template;

/// A declaration to which an expression refers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    /// A variable.
    Variable(VariableId),
    /// A data source.
    Data(DataId),
    /// A local value.
    Local(LocalId),
}

/// Returns the targets of all references in an expression.
pub(crate) fn targets(template: &Template, expression: &Expression) -> BTreeSet<Target> {
    references(expression).iter().flat_map(|reference| targets_of(template, reference)).collect()
}

/// The targets of all arguments in a body, at any depth. The depth is bounded by the parser.
pub(crate) fn targets_in_body(template: &Template, body: &Body) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    each_attribute(body, &mut |attribute| {
        // The evaluation of the body reports its errors.
        let expression = attribute.expression(&mut Diagnostics::new());
        found.extend(targets(template, &expression));
    });
    found
}

/// Returns the targets of one reference: `var`, `data` and `data.TYPE` without a further name mean all their elements.
fn targets_of(template: &Template, reference: &Reference<'_>) -> Vec<Target> {
    let (first, second) = (step_name(reference, 0), step_name(reference, 1));
    let matches = |name: &str, wanted: Option<&str>| wanted.is_none_or(|wanted| wanted == name);
    match Root::of(reference.root) {
        Root::Variable => {
            let names = template.variables.ids().zip(template.variables.keys());
            names.filter(|(_, name)| matches(name, first)).map(|(id, _)| Target::Variable(id)).collect()
        }
        Root::Local => {
            let id = first.and_then(|name| template.locals.id_of(name));
            id.map(Target::Local).into_iter().collect()
        }
        Root::Data => {
            let keys = template.data.ids().zip(template.data.keys());
            let found =
                keys.filter(|(_, key)| matches(&key.component_type, first) && matches(&key.name, second));
            found.map(|(id, _)| Target::Data(id)).collect()
        }
        Root::Path | Root::Packer | Root::Source | Root::Build | Root::Undeclared => Vec::new(),
    }
}

fn each_attribute(body: &Body, visit: &mut dyn FnMut(&Attribute)) {
    let content = body.open_content(&mut Diagnostics::new());
    for attribute in content.attributes.values() {
        visit(attribute);
    }
    for block in &content.blocks {
        each_attribute(&block.body, visit);
    }
}
