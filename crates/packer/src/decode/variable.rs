//! Decodes `variable` and `variables` blocks.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use terrane_body::constant::{is_secret, string_of};
use terrane_body::{Attribute, Block, BodySchema, Label};
use terrane_eval::{FunctionTable, Scope, Variables, evaluate, references, strict_type_constraint};
use terrane_function::conversion::ConversionError;
use terrane_function::{CallEnv, CallSite, EnvironmentVariables, World};
use terrane_source::{Diagnostic, Diagnostics, MemoryFiles, Subject, ids, titles};
use terrane_syntax::{Expression, NAME_RULE, is_identifier};
use terrane_value::{Type, TypeConstraint, Value};

use super::block::error_in;
use super::template_reader::TemplateReader;
use crate::model::request::TemplateRequest;
use crate::model::template::{AssignedValue, Template, Validation, ValueSource, Variable};
use crate::resolve::root::is_variable;
use crate::rules::{OPEN_TYPES, Rules};

static VARIABLE: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&["description", "default", "type", "sensitive"]).block("validation", &[])
});

static VALIDATION: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().required("condition").required("error_message"));

/// The environment variables of the process that functions in defaults may read.
struct Environ<'e>(&'e [(String, String)]);

impl EnvironmentVariables for Environ<'_> {
    fn get(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    }
}

/// Reads a `variables` block: each argument declares a variable with that default.
pub(crate) fn variables(
    block: &Block,
    template: &mut Template,
    TemplateReader { request, .. }: TemplateReader<'_>,
    diagnostics: &mut Diagnostics,
) {
    let content = block.body.just_attributes(diagnostics);
    for (name, attribute) in &content.attributes {
        let declaration = Subject { file: Arc::clone(attribute.source()), span: attribute.name_span };
        if is_declared(template, name, &declaration, diagnostics) {
            continue;
        }
        let (sensitive, mut found) = (template.secrets.has_variable(name), Diagnostics::new());
        let value = default_value(attribute, request, &mut found);
        diagnostics.extend(shown(found, name, sensitive));
        let Some(value) = value else {
            template.doubt.add_lost_value(&declaration);
            continue;
        };
        let variable = Variable {
            declaration,
            constraint: TypeConstraint::new(value.ty()),
            has_type_error: false,
            default: Some(given(attribute, value)),
            sensitive,
            validations: Vec::new(),
        };
        template.variables.insert(name.clone(), variable);
    }
}

/// Reads a `variable` block.
pub(crate) fn variable(
    block: &Block,
    template: &mut Template,
    TemplateReader { request, sources }: TemplateReader<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Label { text: name, span } = block.label(0);
    let declaration = block.declaration();
    if is_declared(template, &name, &declaration, diagnostics) {
        return;
    }
    let content = block.body.content(&VARIABLE, diagnostics);
    if !is_identifier(&name) {
        let detail = format!("\"{name}\" cannot be the name of a variable: {NAME_RULE}.");
        diagnostics.push(error_in(&block.body, ids::INVALID_VARIABLE_NAME, span, detail));
    }
    string_of(content.attribute("description"), diagnostics);
    let read_type = content.attribute("type").map(|ty| type_constraint(ty, &template.rules, diagnostics));
    let has_type_error = matches!(read_type, Some(None));
    let mut constraint = read_type.flatten().unwrap_or(TypeConstraint::ANY);
    let sensitive = is_secret(&content, "sensitive", diagnostics) || template.secrets.has_variable(&name);
    let default = content.attribute("default").map(|attribute| {
        if sensitive {
            attribute.source().hide(attribute.value_span());
        }
        let mut found = Diagnostics::new();
        let value = default_value(attribute, request, &mut found).unwrap_or_else(Value::error);
        diagnostics.extend(shown(found, "default", sensitive));
        let value = sources.default_value(&constraint, &value).unwrap_or_else(|error| {
            let diagnostic = match error {
                ConversionError::Limit(limit) => limit.diagnostic("The default of the variable"),
                ConversionError::Mismatch(error) => {
                    // The path to a wrong element may contain keys, which are parts of a secret.
                    let reason = if sensitive { error.message } else { error.to_string() };
                    let detail = format!(
                        "The default does not fit the type of the variable, `{}`: {reason}.",
                        constraint.ty
                    );
                    Diagnostic::error(ids::INVALID_DEFAULT, detail)
                }
            };
            diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
            Value::error()
        });
        given(attribute, if has_type_error { Value::error() } else { value })
    });
    if let Some(default) = &default
        && constraint.ty == Type::Dynamic
        && !is_empty(&default.value)
    {
        constraint = TypeConstraint::new(default.value.ty());
    }
    let validations =
        content.blocks.iter().filter_map(|block| validation(block, &name, diagnostics)).collect();
    let variable = Variable { declaration, constraint, has_type_error, default, sensitive, validations };
    template.variables.insert(name, variable);
}

/// Returns diagnostics about a default, without their words if it is a secret.
fn shown(found: Diagnostics, name: &str, is_secret: bool) -> impl Iterator<Item = Diagnostic> {
    found.into_iter().map(move |found| if is_secret { found.about_secret(name) } else { found })
}

/// Whether a value is `{}` or `[]`, which says nothing about the type.
fn is_empty(value: &Value) -> bool {
    match value.ty() {
        Type::Object(object) => object.attributes().is_empty(),
        Type::Tuple(elements) => elements.is_empty(),
        Type::Bool
        | Type::Number
        | Type::String
        | Type::Dynamic
        | Type::List(_)
        | Type::Set(_)
        | Type::Map(_) => false,
    }
}

fn given(attribute: &Attribute, value: Value) -> AssignedValue {
    let position = Some((Arc::clone(attribute.source()), attribute.value_span()));
    AssignedValue { value, source: ValueSource::Default, position }
}

fn is_declared(template: &Template, name: &str, again: &Subject, diagnostics: &mut Diagnostics) -> bool {
    let Some(earlier) = template.variables.get(name) else { return false };
    let detail = format!(
        "The variable \"{name}\" is already declared at {}. Rename or remove one of them.",
        earlier.declaration.position()
    );
    diagnostics.push(
        Diagnostic::error(ids::DUPLICATE_VARIABLE, detail)
            .titled(titles::DUPLICATE_VARIABLE)
            .at(&again.file, again.span),
    );
    true
}

/// Returns the value of a default, which may use no names and call only the function `env`.
fn default_value(
    attribute: &Attribute,
    request: &TemplateRequest,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let mut found = Diagnostics::new();
    let expression = attribute.expression(&mut found);
    for reference in references(&expression) {
        let detail = "The default of a variable is needed before anything is evaluated, so it cannot \
                      refer to other values. For a value that depends on a variable, use a local value.";
        found.push(
            Diagnostic::error(ids::VARIABLES_NOT_ALLOWED, detail).at(expression.source(), reference.span),
        );
    }
    let value = if found.has_errors() { None } else { Some(evaluated(&expression, request, &mut found)) };
    let failed = found.has_errors();
    diagnostics.extend(found);
    value.filter(|_| !failed)
}

fn evaluated(expression: &Expression, request: &TemplateRequest, diagnostics: &mut Diagnostics) -> Value {
    let rows = request.library().filter(|row| row.call_site == CallSite::VariableDefault);
    let rows = rows.map(|row| row.only(CallSite::Anywhere)).collect();
    let functions = FunctionTable::only(request.dialect(), rows);
    let (files, names) = (MemoryFiles::new(), Variables::new());
    let environment = Environ(&request.inputs.environment);
    let world = World { environment: Some(&environment), ..World::default() };
    let env = CallEnv { world, ..CallEnv::new(&files, Path::new("."), &request.limits) };
    let scope = Scope { names: &names, functions: &functions, env: &env };
    evaluate(expression, &scope, diagnostics)
}

/// Returns the type of a variable; `None` if it has an error, which is reported.
fn type_constraint(
    attribute: &Attribute,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Option<TypeConstraint> {
    let mut found = Diagnostics::new();
    let constraint = strict_type_constraint(&attribute.reference(), &mut found);
    if !found.has_errors()
        && is_open(&constraint.ty)
        && let Some(detail) = rules.lacks(OPEN_TYPES, "`any` and `optional(…)` in the type of a variable")
    {
        found.push(
            Diagnostic::error(ids::INVALID_TYPE, detail).at(attribute.source(), attribute.value_span()),
        );
    }
    let failed = found.has_errors();
    diagnostics.extend(found);
    (!failed).then_some(constraint)
}

/// Whether the type contains `any` or an optional attribute.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::Bool | Type::Number | Type::String => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => is_open(element),
        Type::Tuple(elements) => elements.iter().any(is_open),
        Type::Object(object) => {
            object.attributes().iter().any(|(name, ty)| object.is_optional(name) || is_open(ty))
        }
    }
}

fn validation(block: &Block, variable: &str, diagnostics: &mut Diagnostics) -> Option<Validation> {
    let content = block.body.content(&VALIDATION, diagnostics);
    let message = content.attribute("error_message").and_then(|attribute| {
        let message = string_of(Some(attribute), diagnostics)?;
        if !looks_like_a_sentence(&message) {
            let detail = "The message of a validation must be a whole sentence: it begins with a capital letter and \
                          ends with a full stop, a question mark or an exclamation mark.";
            let diagnostic =
                Diagnostic::error(ids::INVALID_ERROR_MESSAGE, detail).titled(titles::INVALID_VALIDATION_ERROR_MESSAGE);
            diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
        Some(message)
    });
    let attribute = content.attribute("condition")?;
    let condition = attribute.expression(diagnostics);
    let (mut refers_to_it, mut refers_to_more) = (false, false);
    for reference in references(&condition) {
        if is_variable(&reference, variable) {
            refers_to_it = true;
            continue;
        }
        refers_to_more = true;
        let detail =
            format!("The condition for the variable \"{variable}\" can refer only to `var.{variable}`.");
        diagnostics.push(
            Diagnostic::error(ids::INVALID_VALIDATION_REFERENCE, detail)
                .at(condition.source(), reference.span),
        );
    }
    if !refers_to_it {
        let detail = format!("The condition must refer to `var.{variable}`, but it does not.");
        diagnostics.push(
            Diagnostic::error(ids::CONSTANT_CONDITION, detail)
                .titled(titles::INVALID_VARIABLE_VALIDATION_CONDITION)
                .at(attribute.source(), attribute.value_span()),
        );
    }
    // A name that the condition must not use has no value either.
    if refers_to_more {
        return None;
    }
    let declaration = block.declaration();
    Some(Validation { declaration, condition, message: message.unwrap_or_default() })
}

/// Whether the text begins and ends like a sentence. Scripts without capital letters are accepted as well.
fn looks_like_a_sentence(text: &str) -> bool {
    let text = text.trim();
    let begins = text.chars().next().is_some_and(|first| !first.is_alphabetic() || first.is_uppercase());
    begins && text.ends_with(['.', '?', '!'])
}
