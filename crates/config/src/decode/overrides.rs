//! Override files: their blocks are laid over those of the others.

use terrane_eval::{Attribute, Block, Content};
use terrane_function::{Dialect, Product};
use terrane_source::{Diagnostic, Diagnostics, ids};
use terrane_syntax::Expr;

use super::constant::string_of;
use super::{File, declaration, schema};
use crate::constructs;
use crate::module::{Declaration, ProviderRef};

/// Lays the blocks of override files over `blocks`, those of the other files. Gives the blocks that are no
/// declarations of a name, which the decoder lays over what it has decoded.
pub(super) fn apply(
    blocks: &mut Vec<(Block, bool)>,
    files: &[File],
    dialect: Dialect,
    diagnostics: &mut Diagnostics,
) -> Vec<(Block, bool)> {
    let mut others = Vec::new();
    for file in files {
        let mut content = file.body.content(schema::file(), diagnostics);
        constructs::retain(dialect, "", &mut content, diagnostics);
        for block in content.blocks {
            match &*block.block_type {
                "variable" | "output" | "module" | "resource" | "data" | "ephemeral" | "action" => {
                    overlay(blocks, &block, diagnostics);
                }
                "provider" => provider(blocks, block, file.tofu, diagnostics),
                // Terraform takes it as another block.
                "removed" if dialect.product() == Some(Product::Terraform) => others.push((block, file.tofu)),
                "moved" | "import" | "removed" | "check" | "language" => {
                    diagnostics.push(not_allowed(&block));
                }
                _ => others.push((block, file.tofu)),
            }
        }
    }
    others
}

/// Lays a block over the one of the same type and labels.
fn overlay(blocks: &mut [(Block, bool)], block: &Block, diagnostics: &mut Diagnostics) {
    reject_parts(block, diagnostics);
    let base = blocks.iter_mut().find(|(base, _)| {
        base.block_type == block.block_type
            && base.labels.iter().map(|label| &label.text).eq(block.labels.iter().map(|label| &label.text))
    });
    match base {
        Some((base, _)) => {
            let deep = if &*block.block_type == "action" { "config" } else { "lifecycle" };
            base.body = base.body.overridden(&block.body, &[deep]);
        }
        None => {
            let labels: Vec<String> =
                block.labels.iter().map(|label| format!("\"{}\"", label.text)).collect();
            let title = match &*block.block_type {
                "variable" => "Missing base variable declaration to override",
                "output" => "Missing base output definition to override",
                "module" => "Missing module call to override",
                "data" => "Missing data resource to override",
                "ephemeral" => "Missing ephemeral resource to override",
                _ => "Missing resource to override",
            };
            let what = format!("`{} {}`", block.block_type, labels.join(" "));
            diagnostics.push(missing_base(title, &what, &declaration(block)));
        }
    }
}

/// A provider without an alias is configured even where there is no block: by nothing.
fn provider(blocks: &mut Vec<(Block, bool)>, block: Block, tofu: bool, diagnostics: &mut Diagnostics) {
    let key = provider_key(&block);
    let base =
        blocks.iter_mut().find(|(base, _)| base.block_type == block.block_type && provider_key(base) == key);
    match base {
        Some((base, _)) => base.body = base.body.overridden(&block.body, &[]),
        None if key.contains('.') => {
            let title = "Missing base provider configuration for override";
            let what = format!("provider configuration `{key}`");
            diagnostics.push(missing_base(title, &what, &declaration(&block)));
        }
        None => blocks.push((block, tofu)),
    }
}

fn provider_key(block: &Block) -> String {
    let mut unreported = Diagnostics::new();
    let (content, _): (Content, _) = block.body.partial_content(schema::provider(), &mut unreported);
    let alias = string_of(content.attribute("alias"), &mut unreported);
    let name = block.labels.first().map_or("", |label| &label.text);
    ProviderRef::key_of(name, alias.as_deref()).to_string()
}

/// Reports what an override cannot change.
fn reject_parts(block: &Block, diagnostics: &mut Diagnostics) {
    let mut unreported = Diagnostics::new();
    let (content, _) = block.body.partial_content(schema::not_overridable(), &mut unreported);
    if let Some(attribute) = content.attribute("depends_on").filter(|attribute| !is_empty(attribute)) {
        let detail = "`depends_on` cannot be overridden. Change it in the file of the block itself.";
        let diagnostic = Diagnostic::error(ids::UNSUPPORTED_OVERRIDE, detail);
        diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
    }
    for nested in content.blocks {
        match &*nested.block_type {
            "validation" => diagnostics.push(not_overridable(&nested)),
            _ => {
                let inner = nested.body.content(schema::lifecycle(), &mut unreported);
                let conditions = inner
                    .blocks
                    .iter()
                    .filter(|block| matches!(&*block.block_type, "precondition" | "postcondition"));
                diagnostics.extend(conditions.map(not_overridable));
            }
        }
    }
}

/// Whether it is a list of nothing, which overrides nothing.
fn is_empty(attribute: &Attribute) -> bool {
    let value = attribute.reference();
    matches!(value.tree.expr(value.id), Expr::Tuple(items) if value.tree.list(items).is_empty())
}

fn not_overridable(block: &Block) -> Diagnostic {
    let detail = format!("Blocks of type \"{}\" cannot stand in an override file.", block.block_type);
    Diagnostic::error(ids::CANNOT_OVERRIDE, detail)
        .titled(format!("Can't override {} blocks", block.block_type))
        .at(block.body.source(), block.header_span)
}

fn not_allowed(block: &Block) -> Diagnostic {
    let title = match &*block.block_type {
        "moved" => "Cannot override 'moved' blocks",
        "import" => "Cannot override 'import' blocks",
        "removed" => "Cannot override 'Removed' blocks",
        "language" => "Language selections in override file",
        _ => return not_overridable(block),
    };
    let detail =
        format!("A `{}` block cannot stand in an override file. Move it to another file.", block.block_type);
    Diagnostic::error(ids::CANNOT_OVERRIDE, detail).titled(title).at(block.body.source(), block.header_span)
}

/// An override of what is not there.
pub(super) fn missing_base(title: &str, what: &str, place: &Declaration) -> Diagnostic {
    let detail = format!(
        "An override file changes what another file declares, but there is no {what} to override. Correct the name, or \
         declare it in a file that is no override file."
    );
    Diagnostic::error(ids::MISSING_BASE, detail).titled(title).at(&place.file, place.span)
}
