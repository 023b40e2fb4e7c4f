//! Whether what `import` blocks name is declared.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_function::Product;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, ids};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Mark, Number, SmolStr, Type, Value, ValueKind};

use super::{Called, Evaluation, Expansion, ModuleScope, RepetitionData, expand, moves};
use crate::address::{InstanceKey, ResourceMode};
use crate::decode::address_with;
use crate::load::{Moment, NodeId};
use crate::module::{Import, Module, ObjectAddress, Repetition, Resource};

/// Reports imports to what is not declared, or is declared with other keys. A validation by OpenTofu does not look.
pub(super) fn check(evaluation: &Evaluation, files: &dyn Files, diagnostics: &mut Diagnostics) {
    let config = &evaluation.config;
    let Some((root, node)) = config.nodes().next() else { return };
    let is_terraform = config.request.dialect.product() == Some(Product::Terraform);
    let mut seen = HashSet::new();
    for import in &node.module.imports {
        let mut report = |problem: Problem| {
            let diagnostic = Diagnostic::error(problem.id, problem.detail).titled(problem.title);
            diagnostics.push(diagnostic.at(&import.to.file, import.to.span));
        };
        if is_terraform && import.for_each.is_none() && !import.to.resolved {
            let detail = "Without `for_each`, the keys in the address are written out.".to_owned();
            report(Problem::new(ids::INVALID_ADDRESS, detail));
            continue;
        }
        for to in targets(evaluation, import, files) {
            if evaluation.moment() == Moment::Validate && !is_terraform {
                continue;
            }
            let wanted = Wanted { evaluation, root, to: &to, is_terraform, import };
            wanted.problem().into_iter().for_each(&mut report);
            // Two blocks with the same address as written have been reported.
            let is_second = to.resolved && !seen.insert(to.to_string());
            if is_second && import.for_each.is_some() && !is_terraform {
                let detail = format!("`{to}` is imported twice. Import each resource once.");
                let title = format!("Duplicate import configuration for {:?}", to.to_string());
                report(Problem { id: ids::DUPLICATE_IMPORT, title, detail });
            }
        }
        if is_terraform || evaluation.moment() != Moment::Validate {
            refers_to_target(import, &node.module, diagnostics);
        }
    }
}

/// The targets of an import: one for each element of its `for_each`, with the key that it has there.
fn targets(evaluation: &Evaluation, import: &Import, files: &dyn Files) -> Vec<ObjectAddress> {
    let names = evaluation.scope(0);
    // What is wrong with it is reported where the ids are looked at.
    let data = each(evaluation, import, &names, files, &mut Diagnostics::new()).unwrap_or_default();
    // Also an import of nothing says what it is about.
    if data.is_empty() && evaluation.moment() == Moment::Plan {
        return vec![ObjectAddress { resolved: false, ..import.to.clone() }];
    }
    data.iter()
        .map(|data| {
            let names = ModuleScope { repetition: Some(data), ..names };
            let key = |key: &Expression| {
                instance_key(&evaluation.expression(key, &names, files, &mut Diagnostics::new()))
            };
            let to = import.to_expression.as_ref().filter(|_| !import.to.resolved);
            to.and_then(|to| address_with(&to.expression, &key)).unwrap_or_else(|| import.to.clone())
        })
        .collect()
}

/// What `each` is for each element of the `for_each` of an import, which may be a sequence: its keys are positions. Nothing
/// where the elements are not known.
pub(super) fn each(
    evaluation: &Evaluation,
    import: &Import,
    names: &ModuleScope<'_>,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<RepetitionData>> {
    let Some(for_each) = &import.for_each else { return Some(vec![RepetitionData::default()]) };
    let mut value = evaluation.value(for_each, names, files, diagnostics);
    let is_terraform = evaluation.config.request.dialect.product() == Some(Product::Terraform);
    let is_open = evaluation.moment() == Moment::Validate && value.as_unknown().is_some();
    if is_terraform && (is_open || !value.has_mark(&Mark::Ephemeral)) {
        // Terraform takes a sensitive value as well, and null for nothing.
        value = value.unmarked().clone();
        if value.is_null() {
            return Some(Vec::new());
        }
    }
    if let (ValueKind::Set(elements), true) = (value.kind(), is_terraform) {
        // The elements can be of any type, as long as they are keys.
        let is_key = |element: &Value| element.as_unknown().is_none();
        if elements.iter().all(is_key) {
            let data = |element: &Value| RepetitionData {
                count_index: None,
                each: Some((element.clone(), element.clone())),
            };
            return Some(elements.iter().map(data).collect());
        }
    }
    if let ValueKind::List(elements) | ValueKind::Tuple(elements) = value.kind() {
        let key = |index| Value::number(Number::counted(index));
        let data = (0..).zip(elements).map(|(index, element)| RepetitionData {
            count_index: None,
            each: Some((key(index), element.clone())),
        });
        return Some(data.collect());
    }
    let product = evaluation.config.request.dialect.product();
    let is_sequence = matches!(value.ty(), Type::List(_) | Type::Tuple(_));
    if value.as_unknown().is_some() && is_sequence && product != Some(Product::OpenTofu) {
        return None;
    }
    match expand::each(&value, &for_each.expression, diagnostics) {
        Expansion::ForEach(all) => Some(all.into_iter().map(|(_, data)| data).collect()),
        Expansion::Once(_) | Expansion::Count(_) | Expansion::Absent | Expansion::Unknown { .. } => None,
    }
}

/// The expression in the brackets at the end of an address.
pub(super) fn last_key(to: &Expression) -> Option<Expression> {
    let (Expr::Traversal { steps, .. } | Expr::Relative { steps, .. }) = to.tree.expr(to.id) else {
        return None;
    };
    match to.tree.list(steps).last()? {
        Step::Index { key, .. } => Some(Expression { tree: Arc::clone(&to.tree), id: *key }),
        Step::Attr { .. } | Step::LegacyIndex { .. } => None,
    }
}

pub(super) fn instance_key(value: &Value) -> Option<InstanceKey> {
    let value = value.unmarked();
    let index = value.as_number().and_then(|number| u64::try_from(number.to_i64()?).ok());
    index.map(InstanceKey::Index).or_else(|| value.as_str().map(|key| InstanceKey::Key(SmolStr::from(key))))
}

struct Problem {
    id: DiagnosticId,
    title: String,
    detail: String,
}

impl Problem {
    fn new(id: DiagnosticId, detail: String) -> Problem {
        Problem { id, title: id.title().to_owned(), detail }
    }
}

/// A target of an import.
struct Wanted<'w> {
    evaluation: &'w Evaluation,
    root: NodeId,
    to: &'w ObjectAddress,
    is_terraform: bool,
    import: &'w Import,
}

impl Wanted<'_> {
    fn problem(&self) -> Option<Problem> {
        let missing = |detail| Problem::new(ids::MISSING_IMPORT_TARGET, detail);
        self.not_declared()
            .or_else(|| {
                // Terraform has words of its own for it.
                let id = if self.is_terraform { ids::INVALID_IMPORT_TO } else { ids::MISSING_IMPORT_TARGET };
                self.wrong_key().map(|detail| Problem::new(id, detail))
            })
            .or_else(|| self.no_such_instance().map(missing))
    }

    /// What is not there of the target.
    fn not_declared(&self) -> Option<Problem> {
        let (to, config) = (self.to, &self.evaluation.config);
        let missing = |detail| Some(Problem::new(ids::MISSING_IMPORT_TARGET, detail));
        let mut owner = self.root;
        for step in to.module.steps() {
            let node = config.node(owner);
            let Some(index) = node.module.calls.get_index_of(&step.name) else {
                return missing(format!("There is no module call `{}` on the way to `{to}`.", step.name));
            };
            // What is in a module that is not on disk is not known.
            owner = node.called.get(index).copied().flatten()?;
        }
        let resource = to.resource.as_ref()?;
        if resource.0 == ResourceMode::Data {
            let detail = format!("`{to}` is read, not created. What is imported becomes a resource.");
            return if self.evaluation.moment() == Moment::Plan { missing(detail) } else { None };
        }
        if config.node(owner).module.resources.contains_key(resource) {
            return None;
        }
        let is_repeated = self.import.for_each.is_some() || to.key != InstanceKey::None;
        if self.is_terraform && self.import.for_each.is_some() && to.key != InstanceKey::None {
            let detail =
                format!("`{to}` is not declared with `for_each`. Write a block for what is imported.");
            return Some(Problem::new(ids::INVALID_IMPORT_TO, detail));
        }
        // For one resource of the root module, the product can write the block.
        if self.evaluation.moment() == Moment::Plan || owner != self.root || is_repeated {
            return missing(format!("`{to}` is not declared. Write a block for what is imported."));
        }
        None
    }

    /// Which instance is not there, where it is known which there are.
    fn no_such_instance(&self) -> Option<String> {
        let to = self.to;
        if self.evaluation.moment() != Moment::Plan || !to.resolved {
            return None;
        }
        let mut state = self.evaluation.root()?;
        for step in to.module.steps() {
            let module = &self.evaluation.config.node(state.node).module;
            let calls = state.calls.get(module.calls.get_index_of(&step.name)?)?;
            if calls.expansion.unknown().is_some() {
                return None;
            }
            match calls.expansion.get(&step.key) {
                Some(Called::Instance(index)) => state = self.evaluation.instances.get(*index)?,
                Some(Called::Absent(_)) => return None,
                None => return Some(no_instance(to, &format!("module call `{}`", step.name))),
            }
        }
        let module = &self.evaluation.config.node(state.node).module;
        let instances = state.resources.get(module.resources.get_index_of(to.resource.as_ref()?)?)?;
        let is_there = instances.expansion.unknown().is_some() || instances.expansion.has(&to.key);
        (!is_there).then(|| no_instance(to, "resource"))
    }

    /// How the key of the target differs from what its block has.
    fn wrong_key(&self) -> Option<String> {
        let to = self.to;
        let owner = moves::module(&self.evaluation.config, self.root, &to.module)?;
        let resource = self.evaluation.config.node(owner).module.resources.get(to.resource.as_ref()?)?;
        let has = argument(resource);
        let wanted = match (&to.key, to.resolved) {
            (InstanceKey::None, false) => return None,
            (InstanceKey::None, true) => None,
            (InstanceKey::Index(_), _) => Some("count"),
            (InstanceKey::Key(_), _) => Some("for_each"),
        };
        match (has, wanted) {
            (Some(has), None) => Some(format!(
                "`{to}` has `{has}`, so its instances are imported one by one. Choose one with brackets."
            )),
            (has, Some(wanted)) if has != Some(wanted) => {
                Some(format!("The block of `{to}` has no `{wanted}`, so it has no instance with such a key."))
            }
            (_, _) => None,
        }
    }
}

fn no_instance(to: &ObjectAddress, what: &str) -> String {
    format!("There is no `{to}`: the {what} has other instances. Write a block for what is imported.")
}

fn argument(resource: &Resource) -> Option<&'static str> {
    match resource.repetition {
        Repetition::Once | Repetition::Enabled(_) => None,
        Repetition::Count(_) => Some("count"),
        Repetition::ForEach(_) => Some("for_each"),
    }
}

/// Reports an id that is made of what is imported.
fn refers_to_target(import: &Import, module: &Module, diagnostics: &mut Diagnostics) {
    for resolved in [&import.id, &import.identity].into_iter().flatten() {
        if import.is_target_of(resolved, module) {
            let detail = format!("The id of what is imported cannot be made of `{}` itself.", import.to);
            let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_ID, detail);
            diagnostics.push(diagnostic.at(resolved.expression.source(), resolved.expression.span()));
        }
    }
}
