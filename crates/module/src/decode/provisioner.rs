//! `provisioner` and `connection` blocks.

use terrane_body::{Attribute, Block, Body, Content, Label};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, ids, titles};
use terrane_syntax::Expr;

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::module::Provisioner;
use crate::model::reference_rule::ReferenceRule;
use crate::rules::provisioners;

/// Provisioners that products once had.
const REMOVED: &[&str] = &["chef", "habitat", "puppet", "salt-masterless"];

impl Decoder<'_> {
    /// The `connection` block and the provisioners of a resource.
    pub(crate) fn execution(
        &mut self,
        content: &Content,
        mode: ResourceMode,
    ) -> (Option<Body>, Vec<Provisioner>) {
        if mode != ResourceMode::Managed {
            for block in &content.blocks {
                if matches!(&*block.block_type, "connection" | "provisioner") {
                    let detail = format!(
                        "An ephemeral resource is not created, so it has no `{}` block.",
                        block.block_type
                    );
                    let title = titles::INVALID_CONFIGURATION_BLOCK_FOR_EPHEMERAL_RESOURCE;
                    self.error_at(ids::EPHEMERAL_BLOCK, detail, block, title);
                }
            }
            return (None, Vec::new());
        }
        let connection = self.only(content, "connection", "resource").map(|block| block.body.clone());
        let blocks: Vec<&Block> = content.blocks_of("provisioner").collect();
        let provisioners: Vec<Provisioner> =
            blocks.into_iter().filter_map(|block| self.provisioner(block, true)).collect();
        if let Some(connection) = connection.as_ref().filter(|_| provisioners.iter().any(|one| one.destroy)) {
            self.leave_to_resolution(ReferenceRule::OnDestroy(connection.clone()));
        }
        (connection, provisioners)
    }

    /// A `provisioner` block. The resource of a `removed` block may not exist, so the kind is checked only where it is
    /// `needed`. The arguments are checked when they are evaluated.
    pub(crate) fn provisioner(&mut self, block: &Block, needed: bool) -> Option<Provisioner> {
        let kind = block.label(0);
        let (content, mut config) = block.body.partial_content(schema::provisioner(), self.diagnostics);
        if REMOVED.contains(&&*kind.text) {
            let detail =
                format!("No supported version has the provisioner \"{}\". Remove the block.", kind.text);
            let title = titles::removed_provisioner(&kind.text);
            self.diagnostics.push(
                Diagnostic::error(ids::UNKNOWN_PROVISIONER, detail)
                    .titled(title)
                    .at(block.body.source(), kind.span),
            );
            return None;
        }
        let when = self.keyword(content.attribute("when"), "when", &["create", "destroy"]);
        self.keyword(content.attribute("on_failure"), "on_failure", &["continue", "fail"]);
        self.reserved_blocks(&content, &["_", "connection"], "provisioner");
        if let Some(escaped) = self.only(&content, "_", "provisioner") {
            config.join(escaped.body.clone());
        }
        let connection = self.only(&content, "connection", "provisioner").map(|block| block.body.clone());
        let destroy = when.as_deref() == Some("destroy");
        if destroy {
            self.leave_to_resolution(ReferenceRule::OnDestroy(config.clone()));
            if let Some(connection) = &connection {
                self.leave_to_resolution(ReferenceRule::OnDestroy(connection.clone()));
            }
        }
        if needed && provisioners::spec(&kind.text).is_none() {
            self.unknown_kind(&kind, block);
        }
        let declaration = block.declaration();
        Some(Provisioner { declaration, kind: kind.text.clone(), config, connection, destroy })
    }

    fn unknown_kind(&mut self, kind: &Label, block: &Block) {
        let detail = format!(
            "There is no built-in provisioner \"{}\". The built-in ones are `file`, `local-exec` and \
             `remote-exec`; any other needs a plugin.",
            kind.text
        );
        self.diagnostics
            .push(Diagnostic::error(ids::UNKNOWN_PROVISIONER, detail).at(block.body.source(), kind.span));
    }

    /// The keyword that an argument is, in quotes only as in old versions.
    fn keyword(&mut self, attribute: Option<&Attribute>, name: &str, keywords: &[&str]) -> Option<String> {
        let expression = attribute?.reference();
        let unquoted = self.without_quotes(&expression, "Keywords", titles::QUOTED_KEYWORDS_ARE_DEPRECATED);
        let inner = unquoted.as_ref().unwrap_or(&expression);
        let is_word = matches!(inner.tree.expr(inner.id), Expr::Traversal { steps, .. } if steps.is_empty());
        let word = inner.tree.root_name(inner.id).filter(|_| is_word);
        if let Some(word) = word.filter(|word| keywords.contains(word)) {
            return Some(word.to_owned());
        }
        let list: Vec<String> = keywords.iter().map(|word| format!("`{word}`")).collect();
        let detail = format!("`{name}` must be one of the keywords {}.", list.join(" and "));
        self.diagnostics.push(
            Diagnostic::error(ids::INVALID_KEYWORD, detail)
                .titled(titles::invalid_keyword(name))
                .at(expression.source(), expression.span()),
        );
        None
    }
}
