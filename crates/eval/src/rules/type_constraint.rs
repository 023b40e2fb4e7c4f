//! Type constraints: expressions such as `list(string)` read as types.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane_function::Limits;
use terrane_source::{Diagnostic, Diagnostics, Span, ids};
use terrane_syntax::tree::{Call, Literal, ObjectItem, Part};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{Defaults, ObjectType, SmolStr, Type, TypeConstraint, Value, closest_name, convert};

use crate::rules::evaluator::Evaluator;

/// The types that take no argument.
const PRIMITIVES: &[&str] = &["bool", "string", "number", "any"];

/// The types that take one argument.
const CONSTRUCTORS: &[&str] = &["list", "set", "map", "object", "tuple"];

/// Reads a type constraint as in the `type` argument of a variable: accepts the old short forms `list` and `map`, and
/// reports the older quoted forms with their own messages.
pub fn type_constraint(expression: &Expression, diagnostics: &mut Diagnostics) -> TypeConstraint {
    let tree = &expression.tree;
    let limits = Limits::default();
    let mut found = Vec::new();
    let constraint = match keyword(tree, expression.id) {
        Some("list") => TypeConstraint::new(Type::list(Type::Dynamic)),
        Some("map") => TypeConstraint::new(Type::map(Type::Dynamic)),
        Some(_) | None if is_quoted(tree, expression.id) => {
            quoted(tree, expression.id, &limits, &mut found);
            TypeConstraint::ANY
        }
        Some(_) | None => constraint_of(tree, expression.id, &limits, &mut found),
    };
    let constraint = if found.iter().any(Diagnostic::is_error) { TypeConstraint::ANY } else { constraint };
    diagnostics.extend(found);
    constraint
}

/// Reads a type constraint without old forms.
pub fn strict_type_constraint(expression: &Expression, diagnostics: &mut Diagnostics) -> TypeConstraint {
    let mut found = Vec::new();
    let constraint = constraint_of(&expression.tree, expression.id, &Limits::default(), &mut found);
    diagnostics.extend(found);
    constraint
}

impl Evaluator<'_> {
    /// Reads a type constraint from an expression of the tree. `has_defaults` tells whether optional
    /// attributes can have defaults.
    pub(crate) fn constraint(&mut self, id: ExprId, has_defaults: bool) -> TypeConstraint {
        let mut found = Vec::new();
        let constraint =
            TypeReader { tree: self.tree, limits: self.budget.limits, found: &mut found, has_defaults }
                .constraint(id);
        self.report.extend(found);
        constraint
    }
}

fn constraint_of(tree: &Tree, id: ExprId, limits: &Limits, found: &mut Vec<Diagnostic>) -> TypeConstraint {
    TypeReader { tree, limits, found, has_defaults: true }.constraint(id)
}

/// Returns the name if an expression is a single name, without parentheses or quotes.
fn keyword(tree: &Tree, id: ExprId) -> Option<&str> {
    match tree.expr(id) {
        Expr::Traversal { steps, .. } if steps.is_empty() => Some(tree.expr_text(id)),
        Expr::Literal(Literal::Null | Literal::Bool(_)) => Some(tree.expr_text(id)),
        Expr::Literal(Literal::Number | Literal::String(_))
        | Expr::Missing
        | Expr::Template { .. }
        | Expr::Traversal { .. }
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
        | Expr::Parens(_) => None,
    }
}

fn is_quoted(tree: &Tree, id: ExprId) -> bool {
    match tree.expr(id) {
        Expr::Literal(Literal::String(_)) => true,
        Expr::Template { parts, .. } => !matches!(tree.list(parts), [Part::Interpolation { .. }]),
        Expr::Literal(Literal::Null | Literal::Bool(_) | Literal::Number)
        | Expr::Missing
        | Expr::Traversal { .. }
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
        | Expr::Parens(_) => false,
    }
}

/// Reports a type in quotes, a form that is older than types without quotes.
fn quoted(tree: &Tree, id: ExprId, limits: &Limits, found: &mut Vec<Diagnostic>) {
    let mut evaluator = Evaluator::closed(tree, limits);
    let value = evaluator.eval(id);
    let failed = evaluator.report.has_errors_since(0);
    found.extend(evaluator.finish(id, &value));
    if failed {
        return;
    }
    let error = |id_of, detail: &str| Diagnostic::error(id_of, detail).at(tree.source(), tree.span(id));
    found.push(match value.as_str() {
        Some("string") => {
            error(ids::QUOTED_TYPE, "Write the type without quotes: string.").rewrite("\"string\"", "string")
        }
        Some("list") => {
            let detail = "Write the type without quotes and with its element type: list(string).";
            error(ids::QUOTED_TYPE, detail).rewrite("\"list\"", "list(string)")
        }
        Some("map") => {
            let detail = "Write the type without quotes and with its element type: map(string).";
            error(ids::QUOTED_TYPE, detail).rewrite("\"map\"", "map(string)")
        }
        Some(_) | None => error(ids::LEGACY_TYPE_HINT, "A type is written without quotes."),
    });
}

struct TypeReader<'r> {
    tree: &'r Tree,
    limits: &'r Limits,
    found: &'r mut Vec<Diagnostic>,
    /// Whether optional attributes can have defaults.
    has_defaults: bool,
}

/// The attributes of an object type under construction.
#[derive(Default)]
struct AttributeTypes {
    types: BTreeMap<SmolStr, Type>,
    optional: Vec<SmolStr>,
    values: BTreeMap<SmolStr, Value>,
    children: BTreeMap<SmolStr, Defaults>,
}

impl<'r> TypeReader<'r> {
    fn constraint(&mut self, id: ExprId) -> TypeConstraint {
        let span = self.tree.span(id);
        if let Some(word) = keyword(self.tree, id) {
            return match word {
                "bool" => TypeConstraint::new(Type::Bool),
                "string" => TypeConstraint::new(Type::String),
                "number" => TypeConstraint::new(Type::Number),
                "any" => TypeConstraint::ANY,
                "list" | "map" | "set" => {
                    self.invalid(span, format!("Write the element type: {word}(string)."))
                }
                "object" => {
                    self.invalid(span, "Write the attributes with their types: object({ name = string }).")
                }
                "tuple" => self.invalid(span, "Write the types of the elements: tuple([string, number])."),
                _ => {
                    let nearest = closest_name(word, PRIMITIVES.iter().chain(CONSTRUCTORS).copied());
                    self.unknown(span, format!("There is no type \"{word}\"."), nearest)
                }
            };
        }
        match self.tree.expr(id) {
            Expr::Call(call) => self.call(id, self.tree.call(call)),
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Template { .. }
            | Expr::Traversal { .. }
            | Expr::Relative { .. }
            | Expr::Splat { .. }
            | Expr::Item
            | Expr::Conditional { .. }
            | Expr::Binary { .. }
            | Expr::Unary { .. }
            | Expr::Tuple(_)
            | Expr::Object(_)
            | Expr::For(_)
            | Expr::Parens(_) => self.invalid(
                span,
                "The types are bool, number, string, any, and types with elements or attributes, such as \
                 list(string).",
            ),
        }
    }

    fn invalid(&mut self, span: Span, detail: impl Into<String>) -> TypeConstraint {
        self.report(span, detail);
        TypeConstraint::ANY
    }

    /// Reports a type that does not exist, with the most similar name.
    fn unknown(&mut self, span: Span, detail: String, nearest: Option<&str>) -> TypeConstraint {
        let diagnostic = Diagnostic::error(ids::INVALID_TYPE, detail).at(self.tree.source(), span);
        self.found.push(diagnostic.suggest_code(self.tree.slice(span), nearest));
        TypeConstraint::ANY
    }

    fn report(&mut self, span: Span, detail: impl Into<String>) {
        self.found.push(Diagnostic::error(ids::INVALID_TYPE, detail).at(self.tree.source(), span));
    }

    fn call(&mut self, id: ExprId, call: &Call) -> TypeConstraint {
        let name = self.tree.slice(call.name);
        let parentheses = Span::new(call.open, call.close_end);
        let arguments = self.tree.list(call.arguments);
        if PRIMITIVES.contains(&name) {
            return self.invalid(parentheses, format!("The type {name} takes no arguments."));
        }
        let is_constructor = CONSTRUCTORS.contains(&name);
        let [argument] = arguments else {
            return match arguments {
                [_, second, .., last] | [_, second @ last] if is_constructor => {
                    let extra = self.tree.span(*second).to(self.tree.span(*last));
                    self.invalid(extra, format!("The type {name} takes only one argument."))
                }
                _ if is_constructor => {
                    self.invalid(parentheses, format!("The type {name} needs one argument."))
                }
                _ => self.no_constructor(id, call, name),
            };
        };
        match name {
            "list" => self.collection(*argument, Type::list),
            "set" => self.collection(*argument, Type::set),
            "map" => self.collection(*argument, Type::map),
            "object" => self.object(*argument),
            "tuple" => self.tuple(*argument),
            _ => self.no_constructor(id, call, name),
        }
    }

    fn no_constructor(&mut self, id: ExprId, call: &Call, name: &str) -> TypeConstraint {
        if name == "optional" {
            self.invalid(call.name, "`optional` is allowed only for the type of an object attribute.")
        } else {
            let detail = format!("There is no type \"{name}\" that takes an argument.");
            self.unknown(self.tree.span(id), detail, closest_name(name, CONSTRUCTORS.iter().copied()))
        }
    }

    fn collection(&mut self, element: ExprId, of: fn(Type) -> Type) -> TypeConstraint {
        let element = self.constraint(element);
        let ty = of(element.ty);
        let mut defaults = Defaults::none(ty.clone());
        if !element.defaults.is_empty() {
            defaults.children.insert(SmolStr::from(""), element.defaults);
        }
        TypeConstraint { ty, defaults }
    }

    fn tuple(&mut self, id: ExprId) -> TypeConstraint {
        let Expr::Tuple(elements) = self.tree.expr(id) else {
            let span = self.tree.span(id);
            return self.invalid(span, "A tuple type needs the types of its elements in brackets.");
        };
        let mut types = Vec::new();
        let mut children = BTreeMap::new();
        for (index, element) in self.tree.list(elements).iter().enumerate() {
            let element = self.constraint(*element);
            types.push(element.ty);
            if !element.defaults.is_empty() {
                children.insert(SmolStr::from(index.to_string()), element.defaults);
            }
        }
        let ty = Type::tuple(types);
        TypeConstraint { defaults: Defaults { children, ..Defaults::none(ty.clone()) }, ty }
    }

    fn object(&mut self, id: ExprId) -> TypeConstraint {
        let Expr::Object(items) = self.tree.expr(id) else {
            let span = self.tree.span(id);
            return self.invalid(span, "An object type needs the types of its attributes in braces.");
        };
        let mut attributes = AttributeTypes::default();
        for item in self.tree.list(items) {
            self.attribute(item, &mut attributes);
        }
        let AttributeTypes { types, optional, values, children } = attributes;
        let ty = Type::Object(Arc::new(ObjectType::with_optional(types, optional)));
        TypeConstraint { defaults: Defaults { values, children, ty: ty.clone() }, ty }
    }

    fn attribute(&mut self, item: &ObjectItem, attributes: &mut AttributeTypes) {
        let key_span = self.tree.span(item.key);
        let Some(name) = keyword(self.tree, item.key) else {
            return self.report(key_span, "The name of an attribute is written without quotes.");
        };
        let name: SmolStr = SmolStr::from(&*Value::normalize(name));
        if attributes.types.contains_key(&name) {
            return self.report(key_span, format!("The attribute \"{name}\" is declared twice."));
        }
        let (ty, default) = match self.optional(item.value) {
            Optional::No => (item.value, None),
            Optional::WithoutType => return,
            Optional::WrongCount(ty) => (ty, None),
            Optional::Yes(ty, default) => {
                let default = default.map(|default| (default, self.default(default)));
                // An invalid default leaves the attribute required, as in the reference.
                if !matches!(default, Some((_, None))) {
                    attributes.optional.push(name.clone());
                }
                (ty, default)
            }
        };
        let constraint = self.constraint(ty);
        if let Some((id, Some(default))) = default {
            match convert(&default, &constraint.ty) {
                Ok(default) => drop(attributes.values.insert(name.clone(), default)),
                Err(error) => {
                    let detail =
                        format!("The default does not fit the type of the attribute: {}.", error.message);
                    let diagnostic = Diagnostic::error(ids::INVALID_OPTIONAL_DEFAULT, detail);
                    self.found.push(diagnostic.at(self.tree.source(), self.tree.span(id)));
                }
            }
        }
        if !constraint.defaults.is_empty() {
            attributes.children.insert(name.clone(), constraint.defaults);
        }
        attributes.types.insert(name, constraint.ty);
    }

    /// Returns the parts of `optional(type, default)`.
    fn optional(&mut self, id: ExprId) -> Optional {
        let Expr::Call(call) = self.tree.expr(id) else { return Optional::No };
        let call = self.tree.call(call);
        if self.tree.slice(call.name) != "optional" {
            return Optional::No;
        }
        let parentheses = Span::new(call.open, call.close_end);
        match self.tree.list(call.arguments) {
            [] => {
                self.report(parentheses, "An optional attribute needs a type: optional(string).");
                Optional::WithoutType
            }
            [ty] => Optional::Yes(*ty, None),
            [ty, default] if self.has_defaults => Optional::Yes(*ty, Some(*default)),
            [ty, ..] => {
                let most = if self.has_defaults { "a type and a default" } else { "a type" };
                let detail = format!("An optional attribute takes {most} here, nothing more.");
                self.report(parentheses, detail);
                Optional::WrongCount(*ty)
            }
        }
    }

    /// Returns the default of an attribute, which may use neither variables nor functions; `None` if it has an error.
    fn default(&mut self, id: ExprId) -> Option<Value> {
        let mut evaluator = Evaluator::closed(self.tree, self.limits);
        let value = evaluator.eval(id);
        let failed = evaluator.report.has_errors_since(0);
        self.found.extend(evaluator.finish(id, &value));
        (!failed).then_some(value)
    }
}

/// The parts of `optional(…)`.
enum Optional {
    /// There is no `optional`.
    No,
    /// `optional` has no arguments.
    WithoutType,
    /// `optional` has too many arguments.
    WrongCount(ExprId),
    /// The type and, if given, a default.
    Yes(ExprId, Option<ExprId>),
}
