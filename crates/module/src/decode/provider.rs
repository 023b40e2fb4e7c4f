//! Provider configurations, and references to them.

use std::sync::Arc;

use indexmap::IndexMap;
use terrane_body::constant::{nullable_constant, string_of};
use terrane_body::{Attribute, Block};
use terrane_config::address::ResourceMode;
use terrane_config::version::VersionConstraint;
use terrane_source::{Diagnostic, Diagnostics, SourceFile, Span, Subject, Title, ids, titles};
use terrane_syntax::tree::{Literal, Step};
use terrane_syntax::{Expr, ExprId, Expression, Tree};
use terrane_value::{SmolStr, Type};

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::module::{PassedProvider, ProviderConfig, ProviderRef, ResourceKey};
use crate::model::provider::check_part;
use crate::rules::constructs::TERRAFORM_DATA;
use crate::rules::content;

impl Decoder<'_> {
    pub(crate) fn provider(&mut self, block: &Block) {
        let Some((key, provider)) = self.provider_block(block) else { return };
        if !self.is_configured(&key, &provider.declaration) {
            self.module.providers.insert(key, provider);
        }
    }

    /// A provider configuration with its key; none where it is not known whose it is.
    pub(crate) fn provider_block(&mut self, block: &Block) -> Option<(SmolStr, ProviderConfig)> {
        let name = block.label(0).text;
        let declaration = block.declaration();
        if !self.provider_name(&name, &declaration.file, declaration.span) {
            self.hide(DeclarationKind::Provider, &[&*name]);
            return None;
        }
        let (mut content, mut config) = block.body.partial_content(schema::provider(), self.diagnostics);
        content::retain(&self.rules, "provider", &mut content, self.diagnostics);
        let alias = string_of(content.attribute("alias"), self.diagnostics);
        if let Some(attribute) = content.attribute("alias")
            && !alias.as_ref().is_some_and(|alias| terrane_syntax::is_identifier(alias))
        {
            let detail = "An alias starts with a letter or an underscore, followed by letters, digits, \
                          underscores and hyphens.";
            let diagnostic = Diagnostic::error(ids::INVALID_ALIAS, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
        let alias = alias.filter(|alias| !alias.is_empty());
        let version = content.attribute("version").and_then(|version| self.provider_version(version));
        let for_each = content.attribute("for_each");
        if let (Some(attribute), None) = (for_each, content.attribute("alias")) {
            let detail = "Only a provider configuration with an `alias` can have `for_each`. Add one.";
            let diagnostic = Diagnostic::error(ids::ALIAS_REQUIRED, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
        for reserved in ["count", "depends_on", "source"] {
            if let Some(attribute) = content.attribute(reserved) {
                let detail = format!(
                    "The argument `{reserved}` of a provider configuration is reserved for future \
                             use."
                );
                let diagnostic = Diagnostic::error(ids::RESERVED_ARGUMENT, detail);
                self.diagnostics.push(diagnostic.at(attribute.source(), attribute.name_span));
            }
        }
        self.reserved_blocks(&content, &["_"], "provider");
        if let Some(escaped) = self.only(&content, "_", "provider configuration") {
            config.join(escaped.body.clone());
        }
        let mut extra = Diagnostics::new();
        config.content(schema::nothing(), &mut extra);
        let for_each = for_each.map(|attribute| attribute.expression(self.diagnostics));
        let key = ProviderRef::key_of(&name, alias.as_deref());
        let provider = ProviderConfig {
            declaration,
            name,
            alias: alias.map(SmolStr::from),
            for_each,
            config,
            configured: version.is_some() || extra.has_errors(),
            version,
        };
        Some((key, provider))
    }

    /// Reports a second configuration of a provider with the same alias.
    fn is_configured(&mut self, key: &str, declaration: &Subject) -> bool {
        let Some(earlier) = self.module.providers.get(key) else { return false };
        // The alias of a damaged block may be in the unreadable text: the other block is the one with this key.
        let is_damaged = |place: &Subject| self.module.doubt.touches(place);
        if is_damaged(declaration) || is_damaged(&earlier.declaration) {
            return is_damaged(declaration);
        }
        let (name, earlier_place) = (&earlier.name, earlier.declaration.position());
        let detail = match &earlier.alias {
            None => format!(
                "The provider \"{name}\" is already configured at {earlier_place}. Give a second configuration an `alias`."
            ),
            Some(alias) => format!(
                "The provider \"{name}\" already has a configuration with the alias \"{alias}\", at {earlier_place}. \
                 Choose another alias."
            ),
        };
        self.diagnostics
            .push(Diagnostic::error(ids::DUPLICATE_PROVIDER, detail).at(&declaration.file, declaration.span));
        true
    }

    fn provider_version(&mut self, attribute: &Attribute) -> Option<VersionConstraint> {
        let detail = "The version of a provider is chosen in `required_providers` of a `terraform` block. Move it there.";
        let diagnostic = Diagnostic::warning(ids::PROVIDER_VERSION, detail);
        self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        self.version_constraint(attribute)
    }

    /// The constraint that an argument gives.
    pub(crate) fn version_constraint(&mut self, attribute: &Attribute) -> Option<VersionConstraint> {
        let mut found = Diagnostics::new();
        let text = nullable_constant(&attribute.literal(), &Type::String, &mut found);
        self.diagnostics.extend(found.into_iter().map(|found| match found.id == ids::UNSUITABLE_VALUE {
            true => found.titled(Title::of(ids::INVALID_VERSION_CONSTRAINT)),
            false => found,
        }));
        let text = text?;
        self.parsed_constraint(text.as_str()?, attribute.source(), attribute.value_span())
    }

    /// The constraint in `text`, which is written at `span`.
    pub(crate) fn parsed_constraint(
        &mut self,
        text: &str,
        source: &Arc<SourceFile>,
        span: Span,
    ) -> Option<VersionConstraint> {
        let wrong = |reason: String| {
            let detail =
                format!("\"{text}\" is not a version constraint: {reason}. Write it as in \"~> 1.2\".");
            Diagnostic::error(ids::INVALID_VERSION_CONSTRAINT, detail).at(source, span)
        };
        text.parse().map_err(|reason| self.diagnostics.push(wrong(reason))).ok()
    }

    /// Reports a local name of a provider that cannot be one.
    pub(crate) fn provider_name(&mut self, name: &str, file: &Arc<SourceFile>, span: Span) -> bool {
        let Err(reason) = check_part(name) else { return true };
        let detail = format!("\"{name}\" cannot be the local name of a provider: {reason}.");
        self.diagnostics.push(Diagnostic::error(ids::INVALID_PROVIDER_NAME, detail).at(file, span));
        false
    }

    /// Reads a reference to a provider configuration: `aws`, `aws.west`, `aws.by_region["a"]`.
    pub(crate) fn provider_ref(&mut self, expression: &Expression, argument: &str) -> Option<ProviderRef> {
        let unquoted = self.unquoted(expression);
        let expression = unquoted.as_ref().unwrap_or(expression);
        let tree = &expression.tree;
        let (file, span) = (expression.source(), expression.span());
        let Some((name, steps)) = as_reference(tree, expression.id) else {
            let detail = format!(
                "`{argument}` must be the local name of a provider, or a configuration with an alias: \
                 `aws` or `aws.west`."
            );
            self.diagnostics.push(Diagnostic::error(ids::INVALID_PROVIDER_REF, detail).at(file, span));
            return None;
        };
        if !self.provider_name(name, file, span) {
            return None;
        }
        let (alias, key) = match steps {
            [] => (None, None),
            [Step::Attr { name, .. }] => (Some(SmolStr::from(tree.slice(*name))), None),
            [Step::Attr { name, .. }, Step::Index { key, .. }] if self.rules.has_provider_instances => (
                Some(SmolStr::from(tree.slice(*name))),
                Some(Expression { tree: Arc::clone(tree), id: *key }),
            ),
            _ => {
                let detail = "Only an alias may follow the local name of a provider, as in `aws.west`, \
                              and a key in brackets if that configuration has `for_each`.";
                self.diagnostics.push(Diagnostic::error(ids::INVALID_PROVIDER_REF, detail).at(file, span));
                return None;
            }
        };
        let key = key;
        Some(ProviderRef { name: SmolStr::from(name), alias, key, file: Arc::clone(file), span })
    }

    /// The reference that an old form has in quotes, with a warning.
    pub(crate) fn unquoted(&mut self, expression: &Expression) -> Option<Expression> {
        self.without_quotes(expression, "References", titles::QUOTED_REFERENCES_ARE_DEPRECATED)
    }

    /// As [`Decoder::unquoted`], for expressions of another kind, in the plural.
    pub(crate) fn without_quotes(
        &mut self,
        expression: &Expression,
        kinds: &str,
        title: Title,
    ) -> Option<Expression> {
        let parsed = terrane_syntax::parse_quoted(expression)?;
        if parsed.diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        let detail = format!("{kinds} are written without quotes. The quoted form is deprecated.");
        let diagnostic = Diagnostic::warning(ids::QUOTED_REFERENCE, detail).titled(title);
        let diagnostic = diagnostic.at(expression.source(), expression.span());
        let unquoted = Expression { tree: parsed.tree, id: parsed.root };
        let text = unquoted.tree.expr_text(unquoted.id);
        self.diagnostics.push(diagnostic.rewrite(&format!("\"{text}\""), text));
        Some(unquoted)
    }

    /// The `providers` argument of a module call, by the keys of the configurations in the called module.
    pub(crate) fn passed_providers(&mut self, attribute: &Attribute) -> IndexMap<SmolStr, PassedProvider> {
        let expression = attribute.reference();
        let tree = &expression.tree;
        let Expr::Object(items) = tree.expr(expression.id) else {
            let detail = "`providers` must be an object in braces, such as `{ aws = aws.west }`. It maps \
                          the provider names of the module to configurations.";
            let diagnostic = Diagnostic::error(ids::INVALID_EXPRESSION, detail);
            self.diagnostics.push(diagnostic.at(expression.source(), expression.span()));
            return IndexMap::new();
        };
        let mut passed: IndexMap<SmolStr, PassedProvider> = IndexMap::new();
        for item in tree.list(items) {
            let side = |id| Expression { tree: Arc::clone(tree), id };
            let child = self.provider_ref(&side(item.key), "providers");
            let parent = self.provider_ref(&side(item.value), "providers");
            let (Some(child), Some(parent)) = (child, parent) else { continue };
            let key = child.key();
            if passed.contains_key(&key) {
                let detail =
                    format!("`providers` already has a configuration for `{key}`. Remove one of them.");
                let diagnostic = Diagnostic::error(ids::DUPLICATE_PROVIDER_ADDRESS, detail);
                self.diagnostics.push(diagnostic.at(expression.source(), tree.span(item.value)));
                continue;
            }
            passed.insert(key, PassedProvider { child, parent });
        }
        passed
    }

    /// Reports resources of types that their provider does not have, where its schema is known.
    pub(crate) fn check_resource_types(&mut self) {
        let module = &self.module;
        for (key, resource) in &module.resources {
            let ResourceKey { mode, resource_type, .. } = key;
            let Some(provider) = self.schemas.provider_of(module, key, resource) else { continue };
            let later = match resource_type == "terraform_data" {
                true => self.rules.lacks(TERRAFORM_DATA, "The built-in resource type `terraform_data`"),
                false => None,
            };
            let is_later = later.is_some();
            if provider.resource(*mode, resource_type).is_some() && !is_later {
                continue;
            }
            let (title, noun) = match mode {
                ResourceMode::Managed => (titles::INVALID_RESOURCE_TYPE, "resource type"),
                ResourceMode::Data => (titles::INVALID_DATA_SOURCE, "data source"),
                ResourceMode::Ephemeral => (titles::INVALID_EPHEMERAL_RESOURCE, "ephemeral resource type"),
                // Schemas of older products say nothing of actions.
                ResourceMode::Action if provider.resource_types(*mode).next().is_none() => continue,
                ResourceMode::Action => (titles::INVALID_ACTION_TYPE, "action type"),
            };
            let address = module.provider_address(resource.local_provider(resource_type));
            let detail =
                later.unwrap_or_else(|| format!("The provider {address} has no {noun} \"{resource_type}\"."));
            let declaration = &resource.type_label;
            let mut diagnostic = Diagnostic::error(ids::UNKNOWN_RESOURCE_TYPE, detail)
                .titled(title)
                .at(&declaration.file, declaration.span);
            let closest_names = self.sources.closest_names();
            let nearest =
                closest_names.of(resource_type, provider.resource_types(*mode)).filter(|_| !is_later);
            diagnostic = diagnostic.suggest(resource_type, nearest);
            self.diagnostics.push(diagnostic);
        }
    }
}

/// The name and the steps of an expression in the place of a reference. `null`, `true` and `false` are names there: a provider
/// may be called so.
pub(crate) fn as_reference(tree: &Tree, id: ExprId) -> Option<(&str, &[Step])> {
    let keyword = |id| {
        let is_keyword = matches!(tree.expr(id), Expr::Literal(Literal::Null | Literal::Bool(_)));
        is_keyword.then(|| tree.expr_text(id))
    };
    if let Expr::Traversal { steps, .. } = tree.expr(id) {
        return Some((tree.root_name(id)?, tree.list(steps)));
    }
    if let Expr::Relative { source, steps } = tree.expr(id) {
        return Some((keyword(source)?, tree.list(steps)));
    }
    Some((keyword(id)?, &[]))
}
