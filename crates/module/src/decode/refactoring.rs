//! Blocks about objects that were declared otherwise before: `moved`, `removed` and `import`.

use terrane_body::constant::{bool_of, string_of};
use terrane_body::{Attribute, Block, Content};
use terrane_config::address::ResourceMode;
use terrane_source::{Diagnostic, DiagnosticId, Title, TitleText, ids, titles};

use crate::decode::decoder::Decoder;
use crate::decode::schema;
use crate::model::ids::ImportId;
use crate::model::module::{Import, Move, ObjectAddress, Removal};
use crate::model::written_address::{Keys, address, reserved_name, reserved_name_message};

impl Decoder<'_> {
    pub(crate) fn moved(&mut self, block: &Block) {
        let content = block.body.content(schema::moved(), self.diagnostics);
        let from = self.address(content.attribute("from"), Keys::Literal);
        let to = self.address(content.attribute("to"), Keys::Literal);
        let (Some(from), Some(to)) = (from, to) else {
            if self.rules.reports_incomplete_moves {
                let detail = "A `moved` block needs the addresses `from` and `to`.";
                self.error_at(ids::INVALID_MOVED, detail, block, Title::of(ids::INVALID_MOVED));
            }
            return;
        };
        for (argument, address) in [("from", &from), ("to", &to)] {
            if is_ephemeral(address) {
                let detail =
                    format!("`{argument}` is an ephemeral resource, which is not stored, so it cannot move.");
                return self.address_error(
                    ids::INVALID_MOVED,
                    &detail,
                    address,
                    titles::INVALID_MOVED_ADDRESS,
                );
            }
        }
        let declaration = block.declaration();
        if from.resource.is_some() != to.resource.is_some() {
            let detail = "A resource can move only to a resource, and a module only to a module, but one \
                          address names a resource and the other one a module.";
            let diagnostic =
                Diagnostic::error(ids::INVALID_MOVED, detail).titled(titles::INVALID_MOVED_ADDRESSES);
            self.diagnostics.push(diagnostic.at(&declaration.file, declaration.span));
            return;
        }
        self.module.moves.push(Move { declaration, from, to });
    }

    pub(crate) fn removed(&mut self, block: &Block) {
        let content = self.content(&block.body, "removed", schema::removed());
        // Reserved names are types here, also in Terraform.
        let from = content.attribute("from");
        let from = from.and_then(|from| address(&from.reference(), Keys::Literal, self.diagnostics));
        let mut destroys = None;
        let lifecycle = match self.rules.removed_takes_last_lifecycle {
            // Every one of them counts there, the last one at last.
            true => content.blocks_of("lifecycle").last(),
            false => self.only(&content, "lifecycle", "`removed` block"),
        };
        if let Some(lifecycle) = lifecycle {
            let inner = lifecycle.body.content(schema::removed_lifecycle(), self.diagnostics);
            destroys = bool_of(inner.attribute("destroy"), self.diagnostics);
        }
        let is_managed = from.as_ref().is_some_and(|from| mode(from) == Some(ResourceMode::Managed));
        match is_managed {
            true => drop(self.only(&content, "connection", "`removed` block")),
            false => {
                for connection in content.blocks_of("connection") {
                    let detail = "Only the removal of a resource can have a `connection` block, but the \
                                  address does not name a resource.";
                    self.error_at(ids::INVALID_REMOVED, detail, connection, titles::INVALID_CONNECTION_BLOCK);
                }
            }
        }
        let provisioners = self.removed_provisioners(&content, from.as_ref());
        let declaration = block.declaration();
        let Some(from) = from else { return };
        self.removable(&from);
        let warning = match destroys {
            None => Some(
                "Add `lifecycle { destroy = … }`: true destroys the object, false only forgets it. The \
                 products have different defaults.",
            ),
            Some(false) if provisioners > 0 => {
                Some("With `destroy = false` the object is only forgotten, so its provisioners do not run.")
            }
            Some(_) => None,
        };
        if let (Some(detail), true) = (warning, self.rules.warns_of_unclear_removal) {
            let id = if destroys.is_none() { ids::MISSING_LIFECYCLE } else { ids::IDLE_PROVISIONERS };
            self.diagnostics.push(Diagnostic::warning(id, detail).at(&declaration.file, declaration.span));
        }
        self.module.removals.push(Removal { declaration, from, keeps_objects: destroys == Some(false) });
    }

    /// Returns the number of provisioners of a `removed` block. Reports provisioners that the removal does not run.
    fn removed_provisioners(&mut self, content: &Content, from: Option<&ObjectAddress>) -> usize {
        let titles = self.rules.titles;
        let mut count = 0;
        for nested in content.blocks_of("provisioner") {
            let Some(provisioner) = self.provisioner(nested, false) else { continue };
            count += 1;
            if from.is_some_and(|from| from.resource.is_none()) {
                let detail = "Provisioners belong to resources, but the address names a module.";
                self.error_at(ids::INVALID_REMOVED, detail, nested, titles.module_provisioner);
            } else if !provisioner.destroy {
                let detail =
                    "A provisioner of a `removed` block runs only on destroy: write `when = destroy`.";
                self.error_at(ids::INVALID_REMOVED, detail, nested, titles.removed_provisioner);
            }
        }
        count
    }

    /// Reports addresses that cannot be removed: those of instances, and of objects that are not stored.
    fn removable(&mut self, from: &ObjectAddress) {
        use terrane_config::address::InstanceKey;
        let titles = self.rules.titles;
        if from.module.steps().iter().any(|step| step.key != InstanceKey::None) {
            let detail = "A `removed` block removes all instances of a module. Leave out the brackets.";
            let title = titles.removed_module_instance;
            return self.address_error(ids::INVALID_REMOVED, detail, from, title);
        }
        if from.key != InstanceKey::None {
            let detail = "A `removed` block removes all instances of a resource. Leave out the brackets.";
            let title = titles.removed_resource_instance;
            return self.address_error(ids::INVALID_REMOVED, detail, from, title);
        }
        let title = match mode(from) {
            Some(ResourceMode::Data) => titles.removed_data_source,
            Some(ResourceMode::Ephemeral) => titles::EPHEMERAL_RESOURCE_ADDRESS_IS_NOT_ALLOWED,
            Some(ResourceMode::Managed | ResourceMode::Action) | None => return,
        };
        let detail = "A `removed` block is only for modules and managed resources. To remove this object, \
                      remove its block from the configuration.";
        self.address_error(ids::INVALID_REMOVED, detail, from, title);
    }

    pub(crate) fn import(&mut self, block: &Block) {
        let content = self.content(&block.body, "import", schema::import());
        let declaration = block.declaration();
        let to_expression = content.attribute("to").map(Attribute::reference);
        let to = self.import_target(content.attribute("to"));
        let (id, identity) = (content.attribute("id"), content.attribute("identity"));
        let problem = match (id, identity) {
            (None, None) => Some((
                ids::MISSING_IMPORT_ARGUMENT,
                "An `import` block needs the `id` or the `identity` of the object to import.",
            )),
            (Some(_), Some(_)) => Some((
                ids::CONFLICTING_IMPORT,
                "An `import` block can have either `id` or `identity`. \
                                                Remove one of them.",
            )),
            (Some(_), None) | (None, Some(_)) => None,
        };
        if let Some((problem, detail)) = problem {
            self.diagnostics.push(Diagnostic::error(problem, detail).at(&declaration.file, declaration.span));
        }
        let provider = content.attribute("provider");
        let chosen = provider.and_then(|attribute| self.provider_ref(&attribute.reference(), "provider"));
        let Some(to) = to else { return };
        if let Some(attribute) = provider.filter(|_| !to.module.is_root()) {
            let detail = "The argument `providers` of the module call selects the provider of a resource in a \
                 module. Remove `provider` here.";
            let diagnostic = Diagnostic::error(ids::INVALID_IMPORT_PROVIDER, detail);
            self.diagnostics.push(diagnostic.at(attribute.source(), attribute.span));
        }
        let address = to.resolved.then(|| to.to_string());
        let earlier = address.as_ref().and_then(|address| self.imported.get(address)).copied();
        if let Some(earlier) = earlier {
            self.report_second_import(&to, earlier);
        }
        let resolved = |attribute: Option<&Attribute>, diagnostics: &mut terrane_source::Diagnostics| {
            attribute.map(|attribute| attribute.expression(diagnostics))
        };
        if !self.rules.imports.computed_ids {
            string_of(id, self.diagnostics);
        }
        let import = Import {
            declaration,
            to,
            to_expression,
            id: resolved(id, self.diagnostics),
            identity: resolved(identity, self.diagnostics),
            for_each: resolved(content.attribute("for_each"), self.diagnostics),
            provider: chosen,
        };
        let import = self.module.imports.push(import);
        if let (Some(address), None) = (address, earlier) {
            self.imported.insert(address, import);
        }
    }

    /// The address of the imported resource. To its mistakes, Terraform adds their place.
    fn import_target(&mut self, attribute: Option<&Attribute>) -> Option<ObjectAddress> {
        let before = self.diagnostics.mark();
        let to = self.address(attribute, Keys::Any).filter(|to| self.importable(to));
        if to.is_none() && self.rules.imports.explains_addresses {
            let wrong = self.diagnostics.split_off(before);
            let first =
                wrong.first().filter(|first| first.title() != titles::INVALID_IMPORT_ADDRESS.as_str());
            if let Some(subject) = first.and_then(|first| first.subject.clone()) {
                let detail = "`to` must be the address of a resource.";
                let outer = Diagnostic::error(ids::INVALID_IMPORT_ADDRESS, detail)
                    .titled(titles::INVALID_IMPORT_ADDRESS);
                self.diagnostics.push(outer.at(&subject.file, subject.span));
            }
            self.diagnostics.extend(wrong.into_iter().map(|wrong| {
                let is_no_reference = wrong.id == ids::INVALID_IMPORT_ADDRESS;
                if is_no_reference { wrong.titled(Title::of(ids::INVALID_EXPRESSION)) } else { wrong }
            }));
        }
        to
    }

    fn importable(&mut self, to: &ObjectAddress) -> bool {
        let allowed = match mode(to) {
            Some(ResourceMode::Managed) => true,
            // OpenTofu finds it when it makes a plan.
            Some(ResourceMode::Data) => self.rules.imports.reports_data_late,
            Some(ResourceMode::Ephemeral | ResourceMode::Action) | None => false,
        };
        if !allowed {
            let detail = "Only resources can be imported. Give the address of a `resource` block.";
            let names_it = self.rules.imports.explains_addresses && to.resource.is_some();
            let title =
                if names_it { titles::INVALID_IMPORT_ADDRESS } else { Title::of(ids::INVALID_ADDRESS) };
            self.address_error(ids::INVALID_ADDRESS, detail, to, title);
        }
        allowed
    }

    fn report_second_import(&mut self, to: &ObjectAddress, earlier: ImportId) {
        let place = self.module.imports[earlier].declaration.position();
        let detail = format!("`{to}` is already imported by the block at {place}. Remove one of them.");
        let title = titles::duplicate_import(&to.to_string());
        self.address_error(ids::DUPLICATE_IMPORT, &detail, to, title);
    }

    fn address(&mut self, attribute: Option<&Attribute>, keys: Keys) -> Option<ObjectAddress> {
        let found = address(&attribute?.reference(), keys, self.diagnostics)?;
        if let Some(name) = reserved_name(&found).filter(|_| self.rules.reserves_namespaces_in_addresses) {
            let detail = reserved_name_message(name);
            self.address_error(ids::INVALID_ADDRESS, &detail, &found, Title::of(ids::INVALID_ADDRESS));
            return None;
        }
        Some(found)
    }

    fn address_error(
        &mut self,
        id: DiagnosticId,
        detail: &str,
        address: &ObjectAddress,
        title: impl Into<TitleText>,
    ) {
        let diagnostic = Diagnostic::error(id, detail).titled(title);
        self.diagnostics.push(diagnostic.at(&address.file, address.span));
    }
}

/// The mode of a resource; none for a module.
fn mode(address: &ObjectAddress) -> Option<ResourceMode> {
    address.resource.as_ref().map(|key| key.mode)
}

fn is_ephemeral(address: &ObjectAddress) -> bool {
    mode(address) == Some(ResourceMode::Ephemeral)
}
