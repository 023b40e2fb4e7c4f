//! Addresses of providers.

use std::fmt;
use std::str::FromStr;

use terrane_function::Product;
use terrane_source::{Title, titles};
use terrane_value::SmolStr;

/// The full address of a provider: `registry.terraform.io/hashicorp/aws`. The registries of Terraform and OpenTofu,
/// which stand in for each other, are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProviderAddress {
    /// The host of the registry; `None` for the usual one.
    pub host: Option<SmolStr>,
    /// The namespace, which names the publisher.
    pub namespace: SmolStr,
    /// The type, which is the provider's own name.
    pub name: SmolStr,
}

impl ProviderAddress {
    /// Returns the provider that this name means if no source is given.
    pub fn implied(name: &str) -> ProviderAddress {
        if name == "terraform" {
            return ProviderAddress {
                host: Some(SmolStr::from("terraform.io")),
                namespace: SmolStr::from("builtin"),
                name: SmolStr::from(name),
            };
        }
        ProviderAddress::registered(name)
    }

    /// Returns the provider `hashicorp/name` of the usual registry.
    pub(crate) fn registered(name: &str) -> ProviderAddress {
        ProviderAddress { host: None, namespace: SmolStr::from("hashicorp"), name: SmolStr::from(name) }
    }

    /// Whether the provider is built into Terraform and OpenTofu.
    pub fn is_built_in(&self) -> bool {
        self.host.as_deref() == Some("terraform.io") && &*self.namespace == "builtin"
    }

    /// Whether the provider is in `hashicorp` of the usual registry, where providers without a namespace are looked up.
    pub(crate) fn is_in_default_namespace(&self) -> bool {
        *self == ProviderAddress::registered(&self.name)
    }
}

impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(host) = &self.host {
            write!(f, "{host}/")?;
        }
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// The reason why a text is not the address of a provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceProblem {
    /// A short title.
    pub title: Title,
    /// A part of a sentence.
    pub reason: String,
}

impl fmt::Display for SourceProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for SourceProblem {}

impl FromStr for ProviderAddress {
    type Err = SourceProblem;

    fn from_str(text: &str) -> Result<ProviderAddress, SourceProblem> {
        let problem = |title: Title, reason: String| SourceProblem { title, reason };
        let parts: Vec<&str> = text.split('/').collect();
        let (host, namespace, name) = match parts.as_slice() {
            [name] => (None, None, *name),
            [namespace, name] => (None, Some(*namespace), *name),
            [host, namespace, name] => (Some(*host), Some(*namespace), *name),
            _ => {
                let reason = "it has more than three parts".to_owned();
                return Err(problem(titles::INVALID_PROVIDER_SOURCE_STRING, reason));
            }
        };
        if parts.iter().any(|part| part.is_empty()) {
            let reason = "a part of it is empty".to_owned();
            return Err(problem(titles::INVALID_PROVIDER_SOURCE_STRING, reason));
        }
        // Capital letters are read as small ones.
        let lower = |part: &str| part.to_lowercase();
        check_part(&lower(name)).map_err(|reason| problem(titles::INVALID_PROVIDER_TYPE, reason))?;
        if let Some(namespace) = namespace {
            check_part(&lower(namespace))
                .map_err(|reason| problem(titles::INVALID_PROVIDER_NAMESPACE, reason))?;
        }
        if let Some(host) = host.filter(|host| !is_host(&lower(host))) {
            let reason = format!("\"{host}\" is not the name of a host");
            return Err(problem(titles::INVALID_PROVIDER_SOURCE_HOSTNAME, reason));
        }
        for prefix in ["terraform-provider-", "terraform-"] {
            if name.starts_with(prefix) {
                let reason = format!("the prefix \"{prefix}\" is not a part of its name");
                return Err(problem(titles::INVALID_PROVIDER_TYPE, reason));
            }
        }
        let Some(namespace) = namespace else { return Ok(ProviderAddress::implied(&lower(name))) };
        Ok(ProviderAddress {
            host: host.map(lower).filter(|host| Product::of_registry(host).is_none()).map(SmolStr::from),
            namespace: SmolStr::from(lower(namespace)),
            name: SmolStr::from(lower(name)),
        })
    }
}

/// Whether a text can be the name of a host, with or without a port. The name may end in a dot.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (text, None),
    };
    let is_label = |label: &str| {
        let is_letter = |character: char| character.is_alphanumeric() || character == '-';
        !label.is_empty() && label.chars().all(is_letter) && !label.starts_with('-') && !label.ends_with('-')
    };
    (name.contains('.') || name.starts_with("localhost"))
        && name.strip_suffix('.').unwrap_or(name).split('.').all(is_label)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// Checks that a text can be a part of the address of a provider.
///
/// # Errors
///
/// A clause with the reason.
pub fn check_part(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    if text.starts_with('-') || text.ends_with('-') {
        return Err("it begins or ends with a dash".to_owned());
    }
    if text.contains("--") {
        return Err("it has two dashes in a row".to_owned());
    }
    if text.chars().any(char::is_uppercase) {
        return Err("it has capital letters".to_owned());
    }
    if !text.chars().all(|character| character.is_alphanumeric() || character == '-') {
        return Err("it has characters other than letters, digits and dashes".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read() {
        let read = |text: &str| match text.parse::<ProviderAddress>() {
            Ok(address) => address.to_string(),
            Err(problem) => problem.title.as_str().to_owned(),
        };
        for (text, expected) in [
            ("aws", "hashicorp/aws"),
            ("Hashicorp/AWS", "hashicorp/aws"),
            ("registry.terraform.io/hashicorp/aws", "hashicorp/aws"),
            ("example.com/a/b", "example.com/a/b"),
            ("terraform.io/builtin/terraform", "terraform.io/builtin/terraform"),
            ("a b", "Invalid provider type"),
            ("a b/c", "Invalid provider namespace"),
            ("a/b/c", "Invalid provider source hostname"),
            ("LOCALHOST:5/b/c", "localhost:5/b/c"),
            ("ünï.com/b/c", "ünï.com/b/c"),
            ("../b/c", "Invalid provider source hostname"),
            ("a..b/b/c", "Invalid provider source hostname"),
            (".a/b/c", "Invalid provider source hostname"),
            ("a.-b/b/c", "Invalid provider source hostname"),
            ("a_b.c/b/c", "Invalid provider source hostname"),
            ("a.b:x/b/c", "Invalid provider source hostname"),
            ("a.b:/b/c", "Invalid provider source hostname"),
            ("a/b/c/d", "Invalid provider source string"),
            ("a/", "Invalid provider source string"),
            ("x/terraform-provider-y", "Invalid provider type"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert!(ProviderAddress::implied("terraform").is_built_in());
    }
}
