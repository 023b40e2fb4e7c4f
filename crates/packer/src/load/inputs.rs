//! The values of a template's variables: from the environment, variable files, the command line and the calling program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;
use terrane_body::constant::constant;
use terrane_body::{Attribute, Body, BodySchema, SourceReader};
use terrane_config::damaged_values::{DamagedFile, DamagedValues};
use terrane_config::{Assignment, InputValue};
use terrane_function::conversion::{ConversionError, convert};
use terrane_function::{Limits, Meter};
use terrane_source::{Diagnostic, Diagnostics, FileId, Files, SourceFile, Span, Subject, ids, titles};
use terrane_syntax::tree::Item;
use terrane_syntax::{Expression, parse_expr};
use terrane_value::{ClosestNames, SmolStr, Type, Value, ValueError};

use crate::decode::parse::{ParsedValues, parse_variables};
use crate::load::files::{self, AUTOMATIC};
use crate::model::request::TemplateRequest;
use crate::model::template::{AssignedValue, Template, ValueSource, Variable};

/// The prefix of environment variables that set variables.
const ENVIRONMENT_PREFIX: &str = "PKR_VAR_";

static DECLARATIONS: LazyLock<BodySchema> = LazyLock::new(|| BodySchema::new().block("variable", &["name"]));

/// The values that are given for variables, without defaults.
#[derive(Clone, Default, Debug)]
pub struct TemplateInputs {
    /// The values of each variable. The last value counts.
    values: IndexMap<SmolStr, Vec<AssignedValue>>,
    /// The variable files that could not be read in full.
    damaged: Vec<DamagedFile>,
}

impl TemplateInputs {
    /// Returns the variable files that could not be read in full.
    pub(crate) fn damaged(&self) -> &[DamagedFile] {
        &self.damaged
    }

    /// Returns the value given for the variable `name` that takes effect.
    pub fn get(&self, name: &str) -> Option<&AssignedValue> {
        self.all(name).last()
    }

    /// Returns the values given for the variable `name`, lowest precedence first.
    pub fn all(&self, name: &str) -> &[AssignedValue] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Collects the values of the variables, later sources over earlier ones: the environment, variable files in the native
/// syntax, variable files in JSON, and `-var` and values of the calling program in their order. For each syntax, the automatic files come first,
/// and then the files of `-var-file` in order.
pub(crate) fn collect(
    template: &Template,
    request: &TemplateRequest,
    files: &dyn Files,
    diagnostics: &mut Diagnostics,
) -> TemplateInputs {
    let mut collector = InputCollector {
        template,
        warn_undeclared: request.warn_undeclared,
        inputs: TemplateInputs::default(),
        limits: &request.limits,
        meter: Meter::default(),
        closest_names: ClosestNames::default(),
        diagnostics,
    };
    for (name, text) in &request.inputs.environment {
        let Some(name) = name.strip_prefix(ENVIRONMENT_PREFIX) else { continue };
        if let Some((name, variable)) = template.variables.get_key_value(name) {
            collector.text(name, variable, ValueSource::Environment, text);
        }
    }
    let automatic = files::find(&request.path, &AUTOMATIC, files, collector.diagnostics);
    let named = request.inputs.assignments.iter().filter_map(|assignment| match assignment {
        Assignment::File(path) => Some(path),
        Assignment::Variable(..) | Assignment::Value(_) => None,
    });
    let mut paths: Vec<&PathBuf> = automatic.iter().chain(named).collect();
    paths.sort_by_key(|path| path.extension().is_some_and(|ending| ending == "json"));
    let sources = SourceReader::new(files, &request.limits);
    for path in paths {
        collector.file(path, &sources);
    }
    for assignment in &request.inputs.assignments {
        match assignment {
            Assignment::Variable(name, text) => match template.variables.get_key_value(name.as_str()) {
                Some((name, variable)) => collector.text(name, variable, ValueSource::Option, text),
                None => collector.undeclared_option(name),
            },
            Assignment::Value(given) => collector.value(given),
            Assignment::File(_) => {}
        }
    }
    collector.inputs
}

struct InputCollector<'c> {
    template: &'c Template,
    warn_undeclared: bool,
    inputs: TemplateInputs,
    limits: &'c Limits,
    /// Counts the conversions of values.
    meter: Meter,
    /// The searches for the variables that undeclared names mean.
    closest_names: ClosestNames,
    diagnostics: &'c mut Diagnostics,
}

/// Returns the error about a value that does not fit the type of its variable.
fn mismatch(name: &SmolStr, variable: &Variable, given: &AssignedValue, error: &ValueError) -> Diagnostic {
    // The path to a wrong element may contain keys, which are parts of a secret.
    let reason = if variable.sensitive { error.message.clone() } else { error.to_string() };
    let detail = format!(
        "The value for the variable \"{name}\" {} does not fit its type, `{}`: {reason}.",
        match &given.source {
            ValueSource::Default => "in its declaration".to_owned(),
            ValueSource::Environment => format!("in the environment variable {ENVIRONMENT_PREFIX}{name}"),
            ValueSource::File => "in a variable file".to_owned(),
            ValueSource::Option => format!("in the option -var {name}=…"),
            ValueSource::Caller(origin) => format!("from {origin}"),
        },
        variable.constraint.ty
    );
    let title = match given.source {
        ValueSource::Option => titles::INVALID_ARGUMENT_VALUE_FOR_VAR_VARIABLE,
        ValueSource::Default | ValueSource::Environment | ValueSource::File | ValueSource::Caller(_) => {
            titles::INVALID_VALUE_FOR_VARIABLE
        }
    };
    Diagnostic::error(ids::INVALID_INPUT, detail).titled(title)
}

impl InputCollector<'_> {
    /// Adds a value that is text outside a file.
    fn text(&mut self, name: &SmolStr, variable: &Variable, origin: ValueSource, text: &str) {
        let mut found = Diagnostics::new();
        let value = if matches!(variable.constraint.ty, Type::String | Type::Number | Type::Dynamic) {
            Some(Value::from(text))
        } else {
            let place = if origin == ValueSource::Option { "arguments" } else { "env" };
            let source = SourceFile::new(FileId::new(format!("<value for var.{name} from {place}>")), text);
            let parsed = parse_expr(&source);
            found.extend(parsed.diagnostics);
            let expression = Expression { tree: parsed.tree, id: parsed.root };
            if found.has_errors() { None } else { constant(&expression, &mut found) }
        };
        if variable.sensitive {
            // The text of the value would be shown as the source.
            found = found.into_iter().map(|found| without_text(found.about_secret(name))).collect();
        }
        self.diagnostics.extend(found);
        if let Some(value) = value {
            self.add(name, variable, AssignedValue { value, source: origin, position: None });
        }
    }

    /// Adds a value of the calling program.
    fn value(&mut self, given: &InputValue) {
        let InputValue { name, value, origin, place } = given;
        let Some((name, variable)) = self.template.variables.get_key_value(name.as_str()) else {
            let detail = format!(
                "A value for \"{name}\" is given by {origin}, but the template declares no such variable. Remove the \
                 value, or declare it with a block `variable \"{name}\" {{}}`."
            );
            let diagnostic =
                Diagnostic::error(ids::UNDECLARED_VALUE, detail).titled(titles::UNDEFINED_VARIABLE);
            let diagnostic = match place {
                Some(place) => diagnostic.at(&place.file, place.span),
                None => diagnostic,
            };
            return self.push_with_nearest(diagnostic, name);
        };
        let position = place.as_ref().map(|place| (Arc::clone(&place.file), place.span));
        let source = ValueSource::Caller(SmolStr::from(origin.as_str()));
        self.add(name, variable, AssignedValue { value: value.clone(), source, position });
    }

    fn file(&mut self, path: &Path, sources: &SourceReader<'_>) {
        let text = path.to_string_lossy();
        if !text.ends_with(".hcl") && !text.ends_with(".json") {
            let detail =
                format!("The name of a variable file must end in `.hcl` or `.json`, but {text} does not.");
            let diagnostic = Diagnostic::error(ids::UNKNOWN_FILE_TYPE, detail);
            self.diagnostics.push(diagnostic.titled(titles::unknown_file_format(&text)));
            return;
        }
        let source = match sources.read(path) {
            Ok(source) => source,
            Err(diagnostic) => return self.unreadable(path, *diagnostic),
        };
        let ParsedValues { body, diagnostics: found, damaged } = parse_variables(&source);
        let damaged_file = DamagedFile::of(source.id(), &found);
        let hide = self.template.has_secret_variables();
        if hide {
            self.hide_values(&body);
        }
        self.diagnostics
            .extend(found.into_iter().map(|found| if hide { without_text(found) } else { found }));
        if let Some(file) = damaged_file {
            self.inputs.damaged.push(file);
            self.damaged_values(&body, &damaged, hide);
            return;
        }
        let (declarations, _) = body.partial_content(&DECLARATIONS, &mut Diagnostics::new());
        if !body.is_json() && !declarations.blocks.is_empty() {
            for block in &declarations.blocks {
                let name = block.label(0).text;
                let detail = format!(
                    "A variable file gives values to variables that a template declares. Move the declaration to a \
                     `.pkr.hcl` file, or write `{name} = …` here."
                );
                self.diagnostics.push(
                    Diagnostic::error(ids::DECLARATION_IN_VALUES, detail)
                        .titled(titles::VARIABLE_DECLARATION_IN_A_PKRVAR_FILE)
                        .at(body.source(), block.type_span),
                );
            }
            return;
        }
        let content = body.just_attributes(self.diagnostics);
        for (name, attribute) in &content.attributes {
            let Some((name, variable)) = self.template.variables.get_key_value(name) else {
                self.undeclared(name, attribute, hide);
                continue;
            };
            let mut found = Diagnostics::new();
            let value = constant(&attribute.literal(), &mut found);
            if variable.sensitive {
                found = found.into_iter().map(|found| without_text(found.about_secret(name))).collect();
            }
            self.diagnostics.extend(found);
            if let Some(value) = value {
                let position = Some((Arc::clone(attribute.source()), attribute.value_span()));
                self.add(name, variable, AssignedValue { value, source: ValueSource::File, position });
            }
        }
    }

    /// Hides the values in excerpts that are, or under a misspelt name may be, those of sensitive variables.
    fn hide_values(&self, body: &Body) {
        let content = body.just_attributes(&mut Diagnostics::new());
        for (name, attribute) in &content.attributes {
            if self.template.variables.get(name).is_none_or(|variable| variable.sensitive) {
                attribute.source().hide(attribute.value_span());
            }
        }
        // A block may be a value whose equals sign is missing.
        let Some((tree, root)) = body.as_native() else { return };
        for item in tree.list(tree.body(root).items) {
            if let Item::Block(id) = item {
                let block = tree.block(*id);
                tree.source().hide(Span::new(block.block_type.end, block.close_end));
            }
        }
    }

    /// Reports a file that cannot be read. All variables are unknown, because it may contain their values.
    fn unreadable(&mut self, path: &Path, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.inputs.damaged.push(DamagedFile { file: FileId::new(path), syntax_errors: 0 });
        self.template.variables.iter().for_each(|(name, variable)| self.add(name, variable, unknown()));
    }

    /// Adds the values of a file with syntax errors: values touched by an error are unknown, and so are all other
    /// variables if unreadable text may contain their values. `hide` says whether the template has sensitive variables.
    fn damaged_values(&mut self, body: &Body, damaged: &DamagedValues, hide: bool) {
        let content = body.just_attributes(&mut Diagnostics::new());
        for (name, attribute) in &content.attributes {
            let item = attribute.name_span.to(attribute.value_span());
            let is_sound = !damaged.touches(name, item) && !damaged.is_beside(attribute.name_span, hide);
            if is_sound && !self.template.variables.contains_key(name) {
                self.undeclared(name, attribute, hide);
            }
        }
        for (name, variable) in &self.template.variables {
            let given = match content.attributes.get(name) {
                None if !damaged.may_set(name) => continue,
                None => unknown(),
                Some(attribute) => {
                    let is_sound = !damaged.touches(name, attribute.name_span.to(attribute.value_span()));
                    let value = constant(&attribute.literal(), &mut Diagnostics::new()).filter(|_| is_sound);
                    let position = Some((Arc::clone(attribute.source()), attribute.value_span()));
                    value.map_or_else(unknown, |value| AssignedValue {
                        value,
                        source: ValueSource::File,
                        position,
                    })
                }
            };
            self.add(name, variable, given);
        }
    }

    /// Converts a value and adds it. It has precedence over earlier ones.
    fn add(&mut self, name: &SmolStr, variable: &Variable, given: AssignedValue) {
        let converted = convert(&variable.constraint, &given.value, self.limits, &self.meter);
        let value = converted.unwrap_or_else(|error| {
            let diagnostic = match error {
                ConversionError::Limit(limit) => {
                    limit.diagnostic(&format!("The value for the variable \"{name}\""))
                }
                ConversionError::Mismatch(error) => mismatch(name, variable, &given, &error),
            };
            self.diagnostics.push(match &given.position {
                Some((file, span)) if !variable.sensitive => diagnostic.at(file, *span),
                Some(_) | None => diagnostic,
            });
            Value::error()
        });
        let value = if variable.has_type_error { Value::error() } else { value };
        self.inputs.values.entry(name.clone()).or_default().push(AssignedValue { value, ..given });
    }

    /// Reports a value in a variable file for an undeclared variable; the file may be shared with other templates.
    /// The name may be the misspelt name of a sensitive variable, whose value would be on the line; `hide` says
    /// whether the template has any.
    fn undeclared(&mut self, name: &str, attribute: &Attribute, hide: bool) {
        if !self.warn_undeclared {
            return;
        }
        let detail = format!(
            "The template declares no variable \"{name}\", so the value is not used. Declare it with a block \
             `variable \"{name}\" {{}}`, or remove the value."
        );
        let diagnostic =
            Diagnostic::warning(ids::UNDECLARED_VALUE, detail).titled(titles::UNDEFINED_VARIABLE);
        let diagnostic = diagnostic.at(attribute.source(), attribute.name_span);
        self.push_with_nearest(if hide { without_text(diagnostic) } else { diagnostic }, name);
    }

    fn push_with_nearest(&mut self, diagnostic: Diagnostic, name: &str) {
        let names = self.template.variables.keys().map(|name| &**name);
        self.diagnostics.push(diagnostic.suggest(name, self.closest_names.of(name, names)));
    }

    fn undeclared_option(&mut self, name: &str) {
        let detail = format!(
            "The option -var gives a value for \"{name}\", but the template declares no such variable. Remove the \
             option, or declare it with a block `variable \"{name}\" {{}}`."
        );
        let diagnostic =
            Diagnostic::error(ids::UNDECLARED_VALUE, detail).titled(titles::UNDEFINED_VAR_VARIABLE);
        self.push_with_nearest(diagnostic, name);
    }
}

/// Returns the value of a variable that unreadable text may set.
fn unknown() -> AssignedValue {
    AssignedValue { value: Value::error(), source: ValueSource::File, position: None }
}

/// Returns the message without text of its file. It keeps its place, in a copy of the file whose text is blank.
fn without_text(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.context = None;
    diagnostic.labels.clear();
    diagnostic.fixes.clear();
    diagnostic.values.clear();
    match diagnostic.subject.take() {
        Some(Subject { file, span }) => diagnostic.at(&file.blank(), span),
        None => diagnostic,
    }
}
