//! Checks that the targets of `import` blocks are declared.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use terrane_config::address::{InstanceKey, ResourceMode};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, Span, Title, TitleText, ids, titles};
use terrane_syntax::{Expr, Expression};
use terrane_value::Value;

use crate::check::import_targets::{instances, refers_to_itself};
use crate::decode::address_with;
use crate::expansion;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::ids::{InstanceId, NodeId};
use crate::model::module::{Import, Module, ObjectAddress, Repetition, Resource};
use crate::rules::Rules;
use crate::state::context::Context;
use crate::state::evaluation::Evaluation;
use crate::state::instance::Called;
use crate::state::scope::ModuleScope;

/// Reports imports whose targets are not declared, or have keys that the declaration does not have. A
/// validation by OpenTofu skips this.
pub(crate) fn check(context: &mut Context<'_>) {
    let (evaluation, files) = (context.evaluation, context.files);
    let diagnostics = &mut *context.diagnostics;
    let config = &evaluation.config;
    let (root, node) = (NodeId::ROOT, config.root());
    let rules = &config.rules;
    let mut seen = HashSet::new();
    for (import, references) in node.module.imports.iter().zip(&node.module.references.imports) {
        if evaluation.phase().checks_import_keys(rules) {
            diagnostics.extend(references.wrong_keys.iter().cloned());
        }
        if rules.imports.keys_are_plain && import.for_each.is_none() && !import.to.resolved {
            for id in [ids::INVALID_EXPRESSION, ids::INVALID_ADDRESS] {
                let detail = "An `import` block without `for_each` needs constant keys in the address of \
                              `to`."
                    .to_owned();
                diagnostics.push(ImportProblem::new(id, detail).diagnostic(import));
            }
            continue;
        }
        if !evaluation.phase().checks_import_targets(rules) {
            continue;
        }
        refers_to_target(import, &node.module, diagnostics);
        let wanted = |to, shown| Wanted { evaluation, root, to, shown, import };
        let targets = match targets(evaluation, import, files, diagnostics) {
            Some(targets) if !targets.is_empty() => targets,
            Some(_) | None if evaluation.phase().imports_are_open() && !import.to.resolved => continue,
            Some(_) | None => {
                // An import with an empty `for_each` has a target, too.
                let problem = wanted(&import.to, &import.to).not_declared();
                diagnostics.extend(problem.map(|problem| problem.diagnostic(import)));
                continue;
            }
        };
        for target in &targets {
            let (to, shown) = (&target.address, target.shown(import));
            let problem = wanted(to, shown).problem();
            diagnostics.extend(problem.map(|problem| problem.diagnostic(import)));
            // Two blocks without `for_each` that have one address are reported while decoding.
            let is_second = to.resolved && !seen.insert(to.to_string());
            if is_second && import.for_each.is_some() && rules.imports.instances_must_differ {
                let detail = format!("`{shown}` is imported twice. Import each resource once.");
                let title = titles::duplicate_import(&shown.to_string());
                diagnostics
                    .push(ImportProblem { id: ids::DUPLICATE_IMPORT, title, detail }.diagnostic(import));
            }
        }
    }
}

/// Returns the targets of an import, one for each element of its `for_each`; `None` if the elements are unknown.
/// Reports wrong keys in the address.
fn targets(
    evaluation: &Evaluation,
    import: &Import,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<ImportTarget>> {
    let names = evaluation.scope(InstanceId::ROOT);
    // Errors of `for_each` are reported with the ids.
    let unreported = &mut Diagnostics::new();
    let data = instances(&mut Context::new(evaluation, files, unreported), import, &names)?;
    let targets = data.iter().map(|data| {
        let names = ModuleScope { repetition: Some(data), ..names };
        target(evaluation, import, &names, files, diagnostics)
    });
    Some(targets.collect())
}

/// The target of an import for one element of its `for_each`.
pub(crate) struct ImportTarget {
    pub(crate) address: ObjectAddress,
    /// Whether a key in the address is a secret.
    is_secret: bool,
}

impl ImportTarget {
    /// Returns the address for messages, without the computed keys if one of them is a secret.
    fn shown<'s>(&'s self, import: &'s Import) -> &'s ObjectAddress {
        if self.is_secret { &import.to } else { &self.address }
    }
}

/// Returns the target of an import for the element of its `for_each` that is `each` in the scope `names`.
pub(crate) fn target(
    evaluation: &Evaluation,
    import: &Import,
    names: &ModuleScope<'_>,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> ImportTarget {
    let found = RefCell::new(Diagnostics::new());
    let is_secret = Cell::new(false);
    let key = |key: &Expression| {
        let value = ComputedKey { evaluation, import, key }.value(names, files, &found)?;
        is_secret.set(is_secret.get() || value.is_marked());
        expansion::instance_key(&value)
    };
    let to = import.to_expression.as_ref().filter(|_| !import.to.resolved);
    let address = to.and_then(|to| address_with(to, &key)).unwrap_or_else(|| import.to.clone());
    diagnostics.extend(found.into_inner());
    ImportTarget { address, is_secret: is_secret.get() }
}

/// An instance key that an expression computes, in the address of an import.
struct ComputedKey<'k> {
    evaluation: &'k Evaluation,
    import: &'k Import,
    key: &'k Expression,
}

impl ComputedKey<'_> {
    /// Returns the value of the key, and reports the reason why it cannot be one; `None` if it must not be computed.
    fn value(
        &self,
        names: &ModuleScope<'_>,
        files: &dyn Files,
        found: &RefCell<Diagnostics>,
    ) -> Option<Value> {
        let mut found = found.borrow_mut();
        let rules = &self.evaluation.config.rules;
        if let Some(call) = self.first_call().filter(|_| rules.imports.keys_are_plain) {
            let detail = "The address of `to` cannot call functions.";
            let diagnostic = Diagnostic::error(ids::FUNCTIONS_NOT_ALLOWED, detail);
            found.push(diagnostic.at(self.key.source(), call));
            return None;
        }
        let before = found.len();
        let address = self.import.to_expression.as_ref();
        let value = match address.is_some_and(|address| self.evaluation.is_broken(address, names)) {
            true => Value::error(),
            false => self.evaluation.expression(self.key, names, files, &mut found),
        };
        if found.len() == before
            && let Some(problem) = self.problem(&value, rules)
        {
            found.push(problem.diagnostic(self.import));
        }
        Some(value)
    }

    fn first_call(&self) -> Option<Span> {
        let mut first = None;
        self.key.tree.expressions(self.key.id, &mut |id| {
            if matches!(self.key.tree.expr(id), Expr::Call(_)) {
                first.get_or_insert(self.key.tree.span(id));
            }
        });
        first
    }

    /// Returns the reason why a value cannot be an instance key.
    fn problem(&self, value: &Value, rules: &Rules) -> Option<ImportProblem> {
        let to = &self.import.to;
        let detail = format!("Each key in the address `{to}` must be a known string or whole number.");
        let title = rules.titles.import_key.into();
        let invalid = ImportProblem { title, ..ImportProblem::new(ids::INVALID_IMPORT_TO, detail) };
        let is_plan = self.evaluation.phase().plans_resources();
        if let Some(unknown) = value.unmarked().as_unknown() {
            let is_late = expansion::late_causes(&unknown.origins).is_some();
            return (is_plan && is_late && rules.imports.keys_are_public).then_some(invalid);
        }
        if value.is_marked() && rules.imports.keys_are_public {
            return Some(invalid);
        }
        let value = value.unmarked();
        match value.as_number() {
            Some(number) if !number.is_integer() => {
                Some(ImportProblem { title: Title::of(ids::INVALID_ADDRESS).into(), ..invalid })
            }
            Some(number) if number.is_negative() => {
                let detail = format!("`{to}` has a negative key, but keys from `count` start at 0.");
                is_plan.then(|| ImportProblem::new(ids::MISSING_IMPORT_TARGET, detail))
            }
            Some(_) => None,
            None => value.as_str().is_none().then_some(invalid),
        }
    }
}

struct ImportProblem {
    id: DiagnosticId,
    title: TitleText,
    detail: String,
}

impl ImportProblem {
    fn new(id: DiagnosticId, detail: String) -> ImportProblem {
        ImportProblem { id, title: Title::of(id).into(), detail }
    }

    fn diagnostic(self, import: &Import) -> Diagnostic {
        Diagnostic::error(self.id, self.detail).titled(self.title).at(&import.to.file, import.to.span)
    }
}

/// One target of an import, to be looked up among the declarations.
struct Wanted<'w> {
    evaluation: &'w Evaluation,
    root: NodeId,
    to: &'w ObjectAddress,
    /// The address for messages.
    shown: &'w ObjectAddress,
    import: &'w Import,
}

impl Wanted<'_> {
    fn problem(&self) -> Option<ImportProblem> {
        let missing = |detail| ImportProblem::new(ids::MISSING_IMPORT_TARGET, detail);
        self.not_declared()
            .or_else(|| {
                let id = self.evaluation.config.rules.imports.key_mismatch;
                self.wrong_key().map(|detail| ImportProblem::new(id, detail))
            })
            .or_else(|| self.no_such_instance().map(missing))
    }

    /// Returns the error about a target whose module call or resource is not declared.
    fn not_declared(&self) -> Option<ImportProblem> {
        let (to, shown, config) = (self.to, self.shown, &self.evaluation.config);
        let missing = |detail| Some(ImportProblem::new(ids::MISSING_IMPORT_TARGET, detail));
        let mut owner = self.root;
        for step in to.module.steps() {
            let node = config.node(owner);
            let Some(call) = node.module.calls.id_of(&step.name) else {
                if node.module.doubt.hides_name(DeclarationKind::Module, &step.name) {
                    return None;
                }
                return missing(format!(
                    "The address `{shown}` goes through the module call `{}`, which is \
                                        not declared.",
                    step.name
                ));
            };
            // The resources of a module that is not on disk are unknown.
            owner = node.called[call]?;
        }
        let resource = to.resource.as_ref()?;
        if resource.mode == ResourceMode::Data {
            let detail = format!("`{shown}` is a data source. Only resources can be imported.");
            return if self.evaluation.phase().plans_resources() { missing(detail) } else { None };
        }
        let Module { resources, doubt, .. } = &*config.node(owner).module;
        let words = [&*resource.resource_type, &*resource.name];
        if resources.contains_key(resource)
            || doubt.hides_words(DeclarationKind::Resource(resource.mode), &words)
        {
            return None;
        }
        let is_repeated = self.import.for_each.is_some() || to.key != InstanceKey::None;
        if config.rules.imports.instances_need_declarations
            && self.import.for_each.is_some()
            && to.key != InstanceKey::None
        {
            let detail = format!(
                "`{shown}` is not declared with `for_each`. Add a `resource` block for the imported \
                         objects."
            );
            return Some(ImportProblem::new(ids::INVALID_IMPORT_TO, detail));
        }
        // For a single resource of the root module, Terraform or OpenTofu can write the block.
        if self.evaluation.phase().plans_resources() || owner != self.root || is_repeated {
            return missing(format!(
                "`{shown}` is not declared. Add a `resource` block for the imported \
                                    object."
            ));
        }
        None
    }

    /// Returns the message about a declared target without an instance with its key; `None` if the instance exists, or
    /// the instances are unknown.
    fn no_such_instance(&self) -> Option<String> {
        let to = self.to;
        if !self.evaluation.phase().plans_resources() || !to.resolved || self.is_in_state() {
            return None;
        }
        let mut state = self.evaluation.root();
        for step in to.module.steps() {
            let module = &self.evaluation.config.node(state.node).module;
            let calls = &state.calls[module.calls.id_of(&step.name)?];
            if calls.expansion.unknown().is_some() {
                return None;
            }
            match calls.expansion.get(&step.key) {
                Some(Called::Instance(instance)) => state = &self.evaluation.instances[*instance],
                Some(Called::Missing(_)) => return None,
                None => return Some(no_instance(self.shown, &format!("module call `{}`", step.name))),
            }
        }
        let module = &self.evaluation.config.node(state.node).module;
        let instances = &state.resources[module.resources.id_of(to.resource.as_ref()?)?];
        let is_there = instances.expansion.unknown().is_some() || instances.expansion.has(&to.key);
        (!is_there).then(|| no_instance(self.shown, "resource"))
    }

    /// Whether the state has the target. Such an import has no effect, also if the instance is to be destroyed.
    fn is_in_state(&self) -> bool {
        let ObjectAddress { module, resource, key, .. } = self.to;
        let (prior, resource) = (self.evaluation.config.prior(), resource.as_ref());
        prior.zip(resource).is_some_and(|(prior, resource)| prior.has_object(module, resource, key))
    }

    /// Returns the message about a key that does not fit the `count` or `for_each` of the block of the target.
    fn wrong_key(&self) -> Option<String> {
        let (to, shown) = (self.to, self.shown);
        let owner = self.evaluation.config.module_at(self.root, &to.module)?;
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
                "`{shown}` has `{has}`, so its instances are imported one by one. Choose one with brackets."
            )),
            (has, Some(wanted)) if has != Some(wanted) => Some(format!(
                "The block of `{shown}` has no `{wanted}`, so it has no instance with such a key."
            )),
            (_, _) => None,
        }
    }
}

fn no_instance(to: &ObjectAddress, kind: &str) -> String {
    format!("`{to}` does not exist: the {kind} has other instances. Correct the key, or add the instance.")
}

fn argument(resource: &Resource) -> Option<&'static str> {
    match resource.repetition {
        Repetition::Once | Repetition::Enabled(_) => None,
        Repetition::Count(_) => Some("count"),
        Repetition::ForEach(_) => Some("for_each"),
    }
}

/// Reports an id that refers to the imported resource.
fn refers_to_target(import: &Import, module: &Module, diagnostics: &mut Diagnostics) {
    for expression in [&import.id, &import.identity].into_iter().flatten() {
        if refers_to_itself(import, expression, module) {
            let detail =
                format!("The `id` of an import cannot refer to the imported resource, `{}`.", import.to);
            let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_ID, detail);
            diagnostics.push(diagnostic.at(expression.source(), expression.span()));
        }
    }
}
