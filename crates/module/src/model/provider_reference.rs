//! References to provider configurations, as resources, module calls and imports write them.

use std::sync::Arc;

use terrane_source::{SourceFile, Span};
use terrane_syntax::Expression;
use terrane_value::SmolStr;

/// A reference to a provider configuration: `aws`, `aws.west`, `aws.by_region["a"]`.
#[derive(Clone, Debug)]
pub struct ProviderRef {
    /// The local name of the provider.
    pub name: SmolStr,
    /// The alias of the configuration.
    pub alias: Option<SmolStr>,
    /// The key of the instance of the configuration.
    pub key: Option<Expression>,
    /// The file in which it is written.
    pub file: Arc<SourceFile>,
    /// The span of the whole reference.
    pub span: Span,
}

impl ProviderRef {
    /// Returns the key of the configuration in its module: the local name, with the alias after a dot.
    pub fn key(&self) -> SmolStr {
        ProviderRef::key_of(&self.name, self.alias.as_deref())
    }

    /// Returns the key of a local name and an alias.
    pub fn key_of(name: &str, alias: Option<&str>) -> SmolStr {
        match alias {
            Some(alias) => SmolStr::from(format!("{name}.{alias}")),
            None => SmolStr::from(name),
        }
    }
}
