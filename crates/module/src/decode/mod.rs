//! Decodes the files of a directory into a [`Module`]: its blocks and their arguments.

mod action;
mod block;
pub(crate) mod block_type;
pub(crate) mod broken_header;
mod built_in;
mod call;
mod check;
mod conditions;
pub(crate) mod damaged_header;
mod decoder;
pub(crate) mod displaced_argument;
mod encryption;
mod lifecycle;
mod local;
pub(crate) mod meant_type;
mod output;
mod overrides;
mod provider;
mod provisioner;
mod refactoring;
mod resource;
pub(crate) mod schema;
mod terraform;
mod variable;

use terrane_body::{Block, Body, hide_declared_secrets};
use terrane_config::address::{InstanceKey, Object};
use terrane_source::Diagnostics;
use terrane_syntax::Expression;
use terrane_value::SmolStr;

pub(crate) use crate::decode::decoder::Decoding;

use crate::decode::block_type::BlockType;
use crate::decode::decoder::{CallMistakes, Decoder};
use crate::model::doubt::Doubt;
use crate::model::module::{Module, ProviderRequirement};
use crate::model::reference_rule::OpenRule;
pub(crate) use crate::model::written_address::address_with;

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

/// The content of a directory before its references are resolved.
pub(crate) struct DecodedModule {
    /// The declarations, among them some that break an open rule.
    pub(crate) module: Module,
    /// The rules about references, in the order of the diagnostics.
    pub(crate) open_rules: Vec<OpenRule>,
    /// The expressions of conditions that are left out.
    pub(crate) removed: Vec<Expression>,
}

/// Decodes the files of one directory.
pub(crate) fn module(decoding: Decoding<'_>, files: FileSet, diagnostics: &mut Diagnostics) -> DecodedModule {
    let mut decoder = Decoder::new(decoding, diagnostics);
    decoder.module.doubt = files.doubt;
    let bodies = files.primary.iter().chain(&files.overrides).map(|file| &file.body);
    decoder.module.secrets = hide_declared_secrets(bodies);
    // Reads the top level of all files first, so that its errors come before those of blocks.
    let contents: Vec<Vec<Block>> = files.primary.iter().map(|file| decoder.top_level(file)).collect();
    for (file, blocks) in files.primary.iter().zip(contents) {
        for block in blocks {
            let errors = decoder.diagnostics.errors();
            decoder.block(&block, file.tofu);
            decoder.note_flaws(&block, errors);
        }
    }
    decoder.overriding = true;
    for file in &files.overrides {
        for block in decoder.top_level(file) {
            let errors = decoder.diagnostics.errors();
            decoder.overriding_block(&block, file.tofu);
            decoder.note_flaws(&block, errors);
        }
    }
    decoder.report_errors_left_after_overrides();
    decoder.check_resource_types();
    decoder.module.shrink_to_fit();
    DecodedModule { module: decoder.module, open_rules: decoder.open_rules, removed: decoder.removed }
}

impl Decoder<'_> {
    /// Returns the blocks of a file, and notes the types of blocks that are refused there.
    fn top_level(&mut self, file: &File) -> Vec<Block> {
        let written = file.body.written_block_types().into_iter();
        let is_refused =
            |name: &&str| schema::file().labels(name).is_none() || self.rules.lacks_block_of_files(name);
        self.module.refused_blocks.extend(written.filter(is_refused).map(SmolStr::from));
        let errors = self.diagnostics.errors();
        let blocks = self.content(&file.body, "", schema::file()).blocks;
        if self.diagnostics.errors() > errors {
            broken_header::hide_names(&file.body, self.overriding, &mut self.module.doubt);
            displaced_argument::doubt_blocks_beside(&file.body, self.overriding, &mut self.module.doubt);
        }
        blocks
    }

    /// Notes the object of a block if decoding it has found an error. `errors` is the number of errors before it.
    fn note_flaws(&mut self, block: &Block, errors: usize) {
        let labels = || block.labels.iter().map(|label| label.text.clone()).collect::<Vec<_>>();
        if self.diagnostics.errors() > errors
            && let Some(object) =
                BlockType::named(&block.block_type).and_then(|found| found.object(&labels()))
        {
            self.module.doubt.add_flawed(object);
        }
    }

    /// Reports mistakes that an override file could have mended.
    fn report_errors_left_after_overrides(&mut self) {
        // As in the references, misplaced content of an overridden call is not reported.
        for CallMistakes { call, diagnostics, body } in std::mem::take(&mut self.call_mistakes) {
            if self.module.calls.get(&call).is_none_or(|call| call.overridden.is_none()) {
                self.doubt_content(Object::ModuleCall(call, InstanceKey::None), &body, &diagnostics);
                self.diagnostics.extend(diagnostics);
            }
        }
        // The versions that an override file asks for take the place of others.
        for (_, mistake) in std::mem::take(&mut self.core_versions) {
            self.diagnostics.push(mistake);
        }
        // A requirement gets its source and its version from any of the files.
        for ProviderRequirement { declaration, provider, has_version, .. } in
            self.module.requirements.values()
        {
            self.diagnostics.extend(built_in::check(provider, *has_version, declaration));
        }
        // Which provider a configuration is for is known when all requirements are.
        for provider in self.module.providers.values().filter(|provider| provider.version.is_some()) {
            let address = self.module.provider_address(&provider.name);
            self.diagnostics.extend(built_in::check(&address, true, &provider.declaration));
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_source::{Diagnostic, MemoryFiles, ids};

    use crate::{Cache, Request, load};

    /// Messages beyond a limit are only counted.
    #[test]
    fn references_to_any_number_of_refused_blocks_have_no_errors() {
        let blocks: String = (0..1500).map(|index| format!("kind_{index} \"a\" \"b\" {{}}\n")).collect();
        let main = format!(
            "{blocks}action \"a\" \"b\" {{}}\nlocals {{\n  a = kind_1499.a.b\n  c = action.a.b\n}}\n"
        );
        let json = r#"{"kind_x": {}, "locals": {"d": "${kind_x.a.b}"}}"#;
        let files: MemoryFiles = [("main.tf", &*main), ("more.tf.json", json)].into_iter().collect();
        let request = Request { dialect: "terraform-1.11".parse().unwrap(), ..Request::new(".") };
        let loaded = load(request, &files, &Cache::default());
        let is_other =
            |found: &&Diagnostic| ![ids::UNSUPPORTED_BLOCK, ids::EXTRANEOUS_PROPERTY].contains(&found.id);
        let others: Vec<&Diagnostic> = loaded.diagnostics.as_slice().iter().filter(is_other).collect();
        assert!(others.is_empty(), "{others:?}");
        assert!(loaded.diagnostics.len() > 1500, "{}", loaded.diagnostics.len());
    }
}
