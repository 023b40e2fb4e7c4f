//! Decodes the files of a directory into a [`Module`]: its blocks and their arguments.

mod action;
pub(crate) mod block_type;
mod built_in;
mod call;
mod check;
mod encryption;
mod lifecycle;
mod output;
mod overrides;
mod provider;
mod provisioner;
mod refactoring;
mod resource;
pub(crate) mod schema;
mod terraform;
mod variable;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use terrane_body::{Block, Body, BodySchema, Content, Label};
use terrane_config::Declaration;
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, ids};
use terrane_value::SmolStr;

use crate::model::doubt::{DeclarationKind, Doubt, Hidden};
use crate::model::ids::ImportId;
use crate::model::module::{Local, Module, RequiredProvider};
use crate::model::request::Request;
use crate::model::schemas::Schemas;
pub(crate) use crate::model::written_address::address_with;
use crate::rules::words::article;
use crate::rules::{Rules, content};

/// A parsed file of configuration.
pub(crate) struct File {
    /// The content.
    pub(crate) body: Body,
    /// Whether its name says that it is for OpenTofu.
    pub(crate) tofu: bool,
}

/// The parsed files of one directory.
#[derive(Default)]
pub(crate) struct FileSet {
    /// The files that declare objects.
    pub(crate) primary: Vec<File>,
    /// The override files.
    pub(crate) overrides: Vec<File>,
    /// The declarations in doubt because of syntax errors.
    pub(crate) doubt: Doubt,
}

/// Decodes the files of one directory.
pub(crate) fn module(
    directory: &Path,
    files: FileSet,
    rules: &Rules,
    request: &Request,
    diagnostics: &mut Diagnostics,
) -> Module {
    let mut decoder = Decoder::new(directory, *rules, request, diagnostics);
    decoder.module.doubt = files.doubt;
    // Reads the top level of all files first, so that its errors come before those of blocks.
    let contents = files.primary.iter().map(|file| decoder.content(&file.body, "", schema::file()).blocks);
    let contents: Vec<Vec<Block>> = contents.collect();
    for (file, blocks) in files.primary.iter().zip(contents) {
        for block in blocks {
            decoder.block(&block, file.tofu);
        }
    }
    decoder.overriding = true;
    for file in &files.overrides {
        for block in decoder.content(&file.body, "", schema::file()).blocks {
            decoder.overriding_block(&block, file.tofu);
        }
    }
    decoder.report_errors_left_after_overrides();
    decoder.check_resource_types();
    decoder.module.shrink_to_fit();
    decoder.module
}

/// Turns blocks into declarations.
struct Decoder<'d> {
    module: Module,
    rules: Rules,
    schemas: &'d Schemas,
    /// The first import of each address, by its text.
    imported: HashMap<String, ImportId>,
    /// Mistakes in the content of calls, each with the name of the call.
    call_mistakes: Vec<(SmolStr, Diagnostic)>,
    /// Mistakes in `required_version`, with the file.
    core_versions: Vec<(FileId, Diagnostic)>,
    /// Whether the blocks are those of an override file.
    overriding: bool,
    diagnostics: &'d mut Diagnostics,
}

impl<'d> Decoder<'d> {
    fn new(
        directory: &Path,
        rules: Rules,
        request: &'d Request,
        diagnostics: &'d mut Diagnostics,
    ) -> Decoder<'d> {
        let added_functions =
            request.functions.iter().map(|function| SmolStr::from(&*function.name)).collect();
        let directory = directory.to_owned();
        let module = Module { directory, rules, added_functions, ..Module::default() };
        Decoder {
            module,
            rules,
            schemas: &request.schemas,
            imported: HashMap::new(),
            call_mistakes: Vec::new(),
            core_versions: Vec::new(),
            overriding: false,
            diagnostics,
        }
    }

    /// The content of a block of type `owner`, as far as the dialect has it.
    fn content(&mut self, body: &Body, owner: &str, schema: &BodySchema) -> Content {
        let mut content = body.content(schema, self.diagnostics);
        content::retain(&self.rules, owner, &mut content, self.diagnostics);
        content
    }

    fn block(&mut self, block: &Block, tofu: bool) {
        match &*block.block_type {
            "variable" => self.variable(block),
            "output" => self.output(block),
            "module" => self.module_call(block),
            "locals" => self.locals(block),
            "check" => self.check(block),
            "resource" | "data" | "ephemeral" => self.resource(block, None),
            "provider" => self.provider(block),
            "terraform" => self.terraform(block, tofu),
            "language" => self.language(block),
            "moved" => self.moved(block),
            "removed" => self.removed(block),
            "import" => self.import(block),
            "required_providers" => {
                let detail = "A `required_providers` block belongs in a `terraform` block.";
                self.error_at(ids::MISPLACED_BLOCK, detail, block, "Invalid required_providers block");
            }
            "action" => {
                let (key, action) = self.action_block(block);
                self.add_resource(key, action);
            }
            _ => {}
        }
    }

    /// Reports mistakes that an override file could have mended.
    fn report_errors_left_after_overrides(&mut self) {
        // As in the references, misplaced content of an overridden call is not reported.
        for (call, mistake) in std::mem::take(&mut self.call_mistakes) {
            if self.module.calls.get(&call).is_none_or(|call| call.overridden.is_none()) {
                self.diagnostics.push(mistake);
            }
        }
        // The versions that an override file asks for take the place of others.
        for (_, mistake) in std::mem::take(&mut self.core_versions) {
            self.diagnostics.push(mistake);
        }
        // A requirement gets its source and its version from any of the files.
        for RequiredProvider { declaration, provider, has_version, .. } in self.module.requirements.values() {
            self.diagnostics.extend(built_in::check(provider, *has_version, declaration));
        }
        // Which provider a configuration is for is known when all requirements are.
        for provider in self.module.providers.values().filter(|provider| provider.version.is_some()) {
            let address = self.module.provider_address(&provider.name);
            self.diagnostics.extend(built_in::check(&address, true, &provider.declaration));
        }
    }

    fn error_at(&mut self, id: DiagnosticId, detail: impl Into<String>, block: &Block, title: &str) {
        let diagnostic = Diagnostic::error(id, detail).titled(title);
        self.diagnostics.push(diagnostic.at(block.body.source(), block.type_span));
    }

    fn locals(&mut self, block: &Block) {
        let attributes = block.body.just_attributes(self.diagnostics).attributes;
        for (name, attribute) in attributes {
            let declaration = Declaration { file: Arc::clone(attribute.source()), span: attribute.span };
            let is_name = self.check_name(&name, ids::INVALID_LOCAL_NAME, &declaration);
            let value = attribute.expression(self.diagnostics);
            if !is_name {
                self.hide(DeclarationKind::Local);
                continue;
            }
            if let Some(Local { declaration: first, .. }) = self.module.locals.get(&name) {
                let diagnostic = duplicate(ids::DUPLICATE_LOCAL, "local value", &name, first, &declaration);
                self.diagnostics.push(diagnostic);
                continue;
            }
            self.module
                .locals
                .insert(name, Local { declaration, value, is_name_only: attribute.is_name_only() });
        }
        // A block in it was reported. It is a local value whose equals sign is missing.
        if block.body.as_native().is_some_and(|(tree, body)| tree.blocks(body).next().is_some()) {
            self.hide(DeclarationKind::Local);
        }
    }

    /// Notes that a block whose name is invalid may be the declaration of any name of its kind.
    fn hide(&mut self, kind: DeclarationKind) {
        self.module.doubt.hide(Hidden::of([kind]));
    }

    /// Reports a name that cannot be one.
    fn check_name(&mut self, name: &str, id: DiagnosticId, place: &Declaration) -> bool {
        let valid = terrane_syntax::is_identifier(name);
        if !valid {
            let detail = format!(
                "\"{name}\" cannot be a name: a name starts with a letter or an underscore, followed by \
                 letters, digits, underscores and hyphens."
            );
            self.diagnostics.push(Diagnostic::error(id, detail).at(&place.file, place.span));
        }
        valid
    }
}

/// The declaration that a block is.
fn declaration(block: &Block) -> Declaration {
    Declaration { file: Arc::clone(block.body.source()), span: block.header_span }
}

/// A label of a block, which the schema promises.
fn label(block: &Block, index: usize) -> Label {
    block
        .labels
        .get(index)
        .cloned()
        .unwrap_or_else(|| Label { text: SmolStr::from(""), span: block.header_span })
}

/// The place of a label.
fn label_place(block: &Block, label: &Label) -> Declaration {
    Declaration { file: Arc::clone(block.body.source()), span: label.span }
}

/// `file:line:column`, for messages about another place.
fn place(declaration: &Declaration) -> String {
    let Declaration { file, span } = declaration;
    let place = file.lines().line_column(file.text(), span.start);
    format!("{}:{}:{}", file.id(), place.line, place.column)
}

/// A second declaration of the same name.
fn duplicate(
    id: DiagnosticId,
    kind: &str,
    name: &str,
    earlier: &Declaration,
    again: &Declaration,
) -> Diagnostic {
    let detail = format!(
        "{} {kind} named \"{name}\" is already declared at {}. Names must be unique within a module: rename or remove \
         one of them.",
        article(kind),
        place(earlier)
    );
    let diagnostic = Diagnostic::error(id, detail).at(&again.file, again.span);
    diagnostic.label_in(&earlier.file, earlier.span, "declared here")
}
