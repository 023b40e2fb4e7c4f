//! Variables and the values that defaults, inputs and module calls give for them.

use terrane_config::Address;
use terrane_module::inputs::{InputAssignment, InputSource};
use terrane_module::module::{ModuleCall, Variable, WrittenDefault};
use terrane_source::{Span, Subject};
use terrane_value::{Marks, SmolStr, Value};

use crate::written_parts::WrittenPart;

/// A `variable` block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeclaredVariable {
    /// The address, without instance keys of modules.
    pub address: Address,
    /// The name.
    pub name: SmolStr,
    /// The type constraint as text, such as `list(string)`.
    pub constraint: String,
    /// The description.
    pub description: Option<String>,
    /// The default, converted to the type; marked if the variable is sensitive or ephemeral.
    pub default: Option<Value>,
    /// Whether null is a value.
    pub nullable: bool,
    /// Whether the value is sensitive.
    pub sensitive: bool,
    /// Whether the value is ephemeral: it must not be stored.
    pub ephemeral: bool,
    /// The message of `deprecated`.
    pub deprecated: Option<String>,
    /// For a variable of the root module, its defaults and the values of [all inputs](AssignmentSource), lowest precedence
    /// first. Only the last one counts.
    pub assignments: Vec<VariableAssignment>,
    /// The place of the block.
    pub declaration: Subject,
}

impl DeclaredVariable {
    /// Returns the marks of the values of the variable.
    pub(super) fn marks(&self) -> Marks {
        if self.sensitive || self.ephemeral { Marks::sensitive() } else { Marks::NONE }
    }
}

/// A value for a variable: of the root module, from a default, the environment, a variable file, an option or the calling program;
/// of a called module, from a default or the module call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VariableAssignment {
    /// The name of the variable.
    pub name: SmolStr,
    /// The kind of source.
    pub source: AssignmentSource,
    /// The value before conversion to the type of the variable, marked if the variable is sensitive or ephemeral. `None` if the
    /// value cannot be parsed, or is for an undeclared variable, whose name may be a misspelt name of a secret.
    pub value: Option<Value>,
    /// Whether this value becomes the value of the variable.
    pub wins: bool,
    /// The name and the value in a variable file or of an argument, or the value of a default.
    pub place: Option<Subject>,
}

/// The kind of source of a value for a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AssignmentSource {
    /// The `default` of the block or of an override file.
    Default,
    /// The environment, a variable file, an option or the calling program.
    Input(InputSource),
    /// The argument of the module call. If the argument is null in an instance, the default may count there.
    Argument,
}

impl AssignmentSource {
    /// Returns the name: `default`, or the name of the [input](InputSource::name).
    pub const fn name(self) -> &'static str {
        match self {
            AssignmentSource::Default => "default",
            AssignmentSource::Input(source) => source.name(),
            AssignmentSource::Argument => "argument",
        }
    }
}

impl VariableAssignment {
    pub(super) fn of(given: &InputAssignment, variable: Option<&Variable>) -> VariableAssignment {
        let place = match (&given.name_place, given.place()) {
            (Some(name), value) => {
                let end = value.map_or(name.span, |value| value.span);
                // In JSON, the property begins with the quote before the name.
                let start = name.span.start.saturating_sub(u32::from(name.file.id().is_json()));
                Some(Subject { file: name.file.clone(), span: Span::new(start, name.span.to(end).end) })
            }
            (None, value) => value,
        };
        VariableAssignment {
            name: given.name.clone(),
            source: AssignmentSource::Input(given.source),
            value: variable.and_then(|variable| given.value(Some(variable))),
            wins: given.wins && variable.is_some(),
            place,
        }
    }

    /// Returns the argument of a call for a variable of the called module, if the call has one.
    pub(super) fn argument(call: &ModuleCall, declared: &DeclaredVariable) -> Option<VariableAssignment> {
        let (name_span, value) = call.arguments.get(&declared.name)?;
        Some(VariableAssignment {
            name: declared.name.clone(),
            source: AssignmentSource::Argument,
            value: None,
            wins: true,
            place: Some(WrittenPart::argument(&declared.name, *name_span, value).place),
        })
    }

    /// Returns the defaults of a variable, those of duplicates first. Unless another value `is_given`, the last one counts. In the
    /// root module they have their values.
    pub(super) fn defaults(
        row: &DeclaredVariable,
        declared: &Variable,
        is_given: bool,
    ) -> Vec<VariableAssignment> {
        let marks = row.marks();
        let (winner, others) = match declared.written_defaults.split_last() {
            Some((winner, others)) => (Some(winner), others),
            None => (None, &[][..]),
        };
        let losing = declared.duplicate_defaults.iter().chain(others).map(|written| {
            let value = written.value.as_ref().map(|value| value.clone().with_marks(&marks));
            (written, value, false)
        });
        let winning = winner.map(|written| (written, row.default.clone(), !is_given));
        let assignment =
            |(written, value, wins): (&WrittenDefault, Option<Value>, bool)| VariableAssignment {
                name: row.name.clone(),
                source: AssignmentSource::Default,
                value: value.filter(|_| row.address.module.is_root()),
                wins,
                place: Some(written.place.clone()),
            };
        losing.chain(winning).map(assignment).collect()
    }
}
