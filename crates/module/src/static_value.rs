//! Static values: sources and versions of modules, arguments of backends, `for_each` of providers.
//!
//! They are needed before anything is evaluated, so they can use only variables, locals, `path` and the workspace. They
//! follow from [`StaticInputs`] and from the modules read so far. [`StaticValues`] keeps the results and depends on
//! neither the loader nor the evaluation. Chains of locals may be long, so it follows them with a stack of its own
//! instead of recursion.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use terrane_body::constant::{constant, nullable_constant};
use terrane_config::address::{Address, Object};
use terrane_config::version::VersionConstraint;
use terrane_eval::{FunctionTable, Lookup, Names, Reference, Scope, evaluate};
use terrane_function::{CallEnv, Meter, conversion};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, Files, Span, Subject, ids, titles};
use terrane_syntax::tree::Literal;
use terrane_syntax::{Expr, Expression};
use terrane_value::{Mark, Marks, Origin, OriginKind, Origins, Type, Value, convert, with_article};

use crate::inputs::Inputs;
use crate::model::ids::{Arena, CallInModule, LocalId, NodeId, VariableId};
use crate::model::module::{ModuleCall, Variable};
use crate::model::namespace::Namespace;
use crate::model::references::BuiltIn;
use crate::model::request::Request;
use crate::model::tree::ModuleNode;
use crate::resolve::root::{Name, Named, RootedReference, attribute, references};
use crate::rules::Rules;

/// A variable or local, by its id in its module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum StaticItem {
    Variable(VariableId),
    Local(LocalId),
}

/// An item, and the module that declares it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct StaticKey {
    node: NodeId,
    item: StaticItem,
}

/// The facts, besides the modules, that determine static values.
pub(crate) struct StaticInputs<'s> {
    pub(crate) request: &'s Request,
    pub(crate) rules: Rules,
    pub(crate) files: &'s dyn Files,
    /// The value of `terraform.workspace`.
    pub(crate) workspace: String,
    /// The values of the variables of the root module.
    pub(crate) variables: Inputs,
    /// The meter for the limits of the request.
    pub(crate) meter: Meter,
}

/// The static values that have been computed so far.
#[derive(Default)]
pub(crate) struct StaticValues {
    values: HashMap<StaticKey, Value>,
    /// The functions that expressions may call; made for the first expression that is evaluated.
    functions: OnceLock<FunctionTable>,
}

impl StaticValues {
    /// Returns the values in a tree of modules, as far as the tree has been read. Errors go to `diagnostics`.
    pub(crate) fn over<'v, 's>(
        &'v mut self,
        inputs: &'v StaticInputs<'s>,
        nodes: &'v Arena<NodeId, ModuleNode>,
        diagnostics: &'v mut Diagnostics,
    ) -> StaticTree<'v, 's> {
        StaticTree { inputs, computed: self, nodes, diagnostics }
    }
}

/// Static values in a tree of modules.
pub(crate) struct StaticTree<'v, 's> {
    inputs: &'v StaticInputs<'s>,
    computed: &'v mut StaticValues,
    pub(crate) nodes: &'v Arena<NodeId, ModuleNode>,
    pub(crate) diagnostics: &'v mut Diagnostics,
}

/// The version that a module call asks for.
pub(crate) struct CallVersion {
    /// The constraint; `None` if it is unknown or wrong.
    pub(crate) constraint: Option<VersionConstraint>,
}

impl CallVersion {
    /// Returns the version in the value of the argument; `None` if it is null.
    fn of(value: &Value) -> Option<CallVersion> {
        let constraint = || convert(value, &Type::String).ok()?.as_str()?.parse().ok();
        (!value.is_null()).then(|| CallVersion { constraint: constraint() })
    }
}

/// Returns the reason why a value is not a version constraint.
fn no_version(value: &Value) -> Option<String> {
    if value.is_marked() {
        return Some("its value is sensitive or ephemeral".to_owned());
    }
    if value.is_null() || value.as_unknown().is_some() {
        return None;
    }
    match convert(value, &Type::String) {
        Ok(text) => text.as_str()?.parse::<VersionConstraint>().err(),
        Err(error) => Some(error.to_string()),
    }
}

impl<'s> StaticTree<'_, 's> {
    /// Returns this tree with other diagnostics for its errors.
    pub(crate) fn reporting<'v>(&'v mut self, diagnostics: &'v mut Diagnostics) -> StaticTree<'v, 's> {
        StaticTree { inputs: self.inputs, computed: self.computed, nodes: self.nodes, diagnostics }
    }

    /// Returns the rules of the dialect.
    pub(crate) fn rules(&self) -> Rules {
        self.inputs.rules
    }

    /// Returns the text of the `source` argument with its place, `Ok(None)` after an error, or `Err` with the
    /// origins if it is unknown.
    pub(crate) fn source(
        &mut self,
        node: NodeId,
        name: &str,
        call: &ModuleCall,
    ) -> Result<Option<(String, Span)>, Origins> {
        let Some(expression) = &call.source else { return Ok(None) };
        let span = expression.span();
        if let Expr::Literal(Literal::String(text)) = expression.tree.expr(expression.id) {
            return Ok(Some((expression.tree.text(text).to_owned(), span)));
        }
        let Some(value) = self.top(node, expression, &format!("module.{name}.source")) else {
            return Ok(None);
        };
        if value.as_unknown().is_some() {
            if value.origins().has_error() {
                return Ok(None);
            }
            return match changing(&value) {
                Some(diagnostic) => {
                    self.diagnostics.push(diagnostic.at(expression.source(), span));
                    Ok(None)
                }
                None => Err(value.origins().clone()),
            };
        }
        let written = expression.source().slice(span);
        let text = match convert(&value, &Type::String) {
            Ok(text) if text.is_null() => Err(format!("`{written}` is null")),
            Ok(text) => Ok(text),
            Err(error) => Err(format!("the value of `{written}` is not: {error}")),
        };
        match text {
            Ok(text) => Ok(text.as_str().map(|text| (text.to_owned(), span))),
            Err(problem) => {
                let detail = format!("`source` must be a string, but {problem}.");
                let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
                self.diagnostics.push(diagnostic.at(expression.source(), span));
                Ok(None)
            }
        }
    }

    /// Returns the version that the call asks for; `None` if the argument is not set, or null.
    /// Reports invalid versions.
    pub(crate) fn version(&mut self, node: NodeId, name: &str, call: &ModuleCall) -> Option<CallVersion> {
        let expression = call.version.as_ref()?;
        let argument = format!("module.{name}.version");
        if !self.inputs.rules.statics.computed_sources {
            // Decoding has reported expressions that are not constant.
            let value = nullable_constant(expression, &Type::String, &mut Diagnostics::new());
            return value.and_then(|value| CallVersion::of(&value));
        }
        let Some(value) = self.value(node, expression, &argument) else {
            return Some(CallVersion { constraint: None });
        };
        // Decoding has checked literals.
        let is_written =
            constant(expression, &mut Diagnostics::new()).is_some_and(|text| text.as_str().is_some());
        if let Some(reason) = no_version(&value).filter(|_| !is_written) {
            let detail =
                format!("`{argument}` is not a version constraint: {reason}. Write it as in \"~> 1.2\".");
            let diagnostic = Diagnostic::error(ids::INVALID_VERSION_CONSTRAINT, detail);
            self.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
        }
        CallVersion::of(&value)
    }

    /// Returns the value of a source; `None` after an error.
    fn top(&mut self, node: NodeId, expression: &Expression, argument: &str) -> Option<Value> {
        if !self.inputs.rules.statics.computed_sources {
            return nullable_constant(expression, &Type::String, self.diagnostics);
        }
        let value = self.value(node, expression, argument)?;
        if let Some((id, kind)) = not_allowed(value.marks()) {
            let detail = format!("`{argument}` cannot use a value that is {kind}.");
            self.diagnostics.push(Diagnostic::error(id, detail).at(expression.source(), expression.span()));
            return None;
        }
        Some(value)
    }

    /// Returns the value of an expression; `None` after an error.
    pub(crate) fn value(&mut self, node: NodeId, expression: &Expression, argument: &str) -> Option<Value> {
        let before = self.diagnostics.len();
        let mut needed = Vec::new();
        self.check(node, expression, argument, &mut needed);
        if self.diagnostics.len() > before {
            return None;
        }
        self.compute(needed);
        if self.diagnostics.len() > before {
            return None;
        }
        let mut found = Diagnostics::new();
        let value = self.evaluated(node, expression, &mut found);
        let failed = found.has_errors();
        self.diagnostics.extend(found);
        (!failed).then_some(value)
    }

    /// Reports references that a static value may not have, and adds the variables and locals to `needed`.
    fn check(&mut self, node: NodeId, expression: &Expression, argument: &str, needed: &mut Vec<StaticKey>) {
        let module = Arc::clone(&self.nodes[node].module);
        let rules = self.inputs.rules;
        for reference in references(expression, &module) {
            let has_name = attribute(&reference, 0).is_some();
            let problem = match (reference.name(), reference.namespace) {
                (Some(Name::Variable(name)), _) => match module.variables.find(name) {
                    Some((_, variable)) if variable.constant == Some(false) => {
                        let detail = format!(
                            "The variable \"{name}\" is declared with `const = false`, so `{argument}` cannot use it."
                        );
                        Some(Diagnostic::error(ids::NOT_CONSTANT, detail))
                    }
                    Some((_, variable))
                        if rules.statics.variables_must_be_const && variable.constant.is_none() =>
                    {
                        let detail = format!(
                            "In {}, `{argument}` can use only variables that are declared with `const = true`, and \"{name}\" \
                             is not.",
                            rules.product_name
                        );
                        Some(
                            Diagnostic::error(ids::NOT_CONSTANT, detail)
                                .titled(titles::UNKNOWN_MODULE_SOURCE),
                        )
                    }
                    Some((id, _)) => {
                        needed.push(StaticKey { node, item: StaticItem::Variable(id) });
                        None
                    }
                    None => Some(undefined("variable", name, argument)),
                },
                (Some(Name::Local(name)), _) => match module.locals.id_of(name) {
                    Some(id) => {
                        needed.push(StaticKey { node, item: StaticItem::Local(id) });
                        None
                    }
                    None => Some(undefined("local", name, argument)),
                },
                // The evaluation reports an unknown name after `path`.
                (_, Namespace::Path) if has_name => None,
                (_, Namespace::Terraform | Namespace::Tofu) if has_name && rules.statics.see_workspace => {
                    None
                }
                _ => Some(dynamic(&reference, argument)),
            };
            if let Some(problem) = problem {
                self.diagnostics.push(problem.at(reference.tree.source(), reference.span));
            }
        }
    }

    /// Computes the values of `needed` and of every item that they refer to.
    fn compute(&mut self, needed: Vec<StaticKey>) {
        let mut open = HashSet::new();
        let mut stack: Vec<(StaticKey, bool)> = needed.into_iter().rev().map(|key| (key, false)).collect();
        while let Some((key, done)) = stack.pop() {
            if done {
                open.remove(&key);
                let value = self.item(key);
                self.computed.values.entry(key).or_insert(value);
                continue;
            }
            if self.computed.values.contains_key(&key) {
                continue;
            }
            if !open.insert(key) {
                self.cycle(key);
                self.computed.values.insert(key, Value::error());
                continue;
            }
            stack.push((key, true));
            let mut behind = Vec::new();
            if let Some((node, expression)) = self.expression(key) {
                let before = self.diagnostics.len();
                self.check(node, &expression, &self.name(key), &mut behind);
                if self.diagnostics.len() > before {
                    self.computed.values.insert(key, Value::error());
                }
            }
            stack.extend(behind.into_iter().rev().map(|key| (key, false)));
        }
    }

    fn cycle(&mut self, key: StaticKey) {
        let name = self.name(key);
        let detail = format!("`{name}` depends on itself, so it has no value. Remove one of the references.");
        let diagnostic = Diagnostic::error(ids::CIRCULAR_REFERENCE, detail);
        let Subject { file, span } = self.declaration(key);
        self.diagnostics.push(diagnostic.at(file, *span));
    }

    fn declaration(&self, StaticKey { node, item }: StaticKey) -> &Subject {
        let module = &self.nodes[node].module;
        match item {
            StaticItem::Variable(id) => &module.variables.at(id).declaration,
            StaticItem::Local(id) => &module.locals.at(id).declaration,
        }
    }

    fn name(&self, StaticKey { node, item }: StaticKey) -> String {
        let node = &self.nodes[node];
        let object = match item {
            StaticItem::Variable(id) => Object::Variable(node.module.variables.entry_of(id).0.clone()),
            StaticItem::Local(id) => Object::Local(node.module.locals.entry_of(id).0.clone()),
        };
        Address { module: node.path.clone(), object }.to_string()
    }

    /// Returns the expression that gives an item its value, with the module in which it is evaluated.
    fn expression(&self, StaticKey { node, item }: StaticKey) -> Option<(NodeId, Expression)> {
        let module = &self.nodes[node].module;
        match item {
            StaticItem::Local(id) => Some((node, module.locals.at(id).value.clone())),
            StaticItem::Variable(id) => {
                let (name, _) = module.variables.entry_of(id);
                let CallInModule { module: caller, call } = self.nodes[node].caller?;
                let call = self.nodes[caller].module.calls.at(call);
                let (_, argument) = call.arguments.get(name)?;
                Some((caller, argument.clone()))
            }
        }
    }

    /// Returns the value of an item whose references have values. The evaluation reports its errors.
    fn item(&self, key: StaticKey) -> Value {
        let mut unreported = Diagnostics::new();
        let given =
            self.expression(key).map(|(node, expression)| self.evaluated(node, &expression, &mut unreported));
        if unreported.has_errors() {
            return Value::error();
        }
        let StaticItem::Variable(id) = key.item else { return given.unwrap_or_else(Value::error) };
        let node = &self.nodes[key.node];
        let (name, variable) = node.module.variables.entry_of(id);
        let is_root = node.caller.is_none();
        let given =
            if is_root { self.inputs.variables.get(name).map(|input| input.value.clone()) } else { given };
        converted(variable, given, self.inputs, || self.name(key))
    }

    fn evaluated(&self, node: NodeId, expression: &Expression, diagnostics: &mut Diagnostics) -> Value {
        let StaticInputs { request, files, meter, .. } = self.inputs;
        let functions = self.computed.functions.get_or_init(|| request.function_table());
        let (world, meter) = (request.host.world(), Some(meter));
        let env = CallEnv { world, meter, ..CallEnv::new(*files, request.base_directory(), &request.limits) };
        let names = StaticNames { tree: self, node };
        evaluate(expression, &Scope { names: &names, functions, env: &env }, diagnostics)
    }
}

/// Returns the error about a static value with one of these marks, and the name of the mark.
pub(crate) fn not_allowed(marks: &Marks) -> Option<(DiagnosticId, &'static str)> {
    if marks.contains(&Mark::Sensitive) {
        Some((ids::SENSITIVE_NOT_ALLOWED, "sensitive"))
    } else if marks.contains(&Mark::Ephemeral) {
        Some((ids::EPHEMERAL_NOT_ALLOWED, "ephemeral"))
    } else {
        None
    }
}

/// Returns the error about a source from a function that returns another value in each run.
fn changing(value: &Value) -> Option<Diagnostic> {
    let origins = value.origins().as_slice();
    let is_impure =
        |origin: &&Origin| matches!(origin.kind, OriginKind::ImpureFunction | OriginKind::RunFunction);
    let impure = origins.iter().find(is_impure)?;
    let detail = format!("`source` must be the same in every run, but {impure}.");
    let prefix = value.as_unknown().and_then(|unknown| unknown.refinement.prefix.as_deref());
    let is_local = prefix.is_some_and(|prefix| prefix.starts_with("./") || prefix.starts_with("../"));
    // A plan knows the value of such a function, but a validation does not.
    let id = if impure.kind == OriginKind::RunFunction {
        ids::UNSUITABLE_VALUE
    } else if is_local {
        ids::UNREADABLE_MODULE
    } else {
        ids::INVALID_MODULE_SOURCE
    };
    Some(Diagnostic::error(id, detail))
}

/// Returns the value of a variable, as the module reads it.
fn converted(
    variable: &Variable,
    given: Option<Value>,
    inputs: &StaticInputs<'_>,
    name: impl Fn() -> String,
) -> Value {
    let converted = |value: &Value| {
        let limits = &inputs.request.limits;
        conversion::convert(&variable.constraint, value, limits, &inputs.meter)
    };
    let missing = || {
        let ty = variable.constraint.ty.without_optional();
        Value::unknown_from(ty, Origins::one(OriginKind::Variable, name()))
    };
    let default = variable.default.as_ref();
    let value = match given {
        _ if variable.has_type_error => Value::error(),
        Some(value) if value.is_null() && !variable.nullable => {
            default.map_or_else(missing, |default| default.for_null.clone())
        }
        Some(value) => converted(&value).unwrap_or_else(|_| Value::error()),
        None => default.map_or_else(missing, |default| default.value.clone()),
    };
    let mut marks = Marks::NONE;
    if variable.marks_values() {
        marks = marks.union(&Marks::sensitive());
    }
    if variable.ephemeral {
        marks = marks.union(&Marks::one(Mark::Ephemeral));
    }
    value.with_marks(&marks)
}

fn undefined(kind: &str, name: &str, argument: &str) -> Diagnostic {
    let (id, title) = match kind {
        "local" => (ids::UNDECLARED_LOCAL, titles::UNDEFINED_LOCAL),
        _ => (ids::UNDECLARED_VARIABLE, titles::UNDEFINED_VARIABLE),
    };
    let detail = format!(
        "`{argument}` needs {} named \"{name}\", which this module does not declare.",
        with_article(kind)
    );
    Diagnostic::error(id, detail).titled(title)
}

fn dynamic(reference: &RootedReference<'_>, argument: &str) -> Diagnostic {
    let text = reference.tree.slice(reference.span);
    let detail = format!(
        "`{argument}` is needed before anything is evaluated, so it can use only variables, locals, `path` and \
         `terraform.workspace`, not `{text}`."
    );
    let is_output = reference.namespace == Namespace::Module && reference.steps.len() > 1;
    let id = if is_output { ids::STATIC_MODULE_OUTPUT } else { ids::DYNAMIC_IN_STATIC };
    Diagnostic::error(id, detail)
}

/// The names that static values may use.
struct StaticNames<'n, 'v, 's> {
    tree: &'n StaticTree<'v, 's>,
    node: NodeId,
}

impl StaticNames<'_, '_, '_> {
    fn value(&self, reference: &Reference<'_>) -> Option<Value> {
        let node = &self.tree.nodes[self.node];
        let reference = RootedReference::of(*reference, &node.module.rules);
        let (inputs, computed) = (self.tree.inputs, &self.tree.computed.values);
        let static_value = |item: StaticItem| computed.get(&StaticKey { node: self.node, item }).cloned();
        let name = match reference.named(&node.module)? {
            Named::Variable(id) => return static_value(StaticItem::Variable(id)),
            Named::Local(id) => return static_value(StaticItem::Local(id)),
            Named::Call(_) | Named::Resource(..) => return None,
            Named::BuiltIn(name) => name,
        };
        match name {
            BuiltIn::PathModule => Some(Value::from(node.module_dir.as_str())),
            BuiltIn::PathRoot => Some(Value::from(".")),
            BuiltIn::PathCwd => {
                let directory = inputs.files.canonicalize(&inputs.request.directory);
                let directory = directory.unwrap_or_else(|_| inputs.files.working_directory());
                Some(Value::from(Path::new(&directory).to_string_lossy().as_ref()))
            }
            BuiltIn::Workspace => Some(Value::from(inputs.workspace.as_str())),
            BuiltIn::Applying
            | BuiltIn::CountIndex
            | BuiltIn::EachKey
            | BuiltIn::EachValue
            | BuiltIn::Itself => None,
        }
    }
}

impl Names for StaticNames<'_, '_, '_> {
    fn lookup(&self, reference: &Reference<'_>) -> Lookup {
        match self.value(reference) {
            Some(value) => Lookup::Found { value, consumed: 1 },
            None => Lookup::Undeclared,
        }
    }

    fn visible(&self) -> Vec<String> {
        Namespace::visible(Namespace::is_static)
    }
}
