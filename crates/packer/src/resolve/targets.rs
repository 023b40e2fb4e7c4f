//! Resolves references to variables, local values and data sources.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use terrane_body::{Attribute, Body};
use terrane_eval::{Reference, references};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;

use super::root::{Root, step_name};
use crate::model::ids::{DataId, LocalId, VariableId};
use crate::model::template::{ComponentKey, Template};

/// A declaration to which an expression refers, or a group of declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    /// A variable.
    Variable(VariableId),
    /// A data source.
    Data(DataId),
    /// A local value.
    Local(LocalId),
    /// Many declarations at once. An edge to each of them for each reference would be too many.
    Group(TargetGroup),
}

/// Declarations that one reference names together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TargetGroup {
    /// `var`: all variables.
    Variables,
    /// `data`: all data sources.
    Data,
    /// `data.TYPE`: the data sources of a type, by its position among the types.
    OfType(usize),
    /// `data[...].NAME`: the data sources with a name, by its position among the names.
    OfName(usize),
}

/// Finds the targets of references in a template.
pub(crate) struct TargetFinder<'t> {
    template: &'t Template,
    /// The data sources of each type.
    types: IndexMap<&'t str, Vec<DataId>>,
    /// The data sources with each name.
    names: IndexMap<&'t str, Vec<DataId>>,
}

impl<'t> TargetFinder<'t> {
    pub(crate) fn new(template: &'t Template) -> TargetFinder<'t> {
        let mut finder = TargetFinder { template, types: IndexMap::new(), names: IndexMap::new() };
        for (id, key) in template.data.ids().zip(template.data.keys()) {
            finder.types.entry(&key.component_type).or_default().push(id);
            finder.names.entry(&key.name).or_default().push(id);
        }
        finder
    }

    /// Returns the targets of all references in an expression.
    pub(crate) fn in_expression(&self, expression: &Expression) -> BTreeSet<Target> {
        references(expression).iter().filter_map(|reference| self.target(reference)).collect()
    }

    /// The targets of all arguments in a body, at any depth. The depth is bounded by the parser.
    pub(crate) fn in_body(&self, body: &Body) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        each_attribute(body, &mut |attribute| {
            // The evaluation of the body reports its errors.
            let expression = attribute.expression(&mut Diagnostics::new());
            found.extend(self.in_expression(&expression));
        });
        found
    }

    /// Returns the declarations in a group, in their order.
    pub(crate) fn members(&self, group: TargetGroup) -> Vec<Target> {
        let data = |found: Option<(&&str, &Vec<DataId>)>| {
            found.into_iter().flat_map(|(_, ids)| ids).copied().map(Target::Data).collect()
        };
        match group {
            TargetGroup::Variables => self.template.variables.ids().map(Target::Variable).collect(),
            TargetGroup::Data => self.template.data.ids().map(Target::Data).collect(),
            TargetGroup::OfType(position) => data(self.types.get_index(position)),
            TargetGroup::OfName(position) => data(self.names.get_index(position)),
        }
    }

    /// Returns the target of one reference: `var`, `data` and `data.TYPE` without a further name mean all their elements.
    fn target(&self, reference: &Reference<'_>) -> Option<Target> {
        let template = self.template;
        let (first, second) = (step_name(reference, 0), step_name(reference, 1));
        match Root::of(reference.root) {
            Root::Variable => match first {
                Some(name) => template.variables.id_of(name).map(Target::Variable),
                None => Some(Target::Group(TargetGroup::Variables)),
            },
            Root::Local => first.and_then(|name| template.locals.id_of(name)).map(Target::Local),
            Root::Data => match (first, second) {
                (Some(data_type), Some(name)) => {
                    let key = ComponentKey { component_type: data_type.into(), name: name.into() };
                    template.data.id_of(&key).map(Target::Data)
                }
                (Some(data_type), None) => {
                    self.types.get_index_of(data_type).map(|at| Target::Group(TargetGroup::OfType(at)))
                }
                (None, Some(name)) => {
                    self.names.get_index_of(name).map(|at| Target::Group(TargetGroup::OfName(at)))
                }
                (None, None) => Some(Target::Group(TargetGroup::Data)),
            },
            Root::Path | Root::Packer | Root::Source | Root::Build | Root::Undeclared => None,
        }
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
