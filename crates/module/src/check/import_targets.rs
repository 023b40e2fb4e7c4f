//! The instances of an `import` block, and whether it refers to the resource that it imports.

use terrane_syntax::Expression;
use terrane_value::{Mark, Number, Type, Value, ValueKind};

use crate::expansion::{self, Expansion, RepetitionData};
use crate::model::module::{Import, Module};
use crate::model::references::Target;
use crate::state::context::Context;
use crate::state::scope::ModuleScope;

/// Returns the data of `each` for each element of the `for_each` of an import. In a list or tuple, the keys are the
/// positions. `None` if the elements are unknown.
pub(crate) fn instances(
    context: &mut Context<'_>,
    import: &Import,
    names: &ModuleScope<'_>,
) -> Option<Vec<RepetitionData>> {
    let Some(for_each) = &import.for_each else { return Some(vec![RepetitionData::default()]) };
    let value = context.value(for_each, names);
    let marks = value.marks().clone();
    let data = elements(context, for_each, value)?;
    // Terraform takes a sensitive collection, whose keys and values are secrets as well.
    Some(data.into_iter().map(|data| data.with_marks(&marks)).collect())
}

/// Returns the data of `each` for each element of `value`, the value of `for_each`, without the marks of `value`.
fn elements(
    context: &mut Context<'_>,
    for_each: &Expression,
    mut value: Value,
) -> Option<Vec<RepetitionData>> {
    let evaluation = context.evaluation;
    let rules = &evaluation.config.rules;
    let is_open = evaluation.phase().imports_are_open() && value.as_unknown().is_some();
    if rules.imports.for_each_is_lenient && (is_open || !value.has_mark(&Mark::Ephemeral)) {
        // Terraform also takes a sensitive value, and treats null as no elements.
        value = value.unmarked().clone();
        if value.is_null() {
            return Some(Vec::new());
        }
    }
    if let (ValueKind::Set(elements), true) = (value.kind(), rules.imports.for_each_is_lenient) {
        // The elements can be of any type, but must be known: each is its own key.
        let is_key = |element: &Value| element.as_unknown().is_none();
        if elements.iter().all(is_key) {
            let data = |element: &Value| RepetitionData::of_each(element.clone(), element.clone());
            return Some(elements.iter().map(data).collect());
        }
    }
    let takes_lists = rules.imports.for_each_takes_lists;
    let is_taken = |value: &Value| match value.ty() {
        Type::Tuple(_) => true,
        Type::List(_) => takes_lists,
        Type::Bool | Type::Number | Type::String | Type::Dynamic => false,
        Type::Set(_) | Type::Map(_) | Type::Object(_) => false,
    };
    if let Some(elements) = value.as_sequence().filter(|_| is_taken(&value) && !value.is_marked()) {
        let key = |index| Value::number(Number::counted(index));
        let data =
            (0..).zip(elements).map(|(index, element)| RepetitionData::of_each(key(index), element.clone()));
        return Some(data.collect());
    }
    let is_sequence = matches!(value.ty(), Type::List(_) | Type::Tuple(_));
    if value.as_unknown().is_some() && is_sequence && takes_lists {
        return None;
    }
    match expansion::for_each_reported(&value, for_each, rules, context.diagnostics) {
        Expansion::ForEach(all) => Some(all.into_iter().map(|(_, data)| data).collect()),
        Expansion::Once(_) | Expansion::Count(_) | Expansion::Absent | Expansion::Unknown { .. } => None,
    }
}

/// Whether `expression`, of an import in the root module `module`, refers to the imported resource.
pub(crate) fn refers_to_itself(import: &Import, expression: &Expression, module: &Module) -> bool {
    let resource = import.to.resource.as_ref().filter(|_| import.to.module.is_root());
    let imported = resource.and_then(|key| module.resources.id_of(key));
    imported.is_some_and(|imported| module.references.refers(expression, &Target::Resource(imported)))
}
