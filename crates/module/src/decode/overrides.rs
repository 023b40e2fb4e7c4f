//! Override files: each block is read by itself, then overrides the declarations of the other files.

use std::mem::take;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::{Block, Body, Content, SourceReader};
use terrane_config::address::{InstanceKey, Object, ResourceMode};
use terrane_function::conversion::ConversionError;
use terrane_source::{Diagnostic, Diagnostics, Subject, Title, ids, titles};
use terrane_syntax::Expression;
use terrane_value::{Value, convert};

use crate::decode::block_type::BlockType;
use crate::decode::call::DecodedCall;
use crate::decode::decoder::{Decoder, not_overridable};
use crate::decode::output::DecodedOutput;
use crate::decode::variable::{DecodedVariable, TOO_LARGE_DEFAULT};
use crate::model::declaration_kind::DeclarationKind;
use crate::model::dependency_list;
use crate::model::module::{
    Lifecycle, Local, ModuleCall, Output, OverriddenCall, Overriding, Repetition, Resource, Variable,
    VariableDefault,
};

/// The missing declaration that an override needs.
struct MissingBase<'b> {
    kinds: &'b [DeclarationKind],
    /// The words of the name of the declaration.
    words: &'b [&'b str],
    /// The declaration as messages name it.
    object: String,
}

impl Decoder<'_> {
    /// A block of an override file.
    pub(crate) fn overriding_block(&mut self, block: &Block, tofu: bool) {
        match &*block.block_type {
            "variable" => self.overriding_variable(block),
            "output" => self.overriding_output(block),
            "module" => self.overriding_call(block),
            "resource" | "data" | "ephemeral" | "action" => self.overriding_resource(block),
            "provider" => self.overriding_provider(block),
            "locals" => self.overriding_locals(block),
            "moved" | "import" | "removed" => self.overriding_record(block, tofu),
            "check" | "language" => self.diagnostics.push(not_allowed(block)),
            _ => self.block(block, tofu),
        }
    }

    /// A block about objects of the past, which cannot be there but must be right by itself all the same.
    fn overriding_record(&mut self, block: &Block, tofu: bool) {
        let module = &mut self.module;
        let moves_and_removals = (take(&mut module.moves), take(&mut module.removals));
        let imports = (take(&mut module.imports), take(&mut self.imported));
        self.block(block, tofu);
        (self.module.moves, self.module.removals) = moves_and_removals;
        (self.module.imports, self.imported) = imports;
        // Terraform leaves it out without a word.
        if !(self.rules.overrides.ignore_removed && &*block.block_type == "removed") {
            self.diagnostics.push(not_allowed(block));
        }
    }

    fn overriding_variable(&mut self, block: &Block) {
        let title = titles::MISSING_BASE_VARIABLE_DECLARATION_TO_OVERRIDE;
        // A block without a valid name has no base.
        let Some(DecodedVariable { name, variable: mut over, content }) = self.variable_block(block) else {
            return self.missing_base(title, block);
        };
        over.deprecated = over.deprecated.filter(|_| !self.rules.overrides.ignore_deprecated);
        match self.module.variables.get_mut(&name) {
            Some(base) => {
                self.module.overriding.push(overriding(Object::Variable(name), block));
                lay_over_variable(base, over, &content);
                check_default(base, &block.declaration(), self.sources, self.diagnostics);
            }
            None => self.missing_base(title, block),
        }
    }

    fn overriding_output(&mut self, block: &Block) {
        let DecodedOutput { name, output: mut over, content } = self.output_block(block);
        over.deprecated = over.deprecated.filter(|_| !self.rules.overrides.ignore_deprecated);
        let rejected = self.rejected_dependencies(over.depends_on.as_ref());
        match self.module.outputs.get_mut(&name) {
            Some(base) => {
                self.diagnostics.extend(rejected);
                let replaced = base.value.iter().filter(|_| over.value.is_some()).cloned().collect();
                let overriding = overriding(Object::Output(name), block);
                self.module.overriding.push(Overriding { replaced, ..overriding });
                lay_over_output(base, over, &content);
            }
            None => {
                self.missing_base(titles::MISSING_BASE_OUTPUT_DEFINITION_TO_OVERRIDE, block);
            }
        }
    }

    fn overriding_call(&mut self, block: &Block) {
        let DecodedCall { name, call: over, content } = self.call_block(block);
        let rejected = self.rejected_dependencies(over.depends_on.as_ref());
        match self.module.calls.get_mut(&name) {
            Some(base) => {
                self.diagnostics.extend(rejected);
                let replaced = base.arguments.iter().filter(|(name, _)| over.arguments.contains_key(*name));
                let arguments = replaced.map(|(name, value)| (name.clone(), value.clone())).collect();
                let replaced = replaced_repetition(&base.repetition, &over.repetition);
                self.module.overriding.push(Overriding {
                    replaced: replaced.cloned().into_iter().collect(),
                    arguments,
                    ..overriding(Object::ModuleCall(name, InstanceKey::None), block)
                });
                lay_over_call(base, over, &content);
            }
            None => self.missing_base(titles::MISSING_MODULE_CALL_TO_OVERRIDE, block),
        }
    }

    fn overriding_resource(&mut self, block: &Block) {
        let (key, over) = match &*block.block_type {
            "action" => self.action_block(block),
            _ => self.resource_block(block),
        };
        let rejected = self.rejected_dependencies(over.depends_on.as_ref());
        // Terraform looks no further at it.
        if key.mode == ResourceMode::Ephemeral && self.rules.overrides.ignore_ephemeral {
            return;
        }
        match self.module.resources.get_mut(&key) {
            Some(base) => {
                self.diagnostics.extend(rejected);
                let repetition = replaced_repetition(&base.repetition, &over.repetition);
                let object = key.object(InstanceKey::None);
                self.module.overriding.push(Overriding {
                    replaced: repetition.cloned().into_iter().collect(),
                    bodies: bodies(&base.config, &over.config),
                    ..overriding(object, block)
                });
                lay_over_resource(base, over);
            }
            None => {
                let title = match &*block.block_type {
                    "data" => titles::MISSING_DATA_RESOURCE_TO_OVERRIDE,
                    "ephemeral" => titles::MISSING_EPHEMERAL_RESOURCE_TO_OVERRIDE,
                    _ => titles::MISSING_RESOURCE_TO_OVERRIDE,
                };
                self.missing_base(title, block);
            }
        }
    }

    /// A provider without an alias is configured even where there is no block: by nothing.
    fn overriding_provider(&mut self, block: &Block) {
        let Some((key, over)) = self.provider_block(block) else { return };
        match self.module.providers.get_mut(&key) {
            Some(base) => {
                let bodies = bodies(&base.config, &over.config);
                let overriding = overriding(Object::Provider(key), block);
                self.module.overriding.push(Overriding { bodies, ..overriding });
                base.config.override_with(over.config);
                base.configured |= over.configured;
                base.version = over.version.or(base.version.take());
            }
            None if over.alias.is_none() => {
                self.module.providers.insert(key, over);
            }
            None => {
                let title = titles::MISSING_BASE_PROVIDER_CONFIGURATION_FOR_OVERRIDE;
                let object = format!("provider configuration `{key}`");
                let alias = over.alias.as_deref().unwrap_or_default();
                let base =
                    MissingBase { kinds: &[DeclarationKind::Provider], words: &[&over.name, alias], object };
                self.missing(title, &base, &over.declaration);
            }
        }
    }

    fn overriding_locals(&mut self, block: &Block) {
        for (name, attribute) in block.body.just_attributes(self.diagnostics).attributes {
            let value = attribute.expression(self.diagnostics);
            let declaration = Subject { file: Arc::clone(attribute.source()), span: attribute.span };
            match self.module.locals.get_mut(&name) {
                Some(local) => {
                    let replaced =
                        std::mem::replace(local, Local { declaration, value, is_name_only: false });
                    self.module.overriding.push(Overriding {
                        replaced: vec![replaced.value],
                        ..overriding_at(Object::Local(name), replaced.declaration)
                    });
                }
                None => {
                    let title = titles::MISSING_BASE_LOCAL_VALUE_DEFINITION_TO_OVERRIDE;
                    let object = format!("local value \"{name}\"");
                    let base = MissingBase { kinds: &[DeclarationKind::Local], words: &[&name], object };
                    self.missing(title, &base, &declaration);
                }
            }
        }
    }

    /// The mistake of a `depends_on` where there is a base: an empty one overrides nothing, any other cannot.
    /// A value other than a list is an error of its own.
    fn rejected_dependencies(&mut self, dependencies: Option<&Expression>) -> Option<Diagnostic> {
        let value = dependencies?;
        let items = match dependency_list::items(value) {
            Ok(items) => items,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        let detail = "`depends_on` cannot be overridden. Change it in the file of the block itself.";
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_OVERRIDE, detail);
        (!items.is_empty()).then(|| diagnostic.at(value.source(), value.span()))
    }

    fn missing_base(&mut self, title: Title, block: &Block) {
        let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
        let quoted: Vec<String> = labels.iter().map(|label| format!("\"{label}\"")).collect();
        let object = format!("`{} {}`", block.block_type, quoted.join(" "));
        let kinds = BlockType::named(&block.block_type).and_then(BlockType::kinds).unwrap_or_default();
        self.missing(title, &MissingBase { kinds, words: &labels, object }, &block.declaration());
    }

    /// Reports an override without a base, unless text that cannot be read may declare the base.
    fn missing(&mut self, title: Title, base: &MissingBase<'_>, place: &Subject) {
        let MissingBase { kinds, words, object } = base;
        if kinds.iter().any(|kind| self.module.doubt.hides_words(*kind, words)) {
            return;
        }
        let detail = format!(
            "An override file changes declarations of other files, but there is no {object} to override. \
             Correct the name, or declare it in a file that is not an override file."
        );
        let diagnostic = Diagnostic::error(ids::MISSING_BASE, detail).titled(title);
        self.diagnostics.push(diagnostic.at(&place.file, place.span));
    }
}

/// The defaults of optional attributes stay those of the base, as in the references.
fn lay_over_variable(base: &mut Variable, over: Variable, content: &Content) {
    let is_set = |name: &str| content.attribute(name).is_some();
    if is_set("type") {
        base.constraint.ty = over.constraint.ty;
        base.literal_text = over.literal_text;
        base.has_type_error |= over.has_type_error;
    }
    base.default = over.default.or(base.default.take());
    base.default_expression = over.default_expression.or(base.default_expression.take());
    if is_set("sensitive") {
        base.sensitive = over.sensitive;
    }
    if is_set("ephemeral") {
        base.ephemeral = over.ephemeral;
    }
    if is_set("nullable") {
        base.nullable = over.nullable;
    }
    base.deprecated = over.deprecated.or(base.deprecated.take());
    base.constant = over.constant.or(base.constant);
    base.description = over.description.or(base.description.take());
    base.written_defaults.extend(over.written_defaults);
}

/// Converts the default of a variable that was overridden to the type that it has now. It was converted before, to each type
/// that it had.
fn check_default(
    variable: &mut Variable,
    place: &Subject,
    sources: &SourceReader<'_>,
    diagnostics: &mut Diagnostics,
) {
    // An unreadable type says nothing about the default.
    if variable.has_type_error {
        variable.default.iter_mut().for_each(|default| *default = Value::error().into());
        return;
    }
    let is_secret = variable.is_secret();
    let Some(default) = &mut variable.default else { return };
    let reason = match convert(&default.for_null, &variable.constraint.ty) {
        Ok(value) if value.is_null() && !variable.nullable => {
            "it is null, and the variable is declared with `nullable = false`".to_owned()
        }
        Ok(value) => {
            let filled = match sources.default_value(&variable.constraint, &value) {
                Ok(filled) => filled,
                Err(ConversionError::Mismatch(_)) => value.clone(),
                Err(ConversionError::Limit(limit)) => {
                    diagnostics.push(limit.diagnostic(TOO_LARGE_DEFAULT).at(&place.file, place.span));
                    *default = Value::error().into();
                    return;
                }
            };
            *default = VariableDefault { value: filled, for_null: value };
            return;
        }
        // The path to a wrong element may name keys.
        Err(error) if is_secret => error.message,
        Err(error) => error.to_string(),
    };
    let detail = format!("With this override, the default does not fit the variable: {reason}.");
    let diagnostic = Diagnostic::error(ids::INVALID_DEFAULT, detail);
    diagnostics.push(diagnostic.at(&place.file, place.span));
    *default = Value::error().into();
}

fn lay_over_output(base: &mut Output, over: Output, content: &Content) {
    let is_set = |name: &str| content.attribute(name).is_some();
    base.value = over.value.or(base.value.take());
    base.constraint = over.constraint.or(base.constraint.take());
    base.has_type_error |= over.has_type_error;
    if is_set("sensitive") {
        base.sensitive = over.sensitive;
    }
    if is_set("ephemeral") {
        base.ephemeral = over.ephemeral;
    }
    base.deprecated = over.deprecated.or(base.deprecated.take());
    base.description = over.description.or(base.description.take());
}

fn lay_over_call(base: &mut ModuleCall, over: ModuleCall, content: &Content) {
    let own = || base.arguments.keys().cloned().collect();
    base.overridden.get_or_insert_with(|| OverriddenCall { own: own() });
    for (name, value) in &over.arguments {
        base.arguments.insert(name.clone(), value.clone());
    }
    base.config.override_with(over.config);
    if content.attribute("source").is_some() {
        base.source = over.source;
    }
    base.version = over.version.or(base.version.take());
    lay_over_repetition(&mut base.repetition, over.repetition);
    if !over.providers.is_empty() {
        base.providers = over.providers;
    }
    base.ignores_nested_deprecations |= over.ignores_nested_deprecations;
}

/// A block that overrides an object and replaces nothing yet.
fn overriding(object: Object, block: &Block) -> Overriding {
    overriding_at(object, block.declaration())
}

fn overriding_at(object: Object, declaration: Subject) -> Overriding {
    Overriding { object, declaration, replaced: Vec::new(), arguments: IndexMap::new(), bodies: Vec::new() }
}

/// The content that an override adds, after that of the block if it is the first override of it.
fn bodies(base: &Body, over: &Body) -> Vec<Body> {
    let own = (!base.is_overridden()).then(|| base.clone());
    own.into_iter().chain([over.clone()]).collect()
}

/// The `count` or `for_each` that is replaced by another one.
fn replaced_repetition<'b>(base: &'b Repetition, over: &Repetition) -> Option<&'b Expression> {
    base.expression().filter(|_| over.expression().is_some())
}

/// `count` counts before `for_each`, and that before `enabled`, which an override file does not change.
fn lay_over_repetition(base: &mut Repetition, over: Repetition) {
    match (&base, &over) {
        (_, Repetition::Once | Repetition::Enabled(_)) | (Repetition::Count(_), Repetition::ForEach(_)) => {}
        (_, Repetition::Count(_) | Repetition::ForEach(_)) => *base = over,
    }
}

fn lay_over_resource(base: &mut Resource, over: Resource) {
    lay_over_repetition(&mut base.repetition, over.repetition);
    base.provider = over.provider.or(base.provider.take());
    base.config.override_with(over.config);
    base.connection = over.connection.or(base.connection.take());
    if !over.provisioners.is_empty() {
        base.provisioners = over.provisioners;
    }
    match (&mut base.written_lifecycle, over.written_lifecycle) {
        (Some(own), Some(over)) => own.override_with(*over),
        (own, over) => *own = own.take().or(over),
    }
    // `replace_triggered_by` stays as it is.
    let Lifecycle { prevent_destroy, destroy, ignored, action_triggers, .. } = over.lifecycle;
    let rules = &mut base.lifecycle;
    rules.create_before_destroy = over.lifecycle.create_before_destroy.or(rules.create_before_destroy);
    rules.destroy = destroy.or(rules.destroy.take());
    rules.prevent_destroy = prevent_destroy.or(rules.prevent_destroy.take());
    if !ignored.is_empty() {
        rules.ignored = ignored;
    }
    rules.ignores_all |= over.lifecycle.ignores_all;
    if !action_triggers.is_empty() {
        rules.action_triggers = action_triggers;
    }
}

fn not_allowed(block: &Block) -> Diagnostic {
    let title = match &*block.block_type {
        "moved" => titles::CANNOT_OVERRIDE_MOVED_BLOCKS,
        "import" => titles::CANNOT_OVERRIDE_IMPORT_BLOCKS,
        "removed" => titles::CANNOT_OVERRIDE_REMOVED_BLOCKS,
        "language" => titles::LANGUAGE_SELECTIONS_IN_OVERRIDE_FILE,
        _ => return not_overridable(block),
    };
    let detail = format!(
        "A `{}` block is not allowed in an override file. Move it to another file.",
        block.block_type
    );
    Diagnostic::error(ids::CANNOT_OVERRIDE, detail).titled(title).at(block.body.source(), block.header_span)
}
