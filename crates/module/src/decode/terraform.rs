//! `terraform` and `language` blocks: the requirements of a module.

use std::sync::Arc;

use indexmap::IndexSet;
use terrane_body::constant::constant;
use terrane_body::{Attribute, Block, Body, Content};
use terrane_config::address::Object;
use terrane_config::version::VersionConstraint;
use terrane_source::{Diagnostic, Diagnostics, Subject, Title, ids, titles};
use terrane_syntax::tree::Step;
use terrane_syntax::{Expr, ExprId, Expression};
use terrane_value::{SmolStr, ValueKind};

use crate::decode::decoder::Decoder;
use crate::decode::provider::as_reference;
use crate::decode::schema;
use crate::model::declaration_kind::DeclarationKind;
use crate::model::hidden::Hidden;
use crate::model::module::{ProviderRef, ProviderRequirement, Storage};
use crate::model::provider::{ProviderAddress, SourceProblem};
use crate::model::written_address::has_fixed_keys;

impl Decoder<'_> {
    /// A `terraform` block.
    pub(crate) fn terraform(&mut self, block: &Block, tofu: bool) {
        let errors = self.diagnostics.errors();
        let content = self.content(&block.body, "terraform", schema::terraform());
        if self.diagnostics.errors() > errors {
            self.hide_requirements(&block.body);
        }
        if let Some(attribute) = content.attribute("required_version") {
            self.required_version(attribute, tofu);
        }
        // OpenTofu has blocks of its own for this.
        if self.rules.has_language_arguments {
            self.terraform_language(&content);
        }
        self.storage(&content);
        for nested in content.blocks_of("provider_meta") {
            self.provider_meta(nested);
        }
        for nested in content.blocks_of("required_providers") {
            self.required_providers(nested);
        }
    }

    /// A `provider_meta` block: constants that a module passes to a provider.
    fn provider_meta(&mut self, block: &Block) {
        let name = block.label(0);
        if !self.provider_name(&name.text, block.body.source(), name.span) {
            return;
        }
        self.module.provider_meta.insert(name.text.clone(), block.declaration());
        for attribute in block.body.just_attributes(self.diagnostics).attributes.values() {
            constant(&attribute.literal(), self.diagnostics);
        }
    }

    /// OpenTofu heeds this only in files of its own since 1.12, because the numbers of versions have parted.
    fn required_version(&mut self, attribute: &Attribute, tofu: bool) {
        if self.rules.versions_are_per_file && !tofu {
            if self.rules.has_all() {
                self.wrongly_typed_version(attribute);
            }
            return;
        }
        let Some(constraint) = self.version_constraint(attribute) else { return };
        let file = attribute.source().id();
        // The requirements of an override file replace those of other files, but OpenTofu checks versions file by file.
        let asks_here = self.core_versions.last().is_none_or(|(asking, _)| asking == file);
        if self.overriding && !self.rules.versions_are_per_file && !asks_here {
            self.core_versions.clear();
        }
        let problem = if constraint.has_prerelease() {
            let detail = "The constraint cannot name a prerelease. Remove the dash and the text after it.";
            let diagnostic = Diagnostic::error(ids::PRERELEASE_REQUIRED, detail);
            diagnostic.at(attribute.source(), attribute.value_span())
        } else if !self.rules.satisfies(&constraint) {
            self.incompatible(attribute)
        } else {
            return;
        };
        match self.rules.versions_are_per_file {
            true => self.diagnostics.push(problem),
            false => self.core_versions.push((file.clone(), problem)),
        }
    }

    /// Reports a `required_version` that is no string. OpenTofu does not read it, but it is a mistake anyway, which Terraform
    /// reports.
    fn wrongly_typed_version(&mut self, attribute: &Attribute) {
        let value = constant(&attribute.literal(), &mut Diagnostics::new());
        // OpenTofu allows references, which have no constant value.
        if value.is_none_or(|value| value.is_null() || value.as_str().is_some()) {
            return;
        }
        let Some(constraint) = self.version_constraint(attribute) else { return };
        if !self.rules.satisfies(&constraint) {
            let text = attribute.source().slice(attribute.value_span());
            let detail =
                format!("No version of Terraform satisfies the version constraint of the module: {text}.");
            let diagnostic = Diagnostic::error(ids::UNSUITABLE_VALUE, detail);
            let diagnostic = diagnostic.titled(titles::UNSUPPORTED_TERRAFORM_CORE_VERSION);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
        }
    }

    fn incompatible(&self, attribute: &Attribute) -> Diagnostic {
        let detail = format!(
            "No version of {} satisfies the version constraint of the module: {}.",
            self.rules.product_name,
            attribute.source().slice(attribute.value_span())
        );
        let diagnostic = Diagnostic::error(ids::INCOMPATIBLE_MODULE, detail);
        diagnostic.at(attribute.source(), attribute.value_span())
    }

    /// The language that a `terraform` block asks for.
    fn terraform_language(&mut self, content: &Content) {
        if let Some(attribute) = content.attribute("language") {
            self.edition(attribute, "TF2021");
        }
        if let Some(attribute) = content.attribute("experiments") {
            let detail = "Releases of Terraform have no experiments. Remove the argument.";
            let diagnostic = Diagnostic::error(ids::UNKNOWN_EXPERIMENT, detail);
            let diagnostic = diagnostic.titled(titles::MODULE_USES_EXPERIMENTAL_FEATURES);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.name_span));
        }
    }

    /// An edition of the language must be the only one that there is.
    fn edition(&mut self, attribute: &Attribute, only: &str) {
        let expression = attribute.reference();
        let (title, detail) = match expression.tree.plain_key(expression.id) {
            Some(name) if name == only => return,
            Some(other) => (
                titles::UNSUPPORTED_LANGUAGE_EDITION,
                format!("There is no edition `{other}` of the language. There is `{only}`."),
            ),
            None => (titles::INVALID_LANGUAGE_EDITION, format!("An edition is a keyword, such as `{only}`.")),
        };
        let diagnostic = Diagnostic::error(ids::INVALID_EDITION, detail).titled(title);
        self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
    }

    fn experiments(&mut self, attribute: &Attribute) {
        for item in self.list(&attribute.reference(), "experiments") {
            let detail = format!(
                "No supported version has the experiment \"{}\". Remove it.",
                item.tree.expr_text(item.id)
            );
            let diagnostic = Diagnostic::error(ids::UNKNOWN_EXPERIMENT, detail);
            let diagnostic = diagnostic.titled(titles::UNKNOWN_EXPERIMENT_KEYWORD);
            self.diagnostics.push(diagnostic.at(item.source(), item.span()));
        }
    }

    /// The backend of an override file replaces that of other files, not another one in the same file.
    fn forget_overridden_storage(&mut self, content: &Content) {
        let is_storage = |block: &&Block| matches!(&*block.block_type, "backend" | "cloud");
        for block in content.blocks.iter().filter(is_storage) {
            let is_elsewhere =
                |earlier: &mut Storage| earlier.declaration.file.id() != block.body.source().id();
            match &*block.block_type {
                "backend" => self.module.cloud = None,
                _ => self.module.backend = None,
            }
            self.module.backend.take_if(is_elsewhere);
            self.module.cloud.take_if(is_elsewhere);
        }
    }

    /// Where the state is kept: in one place at most.
    fn storage(&mut self, content: &Content) {
        if self.overriding {
            self.forget_overridden_storage(content);
        }
        let titles = self.rules.titles;
        let kinds = [("backend", titles::DUPLICATE_BACKEND_CONFIGURATION), ("cloud", titles.several_clouds)];
        for (block_type, title) in kinds {
            for block in content.blocks_of(block_type) {
                let slot =
                    if block_type == "backend" { &mut self.module.backend } else { &mut self.module.cloud };
                let found = block.declaration();
                let Some(earlier) = slot else {
                    let kind = block.labels.first().map_or(&block.block_type, |label| &label.text).clone();
                    *slot = Some(Storage { kind, declaration: found, config: block.body.clone() });
                    continue;
                };
                let at = earlier.declaration.position();
                let detail = format!(
                    "A module can have only one `{block_type}` block; the first one is \
                                      at {at}."
                );
                let diagnostic = Diagnostic::error(ids::DUPLICATE_BACKEND, detail).titled(title);
                self.diagnostics.push(diagnostic.at(&found.file, found.span));
            }
        }
        // In override files, one takes the place of the other.
        if let (Some(backend), Some(cloud), false) =
            (&self.module.backend, &self.module.cloud, self.overriding)
            && content.blocks.iter().any(|block| matches!(&*block.block_type, "backend" | "cloud"))
        {
            let detail = format!(
                "A module can have either a `backend` or a `cloud` block; the other one is at {}. Remove \
                 one of them.",
                cloud.declaration.position()
            );
            self.diagnostics.push(
                Diagnostic::error(ids::DUPLICATE_BACKEND, detail)
                    .titled(titles.backend_and_cloud)
                    .at(&backend.declaration.file, backend.declaration.span),
            );
        }
        for block in content.blocks_of("encryption") {
            self.encryption(block);
        }
    }

    fn required_providers(&mut self, block: &Block) {
        let found = block.declaration();
        if let Some(earlier) = self.module.required_providers.as_ref().filter(|_| !self.overriding) {
            let detail = format!(
                "A module can have only one `required_providers` block; the first one is at {}. Move the \
                 content there.",
                earlier.position()
            );
            self.diagnostics
                .push(Diagnostic::error(ids::DUPLICATE_REQUIREMENTS, detail).at(&found.file, found.span));
            return self.note_flawed_requirements(&block.body);
        }
        self.module.required_providers.get_or_insert(found);
        let errors = self.diagnostics.errors();
        let attributes = block.body.just_attributes(self.diagnostics).attributes;
        if self.diagnostics.errors() > errors {
            self.note_flawed_requirements(&block.body);
        }
        for (name, attribute) in attributes {
            let errors = self.diagnostics.errors();
            let required = self.required_provider(&name, &attribute);
            if self.diagnostics.errors() > errors {
                self.module.doubt.add_flawed(Object::Provider(name.clone()));
            }
            match required {
                Some(required) => drop(self.module.requirements.insert(name, required)),
                None => self.hide(DeclarationKind::Requirement, &[&name]),
            }
        }
    }

    /// Notes that the names of arguments and blocks may be meant as required providers.
    pub(crate) fn note_flawed_requirements(&mut self, body: &Body) {
        let attributes = body.just_attributes(&mut Diagnostics::new()).attributes.into_keys();
        let blocks = body.written_block_types().into_iter().map(SmolStr::from);
        for name in attributes.chain(blocks) {
            self.hide(DeclarationKind::Requirement, &[&name]);
            self.module.doubt.add_flawed(Object::Provider(name));
        }
    }

    /// Notes that a `terraform` block with wrong content may require any of the providers that its text names.
    fn hide_requirements(&mut self, body: &Body) {
        let hidden = Hidden::of([DeclarationKind::Requirement]);
        self.module.doubt.hide(match body.as_native() {
            Some((tree, id)) => hidden.named_in(tree.slice(tree.body(id).span)),
            None => hidden,
        });
    }

    fn required_provider(&mut self, name: &SmolStr, attribute: &Attribute) -> Option<ProviderRequirement> {
        let declaration = Subject { file: Arc::clone(attribute.source()), span: attribute.value_span() };
        let expression = attribute.literal();
        if !self.provider_name(name, &declaration.file, declaration.span) {
            return None;
        }
        let provider = ProviderAddress::implied(name);
        let Expr::Object(items) = expression.tree.expr(expression.id) else {
            return self.old_requirement(attribute, declaration, provider);
        };
        let mut required = ProviderRequirement {
            declaration,
            provider,
            is_doubtful: false,
            has_version: false,
            version: None,
            aliases: IndexSet::new(),
        };
        let references = attribute.reference();
        for (index, item) in expression.tree.list(items).iter().enumerate() {
            let value = Expression { tree: Arc::clone(&expression.tree), id: item.value };
            let Some(key) = self.requirement_key(&expression, item.key) else {
                required.is_doubtful = true;
                continue;
            };
            match key.as_str() {
                "version" => {
                    required.has_version = true;
                    required.version = self.requirement_version(&value);
                }
                "source" => match self.requirement_source(&value) {
                    Some(address) => required.provider = address,
                    None => required.is_doubtful = true,
                },
                "configuration_aliases" => {
                    let aliases = aliases_item(&references, index).unwrap_or(value);
                    required.aliases = self.configuration_aliases(name, &aliases);
                }
                other => {
                    required.is_doubtful = true;
                    let detail = format!(
                        "A required provider has no argument \"{other}\". Its arguments are `source`, \
                         `version` and `configuration_aliases`."
                    );
                    let diagnostic = Diagnostic::error(ids::INVALID_REQUIREMENT, detail);
                    let title = titles::INVALID_REQUIRED_PROVIDERS_OBJECT;
                    self.diagnostics
                        .push(diagnostic.titled(title).at(value.source(), expression.tree.span(item.key)));
                }
            }
        }
        Some(required)
    }

    /// The name of an argument of a required provider. Reports a key that is no string.
    fn requirement_key(&mut self, object: &Expression, id: ExprId) -> Option<String> {
        if let Some(key) = object.tree.plain_key(id) {
            return Some(key.to_owned());
        }
        let key = Expression { tree: Arc::clone(&object.tree), id };
        let value = constant(&key, self.diagnostics)?;
        if value.as_str().is_none() {
            let detail = "The name of an argument of a required provider must be a string.";
            let diagnostic = Diagnostic::error(ids::INVALID_REQUIREMENT, detail);
            self.diagnostics.push(diagnostic.titled(titles::INVALID_ATTRIBUTE).at(key.source(), key.span()));
        }
        value.as_str().map(str::to_owned)
    }

    /// The form of old versions: only a version.
    fn old_requirement(
        &mut self,
        attribute: &Attribute,
        declaration: Subject,
        provider: ProviderAddress,
    ) -> Option<ProviderRequirement> {
        let text = constant(&attribute.literal(), &mut Diagnostics::new());
        if text.is_some_and(|value| !value.is_null() && value.ty().is_primitive()) {
            let version = self.version_constraint(attribute);
            let aliases = IndexSet::new();
            return Some(ProviderRequirement {
                declaration,
                provider,
                is_doubtful: version.is_none(),
                has_version: true,
                version,
                aliases,
            });
        }
        let detail = "A required provider must be an object, such as `{ source = \"hashicorp/aws\", \
                      version = \"~> 5.0\" }`, or a version in quotes.";
        self.diagnostics.push(
            Diagnostic::error(ids::INVALID_REQUIREMENT, detail)
                .titled(titles::INVALID_REQUIRED_PROVIDERS_OBJECT)
                .at(&declaration.file, declaration.span),
        );
        None
    }

    fn requirement_text(&mut self, value: &Expression, argument: &str, title: Title) -> Option<String> {
        let found = constant(value, &mut Diagnostics::new());
        match found.as_ref().map(terrane_value::Value::kind) {
            Some(ValueKind::String(text)) => Some(text.to_string()),
            _ => {
                let detail = format!("The {argument} of a required provider must be a string in quotes.");
                let diagnostic = Diagnostic::error(ids::INVALID_REQUIREMENT, detail);
                self.diagnostics.push(diagnostic.titled(title).at(value.source(), value.span()));
                None
            }
        }
    }

    fn requirement_version(&mut self, value: &Expression) -> Option<VersionConstraint> {
        let title = Title::of(ids::INVALID_VERSION_CONSTRAINT);
        let text = self.requirement_text(value, "version", title)?;
        self.parsed_constraint(&text, value.source(), value.span())
    }

    fn requirement_source(&mut self, value: &Expression) -> Option<ProviderAddress> {
        let text = self.requirement_text(value, "source", titles::INVALID_SOURCE)?;
        match text.parse::<ProviderAddress>() {
            Ok(address) => Some(address),
            Err(SourceProblem { title, reason }) => {
                let detail = format!(
                    "\"{text}\" is not the address of a provider: {reason}. Write \"NAMESPACE/NAME\", or \
                     \"HOST/NAMESPACE/NAME\" for a registry other than the default one."
                );
                let diagnostic = Diagnostic::error(ids::INVALID_PROVIDER_SOURCE, detail).titled(title);
                self.diagnostics.push(diagnostic.at(value.source(), value.span()));
                None
            }
        }
    }

    /// The configurations that callers have to pass: `[aws.west]`.
    fn configuration_aliases(&mut self, name: &str, expression: &Expression) -> IndexSet<SmolStr> {
        let mut aliases = IndexSet::new();
        for item in self.list(expression, "configuration_aliases") {
            let reference = as_reference(&item.tree, item.id);
            match reference.filter(|(_, steps)| has_fixed_keys(&item.tree, steps)) {
                Some((local, [])) if local == name => {
                    aliases.insert(ProviderRef::key_of(local, None));
                }
                // Steps behind the alias are ignored.
                Some((local, [Step::Attr { name: alias, .. }, ..])) if local == name => {
                    aliases.insert(ProviderRef::key_of(local, Some(item.tree.slice(*alias))));
                }
                found => {
                    let detail = format!(
                        "An item of `configuration_aliases` must have the form \
                                          `{name}.alias`."
                    );
                    let title = match found {
                        Some(_) => titles::INVALID_CONFIGURATION_ALIASES_VALUE,
                        None => Title::of(ids::INVALID_EXPRESSION),
                    };
                    let diagnostic = Diagnostic::error(ids::INVALID_REQUIREMENT, detail).titled(title);
                    self.diagnostics.push(diagnostic.at(item.source(), item.span()));
                }
            }
        }
        aliases
    }

    /// The requirements on OpenTofu in a `language` block.
    pub(crate) fn language(&mut self, block: &Block) {
        let content = block.body.content(schema::language(), self.diagnostics);
        if let Some(attribute) = content.attribute("edition") {
            self.edition(attribute, "tofu2024");
        }
        if let Some(attribute) = content.attribute("experiments") {
            self.experiments(attribute);
        }
        for nested in content.blocks_of("compatible_with") {
            let mut unreported = Diagnostics::new();
            let (inner, _) = nested.body.partial_content(schema::compatible_with(), &mut unreported);
            let Some(attribute) = inner.attribute("opentofu") else { continue };
            let constraint = self.version_constraint(attribute);
            if constraint.as_ref().is_some_and(|constraint| constraint.allows([1, 11, 0])) {
                let detail = "The constraint allows versions of OpenTofu before 1.12, which do not read \
                              `language` blocks and so ignore it.";
                let diagnostic = Diagnostic::warning(ids::INEFFECTIVE_CONSTRAINT, detail);
                self.diagnostics.push(diagnostic.at(attribute.source(), attribute.value_span()));
            }
            if constraint.is_some_and(|constraint| !self.rules.satisfies(&constraint)) {
                let diagnostic = self.incompatible(attribute);
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

/// The value at `index` of an object that is read as references.
fn aliases_item(object: &Expression, index: usize) -> Option<Expression> {
    let Expr::Object(items) = object.tree.expr(object.id) else { return None };
    let item = object.tree.list(items).get(index)?;
    Some(Expression { tree: Arc::clone(&object.tree), id: item.value })
}
