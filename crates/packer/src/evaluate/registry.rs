//! Checks `hcp_packer_registry` blocks.

use std::sync::LazyLock;

use terrane_body::{Block, BodySchema, ExpandedBody};
use terrane_source::{Diagnostic, Diagnostics, ids, titles};
use terrane_value::Type;

use crate::decode::block::error_in;
use crate::evaluate::argument::suitable;
use crate::rules::Rules;
use crate::state::context::Context;
use crate::state::scope::ExpressionSite;

static REGISTRY: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::new().all_optional(&[
        "bucket_name",
        "description",
        "labels",
        "bucket_labels",
        "build_labels",
        "channels",
    ])
});

static IN_BUILD: LazyLock<BodySchema> = LazyLock::new(|| BodySchema::new().block("hcp_packer_registry", &[]));

/// Limit on the bytes of a description.
const DESCRIPTION_BYTES: usize = 255;

/// Checks the blocks at the top level and in builds.
pub(crate) fn check_all(context: Context<'_>, diagnostics: &mut Diagnostics) {
    only_one(&context.template().registries, diagnostics);
    for block in &context.template().registries {
        check(context, block, diagnostics);
    }
    let mut in_builds = 0;
    for build in &context.template().builds {
        let (content, _) = build.body.partial_content(&IN_BUILD, &mut Diagnostics::new());
        only_one(&content.blocks, diagnostics);
        for block in content.blocks.iter().take(1) {
            check(context, block, diagnostics);
            in_builds += 1;
            let all = in_builds + context.template().registries.len();
            if all > 1 && context.template().rules.allows_one_registry {
                let detail = "A template can have only one registry for all its builds. Keep one block, \
                              outside of the builds.";
                diagnostics.push(
                    error_in(&block.body, ids::SECOND_BLOCK, block.header_span, detail)
                        .titled(titles::MULTIPLE_HCP_PACKER_REGISTRY_BLOCK_DECLARATION),
                );
            }
        }
    }
}

fn only_one(blocks: &[Block], diagnostics: &mut Diagnostics) {
    for block in blocks.iter().skip(1) {
        let detail = "A template can have only one registry for all its builds. Join both blocks into one.";
        diagnostics.push(
            error_in(&block.body, ids::SECOND_BLOCK, block.header_span, detail)
                .titled(titles::ONLY_ONE_HCP_PACKER_REGISTRY_IS_ALLOWED),
        );
    }
}

fn check(context: Context<'_>, block: &Block, diagnostics: &mut Diagnostics) {
    let body = ExpandedBody::new(block.body.clone());
    // Packer accepts other arguments and blocks, and ignores them.
    let values = context.read_at(ExpressionSite::TopLevel, diagnostics, |reader| {
        let (content, _) = reader.attributes(&body, &REGISTRY);
        let attributes = content.attributes.values();
        attributes.map(|attribute| (attribute.clone(), reader.value(attribute, &body))).collect::<Vec<_>>()
    });
    let mut has_labels = [false; 2];
    for (attribute, value) in &values {
        let ty = match &*attribute.name {
            "bucket_name" | "description" => Type::String,
            "channels" => Type::list(Type::String),
            _ => Type::map(Type::String),
        };
        let Some(value) = suitable(attribute, value, &ty, context.converter(), diagnostics) else { continue };
        let mistake = text_mistake(&attribute.name, value.as_str(), &context.template().rules);
        diagnostics.extend(mistake.map(|found| found.at(attribute.source(), attribute.value_span())));
        let is_empty = value.as_entries().is_none_or(terrane_value::Entries::is_empty);
        if &*attribute.name == "labels" && !is_empty {
            let title = titles::REGISTRY_LABELS_DEPRECATED;
            diagnostics.push(
                Diagnostic::warning(ids::INVALID_REGISTRY, "Use `bucket_labels` instead.")
                    .titled(title)
                    .at(attribute.source(), attribute.name_span),
            );
        }
        for (seen, name) in has_labels.iter_mut().zip(["labels", "bucket_labels"]) {
            *seen |= &*attribute.name == name && !is_empty;
        }
    }
    if has_labels == [true, true] {
        let title = titles::REGISTRY_LABELS_EXCLUSIVE;
        let detail = "Both arguments have the same meaning. Remove `labels`.";
        diagnostics
            .push(error_in(&block.body, ids::INVALID_REGISTRY, block.header_span, detail).titled(title));
    }
}

/// Returns the error about the text of an argument.
fn text_mistake(argument: &str, text: Option<&str>, rules: &Rules) -> Option<Diagnostic> {
    let text = text?;
    let (title, detail) = match argument {
        "bucket_name" if rules.checks_bucket_names && !text.is_empty() && !is_bucket(text) => {
            (titles::INVALID_BUCKET_NAME, "Choose another name for the bucket.")
        }
        "description" if text.len() > DESCRIPTION_BYTES => {
            (titles::DESCRIPTION_TOO_LONG, "Shorten the description.")
        }
        _ => return None,
    };
    Some(Diagnostic::error(ids::INVALID_REGISTRY, detail).titled(title))
}

fn is_bucket(name: &str) -> bool {
    (3..=36).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
