//! Decodes the blocks of a file into declarations.

use std::sync::{Arc, LazyLock};

use terrane_body::constant::is_secret;
use terrane_body::{Block, Body, BodySchema, Label};
use terrane_config::ids::{Declarations, Id};
use terrane_source::{Diagnostic, Diagnostics, Subject, ids, titles};
use terrane_syntax::{NAME_RULE, is_identifier};
use terrane_value::{SmolStr, leading_article};

use super::block::error_in;
use super::template_reader::TemplateReader;
use super::{packer_block, variable};
use crate::model::template::{ComponentBlock, ComponentKey, Local, Template};

/// The blocks of a template.
static FILE: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new()
        .block("packer", &[])
        .block("source", &["type", "name"])
        .block("variables", &[])
        .block("variable", &["name"])
        .block("locals", &[])
        .block("local", &["name"])
        .block("data", &["type", "name"])
        .block("build", &[])
        .block("communicator", &["type", "name"])
});

/// The blocks of a template in newer editions.
static NEWER_FILE: LazyLock<BodySchema> = LazyLock::new(|| FILE.clone().block("hcp_packer_registry", &[]));

static LOCAL: LazyLock<BodySchema> =
    LazyLock::new(|| BodySchema::new().required("expression").optional("sensitive"));

/// Adds the declarations of a file. Errors in sources and builds go to `deferred`.
pub(crate) fn file(
    body: &Body,
    template: &mut Template,
    reader: TemplateReader<'_>,
    diagnostics: &mut Diagnostics,
    deferred: &mut Diagnostics,
) {
    let schema = if template.rules.has_registry_blocks { &*NEWER_FILE } else { &*FILE };
    let errors = diagnostics.errors();
    let content = body.content(schema, diagnostics);
    if diagnostics.errors() > errors {
        template.doubt.add_wrong_header();
    }
    for block in content.blocks {
        match &*block.block_type {
            "packer" => packer_block::packer(&block, template, diagnostics),
            "variable" => variable::variable(&block, template, reader, diagnostics),
            "variables" => variable::variables(&block, template, reader, diagnostics),
            "local" | "locals" => {
                let mut duplicates = Diagnostics::new();
                if &*block.block_type == "local" {
                    local(&block, template, diagnostics, &mut duplicates);
                } else {
                    locals(&block, template, diagnostics, &mut duplicates);
                }
                let is_early = template.rules.declarations_find_duplicates;
                let found = if is_early { &mut *diagnostics } else { &mut *deferred };
                found.extend(duplicates);
            }
            "data" => data(&block, template, diagnostics),
            "source" => source(&block, template, deferred),
            "build" => template.builds.push(block),
            "hcp_packer_registry" => template.registries.push(block),
            // A `communicator` block is accepted, and has no effect.
            _ => {}
        }
    }
}

fn local(
    block: &Block,
    template: &mut Template,
    diagnostics: &mut Diagnostics,
    duplicates: &mut Diagnostics,
) {
    let Label { text: name, span } = block.label(0);
    if !is_identifier(&name) {
        let detail = format!("\"{name}\" cannot be the name of a local value: {NAME_RULE}.");
        diagnostics.push(
            error_in(&block.body, ids::INVALID_VARIABLE_NAME, span, detail)
                .titled(titles::INVALID_LOCAL_NAME),
        );
    }
    let content = block.body.content(&LOCAL, diagnostics);
    let sensitive = is_secret(&content, "sensitive", diagnostics) || template.secrets.has_local(&name);
    let Some(attribute) = content.attribute("expression") else {
        return template.doubt.add_lost_value(&block.declaration());
    };
    let expression = attribute.expression(diagnostics);
    if sensitive {
        attribute.source().hide_value("expression", attribute.value_span());
    }
    add_local(template, name, Local { declaration: block.declaration(), expression, sensitive }, duplicates);
}

fn locals(
    block: &Block,
    template: &mut Template,
    diagnostics: &mut Diagnostics,
    duplicates: &mut Diagnostics,
) {
    let content = block.body.just_attributes(diagnostics);
    for (name, attribute) in &content.attributes {
        let declaration = Subject { file: Arc::clone(attribute.source()), span: attribute.name_span };
        let sensitive = template.secrets.has_local(name);
        if sensitive {
            attribute.source().hide_value(name, attribute.value_span());
        }
        let local = Local { declaration, expression: attribute.expression(diagnostics), sensitive };
        add_local(template, name.clone(), local, duplicates);
    }
}

fn add_local(template: &mut Template, name: SmolStr, local: Local, diagnostics: &mut Diagnostics) {
    if let Some(earlier) = template.locals.get(&name) {
        let detail = format!(
            "The local value \"{name}\" is already declared at {}. Rename or remove one of them.",
            earlier.declaration.position()
        );
        let Subject { file, span } = &local.declaration;
        diagnostics.push(
            Diagnostic::error(ids::DUPLICATE_LOCAL, detail)
                .titled(titles::DUPLICATE_LOCAL_DEFINITION)
                .at(file, *span),
        );
    }
    template.locals.insert(name, local);
}

fn data(block: &Block, template: &mut Template, diagnostics: &mut Diagnostics) {
    let Label { text: data_type, span: type_span } = block.label(0);
    let Label { text: name, span: name_span } = block.label(1);
    let mut valid = true;
    for (text, span, title) in [
        (&data_type, type_span, titles::INVALID_DATA_SOURCE_NAME),
        (&name, name_span, titles::INVALID_DATA_RESOURCE_NAME),
    ] {
        if !is_identifier(text) {
            valid = false;
            let detail = format!("\"{text}\" cannot be used here: {NAME_RULE}.");
            diagnostics.push(error_in(&block.body, ids::INVALID_RESOURCE_NAME, span, detail).titled(title));
        }
    }
    if valid {
        add(&mut template.data, ComponentKey { component_type: data_type, name }, block, diagnostics);
    }
}

fn source(block: &Block, template: &mut Template, diagnostics: &mut Diagnostics) {
    let key = ComponentKey { component_type: block.label(0).text, name: block.label(1).text };
    add(&mut template.sources, key, block, diagnostics);
}

fn add<I: Id>(
    map: &mut Declarations<I, ComponentBlock, ComponentKey>,
    key: ComponentKey,
    block: &Block,
    diagnostics: &mut Diagnostics,
) {
    let block_type = &block.block_type;
    if let Some(earlier) = map.get(&key) {
        let detail = format!(
            "{} {block_type} block with this type and name is already declared at {}. Rename or remove one \
             of them.",
            leading_article(block_type),
            earlier.declaration.position()
        );
        diagnostics.push(
            error_in(&block.body, ids::DUPLICATE_RESOURCE, block.header_span, detail)
                .titled(titles::duplicate_block(block_type)),
        );
        return;
    }
    map.insert(key, ComponentBlock { declaration: block.declaration(), body: block.body.clone() });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use terrane_syntax::TEMPLATE_BLOCKS;

    use super::*;

    #[test]
    fn the_parser_knows_the_same_types() {
        let own: BTreeSet<&str> = NEWER_FILE.block_types().map(SmolStr::as_str).collect();
        assert_eq!(own, TEMPLATE_BLOCKS.iter().copied().collect());
    }
}
