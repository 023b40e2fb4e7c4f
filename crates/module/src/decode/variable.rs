//! Decodes `variable` blocks.

use std::sync::Arc;

use terrane_body::constant::{bool_of, constant, is_secret, string_of};
use terrane_body::{Attribute, Block, Content};
use terrane_eval::type_constraint;
use terrane_function::conversion::ConversionError;
use terrane_source::{Diagnostic, Subject, ids, titles};
use terrane_syntax::Expr;
use terrane_value::{Marks, SmolStr, TypeConstraint, Value};

use crate::decode::decoder::{Decoder, duplicate};
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::ignored;
use crate::model::module::{Check, Variable, WrittenDefault};
use crate::model::reference_rule::ReferenceRule;
use crate::rules::constructs::OPTIONAL_ATTRIBUTES;

/// Names that a variable may not have, because a `module` block has arguments or blocks of these names.
const RESERVED: &[&str] = &[
    "_",
    "count",
    "depends_on",
    "for_each",
    "lifecycle",
    "locals",
    "provider",
    "providers",
    "source",
    "version",
];

/// The subject of a message about a limit.
pub(crate) const TOO_LARGE_DEFAULT: &str = "The default of the variable";

/// A variable with its name and the content of its block.
pub(crate) struct DecodedVariable {
    pub(crate) name: SmolStr,
    pub(crate) variable: Variable,
    pub(crate) content: Content,
}

/// The type of a variable or of an output.
pub(crate) struct ReadType {
    pub(crate) constraint: TypeConstraint,
    /// Whether the argument has an error, which has been reported. Then the constraint is any type.
    pub(crate) has_error: bool,
    /// Whether text for the variable is taken as it is. Text for an unreadable type is, so that nothing else is reported.
    literal_text: bool,
}

impl ReadType {
    fn none() -> ReadType {
        ReadType { constraint: TypeConstraint::ANY, has_error: false, literal_text: true }
    }

    fn broken() -> ReadType {
        ReadType { has_error: true, ..ReadType::none() }
    }

    fn of(constraint: TypeConstraint) -> ReadType {
        ReadType { literal_text: constraint.ty.is_primitive(), constraint, has_error: false }
    }
}

impl Decoder<'_> {
    pub(crate) fn variable(&mut self, block: &Block) {
        let Some(DecodedVariable { name, variable, .. }) = self.variable_block(block) else { return };
        if let Some(earlier) = self.module.variables.get_mut(&name) {
            let (id, declared) = (ids::DUPLICATE_VARIABLE, &variable.declaration);
            self.diagnostics.push(duplicate(id, "variable", &name, &earlier.declaration, declared));
            // Either declaration may be the one that is meant.
            earlier.sensitive |= variable.sensitive;
            earlier.ephemeral |= variable.ephemeral;
            earlier.duplicate_defaults.extend(variable.written_defaults);
            return;
        }
        self.module.variables.insert(name, variable);
    }

    /// Reports a name that variables cannot have, because arguments of module calls have it. Returns whether the name is refused.
    fn refuse_reserved(&mut self, name: &str, place: &Subject) -> bool {
        if !RESERVED.contains(&name) {
            return false;
        }
        let detail = format!(
            "The name \"{name}\" is reserved, because `module` blocks have an argument or a block of that name."
        );
        self.diagnostics
            .push(Diagnostic::error(ids::INVALID_VARIABLE_NAME, detail).at(&place.file, place.span));
        // An override file declares nothing.
        if !self.overriding {
            self.hide(DeclarationKind::Variable, &[name]);
        }
        true
    }

    /// The variable of a block; none without a valid name.
    pub(crate) fn variable_block(&mut self, block: &Block) -> Option<DecodedVariable> {
        let name = block.label(0);
        let place = block.place_of(&name);
        let content = self.content(&block.body, "variable", schema::variable());
        if !self.check_name(&name.text, ids::INVALID_VARIABLE_NAME, &place) {
            self.hide(DeclarationKind::Variable, &[&*name.text]);
            return None;
        }
        if self.refuse_reserved(&name.text, &place) {
            return None;
        }
        let declaration = block.declaration();
        let ReadType { constraint, has_error: has_type_error, literal_text } =
            self.variable_type(content.attribute("type"));
        // One that is wrong counts as false, as in the references.
        let nullable = content.attribute("nullable");
        let nullable = nullable.is_none_or(|_| bool_of(nullable, self.diagnostics).unwrap_or(false));
        let is_doubtful = self.module.secrets.has_doubtful_variable(&name.text);
        let has_type_error = has_type_error || is_doubtful;
        let declared_sensitive = is_secret(&content, "sensitive", self.diagnostics);
        let sensitive = declared_sensitive || is_doubtful;
        let ephemeral = is_secret(&content, "ephemeral", self.diagnostics);
        let is_secret = sensitive || ephemeral || self.module.secrets.has_variable(&name.text);
        let default = self.default_value(&content, &constraint, nullable, is_secret);
        let written_default = content.attribute("default");
        let written_default = written_default
            .map(|default| Subject { file: Arc::clone(default.source()), span: default.value_span() });
        let marks = if sensitive || ephemeral { Marks::sensitive() } else { Marks::NONE };
        let written_default = written_default.map(|place| WrittenDefault {
            place,
            value: default.clone().map(|value| value.with_marks(&marks)),
        });
        let variable = Variable {
            declaration,
            written_defaults: written_default.into_iter().collect(),
            duplicate_defaults: Vec::new(),
            constraint,
            has_type_error,
            written_type: content.attribute("type").map(Attribute::reference),
            literal_text,
            default_expression: content.attribute("default").map(Attribute::literal),
            default: default.map(|value| if has_type_error { Value::error() } else { value }.into()),
            sensitive,
            is_doubtful_secret: is_doubtful && !declared_sensitive,
            ephemeral,
            nullable,
            deprecated: self.deprecated(&content),
            constant: bool_of(content.attribute("const"), self.diagnostics),
            description: string_of(content.attribute("description"), self.diagnostics),
            validations: self.validations(&content, &name.text),
        };
        self.constant_can_be_shown(&variable);
        Some(DecodedVariable { name: name.text, variable, content })
    }

    /// The conditions of a variable. Each must refer to the variable itself.
    fn validations(&mut self, content: &Content, name: &SmolStr) -> Vec<Check> {
        let validations = self.conditions(content, "validation");
        if !validations.is_empty() {
            let (variable, conditions) = (name.clone(), validations.clone());
            self.leave_to_resolution(ReferenceRule::Validations { variable, conditions });
        }
        validations
    }

    /// A constant variable is shown and stored, so it cannot be sensitive or ephemeral. OpenTofu reports that at its use.
    fn constant_can_be_shown(&mut self, variable: &Variable) {
        let (kind, title) = match (variable.sensitive, variable.ephemeral) {
            (true, _) => ("sensitive", titles::CONST_VARIABLE_CANNOT_BE_SENSITIVE),
            (false, true) => ("ephemeral", titles::CONST_VARIABLE_CANNOT_BE_EPHEMERAL),
            (false, false) => return,
        };
        if self.rules.const_variables_must_be_plain && variable.constant == Some(true) {
            let detail = format!("A variable with `const = true` cannot be {kind}.");
            let diagnostic = Diagnostic::error(ids::NOT_CONSTANT, detail).titled(title);
            let Subject { file, span } = &variable.declaration;
            self.diagnostics.push(diagnostic.at(file, *span));
        }
    }

    pub(crate) fn variable_type(&mut self, attribute: Option<&Attribute>) -> ReadType {
        let Some(attribute) = attribute else { return ReadType::none() };
        let expression = attribute.reference();
        if matches!(expression.tree.expr(expression.id), Expr::Missing) {
            // In the native syntax the parser has reported the mistake.
            if attribute.is_json() {
                let detail = "In JSON, a type must be a string with a type expression, such as \
                              `\"list(string)\"`, without `${` and `}`.";
                let diagnostic = Diagnostic::error(ids::INVALID_TYPE, detail);
                self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
            }
            return ReadType::broken();
        }
        let errors = self.diagnostics.errors();
        let constraint = type_constraint(&expression, self.diagnostics);
        if let Some(detail) = self.rules.lacks(OPTIONAL_ATTRIBUTES, "An attribute that is optional")
            && constraint.ty != constraint.ty.without_optional()
        {
            let diagnostic = Diagnostic::error(ids::INVALID_TYPE, detail);
            let diagnostic = diagnostic.titled(titles::OPTIONAL_OBJECT_TYPE_ATTRIBUTES_ARE_EXPERIMENTAL);
            self.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
        }
        match self.diagnostics.errors() > errors {
            true => ReadType::broken(),
            false => ReadType::of(constraint),
        }
    }

    /// The converted default. An unusable default is reported and gives an unknown value, so that the variable does
    /// not count as one without a value. No key of a secret default is in a message.
    fn default_value(
        &mut self,
        content: &Content,
        constraint: &TypeConstraint,
        nullable: bool,
        is_secret: bool,
    ) -> Option<Value> {
        let attribute = content.attribute("default")?;
        let Some(value) = constant(&attribute.literal(), self.diagnostics) else {
            return Some(Value::error());
        };
        let reason = if value.is_null() && !nullable {
            "it is null, and the variable is declared with `nullable = false`".to_owned()
        } else {
            match self.sources.default_value(constraint, &value) {
                Ok(value) => {
                    if self.rules.warns_of_dropped_attributes && !is_secret {
                        ignored::check(
                            &attribute.literal(),
                            &constraint.ty,
                            "the variable",
                            self.sources.closest_names(),
                            self.diagnostics,
                        );
                    }
                    return Some(value);
                }
                Err(ConversionError::Limit(limit)) => {
                    let diagnostic = limit.diagnostic(TOO_LARGE_DEFAULT);
                    self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
                    return Some(Value::error());
                }
                // The path to a wrong element may name keys.
                Err(ConversionError::Mismatch(error)) if is_secret => error.message,
                Err(ConversionError::Mismatch(error)) => error.to_string(),
            }
        };
        let detail = format!("The default does not fit the type of the variable: {reason}.");
        let diagnostic = Diagnostic::error(ids::INVALID_DEFAULT, detail);
        self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        Some(Value::error())
    }

    /// The advice of the `deprecated` argument.
    pub(crate) fn deprecated(&mut self, content: &Content) -> Option<String> {
        let attribute = content.attribute("deprecated")?;
        let advice = string_of(Some(attribute), self.diagnostics)?;
        if advice.trim().is_empty() {
            let detail = "The `deprecated` argument is empty. Write a message that names the replacement.";
            let diagnostic = Diagnostic::error(ids::EMPTY_DEPRECATION, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
            return None;
        }
        Some(advice)
    }
}
