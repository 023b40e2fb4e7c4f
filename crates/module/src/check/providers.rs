//! Checks provider configurations across modules: which are declared, passed by calls, and chosen by resources.
//!
//! Nothing is reported that depends on a block, a requirement or a call that is in doubt or has an error.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use terrane_config::address::{Address, InstanceKey, ResourceMode};
use terrane_source::{Diagnostic, DiagnosticId, Diagnostics, FileId, SourceFile, Span, Subject, ids, titles};
use terrane_syntax::{Expression, LexMode, TokenKind, lex};
use terrane_value::SmolStr;

use crate::model::ids::{Arena, CallId, CallInModule, NodeId};
use crate::model::module::{
    Module, ModuleCall, PassedProvider, ProviderConfig, ProviderRef, Repetition, ResourceKey,
};
use crate::model::provider::{ProviderAddress, check_part};
use crate::model::tree::ModuleNode;
use crate::rules::Rules;
use crate::rules::phase::Phase;

/// Reports mistakes in the provider configurations of all modules.
pub(crate) fn check(
    nodes: &Arena<NodeId, ModuleNode>,
    rules: &Rules,
    phase: Phase,
    diagnostics: &mut Diagnostics,
) {
    let mut checker = ProviderChecker {
        nodes,
        registry: rules.registry,
        called: phase.variables_are_unknown() && rules.validates_called_modules,
        diagnostics,
    };
    for node in nodes {
        checker.keys(&node.module);
        checker.requirements(&node.module);
        checker.implied_requirements(&node.module);
        checker.implied(&node.module);
        checker.imports(node);
        let required = node.module.requirements.values().map(|required| &required.provider).collect();
        for passed in node.module.calls.values().flat_map(|call| call.providers.values()) {
            checker.present(node, passed, &required);
        }
        checker.chosen(node);
        if let Some(CallInModule { module: caller, call }) = node.caller {
            let parent = &nodes[caller];
            checker.legacy(node);
            checker.passed(node, parent, call);
        }
    }
}

/// Reports configurations with an alias that the root module asks its callers for and does not declare itself, unless there
/// are errors already. Nothing calls it. A configuration without an alias is there without a block.
pub(crate) fn check_root(nodes: &Arena<NodeId, ModuleNode>, phase: Phase, diagnostics: &mut Diagnostics) {
    if !phase.configures_providers() || diagnostics.has_errors() {
        return;
    }
    let root = &nodes[NodeId::ROOT].module;
    for (name, required) in &root.requirements {
        let is_there = |key: &&SmolStr| *key == name || root.providers.contains_key(*key);
        if root.doubt.touches_provider(name) {
            continue;
        }
        for key in required.aliases.iter().filter(|key| !is_there(key)) {
            let detail = format!(
                "The root module asks its callers for a provider configuration `{key}`, but nothing calls a root module. Declare it \
                 with a provider block, or evaluate a module that calls this one."
            );
            let diagnostic = Diagnostic::error(ids::PROVIDER_NOT_PRESENT, detail);
            let Subject { file, span } = &required.declaration;
            diagnostics.push(diagnostic.titled(titles::UNDEFINED_PROVIDER_CONFIGURATION).at(file, *span));
        }
    }
}

struct ProviderChecker<'c> {
    nodes: &'c Arena<NodeId, ModuleNode>,
    registry: &'c str,
    /// Whether the root module is validated as a called module: then its configuration aliases
    /// count as passed by a caller.
    called: bool,
    diagnostics: &'c mut Diagnostics,
}

impl ProviderChecker<'_> {
    fn error(&mut self, id: DiagnosticId, detail: String, file: &Arc<SourceFile>, span: Span) {
        self.diagnostics.push(Diagnostic::error(id, detail).at(file, span));
    }

    fn warning(&mut self, id: DiagnosticId, detail: String, file: &Arc<SourceFile>, span: Span) {
        self.diagnostics.push(Diagnostic::warning(id, detail).at(file, span));
    }

    /// Checks the keys of provider references: a reference has a key if the configuration has
    /// instances, and no key otherwise.
    fn keys(&mut self, module: &Module) {
        for (key, resource) in &module.resources {
            if let Some(provider) = &resource.provider {
                self.key(module, provider, "resource");
                if key.mode == ResourceMode::Managed {
                    self.same_for_each(module, provider, &resource.repetition, "resource");
                }
            }
        }
        for call in module.calls.values() {
            for passed in call.providers.values() {
                self.key(module, &passed.parent, "module");
                self.same_for_each(module, &passed.parent, &call.repetition, "module");
                if passed.child.key.is_some() {
                    let detail = "The left side of `=` names a provider configuration of the called module, \
                         without a key.";
                    let diagnostic = Diagnostic::error(ids::PROVIDER_KEY, detail);
                    let title = titles::INVALID_MODULE_PROVIDER_CONFIGURATION;
                    self.diagnostics.push(diagnostic.titled(title).at(&passed.child.file, passed.child.span));
                }
            }
        }
    }

    /// Reports a provider that a module requires under two local names.
    fn requirements(&mut self, module: &Module) {
        let mut seen: HashMap<&ProviderAddress, &SmolStr> = HashMap::new();
        let sound = module.requirements.iter().filter(|(name, _)| !module.doubt.touches_provider(name));
        for (name, required) in sound {
            let Some(earlier) = seen.insert(&required.provider, name) else { continue };
            let Subject { file, span } = &required.declaration;
            let detail = format!(
                "The provider {} is already required as `{earlier}`. Require it once, with one name.",
                required.provider
            );
            self.warning(ids::DUPLICATE_REQUIREMENT, detail, file, *span);
        }
    }

    /// Reports managed resources and data sources whose type implies a provider that the module requires under another local name.
    fn implied_requirements(&mut self, module: &Module) {
        let names = module.requirements.iter().map(|(name, required)| (&required.provider, name));
        let names: HashMap<&ProviderAddress, &SmolStr> = names.collect();
        let is_meant = |mode: ResourceMode| matches!(mode, ResourceMode::Managed | ResourceMode::Data);
        for (key, resource) in module.resources.iter().filter(|(key, _)| is_meant(key.mode)) {
            let local = resource.local_provider(&key.resource_type);
            let is_required = module.requirements.contains_key(local);
            if resource.provider.is_some() || is_required || may_have_other_provider(module, key, local) {
                continue;
            }
            let implied = module.provider_address(local);
            let Some(name) = names.get(&implied) else { continue };
            let detail = format!(
                "The type of `{}` stands for the provider {implied}, which is required as `{name}`. Set \
                 `provider = {name}`, or rename `{name}` to `{local}` in `required_providers`.",
                key.object(InstanceKey::None)
            );
            let Subject { file, span } = &resource.declaration;
            self.warning(ids::DUPLICATE_REQUIREMENT, detail, file, *span);
        }
    }

    /// Reports a resource type whose first word, which stands for the provider, is not a valid provider name.
    fn implied(&mut self, module: &Module) {
        for (key, resource) in &module.resources {
            let resource_type = &key.resource_type;
            let name = resource.local_provider(resource_type);
            // Capital letters are allowed here.
            if let (None, Err(reason)) = (&resource.provider, check_part(&name.to_lowercase()))
                && !may_have_other_provider(module, key, name)
            {
                let detail = format!(
                    "The type \"{resource_type}\" belongs to the provider \"{name}\", which is not a \
                     valid provider name: {reason}."
                );
                let Subject { file, span } = &resource.declaration;
                self.error(ids::INVALID_PROVIDER_NAME, detail, file, *span);
            }
        }
    }

    /// Reports an import whose `provider` differs from its declared resource, and, without a declared resource, a
    /// configuration that does not exist.
    fn imports(&mut self, node: &ModuleNode) {
        let module = &node.module;
        for import in &module.imports {
            let Some(chosen) = &import.provider else { continue };
            let declared = import.to.resource.as_ref().and_then(|key| module.resources.get(key));
            // Its own argument may be in unreadable text.
            let may_err = import
                .to
                .resource
                .as_ref()
                .is_some_and(|key| module.doubt.may_err(&key.object(InstanceKey::None)));
            match declared.map(|resource| resource.provider.as_deref().map(ProviderRef::key)) {
                Some(_) if may_err => {}
                Some(own) if own.as_ref() != Some(&chosen.key()) => {
                    let detail = format!(
                        "An import uses the provider of its resource, but the block of `{}` does not name \
                         this provider. Remove the argument, or name the same provider in both blocks.",
                        import.to
                    );
                    self.error(ids::INVALID_IMPORT_PROVIDER, detail, &chosen.file, chosen.span);
                }
                None if chosen.alias.is_some()
                    && !module.providers.contains_key(&chosen.key())
                    && !module.doubt.touches_provider(&chosen.name) =>
                {
                    let detail = format!(
                        "`{}` needs a provider configuration `{}`, which does not exist.",
                        import.to,
                        chosen.key()
                    );
                    self.error(ids::PROVIDER_NOT_PRESENT, detail, &chosen.file, chosen.span);
                }
                Some(_) | None => {}
            }
        }
    }

    fn key(&mut self, module: &Module, provider: &ProviderRef, block_type: &str) {
        let config = module.providers.get(&provider.key());
        let repeated = config.is_some_and(|config| config.for_each.is_some());
        if module.doubt.touches_provider(&provider.name) {
            return;
        }
        let key = provider.key();
        let detail = match (&provider.key, repeated) {
            (Some(_), false) => {
                format!("`{key}` has no `for_each`, so it has no instances to choose from with brackets.")
            }
            (None, true) => format!("`{key}` has `for_each`: choose one of its instances with brackets."),
            (Some(_), true) | (None, false) => return,
        };
        let diagnostic = Diagnostic::error(ids::PROVIDER_KEY, detail);
        let title = match block_type {
            "resource" => titles::INVALID_RESOURCE_PROVIDER_CONFIGURATION,
            _ => titles::INVALID_MODULE_PROVIDER_CONFIGURATION,
        };
        self.diagnostics.push(diagnostic.titled(title).at(&provider.file, provider.span));
    }

    /// Warns about a resource with the same `for_each` as its provider configuration. An instance of the configuration
    /// destroys the resources that it created, so it must exist longer than they do.
    fn same_for_each(&mut self, module: &Module, provider: &ProviderRef, of: &Repetition, kind: &str) {
        let config = module.providers.get(&provider.key()).and_then(|config| config.for_each.as_ref());
        let (Some(_), Some(config), Repetition::ForEach(own)) = (&provider.key, config, of) else { return };
        let (own, config) = (own, config);
        if !module.references.has_references(own) || words(own) != words(config) {
            return;
        }
        let detail = format!(
            "The {kind} has the same `for_each` as the provider configuration `{}`. If an element is \
             removed, its provider configuration is gone before its objects are destroyed. Keep the \
             element in the provider configuration until then.",
            provider.key()
        );
        let diagnostic = Diagnostic::warning(ids::PROVIDER_FOR_EACH, detail);
        let title = match kind {
            "resource" => titles::PROVIDER_CONFIGURATION_FOR_EACH_MATCHES_RESOURCE,
            _ => titles::PROVIDER_CONFIGURATION_FOR_EACH_MATCHES_MODULE,
        };
        self.diagnostics.push(diagnostic.titled(title).at(own.source(), own.span()));
    }

    /// Reports a passed configuration that the caller does not have. `required` are the providers
    /// that the module requires.
    fn present(&mut self, node: &ModuleNode, passed: &PassedProvider, required: &HashSet<&ProviderAddress>) {
        let parent = &passed.parent;
        let key = parent.key();
        let provider = node.module.provider_address(&parent.name);
        let here = node.module.providers.contains_key(&key);
        let given = self.call(node).is_some_and(|call| call.providers.contains_key(&key));
        // The root module has an empty default configuration of each required provider, even without a block.
        let implicit = parent.alias.is_none() && node.caller.is_none() && required.contains(&provider);
        let is_certain = here || given || implicit || self.called && asks_for(node, parent);
        if is_certain || self.may_have(node, &parent.name) {
            return;
        }
        let host = if provider.host.is_some() { String::new() } else { format!("{}/", self.registry) };
        let alias = parent.alias.as_ref().map_or(String::new(), |alias| format!(".{alias}"));
        let path = if node.caller.is_some() { format!("{}.", node.path) } else { String::new() };
        let detail = format!(
            "This module has no provider configuration `{key}` to pass. Declare it with a block `provider \
             \"{}\"`.",
            parent.name
        );
        self.diagnostics.push(
            Diagnostic::error(ids::MISSING_PROVIDER, detail)
                .titled(titles::missing_provider(&path, &format!("{host}{provider}"), &alias))
                .at(&parent.file, parent.span),
        );
    }

    /// Reports resources that choose a configuration with an alias that does not exist.
    fn chosen(&mut self, node: &ModuleNode) {
        let module = &node.module;
        for (resource_key, resource) in &module.resources {
            let Some(provider) = resource.provider.as_ref().filter(|provider| provider.alias.is_some())
            else {
                continue;
            };
            let key = provider.key();
            let given = match self.call(node) {
                // A missing configuration is reported at the caller.
                Some(call) => call.providers.contains_key(&key) || asks_for(node, provider),
                None => self.called && asks_for(node, provider),
            };
            let is_there = given || module.providers.contains_key(&key);
            if !is_there && !self.may_have(node, &provider.name) {
                let object = resource_key.object(InstanceKey::None);
                let detail = format!(
                    "`{}` needs a provider configuration `{key}`, which does not exist. Declare it with a \
                     block `provider \"{}\"` with this alias.",
                    Address { module: node.path.clone(), object },
                    provider.name
                );
                self.error(ids::PROVIDER_NOT_PRESENT, detail, &provider.file, provider.span);
            }
        }
    }

    /// Whether a module may have a configuration of a provider, declared or passed in text that could not be read.
    fn may_have(&self, node: &ModuleNode, name: &SmolStr) -> bool {
        let is_passed = |caller: CallInModule| self.nodes[caller.module].module.call_may_err(caller.call);
        node.module.doubt.touches_provider(name) || node.caller.is_some_and(is_passed)
    }

    /// Returns the call that leads to a node; `None` for the root module.
    fn call(&self, node: &ModuleNode) -> Option<&ModuleCall> {
        let CallInModule { module: caller, call } = node.caller?;
        Some(self.nodes[caller].module.calls.at(call))
    }

    /// Reports a module that configures providers itself, if a call on its path is repeated or has `depends_on`.
    fn legacy(&mut self, node: &ModuleNode) {
        if !node.module.providers.values().any(|provider| provider.configured) {
            return;
        }
        let mut next = Some(node);
        while let Some(current) = next {
            if let Some((file, span)) = self.call(current).and_then(repeated) {
                let detail = format!(
                    "The module {} configures providers itself, so its call, and the calls around it, \
                     cannot have `count`, `for_each`, `enabled` or `depends_on`. Configure the providers \
                     in the caller and pass them.",
                    node.path
                );
                return self.diagnostics.push(Diagnostic::error(ids::LEGACY_MODULE, detail).at(&file, span));
            }
            next = current.caller.map(|caller| &self.nodes[caller.module]);
        }
    }

    /// Checks the configurations passed by a call against the configurations that the called module has and requires.
    fn passed(&mut self, node: &ModuleNode, parent: &ModuleNode, call_id: CallId) {
        let module = &node.module;
        let call = parent.module.calls.at(call_id);
        let Subject { file, span } = &call.declaration;
        let is_sound =
            |name: &SmolStr| !module.doubt.touches_provider(name) && !parent.module.call_may_err(call_id);
        for (_, required) in module.requirements.iter().filter(|(name, _)| is_sound(name)) {
            for alias in &required.aliases {
                let configured = module.providers.get(alias).is_some_and(|provider| provider.configured);
                if !configured && !call.providers.contains_key(alias) {
                    let detail = format!(
                        "The module {} asks its callers for a provider configuration `{alias}`. Add `{alias} = …` to \
                         the argument `providers`.",
                        node.path
                    );
                    self.error(ids::MISSING_PROVIDER_CONFIG, detail, file, *span);
                }
            }
        }
        for item in call.providers.values() {
            self.one_passed(item, node, parent);
        }
        let is_empty = |provider: &ProviderConfig| {
            !provider.configured && !module.doubt.touches_provider(&provider.name)
        };
        for (key, provider) in module.providers.iter().filter(|(_, provider)| is_empty(provider)) {
            let Subject { file, span } = &provider.declaration;
            let detail = format!(
                "The empty block `provider \"{}\"` in {} has no effect. Name the provider in \
                 `required_providers` instead, and a second configuration in its `configuration_aliases`: \
                 `{key}`.",
                provider.name, node.path
            );
            self.warning(ids::EMPTY_PROVIDER, detail, file, *span);
        }
    }

    fn one_passed(&mut self, item: &PassedProvider, node: &ModuleNode, parent: &ModuleNode) {
        let module = &node.module;
        let (child, key) = (&item.child, item.child.key());
        let own = module.providers.get(&key);
        if own.is_some_and(|provider| provider.configured) {
            let detail = format!(
                "The module {} configures `{key}` itself, so nothing can be passed for it.",
                node.path
            );
            return self.error(ids::OVERRIDDEN_PROVIDER, detail, &child.file, child.span);
        }
        if module.doubt.touches_provider(&child.name) {
            return;
        }
        let wanted = meant(module, &child.name);
        let is_alias =
            module.requirements.get(&child.name).is_some_and(|required| required.aliases.contains(&key));
        let is_name = child.alias.is_none() && module.requirements.contains_key(&child.name);
        if !is_alias && !is_name && own.is_none() {
            let detail = format!(
                "The module {} does not ask for a provider configuration `{key}`. Name it in its `required_providers`.",
                node.path
            );
            // Without a requirement, the local name may stand for the provider of the same name: only a warning.
            if wanted.is_in_default_namespace() {
                self.warning(ids::UNDEFINED_PROVIDER, detail, &child.file, child.span);
            } else {
                self.error(ids::UNDEFINED_PROVIDER, detail, &child.file, child.span);
            }
        }
        let given = meant(&parent.module, &item.parent.name);
        if wanted != given && !parent.module.doubt.touches_provider(&item.parent.name) {
            let detail = format!(
                "`{}` is a configuration of the provider {given}, but `{key}` in {} is one of {wanted}.",
                item.parent.key(),
                node.path
            );
            self.error(ids::PROVIDER_TYPE_MISMATCH, detail, &child.file, child.span);
        }
    }
}

/// Whether a resource may have another provider: its block has an error and may name one, or the module may require one with the local name.
fn may_have_other_provider(module: &Module, key: &ResourceKey, local: &str) -> bool {
    let doubt = &module.doubt;
    !doubt.is_sound()
        && (doubt.may_err(&key.object(InstanceKey::None)) || doubt.touches_provider(&SmolStr::from(local)))
}

/// Returns the provider that a local name stands for in `providers`. Only a requirement maps a name to the
/// built-in provider there.
fn meant(module: &Module, name: &str) -> ProviderAddress {
    match module.requirements.get(name) {
        Some(required) => required.provider.clone(),
        None => ProviderAddress::registered(name),
    }
}

/// Whether a module asks its callers for a configuration with an alias.
fn asks_for(node: &ModuleNode, provider: &ProviderRef) -> bool {
    let required = node.module.requirements.get(&provider.name);
    required.is_some_and(|required| required.aliases.contains(&provider.key()))
}

/// Returns the position of the `count`, `for_each`, `enabled` or `depends_on` of a call; `None` if it has none.
fn repeated(call: &ModuleCall) -> Option<(Arc<SourceFile>, Span)> {
    let expression = match &call.repetition {
        Repetition::Once => call.depends_on.as_ref()?,
        Repetition::Count(resolved) | Repetition::ForEach(resolved) | Repetition::Enabled(resolved) => {
            resolved
        }
    };
    Some((Arc::clone(expression.source()), expression.span()))
}

/// Returns the tokens of an expression, without parentheses around it.
fn words(expression: &Expression) -> Vec<String> {
    let tree = &expression.tree;
    let (id, _) = tree.inside_parentheses(expression.id);
    let text = SourceFile::new(FileId::new("for_each"), tree.expr_text(id));
    let is_word = |kind| !matches!(kind, TokenKind::Newline | TokenKind::Comment | TokenKind::End);
    let tokens = lex(&text, LexMode::Normal).tokens;
    let words = tokens.iter().filter(|token| is_word(token.kind()));
    words.map(|token| text.slice(token.span()).to_owned()).collect()
}
